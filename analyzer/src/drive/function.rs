//! Which calls a driver makes.

use super::{
    Subject,
    draft::{Draft, Why},
};
use crate::{
    instance::types,
    ir::{Aggregate, LocalId, Operand, Rvalue},
};
use hir_def::{
    AdtId, FunctionId,
    signatures::{FnFlags, FunctionSignature},
};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{IntoKind, Ty as _};

/// How often the methods that borrow a value are called on it.
const ROUNDS: u32 = 2;

/// What methods are called on.
#[derive(Clone, Copy)]
struct Object {
    /// The value, or the `Arc` that it is in.
    owner: LocalId,
    /// A reference to the value in an `Arc`.
    shared: Option<LocalId>,
}

impl<'db> Draft<'_, 'db> {
    /// One call of a function.
    pub(super) fn drive_function(&mut self, func: FunctionId) {
        let mark = self.mark();
        if let Err(why) = self.call_with_made(func) {
            self.back_to(mark);
            self.skip(func, why);
        }
    }

    /// Nothing is called, for a reason that is ours.
    pub(super) fn give_up(&mut self, subject: Subject) {
        let why = "rust-analyzer panicked".to_owned();
        match subject {
            Subject::Function(func) => self.skip(func, why),
            Subject::Type(adt) => {
                let ty = self.program.db.ty(adt.into()).instantiate_identity().skip_norm_wip();
                self.skip_type(ty, why);
            }
        }
    }

    fn call_with_made(&mut self, func: FunctionId) -> Result<(), Why> {
        let outer = match self.impl_around(func) {
            Some(id) => self.arguments_of_impl(id)?,
            None => GenericArgs::empty(self.interner()),
        };
        let args = self.arguments(func, outer.as_slice())?;
        let (inputs, output) = self.signature(func, args);
        let values = self.arguments_for(func, &inputs, 0, 0)?;
        self.call(func, args, &inputs, output, values)
    }

    /// The public methods of a type: those that borrow a value one after the other on the same one, which is dropped then, and
    /// each that takes it on one of its own.
    pub(super) fn drive_type(&mut self, adt: AdtId) {
        let made = self.instance_of(adt).and_then(|ty| Ok((ty, self.object(ty)?)));
        let (ty, object) = match made {
            Ok(made) => made,
            Err(why) => {
                let ty = self.program.db.ty(adt.into()).instantiate_identity().skip_norm_wip();
                self.skip_type(ty, why);
                return;
            }
        };
        let mut consuming = Vec::new();
        let mut borrowing = Vec::new();
        for (id, outer) in self.impls_of(ty) {
            for func in self.functions_of(id) {
                let flags = FunctionSignature::of(self.program.db, func).flags;
                if !self.sees(func) || flags.contains(FnFlags::UNSAFE) || self.calls(func) {
                    continue;
                }
                let args = match self.arguments(func, outer.as_slice()) {
                    Ok(args) => args,
                    Err(why) => {
                        self.skip(func, why);
                        continue;
                    }
                };
                let (inputs, output) = self.signature(func, args);
                let calls = if inputs.first() == Some(&ty) { &mut consuming } else { &mut borrowing };
                calls.push((func, args, inputs, output));
            }
        }
        // What one starts may concern another that stands before it.
        for round in 0..ROUNDS {
            for (func, args, inputs, output) in &borrowing {
                let mark = self.mark();
                if let Err(why) = self.call_on(*func, *args, inputs, *output, (ty, object)) {
                    self.back_to(mark);
                    if round == 0 {
                        self.skip(*func, why);
                    }
                }
            }
        }
        self.drop(object.owner);
        for (func, args, inputs, output) in consuming {
            let mark = self.mark();
            let values = self.arguments_for(func, &inputs, 0, 0);
            if let Err(why) = values.and_then(|values| self.call(func, args, &inputs, output, values)) {
                self.back_to(mark);
                self.skip(func, why);
            }
        }
    }

    /// A value of a type; in an `Arc`, if that is how its own functions make it.
    fn object(&mut self, ty: Ty<'db>) -> Result<Object, Why> {
        let why = match self.make(ty, "a value", 0) {
            Ok(owner) => return Ok(Object { owner, shared: None }),
            Err(why) => why,
        };
        let Some(arc) = self.arc_of(ty) else { return Err(why) };
        let Ok(owner) = self.make_by_its_own(arc, ty) else { return Err(why) };
        let borrowed = Ty::new_imm_ref(self.interner(), self.erased(), arc);
        let pointer = self.borrow(borrowed, owner);
        let output = Ty::new_imm_ref(self.interner(), self.erased(), ty);
        let shared = self.ask("shared", [ty], vec![pointer.into()], output)?;
        Ok(Object { owner, shared: Some(shared) })
    }

    /// `Arc` of a type.
    fn arc_of(&mut self, ty: Ty<'db>) -> Option<Ty<'db>> {
        let func = self.helper("shared").ok()?;
        let args = types::erased_args(self.program, func, [ty.into()]);
        let (inputs, _) = self.signature(func, args);
        Some(inputs.first()?.strip_references())
    }

    /// A call on a value if the function borrows one.
    fn call_on(
        &mut self,
        func: FunctionId,
        args: GenericArgs<'db>,
        inputs: &[Ty<'db>],
        output: Ty<'db>,
        (ty, object): (Ty<'db>, Object),
    ) -> Result<(), Why> {
        let borrows = inputs.first().is_some_and(|it| match it.kind() {
            TyKind::Ref(_, inner, mutability) => inner == ty && (mutability.is_not() || object.shared.is_none()),
            _ => false,
        });
        let has_self = FunctionSignature::of(self.program.db, func).flags.contains(FnFlags::HAS_SELF_PARAM);
        let values = if borrows && has_self {
            let this = match object.shared {
                Some(shared) => self.copy(inputs[0], shared),
                None => self.borrow(inputs[0], object.owner),
            };
            let rest = self.arguments_for(func, inputs, 1, 0)?;
            [this].into_iter().chain(rest).collect()
        } else {
            self.arguments_for(func, inputs, 0, 0)?
        };
        self.call(func, args, inputs, output, values)
    }

    /// Another local with the same reference.
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
    ) -> Result<(), Why> {
        if FunctionSignature::of(self.program.db, func).flags.contains(FnFlags::UNSAFE) {
            return Err("it is unsafe".to_owned());
        }
        let interner = self.interner();
        let tuple = Ty::new_tup(interner, inputs);
        let packed = self.aggregate(tuple, Aggregate::Plain, values);
        let item = self.item(func, args)?;
        let future = interner.lang_items().Future;
        let is_async = future.is_some_and(|future| self.has_trait(output, future));
        let helper = if is_async { "call_async" } else { "call" };
        let unit = Ty::new_empty_tuple(interner);
        let mark = self.mark();
        self.ask(helper, [item, tuple, output], vec![Self::function_value(item), Operand::from(packed)], unit)?;
        self.note_call(mark, func);
        Ok(())
    }
}
