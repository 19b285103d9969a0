//! The machine that interprets programs: IR, memory, threads, clocks, schedulers, detectors, native models.
//!
//! It knows nothing of Rust's source, of rust-analyzer, of files or clocks: what it runs comes from a [`host::Host`].

#![forbid(unsafe_code)]

pub mod arith;
pub mod clock;
pub mod detect;
pub mod environment;
mod exec;
mod files;
pub mod finding;
pub mod host;
pub mod inputs;
pub mod ir;
mod machine;
pub mod memory;
pub mod models;
pub mod opt;
pub mod rng;
pub mod run;
pub mod sched;
mod site_cache;
pub mod stack;
pub mod sync;
mod table;
pub mod term;
pub mod text;
mod thread;
pub mod trace;
mod unit;
