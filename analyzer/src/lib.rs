//! From Rust source to the interpreter's code: projects, lowering, instances, layouts, rules.

pub mod project;
pub mod std_tree;
