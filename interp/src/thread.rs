//! Threads and their frames.

use crate::clock::ThreadId;
use crate::finding::LockKind;
use crate::ir::{FnId, GlobalId, Pc, Site, Slot};
use crate::stack::Place;
use crate::unit::{self, Activation, ROOT, Unit};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What a frame is there for: what happens when it returns or unwinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FrameKind {
    /// Called by code; its result goes to a slot of the frame below.
    Call { dst: Slot },
    /// Called by `CatchUnwind`.
    Try { data: u64, handler: u64, dst: Slot },
    /// The handler of a `CatchUnwind`.
    Handler { dst: Slot },
    /// A global's initialiser; its frame is an allocation of its own.
    Global { global: GlobalId, addr: u64 },
    /// A coroutine's body, resumed.
    Coroutine { id: u32, handle: u64, out: Slot, done: Slot },
    /// A coroutine's body on its drop path.
    CoroutineDrop { id: u32, handle: u64 },
    /// A thread's first function.
    Root,
    /// The thread-local destructors, after the first function.
    Destructors,
    /// The thread-local destructors of the thread that ends the process.
    Exit { code: i32 },
    /// The panic function of a trap: it does not return.
    Trap,
}

/// An activation of a function, with those of the calls that became part of it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) func: FnId,
    pub(crate) code: Rc<Unit>,
    /// The current instruction; of a frame that called another, the call.
    pub(crate) pc: Pc,
    /// Allocation of its bytes.
    pub(crate) index: usize,
    /// Where in the allocation they begin.
    pub(crate) offset: usize,
    /// Where the bytes below it on the stack end.
    pub(crate) below: usize,
    pub(crate) kind: FrameKind,
    /// The exception it cleans up after; 0 if it doesn't.
    pub(crate) exception: u64,
    /// How many activations there are below it.
    pub(crate) depth: usize,
    /// Calling context, once it was needed; 0 before.
    pub(crate) context: u32,
}

impl Frame {
    /// The function's and those of inlined calls that it is in, innermost first.
    pub(crate) fn activations(&self) -> impl Iterator<Item = Activation> + '_ {
        unit::activations(&self.code, self.func, self.pc)
    }

    /// Bytes of its own and of the inlined calls that it is in, and how many these calls are.
    #[inline]
    pub(crate) fn in_use(&self) -> (u32, usize) {
        match self.code.scope_at(self.pc) {
            ROOT => (self.code.frame_size, 0),
            number => self.code.scope(number).map_or((0, 0), |scope| (scope.base + scope.size, scope.level as usize)),
        }
    }
}

/// Why a thread cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    Lock {
        kind: LockKind,
        addr: u64,
    },
    Condvar {
        addr: u64,
    },
    Futex {
        addr: u64,
    },
    Park {
        addr: u64,
    },
    /// Room in a channel, or somebody who receives.
    Send {
        addr: u64,
    },
    /// A message.
    Receive {
        addr: u64,
    },
    Join {
        thread: ThreadId,
    },
    /// Something of a file or pipe: bytes, room, a lock. Who else has it open nobody knows.
    File {
        token: u64,
    },
    Sleep,
}

/// Whether a thread can go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Runnable,
    /// `until` is logical time in nanoseconds.
    Blocked {
        wait: Wait,
        until: Option<u64>,
    },
    Finished,
}

/// How far a blocking operation has come; it is tried again when its thread wakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// Not begun.
    None,
    /// It waits; if the flag is set its time ran out.
    Waiting { timed_out: bool },
    /// It was woken by another thread.
    Woken,
    /// A condition variable's wait that has to take the mutex again.
    Relock { timed_out: bool },
}

/// A thread.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) frames: Vec<Frame>,
    /// Allocation of its stack.
    pub(crate) stack: usize,
    /// First free byte of the stack.
    pub(crate) sp: usize,
    pub(crate) state: State,
    pub(crate) progress: Progress,
    /// When the time of the operation that is under way runs out.
    pub(crate) until: Option<u64>,
    /// The scheduler was asked before the operation that is to come.
    pub(crate) at_point: bool,
    /// The place in code of the workspace from which it synchronised last.
    pub(crate) caller: Option<(FnId, Site)>,
    /// How many global initialisers it is in.
    pub(crate) quiet: u32,
    /// Where it was started.
    pub(crate) started: Option<Place>,
    /// What the program calls it.
    pub(crate) name: Option<Arc<str>>,
    /// Its thread-locals that were initialised, or are being.
    pub(crate) locals: FxHashMap<GlobalId, u64>,
    /// What its first function returned.
    pub(crate) result: i64,
    /// Whether a panic went out of all that was not std's own.
    pub(crate) panicked: bool,
    /// Why its last call of the C library failed.
    pub(crate) errno: i32,
    /// Where the program sees that, if it has asked for the place.
    pub(crate) errno_at: Option<u64>,
}

impl Thread {
    pub(crate) fn new(stack: usize, started: Option<Place>) -> Thread {
        Thread {
            frames: Vec::new(),
            stack,
            sp: 0,
            state: State::Runnable,
            progress: Progress::None,
            until: None,
            at_point: false,
            caller: None,
            quiet: 0,
            started,
            name: None,
            locals: FxHashMap::default(),
            result: 0,
            panicked: false,
            errno: 0,
            errno_at: None,
        }
    }

    pub(crate) fn is_runnable(&self) -> bool {
        self.state == State::Runnable
    }
}
