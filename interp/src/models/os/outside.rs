//! Made-up programs outside: who connects to a listener of the run, and whom the run connects to.
//!
//! They exist only where nothing is known of the outside, and what they say is an input. Clients come to a listener
//! that nothing in the run has connected to for a while; so a program that talks to itself is left alone.

use crate::environment::Disk;
use crate::files::errno::{ECONNREFUSED, ENETUNREACH, Errno};
use crate::inputs::{Chooser, MadeUpInput};
use crate::machine::{Machine, Stop};
use crate::memory::Memory;
use crate::models::files::NoResult;
use crate::models::files::space::Range;
use crate::os::address::{AF_INET, AF_INET6, AF_UNIX, Address};
use crate::os::outside::{OutsideEvent, PeerAction};
use crate::os::socket::{Peer, Socket, Style};
use crate::rng::Rng;
use std::sync::Arc;

/// The stream of random numbers for programs outside.
const PROGRAMS: u64 = 1 << 60;
/// The first port of made-up programs on this host.
const FIRST_PORT: u64 = 61_000;
const PORTS: u64 = 4_000;

/// The side of a connection on which a made-up program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Client,
    Server,
}

impl Chooser<'_> {
    pub(in crate::models) fn program(&self, number: u64) -> Rng {
        Rng::with_stream(self.seed, PROGRAMS | number << 8)
    }

    /// One message of a program: lines of words, or what HTTP has here.
    fn message(&self, rng: &mut Rng, role: Role) -> Vec<u8> {
        let part = if self.dictionary.speaks_http { 7 } else { 2 };
        match rng.below(8) {
            it if it < part && role == Role::Client => self.request(rng),
            it if it < part => self.answer(rng),
            it if it % 2 == 0 => {
                let phrase = self.phrase(rng);
                match phrase.ends_with(b"\n") {
                    true => phrase,
                    false => [&phrase[..], b"\n"].concat(),
                }
            }
            _ => {
                let mut line = self.word(rng);
                for _ in 0..rng.below(3) {
                    line.push(b' ');
                    line.extend(self.word(rng));
                }
                line.extend(if rng.chance(1, 2) { &b"\n"[..] } else { &b"\r\n"[..] });
                line
            }
        }
    }

    /// The actions of a program at the other end of a connection: it sends a few messages, some in pieces, and closes. A
    /// client that knows what the program understands always sends something, as its requests should meet others.
    fn actions(&self, rng: &mut Rng, role: Role) -> (Vec<PeerAction>, Vec<u8>) {
        let (mut actions, mut all) = (Vec::new(), Vec::new());
        let knows = role == Role::Client && !self.dictionary.endpoints.is_empty();
        let (messages, pieces) =
            if knows { (1 + rng.below(2), 8) } else { (rng.below(3) + u32::from(rng.chance(3, 4)), 3) };
        for _ in 0..messages {
            let message = self.message(rng, role);
            all.extend(&message);
            let cut = if rng.chance(1, pieces) { rng.index(message.len().max(1)) } else { 0 };
            let (first, rest) = message.split_at(cut.min(message.len()));
            let parts = [first, rest].into_iter().filter(|part| !part.is_empty());
            actions.extend(parts.map(|part| PeerAction::Send(part.to_vec())));
        }
        actions.push(if rng.chance(3, 4) { PeerAction::Close } else { PeerAction::Reset });
        (actions, all)
    }
}

impl Machine<'_> {
    /// Clients may come to a socket.
    pub(super) fn expect_clients(&mut self, id: usize) {
        if self.environment.disk() == Disk::Any {
            let now = self.now;
            self.os.outside.invite(id, now);
        }
    }

    /// A number for the next made-up program.
    fn next_program(&mut self) -> u64 {
        self.inputs.answers += 1;
        self.inputs.answers
    }

    /// A program outside takes the other end of a socket.
    fn connect_program(&mut self, id: usize, role: Role) {
        let number = self.next_program();
        let actions = self.choose(|inputs, chooser| {
            let (actions, all) = chooser.actions(&mut chooser.program(number), role);
            inputs.note(MadeUpInput::Stream(all));
            actions
        });
        let now = self.now;
        let program = self.os.outside.start(id, actions, now);
        let socket = self.os.sockets.get_mut(id);
        (socket.peer, socket.is_connecting) = (Peer::Outside(program), false);
    }

    /// Connects a socket to a program outside: it answers, or refuses.
    pub(super) fn reach_outside(&mut self, id: usize, target: &Address) -> Result<(), Errno> {
        if !self.has_outside() {
            self.environment.was_refused();
            return Err(if target.is_loopback() { ECONNREFUSED } else { ENETUNREACH });
        }
        let number = self.next_program();
        if let Some(listener) = self.listener_behind(target)
            && self.choose(|_, chooser| chooser.program(number).chance(3, 4))
        {
            self.os.outside.cancel_clients(listener);
            self.establish(id, listener);
            return Ok(());
        }
        if self.choose(|_, chooser| chooser.program(number).chance(1, 4)) {
            return Err(ECONNREFUSED);
        }
        self.connect_program(id, Role::Server);
        Ok(())
    }

    /// The listener of another process to which an address elsewhere may lead: any name may be that of this host, and a
    /// gateway may pass a connection on.
    fn listener_behind(&self, target: &Address) -> Option<usize> {
        let is_elsewhere =
            self.processes.len() > 1 && !target.is_loopback() && matches!(target.family(), AF_INET | AF_INET6);
        if !is_elsewhere {
            return None;
        }
        let here = Address::loopback(AF_INET).with_port(target.port());
        self.os.sockets.listener_at(&here).filter(|listener| self.accepts_more(*listener))
    }

    /// Performs an event of the outside.
    pub(super) fn perform(&mut self, event: OutsideEvent) -> Result<(), Stop> {
        match event {
            OutsideEvent::Visit { socket, count } => (0..count).try_for_each(|_| self.visit(socket)),
            OutsideEvent::Child { process, rounds } => self.continue_outside(process, rounds),
            OutsideEvent::Action { socket, action } => {
                match action {
                    PeerAction::Send(bytes) => self.deliver_bytes(socket, &bytes, None)?,
                    PeerAction::Close => self.hang_up(socket, false),
                    PeerAction::Reset => self.hang_up(socket, true),
                }
                Ok(())
            }
        }
    }

    fn visit(&mut self, id: usize) -> Result<(), Stop> {
        let number = self.next_program();
        let is_stream = self.os.sockets.get(id).style != Style::Datagram;
        if is_stream && self.may_have_second_program() && self.choose(|_, chooser| chooser.program(number).chance(1, 2))
        {
            return self.start_second_program();
        }
        let socket = self.os.sockets.get(id);
        let port = (FIRST_PORT + number % PORTS) as u16;
        let (family, style) = (socket.family, socket.style);
        let from = match family {
            AF_UNIX => Address::any(AF_UNIX),
            _ => Address::loopback(AF_INET).with_port(port).shown_to(family),
        };
        if style == Style::Datagram {
            let message = self.choose(|inputs, chooser| {
                let message = chooser.message(&mut chooser.program(number), Role::Client);
                inputs.note(MadeUpInput::Stream(message.clone()));
                message
            });
            return self.deliver_bytes(id, &message, Some(from));
        }
        let token = self.file_token();
        let mut child = Socket::new(family, style, token);
        let listener = self.os.sockets.get(id);
        (child.local, child.options) = (socket_local(listener), Arc::clone(&listener.options));
        child.remote = Some(from);
        let child = self.os.sockets.add(child);
        self.connect_program(child, Role::Client);
        self.arrives(child, id);
        Ok(())
    }

    /// Bytes from outside arrive at a socket; what does not fit is not sent.
    fn deliver_bytes(&mut self, id: usize, bytes: &[u8], from: Option<Address>) -> Result<(), Stop> {
        if self.space_of(id) < bytes.len() || self.os.sockets.get(id).read_ended {
            return Ok(());
        }
        let index = self.memory.allocate(bytes.len() as u64, crate::memory::AllocKind::Heap)?;
        self.memory.bytes_mut(index, 0, bytes.len()).copy_from_slice(bytes);
        self.memory.clear_uninterpreted(index, 0, bytes.len());
        let range = Range { addr: Memory::address(index, 0), len: bytes.len() };
        let delivered = self.deliver(id, &[range], 0, usize::MAX, from);
        self.free(index);
        match delivered {
            Err(NoResult::Stop(stop)) => Err(stop),
            _ => Ok(()),
        }
    }
}

/// The address at which clients of a listener arrive.
fn socket_local(listener: &Socket) -> Option<Address> {
    let local = listener.local.clone()?;
    Some(if local.is_any() {
        Address::loopback(AF_INET).with_port(local.port()).shown_to(local.family())
    } else {
        local
    })
}
