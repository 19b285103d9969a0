//! Sending and receiving.
//!
//! What one end sends, the other receives: as a stream of bytes, or as messages. Each delivery orders the receiver after
//! the sender.

use super::connect::HOST;
use super::{Answer, Call, NoResult};
use crate::files::errno::{
    EAFNOSUPPORT, EAGAIN, ECONNREFUSED, EDESTADDRREQ, EINVAL, EISCONN, EMSGSIZE, ENETUNREACH, ENOBUFS, ENOSPC,
    ENOTCONN, EPERM, EPIPE,
};
use crate::files::open::O_NONBLOCK;
use crate::finding::Awaited;
use crate::machine::Machine;
use crate::models::files::space::Range;
use crate::os::Interest;
use crate::os::address::{AF_INET6, Address};
use crate::os::ready::{ERR, HUP, RDHUP, READ, ROOM, WRITE};
use crate::os::socket::{Peer, Style};
use crate::rng::Rng;
use crate::thread::Progress;

const MSG_PEEK: u32 = 0x2;
const MSG_TRUNC: u32 = 0x20;
const MSG_DONTWAIT: u32 = 0x40;
const MSG_WAITALL: u32 = 0x100;
/// Maximum length of a UDP message.
const LONGEST_UDP: usize = 65_507;
/// Offsets in `struct msghdr`.
const NAME: u64 = 0;
const NAME_LEN: u64 = 8;
const RANGES: u64 = 16;
const COUNT: u64 = 24;
const CONTROL_LEN: u64 = 40;
const FLAGS: u64 = 48;
/// The stream of random numbers that cuts what is received into pieces.
const PIECES: u64 = 1 << 62;

/// What was received.
pub(in crate::models) struct Message {
    /// Bytes that were stored.
    len: usize,
    /// Length of the whole message.
    whole: usize,
    from: Option<Address>,
}

/// A failure to make room in a buffer of the system.
fn full(no: NoResult) -> NoResult {
    match no {
        NoResult::Errno(ENOSPC) => NoResult::Errno(ENOBUFS),
        no => no,
    }
}

fn whole(ranges: &[Range]) -> usize {
    ranges.iter().map(|range| range.len).sum()
}

impl Machine<'_> {
    /// Bytes or a message arrive at a socket.
    pub(super) fn deliver(
        &mut self,
        id: usize,
        ranges: &[Range],
        skip: usize,
        most: usize,
        from: Option<Address>,
    ) -> Result<usize, NoResult> {
        let mut text = self.os.sockets.get(id).received.text;
        let done = self.take_back(&mut text, ranges, skip, most);
        let socket = self.os.sockets.get_mut(id);
        socket.received.text = text;
        let done = done.map_err(full)?;
        if socket.has_messages() {
            socket.received.messages.push_back((done, from));
        }
        self.socket_changed(id, READ);
        Ok(done)
    }

    /// How many of the bytes that have arrived a call gets. In one of four runs it is as many as chance says: the
    /// network may deliver in any pieces.
    fn piece(&mut self, id: usize, most: usize) -> usize {
        let socket = self.os.sockets.get(id);
        let is_cut = !socket.is_unix() && matches!(socket.peer, Peer::Socket(_));
        if !is_cut || most <= 1 || !self.has_outside() || !Rng::with_stream(self.config.seed, PIECES).chance(1, 4) {
            return most;
        }
        self.inputs.answers += 1;
        let number = self.inputs.answers;
        self.choose(|_, chooser| {
            let mut rng = Rng::with_stream(chooser.seed, PIECES | number << 8);
            if rng.chance(1, 2) { most } else { 1 + rng.index(most) }
        })
    }
}

impl Call<'_, '_> {
    pub(in crate::models) fn receive(
        &mut self,
        opened: usize,
        id: usize,
        ranges: &[Range],
        flags: u32,
    ) -> Result<Message, NoResult> {
        let socket = self.machine.os.sockets.get(id);
        if socket.backlog.is_some() {
            return Err(NoResult::Errno(ENOTCONN));
        }
        if socket.has_messages() && !socket.received.messages.is_empty() {
            return self.receive_message(opened, id, ranges, flags);
        }
        let wanted = whole(ranges);
        let waits_for_all = flags & MSG_WAITALL != 0 && flags & MSG_PEEK == 0 && socket.style == Style::Stream;
        let has_enough = socket.received.text.len >= wanted || socket.read_ended || !waits_for_all;
        if socket.style == Style::Stream && socket.received.text.len > 0 && (has_enough || self.has_timed_out()) {
            return self.receive_bytes(opened, id, ranges, flags);
        }
        let socket = self.machine.os.sockets.get_mut(id);
        let is_connected = socket.is_connected();
        // After a regular end a reset is no error for the reader.
        if !(socket.read_ended && socket.error == EPIPE) {
            socket.take_error()?;
        }
        let nothing = Ok(Message { len: 0, whole: 0, from: None });
        if socket.read_ended {
            self.machine.see_opened(opened);
            return nothing;
        }
        if socket.style != Style::Datagram && !is_connected && !socket.is_connecting {
            return Err(NoResult::Errno(ENOTCONN));
        }
        if wanted == 0 && socket.style == Style::Stream {
            return nothing;
        }
        let what = if socket.has_messages() { Awaited::Message } else { Awaited::SocketBytes };
        let events = READ | HUP | RDHUP | ERR;
        // One that waits for all bytes wakes with each piece, and looks again.
        Err(self.socket_waits((opened, id), events, what, flags & MSG_DONTWAIT != 0))
    }

    fn receive_bytes(&mut self, opened: usize, id: usize, ranges: &[Range], flags: u32) -> Result<Message, NoResult> {
        let mut text = self.machine.os.sockets.get(id).received.text;
        let most = text.len.min(whole(ranges));
        let most = if flags & (MSG_WAITALL | MSG_PEEK) != 0 { most } else { self.machine.piece(id, most) };
        self.machine.see_opened(opened);
        let len = self.machine.give_front(text, ranges, most)?;
        if flags & MSG_PEEK == 0 && len > 0 {
            self.machine.drop_front(&mut text, len);
            self.machine.os.sockets.get_mut(id).received.text = text;
            self.make_room_for_peer(id);
        }
        Ok(Message { len, whole: len, from: None })
    }

    fn receive_message(&mut self, opened: usize, id: usize, ranges: &[Range], flags: u32) -> Result<Message, NoResult> {
        self.machine.see_opened(opened);
        let mut text = self.machine.os.sockets.get(id).received.text;
        let (size, from) = self.machine.os.sockets.get(id).received.messages.front().cloned().unwrap_or((0, None));
        let len = self.machine.give_front(text, ranges, size)?;
        if flags & MSG_PEEK == 0 {
            self.machine.drop_front(&mut text, size);
            let received = &mut self.machine.os.sockets.get_mut(id).received;
            received.text = text;
            received.messages.pop_front();
            self.make_room_for_peer(id);
        }
        Ok(Message { len, whole: size, from })
    }

    /// Something was read: a sender that found no room may continue.
    fn make_room_for_peer(&mut self, id: usize) {
        if self.machine.os.sockets.get(id).style == Style::Datagram {
            self.machine.socket_changed(id, ROOM);
        }
        let Peer::Socket(peer) = self.machine.os.sockets.get(id).peer else { return };
        let sender = self.machine.os.sockets.get_mut(peer);
        if std::mem::take(&mut sender.wants_room) {
            self.machine.socket_changed(peer, WRITE);
        }
    }

    pub(in crate::models) fn send(
        &mut self,
        opened: usize,
        id: usize,
        ranges: &[Range],
        flags: u32,
        to: Option<Address>,
    ) -> Answer {
        match self.machine.os.sockets.get(id).style {
            Style::Datagram => self.send_message(opened, id, ranges, flags, to),
            // The address of a connection is known.
            _ => self.send_bytes(opened, id, ranges, flags),
        }
    }

    /// Sends bytes of a connection. A call that may wait sends all.
    fn send_bytes(&mut self, opened: usize, id: usize, ranges: &[Range], flags: u32) -> Answer {
        let thread = self.machine.current;
        let before = match self.machine.thread().progress {
            Progress::None => 0,
            _ => self.machine.os.sent.remove(&thread).unwrap_or(0),
        };
        let socket = self.machine.os.sockets.get_mut(id);
        let answer = |done: usize, no: NoResult| if done > 0 { Ok(done as u64) } else { Err(no) };
        if socket.is_connecting {
            let never = flags & MSG_DONTWAIT != 0;
            return Err(self.socket_waits((opened, id), WRITE | HUP | ERR, Awaited::Established, never));
        }
        if let Err(no) = socket.take_error().and_then(|()| socket.may_send()) {
            return answer(before, no);
        }
        let all = whole(ranges);
        match socket.peer {
            Peer::Nobody if socket.is_unix() => Err(NoResult::Errno(ENOTCONN)),
            Peer::Nobody => Err(NoResult::Errno(EPIPE)),
            Peer::Gone => {
                // The other end answers that it is closed.
                (socket.write_ended, socket.is_broken) = (true, true);
                socket.error = EPIPE;
                self.machine.socket_changed(id, ERR | HUP | READ | WRITE);
                Ok(all as u64)
            }
            Peer::Outside(_) => Ok(all as u64),
            Peer::Socket(other) => {
                let is_message = socket.has_messages();
                let room = self.machine.space_of(other);
                let rest = all - before.min(all);
                let has_room = if is_message { room >= rest } else { room > 0 };
                if rest > 0 && !has_room {
                    self.machine.os.sockets.get_mut(id).wants_room = true;
                    if before > 0 {
                        self.machine.os.sent.insert(thread, before);
                    }
                    let never = flags & MSG_DONTWAIT != 0;
                    let no = self.socket_waits((opened, id), WRITE | HUP | ERR, Awaited::SocketRoom, never);
                    return match no {
                        NoResult::Errno(_) => answer(before, no),
                        no => Err(no),
                    };
                }
                let done = before + self.machine.deliver(other, ranges, before, room, None)?;
                if done < all {
                    let is_non_blocking = self.machine.files.table.opened(opened).flags & O_NONBLOCK != 0;
                    self.machine.os.sockets.get_mut(id).wants_room = true;
                    if !is_non_blocking && flags & MSG_DONTWAIT == 0 {
                        self.machine.os.sent.insert(thread, done);
                        let no = self.socket_waits((opened, id), WRITE | HUP | ERR, Awaited::SocketRoom, false);
                        return match no {
                            NoResult::Errno(_) => answer(done, no),
                            no => Err(no),
                        };
                    }
                }
                Ok(done as u64)
            }
        }
    }

    fn send_message(&mut self, opened: usize, id: usize, ranges: &[Range], flags: u32, to: Option<Address>) -> Answer {
        let socket = self.machine.os.sockets.get_mut(id);
        socket.take_error()?;
        socket.may_send()?;
        let size = whole(ranges);
        let (peer, remote, from) = (socket.peer, socket.remote.clone(), socket.local.clone());
        if socket.is_unix() {
            let target = match (&to, peer) {
                (Some(Address::Unix(path)), _) => self.find_unix_datagram(path)?,
                (Some(_), _) => return Err(NoResult::Errno(EINVAL)),
                (None, Peer::Socket(other)) => other,
                (None, _) => return Err(NoResult::Errno(ENOTCONN)),
            };
            let other = self.machine.os.sockets.get(target);
            let Some(target_opened) = other.opened else { return Err(NoResult::Errno(ECONNREFUSED)) };
            if other.read_ended {
                return Err(NoResult::Errno(EPIPE));
            }
            // A connected socket receives from its peer only.
            if !matches!(other.peer, Peer::Nobody) && other.peer != Peer::Socket(id) {
                return Err(NoResult::Errno(EPERM));
            }
            if self.machine.is_full(target) || self.machine.space_of(target) < size {
                if self.machine.space_of(target) < size && other.received.is_empty() {
                    return Err(NoResult::Errno(EMSGSIZE));
                }
                self.machine.os.sockets.get_mut(id).wants_room = true;
                let is_non_blocking = self.machine.files.table.opened(opened).flags & O_NONBLOCK != 0;
                if is_non_blocking || flags & MSG_DONTWAIT != 0 {
                    return Err(NoResult::Errno(EAGAIN));
                }
                let interests = vec![Interest { opened: target_opened, events: ROOM }];
                return Err(self.waits_for(interests, Awaited::SocketRoom, None));
            }
            let from = from.unwrap_or(Address::Unix(Vec::new()));
            let done = self.machine.deliver(target, ranges, 0, size, Some(from))?;
            return Ok(done as u64);
        }
        let family = self.machine.os.sockets.get(id).family;
        let target = match (to, remote) {
            (Some(to), _) if to.family() != family && family != AF_INET6 => return Err(NoResult::Errno(EAFNOSUPPORT)),
            (Some(to), _) => to.target(),
            (None, Some(remote)) => remote.target(),
            (None, None) => return Err(NoResult::Errno(EDESTADDRREQ)),
        };
        if size > LONGEST_UDP {
            return Err(NoResult::Errno(EMSGSIZE));
        }
        self.machine.bind_for(id, &target)?;
        let socket = self.machine.os.sockets.get(id);
        let local = socket.local.clone().unwrap_or_else(|| Address::any(family));
        let source = match local.is_any() {
            true if target.is_loopback() => Address::loopback(target.family()).with_port(local.port()),
            true => Address::V4(HOST, local.port()),
            false => local.unmapped(),
        };
        let is_connected = socket.remote.is_some();
        let Some(other) = self.machine.os.sockets.datagram_at(&target, &source) else {
            return match (target.is_loopback(), self.machine.has_outside()) {
                // Nobody is there; who is connected hears of it.
                (true, _) if is_connected => {
                    self.machine.os.sockets.get_mut(id).error = ECONNREFUSED;
                    self.machine.socket_changed(id, ERR | READ | WRITE);
                    Ok(size as u64)
                }
                (true, _) | (false, true) => Ok(size as u64),
                (false, false) => Err(NoResult::Errno(ENETUNREACH)),
            };
        };
        if other != id {
            self.machine.os.outside.cancel_clients(other);
        }
        // What does not fit is lost.
        let receiver = self.machine.os.sockets.get(other);
        if !receiver.read_ended && !self.machine.is_full(other) && self.machine.space_of(other) >= size {
            let shown = source.shown_to(receiver.family);
            self.machine.deliver(other, ranges, 0, size, Some(shown))?;
        }
        Ok(size as u64)
    }
}

impl Message {
    /// The result of the call.
    fn count(&self, flags: u32) -> u64 {
        (if flags & MSG_TRUNC != 0 { self.whole } else { self.len }) as u64
    }

    /// The number of bytes that were stored.
    pub(in crate::models) fn stored(&self) -> u64 {
        self.len as u64
    }
}

impl Call<'_, '_> {
    fn buffer(&self) -> Result<[Range; 1], NoResult> {
        Ok([Range { addr: self.arg(1)?, len: self.arg(2)?.min(0x7fff_f000) as usize }])
    }

    /// The ranges of a `struct msghdr`.
    fn message_ranges(&self, header: u64) -> Result<Vec<Range>, NoResult> {
        let array = self.machine.load_word(header.wrapping_add(RANGES), 8)?;
        let count = self.machine.load_word(header.wrapping_add(COUNT), 8)?;
        self.ranges_at(array, count)
    }
}

/// `recv(fd, buffer, length, flags)`
pub(in crate::models) fn recv(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.socket(call.int(0)?)?;
    let flags = call.arg(3)? as u32;
    Ok(call.receive(opened, id, &call.buffer()?, flags)?.count(flags))
}

/// `recvfrom(fd, buffer, length, flags, &address, &address_length)`
pub(in crate::models) fn recvfrom(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.socket(call.int(0)?)?;
    let flags = call.arg(3)? as u32;
    let message = call.receive(opened, id, &call.buffer()?, flags)?;
    call.tell_address(4, 5, message.from.as_ref())?;
    Ok(message.count(flags))
}

/// `recvmsg(fd, &message, flags)`: no descriptors or credentials come with it.
pub(in crate::models) fn recvmsg(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.socket(call.int(0)?)?;
    let (header, flags) = (call.arg(1)?, call.arg(2)? as u32);
    let ranges = call.message_ranges(header)?;
    let message = call.receive(opened, id, &ranges, flags)?;
    let name = call.machine.load_word(header.wrapping_add(NAME), 8)?;
    if name != 0 {
        let room = call.machine.load_word(header.wrapping_add(NAME_LEN), 4)? as usize;
        let len = call.put_address(name, room, message.from.as_ref())?;
        call.machine.store_word(header.wrapping_add(NAME_LEN), 4, len as u64)?;
    }
    call.machine.store_word(header.wrapping_add(CONTROL_LEN), 8, 0)?;
    let is_cut = if message.whole > message.len { MSG_TRUNC } else { 0 };
    call.machine.store_word(header.wrapping_add(FLAGS), 4, u64::from(is_cut))?;
    Ok(message.count(flags))
}

/// `send(fd, buffer, length, flags)`
pub(in crate::models) fn send(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.socket(call.int(0)?)?;
    let flags = call.arg(3)? as u32;
    call.send(opened, id, &call.buffer()?, flags, None)
}

/// `sendto(fd, buffer, length, flags, &address, address_length)`
pub(in crate::models) fn sendto(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.socket(call.int(0)?)?;
    let flags = call.arg(3)? as u32;
    let to = call.address(4, 5)?;
    let socket = call.machine.os.sockets.get(id);
    // A connected Unix stream takes no address.
    if to.is_some() && socket.is_unix() && socket.style == Style::Stream && socket.is_connected() {
        return Err(NoResult::Errno(EISCONN));
    }
    call.send(opened, id, &call.buffer()?, flags, to)
}

/// `sendmsg(fd, &message, flags)`: without descriptors.
pub(in crate::models) fn sendmsg(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.socket(call.int(0)?)?;
    let (header, flags) = (call.arg(1)?, call.arg(2)? as u32);
    if call.machine.load_word(header.wrapping_add(CONTROL_LEN), 8)? != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let ranges = call.message_ranges(header)?;
    let name = call.machine.load_word(header.wrapping_add(NAME), 8)?;
    let len = call.machine.load_word(header.wrapping_add(NAME_LEN), 4)? as usize;
    let to = call.address_at(name, len)?;
    call.send(opened, id, &ranges, flags, to)
}
