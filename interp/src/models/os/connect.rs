//! How sockets come to be, get addresses and are connected.

use super::{Answer, Call, NoResult};
use crate::files::errno::{
    EADDRINUSE, EADDRNOTAVAIL, EAFNOSUPPORT, EALREADY, ECONNREFUSED, EINPROGRESS, EINVAL, EISCONN, ENETUNREACH,
    ENOTCONN, EOPNOTSUPP, EPERM, EPROTONOSUPPORT, EPROTOTYPE,
};
use crate::files::open::{O_CLOEXEC, O_NONBLOCK, OpenObject};
use crate::finding::Awaited;
use crate::machine::Machine;
use crate::os::address::{AF_INET, AF_INET6, AF_UNIX, Address};
use crate::os::ready::{HUP, RDHUP, READ, ROOM, WRITE};
use crate::os::socket::{Backlog, Peer, Socket, Style};
use std::collections::VecDeque;
use std::sync::Arc;

const SOCK_STREAM: u32 = 1;
const SOCK_DGRAM: u32 = 2;
const SOCK_RAW: u32 = 3;
const SOCK_SEQPACKET: u32 = 5;
const IPPROTO_TCP: i32 = 6;
const IPPROTO_UDP: i32 = 17;
const AF_UNSPEC: u64 = 0;
const SHUT_RD: i32 = 0;
const SHUT_WR: i32 = 1;
const SHUT_RDWR: i32 = 2;
/// Maximum length of a queue of connections (`net.core.somaxconn`).
const MOST_QUEUED: i32 = 4096;
/// The address of this host for others.
pub(super) const HOST: [u8; 4] = [192, 168, 0, 2];

impl Machine<'_> {
    fn new_socket(&mut self, domain: i32, kind: u32, protocol: i32) -> Result<usize, NoResult> {
        let family = u16::try_from(domain).unwrap_or(u16::MAX);
        let style = match kind & 0xf {
            SOCK_STREAM => Style::Stream,
            SOCK_DGRAM => Style::Datagram,
            SOCK_SEQPACKET => Style::SeqPacket,
            SOCK_RAW => return Err(NoResult::Errno(EPERM)),
            _ => return Err(NoResult::Errno(EINVAL)),
        };
        let is_right = match (family, style) {
            (AF_INET | AF_INET6, Style::Stream) => matches!(protocol, 0 | IPPROTO_TCP),
            (AF_INET | AF_INET6, Style::Datagram) => matches!(protocol, 0 | IPPROTO_UDP),
            (AF_UNIX, _) => matches!(protocol, 0 | 1),
            (AF_INET | AF_INET6, Style::SeqPacket) => false,
            _ => return Err(NoResult::Errno(EAFNOSUPPORT)),
        };
        if !is_right {
            return Err(NoResult::Errno(EPROTONOSUPPORT));
        }
        let token = self.file_token();
        Ok(self.os.sockets.add(Socket::new(family, style, token)))
    }

    /// Opens a socket.
    fn open_socket(&mut self, id: usize, flags: u32) -> Result<i32, NoResult> {
        let (opened, descriptor) = self.descriptor(OpenObject::Socket(id), flags)?;
        self.os.sockets.open(id, opened);
        Ok(descriptor)
    }

    /// Binds a socket to an internet address.
    fn bind_internet(&mut self, id: usize, address: Address) -> Result<(), NoResult> {
        let is_own = |ip: [u8; 4]| ip == HOST || ip[0] == 127 || ip == [0; 4] || ip[0] & 0xf0 == 0xe0;
        let is_known = match &address {
            Address::V4(ip, _) => is_own(*ip),
            Address::V6(ip, _) => address.is_any() || address.is_loopback() || ip[0] == 0xff,
            Address::Unix(_) => false,
        };
        if !is_known {
            return Err(NoResult::Errno(EADDRNOTAVAIL));
        }
        let port = match address.port() {
            0 => self.os.sockets.free_port(id, &address)?,
            port => {
                self.os.sockets.may_bind(id, &address)?;
                port
            }
        };
        self.os.sockets.get_mut(id).local = Some(address.with_port(port));
        Ok(())
    }

    /// Gives a socket that is about to send to an internet address one of its own.
    pub(super) fn bind_for(&mut self, id: usize, target: &Address) -> Result<(), NoResult> {
        let socket = self.os.sockets.get(id);
        let (family, style) = (socket.family, socket.style);
        let ip = match target {
            target if target.is_loopback() => Address::loopback(target.family()),
            Address::V4(..) => Address::V4(HOST, 0),
            _ => return Err(NoResult::Errno(ENETUNREACH)),
        };
        let ip = ip.shown_to(family);
        match socket.local.clone() {
            Some(local) if local.is_any() && style == Style::Stream => {
                self.os.sockets.get_mut(id).local = Some(ip.with_port(local.port()));
            }
            Some(_) => {}
            None => {
                // A socket for messages gets them at any address.
                let own = if style == Style::Stream { ip } else { Address::any(family) };
                let port = self.os.sockets.free_port(id, &own)?;
                self.os.sockets.get_mut(id).local = Some(own.with_port(port));
            }
        }
        Ok(())
    }

    /// Connects a socket to a listener, whose queue has room.
    pub(super) fn establish(&mut self, client: usize, listener: usize) {
        let token = self.file_token();
        let (own, other) = (self.os.sockets.get(client), self.os.sockets.get(listener));
        let family = other.family;
        let mut child = Socket::new(family, other.style, token);
        child.options = Arc::clone(&other.options);
        child.local = match &own.remote {
            Some(remote) if family != AF_UNIX => Some(remote.target().shown_to(family)),
            _ => other.local.clone(),
        };
        child.remote = Some(own.local.as_ref().map_or(Address::any(family), |local| local.unmapped().shown_to(family)));
        child.peer = Peer::Socket(client);
        let child = self.os.sockets.add(child);
        let own = self.os.sockets.get_mut(client);
        (own.peer, own.is_connecting) = (Peer::Socket(child), false);
        self.arrives(child, listener);
        self.socket_changed(client, WRITE);
    }

    /// A connection is put into the queue of a listener.
    pub(super) fn arrives(&mut self, child: usize, listener: usize) {
        if let Some(backlog) = &mut self.os.sockets.get_mut(listener).backlog {
            backlog.accepted_next.push_back(child);
        }
        self.socket_changed(listener, READ);
    }

    pub(super) fn accepts_more(&self, listener: usize) -> bool {
        self.os.sockets.get(listener).backlog.as_ref().is_some_and(Backlog::has_room)
    }
}

impl Call<'_, '_> {
    fn connect_internet(&mut self, opened: usize, id: usize, address: &Address) -> Answer {
        let family = self.machine.os.sockets.get(id).family;
        if address.family() != family && !(family == AF_INET6 && address.family() == AF_INET) {
            return Err(NoResult::Errno(EAFNOSUPPORT));
        }
        let target = address.target();
        if self.machine.os.sockets.get(id).style == Style::Datagram {
            self.machine.bind_for(id, &target)?;
            self.machine.os.sockets.get_mut(id).remote = Some(target.shown_to(family));
            return Ok(0);
        }
        let is_non_blocking = self.machine.files.table.opened(opened).flags & O_NONBLOCK != 0;
        self.machine.bind_for(id, &target)?;
        let socket = self.machine.os.sockets.get_mut(id);
        socket.remote = Some(target.shown_to(family));
        (socket.is_connecting, socket.read_ended, socket.write_ended) = (true, false, false);
        match self.machine.os.sockets.listener_at(&target) {
            Some(listener) => {
                self.machine.os.outside.cancel_clients(listener);
                if self.machine.accepts_more(listener) {
                    self.machine.establish(id, listener);
                } else if let Some(backlog) = &mut self.machine.os.sockets.get_mut(listener).backlog {
                    backlog.queued.push_back(id);
                }
            }
            None => match self.machine.reach_outside(id, &target) {
                Ok(()) => {}
                Err(ECONNREFUSED) => self.machine.refuse(id, ECONNREFUSED),
                Err(errno) => {
                    self.machine.os.sockets.get_mut(id).is_connecting = false;
                    return Err(NoResult::Errno(errno));
                }
            },
        }
        if is_non_blocking {
            return Err(NoResult::Errno(EINPROGRESS));
        }
        self.connected(opened, id)
    }

    /// The result of a call that waits for its connection.
    fn connected(&mut self, opened: usize, id: usize) -> Answer {
        let socket = self.machine.os.sockets.get_mut(id);
        if socket.is_connecting {
            return match self.socket_waits((opened, id), WRITE | READ | HUP, Awaited::Established, false) {
                NoResult::Errno(_) => Err(NoResult::Errno(EINPROGRESS)),
                waits => Err(waits),
            };
        }
        socket.take_error()?;
        self.machine.see_opened(opened);
        Ok(0)
    }

    /// The Unix socket at an address.
    fn find_unix(&mut self, path: &[u8]) -> Result<usize, NoResult> {
        match path.first() {
            None => Err(NoResult::Errno(EINVAL)),
            Some(0) => self.machine.os.sockets.named(path).ok_or(NoResult::Errno(ECONNREFUSED)),
            Some(_) => {
                let path = self.own_path(path)?;
                self.machine.socket_at(path)?.ok_or(NoResult::Errno(ECONNREFUSED))
            }
        }
    }

    /// The open Unix socket for messages at an address.
    pub(super) fn find_unix_datagram(&mut self, path: &[u8]) -> Result<usize, NoResult> {
        let found = self.find_unix(path)?;
        let socket = self.machine.os.sockets.get(found);
        match socket.opened {
            None => Err(NoResult::Errno(ECONNREFUSED)),
            Some(_) if socket.style != Style::Datagram => Err(NoResult::Errno(EPROTOTYPE)),
            Some(_) => Ok(found),
        }
    }

    fn connect_unix(&mut self, opened: usize, id: usize, path: &[u8]) -> Answer {
        let style = self.machine.os.sockets.get(id).style;
        if style == Style::Datagram {
            let found = self.find_unix_datagram(path)?;
            let socket = self.machine.os.sockets.get_mut(id);
            (socket.peer, socket.remote) = (Peer::Socket(found), Some(Address::Unix(path.to_vec())));
            return Ok(0);
        }
        let found = self.find_unix(path)?;
        let other = self.machine.os.sockets.get(found);
        if other.style != style {
            return Err(NoResult::Errno(EPROTOTYPE));
        }
        let (Some(listener), true) = (other.opened, other.backlog.is_some()) else {
            return Err(NoResult::Errno(ECONNREFUSED));
        };
        if !self.machine.accepts_more(found) {
            let is_non_blocking = self.machine.files.table.opened(opened).flags & O_NONBLOCK;
            if is_non_blocking != 0 {
                return Err(NoResult::Errno(crate::files::errno::EAGAIN));
            }
            let interests = vec![crate::os::Interest { opened: listener, events: ROOM }];
            return Err(self.waits_for(interests, Awaited::Established, None));
        }
        self.machine.os.outside.cancel_clients(found);
        self.machine.os.sockets.get_mut(id).remote = Some(Address::Unix(path.to_vec()));
        self.machine.establish(id, found);
        Ok(0)
    }
}

/// `socket(domain, type, protocol)`
pub(in crate::models) fn socket(call: &mut Call<'_, '_>) -> Answer {
    let (domain, kind, protocol) = (call.int(0)?, call.arg(1)? as u32, call.int(2)?);
    call.machine.files.table.has_room(1)?;
    let id = call.machine.new_socket(domain, kind, protocol)?;
    Ok(call.machine.open_socket(id, kind)? as u64)
}

/// `socketpair(domain, type, protocol, &descriptors)`
pub(in crate::models) fn socketpair(call: &mut Call<'_, '_>) -> Answer {
    let (domain, kind, protocol, place) = (call.int(0)?, call.arg(1)? as u32, call.int(2)?, call.arg(3)?);
    if domain != i32::from(AF_UNIX) {
        return Err(NoResult::Errno(EOPNOTSUPP));
    }
    call.machine.files.table.has_room(2)?;
    let one = call.machine.new_socket(domain, kind, protocol)?;
    let other = call.machine.new_socket(domain, kind, protocol)?;
    for (at, (id, peer)) in [(0, (one, other)), (4, (other, one))] {
        let socket = call.machine.os.sockets.get_mut(id);
        (socket.peer, socket.remote) = (Peer::Socket(peer), Some(Address::any(AF_UNIX)));
        let descriptor = call.machine.open_socket(id, kind & (O_NONBLOCK | O_CLOEXEC))?;
        call.machine.store_word(place.wrapping_add(at), 4, descriptor as u64)?;
    }
    Ok(0)
}

/// `bind(fd, &address, length)`
pub(in crate::models) fn bind(call: &mut Call<'_, '_>) -> Answer {
    let (_, id) = call.socket(call.int(0)?)?;
    let address = call.address(1, 2)?.ok_or(EINVAL)?;
    let socket = call.machine.os.sockets.get(id);
    if address.family() != socket.family {
        return Err(NoResult::Errno(if socket.is_unix() { EINVAL } else { EAFNOSUPPORT }));
    }
    if socket.local.is_some() {
        return Err(NoResult::Errno(EINVAL));
    }
    match &address {
        Address::Unix(path) if path.is_empty() => return Err(NoResult::Errno(EINVAL)),
        Address::Unix(path) if path.first() == Some(&0) => call.machine.os.sockets.name(path.clone(), id)?,
        Address::Unix(path) => {
            let path = call.own_path(path)?;
            call.machine.add_socket(path, id)?;
        }
        _ => {
            if address.port() != 0 {
                // Somebody else may have it.
                let answers = call.machine.inputs.answers;
                call.machine.may_fail(answers, &[EADDRINUSE])?;
            }
            call.machine.bind_internet(id, address)?;
            if call.machine.os.sockets.get(id).style == Style::Datagram {
                call.machine.expect_clients(id);
            }
            return Ok(0);
        }
    }
    call.machine.os.sockets.get_mut(id).local = Some(address);
    Ok(0)
}

/// `listen(fd, backlog)`
pub(in crate::models) fn listen(call: &mut Call<'_, '_>) -> Answer {
    let (_, id) = call.socket(call.int(0)?)?;
    let most = call.int(1)?;
    let socket = call.machine.os.sockets.get(id);
    if socket.style == Style::Datagram {
        return Err(NoResult::Errno(EOPNOTSUPP));
    }
    if socket.peer != Peer::Nobody || socket.is_connecting || socket.is_unix() && socket.local.is_none() {
        return Err(NoResult::Errno(EINVAL));
    }
    if socket.local.is_none() {
        let any = Address::any(socket.family);
        call.machine.bind_internet(id, any)?;
    }
    // A negative length is the largest one; the system accepts one more.
    let most = if most < 0 { MOST_QUEUED } else { most.min(MOST_QUEUED) } as usize + 1;
    let socket = call.machine.os.sockets.get_mut(id);
    match &mut socket.backlog {
        Some(backlog) => backlog.most = most,
        None => {
            socket.backlog = Some(Backlog { accepted_next: VecDeque::new(), most, queued: VecDeque::new() });
            call.machine.expect_clients(id);
        }
    }
    Ok(0)
}

/// `accept(fd, &address, &length)`, `accept4` with flags.
pub(in crate::models) fn accept(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.socket(call.int(0)?)?;
    let flags = if call.code.params.len() > 3 { call.arg(3)? as u32 } else { 0 };
    call.machine.files.table.has_room(1)?;
    let socket = call.machine.os.sockets.get_mut(id);
    if socket.style == Style::Datagram {
        return Err(NoResult::Errno(EOPNOTSUPP));
    }
    let has_ended = socket.read_ended;
    let Some(backlog) = socket.backlog.as_mut().filter(|_| !has_ended) else { return Err(NoResult::Errno(EINVAL)) };
    let Some(child) = backlog.accepted_next.pop_front() else {
        return Err(call.socket_waits((opened, id), READ | HUP, Awaited::Connection, false));
    };
    let next = backlog.queued.pop_front();
    if let Some(next) = next {
        call.machine.establish(next, id);
    }
    call.machine.changed(opened, ROOM);
    call.machine.see_opened(opened);
    let token = call.machine.os.sockets.get(child).token;
    call.machine.see_file(token);
    let descriptor = call.machine.open_socket(child, flags & (O_NONBLOCK | O_CLOEXEC))?;
    let remote = call.machine.os.sockets.get(child).remote.clone();
    call.tell_address(1, 2, remote.as_ref())?;
    Ok(descriptor as u64)
}

/// `connect(fd, &address, length)`
pub(in crate::models) fn connect(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.socket(call.int(0)?)?;
    let is_retry = call.machine.thread().progress != crate::thread::Progress::None;
    let socket = call.machine.os.sockets.get_mut(id);
    let is_message = socket.style == Style::Datagram;
    if is_retry && !socket.is_unix() && !is_message {
        return call.connected(opened, id);
    }
    if !is_message && socket.backlog.is_some() {
        return Err(NoResult::Errno(EISCONN));
    }
    if !is_message && socket.is_connecting {
        return Err(NoResult::Errno(EALREADY));
    }
    if !is_message && socket.is_connected() {
        return Err(NoResult::Errno(EISCONN));
    }
    if call.machine.load_word(call.arg(1)?, 2)? == AF_UNSPEC && is_message {
        let socket = call.machine.os.sockets.get_mut(id);
        (socket.remote, socket.peer) = (None, Peer::Nobody);
        return Ok(0);
    }
    match call.address(1, 2)?.ok_or(EINVAL)? {
        Address::Unix(path) => {
            if !call.machine.os.sockets.get(id).is_unix() {
                return Err(NoResult::Errno(EAFNOSUPPORT));
            }
            call.connect_unix(opened, id, &path)
        }
        _ if call.machine.os.sockets.get(id).is_unix() => Err(NoResult::Errno(EINVAL)),
        address => call.connect_internet(opened, id, &address),
    }
}

/// `shutdown(fd, how)`
pub(in crate::models) fn shutdown(call: &mut Call<'_, '_>) -> Answer {
    let (_, id) = call.socket(call.int(0)?)?;
    let how = call.int(1)?;
    let (reads, writes) = match how {
        SHUT_RD => (true, false),
        SHUT_WR => (false, true),
        SHUT_RDWR => (true, true),
        _ => return Err(NoResult::Errno(EINVAL)),
    };
    // A TCP connection that both ends have closed is none any more.
    let has_ended = call.machine.has_ended(id);
    let socket = call.machine.os.sockets.get_mut(id);
    let listens = socket.backlog.is_some();
    let is_remote = matches!(socket.peer, Peer::Socket(_) | Peer::Outside(_) | Peer::Gone);
    let is_addressed = socket.style == Style::Datagram && socket.remote.is_some();
    if !listens && (!(is_remote || is_addressed) || has_ended) {
        return Err(NoResult::Errno(ENOTCONN));
    }
    socket.read_ended |= reads;
    socket.write_ended |= writes;
    let (peer, is_unix, style) = (socket.peer, socket.is_unix(), socket.style);
    call.machine.socket_changed(id, READ | WRITE | HUP | RDHUP);
    if let Peer::Socket(other) = peer
        && style != Style::Datagram
    {
        let other_end = call.machine.os.sockets.get_mut(other);
        other_end.read_ended |= writes;
        // Who sends to a Unix socket that does not receive is told so.
        other_end.write_ended |= reads && is_unix;
        call.machine.socket_changed(other, READ | WRITE | HUP | RDHUP);
    }
    Ok(0)
}
