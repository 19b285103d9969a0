//! Generated functions other than drop glue.

use super::{
    CtorId, InstanceKey, VtableKey, bodies,
    builder::{FnBuilder, Label, UnwindFrom},
    call::{self, Call},
    cx::Cx,
    glue, intrinsics, names,
    place::{self, PlaceVal, Storage},
    program::Program,
};
use crate::{
    ir::BodyKind,
    types::{FnMethod, Unsupported, functions},
};
use hir_def::{HasModule, Lookup};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use interp::ir::{Body, Code, CodeFlags, Instr, Slot};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{GenericArgs as _, IntoKind};

/// A shim under construction.
struct Shim<'p, 'db> {
    cx: Cx<'p, 'db>,
    b: FnBuilder,
}

/// Code of a shim.
pub fn shim(program: &mut Program<'_>, key: &InstanceKey) -> Code {
    let name = names::instance(program, key);
    let args = GenericArgs::empty(program.types.interner);
    let flags = match (key, program.closure_of(key)) {
        (InstanceKey::DropCaptures(_), Some((owner, _))) => {
            let krate = owner.module(program.types.db).krate(program.types.db);
            names::crate_flags(program, krate)
        }
        // They are marked as std, so reports skip them.
        _ => CodeFlags { is_shim: true, is_std: true, ..CodeFlags::default() },
    };
    let mut shim = Shim { cx: Cx { program, args, checks: false }, b: FnBuilder::new(name, flags) };
    match shim.fill(key) {
        Ok(()) => shim.b.finish(shim.cx.program.optimisation),
        Err(gap) => program.unknown_code(key, &gap.0),
    }
}

impl<'db> Shim<'_, 'db> {
    fn fill(&mut self, key: &InstanceKey) -> Result<(), Unsupported> {
        match key {
            InstanceKey::Main(main) => intrinsics::entry(&mut self.cx, &mut self.b, *main),
            InstanceKey::CoroutinePoll(ty) => self.poll(ty.as_ref()),
            InstanceKey::DropCaptures(ty) => {
                let address = self.b.param(8, 8);
                glue::call_drop(&mut self.cx, &mut self.b, ty.as_ref(), address);
                self.done()
            }
            InstanceKey::Ctor(ctor, ty) => self.ctor(*ctor, ty.as_ref()),
            InstanceKey::FnTrait(callee, tuple, method) => self.fn_trait(callee.as_ref(), tuple.as_ref(), *method),
            InstanceKey::ClosureFnPtr(ty) => self.closure_pointer(ty.as_ref()),
            InstanceKey::ByPointer(inner, ty) => self.by_pointer(inner, ty.as_ref()),
            InstanceKey::Located(inner, _) => {
                let InstanceKey::Fn(func, args) = &**inner else {
                    return Err("caller location for an unsupported callee".into());
                };
                let (inputs, output) = self.cx.program.types.signature(*func, args.as_ref());
                let dst = self.ret(output)?;
                let mut params = Vec::new();
                for &input in &inputs {
                    params.push(self.param(input)?);
                }
                let func = self.cx.instance((**inner).clone());
                self.b.push(Instr::Call { func, args: params.into(), dst });
                self.done()
            }
            InstanceKey::DynMethod(func, args) => {
                let args = args.as_ref();
                let (inputs, output) = self.cx.program.types.signature(*func, args);
                let ret = self.ret(output)?;
                let mut params = Vec::new();
                for &input in &inputs {
                    params.push(self.param(input)?);
                }
                let target = self.cx.resolve(*func, args);
                let call = Call { args: params, arg_tys: inputs, dst: ret, ret: output };
                call::to_target(&mut self.cx, &mut self.b, *func, args, &target, &call)?;
                self.done()
            }
            InstanceKey::Clone(ty) => self.clone(ty.as_ref()),
            InstanceKey::VtableOf(ty, dyn_ty) => {
                let dst = self.b.temp64();
                self.b.set_ret(dst, 8);
                let vtable = self.cx.program.vtable_id(VtableKey { ty: ty.clone(), dyn_ty: dyn_ty.clone() });
                self.b.push(Instr::VtableAddr { dst, vtable });
                self.done()
            }
            InstanceKey::Missing(cause, sizes, ret) => {
                let slot = self.b.temp(*ret, 16);
                self.b.set_ret(slot, *ret);
                for &size in sizes {
                    self.b.param(size, 16);
                }
                let cause = self.cx.cause(cause);
                self.b.set_body(Body::Unknown { cause });
                Ok(())
            }
            _ => Err("unknown shim".into()),
        }
    }

    fn done(&mut self) -> Result<(), Unsupported> {
        self.b.push(Instr::Return);
        Ok(())
    }

    fn ret(&mut self, ty: Ty<'db>) -> Result<Slot, Unsupported> {
        let (size, align) = self.cx.size_align(ty)?;
        let slot = self.b.temp(size, align);
        self.b.set_ret(slot, size);
        Ok(slot)
    }

    fn param(&mut self, ty: Ty<'db>) -> Result<Slot, Unsupported> {
        let (size, align) = self.cx.size_align(ty)?;
        Ok(self.b.param(size, align))
    }

    /// `fn poll(self: Pin<&mut Coroutine>, cx: &mut Context<'_>) -> Poll<Output>`.
    fn poll(&mut self, ty: Ty<'db>) -> Result<(), Unsupported> {
        let interner = self.cx.interner();
        let TyKind::Coroutine(_, args) = ty.kind() else { return Err("poll of a type that is not a coroutine".into()) };
        let output = self.cx.normalize(args.as_coroutine().return_ty());
        let poll = interner.lang_items().Poll.ok_or("`Poll` is missing")?;
        let poll = Ty::new_adt(interner, poll.into(), GenericArgs::new_from_slice(&[output.into()]));
        let ret = self.ret(poll)?;
        let obj = self.b.param(8, 8);
        let arg = self.b.param(8, 8);
        let (size, align) = self.cx.size_align(output)?;
        let out = self.b.temp(size, align);
        let done = self.b.temp(1, 1);
        let handle_offset = self.cx.layout(ty)?.handle.unwrap_or_default() as u32;
        let (owner, expr, args) = call::closure_parts(ty, &self.cx).ok_or("coroutine in a type-level constant")?;
        let body = self.cx.instance(InstanceKey::CoroutineBody(owner, expr, args.store()));
        self.b.push(Instr::Resume { obj, handle_offset, body, arg, out, done });
        let (ready, pending) = (self.b.label(), self.b.label());
        self.b.branch(done, ready, pending);
        let result = place::in_slot(ret, poll);
        self.b.bind(ready);
        let value = place::field(&mut self.cx, &mut self.b, result, 0)?;
        place::write_bytes(&mut self.b, &value, out, size);
        place::set_variant(&mut self.cx, &mut self.b, result, 0)?;
        self.b.push(Instr::Return);
        self.b.bind(pending);
        place::set_variant(&mut self.cx, &mut self.b, result, 1)?;
        self.done()
    }

    fn ctor(&mut self, ctor: CtorId, ty: Ty<'db>) -> Result<(), Unsupported> {
        let ret = self.ret(ty)?;
        let variant = match ctor {
            CtorId::Struct(_) => 0,
            CtorId::Variant(id) => id.lookup(self.cx.db()).index(self.cx.db()) as u32,
        };
        let result = PlaceVal { variant, ..place::in_slot(ret, ty) };
        let fields = self.cx.program.types.fields(ty, variant);
        let mut params = Vec::new();
        for &field in &fields {
            params.push(self.param(field)?);
        }
        for (index, (field, src)) in fields.into_iter().zip(params).enumerate() {
            let size = self.cx.layout(field)?.size32()?;
            let part = place::field(&mut self.cx, &mut self.b, result, index as u32)?;
            place::write_bytes(&mut self.b, &part, src, size);
        }
        if matches!(ctor, CtorId::Variant(_)) {
            place::set_variant(&mut self.cx, &mut self.b, result, variant)?;
        }
        self.done()
    }

    /// Parameter types and result type of a closure, function item or fn pointer.
    fn signature(&mut self, callee: Ty<'db>) -> Result<(Vec<Ty<'db>>, Ty<'db>), Unsupported> {
        let interner = self.cx.interner();
        let sig = callee.callable_sig(interner).ok_or("callee without a signature")?;
        let sig = interner.instantiate_bound_regions_with_erased(sig);
        let inputs = sig.inputs().iter().map(|&ty| self.cx.normalize(ty)).collect();
        Ok((inputs, self.cx.normalize(sig.output())))
    }

    fn fn_trait(&mut self, callee: Ty<'db>, tuple: Ty<'db>, method: FnMethod) -> Result<(), Unsupported> {
        let (_, output) = self.signature(callee)?;
        let ret = self.ret(output)?;
        let this = match method {
            FnMethod::Once => self.param(callee)?,
            FnMethod::Mut | FnMethod::Ref => self.b.param(8, 8),
        };
        let packed = self.param(tuple)?;
        let (args, arg_tys) = call::untuple(&mut self.cx, packed, tuple)?;
        let direct = |this: &Self| {
            let _ = this;
            Call { args: args.clone(), arg_tys: arg_tys.clone(), dst: ret, ret: output }
        };
        let by_ref_body = call::closure_parts(callee, &self.cx).is_some_and(|(owner, expr, _)| {
            bodies::closure_kind(self.cx.program, owner, expr) == Some(BodyKind::ClosureByRef)
        });
        if !(by_ref_body && method == FnMethod::Once) {
            let call = direct(self);
            call::closure_body(&mut self.cx, &mut self.b, this, callee, method, call)?;
            return self.done();
        }
        let address = self.b.temp64();
        self.b.push(Instr::AddrOf { dst: address, slot: this });
        let call = direct(self);
        let cleanup = self.b.label();
        let range = self.b.begin_unwind(cleanup, UnwindFrom::Body);
        call::closure_body(&mut self.cx, &mut self.b, address, callee, FnMethod::Mut, call)?;
        self.b.end_unwind(range);
        let drops = self.cx.needs_drop(callee).then(|| self.cx.instance(InstanceKey::DropCaptures(callee.store())));
        let unused = self.b.unused_dest();
        if let Some(func) = drops {
            self.b.push(Instr::Call { func, args: Box::new([address]), dst: unused });
        }
        self.b.push(Instr::Return);
        self.b.bind(cleanup);
        if let Some(func) = drops {
            let range = self.b.begin_unwind(cleanup, UnwindFrom::Cleanup);
            self.b.push(Instr::Call { func, args: Box::new([address]), dst: unused });
            self.b.end_unwind(range);
        }
        self.b.push(Instr::Unwind);
        Ok(())
    }

    fn closure_pointer(&mut self, ty: Ty<'db>) -> Result<(), Unsupported> {
        let (inputs, output) = self.signature(ty)?;
        let ret = self.ret(output)?;
        let mut args = Vec::new();
        for &input in &inputs {
            args.push(self.param(input)?);
        }
        let nothing = self.b.temp(16, 16);
        let env = self.b.temp64();
        self.b.push(Instr::AddrOf { dst: env, slot: nothing });
        let (owner, expr, _) = call::closure_parts(ty, &self.cx).ok_or("closure in a type-level constant")?;
        let call = Call { args, arg_tys: inputs, dst: ret, ret: output };
        let (this, method) = match bodies::closure_kind(self.cx.program, owner, expr) {
            Some(BodyKind::ClosureOnce) => (nothing, FnMethod::Once),
            _ => (env, FnMethod::Ref),
        };
        call::closure_body(&mut self.cx, &mut self.b, this, ty, method, call)?;
        self.done()
    }

    /// Moves `self` out of the pointer argument.
    fn by_pointer(&mut self, inner: &InstanceKey, ty: Ty<'db>) -> Result<(), Unsupported> {
        let (rest, output): (Vec<Ty<'db>>, Ty<'db>) = match inner {
            InstanceKey::FnTrait(callee, tuple, _) => (vec![tuple.as_ref()], self.signature(callee.as_ref())?.1),
            InstanceKey::Fn(func, args) => {
                let (inputs, output) = self.cx.program.types.signature(*func, args.as_ref());
                (inputs.into_iter().skip(1).collect(), output)
            }
            _ => return Err("method by value on a `dyn` type".into()),
        };
        let dst = self.ret(output)?;
        let pointer = self.b.param(8, 8);
        let mut args = vec![0];
        for &input in &rest {
            args.push(self.param(input)?);
        }
        let (size, align) = self.cx.size_align(ty)?;
        args[0] = self.b.temp(size, align);
        self.b.load(args[0], pointer, 0, size);
        let func = self.cx.instance(inner.clone());
        self.b.push(Instr::Call { func, args: args.into(), dst });
        self.done()
    }

    /// `fn clone(&self) -> Self` of types whose `Clone` is built in.
    fn clone(&mut self, ty: Ty<'db>) -> Result<(), Unsupported> {
        let ret = self.ret(ty)?;
        let pointer = self.b.param(8, 8);
        let size = self.cx.layout(ty)?.size32()?;
        if !matches!(ty.kind(), TyKind::Tuple(_) | TyKind::Closure(..) | TyKind::CoroutineClosure(..)) {
            self.b.load(ret, pointer, 0, size);
            return self.done();
        }
        let clone = self.cx.interner().lang_items().Clone.ok_or("`Clone` is missing")?;
        let clone = functions::trait_fn(self.cx.db(), clone, "clone").ok_or("`Clone::clone` is missing")?;
        let source = PlaceVal { at: Storage::Mem { ptr: pointer, offset: 0 }, ..place::in_slot(pointer, ty) };
        // If a clone panics, the values cloned before are dropped in reverse order.
        let mut cloned: Vec<(PlaceVal<'db>, Label)> = Vec::new();
        for (index, field) in self.cx.program.types.fields(ty, 0).into_iter().enumerate() {
            let part = place::field(&mut self.cx, &mut self.b, source, index as u32)?;
            let target = place::field(&mut self.cx, &mut self.b, place::in_slot(ret, ty), index as u32)?;
            let Storage::Slot(dst) = target.at else { return Err("field of a slot".into()) };
            let address = place::address(&mut self.cx, &mut self.b, &part);
            let args = self.cx.program.types.erased_args(clone, [field.into()]);
            let reached = self.cx.resolve(clone, args);
            let call = Call { args: vec![address], arg_tys: Vec::new(), dst, ret: field };
            let failed = cloned.last().map(|(_, failed)| self.b.begin_unwind(*failed, UnwindFrom::Body));
            call::to_target(&mut self.cx, &mut self.b, clone, args, &reached, &call)?;
            failed.into_iter().for_each(|range| self.b.end_unwind(range));
            if self.cx.needs_drop(field) {
                cloned.push((target, self.b.label()));
            }
        }
        self.done()?;
        let cleanup = self.b.label_here();
        let range = self.b.begin_unwind(cleanup, UnwindFrom::Cleanup);
        for (part, failed) in cloned.into_iter().rev() {
            self.b.bind(failed);
            glue::drop_part(&mut self.cx, &mut self.b, &part, None)?;
        }
        self.b.end_unwind(range);
        self.b.push(Instr::Unwind);
        Ok(())
    }
}
