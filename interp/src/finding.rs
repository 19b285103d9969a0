//! Findings of a run, as data. The text for people is made elsewhere (invariant 11).

use crate::clock::ThreadId;
use crate::inputs::MadeUpInput;
use crate::ir::{FnId, GlobalId, Site};
use crate::memory::Fault;
use crate::term::Origin;
use crate::trace::TraceStep;
use std::sync::Arc;

/// A kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// `data-race`.
    DataRace,
    /// `thread-safety-violation`.
    ThreadSafetyViolation,
    /// `deadlock`: a cycle of locks held and waited for.
    LockCycle,
    /// `deadlock`: the entry's thread can never continue.
    BlockedForever,
    /// `schedule-dependent-panic`: a panic of a run that ends with one that nobody handles. Whether it depends on the
    /// schedule, other runs tell.
    EntryPanicked,
    /// `schedule-dependent-fault`: undefined behaviour that ends the run. Whether it depends on the schedule, other runs
    /// tell.
    EntryFaulted,
    /// `livelock`: threads that spin forever, while the others wait. Whether that depends on the schedule, other runs
    /// tell.
    SpinsForever,
    /// `schedule-dependent-result`: the program ends with a status that is not 0. Whether another schedule leads to
    /// another one, other runs tell.
    EntryFailed,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [FindingKind; 8] = [
        FindingKind::DataRace,
        FindingKind::ThreadSafetyViolation,
        FindingKind::LockCycle,
        FindingKind::BlockedForever,
        FindingKind::EntryPanicked,
        FindingKind::EntryFaulted,
        FindingKind::SpinsForever,
        FindingKind::EntryFailed,
    ];
}

/// A frame of a stack: a function and a site in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StackEntry {
    /// The function.
    pub func: FnId,
    /// The site of the call, or of the event for the innermost frame.
    pub site: Site,
    /// Whether the function is std's.
    pub is_std: bool,
    /// Whether it is in the workspace.
    pub is_local: bool,
}

impl StackEntry {
    /// Of a stack, the innermost entry in the workspace; the innermost one if there is none.
    pub fn nearest(stack: &[StackEntry]) -> Option<StackEntry> {
        stack.iter().find(|it| it.is_local).or(stack.first()).copied()
    }
}

/// The owner of an address.
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
    /// Unknown.
    Other,
}

/// The object of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Object {
    /// Its address.
    pub addr: u64,
    /// Its owner.
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
    /// Whether it excludes all other holders.
    pub fn is_exclusive(self) -> bool {
        self != LockKind::Read
    }
}

/// What a thread waits for in the operating system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Awaited {
    /// Bytes in a pipe.
    PipeBytes,
    /// Room in a pipe.
    PipeRoom,
    /// The counter of an `eventfd`.
    Counter,
    /// A tick of a `timerfd`.
    Timer,
    /// Bytes of a connection.
    SocketBytes,
    /// Room for bytes of a connection, or for a message.
    SocketRoom,
    /// A message at a socket.
    Message,
    /// A connection at a listener.
    Connection,
    /// That its own connection is established.
    Established,
    /// An event of some descriptors: `epoll`, `poll`, `select`.
    Events,
    /// A signal.
    Signal,
}

/// A failure after which a run went on, with its stack, innermost frame first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BehindWhat {
    /// A deadlock, with where one of its threads waits.
    Deadlock(Vec<StackEntry>),
    /// A panic of the first thread.
    Panic(Vec<StackEntry>),
}

/// What a thread does at an event.
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
    /// Allocates the memory of the object.
    Allocates {
        object: Object,
    },
    /// Frees the memory of the object, or leaves the frame that it is in.
    Frees {
        object: Object,
    },
    /// Calls a method of an object; `write` says whether the method is in the object's write set.
    Calls {
        object: Object,
        func: FnId,
        write: bool,
    },
    /// Has ended while holding a lock; the event's location is where it took it.
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
    /// Waits for room in a channel, or for a receiver.
    WaitsSend {
        object: Object,
    },
    /// Waits for a message.
    WaitsReceive {
        object: Object,
    },
    /// Waits for the others at a barrier.
    WaitsBarrier {
        object: Object,
    },
    /// Waits for an initialisation.
    WaitsOnce {
        object: Object,
        /// Whether some thread has started it.
        under_way: bool,
    },
    /// Waits for the threads of a scope to end.
    WaitsScope {
        object: Object,
    },
    WaitsJoin {
        thread: ThreadId,
    },
    /// Waits for the operating system.
    WaitsSystem {
        what: Awaited,
    },
    /// Asks for the object again and again: an atomic, a lock or a channel.
    Spins {
        object: Object,
    },
    /// Decides with which status the program ends.
    Exits {
        status: i32,
    },
    /// Raises a panic.
    Panics {
        /// Whether another thread learned of it by waiting for the end of its thread.
        is_handled: bool,
    },
    /// Does what is undefined.
    Faults {
        fault: Fault,
        object: Object,
    },
}

impl Action {
    /// The object of the action; `None` if it waits for a thread or for the operating system, or panics.
    pub fn object(&self) -> Option<Object> {
        match *self {
            Action::Read { object, .. }
            | Action::Write { object, .. }
            | Action::Allocates { object }
            | Action::Frees { object }
            | Action::Faults { object, .. }
            | Action::Spins { object }
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
            Action::WaitsJoin { .. } | Action::WaitsSystem { .. } | Action::Exits { .. } | Action::Panics { .. } => {
                None
            }
        }
    }
}

/// One event of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The thread.
    pub thread: ThreadId,
    /// What it does.
    pub action: Action,
    /// Its stack, innermost frame first.
    pub stack: Vec<StackEntry>,
    /// The stack that started the thread, innermost frame first; empty for the entry's thread.
    pub started: Vec<StackEntry>,
    /// The locks that the thread held, each with the stack that took it.
    pub held: Vec<(LockKind, Object, Vec<StackEntry>)>,
}

/// A bug that a run showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its kind.
    pub kind: FindingKind,
    /// For a data race, the earlier and the later access; for a thread-safety violation, the two calls; for a deadlock,
    /// each thread's wait, in the order of the cycle; for a panic, where it is raised; for a fault, where it happens and, if
    /// known, where the memory was freed.
    pub events: Vec<Event>,
    /// The steps of the run up to the finding; empty unless the configuration asks for them.
    pub trace: Vec<TraceStep>,
    /// The program's names of its threads, by number.
    pub thread_names: Vec<Option<Arc<str>>>,
    /// The least trustworthy origin of all values that decided a branch so far; `None` if all were known.
    pub rests_on: Option<Origin>,
    /// The same without guesses.
    pub rests_on_beside: Option<Origin>,
    /// Whether a thread was late before, by more than the [`Jitter`](crate::run::Jitter).
    pub rests_on_time: bool,
    /// For each guess about an *unknown* value so far, the number of ways to continue; at most
    /// [`MAX_GUESSES`](crate::term::MAX_GUESSES).
    pub guesses: Vec<u32>,
    /// Whether the run did something before that may have had any effect: an unknown call, a store to an unknown
    /// address.
    pub is_open: bool,
    /// For a thread that waits forever: the futures that are suspended in code of the workspace, each with those that wait
    /// for it, innermost first.
    pub suspended: Vec<Vec<StackEntry>>,
    /// The last failure after which the run went on, if it did.
    pub behind: Option<BehindWhat>,
    /// The inputs that the run made up.
    pub given: Vec<MadeUpInput>,
    /// The message of a panic, if std's hook printed it and the run is traced; of a failed program, the last line that the
    /// thread printed to standard error.
    pub message: Option<String>,
    /// The step at which it was found.
    pub step: u64,
    /// Number of scheduling choices before it.
    pub choices: u64,
}
