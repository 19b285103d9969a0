//! The synchronisation sites of a package, the call graph that leads to them, and which of them runs have reached.

use crate::{
    call_graph::CallGraph,
    explore::{self, Effort, Plan},
    project::{EntryPoint, Project},
    sites::Sites,
};
use ra_ap_base_db::Crate;
use ra_ap_hir_def::DefWithBodyId;
use rustc_hash::FxHashSet;

/// The sites of some crates, and the call graph that leads to them.
#[derive(Default)]
pub struct ReachableSites {
    pub(super) sites: Sites,
    pub(super) graph: CallGraph,
    /// For each site whether a run has reached it, and whether another thread could run then.
    reached: Vec<Option<bool>>,
    /// The bodies that runs entered.
    pub(super) entered: FxHashSet<DefWithBodyId>,
}

impl ReachableSites {
    /// That of the workspace's crates which these entries see.
    pub fn of<'a>(project: &Project, points: impl IntoIterator<Item = &'a EntryPoint>) -> ReachableSites {
        let mut crates: Vec<Crate> = Vec::new();
        for krate in points.into_iter().flat_map(|point| project.local_crates_of(point)) {
            if !crates.contains(&krate) {
                crates.push(krate);
            }
        }
        let sites = Sites::of(project, crates.iter().copied());
        let graph = CallGraph::of(project, crates);
        let reached = vec![None; sites.len()];
        ReachableSites { sites, graph, reached, entered: FxHashSet::default() }
    }

    /// The plan for some entries, which may spend so many steps.
    pub(super) fn plan(&self, project: &Project, points: &[EntryPoint], steps: u64, is_everything: bool) -> Plan {
        let static_reach = points.iter().map(|point| self.graph.static_reach(project, point, &self.sites)).collect();
        Plan { static_reach, reached: self.reached.clone(), steps, is_everything, long_round: Plan::LONG_ROUND }
    }

    /// Takes what runs of a plan did; returns the steps that are left.
    pub(super) fn take(&mut self, done: explore::PlanResult) -> u64 {
        self.entered.extend(done.entered);
        self.reached = done.reached;
        done.left
    }
}

/// The steps that are left for the entries of a workspace, and for how many entries.
pub(super) struct StepBudget {
    all: u64,
    left: u64,
    entries: usize,
    /// Whether there is one entry in all.
    pub(super) is_single: bool,
}

impl StepBudget {
    /// The steps of all entries of a workspace.
    pub(super) fn new(effort: Effort, entries: usize, is_single: bool) -> StepBudget {
        let all = Plan::steps_of_all(effort);
        StepBudget { all, left: all, entries, is_single }
    }

    /// Takes the share of so many entries.
    pub(super) fn take(&mut self, entries: usize) -> u64 {
        let of = self.entries.max(entries).max(1) as u128;
        let share = u128::from(self.left) * entries as u128 / of;
        self.entries = self.entries.saturating_sub(entries);
        let share = u64::try_from(share).unwrap_or(self.left);
        self.left -= share;
        share
    }

    /// Puts back what was not used.
    pub(super) fn put_back(&mut self, steps: u64) {
        self.left += steps;
    }

    /// Whether little is left.
    pub(super) fn is_nearly_spent(&self) -> bool {
        self.left < self.all / LITTLE
    }
}

/// One in so many steps is little.
const LITTLE: u64 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_package_does_not_use_goes_to_the_next() {
        let all = Plan::steps_of_all(Effort::Normal);
        let mut step_budget = StepBudget::new(Effort::Normal, 4, false);
        assert_eq!(step_budget.take(1), all / 4);
        step_budget.put_back(all / 4 - 3);
        assert!(!step_budget.is_nearly_spent());
        assert_eq!(step_budget.take(3), all - 3);
        assert!(step_budget.is_nearly_spent());
        assert_eq!((step_budget.take(1), step_budget.take(0)), (0, 0));
        assert_eq!(StepBudget::new(Effort::High, 0, false).take(0), 0);
    }
}
