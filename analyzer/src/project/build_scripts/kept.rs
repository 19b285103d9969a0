//! Results of interpreted build scripts in the user's cache, for published packages: many programs use the same ones.

use super::interpreted::{Interpreted, ScriptKey, ScriptOutput};
use crate::{
    content_hash::{ContentHash, Names, hash_file, hash_names},
    project::MAX_SOURCE,
    user_files::{Header, Store, StoreKind, Stored},
};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

const SCRIPTS: StoreKind = StoreKind {
    folder: "scripts",
    header: Header::new("tsvd-check script 1"),
    suffix: ".script",
    limit: 16 << 20,
    kept: 256,
};

/// The cached results of scripts.
pub(super) struct KeptScripts {
    store: Store,
    /// Length and modification time of this program: another one may interpret differently.
    program: (u64, SystemTime),
}

#[derive(Serialize, Deserialize)]
struct KeptScript {
    key: String,
    /// What was read, with what was there.
    states: Vec<(PathBuf, State)>,
    output: Option<ScriptOutput>,
    steps: u64,
}

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum State {
    Nothing,
    File(ContentHash),
    Folder(ContentHash),
}

impl State {
    /// The state of a path; `None` if it is neither a file nor a folder.
    fn of(path: &Path) -> Option<State> {
        match fs::metadata(path) {
            Err(_) => Some(State::Nothing),
            Ok(data) if data.is_dir() => hash_names(path, Names::All).ok().map(State::Folder),
            Ok(_) => hash_file(path, MAX_SOURCE).ok().map(|(_, hash)| State::File(hash)),
        }
    }
}

impl KeptScripts {
    /// Opens the folder; `None` if the user has none, or others can write to it.
    pub(super) fn open() -> Option<KeptScripts> {
        let program = fs::metadata(std::env::current_exe().ok()?).ok()?;
        Some(KeptScripts { store: Store::open(&SCRIPTS).ok()?, program: (program.len(), program.modified().ok()?) })
    }

    /// The name and the text of a key.
    fn place_of(&self, key: &ScriptKey) -> Option<(String, String)> {
        let text = serde_json::to_string(&(key, self.program)).ok()?;
        Some((self.store.name_of(&text), text))
    }

    /// The cached result, if all that was read is unchanged.
    pub(super) fn recall(&self, key: &ScriptKey) -> Option<Interpreted> {
        let (name, text) = self.place_of(key)?;
        let Ok(Stored::Content(content)) = self.store.read(&name) else { return None };
        let kept: KeptScript = serde_json::from_slice(&content).ok()?;
        let has_root = kept.states.iter().any(|(path, _)| *path == key.root);
        let holds = kept.states.iter().all(|(path, state)| State::of(path) == Some(*state));
        let looked_at = kept.states.into_iter().map(|(path, _)| path).collect();
        (kept.key == text && has_root && holds).then_some(Interpreted {
            output: kept.output,
            looked_at,
            steps: kept.steps,
        })
    }

    /// Keeps a result. If that fails, the script is interpreted again the next time.
    pub(super) fn keep(&self, key: &ScriptKey, result: &Interpreted) {
        let states: Option<Vec<_>> =
            result.looked_at.iter().map(|path| Some((path.clone(), State::of(path)?))).collect();
        let (Some(states), Some((name, text))) = (states, self.place_of(key)) else { return };
        let kept = KeptScript { key: text, states, output: result.output.clone(), steps: result.steps };
        if let Ok(content) = serde_json::to_vec(&kept)
            && self.store.write(&name, &content).is_ok()
        {
            let _ = self.store.clean();
        }
    }
}
