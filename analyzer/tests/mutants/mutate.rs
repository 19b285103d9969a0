//! Mutilates sources: what somebody types, cuts, moves and forgets, and what nobody would.

use interp::rng::Rng;
use ra_ap_syntax::{AstNode, Edition, SourceFile};

/// What stands where it should not.
const ODD: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "::<",
    "|",
    "||",
    "&mut ",
    "*",
    "..",
    "..=",
    "...",
    "?",
    ".await",
    "'a",
    "'static ",
    "#[",
    "#![cfg(",
    "!",
    ";;",
    "=>",
    "->",
    "r#",
    "\"",
    "/*",
    "async ",
    "unsafe ",
    "const ",
    "impl ",
    "dyn ",
    "where ",
    "self",
    "super::",
    "$",
    "1e",
    "\u{1F980}",
];

/// A source with a few faults in it.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut tokens = tokens(text);
    // Most faults come alone.
    for _ in 0..[1, 1, 1, 2, 3, 6][rng.index(6)] {
        if tokens.is_empty() {
            break;
        }
        let (at, other) = (at(&tokens, rng), at(&tokens, rng));
        let most = [1, 4, 40][rng.index(3)];
        let run = 1 + rng.index(most);
        let end = (at + run).min(tokens.len());
        match rng.below(13) {
            0 | 1 => tokens.truncate(at),
            2..=4 => drop(tokens.drain(at..end)),
            5 => tokens.swap(at, other),
            6 => {
                let near = (at + 2).min(tokens.len() - 1);
                tokens.swap(at, near);
            }
            7 => {
                let copy: Vec<String> = tokens[at..end].to_vec();
                tokens.splice(other..other, copy);
            }
            8 => {
                let moved: Vec<String> = tokens.drain(at..end).collect();
                let to = rng.index(tokens.len() + 1);
                tokens.splice(to..to, moved);
            }
            9 | 10 => tokens[at] = tokens[other].clone(),
            11 => tokens.insert(at, ODD[rng.index(ODD.len())].to_owned()),
            _ => {
                // In the middle of a word.
                let mut cut = rng.index(tokens[at].len() + 1);
                while !tokens[at].is_char_boundary(cut) {
                    cut -= 1;
                }
                tokens[at].truncate(cut);
            }
        }
    }
    tokens.concat()
}

/// Also what is white space, so that the text is all of them.
fn tokens(text: &str) -> Vec<String> {
    let tree = SourceFile::parse(text, Edition::CURRENT).tree();
    let tokens = tree.syntax().descendants_with_tokens().filter_map(|it| it.into_token());
    tokens.map(|token| token.text().to_owned()).collect()
}

/// A token that is no white space, if there is one near.
fn at(tokens: &[String], rng: &mut Rng) -> usize {
    let at = rng.index(tokens.len());
    if tokens[at].trim().is_empty() { (at + 1).min(tokens.len() - 1) } else { at }
}
