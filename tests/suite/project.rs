//! Loading of packages, files and macros.

mod build_scripts;
mod builtin_async;
mod builtin_derives;
mod builtin_macros;
mod builtin_tests;
mod doc_tests;
mod inputs;
mod interpreted_macros;
mod json;
mod links;
mod macros;
mod nesting;
mod optional_features;
mod packages;
mod projects;
mod roots;
