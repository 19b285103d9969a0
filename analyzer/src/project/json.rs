//! Loads crates that another build system describes in a `rust-project.json`. Of the programs and libraries that it
//! names, only procedural macro libraries may run, if that is allowed. The std that it names is not used.

use super::{
    LoadError, LoadOptions, LoadedProject, OwnFolders, ProgramKind, Target, Tests, Trust, cargo, files, macros,
    platform::{HOST, Platform},
    read::{self, MAX_MANIFEST},
    test_entries,
    tools::Tools,
    trust::{BuildOutputKind, MissingBuildOutput, MissingBuildOutputReason},
};
use crate::{
    escape,
    std_tree::{self, StdCrates},
    workarounds::{cfg_rust_analyzer, crate_graphs},
};
use ra_ap_base_db::{CrateOrigin, CrateWorkspaceData};
use ra_ap_cfg::CfgAtom;
use ra_ap_intern::Symbol;
use ra_ap_load_cargo::ProjectFolders;
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_project_model::{
    ManifestPath, ProjectJson, ProjectJsonData, ProjectWorkspace, ProjectWorkspaceKind, Sysroot,
};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Fields that name a program to run, or another std.
const NOT_USED: [&str; 6] = ["sysroot", "sysroot_src", "sysroot_project", "runnables", "build", "target"];

/// What is used of a crate's description beyond what rust-analyzer reads.
struct CrateDescription {
    /// From the file, or from the root module.
    name: String,
    root: AbsPathBuf,
    starts: ProgramKind,
    platform: Platform,
    /// Set for a procedural macro crate: its library, if given.
    macros: Option<Option<AbsPathBuf>>,
    version: Option<String>,
}

pub(super) fn load(path: &Path, looked_at: &[PathBuf], options: &LoadOptions) -> Result<LoadedProject, LoadError> {
    let absolute = files::absolute(path)?;
    let broken = |message: String| LoadError::BrokenProject(path.to_owned(), message);
    if options.features != super::Features::default() {
        return Err(LoadError::NoFeatures(path.to_owned()));
    }
    if options.trust == Trust::Trusted {
        return Err(broken("it does not say how to build what is missing; leave `--trusted` out".to_owned()));
    }
    let text = read::read_text(path, MAX_MANIFEST)?;
    let base = absolute.parent().unwrap_or(&absolute).to_path_buf();
    let own = OwnFolders::new([AsRef::<Path>::as_ref(&base)]);
    // Messages quote what is wrong in the file.
    if !own.have(absolute.as_ref()) {
        return Err(LoadError::LeavesProject(path.to_owned()));
    }
    // Parsed from the text, not from the value, so that errors have a line.
    serde_json::from_str::<ProjectJsonData>(&text).map_err(|error| broken(error.to_string()))?;
    let mut value: Value = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
    let described = described(&value, &base, options).map_err(|error| match error {
        DescriptionError::Here(message) => broken(message),
        DescriptionError::Platform(error) => error,
    })?;
    without(&mut value);
    let data: ProjectJsonData = serde_json::from_value(value).map_err(|error| broken(error.to_string()))?;
    let manifest = ManifestPath::try_from(absolute.clone()).ok();
    let workspace = ProjectWorkspace {
        kind: ProjectWorkspaceKind::Json(ProjectJson::new(manifest, &base, data)),
        sysroot: Sysroot::empty(),
        // Each crate has its own platform's cfgs, below.
        rustc_cfg: Vec::new(),
        toolchain: Some(cargo::TOOLCHAIN),
        target: Ok(std_tree::target()),
        cfg_overrides: cfg_rust_analyzer::removed(),
        extra_includes: Vec::new(),
        set_test: false,
    };
    let ProjectWorkspaceKind::Json(project) = &workspace.kind else { return Err(broken(String::new())) };

    let packages = described.iter().filter_map(|it| package_folder(it.root.as_ref()));
    let mut sources = files::Files::with_std().within(own.with_packages(packages));
    looked_at.iter().for_each(|path| sources.looks_at(path));
    let (graph, _) = workspace.to_crate_graph(&mut |path: &AbsPath| sources.read_root(path), &FxHashMap::default());
    let data = CrateWorkspaceData { target: Ok(std_tree::target()), toolchain: Some(cargo::TOOLCHAIN) };
    let ids: Vec<_> = graph.iter().collect();
    let members: Vec<bool> = project.crates().map(|(_, krate)| krate.is_workspace_member).collect();
    if ids.len() != described.len() {
        return Err(broken("a root module cannot be read".to_owned()));
    }
    let number = |id| ids.iter().position(|it| *it == id).unwrap_or_default();
    let mut graph = crate_graphs::changed(&graph, &data, |id, krate| {
        let number = number(id);
        krate.cfg_options.extend(described[number].platform.cfg.iter().cloned());
        let name = Symbol::intern(&described[number].name);
        // rust-analyzer treats all crates of such a file as the user's.
        krate.basic.origin = match members[number] {
            true => CrateOrigin::Local { repo: None, name: Some(name) },
            false => CrateOrigin::Library { repo: None, name },
        };
    });

    let allowed = options.trust.uses_builds_of(base.as_ref());
    let mut unbuilt = Vec::new();
    let mut libraries = Vec::new();
    for (krate, id) in described.iter().zip(&ids) {
        let Some(path) = &krate.macros else { continue };
        let mut lacks =
            |why| unbuilt.push(MissingBuildOutput { why, what: BuildOutputKind::Macros, package: krate.name.clone() });
        let path = match path {
            _ if let Err(why) = &allowed => {
                lacks(why.clone());
                None
            }
            None => {
                lacks(MissingBuildOutputReason::Unusable("the project's file names no library of it".to_owned()));
                None
            }
            Some(path) => {
                sources.looks_at(path.as_ref());
                let is_there = AsRef::<Path>::as_ref(path).is_file();
                if !is_there {
                    lacks(MissingBuildOutputReason::Unusable(format!("there is no {}", escape::path(path.as_ref()))));
                }
                is_there.then(|| path.clone())
            }
        };
        libraries.push(macros::Library {
            krate: *id,
            package: krate.name.clone(),
            version: krate.version.as_ref().and_then(|it| it.parse().ok()),
            macros: macros::defined(krate.root.as_ref()),
            cargo: None,
            path,
        });
    }
    let tools = Tools::without_cargo(options).building_in(base.as_ref());
    let macros = macros::load(&libraries, &base, &tools, &mut unbuilt, None);
    let std = StdCrates::add(&mut graph, &data, &|path| sources.std_file(path));
    ids.iter().for_each(|krate| std.inject(&mut graph, *krate));
    sources.add_folders(&ProjectFolders::new(std::slice::from_ref(&workspace), &[], None), &base);
    for (krate, id) in described.iter().zip(&ids) {
        if !sources.has(graph[*id].basic.root_file_id) {
            let CrateDescription { name, root, .. } = krate;
            let root = escape::path(root.as_ref());
            return Err(broken(format!("the root module of crate `{name}`, {root}, is not in its `source` folders")));
        }
    }

    let is_test = |id| graph[id].cfg_options.check_atom(&CfgAtom::Flag(Symbol::intern("test")));
    let mut targets: Vec<Target> = Vec::new();
    let mut twins = Vec::new();
    for ((krate, id), _) in described.iter().zip(&ids).zip(&members).filter(|(_, is_member)| **is_member) {
        let root = graph[*id].basic.root_file_id;
        // A file may describe a crate a second time, as its tests are built; both are the same crate.
        if !is_test(*id) && !ids.iter().any(|it| is_test(*it) && graph[*it].basic.root_file_id == root) {
            twins.push(*id);
        }
        match targets.iter_mut().find(|it| it.root == root) {
            Some(known) => known.starts = known.starts.max(krate.starts),
            None => targets.push(Target {
                is_library: false,
                name: krate.name.clone(),
                package: Some(krate.name.clone()),
                root,
                starts: krate.starts,
                tests: Tests::Functions,
            }),
        }
    }
    if options.tests {
        for krate in twins {
            test_entries::add(&mut graph, krate, &[], &data);
        }
    }
    unbuilt.sort();
    let platforms = described.iter().filter(|it| it.macros.is_none()).map(|it| it.platform.triple.clone());
    let platforms = platforms.filter(|it| it != HOST).collect::<BTreeSet<_>>().into_iter().collect();
    let unused = tools.configuration.unused;
    Ok(LoadedProject { macros, targets, unbuilt, unused, platforms, ..LoadedProject::new(sources, graph) })
}

/// The folder of a crate with this root: around `src`, if there is a manifest.
fn package_folder(root: &Path) -> Option<&Path> {
    let folder = root.parent()?;
    let around = folder.parent().filter(|it| it.join("Cargo.toml").is_file());
    Some(around.unwrap_or(folder))
}

/// Removes the fields that are not used.
fn without(value: &mut Value) {
    strip(value);
    value.get_mut("crates").and_then(Value::as_array_mut).into_iter().flatten().for_each(strip);
}

fn strip(value: &mut Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|name, _| !NOT_USED.contains(&name.as_str()));
    }
}

/// An error in a description.
enum DescriptionError {
    Here(String),
    Platform(LoadError),
}

/// Each crate, in the file's order.
fn described(value: &Value, base: &AbsPath, options: &LoadOptions) -> Result<Vec<CrateDescription>, DescriptionError> {
    let tools = Tools::without_cargo(options);
    let crates = value["crates"].as_array().map(Vec::as_slice).unwrap_or_default();
    let usual = Platform::of(options.target.as_deref(), &tools).map_err(DescriptionError::Platform)?;
    let mut platforms = FxHashMap::default();
    let mut found = Vec::new();
    for (number, krate) in crates.iter().enumerate() {
        let text = |field: &str| krate[field].as_str();
        let root = text("root_module").unwrap_or_default();
        let stem = Path::new(root).file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        // Names start the lines of summaries.
        let name = escape::line(text("display_name").unwrap_or(stem)).into_owned();
        let wrong = |message: String| DescriptionError::Here(format!("crate `{name}` (number {number}) {message}"));
        let root = base.absolutize(root);
        if !AsRef::<Path>::as_ref(&root).is_file() {
            return Err(wrong(format!(
                "has no file {}: its `root_module` is given relative to {base}",
                escape::path(root.as_ref())
            )));
        }
        for dependency in krate["deps"].as_array().into_iter().flatten() {
            let to = dependency["crate"].as_u64().unwrap_or_default();
            if to >= crates.len() as u64 {
                let name = dependency["name"].as_str().unwrap_or_default();
                let last = crates.len() - 1;
                return Err(wrong(format!("depends on `{name}`, number {to}: the last number is {last}")));
            }
        }
        for group in krate["cfg_groups"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if value["cfg_groups"].get(group).is_none() {
                return Err(wrong(format!("has the cfgs of `{group}`: `cfg_groups` has no such group")));
            }
        }
        let platform = match text("target") {
            None => usual.clone(),
            Some(triple) => match platforms.get(triple) {
                Some(known) => Platform::clone(known),
                None => {
                    let platform = Platform::of(Some(triple), &tools).map_err(DescriptionError::Platform)?;
                    platforms.insert(triple.to_owned(), platform.clone());
                    platform
                }
            },
        };
        let starts = match krate["build"]["target_kind"].as_str() {
            Some("bin") => ProgramKind::Program,
            Some(_) => ProgramKind::Never,
            None => ProgramKind::Perhaps,
        };
        let library = || text("proc_macro_dylib_path").map(|path| base.absolutize(path));
        let macros = krate["is_proc_macro"].as_bool().unwrap_or_default().then(library);
        let version = text("version").map(str::to_owned);
        found.push(CrateDescription { name, root, starts, platform, macros, version });
    }
    if let Some(number) = in_a_circle(crates) {
        let name = &found[number].name;
        return Err(DescriptionError::Here(format!(
            "crate `{name}` (number {number}) depends on itself, through its `deps`"
        )));
    }
    Ok(found)
}

/// The index of a crate that depends on itself.
fn in_a_circle(crates: &[Value]) -> Option<usize> {
    let needs = |number: usize| {
        let all = crates[number]["deps"].as_array().into_iter().flatten();
        all.filter_map(|it| usize::try_from(it["crate"].as_u64()?).ok())
    };
    (0..crates.len()).find(|&number| {
        let mut reached: Vec<usize> = needs(number).collect();
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            let new: Vec<_> = needs(at).filter(|it| !reached.contains(it)).collect();
            reached.extend(new);
        }
        reached.contains(&number)
    })
}
