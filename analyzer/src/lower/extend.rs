//! Temporaries that live as long as a `let`'s variable (Reference, "Temporary lifetime extension").

use super::cx::Cx;
use hir_def::hir::{Array, BindingAnnotation, Expr, ExprId, Pat, PatId, RecordSpread, Statement};
use ra_ap_hir_def as hir_def;

impl Cx<'_, '_> {
    /// Marks the temporaries of a `let`'s initialiser that live until the end of `scope`.
    pub(super) fn extend_initialiser(&mut self, pat: PatId, init: ExprId, scope: usize) {
        if self.is_extending_pattern(pat) {
            self.extend_operand(init, scope);
        }
        self.extend_expr(init, scope);
    }

    /// An extending pattern binds by reference somewhere (Reference, "Extending based on patterns").
    fn is_extending_pattern(&self, pat: PatId) -> bool {
        match &self.store[pat] {
            Pat::Bind { id, subpat } => {
                let mode = self.store[*id].mode;
                matches!(mode, BindingAnnotation::Ref | BindingAnnotation::RefMut)
                    || subpat.is_some_and(|it| self.is_extending_pattern(it))
            }
            Pat::Ref { .. } => false,
            other => {
                let mut found = false;
                other.walk_child_pats(|it| found |= self.is_extending_pattern(it));
                found
            }
        }
    }

    /// Marks the operands of the borrow expressions that `expr` extends.
    pub(super) fn extend_expr(&mut self, expr: ExprId, scope: usize) {
        match &self.store[expr] {
            Expr::Ref { expr, .. } => {
                self.extend_expr(*expr, scope);
                self.extend_operand(*expr, scope);
            }
            Expr::Tuple { exprs } | Expr::Array(Array::ElementList { elements: exprs }) => {
                for &it in exprs.iter() {
                    self.extend_expr(it, scope);
                }
            }
            Expr::Array(Array::Repeat { initializer, .. }) => self.extend_expr(*initializer, scope),
            Expr::Cast { expr, .. } => self.extend_expr(*expr, scope),
            Expr::RecordLit { fields, spread, .. } => {
                for field in fields.iter() {
                    self.extend_expr(field.expr, scope);
                }
                if let RecordSpread::Expr(base) = spread {
                    self.extend_expr(*base, scope);
                }
            }
            Expr::Call { callee, args } if self.is_constructor(*callee) => {
                for &it in args.iter() {
                    self.extend_expr(it, scope);
                }
            }
            Expr::Block { tail, .. } | Expr::Unsafe { tail, .. } => {
                // `super let`s inside look up their scope by the block.
                self.extended.insert(expr, scope);
                if let Some(tail) = tail {
                    self.extend_expr(*tail, scope);
                }
            }
            Expr::If { then_branch, else_branch: Some(else_branch), .. } => {
                let (then_branch, else_branch) = (*then_branch, *else_branch);
                self.extend_expr(then_branch, scope);
                self.extend_expr(else_branch, scope);
            }
            Expr::Match { arms, .. } => {
                for arm in arms.iter() {
                    self.extend_expr(arm.expr, scope);
                }
            }
            _ => {}
        }
    }

    /// Extends the operand of an extended borrow, and the places that contain it.
    fn extend_operand(&mut self, expr: ExprId, scope: usize) {
        let mut expr = expr;
        loop {
            self.extended.insert(expr, scope);
            expr = match &self.store[expr] {
                Expr::Ref { expr, .. }
                | Expr::Field { expr, .. }
                | Expr::Index { base: expr, .. }
                | Expr::UnaryOp { expr, op: hir_def::hir::UnaryOp::Deref } => *expr,
                _ => return,
            };
        }
    }

    /// The scope of the temporary that holds `expr`'s value.
    pub(super) fn scope_of_temporary(&self, expr: ExprId) -> usize {
        self.extended.get(&expr).copied().unwrap_or_else(|| self.temporary_scope())
    }

    /// Whether a `let` is a `super let`. HIR has no flag for it: those of `format_args!` have generated names, for
    /// others the syntax tells.
    pub(super) fn is_super_let(&self, stmt: &Statement) -> bool {
        let Statement::Let { pat, initializer: Some(init), .. } = stmt else { return false };
        if let Pat::Bind { id, .. } = &self.store[*pat]
            && self.store[*id].name.is_generated()
        {
            return matches!(self.store[*init], Expr::Tuple { .. } | Expr::Array(_));
        }
        self.syntax.super_lets.contains(pat)
    }
}
