//! Call resolution under concrete arguments.

use super::{TypeCx, exported_functions, functions};
use crate::{
    std_models,
    workarounds::{derive_bounds, impls_in_blocks, mutable_places, specialised_functions},
};
use either::Either;
use hir_def::{
    BuiltinDeriveImplId, FunctionId, ItemContainerId, Lookup, TraitId, builtin_derive::BuiltinDeriveImplMethod,
    signatures::FunctionSignature,
};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// How a method of the `Fn` traits takes its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FnMethod {
    /// `call_once(self, args)`.
    Once,
    /// `call_mut(&mut self, args)`.
    Mut,
    /// `call(&self, args)`.
    Ref,
}

/// The target of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Target<'db> {
    /// A function.
    Fn(FunctionId, GenericArgs<'db>),
    /// A method of a built-in derive.
    Derive(BuiltinDeriveImplId, BuiltinDeriveImplMethod, GenericArgs<'db>),
    /// An entry of the vtable of the receiver's `dyn` type.
    Virtual(u32),
    /// Calls a closure, function item or fn pointer (first type) with a tuple of arguments (second type).
    FnTrait(Ty<'db>, Ty<'db>, FnMethod),
    /// Polls a coroutine of this type.
    Poll(Ty<'db>),
    /// The compiler's built-in `Clone` for this type.
    Clone(Ty<'db>),
    /// Drops the value of this type that the argument points to.
    DropGlue(Ty<'db>),
    /// Resolution failed.
    Unresolved,
}

impl<'db> TypeCx<'db> {
    /// The target of a call of `func` under `args`.
    pub fn resolve(&mut self, func: FunctionId, args: GenericArgs<'db>) -> Target<'db> {
        if let Some(known) = self.targets.get(&(func, args)) {
            return known.clone();
        }
        let target = match self.find_target(func, args) {
            Target::Fn(func, args) => Target::Fn(self.redirected(func), args),
            other => other,
        };
        self.targets.insert((func, args), target.clone());
        target
    }

    /// The function whose body replaces that of `func`.
    fn redirected(&mut self, func: FunctionId) -> FunctionId {
        exported_functions::definition_of(self, func).or_else(|| std_models::redirect(self, func)).unwrap_or(func)
    }

    fn find_target(&mut self, func: FunctionId, args: GenericArgs<'db>) -> Target<'db> {
        let ItemContainerId::TraitId(trait_) = func.lookup(self.db).container else {
            // In the source the body calls itself; the compiler replaces it by drop glue.
            return match args.types().next() {
                Some(ty) if self.interner.lang_items().DropInPlace == Some(func) => Target::DropGlue(ty),
                _ => Target::Fn(func, args),
            };
        };
        let Some(self_ty) = args.types().next() else { return Target::Unresolved };
        if let Some(target) = self.built_in(trait_, func, self_ty, args) {
            return target;
        }
        let env = self.env();
        match self.db.lookup_impl_method(env, func, args) {
            (Either::Right((impl_, method)), args) => Target::Derive(impl_, method, self.normalize_any(args)),
            (Either::Left(found), found_args) => {
                let still_trait = matches!(found.lookup(self.db).container, ItemContainerId::TraitId(_));
                if still_trait {
                    if let Some((found, args)) = specialised_functions::inherited(self, trait_, func, args) {
                        return Target::Fn(found, self.normalize_any(args));
                    }
                    let derived = impls_in_blocks::derived(self, trait_, func, args)
                        .or_else(|| derive_bounds::derived(self, trait_, func, args));
                    if let Some((impl_, method, args)) = derived {
                        return Target::Derive(impl_, method, self.normalize_any(args));
                    }
                    if !functions::has_body(self.db, found) && std_models::lookup(self.db, found).is_none() {
                        let shared = mutable_places::shared(self.interner.lang_items(), func);
                        return shared.map_or(Target::Unresolved, |shared| self.find_target(shared, args));
                    }
                }
                Target::Fn(found, self.normalize_any(found_args))
            }
        }
    }

    /// Impls that the compiler provides.
    fn built_in(
        &mut self,
        trait_: TraitId,
        func: FunctionId,
        self_ty: Ty<'db>,
        args: GenericArgs<'db>,
    ) -> Option<Target<'db>> {
        let lang = self.interner.lang_items();
        let trait_is = |item: Option<TraitId>| item == Some(trait_);
        match self_ty.kind() {
            TyKind::Closure(..) | TyKind::FnDef(..) | TyKind::FnPtr(..) | TyKind::CoroutineClosure(..) => {
                // The future of an `AsyncFn*` call is the value that the function or closure returns.
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
                let env = self.env().param_env;
                if hir_ty::method_resolution::is_dyn_method(self.interner, env, func, args).is_some() {
                    return Some(self.method_index(self_ty, func, args).map_or(Target::Unresolved, Target::Virtual));
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
            // Arrays have an impl in `core`. Only if it is missing is theirs built in.
            let is_clone = FunctionSignature::of(self.db, func).name.as_str() == "clone";
            if is_clone && !matches!(self_ty.kind(), TyKind::Array(..)) {
                return Some(Target::Clone(self_ty));
            }
        }
        None
    }
}
