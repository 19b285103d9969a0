//! The watchdog: if an item of rust-analyzer's does not end and no budget stops it, restarts the process without it.
//!
//! A budget stops an item at its next salsa query. Some of rust-analyzer's algorithms walk a doubling type for hours
//! without a query, and a thread cannot be killed. `check` replaces its process by one that leaves the item out and does
//! not repeat its output. The server ends, its client restarts it, and it remembers the item. Such results are not kept.

use crate::{cli::output, memory};
use analyzer::{
    budget,
    overdue::{self, ItemId, Running},
    user_files::{Header, Store, StoreKind, Stored},
};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    process::{Command, exit},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Time between samples.
const EVERY: Duration = Duration::from_millis(25);
/// Limits of a body. No body of a published crate takes half of them. The total is several times what it takes to reach the
/// counted budgets ([`analyzer::budget`]), so a slow machine stops at the same point.
const BODY: TimeLimits = TimeLimits { total: Duration::from_secs(20), stalled: Duration::from_secs(4) };
/// Limits of the names and impls of a crate, which may be large.
const CRATE: TimeLimits = TimeLimits { total: Duration::from_secs(120), stalled: Duration::from_secs(10) };
/// Maximum growth of the process, in bytes, while a body makes no query.
const GROWTH: u64 = 768 << 20;
/// Stall limit of either while memory is over its limit.
const STALLED_WITHOUT_MEMORY: Duration = Duration::from_secs(1);
/// Limit of the stalled time of all bodies of a process, in pieces of at least [`EVERY`]: there may be many constants that
/// each take long to compute. Beyond it all other items are stopped.
const STALLED_IN_ALL: Duration = Duration::from_secs(10);
/// Maximum number of times that a process is replaced.
const MAX_RESTARTS: u32 = 4;
/// The environment variable that passes the state to the next process.
const VARIABLE: &str = "TSVD_CHECK_RESUME";
/// Maximum size of an environment variable on Linux.
const MAX_BYTES: usize = 128 << 10;

/// The state that a process gets from the one that it replaces.
#[derive(Default, Serialize, Deserialize)]
struct RestartState {
    restarts: u32,
    left_out: Vec<String>,
    /// Hashes of the lines that were printed.
    printed: Vec<u64>,
    has_findings: bool,
    /// How long these processes have run, in milliseconds.
    #[serde(default)]
    elapsed: u64,
    /// What `cargo tsvd` knows of cargo.
    #[serde(default)]
    cargo: Option<CargoResult>,
}

/// How cargo ended, before the first process interpreted anything.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct CargoResult {
    /// Its exit status.
    pub(crate) status: u8,
    /// Its last line, which says that the build is finished: tools may not read on after it.
    pub(crate) last_line: Option<String>,
}

/// What to do if an item does not end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OverdueAction {
    /// Replace the process by one without the item.
    Replace,
    /// End the process with status 1; the next one leaves the item out.
    Remember,
    /// End the process with status 2.
    End,
}

static RESUMED: OnceLock<RestartState> = OnceLock::new();
static HAS_FINDINGS: AtomicBool = AtomicBool::new(false);
static STARTED: OnceLock<Instant> = OnceLock::new();
static CARGO: OnceLock<CargoResult> = OnceLock::new();

fn resumed() -> &'static RestartState {
    RESUMED.get_or_init(|| {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    })
}

/// Whether items are left out because they ran out of time. Another machine may then find something else.
pub(crate) fn leaves_out_items() -> bool {
    !resumed().left_out.is_empty() || budget::is_out_of_time()
}

/// How long this process has run, with those that it replaced.
pub(crate) fn elapsed() -> Duration {
    Duration::from_millis(resumed().elapsed) + STARTED.get().map_or(Duration::ZERO, Instant::elapsed)
}

/// How cargo ended: `run` says it, unless a process that this one replaces has run it.
pub(crate) fn after_cargo(run: impl FnOnce() -> Result<CargoResult, String>) -> Result<CargoResult, String> {
    let outcome = match &resumed().cargo {
        Some(outcome) => outcome.clone(),
        None => run()?,
    };
    Ok(CARGO.get_or_init(|| outcome).clone())
}

/// There is a finding, so the status will be 1.
pub(crate) fn note_finding() {
    HAS_FINDINGS.store(true, Ordering::Relaxed);
}

/// Starts to watch the items of this process.
pub(crate) fn watch(when: OverdueAction) {
    STARTED.get_or_init(Instant::now);
    match when {
        OverdueAction::Replace => {
            let resumed = resumed();
            overdue::leave_out(parsed(&resumed.left_out));
            output::expect_printed(&resumed.printed);
            HAS_FINDINGS.fetch_or(resumed.has_findings, Ordering::Relaxed);
        }
        OverdueAction::Remember => overdue::leave_out(parsed(&remembered())),
        OverdueAction::End => {}
    }
    // If the thread cannot be started, nothing is watched.
    let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
        let mut tasks: Vec<Task> = Vec::new();
        let mut stalled = Duration::ZERO;
        loop {
            thread::sleep(EVERY);
            let running = overdue::running();
            tasks.retain(|task| running.iter().any(|new| task.started.is_same(new)));
            for new in running {
                let now = Sample::new(new);
                match tasks.iter_mut().find(|task| task.started.is_same(&new)) {
                    Some(task) if task.last_query.running.queries == new.queries => {
                        if !new.item.is_crate() {
                            stalled += now.since(&task.latest);
                        }
                        task.latest = now;
                    }
                    Some(task) => (task.last_query, task.latest) = (now, now),
                    None => tasks.push(Task { started: now, last_query: now, latest: now }),
                }
            }
            // A server runs for long, and an edit ends long work.
            if stalled > STALLED_IN_ALL && when != OverdueAction::Remember {
                budget::set_out_of_time();
            }
            let overdue: Vec<ItemId> =
                tasks.iter().filter(|task| task.is_overdue()).map(|task| task.started.running.item).collect();
            if !overdue.is_empty() {
                end(when, &overdue);
            }
        }
    });
}

/// CPU time limits of an item.
struct TimeLimits {
    total: Duration,
    /// Without a salsa query: no budget can stop the item then.
    stalled: Duration,
}

/// A measurement of an item's thread.
#[derive(Clone, Copy)]
struct Sample {
    running: Running,
    at: Instant,
    /// CPU time of the thread.
    cpu_time: Option<Duration>,
    /// Memory of the process in bytes.
    memory: Option<u64>,
}

impl Sample {
    fn new(running: Running) -> Sample {
        let (cpu_time, memory) = (cpu_time(running.system_thread), memory::used());
        Sample { running, at: Instant::now(), cpu_time, memory }
    }

    fn is_same(&self, other: &Running) -> bool {
        self.running.thread == other.thread && self.running.item == other.item
    }

    /// CPU time since an earlier sample; elapsed time if unknown.
    fn since(&self, earlier: &Sample) -> Duration {
        let spent = self.cpu_time.zip(earlier.cpu_time).and_then(|(now, then)| now.checked_sub(then));
        spent.unwrap_or_else(|| self.at.duration_since(earlier.at))
    }
}

/// An item that is being computed.
struct Task {
    /// The first sample.
    started: Sample,
    /// The first sample with the current number of queries.
    last_query: Sample,
    /// The latest sample.
    latest: Sample,
}

impl Task {
    fn is_overdue(&self) -> bool {
        let is_crate = self.started.running.item.is_crate();
        let TimeLimits { total, stalled } = if is_crate { CRATE } else { BODY };
        let growth = self.latest.memory.unwrap_or(0).saturating_sub(self.last_query.memory.unwrap_or(0));
        let stalled = if budget::is_out_of_memory() { STALLED_WITHOUT_MEMORY } else { stalled };
        self.latest.since(&self.started) >= total
            || self.latest.since(&self.last_query) >= stalled
            || !is_crate && growth > GROWTH
    }
}

/// CPU time of a thread of this process.
fn cpu_time(system_thread: u64) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/self/task/{system_thread}/schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn parsed(items: &[String]) -> impl Iterator<Item = ItemId> {
    items.iter().filter_map(|it| it.parse().ok())
}

/// Ends this process.
fn end(when: OverdueAction, items: &[ItemId]) -> ! {
    let (message, status) = match when {
        OverdueAction::Replace => match replace(items) {
            Ok(never) => match never {},
            Err(error) => {
                let status = if HAS_FINDINGS.load(Ordering::Relaxed) { 1 } else { 2 };
                (format!("type checking of an item takes too long, and {error}; the rest was not explored"), status)
            }
        },
        OverdueAction::Remember => {
            let outcome = remember(items);
            let next = match outcome {
                Ok(()) => "the next server skips it until its file changes".to_owned(),
                Err(error) => format!("it cannot be remembered: {error}"),
            };
            (format!("type checking of an item takes too long, so the server exits; {next}"), 1)
        }
        OverdueAction::End => ("type checking of an item takes too long".to_owned(), 2),
    };
    output::say(&format!("error: {message}"));
    exit(status)
}

/// Replaces this process by one that leaves out the items.
fn replace(items: &[ItemId]) -> Result<std::convert::Infallible, String> {
    let before = resumed();
    if before.restarts == MAX_RESTARTS {
        return Err(format!("the check was restarted {MAX_RESTARTS} times already"));
    }
    output::stop(|printed| {
        let mut left_out = before.left_out.clone();
        left_out.extend(items.iter().map(ToString::to_string));
        let next = RestartState {
            restarts: before.restarts + 1,
            left_out,
            printed,
            has_findings: HAS_FINDINGS.load(Ordering::Relaxed),
            elapsed: elapsed().as_millis().try_into().unwrap_or(u64::MAX),
            cargo: CARGO.get().cloned(),
        };
        let text = serde_json::to_string(&next).map_err(|error| error.to_string())?;
        if text.len() > MAX_BYTES {
            return Err("too much was printed to restart".to_owned());
        }
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args(std::env::args_os().skip(1)).env(VARIABLE, text);
        Err(format!("the process cannot be replaced: {}", exec(&mut command)))
    })
}

#[cfg(unix)]
fn exec(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
fn exec(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => exit(status.code().unwrap_or(2)),
        Err(error) => error,
    }
}

/// Items that did not end in a server.
const ITEMS: StoreKind = StoreKind {
    folder: "overdue",
    header: Header::new("tsvd-check overdue items 1"),
    suffix: ".items",
    limit: 1 << 20,
    kept: 1,
};

/// Maximum number of remembered items; the oldest are dropped.
const MAX_REMEMBERED: usize = 64;

fn store() -> io::Result<(Store, String)> {
    let store = Store::open(&ITEMS)?;
    let name = store.name_of("items");
    Ok((store, name))
}

/// Items that did not end in earlier servers; empty without a cache folder.
fn remembered() -> Vec<String> {
    let read = || -> io::Result<Vec<String>> {
        let (store, name) = store()?;
        match store.read(&name)? {
            Stored::Content(content) => Ok(serde_json::from_slice(&content)?),
            Stored::Nothing | Stored::Damaged => Ok(Vec::new()),
        }
    };
    read().unwrap_or_default()
}

fn remember(items: &[ItemId]) -> io::Result<()> {
    let (store, name) = store()?;
    let mut known = remembered();
    known.extend(items.iter().map(ToString::to_string));
    known.drain(..known.len().saturating_sub(MAX_REMEMBERED));
    store.write(&name, &serde_json::to_vec(&known)?)
}
