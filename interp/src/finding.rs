//! What a run found, as data. Text for people is made elsewhere (invariant 11).

use crate::clock::ThreadId;
use crate::inputs::MadeUpInput;
use crate::ir::{FnId, GlobalId, Site};
use crate::term::Origin;
use crate::trace::TraceStep;
use std::sync::Arc;

/// What kind of finding it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// `data-race`.
    DataRace,
    /// `thread-safety-violation`.
    ThreadSafetyViolation,
    /// `deadlock`: a cycle of locks held and waited for.
    LockCycle,
    /// `deadlock`: the entry's thread can never go on.
    BlockedForever,
}

impl FindingKind {
    /// All of them.
    pub const ALL: [FindingKind; 4] = [
        FindingKind::DataRace,
        FindingKind::ThreadSafetyViolation,
        FindingKind::LockCycle,
        FindingKind::BlockedForever,
    ];
}

/// A frame of a stack: the function, and the place in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StackEntry {
    /// The function.
    pub func: FnId,
    /// The place in it: of the call, or of the event for the innermost frame.
    pub site: Site,
    /// Whether the function is std's.
    pub is_std: bool,
    /// Whether it is in the workspace.
    pub is_local: bool,
}

/// What lies at an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// A static, const or promoted expression.
    Global(GlobalId),
    /// The heap.
    Heap,
    /// A local of a thread.
    Stack(ThreadId),
    /// A coroutine's frame.
    Coroutine,
    /// Nothing that is known.
    Other,
}

/// The object of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Object {
    /// Its address.
    pub addr: u64,
    /// What lies there.
    pub owner: Owner,
    /// Offset in the owner.
    pub offset: u64,
}

/// How a lock is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockKind {
    /// A mutex.
    Mutex,
    /// A reader-writer lock, shared.
    Read,
    /// A reader-writer lock, exclusive.
    Write,
}

impl LockKind {
    /// Whether nobody else can hold the lock meanwhile.
    pub fn is_exclusive(self) -> bool {
        self != LockKind::Read
    }
}

/// What a thread does at the place of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "as named")]
pub enum Action {
    Read {
        object: Object,
        size: u32,
        atomic: bool,
        volatile: bool,
    },
    Write {
        object: Object,
        size: u32,
        atomic: bool,
        volatile: bool,
    },
    /// Gives the memory back that it is in.
    Frees {
        object: Object,
    },
    /// Calls a method of an object; `write` says that the method is in the object's write set.
    Calls {
        object: Object,
        func: FnId,
        write: bool,
    },
    /// Has ended with a lock held; its place is where it took it.
    Holds {
        kind: LockKind,
        object: Object,
    },
    WaitsLock {
        kind: LockKind,
        object: Object,
    },
    WaitsCondvar {
        object: Object,
    },
    WaitsFutex {
        object: Object,
    },
    WaitsPark {
        object: Object,
    },
    /// For room in a channel, or for a receiver.
    WaitsSend {
        object: Object,
    },
    /// For a message.
    WaitsReceive {
        object: Object,
    },
    /// For the others at a barrier.
    WaitsBarrier {
        object: Object,
    },
    /// For an initialisation.
    WaitsOnce {
        object: Object,
        /// Whether somebody has begun it.
        under_way: bool,
    },
    /// For the threads of a scope to end.
    WaitsScope {
        object: Object,
    },
    WaitsJoin {
        thread: ThreadId,
    },
}

impl Action {
    /// What it is done to; nothing of a wait for a thread.
    pub fn object(&self) -> Option<Object> {
        match *self {
            Action::Read { object, .. }
            | Action::Write { object, .. }
            | Action::Frees { object }
            | Action::Calls { object, .. }
            | Action::Holds { object, .. }
            | Action::WaitsSend { object }
            | Action::WaitsReceive { object }
            | Action::WaitsBarrier { object }
            | Action::WaitsOnce { object, .. }
            | Action::WaitsScope { object }
            | Action::WaitsLock { object, .. }
            | Action::WaitsCondvar { object }
            | Action::WaitsFutex { object }
            | Action::WaitsPark { object } => Some(object),
            Action::WaitsJoin { .. } => None,
        }
    }
}

/// One event of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Who.
    pub thread: ThreadId,
    /// What.
    pub action: Action,
    /// Where, innermost frame first.
    pub stack: Vec<StackEntry>,
    /// Where the thread was started, innermost frame first; empty for the entry's.
    pub started: Vec<StackEntry>,
    /// The locks that the thread held, each with the stack that took it.
    pub held: Vec<(LockKind, Object, Vec<StackEntry>)>,
}

/// Something a run found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// Of a data race the earlier and the later access, of a thread-safety violation the calls; of a deadlock each thread's wait, in the order
    /// of the cycle.
    pub events: Vec<Event>,
    /// What came before in the run, up to the finding; empty unless the configuration asks for it.
    pub trace: Vec<TraceStep>,
    /// What the program calls its threads, by number.
    pub thread_names: Vec<Option<Arc<str>>>,
    /// The least trustworthy origin of what decided a branch so far in the run; `None` if none did.
    pub rests_on: Option<Origin>,
    /// The same without the guesses.
    pub rests_on_beside: Option<Origin>,
    /// Of each guess about what was not understood that was made so far in the run, how many ways there were to go on; of the
    /// first [`MOST_GUESSES`](crate::term::MOST_GUESSES).
    pub guesses: Vec<u32>,
    /// Whether something came before that may have done anything: a call that is not understood, a store to an address that is
    /// not known.
    pub is_open: bool,
    /// The inputs that the run had made up.
    pub given: Vec<MadeUpInput>,
    /// The step at which it was found.
    pub step: u64,
    /// How often the scheduler had been asked before.
    pub choices: u64,
}
