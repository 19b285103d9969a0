//! Processes: starting them, waiting for them, sending them signals (decision 33).

pub(super) mod numbers;
pub(super) mod outside;
pub(super) mod programs;
mod second_program;
pub(super) mod signals;
pub(super) mod spawn;
pub(super) mod wait;
