//! `--format gitlab`: a Code Quality report, for GitLab's merge requests.

use super::{FormatSpec, Granularity, Reader, Style, shown};
use analyzer::{
    Report,
    content_hash::ContentHash,
    diagnostic::{Confidence, Diagnostic, Level},
    escape,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "gitlab",
    summary: "A Code Quality report for GitLab",
    granularity: Granularity::Report,
    reader: Reader::Tool,
    render,
};

fn render(report: &Report, style: &Style) -> String {
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    let findings = report.parts.iter().flat_map(|part| shown(part, style));
    let issues: Vec<Value> = findings.map(|it| issue(it, &mut used)).collect();
    // Texts and numbers always have a JSON form.
    let text = serde_json::to_string_pretty(&issues).unwrap_or_default();
    escape::json(&text).into_owned() + "\n"
}

fn issue(diagnostic: &Diagnostic, used: &mut BTreeMap<String, u32>) -> Value {
    // Programs of one package may share names; a fingerprint must be unique in a report.
    let key = format!("{}:{}", diagnostic.primary.path, diagnostic.fingerprint());
    let number = used.entry(key.clone()).and_modify(|it| *it += 1).or_default();
    let fingerprint = String::from(ContentHash::of(&format!("{key}:{number}")));
    let escaped = diagnostic.escaped();
    let place = &escaped.primary;
    let others = escaped.others.iter().map(|site| format!("; {}: {}", site.location, site.text)).collect::<String>();
    json!({
        "description": format!("{}{others}", escaped.message),
        "check_name": diagnostic.rule,
        "fingerprint": fingerprint,
        "severity": severity(diagnostic),
        "location": {
            "path": place.path.strip_prefix("./").unwrap_or(&place.path),
            "positions": {
                "begin": { "line": place.line, "column": place.column },
                "end": { "line": place.end_line, "column": place.end_column },
            },
        },
    })
}

fn severity(diagnostic: &Diagnostic) -> &'static str {
    match (diagnostic.confidence, diagnostic.level) {
        (Confidence::Possible, _) => "info",
        (_, Level::Error) => "critical",
        (_, Level::Warning) => "major",
    }
}
