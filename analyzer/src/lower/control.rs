//! Branches, loops and jumps.

use super::{cx::Cx, scope::LoopScope};
use crate::ir::{BlockId, Const, Operand, Place, RETURN, Rvalue, Term};
use hir_def::hir::{BinaryOp, Expr, ExprId, LabelId, LogicOp, LoopSource, MatchArm, PatId};
use ra_ap_hir_def as hir_def;
use ra_ap_span::Edition;

impl Cx<'_, '_> {
    /// Whether a condition is or contains `let` (a let chain).
    pub(super) fn has_let(&self, expr: ExprId) -> bool {
        match &self.store[expr] {
            Expr::Let { .. } => true,
            Expr::BinaryOp { lhs, rhs, op: Some(BinaryOp::LogicOp(LogicOp::And)) } => {
                self.has_let(*lhs) || self.has_let(*rhs)
            }
            _ => false,
        }
    }

    pub(super) fn if_into(&mut self, dest: Place, condition: ExprId, then_branch: ExprId, else_branch: Option<ExprId>) {
        let (fail, after) = (self.new_block(), self.new_block());
        let then = |cx: &mut Self, dest: Place| {
            let depth = cx.scopes.len() - 1;
            cx.condition(condition, depth, fail);
            cx.in_temporary_scope(|cx| cx.expr_into(dest, then_branch));
        };
        // Since 2024 the scrutinee's temporaries are dropped before `else`; in earlier editions they belong to the
        // enclosing statement (Reference, "Temporary scopes").
        if self.has_let(condition) && self.edition < Edition::Edition2024 {
            self.in_variable_scope(|cx| then(cx, dest.clone()));
        } else {
            self.in_temporary_scope(|cx| then(cx, dest.clone()));
        }
        self.goto(after);
        self.cur = fail;
        if let Some(else_branch) = else_branch {
            self.in_temporary_scope(|cx| cx.expr_into(dest, else_branch));
        }
        self.goto_and_continue(after);
    }

    /// Continues if the condition holds, with its variables bound in the innermost scope; else leaves all scopes from
    /// `depth` on and jumps to `fail`.
    pub(super) fn condition(&mut self, expr: ExprId, depth: usize, fail: BlockId) {
        match &self.store[expr] {
            Expr::Let { pat, expr: scrutinee } => {
                let (pat, scrutinee) = (*pat, *scrutinee);
                let place = self.place_or_value(scrutinee);
                self.test_pattern_or_exit(&place, pat, depth, fail);
                let scope = self.innermost_scope();
                self.bind_pattern(place, pat, scope);
            }
            Expr::BinaryOp { lhs, rhs, op: Some(BinaryOp::LogicOp(LogicOp::And)) } if self.has_let(expr) => {
                let (lhs, rhs) = (*lhs, *rhs);
                self.condition(lhs, depth, fail);
                self.condition(rhs, depth, fail);
            }
            _ => {
                let bool_ty = self.bool_ty();
                let value = self.scratch(bool_ty);
                self.in_temporary_scope(|cx| cx.expr_into(value.into(), expr));
                let (yes, no) = (self.new_block(), self.new_block());
                self.terminate(Term::If(value.into(), yes, no));
                self.exit_from(no, depth, fail);
                self.cur = yes;
            }
        }
    }

    /// Continues if the pattern matches; else leaves all scopes from `depth` on and jumps to `fail`.
    pub(super) fn test_pattern_or_exit(&mut self, place: &Place, pat: PatId, depth: usize, fail: BlockId) {
        let mismatch = self.new_block();
        self.test_pattern(place, pat, mismatch);
        self.exit_from(mismatch, depth, fail);
    }

    /// Fills block `from` with the exits of all scopes from `depth` on and a jump to `to`.
    fn exit_from(&mut self, from: BlockId, depth: usize, to: BlockId) {
        let cur = std::mem::replace(&mut self.cur, from);
        self.emit_exit(depth);
        self.goto(to);
        self.cur = cur;
    }

    /// A condition with `let` as a `bool` value.
    pub(super) fn condition_into(&mut self, dest: Place, expr: ExprId) {
        let (fail, after) = (self.new_block(), self.new_block());
        self.in_temporary_scope(|cx| {
            let depth = cx.scopes.len() - 1;
            cx.condition(expr, depth, fail);
        });
        self.assign_bool(dest.clone(), true);
        self.goto(after);
        self.cur = fail;
        self.assign_bool(dest, false);
        self.goto_and_continue(after);
    }

    fn assign_bool(&mut self, dest: Place, value: bool) {
        let ty = self.bool_ty().store();
        self.assign(dest, Rvalue::Use(Operand::Const(Const::Int(u128::from(value), ty))));
    }

    pub(super) fn match_into(&mut self, dest: Place, scrutinee: ExprId, arms: &[MatchArm]) {
        // HIR represents `for` as a match on its iterator; the temporaries of the loop's head do not outlive the loop.
        let is_for = |it: &MatchArm| matches!(self.store[it.expr], Expr::Loop { source: LoopSource::ForLoop, .. });
        if arms.iter().any(is_for) {
            self.in_temporary_scope(|cx| cx.arms_into(dest, scrutinee, arms));
        } else {
            self.arms_into(dest, scrutinee, arms);
        }
    }

    fn arms_into(&mut self, dest: Place, scrutinee: ExprId, arms: &[MatchArm]) {
        self.promote_for_patterns(scrutinee, &arms.iter().map(|arm| arm.pat).collect::<Vec<_>>());
        let place = self.place_or_value(scrutinee);
        let after = self.new_block();
        for arm in arms {
            let next = self.new_block();
            // Temporaries of an `if let` guard live as long as the arm.
            if arm.guard.is_some_and(|it| self.has_let(it)) {
                self.in_temporary_scope(|cx| cx.arm(dest.clone(), &place, arm, next));
            } else {
                self.in_variable_scope(|cx| cx.arm(dest.clone(), &place, arm, next));
            }
            self.goto(after);
            self.cur = next;
        }
        self.terminate(Term::Unreachable);
        self.cur = after;
    }

    fn arm(&mut self, dest: Place, place: &Place, arm: &MatchArm, next: BlockId) {
        let scope = self.innermost_scope();
        match arm.guard {
            None => {
                self.test_pattern(place, arm.pat, next);
                self.bind_pattern(place.clone(), arm.pat, scope);
            }
            Some(guard) => {
                // A guard runs for each alternative that matches, until it holds (Reference, "Match guards").
                let choices = self.choices(arm.pat);
                // The arm's variables outlive the guard's, although they are initialised later.
                self.schedule_bindings(arm.pat, scope);
                let matched = self.new_block();
                for choice in choices {
                    let outer = std::mem::replace(&mut self.choice, choice);
                    let otherwise = self.new_block();
                    self.test_pattern(place, arm.pat, otherwise);
                    self.guarded(place, arm.pat, guard, otherwise);
                    self.assign_bindings(place, arm.pat);
                    self.choice = outer;
                    self.goto(matched);
                    self.cur = otherwise;
                }
                self.goto(next);
                self.cur = matched;
            }
        }
        self.in_temporary_scope(|cx| cx.expr_into(dest, arm.expr));
    }

    /// Evaluates a guard while by-value bindings are still in the scrutinee.
    fn guarded(&mut self, place: &Place, pat: PatId, guard: ExprId, otherwise: BlockId) {
        let outer = self.guard_alias.clone();
        self.bind_for_guard(place, pat);
        let depth = self.innermost_scope();
        self.condition(guard, depth, otherwise);
        self.guard_alias = outer;
    }

    pub(super) fn loop_into(&mut self, dest: Place, body: ExprId, label: Option<LabelId>) {
        let (again, after) = (self.new_block(), self.new_block());
        let depth = self.scopes.len();
        self.loops.push(LoopScope { label, dest, after, again: Some(again), depth });
        self.goto_and_continue(again);
        self.in_temporary_scope(|cx| cx.expr_for_effect(body));
        self.goto(again);
        self.loops.pop();
        self.cur = after;
    }

    pub(super) fn labelled_into(&mut self, dest: Place, label: LabelId, f: impl FnOnce(&mut Self, Place)) {
        let after = self.new_block();
        let depth = self.scopes.len();
        self.loops.push(LoopScope { label: Some(label), dest: dest.clone(), after, again: None, depth });
        f(self, dest);
        self.loops.pop();
        self.goto_and_continue(after);
    }

    fn find_loop(&self, label: Option<LabelId>) -> Option<LoopScope> {
        let wanted = |it: &&LoopScope| match label {
            Some(label) => it.label == Some(label),
            None => it.again.is_some(),
        };
        self.loops.iter().rev().find(wanted).cloned()
    }

    pub(super) fn break_(&mut self, value: Option<ExprId>, label: Option<LabelId>) {
        let Some(target) = self.find_loop(label) else {
            return self.stray_jump("`break` outside of a loop");
        };
        if let Some(value) = value {
            self.expr_into(target.dest.clone(), value);
        }
        self.exit_to(target.depth, target.after);
    }

    pub(super) fn continue_(&mut self, label: Option<LabelId>) {
        match self.find_loop(label) {
            Some(LoopScope { again: Some(again), depth, .. }) => self.exit_to(depth, again),
            _ => self.stray_jump("`continue` outside of a loop"),
        }
    }

    fn stray_jump(&mut self, cause: &str) {
        let unit = self.unit_ty();
        let local = self.scratch(unit);
        self.gap_into(local.into(), cause);
    }

    pub(super) fn return_(&mut self, value: Option<ExprId>) {
        if let Some(value) = value {
            self.expr_into(RETURN.into(), value);
        }
        self.emit_exit(0);
        self.diverge(Term::Return);
    }
}
