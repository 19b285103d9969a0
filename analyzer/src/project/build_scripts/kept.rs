//! Results of interpreted build scripts of published packages: many programs use the same ones. They are kept in this
//! process, because the macros of a program need some of them again, and in the user's cache.

use super::interpreted::{Interpreted, ScriptKey, ScriptOutput};
use crate::{
    content_hash::{ContentHash, Names, hash_file, hash_names},
    project::MAX_SOURCE,
    user_files::{Header, Store, StoreKind, Stored},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

const SCRIPTS: StoreKind = StoreKind {
    folder: "scripts",
    header: Header::new("tsvd-check script 1"),
    suffix: ".script",
    limit: 16 << 20,
    kept: 256,
};

/// The results in this process, by the text of their key.
static KEPT: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
/// Maximum number of them, and maximum size of each in bytes.
const MAX_KEPT: usize = 64;
const MAX_SIZE: usize = 1 << 20;

fn kept() -> MutexGuard<'static, BTreeMap<String, Vec<u8>>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The cached results of scripts.
pub(super) struct KeptScripts {
    /// The user's folder; `None` if there is none, others can write to it, or it is not to be used.
    store: Option<Store>,
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
    /// Opens the user's folder if `on_disk`.
    pub(super) fn open(on_disk: bool) -> Option<KeptScripts> {
        let program = fs::metadata(std::env::current_exe().ok()?).ok()?;
        let store = if on_disk { Store::open(&SCRIPTS).ok() } else { None };
        Some(KeptScripts { store, program: (program.len(), program.modified().ok()?) })
    }

    /// The text of a key.
    fn text_of(&self, key: &ScriptKey) -> Option<String> {
        serde_json::to_string(&(key, self.program)).ok()
    }

    /// The stored result for the text of a key, from this process or from the user's folder.
    fn read(&self, text: &str) -> Option<Vec<u8>> {
        if let Some(content) = kept().get(text) {
            return Some(content.clone());
        }
        let store = self.store.as_ref()?;
        match store.read(&store.name_of(text)) {
            Ok(Stored::Content(content)) => Some(content),
            _ => None,
        }
    }

    /// The cached result, if all that was read is unchanged.
    pub(super) fn recall(&self, key: &ScriptKey) -> Option<Interpreted> {
        let text = self.text_of(key)?;
        let kept: KeptScript = serde_json::from_slice(&self.read(&text)?).ok()?;
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
        let (Some(states), Some(text)) = (states, self.text_of(key)) else { return };
        let kept = KeptScript { key: text.clone(), states, output: result.output.clone(), steps: result.steps };
        let Ok(content) = serde_json::to_vec(&kept) else { return };
        if let Some(store) = &self.store
            && store.write(&store.name_of(&text), &content).is_ok()
        {
            let _ = store.clean();
        }
        if content.len() <= MAX_SIZE {
            let mut all = self::kept();
            if all.len() >= MAX_KEPT {
                all.pop_first();
            }
            all.insert(text, content);
        }
    }
}
