//! What drivers know of std: where their own functions stand, and types whose values they make in a way of their own.

use super::type_path;
use hir_ty::{db::HirDatabase, next_solver::Ty};
use ra_ap_hir_ty as hir_ty;

/// The module of the functions that drivers call by themselves.
pub const HELPERS: &str = "std::__driver";

/// Types of std.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are std's")]
pub enum Known {
    String,
    Path,
    Duration,
    Vec,
    IntoIter,
    Receiver,
    Sender,
    Ready,
    Option,
    Result,
    Formatter,
    Context,
    Pin,
}

const TYPES: &[(&str, Known)] = &[
    ("alloc::string::String", Known::String),
    ("std::path::Path", Known::Path),
    ("core::time::Duration", Known::Duration),
    ("alloc::vec::Vec", Known::Vec),
    ("alloc::vec::into_iter::IntoIter", Known::IntoIter),
    ("std::sync::mpsc::Receiver", Known::Receiver),
    ("std::sync::mpsc::Sender", Known::Sender),
    ("core::future::ready::Ready", Known::Ready),
    ("core::option::Option", Known::Option),
    ("core::result::Result", Known::Result),
    ("core::fmt::Formatter", Known::Formatter),
    ("core::task::wake::Context", Known::Context),
    ("core::pin::Pin", Known::Pin),
];

/// Which of them a type is.
pub fn known(db: &dyn HirDatabase, ty: Ty<'_>) -> Option<Known> {
    let path = type_path(db, ty)?;
    TYPES.iter().find(|(of, _)| *of == path).map(|(_, known)| *known)
}
