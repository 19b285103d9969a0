//! Functions and modules of std by role, with their paths.

use crate::crate_models;
use hir_def::{FunctionId, signatures::FunctionSignature};
use hir_ty::db::HirDatabase;
use interp::{
    host::KnownFn,
    ir::{Trap, WaitName},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

/// The allocator symbol that allocates.
pub const ALLOC: &str = "alloc::alloc::__rust_alloc";
/// The function that runs a program's `main`. A crate without std does not see its lang item.
pub const LANG_START: &str = "std::rt::lang_start";
/// The allocator symbol that changes the size of an allocation.
pub const REALLOC: &str = "alloc::alloc::__rust_realloc";

/// The function that panics for a trap.
pub fn trap(trap: Trap) -> &'static str {
    match trap {
        Trap::AddOverflow => "core::panicking::panic_const::panic_const_add_overflow",
        Trap::SubOverflow => "core::panicking::panic_const::panic_const_sub_overflow",
        Trap::MulOverflow => "core::panicking::panic_const::panic_const_mul_overflow",
        Trap::DivOverflow => "core::panicking::panic_const::panic_const_div_overflow",
        Trap::RemOverflow => "core::panicking::panic_const::panic_const_rem_overflow",
        Trap::NegOverflow => "core::panicking::panic_const::panic_const_neg_overflow",
        Trap::ShlOverflow => "core::panicking::panic_const::panic_const_shl_overflow",
        Trap::ShrOverflow => "core::panicking::panic_const::panic_const_shr_overflow",
        Trap::DivByZero => "core::panicking::panic_const::panic_const_div_by_zero",
        Trap::RemByZero => "core::panicking::panic_const::panic_const_rem_by_zero",
        Trap::Bounds => "core::panicking::panic_bounds_check",
        Trap::ResumedAfterReturn => "core::panicking::panic_const::panic_const_async_fn_resumed",
        Trap::ResumedAfterPanic => "core::panicking::panic_const::panic_const_async_fn_resumed_panic",
        Trap::CannotUnwind => "core::panicking::panic_cannot_unwind",
        Trap::PanicInCleanup => "core::panicking::panic_in_cleanup",
    }
}

/// A function that the machine calls.
pub fn known(known: KnownFn) -> &'static str {
    match known {
        KnownFn::RunThreadLocalDestructors => "std::sys::thread_local::destructors::run",
    }
}

/// Functions in which threads wait for other primitives of std, and the name of the wait in reports.
pub const WAITS: &[(&str, WaitName)] = &[
    ("std::sync::barrier::Barrier::wait", WaitName::Barrier),
    ("std::sys::sync::once::futex::Once::call", WaitName::Once),
    ("std::sys::sync::once::futex::Once::wait", WaitName::Initialised),
    ("std::thread::scoped::scope", WaitName::Scope),
];

/// Functions of `Arc` and its `Weak` whose result depends on the number of owners.
const COUNT_OWNERS: &[&str] = &[
    "alloc::sync::Arc::get_mut",
    "alloc::sync::Arc::into_inner",
    "alloc::sync::Arc::is_unique",
    "alloc::sync::Arc::make_mut",
    "alloc::sync::Arc::strong_count",
    "alloc::sync::Arc::try_unwrap",
    "alloc::sync::Arc::unwrap_or_clone",
    "alloc::sync::Weak::strong_count",
    "alloc::sync::Weak::upgrade",
];
/// Drops an owner.
const DROP_OWNER: &str = "<alloc::sync::Arc as core::ops::drop::Drop>::drop";
/// The module of these functions.
const OWNERS_MODULE: &str = "alloc::sync";

/// Whether a function, in a module of std with that path, reads the number of owners of an `Arc`, and whether it
/// drops an owner.
pub fn of_owners(db: &dyn HirDatabase, module: &str, func: FunctionId) -> (bool, bool) {
    let path = if module == OWNERS_MODULE { super::path(db, func) } else { None };
    path.map_or((false, false), |path| (COUNT_OWNERS.contains(&path.as_str()), path == DROP_OWNER))
}

/// The function that only drops its argument. The drop counts as its caller's, as at the end of a scope.
pub const DROP: &str = "core::mem::drop";

/// Whether a function of std is [`DROP`].
pub fn is_drop(db: &dyn HirDatabase, func: FunctionId) -> bool {
    FunctionSignature::of(db, func).name.as_str() == "drop" && super::path(db, func).is_some_and(|path| path == DROP)
}

/// Modules of std with the concurrency API.
const SYNC_MODULES: &[&str] = &["std::sync", "core::sync", "alloc::sync", "std::thread", "core::hint"];

/// The module of the atomics.
const ATOMIC_MODULE: &str = "core::sync::atomic";

/// Whether a module of std, by its path, belongs to the concurrency API.
pub fn is_sync_api(module: &str) -> bool {
    let inside =
        |outer: &&str| module.strip_prefix(*outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    SYNC_MODULES.iter().any(inside)
}

/// The module of `OnceLock`, whose functions ask first whether it is initialised.
const ONCE_LOCK_MODULE: &str = "std::sync::once_lock";
/// The modules of the functions that ask whether a `Once` is completed.
const ONCE_MODULES: &[&str] = &["std::sync::once", "std::sys::sync::once::futex"];

/// Whether a function of std with that name, in a module with that path, is one of the atomics', or asks whether
/// something is initialised: its atomics are the caller's.
pub fn is_atomic_api(module: &str, name: &str) -> bool {
    module == ATOMIC_MODULE || module == ONCE_LOCK_MODULE || name == "is_completed" && ONCE_MODULES.contains(&module)
}

/// Functions that return the size or alignment of a type.
const SIZES: &[&str] =
    &["core::mem::size_of", "core::mem::size_of_val", "core::mem::align_of", "core::mem::align_of_val"];

/// Whether a function is one of [`SIZES`].
pub fn is_size_query(db: &dyn HirDatabase, func: FunctionId) -> bool {
    let signature = FunctionSignature::of(db, func);
    SIZES.iter().any(|path| crate_models::is_named(path, signature.name.as_str()))
        && super::path(db, func).is_some_and(|path| SIZES.contains(&path.as_str()))
}
