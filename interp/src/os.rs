//! What threads wait for in the operating system besides files: event counters, timers, sets of descriptors, sockets.
//!
//! An object here has no address. Descriptors refer to open files ([`crate::files::open`]), and an open file to an
//! object by its number. What an open file is ready for, and who waits for it, is in `crate::models::os`.

pub(crate) mod address;
pub(crate) mod epoll;
pub(crate) mod outside;
pub(crate) mod signals;
pub(crate) mod socket;
pub(crate) mod timer;

use crate::finding::Awaited;
use epoll::Epoll;
use outside::Outside;
use signals::{ExternalSignals, SignalFile, Signals};
use socket::Sockets;
use std::collections::BTreeMap;
use timer::Timer;

/// Events of descriptors, in the numbers of `poll` and `epoll`.
pub(crate) mod ready {
    pub(crate) const IN: u32 = 0x1;
    pub(crate) const OUT: u32 = 0x4;
    pub(crate) const ERR: u32 = 0x8;
    pub(crate) const HUP: u32 = 0x10;
    pub(crate) const NVAL: u32 = 0x20;
    pub(crate) const RDNORM: u32 = 0x40;
    pub(crate) const WRNORM: u32 = 0x100;
    pub(crate) const RDHUP: u32 = 0x2000;
    /// Not of the system: a listener has room for another connection.
    pub(crate) const ROOM: u32 = 1 << 27;
    /// What can be read, in both numbers.
    pub(crate) const READ: u32 = IN | RDNORM;
    /// What can be written, in both numbers.
    pub(crate) const WRITE: u32 = OUT | WRNORM;
    /// Reported whether asked for or not.
    pub(crate) const ALWAYS: u32 = ERR | HUP;
}

/// The counter behind an `eventfd`.
#[derive(Clone, Debug)]
pub(crate) struct Counter {
    pub(crate) value: u64,
    /// Whether something outside of the run may change it.
    pub(crate) is_outside: bool,
    /// A read takes one instead of all.
    pub(crate) is_semaphore: bool,
    /// The key through which its users synchronise.
    pub(crate) token: u64,
}

/// One thing that a thread waits for: any of these events of an open file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interest {
    pub(crate) opened: usize,
    pub(crate) events: u32,
}

/// What a thread waits for: the first event of any of these.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) interests: Vec<Interest>,
    /// The name for reports.
    pub(crate) what: Awaited,
}

/// What a child does before its program starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SpawnAction {
    Duplicate {
        from: i32,
        to: i32,
    },
    Close {
        descriptor: i32,
    },
    Open {
        descriptor: i32,
        path: Vec<u8>,
        flags: u32,
        mode: u32,
    },
    /// Changes the working folder.
    Enter {
        path: Vec<u8>,
    },
}

/// The objects of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct OsState {
    pub(crate) epolls: Vec<Epoll>,
    pub(crate) counters: Vec<Counter>,
    pub(crate) timers: Vec<Timer>,
    pub(crate) sockets: Sockets,
    pub(crate) outside: Outside,
    /// What blocked threads wait for, by number of the thread.
    pub(crate) waiting: BTreeMap<usize, Waiting>,
    /// How much of a call that sends everything was sent before it blocked, by number of the thread.
    pub(crate) sent: BTreeMap<usize, usize>,
    /// What children are to do with their descriptors, by the address of the program's list of it.
    pub(crate) actions: BTreeMap<u64, Vec<SpawnAction>>,
    /// Number of watches of files.
    pub(crate) watches: u64,
    /// The current process's signals.
    pub(crate) signals: Signals,
    pub(crate) signal_files: Vec<SignalFile>,
    /// The signals from outside.
    pub(crate) coming: ExternalSignals,
}

impl OsState {
    /// A thread waits for nothing any more.
    pub(crate) fn no_wait(&mut self, thread: usize) {
        if !self.waiting.is_empty() || !self.sent.is_empty() {
            self.waiting.remove(&thread);
            self.sent.remove(&thread);
        }
    }

    /// The next time at which something happens by itself.
    pub(crate) fn next_event(&self) -> Option<u64> {
        let timers = self.timers.iter().filter_map(Timer::next);
        timers.chain(self.outside.next()).chain(self.coming.moment.map(|it| it.at)).min()
    }
}
