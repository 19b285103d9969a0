//! Loading projects, with the embedded std: obligatory, and a little slow.

mod errors;
mod layouts;
mod package;
mod paths;
mod single;
mod sizes;
mod std_bodies;
mod support;
mod tree;
