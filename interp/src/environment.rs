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

    /// The files at the start; those that may exist are made up.
    fn disk(&mut self) -> Disk {
        Disk::Any
    }
}

/// Collects both streams in one buffer.
impl Environment for Vec<u8> {
    fn write(&mut self, _fd: i32, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}
