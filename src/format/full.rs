//! `--format full`: the source with all locations, how it happens, the threads' call paths, what to do.
//!
//! `annotate-snippets` draws the source; the rest follows below, with the same gutter.

use super::{FormatSpec, Granularity, Reader, Style, base_names, shown, texts};
use analyzer::{
    Report,
    diagnostic::{Diagnostic, Level as Severity, Related, Role},
    escape,
    project::{EntryKind, Location},
    report::SourceFile,
};
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Between the columns of two threads; with more threads, lines get too long.
const WIDE_GAP: usize = 8;
const NARROW_GAP: usize = 3;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "full",
    summary: "The source, how it happens, why, and what to do",
    granularity: Granularity::Finding,
    reader: Reader::Person,
    render,
};

fn render(report: &Report, style: &Style) -> String {
    let mut text = String::new();
    for part in &report.parts {
        for diagnostic in shown(part, style) {
            text.push_str(&drawn(diagnostic, &part.sources, style.is_styled));
            text.push_str("\n\n");
        }
    }
    if style.is_styled { escape::styled(&text).into_owned() } else { escape::text(&text).into_owned() }
}

/// The text of a finding, without a final line end.
pub(super) fn drawn(diagnostic: &Diagnostic, sources: &BTreeMap<String, SourceFile>, is_styled: bool) -> String {
    let drawn = drawn_files(diagnostic, sources);
    let diagnostic = &diagnostic.escaped();
    let renderer = if is_styled { Renderer::styled() } else { Renderer::plain() };
    let sites = sites_group(diagnostic, &drawn);
    let sites_only = renderer.render(std::slice::from_ref(&sites));
    let lines_of_sites = sites_only.lines().count();
    let mut groups = vec![sites];
    groups.extend(help_group(diagnostic, &drawn));
    // Rendered together, so that they share a gutter.
    let rendered = renderer.render(&groups);
    let mut lines = rendered.lines();
    let mut report: Vec<String> = lines.by_ref().take(lines_of_sites).map(str::to_owned).collect();
    // The bars around the help are added again below.
    let mut help: Vec<String> = lines.skip_while(|line| is_bar(line)).map(str::to_owned).collect();
    while help.last().is_some_and(|line| is_bar(line)) {
        help.pop();
    }
    let gutter = gutter(diagnostic);
    let bar = format!("{} |", " ".repeat(gutter));
    let mut notes = Notes { lines: Vec::new(), gutter };
    how_it_happens(diagnostic, &mut notes);
    paths(diagnostic, &mut notes);
    further(diagnostic, &mut notes);
    for (head, text) in &diagnostic.notes {
        notes.push(&format!("{head}: {text}"));
    }
    if !notes.lines.is_empty() {
        report.push(bar.clone());
        report.append(&mut notes.lines);
    }
    if !help.is_empty() {
        report.extend(help);
        report.push(bar);
    }
    confidence(diagnostic, &mut notes);
    ids(diagnostic, &mut notes);
    report.append(&mut notes.lines);
    report.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Whether a line is empty or has only the gutter's bar, ignoring colours.
fn is_bar(line: &str) -> bool {
    let mut is_escape = false;
    line.chars().all(|c| {
        let skipped = is_escape || c == '\u{1b}';
        is_escape = skipped && c != 'm';
        skipped || c == ' ' || c == '|'
    })
}

/// Lines below the source.
struct Notes {
    lines: Vec<String>,
    gutter: usize,
}

impl Notes {
    fn push(&mut self, text: &str) {
        self.lines.push(format!("{} = {text}", " ".repeat(self.gutter)));
    }

    /// Adds a line that continues the previous one.
    fn more(&mut self, text: &str) {
        self.lines.push(format!("{}   {text}", " ".repeat(self.gutter)));
    }
}

/// Width of the column of line numbers.
fn gutter(diagnostic: &Diagnostic) -> usize {
    let sites = diagnostic.others.iter().filter(|site| site.role != Role::Further).map(|site| site.location.end_line);
    let help =
        diagnostic.help.iter().map(|help| help.location.end_line + help.replacement.matches('\n').count() as u32);
    let last = sites.chain(help).chain([diagnostic.primary.end_line]).max().unwrap_or(1);
    last.to_string().len()
}

/// A file that is drawn.
struct Source {
    text: String,
    /// Its escaped text.
    escaped: String,
}

/// The files that are drawn, by their paths as they are shown.
fn drawn_files(diagnostic: &Diagnostic, sources: &BTreeMap<String, SourceFile>) -> BTreeMap<String, Source> {
    let mut texts = BTreeMap::new();
    for location in diagnostic.drawn_locations() {
        let path = escape::line(&location.path);
        if !texts.contains_key(path.as_ref())
            && let Some(SourceFile { text, .. }) = sources.get(&location.path)
        {
            let escaped = escape::text(text).into_owned();
            texts.insert(path.into_owned(), Source { text: text.clone(), escaped });
        }
    }
    texts
}

fn sites_group<'a>(diagnostic: &'a Diagnostic, texts: &'a BTreeMap<String, Source>) -> Group<'a> {
    let level = match diagnostic.level {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.title.as_str()).id(diagnostic.rule);
    let mut files: Vec<&str> = vec![&diagnostic.primary.path];
    let others: Vec<&Related> = diagnostic.others.iter().filter(|site| site.role != Role::Further).collect();
    for site in &others {
        if !files.contains(&site.location.path.as_str()) {
            files.push(&site.location.path);
        }
    }
    let mut group = Group::with_title(title);
    for file in files {
        let Some(text) = texts.get(file) else { continue };
        let mut snippet = Snippet::source(text.escaped.as_str()).path(file);
        if diagnostic.primary.path == file {
            let span = span(text, &diagnostic.primary);
            snippet = snippet.annotation(AnnotationKind::Primary.span(span).label(diagnostic.label.as_str()));
        }
        for site in others.iter().filter(|site| site.location.path == file) {
            let span = span(text, &site.location);
            snippet = snippet.annotation(AnnotationKind::Context.span(span).label(site.text.as_str()));
        }
        group = group.element(snippet);
    }
    group
}

fn help_group<'a>(diagnostic: &'a Diagnostic, texts: &'a BTreeMap<String, Source>) -> Option<Group<'a>> {
    let help = diagnostic.help.as_ref()?;
    let text = texts.get(&help.location.path)?;
    let patch = Patch::new(span(text, &help.location), escape::text(&help.replacement));
    // The path is omitted if it is the one above.
    let snippet = Snippet::source(text.escaped.as_str()).patch(patch).path(None::<&str>);
    Some(Level::HELP.secondary_title(help.text.as_str()).element(snippet))
}

/// The byte range of a location in the escaped text. Only the first line of a location with several lines is marked.
fn span(source: &Source, location: &Location) -> std::ops::Range<usize> {
    let text = source.text.as_str();
    let start_of = |line: u32| {
        let lines = text.split_inclusive('\n').take(line.saturating_sub(1) as usize);
        lines.map(str::len).sum::<usize>()
    };
    let line_start = start_of(location.line);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let byte = |column: u32| {
        let chars = line.char_indices().nth(column.saturating_sub(1) as usize);
        line_start + chars.map_or(line.len(), |(at, _)| at)
    };
    let start = byte(location.column);
    let end = if location.end_line > location.line { line_start + line.len() } else { byte(location.end_column) };
    let shown = |at: usize| escape::text(&text[..at]).len();
    shown(start)..shown(end.max(start))
}

/// The interleaving: a column for each thread.
fn how_it_happens(diagnostic: &Diagnostic, notes: &mut Notes) {
    let steps = &diagnostic.steps;
    if steps.is_empty() || diagnostic.threads.is_empty() {
        return;
    }
    let names = base_names(diagnostic);
    let locations: Vec<String> =
        steps.iter().map(|step| step.location.as_ref().map_or_else(String::new, |it| names.line(it))).collect();
    let location_width = locations.iter().map(|location| location.chars().count()).max().unwrap_or(0) + 2;
    let cells: Vec<String> = steps
        .iter()
        .zip(&locations)
        .map(|(step, location)| format!("{}{}", padded(location, location_width), step.text))
        .collect();
    let gap = if diagnostic.threads.len() > 2 { NARROW_GAP } else { WIDE_GAP };
    let mut starts = vec![0];
    for (index, thread) in diagnostic.threads.iter().enumerate() {
        let own = steps.iter().zip(&cells).filter(|(step, _)| step.thread == index);
        let widest = own.map(|(_, cell)| cell.chars().count()).chain([thread.name.chars().count()]).max().unwrap_or(0);
        starts.push(starts[index] + widest + gap);
    }
    notes.push("how it happens:");
    let indent = " ".repeat(2);
    let mut head = String::new();
    for (thread, start) in diagnostic.threads.iter().zip(&starts) {
        let _ = write!(head, "{}{}", " ".repeat(start.saturating_sub(head.chars().count())), thread.name);
    }
    notes.more(&format!("{indent}{head}"));
    for (index, (step, cell)) in steps.iter().zip(&cells).enumerate() {
        let mut line = format!("{}{cell}", " ".repeat(starts[step.thread]));
        if index + 1 == steps.len() {
            let at = if step.thread + 1 < diagnostic.threads.len() { starts[step.thread + 1] } else { 0 };
            let width = line.chars().count();
            let _ = write!(line, "{}{}", " ".repeat(at.saturating_sub(width).max(2)), texts::last_words(diagnostic));
        }
        let number = index + 1;
        notes.lines.push(format!("{}{number:>4} {line}", " ".repeat(notes.gutter)));
    }
}

/// A text with spaces behind it. The formatter of std panics at widths over 65,535.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.chars().count())))
}

/// `main: main (main.rs:13) > Audit::reconcile (audit.rs:16)`.
fn paths(diagnostic: &Diagnostic, notes: &mut Notes) {
    let names = base_names(diagnostic);
    let width = diagnostic.threads.iter().map(|thread| thread.name.chars().count() + 2).max().unwrap_or(0);
    for thread in &diagnostic.threads {
        if let Some(path) = texts::call_path(thread, &names) {
            notes.push(&format!("{}{path}", padded(&format!("{}:", thread.name), width)));
        }
    }
}

/// Locations of other findings with the same cause, at lines that are not drawn.
fn further(diagnostic: &Diagnostic, notes: &mut Notes) {
    let names = base_names(diagnostic);
    let (sites, drawn): (Vec<&Related>, Vec<&Related>) =
        diagnostic.others.iter().partition(|site| site.role == Role::Further);
    let drawn: Vec<&Location> = drawn.into_iter().map(|site| &site.location).chain([&diagnostic.primary]).collect();
    let is_new =
        |location: &&Location| drawn.iter().all(|known| (&known.path, known.line) != (&location.path, location.line));
    let mut locations: Vec<String> =
        sites.into_iter().map(|site| &site.location).filter(is_new).map(|location| names.line(location)).collect();
    locations.sort();
    locations.dedup();
    if !locations.is_empty() {
        notes.push(&format!("also: the same at {}", locations.join(", ")));
    }
}

fn confidence(diagnostic: &Diagnostic, notes: &mut Notes) {
    notes.push(&texts::confidence(diagnostic));
}

fn ids(diagnostic: &Diagnostic, notes: &mut Notes) {
    let explain = format!("explain: tsvd-check explain {}", diagnostic.rule);
    match &diagnostic.replay {
        Some(id) => notes.push(&format!("replay: tsvd-check replay {id}    {explain}")),
        None => notes.push(&explain),
    }
    let is_of_harness =
        diagnostic.entry.as_ref().is_some_and(|entry| entry.kind == EntryKind::Api && !entry.is_in_test);
    if let Some(id) = diagnostic.replay.as_ref().filter(|_| is_of_harness) {
        notes.more(&format!("as a test: tsvd-check replay {id} --as miri"));
    }
    notes.more(&format!("allow:  // tsvd: allow({}, reason = \"...\")", diagnostic.rule));
}
