//! Drop elaboration: moves, partial moves, drop flags.
//!
//! As in rustc: a forward analysis over *move paths* computes which parts of a local are initialised at each scheduled
//! drop: definitely, never or maybe. Definitely initialised parts are dropped, uninitialised ones are not, and a flag
//! decides for the rest. A partially moved local is dropped field by field.

use super::{
    cx::{Cx, may_panic},
    prune::successors,
};
use crate::ir::{Block, BlockId, BodyIr, BodyKind, Const, LocalId, Operand, Place, Proj, Rvalue, Site, Stmt, Term};
use hir_ty::next_solver::TyKind;
use ladder::DropPlan;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashMap;
use rustc_type_ir::inherent::IntoKind;

mod ladder;

/// A place that is moved out of or dropped as a whole somewhere.
struct Path {
    place: Place,
    children: Vec<usize>,
}

#[derive(Default)]
struct Paths {
    all: Vec<Path>,
    roots: FxHashMap<LocalId, usize>,
    /// The elements that a subslice pattern moves out of an array, each with its own path.
    slices: FxHashMap<Place, Vec<usize>>,
}

const INIT: u8 = 1;
const UNINIT: u8 = 2;
/// For each path, two bits: it may be initialised; it may be uninitialised.
type State = Vec<u8>;

/// Elaborates the scheduled drops of a body.
pub(super) fn elaborate(cx: &mut Cx<'_, '_>) {
    let paths = collect(cx);
    if paths.all.is_empty() {
        return;
    }
    let states = analyse(&cx.ir, &paths);
    let flags = flags(cx, &paths, &states);
    rewrite(cx, &paths, &states, &flags);
}

/// An empty body, a placeholder while the real one is taken apart.
pub(super) fn empty_body() -> BodyIr {
    BodyIr {
        kind: BodyKind::Fn,
        locals: Vec::new(),
        params: 0,
        blocks: Vec::new(),
        promoted: Vec::new(),
        gaps: Vec::new(),
    }
}

impl Paths {
    /// The path of a place; created with all its prefixes if it is new.
    fn intern(&mut self, place: &Place) -> usize {
        let mut index = match self.roots.get(&place.local) {
            Some(&index) => index,
            None => {
                let index = self.add(place.local.into());
                self.roots.insert(place.local, index);
                index
            }
        };
        for proj in &place.proj {
            let found = self.child(index, proj);
            index = match found {
                Some(child) => child,
                None => {
                    let child = self.add(self.all[index].place.then(proj.clone()));
                    self.all[index].children.push(child);
                    child
                }
            };
        }
        index
    }

    fn add(&mut self, place: Place) -> usize {
        self.all.push(Path { place, children: Vec::new() });
        self.all.len() - 1
    }

    fn child(&self, index: usize, proj: &Proj) -> Option<usize> {
        self.all[index].children.iter().copied().find(|&it| self.all[it].place.proj.last() == Some(proj))
    }

    fn find(&self, place: &Place) -> Option<usize> {
        let mut index = *self.roots.get(&place.local)?;
        for proj in &place.proj {
            index = self.child(index, proj)?;
        }
        Some(index)
    }

    /// Calls `f` with the paths that a move out of a place uninitialises.
    fn each_moved(&self, place: &Place, mut f: impl FnMut(usize)) {
        match self.slices.get(place) {
            Some(elements) => elements.iter().copied().for_each(f),
            None => {
                if let Some(path) = self.find(place) {
                    f(path);
                }
            }
        }
    }

    fn set(&self, state: &mut State, index: usize, value: u8) {
        state[index] = value;
        for &child in &self.all[index].children {
            self.set(state, child, value);
        }
    }

    fn subtree(&self, index: usize, f: &mut impl FnMut(usize)) {
        f(index);
        for &child in &self.all[index].children {
            self.subtree(child, f);
        }
    }
}

/// All paths that are moved out of or dropped.
fn collect(cx: &mut Cx<'_, '_>) -> Paths {
    let mut wanted = Vec::new();
    for block in &cx.ir.blocks {
        for (stmt, _) in &block.stmts {
            stmt.each_operand(&mut |it| {
                if let Operand::Use(place) = it {
                    wanted.push(place.clone());
                }
            });
            if let Stmt::Drop(place) = stmt
                && place.proj.is_empty()
            {
                wanted.push(place.clone());
            }
        }
    }
    let mut paths = Paths::default();
    for place in wanted {
        if paths.find(&place).is_some() {
            continue;
        }
        let root = cx.local_ty(place.local);
        if cx.needs_drop(root) && is_movable(cx, &place) {
            let ty = cx.place_ty(&place);
            if cx.needs_drop(ty) {
                match slice_elements(cx, &place) {
                    Some(elements) => {
                        let elements = elements.iter().map(|it| paths.intern(it)).collect();
                        paths.slices.insert(place, elements);
                    }
                    None => {
                        paths.intern(&place);
                    }
                }
            }
        }
    }
    paths
}

/// The elements of a place that is a subslice of an array.
fn slice_elements(cx: &Cx<'_, '_>, place: &Place) -> Option<Vec<Place>> {
    let (&Proj::Subslice { from, to }, rest) = place.proj.split_last()? else { return None };
    let array = Place { local: place.local, proj: rest.to_vec() };
    let end = array_len(cx, &array).saturating_sub(to);
    Some((from..end).map(|offset| array.then(Proj::ConstIndex { offset, from_end: false })).collect())
}

fn array_len(cx: &Cx<'_, '_>, place: &Place) -> u64 {
    match cx.place_ty(place).kind() {
        TyKind::Array(_, len) => hir_ty::consteval::try_const_usize(cx.db, len).unwrap_or_default() as u64,
        _ => 0,
    }
}

/// Whether a place can be moved out of: not through references, nor at a computed index.
fn is_movable(cx: &Cx<'_, '_>, place: &Place) -> bool {
    let mut prefix = Place::from(place.local);
    for proj in &place.proj {
        match proj {
            Proj::Deref if !cx.place_ty(&prefix).is_box() => return false,
            Proj::Index(_) | Proj::ConstIndex { from_end: true, .. } => return false,
            Proj::ConstIndex { .. } | Proj::Subslice { .. }
                if !matches!(cx.place_ty(&prefix).kind(), TyKind::Array(..)) =>
            {
                return false;
            }
            _ => {}
        }
        prefix.proj.push(proj.clone());
    }
    true
}

/// The state at the start of each block.
fn analyse(ir: &BodyIr, paths: &Paths) -> Vec<Option<State>> {
    let mut states: Vec<Option<State>> = vec![None; ir.blocks.len()];
    let mut entry = vec![UNINIT; paths.all.len()];
    for param in 1..=ir.params {
        if let Some(&root) = paths.roots.get(&LocalId(param)) {
            paths.set(&mut entry, root, INIT);
        }
    }
    states[0] = Some(entry);
    let mut work = vec![BlockId(0)];
    while let Some(id) = work.pop() {
        let block = &ir.blocks[id.0 as usize];
        let Some(mut state) = states[id.0 as usize].clone() else { continue };
        let mut join = |to: BlockId, state: &State, work: &mut Vec<BlockId>| {
            let slot = &mut states[to.0 as usize];
            match slot {
                None => {
                    *slot = Some(state.clone());
                    work.push(to);
                }
                Some(old) => {
                    let mut changed = false;
                    for (old, new) in old.iter_mut().zip(state) {
                        changed |= *old | new != *old;
                        *old |= new;
                    }
                    if changed {
                        work.push(to);
                    }
                }
            }
        };
        for (stmt, _) in &block.stmts {
            before(paths, stmt, &mut state);
            if may_panic(stmt)
                && let Some(unwind) = block.unwind
            {
                join(unwind, &state, &mut work);
            }
            after(paths, stmt, &mut state);
        }
        for next in successors(&block.term.0) {
            join(next, &state, &mut work);
        }
    }
    states
}

/// Effects of moves and drops, which have happened already if the statement panics.
fn before(paths: &Paths, stmt: &Stmt, state: &mut State) {
    stmt.each_operand(&mut |it| {
        if let Operand::Use(place) = it {
            paths.each_moved(place, |path| paths.set(state, path, UNINIT));
        }
    });
    if let Stmt::Drop(place) = stmt
        && let Some(path) = paths.find(place)
    {
        paths.set(state, path, UNINIT);
    }
}

/// Effects once the statement is complete.
fn after(paths: &Paths, stmt: &Stmt, state: &mut State) {
    match stmt {
        Stmt::Assign(dest, _) | Stmt::Call { dest, .. } => {
            if let Some(path) = paths.find(dest) {
                paths.set(state, path, INIT);
            }
        }
        Stmt::StorageDead(local) => {
            if let Some(&root) = paths.roots.get(local) {
                paths.set(state, root, UNINIT);
            }
        }
        Stmt::Drop(_) | Stmt::FreeBox(_) | Stmt::Bounds { .. } | Stmt::Await | Stmt::Omitted(_) => {}
    }
}

/// Allocates a flag for each path that is maybe initialised at some drop.
fn flags(cx: &mut Cx<'_, '_>, paths: &Paths, states: &[Option<State>]) -> Vec<Option<LocalId>> {
    let mut unsure = vec![false; paths.all.len()];
    for (block, state) in cx.ir.blocks.iter().zip(states) {
        let Some(mut state) = state.clone() else { continue };
        for (stmt, _) in &block.stmts {
            if let Stmt::Drop(place) = stmt
                && let Some(path) = paths.find(place)
            {
                paths.subtree(path, &mut |it| unsure[it] |= state[it] == INIT | UNINIT);
            }
            before(paths, stmt, &mut state);
            after(paths, stmt, &mut state);
        }
    }
    let ty = cx.bool_ty();
    unsure.into_iter().map(|it| it.then(|| cx.new_local(ty, None))).collect()
}

fn rewrite(cx: &mut Cx<'_, '_>, paths: &Paths, states: &[Option<State>], flags: &[Option<LocalId>]) {
    let blocks = std::mem::take(&mut cx.ir.blocks);
    let count = blocks.len();
    // Pruning has renumbered the blocks.
    cx.resume = None;
    // The old blocks keep their numbers; blocks of expanded drops are appended.
    cx.ir.blocks = blocks
        .iter()
        .map(|it| Block {
            stmts: Vec::new(),
            term: (Term::Unreachable, Site::None),
            unwind: it.unwind,
            is_cleanup: it.is_cleanup,
        })
        .collect();
    for (index, block) in blocks.into_iter().enumerate() {
        let Some(mut state) = states.get(index).cloned().flatten() else {
            cx.ir.blocks[index] = block;
            continue;
        };
        cx.cur = BlockId(index as u32);
        let out = DropPlan { paths, flags, unwind: block.unwind, is_cleanup: block.is_cleanup };
        for (stmt, site) in block.stmts {
            cx.site = site;
            let old = state.clone();
            before(paths, &stmt, &mut state);
            if let Stmt::Drop(place) = &stmt
                && let Some(path) = paths.find(place)
            {
                let unwind = out.clearing_unwind(cx, &old, &state);
                DropPlan { unwind, ..out }.drop(cx, path, &old);
                out.continue_here(cx);
                out.clear_flags(cx, &old, &state);
                continue;
            }
            out.clear_flags(cx, &old, &state);
            let assigned = match &stmt {
                Stmt::Assign(dest, _) | Stmt::Call { dest, .. } => paths.find(dest),
                _ => None,
            };
            after(paths, &stmt, &mut state);
            cx.push(stmt);
            if let Some(path) = assigned {
                out.set_flags(cx, path, true);
            }
        }
        cx.site = block.term.1;
        cx.terminate(block.term.0);
    }
    debug_assert!(cx.ir.blocks.len() >= count);
    initial_flags(cx, paths, flags);
}

/// Flags of parameters start set, all others clear.
fn initial_flags(cx: &mut Cx<'_, '_>, paths: &Paths, flags: &[Option<LocalId>]) {
    let ty = cx.bool_ty().store();
    let mut init = Vec::new();
    for (path, flag) in paths.all.iter().zip(flags) {
        let Some(flag) = flag else { continue };
        let is_param = (1..=cx.ir.params).contains(&path.place.local.0);
        let value = Rvalue::Use(Operand::Const(Const::Int(u128::from(is_param), ty.clone())));
        init.push((Stmt::Assign((*flag).into(), value), Site::None));
    }
    let entry = &mut cx.ir.blocks[0].stmts;
    entry.splice(0..0, init);
}
