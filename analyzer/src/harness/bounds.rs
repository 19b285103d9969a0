//! Chooses generic arguments that satisfy a function's bounds.

use super::builder::{HarnessBuilder, Reason};
use crate::{
    crate_models,
    std_models::harness::{self as harness_std, StdType},
    workarounds::constant_bounds,
};
use hir_def::{
    AdtId, AssocItemId, FunctionId, GenericDefId, GenericParamId, ImplId, ItemContainerId, Lookup, TraitId,
    hir::generics::GenericParams,
};
use hir_ty::{
    GenericPredicates, Span,
    method_resolution::TraitImpls,
    next_solver::{
        Clause, ClauseKind, DbInterner, GenericArg, GenericArgs, Region, Ty, TyKind,
        infer::traits::{Obligation, ObligationCause},
        obligation_ctxt::ObligationCtxt,
    },
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    TypeVisitable as _, TypeVisitableExt, TypeVisitor,
    inherent::{IntoKind, Term as _},
};
use std::cmp::Reverse;

/// Maximum number of types tried for a user's trait.
const MAX_IMPLEMENTERS: usize = 4;

/// An inherent impl of a type with any arguments.
struct MainImpl {
    id: ImplId,
    /// For each of its parameters, the index of the type's argument that it is.
    places: Vec<usize>,
}

/// The lifetimes in types.
#[derive(Default)]
struct Lifetimes<'db>(Vec<Region<'db>>);

impl<'db> TypeVisitor<DbInterner<'db>> for Lifetimes<'db> {
    type Result = ();

    fn visit_region(&mut self, region: Region<'db>) {
        self.0.push(region);
    }
}

/// Requirements on a type parameter.
#[derive(Default)]
struct BoundRequirements<'db> {
    /// Parameter types of a callable type, as a tuple.
    inputs: Option<Ty<'db>>,
    /// Whether a callable type must be callable by several threads at once.
    is_shared: bool,
    /// Output of a callable type, future or iterator.
    output: Option<Ty<'db>>,
    is_future: bool,
    is_iterator: bool,
    is_iterable: bool,
    /// Traits of the user.
    own: Vec<TraitId>,
}

impl<'db> HarnessBuilder<'_, 'db> {
    /// The arguments of an impl under which it applies to a type.
    pub(super) fn impl_args(&self, id: ImplId, ty: Ty<'db>) -> Option<GenericArgs<'db>> {
        let (db, interner) = (self.cx.db, self.interner());
        let infcx = self.cx.infcx();
        let env = self.cx.env().param_env;
        let cause = ObligationCause::dummy();
        let mut context = ObligationCtxt::new(&infcx);
        let args = infcx.fresh_args_for_item(Span::Dummy, id.into());
        let own = db.impl_self_ty(id).instantiate(interner, args).skip_norm_wip();
        context.eq(&cause, env, ty, own).ok()?;
        let bounds = GenericPredicates::query_all(db, id.into()).iter_instantiated(interner, args.as_slice());
        for clause in bounds.map(|clause| clause.skip_norm_wip()).filter(constant_bounds::is_of_types) {
            context.register_obligation(Obligation::new(interner, cause, env, clause.as_predicate()));
        }
        if !context.evaluate_obligations_error_on_ambiguity().is_empty() {
            return None;
        }
        let args = self.cx.canonical(infcx.resolve_vars_if_possible(args));
        (!args.has_non_region_infer()).then_some(args)
    }

    /// The functions in an impl.
    pub(super) fn functions_of(&self, id: ImplId) -> Vec<FunctionId> {
        let items = id.impl_items(self.cx.db).items.iter();
        let functions = items.filter_map(|(_, item)| match *item {
            AssocItemId::FunctionId(id) => Some(id),
            _ => None,
        });
        functions.collect()
    }

    /// Whether all clauses hold.
    fn all_hold(&self, clauses: impl IntoIterator<Item = Clause<'db>>) -> bool {
        let infcx = self.cx.infcx();
        let env = self.cx.env().param_env;
        let mut context = ObligationCtxt::new(&infcx);
        for clause in clauses.into_iter().filter(constant_bounds::is_of_types) {
            let obligation = Obligation::new(self.interner(), ObligationCause::dummy(), env, clause.as_predicate());
            context.register_obligation(obligation);
        }
        context.evaluate_obligations_error_on_ambiguity().is_empty()
    }

    /// Whether a type implements a trait.
    pub(super) fn has_trait(&self, ty: Ty<'db>, id: TraitId) -> bool {
        hir_ty::traits::implements_trait_unique(ty, self.cx.db, self.cx.env(), id)
    }

    /// Chooses the arguments of a function, given those of its parent.
    pub(super) fn arguments(&self, func: FunctionId, outer: &[GenericArg<'db>]) -> Result<GenericArgs<'db>, Reason> {
        self.fill(func.into(), outer)
    }

    /// Chooses the arguments of an impl.
    pub(super) fn arguments_of_impl(&self, id: ImplId) -> Result<GenericArgs<'db>, Reason> {
        self.fill(id.into(), &[])
    }

    /// A type with chosen arguments.
    pub(super) fn instance_of(&self, adt: AdtId) -> Result<Ty<'db>, Reason> {
        let with_bounds = self.main_impl(adt).and_then(|it| self.fill_with(adt.into(), &[], Some(&it)).ok());
        let args = with_bounds.map_or_else(|| self.fill(adt.into(), &[]), Ok)?;
        Ok(Ty::new_adt(self.interner(), adt, args))
    }

    /// The inherent impl with the most functions, if it is for any arguments with certain bounds. Many types have their
    /// bounds only there.
    fn main_impl(&self, adt: AdtId) -> Option<MainImpl> {
        let (db, interner) = (self.cx.db, self.interner());
        let any = Ty::new_adt(interner, adt, self.identity(adt.into()));
        let id = self.inherent(any).into_iter().max_by_key(|id| (self.functions_of(*id).len(), Reverse(*id)))?;
        let (_, of_type) = db.impl_self_ty(id).instantiate_identity().skip_norm_wip().as_adt()?;
        let place = |param: GenericArg<'db>| of_type.iter().position(|it| it == param);
        let places = self.identity(id.into()).iter().map(place).collect::<Option<Vec<usize>>>()?;
        Some(MainImpl { id, places })
    }

    /// The parameters of an item as arguments.
    fn identity(&self, def: GenericDefId) -> GenericArgs<'db> {
        <GenericArgs<'db> as rustc_type_ir::inherent::GenericArgs<_>>::identity_for_item(self.interner(), def.into())
    }

    fn fill(&self, def: GenericDefId, outer: &[GenericArg<'db>]) -> Result<GenericArgs<'db>, Reason> {
        self.fill_with(def, outer, None)
    }

    /// The same with the bounds of an impl of a type.
    fn fill_with(
        &self,
        def: GenericDefId,
        outer: &[GenericArg<'db>],
        main_impl: Option<&MainImpl>,
    ) -> Result<GenericArgs<'db>, Reason> {
        let (db, interner) = (self.cx.db, self.interner());
        let identity: Vec<GenericArg<'db>> = self.identity(def).as_slice().to_vec();
        let mut kinds = Vec::new();
        GenericArgs::for_item(interner, def.into(), |index, id, _, _| {
            kinds.push(id);
            identity[index as usize]
        });
        let mut args = identity;
        args[..outer.len()].copy_from_slice(outer);
        let mut left = Vec::new();
        for (index, id) in kinds.iter().enumerate().skip(outer.len()) {
            match id {
                GenericParamId::LifetimeParamId(_) => args[index] = self.erased().into(),
                GenericParamId::TypeParamId(_) => left.push(index),
                GenericParamId::ConstParamId(_) => return Err("it has a const parameter".to_owned()),
            }
        }
        let clauses = |args: &[GenericArg<'db>]| -> Vec<Clause<'db>> {
            let own = GenericPredicates::query_all(db, def).iter_instantiated(interner, args);
            let mut all: Vec<_> = own.map(|clause| clause.skip_norm_wip()).collect();
            if let Some(MainImpl { id, places }) = main_impl {
                let args: Vec<GenericArg<'db>> = places.iter().map(|place| args[*place]).collect();
                let bounds =
                    GenericPredicates::query_all(db, (*id).into()).iter_instantiated(interner, args.as_slice());
                all.extend(bounds.map(|clause| clause.skip_norm_wip()));
            }
            all
        };
        // The output of a future or function may be another parameter, so choose these parameters later, and
        // functions last.
        let wanted = |index: usize, args: &[GenericArg<'db>]| self.wanted(args[index].ty(), &clauses(args));
        left.sort_by_cached_key(|index| {
            let wanted = wanted(*index, &args);
            (wanted.inputs.is_some(), wanted.output.is_some_and(|it| it.has_param()))
        });
        for index in left {
            if let Some(default) = db.generic_defaults(def).get(index)
                && let Some(default) = default.instantiate(interner, args.as_slice()).skip_norm_wip().ty()
                && !default.has_param()
            {
                args[index] = default.into();
                continue;
            }
            let wanted = wanted(index, &args);
            let fits = |candidate: &Ty<'db>| {
                let mut args = args.clone();
                args[index] = (*candidate).into();
                self.all_hold(clauses(&args).into_iter().filter(|clause| !clause.has_param()))
            };
            let favoured = self.favoured.filter(|it| it.only.is_none_or(|(of, at)| of != def || at == index));
            let is_plain = wanted.inputs.is_none() && !wanted.is_future && !wanted.is_iterator && !wanted.is_iterable;
            let favoured = favoured.map(|it| it.ty).filter(|_| is_plain);
            let borrowing = self.borrowing(def, index, &wanted);
            let chosen = favoured.into_iter().chain(borrowing).chain(self.candidates(&wanted)).find(fits);
            // Parameters whose choices depend on each other would leave one unsubstituted.
            let chosen = chosen.filter(|chosen| !chosen.has_param());
            args[index] = chosen.ok_or("no known type satisfies its bounds")?.into();
        }
        Ok(self.cx.canonical(GenericArgs::new_from_slice(&args)))
    }

    /// The requirements that bounds put on a parameter.
    fn wanted(&self, param: Option<Ty<'db>>, clauses: &[Clause<'db>]) -> BoundRequirements<'db> {
        let (db, interner) = (self.cx.db, self.interner());
        let lang = interner.lang_items();
        let mut wanted = BoundRequirements::default();
        let iterable = |id: TraitId, name: &str| {
            let signature = hir_def::signatures::TraitSignature::of(db, id);
            let krate = hir_def::HasModule::module(&id, db).krate(db);
            signature.name.as_str() == name && self.cx.source.is_std(krate)
        };
        for clause in clauses {
            match interner.instantiate_bound_regions_with_erased(clause.kind()) {
                ClauseKind::Trait(bound) if Some(bound.self_ty()) == param => {
                    let id = bound.trait_ref.def_id.0;
                    if [lang.Fn, lang.FnMut, lang.FnOnce].contains(&Some(id)) {
                        wanted.inputs = bound.trait_ref.args.types().nth(1);
                        wanted.is_shared |= lang.Fn == Some(id);
                    }
                    wanted.is_future |= lang.Future == Some(id);
                    wanted.is_iterator |= iterable(id, "Iterator");
                    wanted.is_iterable |= iterable(id, "IntoIterator");
                    let krate = hir_def::HasModule::module(&id, db).krate(db);
                    if self.cx.source.is_local(krate) || crate_models::has_implementations(db, krate) {
                        wanted.own.push(id);
                    }
                }
                ClauseKind::Projection(projection) if Some(projection.projection_term.self_ty()) == param => {
                    wanted.output = projection.term.as_type();
                }
                _ => {}
            }
        }
        wanted
    }

    /// A function that borrows a value until its call ends, for a parameter of a function, if nothing may keep it longer:
    /// the lifetimes that it must outlive are only those of references.
    fn borrowing(&self, def: GenericDefId, index: usize, wanted: &BoundRequirements<'db>) -> Option<Ty<'db>> {
        let (db, interner) = (self.cx.db, self.interner());
        let GenericDefId::FunctionId(func) = def else { return None };
        let inputs = wanted.inputs.filter(|_| !wanted.is_shared && wanted.own.is_empty())?;
        let identity = self.identity(def);
        let param = identity.as_slice()[index].ty()?;
        let signature = db.callable_item_signature(func.into()).instantiate_identity().skip_norm_wip();
        let signature = interner.instantiate_bound_regions_with_erased(signature);
        let mut in_types = Lifetimes::default();
        for input in signature.inputs() {
            let inner = match input.kind() {
                TyKind::Ref(_, inner, _) => inner,
                _ => *input,
            };
            inner.visit_with(&mut in_types);
        }
        let bounds = GenericPredicates::query_all(db, def).iter_instantiated(interner, identity.as_slice());
        let ends = bounds.map(|clause| clause.skip_norm_wip()).all(|clause| match clause.kind().skip_binder() {
            ClauseKind::TypeOutlives(bound) if bound.0 == param => {
                !bound.1.is_static() && !in_types.0.contains(&bound.1)
            }
            _ => true,
        });
        let output = wanted.output.unwrap_or_else(|| Ty::new_empty_tuple(interner));
        let has_default = self.default_trait().is_some_and(|default| self.has_trait(output, default));
        if ends && has_default { self.helper_output("borrowing", [inputs, output]) } else { None }
    }

    fn candidates(&self, wanted: &BoundRequirements<'db>) -> Vec<Ty<'db>> {
        let interner = self.interner();
        let unit = Ty::new_empty_tuple(interner);
        let output = wanted.output.unwrap_or(unit);
        if let Some(inputs) = wanted.inputs {
            return self.callback(inputs, output).into_iter().collect();
        }
        if wanted.is_future {
            return self.helper_output("ready", [output]).into_iter().collect();
        }
        let basic = &interner.default_types().types;
        let item = wanted.output.unwrap_or(basic.u32);
        if wanted.is_iterator || wanted.is_iterable {
            let name = if wanted.is_iterator { "iterator" } else { "list" };
            return self.helper_output(name, [item]).into_iter().collect();
        }
        let text = Ty::new_imm_ref(interner, self.erased(), basic.str);
        let mut found: Vec<Ty<'db>> = wanted.own.iter().flat_map(|id| self.implementers(*id)).collect();
        found.extend([basic.u32, text]);
        found.extend(self.output_of("string"));
        found.extend([unit, basic.usize, basic.u8, basic.f64, basic.bool]);
        found.extend(self.helper_output("list", [basic.u8]));
        found
    }

    /// A helper function with these parameter types and this output.
    pub(super) fn callback(&self, inputs: Ty<'db>, output: Ty<'db>) -> Option<Ty<'db>> {
        let TyKind::Tuple(inputs) = inputs.kind() else { return None };
        let inputs: Vec<Ty<'db>> = inputs.iter().collect();
        let unit = Ty::new_empty_tuple(self.interner());
        let (name, types) = if output == unit {
            (format!("act{}", inputs.len()), inputs)
        } else if inputs == [output] {
            ("same".to_owned(), inputs)
        } else if self.default_trait().is_some_and(|default| self.has_trait(output, default)) {
            (format!("give{}", inputs.len()), inputs.into_iter().chain([output]).collect())
        } else if let Some(parts) = self.defaults_of_result(output) {
            (format!("attempt{}", inputs.len()), inputs.into_iter().chain(parts).collect())
        } else {
            return None;
        };
        let func = self.helper(&name).ok()?;
        let args: Vec<GenericArg<'db>> = types.into_iter().map(Into::into).collect();
        self.item(func, self.cx.erased_args(func, args)).ok()
    }

    /// The types in a `Result` that both have a default.
    fn defaults_of_result(&self, ty: Ty<'db>) -> Option<Vec<Ty<'db>>> {
        let default = self.default_trait()?;
        let is_result = harness_std::known(self.cx.db, ty) == Some(StdType::Result);
        let parts: Vec<Ty<'db>> = ty.as_adt().filter(|_| is_result)?.1.types().collect();
        parts.iter().all(|part| self.has_trait(*part, default)).then_some(parts)
    }

    /// The output type of a helper with type parameters.
    fn helper_output(&self, name: &str, types: impl IntoIterator<Item = Ty<'db>>) -> Option<Ty<'db>> {
        let func = self.helper(name).ok()?;
        let types: Vec<GenericArg<'db>> = types.into_iter().map(Into::into).collect();
        let args = self.cx.erased_args(func, types);
        let output = self.cx.db.callable_item_signature(func.into()).instantiate(self.interner(), args);
        Some(self.interner().instantiate_bound_regions_with_erased(output.skip_norm_wip()).output())
    }

    pub(super) fn output_of(&self, name: &str) -> Option<Ty<'db>> {
        let func = self.helper(name).ok()?;
        let output = self.cx.db.callable_item_signature(func.into()).instantiate_identity();
        Some(self.interner().instantiate_bound_regions_with_erased(output.skip_norm_wip()).output())
    }

    /// Types that implement a user's trait.
    pub(super) fn implementers(&self, id: TraitId) -> Vec<Ty<'db>> {
        let db = self.cx.db;
        let mut impls = Vec::new();
        for krate in TraitImpls::for_crate_and_deps(db, self.cx.krate) {
            krate.for_trait(id, |found| {
                if let either::Either::Left(found) = found {
                    impls.extend_from_slice(found);
                }
            });
        }
        // They come from a hash map, so sort them. What the library or its tests implement comes first, then what is known
        // to keep a contract, examples, and the stub.
        let source = self.cx.source;
        let rank = |id: &ImplId| {
            let krate = hir_def::HasModule::module(id, db).krate(db);
            let of = || db.impl_self_ty(*id).skip_binder().as_adt().map(|(adt, _)| adt);
            match source.has_stub(krate) {
                true if of().is_some_and(|adt| source.is_stub(adt)) => 3,
                true => 1,
                false if source.is_example(krate) => 2,
                false => 0,
            }
        };
        impls.sort_by_cached_key(|id| (rank(id), *id));
        let own = |id: &ImplId| {
            let args = self.arguments_of_impl(*id).ok()?;
            let ty = db.impl_self_ty(*id).instantiate(self.interner(), args).skip_norm_wip();
            Some(self.cx.canonical(ty)).filter(|ty| !ty.has_param())
        };
        // The bounds of a generic impl may lead back here.
        let (plain, generic): (Vec<ImplId>, Vec<ImplId>) =
            impls.into_iter().partition(|id| GenericParams::of(db, (*id).into()).is_empty());
        let generic = if plain.is_empty() && self.enter() { generic } else { Vec::new() };
        let found = plain.iter().chain(&generic).take(MAX_IMPLEMENTERS).filter_map(own).collect();
        if !generic.is_empty() {
            self.leave();
        }
        found
    }

    /// The impl that contains a function.
    pub(super) fn impl_around(&self, func: FunctionId) -> Option<ImplId> {
        match func.lookup(self.cx.db).container {
            ItemContainerId::ImplId(id) => Some(id),
            _ => None,
        }
    }
}
