//! A loaded project: the user's crates, their dependencies and the embedded std, ready to be analysed.
//!
//! A project is a package (one `cargo metadata`, nothing is built), crates that another build system describes, or a
//! single file (no process is started). The functions below read rust-analyzer's database and must run inside
//! [`Project::with_db`].

mod broken_crates;
mod build_output;
mod build_output_in_graph;
mod build_scripts;
pub(crate) mod builtin_macros;
mod cargo;
mod cargo_selection;
mod command_lines;
mod command_options;
mod configuration;
mod dictionary;
mod doc_examples;
mod doc_tests;
mod documents;
mod edits;
mod endpoints;
mod entries;
mod error;
mod features;
mod files;
mod folder_search;
mod git;
mod harness_entries;
mod implied_paths;
mod includes;
mod interpreted_macros;
mod json;
mod known_paths;
mod locations;
mod macro_signatures;
mod macros;
mod manifest;
mod missing_dependencies;
mod optional_features;
mod own_folders;
mod package_folders;
mod package_pattern;
mod paths;
mod platform;
mod preflight;
mod prime_caches;
mod programs;
mod queries;
mod read;
mod should_panic;
mod single_files;
mod stopped_items;
mod stubs;
mod targets;
mod test_entries;
mod test_files;
mod tools;
mod trust;
mod trusted_build;
mod unexpanded_macros;
mod unknown_cfgs;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::{database::Database, report::WorkspaceInfo};
use base_db::CrateGraphBuilder;
use hir::Crate;
use hir_def::FunctionId;
use ra_ap_base_db as base_db;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_vfs::FileId;

pub use broken_crates::Broken;
pub use cargo_selection::{BuildPlace, CargoSelection, PackageSelection, TargetNames, TargetSelection};
pub use configuration::UnusedKeys;
pub use entries::{EntryKind, EntryName, EntryPoint};
pub use error::LoadError;
pub use features::Features;
pub use files::InputPath;
pub use git::Revision;
pub use implied_paths::implied_paths;
pub(crate) use locations::short_path;
pub use locations::{Location, SyntaxError};
pub use manifest::{is_described_by_json, is_manifest, project_around};
pub use missing_dependencies::{MissingDependency, MissingReason, downloads};
pub use own_folders::OwnFolders;
pub use paths::{canonical_path, find_std_item};
pub use platform::HOST;
pub use programs::StartedPrograms;
pub use ra_ap_span::Edition;
pub(crate) use read::open_regular;
pub use read::{MAX_MANIFEST, MAX_SOURCE, read_file, read_text};
pub use should_panic::ShouldPanic;
use stubs::StubbedLibrary;
pub use test_entries::Test;
pub(crate) use test_files::TestFiles;
pub use trust::{Allowed, BuildOutputKind, LoadedMacros, MissingBuildOutput, MissingBuildOutputReason, Trust};
pub use unexpanded_macros::Unexpanded;
pub use unknown_cfgs::UnknownCfg;

use crate::{
    config::{self, Config},
    guard,
};
use doc_tests::{DocTests, Documented};
use documents::Format;
use files::Files;
use interpreted_macros::MacroServer;
use manifest::Manifest;
use optional_features::OptionalFeature;

/// Stack size for analyses: rust-analyzer recurses deeply on deep types and expressions.
const STACK_BYTES: usize = 256 << 20;

/// What to load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file that is a crate of its own and uses only std.
    File(PathBuf),
    /// A Cargo package or workspace, or the crates of a `rust-project.json`: a folder or the file itself.
    Package(PathBuf),
}

impl Input {
    /// The input that a command-line path names: a `.rs` file is a single file; anything else, even a folder with such
    /// a name, is a package.
    pub fn from_path(path: impl Into<PathBuf>) -> Input {
        let path = path.into();
        if path.extension().is_some_and(|extension| extension == "rs") && !path.is_dir() {
            Input::File(path)
        } else {
            Input::Package(path)
        }
    }
}

/// How to load it.
#[derive(Debug, Clone)]
pub struct LoadOptions {
    /// Edition of a single file; a package states its own.
    pub edition: Edition,
    /// Whether the user's crates are also loaded as `cargo test` builds them, see [`Project::tests`].
    pub tests: bool,
    /// Features of a package; a single file has none.
    pub features: Features,
    /// Packages and targets of a Cargo workspace.
    pub selection: CargoSelection,
    /// What of the project may be executed.
    pub trust: Trust,
    /// The target triple for the user's code; [`HOST`] if `None`.
    pub target: Option<String>,
    /// The folder in which cargo runs; the current one if `None`.
    pub from: Option<PathBuf>,
    /// Whether the workspace's own configuration (`tsvd.toml`) is ignored.
    pub ignores_config: bool,
    /// Whether results of interpreted build scripts are kept in the user's cache.
    pub keeps_scripts: bool,
    /// Receives a text that says what a trusted build will run, before it runs.
    pub announce: Option<fn(&str)>,
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        let (edition, tests) = (Edition::Edition2024, false);
        let (features, selection, trust) = (Features::default(), CargoSelection::default(), Trust::default());
        let (target, from, announce) = (None, None, None);
        let (ignores_config, keeps_scripts) = (false, false);
        LoadOptions {
            edition,
            tests,
            features,
            selection,
            trust,
            target,
            from,
            ignores_config,
            keeps_scripts,
            announce,
        }
    }
}

/// A loaded project; a clone is a cheap snapshot that can go to another thread.
#[derive(Clone)]
pub struct Project {
    db: Database,
    shared: Arc<ProjectData>,
    /// Crates and items that are left out because rust-analyzer cannot resolve them.
    broken: Arc<[Broken]>,
    /// The examples in the documentation of its libraries.
    doc_tests: Arc<DocTests>,
}

/// What all snapshots share.
struct ProjectData {
    files: Files,
    /// The targets of the selected packages, in the manifest's order.
    targets: Vec<Target>,
    workspace: Option<WorkspaceInfo>,
    has_all_targets: bool,
    /// All programs of the workspace: names and roots.
    programs: Vec<(String, FileId)>,
    left_out: Vec<MissingDependency>,
    unbuilt: Vec<MissingBuildOutput>,
    unused: Vec<UnusedKeys>,
    macros: Vec<LoadedMacros>,
    interpreted_macros: Option<Arc<MacroServer>>,
    platforms: Vec<String>,
    switched_off: Vec<(String, Vec<String>)>,
    shown_documents: Vec<(Format, Box<[u8]>)>,
    test_files: Option<TestFiles>,
    /// The libraries with documentation tests.
    documented: Vec<Documented>,
    stubbed: Vec<StubbedLibrary>,
    /// Features that are off.
    optional_features: Vec<OptionalFeature>,
    config: Config,
}

/// A target of the manifest: one crate.
struct Target {
    name: String,
    package: Option<String>,
    root: FileId,
    /// A library, but not one of procedural macros.
    is_library: bool,
    starts: ProgramKind,
    tests: Tests,
}

/// Which part of a target `cargo test` runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tests {
    /// Functions with `#[test]`.
    Functions,
    /// Its own `main`: `harness = false`.
    Main,
    None,
}

/// Whether a crate is a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ProgramKind {
    Never,
    /// A program if it has a `main`.
    Perhaps,
    Program,
}

/// The result of a loader.
struct LoadedProject {
    files: Files,
    graph: CrateGraphBuilder,
    macros: macros::Macros,
    targets: Vec<Target>,
    /// All programs of the workspace, also of packages that are not selected: names and roots.
    programs: Vec<(String, FileId)>,
    /// The Cargo workspace, if it is one.
    workspace: Option<WorkspaceInfo>,
    left_out: Vec<MissingDependency>,
    unbuilt: Vec<MissingBuildOutput>,
    unused: Vec<UnusedKeys>,
    /// Platforms of crates, other than std's.
    platforms: Vec<String>,
    /// Programs whose required features are off: their names, and the features.
    switched_off: Vec<(String, Vec<String>)>,
    /// Documents that the READMEs of the workspace show.
    shown_documents: Vec<(Format, Box<[u8]>)>,
    test_files: Option<TestFiles>,
    documented: Vec<Documented>,
    stubbed: Vec<StubbedLibrary>,
    /// Features that are off.
    optional_features: Vec<OptionalFeature>,
}

impl LoadedProject {
    /// Crates of which nothing else is known.
    fn new(files: Files, graph: CrateGraphBuilder) -> LoadedProject {
        LoadedProject {
            files,
            graph,
            macros: macros::Macros::default(),
            targets: Vec::new(),
            programs: Vec::new(),
            workspace: None,
            left_out: Vec::new(),
            unbuilt: Vec::new(),
            unused: Vec::new(),
            platforms: Vec::new(),
            switched_off: Vec::new(),
            shown_documents: Vec::new(),
            test_files: None,
            documented: Vec::new(),
            stubbed: Vec::new(),
            optional_features: Vec::new(),
        }
    }
}

/// Loads a project. Errors in the program itself are not errors here; see [`Project::syntax_errors`].
pub fn load(input: &Input, options: &LoadOptions) -> Result<Project, LoadError> {
    guard::unwinding(|| load_unguarded(input, options))
        .unwrap_or_else(|_| Err(LoadError::Internal(guard::internal_failure())))
}

fn load_unguarded(input: &Input, options: &LoadOptions) -> Result<Project, LoadError> {
    let mut loaded = on_big_stack(|| match input {
        Input::File(path) => {
            let single = single_files::SingleFile::new(path, path.clone(), options.edition);
            single_files::load(&[single], options)
        }
        Input::Package(path) => match manifest::find(path)? {
            (Manifest::Cargo(manifest), looked_at) => cargo::load(&manifest, &looked_at, options),
            (Manifest::Json(file), looked_at) => json::load(&file, &looked_at, options),
        },
    })?;
    let from = options.from.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    implied_paths(input, &from)?.iter().for_each(|path| loaded.files.looks_at(path));
    let config = match implied_paths::places_of_config(input)? {
        Some((root, places)) if !options.ignores_config => config::load(&root, &places)?,
        _ => Config::default(),
    };
    Ok(Project::new(loaded, config, options.selection.has_all_targets()))
}

/// The canonical path of a package's workspace root, or of the folder of a `rust-project.json`. Nothing of the project
/// is executed.
///
/// # Errors
///
/// If there is no such project, or it cannot be read.
pub fn workspace_root(path: &std::path::Path, options: &LoadOptions) -> Result<PathBuf, LoadError> {
    let root = match manifest::find(path)?.0 {
        Manifest::Cargo(manifest) => cargo::workspace_root(&manifest, options)?,
        Manifest::Json(file) => file.parent().map(std::path::Path::to_owned).unwrap_or_default(),
    };
    let root = files::absolute(&root)?;
    std::fs::canonicalize::<&std::path::Path>(root.as_ref())
        .map_err(|error| LoadError::Unreadable(root.clone().into(), error))
}

/// Runs `f` on a thread with a big stack. A panic in `f` continues in the caller.
pub(crate) fn on_big_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    let result = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("analysis".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, f)
            .expect("the system can start a thread")
            .join()
    });
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Loads single files as independent programs that share one std. Each is shown by its file name.
pub fn load_files(files: &[(PathBuf, Edition)]) -> Result<Project, LoadError> {
    let singles: Vec<_> = files
        .iter()
        .map(|(path, edition)| {
            let shown = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
            single_files::SingleFile::new(path, shown, *edition)
        })
        .collect();
    Ok(Project::new(single_files::load(&singles, &LoadOptions::default())?, Config::default(), true))
}

impl Project {
    fn new(mut loaded: LoadedProject, config: Config, has_all_targets: bool) -> Project {
        let mut db = Database::new();
        let mut change = hir::ChangeWithProcMacros::default();
        change.set_roots(loaded.files.source_roots());
        for (file, text) in loaded.files.take_texts() {
            change.change_file(file, Some(text));
        }
        change.set_crate_graph(std::mem::take(&mut loaded.graph));
        change.set_proc_macros(std::mem::take(&mut loaded.macros.by_crate).into_iter().collect());
        change.apply(&mut db);
        let LoadedProject {
            files,
            targets,
            programs,
            workspace,
            left_out,
            unbuilt,
            unused,
            platforms,
            switched_off,
            shown_documents,
            test_files,
            documented,
            stubbed,
            optional_features,
            macros,
            ..
        } = loaded;
        let (macros, interpreted_macros) = (macros.loaded, macros.interpreted);
        let shared = ProjectData {
            files,
            targets,
            workspace,
            has_all_targets,
            programs,
            left_out,
            unbuilt,
            unused,
            macros,
            interpreted_macros,
            platforms,
            switched_off,
            shown_documents,
            test_files,
            documented,
            stubbed,
            optional_features,
            config,
        };
        let project = Project { db, shared: Arc::new(shared), broken: Arc::default(), doc_tests: Arc::default() };
        project.open_account();
        project
    }

    /// Runs `f` on a thread with a big stack, with a snapshot whose database is attached.
    ///
    /// Every analysis goes through here: rust-analyzer finds its database in a thread-local, and its recursion needs
    /// the stack. A panic in `f` continues in the caller.
    pub fn with_db<R: Send>(&self, f: impl FnOnce(&Project) -> R + Send) -> R {
        let snapshot = self.clone();
        on_big_stack(move || hir::attach_db(&snapshot.db, || f(&snapshot)))
    }

    /// The database; attached only inside [`Project::with_db`].
    pub fn db(&self) -> &Database {
        &self.db
    }

    /// The database, to change it; waits until all snapshots are dropped.
    pub fn db_mut(&mut self) -> &mut Database {
        &mut self.db
    }

    /// The workspace's own configuration.
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// Missing dependencies; the rest is analysed without them.
    pub fn left_out(&self) -> &[MissingDependency] {
        &self.shared.left_out
    }

    /// Whether no target of the packages was left out by choice.
    pub fn has_all_targets(&self) -> bool {
        self.shared.has_all_targets
    }

    /// The Cargo workspace, if it is one.
    pub fn workspace(&self) -> Option<&WorkspaceInfo> {
        self.shared.workspace.as_ref()
    }

    /// Build output that is missing or out of date.
    pub fn unbuilt(&self) -> &[MissingBuildOutput] {
        &self.shared.unbuilt
    }

    /// Keys of cargo's configuration and of the toolchain file that are not used.
    pub fn unused_configuration(&self) -> &[UnusedKeys] {
        &self.shared.unused
    }

    /// Files and folders of the project that were not read: the path as shown, and the reason.
    pub fn refused_files(&self) -> Vec<(String, String)> {
        self.shared.files.refused()
    }

    /// Procedural macro libraries whose code ran.
    pub fn loaded_macros(&self) -> &[LoadedMacros] {
        &self.shared.macros
    }

    /// Programs that are left out because required features are off: their names, and these features.
    pub fn switched_off(&self) -> &[(String, Vec<String>)] {
        &self.shared.switched_off
    }

    /// Platforms of the user's code other than [`HOST`], which is std's.
    pub fn other_platforms(&self) -> &[String] {
        &self.shared.platforms
    }

    /// Whether anything differs from what a build would see.
    pub fn is_incomplete(&self) -> bool {
        !self.left_out().is_empty()
            || !self.unbuilt().is_empty()
            || !self.broken.is_empty()
            || !self.unexpanded().is_empty()
    }

    /// All crates; each comes after its dependencies.
    pub fn crates(&self) -> Vec<Crate> {
        Crate::all(&self.db)
    }

    /// The user's own crates, without those that `cargo test` adds.
    pub fn local_crates(&self) -> Vec<Crate> {
        self.crates().into_iter().filter(|krate| self.is_local(*krate) && !self.is_under_test(*krate)).collect()
    }

    /// Whether the crate belongs to the workspace (or is the single file).
    pub fn is_local(&self, krate: Crate) -> bool {
        krate.origin(&self.db).is_local()
    }

    /// Whether the crate is part of the embedded std.
    pub fn is_std(&self, krate: Crate) -> bool {
        krate.origin(&self.db).is_lang()
    }

    /// The selected packages' targets: names and crates.
    pub fn targets(&self) -> Vec<(String, Crate)> {
        let crates = self.local_crates();
        let crate_of = |root| crates.iter().copied().find(|krate| krate.root_file(&self.db) == root);
        self.shared.targets.iter().filter_map(|target| Some((target.name.clone(), crate_of(target.root)?))).collect()
    }

    /// The canonical paths of the types that a path names; empty if there is none.
    pub(crate) fn types_named(&self, path: &str) -> Vec<String> {
        paths::types_named(&self.db, path)
    }

    /// The methods of the types that a path names; `None` if there is no such type.
    pub(crate) fn methods_of(&self, path: &str) -> Option<BTreeSet<String>> {
        paths::methods_of(&self.db, path)
    }

    /// The functions that `extern` blocks outside of std declare.
    pub(crate) fn foreign_functions(&self) -> BTreeSet<String> {
        paths::foreign_functions(&self.db)
    }

    /// The function at a path of std; see [`find_std_item`].
    pub fn find_std_item(&self, path: &str) -> Option<FunctionId> {
        find_std_item(&self.db, path)
    }
}
