//! An entry whose runs take long is explored in two shards, so that two cores can work on it. Whether it is depends on
//! earlier rounds alone, never on the number of cores (invariant 4).

use super::{
    exploration::{Exploration, RunQuota},
    rounds::{Ending, EntryProgress},
};
use crate::{outcome::Explored, sites::Sites};
use std::mem;

/// The most shards of an entry.
pub(super) const MAX_SHARDS: usize = 2;

/// The shards of an entry.
pub(super) struct Shards(Vec<Shard>);

enum Shard {
    /// Between rounds.
    Resting(Box<Exploration>),
    /// A worker has it.
    Taken,
    Over(Box<Explored>, EntryProgress),
}

/// What a worker is to do with a shard.
pub(super) enum WorkKind {
    Run(RunQuota),
    /// No more runs.
    End(Ending),
}

/// A shard with its number, and what a worker is to do with it.
pub(super) type ShardWork = (usize, Box<Exploration>, WorkKind);

impl Shards {
    pub(super) fn new(exploration: Exploration) -> Shards {
        Shards(vec![Shard::Resting(Box::new(exploration))])
    }

    /// The work of a round, after which the entry has used up its quota.
    pub(super) fn run(&mut self, quota: RunQuota, sites: &Sites) -> Vec<ShardWork> {
        if quota.is_split
            && let [Shard::Resting(first)] = self.0.as_slice()
        {
            let second = first.split();
            self.0.push(Shard::Resting(Box::new(second)));
        }
        let total = self.progress(sites);
        let mut resting: Vec<(u32, u64, usize)> = Vec::new();
        for (number, shard) in self.0.iter().enumerate() {
            if let Shard::Resting(exploration) = shard {
                let progress = exploration.progress(sites);
                resting.push((progress.runs, progress.cost, number));
            }
        }
        // A single run goes to the shard that has had the fewest.
        resting.sort_unstable();
        let (mut runs, mut steps) = (quota.runs.saturating_sub(total.runs), quota.steps.saturating_sub(total.cost));
        let mut work = Vec::new();
        for (index, (had, cost, number)) in resting.iter().copied().enumerate() {
            let shards = resting.len() - index;
            let (more, share) = (runs.div_ceil(shards as u32), steps / shards as u64);
            (runs, steps) = (runs - more, steps - share);
            if more > 0 {
                let quota = RunQuota { runs: had + more, steps: cost.saturating_add(share), ..quota };
                work.extend(self.take(number).map(|exploration| (number, exploration, WorkKind::Run(quota))));
            }
        }
        work.sort_unstable_by_key(|(number, ..)| *number);
        work
    }

    /// Ends the shards that are not over.
    pub(super) fn end(&mut self, ending: Ending) -> Vec<ShardWork> {
        let taken = (0..self.0.len()).filter_map(|number| Some((number, self.take(number)?, WorkKind::End(ending))));
        taken.collect()
    }

    fn take(&mut self, number: usize) -> Option<Box<Exploration>> {
        let shard = self.0.get_mut(number)?;
        match mem::replace(shard, Shard::Taken) {
            Shard::Resting(exploration) => Some(exploration),
            other => {
                *shard = other;
                None
            }
        }
    }

    /// Takes a shard back after its work.
    pub(super) fn rest(&mut self, number: usize, exploration: Box<Exploration>) {
        self.0[number] = Shard::Resting(exploration);
    }

    /// Takes the result of a shard that is over.
    pub(super) fn finish(&mut self, number: usize, explored: Box<Explored>, progress: EntryProgress) {
        self.0[number] = Shard::Over(explored, progress);
    }

    /// Whether no worker has one.
    pub(super) fn are_here(&self) -> bool {
        !self.0.iter().any(|shard| matches!(shard, Shard::Taken))
    }

    /// Whether one has shown anything: then that is told, and the others end.
    pub(super) fn have_findings(&self) -> bool {
        self.0.iter().any(|shard| matches!(shard, Shard::Over(explored, _) if !explored.diagnostics.is_empty()))
    }

    /// The progress of all together.
    pub(super) fn progress(&self, sites: &Sites) -> EntryProgress {
        let all = self.0.iter().filter_map(|shard| match shard {
            Shard::Resting(exploration) => Some(exploration.progress(sites)),
            Shard::Over(_, progress) => Some(progress.clone()),
            Shard::Taken => None,
        });
        all.reduce(EntryProgress::with).unwrap_or_default()
    }

    /// The result of all together, if all are over.
    pub(super) fn explored(&mut self) -> Option<Explored> {
        if !self.0.iter().all(|shard| matches!(shard, Shard::Over(..))) {
            return None;
        }
        let all = mem::take(&mut self.0).into_iter().filter_map(|shard| match shard {
            Shard::Over(explored, _) => Some(*explored),
            Shard::Resting(_) | Shard::Taken => None,
        });
        all.reduce(Explored::with)
    }
}
