//! Judges whether a test passes. The tests of published crates are an independent oracle: they pass when compiled. Each
//! test is interpreted once, running threads in the order in which they are started.

use super::{
    PANICKED,
    all::MAX_SHARED_FUNCTIONS,
    contexts::{Contexts, Width},
    entry_runner::EntryRunner,
    features,
    test_context::TestContext,
};
use crate::{
    guard,
    lower::unexpanded_calls,
    project::{Location, Project, ShouldPanic, Test},
    sites::BodySite,
};
use interp::{
    environment::{Disk, Environment, KnownPath},
    run::{Config, Jitter, Payload, RunEnd, RunOutcome},
    sched::{RandomWalk, Scheduler},
    term::Origin,
};
use ra_ap_hir_def::{DefWithBodyId, HasModule as _};
use std::rc::Rc;

/// Maximum number of steps of a test.
const MAX_STEPS: u64 = 50_000_000;

/// How a test ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It ended as the compiled test does.
    Passed,
    /// It did not end, or its end depends on an *unknown* value; with the reason.
    Unknown(String),
    /// It failed without uninterpreted values; with the message.
    Failed(String),
}

/// The result of a test.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// How it ended.
    pub verdict: Verdict,
    /// Number of executed instructions.
    pub steps: u64,
    /// The synchronisation sites that it reached; the flag says whether another thread could run then.
    pub reached: Vec<(BodySite, bool)>,
    /// The location of the reason for `Unknown`.
    pub location: Option<Location>,
}

/// Judges tests one after the other; they share code.
pub struct TestInterpreter<'db> {
    project: &'db Project,
    contexts: Contexts<'db>,
    entry: Option<EntryRunner<'db>>,
}

/// The environment and output of a test: as under `cargo test </dev/null`, with only the variables that cargo sets.
struct TestEnvironment<'db> {
    test_context: Option<Rc<TestContext<'db>>>,
    said: Vec<u8>,
}

impl Environment for TestEnvironment<'_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) {
        if fd == 2 {
            self.said.extend_from_slice(bytes);
        }
    }

    fn read(&mut self, _len: usize) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn args(&mut self) -> Option<Vec<Vec<u8>>> {
        Some(vec![b"test".to_vec()])
    }

    fn variables(&mut self) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        Some(self.test_context.as_ref().map_or_else(Vec::new, |it| it.variables().to_vec()))
    }

    /// Like the disk on which the tests of published crates pass.
    fn disk(&mut self) -> Disk {
        Disk::Working
    }

    fn folder(&mut self) -> Option<Vec<u8>> {
        self.test_context.as_ref()?.folder().map(<[u8]>::to_vec)
    }

    fn path(&mut self, path: &[u8]) -> Option<KnownPath> {
        self.test_context.as_ref()?.path(path)
    }

    fn file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        self.test_context.as_ref()?.file(path)
    }
}

impl TestEnvironment<'_> {
    /// The lines of the last panic.
    fn message(&self) -> String {
        let text = String::from_utf8_lossy(&self.said);
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("note: run with"));
        lines.collect::<Vec<_>>().join(" ")
    }
}

impl<'db> TestInterpreter<'db> {
    /// A judge with no code yet.
    pub fn new(project: &'db Project) -> Self {
        TestInterpreter { project, contexts: Contexts::new(project, Width::Workspace), entry: None }
    }

    /// Interprets a test.
    pub fn judge(&mut self, test: &Test, seed: u64) -> TestResult {
        if let Some(attribute) = &test.unexpanded {
            let verdict = Verdict::Unknown(format!("`#[{attribute}]` is not expanded"));
            return TestResult { verdict, steps: 0, reached: Vec::new(), location: None };
        }
        guard::caught(self.project.db(), || self.run(test, seed)).unwrap_or_else(|| {
            let verdict = Verdict::Unknown("internal error, please report it".to_owned());
            TestResult { verdict, steps: 0, reached: Vec::new(), location: None }
        })
    }

    fn run(&mut self, test: &Test, seed: u64) -> TestResult {
        let context = self.contexts.of(&test.entry);
        let is_fit = |it: &EntryRunner<'_>| it.context() == context.code && it.functions() < *MAX_SHARED_FUNCTIONS;
        let same = self.entry.take().filter(is_fit);
        let is_first = same.is_none();
        let mut entry = match same {
            Some(mut entry) => {
                entry.start_at(&test.entry, &context.programs);
                entry
            }
            None => EntryRunner::in_context(self.project, &test.entry, &context),
        };
        let config = Config {
            seed,
            prefix_steps: MAX_STEPS,
            max_steps: MAX_STEPS,
            heap_bytes: 1 << 28,
            stack_bytes: 64 << 20,
            max_threads: 4096,
            max_depth: 100_000,
            jitter: Jitter::NONE,
            ..Config::default()
        };
        let mut scheduler = RandomWalk::new();
        scheduler.begin_run(seed);
        let mut given = TestEnvironment { test_context: entry.test_context(), said: Vec::new() };
        let outcome = entry.run_in(&mut given, &config, &mut scheduler);
        let (verdict, location) = match verdict(&mut entry, &outcome, &test.should_panic, &given) {
            Some(verdict @ Verdict::Failed(_)) => match another_code(self.project, &entry) {
                None => (verdict, None),
                // Tests that ran before may have used it up.
                Some(_) if !is_first => return self.judge(test, seed),
                Some(why) => (Verdict::Unknown(why), None),
            },
            Some(verdict) => (verdict, None),
            None => {
                let (cause, location) = entry.why_unknown(&outcome);
                (Verdict::Unknown(cause), location)
            }
        };
        let locations = outcome.reached.iter().filter(|(_, count)| count.count > 0);
        let locations =
            locations.filter_map(|((_, func, site), count)| Some((entry.site(*func, *site)?, count.concurrent > 0)));
        let reached = locations.collect();
        self.entry = Some(entry);
        TestResult { verdict, steps: outcome.steps, reached, location }
    }
}

/// Why real code may differ from the code that ran: by CPU features, or by an unexpanded attribute.
fn another_code(project: &Project, entry: &EntryRunner<'_>) -> Option<String> {
    let bodies = entry.bodies();
    if bodies.iter().any(|body| features::asks(project, *body)) {
        return Some("code that depends on `cfg(target_feature)`".to_owned());
    }
    let db = project.db();
    let attributes = bodies.into_iter().filter_map(|body| match body {
        // Attributes of std's own functions have no expander.
        DefWithBodyId::FunctionId(func) if !project.is_std(func.module(db).krate(db).into()) => {
            unexpanded_calls::attribute_of_function(db, func)
        }
        _ => None,
    });
    // The bodies come in no particular order.
    attributes.min().map(String::from)
}

/// How a test ended; `None` if unknown.
fn verdict(
    entry: &mut EntryRunner<'_>,
    outcome: &RunOutcome,
    should_panic: &ShouldPanic,
    given: &TestEnvironment<'_>,
) -> Option<Verdict> {
    let on_inputs = match outcome.rests_on {
        None => false,
        // Success with made-up inputs counts; failure does not.
        Some(Origin::Input) if !outcome.guessed => true,
        Some(_) => return None,
    };
    if outcome.dropped_stores > 0 || !outcome.unknown_calls.is_empty() {
        return None;
    }
    let verdict = match &outcome.end {
        RunEnd::Returned(PANICKED) => match (should_panic, &outcome.payload) {
            (ShouldPanic::No, _) => Verdict::Failed(given.message()),
            (ShouldPanic::Yes, _) => Verdict::Passed,
            (ShouldPanic::Saying(expected), Some(Payload::Text { text, known: true })) => match text.contains(expected)
            {
                true => Verdict::Passed,
                false => {
                    Verdict::Failed(format!("panic did not contain expected string: {text:?}, expected {expected:?}"))
                }
            },
            (ShouldPanic::Saying(expected), Some(Payload::Other)) => {
                Verdict::Failed(format!("panic payload is not a string, expected {expected:?}"))
            }
            (ShouldPanic::Saying(_), _) => return None,
        },
        RunEnd::Returned(0) if *should_panic == ShouldPanic::No => Verdict::Passed,
        RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Aborted | RunEnd::Panicked => match should_panic {
            ShouldPanic::No => Verdict::Failed(given.message()),
            _ => Verdict::Failed("test did not panic as expected".to_owned()),
        },
        end @ (RunEnd::Deadlock | RunEnd::Fault { .. }) if outcome.uninterpreted == 0 => {
            Verdict::Failed(entry.end_text(end))
        }
        _ => return None,
    };
    (!on_inputs || verdict == Verdict::Passed).then_some(verdict)
}
