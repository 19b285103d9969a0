//! Tests of the whole program, one module for each part. `cargo test --test suite lsp::` runs one module.

mod cache;
mod cli;
mod detect;
mod house;
mod lsp;
mod project;
mod replay;
mod safety;
mod support;
