//! Programs outside the run that its sockets talk to: when they connect, and their actions.

use std::collections::VecDeque;

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

/// Visitors of a listener, or of a socket for messages, that are still to come.
#[derive(Clone, Debug)]
struct Visits {
    socket: usize,
    at: u64,
    /// How many come at each of the next times.
    groups: VecDeque<u32>,
}

/// Something that happens outside.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum OutsideEvent {
    /// Visitors come to a socket.
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
    at: u64,
}

/// Nanoseconds between the actions of a program.
const BETWEEN_ACTIONS: u64 = 5_000_000;
/// Nanoseconds before visitors come, and between groups of them. The run's own clients come earlier, also after a
/// sleep.
const BEFORE_VISITS: u64 = 2_000_000_000;
/// How many visitors come together: at first two, so that both are served at once.
const GROUPS: [u32; 2] = [2, 1];

/// A time, and the number of what happens then.
type Next = (u64, usize);

/// All programs outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    visits: Vec<Visits>,
    programs: Vec<Program>,
    children: Vec<Child>,
}

impl Outside {
    /// Visitors will come to a socket.
    pub(crate) fn invite(&mut self, socket: usize, now: u64) {
        if self.visits.iter().all(|it| it.socket != socket) {
            self.visits.push(Visits { socket, at: now.saturating_add(BEFORE_VISITS), groups: GROUPS.into() });
        }
    }

    /// The run talks to the socket itself, or it is closed: no visitor comes.
    pub(crate) fn disinvite(&mut self, socket: usize) {
        if let Some(visits) = self.visits.iter_mut().find(|it| it.socket == socket) {
            visits.groups.clear();
        }
    }

    /// A program at the other end of a socket; returns its number.
    pub(crate) fn start(&mut self, socket: usize, actions: Vec<PeerAction>, now: u64) -> usize {
        self.programs.push(Program { socket, actions: actions.into(), at: now.saturating_add(BETWEEN_ACTIONS) });
        self.programs.len() - 1
    }

    /// The connection of a program was closed: it does nothing more.
    pub(crate) fn stop(&mut self, program: usize) {
        if let Some(program) = self.programs.get_mut(program) {
            program.actions.clear();
        }
    }

    /// A program that the run has started will continue.
    pub(crate) fn begin_child(&mut self, process: usize, rounds: u32, now: u64) {
        self.children.push(Child { process, rounds, at: now.saturating_add(BETWEEN_ACTIONS) });
    }

    fn times(&self) -> (Option<Next>, Option<Next>) {
        let visits = self.visits.iter().enumerate().filter(|(_, it)| !it.groups.is_empty());
        let programs = self.programs.iter().enumerate().filter(|(_, it)| !it.actions.is_empty());
        (visits.map(|(index, it)| (it.at, index)).min(), programs.map(|(index, it)| (it.at, index)).min())
    }

    /// When something happens next.
    pub(crate) fn next(&self) -> Option<u64> {
        let (visits, programs) = self.times();
        let children = self.children.iter().map(|it| it.at);
        [visits, programs].into_iter().flatten().map(|(at, _)| at).chain(children).min()
    }

    /// Takes the first thing that has happened by now.
    pub(crate) fn take(&mut self, now: u64) -> Option<OutsideEvent> {
        if let Some(first) = self.children.iter().position(|it| it.at <= now) {
            let Child { process, rounds, .. } = self.children.remove(first);
            return Some(OutsideEvent::Child { process, rounds });
        }
        let (visits, programs) = self.times();
        let due = |it: &Next| it.0 <= now;
        match (visits.filter(due), programs.filter(due)) {
            (Some((at, index)), program) if program.is_none_or(|program| at <= program.0) => {
                let visits = &mut self.visits[index];
                visits.at = at.saturating_add(BEFORE_VISITS);
                let count = visits.groups.pop_front()?;
                Some(OutsideEvent::Visit { socket: visits.socket, count })
            }
            (_, Some((at, index))) => {
                let program = &mut self.programs[index];
                program.at = at.saturating_add(BETWEEN_ACTIONS);
                let action = program.actions.pop_front()?;
                Some(OutsideEvent::Action { socket: program.socket, action })
            }
            _ => None,
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
        assert_eq!(outside.take(3 * BEFORE_VISITS), Some(OutsideEvent::Visit { socket: 3, count: 1 }));
        assert_eq!(outside.next(), None, "then it is quiet");
        outside.invite(4, 0);
        outside.disinvite(4);
        assert_eq!(outside.next(), None);
    }

    #[test]
    fn deeds_in_order() {
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
