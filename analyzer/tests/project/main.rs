//! Loading projects, with the embedded std: obligatory, and a little slow.

mod errors;
mod layouts;
mod package;
mod paths;
mod positions;
mod single;
#[expect(clippy::disallowed_types, reason = "the sizes of std's maps are among those compared")]
mod sizes;
mod std_bodies;
mod support;
mod tree;
