//! Text that macros make of the source: `stringify!`, the message of `assert!`.
//!
//! rust-analyzer puts a blank between any two tokens, and parentheses around expressions that macros pass on. rustc
//! writes tokens as they stand in the source, with one blank for any white space, and with rules of its own where a macro's
//! author wrote the tokens (`rustc_ast_pretty`, `space_between`). It breaks long lines; those stay without a text here.

use hir_expand::tt::{Delimiter, DelimiterKind, Leaf, Spacing, Subtree, TokenTreesView, TtElement};
use ra_ap_hir_expand as hir_expand;
use ra_ap_span::{Edition, Span};
use ra_ap_syntax::{
    AstNode,
    ast::{self, BinaryOp, CmpOp},
};

/// rustc's pretty printer breaks lines before column 79.
const WIDTH: usize = 76;

/// What `stringify!` makes of the tokens.
pub(super) fn stringified(tokens: TokenTreesView<'_>) -> Option<Box<str>> {
    let mut printer = Printer { text: String::new(), last: None };
    printer.tokens(tokens);
    (printer.text.len() <= WIDTH).then(|| printer.text.into())
}

/// What `assert!` says of its condition, the tokens before the first comma.
pub(super) fn condition(tokens: TokenTreesView<'_>, edition: Edition) -> Option<Box<str>> {
    let mut printer = Printer { text: String::new(), last: None };
    let mut passed_on = Vec::new();
    let mut parts = 0;
    for element in tokens.iter() {
        if matches!(&element, TtElement::Leaf(Leaf::Punct(it)) if it.char == ',') {
            break;
        }
        if let TtElement::Subtree(subtree, content) = &element
            && is_grouping(&subtree.delimiter)
        {
            passed_on.push(content.clone().any(|it| matches!(it, TtElement::Leaf(Leaf::Punct(it)) if it.char != '.')));
        }
        parts += 1;
        printer.element(element);
    }
    // The grouping is lost in the text: an operator in an operand of another may bind otherwise.
    if parts > 1 && passed_on.contains(&true) {
        return None;
    }
    let expr = ra_ap_syntax::hacks::parse_expr_from_str(&printer.text, edition)?;
    let text = expression(&expr)?;
    (text.len() <= WIDTH).then(|| text.into())
}

/// Operators get blanks around them whatever the source has; the rest is taken as it is.
fn expression(expr: &ast::Expr) -> Option<String> {
    let has_block = |it: &ast::Expr| {
        it.syntax()
            .descendants()
            .any(|node| ast::BlockExpr::can_cast(node.kind()) || ast::MatchExpr::can_cast(node.kind()))
    };
    Some(match expr {
        ast::Expr::BinExpr(it) => {
            let (left, right) = (expression(&it.lhs()?)?, expression(&it.rhs()?)?);
            format!("{left} {} {right}", operator(it)?)
        }
        ast::Expr::ParenExpr(it) => format!("({})", expression(&it.expr()?)?),
        ast::Expr::PrefixExpr(it) => format!("{}{}", it.op_token()?.text(), expression(&it.expr()?)?),
        _ if has_block(expr) => return None,
        _ => expr.syntax().text().to_string(),
    })
}

fn operator(expr: &ast::BinExpr) -> Option<String> {
    Some(match expr.op_kind()? {
        BinaryOp::CmpOp(CmpOp::Eq { negated: true }) => "!=".to_owned(),
        _ => expr.op_token()?.text().to_owned(),
    })
}

/// What was written last, as far as the next blank depends on it.
#[derive(Clone, Copy)]
struct Last {
    span: Span,
    kind: Kind,
    /// It is glued to what follows.
    joint: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Punct(char),
    /// A word that may be called.
    Name,
    /// Keywords, literals, groups.
    Other,
}

struct Printer {
    text: String,
    last: Option<Last>,
}

/// Parentheses of rust-analyzer's own, or none at all: around what a macro passes on.
fn is_grouping(delimiter: &Delimiter) -> bool {
    delimiter.kind == DelimiterKind::Invisible || delimiter.open == delimiter.close
}

impl Printer {
    fn tokens(&mut self, tokens: TokenTreesView<'_>) {
        for element in tokens.iter() {
            self.element(element);
        }
    }

    fn element(&mut self, element: TtElement<'_>) {
        match element {
            TtElement::Leaf(leaf) => self.leaf(&leaf),
            TtElement::Subtree(subtree, content) => self.group(&subtree, content.remaining()),
        }
    }

    fn leaf(&mut self, leaf: &Leaf) {
        let (kind, joint) = match leaf {
            // A lifetime is one token.
            Leaf::Punct(it) => (Kind::Punct(it.char), it.spacing == Spacing::Joint || it.char == '\''),
            Leaf::Ident(it) if it.is_raw.yes() || !is_keyword(it.sym.as_str()) => (Kind::Name, false),
            Leaf::Ident(_) | Leaf::Literal(_) => (Kind::Other, false),
        };
        let span = *leaf.span();
        self.blank_before(kind, None, span);
        self.text.push_str(&leaf.to_string());
        self.last = Some(Last { span, kind, joint });
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
        self.last = Some(Last { span: delimiter.close, kind: Kind::Other, joint: false });
    }

    fn blank_before(&mut self, next: Kind, group: Option<DelimiterKind>, span: Span) {
        let Some(last) = self.last else { return };
        if !last.joint && !touch(last.span, span) && is_blank_between(last.kind, next, group) {
            self.text.push(' ');
        }
    }
}

/// Whether nothing stands between two tokens of the source; of a macro's own text rustc does not know it.
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

/// Reserved words before which a parenthesis stands apart.
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
