//! Exploration that the user of an editor asks for: the entries of a function or a file, with many schedules.

use super::{
    Dictionaries, EntryResult, IncrementalProject, Previous, Snapshot, Work, order::start, structure::FunctionKey,
};
use crate::{
    check::{FindingStatus, Pending, Progress, Total},
    explore::{self, ExploreEvent},
    guard,
    project::{EntryPoint, Project},
    suppress::Allowed,
};
use ra_ap_vfs::FileId;
use std::{ops::ControlFlow, path::Path};

/// Number of schedules of each entry that starts threads.
pub const DEEP: u32 = 1_000;

/// Maximum number of steps of all runs of an entry.
const MAX_STEPS: u64 = 1_000_000_000;

/// A test, or a function that starts threads. Line and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explorable {
    /// The name by which [`Snapshot::explore_deeply`] knows it.
    pub id: String,
    /// The line of its name.
    pub line: u32,
    /// The first column of its name.
    pub column: u32,
    /// The column after its name.
    pub end_column: u32,
}

/// What an exploration on demand did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OnDemandResult {
    /// The entries that it explored.
    pub entries: usize,
    /// Their schedules in all.
    pub schedules: u64,
    /// The bugs that they have, without those that comments allow.
    pub bugs: usize,
}

/// Why an exploration on demand has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotExplored {
    /// No program, test or public function is known to run it.
    NotRun,
    /// The text has changed meanwhile.
    Edited,
    /// A bug of ours.
    Failed,
}

impl IncrementalProject {
    /// The tests of a file, and its functions that start threads, in the order of the text.
    pub fn explorables(&self, path: &Path) -> Vec<Explorable> {
        let file = self.project.file_at(path);
        let Some((file, structure)) = file.and_then(|file| Some((file, self.structures.get(&file)?))) else {
            return Vec::new();
        };
        let text = self.project.file_text(file);
        let functions = structure.functions().into_iter().filter(|(_, function)| function.is_explorable());
        let mut found = Vec::new();
        let (mut line, mut line_start) = (1, 0);
        for (key, function) in functions {
            let (start, end) = function.name_range();
            let Some(before) = text.get(line_start..start) else { continue };
            line += before.matches('\n').count() as u32;
            line_start += before.rfind('\n').map_or(0, |at| at + 1);
            let columns = |to: usize| text.get(line_start..to).map_or(1, |it| it.chars().count() as u32 + 1);
            found.push(Explorable {
                id: format!("{key:016x}"),
                line,
                column: columns(start),
                end_column: columns(end),
            });
        }
        found
    }

    /// Whether a result must not replace the one that is known: it saw the same texts, and fewer schedules.
    pub(super) fn knows_better(&self, entry: &str, new: &EntryResult) -> bool {
        let is_same = |old: &EntryResult| match (&old.reads, &new.reads) {
            (Some(old), Some(new)) => old.is_of_same_texts(new),
            _ => false,
        };
        self.known.get(entry).is_some_and(|old| old.is_deep && !new.is_deep && is_same(old))
    }
}

impl Snapshot {
    /// Explores the entries of a file, or of one of its functions, with [`DEEP`] schedules. An edit ends it. The
    /// results go to `progress`, which can end it too: entries that are finished then have a result.
    ///
    /// # Errors
    ///
    /// If there is nothing to explore, or an edit came.
    pub fn explore_deeply(
        self,
        path: &Path,
        function: Option<&str>,
        progress: &mut dyn Progress,
    ) -> Result<OnDemandResult, NotExplored> {
        let Snapshot { project, structures, texts, known } = self;
        let function = match function.map(|id| FunctionKey::from_str_radix(id, 16)) {
            None => None,
            Some(Ok(key)) => Some(key),
            Some(Err(_)) => return Err(NotExplored::NotRun),
        };
        let file = project.file_at(path).ok_or(NotExplored::NotRun)?;
        let previous = Previous { structures: &structures, texts: &texts, known: &known, in_view: vec![file] };
        let explored =
            guard::unwinding(|| project.with_db(|project| previous.deeply(project, file, function, progress)));
        explored.unwrap_or_else(|payload| match guard::is_cancelled(&payload) {
            true => Err(NotExplored::Edited),
            false => Err(NotExplored::Failed),
        })
    }
}

impl Previous<'_> {
    fn deeply(
        &self,
        project: &Project,
        file: FileId,
        function: Option<FunctionKey>,
        progress: &mut dyn Progress,
    ) -> Result<OnDemandResult, NotExplored> {
        let points = self.concerned(project, file, function);
        if points.is_empty() {
            return Err(NotExplored::NotRun);
        }
        let options = explore::Options {
            runs: Some(DEEP),
            steps: Some(MAX_STEPS),
            records_reads: true,
            is_unordered: true,
            ..explore::Options::default()
        };
        let mut dictionaries = Dictionaries::default();
        let mut allowed = Allowed::of(project);
        let (mut total, mut demanded) = (Total::default(), OnDemandResult::default());
        progress.started(points.len());
        explore::explore_all(project, &points, &options, &mut |event| {
            match event {
                ExploreEvent::Schedule { entry, schedules } => {
                    demanded.schedules += 1;
                    progress.schedule(entry, &points[entry].name, schedules);
                }
                ExploreEvent::Explored { entry, explored } => {
                    let mut pending = Pending::new(points[entry].clone());
                    // What an earlier analysis found stays if its schedule still shows it.
                    self.look_up(project, &mut pending, &mut dictionaries, &mut Work::default());
                    pending.explored = Some(*explored);
                    let result = self.settle(project, &mut pending, &mut dictionaries, true);
                    demanded.entries += 1;
                    total.add(&pending.point, result.explored(), |it| {
                        FindingStatus::of(project, Some(&mut allowed), it)
                    });
                    progress.explored(entry, &result.explored().diagnostics);
                    progress.entry_result(pending.path, result);
                }
            }
            if progress.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        demanded.bugs = total.summary().bugs;
        Ok(demanded)
    }

    /// The entries that start in a function, or else those that ran it; of a file, both.
    fn concerned(&self, project: &Project, file: FileId, function: Option<FunctionKey>) -> Vec<EntryPoint> {
        let starts = |point: &EntryPoint| {
            let (at, own) = start(project, self.structures, point);
            at == Some(file) && (function.is_none() || own == function)
        };
        let runs = |point: &EntryPoint| {
            let reads = self.known.get(&point.path()).and_then(|known| known.reads.as_ref());
            reads.is_some_and(|reads| match function {
                Some(function) => reads.has_function(file, function),
                None => reads.has_file(file),
            })
        };
        let early = project.early_entries();
        let own: Vec<EntryPoint> = early.iter().filter(|point| starts(point)).cloned().collect();
        if function.is_some() && !own.is_empty() {
            return own;
        }
        let all: Vec<EntryPoint> = early.into_iter().filter(|point| starts(point) || runs(point)).collect();
        match all.is_empty() {
            true => project.middle().into_iter().filter(starts).collect(),
            false => all,
        }
    }
}
