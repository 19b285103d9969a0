//! `tsvd-check replay`: shows one finding again from its schedule.

use super::{
    EntrySelection, FeatureOptions, OutputOptions, Selection, SourceOptions, TrustOptions, analysed, load,
    output::{note, print},
    say, say_all, show,
};
use crate::{
    finding_store::{self, RememberedFinding},
    format::{self, Style},
};
use analyzer::{
    Report,
    check::{
        self as checks, Progress,
        messages::{self, from_here},
        selection::{NO_MAIN, choices},
    },
    config::WantedExploration,
    diagnostic::Diagnostic,
    escape, explore,
    project::{EntryPoint, Features, Project},
    report::{Message, MessageLevel, PackageReport},
    witness::Witness,
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How a printed test is run.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TestKind {
    /// By `cargo test`.
    Std,
    /// By `cargo miri test`, which takes other schedules and sees data races.
    Miri,
}

/// What to replay.
#[derive(Args)]
pub(super) struct Replay {
    /// Id of the finding, as in its report; with `--schedule` the path.
    #[arg(required_unless_present = "schedule")]
    id: Option<String>,
    /// The program, if the finding is not remembered on this machine [default: the current folder].
    path: Option<PathBuf>,
    /// A schedule instead of an id, such as `0x3.1.0`: thread 0 at three points, then 1, then 0.
    #[arg(long)]
    schedule: Option<Witness>,
    /// Print the calls of a harness as a test, to be run as it is or under Miri.
    #[arg(long = "as", value_name = "KIND")]
    as_test: Option<TestKind>,
    #[command(flatten)]
    selection: Selection,
    /// Edition of a single file.
    #[arg(long, default_value = "2024", value_parser = super::EDITIONS)]
    edition: String,
    /// Target platform for which it was found.
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    #[command(flatten)]
    features: FeatureOptions,
    #[command(flatten)]
    trust: TrustOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// Shows the finding; status 1, or 0 if the program no longer has it or if its calls are printed as a test.
pub(super) fn replay(replay: &Replay) -> Result<u8, String> {
    if let Some(witness) = &replay.schedule {
        let path = replay.path.clone().or_else(|| replay.id.clone().map(PathBuf::from));
        return replay_schedule(replay, path, witness);
    }
    let id = replay.id.clone().unwrap_or_default().to_lowercase();
    if !finding_store::is_id(&id) {
        return Err(format!(
            "`{id}` is not an id of a finding: expected six hexadecimal digits, as a report shows them"
        ));
    }
    let remembered = finding_store::recall(&id).unwrap_or_else(|error| {
        note(&format!("saved findings are not used: {error}"));
        None
    });
    match remembered {
        Some(finding) => replay_remembered(replay, &id, &finding),
        None => search(replay, &id),
    }
}

impl Replay {
    /// Shows also what is only possible because its rule is on trial: it is asked for.
    fn show(&self, report: &Report) {
        show(report, self.output, &self.output.style(true));
    }

    /// Prints what the harness did as a test. `finding` is the rule and the id.
    fn print_test(
        &self,
        project: &Project,
        entry: &EntryPoint,
        witness: &Witness,
        finding: Option<(&str, &str)>,
    ) -> Result<u8, String> {
        let runs = match self.as_test {
            Some(TestKind::Miri) => explore::TestRunner::Miri,
            Some(TestKind::Std) | None => explore::TestRunner::Cargo,
        };
        print(&explore::as_test(project, entry, witness, finding, runs)?);
        Ok(0)
    }

    /// The options with which the finding was made.
    fn source_options(&self) -> SourceOptions {
        let (edition, target) = (self.edition.clone(), self.target.clone());
        SourceOptions {
            edition,
            target,
            seed: None,
            features: self.features.clone(),
            trust: self.trust,
            memory: None,
            no_config: false,
        }
    }
}

/// Whether an entry with this name is a test, an example or a harness: the name of a program is one word.
fn is_test(name: &str) -> bool {
    name.contains("::") || name.contains(' ')
}

fn replay_schedule(replay: &Replay, path: Option<PathBuf>, witness: &Witness) -> Result<u8, String> {
    let path = path.unwrap_or_else(|| ".".into());
    let project = load(&path, &replay.source_options(), false)?;
    analysed(&project, |project| {
        say_all(messages::syntax_errors(project));
        let binaries = replay.selection.entries().chosen(project, project.binaries())?;
        let binary = match binaries.as_slice() {
            [binary] => binary,
            [] => return Err(format!("nothing to replay: {NO_MAIN}")),
            several => return Err(format!("several programs here: choose one with {}", choices(several))),
        };
        say_all(messages::left_out(project));
        if replay.as_test.is_some() {
            return replay.print_test(project, binary, witness, None);
        }
        let replayed = explore::replay(project, binary, witness);
        if let Some((at, of)) = replayed.diverged_at {
            say(&format!("the program does not follow this schedule: it deviates at choice {} of {of}", at + 1));
        }
        if replayed.diagnostics.is_empty() {
            say("this schedule shows no bug");
        }
        let is_shown = !replayed.diagnostics.is_empty();
        replay.show(&checks::report_of(project, &path.to_string_lossy(), &binary.name, replayed.diagnostics));
        Ok(u8::from(is_shown))
    })
}

fn replay_remembered(replay: &Replay, id: &str, finding: &RememberedFinding) -> Result<u8, String> {
    let path = replay.path.clone().unwrap_or_else(|| from_here(&finding.path));
    let witness: Witness =
        finding.witness.parse().map_err(|error| format!("saved finding {id} is invalid: {error}"))?;
    let is_test = is_test(&finding.program);
    let Features { names, all, no_default } = finding.features.clone();
    let remembered = FeatureOptions { features: names, all_features: all, no_default_features: no_default };
    let is_asked = replay.features != FeatureOptions::default();
    let features = if is_asked { replay.features.clone() } else { remembered };
    // If build output was used then, it is used again.
    let trust = TrustOptions { untrusted: finding.untrusted && !replay.trust.trusted, ..replay.trust };
    let target = replay.target.clone().or_else(|| finding.target.clone());
    let project = load(
        &path,
        &SourceOptions {
            edition: finding.edition.clone(),
            target,
            seed: None,
            features,
            trust,
            memory: None,
            no_config: false,
        },
        is_test,
    )?;
    analysed(&project, |project| {
        say_all(messages::syntax_errors(project));
        let selection = EntrySelection {
            package: replay.selection.package.clone().or_else(|| finding.package.clone()),
            bin: Some(replay.selection.bin.clone().unwrap_or_else(|| finding.program.clone())),
            ..EntrySelection::default()
        };
        let entries = if is_test { project.entries() } else { project.binaries() };
        let entries = selection.chosen(project, entries)?;
        say_all(messages::left_out(project));
        if replay.as_test.is_some() {
            return replay.print_test(project, &entries[0], &witness, Some((&finding.rule, id)));
        }
        let replayed = explore::replay(project, &entries[0], &witness);
        let is_it = |it: &&Diagnostic| it.rule == finding.rule && it.cause == finding.cause;
        if let Some(diagnostic) = replayed.diagnostics.iter().find(is_it) {
            let path = path.to_string_lossy().into_owned();
            replay.show(&checks::report_of(project, &path, &entries[0].name, vec![diagnostic.clone()]));
            say(&format!("replayed {id} from its schedule: {witness}"));
            return Ok(1);
        }
        replay.show(&checks::report_of(project, &path.to_string_lossy(), &entries[0].name, Vec::new()));
        let changed = "the program has changed since it was found, or `tsvd-check` has";
        match replayed.diverged_at {
            Some((at, of)) => say(&format!(
                "{id} could not be replayed: {changed}; it deviates from the schedule at choice {} of {of}. Check it again",
                at + 1
            )),
            None => say(&format!("its schedule no longer shows {id}: {changed}. Check it again")),
        }
        Ok(0)
    })
}

/// Checks the program again to find the finding with this id.
fn search(replay: &Replay, id: &str) -> Result<u8, String> {
    let path = replay.path.clone().unwrap_or_else(|| PathBuf::from("."));
    say(&format!("{id} is not saved on this machine; checking {} to find it", escape::path(&path)));
    let project = load(&path, &replay.source_options(), true)?;
    let mut selection = replay.selection.entries();
    if selection.bin.as_deref().is_some_and(is_test) {
        selection.test = selection.bin.take();
    }
    let shown = path.to_string_lossy().into_owned();
    let (selection, explore) =
        (project.config().selection(selection), project.config().explore(WantedExploration::default()));
    let options = checks::Options { path: shown.clone(), selection, explore, previous: None, beyond: None };
    let mut search = Search { id, found: None };
    let report = checks::check(&project, &options, &mut search);
    if let Some(diagnostic) = search.found {
        let name = diagnostic.entry.as_ref().map_or_else(String::new, |entry| entry.name.clone());
        if let Some(witness) = diagnostic.witness.as_ref().filter(|_| replay.as_test.is_some()) {
            return analysed(&project, |project| {
                let entries = project.entries();
                let entry = entries.iter().find(|entry| Some(entry.entry_name()) == diagnostic.entry);
                let entry = entry.ok_or_else(|| format!("`{name}` is no longer there"))?;
                replay.print_test(project, entry, witness, Some((diagnostic.rule, id)))
            });
        }
        replay.show(&checks::report_of(&project, &shown, &name, vec![diagnostic]));
        return Ok(1);
    }
    match report.parts.first().and_then(|part| part.error()) {
        Some(error) => Err(error.text.clone()),
        None => Err(format!("no finding {id} here; an id is valid only for the same source and options")),
    }
}

/// Ends a check once the finding is found.
struct Search<'a> {
    id: &'a str,
    found: Option<Diagnostic>,
}

impl Progress for Search<'_> {
    fn is_cancelled(&self) -> bool {
        self.found.is_some()
    }

    fn message(&mut self, message: &Message) {
        if message.level != MessageLevel::Error {
            say(&message.to_string());
        }
    }

    fn explored(&mut self, _entry: usize, findings: &[Diagnostic]) {
        let mut findings = findings.iter();
        if self.found.is_none() {
            self.found = findings.find(|it| it.replay.as_deref() == Some(self.id)).cloned();
        }
    }

    fn package(&mut self, package: &PackageReport) {
        say(&format::summary(package, &Style::default(), None));
    }
}

#[cfg(test)]
mod tests {
    use super::is_test;

    #[test]
    fn names_of_programs_are_one_word() {
        for name in ["shop::tests::sells", "shop (example 3)", "shop::Till, from two threads"] {
            assert!(is_test(name), "{name}");
        }
        assert!(!is_test("shop-server"));
    }
}
