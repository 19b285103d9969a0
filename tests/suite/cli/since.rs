//! `--since`: only findings that touch what has changed count, and the repository starts no program.

use crate::support::{Folder, run};
use std::process::Command;

const COUNT: &str = "\
use std::sync::Mutex;

static LOCK: Mutex<()> = Mutex::new(());
static mut COUNT: u64 = 0;
static mut TOTAL: u64 = 0;

fn count() {
    let _guard = LOCK.lock();
    unsafe { COUNT += 1 }
}

fn total() {
    unsafe { TOTAL += 1 }
}

fn main() {
    let worker = std::thread::spawn(|| {
        count();
        total();
    });
    count();
    total();
    worker.join().unwrap();
}
";

/// git as the user runs it in the folder.
fn git(folder: &Folder, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]).args(args);
    command.current_dir(folder.path()).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let (stdout, stderr, status) = run(command);
    assert_eq!(status, 0, "git {args:?}: {stderr}");
    stdout
}

/// A package in a repository, with one commit.
fn repository() -> Folder {
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\nedition = \"2024\"\n"),
        ("src/main.rs", COUNT),
        (".gitignore", ".cache\nCargo.lock\n"),
    ]);
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "first"]);
    folder
}

/// The names of the statics with findings, the end of the summary, and the status.
fn checked(folder: &Folder, text: &str, more: &[&str]) -> (String, String, i32) {
    folder.write("src/main.rs", text.as_bytes());
    let args = ["check", "--format", "short", "--runs", "20", "--since", "HEAD"];
    let (stdout, stderr, status) = folder.output(&[&args, more].concat());
    let found: Vec<&str> = ["COUNT", "TOTAL"].into_iter().filter(|it| stdout.contains(&format!("`{it}`"))).collect();
    (found.join(" "), stderr, status)
}

#[test]
fn only_what_touches_a_change_counts() {
    let folder = repository();
    let (found, stderr, status) = checked(&folder, COUNT, &[]);
    assert_eq!((found.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("1 finding in code that has not changed (`--since`)"), "{stderr}");
    for (from, to, expected) in [
        // A line is removed, one is added elsewhere, a declaration and a caller change.
        ("    let _guard = LOCK.lock();\n", "", "COUNT"),
        ("TOTAL += 1 }", "TOTAL += 2 }", "TOTAL"),
        ("static mut TOTAL: u64", "static mut TOTAL: u32", "TOTAL"),
        ("    count();\n    total();\n", "    total();\n", "TOTAL"),
        ("fn total() {", "fn other() {}\n\nfn total() {", ""),
    ] {
        let text = COUNT.replace(from, to);
        assert_ne!(text, COUNT);
        let (found, stderr, status) = checked(&folder, &text, &[]);
        assert_eq!((found.as_str(), status), (expected, i32::from(!expected.is_empty())), "{from}: {stderr}");
    }
}

#[test]
fn what_git_cannot_find_is_told() {
    let folder = repository();
    let (_, stderr, status) = folder.output(&["check", "--since", "absent"]);
    let why = "there is no such commit here; a shallow clone lacks earlier ones, `git fetch` gets them";
    assert_eq!((stderr, status), (format!("error: cannot compare with `absent`: {why}\n"), 2));
    let (_, stderr, status) = folder.output(&["check", "--since=--help"]);
    assert_eq!((stderr.as_str(), status), ("error: cannot compare with `--help`: it is no name of a commit\n", 2));
    let plain = Folder::new(&[("count.rs", COUNT)]);
    let (_, stderr, status) = plain.output(&["check", "count.rs", "--since", "HEAD"]);
    assert!(status == 2 && stderr.contains("not a git repository"), "{stderr}");
}

/// git would wait for ever for a pipe.
#[test]
#[cfg(unix)]
fn a_pipe_in_place_of_what_git_reads() {
    let folder = repository();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there").success());
    git(&folder, &["config", "include.path", "../pipe"]);
    let (_, stderr, status) = folder.output(&["check", "--since", "HEAD"]);
    assert!(status == 2 && stderr.contains("git does not answer: it did not end within 10 seconds"), "{stderr}");
}

/// The repository's own configuration names programs wherever git runs one.
#[test]
#[cfg(unix)]
fn the_repository_starts_no_program() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = repository();
    let (evil, mark) = (folder.path().join("evil.sh"), folder.path().join("mark"));
    std::fs::write(&evil, format!("#!/bin/sh\ntouch {}\ncat\n", mark.display())).unwrap();
    std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
    let evil = evil.display().to_string();
    folder.write(".gitattributes", b"*.rs diff=evil filter=evil\n");
    std::fs::write(folder.path().join(".git/hooks/post-index-change"), format!("#!/bin/sh\n{evil}\n")).unwrap();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "core.gitProxy",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "credential.helper",
        "gpg.program",
        "core.alternateRefsCommand",
        "remote.origin.uploadpack",
        "alias.rev-parse",
        "alias.cat-file",
        "pager.cat-file",
    ] {
        git(&folder, &["config", key, &evil]);
    }
    // A partial clone whose missing objects would be fetched.
    git(&folder, &["config", "core.repositoryFormatVersion", "1"]);
    git(&folder, &["config", "extensions.partialClone", "origin"]);
    git(&folder, &["config", "remote.origin.promisor", "true"]);
    git(&folder, &["config", "remote.origin.url", &folder.path().join(".git").display().to_string()]);
    let object = git(&folder, &["rev-parse", "HEAD:src/main.rs"]);
    let (start, rest) = object.trim().split_at(2);
    std::fs::remove_file(folder.path().join(".git/objects").join(start).join(rest)).unwrap();
    let (found, stderr, status) = checked(&folder, COUNT, &["--no-cache"]);
    assert!(!mark.exists(), "{stderr}");
    // What cannot be compared counts.
    assert_eq!((found.as_str(), status), ("TOTAL", 1), "{stderr}");
    // The traps are set: another command falls into one.
    let _ = Command::new("git").args(["status"]).current_dir(folder.path()).output().unwrap();
    assert!(mark.exists());
}
