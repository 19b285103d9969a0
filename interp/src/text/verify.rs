//! Verifies the invariants of code, so that the machine need not check them at each step.
//!
//! Guarantee: in verified code, every operand is within the frame, every jump target exists, control does not run off
//! its end, and operators have kinds and sizes that they are defined for. The sizes of a call's arguments and result,
//! which the callee determines, are not checked here.

mod kinds;
mod operands;

use crate::ir::{Body, Code, FRAME_ALIGN, Instr, MAX_FRAME_ALIGN, Pc};
use crate::text::print::targets;
use operands::operands;
use std::fmt;

/// A violated invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The instruction, if it concerns one.
    pub pc: Option<Pc>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pc {
            Some(pc) => write!(f, "instruction {pc}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Verifies the code of one instance.
pub fn verify(code: &Code) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    header(code, &mut errors);
    for (pc, instr) in (0..).zip(&code.instrs) {
        let mut error = |message: String| errors.push(VerifyError { pc: Some(pc), message });
        operands(instr, &mut |slot, size| {
            if !in_frame(code, slot, size) {
                error(format!("s{slot}:{size} is outside the frame"));
            }
        });
        targets(instr, &mut |to| {
            if to as usize >= code.instrs.len() {
                error(format!("goes to {to}, which does not exist"));
            }
        });
        if matches!(instr, Instr::Suspend { .. }) && !code.flags.is_coroutine {
            error("suspends, but this is no coroutine".to_owned());
        }
        if matches!(instr, Instr::Enter { .. } | Instr::Leave { .. }) {
            error("is for the machine alone to make".to_owned());
        }
        kinds::check(instr, &mut error);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn header(code: &Code, errors: &mut Vec<VerifyError>) {
    let mut error = |message: String| errors.push(VerifyError { pc: None, message });
    let len = code.instrs.len();
    if !code.frame_size.is_multiple_of(16) {
        error(format!("a frame of {} bytes is no multiple of 16", code.frame_size));
    }
    if !code.frame_align.is_power_of_two() || !(FRAME_ALIGN..=MAX_FRAME_ALIGN).contains(&code.frame_align) {
        error(format!("a frame cannot be aligned to {} bytes", code.frame_align));
    }
    for (what, &(slot, size)) in code.params.iter().map(|param| ("parameter", param)).chain([("result", &code.ret)]) {
        if !in_frame(code, slot, size) {
            error(format!("{what} s{slot}:{size} is outside the frame"));
        }
    }
    if code.sites.len() != len {
        error(format!("{} sites for {len} instructions", code.sites.len()));
    }
    match code.instrs.last() {
        None if code.body == Body::Ir => error("no instructions".to_owned()),
        Some(last) if !diverges(last) => error("control runs off the end".to_owned()),
        _ => {}
    }
    for range in &code.unwind {
        if range.start >= range.end || range.end as usize > len {
            error(format!("{}..{} is no range of instructions", range.start, range.end));
        }
        if range.target as usize >= len {
            error(format!("unwinding goes to {}, which does not exist", range.target));
        }
    }
}

fn in_frame(code: &Code, slot: u32, size: u32) -> bool {
    slot.checked_add(size).is_some_and(|end| end <= code.frame_size)
}

/// Whether control never continues at the next instruction.
fn diverges(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Jump { .. }
            | Instr::Branch { .. }
            | Instr::Switch { .. }
            | Instr::Return
            | Instr::Leave { .. }
            | Instr::Unwind
            | Instr::Panic { .. }
            | Instr::Unreachable
            | Instr::Abort
            | Instr::Suspend { .. }
    )
}
