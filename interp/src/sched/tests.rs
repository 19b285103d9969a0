use super::*;
use crate::rng::Rng;

/// All schedulers; every strategy is included through `Strategy::ALL`.
fn strategies() -> Vec<Box<dyn Scheduler>> {
    let replay = "0x3.1.2x2.0.3".parse().map(Replayer::new);
    let segment = |thread, choices| Segment { thread: ThreadId(thread), choices };
    let mut all: Vec<Box<dyn Scheduler>> = vec![
        Box::new(replay.unwrap_or_else(|error| panic!("{error}"))),
        Box::new(Recorder::new(RandomWalk::new())),
        Box::new(Guided::new(vec![segment(0, Some(3)), segment(2, None), segment(1, Some(9)), segment(3, None)])),
    ];
    all.extend(portfolio());
    all
}

/// The strategies that explore.
fn portfolio() -> impl Iterator<Item = Box<dyn Scheduler>> {
    let schedulers = || Strategy::ALL.into_iter().map(|it| it.scheduler(&Hints { points: 150, kinds: &POINTS }));
    let coarse = schedulers().map(|it| Box::new(Coarse::new(it)) as Box<dyn Scheduler>);
    schedulers().chain(coarse)
}

const POINTS: [PointKind; 5] =
    [PointKind::Lock, PointKind::Atomic, PointKind::Yield, PointKind::Blocked, PointKind::Spawn];

/// Two threads with two calls each have six orders.
#[test]
fn serial_schedules_are_all_orders_of_calls() {
    let mut scheduler = Serial::default();
    let mut orders = Vec::new();
    loop {
        scheduler.begin_run(0);
        // The first thread starts the others, and is about to make its first call.
        let (mut left, mut has_started) = ([2, 2, 1], [true, false, false]);
        let (mut current, mut order) = (ThreadId(0), Vec::new());
        while left != [0, 0, 0] {
            let threads = [ThreadId(0), ThreadId(1), ThreadId(2)];
            let runnable: Vec<ThreadId> = threads.into_iter().filter(|thread| left[thread.index()] > 0).collect();
            let point = |kind, current| Point {
                runnable: &runnable,
                early: &[],
                current: Some(current),
                kind,
                holds: false,
                of_dependency: false,
            };
            let mut choose = |kind, current| match runnable[..] {
                [only] => only,
                _ => scheduler.choose(&point(kind, current)),
            };
            current = choose(PointKind::Call, current);
            if !std::mem::replace(&mut has_started[current.index()], true) {
                assert_eq!(choose(PointKind::Call, current), current, "its first call comes next");
            }
            assert_eq!(choose(PointKind::Lock, current), current, "a call goes on");
            left[current.index()] -= 1;
            order.push(current);
        }
        orders.push(order);
        if !scheduler.advance() {
            break;
        }
    }
    assert_eq!(orders.len(), 30);
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 30);
}

/// Simulates a program whose threads start, end and block at random; returns the choices.
fn simulate(scheduler: &mut dyn Scheduler, program: u64, seed: u64) -> Vec<ThreadId> {
    let mut rng = Rng::new(program);
    scheduler.begin_run(seed);
    let mut current = None;
    let mut chosen = Vec::new();
    for _ in 0..200 {
        let mut runnable = Vec::new();
        let mut early = Vec::new();
        for thread in (0..5).map(ThreadId) {
            match rng.below(6) {
                0..4 => runnable.push(thread),
                4 => early.push(thread),
                _ => {}
            }
        }
        if runnable.is_empty() {
            runnable.push(ThreadId(7));
        }
        let kind = POINTS[rng.index(POINTS.len())];
        let point = Point {
            runnable: &runnable,
            early: &early,
            current,
            kind,
            holds: rng.chance(1, 2),
            of_dependency: rng.chance(1, 2),
        };
        let choice = scheduler.choose(&point);
        assert!(point.offers(choice), "{}: {choice:?} of {point:?}", scheduler.name());
        chosen.push(choice);
        current = Some(choice);
    }
    chosen
}

#[test]
fn every_strategy_conforms() {
    for mut scheduler in strategies() {
        for program in 0..20 {
            let first = simulate(&mut scheduler, program, 1);
            simulate(&mut scheduler, program + 1, 2);
            assert_eq!(first, simulate(&mut scheduler, program, 1), "{}: the same seed", scheduler.name());
            let mut replayer = Replayer::new(Schedule { choices: first.clone() });
            assert_eq!(first, simulate(&mut replayer, program, 99), "{}: replay", scheduler.name());
            assert_eq!((replayer.diverged_at(), replayer.is_finished()), (None, true));
        }
    }
}

#[test]
fn recordings_replay() {
    for strategy in strategies() {
        let mut recorder = Recorder::new(strategy);
        let first = simulate(&mut recorder, 3, 4);
        assert_eq!(recorder.schedule().choices, first);
        let text = recorder.into_schedule().to_string();
        let parsed: Schedule = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(parsed.choices, first);
    }
}

#[test]
fn schedules_as_text() {
    let schedule = Schedule { choices: [0, 0, 0, 1, 12, 12].map(ThreadId).to_vec() };
    assert_eq!(schedule.to_string(), "0x3.1.12x2");
    assert_eq!(schedule.prefix(4).to_string(), "0x3.1");
    assert_eq!(schedule.prefix(0).to_string(), "-");
    assert_eq!("-".parse(), Ok(Schedule::default()));
    for bad in ["", ".", "1.", "x", "1x0", "1x99999999999", "-1", "a", "1x10000000.1", "1x2x3"] {
        assert!(bad.parse::<Schedule>().is_err(), "{bad}");
    }
}

#[test]
fn seeds_differ_and_every_thread_comes_up() {
    for mut scheduler in portfolio() {
        let first = simulate(&mut scheduler, 5, 1);
        assert_ne!(first, simulate(&mut scheduler, 5, 2), "{}", scheduler.name());
        assert!((0..5).all(|thread| first.contains(&ThreadId(thread))), "{}", scheduler.name());
    }
}

/// Chooses among threads, none of which waits.
fn choose(scheduler: &mut dyn Scheduler, runnable: &[ThreadId], current: u32, kind: PointKind) -> ThreadId {
    scheduler.choose(&Point {
        runnable,
        early: &[],
        current: Some(ThreadId(current)),
        kind,
        holds: false,
        of_dependency: false,
    })
}

/// The number of points until thread 2 first runs, while 0 and 1 only spin.
fn until_the_worker_runs(scheduler: &mut dyn Scheduler, seed: u64, spin: PointKind) -> usize {
    let threads = [0, 1, 2].map(ThreadId);
    scheduler.begin_run(seed);
    let mut current = ThreadId(0);
    (1..10_000)
        .find(|_| {
            current = choose(scheduler, &threads, current.0, spin);
            current == ThreadId(2)
        })
        .unwrap_or(usize::MAX)
}

#[test]
fn spinning_threads_let_others_go_first() {
    for mut scheduler in portfolio() {
        for seed in 0..100 {
            let points = until_the_worker_runs(&mut scheduler, seed, PointKind::Yield);
            assert!(points <= 2, "{}: {points}", scheduler.name());
        }
    }
}

#[test]
fn a_spin_that_does_not_yield_ends_too() {
    for mut scheduler in portfolio() {
        for seed in 0..100 {
            let points = until_the_worker_runs(&mut scheduler, seed, PointKind::Atomic);
            assert!(points <= 1000, "{}: {points}", scheduler.name());
        }
    }
}

#[test]
fn a_lone_spinner_goes_on() {
    let mut fairness = Fairness::default();
    let one = [ThreadId(1)];
    let point = Point {
        runnable: &one,
        early: &[],
        current: Some(ThreadId(1)),
        kind: PointKind::Yield,
        holds: false,
        of_dependency: false,
    };
    for _ in 0..3 {
        assert_eq!(fairness.candidates(&point)[..], one);
    }
}

#[test]
fn a_replay_of_another_program_diverges_and_goes_on() {
    let mut replayer = Replayer::new(Schedule { choices: vec![ThreadId(4)] });
    let threads = [0, 1].map(ThreadId);
    replayer.begin_run(0);
    assert_eq!(choose(&mut replayer, &threads, 1, PointKind::Lock), ThreadId(1));
    assert_eq!(replayer.diverged_at(), Some(0));
    assert_eq!(choose(&mut replayer, &threads, 0, PointKind::Yield), ThreadId(1));
    assert_eq!(choose(&mut replayer, &threads, 1, PointKind::Yield), ThreadId(0));
}

/// With PCT, without change points, one thread runs before all others; with one it is stopped once.
#[test]
fn pct_switches_as_often_as_its_depth_says() {
    let threads = [0, 1, 2].map(ThreadId);
    for depth in 2..=5 {
        for seed in 0..50 {
            let mut pct = Pct::new(depth, 100);
            pct.begin_run(seed);
            let mut current = 0;
            let mut chosen = Vec::new();
            for _ in 0..100 {
                current = choose(&mut pct, &threads, current, PointKind::Lock).0;
                chosen.push(current);
            }
            let switches = chosen.chunk_by(|a, b| a == b).count() - 1;
            assert!(switches < depth as usize, "depth {depth}: {switches} switches");
        }
    }
}

/// Each of the three orders in which one thread runs ahead is about equally frequent.
#[test]
fn pct_prefers_no_thread() {
    let threads = [0, 1, 2].map(ThreadId);
    let mut first = [0_u32; 3];
    for seed in 0..600 {
        let mut pct = Pct::new(2, 1000);
        pct.begin_run(crate::rng::run_seed(5, seed));
        first[choose(&mut pct, &threads, 0, PointKind::Lock).index()] += 1;
    }
    assert!(first.iter().all(|n| (150..250).contains(n)), "{first:?}");
}

#[test]
fn early_wake_ups_come_from_their_strategies_only() {
    let (runnable, early) = ([ThreadId(0)], [ThreadId(1)]);
    let point = Point {
        runnable: &runnable,
        early: &early,
        current: Some(ThreadId(0)),
        kind: PointKind::Lock,
        holds: false,
        of_dependency: false,
    };
    for strategy in Strategy::ALL {
        let mut scheduler = strategy.scheduler(&Hints { points: 100, kinds: &POINTS });
        scheduler.begin_run(3);
        let woken = (0..100).filter(|_| scheduler.choose(&point) == ThreadId(1)).count();
        assert_eq!(woken > 0, strategy.wake_ups() != WakeUps::Exact, "{strategy}: {woken}");
        assert!(woken <= 70, "{strategy}: {woken}");
    }
}

#[test]
fn names_of_strategies() {
    for strategy in Strategy::ALL {
        assert_eq!(strategy.to_string().parse(), Ok(strategy));
    }
    let known =
        "random-walk, sticky, pct-2, pct-3, pct-4, pct-5, nested-locks, delays, adversarial-time, spurious-wake-ups";
    let error = "pct-9".parse::<Strategy>().map_err(|error| error.to_string());
    assert_eq!(error, Err(format!("expected one of {known}")));
}

#[test]
fn segments_of_a_recording() {
    let schedule = Schedule { choices: [0, 0, 1, 1, 1, 0].map(ThreadId).to_vec() };
    let notes = [false, false, true, false, false, false].map(|preempts| Note { preempts, by_default: false });
    let segments = Segment::of(&schedule, &notes);
    let expected = [(0, Some(2)), (1, None), (0, None)];
    assert_eq!(segments, expected.map(|(thread, choices)| Segment { thread: ThreadId(thread), choices }));
}

#[test]
fn guided_threads_run_as_long_as_they_can() {
    let segments = [(1, None), (0, Some(2)), (2, None)];
    let mut guided =
        Guided::new(segments.map(|(thread, choices)| Segment { thread: ThreadId(thread), choices }).into());
    guided.begin_run(0);
    let all = [0, 1, 2].map(ThreadId);
    let mut next = |runnable: &[ThreadId], current, kind| choose(&mut guided, runnable, current, kind).0;
    assert_eq!(next(&all, 0, PointKind::Spawn), 1);
    assert_eq!(next(&all, 1, PointKind::Lock), 1);
    assert_eq!(next(&[ThreadId(0), ThreadId(2)], 1, PointKind::Blocked), 0, "1 cannot go on");
    assert_eq!(next(&all, 0, PointKind::Lock), 0);
    assert_eq!(next(&all, 0, PointKind::Lock), 2);
    assert_eq!(next(&all, 2, PointKind::Yield), 0, "the end of what is said");
}

#[test]
fn a_single_choice_falls_either_way() {
    let runnable = [ThreadId(0), ThreadId(1)];
    for strategy in Strategy::ALL {
        let mut scheduler = strategy.scheduler(&Hints { points: 1, kinds: &POINTS });
        let goes_on = |seed: &u64| {
            scheduler.begin_run(*seed);
            let current = Some(ThreadId(0));
            let point = Point {
                runnable: &runnable,
                early: &[],
                current,
                kind: PointKind::Spawn,
                holds: false,
                of_dependency: false,
            };
            scheduler.choose(&point) == ThreadId(0)
        };
        let often = (0..100).filter(goes_on).count();
        assert!((15..=98).contains(&often), "{}: {often} of 100", scheduler.name());
    }
}

/// A dependency's event loop, which never reaches a point of the program's, does not starve the others.
#[test]
fn at_coarse_points_dependencies_are_left_alone_for_a_while() {
    let threads = [0, 1].map(ThreadId);
    for strategy in Strategy::ALL {
        let mut scheduler = Coarse::new(strategy.scheduler(&Hints { points: 10, kinds: &POINTS }));
        let mut in_a_row = |seed| {
            scheduler.begin_run(seed);
            let current = Some(ThreadId(0));
            let kind = PointKind::Atomic;
            let point = Point { runnable: &threads, early: &[], current, kind, holds: false, of_dependency: true };
            (0..1_000).take_while(|_| scheduler.choose(&point) == ThreadId(0)).count()
        };
        let lengths: Vec<_> = (0..100).map(&mut in_a_row).collect();
        assert!(lengths.iter().all(|it| *it <= 100), "{strategy}: {lengths:?}");
        assert!(lengths.iter().sum::<usize>() > 1_000, "{strategy}: {lengths:?}");
    }
}
