//! Runs go on behind a deadlock, because it hides what comes after it. Its threads are unwound as by a panic that nobody
//! notices: what they hold is dropped. The first thread is unwound to a call by code of the workspace that returns
//! nothing, and goes on after that call. If asked to, runs go on in the same way behind a panic of the first thread that
//! nobody catches.
//!
//! No such execution exists, so only deadlocks are told of it, and only those that have nothing to do with the one before:
//! among threads, locks and other objects that did not exist, or were not held, when the run went on.

use crate::clock::ThreadId;
use crate::detect::deadlock::WaitState;
use crate::finding::{Action, BehindWhat, FindingKind};
use crate::ir::WaitName;
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{AllocKind, Memory};
use crate::run::GoesBehind;
use crate::sync::locks::LockId;
use crate::thread::{Frame, FrameKind, Progress, State, Thread, Wait};
use crate::trace::Trace;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Maximum number of deadlocks behind which a run goes on.
const MOST: u32 = 16;

/// The exception that unwinds the threads of a deadlock. Those of the program are addresses.
pub(crate) const LEAVING: u64 = 1;

/// Whether a thread is unwound from a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) enum Leaving {
    /// No.
    #[default]
    No,
    /// Once it continues.
    Asked,
    /// Once it has taken the mutex of its condition variable again.
    Relocks,
    /// Yes, or it was.
    Leaves,
}

/// The deadlocks and panics behind which a run went on.
#[derive(Clone, Default, Debug)]
pub(crate) struct Behind {
    /// Their number.
    count: u32,
    /// The last panic, or deadlock that was told.
    last: Option<BehindWhat>,
    /// Whether one of them is a panic.
    has_panicked: bool,
    /// The threads of a deadlock that has just been found.
    stuck: Vec<ThreadId>,
    /// The activation to which the first thread is unwound, counted from the outermost one.
    target: Option<usize>,
    known: Known,
}

/// Threads, locks and memory at the moment when a run went on.
#[derive(Clone, Default, Debug)]
struct Known {
    threads: usize,
    /// Locks that were held.
    held: FxHashSet<LockId>,
    /// The allocations in use.
    allocations: FxHashSet<usize>,
    /// The end of the part of the first thread's stack that was in use.
    stack_end: usize,
}

impl Behind {
    /// The last failure after which the run went on.
    pub(crate) fn last(&self) -> Option<BehindWhat> {
        self.last.clone()
    }

    /// How the run ends if it has gone on.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.is_behind().then_some(if self.has_panicked { Stop::Panicked } else { Stop::Deadlock })
    }

    /// Whether the run has gone on behind a deadlock or a panic.
    pub(crate) fn is_behind(&self) -> bool {
        self.count > 0
    }
}

impl Known {
    fn is_known_thread(&self, thread: ThreadId) -> bool {
        thread != ThreadId::ENTRY && thread.index() < self.threads
    }
}

impl Machine<'_> {
    /// Whether a finding of this kind is told: behind a deadlock, only others are.
    pub(crate) fn is_told(&self, kind: FindingKind) -> bool {
        !self.behind.is_behind() || matches!(kind, FindingKind::LockCycle | FindingKind::BlockedForever)
    }

    /// A deadlock of these threads was found. Returns whether it is told.
    pub(crate) fn found_stuck(&mut self, stuck: Vec<ThreadId>) -> bool {
        let is_new = !self.behind.is_behind() || stuck.iter().all(|thread| self.is_new_wait(*thread));
        self.behind.stuck = stuck;
        is_new
    }

    /// Whether a thread, and what it waits for, has nothing to do with the deadlocks before.
    fn is_new_wait(&self, thread: ThreadId) -> bool {
        let known = &self.behind.known;
        let waiting = &self.threads[thread.index()];
        if known.is_known_thread(thread) || waiting.leaving != Leaving::No {
            return false;
        }
        match self.wait_state(thread.index()) {
            WaitState::Ended => true,
            WaitState::Lock(lock) => !known.held.contains(&lock),
            WaitState::Join(joined) => !known.is_known_thread(joined),
            WaitState::Condvar(addr) | WaitState::Channel(addr) => self.is_new_object(addr),
            WaitState::Park => self.wait_name(thread) == Some(WaitName::Scope),
            // It was woken, but another thread took the lock first.
            WaitState::None => self.sync.locks.waits_for(thread).is_some_and(|(lock, _)| !known.held.contains(&lock)),
            WaitState::Sleep | WaitState::Descriptors => false,
        }
    }

    fn is_new_object(&self, addr: u64) -> bool {
        let (index, offset) = Memory::split(addr);
        match self.memory.find(addr).map(|alloc| alloc.kind) {
            Some(AllocKind::Stack) if index == self.threads[0].stack => offset >= self.behind.known.stack_end,
            Some(AllocKind::Stack | AllocKind::Heap | AllocKind::Frame) => {
                !self.behind.known.allocations.contains(&index)
            }
            _ => false,
        }
    }

    /// The threads of a deadlock leave it, so that the run goes on. Else it ends.
    pub(crate) fn go_behind(&mut self) -> Result<(), Stop> {
        let stuck = std::mem::take(&mut self.behind.stuck);
        let can_leave = |thread: &ThreadId| {
            let thread = &self.threads[thread.index()];
            thread.process == self.threads[0].process && can_leave(thread)
        };
        let goes_behind = self.config.goes_behind != GoesBehind::Nothing;
        if !goes_behind || self.behind.count >= MOST || !stuck.iter().all(can_leave) {
            return Err(Stop::Deadlock);
        }
        if stuck.contains(&ThreadId::ENTRY) {
            self.behind.target = Some(self.target().ok_or(Stop::Deadlock)?);
        }
        let told = self.findings.last().filter(|finding| self.is_told(finding.kind));
        if let Some(event) = told.and_then(|finding| finding.events.first()) {
            self.behind.last = Some(BehindWhat::Deadlock(event.stack.clone()));
        }
        self.behind.count += 1;
        for id in stuck {
            self.sync.locks.stop_waiting(id);
            let thread = &mut self.threads[id.index()];
            let State::Blocked { wait, .. } = thread.state else { continue };
            thread.leaving = match (wait, thread.progress) {
                (_, Progress::Relock { .. }) | (Wait::Condvar { .. }, _) => Leaving::Relocks,
                _ => Leaving::Asked,
            };
            // The first thread leaves last: until then, it keeps alive what others use.
            match id == ThreadId::ENTRY {
                true => thread.state = State::Blocked { wait: Wait::Others, until: None },
                false => leave_wait(thread),
            }
        }
        self.remember();
        Ok(())
    }

    /// The current thread panics. Returns whether it leaves that panic, so that the run goes on: it is the first thread,
    /// and nobody would catch the panic.
    pub(crate) fn goes_behind_panic(&mut self) -> bool {
        let thread = &self.threads[self.current];
        let may_go = self.config.goes_behind == GoesBehind::Panics && self.current == 0 && self.behind.count < MOST;
        if !may_go || thread.leaving != Leaving::No || !thread.interrupted.is_empty() {
            return false;
        }
        // That of the runtime is around `main`.
        let mut own = thread.frames.iter().skip_while(|frame| frame.code.flags.is_std);
        let can_pass = |frame: &Frame| {
            use FrameKind::{Call, Coroutine, Root, Trap};
            matches!(frame.kind, Call { .. } | Root | Coroutine { .. } | Trap) && frame.exception == 0
        };
        if !own.all(can_pass) {
            return false;
        }
        let Some(target) = self.target() else { return false };
        self.behind.target = Some(target);
        let thread = self.thread_id();
        let place = self.place();
        let event = self.event(thread, Action::Panics { is_handled: false }, place);
        self.behind.last = Some(BehindWhat::Panic(event.stack));
        self.behind.has_panicked = true;
        self.behind.count += 1;
        true
    }

    /// All others wait: the first thread leaves a deadlock if it was asked to.
    pub(crate) fn wake_leaving(&mut self) -> bool {
        let thread = &mut self.threads[0];
        let waits = matches!(thread.state, State::Blocked { wait: Wait::Others, .. });
        if waits {
            leave_wait(thread);
        }
        waits
    }

    /// The current thread has joined one that has left a deadlock, without a result: it leaves too.
    pub(crate) fn joined_leaving(&mut self, joined: ThreadId) -> Result<(), Stop> {
        let is_left = self.threads[joined.index()].leaving != Leaving::No;
        let thread = &self.threads[self.current];
        if !is_left || thread.leaving != Leaving::No {
            return Ok(());
        }
        if !can_leave(thread) || thread.process != self.threads[0].process {
            return Err(Stop::Deadlock);
        }
        if self.current == 0 {
            self.behind.target = Some(self.target().ok_or(Stop::Deadlock)?);
        }
        Err(Stop::Leaves)
    }

    /// Unwinds the current thread from where it waits.
    pub(crate) fn leave_deadlock(&mut self) -> Step {
        self.complete();
        self.thread().leaving = Leaving::Leaves;
        self.reload();
        self.unwind(LEAVING)
    }

    /// Whether the current thread has been unwound to the call after which it goes on.
    pub(crate) fn is_at_target(&self) -> bool {
        let frame = self.threads[self.current].frames.last();
        self.current == 0 && self.behind.target.is_some() && frame.map(activation) == self.behind.target
    }

    /// The first thread goes on after the call to which it was unwound: an inlined one, if it has left its scope to
    /// continue at `after`.
    pub(crate) fn go_on_after(&mut self, after: Option<u32>) -> Step {
        self.behind.target = None;
        self.thread().leaving = Leaving::No;
        let flow = match after {
            Some(after) => {
                if let Some(frame) = self.thread().frames.last_mut() {
                    frame.pc = after;
                }
                Ok(Flow::Reload)
            }
            None => self.advance(),
        };
        self.remember();
        // What led to the deadlock explains nothing of what comes after it.
        self.trace = Trace::default();
        flow
    }

    /// Remembers what there is, to tell it from what comes behind a deadlock.
    fn remember(&mut self) {
        let threads = (0..self.threads.len()).map(|index| ThreadId(index as u32));
        let held = threads.flat_map(|thread| self.sync.locks.held_by(thread)).map(|held| held.lock).collect();
        let first = &self.threads[0];
        let on_stack = first.frames.iter().rfind(|frame| frame.index == first.stack);
        self.behind.known = Known {
            threads: self.threads.len(),
            held,
            allocations: self.memory.in_use().collect(),
            stack_end: on_stack.map_or(0, |frame| frame.offset + frame.in_use().0 as usize),
        };
    }

    /// A call in the first thread after which it can go on, as the activation that makes it: one by the workspace that
    /// returns nothing.
    fn target(&mut self) -> Option<usize> {
        let frames = &self.threads[0].frames;
        let mut calls: SmallVec<[usize; 8]> = SmallVec::new();
        // The outermost activation of the frame above, and whether it returns nothing.
        let mut returns_nothing = false;
        for frame in frames.iter().rev() {
            let mut scope = frame.code.scope(frame.code.scope_at(frame.pc));
            for (inner, activation_here) in frame.activations().enumerate() {
                let flags = activation_here.flags;
                if returns_nothing && flags.is_local && !flags.is_shim {
                    calls.push(activation(frame) - inner);
                }
                returns_nothing = scope.is_some_and(|scope| scope.ret.2 == 0);
                scope = scope.and_then(|it| frame.code.scope(it.parent));
            }
            returns_nothing = frame.code.ret.1 == 0 && matches!(frame.kind, FrameKind::Call { .. });
        }
        match calls.len() {
            0 => None,
            count => {
                self.terms.varies |= count > 1;
                calls.get(self.rng.index(count)).copied()
            }
        }
    }
}

/// The number of activations below the innermost one of a frame.
fn activation(frame: &Frame) -> usize {
    frame.depth + frame.in_use().1
}

/// Whether a thread can be unwound: it does nothing that can be left neither by a return nor by a panic.
fn can_leave(thread: &Thread) -> bool {
    let is_plain = |frame: &Frame| {
        use FrameKind::{Call, Coroutine, CoroutineDrop, Root, Try};
        matches!(frame.kind, Call { .. } | Try { .. } | Root | Coroutine { .. } | CoroutineDrop { .. })
            && frame.exception == 0
    };
    thread.leaving == Leaving::No && thread.interrupted.is_empty() && thread.frames.iter().all(is_plain)
}

/// A thread that leaves a deadlock no longer waits, except for the mutex of a condition variable.
fn leave_wait(thread: &mut Thread) {
    if thread.leaving == Leaving::Relocks && matches!(thread.progress, Progress::Waiting { .. }) {
        thread.progress = Progress::Woken;
    }
    thread.state = State::Runnable;
}
