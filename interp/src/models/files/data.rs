//! Data of files and streams: reading, writing, seeking.

use super::super::process::shown;
use super::space::Range;
use super::{Answer, Call, NoResult};
use crate::files::errno::{EBADF, EINVAL, EIO, EISDIR, ENOSPC, ESPIPE};
use crate::files::open::{O_APPEND, OpenObject};
use crate::files::tree::{Device, Kind, NodeId};

/// Maximum number of bytes that a stream returns at once.
const MAX_READ: usize = 1 << 16;
/// Maximum number of ranges in a vectored call.
const MAX_RANGES: u64 = 1024;
/// The stream of errors.
const STDERR: i32 = 2;
/// The first made-up stream that is not standard input.
const FIRST_STREAM: u64 = 3;
/// The stream of an unknown descriptor.
const ANY_STREAM: u64 = u64::MAX >> 1;

const SEEK_SET: i32 = 0;
const SEEK_CUR: i32 = 1;
const SEEK_END: i32 = 2;

/// Total length.
fn whole(ranges: &[Range]) -> u64 {
    ranges.iter().map(|range| range.len as u64).sum()
}

impl Call<'_, '_> {
    /// The range of a call with an address and a length.
    fn one_range(&self) -> Result<Vec<Range>, NoResult> {
        Ok(vec![Range { addr: self.arg(1)?, len: self.length(2)? }])
    }

    /// A length, limited to the system's maximum.
    fn length(&self, index: usize) -> Result<usize, NoResult> {
        Ok((self.arg(index)?).min(0x7fff_f000) as usize)
    }

    /// The ranges of a vectored call: an array of addresses and lengths, and their number.
    fn ranges(&self) -> Result<Vec<Range>, NoResult> {
        self.ranges_at(self.arg(1)?, self.arg(2)?)
    }

    /// The ranges in an array of `struct iovec`.
    pub(in crate::models) fn ranges_at(&self, array: u64, count: u64) -> Result<Vec<Range>, NoResult> {
        if count > MAX_RANGES {
            return Err(NoResult::Errno(EINVAL));
        }
        let range = |at: u64| {
            let place = array.wrapping_add(16 * at);
            let addr = self.machine.load_word(place, 8)?;
            Ok(Range { addr, len: self.machine.load_word(place.wrapping_add(8), 8)?.min(0x7fff_f000) as usize })
        };
        (0..count).map(range).collect()
    }

    /// An offset in a file.
    fn offset(&self, index: usize) -> Result<Option<u64>, NoResult> {
        let offset = self.arg(index)?;
        if (offset as i64) < 0 { Err(NoResult::Errno(EINVAL)) } else { Ok(Some(offset)) }
    }

    /// A made-up stream returns some of its bytes.
    fn read_stream(&mut self, stream: u64, ranges: &[Range]) -> Answer {
        let Some(range) = ranges.iter().find(|range| range.len > 0) else { return Ok(0) };
        let len = range.len.min(MAX_READ);
        let place = self.machine.memory.writable(range.addr, len)?;
        let supplied = if stream == 0 { self.machine.environment.read(len) } else { None };
        let bytes = match supplied {
            Some(bytes) => bytes,
            None => self.machine.choose(|inputs, chooser| inputs.read(chooser, stream, len)),
        };
        if self.machine.concurrent && !bytes.is_empty() {
            self.machine.note_write(range.addr, bytes.len() as u32, false);
        }
        self.machine.memory.bytes_mut(place.0, place.1, bytes.len()).copy_from_slice(&bytes);
        self.machine.memory.clear_uninterpreted(place.0, place.1, bytes.len());
        self.machine.touched(bytes.len() as u64);
        Ok(bytes.len() as u64)
    }

    fn read_from(&mut self, descriptor: i32, ranges: &[Range], at: Option<u64>) -> Answer {
        let opened = self.machine.files.table.get(descriptor)?;
        let open = self.machine.files.table.opened(opened);
        if !open.may_read() {
            return Err(NoResult::Errno(EBADF));
        }
        let position = at.unwrap_or(open.position);
        match open.what {
            OpenObject::Input => self.read_stream(0, ranges),
            OpenObject::Output(_) | OpenObject::Other => self.read_stream(FIRST_STREAM + opened as u64, ranges),
            OpenObject::Pipe { .. }
            | OpenObject::Counter(_)
            | OpenObject::Timer(_)
            | OpenObject::Epoll(_)
            | OpenObject::Socket(_)
            | OpenObject::Signals(_)
                if at.is_some() =>
            {
                Err(NoResult::Errno(ESPIPE))
            }
            OpenObject::Pipe { pipe, .. } => self.read_pipe(opened, pipe, ranges),
            OpenObject::Counter(id) => self.read_counter(opened, id, ranges),
            OpenObject::Timer(id) => self.read_timer(opened, id, ranges),
            OpenObject::Signals(id) => self.read_signals(opened, id, ranges),
            OpenObject::Epoll(_) | OpenObject::Process(_) => Err(NoResult::Errno(EINVAL)),
            OpenObject::Socket(id) => Ok(self.receive(opened, id, ranges, 0)?.stored()),
            OpenObject::Node { node, .. } => {
                let done = self.read_file(node, position, ranges)?;
                if at.is_none() {
                    self.machine.files.table.opened_mut(opened).position += done;
                }
                Ok(done)
            }
        }
    }

    fn read_device(&mut self, device: Device, ranges: &[Range]) -> Answer {
        let mut done = 0;
        for range in ranges.iter().filter(|range| range.len > 0 && device != Device::Null) {
            let (index, offset) = self.machine.memory.writable(range.addr, range.len)?;
            self.machine.note_write(range.addr, range.len as u32, false);
            let bytes: Vec<u8> = match device {
                Device::Random => (0..range.len).map(|_| self.machine.rng.next_u32() as u8).collect(),
                Device::Null | Device::Zero => vec![0; range.len],
            };
            self.machine.memory.bytes_mut(index, offset, range.len).copy_from_slice(&bytes);
            self.machine.memory.clear_uninterpreted(index, offset, range.len);
            self.machine.steps += range.len as u64;
            done += range.len as u64;
        }
        Ok(done)
    }

    fn read_file(&mut self, node: NodeId, position: u64, ranges: &[Range]) -> Answer {
        if let Kind::Device(device) = self.machine.files.tree.node(node).kind {
            return self.read_device(device, ranges);
        }
        let Some(text) = self.machine.text_of(node)? else { return Err(NoResult::Errno(EISDIR)) };
        let token = self.machine.files.tree.node(node).token;
        self.machine.see_file(token);
        let from = usize::try_from(position).unwrap_or(usize::MAX);
        let mut at = from;
        for range in ranges {
            let len = range.len.min(text.len.saturating_sub(at));
            self.machine.give(text, at, Range { len, ..*range })?;
            at += len;
        }
        Ok((at - from) as u64)
    }

    fn write_to(&mut self, descriptor: i32, ranges: &[Range], at: Option<u64>) -> Answer {
        let opened = self.machine.files.table.get(descriptor)?;
        let open = self.machine.files.table.opened(opened);
        if !open.may_write() {
            return Err(NoResult::Errno(EBADF));
        }
        let (position, appends) = (at.unwrap_or(open.position), open.flags & O_APPEND != 0);
        match open.what {
            OpenObject::Output(stream) => self.print(stream, ranges),
            // The data are discarded.
            OpenObject::Input | OpenObject::Other => Ok(whole(ranges)),
            OpenObject::Pipe { .. } | OpenObject::Counter(_) | OpenObject::Socket(_) if at.is_some() => {
                Err(NoResult::Errno(ESPIPE))
            }
            OpenObject::Pipe { pipe, .. } => self.write_pipe(opened, pipe, ranges),
            OpenObject::Counter(id) => self.write_counter(opened, id, ranges),
            OpenObject::Timer(_) | OpenObject::Epoll(_) | OpenObject::Process(_) | OpenObject::Signals(_) => {
                Err(NoResult::Errno(EINVAL))
            }
            OpenObject::Socket(id) => self.send(opened, id, ranges, 0, None),
            OpenObject::Node { node, .. } if matches!(self.machine.files.tree.node(node).kind, Kind::Device(_)) => {
                Ok(whole(ranges))
            }
            OpenObject::Node { node, .. } => {
                let Some(text) = self.machine.text_of(node)? else { return Err(NoResult::Errno(EBADF)) };
                let position = if appends { text.len as u64 } else { position };
                let done = self.write_file(node, position, ranges)?;
                if at.is_none() {
                    self.machine.files.table.opened_mut(opened).position = position + done;
                }
                Ok(done)
            }
        }
    }

    /// Writes as much as fits.
    fn write_file(&mut self, node: NodeId, position: u64, ranges: &[Range]) -> Answer {
        let Some(mut text) = self.machine.text_of(node)? else { return Err(NoResult::Errno(EBADF)) };
        let from = usize::try_from(position).map_err(|_| ENOSPC)?;
        let mut at = from;
        let mut result = Ok(());
        for range in ranges {
            result = self.machine.take_in(&mut text, at, *range);
            if result.is_err() {
                break;
            }
            at += range.len;
        }
        let now = self.machine.now;
        let node = self.machine.files.tree.node_mut(node);
        node.kind = Kind::File(text);
        node.changed = now;
        let token = node.token;
        self.machine.publish_file(token);
        match result {
            Err(no) if at == from => Err(no),
            _ => Ok((at - from) as u64),
        }
    }

    /// An unknown byte is printed as a question mark.
    fn print(&mut self, stream: i32, ranges: &[Range]) -> Answer {
        let mut done = 0;
        for range in ranges {
            let (bytes, is_known) = shown(self, range.addr, range.len as u64)?;
            if stream == STDERR {
                self.machine.print_error(is_known.then_some(&bytes));
            }
            if stream == STDERR && is_known {
                self.machine.said(&bytes);
            }
            if !is_known {
                self.machine.environment.writes_unknown(stream);
            }
            self.machine.environment.write(stream, &bytes);
            done += range.len as u64;
        }
        Ok(done)
    }
}

/// `read(fd, buffer, length)`
pub(in super::super) fn read(call: &mut Call<'_, '_>) -> Answer {
    let (slot, size) = call.place(0)?;
    let ranges = call.one_range()?;
    if call.machine.memory.has_uninterpreted && call.machine.term(slot, size).is_some() {
        return call.read_stream(ANY_STREAM, &ranges);
    }
    call.read_from(call.int(0)?, &ranges, None)
}

/// `write(fd, buffer, length)`
pub(in super::super) fn write(call: &mut Call<'_, '_>) -> Answer {
    call.write_to(call.int(0)?, &call.one_range()?, None)
}

/// `readv(fd, ranges, count)`
pub(in super::super) fn readv(call: &mut Call<'_, '_>) -> Answer {
    call.read_from(call.int(0)?, &call.ranges()?, None)
}

/// `writev(fd, ranges, count)`
pub(in super::super) fn writev(call: &mut Call<'_, '_>) -> Answer {
    call.write_to(call.int(0)?, &call.ranges()?, None)
}

/// `pread(fd, buffer, length, offset)`
pub(in super::super) fn pread(call: &mut Call<'_, '_>) -> Answer {
    call.read_from(call.int(0)?, &call.one_range()?, call.offset(3)?)
}

/// `pwrite(fd, buffer, length, offset)`
pub(in super::super) fn pwrite(call: &mut Call<'_, '_>) -> Answer {
    call.write_to(call.int(0)?, &call.one_range()?, call.offset(3)?)
}

/// `preadv(fd, ranges, count, offset)`
pub(in super::super) fn preadv(call: &mut Call<'_, '_>) -> Answer {
    call.read_from(call.int(0)?, &call.ranges()?, call.offset(3)?)
}

/// `pwritev(fd, ranges, count, offset)`
pub(in super::super) fn pwritev(call: &mut Call<'_, '_>) -> Answer {
    call.write_to(call.int(0)?, &call.ranges()?, call.offset(3)?)
}

impl Call<'_, '_> {
    /// The open file and node of a descriptor.
    fn file(&mut self, descriptor: i32) -> Result<(usize, NodeId), NoResult> {
        let opened = self.machine.files.table.get(descriptor)?;
        match self.machine.files.table.opened(opened).what {
            OpenObject::Node { node, .. } => Ok((opened, node)),
            _ => Err(NoResult::Errno(EINVAL)),
        }
    }
}

/// `lseek(fd, offset, whence)`
pub(in super::super) fn seek(call: &mut Call<'_, '_>) -> Answer {
    let (offset, whence) = (call.arg(1)? as i64, call.int(2)?);
    let opened = call.machine.files.table.get(call.int(0)?)?;
    let open = call.machine.files.table.opened(opened);
    let (position, OpenObject::Node { node, .. }) = (open.position, &open.what) else {
        return Err(NoResult::Errno(ESPIPE));
    };
    let node = *node;
    let from = match whence {
        SEEK_SET => 0,
        SEEK_CUR => position as i64,
        SEEK_END => call.machine.text_of(node)?.map_or(0, |text| text.len as i64),
        _ => return Err(NoResult::Errno(EINVAL)),
    };
    let position = from.checked_add(offset).filter(|it| *it >= 0).ok_or(EINVAL)? as u64;
    call.machine.files.table.opened_mut(opened).position = position;
    Ok(position)
}

/// `ftruncate(fd, length)`
pub(in super::super) fn truncate(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.file(call.int(0)?)?;
    let len = usize::try_from(call.arg(1)? as i64).map_err(|_| EINVAL)?;
    let answers = call.machine.inputs.answers;
    if !call.machine.files.table.opened(opened).may_write() {
        return Err(NoResult::Errno(EINVAL));
    }
    let Some(mut text) = call.machine.text_of(id)? else { return Err(NoResult::Errno(EINVAL)) };
    call.machine.may_fail(answers, &[EIO, ENOSPC])?;
    call.machine.make_room(&mut text, len)?;
    call.machine.extend(&mut text, len);
    call.machine.shorten(&mut text, len);
    let now = call.machine.now;
    let node = call.machine.files.tree.node_mut(id);
    (node.kind, node.changed) = (Kind::File(text), now);
    let token = node.token;
    call.machine.publish_file(token);
    Ok(0)
}

/// `fsync(fd)`
pub(in super::super) fn sync(call: &mut Call<'_, '_>) -> Answer {
    call.file(call.int(0)?)?;
    let answers = call.machine.inputs.answers;
    call.machine.may_fail(answers, &[EIO, ENOSPC])?;
    Ok(0)
}

/// `copy_file_range(from, &from_offset, to, &to_offset, length, flags)`: only with null offsets, at the files' own
/// positions.
pub(in super::super) fn copy(call: &mut Call<'_, '_>) -> Answer {
    let ((from, source), (to, target)) = (call.file(call.int(0)?)?, call.file(call.int(2)?)?);
    let (read, write) = (call.machine.files.table.opened(from), call.machine.files.table.opened(to));
    if !read.may_read() || !write.may_write() || write.flags & O_APPEND != 0 {
        return Err(NoResult::Errno(EBADF));
    }
    let (at, into) = (read.position, write.position);
    let has_offsets = call.arg(1)? != 0 || call.arg(3)? != 0;
    let Some(text) = call.machine.text_of(source)? else { return Err(NoResult::Errno(EISDIR)) };
    if source == target || has_offsets {
        return Err(NoResult::Errno(EINVAL));
    }
    let start = usize::try_from(at).unwrap_or(usize::MAX);
    let len = call.length(4)?.min(text.len.saturating_sub(start));
    let token = call.machine.files.tree.node(source).token;
    call.machine.see_file(token);
    let Some(index) = text.index.filter(|_| len > 0) else { return Ok(0) };
    let range = Range { addr: crate::memory::Memory::address(index, start), len };
    let done = call.write_file(target, into, &[range])?;
    call.machine.files.table.opened_mut(from).position = at + done;
    call.machine.files.table.opened_mut(to).position = into + done;
    Ok(done)
}
