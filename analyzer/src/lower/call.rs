//! Calls.

use super::cx::Cx;
use crate::ir::{Aggregate, Callee, Operand, Place, RETURN, Rvalue};
use crate::workarounds::{derive_bounds, impls_in_bodies};
use hir_def::{
    CallableDefId,
    hir::{Expr, ExprId},
};
use hir_ty::next_solver::TyKind;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{IntoKind, Ty as _};

impl Cx<'_, '_> {
    pub(super) fn call_into(&mut self, dest: Place, expr: ExprId, callee: ExprId, args: &[ExprId]) {
        if let Some((func, generic)) = self.infer.method_resolution(expr) {
            // Through a `Fn*` trait: the arguments are passed as one tuple.
            let callee_value = self.operand(callee);
            let types: Vec<_> = args.iter().map(|&it| self.ty(it)).collect();
            let values = self.operands(args);
            let tuple_ty = hir_ty::next_solver::Ty::new_tup(self.interner(), &types);
            let tuple = self.scratch(tuple_ty);
            self.assign(tuple, Rvalue::Aggregate(Aggregate::Plain, values));
            let args = vec![callee_value, tuple.into()];
            return self.call(dest, Callee::Fn(func, generic.store()), args);
        }
        let callee_ty = self.ty(callee);
        match callee_ty.kind() {
            TyKind::FnDef(def, generic) => match def.0 {
                CallableDefId::FunctionId(func) => {
                    if !matches!(self.store[callee], Expr::Path(_)) {
                        self.expr_for_effect(callee);
                    }
                    let operands = self.operands(args);
                    let is_question_mark = self.lang().TryTraitFromResidual == Some(func) && dest == RETURN.into();
                    let generic = match is_question_mark {
                        true => impls_in_bodies::of_return_type(self.interner(), generic, self.local_ty(RETURN)),
                        false => generic,
                    };
                    self.call(dest, Callee::Fn(func, generic.store()), operands);
                }
                CallableDefId::StructId(id) => {
                    let operands = self.operands(args);
                    self.assign(dest, Rvalue::Aggregate(Aggregate::Variant(id.into()), operands));
                }
                CallableDefId::EnumVariantId(id) => {
                    let operands = self.operands(args);
                    self.assign(dest, Rvalue::Aggregate(Aggregate::Variant(id.into()), operands));
                }
            },
            TyKind::FnPtr(..) => {
                let pointer = self.operand(callee);
                let pointer: Operand = self.operand_local(pointer, callee_ty).into();
                let operands = self.operands(args);
                self.call(dest, Callee::Value(pointer), operands);
            }
            _ => {
                if let Expr::Path(path) = &self.store[callee]
                    && let Some((func, generic)) = derive_bounds::named(self.interner(), &self.resolver, path)
                {
                    let operands = self.operands(args);
                    return self.call(dest, Callee::Fn(func, generic.store()), operands);
                }
                for &arg in args {
                    self.expr_for_effect(arg);
                }
                let named = match &self.store[callee] {
                    Expr::Path(path) => path.mod_path().map(|it| it.display(self.db, self.edition).to_string()),
                    _ => None,
                };
                match named {
                    Some(name) => self.gap_into(dest, format!("call of `{name}`, which is not known")),
                    None => self.gap_into(dest, "call of something that is not known"),
                }
            }
        }
    }

    /// Whether a callee is a tuple struct's or variant's constructor.
    pub(super) fn is_constructor(&self, callee: ExprId) -> bool {
        match self.bare_ty(callee).kind() {
            TyKind::FnDef(def, _) => {
                matches!(def.0, CallableDefId::StructId(_) | CallableDefId::EnumVariantId(_))
            }
            _ => false,
        }
    }
}
