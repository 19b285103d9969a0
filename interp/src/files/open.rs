//! Open files: descriptors, and what they refer to.

use super::Text;
use super::errno::{EBADF, EMFILE, Errno};
use super::path;
use super::tree::NodeId;
use std::collections::BTreeMap;

/// Maximum number of descriptors, Linux's default.
const MOST: i32 = 1024;

/// Flags of `open`, of x86_64 Linux.
pub(crate) const O_WRONLY: u32 = 1;
pub(crate) const O_RDWR: u32 = 2;
pub(crate) const O_ACCMODE: u32 = 3;
pub(crate) const O_CREAT: u32 = 0o100;
pub(crate) const O_EXCL: u32 = 0o200;
pub(crate) const O_TRUNC: u32 = 0o1000;
pub(crate) const O_APPEND: u32 = 0o2000;
pub(crate) const O_NONBLOCK: u32 = 0o4000;
pub(crate) const O_DIRECTORY: u32 = 0o200_000;
pub(crate) const O_NOFOLLOW: u32 = 0o400_000;
pub(crate) const O_CLOEXEC: u32 = 0o2_000_000;
pub(crate) const O_PATH: u32 = 0o10_000_000;

/// An open file description; duplicated descriptors share it.
#[derive(Clone, Debug)]
pub(crate) struct OpenFile {
    pub(crate) what: OpenObject,
    pub(crate) position: u64,
    /// Flags of `open`.
    pub(crate) flags: u32,
    /// Number of its descriptors.
    pub(crate) users: u32,
}

impl OpenFile {
    pub(crate) fn may_read(&self) -> bool {
        self.flags & O_PATH == 0 && self.flags & O_ACCMODE != O_WRONLY
    }

    pub(crate) fn may_write(&self) -> bool {
        self.flags & O_PATH == 0 && matches!(self.flags & O_ACCMODE, O_WRONLY | O_RDWR)
    }
}

/// An object that can be open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OpenObject {
    /// Standard input.
    Input,
    /// Standard output or error, by its number.
    Output(i32),
    /// A file or folder, and the path at which it was opened.
    Node { node: NodeId, path: Vec<u8> },
    /// An end of a pipe.
    Pipe { pipe: usize, writes: bool },
    /// A counter (`eventfd`), by number.
    Counter(usize),
    /// A timer (`timerfd`), by number.
    Timer(usize),
    /// A set of watched descriptors, by number.
    Epoll(usize),
    /// A socket, by number.
    Socket(usize),
    /// A process (`pidfd`), by number.
    Process(usize),
    /// Signals (`signalfd`), by number.
    Signals(usize),
    /// Nothing is known of it: data from it are made up.
    Other,
}

/// Capacity of a pipe.
pub(crate) const CAPACITY: usize = 1 << 16;
/// Maximum size of an atomic write to a pipe (`PIPE_BUF`).
pub(crate) const ATOMIC: usize = 4096;

/// A pipe.
#[derive(Clone, Debug)]
pub(crate) struct Pipe {
    pub(crate) text: Text,
    pub(crate) readers: u32,
    pub(crate) writers: u32,
    /// The open files of its ends: the one to read from, the one to write to.
    pub(crate) ends: [usize; 2],
    /// The key through which its ends synchronise.
    pub(crate) token: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptor {
    opened: usize,
    close_on_exec: bool,
}

/// The descriptors of a process.
pub(crate) type Descriptors = BTreeMap<i32, Descriptor>;

/// The descriptors of the current process, and what is open in any of them.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) descriptors: Descriptors,
    opened: Vec<OpenFile>,
    pub(crate) pipes: Vec<Pipe>,
}

/// Number of streams that are open at the start.
const STREAMS: usize = 3;

impl Default for Table {
    fn default() -> Table {
        let mut table = Table { descriptors: BTreeMap::new(), opened: Vec::new(), pipes: Vec::new() };
        for what in [OpenObject::Input, OpenObject::Output(1), OpenObject::Output(2)] {
            let opened = table.open(what, O_RDWR);
            table.put(0, opened, false);
        }
        table
    }
}

impl Table {
    /// Creates an open file without a descriptor.
    pub(crate) fn open(&mut self, what: OpenObject, flags: u32) -> usize {
        self.opened.push(OpenFile { what, position: 0, flags, users: 0 });
        self.opened.len() - 1
    }

    /// Whether `count` more descriptors are available.
    pub(crate) fn has_room(&self, count: usize) -> Result<(), Errno> {
        if self.descriptors.len() + count > MOST as usize { Err(EMFILE) } else { Ok(()) }
    }

    /// Assigns the lowest free descriptor from `least` on to an open file.
    pub(crate) fn put(&mut self, least: i32, opened: usize, close_on_exec: bool) -> i32 {
        let is_free = |it: &i32| !self.descriptors.contains_key(it);
        let free = (least..i32::MAX).find(is_free).unwrap_or(i32::MAX);
        self.put_at(free, opened, close_on_exec);
        free
    }

    /// Assigns a given free descriptor to an open file.
    pub(crate) fn put_at(&mut self, descriptor: i32, opened: usize, close_on_exec: bool) {
        self.opened[opened].users += 1;
        self.descriptors.insert(descriptor, Descriptor { opened, close_on_exec });
    }

    /// The open file of a descriptor.
    pub(crate) fn get(&self, descriptor: i32) -> Result<usize, Errno> {
        self.descriptors.get(&descriptor).map(|it| it.opened).ok_or(EBADF)
    }

    pub(crate) fn opened(&self, opened: usize) -> &OpenFile {
        &self.opened[opened]
    }

    pub(crate) fn opened_mut(&mut self, opened: usize) -> &mut OpenFile {
        &mut self.opened[opened]
    }

    /// The pipe with this number.
    pub(crate) fn pipe(&self, pipe: usize) -> Result<&Pipe, Errno> {
        self.pipes.get(pipe).ok_or(EBADF)
    }

    pub(crate) fn pipe_mut(&mut self, pipe: usize) -> Result<&mut Pipe, Errno> {
        self.pipes.get_mut(pipe).ok_or(EBADF)
    }

    /// Whether a descriptor has `FD_CLOEXEC`.
    pub(crate) fn closes_on_exec(&self, descriptor: i32) -> Result<bool, Errno> {
        self.descriptors.get(&descriptor).map(|it| it.close_on_exec).ok_or(EBADF)
    }

    pub(crate) fn set_close_on_exec(&mut self, descriptor: i32, is_set: bool) {
        if let Some(it) = self.descriptors.get_mut(&descriptor) {
            it.close_on_exec = is_set;
        }
    }

    /// All descriptors.
    pub(crate) fn all(&self) -> Vec<i32> {
        self.descriptors.keys().copied().collect()
    }

    /// The descriptors that a program that is started does not get.
    pub(crate) fn closed_on_exec(&self) -> Vec<i32> {
        self.descriptors.iter().filter(|(_, it)| it.close_on_exec).map(|(descriptor, _)| *descriptor).collect()
    }

    /// The descriptors for another process: they share the open files.
    pub(crate) fn inherited(&mut self) -> Descriptors {
        for descriptor in self.descriptors.values() {
            self.opened[descriptor.opened].users += 1;
        }
        self.descriptors.clone()
    }

    /// The descriptors of a process that somebody outside starts: the three streams.
    pub(crate) fn standard(&mut self) -> Descriptors {
        let mut descriptors = Descriptors::new();
        for (number, opened) in (0..).zip(0..STREAMS) {
            self.opened[opened].users += 1;
            descriptors.insert(number, Descriptor { opened, close_on_exec: false });
        }
        descriptors
    }

    /// The open files of an object.
    pub(crate) fn all_of(&self, what: &OpenObject) -> Vec<usize> {
        (0..self.opened.len()).filter(|opened| self.opened[*opened].what == *what).collect()
    }

    /// Closes a descriptor. Returns the object if it was its last descriptor.
    pub(crate) fn close(&mut self, descriptor: i32) -> Result<Option<usize>, Errno> {
        let closed = self.descriptors.remove(&descriptor).ok_or(EBADF)?;
        let opened = &mut self.opened[closed.opened];
        opened.users -= 1;
        Ok((opened.users == 0).then_some(closed.opened))
    }

    /// Updates the paths of open folders and files after a rename.
    pub(crate) fn renamed(&mut self, from: &[u8], to: &[u8]) {
        for opened in &mut self.opened {
            let OpenObject::Node { path: at, .. } = &mut opened.what else { continue };
            if at == from {
                *at = to.to_vec();
            } else if let Some(rest) = path::below(from, at) {
                *at = path::join(to, rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_descriptor_is_next() {
        let mut table = Table::default();
        let opened = table.open(OpenObject::Other, 0);
        assert_eq!((table.put(0, opened, true), table.put(0, opened, false), table.put(10, opened, false)), (3, 4, 10));
        assert_eq!((table.close(3), table.close(3)), (Ok(None), Err(EBADF)));
        assert_eq!((table.get(4), table.get(3)), (Ok(opened), Err(EBADF)));
        assert_eq!(table.put(0, opened, true), 3);
        assert_eq!((table.closes_on_exec(3), table.closes_on_exec(4)), (Ok(true), Ok(false)));
        assert_eq!((table.close(3), table.close(10), table.close(4)), (Ok(None), Ok(None), Ok(Some(opened))));
    }

    #[test]
    fn open_files_follow_their_path() {
        let mut table = Table::default();
        let path = |table: &Table, opened: usize| match &table.opened(opened).what {
            OpenObject::Node { path, .. } => path.clone(),
            _ => Vec::new(),
        };
        let [inner, own] = [&b"/own/inner"[..], b"/own"].map(|path| {
            let what = OpenObject::Node { node: 0, path: path.to_vec() };
            table.open(what, 0)
        });
        table.renamed(b"/own", b"/new");
        assert_eq!((path(&table, inner), path(&table, own)), (b"/new/inner".to_vec(), b"/new".to_vec()));
    }
}
