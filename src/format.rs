//! Output formats, one file each, and the text of a summary.

use analyzer::{
    Report,
    diagnostic::Diagnostic,
    harness::Skipped,
    outcome::{Uninterpreted, UnknownReason},
    project::Location,
    report::{BoundReached, EntryCounts, PackageReport, PairCounts, Part},
    sites::SiteCount,
    std_models::sites::SiteKind,
};
use lsp::Renderers;
use std::time::Duration;

mod cargo_json;
mod full;
mod github;
mod gitlab;
mod html;
mod json;
mod junit;
mod markdown;
pub(crate) mod reach;
mod sarif;
pub mod short;
mod texts;

/// An output format.
pub struct FormatSpec {
    /// Its name for `--format`.
    pub name: &'static str,
    /// Its line in `--help`.
    pub summary: &'static str,
    /// When it is printed.
    pub granularity: Granularity,
    /// Who reads it.
    pub reader: Reader,
    /// Turns a report into whole lines that are safe for a terminal: everything from the checked program is escaped.
    pub render: fn(&Report, &Style) -> String,
}

/// When a format is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Granularity {
    /// For each finding, as soon as it is known: the text of a report is the concatenation of its findings' texts.
    Finding,
    /// Once, at the end.
    Report,
}

/// Who reads a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// A person, also if it is kept in a file first.
    Person,
    /// A CI system or an editor: nobody watches the check.
    Tool,
}

/// How a report is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Whether to use a terminal's colours.
    pub is_styled: bool,
    /// Whether to show findings that are only possible.
    pub shows_possible: bool,
    /// Whether it is an editor's view of one finding: the finding is the heading, and locations carry what an editor
    /// needs to open them, paths on this machine.
    pub is_view: bool,
}

/// All formats; the first one is the default.
pub const FORMATS: &[FormatSpec] = &[
    full::FORMAT,
    short::FORMAT,
    json::FORMAT,
    cargo_json::FORMAT,
    sarif::FORMAT,
    github::FORMAT,
    gitlab::FORMAT,
    junit::FORMAT,
    markdown::FORMAT,
    html::FORMAT,
];

/// An editor's view of one finding.
const VIEW: Style = Style { is_styled: false, shows_possible: false, is_view: true };

/// Renderers of the language server.
pub const RENDERERS: Renderers = Renderers {
    hover: markdown::hover,
    markdown: |report| (markdown::FORMAT.render)(report, &VIEW),
    html: |report| (html::FORMAT.render)(report, &VIEW),
};

/// The format with this name.
pub fn format(name: &str) -> Option<&'static FormatSpec> {
    FORMATS.iter().find(|it| it.name == name)
}

/// The findings of a part that are shown.
fn shown<'a>(part: &'a Part, style: &Style) -> impl Iterator<Item = &'a Diagnostic> {
    let shows_possible = style.shows_possible;
    part.findings().filter(move |it| shows_possible || it.counts())
}

/// File names, as short as is unambiguous within one finding.
pub(crate) struct BaseNames {
    paths: Vec<String>,
}

/// The file names of a finding.
pub(crate) fn base_names(diagnostic: &Diagnostic) -> BaseNames {
    let sites = diagnostic.others.iter().map(|site| &site.location).chain([&diagnostic.primary]);
    let steps = diagnostic.steps.iter().filter_map(|step| step.location.as_ref());
    let threads = diagnostic.threads.iter();
    let frames = threads.flat_map(|thread| thread.frames.iter().map(|frame| &frame.location).chain(&thread.started));
    let mut paths: Vec<String> = sites.chain(steps).chain(frames).map(|location| location.path.clone()).collect();
    paths.sort();
    paths.dedup();
    BaseNames { paths }
}

impl BaseNames {
    /// `file.rs:12`; with folders if the name alone is ambiguous.
    pub(crate) fn line(&self, location: &Location) -> String {
        let parts: Vec<&str> = location.path.split('/').collect();
        let mut shown = location.path.as_str();
        for from in (0..parts.len()).rev() {
            let start = parts[..from].iter().map(|part| part.len() + 1).sum::<usize>();
            let end = &location.path[start..];
            let is_it =
                |path: &&String| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            if self.paths.iter().filter(is_it).count() <= 1 {
                shown = end;
                break;
            }
        }
        format!("{shown}:{}", location.line)
    }
}

/// `uninterpreted: N (first: path:line:col cause)`.
pub(crate) fn uninterpreted(it: &Uninterpreted) -> String {
    let first = it.causes.first();
    let at = first.and_then(|first| first.locations.first()?.as_ref());
    let at = at.map_or_else(String::new, |it| format!("{it} "));
    format!("uninterpreted: {} (first: {at}{})", it.count, first.map_or("", |first| &first.text))
}

/// The causes of uninterpreted values, those with the most locations first, each with one location.
fn causes(it: &Uninterpreted) -> Vec<String> {
    let mut causes: Vec<_> = it.causes.iter().collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.locations.len()));
    let line = |cause: &&UnknownReason| {
        let example = cause.locations.iter().flatten().next();
        let others = cause.locations.len() - 1;
        match (example, others) {
            (None, _) => cause.text.clone(),
            (Some(example), 0) => format!("{} ({example})", cause.text),
            (Some(example), _) => format!("{} ({example} and {})", cause.text, count(others, "more location")),
        }
    };
    let mut lines: Vec<String> = causes.iter().take(MAX_CAUSES).map(line).collect();
    if causes.len() > MAX_CAUSES {
        lines.push(count(causes.len() - MAX_CAUSES, "more cause"));
    }
    let head = "uninterpreted: ";
    for (index, line) in lines.iter_mut().enumerate() {
        line.insert_str(0, if index == 0 { head } else { "               " });
    }
    lines
}

/// Maximum number of causes that are shown.
const MAX_CAUSES: usize = 3;

/// Names of features, as few as fit in a line.
pub(crate) fn named_features(features: &[String]) -> String {
    const MOST: usize = 4;
    let names: Vec<String> = features.iter().take(MOST).map(|it| format!("`{}`", analyzer::escape::line(it))).collect();
    let more = features.len().saturating_sub(MOST);
    let names = names.join(", ");
    match (features, more) {
        ([_], _) => format!("feature {names}"),
        (_, 0) => format!("features {names}"),
        _ => format!("features {names} and {more} more"),
    }
}

/// What was explored, in at least two lines: it shows how much a result without findings is worth. `took` is the
/// elapsed time, if it is to be printed.
pub fn summary(package: &PackageReport, style: &Style, took: Option<Duration>) -> String {
    let PackageReport { name, summary, .. } = package;
    let bugs = match summary.bugs {
        0 => "no bug found".to_owned(),
        n => count(n, "bug"),
    };
    let schedules = count(summary.schedules as usize, "schedule");
    let took = took.map_or_else(String::new, |took| format!(", {:.1} s", took.as_secs_f64()));
    let ran = entries(&summary.entries);
    let with = match summary.features.as_slice() {
        [] => String::new(),
        features => format!(" with {}", named_features(features)),
    };
    // A further check counts no sites: they are those of the whole package.
    let is_further = !summary.features.is_empty() && summary.sites.is_empty();
    let sites = if is_further { "only what this adds was explored".to_owned() } else { sites(&summary.sites) };
    let mut lines = vec![format!("{name}{with}: {bugs}. {ran}, {schedules}{took}"), sites];
    if !is_further
        && summary.bounds.is_empty()
        && summary.not_called.is_empty()
        && summary.uninterpreted.is_none()
        && summary.curtailed == 0
        && summary.promising == 0
        && summary.out_of_time == 0
        && !summary.is_incomplete
    {
        lines[1].push_str("; nothing left out");
    }
    lines.extend(ends(&summary.bounds, &schedules));
    if summary.allowed > 0 {
        lines.push(format!("{} allowed by comments", count(summary.allowed, "finding")));
    }
    if summary.left_out > 0 {
        lines.push(format!("{} excluded by the configuration", count(summary.left_out, "finding")));
    }
    if summary.in_baseline > 0 {
        lines.push(format!("{} in the baseline", count(summary.in_baseline, "finding")));
    }
    if summary.unchanged > 0 {
        lines.push(format!("{} in code that has not changed (`--since`)", count(summary.unchanged, "finding")));
    }
    if summary.unconfirmed > 0 {
        let findings = count(summary.unconfirmed, "finding");
        lines.push(format!("{findings} not shown: replaying the schedule did not show it again; please report this"));
    }
    if summary.in_dependencies > 0 {
        lines.push(format!("{} in dependencies, not shown", count(summary.in_dependencies, "finding")));
    }
    match summary.possible {
        0 => {}
        n if style.shows_possible => {
            lines.push(format!("{} shown, not counted as bugs", count(n, "possible finding")));
        }
        n => {
            let (depends, them) = if n == 1 { ("it depends", "it") } else { ("they depend", "them") };
            let findings = count(n, "finding");
            lines.push(format!("{findings} not shown: {depends} on unsupported code (`--possible` shows {them})"));
        }
    }
    if summary.idle > 0 {
        let (it, them) = if summary.idle == 1 { ("it starts", "it") } else { ("they start", "them") };
        let entries = count_entries(summary.idle);
        lines.push(format!("{entries} got one short schedule: {it} no thread, and nothing in {them} synchronises"));
    }
    if summary.curtailed > 0 {
        let entries = count_entries(summary.curtailed);
        lines.push(format!(
            "{entries} got fewer schedules: the step budget goes to entries that reach something new (`--effort` raises it)"
        ));
    }
    if summary.promising > 0 {
        let entries = count_entries(summary.promising);
        lines.push(format!("{entries} would probably reach more with more schedules (raise `--effort`)"));
    }
    if summary.out_of_time > 0 {
        let (cut, all) = (summary.out_of_time, summary.entries.all());
        lines.push(format!(
            "time limit reached (`--time`): fewer schedules, or none, for {cut} of {}",
            if all == 1 { "1 entry".to_owned() } else { format!("{all} entries") }
        ));
        lines.push("so the run as a whole is not reproducible; each finding still replays".to_owned());
    }
    if summary.pairs.all > 0 {
        let PairCounts { all, overlapped } = summary.pairs;
        lines.push(format!("calls from two threads: {overlapped} of {} at once", count(all as usize, "pair")));
    }
    lines.extend(skipped(&summary.not_called));
    if let Some(unknown) = &summary.uninterpreted {
        lines.extend(causes(unknown));
    }
    let indent = format!("\n{}", " ".repeat(name.chars().count() + 2));
    lines.join(&indent)
}

/// How runs ended before the program's own end, the most frequent ways first: one line each.
fn ends(ways: &[BoundReached], schedules: &str) -> Vec<String> {
    let line = |way: &BoundReached| format!("{} ({} of {schedules})", way.reason, way.schedules);
    if ways.len() <= MAX_ENDS {
        return ways.iter().map(line).collect();
    }
    let mut ways: Vec<_> = ways.iter().collect();
    ways.sort_by_key(|way| std::cmp::Reverse(way.schedules));
    let (shown, others) = ways.split_at(MAX_ENDS - 1);
    let runs: u32 = others.iter().map(|way| way.schedules).sum();
    let others = format!("ended early in {} ({runs} of {schedules})", count(others.len(), "more way"));
    shown.iter().map(|way| line(way)).chain([others]).collect()
}

/// Maximum number of these lines.
const MAX_ENDS: usize = 4;

/// What of an API was not called: the number, and the most frequent reason.
fn skipped(all: &[Skipped]) -> Option<String> {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for it in all {
        match reasons.iter_mut().find(|(why, _)| *why == it.why) {
            Some((_, number)) => *number += 1,
            None => reasons.push((&it.why, 1)),
        }
    }
    let (why, _) = reasons.iter().rev().max_by_key(|(_, number)| *number)?;
    let example = all.iter().find(|it| it.why == *why)?;
    let items = count(all.len(), "item");
    Some(format!("not called: {items}, such as `{}`: {why}", example.item))
}

/// `1 entry (main)`, `12 entries (2 programs, 10 tests)`.
fn entries(counts: &EntryCounts) -> String {
    let all = [(counts.programs, "program"), (counts.tests, "test"), (counts.api, "API item"), (counts.middle, MIDDLE)];
    let there: Vec<_> = all.into_iter().filter(|(number, _)| *number > 0).collect();
    let kinds = match there.as_slice() {
        [(1, "program")] => "main".to_owned(),
        [(1, kind)] => (*kind).to_owned(),
        [(_, MIDDLE)] => MIDDLE.to_owned(),
        [(_, kind)] => format!("{kind}s"),
        several => several.iter().map(|(number, kind)| kind_of(*number, kind)).collect::<Vec<_>>().join(", "),
    };
    match counts.all() {
        1 => format!("1 entry ({kinds})"),
        n => format!("{n} entries ({kinds})"),
    }
}

/// The word for entries in the middle.
const MIDDLE: &str = "in the middle";

fn kind_of(number: usize, kind: &str) -> String {
    if kind == MIDDLE { format!("{number} {kind}") } else { count(number, kind) }
}

/// How many synchronisation sites were reached. Starts of threads are listed only if some were not reached: other sites
/// imply them.
fn sites(counts: &[SiteCount]) -> String {
    let is_reported = |it: &&SiteCount| it.kind != SiteKind::Spawn || it.reached < it.existing;
    let shown: Vec<String> = counts
        .iter()
        .filter(is_reported)
        .map(|it| {
            let sites = count(it.existing, &format!("{} site", it.kind.name()));
            format!("{} of {sites}, {} concurrently", it.reached, it.concurrent)
        })
        .collect();
    match shown.as_slice() {
        [] => "no locks, atomics, channels or awaits here".to_owned(),
        shown => format!("reached {}", shown.join("; ")),
    }
}

/// `1 entry`, `2 entries`.
pub(crate) fn count_entries(n: usize) -> String {
    if n == 1 { "1 entry".to_owned() } else { format!("{n} entries") }
}

/// `1 bug`, `2 bugs`.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::{BoundReached, FORMATS, ends};

    #[test]
    fn the_most_frequent_ends_of_many_are_shown() {
        let way = |index: u32| BoundReached { reason: format!("end {index}"), schedules: index };
        let few: Vec<_> = (1..=4).map(way).collect();
        assert_eq!(
            ends(&few, "20 schedules").concat(),
            [1, 2, 3, 4].map(|n| format!("end {n} ({n} of 20 schedules)")).concat()
        );
        let many: Vec<_> = (1..=6).map(way).collect();
        let expected = [
            "end 6 (6 of 40 schedules)",
            "end 5 (5 of 40 schedules)",
            "end 4 (4 of 40 schedules)",
            "ended early in 3 more ways (6 of 40 schedules)",
        ];
        assert_eq!(ends(&many, "40 schedules"), expected);
    }

    #[test]
    fn names_are_unique() {
        for (index, format) in FORMATS.iter().enumerate() {
            assert!(FORMATS[..index].iter().all(|other| other.name != format.name), "{}", format.name);
        }
    }
}
