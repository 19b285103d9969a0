//! `--format cargo-json`: Cargo's JSON messages, a line per finding, for tools that read those of `cargo check`.
//!
//! rust-analyzer shows the primary span as the diagnostic, other spans as related information, children without spans as
//! further lines of the message, and a suggested replacement as a quick fix. It takes the text before the `::` of a code
//! for the source.

use super::{FormatSpec, Granularity, Reader, Style, base_names, full, shown, texts};
use analyzer::{
    Report,
    diagnostic::{Confidence, Diagnostic, Level},
    escape,
    project::{EntryKind, Location},
    report::{PackageInfo, Part, SourceFile, TargetInfo, WorkspaceInfo},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "cargo-json",
    summary: "Cargo's JSON messages, one line for each finding",
    granularity: Granularity::Finding,
    reader: Reader::Tool,
    render,
};

/// The tool in a code such as `tsvd::data_race`.
const TOOL: &str = "tsvd";

fn render(report: &Report, style: &Style) -> String {
    let mut text = String::new();
    for part in &report.parts {
        for diagnostic in shown(part, style) {
            let line = message(part, diagnostic, style).to_string();
            text.push_str(&escape::json(&line));
            text.push('\n');
        }
    }
    text
}

/// A message in Cargo's envelope.
fn message(part: &Part, diagnostic: &Diagnostic, style: &Style) -> Value {
    let Origin { package_id, manifest, target } = origin(part, diagnostic);
    json!({
        "reason": "compiler-message",
        "package_id": package_id,
        "manifest_path": manifest,
        "target": target,
        "message": rustc_message(part, diagnostic, style),
    })
}

/// The message as rustc would print it.
fn rustc_message(part: &Part, diagnostic: &Diagnostic, style: &Style) -> Value {
    let level = match (diagnostic.confidence, diagnostic.level) {
        (Confidence::Possible, _) => "note",
        (_, Level::Error) => "error",
        (_, Level::Warning) => "warning",
    };
    let code = format!("{TOOL}::{}", diagnostic.rule.replace('-', "_"));
    let escaped = &diagnostic.escaped();
    let files = Files { sources: &part.sources, workspace: part.workspace.as_ref() };
    let mut spans = vec![files.span(&diagnostic.primary, Some(&escaped.label), SpanKind::Primary)];
    for (site, escaped) in diagnostic.others.iter().zip(&escaped.others) {
        spans.push(files.span(&site.location, Some(&escaped.text), SpanKind::Other));
    }
    let mut children: Vec<Value> = how_it_happens(escaped).into_iter().chain(notes(escaped)).map(note).collect();
    if let (Some(help), Some(shown)) = (&diagnostic.help, &escaped.help) {
        let span = files.span(&help.location, None, SpanKind::Replaced(&help.replacement));
        children.push(child("help", &shown.text, vec![span]));
    }
    json!({
        "$message_type": "diagnostic",
        "message": escaped.title,
        "code": { "code": code, "explanation": null },
        "level": level,
        "spans": spans,
        "children": children,
        "rendered": rendered(part, diagnostic, style),
    })
}

fn rendered(part: &Part, diagnostic: &Diagnostic, style: &Style) -> String {
    let text = full::drawn(diagnostic, &part.sources, style.is_styled);
    let text = if style.is_styled { escape::styled(&text) } else { escape::text(&text) };
    format!("{text}\n\n")
}

fn child(level: &str, message: &str, spans: Vec<Value>) -> Value {
    json!({ "message": message, "code": null, "level": level, "spans": spans, "children": [], "rendered": null })
}

fn note(message: String) -> Value {
    child("note", &message, Vec::new())
}

/// The steps, one line each.
fn how_it_happens(diagnostic: &Diagnostic) -> Option<String> {
    let names = base_names(diagnostic);
    let lines = diagnostic.steps.iter().map(|step| {
        let thread = diagnostic.threads.get(step.thread).map_or("", |it| it.name.as_str());
        let place = step.location.as_ref().map(|it| format!(" ({})", names.line(it)));
        format!("\n{}. {thread} {}{}", step.number, step.text, place.unwrap_or_default())
    });
    let lines: String = lines.collect();
    (!lines.is_empty()).then(|| format!("how it happens:{lines}\n{}", texts::last_words(diagnostic)))
}

/// The explanations, what the finding depends on, and what to do with it.
fn notes(diagnostic: &Diagnostic) -> Vec<String> {
    let mut notes: Vec<String> = diagnostic.notes.iter().map(|(head, text)| format!("{head}: {text}")).collect();
    notes.push(texts::confidence(diagnostic));
    let explain = format!("explain: tsvd-check explain {}", diagnostic.rule);
    let replay = diagnostic.replay.as_ref().map(|id| format!("replay: tsvd-check replay {id}; "));
    notes.push(format!("{}{explain}", replay.unwrap_or_default()));
    notes
}

/// The part that a span plays.
enum SpanKind<'a> {
    Primary,
    Other,
    /// A quick fix puts this text there.
    Replaced(&'a str),
}

/// The files of a part.
struct Files<'a> {
    sources: &'a BTreeMap<String, SourceFile>,
    workspace: Option<&'a WorkspaceInfo>,
}

impl Files<'_> {
    fn span(&self, place: &Location, label: Option<&str>, kind: SpanKind<'_>) -> Value {
        let source = self.sources.get(&place.path);
        let text = source.map_or("", |it| it.text.as_str());
        let byte = |line, column| {
            let at = byte_at(text, line, column);
            source.map_or(at, |it| it.on_disk(at))
        };
        let lines = lines_of(text, place);
        let (replacement, applicability) = match kind {
            // The program behaves differently afterwards, and that is for people to judge.
            SpanKind::Replaced(text) => (Some(text), Some("MaybeIncorrect")),
            SpanKind::Primary | SpanKind::Other => (None, None),
        };
        json!({
            "file_name": self.file_name(&place.path),
            "byte_start": byte(place.line, place.column),
            "byte_end": byte(place.end_line, place.end_column),
            "line_start": place.line,
            "line_end": place.end_line,
            "column_start": place.column,
            "column_end": place.end_column,
            "is_primary": !matches!(kind, SpanKind::Other),
            "text": lines,
            "label": label,
            "suggested_replacement": replacement,
            "suggestion_applicability": applicability,
            "expansion": null,
        })
    }

    /// As in Cargo's messages: relative to the workspace's folder, or absolute.
    fn file_name(&self, path: &str) -> String {
        let real = self.sources.get(path).and_then(|it| it.path.as_ref());
        match (self.workspace, real) {
            (Some(workspace), Some(real)) => text_of(real.strip_prefix(&workspace.root).unwrap_or(real)),
            _ => path.to_owned(),
        }
    }
}

/// The offset of a position, in bytes.
fn byte_at(text: &str, line: u32, column: u32) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    let chars = rest.chars().take(column.saturating_sub(1) as usize);
    before + chars.map(char::len_utf8).sum::<usize>()
}

/// The lines of a place, with the columns to highlight.
fn lines_of(text: &str, place: &Location) -> Vec<Value> {
    let (first, last) = (place.line.saturating_sub(1) as usize, place.end_line as usize);
    let lines = text.lines().zip(1u32..).skip(first).take(last.saturating_sub(first));
    let marked = lines.map(|(line, number)| {
        let start = if number == place.line { place.column } else { 1 };
        let end = if number == place.end_line { place.end_column as usize } else { line.chars().count() + 1 };
        json!({ "text": line, "highlight_start": start, "highlight_end": end })
    });
    marked.collect()
}

/// Whose finding it is.
struct Origin {
    package_id: String,
    manifest: String,
    target: TargetInfo,
}

/// The package of the primary location, and its target that shows the finding.
fn origin(part: &Part, diagnostic: &Diagnostic) -> Origin {
    let place = &diagnostic.primary.path;
    let file = part.sources.get(place).and_then(|it| it.path.clone()).unwrap_or_else(|| PathBuf::from(place));
    let packages = part.workspace.iter().flat_map(|it| &it.packages);
    let around = packages.filter(|it| it.manifest.parent().is_some_and(|folder| file.starts_with(folder)));
    let package = around.max_by_key(|it| it.manifest.components().count());
    match package.and_then(|package| Some((package, target(package, diagnostic, &file)?))) {
        Some((package, target)) => {
            Origin { package_id: package.id.clone(), manifest: text_of(&package.manifest), target: target.clone() }
        }
        None => without_package(&file),
    }
}

/// The target whose root the file is, else the one whose entry shows the finding, else the library, else the first.
fn target<'a>(package: &'a PackageInfo, diagnostic: &Diagnostic, file: &Path) -> Option<&'a TargetInfo> {
    let is = |target: &TargetInfo, kind: &str| target.kind.iter().any(|it| it == kind);
    let of_entry = || {
        let entry = diagnostic.entry.as_ref().filter(|it| it.package.as_ref() == Some(&package.name))?;
        let own = entry.name.split("::").next().unwrap_or_default();
        let is_main = |it: &&TargetInfo| entry.kind != EntryKind::Main || is(it, "bin") || is(it, "example");
        package.targets.iter().filter(|it| it.name.replace('-', "_") == own.replace('-', "_")).find(is_main)
    };
    let root = package.targets.iter().find(|it| it.src_path == file);
    let library = || package.targets.iter().find(|it| is(it, "lib"));
    root.or_else(of_entry).or_else(library).or(package.targets.first())
}

/// A file without a package, as Cargo names a script.
fn without_package(file: &Path) -> Origin {
    let name = file.file_stem().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
    Origin {
        package_id: format!("path+file://{}#{name}@0.0.0", file.to_string_lossy()),
        manifest: text_of(file),
        target: TargetInfo {
            kind: vec!["bin".to_owned()],
            crate_types: vec!["bin".to_owned()],
            name,
            src_path: file.to_owned(),
            edition: "2024".to_owned(),
            doc: true,
            doctest: false,
            test: true,
        },
    }
}

fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_count_bytes_and_characters() {
        let text = "fn ä() {\n    n += 1;\n}\n";
        let place = |line, column, end_line, end_column| Location {
            path: "a.rs".to_owned(),
            line,
            column,
            end_line,
            end_column,
        };
        // `ä` is two bytes and one column.
        assert_eq!((byte_at(text, 1, 5), byte_at(text, 2, 5)), (5, 14));
        assert_eq!(byte_at(text, 9, 9), text.len());
        let lines = lines_of(text, &place(1, 8, 3, 2));
        assert_eq!(lines[0], json!({ "text": "fn ä() {", "highlight_start": 8, "highlight_end": 9 }));
        assert_eq!(lines[1], json!({ "text": "    n += 1;", "highlight_start": 1, "highlight_end": 12 }));
        assert_eq!(lines[2], json!({ "text": "}", "highlight_start": 1, "highlight_end": 2 }));
    }
}
