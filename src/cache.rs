//! What `check` said of a project, kept in its target folder: said again without loading the project while nothing that was
//! read has changed (design §8).
//!
//! An entry is one file. It lists every path that was looked at, also those that were not there, with what tells a change.
//! It is written whole or not at all, and carries its own hash: what is damaged is thrown away.

use analyzer::project::{LookedAt, is_described_by_json, project_around};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsStr,
    fs,
    hash::{DefaultHasher, Hash, Hasher as _},
    io::{ErrorKind, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Stands before the hash of what follows.
const MAGIC: &str = "tsvd-check result ";
/// So many entries are kept; the oldest ones go.
const KEPT: usize = 64;

/// All that was said, and the exit status.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Said {
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// Exit status.
    pub(crate) status: u8,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    question: String,
    seen: Vec<(PathBuf, Seen)>,
    said: Said,
}

/// What a path was when it was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Seen {
    /// There was nothing.
    Absent,
    /// A file: length, time of its last change, hash of what is in it.
    File(u64, Option<SystemTime>, u64),
    /// A file of which the time itself counts: length and time.
    Dated(u64, Option<SystemTime>),
    /// A folder: hash of the names of the sources and folders in it.
    Folder(u64),
    /// A folder of which every name counts: their hash.
    Whole(u64),
}

impl Seen {
    fn now(path: &Path, by_time: bool) -> Seen {
        let Ok(data) = fs::metadata(path) else { return Seen::Absent };
        match (data.is_dir(), by_time) {
            (true, false) => Seen::Folder(hash_of_names(path, false)),
            (true, true) => Seen::Whole(hash_of_names(path, true)),
            (false, false) => Seen::File(data.len(), data.modified().ok(), hash_of_file(path)),
            (false, true) => Seen::Dated(data.len(), data.modified().ok()),
        }
    }

    /// Whether the path is as it was. A file that was only touched is, unless its time counts.
    fn holds(&self, path: &Path) -> bool {
        match self {
            Seen::File(length, changed, hash) => fs::metadata(path).is_ok_and(|data| {
                let is_same_time = changed.is_some() && data.modified().ok() == *changed;
                data.is_file() && data.len() == *length && (is_same_time || hash_of_file(path) == *hash)
            }),
            Seen::Absent | Seen::Folder(_) => *self == Seen::now(path, false),
            Seen::Dated(..) | Seen::Whole(_) => *self == Seen::now(path, true),
        }
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn hash_of_file(path: &Path) -> u64 {
    fs::read(path).map_or(0, hash_of)
}

/// Of what modules and targets are found by, or of everything; where cargo and we write does not count.
fn hash_of_names(folder: &Path, is_whole: bool) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries
        .filter(|entry| {
            let name = entry.file_name();
            let is_other = || name != "target" && !name.to_string_lossy().starts_with('.');
            let is_source = Path::new(&name).extension() == Some(OsStr::new("rs"));
            is_source || is_other() && (is_whole || entry.path().is_dir())
        })
        .map(|entry| entry.file_name())
        .collect();
    names.sort();
    hash_of(names)
}

/// The results of a package, or of a single file.
pub(crate) struct Cache {
    folder: PathBuf,
    question: String,
    began: SystemTime,
}

impl Cache {
    /// The results for a path, if there is a place for them. `question` are all options that matter.
    pub(crate) fn of(path: &Path, question: &str) -> Option<Cache> {
        let path = std::path::absolute(path).ok()?;
        let here = std::env::current_dir().ok()?;
        let program = std::env::current_exe().and_then(fs::metadata).ok()?;
        let program = (program.len(), program.modified().ok()?);
        let environment: Vec<_> = std::env::vars_os()
            .filter(|(name, _)| ["CARGO", "RUST"].iter().any(|start| name.to_string_lossy().starts_with(start)))
            .collect();
        let question =
            format!("{question}\n{}\n{}\n{:x}", path.display(), here.display(), hash_of((program, environment)));
        Some(Cache { folder: folder(&path)?, question, began: SystemTime::now() })
    }

    fn file(&self) -> PathBuf {
        self.folder.join(format!("{:016x}", hash_of(&self.question)))
    }

    /// What was said when everything was as it is now. The error is a word about an entry that was thrown away.
    pub(crate) fn look_up(&self) -> Result<Option<Said>, String> {
        let text = match fs::read(self.file()) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("the cached result cannot be read: {error}")),
        };
        let Some(entry) = parse(&text) else {
            // Another process may have done so.
            let _ = fs::remove_file(self.file());
            return Err("a damaged cached result was thrown away".to_owned());
        };
        let holds = entry.question == self.question && entry.seen.iter().all(|(path, seen)| seen.holds(path));
        Ok(holds.then_some(entry.said))
    }

    /// Keeps what was said, unless something was changed while it was looked at. What cannot be written is not kept.
    pub(crate) fn keep(&self, looked_at: Vec<LookedAt>, said: Said) -> std::io::Result<()> {
        let seen: Vec<_> = looked_at
            .into_iter()
            .map(|LookedAt { path, by_time }| {
                let seen = Seen::now(&path, by_time);
                (path, seen)
            })
            .collect();
        let is_late = |seen: &Seen| match seen {
            Seen::File(_, Some(changed), _) | Seen::Dated(_, Some(changed)) => *changed >= self.began,
            _ => false,
        };
        if seen.iter().any(|(_, seen)| is_late(seen)) {
            return Ok(());
        }
        let entry = Entry { question: self.question.clone(), seen, said };
        let body = serde_json::to_string(&entry)?;
        fs::create_dir_all(&self.folder)?;
        // Two processes may do so at once, and one may be killed: what stands there is always whole.
        let draft = self.folder.join(format!("draft-{}", std::process::id()));
        let mut file = fs::File::create(&draft)?;
        write!(file, "{MAGIC}{:016x}\n{body}", hash_of(body.as_bytes()))?;
        drop(file);
        fs::rename(&draft, self.file())?;
        crate::remembered::forget_the_oldest(&self.folder, KEPT)
    }
}

fn parse(text: &[u8]) -> Option<Entry> {
    let (head, body) = std::str::from_utf8(text).ok()?.split_once('\n')?;
    let hash = head.strip_prefix(MAGIC)?;
    if u64::from_str_radix(hash, 16).ok()? != hash_of(body.as_bytes()) {
        return None;
    }
    serde_json::from_str(body).ok()
}

/// Where the results of a path are: in the target folder of the package or workspace; in the user's cache folder for what is
/// none of cargo's.
fn folder(path: &Path) -> Option<PathBuf> {
    let is_file = path.extension().is_some_and(|it| it == "rs") && !path.is_dir();
    if is_file || is_described_by_json(path) {
        return Some(crate::remembered::cache_folder()?.join("results"));
    }
    let folder = if path.is_dir() { path } else { path.parent()? };
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => std::path::absolute(target).ok()?,
        None => {
            let folder = project_around(folder)?;
            let is_root = |it: &&Path| {
                fs::read_to_string(it.join("Cargo.toml"))
                    .is_ok_and(|text| text.lines().any(|line| line.trim().starts_with("[workspace")))
            };
            folder.ancestors().find(is_root).unwrap_or(&folder).join("target")
        }
    };
    Some(target.join("tsvd-check"))
}
