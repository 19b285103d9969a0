//! Functions and types of std that the machine uses by role.

use super::program::Program;
use crate::std_models::{self, roles};
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
    std_models::function(program.types.db, program.types.krate, roles::trap(trap))
}

/// A function that the machine calls.
pub fn function(program: &Program<'_>, known: KnownFn) -> Option<FunctionId> {
    std_models::function(program.types.db, program.types.krate, roles::known(known))
}

/// Layout of `core::panic::Location`.
pub fn location_layout(program: &mut Program<'_>) -> Option<LocationLayout> {
    let interner = program.types.interner;
    let id = interner.lang_items().PanicLocation?;
    let args = GenericArgs::for_item(interner, hir_def::AdtId::from(id).into(), |_, _, _, _| {
        Region::new_erased(interner).into()
    });
    let ty = Ty::new_adt(interner, AdtId::from(id), args);
    let layout = program.types.layout(ty).ok()?;
    let offset = |name: &str| {
        let fields = id.fields(program.types.db);
        let index = fields.fields().iter().position(|(_, field)| field.name.as_str() == name)?;
        layout.fields.get(index).map(|&offset| offset as u32)
    };
    // `filename` is a pointer and a length (std stores a NUL after the text).
    Some(LocationLayout {
        size: layout.size as u32,
        file: offset("filename")?,
        line: offset("line")?,
        column: offset("col")?,
    })
}
