//! Functions and types of std that the machine needs by role.

use super::{layout, program::Program};
use crate::std_models;
use hir_def::{AdtId, FunctionId};
use hir_ty::next_solver::{GenericArgs, Region, Ty};
use interp::{
    host::{KnownFn, LocationLayout},
    ir::Trap,
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

/// The function that panics for a trap.
pub fn trap(program: &Program<'_>, trap: Trap) -> Option<FunctionId> {
    std_models::function(program.db, program.krate, trap_path(trap))
}

/// A function that the machine calls by itself.
pub fn function(program: &Program<'_>, known: KnownFn) -> Option<FunctionId> {
    std_models::function(program.db, program.krate, known_path(known))
}

fn trap_path(trap: Trap) -> &'static str {
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

fn known_path(known: KnownFn) -> &'static str {
    match known {
        KnownFn::RunThreadLocalDestructors => "std::sys::thread_local::destructors::run",
    }
}

/// Modules of std whose functions are its API for concurrency.
const SYNC_MODULES: &[&str] = &["std::sync", "core::sync", "alloc::sync", "std::thread", "core::hint"];

/// Where the atomics are.
const ATOMIC_MODULE: &str = "core::sync::atomic";

/// Whether a module of std (its path) belongs to the API for concurrency.
pub fn is_sync_api(module: &str) -> bool {
    let inside = |outer: &&str| module.strip_prefix(*outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    SYNC_MODULES.iter().any(inside)
}

/// Whether a module of std (its path) is that of the atomics.
pub fn is_atomic_api(module: &str) -> bool {
    module == ATOMIC_MODULE
}

/// Layout of `core::panic::Location`.
pub fn location_layout(program: &mut Program<'_>) -> Option<LocationLayout> {
    let interner = program.interner;
    let id = interner.lang_items().PanicLocation?;
    let args = GenericArgs::for_item(interner, hir_def::AdtId::from(id).into(), |_, _, _, _| Region::new_erased(interner).into());
    let ty = Ty::new_adt(interner, AdtId::from(id), args);
    let layout = layout::layout(program, ty).ok()?;
    let offset = |name: &str| {
        let fields = id.fields(program.db);
        let index = fields.fields().iter().position(|(_, field)| field.name.as_str() == name)?;
        layout.fields.get(index).map(|&offset| offset as u32)
    };
    // `filename` is a pointer and a length (std keeps a NUL behind the text).
    Some(LocationLayout {
        size: layout.size as u32,
        file: offset("filename")?,
        line: offset("line")?,
        column: offset("col")?,
    })
}
