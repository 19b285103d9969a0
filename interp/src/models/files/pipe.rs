//! Blocking: pipes, file locks, and polling.

use super::space::Range;
use super::{Answer, Call, NoResult};
use crate::files::Text;
use crate::files::errno::{EAGAIN, EINVAL, ENOENT, EPIPE};
use crate::files::open::{O_CLOEXEC, O_NONBLOCK, O_RDWR, O_WRONLY, OpenObject, Pipe};
use crate::files::tree::NodeId;
use crate::machine::Machine;
use crate::thread::{Progress, Wait};

/// Capacity of a pipe.
const CAPACITY: usize = 1 << 16;
/// Maximum size of an atomic write (`PIPE_BUF`).
const ATOMIC: usize = 4096;

/// Operations of `flock`.
const LOCK_SH: i32 = 1;
const LOCK_EX: i32 = 2;
const LOCK_NB: i32 = 4;
const LOCK_UN: i32 = 8;

const POLLIN: u64 = 1;
const POLLOUT: u64 = 4;
const POLLERR: u64 = 8;
const POLLHUP: u64 = 16;
const POLLNVAL: u64 = 32;
/// Size of `struct pollfd`, offsets of `events` and `revents`.
const POLLFD: u64 = 8;
const EVENTS: u64 = 4;
const REVENTS: u64 = 6;
/// The key on which all calls of `poll` wait.
const ANY_FILE: u64 = 0;

impl Machine<'_> {
    /// Wakes the threads that wait for this key.
    fn wake_users(&mut self, token: u64) {
        self.publish_file(token);
        self.wake_all(|wait| matches!(wait, Wait::File { token: of } if of == token || of == ANY_FILE));
    }

    pub(super) fn close_pipe(&mut self, pipe: usize, writes: bool) {
        let Ok(it) = self.files.table.pipe_mut(pipe) else { return };
        *(if writes { &mut it.writers } else { &mut it.readers }) -= 1;
        let token = it.token;
        if it.readers + it.writers == 0 {
            let text = std::mem::take(&mut it.text);
            self.release_text(text);
        }
        self.wake_users(token);
    }

    /// Releases the lock of an open file, if it has one.
    pub(super) fn unlock_file(&mut self, node: NodeId, opened: usize) {
        let node = self.files.tree.node_mut(node);
        let token = node.token;
        if node.locks.remove(&opened).is_some() {
            self.wake_users(token);
        }
    }

    /// Which operations would not block; `None` if unknown.
    fn readiness(&self, what: &OpenObject) -> Option<u64> {
        Some(match what {
            OpenObject::Node { .. } => POLLIN | POLLOUT,
            OpenObject::Output(_) => POLLOUT,
            OpenObject::Pipe { pipe, writes } => {
                let pipe = self.files.table.pipe(*pipe).ok()?;
                match writes {
                    true if pipe.readers == 0 => POLLOUT | POLLERR,
                    true if pipe.text.len + ATOMIC <= CAPACITY => POLLOUT,
                    false if pipe.writers == 0 => POLLHUP | if pipe.text.len > 0 { POLLIN } else { 0 },
                    false if pipe.text.len > 0 => POLLIN,
                    _ => 0,
                }
            }
            OpenObject::Input | OpenObject::Other => return None,
        })
    }
}

impl Call<'_, '_> {
    /// The result of an operation that would block.
    fn blocks(&self, opened: usize, token: u64) -> NoResult {
        match self.machine.files.table.opened(opened).flags & O_NONBLOCK {
            0 => NoResult::Wait(Wait::File { token }, None),
            _ => NoResult::Errno(EAGAIN),
        }
    }

    pub(super) fn read_pipe(&mut self, opened: usize, pipe: usize, ranges: &[Range]) -> Answer {
        let it = self.machine.files.table.pipe(pipe)?;
        let (mut text, writers, token) = (it.text, it.writers, it.token);
        if text.len == 0 && writers > 0 && ranges.iter().any(|range| range.len > 0) {
            return Err(self.blocks(opened, token));
        }
        self.machine.see_file(token);
        let mut done = 0;
        for range in ranges {
            let len = range.len.min(text.len - done);
            self.machine.give(text, done, Range { len, ..*range })?;
            done += len;
        }
        if let Some(index) = text.index
            && done > 0
        {
            if text.len > done {
                self.machine.memory.copy((index, done), (index, 0), text.len - done);
            }
            text.len -= done;
            self.machine.files.table.pipe_mut(pipe)?.text = text;
            self.machine.wake_users(token);
        }
        Ok(done as u64)
    }

    /// Writes as much as fits.
    pub(super) fn write_pipe(&mut self, opened: usize, pipe: usize, ranges: &[Range]) -> Answer {
        let it = self.machine.files.table.pipe(pipe)?;
        let (mut text, readers, token) = (it.text, it.readers, it.token);
        if readers == 0 {
            return Err(NoResult::Errno(EPIPE));
        }
        let (whole, room) = (ranges.iter().map(|range| range.len).sum::<usize>(), CAPACITY - text.len);
        if whole > 0 && (room == 0 || whole <= ATOMIC && room < whole) {
            return Err(self.blocks(opened, token));
        }
        let mut done = 0;
        for range in ranges {
            let len = range.len.min(room - done);
            let at = text.len;
            self.machine.take_in(&mut text, at, Range { len, ..*range })?;
            done += len;
        }
        self.machine.files.table.pipe_mut(pipe)?.text = text;
        self.machine.wake_users(token);
        Ok(done as u64)
    }
}

/// `pipe2(&descriptors, flags)`, `pipe(&descriptors)`
pub(in super::super) fn pipe(call: &mut Call<'_, '_>) -> Answer {
    let place = call.arg(0)?;
    let flags = if call.code.params.len() > 1 { call.arg(1)? as u32 } else { 0 };
    call.machine.files.table.has_room(2)?;
    let token = call.machine.file_token();
    let table = &mut call.machine.files.table;
    table.pipes.push(Pipe { text: Text::default(), readers: 1, writers: 1, token });
    let pipe = table.pipes.len() - 1;
    let [reads, writes] = [false, true].map(|writes| {
        let access = if writes { O_WRONLY } else { 0 };
        let opened = table.open(OpenObject::Pipe { pipe, writes }, access | flags & O_NONBLOCK);
        table.put(0, opened, flags & O_CLOEXEC != 0)
    });
    call.machine.store_word(place, 4, reads as u64)?;
    call.machine.store_word(place.wrapping_add(4), 4, writes as u64)?;
    Ok(0)
}

/// `socketpair(domain, type, protocol, &descriptors)`: data from sockets are made up.
pub(in super::super) fn socketpair(call: &mut Call<'_, '_>) -> Answer {
    let place = call.arg(3)?;
    let closes = call.arg(1)? as u32 & O_CLOEXEC != 0;
    let failure = call.machine.choose(|inputs, chooser| inputs.failure(chooser, &[ENOENT]));
    if let Some(errno) = failure {
        return Err(NoResult::Errno(errno));
    }
    call.machine.files.table.has_room(2)?;
    for at in [0, 4] {
        let table = &mut call.machine.files.table;
        let opened = table.open(OpenObject::Other, O_RDWR);
        let descriptor = table.put(0, opened, closes);
        call.machine.store_word(place.wrapping_add(at), 4, descriptor as u64)?;
    }
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

/// `poll(&descriptors, count, milliseconds)`: returns the number of ready descriptors.
pub(in super::super) fn poll(call: &mut Call<'_, '_>) -> Answer {
    let (array, count, timeout) = (call.arg(0)?, call.arg(1)?, call.int(2)?);
    let timed_out = call.machine.thread().progress == (Progress::Waiting { timed_out: true });
    let (mut ready, mut open) = (0, Vec::new());
    for at in 0..count {
        let place = array.wrapping_add(POLLFD * at);
        let descriptor = call.machine.load_word(place, 4)? as i32;
        let asked = call.machine.load_word(place.wrapping_add(EVENTS), 2)?;
        let found = match call.machine.files.table.get(descriptor) {
            _ if descriptor < 0 => Some(0),
            Ok(opened) => call.machine.readiness(&call.machine.files.table.opened(opened).what),
            Err(_) => Some(POLLNVAL),
        };
        match found {
            Some(found) => {
                let events = found & (asked | POLLERR | POLLHUP | POLLNVAL);
                call.machine.store_word(place.wrapping_add(REVENTS), 2, events)?;
                ready += u64::from(events != 0);
            }
            None => open.push((place, asked)),
        }
    }
    // For sockets this is made up: one is ready in time, or none before the time-out.
    if let Some((place, asked)) = open.first().copied() {
        let comes = timeout < 0 && ready == 0 || {
            let failure = call.machine.choose(|inputs, chooser| inputs.failure(chooser, &[EAGAIN]));
            failure.is_none()
        };
        for (place, _) in &open {
            call.machine.store_word(place.wrapping_add(REVENTS), 2, 0)?;
        }
        if comes && asked & (POLLIN | POLLOUT) != 0 {
            call.machine.store_word(place.wrapping_add(REVENTS), 2, asked & (POLLIN | POLLOUT))?;
            ready += 1;
        }
    }
    if ready > 0 || timeout == 0 || timed_out {
        return Ok(ready);
    }
    let until = u64::try_from(timeout).ok().map(|it| it.saturating_mul(1_000_000));
    Err(NoResult::Wait(Wait::File { token: ANY_FILE }, call.deadline(until)))
}
