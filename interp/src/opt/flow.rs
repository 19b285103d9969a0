//! Control flow: simplifies jumps to jumps, to returns and to the next instruction; removes unreachable code.

use super::uses;
use crate::ir::{Code, Instr, Pc, UnwindRange};

/// Maximum length of a chain of jumps; a longer one may be a loop.
const LONGEST: usize = 16;

/// Threads jumps and removes unreachable instructions.
pub(super) fn straighten(code: &mut Code) {
    thread(code);
    let mut keep = reached(code);
    // A jump over removed instructions is a jump to the next one.
    for pc in (0..code.instrs.len()).rev() {
        if let Instr::Jump { to } = code.instrs[pc]
            && to as usize > pc
            && !keep[pc + 1..to as usize].iter().any(|kept| *kept)
        {
            keep[pc] = false;
        }
    }
    compact(code, &keep);
}

fn thread(code: &mut Code) {
    let final_target = |instrs: &[Instr], mut at: Pc| {
        for _ in 0..LONGEST {
            match instrs.get(at as usize) {
                Some(Instr::Jump { to }) if *to != at => at = *to,
                _ => break,
            }
        }
        at
    };
    for pc in 0..code.instrs.len() {
        let mut instr = std::mem::replace(&mut code.instrs[pc], Instr::Unreachable);
        uses::targets(&mut instr, &mut |to| *to = final_target(&code.instrs, *to));
        if let Instr::Branch { yes, no, .. } = instr
            && yes == no
        {
            instr = Instr::Jump { to: yes };
        }
        // A jump to a return becomes a return.
        if let Instr::Jump { to } = instr
            && let Some(Instr::Return) = code.instrs.get(to as usize)
        {
            instr = Instr::Return;
            code.sites[pc] = code.sites[to as usize];
        }
        code.instrs[pc] = instr;
    }
    let instrs = &code.instrs;
    for range in &mut code.unwind {
        range.target = final_target(instrs, range.target);
    }
    // An empty cleanup is removed.
    let does_something = |range: &UnwindRange| !matches!(instrs.get(range.target as usize), Some(Instr::Unwind));
    code.unwind = code.unwind.iter().filter(|range| range.in_cleanup || does_something(range)).copied().collect();
}

fn reached(code: &mut Code) -> Vec<bool> {
    let mut reached = vec![false; code.instrs.len()];
    let mut queue = vec![0];
    while let Some(start) = queue.pop() {
        let mut pc = start as usize;
        while pc < reached.len() && !reached[pc] {
            reached[pc] = true;
            let instr = &mut code.instrs[pc];
            uses::targets(instr, &mut |to| queue.push(*to));
            if uses::may_unwind(instr) {
                queue.extend(cleanup(code, pc as Pc));
            }
            if uses::diverges(&code.instrs[pc]) {
                break;
            }
            pc += 1;
        }
    }
    reached
}

/// The unwind target of an instruction; `None` inside cleanups.
pub(super) fn cleanup(code: &Code, pc: Pc) -> Option<Pc> {
    let range = code.unwind.iter().find(|range| (range.start..range.end).contains(&pc))?;
    (!range.in_cleanup).then_some(range.target)
}

/// Keeps the chosen instructions; the last of them must not fall through.
pub(super) fn compact(code: &mut Code, keep: &[bool]) {
    // The new position of an instruction, or of the first kept one after it.
    let mut places = Vec::with_capacity(keep.len() + 1);
    let mut next = 0;
    for kept in keep {
        places.push(next);
        next += u32::from(*kept);
    }
    places.push(next);
    let last = next.saturating_sub(1);
    let chosen = |index: &usize| keep[*index];
    let all = std::mem::take(&mut code.instrs).into_vec();
    let mut instrs: Vec<Instr> = all.into_iter().zip(keep).filter(|(_, kept)| **kept).map(|(instr, _)| instr).collect();
    for instr in &mut instrs {
        uses::targets(instr, &mut |to| *to = places[*to as usize].min(last));
    }
    code.instrs = instrs.into();
    code.sites = (0..keep.len()).filter(chosen).map(|index| code.sites[index]).collect();
    let moved = |range: &UnwindRange| UnwindRange {
        start: places[range.start as usize],
        end: places[range.end as usize],
        target: places[range.target as usize].min(last),
        in_cleanup: range.in_cleanup,
    };
    code.unwind = code.unwind.iter().map(moved).filter(|range| range.start < range.end).collect();
}
