//! Functions of the C library that call the operating system: files, sockets, processes (decisions 8 and 30). The
//! machine implements files and sockets itself and makes up the other answers. Findings that depend on those depend on
//! inputs.

use super::{INPUT, Native, native};
use crate::types::TypeCx;
use hir_def::FunctionId;
use hir_ty::next_solver::{GenericArgs, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{Mutability, inherent::IntoKind};

/// Models whose constants describe the pointers that they write through.
pub(super) const FILLING: &[&str] = &["descriptor", "act", "ioctl"];

/// Functions by area.
#[rustfmt::skip]
pub(super) const FOREIGN: &[(&str, Native)] = &[
    // --- files
    ("open", native("open")),
    ("open64", native("open")),
    ("openat", native("openat")),
    ("openat64", native("openat")),
    ("creat", native("creat")),
    ("creat64", native("creat")),
    ("close", native("close")),
    ("dup", native("dup")),
    ("dup2", native("dup2")),
    ("dup3", native("dup2")),
    ("fcntl", native("fcntl")),
    ("fcntl64", native("fcntl")),
    ("ioctl", native("ioctl")),
    ("flock", native("flock")),
    ("read", native("read_fd")),
    ("write", native("write_fd")),
    ("readv", native("readv")),
    ("writev", native("writev")),
    ("pread", native("pread")),
    ("pread64", native("pread")),
    ("pwrite", native("pwrite")),
    ("pwrite64", native("pwrite")),
    ("preadv", native("preadv")),
    ("preadv64", native("preadv")),
    ("pwritev", native("pwritev")),
    ("pwritev64", native("pwritev")),
    ("lseek", native("lseek")),
    ("lseek64", native("lseek")),
    ("ftruncate", native("ftruncate")),
    ("ftruncate64", native("ftruncate")),
    ("fsync", native("fsync")),
    ("fdatasync", native("fsync")),
    ("copy_file_range", native("copy_file_range")),
    ("sendfile", native("refused")),
    ("sendfile64", native("refused")),
    ("splice", native("refused")),
    ("fallocate64", native("act")),
    // --- paths
    ("stat", native("stat")),
    ("stat64", native("stat")),
    ("lstat", native("lstat")),
    ("lstat64", native("lstat")),
    ("fstat", native("fstat")),
    ("fstat64", native("fstat")),
    ("fstatat", native("fstatat")),
    ("fstatat64", native("fstatat")),
    ("statx", native("statx")),
    ("access", native("access")),
    ("faccessat", native("faccessat")),
    ("mkdir", native("mkdir")),
    ("mkdirat", native("mkdirat")),
    ("rmdir", native("rmdir")),
    ("unlink", native("unlink")),
    ("unlinkat", native("unlinkat")),
    ("rename", native("rename")),
    ("renameat", native("renameat")),
    ("link", native("link")),
    ("linkat", native("linkat")),
    ("symlink", native("symlink")),
    ("readlink", native("readlink")),
    ("realpath", native("realpath")),
    ("chmod", native("chmod")),
    ("fchmod", native("fchmod")),
    ("fchmodat", native("fchmodat")),
    ("chown", native("chown")),
    ("lchown", native("chown")),
    ("fchown", native("fchown")),
    ("fchownat", native("act")),
    ("utimensat", native("utimensat")),
    ("futimens", native("futimens")),
    ("chdir", native("chdir")),
    ("fchdir", native("fchdir")),
    ("getcwd", native("getcwd")),
    ("opendir", native("opendir")),
    ("fdopendir", native("fdopendir")),
    ("dirfd", native("dirfd")),
    ("readdir", native("readdir")),
    ("readdir64", native("readdir")),
    ("closedir", native("closedir")),
    // --- pipes, sockets, processes
    ("pipe", native("pipe")),
    ("pipe2", native("pipe")),
    ("socketpair", native("socketpair")),
    ("poll", native("poll")),
    ("ppoll", native("ppoll")),
    ("select", native("select")),
    ("pselect", native("pselect")),
    ("epoll_create", native("epoll_create")),
    ("epoll_create1", native("epoll_create1")),
    ("epoll_ctl", native("epoll_ctl")),
    ("epoll_wait", native("epoll_wait")),
    ("epoll_pwait", native("epoll_wait")),
    ("epoll_pwait2", native("epoll_pwait2")),
    ("eventfd", native("eventfd")),
    ("timerfd_create", native("timerfd_create")),
    ("timerfd_settime", native("timerfd_settime")),
    ("timerfd_gettime", native("timerfd_gettime")),
    ("inotify_init1", native("descriptor")),
    ("pidfd_open", native("pidfd_open")),
    ("socket", native("socket")),
    ("accept", native("accept")),
    ("accept4", native("accept")),
    ("bind", native("bind")),
    ("recv", native("recv")),
    ("recvfrom", native("recvfrom")),
    ("recvmsg", native("recvmsg")),
    ("send", native("send")),
    ("sendto", native("sendto")),
    ("sendmsg", native("sendmsg")),
    ("connect", native("connect")),
    ("listen", native("listen")),
    ("shutdown", native("shutdown")),
    ("getsockopt", native("getsockopt")),
    ("setsockopt", native("setsockopt")),
    ("getsockname", native("getsockname")),
    ("getpeername", native("getpeername")),
    ("getaddrinfo", native("getaddrinfo")),
    ("freeaddrinfo", native("freeaddrinfo")),
    ("gai_strerror", native("gai_strerror")),
    ("__res_init", Native::Int(0)),
    ("kill", native("kill")),
    ("posix_spawn", native("posix_spawn")),
    ("posix_spawnp", native("posix_spawn")),
    ("posix_spawn_file_actions_init", native("spawn_actions_init")),
    ("posix_spawn_file_actions_destroy", native("spawn_actions_destroy")),
    ("posix_spawn_file_actions_adddup2", native("spawn_actions_adddup2")),
    ("posix_spawn_file_actions_addclose", native("spawn_actions_addclose")),
    ("posix_spawn_file_actions_addopen", native("spawn_actions_addopen")),
    ("posix_spawn_file_actions_addchdir_np", native("spawn_actions_addchdir")),
    ("posix_spawn_file_actions_addchdir", native("spawn_actions_addchdir")),
    // There are no groups, sessions and masks of signals.
    ("posix_spawnattr_init", Native::Int(0)),
    ("posix_spawnattr_destroy", Native::Int(0)),
    ("posix_spawnattr_setflags", Native::Int(0)),
    ("posix_spawnattr_setpgroup", Native::Int(0)),
    ("posix_spawnattr_setsigdefault", Native::Int(0)),
    ("posix_spawnattr_setsigmask", Native::Int(0)),
    ("execv", native("exec")),
    ("execve", native("exec")),
    ("execvp", native("exec")),
    ("execvpe", native("exec")),
    ("sigaction", native("sigaction")),
    ("signal", native("signal")),
    ("sigaltstack", native("act")),
    ("sigaddset", native("sigaddset")),
    ("sigdelset", native("sigdelset")),
    ("sigemptyset", native("sigemptyset")),
    ("sigfillset", native("sigfillset")),
    ("pthread_sigmask", native("act")),
    ("pthread_atfork", native("act")),
    ("waitpid", native("waitpid")),
    ("waitid", native("waitid")),
    ("gethostname", native("act")),
    ("uname", native("act")),
    ("getrlimit", native("act")),
    ("setrlimit", native("act")),
    ("syscall", native("syscall")),
    ("__errno_location", native("errno_location")),
    ("dlsym", native("dlsym")),
    // The range of real-time signals that glibc reserves for programs.
    ("__libc_current_sigrtmin", Native::Int(34)),
    ("__libc_current_sigrtmax", Native::Int(64)),
    ("getpid", native("getpid")),
    ("getppid", native("getppid")),
    ("getuid", INPUT),
    ("geteuid", INPUT),
    ("getgid", INPUT),
    ("getegid", INPUT),
];

/// Mutable pointers among a function's parameters: index, size of the pointee, and whether it may be an array.
pub fn filled<'db>(cx: &mut TypeCx<'db>, func: FunctionId, args: GenericArgs<'db>) -> Box<[u64]> {
    let interner = cx.interner;
    let sig = cx.db.callable_item_signature(func.into()).instantiate(interner, args).skip_norm_wip();
    let inputs = interner.instantiate_bound_regions_with_erased(sig).inputs().to_vec();
    let mut filled = Vec::new();
    for (index, input) in inputs.into_iter().enumerate() {
        let (pointee, is_many) = match input.kind() {
            TyKind::RawPtr(pointee, Mutability::Mut) => (pointee, true),
            TyKind::Ref(_, pointee, Mutability::Mut) => (pointee, false),
            _ => continue,
        };
        let pointee = cx.normalize(pointee);
        // A type without a layout may have any size; `c_void` has the size of a byte.
        let size = cx.layout(pointee).map_or(1, |layout| layout.size);
        filled.extend([index as u64, size, u64::from(is_many)]);
    }
    filled.into()
}
