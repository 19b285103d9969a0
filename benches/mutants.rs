//! Runs `check` on published crates with mutated sources, and counts exit statuses.
//!
//! `cargo bench --bench mutants -- RESULTS [FIRST..LAST [SECONDS [GIGABYTES]]]`: mutants by number (default 0..10000),
//! of the crates in cargo's local registry cache. A number means the same mutant on each machine with the same crates.
//! Each is checked in a copy of its crate, `--untrusted` and with few schedules, limited to this many CPU seconds
//! (default 60) and gigabytes of address space (default 6). RESULTS is a folder: `log` has a line for each mutant, and
//! those with an unexpected end are kept beside it with their output. Numbers in the log are not tried again, so a run
//! can be interrupted and continued. Needs `prlimit`.
//!
//! The command ends with status 1 if any mutant in the log had a status other than 0, 1 and 2.

#[path = "../analyzer/tests/mutants/mutate.rs"]
mod mutate;

use interp::rng::Rng;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    io::Write as _,
    ops::Range,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The signal of the CPU time limit.
const SIGXCPU: i32 = 24;
/// Larger sources and crates are skipped: they take time for parts that are not mutated.
const LARGEST_FILE: u64 = 64 << 10;
const LARGEST_CRATE: u64 = 512 << 10;
/// Time between checks of a process.
const PAUSE: Duration = Duration::from_millis(20);

struct Plan {
    results: PathBuf,
    numbers: Range<u64>,
    seconds: u64,
    gigabytes: u64,
}

/// A crate of the cache, with its Rust sources.
struct Published {
    folder: PathBuf,
    sources: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match plan().and_then(|plan| run(&plan)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // The reader of standard error may be gone.
            let _ = writeln!(std::io::stderr(), "{message}");
            ExitCode::from(2)
        }
    }
}

fn plan() -> Result<Plan, String> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
    let at = |index: usize, default: u64| args.get(index).map_or(Ok(default), |text| number(text));
    let results =
        args.first().ok_or("usage: cargo bench --bench mutants -- RESULTS [FIRST..LAST [SECONDS [GIGABYTES]]]")?;
    let (first, last) = match args.get(1) {
        None => (0, 10_000),
        Some(text) => {
            let (first, last) = text.split_once("..").ok_or_else(|| format!("{text}: expected FIRST..LAST"))?;
            (number(first)?, number(last)?)
        }
    };
    Ok(Plan { results: PathBuf::from(results), numbers: first..last, seconds: at(2, 60)?, gigabytes: at(3, 6)? })
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Tries the numbers that the log lacks and prints the counts of the whole log; returns whether all is well.
fn run(plan: &Plan) -> Result<bool, String> {
    fs::create_dir_all(&plan.results).map_err(failed(&plan.results))?;
    let log = plan.results.join("log");
    let mut done: BTreeSet<u64> = BTreeSet::new();
    for line in fs::read_to_string(&log).unwrap_or_default().lines() {
        done.extend(line.split('\t').next().and_then(|number| number.parse::<u64>().ok()));
    }
    let crates = published()?;
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&log).map_err(failed(&log))?;
    for number in plan.numbers.clone().filter(|number| !done.contains(number)) {
        let line = try_one(plan, &crates, number)?;
        writeln!(file, "{line}").map_err(failed(&log))?;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let text = fs::read_to_string(&log).map_err(failed(&log))?;
    for line in text.lines() {
        *counts.entry(line.split('\t').nth(1).unwrap_or("?").to_owned()).or_default() += 1;
    }
    let mut table = format!("| mutants | {} |\n|---|---|\n", text.lines().count());
    for (status, count) in &counts {
        table += &format!("| {status} | {count} |\n");
    }
    // The reader may be gone.
    let _ = std::io::stdout().write_all(table.as_bytes());
    Ok(counts.keys().all(|status| ["status 0", "status 1", "status 2"].contains(&status.as_str())))
}

/// The crates of the registry cache, by name, each version once.
fn published() -> Result<Vec<Published>, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).ok_or("there is no folder of cargo's")?;
    let source = home.join("registry/src");
    let mut crates = BTreeMap::new();
    for registry in entries(&source)? {
        for folder in entries(&registry)? {
            let sources = sources(&folder);
            let sizes = sources.iter().map(|path| fs::metadata(path).map_or(0, |data| data.len()));
            let is_small = sizes.sum::<u64>() <= LARGEST_CRATE;
            let fits = |path: &PathBuf| fs::metadata(path).is_ok_and(|data| data.len() <= LARGEST_FILE);
            let sources: Vec<PathBuf> = sources.into_iter().filter(fits).collect();
            if is_small && !sources.is_empty() && folder.join("Cargo.toml").is_file() {
                let name = folder.file_name().map(OsStr::to_owned);
                crates.insert(name, Published { folder, sources });
            }
        }
    }
    if crates.is_empty() {
        Err(format!("no crates in {}", source.display()))
    } else {
        Ok(crates.into_values().collect())
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(failed(folder))?;
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    Ok(entries)
}

/// The Rust files below `src`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.join("src")];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder).unwrap_or_default() {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Checks the mutant with this number; returns its line of the log.
fn try_one(plan: &Plan, crates: &[Published], number: u64) -> Result<String, String> {
    let mut rng = Rng::with_stream(number, 3);
    let published = &crates[rng.index(crates.len())];
    let source = &published.sources[rng.index(published.sources.len())];
    let text = fs::read_to_string(source).map_err(failed(source))?;
    let mutant = mutate::mutate(&text, &mut rng);
    let work = TempDir::new().map_err(|error| format!("the temporary folder: {error}"))?;
    let copy = work.path().join("crate");
    copy_folder(&published.folder, &copy)?;
    let relative = source.strip_prefix(&published.folder).unwrap_or(source);
    fs::write(copy.join(relative), &mutant).map_err(failed(relative))?;
    let name = published.folder.file_name().unwrap_or_default().to_string_lossy();
    let began = Instant::now();
    let outcome = check(plan, work.path())?;
    if !["status 0", "status 1", "status 2"].contains(&outcome.as_str()) {
        let kept = plan.results.join(number.to_string());
        fs::create_dir_all(&kept).map_err(failed(&kept))?;
        fs::write(kept.join("mutant.rs"), &mutant).map_err(failed(&kept))?;
        for stream in ["out", "err"] {
            fs::copy(work.path().join(stream), kept.join(stream)).map_err(failed(&kept))?;
        }
    }
    Ok(format!("{number}\t{outcome}\t{name}\t{}\t{:.1} s", relative.display(), began.elapsed().as_secs_f64()))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(failed(to))?;
    for path in entries(from)? {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            fs::copy(&path, &target).map(drop).map_err(failed(&path))?;
        }
    }
    Ok(())
}

/// Runs `check` in `work/crate`, with its output in `work`; returns how it ended.
fn check(plan: &Plan, work: &Path) -> Result<String, String> {
    let output = |name: &str| fs::File::create(work.join(name)).map_err(failed(work));
    let mut command = Command::new("prlimit");
    command
        .arg(format!("--cpu={}:{}", plan.seconds, plan.seconds + 5))
        .arg(format!("--as={}", plan.gigabytes << 30))
        .arg(env!("CARGO_BIN_EXE_tsvd-check"))
        .args(["check", "--untrusted", "--no-cache", "--runs", "4", "--format", "short", "."])
        .current_dir(work.join("crate"))
        .env_remove("CARGO")
        // A toolchain that a package asks for is not needed.
        .env_remove("RUSTUP_TOOLCHAIN")
        .env("CARGO_NET_OFFLINE", "true")
        .env("XDG_CACHE_HOME", work.join("cache"))
        .stdin(Stdio::null())
        .stdout(output("out")?)
        .stderr(output("err")?);
    let mut child = command.spawn().map_err(|error| format!("prlimit: {error}"))?;
    let began = Instant::now();
    // A process that waits forever uses no CPU time.
    let patience = Duration::from_secs(plan.seconds * 20);
    loop {
        match child.try_wait().map_err(|error| format!("prlimit: {error}"))? {
            Some(status) => return Ok(described(status)),
            None if began.elapsed() > patience => {
                // It may have ended by now.
                let _ = child.kill();
                let _ = child.wait();
                return Ok("time-out".to_owned());
            }
            None => std::thread::sleep(PAUSE),
        }
    }
}

fn described(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("status {code}"),
        (None, Some(SIGXCPU)) => "time-out".to_owned(),
        (None, signal) => format!("signal {}", signal.unwrap_or_default()),
    }
}
