//! The order of work. Entries in the middle come last: a function that other entries run needs no such entry. For an
//! editor, those in a file in view come before entries that do not lead there.

use super::{
    CANCELLED, FindingStatus, Options, Pending, Progress, Total, messages,
    reachable_sites::{ReachableSites, StepBudget},
    selection::{EarlyEntries, NO_MAIN, by_package, group_name},
    sources, sources_on_disk,
};
use crate::{
    diagnostic::Diagnostic,
    escape,
    explore::{self, ExploreEvent},
    incremental::{Dictionaries, EntryGroup, Phase, QUICK, Work as WorkCounts},
    lower,
    outcome::Explored,
    project::{EntryKind, EntryPoint, Project},
    report::{Message, MessageKind, PackageReport, Part, Report, Stage, reach::Reach},
    suppress::Allowed,
};
use interp::run::Config;
use rustc_hash::FxHashSet;
use std::ops::{ControlFlow, Range};

/// The most functions that start threads which are entries in the middle: code is made for each.
const MAX_MIDDLE: usize = 2_000;

/// Checks a project; must run inside [`Project::with_db`].
pub(super) fn run(project: &Project, options: &Options<'_>, progress: &mut dyn Progress, part: &mut Part) {
    let mut work = Work {
        project,
        options,
        progress,
        part,
        entries: Vec::new(),
        total: Total::default(),
        allowed: None,
        is_incomplete: false,
        has_middle: false,
        reachable_sites: ReachableSites::default(),
        step_budget: StepBudget::new(options.explore.effort, 0, false),
        dictionaries: Dictionaries::default(),
        counts: WorkCounts::default(),
    };
    match work.options.previous.is_some() {
        true => work.again(),
        false => work.anew(),
    }
    if work.progress.is_cancelled() && work.part.error().is_none() {
        work.part.is_repeatable = false;
        work.part.messages.push(Message::error(MessageKind::Cancelled, CANCELLED));
    }
}

struct Work<'a> {
    project: &'a Project,
    options: &'a Options<'a>,
    progress: &'a mut dyn Progress,
    part: &'a mut Part,
    entries: Vec<Pending>,
    /// Of the current package, if there is no earlier analysis.
    total: Total,
    /// The comments that suppress findings; read when first needed.
    allowed: Option<Allowed>,
    /// Whether a part of the source was left out before the first run.
    is_incomplete: bool,
    /// Whether entries in the middle were looked up; until then, the results of an earlier analysis are shown.
    has_middle: bool,
    /// Of the current package, if there is no earlier analysis.
    reachable_sites: ReachableSites,
    /// The steps that are left for all packages.
    step_budget: StepBudget,
    dictionaries: Dictionaries,
    counts: WorkCounts,
}

impl Work<'_> {
    /// Explores a project without earlier results.
    fn anew(&mut self) {
        let (project, options) = (self.project, self.options);
        let selection = &options.selection;
        self.part.feature_sets = if options.beyond.is_none() { project.feature_sets() } else { Vec::new() };
        let errors = messages::syntax_errors(project);
        self.is_incomplete = !errors.is_empty() || project.is_incomplete();
        self.say(errors);
        let EarlyEntries { entries: mut points, tests_left_out } = match selection.early_entries(project) {
            Ok(early) => early,
            Err(message) => return self.say([Message::error(MessageKind::NotFound, message)]),
        };
        points.extend(selection.middle(project));
        if !self.part.feature_sets.is_empty() {
            self.part.entries = points.iter().map(|it| project.entry_with_size(it)).collect();
        }
        if let Some(beyond) = options.beyond {
            let known: FxHashSet<&str> = beyond.part.entries.iter().map(String::as_str).collect();
            points.retain(|it| !known.contains(project.entry_with_size(it).as_str()));
            if points.is_empty() {
                self.part.is_repeatable = true;
                return;
            }
        }
        let points = by_package(points);
        // A single file without `main` is a library.
        if !points.iter().any(|it| it.package.is_none() && it.kind == EntryKind::Api) {
            self.say(messages::no_programs(project));
        }
        if points.is_empty() && !project.broken().is_empty() {
            return self.say([Message::error(MessageKind::NotLoaded, "nothing was analysed")]);
        }
        if points.is_empty() {
            let what = match (selection.has_tests(), selection.has_harnesses()) {
                (true, true) => "found no `main`, no test and no public function",
                (true, false) => "found no `main` and no test",
                (false, _) => NO_MAIN,
            };
            let text = format!("nothing was analysed: {what}");
            self.say([Message::info(MessageKind::NothingToRun, Stage::Start, text)]);
        }
        self.say(messages::tests_left_out(tests_left_out));
        if selection.has_harnesses() {
            self.say(messages::api_left_out(project));
        }
        let allowed = Allowed::of(project);
        self.say(messages::wrong_comments(&allowed));
        self.say(messages::of_config(project));
        self.allowed = Some(allowed);
        self.progress.started(points.len());
        let early = points.iter().filter(|point| point.kind != EntryKind::Middle).count();
        // What features add is a small part, unless nothing can be built without them.
        let is_small = options.beyond.is_some_and(|it| !it.part.entries.is_empty());
        let effort = if is_small { options.explore.effort.lower() } else { options.explore.effort };
        self.step_budget = StepBudget::new(effort, points.len(), early == 1);
        let mut done = 0;
        for package in points.chunk_by(|one, two| one.package == two.package) {
            done += package.len();
            let (middle, first): (Vec<EntryPoint>, Vec<EntryPoint>) =
                package.iter().cloned().partition(|point| point.kind == EntryKind::Middle);
            let start = self.entries.len();
            self.reachable_sites = ReachableSites::of(project, package);
            let steps = self.step_budget.take(package.len());
            self.total.steps = steps;
            self.total.is_further = is_small;
            self.total.features = options.beyond.map(|it| it.features.to_vec()).unwrap_or_default();
            let known = options.beyond.iter().flat_map(|it| &it.part.packages).flat_map(|package| &package.findings);
            self.total.silent.extend(known.cloned());
            self.group(first, |_| middle);
            self.step_budget.put_back(self.total.steps);
            if self.progress.is_cancelled() {
                return;
            }
            self.package(start..self.entries.len());
            // Skipped entries are finished too.
            (self.entries.len()..done).for_each(|entry| self.progress.explored(entry, &[]));
        }
        // Another program may need those in files that they share.
        let is_everything =
            options.beyond.is_none() && !points.is_empty() && selection.is_everything() && project.has_all_targets();
        if let Some(allowed) = self.allowed.take().filter(|_| is_everything) {
            self.say(messages::unused_comments(&allowed));
        }
        self.say(messages::left_out(project));
        // A further pass would load everything again, for a program that this effort does not suffice for.
        if self.step_budget.is_nearly_spent() && !std::mem::take(&mut self.part.feature_sets).is_empty() {
            self.say([messages::features_left_out()]);
        }
        let stopped = messages::stopped(project);
        let failures = messages::failures();
        // A missing dependency may be installed later; a failure may have any cause.
        self.part.is_repeatable = project.left_out().is_empty()
            && failures.is_empty()
            && stopped.iter().all(|it| it.kind != MessageKind::OutOfMemory)
            && self.part.packages.iter().all(|it| it.summary.out_of_time == 0);
        self.say(stopped);
        self.say(failures);
        self.part.workspace = project.workspace().cloned();
        self.part.sources = sources_on_disk(project, self.part.packages.iter().flat_map(|package| &package.findings));
    }

    /// Explores the entries that changes since an earlier analysis concern.
    fn again(&mut self) {
        let project = self.project;
        let selection = &self.options.selection;
        let EarlyEntries { entries: points, tests_left_out } = match selection.early_entries(project) {
            Ok(early) => early,
            Err(message) => return self.say([Message::error(MessageKind::NotFound, message)]),
        };
        self.say(messages::tests_left_out(tests_left_out));
        self.say(messages::api_left_out(project));
        // Finding them requires looking into functions; nobody has to wait for that.
        self.group(points, |work| {
            let middle = selection.middle(work.project);
            work.has_middle = true;
            middle
        });
        if self.progress.is_cancelled() {
            return;
        }
        self.counts.lowered = lower::bodies_lowered();
        self.progress.work(self.counts);
        self.show();
        let findings = self.findings();
        (self.part.packages, self.part.sources) = (findings.packages, findings.sources);
    }

    /// Explores entries, then entries in the middle whose threads none of them started.
    fn group(&mut self, first: Vec<EntryPoint>, middle: impl FnOnce(&mut Self) -> Vec<EntryPoint>) {
        let start = self.entries.len();
        self.take(first, Vec::new());
        let end = self.entries.len();
        self.explore(start..end, |work| work.explore_middle_in_view(start..end));
        if self.progress.is_cancelled() {
            return;
        }
        let mut early = self.entries.split_off(end);
        let middle = middle(self);
        let mut needed = self.needed(&self.entries[start..], middle);
        if needed.len() > MAX_MIDDLE {
            let text = format!(
                "{} functions that start threads are not started: there are too many",
                needed.len() - MAX_MIDDLE
            );
            self.say([Message::info(MessageKind::ApiLeftOut, Stage::Start, text)]);
        }
        needed.truncate(MAX_MIDDLE);
        let start = self.entries.len();
        let unneeded =
            early.extract_if(.., |it| needed.iter().all(|point| point.path() != it.path)).collect::<Vec<_>>();
        self.take(needed, early);
        // Results of entries that are no longer needed, or gone, are dropped.
        if let Some(previous) = &self.options.previous {
            for (path, result) in previous.without(&self.entries, &unneeded) {
                self.progress.entry_result(path, result);
            }
        }
        self.explore(start..self.entries.len(), |_| {});
    }

    /// Explores the entries in the middle that start in a file in view and that no entry of `first` is known to make
    /// unneeded. Entries that lead nowhere near may still do so.
    fn explore_middle_in_view(&mut self, first: Range<usize>) {
        let Some(previous) = self.options.previous.as_ref().filter(|it| it.has_view()) else { return };
        let mut near = self.options.selection.middle(self.project);
        near.retain(|point| previous.is_in_view(self.project, point));
        let mut needed = self.needed(&self.entries[first], near);
        needed.truncate(MAX_MIDDLE);
        let start = self.entries.len();
        self.take(needed, Vec::new());
        self.explore(start..self.entries.len(), |_| {});
    }

    /// The entries that would run functions that no entry of `group` in their package has run.
    fn needed(&self, group: &[Pending], points: Vec<EntryPoint>) -> Vec<EntryPoint> {
        if self.options.previous.is_none() {
            return self.total.needed(self.project, points);
        }
        let mut needed = Vec::new();
        for points in points.chunk_by(|one, two| one.package == two.package) {
            let mut total = Total::default();
            for entry in group.iter().filter(|it| it.point.package == points[0].package) {
                if let Some(explored) = entry.outcome() {
                    total.add_counts(&entry.point, explored);
                }
            }
            needed.extend(total.needed(self.project, points.to_vec()));
        }
        needed
    }

    /// Looks up the results of entries. Some have been explored already.
    fn take(&mut self, points: Vec<EntryPoint>, mut explored: Vec<Pending>) {
        for point in points {
            let mut entry = Pending::new(point);
            if let Some(index) = explored.iter().position(|it| it.path == entry.path) {
                self.entries.push(explored.swap_remove(index));
                continue;
            }
            if let Some(previous) = &self.options.previous {
                previous.look_up(self.project, &mut entry, &mut self.dictionaries, &mut self.counts);
            }
            if entry.is_settled
                && let Some(known) = &entry.known
            {
                self.progress.entry_result(entry.path.clone(), known.clone());
            }
            self.entries.push(entry);
        }
        // Also without a result: whoever types sees that the new text was read.
        if self.options.previous.is_some() {
            self.show();
        }
    }

    /// Explores entries. For an editor, those in view come before others. Of such a group each gets a few schedules
    /// first, then each gets all. `before_others` is called before those that lead nowhere near what is in view.
    fn explore(&mut self, range: Range<usize>, before_others: impl FnOnce(&mut Self)) {
        let (project, options) = (self.project, self.options);
        let Some(previous) = &options.previous else {
            return match options.explore.runs {
                Some(_) => self.explore_group(range.collect(), &options.explore, &[Phase::Deep]),
                None => self.explore_planned(range),
            };
        };
        // The bounds are those of all entries, whatever the order.
        let explore = explore::Options {
            prefix_steps: Some(self.prefix_steps(range.clone())),
            steps: Some(options.explore.steps.unwrap_or(explore::share(range.len(), options.explore.effort))),
            max_steps: options.explore.max_steps.or(explore::share_of_run(range.len())),
            records_reads: true,
            is_unordered: true,
            ..options.explore.clone()
        };
        let groups = previous.groups(project, &self.entries, range);
        let others = groups.iter().position(|it| !it.is_near).unwrap_or(groups.len());
        let explore_groups = |work: &mut Self, groups: &[EntryGroup]| {
            groups.iter().for_each(|it| work.explore_group(it.entries.clone(), &explore, &[Phase::Quick, Phase::Deep]));
        };
        explore_groups(self, &groups[..others]);
        if others < groups.len() && !self.progress.is_cancelled() {
            before_others(self);
        }
        explore_groups(self, &groups[others..]);
    }

    /// Explores entries together, in phases.
    fn explore_group(&mut self, mut order: Vec<usize>, explore: &explore::Options, phases: &[Phase]) {
        let (project, options) = (self.project, self.options);
        for phase in phases {
            order.retain(|index| !self.entries[*index].is_settled);
            if order.is_empty() || self.progress.is_cancelled() {
                continue;
            }
            let mut explore = explore.clone();
            if *phase == Phase::Quick {
                explore.runs = Some(QUICK);
                // The user is typing: a program that takes long to start its threads has to wait.
                explore.prefix_steps = explore.max_steps.or(Some(Config::default().max_steps));
            }
            let points: Vec<EntryPoint> = order.iter().map(|index| self.entries[*index].point.clone()).collect();
            explore::explore_all(project, &points, &explore, &mut |event| {
                match event {
                    ExploreEvent::Schedule { entry, schedules } => {
                        self.progress.schedule(order[entry], &points[entry].name, schedules);
                    }
                    ExploreEvent::Explored { entry, explored } => self.explored(order[entry], *phase, *explored),
                }
                if self.progress.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if options.previous.is_some() {
                self.show();
            }
        }
    }

    /// The steps that a program among these entries may take before schedules can differ.
    fn prefix_steps(&self, entries: Range<usize>) -> u64 {
        let share = || explore::share_of_prefix(self.entries[entries].iter().map(|entry| &entry.point));
        self.options.explore.prefix_steps.unwrap_or_else(share)
    }

    /// Explores entries in rounds: effort goes where it can find something.
    fn explore_planned(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (project, options) = (self.project, self.options);
        let reachable_sites = std::mem::take(&mut self.reachable_sites);
        let points: Vec<EntryPoint> = self.entries[range.clone()].iter().map(|entry| entry.point.clone()).collect();
        let explore =
            explore::Options { prefix_steps: Some(self.prefix_steps(range.clone())), ..options.explore.clone() };
        let is_everything = self.step_budget.is_single && points.len() == 1;
        let plan = reachable_sites.plan(project, &points, self.total.steps, is_everything);
        let done = explore::explore_planned(project, &points, &explore, plan, &reachable_sites.sites, &mut |event| {
            match event {
                ExploreEvent::Schedule { entry, schedules } => {
                    self.progress.schedule(range.start + entry, &points[entry].name, schedules);
                }
                ExploreEvent::Explored { entry, explored } => {
                    self.explored(range.start + entry, Phase::Deep, *explored)
                }
            }
            if self.progress.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.reachable_sites = reachable_sites;
        self.total.steps = self.reachable_sites.take(done);
    }

    fn explored(&mut self, index: usize, phase: Phase, explored: Explored) {
        let entry = &mut self.entries[index];
        let Some(previous) = &self.options.previous else {
            self.progress.explored(index, &explored.diagnostics);
            let new = self
                .total
                .add(&entry.point, &explored, |it| FindingStatus::of(self.project, self.allowed.as_mut(), it));
            if !new.is_empty() {
                let package = PackageReport { findings: new, ..PackageReport::default() };
                let sources = sources_on_disk(self.project, &package.findings);
                let path = self.options.path.clone();
                let workspace = self.project.workspace().cloned();
                let part = Part { path, packages: vec![package], sources, workspace, ..Part::default() };
                self.progress.new_findings(&Report::of(part));
            }
            return;
        };
        let before: Vec<Diagnostic> = entry.diagnostics().cloned().collect();
        self.counts.explored += u64::from(phase == Phase::Quick);
        let is_last = phase == Phase::Deep || explored.is_only_run;
        entry.explored = Some(explored);
        if is_last {
            let result = previous.settle(self.project, entry, &mut self.dictionaries, false);
            self.progress.entry_result(entry.path.clone(), result);
        }
        // The entries after this one need not wait.
        if !entry.diagnostics().eq(&before) {
            self.show();
        }
    }

    /// Finishes a package.
    fn package(&mut self, entries: Range<usize>) {
        let total = std::mem::take(&mut self.total);
        if entries.is_empty() {
            return;
        }
        let points = self.entries[entries].iter().map(|entry| &entry.point);
        // A further check of a package is named like the first, also if it adds one entry only.
        let package = points.clone().find_map(|it| it.package.as_deref()).filter(|_| self.options.beyond.is_some());
        let name = package.map_or_else(|| group_name(points), |it| escape::line(it).into_owned());
        let reachable_sites = std::mem::take(&mut self.reachable_sites);
        let (findings, summary, reach) = total.finish(self.project, &reachable_sites);
        let mut package = PackageReport { name, findings, summary, reach };
        package.summary.is_incomplete = self.is_incomplete;
        self.progress.package(&package);
        self.part.packages.push(package);
    }

    /// All current findings, by package.
    fn findings(&mut self) -> Part {
        if self.allowed.is_none() && self.has_findings() {
            self.allowed = Some(Allowed::of(self.project));
        }
        let mut totals: Vec<(Option<String>, Vec<usize>, Total)> = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let package = &entry.point.package;
            let at = totals.iter().position(|(known, ..)| known == package).unwrap_or_else(|| {
                totals.push((package.clone(), Vec::new(), Total::default()));
                totals.len() - 1
            });
            let (_, members, total) = &mut totals[at];
            members.push(index);
            if let Some(explored) = entry.outcome() {
                total.add_counts(&entry.point, explored);
            }
            total.add_findings(entry.diagnostics(), |it| FindingStatus::of(self.project, self.allowed.as_mut(), it));
        }
        if let Some(previous) = self.options.previous.as_ref().filter(|_| !self.has_middle) {
            let mut waiting = Total::default();
            waiting.add_findings(previous.in_the_middle(&self.entries), |it| {
                FindingStatus::of(self.project, self.allowed.as_mut(), it)
            });
            totals.push((None, Vec::new(), waiting));
        }
        let mut part = Part { path: self.options.path.clone(), ..Part::default() };
        for (_, members, total) in totals {
            let (findings, summary) = total.without_sites();
            let name = group_name(members.iter().map(|index| &self.entries[*index].point));
            part.packages.push(PackageReport { name, findings, summary, reach: Reach::default() });
        }
        part.sources = sources(self.project, part.packages.iter().flat_map(|package| &package.findings));
        part
    }

    /// Whether any entry has findings, including entries that were not looked up yet.
    fn has_findings(&self) -> bool {
        let previous = self.options.previous.as_ref().filter(|_| !self.has_middle);
        previous.is_some_and(|previous| previous.in_the_middle(&self.entries).next().is_some())
            || self.entries.iter().any(|entry| entry.diagnostics().next().is_some())
    }

    fn show(&mut self) {
        let report = Report::of(self.findings());
        self.progress.all_findings(&report);
    }

    fn say(&mut self, messages: impl IntoIterator<Item = Message>) {
        let told = self.options.beyond.map(|it| it.part.messages.as_slice()).unwrap_or_default();
        for message in messages.into_iter().filter(|message| !told.contains(message)) {
            self.progress.message(&message);
            self.part.messages.push(message);
        }
    }
}
