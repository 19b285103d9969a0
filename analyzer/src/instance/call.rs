//! Calls: of functions, methods, closures, fn pointers, vtable entries and intrinsics.

use super::{
    InstanceKey, bodies,
    builder::FnBuilder,
    cast,
    codegen::Fx,
    cx::Cx,
    glue, intrinsics,
    place::{self, Storage},
};
use crate::{
    ir::{BodyKind, Callee, Operand, Place},
    std_models,
    types::{FnMethod, Meta, Target, Unsupported, functions},
};
use hir_def::{CallableDefId, DefWithBodyId, FunctionId, hir::ExprId, signatures::FunctionSignature};
use hir_ty::{
    InferBodyId,
    next_solver::{GenericArgs, Ty, TyKind},
};
use interp::ir::{FnId, Instr, Slot};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{GenericArgs as _, IntoKind};

/// A call with its arguments in slots.
pub struct Call<'db> {
    /// Slots of the arguments.
    pub args: Vec<Slot>,
    /// Their types.
    pub arg_tys: Vec<Ty<'db>>,
    /// Slot of the result.
    pub dst: Slot,
    /// Its type.
    pub ret: Ty<'db>,
}

/// A call statement.
pub fn call<'db>(fx: &mut Fx<'_, '_, 'db>, dest: &Place, callee: &Callee, args: &[Operand]) -> Result<(), Unsupported> {
    let dest = fx.place(dest)?;
    let (size, align) = fx.cx.size_align(dest.ty)?;
    let dst = match dest.at {
        Storage::Slot(slot) => slot,
        _ => fx.b.temp(size, align),
    };
    let mut call =
        Call { args: Vec::with_capacity(args.len()), arg_tys: Vec::with_capacity(args.len()), dst, ret: dest.ty };
    for arg in args {
        let (slot, ty) = fx.operand(arg)?;
        call.args.push(slot);
        call.arg_tys.push(ty);
    }
    match callee {
        Callee::Fn(func, args) => {
            let own = fx.cx.args;
            let args = fx.cx.program.types.subst_args(args.as_ref(), own);
            if fx.b.flags().is_local
                && std_models::roles::is_size_query(fx.cx.db(), *func)
                && let Some(ty) = args.types().next()
                && fx.cx.program.types.is_inexact(ty)
            {
                return Err(format!("size of `{}`", fx.cx.type_name(ty)).into());
            }
            let target = fx.cx.resolve(*func, args);
            to_target(&mut fx.cx, &mut fx.b, *func, args, &target, &call)?;
        }
        Callee::Value(op) => {
            let (slot, ty) = fx.operand(op)?;
            to_value(&mut fx.cx, &mut fx.b, slot, ty, &call)?;
        }
    }
    if !matches!(dest.at, Storage::Slot(_)) {
        place::write_bytes(&mut fx.b, &dest, dst, size);
    }
    Ok(())
}

/// Emits a call of the target that `func` resolved to under `args`.
pub fn to_target<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    func: FunctionId,
    args: GenericArgs<'db>,
    target: &Target<'db>,
    call: &Call<'db>,
) -> Result<(), Unsupported> {
    match target {
        Target::Fn(func, args) => {
            if intrinsic(cx, b, *func, *args, call) {
                return Ok(());
            }
            let func = cx.instance(InstanceKey::Fn(*func, args.store()));
            emit(b, func, call);
        }
        Target::Virtual(index) => {
            let &receiver = call.args.first().ok_or("method call without a receiver")?;
            b.push(Instr::CallVirtual {
                vtable: receiver + 8,
                index: *index,
                args: call.args.clone().into(),
                dst: call.dst,
            });
        }
        Target::FnTrait(callee, tuple, method) => {
            let [this, packed] = call.args[..] else { return Err("call of a closure without arguments".into()) };
            closure_call(cx, b, this, *callee, packed, *tuple, *method, call)?;
        }
        Target::DropGlue(ty) => {
            let &address = call.args.first().ok_or("drop without an operand")?;
            if cx.needs_drop(*ty) {
                glue::call_drop(cx, b, *ty, address);
            }
        }
        Target::Unresolved => missing(cx, b, func, args, call)?,
        _ => {
            let func = target_instance(cx, func, args, target)?;
            emit(b, func, call);
        }
    }
    Ok(())
}

/// The target of a call as an instance.
pub fn target_instance<'db>(
    cx: &mut Cx<'_, 'db>,
    func: FunctionId,
    args: GenericArgs<'db>,
    target: &Target<'db>,
) -> Result<FnId, Unsupported> {
    let key = match target {
        Target::Fn(func, args) => InstanceKey::Fn(*func, args.store()),
        Target::Derive(impl_, method, args) => InstanceKey::BuiltinDerive(*impl_, *method, args.store()),
        Target::Virtual(_) => InstanceKey::DynMethod(func, args.store()),
        Target::FnTrait(callee, tuple, method) => InstanceKey::FnTrait(callee.store(), tuple.store(), *method),
        Target::Poll(ty) => InstanceKey::CoroutinePoll(ty.store()),
        Target::Clone(ty) => InstanceKey::Clone(ty.store()),
        Target::DropGlue(ty) => InstanceKey::DropGlue(ty.store()),
        Target::Unresolved => return Err(Unsupported::from(unresolved(cx, func, args))),
    };
    Ok(cx.instance(key))
}

fn emit(b: &mut FnBuilder, func: FnId, call: &Call<'_>) {
    b.push(Instr::Call { func, args: call.args.clone().into(), dst: call.dst });
}

/// Emits an intrinsic as instructions; `false` if the function has to be called instead.
pub fn intrinsic<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    func: FunctionId,
    args: GenericArgs<'db>,
    call: &Call<'db>,
) -> bool {
    let Some(name) = intrinsics::name_of(cx, func) else { return false };
    intrinsics::emit(cx, b, func, &name, args, &call.args, &call.arg_tys, call.ret, call.dst)
}

fn unresolved<'db>(cx: &Cx<'_, 'db>, func: FunctionId, args: GenericArgs<'db>) -> String {
    let name = FunctionSignature::of(cx.db(), func).name.as_str().to_owned();
    let of = args.types().next().map(|ty| cx.type_name(ty)).unwrap_or_default();
    format!("unresolved call of `{name}` on `{of}`")
}

/// A call without a known target: its result is uninterpreted and it may synchronise.
fn missing<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    func: FunctionId,
    args: GenericArgs<'db>,
    call: &Call<'db>,
) -> Result<(), Unsupported> {
    let text = unresolved(cx, func, args);
    unknown(cx, b, &text, call)
}

/// A call that is not supported.
pub fn unknown<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, cause: &str, call: &Call<'db>) -> Result<(), Unsupported> {
    let mut sizes = Vec::new();
    for &ty in &call.arg_tys {
        let meta = cx.meta(ty);
        let size = if meta == Meta::Thin { cx.layout(ty)?.size32()? } else { 16 };
        sizes.push(size);
    }
    let ret = cx.layout(call.ret)?.size32()?;
    let func = cx.instance(InstanceKey::Missing(cause.into(), sizes.into(), ret));
    emit(b, func, call);
    Ok(())
}

/// A call of a fn pointer or of a function item given by its type.
pub fn to_value<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    slot: Slot,
    ty: Ty<'db>,
    call: &Call<'db>,
) -> Result<(), Unsupported> {
    match ty.kind() {
        TyKind::FnPtr(..) => {
            b.push(Instr::CallPtr { ptr: slot, args: call.args.clone().into(), dst: call.dst });
            Ok(())
        }
        TyKind::FnDef(def, args) => match def.0 {
            CallableDefId::FunctionId(func) => {
                let target = cx.resolve(func, args);
                to_target(cx, b, func, args, &target, call)
            }
            _ => {
                let func = cast::fn_instance(cx, ty)?;
                emit(b, func, call);
                Ok(())
            }
        },
        _ => {
            let text = format!("call of `{}`", cx.type_name(ty));
            unknown(cx, b, &text, call)
        }
    }
}

/// The owner and expression of a closure's body, and the arguments of the enclosing item.
pub fn closure_parts<'db>(ty: Ty<'db>, cx: &Cx<'_, 'db>) -> Option<(DefWithBodyId, ExprId, GenericArgs<'db>)> {
    let db = cx.db();
    let (loc, parent) = match ty.kind() {
        TyKind::Closure(id, args) => (id.0.loc(db), args.as_closure().parent_args()),
        TyKind::Coroutine(id, args) => (id.0.loc(db), args.as_coroutine().parent_args()),
        TyKind::CoroutineClosure(id, args) => (id.0.loc(db), args.as_coroutine_closure().parent_args()),
        _ => return None,
    };
    let InferBodyId::DefWithBodyId(owner) = loc.owner else { return None };
    Some((owner, loc.expr, GenericArgs::new_from_slice(parent)))
}

/// Slots and types of the components of a tuple in a slot.
pub fn untuple<'db>(
    cx: &mut Cx<'_, 'db>,
    packed: Slot,
    tuple: Ty<'db>,
) -> Result<(Vec<Slot>, Vec<Ty<'db>>), Unsupported> {
    let TyKind::Tuple(tys) = tuple.kind() else { return Err("closure arguments are not a tuple".into()) };
    let layout = cx.layout(tuple)?;
    let mut slots = Vec::new();
    for index in 0..tys.len() {
        slots.push(packed + layout.field(0, index as u32)? as u32);
    }
    Ok((slots, tys.iter().collect()))
}

/// A method of the `Fn` traits on a closure, function item or fn pointer.
#[expect(clippy::too_many_arguments, reason = "callee and tuple are a slot and a type each")]
fn closure_call<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    this: Slot,
    callee: Ty<'db>,
    packed: Slot,
    tuple: Ty<'db>,
    method: FnMethod,
    call: &Call<'db>,
) -> Result<(), Unsupported> {
    let (args, arg_tys) = untuple(cx, packed, tuple)?;
    let direct = Call { args, arg_tys, dst: call.dst, ret: call.ret };
    if !closure_body(cx, b, this, callee, method, direct)? {
        // Called by value, but the body takes a reference: the shim drops the closure afterwards.
        let func = cx.instance(InstanceKey::FnTrait(callee.store(), tuple.store(), method));
        emit(b, func, call);
    }
    Ok(())
}

/// Like [`closure_call`], with the tuple of arguments unpacked. `false` if the body takes a reference but `this` is a
/// value.
pub fn closure_body<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    this: Slot,
    callee: Ty<'db>,
    method: FnMethod,
    mut call: Call<'db>,
) -> Result<bool, Unsupported> {
    match callee.kind() {
        TyKind::Closure(..) | TyKind::CoroutineClosure(..) => {
            let (owner, expr, args) = closure_parts(callee, cx).ok_or("closure in a type-level constant")?;
            match (bodies::closure_kind(cx.program, owner, expr), method) {
                (Some(BodyKind::ClosureByRef), FnMethod::Mut | FnMethod::Ref)
                | (Some(BodyKind::ClosureOnce), FnMethod::Once) => {}
                (Some(BodyKind::ClosureByRef), FnMethod::Once) => return Ok(false),
                _ => return Err("closure without a body".into()),
            }
            call.args.insert(0, this);
            let func = cx.instance(InstanceKey::Closure(owner, expr, args.store()));
            emit(b, func, &call);
        }
        TyKind::FnPtr(..) => {
            let ptr = match method {
                FnMethod::Once => this,
                FnMethod::Mut | FnMethod::Ref => {
                    let ptr = b.temp64();
                    b.load(ptr, this, 0, 8);
                    ptr
                }
            };
            b.push(Instr::CallPtr { ptr, args: call.args.into(), dst: call.dst });
        }
        _ => match from_fn_trait(cx, callee, method) {
            Some(func) => emit(b, func, &call),
            None => to_value(cx, b, this, callee, &call)?,
        },
    }
    Ok(true)
}

/// A `#[track_caller]` function as called through the `Fn` traits.
fn from_fn_trait<'db>(cx: &mut Cx<'_, 'db>, callee: Ty<'db>, method: FnMethod) -> Option<FnId> {
    let TyKind::FnDef(def, args) = callee.kind() else { return None };
    let CallableDefId::FunctionId(func) = def.0 else { return None };
    let Target::Fn(func, args) = cx.resolve(func, args) else { return None };
    if !functions::tracks_caller(cx.program.types.db, func) {
        return None;
    }
    let lang = cx.interner().lang_items();
    let (id, name) = match method {
        FnMethod::Once => (lang.FnOnce, "call_once"),
        FnMethod::Mut => (lang.FnMut, "call_mut"),
        FnMethod::Ref => (lang.Fn, "call"),
    };
    let at = functions::trait_fn(cx.db(), id?, name)?;
    Some(cx.instance(InstanceKey::Located(Box::new(InstanceKey::Fn(func, args.store())), at)))
}
