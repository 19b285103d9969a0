//! The interleaving as a picture: a lane per thread, a box per step, arrows where a thread starts another.

use super::super::{BaseNames, texts};
use super::{Links, plain};
use analyzer::diagnostic::{Diagnostic, Step};
use std::fmt::Write as _;

/// Widths and heights, in units of the picture; a unit is about a pixel.
const LANE: usize = 190;
const BOX: usize = 174;
const LINE: usize = 15;
const HEAD: usize = 34;
const GAP: usize = 14;
/// How many characters fit into a line of a box.
const COLUMNS: usize = 22;
/// How many colours there are for lanes.
const COLOURS: usize = 6;

/// The picture; as wide as its lanes, and as high as its steps.
pub(super) fn svg(diagnostic: &Diagnostic, names: &BaseNames, links: &Links) -> String {
    let lanes = diagnostic.threads.len().max(1);
    let mut shapes = String::new();
    let mut y = HEAD + GAP;
    for step in &diagnostic.steps {
        let lines = wrapped(&step.text);
        let height = LINE * (lines.len() + usize::from(step.location.is_some())) + 12;
        let text = text(step, &lines, names, links, y);
        draw(&mut shapes, diagnostic, step, &text, y, height);
        y += height + GAP;
    }
    let bottom = y;
    let words = texts::last_words(diagnostic);
    if let Some(words) = words.strip_prefix("-- ") {
        let _ = write!(shapes, "<text class=\"head\" x=\"8\" y=\"{}\">{}</text>", y + 4, plain(words));
        y += LINE + GAP;
    }
    let (width, height) = (lanes * LANE, y);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" style=\"min-width:{}px;max-width:{}px\" role=\"img\" aria-label=\"{}\">",
        width * 4 / 5,
        width * 5 / 4,
        plain(&diagnostic.title)
    );
    for (index, thread) in diagnostic.threads.iter().enumerate() {
        let (x, colour) = (middle(index), colour(index));
        let _ = write!(
            svg,
            "<text class=\"head\" x=\"{x}\" y=\"20\" text-anchor=\"middle\" style=\"fill:{colour}\">{}</text>\
             <line class=\"thread\" x1=\"{x}\" y1=\"{HEAD}\" x2=\"{x}\" y2=\"{}\" style=\"stroke:{colour}\"/>",
            plain(&shortened(&thread.name)),
            bottom.saturating_sub(GAP)
        );
    }
    svg + &shapes + "</svg>"
}

fn draw(to: &mut String, diagnostic: &Diagnostic, step: &Step, text: &str, y: usize, height: usize) {
    let (x, colour) = (middle(step.thread) - BOX / 2, colour(step.thread));
    let class = if step.is_access { " class=\"access\"" } else { "" };
    let _ = write!(
        to,
        "<rect{class} x=\"{x}\" y=\"{y}\" width=\"{BOX}\" height=\"{height}\" rx=\"6\" style=\"stroke:{colour}\"/>\
         <circle cx=\"{}\" cy=\"{}\" r=\"9\" style=\"fill:{colour}\"/>\
         <text class=\"number\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        x + 14,
        y + 14,
        x + 14,
        y + 18,
        step.number
    );
    to.push_str(text);
    if let Some(other) = texts::started(diagnostic, step) {
        let (from, to_x) = match other > step.thread {
            true => (x + BOX, middle(other) - 4),
            false => (x, middle(other) + 4),
        };
        let (at, back) = (y + height / 2, if other > step.thread { to_x - 7 } else { to_x + 7 });
        let _ = write!(
            to,
            "<path d=\"M{from} {at} H{to_x} M{back} {} L{to_x} {at} L{back} {}\" style=\"stroke:{colour}\"/>",
            at - 4,
            at + 4
        );
    }
}

/// The lines of a box, as a link to its location.
fn text(step: &Step, lines: &[String], names: &BaseNames, links: &Links, y: usize) -> String {
    let x = middle(step.thread) - BOX / 2 + 28;
    let (mut text, mut baseline) = (String::new(), y + 18);
    for line in lines {
        let _ = write!(text, "<text x=\"{x}\" y=\"{baseline}\">{}</text>", plain(line));
        baseline += LINE;
    }
    let Some(place) = &step.location else { return text };
    let shown = plain(&shortened(&names.line(place)));
    let _ = write!(text, "<text class=\"place\" x=\"{x}\" y=\"{baseline}\">{shown}</text>");
    links.wrapped(place, &text)
}

fn middle(lane: usize) -> usize {
    lane * LANE + LANE / 2
}

fn colour(lane: usize) -> String {
    format!("var(--lane{})", lane % COLOURS)
}

/// A name that fits into a lane.
fn shortened(text: &str) -> String {
    let text = text.replace('`', "");
    match text.chars().count() > COLUMNS {
        true => text.chars().take(COLUMNS - 1).chain(['…']).collect(),
        false => text,
    }
}

/// The text in lines of a box; words that are longer are cut.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.replace('`', "").split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let line = lines.last_mut().expect("there is a first line");
            let used = line.chars().count();
            let gap = usize::from(used > 0);
            if used + gap + word.len() <= COLUMNS {
                line.extend((gap > 0).then_some(' ').into_iter().chain(word));
                break;
            }
            if used == 0 {
                let rest = word.split_off(COLUMNS);
                line.extend(std::mem::replace(&mut word, rest));
            }
            lines.push(String::new());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_fit_into_a_box() {
        assert_eq!(wrapped("takes `Ledger.accounts`"), ["takes Ledger.accounts"]);
        assert_eq!(wrapped("calls Vec::push on Log.entries.of"), ["calls Vec::push on", "Log.entries.of"]);
        let long = "x".repeat(60);
        assert_eq!(wrapped(&long).iter().map(String::len).collect::<Vec<_>>(), [22, 22, 16]);
        assert_eq!(wrapped(""), [""]);
    }
}
