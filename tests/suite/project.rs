//! Loading of packages, files and macros.

mod build_scripts;
mod builtin_macros;
mod inputs;
mod json;
mod links;
mod macros;
mod nesting;
mod packages;
mod projects;
mod roots;
