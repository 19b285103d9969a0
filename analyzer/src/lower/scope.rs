//! Drop scopes: what is dropped when control leaves them normally, by a jump or by unwinding.
//!
//! Scopes form a stack. A value is scheduled in a scope once it is initialised; leaving the scope drops the scheduled
//! values in reverse order. [`super::moves`] later computes which of them are still initialised. Unwinding goes through
//! a chain of cleanup blocks, one for each scheduled drop, each leading to the one below.

use super::cx::Cx;
use crate::ir::{BlockId, LocalId, Place, Stmt, Term};
use hir_def::hir::LabelId;
use hir_ty::next_solver::Ty;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

/// One scope.
#[derive(Default)]
pub(super) struct Scope {
    entries: Vec<ScheduledDrop>,
    /// Whether temporaries of the expressions inside are dropped at its end; other scopes only hold variables.
    is_temporary_scope: bool,
}

struct ScheduledDrop {
    local: LocalId,
    drop: bool,
    /// The cleanup block that drops this entry, then those below.
    cleanup: Option<BlockId>,
}

/// A loop or labelled block as the target of jumps.
#[derive(Clone)]
pub(super) struct LoopScope {
    pub(super) label: Option<LabelId>,
    pub(super) dest: Place,
    pub(super) after: BlockId,
    /// `None` for labelled blocks.
    pub(super) again: Option<BlockId>,
    /// How many scopes remain when it is left.
    pub(super) depth: usize,
}

impl<'db> Cx<'_, 'db> {
    /// Runs `f` in a new temporary scope: temporaries inside do not outlive it.
    pub(super) fn in_temporary_scope<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.in_scope(true, f)
    }

    /// Runs `f` in a new scope of variables; temporaries go to an outer scope.
    pub(super) fn in_variable_scope<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.in_scope(false, f)
    }

    fn in_scope<T>(&mut self, is_temporary_scope: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope { entries: Vec::new(), is_temporary_scope });
        let result = f(self);
        let depth = self.scopes.len() - 1;
        self.emit_exit(depth);
        self.scopes.pop();
        result
    }

    /// Index of the current temporary scope.
    pub(super) fn temporary_scope(&self) -> usize {
        self.scopes.iter().rposition(|it| it.is_temporary_scope).unwrap_or(0)
    }

    /// Index of the innermost scope.
    pub(super) fn innermost_scope(&self) -> usize {
        self.scopes.len() - 1
    }

    /// Schedules the drop and storage end of `local` at the end of `scope`.
    pub(super) fn schedule(&mut self, scope: usize, local: LocalId) {
        let ty = self.local_ty(local);
        let drop = self.needs_drop(ty);
        self.scopes[scope].entries.push(ScheduledDrop { local, drop, cleanup: None });
        for inner in &mut self.scopes[scope + 1..] {
            for entry in &mut inner.entries {
                entry.cleanup = None;
            }
        }
    }

    /// A temporary that lives until the end of `scope`; schedule it once it is initialised.
    pub(super) fn temporary(&mut self, ty: Ty<'db>) -> LocalId {
        self.new_local(ty, None)
    }

    /// Emits drops and storage ends of all scopes from `depth` on, innermost first; the scopes stay.
    pub(super) fn emit_exit(&mut self, depth: usize) {
        for scope in (depth..self.scopes.len()).rev() {
            self.emit_exit_of(scope, 0);
        }
    }

    /// The number of locals scheduled in `scope`.
    pub(super) fn scheduled(&self, scope: usize) -> usize {
        self.scopes[scope].entries.len()
    }

    /// Emits drops and storage ends of the locals scheduled in `scope` after the first `kept`, last one first.
    pub(super) fn emit_exit_of(&mut self, scope: usize, kept: usize) {
        for index in (kept..self.scopes[scope].entries.len()).rev() {
            let ScheduledDrop { local, drop, .. } = self.scopes[scope].entries[index];
            if drop {
                let unwind = self.cleanup_below(scope, index);
                self.push_with_unwind(Stmt::Drop(local.into()), unwind);
            }
            self.push(Stmt::StorageDead(local));
        }
    }

    /// Leaves all scopes from `depth` on and jumps to `target`; dead code follows.
    pub(super) fn exit_to(&mut self, depth: usize, target: BlockId) {
        self.emit_exit(depth);
        self.diverge(Term::Goto(target));
    }

    /// The block where a panic at this point continues.
    pub(super) fn unwind_target(&mut self) -> Option<BlockId> {
        let scope = self.scopes.len();
        self.cleanup_below(scope, 0)
    }

    /// The cleanup block for everything scheduled below entry `index` of `scope`.
    fn cleanup_below(&mut self, scope: usize, index: usize) -> Option<BlockId> {
        // Finds the first entry with an existing chain, then builds upwards.
        let mut missing = Vec::new();
        let mut found = None;
        let entries = self
            .scopes
            .iter()
            .enumerate()
            .take(scope + 1)
            .flat_map(|(s, it)| (0..it.entries.len()).map(move |e| (s, e)))
            .filter(|&(s, e)| s < scope || e < index)
            .collect::<Vec<_>>();
        for &(s, e) in entries.iter().rev() {
            let entry = &self.scopes[s].entries[e];
            if !entry.drop {
                continue;
            }
            if let Some(cleanup) = entry.cleanup {
                found = Some(cleanup);
                break;
            }
            missing.push((s, e));
        }
        for (s, e) in missing.into_iter().rev() {
            let below = match found {
                Some(below) => below,
                None => self.resume_block(),
            };
            let local = self.scopes[s].entries[e].local;
            let cleanup = self.cleanup_block(Stmt::Drop(local.into()), below);
            self.scopes[s].entries[e].cleanup = Some(cleanup);
            found = Some(cleanup);
        }
        found
    }

    /// A block that runs while unwinding: one statement, then `below`.
    pub(super) fn cleanup_block(&mut self, stmt: Stmt, below: BlockId) -> BlockId {
        let block = self.new_block();
        let site = self.site;
        let it = self.block(block);
        it.is_cleanup = true;
        it.stmts.push((stmt, site));
        it.term = (Term::Goto(below), site);
        block
    }

    pub(super) fn resume_block(&mut self) -> BlockId {
        if let Some(block) = self.resume {
            return block;
        }
        let block = self.new_block();
        let it = self.block(block);
        it.is_cleanup = true;
        it.term.0 = Term::Resume;
        self.resume = Some(block);
        block
    }
}
