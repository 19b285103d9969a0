//! From Rust source to the interpreter's code.
//!
//! The modules follow the data flow: `project` loads a crate and the embedded `std_tree`, `lower` turns HIR into the
//! generic IR of `ir`, `instance` turns that into machine IR for concrete types. `workarounds` has what is only needed
//! because of limitations of rust-analyzer.

#![forbid(unsafe_code)]

pub mod allowed_workspaces;
pub mod budget;
mod call_graph;
pub mod changes;
pub mod check;
pub mod config;
pub mod content_hash;
pub mod crate_models;
pub mod diagnostic;
pub mod escape;
pub mod explore;
pub mod guard;
pub mod harness;
pub mod incremental;
pub mod instance;
pub mod ir;
pub mod lower;
mod names;
mod object_names;
pub mod outcome;
pub mod overdue;
pub mod project;
pub mod report;
mod report_text;
pub mod rules;
pub mod sites;
pub mod source;
pub mod std_models;
pub mod std_tree;
pub mod suppress;
pub mod types;
pub mod user_files;
pub mod witness;
mod workarounds;

pub use check::check;
pub use report::Report;
pub use workarounds::database;
