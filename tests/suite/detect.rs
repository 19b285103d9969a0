//! Findings: what is reported, and what is not.

mod beginnings;
mod control;
mod environment;
mod fast_bodies;
mod files;
mod harnesses;
mod network;
