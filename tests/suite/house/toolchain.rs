//! If the toolchain lacks the sources of std, the first build script says how to install them.

use std::path::{Path, PathBuf};
use std::process::Command;

const CHECK: &str = "analyzer/toolchain";

fn rustc() -> PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from)
}

/// The build script, compiled as cargo does: without dependencies.
fn compiled(folder: &Path) -> PathBuf {
    let script = folder.join("build-script");
    let mut command = Command::new(rustc());
    command.args(["--edition", "2024", "-o"]).arg(&script).arg(Path::new(CHECK).join("build.rs"));
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("rustc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    script
}

/// Status and standard output of the build script with this compiler.
fn run(script: &Path, rustc: &Path, toolchain: Option<&str>) -> (Option<i32>, String) {
    let mut command = Command::new(script);
    command.env("RUSTC", rustc).env_remove("RUSTUP_TOOLCHAIN");
    if let Some(name) = toolchain {
        command.env("RUSTUP_TOOLCHAIN", name);
    }
    // rustup may choose the toolchain by folder: this one.
    let output = command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(CHECK)).output();
    let output = output.expect("the script was compiled");
    (output.status.code(), String::from_utf8(output.stdout).expect("only text is printed"))
}

#[test]
#[cfg(unix)]
fn a_toolchain_without_sources_of_std_is_named_with_the_command_to_type() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let script = compiled(folder.path());
    let sysroot = folder.path().join("sysroot");
    let fake = folder.path().join("rustc");
    std::fs::write(&fake, format!("#!/bin/sh\necho '{}'\n", sysroot.display())).expect("the folder is writable");
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).expect("it is ours");

    let (status, text) = run(&script, &fake, Some("1.95.0-x86_64-unknown-linux-gnu"));
    assert_eq!(status, Some(1), "{text}");
    let command = "cargo::error=the toolchain has no sources of std in ";
    assert!(text.lines().any(|line| line.starts_with(command)), "{text}");
    assert!(text.contains("`rustup component add rust-src --toolchain 1.95.0-x86_64-unknown-linux-gnu`"), "{text}");
    let (status, text) = run(&script, &fake, None);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("`rustup component add rust-src`"), "{text}");
    let (status, text) = run(&script, &folder.path().join("nothing"), None);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("cargo::error=cannot run "), "{text}");

    let std = sysroot.join("lib/rustlib/src/rust/library/std/src");
    std::fs::create_dir_all(&std).expect("the folder is writable");
    std::fs::write(std.join("lib.rs"), "").expect("the folder is writable");
    assert_eq!(run(&script, &fake, None).0, Some(0));
}

#[test]
fn the_toolchain_of_this_build_has_the_sources_of_std() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let (status, text) = run(&compiled(folder.path()), &rustc(), None);
    assert_eq!(status, Some(0), "{text}");
}

/// cargo builds a script's dependencies before it runs it, so the check has none and comes first.
#[test]
fn the_check_waits_for_no_package_and_the_packing_waits_for_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a manifest");
    let check = read("analyzer/toolchain/Cargo.toml");
    assert!(!check.contains("dependencies"), "{check}");
    let analyzer = read("analyzer/Cargo.toml");
    let (_, build) = analyzer.split_once("[build-dependencies]").expect("the script packs std with crates");
    assert!(build.contains("toolchain.workspace = true"), "{build}");
}
