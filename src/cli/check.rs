//! `tsvd-check check`: the programs and tests of a package, or a single file.

use super::{
    Color, EntrySelection, FeatureOptions, OutputOptions, Selection, SourceOptions,
    finding_filter::FindingFilter,
    output::{note, say},
    printer::Printer,
    show,
};
use crate::{
    baseline::{self, Baseline, BaselineEntry},
    cache::Cache,
    finding_store::{self, RememberedFinding},
    format::{self, FORMATS, FormatSpec, Granularity, Style},
    time_limit, watchdog,
};
use analyzer::{
    Report,
    changes::Changes,
    check::{self as checks, Beyond, messages},
    config::WantedExploration,
    diagnostic::Diagnostic,
    escape,
    explore::{self, Effort},
    project::{self, CargoSelection, Features, InputPath, Project},
    report::{Message, MessageKind, Part},
    user_files::OutputFile,
};
use clap::{Args, Parser};
use interp::{run::Jitter, sched::Strategy};
use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

/// The options of a check alone.
#[derive(Parser)]
struct CheckParser {
    #[command(flatten)]
    check: Check,
}

#[derive(Args, Clone)]
pub(super) struct Check {
    /// Folders of packages, their `Cargo.toml`s, `rust-project.json`s, or `.rs` files that need only std.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) options: SourceOptions,
    /// Run exactly this many schedules of each entry that starts threads [default: 100; up to 400 for short entries
    /// without a finding, and more for calls from two threads; fewer for entries that reach nothing new].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// Set how much is explored: `low`, `normal`, `high` or `highest`, each four times the one before [default: normal].
    #[arg(long, value_name = "LEVEL", conflicts_with = "runs")]
    pub(super) effort: Option<Effort>,
    /// Use one strategy for all schedules, such as `pct-3` [default: rotate through all].
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,
    /// How late threads may wake after their deadlines [default: 2ms+10%].
    #[arg(long, value_name = "TIME+PERCENT%")]
    jitter: Option<Jitter>,
    #[command(flatten)]
    pub(super) selection: Selection,
    /// Check only tests whose name contains this.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["bin", "no_tests"])]
    pub(super) test: Option<String>,
    /// Skip tests.
    #[arg(long)]
    pub(super) no_tests: bool,
    /// Check only programs and tests: skip public functions, and functions that start threads.
    #[arg(long)]
    pub(super) no_api: bool,
    /// Also show findings that depend on unsupported code; they never change the exit status.
    #[arg(long)]
    possible: bool,
    /// Do not read or write cached reports.
    #[arg(long)]
    pub(super) no_cache: bool,
    #[command(flatten)]
    output: OutputOptions,
    /// Write a report into a file as well, such as `sarif=report.sarif`; can be given several times.
    #[arg(long = "output", value_name = "FORMAT=PATH", value_parser = OutputTarget::parse)]
    outputs: Vec<OutputTarget>,
    /// End with 0 also if there are findings.
    #[arg(long)]
    exit_zero: bool,
    /// Ignore findings that are in this file.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings into this file, for `--baseline`, and end with 0.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["since", "strict_baseline"])]
    write_baseline: Option<PathBuf>,
    /// End with 1 if findings of the baseline are gone.
    #[arg(long, requires = "baseline")]
    strict_baseline: bool,
    /// Report only findings that touch functions, fields or statics that have changed since this commit.
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    /// End with 1 if less than this percentage of the synchronisation sites was reached.
    #[arg(long, value_name = "PCT", value_parser = clap::value_parser!(u8).range(..=100))]
    require_reach: Option<u8>,
    /// Stop exploring after this many seconds; the report then depends on the machine and is not cached.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Packages and targets that the options of `cargo tsvd` select.
    #[arg(skip)]
    cargo: CargoSelection,
    /// Target platforms, if there are several.
    #[arg(skip)]
    targets: Vec<String>,
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
                let format = format.ok_or_else(|| format!("unknown format `{name}`; the formats are {}", names()))?;
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
        targets: Vec<String>,
    ) {
        self.paths = vec![path];
        self.cargo = cargo;
        self.no_tests |= no_tests;
        self.options.features = features;
        self.options.target = targets.first().cloned().or(self.options.target.take());
        self.targets = if targets.len() > 1 { targets } else { Vec::new() };
    }

    /// A check with default options that prints no findings.
    pub(super) fn silent(paths: Vec<PathBuf>) -> Check {
        // It has no required argument.
        let check = CheckParser::parse_from(["check", "--format", "json"]).check;
        Check { paths, ..check }
    }

    /// The same check for each of several platforms.
    fn for_each_target(&self) -> Vec<Check> {
        let of = |target: &String| {
            let options = SourceOptions { target: Some(target.clone()), ..self.options.clone() };
            Check { options, ..self.clone() }
        };
        if self.targets.is_empty() { vec![self.clone()] } else { self.targets.iter().map(of).collect() }
    }

    /// Prints findings like this, if it is said.
    pub(super) fn show_as(&mut self, format: Option<&'static FormatSpec>, color: Option<Color>) {
        self.output.format = format.unwrap_or(self.output.format);
        self.output.color = color.unwrap_or(self.output.color);
    }

    /// All options that affect the report.
    fn question(&self, is_further: bool) -> String {
        let Check {
            paths: _,
            options,
            runs,
            effort,
            strategy,
            jitter,
            selection,
            test,
            no_tests,
            no_api,
            possible: _,
            output: _,
            outputs: _,
            exit_zero: _,
            no_cache: _,
            baseline: _,
            write_baseline: _,
            strict_baseline: _,
            since: _,
            require_reach: _,
            time: _,
            cargo,
            targets: _,
        } = self;
        let SourceOptions { edition, target, seed, features, trust, memory: _, no_config } = options;
        format!(
            "{edition} {target:?} {seed:?} {features:?} {:?} {runs:?} {effort:?} {strategy:?} {jitter:?} {selection:?} {test:?} \
             {no_tests} {no_api} {no_config} {cargo:?} {is_further}",
            trust.trust(),
        )
    }

    fn wanted_exploration(&self) -> WantedExploration {
        let Check { runs, effort, strategy, jitter, .. } = *self;
        WantedExploration { seed: self.options.seed, runs, effort, strategy, jitter }
    }

    fn entries(&self) -> EntrySelection {
        let tests = !self.no_tests;
        EntrySelection { test: self.test.clone(), tests, api: !self.no_api, ..self.selection.entries() }
    }

    fn style(&self) -> Style {
        self.output.style(self.possible)
    }
}

/// The different paths that are checked.
fn different_paths(check: &Check) -> Vec<&Path> {
    let mut paths: Vec<&Path> = Vec::new();
    for path in &check.paths {
        let is_it = |known: &&Path| is_same(known, path);
        if !paths.iter().any(is_it) {
            paths.push(path);
        }
    }
    paths
}

/// Checks each path in order; prints messages and summaries, no findings.
pub(super) fn parts(check: &Check) -> Vec<Part> {
    let paths = different_paths(check);
    let several = paths.len() > 1;
    let part = |path: &&Path| {
        let part = checked(check, path, FindingFilter::default(), None).unwrap_or_default();
        part.error().filter(|_| several).iter().for_each(|error| say(&error.to_string()));
        part
    };
    paths.iter().map(part).collect()
}

/// Checks each path in order; returns the highest status.
pub(super) fn check(check: &Check) -> Result<u8, String> {
    let paths = different_paths(check);
    // What is missing is told before anything is checked.
    let file = |path: &PathBuf| OutputFile::at(path).map_err(|error| error.to_string());
    let files: Vec<OutputFile> = check.outputs.iter().map(|it| file(&it.path)).collect::<Result<_, _>>()?;
    let new_baseline = check.write_baseline.as_ref().map(file).transpose()?;
    let baseline = check.baseline.as_deref().map(Baseline::read).transpose()?;
    let since = |path: &&Path| check.since.as_ref().map(|revision| Changes::since(revision, path)).transpose();
    let changes: Vec<Option<Changes>> = paths.iter().map(since).collect::<Result<_, _>>()?;
    if let Some(seconds) = check.time {
        let limit = Duration::from_secs(seconds);
        time_limit::watch(limit).map_err(|error| format!("`--time` cannot be kept: {error}"))?;
    }
    // Everything that was found, and what counts of it.
    let (mut all, mut report) = (Report::default(), Report::default());
    let checks = check.for_each_target();
    let each = checks.iter().flat_map(|check| paths.iter().zip(&changes).map(move |(path, it)| (check, path, it)));
    for (check, path, changes) in each {
        if let (Some(target), [_, _, ..]) = (&check.options.target, checks.as_slice()) {
            say(&format!("platform `{target}`:"));
        }
        let filter = FindingFilter { baseline: baseline.as_ref(), changes: changes.as_ref() };
        let part = checked(check, path, filter, None).unwrap_or_default();
        match part.error().filter(|_| paths.len() * checks.len() > 1) {
            Some(error) if error.kind == MessageKind::NotFound => {
                say(&format!("note: {}: {}", escape::path(path), error.text));
            }
            Some(error) => say(&error.to_string()),
            None => {}
        }
        let further = with_more_features(check, path, filter, &part);
        for part in std::iter::once(part).chain(further) {
            report.parts.push(filter.part(&part));
            all.parts.push(part);
        }
    }
    if check.output.format.granularity == Granularity::Report {
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
            if let (Some(path), Some(file)) = (&check.write_baseline, &new_baseline) {
                let written = baseline::write(file, &all)?;
                note(&format!("{} in the baseline {}", format::count(written, "finding"), escape::path(path)));
                return Ok(0);
            }
            let is_stale = baseline.is_some_and(|it| tell_stale(check, &it, &all)) && check.strict_baseline;
            let is_reached = has_reach(check, &all);
            Ok(u8::from((report.has_errors() || is_stale) && !check.exit_zero || !is_reached))
        }
    }
}

/// Maximum number of stale entries of a baseline that are listed.
const MAX_STALE: usize = 20;

/// Tells which entries of the baseline have no finding any more, if everything was checked; returns whether there are any.
fn tell_stale(check: &Check, baseline: &Baseline, all: &Report) -> bool {
    if !check.entries().is_everything() || all.parts.iter().any(|part| part.error().is_some()) {
        return false;
    }
    let stale: Vec<String> = baseline.stale(all).map(BaselineEntry::line).collect();
    let path = escape::path(check.baseline.as_deref().unwrap_or(Path::new("")));
    if !stale.is_empty() {
        let entries = if stale.len() == 1 { "1 entry was".to_owned() } else { format!("{} entries were", stale.len()) };
        say(&format!("warning: {path}: {entries} not found any more; `--write-baseline {path}` removes what is gone:"));
        stale.iter().take(MAX_STALE).for_each(|line| say(&format!("    {line}")));
        if stale.len() > MAX_STALE {
            say(&format!("    and {} more", stale.len() - MAX_STALE));
        }
    }
    !stale.is_empty()
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

/// Checks what features add that are off by default, if the user chose none and selected nothing.
fn with_more_features(check: &Check, path: &Path, filter: FindingFilter<'_>, first: &Part) -> Vec<Part> {
    let is_chosen = check.options.features.features() != Features::default() || !check.entries().is_everything();
    let is_possible = !is_chosen && check.time.is_none() && first.error().is_none();
    let Some(all) = first.feature_sets.first().filter(|_| is_possible) else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    for features in &first.feature_sets {
        let names = FeatureOptions { features: features.clone(), all_features: false, no_default_features: false };
        let options = SourceOptions { features: names, ..check.options.clone() };
        let check = Check { options, ..check.clone() };
        let beyond = Beyond { part: first, features };
        parts.extend(checked(&check, path, filter, Some(beyond)));
        // The sets that follow are parts of this one.
        if !parts.is_empty() && (features.len() > 1 || features == all) {
            break;
        }
    }
    if parts.is_empty() {
        let features = format::named_features(all);
        note(&format!("not checked with {features}: the package refuses that, or needs packages that are missing"));
    }
    parts
}

/// Whether a package cannot be built with its features, or dependencies are missing.
fn is_refused(project: &Project) -> bool {
    !project.left_out().is_empty() || project.with_db(Project::refuses_features)
}

/// Checks a path, and prints the results as they arrive. `None` if it cannot be loaded with the features of a further
/// check.
fn checked(check: &Check, path: &Path, filter: FindingFilter<'_>, beyond: Option<Beyond<'_>>) -> Option<Part> {
    let mut remember = |report: &Report| remember(check, path, report);
    let mut printer = Printer::new(check.output, check.style(), filter, &mut remember);
    let cache = if check.no_cache { None } else { open_cache(check, path, beyond.is_some()) };
    match cache.as_ref().map(Cache::look_up) {
        Some(Ok(Some(part))) if beyond.is_some() && part.error().is_some() => return None,
        Some(Ok(Some(part))) => {
            printer.print(&part);
            return Some(part);
        }
        Some(Err(message)) => note(&message),
        _ => {}
    }
    // Earlier failures belong to another path.
    messages::failures();
    let selection = check.entries();
    let (cargo, has_tests) = (check.cargo.clone(), selection.has_tests());
    let project = match super::load_selected(path, &check.options, cargo, has_tests, !check.no_cache) {
        Ok(project) if beyond.is_some() && is_refused(&project) => {
            let refused = Message::error(MessageKind::NotLoaded, "the features are refused".to_owned());
            let inputs = project.looked_at().map(|it| it.into_iter().chain(project::downloads()).collect::<Vec<_>>());
            keep(cache, inputs, &Part::failed(&shown(path), refused));
            return None;
        }
        Ok(project) => project,
        Err(_) if beyond.is_some() => return None,
        Err(text) => return Some(Part::failed(&shown(path), Message::error(MessageKind::NotLoaded, text))),
    };
    let config = project.config();
    let (selection, explore) = (config.selection(selection), config.explore(check.wanted_exploration()));
    printer.expect_schedules(explore.runs.unwrap_or(explore::RUNS), check.runs);
    let options = checks::Options { path: shown(path), selection, explore, previous: None, beyond };
    let mut part = checks::check(&project, &options, &mut printer).parts.pop().unwrap_or_default();
    part.is_repeatable &= !watchdog::leaves_out_items();
    if part.is_repeatable {
        keep(cache, project.looked_at(), &part);
    }
    Some(part)
}

/// Keeps a part until one of the paths changes on which it depends, if these are known.
fn keep(cache: Option<Cache>, inputs: Option<Vec<InputPath>>, part: &Part) {
    if let (Some(cache), Some(inputs)) = (cache, inputs)
        && let Err(error) = cache.keep(&inputs, part.clone())
    {
        note(&format!("the report is not cached: {error}"));
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Results are only kept in a folder that only the user can write.
fn open_cache(check: &Check, path: &Path, is_further: bool) -> Option<Cache> {
    match Cache::open(path, &check.question(is_further)) {
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
        note(&format!("reports and findings are not cached: {error}"));
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
