//! Locks: their holders and waiters.
//!
//! The machine changes the table when a lock is acquired, waited for or released; the deadlock detector reads it. A
//! wait with a time limit is not in the table, because it ends in any case.

use crate::clock::ThreadId;
use crate::finding::LockKind;
use crate::stack::Place;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A lock, by its address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LockId(pub u64);

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HeldLock {
    /// The lock.
    pub lock: LockId,
    /// How the thread holds it.
    pub kind: LockKind,
    /// The place where the thread acquired it.
    pub place: Place,
}

/// The locks of a run. Each hold is stored with its lock and with its thread; only the table changes them.
#[derive(Clone, Default, Hash, Debug)]
pub struct LockTable {
    /// A lock without holders and waiters stays until its memory is gone: it will be acquired again.
    locks: BTreeMap<LockId, LockState>,
    waits: BTreeMap<ThreadId, (LockId, LockKind)>,
    /// The locks that each thread holds, in the order of acquisition.
    held: Vec<Vec<HeldLock>>,
    /// Holds of locks whose memory is gone: their guards were leaked. At most [`MOST_LEAKED`], the last ones.
    leaked: Vec<(ThreadId, HeldLock)>,
}

/// Maximum number of leaked holds that are remembered.
const MOST_LEAKED: usize = 16;

#[derive(Clone, Default, Hash, Debug)]
struct LockState {
    /// In the order of acquisition; a reader that acquired the lock twice is in it twice.
    holders: SmallVec<[(ThreadId, LockKind); 1]>,
    /// Threads that wait for exclusive access: a new reader may have to wait behind them.
    waiting_writers: SmallVec<[ThreadId; 1]>,
}

impl LockTable {
    /// A table without locks.
    pub fn new() -> LockTable {
        LockTable::default()
    }

    /// `thread` acquires a lock at a place, and no longer waits. The caller must know that it may.
    pub fn acquire(&mut self, thread: ThreadId, lock: LockId, kind: LockKind, place: Place) {
        self.stop_waiting(thread);
        self.locks.entry(lock).or_default().holders.push((thread, kind));
        if self.held.len() <= thread.index() {
            self.held.resize_with(thread.index() + 1, Vec::new);
        }
        self.held[thread.index()].push(HeldLock { lock, kind, place });
    }

    /// `thread` releases a lock (once, if it holds it several times). Returns the holder and the kind of the hold;
    /// `None` if nobody holds it. A guard that was sent to another thread releases the hold of the thread that acquired
    /// it.
    pub fn release(&mut self, thread: ThreadId, lock: LockId) -> Option<(ThreadId, LockKind)> {
        let holders = &mut self.locks.get_mut(&lock)?.holders;
        let own = holders.iter().rposition(|&(holder, _)| holder == thread);
        let index = own.or_else(|| holders.len().checked_sub(1))?;
        let (holder, kind) = holders.remove(index);
        if let Some(held) = self.held.get_mut(holder.index())
            && let Some(index) = held.iter().rposition(|held| held.lock == lock)
        {
            held.remove(index);
        }
        Some((holder, kind))
    }

    /// `thread` starts to wait for a lock. It waits until it acquires a lock, even if it was woken and has not retried
    /// yet.
    pub fn wait(&mut self, thread: ThreadId, lock: LockId, kind: LockKind) {
        self.stop_waiting(thread);
        self.waits.insert(thread, (lock, kind));
        let state = self.locks.entry(lock).or_default();
        if kind.is_exclusive() {
            state.waiting_writers.push(thread);
        }
    }

    /// `thread` no longer waits for a lock.
    pub fn stop_waiting(&mut self, thread: ThreadId) {
        if let Some((lock, _)) = self.waits.remove(&thread)
            && let Some(state) = self.locks.get_mut(&lock)
        {
            state.waiting_writers.retain(|writer| *writer != thread);
        }
    }

    /// The bytes of a lock that `thread` held and whose guard it leaked were moved to a lock that nobody holds: it is
    /// held now. Where it was acquired, if that is known for a hold of this kind.
    pub fn moved(&mut self, thread: ThreadId, lock: LockId, kind: LockKind) {
        let gone = self.leaked.iter().rev().filter(|(holder, _)| *holder == thread).map(|(_, held)| held);
        let known = gone.chain(self.held_by(thread).iter().rev()).find(|held| held.kind == kind);
        let Some(place) = known.map(|held| held.place) else { return };
        self.locks.entry(lock).or_default().holders.push((thread, kind));
        if let Some(held) = self.held.get_mut(thread.index()) {
            held.push(HeldLock { lock, kind, place });
        }
    }

    /// Forgets a lock whose memory is gone.
    pub fn forget(&mut self, lock: LockId) {
        let Some(state) = self.locks.remove(&lock) else { return };
        for (holder, _) in state.holders {
            let Some(held) = self.held.get_mut(holder.index()) else { continue };
            if let Some(index) = held.iter().position(|held| held.lock == lock) {
                self.leaked.push((holder, held.remove(index)));
            }
        }
        self.leaked.drain(..self.leaked.len().saturating_sub(MOST_LEAKED));
    }

    /// Holders of a lock, in the order of acquisition.
    pub fn holders(&self, lock: LockId) -> &[(ThreadId, LockKind)] {
        self.locks.get(&lock).map_or(&[], |state| &state.holders)
    }

    /// Threads that wait for exclusive access, in the order in which they started to wait.
    pub fn waiting_writers(&self, lock: LockId) -> &[ThreadId] {
        self.locks.get(&lock).map_or(&[], |state| &state.waiting_writers)
    }

    /// Locks that a thread holds, in the order of acquisition.
    pub fn held_by(&self, thread: ThreadId) -> &[HeldLock] {
        self.held.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    /// The lock that a thread waits for, and for which kind of access.
    pub fn waits_for(&self, thread: ThreadId) -> Option<(LockId, LockKind)> {
        self.waits.get(&thread).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Site;
    use LockKind::{Mutex, Read, Write};

    const T: [ThreadId; 3] = [ThreadId(0), ThreadId(1), ThreadId(2)];
    const A: LockId = LockId(0x10);
    const B: LockId = LockId(0x20);

    fn place(context: u32) -> Place {
        Place { context, site: Site::NONE }
    }

    fn held_by(table: &LockTable, thread: ThreadId) -> Vec<(LockId, LockKind, u32)> {
        table.held_by(thread).iter().map(|held| (held.lock, held.kind, held.place.context)).collect()
    }

    #[test]
    fn a_lock_acquired_twice_is_released_twice() {
        let mut table = LockTable::new();
        table.acquire(T[0], A, Read, place(1));
        table.acquire(T[0], A, Read, place(2));
        assert_eq!(table.release(T[0], A), Some((T[0], Read)));
        assert_eq!(table.holders(A), [(T[0], Read)]);
        assert_eq!(held_by(&table, T[0]), [(A, Read, 1)]);
        assert_eq!(table.release(T[0], A), Some((T[0], Read)));
        assert_eq!(table.holders(A), []);
        assert_eq!(held_by(&table, T[0]), []);
        assert_eq!(table.release(T[0], A), None);
    }

    #[test]
    fn locks_of_a_thread_in_the_order_of_acquisition() {
        let mut table = LockTable::new();
        table.acquire(T[1], B, Mutex, place(1));
        table.acquire(T[1], A, Write, place(2));
        assert_eq!(held_by(&table, T[1]), [(B, Mutex, 1), (A, Write, 2)]);
        assert_eq!(held_by(&table, T[0]), []);
        assert_eq!(held_by(&table, T[2]), []);
    }

    #[test]
    fn a_guard_that_was_sent_releases_the_hold_of_its_first_thread() {
        let mut table = LockTable::new();
        table.acquire(T[0], A, Mutex, place(1));
        assert_eq!(table.release(T[1], A), Some((T[0], Mutex)));
        assert_eq!(held_by(&table, T[0]), []);
        // If there are two readers, a thread releases its own hold first.
        table.acquire(T[1], B, Read, place(2));
        table.acquire(T[2], B, Read, place(3));
        assert_eq!(table.release(T[1], B), Some((T[1], Read)));
        assert_eq!(table.release(T[1], B), Some((T[2], Read)));
    }

    #[test]
    fn waiting_ends_with_the_acquisition() {
        let mut table = LockTable::new();
        table.acquire(T[0], A, Write, place(1));
        table.wait(T[1], A, Write);
        table.wait(T[2], A, Read);
        assert_eq!(table.waits_for(T[1]), Some((A, Write)));
        assert_eq!(table.waiting_writers(A), [T[1]]);
        table.release(T[0], A);
        assert_eq!(table.waits_for(T[1]), Some((A, Write)));
        table.acquire(T[1], A, Write, place(2));
        assert_eq!((table.waits_for(T[1]), table.waiting_writers(A)), (None, &[][..]));
        assert_eq!(table.waits_for(T[2]), Some((A, Read)));
    }

    #[test]
    fn a_leaked_hold_moves_with_the_bytes_of_its_lock() {
        let mut table = LockTable::new();
        table.acquire(T[0], A, Mutex, place(1));
        table.moved(T[0], B, Mutex);
        assert_eq!(held_by(&table, T[0]), [(A, Mutex, 1), (B, Mutex, 1)]);
        table.forget(A);
        table.forget(B);
        assert_eq!(held_by(&table, T[0]), []);
        table.moved(T[0], A, Mutex);
        assert_eq!((table.holders(A), held_by(&table, T[0])), (&[(T[0], Mutex)][..], vec![(A, Mutex, 1)]));
        // No such hold is known.
        table.moved(T[1], B, Read);
        assert_eq!(table.holders(B), []);
    }

    #[test]
    fn a_lock_whose_memory_is_gone_is_held_by_nobody() {
        let mut table = LockTable::new();
        table.acquire(T[0], A, Mutex, place(1));
        table.acquire(T[0], B, Mutex, place(2));
        table.forget(A);
        assert_eq!(table.holders(A), []);
        assert_eq!(held_by(&table, T[0]), [(B, Mutex, 2)]);
        assert_eq!(table.release(T[0], A), None);
    }
}
