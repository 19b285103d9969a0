//! Signals: who gets them, and their handlers, which run between two steps of a thread (decision 34).

use crate::clock::ThreadId;
use crate::finding::Awaited;
use crate::inputs::MadeUpInput;
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{AllocKind, Memory};
use crate::os::signals::{Effect, SignalAction, SignalSet, Signals, first, only, sent};
use crate::process::ProcessId;
use crate::rng::Rng;
use crate::sched::PointKind;
use crate::sync::SyncKey;
use crate::thread::{FrameKind, Interrupted, Progress, State, Wait};
use crate::trace::TraceEvent;

/// The key through which all users of signals synchronise; tokens of others start at 1.
const TOKEN: SyncKey = SyncKey::Token(0);
/// The stream of random numbers for signals from outside.
const FROM_OUTSIDE: u64 = 1 << 61;
/// Size of `siginfo_t`, offsets of its signal and its reason.
const INFORMATION: usize = 128;
const CODE: usize = 8;
/// Size of `ucontext_t`.
const CONTEXT: usize = 968;
/// The reasons of a signal: a process has sent it to a process, or a thread to a thread.
pub(crate) const SI_USER: i32 = 0;
pub(crate) const SI_TKILL: i32 = -6;

impl Machine<'_> {
    /// The signals of a process.
    pub(crate) fn signals_of(&mut self, process: ProcessId) -> &mut Signals {
        match self.processes.get_mut(process) {
            Some(record) if process != self.process => &mut record.state.signals,
            _ => &mut self.os.signals,
        }
    }

    /// The signals that others may send to a process, and that it does something about: a handler runs, or a thread
    /// waits for them.
    pub(crate) fn handled_signals(&mut self, process: ProcessId) -> SignalSet {
        let is_child = |index: usize| index != 0 && index != process;
        let mut others = self.processes.iter().enumerate();
        let has_children = others.any(|(index, it)| is_child(index) && it.parent == process && it.status.is_none());
        let files = self.os.signal_files.iter().filter(|it| it.process == process && !it.is_closed);
        let watched = files.fold(0, |set, it| set | it.mask);
        let waited = self.threads.iter().filter(|it| it.process == process).fold(0, |set, thread| match thread.state {
            State::Blocked { wait: Wait::Signals { set: more }, .. } => set | more,
            _ => set,
        });
        self.signals_of(process).handled(has_children) | watched | waited
    }

    /// What another thread did before it set a handler or sent a signal is seen by the handler.
    pub(crate) fn publish_signals(&mut self) {
        self.order.on_release(self.thread_id(), TOKEN);
    }

    /// The same for who takes a signal without a handler.
    pub(crate) fn see_signals(&mut self) {
        self.order.on_acquire(self.thread_id(), TOKEN);
    }

    /// The signals that are pending for a thread.
    pub(crate) fn pending_for(&self, index: usize) -> SignalSet {
        let Some(thread) = self.threads.get(index) else { return 0 };
        let shared = match self.processes.get(thread.process) {
            Some(record) if thread.process != self.process => record.state.signals.pending,
            _ => self.os.signals.pending,
        };
        thread.pending | shared
    }

    /// Takes a pending signal away from a thread, or else from its process. Returns why it came.
    pub(crate) fn take_pending(&mut self, index: usize, signal: i32) -> i32 {
        let taken = only(signal);
        let Some(thread) = self.threads.get_mut(index) else { return SI_USER };
        if thread.pending & taken != 0 {
            thread.pending &= !taken;
            return SI_TKILL;
        }
        let process = thread.process;
        self.signals_of(process).pending &= !taken;
        SI_USER
    }

    /// A signal for a process: the first thread that does not block it gets it. Whether the signal ends the process.
    pub(crate) fn post_to_process(&mut self, process: ProcessId, signal: i32) -> Result<bool, Stop> {
        let main = match self.processes.get(process) {
            Some(record) => record.main.map(ThreadId::index),
            None => Some(0),
        };
        let others = (0..self.threads.len()).filter(|index| Some(*index) != main);
        let candidates: Vec<usize> = main.into_iter().chain(others).collect();
        let is_of = |index: &usize| {
            let thread = &self.threads[*index];
            thread.process == process && thread.state != State::Finished
        };
        let of_process: Vec<usize> = candidates.into_iter().filter(is_of).collect();
        let is_awaited = |index: &&usize| matches!(self.threads[**index].state, State::Blocked { wait: Wait::Signals { set }, .. } if set & only(signal) != 0);
        if !of_process.iter().any(|index| is_awaited(&index)) {
            let gets = of_process.iter().copied().find(|index| self.threads[*index].blocked & only(signal) == 0);
            match (self.signals_of(process).effect(signal), gets) {
                (Effect::Ends, Some(_)) => return Ok(true),
                (Effect::Nothing, Some(_)) => return Ok(false),
                (Effect::Handler(_), Some(index)) => {
                    self.hand_signal(index, signal, SI_USER)?;
                    return Ok(false);
                }
                // Nobody is left to get it.
                (effect, None) if of_process.is_empty() => return Ok(effect == Effect::Ends),
                (_, None) => {}
            }
        }
        self.signals_of(process).pending |= only(signal);
        self.tell_pending(process, signal);
        Ok(false)
    }

    /// A signal for a thread. Whether the signal ends its process.
    pub(crate) fn post_to_thread(&mut self, index: usize, signal: i32) -> Result<bool, Stop> {
        let Some(thread) = self.threads.get(index) else { return Ok(false) };
        let (process, blocked) = (thread.process, thread.blocked);
        let is_awaited =
            matches!(thread.state, State::Blocked { wait: Wait::Signals { set }, .. } if set & only(signal) != 0);
        if thread.state == State::Finished {
            return Ok(false);
        }
        if blocked & only(signal) == 0 && !is_awaited {
            match self.signals_of(process).effect(signal) {
                Effect::Ends => return Ok(true),
                Effect::Nothing => {}
                Effect::Handler(_) => self.hand_signal(index, signal, SI_TKILL)?,
            }
            return Ok(false);
        }
        self.threads[index].pending |= only(signal);
        self.tell_pending(process, signal);
        Ok(false)
    }

    /// A signal has become pending: those who wait for it hear of it.
    fn tell_pending(&mut self, process: ProcessId, signal: i32) {
        self.wake_all(|wait| matches!(wait, Wait::Signals { set } if set & only(signal) != 0));
        let files = self.os.signal_files.iter();
        let watching = files.filter(|it| it.process == process && !it.is_closed && it.mask & only(signal) != 0);
        let watching: Vec<usize> = watching.map(|it| it.opened).collect();
        for opened in watching {
            self.changed(opened, crate::os::ready::READ);
        }
    }

    /// A thread that does not block a signal gets it: at once, or before its next step if it is running.
    fn hand_signal(&mut self, index: usize, signal: i32, code: i32) -> Result<(), Stop> {
        let process = self.threads[index].process;
        let is_running = index == self.current && self.threads[index].is_runnable();
        if is_running || self.threads[index].quiet > 0 {
            match code {
                SI_TKILL => self.threads[index].pending |= only(signal),
                _ => self.signals_of(process).pending |= only(signal),
            }
            self.next_poll = self.steps;
            return Ok(());
        }
        match self.signals_of(process).effect(signal) {
            Effect::Handler(action) => self.start_handler(index, signal, action, code),
            Effect::Nothing | Effect::Ends => Ok(()),
        }
    }

    /// Starts the handler of a signal that the current thread has got meanwhile. Returns whether there was one.
    pub(crate) fn deliver_pending(&mut self) -> Result<bool, Stop> {
        let index = self.current;
        loop {
            let open = self.pending_for(index) & !self.threads[index].blocked;
            if open == 0 || self.threads[index].quiet > 0 {
                return Ok(false);
            }
            let signal = first(open);
            let code = self.take_pending(index, signal);
            match self.os.signals.effect(signal) {
                Effect::Nothing => {}
                Effect::Ends => return Err(Stop::Killed(signal)),
                Effect::Handler(action) => {
                    self.start_handler(index, signal, action, code)?;
                    return Ok(true);
                }
            }
        }
    }

    /// Calls a handler on top of what a thread does.
    fn start_handler(&mut self, index: usize, signal: i32, action: SignalAction, code: i32) -> Result<(), Stop> {
        let func = self.fn_at(action.handler)?;
        let block = self.memory.allocate((INFORMATION + CONTEXT) as u64, AllocKind::Heap)?;
        self.memory.clear_uninterpreted(block, 0, INFORMATION + CONTEXT);
        self.memory.put(block, 0, 4, signal as u64);
        self.memory.put(block, CODE, 4, u64::from(code as u32));
        let process = self.threads[index].process;
        self.signals_of(process).note_start(signal);
        self.save_pc();
        let before = std::mem::replace(&mut self.current, index);
        self.reload();
        let (waiting, sent) = (self.os.waiting.remove(&index), self.os.sent.remove(&index));
        let thread = &mut self.threads[index];
        let wait = match thread.state {
            State::Blocked { wait, until } => Some((wait, until)),
            State::Runnable | State::Finished => None,
        };
        thread.interrupted.push(Interrupted {
            wait,
            progress: thread.progress,
            until: thread.until,
            at_point: thread.at_point,
            blocked: thread.blocked,
            restarts: action.restarts() && waiting.is_none_or(|it| it.what != Awaited::Events),
            sent,
            is_woken: false,
            block,
        });
        (thread.state, thread.progress, thread.until) = (State::Runnable, Progress::None, None);
        thread.at_point = false;
        thread.blocked |= action.blocks(signal);
        let information = Memory::address(block, 0);
        let args = [signal as u64, information, Memory::address(block, INFORMATION)];
        let started = self.invoke(func, &args, FrameKind::Signal);
        if started.is_ok() {
            self.see_signals();
            self.trace_event(TraceEvent::Handles { signal });
        }
        self.save_pc();
        self.current = before;
        self.reload();
        started.map(drop)
    }

    /// A handler has returned: its thread goes on with what it did before, or waits again.
    pub(crate) fn finish_handler(&mut self) -> Step {
        let index = self.current;
        let Some(before) = self.thread().interrupted.pop() else { return Err(Stop::Aborted) };
        self.free(before.block);
        let thread = &mut self.threads[index];
        thread.blocked = before.blocked;
        (thread.progress, thread.until, thread.at_point) = (before.progress, before.until, before.at_point);
        // Others may have become possible.
        self.next_poll = self.steps;
        self.reload();
        let Some((wait, until)) = before.wait else { return Ok(Flow::Reload) };
        if let Some(sent) = before.sent {
            self.os.sent.insert(index, sent);
        }
        let thread = &mut self.threads[index];
        thread.waits_again = true;
        match wait {
            // They are asked again whether they must wait.
            Wait::Lock { .. } => return Ok(Flow::Reload),
            Wait::Descriptors
            | Wait::Child { .. }
            | Wait::File { .. }
            | Wait::Sleep
            | Wait::Others
            | Wait::Signals { .. } => {
                let starts_again =
                    before.restarts && matches!(wait, Wait::Descriptors | Wait::Child { .. } | Wait::File { .. });
                if !starts_again {
                    (thread.progress, thread.until) = (Progress::Interrupted, thread.until.or(until));
                }
                return Ok(Flow::Reload);
            }
            _ if before.is_woken => return Ok(Flow::Reload),
            Wait::Condvar { .. }
            | Wait::Futex { .. }
            | Wait::Park { .. }
            | Wait::Send { .. }
            | Wait::Receive { .. }
            | Wait::Join { .. } => thread.state = State::Blocked { wait, until },
        }
        Ok(Flow::Switch(PointKind::Blocked))
    }

    /// Plans the next signal from outside, if there is an outside and the program handles any.
    pub(crate) fn plan_signals(&mut self) {
        if !self.has_outside() || sent(self.handled_signals(0)) == 0 {
            self.os.coming.moment = None;
            return;
        }
        let (now, steps, last) = (self.now, self.steps, self.last_step);
        match self.in_beginning {
            true => self.os.coming.plan_late(now, steps, last),
            false => {
                let mut rng = self.signal_rng();
                self.os.coming.plan(&mut rng, now, steps, last);
            }
        }
        self.next_poll = self.next_poll.min(self.os.coming.step());
    }

    fn signal_rng(&self) -> Rng {
        Rng::with_stream(self.input_seed, FROM_OUTSIDE + self.os.coming.count() as u64)
    }

    /// A signal comes from outside at its moment. If all have come, the next one comes when all threads wait.
    pub(crate) fn signal_at_moment(&mut self) -> Result<(), Stop> {
        self.os.coming.moment = None;
        if self.signal_from_outside(false)? {
            self.plan_signals();
        }
        Ok(())
    }

    /// All threads wait: a signal comes from outside. Returns whether one did.
    pub(crate) fn signal_from_outside(&mut self, all_wait: bool) -> Result<bool, Stop> {
        if !self.has_outside() {
            return Ok(false);
        }
        let handled = self.handled_signals(0);
        let (mut rng, step) = (self.signal_rng(), self.steps);
        let Some(signal) = self.os.coming.take(handled, all_wait, &mut rng, step) else { return Ok(false) };
        self.choose(|inputs, _| inputs.note(MadeUpInput::Signal(signal)));
        self.post_to_process(0, signal)?;
        Ok(true)
    }

    /// Whether no signal ends the waits of these threads: a process handles none, or all that it handles have come in
    /// vain. `waits_for_signals` says that some thread may wait for nothing but signals: then one of those that ask a
    /// program to end must be among them.
    pub(crate) fn signals_are_in_vain(&mut self, threads: &[ThreadId], waits_for_signals: bool) -> bool {
        let processes = self.processes.len().max(1);
        if (1..processes).any(|process| self.handled_signals(process) != 0) {
            return false;
        }
        let handled = self.handled_signals(0);
        if handled == 0 {
            return true;
        }
        let since = threads.iter().filter_map(|thread| self.threads.get(thread.index())).map(|it| it.waits_since);
        self.os.coming.all_came_since(handled, since.max().unwrap_or(0))
            && (!waits_for_signals || crate::os::signals::ending(handled) != 0)
    }
}
