//! Expressions whose value is written to a given place.

use super::{cx::Cx, operand::OF_ANOTHER_TYPE};
use crate::ir::{Aggregate, Callee, Const, Operand, Place, Rvalue, Term};
use crate::project::builtin_macros;
use hir_def::{
    AdtId, VariantId,
    hir::{Array, ClosureKind, Expr, ExprId, OffsetOf, RecordSpread, UnaryOp},
    resolver::ValueNs,
};
use hir_ty::{
    Adjust, AutoBorrow, PointerCast,
    method_resolution::CandidateId,
    next_solver::{GenericArgs, Mutability, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{GenericArgs as _, IntoKind};

impl<'db> Cx<'_, 'db> {
    /// Evaluates `expr` into `dest`, which holds nothing that needs a drop.
    pub(super) fn expr_into(&mut self, dest: Place, expr: ExprId) {
        if self.syntax.has_unexpanded()
            && self.infer.expr_has_type_mismatch(expr)
            && self.ty(expr) != self.place_ty(&dest)
        {
            // A block whose last statement is missing has the wrong type.
            self.value_local(expr);
            let last = self.syntax.missing_statements.iter().rfind(|statement| statement.block == expr);
            let cause = last.map_or_else(|| "a type that a macro decides".into(), |statement| statement.cause.clone());
            return self.gap_into(dest, cause);
        }
        if self.is_of_another_kind(expr, &dest) {
            self.value_local(expr);
            return self.at(expr, |cx| cx.gap_into(dest, OF_ANOTHER_TYPE));
        }
        let adjustments = self.infer.expr_adjustment(expr).map_or(0, <[_]>::len);
        self.expr_into_adjusted(dest, expr, adjustments);
    }

    pub(super) fn expr_into_adjusted(&mut self, dest: Place, expr: ExprId, adjustments: usize) {
        if adjustments == 0 {
            return self.at(expr, |cx| cx.bare_expr_into(dest, expr));
        }
        let last = &self.infer.expr_adjustment(expr).unwrap_or_default()[adjustments - 1];
        let below = adjustments - 1;
        match &last.kind {
            Adjust::NeverToAny => {
                let ty = self.adjusted_ty(expr, below);
                let never = self.scratch(ty);
                self.expr_into_adjusted(never.into(), expr, below);
                self.diverge(Term::Unreachable);
            }
            Adjust::Deref(_) => {
                let place = self.place_adjusted(expr, adjustments);
                self.at(expr, |cx| cx.assign(dest, Rvalue::Use(Operand::Use(place))));
            }
            Adjust::Borrow(borrow) => {
                let shared = match borrow {
                    AutoBorrow::Ref(mutability) => Mutability::from(*mutability) == Mutability::Not,
                    AutoBorrow::RawPtr(_) => false,
                };
                if below == 0 && shared && self.promote_adjusted_into(&dest, expr, 0) {
                    return;
                }
                if shared {
                    self.promote_base_of(expr, below);
                }
                let place = self.place_adjusted(expr, below);
                self.at(expr, |cx| cx.assign(dest, Rvalue::Ref(place)));
            }
            Adjust::Pointer(cast) => {
                let cast = *cast;
                let target = last.target.clone();
                let operand: Operand = self.value_local_adjusted(expr, below).into();
                let rvalue = match cast {
                    PointerCast::Unsize => Rvalue::Unsize(operand, target),
                    PointerCast::ReifyFnPointer | PointerCast::ClosureFnPointer(_) => Rvalue::FnPtr(operand, target),
                    PointerCast::ArrayToPointer => Rvalue::Cast(operand, target),
                    PointerCast::UnsafeFnPointer | PointerCast::MutToConstPointer => Rvalue::Use(operand),
                };
                self.at(expr, |cx| cx.assign(dest, rvalue));
            }
        }
    }

    /// Evaluates `expr` for its effects; its value is a temporary.
    pub(super) fn expr_for_effect(&mut self, expr: ExprId) {
        // A place expression statement does not read the place.
        if self.is_place_expr(expr) {
            self.place(expr);
        } else {
            self.value_local(expr);
        }
    }

    pub(super) fn is_place_expr(&mut self, expr: ExprId) -> bool {
        if let Some(list) = self.infer.expr_adjustment(expr)
            && let Some(last) = list.last()
        {
            return matches!(last.kind, Adjust::Deref(_));
        }
        self.is_bare_place(expr)
    }

    /// The same without adjustments.
    pub(super) fn is_bare_place(&mut self, expr: ExprId) -> bool {
        match &self.store[expr] {
            Expr::Path(_) => {
                self.local_binding(expr).is_some() || matches!(self.resolve_value(expr), Some(ValueNs::StaticId(_)))
            }
            Expr::Field { .. } | Expr::Index { .. } => true,
            Expr::UnaryOp { op: UnaryOp::Deref, .. } => true,
            _ => false,
        }
    }

    fn bare_expr_into(&mut self, dest: Place, expr: ExprId) {
        let store = self.store;
        if let Some(cause) = self.syntax.unexpanded.get(&expr) {
            let cause = cause.clone();
            return self.omitted_into(dest, cause);
        }
        match &store[expr] {
            Expr::Missing => self.gap_into(dest, "incomplete expression"),
            Expr::Path(_) => self.path_into(dest, expr),
            Expr::Field { .. } | Expr::Index { .. } | Expr::UnaryOp { op: UnaryOp::Deref, .. } => {
                let place = self.place_adjusted(expr, 0);
                self.assign(dest, Rvalue::Use(Operand::Use(place)));
            }
            Expr::If { condition, then_branch, else_branch } => {
                self.if_into(dest, *condition, *then_branch, *else_branch);
            }
            Expr::Let { .. } => self.condition_into(dest, expr),
            Expr::Block { statements, tail, label, .. } => {
                self.block_into(dest, expr, statements, *tail, *label);
            }
            Expr::Unsafe { statements, tail, .. } => {
                self.block_into(dest, expr, statements, *tail, None);
            }
            Expr::Const(inner) => {
                let kept = self.infer.expr_adjustment(*inner).map_or(0, <[_]>::len);
                let address = self.promoted_address(*inner, kept);
                self.assign(dest, Rvalue::Use(Operand::Use(address.deref())));
            }
            Expr::Loop { body, label, .. } => self.loop_into(dest, *body, *label),
            Expr::Call { callee, args } => self.call_into(dest, expr, *callee, args),
            Expr::MethodCall { receiver, args, method_name, .. } => {
                let Some((func, generic)) = self.infer.method_resolution(expr) else {
                    return self.gap_into(dest, format!("unresolved method `{}`", method_name.as_str()));
                };
                let all: Vec<ExprId> = std::iter::once(*receiver).chain(args.iter().copied()).collect();
                let operands = self.operands(&all);
                self.call(dest, Callee::Fn(func, generic.store()), operands);
            }
            Expr::Match { expr: scrutinee, arms } => self.match_into(dest, *scrutinee, arms),
            Expr::Continue { label } => self.continue_(*label),
            Expr::Break { expr: value, label } => self.break_(*value, *label),
            Expr::Return { expr: value } => self.return_(*value),
            Expr::Become { .. } => self.gap_into(dest, "`become`"),
            Expr::Yield { .. } => self.gap_into(dest, "`yield`"),
            Expr::Yeet { .. } => self.gap_into(dest, "`do yeet`"),
            Expr::RecordLit { fields, spread, .. } => {
                let fields: Vec<_> = fields.iter().map(|it| (it.name.clone(), it.expr)).collect();
                self.record_into(dest, expr, &fields, *spread);
            }
            Expr::Await { expr: future } => self.await_into(dest, *future),
            Expr::Cast { expr: inner, .. } => self.cast_into(dest, expr, *inner),
            Expr::Ref { expr: inner, rawness, mutability } => {
                let shared = !rawness.is_raw() && mutability.is_shared();
                let empty_array = !rawness.is_raw()
                    && matches!(&store[*inner], Expr::Array(Array::ElementList { elements }) if elements.is_empty());
                if (shared || empty_array) && self.promote_into(&dest, *inner) {
                    return;
                }
                if shared {
                    self.promote_base_of(*inner, 0);
                }
                let place = self.place(*inner);
                self.assign(dest, Rvalue::Ref(place));
            }
            Expr::UnaryOp { expr: inner, op } => self.unary_into(dest, expr, *inner, *op),
            Expr::BinaryOp { lhs, rhs, op } => self.binary_into(dest, expr, *lhs, *rhs, *op),
            Expr::Assignment { target, value } => self.assignment(*target, *value),
            Expr::Closure { closure_kind, .. } => {
                let closure_kind: ClosureKind = *closure_kind;
                self.closure_into(dest, expr, closure_kind);
            }
            Expr::Tuple { exprs } => {
                let operands = self.operands(exprs);
                self.assign(dest, Rvalue::Aggregate(Aggregate::Plain, operands));
            }
            Expr::Array(Array::ElementList { elements }) => {
                let operands = self.operands(elements);
                self.assign(dest, Rvalue::Aggregate(Aggregate::Plain, operands));
            }
            Expr::Array(Array::Repeat { initializer, .. }) => {
                let operand = self.operand(*initializer);
                self.assign(dest, Rvalue::Repeat(operand));
            }
            Expr::Literal(literal) => {
                let ty = self.bare_ty(expr);
                let value = match self.macro_constant(expr, literal) {
                    Some(constant) => self.made_by_macro(constant),
                    None => Rvalue::Use(Operand::Const(self.signed_literal(expr, literal, ty))),
                };
                self.assign(dest, value);
            }
            Expr::Underscore => {}
            Expr::OffsetOf(offset_of) => match self.offset_path(expr, offset_of) {
                Some((container, path)) => self.assign(dest, Rvalue::OffsetOf(container.store(), path)),
                None => self.gap_into(dest, "`offset_of!` of an unknown field"),
            },
            Expr::InlineAsm(asm) => self.assembly_into(dest, expr, asm),
            Expr::IncludeBytes => match self.included_bytes(expr) {
                Some(bytes) => self.assign(dest, Rvalue::Use(Operand::Const(Const::Bytes(bytes.into_owned().into())))),
                None => self.gap_into(dest, "`include_bytes!` of a file that is not read"),
            },
        }
    }

    pub(super) fn gap_into(&mut self, dest: Place, cause: impl Into<Box<str>>) {
        let rvalue = self.gap(cause);
        self.assign(dest, rvalue);
    }

    /// The message about a macro, if the path stands for a missing expansion, and whether it is a call.
    fn not_expanded(&self, expr: ExprId) -> Option<(Box<str>, bool)> {
        let Expr::Path(path) = &self.store[expr] else { return None };
        let segments = path.segments();
        let mut names = segments.iter().map(|it| it.name.as_str());
        let is_call = match names.next()? {
            builtin_macros::NOT_EXPANDED => false,
            builtin_macros::CALL_NOT_EXPANDED => true,
            _ => return None,
        };
        let names: Vec<_> = names.collect();
        Some((format!("`{}` is not expanded", names.join("::")).into(), is_call))
    }

    fn path_into(&mut self, dest: Place, expr: ExprId) {
        let ty = self.bare_ty(expr);
        if let Some((candidate, args)) = self.infer.assoc_resolutions_for_expr(expr) {
            let constant = match candidate {
                CandidateId::ConstId(id) => Const::Item(id, args.store(), ty.store()),
                CandidateId::FunctionId(_) => Const::Zst(ty.store()),
            };
            return self.assign(dest, Rvalue::Use(Operand::Const(constant)));
        }
        if let Some(variant) = self.infer.variant_resolution_for_expr(expr) {
            return self.unit_variant_into(dest, ty, variant);
        }
        match self.resolve_value(expr) {
            Some(ValueNs::LocalBinding(_) | ValueNs::StaticId(_)) => {
                let place = self.place_adjusted(expr, 0);
                self.assign(dest, Rvalue::Use(Operand::Use(place)));
            }
            Some(ValueNs::ConstId(id)) => {
                let args = GenericArgs::empty(self.interner());
                let constant = Const::Item(id, args.store(), ty.store());
                self.assign(dest, Rvalue::Use(Operand::Const(constant)));
            }
            Some(ValueNs::EnumVariantId(id)) => self.unit_variant_into(dest, ty, id.into()),
            Some(ValueNs::StructId(id)) => self.unit_variant_into(dest, ty, id.into()),
            Some(ValueNs::ImplSelf(_)) => match ty.kind() {
                TyKind::Adt(def, _) => match def.def_id() {
                    hir_def::AdtId::StructId(id) => self.unit_variant_into(dest, ty, id.into()),
                    _ => self.gap_into(dest, "`Self` as a value"),
                },
                _ => self.assign(dest, Rvalue::Use(Operand::Const(Const::Zst(ty.store())))),
            },
            Some(ValueNs::FunctionId(_)) => {
                self.assign(dest, Rvalue::Use(Operand::Const(Const::Zst(ty.store()))));
            }
            Some(ValueNs::GenericParam(param)) => match self.const_param(param) {
                Some(konst) => {
                    let constant = Const::Param(konst, ty.store());
                    self.assign(dest, Rvalue::Use(Operand::Const(constant)));
                }
                None => self.gap_into(dest, "unresolved const parameter"),
            },
            None => {
                let (cause, is_call) = self.not_expanded(expr).unwrap_or_else(|| ("unresolved name".into(), false));
                if is_call { self.omitted_into(dest, cause) } else { self.gap_into(dest, cause) }
            }
        }
    }

    /// A unit variant's value; for other shapes the path is the constructor, a zero-sized value.
    fn unit_variant_into(&mut self, dest: Place, ty: Ty<'db>, variant: VariantId) {
        if matches!(ty.kind(), TyKind::FnDef(..)) {
            return self.assign(dest, Rvalue::Use(Operand::Const(Const::Zst(ty.store()))));
        }
        self.assign(dest, Rvalue::Aggregate(Aggregate::Variant(variant), Vec::new()));
    }

    fn const_param(&self, param: hir_def::ConstParamId) -> Option<hir_ty::next_solver::StoredConst> {
        use hir_ty::next_solver::{ConstKind, SolverDefId};
        let def = hir_ty::InferBodyId::from(self.def).generic_def(self.db);
        let identity = GenericArgs::identity_for_item(self.interner(), SolverDefId::from(def));
        identity
            .consts()
            .find(|it| match it.kind() {
                ConstKind::Param(it) => it.id == param,
                _ => false,
            })
            .map(|it| it.store())
    }

    fn record_into(
        &mut self,
        dest: Place,
        expr: ExprId,
        fields: &[(hir_expand::name::Name, ExprId)],
        spread: RecordSpread,
    ) {
        let Some(variant) = self.infer.variant_resolution_for_expr(expr) else {
            return self.gap_into(dest, "unresolved struct");
        };
        let declared = variant.fields(self.db);
        let index_of = |name: &hir_expand::name::Name| declared.field(name).map(|it| u32::from(it.into_raw()));
        if let VariantId::UnionId(id) = variant {
            let [(name, value)] = fields else {
                return self.gap_into(dest, "union literal");
            };
            let Some(index) = index_of(name) else {
                return self.gap_into(dest, "unresolved field");
            };
            let operand = self.operand(*value);
            return self.assign(dest, Rvalue::Aggregate(Aggregate::Union(id.into(), index), vec![operand]));
        }
        let exprs: Vec<ExprId> = fields.iter().map(|it| it.1).collect();
        let values = self.operands(&exprs);
        let mut slots: Vec<Option<Operand>> = vec![None; declared.fields().len()];
        for ((name, _), value) in fields.iter().zip(values) {
            match index_of(name) {
                Some(index) => slots[index as usize] = Some(value),
                None => return self.gap_into(dest, format!("unknown field `{}`", name.as_str())),
            }
        }
        match spread {
            RecordSpread::Expr(base) => {
                let base = self.place(base);
                for (index, slot) in slots.iter_mut().enumerate() {
                    if slot.is_none() {
                        *slot = Some(Operand::Use(base.field(index as u32)));
                    }
                }
            }
            RecordSpread::FieldDefaults => return self.gap_into(dest, "default field values"),
            RecordSpread::None => {}
        }
        match slots.into_iter().collect::<Option<Vec<_>>>() {
            Some(operands) => {
                self.assign(dest, Rvalue::Aggregate(Aggregate::Variant(variant), operands));
            }
            None => self.gap_into(dest, "missing field"),
        }
    }

    /// The container of an `offset_of!` and its fields, each by variant and index.
    fn offset_path(&mut self, expr: ExprId, offset_of: &OffsetOf) -> Option<(Ty<'db>, Vec<(u32, u32)>)> {
        let container = self.written_ty(expr, offset_of.container);
        let mut ty = container;
        let mut path = Vec::new();
        let mut names = offset_of.fields.iter();
        while let Some(name) = names.next() {
            let (variant, index) = match ty.kind() {
                TyKind::Tuple(_) => (None, name.as_tuple_index()? as u32),
                TyKind::Adt(def, _) => {
                    let (variant, number, field) = match def.def_id() {
                        AdtId::StructId(id) => (id.into(), None, name),
                        AdtId::UnionId(id) => (id.into(), None, name),
                        AdtId::EnumId(id) => {
                            let variants = &id.enum_variants(self.db).variants;
                            let (number, _, (variant, _)) = variants.get_full(name)?;
                            (VariantId::from(*variant), Some(number as u32), names.next()?)
                        }
                    };
                    (number, u32::from(variant.fields(self.db).field(field)?.into_raw()))
                }
                _ => return None,
            };
            path.push((variant.unwrap_or(0), index));
            ty = self.field_ty(ty, variant, index);
            ty = self.norm(ty);
        }
        Some((container, path))
    }

    fn cast_into(&mut self, dest: Place, expr: ExprId, inner: ExprId) {
        let target = self.bare_ty(expr);
        let source = self.ty(inner);
        let operand = self.operand(inner);
        // A coercion cast was already done by the adjustments of its operand.
        let rvalue = if source == target {
            Rvalue::Use(operand)
        } else if matches!(source.kind(), TyKind::FnDef(..) | TyKind::Closure(..))
            && matches!(target.kind(), TyKind::FnPtr(..))
        {
            Rvalue::FnPtr(operand, target.store())
        } else {
            Rvalue::Cast(operand, target.store())
        };
        self.assign(dest, rvalue);
    }
}

use ra_ap_hir_expand as hir_expand;
