//! Chooses the calls that a harness makes.

use super::{
    Subject,
    builder::{HarnessBuilder, Reason},
};
use crate::{
    ir::{Aggregate, LocalId, Operand, Place, Rvalue},
    std_models::harness::{self as harness_std, StdType},
};
use hir_def::{
    AdtId, FunctionId,
    signatures::{FnFlags, FunctionSignature},
};
use hir_ty::next_solver::{GenericArg, GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    Mutability,
    inherent::{IntoKind, Ty as _},
};

/// Maximum nesting of types that a result is taken out of.
const MAX_USES: u32 = 3;

/// Number of times that methods taking a reference are called.
const ROUNDS: u32 = 2;

/// The receiver of method calls.
#[derive(Clone, Copy)]
pub(super) struct Object<'db> {
    pub(super) ty: Ty<'db>,
    /// The value, or the `Arc` that contains it; or a reference to that, see `access`.
    pub(super) owner: LocalId,
    /// A reference to the value in the `Arc`.
    pub(super) shared: Option<LocalId>,
    pub(super) access: Access,
}

/// How a local refers to an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// The object itself, which stays there.
    Owned,
    /// The object itself, which a call may take.
    Last,
    /// A shared reference to it.
    Shared,
    /// An exclusive reference to it.
    Exclusive,
}

/// How a function takes its receiver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SelfKind {
    /// It has no receiver.
    Nothing,
    /// `&self`.
    Shared,
    /// `&mut self`.
    Exclusive,
    /// `self: Pin<&mut Self>`.
    Pinned,
    /// `self: Arc<Self>`.
    Arc,
    /// `self: &Arc<Self>`.
    ArcBorrowed,
    /// `self`, or another type that is made from a value.
    Value,
    /// `poll` of a future; the future is awaited instead.
    Awaited,
}

/// A function to call, with its generic arguments.
pub(super) struct Method<'db> {
    func: FunctionId,
    args: GenericArgs<'db>,
    inputs: Vec<Ty<'db>>,
    output: Ty<'db>,
    pub(super) takes: SelfKind,
}

impl<'db> Method<'db> {
    /// The types of the parameters after the receiver.
    pub(super) fn parameters(&self) -> &[Ty<'db>] {
        let receivers = usize::from(self.takes != SelfKind::Nothing);
        self.inputs.get(receivers..).unwrap_or_default()
    }

    /// The type of the first parameter.
    pub(super) fn receiver_type(&self) -> Option<Ty<'db>> {
        self.inputs.first().copied()
    }
}

impl<'db> HarnessBuilder<'_, 'db> {
    /// Emits one call of a function.
    pub(super) fn build_for_function(&mut self, func: FunctionId) {
        let mark = self.mark();
        if let Err(why) = self.call_with_values(func) {
            self.rollback(mark);
            self.skip(func, why);
        }
    }

    /// Skips the subject because of a panic in rust-analyzer.
    pub(super) fn give_up(&mut self, subject: Subject) {
        let why = "rust-analyzer panicked".to_owned();
        match subject {
            Subject::Function(func) | Subject::Halves(func) => self.skip(func, why),
            Subject::Functions(_) | Subject::InTest(..) => {}
            Subject::Type(adt) | Subject::Threads(adt) | Subject::Promises(adt) => {
                let ty = self.cx.db.ty(adt.into()).instantiate_identity().skip_norm_wip();
                self.skip_type(ty, why);
            }
        }
    }

    fn call_with_values(&mut self, func: FunctionId) -> Result<(), Reason> {
        let outer = match self.impl_around(func) {
            Some(id) => self.arguments_of_impl(id)?,
            None => GenericArgs::empty(self.interner()),
        };
        let args = self.arguments(func, outer.as_slice())?;
        let (inputs, output) = self.cx.signature(func, args);
        let values = self.arguments_for(func, &inputs, 0, 0)?;
        self.call(func, args, &inputs, output, values)
    }

    /// Calls the public methods of a type. Methods that take a reference are called in sequence on the same value,
    /// which is then dropped; each method that takes the value gets a value of its own. If no value can be made, only
    /// the functions without a receiver are called.
    pub(super) fn build_for_type(&mut self, adt: AdtId) {
        let chosen = self.instance_of(adt).map(|ty| (ty, self.object(ty)));
        let is_made = matches!(&chosen, Ok((_, Ok(_))));
        let others = if is_made { Vec::new() } else { self.used_instances(adt) };
        let used = others.into_iter().map(|ty| (ty, self.object(ty))).find(|(_, object)| object.is_ok());
        // Without a value, at least the functions of the chosen instance are called.
        let (ty, object) = match used.map_or(chosen, Ok) {
            Ok(instance) => instance,
            Err(why) => {
                let ty = self.cx.db.ty(adt.into()).instantiate_identity().skip_norm_wip();
                return self.skip_type(ty, why);
            }
        };
        let mut methods = self.uncalled_methods(ty);
        let object = match object {
            Ok(object) => object,
            Err(why) => {
                self.skip_type(ty, why);
                methods.retain(|it| it.takes == SelfKind::Nothing);
                return methods.iter().for_each(|method| self.try_call(method, None, true));
            }
        };
        let object = self.call_exclusively(object, &methods);
        let is_left = |takes| match takes {
            SelfKind::Nothing | SelfKind::Shared => true,
            SelfKind::Exclusive | SelfKind::Pinned => object.shared.is_none(),
            SelfKind::Arc | SelfKind::ArcBorrowed => object.shared.is_some(),
            SelfKind::Value | SelfKind::Awaited => false,
        };
        // A method may affect others that precede it.
        for round in 0..ROUNDS {
            for method in methods.iter().filter(|it| is_left(it.takes)) {
                self.try_call(method, Some(object), round == 0);
            }
        }
        self.drop(object.owner);
        for method in methods.iter().filter(|it| matches!(it.takes, SelfKind::Value | SelfKind::Awaited)) {
            self.try_call(method, None, true);
        }
    }

    /// If methods take an `Arc` of the value, calls the methods that need exclusive access and then moves the value
    /// into an `Arc`.
    pub(super) fn call_exclusively(&mut self, object: Object<'db>, methods: &[Method<'db>]) -> Object<'db> {
        let takes_arc = |it: &Method<'db>| matches!(it.takes, SelfKind::Arc | SelfKind::ArcBorrowed);
        // A pinned value must not be moved.
        let is_pinned = |it: &Method<'db>| it.takes == SelfKind::Pinned;
        if object.shared.is_some() || !methods.iter().any(takes_arc) || methods.iter().any(is_pinned) {
            return object;
        }
        for method in methods.iter().filter(|it| it.takes == SelfKind::Exclusive) {
            self.try_call(method, Some(object), true);
        }
        let Some(arc) = self.arc_of(object.ty) else { return object };
        let within = self.call_helper("share", [object.ty], vec![object.owner.into()], arc);
        within.and_then(|owner| self.in_arc(object.ty, arc, owner, Access::Owned)).unwrap_or(object)
    }

    /// The functions of a type that are not called yet.
    pub(super) fn uncalled_methods(&mut self, ty: Ty<'db>) -> Vec<Method<'db>> {
        let arc = self.arc_of(ty);
        let mut found = Vec::new();
        for (func, outer) in self.methods_of(ty) {
            if self.calls(func) {
                continue;
            }
            let args = match self.arguments(func, outer.as_slice()) {
                Ok(args) => args,
                Err(why) => {
                    self.skip(func, why);
                    continue;
                }
            };
            let (inputs, output) = self.cx.signature(func, args);
            let takes = self.takes(func, inputs.first().copied(), ty, arc);
            found.push(Method { func, args, inputs, output, takes });
        }
        found
    }

    /// A function without a receiver.
    pub(super) fn free_function(&mut self, func: FunctionId) -> Result<Method<'db>, Reason> {
        let args = self.arguments(func, &[])?;
        let (inputs, output) = self.cx.signature(func, args);
        Ok(Method { func, args, inputs, output, takes: SelfKind::Nothing })
    }

    /// The type of the function's item.
    pub(super) fn item_of(&self, method: &Method<'db>) -> Result<Ty<'db>, Reason> {
        self.item(method.func, method.args)
    }

    fn takes(&self, func: FunctionId, first: Option<Ty<'db>>, ty: Ty<'db>, arc: Option<Ty<'db>>) -> SelfKind {
        let db = self.cx.db;
        let has_self = FunctionSignature::of(db, func).flags.contains(FnFlags::HAS_SELF_PARAM);
        let Some(first) = first.filter(|_| has_self) else { return SelfKind::Nothing };
        if self.is_poll(func) {
            return SelfKind::Awaited;
        }
        match first.kind() {
            TyKind::Ref(_, inner, mutability) if inner == ty => match mutability.is_not() {
                true => SelfKind::Shared,
                false => SelfKind::Exclusive,
            },
            TyKind::Ref(_, inner, _) if Some(inner) == arc => SelfKind::ArcBorrowed,
            _ if Some(first) == arc => SelfKind::Arc,
            _ if self.pinned(first) == Some(self.exclusive(ty)) => SelfKind::Pinned,
            _ => SelfKind::Value,
        }
    }

    /// `&mut` of a type.
    fn exclusive(&self, ty: Ty<'db>) -> Ty<'db> {
        Ty::new_ref(self.interner(), self.erased(), ty, Mutability::Mut)
    }

    /// The type that is pinned.
    fn pinned(&self, ty: Ty<'db>) -> Option<Ty<'db>> {
        let is_pin = harness_std::known(self.cx.db, ty) == Some(StdType::Pin);
        ty.as_adt().filter(|_| is_pin).and_then(|(_, args)| args.types().next())
    }

    /// Whether a function is `Future::poll`.
    fn is_poll(&self, func: FunctionId) -> bool {
        let header = self.impl_around(func).and_then(|id| self.cx.db.impl_trait(id));
        let of = header.map(|header| header.skip_binder().def_id.0);
        of.is_some() && of == self.interner().lang_items().Future
    }

    /// Calls a function if possible; otherwise records the reason if `is_reported`.
    pub(super) fn try_call(&mut self, method: &Method<'db>, object: Option<Object<'db>>, is_reported: bool) {
        let mark = self.begin_call();
        let called = match object {
            _ if method.takes == SelfKind::Awaited => self.await_future(method),
            Some(object) => self.call_on(method, object),
            None => self.call_fresh(method),
        };
        if let Err(why) = called {
            self.rollback(mark);
            if is_reported {
                self.skip(method.func, why);
            }
        }
    }

    /// Calls a function on new values.
    pub(super) fn call_fresh(&mut self, method: &Method<'db>) -> Result<(), Reason> {
        let values = self.arguments_for(method.func, &method.inputs, 0, 0)?;
        self.call(method.func, method.args, &method.inputs, method.output, values)
    }

    /// Awaits a future of the user's type.
    fn await_future(&mut self, poll: &Method<'db>) -> Result<(), Reason> {
        let pinned = poll.inputs.first().and_then(|first| self.pinned(*first));
        let ty = pinned.ok_or("its `poll` has an unusual receiver")?.strip_references();
        let future = self.make(ty, "a future", 0)?;
        self.await_value(poll, ty, future)
    }

    /// Awaits this future.
    pub(super) fn await_value(&mut self, poll: &Method<'db>, ty: Ty<'db>, future: LocalId) -> Result<(), Reason> {
        let tuple = Ty::new_tup(self.interner(), &[ty]);
        let same = self.callback(tuple, ty).ok_or("no helper for this future")?;
        self.call_value(poll.func, same, tuple, ty, vec![future])
    }

    /// A value of a type, or an `Arc` of one if the type's own functions return that.
    pub(super) fn object(&mut self, ty: Ty<'db>) -> Result<Object<'db>, Reason> {
        let why = match self.make(ty, "a value", 0) {
            Ok(owner) => return Ok(Object { ty, owner, shared: None, access: Access::Owned }),
            Err(why) => why,
        };
        let Some(arc) = self.arc_of(ty) else { return Err(why) };
        let Ok(owner) = self.make_arc(arc, ty) else { return Err(why) };
        self.in_arc(ty, arc, owner, Access::Owned)
    }

    /// The value in an `Arc`.
    pub(super) fn in_arc(
        &mut self,
        ty: Ty<'db>,
        arc: Ty<'db>,
        owner: LocalId,
        access: Access,
    ) -> Result<Object<'db>, Reason> {
        let borrowed = Ty::new_imm_ref(self.interner(), self.erased(), arc);
        let pointer = self.reference_to(borrowed, owner, access);
        let output = Ty::new_imm_ref(self.interner(), self.erased(), ty);
        let shared = self.call_helper("shared", [ty], vec![pointer.into()], output)?;
        Ok(Object { ty, owner, shared: Some(shared), access })
    }

    /// A reference of this type to what a local owns or refers to.
    fn reference_to(&mut self, ty: Ty<'db>, owner: LocalId, access: Access) -> LocalId {
        let place = match access {
            Access::Owned | Access::Last => Place::from(owner),
            Access::Shared | Access::Exclusive => Place::from(owner).deref(),
        };
        self.assign(ty, Rvalue::Ref(place))
    }

    /// The type `Arc<ty>`.
    pub(super) fn arc_of(&mut self, ty: Ty<'db>) -> Option<Ty<'db>> {
        let func = self.helper("shared").ok()?;
        let args = self.cx.erased_args(func, [ty.into()]);
        let (inputs, _) = self.cx.signature(func, args);
        Some(inputs.first()?.strip_references())
    }

    /// Calls a method on a value. If the value cannot be its receiver, makes a new one.
    pub(super) fn call_on(&mut self, method: &Method<'db>, object: Object<'db>) -> Result<(), Reason> {
        let values = self.values_for(method, object)?;
        self.call(method.func, method.args, &method.inputs, method.output, values)
    }

    /// The arguments of a method that is called on a value.
    fn values_for(&mut self, method: &Method<'db>, object: Object<'db>) -> Result<Vec<LocalId>, Reason> {
        let Method { func, inputs, takes, .. } = method;
        let mut values: Vec<LocalId> = match inputs.first() {
            Some(first) => self.receiver(*first, *takes, object)?.into_iter().collect(),
            None => Vec::new(),
        };
        values.extend(self.arguments_for(*func, inputs, values.len(), 0)?);
        Ok(values)
    }

    /// The receiver of a method, if the object provides it.
    fn receiver(&mut self, first: Ty<'db>, takes: SelfKind, object: Object<'db>) -> Result<Option<LocalId>, Reason> {
        let Object { ty, owner, shared, access } = object;
        Ok(Some(match (takes, shared) {
            (SelfKind::Exclusive, None) if access == Access::Shared => return Ok(None),
            (SelfKind::Shared | SelfKind::Exclusive, None) | (SelfKind::ArcBorrowed, Some(_)) => {
                self.reference_to(first, owner, access)
            }
            (SelfKind::Value, None) if access == Access::Last && first == ty => owner,
            (SelfKind::Shared, Some(shared)) => self.copy(first, shared),
            (SelfKind::Arc, Some(_)) => {
                let borrowed = Ty::new_imm_ref(self.interner(), self.erased(), first);
                let borrowed = self.reference_to(borrowed, owner, access);
                self.call_helper("again", [ty], vec![borrowed.into()], first)?
            }
            (SelfKind::Pinned, None) if access == Access::Owned => {
                let borrowed = self.borrow(self.exclusive(ty), owner);
                self.call_helper("pinned", [ty], vec![borrowed.into()], first)?
            }
            _ => return Ok(None),
        }))
    }

    /// A copy of a reference in a new local.
    fn copy(&mut self, ty: Ty<'db>, local: LocalId) -> LocalId {
        self.assign(ty, Rvalue::Use(local.into()))
    }

    fn call(
        &mut self,
        func: FunctionId,
        args: GenericArgs<'db>,
        inputs: &[Ty<'db>],
        output: Ty<'db>,
        values: Vec<LocalId>,
    ) -> Result<(), Reason> {
        if FunctionSignature::of(self.cx.db, func).flags.contains(FnFlags::UNSAFE) {
            return Err("it is unsafe".to_owned());
        }
        let tuple = Ty::new_tup(self.interner(), inputs);
        let item = self.item(func, args)?;
        self.call_value(func, item, tuple, output, values)
    }

    /// Calls `item` and records it as a call of `func`.
    fn call_value(
        &mut self,
        func: FunctionId,
        item: Ty<'db>,
        tuple: Ty<'db>,
        output: Ty<'db>,
        values: Vec<LocalId>,
    ) -> Result<(), Reason> {
        let unit = Ty::new_empty_tuple(self.interner());
        let mark = self.mark();
        let db = self.cx.db;
        let of_tuple = tuple.tuple_fields().into_iter().zip(&values);
        let borrowing: Vec<(Ty<'db>, LocalId)> =
            of_tuple.filter(|(ty, _)| harness_std::is_borrowing(db, *ty)).map(|(ty, value)| (ty, *value)).collect();
        let lent: Vec<(Ty<'db>, LocalId)> =
            borrowing.into_iter().map(|(ty, value)| (ty, self.assign(ty, Rvalue::Use(value.into())))).collect();
        let packed = self.aggregate(tuple, Aggregate::Plain, values);
        let future = self.interner().lang_items().Future;
        let is_async = future.is_some_and(|future| self.has_trait(output, future));
        let given = match is_async {
            true => self.output_of_helper("block_on", output).unwrap_or(output),
            false => output,
        };
        let uses = self.use_of(given, 0)?;
        let label = self.call_label.filter(|_| is_async);
        let helper = match (is_async, label) {
            (false, _) => "call",
            (true, None) => "call_async",
            (true, Some(_)) => "call_async_partly",
        };
        let mut values = vec![Self::function_value(item), Operand::from(packed), Self::function_value(uses)];
        values.extend(label.map(Operand::from));
        self.call_helper(helper, [item, tuple, output, uses], values, unit)?;
        self.record_call(mark, func);
        for (ty, value) in lent {
            let types: Vec<Ty<'db>> = ty.as_adt().map(|(_, args)| args.types().collect()).unwrap_or_default();
            self.call_helper("returned", types, vec![value.into()], unit)?;
        }
        Ok(())
    }

    /// The function that uses a result: it reads what a reference points to, takes items from an iterator, and drops
    /// everything else.
    fn use_of(&mut self, ty: Ty<'db>, depth: u32) -> Result<Ty<'db>, Reason> {
        let drops = self.helper_item("uses::finish", vec![ty.into()]);
        if let TyKind::Ref(_, target, mutability) = ty.kind() {
            return match mutability.is_not() && self.has_bound("uses::read", target) {
                true => self.helper_item("uses::read", vec![target.into()]),
                false => drops,
            };
        }
        let Some((_, args)) = ty.as_adt().filter(|_| depth < MAX_USES) else { return drops };
        let types: Vec<Ty<'db>> = args.types().collect();
        let (helper, inner) = match (harness_std::known(self.cx.db, ty), types.as_slice()) {
            (Some(StdType::Option), [inner]) => ("uses::with_option", *inner),
            (Some(StdType::Result), [inner, _]) => ("uses::with_result", *inner),
            _ => match self.item_of_iterator(ty) {
                Some(item) => ("uses::with_items", item),
                None if self.reads_through(ty) => return self.helper_item("uses::read_through", vec![ty.into()]),
                None => return drops,
            },
        };
        let uses = self.use_of(inner, depth + 1)?;
        let outer = if helper == "uses::with_items" { vec![ty] } else { types };
        self.helper_item(helper, outer.into_iter().chain([uses]).map(Into::into).collect())
    }

    fn item_of_iterator(&mut self, ty: Ty<'db>) -> Option<Ty<'db>> {
        let is_iterator = self.has_bound("uses::next", ty);
        let option = is_iterator.then(|| self.output_of_helper("uses::next", ty)).flatten()?;
        option.as_adt()?.1.types().next()
    }

    /// Whether a type is a smart pointer to something that can be read.
    fn reads_through(&mut self, ty: Ty<'db>) -> bool {
        self.has_bound("uses::through", ty)
            && self
                .output_of_helper("uses::through", ty)
                .is_some_and(|target| self.has_bound("uses::read", target.strip_references()))
    }

    /// Whether a type has the first bound of a helper.
    fn has_bound(&self, helper: &str, ty: Ty<'db>) -> bool {
        self.bound_of(helper).is_some_and(|bound| self.has_trait(ty, bound))
    }

    fn helper_item(&self, name: &str, args: Vec<GenericArg<'db>>) -> Result<Ty<'db>, Reason> {
        let func = self.helper(name)?;
        self.item(func, self.cx.erased_args(func, args))
    }

    /// The normalized output of a helper with one type parameter.
    fn output_of_helper(&mut self, name: &str, ty: Ty<'db>) -> Option<Ty<'db>> {
        let func = self.helper(name).ok()?;
        let args = self.cx.erased_args(func, [ty.into()]);
        Some(self.cx.signature(func, args).1)
    }
}
