//! What a build script finds when it runs: the variables that cargo sets, the files of its package, `rustc`.

use crate::{project::known_paths::KnownFolder, workarounds::binary_includes};
use interp::environment::{Disk, Environment, KnownPath, ProgramOutput, StartedProgram};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    str,
};

/// The folder of cargo and rustc. It exists only for scripts and macros.
pub(in crate::project) const TOOLS: &str = "/tsvd-check/bin";
/// The folder in which the folders are that scripts write to. It exists only for scripts.
pub(super) const OUTPUT: &str = "/tsvd-check/out";

/// Maximum number of bytes that a script prints.
const MAX_OUTPUT: usize = 1 << 20;
/// Maximum number of bytes that a script writes to files.
const MAX_WRITTEN: usize = 16 << 20;

/// What `rustc --version` and `rustc --version --verbose` print: that of the embedded std.
const VERSION: &[u8] = b"rustc 1.95.0 (59807616e 2026-04-14)\n";
const LONG_VERSION: &[u8] = b"rustc 1.95.0 (59807616e 2026-04-14)\nbinary: rustc\n\
    commit-hash: 59807616e1fa2540724bfbac14d7976d7e4a3860\ncommit-date: 2026-04-14\n\
    host: x86_64-unknown-linux-gnu\nrelease: 1.95.0\nLLVM version: 22.1.2\n";

/// The environment of one run of a script, and what it leaves.
pub(super) struct ScriptEnvironment<'a> {
    /// The package's folder, in which the script starts.
    folder: &'a Path,
    package: KnownFolder,
    /// The folder for the files that the script writes.
    out_dir: &'a str,
    variables: &'a [(String, String)],
    /// Paths of the package that the script asked for.
    pub(super) looked_at: BTreeSet<PathBuf>,
    /// What it printed to standard output; nothing that counts goes to standard error.
    pub(super) printed: Vec<u8>,
    /// The files that it wrote, by their paths in its folder, as sources include them.
    pub(super) written: BTreeMap<String, String>,
    /// Number of bytes that it may still write.
    room: usize,
    /// Whether something that it left is not known.
    pub(super) is_unknown: bool,
}

impl<'a> ScriptEnvironment<'a> {
    /// A new environment; `None` if the package's folder is not there.
    pub(super) fn new(folder: &'a Path, out_dir: &'a str, variables: &'a [(String, String)]) -> Option<Self> {
        Some(ScriptEnvironment {
            folder,
            package: KnownFolder::new(folder, None)?,
            out_dir,
            variables,
            looked_at: BTreeSet::new(),
            printed: Vec::new(),
            written: BTreeMap::new(),
            room: MAX_WRITTEN,
            is_unknown: false,
        })
    }

    /// What exists at a path of the package; `None` if it is not known, or leads out of the package.
    fn in_package(&mut self, path: &Path) -> Option<KnownPath> {
        self.looked_at.insert(path.to_owned());
        self.package.at(path)
    }

    /// The bytes of a file of the package.
    fn bytes_in_package(&mut self, path: &Path) -> Option<Vec<u8>> {
        self.looked_at.insert(path.to_owned());
        self.package.bytes(path)
    }

    /// Whether a stable rustc refuses to compile a source file, whatever else is in it: `#![feature(..)]` needs a nightly
    /// one (error E0554).
    fn needs_nightly(&mut self, argument: &[u8]) -> bool {
        let Ok(argument) = str::from_utf8(argument) else { return false };
        let path = self.folder.join(argument);
        if path.extension().is_none_or(|it| it != "rs") {
            return false;
        }
        let Some(text) = self.bytes_in_package(&path) else { return false };
        String::from_utf8_lossy(&text).lines().any(|line| line.starts_with("#![feature("))
    }
}

impl Environment for ScriptEnvironment<'_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) {
        if fd == 1 {
            self.printed.extend_from_slice(bytes);
            self.is_unknown |= self.printed.len() > MAX_OUTPUT;
            self.printed.truncate(MAX_OUTPUT);
        }
    }

    fn read(&mut self, _len: usize) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn args(&mut self) -> Option<Vec<Vec<u8>>> {
        Some(vec![b"build-script-build".to_vec()])
    }

    fn variables(&mut self) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        let bytes = |(name, value): &(String, String)| (name.clone().into_bytes(), value.clone().into_bytes());
        Some(self.variables.iter().map(bytes).collect())
    }

    fn disk(&mut self) -> Disk {
        Disk::Working
    }

    fn folder(&mut self) -> Option<Vec<u8>> {
        Some(self.folder.as_os_str().as_encoded_bytes().to_vec())
    }

    fn path(&mut self, path: &[u8]) -> Option<KnownPath> {
        let path = Path::new(str::from_utf8(path).ok()?);
        if path == Path::new(self.out_dir) {
            return Some(KnownPath::Folder(Vec::new()));
        }
        if path.starts_with(self.out_dir) {
            return Some(KnownPath::Nothing);
        }
        if path.parent() == Some(Path::new(TOOLS)) {
            let is_tool = ["cargo", "rustc", "rustdoc"].iter().any(|it| path.ends_with(it));
            return Some(if is_tool { KnownPath::File } else { KnownPath::Nothing });
        }
        path.starts_with(self.folder).then(|| self.in_package(path)).flatten()
    }

    fn file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        let path = Path::new(str::from_utf8(path).ok()?);
        if path.starts_with(TOOLS) {
            return Some(Vec::new());
        }
        path.starts_with(self.folder).then(|| self.bytes_in_package(path)).flatten()
    }

    fn program(&mut self, program: &StartedProgram<'_>) -> Option<ProgramOutput> {
        if program.path != format!("{TOOLS}/rustc").as_bytes() {
            return None;
        }
        let args: Vec<&[u8]> = program.args.iter().skip(1).map(Vec::as_slice).collect();
        let output = |text: &[u8], status| Some(ProgramOutput { text: text.to_vec(), status });
        match args[..] {
            [b"--version" | b"-V"] => output(VERSION, 0),
            [b"-vV" | b"-Vv"]
            | [b"--version" | b"-V", b"--verbose" | b"-v"]
            | [b"--verbose" | b"-v", b"--version" | b"-V"] => output(LONG_VERSION, 0),
            _ if program.sets("RUSTC_BOOTSTRAP") => None,
            _ if args.iter().any(|it| self.needs_nightly(it)) => output(b"", 1),
            _ => None,
        }
    }

    fn was_refused(&mut self) {
        self.is_unknown = true;
    }

    fn collected(&mut self) -> Vec<Vec<u8>> {
        vec![self.out_dir.as_bytes().to_vec(), self.folder.as_os_str().as_encoded_bytes().to_vec()]
    }

    fn collect(&mut self, path: &[u8], bytes: Option<&[u8]>) {
        let known = str::from_utf8(path).ok().zip(bytes);
        let room = known.and_then(|(_, bytes)| self.room.checked_sub(bytes.len()));
        let (Some((path, bytes)), Some(room)) = (known, room) else {
            self.is_unknown = true;
            return;
        };
        self.room = room;
        match path.strip_prefix(self.out_dir).and_then(|it| it.strip_prefix('/')) {
            Some(name) => self.written.extend(as_source(name, bytes).map(|text| (name.to_owned(), text))),
            // Sources that it changes would be others in a build.
            None => self.is_unknown |= self.bytes_in_package(Path::new(path)).as_deref() != Some(bytes),
        }
    }
}

/// A file's text as sources include it; `None` if rustc could not read it.
fn as_source(name: &str, bytes: &[u8]) -> Option<String> {
    match name.ends_with(".rs") {
        true => String::from_utf8(bytes.to_vec()).ok(),
        false => Some(binary_includes::from_bytes(bytes.to_vec())),
    }
}
