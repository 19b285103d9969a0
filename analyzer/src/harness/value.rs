//! Makes values as a user of the types would.

use super::{
    View,
    builder::{HarnessBuilder, Reason},
};
use crate::{
    ir::{Aggregate, LocalId, Operand, Rvalue},
    std_models::harness::{self as harness_std, StdType},
};
use hir_def::{AdtId, FunctionId, signatures::FunctionSignature};
use hir_ty::next_solver::{GenericArg, GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    Mutability,
    inherent::{IntoKind, Term as _, Ty as _},
};

/// Maximum nesting depth of values.
const MAX_DEPTH: u32 = 6;
/// Maximum number of statements of a call with its values.
const MAX_STATEMENTS: usize = 400;
/// Maximum length of an array.
const MAX_ELEMENTS: u64 = 16;
impl<'db> HarnessBuilder<'_, 'db> {
    /// A new local with a value of a type. `label` says what it is for; numbers and texts are inputs with this label.
    pub(super) fn make(&mut self, ty: Ty<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        let ty = self.cx.normalize(ty);
        let is_plain = ty.is_scalar() || matches!(ty.kind(), TyKind::Ref(_, inner, _) if inner.is_str());
        if (depth > MAX_DEPTH && !is_plain) || self.call_len() > MAX_STATEMENTS {
            return Err(self.no_value(ty));
        }
        let mark = self.mark();
        let made = self.value(ty, label, depth);
        if made.is_err() {
            self.rollback(mark);
        }
        made
    }

    pub(super) fn no_value(&self, ty: Ty<'db>) -> Reason {
        format!("no value of `{}` can be made", self.type_name(ty))
    }

    fn value(&mut self, ty: Ty<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        if let Some(peer) = self.peer(ty) {
            return peer;
        }
        if depth > 1
            && let Some(object) = self.own_maker(ty)
        {
            return object;
        }
        let interner = self.interner();
        let basic = &interner.default_types().types;
        match ty.kind() {
            TyKind::Bool => self.labelled("flag", label, ty),
            TyKind::Char => self.labelled("letter", label, ty),
            TyKind::Int(_) | TyKind::Uint(_) => {
                let number = self.labelled("number", label, basic.u64)?;
                Ok(self.assign(ty, Rvalue::Cast(number.into(), ty.store())))
            }
            TyKind::Float(_) => {
                let number = self.labelled("fraction", label, basic.f64)?;
                Ok(self.assign(ty, Rvalue::Cast(number.into(), ty.store())))
            }
            TyKind::Ref(_, inner, _) => self.reference(ty, inner, label, depth),
            TyKind::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let parts: Result<Vec<_>, Reason> =
                    parts.map(|(index, part)| self.make(part, &format!("{label}.{index}"), depth + 1)).collect();
                Ok(self.aggregate(ty, Aggregate::Plain, parts?))
            }
            TyKind::Array(element, length) => {
                let length = self.cx.array_len(length).filter(|length| *length <= MAX_ELEMENTS);
                let length = length.ok_or_else(|| self.no_value(ty))?;
                let parts: Result<Vec<_>, Reason> =
                    (0..length).map(|index| self.make(element, &format!("{label}[{index}]"), depth + 1)).collect();
                Ok(self.aggregate(ty, Aggregate::Plain, parts?))
            }
            TyKind::FnDef(..) => Ok(self.assign(ty, Rvalue::Use(Self::function_value(ty)))),
            TyKind::FnPtr(..) => {
                let (inputs, output) = self.fn_ptr_signature(ty)?;
                let function = self.callback(inputs, output).ok_or_else(|| self.no_value(ty))?;
                Ok(self.assign(ty, Rvalue::FnPtr(Self::function_value(function), ty.store())))
            }
            TyKind::Adt(def, args) => self.adt(ty, def.def_id(), args, label, depth),
            _ => Err(self.no_value(ty)),
        }
    }

    /// The result of a helper that takes a label.
    fn labelled(&mut self, helper: &str, label: &str, ty: Ty<'db>) -> Result<LocalId, Reason> {
        // In the middle, only the callers know the valid numbers.
        if self.is_in_the_middle() && !matches!(ty.kind(), TyKind::Ref(..) | TyKind::Adt(..)) {
            return Ok(self.unknown(ty, format!("{label}, an argument known only to its callers")));
        }
        let helper = match (self.is_other, helper) {
            (true, "number") => "other_number",
            (true, "text") => "other_text",
            (true, "string") => "other_string",
            _ => helper,
        };
        self.call_helper(helper, [], vec![self.label(label)], ty)
    }

    fn reference(&mut self, ty: Ty<'db>, inner: Ty<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        match inner.kind() {
            TyKind::Str => self.labelled("text", label, ty),
            TyKind::Slice(element) => {
                let parts =
                    [format!("{label}[0]"), format!("{label}[1]")].map(|label| self.make(element, &label, depth + 1));
                let parts = parts.into_iter().collect::<Result<Vec<_>, Reason>>()?;
                let array = Ty::new_array(self.interner(), element, 2);
                let array_local = self.aggregate(array, Aggregate::Plain, parts);
                self.unsized_reference(ty, array, array_local)
            }
            TyKind::Dynamic(..) => {
                let mut why = self.no_value(ty);
                for candidate in self.concrete_types(inner) {
                    match self.make(candidate, label, depth + 1) {
                        Ok(local) => return self.unsized_reference(ty, candidate, local),
                        Err(other) => why = other,
                    }
                }
                Err(why)
            }
            TyKind::Adt(..) => match harness_std::known(self.cx.db, inner) {
                Some(StdType::Path) => self.labelled("path", label, ty),
                Some(StdType::OsStr) => self.labelled("os_str", label, ty),
                Some(StdType::Formatter) => self.call_helper("formatter", [], Vec::new(), ty),
                Some(StdType::Context) => self.call_helper("context", [], Vec::new(), ty),
                _ => self.reference_to_value(ty, inner, label, depth),
            },
            _ => self.reference_to_value(ty, inner, label, depth),
        }
    }

    fn reference_to_value(&mut self, ty: Ty<'db>, inner: Ty<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        let local = self.make_borrowed(inner, label, depth + 1)?;
        self.borrowed(ty, inner, local)
    }

    /// A reference to a local. One that a function returns must outlive it.
    fn borrowed(&mut self, ty: Ty<'db>, inner: Ty<'db>, local: LocalId) -> Result<LocalId, Reason> {
        if !self.is_for_value() {
            return Ok(self.borrow(ty, local));
        }
        let helper = match ty.kind() {
            TyKind::Ref(_, _, Mutability::Mut) => "leaked_mut",
            _ => "leaked",
        };
        self.call_helper(helper, [inner], vec![local.into()], ty)
    }

    /// A reference to an unsized type, from a local of the sized type.
    fn unsized_reference(&mut self, ty: Ty<'db>, sized: Ty<'db>, local: LocalId) -> Result<LocalId, Reason> {
        let TyKind::Ref(region, _, mutability) = ty.kind() else { return Err(self.no_value(ty)) };
        let thin = Ty::new_ref(self.interner(), region, sized, mutability);
        let thin = self.borrowed(thin, sized, local)?;
        Ok(self.assign(ty, Rvalue::Unsize(thin.into(), ty.store())))
    }

    /// Concrete types for a `dyn` type.
    fn concrete_types(&self, dyn_ty: Ty<'db>) -> Vec<Ty<'db>> {
        let Some(principal) = dyn_ty.dyn_trait() else { return Vec::new() };
        let lang = self.interner().lang_items();
        if [lang.Fn, lang.FnMut, lang.FnOnce].contains(&Some(principal)) {
            return self
                .dyn_fn_signature(dyn_ty)
                .and_then(|(inputs, output)| self.callback(inputs, output))
                .into_iter()
                .collect();
        }
        let mut found = self.implementers(principal);
        let number = self.interner().default_types().types.u32;
        found.extend([number].into_iter().filter(|ty| self.has_trait(*ty, principal)));
        found
    }

    /// Parameter types, as a tuple, and result type of a `dyn Fn(..)`.
    fn dyn_fn_signature(&self, dyn_ty: Ty<'db>) -> Option<(Ty<'db>, Ty<'db>)> {
        let TyKind::Dynamic(bounds, _) = dyn_ty.kind() else { return None };
        let interner = self.interner();
        let (mut inputs, mut output) = (None, Ty::new_empty_tuple(interner));
        for bound in bounds.iter() {
            match interner.instantiate_bound_regions_with_erased(bound) {
                rustc_type_ir::ExistentialPredicate::Trait(bound) => inputs = bound.args.types().next(),
                rustc_type_ir::ExistentialPredicate::Projection(bound) => {
                    output = bound.term.as_type().unwrap_or(output);
                }
                rustc_type_ir::ExistentialPredicate::AutoTrait(_) => {}
            }
        }
        Some((inputs?, output))
    }

    /// Parameter types, as a tuple, and result type of a fn pointer.
    fn fn_ptr_signature(&mut self, ty: Ty<'db>) -> Result<(Ty<'db>, Ty<'db>), Reason> {
        let interner = self.interner();
        let signature = ty.callable_sig(interner).ok_or_else(|| self.no_value(ty))?;
        let signature = interner.instantiate_bound_regions_with_erased(signature);
        Ok((Ty::new_tup(interner, signature.inputs()), signature.output()))
    }

    fn adt(
        &mut self,
        ty: Ty<'db>,
        adt: AdtId,
        args: GenericArgs<'db>,
        label: &str,
        depth: u32,
    ) -> Result<LocalId, Reason> {
        if let Some(made) = self.std_value(ty, adt, args, label, depth) {
            return made;
        }
        if harness_std::is_borrowing(self.cx.db, ty) {
            return self.call_helper("borrowing", args.types().collect::<Vec<_>>(), Vec::new(), ty);
        }
        if let Some(inner) = args.types().next()
            && matches!(inner.kind(), TyKind::Dynamic(..))
        {
            return self.boxed(ty, adt, inner, label, depth);
        }
        let why = match self.by_constructor(ty, label, depth) {
            Ok(made) => return Ok(made),
            Err(why) => why,
        };
        let made = self.variant(ty, adt, depth).or_else(|_| self.by_constant(ty));
        made.or_else(|_| self.by_maker(ty, adt, label, depth)).map_err(|_| why)
    }

    /// Types of std for which a helper makes more useful values than their constructors.
    fn std_value(
        &mut self,
        ty: Ty<'db>,
        adt: AdtId,
        args: GenericArgs<'db>,
        label: &str,
        depth: u32,
    ) -> Option<Result<LocalId, Reason>> {
        let known = harness_std::known(self.cx.db, ty)?;
        let item = args.types().next();
        let two = |builder: &mut Self, helper: &str| {
            let item = item.ok_or_else(|| builder.no_value(ty))?;
            let parts =
                [format!("{label}[0]"), format!("{label}[1]")].map(|label| builder.make(item, &label, depth + 1));
            let parts = parts.into_iter().collect::<Result<Vec<_>, Reason>>()?;
            builder.call_helper(helper, [item], parts.into_iter().map(Operand::from).collect(), ty)
        };
        Some(match known {
            StdType::String => self.labelled("string", label, ty),
            StdType::PathBuf => self.labelled("path_buf", label, ty),
            StdType::OsString => self.labelled("os_string", label, ty),
            StdType::SocketAddr => self.labelled("address", label, ty),
            StdType::Duration => self.labelled("duration", label, ty),
            StdType::Vec => two(self, "list"),
            StdType::IntoIter => two(self, "iterator"),
            StdType::Receiver => two(self, "receiver"),
            StdType::Sender => self.call_helper("sender", item, Vec::new(), ty),
            StdType::Ready => {
                let value = item.ok_or_else(|| self.no_value(ty)).and_then(|item| self.make(item, label, depth + 1));
                value.and_then(|value| self.call_helper("ready", item, vec![value.into()], ty))
            }
            StdType::Option => {
                let value = item.ok_or_else(|| self.no_value(ty)).and_then(|item| self.make(item, label, depth + 1));
                let (variant, parts) = value.map_or((0, Vec::new()), |value| (1, vec![value]));
                let id = self.cx.variant_id(adt, variant);
                id.ok_or_else(|| self.no_value(ty)).map(|id| self.aggregate(ty, Aggregate::Variant(id), parts))
            }
            StdType::Path | StdType::OsStr | StdType::Result | StdType::Formatter | StdType::Context | StdType::Pin => {
                return None;
            }
        })
    }

    /// A `Box<dyn Trait>` or similar.
    fn boxed(&mut self, ty: Ty<'db>, adt: AdtId, inner: Ty<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        let mut why = self.no_value(ty);
        for candidate in self.concrete_types(inner) {
            let TyKind::Adt(_, args) = ty.kind() else { break };
            let mut first = true;
            let args = args.iter().map(|arg| match arg.ty() {
                Some(_) if std::mem::take(&mut first) => candidate.into(),
                _ => arg,
            });
            let args: Vec<GenericArg<'db>> = args.collect();
            let sized = Ty::new_adt(self.interner(), adt, GenericArgs::new_from_slice(&args));
            match self.make(sized, label, depth + 1) {
                Ok(local) => return Ok(self.assign(ty, Rvalue::Unsize(local.into(), ty.store()))),
                Err(other) => why = other,
            }
        }
        Err(why)
    }

    pub(super) fn is_users(&self, ty: Ty<'db>) -> bool {
        let db = self.cx.db;
        let krate = |adt: AdtId| hir_def::HasModule::module(&adt, db).krate(db);
        ty.as_adt().is_some_and(|(adt, _)| self.cx.source.is_local(krate(adt)))
    }

    /// Whether a harness may call a function.
    pub(super) fn sees(&self, func: FunctionId) -> bool {
        match self.view {
            View::Inside if self.is_users_function(func) => true,
            _ if self.is_example(hir_def::HasModule::module(&func, self.cx.db).krate(self.cx.db)) => true,
            _ => hir_def::AssocItemId::FunctionId(func).assoc_visibility(self.cx.db).is_public(),
        }
    }

    pub(super) fn is_users_function(&self, func: FunctionId) -> bool {
        let db = self.cx.db;
        self.cx.source.is_local(hir_def::HasModule::module(&func, db).krate(db))
    }

    /// Values for the parameters of a function after the first `skipped`.
    pub(super) fn arguments_for(
        &mut self,
        func: FunctionId,
        inputs: &[Ty<'db>],
        skipped: usize,
        depth: u32,
    ) -> Result<Vec<LocalId>, Reason> {
        let labels = self.labels(func, inputs.len());
        let rest = inputs.iter().zip(labels).skip(skipped);
        rest.map(|(input, label)| self.make(*input, &label, depth + 1)).collect()
    }

    /// Labels of the parameters of a function.
    fn labels(&self, func: FunctionId, count: usize) -> Vec<String> {
        let db = self.cx.db;
        let name = FunctionSignature::of(db, func).name.as_str().to_owned();
        let params = ra_ap_hir::Function::from(func).assoc_fn_params(db);
        let label = |index: usize| match params.get(index).and_then(|param| param.name(db)) {
            Some(param) => format!("`{}` of `{name}`", param.as_str()),
            None => format!("an argument of `{name}`"),
        };
        (0..count).map(label).collect()
    }

    /// An enum variant or struct with accessible fields.
    fn variant(&mut self, ty: Ty<'db>, adt: AdtId, depth: u32) -> Result<LocalId, Reason> {
        if matches!(adt, AdtId::UnionId(_)) {
            return Err(self.no_value(ty));
        }
        let mut variants: Vec<(usize, u32)> = Vec::new();
        for index in 0..self.cx.variant_count(adt) {
            variants.push((self.cx.fields(ty, index).len(), index));
        }
        variants.sort_unstable();
        for (_, index) in variants {
            let Some(id) = self.cx.variant_id(adt, index) else { continue };
            if !self.sees_fields(id) || self.has_invariants(ty, adt, id) {
                continue;
            }
            let mark = self.mark();
            let fields = self.cx.fields(ty, index);
            let names: Vec<String> =
                id.fields(self.cx.db).fields().iter().map(|(_, field)| field.name.as_str().to_owned()).collect();
            let of = self.type_name(ty);
            let fields = fields.into_iter().zip(names);
            let parts: Result<Vec<_>, Reason> =
                fields.map(|(field, name)| self.make(field, &format!("`{name}` of `{of}`"), depth + 1)).collect();
            match parts {
                Ok(parts) => return Ok(self.aggregate(ty, Aggregate::Variant(id), parts)),
                Err(_) => self.rollback(mark),
            }
        }
        Err(self.no_value(ty))
    }

    /// Whether values of a type must come from its own functions: it has a destructor, or it has private fields and a
    /// function returns it. Guards are examples.
    fn has_invariants(&self, ty: Ty<'db>, adt: AdtId, id: hir_def::VariantId) -> bool {
        let db = self.cx.db;
        if hir_ty::drop::destructor(db, adt).is_some() {
            return true;
        }
        // Types of examples keep no invariants.
        let is_open = || {
            self.is_example(hir_def::HasModule::module(&adt, db).krate(db))
                || hir_def::signatures::VariantFields::field_visibilities(db, id).values().all(|it| it.is_public())
        };
        if matches!(id, hir_def::VariantId::EnumVariantId(_)) || is_open() {
            return false;
        }
        let krate = hir_def::HasModule::module(&adt, db).krate(db);
        let returns_it = |func: FunctionId| {
            let output = db.callable_item_signature(func.into()).instantiate_identity().skip_norm_wip();
            let output = self.interner().instantiate_bound_regions_with_erased(output).output();
            let of = |ty: Ty<'db>| ty.as_adt().map(|(adt, args)| (adt, args.types().next()));
            let (Some((own, _)), Some((found, first))) = (of(ty), of(output)) else { return false };
            found == own || first.and_then(of).is_some_and(|(inner, _)| inner == own)
        };
        hir_def::nameres::crate_def_map(db, krate).modules().any(|(_, module)| {
            let free = module.scope.declarations().filter_map(|def| match def {
                hir_def::ModuleDefId::FunctionId(id) => Some(id),
                _ => None,
            });
            free.chain(module.scope.impls().flat_map(|id| self.functions_of(id))).any(returns_it)
        })
    }

    /// Whether the harness can access the fields. Fields of enum variants are as public as the enum.
    fn sees_fields(&self, id: hir_def::VariantId) -> bool {
        let db = self.cx.db;
        if matches!(id, hir_def::VariantId::EnumVariantId(_)) {
            return true;
        }
        let krate = hir_def::HasModule::module(&id, db).krate(db);
        if self.view == View::Inside && self.cx.source.is_local(krate) || self.is_example(krate) {
            return true;
        }
        hir_def::signatures::VariantFields::field_visibilities(db, id).values().all(|it| it.is_public())
    }
}
