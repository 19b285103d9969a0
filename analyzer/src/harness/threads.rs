//! Harnesses that call the methods of one value from two threads at once, as the type's `Sync` allows (ConTeGe, PLDI'12).

use super::{
    builder::{HarnessBuilder, Reason},
    function::{Method, Object, SelfKind},
};
use crate::ir::{Const, LocalId, Operand, Rvalue};
use hir_def::AdtId;
use hir_ty::next_solver::Ty;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

/// Number of calls that each thread makes.
const CALLS: usize = 2;
/// Maximum number of methods between which a call is chosen.
const MAX_METHODS: usize = 60;

impl<'db> HarnessBuilder<'_, 'db> {
    /// Makes a value, calls what needs it exclusively, then lets two threads call methods that take a shared reference,
    /// each chosen by an input, and drops the value. Nothing is called if the type is not `Sync`.
    pub(super) fn build_for_threads(&mut self, adt: AdtId) {
        let mark = self.mark();
        // What cannot be called is told by the harness that calls in sequence.
        if self.call_from_threads(adt).is_err() {
            self.rollback(mark);
        }
        self.forget_skipped();
    }

    fn call_from_threads(&mut self, adt: AdtId) -> Result<(), Reason> {
        let ty = self.instance_of(adt)?;
        let sync = self.interner().lang_items().Sync.ok_or("the crate does not use std")?;
        if !self.has_trait(ty, sync) {
            return Err("it is not `Sync`".to_owned());
        }
        let object = self.object(ty)?;
        let methods = self.uncalled_methods(ty);
        let object = self.call_exclusively(object, &methods);
        if object.shared.is_none() {
            for method in methods.iter().filter(|it| it.takes == SelfKind::Exclusive) {
                self.try_call(method, Some(object), false);
            }
        }
        let is_shared = |it: &&Method<'db>| match it.takes {
            SelfKind::Shared => true,
            SelfKind::Arc | SelfKind::ArcBorrowed => object.shared.is_some(),
            _ => false,
        };
        let mut shared: Vec<&Method<'db>> = methods.iter().filter(is_shared).take(MAX_METHODS).collect();
        shared.retain(|method| self.can_call(method, object));
        if shared.is_empty() {
            return Err("it has no such methods".to_owned());
        }
        let mut tasks = Vec::new();
        for thread in ["one thread", "the other thread"] {
            for call in 1..=CALLS {
                tasks.push(self.chosen_task(&shared, object, &format!("call {call} of {thread}"))?);
            }
        }
        let unit = Ty::new_empty_tuple(self.interner());
        let tasks = tasks.into_iter().map(Operand::from).collect();
        self.call_helper("together", [], tasks, unit)?;
        self.drop(object.owner);
        Ok(())
    }

    /// Whether the arguments of a call can be made.
    fn can_call(&mut self, method: &Method<'db>, object: Object<'db>) -> bool {
        let mark = self.begin_call();
        let can_call = self.task(method, object).is_ok();
        self.rollback(mark);
        can_call
    }

    /// One of the calls, as the input with this label chooses.
    fn chosen_task(&mut self, methods: &[&Method<'db>], object: Object<'db>, label: &str) -> Result<LocalId, Reason> {
        let number = self.interner().default_types().types.u64;
        let count = Operand::Const(Const::Int(methods.len() as u128, number.store()));
        let chosen = self.call_helper("chosen", [], vec![self.label(label), count], number)?;
        let task = self.task_type()?;
        let task = self.local(task);
        let cases = self.begin_cases();
        for method in methods {
            self.begin_call();
            let made = self.task(method, object)?;
            self.set(task, Rvalue::Use(made.into()));
            self.end_case();
        }
        self.end_cases(cases, chosen);
        Ok(task)
    }

    fn task_type(&mut self) -> Result<Ty<'db>, Reason> {
        let func = self.helper("together")?;
        let args = self.cx.erased_args(func, []);
        let (inputs, _) = self.cx.signature(func, args);
        inputs.first().copied().ok_or_else(|| "no helper for calls".to_owned())
    }

    /// A call of a method, to be made later.
    fn task(&mut self, method: &Method<'db>, object: Object<'db>) -> Result<LocalId, Reason> {
        let values = self.values_for(method, object)?;
        let task = self.task_type()?;
        self.delayed(method, values, task)
    }
}
