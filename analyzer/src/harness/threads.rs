//! Harnesses that use values from two threads at once, as the types' `Send` and `Sync` allow it (ConTeGe, PLDI'12). The
//! threads are those of `std::__harness::threads`; each of their calls is a function whose body is made here.

use super::{
    builder::{Favoured, HarnessBuilder, Reason},
    function::{Access, Method, Object, SelfKind},
    peers::{OwnMaker, Peers},
    surface,
};
use crate::{
    ir::{BodyIr, Const, Operand, Place},
    std_models::harness::{CallKind, SCENARIO},
};
use hir_def::{AdtId, CallableDefId, FunctionId, GenericDefId, ModuleId, TraitId, hir::generics::GenericParams};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Maximum number of methods between which a call is chosen.
const MAX_METHODS: usize = 60;
/// Maximum number of scenarios between which a run chooses.
const MAX_SCENARIOS: usize = 7;

/// How threads use a value. The names are those of the helpers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Both have a reference to it: it is `Sync`.
    Share,
    /// Each has one of two values, and methods take the other one too.
    Cross,
    /// It has a clone, and both are `Send`.
    Handles,
    /// It moves from one to the other: it is `Send`.
    Send,
}

impl Way {
    fn helper(self) -> &'static str {
        match self {
            Way::Share => "threads::share",
            Way::Cross => "threads::cross",
            Way::Handles => "threads::handles",
            Way::Send => "threads::send",
        }
    }
}

/// How threads use a value of a type.
struct Scenario<'db> {
    ty: Ty<'db>,
    way: Way,
    /// The type preferred for type parameters.
    favoured: Option<Favoured<'db>>,
    /// The index of the constructor that makes the value; 0 for whichever can.
    constructor: usize,
}

impl<'db> HarnessBuilder<'_, 'db> {
    /// Makes a value that two threads then share, or have handles of. False if that is impossible.
    pub(super) fn build_for_threads(&mut self, adt: AdtId) -> bool {
        let stubbed = self.stubbed(adt);
        self.instance_of(adt).is_ok_and(|ty| self.build_for_threads_of(ty, stubbed))
            || self.used_instances(adt).into_iter().any(|ty| self.build_for_threads_of(ty, stubbed))
    }

    /// Whether threads may share a value.
    pub(super) fn can_share(&self, ty: Ty<'db>) -> bool {
        self.is_allowed(ty, Way::Share)
    }

    /// The instance of a type with the library's stub for its parameters, if there is one.
    pub(super) fn stubbed(&mut self, adt: AdtId) -> Option<(Ty<'db>, Favoured<'db>)> {
        let stub = self.cx.source.stub(hir_def::HasModule::module(&adt, self.cx.db).krate(self.cx.db))?;
        let ty = Ty::new_adt(self.interner(), stub, GenericArgs::empty(self.interner()));
        let favoured = Favoured { ty, only: None };
        self.favoured = Some(favoured);
        let instance = self.instance_of(adt);
        self.favoured = None;
        Some((instance.ok()?, favoured))
    }

    /// The same for an instance of the type, and perhaps for another one. False if that is impossible.
    fn build_for_threads_of(&mut self, ty: Ty<'db>, stubbed: Option<(Ty<'db>, Favoured<'db>)>) -> bool {
        let constructors = self.various_constructors(ty);
        let of_way = |way| {
            let count = if way == Way::Cross { 1 } else { constructors.len() };
            constructors.iter().take(count).map(move |it| Scenario { ty, way, favoured: None, constructor: *it })
        };
        let mut scenarios: Vec<Scenario<'db>> = self.ways(ty).into_iter().flat_map(of_way).collect();
        if let Some((stubbed, favoured)) = stubbed.filter(|it| it.0 != ty) {
            let ways = self.ways(stubbed).into_iter();
            scenarios.extend(ways.map(|way| Scenario { ty: stubbed, way, favoured: Some(favoured), constructor: 0 }));
        }
        self.build_scenarios(scenarios)
    }

    /// The same with values that must not be shared or moved, where the type promises that it can be.
    pub(super) fn build_for_promises(&mut self, adt: AdtId) {
        let Ok(usual) = self.instance_of(adt) else { return };
        let of = GenericDefId::from(adt);
        let params = GenericParams::of(self.cx.db, of).iter_type_or_consts().count();
        let all = std::iter::once(None);
        let each = (0..params).map(|index| Some((of, index))).filter(|_| params > 1);
        let mut scenarios: Vec<Scenario<'db>> = Vec::new();
        for only in all.chain(each) {
            for (helper, ways) in [
                ("threads::local", [Way::Share, Way::Send].as_slice()),
                ("threads::unshared", &[Way::Share]),
                ("threads::stuck", &[Way::Share, Way::Send]),
            ] {
                let Some(ty) = self.output_of(helper) else { continue };
                let favoured = Some(Favoured { ty, only });
                self.favoured = favoured;
                let instance = self.instance_of(adt);
                self.favoured = None;
                let Ok(instance) = instance else { continue };
                if instance == usual || scenarios.iter().any(|it| it.ty == instance) {
                    continue;
                }
                let allowed = |way: &&Way| self.is_allowed(instance, **way);
                let of_way = |way: &Way| Scenario { ty: instance, way: *way, favoured, constructor: 0 };
                scenarios.extend(ways.iter().find(allowed).map(of_way));
            }
        }
        self.build_scenarios(scenarios);
    }

    /// Gives the halves of a pair to two threads.
    pub(super) fn build_for_halves(&mut self, func: FunctionId) {
        let mark = self.mark();
        if self.call_halves(func).is_err() {
            self.rollback(mark);
        }
        self.forget_skipped();
    }

    /// Calls functions of a module from two threads.
    pub(super) fn build_for_functions(&mut self, module: ModuleId) {
        let mark = self.mark();
        let functions = self.functions_of_module(module);
        let unit = Ty::new_empty_tuple(self.interner());
        let item = functions.first().and_then(|first| self.item_of(first).ok());
        let called = item.map(|item| self.call_helper("threads::apart", [item], Vec::new(), unit));
        if called.is_none_or(|called| called.is_err()) {
            self.rollback(mark);
        }
        self.forget_skipped();
    }

    fn functions_of_module(&mut self, module: ModuleId) -> Vec<Method<'db>> {
        let functions = surface::functions_of_module(self.cx.db, module).into_iter();
        functions.filter_map(|func| self.free_function(func).ok()).collect()
    }

    fn call_halves(&mut self, func: FunctionId) -> Result<(), Reason> {
        let outer = match self.impl_around(func) {
            Some(id) => self.arguments_of_impl(id)?,
            None => GenericArgs::empty(self.interner()),
        };
        let (tuple, pair) = self.made_by(func, outer)?;
        let TyKind::Tuple(parts) = tuple.kind() else { return Err("it returns no pair".to_owned()) };
        let parts: Vec<Ty<'db>> = parts.iter().take(2).collect();
        if !parts.iter().all(|part| self.is_allowed(*part, Way::Send)) {
            return Err("its halves are not `Send`".to_owned());
        }
        let [one, other] = parts.as_slice() else { return Err("it returns no pair".to_owned()) };
        let halves = [0, 1].map(|index| Operand::Use(Place::from(pair).field(index)));
        let unit = Ty::new_empty_tuple(self.interner());
        self.call_helper("threads::halves", [*one, *other], halves.into(), unit)?;
        Ok(())
    }

    /// The ways in which threads may use a value.
    fn ways(&mut self, ty: Ty<'db>) -> Vec<Way> {
        let mut ways = vec![Way::Share];
        if self.takes_others(ty) {
            ways.push(Way::Cross);
        }
        ways.push(Way::Handles);
        ways.retain(|way| self.is_allowed(ty, *way));
        ways
    }

    fn is_allowed(&self, ty: Ty<'db>, way: Way) -> bool {
        let has = |id: Option<TraitId>| id.is_some_and(|id| self.has_trait(ty, id));
        let send = self.bound_of("threads::is_send");
        let lang = self.interner().lang_items();
        match way {
            Way::Share | Way::Cross => has(lang.Sync),
            Way::Handles => has(lang.Clone) && !has(lang.Copy) && has(send),
            Way::Send => has(send),
        }
    }

    /// One of the scenarios, as the run's seed chooses. False if none can run.
    fn build_scenarios(&mut self, mut scenarios: Vec<Scenario<'db>>) -> bool {
        let mark = self.mark();
        scenarios.retain(|scenario| {
            let can_run = self.run_scenario(scenario).is_ok();
            self.rollback(mark);
            can_run
        });
        scenarios.truncate(MAX_SCENARIOS);
        let label = self.label(SCENARIO);
        let made = self.choose("threads::chosen", label, &scenarios, |this, scenario| this.run_scenario(scenario));
        if made.is_err() {
            self.rollback(mark);
        }
        self.forget_skipped();
        made.is_ok()
    }

    fn run_scenario(&mut self, scenario: &Scenario<'db>) -> Result<(), Reason> {
        let Scenario { ty, way, .. } = scenario;
        self.begin_call();
        let object = self.prepared(scenario)?;
        let mut values = vec![object.owner.into()];
        if *way == Way::Cross {
            // They may be ordered by a number or a name.
            self.is_other = true;
            let other = self.prepared(scenario);
            self.is_other = false;
            values.push(other?.owner.into());
        }
        let owned = match object.shared {
            Some(_) => self.arc_of(*ty).ok_or("the crate does not use std")?,
            None => *ty,
        };
        if !self.is_allowed(owned, *way) {
            return Err("it must stay on its thread".to_owned());
        }
        let unit = Ty::new_empty_tuple(self.interner());
        self.call_helper(way.helper(), [owned], values, unit)?;
        Ok(())
    }

    /// A value of a scenario, after the calls that need exclusive access.
    fn prepared(&mut self, scenario: &Scenario<'db>) -> Result<Object<'db>, Reason> {
        let Scenario { ty, way, favoured, constructor } = scenario;
        (self.favoured, self.constructor) = (*favoured, *constructor);
        let object = self.object(*ty);
        (self.favoured, self.constructor) = (None, 0);
        let mut object = object?;
        let methods = self.uncalled_methods(*ty);
        if matches!(way, Way::Share | Way::Cross) {
            // Another thread may use an `Arc` only if the value may also end there.
            if self.arc_of(*ty).is_some_and(|arc| self.is_allowed(arc, Way::Share)) {
                object = self.call_exclusively(object, &methods);
            }
            if object.shared.is_none() {
                for method in methods.iter().filter(|it| it.takes == SelfKind::Exclusive) {
                    self.try_call(method, Some(object), false);
                }
            }
        }
        Ok(object)
    }

    /// The body of a function that makes one call: see [`super::one_call`].
    pub(super) fn build_call(mut self, ty: Ty<'db>, kind: CallKind) -> BodyIr {
        let label = self.call_label;
        let params = self.params().filter(|it| Some(*it) != label);
        let within = self.type_in_arc(ty);
        let access = match kind {
            CallKind::Shared | CallKind::Again | CallKind::WithOther => Access::Shared,
            CallKind::Owned => Access::Exclusive,
            CallKind::Last | CallKind::Free => Access::Last,
        };
        let mut objects = Vec::new();
        for owner in params {
            let object = match within {
                Some(inner) => self.in_arc(inner, ty, owner, access),
                None => Ok(Object { ty, owner, shared: None, access }),
            };
            let Ok(object) = object else { return self.into_body(None) };
            objects.push(object);
        }
        let object = objects.first().copied();
        if let [one, other] = objects.as_slice() {
            self.peers = Some(Peers::new(*one, *other, within.map(|_| ty)));
        }
        if matches!(kind, CallKind::Shared | CallKind::Again | CallKind::WithOther) {
            self.maker = object.map(|object| OwnMaker::new(object, within.map(|_| ty)));
        }
        let mut methods = match ty.kind() {
            TyKind::FnDef(def, _) => match def.0 {
                CallableDefId::FunctionId(func) => {
                    self.functions_of_module(hir_def::HasModule::module(&func, self.cx.db))
                }
                _ => Vec::new(),
            },
            _ if kind == CallKind::WithOther => self.methods_with_others(within.unwrap_or(ty)),
            _ => self.uncalled_methods(within.unwrap_or(ty)),
        };
        methods.retain(|it| is_possible(it, ty, kind, within.is_some()));
        methods.truncate(MAX_METHODS);
        methods.retain(|method| {
            let mark = self.begin_call();
            let can_call = self.one_of_several(method, object).is_ok() && self.has_used_peers();
            self.rollback(mark);
            can_call
        });
        // The last call may also be the drop of the object.
        let drops = (kind == CallKind::Last).then_some(None);
        let calls: Vec<Option<&Method<'db>>> = drops.into_iter().chain(methods.iter().map(Some)).collect();
        if let Some(label) = label {
            // What a callback calls is a part of the call that it belongs to.
            let is_part = kind == CallKind::Again;
            let helper = if is_part { "threads::chosen" } else { "threads::chosen_call" };
            let made = self.choose(helper, label.into(), &calls, |this, call| match call {
                Some(method) => this.one_of_several(method, object),
                None => {
                    if let Some(object) = object {
                        this.drop(object.owner);
                    }
                    Ok(())
                }
            });
            debug_assert!(made.is_ok() || calls.is_empty(), "each call was tried");
            let unit = Ty::new_empty_tuple(self.interner());
            if made.is_ok() && !is_part {
                let ended = self.call_helper("threads::end_call", [], Vec::new(), unit);
                debug_assert!(ended.is_ok(), "the helper is there");
            }
        }
        self.into_body(None)
    }

    fn one_of_several(&mut self, method: &Method<'db>, object: Option<Object<'db>>) -> Result<(), Reason> {
        self.begin_call();
        self.begin_with_peers(method);
        match (object, method.takes) {
            (Some(_), SelfKind::Nothing) => self.call_fresh(method),
            (Some(object), SelfKind::Awaited) => self.await_value(method, object.ty, object.owner),
            (Some(object), _) => self.call_on(method, object),
            (None, _) => self.call_fresh(method),
        }?;
        self.drop_borrowed();
        Ok(())
    }

    /// Does one of several things, as the choice with this label says, which a helper makes.
    fn choose<T>(
        &mut self,
        helper: &str,
        label: Operand,
        things: &[T],
        mut each: impl FnMut(&mut Self, &T) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        if things.is_empty() {
            return Err("there is nothing to do".to_owned());
        }
        let number = self.interner().default_types().types.u64;
        let count = Operand::Const(Const::Int(things.len() as u128, number.store()));
        let chosen = self.call_helper(helper, [], vec![label, count], number)?;
        let cases = self.begin_cases();
        for thing in things {
            each(self, thing)?;
            self.end_case();
        }
        self.end_cases(cases, chosen);
        Ok(())
    }

    /// The type in an `Arc` of a user's type.
    fn type_in_arc(&mut self, ty: Ty<'db>) -> Option<Ty<'db>> {
        let inner = ty.as_adt()?.1.types().next().filter(|inner| self.is_users(*inner))?;
        (self.arc_of(inner) == Some(ty)).then_some(inner)
    }
}

/// Whether a method can be such a call.
fn is_possible<'db>(method: &Method<'db>, ty: Ty<'db>, kind: CallKind, is_in_arc: bool) -> bool {
    match kind {
        CallKind::Shared | CallKind::Again | CallKind::Owned | CallKind::WithOther => match method.takes {
            SelfKind::Nothing => kind == CallKind::WithOther,
            SelfKind::Shared => true,
            SelfKind::Arc | SelfKind::ArcBorrowed => is_in_arc,
            SelfKind::Exclusive => kind == CallKind::Owned && !is_in_arc,
            _ => false,
        },
        CallKind::Last => match method.takes {
            SelfKind::Value => method.receiver_type() == Some(ty),
            SelfKind::Awaited => !is_in_arc,
            _ => false,
        },
        CallKind::Free => method.takes == SelfKind::Nothing,
    }
}
