use super::*;

fn plan(sites: usize, static_reach: &[&[usize]], steps: u64) -> Plan {
    let static_reach =
        static_reach.iter().map(|sites| StaticReach { sites: sites.to_vec(), ..StaticReach::default() }).collect();
    Plan { static_reach, reached: vec![None; sites], steps, is_everything: false, long_round: Plan::LONG_ROUND }
}

/// An entry of which each run takes so many steps and starts a thread.
fn progress(runs: u32, steps: u64, reached: &[(usize, bool)]) -> EntryProgress {
    let cost = u64::from(runs) * steps;
    let (most_steps, reached) = (u64::MAX, reached.to_vec());
    EntryProgress { runs, most_runs: 100, cost, most_steps, is_concurrent: true, reached, ..EntryProgress::default() }
}

/// The runs of each entry of a round.
fn runs(round: &[(usize, RunQuota)]) -> Vec<(usize, u32)> {
    round.iter().map(|(entry, allotment)| (*entry, allotment.runs)).collect()
}

#[test]
fn what_neither_synchronises_nor_starts_a_thread_gets_one_short_run() {
    let mut rounds = Rounds::new(plan(1, &[&[0], &[]], 1_000_000_000), None);
    let first = rounds.next();
    assert_eq!(
        first.iter().map(|(_, it)| (it.runs, it.max_steps)).collect::<Vec<_>>(),
        [(1, 1_000_000), (1, SHORT_RUN)]
    );
    rounds.take(0, progress(1, 10, &[(0, true)]));
    rounds.take(1, EntryProgress { is_concurrent: false, ..progress(1, 10, &[]) });
    assert_eq!(runs(&rounds.next()), [(0, 75)]);
    rounds.take(0, progress(75, 10, &[(0, true)]));
    assert_eq!(runs(&rounds.next()), [(0, 100)]);
    rounds.take(0, EntryProgress { is_over: true, ..progress(100, 10, &[(0, true)]) });
    assert_eq!((rounds.next(), rounds.endings().collect::<Vec<_>>()), (Vec::new(), vec![(1, Ending::Idle)]));
    assert_eq!(rounds.into_parts(), (vec![Some(true)], 1_000_000_000 - 1_010));
}

#[test]
fn few_entries_get_all_runs_and_the_last_ones_show_whether_more_are_of_use() {
    let mut rounds = Rounds::new(plan(1, &[&[0], &[0]], 1_000_000_000), None);
    rounds.next();
    assert!((0..2).all(|entry| !rounds.take(entry, progress(1, 10_000, &[]))));
    assert_eq!(runs(&rounds.next()), [(0, 75), (1, 75)]);
    let mut all = |runs: u32, is_over, reached: &[(usize, bool)]| {
        [0, 1].map(|entry| rounds.take(entry, EntryProgress { is_over, ..progress(runs, 10_000, reached) }))
    };
    assert_eq!(all(1, false, &[]), [false, false]);
    assert_eq!(all(75, false, &[]), [false, false]);
    // That another runs concurrently is news only once.
    assert_eq!(all(100, true, &[(0, true)]), [true, false]);
}

/// A site that is not reached concurrently is no aim for a test with one thread.
#[test]
fn if_not_all_fit_what_has_one_thread_ends_early() {
    let mut plan = plan(1, &[&[0], &[0], &[0]], 15_000_000);
    plan.static_reach[2].starts = true;
    let mut rounds = Rounds::new(plan, None);
    rounds.next();
    let mut last = [1; 3];
    let one = |runs, is_concurrent| EntryProgress { is_concurrent, ..progress(runs, 100_000, &[(0, false)]) };
    for entry in 0..3 {
        rounds.take(entry, one(1, entry == 0));
    }
    loop {
        let round = rounds.next();
        if round.is_empty() {
            break;
        }
        for (entry, quota) in round {
            last[entry] = quota.runs;
            rounds.take(entry, one(quota.runs, entry == 0));
        }
    }
    // The first one gets what is left.
    assert_eq!(last, [100, FEW_RUNS_WITHOUT_AIM, FIRST_RUNS]);
}

#[test]
fn if_not_all_fit_costly_tests_with_one_thread_end_at_once() {
    let mut rounds = Rounds::new(plan(2, &[&[0, 1], &[0, 1]], 4_000_000), None);
    rounds.next();
    let reached = [(0, true)];
    rounds.take(0, EntryProgress { is_concurrent: false, ..progress(1, 500_000, &reached) });
    rounds.take(1, EntryProgress { is_concurrent: false, ..progress(1, 500_000, &reached) });
    // The first one has reached something new.
    assert_eq!(runs(&rounds.next()), [(0, 4)]);
}

#[test]
fn if_not_all_fit_pairs_of_calls_get_all_their_runs() {
    let mut rounds = Rounds::new(plan(1, &[&[0], &[0]], 15_000_000), None);
    rounds.next();
    for runs in [1, 40] {
        rounds.take(0, EntryProgress { is_varied: true, ..progress(runs, 100_000, &[(0, true)]) });
        rounds.take(1, progress(runs, 100_000, &[(0, true)]));
    }
    assert_eq!(runs(&rounds.next()), [(0, 100)]);
}

#[test]
fn if_not_all_fit_those_that_reach_something_new_go_on() {
    // One run of both for 100,000 steps; both to the end would cost 20,000,000.
    let mut rounds = Rounds::new(plan(9, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8], &[0]], 15_000_000), None);
    rounds.next();
    let mut reached = 0;
    let mut runs_of = [1, 1];
    for entry in 0..2 {
        rounds.take(entry, progress(1, 100_000, &[(0, true)]));
    }
    loop {
        let round = rounds.next();
        if round.is_empty() {
            break;
        }
        for (entry, allotment) in round {
            runs_of[entry] = allotment.runs;
            reached += usize::from(entry == 0);
            // The first one reaches one more site in each round.
            let sites: Vec<_> = (0..=reached.min(8)).map(|site| (site, true)).collect();
            rounds.take(entry, progress(allotment.runs, 100_000, if entry == 0 { &sites } else { &[(0, true)] }));
        }
    }
    // After half of its runs it still reaches something new. The other one ends early, and few steps are left for it.
    assert_eq!(runs_of, [200, 16]);
}

#[test]
fn pairs_of_calls_get_more_runs_while_few_steps_are_spent() {
    let runs_with = |all: u64| {
        let mut rounds = Rounds::new(plan(1, &[&[0], &[0]], all), None);
        rounds.next();
        let mut done = [(1, 1); 2];
        loop {
            for (entry, (runs, extension)) in done.into_iter().enumerate() {
                let most_runs = 100 * extension;
                let is_full = runs >= most_runs;
                let progress = progress(runs, 1_000, &[(0, true)]);
                rounds.take(entry, EntryProgress { is_varied: entry == 0, most_runs, is_full, ..progress });
            }
            let round = rounds.next();
            if round.is_empty() {
                return done.map(|(runs, _)| runs);
            }
            round.iter().for_each(|(entry, quota)| done[*entry] = (quota.runs, quota.extension));
        }
    };
    assert_eq!(runs_with(4_000_000_000), [1_600, 100]);
    // More than half of the steps are spent before.
    assert_eq!(runs_with(300_000), [100, 100]);
}

#[test]
fn a_run_that_ends_before_its_sites_gets_a_longer_one_while_that_is_of_use() {
    let mut rounds = Rounds::new(plan(2, &[&[0, 1], &[]], 4_000_000_000), None);
    rounds.next();
    let long = |runs, cost, reached: &[(usize, bool)]| EntryProgress {
        cost,
        hits_bound: true,
        is_concurrent: false,
        ..progress(runs, 0, reached)
    };
    rounds.take(0, long(1, 1_000_000, &[]));
    rounds.take(1, EntryProgress { is_over: true, ..progress(1, 1, &[]) });
    let mut lengths = Vec::new();
    let mut cost = 1_000_000;
    for run in 2..=4 {
        let round = rounds.next();
        let [(0, allotment)] = round.as_slice() else { panic!("{round:?}") };
        lengths.push((allotment.max_steps, allotment.is_extended));
        cost += allotment.max_steps;
        // The second one of them reaches a site.
        rounds.take(0, long(run, cost, if run == 3 { &[(0, false)] } else { &[] }));
    }
    assert_eq!(lengths, [(4_000_000, true), (16_000_000, true), (64_000_000, true)]);
    // There is nothing longer, so all are as long as that.
    let round = rounds.next();
    assert_eq!((runs(&round), round[0].1.max_steps), (vec![(0, 75)], 64_000_000));
}

#[test]
fn few_entries_that_start_programs_get_longer_runs_at_once() {
    let mut plan = plan(1, &[&[0][..]; 10], 4_000_000_000);
    plan.static_reach[..9].iter_mut().for_each(|it| it.is_indirect = true);
    let mut rounds = Rounds::new(plan, None);
    rounds.next();
    let long = |runs, reached: &[(usize, bool)]| EntryProgress {
        hits_bound: true,
        is_concurrent: false,
        ..progress(runs, 1_000_000, reached)
    };
    (0..10).for_each(|entry| _ = rounds.take(entry, long(1, &[])));
    // The program itself, and some of the others.
    assert_eq!(runs(&rounds.next()), [(0, 2), (2, 2), (4, 2), (8, 2), (9, 2)]);
}

#[test]
fn many_entries_that_start_programs_begin_with_a_short_run() {
    let all = MANY_INDIRECT + 1;
    let mut plan = plan(1, &vec![&[0][..]; all], 400_000_000);
    plan.static_reach[1..].iter_mut().for_each(|it| it.is_indirect = true);
    let mut rounds = Rounds::new(plan, None);
    let first = rounds.next();
    let usual = first[0].1.max_steps;
    assert!(usual > SHORT_RUN && first[1..].iter().all(|(_, it)| it.max_steps == SHORT_RUN));
    let short = EntryProgress { hits_bound: true, ..progress(1, SHORT_RUN, &[]) };
    (0..all).for_each(|entry| _ = rounds.take(entry, short.clone()));
    let next = rounds.next();
    let long = next.iter().filter(|(_, it)| it.max_steps == LONGER * usual).count();
    assert_eq!(long, 1 + INDIRECT_AT_ONCE, "{next:?}");
}

#[test]
fn fruitless_long_runs_are_not_repeated() {
    let mut rounds = Rounds::new(plan(1, &[&[0], &[]], 4_000_000_000), None);
    rounds.next();
    let long = |runs, cost| EntryProgress { cost, hits_bound: true, is_only_run: true, ..progress(runs, 0, &[]) };
    rounds.take(0, long(1, 1_000_000));
    rounds.take(1, EntryProgress { is_over: true, ..progress(1, 1, &[]) });
    for run in 2..=1 + FRUITLESS {
        let round = rounds.next();
        assert_eq!(runs(&round), [(0, run)]);
        rounds.take(0, long(run, 1_000_000 * u64::from(run)));
    }
    assert_eq!((rounds.next(), rounds.endings().collect::<Vec<_>>()), (Vec::new(), vec![(0, Ending::Complete)]));
}

#[test]
fn rounds_end_when_the_steps_do() {
    let mut rounds = Rounds::new(plan(1, &[&[0], &[0]], 400_000), None);
    assert!(rounds.next().iter().all(|(_, it)| it.max_steps == SHORT_RUN));
    assert!((0..2).all(|entry| !rounds.take(entry, progress(1, 100_000, &[]))));
    let mut last = [1, 1];
    loop {
        let round = rounds.next();
        if round.is_empty() {
            break;
        }
        for (entry, allotment) in round {
            last[entry] = allotment.runs;
            rounds.take(entry, progress(allotment.runs, 100_000, &[]));
        }
    }
    assert!(last[0] + last[1] <= 8, "{last:?}");
    assert!(rounds.endings().all(|(_, ending)| ending == Ending::Curtailed(false)));
}

/// Two sites; the program is entry 0, entry 1 a test that starts it.
fn program_and_test() -> Rounds {
    let mut plan = plan(9, &[&[0, 1, 2, 3, 4, 5, 6, 7, 8], &[0, 1, 2, 3, 4, 5, 6, 7, 8]], 1_000_000);
    plan.static_reach[1].is_indirect = true;
    let mut rounds = Rounds::new(plan, None);
    rounds.next();
    rounds.take(0, progress(1, 10_000, &[(0, true)]));
    rounds.take(1, progress(1, 10_000, &[]));
    rounds
}

#[test]
fn tests_that_start_a_program_wait_while_it_reaches_something_new() {
    let mut rounds = program_and_test();
    assert_eq!(runs(&rounds.next()), [(0, 4)]);
    rounds.take(0, progress(4, 10_000, &[(1, true)]));
    assert_eq!(runs(&rounds.next()), [(0, 16)]);
    rounds.take(0, progress(16, 10_000, &[]));
    assert_eq!(runs(&rounds.next()), [(0, 34), (1, 4)]);
}

#[test]
fn tests_that_start_a_program_wait_for_its_first_runs() {
    let mut plan = plan(1, &[&[0], &[0]], 1_000_000);
    plan.static_reach[1].is_indirect = true;
    let mut rounds = Rounds::new(plan, None);
    rounds.next();
    (0..2).for_each(|entry| _ = rounds.take(entry, progress(1, 10_000, &[])));
    assert_eq!(runs(&rounds.next()), [(0, 4)]);
    rounds.take(0, progress(4, 10_000, &[]));
    assert_eq!(runs(&rounds.next()), [(0, 16), (1, 4)]);
}

#[test]
fn what_is_left_goes_to_those_that_may_still_reach_something() {
    let mut rounds = Rounds::new(plan(2, &[&[0, 1], &[0]], 1_000_000), None);
    rounds.next();
    rounds.take(0, progress(1, 10_000, &[(0, true)]));
    rounds.take(1, progress(1, 10_000, &[]));
    let mut last = Vec::new();
    loop {
        let round = rounds.next();
        if round.is_empty() {
            break;
        }
        last = runs(&round);
        round.iter().for_each(|(entry, quota)| _ = rounds.take(*entry, progress(quota.runs, 10_000, &[])));
    }
    // The second one ended without news. These runs cost more steps than were left.
    assert_eq!(last, [(0, 75)]);
}

#[test]
fn a_round_spends_half_of_the_steps_that_are_left() {
    let all: [&[usize]; 20] = [&[0]; 20];
    let mut rounds = Rounds::new(plan(1, &all, 16_000_000), None);
    rounds.next();
    (0..20).for_each(|entry| _ = rounds.take(entry, progress(1, 100_000, &[])));
    // 14,000,000 are left. Four runs of each entry would cost 6,000,000, their next twelve 24,000,000.
    let second = rounds.next();
    assert_eq!(second.len(), 20);
    second.iter().for_each(|(entry, quota)| _ = rounds.take(*entry, progress(quota.runs, 100_000, &[])));
    let third = rounds.next();
    assert_eq!(runs(&third), [(0, 16), (1, 16), (2, 16)]);
    third.iter().for_each(|(entry, quota)| _ = rounds.take(*entry, progress(quota.runs, 100_000, &[])));
    assert_eq!(runs(&rounds.next()), [(3, 16)]);
}

#[test]
fn a_program_goes_on_while_its_runs_took_less_than_half_of_all_steps() {
    let order = |is_program: bool| {
        let mut plan = plan(2, &[&[0, 1], &[0, 1]], 40_000_000);
        plan.static_reach[0].is_program = is_program;
        plan.static_reach[1].is_indirect = true;
        let mut rounds = Rounds::new(plan, None);
        rounds.next();
        (0..2).for_each(|entry| _ = rounds.take(entry, progress(1, 100_000, &[(0, true)])));
        let mut all = Vec::new();
        loop {
            let round = rounds.next();
            if round.is_empty() {
                return all;
            }
            for (entry, quota) in round {
                all.push((entry, quota.runs));
                let (most_runs, done) = (100 * quota.extension, progress(quota.runs, 200_000, &[]));
                rounds.take(entry, EntryProgress { most_runs, ..done });
            }
        }
    };
    // So many runs come before the first of the test that starts it.
    let before = |order: &[(usize, u32)]| order.iter().take_while(|it| it.0 == 0).map(|it| it.1).max();
    assert_eq!((before(&order(true)), before(&order(false))), (Some(137), Some(75)));
}

#[test]
fn an_entry_ends_after_as_many_runs_without_news_as_it_took_to_the_last() {
    let mut rounds = program_and_test();
    rounds.next();
    rounds.take(0, progress(4, 1_000, &[(1, true)]));
    rounds.next();
    rounds.take(0, progress(16, 1_000, &[(2, true)]));
    rounds.next();
    rounds.take(0, progress(25, 1_000, &[(3, true)]));
    rounds.next();
    rounds.take(0, progress(40, 1_000, &[]));
    assert_eq!(rounds.more_runs(&rounds.entries[0]), 50);
    rounds.take(0, progress(50, 1_000, &[]));
    assert_eq!(rounds.more_runs(&rounds.entries[0]), 50);
}

#[test]
fn what_takes_most_of_a_long_round_is_split() {
    let split = |round: &[(usize, RunQuota)]| round.iter().map(|(_, it)| it.is_split).collect::<Vec<_>>();
    let after_first = |steps: [u64; 2]| {
        let mut rounds = Rounds::new(plan(1, &[&[0], &[0]], 1_000_000_000), None);
        rounds.next();
        for (entry, steps) in steps.into_iter().enumerate() {
            rounds.take(entry, progress(1, steps, &[]));
        }
        split(&rounds.next())
    };
    assert_eq!(after_first([900_000, 100_000]), [true, false]);
    assert_eq!(after_first([900_000, 900_000]), [false, false]);
    assert_eq!(after_first([200_000, 100_000]), [false, false], "it is short");
}

#[test]
fn two_shards_are_one_entry() {
    let first = EntryProgress { is_full: true, hits_bound: true, ..progress(40, 10, &[(0, false)]) };
    let both = first.with(EntryProgress { is_over: true, ..progress(20, 10, &[(0, true), (1, false)]) });
    assert_eq!((both.runs, both.most_runs, both.cost), (60, 100, 600));
    assert!(!both.is_full && !both.is_over && both.hits_bound);
    let mut rounds = Rounds::new(plan(2, &[&[0, 1]], 1_000_000_000), None);
    rounds.next();
    rounds.take(0, both.clone());
    assert_eq!(rounds.reached, [Some(true), Some(false)]);
    assert!(both.with(progress(40, 10, &[])).is_full);
}
