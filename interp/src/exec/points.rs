//! Scheduling points, blocking and waking, and the ends of threads (decision 10).

use crate::clock::ThreadId;
use crate::ir::{CodeFlags, FnId, Site};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::sched::{Point, PointKind, WakeUps};
use crate::site_cache::{InstructionInfo, PointInfo};
use crate::thread::{Frame, Progress, State, Thread, Wait};
use crate::trace::TraceEvent;
use smallvec::SmallVec;

/// How many turns of its loop a thread spins at least until time passes.
const SPINS: u32 = 64;

/// How far time goes on at first when all threads spin, in nanoseconds.
const STRIDE: u64 = 1_000;

/// A place in the nearest code outside std.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestSite {
    func: FnId,
    site: Site,
    is_local: bool,
}

impl Machine<'_> {
    /// Whether the scheduler has to be asked before the synchronisation that the current instruction is. `own` are
    /// the flags of the model that does it.
    ///
    /// It is asked when the nearest frame outside std called the std function that synchronises, and that function
    /// is part of the API for concurrency or the code of a drop. Atomics inside std, such as those that count the
    /// owners of an `Arc`, are no points: a walk that chose there would rarely get to the program's own.
    pub(crate) fn is_point(&mut self, kind: PointKind, own: Option<CodeFlags>) -> bool {
        let thread = &self.threads[self.current];
        if thread.at_point || thread.quiet > 0 {
            return false;
        }
        self.save_pc();
        if !self.touches(kind, own) || !self.is_choice() {
            return false;
        }
        self.thread().at_point = true;
        true
    }

    /// Whether the scheduler has to be asked before one of an `Arc`'s owners lets go of it, by a function with flags `own`.
    ///
    /// It is asked in runs that count owners only: in others nobody can tell, and a walk would more rarely get to the
    /// points that matter.
    pub(crate) fn is_owner_point(&mut self, own: CodeFlags) -> bool {
        let thread = &mut self.threads[self.current];
        let is_again = std::mem::take(&mut thread.at_point);
        if is_again || !self.owners_counted || thread.quiet > 0 {
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

    /// The entry's thread is about to return, which ends the others: they may go on before.
    pub(crate) fn is_last_point(&mut self) -> bool {
        if self.current != 0 || self.threads[0].frames.len() != 1 || self.threads[0].at_point || !self.is_choice() {
            return false;
        }
        self.threads[0].at_point = true;
        self.of_dependency = false;
        true
    }

    fn another_runs(&self) -> bool {
        self.concurrent && self.threads.iter().filter(|thread| thread.is_runnable()).nth(1).is_some()
    }

    /// Whether another thread may go on instead of the current one.
    fn is_choice(&self) -> bool {
        self.another_runs() || (self.config.wake_ups != WakeUps::Exact && !self.early().is_empty())
    }

    /// The threads whose waits may end early in this run.
    fn early(&self) -> SmallVec<[ThreadId; 8]> {
        let may_wake = |thread: &Thread| match (self.config.wake_ups, thread.state) {
            (WakeUps::AdversarialTime, State::Blocked { until, .. }) => until.is_some(),
            (WakeUps::Spurious, State::Blocked { wait, .. }) => is_notified(wait),
            _ => false,
        };
        let ids = self.threads.iter().zip(0..).filter(|(thread, _)| may_wake(thread));
        ids.map(|(_, index)| ThreadId(index)).collect()
    }

    /// Ends a wait early: its time has come, or it ends for no reason.
    fn wake_early(&mut self, index: usize) {
        let thread = &mut self.threads[index];
        let State::Blocked { wait, until } = thread.state else { return };
        thread.state = State::Runnable;
        match (self.config.wake_ups, wait) {
            (WakeUps::Spurious, Wait::Condvar { .. }) => thread.progress = Progress::Woken,
            // Of a thread that was parked it cannot be told why it goes on.
            _ => thread.progress = Progress::Waiting { timed_out: true },
        }
        if self.config.wake_ups == WakeUps::AdversarialTime {
            self.now = self.now.max(until.unwrap_or(0));
        }
    }

    /// Notes the place in the nearest code outside std, and says whether that code itself asked for it.
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
        // What a call of the workspace's does first, such as taking a lock that is no lock of std's, is its own.
        let is_first =
            point.caller.is_some() && std::mem::replace(&mut self.thread().caller, point.caller) != point.caller;
        self.of_dependency = point.of_dependency && !is_first;
        point.is_requested
    }

    fn count(&mut self, counted: Option<u32>) {
        let concurrent = counted.is_some() && self.another_runs();
        if let Some((_, reached)) = counted.and_then(|index| self.reached.get_index_mut(index as usize)) {
            reached.count += 1;
            reached.concurrent += u64::from(concurrent);
        }
    }

    /// Whether the nearest code outside std asked for the synchronisation, and the number of its place in `reached`.
    fn look_for_asking(&mut self, kind: PointKind, own: Option<CodeFlags>) -> PointInfo {
        let (is_requested, place) = self.request_site(kind, own);
        let of_dependency = place.is_some_and(|place| !place.is_local);
        let frames = &self.threads[self.current].frames;
        let mut activations = frames.iter().rev().flat_map(Frame::activations);
        let caller = activations.find(|it| it.flags.is_local && !it.flags.is_shim).map(|it| (it.func, it.site));
        let counted = place.filter(|_| is_requested).map(|place| {
            let entry = self.reached.entry((kind, place.func, place.site));
            let index = entry.index() as u32;
            entry.or_default();
            index
        });
        let mut point = PointInfo::new(kind, own, is_requested, counted);
        (point.of_dependency, point.caller) = (of_dependency, caller);
        point
    }

    /// The place in the nearest code outside std, and whether that code itself asked for the synchronisation.
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
        // Std sends nothing for its own purposes, but its iterators take messages for the program.
        is_requested |= matches!(kind, PointKind::Send | PointKind::Receive);
        (is_requested, place)
    }

    /// The current thread cannot go on until it is woken, or until logical time `until`.
    pub(crate) fn block(&mut self, wait: Wait, until: Option<u64>) -> Step {
        self.waits.timed |= until.is_some();
        self.waits.notified |= is_notified(wait);
        let thread = self.thread();
        thread.state = State::Blocked { wait, until };
        // It is tried again without a further choice.
        thread.at_point = true;
        self.tell_wait(wait);
        Ok(Flow::Switch(PointKind::Blocked))
    }

    /// Wakes the threads whose wait is `chosen`: they try again what they waited for.
    pub(crate) fn wake_all(&mut self, chosen: impl Fn(Wait) -> bool) {
        for thread in &mut self.threads {
            if let State::Blocked { wait, .. } = thread.state
                && chosen(wait)
            {
                thread.state = State::Runnable;
            }
        }
    }

    /// The threads whose wait is `chosen`.
    pub(crate) fn waiting(&self, chosen: impl Fn(Wait) -> bool) -> SmallVec<[usize; 4]> {
        let is_chosen = |index: &usize| match self.threads[*index].state {
            State::Blocked { wait, .. } => chosen(wait),
            State::Runnable | State::Finished => false,
        };
        (0..self.threads.len()).filter(is_chosen).collect()
    }

    /// Wakes one of the threads whose wait is `chosen`, which one being random.
    pub(crate) fn wake_one(&mut self, chosen: impl Fn(Wait) -> bool) -> Option<usize> {
        let waiting = self.waiting(chosen);
        if waiting.is_empty() {
            return None;
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

    /// Chooses the thread that goes on; the current one stops at its current instruction.
    pub(crate) fn reschedule(&mut self, kind: PointKind) -> Result<(), Stop> {
        self.silent_atomics = 0;
        self.progress_at(kind);
        self.of_dependency &= !matches!(kind, PointKind::Blocked | PointKind::ThreadEnd | PointKind::Yield);
        loop {
            let mut runnable: SmallVec<[ThreadId; 8]> = (0..self.threads.len())
                .filter(|index| self.threads[*index].is_runnable())
                .map(|index| ThreadId(index as u32))
                .collect();
            let mut early = SmallVec::new();
            if self.config.wake_ups != WakeUps::Exact {
                early = self.early();
                // Somebody's time comes; the others may be late. Nothing wakes for no reason when all wait.
                if runnable.is_empty() && self.config.wake_ups == WakeUps::AdversarialTime && early.len() > 1 {
                    runnable = std::mem::take(&mut early);
                }
            }
            if runnable.is_empty() {
                self.pass_time()?;
                continue;
            }
            let chosen = match runnable[..] {
                [only] if early.is_empty() => only,
                _ => {
                    self.choices += 1;
                    let current = Some(self.thread_id());
                    let holds = !self.sync.locks.held_by(self.thread_id()).is_empty();
                    let of_dependency = self.of_dependency;
                    self.own_choices += u64::from(!of_dependency);
                    let point = Point { runnable: &runnable, early: &early, current, kind, holds, of_dependency };
                    let chosen = self.scheduler.choose(&point);
                    if point.offers(chosen) { chosen } else { runnable[0] }
                }
            };
            if !self.threads[chosen.index()].is_runnable() {
                self.wake_early(chosen.index());
            }
            self.current = chosen.index();
            return Ok(());
        }
    }

    /// All threads wait: the one whose time runs out first wakes, or none ever will.
    fn pass_time(&mut self) -> Result<(), Stop> {
        let deadline = |thread: &Thread| match thread.state {
            State::Blocked { until, .. } => until,
            State::Runnable | State::Finished => None,
        };
        let Some(first) = self.threads.iter().filter_map(deadline).min() else {
            self.report_waits_for_ever();
            return Err(Stop::Deadlock);
        };
        let ties: SmallVec<[usize; 4]> =
            (0..self.threads.len()).filter(|index| deadline(&self.threads[*index]) == Some(first)).collect();
        let index = ties[self.rng.index(ties.len())];
        self.now = self.now.max(first);
        self.threads[index].state = State::Runnable;
        self.threads[index].progress = Progress::Waiting { timed_out: true };
        Ok(())
    }

    /// Something happened that a loop which only waits does not do.
    pub(crate) fn progress(&mut self) {
        (self.spins, self.stride) = (0, 0);
    }

    /// The same, if what is done at such a point is of that kind: polling a lock or a channel is not.
    pub(crate) fn progress_at(&mut self, kind: PointKind) {
        use PointKind::{Notify, Send, Spawn, ThreadEnd, Unpark};
        if matches!(kind, Notify | Send | Spawn | ThreadEnd | Unpark) {
            self.progress();
        }
    }

    /// The current thread yields, loads an atomic or reads the clock, as loops do that wait for others without blocking. What
    /// they wait for may be a time, their own or a sleeper's: it comes while all go on like this, slowly at first.
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
        let deadlines = self.threads.iter().filter_map(|thread| match thread.state {
            State::Blocked { until, .. } => until,
            State::Runnable | State::Finished => None,
        });
        if deadlines.min().is_some_and(|first| first <= now) {
            self.stride = 0;
            return self.pass_time();
        }
        self.now = now;
        Ok(())
    }

    /// The operation at the current instruction is complete.
    pub(crate) fn complete(&mut self) {
        let thread = self.thread();
        thread.at_point = false;
        thread.progress = Progress::None;
        thread.until = None;
    }

    /// The current thread has returned from all its frames.
    pub(crate) fn end_thread(&mut self) -> Step {
        if self.thread_id() == ThreadId::ENTRY {
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

/// Whether a wait may end for no reason: std allows it of condition variables and parked threads.
fn is_notified(wait: Wait) -> bool {
    matches!(wait, Wait::Condvar { .. } | Wait::Park { .. })
}
