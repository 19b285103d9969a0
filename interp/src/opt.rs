//! Optimises code without visible changes.
//!
//! Code generation copies every operand and every result through its own slot; this pass removes such copies.
//! Guarantee: accesses to memory and to address-taken locals, calls, panics and their sites stay, in order;
//! address-taken slots keep their positions. Only private slots and the number of steps change.
//!
//! Slots do not tell what they are a part of, so the caller passes the *regions* of the frame: each local, parameter,
//! result and temporary. Regions may overlap if their lifetimes do not. Coroutines are left unchanged: their frames
//! outlive the call.

mod copies;
mod dead;
mod flow;
pub(crate) mod inline;
mod uses;

#[cfg(test)]
mod tests;

use crate::ir::{Body, Code, Slot};
use uses::{Extent, Role};

/// Maximum size of a frame that is optimised; the cost grows with it.
const LARGEST: u32 = 4096;

/// Facts about a frame's slots.
struct Frame {
    /// For each byte, the end of the furthest region around it.
    ends: Vec<u32>,
    /// Whether the byte is address-taken, or detectors see it.
    shared: Vec<bool>,
    /// Starts of regions: slot, and the size if all regions that start there have the same.
    starts: Vec<(Slot, Option<u32>)>,
}

impl Frame {
    fn new(code: &mut Code, regions: &mut Vec<(Slot, u32)>) -> Frame {
        regions.sort_unstable();
        regions.dedup();
        let len = code.frame_size as usize;
        let mut frame = Frame { ends: (1..=code.frame_size).collect(), shared: vec![false; len], starts: Vec::new() };
        for &(slot, size) in regions.iter() {
            let end = slot + size;
            for known in frame.ends.iter_mut().take(end as usize).skip(slot as usize) {
                *known = (*known).max(end);
            }
            match frame.starts.last_mut() {
                Some((start, known)) if *start == slot => *known = None,
                _ => frame.starts.push((slot, Some(size))),
            }
        }
        let mut marks = Vec::new();
        for instr in &mut code.instrs {
            uses::visit(instr, &mut |slot, extent, role| {
                if role == Role::Shared {
                    marks.push((*slot, extent));
                }
            });
        }
        marks.dedup();
        for (slot, extent) in marks {
            let end = slot + frame.len(slot, extent);
            frame.share(slot, end);
            for &(start, size) in regions.iter() {
                if start < end.max(slot + 1) && slot < start + size {
                    frame.share(start, start + size);
                }
            }
        }
        frame
    }

    fn share(&mut self, start: Slot, end: Slot) {
        self.shared.iter_mut().take(end as usize).skip(start as usize).for_each(|byte| *byte = true);
    }

    /// Maximum size of an operand.
    fn len(&self, slot: Slot, extent: Extent) -> u32 {
        match extent {
            Extent::Bytes(size) => size,
            Extent::Rest => self.ends.get(slot as usize).map_or(0, |end| end - slot),
        }
    }

    /// Exact size of a result, if known.
    fn exact(&self, slot: Slot, extent: Extent) -> Option<u32> {
        match extent {
            Extent::Bytes(size) => Some(size),
            Extent::Rest => {
                let index = self.starts.binary_search_by_key(&slot, |start| start.0).ok()?;
                self.starts[index].1.filter(|size| *size == self.len(slot, Extent::Rest))
            }
        }
    }

    /// Whether all operands are within the frame; the verifier reports those that are not.
    fn holds_all(&self, code: &mut Code) -> bool {
        let size = self.ends.len() as u32;
        let mut holds = code.ret.0 + code.ret.1 <= size;
        for instr in &mut code.instrs {
            uses::visit(instr, &mut |slot, extent, _| {
                holds &= slot.checked_add(self.len(*slot, extent)).is_some_and(|end| end <= size);
            });
        }
        holds
    }

    fn is_shared(&self, slot: Slot, len: u32) -> bool {
        self.shared.iter().skip(slot as usize).take(len as usize).any(|byte| *byte)
    }
}

/// Optimises code. `regions` are slots and sizes of everything with its own range in the frame.
pub fn optimize(code: &mut Code, mut regions: Vec<(Slot, u32)>) {
    if code.body != Body::Ir || code.flags.is_coroutine {
        return;
    }
    if !has_its_places(code) {
        return;
    }
    flow::straighten(code);
    if code.frame_size > LARGEST {
        return;
    }
    let frame = Frame::new(code, &mut regions);
    if !frame.holds_all(code) {
        return;
    }
    for _ in 0..2 {
        copies::propagate(code, &frame);
        if !dead::remove(code, &frame) {
            break;
        }
    }
    flow::straighten(code);
    shrink(code, &frame);
}

/// Whether all jump targets exist.
fn has_its_places(code: &mut Code) -> bool {
    let len = code.instrs.len();
    let mut has = len > 0 && code.sites.len() == len;
    for instr in &mut code.instrs {
        uses::targets(instr, &mut |to| has &= (*to as usize) < len);
    }
    has && uses::diverges(&code.instrs[len - 1])
        && code
            .unwind
            .iter()
            .all(|range| (range.target as usize) < len && range.start <= range.end && range.end as usize <= len)
}

/// Removes the unused end of the frame.
fn shrink(code: &mut Code, frame: &Frame) {
    let mut end = code.ret.0 + code.ret.1;
    for &(slot, size) in &code.params {
        end = end.max(slot + size);
    }
    if let Some(last) = frame.shared.iter().rposition(|byte| *byte) {
        end = end.max(last as u32 + 1);
    }
    for instr in &mut code.instrs {
        uses::visit(instr, &mut |slot, extent, _| end = end.max(*slot + frame.len(*slot, extent)));
    }
    code.frame_size = code.frame_size.min(end.next_multiple_of(16));
}

fn overlap(a: Slot, a_len: u32, b: Slot, b_len: u32) -> bool {
    a < b + b_len && b < a + a_len
}
