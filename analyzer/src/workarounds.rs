//! Workarounds for defects and omissions of rust-analyzer 0.0.348.
//!
//! Each file is one workaround. Its module documentation lists the symptom, the test, the issue of
//! rust-lang/rust-analyzer if one is known, and when the file can be deleted. `docs/rust-analyzer.md` lists all of
//! them, and those that cannot be separated from the surrounding code. An upgrade starts there.
//!
//! Code that a perfect rust-analyzer would not make obsolete belongs elsewhere: bounds, reports about macros that are
//! not expanded, the machine's own layouts.

pub(crate) mod anonymous_parameters;
pub(crate) mod assembly_templates;
pub(crate) mod binary_includes;
pub(crate) mod binders;
pub(crate) mod broken_projections;
pub(crate) mod cfg_rust_analyzer;
pub(crate) mod constant_bounds;
pub(crate) mod crate_graphs;
pub mod database;
mod deep_bounds;
pub(crate) mod derive_bounds;
pub(crate) mod derives;
pub(crate) mod discriminants;
pub(crate) mod fragments;
pub(crate) mod garbled_expansions;
pub(crate) mod global_allocator;
pub(crate) mod hidden_tails;
pub(crate) mod impls_in_blocks;
pub(crate) mod impls_in_bodies;
pub(crate) mod include_lengths;
pub(crate) mod inference;
pub(crate) mod infinite_types;
pub(crate) mod late_macros;
pub(crate) mod line_continuations;
pub(crate) mod macro_constants;
pub(crate) mod macro_text;
pub(crate) mod missing_newlines;
pub(crate) mod missing_statements;
pub(crate) mod mutable_places;
pub(crate) mod negative_floats;
pub(crate) mod negative_literals;
pub(crate) mod niches;
pub(crate) mod old_panic;
pub(crate) mod old_ranges;
pub(crate) mod promotable_functions;
pub(crate) mod raw_repr;
pub(crate) mod rpitit;
pub(crate) mod source_depth;
pub(crate) mod specialised_functions;
pub(crate) mod specialised_types;
pub(crate) mod super_lets;
pub(crate) mod type_size;
pub(crate) mod unsized_tails;
