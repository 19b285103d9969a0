//! Limits the nesting depth of source files before they are parsed.
//!
//! * Symptom: deeply nested source overflows the stack, which cannot be caught, or takes minutes.
//! * Test: `tests/suite/project/nesting.rs`, and below.
//! * Upstream: #9824, #22374.
//! * Goes when: the parser bounds the depth of its trees.
//!
//! rust-analyzer hashes, walks and drops syntax trees recursively, and infers types recursively. Source nested ten
//! thousand levels deep ends the process; a few thousand levels take minutes. The deepest of 24,606 files of published
//! packages has 95 levels.

use crate::project;
use ra_ap_parser::{Edition, LexedStr, StrStep, SyntaxKind, T, TopEntryPoint};

/// Maximum depth of a syntax tree.
const DEEPEST: usize = 1000;

/// The problem with deeper source.
pub(crate) const TOO_DEEP: &str = "nested more than 1000 levels deep, or as long a chain of operators or calls";

/// Upper bounds for the depth that each token adds, and for the depth of a file with one token.
const NODES_PER_TOKEN: usize = 3;
const BASE_NODES: usize = 20;

/// The parser is recursive too: more nested tokens would overflow its stack.
const MAX_TOKENS: usize = 50_000;

/// The offset at which the source exceeds the maximum depth.
pub(crate) fn too_deep(text: &str, edition: Edition) -> Option<usize> {
    let lexed = LexedStr::new(edition, text);
    let (tokens, at) = nested_tokens(&lexed);
    if tokens * NODES_PER_TOKEN + BASE_NODES <= DEEPEST {
        return None;
    }
    if tokens > MAX_TOKENS {
        return Some(lexed.text_start(at));
    }
    project::on_big_stack(|| first_too_deep(&lexed, edition))
}

/// The same, computed from the parser's output.
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

/// Tokens at one bracket level since the last token that ended all nesting there.
#[derive(Default)]
struct Run {
    tokens: usize,
    /// Those that may start something that continues after a comma: type arguments, closure parameters.
    kept: usize,
}

/// An upper bound for the number of tokens each of which is nested in the one before, and the last of them. It counts
/// open brackets, and tokens before and in them since the last end of a statement, item or list element.
fn nested_tokens(lexed: &LexedStr<'_>) -> (usize, usize) {
    let (mut outer, mut run, mut sum) = (Vec::new(), Run::default(), 0);
    let (mut most, mut at, mut after_brace) = (0, 0, false);
    for token in (0..lexed.len()).filter(|token| !lexed.kind(*token).is_trivia()) {
        let kind = lexed.kind(token);
        // The keywords that continue an expression are `else` and `as`; a name never does.
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

    /// A program in which `open` and `close` are repeated.
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
        // Long, but not deeply nested.
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
                let bound = nested_tokens(&lexed).0 * NODES_PER_TOKEN + BASE_NODES;
                assert!(deepest <= bound, "{deepest} > {bound} for {times} {shape:?}");
            }
        }
    }

    #[test]
    fn reports_the_offset() {
        let text = format!("fn main() {{}}\nfn f() {{ {} }}\n", "(".repeat(2_000));
        let at = too_deep(&text, Edition::CURRENT).unwrap();
        assert_eq!(text[..at].lines().count(), 2);
        assert!((990..1_000).contains(&(at - text.find("((").unwrap())), "{at}");
    }
}
