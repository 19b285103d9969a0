//! Happens-before: which operations order threads (FastTrack, PLDI'09, section 3; decision 10).
//!
//! Guarantee: exactly the edges of Rust's memory model for atomics under sequentially consistent interleavings (C++20:
//! only read-modify-writes continue a release sequence; `SeqCst` orders like `AcqRel`), and the documented edges of
//! locks, threads and parking. An unknown call may add edges, never remove one.
//!
//! The order of calls for one operation of the machine: acquire, note the access, release. A release ends the thread's
//! epoch and so does not order accesses noted after it.
//!
//! The clocks belong to the detectors and not to the machine's state (`sync/`): no instruction, wait or choice of
//! thread depends on one. They only tell which accesses and calls are unordered.

use crate::clock::{Epoch, ThreadId, VectorClock};
use crate::ir::Ordering;
use crate::sync::SyncKey;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A thread's clocks.
#[derive(Clone, Debug)]
struct ThreadClock {
    id: ThreadId,
    /// Everything that happened before its next step.
    clock: VectorClock,
    /// What its relaxed loads have read and an acquire fence will acquire.
    acquire_pending: VectorClock,
    /// The clock at its last release fence, which its relaxed stores publish.
    release_fence: VectorClock,
}

impl ThreadClock {
    fn starting(id: ThreadId, mut clock: VectorClock) -> ThreadClock {
        clock.tick(id);
        ThreadClock { id, clock, acquire_pending: VectorClock::new(), release_fence: VectorClock::new() }
    }

    /// Ends the epoch: what follows is not part of what was just published.
    fn tick(&mut self) {
        self.clock.tick(self.id);
    }
}

#[derive(Clone, Default, Debug)]
struct ObjectClocks {
    /// What exclusive (and ordinary) releases published.
    exclusive: VectorClock,
    /// What shared releases published: readers are not ordered after readers.
    shared: VectorClock,
}

#[derive(Clone, Default, Debug)]
struct Objects {
    at: BTreeMap<u64, ObjectClocks>,
    other: FxHashMap<SyncKey, ObjectClocks>,
}

impl Objects {
    fn get(&self, key: SyncKey) -> Option<&ObjectClocks> {
        match key {
            SyncKey::At(addr) => self.at.get(&addr),
            _ => self.other.get(&key),
        }
    }

    fn get_mut(&mut self, key: SyncKey) -> &mut ObjectClocks {
        match key {
            SyncKey::At(addr) => self.at.entry(addr).or_default(),
            _ => self.other.entry(key).or_default(),
        }
    }
}

/// The happens-before order of a run so far, as clocks of its threads and synchronisation objects. Threads are numbered
/// in the order in which they were spawned; calls must only name spawned threads.
#[derive(Clone, Debug)]
pub struct HappensBefore {
    threads: Vec<ThreadClock>,
    objects: Objects,
    /// For each atomic, what an acquire load of its current value acquires.
    atomics: BTreeMap<u64, VectorClock>,
}

impl Default for HappensBefore {
    fn default() -> HappensBefore {
        HappensBefore::new()
    }
}

impl HappensBefore {
    /// The entry's thread; nothing is published.
    pub fn new() -> HappensBefore {
        HappensBefore {
            threads: vec![ThreadClock::starting(ThreadId::ENTRY, VectorClock::new())],
            objects: Objects::default(),
            atomics: BTreeMap::new(),
        }
    }

    /// Everything that happened before the next step of a thread.
    #[inline]
    pub fn clock(&self, thread: ThreadId) -> &VectorClock {
        &self.threads[thread.index()].clock
    }

    /// The current epoch of a thread.
    #[inline]
    pub fn epoch(&self, thread: ThreadId) -> Epoch {
        self.clock(thread).epoch(thread)
    }

    /// `parent` spawns the next thread, which is ordered after everything `parent` did so far.
    pub fn on_spawn(&mut self, parent: ThreadId) {
        let child = ThreadId(self.threads.len() as u32);
        let parent = &mut self.threads[parent.index()];
        let child = ThreadClock::starting(child, parent.clock.clone());
        parent.tick();
        self.threads.push(child);
    }

    /// `thread` has joined `ended`.
    pub fn on_join(&mut self, thread: ThreadId, ended: ThreadId) {
        if let Ok([thread, ended]) = self.threads.get_disjoint_mut([thread.index(), ended.index()]) {
            thread.clock.join(&ended.clock);
        }
    }

    /// A direct edge from one thread to another: from a notification to the waiter that it wakes.
    pub fn on_hand_over(&mut self, from: ThreadId, to: ThreadId) {
        if let Ok([from, to]) = self.threads.get_disjoint_mut([from.index(), to.index()]) {
            to.clock.join(&from.clock);
            from.tick();
        }
    }

    /// `thread` acquires an object exclusively: lock, write lock, receive, park.
    pub fn on_acquire(&mut self, thread: ThreadId, key: SyncKey) {
        if let Some(object) = self.objects.get(key) {
            let thread = &mut self.threads[thread.index()];
            thread.clock.join(&object.exclusive);
            thread.clock.join(&object.shared);
        }
    }

    /// `thread` acquires a lock as a reader.
    pub fn on_acquire_shared(&mut self, thread: ThreadId, key: SyncKey) {
        if let Some(object) = self.objects.get(key) {
            self.threads[thread.index()].clock.join(&object.exclusive);
        }
    }

    /// `thread` releases an object: unlock, notify, send, unpark.
    pub fn on_release(&mut self, thread: ThreadId, key: SyncKey) {
        let thread = &mut self.threads[thread.index()];
        self.objects.get_mut(key).exclusive.join(&thread.clock);
        thread.tick();
    }

    /// `thread` releases a lock as a reader: later writers come after it, later readers do not.
    pub fn on_release_shared(&mut self, thread: ThreadId, key: SyncKey) {
        let thread = &mut self.threads[thread.index()];
        self.objects.get_mut(key).shared.join(&thread.clock);
        thread.tick();
    }

    /// An unknown call: it may synchronise with any other such call.
    pub fn on_unknown_call(&mut self, thread: ThreadId) {
        self.on_acquire(thread, SyncKey::Unknown);
        self.on_release(thread, SyncKey::Unknown);
    }

    /// Forgets an object.
    pub fn on_drop(&mut self, key: SyncKey) {
        match key {
            SyncKey::At(addr) => drop(self.objects.at.remove(&addr)),
            _ => drop(self.objects.other.remove(&key)),
        }
    }

    /// An atomic load (also a failed compare-and-swap, with its failure ordering).
    pub fn on_load(&mut self, thread: ThreadId, addr: u64, order: Ordering) {
        if let Some(published) = self.atomics.get(&addr) {
            let thread = &mut self.threads[thread.index()];
            if acquires(order) {
                thread.clock.join(published);
            } else {
                thread.acquire_pending.join(published);
            }
        }
    }

    /// An atomic store: it starts a release sequence, and ends the previous one.
    pub fn on_store(&mut self, thread: ThreadId, addr: u64, order: Ordering) {
        let thread = &mut self.threads[thread.index()];
        if releases(order) {
            self.atomics.insert(addr, thread.clock.clone());
            thread.tick();
        } else if thread.release_fence.is_empty() {
            self.atomics.remove(&addr);
        } else {
            self.atomics.insert(addr, thread.release_fence.clone());
        }
    }

    /// The load of a read-modify-write. Afterwards the access is noted, then [`HappensBefore::on_rmw_store`] is called.
    pub fn on_rmw_load(&mut self, thread: ThreadId, addr: u64, order: Ordering) {
        self.on_load(thread, addr, order);
    }

    /// The store of a read-modify-write: it continues the release sequence.
    pub fn on_rmw_store(&mut self, thread: ThreadId, addr: u64, order: Ordering) {
        let thread = &mut self.threads[thread.index()];
        if releases(order) {
            self.atomics.entry(addr).or_default().join(&thread.clock);
            thread.tick();
        } else if !thread.release_fence.is_empty() {
            self.atomics.entry(addr).or_default().join(&thread.release_fence);
        }
    }

    /// A fence.
    pub fn on_fence(&mut self, thread: ThreadId, order: Ordering) {
        let thread = &mut self.threads[thread.index()];
        if acquires(order) {
            thread.clock.join(&thread.acquire_pending);
            thread.acquire_pending.clear();
        }
        if releases(order) {
            thread.release_fence.clone_from(&thread.clock);
            thread.tick();
        }
    }

    /// Forgets the objects in a range of bytes, which is allocated, freed or reused by a local.
    pub fn on_forget(&mut self, addr: u64, len: u64) {
        let end = addr.saturating_add(len);
        remove_range(&mut self.objects.at, addr, end);
        remove_range(&mut self.atomics, addr, end);
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
