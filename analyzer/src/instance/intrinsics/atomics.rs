//! Atomics and fences.
//!
//! The intrinsics take orderings as const generics of an enum type, which rust-analyzer does not support (the
//! argument becomes an error). So the functions of `core::sync::atomic` that call them (`atomic::atomic_load` etc.),
//! which take orderings as values, are emitted instead. An intrinsic that is called directly is sequentially
//! consistent.

use super::Call;
use crate::{
    instance::{InstanceKey, builder::FnBuilder, cx::Cx},
    types::{Unsupported, Variants},
};
use interp::ir::{Instr, Ordering, RmwOp, Scalar, Slot, UnOp};

/// The variants of `core::sync::atomic::Ordering` in order; their discriminants are 0..5.
const ORDERINGS: [Ordering; 5] =
    [Ordering::Relaxed, Ordering::Release, Ordering::Acquire, Ordering::AcqRel, Ordering::SeqCst];

pub(super) fn emit<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    match call.name {
        "atomic_fence" => {
            b.push(Instr::Fence { order: Ordering::SeqCst });
            return Ok(true);
        }
        "atomic::fence" => {
            let refusal = refusal(cx, call);
            by_order(b, call.arg(0)?, |b, order| {
                if_allowed(b, &refusal, order != Ordering::Relaxed, Instr::Fence { order });
            });
            return Ok(true);
        }
        "atomic_singlethreadfence" | "atomic::compiler_fence" => return Ok(true),
        _ => {}
    }
    // The wrapper takes the orderings after the intrinsic's parameters.
    let (name, dynamic) = match call.name.strip_prefix("atomic::") {
        Some(name) => (name, true),
        None => (call.name, false),
    };
    let Some(op) = name.strip_prefix("atomic_").and_then(Op::of) else { return Ok(false) };
    let size = call.size(cx, 0)? as u8;
    let (dst, ptr) = (call.dst, call.arg(0)?);
    let refusal = refusal(cx, call);
    match op {
        Op::Load => each(b, dynamic, call, 1, |b, order| {
            if_allowed(b, &refusal, is_load_order(order), Instr::AtomicLoad { dst, ptr, size, order });
        })?,
        Op::Store => {
            let src = call.arg(1)?;
            each(b, dynamic, call, 2, |b, order| {
                let allowed = !matches!(order, Ordering::Acquire | Ordering::AcqRel);
                if_allowed(b, &refusal, allowed, Instr::AtomicStore { ptr, src, size, order });
            })?;
        }
        Op::Rmw(op) => {
            let src = call.arg(1)?;
            each(b, dynamic, call, 2, |b, order| {
                b.push(Instr::AtomicRmw { op, dst, ptr, src, size, order });
            })?;
        }
        Op::Cas { weak } => compare_exchange(cx, b, call, dynamic, weak, size)?,
    }
    Ok(true)
}

/// An atomic operation.
enum Op {
    Load,
    Store,
    Rmw(RmwOp),
    Cas { weak: bool },
}

impl Op {
    /// By the name after `atomic_`, of the intrinsic or its wrapper.
    fn of(name: &str) -> Option<Op> {
        Some(match name {
            "load" => Op::Load,
            "store" => Op::Store,
            "xchg" | "swap" => Op::Rmw(RmwOp::Xchg),
            "xadd" | "add" => Op::Rmw(RmwOp::Add),
            "xsub" | "sub" => Op::Rmw(RmwOp::Sub),
            "and" => Op::Rmw(RmwOp::And),
            "nand" => Op::Rmw(RmwOp::Nand),
            "or" => Op::Rmw(RmwOp::Or),
            "xor" => Op::Rmw(RmwOp::Xor),
            "max" => Op::Rmw(RmwOp::Max),
            "min" => Op::Rmw(RmwOp::Min),
            "umax" => Op::Rmw(RmwOp::UMax),
            "umin" => Op::Rmw(RmwOp::UMin),
            "cxchg" | "compare_exchange" => Op::Cas { weak: false },
            "cxchgweak" | "compare_exchange_weak" => Op::Cas { weak: true },
            _ => return None,
        })
    }
}

/// Emits `instr` for each possible ordering in argument `index`, or with `SeqCst` if orderings are not values.
fn each(
    b: &mut FnBuilder,
    dynamic: bool,
    call: &Call<'_, '_>,
    index: usize,
    mut instr: impl FnMut(&mut FnBuilder, Ordering),
) -> Result<(), Unsupported> {
    if dynamic {
        by_order(b, call.arg(index)?, instr);
    } else {
        instr(b, Ordering::SeqCst);
    }
    Ok(())
}

/// A call of the function's own body, which panics for an invalid ordering.
fn refusal<'db>(cx: &mut Cx<'_, 'db>, call: &Call<'_, 'db>) -> Instr {
    let func = cx.instance(InstanceKey::Real(call.func, call.generics.store()));
    Instr::Call { func, args: call.args.into(), dst: call.dst }
}

/// Emits `instr`, or `refusal` if its orderings are invalid.
fn if_allowed(b: &mut FnBuilder, refusal: &Instr, allowed: bool, instr: Instr) {
    b.push(if allowed { instr } else { refusal.clone() });
}

/// Whether an ordering is valid for a load.
fn is_load_order(order: Ordering) -> bool {
    !matches!(order, Ordering::Release | Ordering::AcqRel)
}

/// A switch over an `Ordering`, with `arm` for each variant. An unknown ordering counts as the strongest.
fn by_order(b: &mut FnBuilder, order: Slot, mut arm: impl FnMut(&mut FnBuilder, Ordering)) {
    let labels = ORDERINGS.map(|_| b.label());
    let end = b.label();
    let table = labels.iter().enumerate().map(|(value, label)| (value as u128, label.pc())).collect();
    b.push(Instr::Switch { src: order, size: 1, table, default: labels[4].pc() });
    for (label, order) in labels.into_iter().zip(ORDERINGS) {
        b.bind(label);
        arm(b, order);
        b.jump(end);
    }
    b.bind(end);
}

/// The intrinsic returns `(T, bool)`, its wrapper `Result<T, T>`.
fn compare_exchange<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    call: &Call<'_, 'db>,
    dynamic: bool,
    weak: bool,
    size: u8,
) -> Result<(), Unsupported> {
    let (ptr, old, new) = (call.arg(0)?, call.arg(1)?, call.arg(2)?);
    let layout = cx.layout(call.ret)?;
    if !dynamic {
        let (dst, ok) = (call.dst + layout.field(0, 0)? as u32, call.dst + layout.field(0, 1)? as u32);
        let (success, failure) = (Ordering::SeqCst, Ordering::SeqCst);
        b.push(Instr::AtomicCas { dst, ok, ptr, old, new, size, success, failure, weak });
        return Ok(());
    }
    let Variants::Multiple { offset, size: tag_size, fields, .. } = &layout.variants else {
        return Err("unexpected layout of `Result`".into());
    };
    let [Some(value), Some(other)] = [0, 1].map(|variant| fields.get(variant).and_then(|it| it.first().copied()))
    else {
        return Err("unexpected layout of `Result`".into());
    };
    let tag = match tag_size {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        8 => Scalar::U64,
        _ => Scalar::U128,
    };
    if value != other {
        return Err("unexpected layout of `Result`".into());
    }
    let (dst, ok) = (call.dst + value as u32, b.temp(1, 1));
    let failure_slot = call.arg(4)?;
    let refusal = refusal(cx, call);
    by_order(b, call.arg(3)?, |b, success| {
        by_order(b, failure_slot, |b, failure| {
            let instr = Instr::AtomicCas { dst, ok, ptr, old, new, size, success, failure, weak };
            if_allowed(b, &refusal, is_load_order(failure), instr);
        });
    });
    // The tag is 0 for `Ok`.
    b.push(Instr::Un { op: UnOp::NotBool, ty: Scalar::U8, dst: ok, a: ok });
    b.push(Instr::Cast { from: Scalar::U8, to: tag, dst: call.dst + *offset as u32, a: ok });
    Ok(())
}
