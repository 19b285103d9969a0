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

/// Prints a text for a person, with everything escaped.
pub(super) fn print(text: &str) {
    print_report(&escape::text(text));
}

/// Prints a text for a person that is already escaped.
pub(super) fn print_report(text: &str) {
    match is_in_ci() {
        true => print_escaped(&without_commands(text)),
        false => print_escaped(text),
    }
}

/// Prints a text that is already escaped, for a program that reads it.
pub(super) fn print_escaped(text: &str) {
    output().write(io::stdout(), text);
}

/// Whether a service that obeys commands in the output runs this: GitHub Actions or Azure Pipelines.
fn is_in_ci() -> bool {
    ["GITHUB_ACTIONS", "TF_BUILD"].iter().any(|name| std::env::var_os(name).is_some())
}

/// A text in which nothing is a command to the service: their first characters are escaped.
fn without_commands(text: &str) -> String {
    let harmless = |line: &str| {
        let line = line.replace("##[", r"\u{23}#[").replace("##vso[", r"\u{23}#vso[");
        // Both services ignore spaces before `::`.
        if line.trim_start().starts_with("::") { line.replacen(':', r"\u{3a}", 1) } else { line }
    };
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// A text for standard error, escaped.
fn aside(text: &str, is_in_ci: bool) -> String {
    let text = escape::text(text);
    if is_in_ci { without_commands(&text) } else { text.into_owned() }
}

/// Prints a line to standard error.
pub(crate) fn say(line: &str) {
    output().write(io::stderr(), &aside(line, is_in_ci()));
}

/// Prints a note about this run; each note once.
pub(super) fn note(message: &str) {
    let mut output = output();
    if output.notes.iter().all(|it| it != message) {
        output.write(io::stderr(), &aside(&format!("note: {message}"), is_in_ci()));
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

#[cfg(test)]
mod tests {
    use super::aside;

    #[test]
    fn no_line_is_a_command_to_a_service() {
        let text = "a::b\n \t::error::x\n::stop-commands::y\nz ##[error]u ###[v] ##vso[task.complete]w # #[x]";
        let shown = "a::b\n \t\\u{3a}:error::x\n\\u{3a}:stop-commands::y\n\
                     z \\u{23}#[error]u #\\u{23}#[v] \\u{23}#vso[task.complete]w # #[x]";
        assert_eq!((aside(text, true).as_str(), aside(text, false).as_str()), (shown, text));
    }
}
