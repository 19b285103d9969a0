//! `#[global_allocator]`: the allocator symbols call the program's own allocator, like the functions that rustc
//! generates for the attribute.

use super::cx::Cx;
use crate::{
    ir::{Aggregate, Block, BodyIr, BodyKind, Callee, Local, LocalId, Operand, RETURN, Rvalue, Site, Stmt, Term},
    source::SourceMap,
    workarounds::global_allocator,
};
use hir_def::{
    AdtId, FunctionId, HasModule, ItemContainerId, Lookup, ModuleDefId, StaticId, TraitId, VariantId,
    nameres::crate_def_map, signatures::FunctionSignature,
};
use hir_expand::name::Name;
use hir_ty::{
    db::HirDatabase,
    next_solver::{GenericArgs, Region, Ty},
};
use ra_ap_base_db::Crate;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;

/// The static with the attribute, in a crate or one of its dependencies.
pub fn find(db: &dyn HirDatabase, source: &dyn SourceMap, krate: Crate) -> Option<StaticId> {
    let crates = krate.transitive_deps(db).into_iter().filter(|&krate| !source.is_std(krate));
    for krate in crates {
        for (_, module) in crate_def_map(db, krate).modules() {
            let found = module.scope.declarations().find_map(|def| match def {
                ModuleDefId::StaticId(id) if global_allocator::has_attribute(db, id) => Some(id),
                _ => None,
            });
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The body of one of the allocator symbols (`__rust_alloc`, `__rust_dealloc`, …) if the program has its own
/// allocator: it calls the method of `GlobalAlloc` on the static, with size and alignment combined in a `Layout`.
pub fn body(cx: &mut Cx<'_, '_>, func: FunctionId) -> Option<BodyIr> {
    let (db, interner) = (cx.db(), cx.interner());
    let ItemContainerId::ExternBlockId(_) = func.lookup(db).container else { return None };
    let symbol = FunctionSignature::of(db, func).name.as_str().to_owned();
    let method = symbol.strip_prefix("__rust_")?;
    if !matches!(method, "alloc" | "alloc_zeroed" | "dealloc" | "realloc") {
        return None;
    }
    let allocator = cx.program.allocator()?;
    let module = func.module(db);
    // `alloc::alloc` imports them from `core`.
    let scope = &module.def_map(db)[module].scope;
    let named = |name: &str| scope.get(&Name::new_root(name)).types.map(|it| it.def);
    let (Some(ModuleDefId::TraitId(global_alloc)), Some(ModuleDefId::AdtId(AdtId::StructId(layout)))) =
        (named("GlobalAlloc"), named("Layout"))
    else {
        return None;
    };
    let method = method_of(cx, global_alloc, method)?;
    let own: Ty<'_> = cx.program.lowered(allocator.into()).root.locals.first()?.ty.as_ref();
    let sig = db.callable_item_signature(func.into()).instantiate_identity().skip_norm_wip();
    let sig = interner.instantiate_bound_regions_with_erased(sig);
    let layout_ty = Ty::new_adt(interner, layout.into(), GenericArgs::empty(interner));
    let own_ref = Ty::new_imm_ref(interner, Region::new_erased(interner), own);

    let params = sig.inputs().len();
    let mut types = vec![sig.output()];
    types.extend(sig.inputs().iter().copied());
    types.extend([layout_ty, own_ref]);
    let param = |index: usize| Operand::from(LocalId(index as u32 + 1));
    let (layout_local, own_local) = (LocalId(params as u32 + 1), LocalId(params as u32 + 2));
    // Number of parameters before and after size and alignment.
    let (before, after) = match symbol.as_str() {
        "__rust_dealloc" => (1, 0),
        "__rust_realloc" => (1, 1),
        _ => (0, 0),
    };
    let fields = VariantId::from(layout).fields(db);
    let size_first = fields.fields().iter().next().is_some_and(|(_, field)| field.name.as_str() == "size");
    let (size, align) = (param(before), param(before + 1));
    let parts = if size_first { vec![size, align] } else { vec![align, size] };
    let mut args = vec![Operand::from(own_local)];
    args.extend((0..before).map(param));
    args.push(layout_local.into());
    args.extend((params - after..params).map(param));
    let callee = Callee::Fn(method, GenericArgs::new_from_slice(&[own.into()]).store());
    let stmts = [
        Stmt::Assign(layout_local.into(), Rvalue::Aggregate(Aggregate::Variant(layout.into()), parts)),
        Stmt::Assign(own_local.into(), Rvalue::Static(allocator)),
        Stmt::Call { dest: RETURN.into(), callee, args },
    ];
    Some(BodyIr {
        kind: BodyKind::Fn,
        locals: types.into_iter().map(|ty| Local { ty: ty.store(), name: None }).collect(),
        params: params as u32,
        blocks: vec![Block {
            stmts: stmts.into_iter().map(|it| (it, Site::None)).collect(),
            term: (Term::Return, Site::None),
            unwind: None,
            is_cleanup: false,
        }],
        promoted: Vec::new(),
        gaps: Vec::new(),
    })
}

fn method_of(cx: &Cx<'_, '_>, trait_: TraitId, name: &str) -> Option<FunctionId> {
    trait_.trait_items(cx.db()).method_by_name(&Name::new_root(name))
}
