//! Casts, unsizing coercions, functions as fn pointers.

use super::{CtorId, InstanceKey, VtableKey, builder::FnBuilder, call, cx::Cx, place, program::Program, vtable};
use crate::types::{Meta, Unsupported, functions, pointee};
use hir_def::CallableDefId;
use hir_ty::next_solver::{Ty, TyKind};
use interp::ir::{FnId, Instr, Scalar, Slot};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// `as`.
pub fn cast<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    src: Slot,
    from: Ty<'db>,
    to: Ty<'db>,
    dst: Slot,
) -> Result<(), Unsupported> {
    let is_pointer = |ty: Ty<'db>| matches!(ty.kind(), TyKind::Ref(..) | TyKind::RawPtr(..));
    if is_pointer(from) && is_pointer(to) {
        let wide = |cx: &mut Cx<'_, 'db>, ty: Ty<'db>| pointee(ty).is_some_and(|inner| cx.meta(inner) != Meta::Thin);
        return match (wide(cx, from), wide(cx, to)) {
            (true, true) => {
                b.copy(dst, src, 16);
                Ok(())
            }
            (_, false) => {
                b.copy(dst, src, 8);
                Ok(())
            }
            (false, true) => unsize(cx, b, src, from, dst, to),
        };
    }
    let Some(target) = cx.scalar_of(to) else {
        if from == to {
            let size = cx.layout(to)?.size32()?;
            b.copy(dst, src, size);
            return Ok(());
        }
        return Err(Unsupported::from(format!("cast to `{}`", cx.type_name(to))));
    };
    match from.kind() {
        TyKind::FnDef(..) | TyKind::Closure(..) => {
            let pointer = b.temp64();
            fn_pointer(cx, b, src, from, pointer)?;
            b.push(Instr::Cast { from: Scalar::U64, to: target, dst, a: pointer });
            Ok(())
        }
        TyKind::Adt(def, _) if def.is_enum() => place::discriminant(cx, b, &place::in_slot(src, from), target, dst),
        TyKind::RawPtr(..) | TyKind::Ref(..) => {
            // A wide pointer is cast to an integer by its address.
            b.push(Instr::Cast { from: Scalar::U64, to: target, dst, a: src });
            Ok(())
        }
        _ => {
            let Some(kind) = cx.scalar_of(from) else {
                return Err(Unsupported::from(format!("cast of `{}`", cx.type_name(from))));
            };
            b.push(Instr::Cast { from: kind, to: target, dst, a: src });
            Ok(())
        }
    }
}

/// The instance of a function item or constructor, by its type.
pub fn fn_instance<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>) -> Result<FnId, Unsupported> {
    let TyKind::FnDef(def, args) = ty.kind() else {
        return Err(Unsupported::from(format!("`{}` as a function", cx.type_name(ty))));
    };
    let key = match def.0 {
        CallableDefId::FunctionId(func) => {
            let target = cx.resolve(func, args);
            return call::target_instance(cx, func, args, &target);
        }
        CallableDefId::StructId(id) => InstanceKey::Ctor(CtorId::Struct(id), constructed_type(cx, ty)?.store()),
        CallableDefId::EnumVariantId(id) => InstanceKey::Ctor(CtorId::Variant(id), constructed_type(cx, ty)?.store()),
    };
    Ok(cx.instance(key))
}

/// The function for a call that passes no location: a `#[track_caller]` function gets its own definition as location.
pub fn located(program: &mut Program<'_>, func: FnId) -> FnId {
    match program.key(func).cloned() {
        Some(key @ InstanceKey::Fn(id, _)) if functions::tracks_caller(program.types.db, id) => {
            program.instance(InstanceKey::Located(Box::new(key), id))
        }
        _ => func,
    }
}

/// The type that a constructor constructs.
pub fn constructed_type<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>) -> Result<Ty<'db>, Unsupported> {
    let interner = cx.interner();
    let sig = ty.callable_sig(interner).ok_or("constructor without a signature")?;
    let output = interner.instantiate_bound_regions_with_erased(sig).output();
    Ok(cx.normalize(output))
}

/// Converts a function item, constructor or closure without captures to a fn pointer.
pub fn fn_pointer<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    src: Slot,
    from: Ty<'db>,
    dst: Slot,
) -> Result<(), Unsupported> {
    let func = match from.kind() {
        TyKind::FnPtr(..) => {
            b.copy(dst, src, 8);
            return Ok(());
        }
        TyKind::Closure(..) => cx.instance(InstanceKey::ClosureFnPtr(from.store())),
        _ => {
            let func = fn_instance(cx, from)?;
            located(cx.program, func)
        }
    };
    b.push(Instr::FnAddr { dst, func });
    Ok(())
}

/// Unsizing coercion of a pointer, or of a struct that contains one.
pub fn unsize<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    src: Slot,
    from: Ty<'db>,
    dst: Slot,
    to: Ty<'db>,
) -> Result<(), Unsupported> {
    if from == to {
        let size = cx.layout(to)?.size32()?;
        b.copy(dst, src, size);
        return Ok(());
    }
    match (from.kind(), to.kind()) {
        (
            TyKind::Ref(_, inner, _) | TyKind::RawPtr(inner, _),
            TyKind::Ref(_, target, _) | TyKind::RawPtr(target, _),
        ) => {
            if cx.meta(target) == Meta::Thin {
                b.copy(dst, src, 8);
                return Ok(());
            }
            // Compute the metadata first: source and destination may be the same slot.
            let meta = b.temp64();
            metadata(cx, b, src, inner, target, meta)?;
            b.copy(dst, src, 8);
            b.copy(dst + 8, meta, 8);
            Ok(())
        }
        (TyKind::Adt(def, _), TyKind::Adt(target, _)) if def.def_id() == target.def_id() => {
            let (layout, target_layout) = (cx.layout(from)?, cx.layout(to)?);
            let fields = cx.program.types.fields(from, 0);
            let targets = cx.program.types.fields(to, 0);
            for (index, (field, target)) in fields.into_iter().zip(targets).enumerate() {
                let size = cx.layout(field)?.size32()?;
                if size == 0 {
                    continue;
                }
                let part = src + layout.field(0, index as u32)? as u32;
                let target_part = dst + target_layout.field(0, index as u32)? as u32;
                if field == target {
                    b.copy(target_part, part, size);
                } else {
                    unsize(cx, b, part, field, target_part, target)?;
                }
            }
            Ok(())
        }
        // The pattern type of the pointer in `NonNull`.
        (TyKind::Pat(inner, _), TyKind::Pat(target, _)) => unsize(cx, b, src, inner, dst, target),
        _ => Err(Unsupported::from(format!("coercion of `{}` to `{}`", cx.type_name(from), cx.type_name(to)))),
    }
}

/// Metadata for the coercion from a pointer to `from` into a pointer to `to`.
fn metadata<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    src: Slot,
    from: Ty<'db>,
    to: Ty<'db>,
    dst: Slot,
) -> Result<(), Unsupported> {
    match (from.kind(), to.kind()) {
        (TyKind::Array(_, len), TyKind::Slice(_)) => {
            let len = cx.program.types.array_len(len).ok_or("unknown array length")?;
            b.constant(dst, 8, len.into());
            Ok(())
        }
        (TyKind::Dynamic(..), TyKind::Dynamic(..)) => vtable::upcast(cx, b, src + 8, from, to, dst),
        (_, TyKind::Dynamic(..)) => {
            let vtable = cx.program.vtable_id(VtableKey { ty: from.store(), dyn_ty: to.store() });
            b.push(Instr::VtableAddr { dst, vtable });
            Ok(())
        }
        (TyKind::Slice(_), TyKind::Slice(_)) | (TyKind::Str, TyKind::Str) => {
            b.copy(dst, src + 8, 8);
            Ok(())
        }
        (TyKind::Adt(..), TyKind::Adt(..)) | (TyKind::Tuple(_), TyKind::Tuple(_)) => {
            let last = |cx: &mut Cx<'_, 'db>, ty| cx.program.types.fields(ty, 0).pop();
            match (last(cx, from), last(cx, to)) {
                (Some(from), Some(to)) => metadata(cx, b, src, from, to, dst),
                _ => Err("coercion of a struct without fields".into()),
            }
        }
        _ => Err(Unsupported::from(format!("coercion of `{}` to `{}`", cx.type_name(from), cx.type_name(to)))),
    }
}
