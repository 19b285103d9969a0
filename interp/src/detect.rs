//! Detectors: they watch what the machine does and never change it; none depends on another (design §3.7).

pub mod api;
pub mod deadlock;
pub mod order;
pub mod race;
