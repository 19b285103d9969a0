//! The order in which entries are explored for an editor (decision 19): those in the files that the user looks at, then
//! those whose code leads there, then the rest; cheap ones before expensive ones.
//!
//! Nothing is lowered for it. An entry without an earlier result is guessed from the names that functions use.

use super::{
    Previous,
    reads::{Structures, place},
    structure::FunctionKey,
};
use crate::{
    check::Pending,
    harness::Subject,
    project::{EntryPoint, Project},
};
use ra_ap_hir as hir;
use ra_ap_vfs::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What it costs to make a body ready to run, in steps.
const BODY: u64 = 20_000;

/// Maximum number of functions that are followed to guess what an entry costs.
const MAX_FOLLOWED: usize = 256;

/// Functions that share their name with more than this are not followed: the name does not say which is meant.
const MAX_NAMESAKES: usize = 4;

/// What exploring cost that took this many steps, and lowered this many bodies; in steps.
pub(super) fn cost(steps: u64, bodies: usize) -> u64 {
    steps.saturating_add(BODY.saturating_mul(bodies as u64))
}

/// How near an entry is to what the user looks at. Files are numbered, the one that was edited last first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Priority {
    /// It starts in this file.
    In(usize),
    /// It runs through this file.
    LeadsTo(usize),
    Elsewhere,
}

impl Priority {
    /// Entries of one group are explored together.
    fn group(self) -> usize {
        match self {
            Priority::In(_) => 0,
            Priority::LeadsTo(_) => 1,
            Priority::Elsewhere => 2,
        }
    }
}

/// Entries that are explored together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EntryGroup {
    /// Whether they start in a file in view, or lead there.
    pub(crate) is_near: bool,
    pub(crate) entries: Vec<usize>,
}

impl Previous<'_> {
    /// Whether any file is in view.
    pub(crate) fn has_view(&self) -> bool {
        !self.in_view.is_empty()
    }

    /// Whether an entry starts in a file in view.
    pub(crate) fn is_in_view(&self, project: &Project, point: &EntryPoint) -> bool {
        start(project, self.structures, point).0.is_some_and(|file| self.in_view.contains(&file))
    }

    /// The entries of `range` without final results, in groups: nobody waits for a group before all earlier ones are
    /// explored.
    pub(crate) fn groups(&self, project: &Project, entries: &[Pending], range: Range<usize>) -> Vec<EntryGroup> {
        let mut ranked = Vec::new();
        let mut calls = None;
        for index in range.filter(|index| !entries[*index].is_settled) {
            let entry = &entries[index];
            let (file, function) = start(project, self.structures, &entry.point);
            let at = |file: FileId| self.in_view.iter().position(|it| *it == file);
            let own = file.and_then(at).map(Priority::In);
            let reads = entry.known.as_ref().and_then(|known| known.reads.as_ref());
            let cost = entry.known.as_ref().map(|known| known.cost);
            let (nearness, cost) = match (reads, cost) {
                (Some(reads), Some(cost)) => {
                    let through = self.in_view.iter().position(|file| reads.has_file(*file));
                    (through.map_or(Priority::Elsewhere, Priority::LeadsTo), cost)
                }
                (_, cost) => {
                    let calls = calls.get_or_insert_with(|| Calls::of(self.structures));
                    let followed = file.zip(function).and_then(|start| calls.followed(start));
                    let guess = followed.as_ref().map_or(MAX_FOLLOWED, Vec::len);
                    let files = followed.into_iter().flatten().filter_map(|(file, _)| at(file));
                    let nearness = files.min().map_or(Priority::Elsewhere, Priority::LeadsTo);
                    (nearness, cost.unwrap_or(self::cost(0, guess)))
                }
            };
            ranked.push((own.unwrap_or(nearness), cost, index));
        }
        ranked.sort_unstable();
        let groups = ranked.chunk_by(|(one, ..), (other, ..)| one.group() == other.group());
        groups
            .map(|group| EntryGroup {
                is_near: group[0].0 != Priority::Elsewhere,
                entries: group.iter().map(|(.., index)| *index).collect(),
            })
            .collect()
    }
}

/// The file that an entry starts in, and its function there.
pub(super) fn start(
    project: &Project,
    structures: &Structures,
    point: &EntryPoint,
) -> (Option<FileId>, Option<FunctionKey>) {
    let function = match point.start.harness().map(|harness| harness.subject) {
        None => point.function(),
        Some(Subject::Function(function) | Subject::Halves(function) | Subject::InTest(function, _)) => Some(function),
        Some(Subject::Functions(module)) => {
            let file = hir::Module::from(module).definition_source_file_id(project.db()).file_id();
            return (file.map(|file| file.file_id(project.db())), None);
        }
        Some(Subject::Type(adt) | Subject::Threads(adt) | Subject::Promises(adt)) => {
            let db = project.db();
            let module = hir::Adt::from(adt).module(db);
            return (module.definition_source_file_id(db).file_id().map(|file| file.file_id(db)), None);
        }
    };
    let Some((file, offset)) = function.and_then(|function| place(project, function.into())) else {
        return (None, None);
    };
    (Some(file), structures.get(&file).and_then(|structure| structure.function_at(offset)))
}

/// Which functions may call which, by name.
struct Calls {
    functions: Vec<(FileId, FunctionKey)>,
    indices: FxHashMap<(FileId, FunctionKey), usize>,
    /// The functions that each one names.
    called: Vec<Vec<usize>>,
}

impl Calls {
    fn of(structures: &Structures) -> Calls {
        let mut all = Vec::new();
        for (file, structure) in structures {
            all.extend(structure.functions().into_iter().map(|(key, function)| ((*file, key), function)));
        }
        let mut by_name: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (index, (_, function)) in all.iter().enumerate() {
            if let Some(name) = function.free_name() {
                by_name.entry(name).or_default().push(index);
            }
        }
        by_name.retain(|_, namesakes| namesakes.len() <= MAX_NAMESAKES);
        let called = all.iter().map(|(_, function)| {
            let named = function.names().filter_map(|name| by_name.get(&name));
            let mut called: Vec<usize> = named.flatten().copied().collect();
            called.sort_unstable();
            called
        });
        let called = called.collect();
        let functions: Vec<_> = all.into_iter().map(|(function, _)| function).collect();
        let indices = functions.iter().enumerate().map(|(index, function)| (*function, index)).collect();
        Calls { functions, indices, called }
    }

    /// The functions that this one leads to, itself included, nearest first, up to the maximum.
    fn followed(&self, start: (FileId, FunctionKey)) -> Option<Vec<(FileId, FunctionKey)>> {
        let mut found = vec![*self.indices.get(&start)?];
        let mut known: FxHashSet<usize> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(index) = found.get(next).copied() {
            next += 1;
            for called in &self.called[index] {
                if found.len() < MAX_FOLLOWED && known.insert(*called) {
                    found.push(*called);
                }
            }
        }
        Some(found.into_iter().map(|index| self.functions[index]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        incremental::{IncrementalProject, Snapshot, structure::Structure},
        project::{self, Input, LoadOptions},
    };
    use std::sync::Arc;

    fn structures(texts: &[&str]) -> Structures {
        (0..).map(FileId::from_raw).zip(texts.iter().map(|text| Arc::new(Structure::of(text)))).collect()
    }

    fn key(structures: &Structures, file: u32, texts: &[&str], what: &str) -> (FileId, FunctionKey) {
        let id = FileId::from_raw(file);
        let offset = u32::try_from(texts[file as usize].find(what).unwrap()).unwrap();
        (id, structures[&id].function_at(offset.into()).unwrap())
    }

    #[test]
    fn calls_are_followed_by_name() {
        let texts = ["fn a() { b(); } fn c() { d::e(); }", "mod d { pub fn e() {} } fn b() { c() }"];
        let structures = structures(&texts);
        let calls = Calls::of(&structures);
        let at = |file, what| key(&structures, file, &texts, what);
        let found = calls.followed(at(0, "fn a()")).unwrap();
        assert_eq!(found, [at(0, "fn a()"), at(1, "fn b()"), at(0, "fn c()"), at(1, "fn e()")]);
        assert_eq!(calls.followed(at(1, "fn e()")).unwrap().len(), 1);
    }

    #[test]
    fn a_frequent_name_says_nothing() {
        let many: String = (0..=MAX_NAMESAKES).map(|it| format!("mod m{it} {{ pub fn new() {{}} }} ")).collect();
        let texts = [&format!("fn a() {{ new() }} {many}")[..]];
        let structures = structures(&texts);
        let calls = Calls::of(&structures);
        assert_eq!(calls.followed(key(&structures, 0, &texts, "fn a()")).unwrap().len(), 1);
    }

    #[test]
    fn following_ends() {
        let chain: String = (0..2 * MAX_FOLLOWED).map(|it| format!("fn f{it}() {{ f{}() }} ", it + 1)).collect();
        let texts = [chain.as_str()];
        let structures = structures(&texts);
        let found = Calls::of(&structures).followed(key(&structures, 0, &texts, "fn f0()")).unwrap();
        assert_eq!(found.len(), MAX_FOLLOWED);
    }

    /// The entries of a project with two modules, by group, if the user looks at these files.
    fn groups(in_view: &[&str]) -> Vec<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("main.rs", "mod a; mod b; mod c; fn main() { c::unused() } #[test] fn elsewhere() { c::unused() }"),
            ("a.rs", "#[test] fn leads() { crate::b::helped() }"),
            (
                "b.rs",
                "#[test] fn expensive() { helped(); more() } #[test] fn cheap() {} fn more() {} pub fn helped() { more() }",
            ),
            ("c.rs", "pub fn unused() {}"),
        ];
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let options = LoadOptions { tests: true, ..LoadOptions::default() };
        let project = project::load(&Input::File(folder.path().join("main.rs")), &options).unwrap();
        let Snapshot { project, structures, texts, known } = IncrementalProject::new(project).snapshot();
        let in_view = in_view.iter().filter_map(|name| project.file_at(&folder.path().join(name))).collect();
        let previous = Previous { structures: &structures, texts: &texts, known: &known, in_view };
        project.with_db(|project| {
            let entries: Vec<Pending> = project.early_entries().into_iter().map(Pending::new).collect();
            let groups = previous.groups(project, &entries, 0..entries.len());
            let name = |index: usize| entries[index].path.rsplit("::").next().unwrap_or_default().to_owned();
            groups.into_iter().map(|group| group.entries.into_iter().map(name).collect()).collect()
        })
    }

    #[test]
    fn what_is_in_view_comes_first() {
        assert_eq!(groups(&[]), [["cheap", "main", "elsewhere", "leads", "expensive"]]);
        assert_eq!(groups(&["b.rs"]), [vec!["cheap", "expensive"], vec!["leads"], vec!["main", "elsewhere"]]);
        assert_eq!(groups(&["a.rs"]), [vec!["leads"], vec!["cheap", "main", "elsewhere", "expensive"]]);
        assert_eq!(groups(&["a.rs", "b.rs"]), [vec!["leads", "cheap", "expensive"], vec!["main", "elsewhere"]]);
        assert_eq!(groups(&["c.rs"])[0], ["main", "elsewhere"]);
    }
}
