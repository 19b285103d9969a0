//! File metadata: `stat` and similar calls.

use super::{AT_FDCWD, Answer, Call, NoResult};
use crate::files::errno::{EBADF, EFAULT};
use crate::files::open::OpenObject;
use crate::files::tree::{Kind, NodeId};
use crate::inputs::ExpectedPath;
use crate::machine::Machine;

const AT_SYMLINK_NOFOLLOW: u64 = 0x100;
const AT_EMPTY_PATH: u64 = 0x1000;

/// Kinds of files in a mode.
const PIPE: u32 = 0o010_000;
const DEVICE_FILE: u32 = 0o020_000;
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;
const SOCKET: u32 = 0o140_000;

/// The device of all files, as major and minor number; and their owner.
const DEVICE: (u64, u64) = (0, 1);
const OWNER: u64 = 1000;
const BLOCK: u64 = 4096;
/// Blocks are counted in units of this many bytes.
const UNIT: u64 = 512;
const FOLDER_SIZE: u64 = 4096;
const SECOND: u64 = 1_000_000_000;

/// Which fields of `statx` are filled: the basic ones, and the creation time.
const STATX_ALL: u64 = 0xfff;
const STATX_SIZE: usize = 256;
const STAT_SIZE: usize = 144;

/// The metadata of a file.
struct Facts {
    mode: u32,
    links: u32,
    number: u64,
    size: u64,
    born: u64,
    accessed: u64,
    changed: u64,
}

/// A field of a struct: its offset, its size, its value.
type Field = (usize, usize, u64);

impl Facts {
    fn blocks(&self) -> u64 {
        self.size.div_ceil(UNIT)
    }

    /// `struct stat` (and `stat64`) of x86_64 Linux: `arch/x86/include/uapi/asm/stat.h`.
    fn stat(&self) -> Vec<Field> {
        let time = |at: usize, time: u64| [(at, 8, time / SECOND), (at + 8, 8, time % SECOND)];
        let mut fields = vec![
            (0, 8, DEVICE.0 << 8 | DEVICE.1),
            (8, 8, self.number),
            (16, 8, u64::from(self.links)),
            (24, 4, u64::from(self.mode)),
            (28, 4, OWNER),
            (32, 4, OWNER),
            (48, 8, self.size),
            (56, 8, BLOCK),
            (64, 8, self.blocks()),
        ];
        fields.extend([time(72, self.accessed), time(88, self.changed), time(104, self.changed)].concat());
        fields
    }

    /// `struct statx`: `include/uapi/linux/stat.h`.
    fn statx(&self) -> Vec<Field> {
        let time = |at: usize, time: u64| [(at, 8, time / SECOND), (at + 8, 4, time % SECOND)];
        let mut fields = vec![
            (0, 4, STATX_ALL),
            (4, 4, BLOCK),
            (16, 4, u64::from(self.links)),
            (20, 4, OWNER),
            (24, 4, OWNER),
            (28, 2, u64::from(self.mode)),
            (32, 8, self.number),
            (40, 8, self.size),
            (48, 8, self.blocks()),
            (136, 4, DEVICE.0),
            (140, 4, DEVICE.1),
        ];
        fields.extend([time(64, self.accessed), time(80, self.born)].concat());
        fields.extend([time(96, self.changed), time(112, self.changed)].concat());
        fields
    }
}

impl Machine<'_> {
    fn facts_of_node(&mut self, id: NodeId) -> Result<Facts, NoResult> {
        let text = self.text_of(id)?;
        let node = self.files.tree.node(id);
        let (kind, size) = match &node.kind {
            Kind::Folder { .. } => (FOLDER, FOLDER_SIZE),
            Kind::Link(target) => (LINK, target.len() as u64),
            Kind::Device(_) => (DEVICE_FILE, 0),
            Kind::Socket(_) => (SOCKET, 0),
            Kind::File(_) | Kind::Unread(_) => (FILE, text.map_or(0, |text| text.len as u64)),
        };
        let (mode, number) = (kind | node.mode, id as u64 + 1);
        let (born, accessed, changed) = (node.born, node.accessed, node.changed);
        // A folder is also linked by its own `.`.
        let links = node.links + u32::from(kind == FOLDER);
        Ok(Facts { mode, links, number, size, born, accessed, changed })
    }

    fn facts_of_open(&mut self, descriptor: i32) -> Result<Facts, NoResult> {
        let opened = self.files.table.get(descriptor)?;
        let kind = match self.files.table.opened(opened).what {
            OpenObject::Node { node, .. } => return self.facts_of_node(node),
            OpenObject::Input | OpenObject::Output(_) | OpenObject::Pipe { .. } => PIPE,
            OpenObject::Socket(_) | OpenObject::Other => SOCKET,
            // They have no kind.
            OpenObject::Counter(_)
            | OpenObject::Timer(_)
            | OpenObject::Epoll(_)
            | OpenObject::Process(_)
            | OpenObject::Signals(_) => 0,
        };
        let number = u64::from(u32::MAX) + opened as u64;
        Ok(Facts { mode: kind | 0o600, links: 1, number, size: 0, born: 0, accessed: 0, changed: 0 })
    }
}

impl Call<'_, '_> {
    fn facts_at(&mut self, folder: i32, index: usize, flags: u64) -> Result<Facts, NoResult> {
        let text = self.text(index)?;
        if text.is_empty() && flags & AT_EMPTY_PATH != 0 && folder != AT_FDCWD {
            return self.machine.facts_of_open(folder);
        }
        let path = self.path_of(folder, &text)?;
        let path = self.machine.files.tree.resolve(path, flags & AT_SYMLINK_NOFOLLOW == 0)?;
        let node = self.machine.look(&path, ExpectedPath::Any)?;
        self.machine.facts_of_node(node)
    }

    fn put_facts(&mut self, to: u64, size: usize, fields: &[Field]) -> Answer {
        let mut bytes = vec![0; size];
        for (at, size, value) in fields {
            for (to, byte) in bytes.iter_mut().skip(*at).zip(value.to_le_bytes()).take(*size) {
                *to = byte;
            }
        }
        self.store_bytes(to, &bytes)?;
        Ok(0)
    }
}

/// `stat(path, &stat)`
pub(in super::super) fn stat(call: &mut Call<'_, '_>) -> Answer {
    let facts = call.facts_at(AT_FDCWD, 0, 0)?;
    call.put_facts(call.arg(1)?, STAT_SIZE, &facts.stat())
}

/// `lstat(path, &stat)`
pub(in super::super) fn lstat(call: &mut Call<'_, '_>) -> Answer {
    let facts = call.facts_at(AT_FDCWD, 0, AT_SYMLINK_NOFOLLOW)?;
    call.put_facts(call.arg(1)?, STAT_SIZE, &facts.stat())
}

/// `fstat(fd, &stat)`
pub(in super::super) fn fstat(call: &mut Call<'_, '_>) -> Answer {
    let facts = call.machine.facts_of_open(call.int(0)?)?;
    call.put_facts(call.arg(1)?, STAT_SIZE, &facts.stat())
}

/// `fstatat(folder, path, &stat, flags)`
pub(in super::super) fn fstatat(call: &mut Call<'_, '_>) -> Answer {
    let facts = call.facts_at(call.int(0)?, 1, call.arg(3)?)?;
    call.put_facts(call.arg(2)?, STAT_SIZE, &facts.stat())
}

/// `statx(folder, path, flags, mask, &statx)`
pub(in super::super) fn statx(call: &mut Call<'_, '_>) -> Answer {
    let (folder, flags, to) = (call.int(0)?, call.arg(2)?, call.arg(4)?);
    if to == 0 {
        return Err(NoResult::Errno(EFAULT));
    }
    if folder < 0 && folder != AT_FDCWD {
        return Err(NoResult::Errno(EBADF));
    }
    let facts = call.facts_at(folder, 1, flags)?;
    call.put_facts(to, STATX_SIZE, &facts.statx())
}
