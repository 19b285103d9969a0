//! The hook for pre-commit, run by the real program.

use crate::support::{Folder, run};
use std::{ffi::OsString, path::Path, process::Command};

const MANIFEST: &str = "[package]\nname = \"shop\"\nedition = \"2024\"\n";
const RACE: &str = "static mut N: u32 = 0;\nfn main() {\n    let other = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    other.join().unwrap();\n}\n";
const QUIET: &str = "fn main() {\n    std::thread::spawn(|| ()).join().unwrap();\n}\n";

fn git(folder: &Path, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]);
    let (stdout, stderr, status) = run({
        git.args(args).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
        git
    });
    assert_eq!(status, 0, "git {args:?}: {stdout}{stderr}");
    stdout.trim().to_owned()
}

/// The repository of the hook and one that uses it.
fn repositories() -> Folder {
    let hooks = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let hooks = std::fs::read_to_string(hooks).unwrap();
    let folder = Folder::new(&[
        ("hooks/.pre-commit-hooks.yaml", &hooks),
        ("shop/Cargo.toml", MANIFEST),
        ("shop/src/main.rs", RACE),
        ("shop/README.md", "A shop.\n"),
    ]);
    for name in ["hooks", "shop"] {
        let path = folder.path().join(name);
        git(&path, &["init", "--quiet"]);
        git(&path, &["add", "."]);
        git(&path, &["commit", "--quiet", "--message=first"]);
    }
    let rev = git(&folder.path().join("hooks"), &["rev-parse", "HEAD"]);
    let repo = folder.path().join("hooks").display().to_string();
    let config = format!("repos:\n  - repo: {repo}\n    rev: {rev}\n    hooks:\n      - id: tsvd-check\n");
    folder.write("shop/.pre-commit-config.yaml", config.as_bytes());
    git(&folder.path().join("shop"), &["add", "."]);
    folder
}

/// What pre-commit prints for what is staged, and its status; `None` if `PRE_COMMIT` does not name it, as outside of
/// `.ci/run`.
fn pre_commit(folder: &Folder, args: &[&str]) -> Option<(String, i32)> {
    let mut command = Command::new(std::env::var_os("PRE_COMMIT")?);
    let program = Path::new(env!("CARGO_BIN_EXE_tsvd-check")).parent().unwrap();
    let mut path = OsString::from(program);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    command.arg("run").args(args).current_dir(folder.path().join("shop")).env("PATH", path);
    for (name, value) in
        [("PRE_COMMIT_HOME", ".pre-commit"), ("XDG_CACHE_HOME", ".cache"), ("XDG_CONFIG_HOME", ".config")]
    {
        command.env(name, folder.path().join(value));
    }
    command.env_remove("CARGO").env("GIT_CONFIG_GLOBAL", "/dev/null").env("PRE_COMMIT_COLOR", "never");
    let (stdout, stderr, status) = run(command);
    Some((stdout + &stderr, status))
}

#[test]
fn a_finding_stops_the_commit() {
    let folder = repositories();
    let Some((text, status)) = pre_commit(&folder, &["--all-files"]) else { return };
    assert!(text.contains("Failed") && text.contains("src/main.rs:3:") && status == 1, "{text}");
    assert!(text.contains("error[data-race]"), "{text}");
    folder.write("shop/src/main.rs", QUIET.as_bytes());
    git(&folder.path().join("shop"), &["add", "."]);
    let (text, status) = pre_commit(&folder, &[]).unwrap();
    assert!(text.contains("Passed") && status == 0, "{text}");
    // What touches no Rust is not checked.
    git(&folder.path().join("shop"), &["commit", "--quiet", "--message=second"]);
    folder.write("shop/README.md", b"A better shop.\n");
    git(&folder.path().join("shop"), &["add", "."]);
    let (text, status) = pre_commit(&folder, &[]).unwrap();
    assert!(text.contains("Skipped") && status == 0, "{text}");
}
