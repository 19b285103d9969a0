//! Thread-safety violations: unordered calls on one object (TSVD: Li et al., SOSP'19; here by happens-before, not by
//! near misses).
//!
//! Guarantee: two calls are reported only if they are on the same object, one of them is in its write set, and the
//! clocks do not order them. An object is identified by its address while its memory is live.

use crate::clock::{Epoch, ThreadId, VectorClock};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The site of a call: an opaque number of the machine's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallSite(pub u32);

/// A call on an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ApiCall {
    /// Its time and thread.
    pub epoch: Epoch,
    /// Whether it is in the write set.
    pub write: bool,
    /// Its site.
    pub site: CallSite,
}

/// The objects that were called, each with the calls to compare later ones with: the last write, or the unordered reads
/// since.
#[derive(Clone, Default, Debug)]
pub struct ApiDetector {
    objects: BTreeMap<(u64, u16), SmallVec<[ApiCall; 2]>>,
}

impl ApiDetector {
    /// A detector without calls.
    pub fn new() -> ApiDetector {
        ApiDetector::default()
    }

    /// A call by the thread with this clock on the object of a type at an address; returns an earlier call that
    /// conflicts with it.
    pub fn on_call(&mut self, clock: &VectorClock, addr: u64, family: u16, new: ApiCall) -> Option<ApiCall> {
        let calls = self.objects.entry((addr, family)).or_default();
        if calls.iter().any(|known| known.epoch == new.epoch && known.write >= new.write) {
            return None;
        }
        let unordered = |known: &&ApiCall| (known.write || new.write) && !known.epoch.le(clock);
        let found = calls.iter().rev().find(unordered).copied();
        match found {
            // Starts anew, so that the same conflict is not reported at each further call.
            Some(_) => calls.clear(),
            None => calls.retain(|known| !(known.epoch.le(clock) && (new.write || !known.write))),
        }
        calls.push(new);
        found
    }

    /// Forgets the objects in a range of bytes.
    pub fn on_forget(&mut self, addr: u64, len: u64) {
        let end = addr.saturating_add(len);
        while let Some((&key, _)) = self.objects.range((addr, 0)..(end, 0)).next() {
            self.objects.remove(&key);
        }
    }

    /// Number of calls on an object that are kept.
    #[cfg(test)]
    fn known(&self, addr: u64, family: u16) -> usize {
        self.objects.get(&(addr, family)).map_or(0, SmallVec::len)
    }
}

/// A pair of calls, independent of which thread came first.
pub fn pair(addr: u64, one: ThreadId, other: ThreadId) -> (u64, ThreadId, ThreadId) {
    (addr, one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Threads(Vec<VectorClock>, ApiDetector);

    impl Threads {
        fn new() -> Threads {
            let mut clocks = vec![VectorClock::new(), VectorClock::new()];
            for (index, clock) in clocks.iter_mut().enumerate() {
                clock.tick(ThreadId(index as u32));
            }
            Threads(clocks, ApiDetector::new())
        }

        fn call(&mut self, thread: usize, write: bool, site: u32) -> Option<u32> {
            let clock = &self.0[thread];
            let epoch = clock.epoch(ThreadId(thread as u32));
            let new = ApiCall { epoch, write, site: CallSite(site) };
            self.1.on_call(clock, 64, 1, new).map(|call| call.site.0)
        }

        fn order(&mut self, from: usize, to: usize) {
            let clock = self.0[from].clone();
            self.0[to].join(&clock);
            self.0[from].tick(ThreadId(from as u32));
        }
    }

    #[test]
    fn unordered_calls_need_a_write() {
        let mut threads = Threads::new();
        assert_eq!(threads.call(0, false, 1), None);
        assert_eq!(threads.call(1, false, 2), None);
        assert_eq!(threads.1.known(64, 1), 2);
        assert_eq!(threads.call(0, true, 3), Some(2));
    }

    #[test]
    fn ordered_calls_are_silent() {
        let mut threads = Threads::new();
        assert_eq!(threads.call(0, true, 1), None);
        threads.order(0, 1);
        assert_eq!(threads.call(1, true, 2), None);
        threads.order(1, 0);
        assert_eq!(threads.call(0, false, 3), None);
        assert_eq!(threads.1.known(64, 1), 2);
        // The read of thread 0 is not ordered before this write.
        assert_eq!(threads.call(1, true, 4), Some(3));
    }

    #[test]
    fn a_new_object_at_the_address_is_another_one() {
        let mut threads = Threads::new();
        assert_eq!(threads.call(0, true, 1), None);
        threads.1.on_forget(60, 4);
        assert_eq!(threads.1.known(64, 1), 1);
        threads.1.on_forget(60, 5);
        assert_eq!(threads.1.known(64, 1), 0);
        assert_eq!(threads.call(1, true, 2), None);
    }
}
