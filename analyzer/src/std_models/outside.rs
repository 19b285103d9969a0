//! Functions of the C library that ask the operating system: files, sockets, processes (design §4, "files, network, processes").
//! What they answer is made up by the machine, on which a finding then rests as on any input.

use super::{INPUT, NOTHING, Native, native};
use crate::instance::cx::Cx;
use hir_def::FunctionId;
use hir_ty::next_solver::{GenericArgs, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{Mutability, inherent::IntoKind};

/// Models whose constants are the pointers that they write to.
pub(super) const FILLING: &[&str] = &["open", "act"];

/// By what they give: a file descriptor, whether it was done, or any number.
#[rustfmt::skip]
pub(super) const FOREIGN: &[(&str, Native)] = &[
    ("open", native("open")),
    ("open64", native("open")),
    ("openat", native("open")),
    ("openat64", native("open")),
    ("creat", native("open")),
    ("dup", native("open")),
    ("dup2", native("open")),
    ("socket", native("open")),
    ("accept", native("open")),
    ("accept4", native("open")),
    ("epoll_create1", native("open")),
    ("eventfd", native("open")),
    ("inotify_init1", native("open")),
    ("pidfd_open", native("open")),
    ("close", NOTHING),
    ("closedir", NOTHING),
    ("opendir", INPUT),
    ("fdopendir", INPUT),
    ("dirfd", INPUT),
    ("readdir64", INPUT),
    ("getcwd", native("getcwd")),
    ("fsync", native("act")),
    ("fdatasync", native("act")),
    ("ftruncate64", native("act")),
    ("fallocate64", native("act")),
    ("fcntl", native("act")),
    ("ioctl", native("act")),
    ("flock", native("act")),
    ("lseek64", native("act")),
    ("stat64", native("act")),
    ("fstat64", native("act")),
    ("lstat64", native("act")),
    ("fstatat64", native("act")),
    ("statx", native("act")),
    ("mkdir", native("act")),
    ("rmdir", native("act")),
    ("unlink", native("act")),
    ("unlinkat", native("act")),
    ("rename", native("act")),
    ("renameat", native("act")),
    ("link", native("act")),
    ("linkat", native("act")),
    ("symlink", native("act")),
    ("access", native("act")),
    ("faccessat", native("act")),
    ("chmod", native("act")),
    ("fchmod", native("act")),
    ("fchmodat", native("act")),
    ("chown", native("act")),
    ("fchown", native("act")),
    ("fchownat", native("act")),
    ("lchown", native("act")),
    ("utimensat", native("act")),
    ("futimens", native("act")),
    ("chdir", native("act")),
    ("fchdir", native("act")),
    ("pipe", native("act")),
    ("pipe2", native("act")),
    ("socketpair", native("act")),
    ("bind", native("act")),
    ("connect", native("act")),
    ("listen", native("act")),
    ("shutdown", native("act")),
    ("getsockopt", native("act")),
    ("setsockopt", native("act")),
    ("getsockname", native("act")),
    ("getpeername", native("act")),
    ("getaddrinfo", native("act")),
    ("kill", native("act")),
    ("waitpid", native("act")),
    ("gethostname", native("act")),
    ("uname", native("act")),
    ("getrlimit", native("act")),
    ("setrlimit", native("act")),
    ("epoll_ctl", native("act")),
    ("poll", native("act")),
    ("ppoll", native("act")),
    ("epoll_wait", native("act")),
    ("select", native("act")),
    ("getpid", INPUT),
    ("getppid", INPUT),
    ("getuid", INPUT),
    ("geteuid", INPUT),
    ("getgid", INPUT),
    ("getegid", INPUT),
];

/// Of the mutable pointers among a function's parameters: index, size of what they point to, and whether there may be several.
pub fn filled<'db>(cx: &mut Cx<'_, 'db>, func: FunctionId, args: GenericArgs<'db>) -> Box<[u64]> {
    let interner = cx.interner();
    let sig = cx.db().callable_item_signature(func.into()).instantiate(interner, args).skip_norm_wip();
    let inputs = interner.instantiate_bound_regions_with_erased(sig).inputs().to_vec();
    let mut filled = Vec::new();
    for (index, input) in inputs.into_iter().enumerate() {
        let (pointee, is_many) = match input.kind() {
            TyKind::RawPtr(pointee, Mutability::Mut) => (pointee, true),
            TyKind::Ref(_, pointee, Mutability::Mut) => (pointee, false),
            _ => continue,
        };
        let pointee = cx.normalize(pointee);
        // What has no layout may be of any size; `c_void` has that of a byte.
        let size = cx.layout(pointee).map_or(1, |layout| layout.size);
        filled.extend([index as u64, size, u64::from(is_many)]);
    }
    filled.into()
}
