//! What is printed, and recorded as a report that may be given again.

use crate::cache::CachedReport;
use analyzer::escape;
use rustc_hash::FxHasher;
use std::{
    hash::{Hash as _, Hasher as _},
    io::{self, Write},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What this process has printed.
struct Output {
    /// What is printed while a report is made that may be kept.
    record: Option<CachedReport>,
    /// Notes, each of which is printed once.
    notes: Vec<String>,
    /// Hashes of all lines, in order.
    printed: Vec<u64>,
    /// Those that the process printed which this one replaces, and that are not printed again.
    expected: Vec<u64>,
}

static OUTPUT: Mutex<Output> =
    Mutex::new(Output { record: None, notes: Vec::new(), printed: Vec::new(), expected: Vec::new() });

fn output() -> MutexGuard<'static, Output> {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Output {
    /// Writes the lines of a text that the process of before has not written.
    fn write(&mut self, mut to: impl Write, text: &str) {
        for line in text.split('\n') {
            let mut hasher = FxHasher::default();
            line.hash(&mut hasher);
            let hash = hasher.finish();
            self.printed.push(hash);
            match self.expected.iter().position(|it| *it == hash) {
                Some(index) => {
                    self.expected.remove(index);
                }
                // A reader that is gone is no failure of ours.
                None => drop(writeln!(to, "{line}")),
            }
        }
    }
}

/// Begins or ends (`None`) a record; gives the last one.
pub(super) fn record(report: Option<CachedReport>) -> Option<CachedReport> {
    std::mem::replace(&mut output().record, report)
}

/// Prints a report again that was kept.
pub(super) fn print_again(report: &CachedReport) {
    let mut output = output();
    report.stdout.lines().for_each(|line| output.write(io::stdout(), line));
    report.stderr.lines().for_each(|line| output.write(io::stderr(), line));
}

/// Prints a text, whatever stands in it.
pub(super) fn print(text: &str) {
    print_escaped(&escape::text(text));
}

/// Prints a text in which nothing has to be escaped.
pub(super) fn print_escaped(text: &str) {
    let mut output = output();
    output.write(io::stdout(), text);
    if let Some(report) = &mut output.record {
        report.stdout.extend([text, "\n"]);
    }
}

/// Prints a line to standard error.
pub(crate) fn say(line: &str) {
    say_and_record(line, line);
}

/// Prints a line to standard error that is another one when the report is given again.
pub(super) fn say_and_record(line: &str, recorded: &str) {
    let mut output = output();
    output.write(io::stderr(), &escape::text(line));
    if let Some(report) = &mut output.record {
        report.stderr.extend([&escape::text(recorded), "\n"]);
    }
}

/// Prints a note about this run, which is no part of the report; each note once.
pub(super) fn note(message: &str) {
    let mut output = output();
    if output.notes.iter().all(|it| it != message) {
        output.write(io::stderr(), &format!("note: {}", escape::text(message)));
        output.notes.push(message.to_owned());
    }
}

/// Lines with these hashes were printed by the process that this one replaces.
pub(crate) fn expect_printed(hashes: &[u64]) {
    output().expected = hashes.to_vec();
}

/// Runs `f`, which gets hashes of all lines that were printed, while nobody else prints.
pub(crate) fn stop<T>(f: impl FnOnce(Vec<u64>) -> T) -> T {
    let output = output();
    let _ = io::stdout().flush();
    f(output.printed.clone())
}
