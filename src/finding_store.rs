//! Findings that `replay` can show again: each is a small file in the user's cache folder, named by its id. Nothing is
//! written into the folders of programs.

use analyzer::{
    project::Features,
    user_files::{Header, Store, StoreKind, Stored},
};
use serde::{Deserialize, Serialize};
use std::{
    io,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

const FINDINGS: StoreKind = StoreKind {
    folder: "findings",
    header: Header::new("tsvd-check finding 1"),
    suffix: ".finding",
    limit: 1 << 20,
    kept: 1000,
};

/// The folder is cleaned at the first of so many findings that this process writes: it looks at every file.
const CLEANING: u32 = 64;
/// The number of findings written by this process.
static WRITTEN: AtomicU32 = AtomicU32::new(0);

/// Everything that is needed to show a finding again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct RememberedFinding {
    /// The program's package or file.
    pub(crate) path: PathBuf,
    /// Edition of a single file.
    pub(crate) edition: String,
    /// Features of the package.
    #[serde(with = "FeaturesAsFields")]
    pub(crate) features: Features,
    /// Target platform of the package's code.
    pub(crate) target: Option<String>,
    /// Whether build output was not used.
    pub(crate) untrusted: bool,
    /// The program of a package.
    pub(crate) program: String,
    /// The package of a workspace; a single file has none.
    pub(crate) package: Option<String>,
    /// Name of the rule.
    pub(crate) rule: String,
    /// The root cause.
    pub(crate) cause: String,
    /// The schedule.
    pub(crate) witness: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Features")]
struct FeaturesAsFields {
    names: Vec<String>,
    all: bool,
    no_default: bool,
}

/// Whether a text has the form of an id.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Remembers findings by their ids.
///
/// # Errors
///
/// If there is no cache folder, if others than the user can write it, or if writing fails.
pub(crate) fn remember(findings: &[(String, RememberedFinding)]) -> io::Result<()> {
    let store = Store::open(&FINDINGS)?;
    for (id, finding) in findings {
        let text = serde_json::to_vec(finding)?;
        if store.read(id)? != Stored::Content(text.clone()) {
            store.write(id, &text)?;
            if WRITTEN.fetch_add(1, Ordering::Relaxed).is_multiple_of(CLEANING) {
                store.clean()?;
            }
        }
    }
    Ok(())
}

/// The remembered finding with an id. Files that this user has not made are ignored.
///
/// # Errors
///
/// If others than the user can write the cache folder, or it cannot be read.
pub(crate) fn recall(id: &str) -> io::Result<Option<RememberedFinding>> {
    let store = match Store::open(&FINDINGS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        store => store?,
    };
    match store.read(id)? {
        Stored::Content(text) => Ok(serde_json::from_slice(&text).ok()),
        Stored::Nothing | Stored::Damaged => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        assert!(is_id("00ffaa") && !is_id("../../") && !is_id("00ffaag") && !is_id("-"));
    }
}
