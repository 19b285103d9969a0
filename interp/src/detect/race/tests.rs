use super::*;
use crate::detect::order::HappensBefore;
use crate::rng::Rng;
use crate::sync::SyncKey;
use AccessKind::{AtomicRead, AtomicWrite, Read, VolatileRead, VolatileWrite, Write};

const ALL: [AccessKind; 6] = [Read, Write, AtomicRead, AtomicWrite, VolatileRead, VolatileWrite];

/// The clocks of two unordered threads.
fn unordered() -> (VectorClock, VectorClock) {
    let (mut a, mut b) = (VectorClock::new(), VectorClock::new());
    a.tick(ThreadId(0));
    b.tick(ThreadId(1));
    (a, b)
}

fn race_of(first: (u64, u32, AccessKind), second: (u64, u32, AccessKind)) -> Option<(u64, u32)> {
    let (a, b) = unordered();
    let mut detector = RaceDetector::new();
    assert_eq!(detector.on_access(&a, ThreadId(0), first.0, first.1, first.2, AccessSite(1)), None);
    let report = detector.on_access(&b, ThreadId(1), second.0, second.1, second.2, AccessSite(2))?;
    assert_eq!((report.first, report.first_kind), (AccessSite(1), first.2));
    assert_eq!((report.second, report.second_kind), (AccessSite(2), second.2));
    assert_eq!((report.first_thread, report.second_thread), (ThreadId(0), ThreadId(1)));
    Some((report.addr, report.size))
}

#[test]
fn the_table_of_kinds() {
    for first in ALL {
        for second in ALL {
            let exempt = (first.is_atomic() && second.is_atomic())
                || (first.is_volatile() && second.is_volatile())
                || !(first.is_write() || second.is_write());
            let race = race_of((64, 4, first), (64, 4, second));
            assert_eq!(race.is_none(), exempt, "{first:?} {second:?}");
        }
    }
}

#[test]
fn mixed_sizes() {
    assert_eq!(race_of((64, 8, Write), (66, 2, Read)), Some((66, 2)));
    assert_eq!(race_of((66, 2, Write), (64, 8, Read)), Some((66, 2)));
    assert_eq!(race_of((64, 4, Write), (68, 4, Write)), None);
    assert_eq!(race_of((60, 24, Write), (80, 16, Read)), Some((80, 4)));
    assert_eq!(race_of((64, 0, Write), (64, 8, Write)), None);
    assert_eq!(race_of((64, 8, Write), (72, 8, Write)), None);
    assert_eq!(race_of((u64::MAX - 3, 8, Write), (u64::MAX - 3, 2, Read)), Some((u64::MAX - 3, 2)));
}

#[test]
fn the_last_write_and_the_first_read_of_an_epoch_are_told() {
    for (kind, told) in [(Write, 2), (AtomicWrite, 2), (Read, 1)] {
        let (a, b) = unordered();
        let mut detector = RaceDetector::new();
        for site in [1, 2] {
            assert_eq!(detector.on_access(&a, ThreadId(0), 64, 8, kind, AccessSite(site)), None);
        }
        let report = detector.on_access(&b, ThreadId(1), 66, 2, Write, AccessSite(3)).expect("a race");
        assert_eq!((report.first, report.first_kind), (AccessSite(told), kind));
    }
}

#[test]
fn forgetting() {
    let (a, b) = unordered();
    for (addr, len, races) in [(64, 8, false), (64, 4, true), (0, 1 << 20, false), (68, 4, true), (72, 8, true)] {
        let mut detector = RaceDetector::new();
        detector.on_access(&a, ThreadId(0), 64, 8, Write, AccessSite(1));
        detector.on_forget(addr, len);
        let race = detector.on_access(&b, ThreadId(1), 64, 8, Write, AccessSite(2));
        assert_eq!(race.is_some(), races, "{addr} {len}");
    }
}

#[test]
fn what_is_known_of_a_range() {
    let (one, _) = unordered();
    let mut detector = RaceDetector::new();
    for (addr, size) in [(8, 4), (22, 4), (40, 1)] {
        let race = detector.on_access(&one, ThreadId(0), addr, size, AccessKind::Write, AccessSite(0));
        assert_eq!(race, None);
    }
    assert_eq!(detector.known_in(10, 25), [(10, 2), (22, 2), (24, 1)]);
    assert_eq!(detector.known_in(12, 22), []);
    assert_eq!(detector.known_in(41, 400), []);
}

#[test]
fn after_a_race_the_cell_starts_anew() {
    let (a, b) = unordered();
    let mut detector = RaceDetector::new();
    detector.on_access(&a, ThreadId(0), 64, 8, Write, AccessSite(1));
    assert!(detector.on_access(&b, ThreadId(1), 64, 8, Write, AccessSite(2)).is_some());
    assert!(detector.on_access(&b, ThreadId(1), 64, 8, Read, AccessSite(3)).is_none());
}

#[test]
fn what_is_forgotten_does_not_stay() {
    let (a, b) = unordered();
    let mut detector = RaceDetector::new();
    detector.on_access(&a, ThreadId(0), 8, 8, Write, AccessSite(1));
    for word in 2..10_000 {
        detector.on_access(&a, ThreadId(0), word * 8, 8, Write, AccessSite(1));
        detector.on_forget(word * 8, 8);
        assert!(!detector.repeats(a.epoch(ThreadId(0)), word * 8, 8, Write));
        assert!(detector.words.len() <= EMPTY + 2 && detector.words.cells.len() <= EMPTY + 2);
    }
    assert!(detector.on_access(&b, ThreadId(1), 8, 8, Write, AccessSite(2)).is_some());
    assert!(detector.on_access(&b, ThreadId(1), 800, 8, Write, AccessSite(2)).is_none());
}

#[test]
fn a_plain_write_merges_cells() {
    let (a, _) = unordered();
    let mut detector = RaceDetector::new();
    for byte in 0..8 {
        detector.on_access(&a, ThreadId(0), 64 + byte, 1, Read, AccessSite(1));
    }
    assert_eq!(detector.words.get(8).map_or(0, |cells| cells.len()), 8);
    detector.on_access(&a, ThreadId(0), 64, 8, Write, AccessSite(1));
    assert_eq!(detector.words.get(8).map_or(0, |cells| cells.len()), 1);
}

/// All accesses ever made to each byte.
struct Oracle {
    history: Vec<Vec<Access>>,
}

impl Oracle {
    /// Whether any of the bytes has a race, with full histories.
    fn access(&mut self, clock: &VectorClock, new: Access, range: std::ops::Range<usize>) -> Option<Vec<AccessSite>> {
        let mut sites = Vec::new();
        for byte in range {
            let unordered = |e: &&Access| e.kind.conflicts(new.kind) && !e.epoch.le(clock);
            sites.extend(self.history[byte].iter().filter(unordered).map(|e| e.site));
            self.history[byte].push(new);
        }
        (!sites.is_empty()).then_some(sites)
    }
}

#[test]
fn agrees_with_full_histories_up_to_the_first_race() {
    let (mut racy, mut clean) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let mut order = HappensBefore::new();
        for _ in 1..4 {
            order.on_spawn(ThreadId::ENTRY);
        }
        let mut detector = RaceDetector::new();
        let mut oracle = Oracle { history: vec![Vec::new(); 24] };
        // How many of 64 accesses are made under a lock; other synchronisation comes in between.
        let locked = 64 - rng.below(24);
        let mut found = false;
        for step in 0..80 {
            let thread = ThreadId(rng.below(4));
            if rng.chance(1, 4) {
                let key = SyncKey::At(u64::from(1 + rng.below(2)));
                order.on_acquire(thread, key);
                if rng.chance(3, 4) {
                    order.on_release(thread, key);
                }
                continue;
            }
            let lock = rng.chance(locked, 64);
            if lock {
                order.on_acquire(thread, SyncKey::At(0));
            }
            let size = 1 + rng.below(9);
            let addr = u64::from(rng.below(24 - size));
            let kinds = if rng.chance(1, 3) { 6 } else { 3 };
            let kind = ALL[rng.index(kinds)];
            let site = AccessSite(step);
            let clock = order.clock(thread);
            let new = Access { epoch: clock.epoch(thread), site, kind };
            let expected = oracle.access(clock, new, addr as usize..(addr + u64::from(size)) as usize);
            let actual = detector.on_access(clock, thread, 8 + addr, size, kind, site);
            assert_eq!(actual.is_some(), expected.is_some(), "seed {seed} step {step}");
            if let Some(report) = actual {
                assert!(expected.is_some_and(|sites| sites.contains(&report.first)));
                assert_ne!(report.first_thread, report.second_thread);
                found = true;
                break;
            }
            if lock {
                order.on_release(thread, SyncKey::At(0));
            }
        }
        *if found { &mut racy } else { &mut clean } += 1;
    }
    assert!(racy > 300 && clean > 300, "{racy} {clean}");
}
