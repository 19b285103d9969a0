//! The exploration of one entry: its runs so far, and what they showed. It is made in pieces, by any worker: between
//! them it refers to no code that was generated.

use super::{
    Options, PANICKED,
    call_pairs::CallPairs,
    command_words::CommandWords,
    contrast::Contrasts,
    entry_runner::{Causes, EntryRunner},
    harness::{HarnessFilter, LONE_RUNS},
    merge::RootCauses,
    portfolio::Portfolio,
    prefix::Prefixes,
    rounds::{Ending, EntryProgress},
};
use crate::{
    budget,
    outcome::{Explored, Uninterpreted, UnknownReason},
    project::{EntryKind, EntryPoint, Location},
    report_text::run_ends,
    sites::{BodySite, Sites},
};
use indexmap::IndexSet;
use interp::{
    ir::{FnId, Site},
    rng,
    run::{Bound, Config, GoesBehind, Jitter, Map, RunEnd},
    sched::{PointKind, Recorder, Scheduler},
    term::Source,
};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::ops::ControlFlow;

/// If so many runs have all ended with a panic of the first thread, the following ones go on behind it.
const PANICS: u32 = 16;

/// Whether a run ended with a panic of the first thread: of `main`, the runtime makes a status.
fn is_panic(end: &RunEnd) -> bool {
    matches!(end, RunEnd::Panicked) || *end == RunEnd::Returned(PANICKED)
}

/// The runs of an entry so far.
pub(super) struct Exploration {
    seed: u64,
    explored: Explored,
    reached: Map<BodySite, bool>,
    ends: Map<String, u32>,
    causes: Causes,
    findings: RootCauses,
    portfolio: Portfolio,
    prefixes: Prefixes,
    /// How late threads may wake.
    jitter: Jitter,
    /// Maximum number of steps before schedules can differ, if that is more than those of a run.
    prefix_steps: u64,
    judgement: HarnessFilter,
    pairs: CallPairs,
    contrasts: Contrasts,
    command_words: CommandWords,
    /// The most threads of a run.
    threads: usize,
    /// Whether the last run ended at the bound on steps.
    hits_bound: bool,
    /// Whether all runs ended with a panic of the first thread.
    always_panics: bool,
    /// Whether runs go on behind such panics.
    is_behind_panics: bool,
    /// Whether it has had all its runs or steps.
    is_full: bool,
    is_over: bool,
}

/// Runs that an entry gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunQuota {
    /// With the runs that it has had.
    pub(super) runs: u32,
    /// Maximum number of steps of a run.
    pub(super) max_steps: u64,
    /// Whether that is more than other entries get.
    pub(super) is_extended: bool,
    /// Maximum number of steps of all its runs, those that it has had included.
    pub(super) steps: u64,
    /// How many times as many runs and steps as usual it may have in all.
    pub(super) extension: u32,
    /// Whether its runs are made in two shards.
    pub(super) is_split: bool,
}

impl Exploration {
    /// Nothing has run yet.
    pub(super) fn new(point: &EntryPoint, options: &Options) -> Exploration {
        Exploration {
            seed: rng::seed_from(&point.path(), options.seed),
            explored: Explored::default(),
            reached: Map::default(),
            ends: Map::default(),
            causes: Causes::default(),
            findings: RootCauses::default(),
            portfolio: Portfolio::new(options),
            prefixes: Prefixes::default(),
            jitter: options.jitter.unwrap_or(Jitter::USUAL),
            prefix_steps: options.prefix_steps.filter(|_| point.kind == EntryKind::Main).unwrap_or_default(),
            judgement: HarnessFilter::default(),
            pairs: CallPairs::new(point.start.harness().map(|target| target.subject)),
            contrasts: Contrasts::default(),
            command_words: CommandWords::new(point.kind == EntryKind::Main),
            threads: 0,
            hits_bound: false,
            always_panics: true,
            is_behind_panics: false,
            is_full: false,
            is_over: false,
        }
    }

    /// A second shard: it has other seeds, and knows what the first has learned.
    pub(super) fn split(&self) -> Exploration {
        Exploration {
            seed: rng::run_seed(self.seed, u64::MAX),
            explored: Explored::default(),
            reached: self.reached.clone(),
            ends: Map::default(),
            causes: Causes::default(),
            findings: RootCauses::default(),
            portfolio: self.portfolio.clone(),
            prefixes: self.prefixes.split(),
            judgement: HarnessFilter::default(),
            pairs: self.pairs.clone(),
            contrasts: Contrasts::default(),
            command_words: self.command_words.clone(),
            is_full: false,
            is_over: false,
            ..*self
        }
    }

    /// Makes the runs of an allotment. If one shows anything, all runs of the entry follow at once: what was found
    /// refers to the code of this worker.
    pub(super) fn go_on(
        &mut self,
        entry: &mut EntryRunner<'_>,
        allotment: RunQuota,
        progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) {
        self.portfolio.set_bounds(allotment);
        self.run(entry, Some(allotment.runs), progress);
    }

    /// Makes runs until there are so many, or nothing more is to be run.
    pub(super) fn run(
        &mut self,
        entry: &mut EntryRunner<'_>,
        runs: Option<u32>,
        progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) {
        let mut reached: Map<(PointKind, FnId, Site), bool> = Map::default();
        let mut behind: FxHashSet<(PointKind, FnId, Site)> = FxHashSet::default();
        let mut sources: Map<Source, u64> = Map::default();
        let mut kept = None;
        self.judgement.change_worker();
        while !self.is_over {
            let run = self.explored.runs;
            let is_silent = self.findings.is_empty();
            let wants_more = self.portfolio.wants_more(run, self.explored.steps, is_silent);
            // The rounds decide whether it may have more. For their bound, beginnings count too.
            self.is_full = runs.is_some() && !wants_more;
            let beginnings = if runs.is_some() { self.prefixes.spent() } else { 0 };
            let has_spent_share = self.portfolio.has_spent_share(self.explored.steps.saturating_add(beginnings));
            if self.findings.is_silent() && (self.is_full || runs.is_some() && has_spent_share) {
                break;
            }
            if !wants_more || has_spent_share {
                self.explored.is_curtailed = wants_more;
                self.is_over = true;
                break;
            }
            if self.findings.is_silent() && runs.is_some_and(|runs| run >= runs) {
                break;
            }
            if run > 0 && budget::has_exploration_ended() {
                self.explored.is_out_of_time = true;
                self.is_over = true;
                break;
            }
            let strategy = self.portfolio.strategy(run);
            let seed = self.command_words.seed(self.seed, run, |seed| entry.command_words(seed));
            let mut config = Config {
                seed: seed.unwrap_or_else(|| self.pairs.seed(self.seed, u64::from(run))),
                prefix_steps: self.portfolio.most_steps().max(self.prefix_steps),
                max_steps: self.portfolio.max_steps(run),
                wake_ups: strategy.wake_ups(),
                jitter: self.jitter,
                goes_behind: if self.is_behind_panics { GoesBehind::Panics } else { GoesBehind::Deadlocks },
                ..Config::default()
            };
            if self.prefixes.is_exhausted(&config) {
                self.is_over = true;
                break;
            }
            let mut recorder = Recorder::new(self.portfolio.scheduler(run));
            recorder.begin_run(config.seed);
            let (mut outcome, steps) = self.prefixes.run(&mut config, &mut recorder, entry, &mut kept);
            self.explored.runs += 1;
            let is_cancelled = progress(self.explored.runs).is_break();
            self.explored.steps += steps;
            let mut reached_new = false;
            for (point, count) in &outcome.reached {
                if count.count == 0 {
                    behind.insert(*point);
                    continue;
                }
                let is_concurrent = count.concurrent > 0;
                let known = reached.get(point).copied();
                if known.is_some_and(|known| known || !is_concurrent) {
                    continue;
                }
                reached.insert(*point, is_concurrent);
                let site = entry.site(point.1, point.2);
                reached_new |= site.is_some_and(|site| match self.reached.get(&site) {
                    Some(known) => !known && is_concurrent,
                    None => true,
                });
            }
            self.prefixes.take(outcome.reached.len(), reached_new);
            for (source, count) in &outcome.sources {
                *sources.entry(*source).or_default() += count;
            }
            self.pairs.learn(&outcome.harness_choices);
            self.command_words.take(config.seed, outcome.varies, |seed| entry.command_words(seed));
            if entry.is_harness() {
                self.judgement.judge(&mut outcome, &config, entry);
            }
            let cost = self.explored.steps + self.prefixes.spent();
            self.contrasts.judge(&mut outcome, &config, &recorder, entry, cost);
            self.findings.take(&outcome, &config, &recorder, entry);
            if let Some(text) = entry.left_out(&outcome) {
                *self.ends.entry(text).or_default() += 1;
            }
            let concurrent = outcome.reached.iter().filter(|(_, count)| count.concurrent > 0);
            let sites = concurrent.filter_map(|((_, func, site), _)| entry.site(*func, *site));
            self.portfolio.learn(run, &outcome, sites);
            self.hits_bound = outcome.end == RunEnd::Bound(Bound::Steps);
            self.threads = self.threads.max(outcome.threads);
            self.explored.is_only_run = outcome.threads <= 1 && !outcome.varies
                || entry.is_harness() && self.threads <= 1 && self.explored.runs >= LONE_RUNS;
            // What such panics hide shows if runs go on behind them.
            let counts = !entry.should_panic() && !entry.is_harness();
            self.always_panics &= is_panic(&outcome.end) && counts;
            let is_certain = self.explored.is_only_run || self.explored.runs >= PANICS;
            if self.always_panics && is_certain && !self.is_behind_panics {
                (self.is_behind_panics, self.explored.is_only_run) = (true, false);
            }
            // A longer run may show more.
            let may_be_longer = self.hits_bound && runs.is_some() && self.findings.is_silent();
            self.is_over = self.explored.is_only_run && !may_be_longer || is_cancelled || budget::is_out_of_memory();
        }
        for ((_, func, site), concurrent) in reached {
            if let Some(site) = entry.site(func, site) {
                *self.reached.entry(site).or_insert(false) |= concurrent;
            }
        }
        self.explored.behind.extend(behind.into_iter().filter_map(|(_, func, site)| entry.site(func, site)));
        for (cause, count) in entry.causes(&sources) {
            *self.causes.entry(cause).or_default() += count;
        }
    }

    /// The result, with its findings. The entry must be the one that made the last runs, if they showed anything.
    pub(super) fn finish(mut self, entry: &mut EntryRunner<'_>, point: &EntryPoint, options: &Options) -> Explored {
        let mut explored = self.explored;
        explored.behind.retain(|site| !self.reached.contains_key(site));
        explored.reached = self.reached.into_iter().collect();
        if self.always_panics && explored.runs > 0 {
            self.ends.insert(run_ends::PANIC.to_owned(), explored.runs);
        }
        explored.cut_short = self.ends.into_iter().collect();
        explored.uninterpreted = uninterpreted(self.causes);
        explored.elsewhere = self.findings.elsewhere;
        explored.possible = std::mem::take(&mut self.findings.possible);
        (explored.diagnostics, explored.unconfirmed) =
            self.findings.diagnostics(&point.path(), explored.runs, &self.contrasts, &self.judgement, entry);
        if options.records_reads {
            explored.bodies = entry.bodies();
        }
        explored.has_inputs = entry.has_dictionary();
        explored.skipped = entry.skipped();
        explored.pairs = self.pairs.result().clone();
        let shown = &explored.diagnostics;
        explored.possible.retain(|possible| !shown.iter().any(|known| known.is_same_bug(possible)));
        for diagnostic in explored.diagnostics.iter_mut().chain(&mut explored.possible) {
            diagnostic.entry = Some(point.entry_name());
        }
        explored
    }

    /// Whether no further run is of use, or allowed.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Ends it before it has had all runs.
    pub(super) fn end(&mut self, ending: Ending) {
        self.is_over = true;
        match ending {
            Ending::Idle => self.explored.is_idle = true,
            // All of them would be the same.
            Ending::Curtailed(is_promising) => {
                (self.explored.is_curtailed, self.explored.is_promising) = (true, is_promising);
            }
            Ending::Full(is_promising) => self.explored.is_promising = is_promising,
            Ending::Complete => {}
        }
    }

    /// The number of runs.
    pub(super) fn runs(&self) -> u32 {
        self.explored.runs
    }

    /// Its runs, cost and reached sites so far.
    pub(super) fn progress(&self, sites: &Sites) -> EntryProgress {
        let reached = self.reached.iter();
        EntryProgress {
            runs: self.explored.runs,
            most_runs: self.portfolio.most_runs(self.explored.steps, self.findings.is_empty()),
            cost: self.explored.steps + self.prefixes.spent() + self.findings.experimented() + self.contrasts.spent(),
            most_steps: self.portfolio.most_steps_of_entry(),
            is_full: self.is_full,
            is_over: self.is_over,
            is_only_run: self.explored.is_only_run,
            is_concurrent: self.threads > 1,
            is_varied: self.pairs.result().all > 0 && self.findings.is_empty(),
            hits_bound: self.hits_bound,
            reached: reached.filter_map(|(site, concurrent)| Some((sites.number(site)?, *concurrent))).collect(),
        }
    }
}

/// The uninterpreted values with these causes, *unknown* ones first.
pub(super) fn uninterpreted(causes: Causes) -> Option<Uninterpreted> {
    let count = causes.values().sum();
    let (unknown, others): (Vec<_>, Vec<_>) = causes.into_keys().partition(|(is_unknown, ..)| *is_unknown);
    let mut by_text: Map<(bool, String), IndexSet<Option<Location>, FxBuildHasher>> = Map::default();
    for (is_unknown, text, location) in unknown.into_iter().chain(others) {
        by_text.entry((is_unknown, text)).or_default().insert(location);
    }
    let reason = |((is_unknown, text), at): ((bool, String), IndexSet<Option<Location>, FxBuildHasher>)| {
        UnknownReason { text, is_unknown, locations: at.into_iter().collect() }
    };
    let causes = by_text.into_iter().map(reason).collect();
    (count > 0).then_some(Uninterpreted { count, causes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{self, Input, LoadOptions, Project};

    /// A variable decides whether the second test fails. Its other test gives functions other numbers.
    const TESTS: &str = r#"
        use std::{sync::Mutex, thread};
        #[test] fn first() {
            let sum: u32 = ["1", "2"].iter().map(|it| it.parse::<u32>().unwrap()).sum();
            assert_eq!(format!("{sum:?}"), "3");
        }
        #[test] fn second() {
            let sum = Mutex::new(0);
            let fails = std::env::var_os("MODE").is_some();
            thread::scope(|scope| {
                scope.spawn(|| *sum.lock().unwrap() += 1);
                scope.spawn(|| { if fails { panic!("no mode is known") } });
            });
        }
    "#;

    fn with_tests(then: impl FnOnce(&Project, &EntryPoint, &EntryPoint) + Send) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tests.rs");
        std::fs::write(&file, TESTS).unwrap();
        let options = LoadOptions { tests: true, ..LoadOptions::default() };
        let project = project::load(&Input::from_path(file.to_str().unwrap()), &options).unwrap();
        project.with_db(|project| {
            let points: Vec<EntryPoint> = project.tests().into_iter().map(|test| test.entry).collect();
            let of = |name: &str| points.iter().find(|it| it.path().ends_with(name)).unwrap();
            then(project, of("first"), of("second"))
        })
    }

    fn quota(runs: u32, steps: u64) -> RunQuota {
        RunQuota { runs, max_steps: 1_000_000, is_extended: false, steps, extension: 1, is_split: false }
    }

    #[test]
    fn an_entry_that_has_spent_its_share_of_a_round_goes_on_in_the_next() {
        with_tests(|project, _, second| {
            let mut entry = EntryRunner::new(project, second);
            let mut exploration = Exploration::new(second, &Options::default());
            let mut go_on = |quota| {
                exploration.go_on(&mut entry, quota, &mut |_| ControlFlow::Continue(()));
                (exploration.runs(), exploration.is_over())
            };
            assert_eq!(go_on(quota(4, 1)), (1, false));
            assert_eq!(go_on(quota(4, u64::MAX)), (4, false));
        });
    }

    /// Invariant 4: which worker makes the runs of a round changes nothing.
    #[test]
    fn what_was_compared_is_known_to_other_workers() {
        with_tests(|project, first, second| {
            let cost = |changes_worker: bool| {
                let mut exploration = Exploration::new(second, &Options::default());
                let mut entry = EntryRunner::new(project, second);
                for round in 1..=4 {
                    if changes_worker {
                        entry = EntryRunner::new(project, if round == 2 { first } else { second });
                        if round == 2 {
                            let mut other = Exploration::new(first, &Options::default());
                            other.go_on(&mut entry, quota(1, u64::MAX), &mut |_| ControlFlow::Continue(()));
                            entry.start_at(second, &project.programs_of(second));
                        }
                    }
                    exploration.go_on(&mut entry, quota(round * 20, u64::MAX), &mut |_| ControlFlow::Continue(()));
                }
                (exploration.contrasts.spent(), exploration.explored.steps)
            };
            let one = cost(false);
            assert!(one.0 > 0, "{one:?}");
            assert_eq!(one, cost(true));
        });
    }
}
