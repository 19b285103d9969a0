//! From generic IR to the machine's code: one [`interp::ir::Code`] per body under concrete arguments.
//!
//! [`program::Program`] is the machine's host. It numbers the instances that a run reaches, in order of discovery,
//! and generates the code of an instance when the machine requests it (invariant 10). Code generation never fails:
//! unsupported code becomes an uninterpreted value with a cause. Types are handled by [`crate::types`].
//!
//! | module | what |
//! |---|---|
//! | `program` | tables, implementation of `Host` |
//! | `bodies` | selects the code of each kind of instance |
//! | `codegen` (`site`, `place`, `rvalue`, `cast`, `call`, …) | generic IR to instructions |
//! | `intrinsics` | compiler intrinsics to instructions |
//! | `names` | names of instances, flags of their code |
//! | `allocator` | the program's own global allocator |
//! | `glue`, `shims`, `vtable` | generated functions |

use crate::{
    harness::{HarnessTarget, Start},
    types::FnMethod,
};
use hir_def::{AdtId, BuiltinDeriveImplId, ConstId, DefWithBodyId, EnumVariantId, FunctionId, StaticId, StructId};
use hir_def::{builtin_derive::BuiltinDeriveImplMethod, hir::ExprId};
use hir_ty::next_solver::{StoredGenericArgs, StoredTy};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use std::sync::Arc;

pub mod allocator;
pub mod bodies;
pub mod builder;
pub mod call;
pub mod cast;
pub mod codegen;
pub mod consts;
pub mod cx;
pub mod glue;
pub mod intrinsics;
pub mod known;
pub mod names;
pub mod place;
pub mod program;
pub mod rvalue;
pub mod shims;
pub mod site;
pub mod switch;
pub mod vtable;

/// A function, closure body, shim or initialiser with concrete arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstanceKey {
    /// A process with this function as its `main`.
    Main(Start),
    /// A harness.
    Harness(HarnessTarget),
    /// A test in which two threads call methods of a value of this type.
    InTest(FunctionId, AdtId),
    /// A function with its own body, an intrinsic, or a foreign function.
    Fn(FunctionId, StoredGenericArgs),
    /// The real body of a function that also has a fast body.
    Real(FunctionId, StoredGenericArgs),
    /// The machine's model of an `extern` function, even if the program defines the function.
    Native(FunctionId),
    /// The body of a closure under the arguments of the enclosing item. Its `BodyKind` says how it is entered.
    Closure(DefWithBodyId, ExprId, StoredGenericArgs),
    /// The body of a coroutine. Its parameters are the coroutine's address and the resume argument.
    CoroutineBody(DefWithBodyId, ExprId, StoredGenericArgs),
    /// `Future::poll` of a coroutine type.
    CoroutinePoll(StoredTy),
    /// Drops the pointee of the (possibly wide) pointer argument.
    DropGlue(StoredTy),
    /// Drops the closure that the pointer argument points to, at the end of a call that took it by value. It counts
    /// as the closure's own code: the captures are dropped at the closure's source location, whoever calls it.
    DropCaptures(StoredTy),
    /// A tuple struct or tuple variant constructor as a function; the second field is the constructed type.
    Ctor(CtorId, StoredTy),
    /// A method of the `Fn` traits on a closure, function item or fn pointer, as a function with the callee and the
    /// tuple of arguments as parameters. The fields are the callee type and the tuple type.
    FnTrait(StoredTy, StoredTy, FnMethod),
    /// A closure without captures as a fn pointer. Its parameters are the closure's arguments, not a tuple.
    ClosureFnPtr(StoredTy),
    /// A method that takes `self` by value, called with a pointer to it (`dyn FnOnce` in a `Box`). The fields are the
    /// method and the type of `self`.
    ByPointer(Box<InstanceKey>, StoredTy),
    /// Calls a `#[track_caller]` function from a caller that passes no location. The location is the definition of
    /// the second field. This is the function itself if it is called through a fn pointer, or through a vtable whose
    /// trait does not declare it `#[track_caller]`; it is the method of the `Fn` trait if it is called through that
    /// trait.
    Located(Box<InstanceKey>, FunctionId),
    /// A trait method on `dyn Trait` as a function value.
    DynMethod(FunctionId, StoredGenericArgs),
    /// A method of a built-in derive.
    BuiltinDerive(BuiltinDeriveImplId, BuiltinDeriveImplMethod, StoredGenericArgs),
    /// `Clone::clone` of a type whose `Clone` the compiler provides.
    Clone(StoredTy),
    /// The vtable of a type for a `dyn` type, returned by a function without parameters. Upcasting calls it.
    VtableOf(StoredTy, StoredTy),
    /// An unresolved call: cause, sizes of the parameters, size of the result.
    Missing(Arc<str>, Box<[u32]>, u32),
    /// Evaluates a const.
    ConstInit(ConstId, StoredGenericArgs),
    /// Evaluates a static.
    StaticInit(StaticId),
    /// Evaluates a promoted expression of an instance.
    Promoted(Box<InstanceKey>, u32),
}

/// A constructor used as a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CtorId {
    /// The constructor of a tuple struct.
    Struct(StructId),
    /// The constructor of a tuple variant.
    Variant(EnumVariantId),
}

/// A static, const or promoted expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum GlobalKey {
    /// A static.
    Static(StaticId),
    /// A const under concrete arguments, resolved to an impl.
    Const(ConstId, StoredGenericArgs),
    /// A promoted expression of an instance.
    Promoted(InstanceKey, u32),
}

/// The vtable of a concrete type for a `dyn` type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct VtableKey {
    /// The concrete type.
    pub ty: StoredTy,
    /// The `dyn` type.
    pub dyn_ty: StoredTy,
}
