//! What is here only because rust-analyzer 0.0.348 lacks something or has it wrong.
//!
//! Each file is one workaround, whose text says what goes wrong without it, which test shows that, the issue of
//! rust-lang/rust-analyzer if there is one, and when the file can go. `docs/rust-analyzer.md` lists them, with those that
//! cannot be cut out of the code around them; an upgrade starts there.
//!
//! What would stay with a perfect rust-analyzer does not belong here: bounds, what is said of macros that are not expanded,
//! the machine's own layouts.

pub(crate) mod anonymous_parameters;
pub(crate) mod assembly_templates;
pub(crate) mod binary_includes;
pub(crate) mod binders;
pub(crate) mod broken_projections;
pub(crate) mod cfg_rust_analyzer;
pub(crate) mod constant_bounds;
pub(crate) mod crate_graphs;
pub mod database;
pub(crate) mod derives;
pub(crate) mod discriminants;
pub(crate) mod fragments;
pub(crate) mod garbled_expansions;
pub(crate) mod global_allocator;
pub(crate) mod hidden_tails;
pub(crate) mod impls_in_blocks;
pub(crate) mod include_lengths;
pub(crate) mod inference;
pub(crate) mod infinite_types;
pub(crate) mod line_continuations;
pub(crate) mod macro_constants;
pub(crate) mod macro_text;
pub(crate) mod missing_statements;
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
