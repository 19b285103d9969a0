//! Comments that suppress findings: `// tsvd: allow(rule, reason = "...")`, behind a line of code or above a statement,
//! a field or an item. A comment covers findings with a site in that text, or about a field or static declared there.

mod scope;

use crate::{
    diagnostic::Diagnostic,
    guard,
    project::{Location, Project},
    rules::RULES,
};
use ra_ap_syntax::{AstNode, AstToken, Edition, SourceFile, TextRange, ast};
use scope::Scope;

/// The start of such a comment.
const MARK: &str = "tsvd:";

/// The start of a reason that is still to be written.
const TO_DO: &str = "TODO";

/// A comment that suppresses a rule's findings, as an editor inserts it: it is in effect, but the reason is asked for.
pub fn comment(rule: &str) -> String {
    format!("// {MARK} allow({rule}, reason = \"{TO_DO}: say why this is safe\")")
}

/// The comments of a project.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    comments: Vec<AllowComment>,
    /// Invalid comments, with the reason.
    pub warnings: Vec<(Location, String)>,
}

/// A comment that allows a rule's findings.
#[derive(Clone, Debug)]
struct AllowComment {
    /// The location of the comment.
    location: Location,
    scope: Scope,
    rule: String,
    /// Whether it suppressed a finding.
    is_used: bool,
}

impl Allowed {
    /// Reads the comments of the user's files.
    pub fn of(project: &Project) -> Allowed {
        let mut allowed = Allowed::default();
        for file in project.local_files() {
            let path = project.locate(file, TextRange::default()).path;
            let Some(text) = project.text_of(&path).filter(|text| text.contains(MARK)) else { continue };
            let tree = guard::caught(project.db(), || SourceFile::parse(&text, Edition::CURRENT).tree());
            let Some(tree) = tree else { continue };
            let lines = code_lines(&text);
            let tokens = tree.syntax().descendants_with_tokens().filter_map(|it| it.into_token());
            for comment in tokens.filter_map(ast::Comment::cast) {
                let location = project.locate(file, comment.syntax().text_range());
                match parse(comment.text()) {
                    None => {}
                    Some(Ok(Allow { rule, has_reason })) => {
                        let line = code_line(&lines, location.line);
                        let scope = || Scope::of(project, file, comment.syntax(), &location, line);
                        let line_alone = Scope::Line(location.path.clone(), line);
                        let scope = guard::caught(project.db(), scope).unwrap_or(line_alone);
                        if !has_reason {
                            let text = format!("`allow({rule})` still needs its reason: say why this is safe");
                            allowed.warnings.push((location.clone(), text));
                        }
                        allowed.comments.push(AllowComment { location, scope, rule, is_used: false });
                    }
                    Some(Err(wrong)) => allowed.warnings.push((location, wrong)),
                }
            }
        }
        allowed
    }

    /// Whether comments suppress a finding; they then count as used.
    pub fn covers(&mut self, diagnostic: &Diagnostic) -> bool {
        let sites = || diagnostic.others.iter().map(|site| &site.location).chain([&diagnostic.primary]);
        let mut is_covered = false;
        for comment in self.comments.iter_mut().filter(|comment| comment.rule == diagnostic.rule) {
            let is_there = sites().chain(&diagnostic.declared).any(|it| comment.scope.contains(it));
            comment.is_used |= is_there;
            is_covered |= is_there;
        }
        is_covered
    }

    /// Comments that have suppressed nothing so far, with their rules.
    pub fn unused(&self) -> impl Iterator<Item = (&Location, &str)> {
        self.comments
            .iter()
            .filter(|comment| !comment.is_used)
            .map(|comment| (&comment.location, comment.rule.as_str()))
    }
}

/// The lines of a text that have code in them, counted from 1.
fn code_lines(text: &str) -> Vec<u32> {
    let is_code = |text: &str| !text.trim().is_empty() && !text.trim_start().starts_with("//");
    (1..).zip(text.lines()).filter(|(_, text)| is_code(text)).map(|(line, _)| line).collect()
}

/// The line of code that a comment belongs to: its own, or the next one if it has none of its own.
fn code_line(lines: &[u32], line: u32) -> u32 {
    lines.get(lines.partition_point(|code| *code < line)).copied().unwrap_or(line)
}

/// What a comment says.
#[derive(PartialEq, Eq, Debug)]
struct Allow {
    rule: String,
    /// Whether its reason is written.
    has_reason: bool,
}

/// What a comment says, or what is wrong with it; `None` if it is an ordinary comment.
fn parse(comment: &str) -> Option<Result<Allow, String>> {
    let text = comment.strip_prefix("//")?.trim().strip_prefix(MARK)?.trim();
    let Some(inner) = text.strip_prefix("allow(").and_then(|text| text.strip_suffix(')')) else {
        return Some(Err("expected `tsvd: allow(rule, reason = \"...\")`".to_owned()));
    };
    let (rule, reason) = inner.split_once(',').map_or((inner, ""), |(rule, reason)| (rule, reason));
    let rule = rule.trim();
    if RULES.iter().all(|known| known.name != rule) {
        return Some(Err(format!("unknown rule `{rule}`: this comment suppresses nothing")));
    }
    let reason = reason.trim().strip_prefix("reason").map(str::trim_start).and_then(|it| it.strip_prefix('='));
    let reason = reason.map(str::trim).and_then(|it| it.strip_prefix('"')).and_then(|it| it.strip_suffix('"'));
    // `...` is the form that reports show, not a reason.
    match reason.filter(|reason| reason.contains(char::is_alphanumeric)) {
        None => Some(Err(format!("`allow({rule})` has no reason: this comment suppresses nothing"))),
        Some(reason) => Some(Ok(Allow { rule: rule.to_owned(), has_reason: !reason.trim().starts_with(TO_DO) })),
    }
}

#[cfg(test)]
mod tests {
    use super::{Allow, code_line, code_lines, comment, parse};

    #[test]
    fn comments() {
        assert_eq!(parse("// just words"), None);
        let deadlock = |has_reason| Some(Ok(Allow { rule: "deadlock".to_owned(), has_reason }));
        assert_eq!(parse("// tsvd: allow(deadlock, reason = \"tests only\")"), deadlock(true));
        assert_eq!(parse(&comment("deadlock")), deadlock(false));
        let wrong = |comment: &str| parse(comment).and_then(Result::err).unwrap_or_default();
        assert_eq!(
            wrong("// tsvd: allow(gridlock, reason = \"x\")"),
            "unknown rule `gridlock`: this comment suppresses nothing"
        );
        for without in ["", ", reason = \" \"", ", reason = \"...\"", ", x"] {
            let comment = format!("// tsvd: allow(deadlock{without})");
            assert_eq!(wrong(&comment), "`allow(deadlock)` has no reason: this comment suppresses nothing");
        }
        assert!(wrong("// tsvd: ignore").starts_with("expected"));
    }

    #[test]
    fn a_comment_belongs_to_its_own_line_or_the_next_one_with_code() {
        let text = "let a = 1; // here\n// above\n// more\n\nlet b = 2;\n";
        let lines = code_lines(text);
        let line = |line| code_line(&lines, line);
        assert_eq!((line(1), line(2), line(3), line(6)), (1, 5, 5, 6));
    }
}
