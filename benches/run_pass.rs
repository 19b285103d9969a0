//! rustc's own tests as an oracle: programs that say `//@ run-pass` end with status 0, or rustc is wrong. Interprets each of a
//! checkout's `tests/ui` once; a line for each that does not end so, then how many passed, are unknown or failed.
//!
//! `cargo bench --bench run_pass -- FOLDER`, where FOLDER is `tests/ui` of rustc's sources, or a part of it. Of another version
//! than the toolchain's some tests are out of date: what does not pass is compiled and run, and if rustc's own program does not
//! end with 0 either, nobody is judged by it. Left out are tests that ask for unstable features, other crates or other compilers.

use std::{
    collections::BTreeMap,
    fmt::Arguments,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    sync::Mutex,
};
use tsvd_check::{Interpreted, Programs};

/// Programs over one std: their code is let go with it.
const BATCH: usize = 100;
/// Which of them are interpreted at once.
const THREADS: usize = 2;

/// What a test's text has if it is none for this program and a stable compiler.
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

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Passed,
    Unknown,
    Failed,
    NotJudged,
}

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args().skip(1).filter(|arg| arg != "--bench").map(PathBuf::from).collect();
    if folders.is_empty() {
        complain(format_args!("say where rustc's `tests/ui` is: cargo bench --bench run_pass -- FOLDER"));
        return ExitCode::from(2);
    }
    let mut tests = Vec::new();
    for folder in &folders {
        if let Err(error) = collect(folder, &mut tests) {
            complain(format_args!("{}: {error}", folder.display()));
            return ExitCode::from(2);
        }
    }
    tests.sort();
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for batch in tests.chunks(BATCH) {
        let programs = match Programs::load(batch) {
            Ok(programs) => programs,
            Err(error) => {
                complain(format_args!("{error}"));
                return ExitCode::from(2);
            }
        };
        for (test, verdict, why) in judge_all(&programs, batch) {
            *counts.entry(verdict).or_default() += 1;
            let word = match verdict {
                Verdict::Passed => continue,
                Verdict::Unknown => "unknown",
                Verdict::Failed => "failed",
                Verdict::NotJudged => "not judged",
            };
            say(format_args!("{word}\t{}\t{why}", test.display()));
        }
    }
    let count = |verdict| counts.get(&verdict).copied().unwrap_or(0);
    say(format_args!(
        "{} passed, {} unknown, {} failed, {} not judged",
        count(Verdict::Passed),
        count(Verdict::Unknown),
        count(Verdict::Failed),
        count(Verdict::NotJudged)
    ));
    if count(Verdict::Failed) > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn say(line: Arguments<'_>) {
    // Who does not read it to its end has seen enough.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

fn complain(line: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
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

/// Each test with what became of it, in their order.
fn judge_all<'a>(programs: &Programs, tests: &'a [(PathBuf, String)]) -> Vec<(&'a Path, Verdict, String)> {
    let (next, done) = (Mutex::new(tests.iter().enumerate()), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let taken = next.lock().expect("nobody panics with it").next();
                    let Some((number, (path, edition))) = taken else { break };
                    let (verdict, why) = judge(&programs.interpret(path), path, edition);
                    done.lock().expect("nobody panics with it").insert(number, (path.as_path(), verdict, why));
                }
            });
        }
    });
    done.into_inner().expect("nobody panics with it").into_values().collect()
}

fn judge(got: &Interpreted, path: &Path, edition: &str) -> (Verdict, String) {
    if got.status == 0 && got.uninterpreted.is_none() {
        return (Verdict::Passed, String::new());
    }
    if !passes_compiled(path, edition) {
        return (Verdict::NotJudged, "rustc's own program does not end with 0".into());
    }
    match &got.uninterpreted {
        Some(why) => (Verdict::Unknown, why.clone()),
        None => {
            let said = String::from_utf8_lossy(&got.stderr).lines().take(3).collect::<Vec<_>>().join(" ");
            (Verdict::Failed, format!("status {}: {said}", got.status))
        }
    }
}

/// Whether rustc compiles it to a program that ends with status 0.
fn passes_compiled(path: &Path, edition: &str) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let program = folder.path().join("program");
    let quiet = |command: &mut Command| {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.current_dir(folder.path()).status().is_ok_and(|status| status.success())
    };
    let Ok(path) = path.canonicalize() else { return false };
    quiet(Command::new("rustc").args(["--edition", edition, "--cap-lints=allow", "-o"]).arg(&program).arg(path))
        && quiet(Command::new("timeout").arg("20").arg(&program))
}
