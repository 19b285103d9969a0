//! Output of the last build in the target folder: output of build scripts, procedural macro libraries.
//!
//! cargo names a build unit `package-hash`; how it computes the hash is private. Files beside a unit identify it: the
//! sources that rustc read (`.d`), the features in its fingerprint (`.fingerprint/package-hash/*.json`), and the
//! fingerprint's hash, which links the run of a build script to the script. A unit that these files do not identify is
//! not used. Other features or toolchains leave several units of a package: the unit with the right features is taken;
//! if there are several, the newest.

use super::build_scripts::{self, ManifestFacts, ScriptOutput};
use super::platform::Platform;
use super::read::{self, MAX_MANIFEST};
use super::trust::{BuildOutputKind, MissingBuildOutput, MissingBuildOutputReason};
use ra_ap_base_db::CrateBuilder;
use ra_ap_cfg::CfgAtom;
use ra_ap_intern::Symbol;
use ra_ap_paths::AbsPathBuf;
use ra_ap_project_model::{CargoWorkspace, Package, PackageData, TargetData, TargetKind};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    env::consts::{DLL_PREFIX, DLL_SUFFIX},
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The build output of a package.
#[derive(Debug, Default)]
pub(super) struct PackageBuildOutput {
    /// The cfgs that its build script set.
    pub(super) cfgs: Vec<CfgAtom>,
    /// Variables for `env!`, including `OUT_DIR`.
    pub(super) variables: Vec<(String, String)>,
    /// The folder into which its build script wrote files.
    pub(super) out_dir: Option<AbsPathBuf>,
    /// The files in that folder that a script would write, by their paths there: it was not run.
    pub(super) written: BTreeMap<String, String>,
    /// Its procedural macro library.
    pub(super) library: Option<AbsPathBuf>,
}

/// The build output of a workspace's packages.
#[derive(Debug, Default)]
pub(super) struct BuildOutput {
    pub(super) made: FxHashMap<Package, PackageBuildOutput>,
    pub(super) unbuilt: Vec<MissingBuildOutput>,
    /// Packages with build scripts of which nothing is known yet, and why there is no output.
    scripts: Vec<(Package, MissingBuildOutputReason)>,
    /// Paths of the workspace that such scripts ask for.
    pub(super) asked_for: BTreeSet<PathBuf>,
    /// All paths that the result depends on.
    pub(super) looked_at: BTreeSet<PathBuf>,
}

impl BuildOutput {
    /// Notes which output of a package is missing.
    pub(super) fn lacks(
        &mut self,
        cargo: &CargoWorkspace,
        package: Package,
        what: BuildOutputKind,
        why: MissingBuildOutputReason,
    ) {
        self.unbuilt.push(MissingBuildOutput { why, what, package: cargo[package].name.clone() });
    }

    /// Takes what is known of a build script that was not run, or notes that its output is missing.
    fn does_without(
        &mut self,
        cargo: &CargoWorkspace,
        package: Package,
        what: BuildOutputKind,
        why: MissingBuildOutputReason,
        platform: &Platform,
    ) {
        if what != BuildOutputKind::BuildScript {
            self.lacks(cargo, package, what, why);
            return;
        }
        match build_scripts::known_cfgs(&cargo[package], platform) {
            Some(cfgs) => self.made.entry(package).or_default().cfgs.extend(cfgs),
            None => self.scripts.push((package, why)),
        }
    }

    /// Interprets the build scripts of which nothing is known.
    pub(super) fn interpret_scripts(
        &mut self,
        cargo: &CargoWorkspace,
        facts: &ManifestFacts,
        platform: &Platform,
        keeps: bool,
    ) {
        let unknown = std::mem::take(&mut self.scripts);
        let (fit, scripts): (Vec<_>, Vec<_>) =
            unknown.iter().filter_map(|(package, _)| Some((*package, facts.script(cargo, *package)?))).unzip();
        for (package, result) in fit.iter().zip(build_scripts::interpret(&scripts, platform, keeps)) {
            if cargo[*package].is_local {
                self.asked_for.extend(result.looked_at);
            }
            self.made.extend(result.output.map(|it| (*package, PackageBuildOutput::interpreted(it))));
        }
        for (package, why) in unknown {
            if !self.made.contains_key(&package) {
                self.lacks(cargo, package, BuildOutputKind::BuildScript, why);
            }
        }
    }
}

/// The build output that some packages need.
pub(super) fn needed<'a>(
    cargo: &'a CargoWorkspace,
    packages: &[Package],
) -> Vec<(Package, BuildOutputKind, &'a TargetData)> {
    let targets =
        packages.iter().flat_map(|package| cargo[*package].targets.iter().map(move |it| (*package, &cargo[*it])));
    let makes = targets.filter_map(|(package, target)| match target.kind {
        // Nobody sees what the build script of a macro-only package sets.
        TargetKind::BuildScript if !is_macros(cargo, package) => Some((package, BuildOutputKind::BuildScript, target)),
        TargetKind::Lib { is_proc_macro: true } => Some((package, BuildOutputKind::Macros, target)),
        _ => None,
    });
    makes.collect()
}

/// Whether the package is from a registry: its files never change.
pub(super) fn is_published(package: &PackageData) -> bool {
    ["registry+", "sparse+"].iter().any(|scheme| package.id.repr.starts_with(scheme))
}

/// Whether the package has nothing but procedural macros.
pub(super) fn is_macros(cargo: &CargoWorkspace, package: Package) -> bool {
    cargo[package].targets.iter().any(|it| cargo[*it].kind.is_proc_macro())
}

/// The output of the build scripts of packages that macros need, as far as it is known without running them.
pub(super) fn of_macros(
    cargo: &CargoWorkspace,
    packages: &[Package],
    facts: &ManifestFacts,
    platform: &Platform,
    keeps: bool,
) -> FxHashMap<Package, PackageBuildOutput> {
    let has_script =
        |package: &Package| cargo[*package].targets.iter().any(|it| cargo[*it].kind == TargetKind::BuildScript);
    let mut build_output = BuildOutput::default();
    for package in packages.iter().filter(|it| has_script(it)) {
        let (what, why) = (BuildOutputKind::BuildScript, MissingBuildOutputReason::NotBuilt);
        build_output.does_without(cargo, *package, what, why, platform);
    }
    build_output.interpret_scripts(cargo, facts, platform, keeps);
    for package in packages {
        let cfgs = build_scripts::known_cfgs_of_macros(&cargo[*package]);
        if !cfgs.is_empty() {
            build_output.made.entry(*package).or_default().cfgs.extend(cfgs);
        }
    }
    build_output.made
}

/// Uses nothing that was built; lists what would be needed.
pub(super) fn none(
    cargo: &CargoWorkspace,
    packages: &[Package],
    why: &MissingBuildOutputReason,
    platform: &Platform,
) -> BuildOutput {
    let mut build_output = BuildOutput::default();
    for (package, what, _) in needed(cargo, packages) {
        build_output.does_without(cargo, package, what, why.clone(), platform);
    }
    build_output
}

/// The output that exists. `folder` is the target folder, `profile` a folder in it.
pub(super) fn left(
    cargo: &CargoWorkspace,
    packages: &[Package],
    folder: &Path,
    profile: &str,
    platform: &Platform,
) -> BuildOutput {
    let mut build_output = BuildOutput::default();
    let needed = needed(cargo, packages);
    if needed.is_empty() {
        return build_output;
    }
    // With `--target`, cargo separates output for the platform from what runs during the build.
    let profiles: Vec<Profile> =
        [folder.join(&platform.triple).join(profile), folder.join(profile)].into_iter().map(Profile::read).collect();
    for profile in &profiles {
        build_output.looked_at.extend([profile.folder.join("build"), profile.folder.join(".fingerprint")]);
    }
    for (package, what, target) in needed {
        let wanted = WantedUnit::new(cargo, package, target);
        let found = match what {
            // A platform that was named has its own folder.
            BuildOutputKind::BuildScript if platform.is_named => wanted.run(&profiles[0], &profiles),
            BuildOutputKind::BuildScript => profiles.iter().find_map(|profile| wanted.run(profile, &profiles)),
            BuildOutputKind::Macros => profiles.iter().find_map(|profile| wanted.library(profile)),
        };
        let Some(found) = found else {
            build_output.does_without(cargo, package, what, MissingBuildOutputReason::NotBuilt, platform);
            continue;
        };
        let made = build_output.made.entry(package).or_default();
        build_output.looked_at.insert(found.path.clone());
        let inputs = match what {
            BuildOutputKind::BuildScript => {
                let text = read::read_text(&found.path, MAX_MANIFEST).unwrap_or_default();
                made.read_output(&text);
                made.write_to(found.path.with_file_name("out"));
                let again = reruns(&text).map(|path| wanted.folder.join(path));
                let again: Vec<PathBuf> = again.collect();
                let all = again.is_empty() && !text.contains("rerun-if-env-changed");
                found.inputs.into_iter().chain(if all { vec![wanted.folder.clone()] } else { again }).collect()
            }
            BuildOutputKind::Macros => {
                made.library = absolute(&found.path);
                found.inputs
            }
        };
        // Downloaded packages do not change.
        if cargo[package].is_local {
            let newer = newer_than(modified(&found.path), &inputs, &mut build_output.looked_at);
            if let Some(newer) = newer {
                build_output.lacks(cargo, package, what, MissingBuildOutputReason::Older(shown(&newer, cargo)));
            }
        }
    }
    build_output
}

impl PackageBuildOutput {
    /// Adds its cfgs and variables to a crate.
    pub(super) fn add_to(&self, krate: &mut CrateBuilder) {
        krate.cfg_options.extend(self.cfgs.iter().cloned());
        self.variables.iter().for_each(|(name, value)| krate.env.set(name, value.clone()));
    }

    /// The output of a script that was interpreted.
    fn interpreted(output: ScriptOutput) -> PackageBuildOutput {
        let mut made = PackageBuildOutput { written: output.written, ..PackageBuildOutput::default() };
        made.read_output(&output.printed);
        made.write_to(PathBuf::from(output.out_dir));
        made
    }

    /// What a build script printed (the Cargo Book, "Outputs of the build script").
    fn read_output(&mut self, text: &str) {
        for (key, value) in text.lines().filter_map(directive) {
            match key {
                "rustc-cfg" => self.cfgs.extend(cfg(value)),
                "rustc-env" => {
                    self.variables
                        .extend(value.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
                }
                _ => {}
            }
        }
    }

    /// The folder that the build script wrote to.
    pub(super) fn write_to(&mut self, folder: PathBuf) {
        if let Some(folder) = absolute(&folder) {
            self.variables.push(("OUT_DIR".to_owned(), folder.to_string()));
            self.out_dir = Some(folder);
        }
    }
}

/// `cargo::key=value`, or the form before 1.77.
fn directive(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("cargo::").or_else(|| line.strip_prefix("cargo:"))?.split_once('=')
}

/// The paths that a build script declares as its dependencies.
fn reruns(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(directive).filter(|(key, _)| *key == "rerun-if-changed").map(|(_, path)| path)
}

/// `name`, or `key="value"`.
pub(super) fn cfg(text: &str) -> Option<CfgAtom> {
    match text.split_once('=') {
        None => Some(CfgAtom::Flag(Symbol::intern(text.trim()))),
        Some((key, value)) => {
            let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
            Some(CfgAtom::KeyValue { key: Symbol::intern(key.trim()), value: Symbol::intern(value) })
        }
    }
}

/// The units of a profile, by name: those with a fingerprint.
struct Profile {
    folder: PathBuf,
    units: Vec<String>,
}

impl Profile {
    fn read(folder: PathBuf) -> Profile {
        let entries = fs::read_dir(folder.join(".fingerprint")).into_iter().flatten().flatten();
        let mut units: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        units.sort();
        Profile { folder, units }
    }

    /// The units of a package, by name only: package and hash.
    fn units_of<'a>(&'a self, package: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.units.iter().filter_map(move |unit| {
            let hash = unit.strip_prefix(package)?.strip_prefix('-')?;
            let is_hash = hash.len() == 16 && hash.bytes().all(|it| it.is_ascii_hexdigit());
            is_hash.then_some((unit.as_str(), hash))
        })
    }

    fn fingerprint(&self, unit: &str, file: &str) -> Option<String> {
        read::read_text(&self.folder.join(".fingerprint").join(unit).join(file), MAX_MANIFEST).ok()
    }
}

/// A unit that was found.
struct FoundUnit {
    has_right_features: bool,
    changed: Option<SystemTime>,
    /// The output of a build script, or a library.
    path: PathBuf,
    /// The sources that it was built from.
    inputs: Vec<PathBuf>,
}

/// A target of a package whose unit is looked up.
struct WantedUnit<'a> {
    package: &'a str,
    /// The package's folder.
    folder: PathBuf,
    features: BTreeSet<&'a str>,
    target: &'a TargetData,
    /// The base of relative paths in `.d` files: the folder in which cargo runs rustc.
    base: &'a Path,
}

impl<'a> WantedUnit<'a> {
    fn new(cargo: &'a CargoWorkspace, package: Package, target: &'a TargetData) -> WantedUnit<'a> {
        let data = &cargo[package];
        let manifest: &Path = data.manifest.as_ref();
        let folder = manifest.parent().unwrap_or(manifest).to_owned();
        let features = data.active_features.iter().map(String::as_str).collect();
        WantedUnit { package: &data.name, folder, features, target, base: cargo.workspace_root().as_ref() }
    }

    /// The output of the build script's last run.
    fn run(&self, profile: &Profile, profiles: &[Profile]) -> Option<FoundUnit> {
        let name = &self.target.name;
        let found = profile.units_of(self.package).filter_map(|(unit, _)| {
            let run = profile.fingerprint(unit, &format!("run-build-script-{name}.json"))?;
            let run: Value = serde_json::from_str(&run).ok()?;
            // `[package, name, is public, fingerprint]`
            let of_script = |it: &Value| it.get(1).and_then(Value::as_str) == Some(&name.replace('-', "_"));
            let script = run.get("deps")?.as_array()?.iter().find(|it| of_script(it))?.get(3)?.as_u64()?;
            let script = script.to_le_bytes().iter().map(|it| format!("{it:02x}")).collect::<String>();
            let own = format!("build-script-{name}");
            // A build script runs on this machine, whatever the platform.
            let (host, script, hash) = profiles.iter().find_map(|host| {
                let mut units = host.units_of(self.package);
                let (unit, hash) = units.find(|(unit, _)| host.fingerprint(unit, &own).as_ref() == Some(&script))?;
                Some((host, unit, hash))
            })?;
            let file = format!("{}-{hash}.d", name.replace('-', "_"));
            let inputs = self.sources(&host.folder.join("build").join(script).join(file))?;
            let path = profile.folder.join("build").join(unit).join("output");
            let has_right_features = self.has_features(&host.fingerprint(script, &format!("{own}.json"))?);
            Some(FoundUnit { has_right_features, changed: Some(modified(&path)?), path, inputs })
        });
        best(found)
    }

    /// The procedural macro library.
    fn library(&self, profile: &Profile) -> Option<FoundUnit> {
        let name = self.target.name.replace('-', "_");
        let found = profile.units_of(self.package).filter_map(|(unit, hash)| {
            let fingerprint = profile.fingerprint(unit, &format!("lib-{}.json", self.target.name))?;
            let folder = profile.folder.join("deps");
            let path = folder.join(format!("{DLL_PREFIX}{name}-{hash}{DLL_SUFFIX}"));
            let inputs = self.sources(&folder.join(format!("{name}-{hash}.d")))?;
            let has_right_features = self.has_features(&fingerprint);
            Some(FoundUnit { has_right_features, changed: Some(modified(&path)?), path, inputs })
        });
        best(found)
    }

    /// The sources in a `.d` file, if the target's own source is among them.
    fn sources(&self, file: &Path) -> Option<Vec<PathBuf>> {
        let text = read::read_text(file, MAX_MANIFEST).ok()?;
        let sources: Vec<PathBuf> = dependencies(&text).into_iter().map(|path| self.base.join(path)).collect();
        let own: &Path = self.target.root.as_ref();
        sources.iter().any(|it| it == own).then_some(sources)
    }

    fn has_features(&self, fingerprint: &str) -> bool {
        let read = || {
            let json: Value = serde_json::from_str(fingerprint).ok()?;
            serde_json::from_str::<Vec<String>>(json.get("features")?.as_str()?).ok()
        };
        read().is_some_and(|found| found.iter().map(String::as_str).collect::<BTreeSet<_>>() == self.features)
    }
}

/// The unit with the right features; if there are several, the newest, then the last by name.
fn best(found: impl Iterator<Item = FoundUnit>) -> Option<FoundUnit> {
    found.max_by_key(|it| (it.has_right_features, it.changed, it.path.clone()))
}

/// The dependencies in the first rule of a `.d` file; a backslash escapes a blank in a path.
fn dependencies(text: &str) -> Vec<String> {
    let Some((_, rest)) = text.lines().next().and_then(|line| line.split_once(": ")) else { return Vec::new() };
    let mut paths: Vec<String> = Vec::new();
    let mut is_going_on = false;
    for part in rest.split(' ') {
        let (text, goes_on) = part.strip_suffix('\\').map_or((part, false), |text| (text, true));
        match paths.last_mut() {
            Some(last) if is_going_on => last.extend([" ", text]),
            _ => paths.push(text.to_owned()),
        }
        is_going_on = goes_on;
    }
    paths.retain(|it| !it.is_empty());
    paths
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// The first file that is newer than the output: one of `inputs`, or in one of its folders.
fn newer_than(made: Option<SystemTime>, inputs: &[PathBuf], looked_at: &mut BTreeSet<PathBuf>) -> Option<PathBuf> {
    let mut rest: Vec<PathBuf> = inputs.to_vec();
    let mut newer = None;
    while let Some(path) = rest.pop() {
        looked_at.insert(path.clone());
        if path.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            let is_source = |name: &str| name != "target" && !name.starts_with('.');
            let mut inside: Vec<PathBuf> = entries
                .filter(|entry| entry.file_name().to_str().is_some_and(is_source))
                .map(|entry| entry.path())
                .collect();
            inside.sort();
            rest.extend(inside);
        } else if newer.is_none() && modified(&path) > made {
            newer = Some(path);
        }
    }
    newer
}

/// A path relative to the workspace.
fn shown(path: &Path, cargo: &CargoWorkspace) -> String {
    let root: &Path = cargo.workspace_root().as_ref();
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

fn absolute(path: &Path) -> Option<AbsPathBuf> {
    AbsPathBuf::try_from(path.to_str()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_build_scripts() {
        let mut made = PackageBuildOutput::default();
        made.read_output(
            "note\ncargo:rustc-cfg=a\ncargo::rustc-cfg=b=\"c d\"\ncargo:rustc-cfg=e=f\ncargo::rustc-env=A=b=c\ncargo:rerun-if-changed=x\n",
        );
        let cfgs: Vec<String> = made.cfgs.iter().map(ToString::to_string).collect();
        assert_eq!(cfgs, ["a", "b = \"c d\""]);
        assert_eq!(made.variables, [("A".to_owned(), "b=c".to_owned())]);
    }

    #[test]
    fn rules_of_make() {
        let text = "/t/liba.so: src/lib.rs a\\ b/c\\ \\ d.rs /e.rs\n\n/t/a.d: src/lib.rs\n";
        assert_eq!(dependencies(text), ["src/lib.rs", "a b/c  d.rs", "/e.rs"]);
    }
}
