//! What code generation of one instance knows: its generic arguments, layouts, and the tables of the program.
//!
//! Codegen calls three other modules: `intrinsics::emit` (a compiler intrinsic as instructions), `workarounds::derives::body`
//! (a built-in derive's method as generic IR) and `std_models::model` (path to native model).

use super::{InstanceKey, program::Program};
use crate::types::{Gap, Meta, Target, TyLayout};
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

/// Context of one instance's code generation.
pub struct Cx<'a, 'db> {
    /// The tables that all instances share.
    pub program: &'a mut Program<'db>,
    /// The instance's generic arguments.
    pub args: GenericArgs<'db>,
    /// Arithmetic panics on overflow (crates compiled with debug assertions; std's are not).
    pub checks: bool,
}

impl<'db> Cx<'_, 'db> {
    /// The database.
    pub fn db(&self) -> &'db dyn HirDatabase {
        self.program.types.db
    }

    /// The interner of types, with the entry's crate.
    pub fn interner(&self) -> DbInterner<'db> {
        self.program.types.interner
    }

    /// Inference context of the type machinery.
    pub fn infcx(&self) -> InferCtxt<'db> {
        self.program.types.infcx()
    }

    /// Environment of trait lookups: empty, everything is concrete.
    pub fn env(&self) -> ParamEnvAndCrate<'db> {
        self.program.types.env()
    }

    /// A type of the body under the instance's arguments, normalised.
    pub fn subst(&mut self, ty: &StoredTy) -> Ty<'db> {
        self.program.types.subst_ty(ty.as_ref(), self.args)
    }

    /// Normalises a concrete type.
    pub fn normalize(&mut self, ty: Ty<'db>) -> Ty<'db> {
        self.program.types.normalize(ty)
    }

    /// Size, alignment, fields, variants of a concrete type.
    pub fn layout(&mut self, ty: Ty<'db>) -> Result<Rc<TyLayout>, Gap> {
        self.program.types.layout(ty)
    }

    /// Size and alignment of a concrete sized type.
    pub fn size_align(&mut self, ty: Ty<'db>) -> Result<(u32, u32), Gap> {
        let layout = self.layout(ty)?;
        Ok((layout.size32()?, layout.align32()))
    }

    /// The scalar kind of integers, floats, `bool`, `char` and thin pointers.
    pub fn scalar_of(&mut self, ty: Ty<'db>) -> Option<Scalar> {
        self.program.types.scalar_of(ty)
    }

    /// What a pointer to `ty` carries.
    pub fn meta(&mut self, ty: Ty<'db>) -> Meta {
        self.program.types.meta(ty)
    }

    /// The number of an instance; its code is made when it is first run.
    pub fn instance(&mut self, key: InstanceKey) -> FnId {
        self.program.instance(key)
    }

    /// The function that a call of `func` under concrete arguments reaches.
    pub fn resolve(&mut self, func: FunctionId, args: GenericArgs<'db>) -> Target<'db> {
        self.program.types.resolve(func, args)
    }

    /// Whether dropping a value of this type does anything.
    pub fn needs_drop(&mut self, ty: Ty<'db>) -> bool {
        self.program.types.needs_drop(ty)
    }

    /// A cause's number.
    pub fn cause(&mut self, text: &str) -> CauseId {
        self.program.cause_id(text)
    }

    /// A literal's number.
    pub fn data(&mut self, bytes: &[u8]) -> DataId {
        self.program.data_id(bytes)
    }

    /// The type as a person would write it.
    pub fn type_name(&self, ty: Ty<'db>) -> String {
        self.program.types.type_name(ty)
    }

    /// The type arguments of a call, by position among types.
    pub fn ty_arg(&self, args: GenericArgs<'db>, index: usize) -> Option<Ty<'db>> {
        args.iter().filter_map(|arg| arg.ty()).nth(index)
    }
}
