//! The interpreter loop: one step is one instruction.

mod api_calls;
mod atomics;
pub(crate) mod behind;
mod blocks;
pub(crate) mod call;
pub(crate) mod coroutine;
mod decisions;
mod faults;
pub(crate) mod global;
pub(crate) mod lifetimes;
pub(crate) mod livelock;
mod observe;
pub(crate) mod panics;
mod points;
pub(crate) mod reports;
pub(crate) mod signals;
pub(crate) mod status;
mod uninterpreted;
pub(crate) mod uninterpreted_objects;
mod unwind;

pub(crate) use self::api_calls::ApiCalls;
pub(crate) use self::call::trampoline;

use crate::arith;
use crate::ir::{BinOp, Instr, Scalar, Slot};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::Fault;
use crate::rng::Rng;
use crate::run::{Bound, LONG_ALONE, Prefix};
use crate::sched::PointKind;
use crate::term::Origin;
use crate::unit::Unit;

/// Number of steps between checks of the bounds and the host.
const POLL: u64 = 4096;
/// This many atomics inside std without a scheduling choice count as a busy wait.
const BUSY: u32 = 200;

impl Machine<'_> {
    /// Runs until schedules can differ: to the first switch after a second thread was started, or at which threads of
    /// several processes can run; or so many switches later. Returns its kind.
    pub(crate) fn run_to_division(&mut self) -> Result<PointKind, Stop> {
        let mut left = self.config.beginning_points;
        loop {
            let kind = self.run_to_switch()?;
            if self.concurrent || self.has_several_runnable() {
                match left.checked_sub(1) {
                    None => return Ok(kind),
                    Some(fewer) => left = fewer,
                }
            }
            self.reschedule(kind)?;
        }
    }

    /// Runs with default choices until no long sequence of steps without a switch has come for some time. Keeps the
    /// state at the end of the last one, unless the second program's document is known there: each run draws another.
    pub(crate) fn run_and_keep_late(&mut self, kept: &mut Option<Prefix>) -> Result<(), Stop> {
        let (mut points, mut end) = (0, u64::MAX);
        loop {
            let kind = self.run_to_switch()?;
            if self.concurrent || self.has_several_runnable() {
                let is_late =
                    points > 0 && self.steps - self.last_point >= LONG_ALONE && !self.inputs.has_second_document;
                if is_late {
                    let (seed, steps) = (self.config.seed, self.steps);
                    *kept = Some(Prefix { state: self.state(), kind, seed, steps, points });
                }
                if points == 0 || is_late {
                    end = self.steps.saturating_add(self.config.max_steps);
                }
                if self.steps > end {
                    return Ok(());
                }
                points += 1;
            }
            self.last_point = self.steps;
            self.reschedule(kind)?;
        }
    }

    /// Runs from there to the end of the run.
    pub(crate) fn run_divided(&mut self, kind: PointKind) -> Stop {
        if let Some(seed) = self.config.concurrent_seed {
            self.rng = Rng::with_stream(seed, 1);
            self.input_seed = seed;
        }
        (self.in_beginning, self.last_point, self.beginning) = (false, self.steps, self.steps);
        self.last_step = self.steps.saturating_add(self.config.max_steps);
        self.next_poll = self.next_poll.min(self.last_step.saturating_add(1));
        if self.os.coming.moment.is_some() {
            self.plan_signals();
        }
        let mut next = Ok(kind);
        loop {
            match next.and_then(|kind| self.reschedule(kind)) {
                Ok(()) => next = self.run_to_switch(),
                Err(stop) => return stop,
            }
            self.longest_alone = self.longest_alone.max(self.steps - self.last_point);
            self.last_point = self.steps;
        }
    }

    /// Runs until another thread may continue; returns why.
    fn run_to_switch(&mut self) -> Result<PointKind, Stop> {
        loop {
            let code = self.reload().ok_or(Stop::Fault(Fault::BadCode))?;
            match self.run_frame(&code) {
                Ok(Flow::Switch(kind)) => {
                    self.save_pc();
                    return Ok(kind);
                }
                Ok(_) => {}
                Err(Stop::Leaves) => {
                    if let Flow::Switch(kind) = self.leave_deadlock()? {
                        return Ok(kind);
                    }
                }
                Err(Stop::Deadlock) => {
                    self.go_behind()?;
                    return Ok(PointKind::Blocked);
                }
                Err(stop) => {
                    if let Err(stop) = self.give_up_global(stop) {
                        self.end_child(stop)?;
                        return Ok(PointKind::ThreadEnd);
                    }
                }
            }
        }
    }

    /// Runs until the frame or thread changes. Frequent instructions are executed here.
    fn run_frame(&mut self, code: &Unit) -> Step {
        let instrs = &code.instrs[..];
        let mut pc = self.pc;
        loop {
            self.pc = pc;
            self.steps += 1;
            if self.steps >= self.next_poll && self.poll()? {
                return Ok(Flow::Reload);
            }
            let Some(instr) = instrs.get(pc as usize) else {
                return Err(Stop::Fault(Fault::BadCode));
            };
            if self.memory.has_uninterpreted
                && let Some(flow) = self.step_uninterpreted(instr, instrs)?
            {
                match flow {
                    Flow::Next => pc += 1,
                    Flow::Jump => pc = self.pc,
                    other => return Ok(other),
                }
                continue;
            }
            match instr {
                Instr::Const { dst, size, bits, .. } if *size <= 8 => self.write(*dst, u32::from(*size), *bits),
                Instr::Copy { dst, src, size } => self.copy_slots(*src, *dst, *size),
                Instr::LocalRead { dst, src, size } => {
                    if self.concurrent {
                        self.note_read(self.slot_addr(*src), *size, false);
                    }
                    self.copy_slots(*src, *dst, *size);
                }
                Instr::LocalWrite { dst, src, size } => {
                    if self.concurrent {
                        self.note_write(self.slot_addr(*dst), *size, false);
                    }
                    self.copy_slots(*src, *dst, *size);
                }
                Instr::AddrOf { dst, slot } => self.write(*dst, 8, self.slot_addr(*slot)),
                Instr::PtrAdd { dst, ptr, offset } => {
                    self.write(*dst, 8, self.read(*ptr, 8).wrapping_add_signed(*offset));
                }
                Instr::Load { dst, ptr, offset, size, volatile } => {
                    if *size > 0 {
                        let addr = self.read(*ptr, 8).wrapping_add(u64::from(*offset));
                        let from = self.memory.readable(addr, *size as usize)?;
                        if self.concurrent {
                            self.note_read(addr, *size, *volatile);
                        }
                        let to = self.slot(*dst);
                        self.memory.copy(from, to, *size as usize);
                    }
                }
                Instr::Store { ptr, offset, src, size, volatile } => {
                    if *size > 0 {
                        let addr = self.read(*ptr, 8).wrapping_add(u64::from(*offset));
                        let to = self.memory.writable(addr, *size as usize)?;
                        if self.concurrent {
                            self.note_write(addr, *size, *volatile);
                        }
                        let from = self.slot(*src);
                        self.memory.copy(from, to, *size as usize);
                    }
                }
                Instr::BinImm { op, ty, dst, a, imm } if ty.size() <= 8 => {
                    match arith::bin(*op, *ty, self.read(*a, ty.size()), *imm as u64) {
                        Ok(value) => self.write(*dst, arith::result_size(*op, *ty), value),
                        Err(trap) => return self.trap(trap, &[]),
                    }
                }
                Instr::Bin { op, ty, dst, a, b } if ty.size() <= 8 => {
                    let right = if matches!(op, BinOp::Shl | BinOp::Shr) { 4 } else { ty.size() };
                    match arith::bin(*op, *ty, self.read(*a, ty.size()), self.read(*b, right)) {
                        Ok(value) => self.write(*dst, arith::result_size(*op, *ty), value),
                        Err(trap) => return self.trap(trap, &[]),
                    }
                }
                Instr::CheckedImm { op, ty, dst, a, imm } if is_simple(*op, *ty) => {
                    let (value, overflow) = arith::overflowing(*op, *ty, self.read(*a, ty.size()), *imm as u64);
                    if overflow {
                        match self.step(instr)? {
                            Flow::Next => {}
                            other => return Ok(other),
                        }
                    } else {
                        self.write(*dst, ty.size(), value);
                    }
                }
                Instr::Checked { op, ty, dst, a, b, .. } if is_simple(*op, *ty) => {
                    let size = ty.size();
                    let (value, overflow) = arith::overflowing(*op, *ty, self.read(*a, size), self.read(*b, size));
                    if overflow {
                        match self.step(instr)? {
                            Flow::Next => {}
                            other => return Ok(other),
                        }
                    } else {
                        self.write(*dst, size, value);
                    }
                }
                Instr::Jump { to } => {
                    pc = *to;
                    continue;
                }
                Instr::Branch { cond, yes, no } => {
                    pc = if self.read(*cond, 1) != 0 { *yes } else { *no };
                    continue;
                }
                Instr::Switch { src, size, table, default } if *size <= 8 => {
                    let value = u128::from(self.read(*src, u32::from(*size)));
                    pc = table.iter().find(|case| case.0 == value).map_or(*default, |case| case.1);
                    continue;
                }
                Instr::Enter { scope } => self.enter_scope(code.scope(*scope as u16))?,
                Instr::Leave { scope } => {
                    pc = self.leave_scope(code.scope(*scope as u16))?;
                    continue;
                }
                Instr::Call { func, args, dst } => match self.call(*func, args, *dst)? {
                    Flow::Next => {}
                    other => return Ok(other),
                },
                Instr::Return => return self.leave(code),
                _ => match self.step(instr)? {
                    Flow::Next => {}
                    Flow::Jump => {
                        pc = self.pc;
                        continue;
                    }
                    other => return Ok(other),
                },
            }
            pc += 1;
        }
    }

    /// Returns whether the handler of a signal starts before the current instruction.
    #[cold]
    fn poll(&mut self) -> Result<bool, Stop> {
        if let Some(fault) = self.fault {
            return Err(Stop::Fault(fault));
        }
        if self.steps > self.last_step {
            return Err(Stop::Bound(Bound::Steps));
        }
        if self.host.cancelled() {
            return Err(Stop::Cancelled);
        }
        if !self.is_watched() {
            self.watch_now_and_then();
        } else {
            self.watch()?;
        }
        let until_next = if self.is_watched() { 1 } else { POLL };
        self.next_poll = self.steps.saturating_add(until_next).min(self.last_step.saturating_add(1));
        if self.steps >= self.os.coming.step() {
            self.signal_at_moment()?;
        }
        self.next_poll = self.next_poll.min(self.os.coming.step());
        self.deliver_pending()
    }

    /// Executes an infrequent instruction.
    fn step(&mut self, instr: &Instr) -> Step {
        match instr {
            Instr::Const { dst, size, bits, high } => {
                let value = u128::from(*bits) | u128::from(*high) << 64;
                if *size <= 8 {
                    self.write(*dst, u32::from(*size), *bits);
                } else {
                    self.write_wide(*dst, 16, value);
                }
            }
            Instr::Zero { dst, size } => {
                let (frame, at) = self.slot(*dst);
                self.memory.bytes_mut(frame, at, *size as usize).fill(0);
            }
            Instr::StorageDead { slot, size } => self.forget(self.slot_addr(*slot), u64::from(*size)),
            Instr::Omitted { cause } => self.terms.rest_on(Origin::Unknown(*cause)),
            Instr::Unknown { dst, size, cause } => self.not_understood(*dst, *size, *cause),

            Instr::Bin { op, ty, dst, a, b } => {
                let right = if matches!(op, BinOp::Shl | BinOp::Shr) { 4 } else { ty.size() };
                return self.binary_wide(*op, *ty, *dst, *a, self.read_wide(*b, right));
            }
            Instr::BinImm { op, ty, dst, a, imm } => {
                return self.binary_wide(*op, *ty, *dst, *a, i128::from(*imm) as u128);
            }
            Instr::Checked { op, ty, rhs, dst, a, b } => {
                let (a, b) = (self.read_wide(*a, ty.size()), self.read_wide(*b, rhs.size()));
                return self.checked(*op, *ty, *rhs, *dst, a, b);
            }
            Instr::CheckedImm { op, ty, dst, a, imm } => {
                let rhs = if matches!(op, BinOp::Shl | BinOp::Shr) { Scalar::I64 } else { *ty };
                let a = self.read_wide(*a, ty.size());
                return self.checked(*op, *ty, rhs, *dst, a, i128::from(*imm) as u128);
            }
            Instr::Overflowing { op, ty, dst, flag, a, b } => {
                let (value, overflow) =
                    arith::overflowing_wide(*op, *ty, self.read_wide(*a, ty.size()), self.read_wide(*b, ty.size()));
                self.write_wide(*dst, ty.size(), value);
                self.write(*flag, 1, u64::from(overflow));
            }
            Instr::Un { op, ty, dst, a } => {
                let value = arith::un(*op, *ty, self.read_wide(*a, ty.size()));
                self.write_wide(*dst, arith::un_size(*op, *ty), value);
            }
            Instr::CheckedNeg { ty, dst, a } => {
                let value = self.read_wide(*a, ty.size());
                let bits = ty.size() * 8;
                if ty.is_signed() && value == 1 << (bits - 1) {
                    return self.trap(crate::ir::Trap::NegOverflow, &[]);
                }
                self.write_wide(*dst, ty.size(), arith::un(crate::ir::UnOp::Neg, *ty, value));
            }
            Instr::Cast { from, to, dst, a } => {
                let value = arith::cast(*from, *to, self.read_wide(*a, from.size()));
                self.write_wide(*dst, to.size(), value);
            }
            Instr::Math { op, ty, dst, args } => self.math(*op, *ty, *dst, args),

            Instr::CopyMem { dst, dst_offset, src, src_offset, size } => {
                let to = self.read(*dst, 8).wrapping_add(u64::from(*dst_offset));
                let from = self.read(*src, 8).wrapping_add(u64::from(*src_offset));
                self.move_bytes(from, to, u64::from(*size))?;
            }
            Instr::PtrIndex { dst, ptr, index, stride } => {
                let distance = self.read(*index, 8).wrapping_mul(*stride);
                self.write(*dst, 8, self.read(*ptr, 8).wrapping_add(distance));
            }
            Instr::Bounds { index, len } => {
                let (index, len) = (self.read(*index, 8), self.read(*len, 8));
                if index >= len {
                    return self.trap(crate::ir::Trap::Bounds, &[index, len]);
                }
            }
            Instr::MoveBytes { dst, src, count, stride, overlapping: _ } => {
                let len = self.read(*count, 8).wrapping_mul(*stride);
                self.move_bytes(self.read(*src, 8), self.read(*dst, 8), len)?;
            }
            Instr::SetBytes { dst, value, count, stride } => {
                let len = self.read(*count, 8).wrapping_mul(*stride);
                self.set_bytes(self.read(*dst, 8), self.read(*value, 1) as u8, len)?;
            }
            Instr::CompareBytes { .. } if !self.memory.has_uninterpreted && self.reads_uninit(instr) => {
                self.memory.has_uninterpreted = true;
                return Ok(Flow::Jump);
            }
            Instr::CompareBytes { dst, a, b, len } => {
                let order = self.compare_bytes(self.read(*a, 8), self.read(*b, 8), self.read(*len, 8))?;
                self.write(*dst, 4, order as u64);
            }
            Instr::GlobalAddr { dst, global } => return self.global_addr(*dst, *global),
            Instr::DataAddr { dst, data } => {
                let addr = self.data_addr(*data)?;
                self.write(*dst, 8, addr);
            }
            Instr::FnAddr { dst, func } => {
                let addr = self.fn_addr(*func);
                self.write(*dst, 8, addr);
            }
            Instr::VtableAddr { dst, vtable } => {
                let addr = self.vtable_addr(*vtable)?;
                self.write(*dst, 8, addr);
            }

            Instr::AtomicLoad { .. } | Instr::AtomicRmw { .. } | Instr::AtomicCas { .. }
                if !self.memory.has_uninterpreted && self.reads_uninit(instr) =>
            {
                // Repeats it as an instruction on uninterpreted values.
                self.memory.has_uninterpreted = true;
                return Ok(Flow::Jump);
            }
            Instr::AtomicLoad { .. }
            | Instr::AtomicStore { .. }
            | Instr::AtomicRmw { .. }
            | Instr::AtomicCas { .. }
            | Instr::Fence { .. } => return self.atomic(instr),
            Instr::Await => {
                self.save_pc();
                self.touches(PointKind::Await, None);
            }

            Instr::Switch { src, size, table, default } => {
                let value = self.read_wide(*src, u32::from(*size));
                self.pc = table.iter().find(|case| case.0 == value).map_or(*default, |case| case.1);
                return Ok(Flow::Jump);
            }
            Instr::CallPtr { ptr, args, dst } => {
                let func = self.fn_at(self.read(*ptr, 8))?;
                return self.call(func, args, *dst);
            }
            Instr::CallVirtual { vtable, index, args, dst } => {
                let table = self.read(*vtable, 8);
                let entry = self.load_word(table.wrapping_add(u64::from(*index) * 8), 8)?;
                if entry == 0 && *index == 0 {
                    return Ok(Flow::Next);
                }
                let func = self.fn_at(entry)?;
                return self.call(func, args, *dst);
            }
            Instr::Unwind => {
                self.save_pc();
                return self.resume_unwinding();
            }
            Instr::Panic { trap, args } => {
                let args: smallvec::SmallVec<[u64; 4]> = args.iter().map(|slot| self.read(*slot, 8)).collect();
                return self.trap(*trap, &args);
            }
            Instr::Unreachable => return Err(Stop::Fault(Fault::Unreachable)),
            Instr::Abort => return Err(Stop::Aborted),
            Instr::CatchUnwind { func, data, handler, dst } => return self.catch_unwind(*func, *data, *handler, *dst),
            Instr::CallerLocation { dst } => {
                let addr = self.caller_location()?;
                self.write(*dst, 8, addr);
            }
            Instr::Here { dst } => {
                let addr = self.own_location()?;
                self.write(*dst, 8, addr);
            }

            Instr::Resume { obj, handle_offset, body, arg, out, done } => {
                return self.resume_coroutine(*obj, *handle_offset, *body, *arg, *out, *done);
            }
            Instr::Suspend { arg, resume, drop } => return self.suspend(*arg, *resume, *drop),
            Instr::DropCoroutine { obj, handle_offset, captures } => {
                return self.drop_coroutine(*obj, *handle_offset, *captures);
            }
            // The loop executes these.
            Instr::Copy { .. }
            | Instr::LocalRead { .. }
            | Instr::LocalWrite { .. }
            | Instr::AddrOf { .. }
            | Instr::PtrAdd { .. }
            | Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::Jump { .. }
            | Instr::Branch { .. }
            | Instr::Enter { .. }
            | Instr::Leave { .. }
            | Instr::Call { .. }
            | Instr::Return => return Err(Stop::Fault(Fault::BadCode)),
        }
        Ok(Flow::Next)
    }

    #[inline(always)]
    pub(crate) fn copy_slots(&mut self, src: Slot, dst: Slot, size: u32) {
        if size > 0 {
            self.memory.copy_here(self.base + src as usize, self.base + dst as usize, size as usize);
        }
    }

    fn binary_wide(&mut self, op: BinOp, ty: Scalar, dst: Slot, a: Slot, b: u128) -> Step {
        match arith::bin_wide(op, ty, self.read_wide(a, ty.size()), b) {
            Ok(value) => {
                self.write_wide(dst, arith::result_size(op, ty), value);
                Ok(Flow::Next)
            }
            Err(trap) => self.trap(trap, &[]),
        }
    }

    #[cold]
    fn checked(&mut self, op: BinOp, ty: Scalar, rhs: Scalar, dst: Slot, a: u128, b: u128) -> Step {
        match arith::checked(op, ty, rhs, a, b) {
            Ok(value) => {
                self.write_wide(dst, ty.size(), value);
                Ok(Flow::Next)
            }
            Err(trap) => self.trap(trap, &[]),
        }
    }

    fn math(&mut self, op: crate::ir::MathOp, ty: Scalar, dst: Slot, args: &[Slot]) {
        let values: smallvec::SmallVec<[u128; 3]> =
            args.iter().enumerate().map(|(i, slot)| self.read_wide(*slot, op.operand_size(ty, i))).collect();
        self.write_wide(dst, ty.size(), arith::math(op, ty, &values));
    }

    /// Whether there were so many atomics inside std without a choice that it must be a busy wait.
    fn is_busy(&mut self) -> Option<Flow> {
        self.silent_atomics += 1;
        (self.silent_atomics > BUSY).then_some(Flow::Switch(PointKind::Yield))
    }
}

/// Whether it is a small-integer operation that reports overflow by a flag.
#[inline(always)]
fn is_simple(op: BinOp, ty: Scalar) -> bool {
    ty.size() <= 8 && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) && !ty.is_float()
}
