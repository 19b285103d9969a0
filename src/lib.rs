//! `tsvd-check`: command line, output formats, exit statuses.

#![forbid(unsafe_code)]

mod baseline;
mod cache;
pub mod cli;
mod finding_store;
pub mod format;
mod line_hash;
mod memory;
mod time_limit;
mod watchdog;

pub use interp::sched::Strategy;

#[doc(hidden)]
pub use cache::check_kept_result;

pub use analyzer::{
    Report,
    diagnostic::{Diagnostic, Role},
    explore::{Options, RUNS, Replayed},
    outcome::Explored,
    rules::{LATE, RULES, RuleSpec},
    witness::Witness,
};

use analyzer::{
    explore,
    project::{self, Input, LoadError, LoadOptions, Project},
};
use interp::environment::{Disk, Environment};
use std::{
    path::{Path, PathBuf},
    sync::Mutex,
};

/// The outcome of an interpreted program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramOutput {
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// Its exit status; -1 if it did not end.
    pub status: i32,
    /// Uninterpreted values that it met, or why it did not end.
    pub uninterpreted: Option<String>,
    /// Number of executed instructions.
    pub steps: u64,
}

/// Programs that share one loaded std, so that many can be interpreted quickly: single files, or those of a package.
pub struct Programs {
    // A database can be used by one thread at a time.
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

    /// Loads a Cargo package, of which nothing is executed. Each of its programs is found at its root file.
    ///
    /// # Errors
    ///
    /// If the package cannot be loaded.
    pub fn load_package(folder: &Path) -> Result<Programs, LoadError> {
        let options = LoadOptions { ignores_config: true, ..LoadOptions::default() };
        Ok(Programs { project: Mutex::new(project::load(&Input::Package(folder.to_owned()), &options)?) })
    }

    /// Dependencies of the package that are not there, as messages show them.
    pub fn missing_dependencies(&self) -> Vec<String> {
        self.snapshot().left_out().iter().map(ToString::to_string).collect()
    }

    /// Interprets the loaded program at `path`.
    pub fn interpret(&self, path: &Path) -> ProgramOutput {
        self.repeatedly(path, |run| run())
    }

    /// Like [`Programs::interpret`], but for at most so many steps.
    pub fn interpret_at_most(&self, path: &Path, steps: u64) -> ProgramOutput {
        let options = Options { max_steps: Some(steps), ..Options::default() };
        self.prepared(path, |project, binary| explore::Prepared::new(project, binary), &options, |run| run())
    }

    /// Explores the loaded program at `path`; `None` if it has no `main`.
    pub fn check(&self, path: &Path, options: &Options) -> Option<Explored> {
        let project = self.snapshot();
        project.with_db(|project| {
            let binary = project.program_at(path)?;
            Some(explore::explore(project, &binary, options))
        })
    }

    /// Passes `f` a function that explores the loaded program at `path` with shared code. `None` if it has no `main`.
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

    /// Replays a witness in the loaded program at `path`; `None` if it has no `main`.
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

    /// Passes `f` a function that interprets the program at `path` with shared code.
    pub fn repeatedly<R: Send>(&self, path: &Path, f: impl FnOnce(&mut dyn FnMut() -> ProgramOutput) -> R + Send) -> R {
        self.prepared(path, |project, binary| explore::Prepared::new(project, binary), &Options::default(), f)
    }

    /// Like [`Programs::interpret`], without fast bodies.
    pub fn interpret_with_real_bodies(&self, path: &Path) -> ProgramOutput {
        let options = Options::default();
        self.prepared(
            path,
            |project, binary| explore::Prepared::with_real_bodies(project, binary),
            &options,
            |run| run(),
        )
    }

    /// Like [`Programs::interpret`], without inlining and other optimisation.
    pub fn interpret_unoptimised(&self, path: &Path) -> ProgramOutput {
        let options = Options::default();
        self.prepared(path, |project, binary| explore::Prepared::unoptimised(project, binary), &options, |run| run())
    }

    fn prepared<R: Send>(
        &self,
        path: &Path,
        prepare: for<'db> fn(&'db Project, &project::EntryPoint) -> explore::Prepared<'db>,
        options: &Options,
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
                let result = program.interpret(options, &mut out);
                let unknown = result.uninterpreted.map(|it| format::uninterpreted(&it));
                ProgramOutput {
                    stdout: out.stdout,
                    stderr: out.stderr,
                    // The parent of a process sees only the low byte.
                    status: result.status.map_or(-1, |it| it & 0xff),
                    uninterpreted: result.cut_short.or(unknown),
                    steps: result.steps,
                }
            })
        })
    }
}

/// Collects both streams separately; there is no input, and the disk is empty.
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
