//! Calls on paths: creating, removing and renaming files.

use super::descriptors::UMASK;
use super::{AT_FDCWD, Answer, Call, NoResult};
use crate::files::errno::{EACCES, EBUSY, EEXIST, EINVAL, EIO, ENAMETOOLONG, ENOENT, ENOSPC, ENOTDIR, ERANGE, Errno};
use crate::files::open::OpenObject;
use crate::files::tree::{Kind, NodeId, PathLookup};
use crate::files::{HOME, path};
use crate::inputs::ExpectedPath;
use crate::machine::Machine;

/// Flags of the calls that take a folder's descriptor.
const AT_REMOVEDIR: u64 = 0x200;
const AT_SYMLINK_FOLLOW: u64 = 0x400;
const AT_SYMLINK_NOFOLLOW: u64 = 0x100;
/// A mode of `access`.
const W_OK: u64 = 2;
const WRITE: u32 = 0o200;
/// Special values for times.
const UTIME_NOW: u64 = 0x3fff_ffff;
const UTIME_OMIT: u64 = 0x3fff_fffe;
const SECOND: u64 = 1_000_000_000;
/// The folder with links for open descriptors.
const DESCRIPTORS: &[u8] = b"/proc/self/fd";
/// The link to the program.
const PROGRAM: &[u8] = b"/proc/self/exe";

impl Machine<'_> {
    /// A path at which something is created.
    fn new_name(&mut self, path: Vec<u8>, expect: ExpectedPath) -> Result<Vec<u8>, Errno> {
        let path = self.files.tree.resolve(path, false)?;
        match self.look(&path, expect) {
            Ok(_) => return Err(EEXIST),
            Err(ENOENT) => {}
            Err(errno) => return Err(errno),
        }
        self.look_folder_of(&path)?;
        Ok(path)
    }

    fn make_folder(&mut self, path: Vec<u8>, mode: u32) -> Answer {
        let answers = self.inputs.answers;
        let path = self.new_name(path, ExpectedPath::NewFolder)?;
        self.may_fail(answers, &[EACCES, ENOSPC])?;
        let token = self.file_token();
        let folder = Kind::Folder { whole: true };
        let node = self.files.tree.add(folder, mode & !UMASK & 0o7777, self.now, token);
        self.files.tree.put(&path, node);
        self.publish_file(token);
        Ok(0)
    }

    fn remove_folder(&mut self, path: Vec<u8>) -> Answer {
        let answers = self.inputs.answers;
        let path = self.files.tree.resolve(path, false)?;
        let node = self.look(&path, ExpectedPath::Folder)?;
        if !self.files.tree.is_folder(node) {
            return Err(NoResult::Errno(ENOTDIR));
        }
        if path::parent(&path).is_none() {
            return Err(NoResult::Errno(EBUSY));
        }
        // Its other entries are made up now.
        self.names_of(&path, node);
        self.look_folder_of(&path)?;
        self.may_fail(answers, &[EACCES, EBUSY])?;
        self.files.tree.rmdir(&path, node)?;
        Ok(0)
    }

    fn remove_file(&mut self, path: Vec<u8>) -> Answer {
        let answers = self.inputs.answers;
        let path = self.files.tree.resolve(path, false)?;
        let node = self.look(&path, ExpectedPath::File)?;
        if !self.files.tree.is_folder(node) {
            self.look_folder_of(&path)?;
            self.may_fail(answers, &[EACCES, EBUSY])?;
        }
        self.files.tree.unlink(&path, node)?;
        self.release_node(node);
        Ok(0)
    }

    fn rename(&mut self, from: Vec<u8>, to: Vec<u8>) -> Answer {
        let answers = self.inputs.answers;
        let from = self.files.tree.resolve(from, false)?;
        let to = self.files.tree.resolve(to, false)?;
        let node = self.look(&from, ExpectedPath::File)?;
        let there = match self.files.tree.find(&to) {
            PathLookup::Node(there) => Some(there),
            // Whatever existed, it is replaced.
            PathLookup::Unknown | PathLookup::Nothing(ENOENT) => None,
            PathLookup::Nothing(errno) => return Err(NoResult::Errno(errno)),
        };
        if let Some(there) = there
            && self.files.tree.is_folder(node)
        {
            self.names_of(&to, there);
        }
        self.files.tree.may_rename((&from, node), (&to, there))?;
        self.look_folder_of(&from)?;
        self.look_folder_of(&to)?;
        self.may_fail(answers, &[EACCES, EIO])?;
        self.files.tree.rename(&from, &to, there);
        self.files.table.renamed(&from, &to);
        if let Some(there) = there {
            self.release_node(there);
        }
        let token = self.files.tree.node(node).token;
        self.publish_file(token);
        Ok(0)
    }

    fn hard_link(&mut self, from: Vec<u8>, to: Vec<u8>, follows: bool) -> Answer {
        let answers = self.inputs.answers;
        let from = self.files.tree.resolve(from, follows)?;
        let node = self.look(&from, ExpectedPath::File)?;
        if self.files.tree.is_folder(node) {
            return Err(NoResult::Errno(EACCES));
        }
        let to = self.new_name(to, ExpectedPath::NewFile)?;
        self.may_fail(answers, &[EACCES, ENOSPC])?;
        self.files.tree.link(&to, node)?;
        Ok(0)
    }

    /// The node at a path; `follows` says whether to follow a last symbolic link.
    fn there(&mut self, path: Vec<u8>, follows: bool) -> Result<NodeId, Errno> {
        let path = self.files.tree.resolve(path, follows)?;
        self.look(&path, ExpectedPath::Any)
    }

    fn set_mode(&mut self, node: NodeId, mode: u32) -> Answer {
        self.files.tree.node_mut(node).mode = mode & 0o7777;
        Ok(0)
    }
}

impl Call<'_, '_> {
    /// The node of a descriptor argument.
    fn open_node(&mut self, index: usize) -> Result<NodeId, NoResult> {
        let table = &self.machine.files.table;
        match table.opened(table.get(self.int(index)?)?).what {
            OpenObject::Node { node, .. } => Ok(node),
            _ => Err(NoResult::Errno(EINVAL)),
        }
    }

    /// The node at a path, whose change the system may refuse.
    fn changed_node(&mut self, folder: i32, index: usize, follows: bool) -> Result<NodeId, NoResult> {
        let answers = self.machine.inputs.answers;
        let path = self.path(folder, index)?;
        let node = self.machine.there(path, follows)?;
        self.machine.may_fail(answers, &[EACCES])?;
        Ok(node)
    }

    /// Sets the access and modification times of a node from two `timespec`s.
    fn set_times(&mut self, node: NodeId, times: u64) -> Answer {
        let now = self.machine.now;
        let time = |at: u64, old: u64| -> Result<u64, NoResult> {
            if times == 0 {
                return Ok(now);
            }
            let seconds = self.machine.load_word(times.wrapping_add(at), 8)?;
            Ok(match self.machine.load_word(times.wrapping_add(at + 8), 8)? {
                UTIME_NOW => now,
                UTIME_OMIT => old,
                nanos => seconds.saturating_mul(SECOND).saturating_add(nanos),
            })
        };
        let known = self.machine.files.tree.node(node);
        let (accessed, changed) = (time(0, known.accessed)?, time(16, known.changed)?);
        let node = self.machine.files.tree.node_mut(node);
        (node.accessed, node.changed) = (accessed, changed);
        Ok(0)
    }
}

/// `mkdir(path, mode)`
pub(in super::super) fn mkdir(call: &mut Call<'_, '_>) -> Answer {
    let (path, mode) = (call.path(AT_FDCWD, 0)?, call.arg(1)? as u32);
    call.machine.make_folder(path, mode)
}

/// `mkdirat(folder, path, mode)`
pub(in super::super) fn mkdirat(call: &mut Call<'_, '_>) -> Answer {
    let (path, mode) = (call.path(call.int(0)?, 1)?, call.arg(2)? as u32);
    call.machine.make_folder(path, mode)
}

/// `rmdir(path)`
pub(in super::super) fn rmdir(call: &mut Call<'_, '_>) -> Answer {
    let path = call.path(AT_FDCWD, 0)?;
    call.machine.remove_folder(path)
}

/// `unlink(path)`
pub(in super::super) fn unlink(call: &mut Call<'_, '_>) -> Answer {
    let path = call.path(AT_FDCWD, 0)?;
    call.machine.remove_file(path)
}

/// `unlinkat(folder, path, flags)`
pub(in super::super) fn unlinkat(call: &mut Call<'_, '_>) -> Answer {
    let path = call.path(call.int(0)?, 1)?;
    match call.arg(2)? & AT_REMOVEDIR {
        0 => call.machine.remove_file(path),
        _ => call.machine.remove_folder(path),
    }
}

/// `rename(from, to)`
pub(in super::super) fn rename(call: &mut Call<'_, '_>) -> Answer {
    let (from, to) = (call.path(AT_FDCWD, 0)?, call.path(AT_FDCWD, 1)?);
    call.machine.rename(from, to)
}

/// `renameat(folder, from, folder, to)`
pub(in super::super) fn renameat(call: &mut Call<'_, '_>) -> Answer {
    let (from, to) = (call.path(call.int(0)?, 1)?, call.path(call.int(2)?, 3)?);
    call.machine.rename(from, to)
}

/// `link(from, to)`
pub(in super::super) fn link(call: &mut Call<'_, '_>) -> Answer {
    let (from, to) = (call.path(AT_FDCWD, 0)?, call.path(AT_FDCWD, 1)?);
    call.machine.hard_link(from, to, false)
}

/// `linkat(folder, from, folder, to, flags)`
pub(in super::super) fn linkat(call: &mut Call<'_, '_>) -> Answer {
    let (from, to) = (call.path(call.int(0)?, 1)?, call.path(call.int(2)?, 3)?);
    let follows = call.arg(4)? & AT_SYMLINK_FOLLOW != 0;
    call.machine.hard_link(from, to, follows)
}

/// `symlink(target, path)`
pub(in super::super) fn symlink(call: &mut Call<'_, '_>) -> Answer {
    let answers = call.machine.inputs.answers;
    let target = call.text(0)?;
    if target.is_empty() {
        return Err(NoResult::Errno(ENOENT));
    }
    // Names that are too long are only reported when the link is followed.
    if target.len() >= path::LONGEST {
        return Err(NoResult::Errno(ENAMETOOLONG));
    }
    let path = call.path(AT_FDCWD, 1)?;
    let path = call.machine.new_name(path, ExpectedPath::NewFile)?;
    call.machine.may_fail(answers, &[EACCES, ENOSPC])?;
    let (now, token) = (call.machine.now, call.machine.file_token());
    let node = call.machine.files.tree.add(Kind::Link(target), 0o777, now, token);
    call.machine.files.tree.put(&path, node);
    Ok(0)
}

/// `readlink(path, buffer, length)`
pub(in super::super) fn readlink(call: &mut Call<'_, '_>) -> Answer {
    let path = call.path(AT_FDCWD, 0)?;
    let (buffer, room) = (call.arg(1)?, call.arg(2)? as usize);
    let target = match path::below(DESCRIPTORS, &path) {
        _ if path == PROGRAM => call.machine.own_program(),
        Some(number) => call.machine.path_open_as(number)?,
        None => {
            let path = call.machine.files.tree.resolve(path, false)?;
            let node = call.machine.look(&path, ExpectedPath::File)?;
            match &call.machine.files.tree.node(node).kind {
                Kind::Link(target) => target.clone(),
                _ => return Err(NoResult::Errno(EINVAL)),
            }
        }
    };
    let stored = target.get(..room).unwrap_or(&target);
    call.store_bytes(buffer, stored)?;
    Ok(stored.len() as u64)
}

impl Machine<'_> {
    /// The path of the file that is open under this descriptor number.
    fn path_open_as(&self, number: &[u8]) -> Result<Vec<u8>, Errno> {
        let number = std::str::from_utf8(number).ok().and_then(|it| it.parse().ok());
        let opened = self.files.table.get(number.unwrap_or(-1)).map_err(|_| ENOENT)?;
        Ok(match &self.files.table.opened(opened).what {
            OpenObject::Node { path, .. } => path.clone(),
            OpenObject::Pipe { pipe, .. } => format!("pipe:[{pipe}]").into_bytes(),
            OpenObject::Counter(_) => b"anon_inode:[eventfd]".to_vec(),
            OpenObject::Timer(_) => b"anon_inode:[timerfd]".to_vec(),
            OpenObject::Epoll(_) => b"anon_inode:[eventpoll]".to_vec(),
            OpenObject::Process(_) => b"anon_inode:[pidfd]".to_vec(),
            OpenObject::Signals(_) => b"anon_inode:[signalfd]".to_vec(),
            OpenObject::Input | OpenObject::Output(_) | OpenObject::Socket(_) | OpenObject::Other => {
                format!("socket:[{opened}]").into_bytes()
            }
        })
    }
}

impl Call<'_, '_> {
    /// Writes bytes into the program's memory.
    pub(in crate::models) fn store_bytes(&mut self, to: u64, bytes: &[u8]) -> Result<(), NoResult> {
        if !bytes.is_empty() {
            let (index, offset) = self.machine.memory.writable(to, bytes.len())?;
            self.machine.memory.bytes_mut(index, offset, bytes.len()).copy_from_slice(bytes);
            self.machine.memory.clear_uninterpreted(index, offset, bytes.len());
        }
        Ok(())
    }
}

/// `realpath(path, buffer)`
pub(in super::super) fn realpath(call: &mut Call<'_, '_>) -> Answer {
    let (path, buffer) = (call.path(AT_FDCWD, 0)?, call.arg(1)?);
    let path = call.machine.files.tree.resolve(path, true)?;
    call.machine.look(&path, ExpectedPath::Any)?;
    if buffer == 0 {
        return Ok(call.machine.c_string(&path)?);
    }
    call.store_bytes(buffer, &[&path, &b"\0"[..]].concat())?;
    Ok(buffer)
}

/// `getcwd(buffer, length)`
pub(in super::super) fn getcwd(call: &mut Call<'_, '_>) -> Answer {
    let (buffer, room) = (call.arg(0)?, call.arg(1)?);
    let folder = [&call.machine.files.current, &b"\0"[..]].concat();
    if folder.strip_suffix(b"\0") == Some(HOME) {
        // The program may be started anywhere.
        call.machine.choose(|_, _| ());
    }
    if room < folder.len() as u64 {
        return Err(NoResult::Errno(ERANGE));
    }
    call.store_bytes(buffer, &folder)?;
    Ok(buffer)
}

/// `chdir(path)`
pub(in super::super) fn chdir(call: &mut Call<'_, '_>) -> Answer {
    let path = call.path(AT_FDCWD, 0)?;
    let path = call.machine.files.tree.resolve(path, true)?;
    let node = call.machine.look(&path, ExpectedPath::Folder)?;
    if !call.machine.files.tree.is_folder(node) {
        return Err(NoResult::Errno(ENOTDIR));
    }
    call.machine.files.current = path;
    Ok(0)
}

/// `fchdir(fd)`
pub(in super::super) fn fchdir(call: &mut Call<'_, '_>) -> Answer {
    let descriptor = call.int(0)?;
    let files = &mut call.machine.files;
    let opened = files.table.get(descriptor)?;
    match &files.table.opened(opened).what {
        OpenObject::Node { node, path } if files.tree.is_folder(*node) => files.current = path.clone(),
        _ => return Err(NoResult::Errno(ENOTDIR)),
    }
    Ok(0)
}

/// `access(path, mode)`
pub(in super::super) fn access(call: &mut Call<'_, '_>) -> Answer {
    call.may_access(AT_FDCWD, 0)
}

/// `faccessat(folder, path, mode, flags)`
pub(in super::super) fn faccessat(call: &mut Call<'_, '_>) -> Answer {
    call.may_access(call.int(0)?, 1)
}

impl Call<'_, '_> {
    fn may_access(&mut self, folder: i32, first: usize) -> Answer {
        let (path, question) = (self.path(folder, first)?, self.arg(first + 1)?);
        let node = self.machine.there(path, true)?;
        let is_closed = question & W_OK != 0 && self.machine.files.tree.node(node).mode & WRITE == 0;
        if is_closed { Err(NoResult::Errno(EACCES)) } else { Ok(0) }
    }
}

/// `chmod(path, mode)`
pub(in super::super) fn chmod(call: &mut Call<'_, '_>) -> Answer {
    let (node, mode) = (call.changed_node(AT_FDCWD, 0, true)?, call.arg(1)? as u32);
    call.machine.set_mode(node, mode)
}

/// `fchmodat(folder, path, mode, flags)`
pub(in super::super) fn fchmodat(call: &mut Call<'_, '_>) -> Answer {
    let folder = call.int(0)?;
    let (node, mode) = (call.changed_node(folder, 1, true)?, call.arg(2)? as u32);
    call.machine.set_mode(node, mode)
}

/// `fchmod(fd, mode)`
pub(in super::super) fn fchmod(call: &mut Call<'_, '_>) -> Answer {
    let (node, mode) = (call.open_node(0)?, call.arg(1)? as u32);
    call.machine.set_mode(node, mode)
}

/// `chown(path, user, group)`, `lchown`: owners have no effect here.
pub(in super::super) fn chown(call: &mut Call<'_, '_>) -> Answer {
    call.changed_node(AT_FDCWD, 0, false)?;
    Ok(0)
}

/// `fchown(fd, user, group)`
pub(in super::super) fn fchown(call: &mut Call<'_, '_>) -> Answer {
    let answers = call.machine.inputs.answers;
    call.open_node(0)?;
    call.machine.may_fail(answers, &[EACCES])?;
    Ok(0)
}

/// `utimensat(folder, path, times, flags)`
pub(in super::super) fn utimensat(call: &mut Call<'_, '_>) -> Answer {
    let (folder, times, flags) = (call.int(0)?, call.arg(2)?, call.arg(3)?);
    let node = call.changed_node(folder, 1, flags & AT_SYMLINK_NOFOLLOW == 0)?;
    call.set_times(node, times)
}

/// `futimens(fd, times)`
pub(in super::super) fn futimens(call: &mut Call<'_, '_>) -> Answer {
    let (node, times) = (call.open_node(0)?, call.arg(1)?);
    call.set_times(node, times)
}
