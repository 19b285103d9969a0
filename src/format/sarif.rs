//! `--format sarif`: SARIF 2.1.0, for code scanning.
//!
//! Besides the standard's rules it follows what GitHub asks for: a primary region of one line, rules with help in Markdown,
//! and a fingerprint of the primary line. A thread flow per thread shows the interleaving; viewers do not show
//! `executionOrder`, so each step names its number and its thread.

use super::{
    FormatSpec, Granularity, Reader, Style, shown, summary,
    texts::{self, sentence},
};
use crate::line_hash::LineHashes;
use analyzer::{
    Report,
    diagnostic::{Confidence, Diagnostic, Level, Step},
    escape,
    project::Location,
    report::{Message, MessageLevel, Part, SourceFile},
    rules::{RULES, RuleSpec},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "sarif",
    summary: "SARIF 2.1.0, for code scanning",
    granularity: Granularity::Report,
    reader: Reader::Tool,
    render,
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The base of relative paths: the folder in which the check was started.
const ROOT: &str = "%SRCROOT%";
/// The most steps of a flow that GitHub reads.
const MAX_STEPS: usize = 1000;

fn render(report: &Report, style: &Style) -> String {
    let mut hashes = Hashes::default();
    let results = report.parts.iter().flat_map(|part| shown(part, style).map(move |it| (part, it)));
    let results: Vec<SarifResult> =
        results.map(|(part, diagnostic)| result(diagnostic, &part.sources, &mut hashes)).collect();
    let is_complete = report.parts.iter().all(|part| part.error().is_none());
    let messages = report.parts.iter().flat_map(|part| notifications(part, style));
    let run = json!({
        "tool": { "driver": {
            "name": env!("CARGO_PKG_NAME"),
            "fullName": concat!("tsvd-check ", env!("CARGO_PKG_VERSION"), ", a concurrency checker for Rust"),
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
        } },
        "invocations": [{
            "executionSuccessful": is_complete,
            "toolExecutionNotifications": messages.collect::<Vec<_>>(),
        }],
        "originalUriBaseIds": { ROOT: { "description": { "text": "The folder in which the check was started." } } },
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    // Texts, numbers and maps with texts as keys always have a JSON form.
    let text = serde_json::to_string_pretty(&log).unwrap_or_default();
    escape::json(&text).into_owned() + "\n"
}

/// A rule, as a `reportingDescriptor`.
fn rule(rule: &RuleSpec) -> Value {
    json!({
        "id": rule.name,
        "shortDescription": { "text": sentence(rule.summary) },
        "fullDescription": { "text": sentence(rule.summary) },
        "help": { "text": rule.page.trim_end(), "markdown": rule.page.trim_end() },
        "defaultConfiguration": { "level": level(rule.level) },
        "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high" },
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Value,
    locations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Value>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    properties: Value,
}

fn result(diagnostic: &Diagnostic, sources: &BTreeMap<String, SourceFile>, hashes: &mut Hashes) -> SarifResult {
    let mut fingerprints = BTreeMap::from([("tsvdFinding/v1", diagnostic.fingerprint())]);
    if let Some(hash) = hashes.of(&diagnostic.primary, sources) {
        fingerprints.insert("primaryLocationLineHash", hash);
    }
    let escaped = &diagnostic.escaped();
    let related = escaped.others.iter().zip(1..).map(|(site, id)| {
        let mut location = location(&site.location, sources, &site.text);
        location["id"] = Value::from(id);
        location
    });
    let (shown_by, schedules) = diagnostic.shown_by;
    SarifResult {
        rule_id: diagnostic.rule,
        rule_index: RULES.iter().position(|it| it.name == diagnostic.rule).unwrap_or_default(),
        level: if diagnostic.confidence == Confidence::Possible { "note" } else { level(diagnostic.level) },
        message: json!({ "text": text(escaped) }),
        locations: vec![location(&escaped.primary, sources, &escaped.label)],
        related_locations: related.collect(),
        code_flows: flows(escaped, sources),
        fixes: fix(diagnostic),
        partial_fingerprints: fingerprints,
        properties: json!({
            "confidence": diagnostic.confidence,
            "shownBy": { "schedules": shown_by, "of": schedules },
            "replay": diagnostic.replay,
        }),
    }
}

/// The message: what happens, links to the other sites, why, and how often.
fn text(diagnostic: &Diagnostic) -> String {
    let mut sentences = vec![sentence(&linkless(&diagnostic.message))];
    for (site, id) in diagnostic.others.iter().zip(1..) {
        sentences.push(format!("See [{}]({id}).", linkless(&site.text)));
    }
    sentences.extend(texts::explanations(diagnostic).map(|it| sentence(&linkless(it))));
    let (shown_by, schedules) = diagnostic.shown_by;
    if schedules > 0 {
        sentences.push(format!("{shown_by} of {schedules} schedules show it."));
    }
    sentences.extend(diagnostic.replay.iter().map(|id| format!("Replay: tsvd-check replay {id}.")));
    sentences.join(" ")
}

/// A text in which brackets do not start a link.
fn linkless(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// A thread flow per thread with its steps.
fn flows(diagnostic: &Diagnostic, sources: &BTreeMap<String, SourceFile>) -> Vec<Value> {
    let mut flows: Vec<Value> = Vec::new();
    for (index, thread) in diagnostic.threads.iter().enumerate() {
        let steps = diagnostic.steps.iter().take(MAX_STEPS).filter(|step| step.thread == index);
        let locations: Vec<Value> = steps.filter_map(|it| flow_location(it, &thread.name, sources)).collect();
        if !locations.is_empty() {
            flows.push(json!({ "id": thread.name, "locations": locations }));
        }
    }
    if flows.is_empty() {
        return Vec::new();
    }
    vec![json!({ "message": { "text": "How it happens, step by step." }, "threadFlows": flows })]
}

fn flow_location(step: &Step, thread: &str, sources: &BTreeMap<String, SourceFile>) -> Option<Value> {
    let text = format!("step {}, {thread}: {}", step.number, step.text);
    let importance = if step.is_access { "essential" } else { "important" };
    let location = location(step.location.as_ref()?, sources, &text);
    Some(json!({ "location": location, "executionOrder": step.number, "importance": importance }))
}

fn fix(diagnostic: &Diagnostic) -> Vec<Value> {
    let fix = diagnostic.help.iter().map(|help| {
        let Location { line, column, end_line, end_column, .. } = help.location;
        json!({
            "description": { "text": sentence(&help.text) },
            "artifactChanges": [{
                "artifactLocation": artifact(&help.location.path),
                "replacements": [{
                    "deletedRegion":
                        { "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column },
                    "insertedContent": { "text": help.replacement },
                }],
            }],
        })
    });
    fix.collect()
}

fn location(place: &Location, sources: &BTreeMap<String, SourceFile>, text: &str) -> Value {
    json!({
        "physicalLocation": { "artifactLocation": artifact(&place.path), "region": region(place, sources) },
        "message": { "text": sentence(&linkless(text)) },
    })
}

/// The first line of a place: an alert shows in a pull request only if all of its lines are in the diff.
fn region(place: &Location, sources: &BTreeMap<String, SourceFile>) -> Value {
    let end = match place.end_line == place.line {
        true => Some(place.end_column),
        false => sources
            .get(&place.path)
            .and_then(|source| source.text.lines().nth(place.line.saturating_sub(1) as usize))
            .map(|line| line.chars().count() as u32 + 1),
    };
    let end = end.unwrap_or(place.column + 1).max(place.column);
    json!({ "startLine": place.line, "startColumn": place.column, "endLine": place.line, "endColumn": end })
}

/// A file: a relative path from [`ROOT`], an absolute one as a `file` URI.
fn artifact(path: &str) -> Value {
    let path = path.replace('\\', "/");
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    match (path.starts_with('/'), is_drive) {
        (true, _) => json!({ "uri": format!("file://{}", percent_encoded(&path)) }),
        (_, true) => json!({ "uri": format!("file:///{}", percent_encoded(&path)) }),
        _ => json!({ "uri": percent_encoded(path.strip_prefix("./").unwrap_or(&path)), "uriBaseId": ROOT }),
    }
}

/// Everything but unreserved characters and `/` is encoded (RFC 3986).
fn percent_encoded(path: &str) -> String {
    const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
    utf8_percent_encode(path, ENCODED).to_string()
}

/// Messages of a part, and what each package's check covered.
fn notifications(part: &Part, style: &Style) -> Vec<Value> {
    let covered = part
        .packages
        .iter()
        .map(|package| json!({ "level": "none", "message": { "text": summary(package, style, None) } }));
    let mut all: Vec<Value> = part.messages.iter().map(|it| notification(it, &part.sources)).collect();
    all.extend(covered);
    all
}

fn notification(message: &Message, sources: &BTreeMap<String, SourceFile>) -> Value {
    let level = match message.level {
        MessageLevel::Error => "error",
        MessageLevel::Warning => "warning",
        MessageLevel::Note => "note",
        MessageLevel::Info => "none",
    };
    let mut notification = json!({ "level": level, "message": { "text": sentence(&message.text) } });
    if let Some(place) = &message.location {
        notification["locations"] = json!([{
            "physicalLocation": { "artifactLocation": artifact(&place.path), "region": region(place, sources) },
        }]);
    }
    notification
}

/// Hashes of the lines of files, each computed once.
#[derive(Default)]
struct Hashes(BTreeMap<String, LineHashes>);

impl Hashes {
    fn of(&mut self, place: &Location, sources: &BTreeMap<String, SourceFile>) -> Option<String> {
        if !self.0.contains_key(&place.path) {
            self.0.insert(place.path.clone(), LineHashes::of(&sources.get(&place.path)?.text));
        }
        self.0.get(&place.path)?.line(place.line)
    }
}
