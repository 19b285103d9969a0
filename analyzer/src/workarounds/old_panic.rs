//! `panic!("{}")` with a single literal before edition 2021: the literal is the message, not a template.
//!
//! * Symptom: the literal is formatted in every edition.
//! * Test: `panics/single_literal_2018`.
//! * Upstream: none known.
//! * Goes when: `panic!` follows the caller's edition.
//!
//! rust-analyzer uses the edition of the crate that defines `panic!`.

use super::{line_continuations, macro_text};
use hir_def::{
    DefWithBodyId, HasModule as _,
    expr_store::Body,
    hir::{Expr, ExprId},
};
use hir_expand::{
    MacroCallId, MacroDefKind,
    builtin::BuiltinFnLikeExpander,
    tt::{Leaf, TokenTreesView, TtElement},
};
use hir_ty::db::HirDatabase;
use ra_ap_base_db::CrateOrigin;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_span::Edition;
use ra_ap_syntax::{
    ast::{self, HasName},
    hacks,
};
use rustc_hash::FxHashMap;

/// The messages of the old `panic!`s in a body, by the `format_args!` in rust-analyzer's expansion or its only
/// literal. std uses a later edition.
pub(crate) fn texts(db: &dyn HirDatabase, def: DefWithBodyId) -> FxHashMap<ExprId, Box<str>> {
    let mut found = FxHashMap::default();
    if matches!(def.module(db).krate(db).data(db).origin, CrateOrigin::Lang(_)) {
        return found;
    }
    let (body, map) = Body::with_source_map(db, def);
    for (expr, what) in body.exprs() {
        let message = match what {
            Expr::Block { .. } => expr,
            Expr::Call { args, .. } if let [text] = args[..] => text,
            _ => continue,
        };
        if let Ok(source) = map.expr_syntax(expr)
            && let Some(call) = source.file_id.macro_file()
        {
            found.extend(text(db, call).map(|text| (message, text)));
        }
    }
    found
}

/// The literal that is the message of a `format_args!`, instead of a template.
fn text(db: &dyn HirDatabase, format: MacroCallId) -> Option<Box<str>> {
    use BuiltinFnLikeExpander as Expander;
    let built_in = |call: MacroCallId| match call.loc(db).def.kind {
        MacroDefKind::BuiltIn(_, expander) => Some(expander),
        _ => None,
    };
    let around = |call: &MacroCallId| call.loc(db).kind.file_id().macro_file();
    let mut outer = std::iter::successors(around(&format), around);
    let panic = match built_in(format)? {
        // Via `panic_2021!`.
        Expander::ConstFormatArgs => outer.nth(1)?,
        // Via `unreachable_2021!` and a `panic!` with more arguments.
        Expander::FormatArgs => outer.take(5).find(|call| built_in(*call) == Some(Expander::Unreachable))?,
        _ => return None,
    };
    let has_condition = match built_in(panic)? {
        Expander::CorePanic | Expander::StdPanic | Expander::Unreachable => false,
        Expander::Assert => true,
        _ => return None,
    };
    // `debug_assert!` passes on its caller's edition.
    let outermost = around(&panic).filter(|outer| is_debug_assert(db, *outer)).unwrap_or(panic);
    if outermost.loc(db).ctxt.edition(db) >= Edition::Edition2021 {
        return None;
    }
    let kind = &panic.loc(db).kind;
    let tokens = panic.macro_arg_considering_derives(db, kind).0.token_trees();
    only_literal(tokens, has_condition)
}

fn is_debug_assert(db: &dyn HirDatabase, call: MacroCallId) -> bool {
    let def = call.loc(db).def;
    let MacroDefKind::Declarative(id, _) = def.kind else { return false };
    let name = id.to_node(db).name();
    def.krate.data(db).origin.is_lang() && name.is_some_and(|name| name.text() == "debug_assert")
}

/// The only argument, if it is a literal; a trailing comma is allowed.
fn only_literal(tokens: TokenTreesView<'_>, has_condition: bool) -> Option<Box<str>> {
    let is_comma = |element: &TtElement<'_>| matches!(element, TtElement::Leaf(Leaf::Punct(it)) if it.char == ',');
    let mut elements = tokens.iter();
    if has_condition {
        elements.find(is_comma)?;
    }
    let literal = match elements.next()? {
        TtElement::Leaf(Leaf::Literal(literal)) => literal.to_string(),
        // A fragment from an outer macro.
        TtElement::Subtree(group, content) if macro_text::is_grouping(&group.delimiter) => {
            return only_literal(content.remaining(), false).filter(|_| elements.all(|it| is_comma(&it)));
        }
        _ => return None,
    };
    if !elements.all(|it| is_comma(&it)) {
        return None;
    }
    match hacks::parse_expr_from_str(&literal, Edition::CURRENT)? {
        ast::Expr::Literal(literal) => match literal.kind() {
            ast::LiteralKind::String(text) => line_continuations::value(&text).map(Into::into),
            _ => None,
        },
        _ => None,
    }
}
