//! Functions: signatures, attributes, whether there is a body.

use super::{TypeCx, attributes};
use hir_def::{
    AssocItemId, FunctionId, ItemContainerId, Lookup, StaticId, TraitId,
    expr_store::Body,
    hir::ExprId,
    signatures::{FnFlags, FunctionSignature},
};
use hir_ty::{
    db::HirDatabase,
    next_solver::{GenericArgs, Ty},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{
    AstNode,
    ast::{self, HasAttrs},
};

/// Whether a function is `#[track_caller]`, by itself or by its trait's declaration.
pub fn tracks_caller(db: &dyn HirDatabase, func: FunctionId) -> bool {
    attributes::of(db, func).tracks_caller || trait_tracks_caller(db, func)
}

/// Whether the trait method that this method implements is `#[track_caller]`.
pub fn trait_tracks_caller(db: &dyn HirDatabase, func: FunctionId) -> bool {
    declaration(db, func).is_some_and(|it| attributes::of(db, it).tracks_caller)
}

/// The trait method that a method implements. Its `#[track_caller]` applies to all implementations.
fn declaration(db: &dyn HirDatabase, func: FunctionId) -> Option<FunctionId> {
    let ItemContainerId::ImplId(id) = func.lookup(db).container else { return None };
    let implemented = db.impl_trait(id)?.instantiate_identity().skip_norm_wip().def_id.0;
    let name = &FunctionSignature::of(db, func).name;
    match implemented.trait_items(db).assoc_item_by_name(name)? {
        AssocItemId::FunctionId(found) => Some(found),
        _ => None,
    }
}

/// Whether a function of std, or a closure in it, has its caller's overflow checks.
pub fn inherits_checks(db: &dyn HirDatabase, func: FunctionId, closure: Option<ExprId>) -> bool {
    const ATTR: &str = "rustc_inherit_overflow_checks";
    let Some(expr) = closure else { return attributes::of(db, func).inherits_checks };
    let (_, map) = Body::with_source_map(db, func.into());
    let Ok(source) = map.expr_syntax(expr) else { return false };
    let root = source.file_id.parse_or_expand(db);
    // The attribute is on the closure, or on the expression statement or argument that consists of the closure.
    let node = source.value.syntax_node_ptr().to_node(&root);
    let attrs = node.children().filter_map(ast::Attr::cast);
    attrs.into_iter().any(|attr| attr.simple_name().is_some_and(|found| found == ATTR))
}

/// Whether a static is `#[thread_local]`.
pub fn is_thread_local(db: &dyn HirDatabase, id: StaticId) -> bool {
    use hir_def::src::HasSource;
    let source: ast::Static = id.lookup(db).source(db).value;
    source.attrs().any(|attr| attr.simple_name().is_some_and(|found| found == "thread_local"))
}

/// A function of a trait by its name.
pub fn trait_fn(db: &dyn HirDatabase, trait_: TraitId, name: &str) -> Option<FunctionId> {
    trait_.trait_items(db).items.iter().find_map(|(found, item)| match item {
        AssocItemId::FunctionId(func) if found.as_str() == name => Some(*func),
        _ => None,
    })
}

/// Whether a function has a body in the source.
pub fn has_body(db: &dyn HirDatabase, func: FunctionId) -> bool {
    FunctionSignature::of(db, func).flags.contains(FnFlags::HAS_BODY)
}

impl<'db> TypeCx<'db> {
    /// Parameter types and result type of a function under concrete arguments.
    pub fn signature(&mut self, func: FunctionId, args: GenericArgs<'db>) -> (Vec<Ty<'db>>, Ty<'db>) {
        let sig = self.db.callable_item_signature(func.into()).instantiate(self.interner, args).skip_norm_wip();
        let sig = self.interner.instantiate_bound_regions_with_erased(sig);
        let inputs = sig.inputs().iter().map(|&ty| self.normalize(ty)).collect();
        (inputs, self.normalize(sig.output()))
    }

    /// Whether a trait method takes `self` by value.
    pub fn takes_self_by_value(&mut self, func: FunctionId, args: GenericArgs<'db>, self_ty: Ty<'db>) -> bool {
        let has_self = FunctionSignature::of(self.db, func).flags.contains(FnFlags::HAS_SELF_PARAM);
        has_self && self.signature(func, args).0.first() == Some(&self_ty)
    }
}
