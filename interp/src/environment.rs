//! The world outside the program: what it prints to, and what it is given.

/// The disk that a run finds. What the program does to it stays in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disk {
    /// Anything may be on it, and what the program does may fail.
    Any,
    /// Anything may be on it; what the program does succeeds.
    Working,
    /// Nothing is on it but the folders that every system has; what the program does succeeds.
    Empty,
}

/// Where a run's output goes and its input comes from. `None` from the inputs: any input is possible, and the
/// machine makes one up (see [`crate::inputs`]).
pub trait Environment {
    /// Bytes written to a file descriptor: 1 is standard output, 2 standard error.
    fn write(&mut self, fd: i32, bytes: &[u8]);

    /// At most `len` bytes from standard input; none at its end.
    fn read(&mut self, len: usize) -> Option<Vec<u8>> {
        let _ = len;
        None
    }

    /// The command line, the program's name first. No argument has a NUL.
    fn args(&mut self) -> Option<Vec<Vec<u8>>> {
        None
    }

    /// Environment variables and their values, without NULs.
    fn variables(&mut self) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        None
    }

    /// What files there are; those that may be there are made up.
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
