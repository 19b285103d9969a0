//! Whether a test passes: an oracle that nobody here wrote, because the tests of a published crate do pass when they are run for
//! real. Each is interpreted once, in the order in which its threads are started.

use super::{Uninterpreted, entry::Entry};
use crate::{
    project::{Project, ShouldPanic, Test},
    sites::SitePlace,
};
use interp::{
    outside::{Disk, Outside},
    run::{Config, Payload, RunEnd, RunOutcome},
    sched::{RandomWalk, Scheduler},
};
use ra_ap_hir as hir;

/// Steps that a test gets.
const MAX_STEPS: u64 = 50_000_000;

/// How a test ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As it does when it is run for real.
    Passed,
    /// It was not followed to its end, or its end rests on something that was not understood: why.
    Unknown(String),
    /// Everything was known, and it failed: what it says.
    Failed(String),
}

/// What became of a test.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Whether it passed.
    pub verdict: Verdict,
    /// Instructions executed.
    pub steps: u64,
    /// The places that synchronise which it reached; the flag says whether another thread could run then.
    pub reached: Vec<(SitePlace, bool)>,
    /// Values that were not known.
    pub uninterpreted: Option<Uninterpreted>,
}

/// Judges tests one after the other; the code of what they share is made once.
pub struct Judge<'db> {
    project: &'db Project,
    entry: Option<(hir::Crate, Entry<'db>)>,
}

/// Keeps what a test says last.
#[derive(Default)]
struct Kept(Vec<u8>);

impl Outside for Kept {
    fn write(&mut self, fd: i32, bytes: &[u8]) {
        if fd == 2 {
            self.0.extend_from_slice(bytes);
        }
    }

    /// As where the tests of a published crate pass.
    fn disk(&mut self) -> Disk {
        Disk::Working
    }
}

impl Kept {
    /// The lines of the last panic.
    fn message(&self) -> String {
        let text = String::from_utf8_lossy(&self.0);
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("note: run with"));
        lines.collect::<Vec<_>>().join(" ")
    }
}

impl<'db> Judge<'db> {
    /// Nothing judged yet.
    pub fn new(project: &'db Project) -> Self {
        Judge { project, entry: None }
    }

    /// Interprets a test.
    pub fn judge(&mut self, test: &Test, seed: u64) -> Judged {
        let same = self.entry.take().filter(|(krate, _)| *krate == test.entry.krate);
        let mut entry = match same {
            Some((_, mut entry)) => {
                entry.start_at(test.entry.start);
                entry
            }
            None => Entry::new(self.project, &test.entry),
        };
        let config = Config {
            seed,
            max_steps: MAX_STEPS,
            heap_bytes: 1 << 28,
            stack_bytes: 8 << 20,
            max_depth: 100_000,
            ..Config::default()
        };
        let mut scheduler = RandomWalk::new();
        scheduler.begin_run(seed);
        let mut kept = Kept::default();
        let outcome = entry.run(&config, &mut scheduler, &mut kept);
        let verdict = verdict(&mut entry, &outcome, &test.should_panic, &kept);
        let uninterpreted = entry.uninterpreted(&outcome.sources);
        let places = outcome.reached.iter();
        let places =
            places.filter_map(|((_, func, site), count)| Some((entry.site(*func, *site)?, count.concurrent > 0)));
        let reached = places.collect();
        self.entry = Some((test.entry.krate, entry));
        Judged { verdict, steps: outcome.steps, reached, uninterpreted }
    }
}

fn verdict(entry: &mut Entry<'_>, outcome: &RunOutcome, should_panic: &ShouldPanic, kept: &Kept) -> Verdict {
    let rests = outcome.rests_on.is_some() || outcome.dropped_stores > 0 || !outcome.unknown_calls.is_empty();
    let unknown = |entry: &mut Entry<'_>| Verdict::Unknown(first_cause(entry.uninterpreted(&outcome.sources)));
    match &outcome.end {
        _ if rests => unknown(entry),
        // `lang_start` gives 101 for a `main` that panicked.
        RunEnd::Returned(101) => match (should_panic, &outcome.payload) {
            (ShouldPanic::No, _) => Verdict::Failed(kept.message()),
            (ShouldPanic::Yes, _) => Verdict::Passed,
            (ShouldPanic::Saying(expected), Some(Payload::Text { text, known: true })) => match text.contains(expected)
            {
                true => Verdict::Passed,
                false => Verdict::Failed(format!("it panicked with {text:?} and not with {expected:?} in it")),
            },
            (ShouldPanic::Saying(expected), Some(Payload::Other)) => {
                Verdict::Failed(format!("it panicked with something else than a text with {expected:?} in it"))
            }
            (ShouldPanic::Saying(_), _) => unknown(entry),
        },
        RunEnd::Returned(0) if *should_panic == ShouldPanic::No => Verdict::Passed,
        RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Aborted | RunEnd::Panicked => match should_panic {
            ShouldPanic::No => Verdict::Failed(kept.message()),
            _ => Verdict::Failed("it did not panic as it should".to_owned()),
        },
        end @ (RunEnd::Deadlock | RunEnd::Fault { .. }) if outcome.uninterpreted == 0 => {
            Verdict::Failed(entry.end_text(end))
        }
        end => Verdict::Unknown(entry.end_text(end)),
    }
}

fn first_cause(unknown: Option<Uninterpreted>) -> String {
    unknown.and_then(|it| it.causes.into_iter().next()).map_or_else(String::new, |it| it.text)
}
