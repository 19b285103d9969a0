//! Tests of the whole program, one room for each part of it. `cargo test --test suite lsp::` runs one room.

mod cache;
mod cli;
mod detect;
mod house;
mod lsp;
mod project;
mod replay;
mod safety;
mod support;
