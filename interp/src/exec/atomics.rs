//! Atomics: sequentially consistent values, with the edges of their orderings.

use crate::detect::race::AccessKind;
use crate::ir::{Instr, Ordering, RmwOp, Scalar};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::Fault;
use crate::sched::PointKind;

impl Machine<'_> {
    /// Any of the atomic instructions.
    pub(crate) fn atomic(&mut self, instr: &Instr) -> Step {
        if self.concurrent && self.thread().quiet == 0 && !self.thread().at_point {
            if self.is_point(PointKind::Atomic, None) {
                return Ok(Flow::Switch(PointKind::Atomic));
            }
            if let Some(flow) = self.is_busy() {
                return Ok(flow);
            }
        } else if !self.concurrent {
            self.is_point(PointKind::Atomic, None);
        }
        self.complete();
        self.tell_atomic(instr);
        let thread = self.thread_id();
        match *instr {
            Instr::AtomicLoad { dst, ptr, size, order } => {
                let (addr, size) = (self.read(ptr, 8), u32::from(size));
                let value = self.load_atomic(addr, size)?;
                self.note_asked(addr);
                self.spin()?;
                if self.concurrent {
                    self.order.on_load(thread, addr, order);
                    self.note(addr, size, AccessKind::AtomicRead);
                }
                self.write_wide(dst, size, value);
            }
            Instr::AtomicStore { ptr, src, size, order } => {
                let (addr, size) = (self.read(ptr, 8), u32::from(size));
                let value = self.read_wide(src, size);
                self.store_atomic(addr, size, value)?;
                self.progress();
                if self.concurrent {
                    self.note(addr, size, AccessKind::AtomicWrite);
                }
                self.memory_atomic(addr);
                self.order.on_store(thread, addr, order);
            }
            Instr::AtomicRmw { op, dst, ptr, src, size, order } => {
                let (addr, size) = (self.read(ptr, 8), u32::from(size));
                let old = self.load_atomic(addr, size)?;
                self.note_asked(addr);
                let new = rmw(op, size, old, self.read_wide(src, size));
                self.store_atomic(addr, size, new)?;
                if new != old {
                    self.progress();
                }
                self.modified(addr, size, order);
                self.write_wide(dst, size, old);
            }
            Instr::AtomicCas { dst, ok, ptr, old, new, size, success, failure, weak: _ } => {
                let (addr, size) = (self.read(ptr, 8), u32::from(size));
                let found = self.load_atomic(addr, size)?;
                let equal = found == self.read_wide(old, size);
                self.tell_exchange(addr, equal, if equal { success } else { failure });
                if equal {
                    let new = self.read_wide(new, size);
                    self.store_atomic(addr, size, new)?;
                    self.progress();
                    self.modified(addr, size, success);
                } else {
                    self.note_asked(addr);
                    self.spin()?;
                    if self.concurrent {
                        self.order.on_load(thread, addr, failure);
                        self.note(addr, size, AccessKind::AtomicRead);
                    }
                }
                self.write_wide(dst, size, found);
                self.write(ok, 1, u64::from(equal));
            }
            Instr::Fence { order } => self.order.on_fence(thread, order),
            _ => return Err(Stop::Fault(Fault::BadCode)),
        }
        Ok(Flow::Next)
    }

    /// Updates the clocks for a read-modify-write.
    fn modified(&mut self, addr: u64, size: u32, order: Ordering) {
        let thread = self.thread_id();
        self.order.on_rmw_load(thread, addr, order);
        if self.concurrent {
            self.note(addr, size, AccessKind::AtomicWrite);
        }
        self.memory_atomic(addr);
        self.order.on_rmw_store(thread, addr, order);
    }

    /// What was published at an address is forgotten with its memory.
    fn memory_atomic(&mut self, addr: u64) {
        let (index, offset) = crate::memory::Memory::split(addr);
        self.memory.alloc_mut(index).note_sync(offset);
    }

    fn load_atomic(&mut self, addr: u64, size: u32) -> Result<u128, Stop> {
        let (index, offset) = self.memory.readable(addr, size as usize)?;
        Ok(self.memory.get_wide(index, offset, size))
    }

    fn store_atomic(&mut self, addr: u64, size: u32, value: u128) -> Result<(), Stop> {
        let (index, offset) = self.memory.writable(addr, size as usize)?;
        self.memory.put_wide(index, offset, size, value);
        self.memory.clear_uninterpreted(index, offset, size as usize);
        Ok(())
    }
}

fn rmw(op: RmwOp, size: u32, old: u128, value: u128) -> u128 {
    let (signed, unsigned) = match size {
        1 => (Scalar::I8, Scalar::U8),
        2 => (Scalar::I16, Scalar::U16),
        4 => (Scalar::I32, Scalar::U32),
        8 => (Scalar::I64, Scalar::U64),
        _ => (Scalar::I128, Scalar::U128),
    };
    let less = |ty| crate::arith::bin_wide(crate::ir::BinOp::Lt, ty, old, value) == Ok(1);
    match op {
        RmwOp::Xchg => value,
        RmwOp::Add => old.wrapping_add(value),
        RmwOp::Sub => old.wrapping_sub(value),
        RmwOp::And => old & value,
        RmwOp::Nand => !(old & value),
        RmwOp::Or => old | value,
        RmwOp::Xor => old ^ value,
        RmwOp::Min => {
            if less(signed) {
                old
            } else {
                value
            }
        }
        RmwOp::Max => {
            if less(signed) {
                value
            } else {
                old
            }
        }
        RmwOp::UMin => {
            if less(unsigned) {
                old
            } else {
                value
            }
        }
        RmwOp::UMax => {
            if less(unsigned) {
                value
            } else {
                old
            }
        }
    }
}
