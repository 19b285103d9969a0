//! The programs of packages with locked dependencies: `packages/<package>/src/bin/<name>.rs`. They are interpreted from
//! source; nothing is built. A package's `known.txt` names those whose output is known to differ.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Failed, Trial};
use tsvd_check::Programs;

use super::{KNOWN_STEPS, check, collect, still_wrong};

/// A package that is loaded when the first of its programs is interpreted.
struct Package {
    folder: PathBuf,
    programs: OnceLock<Result<Programs, String>>,
}

/// One trial for each program of each package.
pub(super) fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fidelity/packages");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&root)
        .unwrap_or_else(|error| panic!("{}: {error}", root.display()))
        .map(|entry| entry.expect("readable folder").path())
        .collect();
    folders.sort();
    folders.into_iter().flat_map(of_package).collect()
}

fn of_package(folder: PathBuf) -> Vec<Trial> {
    let package = folder.file_name().expect("it has a name").to_string_lossy().into_owned();
    let known = std::fs::read_to_string(folder.join("known.txt")).unwrap_or_default();
    let mut sources = Vec::new();
    collect(&folder.join("src/bin"), &mut sources);
    sources.sort();
    let names: Vec<String> =
        sources.iter().map(|it| it.file_stem().expect("a file").to_string_lossy().into_owned()).collect();
    for name in known.lines() {
        assert!(names.iter().any(|it| it == name), "{}: known.txt names `{name}`", folder.display());
    }
    let shared = Arc::new(Package { folder, programs: OnceLock::new() });
    let trial = |(name, source): (String, PathBuf)| {
        let shared = shared.clone();
        if known.lines().any(|it| it == name) {
            Trial::test(format!("known::packages::{package}::{name}"), move || {
                still_wrong(&shared.programs()?.interpret_at_most(&source, KNOWN_STEPS), &source)
            })
        } else {
            Trial::test(format!("packages::{package}::{name}"), move || {
                check(&shared.programs()?.interpret(&source), &source)
            })
        }
    };
    names.into_iter().zip(sources).map(trial).collect()
}

impl Package {
    fn programs(&self) -> Result<&Programs, Failed> {
        self.programs.get_or_init(|| load(&self.folder)).as_ref().map_err(Into::into)
    }
}

fn load(folder: &Path) -> Result<Programs, String> {
    fetch(folder)?;
    let programs = Programs::load_package(folder).map_err(|error| error.to_string())?;
    match programs.missing_dependencies().as_slice() {
        [] => Ok(programs),
        missing => Err(format!("{}: not there: {}", folder.display(), missing.join(", "))),
    }
}

/// Has cargo download what the package's lock file names, unless it is there. Packages for other platforms are not.
fn fetch(folder: &Path) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let manifest = folder.join("Cargo.toml");
    let fetch = |offline: &[&str]| {
        Command::new(&cargo)
            .args(["fetch", "--quiet", "--locked", "--target", "x86_64-unknown-linux-gnu", "--manifest-path"])
            .arg(&manifest)
            .args(offline)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", cargo.display()))
    };
    if fetch(&["--offline"])?.status.success() {
        return Ok(());
    }
    let output = fetch(&[])?;
    if output.status.success() {
        return Ok(());
    }
    let manifest = manifest.display();
    let why = String::from_utf8_lossy(&output.stderr);
    Err(format!("dependencies are missing: `cargo fetch --locked --manifest-path {manifest}` gets them\n{why}"))
}
