//! Entries with the same context share generated code. A context is the crate in which types are resolved, the global
//! allocator, and what two threads call in the futures of tests.

use crate::{
    instance::allocator,
    project::{EntryKind, EntryPoint, Project, StartedPrograms},
};
use ra_ap_base_db::Crate;
use ra_ap_hir as hir;
use ra_ap_hir_def::{AdtId, StaticId};
use rustc_hash::FxHashMap;
use std::{collections::hash_map, rc::Rc};

/// The crate and the allocator for which code is generated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeContext {
    /// The crate that sees all code.
    pub(super) krate: Crate,
    /// The program's own allocator.
    allocator: Option<StaticId>,
    /// The type whose methods two threads call in the futures of tests.
    pub(super) called_in_futures: Option<AdtId>,
}

/// How wide a context is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// As small as possible, so that little of a workspace is read before the first entry runs.
    Entry,
    /// The same for as many entries as possible.
    Workspace,
}

/// An entry's context, and the programs that it may start.
pub(super) struct EntryContext {
    pub(super) code: CodeContext,
    pub(super) programs: StartedPrograms,
}

/// The contexts of entries.
pub(super) struct Contexts<'db> {
    project: &'db Project,
    width: Width,
    /// By the entry's crate, its kind, its target, and what is called in futures.
    known: FxHashMap<(hir::Crate, EntryKind, String, Option<AdtId>), Rc<EntryContext>>,
}

impl<'db> Contexts<'db> {
    pub(super) fn new(project: &'db Project, width: Width) -> Self {
        Contexts { project, width, known: FxHashMap::default() }
    }

    /// The context of an entry.
    pub(super) fn of(&mut self, point: &EntryPoint) -> Rc<EntryContext> {
        let called_in_futures = self.project.called_in_futures(point);
        let key = (point.krate, point.kind, point.target().to_owned(), called_in_futures);
        match self.known.entry(key) {
            hash_map::Entry::Occupied(known) => known.get().clone(),
            hash_map::Entry::Vacant(new) => {
                let context = context(self.project, self.width, point, called_in_futures);
                new.insert(Rc::new(context)).clone()
            }
        }
    }
}

fn context(project: &Project, width: Width, point: &EntryPoint, called_in_futures: Option<AdtId>) -> EntryContext {
    let own: Crate = point.krate.into();
    let programs = project.programs_of(point);
    let krate = match width {
        Width::Entry if !point.is_harness() => programs.krate,
        // A harness depends on what examples and tests implement.
        _ => programs.krate.or_else(|| project.common_crate(own)),
    };
    let allocator = allocator::find(project.db(), project, own);
    let code = CodeContext { krate: krate.unwrap_or(own), allocator, called_in_futures };
    EntryContext { code, programs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        explore::{Options, Prepared, entry_runner::EntryRunner, explore_entry},
        project::{self, Input, LoadOptions},
    };
    use std::{fs, ops::ControlFlow};

    const FILES: [(&str, &str); 5] = [
        ("Cargo.toml", "[package]\nname = \"counts\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        (
            "src/lib.rs",
            "pub fn race() -> usize {
                static mut COUNT: usize = 0;
                let other = std::thread::spawn(|| unsafe { COUNT += 1 });
                unsafe { COUNT += std::env::current_exe().unwrap().as_os_str().len() };
                other.join().unwrap();
                0
            }",
        ),
        ("tests/one.rs", "#[test] fn one() { assert_eq!(counts::race(), 0); }"),
        ("tests/another.rs", "#[test] fn another() { assert_eq!(vec![counts::race()], [0]); }"),
        (
            "tests/counted.rs",
            "use std::alloc::{GlobalAlloc, Layout, System};
             struct Counted;
             unsafe impl GlobalAlloc for Counted {
                 unsafe fn alloc(&self, layout: Layout) -> *mut u8 { unsafe { System.alloc(layout) } }
                 unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) { unsafe { System.dealloc(pointer, layout) } }
             }
             #[global_allocator] static COUNTED: Counted = Counted;
             #[test] fn counted() { assert_eq!(vec![counts::race()], [0]); }",
        ),
    ];

    /// Invariant 4, for entries of several crates.
    #[test]
    fn crates_share_code() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in FILES {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), text).unwrap();
        }
        let options = LoadOptions { tests: true, ..LoadOptions::default() };
        let project = project::load(&Input::from_path(folder.path().to_str().unwrap()), &options).unwrap();
        project.with_db(|project| {
            let points: Vec<EntryPoint> = project.tests().into_iter().map(|test| test.entry).collect();
            assert_eq!(
                points.iter().map(EntryPoint::path).collect::<Vec<_>>(),
                ["another::another", "counted::counted", "one::one"]
            );
            let mut contexts = Contexts::new(project, Width::Workspace);
            let [another, counted, one] = [0, 1, 2].map(|index: usize| contexts.of(&points[index]));
            assert!(another.code == one.code && another.code != counted.code);
            let mut narrow = Contexts::new(project, Width::Entry);
            assert!(narrow.of(&points[0]).code != narrow.of(&points[2]).code);

            let options = Options { runs: Some(20), ..Options::default() };
            let mut shared = EntryRunner::in_context(project, &points[0], &another);
            for (point, context) in [(&points[0], &another), (&points[2], &one), (&points[0], &another)] {
                shared.start_at(point, &context.programs);
                let explored = explore_entry(&mut shared, point, &options, &mut |_| ControlFlow::Continue(()));
                let alone = Prepared::new(project, point).explore(&options);
                assert!(!alone.diagnostics.is_empty(), "{alone:?}");
                assert_eq!(format!("{explored:?}"), format!("{alone:?}"));
            }
        });
    }
}
