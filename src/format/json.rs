//! `--format json`: the report, without the source texts. `docs/report.schema.json` describes it.

use super::{FormatSpec, Granularity, Reader, Style};
use analyzer::{Report, diagnostic::Diagnostic, escape, report::Reach};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "json",
    summary: "One JSON object with findings, summary and messages (docs/report.schema.json)",
    granularity: Granularity::Report,
    reader: Reader::Person,
    render,
};

fn render(report: &Report, style: &Style) -> String {
    let mut report = report.clone();
    for part in &mut report.parts {
        part.sources.clear();
        part.workspace = None;
        (part.feature_sets, part.entries) = Default::default();
        for package in &mut part.packages {
            package.reach = Reach::default();
            package.findings.retain(|it: &Diagnostic| style.shows_possible || it.counts());
        }
    }
    // The report has only numbers, texts and keys that are texts, so this cannot fail.
    let json = serde_json::to_string_pretty(&report).unwrap_or_default();
    escape::json(&json).into_owned() + "\n"
}
