//! How packages, files and macros are read.

mod builtin_macros;
mod inputs;
mod json;
mod macros;
mod nesting;
mod packages;
mod projects;
mod roots;
