//! Drop glue.
//!
//! A value is dropped as in compiled code: its `Drop` impl runs, then its fields are dropped in declaration order. If
//! one of these steps panics, the remaining steps still run; a second panic aborts.

use super::{
    InstanceKey,
    builder::{FnBuilder, Label, UnwindFrom},
    call::{self, Call},
    cx::Cx,
    names,
    place::{self, Dyn, PlaceVal},
    program::Program,
    switch,
};
use crate::types::{Meta, Unsupported, pointee, upvars};
use hir_def::{
    AdtId,
    signatures::{StructFlags, StructSignature},
};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use interp::ir::{BinOp, Code, CodeFlags, Instr, Scalar, Slot};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Drops the value of type `ty` at the address in `address`.
pub fn call_drop<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, ty: Ty<'db>, address: Slot) {
    let dst = b.unused_dest();
    if matches!(ty.kind(), TyKind::Dynamic(..)) {
        b.push(Instr::CallVirtual { vtable: address + 8, index: 0, args: Box::new([address]), dst });
        return;
    }
    let func = cx.instance(InstanceKey::DropGlue(ty.store()));
    b.push(Instr::Call { func, args: Box::new([address]), dst });
}

/// A step of drop glue.
enum Step<'db> {
    /// `Drop::drop`.
    Impl,
    /// Drop glue of a part.
    Part(PlaceVal<'db>),
    /// Drop glue of a field. Its place is computed when the step is emitted.
    Field(u32),
    /// Drop glue of the content of a `Box`.
    Content,
}

/// Code that drops the pointee of its argument.
pub fn drop_glue<'db>(program: &mut Program<'db>, key: &InstanceKey, ty: Ty<'db>) -> Code {
    let name = names::instance(program, key);
    let args = GenericArgs::empty(program.types.interner);
    let flags = CodeFlags { is_shim: true, is_std: true, ..CodeFlags::default() };
    let mut cx = Cx { program, args, checks: false };
    let mut b = FnBuilder::new(name, flags);
    let wide = cx.meta(ty) != Meta::Thin;
    let address = b.param(if wide { 16 } else { 8 }, 8);
    let this = place::pointed_to(&mut cx, address, ty);
    match fill(&mut cx, &mut b, this, address) {
        Ok(()) => b.finish(cx.program.optimisation),
        Err(gap) => cx.program.unknown_code(key, &gap.0),
    }
}

fn fill<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, this: PlaceVal<'db>, address: Slot) -> Result<(), Unsupported> {
    let ty = this.ty;
    match ty.kind() {
        TyKind::Dynamic(..) => {
            call_drop(cx, b, ty, address);
            b.push(Instr::Return);
            Ok(())
        }
        TyKind::Array(..) | TyKind::Slice(_) => elements(cx, b, this),
        TyKind::Coroutine(..) => {
            let layout = cx.layout(ty)?;
            let tuple = upvars(ty).ok_or("coroutine without captures")?;
            let tuple = cx.normalize(tuple);
            let captures = cx.needs_drop(tuple).then(|| cx.instance(InstanceKey::DropGlue(tuple.store())));
            let handle_offset = layout.handle.unwrap_or_default() as u32;
            b.push(Instr::DropCoroutine { obj: address, handle_offset, captures });
            b.push(Instr::Return);
            Ok(())
        }
        TyKind::Adt(def, _) => adt(cx, b, this, def.def_id()),
        TyKind::Tuple(_) | TyKind::Closure(..) | TyKind::CoroutineClosure(..) => {
            let steps = field_steps(cx, ty, 0);
            sequence(cx, b, this, &steps)
        }
        _ => {
            b.push(Instr::Return);
            Ok(())
        }
    }
}

fn field_steps<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>, variant: u32) -> Vec<Step<'db>> {
    let fields = cx.program.types.fields(ty, variant);
    let dropped = fields.into_iter().enumerate().filter(|(_, field)| cx.needs_drop(*field));
    dropped.map(|(index, _)| Step::Field(index as u32)).collect()
}

fn adt<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, this: PlaceVal<'db>, adt: AdtId) -> Result<(), Unsupported> {
    let ty = this.ty;
    let mut first = Vec::new();
    if ty.is_box() {
        let content = pointee(ty).map(|content| cx.normalize(content));
        if content.is_some_and(|content| cx.needs_drop(content)) {
            first.push(Step::Content);
        }
    }
    if hir_ty::drop::destructor(cx.db(), adt).is_some() {
        first.push(Step::Impl);
    }
    match adt {
        AdtId::UnionId(_) => sequence(cx, b, this, &first),
        AdtId::StructId(id) => {
            let kept = StructFlags::IS_MANUALLY_DROP | StructFlags::IS_PHANTOM_DATA;
            if !StructSignature::of(cx.db(), id).flags.intersects(kept) {
                first.extend(field_steps(cx, ty, 0));
            }
            sequence(cx, b, this, &first)
        }
        AdtId::EnumId(_) if first.is_empty() => variants(cx, b, this),
        AdtId::EnumId(_) => {
            // The fields' glue equals that of an enum without a `Drop` impl: run it as the last step.
            let (ok, failed) = (b.label(), b.label());
            let range = b.begin_unwind(failed, UnwindFrom::Body);
            step(cx, b, &this, &Step::Impl)?;
            b.end_unwind(range);
            b.jump(ok);
            b.bind(failed);
            let again = b.label_here();
            let range = b.begin_unwind(again, UnwindFrom::Cleanup);
            variants_with(cx, b, this, Instr::Unwind)?;
            b.end_unwind(range);
            b.bind(ok);
            variants(cx, b, this)
        }
    }
}

fn variants<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, this: PlaceVal<'db>) -> Result<(), Unsupported> {
    variants_with(cx, b, this, Instr::Return)
}

fn variants_with<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    this: PlaceVal<'db>,
    end: Instr,
) -> Result<(), Unsupported> {
    let Some((adt, _)) = this.ty.as_adt() else { return Ok(()) };
    let mut arms = Vec::new();
    for variant in 0..cx.program.types.variant_count(adt) {
        let steps = field_steps(cx, this.ty, variant);
        if !steps.is_empty() {
            arms.push((variant, b.label(), steps));
        }
    }
    let nothing = b.label();
    let table: Vec<(u32, Label)> = arms.iter().map(|(variant, label, _)| (*variant, *label)).collect();
    switch::by_variant(cx, b, &this, &table, nothing)?;
    for (variant, label, steps) in arms {
        b.bind(label);
        sequence_with(cx, b, PlaceVal { variant, ..this }, &steps, end.clone())?;
    }
    b.bind(nothing);
    b.push(end);
    Ok(())
}

fn sequence<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    this: PlaceVal<'db>,
    steps: &[Step<'db>],
) -> Result<(), Unsupported> {
    sequence_with(cx, b, this, steps, Instr::Return)
}

/// Emits all steps followed by `end`. If a step panics, the remaining steps run before unwinding continues.
fn sequence_with<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    this: PlaceVal<'db>,
    steps: &[Step<'db>],
    end: Instr,
) -> Result<(), Unsupported> {
    let cleanups: Vec<Label> = steps.iter().map(|_| b.label()).collect();
    for (index, one) in steps.iter().enumerate() {
        let range = cleanups.get(index + 1).map(|&target| b.begin_unwind(target, UnwindFrom::Body));
        step(cx, b, &this, one)?;
        if let Some(range) = range {
            b.end_unwind(range);
        }
    }
    b.push(end);
    if steps.len() < 2 {
        return Ok(());
    }
    let start = b.label_here();
    let range = b.begin_unwind(start, UnwindFrom::Cleanup);
    for (one, &label) in steps.iter().zip(&cleanups).skip(1) {
        b.bind(label);
        step(cx, b, &this, one)?;
    }
    b.end_unwind(range);
    b.push(Instr::Unwind);
    Ok(())
}

fn step<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    this: &PlaceVal<'db>,
    step: &Step<'db>,
) -> Result<(), Unsupported> {
    let part = match step {
        Step::Impl => return drop_impl(cx, b, this),
        Step::Part(part) => *part,
        Step::Field(index) => {
            let part = place::field(cx, b, *this, *index)?;
            let pack = cx.program.types.packing(this.ty);
            return drop_part(cx, b, &part, pack);
        }
        Step::Content => place::deref(cx, b, *this)?,
    };
    drop_part(cx, b, &part, None)
}

/// Drops the value at a place. A possibly misaligned field of a packed struct is moved out first.
pub fn drop_part<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    part: &PlaceVal<'db>,
    pack: Option<u64>,
) -> Result<(), Unsupported> {
    let mut address = None;
    if let Some(pack) = pack
        && part.meta.is_none()
    {
        let (size, align) = cx.size_align(part.ty)?;
        if u64::from(align) > pack {
            let slot = b.temp(size, align);
            place::read_bytes(b, part, slot, size);
            let moved = b.temp64();
            b.push(Instr::AddrOf { dst: moved, slot });
            address = Some(moved);
        }
    }
    let address = address.unwrap_or_else(|| place::address(cx, b, part));
    call_drop(cx, b, part.ty, address);
    Ok(())
}

/// `Drop::drop(&mut this)`.
fn drop_impl<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, this: &PlaceVal<'db>) -> Result<(), Unsupported> {
    let func = cx.interner().lang_items().Drop_drop.ok_or("`Drop::drop` is missing")?;
    let args = cx.program.types.erased_args(func, [this.ty.into()]);
    let target = cx.resolve(func, args);
    let address = place::address(cx, b, this);
    let ret = Ty::new_empty_tuple(cx.interner());
    // The callee is a plain function, so the argument's type is not needed.
    let call = Call { args: vec![address], arg_tys: Vec::new(), dst: b.unused_dest(), ret };
    call::to_target(cx, b, func, args, &target, &call)
}

/// Frees a `Box` whose content was moved out.
pub fn free_box<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, place: &PlaceVal<'db>) -> Result<(), Unsupported> {
    drop_impl(cx, b, place)?;
    let steps = field_steps(cx, place.ty, 0);
    for one in &steps {
        step(cx, b, place, one)?;
    }
    Ok(())
}

/// A loop over the elements. If a drop panics, a second loop drops the remaining elements.
fn elements<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, this: PlaceVal<'db>) -> Result<(), Unsupported> {
    let number = match place::len(cx, &this)? {
        Dyn::Const(len) => b.const64(len),
        Dyn::Slot(len) => {
            let copy = b.temp64();
            b.copy(copy, len, 8);
            copy
        }
    };
    let at = b.const64(0);
    let cleanup = b.label();
    element_loop(cx, b, this, at, number, cleanup, UnwindFrom::Body)?;
    b.push(Instr::Return);
    b.bind(cleanup);
    element_loop(cx, b, this, at, number, cleanup, UnwindFrom::Cleanup)?;
    b.push(Instr::Unwind);
    Ok(())
}

fn element_loop<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    this: PlaceVal<'db>,
    at: Slot,
    number: Slot,
    cleanup: Label,
    from: UnwindFrom,
) -> Result<(), Unsupported> {
    let (head, more, done) = (b.label_here(), b.label(), b.label());
    let mark = b.mark();
    let left = b.bin(BinOp::Lt, Scalar::U64, at, number);
    b.branch(left, more, done);
    b.bind(more);
    let index = b.temp64();
    b.copy(index, at, 8);
    // Increment first: an element whose drop panics is not dropped again.
    b.push(Instr::BinImm { op: BinOp::Add, ty: Scalar::U64, dst: at, a: at, imm: 1 });
    let element = place::index(cx, b, this, index)?;
    let range = b.begin_unwind(cleanup, from);
    step(cx, b, &this, &Step::Part(element))?;
    b.end_unwind(range);
    b.release(mark);
    b.jump(head);
    b.bind(done);
    Ok(())
}
