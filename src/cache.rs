//! Reports of `check` kept in the user's cache folder: reused without loading the project while nothing that was read
//! has changed (decision 20).
//!
//! An entry is one file, with a tag that only this user's key makes. It lists every path that was looked at, including
//! those that did not exist, with a hash of the contents. It is trusted only if the list contains all paths that the
//! request implies.

mod state;

use analyzer::{
    project::{self, Input, InputPath},
    report::Part,
    user_files::{self, Header, Store, StoreKind, Stored, UserKey},
};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use state::FileState;
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

const RESULTS: StoreKind = StoreKind {
    folder: "results",
    header: Header::new("tsvd-check report 1"),
    suffix: ".report",
    limit: 64 << 20,
    kept: 256,
};

#[derive(Serialize, Deserialize)]
struct CacheEntry {
    question: CacheKey,
    states: Vec<(PathBuf, FileState)>,
    report: Part,
}

/// Everything that affects a report, besides the files of the project.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct CacheKey {
    options: String,
    /// The path, as given by the user.
    path: PathBuf,
    /// The canonical path.
    canonical: PathBuf,
    /// The current folder.
    folder: PathBuf,
    /// Length and modification time of this program.
    program: (u64, SystemTime),
    environment: Vec<(String, String)>,
}

/// The cache entry of one request.
pub(crate) struct Cache {
    store: Store,
    question: CacheKey,
    name: String,
    began: SystemTime,
}

impl Cache {
    /// The entry for a path. `options` are all relevant ones. `None` if the path does not exist.
    ///
    /// # Errors
    ///
    /// If there is no cache folder, or others than the user can write it.
    pub(crate) fn open(path: &Path, options: &str) -> io::Result<Option<Cache>> {
        let Ok(canonical) = path.canonicalize() else { return Ok(None) };
        let program = std::env::current_exe().and_then(fs::metadata)?;
        let mut environment: Vec<_> = std::env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .filter(|(name, _)| ["CARGO", "RUST"].iter().any(|start| name.starts_with(start)))
            .collect();
        environment.sort();
        let question = CacheKey {
            options: options.to_owned(),
            path: path.to_owned(),
            canonical,
            folder: std::env::current_dir()?,
            program: (program.len(), program.modified()?),
            environment,
        };
        let store = Store::open(&RESULTS)?;
        let name = store.name_of(&serde_json::to_string(&question)?);
        // Taken last: folders created so far, such as the store's, may be in the project.
        Ok(Some(Cache { store, question, name, began: SystemTime::now() }))
    }

    /// The cached report, if all its inputs are unchanged.
    ///
    /// # Errors
    ///
    /// The error is about an entry that is not trusted.
    pub(crate) fn look_up(&self) -> Result<Option<Part>, String> {
        let content = match self.store.read(&self.name) {
            Ok(Stored::Nothing) => return Ok(None),
            Ok(Stored::Content(content)) => content,
            Ok(Stored::Damaged) => return Err("a damaged cached result was thrown away".to_owned()),
            Err(error) => return Err(format!("the cached result is not used: {error}")),
        };
        let entry: CacheEntry = match serde_json::from_slice(&content) {
            Ok(entry) => entry,
            Err(_) => return Err(self.throw_away()),
        };
        if entry.question != self.question {
            return Err(self.throw_away());
        }
        let Some(implied) = self.implied() else { return Ok(None) };
        let listed: FxHashSet<&PathBuf> = entry.states.iter().map(|(path, _)| path).collect();
        if !implied.iter().all(|path| listed.contains(path)) {
            // Its files have changed, or it is not ours.
            return Ok(None);
        }
        Ok(state::all_hold(&entry.states).then_some(entry.report))
    }

    fn throw_away(&self) -> String {
        match self.store.remove(&self.name) {
            Ok(()) => "a damaged cached result was thrown away".to_owned(),
            Err(error) => format!("the cached result is not used: {error}"),
        }
    }

    /// Paths that every report for the request depends on.
    fn implied(&self) -> Option<Vec<PathBuf>> {
        project::implied_paths(&Input::from_path(&self.question.path), &self.question.folder).ok()
    }

    /// Keeps a report, unless something has changed while it was made.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn keep(&self, looked_at: &[InputPath], report: Part) -> io::Result<()> {
        let Some(states) = state::of_all(looked_at, self.began) else { return Ok(()) };
        if self.question.path.canonicalize().ok().as_ref() != Some(&self.question.canonical) {
            return Ok(());
        }
        let entry = CacheEntry { question: self.question.clone(), states, report };
        self.store.write(&self.name, &serde_json::to_vec(&entry)?)?;
        self.store.clean()
    }
}

/// For the fuzzers: bytes that somebody put into the cache are not trusted, and even with the right tag could do no
/// harm.
///
/// # Panics
///
/// If one of these is violated.
pub fn check_kept_result(bytes: &[u8]) {
    let (key, purpose) = (UserKey::from_bytes([7; 32]), "results 0");
    assert_eq!(user_files::verified(&key, purpose, bytes), None, "it has a tag of ours");
    let mut signed = format!("{}\n", key.tag(purpose, bytes)).into_bytes();
    signed.extend(bytes);
    assert_eq!(user_files::verified(&key, purpose, &signed), Some(bytes));
    assert_eq!(user_files::verified(&key, "results 1", &signed), None, "it stands under another name");
    let at = bytes.len() * 31 % signed.len();
    signed[at] ^= 1;
    assert_eq!(user_files::verified(&key, purpose, &signed), None, "byte {at} is another one");
    if let Ok(entry) = serde_json::from_slice::<CacheEntry>(bytes) {
        state::all_hold(&entry.states);
        let written = serde_json::to_string(&entry).expect("it was read");
        let read: CacheEntry = serde_json::from_str(&written).expect("it was written");
        assert_eq!(serde_json::to_string(&read).expect("it was read"), written);
    }
}
