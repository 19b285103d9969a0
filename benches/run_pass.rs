//! rustc's own tests as an oracle: programs with `//@ run-pass` end with status 0. Interprets each of a checkout's
//! `tests/ui` once; prints a line for each that does not end so, then how many passed, are unknown or failed.
//!
//! `cargo bench --bench run_pass -- FOLDER`, where FOLDER is `tests/ui` of rustc's sources, or a part of it. If the
//! sources are of another version than the toolchain, some tests are out of date: tests that do not pass are compiled
//! and run, and are ignored if rustc's own program does not end with 0 either. Skipped are tests that need unstable
//! features, other crates or other compilers.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use oracle::{Verdict, compiled, complain, judge_all};
use tsvd_check::ProgramOutput;

mod oracle;

/// Texts in tests that this program and a stable compiler cannot run.
const OTHERS: [&str; 11] = [
    "feature(",
    "aux-build",
    "aux-crate",
    "proc-macro",
    "exec-env",
    "rustc-env",
    "revisions",
    "ignore-test",
    "//@ only-",
    "//@ needs-",
    "asm!",
];

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args().skip(1).filter(|arg| arg != "--bench").map(PathBuf::from).collect();
    if folders.is_empty() {
        return complain(format_args!("say where rustc's `tests/ui` is: cargo bench --bench run_pass -- FOLDER"));
    }
    let mut tests = Vec::new();
    for folder in &folders {
        if let Err(error) = collect(folder, &mut tests) {
            return complain(format_args!("{}: {error}", folder.display()));
        }
    }
    tests.sort();
    judge_all(&tests, |programs, path, edition| judge(&programs.interpret(path), path, edition))
        .unwrap_or_else(|error| complain(format_args!("{error}")))
}

/// The tests below a folder, with their editions.
fn collect(folder: &Path, tests: &mut Vec<(PathBuf, String)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "auxiliary") {
                collect(&path, tests)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && let Ok(text) = std::fs::read_to_string(&path)
            && text.lines().any(|line| line.replace(' ', "") == "//@run-pass")
            && !OTHERS.iter().any(|other| text.contains(other))
        {
            let edition = text.lines().find_map(|line| line.strip_prefix("//@")?.trim().strip_prefix("edition:"));
            tests.push((path, edition.map_or("2015", str::trim).to_owned()));
        }
    }
    Ok(())
}

fn judge(got: &ProgramOutput, path: &Path, edition: &str) -> Verdict {
    if got.status == 0 && got.uninterpreted.is_none() {
        return Verdict::Passed;
    }
    if !compiled(path, edition, 1).is_some_and(|output| output.status.success()) {
        return Verdict::NotJudged("rustc's own program does not end with 0".into());
    }
    match &got.uninterpreted {
        Some(why) => Verdict::Unknown(why.clone()),
        None => {
            let said = String::from_utf8_lossy(&got.stderr).lines().take(3).collect::<Vec<_>>().join(" ");
            Verdict::Failed(format!("status {}: {said}", got.status))
        }
    }
}
