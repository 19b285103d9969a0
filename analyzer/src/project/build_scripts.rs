//! What build scripts tell their crates, where nothing is built (decision 31).

mod interpreted;
mod kept;
mod known;
mod world;

pub(super) use interpreted::{ManifestFacts, ScriptOutput, interpret};
pub(super) use known::known_cfgs;
