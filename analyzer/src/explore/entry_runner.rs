//! An entry that is run repeatedly, with the names of its functions and objects.

use super::{
    contexts::{CodeContext, Contexts, EntryContext, Width},
    harness::leave_out_test,
    test_context::{ExplorationEnvironment, TestContext},
};
use crate::{
    harness::{
        self, HarnessTarget, Skipped, Start, Subject,
        test_source::{self, HarnessRun, TestSource},
    },
    instance::{builder::Optimisation, names, program::Program, site},
    names::{Awaits, BrokenPromise, Name, Names, NestedCall, Release},
    object_names::ObjectNames,
    project::{EntryKind, EntryPoint, Location, Project, StartedPrograms, short_path},
    report_text::run_ends::{self, FaultAt},
    rules,
    sites::BodySite,
    std_models::harness::HelperRole,
};
use interp::{
    environment::Environment,
    finding::{Action, Event, Finding, StackEntry},
    host::Host,
    inputs,
    ir::{FnId, GlobalId, Site},
    run::{self, Config, GoesBehind, Map, Prefix, RunEnd, RunOutcome, Session},
    sched::Scheduler,
    term::{Origin, Source},
    trace::TraceEvent,
};
use ra_ap_hir_def::{DefWithBodyId, FunctionId, StaticId};
use rustc_hash::FxHashMap;
use std::{cell::RefCell, rc::Rc};

/// How a test's run ends that waits for what other tests use too.
const WAITS_FOR_TESTS: &str = "stopped: a test waits for another test, which runs at the same time";

/// How a harness's run ends that waits for something that only another caller provides.
const UNANSWERED: &str = "stopped: a call waits for something that no other thread provides";

/// Causes of uninterpreted values with their number; the flag says whether it is an *unknown* one.
pub(super) type Causes = Map<(bool, String, Option<Location>), u64>;

fn function_of_test(point: &EntryPoint) -> Option<FunctionId> {
    match point.start {
        Start::Function(function) if point.kind == EntryKind::Test => Some(function),
        _ => None,
    }
}

/// An entry ready to be run repeatedly.
pub(super) struct EntryRunner<'db> {
    project: &'db Project,
    pub(super) program: Program<'db>,
    session: Session,
    start: FnId,
    harness: Option<HarnessTarget>,
    context: CodeContext,
    should_panic: bool,
    /// The function of a test.
    test: Option<FunctionId>,
    /// For statics: whether other tests use them.
    shared_statics: RefCell<FxHashMap<(FunctionId, StaticId), bool>>,
    test_context: Option<Rc<TestContext<'db>>>,
}

impl<'db> EntryRunner<'db> {
    pub(super) fn new(project: &'db Project, point: &EntryPoint) -> Self {
        EntryRunner::in_context(project, point, &Contexts::new(project, Width::Entry).of(point))
    }

    /// An entry whose code others with the same context can share.
    pub(super) fn in_context(project: &'db Project, point: &EntryPoint, context: &EntryContext) -> Self {
        let mut program = Program::new(project.db(), context.code.krate, project, project);
        program.set_entry(point.krate.into(), &context.programs);
        program.call_in_futures(context.code.called_in_futures);
        let start = program.process(point.start);
        let harness = point.start.harness();
        let test_context = TestContext::of(project, point).map(Rc::new);
        let (context, should_panic) = (context.code, project.should_panic(point));
        let (test, session) = (function_of_test(point), Session::new());
        EntryRunner {
            project,
            program,
            session,
            start,
            harness,
            context,
            should_panic,
            test,
            shared_statics: RefCell::default(),
            test_context,
        }
    }

    /// The context of its generated code.
    pub(super) fn context(&self) -> CodeContext {
        self.context
    }

    /// Whether it is a harness.
    pub(super) fn is_harness(&self) -> bool {
        self.harness.is_some()
    }

    /// Whether it is a harness that makes calls from several threads.
    pub(super) fn calls_from_threads(&self) -> bool {
        self.harness.is_some_and(|it| it.subject.is_at_once())
    }

    /// Whether it is a test that passes if it panics.
    pub(super) fn should_panic(&self) -> bool {
        self.should_panic
    }

    /// Whether it is a test, and other tests of the same program use a static too.
    pub(super) fn is_used_by_other_tests(&self, global: GlobalId) -> bool {
        let Some((test, of)) = self.test.zip(self.program.static_of(global)) else { return false };
        let mut known = self.shared_statics.borrow_mut();
        *known.entry((test, of)).or_insert_with(|| self.project.is_used_by_other_tests(test, of))
    }

    /// Whether a frame belongs to the harness.
    pub(super) fn is_harness_frame(&self, entry: &StackEntry) -> bool {
        self.program.is_harness_frame(entry.func)
    }

    /// The calls of a run of the harness as the source of a test.
    pub(super) fn test_source(&mut self, run: HarnessRun<'_>) -> Result<TestSource, String> {
        let target = self.harness.ok_or("it is no harness")?;
        test_source::print(&mut self.program.types, target, run)
    }

    /// The number of functions of the workspace that the harness calls.
    pub(super) fn harness_calls(&mut self) -> usize {
        self.harness.map_or(0, |target| self.program.harness(target).calls.len())
    }

    /// The calls of a harness that race, in no particular order; none if it is a value that they use, or no harness.
    pub(super) fn racing_calls(&mut self, finding: &Finding) -> Vec<String> {
        let stacks: Vec<&[StackEntry]> = finding.events.iter().map(|event| event.stack.as_slice()).collect();
        if self.broken_promise(&stacks).is_some() {
            return Vec::new();
        }
        let mut calls = self.calls_at_once(&stacks);
        calls.sort();
        calls
    }

    /// The name of the function that a harness calls at a stack entry.
    fn called_at(&mut self, entry: &StackEntry) -> Option<String> {
        match entry.is_local && !self.program.is_harness_frame(entry.func) {
            true => Some(self.program.code(entry.func).name.to_string()),
            false => self.program.name_of_call(entry.func),
        }
    }

    /// Whether a stack entry is in a function that waits for a lock of lock_api's traits.
    pub(super) fn is_raw_lock(&self, entry: &StackEntry) -> bool {
        self.program.is_raw_lock(entry.func)
    }

    /// The source text of the nearest operation of the workspace.
    pub(super) fn operation(&self, stack: &[StackEntry]) -> Option<String> {
        let entry = stack.iter().find(|entry| entry.is_local)?;
        self.operation_text(entry).map(|(text, _)| text)
    }

    fn operation_text(&self, entry: &StackEntry) -> Option<(String, usize)> {
        let (owner, site) = self.program.source_site(entry.func, entry.site)?;
        self.project.operation_text(owner, site)
    }

    /// The function that a harness calls and that a stack is in.
    fn called_function(&self, stack: &[StackEntry]) -> Option<FunctionId> {
        stack.iter().rev().find_map(|entry| self.program.called_by_helper(entry.func))
    }

    /// The docs of the function that a harness calls and that a stack is in.
    pub(super) fn docs_of_called(&self, stack: &[StackEntry]) -> &str {
        self.called_function(stack).map(|func| self.project.docs(func)).unwrap_or_default()
    }

    /// Whether a stack is in a call that a callback of another call makes.
    pub(super) fn calls_back(&self, stack: &[StackEntry]) -> bool {
        stack.iter().filter_map(|entry| self.program.called_by_helper(entry.func)).nth(1).is_some()
    }

    /// Whether the docs of the function that a harness calls, of its type or of its crate, say that callbacks must not
    /// call the object.
    pub(super) fn warns_of_callbacks(&self, stack: &[StackEntry]) -> bool {
        self.called_function(stack)
            .is_some_and(|func| rules::warns_of_callbacks(self.project.docs(func), &self.project.docs_around(func)))
    }

    /// The functions that the harness does not call.
    pub(super) fn skipped(&mut self) -> Vec<Skipped> {
        self.harness.map(|target| self.program.harness(target).skipped.to_vec()).unwrap_or_default()
    }

    /// Continues with another entry in the same context.
    pub(super) fn start_at(&mut self, point: &EntryPoint, programs: &StartedPrograms) {
        self.program.set_entry(point.krate.into(), programs);
        self.start = self.program.process(point.start);
        self.harness = point.start.harness();
        self.should_panic = self.project.should_panic(point);
        self.test = function_of_test(point);
        self.test_context = TestContext::of(self.project, point).map(Rc::new);
    }

    /// The number of functions discovered so far.
    pub(super) fn functions(&self) -> usize {
        self.program.instance_count()
    }

    pub(super) fn with_real_bodies(project: &'db Project, point: &EntryPoint) -> Self {
        EntryRunner { session: Session::with_real_bodies(), ..EntryRunner::new(project, point) }
    }

    pub(super) fn unoptimised(project: &'db Project, point: &EntryPoint) -> Self {
        let mut entry = EntryRunner { session: Session::inlining_after(0), ..EntryRunner::new(project, point) };
        entry.program.optimisation = Optimisation::None;
        entry
    }

    pub(super) fn fast_bodies(&self) -> Vec<&'static str> {
        self.program.fast_bodies()
    }

    /// The context of a test; `None` for other entries.
    pub(super) fn test_context(&self) -> Option<Rc<TestContext<'db>>> {
        self.test_context.clone()
    }

    pub(super) fn run(&mut self, config: &Config, scheduler: &mut dyn Scheduler) -> RunOutcome {
        let mut environment = ExplorationEnvironment(self.test_context());
        self.run_in(&mut environment, config, scheduler)
    }

    /// A harness does not go on behind a deadlock: it may itself be the cause.
    fn settled(&self, config: &Config) -> Config {
        let goes_behind = if self.is_harness() { GoesBehind::Nothing } else { config.goes_behind };
        Config { goes_behind, ..config.clone() }
    }

    /// Like [`EntryRunner::run`], in another environment.
    pub(super) fn run_in(
        &mut self,
        environment: &mut dyn Environment,
        config: &Config,
        scheduler: &mut dyn Scheduler,
    ) -> RunOutcome {
        let config = &self.settled(config);
        let outcome = run::run(&mut self.session, &mut self.program, self.start, &[], config, scheduler, environment);
        self.with_calls_for_helpers(outcome)
    }

    /// Leaves out how the threads of a harness wait for each other's end: the calls explain the finding. A wait for a
    /// future's wake-up is located at the function that gave the future.
    fn with_calls_for_helpers(&mut self, mut outcome: RunOutcome) -> RunOutcome {
        if !self.calls_from_threads() {
            return outcome;
        }
        outcome.findings.iter_mut().for_each(leave_out_test);
        for finding in &mut outcome.findings {
            let is_of_helper = |event: &&mut Event| {
                matches!(event.action, Action::WaitsPark { .. }) && !event.stack.iter().any(|it| it.is_local)
            };
            for event in finding.events.iter_mut().filter(is_of_helper) {
                let Some((index, called)) = self.stand_in(&mut event.stack) else { continue };
                // The `.await` in its code, if no other thread waits there.
                let is_of_called = |it: &StackEntry| self.program.body_of(it.func) == Some(called.into());
                let mut own = finding.suspended.iter().filter(|stack| stack.last().is_some_and(is_of_called));
                if let (Some(suspended), None) = (own.next(), own.next()) {
                    event.stack.splice(index..index, suspended.iter().copied());
                }
            }
            let is_of_future = |event: &TraceEvent| {
                matches!(event, TraceEvent::Waits { .. } | TraceEvent::PollsInVain | TraceEvent::DropsFuture)
            };
            for step in finding.trace.iter_mut().filter(|step| is_of_future(&step.event)) {
                if !step.stack.iter().any(|it| it.is_local) {
                    self.stand_in(&mut step.stack);
                }
            }
        }
        let is_own = |stack: &[StackEntry]| {
            !stack.iter().any(|it| it.is_local || self.program.called_by_helper(it.func).is_some())
        };
        for finding in &mut outcome.findings {
            let is_own_wait = |event: &Event| {
                let waits = matches!(event.action, Action::WaitsReceive { .. } | Action::WaitsJoin { .. });
                waits && event.held.is_empty() && is_own(&event.stack)
            };
            if !finding.events.iter().all(is_own_wait) {
                finding.events.retain(|event| !is_own_wait(event));
            }
            let waits = |event: &TraceEvent| {
                matches!(event, TraceEvent::Waits { .. } | TraceEvent::Receives { .. } | TraceEvent::Joins { .. })
            };
            finding.trace.retain(|step| !(waits(&step.event) && is_own(&step.stack)));
        }
        outcome
    }

    /// Inserts the function that a harness calls and that a stack is in, if it is the workspace's. Returns the index.
    fn stand_in(&mut self, stack: &mut Vec<StackEntry>) -> Option<(usize, FunctionId)> {
        let called = self.called_function(stack)?;
        let (index, func) = stack
            .iter()
            .enumerate()
            .rev()
            .find_map(|(index, it)| Some((index, self.program.located_call_of_helper(it.func)?)))?;
        stack.insert(index, StackEntry { func, is_std: false, is_local: true, ..stack[index] });
        Some((index, called))
    }

    /// Like [`EntryRunner::run`]. Keeps the state at which schedules can differ if that is after this many steps.
    pub(super) fn run_and_keep(
        &mut self,
        config: &Config,
        scheduler: &mut dyn Scheduler,
        keep_after: u64,
    ) -> (RunOutcome, Option<Prefix>) {
        let mut environment = ExplorationEnvironment(self.test_context());
        let config = &self.settled(config);
        let EntryRunner { session, program, start, .. } = self;
        let (outcome, kept) =
            run::run_and_keep(session, program, *start, &[], config, scheduler, &mut environment, keep_after);
        (self.with_calls_for_helpers(outcome), kept)
    }

    /// Runs with default choices. Keeps the state after the last long sequence of steps without a scheduling point;
    /// returns it and the number of steps.
    pub(super) fn keep_late(&mut self, config: &Config, scheduler: &mut dyn Scheduler) -> (Option<Prefix>, u64) {
        let mut environment = ExplorationEnvironment(self.test_context());
        let config = &self.settled(config);
        let EntryRunner { session, program, start, .. } = self;
        run::keep_late(session, program, *start, &[], config, scheduler, &mut environment)
    }

    /// Continues a run of this entry.
    pub(super) fn continue_run(
        &mut self,
        prefix: &Prefix,
        config: &Config,
        scheduler: &mut dyn Scheduler,
    ) -> RunOutcome {
        let mut environment = ExplorationEnvironment(self.test_context());
        let config = &self.settled(config);
        let EntryRunner { session, program, .. } = self;
        let outcome = run::continue_run(session, program, prefix, config, scheduler, &mut environment);
        self.with_calls_for_helpers(outcome)
    }

    /// The message about the end of a run; `None` if it ended normally or with a finding.
    pub(super) fn left_out(&mut self, outcome: &RunOutcome) -> Option<String> {
        let is_deadlock = outcome.end == RunEnd::Deadlock;
        let is_found = is_deadlock && outcome.findings.iter().any(|it| self.is_meant(it));
        if is_deadlock && self.is_harness() {
            return (!is_found).then(|| UNANSWERED.to_owned());
        }
        if is_deadlock && !is_found && !outcome.findings.is_empty() {
            return Some(WAITS_FOR_TESTS.to_owned());
        }
        let is_told = outcome.findings.iter().any(|it| rules::policy(it.kind).needs_contrast);
        if is_found || is_told { None } else { run_ends::cut_short(outcome, &self.fault(&outcome.end)) }
    }

    /// How a run ended.
    pub(super) fn end_text(&mut self, end: &RunEnd) -> String {
        run_ends::text(end, &self.fault(end))
    }

    /// The location and kind of the fault that ended a run.
    fn fault(&mut self, end: &RunEnd) -> FaultAt {
        let RunEnd::Fault { func, site, .. } = end else { return FaultAt::default() };
        let location = self.program.locate(*func, *site);
        FaultAt {
            function: self.program.code(*func).name.to_string(),
            location: location.map(|it| format!("{}:{}:{}", short_path(&it.file), it.line, it.column)),
            invalid: self.session.invalid().values().flatten().next().map(ToString::to_string),
        }
    }

    /// The causes of uninterpreted values with their number, in order of occurrence.
    pub(super) fn causes(&mut self, sources: &Map<Source, u64>) -> Causes {
        let mut causes = Causes::default();
        for (source, count) in sources.iter().filter(|(source, _)| !self.is_made_up(source)).collect::<Vec<_>>() {
            let (is_unknown, text) = match source.origin {
                Origin::Unknown(cause) => (true, self.program.cause(cause).to_string()),
                known => (false, run_ends::origin(known).to_owned()),
            };
            *causes.entry((is_unknown, text, self.location_of(source.func, source.site))).or_default() += count;
        }
        causes
    }

    /// Why the result of a run is unknown, and where: the cause that it depends on or that was called; else the first
    /// *unknown* cause; else how the run ended.
    pub(super) fn why_unknown(&mut self, outcome: &RunOutcome) -> (String, Option<Location>) {
        let called = outcome.unknown_calls.keys().next().map(|(_, cause)| Origin::Unknown(*cause));
        let rests_on = match outcome.rests_on {
            Some(Origin::Unknown(cause)) => Some(Origin::Unknown(cause)),
            weaker => called.or(weaker),
        };
        let is_followed = matches!(outcome.end, RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Aborted);
        let is_unknown = |it: &&Source| matches!(it.origin, Origin::Unknown(_));
        let source = match rests_on {
            // Inputs do not explain why a bound was reached.
            Some(Origin::Input) if !outcome.guessed && matches!(outcome.end, RunEnd::Bound(_)) => None,
            Some(origin) => outcome.sources.keys().find(|it| it.origin == origin),
            None if is_followed => outcome.sources.keys().find(is_unknown).or(outcome.sources.keys().next()),
            None if matches!(outcome.end, RunEnd::Bound(_)) => None,
            None => outcome.sources.keys().find(is_unknown),
        };
        let location = source.and_then(|it| self.location_of(it.func, it.site));
        let cause = rests_on.filter(|it| matches!(it, Origin::Unknown(_)));
        let text = match source.map(|it| it.origin).or(cause) {
            Some(Origin::Unknown(cause)) => self.program.cause(cause).to_string(),
            Some(known) => run_ends::origin(known).to_owned(),
            None => self.end_text(&outcome.end),
        };
        (text, location)
    }

    /// Arguments that a harness passes are not reported as inputs.
    fn is_made_up(&self, source: &Source) -> bool {
        let location = || self.program.source_site(source.func, source.site);
        self.is_harness()
            && source.origin == Origin::Input
            && location().is_some_and(|(owner, _)| self.program.is_helper(owner))
    }

    fn object_names(&self) -> ObjectNames<'_, 'db> {
        ObjectNames { project: self.project, program: &self.program }
    }

    /// The bodies that were lowered for it, in no particular order.
    pub(super) fn bodies(&self) -> Vec<DefWithBodyId> {
        self.program.bodies()
    }

    /// Whether the program's dictionary was requested.
    pub(super) fn has_dictionary(&self) -> bool {
        self.program.has_dictionary()
    }

    /// The words of its command line with this seed.
    pub(super) fn command_words(&mut self, seed: u64) -> Vec<Vec<u8>> {
        inputs::command_words(seed, &self.program.dictionary())
    }

    /// The location in the source of a site in the machine's code.
    pub(super) fn site(&self, func: FnId, site: Site) -> Option<BodySite> {
        self.program.source_site(func, site)
    }

    fn location_of(&mut self, func: FnId, site: Site) -> Option<Location> {
        let (owner, site) = self.program.source_site(func, site)?;
        self.project.location_of(owner, site)
    }
}

impl Names for EntryRunner<'_> {
    fn location(&mut self, entry: &StackEntry) -> Option<Location> {
        let (owner, site) = self.program.source_site(entry.func, entry.site)?;
        self.project.operation_at(owner, site)
    }

    fn is_harness(&self) -> bool {
        self.harness.is_some()
    }

    fn calls(&mut self, events: &[&[StackEntry]]) -> Vec<String> {
        let Some(target) = self.harness else { return Vec::new() };
        if let Subject::InTest(test, _) = target.subject {
            return vec![self.project.body_name(test.into())];
        }
        let harness = self.program.harness(target);
        let last = events.iter().filter_map(|stack| {
            let entry = stack.iter().rev().find(|entry| self.program.is_harness_frame(entry.func))?;
            harness::call_at(site::decode(entry.site)?)
        });
        let count = last.max().map_or(harness.calls.len(), |last| last + 1);
        harness.calls.iter().take(count).map(|func| self.program.types.function_name(*func)).collect()
    }

    fn calls_at_once(&mut self, events: &[&[StackEntry]]) -> Vec<String> {
        if !self.calls_from_threads() {
            return Vec::new();
        }
        let of_harness = |it: &&&[StackEntry]| it.iter().any(|entry| self.program.is_of_harness(entry.func));
        // Others are threads that a library has started.
        let events: Vec<_> = events.iter().filter(of_harness).collect();
        events.into_iter().filter_map(|stack| stack.iter().rev().find_map(|entry| self.called_at(entry))).collect()
    }

    fn ends_borrow(&mut self, stack: &[StackEntry]) -> bool {
        stack.iter().any(|entry| self.program.helper_role(entry.func) == Some(HelperRole::EndsBorrow))
    }

    fn concurrent_call(&mut self, stack: &[StackEntry]) -> Option<String> {
        if !self.calls_from_threads() {
            return None;
        }
        stack.iter().rev().find_map(|entry| self.program.name_of_call(entry.func))
    }

    fn call_of_callback(&mut self, stack: &[StackEntry]) -> Option<NestedCall> {
        self.program.nested_call(stack)
    }

    fn awaited_call(&mut self, stack: &[StackEntry]) -> Option<String> {
        let is_awaited = stack.iter().any(|entry| entry.is_local && self.program.is_stand_in(entry.func));
        if is_awaited { self.concurrent_call(stack) } else { None }
    }

    fn broken_promise(&mut self, events: &[&[StackEntry]]) -> Option<BrokenPromise> {
        let Subject::Promises(adt) = self.harness?.subject else { return None };
        let role = |entry: &StackEntry| self.program.helper_role(entry.func);
        let touch = |stack: &&[StackEntry]| {
            stack.iter().take_while(|it| it.is_std).find_map(|entry| match role(entry) {
                Some(HelperRole::Touches(what)) => Some(what),
                _ => None,
            })
        };
        let touches: Vec<Option<&str>> = events.iter().filter_map(touch).collect();
        if touches.len() != events.len() {
            return None;
        }
        let is_shared = events.iter().any(|stack| stack.iter().any(|it| role(it) == Some(HelperRole::Shares)));
        let promise = self.project.promise(adt, if is_shared { "Sync" } else { "Send" })?;
        let of_values = touches.into_iter().flatten().next().unwrap_or_default().to_owned();
        Some(BrokenPromise { of_values, ..promise })
    }

    fn function(&mut self, entry: &StackEntry) -> String {
        self.program.code(entry.func).name.to_string()
    }

    fn modules(&mut self, entry: &StackEntry) -> String {
        names::modules(&self.program, entry.func)
    }

    fn updates(&mut self, entry: &StackEntry) -> bool {
        self.object_names().updates(entry)
    }

    fn text(&mut self, entry: &StackEntry) -> Option<(String, usize)> {
        self.operation_text(entry)
    }

    fn global(&mut self, id: GlobalId) -> Option<(String, Option<Location>)> {
        let global = self.program.global(id);
        let declared = self.program.static_of(id).and_then(|id| self.project.static_location(id));
        global.is_static.then(|| (global.name.to_string(), declared))
    }

    fn object(&mut self, stack: &[StackEntry], started: &[StackEntry]) -> Option<Name> {
        self.object_names().object(stack, started)
    }

    fn known_safe(&mut self, stack: &[StackEntry]) -> Vec<usize> {
        let types = &self.project.config().known_safe;
        if types.is_empty() {
            return Vec::new();
        }
        let owners: Vec<String> = stack.iter().filter_map(|entry| self.program.method_owner(entry.func)).collect();
        (0..types.len()).filter(|index| owners.contains(&types[*index].path)).collect()
    }

    fn kept_to(&mut self, stack: &[StackEntry]) -> Option<u32> {
        self.object_names().kept_to(stack)
    }

    fn release(&mut self, taken: &[StackEntry], waits: &[StackEntry]) -> Option<Release> {
        self.object_names().release(taken, waits)
    }

    fn awaits(&mut self, entry: &StackEntry) -> Option<Awaits> {
        self.object_names().awaits(entry)
    }

    fn awaits_what_never_ends(&mut self, entry: &StackEntry) -> bool {
        self.object_names().awaits_what_never_ends(entry)
    }
}
