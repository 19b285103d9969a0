//! From generic IR to the machine's code: one [`interp::ir::Code`] for each body under concrete arguments.
//!
//! [`program::Program`] is the machine's host: it numbers what a run reaches, in order of discovery, and makes the
//! code of an instance when the machine asks for it (invariant 10). Everything is total: what is not understood
//! becomes an uninterpreted value with a named cause.
//!
//! | module | what |
//! |---|---|
//! | `program` | tables, the implementation of `Host` |
//! | `types`, `layout` | substitution, normalisation, sizes and offsets |
//! | `resolve` | which function a call reaches |
//! | `codegen` (`site`, `place`, `rvalue`, `cast`, `call`, …) | generic IR to instructions |
//! | `intrinsics` | compiler intrinsics to instructions |
//! | `names`, `type_name` | names for people, and those of `core::any::type_name` |
//! | `allocator` | the program's own global allocator |
//! | `glue`, `shims`, `vtable` | generated functions |

use crate::harness::{HarnessTarget, Start};
use hir_def::{BuiltinDeriveImplId, ConstId, DefWithBodyId, EnumVariantId, FunctionId, StaticId, StructId};
use hir_def::{builtin_derive::BuiltinDeriveImplMethod, hir::ExprId};
use hir_ty::next_solver::{StoredGenericArgs, StoredTy};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use std::sync::Arc;

pub mod allocator;
mod attributes;
pub mod builder;
pub mod call;
pub mod cast;
pub mod codegen;
pub mod consts;
pub mod cx;
mod exported_functions;
pub mod glue;
mod inexact_layouts;
pub mod intrinsics;
pub mod known;
pub mod layout;
pub mod names;
pub mod place;
pub mod program;
pub mod resolve;
pub mod rvalue;
pub mod shims;
pub mod site;
pub mod switch;
pub mod type_name;
pub mod types;
pub mod vtable;

/// A function, closure body, shim or initialiser under concrete arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstanceKey {
    /// A process whose `main` is this function.
    Main(Start),
    /// A harness.
    Harness(HarnessTarget),
    /// A function with its own body, an intrinsic, or a foreign function.
    Fn(FunctionId, StoredGenericArgs),
    /// The own body of a function that has a fast one too.
    Real(FunctionId, StoredGenericArgs),
    /// A function of an `extern` block as the machine has it, whatever the program puts in its place.
    Native(FunctionId),
    /// The body of a closure under the arguments of the item it stands in; entered as its `BodyKind` says.
    Closure(DefWithBodyId, ExprId, StoredGenericArgs),
    /// The body of a coroutine: takes the object's address and the resume argument.
    CoroutineBody(DefWithBodyId, ExprId, StoredGenericArgs),
    /// `Future::poll` of a coroutine type.
    CoroutinePoll(StoredTy),
    /// Drops the value that the (possibly wide) pointer argument points to.
    DropGlue(StoredTy),
    /// Drops the closure that the pointer argument points to, at the end of a call that took it by value. It counts as the
    /// closure's own code: what it captured is dropped where the program says so, whoever called it.
    DropCaptures(StoredTy),
    /// A tuple struct or tuple variant as a function; the second is the type it makes.
    Ctor(CtorId, StoredTy),
    /// A method of `Fn*` on a closure, function item or fn pointer as a function that takes the callee and the tuple of
    /// arguments: callee type, tuple type.
    FnTrait(StoredTy, StoredTy, FnMethod),
    /// A closure without captures as a fn pointer: takes the plain arguments.
    ClosureFnPtr(StoredTy),
    /// A method that takes `self` by value, called with a pointer to it (`dyn FnOnce` in a `Box`): the method and
    /// the type of `self`.
    ByPointer(Box<InstanceKey>, StoredTy),
    /// Calls a `#[track_caller]` function where the caller can give no place; the place is then the definition of the second:
    /// behind a fn pointer, and in a vtable whose trait knows nothing of it, the function's own, behind the `Fn` traits that
    /// of their method.
    Located(Box<InstanceKey>, FunctionId),
    /// A trait method on `dyn Trait` as a function value.
    DynMethod(FunctionId, StoredGenericArgs),
    /// A method of a built-in derive.
    BuiltinDerive(BuiltinDeriveImplId, BuiltinDeriveImplMethod, StoredGenericArgs),
    /// `Clone::clone` of a type whose `Clone` the compiler provides.
    Clone(StoredTy),
    /// The vtable of a type as a `dyn` type, as a function without parameters: how upcasting finds it.
    VtableOf(StoredTy, StoredTy),
    /// A call that reaches nothing known: cause, sizes of the parameters, size of the result.
    Missing(Arc<str>, Box<[u32]>, u32),
    /// Computes a const.
    ConstInit(ConstId, StoredGenericArgs),
    /// Computes a static.
    StaticInit(StaticId),
    /// Computes a promoted expression of an instance.
    Promoted(Box<InstanceKey>, u32),
}

/// A constructor that can be called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CtorId {
    /// Of a tuple struct.
    Struct(StructId),
    /// Of a tuple variant.
    Variant(EnumVariantId),
}

/// How a method of the `Fn` traits takes the callee.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FnMethod {
    /// `call_once(self, args)`.
    Once,
    /// `call_mut(&mut self, args)`.
    Mut,
    /// `call(&self, args)`.
    Ref,
}

/// A static, const or promoted expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GlobalKey {
    /// A static.
    Static(StaticId),
    /// A const under concrete arguments, resolved to its impl.
    Const(ConstId, StoredGenericArgs),
    /// A promoted expression.
    Promoted(InstanceKey, u32),
}

/// A type as a trait object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct VtableKey {
    /// The concrete type.
    pub ty: StoredTy,
    /// The `dyn` type.
    pub dyn_ty: StoredTy,
}
