//! What all rules need to write a report: names of threads and objects, locations, call paths, steps.

pub(crate) mod inputs;
pub(crate) mod pair;
pub(crate) mod run_ends;
mod steps;
pub(crate) mod system;

use crate::{
    diagnostic::{Frame, HeldLock, ThreadPath},
    escape,
    names::{Awaits, BrokenPromise, Name, NameKind, Names, NestedCall, NestedCaller, Release},
    project::Location,
    std_models::harness::CALLER,
};
use interp::{
    clock::ThreadId,
    finding::{Action, BehindWhat, Event, Finding, LockKind, Object, Owner, StackEntry},
    ir::{FnId, GlobalId, Site},
    memory::Fault,
    trace::{TraceEvent, TraceStep},
};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct ReportText<'a> {
    pub(crate) finding: &'a Finding,
    names: &'a mut dyn Names,
    /// Whether lost wake-ups, such as an early notification, may explain it.
    has_missed_wake_ups: bool,
    /// Names of objects in backticks, by address.
    objects: BTreeMap<u64, String>,
    /// Where the fields and statics are declared that are the events' objects.
    pub(crate) declared: Vec<Location>,
    /// Statics of the steps of a failure that are not the workspace's.
    foreign: BTreeSet<GlobalId>,
}

/// Maximum number of a harness's calls that are listed.
const MAX_CALLS: usize = 6;

/// Whether a harness calls while the future of a test is suspended: then its caller is a thread of its own.
pub(crate) fn is_in_future(finding: &Finding) -> bool {
    finding.thread_names.iter().any(|name| name.as_deref() == Some(CALLER))
}

/// What a thread does that faults.
pub(crate) fn fault_text(fault: Fault) -> &'static str {
    match fault {
        Fault::Null { .. } => "accesses memory through a null or dangling pointer",
        Fault::Freed { .. } => "accesses memory that is freed",
        Fault::Ended { .. } => "accesses a local of a function that has returned in another thread",
        Fault::OutOfRange { .. } => "accesses memory outside of any allocation",
        Fault::ReadOnly { .. } => "writes to read-only memory",
        Fault::NotAFunction { .. } => "calls through a pointer that is no function",
        Fault::BadFree { .. } => "frees what is not allocated",
        Fault::Unreachable => "reaches code that is said to be unreachable",
        Fault::BadUnlock { .. } => "releases a lock that it does not hold",
        Fault::GlobalInit | Fault::BadCoroutine { .. } | Fault::BadCode => "does what is undefined",
    }
}

impl<'a> ReportText<'a> {
    pub(crate) fn new(finding: &'a Finding, names: &'a mut dyn Names, has_missed_wake_ups: bool) -> Self {
        let mut report = ReportText {
            finding,
            names,
            has_missed_wake_ups,
            objects: BTreeMap::new(),
            declared: Vec::new(),
            foreign: BTreeSet::new(),
        };
        report.name_objects();
        report.find_foreign();
        report
    }

    /// Names the objects of the events and of the locks held at them. Objects of other steps are left out: a finding
    /// must have the same names whether or not its steps are known.
    fn name_objects(&mut self) {
        let mut found: BTreeMap<u64, (Object, Vec<Name>)> = BTreeMap::new();
        for event in &self.finding.events {
            let own = event.action.object().map(|object| (object, &event.stack));
            let held = event.held.iter().map(|(_, object, stack)| (*object, stack));
            for (object, stack) in own.into_iter().chain(held) {
                let name = self.names.object(stack, &event.started);
                found.entry(object.addr).or_insert((object, Vec::new())).1.extend(name);
            }
        }
        let mut best: Vec<(u64, Name)> = Vec::new();
        for (addr, (object, mut names)) in found {
            names.extend(self.global(&object));
            let is_own = |event: &Event| event.action.object().is_some_and(|own| own.addr == addr);
            if self.finding.events.iter().any(is_own) {
                self.declared.extend(names.iter().filter_map(|name| name.item.clone()));
            }
            if let Some(name) = names.into_iter().min() {
                best.push((addr, name));
            }
        }
        for (addr, name) in &best {
            let alike: Vec<&Name> = best.iter().filter(|(_, other)| other.text == name.text).map(|it| &it.1).collect();
            let differ = alike.iter().all(|other| other.of.is_some())
                && (1..alike.len()).all(|index| alike[..index].iter().all(|other| other.of != alike[index].of));
            let text = match &name.of {
                _ if alike.len() == 1 => format!("`{}`", name.text),
                Some(of) if differ => format!("`{}` of `{of}`", name.text),
                _ => {
                    let index = best.iter().filter(|it| it.1.text == name.text).position(|it| it.0 == *addr);
                    let which = ["one", "another", "a third", "a fourth", "a fifth"];
                    format!("{} `{}`", which.get(index.unwrap_or(0)).unwrap_or(&"a further"), name.text)
                }
            };
            self.objects.insert(*addr, text);
        }
        self.declared.sort();
        self.declared.dedup();
    }

    fn find_foreign(&mut self) {
        if !self.is_failure() {
            return;
        }
        let global = |step: &TraceStep| match step.event.object()?.owner {
            Owner::Global(id) => Some(id),
            _ => None,
        };
        let statics: BTreeSet<GlobalId> = self.finding.trace.iter().filter_map(global).collect();
        let names = &mut self.names;
        self.foreign = statics.into_iter().filter(|id| names.global(*id).is_none_or(|it| it.1.is_none())).collect();
    }

    fn global(&mut self, object: &Object) -> Option<Name> {
        let Owner::Global(id) = object.owner else { return None };
        let (text, item) = self.names.global(id)?;
        Some(Name { kind: NameKind::Static, declared: None, text, of: None, item })
    }

    /// The name of an event's object; `None` if the source has no name for it.
    pub(crate) fn known(&self, object: &Object) -> Option<String> {
        self.objects.get(&object.addr).cloned()
    }

    /// Whether all events are in methods of one type that the configuration calls safe.
    pub(crate) fn is_known_safe(&mut self) -> bool {
        let finding = self.finding;
        let called = |event: &Event| match event.action {
            Action::Calls { func, .. } => Some(StackEntry { func, site: Site::NONE, is_std: true, is_local: false }),
            _ => None,
        };
        let stacks = finding.events.iter().map(|event| called(event).into_iter().chain(event.stack.iter().copied()));
        let mut safe = stacks.map(|stack| self.names.known_safe(&stack.collect::<Vec<_>>()));
        let first = safe.next().unwrap_or_default();
        let others: Vec<Vec<usize>> = safe.collect();
        first.iter().any(|of| others.iter().all(|other| other.contains(of)))
    }

    /// Gives the events' object another name.
    pub(crate) fn rename_object(&mut self, name: &str) {
        for object in self.finding.events.iter().filter_map(|event| event.action.object()) {
            self.objects.insert(object.addr, name.to_owned());
        }
    }

    /// The name that the code of an event itself uses: the two ends of a channel have separate names.
    pub(crate) fn own_name(&mut self, event: &Event) -> Option<String> {
        self.names.object(&event.stack, &event.started).map(|name| format!("`{}`", name.text))
    }

    /// A function of std without its modules: `Vec::push`.
    pub(crate) fn method(&mut self, func: FnId) -> String {
        let path = self.names.function(&StackEntry { func, site: Site::NONE, is_std: true, is_local: false });
        let mut parts = path.rsplit("::");
        match (parts.next(), parts.next()) {
            (Some(name), Some(owner)) => format!("{owner}::{name}"),
            _ => path,
        }
    }

    /// The name of a lock.
    pub(crate) fn lock(&self, kind: LockKind, object: &Object) -> String {
        self.known(object).unwrap_or_else(|| match kind {
            LockKind::Mutex => "a mutex".to_owned(),
            LockKind::Read | LockKind::Write => "a reader-writer lock".to_owned(),
        })
    }

    /// The best name of an object that is known at a step.
    pub(crate) fn at_step(&mut self, object: &Object, step: &TraceStep, else_: &str) -> String {
        let finding = self.finding;
        let started = finding.events.iter().find(|event| event.thread == step.thread).map_or(&[][..], |it| &it.started);
        let known = self.known(object);
        let known = known.or_else(|| {
            let names = [self.global(object), self.names.object(&step.stack, started)];
            names.into_iter().flatten().min().map(|name| format!("`{}`", name.text))
        });
        known.unwrap_or_else(|| else_.to_owned())
    }

    /// The name of a thread, in backticks.
    pub(crate) fn thread(&self, id: ThreadId) -> String {
        match self.bare_thread(id) {
            name if name.starts_with("thread ") || name == CALLER => name,
            name => format!("`{name}`"),
        }
    }

    /// The name of a thread.
    pub(crate) fn bare_thread(&self, id: ThreadId) -> String {
        let names = &self.finding.thread_names;
        match names.get(id.index()) {
            _ if id == ThreadId::ENTRY && self.names.is_harness() && !is_in_future(self.finding) => CALLER.to_owned(),
            _ if id == ThreadId::ENTRY => "main".to_owned(),
            Some(Some(name)) => {
                let part = |other: &&Event| names.get(other.thread.index()) == Some(&Some(name.clone()));
                let mut alike: Vec<ThreadId> = self.finding.events.iter().filter(part).map(|it| it.thread).collect();
                alike.sort();
                alike.dedup();
                match alike.iter().position(|it| *it == id) {
                    Some(at) if alike.len() > 1 => format!("{name} ({})", at + 1),
                    _ => name.to_string(),
                }
            }
            _ => format!("thread {}", id.0),
        }
    }

    /// The list of a harness's calls; only the last ones if there are many.
    pub(crate) fn calls(&mut self) -> String {
        let finding = self.finding;
        let stacks: Vec<&[StackEntry]> = finding
            .events
            .iter()
            .filter(|event| event.thread == ThreadId::ENTRY)
            .map(|event| event.stack.as_slice())
            .collect();
        let mut calls = self.names.calls(&stacks);
        calls.dedup();
        let skipped = calls.len().saturating_sub(MAX_CALLS);
        let named: Vec<String> = calls[skipped..].iter().map(|it| format!("`{it}`")).collect();
        let before = if skipped == 0 { String::new() } else { format!("{skipped} more, ") };
        let at_once = self.calls_at_once();
        if !at_once.is_empty() {
            let first = if named.is_empty() { String::new() } else { format!("{before}{}, then ", named.join(", ")) };
            return format!("{first}{at_once}{}", self.call_of_callback());
        }
        match named.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            [first @ .., last] => format!("{before}{}, then {last}", first.join(", ")),
        }
    }

    /// Whether a stack is in a call that a harness makes from several threads.
    pub(crate) fn is_in_call(&mut self, stack: &[StackEntry]) -> bool {
        !self.names.calls_at_once(&[stack]).is_empty()
    }

    /// The calls that a harness makes from several threads: `one` and `other` from two threads; with several calls of a
    /// thread, `one`, `two` by the caller and `other` by thread 1.
    fn calls_at_once(&mut self) -> String {
        let finding = self.finding;
        let is_own_start = |step: &TraceStep| {
            matches!(step.event, TraceEvent::Starts { .. }) && !step.stack.iter().any(|entry| entry.is_local)
        };
        let start = finding.trace.iter().position(is_own_start).unwrap_or(finding.trace.len());
        let mut threads: BTreeMap<ThreadId, Vec<String>> = BTreeMap::new();
        for step in &finding.trace[start..] {
            let Some(call) = self.names.concurrent_call(&step.stack) else { continue };
            let calls = threads.entry(step.thread).or_default();
            if calls.last() != Some(&call) {
                calls.push(call);
            }
        }
        for event in &finding.events {
            let calls = threads.entry(event.thread).or_default();
            let own = self.names.calls_at_once(&[event.stack.as_slice()]);
            calls.extend(own.into_iter().filter(|call| !calls.contains(call)).collect::<Vec<_>>());
        }
        threads.retain(|_, calls| !calls.is_empty());
        let list = |calls: &[String]| calls.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        if threads.values().any(|calls| calls.len() > 1) {
            let of_thread =
                |(id, calls): (&ThreadId, &Vec<String>)| format!("{} by {}", list(calls), self.bare_thread(*id));
            return threads.iter().map(of_thread).collect::<Vec<_>>().join(" and ");
        }
        let mut calls: Vec<String> = threads.values().map(|calls| list(calls)).collect();
        calls.dedup();
        match threads.len() {
            0 => String::new(),
            1 => calls.join(" and "),
            _ => format!("{} from two threads", calls.join(" and ")),
        }
    }

    /// The call that a callback of one of the calls makes, or a waker that it wakes.
    fn call_of_callback(&mut self) -> String {
        let finding = self.finding;
        let of_events = finding.events.iter().map(|event| &event.stack);
        let mut stacks = of_events.chain(finding.trace.iter().map(|step| &step.stack));
        let nested = stacks.find_map(|stack| self.names.call_of_callback(stack));
        match nested {
            Some(NestedCall { of, call, by }) => match by {
                NestedCaller::Callback => format!("; a callback of `{of}` calls `{call}`"),
                NestedCaller::Waker => format!("; a waker that `{of}` wakes calls `{call}`"),
                NestedCaller::Method(method) => format!("; an implementation of `{method}` calls `{call}`"),
            },
            None => String::new(),
        }
    }

    /// A text for formats of one line: a thread without a name gets the location where it was started: `thread 1
    /// (started at main.rs:9) writes ...`.
    pub(crate) fn introduced(&mut self, text: &str) -> String {
        let finding = self.finding;
        let mut text = text.to_owned();
        for id in self.roster() {
            let name = self.bare_thread(id);
            let own = finding.events.iter().find(|event| event.thread == id);
            let Some(location) = own.and_then(|event| self.site(&event.started)) else { continue };
            if name != format!("thread {}", id.0) {
                continue;
            }
            let is_whole = |at: &usize| !text[at + name.len()..].starts_with(|next: char| next.is_ascii_digit());
            let Some(at) = text.match_indices(&name).map(|it| it.0).find(is_whole) else { continue };
            let file = location.path.rsplit('/').next().unwrap_or_default();
            text.insert_str(at + name.len(), &format!(" (started at {file}:{})", location.line));
        }
        text
    }

    /// The location of a stack's innermost frame in the workspace.
    pub(crate) fn site(&mut self, stack: &[StackEntry]) -> Option<Location> {
        stack.iter().filter(|it| it.is_local).find_map(|it| self.names.location(it))
    }

    /// The call of a harness whose future a thread waits for.
    pub(crate) fn awaited_call(&mut self, event: &Event) -> Option<String> {
        self.names.awaited_call(&event.stack)
    }

    /// The promise of thread safety that a type does not keep, if that is what the finding shows.
    pub(crate) fn broken_promise(&mut self) -> Option<BrokenPromise> {
        let finding = self.finding;
        let stacks: Vec<&[StackEntry]> = finding.events.iter().map(|event| event.stack.as_slice()).collect();
        self.names.broken_promise(&stacks)
    }

    /// Whether one of the events ends what a callback borrows.
    pub(crate) fn ends_borrow(&mut self) -> bool {
        let finding = self.finding;
        finding.events.iter().any(|event| self.names.ends_borrow(&event.stack))
    }

    /// The failure after which the run went on.
    pub(crate) fn behind(&mut self) -> String {
        let (what, stack, as_if) = match &self.finding.behind {
            Some(BehindWhat::Panic(stack)) => ("panic", &**stack, "the call had returned"),
            Some(BehindWhat::Deadlock(stack)) => ("deadlock", &**stack, "its threads had been ended there"),
            None => ("deadlock", &[][..], "its threads had been ended there"),
        };
        let place = match self.site(stack) {
            Some(location) => format!("the {what} at {}:{}", location.path, location.line),
            None => format!("another {what}"),
        };
        format!("the run went on after {place}, as if {as_if}")
    }

    /// The function of a stack's innermost frame in the workspace.
    pub(crate) fn function(&mut self, stack: &[StackEntry]) -> String {
        stack.iter().find(|it| it.is_local).map_or_else(String::new, |it| self.names.function(it))
    }

    /// The function of a stack entry, with its modules.
    pub(crate) fn path(&mut self, entry: &StackEntry) -> String {
        format!("{}{}", self.names.modules(entry), self.names.function(entry))
    }

    /// The same with its modules, to distinguish causes.
    pub(crate) fn item(&mut self, stack: &[StackEntry]) -> String {
        let Some(entry) = stack.iter().find(|it| it.is_local) else { return String::new() };
        format!("{}{}", self.names.modules(entry), self.names.function(entry))
    }

    /// The operation of a stack's innermost frame in the workspace, in its own words, to distinguish causes.
    pub(crate) fn operation(&mut self, stack: &[StackEntry]) -> String {
        let entry = stack.iter().find(|it| it.is_local);
        match entry.and_then(|entry| self.names.text(entry)) {
            Some((text, 0)) => escape::line(&text).into_owned(),
            Some((text, before)) => format!("{} #{}", escape::line(&text), before + 1),
            None => String::new(),
        }
    }

    /// The verb for an access.
    pub(crate) fn verb(&mut self, event: &Event) -> &'static str {
        self.verb_at(&event.action, &event.stack)
    }

    /// The verb for an access at a stack. The load and the store of an update both count as an update.
    fn verb_at(&mut self, action: &Action, stack: &[StackEntry]) -> &'static str {
        let own = stack.first().filter(|entry| entry.is_local);
        match action {
            Action::Read { atomic: true, .. } => "atomically reads",
            Action::Write { atomic: true, .. } => "atomically writes",
            Action::Allocates { .. } => "allocates",
            Action::Frees { object } if matches!(object.owner, Owner::Stack(_)) => "drops",
            Action::Frees { .. } => "frees",
            _ if own.is_some_and(|entry| self.names.updates(entry)) => "updates",
            Action::Read { .. } => "reads",
            _ => "writes",
        }
    }

    /// `, holds it until line 17`, if that is certain.
    pub(crate) fn kept_to(&mut self, stack: &[StackEntry]) -> String {
        let line = self.names.kept_to(stack);
        line.map_or_else(String::new, |line| format!(", holds it until line {line}"))
    }

    /// How a guard could be dropped before a wait.
    pub(crate) fn release(&mut self, taken: &[StackEntry], waits: &[StackEntry]) -> Option<Release> {
        self.names.release(taken, waits)
    }

    /// The threads of the finding in order of creation, and those whose steps explain why others wait forever.
    pub(crate) fn roster(&self) -> Vec<ThreadId> {
        let mut threads: Vec<ThreadId> = self.finding.events.iter().map(|event| event.thread).collect();
        threads.extend(self.finding.trace.iter().filter(|step| self.is_telling(step)).map(|step| step.thread));
        threads.sort();
        threads.dedup();
        threads
    }

    /// Whether a step explains why others wait forever: a notification before anybody waits, an unpark before another
    /// park, a future that takes a wake-up and is dropped, or the end of a thread by a panic.
    fn is_telling(&self, step: &TraceStep) -> bool {
        if self.is_failure() {
            return self.matters_to_failure(step);
        }
        if !self.has_missed_wake_ups {
            return false;
        }
        let mut events = self.finding.events.iter();
        match &step.event {
            TraceEvent::PollsInVain | TraceEvent::DropsFuture | TraceEvent::WakesSpuriously => true,
            TraceEvent::Notifies { object, woken } => {
                let waits = |event: &Event| matches!(event.action, Action::WaitsCondvar { object: at } if at.addr == object.addr);
                woken.is_empty() && events.any(waits)
            }
            TraceEvent::Unparks { object, .. } => {
                events.any(|it| matches!(it.action, Action::WaitsPark { object: at } if at.addr == object.addr))
            }
            TraceEvent::Panics => {
                let ends = |it: &TraceStep| it.thread == step.thread && it.event == TraceEvent::Ends { panicked: true };
                self.finding.trace.iter().any(ends)
            }
            _ => false,
        }
    }

    /// The call path of each thread of the finding.
    pub(crate) fn paths(&mut self) -> Vec<ThreadPath> {
        let finding = self.finding;
        let mut paths = Vec::new();
        for id in self.roster() {
            let event = finding.events.iter().find(|event| event.thread == id);
            let starts = finding.trace.iter().find(|step| step.event == TraceEvent::Starts { thread: id });
            let telling = finding.trace.iter().rfind(|step| step.thread == id && self.is_telling(step));
            let started = event.map(|it| &it.started).or(starts.map(|it| &it.stack));
            let stack = event.map(|it| &it.stack).or(telling.map(|it| &it.stack));
            let started = started.and_then(|stack| self.site(stack));
            let frames = stack.map(|stack| self.frames(stack)).unwrap_or_default();
            let holds = event.map(|event| self.holds(event)).unwrap_or_default();
            paths.push(ThreadPath { name: self.bare_thread(id), started, frames, is_part: event.is_some(), holds });
        }
        paths
    }

    /// The locks that a thread holds at an event.
    fn holds(&mut self, event: &Event) -> Vec<HeldLock> {
        let earlier = self.held_at_first();
        // The locks held at the earlier of two accesses are only in the steps.
        let is_first =
            !earlier.is_empty() && self.finding.events.first().is_some_and(|first| std::ptr::eq(first, event));
        if is_first {
            let held = earlier.into_iter();
            return held
                .map(|(object, step)| HeldLock {
                    name: self.at_step(&object, step, "a lock").replace('`', ""),
                    location: self.site(&step.stack),
                })
                .collect();
        }
        let held = event.held.iter();
        held.map(|(kind, object, stack)| HeldLock {
            name: self.lock(*kind, object).replace('`', ""),
            location: self.site(stack),
        })
        .collect()
    }

    /// The locks that the thread of the first access holds at it, each with the step that took it; empty if it is no
    /// race or the steps are not known.
    pub(crate) fn held_at_first(&self) -> Vec<(Object, &'a TraceStep)> {
        let finding = self.finding;
        let mut held: Vec<(Object, &TraceStep)> = Vec::new();
        let at = finding.trace.iter().position(|step| matches!(step.event, TraceEvent::Accesses { .. }));
        let (Some(at), Some(first)) = (at, finding.events.first()) else { return held };
        for step in finding.trace[..at].iter().filter(|step| step.thread == first.thread) {
            match step.event {
                TraceEvent::Takes { object, .. } => held.push((object, step)),
                TraceEvent::Releases { object } => {
                    if let Some(index) = held.iter().rposition(|it| it.0.addr == object.addr) {
                        held.remove(index);
                    }
                }
                _ => {}
            }
        }
        held
    }

    /// The futures that are suspended while a thread waits forever: `outer` > `inner` waits for `lock.lock()` at
    /// src/main.rs:9, holding `other.lock()` of line 8. Each text once, in the
    /// order of the source; at most so many.
    pub(crate) fn futures(&mut self, most: usize) -> Vec<String> {
        let mut all = Vec::new();
        for stack in &self.finding.suspended {
            let frames = self.frames(stack);
            let Some(location) = frames.last().map(|frame| frame.location.clone()) else { continue };
            let name = |function: &str| format!("`{}`", function.strip_suffix("::{async}").unwrap_or(function));
            let functions: Vec<String> = frames.iter().map(|frame| name(&frame.function)).collect();
            let local = stack.iter().filter(|it| it.is_local);
            let awaits: Vec<Option<Awaits>> = local.map(|it| self.names.awaits(it)).collect();
            let what = awaits.first().and_then(|it| it.as_ref()?.what.as_ref());
            let what = what.map(|it| format!(" for `{it}`")).unwrap_or_default();
            let held = awaits
                .iter()
                .flatten()
                .flat_map(|it| &it.held)
                .map(|(guard, line)| format!("`{guard}` of line {line}"));
            let held: Vec<String> = held.collect();
            let held = if held.is_empty() { String::new() } else { format!(", holding {}", listed(&held)) };
            let at = format!("{}:{}", location.path, location.line);
            all.push((location, format!("{} waits{what} at {at}{held}", functions.join(" > "))));
        }
        all.sort();
        let groups: Vec<_> = all.chunk_by(|one, other| one == other).collect();
        let more = groups.len().saturating_sub(most);
        let texts = groups.into_iter().take(most).filter_map(|group| match group {
            [(_, text)] => Some(text.clone()),
            [(_, text), ..] => Some(format!("{text} ({} like this)", group.len())),
            [] => None,
        });
        texts.chain((more > 0).then(|| format!("{more} more"))).collect()
    }

    /// The frames in the workspace, outermost first. A closure that a function passes to std and that runs within it is
    /// part of that function.
    fn frames(&mut self, stack: &[StackEntry]) -> Vec<Frame> {
        let mut frames: Vec<Frame> = Vec::new();
        for entry in stack.iter().rev().filter(|entry| entry.is_local) {
            let Some(location) = self.names.location(entry) else { continue };
            let function = self.names.function(entry);
            match frames.last_mut() {
                Some(last) if owner(&function) == Some(last.function.as_str()) => last.location = location,
                _ => frames.push(Frame { function, location }),
            }
        }
        for frame in &mut frames {
            if owner(&frame.function).is_some() {
                "closure".clone_into(&mut frame.function);
            }
        }
        frames
    }
}

/// The function that contains a closure.
fn owner(function: &str) -> Option<&str> {
    function.strip_suffix("::{closure}")
}

/// Names in an order that does not depend on which thread came first.
pub(crate) fn in_order(mut names: Vec<String>) -> String {
    names.sort();
    names.dedup();
    names.join("|")
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
