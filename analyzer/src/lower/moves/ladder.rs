//! Expands the drop of a local that may be partially moved: one drop for each remaining part, in order.
//!
//! If one of them panics, the parts after it are still dropped before unwinding continues: the *drop ladder*, a cleanup
//! block for each part that leads to the next part's. A panic in the ladder itself aborts.

use super::{INIT, Paths, State, UNINIT, array_len};
use crate::{
    ir::{BlockId, Const, LocalId, Operand, Place, Proj, Rvalue, Stmt, Term},
    lower::cx::Cx,
};
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{GenericArgs as _, IntoKind};

/// Where an expanded drop continues.
#[derive(Clone, Copy)]
pub(super) struct DropPlan<'a> {
    pub(super) paths: &'a Paths,
    pub(super) flags: &'a [Option<LocalId>],
    pub(super) unwind: Option<BlockId>,
    pub(super) is_cleanup: bool,
}

/// A step of dropping a value part by part.
enum Step {
    /// A part with its own path.
    Path(usize),
    /// A part that is initialised if the whole is.
    Rest(Place),
    /// The allocation of a `Box`.
    Free(Place),
}

impl DropPlan<'_> {
    /// Clears the flags of paths that a statement has moved out of or dropped.
    pub(super) fn clear_flags(&self, cx: &mut Cx<'_, '_>, old: &State, new: &State) {
        for (index, flag) in self.flags.iter().enumerate() {
            if flag.is_some() && new[index] == UNINIT && old[index] != UNINIT {
                self.set_flag(cx, index, false);
            }
        }
    }

    pub(super) fn set_flags(&self, cx: &mut Cx<'_, '_>, path: usize, value: bool) {
        self.paths.subtree(path, &mut |it| self.set_flag(cx, it, value));
    }

    fn set_flag(&self, cx: &mut Cx<'_, '_>, path: usize, value: bool) {
        if let Some(flag) = self.flags[path] {
            let ty = cx.bool_ty().store();
            let value = Rvalue::Use(Operand::Const(Const::Int(u128::from(value), ty)));
            cx.push(Stmt::Assign(flag.into(), value));
        }
    }

    /// Where a panic of the drop continues. The flags are cleared first: the drops there check the same flags (the old
    /// value of an assignment).
    pub(super) fn clearing_unwind(&self, cx: &mut Cx<'_, '_>, old: &State, new: &State) -> Option<BlockId> {
        let unwind = self.unwind?;
        let asked = |index: usize| self.flags[index].is_some() && new[index] == UNINIT && old[index] != UNINIT;
        if self.is_cleanup || !(0..self.flags.len()).any(asked) {
            return Some(unwind);
        }
        Some(self.cleanup(cx, Some(unwind), |this, cx| this.clear_flags(cx, old, new)))
    }

    /// Continues in a new block with this unwind target.
    pub(super) fn continue_here(&self, cx: &mut Cx<'_, '_>) {
        let cur = cx.cur;
        if cx.block(cur).unwind != self.unwind {
            let next = self.block(cx);
            cx.goto_and_continue(next);
        }
    }

    fn block(&self, cx: &mut Cx<'_, '_>) -> BlockId {
        let block = cx.new_block();
        let it = cx.block(block);
        it.unwind = self.unwind;
        it.is_cleanup = self.is_cleanup;
        block
    }

    /// A cleanup block that `f` fills, leading to `below`.
    fn cleanup(&self, cx: &mut Cx<'_, '_>, below: Option<BlockId>, f: impl FnOnce(&Self, &mut Cx<'_, '_>)) -> BlockId {
        let this = Self { unwind: None, is_cleanup: true, ..*self };
        let below = below.unwrap_or_else(|| cx.resume_block());
        let cleanup = this.block(cx);
        let cur = std::mem::replace(&mut cx.cur, cleanup);
        f(&this, cx);
        cx.goto(below);
        cx.cur = cur;
        cleanup
    }

    /// Runs `f` only if the path is initialised.
    fn if_init(&self, cx: &mut Cx<'_, '_>, path: usize, state: &State, f: impl FnOnce(&Self, &mut Cx<'_, '_>)) {
        match (state[path], self.flags[path]) {
            (INIT, _) => f(self, cx),
            (UNINIT, _) => {}
            (_, Some(flag)) => {
                let (yes, after) = (self.block(cx), self.block(cx));
                cx.terminate(Term::If(flag.into(), yes, after));
                cx.cur = yes;
                f(self, cx);
                cx.goto(after);
                cx.cur = after;
            }
            (_, None) => f(self, cx),
        }
    }

    /// Drops the initialised parts of a path. Afterwards the current block may unwind to a block of the ladder.
    pub(super) fn drop(&self, cx: &mut Cx<'_, '_>, path: usize, state: &State) {
        self.continue_here(cx);
        let place = self.paths.all[path].place.clone();
        let children = &self.paths.all[path].children;
        let mut is_whole = true;
        self.paths.subtree(path, &mut |it| is_whole &= state[it] == INIT);
        if is_whole {
            return cx.push(Stmt::Drop(place));
        }
        let Some(&first) = children.first() else {
            return self.if_init(cx, path, state, |_, cx| cx.push(Stmt::Drop(place)));
        };
        let steps = match self.paths.all[first].place.proj.last() {
            Some(Proj::Deref) => vec![Step::Path(first), Step::Free(place)],
            Some(Proj::Downcast(_)) => {
                return self.if_init(cx, path, state, |this, cx| this.drop_variants(cx, path, state));
            }
            Some(Proj::ConstIndex { .. }) => self.elements(cx, path),
            _ => self.fields(cx, path),
        };
        self.ladder(cx, path, steps, state);
    }

    /// Drops parts in order. Those without a path are initialised if `owner` is.
    fn ladder(&self, cx: &mut Cx<'_, '_>, owner: usize, mut steps: Vec<Step>, state: &State) {
        steps.retain(|it| self.may_be_init(owner, it, state));
        // The unwind target of each part.
        let mut unwinds = vec![self.unwind; steps.len()];
        if !self.is_cleanup {
            for index in (1..steps.len()).rev() {
                let cleanup = self.cleanup(cx, unwinds[index], |this, cx| this.step(cx, owner, &steps[index], state));
                unwinds[index - 1] = Some(cleanup);
            }
        }
        for (step, unwind) in steps.iter().zip(unwinds) {
            let this = Self { unwind, ..*self };
            this.continue_here(cx);
            this.step(cx, owner, step, state);
        }
    }

    fn may_be_init(&self, owner: usize, step: &Step, state: &State) -> bool {
        match step {
            Step::Path(path) => {
                let mut may_be = false;
                self.paths.subtree(*path, &mut |it| may_be |= state[it] != UNINIT);
                may_be
            }
            Step::Rest(_) | Step::Free(_) => state[owner] != UNINIT,
        }
    }

    fn step(&self, cx: &mut Cx<'_, '_>, owner: usize, step: &Step, state: &State) {
        match step {
            Step::Path(path) => self.drop(cx, *path, state),
            Step::Rest(place) => self.if_init(cx, owner, state, |_, cx| cx.push(Stmt::Drop(place.clone()))),
            Step::Free(place) => self.if_init(cx, owner, state, |_, cx| cx.push(Stmt::FreeBox(place.clone()))),
        }
    }

    /// The fields of a struct, tuple, closure or variant.
    fn fields(&self, cx: &mut Cx<'_, '_>, at: usize) -> Vec<Step> {
        let place = self.paths.all[at].place.clone();
        let mut steps = Vec::new();
        for index in 0..field_count(cx, &place) {
            match self.paths.child(at, &Proj::Field(index)) {
                Some(child) => steps.push(Step::Path(child)),
                None => {
                    let field = place.field(index);
                    let ty = cx.place_ty(&field);
                    if cx.needs_drop(ty) {
                        steps.push(Step::Rest(field));
                    }
                }
            }
        }
        steps
    }

    fn drop_variants(&self, cx: &mut Cx<'_, '_>, path: usize, state: &State) {
        let place = self.paths.all[path].place.clone();
        let (other, after) = (self.block(cx), self.block(cx));
        let mut table = Vec::new();
        for &child in &self.paths.all[path].children {
            if let Some(Proj::Downcast(variant)) = self.paths.all[child].place.proj.last() {
                table.push((*variant, self.block(cx), child));
            }
        }
        let targets = table.iter().map(|it| (it.0, it.1)).collect();
        cx.terminate(Term::Variant(place.clone(), targets, other));
        for (_, block, child) in table {
            cx.cur = block;
            let steps = self.fields(cx, child);
            self.ladder(cx, path, steps, state);
            cx.goto(after);
        }
        cx.cur = other;
        cx.push(Stmt::Drop(place));
        cx.goto(after);
        cx.cur = after;
    }

    /// As in rustc: from back to front; the parts between two movable elements are dropped as a slice, front to back.
    fn elements(&self, cx: &Cx<'_, '_>, path: usize) -> Vec<Step> {
        let place = self.paths.all[path].place.clone();
        let len = array_len(cx, &place);
        let mut steps = Vec::new();
        let mut start = 0;
        let between = |steps: &mut Vec<Step>, start, end| {
            if start < end {
                steps.push(Step::Rest(place.then(Proj::Subslice { from: start, to: len - end })));
            }
        };
        for offset in 0..len {
            if let Some(child) = self.paths.child(path, &Proj::ConstIndex { offset, from_end: false }) {
                between(&mut steps, start, offset);
                steps.push(Step::Path(child));
                start = offset + 1;
            }
        }
        between(&mut steps, start, len);
        steps.reverse();
        steps
    }
}

fn field_count(cx: &Cx<'_, '_>, place: &Place) -> u32 {
    let (base, variant) = match place.proj.split_last() {
        Some((Proj::Downcast(variant), rest)) => (Place { local: place.local, proj: rest.to_vec() }, Some(*variant)),
        _ => (place.clone(), None),
    };
    let ty: Ty<'_> = cx.place_ty(&base);
    match ty.kind() {
        TyKind::Tuple(tys) => tys.len() as u32,
        TyKind::Closure(_, args) => tuple_len(args.as_closure().tupled_upvars_ty()),
        TyKind::Coroutine(_, args) => tuple_len(args.as_coroutine().tupled_upvars_ty()),
        TyKind::CoroutineClosure(_, args) => tuple_len(args.as_coroutine_closure().tupled_upvars_ty()),
        TyKind::Adt(def, _) => {
            let variant: Option<hir_def::VariantId> = match (def.def_id(), variant) {
                (hir_def::AdtId::StructId(it), _) => Some(it.into()),
                (hir_def::AdtId::EnumId(it), Some(variant)) => {
                    it.enum_variants(cx.db).variants.get_index(variant as usize).map(|(_, (id, _))| (*id).into())
                }
                _ => None,
            };
            variant.map_or(0, |it| it.fields(cx.db).fields().len() as u32)
        }
        _ => 0,
    }
}

fn tuple_len(ty: Ty<'_>) -> u32 {
    match ty.kind() {
        TyKind::Tuple(tys) => tys.len() as u32,
        _ => 0,
    }
}
