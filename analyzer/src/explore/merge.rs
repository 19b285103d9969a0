//! Merges the findings of all runs by root cause (decision 16), and counts the schedules that show each.

use super::{
    contrast::{self, Contrasts},
    control,
    entry_runner::EntryRunner,
    harness::HarnessFilter,
    minimise::{self, Recording},
};
use crate::{
    diagnostic::{Confidence, Diagnostic, Level},
    rules,
    sites::BodySite,
};
use interp::{
    finding::{Finding, FindingKind, Owner, StackEntry},
    ir::GlobalId,
    run::{Config, Map, RunOutcome},
    sched::{Recorder, Scheduler, WakeUps},
};
use std::collections::BTreeSet;

/// The sites of a finding's events, and the statics concerned. Findings with equal `Sites` are the same; the rule need
/// not be asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sites {
    kind: FindingKind,
    /// Whether it comes behind another deadlock.
    is_behind: bool,
    events: Vec<(Option<StackEntry>, Option<GlobalId>)>,
}

impl Sites {
    pub(super) fn kind(&self) -> FindingKind {
        self.kind
    }

    /// In an order that does not depend on which thread came first.
    pub(super) fn of(finding: &Finding) -> Sites {
        let global = |owner| match owner {
            Owner::Global(id) => Some(id),
            _ => None,
        };
        let event = |event: &interp::finding::Event| {
            (StackEntry::nearest(&event.stack), event.action.object().and_then(|object| global(object.owner)))
        };
        let mut events: Vec<_> = finding.events.iter().map(event).collect();
        events.sort_unstable();
        Sites { kind: finding.kind, is_behind: finding.behind.is_some(), events }
    }
}

/// The same for another worker, whose functions have other numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct SourceSites {
    kind: FindingKind,
    is_behind: bool,
    events: Vec<Option<BodySite>>,
}

impl SourceSites {
    pub(super) fn of(finding: &Finding, entry: &EntryRunner<'_>) -> SourceSites {
        let nearest = finding.events.iter().map(|event| StackEntry::nearest(&event.stack));
        let events = nearest.map(|at| at.and_then(|at| entry.site(at.func, at.site))).collect();
        SourceSites { kind: finding.kind, is_behind: finding.behind.is_some(), events }
    }
}

/// A root cause.
struct RootCause {
    diagnostic: Diagnostic,
    /// Those of the first finding.
    sites: Sites,
    /// The first run that showed it.
    recording: Recording,
    /// Whether it depended on guesses, but shows whatever is guessed.
    shows_either_way: bool,
    /// The number of runs that showed it.
    runs: u32,
    /// The last of these runs.
    last_run: u32,
    /// The calls that a harness makes at once there, if it is a race between them.
    calls: Vec<String>,
}

impl RootCause {
    /// Whether its rule is on trial: such findings change nothing in an exploration.
    fn is_on_trial(&self) -> bool {
        rules::rule(self.diagnostic.rule).is_some_and(|rule| rule.is_on_trial)
    }
}

/// The findings of an entry's runs, by root cause.
#[derive(Default)]
pub(super) struct RootCauses {
    causes: Vec<RootCause>,
    /// The cause for these sites; `None` if all of them are in dependencies.
    known: Map<Sites, Option<usize>>,
    /// Findings after *unknown* values, and whether they show whatever is guessed.
    doubtful: Map<Sites, bool>,
    /// Steps of the experiments.
    experimented: u64,
    /// Findings that depend on guesses, merged by root cause.
    pub(super) possible: Vec<Diagnostic>,
    /// The number of findings that are entirely in dependencies.
    pub(super) elsewhere: usize,
    runs: u32,
}

impl RootCauses {
    /// Adds the findings of a run.
    pub(super) fn take<S: Scheduler>(
        &mut self,
        outcome: &RunOutcome,
        config: &Config,
        recorder: &Recorder<S>,
        entry: &mut EntryRunner<'_>,
    ) {
        self.runs += 1;
        for finding in outcome.findings.iter().filter(|it| counts_under(it, config.wake_ups)) {
            if rules::waits_on_purpose(finding, entry) || !entry.is_meant(finding) {
                continue;
            }
            let sites = Sites::of(finding);
            let settled;
            let finding = match is_shown(finding) {
                true => finding,
                false => match self.beside_guesses(finding, &sites, config, recorder, entry) {
                    Some(finding) => {
                        settled = finding;
                        &settled
                    }
                    None => continue,
                },
            };
            let index = match self.known.get(&sites) {
                Some(known) => *known,
                None => {
                    let index = self.add(finding, &sites, config, recorder, entry);
                    self.known.insert(sites, index);
                    index
                }
            };
            if let Some(cause) = index.and_then(|index| self.causes.get_mut(index))
                && cause.last_run != self.runs
            {
                cause.last_run = self.runs;
                cause.runs += 1;
            }
        }
    }

    /// The finding without its dependence on guesses if none controls it. Otherwise it is kept as possible.
    fn beside_guesses<S: Scheduler>(
        &mut self,
        finding: &Finding,
        sites: &Sites,
        config: &Config,
        recorder: &Recorder<S>,
        entry: &mut EntryRunner<'_>,
    ) -> Option<Finding> {
        let shows_either_way = match self.doubtful.get(sites) {
            Some(known) => *known,
            None => {
                let recording = Recording::of(finding, config, recorder);
                let shows = control::shows_either_way(finding, &recording, entry, &mut self.experimented);
                self.doubtful.insert(sites.clone(), shows);
                if !shows {
                    self.add_possible(finding, entry);
                }
                shows
            }
        };
        shows_either_way.then(|| control::beside_guesses(finding)).filter(is_shown)
    }

    /// Whether there is no certain finding; those of rules on trial do not count.
    pub(super) fn is_empty(&self) -> bool {
        self.causes.iter().all(|cause| cause.is_on_trial())
    }

    /// The steps of the experiments.
    pub(super) fn experimented(&self) -> u64 {
        self.experimented
    }

    /// Whether there is no finding of any sort.
    pub(super) fn is_silent(&self) -> bool {
        self.causes.is_empty() && self.possible.is_empty() && self.elsewhere == 0
    }

    /// Adds a possible finding.
    fn add_possible(&mut self, finding: &Finding, entry: &mut EntryRunner<'_>) {
        let Some(mut diagnostic) = rules::diagnose(finding, entry) else {
            self.elsewhere += 1;
            return;
        };
        diagnostic.level = Level::Warning;
        match self.possible.iter_mut().find(|known| known.is_same_bug(&diagnostic)) {
            Some(known) => known.absorb(diagnostic),
            None => self.possible.push(diagnostic),
        }
    }

    /// The cause for sites that are new.
    fn add<S: Scheduler>(
        &mut self,
        finding: &Finding,
        sites: &Sites,
        config: &Config,
        recorder: &Recorder<S>,
        entry: &mut EntryRunner<'_>,
    ) -> Option<usize> {
        let Some(diagnostic) = rules::diagnose(finding, entry) else {
            self.elsewhere += 1;
            return None;
        };
        let is_same = |known: &RootCause| known.diagnostic.is_same_bug(&diagnostic);
        let known = self.causes.iter().position(is_same);
        let is_behind = |known: &RootCause| known.sites.is_behind && !sites.is_behind;
        if let Some(index) = known.filter(|index| !is_behind(&self.causes[*index])) {
            self.causes[index].diagnostic.absorb(diagnostic);
            return Some(index);
        }
        let recording = Recording::of(finding, config, recorder);
        let shows_either_way = self.doubtful.get(sites) == Some(&true);
        let sites = sites.clone();
        let calls = match finding.kind {
            FindingKind::DataRace => entry.racing_calls(finding),
            _ => Vec::new(),
        };
        if let Some(index) = known {
            // A run that shows it without another one before it explains it better.
            let cause = &mut self.causes[index];
            let before = std::mem::replace(&mut cause.diagnostic, diagnostic);
            cause.diagnostic.absorb(before);
            (cause.sites, cause.recording, cause.shows_either_way) = (sites, recording, shows_either_way);
            return Some(index);
        }
        self.causes.push(RootCause { diagnostic, sites, recording, shows_either_way, runs: 0, last_run: 0, calls });
        Some(self.causes.len() - 1)
    }

    /// A diagnostic for each cause, in order of discovery, each with its shortest schedule; and the number of causes
    /// that are left out because their schedule does not show them again.
    pub(super) fn diagnostics(
        self,
        name: &str,
        runs: u32,
        contrasts: &Contrasts,
        judgement: &HarnessFilter,
        entry: &mut EntryRunner<'_>,
    ) -> (Vec<Diagnostic>, usize) {
        let mut spent = 0;
        let mut reported: Vec<Diagnostic> = Vec::new();
        let mut unconfirmed = 0;
        // Two calls that race once mostly race again, on all that they use: one report is enough.
        let mut racing: Map<Vec<String>, usize> = Map::default();
        for cause in self.causes {
            if let Some(index) = racing.get(&cause.calls) {
                let first: &mut Diagnostic = &mut reported[*index];
                first.absorb(cause.diagnostic);
                continue;
            }
            let wanted = WantedFinding { sites: cause.sites, shows_either_way: cause.shows_either_way };
            let only = judgement.only_call(&cause.recording.witness);
            let shortest = minimise::minimise(cause.recording, &wanted, only, entry, &mut spent);
            let shortest =
                shortest.and_then(|(witness, finding)| Some((witness, rules::diagnose(&finding, entry)?, finding)));
            let Some((witness, mut diagnostic, finding)) = shortest else {
                unconfirmed += 1;
                continue;
            };
            if rules::policy(finding.kind).needs_contrast {
                // Other inputs may have been tried meanwhile.
                let (config, schedule) = (witness.config(), witness.schedule.clone());
                let known = contrasts.schedule(&SourceSites::of(&finding, entry));
                let Some(contrast) = contrast::find(&wanted.sites, &config, schedule, known, entry, &mut spent) else {
                    continue;
                };
                rules::add_contrast(&mut diagnostic, &finding, entry, contrast.parting);
            }
            diagnostic.absorb(cause.diagnostic);
            diagnostic.set_witness(name, &witness);
            diagnostic.shown_by = (cause.runs, runs);
            if !cause.calls.is_empty() {
                racing.insert(cause.calls, reported.len());
            }
            reported.push(diagnostic);
        }
        (without_consequences(reported), unconfirmed)
    }
}

/// A finding that is looked for in other runs.
#[derive(Clone)]
pub(super) struct WantedFinding {
    pub(super) sites: Sites,
    /// Whether it is known to show whatever is guessed.
    pub(super) shows_either_way: bool,
}

impl WantedFinding {
    /// The reported form of the finding, if a run with these wake-ups found it.
    pub(super) fn find(&self, found: &[Finding], wake_ups: WakeUps, entry: &EntryRunner<'_>) -> Option<Finding> {
        let same = found.iter().filter(|finding| Sites::of(finding) == self.sites);
        let reported = same.map(|finding| match self.shows_either_way && !is_shown(finding) {
            true => control::beside_guesses(finding),
            false => finding.clone(),
        });
        reported.into_iter().find(|finding| is_reported(finding, wake_ups, entry))
    }
}

/// Removes findings that another rule absorbs (decision 15): all their lines are lines of one of that rule's findings.
fn without_consequences(reported: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_consequence = |it: &Diagnostic| {
        reported.iter().any(|other| {
            let absorbs = rules::rule(other.rule).is_some_and(|rule| rule.absorbs.contains(&it.rule));
            absorbs && lines(it).is_subset(&lines(other))
        })
    };
    let is_kept: Vec<bool> = reported.iter().map(|it| !is_consequence(it)).collect();
    reported.into_iter().zip(is_kept).filter_map(|(it, is_kept)| is_kept.then_some(it)).collect()
}

/// The lines of a finding's locations.
fn lines(diagnostic: &Diagnostic) -> BTreeSet<(&str, u32)> {
    let locations = std::iter::once(&diagnostic.primary).chain(diagnostic.others.iter().map(|other| &other.location));
    locations.map(|location| (location.path.as_str(), location.line)).collect()
}

/// Whether a finding is reported: it counts under these wake-ups, depends on no *unknown* value, and says something
/// about the program.
pub(super) fn is_reported(finding: &Finding, wake_ups: WakeUps, entry: &EntryRunner<'_>) -> bool {
    counts_under(finding, wake_ups) && is_shown(finding) && entry.is_meant(finding)
}

/// Whether a finding counts if waits may end early (decision 12): with adversarial time, only if it does not depend on
/// time.
fn counts_under(finding: &Finding, wake_ups: WakeUps) -> bool {
    wake_ups != WakeUps::AdversarialTime || !rules::policy(finding.kind).rests_on_time
}

/// Whether a finding depends on no *unknown* value (decision 6).
pub(super) fn is_shown(finding: &Finding) -> bool {
    rules::confidence(finding) != Confidence::Possible
}

#[cfg(test)]
mod tests {
    use super::{Contrasts, EntryRunner, RootCauses};
    use crate::project::{self, Input, LoadOptions};
    use interp::{
        run::Config,
        sched::{RandomWalk, Recorder, Scheduler},
    };

    #[test]
    fn what_its_schedule_does_not_show_again_is_left_out() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/race/static_mut/bug.rs");
        let project = project::load(&Input::from_path(file), &LoadOptions::default()).unwrap();
        project.with_db(|project| {
            let mut entry = EntryRunner::new(project, &project.binaries()[0]);
            let config = Config::default();
            let mut recorder = Recorder::new(RandomWalk::new());
            recorder.begin_run(config.seed);
            let outcome = entry.run(&config, &mut recorder);
            let mut reported = |is_another: bool| {
                let mut causes = RootCauses::default();
                causes.take(&outcome, &config, &recorder, &mut entry);
                // As if another program's run had shown it.
                causes.causes.iter_mut().filter(|_| is_another).for_each(|cause| cause.sites.events.clear());
                let (reported, unconfirmed) =
                    causes.diagnostics("test", 1, &Contrasts::default(), &super::HarnessFilter::default(), &mut entry);
                (reported.len(), unconfirmed)
            };
            assert_eq!((reported(false), reported(true)), ((1, 0), (0, 1)));
        });
    }
}
