use super::*;
use crate::rng::Rng;

/// Every strategy there is: a new one is added here, and has to conform.
fn strategies() -> Vec<Box<dyn Scheduler>> {
    let replay = "0x3.1.2x2.0.3".parse().map(Replayer::new);
    vec![
        Box::new(RandomWalk::new()),
        Box::new(RandomWalk::sticky()),
        Box::new(replay.unwrap_or_else(|error| panic!("{error}"))),
        Box::new(Recorder::new(RandomWalk::new())),
    ]
}

const POINTS: [PointKind; 5] =
    [PointKind::Lock, PointKind::Atomic, PointKind::Yield, PointKind::Blocked, PointKind::Spawn];

/// A run of a program whose threads come, go and block at random: what was chosen.
fn simulate(scheduler: &mut dyn Scheduler, program: u64, seed: u64) -> Vec<ThreadId> {
    let mut rng = Rng::new(program);
    scheduler.begin_run(seed);
    let mut current = None;
    let mut chosen = Vec::new();
    for _ in 0..200 {
        let mut runnable: Vec<ThreadId> = (0..5).filter(|_| rng.chance(2, 3)).map(ThreadId).collect();
        if runnable.is_empty() {
            runnable.push(ThreadId(7));
        }
        let choice = scheduler.choose(&runnable, current, POINTS[rng.index(POINTS.len())]);
        assert!(runnable.contains(&choice), "{}: {choice:?} of {runnable:?}", scheduler.name());
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
    for mut scheduler in [RandomWalk::new(), RandomWalk::sticky()] {
        let first = simulate(&mut scheduler, 5, 1);
        assert_ne!(first, simulate(&mut scheduler, 5, 2));
        assert!((0..5).all(|thread| first.contains(&ThreadId(thread))));
    }
}

/// Points until thread 2 first runs, while 0 and 1 only spin.
fn until_the_worker_runs(scheduler: &mut dyn Scheduler, seed: u64) -> usize {
    let threads = [0, 1, 2].map(ThreadId);
    scheduler.begin_run(seed);
    let mut current = ThreadId(0);
    (1..)
        .find(|_| {
            current = scheduler.choose(&threads, Some(current), PointKind::Yield);
            current == ThreadId(2)
        })
        .unwrap_or(usize::MAX)
}

#[test]
fn spinning_threads_let_others_go_first() {
    for mut scheduler in [RandomWalk::new(), RandomWalk::sticky()] {
        for seed in 0..100 {
            assert!(until_the_worker_runs(&mut scheduler, seed) <= 2);
        }
    }
}

#[test]
fn a_lone_spinner_goes_on() {
    let mut fairness = Fairness::default();
    for _ in 0..3 {
        assert_eq!(fairness.candidates(&[ThreadId(1)], Some(ThreadId(1)), PointKind::Yield)[..], [ThreadId(1)]);
    }
}

#[test]
fn a_replay_of_another_program_diverges_and_goes_on() {
    let mut replayer = Replayer::new(Schedule { choices: vec![ThreadId(4)] });
    replayer.begin_run(0);
    assert_eq!(replayer.choose(&[ThreadId(0), ThreadId(1)], Some(ThreadId(1)), PointKind::Lock), ThreadId(1));
    assert_eq!(replayer.diverged_at(), Some(0));
    assert_eq!(replayer.choose(&[ThreadId(0), ThreadId(1)], Some(ThreadId(0)), PointKind::Yield), ThreadId(1));
    assert_eq!(replayer.choose(&[ThreadId(0), ThreadId(1)], Some(ThreadId(1)), PointKind::Yield), ThreadId(0));
}
