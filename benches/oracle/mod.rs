//! What the benchmarks share whose oracle is rustc: programs over one std, judged in batches on two threads, and rustc's own
//! program beside.

use std::{
    collections::BTreeMap,
    fmt::Arguments,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Output, Stdio},
    sync::Mutex,
};

use tsvd_check::Programs;

/// Programs over one std: their code is let go with it.
const BATCH: usize = 100;
/// Which of them are interpreted at once.
const THREADS: usize = 2;

/// What became of a program, and why.
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

/// Judges programs, each a file with its edition; prints a line for each that did not pass and then how many there are of each
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

/// What the program does that rustc makes of it, run in a folder of its own for at most 20 s (then its status is 124);
/// `None` if rustc does not compile it, or if it does not do the same each of so many `times`.
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
    // What it says of its own name is not always the same either.
    let is_same = |again: Output| (again.status, again.stdout) == (output.status, output.stdout.clone());
    let always = (1..times).all(|_| run(Path::new("./program")).is_some_and(is_same));
    always.then_some(output)
}

/// Ends a benchmark that had bad input.
pub(crate) fn complain(line: Arguments<'_>) -> ExitCode {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
    ExitCode::from(2)
}

/// A line of the result.
pub(crate) fn say(line: Arguments<'_>) {
    // Who does not read it to its end has seen enough.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
