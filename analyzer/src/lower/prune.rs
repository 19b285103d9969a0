//! Removes unreachable blocks and merges straight-line blocks.

use crate::ir::{BlockId, BodyIr, Stmt, Term};

/// Keeps the reachable blocks, numbered in order of first reach.
pub(super) fn prune(ir: &mut BodyIr) {
    join_lines(ir);
    let mut order = Vec::new();
    let mut seen = vec![false; ir.blocks.len()];
    let mut stack = vec![BlockId(0)];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        order.push(id);
        let block = &ir.blocks[id.0 as usize];
        let mut next = successors(&block.term.0);
        next.extend(block.unwind);
        stack.extend(next.into_iter().rev());
    }
    let mut renumbered = vec![BlockId(0); ir.blocks.len()];
    for (new, old) in order.iter().enumerate() {
        renumbered[old.0 as usize] = BlockId(new as u32);
    }
    let mut old: Vec<_> = std::mem::take(&mut ir.blocks).into_iter().map(Some).collect();
    for id in order {
        let Some(mut block) = old[id.0 as usize].take() else { continue };
        each_successor(&mut block.term.0, |it| *it = renumbered[it.0 as usize]);
        block.unwind = block.unwind.map(|it| renumbered[it.0 as usize]);
        ir.blocks.push(block);
    }
}

/// Appends a block to its only predecessor if both unwind to the same block.
fn join_lines(ir: &mut BodyIr) {
    let mut predecessors = vec![0u32; ir.blocks.len()];
    predecessors[0] = 1;
    for block in &ir.blocks {
        for next in successors(&block.term.0).into_iter().chain(block.unwind) {
            predecessors[next.0 as usize] += 1;
        }
    }
    for index in 0..ir.blocks.len() {
        while let Term::Goto(next) = ir.blocks[index].term.0 {
            let next = next.0 as usize;
            if next == index || predecessors[next] != 1 {
                break;
            }
            let quiet = |it: &[(Stmt, _)]| !it.iter().any(|(it, _)| super::cx::may_panic(it));
            let (a, b) = (&ir.blocks[index], &ir.blocks[next]);
            let same = a.unwind == b.unwind;
            if a.is_cleanup != b.is_cleanup || !(same || quiet(&a.stmts) || quiet(&b.stmts)) {
                break;
            }
            let taken = std::mem::replace(
                &mut ir.blocks[next],
                crate::ir::Block {
                    stmts: Vec::new(),
                    term: (Term::Unreachable, crate::ir::Site::None),
                    unwind: None,
                    is_cleanup: false,
                },
            );
            let block = &mut ir.blocks[index];
            if quiet(&block.stmts) {
                block.unwind = taken.unwind;
            }
            block.stmts.extend(taken.stmts);
            block.term = taken.term;
        }
    }
}

/// The successors of a block, without unwinding.
pub(super) fn successors(term: &Term) -> Vec<BlockId> {
    let mut result = Vec::new();
    let mut term = term.clone();
    each_successor(&mut term, |it| result.push(*it));
    result
}

fn each_successor(term: &mut Term, mut f: impl FnMut(&mut BlockId)) {
    match term {
        Term::Goto(to) => f(to),
        Term::If(_, yes, no) => {
            f(yes);
            f(no);
        }
        Term::Switch(_, table, default) => {
            table.iter_mut().for_each(|(_, it)| f(it));
            f(default);
        }
        Term::Variant(_, table, default) => {
            table.iter_mut().for_each(|(_, it)| f(it));
            f(default);
        }
        Term::Suspend { resume, drop, .. } => {
            f(resume);
            f(drop);
        }
        Term::Return | Term::Resume | Term::Unreachable => {}
    }
}
