//! How deep a source is nested, before it is parsed.
//!
//! * Symptom: deeply nested source overflows the stack, which nothing catches, or takes minutes.
//! * Test: `tests/suite/project/nesting.rs`, and below.
//! * Upstream: #9824, #22374.
//! * Goes when: the parser bounds the depth of its trees.
//!
//! rust-analyzer hashes, walks and drops its trees with functions that call themselves, and infers types so. What is
//! nested ten thousand deep ends the process, and what is nested some thousand deep takes minutes. Of 24,606 files of
//! published packages the deepest has 95 nodes within each other.

use crate::project;
use ra_ap_parser::{Edition, LexedStr, StrStep, SyntaxKind, T, TopEntryPoint};

/// The nodes that may lie within each other in the tree of a file.
const DEEPEST: usize = 1000;

/// What is wrong with such a source.
pub(crate) const TOO_DEEP: &str = "nested more than 1000 levels deep, or as long a chain of operators or calls";

/// How many of them a token adds at most, and how many a file with one token has.
const NODES_A_TOKEN: usize = 3;
const NODES_AT_LEAST: usize = 20;

/// The parser calls itself too: with more tokens that may nest it would leave its stack.
const MOST_TOKENS: usize = 50_000;

/// The offset at which a source is nested too deep to be parsed.
pub(crate) fn too_deep(text: &str, edition: Edition) -> Option<usize> {
    let lexed = LexedStr::new(edition, text);
    let (tokens, at) = chained(&lexed);
    if tokens * NODES_A_TOKEN + NODES_AT_LEAST <= DEEPEST {
        return None;
    }
    if tokens > MOST_TOKENS {
        return Some(lexed.text_start(at));
    }
    project::on_big_stack(|| first_too_deep(&lexed, edition))
}

/// The same, by what the parser would make of it.
fn first_too_deep(lexed: &LexedStr<'_>, edition: Edition) -> Option<usize> {
    let output = TopEntryPoint::SourceFile.parse(&lexed.to_input(edition));
    let (mut depth, mut offset, mut found) = (0, 0, None);
    lexed.intersperse_trivia(&output, &mut |step| match step {
        StrStep::Token { text, .. } => offset += text.len(),
        StrStep::Enter { .. } => {
            depth += 1;
            if depth > DEEPEST {
                found.get_or_insert(offset);
            }
        }
        StrStep::Exit => depth -= 1,
        StrStep::Error { .. } => {}
    });
    found
}

/// Tokens at one level of brackets, since what ended all that was nested there.
#[derive(Default)]
struct Run {
    tokens: usize,
    /// Those of them that may begin what goes on after a comma: arguments of types, parameters of closures.
    kept: usize,
}

/// How many tokens there are at most of which each may lie within the one before, and where: brackets that are open, and what
/// stands before them and in them since the last end of a statement, an item, or a part of a list.
fn chained(lexed: &LexedStr<'_>) -> (usize, usize) {
    let (mut outer, mut run, mut sum) = (Vec::new(), Run::default(), 0);
    let (mut most, mut at, mut after_brace) = (0, 0, false);
    for token in (0..lexed.len()).filter(|token| !lexed.kind(*token).is_trivia()) {
        let kind = lexed.kind(token);
        // Keywords that go on with an expression are `else` and `as`; a name never does.
        let is_word = kind == SyntaxKind::IDENT || kind.is_keyword(Edition::LATEST);
        if after_brace && (kind == T![#] || is_word && !matches!(kind, T![else] | T![as])) {
            run = Run::default();
        }
        after_brace = kind == T!['}'];
        run.tokens += 1;
        match kind {
            T!['('] | T!['['] | T!['{'] => {
                sum += run.tokens;
                outer.push(std::mem::take(&mut run));
            }
            T![')'] | T![']'] | T!['}'] => {
                if let Some(around) = outer.pop() {
                    run = around;
                    sum -= run.tokens;
                }
            }
            T![;] => run = Run::default(),
            T![,] => run.tokens = run.kept,
            T![<] | T![|] => run.kept += 1,
            _ => {}
        }
        if sum + run.tokens > most {
            (most, at) = (sum + run.tokens, token);
        }
    }
    (most, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program in which `open` and `close` are there so many times.
    fn nested(shape: &(&str, &str, &str, &str), times: usize) -> String {
        let (before, open, close, after) = shape;
        format!("fn main() {{ {before}{}{}{after} }}\n", open.repeat(times), close.repeat(times))
    }

    const SHAPES: [(&str, &str, &str, &str); 31] = [
        ("let x = ", "(", ")", ";"),
        ("let x = ", "{", "}", ";"),
        ("let x = ", "[", "]", ";"),
        ("let x = 1", " + 1", "", ";"),
        ("let x = ", "!", "", "true;"),
        ("let x = ", "&", "", "1;"),
        ("let x = 1", ".max(2)", "", ";"),
        ("let x = y", ".a", "", ";"),
        ("let x = y", "[0]", "", ";"),
        ("let x = y", "?", "", ";"),
        ("let x = 1", " as u8", "", ";"),
        ("let x = ", "a = ", "", "1;"),
        ("let x = ", "..", "", ";"),
        ("let x = ", "||", "", "1;"),
        ("let x = ", "|a, b|", "", "1;"),
        ("", "return ", "", ";"),
        ("", "if a {} else ", "", "{}"),
        ("", "if a { b; ", "}", ""),
        ("", "match a { 1 => {} _ => ", "}", ""),
        ("", "S {} + ", "", "1;"),
        ("", "fn f() { let a = 1; ", "}", ""),
        ("", "mod a { use b; ", "}", ""),
        ("let x: ", "Option<", ">", ";"),
        ("let x: ", "Map<u8, ", ">", ";"),
        ("let x: ", "fn(u8, ", ")", ";"),
        ("let x: ", "impl Fn(", ")", ";"),
        ("let ", "(_, ", ")", ";"),
        ("let ", "&", "", "_;"),
        ("use ", "{a, b::", "}", ";"),
        ("a!(", "[", "]", ");"),
        ("let x = a", "::a", "", ";"),
    ];

    #[test]
    fn deep_and_shallow() {
        for shape in &SHAPES {
            for times in [2_000, 30_000, 300_000 / shape.1.len()] {
                assert!(too_deep(&nested(shape, times), Edition::CURRENT).is_some(), "{times} {shape:?}");
            }
            assert_eq!(too_deep(&nested(shape, 80), Edition::CURRENT), None, "{shape:?}");
        }
        // Long, but not deep.
        for list in ["f(1, |a| b);", "1, ", "fn f() { g() }", "a | b, ", "Vec<u8>, ", "if a {} else {} ", "/*"] {
            assert_eq!(too_deep(&format!("m!{{ {} }}", list.repeat(8_000)), Edition::CURRENT), None, "{list}");
        }
    }

    #[test]
    fn tokens_bound_the_depth() {
        for shape in &SHAPES {
            for times in [1, 10, 300] {
                let text = nested(shape, times);
                let lexed = LexedStr::new(Edition::CURRENT, &text);
                let output = TopEntryPoint::SourceFile.parse(&lexed.to_input(Edition::CURRENT));
                let (mut depth, mut deepest) = (0, 0);
                lexed.intersperse_trivia(&output, &mut |step| match step {
                    StrStep::Enter { .. } => {
                        depth += 1;
                        deepest = deepest.max(depth);
                    }
                    StrStep::Exit => depth -= 1,
                    _ => {}
                });
                let bound = chained(&lexed).0 * NODES_A_TOKEN + NODES_AT_LEAST;
                assert!(deepest <= bound, "{deepest} > {bound} for {times} {shape:?}");
            }
        }
    }

    #[test]
    fn where_it_is() {
        let text = format!("fn main() {{}}\nfn f() {{ {} }}\n", "(".repeat(2_000));
        let at = too_deep(&text, Edition::CURRENT).unwrap();
        assert_eq!(text[..at].lines().count(), 2);
        assert!((990..1_000).contains(&(at - text.find("((").unwrap())), "{at}");
    }
}
