//! Build scripts that are interpreted: what they print and write, if nothing of it rests on anything unknown.
//!
//! Nothing of the package runs: a script is a program like any other to the interpreter. It finds the variables that
//! cargo sets, the files of its own package, and a `rustc` that can tell its version.

use super::{
    environment::{OUTPUT, ScriptEnvironment, TOOLS},
    kept::KeptScripts,
};
use crate::{
    config::Config,
    explore::{Options, Prepared},
    guard,
    project::{
        EntryPoint, LoadOptions, Project, build_output,
        platform::{HOST, Platform},
        single_files,
    },
};
use cargo_metadata::{DependencyKind, Metadata, PackageId};
use ra_ap_cfg::CfgAtom;
use ra_ap_project_model::{CargoWorkspace, Package, PackageData, TargetData, TargetKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Maximum number of instructions of a script.
const MAX_STEPS: u64 = 50_000_000;
/// Maximum number of instructions of all scripts of a project.
const MAX_STEPS_OF_ALL: u64 = 200_000_000;

/// Maximum number of bytes that all scripts of a project write.
const MAX_WRITTEN_BY_ALL: usize = 64 << 20;

/// A build script.
pub(in crate::project) struct Script<'a> {
    package: &'a PackageData,
    target: &'a TargetData,
    /// The library that the package links, as its manifest names it.
    links: Option<&'a str>,
}

/// What manifests say of packages that matters for scripts, by package.
#[derive(Default)]
pub(in crate::project) struct ManifestFacts {
    /// The libraries that packages link.
    links: FxHashMap<PackageId, String>,
    /// Packages whose scripts have dependencies.
    have_dependencies: BTreeSet<PackageId>,
}

impl ManifestFacts {
    /// The facts of all packages.
    pub(in crate::project) fn of(metadata: &Metadata) -> ManifestFacts {
        let packages = || metadata.packages.iter();
        let is_build = |it: &cargo_metadata::Dependency| it.kind == DependencyKind::Build;
        let have_dependencies = packages().filter(|it| it.dependencies.iter().any(is_build)).map(|it| it.id.clone());
        let links = packages().filter_map(|it| Some((it.id.clone(), it.links.clone()?)));
        ManifestFacts { links: links.collect(), have_dependencies: have_dependencies.collect() }
    }

    /// The script of a package, if it can be interpreted: it uses only std, and cargo tells it nothing that the script of
    /// another package prints.
    pub(in crate::project) fn script<'a>(&'a self, cargo: &'a CargoWorkspace, package: Package) -> Option<Script<'a>> {
        let package = &cargo[package];
        let target = package.targets.iter().map(|it| &cargo[*it]).find(|it| it.kind == TargetKind::BuildScript)?;
        let is_told = package.dependencies.iter().any(|it| self.links.contains_key(&cargo[it.pkg].id));
        let is_fit = !is_told && !self.have_dependencies.contains(&package.id);
        is_fit.then(|| Script { package, target, links: self.links.get(&package.id).map(String::as_str) })
    }
}

/// What is known of a script's run.
#[derive(Clone, Debug, Default)]
pub(in crate::project) struct Interpreted {
    /// What it left, if all of it is known.
    pub(in crate::project) output: Option<ScriptOutput>,
    /// The files of the package that it consists of or asked for, whether they exist or not.
    pub(in crate::project) looked_at: BTreeSet<PathBuf>,
    /// Number of instructions of its runs.
    pub(super) steps: u64,
}

/// What a script left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::project) struct ScriptOutput {
    /// What it printed.
    pub(in crate::project) printed: String,
    /// The folder that it wrote to.
    pub(in crate::project) out_dir: String,
    /// The files that it wrote, by their paths in that folder.
    pub(in crate::project) written: BTreeMap<String, String>,
}

/// Everything that a script's result depends on, besides the files that it reads.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub(super) struct ScriptKey {
    /// The script.
    pub(super) root: PathBuf,
    edition: String,
    variables: Vec<(String, String)>,
}

/// Interprets scripts, each of which uses only std. The results are in the order of the scripts. Those of published
/// packages are kept in this process and, if `keeps`, in the user's cache.
pub(in crate::project) fn interpret(scripts: &[Script<'_>], platform: &Platform, keeps: bool) -> Vec<Interpreted> {
    let kept = if scripts.is_empty() { None } else { KeptScripts::open(keeps) };
    let kept_for = |script: &Script<'_>| kept.as_ref().filter(|_| build_output::is_published(script.package));
    let keys: Vec<ScriptKey> = scripts.iter().map(|it| it.key(platform)).collect();
    let recall = |(script, key)| Task { script, key, kept: kept_for(script).and_then(|it| it.recall(key)) };
    let tasks: Vec<Task<'_>> = scripts.iter().zip(&keys).map(recall).collect();
    let project = match tasks.iter().any(|it| it.kept.is_none()) {
        true => guard::unwinding(|| load(&tasks)).ok().flatten(),
        false => None,
    };
    let done =
        project.as_ref().and_then(|project| guard::unwinding(|| project.with_db(|it| perform(&tasks, Some(it)))).ok());
    let results = done.unwrap_or_else(|| perform(&tasks, None));
    for (Task { script, key, kept }, (result, is_whole)) in tasks.iter().zip(&results) {
        if let (None, true, Some(store)) = (kept, is_whole, kept_for(script)) {
            store.keep(key, result);
        }
    }
    results.into_iter().map(|(result, _)| result).collect()
}

/// A script, and its result if that was kept.
struct Task<'a> {
    script: &'a Script<'a>,
    key: &'a ScriptKey,
    kept: Option<Interpreted>,
}

/// The results, and whether each is that of an unshortened run. All runs share a number of steps, which kept ones use up
/// too: so the results do not depend on what was kept.
fn perform(tasks: &[Task<'_>], project: Option<&Project>) -> Vec<(Interpreted, bool)> {
    let entries = project.map(Project::binaries).unwrap_or_default();
    let (mut left, mut room) = (MAX_STEPS_OF_ALL, MAX_WRITTEN_BY_ALL);
    let result = |Task { script, key, kept }: &Task<'_>| {
        let max_steps = left.min(MAX_STEPS);
        let run = || {
            let project = project?;
            let path_of = |it: &EntryPoint| project.shared.files.on_disk(it.krate.root_file(project.db()));
            let entry = entries.iter().find(|it| path_of(it).as_ref() == Some(&key.root))?;
            guard::caught(project.db(), || script.interpret(project, entry, key, max_steps))
        };
        let (mut result, is_whole) = match kept {
            Some(kept) if kept.steps <= left => (kept.clone(), true),
            Some(_) => (Interpreted::default(), false),
            None => run().map_or_else(Default::default, |result| (result, max_steps == MAX_STEPS)),
        };
        left = left.saturating_sub(result.steps);
        let written = result.output.iter().flat_map(|it| it.written.values()).map(String::len).sum();
        match room.checked_sub(written) {
            Some(rest) => room = rest,
            None => result.output = None,
        }
        (result, is_whole)
    };
    tasks.iter().map(result).collect()
}

/// The scripts as programs of one project.
fn load(tasks: &[Task<'_>]) -> Option<Project> {
    let new = tasks.iter().filter(|it| it.kept.is_none());
    let singles: Vec<_> = new.map(|it| it.script.as_file(it.key)).collect();
    let loaded = single_files::load(&singles, &LoadOptions::default()).ok()?;
    Some(Project::new(loaded, Config::default(), true))
}

impl<'a> Script<'a> {
    fn key(&self, platform: &Platform) -> ScriptKey {
        let root: &Path = self.target.root.as_ref();
        let (root, edition) = (root.to_owned(), self.package.edition.to_string());
        ScriptKey { root, edition, variables: self.variables(platform) }
    }

    fn folder(&self) -> &'a Path {
        self.package.manifest.parent().as_ref()
    }

    /// The folder for what it writes.
    fn out_dir(&self) -> String {
        format!("{OUTPUT}/{}-{}", self.package.name, self.package.version)
    }

    /// The script as a program. The cfgs of its features are set.
    fn as_file<'q>(&self, key: &'q ScriptKey) -> single_files::SingleFile<'q> {
        let features = self.package.active_features.iter();
        let cfgs = features.map(|it| CfgAtom::KeyValue { key: symbol("feature"), value: symbol(it) }).collect();
        let (shown, variables) = (key.root.clone(), key.variables.clone());
        let edition = self.package.edition;
        single_files::SingleFile { path: &key.root, shown, edition, cfgs, variables }
    }

    /// The variables that cargo sets for a script (the Cargo Book, "Environment variables Cargo sets for build
    /// scripts"), for a debug build.
    fn variables(&self, platform: &Platform) -> Vec<(String, String)> {
        let package = self.package;
        let version = &package.version;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let path = |path: &Option<_>| path.as_ref().map(ToString::to_string).unwrap_or_default();
        let rust_version = package.rust_version.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut variables: Vec<(&str, String)> = vec![
            ("CARGO", format!("{TOOLS}/cargo")),
            ("CARGO_ENCODED_RUSTFLAGS", String::new()),
            ("CARGO_MANIFEST_DIR", package.manifest.parent().to_string()),
            ("CARGO_MANIFEST_PATH", package.manifest.to_string()),
            ("CARGO_PKG_AUTHORS", package.authors.join(":")),
            ("CARGO_PKG_DESCRIPTION", text(&package.description)),
            ("CARGO_PKG_HOMEPAGE", text(&package.homepage)),
            ("CARGO_PKG_LICENSE", text(&package.license)),
            ("CARGO_PKG_LICENSE_FILE", path(&package.license_file)),
            ("CARGO_PKG_NAME", package.name.clone()),
            ("CARGO_PKG_README", path(&package.readme)),
            ("CARGO_PKG_REPOSITORY", text(&package.repository)),
            ("CARGO_PKG_RUST_VERSION", rust_version),
            ("CARGO_PKG_VERSION", version.to_string()),
            ("CARGO_PKG_VERSION_MAJOR", version.major.to_string()),
            ("CARGO_PKG_VERSION_MINOR", version.minor.to_string()),
            ("CARGO_PKG_VERSION_PATCH", version.patch.to_string()),
            ("CARGO_PKG_VERSION_PRE", version.pre.to_string()),
            ("DEBUG", "true".to_owned()),
            ("HOST", HOST.to_owned()),
            ("NUM_JOBS", "2".to_owned()),
            ("OPT_LEVEL", "0".to_owned()),
            ("OUT_DIR", self.out_dir()),
            ("PATH", format!("{TOOLS}:/usr/bin:/bin")),
            ("PROFILE", "debug".to_owned()),
            ("RUSTC", format!("{TOOLS}/rustc")),
            ("RUSTDOC", format!("{TOOLS}/rustdoc")),
            ("TARGET", platform.triple.clone()),
        ];
        variables.extend(self.links.map(|it| ("CARGO_MANIFEST_LINKS", it.to_owned())));
        let mut all: Vec<(String, String)> =
            variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let in_name = |text: &str| text.to_uppercase().replace('-', "_");
        let features = package.active_features.iter();
        all.extend(features.map(|it| (format!("CARGO_FEATURE_{}", in_name(it)), "1".to_owned())));
        all.extend(
            cfg_variables(platform).into_iter().map(|(name, value)| (format!("CARGO_CFG_{}", in_name(&name)), value)),
        );
        all
    }

    /// Interprets the script twice: what depends on chance differs.
    fn interpret(&self, project: &Project, entry: &EntryPoint, key: &ScriptKey, max_steps: u64) -> Interpreted {
        let out_dir = self.out_dir();
        let mut prepared = Prepared::new(project, entry);
        let sources = project.shared.files.looked_at().into_iter().map(|it| it.path);
        let mut looked_at: BTreeSet<PathBuf> = sources.filter(|it| it.starts_with(self.folder())).collect();
        let mut steps = 0;
        let mut run = |seed| {
            let mut environment = ScriptEnvironment::new(self.folder(), &out_dir, &key.variables)?;
            let options = Options { seed, max_steps: Some(max_steps), ..Options::default() };
            let outcome = prepared.interpret(&options, &mut environment);
            looked_at.append(&mut environment.looked_at);
            steps += outcome.steps;
            let rests_on_nothing = outcome.uninterpreted.is_none() && !outcome.varies && !environment.is_unknown;
            let printed = String::from_utf8(environment.printed).ok()?;
            let output = ScriptOutput { printed, out_dir: out_dir.clone(), written: environment.written };
            (outcome.status == Some(0) && rests_on_nothing).then_some(output)
        };
        let output = run(0).filter(|first| run(1).as_ref() == Some(first));
        Interpreted { output, looked_at, steps }
    }
}

/// The variables for the cfgs of a platform, without their prefix: a flag is empty, several values are separated by
/// commas.
fn cfg_variables(platform: &Platform) -> Vec<(String, String)> {
    let mut variables: Vec<(String, String)> = Vec::new();
    for atom in &platform.cfg {
        let (key, value) = match atom {
            CfgAtom::Flag(name) => (name.as_str(), ""),
            CfgAtom::KeyValue { key, value } => (key.as_str(), value.as_str()),
        };
        match variables.iter_mut().find(|it| it.0 == key) {
            Some((_, values)) => *values = format!("{values},{value}"),
            None => variables.push((key.to_owned(), value.to_owned())),
        }
    }
    variables
}

fn symbol(text: &str) -> ra_ap_intern::Symbol {
    ra_ap_intern::Symbol::intern(text)
}
