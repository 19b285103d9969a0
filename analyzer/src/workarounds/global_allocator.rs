//! Statics with `#[global_allocator]`.
//!
//! * Symptom: the attribute is not found, and the program runs with the system allocator.
//! * Test: `layout/global_allocator`.
//! * Upstream: none known.
//! * Goes when: the attribute is kept.
//!
//! In rust-analyzer the attribute is a macro whose expansion is the item without the attribute.

use hir_def::{Lookup, StaticId, src::HasSource};
use hir_expand::{MacroDefKind, builtin::BuiltinAttrExpander};
use hir_ty::db::HirDatabase;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::ast::HasAttrs;

/// Whether a static has the attribute in the source.
pub(crate) fn has_attribute(db: &dyn HirDatabase, id: StaticId) -> bool {
    let source = id.lookup(db).source(db);
    let named = source.value.attrs().any(|it| it.simple_name().is_some_and(|name| name == "global_allocator"));
    named
        || source.file_id.macro_file().is_some_and(|file| {
            let kind = file.loc(db).def.kind;
            matches!(kind, MacroDefKind::BuiltInAttr(_, BuiltinAttrExpander::GlobalAllocator))
        })
}
