//! `tsvd-check check`: the programs and tests of a package, or a single file.

use super::{
    NO_MAIN, OutputOptions, Selection, SourceOptions, chosen, failures,
    output::{self, note, record, say, say_and_record},
    progress, say_left_out, say_no_programs, say_stopped, say_syntax_errors, show,
};
use crate::{
    cache::{Cache, CachedReport},
    finding_store::{self, RememberedFinding},
    format::{self, SummaryDetails},
    watchdog,
};
use analyzer::{
    diagnostic::Diagnostic,
    explore::{self, Options, Total},
    guard,
    project::{EntryKind, EntryPoint, InputPath, Project},
    suppress::Allowed,
};
use clap::Args;
use interp::sched::Strategy;
use std::{
    io::{ErrorKind, IsTerminal as _},
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(Args)]
pub(super) struct Check {
    /// Packages' folders, their `Cargo.toml`s, `rust-project.json`s, or `.rs` files that need std only.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    options: SourceOptions,
    /// How many schedules to try of each program, test and public function that starts threads [default: 100, and up to 400
    /// of a short one in which nothing was found].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// The strategy of all schedules, such as `pct-3`; several take turns if it is not given.
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,
    #[command(flatten)]
    selection: Selection,
    /// Only tests whose name has this in it, and no programs.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["bin", "no_tests"])]
    test: Option<String>,
    /// No tests, only programs and public functions.
    #[arg(long)]
    no_tests: bool,
    /// Neither the public functions of libraries nor functions that start threads, only programs and tests.
    #[arg(long)]
    no_api: bool,
    /// Show also what rests on something that was not understood; it never counts for the exit status.
    #[arg(long)]
    possible: bool,
    /// Neither look for a result of before nor keep this one.
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    output: OutputOptions,
}

impl Check {
    /// All options that make a difference to the report.
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
            possible,
            output,
            no_cache: _,
        } = self;
        let SourceOptions { edition, target, seed, features, trust, memory: _ } = options;
        let style = (output.format, output.color.is_styled());
        format!(
            "{edition} {target:?} {seed} {features:?} {:?} {runs:?} {strategy:?} {selection:?} {test:?} {no_tests} {no_api} {possible} {style:?}",
            trust.trust(),
        )
    }

    /// Programs of that name are no tests.
    fn has_tests(&self) -> bool {
        !self.no_tests && self.selection.bin.is_none()
    }

    /// What nobody calls is no program and no test.
    fn has_harnesses(&self) -> bool {
        !self.no_api && self.selection.bin.is_none() && self.test.is_none()
    }

    fn is_everything(&self) -> bool {
        self.selection.is_everything() && self.has_tests() && self.has_harnesses() && self.test.is_none()
    }

    /// Where to start, the entries of a package together.
    fn entries(&self, project: &Project) -> Result<Vec<EntryPoint>, String> {
        let mut entries = match self.test {
            Some(_) => Vec::new(),
            None => project.binaries(),
        };
        let programs = entries.len();
        if self.has_tests() {
            let tests = project.tests().into_iter().filter(|test| !test.is_ignored).map(|test| test.entry);
            entries.extend(tests.filter(|test| self.test.as_ref().is_none_or(|text| test.name.contains(text))));
        }
        if entries.is_empty()
            && let Some(text) = &self.test
        {
            return Err(format!("there is no test with `{text}` in its name"));
        }
        if programs > 0 || !self.selection.is_everything() {
            entries = chosen(project, entries, &self.selection)?;
        }
        if self.has_harnesses() {
            let is_selected =
                |it: &EntryPoint| self.selection.package.is_none() || it.package == self.selection.package;
            entries.extend(project.harnesses().into_iter().filter(is_selected));
        }
        let mut packages: Vec<Option<String>> = Vec::new();
        for entry in &entries {
            if !packages.contains(&entry.package) {
                packages.push(entry.package.clone());
            }
        }
        entries.sort_by_key(|entry| packages.iter().position(|it| *it == entry.package));
        Ok(entries)
    }
}

/// Why something was not checked.
enum CheckError {
    /// What was asked for by name is not there; of several paths it may be at another one.
    NotHere(String),
    /// It could not be loaded.
    NotLoaded(String),
}

/// Checks what is at each path, one after the other; gives the worst status.
pub(super) fn check(check: &Check) -> Result<u8, String> {
    let mut paths: Vec<&Path> = Vec::new();
    for path in &check.paths {
        let is_it = |known: &&Path| is_same(known, path);
        if !paths.iter().any(is_it) {
            paths.push(path);
        }
    }
    let mut worst = None;
    for path in &paths {
        let status = match checked(check, path) {
            Ok(status) => Some(status),
            Err(CheckError::NotHere(message) | CheckError::NotLoaded(message)) if paths.len() == 1 => {
                return Err(message);
            }
            Err(CheckError::NotHere(message)) => {
                say(&format!("note: {}: {message}", path.display()));
                None
            }
            Err(CheckError::NotLoaded(message)) => {
                say(&format!("error: {message}"));
                Some(2)
            }
        };
        worst = worst.max(status);
    }
    worst.ok_or_else(|| "nothing of what was asked for is at any of these paths".to_owned())
}

/// Whether two paths lead to one file or folder.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    one == other || real(one).is_some_and(|it| real(other) == Some(it))
}

fn checked(check: &Check, path: &Path) -> Result<u8, CheckError> {
    let cache = if check.no_cache { None } else { open_cache(check, path) };
    match cache.as_ref().map(Cache::look_up) {
        Some(Ok(Some(report))) => {
            output::print_again(&report);
            return Ok(report.status);
        }
        Some(Err(message)) => note(&message),
        _ => {}
    }
    record(cache.is_some().then(CachedReport::default));
    let anew = check_anew(check, path);
    let report = record(None);
    let (status, looked_at) = anew?;
    if let (Some(cache), Some(report), Some(looked_at)) = (cache, report, looked_at)
        && let Err(error) = cache.keep(&looked_at, CachedReport { status, ..report })
    {
        note(&format!("the result is not kept: {error}"));
    }
    Ok(status)
}

/// Without a place that is the user's alone nothing is kept.
fn open_cache(check: &Check, path: &Path) -> Option<Cache> {
    match Cache::open(path, &check.question()) {
        Ok(cache) => cache,
        Err(error) => {
            note_unusable(&error);
            None
        }
    }
}

/// Says why nothing is kept. A user without a cache folder knows.
fn note_unusable(error: &std::io::Error) {
    if error.kind() != ErrorKind::NotFound {
        note(&format!("nothing is kept for later: {error}"));
    }
}

/// Gives the exit status and, if that is known, every path that it depends on.
fn check_anew(check: &Check, path: &Path) -> Result<(u8, Option<Vec<InputPath>>), CheckError> {
    let failures = guard::failures();
    guard::take_panics();
    let project = super::load(path, &check.options, check.has_tests()).map_err(CheckError::NotLoaded)?;
    let options =
        Options { seed: check.options.seed, runs: check.runs, strategy: check.strategy, ..Options::default() };
    let checked = guard::unwinding(|| {
        project.with_db(|project| {
            let incomplete = say_syntax_errors(project) || project.is_incomplete();
            let entries = check.entries(project).map_err(CheckError::NotHere)?;
            // A file alone without `main` is a library.
            if !entries.iter().any(|it| it.package.is_none() && it.kind == EntryKind::Api) {
                say_no_programs(project);
            }
            if entries.is_empty() && !project.broken().is_empty() {
                return Err(CheckError::NotLoaded("nothing was analysed".to_owned()));
            }
            if entries.is_empty() {
                let what = match (check.has_tests(), check.has_harnesses()) {
                    (true, true) => "there is no program with a `main` here, no test, and nothing that others can call",
                    (true, false) => "there is no program with a `main` here, and no test",
                    (false, _) => NO_MAIN,
                };
                say(&format!("nothing was analysed: {what}"));
            }
            if check.has_harnesses() {
                for (library, count) in project.api_left_out() {
                    say(&format!("{library}: {count} public types and functions are not called: there are too many"));
                }
            }
            let mut allowed = Allowed::of(project);
            for (place, wrong) in &allowed.warnings {
                say(&format!("{}: warning: {wrong}", format::place(place)));
            }
            let bar = progress::Bar::of_schedules(check.runs.unwrap_or(explore::RUNS), entries.len());
            let mut found = 0;
            let mut done = 0;
            for package in entries.chunk_by(|one, two| one.package == two.package) {
                let (mut total, began) = (Total::default(), Instant::now());
                let (later, first): (Vec<EntryPoint>, Vec<EntryPoint>) =
                    package.iter().cloned().partition(|entry| entry.kind == EntryKind::Middle);
                let mut explore = |entries: &[EntryPoint], total: &mut Total, done: usize| {
                    let at = |index: usize, runs: u32| bar.at(done + index, runs, &entries[index].name);
                    explore::explore_all(project, entries, &options, &at, &mut |index, explored| {
                        let entry = &entries[index];
                        bar.finished(done + index);
                        let new = total.add(project, entry, explored, |it| allowed.covers(it));
                        let possible = new.possible.iter().filter(|_| check.possible);
                        bar.aside(|| {
                            for diagnostic in new.diagnostics.iter().chain(possible) {
                                show(project, diagnostic, check.output);
                            }
                        });
                        remember(check, path, entry, &new.diagnostics);
                        found += new.diagnostics.len();
                        if !new.diagnostics.is_empty() {
                            watchdog::note_finding();
                        }
                    });
                };
                explore(&first, &mut total, done);
                let needed: Vec<EntryPoint> = later.into_iter().filter(|it| total.needs(project, it)).collect();
                explore(&needed, &mut total, done + first.len());
                done += package.len();
                // The time is no part of what one input gives.
                let took = std::io::stderr().is_terminal().then(|| began.elapsed());
                if let Some(last) = first.last().or(needed.last()) {
                    let (name, sites) = (group_name(last, &total), total.sites(project));
                    let text = |took| {
                        let details = SummaryDetails { possible: check.possible, incomplete, took };
                        format::summary(&name, &total, &sites, &details)
                    };
                    bar.aside(|| say_and_record(&text(took), &text(None)));
                }
            }
            bar.finish();
            // Another program may need those of what they share.
            if !entries.is_empty() && check.is_everything() {
                say_unused(&allowed);
            }
            say_left_out(project);
            let is_out_of_memory = say_stopped(project);
            let failures = guard::failures() - failures;
            failures::say(failures);
            // What is not there now may come from anywhere. A failure may have had any reason.
            let is_kept =
                project.left_out().is_empty() && failures == 0 && !is_out_of_memory && !watchdog::leaves_out_items();
            Ok((u8::from(found > 0), is_kept.then(|| project.looked_at())))
        })
    });
    checked.unwrap_or_else(|_| Err(CheckError::NotLoaded(guard::internal_failure())))
}

/// What the last of some entries and those before it belong to.
fn group_name(last: &EntryPoint, total: &Total) -> String {
    match &last.package {
        Some(package) if total.entries() > 1 => package.clone(),
        None if total.entries() > 1 => last.name.split("::").next().unwrap_or_default().to_owned(),
        // Of several a library might have, it is said of all together.
        Some(package) if last.is_harness() => package.clone(),
        _ if last.is_harness() => last.name.split("::").next().unwrap_or_default().to_owned(),
        _ => last.name.clone(),
    }
}

/// So that `replay` can show them again.
fn remember(check: &Check, path: &Path, entry: &EntryPoint, diagnostics: &[Diagnostic]) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let finding = |diagnostic: &Diagnostic| {
        let finding = RememberedFinding {
            path: path.clone(),
            edition: check.options.edition.clone(),
            features: check.options.features.features(),
            target: check.options.target.clone(),
            untrusted: check.options.trust.untrusted,
            program: entry.name.clone(),
            package: entry.package.clone(),
            rule: diagnostic.rule.to_owned(),
            cause: diagnostic.cause.clone(),
            witness: diagnostic.witness.as_ref()?.to_string(),
        };
        Some((diagnostic.replay.clone()?, finding))
    };
    let findings: Vec<_> = diagnostics.iter().filter_map(finding).collect();
    // Without a cache folder `replay` checks the program anew.
    if !findings.is_empty()
        && let Err(error) = finding_store::remember(&findings)
    {
        note_unusable(&error);
    }
}

/// Comments that allowed nothing. No warning: the next schedules may show what they are for.
fn say_unused(allowed: &Allowed) {
    for (place, rule) in allowed.unused() {
        say(&format!("{}: note: `allow({rule})` was not needed: no such finding at this line", format::place(place)));
    }
}
