//! Vtables: which methods a `dyn` type has, in which order, and how one vtable leads to another.
//!
//! The entries of a `dyn Trait` are the functions of `Trait` and then of its supertraits, in order of elaboration, and
//! then, for each supertrait, a function without parameters that returns the address of the type's vtable as that
//! supertrait: upcasting is a virtual call. So nothing has to be known of how the machine lays out vtables.

use super::{
    FnMethod, InstanceKey, VtableKey,
    builder::FnBuilder,
    call, cast,
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
pub enum VtableEntry<'db> {
    /// A function of a trait under the trait's arguments; `Self` is the `dyn` type.
    Method(FunctionId, GenericArgs<'db>),
    /// The vtable as this supertrait under these arguments, by the supertrait's plain `dyn` type.
    Super(TraitId, GenericArgs<'db>, Ty<'db>),
}

/// The entries of a `dyn` type.
pub fn entries<'db>(program: &mut Program<'db>, dyn_ty: Ty<'db>) -> Rc<Vec<VtableEntry<'db>>> {
    if let Some(known) = program.vtable_methods.get(&dyn_ty) {
        return known.clone();
    }
    let made = Rc::new(find_entries(program, dyn_ty));
    program.vtable_methods.insert(dyn_ty, made.clone());
    made
}

fn find_entries<'db>(program: &mut Program<'db>, dyn_ty: Ty<'db>) -> Vec<VtableEntry<'db>> {
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
                methods.push(VtableEntry::Method(func, args));
            }
        }
        if number > 0 {
            let plain = TraitRef::new_from_args(interner, trait_ref.def_id, args);
            let plain = ExistentialPredicate::Trait(ExistentialTraitRef::erase_self_ty(interner, plain));
            let bounds = BoundExistentialPredicates::new_from_iter(interner, [Binder::dummy(plain)]);
            let ty = Ty::new(interner, TyKind::Dynamic(bounds, Region::new_erased(interner)));
            supers.push(VtableEntry::Super(trait_id, args, ty));
        }
    }
    methods.extend(supers);
    methods
}

/// Index of a trait's function under the trait's arguments in the vtables of a `dyn` type.
pub fn method_index<'db>(
    program: &mut Program<'db>,
    dyn_ty: Ty<'db>,
    func: FunctionId,
    args: GenericArgs<'db>,
) -> Option<u32> {
    let entries = entries(program, dyn_ty);
    let candidates = entries.iter().enumerate().filter_map(|(index, entry)| match entry {
        VtableEntry::Method(id, of) if *id == func => Some((index, *of)),
        _ => None,
    });
    only(program, candidates.collect(), args).map(|index| FIRST + index as u32)
}

/// The index of the one candidate, or, where a trait is there under several arguments, of the one under these.
fn only<'db>(
    program: &Program<'db>,
    candidates: Vec<(usize, GenericArgs<'db>)>,
    args: GenericArgs<'db>,
) -> Option<usize> {
    // Not compared without need: lifetimes may be written in more than one way.
    if let [(index, _)] = candidates[..] {
        return Some(index);
    }
    let args = types::normalize_any(program, args);
    let same = |of: &GenericArgs<'db>| {
        of.iter().zip(args.iter()).skip(1).all(|(left, right)| left.region().is_some() || left == right)
    };
    candidates.iter().find(|(_, of)| same(of)).map(|(index, _)| *index)
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
            VtableEntry::Method(func, args) => method(program, ty, *func, *args),
            VtableEntry::Super(_, _, dyn_ty) => {
                Some(program.instance(InstanceKey::VtableOf(ty.store(), dyn_ty.store())))
            }
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
        return Some(match target {
            Target::Fn(found, _) if found != func && !names::trait_tracks_caller(cx.program, found) => {
                cast::located(cx.program, id)
            }
            _ => id,
        });
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
    let TyKind::Dynamic(bounds, _) = to.kind() else { return Err("upcast to what is no `dyn` type".into()) };
    let principal = bounds.principal().filter(|_| to.dyn_trait() != from.dyn_trait());
    let Some(principal) = principal else {
        b.copy(dst, vtable, 8);
        return Ok(());
    };
    let interner = cx.program.interner;
    let target = interner.instantiate_bound_regions_with_erased(principal.with_self_ty(interner, to));
    let entries = entries(cx.program, from);
    let candidates = entries.iter().enumerate().filter_map(|(index, entry)| match entry {
        VtableEntry::Super(id, of, _) if *id == target.def_id.0 => Some((index, *of)),
        _ => None,
    });
    let found = only(cx.program, candidates.collect(), target.args);
    let index = found.ok_or_else(|| Gap::from(format!("upcast to `{}`", cx.type_name(to))))?;
    b.push(Instr::CallVirtual { vtable, index: FIRST + index as u32, args: Box::new([]), dst });
    Ok(())
}
