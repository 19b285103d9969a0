//! `--format short`: one line for each finding.

use super::{FormatSpec, Granularity, Reader, Style, shown};
use analyzer::{Report, diagnostic::Diagnostic, escape};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "short",
    summary: "One line for each finding",
    granularity: Granularity::Finding,
    reader: Reader::Person,
    render,
};

fn render(report: &Report, style: &Style) -> String {
    let findings = report.parts.iter().flat_map(|part| shown(part, style));
    let text: String = findings.map(|it| line(it) + "\n").collect();
    escape::text(&text).into_owned()
}

/// `path:line:col: level[rule]: text (with path:line:col, …)`.
pub fn line(diagnostic: &Diagnostic) -> String {
    let diagnostic = &diagnostic.escaped();
    let mut line =
        format!("{}: {}[{}]: {}", diagnostic.primary, diagnostic.level.name(), diagnostic.rule, diagnostic.message);
    if !diagnostic.others.is_empty() {
        let others: Vec<_> = diagnostic.others.iter().map(|it| it.location.to_string()).collect();
        line.push_str(&format!(" (with {})", others.join(", ")));
    }
    line
}
