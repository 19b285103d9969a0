//! Programs that are right are silent however their functions are called: each function and type of the corpus's friends and
//! fixed twins gets a harness of its own, also those that are private and that the program calls in one way only.

use analyzer::{
    explore::{self, ExploreEvent, Options},
    harness::{HarnessTarget, Start, Subject, View},
    project::{self, Edition, EntryKind, EntryPoint, Project},
};
use ra_ap_hir as hir;
use std::{ops::ControlFlow, path::PathBuf};

/// Few schedules, as there are many harnesses.
const RUNS: u32 = 12;

fn programs() -> Vec<(PathBuf, Edition)> {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus");
    let below = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().map(|it| it.unwrap().path());
    let files = below(corpus.into()).flat_map(below).filter_map(|path| match path.is_dir() {
        true => Some(path.join("fixed.rs")).filter(|it| it.is_file()),
        false => Some(path).filter(|it| it.extension().is_some_and(|it| it == "rs")),
    });
    let mut files: Vec<_> = files.map(|file| (file, Edition::Edition2024)).collect();
    files.sort();
    files
}

fn harnesses(project: &Project) -> Vec<EntryPoint> {
    let db = project.db();
    let mut found = Vec::new();
    for (name, krate) in project.targets() {
        let items = krate.modules(db).into_iter().flat_map(|module| module.declarations(db));
        for item in items.filter(|item| item.name(db).is_some_and(|it| it.as_str() != "main")) {
            let subject = match item {
                hir::ModuleDef::Function(function) => Subject::Function(function.try_into().unwrap()),
                hir::ModuleDef::Adt(adt) => Subject::Type(adt.into()),
                _ => continue,
            };
            let name = format!("{name}::{}", item.name(db).unwrap().as_str());
            let start = Start::Harness(HarnessTarget { subject, view: View::Inside });
            let (kind, starts) = (EntryKind::Middle, Vec::new());
            found.push(EntryPoint { name, krate, start, package: None, kind, starts });
        }
    }
    found
}

#[test]
fn what_is_right_is_silent_however_it_is_called() {
    let files = programs();
    let project = project::load_files(&files).unwrap();
    let (mut told, mut called, mut skipped) = (Vec::new(), 0, 0);
    project.with_db(|project| {
        let harnesses = harnesses(project);
        let options = Options { runs: Some(RUNS), ..Options::default() };
        explore::explore_all(project, &harnesses, &options, &mut |event| {
            let ExploreEvent::Explored { entry, explored } = event else { return ControlFlow::Continue(()) };
            let title = |it: &analyzer::diagnostic::Diagnostic| {
                format!("{} ({}): {}", harnesses[entry].name, it.primary, it.title)
            };
            told.extend(explored.diagnostics.iter().chain(&explored.possible).map(title));
            called += usize::from(explored.skipped.is_empty());
            skipped += explored.skipped.len();
            ControlFlow::Continue(())
        });
    });
    assert_eq!(told, Vec::<String>::new());
    // As of what is never called nothing is told either.
    assert!(called > 5 * skipped, "{called} called, {skipped} functions not");
}
