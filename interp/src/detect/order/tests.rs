use super::*;
use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

const FLAG: u64 = 64;

/// Some threads of a run, spawned by the first before anything happened.
struct Run {
    sync: SyncClocks,
    threads: Vec<ThreadClock>,
}

impl Run {
    fn new() -> Run {
        let mut entry = ThreadClock::entry();
        let mut threads: Vec<_> = (1..4).map(|id| SyncClocks::spawn(&mut entry, ThreadId(id))).collect();
        threads.insert(0, entry);
        Run { sync: SyncClocks::new(), threads }
    }

    fn store(&mut self, thread: usize, order: Ordering) {
        self.sync.store(&mut self.threads[thread], FLAG, order);
    }

    fn load(&mut self, thread: usize, order: Ordering) {
        self.sync.load(&mut self.threads[thread], FLAG, order);
    }

    fn rmw(&mut self, thread: usize, order: Ordering) {
        self.sync.rmw_load(&mut self.threads[thread], FLAG, order);
        self.sync.rmw_store(&mut self.threads[thread], FLAG, order);
    }

    fn fence(&mut self, thread: usize, order: Ordering) {
        SyncClocks::fence(&mut self.threads[thread], order);
    }
}

/// Whether what thread 1 does first is ordered before what thread 2 does last, with `steps` between.
fn ordered(steps: impl FnOnce(&mut Run)) -> bool {
    let mut run = Run::new();
    let first = run.threads[1].clock.epoch(ThreadId(1));
    steps(&mut run);
    first.le(&run.threads[2].clock)
}

#[test]
fn message_passing() {
    for store in [Relaxed, Release, SeqCst] {
        for load in [Relaxed, Acquire, SeqCst] {
            let edge = ordered(|run| {
                run.store(1, store);
                run.load(2, load);
            });
            assert_eq!(edge, store != Relaxed && load != Relaxed, "{store:?} {load:?}");
        }
    }
}

#[test]
fn what_follows_the_release_is_not_ordered() {
    let mut run = Run::new();
    run.store(1, Release);
    let later = run.threads[1].clock.epoch(ThreadId(1));
    run.load(2, Acquire);
    assert!(!later.le(&run.threads[2].clock));
}

#[test]
fn fences() {
    let pair = |first: Ordering, second: Ordering| {
        ordered(|run| {
            run.fence(1, first);
            run.store(1, Relaxed);
            run.load(2, Relaxed);
            run.fence(2, second);
        })
    };
    assert!(pair(Release, Acquire));
    assert!(pair(AcqRel, SeqCst));
    assert!(!pair(Acquire, Acquire));
    assert!(!pair(Release, Release));
    let acquire_load = |run: &mut Run| {
        run.fence(1, Release);
        run.store(1, Relaxed);
        run.load(2, Acquire);
    };
    assert!(ordered(acquire_load));
    let release_store = |run: &mut Run| {
        run.store(1, Release);
        run.load(2, Relaxed);
        run.fence(2, Acquire);
    };
    assert!(ordered(release_store));
    let fence_before_load = |run: &mut Run| {
        run.store(1, Release);
        run.fence(2, Acquire);
        run.load(2, Relaxed);
    };
    assert!(!ordered(fence_before_load));
    let fence_after_store = |run: &mut Run| {
        run.store(1, Relaxed);
        run.fence(1, Release);
        run.load(2, Acquire);
    };
    assert!(!ordered(fence_after_store));
}

#[test]
fn release_sequences() {
    for order in [Relaxed, Acquire, Release, AcqRel] {
        let continued = |run: &mut Run| {
            run.store(1, Release);
            run.rmw(3, order);
            run.load(2, Acquire);
        };
        assert!(ordered(continued), "{order:?}");
    }
    for breaker in [3, 1] {
        let broken = |run: &mut Run| {
            run.store(1, Release);
            run.store(breaker, Relaxed);
            run.load(2, Acquire);
        };
        assert!(!ordered(broken));
    }
    let replaced = |run: &mut Run| {
        run.store(1, Release);
        run.store(3, Release);
        run.load(2, Acquire);
    };
    assert!(!ordered(replaced));
}

#[test]
fn read_modify_writes() {
    let counter = |first: Ordering, second: Ordering| {
        ordered(|run| {
            run.rmw(1, first);
            run.rmw(2, second);
        })
    };
    assert!(counter(Release, Acquire));
    assert!(counter(AcqRel, AcqRel));
    assert!(!counter(Relaxed, AcqRel));
    assert!(!counter(AcqRel, Relaxed));
    // The drop of an `Arc`: every thread decrements with release, the last one has an acquire fence.
    let arc = |run: &mut Run| {
        run.rmw(1, Release);
        run.rmw(3, Release);
        run.rmw(2, Release);
        run.fence(2, Acquire);
    };
    assert!(ordered(arc));
    let fence_before = |run: &mut Run| {
        run.fence(1, Release);
        run.rmw(1, Relaxed);
        run.rmw(2, Acquire);
    };
    assert!(ordered(fence_before));
}

#[test]
fn locks() {
    let key = SyncKey::At(8);
    let mutex = |run: &mut Run| {
        run.sync.release(&mut run.threads[1], key);
        run.sync.acquire(&mut run.threads[2], key);
    };
    assert!(ordered(mutex));
    let other_lock = |run: &mut Run| {
        run.sync.release(&mut run.threads[1], key);
        run.sync.acquire(&mut run.threads[2], SyncKey::At(16));
    };
    assert!(!ordered(other_lock));
    let reader_then_writer = |run: &mut Run| {
        run.sync.release_shared(&mut run.threads[1], key);
        run.sync.acquire(&mut run.threads[2], key);
    };
    assert!(ordered(reader_then_writer));
    let writer_then_reader = |run: &mut Run| {
        run.sync.release(&mut run.threads[1], key);
        run.sync.acquire_shared(&mut run.threads[2], key);
    };
    assert!(ordered(writer_then_reader));
    let readers = |run: &mut Run| {
        run.sync.release_shared(&mut run.threads[1], key);
        run.sync.acquire_shared(&mut run.threads[2], key);
    };
    assert!(!ordered(readers));
    let reused_memory = |run: &mut Run| {
        run.sync.release(&mut run.threads[1], key);
        run.sync.forget(0, 64);
        run.sync.acquire(&mut run.threads[2], key);
    };
    assert!(!ordered(reused_memory));
}

#[test]
fn threads_and_tokens() {
    let mut entry = ThreadClock::entry();
    let before = entry.clock.epoch(entry.id);
    let mut child = SyncClocks::spawn(&mut entry, ThreadId(1));
    let after = entry.clock.epoch(entry.id);
    assert!(before.le(&child.clock) && !after.le(&child.clock));
    let in_child = child.clock.epoch(child.id);
    assert!(!in_child.le(&entry.clock));
    SyncClocks::edge(&mut entry, &mut child);
    assert!(after.le(&child.clock) && !entry.clock.epoch(entry.id).le(&child.clock));
    SyncClocks::join(&mut entry, &child);
    assert!(in_child.le(&entry.clock));

    let park = |run: &mut Run| {
        run.sync.release(&mut run.threads[1], SyncKey::Park(ThreadId(2)));
        run.sync.acquire(&mut run.threads[2], SyncKey::Park(ThreadId(2)));
    };
    assert!(ordered(park));
    let unknown = |run: &mut Run| {
        run.sync.unknown_call(&mut run.threads[1]);
        run.sync.unknown_call(&mut run.threads[2]);
    };
    assert!(ordered(unknown));
    let message = |run: &mut Run| {
        run.sync.release(&mut run.threads[1], SyncKey::Token(7));
        run.sync.release(&mut run.threads[3], SyncKey::Token(8));
        run.sync.acquire(&mut run.threads[2], SyncKey::Token(8));
        run.sync.drop_key(SyncKey::Token(8));
    };
    assert!(!ordered(message));
}
