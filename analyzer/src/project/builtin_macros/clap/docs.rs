//! Documentation as clap shows it: paragraphs are joined to lines, and the first one is the short form.

use super::super::tokens::Tree;

/// The lines of the documentation, without blank ones at its ends.
fn lines(attributes: &[Vec<Tree<'_>>]) -> Vec<String> {
    let texts = attributes.iter().filter_map(|attribute| match attribute.as_slice() {
        [doc, equals, text] if doc.is_ident("doc") && equals.is_punct('=') => text.string(),
        _ => None,
    });
    let texts = texts.skip_while(|it| is_blank(it));
    let mut lines: Vec<String> = texts
        .flat_map(|text| {
            let lines = text.split('\n').map(|it| it.strip_prefix(' ').unwrap_or(it).to_owned());
            lines.collect::<Vec<_>>()
        })
        .collect();
    while lines.last().is_some_and(|it| is_blank(it)) {
        lines.pop();
    }
    lines
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The short and the long form; `None` without documentation. A long form is there if it says more, or if it is asked
/// for.
pub(super) fn forms(
    attributes: &[Vec<Tree<'_>>],
    is_verbatim: bool,
    asks_for_long: bool,
) -> Option<(String, Option<String>)> {
    let lines = lines(attributes);
    let blank = lines.iter().position(|it| is_blank(it));
    let end = blank.unwrap_or(lines.len());
    if lines.is_empty() {
        return None;
    }
    if is_verbatim {
        let short = lines[..end].join("\n");
        let long = (blank.is_some() || asks_for_long).then(|| lines.join("\n"));
        return Some((short, long));
    }
    let paragraphs = lines.split(|it| is_blank(it)).filter(|it| !it.is_empty());
    let joined = |lines: &[String]| lines.iter().map(|it| it.trim()).collect::<Vec<_>>().join(" ");
    let paragraphs: Vec<String> = paragraphs.map(joined).collect();
    let mut short = paragraphs.first()?.clone();
    let long = (blank.is_some() || asks_for_long).then(|| paragraphs.join("\n\n"));
    if short.ends_with('.') && !short.ends_with("..") {
        short.pop();
    }
    Some((short, long))
}
