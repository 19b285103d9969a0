//! Detectors: they watch what the machine does and never change it; none depends on another (invariant 7).

pub mod api;
pub mod deadlock;
pub mod order;
pub mod race;
