//! Source text in macro results: `stringify!`, the message of `assert!`.
//!
//! * Symptom: there is a space between any two tokens, and parentheses around expressions from fragments.
//! * Test: `macros/stringify_assert`.
//! * Upstream: #18571.
//! * Goes when: the texts equal rustc's.
//!
//! rustc prints tokens as in the source, with one space for any white space. For tokens of the macro definition it
//! has its own rules (`rustc_ast_pretty`, `space_between`). It breaks long lines; these texts are unknown here.

use hir_expand::{
    MacroCallId,
    tt::{Delimiter, DelimiterKind, Leaf, Spacing, Subtree, TokenTreesView, TtElement},
};
use hir_ty::db::HirDatabase;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_span::{Edition, Span};
use ra_ap_syntax::{AstNode, SyntaxNode, T, ast};

/// A dot of `..` or `...`, to distinguish it from a single dot.
const DOTS: char = '‥';

/// rustc's pretty printer breaks lines before column 79.
const WIDTH: usize = 76;

/// Argument tokens of a macro call.
pub(crate) fn tokens(db: &dyn HirDatabase, call: MacroCallId) -> TokenTreesView<'_> {
    let kind = &call.loc(db).kind;
    call.macro_arg_considering_derives(db, kind).0.token_trees()
}

/// The text of `stringify!`.
pub(crate) fn stringified(tokens: TokenTreesView<'_>) -> Option<Box<str>> {
    let mut printer = Printer { text: String::new(), last: None };
    printer.tokens(tokens);
    (printer.text.len() <= WIDTH).then(|| printer.text.into())
}

/// The text of the condition in the message of `assert!`: the tokens before the first comma.
pub(crate) fn condition(tokens: TokenTreesView<'_>, edition: Edition) -> Option<Box<str>> {
    let mut printer = Printer { text: String::new(), last: None };
    let mut passed_on = Vec::new();
    let mut parts = 0;
    let mut elements = tokens.iter().peekable();
    while let Some(element) = elements.next() {
        if matches!(&element, TtElement::Leaf(Leaf::Punct(it)) if it.char == ',') {
            break;
        }
        if let TtElement::Subtree(subtree, content) = &element
            && is_grouping(&subtree.delimiter)
        {
            passed_on.push(content.clone().any(|it| matches!(it, TtElement::Leaf(Leaf::Punct(it)) if it.char != '.')));
        }
        parts += 1;
        printer.element(element, elements.peek());
    }
    // The text loses the grouping, so an operator in a fragment might bind differently.
    if parts > 1 && passed_on.contains(&true) {
        return None;
    }
    let expr = ra_ap_syntax::hacks::parse_expr_from_str(&printer.text, edition)?;
    let text = expression(&expr)?;
    (text.len() <= WIDTH).then(|| text.into())
}

/// Prints an expression with the spaces of rustc's printer; in macro arguments, with those of the source.
fn expression(expr: &ast::Expr) -> Option<String> {
    // rustc prints these over several lines.
    let has_lines = |node: SyntaxNode| {
        ast::MatchExpr::can_cast(node.kind())
            || ast::LoopExpr::can_cast(node.kind())
            || ast::WhileExpr::can_cast(node.kind())
            || ast::ForExpr::can_cast(node.kind())
            || (ast::Item::can_cast(node.kind()) && !ast::MacroCall::can_cast(node.kind()))
    };
    if expr.syntax().descendants().any(has_lines) {
        return None;
    }
    let mut text = String::new();
    let mut blank = false;
    for token in expr.syntax().descendants_with_tokens().filter_map(|it| it.into_token()) {
        if token.kind().is_trivia() {
            blank = !text.is_empty();
            continue;
        }
        let parent = token.parent()?;
        if ast::TokenTree::can_cast(parent.kind()) {
            if blank {
                text.push(' ');
            }
            text.push_str(token.text());
            blank = false;
            continue;
        }
        let is_operator = ast::BinExpr::cast(parent.clone()).and_then(|it| it.op_token()).is_some_and(|it| it == token);
        let before = match token.kind() {
            T![,] => false,
            // Removes a trailing comma, but not that of a tuple with one element.
            T![')'] | T![']'] if text.ends_with(',') => {
                if !ast::TupleExpr::can_cast(parent.kind()) {
                    text.pop();
                }
                false
            }
            T!['{'] => !text.ends_with(['(', '[', '!', '&', '*']),
            T!['}'] => !text.ends_with('{'),
            _ => blank || is_operator,
        };
        if before && !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(token.text());
        let ends_parameters = token.kind() == T![|] && parent.last_token().as_ref() == Some(&token);
        let after_name = token.kind() == T![:] && ast::RecordExprField::can_cast(parent.kind());
        blank = is_operator || after_name || matches!(token.kind(), T![,] | T!['{']);
        blank |= ends_parameters && ast::ParamList::can_cast(parent.kind());
    }
    Some(text)
}

/// The last printed token.
#[derive(Clone, Copy)]
struct LastToken {
    span: Span,
    kind: Kind,
    /// No space follows.
    joint: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Punct(char),
    /// An identifier that can be called.
    Name,
    /// Keywords, literals, groups.
    Other,
}

struct Printer {
    text: String,
    last: Option<LastToken>,
}

/// Whether a delimiter is invisible, or parentheses that rust-analyzer inserts around a fragment.
pub(crate) fn is_grouping(delimiter: &Delimiter) -> bool {
    delimiter.kind == DelimiterKind::Invisible || delimiter.open == delimiter.close
}

impl Printer {
    fn tokens(&mut self, tokens: TokenTreesView<'_>) {
        let mut elements = tokens.iter().peekable();
        while let Some(element) = elements.next() {
            self.element(element, elements.peek());
        }
    }

    fn element(&mut self, element: TtElement<'_>, next: Option<&TtElement<'_>>) {
        match element {
            TtElement::Leaf(leaf) => self.leaf(&leaf, next),
            TtElement::Subtree(subtree, content) => self.group(&subtree, content.remaining()),
        }
    }

    fn leaf(&mut self, leaf: &Leaf, next: Option<&TtElement<'_>>) {
        let is_dot = |leaf: &Leaf| matches!(leaf, Leaf::Punct(it) if it.char == '.');
        let goes_on = || matches!(next, Some(TtElement::Leaf(next)) if is_dot(next));
        let (kind, joint) = match leaf {
            Leaf::Punct(it) if it.char == '.' && (self.is_in_dots() || it.spacing == Spacing::Joint && goes_on()) => {
                (Kind::Punct(DOTS), it.spacing == Spacing::Joint)
            }
            // A lifetime is one token.
            Leaf::Punct(it) => (Kind::Punct(it.char), it.spacing == Spacing::Joint || it.char == '\''),
            Leaf::Ident(it) if it.is_raw.yes() || !is_keyword(it.sym.as_str()) => (Kind::Name, false),
            Leaf::Ident(_) | Leaf::Literal(_) => (Kind::Other, false),
        };
        let span = *leaf.span();
        self.blank_before(kind, None, span);
        self.text.push_str(&leaf.to_string());
        self.last = Some(LastToken { span, kind, joint });
    }

    /// Whether another dot continues the last token.
    fn is_in_dots(&self) -> bool {
        self.last.is_some_and(|last| last.joint && last.kind == Kind::Punct(DOTS))
    }

    fn group(&mut self, subtree: &Subtree, content: TokenTreesView<'_>) {
        let delimiter = &subtree.delimiter;
        if is_grouping(delimiter) {
            self.tokens(content);
            if let Some(last) = &mut self.last {
                last.kind = Kind::Other;
            }
            return;
        }
        let (open, close) = match delimiter.kind {
            DelimiterKind::Parenthesis => ("(", ")"),
            DelimiterKind::Bracket => ("[", "]"),
            _ => ("{", "}"),
        };
        self.blank_before(Kind::Other, Some(delimiter.kind), delimiter.open);
        self.text.push_str(open);
        let inner_blank = delimiter.kind == DelimiterKind::Brace && !content.is_empty();
        let blank = if inner_blank { " " } else { "" };
        self.text.push_str(blank);
        self.last = None;
        self.tokens(content);
        self.text.push_str(blank);
        self.text.push_str(close);
        self.last = Some(LastToken { span: delimiter.close, kind: Kind::Other, joint: false });
    }

    fn blank_before(&mut self, next: Kind, group: Option<DelimiterKind>, span: Span) {
        let Some(last) = self.last else { return };
        let joint = last.joint
            && match (last.kind, next) {
                // A token before a lifetime in a fragment is always marked as joint, so ignore the mark.
                (_, Kind::Punct('\'')) => false,
                // In a macro definition, rustc joins only operators. A separator keeps the spacing that it has before the
                // `*` of its repetition.
                (Kind::Punct(first), Kind::Punct(second)) => touch(last.span, span) || is_operator(first, second),
                _ => true,
            };
        if !joint && !touch(last.span, span) && is_blank_between(last.kind, next, group) {
            self.text.push(' ');
        }
    }
}

/// Whether two tokens are adjacent in the source. For tokens of a macro definition rustc does not know.
fn touch(before: Span, after: Span) -> bool {
    before.anchor == after.anchor
        && before.ctx.is_root()
        && after.ctx.is_root()
        && before.range.end() == after.range.start()
}

fn is_blank_between(before: Kind, after: Kind, group: Option<DelimiterKind>) -> bool {
    let is_punct = |kind| matches!(kind, Kind::Punct(_));
    match (before, after) {
        (Kind::Punct('.'), after) if !is_punct(after) => false,
        (before, Kind::Punct(',' | ';' | '.')) if !is_punct(before) => false,
        (Kind::Name, _) if group == Some(DelimiterKind::Parenthesis) => false,
        (Kind::Punct('#'), _) if group == Some(DelimiterKind::Bracket) => false,
        _ => true,
    }
}

/// Whether two characters form an operator or part of one.
fn is_operator(first: char, second: char) -> bool {
    match second {
        '=' => "=<>!+-*/%^&|‥".contains(first),
        '>' => "-=>".contains(first),
        '-' => first == '<',
        '&' | '|' | ':' | DOTS | '<' => first == second,
        _ => false,
    }
}

/// Keywords that are followed by a space before a parenthesis.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "_" | "as"
            | "async"
            | "await"
            | "break"
            | "const"
            | "continue"
            | "crate"
            | "dyn"
            | "else"
            | "enum"
            | "extern"
            | "false"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "ref"
            | "return"
            | "self"
            | "static"
            | "struct"
            | "super"
            | "trait"
            | "true"
            | "type"
            | "unsafe"
            | "use"
            | "where"
            | "while"
            | "yield"
    )
}
