//! Items of std for harnesses: their helpers, and types whose values they make in a special way.

use super::{path, type_path};
pub use crate::harness::View;
use hir_def::FunctionId;
use hir_ty::{db::HirDatabase, next_solver::Ty};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

/// The module of the helpers of harnesses.
pub const HELPERS: &str = "std::__harness";

/// The name of the thread that makes the first calls.
pub const CALLER: &str = "the caller";

/// The label of the choice between ways in which threads use a value.
pub const SCENARIO: &str = "what the threads share";

/// The label of the input that says whether callbacks succeed.
pub const SUCCEED: &str = "whether callbacks succeed";

/// The label of the input that says whether the futures of stubs wait.
pub const STUBS_WAIT: &str = "whether the futures of stubs wait";

/// How the label of the choice between ways to poll a future ends.
pub const POLLED: &str = "how its future is polled";

/// The label of the choice whether there is a third thread.
pub const THIRD: &str = "whether there is a third thread";

/// The suffix of a text that must differ from the one with the same label.
pub const OTHER: &str = "2";

/// The label of the call that a callback makes.
pub const CALL_BACK: &str = "the call of a callback";

/// The labels of the calls of threads that share a value.
pub const SHARED_CALLS: [&str; 5] = [
    "call 1 of the caller",
    "call 2 of the caller",
    "call 1 of thread 1",
    "call 2 of thread 1",
    "the call of thread 2",
];

/// The purpose of one of the calls of two threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// A method that takes a shared reference.
    Shared,
    /// The same, within a callback of another call.
    Again,
    /// A method that takes a shared reference and another value of the type, or a function that takes two.
    WithOther,
    /// A method that takes a reference.
    Owned,
    /// A method that takes the value, or its end.
    Last,
    /// A function without a receiver.
    Free,
}

/// Helpers that reports know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HelperRole {
    /// It makes a call; its first type parameter is the called function.
    Calls,
    /// It makes one of several calls; its body is made for each type.
    Chooses,
    /// It lets two threads use one value.
    Shares,
    /// It is a waker that uses the object of the call that wakes it.
    Wakes,
    /// It uses a value that must not be shared or moved. The text says what the value is not, if the function tells.
    Touches(Option<&'static str>),
}

/// The role of a function among the helpers of harnesses.
pub fn role(db: &dyn HirDatabase, func: FunctionId) -> Option<HelperRole> {
    let path = path(db, func)?;
    Some(match path.strip_prefix(HELPERS)? {
        "::call" | "::call_async" | "::call_async_partly" => HelperRole::Calls,
        "::threads::call_shared" | "::threads::call_again" | "::threads::call_with" => HelperRole::Chooses,
        "::threads::share" => HelperRole::Shares,
        "::wake_back" => HelperRole::Wakes,
        "::threads::Local::touch" => HelperRole::Touches(Some("neither `Send` nor `Sync`")),
        "::threads::Unshared::touch" => HelperRole::Touches(Some("not `Sync`")),
        "::threads::Stuck::touch" => HelperRole::Touches(Some("not `Send`")),
        "::threads::Kept::touch" => HelperRole::Touches(None),
        _ => return None,
    })
}

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
