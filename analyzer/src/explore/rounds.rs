//! Decides which entries get how many runs, and of which length (decision 32).
//!
//! A round is a pure function of the call graph and of the results of earlier rounds, in the order of the entries. Neither
//! time, the number of cores nor cached code changes it (invariant 4).

use super::{Effort, exploration::RunQuota};
use interp::run::Config;
use std::cmp::Reverse;

/// Steps of all entries of a workspace.
const MAX_STEPS_OF_ALL: u64 = 400_000_000;

/// Maximum number of steps of a run of an entry that neither synchronises nor starts a thread, as far as can be seen.
const SHORT_RUN: u64 = 100_000;

/// A run that ended at the bound on steps before sites that it may reach gets a bound of so many times the last one.
const LONGER: u64 = 4;
/// Maximum number of steps of such a run.
const LONGEST_RUN: u64 = 64_000_000;
/// So many of these runs in sequence may reach nothing new.
const FRUITLESS: u32 = 2;
/// Maximum number of entries that get longer runs in a round because they start programs: most do much the same.
const INDIRECT_AT_ONCE: usize = 4;
/// With more entries than this, the first run of those that start programs is a short one.
const MANY_INDIRECT: usize = 100;
/// The part of the steps that are left which a round may spend on them.
const PART_FOR_LONGER: u64 = 4;
/// If not every entry can get all its runs, a round spends this part of the steps that are left, as far as known: what it
/// shows decides about the rest. The last part of all steps is spent at once.
const PART_OF_ROUND: u64 = 2;
const LAST_PART: u64 = 32;

/// Runs in the first round in which an entry is scheduled, and how they grow with each round: code may have to be
/// generated again in each.
const FIRST_RUNS: u32 = 4;
const GROWTH: u32 = 4;
/// Maximum factor for the runs and steps of an entry that still reaches something new after half of them, and while more
/// than half of all steps are left.
const MOST_EXTENSION: u32 = 8;
const MOST_EARLY_EXTENSION: u32 = 32;
/// The factor up to which it doubles while the entry may reach something new, but did not.
const HOPEFUL_EXTENSION: u32 = 2;
/// The factor up to which it doubles for an entry with several threads that used up its steps before its runs.
const COSTLY_EXTENSION: u32 = 16;
/// A program that may reach something new gets more while it took less than this part of all steps: its inputs decide what
/// it reaches, and tests that start it get there in many more steps.
const PART_OF_PROGRAM: u64 = 2;
/// The factor up to which it doubles for an entry whose runs choose calls from two threads: there are many pairs, values
/// and orders.
const VARIED_EXTENSION: u32 = 16;
/// If not every entry can get all its runs, one that reaches nothing new ends after two turns of the portfolio, or after
/// as many runs as it took to reach the last new site.
const RUNS_WITHOUT_NEWS: u32 = 34;
/// The same for one that has started no thread: one turn.
const LONE_RUNS_WITHOUT_NEWS: u32 = 17;
/// The same if, in addition, others have reached all of its sites, and if others may need the steps.
const RUNS_WITHOUT_AIM: u32 = 4;
const FEW_RUNS_WITHOUT_AIM: u32 = 2;
/// If others may need the steps, one that has started no thread and reaches nothing new ends after this part of its equal
/// share of all steps.
const PART_WITHOUT_THREADS: u64 = 4;

/// The static reach of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct StaticReach {
    /// The numbers of the sites that it may reach.
    pub(crate) sites: Vec<usize>,
    /// Whether it may start threads, also in ways that are no sites.
    pub(crate) starts: bool,
    /// Whether it is a program: its inputs decide what it reaches.
    pub(crate) is_program: bool,
    /// Whether it is no program but may start one, to which its sites may belong.
    pub(crate) is_indirect: bool,
}

/// What a group of entries may spend, and what earlier ones have done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Plan {
    /// One for each entry.
    pub(crate) static_reach: Vec<StaticReach>,
    /// For each site whether a run has reached it, and whether another thread could run then.
    pub(crate) reached: Vec<Option<bool>>,
    /// The steps of these entries.
    pub(crate) steps: u64,
    /// Whether these are all entries that there are.
    pub(crate) is_everything: bool,
    /// An entry that takes more than half of the steps of a round, and so many, is explored in two shards from then on:
    /// code has to be generated for each.
    pub(crate) long_round: u64,
}

impl Plan {
    /// The usual value of [`Plan::long_round`].
    pub(crate) const LONG_ROUND: u64 = 20_000_000;

    /// The steps of all entries of a workspace.
    pub(crate) fn steps_of_all(effort: Effort) -> u64 {
        effort.times(MAX_STEPS_OF_ALL)
    }
}

/// The progress of an entry by the end of a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct EntryProgress {
    pub(super) runs: u32,
    /// The most runs that it may have.
    pub(super) most_runs: u32,
    /// The steps of its runs, and of experiments.
    pub(super) cost: u64,
    /// The most steps that all its runs may take.
    pub(super) most_steps: u64,
    /// Whether it has had all runs or steps that it may have.
    pub(super) is_full: bool,
    /// Whether no further run is of use.
    pub(super) is_over: bool,
    /// Whether another run would be the same.
    pub(super) is_only_run: bool,
    pub(super) is_concurrent: bool,
    /// Whether its runs choose which calls two threads make, and nothing was found.
    pub(super) is_varied: bool,
    /// Whether the last run ended at the bound on steps.
    pub(super) hits_bound: bool,
    /// Numbers of sites, and whether another thread could run then.
    pub(super) reached: Vec<(usize, bool)>,
}

impl EntryProgress {
    /// The progress of two shards of an entry.
    pub(super) fn with(self, other: EntryProgress) -> EntryProgress {
        let (runs, cost) = (self.runs + other.runs, self.cost + other.cost);
        let (most_runs, most_steps) = (self.most_runs.min(other.most_runs), self.most_steps.min(other.most_steps));
        let mut reached = self.reached;
        reached.extend(other.reached);
        EntryProgress {
            runs,
            most_runs,
            cost,
            most_steps,
            is_full: self.is_full && other.is_full || runs >= most_runs || cost >= most_steps,
            is_over: self.is_over && other.is_over,
            is_only_run: self.is_only_run && other.is_only_run,
            is_concurrent: self.is_concurrent || other.is_concurrent,
            is_varied: self.is_varied && other.is_varied,
            hits_bound: self.hits_bound || other.hits_bound,
            reached,
        }
    }

    /// Three quarters of so many runs; then all. The last quarter shows whether more would be of use.
    fn nearly(&self, most: u32) -> u32 {
        let nearly = most - most / 4;
        if self.runs < nearly { nearly } else { most }
    }
}

/// An entry between rounds.
#[derive(Debug)]
struct State {
    static_reach: StaticReach,
    progress: EntryProgress,
    max_steps: u64,
    /// Whether it was given longer runs than others in the last round.
    is_extended: bool,
    /// Longer runs in sequence that reached nothing new.
    fruitless: u32,
    /// Whether the last round in which it ran reached something new.
    reached_new: bool,
    /// Its runs by the end of the last round that did.
    useful_runs: u32,
    /// How many times as many runs and steps as usual it may have.
    extension: u32,
}

impl State {
    /// Lets it go on for longer if that is of use: it reaches something new, or may do so and has not been extended, or has
    /// had few schedules because each takes many steps.
    fn extend(&mut self, may_reach: bool, is_hopeful: bool, is_early: bool) {
        let EntryProgress { runs, most_runs, cost, most_steps, is_full, is_over, .. } = self.progress;
        let is_half = is_full || runs >= most_runs / 2 || cost >= most_steps / 2;
        let is_costly = is_early && self.progress.is_concurrent && cost >= most_steps && runs < most_runs;
        let is_useful = self.reached_new
            || may_reach && (is_hopeful || is_early && self.extension <= HOPEFUL_EXTENSION)
            || is_costly && self.extension < COSTLY_EXTENSION
            || is_early && self.progress.is_varied && self.extension < VARIED_EXTENSION;
        let most = if is_early { MOST_EARLY_EXTENSION } else { MOST_EXTENSION };
        if is_useful && is_half && !is_over && self.extension < most {
            self.extension *= 2;
            self.progress.most_runs = most_runs.saturating_mul(2);
            self.progress.most_steps = most_steps.saturating_mul(2);
            self.progress.is_full = false;
        }
    }

    /// Whether it has had as many runs as most entries get, and more because there are many pairs of calls.
    fn has_had_the_usual(&self) -> bool {
        let EntryProgress { runs, most_runs, is_varied, .. } = self.progress;
        is_varied && self.extension > 1 && runs >= most_runs / self.extension
    }

    /// Whether a longer run may reach more.
    fn may_be_longer(&self) -> bool {
        self.progress.hits_bound && self.fruitless < FRUITLESS
    }
}

/// How an entry ends before it has had all its runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// It neither synchronises nor starts a thread.
    Idle,
    /// There are too many entries for all runs of each; the flag says whether its last runs reached something new.
    Curtailed(bool),
    /// It has had all its runs; the flag says whether the last ones reached something new.
    Full(bool),
    /// Another run would be the same.
    Complete,
}

/// The rounds of a group of entries.
#[derive(Debug)]
pub(super) struct Rounds {
    entries: Vec<State>,
    reached: Vec<Option<bool>>,
    /// The steps that there were, and those that are left.
    steps: u64,
    left: u64,
    /// The bound on the steps of most runs.
    max_steps: u64,
    is_alone: bool,
    long_round: u64,
    has_begun: bool,
}

impl Rounds {
    pub(super) fn new(plan: Plan, max_steps: Option<u64>) -> Rounds {
        let default = Config::default().max_steps;
        // One run of each entry takes half of the steps at most.
        let share = (plan.steps / 2 / (plan.static_reach.len() as u64).max(1)).clamp(SHORT_RUN, default);
        let max_steps = max_steps.unwrap_or(share);
        let is_alone = plan.is_everything && plan.static_reach.len() == 1;
        let state = |static_reach| State {
            static_reach,
            progress: EntryProgress::default(),
            max_steps,
            is_extended: false,
            fruitless: 0,
            reached_new: false,
            useful_runs: 0,
            extension: 1,
        };
        Rounds {
            entries: plan.static_reach.into_iter().map(state).collect(),
            reached: plan.reached,
            steps: plan.steps,
            left: plan.steps,
            max_steps,
            is_alone,
            long_round: plan.long_round,
            has_begun: false,
        }
    }

    /// Takes what an entry has progress; must be called in the order of the entries. Returns whether it has had all its runs
    /// and the last of them still reached something new.
    pub(super) fn take(&mut self, entry: usize, progress: EntryProgress) -> bool {
        let mut reached_new = false;
        for (site, concurrent) in &progress.reached {
            let Some(known) = self.reached.get_mut(*site) else { continue };
            reached_new |= known.is_none() || *known == Some(false) && *concurrent;
            *known = Some(known.unwrap_or_default() | *concurrent);
        }
        let state = &mut self.entries[entry];
        self.left = self.left.saturating_sub(progress.cost.saturating_sub(state.progress.cost));
        state.reached_new = reached_new;
        if reached_new {
            state.useful_runs = progress.runs;
        }
        if state.is_extended {
            state.fruitless = if reached_new { 0 } else { state.fruitless + 1 };
        }
        let is_late = progress.is_over && !progress.is_only_run && state.progress.runs > progress.runs / 2;
        state.progress = progress;
        reached_new && is_late
    }

    /// The sites that an entry may reach and that no run has reached; if `beside`, not concurrently.
    fn open_sites(&self, entry: &State, beside: bool) -> usize {
        let is_open = |site: &&usize| match self.reached.get(**site) {
            Some(Some(concurrent)) => beside && !concurrent,
            Some(None) => true,
            None => false,
        };
        entry.static_reach.sites.iter().filter(is_open).count()
    }

    /// The next round, in the order of the entries; empty if there is none.
    pub(super) fn next(&mut self) -> Vec<(usize, RunQuota)> {
        if !self.has_begun {
            self.has_begun = true;
            return (0..self.entries.len()).map(|entry| (entry, self.first(entry))).collect();
        }
        let is_early = self.left > self.steps / 2;
        for entry in 0..self.entries.len() {
            let may_reach = self.open_sites(&self.entries[entry], true) > 0;
            let is_hopeful = self.is_hopeful(&self.entries[entry]);
            self.entries[entry].extend(may_reach, is_hopeful, is_early);
        }
        let mut left = self.left;
        let mut round = self.longer(&mut left);
        let is_longer = |entry: &usize| round.iter().any(|(it, _)| it == entry);
        let is_due = |it: &usize| self.most_runs(&self.entries[*it]) > self.entries[*it].progress.runs;
        let due: Vec<usize> = (0..self.entries.len()).filter(|it| !is_longer(it) && is_due(it)).collect();
        let cost = |entry: &State, runs: u32| {
            // A first run that was a short one says nothing about longer ones.
            let mean = match entry.progress.runs {
                1 if self.is_one_of_many(&entry.static_reach) => entry.max_steps,
                done => entry.progress.cost / u64::from(done.max(1)),
            };
            let all = mean.min(entry.max_steps).saturating_mul(runs.saturating_sub(entry.progress.runs).into());
            all.min(entry.progress.most_steps.saturating_sub(entry.progress.cost))
        };
        let all: u64 = due.iter().map(|it| &self.entries[*it]).map(|it| cost(it, self.most_runs(it))).sum();
        let fits = all <= left;
        let wish = |index: &usize, is_last: bool| {
            let entry = &self.entries[*index];
            let has_open_sites = self.open_sites(entry, true) > 0;
            let (is_indirect, is_lone) = (entry.static_reach.is_indirect, !entry.progress.is_concurrent);
            let runs = match fits || is_last && has_open_sites && !is_indirect && !is_lone {
                true => entry.progress.nearly(self.most_runs(entry)),
                false => self.more_runs(entry),
            };
            let done = entry.progress.runs;
            (runs > done).then_some((!entry.reached_new, is_lone, !has_open_sites, is_indirect, done, *index, runs))
        };
        let mut wanted: Vec<(bool, bool, bool, bool, u32, usize, u32)> =
            due.iter().filter_map(|it| wish(it, false)).collect();
        if wanted.is_empty() && round.is_empty() {
            // What is left goes to those that may still reach something.
            wanted.extend(due.iter().filter_map(|it| wish(it, true)));
        }
        // Those that reach something new come first, then those with several threads, those that may reach something new,
        // and those with few runs.
        wanted.sort_unstable();
        // A test that starts a program does mostly what the program does alone, in many more steps. What the program's first
        // runs show says little about the next ones.
        let may_show = |index: usize| {
            let entry = &self.entries[index];
            let is_young = entry.progress.runs < FIRST_RUNS && self.open_sites(entry, true) > 0;
            !entry.static_reach.is_indirect && (entry.reached_new || is_young || self.is_hopeful(entry))
        };
        if wanted.iter().map(|it| it.5).chain(round.iter().map(|it| it.0)).any(may_show) {
            wanted.retain(|(_, _, _, is_indirect, ..)| !is_indirect);
        }
        let share = left / (wanted.len() as u64).max(1);
        let (mut longest, mut all_steps) = ((0, 0), self.left - left);
        if !fits && left > self.steps / LAST_PART {
            left /= PART_OF_ROUND;
        }
        for (.., index, runs) in wanted {
            let entry = &self.entries[index];
            let (mut runs, mut cost) = (runs, cost(entry, runs));
            if cost > left && self.is_hopeful(entry) {
                // As many as fit.
                let more = runs.saturating_sub(entry.progress.runs);
                let fitting = u128::from(more) * u128::from(left) / u128::from(cost);
                (runs, cost) = (entry.progress.runs + u32::try_from(fitting).unwrap_or(more).max(1), left);
            }
            if left == 0 || cost > left && !round.is_empty() {
                continue;
            }
            left = left.saturating_sub(cost);
            let usual = share.max(cost.saturating_mul(2)).max(self.max_steps);
            let steps = entry.progress.cost.saturating_add(usual.min(self.left.max(entry.max_steps)));
            let is_extended = entry.max_steps > self.max_steps;
            let State { max_steps, extension, .. } = *entry;
            round.push((index, RunQuota { runs, max_steps, is_extended, steps, extension, is_split: false }));
            longest = longest.max((cost, index));
            all_steps += cost;
        }
        let (cost, index) = longest;
        if let Some((_, quota)) = round.iter_mut().find(|(it, _)| *it == index && cost >= self.long_round) {
            quota.is_split = cost > all_steps / 2;
        }
        round.sort_unstable_by_key(|(index, _)| *index);
        round
    }

    /// Whether it is a program that may take more steps, whatever its last runs have reached.
    fn is_hopeful(&self, entry: &State) -> bool {
        let has_open_sites = entry.progress.is_concurrent && self.open_sites(entry, true) > 0;
        entry.static_reach.is_program && has_open_sites && entry.progress.cost < self.steps / PART_OF_PROGRAM
    }

    fn first(&self, entry: usize) -> RunQuota {
        let static_reach = &self.entries[entry].static_reach;
        let is_idle = static_reach.sites.is_empty() && !static_reach.starts && !self.is_alone;
        let is_short = is_idle || self.is_one_of_many(static_reach);
        let max_steps = if is_short { self.max_steps.min(SHORT_RUN) } else { self.max_steps };
        let steps = (self.left / (self.entries.len() as u64).max(1)).max(max_steps);
        RunQuota { runs: 1, max_steps, is_extended: false, steps, extension: 1, is_split: false }
    }

    /// Many tests that start the same programs mostly do not get to them in their share; some get a longer run then.
    fn is_one_of_many(&self, static_reach: &StaticReach) -> bool {
        static_reach.is_indirect && self.entries.len() > MANY_INDIRECT
    }

    /// Longer runs of entries that ended at the bound on steps before sites that they may reach, those with the most
    /// such sites first.
    fn longer(&mut self, left: &mut u64) -> Vec<(usize, RunQuota)> {
        for entry in &mut self.entries {
            entry.is_extended = false;
            // What longer runs did not bring is not paid for again.
            if entry.fruitless >= FRUITLESS {
                entry.max_steps = self.max_steps;
            }
        }
        let mut candidates: Vec<(bool, Reverse<usize>, usize, usize)> = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let open = self.open_sites(entry, false);
            let is_short = entry.max_steps.saturating_mul(LONGER) <= LONGEST_RUN;
            let may_run = !entry.progress.is_over && !entry.progress.is_full;
            if entry.may_be_longer() && is_short && may_run && open > 0 {
                // Neighbours do much the same.
                let order = if entry.static_reach.is_indirect { index.reverse_bits() } else { index };
                candidates.push((entry.static_reach.is_indirect, Reverse(open), order, index));
            }
        }
        candidates.sort_unstable();
        let mut part = if self.is_alone { *left } else { *left / PART_FOR_LONGER };
        let (mut round, mut indirect) = (Vec::new(), 0);
        for (is_indirect, _, _, index) in candidates {
            let entry = &mut self.entries[index];
            let max_steps = entry.max_steps * LONGER;
            if max_steps > part || is_indirect && indirect == INDIRECT_AT_ONCE {
                continue;
            }
            indirect += usize::from(is_indirect);
            part -= max_steps;
            *left -= max_steps;
            (entry.max_steps, entry.is_extended) = (max_steps, true);
            let (runs, steps) = (entry.progress.runs + 1, entry.progress.cost + 2 * max_steps);
            let extension = entry.extension;
            round.push((index, RunQuota { runs, max_steps, is_extended: true, steps, extension, is_split: false }));
        }
        round
    }

    /// The most runs that are of use for an entry. One that has started no thread, and whose sites others have reached,
    /// may still start one with other inputs.
    fn most_runs(&self, entry: &State) -> u32 {
        let all = entry.progress.most_runs;
        let may_show = entry.progress.is_concurrent || self.is_alone || self.open_sites(entry, true) > 0;
        let is_too_short = entry.static_reach.is_indirect && entry.progress.hits_bound && !entry.reached_new;
        match may_show {
            // The program that it starts needs longer runs.
            _ if is_too_short => entry.progress.runs,
            _ if entry.progress.is_over || entry.progress.is_full || entry.progress.is_only_run => entry.progress.runs,
            true => all,
            false if entry.static_reach.sites.is_empty() => entry.progress.runs,
            false => RUNS_WITHOUT_AIM.min(all),
        }
    }

    /// The number of runs that an entry should have had by the end of the next round.
    fn more_runs(&self, entry: &State) -> u32 {
        // What has started no thread so far hardly reaches a site concurrently.
        let may_start = entry.static_reach.starts && entry.progress.runs < FIRST_RUNS;
        let most = match (entry.reached_new, entry.progress.is_concurrent) {
            (true, _) => self.most_runs(entry),
            (false, false) if entry.progress.cost >= self.share_without_threads() => entry.progress.runs,
            (false, false) if self.open_sites(entry, may_start) == 0 => self.most_runs(entry).min(FEW_RUNS_WITHOUT_AIM),
            // Each run makes other calls, or has other inputs.
            (false, true) if entry.progress.is_varied || self.is_hopeful(entry) => self.most_runs(entry),
            (false, true) => self.most_runs(entry).min(RUNS_WITHOUT_NEWS.max(entry.useful_runs.saturating_mul(2))),
            (false, false) => self.most_runs(entry).min(LONE_RUNS_WITHOUT_NEWS),
        };
        entry.progress.runs.saturating_mul(GROWTH).max(FIRST_RUNS).min(most)
    }

    fn share_without_threads(&self) -> u64 {
        self.steps / PART_WITHOUT_THREADS / (self.entries.len() as u64).max(1)
    }

    /// How far runs came with each site, and the steps that are left.
    pub(super) fn into_parts(self) -> (Vec<Option<bool>>, u64) {
        (self.reached, self.left)
    }

    /// How the entries that are not over end, after the last round.
    pub(super) fn endings(&self) -> impl Iterator<Item = (usize, Ending)> {
        let open = self.entries.iter().enumerate().filter(|(_, entry)| !entry.progress.is_over);
        open.map(|(index, entry)| {
            let ending = match self.open_sites(entry, true) {
                _ if entry.progress.is_full || entry.has_had_the_usual() => Ending::Full(entry.reached_new),
                _ if entry.progress.is_only_run && !entry.may_be_longer() => Ending::Complete,
                0 if !entry.progress.is_concurrent && entry.static_reach.sites.is_empty() => Ending::Idle,
                0 if !entry.progress.is_concurrent => Ending::Complete,
                open => Ending::Curtailed(entry.reached_new || entry.may_be_longer() && open > 0),
            };
            (index, ending)
        })
    }
}

#[cfg(test)]
mod tests;
