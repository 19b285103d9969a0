//! Deadlocks: cycles of locks held and waited for, and threads that wait for ever (HSR's checker, ISSTA'18).
//!
//! Promised: a cycle is reported only if none of its threads can go on whatever the others do; it is found the
//! moment its last thread begins to wait, however many other threads still run.

use crate::clock::ThreadId;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A lock, by its address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LockId(pub u64);

/// How a lock is held or asked for; a mutex always exclusively.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockMode {
    /// As one of several readers.
    Shared,
    /// Alone.
    Exclusive,
}

/// Who holds which lock and who waits for which, without a limit of time.
#[derive(Default, Debug)]
pub struct WaitGraph {
    /// Locks stay when nobody has to do with them any more: they are taken again, until they are forgotten.
    locks: BTreeMap<LockId, LockState>,
    waits: BTreeMap<ThreadId, (LockId, LockMode)>,
}

#[derive(Default, Debug)]
struct LockState {
    /// Holders in the order they got it; a reader that took it twice is there twice.
    holders: SmallVec<[(ThreadId, LockMode); 1]>,
    /// Threads that wait to hold it alone: a new reader may have to wait behind them.
    writers: SmallVec<[ThreadId; 1]>,
}

impl WaitGraph {
    /// No lock held, nobody waiting.
    pub fn new() -> WaitGraph {
        WaitGraph::default()
    }

    /// `thread` got a lock; it no longer waits.
    pub fn acquired(&mut self, thread: ThreadId, lock: LockId, mode: LockMode) {
        self.stop_waiting(thread);
        self.locks.entry(lock).or_default().holders.push((thread, mode));
    }

    /// `thread` gave up a lock (once, if it had it several times). A guard that was handed to another thread gives
    /// up the hold of the thread that took it.
    pub fn released(&mut self, thread: ThreadId, lock: LockId) {
        if let Some(state) = self.locks.get_mut(&lock) {
            let own = state.holders.iter().rposition(|&(holder, _)| holder == thread);
            if let Some(index) = own.or_else(|| state.holders.len().checked_sub(1)) {
                state.holders.remove(index);
            }
        }
    }

    /// `thread` begins to wait for a lock. Waits with a time limit are not entered.
    pub fn wait(&mut self, thread: ThreadId, lock: LockId, mode: LockMode) {
        self.stop_waiting(thread);
        self.waits.insert(thread, (lock, mode));
        let state = self.locks.entry(lock).or_default();
        if mode == LockMode::Exclusive {
            state.writers.push(thread);
        }
    }

    /// `thread` no longer waits.
    pub fn stop_waiting(&mut self, thread: ThreadId) {
        if let Some((lock, _)) = self.waits.remove(&thread)
            && let Some(state) = self.locks.get_mut(&lock)
        {
            state.writers.retain(|writer| *writer != thread);
        }
    }

    /// The lock's memory is gone.
    pub fn forget(&mut self, lock: LockId) {
        self.locks.remove(&lock);
    }

    /// Holders of a lock, in the order they got it.
    pub fn holders(&self, lock: LockId) -> &[(ThreadId, LockMode)] {
        self.locks.get(&lock).map_or(&[], |state| &state.holders)
    }

    /// Locks that a thread holds, by address.
    pub fn held_by(&self, thread: ThreadId) -> impl Iterator<Item = (LockId, LockMode)> + '_ {
        self.locks.iter().flat_map(move |(&lock, state)| {
            state.holders.iter().filter(move |holder| holder.0 == thread).map(move |&(_, mode)| (lock, mode))
        })
    }

    /// What a thread waits for.
    pub fn waits_for(&self, thread: ThreadId) -> Option<(LockId, LockMode)> {
        self.waits.get(&thread).copied()
    }

    /// The threads that `thread` waits for; it needs all of them to go on first.
    pub fn blockers(&self, thread: ThreadId) -> SmallVec<[ThreadId; 4]> {
        let mut blockers = SmallVec::new();
        let Some((lock, mode)) = self.waits_for(thread) else {
            return blockers;
        };
        let Some(state) = self.locks.get(&lock) else {
            return blockers;
        };
        let holders = state.holders.iter().filter(|holder| mode.max(holder.1) == LockMode::Exclusive);
        blockers.extend(holders.map(|&(holder, _)| holder));
        if blockers.is_empty() && mode == LockMode::Shared {
            // A reader among readers: it waits behind a writer that waits. (Two that ask for a free lock, before
            // one of them gets it, do not wait for each other.)
            blockers.extend(state.writers.iter().copied().filter(|&writer| writer != thread));
        }
        blockers
    }

    /// A cycle of waits through `thread`, a shortest one: each thread with the lock it waits for, which the next one
    /// (and for the last, the first) holds or will get before it.
    pub fn cycle_from(&self, thread: ThreadId) -> Option<Vec<(ThreadId, LockId)>> {
        let mut came_from: BTreeMap<ThreadId, ThreadId> = BTreeMap::new();
        let mut level = vec![thread];
        while !level.is_empty() {
            let mut next = Vec::new();
            for &at in &level {
                for blocker in self.blockers(at) {
                    if blocker == thread {
                        return Some(self.path_back(at, thread, &came_from));
                    }
                    if let std::collections::btree_map::Entry::Vacant(entry) = came_from.entry(blocker) {
                        entry.insert(at);
                        next.push(blocker);
                    }
                }
            }
            level = next;
        }
        None
    }

    fn path_back(
        &self,
        last: ThreadId,
        first: ThreadId,
        came_from: &BTreeMap<ThreadId, ThreadId>,
    ) -> Vec<(ThreadId, LockId)> {
        let mut threads = vec![last];
        let mut at = last;
        while let Some(&before) = came_from.get(&at).filter(|_| at != first) {
            threads.push(before);
            at = before;
        }
        threads.reverse();
        threads.into_iter().filter_map(|thread| Some((thread, self.waits_for(thread)?.0))).collect()
    }
}

/// What a thread is waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WaitState {
    /// Nothing: it can take a step.
    None,
    /// For time to pass, or for something else with a time limit: it will go on.
    Sleep,
    /// A lock.
    Lock(LockId),
    /// The end of a thread.
    Join(ThreadId),
    /// A notification at a condition variable.
    Condvar(u64),
    /// Its token.
    Park,
    /// A message, or room for one, in a channel.
    Channel(u64),
    /// It has ended.
    Ended,
}

/// Why the entry can never go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// From the entry's thread along joins and lock holders to the thread at the root of it; the states of all
    /// but the last say which is next. The root waits for what nobody is left to give, has ended with a lock
    /// held, or waits for one that is in the chain before it.
    pub chain: Vec<ThreadId>,
    /// What the root waits for.
    pub root: WaitState,
}

/// Decides whether the entry's thread, or one it must join, can never go on: it has not ended, and no thread is
/// left that can take a step, now or by time passing. `states` is indexed by thread.
///
/// Whether the world is closed (nothing has escaped, no bound was hit) is the caller's to know (decision 13).
pub fn never_goes_on(states: &[WaitState], graph: &WaitGraph) -> Option<Stuck> {
    let open = |state: &WaitState| matches!(state, WaitState::None | WaitState::Sleep);
    let state_of = |thread: ThreadId| states.get(thread.index()).copied().unwrap_or(WaitState::Ended);
    if states.iter().any(open) || state_of(ThreadId::ENTRY) == WaitState::Ended {
        return None;
    }
    let mut chain = vec![ThreadId::ENTRY];
    let mut at = ThreadId::ENTRY;
    loop {
        let next = match state_of(at) {
            WaitState::Join(thread) => Some(thread),
            WaitState::Lock(_) => graph.blockers(at).first().copied(),
            _ => None,
        };
        match next {
            Some(thread) if !chain.contains(&thread) => {
                chain.push(thread);
                at = thread;
            }
            _ => {
                return Some(Stuck { chain, root: state_of(at) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LockMode::{Exclusive, Shared};

    const T: [ThreadId; 4] = [ThreadId(0), ThreadId(1), ThreadId(2), ThreadId(3)];
    const A: LockId = LockId(0x10);
    const B: LockId = LockId(0x20);
    const C: LockId = LockId(0x30);

    #[test]
    fn inverted_order() {
        let mut graph = WaitGraph::new();
        graph.acquired(T[0], A, Exclusive);
        graph.acquired(T[1], B, Exclusive);
        graph.wait(T[0], B, Exclusive);
        assert_eq!(graph.cycle_from(T[0]), None);
        graph.wait(T[1], A, Exclusive);
        assert_eq!(graph.cycle_from(T[1]), Some(vec![(T[1], A), (T[0], B)]));
        assert_eq!(graph.cycle_from(T[0]), Some(vec![(T[0], B), (T[1], A)]));
        graph.released(T[1], B);
        graph.acquired(T[0], B, Exclusive);
        assert_eq!(graph.cycle_from(T[1]), None);
        assert_eq!(graph.held_by(T[0]).collect::<Vec<_>>(), [(A, Exclusive), (B, Exclusive)]);
    }

    #[test]
    fn three_threads_and_a_bystander() {
        let mut graph = WaitGraph::new();
        for (thread, lock) in [(T[0], A), (T[1], B), (T[2], C)] {
            graph.acquired(thread, lock, Exclusive);
        }
        graph.wait(T[0], B, Exclusive);
        graph.wait(T[1], C, Exclusive);
        graph.wait(T[3], A, Exclusive);
        assert_eq!(graph.cycle_from(T[3]), None);
        graph.wait(T[2], A, Exclusive);
        assert_eq!(graph.cycle_from(T[2]), Some(vec![(T[2], A), (T[0], B), (T[1], C)]));
        // The bystander waits for the cycle, but is not of it.
        assert_eq!(graph.cycle_from(T[3]), None);
    }

    #[test]
    fn self_deadlock() {
        let mut graph = WaitGraph::new();
        graph.acquired(T[0], A, Exclusive);
        graph.wait(T[0], A, Exclusive);
        assert_eq!(graph.cycle_from(T[0]), Some(vec![(T[0], A)]));
    }

    #[test]
    fn upgrade_of_a_read_lock() {
        let mut graph = WaitGraph::new();
        graph.acquired(T[0], A, Shared);
        graph.acquired(T[1], A, Shared);
        graph.wait(T[0], A, Exclusive);
        assert_eq!(graph.cycle_from(T[0]), Some(vec![(T[0], A)]));
    }

    #[test]
    fn several_readers_hold_a_lock() {
        let mut graph = WaitGraph::new();
        graph.acquired(T[0], B, Exclusive);
        graph.acquired(T[1], A, Shared);
        graph.acquired(T[2], A, Shared);
        graph.wait(T[0], A, Exclusive);
        assert_eq!(graph.cycle_from(T[0]), None);
        graph.wait(T[2], B, Exclusive);
        assert_eq!(graph.cycle_from(T[2]), Some(vec![(T[2], B), (T[0], A)]));
    }

    #[test]
    fn a_second_read_behind_a_waiting_writer() {
        let mut graph = WaitGraph::new();
        graph.acquired(T[0], A, Shared);
        graph.wait(T[1], A, Exclusive);
        graph.wait(T[0], A, Shared);
        assert_eq!(graph.cycle_from(T[0]), Some(vec![(T[0], A), (T[1], A)]));
        graph.stop_waiting(T[1]);
        assert_eq!(graph.cycle_from(T[0]), None);
    }

    #[test]
    fn waiters_for_a_lock_just_given_up() {
        let mut graph = WaitGraph::new();
        graph.acquired(T[0], A, Exclusive);
        for (thread, mode) in [(T[1], Exclusive), (T[2], Exclusive), (T[3], Shared)] {
            graph.wait(thread, A, mode);
        }
        graph.released(T[0], A);
        for thread in T {
            assert_eq!(graph.cycle_from(thread), None);
        }
    }

    #[test]
    fn a_lock_taken_twice_is_given_up_twice() {
        let mut graph = WaitGraph::new();
        graph.acquired(T[0], A, Shared);
        graph.acquired(T[0], A, Shared);
        graph.released(T[0], A);
        assert_eq!(graph.holders(A), [(T[0], Shared)]);
        graph.released(T[0], A);
        assert_eq!(graph.holders(A), []);
        graph.released(T[0], A);
    }

    #[test]
    fn waiting_for_ever() {
        let graph = WaitGraph::new();
        let lost_wake_up = [WaitState::Join(T[1]), WaitState::Condvar(8)];
        let stuck = Stuck { chain: vec![T[0], T[1]], root: WaitState::Condvar(8) };
        assert_eq!(never_goes_on(&lost_wake_up, &graph), Some(stuck));
        assert_eq!(never_goes_on(&[WaitState::Join(T[1]), WaitState::None], &graph), None);
        assert_eq!(never_goes_on(&[WaitState::Join(T[1]), WaitState::Park, WaitState::Sleep], &graph), None);
        assert_eq!(never_goes_on(&[WaitState::Ended, WaitState::Park], &graph), None);
        assert_eq!(never_goes_on(&[], &graph), None);
    }

    #[test]
    fn a_leaked_guard_and_joins_in_a_circle() {
        let mut graph = WaitGraph::new();
        graph.acquired(T[1], A, Exclusive);
        graph.wait(T[0], A, Exclusive);
        let stuck = Stuck { chain: vec![T[0], T[1]], root: WaitState::Ended };
        assert_eq!(never_goes_on(&[WaitState::Lock(A), WaitState::Ended], &graph), Some(stuck));
        let circle = [WaitState::Join(T[1]), WaitState::Join(T[0])];
        let stuck = Stuck { chain: vec![T[0], T[1]], root: WaitState::Join(T[0]) };
        assert_eq!(never_goes_on(&circle, &WaitGraph::new()), Some(stuck));
    }
}
