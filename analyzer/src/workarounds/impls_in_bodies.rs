//! Impls in bodies of functions, for traits and types from outside of them.
//!
//! * Symptom: they are not found, so that bincode cannot read an enum.
//! * Test: `modules/impls_in_bodies`.
//! * Upstream: none known.
//! * Goes when: such an impl is one of its crate.
//!
//! For impls of types of the block see [`super::impls_in_blocks`].

use crate::types::TypeCx;
use hir_def::{
    AssocItemId, BlockIdLt, DefWithBodyId, FunctionId, Lookup, ModuleDefId, TraitId, expr_store::Body,
    item_scope::ItemScope, nameres::crate_def_map, src::HasSource,
};
use hir_ty::{
    db::HirDatabase,
    method_resolution::TraitImpls,
    next_solver::{DbInterner, GenericArgs, Ty},
};
use ra_ap_base_db::{Crate, EditionedFileId};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_def::HasModule;
use ra_ap_hir_ty as hir_ty;
use ra_ap_parser::{LexedStr, SyntaxKind, T};
use ra_ap_syntax::{AstNode, SyntaxNode, ast};
use rustc_type_ir::{TypeVisitable, TypeVisitableExt as _, TypeVisitor};
use std::ops::ControlFlow;

/// The impls in bodies of the crates that may have one for these arguments: those of the trait and of the types.
pub(crate) fn impls<'db>(cx: &TypeCx<'db>, trait_: TraitId, args: GenericArgs<'db>) -> Vec<&'db TraitImpls<'db>> {
    let db = cx.db;
    let mut crates = Crates { db, found: vec![trait_.module(db).krate(db)] };
    for ty in args.types() {
        let _: ControlFlow<()> = ty.visit_with(&mut crates);
    }
    crates.found.sort_unstable();
    crates.found.dedup();
    let blocks = crates.found.into_iter().filter(|it| !it.data(db).origin.is_lang()).flat_map(|it| blocks(db, it));
    blocks.filter_map(|block| TraitImpls::for_block(db, *block)).collect()
}

/// The arguments of the call by which `?` leaves a function. Inference may not know the return type of one in such an
/// impl; its signature does.
pub(crate) fn of_return_type<'db>(
    interner: DbInterner<'db>,
    inferred: GenericArgs<'db>,
    returned: Ty<'db>,
) -> GenericArgs<'db> {
    let is_unknown = inferred.types().next().is_some_and(|it| it.references_error());
    let args = inferred.iter().enumerate();
    let args = args.map(|(index, arg)| if index == 0 && is_unknown { returned.into() } else { arg });
    GenericArgs::new_from_iter(interner, args)
}

/// Collects the crates of types.
struct Crates<'db> {
    db: &'db dyn HirDatabase,
    found: Vec<Crate>,
}

impl<'db> TypeVisitor<DbInterner<'db>> for Crates<'db> {
    type Result = ControlFlow<()>;

    fn visit_ty(&mut self, ty: Ty<'db>) -> Self::Result {
        use rustc_type_ir::TypeSuperVisitable as _;
        self.found.extend(ty.as_adt().map(|(adt, _)| adt.module(self.db).krate(self.db)));
        ty.super_visit_with(self)
    }
}

/// The blocks with impls in a crate's functions. Memoised: it reads all of its files.
#[salsa::tracked(returns(ref))]
fn blocks<'db>(db: &'db dyn HirDatabase, krate: Crate) -> Vec<BlockIdLt<'db>> {
    let mut found = Vec::new();
    for (_, module) in crate_def_map(db, krate).modules() {
        if module.origin.file_id().is_some_and(|file| may_have_one(db, file)) {
            add_blocks(db, &module.scope, &mut found);
        }
    }
    found
}

/// Adds the blocks of functions in a scope, and of functions in these.
fn add_blocks<'db>(db: &'db dyn HirDatabase, scope: &ItemScope, found: &mut Vec<BlockIdLt<'db>>) {
    let functions = scope.declarations().filter_map(|it| match it {
        ModuleDefId::FunctionId(func) => Some(func),
        _ => None,
    });
    let in_impls = scope.impls().flat_map(|it| it.impl_items(db).items.iter());
    let methods = in_impls.filter_map(|(_, it)| match *it {
        AssocItemId::FunctionId(func) => Some(func),
        _ => None,
    });
    for func in functions.chain(methods).filter(|it| has_impl(db, *it)) {
        for (block, map) in Body::of(db, DefWithBodyId::FunctionId(func)).blocks(db) {
            found.push(block);
            map.modules().for_each(|(_, module)| add_blocks(db, &module.scope, found));
        }
    }
}

/// Whether an impl stands in braces, by the tokens of a file: it may be in a function.
fn may_have_one(db: &dyn HirDatabase, file: EditionedFileId) -> bool {
    let text = db.file_text(file.file_id(db)).text(db);
    let lexed = LexedStr::new(file.edition(db), text);
    let kinds = (0..lexed.len()).map(|it| lexed.kind(it)).filter(|it| !it.is_trivia());
    let (mut depth, mut before) = (0_i32, SyntaxKind::EOF);
    for kind in kinds {
        match kind {
            T!['{'] => depth += 1,
            T!['}'] => depth -= 1,
            T![impl] if depth > 0 && matches!(before, T!['{'] | T!['}'] | T![;] | T![']'] | T![unsafe]) => return true,
            _ => {}
        }
        before = kind;
    }
    false
}

fn has_impl(db: &dyn HirDatabase, func: FunctionId) -> bool {
    let source = func.lookup(db).source(db);
    let body = |it: ast::Fn| it.body().map(|it| it.syntax().clone());
    let has_one = |it: SyntaxNode| it.descendants().any(|it| ast::Impl::can_cast(it.kind()));
    body(source.value).is_some_and(has_one)
}
