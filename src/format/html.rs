//! `--format html`: one file without scripts, readable in light and dark, on a phone and printed.

mod lanes;

use super::{FormatSpec, Granularity, Reader, Style, base_names, shown, summary, texts};
use analyzer::{
    Report,
    diagnostic::{Confidence, Diagnostic, Level, Role},
    escape,
    project::Location,
    report::{MessageLevel, Part, SourceFile},
};
use std::{collections::BTreeMap, path::PathBuf};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "html",
    summary: "One HTML file with a lane per thread",
    granularity: Granularity::Report,
    reader: Reader::Person,
    render,
};

const STYLE: &str = include_str!("html/style.css");

fn render(report: &Report, style: &Style) -> String {
    let title = match report.findings().next().filter(|_| style.is_view) {
        Some(finding) => format!("{}: {}", finding.rule, plain(&finding.escaped().title.replace('`', ""))),
        None => format!("tsvd-check: {}", texts::result(report)),
    };
    let mut body = if style.is_view { String::new() } else { format!("<h1>{title}</h1>\n") };
    for part in &report.parts {
        shown(part, style).for_each(|it| body.push_str(&finding(it, &part.sources, style)));
        if style.is_view {
            continue;
        }
        body.push_str(&messages(part));
        for package in &part.packages {
            body.push_str(&format!("<pre class=\"summary\">{}</pre>\n", plain(&summary(package, style, None))));
        }
    }
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    );
    escape::text(&page).into_owned()
}

fn finding(diagnostic: &Diagnostic, sources: &BTreeMap<String, SourceFile>, style: &Style) -> String {
    let links = Links::new(diagnostic, sources, style);
    let id = diagnostic.replay.as_ref().map(|id| format!(" id=\"{}\"", plain(id))).unwrap_or_default();
    // Sources have unescaped paths.
    let places: Vec<&Location> = sites(diagnostic).map(|(place, _)| place).collect();
    let diagnostic = &diagnostic.escaped();
    let names = &base_names(diagnostic);
    let level = match (diagnostic.confidence, diagnostic.level) {
        (Confidence::Possible, _) => "note",
        (_, Level::Error) => "error",
        (_, Level::Warning) => "warning",
    };
    // In a view the finding is the only heading of its level.
    let (head, part) = if style.is_view { ("h1", "h2") } else { ("h2", "h3") };
    let mut html = format!(
        "<article{id}>\n<{head}><span class=\"level-{level}\">{}</span>: {}</{head}>\n",
        diagnostic.rule,
        inline(&diagnostic.title)
    );
    for (place, (shown, text)) in places.into_iter().zip(sites(diagnostic)) {
        let line = marked_line(place, sources).unwrap_or_default();
        let shown_path =
            if style.is_view { names.line(shown) } else { format!("{}:{}:{}", shown.path, shown.line, shown.column) };
        let at = links.wrapped(shown, &format!("<code>{}</code>", plain(&shown_path)));
        html.push_str(&format!("<div class=\"site\"><p>{at} {}</p>{line}</div>\n", inline(text)));
    }
    if !diagnostic.steps.is_empty() {
        html.push_str(&format!(
            "<{part}>How it happens</{part}>\n<div class=\"lanes\">{}</div>\n",
            lanes::svg(diagnostic, names, &links)
        ));
    }
    let paths = diagnostic.threads.iter().filter_map(|thread| {
        Some(format!("<li>{}: {}</li>\n", inline(&thread.name), inline(&texts::call_path(thread, names)?)))
    });
    let paths: String = paths.collect();
    if !paths.is_empty() {
        html.push_str(&format!("<{part}>Call paths</{part}>\n<ul>\n{paths}</ul>\n"));
    }
    let notes: String =
        diagnostic.notes.iter().map(|(head, text)| format!("<li>{}: {}</li>\n", plain(head), inline(text))).collect();
    if !notes.is_empty() {
        html.push_str(&format!("<{part}>Why</{part}>\n<ul>\n{notes}</ul>\n"));
    }
    if let Some(help) = &diagnostic.help {
        let text = texts::sentence(&help.text);
        html.push_str(&format!(
            "<{part}>Help</{part}>\n<p>{}</p>\n<pre>{}</pre>\n",
            inline(&text),
            plain(&help.replacement)
        ));
    }
    let replay: String =
        diagnostic.replay.iter().map(|id| format!(" Replay: <code>tsvd-check replay {}</code>.", plain(id))).collect();
    html.push_str(&format!(
        "<p class=\"muted\">{}{replay} Explain: <code>tsvd-check explain {}</code>.</p>\n</article>\n",
        inline(&texts::sentence(&texts::confidence(diagnostic))),
        diagnostic.rule
    ));
    html
}

/// The locations whose source is shown, with their labels, the primary one first.
fn sites(diagnostic: &Diagnostic) -> impl Iterator<Item = (&Location, &str)> {
    let others = diagnostic.others.iter().filter(|it| it.role != Role::Further);
    let others = others.map(|it| (&it.location, it.text.as_str()));
    std::iter::once((&diagnostic.primary, diagnostic.label.as_str())).chain(others)
}

/// Links by which an editor opens locations; none in a report for everybody.
struct Links(BTreeMap<String, PathBuf>);

impl Links {
    fn new(diagnostic: &Diagnostic, sources: &BTreeMap<String, SourceFile>, style: &Style) -> Links {
        let locations = diagnostic.locations().filter(|_| style.is_view);
        let paths = locations.filter_map(|location| {
            Some((escape::line(&location.path).into_owned(), sources.get(&location.path)?.path.clone()?))
        });
        Links(paths.collect())
    }

    /// Some HTML as a link to a location.
    fn wrapped(&self, place: &Location, html: &str) -> String {
        let Some(path) = self.0.get(&place.path) else { return html.to_owned() };
        let (path, Location { line, column, .. }) = (plain(&path.to_string_lossy()), place);
        format!("<a href=\"#\" data-path=\"{path}\" data-line=\"{line}\" data-column=\"{column}\">{html}</a>")
    }
}

/// The line of a place, its range marked.
fn marked_line(place: &Location, sources: &BTreeMap<String, SourceFile>) -> Option<String> {
    let text = &sources.get(&place.path)?.text;
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    let byte =
        |column: u32| line.char_indices().nth(column.saturating_sub(1) as usize).map_or(line.len(), |(at, _)| at);
    let start = byte(place.column);
    let end = if place.end_line > place.line { line.len() } else { byte(place.end_column).max(start) };
    let indent = line.len() - line.trim_start().len();
    Some(format!(
        "<pre><span class=\"muted\">{:>4} </span>{}<mark>{}</mark>{}</pre>",
        place.line,
        plain(&line[indent.min(start)..start]),
        plain(&line[start..end]),
        plain(&line[end..])
    ))
}

/// Errors, warnings and notes about the check itself.
fn messages(part: &Part) -> String {
    let shown = part.messages.iter().filter(|message| message.level != MessageLevel::Info);
    let items: String = shown.map(|message| format!("<li>{}</li>\n", inline(&message.to_string()))).collect();
    if items.is_empty() { items } else { format!("<ul>\n{items}</ul>\n") }
}

/// A text without markup.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text whose pairs of backticks become code.
fn inline(text: &str) -> String {
    if text.matches('`').count() % 2 == 1 {
        return plain(text);
    }
    let pieces = text.split('`').enumerate();
    let shown = pieces.map(|(index, piece)| match index % 2 {
        1 => format!("<code>{}</code>", plain(piece)),
        _ => plain(piece),
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::inline;

    #[test]
    fn texts_of_a_program_are_no_markup() {
        assert_eq!(inline("`Vec<T>` & <script>"), "<code>Vec&lt;T&gt;</code> &amp; &lt;script&gt;");
        assert_eq!(inline("one ` <"), "one ` &lt;");
    }
}
