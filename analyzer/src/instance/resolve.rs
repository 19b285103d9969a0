//! Which function a call reaches under concrete arguments.

use super::{FnMethod, cx::Cx, exported_functions, program::Program, types, vtable};
use crate::{
    std_models,
    workarounds::{impls_in_blocks, specialised_functions},
};
use either::Either;
use hir_def::{
    BuiltinDeriveImplId, FunctionId, ItemContainerId, Lookup, TraitId,
    builtin_derive::BuiltinDeriveImplMethod,
    signatures::{FnFlags, FunctionSignature},
};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// What a call reaches.
#[derive(Clone, PartialEq, Debug)]
pub enum Target<'db> {
    /// A function.
    Fn(FunctionId, GenericArgs<'db>),
    /// A method of a built-in derive.
    Derive(BuiltinDeriveImplId, BuiltinDeriveImplMethod, GenericArgs<'db>),
    /// An entry of the vtable of the receiver's `dyn` type.
    Virtual(u32),
    /// Calls a closure, function item or fn pointer of this type with the tuple of arguments of this type.
    FnTrait(Ty<'db>, Ty<'db>, FnMethod),
    /// Polls a coroutine of this type.
    Poll(Ty<'db>),
    /// The compiler's `Clone` of this type.
    Clone(Ty<'db>),
    /// Drops the value of this type that the argument points to.
    DropGlue(Ty<'db>),
    /// Not found.
    Unresolved,
}

/// What a call of `func` under `args` reaches.
pub fn resolve<'db>(program: &mut Program<'db>, func: FunctionId, args: GenericArgs<'db>) -> Target<'db> {
    if let Some(known) = program.targets.get(&(func, args)) {
        return known.clone();
    }
    let target = match find(program, func, args) {
        Target::Fn(func, args) => Target::Fn(redirected(program, func, args), args),
        other => other,
    };
    program.targets.insert((func, args), target.clone());
    target
}

/// The function whose body stands for another's.
fn redirected<'db>(program: &mut Program<'db>, func: FunctionId, args: GenericArgs<'db>) -> FunctionId {
    let mut cx = Cx { program, args, checks: false };
    exported_functions::of(&mut cx, func).or_else(|| std_models::redirect(&cx, func)).unwrap_or(func)
}

fn find<'db>(program: &mut Program<'db>, func: FunctionId, args: GenericArgs<'db>) -> Target<'db> {
    let ItemContainerId::TraitId(trait_) = func.lookup(program.db).container else {
        // Its body in the source calls itself: the compiler puts the drop glue there.
        return match args.types().next() {
            Some(ty) if program.interner.lang_items().DropInPlace == Some(func) => Target::DropGlue(ty),
            _ => Target::Fn(func, args),
        };
    };
    let Some(self_ty) = args.types().next() else { return Target::Unresolved };
    if let Some(target) = built_in(program, trait_, func, self_ty, args) {
        return target;
    }
    let env = program.env();
    match program.db.lookup_impl_method(env, func, args) {
        (Either::Right((impl_, method)), args) => Target::Derive(impl_, method, types::normalize_any(program, args)),
        (Either::Left(found), found_args) => {
            let still_trait = matches!(found.lookup(program.db).container, ItemContainerId::TraitId(_));
            if still_trait {
                if let Some((found, args)) = specialised_functions::inherited(program, trait_, func, args) {
                    return Target::Fn(found, types::normalize_any(program, args));
                }
                if let Some((impl_, method, args)) = impls_in_blocks::derived(program, trait_, func, args) {
                    return Target::Derive(impl_, method, types::normalize_any(program, args));
                }
                if !has_body(program, found) && std_models::lookup(program.db, found).is_none() {
                    return Target::Unresolved;
                }
            }
            Target::Fn(found, types::normalize_any(program, found_args))
        }
    }
}

/// Whether a function's body stands in the source.
pub fn has_body(program: &Program<'_>, func: FunctionId) -> bool {
    FunctionSignature::of(program.db, func).flags.contains(FnFlags::HAS_BODY)
}

/// Implementations that the compiler provides.
fn built_in<'db>(
    program: &mut Program<'db>,
    trait_: TraitId,
    func: FunctionId,
    self_ty: Ty<'db>,
    args: GenericArgs<'db>,
) -> Option<Target<'db>> {
    let lang = program.interner.lang_items();
    let trait_is = |item: Option<TraitId>| item == Some(trait_);
    match self_ty.kind() {
        TyKind::Closure(..) | TyKind::FnDef(..) | TyKind::FnPtr(..) | TyKind::CoroutineClosure(..) => {
            // The future that `AsyncFn*` gives is what the function or closure returns.
            let method = if trait_is(lang.FnOnce) || trait_is(lang.AsyncFnOnce) {
                Some(FnMethod::Once)
            } else if trait_is(lang.FnMut) || trait_is(lang.AsyncFnMut) {
                Some(FnMethod::Mut)
            } else if trait_is(lang.Fn) || trait_is(lang.AsyncFn) {
                Some(FnMethod::Ref)
            } else {
                None
            };
            if let Some(method) = method {
                let tuple = args.types().nth(1)?;
                return Some(Target::FnTrait(self_ty, tuple, method));
            }
        }
        TyKind::Dynamic(..) => {
            let env = program.env().param_env;
            if hir_ty::method_resolution::is_dyn_method(program.interner, env, func, args).is_some() {
                return Some(
                    vtable::method_index(program, self_ty, func, args).map_or(Target::Unresolved, Target::Virtual),
                );
            }
        }
        TyKind::Coroutine(..) if lang.FuturePoll == Some(func) => return Some(Target::Poll(self_ty)),
        _ => {}
    }
    let clone_by_compiler = matches!(
        self_ty.kind(),
        TyKind::Closure(..)
            | TyKind::FnDef(..)
            | TyKind::FnPtr(..)
            | TyKind::Tuple(..)
            | TyKind::Array(..)
            | TyKind::Never
            | TyKind::Pat(..)
    );
    if trait_is(lang.Clone) && clone_by_compiler {
        // Arrays have an impl in core; only where that is missing is theirs the compiler's.
        let is_clone = FunctionSignature::of(program.db, func).name.as_str() == "clone";
        if is_clone && !matches!(self_ty.kind(), TyKind::Array(..)) {
            return Some(Target::Clone(self_ty));
        }
    }
    None
}
