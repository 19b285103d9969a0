//! Checks published crates with mutated sources, and counts how the checks end.
//!
//! `cargo bench --bench mutants -- RESULTS [FIRST..LAST [SECONDS [GIGABYTES]]]`: mutants by number (default 0..10000),
//! of the crates in cargo's local registry cache. A number means the same mutant on each machine with the same crates.
//! Each is checked `--untrusted` and with few schedules, limited to this many CPU seconds (default 60) and gigabytes of
//! address space (default 6). RESULTS is a folder: `log` has a line for each mutant, and those with an unexpected end
//! are kept beside it with their output. Numbers in the log are not tried again, so a run can be interrupted and
//! continued. Needs Linux and `prlimit`.
//!
//! A process of ours checks the mutants of one crate one after the other, as the language server would check edits. A
//! mutant that ends it, or takes too long, is checked again by `tsvd-check` itself in a process of its own, whose end
//! counts; so is each hundredth, and both must agree.
//!
//! The command ends with status 1 if any mutant in the log had a status other than 0, 1 and 2.

#[path = "../analyzer/tests/mutants/mutate.rs"]
mod mutate;

use analyzer::{
    check::{self, Selection},
    explore, guard,
    project::{self, Input, LoadOptions, Project, Trust},
};
use interp::rng::Rng;
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    ops::Range,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitCode, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The signal of the CPU time limit.
const SIGXCPU: i32 = 24;
/// Larger sources and crates are skipped: they take time for parts that are not mutated.
const LARGEST_FILE: u64 = 64 << 10;
const LARGEST_CRATE: u64 = 256 << 10;
/// This many successive numbers are mutants of one crate.
const OF_A_CRATE: u64 = 50;
/// One of so many mutants is also checked in a process of its own.
const CHECKED_TWICE: u64 = 100;
/// Schedules of an entry.
const RUNS: u32 = 4;
/// The argument of a process that checks mutants of one crate.
const WORKER: &str = "--worker";
/// How a check can end.
const EXPECTED: [&str; 3] = ["status 0", "status 1", "status 2"];
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
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [first, crate_folder] = args.as_slice()
        && first == WORKER
    {
        return work(Path::new(crate_folder));
    }
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
    let mut group: Option<(u64, Group)> = None;
    for number in plan.numbers.clone().filter(|number| !done.contains(number)) {
        let its = number / OF_A_CRATE;
        let mut current = match group.take() {
            Some((index, group)) if index == its => group,
            _ => Group::new(plan, &crates, its)?,
        };
        let line = current.try_one(number)?;
        writeln!(file, "{line}").map_err(failed(&log))?;
        group = Some((its, current));
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
    Ok(counts.keys().all(|status| EXPECTED.contains(&status.as_str())))
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

/// The mutants of one crate.
struct Group<'a> {
    plan: &'a Plan,
    published: &'a Published,
    /// Has a copy of the crate, in which the worker and `tsvd-check` run.
    work: TempDir,
    worker: Option<Worker>,
}

impl<'a> Group<'a> {
    fn new(plan: &'a Plan, crates: &'a [Published], number: u64) -> Result<Group<'a>, String> {
        let published = &crates[Rng::with_stream(number, 4).index(crates.len())];
        let work = TempDir::new().map_err(|error| format!("the temporary folder: {error}"))?;
        copy_folder(&published.folder, &work.path().join("crate"))?;
        Ok(Group { plan, published, work, worker: None })
    }

    /// Checks the mutant with this number; returns its line of the log.
    fn try_one(&mut self, number: u64) -> Result<String, String> {
        let mut rng = Rng::with_stream(number, 3);
        let source = &self.published.sources[rng.index(self.published.sources.len())];
        let text = fs::read_to_string(source).map_err(failed(source))?;
        let mutant = mutate::mutate(&text, &mut rng);
        let relative = source.strip_prefix(&self.published.folder).unwrap_or(source);
        let began = Instant::now();
        let here = self.by_worker(relative, &mutant)?;
        let is_expected = here.as_ref().is_some_and(|it| EXPECTED.contains(&it.as_str()));
        let outcome = match here {
            Some(here) if is_expected && !number.is_multiple_of(CHECKED_TWICE) => here,
            here => self.by_program(number, relative, &text, &mutant, here.filter(|_| is_expected))?,
        };
        let name = self.published.folder.file_name().unwrap_or_default().to_string_lossy();
        let seconds = began.elapsed().as_secs_f64();
        Ok(format!("{number}\t{outcome}\t{name}\t{}\t{seconds:.1} s", relative.display()))
    }

    /// How a check of the mutant by the crate's worker ends; `None` if it does not, or ends the worker.
    fn by_worker(&mut self, relative: &Path, mutant: &str) -> Result<Option<String>, String> {
        let worker = match &mut self.worker {
            Some(worker) => worker,
            None => self.worker.insert(Worker::start(self.plan, self.work.path())?),
        };
        let text = self.work.path().join("mutant");
        fs::write(&text, mutant).map_err(failed(&text))?;
        let answer = worker.check(self.plan, relative);
        if answer.is_none() {
            self.worker.take().into_iter().for_each(Worker::end);
        }
        Ok(answer)
    }

    /// How a check of the mutant in a process of its own ends. It should end as the worker did.
    fn by_program(
        &self,
        number: u64,
        relative: &Path,
        text: &str,
        mutant: &str,
        worker: Option<String>,
    ) -> Result<String, String> {
        let source = self.work.path().join("crate").join(relative);
        fs::write(&source, mutant).map_err(failed(relative))?;
        let outcome = check(self.plan, self.work.path())?;
        fs::write(&source, text).map_err(failed(relative))?;
        let outcome = match worker {
            Some(worker) if worker != outcome => format!("{outcome}, in a worker {worker}"),
            _ => outcome,
        };
        if !EXPECTED.contains(&outcome.as_str()) {
            let kept = self.plan.results.join(number.to_string());
            fs::create_dir_all(&kept).map_err(failed(&kept))?;
            fs::write(kept.join("mutant.rs"), mutant).map_err(failed(&kept))?;
            for stream in ["out", "err"] {
                fs::copy(self.work.path().join(stream), kept.join(stream)).map_err(failed(&kept))?;
            }
        }
        Ok(outcome)
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        self.worker.take().into_iter().for_each(Worker::end);
    }
}

/// A process that checks mutants of one crate.
struct Worker {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start(plan: &Plan, work: &Path) -> Result<Worker, String> {
        let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
        let mut command = Command::new("prlimit");
        command.arg(format!("--as={}", plan.gigabytes << 30)).arg(program).arg(WORKER).arg(work.join("crate"));
        usual(&mut command, work);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("prlimit: {error}"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the worker has no pipes".to_owned());
        };
        Ok(Worker { child, stdin, answers: lines(stdout) })
    }

    /// How the check of the mutant of this source ends; `None` if it does not in time, or ends the process.
    fn check(&mut self, plan: &Plan, relative: &Path) -> Option<String> {
        let before = self.cpu_seconds()?;
        writeln!(self.stdin, "{}", relative.display()).ok()?;
        let began = Instant::now();
        loop {
            match self.answers.recv_timeout(PAUSE) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_late = self.cpu_seconds()? - before > plan.seconds;
            if is_late || began.elapsed() > Duration::from_secs(plan.seconds * 20) {
                return None;
            }
        }
    }

    /// The processor's time that it has used (proc(5): fields 14 and 15, in hundredths).
    fn cpu_seconds(&self) -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
        let mut next = || fields.next()?.parse::<u64>().ok();
        Some((next()? + next()?) / 100)
    }

    fn end(mut self) {
        // It may have ended by now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a stream, read on a thread.
fn lines(stream: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(stream).lines();
        // Nobody receives after a time-out.
        lines.map_while(Result::ok).for_each(|line| drop(sender.send(line)));
    });
    receiver
}

/// Checks the mutants of a crate: each line of standard input names the source in whose place the text beside the crate is.
fn work(folder: &Path) -> ExitCode {
    guard::record_panics();
    let mut project: Option<Project> = None;
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let Some(loaded) = project.take().or_else(|| load(folder)) else { return ExitCode::FAILURE };
        let Ok(text) = fs::read_to_string(folder.with_file_name("mutant")) else { return ExitCode::FAILURE };
        let (outcome, next) = check_here(loaded, &folder.join(line), &text);
        project = next;
        if writeln!(std::io::stdout(), "{outcome}").is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

fn load(folder: &Path) -> Option<Project> {
    let options = LoadOptions { tests: true, trust: Trust::Untrusted, ..LoadOptions::default() };
    let mut project = project::load(&Input::Package(folder.to_owned()), &options).ok()?;
    project.prime_caches();
    Some(project)
}

/// The status of a check with a source replaced; and the project as it was, unless items were left out of it.
fn check_here(mut project: Project, source: &Path, text: &str) -> (&'static str, Option<Project>) {
    // No module has such a file.
    let file = project.file_at(source).filter(|it| project.text_files().contains(it));
    let before = file.map(|file| project.file_text(file));
    if let Some(file) = file {
        let text = project.as_read(file, text);
        project.set_text(file, &text);
        project.prime_caches();
    }
    let explore = explore::Options { runs: Some(RUNS), ..explore::Options::default() };
    let options =
        check::Options { path: ".".to_owned(), selection: Selection::default(), explore, previous: None, beyond: None };
    let report = check::check(&project, &options, &mut ());
    let has_failed = report.parts.iter().any(|it| it.error().is_some());
    let status = if has_failed { EXPECTED[2] } else { EXPECTED[usize::from(report.has_errors())] };
    let is_whole = project.broken().is_empty();
    if let (Some(file), Some(before)) = (file, before) {
        project.set_text(file, &before);
    }
    (status, is_whole.then_some(project))
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

/// The folder and the environment of a check.
fn usual(command: &mut Command, work: &Path) {
    command
        .current_dir(work.join("crate"))
        .env_remove("CARGO")
        // A toolchain that a package asks for is not needed.
        .env_remove("RUSTUP_TOOLCHAIN")
        .env("CARGO_NET_OFFLINE", "true")
        .env("XDG_CACHE_HOME", work.join("cache"));
}

/// Runs `check` in `work/crate`, with its output in `work`; returns how it ended.
fn check(plan: &Plan, work: &Path) -> Result<String, String> {
    let output = |name: &str| fs::File::create(work.join(name)).map_err(failed(work));
    let mut command = Command::new("prlimit");
    command
        .arg(format!("--cpu={}:{}", plan.seconds, plan.seconds + 5))
        .arg(format!("--as={}", plan.gigabytes << 30))
        .arg(env!("CARGO_BIN_EXE_tsvd-check"))
        .args(["check", "--untrusted", "--no-cache", "--runs", &RUNS.to_string(), "--format", "short", "."]);
    usual(&mut command, work);
    command.stdin(Stdio::null()).stdout(output("out")?).stderr(output("err")?);
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
