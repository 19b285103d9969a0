//! The machine that interprets programs: IR, memory, threads, clocks, schedulers, detectors, native models.
//!
//! It does not depend on Rust's source, rust-analyzer, files or clocks: its code comes from a [`host::Host`].

#![forbid(unsafe_code)]

pub mod arith;
pub mod clock;
pub mod detect;
pub mod environment;
mod exec;
mod files;
pub mod finding;
pub mod harness_calls;
pub mod host;
pub mod inputs;
pub mod ir;
mod machine;
pub mod memory;
pub mod models;
pub mod opt;
mod os;
mod process;
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
