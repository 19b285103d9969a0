//! The program at a path.

use crate::environment::Disk;
use crate::files::errno::{EACCES, ENAMETOOLONG, ENOENT, ENOEXEC, ENOTDIR, Errno};
use crate::files::path;
use crate::files::tree::{Kind, PathLookup};
use crate::inputs::ExpectedPath;
use crate::machine::Machine;

/// Permission to execute.
const EXECUTE: u32 = 0o111;
/// Where programs are without `PATH`, as in the C library.
const USUAL: &[u8] = b"/bin:/usr/bin";

/// A program that can be started.
pub(super) struct Found {
    pub(super) path: Vec<u8>,
    /// Its index among the known ones; `None` if it is outside.
    pub(super) index: Option<usize>,
}

impl Machine<'_> {
    /// Puts the files of the known programs on the disk.
    pub(crate) fn settle_programs(&mut self) {
        let programs = self.host.programs();
        for path in programs.known.iter() {
            let token = self.file_token();
            let node = self.files.tree.settle_program(path, token);
            self.files.programs.push(node);
        }
        if !programs.known.iter().any(|path| **path == *programs.own) {
            let token = self.file_token();
            self.files.tree.settle_program(&programs.own, token);
        }
    }

    /// The path of the current process's program.
    pub(in crate::models) fn own_program(&mut self) -> Vec<u8> {
        match self.processes.get(self.process) {
            Some(process) => process.program.clone(),
            None => self.host.programs().own.to_vec(),
        }
    }

    /// Looks for a program as the C library does: in the folders of `PATH`, unless its name is a path.
    pub(super) fn find_program(&mut self, name: &[u8], searched: Option<&[u8]>) -> Result<Found, Errno> {
        if name.is_empty() {
            return Err(ENOENT);
        }
        if path::is_too_long(name) {
            return Err(ENAMETOOLONG);
        }
        if name.contains(&b'/') {
            let path = path::normal(&self.files.current, name);
            return self.program_at(path, true);
        }
        let mut result = ENOENT;
        for folder in searched.unwrap_or(USUAL).split(|byte| *byte == b':') {
            let folder = path::normal(&self.files.current, folder);
            match self.program_at(path::join(&folder, name), false) {
                Ok(found) => return Ok(found),
                Err(EACCES) => result = EACCES,
                Err(ENOENT | ENOTDIR) => {}
                Err(other) => return Err(other),
            }
        }
        if result == ENOENT && self.is_installed()? {
            return Ok(Found { path: path::join(b"/usr/bin", name), index: None });
        }
        Err(result)
    }

    /// Whether a program that nobody knows is there. Any may be; but the results of a known machine do not rest on one.
    fn is_installed(&mut self) -> Result<bool, Errno> {
        match self.environment.disk() {
            Disk::Empty => Ok(false),
            Disk::Working => {
                self.choose(|_, _| ());
                self.environment.was_refused();
                Ok(false)
            }
            Disk::Any => Ok(self.choose(|inputs, chooser| inputs.failure(chooser, &[ENOENT])).is_none()),
        }
    }

    /// The program at a path; `is_sure` if nothing else is tried when it is not there.
    fn program_at(&mut self, path: Vec<u8>, is_sure: bool) -> Result<Found, Errno> {
        let path = self.files.tree.resolve(path, true)?;
        self.settle_known(&path);
        let node = match self.files.tree.find(&path) {
            PathLookup::Unknown if !is_sure || !self.is_installed()? => return Err(ENOENT),
            _ => self.look(&path, ExpectedPath::File)?,
        };
        let it = self.files.tree.node(node);
        match it.kind {
            _ if self.files.programs.contains(&node) => {}
            // It existed before: it may be executable.
            Kind::Unread(_) => return Ok(Found { path, index: None }),
            Kind::File(_) if it.mode & EXECUTE != 0 => return Err(ENOEXEC),
            _ => return Err(EACCES),
        }
        if it.mode & EXECUTE == 0 {
            return Err(EACCES);
        }
        let index = self.files.programs.iter().position(|it| *it == node);
        Ok(Found { path, index })
    }
}
