//! The results of all entries of a package: one finding for each root cause, one summary.

use super::{
    reach::{self, EntryReach},
    reachable_sites::ReachableSites,
};
use crate::{
    diagnostic::{Diagnostic, Level},
    outcome::Explored,
    project::{EntryKind, EntryPoint, Project},
    report::{BoundReached, PairCounts, Summary, reach::Reach},
    sites::BodySite,
    suppress::Allowed,
};

/// What becomes of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingStatus {
    /// It is reported at this level.
    Reported(Level),
    /// A comment suppresses it.
    Allowed,
    /// The configuration leaves it out.
    LeftOut,
}

impl FindingStatus {
    /// What becomes of a finding of a project with these comments. None is needed at a finding that is left out anyway.
    pub fn of(project: &Project, allowed: Option<&mut Allowed>, diagnostic: &Diagnostic) -> FindingStatus {
        match project.config().level(project, diagnostic) {
            None => FindingStatus::LeftOut,
            Some(_) if allowed.is_some_and(|allowed| allowed.covers(diagnostic)) => FindingStatus::Allowed,
            Some(level) => FindingStatus::Reported(level),
        }
    }
}

/// The sum over some entries.
#[derive(Default)]
pub struct Total {
    /// The summary so far, without the sites.
    summary: Summary,
    findings: Vec<Diagnostic>,
    /// Findings that are not reported, to recognise repetitions.
    pub(super) silent: Vec<Diagnostic>,
    reached: Vec<(BodySite, bool)>,
    /// How far each entry came.
    entries: Vec<EntryReach>,
    /// The steps that are left for the package.
    pub(super) steps: u64,
    /// The features that were switched on for a further check.
    pub(super) features: Vec<String>,
    /// Whether only what they add is explored.
    pub(super) is_further: bool,
}

impl Total {
    /// The summary without the sites, for which all bodies have to be lowered.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The findings so far, in the order of the entries.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Adds the outcome of an entry; returns the findings that are reported and that no earlier entry has shown. The
    /// others are counted.
    pub fn add(
        &mut self,
        point: &EntryPoint,
        explored: &Explored,
        fate: impl FnMut(&Diagnostic) -> FindingStatus,
    ) -> Vec<Diagnostic> {
        self.add_counts(point, explored);
        self.add_findings(explored.diagnostics.iter().chain(&explored.possible), fate)
    }

    /// Adds findings, like [`Total::add`].
    pub(super) fn add_findings<'a>(
        &mut self,
        findings: impl IntoIterator<Item = &'a Diagnostic>,
        mut fate: impl FnMut(&Diagnostic) -> FindingStatus,
    ) -> Vec<Diagnostic> {
        let mut new = Vec::new();
        for diagnostic in findings {
            if !self.is_new(diagnostic) {
                continue;
            }
            let counted = usize::from(diagnostic.counts());
            match fate(diagnostic) {
                FindingStatus::Reported(level) => {
                    self.summary.bugs += counted;
                    self.summary.possible += 1 - counted;
                    let reported = Diagnostic { level, ..diagnostic.clone() };
                    self.findings.push(reported.clone());
                    new.push(reported);
                    continue;
                }
                FindingStatus::Allowed => self.summary.allowed += counted,
                FindingStatus::LeftOut => self.summary.left_out += counted,
            }
            self.silent.push(diagnostic.clone());
        }
        new
    }

    /// Adds the outcome of an entry except its findings.
    pub(super) fn add_counts(&mut self, point: &EntryPoint, explored: &Explored) {
        // A harness in a test does nothing if another one can make a value.
        if point.entry_name().is_in_test && explored.pairs.all == 0 {
            return;
        }
        let summary = &mut self.summary;
        match point.kind {
            EntryKind::Main => summary.entries.programs += 1,
            EntryKind::Test => summary.entries.tests += 1,
            EntryKind::Api => summary.entries.api += 1,
            EntryKind::Middle => summary.entries.middle += 1,
        }
        summary.in_dependencies += explored.elsewhere;
        summary.unconfirmed += explored.unconfirmed;
        summary.schedules += explored.runs;
        for (reason, runs) in &explored.cut_short {
            match summary.bounds.iter_mut().find(|known| known.reason == *reason) {
                Some(known) => known.schedules += runs,
                None => summary.bounds.push(BoundReached { reason: reason.clone(), schedules: *runs }),
            }
        }
        if let Some(unknown) = &explored.uninterpreted {
            match &mut summary.uninterpreted {
                Some(known) => known.absorb(unknown.clone()),
                none => *none = Some(unknown.clone()),
            }
        }
        summary.curtailed += usize::from(explored.is_curtailed);
        summary.promising += usize::from(explored.is_promising);
        summary.alike += usize::from(explored.is_only_run);
        summary.idle += usize::from(explored.is_idle);
        summary.out_of_time += usize::from(explored.is_out_of_time);
        summary.not_called.extend(explored.skipped.iter().cloned());
        let pairs = PairCounts { all: explored.pairs.all, overlapped: explored.pairs.overlapped.len() as u64 };
        summary.pairs.all += pairs.all;
        summary.pairs.overlapped += pairs.overlapped;
        self.reached.extend(&explored.reached);
        self.entries.push(EntryReach {
            point: point.clone(),
            reached: explored.reached.clone(),
            behind: explored.behind.iter().copied().collect(),
            ends: explored.cut_short.clone(),
            runs: explored.runs,
            pairs,
        });
    }

    /// The entries that would run functions that have not run yet.
    pub(super) fn needed(&self, project: &Project, points: Vec<EntryPoint>) -> Vec<EntryPoint> {
        let reached = project.ranges_of(self.reached.iter().map(|(site, _)| *site));
        points.into_iter().filter(|point| project.is_needed(point, &reached)).collect()
    }

    /// Two programs may have statics and functions with the same names: findings are the same bug only if they also
    /// share a file.
    fn is_new(&self, diagnostic: &Diagnostic) -> bool {
        let mut known = self.findings.iter().chain(&self.silent);
        !known.any(|known| known.is_same_bug(diagnostic) && known.primary.path == diagnostic.primary.path)
    }

    /// The findings, the summary with the synchronisation sites of the workspace: how many the entries see, and how many
    /// they reached; and each of these sites.
    pub fn finish(self, project: &Project, reachable_sites: &ReachableSites) -> (Vec<Diagnostic>, Summary, Reach) {
        let summary = Summary { features: self.features, ..self.summary };
        // A further check explores few entries, so its reach says nothing.
        if self.is_further {
            return (self.findings, summary, Reach::default());
        }
        let counts = reachable_sites.sites.count(self.reached.iter().copied());
        let reach = reach::of_package(project, reachable_sites, &self.entries);
        (self.findings, Summary { sites: counts, ..summary }, reach)
    }

    /// The same without the sites.
    pub(super) fn without_sites(self) -> (Vec<Diagnostic>, Summary) {
        (self.findings, self.summary)
    }
}
