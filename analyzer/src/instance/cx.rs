//! Context of code generation for one instance: its generic arguments, layouts, and the program's tables.
//!
//! Code generation calls three other modules: `intrinsics::emit` emits an intrinsic as instructions,
//! `workarounds::derives::body` builds a method of a built-in derive in generic IR, and `std_models::model` looks up
//! models.

use super::{InstanceKey, program::Program};
use crate::types::{Meta, Target, TyLayout, Unsupported};
use hir_def::FunctionId;
use hir_ty::{
    ParamEnvAndCrate,
    db::HirDatabase,
    next_solver::{DbInterner, GenericArgs, StoredTy, Ty, infer::InferCtxt},
};
use interp::ir::{CauseId, DataId, FnId, Scalar};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use std::rc::Rc;

/// Context of code generation for one instance.
pub struct Cx<'a, 'db> {
    /// Tables shared by all instances.
    pub program: &'a mut Program<'db>,
    /// The instance's generic arguments.
    pub args: GenericArgs<'db>,
    /// Whether arithmetic panics on overflow: in crates compiled with debug assertions, but not in std.
    pub checks: bool,
}

impl<'db> Cx<'_, 'db> {
    /// The database.
    pub fn db(&self) -> &'db dyn HirDatabase {
        self.program.types.db
    }

    /// The interner, with the entry's crate.
    pub fn interner(&self) -> DbInterner<'db> {
        self.program.types.interner
    }

    /// A new inference context.
    pub fn infcx(&self) -> InferCtxt<'db> {
        self.program.types.infcx()
    }

    /// The environment for trait queries. It is empty because all types are concrete.
    pub fn env(&self) -> ParamEnvAndCrate<'db> {
        self.program.types.env()
    }

    /// A type of the body with the instance's arguments substituted, normalised.
    pub fn subst(&mut self, ty: &StoredTy) -> Ty<'db> {
        self.program.types.subst_ty(ty.as_ref(), self.args)
    }

    /// Normalises a concrete type.
    pub fn normalize(&mut self, ty: Ty<'db>) -> Ty<'db> {
        self.program.types.normalize(ty)
    }

    /// Layout of a concrete type.
    pub fn layout(&mut self, ty: Ty<'db>) -> Result<Rc<TyLayout>, Unsupported> {
        self.program.types.layout(ty)
    }

    /// Size and alignment of a concrete sized type.
    pub fn size_align(&mut self, ty: Ty<'db>) -> Result<(u32, u32), Unsupported> {
        let layout = self.layout(ty)?;
        Ok((layout.size32()?, layout.align32()))
    }

    /// Scalar kind of integers, floats, `bool`, `char` and thin pointers.
    pub fn scalar_of(&mut self, ty: Ty<'db>) -> Option<Scalar> {
        self.program.types.scalar_of(ty)
    }

    /// Kind of pointer metadata of `ty`.
    pub fn meta(&mut self, ty: Ty<'db>) -> Meta {
        self.program.types.meta(ty)
    }

    /// The number of an instance. Its code is generated when it first runs.
    pub fn instance(&mut self, key: InstanceKey) -> FnId {
        self.program.instance(key)
    }

    /// The target of a call of `func` under concrete arguments.
    pub fn resolve(&mut self, func: FunctionId, args: GenericArgs<'db>) -> Target<'db> {
        self.program.types.resolve(func, args)
    }

    /// Whether dropping a value of this type has an effect.
    pub fn needs_drop(&mut self, ty: Ty<'db>) -> bool {
        self.program.types.needs_drop(ty)
    }

    /// The number of a cause.
    pub fn cause(&mut self, text: &str) -> CauseId {
        self.program.cause_id(text)
    }

    /// The number of a literal.
    pub fn data(&mut self, bytes: &[u8]) -> DataId {
        self.program.data_id(bytes)
    }

    /// The type as in source code.
    pub fn type_name(&self, ty: Ty<'db>) -> String {
        self.program.types.type_name(ty)
    }

    /// A type argument of a call, by position among the type arguments.
    pub fn ty_arg(&self, args: GenericArgs<'db>, index: usize) -> Option<Ty<'db>> {
        args.iter().filter_map(|arg| arg.ty()).nth(index)
    }
}
