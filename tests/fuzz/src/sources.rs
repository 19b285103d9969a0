//! Rust sources through all that `check` does with a file, within small bounds.

use analyzer::{
    check::{FindingStatus, ReachableSites, Total},
    explore::{self, Options},
    project::{self, Edition, Project},
    suppress::Allowed,
};
use std::{cell::RefCell, path::PathBuf};
use tempfile::TempDir;

/// How many entries of a file are explored, and how often.
const ENTRIES: usize = 2;
const RUNS: u32 = 2;
/// Steps of a run.
const STEPS: u64 = 20_000;
/// After so many inputs a database is made anew, as it keeps what it once knew.
const INPUTS: u32 = 400;
/// Larger inputs are cut.
const LARGEST: usize = 64 << 10;

struct Loaded {
    _folder: TempDir,
    path: PathBuf,
    project: Project,
    inputs: u32,
}

thread_local! {
    static LOADED: RefCell<Option<Loaded>> = const { RefCell::new(None) };
}

fn load() -> Loaded {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("main.rs");
    std::fs::write(&path, "fn main() {}").expect("the folder is writable");
    let mut project = project::load_files(&[(path.clone(), Edition::Edition2024)]).expect("it is there");
    project.prime_caches();
    Loaded { _folder: folder, path, project, inputs: 0 }
}

pub(super) fn one_input(input: &[u8]) {
    let text = String::from_utf8_lossy(&input[..input.len().min(LARGEST)]).into_owned();
    LOADED.with_borrow_mut(|slot| {
        // What panics leaves the slot empty.
        let mut loaded = slot.take().filter(|it| it.inputs < INPUTS).unwrap_or_else(load);
        loaded.inputs += 1;
        let file = loaded.project.file_at(&loaded.path).expect("it was loaded");
        let text = loaded.project.as_read(file, &text);
        loaded.project.set_text(file, &text);
        loaded.project.with_db(check);
        *slot = Some(loaded);
    });
}

fn check(project: &Project) {
    project.syntax_errors();
    let mut allowed = Allowed::of(project);
    let mut total = Total::default();
    let options = Options { runs: Some(RUNS), max_steps: Some(STEPS), ..Options::default() };
    let entries = project.entries();
    for entry in entries.iter().take(ENTRIES) {
        let explored = explore::explore(project, entry, &options);
        total.add(entry, &explored, |it| FindingStatus::of(project, Some(&mut allowed), it));
    }
    total.finish(project, &ReachableSites::of(project, &entries));
    project.unexpanded();
}
