//! Command lines in a package's tests: those that they start its program with, or that they give to its parser.
//!
//! They are found in the source text, so tests need not run. A word that is no literal is left open.

use interp::host::{CommandLine, CommandWord, Texts};
use ra_ap_syntax::{
    AstNode, AstToken, NodeOrToken, SourceFile, SyntaxKind, SyntaxNode, SyntaxToken, T, TextRange,
    ast::{self, HasArgList},
};
use rustc_hash::FxHashMap;
use std::{collections::BTreeSet, sync::Arc};

/// Maximum number of words.
const MOST_WORDS: usize = 16;
/// Maximum length of a word, in bytes.
const LONGEST: usize = 128;
/// Maximum number of other texts of a test.
const MOST_TEXTS: usize = 32;
/// Maximum number of nodes and tokens among which they are looked for: functions may lie in each other.
const MOST_TOKENS: usize = 20_000;
/// Functions of clap that parse a list of words, the first of which is the program's name. `from_iter` of structopt is not
/// among them: most functions of that name are those of collections.
const PARSERS: [&str; 5] =
    ["parse_from", "try_parse_from", "get_matches_from", "get_matches_from_safe", "try_get_matches_from"];
/// Parts of names of variables that are given as numbers.
const NUMBERS: [&str; 6] = ["port", "count", "number", "size", "jobs", "threads"];
/// With these a program only describes itself.
const DESCRIBES: [&[u8]; 4] = [b"--help", b"-h", b"--version", b"-V"];

/// The command lines in a source file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CommandLines {
    /// Those that are given to a parser.
    pub(super) parsed: Vec<CommandLine>,
    /// Those that a program seems to be started with. In code without tests it may be any program.
    pub(super) started: Vec<CommandLine>,
    /// Short texts of each test without a command line.
    pub(super) other_tests: Vec<Texts>,
    /// Whether the file has tests.
    pub(super) has_tests: bool,
}

/// The command lines, in the order of the source.
pub(super) fn of(file: &SourceFile) -> CommandLines {
    let (mut found, mut texts) = (CommandLines::default(), FunctionTexts::default());
    let mut tests = Vec::new();
    for element in file.syntax().descendants_with_tokens() {
        match element {
            NodeOrToken::Token(token) if token.kind() == T!['['] => {
                let Some(words) = list(&token) else { continue };
                match is_parsed(&token) {
                    true => {
                        found.parsed.extend(usable(words.into_iter().skip(1).collect(), token.parent(), &mut texts))
                    }
                    false if words.iter().any(is_option) => {
                        found.started.extend(usable(words, token.parent(), &mut texts))
                    }
                    false => {}
                }
            }
            NodeOrToken::Node(node) => {
                if ast::Attr::cast(node.clone()).is_some_and(|it| is_test(&it)) {
                    found.has_tests = true;
                    tests.extend(node.parent().and_then(ast::Fn::cast));
                }
                let words = ast::MethodCallExpr::cast(node.clone()).and_then(|it| of_chain(&it));
                found.started.extend(words.and_then(|words| usable(words, Some(node), &mut texts)));
            }
            NodeOrToken::Token(_) => {}
        }
    }
    let others = tests.iter().filter(|it| !texts.0.contains_key(&it.syntax().text_range()));
    found.other_tests = others.map(|it| short_texts(it.syntax())).filter(|it| !it.is_empty()).collect();
    found
}

/// Whether an attribute is like `#[test]`, `#[tokio::test]` or `#[rstest]`.
fn is_test(attribute: &ast::Attr) -> bool {
    let last = attribute.path().and_then(|it| it.segment()).and_then(|it| it.name_ref());
    last.is_some_and(|it| it.text().ends_with("test"))
}

fn is_text(word: &CommandWord) -> bool {
    matches!(word, CommandWord::Text(_))
}

fn is_option(word: &CommandWord) -> bool {
    matches!(word, CommandWord::Text(text) if text.len() > 1 && text.starts_with(b"-"))
}

/// The texts of functions.
#[derive(Default)]
struct FunctionTexts(FxHashMap<TextRange, Texts>);

impl FunctionTexts {
    /// The short texts of the function around a node that are no words of this command line.
    fn around(&mut self, node: &SyntaxNode, words: &[CommandWord]) -> Texts {
        let Some(function) = node.ancestors().find_map(ast::Fn::cast) else { return Arc::default() };
        let texts = self.0.entry(function.syntax().text_range()).or_insert_with(|| short_texts(function.syntax()));
        let is_word = |text: &[u8]| words.iter().any(|it| matches!(it, CommandWord::Text(it) if **it == *text));
        match texts.iter().any(|it| is_word(it)) {
            true => texts.iter().filter(|it| !is_word(it)).cloned().collect(),
            false => texts.clone(),
        }
    }
}

/// The literals that are names or the like.
fn short_texts(node: &SyntaxNode) -> Texts {
    let tokens = node.descendants_with_tokens().take(MOST_TOKENS).filter_map(NodeOrToken::into_token);
    let literals = tokens.filter_map(|token| match token.kind() {
        SyntaxKind::STRING => Some(ast::String::cast(token)?.value().ok()?.into_owned().into_bytes()),
        SyntaxKind::BYTE_STRING => Some(ast::ByteString::cast(token)?.value().ok()?.into_owned()),
        _ => None,
    });
    let is_short = |text: &Vec<u8>| {
        (1..=LONGEST).contains(&text.len()) && !text.iter().any(|it| it.is_ascii_whitespace() || it.is_ascii_control())
    };
    let texts: BTreeSet<Box<[u8]>> = literals.filter(is_short).take(MOST_TEXTS).map(Into::into).collect();
    texts.into_iter().collect()
}

/// A command line with which a program does something.
fn usable(words: Vec<CommandWord>, at: Option<SyntaxNode>, texts: &mut FunctionTexts) -> Option<CommandLine> {
    let is_fit = |word: &CommandWord| match word {
        CommandWord::Text(text) => text.len() <= LONGEST && !text.contains(&0) && !DESCRIBES.contains(&&**text),
        CommandWord::Number | CommandWord::Any => true,
    };
    let is_usable = words.iter().any(is_text) && words.len() <= MOST_WORDS && words.iter().all(is_fit);
    let at = at.filter(|_| is_usable)?;
    Some(CommandLine { texts: texts.around(&at, &words), words: words.into() })
}

/// The elements of a list that begins with a bracket; `None` if none of them is a literal text, or one is a list itself.
fn list(open: &SyntaxToken) -> Option<Vec<CommandWord>> {
    if open.prev_token().is_some_and(|it| matches!(it.kind(), T![#] | T![!]) && !is_macro(&it)) {
        return None;
    }
    let (mut words, mut element, mut depth) = (Vec::new(), Vec::new(), 0_usize);
    let mut token = open.next_token()?;
    loop {
        match token.kind() {
            T![']'] if depth == 0 => break,
            T!['['] | T![;] => return None,
            T!['('] | T!['{'] => depth += 1,
            T![')'] | T!['}'] => depth = depth.checked_sub(1)?,
            T![,] if depth == 0 => {
                words.push(word(&element));
                element.clear();
            }
            _ => {}
        }
        if !(token.kind().is_trivia() || token.kind() == T![,] && depth == 0) {
            element.push(token.clone());
        }
        if words.len() > MOST_WORDS {
            return None;
        }
        token = token.next_token()?;
    }
    if !element.is_empty() {
        words.push(word(&element));
    }
    words.iter().any(is_text).then_some(words)
}

/// Whether a `!` is that of `vec![..]` and the like, and not of an inner attribute.
fn is_macro(token: &SyntaxToken) -> bool {
    token.kind() == T![!] && token.prev_token().is_some_and(|it| it.kind() == SyntaxKind::IDENT)
}

/// A word: the text if there is one literal and nothing that is put into it, else what its names say.
fn word(tokens: &[SyntaxToken]) -> CommandWord {
    let mut literals = tokens.iter().filter(|it| it.kind() == SyntaxKind::STRING);
    let is_macro = tokens.iter().any(|it| it.kind() == T![!]);
    let text = match (literals.next(), literals.next()) {
        (Some(text), None) if !is_macro => {
            ast::String::cast(text.clone()).and_then(|it| it.value().ok().map(|it| it.into_owned()))
        }
        _ => None,
    };
    let is_number =
        |it: &SyntaxToken| it.kind() == SyntaxKind::IDENT && NUMBERS.iter().any(|part| it.text().contains(part));
    match text {
        Some(text) => CommandWord::Text(text.into_bytes().into()),
        None if tokens.iter().any(is_number) && !is_macro => CommandWord::Number,
        None => CommandWord::Any,
    }
}

/// Whether a list is an argument of a function that parses it.
fn is_parsed(open: &SyntaxToken) -> bool {
    let Some(call) = open.parent_ancestors().find_map(ast::ArgList::cast).and_then(|it| it.syntax().parent()) else {
        return false;
    };
    let name = match (ast::MethodCallExpr::cast(call.clone()), ast::CallExpr::cast(call)) {
        (Some(call), _) => call.name_ref(),
        (_, Some(call)) => match call.expr() {
            Some(ast::Expr::PathExpr(path)) => path.path().and_then(|it| it.segment()).and_then(|it| it.name_ref()),
            _ => None,
        },
        _ => None,
    };
    name.is_some_and(|it| PARSERS.iter().any(|parser| it.text() == *parser))
}

/// The words of a chain of `.arg(..)` and `.args(..)`, unless it begins with another program's name.
fn of_chain(last: &ast::MethodCallExpr) -> Option<Vec<CommandWord>> {
    let is_word = |it: &ast::MethodCallExpr| it.name_ref().is_some_and(|it| matches!(it.text(), "arg" | "args"));
    let outer = |call: &ast::MethodCallExpr| {
        let outer = ast::MethodCallExpr::cast(call.syntax().parent()?)?;
        outer.receiver().is_some_and(|it| it.syntax() == call.syntax()).then_some(outer)
    };
    let goes_on = || std::iter::successors(outer(last), outer).any(|it| is_word(&it));
    if !is_word(last) || goes_on() {
        return None;
    }
    let mut calls = Vec::new();
    let mut receiver = Some(ast::Expr::MethodCallExpr(last.clone()));
    while let Some(ast::Expr::MethodCallExpr(call)) = receiver {
        receiver = call.receiver();
        calls.push(call);
    }
    if receiver.is_some_and(|it| names_a_program(it.syntax())) {
        return None;
    }
    let mut words = Vec::new();
    for call in calls.iter().rev().filter(|it| is_word(it)) {
        let args = call.arg_list()?;
        let is_list = call.name_ref().is_some_and(|it| it.text() == "args");
        let tokens = || args.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
        match is_list {
            true => words.extend(tokens().find(|it| it.kind() == T!['[']).and_then(|it| list(&it)).unwrap_or_default()),
            false => {
                let inner: Vec<SyntaxToken> = tokens().filter(|it| !it.kind().is_trivia()).collect();
                words.push(word(&inner));
            }
        }
    }
    Some(words)
}

/// Whether an expression is like `Command::new("git")`.
fn names_a_program(expr: &SyntaxNode) -> bool {
    let Some(call) = ast::CallExpr::cast(expr.clone()) else { return false };
    let is_new = call.expr().is_some_and(|it| it.syntax().text().to_string().ends_with("new"));
    let first = call.arg_list().and_then(|it| it.args().next());
    is_new && matches!(first, Some(ast::Expr::Literal(_)))
}

#[cfg(test)]
mod tests {
    use super::{CommandLine, CommandWord, of};
    use ra_ap_syntax::{Edition, SourceFile};

    fn shown(lines: &[CommandLine]) -> Vec<String> {
        let word = |it: &CommandWord| match it {
            CommandWord::Text(text) => String::from_utf8_lossy(text).into_owned(),
            CommandWord::Number => "#".to_owned(),
            CommandWord::Any => "_".to_owned(),
        };
        lines.iter().map(|line| line.words.iter().map(word).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn command_lines_of_tests() {
        let source = r#"
#![cfg(test)]
#[test]
fn starts() {
    assert_output(&["foo", "--exec", "echo {}"], "x");
    env.run(vec!["-a", &format!("--x={y}"), path, "b".to_owned()]);
    other(&["one", "two"]);
    let mut command = Command::cargo_bin("fd").unwrap();
    command.arg("serve").arg("--port").arg(port.to_string()).current_dir(folder).args(["a", "b"]).assert();
    Command::new(env!("CARGO_BIN_EXE_fd")).args(&["x"]).arg("--help").status();
    Command::new("git").args(["commit", "-m", "text"]).status();
    Args::parse_from(["program", "client"]);
    HashSet::from_iter(["one", "two"]);
    App::new("x").arg(Arg::new("y")).get_matches_from(vec!["program", "--level", "3"]);
    let nested = [["-a"], ["-b"]];
    let many = ["-x"; 3];
}
#[rstest]
fn serves(#[with(&["-A", "--render"])] server: Server) {
    fetch!(b"COPY", format!("{}test.html", server.url())).header("Destination", "a text").header("-A", "F");
}
#[rstest]
fn lists(server: Server) { get("{}dir?zip") }
fn helps() { get("other") }
"#;
        let found = of(&SourceFile::parse(source, Edition::CURRENT).tree());
        assert!(found.has_tests && !of(&SourceFile::parse("#[inline] fn f() {}", Edition::CURRENT).tree()).has_tests);
        assert_eq!(shown(&found.parsed), ["client", "--level 3"]);
        let started =
            ["foo --exec echo {}", "-a _ _ b", "serve --port # a b", "commit -m text", "-a", "-b", "-A --render"];
        assert_eq!(shown(&found.started), started);
        let shown =
            |texts: &[Box<[u8]>]| texts.iter().map(|it| String::from_utf8_lossy(it).into()).collect::<Vec<String>>();
        assert_eq!(shown(&found.started.last().unwrap().texts), ["COPY", "Destination", "F", "{}test.html"]);
        assert_eq!(found.other_tests.iter().map(|it| shown(it)).collect::<Vec<_>>(), [["{}dir?zip"]]);
    }
}
