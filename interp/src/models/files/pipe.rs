//! Pipes and file locks.

use super::space::Range;
use super::{Answer, Call, NoResult};
use crate::files::Text;
use crate::files::errno::{EAGAIN, EINVAL, ENOMEM, ENOSPC, EPIPE};
use crate::files::open::{ATOMIC, CAPACITY, O_CLOEXEC, O_NONBLOCK, O_WRONLY, OpenObject, Pipe};
use crate::files::tree::NodeId;
use crate::finding::Awaited;
use crate::machine::Machine;
use crate::os::ready::{ERR, HUP, READ, WRITE};
use crate::thread::Wait;

/// Operations of `flock`.
const LOCK_SH: i32 = 1;
const LOCK_EX: i32 = 2;
const LOCK_NB: i32 = 4;
const LOCK_UN: i32 = 8;

impl Machine<'_> {
    pub(super) fn close_pipe(&mut self, pipe: usize, writes: bool) {
        let Ok(it) = self.files.table.pipe_mut(pipe) else { return };
        *(if writes { &mut it.writers } else { &mut it.readers }) -= 1;
        let [reads_from, writes_to] = it.ends;
        if it.readers + it.writers == 0 {
            let text = std::mem::take(&mut it.text);
            self.release_text(text);
        }
        // The other end hears of it.
        if writes {
            self.changed(reads_from, READ | HUP);
        } else {
            self.changed(writes_to, WRITE | ERR);
        }
    }

    /// Releases the lock of an open file, if it has one.
    pub(super) fn unlock_file(&mut self, node: NodeId, opened: usize) {
        let node = self.files.tree.node_mut(node);
        let token = node.token;
        if node.locks.remove(&opened).is_some() {
            self.publish_file(token);
            self.wake_all(|wait| wait == Wait::File { token });
        }
    }
}

impl Call<'_, '_> {
    pub(super) fn read_pipe(&mut self, opened: usize, pipe: usize, ranges: &[Range]) -> Answer {
        let it = self.machine.files.table.pipe(pipe)?;
        let (mut text, writers, token, writes_to) = (it.text, it.writers, it.token, it.ends[1]);
        if text.len == 0 && writers > 0 && ranges.iter().any(|range| range.len > 0) {
            return Err(self.would_block(opened, READ | HUP, Awaited::PipeBytes));
        }
        self.machine.see_file(token);
        let done = self.machine.give_front(text, ranges, usize::MAX)?;
        if done > 0 {
            self.machine.drop_front(&mut text, done);
            self.machine.files.table.pipe_mut(pipe)?.text = text;
            self.machine.changed(writes_to, WRITE);
        }
        Ok(done as u64)
    }

    /// Writes as much as fits; all of it if the call may wait.
    pub(super) fn write_pipe(&mut self, opened: usize, pipe: usize, ranges: &[Range]) -> Answer {
        let thread = self.machine.current;
        let before = self.machine.os.sent.remove(&thread).unwrap_or(0);
        let it = self.machine.files.table.pipe(pipe)?;
        let (mut text, readers, reads_from) = (it.text, it.readers, it.ends[0]);
        if readers == 0 {
            return if before > 0 { Ok(before as u64) } else { Err(NoResult::Errno(EPIPE)) };
        }
        let whole = ranges.iter().map(|range| range.len).sum::<usize>();
        let (room, rest) = (CAPACITY - text.len.min(CAPACITY), whole - before.min(whole));
        let mut done = before;
        let fits = whole > ATOMIC || rest <= room;
        if rest > 0 && room > 0 && fits {
            done += self.machine.take_back(&mut text, ranges, before, room).map_err(full)?;
            self.machine.files.table.pipe_mut(pipe)?.text = text;
            self.machine.changed(reads_from, READ);
        }
        if done == whole {
            return Ok(done as u64);
        }
        match self.would_block(opened, WRITE | ERR, Awaited::PipeRoom) {
            NoResult::Errno(_) if done > 0 => Ok(done as u64),
            NoResult::Errno(errno) => Err(NoResult::Errno(errno)),
            waits => {
                self.machine.os.sent.insert(thread, done);
                Err(waits)
            }
        }
    }
}

/// A failure to make room for a pipe.
fn full(no: NoResult) -> NoResult {
    match no {
        NoResult::Errno(ENOSPC) => NoResult::Errno(ENOMEM),
        no => no,
    }
}

/// `pipe2(&descriptors, flags)`, `pipe(&descriptors)`
pub(in super::super) fn pipe(call: &mut Call<'_, '_>) -> Answer {
    let place = call.arg(0)?;
    let flags = if call.code.params.len() > 1 { call.arg(1)? as u32 } else { 0 };
    call.machine.files.table.has_room(2)?;
    let token = call.machine.file_token();
    let table = &mut call.machine.files.table;
    let pipe = table.pipes.len();
    let ends = [false, true].map(|writes| {
        let access = if writes { O_WRONLY } else { 0 };
        table.open(OpenObject::Pipe { pipe, writes }, access | flags & O_NONBLOCK)
    });
    table.pipes.push(Pipe { text: Text::default(), readers: 1, writers: 1, ends, token });
    let [reads, writes] = ends.map(|opened| table.put(0, opened, flags & O_CLOEXEC != 0));
    call.machine.store_word(place, 4, reads as u64)?;
    call.machine.store_word(place.wrapping_add(4), 4, writes as u64)?;
    Ok(0)
}

/// `flock(fd, operation)`: the lock belongs to the open file, which duplicated descriptors share.
pub(in super::super) fn flock(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, operation) = (call.int(0)?, call.int(1)?);
    let opened = call.machine.files.table.get(descriptor)?;
    let OpenObject::Node { node: id, .. } = call.machine.files.table.opened(opened).what else { return Ok(0) };
    let alone = match operation & !LOCK_NB {
        LOCK_UN => {
            call.machine.unlock_file(id, opened);
            return Ok(0);
        }
        LOCK_SH => false,
        LOCK_EX => true,
        _ => return Err(NoResult::Errno(EINVAL)),
    };
    let node = call.machine.files.tree.node_mut(id);
    let token = node.token;
    if node.locks.iter().any(|(other, is_alone)| *other != opened && (alone || *is_alone)) {
        return Err(match operation & LOCK_NB {
            0 => NoResult::Wait(Wait::File { token }, None),
            _ => NoResult::Errno(EAGAIN),
        });
    }
    node.locks.insert(opened, alone);
    call.machine.see_file(token);
    Ok(0)
}
