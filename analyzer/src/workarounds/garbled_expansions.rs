//! Macro calls that expand to what the parser does not understand.
//!
//! * Symptom: the body loses statements, or parts of them, and what is left runs as if it were all.
//! * Test: `tests/suite/cli/judge.rs`.
//! * Upstream: #16168.
//! * Goes when: expansions keep fragments whole.
//!
//! rustc takes what a fragment stands for as one thing, rust-analyzer as tokens: a type of the caller's before `<<`,
//! for one. Of such a body nothing is believed.

use hir_expand::{MacroCallId, MacroCallKind};
use hir_ty::db::HirDatabase;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, Edition, SourceFile, TextRange};

/// Whether a call is one, or this part of what it expands to is not understood. In a crate that `is_edited` a half-typed call is
/// none.
pub(crate) fn is_one(db: &dyn HirDatabase, call: MacroCallId, part: Option<TextRange>, is_edited: bool) -> bool {
    let expansion = call.parse_macro_expansion(db).value.0.errors();
    let has_errors = expansion.iter().any(|it| part.is_none_or(|part| part.contains_range(it.range())));
    has_errors && is_macros_fault(db, call, is_edited)
}

/// Whether an expansion that is not understood is so although its call is written to its end. Half-typed calls are those of who is
/// at work on the crate: of such a body everything else is understood.
fn is_macros_fault(db: &dyn HirDatabase, call: MacroCallId, is_edited: bool) -> bool {
    if !is_edited {
        return true;
    }
    let MacroCallKind::FnLike { ast_id, .. } = &call.loc(db).kind else { return false };
    let node = ast_id.to_node(db);
    let Some(arguments) = node.token_tree().map(|it| it.syntax().text().to_string()) else { return false };
    let inner = arguments.get(1..arguments.len().saturating_sub(1)).unwrap_or_default();
    let parses = |text: String| SourceFile::parse(&text, Edition::CURRENT).errors().is_empty();
    [format!("fn f() {{ f({inner}) }}"), format!("fn f() {{ [{inner}] }}"), format!("fn f() {{ {inner} }}")]
        .into_iter()
        .any(parses)
}
