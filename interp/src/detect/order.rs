//! Which operations order threads: the clock side of synchronisation (FastTrack, PLDI'09, section 3; decision 10).
//!
//! Promised: exactly the edges of Rust's memory model for atomics under sequentially consistent interleavings
//! (C++20: a release sequence is continued by read-modify-writes only; `SeqCst` orders as `AcqRel`), and the
//! documented edges of locks, threads and parking. A call that is not understood may add edges, never remove one.
//!
//! The order of calls for one operation of the machine: acquire, note the access, release. A release ends the
//! thread's epoch, so what is noted after it is not ordered by it.

use crate::clock::{ThreadId, VectorClock};
use crate::ir::Ordering;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a thread knows.
#[derive(Clone, Debug)]
pub struct ThreadClock {
    /// The thread.
    pub id: ThreadId,
    /// All that happened before its next step.
    pub clock: VectorClock,
    /// What relaxed loads have read and an acquire fence will acquire.
    acquire_pending: VectorClock,
    /// The clock at its last release fence, which its relaxed stores publish.
    release_fence: VectorClock,
}

impl ThreadClock {
    /// The first thread of a run.
    pub fn entry() -> ThreadClock {
        ThreadClock::starting(ThreadId::ENTRY, VectorClock::new())
    }

    fn starting(id: ThreadId, mut clock: VectorClock) -> ThreadClock {
        clock.tick(id);
        ThreadClock { id, clock, acquire_pending: VectorClock::new(), release_fence: VectorClock::new() }
    }

    /// Ends the epoch: what follows is not part of what was just published.
    fn tick(&mut self) {
        self.clock.tick(self.id);
    }
}

/// Something that threads synchronise through.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SyncKey {
    /// An object at an address: a lock, a condition variable, a `Once`.
    At(u64),
    /// A thread's token for `park`.
    Park(ThreadId),
    /// An object the machine numbers, such as a message in a channel; dropped when it is consumed.
    Token(u64),
    /// The pseudo-object of the run that every call which is not understood acquires and releases.
    Unknown,
}

#[derive(Default, Debug)]
struct ObjectClocks {
    /// What exclusive (and ordinary) releases published.
    exclusive: VectorClock,
    /// What shared releases published: readers are not ordered after readers.
    shared: VectorClock,
}

/// The clocks of all synchronisation objects of a run.
#[derive(Default, Debug)]
pub struct SyncClocks {
    at: BTreeMap<u64, ObjectClocks>,
    /// For each atomic, what an acquire load of its present value acquires.
    atomics: BTreeMap<u64, VectorClock>,
    other: FxHashMap<SyncKey, ObjectClocks>,
}

impl SyncClocks {
    /// Nothing published yet.
    pub fn new() -> SyncClocks {
        SyncClocks::default()
    }

    /// A new thread, ordered after what its parent did so far.
    pub fn spawn(parent: &mut ThreadClock, child: ThreadId) -> ThreadClock {
        let child = ThreadClock::starting(child, parent.clock.clone());
        parent.tick();
        child
    }

    /// The end of a joined thread.
    pub fn join(thread: &mut ThreadClock, ended: &ThreadClock) {
        thread.clock.join(&ended.clock);
    }

    /// A hand-over from one thread to another: a notification to the waiter that it wakes.
    pub fn edge(from: &mut ThreadClock, to: &mut ThreadClock) {
        to.clock.join(&from.clock);
        from.tick();
    }

    /// Acquires an object exclusively: lock, write lock, receive, park.
    pub fn acquire(&self, thread: &mut ThreadClock, key: SyncKey) {
        if let Some(object) = self.object(key) {
            thread.clock.join(&object.exclusive);
            thread.clock.join(&object.shared);
        }
    }

    /// Acquires a lock as a reader.
    pub fn acquire_shared(&self, thread: &mut ThreadClock, key: SyncKey) {
        if let Some(object) = self.object(key) {
            thread.clock.join(&object.exclusive);
        }
    }

    /// Releases an object: unlock, notify, send, unpark.
    pub fn release(&mut self, thread: &mut ThreadClock, key: SyncKey) {
        self.object_mut(key).exclusive.join(&thread.clock);
        thread.tick();
    }

    /// Releases a lock as a reader: later writers come after it, later readers do not.
    pub fn release_shared(&mut self, thread: &mut ThreadClock, key: SyncKey) {
        self.object_mut(key).shared.join(&thread.clock);
        thread.tick();
    }

    /// A call that is not understood: it may synchronise with any other such call.
    pub fn unknown_call(&mut self, thread: &mut ThreadClock) {
        self.acquire(thread, SyncKey::Unknown);
        self.release(thread, SyncKey::Unknown);
    }

    /// An object that is gone.
    pub fn drop_key(&mut self, key: SyncKey) {
        match key {
            SyncKey::At(addr) => drop(self.at.remove(&addr)),
            _ => drop(self.other.remove(&key)),
        }
    }

    /// An atomic load (also a failed compare-and-swap, with its failure ordering).
    pub fn load(&self, thread: &mut ThreadClock, addr: u64, order: Ordering) {
        if let Some(published) = self.atomics.get(&addr) {
            if acquires(order) {
                thread.clock.join(published);
            } else {
                thread.acquire_pending.join(published);
            }
        }
    }

    /// An atomic store: it begins a release sequence, or ends the one there was.
    pub fn store(&mut self, thread: &mut ThreadClock, addr: u64, order: Ordering) {
        if releases(order) {
            self.atomics.insert(addr, thread.clock.clone());
            thread.tick();
        } else if thread.release_fence.is_empty() {
            self.atomics.remove(&addr);
        } else {
            self.atomics.insert(addr, thread.release_fence.clone());
        }
    }

    /// The reading half of a read-modify-write. Then the access is noted, then comes [`SyncClocks::rmw_store`].
    pub fn rmw_load(&self, thread: &mut ThreadClock, addr: u64, order: Ordering) {
        self.load(thread, addr, order);
    }

    /// The writing half of a read-modify-write: it continues the release sequence there was.
    pub fn rmw_store(&mut self, thread: &mut ThreadClock, addr: u64, order: Ordering) {
        if releases(order) {
            self.atomics.entry(addr).or_default().join(&thread.clock);
            thread.tick();
        } else if !thread.release_fence.is_empty() {
            self.atomics.entry(addr).or_default().join(&thread.release_fence);
        }
    }

    /// A fence.
    pub fn fence(thread: &mut ThreadClock, order: Ordering) {
        if acquires(order) {
            thread.clock.join(&thread.acquire_pending);
            thread.acquire_pending.clear();
        }
        if releases(order) {
            thread.release_fence.clone_from(&thread.clock);
            thread.tick();
        }
    }

    /// Forgets the objects in a range of bytes: it is allocated, freed, or its local begins a new life.
    pub fn forget(&mut self, addr: u64, len: u64) {
        let end = addr.saturating_add(len);
        remove_range(&mut self.at, addr, end);
        remove_range(&mut self.atomics, addr, end);
    }

    fn object(&self, key: SyncKey) -> Option<&ObjectClocks> {
        match key {
            SyncKey::At(addr) => self.at.get(&addr),
            _ => self.other.get(&key),
        }
    }

    fn object_mut(&mut self, key: SyncKey) -> &mut ObjectClocks {
        match key {
            SyncKey::At(addr) => self.at.entry(addr).or_default(),
            _ => self.other.entry(key).or_default(),
        }
    }
}

fn acquires(order: Ordering) -> bool {
    matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
}

fn releases(order: Ordering) -> bool {
    matches!(order, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
}

fn remove_range<T>(map: &mut BTreeMap<u64, T>, start: u64, end: u64) {
    if start >= end {
        return;
    }
    while let Some((&key, _)) = map.range(start..end).next() {
        map.remove(&key);
    }
}

#[cfg(test)]
mod tests;
