//! Macro calls whose expansion the parser does not understand.
//!
//! * Symptom: the body silently loses statements or parts of them, and the rest runs as if it were complete.
//! * Test: `tests/suite/cli/judge.rs`.
//! * Upstream: #16168.
//! * Goes when: expansions keep fragments whole.
//!
//! rustc treats a fragment as one token tree. rust-analyzer inserts its tokens, for example a type of the caller
//! before `<<`. Such a body is uninterpreted as a whole.

use hir_expand::{MacroCallId, MacroCallKind};
use hir_ty::db::HirDatabase;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, Edition, SourceFile, TextRange};

/// Whether a call has such an expansion; with `part`, whether the error is in this part of it. In a crate that
/// `is_edited`, half-typed calls do not count.
pub(crate) fn is_one(db: &dyn HirDatabase, call: MacroCallId, part: Option<TextRange>, is_edited: bool) -> bool {
    let expansion = call.parse_macro_expansion(db).value.0.errors();
    let has_errors = expansion.iter().any(|it| part.is_none_or(|part| part.contains_range(it.range())));
    has_errors && is_macros_fault(db, call, is_edited)
}

/// Whether the macro causes the errors in an expansion, and not a half-typed call. Half-typed calls occur only in a
/// crate that is being edited; the rest of their body is understood.
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
