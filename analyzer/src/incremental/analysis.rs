//! An analysis of all entries after an edit: what still holds first, then what shows soon, then the rest.

use super::{
    EntryResult, EntryResults, SharedEntryResult, Snapshot,
    reads::{Dictionary, Reads, Structures},
};
use crate::{
    diagnostic::Diagnostic,
    explore::{self, Explored, Options},
    guard, lower,
    project::{Broken, EntryKind, EntryPoint, Place, Project},
    suppress::Allowed,
};
use ra_ap_base_db::Crate;
use ra_ap_vfs::FileId;
use rustc_hash::FxHashMap;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    path::Path,
    sync::Arc,
};

/// How many schedules are tried while somebody types.
const QUICK: u32 = 4;

/// How far an analysis is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// What held before was looked at again, each finding by its own schedule.
    Replayed,
    /// Every entry that the edit concerns has had a few schedules.
    Quick,
    /// Everything is done.
    Deep,
}

/// What an analysis reports.
pub enum Report {
    /// An entry was explored to the end.
    Analysed(String, SharedEntryResult),
    /// All that is to be shown now.
    Diagnostics(Phase, Vec<Diagnostic>),
    /// A crate is to be taken as empty, and the analysis to be made anew.
    Broken(Broken),
    /// How much had to be done so far.
    Work(Work),
}

/// How much had to be done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Work {
    /// Entries explored.
    pub explored: u64,
    /// Findings shown again from their schedules.
    pub replayed: u64,
    /// Bodies lowered in this process.
    pub lowered: u64,
}

/// An entry and what is to be told of it.
struct Pending {
    point: EntryPoint,
    path: String,
    known: Option<SharedEntryResult>,
    /// Findings of before that are not known to be gone.
    kept: Vec<Diagnostic>,
    /// What the runs since the edit found.
    found: Vec<Diagnostic>,
    is_settled: bool,
}

impl Pending {
    fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let is_new = |it: &&Diagnostic| !self.found.iter().any(|known| known.is_same_bug(it));
        self.found.iter().chain(self.kept.iter().filter(is_new))
    }
}

/// How an analysis ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Everything is reported.
    Done,
    /// An edit made it pointless.
    Cancelled,
    /// It failed, which is a mistake of ours.
    Failed,
}

/// Called with each report of an analysis, with the project as it was then.
pub type OnReport<'a> = &'a mut (dyn FnMut(&Project, Report) + Send);

impl Snapshot {
    /// Explores what changes concern. `in_view` is the file that somebody looks at: what runs through it comes first. An edit
    /// of the project ends it.
    pub fn analyse(self, in_view: Option<&Path>, on_report: OnReport<'_>) -> End {
        let Snapshot { project, structures, texts, known } = self;
        let outcome = guard::unwinding(|| {
            project.with_db(|project| {
                let analysis = Analysis {
                    project,
                    structures: &structures,
                    texts: &texts,
                    known: &known,
                    is_complete: Cell::new(false),
                    dictionary: RefCell::default(),
                };
                analysis.run(in_view, &mut |report| on_report(project, report));
            });
        });
        match outcome {
            Ok(()) => End::Done,
            Err(payload) if guard::is_cancelled(&payload) => End::Cancelled,
            Err(_) => End::Failed,
        }
    }
}

struct Analysis<'a> {
    project: &'a Project,
    structures: &'a Structures,
    texts: &'a BTreeMap<FileId, u64>,
    known: &'a EntryResults,
    /// Whether entries in the middle were looked up; until then what was known of them is shown.
    is_complete: Cell<bool>,
    /// The dictionary of the crates that were asked for.
    dictionary: RefCell<FxHashMap<Crate, Dictionary>>,
}

impl Analysis<'_> {
    fn run(&self, in_view: Option<&Path>, on_report: &mut dyn FnMut(Report)) {
        if let Some(broken) = self.project.first_broken() {
            return on_report(Report::Broken(broken));
        }
        let mut work = Work::default();
        let mut entries: Vec<Pending> =
            self.project.early_entries().into_iter().map(|point| self.look_up(point, &mut work)).collect();
        self.report_settled(&entries, on_report);
        if entries.iter().any(|entry| entry.known.is_some()) {
            self.show(Phase::Replayed, &entries, on_report);
        }
        let in_view = in_view.and_then(|path| self.project.file_at(path));
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_key(|index| {
            let reads = entries[*index].known.as_ref().and_then(|it| it.reads.as_ref());
            let is_in_view = in_view.is_some_and(|file| reads.is_some_and(|reads| reads.has_file(file)));
            (!is_in_view, *index)
        });
        self.explore(&mut entries, order, &mut work, on_report);
        // Where they are is only found by a look at what functions do, for which nobody has to wait. What the others ran needs no
        // start in the middle.
        let is_run = |entries: &[Pending], point: &EntryPoint| {
            point.starts.iter().all(|func| {
                entries.iter().any(|it| {
                    let reads = it.known.as_ref().and_then(|it| it.reads.as_ref());
                    reads.is_some_and(|reads| reads.has_body(self.project, (*func).into()))
                })
            })
        };
        let middle: Vec<EntryPoint> = self.project.middle().into_iter().filter(|it| !is_run(&entries, it)).collect();
        let first = entries.len();
        entries.extend(middle.into_iter().map(|point| self.look_up(point, &mut work)));
        self.report_settled(&entries[first..], on_report);
        // Nothing is known any more of those that are not needed, or gone.
        for (path, _) in self.known.iter().filter(|(_, known)| known.kind == EntryKind::Middle) {
            if !entries[first..].iter().any(|it| it.path == *path) {
                let kind = EntryKind::Middle;
                let nothing = EntryResult { kind, diagnostics: Vec::new(), reads: None, texts: BTreeMap::new() };
                on_report(Report::Analysed(path.clone(), Arc::new(nothing)));
            }
        }
        let later = (first..entries.len()).collect();
        self.is_complete.set(true);
        self.explore(&mut entries, later, &mut work, on_report);
        on_report(Report::Work(Work { lowered: lower::bodies_lowered(), ..work }));
        self.show(Phase::Deep, &entries, on_report);
    }

    /// Explores entries, in this order: a few schedules of each, then all.
    fn explore(
        &self,
        entries: &mut [Pending],
        mut order: Vec<usize>,
        work: &mut Work,
        on_report: &mut dyn FnMut(Report),
    ) {
        for phase in [Phase::Quick, Phase::Deep] {
            order.retain(|index| !entries[*index].is_settled);
            if order.is_empty() {
                continue;
            }
            let options = Options { records_reads: true, ..Options::default() };
            let options = if phase == Phase::Quick { Options { runs: Some(QUICK), ..options } } else { options };
            let points: Vec<EntryPoint> = order.iter().map(|index| entries[*index].point.clone()).collect();
            explore::explore_all(self.project, &points, &options, &|_, _| {}, &mut |index, explored| {
                let entry = &mut entries[order[index]];
                let before: Vec<Diagnostic> = entry.diagnostics().cloned().collect();
                work.explored += u64::from(phase == Phase::Quick);
                entry.found = explored.diagnostics.clone();
                if phase == Phase::Deep || explored.is_only_run {
                    self.settle(entry, explored, on_report);
                }
                // Nobody waits for the entries behind this one.
                if !entry.diagnostics().eq(&before) {
                    self.show(phase, entries, on_report);
                }
            });
            self.show(phase, entries, on_report);
        }
    }

    fn show(&self, phase: Phase, entries: &[Pending], on_report: &mut dyn FnMut(Report)) {
        let is_waiting = |known: &&SharedEntryResult| !self.is_complete.get() && known.kind == EntryKind::Middle;
        let waiting = self.known.values().filter(is_waiting);
        let waiting = waiting.flat_map(|known| &known.diagnostics);
        on_report(Report::Diagnostics(
            phase,
            self.allowed_out(all(entries.iter().flat_map(Pending::diagnostics).chain(waiting))),
        ));
    }

    fn report_settled(&self, entries: &[Pending], on_report: &mut dyn FnMut(Report)) {
        for entry in entries.iter().filter(|entry| entry.is_settled) {
            if let Some(known) = &entry.known {
                on_report(Report::Analysed(entry.path.clone(), known.clone()));
            }
        }
    }

    /// The dictionary of a crate, which many entries share.
    fn dictionary(&self, krate: Crate) -> Dictionary {
        self.dictionary.borrow_mut().entry(krate).or_insert_with(|| self.project.dictionary(krate)).clone()
    }

    /// Those that no comment allows.
    fn allowed_out(&self, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if !diagnostics.is_empty() {
            let mut allowed = Allowed::of(self.project);
            diagnostics.retain(|it| !allowed.covers(it));
        }
        diagnostics
    }

    /// What is left of what was known of an entry.
    fn look_up(&self, point: EntryPoint, work: &mut Work) -> Pending {
        let path = point.path();
        let known = self.known.get(&path).cloned();
        let mut pending = Pending { point, path, known, kept: Vec::new(), found: Vec::new(), is_settled: false };
        let Some(known) = pending.known.clone() else { return pending };
        let dictionary = || self.dictionary(pending.point.krate.into());
        let holds = known.reads.as_ref().is_some_and(|reads| reads.hold(self.structures, dictionary));
        if holds && self.are_places_right(&known) {
            pending.kept.clone_from(&known.diagnostics);
            pending.is_settled = true;
            return pending;
        }
        pending.kept = known.diagnostics.iter().map(|it| self.again(it, &pending.point, work)).collect();
        if holds {
            let texts = self.texts_of(&pending.kept);
            pending.known = Some(Arc::new(EntryResult {
                kind: known.kind,
                diagnostics: pending.kept.clone(),
                reads: known.reads.clone(),
                texts,
            }));
            pending.is_settled = true;
        }
        pending
    }

    /// A finding as its own schedule shows it now; as it was if it does not.
    fn again(&self, diagnostic: &Diagnostic, point: &EntryPoint, work: &mut Work) -> Diagnostic {
        let Some(witness) = &diagnostic.witness else { return diagnostic.clone() };
        work.replayed += 1;
        let replayed = explore::replay(self.project, point, witness).diagnostics;
        match replayed.into_iter().find(|it| it.is_same_bug(diagnostic)) {
            Some(new) => Diagnostic { shown_by: diagnostic.shown_by, ..new },
            None => diagnostic.clone(),
        }
    }

    /// An entry has had all its schedules. What was known before and they do not show stays if its own schedule shows it.
    fn settle(&self, entry: &mut Pending, explored: Explored, on_report: &mut dyn FnMut(Report)) {
        let missing: Vec<Diagnostic> =
            entry.kept.drain(..).filter(|it| !entry.found.iter().any(|new| new.is_same_bug(it))).collect();
        for old in missing {
            let shown = old.witness.as_ref().map(|it| explore::replay(self.project, &entry.point, it).diagnostics);
            let again = shown.unwrap_or_default().into_iter().find(|it| it.is_same_bug(&old));
            entry.found.extend(again.map(|it| Diagnostic { shown_by: old.shown_by, ..it }));
        }
        entry.is_settled = true;
        let dictionary = explored.has_inputs.then(|| self.dictionary(entry.point.krate.into()));
        let reads = Reads::of(self.project, self.structures, explored.bodies, dictionary, entry.point.is_harness());
        let texts = self.texts_of(&entry.found);
        let (kind, diagnostics) = (entry.point.kind, entry.found.clone());
        let known = Arc::new(EntryResult { kind, diagnostics, reads: Some(reads), texts });
        entry.known = Some(known.clone());
        on_report(Report::Analysed(entry.path.clone(), known));
    }
}

impl Analysis<'_> {
    /// The texts of the files that diagnostics speak of.
    fn texts_of(&self, diagnostics: &[Diagnostic]) -> BTreeMap<FileId, u64> {
        let files = diagnostics.iter().flat_map(places).filter_map(|place| self.project.file(&place.path));
        files.filter_map(|file| Some((file, *self.texts.get(&file)?))).collect()
    }

    /// Whether the diagnostics speak of the texts as they are.
    fn are_places_right(&self, known: &EntryResult) -> bool {
        known.texts.iter().all(|(file, text)| self.texts.get(file) == Some(text))
    }
}

/// All places that a diagnostic speaks of.
fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = &Place> {
    let steps = diagnostic.steps.iter().filter_map(|step| step.place.as_ref());
    let threads = diagnostic.threads.iter();
    let frames = threads.flat_map(|thread| thread.frames.iter().map(|frame| &frame.place).chain(&thread.started));
    let others = diagnostic.others.iter().map(|site| &site.place);
    let help = diagnostic.help.iter().map(|help| &help.place);
    others.chain([&diagnostic.primary]).chain(steps).chain(frames).chain(help)
}

/// Findings, each once.
fn all<'a>(found: impl Iterator<Item = &'a Diagnostic>) -> Vec<Diagnostic> {
    let mut unique: BTreeMap<(String, String), Diagnostic> = BTreeMap::new();
    for diagnostic in found {
        unique.entry((diagnostic.primary.path.clone(), diagnostic.fingerprint())).or_insert_with(|| diagnostic.clone());
    }
    unique.into_values().collect()
}
