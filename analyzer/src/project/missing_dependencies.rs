//! A package with missing dependencies: cargo refuses to resolve it, so it is resolved here, without them.
//!
//! cargo reads each manifest. Versions are those of `Cargo.lock`, or the newest downloaded ones. Features are unified
//! over all dependents. Sources that a configuration replaces are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use cargo_metadata::semver::Version;
use cargo_metadata::{
    Dependency, DependencyKind, Metadata, Package, PackageId, Resolve, TargetKind, cargo_platform::Cfg,
};
use serde_json::json;

use super::{
    Features, InputPath,
    platform::Platform,
    read::{self, MAX_MANIFEST},
    tools::{Tools, cargo_home},
};
use crate::escape;

/// A missing dependency; what uses it is uninterpreted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingDependency {
    /// The package's name.
    pub name: String,
    /// The version requirement in the manifest.
    pub req: String,
    /// Why it is missing.
    pub why: MissingReason,
}

/// Why a dependency is missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingReason {
    /// Neither vendored nor downloaded.
    NotDownloaded,
    /// There is no such package at the path in the manifest.
    NotAt(PathBuf),
    /// cargo cannot read its manifest; with cargo's message.
    Broken(String),
}

impl fmt::Display for MissingDependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = escape::line(&self.name);
        match &self.why {
            MissingReason::NotDownloaded if self.req == "*" => write!(f, "`{name}`"),
            MissingReason::NotDownloaded => write!(f, "`{name}` {}", escape::line(&self.req)),
            MissingReason::NotAt(path) => write!(f, "`{name}`: there is no package at {}", escape::path(path)),
            // cargo quotes lines of manifests, which must not look like lines of ours.
            MissingReason::Broken(message) => write!(f, "`{name}`: {}", message.replace('\n', "\n    ")),
        }
    }
}

/// cargo's metadata of a manifest alone; its message if it refuses.
fn run(tools: &Tools, manifest: &Path, platform: &Platform) -> Result<Metadata, String> {
    tools.metadata(manifest, &platform.triple, &["--no-deps".to_owned()]).map_err(|error| error.to_string())?
}

/// The package of a manifest with its available dependencies, and the missing ones. Fails as cargo does if the package
/// itself is broken.
pub(super) fn metadata(
    tools: &Tools,
    manifest: &Path,
    features: &Features,
    platform: &Platform,
) -> Result<(Metadata, Vec<MissingDependency>), String> {
    let mut metadata = run(tools, manifest, platform)?;
    let lock = metadata.workspace_root.join("Cargo.lock");
    let lock = read::read_text(lock.as_std_path(), MAX_MANIFEST).unwrap_or_default();
    let cfg = platform.cfg.iter().filter_map(|atom| Cfg::from_str(&atom.to_string()).ok()).collect();
    let mut resolver =
        Resolver { tools, platform, lock: locked(&lock), cfg, nodes: Vec::new(), left_out: BTreeSet::new() };
    for package in std::mem::take(&mut metadata.packages) {
        let is_member = metadata.workspace_members.contains(&package.id);
        let wanted = features.wanted(&package);
        let index = resolver.add(package);
        resolver.nodes[index].is_member = is_member;
        resolver.nodes[index].wanted.extend(wanted);
    }
    resolver.resolve();
    metadata.resolve = Some(resolver.graph().map_err(|error| error.to_string())?);
    metadata.packages = resolver.nodes.into_iter().map(|node| node.package).collect();
    Ok((metadata, resolver.left_out.into_iter().collect()))
}

/// A package of `Cargo.lock`.
struct LockedPackage {
    name: String,
    version: Version,
    source: String,
}

/// The packages of a lock file; empty if it cannot be parsed.
fn locked(text: &str) -> Vec<LockedPackage> {
    let table: toml::Table = text.parse().unwrap_or_default();
    let packages = table.get("package").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let read = |package: &toml::Value| {
        let text = |key: &str| package.get(key)?.as_str().map(str::to_owned);
        Some(LockedPackage { name: text("name")?, version: text("version")?.parse().ok()?, source: text("source")? })
    };
    packages.iter().filter_map(read).collect()
}

struct Node {
    package: Package,
    is_member: bool,
    /// Features that were requested.
    wanted: BTreeSet<String>,
    /// These and all features that they enable.
    features: BTreeSet<String>,
    /// The resolution of each dependency, by its index in the manifest.
    found: BTreeMap<usize, Option<usize>>,
}

/// What the features of a package enable.
#[derive(Default)]
pub(super) struct EnabledFeatures {
    features: BTreeSet<String>,
    /// Optional dependencies, by the names that the package uses.
    pub(super) optional: BTreeSet<String>,
    /// Features of dependencies.
    requests: Vec<(String, String)>,
}

struct Resolver<'a> {
    tools: &'a Tools,
    platform: &'a Platform,
    lock: Vec<LockedPackage>,
    cfg: Vec<Cfg>,
    nodes: Vec<Node>,
    left_out: BTreeSet<MissingDependency>,
}

impl Resolver<'_> {
    fn add(&mut self, package: Package) -> usize {
        if let Some(known) = self.nodes.iter().position(|node| node.package.id == package.id) {
            return known;
        }
        let (wanted, features) = (BTreeSet::new(), BTreeSet::new());
        self.nodes.push(Node { package, is_member: false, wanted, features, found: BTreeMap::new() });
        self.nodes.len() - 1
    }

    /// Follows dependencies and features up to the fixed point.
    fn resolve(&mut self) {
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            let mut at = 0;
            while at < self.nodes.len() {
                is_new |= self.step(at);
                at += 1;
            }
        }
    }

    fn step(&mut self, at: usize) -> bool {
        let Node { package, wanted, .. } = &self.nodes[at];
        let enabled = enabled(|name| package.features.get(name), wanted.iter().map(String::as_str));
        let dependencies = self.nodes[at].package.dependencies.clone();
        let mut is_new = false;
        for (index, dependency) in dependencies.iter().enumerate() {
            let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
            if !self.is_used(at, dependency) || dependency.optional && !enabled.optional.contains(name) {
                continue;
            }
            let found = match self.nodes[at].found.get(&index) {
                Some(found) => *found,
                None => {
                    let found = self.find(dependency);
                    self.nodes[at].found.insert(index, found);
                    is_new = true;
                    found
                }
            };
            let Some(found) = found else { continue };
            let default = dependency.uses_default_features.then(|| "default".to_owned());
            let asked = enabled.requests.iter().filter(|(of, _)| of == name).map(|(_, feature)| feature.clone());
            for feature in dependency.features.iter().cloned().chain(default).chain(asked) {
                is_new |= self.nodes[found].wanted.insert(feature);
            }
        }
        self.nodes[at].features = enabled.features;
        is_new
    }

    /// Whether the programs of a package need the dependency: build scripts are not run, and only the user's own
    /// examples and tests use development dependencies.
    fn is_used(&self, at: usize, dependency: &Dependency) -> bool {
        let is_kind = match dependency.kind {
            DependencyKind::Normal => true,
            DependencyKind::Development => self.nodes[at].is_member,
            _ => false,
        };
        is_kind && dependency.target.as_ref().is_none_or(|platform| platform.matches(&self.platform.triple, &self.cfg))
    }

    /// The package of a dependency; notes it if it is missing.
    fn find(&mut self, dependency: &Dependency) -> Option<usize> {
        let found = match &dependency.path {
            Some(path) => self.read(path.as_std_path(), dependency),
            None => {
                self.folder(dependency).ok_or(MissingReason::NotDownloaded).and_then(|it| self.read(&it, dependency))
            }
        };
        match found {
            Ok(found) => Some(found),
            Err(why) => {
                let (name, req) = (dependency.name.clone(), dependency.req.to_string());
                self.left_out.insert(MissingDependency { name, req, why });
                None
            }
        }
    }

    /// Reads the package of a dependency in a folder.
    fn read(&mut self, folder: &Path, dependency: &Dependency) -> Result<usize, MissingReason> {
        let manifest = folder.join("Cargo.toml");
        let is_there = |node: &Node| node.package.manifest_path.as_std_path() == manifest;
        if let Some(known) = self.nodes.iter().position(is_there) {
            return Ok(known);
        }
        if !manifest.is_file() {
            return Err(MissingReason::NotAt(folder.to_owned()));
        }
        let read = run(self.tools, &manifest, self.platform).map_err(MissingReason::Broken)?;
        let mut found = read.packages.into_iter().filter(|package| package.name.as_ref() == dependency.name);
        let mut package = found.next().ok_or_else(|| MissingReason::NotAt(folder.to_owned()))?;
        package.source.clone_from(&dependency.source);
        Ok(self.add(package))
    }

    /// The folder to which a dependency without path was downloaded.
    fn folder(&self, dependency: &Dependency) -> Option<PathBuf> {
        let home = cargo_home()?;
        let source = dependency.source.as_ref()?;
        let fits = |version: &Version| dependency.req.matches(version);
        let locked = self.lock.iter().filter(|it| it.name == dependency.name && fits(&it.version));
        if source.repr.starts_with("git+") {
            let revision = locked.filter_map(|it| it.source.split_once('#')).map(|(_, revision)| revision).next()?;
            let checkouts = folders(&home.join("git/checkouts"));
            let mut revisions = checkouts.iter().flat_map(|it| folders(it));
            return revisions.find(|it| name_of(it).is_some_and(|name| revision.starts_with(name)));
        }
        let versions: Vec<&Version> = locked.map(|it| &it.version).collect();
        let registries = folders(&home.join("registry/src"));
        let downloaded = registries.iter().flat_map(|it| folders(it)).filter_map(|folder| {
            let version = name_of(&folder)?.strip_prefix(dependency.name.as_str())?.strip_prefix('-')?;
            let version: Version = version.parse().ok()?;
            let is_right = if versions.is_empty() { fits(&version) } else { versions.contains(&&version) };
            is_right.then_some((version, folder))
        });
        downloaded.max().map(|(_, folder)| folder)
    }

    /// The result in cargo's format.
    fn graph(&self) -> serde_json::Result<Resolve> {
        let nodes: Vec<_> = self.nodes.iter().map(|node| self.node(node)).collect();
        serde_json::from_value(json!({ "nodes": nodes, "root": null }))
    }

    fn node(&self, node: &Node) -> serde_json::Value {
        let mut deps = Vec::new();
        let mut ids: Vec<&PackageId> = Vec::new();
        for (index, found) in &node.found {
            let Some(found) = found.map(|it| &self.nodes[it].package) else { continue };
            let dependency = &node.package.dependencies[*index];
            let library = found.targets.iter().find(|target| !target.kind.iter().any(is_program));
            let Some(name) = dependency.rename.as_ref().or(library.map(|it| &it.name)) else { continue };
            let kind = (dependency.kind == DependencyKind::Development).then_some("dev");
            let kinds = json!([{ "kind": kind, "target": null }]);
            deps.push(json!({ "name": name.replace('-', "_"), "pkg": found.id, "dep_kinds": kinds }));
            ids.push(&found.id);
        }
        json!({ "id": node.package.id, "deps": deps, "dependencies": ids, "features": node.features })
    }
}

fn is_program(kind: &TargetKind) -> bool {
    use TargetKind::{Bench, Bin, CustomBuild, Example, Test};
    matches!(kind, Bin | Example | Test | Bench | CustomBuild)
}

/// What the requested features of a package enable.
pub(super) fn enabled<'a>(
    features_of: impl Fn(&str) -> Option<&'a Vec<String>>,
    wanted: impl IntoIterator<Item = &'a str>,
) -> EnabledFeatures {
    let mut enabled = EnabledFeatures::default();
    let mut queue: Vec<&str> = wanted.into_iter().collect();
    while let Some(feature) = queue.pop() {
        let Some(values) = features_of(feature) else { continue };
        if !enabled.features.insert(feature.to_owned()) {
            continue;
        }
        for value in values {
            if let Some(name) = value.strip_prefix("dep:") {
                enabled.optional.insert(name.to_owned());
            } else if let Some((name, of)) = value.split_once('/') {
                // `name?/feature` enables a feature only if something else enables `name`.
                let weak = name.strip_suffix('?');
                let name = weak.unwrap_or(name);
                if weak.is_none() {
                    enabled.optional.insert(name.to_owned());
                    queue.push(name);
                }
                enabled.requests.push((name.to_owned(), of.to_owned()));
            } else {
                queue.push(value);
            }
        }
    }
    enabled
}

/// The folders of downloaded packages: another name in one of them may be a package that was missing.
pub fn downloads() -> Vec<InputPath> {
    let all = cargo_home().map(|home| home.join("registry/src")).unwrap_or_default();
    let registries = folders(&all);
    std::iter::once(all).chain(registries).map(|path| InputPath { path, by_time: true }).collect()
}

/// The folders in a folder, sorted by name.
fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn name_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}
