//! One finding for one root cause (design §6): findings of all runs, merged by what their rule says is the cause, with how
//! many schedules show each.

use super::{
    Witness,
    entry::Entry,
    minimise::{self, Recording},
};
use crate::{
    diagnostic::{Confidence, Diagnostic, Level},
    rules,
};
use interp::{
    finding::{Finding, Owner, Rule, StackEntry},
    ir::GlobalId,
    run::{Config, Map, RunOutcome},
    sched::{Recorder, Scheduler, WakeUps},
    term::Origin,
};
use rustc_hash::FxHashSet;

/// Where the events of a finding are, and to which statics they happen: two findings that agree in it are one, with no
/// need to ask the rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sites {
    rule: Rule,
    events: Vec<(Option<StackEntry>, Option<GlobalId>)>,
}

impl Sites {
    /// In an order that does not depend on which thread came first.
    pub(super) fn of(finding: &Finding) -> Sites {
        let site = |stack: &[StackEntry]| stack.iter().find(|it| it.is_local).or(stack.first()).copied();
        let global = |owner| match owner {
            Owner::Global(id) => Some(id),
            _ => None,
        };
        let event = |event: &interp::finding::Event| {
            (site(&event.stack), event.action.object().and_then(|object| global(object.owner)))
        };
        let mut events: Vec<_> = finding.events.iter().map(event).collect();
        events.sort_unstable();
        Sites { rule: finding.rule, events }
    }
}

/// A root cause.
struct Cause {
    diagnostic: Diagnostic,
    /// Of the finding that came first.
    sites: Sites,
    /// The run that showed it first.
    recording: Recording,
    /// The runs that showed it.
    runs: u32,
    /// The last one of them.
    last_run: u32,
}

/// What the runs of an entry found.
#[derive(Default)]
pub(super) struct Causes {
    causes: Vec<Cause>,
    /// To which cause sites belong; to none if they lie wholly in dependencies.
    known: Map<Sites, Option<usize>>,
    /// Findings that rest on something that was not understood.
    doubtful: FxHashSet<Sites>,
    /// They, merged by root cause.
    pub(super) possible: Vec<Diagnostic>,
    /// How many lie wholly in dependencies.
    pub(super) elsewhere: usize,
    runs: u32,
}

impl Causes {
    /// Takes in what a run found.
    pub(super) fn take<S: Scheduler>(
        &mut self,
        outcome: &RunOutcome,
        config: &Config,
        recorder: &Recorder<S>,
        entry: &mut Entry<'_>,
    ) {
        self.runs += 1;
        for finding in outcome.findings.iter().filter(|it| counts_under(it, config.wake_ups)) {
            let sites = Sites::of(finding);
            if !is_shown(finding, outcome) {
                if self.doubtful.insert(sites) {
                    self.add_possible(finding, entry);
                }
                continue;
            }
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

    /// Keeps a finding that is not sure.
    fn add_possible(&mut self, finding: &Finding, entry: &mut Entry<'_>) {
        let Some(mut diagnostic) = rules::diagnose(finding, entry) else {
            self.elsewhere += 1;
            return;
        };
        diagnostic.confidence = Confidence::Possible;
        diagnostic.level = Level::Warning;
        match self.possible.iter_mut().find(|known| known.is_same_bug(&diagnostic)) {
            Some(known) => known.absorb(diagnostic),
            None => self.possible.push(diagnostic),
        }
    }

    /// The cause of sites that come up for the first time.
    fn add<S: Scheduler>(
        &mut self,
        finding: &Finding,
        sites: &Sites,
        config: &Config,
        recorder: &Recorder<S>,
        entry: &mut Entry<'_>,
    ) -> Option<usize> {
        let Some(diagnostic) = rules::diagnose(finding, entry) else {
            self.elsewhere += 1;
            return None;
        };
        let is_same = |known: &Cause| known.diagnostic.is_same_bug(&diagnostic);
        if let Some(index) = self.causes.iter().position(is_same) {
            self.causes[index].diagnostic.absorb(diagnostic);
            return Some(index);
        }
        let witness = Witness {
            seed: config.seed,
            wake_ups: config.wake_ups,
            schedule: recorder.schedule().prefix(finding.choices as usize),
        };
        let notes = recorder.notes().iter().take(finding.choices as usize).copied().collect();
        let recording = Recording { witness, notes, step: finding.step };
        self.causes.push(Cause { diagnostic, sites: sites.clone(), recording, runs: 0, last_run: 0 });
        Some(self.causes.len() - 1)
    }

    /// A diagnostic for each cause, in order of discovery, each told by the shortest schedule found.
    pub(super) fn diagnostics(self, name: &str, runs: u32, entry: &mut Entry<'_>) -> Vec<Diagnostic> {
        let mut budget = minimise::Budget::default();
        let mut told: Vec<Diagnostic> = Vec::new();
        for cause in self.causes {
            let mut diagnostic = cause.diagnostic;
            if let Some((witness, finding)) = minimise::minimise(cause.recording, &cause.sites, entry, &mut budget)
                && let Some(mut shortest) = rules::diagnose(&finding, entry)
            {
                shortest.absorb(diagnostic);
                witness.mark(name, &mut shortest);
                diagnostic = shortest;
            }
            diagnostic.shown_by = (cause.runs, runs);
            told.push(diagnostic);
        }
        told
    }
}

/// Whether a finding counts where waits may end early (design §5): with adversarial time only what does not rest on time.
pub(super) fn counts_under(finding: &Finding, wake_ups: WakeUps) -> bool {
    wake_ups != WakeUps::AdversarialTime || finding.rule != Rule::WaitsForEver
}

/// Whether a finding rests on nothing that was not understood (design §6, "Confidence"). What waits for ever is only known
/// in a closed world: an unknown call or a store that went nowhere may have been what it waits for.
pub(super) fn is_shown(finding: &Finding, outcome: &RunOutcome) -> bool {
    let is_open = finding.after_unknown_call || outcome.dropped_stores > 0;
    let is_understood = !matches!(finding.rests_on, Some(Origin::Unknown(_) | Origin::Uninit));
    is_understood && (finding.rule != Rule::WaitsForEver || !is_open)
}
