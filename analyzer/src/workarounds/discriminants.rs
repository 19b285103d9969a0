//! Discriminants of enums (the Reference, "Discriminants").
//!
//! * Symptom: a discriminant that casts another enum's variant is an error, or 0 if the other enum has one variant.
//! * Test: `consts/discriminants`.
//! * Upstream: #23148.
//! * Goes when: such discriminants are evaluated.
//!
//! Arithmetic on literals, constants and casts of other enums' variants is evaluated here, and everything else by
//! rust-analyzer.

use super::inference;
use hir_def::{
    DefWithBodyId, EnumId, EnumVariantId, ExpressionStoreOwnerId, Lookup, VariantId,
    expr_store::Body,
    hir::{ArithOp, BinaryOp, Expr, ExprId, Literal, UnaryOp},
    resolver::{HasResolver, ValueNs},
};
use hir_ty::{
    InferBodyId, InferenceResult,
    db::HirDatabase,
    next_solver::{Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Maximum nesting of expressions and of variants that depend on others. Deeper ones are left to rust-analyzer.
const DEPTH: u32 = 200;

/// The discriminants of an enum's variants in order; `None` for unknown ones.
pub(crate) fn of_enum(db: &dyn HirDatabase, id: EnumId) -> Vec<Option<i128>> {
    let mut values = Vec::new();
    for &(variant, _) in id.enum_variants(db).variants.values() {
        let value = match (explicit(db, variant, DEPTH), values.last()) {
            (ExplicitDiscriminant::Value(value), _) => value,
            (ExplicitDiscriminant::Nothing, Some(&before)) => successor(before),
            (ExplicitDiscriminant::Nothing, None) => Some(0),
        };
        values.push(value);
    }
    values
}

/// The discriminant of a variant; `None` if it is unknown.
pub(crate) fn of_variant(db: &dyn HirDatabase, variant: EnumVariantId) -> Option<i128> {
    variant_value(db, variant, DEPTH)
}

/// Whether rust-analyzer, which uses its own values for layouts, evaluates all of them correctly.
pub(crate) fn are_known_to_ra(db: &dyn HirDatabase, id: EnumId) -> bool {
    let variants = id.enum_variants(db).variants.values().map(|&(variant, _)| variant);
    variants.zip(of_enum(db, id)).all(|(variant, value)| db.const_eval_discriminant(variant).ok() == value)
}

/// The expression after a variant's `=`.
enum ExplicitDiscriminant {
    Nothing,
    Value(Option<i128>),
}

fn explicit(db: &dyn HirDatabase, variant: EnumVariantId, depth: u32) -> ExplicitDiscriminant {
    let def = DefWithBodyId::VariantId(variant);
    let body = Body::of(db, def);
    let root = body.root_expr();
    if matches!(body[root], Expr::Missing) {
        return ExplicitDiscriminant::Nothing;
    }
    let of = Evaluator { db, def, body, infer: inference::of(db, def) };
    ExplicitDiscriminant::Value(of.value(root, depth).or_else(|| db.const_eval_discriminant(variant).ok()))
}

fn variant_value(db: &dyn HirDatabase, variant: EnumVariantId, depth: u32) -> Option<i128> {
    let depth = depth.checked_sub(1)?;
    let place = variant.lookup(db);
    let variants = &place.parent.enum_variants(db).variants;
    let mut distance = 0;
    for &(before, _) in variants.values().take(place.index(db) + 1).rev() {
        if let ExplicitDiscriminant::Value(value) = explicit(db, before, depth) {
            return value?.checked_add(distance);
        }
        distance += 1;
    }
    // The first variant has discriminant 0.
    Some(distance - 1)
}

fn successor(value: Option<i128>) -> Option<i128> {
    value?.checked_add(1)
}

/// Evaluates the body of a variant or constant.
struct Evaluator<'db> {
    db: &'db dyn HirDatabase,
    def: DefWithBodyId,
    body: &'db Body,
    infer: &'db InferenceResult<'db>,
}

impl<'db> Evaluator<'db> {
    fn value(&self, expr: ExprId, depth: u32) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let ty = self.infer.expr_ty(expr);
        match &self.body[expr] {
            Expr::Literal(Literal::Int(value, _)) => Some(*value),
            Expr::Literal(Literal::Uint(value, _)) => i128::try_from(*value).ok(),
            Expr::Literal(Literal::Char(value)) => Some(i128::from(u32::from(*value))),
            Expr::Literal(Literal::Bool(value)) => Some(i128::from(*value)),
            Expr::UnaryOp { expr: inner, op: UnaryOp::Neg } => checked(ty, self.value(*inner, depth)?.checked_neg()?),
            Expr::UnaryOp { expr: inner, op: UnaryOp::Not } => match ty.kind() {
                TyKind::Bool => Some(1 - self.value(*inner, depth)?),
                _ => wrapped(ty, !self.value(*inner, depth)?),
            },
            Expr::BinaryOp { lhs, rhs, op: Some(BinaryOp::ArithOp(op)) } => {
                let (left, right) = (self.value(*lhs, depth)?, self.value(*rhs, depth)?);
                let shift = || u32::try_from(right).ok().filter(|&it| width(ty).is_some_and(|(bits, _)| it < bits));
                match op {
                    ArithOp::Add => checked(ty, left.checked_add(right)?),
                    ArithOp::Sub => checked(ty, left.checked_sub(right)?),
                    ArithOp::Mul => checked(ty, left.checked_mul(right)?),
                    ArithOp::Div => checked(ty, left.checked_div(right)?),
                    ArithOp::Rem => checked(ty, left.checked_rem(right)?),
                    ArithOp::Shl => wrapped(ty, left.checked_shl(shift()?)?),
                    ArithOp::Shr => wrapped(ty, left >> shift()?),
                    ArithOp::BitXor => Some(left ^ right),
                    ArithOp::BitOr => Some(left | right),
                    ArithOp::BitAnd => Some(left & right),
                }
            }
            Expr::Cast { expr: inner, .. } => wrapped(ty, self.value(*inner, depth)?),
            Expr::Block { statements, tail: Some(tail), .. } if statements.is_empty() => self.value(*tail, depth),
            Expr::Const(inner) => self.value(*inner, depth),
            Expr::Path(_) => self.path(expr, depth),
            _ => None,
        }
    }

    fn path(&self, expr: ExprId, depth: u32) -> Option<i128> {
        if let Some(VariantId::EnumVariantId(variant)) = self.infer.variant_resolution_for_expr(expr) {
            return variant_value(self.db, variant, depth);
        }
        let Expr::Path(path) = &self.body[expr] else { return None };
        let mut resolver = InferBodyId::from(self.def).resolver(self.db);
        let _ = resolver.update_to_inner_scope(self.db, ExpressionStoreOwnerId::from(self.def), expr);
        match resolver.resolve_path_in_value_ns_fully(self.db, path, self.body.expr_path_hygiene(expr))? {
            ValueNs::EnumVariantId(variant) => variant_value(self.db, variant, depth),
            ValueNs::ConstId(id) => {
                let def = DefWithBodyId::ConstId(id);
                let body = Body::of(self.db, def);
                let of = Evaluator { db: self.db, def, body, infer: inference::of(self.db, def) };
                of.value(body.root_expr(), depth)
            }
            _ => None,
        }
    }
}

/// Bits of an integer type, and whether it is signed.
fn width(ty: Ty<'_>) -> Option<(u32, bool)> {
    match ty.kind() {
        TyKind::Int(int) => Some((int.bit_width().unwrap_or(64) as u32, true)),
        TyKind::Uint(uint) => Some((uint.bit_width().unwrap_or(64) as u32, false)),
        _ => None,
    }
}

/// A value of an integer type, truncated to its width.
fn wrapped(ty: Ty<'_>, value: i128) -> Option<i128> {
    let (bits, is_signed) = width(ty)?;
    let unused = 128 - bits;
    match (unused, is_signed) {
        (0, true) => Some(value),
        (0, false) => (value >= 0).then_some(value),
        (_, true) => Some(value << unused >> unused),
        (_, false) => Some(((value as u128) << unused >> unused) as i128),
    }
}

/// A value of an integer type; `None` if it does not fit, which is a compile error.
fn checked(ty: Ty<'_>, value: i128) -> Option<i128> {
    wrapped(ty, value).filter(|&it| it == value)
}
