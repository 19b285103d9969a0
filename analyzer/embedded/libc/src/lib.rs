//! Stands in for the crate of this name: the types, constants and functions of x86_64 Linux with glibc that std
//! names, with their real sizes and values, so that names resolve and types have layouts.
#![no_std]
#![allow(non_camel_case_types, non_snake_case)]

mod constants;
mod errors;
mod functions;
mod helpers;
mod types;
mod version;

pub use constants::*;
pub use core::ffi::{
    c_char, c_double, c_float, c_int, c_long, c_longlong, c_schar, c_short, c_uchar, c_uint,
    c_ulong, c_ulonglong, c_ushort, c_void,
};
pub use errors::*;
pub use functions::*;
pub use helpers::*;
pub use types::*;
