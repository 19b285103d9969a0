//! `tsvd-check check`: the programs and tests of a package, or a single file.

use super::{
    Color, EntrySelection, FeatureOptions, OutputOptions, Selection, SourceOptions,
    output::{note, say},
    printer::Printer,
    show,
};
use crate::{
    cache::Cache,
    finding_store::{self, RememberedFinding},
    format::{self, FORMATS, FormatSpec, Style, Unit},
    time_limit, watchdog,
};
use analyzer::{
    Report,
    check::{self as checks, messages},
    diagnostic::Diagnostic,
    explore,
    project::CargoSelection,
    report::{Message, MessageKind, Part},
    user_files::OutputFile,
};
use clap::Args;
use interp::sched::Strategy;
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

#[derive(Args)]
pub(super) struct Check {
    /// Folders of packages, their `Cargo.toml`s, `rust-project.json`s, or `.rs` files that need only std.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    options: SourceOptions,
    /// Number of schedules for each program, test and public function that starts threads [default: 100, and up to 400
    /// for a short one in which nothing was found].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// The strategy of all schedules, such as `pct-3`; by default they rotate.
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,
    #[command(flatten)]
    selection: Selection,
    /// Only tests whose name contains this, and no programs.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["bin", "no_tests"])]
    test: Option<String>,
    /// No tests, only programs and public functions.
    #[arg(long)]
    no_tests: bool,
    /// Neither public functions of libraries nor functions that start threads, only programs and tests.
    #[arg(long)]
    no_api: bool,
    /// Also show findings that depend on code that was not understood; they never change the exit status.
    #[arg(long)]
    possible: bool,
    /// Neither use nor keep results.
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    output: OutputOptions,
    /// Write a report into a file as well, such as `sarif=report.sarif`; can be given several times.
    #[arg(long = "output", value_name = "FORMAT=PATH", value_parser = OutputTarget::parse)]
    outputs: Vec<OutputTarget>,
    /// End with 0 also if there are findings.
    #[arg(long)]
    exit_zero: bool,
    /// End with 1 if less than this percentage of the synchronisation sites was reached.
    #[arg(long, value_name = "PCT", value_parser = clap::value_parser!(u8).range(..=100))]
    require_reach: Option<u8>,
    /// Start no further schedule after this many seconds; the result then depends on the machine and is not kept.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Packages and targets that the options of `cargo tsvd` select.
    #[arg(skip)]
    cargo: CargoSelection,
}

/// A file for a report.
#[derive(Clone)]
struct OutputTarget {
    format: &'static FormatSpec,
    path: PathBuf,
}

impl OutputTarget {
    fn parse(text: &str) -> Result<OutputTarget, String> {
        let names = || FORMATS.iter().map(|it| it.name).collect::<Vec<_>>().join(", ");
        match text.split_once('=') {
            Some((_, "")) | None => Err(format!("write FORMAT=PATH, with one of the formats {}", names())),
            Some((name, path)) => {
                let format = format::format(name);
                let format = format.ok_or_else(|| format!("there is no format `{name}`; there are {}", names()))?;
                Ok(OutputTarget { format, path: PathBuf::from(path) })
            }
        }
    }
}

impl Check {
    /// Checks what cargo's options select; `no_tests` if they select no tests.
    pub(super) fn select(
        &mut self,
        path: PathBuf,
        cargo: CargoSelection,
        no_tests: bool,
        features: FeatureOptions,
        target: Option<String>,
    ) {
        self.paths = vec![path];
        self.cargo = cargo;
        self.no_tests |= no_tests;
        self.options.features = features;
        self.options.target = target.or(self.options.target.take());
    }

    /// Prints findings like this, if it is said.
    pub(super) fn show_as(&mut self, format: Option<&'static FormatSpec>, color: Option<Color>) {
        self.output.format = format.unwrap_or(self.output.format);
        self.output.color = color.unwrap_or(self.output.color);
    }

    /// All options that affect the report.
    fn question(&self) -> String {
        let Check {
            paths: _,
            options,
            runs,
            strategy,
            selection,
            test,
            no_tests,
            no_api,
            possible: _,
            output: _,
            outputs: _,
            exit_zero: _,
            no_cache: _,
            require_reach: _,
            time: _,
            cargo,
        } = self;
        let SourceOptions { edition, target, seed, features, trust, memory: _ } = options;
        format!(
            "{edition} {target:?} {seed} {features:?} {:?} {runs:?} {strategy:?} {selection:?} {test:?} {no_tests} {no_api} {cargo:?}",
            trust.trust(),
        )
    }

    fn entries(&self) -> EntrySelection {
        let tests = !self.no_tests;
        EntrySelection { test: self.test.clone(), tests, api: !self.no_api, ..self.selection.entries() }
    }

    fn style(&self) -> Style {
        self.output.style(self.possible)
    }
}

/// Checks each path in order; returns the highest status.
pub(super) fn check(check: &Check) -> Result<u8, String> {
    let mut paths: Vec<&Path> = Vec::new();
    for path in &check.paths {
        let is_it = |known: &&Path| is_same(known, path);
        if !paths.iter().any(is_it) {
            paths.push(path);
        }
    }
    // A folder that is missing is told before anything is checked.
    let files: Vec<OutputFile> = check
        .outputs
        .iter()
        .map(|it| OutputFile::at(&it.path))
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    if let Some(seconds) = check.time {
        let limit = Duration::from_secs(seconds);
        time_limit::watch(limit).map_err(|error| format!("`--time` cannot be kept: {error}"))?;
    }
    let mut report = Report::default();
    for path in &paths {
        let part = checked(check, path);
        match part.error().filter(|_| paths.len() > 1) {
            Some(error) if error.kind == MessageKind::NotFound => {
                say(&format!("note: {}: {}", path.display(), error.text));
            }
            Some(error) => say(&error.to_string()),
            None => {}
        }
        report.parts.push(part);
    }
    if check.output.format.unit == Unit::Report {
        show(&report, check.output, &check.style());
    }
    let style = Style { is_styled: false, ..check.style() };
    for (target, file) in check.outputs.iter().zip(&files) {
        let text = (target.format.render)(&report, &style);
        file.write(text.as_bytes()).map_err(|error| error.to_string())?;
    }
    let has_kind = |part: &Part, kind| part.error().is_some_and(|error| error.kind == kind);
    match report.parts.as_slice() {
        [part] if let Some(error) = part.error() => Err(error.text.clone()),
        // What was selected by name may exist at another path.
        parts if parts.iter().all(|part| has_kind(part, MessageKind::NotFound)) => {
            Err("nothing that was selected is at any of these paths".to_owned())
        }
        parts if parts.iter().any(|it| it.error().is_some() && !has_kind(it, MessageKind::NotFound)) => Ok(2),
        _ => {
            let is_reached = has_reach(check, &report);
            Ok(u8::from(report.has_findings() && !check.exit_zero || !is_reached))
        }
    }
}

/// Whether as much was reached as `--require-reach` asks for; says so if not. Without any site nothing is missed.
fn has_reach(check: &Check, report: &Report) -> bool {
    let Some(wanted) = check.require_reach else { return true };
    let (reached, existing) = report.reach();
    let has_it = reached * 100 >= existing * usize::from(wanted);
    if !has_it {
        let share = reached * 100 / existing.max(1);
        say(&format!(
            "error: reached {reached} of {existing} synchronisation sites ({share} %), and `--require-reach` asks for \
             {wanted} %"
        ));
    }
    has_it
}

/// Whether two paths refer to the same file or folder.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    one == other || real(one).is_some_and(|it| real(other) == Some(it))
}

/// Checks a path, and prints the results as they arrive.
fn checked(check: &Check, path: &Path) -> Part {
    let mut remember = |report: &Report| remember(check, path, report);
    let schedules = check.runs.unwrap_or(explore::RUNS);
    let mut printer = Printer::new(check.output, check.style(), schedules, &mut remember);
    let cache = if check.no_cache { None } else { open_cache(check, path) };
    match cache.as_ref().map(Cache::look_up) {
        Some(Ok(Some(part))) => {
            printer.print(&part);
            return part;
        }
        Some(Err(message)) => note(&message),
        _ => {}
    }
    // Earlier failures belong to another path.
    messages::failures();
    let selection = check.entries();
    let project = match super::load_selected(path, &check.options, check.cargo.clone(), selection.has_tests()) {
        Ok(project) => project,
        Err(text) => return Part::failed(&shown(path), Message::error(MessageKind::NotLoaded, text)),
    };
    let explore = explore::Options {
        seed: check.options.seed,
        runs: check.runs,
        strategy: check.strategy,
        ..explore::Options::default()
    };
    let options = checks::Options { path: shown(path), selection, explore, previous: None };
    let mut part = checks::check(&project, &options, &mut printer).parts.pop().unwrap_or_default();
    part.is_repeatable &= !watchdog::leaves_out_items();
    if part.is_repeatable
        && let Some(cache) = cache
        && let Err(error) = cache.keep(&project.looked_at(), part.clone())
    {
        note(&format!("the result is not kept: {error}"));
    }
    part
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Results are only kept in a folder that only the user can write.
fn open_cache(check: &Check, path: &Path) -> Option<Cache> {
    match Cache::open(path, &check.question()) {
        Ok(cache) => cache,
        Err(error) => {
            note_unusable(&error);
            None
        }
    }
}

/// Notes why nothing is kept, unless the user has no cache folder.
fn note_unusable(error: &std::io::Error) {
    if error.kind() != ErrorKind::NotFound {
        note(&format!("nothing is kept for later: {error}"));
    }
}

/// The manifest of a package that was selected by more than the path.
fn package_path(check: &Check, report: &Report, name: Option<&str>) -> Option<PathBuf> {
    if check.cargo == CargoSelection::default() {
        return None;
    }
    let mut packages = report.parts.iter().filter_map(|it| it.workspace.as_ref()).flat_map(|it| &it.packages);
    packages.find(|it| Some(it.name.as_str()) == name).map(|it| it.manifest.clone())
}

/// Remembers findings, so that `replay` can show them again.
fn remember(check: &Check, path: &Path, report: &Report) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let finding = |diagnostic: &Diagnostic| {
        let entry = diagnostic.entry.clone()?;
        let finding = RememberedFinding {
            path: package_path(check, report, entry.package.as_deref()).unwrap_or_else(|| path.clone()),
            edition: check.options.edition.clone(),
            features: check.options.features.features(),
            target: check.options.target.clone(),
            untrusted: check.options.trust.untrusted,
            program: entry.name,
            package: entry.package,
            rule: diagnostic.rule.to_owned(),
            cause: diagnostic.cause.clone(),
            witness: diagnostic.witness.as_ref()?.to_string(),
        };
        Some((diagnostic.replay.clone()?, finding))
    };
    let findings: Vec<_> = report.findings().filter_map(finding).collect();
    // Without a cache folder `replay` checks the program again.
    if !findings.is_empty()
        && let Err(error) = finding_store::remember(&findings)
    {
        note_unusable(&error);
    }
}
