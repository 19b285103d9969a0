//! Items of std for harnesses: the module of their helpers, and types whose values they make in a special way.

use super::type_path;
use hir_ty::{db::HirDatabase, next_solver::Ty};
use ra_ap_hir_ty as hir_ty;

/// The module of the helpers of harnesses.
pub const HELPERS: &str = "std::__harness";

/// Types of std.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are std's")]
pub enum StdType {
    String,
    Path,
    PathBuf,
    OsStr,
    OsString,
    SocketAddr,
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

const TYPES: &[(&str, StdType)] = &[
    ("alloc::string::String", StdType::String),
    ("std::path::Path", StdType::Path),
    ("std::path::PathBuf", StdType::PathBuf),
    ("std::ffi::os_str::OsStr", StdType::OsStr),
    ("std::ffi::os_str::OsString", StdType::OsString),
    ("core::net::socket_addr::SocketAddr", StdType::SocketAddr),
    ("core::time::Duration", StdType::Duration),
    ("alloc::vec::Vec", StdType::Vec),
    ("alloc::vec::into_iter::IntoIter", StdType::IntoIter),
    ("std::sync::mpsc::Receiver", StdType::Receiver),
    ("std::sync::mpsc::Sender", StdType::Sender),
    ("core::future::ready::Ready", StdType::Ready),
    ("core::option::Option", StdType::Option),
    ("core::result::Result", StdType::Result),
    ("core::fmt::Formatter", StdType::Formatter),
    ("core::task::wake::Context", StdType::Context),
    ("core::pin::Pin", StdType::Pin),
];

/// The [`StdType`] of a type.
pub fn known(db: &dyn HirDatabase, ty: Ty<'_>) -> Option<StdType> {
    let path = type_path(db, ty)?;
    TYPES.iter().find(|(of, _)| *of == path).map(|(_, known)| *known)
}
