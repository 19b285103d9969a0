//! Shared by the benchmarks whose oracle is rustc: programs over one std, judged in batches on two threads and compared
//! with rustc's own program.

use std::{
    collections::BTreeMap,
    fmt::Arguments,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Output, Stdio},
    sync::Mutex,
};

use tsvd_check::Programs;

/// Number of programs over one std: their code is freed with it.
const BATCH: usize = 100;
/// Number of programs that are interpreted at once.
const THREADS: usize = 2;

/// The verdict on a program, and the reason.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Passed,
    Unknown(String),
    Failed(String),
    NotJudged(String),
}

impl Verdict {
    fn word(&self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Unknown(_) => "unknown",
            Verdict::Failed(_) => "failed",
            Verdict::NotJudged(_) => "not judged",
        }
    }
}

/// Judges programs, each a file with its edition; prints a line for each that did not pass, then the number of each
/// verdict. Fails if one failed.
pub(crate) fn judge_all(
    programs: &[(PathBuf, String)],
    judge: impl Fn(&Programs, &Path, &str) -> Verdict + Sync,
) -> Result<ExitCode, String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for batch in programs.chunks(BATCH) {
        let loaded = Programs::load(batch).map_err(|error| error.to_string())?;
        for (path, verdict) in judge_batch(&loaded, batch, &judge) {
            let word = verdict.word();
            *counts.entry(word).or_default() += 1;
            if let Verdict::Unknown(why) | Verdict::Failed(why) | Verdict::NotJudged(why) = verdict {
                say(format_args!("{word}\t{}\t{why}", path.display()));
            }
        }
    }
    let count = |word| counts.get(word).copied().unwrap_or(0);
    let (passed, unknown, failed) = (count("passed"), count("unknown"), count("failed"));
    say(format_args!("{passed} passed, {unknown} unknown, {failed} failed, {} not judged", count("not judged")));
    Ok(if failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Each program with its verdict, in their order.
fn judge_batch<'a>(
    loaded: &Programs,
    batch: &'a [(PathBuf, String)],
    judge: &(impl Fn(&Programs, &Path, &str) -> Verdict + Sync),
) -> Vec<(&'a Path, Verdict)> {
    let (next, done) = (Mutex::new(batch.iter().enumerate()), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let taken = next.lock().expect("nobody panics with it").next();
                    let Some((number, (path, edition))) = taken else { break };
                    let verdict = judge(loaded, path, edition);
                    done.lock().expect("nobody panics with it").insert(number, (path.as_path(), verdict));
                }
            });
        }
    });
    done.into_inner().expect("nobody panics with it").into_values().collect()
}

/// The result of the program compiled with rustc and run in a separate folder for at most 20 s (then its status is
/// 124); `None` if rustc rejects it, or if it does not behave the same each of `times` times.
pub(crate) fn compiled(path: &Path, edition: &str, times: usize) -> Option<Output> {
    let folder = tempfile::tempdir().ok()?;
    let program = folder.path().join("program");
    let path = path.canonicalize().ok()?;
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", edition, "--cap-lints=allow", "-o"]).arg(&program).arg(path);
    rustc.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !rustc.status().is_ok_and(|status| status.success()) {
        return None;
    }
    let run = |name: &Path| {
        let mut command = Command::new("timeout");
        command.arg("20").arg(name).current_dir(folder.path()).stdin(Stdio::null()).output().ok()
    };
    let output = run(&program)?;
    // The output of its own name varies too.
    let is_same = |again: Output| (again.status, again.stdout) == (output.status, output.stdout.clone());
    let always = (1..times).all(|_| run(Path::new("./program")).is_some_and(is_same));
    always.then_some(output)
}

/// Reports bad input and ends the benchmark.
pub(crate) fn complain(line: Arguments<'_>) -> ExitCode {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
    ExitCode::from(2)
}

/// Prints a line of the result.
pub(crate) fn say(line: Arguments<'_>) {
    // A reader that stops early has seen enough.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
