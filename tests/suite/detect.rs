//! What is found, and what is not told.

mod control;
mod environment;
mod fast_bodies;
mod files;
mod harnesses;
