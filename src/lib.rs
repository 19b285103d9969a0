//! `tsvd-check`: command line, output formats, exit statuses.

#![forbid(unsafe_code)]

mod cache;
pub mod cli;
mod finding_store;
pub mod format;
mod line_hash;
mod memory;
mod store;
mod watchdog;

pub use interp::sched::Strategy;

#[doc(hidden)]
pub use cache::check_kept_result;

pub use analyzer::{
    Report,
    diagnostic::{Diagnostic, Role},
    explore::{Options, RUNS, Replayed},
    outcome::Explored,
    rules::{RULES, RuleSpec},
    witness::Witness,
};

use analyzer::{
    explore,
    project::{self, LoadError, Project},
};
use interp::environment::{Disk, Environment};
use std::{
    path::{Path, PathBuf},
    sync::Mutex,
};

/// What an interpreted program did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramOutput {
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Its exit status; -1 if it did not come to its end.
    pub status: i32,
    /// What was not known on the way, or why it did not come to its end.
    pub uninterpreted: Option<String>,
    /// Instructions executed.
    pub steps: u64,
}

/// Programs of one file each over one loaded std, so that many can be interpreted quickly.
pub struct Programs {
    // A database is a snapshot for one thread at a time.
    project: Mutex<Project>,
}

impl Programs {
    /// Loads files with their editions (`"2015"` to `"2024"`).
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn load(files: &[(PathBuf, String)]) -> Result<Programs, LoadError> {
        let files: Vec<_> = files.iter().map(|(path, edition)| (path.clone(), cli::edition(edition))).collect();
        Ok(Programs { project: Mutex::new(project::load_files(&files)?) })
    }

    /// Interprets the program at `path`, one of those loaded.
    pub fn interpret(&self, path: &Path) -> ProgramOutput {
        self.repeatedly(path, |run| run())
    }

    /// Explores the program at `path`, one of those loaded; `None` if it has no `main`.
    pub fn check(&self, path: &Path, options: &Options) -> Option<Explored> {
        let project = self.snapshot();
        project.with_db(|project| {
            let binary = project.program_at(path)?;
            Some(explore::explore(project, &binary, options))
        })
    }

    /// Hands `f` what explores the program at `path`, one of those loaded; its code is made only once. `None` if it has no
    /// `main`.
    pub fn check_repeatedly<R: Send>(
        &self,
        path: &Path,
        f: impl FnOnce(&mut dyn FnMut(&Options) -> Explored) -> R + Send,
    ) -> Option<R> {
        let project = self.snapshot();
        project.with_db(|project| {
            let binary = project.program_at(path)?;
            let mut program = explore::Prepared::new(project, &binary);
            Some(f(&mut |options| program.explore(options)))
        })
    }

    /// Follows one schedule through the program at `path`, one of those loaded; `None` if it has no `main`.
    pub fn replay(&self, path: &Path, witness: &Witness) -> Option<Replayed> {
        let project = self.snapshot();
        project.with_db(|project| {
            let binary = project.program_at(path)?;
            Some(explore::replay(project, &binary, witness))
        })
    }

    fn snapshot(&self) -> Project {
        self.project.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Hands `f` what interprets the program at `path` once more; its code is made only once.
    pub fn repeatedly<R: Send>(&self, path: &Path, f: impl FnOnce(&mut dyn FnMut() -> ProgramOutput) -> R + Send) -> R {
        self.prepared(path, |project, binary| explore::Prepared::new(project, binary), f)
    }

    /// As [`Programs::interpret`], without native bodies of functions that have one of their own.
    pub fn interpret_with_real_bodies(&self, path: &Path) -> ProgramOutput {
        self.prepared(path, |project, binary| explore::Prepared::with_real_bodies(project, binary), |run| run())
    }

    /// As [`Programs::interpret`], with code as it is first made, without inlining and other optimisation.
    pub fn interpret_unoptimised(&self, path: &Path) -> ProgramOutput {
        self.prepared(path, |project, binary| explore::Prepared::unoptimised(project, binary), |run| run())
    }

    fn prepared<R: Send>(
        &self,
        path: &Path,
        prepare: for<'db> fn(&'db Project, &project::EntryPoint) -> explore::Prepared<'db>,
        f: impl FnOnce(&mut dyn FnMut() -> ProgramOutput) -> R + Send,
    ) -> R {
        let project = self.snapshot();
        project.with_db(|project| {
            let Some(binary) = project.program_at(path) else {
                let why = Some("no `main`".to_owned());
                let nothing =
                    ProgramOutput { stdout: Vec::new(), stderr: Vec::new(), status: -1, uninterpreted: why, steps: 0 };
                return f(&mut || nothing.clone());
            };
            let mut program = prepare(project, &binary);
            f(&mut || {
                let mut out = Streams::default();
                let result = program.interpret(&Options::default(), &mut out);
                let unknown = result.uninterpreted.map(|it| format::uninterpreted(&it));
                ProgramOutput {
                    stdout: out.stdout,
                    stderr: out.stderr,
                    // The low byte is what the parent of a process sees.
                    status: result.status.map_or(-1, |it| it & 0xff),
                    uninterpreted: result.cut_short.or(unknown),
                    steps: result.steps,
                }
            })
        })
    }
}

/// Collects both streams apart; there is no input, and nothing on the disk.
#[derive(Default)]
struct Streams {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Environment for Streams {
    fn write(&mut self, fd: i32, bytes: &[u8]) {
        let stream = if fd == 2 { &mut self.stderr } else { &mut self.stdout };
        stream.extend_from_slice(bytes);
    }

    fn read(&mut self, _len: usize) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn args(&mut self) -> Option<Vec<Vec<u8>>> {
        Some(vec![b"program".to_vec()])
    }

    fn variables(&mut self) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        Some(Vec::new())
    }

    fn disk(&mut self) -> Disk {
        Disk::Empty
    }
}
