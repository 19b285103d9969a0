//! Prints to both standard streams.

use analyzer::escape;
use rustc_hash::FxHasher;
use std::{
    hash::{Hash as _, Hasher as _},
    io::{self, Write},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What this process has printed.
struct Output {
    /// Notes, each of which is printed only once.
    notes: Vec<String>,
    /// Hashes of all lines, in order.
    printed: Vec<u64>,
    /// Hashes of lines that the replaced process has printed and this one must not repeat.
    expected: Vec<u64>,
}

static OUTPUT: Mutex<Output> = Mutex::new(Output { notes: Vec::new(), printed: Vec::new(), expected: Vec::new() });

fn output() -> MutexGuard<'static, Output> {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Output {
    /// Writes the lines of a text that the replaced process has not written.
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
                // A reader that is gone is not our failure.
                None => drop(writeln!(to, "{line}")),
            }
        }
    }
}

/// Prints a text, with everything escaped.
pub(super) fn print(text: &str) {
    print_escaped(&escape::text(text));
}

/// Prints a text that is already escaped.
pub(super) fn print_escaped(text: &str) {
    output().write(io::stdout(), text);
}

/// Prints a line to standard error.
pub(crate) fn say(line: &str) {
    output().write(io::stderr(), &escape::text(line));
}

/// Prints a note about this run; each note once.
pub(super) fn note(message: &str) {
    let mut output = output();
    if output.notes.iter().all(|it| it != message) {
        output.write(io::stderr(), &format!("note: {}", escape::text(message)));
        output.notes.push(message.to_owned());
    }
}

/// Sets the hashes of lines that the replaced process has printed.
pub(crate) fn expect_printed(hashes: &[u64]) {
    output().expected = hashes.to_vec();
}

/// Runs `f` with the hashes of all printed lines, while nobody else prints.
pub(crate) fn stop<T>(f: impl FnOnce(Vec<u64>) -> T) -> T {
    let output = output();
    let _ = io::stdout().flush();
    f(output.printed.clone())
}
