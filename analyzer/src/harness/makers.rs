//! Functions that return values of a type: its constructors or, if it has none, functions of other types: a builder's
//! `build`, `connect`, one half of a pair. Constants of the type serve too.

use super::{
    Subject, View,
    builder::{HarnessBuilder, Reason},
    surface,
};
use crate::{
    ir::{Const, LocalId, Operand, Place, Rvalue},
    std_models::harness::{self as harness_std, StdType},
};
use hir_def::{
    AdtId, AssocItemId, FunctionId, ImplId, TraitId,
    signatures::{FnFlags, FunctionSignature},
};
use hir_ty::{
    ValueTyDefId,
    next_solver::{GenericArgs, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand::name::Name;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Maximum number of constructors between which a run chooses.
const MAX_VARIOUS: usize = 3;
/// Maximum number of constructors tried for a type.
const MAX_TRIES: usize = 4;

/// A function that returns a value of a type, with its generic arguments and parameter types.
struct Maker<'db> {
    func: FunctionId,
    args: GenericArgs<'db>,
    inputs: Vec<Ty<'db>>,
    output: Ty<'db>,
    shape: ReturnShape,
}

/// How a function returns the value.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct ReturnShape {
    /// The type that wraps it.
    within: Option<Wrapper>,
    /// Its index in the returned tuple.
    part: Option<u32>,
}

/// A type to unwrap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrapper {
    Result,
    Option,
}

impl<'db> HarnessBuilder<'_, 'db> {
    /// A value returned by one of the type's constructors.
    pub(super) fn by_constructor(&mut self, ty: Ty<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        let mut constructors = self.constructors(ty);
        if depth == 0 && (1..constructors.len()).contains(&self.constructor) {
            constructors = vec![constructors.swap_remove(self.constructor)];
        }
        self.by_one_of(constructors, ty, label, depth)
    }

    /// The indexes of constructors that may make different values of a type.
    pub(super) fn various_constructors(&mut self, ty: Ty<'db>) -> Vec<usize> {
        let default = self.default_of(ty).map(|(func, _)| func);
        let constructors = self.constructors(ty).into_iter().enumerate();
        let is_another = |(index, maker): &(usize, Maker<'db>)| *index > 0 && Some(maker.func) != default;
        let others = constructors.filter(is_another).map(|(index, _)| index);
        std::iter::once(0).chain(others).take(MAX_VARIOUS).collect()
    }

    /// A value of an associated constant of the type.
    pub(super) fn by_constant(&mut self, ty: Ty<'db>) -> Result<LocalId, Reason> {
        let db = self.cx.db;
        for (id, args) in self.impls_of(ty) {
            for (_, item) in &id.impl_items(db).items {
                let AssocItemId::ConstId(constant) = *item else { continue };
                let of = db.value_ty(ValueTyDefId::ConstId(constant));
                let of = of.map(|of| of.instantiate(self.interner(), args).skip_norm_wip());
                if of == Some(ty) && item.assoc_visibility(db).is_public() {
                    let value = Const::Item(constant, args.store(), ty.store());
                    return Ok(self.assign(ty, Rvalue::Use(Operand::Const(value))));
                }
            }
        }
        Err(self.no_value(ty))
    }

    /// A value returned by a public function of the type's crate or of one of the other types there.
    pub(super) fn by_maker(&mut self, ty: Ty<'db>, adt: AdtId, label: &str, depth: u32) -> Result<LocalId, Reason> {
        let is_std = self.cx.source.is_std(hir_def::HasModule::module(&adt, self.cx.db).krate(self.cx.db));
        if self.view != View::Outside || is_std || !self.enter_maker() {
            return Err(self.no_value(ty));
        }
        let makers = self.makers(ty, adt);
        let made = self.by_one_of(makers, ty, label, depth);
        self.leave_maker();
        made
    }

    fn by_one_of(&mut self, makers: Vec<Maker<'db>>, ty: Ty<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        let mut why = self.no_value(ty);
        for maker in makers.into_iter().take(MAX_TRIES) {
            let mark = self.mark();
            match self.construct(ty, &maker, label, depth) {
                Ok(made) => return Ok(made),
                Err(other) => why = other,
            }
            self.rollback(mark);
        }
        Err(why)
    }

    /// An `Arc` of a type, returned by a function of that type.
    pub(super) fn make_arc(&mut self, arc: Ty<'db>, ty: Ty<'db>) -> Result<LocalId, Reason> {
        let own: Vec<ImplId> = self.impls_of(ty).into_iter().map(|(id, _)| id).collect();
        let mut constructors = self.constructors(arc);
        constructors.retain(|it| self.impl_around(it.func).is_some_and(|id| own.contains(&id)));
        self.by_one_of(constructors, arc, "a value", 0)
    }

    /// Functions of a type that return a value of it, the most common names first.
    fn constructors(&mut self, ty: Ty<'db>) -> Vec<Maker<'db>> {
        let mut found: Vec<(usize, Maker<'db>)> = Vec::new();
        // `Arc<Self>` is returned by a function of the type itself, if there is one.
        let within = match ty.kind() {
            TyKind::Adt(_, args) => args.types().next().filter(|inner| self.is_users(*inner)),
            _ => None,
        };
        for of in [Some(ty), within].into_iter().flatten() {
            for (id, outer) in self.impls_of(of) {
                for func in self.functions_of(id) {
                    let flags = FunctionSignature::of(self.cx.db, func).flags;
                    if flags.contains(FnFlags::HAS_SELF_PARAM) || !self.sees(func) {
                        continue;
                    }
                    let Some(maker) = self.maker(func, outer, ty).filter(|it| it.shape.part.is_none()) else {
                        continue;
                    };
                    let name = FunctionSignature::of(self.cx.db, func).name.as_str().to_owned();
                    let rank = if name == "new" { 0 } else { 2 + maker.inputs.len() };
                    found.push((rank, maker));
                }
            }
        }
        if let Some((func, args)) = self.default_of(ty) {
            found.push((1, Maker { func, args, inputs: Vec::new(), output: ty, shape: ReturnShape::default() }));
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, maker)| maker).collect()
    }

    /// Public functions of the type's crate, and of its other public types, that return a value of it, sorted by the
    /// number of parameters.
    fn makers(&mut self, ty: Ty<'db>, adt: AdtId) -> Vec<Maker<'db>> {
        let db = self.cx.db;
        let krate = hir_def::HasModule::module(&adt, db).krate(db);
        let mut functions: Vec<FunctionId> = Vec::new();
        for target in surface::public(db, krate) {
            match target.subject {
                Subject::Function(func) => functions.push(func),
                Subject::Type(of) if of != adt => {
                    let own = self.cx.db.ty(of.into()).instantiate_identity().skip_norm_wip();
                    let inherent = self.inherent(own).into_iter().flat_map(|id| self.functions_of(id));
                    functions.extend(inherent.filter(|func| self.sees(*func)));
                }
                _ => {}
            }
        }
        functions.retain(|func| self.names_in_output(*func, adt));
        let mut found: Vec<Maker<'db>> = Vec::new();
        for func in functions {
            let outer = match self.impl_around(func) {
                Some(id) => self.arguments_of_impl(id).ok(),
                None => Some(GenericArgs::empty(self.interner())),
            };
            found.extend(outer.and_then(|outer| self.maker(func, outer, ty)));
        }
        found.sort_by_key(|maker| maker.inputs.len());
        found
    }

    /// Whether a function returns a value of a type, ignoring generic arguments.
    fn names_in_output(&self, func: FunctionId, adt: AdtId) -> bool {
        let output = self.cx.db.callable_item_signature(func.into()).instantiate_identity().skip_norm_wip();
        let mut output = self.interner().instantiate_bound_regions_with_erased(output).output();
        let is_it = |ty: Ty<'db>| ty.as_adt().is_some_and(|(found, _)| found == adt);
        if is_it(output) {
            return true;
        }
        if let Some((_, args)) = output.as_adt() {
            let Some(inner) = args.types().next() else { return false };
            output = inner;
        }
        match output.kind() {
            TyKind::Tuple(parts) => parts.iter().any(is_it),
            _ => is_it(output),
        }
    }

    /// A function with chosen arguments, if it returns a value of a type and takes none.
    fn maker(&mut self, func: FunctionId, outer: GenericArgs<'db>, ty: Ty<'db>) -> Option<Maker<'db>> {
        let flags = FunctionSignature::of(self.cx.db, func).flags;
        if flags.intersects(FnFlags::UNSAFE | FnFlags::ASYNC) {
            return None;
        }
        let args = self.arguments(func, outer.as_slice()).ok()?;
        let (inputs, output) = self.cx.signature(func, args);
        let shape = self.return_shape(output, ty)?;
        let needs_one = inputs.iter().any(|input| input.strip_references() == ty);
        (!needs_one).then_some(Maker { func, args, inputs, output, shape })
    }

    /// How a value of a type is returned in `output`, if it is.
    fn return_shape(&self, output: Ty<'db>, ty: Ty<'db>) -> Option<ReturnShape> {
        let within = self.wrap_of(output).filter(|_| output != ty);
        let given = match within {
            Some(_) => output.as_adt()?.1.types().next()?,
            None => output,
        };
        let part = match given.kind() {
            TyKind::Tuple(parts) if given != ty => Some(parts.iter().position(|part| part == ty)? as u32),
            _ => None,
        };
        (part.is_some() || given == ty).then_some(ReturnShape { within, part })
    }

    fn wrap_of(&self, output: Ty<'db>) -> Option<Wrapper> {
        match harness_std::known(self.cx.db, output)? {
            StdType::Result => Some(Wrapper::Result),
            StdType::Option => Some(Wrapper::Option),
            _ => None,
        }
    }

    fn default_of(&mut self, ty: Ty<'db>) -> Option<(FunctionId, GenericArgs<'db>)> {
        let id = self.default_trait()?;
        let default = id.trait_items(self.cx.db).method_by_name(&Name::new_root("default"))?;
        self.has_trait(ty, id).then(|| (default, GenericArgs::new_from_slice(&[ty.into()])))
    }

    /// `Default`, which is not a lang item: found as a bound of a helper.
    pub(super) fn default_trait(&self) -> Option<TraitId> {
        self.bound_of("give0")
    }

    /// The first trait that a helper asks of a type parameter.
    pub(super) fn bound_of(&self, helper: &str) -> Option<TraitId> {
        let func = self.helper(helper).ok()?;
        let clauses = hir_ty::GenericPredicates::query_all(self.cx.db, func.into());
        let sized = self.interner().lang_items().Sized;
        clauses.skip_binder().find_map(|clause| match clause.kind().skip_binder() {
            hir_ty::next_solver::ClauseKind::Trait(bound) => {
                Some(bound.trait_ref.def_id.0).filter(|id| Some(*id) != sized)
            }
            _ => None,
        })
    }

    /// Calls a function. Gives its result without `Result` or `Option`: the type and the local.
    pub(super) fn made_by(&mut self, func: FunctionId, outer: GenericArgs<'db>) -> Result<(Ty<'db>, LocalId), Reason> {
        let args = self.arguments(func, outer.as_slice())?;
        let (inputs, output) = self.cx.signature(func, args);
        let within = self.wrap_of(output);
        let given = output.as_adt().filter(|_| within.is_some()).and_then(|(_, args)| args.types().next());
        let given = given.unwrap_or(output);
        let maker = Maker { func, args, inputs, output, shape: ReturnShape { within, part: None } };
        Ok((given, self.construct(given, &maker, "", 0)?))
    }

    fn construct(&mut self, ty: Ty<'db>, maker: &Maker<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        let is_users = self.is_users_function(maker.func);
        // Arguments of std's constructors keep the label of the constructed value.
        let values = match is_users {
            true => self.arguments_for(maker.func, &maker.inputs, 0, depth)?,
            false => maker.inputs.iter().map(|it| self.make(*it, label, depth + 1)).collect::<Result<_, _>>()?,
        };
        let mark = self.mark();
        let values = values.into_iter().map(Operand::from).collect();
        let output = self.invoke(maker.func, maker.args, values, maker.output);
        if is_users {
            self.record_call(mark, maker.func);
        }
        let types: Vec<Ty<'db>> = maker.output.as_adt().map(|(_, args)| args.types().collect()).unwrap_or_default();
        let given = types.first().copied().unwrap_or(maker.output);
        let given = match maker.shape.within {
            None => output,
            Some(Wrapper::Result) => self.call_helper("made", types, vec![output.into()], given)?,
            Some(Wrapper::Option) => self.call_helper("given", types, vec![output.into()], given)?,
        };
        Ok(match maker.shape.part {
            None => given,
            // The rest of the tuple stays alive: one half of a pair needs its peer.
            Some(part) => self.assign(ty, Rvalue::Use(Operand::Use(Place::from(given).field(part)))),
        })
    }
}
