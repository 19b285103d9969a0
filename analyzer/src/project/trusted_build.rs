//! `cargo check`, run for its output: it runs build scripts and builds procedural macros. Always offline.

use super::{
    LoadError, LoadOptions, UnusedKeys,
    build_output::{self, BuildOutput, cfg},
    platform::Platform,
    tools::Tools,
    trust::{BuildOutputKind, MissingBuildOutputReason},
};
use crate::escape;
use cargo_metadata::{Message, TargetKind};
use ra_ap_paths::AbsPathBuf;
use ra_ap_project_model::{CargoWorkspace, Package};
use rustc_hash::FxHashMap;
use std::{collections::BTreeSet, env::consts::DLL_SUFFIX, path::Path};

/// Announces what a build will run, before it runs.
pub(super) fn announce(
    tools: &Tools,
    manifest: &Path,
    options: &LoadOptions,
    platform: &Platform,
) -> Result<(), LoadError> {
    let Some(announce) = options.announce else { return Ok(()) };
    let mut text = format!("`--trusted`: runs `cargo check` in {}", escape::path(&tools.from));
    // If cargo refuses, the error is reported when it runs again.
    if let Ok(metadata) = tools.metadata(manifest, &platform.triple, &options.features.options())? {
        let of = |is_it: fn(&TargetKind) -> bool| {
            let has = |it: &&cargo_metadata::Package| it.targets.iter().any(|it| it.kind.iter().any(is_it));
            let names: BTreeSet<String> =
                metadata.packages.iter().filter(has).map(|it| format!("`{}`", it.name)).collect();
            Vec::from_iter(names).join(", ")
        };
        let scripts = of(|it| *it == TargetKind::CustomBuild);
        let macros = of(|it| *it == TargetKind::ProcMacro);
        for (what, names) in [("build scripts", scripts), ("procedural macros", macros)] {
            if !names.is_empty() {
                text.push_str(&format!("; this runs the {what} of {names}"));
            }
        }
    }
    for UnusedKeys { file, keys } in &tools.configuration.unused {
        text.push_str(&format!("; it also obeys these keys of {}: {}", escape::path(file), keys.join(", ")));
    }
    announce(&text);
    Ok(())
}

/// Builds, and returns the output. An error in the program itself does not prevent that.
pub(super) fn made(
    tools: &Tools,
    cargo: &CargoWorkspace,
    packages: &[Package],
    options: &LoadOptions,
    platform: &Platform,
    folder: &Path,
) -> Result<BuildOutput, LoadError> {
    let mut command = tools.cargo();
    command
        .args([
            "check",
            "--offline",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--keep-going",
            "--message-format=json",
        ])
        .args(options.features.options())
        .args(platform.is_named.then(|| format!("--target={}", platform.triple)))
        .arg("--manifest-path")
        .arg(cargo.manifest_path());
    let output = command.output().map_err(LoadError::NoCargo)?;
    // Its inputs are found in the same way as for an existing build.
    let mut build_output = build_output::left(cargo, packages, folder, "debug", platform);
    let by_id: FxHashMap<&str, Package> = cargo.packages().map(|it| (cargo[it].id.repr.as_str(), it)).collect();
    let mut built = Vec::new();
    for message in Message::parse_stream(output.stdout.as_slice()).filter_map(Result::ok) {
        match message {
            Message::BuildScriptExecuted(script) => {
                let Some(&package) = by_id.get(script.package_id.repr.as_str()) else { continue };
                let made = build_output.made.entry(package).or_default();
                made.cfgs = script.cfgs.iter().filter_map(|it| cfg(it)).collect();
                made.variables = script.env;
                made.write_to(script.out_dir.into_std_path_buf());
                built.push((cargo[package].name.as_str(), BuildOutputKind::BuildScript));
            }
            Message::CompilerArtifact(artifact) if artifact.target.kind.contains(&TargetKind::ProcMacro) => {
                let Some(&package) = by_id.get(artifact.package_id.repr.as_str()) else { continue };
                let library = artifact.filenames.into_iter().find(|it| it.as_str().ends_with(DLL_SUFFIX));
                let Some(library) = library.and_then(|it| AbsPathBuf::try_from(it).ok()) else { continue };
                build_output.made.entry(package).or_default().library = Some(library);
                built.push((cargo[package].name.as_str(), BuildOutputKind::Macros));
            }
            _ => {}
        }
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let says = errors.trim().trim_start_matches("error: ").lines().next().unwrap_or_default();
    build_output.unbuilt.retain_mut(|it| {
        // cargo has rebuilt what was out of date.
        if built.iter().any(|(name, what)| it.package == *name && it.what == *what) {
            return false;
        }
        if it.why == MissingBuildOutputReason::NotBuilt && !output.status.success() && !says.is_empty() {
            it.why = MissingBuildOutputReason::Unusable(format!("cargo says: {says}"));
        }
        true
    });
    Ok(build_output)
}
