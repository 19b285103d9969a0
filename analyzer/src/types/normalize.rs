//! Substitution and normalisation: equal types become identical types.

use super::TypeCx;
use crate::workarounds::{binders::Binders, rpitit, specialised_types};
use hir_ty::{
    consteval::try_const_usize,
    next_solver::{
        Const, ConstKind, DbInterner, EarlyBinder, GenericArg, GenericArgs, Region, SolverDefId, Ty, TyKind,
        infer::traits::ObligationCause,
    },
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{TypeFoldable, TypeFolder, TypeSuperFoldable, TypeVisitableExt, inherent::IntoKind};

/// Erases free regions and evaluates array lengths, so that equal types are identical.
struct Canonical<'db>(DbInterner<'db>);

impl<'db> TypeFolder<DbInterner<'db>> for Canonical<'db> {
    fn cx(&self) -> DbInterner<'db> {
        self.0
    }

    fn fold_region(&mut self, region: Region<'db>) -> Region<'db> {
        if matches!(region.kind(), rustc_type_ir::RegionKind::ReBound(..)) {
            region
        } else {
            Region::new_erased(self.0)
        }
    }

    fn fold_const(&mut self, konst: Const<'db>) -> Const<'db> {
        let konst = konst.super_fold_with(self);
        match konst.kind() {
            ConstKind::Unevaluated(_) if !konst.has_param() => match try_const_usize(self.0.db(), konst) {
                Some(value) => Const::from_target_usize(self.0, value as u64),
                None => konst,
            },
            _ => konst,
        }
    }
}

impl<'db> TypeCx<'db> {
    /// Erases regions, except those bound in the type itself, and evaluates lengths.
    pub fn canonical<T: TypeFoldable<DbInterner<'db>>>(&self, value: T) -> T {
        value.fold_with(&mut Binders(self.interner)).fold_with(&mut Canonical(self.interner))
    }
}

/// Normalises one alias at a time, if normalising the whole type failed.
struct AliasNormalizer<'a, 'db> {
    cx: &'a TypeCx<'db>,
    depth: u32,
}

impl<'db> TypeFolder<DbInterner<'db>> for AliasNormalizer<'_, 'db> {
    fn cx(&self) -> DbInterner<'db> {
        self.cx.interner
    }

    fn fold_ty(&mut self, ty: Ty<'db>) -> Ty<'db> {
        if !ty.has_aliases() {
            return ty;
        }
        let ty = ty.super_fold_with(self);
        if !matches!(ty.kind(), TyKind::Alias(..)) || ty.has_escaping_bound_vars() || self.depth > 16 {
            return ty;
        }
        let infcx = self.cx.infcx();
        let env = self.cx.env().param_env;
        match infcx.at(&ObligationCause::dummy(), env).deeply_normalize(ty) {
            Ok(normal) if !normal.has_aliases() => return normal,
            _ => {}
        }
        let Some(found) = specialised_types::project(self.cx, ty) else { return ty };
        self.depth += 1;
        let normal = found.fold_with(self);
        self.depth -= 1;
        normal
    }
}

impl<'db> TypeCx<'db> {
    /// Normalises any value, without caching. Aliases that cannot be normalised are kept.
    pub fn normalize_any<T>(&self, value: T) -> T
    where
        T: TypeFoldable<DbInterner<'db>> + TypeVisitableExt<DbInterner<'db>> + Clone,
    {
        self.type_sizes.borrow_mut().check(&value);
        let value = if value.has_aliases() && !value.has_escaping_bound_vars() {
            let value = rpitit::reveal(self, value);
            let infcx = self.infcx();
            let env = self.env().param_env;
            match infcx.at(&ObligationCause::dummy(), env).deeply_normalize(value.clone()) {
                Ok(normal) if !normal.has_aliases() => normal,
                _ => value.fold_with(&mut AliasNormalizer { cx: self, depth: 0 }),
            }
        } else {
            value
        };
        self.type_sizes.borrow_mut().check(&value);
        self.canonical(value)
    }

    /// Normalises a concrete type.
    pub fn normalize(&mut self, ty: Ty<'db>) -> Ty<'db> {
        if let Some(&known) = self.normalized.get(&ty) {
            return known;
        }
        let normal = self.normalize_any(ty);
        self.normalized.insert(ty, normal);
        self.normalized.insert(normal, normal);
        normal
    }

    /// Substitutes and normalises a generic type.
    pub fn subst_ty(&mut self, ty: Ty<'db>, args: GenericArgs<'db>) -> Ty<'db> {
        if let Some(&known) = self.substituted.get(&(ty, args)) {
            return known;
        }
        let concrete =
            if ty.has_param() { EarlyBinder::bind(ty).instantiate(self.interner, args).skip_norm_wip() } else { ty };
        let normal = self.normalize(concrete);
        self.substituted.insert((ty, args), normal);
        normal
    }

    /// Substitutes and normalises generic arguments.
    pub fn subst_args(&mut self, value: GenericArgs<'db>, args: GenericArgs<'db>) -> GenericArgs<'db> {
        let concrete = if value.has_param() {
            EarlyBinder::bind(value).instantiate(self.interner, args).skip_norm_wip()
        } else {
            value
        };
        self.normalize_any(concrete)
    }

    /// Arguments of an item: `first`, then erased lifetimes, and error types for missing types.
    pub fn erased_args(
        &self,
        item: impl Into<SolverDefId<'db>>,
        first: impl IntoIterator<Item = GenericArg<'db>>,
    ) -> GenericArgs<'db> {
        let interner = self.interner;
        GenericArgs::fill_rest(interner, item.into(), first, |_, id, _| match id {
            hir_def::GenericParamId::LifetimeParamId(_) => Region::new_erased(interner).into(),
            _ => GenericArg::error_from_id(interner, id),
        })
    }
}
