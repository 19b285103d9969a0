//! Vtables: the methods of a `dyn` type, their order, and upcasting.
//!
//! The entries of a `dyn Trait` are the functions of `Trait` and of its supertraits, in order of elaboration. They
//! are followed by one function per supertrait, without parameters, that returns the address of the type's vtable for
//! that supertrait. Upcasting is thus a virtual call, and does not depend on the machine's layout of vtables.

use super::{InstanceKey, VtableKey, builder::FnBuilder, call, cast, cx::Cx, program::Program};
use crate::types::{FnMethod, Target, Unsupported, functions, object_methods::VtableEntry};
use hir_def::FunctionId;
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use interp::ir::{FnId, Instr, Slot, Vtable};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{BoundExistentialPredicates as _, IntoKind};

/// The vtable of a type for a `dyn` type.
pub fn vtable(program: &mut Program<'_>, key: &VtableKey) -> Vtable {
    let (ty, dyn_ty) = (key.ty.as_ref(), key.dyn_ty.as_ref());
    let name = format!("{} as {}", program.types.type_name(ty), program.types.type_name(dyn_ty)).into();
    let (size, align) = program.types.layout(ty).map_or((0, 1), |layout| (layout.size, layout.align));
    let drop = program.types.needs_drop(ty).then(|| program.instance(InstanceKey::DropGlue(ty.store())));
    let entries = program.types.entries(dyn_ty);
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
    let args = program.types.erased_args(func, first);
    // A method with type parameters cannot be called on a `dyn` type.
    if args.iter().skip(given).any(|arg| arg.region().is_none()) {
        return None;
    }
    let no_args = GenericArgs::empty(program.types.interner);
    let mut cx = Cx { program, args: no_args, checks: false };
    let target = cx.resolve(func, args);
    let by_value = match &target {
        Target::FnTrait(_, _, method) => *method == FnMethod::Once,
        _ => cx.program.types.takes_self_by_value(func, args, ty),
    };
    let id = call::target_instance(&mut cx, func, args, &target).ok()?;
    if !by_value {
        return Some(match target {
            Target::Fn(found, _) if found != func && !functions::trait_tracks_caller(cx.program.types.db, found) => {
                cast::located(cx.program, id)
            }
            _ => id,
        });
    }
    let inner = program.key(id)?.clone();
    Some(program.instance(InstanceKey::ByPointer(Box::new(inner), ty.store())))
}

/// Metadata of an upcast pointer; `vtable` is the slot with the vtable for `from`.
pub fn upcast<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    vtable: Slot,
    from: Ty<'db>,
    to: Ty<'db>,
    dst: Slot,
) -> Result<(), Unsupported> {
    let TyKind::Dynamic(bounds, _) = to.kind() else { return Err("upcast to a type that is not `dyn`".into()) };
    let principal = bounds.principal().filter(|_| to.dyn_trait() != from.dyn_trait());
    let Some(principal) = principal else {
        b.copy(dst, vtable, 8);
        return Ok(());
    };
    let interner = cx.program.types.interner;
    let target = interner.instantiate_bound_regions_with_erased(principal.with_self_ty(interner, to));
    let found = cx.program.types.super_index(from, target);
    let index = found.ok_or_else(|| Unsupported::from(format!("upcast to `{}`", cx.type_name(to))))?;
    b.push(Instr::CallVirtual { vtable, index, args: Box::new([]), dst });
    Ok(())
}
