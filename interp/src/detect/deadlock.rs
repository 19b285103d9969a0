//! Deadlocks: cycles of locks held and waited for, and threads that wait forever (HSR's checker, ISSTA'18).
//!
//! Guarantee: a cycle is reported only if none of its threads can continue, whatever the others do. It is found as soon
//! as its last thread starts to wait, however many other threads still run.
//!
//! The detector has no state: the machine knows who holds a lock and who waits for it ([`LockTable`]).

use crate::clock::ThreadId;
use crate::sync::locks::{LockId, LockTable};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The threads that `thread` waits for; all of them must continue first.
fn blockers(locks: &LockTable, thread: ThreadId) -> SmallVec<[ThreadId; 4]> {
    let mut blockers = SmallVec::new();
    let Some((lock, kind)) = locks.waits_for(thread) else {
        return blockers;
    };
    let holders = locks.holders(lock).iter().filter(|holder| kind.is_exclusive() || holder.1.is_exclusive());
    blockers.extend(holders.map(|&(holder, _)| holder));
    if blockers.is_empty() && !kind.is_exclusive() {
        // A reader behind readers waits for a waiting writer. (Two threads that request a free lock do not wait for
        // each other before one gets it.)
        blockers.extend(locks.waiting_writers(lock).iter().copied().filter(|&writer| writer != thread));
    }
    blockers
}

/// Called when `thread` starts to wait for a lock: returns a shortest cycle of waits through it. Each thread comes with
/// the lock it waits for, which the next one (for the last, the first) holds or will get before it.
pub fn on_wait(locks: &LockTable, thread: ThreadId) -> Option<Vec<(ThreadId, LockId)>> {
    let mut came_from: BTreeMap<ThreadId, ThreadId> = BTreeMap::new();
    let mut level = vec![thread];
    while !level.is_empty() {
        let mut next = Vec::new();
        for &at in &level {
            for blocker in blockers(locks, at) {
                if blocker == thread {
                    return Some(path_back(locks, at, thread, &came_from));
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
    locks: &LockTable,
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
    threads.into_iter().filter_map(|thread| Some((thread, locks.waits_for(thread)?.0))).collect()
}

/// What a thread is waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WaitState {
    /// Nothing: it can run.
    None,
    /// For a time, with a time limit, or for something from outside the run: it may continue.
    Sleep,
    /// A lock.
    Lock(LockId),
    /// The end of a thread.
    Join(ThreadId),
    /// A notification at a condition variable.
    Condvar(u64),
    /// An unpark.
    Park,
    /// A message, or room for one, in a channel.
    Channel(u64),
    /// An event of descriptors that only the run can cause.
    Descriptors,
    /// It has ended.
    Ended,
}

/// Why the entry's thread can never continue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitsForever {
    /// From the entry's thread along joins and lock holders to the root cause; the states of all but the last lead to
    /// the next. The root waits for something that nobody can provide, has ended with a lock held, or waits for a
    /// thread earlier in the chain.
    pub chain: Vec<ThreadId>,
    /// What the root waits for.
    pub root: WaitState,
}

/// Called when no thread can run, now or when time passes: returns why the entry's thread, or one that it must join,
/// can never continue. `None` if it has ended, or if some thread can run. `states` is indexed by thread.
///
/// The caller knows whether the world is closed: nothing has escaped, no bound was hit (decision 13).
pub fn on_all_blocked(states: &[WaitState], locks: &LockTable) -> Option<WaitsForever> {
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
            WaitState::Lock(_) => blockers(locks, at).first().copied(),
            _ => None,
        };
        match next {
            Some(thread) if !chain.contains(&thread) => {
                chain.push(thread);
                at = thread;
            }
            _ => {
                return Some(WaitsForever { chain, root: state_of(at) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::LockKind::{self, Mutex, Read, Write};
    use crate::ir::Site;
    use crate::stack::Place;

    const T: [ThreadId; 4] = [ThreadId(0), ThreadId(1), ThreadId(2), ThreadId(3)];
    const A: LockId = LockId(0x10);
    const B: LockId = LockId(0x20);
    const C: LockId = LockId(0x30);

    fn acquire(locks: &mut LockTable, thread: ThreadId, lock: LockId, kind: LockKind) {
        locks.acquire(thread, lock, kind, Place { context: 0, site: Site::NONE });
    }

    #[test]
    fn inverted_order() {
        let mut locks = LockTable::new();
        acquire(&mut locks, T[0], A, Mutex);
        acquire(&mut locks, T[1], B, Mutex);
        locks.wait(T[0], B, Mutex);
        assert_eq!(on_wait(&locks, T[0]), None);
        locks.wait(T[1], A, Mutex);
        assert_eq!(on_wait(&locks, T[1]), Some(vec![(T[1], A), (T[0], B)]));
        assert_eq!(on_wait(&locks, T[0]), Some(vec![(T[0], B), (T[1], A)]));
        locks.release(T[1], B);
        acquire(&mut locks, T[0], B, Mutex);
        assert_eq!(on_wait(&locks, T[1]), None);
    }

    #[test]
    fn three_threads_and_a_bystander() {
        let mut locks = LockTable::new();
        for (thread, lock) in [(T[0], A), (T[1], B), (T[2], C)] {
            acquire(&mut locks, thread, lock, Mutex);
        }
        locks.wait(T[0], B, Mutex);
        locks.wait(T[1], C, Mutex);
        locks.wait(T[3], A, Mutex);
        assert_eq!(on_wait(&locks, T[3]), None);
        locks.wait(T[2], A, Mutex);
        assert_eq!(on_wait(&locks, T[2]), Some(vec![(T[2], A), (T[0], B), (T[1], C)]));
        // The bystander waits for the cycle, but is not in it.
        assert_eq!(on_wait(&locks, T[3]), None);
    }

    #[test]
    fn self_deadlock() {
        let mut locks = LockTable::new();
        acquire(&mut locks, T[0], A, Mutex);
        locks.wait(T[0], A, Mutex);
        assert_eq!(on_wait(&locks, T[0]), Some(vec![(T[0], A)]));
    }

    #[test]
    fn upgrade_of_a_read_lock() {
        let mut locks = LockTable::new();
        acquire(&mut locks, T[0], A, Read);
        acquire(&mut locks, T[1], A, Read);
        locks.wait(T[0], A, Write);
        assert_eq!(on_wait(&locks, T[0]), Some(vec![(T[0], A)]));
    }

    #[test]
    fn several_readers_hold_a_lock() {
        let mut locks = LockTable::new();
        acquire(&mut locks, T[0], B, Write);
        acquire(&mut locks, T[1], A, Read);
        acquire(&mut locks, T[2], A, Read);
        locks.wait(T[0], A, Write);
        assert_eq!(on_wait(&locks, T[0]), None);
        locks.wait(T[2], B, Write);
        assert_eq!(on_wait(&locks, T[2]), Some(vec![(T[2], B), (T[0], A)]));
    }

    #[test]
    fn a_second_read_behind_a_waiting_writer() {
        let mut locks = LockTable::new();
        acquire(&mut locks, T[0], A, Read);
        locks.wait(T[1], A, Write);
        locks.wait(T[0], A, Read);
        assert_eq!(on_wait(&locks, T[0]), Some(vec![(T[0], A), (T[1], A)]));
        locks.wait(T[1], B, Write);
        assert_eq!(on_wait(&locks, T[0]), None);
    }

    #[test]
    fn waiters_for_a_lock_just_released() {
        let mut locks = LockTable::new();
        acquire(&mut locks, T[0], A, Write);
        for (thread, kind) in [(T[1], Write), (T[2], Write), (T[3], Read)] {
            locks.wait(thread, A, kind);
        }
        locks.release(T[0], A);
        for thread in T {
            assert_eq!(on_wait(&locks, thread), None);
        }
    }

    #[test]
    fn no_wake_up_is_left() {
        let locks = LockTable::new();
        let lost_wake_up = [WaitState::Join(T[1]), WaitState::Condvar(8)];
        let stuck = WaitsForever { chain: vec![T[0], T[1]], root: WaitState::Condvar(8) };
        assert_eq!(on_all_blocked(&lost_wake_up, &locks), Some(stuck));
        assert_eq!(on_all_blocked(&[WaitState::Join(T[1]), WaitState::None], &locks), None);
        assert_eq!(on_all_blocked(&[WaitState::Join(T[1]), WaitState::Park, WaitState::Sleep], &locks), None);
        assert_eq!(on_all_blocked(&[WaitState::Ended, WaitState::Park], &locks), None);
        assert_eq!(on_all_blocked(&[], &locks), None);
    }

    #[test]
    fn a_leaked_guard_and_joins_in_a_circle() {
        let mut locks = LockTable::new();
        acquire(&mut locks, T[1], A, Mutex);
        locks.wait(T[0], A, Mutex);
        let stuck = WaitsForever { chain: vec![T[0], T[1]], root: WaitState::Ended };
        assert_eq!(on_all_blocked(&[WaitState::Lock(A), WaitState::Ended], &locks), Some(stuck));
        let circle = [WaitState::Join(T[1]), WaitState::Join(T[0])];
        let stuck = WaitsForever { chain: vec![T[0], T[1]], root: WaitState::Join(T[0]) };
        assert_eq!(on_all_blocked(&circle, &LockTable::new()), Some(stuck));
    }
}
