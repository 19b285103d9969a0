//! The state of a path when a project was loaded. Contents are compared, never modification times alone.

use analyzer::{
    content_hash::{ContentHash, Names, hash_file, hash_names},
    project::InputPath,
};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, Metadata},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::SystemTime,
};

/// Maximum size of a file that is hashed, in bytes: macro libraries are larger than sources.
const MAX_FILE: u64 = 1 << 30;
/// More threads would only wait for the disk.
const MAX_THREADS: usize = 8;

/// The state of a path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum FileState {
    /// It did not exist.
    Absent,
    /// A file: length, and hash of its content.
    File(u64, ContentHash),
    /// A file whose modification time counts too: cargo compares it.
    DatedFile(u64, ContentHash, SystemTime),
    /// A folder: hash of the names of the sources and folders in it.
    Folder(ContentHash),
    /// A folder in which every name counts.
    WholeFolder(ContentHash),
}

impl FileState {
    /// The current state of a path. `None` if it has none, such as a device.
    fn of(path: &Path, by_time: bool) -> Option<FileState> {
        let data = match fs::metadata(path) {
            Ok(data) => data,
            Err(error) if is_absence(error.kind()) => return Some(FileState::Absent),
            Err(_) => return None,
        };
        let file = || hash_file(path, MAX_FILE).ok();
        match (data.is_dir(), by_time) {
            (true, false) => hash_names(path, Names::Sources).ok().map(FileState::Folder),
            (true, true) => hash_names(path, Names::All).ok().map(FileState::WholeFolder),
            (false, false) => file().map(|(length, hash)| FileState::File(length, hash)),
            (false, true) => {
                let (length, hash) = file()?;
                Some(FileState::DatedFile(length, hash, data.modified().ok()?))
            }
        }
    }

    /// Whether the path is unchanged. A file of different length is not read.
    fn holds(&self, path: &Path) -> bool {
        let data = fs::metadata(path);
        match self {
            FileState::Absent => data.is_err_and(|error| is_absence(error.kind())),
            FileState::File(length, hash) => {
                data.is_ok_and(|data| data.is_file() && data.len() == *length) && is_content(path, *length, *hash)
            }
            FileState::DatedFile(length, hash, changed) => {
                let is_same = |data: Metadata| {
                    data.is_file() && data.len() == *length && data.modified().is_ok_and(|it| it == *changed)
                };
                data.is_ok_and(is_same) && is_content(path, *length, *hash)
            }
            FileState::Folder(hash) => hash_names(path, Names::Sources).is_ok_and(|it| it == *hash),
            FileState::WholeFolder(hash) => hash_names(path, Names::All).is_ok_and(|it| it == *hash),
        }
    }
}

fn is_absence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn is_content(path: &Path, length: u64, hash: ContentHash) -> bool {
    hash_file(path, length).is_ok_and(|it| it == (length, hash))
}

/// The current states of paths. `None` if one may have changed since `began`, or has no state.
pub(super) fn of_all(looked_at: &[InputPath], began: SystemTime) -> Option<Vec<(PathBuf, FileState)>> {
    let states = in_parallel(looked_at, |InputPath { path, by_time }| {
        let state = FileState::of(path, *by_time)?;
        // Checked after its state was taken, so that a change before is noticed too.
        let is_late = fs::metadata(path).is_ok_and(|data| changed_since(&data, began));
        (!is_late).then(|| (path.clone(), state))
    });
    states.map(|mut states| {
        states.sort_by(|one, other| one.0.cmp(&other.0));
        states
    })
}

/// Whether all paths are unchanged.
pub(super) fn all_hold(states: &[(PathBuf, FileState)]) -> bool {
    in_parallel(states, |(path, state)| state.holds(path).then_some(())).is_some()
}

/// Whether a file or the names in a folder have changed, by their times. The time of the last metadata change cannot be
/// set back.
fn changed_since(data: &Metadata, began: SystemTime) -> bool {
    #[cfg(unix)]
    {
        use std::{os::unix::fs::MetadataExt as _, time::Duration};
        let since = began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let nanoseconds = u32::try_from(data.ctime_nsec()).unwrap_or_default();
        let changed = u64::try_from(data.ctime()).map_or(Duration::ZERO, |it| Duration::new(it, nanoseconds));
        if changed >= since {
            return true;
        }
    }
    data.modified().map_or(true, |changed| changed >= began)
}

/// The results for all items, in no particular order; `None` once there is none for one of them.
fn in_parallel<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> Option<R> + Sync) -> Option<Vec<R>> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut results = Vec::new();
        while !stopped.load(Ordering::Relaxed)
            && let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed))
        {
            match f(item) {
                Some(result) => results.push(result),
                None => stopped.store(true, Ordering::Relaxed),
            }
        }
        results
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS).min(items.len().max(1));
    let results = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut results = work();
        for other in others {
            results.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    (!stopped.into_inner()).then_some(results)
}
