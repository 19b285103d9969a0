//! The machine that interprets programs: IR, memory, threads, clocks, schedulers, detectors, native models.
//!
//! It knows nothing of Rust's source, of rust-analyzer, of files or clocks: what it runs comes from a [`host::Host`].

pub mod clock;
pub mod detect;
pub mod host;
pub mod ir;
pub mod rng;
pub mod sched;
pub mod text;
