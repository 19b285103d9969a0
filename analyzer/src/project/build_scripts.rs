//! What build scripts tell their crates, where nothing is built (decision 31).

mod environment;
mod interpreted;
mod kept;
mod known;

pub(super) use environment::TOOLS;
pub(super) use interpreted::{ManifestFacts, ScriptOutput, interpret};
pub(super) use known::{known_cfgs, known_cfgs_of_macros};
