//! Vtables: which methods a `dyn` type has, in which order, and how one vtable leads to another.
//!
//! The entries of a `dyn Trait` are the functions of `Trait` and then of its supertraits, in order of elaboration, and
//! then, for each supertrait, a function without parameters that returns the address of the type's vtable as that
//! supertrait: upcasting is a virtual call. So nothing has to be known of how the machine lays out vtables.

use super::{
    FnMethod, InstanceKey, VtableKey,
    builder::FnBuilder,
    call,
    cx::Cx,
    names,
    program::{Gap, Program},
    resolve::Target,
    types,
};
use hir_def::{AssocItemId, FunctionId, TraitId};
use hir_ty::next_solver::{
    Binder, BoundExistentialPredicates, ExistentialPredicate, ExistentialTraitRef, GenericArgs, Region, TraitRef, Ty,
    TyKind,
};
use interp::ir::{FnId, Instr, Slot, Vtable};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    elaborate,
    inherent::{BoundExistentialPredicates as _, IntoKind},
};
use std::rc::Rc;

/// Index of the first method.
const FIRST: u32 = 3;

/// An entry behind drop glue, size and alignment.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry<'db> {
    /// A function of a trait under the trait's arguments; `Self` is the `dyn` type.
    Method(FunctionId, GenericArgs<'db>),
    /// The vtable as this supertrait, by the supertrait's plain `dyn` type.
    Super(TraitId, Ty<'db>),
}

/// The entries of a `dyn` type.
pub fn entries<'db>(program: &mut Program<'db>, dyn_ty: Ty<'db>) -> Rc<Vec<Entry<'db>>> {
    if let Some(known) = program.vtable_methods.get(&dyn_ty) {
        return known.clone();
    }
    let made = Rc::new(find_entries(program, dyn_ty));
    program.vtable_methods.insert(dyn_ty, made.clone());
    made
}

fn find_entries<'db>(program: &mut Program<'db>, dyn_ty: Ty<'db>) -> Vec<Entry<'db>> {
    let TyKind::Dynamic(bounds, _) = dyn_ty.kind() else { return Vec::new() };
    let Some(principal) = bounds.principal() else { return Vec::new() };
    let interner = program.interner;
    let principal = principal.with_self_ty(interner, dyn_ty);
    let mut methods = Vec::new();
    let mut supers = Vec::new();
    let traits: Vec<_> = elaborate::supertraits(interner, principal).collect();
    for (number, trait_ref) in traits.into_iter().enumerate() {
        let trait_ref = interner.instantiate_bound_regions_with_erased(trait_ref);
        let trait_id = trait_ref.def_id.0;
        let args = types::normalize_any(program, trait_ref.args);
        for (_, item) in &trait_id.trait_items(program.db).items {
            if let AssocItemId::FunctionId(func) = *item {
                methods.push(Entry::Method(func, args));
            }
        }
        if number > 0 {
            let plain = TraitRef::new_from_args(interner, trait_ref.def_id, args);
            let plain = ExistentialPredicate::Trait(ExistentialTraitRef::erase_self_ty(interner, plain));
            let bounds = BoundExistentialPredicates::new_from_iter(interner, [Binder::dummy(plain)]);
            let ty = Ty::new(interner, TyKind::Dynamic(bounds, Region::new_erased(interner)));
            supers.push(Entry::Super(trait_id, ty));
        }
    }
    methods.extend(supers);
    methods
}

/// Index of a trait's function in the vtables of a `dyn` type.
pub fn method_index<'db>(program: &mut Program<'db>, dyn_ty: Ty<'db>, func: FunctionId) -> Option<u32> {
    let entries = entries(program, dyn_ty);
    let found = entries.iter().position(|entry| matches!(entry, Entry::Method(id, _) if *id == func));
    found.map(|index| FIRST + index as u32)
}

/// The table of a type as a `dyn` type.
pub fn vtable(program: &mut Program<'_>, key: &VtableKey) -> Vtable {
    let (ty, dyn_ty) = (key.ty.as_ref(), key.dyn_ty.as_ref());
    let name = format!("{} as {}", program.type_name(ty), program.type_name(dyn_ty)).into();
    let (size, align) = program.layout(ty).map_or((0, 1), |layout| (layout.size, layout.align));
    let drop = types::needs_drop(program, ty).then(|| program.instance(InstanceKey::DropGlue(ty.store())));
    let entries = entries(program, dyn_ty);
    let mut methods = Vec::with_capacity(entries.len());
    for entry in entries.iter() {
        methods.push(match entry {
            Entry::Method(func, args) => method(program, ty, *func, *args),
            Entry::Super(_, dyn_ty) => Some(program.instance(InstanceKey::VtableOf(ty.store(), dyn_ty.store()))),
        });
    }
    Vtable { name, size, align, drop, methods: methods.into() }
}

/// A method of the concrete type.
fn method<'db>(program: &mut Program<'db>, ty: Ty<'db>, func: FunctionId, args: GenericArgs<'db>) -> Option<FnId> {
    let first: Vec<_> = std::iter::once(ty.into()).chain(args.iter().skip(1)).collect();
    let given = first.len();
    let args = types::erased_args(program, func, first);
    // With types of its own it cannot be called on a `dyn`.
    if args.iter().skip(given).any(|arg| arg.region().is_none()) {
        return None;
    }
    let no_args = GenericArgs::empty(program.interner);
    let mut cx = Cx { program, args: no_args, checks: false };
    let target = cx.resolve(func, args);
    let by_value = match &target {
        Target::FnTrait(_, _, method) => *method == FnMethod::Once,
        _ => names::takes_self_by_value(&mut cx, func, args, ty),
    };
    let id = call::target_instance(&mut cx, func, args, &target).ok()?;
    if !by_value {
        return Some(id);
    }
    let inner = program.key(id)?.clone();
    Some(program.instance(InstanceKey::ByPointer(Box::new(inner), ty.store())))
}

/// Metadata of an upcast pointer: `vtable` is the slot of the vtable as `from`.
pub fn upcast<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    vtable: Slot,
    from: Ty<'db>,
    to: Ty<'db>,
    dst: Slot,
) -> Result<(), Gap> {
    let target = to.dyn_trait();
    if target.is_none() || target == from.dyn_trait() {
        b.copy(dst, vtable, 8);
        return Ok(());
    }
    let entries = entries(cx.program, from);
    let found = entries.iter().position(|entry| matches!(entry, Entry::Super(id, _) if Some(*id) == target));
    let index = found.ok_or_else(|| Gap::from(format!("upcast to `{}`", cx.type_name(to))))?;
    b.push(Instr::CallVirtual { vtable, index: FIRST + index as u32, args: Box::new([]), dst });
    Ok(())
}
