//! Replays a finding from its schedule.

use super::{
    contrast, control,
    entry_runner::EntryRunner,
    merge::{Sites, is_reported, is_shown},
    minimise::Recording,
};
use crate::{
    diagnostic::Diagnostic,
    project::{EntryPoint, Project},
    rules,
    witness::Witness,
};
use interp::sched::{Recorder, Replayer};

/// The result of a replay.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// The findings of the run, one for each root cause.
    pub diagnostics: Vec<Diagnostic>,
    /// The index of the first choice that could not be made as recorded, and the number of choices: the program has
    /// changed since.
    pub diverged_at: Option<(usize, usize)>,
}

/// Replays a witness.
pub fn replay(project: &Project, point: &EntryPoint, witness: &Witness) -> Replayed {
    let mut entry = EntryRunner::new(project, point);
    let config = witness.config();
    let mut recorder = Recorder::new(Replayer::new(witness.schedule.clone()));
    let outcome = entry.run(&config, &mut recorder);
    let mut experimented = 0;
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut has_failed = false;
    for mut finding in outcome.findings {
        let mut shows_either_way = || {
            let recording = Recording::of(&finding, &config, &recorder);
            control::shows_either_way(&finding, &recording, &mut entry, &mut experimented)
        };
        if !is_shown(&finding) && shows_either_way() {
            finding = control::beside_guesses(&finding);
        }
        if !is_reported(&finding, witness.wake_ups, &entry) {
            continue;
        }
        let contrast = rules::policy(finding.kind).needs_contrast.then(|| {
            let (schedule, sites) = (witness.schedule.clone(), Sites::of(&finding));
            contrast::find(&sites, &config, schedule, None, &mut entry, &mut experimented)
        });
        let Some(mut diagnostic) = rules::diagnose(&finding, &mut entry) else { continue };
        match contrast {
            Some(Some(contrast)) => {
                has_failed = true;
                rules::add_contrast(&mut diagnostic, &finding, &mut entry, contrast.parting);
            }
            // Later failures may follow from the first one, which was compared when it was found.
            Some(None) if std::mem::replace(&mut has_failed, true) => continue,
            Some(None) => {}
            None => {}
        }
        match diagnostics.iter_mut().find(|known| known.is_same_bug(&diagnostic)) {
            Some(known) => known.absorb(diagnostic),
            None => {
                diagnostic.shown_by = (1, 1);
                diagnostic.set_witness(&point.path(), witness);
                diagnostic.entry = Some(point.entry_name());
                diagnostics.push(diagnostic);
            }
        }
    }
    let replayer = recorder.inner();
    // If choices are left over, the recorded program had more to choose.
    let choices = witness.schedule.choices.len();
    let unused = (!replayer.is_finished()).then(|| replayer.position());
    let diverged_at = replayer.diverged_at().or(unused).map(|at| (at, choices));
    Replayed { diagnostics, diverged_at }
}
