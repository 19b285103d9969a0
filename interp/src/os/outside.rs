//! Programs outside the run that its sockets talk to: when they connect, and their actions.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An action of a program outside on its end of a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PeerAction {
    /// It sends bytes, or a message.
    Send(Vec<u8>),
    /// It closes its end.
    Close,
    /// It closes its end without having read everything.
    Reset,
}

/// A program at the other end of a connection.
#[derive(Clone, Debug)]
struct Program {
    /// The run's end.
    socket: usize,
    actions: VecDeque<PeerAction>,
    /// When the next action is due.
    at: u64,
}

/// Clients of a listener, or of a socket for messages, that are still to come.
#[derive(Clone, Debug)]
struct PendingClients {
    at: u64,
    /// How many come at each of the next times.
    groups: VecDeque<u32>,
}

/// Something that happens outside.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum OutsideEvent {
    /// Clients come to a socket.
    Visit { socket: usize, count: u32 },
    /// The program at the other end of a socket does something.
    Action { socket: usize, action: PeerAction },
    /// A program that the run has started continues; `rounds` is how often it may still wait for its input.
    Child { process: usize, rounds: u32 },
}

/// A program that the run has started.
#[derive(Clone, Debug)]
struct Child {
    process: usize,
    rounds: u32,
}

/// Nanoseconds between the actions of a program.
const BETWEEN_ACTIONS: u64 = 5_000_000;
/// Nanoseconds before clients come, and between groups of them. Clients in the run connect earlier, also after a sleep.
const BEFORE_VISITS: u64 = 2_000_000_000;
/// How many clients come together: mostly two, so that both are served at once.
const GROUPS: [u32; 3] = [2, 2, 1];

/// The next to act. Clients come before programs, and these before children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Actor {
    /// Clients of this socket.
    Clients(usize),
    /// The program with this number.
    Program(usize),
    /// The child with this number.
    Child(usize),
}

/// All programs outside that still do something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    /// By their sockets; one without groups stays, so that nobody is invited again.
    visits: BTreeMap<usize, PendingClients>,
    /// By number.
    programs: BTreeMap<usize, Program>,
    /// By number.
    children: BTreeMap<usize, Child>,
    /// How many programs and children there have been.
    started: usize,
    /// The times at which something happens.
    next: BTreeSet<(u64, Actor)>,
}

impl Outside {
    /// Clients will come to a socket.
    pub(crate) fn invite(&mut self, socket: usize, now: u64) {
        if let Entry::Vacant(vacant) = self.visits.entry(socket) {
            let at = now.saturating_add(BEFORE_VISITS);
            vacant.insert(PendingClients { at, groups: GROUPS.into() });
            self.next.insert((at, Actor::Clients(socket)));
        }
    }

    /// The run talks to the socket itself, or it is closed: no client comes.
    pub(crate) fn cancel_clients(&mut self, socket: usize) {
        if let Some(visits) = self.visits.get_mut(&socket) {
            visits.groups.clear();
            self.next.remove(&(visits.at, Actor::Clients(socket)));
        }
    }

    /// A program at the other end of a socket; returns its number.
    pub(crate) fn start(&mut self, socket: usize, actions: Vec<PeerAction>, now: u64) -> usize {
        let (number, at) = (self.started, now.saturating_add(BETWEEN_ACTIONS));
        self.started += 1;
        if !actions.is_empty() {
            self.programs.insert(number, Program { socket, actions: actions.into(), at });
            self.next.insert((at, Actor::Program(number)));
        }
        number
    }

    /// The connection of a program was closed: it does nothing more.
    pub(crate) fn stop(&mut self, program: usize) {
        if let Some(stopped) = self.programs.remove(&program) {
            self.next.remove(&(stopped.at, Actor::Program(program)));
        }
    }

    /// A program that the run has started will continue.
    pub(crate) fn begin_child(&mut self, process: usize, rounds: u32, now: u64) {
        let number = self.started;
        self.started += 1;
        self.children.insert(number, Child { process, rounds });
        self.next.insert((now.saturating_add(BETWEEN_ACTIONS), Actor::Child(number)));
    }

    /// When something happens next.
    pub(crate) fn next(&self) -> Option<u64> {
        self.next.first().map(|(at, _)| *at)
    }

    /// Takes the first thing that has happened by now.
    pub(crate) fn take(&mut self, now: u64) -> Option<OutsideEvent> {
        let (at, actor) = self.next.first().copied().filter(|(at, _)| *at <= now)?;
        self.next.remove(&(at, actor));
        match actor {
            Actor::Child(number) => {
                let Child { process, rounds } = self.children.remove(&number)?;
                Some(OutsideEvent::Child { process, rounds })
            }
            Actor::Clients(socket) => {
                let visits = self.visits.get_mut(&socket)?;
                let count = visits.groups.pop_front()?;
                visits.at = at.saturating_add(BEFORE_VISITS);
                if !visits.groups.is_empty() {
                    self.next.insert((visits.at, actor));
                }
                Some(OutsideEvent::Visit { socket, count })
            }
            Actor::Program(number) => {
                let program = self.programs.get_mut(&number)?;
                let action = program.actions.pop_front()?;
                program.at = at.saturating_add(BETWEEN_ACTIONS);
                let socket = program.socket;
                if program.actions.is_empty() {
                    self.programs.remove(&number);
                } else {
                    self.next.insert((program.at, actor));
                }
                Some(OutsideEvent::Action { socket, action })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_come_together() {
        let mut outside = Outside::default();
        outside.invite(3, 0);
        outside.invite(3, 10);
        assert_eq!((outside.next(), outside.take(1)), (Some(BEFORE_VISITS), None));
        assert_eq!(outside.take(BEFORE_VISITS), Some(OutsideEvent::Visit { socket: 3, count: 2 }));
        assert_eq!(outside.take(2 * BEFORE_VISITS), Some(OutsideEvent::Visit { socket: 3, count: 2 }));
        assert_eq!(outside.take(4 * BEFORE_VISITS), Some(OutsideEvent::Visit { socket: 3, count: 1 }));
        outside.invite(3, 5 * BEFORE_VISITS);
        assert_eq!(outside.next(), None, "then it is quiet");
        outside.invite(4, 0);
        outside.cancel_clients(4);
        assert_eq!(outside.next(), None);
    }

    #[test]
    fn actions_in_order() {
        let mut outside = Outside::default();
        let program = outside.start(1, vec![PeerAction::Send(b"a".to_vec()), PeerAction::Close, PeerAction::Reset], 0);
        outside.start(2, vec![PeerAction::Close], 1);
        let now = BETWEEN_ACTIONS + 1;
        let sent = OutsideEvent::Action { socket: 1, action: PeerAction::Send(b"a".to_vec()) };
        assert_eq!(
            (outside.take(now), outside.take(now)),
            (Some(sent), Some(OutsideEvent::Action { socket: 2, action: PeerAction::Close }))
        );
        assert_eq!(outside.take(now), None);
        assert_eq!(outside.take(2 * now), Some(OutsideEvent::Action { socket: 1, action: PeerAction::Close }));
        outside.stop(program);
        assert_eq!(outside.next(), None);
    }
}
