//! Sockets: their state, and which of them has which address. The calls are in `crate::models::os`.

use super::address::{AF_INET6, AF_UNIX, Address};
use crate::files::Text;
use crate::files::errno::{EADDRINUSE, Errno};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Ports that the system chooses itself, as Linux does by default.
const FIRST_PORT: u16 = 32_768;
const LAST_PORT: u16 = 60_999;

/// Options that decide whether two sockets may share an address.
pub(crate) const SOL_SOCKET: i32 = 1;
pub(crate) const SO_REUSEADDR: i32 = 2;
pub(crate) const SO_REUSEPORT: i32 = 15;
pub(crate) const IPPROTO_IPV6: i32 = 41;
pub(crate) const IPV6_V6ONLY: i32 = 26;

/// How a socket transfers data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Bytes of a connection.
    Stream,
    /// Messages, each to any address.
    Datagram,
    /// Messages of a connection.
    SeqPacket,
}

/// The other end of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peer {
    Nobody,
    /// A socket of the run.
    Socket(usize),
    /// A made-up program outside, by number.
    Outside(usize),
    /// It is closed.
    Gone,
}

/// Connections that a listener has not accepted.
#[derive(Clone, Debug)]
pub(crate) struct Backlog {
    pub(crate) accepted_next: VecDeque<usize>,
    pub(crate) most: usize,
    /// TCP sockets that wait for room.
    pub(crate) queued: VecDeque<usize>,
}

impl Backlog {
    pub(crate) fn has_room(&self) -> bool {
        self.accepted_next.len() < self.most
    }
}

/// What a socket has received and the program has not read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Received {
    pub(crate) text: Text,
    /// The length and the sender of each message; empty for streams.
    pub(crate) messages: VecDeque<(usize, Option<Address>)>,
}

impl Received {
    pub(crate) fn is_empty(&self) -> bool {
        self.text.len == 0 && self.messages.is_empty()
    }
}

/// A socket.
#[derive(Clone, Debug)]
pub(crate) struct Socket {
    /// Its open file; `None` before it is accepted, and after it was closed.
    pub(crate) opened: Option<usize>,
    pub(crate) family: u16,
    pub(crate) style: Style,
    pub(crate) local: Option<Address>,
    pub(crate) remote: Option<Address>,
    pub(crate) peer: Peer,
    pub(crate) backlog: Option<Backlog>,
    pub(crate) received: Received,
    /// A connection that is not established yet.
    pub(crate) is_connecting: bool,
    /// Nothing more comes.
    pub(crate) read_ended: bool,
    /// Nothing more can be sent.
    pub(crate) write_ended: bool,
    /// The other end answered that it knows nothing of the connection.
    pub(crate) is_broken: bool,
    /// The error that the next call returns; 0 if none.
    pub(crate) error: Errno,
    /// Whether a call found no room to write.
    pub(crate) wants_room: bool,
    /// Options that were set, by level and name; those that a listener accepts begin with its own.
    pub(crate) options: Arc<BTreeMap<(i32, i32), Vec<u8>>>,
    /// The groups that it has joined, as the program described them.
    pub(crate) groups: BTreeSet<Vec<u8>>,
    /// The key through which its users synchronise: who sends to it with who receives from it.
    pub(crate) token: u64,
}

impl Socket {
    pub(crate) fn new(family: u16, style: Style, token: u64) -> Socket {
        Socket {
            opened: None,
            family,
            style,
            local: None,
            remote: None,
            peer: Peer::Nobody,
            backlog: None,
            received: Received::default(),
            is_connecting: false,
            read_ended: false,
            write_ended: false,
            is_broken: false,
            error: 0,
            wants_room: false,
            options: Arc::default(),
            groups: BTreeSet::new(),
            token,
        }
    }

    pub(crate) fn is_unix(&self) -> bool {
        self.family == AF_UNIX
    }

    /// Whether it transfers messages.
    pub(crate) fn has_messages(&self) -> bool {
        self.style != Style::Stream
    }

    /// Whether it is or was connected to one other end.
    pub(crate) fn is_connected(&self) -> bool {
        !matches!(self.peer, Peer::Nobody) && !self.is_connecting
    }

    /// An option of one word; 0 if it was not set.
    pub(crate) fn option(&self, level: i32, name: i32) -> u32 {
        let bytes = self.options.get(&(level, name)).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn is_for_v6_only(&self) -> bool {
        self.family == AF_INET6 && self.option(IPPROTO_IPV6, IPV6_V6ONLY) != 0
    }

    /// Whether it is bound so that it gets what is sent to this address.
    fn receives(&self, target: &Address) -> bool {
        self.local.as_ref().is_some_and(|local| local.receives(target, self.is_for_v6_only()))
    }
}

/// All sockets of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sockets {
    all: Vec<Socket>,
    /// Those with an open file.
    open: BTreeSet<usize>,
    /// Abstract names of Unix sockets.
    names: BTreeMap<Vec<u8>, usize>,
    /// Number of ports that were chosen.
    ports: u16,
}

impl Sockets {
    pub(crate) fn add(&mut self, socket: Socket) -> usize {
        self.all.push(socket);
        self.all.len() - 1
    }

    pub(crate) fn get(&self, id: usize) -> &Socket {
        &self.all[id]
    }

    pub(crate) fn get_mut(&mut self, id: usize) -> &mut Socket {
        &mut self.all[id]
    }

    /// A socket gets an open file.
    pub(crate) fn open(&mut self, id: usize, opened: usize) {
        self.all[id].opened = Some(opened);
        self.open.insert(id);
    }

    /// A socket has no open file any more.
    pub(crate) fn close(&mut self, id: usize) {
        self.all[id].opened = None;
        self.open.remove(&id);
    }

    fn all_open(&self) -> impl Iterator<Item = (usize, &Socket)> {
        self.open.iter().map(|id| (*id, &self.all[*id]))
    }

    /// The listener for connections to an internet address; an exact one goes before one for all addresses.
    pub(crate) fn listener_at(&self, target: &Address) -> Option<usize> {
        let listens = self.all_open().filter(|(_, it)| it.backlog.is_some() && !it.is_unix() && it.receives(target));
        best(listens)
    }

    /// The socket for messages to an internet address from a sender.
    pub(crate) fn datagram_at(&self, target: &Address, from: &Address) -> Option<usize> {
        let is_from = |it: &Socket| it.remote.as_ref().is_none_or(|remote| remote.unmapped() == from.unmapped());
        let receives = |(_, it): &(usize, &Socket)| {
            it.style == Style::Datagram && !it.is_unix() && it.receives(target) && is_from(it)
        };
        let (connected, free): (Vec<_>, Vec<_>) =
            self.all_open().filter(receives).partition(|(_, it)| it.remote.is_some());
        best(connected.into_iter()).or_else(|| best(free.into_iter()))
    }

    /// Whether a socket may be bound to an internet address.
    pub(crate) fn may_bind(&self, id: usize, address: &Address) -> Result<(), Errno> {
        let own = &self.all[id];
        let is_stream = own.style == Style::Stream;
        let conflicts = |(index, other): &(usize, &Socket)| {
            let Some(local) = &other.local else { return false };
            // The port of an accepted connection is its listener's.
            let is_other = *index != id && !other.is_unix() && other.style == own.style;
            if !is_other || local.port() != address.port() || is_stream && other.peer != Peer::Nobody {
                return false;
            }
            let overlaps = own.family == other.family && (local.is_any() || address.is_any())
                || local.receives(&address.unmapped(), other.is_for_v6_only())
                || address.receives(&local.unmapped(), own.is_for_v6_only());
            let both = |name| [own, *other].iter().all(|it| it.option(SOL_SOCKET, name) != 0);
            let may_share = both(SO_REUSEPORT) || both(SO_REUSEADDR) && !(is_stream && other.backlog.is_some());
            overlaps && !may_share
        };
        if self.all_open().any(|other| conflicts(&other)) { Err(EADDRINUSE) } else { Ok(()) }
    }

    /// A free port for an address.
    pub(crate) fn free_port(&mut self, id: usize, address: &Address) -> Result<u16, Errno> {
        for _ in FIRST_PORT..=LAST_PORT {
            let port = FIRST_PORT + self.ports % (LAST_PORT - FIRST_PORT + 1);
            self.ports = self.ports.wrapping_add(1);
            let is_used = |(index, it): (usize, &Socket)| {
                index != id && it.local.as_ref().is_some_and(|local| local.port() == port)
            };
            if !self.all_open().any(is_used) && self.may_bind(id, &address.with_port(port)).is_ok() {
                return Ok(port);
            }
        }
        Err(EADDRINUSE)
    }

    /// The socket with an abstract name.
    pub(crate) fn named(&self, name: &[u8]) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Gives a socket an abstract name.
    pub(crate) fn name(&mut self, name: Vec<u8>, id: usize) -> Result<(), Errno> {
        if self.names.contains_key(&name) {
            return Err(EADDRINUSE);
        }
        self.names.insert(name, id);
        Ok(())
    }

    /// Forgets the abstract name of a socket.
    pub(crate) fn forget_name(&mut self, id: usize) {
        self.names.retain(|_, named| *named != id);
    }
}

/// The socket with the most exact address; the last one among equal ones.
fn best<'a>(found: impl Iterator<Item = (usize, &'a Socket)>) -> Option<usize> {
    let is_exact = |(_, it): &(usize, &Socket)| it.local.as_ref().is_some_and(|local| !local.is_any());
    found.max_by_key(is_exact).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::super::address::AF_INET;
    use super::*;

    const LOCAL: Address = Address::V4([127, 0, 0, 1], 80);

    fn add(sockets: &mut Sockets, style: Style, local: Option<Address>) -> usize {
        let id = sockets.add(Socket::new(AF_INET, style, 0));
        sockets.open(id, id);
        sockets.get_mut(id).local = local;
        id
    }

    #[test]
    fn addresses_in_use() {
        let mut sockets = Sockets::default();
        let first = add(&mut sockets, Style::Stream, Some(LOCAL));
        let second = add(&mut sockets, Style::Stream, None);
        let any = Address::any(AF_INET).with_port(80);
        assert_eq!(
            (sockets.may_bind(second, &LOCAL), sockets.may_bind(second, &any)),
            (Err(EADDRINUSE), Err(EADDRINUSE))
        );
        assert_eq!(sockets.may_bind(second, &Address::V4([127, 0, 0, 2], 80)), Ok(()));
        let other = add(&mut sockets, Style::Datagram, None);
        assert_eq!(sockets.may_bind(other, &LOCAL), Ok(()), "UDP has ports of its own");
        for id in [first, second] {
            Arc::make_mut(&mut sockets.get_mut(id).options).insert((SOL_SOCKET, SO_REUSEADDR), vec![1, 0, 0, 0]);
        }
        assert_eq!(sockets.may_bind(second, &LOCAL), Ok(()));
        let backlog = Backlog { accepted_next: VecDeque::new(), most: 1, queued: VecDeque::new() };
        sockets.get_mut(first).backlog = Some(backlog);
        assert_eq!(sockets.may_bind(second, &LOCAL), Err(EADDRINUSE), "a listener shares only with SO_REUSEPORT");
        sockets.close(first);
        assert_eq!(sockets.may_bind(second, &LOCAL), Ok(()));
    }

    #[test]
    fn who_is_found() {
        let mut sockets = Sockets::default();
        let any = add(&mut sockets, Style::Datagram, Some(Address::any(AF_INET).with_port(80)));
        let from = LOCAL.with_port(9);
        assert_eq!(sockets.datagram_at(&LOCAL, &from), Some(any));
        let exact = add(&mut sockets, Style::Datagram, Some(LOCAL));
        assert_eq!(sockets.datagram_at(&LOCAL, &from), Some(exact));
        sockets.get_mut(exact).remote = Some(LOCAL.with_port(10));
        assert_eq!(sockets.datagram_at(&LOCAL, &from), Some(any), "a connected socket hears only its peer");
        assert_eq!(sockets.listener_at(&LOCAL), None);
        let [one, other] = [0, 1].map(|_| sockets.free_port(exact, &LOCAL).unwrap());
        assert_ne!(one, other);
    }
}
