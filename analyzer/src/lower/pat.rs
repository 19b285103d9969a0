//! Patterns: testing, binding, destructuring assignment.
//!
//! A pattern is tested first, without side effects, and bound afterwards: values move only once the pattern matches.

use super::cx::Cx;
use crate::{
    ir::{BinOp, BlockId, Callee, Const, LocalId, Operand, Place, Proj, Rvalue, Term},
    workarounds::negative_floats::MissingBound,
};
use hir_def::{
    VariantId,
    hir::{BindingId, Expr, ExprId, Literal, Pat, PatId, RangeOp},
    resolver::{ResolveValueResult, ValueNs},
};
use hir_ty::{
    BindingMode, ByRef,
    method_resolution::CandidateId,
    next_solver::{GenericArgs, Mutability, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

impl<'db> Cx<'_, 'db> {
    /// The place that a pattern matches: default binding modes dereference it first.
    fn seen_by(&self, place: &Place, pat: PatId) -> Place {
        let mut place = place.clone();
        for _ in self.infer.pat_adjustment(pat).unwrap_or_default() {
            place = place.deref();
        }
        place
    }

    /// The parts of a place that a pattern's sub-patterns match.
    fn parts(&mut self, place: &Place, pat: PatId) -> Vec<(Place, PatId)> {
        let store = self.store;
        match &store[pat] {
            Pat::Tuple { args, ellipsis } => {
                let len = match self.place_ty(place).kind() {
                    TyKind::Tuple(tys) => tys.len(),
                    _ => args.len(),
                };
                positional(args, *ellipsis, len).map(|(i, pat)| (place.field(i), pat)).collect()
            }
            Pat::TupleStruct { args, ellipsis, .. } => {
                let Some(variant) = self.infer.variant_resolution_for_pat(pat) else {
                    return Vec::new();
                };
                let len = variant.fields(self.db).fields().len();
                let base = self.downcast(place, variant);
                positional(args, *ellipsis, len).map(|(i, pat)| (base.field(i), pat)).collect()
            }
            Pat::Record { args, .. } => {
                let Some(variant) = self.infer.variant_resolution_for_pat(pat) else {
                    return Vec::new();
                };
                let base = self.downcast(place, variant);
                let fields = variant.fields(self.db);
                args.iter()
                    .filter_map(|it| {
                        let index = u32::from(fields.field(&it.name)?.into_raw());
                        Some((base.field(index), it.pat))
                    })
                    .collect()
            }
            Pat::Slice { prefix, slice, suffix } => {
                let len = match self.place_ty(place).kind() {
                    TyKind::Array(_, len) => hir_ty::consteval::try_const_usize(self.db, len),
                    _ => None,
                };
                let mut parts = Vec::new();
                for (i, &pat) in prefix.iter().enumerate() {
                    let proj = Proj::ConstIndex { offset: i as u64, from_end: false };
                    parts.push((place.then(proj), pat));
                }
                if let Some(rest) = slice {
                    let proj = Proj::Subslice { from: prefix.len() as u64, to: suffix.len() as u64 };
                    parts.push((place.then(proj), *rest));
                }
                for (i, &pat) in suffix.iter().enumerate() {
                    let back = (suffix.len() - 1 - i) as u64;
                    // Each array element has exactly one projection, so that moves out of it can be distinguished.
                    let proj = match len {
                        Some(len) => {
                            Proj::ConstIndex { offset: (len as u64).saturating_sub(1 + back), from_end: false }
                        }
                        None => Proj::ConstIndex { offset: back, from_end: true },
                    };
                    parts.push((place.then(proj), pat));
                }
                parts
            }
            Pat::Ref { pat: inner, .. } => {
                let skipped = self.infer.is_skipped_ref_pat(pat);
                vec![(if skipped { place.clone() } else { place.deref() }, *inner)]
            }
            Pat::Box { inner } => vec![(place.deref(), *inner)],
            Pat::Bind { subpat: Some(inner), .. } => vec![(place.clone(), *inner)],
            _ => Vec::new(),
        }
    }

    fn downcast(&self, place: &Place, variant: VariantId) -> Place {
        match variant {
            VariantId::EnumVariantId(id) => place.then(Proj::Downcast(self.variant_index(id))),
            _ => place.clone(),
        }
    }

    pub(super) fn variant_index(&self, id: hir_def::EnumVariantId) -> u32 {
        id.index(self.db) as u32
    }

    /// Continues if `place` matches, else jumps to `fail`.
    pub(super) fn test_pattern(&mut self, place: &Place, pat: PatId, fail: BlockId) {
        let outer = std::mem::replace(&mut self.site, pat.into());
        let place = self.seen_by(place, pat);
        let store = self.store;
        match &store[pat] {
            Pat::Or(_) if let Some(chosen) = self.chosen(pat) => self.test_pattern(&place, chosen, fail),
            Pat::Or(alternatives) => {
                let matched = self.new_block();
                if let Some((last, first)) = alternatives.split_last() {
                    for &alternative in first {
                        let otherwise = self.new_block();
                        self.test_pattern(&place, alternative, otherwise);
                        self.goto(matched);
                        self.cur = otherwise;
                    }
                    self.test_pattern(&place, *last, fail);
                }
                self.goto_and_continue(matched);
            }
            Pat::TupleStruct { .. } | Pat::Record { .. } => {
                if let Some(variant) = self.infer.variant_resolution_for_pat(pat) {
                    self.test_variant(&place, variant, fail);
                }
                self.test_parts(&place, pat, fail);
            }
            Pat::Path(_) => match self.infer.variant_resolution_for_pat(pat) {
                Some(variant) => self.test_variant(&place, variant, fail),
                None => self.test_const_path(&place, pat, fail),
            },
            Pat::Range { start, end, range_type } => {
                let missing = self.syntax.missing_bounds.get(&pat).cloned().unwrap_or_default();
                if let Some(bound) = self.range_end(*start, missing.0, pat) {
                    self.test(BinOp::Le, bound, Operand::Use(place.clone()), fail);
                }
                if let Some(bound) = self.range_end(*end, missing.1, pat) {
                    let op = match range_type {
                        RangeOp::Exclusive => BinOp::Lt,
                        RangeOp::Inclusive => BinOp::Le,
                    };
                    self.test(op, Operand::Use(place), bound, fail);
                }
            }
            Pat::Lit(literal) => self.test_literal(&place, *literal, fail),
            Pat::Slice { prefix, slice, suffix } => {
                if matches!(self.place_ty(&place).kind(), TyKind::Slice(_)) {
                    let ty = self.usize_ty();
                    let len = self.scratch(ty);
                    self.assign(len, Rvalue::Len(place.clone()));
                    let wanted = Const::Int((prefix.len() + suffix.len()) as u128, ty.store());
                    let op = if slice.is_some() { BinOp::Ge } else { BinOp::Eq };
                    self.test(op, len.into(), Operand::Const(wanted), fail);
                }
                self.test_parts(&place, pat, fail);
            }
            Pat::ConstBlock(expr) => {
                let kept = self.infer.expr_adjustment(*expr).map_or(0, <[_]>::len);
                let address = self.promoted_address(*expr, kept);
                let ty = self.place_ty(&place);
                self.test_equal(&place, Operand::Use(address.deref()), ty, fail);
            }
            Pat::Deref { .. } => {
                let unit = self.unit_ty();
                let local = self.scratch(unit);
                self.gap_into(local.into(), "deref pattern");
            }
            Pat::Tuple { .. } | Pat::Ref { .. } | Pat::Box { .. } | Pat::Bind { .. } => {
                self.test_parts(&place, pat, fail);
            }
            Pat::Missing => self.test_missing(&place, pat, fail),
            Pat::Rest | Pat::Wild | Pat::NotNull | Pat::Expr(_) => {}
        }
        self.site = outer;
    }

    fn test_parts(&mut self, place: &Place, pat: PatId, fail: BlockId) {
        for (part, pat) in self.parts(place, pat) {
            self.test_pattern(&part, pat, fail);
        }
    }

    fn test_variant(&mut self, place: &Place, variant: VariantId, fail: BlockId) {
        let VariantId::EnumVariantId(id) = variant else { return };
        let next = self.new_block();
        let index = self.variant_index(id);
        self.terminate(Term::Variant(place.clone(), vec![(index, next)], fail));
        self.cur = next;
    }

    /// Continues if `lhs op rhs`, else jumps to `fail`.
    fn test(&mut self, op: BinOp, lhs: Operand, rhs: Operand, fail: BlockId) {
        let bool_ty = self.bool_ty();
        let result = self.scratch(bool_ty);
        self.assign(result, Rvalue::Bin(op, lhs, rhs));
        self.branch(result, fail);
    }

    fn branch(&mut self, condition: LocalId, fail: BlockId) {
        let next = self.new_block();
        self.terminate(Term::If(condition.into(), next, fail));
        self.cur = next;
    }

    /// A pattern that rust-analyzer's HIR lacks: a negative float, a range with `...` (before edition 2021), or
    /// half-typed code.
    fn test_missing(&mut self, place: &Place, pat: PatId, fail: BlockId) {
        let ty = self.place_ty(place);
        if let Some((Some(literal), _)) = self.syntax.missing_bounds.get(&pat).cloned() {
            let value = self.missing_bound(&literal, ty);
            return self.test_equal(place, value, ty, fail);
        }
        let Some((start, end)) = self.syntax.old_ranges.get(&pat).cloned() else {
            let bool_ty = self.bool_ty();
            let local = self.scratch(bool_ty);
            self.gap_into(local.into(), "unsupported pattern");
            return self.branch(local, fail);
        };
        let (start, end) = (self.literal(&start, ty), self.literal(&end, ty));
        self.test(BinOp::Le, Operand::Const(start), Operand::Use(place.clone()), fail);
        self.test(BinOp::Le, Operand::Use(place.clone()), Operand::Const(end), fail);
    }

    /// The value of a range's bound, unless it is open.
    fn range_end(&mut self, expr: Option<ExprId>, missing: Option<MissingBound>, pat: PatId) -> Option<Operand> {
        let ty = self.infer.pat_ty(pat);
        let Some(expr) = expr else { return missing.map(|end| self.missing_bound(&end, ty)) };
        if let Expr::Literal(literal) = &self.store[expr] {
            return Some(Operand::Const(self.literal(literal, ty)));
        }
        Some(self.operand(expr))
    }

    /// The value of a bound that HIR lacks.
    pub(crate) fn missing_bound(&mut self, end: &MissingBound, ty: Ty<'db>) -> Operand {
        match end {
            MissingBound::Number(number) => Operand::Const(Const::Float(number.clone(), ty.store())),
            MissingBound::Unknown => {
                let local = self.scratch(ty);
                self.gap_into(local.into(), "unsupported end of a range");
                local.into()
            }
        }
    }

    fn test_literal(&mut self, place: &Place, expr: ExprId, fail: BlockId) {
        let ty = self.place_ty(place);
        let store = self.store;
        match &store[expr] {
            Expr::Literal(literal) => {
                let constant = match self.macro_constant(expr, literal) {
                    Some(Ok(constant)) => constant,
                    Some(Err(cause)) => return self.test_unknown(cause, fail),
                    None => self.literal(literal, ty),
                };
                match (literal, &constant) {
                    (Literal::ByteString(bytes), _) => {
                        let array = Ty::new_array(
                            self.interner(),
                            Ty::new_uint(self.interner(), rustc_type_ir::UintTy::U8),
                            bytes.len() as u64,
                        );
                        let array_ref = self.ref_ty(array, Mutability::Not);
                        let local = self.scratch(array_ref);
                        self.assign(local, Rvalue::Use(Operand::Const(constant)));
                        let is_slice =
                            matches!(ty.kind(), TyKind::Ref(_, inner, _) if matches!(inner.kind(), TyKind::Slice(_)));
                        if is_slice {
                            let slice = self.scratch(ty);
                            self.assign(slice, Rvalue::Unsize(local.into(), ty.store()));
                            self.test_equal(place, slice.into(), ty, fail);
                        } else {
                            self.test_equal(place, local.into(), ty, fail);
                        }
                    }
                    (_, Const::Int(value, _)) => {
                        let next = self.new_block();
                        let value = *value;
                        self.terminate(Term::Switch(Operand::Use(place.clone()), vec![(value, next)], fail));
                        self.cur = next;
                    }
                    _ => self.test_equal(place, Operand::Const(constant), ty, fail),
                }
            }
            _ => {
                let value = self.operand(expr);
                self.test_equal(place, value, ty, fail);
            }
        }
    }

    fn test_const_path(&mut self, place: &Place, pat: PatId, fail: BlockId) {
        let ty = self.place_ty(place);
        let constant = match self.infer.assoc_resolutions_for_pat(pat) {
            Some((CandidateId::ConstId(id), args)) => Some((id, args)),
            _ => match self.resolve_pat_path(pat) {
                Some(ValueNs::ConstId(id)) => Some((id, GenericArgs::empty(self.interner()))),
                _ => None,
            },
        };
        match constant {
            Some((id, args)) => {
                let value = Operand::Const(Const::Item(id, args.store(), ty.store()));
                self.test_equal(place, value, ty, fail);
            }
            None => self.test_unknown("unresolved name in a pattern", fail),
        }
    }

    fn test_unknown(&mut self, cause: &str, fail: BlockId) {
        let bool_ty = self.bool_ty();
        let local = self.scratch(bool_ty);
        self.gap_into(local.into(), cause);
        self.branch(local, fail);
    }

    fn resolve_pat_path(&mut self, pat: PatId) -> Option<ValueNs> {
        let Pat::Path(path) = &self.store[pat] else { return None };
        let hygiene = self.store.pat_path_hygiene(pat);
        let guard = self.within.map(|it| self.resolver.update_to_inner_scope(self.db, self.store_owner, it));
        let found = self.resolver.resolve_path_in_value_ns(self.db, path, hygiene);
        if let Some(guard) = guard {
            self.resolver.reset_to_guard(guard);
        }
        match found? {
            ResolveValueResult::ValueNs(value) => Some(value),
            ResolveValueResult::Partial(..) => None,
        }
    }

    /// Continues if the place equals a constant: built-in comparison for scalars, else `PartialEq::eq`.
    fn test_equal(&mut self, place: &Place, value: Operand, ty: Ty<'db>, fail: BlockId) {
        let is_scalar = matches!(
            ty.kind(),
            TyKind::Bool
                | TyKind::Char
                | TyKind::Int(_)
                | TyKind::Uint(_)
                | TyKind::Float(_)
                | TyKind::RawPtr(..)
                | TyKind::FnPtr(..)
        );
        if is_scalar {
            return self.test(BinOp::Eq, Operand::Use(place.clone()), value, fail);
        }
        let bool_ty = self.bool_ty();
        let result = self.scratch(bool_ty);
        match self.lang().PartialEq_eq {
            Some(eq) => {
                let value = self.operand_local(value, ty);
                let ref_ty = self.ref_ty(ty, Mutability::Not);
                let (lhs, rhs) = (self.scratch(ref_ty), self.scratch(ref_ty));
                self.assign(lhs, Rvalue::Ref(place.clone()));
                self.assign(rhs, Rvalue::Ref(value.into()));
                let args = self.generic_args(&[ty, ty]);
                self.call(result, Callee::Fn(eq, args.store()), vec![lhs.into(), rhs.into()]);
            }
            None => self.gap_into(result.into(), "no `PartialEq` in the standard library"),
        }
        self.branch(result, fail);
    }

    // --- binding

    /// Binds a pattern that has matched; its variables live in `scope`.
    pub(super) fn bind_pattern(&mut self, place: Place, pat: PatId, scope: usize) {
        self.assign_bindings(&place, pat);
        self.schedule_bindings(pat, scope);
    }

    /// Initialises the variables of a pattern that has matched.
    pub(super) fn assign_bindings(&mut self, place: &Place, pat: PatId) {
        let outer = std::mem::replace(&mut self.site, pat.into());
        let place = self.seen_by(place, pat);
        let store = self.store;
        match &store[pat] {
            Pat::Or(_) if let Some(chosen) = self.chosen(pat) => self.assign_bindings(&place, chosen),
            Pat::Or(alternatives) => {
                if self.has_bindings(pat)
                    && let Some((last, first)) = alternatives.split_last()
                {
                    let bound = self.new_block();
                    for &alternative in first {
                        let otherwise = self.new_block();
                        self.test_pattern(&place, alternative, otherwise);
                        self.assign_bindings(&place, alternative);
                        self.goto(bound);
                        self.cur = otherwise;
                    }
                    self.assign_bindings(&place, *last);
                    self.goto_and_continue(bound);
                }
            }
            other => {
                if let Pat::Bind { id, .. } = other {
                    let local = self.declare(*id);
                    let rvalue = if self.binds_by_reference(pat) {
                        Rvalue::Ref(place.clone())
                    } else {
                        Rvalue::Use(Operand::Use(place.clone()))
                    };
                    self.assign(local, rvalue);
                }
                for (part, pat) in self.parts(&place, pat) {
                    self.assign_bindings(&part, pat);
                }
            }
        }
        self.site = outer;
    }

    /// Like [`Self::assign_bindings`] while a guard runs: by-value bindings stay in the scrutinee.
    pub(super) fn bind_for_guard(&mut self, place: &Place, pat: PatId) {
        let place = self.seen_by(place, pat);
        let store = self.store;
        match &store[pat] {
            Pat::Or(_) => {
                if let Some(chosen) = self.chosen(pat) {
                    self.bind_for_guard(&place, chosen);
                }
            }
            other => {
                if let Pat::Bind { id, .. } = other {
                    if self.binds_by_reference(pat) {
                        let local = self.declare(*id);
                        self.assign(local, Rvalue::Ref(place.clone()));
                    } else {
                        self.guard_alias.insert(*id, place.clone());
                    }
                }
                for (part, pat) in self.parts(&place, pat) {
                    self.bind_for_guard(&part, pat);
                }
            }
        }
    }

    fn binds_by_reference(&self, pat: PatId) -> bool {
        matches!(self.infer.binding_mode(pat), Some(BindingMode(ByRef::Yes(_), _)))
    }

    pub(super) fn has_bindings(&self, pat: PatId) -> bool {
        let mut found = false;
        self.each_binding(pat, &mut |_| found = true);
        found
    }

    /// Calls `f` with the variables of a pattern, in source order; those of alternatives once.
    fn each_binding(&self, pat: PatId, f: &mut dyn FnMut(BindingId)) {
        match &self.store[pat] {
            Pat::Or(alternatives) => {
                if let Some(&first) = alternatives.first() {
                    self.each_binding(first, f);
                }
            }
            other => {
                if let Pat::Bind { id, .. } = other {
                    f(*id);
                }
                other.walk_child_pats(|it| self.each_binding(it, f));
            }
        }
    }

    pub(super) fn schedule_bindings(&mut self, pat: PatId, scope: usize) {
        self.declare_pattern(pat, &mut |cx, local| cx.schedule(scope, local));
    }

    /// Calls `f` with the locals of a pattern's variables.
    pub(super) fn declare_pattern(&mut self, pat: PatId, f: &mut dyn FnMut(&mut Self, LocalId)) {
        let mut bindings = Vec::new();
        self.each_binding(pat, &mut |it| bindings.push(it));
        for binding in bindings {
            let local = self.declare(binding);
            f(self, local);
        }
    }

    /// The local of a pattern that is a plain variable, bound by value.
    pub(super) fn simple_binding(&mut self, pat: PatId) -> Option<LocalId> {
        let Pat::Bind { id, subpat: None } = self.store[pat] else { return None };
        let adjusted = self.infer.pat_adjustment(pat).is_some_and(|it| !it.is_empty());
        if adjusted || self.binds_by_reference(pat) {
            return None;
        }
        Some(self.declare(id))
    }

    /// Destructuring assignment: a `let` with a new variable for each part, then an assignment to each.
    pub(super) fn assign_pattern(&mut self, pat: PatId, value: ExprId) {
        self.in_variable_scope(|cx| {
            let scope = cx.innermost_scope();
            let mut assigned = Vec::new();
            cx.in_temporary_scope(|cx| {
                cx.extend_expr(value, scope);
                let place = cx.place_or_value(value);
                cx.take_assigned(place, pat, scope, &mut assigned);
            });
            for (pat, new) in assigned {
                cx.in_temporary_scope(|cx| {
                    let target = match cx.store[pat] {
                        // rust-analyzer would assign a reference to a reborrow.
                        Pat::Expr(expr) => cx.place_adjusted(expr, 0),
                        _ => match cx.resolve_pat_path(pat) {
                            Some(ValueNs::LocalBinding(binding)) => cx.binding_place(binding),
                            _ => return,
                        },
                    };
                    cx.replace(target, new.into());
                });
            }
        });
    }

    fn take_assigned(&mut self, place: Place, pat: PatId, scope: usize, assigned: &mut Vec<(PatId, LocalId)>) {
        match self.store[pat] {
            Pat::Expr(expr) if matches!(self.store[expr], Expr::Underscore) => {}
            Pat::Expr(_) | Pat::Path(_) => {
                let ty = self.place_ty(&place);
                let new = self.temporary(ty);
                self.assign(new, Rvalue::Use(Operand::Use(place)));
                self.schedule(scope, new);
                assigned.push((pat, new));
            }
            _ => {
                for (part, pat) in self.parts(&place, pat) {
                    self.take_assigned(part, pat, scope, assigned);
                }
            }
        }
    }
}

/// Field indices of positional sub-patterns around `..`.
fn positional(args: &[PatId], ellipsis: Option<u32>, len: usize) -> impl Iterator<Item = (u32, PatId)> {
    let split = ellipsis.map_or(args.len(), |it| it as usize);
    let (front, back) = args.split_at(split);
    let back_start = len.saturating_sub(back.len());
    let front: Vec<_> = front.iter().enumerate().map(|(i, &pat)| (i as u32, pat)).collect();
    let back: Vec<_> = back.iter().enumerate().map(|(i, &pat)| ((back_start + i) as u32, pat)).collect();
    front.into_iter().chain(back)
}
