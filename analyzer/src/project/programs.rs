//! The programs that an entry may start as processes (decision 33): its own, and those of the workspace.
//!
//! A program is found at a path as cargo builds it, in a folder that is nobody's: `/target/debug/name`. The program of
//! tests is in `deps`, beside which tests look for the others.

use super::files::Files;
use super::{EntryKind, EntryPoint, Project};
use crate::guard;
use crate::harness::Start;
use crate::std_tree::{ROOT, StdCrates};
use hir_def::nameres::crate_def_map;
use ra_ap_base_db::{
    Crate, CrateBuilderId, CrateGraphBuilder, CrateName, CrateOrigin, CrateWorkspaceData, DependencyBuilder, Env,
    LangCrateOrigin, SourceDatabase as _,
};
use ra_ap_hir_def as hir_def;
use ra_ap_paths::AbsPathBuf;
use ra_ap_project_model::{CargoWorkspace, Package, TargetKind};
use ra_ap_span::Edition;
use ra_ap_vfs::FileId;

/// The folder of programs.
const FOLDER: &str = "/target/debug";
/// The embedded root of the crate that sees all programs.
const SEES_ALL: &str = "programs/src/lib.rs";
/// Words without which nothing starts a process.
const WORDS: [&str; 4] = ["process::", "cargo_bin", "assert_cmd", "Command::new"];

/// Words without which nothing waits for connections.
const LISTENS: [&str; 2] = ["TcpListener", "UnixListener"];

/// The path of a program of the workspace.
fn path_of(name: &str) -> String {
    format!("{FOLDER}/{name}")
}

/// All programs of a workspace: their names and roots.
pub(super) fn of(cargo: &CargoWorkspace, files: &mut Files) -> Vec<(String, FileId)> {
    let members = cargo.packages().filter(|package| cargo[*package].is_member);
    let targets = members.flat_map(|package| &cargo[package].targets).map(|target| &cargo[*target]);
    let programs = targets.filter(|target| target.kind == TargetKind::Bin);
    programs.filter_map(|target| Some((target.name.clone(), files.read_root(&target.root)?))).collect()
}

/// The variables by which the tests of a package find its programs.
pub(super) fn variables(cargo: &CargoWorkspace, package: Package) -> Vec<(String, String)> {
    let targets = cargo[package].targets.iter().map(|target| &cargo[*target]);
    let programs = targets.filter(|target| target.kind == TargetKind::Bin);
    programs.map(|it| (format!("CARGO_BIN_EXE_{}", it.name), path_of(&it.name))).collect()
}

/// Adds a crate that sees the code of all programs, and of the tests that start them.
pub(super) fn add(
    graph: &mut CrateGraphBuilder,
    programs: &[CrateBuilderId],
    std: &StdCrates,
    file: &dyn Fn(&str) -> Option<FileId>,
    workspace: &CrateWorkspaceData,
) {
    let (Some(root), [first, ..]) = (file(SEES_ALL), programs) else { return };
    // It is for their platform.
    let cfg = graph[*first].cfg_options.clone();
    let krate = graph.add_crate_root(
        root,
        Edition::CURRENT,
        None,
        None,
        cfg,
        None,
        Env::default(),
        CrateOrigin::Lang(LangCrateOrigin::Dependency),
        Vec::new(),
        false,
        AbsPathBuf::assert(ROOT.into()).into(),
        workspace.clone().into(),
    );
    std.inject(graph, krate);
    for (number, program) in programs.iter().enumerate() {
        let name = CrateName::normalize_dashes(&format!("program_{number}"));
        graph.add_dep(krate, DependencyBuilder::new(name, *program)).expect("nothing depends on this crate");
    }
}

/// The programs that an entry may start.
pub struct StartedPrograms {
    /// The path of its own.
    pub own: String,
    /// The paths of those whose code is known, and where they start.
    pub known: Vec<(String, Start)>,
    /// The crate that sees the code of all of them; `None` if there is only its own.
    pub krate: Option<Crate>,
}

impl Project {
    /// The programs that an entry may start.
    pub fn programs_of(&self, point: &EntryPoint) -> StartedPrograms {
        let target = point.target();
        let (own, mut known) = match point.kind {
            EntryKind::Main => (path_of(target), vec![(path_of(target), point.start)]),
            EntryKind::Test | EntryKind::Api | EntryKind::Middle => (format!("{FOLDER}/deps/{target}"), Vec::new()),
        };
        // A program that listens may be visited by another one.
        let meets = |point: &EntryPoint| point.kind == EntryKind::Main && self.says_one_of(point, &LISTENS);
        let krate = if self.says_one_of(point, &WORDS) || meets(point) { self.seeing_all() } else { None };
        if krate.is_some() {
            let crates = self.local_crates();
            for (name, root) in &self.shared.programs {
                let Some(of) = crates.iter().find(|krate| krate.root_file(&self.db) == *root) else { continue };
                let main = guard::caught(&self.db, || self.main_of(*of)).flatten();
                let path = path_of(name);
                if let Some(main) = main.filter(|_| path != own) {
                    known.push((path, Start::Function(main)));
                }
            }
        }
        StartedPrograms { own, known, krate }
    }

    /// The crate that sees the code of this one and of the other programs and tests of the workspace.
    pub fn common_crate(&self, krate: Crate) -> Option<Crate> {
        self.seeing_all().filter(|all| all.transitive_deps(&self.db).contains(&krate))
    }

    /// The crate that sees all programs.
    fn seeing_all(&self) -> Option<Crate> {
        let root = self.shared.files.std_file(SEES_ALL)?;
        self.crates().into_iter().find(|krate| krate.root_file(&self.db) == root).map(Into::into)
    }

    /// Whether the workspace's part of an entry's code has one of these words.
    fn says_one_of(&self, point: &EntryPoint, words: &[&str]) -> bool {
        let says_so = |file: FileId| {
            let text = self.db.file_text(file).text(&self.db);
            words.iter().any(|word| text.contains(word))
        };
        let files = self.local_crates_of(point).into_iter().flat_map(|krate| {
            let modules = guard::caught(&self.db, || {
                let modules = crate_def_map(&self.db, krate).modules();
                let files = modules.filter_map(|(_, data)| data.origin.file_id());
                files.map(|file| file.file_id(&self.db)).collect::<Vec<_>>()
            });
            modules.unwrap_or_default()
        });
        files.into_iter().any(says_so)
    }
}
