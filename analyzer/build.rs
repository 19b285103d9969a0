//! Packs the building toolchain's std, trimmed, and our replacement crates into one archive that the analyzer embeds
//! (`src/std_tree.rs` unpacks it in memory).

#![forbid(unsafe_code)]

#[path = "embedded/patches.rs"]
mod patches;
#[path = "embedded/trim.rs"]
mod trim;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The sources taken from `library/`.
const STD_SOURCES: &[&str] = &["core/src", "alloc/src", "std/src", "std_detect/src", "unwind/src", "backtrace/src"];

/// Our crates that replace std's dependencies.
const OWN_CRATES: &[&str] = &["hashbrown", "libc", "cfg_if", "rustc_demangle", "proc_macro", "programs"];

/// Folders and files, by stem, that no x86_64 Linux build of std reaches.
const SKIPPED: &[&str] = &[
    "tests",
    "benches",
    "windows",
    "windows_sys",
    "windows_gnu",
    "windows_msvc",
    "windows_prefix",
    "wasi",
    "wasip1",
    "wasip2",
    "wasip3",
    "wasm",
    "uefi",
    "hermit",
    "itron",
    "motor",
    "sgx",
    "fortanix_sgx",
    "solid",
    "xous",
    "zkvm",
    "teeos",
    "trusty",
    "vexos",
    "dbghelp",
    "seh",
    "emcc",
];

fn main() -> ExitCode {
    match pack() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn pack() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=embedded");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let library = toolchain::std_sources()?;
    println!("cargo::rustc-env=STD_COMMIT={}", commit()?);
    println!("cargo::rerun-if-changed={}", library.join("std/src/lib.rs").display());

    let mut files = Vec::new();
    for source in STD_SOURCES {
        collect(&library.join(source), source, &mut files)?;
    }
    for name in OWN_CRATES {
        let source = format!("{name}/src");
        collect(&PathBuf::from("embedded").join(&source), &source, &mut files)?;
    }
    // core contains it as a module.
    collect(Path::new("embedded/core_arch/src"), "stdarch/crates/core_arch/src", &mut files)?;
    // Ours come last in `files`, so that they replace std's files of the same name.
    collect(Path::new("embedded/mpmc"), "std/src/sync/mpmc", &mut files)?;
    collect(Path::new("embedded/harness"), "std/src/harness", &mut files)?;
    let files: BTreeMap<String, PathBuf> = files.into_iter().collect();

    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets no OUT_DIR")?).join("std.tar.lz4");
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", out.display());
    let encoder = lz4_flex::frame::FrameEncoder::new(fs::File::create(&out).map_err(failed)?);
    let mut archive = tar::Builder::new(encoder);
    for (name, path) in &files {
        let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let text = if name.ends_with(".rs") { patched(name, trim::trim(&text))? } else { text };
        // The header has no time and no owner: the same toolchain yields the same bytes.
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).map_err(failed)?;
    }
    archive.into_inner().map_err(failed)?.finish().map(drop).map_err(|error| failed(error.into()))
}

/// The text with the patches that [`patches`] has for the file.
fn patched(name: &str, mut text: String) -> Result<String, String> {
    for (_, from, to) in patches::PATCHES.iter().filter(|(file, ..)| *file == name) {
        if !text.contains(from) {
            return Err(format!("{name} has changed, a patch in embedded/patches.rs does not apply: {from:?}"));
        }
        text = text.replace(from, to);
    }
    Ok(text)
}

/// The commit of the building toolchain: paths of std's files in compiled programs contain it.
fn commit() -> Result<String, String> {
    let version = toolchain::ask_rustc(&["-vV"])?;
    let hash = version.lines().find_map(|line| line.strip_prefix("commit-hash: "));
    Ok(hash.unwrap_or("unknown").to_owned())
}

fn collect(dir: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", dir.display());
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let file_name = path.file_name().and_then(|name| name.to_str()).ok_or("a file name in std is not UTF-8")?;
        let stem = file_name.split('.').next().unwrap_or(file_name);
        if SKIPPED.contains(&stem) {
            continue;
        }
        let name = format!("{name}/{file_name}");
        if path.is_dir() {
            collect(&path, &name, files)?;
        } else if matches!(path.extension().and_then(|extension| extension.to_str()), Some("rs" | "txt" | "in")) {
            files.push((name, path));
        }
    }
    Ok(())
}
