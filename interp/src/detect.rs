//! Detectors: they watch the machine and never change it; none depends on another (invariant 7).
//!
//! The machine notifies them by narrow calls: `on_acquire`, `on_wait`, `on_access` and similar. A call returns what it
//! detected, if anything; the machine makes a finding of that (`exec/reports.rs`). Detectors only keep state for
//! findings: a run is the same without them. Who holds a lock and who waits for it is the machine's state
//! ([`crate::sync`]).

pub mod api;
pub mod deadlock;
pub mod order;
pub mod race;
