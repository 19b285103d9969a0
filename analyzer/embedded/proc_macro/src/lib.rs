//! `proc_macro` for interpreted macros: the stable interface of rustc's, on token trees in the program's own memory.
//!
//! A span is a number that stands for a token of the call, or for one of the sites of [`Span::call_site`] and its like.
//! [`wire`] reads the input of a macro and writes its output.

mod lexer;
mod literals;
pub mod token_stream;
pub mod wire;

use std::{
    error,
    ffi::CStr,
    fmt::{self, Write as _},
    ops::Range,
    path::PathBuf,
    rc::Rc,
};

/// Whether a macro is being expanded: always.
pub fn is_available() -> bool {
    true
}

/// A region of the source.
#[derive(Clone, Copy)]
pub struct Span(u32);

impl Span {
    pub fn call_site() -> Span {
        Span(wire::CALL_SITE)
    }

    pub fn mixed_site() -> Span {
        Span(wire::MIXED_SITE)
    }

    pub fn def_site() -> Span {
        Span(wire::DEF_SITE)
    }

    /// A span has one number for its place and its hygiene, and hygiene decides what a name means.
    pub fn resolved_at(&self, other: Span) -> Span {
        other
    }

    pub fn located_at(&self, _: Span) -> Span {
        *self
    }

    pub fn join(&self, _: Span) -> Option<Span> {
        Some(*self)
    }

    pub fn source_text(&self) -> Option<String> {
        None
    }

    pub fn byte_range(&self) -> Range<usize> {
        0..0
    }

    pub fn start(&self) -> Span {
        *self
    }

    pub fn end(&self) -> Span {
        *self
    }

    pub fn line(&self) -> usize {
        1
    }

    pub fn column(&self) -> usize {
        1
    }

    pub fn file(&self) -> String {
        String::from("<anon>")
    }

    pub fn local_file(&self) -> Option<PathBuf> {
        None
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#0 bytes({}..{})", self.0, self.0)
    }
}

/// A sequence of token trees.
#[derive(Clone, Default)]
pub struct TokenStream(Rc<Vec<TokenTree>>);

impl TokenStream {
    pub fn new() -> TokenStream {
        TokenStream::default()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::str::FromStr for TokenStream {
    type Err = LexError;

    fn from_str(text: &str) -> Result<TokenStream, LexError> {
        lexer::tokens(text).map(|trees| TokenStream(Rc::new(trees)))
    }
}

impl fmt::Display for TokenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_joint = true;
        for tree in self.0.iter() {
            if !is_joint {
                f.write_char(' ')?;
            }
            fmt::Display::fmt(tree, f)?;
            is_joint = matches!(tree, TokenTree::Punct(punct) if punct.spacing == Spacing::Joint);
        }
        Ok(())
    }
}

impl fmt::Debug for TokenStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenStream ")?;
        f.debug_list().entries(self.0.iter()).finish()
    }
}

impl From<TokenTree> for TokenStream {
    fn from(tree: TokenTree) -> TokenStream {
        TokenStream(Rc::new(vec![tree]))
    }
}

impl FromIterator<TokenTree> for TokenStream {
    fn from_iter<I: IntoIterator<Item = TokenTree>>(trees: I) -> TokenStream {
        TokenStream(Rc::new(trees.into_iter().collect()))
    }
}

impl FromIterator<TokenStream> for TokenStream {
    fn from_iter<I: IntoIterator<Item = TokenStream>>(streams: I) -> TokenStream {
        let mut all = TokenStream::new();
        all.extend(streams);
        all
    }
}

impl Extend<TokenTree> for TokenStream {
    fn extend<I: IntoIterator<Item = TokenTree>>(&mut self, trees: I) {
        Rc::make_mut(&mut self.0).extend(trees);
    }
}

impl Extend<TokenStream> for TokenStream {
    fn extend<I: IntoIterator<Item = TokenStream>>(&mut self, streams: I) {
        let trees = Rc::make_mut(&mut self.0);
        for stream in streams {
            trees.extend(stream);
        }
    }
}

/// A text that is not a sequence of tokens.
pub struct LexError(String);

impl fmt::Display for LexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for LexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LexError").field(&self.0).finish()
    }
}

impl error::Error for LexError {}

/// A token, or tokens between delimiters.
#[derive(Clone)]
pub enum TokenTree {
    Group(Group),
    Ident(Ident),
    Punct(Punct),
    Literal(Literal),
}

impl TokenTree {
    pub fn span(&self) -> Span {
        match self {
            TokenTree::Group(it) => it.span(),
            TokenTree::Ident(it) => it.span,
            TokenTree::Punct(it) => it.span,
            TokenTree::Literal(it) => it.span,
        }
    }

    pub fn set_span(&mut self, span: Span) {
        match self {
            TokenTree::Group(it) => it.set_span(span),
            TokenTree::Ident(it) => it.span = span,
            TokenTree::Punct(it) => it.span = span,
            TokenTree::Literal(it) => it.span = span,
        }
    }
}

impl fmt::Debug for TokenTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenTree::Group(it) => fmt::Debug::fmt(it, f),
            TokenTree::Ident(it) => fmt::Debug::fmt(it, f),
            TokenTree::Punct(it) => fmt::Debug::fmt(it, f),
            TokenTree::Literal(it) => fmt::Debug::fmt(it, f),
        }
    }
}

impl fmt::Display for TokenTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenTree::Group(it) => fmt::Display::fmt(it, f),
            TokenTree::Ident(it) => fmt::Display::fmt(it, f),
            TokenTree::Punct(it) => fmt::Display::fmt(it, f),
            TokenTree::Literal(it) => fmt::Display::fmt(it, f),
        }
    }
}

impl From<Group> for TokenTree {
    fn from(it: Group) -> TokenTree {
        TokenTree::Group(it)
    }
}

impl From<Ident> for TokenTree {
    fn from(it: Ident) -> TokenTree {
        TokenTree::Ident(it)
    }
}

impl From<Punct> for TokenTree {
    fn from(it: Punct) -> TokenTree {
        TokenTree::Punct(it)
    }
}

impl From<Literal> for TokenTree {
    fn from(it: Literal) -> TokenTree {
        TokenTree::Literal(it)
    }
}

/// Tokens between delimiters.
#[derive(Clone)]
pub struct Group {
    delimiter: Delimiter,
    stream: TokenStream,
    open: Span,
    close: Span,
}

/// The delimiters of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    Parenthesis,
    Brace,
    Bracket,
    None,
}

impl Group {
    pub fn new(delimiter: Delimiter, stream: TokenStream) -> Group {
        Group { delimiter, stream, open: Span::call_site(), close: Span::call_site() }
    }

    pub fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    pub fn stream(&self) -> TokenStream {
        self.stream.clone()
    }

    pub fn span(&self) -> Span {
        self.open
    }

    pub fn span_open(&self) -> Span {
        self.open
    }

    pub fn span_close(&self) -> Span {
        self.close
    }

    pub fn set_span(&mut self, span: Span) {
        (self.open, self.close) = (span, span);
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = match self.delimiter {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace if self.stream.is_empty() => ("{ ", "}"),
            Delimiter::Brace => ("{ ", " }"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        write!(f, "{open}{}{close}", self.stream)
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("delimiter", &self.delimiter)
            .field("stream", &self.stream)
            .field("span", &self.open)
            .finish()
    }
}

/// A character of punctuation.
#[derive(Clone)]
pub struct Punct {
    char: char,
    spacing: Spacing,
    span: Span,
}

/// Whether the next character of punctuation follows immediately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spacing {
    Joint,
    Alone,
}

impl Punct {
    pub fn new(char: char, spacing: Spacing) -> Punct {
        if !lexer::PUNCTUATION.contains(char) {
            panic!("unsupported character `{char:?}`");
        }
        Punct { char, spacing, span: Span::call_site() }
    }

    pub fn as_char(&self) -> char {
        self.char
    }

    pub fn spacing(&self) -> Spacing {
        self.spacing
    }

    pub fn span(&self) -> Span {
        self.span
    }

    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }
}

impl fmt::Display for Punct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.char)
    }
}

impl fmt::Debug for Punct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Punct")
            .field("ch", &self.char)
            .field("spacing", &self.spacing)
            .field("span", &self.span)
            .finish()
    }
}

impl PartialEq<char> for Punct {
    fn eq(&self, other: &char) -> bool {
        self.char == *other
    }
}

impl PartialEq<Punct> for char {
    fn eq(&self, other: &Punct) -> bool {
        *self == other.char
    }
}

/// An identifier.
#[derive(Clone)]
pub struct Ident {
    /// Without `r#`.
    text: Rc<str>,
    is_raw: bool,
    span: Span,
}

impl Ident {
    pub fn new(text: &str, span: Span) -> Ident {
        if !lexer::is_ident(text) {
            panic!("`{text:?}` is not a valid identifier");
        }
        Ident { text: text.into(), is_raw: false, span }
    }

    pub fn new_raw(text: &str, span: Span) -> Ident {
        if !lexer::is_ident(text) || ["_", "super", "self", "Self", "crate"].contains(&text) {
            panic!("`{text:?}` cannot be a raw identifier");
        }
        Ident { text: text.into(), is_raw: true, span }
    }

    pub fn span(&self) -> Span {
        self.span
    }

    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_raw {
            f.write_str("r#")?;
        }
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ident").field("ident", &self.to_string()).field("span", &self.span).finish()
    }
}

/// A literal, as the source writes it.
#[derive(Clone)]
pub struct Literal {
    text: Rc<str>,
    span: Span,
}

impl Literal {
    pub fn span(&self) -> Span {
        self.span
    }

    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    pub fn subspan<R>(&self, _: R) -> Option<Span> {
        None
    }
}

impl std::str::FromStr for Literal {
    type Err = LexError;

    fn from_str(text: &str) -> Result<Literal, LexError> {
        lexer::literal(text)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Literal").field("text", &self.text).field("span", &self.span).finish()
    }
}
