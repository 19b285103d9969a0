//! Threads that spin forever: while all other threads wait for what nobody will do, they come back to the same state
//! again and again. So no schedule ends it.

use crate::clock::ThreadId;
use crate::detect::deadlock::WaitState;
use crate::exec::reports::access_step;
use crate::finding::{Action, FindingKind};
use crate::ir::{FnId, Pc};
use crate::machine::{Machine, Stop};
use crate::run::Map;
use crate::sched::WakeUps;
use crate::stack::Place;
use smallvec::SmallVec;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Number of polls before threads are first watched; later, twice as many each time.
const FIRST: u32 = 4;
/// Number of steps for which threads are watched.
const WATCHED: u64 = 8192;
/// Number of times that memory is compared while threads are watched.
const COMPARED: u32 = 16;

/// When threads are watched.
#[derive(Clone, Debug)]
pub(crate) struct SpinWatch {
    polls: u32,
    next: u32,
    watched: Option<Watched>,
}

impl Default for SpinWatch {
    fn default() -> SpinWatch {
        SpinWatch { polls: 0, next: FIRST, watched: None }
    }
}

/// An instruction, and what happened since a thread was there.
#[derive(Clone, Debug)]
struct Watched {
    thread: usize,
    position: Position,
    /// The last step that is watched.
    end: u64,
    /// Marks of the threads' frames and of the memory then. The memory is only marked once the frames repeat.
    frames: u64,
    memory: Option<u64>,
    compared: u32,
    /// How each thread went on since.
    moved: SmallVec<[Moved; 8]>,
    /// Whether something was done since that another thread might have seen meanwhile.
    is_visible: bool,
    /// For each thread, the first atomic, lock or channel that it has asked for since, and where.
    asked: Map<ThreadId, (u64, Place)>,
}

/// An instruction of the host's code, so that inlining changes nothing, and the number of activations below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Position {
    func: FnId,
    pc: Pc,
    depth: usize,
}

/// Where a thread was last, if it was watched; and whether it has left it since.
#[derive(Clone, Copy, Default, Debug)]
struct Moved {
    at: Option<Position>,
    has_left: bool,
}

impl Watched {
    fn start_again(&mut self, frames: u64, memory: Option<u64>) {
        (self.frames, self.memory, self.is_visible) = (frames, memory, false);
        self.moved.iter_mut().for_each(|it| it.has_left = false);
        self.asked.clear();
    }
}

impl Machine<'_> {
    /// Whether each step is watched now.
    pub(crate) fn is_watched(&self) -> bool {
        self.spin_watch.watched.is_some()
    }

    /// Now and then: threads are watched from here on if nothing but them can end the waits of others.
    pub(crate) fn watch_now_and_then(&mut self) {
        self.spin_watch.polls += 1;
        if self.spin_watch.polls < self.spin_watch.next || !self.is_closed_world() {
            return;
        }
        self.spin_watch.next = self.spin_watch.polls.saturating_mul(2);
        let Some(position) = self.position() else { return };
        self.spin_watch.watched = Some(Watched {
            thread: self.current,
            position,
            end: self.steps.saturating_add(WATCHED),
            frames: 0,
            memory: None,
            compared: 0,
            moved: SmallVec::from_elem(Moved::default(), self.threads.len()),
            is_visible: false,
            asked: Map::default(),
        });
    }

    /// Whether time, signals and other processes end no wait and no busy wait.
    fn is_closed_world(&mut self) -> bool {
        self.concurrent
            && !self.in_beginning
            && self.config.wake_ups == WakeUps::Exact
            && self.processes.len() <= 1
            && self.os.next_event().is_none()
            && (0..self.threads.len()).all(|index| self.wait_state(index) != WaitState::Sleep)
            && self.handled_signals(0) == 0
    }

    /// Before each step while threads are watched.
    ///
    /// # Errors
    ///
    /// The end of the run, if they spin forever.
    pub(crate) fn watch(&mut self) -> Result<(), Stop> {
        let (current, steps) = (self.current, self.steps);
        let position = self.position();
        let Some(watched) = &mut self.spin_watch.watched else { return Ok(()) };
        if steps > watched.end || watched.compared > COMPARED || watched.moved.len() != self.threads.len() {
            self.spin_watch.watched = None;
            return Ok(());
        }
        if let Some(moved) = watched.moved.get_mut(current) {
            moved.has_left |= moved.at.is_some() && moved.at != position;
            moved.at = position;
        }
        match (watched.thread, Some(watched.position)) == (current, position) {
            true => self.compare(),
            false => Ok(()),
        }
    }

    /// Where the current thread is.
    fn position(&mut self) -> Option<Position> {
        self.save_pc();
        let frame = self.threads.get(self.current)?.frames.last()?;
        let activation = frame.activations().next()?;
        Some(Position { func: activation.func, pc: activation.pc, depth: frame.depth + frame.in_use().1 })
    }

    /// Compares the state with that of the last time at the instruction.
    fn compare(&mut self) -> Result<(), Stop> {
        let frames = self.mark_frames();
        let is_new = self.spin_watch.watched.as_ref().is_none_or(|it| it.frames != frames);
        let memory = (!is_new).then(|| self.mark_memory());
        let Some(watched) = &mut self.spin_watch.watched else { return Ok(()) };
        if is_new {
            watched.start_again(frames, None);
            return Ok(());
        }
        watched.compared += 1;
        if watched.memory != memory {
            watched.start_again(frames, memory);
            return Ok(());
        }
        let running = self.threads.iter().zip(&watched.moved).filter(|(thread, _)| thread.is_runnable());
        // One thread alone does the same again. Several ones do if none of them sees what the others do meanwhile.
        if running.clone().any(|(_, moved)| !moved.has_left) || watched.is_visible && running.count() > 1 {
            return Ok(());
        }
        // A thread may have gone to sleep meanwhile.
        if !self.is_closed_world() {
            self.stop_watching();
            return Ok(());
        }
        self.report_livelock();
        Err(Stop::Livelock)
    }

    /// The current thread asked for an atomic, a lock or a channel at an address.
    pub(crate) fn note_asked(&mut self, addr: u64) {
        if !self.is_watched() {
            return;
        }
        let (thread, place) = (self.thread_id(), self.place());
        if let Some(watched) = &mut self.spin_watch.watched {
            watched.asked.entry(thread).or_insert((addr, place));
        }
    }

    /// The current thread did something that others may see before it is undone.
    pub(crate) fn note_visible(&mut self) {
        if let Some(watched) = &mut self.spin_watch.watched {
            watched.is_visible = true;
        }
    }

    /// The current thread asked the system: whoever watches it knows nothing of the answer's reasons.
    pub(crate) fn stop_watching(&mut self) {
        self.spin_watch.watched = None;
    }

    /// All threads that can run spin. The others wait, or have ended.
    fn report_livelock(&mut self) {
        let asked = self.spin_watch.watched.take().map(|it| it.asked).unwrap_or_default();
        let spins = |it: &ThreadId| self.threads[it.index()].is_runnable();
        let all = || (0..self.threads.len() as u32).map(ThreadId);
        let spinning: Vec<ThreadId> = all().filter(spins).collect();
        let others: Vec<ThreadId> = all().filter(|it| !spins(it)).collect();
        let has_cycle = self.findings.iter().any(|it| it.kind == FindingKind::LockCycle);
        // An idle loop asks for nothing. After a finding, it may follow from that.
        let is_idle = spinning.iter().any(|it| !asked.contains_key(it));
        if is_idle || has_cycle || self.has_raced() {
            return;
        }
        let mut events = Vec::new();
        for (thread, (addr, place)) in spinning.iter().filter_map(|it| Some((*it, *asked.get(it)?))) {
            let action = Action::Spins { object: self.object(addr) };
            events.push(self.event(thread, action, place));
        }
        let mut trace = self.steps_so_far();
        if self.config.trace {
            trace.extend(events.iter().map(|event| access_step(event, self.choices)));
        }
        self.save_pc();
        events.extend(others.into_iter().filter_map(|it| self.wait_event(it)));
        self.report_with(FindingKind::SpinsForever, events, trace);
    }

    /// A mark of all state but the memory's.
    fn mark_frames(&self) -> u64 {
        let mut mark = DefaultHasher::new();
        for thread in &self.threads {
            (thread.state, thread.progress, thread.until, thread.quiet, thread.locals.len()).hash(&mut mark);
            // Innermost first, so that the order is the same with inlined calls.
            for frame in thread.frames.iter().rev() {
                if frame.exception != 0 {
                    frame.exception.hash(&mut mark);
                }
                for activation in frame.activations() {
                    let offset = frame.offset + activation.base as usize;
                    (activation.func, activation.pc, frame.index, offset).hash(&mut mark);
                }
                frame.kind.mark(&mut mark);
            }
        }
        self.coroutines.iter().for_each(|it| it.mark(&mut mark));
        self.sync.hash(&mut mark);
        (self.looks, self.inputs.given.len(), self.terms.count, self.rng.clone().next_u64()).hash(&mut mark);
        mark.finish()
    }

    /// A mark of the memory that is in use.
    fn mark_memory(&self) -> u64 {
        let stacks = self.threads.iter().map(|thread| (thread.stack, thread.used())).collect();
        let mut mark = DefaultHasher::new();
        self.memory.mark(&stacks, &mut mark);
        mark.finish()
    }
}
