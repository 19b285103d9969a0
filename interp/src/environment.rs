//! The environment of a run: where its output goes and its input comes from.

/// The disk at the start of a run. Changes stay in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disk {
    /// It may contain anything, and operations may fail.
    Any,
    /// It may contain anything; operations succeed.
    Working,
    /// It contains only the folders of every system; operations succeed.
    Empty,
}

/// What exists at a path before a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KnownPath {
    /// Neither file nor folder.
    Nothing,
    /// A folder with these names.
    Folder(Vec<Vec<u8>>),
    /// A file; [`Environment::file`] has its bytes.
    File,
}

/// What a program prints to its standard output, and its exit status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramOutput {
    /// The text.
    pub text: Vec<u8>,
    /// The status.
    pub status: i32,
}

/// A program outside that is started.
#[derive(Clone, Copy, Debug)]
pub struct StartedProgram<'a> {
    /// Its absolute path.
    pub path: &'a [u8],
    /// Its arguments; the first is its name.
    pub args: &'a [Vec<u8>],
    /// Its variables; `None` if they are those of its starter.
    pub variables: Option<&'a [(Vec<u8>, Vec<u8>)]>,
}

impl StartedProgram<'_> {
    /// Whether its starter gave it a variable of this name among its own.
    pub fn sets(&self, name: &str) -> bool {
        self.variables.unwrap_or_default().iter().any(|it| it.0 == name.as_bytes())
    }
}

/// Where a run's output goes and its input comes from. If an input is `None`, any input is possible, and the machine
/// makes one up (see [`crate::inputs`]).
pub trait Environment {
    /// Bytes written to a file descriptor: 1 is standard output, 2 standard error.
    fn write(&mut self, fd: i32, bytes: &[u8]);

    /// At most `len` bytes from standard input; empty at its end.
    fn read(&mut self, len: usize) -> Option<Vec<u8>> {
        let _ = len;
        None
    }

    /// The command line, starting with the program's name. No argument contains a NUL.
    fn args(&mut self) -> Option<Vec<Vec<u8>>> {
        None
    }

    /// Environment variables and their values, without NULs.
    fn variables(&mut self) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        None
    }

    /// The value of a variable that is known although not all are.
    fn variable(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let _ = name;
        None
    }

    /// The files at the start; those that may exist are made up.
    fn disk(&mut self) -> Disk {
        Disk::Any
    }

    /// The working folder at the start, an absolute path; `None` for one that the program cannot know.
    fn folder(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// What exists at an absolute path at the start, whatever [`Environment::disk`] says; `None` if that is not known.
    fn path(&mut self, path: &[u8]) -> Option<KnownPath> {
        let _ = path;
        None
    }

    /// The bytes of a file that [`Environment::path`] knows.
    fn file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        let _ = path;
        None
    }

    /// What a program does; `None` if that is not known. Programs whose code is known run instead.
    fn program(&mut self, program: &StartedProgram<'_>) -> Option<ProgramOutput> {
        let _ = program;
        None
    }

    /// A connection to the outside was refused, as where nobody listens, or a program was not there. On another machine
    /// it might be.
    fn was_refused(&mut self) {}

    /// Some of the bytes that are written next to a file descriptor are uninterpreted.
    fn writes_unknown(&mut self, fd: i32) {
        let _ = fd;
    }

    /// Folders whose files are handed to [`Environment::collect`] when the run ends, as far as the run read or wrote them.
    fn collected(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// A file in a collected folder: its absolute path, and its bytes; `None` if some of these are uninterpreted.
    fn collect(&mut self, path: &[u8], bytes: Option<&[u8]>) {
        let _ = (path, bytes);
    }
}

/// Collects both streams in one buffer.
impl Environment for Vec<u8> {
    fn write(&mut self, _fd: i32, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}
