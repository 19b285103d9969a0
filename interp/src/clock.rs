//! Vector clocks and epochs (FastTrack: Flanagan and Freund, PLDI'09).
//!
//! A thread's own component counts its releases, not its steps: it ticks after each operation that another thread may
//! be ordered after. Guarantee: `a.le(b)` exactly if `b` knows everything that `a` knows.

use smallvec::SmallVec;

/// A thread of a run, numbered in order of creation; the entry's own thread is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The thread that runs the entry.
    pub const ENTRY: ThreadId = ThreadId(0);

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A point in the execution of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Epoch {
    /// The thread.
    pub thread: ThreadId,
    /// Its local time, from 1.
    pub time: u32,
}

impl Epoch {
    /// Whether this point happens before the present of a thread with clock `clock`.
    pub fn le(self, clock: &VectorClock) -> bool {
        self.time <= clock.get(self.thread)
    }
}

/// For each thread, the time up to which it is known. Absent components are 0; the last stored one is not 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct VectorClock {
    times: SmallVec<[u32; 6]>,
}

impl VectorClock {
    /// The clock that knows nothing.
    pub fn new() -> VectorClock {
        VectorClock::default()
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The component of a thread.
    pub fn get(&self, thread: ThreadId) -> u32 {
        self.times.get(thread.index()).copied().unwrap_or(0)
    }

    /// The epoch of `thread`, whose clock this is.
    pub fn epoch(&self, thread: ThreadId) -> Epoch {
        Epoch { thread, time: self.get(thread) }
    }

    /// Advances the component of a thread.
    pub fn tick(&mut self, thread: ThreadId) {
        if self.times.len() <= thread.index() {
            self.times.resize(thread.index() + 1, 0);
        }
        self.times[thread.index()] += 1;
    }

    /// Adds everything that `other` knows.
    pub fn join(&mut self, other: &VectorClock) {
        if self.times.len() < other.times.len() {
            self.times.resize(other.times.len(), 0);
        }
        for (mine, &theirs) in self.times.iter_mut().zip(&other.times) {
            *mine = (*mine).max(theirs);
        }
    }

    /// Whether `other` knows everything that this clock knows.
    pub fn le(&self, other: &VectorClock) -> bool {
        self.times.len() <= other.times.len() && self.times.iter().zip(&other.times).all(|(a, b)| a <= b)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.times.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(times: &[u32]) -> VectorClock {
        let mut clock = VectorClock::new();
        for (thread, &time) in times.iter().enumerate() {
            for _ in 0..time {
                clock.tick(ThreadId(thread as u32));
            }
        }
        clock
    }

    #[test]
    fn join_is_the_least_upper_bound() {
        let (a, b) = (clock(&[3, 0, 1]), clock(&[1, 2]));
        let mut both = a.clone();
        both.join(&b);
        assert_eq!(both, clock(&[3, 2, 1]));
        assert!(a.le(&both) && b.le(&both));
        assert!(!a.le(&b) && !b.le(&a) && !both.le(&a));
        assert!(VectorClock::new().le(&a));
    }

    #[test]
    fn epochs() {
        let a = clock(&[2, 0, 5]);
        assert!(a.epoch(ThreadId(2)).le(&clock(&[0, 0, 5])));
        assert!(!a.epoch(ThreadId(2)).le(&clock(&[9, 9, 4, 9])));
        assert_eq!(a.get(ThreadId(9)), 0);
    }
}
