//! Schedules per second for some programs of the corpus, and the times for the ten cases of the HSR Parallel Checker's
//! Table 3 (ISSTA'18) beside those in the paper; prints Markdown tables.
//!
//! `cargo bench --bench schedules`. All times are CPU times, because the machine may be busy; they are read from
//! Linux's `/proc`.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};
use tsvd_check::{Explored, Options, Programs, RUNS};

/// Programs without findings, so that every schedule is run to its end and none is minimised: two threads and two
/// locks, five threads and locks, atomics, a condition variable between six threads, a map of std's.
const FIVE: [&str; 5] = [
    "deadlock/order_two/fixed.rs",
    "deadlock/philosophers/fixed.rs",
    "race/ring_buffer/fixed.rs",
    "stuck/one_condvar_for_two_reasons/fixed.rs",
    "tsv/shared_map/fixed.rs",
];

/// Name and time in the paper, and the corresponding program here.
const TABLE_3: [(&str, &str, &str); 10] = [
    ("DCL Broken", "< 0.1", "dcl/bug.rs"),
    ("DCL Fixed", "< 0.1", "dcl/fixed.rs"),
    ("Quicksort Broken", "4", "quicksort/bug.rs"),
    ("Quicksort Fixed", "2", "quicksort/fixed.rs"),
    ("Bank Broken", "< 0.1", "bank/bug.rs"),
    ("Bank Fixed", "< 0.1", "bank/fixed.rs"),
    ("Buffer Broken", "< 0.1", "buffer/bug.rs"),
    ("Buffer Fixed", "0.8", "buffer/fixed.rs"),
    ("Timer Race", "0.1", "timer/bug.rs"),
    ("Finalizer Race", "< 0.1", "finalizer/bug.rs"),
];

/// The paper gives the mean of three.
const TIMES: u32 = 3;

/// CPU seconds of this thread.
fn of_thread() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells how long a thread ran");
    let nanoseconds: f64 = text.split(' ').next().and_then(|it| it.parse().ok()).expect("a number comes first");
    nanoseconds / 1e9
}

/// CPU seconds of the child processes that have ended.
fn of_children() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").expect("Linux tells how long a process ran");
    // The name, in parentheses, may contain anything; the 16th and the 17th field are the times, in hundredths.
    let (_, fields) = text.rsplit_once(") ").expect("the name comes second");
    let ticks: u64 = fields.split(' ').skip(13).take(2).map(|it| it.parse::<u64>().expect("ticks")).sum();
    ticks as f64 / 100.0
}

fn programs(corpus: &Path, names: &[&str]) -> (Programs, Vec<PathBuf>) {
    let paths: Vec<PathBuf> = names.iter().map(|name| corpus.join(name)).collect();
    let files: Vec<_> = paths.iter().map(|path| (path.clone(), "2024".to_owned())).collect();
    (Programs::load(&files).expect("the corpus can be loaded"), paths)
}

/// The result of a default exploration with existing code, and the mean of its seconds.
fn explore(programs: &Programs, path: &Path) -> (Explored, f64) {
    let explored = programs.check_repeatedly(path, |explore| {
        explore(&Options { runs: Some(RUNS), ..Options::default() });
        let before = of_thread();
        let mut last = Explored::default();
        for _ in 0..TIMES {
            last = explore(&Options { runs: Some(RUNS), ..Options::default() });
        }
        (last, (of_thread() - before) / f64::from(TIMES))
    });
    explored.expect("a program of the corpus has a `main`")
}

/// The mean of the seconds of the whole command.
fn command(path: &Path, cache: &Path) -> f64 {
    let before = of_children();
    for _ in 0..TIMES {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tsvd-check"));
        command
            .args(["check", "--no-cache"])
            .arg(path)
            .env("XDG_CACHE_HOME", cache)
            .output()
            .expect("the program was built");
    }
    (of_children() - before) / f64::from(TIMES)
}

fn main() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    tell("| program | schedules | steps a schedule | schedules a second |\n|---|---|---|---|");
    let (five, paths) = programs(&corpus, &FIVE);
    for (name, path) in FIVE.iter().zip(&paths) {
        let (explored, seconds) = explore(&five, path);
        let (runs, steps) = (explored.runs, explored.steps / u64::from(explored.runs.max(1)));
        tell(&format!("| `{name}` | {runs} | {steps} | {:.0} |", f64::from(runs) / seconds));
    }
    tell("\n| case | paper | all schedules here | whole command | found |\n|---|---|---|---|---|");
    let cache = tempfile::tempdir().expect("the temporary folder is writable");
    let (cases, paths) = programs(&corpus.join("table3"), &TABLE_3.map(|it| it.2));
    for ((name, paper, _), path) in TABLE_3.iter().zip(&paths) {
        let (explored, seconds) = explore(&cases, path);
        let whole = command(path, cache.path());
        let mut found: Vec<&str> = explored.diagnostics.iter().map(|it| it.rule).collect();
        found.dedup();
        let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
        tell(&format!("| {name} | {paper} | {seconds:.2} | {whole:.2} | {found} |"));
    }
}

fn tell(text: &str) {
    writeln!(std::io::stdout(), "{text}").expect("standard output takes the tables");
}
