//! The repository itself: its invariants, dependencies and toolchain.

mod dependencies;
mod documents;
mod invariants;
mod toolchain;
mod workarounds;
