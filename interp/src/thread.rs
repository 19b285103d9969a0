//! Threads and their frames.

use crate::clock::ThreadId;
use crate::exec::behind::Leaving;
use crate::exec::lifetimes::Lent;
use crate::finding::LockKind;
use crate::ir::{FnId, GlobalId, Pc, Site, Slot};
use crate::os::signals::SignalSet;
use crate::process::ProcessId;
use crate::stack::Place;
use crate::unit::{self, Activation, ROOT, Unit};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

/// The purpose of a frame: what happens when it returns or unwinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FrameKind {
    /// Called by code; its result goes to a slot of the frame below.
    Call { dst: Slot },
    /// Called by `CatchUnwind`.
    Try { data: u64, handler: u64, dst: Slot },
    /// The handler of a `CatchUnwind`.
    Handler { dst: Slot },
    /// A global's initialiser; its frame is a separate allocation.
    Global { global: GlobalId, addr: u64 },
    /// The body of a resumed coroutine.
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
    /// The handler of a signal; what it interrupts is in [`Thread::interrupted`].
    Signal,
}

impl FrameKind {
    /// Adds it to a mark of a machine's state. Slots are left out: they follow from the caller's position, and inlining
    /// moves them.
    pub(crate) fn mark(&self, mark: &mut impl Hasher) {
        match *self {
            FrameKind::Call { .. } => {}
            FrameKind::Try { data, handler, .. } => (1, data, handler).hash(mark),
            FrameKind::Handler { .. } => 2.hash(mark),
            FrameKind::Coroutine { id, handle, .. } => (3, id, handle).hash(mark),
            other => (4, other).hash(mark),
        }
    }
}

/// An activation of a function, with those of its inlined calls.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) func: FnId,
    pub(crate) code: Rc<Unit>,
    /// The current instruction; for a frame that called another, the call.
    pub(crate) pc: Pc,
    /// Allocation of its bytes.
    pub(crate) index: usize,
    /// Its offset in the allocation.
    pub(crate) offset: usize,
    /// End of the bytes below it on the stack.
    pub(crate) below: usize,
    pub(crate) kind: FrameKind,
    /// The exception whose cleanup it runs; 0 if none.
    pub(crate) exception: u64,
    /// Number of activations below it.
    pub(crate) depth: usize,
    /// Calling context, computed on first use; 0 before.
    pub(crate) context: u32,
}

impl Frame {
    /// The activations of the function and of the inlined calls that it is in, innermost first.
    pub(crate) fn activations(&self) -> impl Iterator<Item = Activation> + '_ {
        unit::activations(&self.code, self.func, self.pc)
    }

    /// Bytes used by the function and the inlined calls that it is in, and the number of these calls.
    #[inline]
    pub(crate) fn in_use(&self) -> (u32, usize) {
        match self.code.scope_at(self.pc) {
            ROOT => (self.code.frame_size, 0),
            number => self.code.scope(number).map_or((0, 0), |scope| (scope.base + scope.size, scope.level as usize)),
        }
    }
}

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// Room in a channel, or a receiver.
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
    /// The end of a child: its first thread, if it is a certain one.
    Child {
        thread: Option<ThreadId>,
    },
    /// A lock of a file, which another process might have open.
    File {
        token: u64,
    },
    /// One of these signals; if there are none, that any handler has run.
    Signals {
        set: SignalSet,
    },
    /// An event of descriptors; which of them is in [`crate::os::OsState::waiting`].
    Descriptors,
    Sleep,
    /// That all other threads wait, or have ended, to leave a deadlock after them.
    Others,
}

/// Whether a thread can run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum State {
    Runnable,
    /// `until` is logical time in nanoseconds.
    Blocked {
        wait: Wait,
        until: Option<u64>,
    },
    Finished,
}

/// Progress of a blocking operation, which is retried when its thread wakes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Progress {
    /// Not started.
    None,
    /// Waiting; `timed_out` is set once its time has run out.
    Waiting { timed_out: bool },
    /// It was woken by another thread.
    Woken,
    /// In a condition variable's wait: the mutex has to be taken again.
    Relock { timed_out: bool },
    /// A handler of a signal has run meanwhile, and the call does not start again.
    Interrupted,
}

/// What a thread did when the handler of a signal began.
#[derive(Clone, Debug)]
pub(crate) struct Interrupted {
    /// What it waited for, and until when.
    pub(crate) wait: Option<(Wait, Option<u64>)>,
    pub(crate) progress: Progress,
    pub(crate) until: Option<u64>,
    pub(crate) at_point: bool,
    /// The signals that it blocked.
    pub(crate) blocked: SignalSet,
    /// Whether a call that waits for the system starts again.
    pub(crate) restarts: bool,
    /// How much of a call that sends everything was sent.
    pub(crate) sent: Option<usize>,
    /// Whether another thread did what it waited for.
    pub(crate) is_woken: bool,
    /// The allocation that tells the handler about the signal.
    pub(crate) block: usize,
}

/// A thread.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) process: ProcessId,
    pub(crate) frames: Vec<Frame>,
    /// Allocation of its stack.
    pub(crate) stack: usize,
    /// The part of it that other threads accessed.
    pub(crate) lent: Lent,
    /// First free byte of the stack.
    pub(crate) sp: usize,
    pub(crate) state: State,
    pub(crate) progress: Progress,
    /// Deadline of the current operation.
    pub(crate) until: Option<u64>,
    /// The latest moment at which it wakes from a wait with a deadline.
    pub(crate) latest: u64,
    /// The step at which it began to wait.
    pub(crate) waits_since: u64,
    /// Whether it waits again for the same after the handler of a signal.
    pub(crate) waits_again: bool,
    /// The signals that it blocks.
    pub(crate) blocked: SignalSet,
    /// Signals for it that it blocks, or gets before its next step.
    pub(crate) pending: SignalSet,
    /// What the handlers of signals that it runs have interrupted, the first one first.
    pub(crate) interrupted: Vec<Interrupted>,
    /// Whether the scheduler was already asked before the next operation.
    pub(crate) at_point: bool,
    /// The site in the workspace from which it last synchronised.
    pub(crate) caller: Option<(FnId, Site)>,
    /// Number of global initialisers that it is in.
    pub(crate) quiet: u32,
    /// Where it was started.
    pub(crate) started: Option<Place>,
    /// The program's name for it.
    pub(crate) name: Option<Arc<str>>,
    /// Its thread-locals that are initialised, or being initialised.
    pub(crate) locals: FxHashMap<GlobalId, u64>,
    /// Whether it is unwound from a deadlock.
    pub(crate) leaving: Leaving,
    /// What its first function returned.
    pub(crate) result: i64,
    /// Whether a panic left all code outside std.
    pub(crate) panicked: bool,
    /// The error of its last call of the C library.
    pub(crate) errno: i32,
    /// The address of `errno`, if the program has asked for it.
    pub(crate) errno_at: Option<u64>,
}

impl Thread {
    /// The end of the part of its stack that its frames use.
    pub(crate) fn used(&self) -> usize {
        let on_stack = self.frames.iter().rfind(|frame| frame.index == self.stack);
        on_stack.map_or(0, |frame| frame.offset + frame.in_use().0 as usize)
    }

    pub(crate) fn new(stack: usize, started: Option<Place>, process: ProcessId) -> Thread {
        Thread {
            process,
            frames: Vec::new(),
            stack,
            lent: Lent::default(),
            sp: 0,
            state: State::Runnable,
            progress: Progress::None,
            until: None,
            latest: 0,
            waits_since: 0,
            waits_again: false,
            blocked: 0,
            pending: 0,
            interrupted: Vec::new(),
            at_point: false,
            caller: None,
            quiet: 0,
            started,
            name: None,
            locals: FxHashMap::default(),
            leaving: Leaving::No,
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
