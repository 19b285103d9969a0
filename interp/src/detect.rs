//! Detectors: they watch what the machine does and never change it; none depends on another (invariant 7).
//!
//! The machine tells them of what happens by narrow calls, `on_acquire`, `on_wait`, `on_access` and their like. A call
//! gives back what it shows, if anything; the machine makes a finding of that (`exec/reports.rs`). All that a detector
//! keeps is for findings: a run is the same without. Who holds a lock and who waits for it is the machine's ([`crate::sync`]).

pub mod api;
pub mod deadlock;
pub mod order;
pub mod race;
