//! Results of an earlier analysis, and whether they still hold.

use super::{
    EntryResult, EntryResults, SharedEntryResult, Snapshot, order,
    reads::{Reads, Structures},
};
use crate::{
    check::{self, Pending, Progress, Selection},
    config::WantedExploration,
    diagnostic::Diagnostic,
    explore, guard,
    outcome::Explored,
    project::{Broken, EntryKind, EntryPoint, Project},
    report::MessageKind,
};
use interp::host::Dictionary;
use ra_ap_base_db::Crate;
use ra_ap_vfs::FileId;
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// Number of schedules that are tried while the user types.
pub(crate) const QUICK: u32 = 4;

/// A phase of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Every entry that the edit concerns gets a few schedules.
    Quick,
    /// Every entry gets all schedules.
    Deep,
}

/// The work that was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Work {
    /// Entries explored.
    pub explored: u64,
    /// Findings replayed from their schedules.
    pub replayed: u64,
    /// Bodies lowered in this process.
    pub lowered: u64,
}

/// How an analysis ended.
#[derive(Clone, Debug)]
pub enum End {
    /// Everything is reported.
    Done,
    /// An edit cancelled it.
    Cancelled,
    /// It failed, which is a bug of ours.
    Failed,
    /// A crate must be taken as empty, and the analysis repeated.
    Broken(Broken),
}

impl Snapshot {
    /// Explores what changes concern; an edit of the project cancels it. `in_view` are the files that the user looks
    /// at, the one that was edited last first: entries in them come first, then those that run through them.
    pub fn analyse(self, in_view: &[PathBuf], progress: &mut dyn Progress) -> End {
        let Snapshot { project, structures, texts, known } = self;
        match guard::unwinding(|| project.with_db(Project::first_broken)) {
            Ok(Some(broken)) => return End::Broken(broken),
            Err(payload) if guard::is_cancelled(&payload) => return End::Cancelled,
            Err(_) => return End::Failed,
            Ok(None) => {}
        }
        let in_view = in_view.iter().filter_map(|path| project.file_at(path)).collect();
        let previous = Previous { structures: &structures, texts: &texts, known: &known, in_view };
        let config = project.config();
        let (selection, explore) =
            (config.selection(Selection::default()), config.explore(WantedExploration::default()));
        let options =
            check::Options { path: String::new(), selection, explore, previous: Some(previous), beyond: None };
        let report = check::check(&project, &options, progress);
        match report.parts.first().and_then(|part| part.error()).map(|error| error.kind) {
            None => End::Done,
            Some(MessageKind::Cancelled) => End::Cancelled,
            Some(_) => End::Failed,
        }
    }
}

/// The results of an earlier analysis.
pub struct Previous<'a> {
    pub(super) structures: &'a Structures,
    pub(super) texts: &'a BTreeMap<FileId, u64>,
    pub(super) known: &'a EntryResults,
    /// The files that the user looks at, the one that was edited last first.
    pub(super) in_view: Vec<FileId>,
}

/// The dictionaries of crates, which many entries share; computed on first use.
#[derive(Default)]
pub(crate) struct Dictionaries(FxHashMap<Crate, Dictionary>);

impl Dictionaries {
    fn of(&mut self, project: &Project, krate: Crate) -> Dictionary {
        self.0.entry(krate).or_insert_with(|| project.dictionary(krate)).clone()
    }
}

impl Previous<'_> {
    /// Looks up the earlier result of an entry, and checks what of it still holds.
    pub(crate) fn look_up(
        &self,
        project: &Project,
        entry: &mut Pending,
        dictionaries: &mut Dictionaries,
        work: &mut Work,
    ) {
        entry.known = self.known.get(&entry.path).cloned();
        let Some(known) = entry.known.clone() else { return };
        let dictionary = || dictionaries.of(project, entry.point.krate.into());
        let holds = known.reads.as_ref().is_some_and(|reads| reads.hold(self.structures, dictionary));
        if holds && self.are_locations_right(&known) {
            entry.kept.clone_from(&known.explored.diagnostics);
            entry.is_settled = true;
            return;
        }
        let again = known.explored.diagnostics.iter();
        entry.kept = again.map(|it| replayed(project, it, &entry.point, work)).collect();
        if holds {
            let explored = Explored { diagnostics: entry.kept.clone(), ..known.explored.clone() };
            let (reads, texts) = (known.reads.clone(), self.texts_of(project, &entry.kept));
            let known = EntryResult { explored, reads, texts, ..(*known).clone() };
            entry.known = Some(Arc::new(known));
            entry.is_settled = true;
        }
    }

    /// Sets the final result of an entry. Earlier findings that its runs did not show are kept if their own schedules
    /// show them. `is_deep` says whether it was explored on demand.
    pub(crate) fn settle(
        &self,
        project: &Project,
        entry: &mut Pending,
        dictionaries: &mut Dictionaries,
        is_deep: bool,
    ) -> SharedEntryResult {
        let mut explored = entry.explored.take().unwrap_or_default();
        for old in entry.kept.drain(..) {
            if explored.diagnostics.iter().any(|new| new.is_same_bug(&old)) {
                continue;
            }
            let shown = old.witness.as_ref().map(|it| explore::replay(project, &entry.point, it).diagnostics);
            let again = shown.unwrap_or_default().into_iter().find(|it| it.is_same_bug(&old));
            explored.diagnostics.extend(again.map(|it| Diagnostic { shown_by: old.shown_by, ..it }));
        }
        let dictionary = explored.has_inputs.then(|| dictionaries.of(project, entry.point.krate.into()));
        let bodies = std::mem::take(&mut explored.bodies);
        let cost = order::cost(explored.steps, bodies.len());
        let reads = Some(Reads::of(project, self.structures, bodies, dictionary, entry.point.is_harness()));
        let texts = self.texts_of(project, &explored.diagnostics);
        entry.explored = Some(explored.clone());
        entry.is_settled = true;
        let known = Arc::new(EntryResult { kind: entry.point.kind, explored, reads, texts, cost, is_deep });
        entry.known = Some(known.clone());
        known
    }

    /// The findings of entries in the middle that are not among these.
    pub(crate) fn in_the_middle(&self, entries: &[Pending]) -> impl Iterator<Item = &Diagnostic> {
        let middle = self.known.iter().filter(|(_, known)| known.kind == EntryKind::Middle);
        let others = middle.filter(|(path, _)| !entries.iter().any(|it| it.path == **path));
        others.flat_map(|(_, known)| &known.explored.diagnostics)
    }

    /// Empty results for the entries in the middle, earlier ones and `more`, that are not among these.
    pub(crate) fn without(&self, entries: &[Pending], more: &[Pending]) -> Vec<(String, SharedEntryResult)> {
        let middle = self.known.iter().filter(|(_, known)| known.kind == EntryKind::Middle);
        let paths = middle.map(|(path, _)| path).chain(more.iter().map(|it| &it.path));
        let gone = paths.filter(|path| !entries.iter().any(|it| it.path == **path));
        let nothing = || EntryResult {
            kind: EntryKind::Middle,
            explored: Explored::default(),
            reads: None,
            texts: BTreeMap::new(),
            cost: 0,
            is_deep: false,
        };
        gone.map(|path| (path.clone(), Arc::new(nothing()))).collect()
    }

    /// Hashes of the files with locations of diagnostics.
    fn texts_of(&self, project: &Project, diagnostics: &[Diagnostic]) -> BTreeMap<FileId, u64> {
        let files =
            diagnostics.iter().flat_map(Diagnostic::locations).filter_map(|location| project.file(&location.path));
        files.filter_map(|file| Some((file, *self.texts.get(&file)?))).collect()
    }

    /// Whether the files with locations of its diagnostics are unchanged.
    fn are_locations_right(&self, known: &EntryResult) -> bool {
        known.texts.iter().all(|(file, text)| self.texts.get(file) == Some(text))
    }
}

/// A finding as its schedule shows it now; unchanged if it does not show it.
fn replayed(project: &Project, diagnostic: &Diagnostic, point: &EntryPoint, work: &mut Work) -> Diagnostic {
    let Some(witness) = &diagnostic.witness else { return diagnostic.clone() };
    work.replayed += 1;
    let replayed = explore::replay(project, point, witness).diagnostics;
    match replayed.into_iter().find(|it| it.is_same_bug(diagnostic)) {
        Some(new) => Diagnostic { shown_by: diagnostic.shown_by, ..new },
        None => diagnostic.clone(),
    }
}
