//! What sockets are ready for, how they are connected, and how they end.

use super::{Call, NoResult};
use crate::environment::Disk;
use crate::files::errno::{EAGAIN, ECONNREFUSED, ECONNRESET, ENOTSOCK, EPIPE};
use crate::files::open::{O_NONBLOCK, OpenObject};
use crate::finding::Awaited;
use crate::machine::Machine;
use crate::os::Interest;
use crate::os::ready::{ERR, HUP, RDHUP, READ, ROOM, WRITE};
use crate::os::socket::{Peer, SOL_SOCKET, Socket, Style};

/// How much a Unix socket holds at most, and one of the internet, in bytes; the latter no more than one of this many
/// parts of the heap.
const UNIX_CAPACITY: usize = 212_992;
const TCP_CAPACITY: usize = 2_621_440;
const SHARE: u64 = 32;
/// Maximum number of messages that a socket holds.
const MOST_MESSAGES: usize = 512;
/// Options of sockets.
pub(super) const SO_LINGER: i32 = 13;
pub(super) const SO_RCVTIMEO: i32 = 20;
pub(super) const SO_SNDTIMEO: i32 = 21;
/// All that can happen to a socket.
const ANYTHING: u32 = READ | WRITE | ERR | HUP | RDHUP;

impl Machine<'_> {
    /// Whether programs outside are made up: where nothing was said about the outside.
    pub(crate) fn has_outside(&mut self) -> bool {
        self.environment.disk() == Disk::Any
    }

    pub(super) fn socket_readiness(&self, id: usize) -> u32 {
        let socket = self.os.sockets.get(id);
        let when = |is: bool, events: u32| if is { events } else { 0 };
        let error = when(socket.error != 0, ERR);
        if let Some(backlog) = &socket.backlog {
            let waits = !backlog.accepted_next.is_empty();
            return error
                | when(waits || socket.read_ended, READ)
                | when(socket.read_ended, HUP)
                | when(backlog.has_room(), ROOM);
        }
        if socket.is_connecting {
            return error;
        }
        let ended = when(socket.read_ended, READ | RDHUP) | when(socket.read_ended && socket.write_ended, HUP);
        let unconnected = when(socket.peer == Peer::Nobody && socket.style != Style::Datagram, HUP);
        let reads = when(!socket.received.is_empty(), READ);
        let takes_messages = when(socket.style == Style::Datagram && !self.is_full(id), ROOM);
        error | ended | unconnected | reads | takes_messages | when(socket.write_ended || self.room(id) > 0, WRITE)
    }

    /// How many bytes a socket can send now.
    pub(super) fn room(&self, id: usize) -> usize {
        match self.os.sockets.get(id).peer {
            Peer::Socket(other) if self.is_full(other) => 0,
            Peer::Socket(other) => self.space_of(other),
            _ => UNIX_CAPACITY,
        }
    }

    /// How many bytes a socket can receive.
    pub(super) fn space_of(&self, id: usize) -> usize {
        let socket = self.os.sockets.get(id);
        let capacity = match socket.is_unix() {
            true => UNIX_CAPACITY,
            false => TCP_CAPACITY.min((self.config.heap_bytes / SHARE) as usize),
        };
        capacity.saturating_sub(socket.received.text.len)
    }

    /// Whether the connection of a socket is over: it was reset, or both ends have closed it.
    pub(super) fn has_ended(&self, id: usize) -> bool {
        let socket = self.os.sockets.get(id);
        let other_has_closed = match socket.peer {
            Peer::Socket(other) => self.os.sockets.get(other).write_ended,
            Peer::Gone => true,
            Peer::Nobody | Peer::Outside(_) => false,
        };
        socket.is_broken || !socket.is_unix() && socket.write_ended && other_has_closed
    }

    /// Whether a socket holds as many messages as it can.
    pub(super) fn is_full(&self, id: usize) -> bool {
        self.os.sockets.get(id).received.messages.len() >= MOST_MESSAGES || self.space_of(id) == 0
    }

    /// Whether only the run can do something to a socket. How much the system takes before a writer blocks is not
    /// known for the internet.
    pub(super) fn is_closed_socket(&self, id: usize, events: u32) -> bool {
        let socket = self.os.sockets.get(id);
        if socket.backlog.is_some() || socket.is_connecting {
            return false;
        }
        let is_own = matches!(socket.peer, Peer::Socket(_) | Peer::Gone);
        match (socket.style, socket.is_unix()) {
            (Style::Datagram, is_unix) => is_own && is_unix && socket.local.is_none() && events & WRITE == 0,
            (_, true) => is_own,
            (_, false) => is_own && (events & WRITE == 0 || self.room(id) > 0),
        }
    }

    /// Something happened to a socket.
    pub(super) fn socket_changed(&mut self, id: usize, events: u32) {
        let token = self.os.sockets.get(id).token;
        match self.os.sockets.get(id).opened {
            Some(opened) => self.changed(opened, events),
            // Who accepts it sees it then.
            None => self.publish_file(token),
        }
    }

    /// The other end was closed.
    pub(super) fn hang_up(&mut self, id: usize, resets: bool) {
        let socket = self.os.sockets.get_mut(id);
        socket.peer = Peer::Gone;
        socket.is_connecting = false;
        if socket.style != Style::Datagram {
            socket.read_ended = true;
            socket.write_ended |= resets || socket.is_unix();
            socket.is_broken |= resets;
            if resets {
                socket.error = ECONNRESET;
            }
        }
        self.socket_changed(id, ANYTHING);
    }

    /// The other end refuses the connection.
    pub(super) fn refuse(&mut self, id: usize, error: i32) {
        let socket = self.os.sockets.get_mut(id);
        (socket.error, socket.is_connecting) = (error, false);
        (socket.read_ended, socket.write_ended) = (true, true);
        self.socket_changed(id, ANYTHING);
    }

    /// Closes a socket without descriptors.
    pub(in crate::models) fn close_socket(&mut self, id: usize) {
        self.os.sockets.close(id);
        let socket = self.os.sockets.get_mut(id);
        let text = std::mem::take(&mut socket.received).text;
        let (peer, style, is_unread) = (std::mem::replace(&mut socket.peer, Peer::Gone), socket.style, text.len > 0);
        // A linger time of zero discards what was not sent.
        let options = std::mem::take(&mut socket.options);
        let linger = options.get(&(SOL_SOCKET, SO_LINGER));
        let discards = linger.is_some_and(|it| it.first() == Some(&1) && it.get(4) == Some(&0));
        let backlog = socket.backlog.take();
        let resets = is_unread || discards && !socket.is_unix();
        self.release_text(text);
        self.os.sockets.forget_name(id);
        self.os.outside.cancel_clients(id);
        for child in backlog.iter().flat_map(|it| &it.accepted_next) {
            // Nobody accepts it any more.
            let peer = std::mem::replace(&mut self.os.sockets.get_mut(*child).peer, Peer::Gone);
            let text = std::mem::take(&mut self.os.sockets.get_mut(*child).received).text;
            self.release_text(text);
            self.tell_peer(peer, true);
        }
        for waiting in backlog.iter().flat_map(|it| &it.queued) {
            self.refuse(*waiting, ECONNREFUSED);
        }
        if style != Style::Datagram {
            self.tell_peer(peer, resets);
        }
    }

    fn tell_peer(&mut self, peer: Peer, resets: bool) {
        match peer {
            Peer::Socket(other) => self.hang_up(other, resets),
            Peer::Outside(program) => self.os.outside.stop(program),
            Peer::Nobody | Peer::Gone => {}
        }
    }
}

impl Socket {
    /// Takes the error that the next call returns.
    pub(super) fn take_error(&mut self) -> Result<(), NoResult> {
        match std::mem::take(&mut self.error) {
            0 => Ok(()),
            error => Err(NoResult::Errno(error)),
        }
    }

    /// Whether it can send.
    pub(super) fn may_send(&self) -> Result<(), NoResult> {
        if self.write_ended { Err(NoResult::Errno(EPIPE)) } else { Ok(()) }
    }
}

impl Call<'_, '_> {
    /// The socket that a descriptor refers to, and its open file.
    pub(super) fn socket(&mut self, descriptor: i32) -> Result<(usize, usize), NoResult> {
        match self.object(descriptor)? {
            (opened, OpenObject::Socket(id)) => Ok((opened, id)),
            _ => Err(NoResult::Errno(ENOTSOCK)),
        }
    }

    /// The result of an operation on a socket that would block: its time limit is an option. `never` says whether it
    /// does not wait in any case.
    pub(super) fn socket_waits(
        &mut self,
        (opened, id): (usize, usize),
        events: u32,
        what: Awaited,
        never: bool,
    ) -> NoResult {
        let is_non_blocking = self.machine.files.table.opened(opened).flags & O_NONBLOCK != 0;
        if never || is_non_blocking || self.has_timed_out() {
            return NoResult::Errno(EAGAIN);
        }
        let name = if events & WRITE != 0 { SO_SNDTIMEO } else { SO_RCVTIMEO };
        let option = self.machine.os.sockets.get(id).options.get(&(SOL_SOCKET, name));
        let word = |at: usize| option?.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let (seconds, micros) = (word(0).unwrap_or(0), word(8).unwrap_or(0));
        let nanos = seconds.saturating_mul(1_000_000_000).saturating_add(micros.saturating_mul(1000));
        let until = self.deadline((nanos > 0).then_some(nanos));
        self.waits_for(vec![Interest { opened, events }], what, until)
    }
}
