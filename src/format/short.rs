//! `--format short`: one line a finding.

use super::place;
use analyzer::diagnostic::Diagnostic;

/// `path:line:col: level[rule]: text (with path:line:col, …)`.
pub fn line(diagnostic: &Diagnostic) -> String {
    let diagnostic = &diagnostic.escaped();
    let mut line = format!(
        "{}: {}[{}]: {}",
        place(&diagnostic.primary),
        diagnostic.level.name(),
        diagnostic.rule,
        diagnostic.message
    );
    if !diagnostic.others.is_empty() {
        let others: Vec<_> = diagnostic.others.iter().map(|it| place(&it.place)).collect();
        line.push_str(&format!(" (with {})", others.join(", ")));
    }
    line
}
