use super::*;
use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

const FLAG: u64 = 64;

/// Threads of a run, all spawned by the first at its start.
struct Run(HappensBefore);

impl Run {
    fn new() -> Run {
        let mut run = HappensBefore::new();
        for _ in 1..4 {
            run.on_spawn(ThreadId::ENTRY);
        }
        Run(run)
    }

    fn store(&mut self, thread: u32, order: Ordering) {
        self.0.on_store(ThreadId(thread), FLAG, order);
    }

    fn load(&mut self, thread: u32, order: Ordering) {
        self.0.on_load(ThreadId(thread), FLAG, order);
    }

    fn rmw(&mut self, thread: u32, order: Ordering) {
        self.0.on_rmw_load(ThreadId(thread), FLAG, order);
        self.0.on_rmw_store(ThreadId(thread), FLAG, order);
    }

    fn fence(&mut self, thread: u32, order: Ordering) {
        self.0.on_fence(ThreadId(thread), order);
    }
}

/// Whether the first access of thread 1 is ordered before the last of thread 2, with `steps` in between.
fn ordered(steps: impl FnOnce(&mut Run)) -> bool {
    let mut run = Run::new();
    let first = run.0.epoch(ThreadId(1));
    steps(&mut run);
    first.le(run.0.clock(ThreadId(2)))
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
    let later = run.0.epoch(ThreadId(1));
    run.load(2, Acquire);
    assert!(!later.le(run.0.clock(ThreadId(2))));
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
        run.0.on_release(ThreadId(1), key);
        run.0.on_acquire(ThreadId(2), key);
    };
    assert!(ordered(mutex));
    let other_lock = |run: &mut Run| {
        run.0.on_release(ThreadId(1), key);
        run.0.on_acquire(ThreadId(2), SyncKey::At(16));
    };
    assert!(!ordered(other_lock));
    let reader_then_writer = |run: &mut Run| {
        run.0.on_release_shared(ThreadId(1), key);
        run.0.on_acquire(ThreadId(2), key);
    };
    assert!(ordered(reader_then_writer));
    let writer_then_reader = |run: &mut Run| {
        run.0.on_release(ThreadId(1), key);
        run.0.on_acquire_shared(ThreadId(2), key);
    };
    assert!(ordered(writer_then_reader));
    let readers = |run: &mut Run| {
        run.0.on_release_shared(ThreadId(1), key);
        run.0.on_acquire_shared(ThreadId(2), key);
    };
    assert!(!ordered(readers));
    let reused_memory = |run: &mut Run| {
        run.0.on_release(ThreadId(1), key);
        run.0.on_forget(0, 64);
        run.0.on_acquire(ThreadId(2), key);
    };
    assert!(!ordered(reused_memory));
}

#[test]
fn threads_and_tokens() {
    let (entry, child) = (ThreadId::ENTRY, ThreadId(1));
    let mut run = HappensBefore::new();
    let before = run.epoch(entry);
    run.on_spawn(entry);
    let after = run.epoch(entry);
    assert!(before.le(run.clock(child)) && !after.le(run.clock(child)));
    let in_child = run.epoch(child);
    assert!(!in_child.le(run.clock(entry)));
    run.on_hand_over(entry, child);
    assert!(after.le(run.clock(child)) && !run.epoch(entry).le(run.clock(child)));
    run.on_join(entry, child);
    assert!(in_child.le(run.clock(entry)));

    let unknown = |run: &mut Run| {
        run.0.on_unknown_call(ThreadId(1));
        run.0.on_unknown_call(ThreadId(2));
    };
    assert!(ordered(unknown));
    let message = |run: &mut Run| {
        run.0.on_release(ThreadId(1), SyncKey::Token(7));
        run.0.on_release(ThreadId(3), SyncKey::Token(8));
        run.0.on_acquire(ThreadId(2), SyncKey::Token(8));
        run.0.on_drop(SyncKey::Token(8));
    };
    assert!(!ordered(message));
}
