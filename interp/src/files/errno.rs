//! Error numbers of x86_64 Linux.

/// An error number.
pub(crate) type Errno = i32;

pub(crate) const EPERM: Errno = 1;
pub(crate) const ENOENT: Errno = 2;
pub(crate) const EIO: Errno = 5;
pub(crate) const ENXIO: Errno = 6;
pub(crate) const EBADF: Errno = 9;
pub(crate) const EAGAIN: Errno = 11;
pub(crate) const ENOMEM: Errno = 12;
pub(crate) const EACCES: Errno = 13;
pub(crate) const EFAULT: Errno = 14;
pub(crate) const EBUSY: Errno = 16;
pub(crate) const EEXIST: Errno = 17;
pub(crate) const ENOTDIR: Errno = 20;
pub(crate) const EISDIR: Errno = 21;
pub(crate) const EINVAL: Errno = 22;
pub(crate) const EMFILE: Errno = 24;
pub(crate) const ENOSPC: Errno = 28;
pub(crate) const ESPIPE: Errno = 29;
pub(crate) const EPIPE: Errno = 32;
pub(crate) const EDOM: Errno = 33;
pub(crate) const ERANGE: Errno = 34;
pub(crate) const ENAMETOOLONG: Errno = 36;
pub(crate) const ENOSYS: Errno = 38;
pub(crate) const ENOTEMPTY: Errno = 39;
pub(crate) const ELOOP: Errno = 40;
pub(crate) const ENOTSOCK: Errno = 88;
pub(crate) const EDESTADDRREQ: Errno = 89;
pub(crate) const EMSGSIZE: Errno = 90;
pub(crate) const EPROTOTYPE: Errno = 91;
pub(crate) const ENOPROTOOPT: Errno = 92;
pub(crate) const EPROTONOSUPPORT: Errno = 93;
pub(crate) const EOPNOTSUPP: Errno = 95;
pub(crate) const EAFNOSUPPORT: Errno = 97;
pub(crate) const EADDRINUSE: Errno = 98;
pub(crate) const EADDRNOTAVAIL: Errno = 99;
pub(crate) const ENETUNREACH: Errno = 101;
pub(crate) const ECONNRESET: Errno = 104;
pub(crate) const ENOBUFS: Errno = 105;
pub(crate) const EISCONN: Errno = 106;
pub(crate) const ENOTCONN: Errno = 107;
pub(crate) const ETIMEDOUT: Errno = 110;
pub(crate) const ECONNREFUSED: Errno = 111;
pub(crate) const EALREADY: Errno = 114;
pub(crate) const EINPROGRESS: Errno = 115;
