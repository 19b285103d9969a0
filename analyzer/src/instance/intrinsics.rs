//! Functions emitted as instructions: the compiler's intrinsics, and those functions of `core` and libm that only
//! wrap them ([`Native::Inline`]).
//!
//! [`emit`] is called for each call of such a function, with the arguments in slots. An intrinsic that it does not
//! know uses its fallback body in `core`. A call of one without a fallback body (`va_*`, `simd_*`, `f16` and `f128`,
//! `autodiff`) is uninterpreted.

use super::{InstanceKey, builder::FnBuilder, cx::Cx};
use crate::{
    std_models::{self, Native},
    types::{Target, Unsupported, type_name},
    workarounds::binders,
};
use hir_def::{CallableDefId, FunctionId, signatures::FunctionSignature};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use interp::ir::{Instr, Scalar, Slot};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

mod arith;
mod atomics;
mod entry;
mod generated;
mod libc;
mod memory;

pub use entry::entry;
pub use generated::generated;

/// The name by which [`emit`] knows a function: of an intrinsic, or of a function that is replaced by one.
pub fn name_of(cx: &Cx<'_, '_>, func: FunctionId) -> Option<String> {
    if FunctionSignature::is_intrinsic(cx.db(), func) {
        return Some(FunctionSignature::of(cx.db(), func).name.as_str().to_owned());
    }
    match std_models::lookup(cx.db(), func)? {
        Native::Inline(name) => Some((*name).to_owned()),
        // No function has a name that starts with `=`.
        Native::Int(value) => Some(format!("={value}")),
        _ => None,
    }
}

/// An intrinsic call with concrete types.
struct Call<'a, 'db> {
    func: FunctionId,
    name: &'a str,
    generics: GenericArgs<'db>,
    args: &'a [Slot],
    tys: &'a [Ty<'db>],
    ret: Ty<'db>,
    dst: Slot,
}

/// Emits a call of the intrinsic `name`, with its arguments in `args` and its result in `dst`. Returns `false` and
/// emits no instructions if the intrinsic is not supported.
#[expect(clippy::too_many_arguments, reason = "a call has that many parts")]
pub fn emit<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    func: FunctionId,
    name: &str,
    generics: GenericArgs<'db>,
    args: &[Slot],
    tys: &[Ty<'db>],
    ret: Ty<'db>,
    dst: Slot,
) -> bool {
    let call = Call { func, name, generics, args, tys, ret, dst };
    let mark = b.mark();
    let known = emit_any(cx, b, &call).unwrap_or_else(|gap| {
        let cause = cx.cause(&gap.0);
        if let Ok((size @ 1.., _)) = cx.size_align(ret) {
            b.push(Instr::Unknown { dst, size, cause });
        }
        true
    });
    b.release(mark);
    known
}

fn emit_any<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    Ok(control(cx, b, call)?
        || memory::emit(cx, b, call)?
        || atomics::emit(cx, b, call)?
        || libc::emit(cx, b, call)?
        || arith::emit(cx, b, call)?)
}

impl<'db> Call<'_, 'db> {
    fn arg(&self, index: usize) -> Result<Slot, Unsupported> {
        self.args.get(index).copied().ok_or_else(|| Unsupported::from("intrinsic with too few arguments"))
    }

    /// A type argument, by position among the type arguments.
    fn ty(&self, index: usize) -> Result<Ty<'db>, Unsupported> {
        self.generics.types().nth(index).ok_or_else(|| Unsupported::from("intrinsic with too few type arguments"))
    }

    /// Scalar kind of a type.
    fn scalar(&self, cx: &mut Cx<'_, 'db>, ty: Ty<'db>) -> Result<Scalar, Unsupported> {
        cx.scalar_of(ty).ok_or_else(|| Unsupported::from(format!("`{}` of `{}`", self.name, cx.type_name(ty))))
    }

    /// Scalar kind of an argument.
    fn arg_scalar(&self, cx: &mut Cx<'_, 'db>, index: usize) -> Result<Scalar, Unsupported> {
        let ty = self.tys.get(index).copied().ok_or_else(|| Unsupported::from("intrinsic with too few arguments"))?;
        self.scalar(cx, ty)
    }

    /// Size of a type argument.
    fn size(&self, cx: &mut Cx<'_, 'db>, index: usize) -> Result<u32, Unsupported> {
        Ok(cx.size_align(self.ty(index)?)?.0)
    }
}

/// Intrinsics for types, runtime properties and control flow.
fn control<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    let dst = call.dst;
    if let Some(value) = call.name.strip_prefix('=') {
        let value: u64 = value.parse().unwrap_or(0);
        match cx.size_align(call.ret)?.0 {
            size @ (1 | 2 | 4 | 8 | 16) => b.constant(dst, size, value.into()),
            0 => {}
            size => {
                b.push(Instr::Zero { dst, size });
                b.constant(dst, 8.min(size.next_power_of_two() / 2), value.into());
            }
        }
        return Ok(true);
    }
    match call.name {
        "needs_drop" => {
            let answer = cx.needs_drop(call.ty(0)?);
            b.constant(dst, 1, answer.into());
        }
        "type_id" => {
            // Drop glue has one number per type. The other bits of the `TypeId` only need to look like a hash.
            let ty = binders::unbound(cx.interner(), call.ty(0)?);
            let number = u64::from(cx.instance(InstanceKey::DropGlue(ty.store())).0);
            let low = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            b.constant(dst, 16, u128::from(number + 1) << 64 | u128::from(low ^ low >> 29));
        }
        "type_name" => {
            let ty = call.ty(0)?;
            let name = type_name::full(&cx.program.types, ty)
                .ok_or_else(|| Unsupported::from(format!("`type_name` of `{}`", cx.type_name(ty))))?;
            let data = cx.data(name.as_bytes());
            b.push(Instr::DataAddr { dst, data });
            b.constant(dst + 8, 8, name.len() as u128);
        }
        "variant_count" => {
            let count = match call.ty(0)?.as_adt() {
                Some((hir_def::AdtId::EnumId(id), _)) => id.enum_variants(cx.db()).variants.len(),
                _ => 0,
            };
            b.constant(dst, 8, count as u128);
        }
        "is_val_statically_known" | "ub_checks" | "contract_checks" => b.constant(dst, 1, 0),
        // Used only in generic functions of std, which are compiled with the program.
        "overflow_checks" => b.constant(dst, 1, 1),
        // Checks of type invariants. They fail only in programs that rustc rejects or that panic immediately.
        "assume"
        | "cold_path"
        | "breakpoint"
        | "forget"
        | "assert_inhabited"
        | "assert_zero_valid"
        | "assert_mem_uninitialized_valid" => {}
        "black_box" => {
            let size = call.size(cx, 0)?;
            b.copy(dst, call.arg(0)?, size);
        }
        "select_unpredictable" => {
            let size = call.size(cx, 0)?;
            let (yes, no, end) = (b.label(), b.label(), b.label());
            b.branch(call.arg(0)?, yes, no);
            b.bind(yes);
            b.copy(dst, call.arg(1)?, size);
            b.jump(end);
            b.bind(no);
            b.copy(dst, call.arg(2)?, size);
            b.bind(end);
        }
        "unreachable" => {
            b.push(Instr::Unreachable);
        }
        "abort" => {
            b.push(Instr::Abort);
        }
        "caller_location" => {
            b.push(Instr::CallerLocation { dst });
        }
        "catch_unwind" => {
            b.push(Instr::CatchUnwind { func: call.arg(0)?, data: call.arg(1)?, handler: call.arg(2)?, dst });
        }
        "const_eval_select" => const_eval_select(cx, b, call)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Calls the runtime function, the third argument, with the fields of the tuple in the first argument.
fn const_eval_select<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<(), Unsupported> {
    let (tuple, at_run_time) = (call.ty(0)?, call.ty(2)?);
    let TyKind::FnDef(def, args) = at_run_time.kind() else {
        return Err("`const_eval_select` of a type that is not a function item".into());
    };
    let CallableDefId::FunctionId(func) = def.0 else {
        return Err("`const_eval_select` of a constructor".into());
    };
    let layout = cx.layout(tuple)?;
    let base = call.arg(0)?;
    let count = tuple.as_tuple().map_or(0, |fields| fields.len());
    let slots: Box<[Slot]> =
        (0..count as u32).map(|index| Ok(base + layout.field(0, index)? as u32)).collect::<Result<_, Unsupported>>()?;
    let key = match cx.resolve(func, args) {
        Target::Fn(func, args) => InstanceKey::Fn(func, args.store()),
        Target::Derive(impl_, method, args) => InstanceKey::BuiltinDerive(impl_, method, args.store()),
        _ => return Err("`const_eval_select` of an unresolved function".into()),
    };
    let func = cx.instance(key);
    b.push(Instr::Call { func, args: slots, dst: call.dst });
    Ok(())
}
