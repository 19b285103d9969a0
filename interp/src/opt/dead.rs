//! Dead code elimination: removes unread values, and computes results where they are copied to.

use super::{Frame, flow, overlap, uses};
use crate::ir::{Code, Instr, Pc, Slot};
use uses::{Extent, Role};

/// Maximum distance between a copy and the computation of its source.
const NEAR: usize = 12;

/// A set of bytes of the frame.
#[derive(Clone, PartialEq, Eq)]
struct Bytes(Vec<u64>);

impl Bytes {
    fn new(len: u32) -> Bytes {
        Bytes(vec![0; len.div_ceil(64) as usize])
    }

    /// Word and mask of each piece of a range.
    fn pieces(slot: Slot, len: u32) -> impl Iterator<Item = (usize, u64)> {
        let (mut at, end) = (slot, slot + len);
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let count = (64 - at % 64).min(end - at);
                let mask = if count == 64 { u64::MAX } else { ((1 << count) - 1) << (at % 64) };
                let word = (at / 64) as usize;
                at += count;
                (word, mask)
            })
        })
    }

    fn insert(&mut self, slot: Slot, len: u32) {
        for (word, mask) in Bytes::pieces(slot, len) {
            self.0[word] |= mask;
        }
    }

    fn remove(&mut self, slot: Slot, len: u32) {
        for (word, mask) in Bytes::pieces(slot, len) {
            self.0[word] &= !mask;
        }
    }

    fn any(&self, slot: Slot, len: u32) -> bool {
        Bytes::pieces(slot, len).any(|(word, mask)| self.0[word] & mask != 0)
    }

    /// Adds another set; returns whether that changed anything.
    fn join(&mut self, other: &Bytes) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }
}

/// Live bytes at the starts of blocks.
struct Live {
    /// First instructions of blocks, in order.
    starts: Vec<Pc>,
    /// Live bytes there.
    entry: Vec<Bytes>,
    /// For each instruction, the unwind target.
    cleanups: Vec<Option<Pc>>,
}

impl Live {
    fn at(&self, pc: Pc) -> &Bytes {
        // Every jump target starts a block.
        match self.starts.binary_search(&pc) {
            Ok(index) | Err(index) => &self.entry[index.min(self.entry.len() - 1)],
        }
    }
}

fn live(code: &mut Code, frame: &Frame) -> Live {
    let len = code.instrs.len();
    let mut begins = vec![false; len + 1];
    begins[0] = true;
    let mut cleanups = Vec::with_capacity(len);
    for pc in 0..len {
        let cleanup = if uses::may_unwind(&code.instrs[pc]) { flow::cleanup(code, pc as Pc) } else { None };
        cleanups.push(cleanup);
        if let Some(target) = cleanup {
            begins[target as usize] = true;
        }
        let instr = &mut code.instrs[pc];
        uses::targets(instr, &mut |to| begins[*to as usize] = true);
        begins[pc + 1] |= uses::diverges(instr);
    }
    let starts: Vec<Pc> = (0..len as Pc).filter(|pc| begins[*pc as usize]).collect();
    let entry = vec![Bytes::new(code.frame_size); starts.len()];
    let mut live = Live { starts, entry, cleanups };
    loop {
        let mut changed = false;
        for block in (0..live.starts.len()).rev() {
            let end = live.starts.get(block + 1).map_or(len, |next| *next as usize);
            let mut now = after(code, &live, end);
            for pc in (live.starts[block] as usize..end).rev() {
                before(code, frame, &live, pc, &mut now);
            }
            changed |= live.entry[block].join(&now);
        }
        if !changed {
            return live;
        }
    }
}

/// Live bytes after the last instruction of a block.
fn after(code: &mut Code, live: &Live, end: usize) -> Bytes {
    let mut now = Bytes::new(code.frame_size);
    let (slot, size) = code.ret;
    let last = &mut code.instrs[end - 1];
    if !uses::diverges(last) {
        now.join(live.at(end as Pc));
    }
    uses::targets(last, &mut |to| {
        now.join(live.at(*to));
    });
    if matches!(last, Instr::Return) {
        now.insert(slot, size);
    }
    now
}

/// Turns the live bytes after an instruction into those before it.
fn before(code: &mut Code, frame: &Frame, live: &Live, pc: usize, now: &mut Bytes) {
    let instr = &mut code.instrs[pc];
    // The result of a coroutine that suspends is not written.
    let may_stay = matches!(instr, Instr::Resume { .. });
    uses::visit(instr, &mut |slot, extent, role| {
        if role == Role::Write
            && (!may_stay || extent != Extent::Rest)
            && let Some(size) = frame.exact(*slot, extent)
        {
            now.remove(*slot, size);
        }
    });
    if let Some(target) = live.cleanups[pc] {
        now.join(live.at(target));
    }
    uses::visit(instr, &mut |slot, extent, role| {
        if role == Role::Read {
            now.insert(*slot, frame.len(*slot, extent));
        }
    });
}

/// Removes dead instructions; returns whether there were any.
pub(super) fn remove(code: &mut Code, frame: &Frame) -> bool {
    let len = code.instrs.len();
    let live = live(code, frame);
    let mut keep = vec![true; len];
    let mut dropped = false;
    for block in 0..live.starts.len() {
        let start = live.starts[block] as usize;
        let end = live.starts.get(block + 1).map_or(len, |next| *next as usize);
        let mut now = after(code, &live, end);
        for pc in (start..end).rev() {
            let copy = match code.instrs[pc] {
                Instr::Copy { dst, src, size } => Some((dst, src, size)),
                _ => None,
            };
            let is_needed = match copy {
                Some((dst, src, size)) if dst == src || size == 0 => false,
                Some(copy) if computed_into(code, frame, &live, start..pc, copy, &now, &keep) => false,
                _ => !uses::is_pure(&code.instrs[pc]) || is_live(code, frame, pc, &now),
            };
            keep[pc] = is_needed;
            dropped |= !is_needed;
            if is_needed {
                before(code, frame, &live, pc, &mut now);
            }
        }
    }
    if dropped {
        flow::compact(code, &keep);
    }
    dropped
}

fn is_live(code: &mut Code, frame: &Frame, pc: usize, now: &Bytes) -> bool {
    let mut live = false;
    uses::visit(&mut code.instrs[pc], &mut |slot, extent, role| {
        let len = frame.len(*slot, extent);
        live |= role == Role::Write && (now.any(*slot, len) || frame.is_shared(*slot, len));
    });
    live
}

/// Lets the instruction that computes the source of a copy write the destination directly, if that is invisible.
fn computed_into(
    code: &mut Code,
    frame: &Frame,
    live: &Live,
    block: std::ops::Range<usize>,
    (dst, src, size): (Slot, Slot, u32),
    now: &Bytes,
    keep: &[bool],
) -> bool {
    if overlap(dst, size, src, size) || now.any(src, size) || frame.is_shared(src, size) || frame.is_shared(dst, size) {
        return false;
    }
    for pc in block.rev().take(NEAR) {
        if !keep[pc] {
            continue;
        }
        let instr = &mut code.instrs[pc];
        if let Some((slot, extent)) = uses::result(instr)
            && *slot == src
            && frame.exact(*slot, extent) == Some(size)
        {
            // The result of a call must still be recognised as a whole region.
            if extent == Extent::Rest && frame.exact(dst, extent) != Some(size) {
                return false;
            }
            *slot = dst;
            return true;
        }
        let mut touched = false;
        uses::visit(instr, &mut |slot, extent, _| {
            let len = frame.len(*slot, extent);
            touched |= overlap(*slot, len, src, size) || overlap(*slot, len, dst, size);
        });
        // A cleanup in between needs the old destination, and must not need the source.
        let seen = |target: Pc| live.at(target).any(dst, size) || live.at(target).any(src, size);
        touched |= live.cleanups[pc].is_some_and(seen);
        if touched {
            return false;
        }
    }
    false
}
