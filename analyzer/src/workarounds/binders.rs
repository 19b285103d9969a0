//! Lifetimes bound by a function pointer or trait object: `for<'a> fn(&'a u8)`.
//!
//! * Symptom: equal types differ, and impls for function pointers are not found.
//! * Test: `generics/bound_lifetimes`.
//! * Upstream: none known.
//! * Goes when: elided lifetimes are bound.
//!
//! rust-analyzer has no parameter for an elided lifetime: it is an error region, like every lifetime that was not
//! resolved. In a body, a named one is a parameter of the enclosing function. Both become bound parameters again,
//! numbered in order of occurrence, so that equal types are identical.

use hir_ty::next_solver::{
    Binder, BoundExistentialPredicates, BoundRegion, BoundRegionKind, BoundVarKinds, BoundVariableKind, DbInterner,
    ExistentialPredicate, ExistentialProjection, ExistentialTraitRef, FnHeader, GenericArg, GenericArgs, Region, Ty,
    TyKind, Tys,
};
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    BoundVar, BoundVarIndexKind, DebruijnIndex, FnSigTys, RegionKind, TypeFlags, TypeFoldable, TypeFolder,
    TypeSuperFoldable, TypeVisitable, TypeVisitableExt, fold_regions,
    inherent::{GenericArgs as _, IntoKind},
};

/// Binds the lifetimes of function pointers and trait objects. The lifetime bound of a trait object is erased because
/// rust-analyzer does not know its default.
pub(crate) struct Binders<'db>(pub(crate) DbInterner<'db>);

impl<'db> TypeFolder<DbInterner<'db>> for Binders<'db> {
    fn cx(&self) -> DbInterner<'db> {
        self.0
    }

    fn fold_ty(&mut self, ty: Ty<'db>) -> Ty<'db> {
        if !ty.has_type_flags(TypeFlags::HAS_FREE_REGIONS | TypeFlags::HAS_RE_BOUND) {
            return ty;
        }
        match ty.kind() {
            TyKind::Closure(id, args) => {
                let args = self.closure_args(args, args.as_closure().parent_args().len());
                return Ty::new(self.0, TyKind::Closure(id, args));
            }
            TyKind::CoroutineClosure(id, args) => {
                let args = self.closure_args(args, args.as_coroutine_closure().parent_args().len());
                return Ty::new(self.0, TyKind::CoroutineClosure(id, args));
            }
            _ => {}
        }
        let ty = ty.super_fold_with(self);
        match ty.kind() {
            TyKind::FnPtr(sig, header) => self.fn_ptr(sig, header),
            TyKind::Dynamic(bounds, _) => self.object(bounds),
            _ => ty,
        }
    }
}

impl<'db> Binders<'db> {
    /// Keeps the signature of a closure as inferred: elided lifetimes in it cannot be distinguished from inferred
    /// ones.
    fn closure_args(&mut self, args: GenericArgs<'db>, parents: usize) -> GenericArgs<'db> {
        let is_sig = |arg: GenericArg<'db>| arg.ty().is_some_and(|ty| matches!(ty.kind(), TyKind::FnPtr(..)));
        let interner = self.0;
        let args = args.iter().enumerate().map(|(index, arg)| {
            if index < parents || !is_sig(arg) {
                return arg.fold_with(self);
            }
            fold_regions(interner, arg, |region, _| match region.kind() {
                RegionKind::ReBound(..) => region,
                _ => Region::new_erased(interner),
            })
        });
        GenericArgs::new_from_iter(interner, args)
    }

    fn fn_ptr(&self, sig: Binder<'db, FnSigTys<DbInterner<'db>>>, header: FnHeader<'db>) -> Ty<'db> {
        let mut binder = BinderLifetimes::new(self.0, sig.bound_vars(), true);
        let mut tys: Vec<Ty<'db>> = sig.skip_binder().inputs_and_output.iter().collect();
        let output = tys.pop();
        for ty in &mut tys {
            *ty = binder.input(*ty);
        }
        tys.extend(output.map(|ty| binder.output(ty)));
        let inputs_and_output = Tys::new_from_slice(&tys);
        Ty::new(self.0, TyKind::FnPtr(binder.bind(FnSigTys { inputs_and_output }), header))
    }

    fn object(&self, bounds: BoundExistentialPredicates<'db>) -> Ty<'db> {
        let lang = self.0.lang_items();
        let family = [lang.Fn, lang.FnMut, lang.FnOnce];
        // An elided lifetime in `Fn(&u8)` is bound there; elsewhere in a trait object it belongs to the enclosing
        // function pointer.
        let of_fn = bounds.iter().any(|bound| match bound.skip_binder() {
            ExistentialPredicate::Trait(it) => family.contains(&Some(it.def_id.0)),
            _ => false,
        });
        let bounds = bounds.iter().map(|bound| {
            let mut binder = BinderLifetimes::new(self.0, bound.bound_vars(), of_fn);
            let predicate = match bound.skip_binder() {
                ExistentialPredicate::Trait(it) => {
                    let args = binder.input(it.args);
                    ExistentialPredicate::Trait(ExistentialTraitRef::new_from_args(self.0, it.def_id, args))
                }
                ExistentialPredicate::Projection(it) => {
                    let args = binder.input(it.args);
                    let term = binder.output(it.term);
                    let projection = ExistentialProjection::new_from_args(self.0, it.def_id, args, term);
                    ExistentialPredicate::Projection(projection)
                }
                auto @ ExistentialPredicate::AutoTrait(_) => auto,
            };
            binder.bind(predicate)
        });
        let bounds = BoundExistentialPredicates::new_from_iter(self.0, bounds);
        Ty::new(self.0, TyKind::Dynamic(bounds, Region::new_erased(self.0)))
    }
}

/// A type without lifetimes, used as the type's identity. In an inferred type, rust-analyzer does not record which
/// lifetimes a function pointer binds, and a type must be identical to itself.
pub(crate) fn unbound<'db>(interner: DbInterner<'db>, ty: Ty<'db>) -> Ty<'db> {
    ty.fold_with(&mut BinderRemover(interner))
}

struct BinderRemover<'db>(DbInterner<'db>);

impl<'db> TypeFolder<DbInterner<'db>> for BinderRemover<'db> {
    fn cx(&self) -> DbInterner<'db> {
        self.0
    }

    fn fold_binder<T: TypeFoldable<DbInterner<'db>>>(&mut self, binder: Binder<'db, T>) -> Binder<'db, T> {
        Binder::dummy(binder.skip_binder().fold_with(self))
    }

    fn fold_region(&mut self, _: Region<'db>) -> Region<'db> {
        Region::new_erased(self.0)
    }
}

/// The lifetimes bound by one binder.
struct BinderLifetimes<'db> {
    interner: DbInterner<'db>,
    /// Number of named lifetimes.
    named: u32,
    /// Whether elided lifetimes are bound here too.
    elides: bool,
    /// The bound lifetimes in order of occurrence: the original number, if there was one.
    found: Vec<Option<u32>>,
    /// Whether the inputs have a lifetime that is not bound here.
    has_others: bool,
}

impl<'db> BinderLifetimes<'db> {
    fn new(interner: DbInterner<'db>, vars: BoundVarKinds<'db>, elides: bool) -> Self {
        BinderLifetimes { interner, named: vars.len() as u32, elides, found: Vec::new(), has_others: false }
    }

    /// Binds the lifetimes of the inputs: each elided lifetime is a new parameter.
    fn input<T: TypeFoldable<DbInterner<'db>>>(&mut self, value: T) -> T {
        fold_regions(self.interner, value, |region, depth| {
            if let Some(var) = self.var(region, depth) {
                return self.number(Some(var), depth);
            }
            if self.elides && region.is_error() {
                return self.number(None, depth);
            }
            self.has_others |= !region.is_erased();
            region
        })
    }

    /// Binds the lifetimes of the output: an elided lifetime is the only lifetime of the inputs.
    fn output<T: TypeFoldable<DbInterner<'db>>>(&mut self, value: T) -> T {
        let only = if self.has_others || self.found.len() != 1 { None } else { Some(0) };
        fold_regions(self.interner, value, |region, depth| match self.var(region, depth) {
            Some(var) => self.number(Some(var), depth),
            None if self.elides && region.is_error() => match only {
                Some(index) => self.bound(index, depth),
                None => Region::new_erased(self.interner),
            },
            None => region,
        })
    }

    /// The original number of a lifetime that this binder named.
    fn var(&self, region: Region<'db>, depth: DebruijnIndex) -> Option<u32> {
        match region.kind() {
            RegionKind::ReBound(BoundVarIndexKind::Bound(at), it) if at == depth => Some(it.var.as_u32()),
            RegionKind::ReLateParam(it) => Some(it.bound_region.var.as_u32()).filter(|var| *var < self.named),
            _ => None,
        }
    }

    fn number(&mut self, var: Option<u32>, depth: DebruijnIndex) -> Region<'db> {
        let known = var.and_then(|_| self.found.iter().position(|found| *found == var));
        let index = known.unwrap_or_else(|| {
            self.found.push(var);
            self.found.len() - 1
        });
        self.bound(index, depth)
    }

    fn bound(&self, index: usize, depth: DebruijnIndex) -> Region<'db> {
        let bound = BoundRegion { var: BoundVar::from_usize(index), kind: BoundRegionKind::Anon };
        Region::new_bound(self.interner, depth, bound)
    }

    fn bind<T: TypeVisitable<DbInterner<'db>>>(self, value: T) -> Binder<'db, T> {
        let vars = self.found.iter().map(|_| BoundVariableKind::Region(BoundRegionKind::Anon));
        Binder::bind_with_vars(value, BoundVarKinds::new_from_iter(self.interner, vars))
    }
}
