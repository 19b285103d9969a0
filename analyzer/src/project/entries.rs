//! Entries of the project (decision 18): the `main`s of programs, and tests.

use super::{ProgramKind, Project, Target, files};
use crate::{
    guard,
    harness::{Start, Subject},
};
use hir::Crate;
use hir_def::{FunctionId, ModuleDefId, nameres::crate_def_map};
use ra_ap_base_db as base_db;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_vfs::FileId;
use serde::{Deserialize, Serialize};

/// What kind of function an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// The `main` of a program or an example.
    Main,
    /// A function with `#[test]`.
    Test,
    /// A public function or type of a library.
    Api,
    /// A function that starts threads; used where no other entry reaches it.
    Middle,
}

/// The name by which people choose an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryName {
    /// What kind of entry it is.
    pub kind: EntryKind,
    /// As [`EntryPoint::name`].
    pub name: String,
    /// Its package; a single file has none.
    pub package: Option<String>,
    /// Whether it is a harness within a test, which prepares the value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_in_test: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// An entry: where a run starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPoint {
    /// The name by which people choose it: the program's name in the manifest, or the file's stem; for a test, followed
    /// by the function's path.
    pub name: String,
    /// Its crate.
    pub krate: Crate,
    /// Where it starts.
    pub start: Start,
    /// Its package; a single file has none.
    pub package: Option<String>,
    /// Its kind.
    pub kind: EntryKind,
    /// For an entry in the middle, the functions that start threads: it is needed while one of them has not run.
    pub starts: Vec<FunctionId>,
}

impl EntryPoint {
    /// The function that it starts at, unless it is a harness.
    pub fn function(&self) -> Option<FunctionId> {
        match self.start {
            Start::Function(function) => Some(function),
            Start::Harness(_) => None,
        }
    }

    /// The name of the target that it belongs to.
    pub fn target(&self) -> &str {
        self.name.split("::").next().unwrap_or(&self.name)
    }

    /// The name by which people choose it.
    pub fn entry_name(&self) -> EntryName {
        let is_in_test = self.start.harness().is_some_and(|it| matches!(it.subject, Subject::InTest(..)));
        EntryName { kind: self.kind, name: self.name.clone(), package: self.package.clone(), is_in_test }
    }

    /// Whether it is a harness.
    pub fn is_harness(&self) -> bool {
        matches!(self.start, Start::Harness(_))
    }

    /// Its path, from which its seed and the ids of its findings are computed (invariant 4).
    pub fn path(&self) -> String {
        match self.kind {
            EntryKind::Main => format!("{}::main", self.name),
            EntryKind::Test => self.name.clone(),
            EntryKind::Api => format!("{} (API)", self.name),
            EntryKind::Middle => format!("{} (middle)", self.name),
        }
    }
}

impl Project {
    /// All entries of `check`: programs, then the tests that `cargo test` runs, then harnesses.
    pub fn entries(&self) -> Vec<EntryPoint> {
        let mut entries = self.early_entries();
        entries.extend(self.middle());
        entries
    }

    /// The entries that are known without looking into functions.
    pub fn early_entries(&self) -> Vec<EntryPoint> {
        let tests = self.tests().into_iter().filter(|test| !test.is_ignored).map(|test| test.entry);
        self.binaries().into_iter().chain(tests).chain(self.api()).collect()
    }

    /// The program whose root is the file at `path`, among those loaded with [`load_files`].
    pub fn program_at(&self, path: &std::path::Path) -> Option<EntryPoint> {
        let absolute = files::absolute(path).ok()?;
        let root = self.shared.files.at(&absolute)?;
        let krate = self.local_crates().into_iter().find(|it| it.root_file(&self.db) == root)?;
        let name = absolute.file_stem().unwrap_or("main").to_owned();
        Some(EntryPoint {
            name,
            krate,
            start: Start::Function(self.main_of(krate)?),
            package: None,
            kind: EntryKind::Main,
            starts: Vec::new(),
        })
    }

    /// The programs of the selected packages whose `main` rustc accepts.
    pub fn binaries(&self) -> Vec<EntryPoint> {
        let (programs, _) = self.programs(|_| true);
        programs
    }

    /// The program with this name. Names of other programs are not resolved.
    pub(crate) fn binary(&self, name: &str) -> Option<EntryPoint> {
        let (programs, _) = self.programs(|it| it == name);
        programs.into_iter().next()
    }

    /// Targets of the selected packages that should be programs but are not: name and reason.
    pub fn no_programs(&self) -> Vec<(String, &'static str)> {
        let (_, others) = self.programs(|_| true);
        others
    }

    fn programs(&self, is_wanted: impl Fn(&str) -> bool) -> (Vec<EntryPoint>, Vec<(String, &'static str)>) {
        let crates = self.local_crates();
        let (mut programs, mut others) = (Vec::new(), Vec::new());
        let is_wanted = |it: &&Target| it.starts != ProgramKind::Never && is_wanted(&it.name);
        for target in self.shared.targets.iter().filter(is_wanted) {
            let Some(&krate) = crates.iter().find(|krate| krate.root_file(&self.db) == target.root) else { continue };
            let entry = guard::caught(&self.db, || self.entry_of(krate, target.root));
            match entry.unwrap_or(Err("its `main` cannot be resolved")) {
                Ok(main) => {
                    let (name, package) = (target.name.clone(), target.package.clone());
                    programs.push(EntryPoint {
                        name,
                        krate,
                        start: Start::Function(main),
                        package,
                        kind: EntryKind::Main,
                        starts: Vec::new(),
                    });
                }
                Err(_) if target.starts == ProgramKind::Perhaps => {}
                Err(why) => others.push((target.name.clone(), why)),
            }
        }
        (programs, others)
    }

    /// The `main` that rustc starts the program with, or why there is none.
    fn entry_of(&self, krate: Crate, root: FileId) -> Result<FunctionId, &'static str> {
        if self.has_attribute(root, "no_main") {
            return Err("it is `#![no_main]`");
        }
        let main = self.main_of(krate).ok_or("it has no `main`")?;
        let function = hir::Function::from(main);
        if function.num_params(&self.db) > 0 {
            Err("its `main` has parameters")
        } else if function.is_async(&self.db) {
            Err("its `main` is `async`")
        } else if !hir::GenericDef::from(function).params(&self.db).is_empty() {
            Err("its `main` is generic")
        } else {
            Ok(main)
        }
    }

    /// The crates of the workspace that make up a program, its own first.
    pub fn local_crates_of(&self, entry: &EntryPoint) -> Vec<base_db::Crate> {
        let mut found = vec![entry.krate];
        let mut next = 0;
        while let Some(krate) = found.get(next).copied() {
            next += 1;
            let needed = krate.dependencies(&self.db).into_iter().map(|dependency| dependency.krate);
            for krate in needed.filter(|krate| self.is_local(*krate)) {
                if !found.contains(&krate) {
                    found.push(krate);
                }
            }
        }
        found.into_iter().map(Into::into).collect()
    }

    /// `main` of a crate, possibly imported into its root.
    pub fn main_of(&self, krate: Crate) -> Option<FunctionId> {
        let map = crate_def_map(&self.db, krate.into());
        let name = hir::Name::new_symbol_root(ra_ap_intern::Symbol::intern("main"));
        match map[map.root_module_id()].scope.get(&name).take_values()? {
            ModuleDefId::FunctionId(function) => Some(function),
            _ => None,
        }
    }
}
