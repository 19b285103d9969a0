//! Blocks and statements.

use super::cx::Cx;
use crate::ir::{Place, Site};
use hir_def::hir::{ExprId, LabelId, Pat, PatId, Statement};
use ra_ap_hir_def as hir_def;
use ra_ap_span::Edition;

impl Cx<'_, '_> {
    pub(super) fn block_into(
        &mut self,
        dest: Place,
        block: ExprId,
        statements: &[Statement],
        tail: Option<ExprId>,
        label: Option<LabelId>,
    ) {
        if let Some(label) = label {
            return self.labelled_into(dest, label, |cx, dest| {
                cx.block_into(dest, block, statements, tail, None);
            });
        }
        // The scope of `super let` variables: that of an extended block, else the enclosing temporary scope.
        let outer = self.scope_of_temporary(block);
        if self.format_into(&dest, block, outer) {
            return;
        }
        self.in_variable_scope(|cx| {
            let scope = cx.innermost_scope();
            for (index, stmt) in statements.iter().enumerate() {
                cx.lost_statements(block, |it| it == index);
                cx.statement(stmt, scope, outer);
            }
            cx.lost_statements(block, |it| it == statements.len());
            let has_unexpanded_value =
                cx.syntax.missing_statements.iter().any(|it| it.block == block && it.ends(statements.len()));
            if let Some(tail) = tail {
                if has_unexpanded_value {
                    // A statement without semicolon before the macro.
                    cx.in_temporary_scope(|cx| cx.value_local(tail));
                } else if cx.edition >= Edition::Edition2024 {
                    cx.in_temporary_scope(|cx| cx.expr_into(dest.clone(), tail));
                } else {
                    cx.expr_into(dest.clone(), tail);
                }
            }
            cx.lost_statements(block, |it| it > statements.len());
            cx.lost_value(&dest, block, statements.len());
        });
    }

    /// Lowers the block's missing macro statements whose position satisfies `stands`.
    fn lost_statements(&mut self, block: ExprId, stands: impl Fn(usize) -> bool) {
        let syntax = self.syntax.clone();
        for (statement, number) in syntax.missing_statements.iter().zip(0..) {
            if statement.block == block && stands(statement.before) {
                let outer = std::mem::replace(&mut self.site, Site::Macro(number));
                let ty = self.unit_ty();
                let nothing = self.scratch(ty);
                self.omitted_into(nothing.into(), statement.cause.clone());
                self.site = outer;
            }
        }
    }

    /// If a block ends with an unexpanded macro, the expression before it is not the block's value.
    fn lost_value(&mut self, dest: &Place, block: ExprId, count: usize) {
        let syntax = self.syntax.clone();
        let last = syntax
            .missing_statements
            .iter()
            .zip(0..)
            .filter(|(statement, _)| statement.block == block && statement.ends(count))
            .last();
        if let Some((statement, number)) = last
            && self.place_ty(dest) != self.unit_ty()
        {
            let outer = std::mem::replace(&mut self.site, Site::Macro(number));
            self.gap_into(dest.clone(), statement.cause.clone());
            self.site = outer;
        }
    }

    fn statement(&mut self, stmt: &Statement, scope: usize, outer: usize) {
        match stmt {
            Statement::Expr { expr, .. } => {
                // `x;` reads the place: it moves out of `x`.
                self.in_temporary_scope(|cx| cx.value_local(*expr));
            }
            Statement::Let { pat, initializer, else_branch, .. } => {
                // `super let` is no temporary scope: its temporaries belong to the enclosing expression.
                if self.is_super_let(stmt) {
                    self.let_(*pat, *initializer, *else_branch, outer);
                } else {
                    self.in_temporary_scope(|cx| cx.let_(*pat, *initializer, *else_branch, scope));
                }
            }
            Statement::Item(_) => {}
        }
    }

    fn let_(&mut self, pat: PatId, init: Option<ExprId>, else_branch: Option<ExprId>, scope: usize) {
        let Some(init) = init else {
            self.declare_pattern(pat, &mut |cx, local| {
                cx.schedule(scope, local);
            });
            return;
        };
        self.promote_for_patterns(init, &[pat]);
        self.extend_initialiser(pat, init, scope);
        if let Some(else_branch) = else_branch {
            return self.let_else(pat, init, else_branch, scope);
        }
        if let Some(local) = self.simple_binding(pat) {
            self.expr_into(local.into(), init);
            self.schedule(scope, local);
        } else if matches!(self.store[pat], Pat::Wild) {
            // `let _ = place` does nothing; a value is dropped with the statement's temporaries.
            self.expr_for_effect(init);
        } else {
            let place = self.place_or_value(init);
            self.bind_pattern(place, pat, scope);
        }
    }

    fn let_else(&mut self, pat: PatId, init: ExprId, else_branch: ExprId, scope: usize) {
        let (fail, after) = (self.new_block(), self.new_block());
        let depth = self.scopes.len();
        let extended = self.scheduled(scope);
        self.in_temporary_scope(|cx| {
            let place = cx.place_or_value(init);
            let mismatch = cx.new_block();
            cx.test_pattern(&place, pat, mismatch);
            let matched = std::mem::replace(&mut cx.cur, mismatch);
            // Before the `else` block runs, temporaries with the variables' lifetime are dropped too.
            cx.emit_exit(depth);
            cx.emit_exit_of(scope, extended);
            cx.goto(fail);
            cx.cur = matched;
            cx.bind_pattern(place, pat, scope);
        });
        self.goto(after);
        self.cur = fail;
        // The variables are declared but uninitialised on this path; the drop flags of `moves` track that.
        self.in_temporary_scope(|cx| cx.expr_for_effect(else_branch));
        self.goto_and_continue(after);
    }

    /// The place of a scrutinee or initialiser: the place itself, or a temporary.
    pub(super) fn place_or_value(&mut self, expr: ExprId) -> Place {
        if self.is_place_expr(expr) || self.promoted_bases.contains(&expr) {
            self.place(expr)
        } else {
            self.value_local(expr).into()
        }
    }
}
