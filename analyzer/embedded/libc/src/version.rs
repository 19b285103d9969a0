//! The version of the C library.

use crate::*;

/// Since 2.24, std starts processes with `posix_spawn` alone.
pub unsafe fn gnu_get_libc_version() -> *const c_char {
    c"2.39".as_ptr()
}
