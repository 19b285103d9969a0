//! Opening, closing and duplicating.

use super::{AT_FDCWD, Answer, Call, NoResult};
use crate::files::errno::{
    EACCES, EBADF, EEXIST, EINVAL, EIO, EISDIR, ELOOP, EMFILE, ENOENT, ENOSPC, ENOTDIR, ENOTTY, ENXIO,
};
use crate::files::open::{
    O_APPEND, O_CLOEXEC, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDWR, O_TRUNC, O_WRONLY,
    OpenFile, OpenObject,
};
use crate::files::tree::{Kind, NodeId, PathLookup};
use crate::files::{Text, path};
use crate::inputs::ExpectedPath;
use crate::machine::Machine;
use crate::term::Origin;

/// Permissions that new files lack.
pub(super) const UMASK: u32 = 0o022;
const READ: u32 = 0o400;
const WRITE: u32 = 0o200;

/// Commands of `fcntl`, of x86_64 Linux.
const F_DUPFD: i32 = 0;
const F_GETFD: i32 = 1;
const F_SETFD: i32 = 2;
const F_GETFL: i32 = 3;
const F_SETFL: i32 = 4;
const F_GETLK: i32 = 5;
const F_SETLK: i32 = 6;
const F_SETLKW: i32 = 7;
const F_DUPFD_CLOEXEC: i32 = 1030;
const F_UNLCK: u64 = 2;
const FD_CLOEXEC: u64 = 1;
/// Requests of `ioctl`.
const FIONBIO: u64 = 0x5421;
const FIONCLEX: u64 = 0x5450;
const FIOCLEX: u64 = 0x5451;
/// Requests that only terminals know: for their attributes, and for the size of their window.
const OF_TERMINALS: [u64; 9] = [0x5401, 0x5402, 0x5403, 0x5404, 0x5413, 0x5414, 0x802c_542a, 0x402c_542b, 0x402c_542c];
/// Sizes of what requests write, in bytes: how much can be read, attributes of a terminal, the size of its window.
const WRITTEN: [(u64, usize); 4] = [(0x541b, 4), (0x5401, 36), (0x802c_542a, 44), (0x5413, 8)];
/// The folder of devices.
const DEVICES: &[u8] = b"/dev";

impl Machine<'_> {
    /// Opens a path; returns the open file, still without a descriptor.
    pub(in crate::models) fn open_path(&mut self, path: Vec<u8>, flags: u32, mode: u32) -> Result<usize, NoResult> {
        self.files.table.has_room(1)?;
        let is_new = flags & (O_CREAT | O_EXCL) == O_CREAT | O_EXCL;
        let follows = flags & O_NOFOLLOW == 0 && !is_new;
        let path = self.files.tree.resolve(path, follows)?;
        let answers = self.inputs.answers;
        let is_overwritten = flags & O_CREAT != 0 && flags & O_TRUNC != 0 && !is_new && flags & O_DIRECTORY == 0;
        let found = match self.files.tree.find(&path) {
            // Whatever existed, the result is an empty file.
            PathLookup::Unknown if is_overwritten => Err(ENOENT),
            _ if flags & O_DIRECTORY != 0 => self.look(&path, ExpectedPath::Folder),
            _ if is_new => self.look(&path, ExpectedPath::NewFile),
            _ => self.look(&path, ExpectedPath::File),
        };
        let node = match found {
            Ok(_) if is_new => return Err(NoResult::Errno(EEXIST)),
            Ok(node) => {
                self.may_open(node, flags)?;
                self.may_fail(answers, &[EACCES, EMFILE, EIO])?;
                if flags & O_TRUNC != 0 && !matches!(self.files.tree.node(node).kind, Kind::Device(_)) {
                    self.empty(node);
                }
                node
            }
            Err(ENOENT) if flags & O_CREAT != 0 => {
                self.look_folder_of(&path)?;
                self.may_fail(answers, &[EACCES, ENOSPC])?;
                let token = self.file_token();
                let text = Kind::File(Text::default());
                let node = self.files.tree.add(text, mode & !UMASK & 0o7777, self.now, token);
                self.files.tree.put(&path, node);
                self.publish_file(token);
                node
            }
            Err(errno) => return Err(NoResult::Errno(errno)),
        };
        self.files.tree.node_mut(node).users += 1;
        Ok(self.files.table.open(OpenObject::Node { node, path }, flags & !(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC)))
    }

    /// Whether the node can be opened with these flags.
    fn may_open(&self, node: NodeId, flags: u32) -> Result<(), NoResult> {
        let node = self.files.tree.node(node);
        let access = OpenFile { what: OpenObject::Other, position: 0, flags, users: 0 };
        let (reads, writes) = (access.may_read(), access.may_write());
        match node.kind {
            Kind::Folder { .. } if writes || flags & O_CREAT != 0 => Err(NoResult::Errno(EISDIR)),
            Kind::Link(_) if flags & O_PATH == 0 => Err(NoResult::Errno(ELOOP)),
            Kind::Socket(_) if flags & O_PATH == 0 => Err(NoResult::Errno(ENXIO)),
            Kind::File(_) | Kind::Unread(_) | Kind::Device(_) | Kind::Socket(_) if flags & O_DIRECTORY != 0 => {
                Err(NoResult::Errno(ENOTDIR))
            }
            _ if reads && node.mode & READ == 0 || writes && node.mode & WRITE == 0 => Err(NoResult::Errno(EACCES)),
            _ => Ok(()),
        }
    }

    /// Removes a file's contents.
    fn empty(&mut self, node: NodeId) {
        let now = self.now;
        let is_mapped = self.files.mapped.iter().any(|it| it.node == Some(node));
        let node = self.files.tree.node_mut(node);
        let old = std::mem::replace(&mut node.kind, Kind::File(Text::default()));
        node.changed = now;
        let token = node.token;
        match old {
            Kind::File(Text { index: Some(index), .. }) if is_mapped => {
                node.kind = Kind::File(Text { index: Some(index), len: 0 });
                let size = self.memory.size(index);
                self.memory.bytes_mut(index, 0, size).fill(0);
                self.memory.clear_uninterpreted(index, 0, size);
            }
            Kind::File(text) => self.release_text(text),
            _ => {}
        }
        self.publish_file(token);
    }

    /// Opens a path that is known to be a folder.
    pub(super) fn open_folder(&mut self, path: Vec<u8>) -> Result<i32, NoResult> {
        let opened = self.open_path(path, O_DIRECTORY | O_CLOEXEC, 0)?;
        Ok(self.files.table.put(0, opened, true))
    }

    /// Closes open descriptors.
    pub(crate) fn close_all(&mut self, descriptors: Vec<i32>) {
        for descriptor in descriptors {
            // It cannot fail: each is open.
            let _ = self.close(descriptor);
        }
    }

    /// Closes a descriptor.
    pub(in crate::models) fn close(&mut self, descriptor: i32) -> Result<(), NoResult> {
        let Some(closed) = self.files.table.close(descriptor)? else { return Ok(()) };
        self.unwatch(closed);
        match self.files.table.opened(closed).what {
            OpenObject::Node { node, .. } => {
                self.unlock_file(node, closed);
                self.files.tree.node_mut(node).users -= 1;
                self.release_node(node);
            }
            OpenObject::Pipe { pipe, writes } => self.close_pipe(pipe, writes),
            OpenObject::Timer(id) => self.close_timer(id),
            OpenObject::Epoll(id) => self.close_epoll(id),
            OpenObject::Signals(id) => self.close_signal_file(id),
            OpenObject::Socket(id) => self.close_socket(id),
            OpenObject::Input
            | OpenObject::Output(_)
            | OpenObject::Counter(_)
            | OpenObject::Process(_)
            | OpenObject::Other => {}
        }
        Ok(())
    }
}

impl Call<'_, '_> {
    fn open_at(&mut self, folder: i32, first: usize, flags: u32, mode: u32) -> Answer {
        let opened = match self.path(folder, first) {
            Ok(path) => self.machine.open_path(path, flags, mode)?,
            // An unknown file.
            Err(NoResult::Unknown) => {
                let answers = self.machine.inputs.answers;
                self.machine.may_fail(answers, &[ENOENT])?;
                self.machine.files.table.open(OpenObject::Other, O_RDWR)
            }
            Err(no) => return Err(no),
        };
        Ok(self.machine.files.table.put(0, opened, flags & O_CLOEXEC != 0) as u64)
    }
}

/// `open(path, flags, mode)`
pub(in super::super) fn open(call: &mut Call<'_, '_>) -> Answer {
    let (flags, mode) = (call.arg(1)? as u32, call.extra(2, 4) as u32);
    call.open_at(AT_FDCWD, 0, flags, mode)
}

/// `openat(folder, path, flags, mode)`
pub(in super::super) fn openat(call: &mut Call<'_, '_>) -> Answer {
    let (flags, mode) = (call.arg(2)? as u32, call.extra(3, 4) as u32);
    call.open_at(call.int(0)?, 1, flags, mode)
}

/// `creat(path, mode)`
pub(in super::super) fn creat(call: &mut Call<'_, '_>) -> Answer {
    let mode = call.arg(1)? as u32;
    call.open_at(AT_FDCWD, 0, O_CREAT | O_WRONLY | O_TRUNC, mode)
}

/// `close(fd)`
pub(in super::super) fn close(call: &mut Call<'_, '_>) -> Answer {
    call.machine.close(call.int(0)?)?;
    Ok(0)
}

/// `dup(fd)`
pub(in super::super) fn dup(call: &mut Call<'_, '_>) -> Answer {
    call.duplicate(0, false)
}

/// `dup2(from, to)`, `dup3(from, to, flags)`
pub(in super::super) fn dup2(call: &mut Call<'_, '_>) -> Answer {
    let (from, to) = (call.int(0)?, call.int(1)?);
    let closes = call.code.params.len() > 2 && call.arg(2)? as u32 & O_CLOEXEC != 0;
    let opened = call.machine.files.table.get(from)?;
    if to < 0 {
        return Err(NoResult::Errno(EBADF));
    }
    if from != to {
        if call.machine.files.table.get(to).is_ok() {
            call.machine.close(to)?;
        }
        call.machine.files.table.put_at(to, opened, closes);
    }
    Ok(to as u64)
}

impl Call<'_, '_> {
    fn duplicate(&mut self, least: i32, closes: bool) -> Answer {
        let descriptor = self.int(0)?;
        let table = &mut self.machine.files.table;
        let opened = table.get(descriptor)?;
        table.has_room(1)?;
        Ok(table.put(least, opened, closes) as u64)
    }
}

/// `fcntl(fd, command, argument)`
pub(in super::super) fn fcntl(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, command) = (call.int(0)?, call.int(1)?);
    let opened = call.machine.files.table.get(descriptor)?;
    match command {
        F_DUPFD | F_DUPFD_CLOEXEC => {
            let least = call.extra(2, 4) as i32;
            if least < 0 {
                return Err(NoResult::Errno(EINVAL));
            }
            call.duplicate(least, command == F_DUPFD_CLOEXEC)
        }
        F_GETFD => Ok(u64::from(call.machine.files.table.closes_on_exec(descriptor)?)),
        F_SETFD => {
            let is_set = call.extra(2, 4) & FD_CLOEXEC != 0;
            call.machine.files.table.set_close_on_exec(descriptor, is_set);
            Ok(0)
        }
        F_GETFL => Ok(u64::from(call.machine.files.table.opened(opened).flags)),
        F_SETFL => {
            let flags = call.extra(2, 4) as u32 & (O_APPEND | O_NONBLOCK);
            let open = call.machine.files.table.opened_mut(opened);
            open.flags = open.flags & !(O_APPEND | O_NONBLOCK) | flags;
            Ok(0)
        }
        // Locks between processes: there is no other process.
        F_SETLK | F_SETLKW => Ok(0),
        F_GETLK => {
            // `l_type` of `struct flock`.
            call.machine.store_word(call.extra(2, 8), 2, F_UNLCK)?;
            Ok(0)
        }
        _ => Err(NoResult::Errno(EINVAL)),
    }
}

/// Whether an object may be a device, such as a terminal.
fn is_device(object: &OpenObject) -> bool {
    match object {
        OpenObject::Node { path, .. } => path::below(DEVICES, path).is_some(),
        object => *object == OpenObject::Other,
    }
}

/// `ioctl(fd, request, argument)`
pub(in super::super) fn ioctl(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, request) = (call.int(0)?, call.arg(1)?);
    let opened = call.machine.files.table.get(descriptor)?;
    match request {
        FIOCLEX | FIONCLEX => {
            call.machine.files.table.set_close_on_exec(descriptor, request == FIOCLEX);
            Ok(0)
        }
        FIONBIO => {
            let is_set = call.machine.load_word(call.extra(2, 8), 4)? != 0;
            let open = call.machine.files.table.opened_mut(opened);
            open.flags = open.flags & !O_NONBLOCK | if is_set { O_NONBLOCK } else { 0 };
            Ok(0)
        }
        // As `isatty` says, standard streams are no terminals.
        _ if OF_TERMINALS.contains(&request) && !is_device(&call.machine.files.table.opened(opened).what) => {
            Err(NoResult::Errno(ENOTTY))
        }
        // Requests for devices.
        _ => {
            let (answers, consts) = (call.machine.inputs.answers, call.consts);
            call.machine.may_fail(answers, &[EINVAL])?;
            match WRITTEN.iter().find(|it| it.0 == request) {
                Some(&(_, size)) => {
                    let to = call.extra(2, 8);
                    call.fill_at(to, size, Origin::Input);
                }
                None => call.fill(consts, Origin::Input)?,
            }
            Ok(0)
        }
    }
}
