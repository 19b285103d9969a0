//! Prints what a harness did in a run as a test.

use super::entry_runner::EntryRunner;
use crate::{
    harness::test_source::{HarnessRun, snake_case},
    project::{EntryPoint, Project},
    witness::Witness,
};
use interp::sched::{Recorder, Replayer};

/// The program that runs a printed test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestRunner {
    /// `cargo test`.
    Cargo,
    /// `cargo miri test`: it takes other schedules and sees data races.
    Miri,
}

/// Other schedules; no errors that are no bugs of concurrency.
const MIRI_FLAGS: &str = "-Zmiri-many-seeds=0..256 -Zmiri-ignore-leaks -Zmiri-disable-stacked-borrows";

/// The calls of a witness's run as the source of a test. `finding` is the rule and the id.
///
/// # Errors
///
/// If the entry is no harness, or if a test of another crate cannot do what the harness did.
pub fn as_test(
    project: &Project,
    point: &EntryPoint,
    witness: &Witness,
    finding: Option<(&str, &str)>,
    runner: TestRunner,
) -> Result<String, String> {
    let no_test = |why: String| format!("{} cannot be printed as a test: {why}", point.path());
    if point.start.harness().is_none() {
        return Err(no_test("it is no harness; run the program or test itself".to_owned()));
    }
    let mut entry = EntryRunner::new(project, point);
    let mut recorder = Recorder::new(Replayer::new(witness.schedule.clone()));
    let outcome = entry.run(&witness.config(), &mut recorder);
    let run = HarnessRun { choices: &outcome.harness_choices, given: &outcome.given };
    let source = entry.test_source(run).map_err(no_test)?;
    let (rule, id) = finding.unwrap_or(("schedule", ""));
    let of = point.name.rsplit("::").next().unwrap_or_default();
    let of: String = of.chars().take_while(|it| it.is_ascii_alphanumeric() || *it == '_').collect();
    let name = format!("{}_in_{}", rule.replace('-', "_"), snake_case(&of));
    let what = if id.is_empty() { "a schedule".to_owned() } else { format!("{rule} {id}") };
    let command = match runner {
        TestRunner::Cargo => format!("//! cargo test --test {name}"),
        TestRunner::Miri => {
            format!("//! MIRIFLAGS=\"{MIRI_FLAGS}\" \\\n//!     cargo +nightly miri test --test {name}")
        }
    };
    let luck = match runner {
        TestRunner::Cargo => "The schedule is left to luck, and a data race need not show.",
        TestRunner::Miri => "Miri tries one schedule for each seed.",
    };
    Ok(format!(
        "//! The calls of {what}, found by tsvd-check. {luck}\n//!\n//! Save it as `tests/{name}.rs`, and run it by\n//!\n\
         {command}\n\n#[test]\nfn {name}() {{\n{}}}\n{}",
        source.body,
        source.items.trim_end()
    ))
}
