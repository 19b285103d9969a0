//! What code generation of one instance knows: its generic arguments, layouts, and the tables of the program.
//!
//! Codegen calls three other modules: `intrinsics::emit` (a compiler intrinsic as instructions), `workarounds::derives::body`
//! (a built-in derive's method as generic IR) and `std_models::model` (path to native model).

use super::{
    InstanceKey,
    layout::TyLayout,
    program::{Gap, Program},
    types,
};
use hir_def::FunctionId;
use hir_ty::{
    ParamEnvAndCrate,
    db::HirDatabase,
    next_solver::{DbInterner, GenericArgs, StoredTy, Ty, TyKind, infer::InferCtxt},
};
use interp::ir::{CauseId, DataId, FnId, Scalar};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;
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

/// What a pointer to a type carries beside the address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meta {
    /// Nothing: the type is sized (or extern).
    Thin,
    /// The number of elements of the slice (or bytes of the `str`) at its end.
    Len,
    /// The vtable of the `dyn` at its end.
    Vtable,
}

impl<'db> Cx<'_, 'db> {
    /// The database.
    pub fn db(&self) -> &'db dyn HirDatabase {
        self.program.db
    }

    /// The interner of types, with the entry's crate.
    pub fn interner(&self) -> DbInterner<'db> {
        self.program.interner
    }

    /// Inference context of the type machinery.
    pub fn infcx(&self) -> InferCtxt<'db> {
        self.program.infcx()
    }

    /// Environment of trait lookups: empty, everything is concrete.
    pub fn env(&self) -> ParamEnvAndCrate<'db> {
        self.program.env()
    }

    /// A type of the body under the instance's arguments, normalised.
    pub fn subst(&mut self, ty: &StoredTy) -> Ty<'db> {
        types::subst_ty(self.program, ty.as_ref(), self.args)
    }

    /// Normalises a concrete type.
    pub fn normalize(&mut self, ty: Ty<'db>) -> Ty<'db> {
        types::normalize(self.program, ty)
    }

    /// Size, alignment, fields, variants of a concrete type.
    pub fn layout(&mut self, ty: Ty<'db>) -> Result<Rc<TyLayout>, Gap> {
        self.program.layout(ty)
    }

    /// Size and alignment of a concrete sized type.
    pub fn size_align(&mut self, ty: Ty<'db>) -> Result<(u32, u32), Gap> {
        let layout = self.layout(ty)?;
        Ok((layout.size32()?, layout.align32()))
    }

    /// The scalar kind of integers, floats, `bool`, `char` and thin pointers.
    pub fn scalar_of(&mut self, ty: Ty<'db>) -> Option<Scalar> {
        types::scalar_of(self.program, ty)
    }

    /// What a pointer to `ty` carries.
    pub fn meta(&mut self, ty: Ty<'db>) -> Meta {
        types::meta(self.program, ty)
    }

    /// The number of an instance; its code is made when it is first run.
    pub fn instance(&mut self, key: InstanceKey) -> FnId {
        self.program.instance(key)
    }

    /// The function that a call of `func` under concrete arguments reaches.
    pub fn resolve(&mut self, func: FunctionId, args: GenericArgs<'db>) -> super::resolve::Target<'db> {
        super::resolve::resolve(self.program, func, args)
    }

    /// Whether dropping a value of this type does anything.
    pub fn needs_drop(&mut self, ty: Ty<'db>) -> bool {
        types::needs_drop(self.program, ty)
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
        self.program.type_name(ty)
    }

    /// The type arguments of a call, by position among types.
    pub fn ty_arg(&self, args: GenericArgs<'db>, index: usize) -> Option<Ty<'db>> {
        args.iter().filter_map(|arg| arg.ty()).nth(index)
    }

    /// What a reference, raw pointer or `Box` type points to.
    pub fn pointee(&self, ty: Ty<'db>) -> Option<Ty<'db>> {
        match ty.kind() {
            TyKind::Ref(_, inner, _) | TyKind::RawPtr(inner, _) => Some(inner),
            _ => ty.boxed_ty(),
        }
    }
}
