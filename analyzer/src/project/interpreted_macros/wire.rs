//! Tokens as interpreted macros read and write them: the other side of `analyzer/embedded/proc_macro/src/wire.rs`, which
//! describes the form.

use ra_ap_span::Span;
use ra_ap_tt::{
    Delimiter, DelimiterKind, Ident, IdentIsRaw, Leaf, Punct, Spacing, TokenTreesView, TopSubtree, TopSubtreeBuilder,
    TtElement, token_to_literal,
};
use std::fmt::Write as _;

/// The input of a macro.
pub(super) struct Input {
    /// The texts of the item or call, and of an attribute's arguments.
    pub(super) texts: [String; 2],
    /// The spans by their numbers. The first are those of the sites of the call, of mixed hygiene, of the definition.
    spans: Vec<Span>,
}

impl Input {
    pub(super) fn new(sites: [Span; 3], subtree: &TopSubtree, attrs: Option<&TopSubtree>) -> Input {
        let mut input = Input { texts: [String::new(), String::new()], spans: sites.to_vec() };
        let item = input.text_of(subtree.token_trees());
        let args = attrs.map(|it| input.text_of(it.token_trees())).unwrap_or_default();
        input.texts = [item, args];
        input
    }

    fn text_of(&mut self, trees: TokenTreesView<'_>) -> String {
        let mut text = String::new();
        self.add(trees, &mut text);
        text
    }

    fn add(&mut self, trees: TokenTreesView<'_>, to: &mut String) {
        for tree in trees.iter() {
            match tree {
                TtElement::Leaf(Leaf::Punct(punct)) => {
                    self.put(if punct.spacing == Spacing::Joint { 'j' } else { 'p' }, punct.span, to);
                    to.push(punct.char);
                }
                TtElement::Leaf(Leaf::Ident(ident)) => {
                    self.put(if ident.is_raw.yes() { 'r' } else { 'i' }, ident.span, to);
                    put_text(ident.sym.as_str(), to);
                }
                TtElement::Leaf(Leaf::Literal(literal)) => {
                    self.put('l', literal.span, to);
                    put_text(&literal.to_string(), to);
                }
                TtElement::Subtree(subtree, inside) => {
                    let (open, close) = match subtree.delimiter.kind {
                        DelimiterKind::Parenthesis => ('(', ')'),
                        DelimiterKind::Brace => ('{', '}'),
                        DelimiterKind::Bracket => ('[', ']'),
                        DelimiterKind::Invisible => ('<', '>'),
                    };
                    self.put(open, subtree.delimiter.open, to);
                    self.add(inside.remaining(), to);
                    self.put(close, subtree.delimiter.close, to);
                }
            }
        }
    }

    /// Adds the kind and the span of a token.
    fn put(&mut self, kind: char, span: Span, to: &mut String) {
        let number = self.spans.len();
        self.spans.push(span);
        write!(to, "{kind}{number} ").expect("texts take everything");
    }

    /// The tree that a macro's output stands for, and its text; `None` if it is malformed.
    pub(super) fn tree(&self, output: &str) -> Option<(TopSubtree, String)> {
        let site = self.spans[0];
        let mut builder = TopSubtreeBuilder::new(Delimiter { open: site, close: site, kind: DelimiterKind::Invisible });
        let mut rest = output;
        let (mut depth, mut written) = (0_usize, String::new());
        while let Some(kind) = rest.chars().next() {
            rest = &rest[kind.len_utf8()..];
            let span = *self.spans.get(number(&mut rest)?)?;
            let delimiter = match kind {
                '(' | ')' => DelimiterKind::Parenthesis,
                '{' | '}' => DelimiterKind::Brace,
                '[' | ']' => DelimiterKind::Bracket,
                _ => DelimiterKind::Invisible,
            };
            match kind {
                '(' | '{' | '[' | '<' => {
                    depth += 1;
                    written.extend((kind != '<').then_some(kind));
                    builder.open(delimiter, span);
                }
                ')' | '}' | ']' | '>' => {
                    depth = depth.checked_sub(1)?;
                    written.extend((kind != '>').then_some(kind));
                    builder.close(span);
                }
                'p' | 'j' => {
                    let char = rest.chars().next()?;
                    rest = &rest[char.len_utf8()..];
                    let spacing = if kind == 'j' { Spacing::Joint } else { Spacing::Alone };
                    written.push(char);
                    written.extend((kind == 'p').then_some(' '));
                    builder.push(Leaf::Punct(Punct { char, spacing, span }));
                }
                'i' | 'r' | 'l' => {
                    let length = number(&mut rest)?;
                    let (text, after) = rest.split_at_checked(length)?;
                    rest = after;
                    written += text;
                    written.push(' ');
                    match (kind, text.strip_prefix('-')) {
                        // The text of a token has no sign.
                        ('l', Some(positive)) => {
                            builder.push(Leaf::Punct(Punct { char: '-', spacing: Spacing::Alone, span }));
                            builder.push(Leaf::Literal(token_to_literal(positive, span)));
                        }
                        ('l', None) => builder.push(Leaf::Literal(token_to_literal(text, span))),
                        _ => {
                            let mut ident = Ident::new(text, span);
                            ident.is_raw = if kind == 'r' { IdentIsRaw::Yes } else { IdentIsRaw::No };
                            builder.push(Leaf::Ident(ident));
                        }
                    }
                }
                _ => return None,
            }
        }
        (depth == 0).then(|| (builder.build(), written))
    }
}

fn put_text(text: &str, to: &mut String) {
    write!(to, "{} {text}", text.len()).expect("texts take everything");
}

/// The number at the start of a text, with the space after it.
fn number(rest: &mut &str) -> Option<usize> {
    let (number, after) = rest.split_once(' ')?;
    *rest = after;
    number.parse().ok()
}
