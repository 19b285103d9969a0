//! `--format markdown`: a report for job summaries, issues and chats, with a Mermaid sequence diagram per finding.

use super::{BaseNames, FormatSpec, Granularity, Reader, Style, base_names, shown, summary, texts};
use analyzer::{
    Report,
    diagnostic::{Diagnostic, Step},
    escape,
    project::Location,
    report::{MessageLevel, Part},
};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "markdown",
    summary: "Markdown with a sequence diagram per finding",
    granularity: Granularity::Report,
    reader: Reader::Person,
    render,
};

fn render(report: &Report, style: &Style) -> String {
    if style.is_view {
        let all: Vec<String> = report.findings().map(|it| finding(it, "#")).collect();
        return escape::text(&(all.join("\n\n") + "\n")).into_owned();
    }
    let mut blocks = vec![format!("# tsvd-check: {}", texts::result(report))];
    for part in &report.parts {
        blocks.extend(shown(part, style).map(|it| finding(it, "##")));
        blocks.extend(messages(part));
        let covered: Vec<String> = part.packages.iter().map(|package| summary(package, style, None)).collect();
        if !covered.is_empty() {
            blocks.push(format!("```text\n{}\n```", fenced(&covered.join("\n"))));
        }
    }
    escape::text(&(blocks.join("\n\n") + "\n")).into_owned()
}

/// A finding in a few lines: what happens, the last steps, why, and a fix.
pub(super) fn hover(report: &Report) -> String {
    let text: Vec<String> = report.findings().map(short).collect();
    escape::text(&text.join("\n\n")).into_owned()
}

/// How many steps a hover shows.
const MAX_STEPS: usize = 8;

fn short(diagnostic: &Diagnostic) -> String {
    let diagnostic = &diagnostic.escaped();
    let names = &base_names(diagnostic);
    let mut blocks = vec![format!("**{}**: {}", diagnostic.rule, inline(&diagnostic.title))];
    let skipped = diagnostic.steps.len().saturating_sub(MAX_STEPS);
    let thread = |step: &Step| diagnostic.threads.get(step.thread).map_or("", |it| &it.name).to_owned();
    let steps = diagnostic
        .steps
        .iter()
        .skip(skipped)
        .map(|step| format!("{}. {}: {}", step.number, inline(&thread(step)), inline(&step_text(step, names))));
    let mut steps: Vec<String> = steps.collect();
    if let (Some(last), Some(words)) = (steps.last_mut(), texts::last_words(diagnostic).strip_prefix("-- ")) {
        last.push_str(&format!(" — *{}*", inline(words)));
    }
    if !steps.is_empty() {
        blocks.push(steps.join("\n"));
    }
    blocks.extend(texts::explanations(diagnostic).map(|it| texts::sentence(&inline(it))));
    blocks.extend(diagnostic.help.iter().map(|help| format!("**Help**: {}", inline(&help.text))));
    blocks.push(texts::sentence(&texts::confidence(diagnostic)));
    blocks.join("\n\n")
}

fn finding(diagnostic: &Diagnostic, head: &str) -> String {
    let diagnostic = &diagnostic.escaped();
    let names = &base_names(diagnostic);
    let mut blocks = vec![format!("{head} {}: {}", diagnostic.rule, inline(&diagnostic.title))];
    let site = |place: &Location, text: &str| format!("* {}: {}", link(place), inline(text));
    let others = diagnostic.others.iter().map(|it| site(&it.location, &it.text));
    let sites: Vec<String> = std::iter::once(site(&diagnostic.primary, &diagnostic.label)).chain(others).collect();
    blocks.push(sites.join("\n"));
    if !diagnostic.steps.is_empty() {
        blocks.push(diagram(diagnostic, names));
        blocks.push(table(diagnostic, names));
    }
    let paths = diagnostic.threads.iter().filter_map(|thread| {
        Some(format!("* **{}**: {}", inline(&thread.name), inline(&texts::call_path(thread, names)?)))
    });
    let notes = diagnostic.notes.iter().map(|(head, text)| format!("* **{head}**: {}", inline(text)));
    let explanations: Vec<String> = paths.chain(notes).collect();
    if !explanations.is_empty() {
        blocks.push(explanations.join("\n"));
    }
    if let Some(help) = &diagnostic.help {
        blocks.push(format!("**Help**: {}", inline(&help.text)));
        blocks.push(format!("```rust\n{}\n```", fenced(help.replacement.trim_end())));
    }
    let replay = diagnostic.replay.iter().map(|id| format!("Replay: `tsvd-check replay {id}`. "));
    let replay: String = replay.collect();
    blocks.push(format!(
        "{} {replay}Explain: `tsvd-check explain {}`.",
        texts::sentence(&texts::confidence(diagnostic)),
        diagnostic.rule
    ));
    blocks.join("\n\n")
}

/// `path:line:col` as code.
fn link(place: &Location) -> String {
    format!("`{}:{}:{}`", place.path.replace('`', "'"), place.line, place.column)
}

/// The steps, with an arrow where one thread starts another.
fn diagram(diagnostic: &Diagnostic, names: &BaseNames) -> String {
    let mut lines = vec!["```mermaid".to_owned(), "sequenceDiagram".to_owned()];
    for (index, thread) in diagnostic.threads.iter().enumerate() {
        lines.push(format!("    participant T{index} as {}", mermaid(&thread.name)));
    }
    for step in &diagnostic.steps {
        let text = mermaid(&format!("{}. {}", step.number, step_text(step, names)));
        lines.push(match texts::started(diagnostic, step) {
            Some(other) => format!("    T{}->>T{other}: {text}", step.thread),
            None => format!("    Note over T{}: {text}", step.thread),
        });
    }
    let last = diagnostic.steps.last().map_or(0, |step| step.thread);
    let words = texts::last_words(diagnostic);
    if let Some(words) = words.strip_prefix("-- ") {
        lines.push(format!("    Note over T{last}: {}", mermaid(words)));
    }
    lines.push("```".to_owned());
    lines.join("\n")
}

fn step_text(step: &Step, names: &BaseNames) -> String {
    match &step.location {
        Some(place) => format!("{} ({})", step.text, names.line(place)),
        None => step.text.clone(),
    }
}

/// A column per thread, for viewers that draw no diagrams.
fn table(diagnostic: &Diagnostic, names: &BaseNames) -> String {
    let cell = |text: &str| inline(text).replace('|', "\\|");
    let heads: Vec<String> = diagnostic.threads.iter().map(|thread| cell(&thread.name)).collect();
    let mut lines = vec![format!("| step | {} |", heads.join(" | ")), format!("|---|{}", "---|".repeat(heads.len()))];
    for step in &diagnostic.steps {
        let mut cells = vec![String::new(); heads.len()];
        if let Some(own) = cells.get_mut(step.thread) {
            *own = cell(&step_text(step, names));
        }
        lines.push(format!("| {} | {} |", step.number, cells.join(" | ")));
    }
    lines.join("\n")
}

/// Errors, warnings and notes about the check itself.
fn messages(part: &Part) -> Option<String> {
    let shown = part.messages.iter().filter(|message| message.level != MessageLevel::Info);
    let lines: Vec<String> = shown.map(|message| format!("* {}", inline(&message.to_string()))).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A line of text in which nothing but pairs of single backticks has a meaning. A longer run pairs only with one of its
/// length (CommonMark, "Code spans"), so a name that begins with backticks could end our code early.
fn inline(text: &str) -> String {
    let is_paired = text.matches('`').count().is_multiple_of(2) && !text.contains("``");
    let mut shown = String::new();
    for (index, piece) in text.split('`').enumerate() {
        if index > 0 {
            shown.push_str(if is_paired { "`" } else { "\\`" });
        }
        if is_paired && index % 2 == 1 {
            // An empty line would end the paragraph, and with it the code.
            shown.push_str(&piece.replace(['\n', '\r'], " "));
            continue;
        }
        for character in piece.chars() {
            match character {
                '<' => shown.push_str("&lt;"),
                '&' => shown.push_str("&amp;"),
                '*' | '_' | '[' | ']' | '\\' | '#' | '~' => shown.extend(['\\', character]),
                '\n' | '\r' => shown.push(' '),
                _ => shown.push(character),
            }
        }
    }
    shown
}

/// Text within a fence, which it cannot end.
fn fenced(text: &str) -> String {
    text.replace("```", "'''")
}

/// A text of a diagram: Mermaid gives some characters a meaning.
fn mermaid(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match character {
            '`' => {}
            '#' => shown.push_str("#35;"),
            ';' => shown.push_str("#59;"),
            '<' => shown.push_str("#lt;"),
            '>' => shown.push_str("#gt;"),
            '%' => shown.push_str("#37;"),
            '\n' | '\r' => shown.push(' '),
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{inline, mermaid};

    #[test]
    fn texts_of_a_program_have_no_meaning_in_markdown() {
        assert_eq!(inline("`Vec<T>` is <b>*bold*</b>"), "`Vec<T>` is &lt;b>\\*bold\\*&lt;/b>");
        // With three backticks before it, CommonMark takes this as an image and not as code.
        let image = "`main` and ```![i](https://evil.example/?x)` update";
        assert_eq!(inline(image), "\\`main\\` and \\`\\`\\`!\\[i\\](https://evil.example/?x)\\` update");
        assert_eq!(inline("`a`![i](x)`b\n\n<img>`"), "`a`!\\[i\\](x)`b  <img>`");
        assert_eq!(inline("one ` and [link](x)\n# head"), "one \\` and \\[link\\](x) \\# head");
    }

    #[test]
    fn texts_of_a_program_have_no_meaning_in_a_diagram() {
        assert_eq!(mermaid("`Vec<u8>`; end %% #1"), "Vec#lt;u8#gt;#59; end #37;#37; #35;1");
    }
}
