//! Earlier versions of files, read from a git repository with plumbing that starts no other program.
//!
//! A repository's own configuration is hostile: it can name programs for file monitors, filters, text conversion, remotes
//! and hooks. So git compares nothing and reads no file of the working tree; it only looks up objects, and nothing is
//! fetched that is missing.

use super::{
    read::MAX_SOURCE,
    tools::{ended, uppermost},
};
use crate::{check::messages::quoted, escape};
use std::{
    ffi::OsStr,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Time limit of git, which only looks up objects.
const PATIENCE: Duration = Duration::from_secs(10);

/// The beginnings of git's messages that are passed on. Others quote the repository's configuration, which can include
/// any file of the user's.
const WITHOUT_QUOTES: [&str; 2] = ["not a git repository", "detected dubious ownership"];

/// A commit of a repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
    /// The root of the working tree, canonical.
    root: PathBuf,
    commit: String,
}

impl Revision {
    /// The commit that a user calls `name` in the repository around a path.
    ///
    /// # Errors
    ///
    /// If git cannot be run, there is no repository, or no such commit. The error is a text for the user.
    pub fn named(name: &str, path: &Path) -> Result<Revision, String> {
        let failed = |why: String| format!("cannot compare with `{name}`: {why}");
        let path = std::fs::canonicalize(path).map_err(|error| failed(format!("{}: {error}", escape::path(path))))?;
        let folder = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(&path) };
        // A name that looks like an option would be one.
        if name.is_empty() || name.starts_with('-') {
            return Err(failed("it is no name of a commit".to_owned()));
        }
        let root = line(&asked(folder, ["rev-parse", "--show-toplevel"]).map_err(failed)?);
        let commit = format!("{name}^{{commit}}");
        let commit =
            asked(folder, ["rev-parse", "--verify", "--quiet", &commit]).map_err(|why| match why.as_str() {
                "" => failed(
                    "there is no such commit here; a shallow clone lacks earlier ones, `git fetch` gets them"
                        .to_owned(),
                ),
                _ => failed(why),
            })?;
        Ok(Revision { root: PathBuf::from(root), commit: line(&commit) })
    }

    /// The text of a file in the commit; `None` if it had no such file, or one that is no text or too long.
    pub fn text_of(&self, path: &Path) -> Option<String> {
        let path = std::fs::canonicalize(path).ok()?;
        let path = path.strip_prefix(&self.root).ok()?.to_str()?;
        // Git's paths have slashes on every platform.
        let path = path.replace('\\', if cfg!(windows) { "/" } else { "\\" });
        let listed = asked(&self.root, ["ls-tree", "-z", "-l", "--full-tree", &self.commit, "--", &path]).ok()?;
        // `100644 blob <object> <bytes>\t<path>`
        let listed = String::from_utf8(listed).ok()?;
        let mut words = listed.split('\t').next()?.split_ascii_whitespace().skip(1);
        let (kind, object, bytes) = (words.next()?, words.next()?, words.next()?.parse::<u64>().ok()?);
        if kind != "blob" || bytes > MAX_SOURCE {
            return None;
        }
        String::from_utf8(asked(&self.root, ["cat-file", "blob", object]).ok()?).ok()
    }
}

/// What git answers in a folder. The error is its message, in one line.
fn asked<const N: usize>(folder: &Path, args: [&str; N]) -> Result<Vec<u8>, String> {
    // One object in place of which there is a pipe costs the time limit: more of them cost nothing.
    static HAS_TIMED_OUT: AtomicBool = AtomicBool::new(false);
    if HAS_TIMED_OUT.load(Ordering::Relaxed) {
        return Err("git did not answer earlier".to_owned());
    }
    let mut command = Command::new("git");
    // A program of this name in the repository is not found from the uppermost folder.
    command.current_dir(uppermost(folder)).arg("-C").arg(folder);
    command.args(["--no-pager", "--no-replace-objects", "--literal-pathspecs"]);
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
    // A repository may lack objects that a remote has: fetching them would start what its configuration names.
    let safe = [("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none"), ("GIT_OPTIONAL_LOCKS", "0")];
    command.envs(safe).env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C").args(args.map(OsStr::new));
    // In a hook these say where the commit is made; the folder says where to look.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    let output = ended(&mut command, PATIENCE).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "git is not installed, or not on the PATH".to_owned(),
        ErrorKind::TimedOut => {
            HAS_TIMED_OUT.store(true, Ordering::Relaxed);
            format!("git does not answer: {error}; something in `.git` may be no regular file")
        }
        _ => format!("git cannot be run: {error}"),
    })?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.lines().next().unwrap_or_default().trim_start_matches("fatal: ");
            let is_plain = said.is_empty() || WITHOUT_QUOTES.iter().any(|it| said.starts_with(it));
            let other = || format!("git fails there; `git -C {} status` may say why", quoted(folder));
            Err(if is_plain { said.to_owned() } else { other() })
        }
    }
}

/// An answer of one line.
fn line(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).trim_end_matches(['\r', '\n']).to_owned()
}
