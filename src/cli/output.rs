//! What is printed, and recorded as a report that may be given again.

use crate::cache::CachedReport;
use analyzer::escape;
use std::{
    io::Write as _,
    sync::{Mutex, PoisonError},
};

/// What is printed while a report is made that may be kept.
static RECORD: Mutex<Option<CachedReport>> = Mutex::new(None);

/// Begins or ends (`None`) a record; gives the last one.
pub(super) fn record(report: Option<CachedReport>) -> Option<CachedReport> {
    std::mem::replace(&mut RECORD.lock().unwrap_or_else(PoisonError::into_inner), report)
}

/// Prints a text, whatever stands in it.
pub(super) fn print(text: &str) {
    print_escaped(&escape::text(text));
}

/// Prints a text in which nothing has to be escaped.
pub(super) fn print_escaped(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
    if let Some(report) = RECORD.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        report.stdout.extend([text, "\n"]);
    }
}

/// Prints a line to standard error.
pub(super) fn say(line: &str) {
    say_now(line, line);
}

/// Prints a line to standard error that is another one when the report is given again.
pub(super) fn say_now(line: &str, again: &str) {
    let _ = writeln!(std::io::stderr(), "{}", escape::text(line));
    if let Some(report) = RECORD.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        report.stderr.extend([&escape::text(again), "\n"]);
    }
}

/// Prints a note about this run, which is no part of the report; each note once.
pub(super) fn note(message: &str) {
    static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner);
    if notes.iter().all(|it| it != message) {
        let _ = writeln!(std::io::stderr(), "note: {}", escape::text(message));
        notes.push(message.to_owned());
    }
}
