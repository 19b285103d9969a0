//! Token trees: a reader, and a builder from text with placeholders.

use ra_ap_parser::LexedStr;
use ra_ap_span::{Edition, Span};
use ra_ap_syntax::ast;
use ra_ap_syntax_bridge::parse_to_token_tree_static_span;
use ra_ap_tt::{
    DelimSpan, Delimiter, DelimiterKind, Ident, Leaf, Punct, Spacing, Subtree, TokenTreesView, TopSubtree,
    TopSubtreeBuilder, TtElement,
};

/// A token, or a delimited group.
#[derive(Clone)]
pub(super) enum Tree<'a> {
    Leaf(Leaf),
    Group(Subtree, TokenTreesView<'a>),
}

/// The trees on the top level.
pub(super) fn trees(view: TokenTreesView<'_>) -> Vec<Tree<'_>> {
    let tree = |it| match it {
        TtElement::Leaf(leaf) => Tree::Leaf(leaf),
        TtElement::Subtree(subtree, inside) => Tree::Group(subtree, inside.remaining()),
    };
    view.iter().map(tree).collect()
}

impl<'a> Tree<'a> {
    pub(super) fn ident(&self) -> Option<&str> {
        match self {
            Tree::Leaf(Leaf::Ident(ident)) => Some(ident.sym.as_str()),
            _ => None,
        }
    }

    pub(super) fn is_ident(&self, text: &str) -> bool {
        self.ident() == Some(text)
    }

    pub(super) fn is_punct(&self, punct: char) -> bool {
        matches!(self, Tree::Leaf(Leaf::Punct(it)) if it.char == punct)
    }

    /// The contents of a group with these delimiters.
    pub(super) fn group(&self, kind: DelimiterKind) -> Option<TokenTreesView<'a>> {
        match self {
            Tree::Group(subtree, inside) if subtree.delimiter.kind == kind => Some(*inside),
            _ => None,
        }
    }

    /// A comma with this span.
    pub(super) fn comma(span: Span) -> Tree<'a> {
        Tree::Leaf(Leaf::Punct(Punct { char: ',', spacing: Spacing::Alone, span }))
    }

    /// A literal as written in the source.
    pub(super) fn literal(&self) -> Option<String> {
        match self {
            Tree::Leaf(Leaf::Literal(literal)) => Some(literal.to_string()),
            _ => None,
        }
    }

    /// The name as code writes it, with `r#` if it is raw.
    pub(super) fn written(&self) -> Option<String> {
        match self {
            Tree::Leaf(Leaf::Ident(ident)) => Some(format!("{}{}", ident.is_raw.as_str(), ident.sym.as_str())),
            _ => None,
        }
    }

    /// The text of a string literal.
    pub(super) fn string(&self) -> Option<String> {
        let literal = self.literal()?;
        match literal.strip_prefix('r') {
            Some(raw) => {
                let raw = raw.trim_matches('#');
                Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned())
            }
            None => unescaped(literal.strip_prefix('"')?.strip_suffix('"')?),
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Tree::Leaf(leaf) => *leaf.span(),
            Tree::Group(subtree, _) => subtree.delimiter.open,
        }
    }
}

/// A text without its escapes.
fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\\' {
            plain.push(char);
            continue;
        }
        plain.push(match chars.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            same @ ('\\' | '"' | '\'') => same,
            'x' => {
                let digits: String = [chars.next()?, chars.next()?].into_iter().collect();
                char::from(u8::from_str_radix(&digits, 16).ok()?)
            }
            'u' => {
                let digits: String =
                    chars.by_ref().skip(1).take_while(|it| *it != '}').filter(|it| *it != '_').collect();
                char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
            }
            '\n' => {
                while chars.next_if(|it| it.is_whitespace()).is_some() {}
                continue;
            }
            _ => return None,
        });
    }
    Some(plain)
}

/// The tokens as text, with a space between any two.
pub(super) fn text_of(tokens: &[Tree<'_>]) -> String {
    let text = |tree: &Tree<'_>| match tree {
        Tree::Leaf(Leaf::Punct(punct)) => punct.char.to_string(),
        Tree::Leaf(Leaf::Literal(literal)) => literal.to_string(),
        Tree::Leaf(Leaf::Ident(_)) => tree.written().unwrap_or_default(),
        Tree::Group(subtree, inside) => {
            let (open, close) = match subtree.delimiter.kind {
                DelimiterKind::Parenthesis => ("(", ")"),
                DelimiterKind::Brace => ("{", "}"),
                DelimiterKind::Bracket => ("[", "]"),
                DelimiterKind::Invisible => ("", ""),
            };
            format!("{open} {} {close}", text_of(&trees(*inside)))
        }
    };
    tokens.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// The parts between commas, without empty ones; commas in angle brackets do not count.
pub(super) fn parts<'t, 'a>(trees: &'t [Tree<'a>]) -> Vec<&'t [Tree<'a>]> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (index, tree) in trees.iter().enumerate() {
        depth += angle(trees, index);
        if depth == 0 && tree.is_punct(',') {
            parts.push(&trees[start..index]);
            start = index + 1;
        }
    }
    parts.push(&trees[start..]);
    parts.retain(|it| !it.is_empty());
    parts
}

/// How a token changes the depth of angle brackets; the `>` of an arrow does not.
pub(super) fn angle(trees: &[Tree<'_>], index: usize) -> i32 {
    let is_arrow = || index > 0 && (trees[index - 1].is_punct('-') || trees[index - 1].is_punct('='));
    match &trees[index] {
        tree if tree.is_punct('<') => 1,
        tree if tree.is_punct('>') && !is_arrow() => -1,
        _ => 0,
    }
}

/// Whether a text is one token.
pub(super) fn is_token(text: &str) -> bool {
    LexedStr::single_token(Edition::CURRENT, text).is_some_and(|(_, error)| error.is_none())
}

/// Whether a text is an expression.
pub(super) fn is_expression(text: &str) -> bool {
    ast::Expr::parse(text, Edition::CURRENT).errors().is_empty()
}

/// Builds the tokens of an expansion.
pub(super) struct TokenBuilder {
    builder: TopSubtreeBuilder,
    /// The span of added tokens.
    span: Span,
}

impl TokenBuilder {
    pub(super) fn new(span: Span) -> TokenBuilder {
        let delimiter = Delimiter { open: span, close: span, kind: DelimiterKind::Invisible };
        TokenBuilder { builder: TopSubtreeBuilder::new(delimiter), span }
    }

    /// Adds the user's own tokens.
    pub(super) fn keep(&mut self, trees: &[Tree<'_>]) {
        for tree in trees {
            match tree {
                Tree::Leaf(leaf) => self.builder.push(leaf.clone()),
                Tree::Group(subtree, inside) => {
                    self.builder.open(subtree.delimiter.kind, subtree.delimiter.open);
                    self.builder.extend_with_tt(*inside);
                    self.builder.close(subtree.delimiter.close);
                }
            }
        }
    }

    /// Adds the group, with contents that `inside` builds.
    pub(super) fn within(&mut self, group: &Subtree, inside: impl FnOnce(&mut TokenBuilder)) {
        let DelimSpan { open, close } = group.delimiter.delim_span();
        self.builder.open(group.delimiter.kind, open);
        inside(self);
        self.builder.close(close);
    }

    /// Adds a name or a lifetime with this span.
    pub(super) fn name(&mut self, name: &str, span: Span) {
        let plain = match name.strip_prefix('\'') {
            Some(plain) => {
                self.builder.push(Leaf::Punct(Punct { char: '\'', spacing: Spacing::Joint, span }));
                plain
            }
            None => name,
        };
        self.builder.push(Leaf::Ident(Ident::new(plain, span)));
    }

    /// Adds our tokens; a name in `holes` is replaced by the user's tokens.
    pub(super) fn add(&mut self, text: &str, holes: &[(&str, &[Tree<'_>])]) {
        self.add_with(text, &|name| holes.iter().find(|(hole, _)| *hole == name).map(|(_, trees)| *trees));
    }

    /// Adds our tokens; placeholders of `quote` are replaced by the user's tokens.
    pub(super) fn add_quoted(&mut self, text: &str, quote: &Quote<'_>) {
        self.add_with(text, &|name| quote.tokens(name));
    }

    fn add_with<'t, 'a: 't>(&mut self, text: &str, hole: &dyn Fn(&str) -> Option<&'t [Tree<'a>]>) {
        // A text of ours may contain texts of the user's, such as serde's `bound`.
        let tokens = parse_to_token_tree_static_span(Edition::CURRENT, self.span, text)
            .or_else(|| parse_to_token_tree_static_span(Edition::CURRENT, self.span, MALFORMED));
        let Some(tokens) = tokens else { return };
        let top = tokens.top_subtree();
        // A text that is one group has no invisible group around it.
        if top.delimiter.kind == DelimiterKind::Invisible {
            self.fill(&trees(tokens.token_trees()), hole);
        } else {
            self.fill(&[Tree::Group(top, tokens.token_trees())], hole);
        }
    }

    fn fill<'t, 'a: 't>(&mut self, tokens: &[Tree<'_>], hole: &dyn Fn(&str) -> Option<&'t [Tree<'a>]>) {
        for token in tokens {
            match (token, token.ident().and_then(hole)) {
                (_, Some(trees)) => self.keep(trees),
                (Tree::Group(subtree, inside), None) => {
                    self.within(subtree, |maker| maker.fill(&trees(*inside), hole));
                }
                (leaf, None) => self.keep(std::slice::from_ref(leaf)),
            }
        }
    }

    pub(super) fn made(self) -> TopSubtree {
        self.builder.build()
    }
}

/// Replaces a malformed text.
const MALFORMED: &str = "::core::compile_error! { \"malformed code in an attribute\" }";

/// The user's tokens that a text of ours mentions, each by a placeholder.
#[derive(Default)]
pub(super) struct Quote<'a> {
    tokens: Vec<Vec<Tree<'a>>>,
}

/// How placeholders of a [`Quote`] begin; their number follows.
const PLACEHOLDER: &str = "__tokens_";

impl<'a> Quote<'a> {
    /// A placeholder for these tokens.
    pub(super) fn of(&mut self, tokens: &[Tree<'a>]) -> String {
        self.tokens.push(tokens.to_vec());
        format!(" {PLACEHOLDER}{} ", self.tokens.len() - 1)
    }

    fn tokens(&self, name: &str) -> Option<&[Tree<'a>]> {
        let number: usize = name.strip_prefix(PLACEHOLDER)?.parse().ok()?;
        self.tokens.get(number).map(Vec::as_slice)
    }

    /// The tokens of the text, with the span for ours.
    pub(super) fn made(&self, span: Span, text: &str) -> TopSubtree {
        let mut maker = TokenBuilder::new(span);
        maker.add_quoted(text, self);
        maker.made()
    }
}
