//! Scheduling points, blocking and waking, and the ends of threads (decision 10).

use crate::clock::ThreadId;
use crate::exec::behind::Leaving;
use crate::ir::{CodeFlags, FnId, Site};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::sched::{Point, PointKind, WakeUps};
use crate::site_cache::{InstructionInfo, PointInfo};
use crate::thread::{Frame, Progress, State, Thread, Wait};
use crate::trace::TraceEvent;
use smallvec::SmallVec;

/// Minimum number of iterations that a thread spins before time passes.
const SPINS: u32 = 64;

/// How far time first advances when all threads spin, in nanoseconds.
const STRIDE: u64 = 1_000;

/// Nanoseconds that pass at least between the deadline of a wait and its end: switching to a thread takes longer.
const WAKE_UP: u64 = 1_000;

/// A site in the nearest code outside std.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestSite {
    func: FnId,
    site: Site,
    is_local: bool,
}

impl Machine<'_> {
    /// Whether the synchronisation at the current instruction is a scheduling point. `own` are the flags of the model
    /// that performs it.
    ///
    /// It is one if the nearest frame outside std called the std function that synchronises, and that function is part
    /// of the concurrency API or belongs to a drop. Atomics inside std, such as those that count the owners of an
    /// `Arc`, are none: with choices there, a walk would rarely reach the program's own points.
    pub(crate) fn is_point(&mut self, kind: PointKind, own: Option<CodeFlags>) -> bool {
        let thread = &self.threads[self.current];
        if thread.at_point || thread.quiet > 0 {
            return false;
        }
        self.save_pc();
        // Other processes run while this one waits, or yields.
        let is_choice = self.is_choice() || kind == PointKind::Yield && self.has_several_runnable();
        if !self.touches(kind, own) || !is_choice {
            return false;
        }
        self.thread().at_point = true;
        true
    }

    /// Whether the drop of an `Arc`'s owner, by a function with flags `own`, is a scheduling point.
    ///
    /// Only in runs that count owners, and in a quarter of the others, which may count them later: mostly nobody can tell
    /// the difference, and a walk would reach the relevant points more rarely.
    pub(crate) fn is_owner_point(&mut self, own: CodeFlags) -> bool {
        let thread = &mut self.threads[self.current];
        let is_again = std::mem::take(&mut thread.at_point);
        let seed = self.config.concurrent_seed.unwrap_or(self.config.seed);
        // Not seed 0, with which short schedules of findings are looked for: they need the points of most runs.
        let counts_owners = self.owners_counted || !self.in_beginning && seed % 4 == 1;
        if is_again || !counts_owners || thread.quiet > 0 {
            return false;
        }
        self.save_pc();
        let (is_requested, place) = self.request_site(PointKind::Owners, Some(own));
        if !is_requested || !self.is_choice() {
            return false;
        }
        self.of_dependency = place.is_some_and(|place| !place.is_local);
        self.thread().at_point = true;
        true
    }

    /// The first thread is about to return, which ends the others: they may run before.
    pub(crate) fn is_last_point(&mut self) -> bool {
        let thread = &self.threads[self.current];
        if thread.frames.len() != 1 || thread.at_point || !self.is_main_thread() || !self.is_choice() {
            return false;
        }
        self.thread().at_point = true;
        self.of_dependency = false;
        true
    }

    /// Whether another thread of this process can run.
    fn another_runs(&self) -> bool {
        let is_here = |thread: &&Thread| thread.is_runnable() && thread.process == self.process;
        self.concurrent && self.threads.iter().filter(is_here).nth(1).is_some()
    }

    /// Whether several threads can run, of whichever process.
    pub(crate) fn has_several_runnable(&self) -> bool {
        self.threads.iter().filter(|thread| thread.is_runnable()).nth(1).is_some()
    }

    /// Whether another thread of this process can run instead of the current one.
    fn is_choice(&self) -> bool {
        self.another_runs() || !self.early().is_empty()
    }

    /// The threads whose waits may end early in this run; none in what all schedules share.
    fn early(&self) -> SmallVec<[ThreadId; 8]> {
        if !self.concurrent || self.in_beginning || self.config.wake_ups == WakeUps::Exact {
            return SmallVec::new();
        }
        let may_wake = |thread: &Thread| match (self.config.wake_ups, thread.state) {
            (WakeUps::AdversarialTime, State::Blocked { until, .. }) => until.is_some(),
            (WakeUps::Spurious, State::Blocked { wait, .. }) => is_notified(wait),
            _ => false,
        };
        let ids = self.threads.iter().zip(0..).filter(|(thread, _)| may_wake(thread));
        ids.map(|(_, index)| ThreadId(index)).collect()
    }

    /// Ends a wait early: by its deadline, or spuriously.
    fn wake_early(&mut self, index: usize) {
        let thread = &mut self.threads[index];
        let State::Blocked { wait, until } = thread.state else { return };
        thread.state = State::Runnable;
        match (self.config.wake_ups, wait) {
            (WakeUps::Spurious, Wait::Condvar { .. }) => thread.progress = Progress::Woken,
            // A parked thread cannot tell why it was woken.
            _ => thread.progress = Progress::Waiting { timed_out: true },
        }
        if self.config.wake_ups == WakeUps::AdversarialTime {
            self.pass_deadline(index, until.unwrap_or(0));
        }
    }

    /// Time passes to the deadline of a thread, although others can run or should have woken before.
    fn pass_deadline(&mut self, index: usize, until: u64) {
        let jitter = self.config.jitter;
        let is_late = |(other, thread): (usize, &Thread)| match thread.state {
            _ if other == index => false,
            State::Runnable => jitter.latest(self.now, self.now) < until,
            State::Blocked { until: Some(_), .. } => thread.latest < until,
            State::Blocked { until: None, .. } | State::Finished => false,
        };
        self.overslept |= self.threads.iter().enumerate().any(is_late);
        self.now = self.now.max(until);
    }

    /// Records the site in the nearest code outside std. Returns whether that code itself requested it.
    pub(crate) fn touches(&mut self, kind: PointKind, own: Option<CodeFlags>) -> bool {
        if !self.concurrent {
            let point = self.look_for_asking(kind, own);
            self.count(point.counted);
            return point.is_requested;
        }
        let (at, known) = self.known_here();
        let point = match known.point.filter(|point| point.is_of(kind, own)) {
            Some(point) => point,
            None => {
                let point = self.look_for_asking(kind, own);
                self.site_cache.keep(at, InstructionInfo { point: Some(point), ..known });
                point
            }
        };
        self.count(point.counted);
        // The first operation of a call of the workspace's, such as taking a lock that is not std's, is the call's own.
        let is_first =
            point.caller.is_some() && std::mem::replace(&mut self.thread().caller, point.caller) != point.caller;
        self.of_dependency = point.of_dependency && !is_first;
        point.is_requested
    }

    fn count(&mut self, counted: Option<u32>) {
        let concurrent = counted.is_some() && self.another_runs();
        let is_behind = self.behind.is_behind();
        if let Some((_, reached)) = counted.and_then(|index| self.reached.get_index_mut(index as usize)) {
            if is_behind {
                reached.behind += 1;
            } else {
                reached.count += 1;
                reached.concurrent += u64::from(concurrent);
            }
        }
    }

    /// Whether the nearest code outside std requested the synchronisation, and the index of its site in `reached`.
    fn look_for_asking(&mut self, kind: PointKind, own: Option<CodeFlags>) -> PointInfo {
        let (is_requested, place) = self.request_site(kind, own);
        let of_dependency = place.is_some_and(|place| !place.is_local);
        let frames = &self.threads[self.current].frames;
        let mut activations = frames.iter().rev().flat_map(Frame::activations);
        let caller = activations.find(|it| it.flags.is_local && !it.flags.is_shim).map(|it| (it.func, it.site));
        let is_own = is_requested && kind != PointKind::Call;
        let counted = place.filter(|_| is_own).map(|place| {
            let entry = self.reached.entry((kind, place.func, place.site));
            let index = entry.index() as u32;
            entry.or_default();
            index
        });
        let mut point = PointInfo::new(kind, own, is_requested, counted);
        (point.of_dependency, point.caller) = (of_dependency, caller);
        point
    }

    /// The site in the nearest code outside std, and whether that code itself requested the synchronisation.
    pub(crate) fn request_site(&self, kind: PointKind, own: Option<CodeFlags>) -> (bool, Option<RequestSite>) {
        let mut inner = own.filter(|flags| flags.is_std);
        let mut of_atomic = true;
        let frames = &self.threads[self.current].frames;
        let mut is_requested = inner.is_some_and(|flags| flags.is_sync_api);
        let mut place = None;
        for activation in frames.iter().rev().flat_map(Frame::activations) {
            let flags = activation.flags;
            if flags.is_std {
                of_atomic &= flags.is_atomic_api;
                inner = Some(flags);
                is_requested = flags.is_sync_api;
                continue;
            }
            place = Some(RequestSite { func: activation.func, site: activation.site, is_local: flags.is_local });
            let of_drop = flags.is_shim || inner.is_some_and(|flags| flags.is_shim);
            is_requested = match inner {
                None => true,
                Some(flags) => flags.is_sync_api || (of_drop && kind != PointKind::Atomic),
            };
            break;
        }
        is_requested &= of_atomic || kind != PointKind::Atomic;
        // Std sends nothing for its own purposes, but its iterators receive messages for the program.
        is_requested |= matches!(kind, PointKind::Send | PointKind::Receive | PointKind::Call);
        (is_requested, place)
    }

    /// Blocks the current thread until it is woken, or until logical time `until`.
    pub(crate) fn block(&mut self, wait: Wait, until: Option<u64>) -> Step {
        self.waits.timed |= until.is_some();
        self.waits.notified |= is_notified(wait);
        let until = until.map(|until| until.saturating_add(WAKE_UP));
        let latest = until.map_or(0, |until| self.config.jitter.latest(self.now, until));
        let step = self.steps;
        let thread = self.thread();
        if !std::mem::take(&mut thread.waits_again) {
            thread.waits_since = step;
        }
        thread.latest = latest;
        thread.state = State::Blocked { wait, until };
        // It is retried without a further choice.
        thread.at_point = true;
        self.tell_wait(wait);
        Ok(Flow::Switch(PointKind::Blocked))
    }

    /// Wakes the threads whose wait is `chosen`: they retry their operations.
    pub(crate) fn wake_all(&mut self, chosen: impl Fn(Wait) -> bool) {
        for thread in &mut self.threads {
            if let State::Blocked { wait, .. } = thread.state
                && chosen(wait)
            {
                thread.state = State::Runnable;
            }
        }
        self.wake_interrupted(chosen);
    }

    /// Handlers of signals run instead of waits that are `chosen`: these waits end. Returns one of the threads.
    pub(crate) fn wake_interrupted(&mut self, chosen: impl Fn(Wait) -> bool) -> Option<usize> {
        let mut woken = None;
        for (index, thread) in self.threads.iter_mut().enumerate() {
            let waits = thread.interrupted.iter_mut().filter(|it| it.wait.is_some_and(|(wait, _)| chosen(wait)));
            for interrupted in waits {
                interrupted.is_woken = true;
                if !matches!(interrupted.progress, Progress::Relock { .. }) {
                    interrupted.progress = Progress::Woken;
                }
                woken = Some(index);
            }
        }
        woken
    }

    /// The threads whose wait is `chosen`.
    pub(crate) fn waiting(&self, chosen: impl Fn(Wait) -> bool) -> SmallVec<[usize; 4]> {
        let is_chosen = |index: &usize| match self.threads[*index].state {
            State::Blocked { wait, .. } => chosen(wait),
            State::Runnable | State::Finished => false,
        };
        (0..self.threads.len()).filter(is_chosen).collect()
    }

    /// Wakes a random thread among those whose wait is `chosen`.
    pub(crate) fn wake_one(&mut self, chosen: impl Fn(Wait) -> bool) -> Option<usize> {
        let interrupted = self.wake_interrupted(&chosen);
        let waiting = self.waiting(chosen);
        if waiting.is_empty() {
            return interrupted;
        }
        let index = waiting[self.rng.index(waiting.len())];
        self.wake(index);
        Some(index)
    }

    /// Wakes a thread: another one did what it waited for.
    pub(crate) fn wake(&mut self, index: usize) {
        self.threads[index].state = State::Runnable;
        self.threads[index].progress = Progress::Woken;
    }

    /// Chooses the thread that runs next; the current one stops at its current instruction.
    pub(crate) fn reschedule(&mut self, kind: PointKind) -> Result<(), Stop> {
        self.silent_atomics = 0;
        self.progress_at(kind);
        self.of_dependency &= !matches!(kind, PointKind::Blocked | PointKind::ThreadEnd | PointKind::Yield);
        loop {
            let mut runnable: SmallVec<[ThreadId; 8]> = (0..self.threads.len())
                .filter(|index| self.threads[*index].is_runnable())
                .map(|index| ThreadId(index as u32))
                .collect();
            let mut early = self.early();
            // One deadline passes; other threads may be late. There are no spurious wake-ups when all wait.
            if runnable.is_empty() && self.config.wake_ups == WakeUps::AdversarialTime && early.len() > 1 {
                runnable = std::mem::take(&mut early);
            }
            if runnable.is_empty() {
                self.pass_time()?;
                continue;
            }
            let chosen = match runnable[..] {
                [only] if early.is_empty() => only,
                _ => {
                    self.choices += u64::from(!self.in_beginning);
                    let current = Some(self.thread_id());
                    let holds = !self.sync.locks.held_by(self.thread_id()).is_empty();
                    let of_dependency = self.of_dependency;
                    self.own_choices += u64::from(!of_dependency && !self.in_beginning);
                    let point = Point { runnable: &runnable, early: &early, current, kind, holds, of_dependency };
                    let chosen = match self.in_beginning {
                        true => point.default_choice(),
                        false => self.scheduler.choose(&point),
                    };
                    if point.offers(chosen) { chosen } else { runnable[0] }
                }
            };
            let is_early = !self.threads[chosen.index()].is_runnable();
            if is_early {
                self.wake_early(chosen.index());
            }
            self.current = chosen.index();
            self.enter_process(self.threads[self.current].process);
            if is_early && self.config.wake_ups == WakeUps::Spurious && self.config.trace {
                // The step is where the thread goes on.
                self.pc = self.threads[self.current].frames.last().map_or(self.pc, |frame| frame.pc);
                self.trace_event(TraceEvent::WakesSpuriously);
            }
            if self.threads[self.current].leaving == Leaving::Asked && matches!(self.leave_deadlock()?, Flow::Switch(_))
            {
                continue;
            }
            return Ok(());
        }
    }

    /// All threads wait: wakes threads whose deadlines come due together, always the earliest; if there is no deadline,
    /// the run ends.
    fn pass_time(&mut self) -> Result<(), Stop> {
        let deadline = |thread: &Thread| match thread.state {
            State::Blocked { until, .. } => until,
            State::Runnable | State::Finished => None,
        };
        if self.wake_leaving() {
            return Ok(());
        }
        if self.pass_events_before(self.threads.iter().filter_map(deadline).min())? {
            return Ok(());
        }
        // At this moment one of them is awake in any case.
        let timed = self.threads.iter().filter(|thread| deadline(thread).is_some());
        let Some(last) = timed.map(|thread| thread.latest).min() else {
            if self.signal_from_outside(true)? {
                return Ok(());
            }
            return if self.report_blocked_forever() { self.go_behind() } else { Err(Stop::WaitsForOutside) };
        };
        let due = self.threads.iter().filter_map(deadline).filter(|until| *until <= last);
        let mut due: SmallVec<[u64; 8]> = due.collect();
        due.sort_unstable();
        // Every other time all of them; else the others may wake after the first have run.
        let is_all = due.len() < 2 || self.rng.chance(1, 2);
        let moment = if is_all { due.len() - 1 } else { self.rng.index(due.len()) };
        let Some(moment) = due.get(moment).copied() else { return Ok(()) };
        self.now = self.now.max(moment);
        for thread in &mut self.threads {
            if deadline(thread).is_some_and(|until| until <= moment) {
                thread.state = State::Runnable;
                thread.progress = Progress::Waiting { timed_out: true };
            }
        }
        Ok(())
    }

    /// Something happened that a busy-wait loop does not do.
    pub(crate) fn progress(&mut self) {
        (self.spins, self.stride) = (0, 0);
        self.note_visible();
    }

    /// The same, if a point of this kind counts as progress: polling a lock or a channel does not.
    pub(crate) fn progress_at(&mut self, kind: PointKind) {
        use PointKind::{Notify, Send, Spawn, ThreadEnd, Unpark};
        if matches!(kind, Notify | Send | Spawn | ThreadEnd | Unpark) {
            self.progress();
        }
    }

    /// The current thread yields, loads an atomic or reads the clock, as busy-wait loops do. They may wait for a time,
    /// their own or a sleeper's: if all threads do so, time passes, slowly at first.
    pub(crate) fn spin(&mut self) -> Result<(), Stop> {
        self.spins += 1;
        if self.spins < SPINS {
            return Ok(());
        }
        let runnable = self.threads.iter().filter(|thread| thread.is_runnable()).count();
        if self.spins as usize / SPINS as usize <= runnable {
            return Ok(());
        }
        self.spins = 0;
        self.stride = self.stride.saturating_mul(2).max(STRIDE);
        let now = self.now.saturating_add(self.stride);
        if self.first_deadline().is_some_and(|first| first <= now) {
            self.stride = 0;
            return self.pass_time();
        }
        self.now = now;
        Ok(())
    }

    /// The next moment at which a wait ends by itself, or something comes from outside.
    fn first_deadline(&self) -> Option<u64> {
        let deadlines = self.threads.iter().filter_map(|thread| match thread.state {
            State::Blocked { until, .. } => until,
            State::Runnable | State::Finished => None,
        });
        deadlines.chain(self.os.next_event()).min()
    }

    /// The current thread reads a clock: it may have been preempted since it last did, so time may pass, in a run by no
    /// more than a thread may wake late. No deadline passes.
    pub(crate) fn may_have_been_preempted(&mut self) {
        let left = self.config.jitter.nanos.saturating_sub(self.preempted);
        if !self.concurrent || left == 0 || !self.rng.chance(1, 4) {
            return;
        }
        let until_then =
            self.first_deadline().map_or(u64::MAX, |first| first.saturating_sub(self.now).saturating_sub(1));
        let passed = left.div_ceil(2).min(until_then);
        self.preempted += passed;
        self.now = self.now.saturating_add(passed);
        self.waits.timed |= passed > 0;
    }

    /// The operation at the current instruction is complete.
    pub(crate) fn complete(&mut self) {
        let thread = self.thread();
        thread.at_point = false;
        thread.progress = Progress::None;
        thread.until = None;
        thread.waits_again = false;
    }

    /// The current thread has returned from all its frames.
    pub(crate) fn end_thread(&mut self) -> Step {
        if self.is_main_thread() {
            return Err(Stop::Returned(self.thread().result));
        }
        let ended = self.thread_id();
        let panicked = self.thread().panicked;
        self.trace_event(TraceEvent::Ends { panicked });
        self.thread().state = State::Finished;
        self.thread().at_point = false;
        self.wake_all(|wait| wait == Wait::Join { thread: ended });
        Ok(Flow::Switch(PointKind::ThreadEnd))
    }
}

/// Whether a wait may end spuriously: std allows that for condition variables and parked threads.
fn is_notified(wait: Wait) -> bool {
    matches!(wait, Wait::Condvar { .. } | Wait::Park { .. })
}
