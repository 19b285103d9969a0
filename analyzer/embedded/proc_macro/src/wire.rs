//! The form in which tokens come to an interpreted macro and leave it.
//!
//! Each token is a letter, the number of its span and a space: `i` an identifier, `r` a raw one, `l` a literal, each
//! followed by its length in bytes, a space and its text; `p` and `j` a character of punctuation, alone or joint; the
//! delimiters `(`, `)`, `{`, `}`, `[`, `]`, and `<`, `>` for those that are not written.

use super::*;
use std::io::Write as _;

pub(crate) const CALL_SITE: u32 = 0;
pub(crate) const MIXED_SITE: u32 = 1;
pub(crate) const DEF_SITE: u32 = 2;

/// The input of a macro, which is in the arguments of the program: its name, the tokens of the item or call, and those of
/// an attribute's arguments.
pub fn input() -> (String, TokenStream, TokenStream) {
    let mut args = std::env::args().skip(1);
    let mut next = || args.next().expect("an argument");
    (next(), read(&next()), read(&next()))
}

/// Prints the output of a macro.
pub fn print(output: &TokenStream) {
    std::io::stdout().write_all(write(output).as_bytes()).expect("a working output");
}

/// The stream that a text stands for.
fn read(text: &str) -> TokenStream {
    let mut rest = text;
    let number = |rest: &mut &str| {
        let (number, after) = rest.split_once(' ').expect("a number");
        *rest = after;
        number.parse::<u32>().expect("a number")
    };
    let mut open: Vec<(Delimiter, Span, Vec<TokenTree>)> = Vec::new();
    let mut trees: Vec<TokenTree> = Vec::new();
    while !rest.is_empty() {
        let (kind, after) = rest.split_at(1);
        rest = after;
        let span = Span(number(&mut rest));
        let delimiter = match kind {
            "(" | ")" => Delimiter::Parenthesis,
            "{" | "}" => Delimiter::Brace,
            "[" | "]" => Delimiter::Bracket,
            _ => Delimiter::None,
        };
        match kind {
            "(" | "{" | "[" | "<" => open.push((delimiter, span, std::mem::take(&mut trees))),
            ")" | "}" | "]" | ">" => {
                let (delimiter, start, around) = open.pop().expect("an open group");
                let stream = TokenStream(Rc::new(std::mem::replace(&mut trees, around)));
                trees.push(TokenTree::Group(Group { delimiter, stream, open: start, close: span }));
            }
            "p" | "j" => {
                let char = rest.chars().next().expect("a character");
                rest = &rest[char.len_utf8()..];
                let spacing = if kind == "j" { Spacing::Joint } else { Spacing::Alone };
                trees.push(TokenTree::Punct(Punct { char, spacing, span }));
            }
            _ => {
                let length = number(&mut rest) as usize;
                let (text, after) = rest.split_at(length);
                rest = after;
                trees.push(match kind {
                    "l" => TokenTree::Literal(Literal { text: text.into(), span }),
                    _ => TokenTree::Ident(Ident { text: text.into(), is_raw: kind == "r", span }),
                });
            }
        }
    }
    TokenStream(Rc::new(trees))
}

/// The text that stands for a stream.
fn write(stream: &TokenStream) -> String {
    let mut text = String::new();
    add(stream, &mut text);
    text
}

fn add(stream: &TokenStream, to: &mut String) {
    let put = |to: &mut String, kind: &str, span: Span| {
        to.push_str(kind);
        to.push_str(&span.0.to_string());
        to.push(' ');
    };
    for tree in stream.0.iter() {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("<", ">"),
                };
                put(to, open, group.open);
                add(&group.stream, to);
                put(to, close, group.close);
            }
            TokenTree::Punct(punct) => {
                put(to, if punct.spacing == Spacing::Joint { "j" } else { "p" }, punct.span);
                to.push(punct.char);
            }
            TokenTree::Ident(ident) => {
                put(to, if ident.is_raw { "r" } else { "i" }, ident.span);
                to.push_str(&ident.text.len().to_string());
                to.push(' ');
                to.push_str(&ident.text);
            }
            TokenTree::Literal(literal) => {
                put(to, "l", literal.span);
                to.push_str(&literal.text.len().to_string());
                to.push(' ');
                to.push_str(&literal.text);
            }
        }
    }
}
