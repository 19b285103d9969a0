//! `--format github`: annotations of a pull request, by GitHub's workflow commands.
//!
//! GitHub shows at most ten errors and ten warnings of a step, so the ones that count most come first and the rest are
//! counted.

use super::{FormatSpec, Granularity, Reader, Style, count, shown, texts};
use analyzer::{
    Report,
    diagnostic::{Confidence, Diagnostic, Level},
    escape,
    report::{Message, MessageLevel},
};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "github",
    summary: "Annotations for GitHub Actions",
    granularity: Granularity::Report,
    reader: Reader::Tool,
    render,
};

/// The most annotations of a level that GitHub shows of a step.
const MOST: usize = 10;

fn render(report: &Report, style: &Style) -> String {
    let findings = report.parts.iter().flat_map(|part| shown(part, style));
    let messages = report.parts.iter().flat_map(|part| &part.messages);
    let mut annotations: Vec<(Severity, String)> = findings.map(finding).collect();
    annotations.extend(messages.filter_map(message));
    // Stable: the order of findings stays within a level.
    annotations.sort_by_key(|(severity, _)| *severity);
    let mut text = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Notice] {
        let all: Vec<_> = annotations.iter().filter(|(it, _)| *it == severity).collect();
        all.iter().take(MOST).for_each(|(_, line)| text.push_str(line));
        if all.len() > MOST {
            let more = count(all.len() - MOST, &format!("more {}", severity.name()));
            text.push_str(&format!("tsvd-check: {more}; GitHub shows {MOST} of a step\n"));
        }
    }
    escape::text(&text).into_owned()
}

/// The levels of annotations, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Error,
    Warning,
    Notice,
}

impl Severity {
    fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Notice => "notice",
        }
    }
}

fn finding(diagnostic: &Diagnostic) -> (Severity, String) {
    let severity = match (diagnostic.confidence, diagnostic.level) {
        (Confidence::Possible, _) => Severity::Notice,
        (_, Level::Error) => Severity::Error,
        (_, Level::Warning) => Severity::Warning,
    };
    let diagnostic = diagnostic.escaped();
    let place = &diagnostic.primary;
    let mut text = diagnostic.message.clone();
    for site in &diagnostic.others {
        text.push_str(&format!("\n{}: {}", site.location, site.text));
    }
    texts::explanations(&diagnostic).for_each(|it| text.push_str(&format!("\n{it}")));
    if let Some(id) = &diagnostic.replay {
        text.push_str(&format!("\nreplay: tsvd-check replay {id}"));
    }
    // GitHub ignores columns of a range of several lines.
    let columns = match place.line == place.end_line {
        true => format!(",col={},endColumn={}", place.column, place.end_column),
        false => String::new(),
    };
    let (path, title) = (property(&place.path), property(diagnostic.rule));
    let line = format!(
        "::{} file={path},line={},endLine={}{columns},title={title}::{}\n",
        severity.name(),
        place.line,
        place.end_line,
        data(&text)
    );
    (severity, line)
}

/// Errors and warnings about the check itself.
fn message(message: &Message) -> Option<(Severity, String)> {
    let severity = match message.level {
        MessageLevel::Error => Severity::Error,
        MessageLevel::Warning => Severity::Warning,
        MessageLevel::Note | MessageLevel::Info => return None,
    };
    let at = message.location.as_ref().map(|place| {
        format!(" file={},line={},col={}", property(&escape::line(&place.path)), place.line, place.column)
    });
    let line = format!("::{}{}::{}\n", severity.name(), at.unwrap_or_default(), data(&message.text));
    Some((severity, line))
}

/// A text after `::`, as workflow commands escape it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before `::`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn no_text_ends_a_command_or_starts_one() {
        assert_eq!(data("50%\nof a::b"), "50%25%0Aof a::b");
        assert_eq!(property("C:\\a,b::error::x"), "C%3A\\a%2Cb%3A%3Aerror%3A%3Ax");
    }
}
