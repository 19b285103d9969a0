//! Items of std for harnesses: their helpers, and types whose values they make in a special way.

use super::{path, type_path};
pub use crate::harness::View;
use hir_def::FunctionId;
use hir_ty::{db::HirDatabase, next_solver::Ty};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use std::fmt;

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

/// A set of the [`SHARED_CALLS`], which a run leaves out. As text, it is a hexadecimal number with a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct LeftOutCalls(u8);

impl LeftOutCalls {
    /// All of them, except for the one with this label.
    pub fn all_but(label: &[u8]) -> LeftOutCalls {
        let others = SHARED_CALLS.iter().enumerate().filter(|(_, it)| it.as_bytes() != label);
        LeftOutCalls(others.fold(0, |bits, (index, _)| bits | 1 << index))
    }

    /// The set with these bits, if each stands for a call.
    pub fn from_bits(bits: u64) -> Option<LeftOutCalls> {
        u8::try_from(bits).ok().filter(|bits| *bits < 1 << SHARED_CALLS.len()).map(LeftOutCalls)
    }

    /// Those that the [choices](LeftOutCalls::choices) of a run leave out.
    pub fn of(forced_choices: &[(Vec<u8>, u64)]) -> LeftOutCalls {
        let is_left_out =
            |call: &str| forced_choices.iter().any(|(of, index)| of == call.as_bytes() && *index == u64::MAX);
        let left_out = SHARED_CALLS.iter().enumerate().filter(|(_, it)| is_left_out(it));
        LeftOutCalls(left_out.fold(0, |bits, (index, _)| bits | 1 << index))
    }

    /// Each set with one more call, those of the caller last.
    pub fn with_another(self) -> impl Iterator<Item = LeftOutCalls> {
        (0..SHARED_CALLS.len()).rev().map(move |index| LeftOutCalls(self.0 | 1 << index)).filter(move |it| *it != self)
    }

    /// The calls of both sets.
    pub fn and(self, other: LeftOutCalls) -> LeftOutCalls {
        LeftOutCalls(self.0 | other.0)
    }

    /// Their number.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The choices that leave them out ([`Config::forced_choices`](interp::run::Config)).
    pub fn choices(self) -> Vec<(Vec<u8>, u64)> {
        let is_left_out = |index: usize| self.0 >> index & 1 != 0;
        let calls = SHARED_CALLS.iter().enumerate().filter(|(index, _)| is_left_out(*index));
        calls.map(|(_, call)| (call.as_bytes().to_vec(), u64::MAX)).collect()
    }
}

impl fmt::LowerHex for LeftOutCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

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
    /// It ends the value that a function borrowed.
    EndsBorrow,
    /// It returns its argument; called with a future, for which calls are polled to their end.
    Passes,
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
        "::returned" => HelperRole::EndsBorrow,
        "::same" => HelperRole::Passes,
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

/// Whether a type is that of a function that borrows a value until its call ends.
pub fn is_borrowing(db: &dyn HirDatabase, ty: Ty<'_>) -> bool {
    type_path(db, ty).is_some_and(|path| path.strip_prefix(HELPERS) == Some("::Borrowing"))
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
