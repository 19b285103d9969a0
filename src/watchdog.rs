//! The watchdog: ends items of rust-analyzer's that no budget ends, by starting the process anew without them.
//!
//! A budget acts where rust-analyzer asks salsa for something. Some of its algorithms walk a doubling type for hours and ask for nothing, and
//! a thread cannot be ended from outside. `check` replaces its process by one that leaves the item out and does not print
//! again what was printed. The server ends, its client starts it again, and it remembers the item. Such results are not kept.

use crate::{
    cli::output,
    memory,
    store::{Kind, Store, Stored},
};
use analyzer::{
    budget,
    overdue::{self, ItemId, Running},
    user_files::Header,
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

/// How often it looks.
const EVERY: Duration = Duration::from_millis(25);
/// How much time of the processor a body gets, and how much without asking salsa for anything. Of published crates none takes half of it.
const BODY: Patience = Patience { in_all: Duration::from_secs(8), at_once: Duration::from_secs(4) };
/// The same for the names and impls of a crate, which may be large.
const CRATE: Patience = Patience { in_all: Duration::from_secs(120), at_once: Duration::from_secs(10) };
/// How many bytes the process may grow by while a body asks for nothing.
const GROWTH: u64 = 768 << 20;
/// Stall limit of either while memory is over its limit.
const WITHOUT_MEMORY: Duration = Duration::from_secs(1);
/// What all bodies of a process get together without asking for anything, in pieces of at least [`EVERY`]: many constants that each
/// take long to compute. All others are stopped then.
const ALL_BODIES: Duration = Duration::from_secs(10);
/// Maximum number of times that a process is replaced.
const MOST_RESTARTS: u32 = 4;
/// The environment variable that passes the state to the next process.
const VARIABLE: &str = "TSVD_CHECK_RESUME";
/// Maximum size of an environment variable on Linux.
const MOST_BYTES: usize = 128 << 10;

/// The state that a process gets from the one that it replaces.
#[derive(Default, Serialize, Deserialize)]
struct Resumed {
    restarts: u32,
    left_out: Vec<String>,
    /// Hashes of the lines that were printed.
    printed: Vec<u64>,
    has_findings: bool,
}

/// What to do if an item does not end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhenOverdue {
    /// Replace the process by one without the item.
    Replace,
    /// End the process with status 1; the next one leaves the item out.
    Remember,
    /// End the process with status 2.
    End,
}

static RESUMED: OnceLock<Resumed> = OnceLock::new();
static HAS_FINDINGS: AtomicBool = AtomicBool::new(false);

fn resumed() -> &'static Resumed {
    RESUMED.get_or_init(|| {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    })
}

/// Whether items are left out because they ran out of time. Another machine may then find something else.
pub(crate) fn leaves_out_items() -> bool {
    !resumed().left_out.is_empty() || budget::is_out_of_time()
}

/// There is a finding, so the status will be 1.
pub(crate) fn note_finding() {
    HAS_FINDINGS.store(true, Ordering::Relaxed);
}

/// Starts to watch the items of this process.
pub(crate) fn watch(when: WhenOverdue) {
    match when {
        WhenOverdue::Replace => {
            let resumed = resumed();
            overdue::leave_out(parsed(&resumed.left_out));
            output::expect_printed(&resumed.printed);
            HAS_FINDINGS.fetch_or(resumed.has_findings, Ordering::Relaxed);
        }
        WhenOverdue::Remember => overdue::leave_out(parsed(&remembered())),
        WhenOverdue::End => {}
    }
    // If the thread cannot be started, nothing is watched.
    let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
        let mut watched: Vec<Watched> = Vec::new();
        let mut silent = Duration::ZERO;
        loop {
            thread::sleep(EVERY);
            let running = overdue::running();
            watched.retain(|it| running.iter().any(|new| it.began.is_same(new)));
            for new in running {
                let now = Moment::new(new);
                match watched.iter_mut().find(|it| it.began.is_same(&new)) {
                    Some(known) if known.asked.running.beats == new.beats => {
                        if !new.item.is_crate() {
                            silent += now.since(&known.seen);
                        }
                        known.seen = now;
                    }
                    Some(known) => (known.asked, known.seen) = (now, now),
                    None => watched.push(Watched { began: now, asked: now, seen: now }),
                }
            }
            // A server runs for long, and an edit ends long work.
            if silent > ALL_BODIES && when != WhenOverdue::Remember {
                budget::set_out_of_time();
            }
            let overdue: Vec<ItemId> =
                watched.iter().filter(|it| it.is_overdue()).map(|it| it.began.running.item).collect();
            if !overdue.is_empty() {
                end(when, &overdue);
            }
        }
    });
}

/// How much time of the processor an item gets.
struct Patience {
    in_all: Duration,
    /// Without asking salsa for anything, as no budget can end it then.
    at_once: Duration,
}

/// An item, and how much its thread had done.
#[derive(Clone, Copy)]
struct Moment {
    running: Running,
    at: Instant,
    /// The time of the processor.
    spent: Option<Duration>,
    /// The bytes that the process had.
    memory: Option<u64>,
}

impl Moment {
    fn new(running: Running) -> Moment {
        let (spent, memory) = (spent(running.system_thread), memory::used());
        Moment { running, at: Instant::now(), spent, memory }
    }

    fn is_same(&self, other: &Running) -> bool {
        self.running.thread == other.thread && self.running.item == other.item
    }

    /// The time of the processor since an earlier moment; where that is not known, time.
    fn since(&self, earlier: &Moment) -> Duration {
        let spent = self.spent.zip(earlier.spent).and_then(|(now, then)| now.checked_sub(then));
        spent.unwrap_or_else(|| self.at.duration_since(earlier.at))
    }
}

/// An item that is under way.
struct Watched {
    /// When it began.
    began: Moment,
    /// When it was first seen to have asked salsa for as much as it has now.
    asked: Moment,
    /// When it was last looked at.
    seen: Moment,
}

impl Watched {
    fn is_overdue(&self) -> bool {
        let is_crate = self.began.running.item.is_crate();
        let Patience { in_all, at_once } = if is_crate { CRATE } else { BODY };
        let growth = self.seen.memory.unwrap_or(0).saturating_sub(self.asked.memory.unwrap_or(0));
        let at_once = if budget::is_out_of_memory() { WITHOUT_MEMORY } else { at_once };
        self.seen.since(&self.began) >= in_all
            || self.seen.since(&self.asked) >= at_once
            || !is_crate && growth > GROWTH
    }
}

/// The time of the processor that a thread of this process had.
fn spent(system_thread: u64) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/self/task/{system_thread}/schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn parsed(items: &[String]) -> impl Iterator<Item = ItemId> {
    items.iter().filter_map(|it| it.parse().ok())
}

/// Ends this process.
fn end(when: WhenOverdue, items: &[ItemId]) -> ! {
    let (message, status) = match when {
        WhenOverdue::Replace => match replace(items) {
            Ok(never) => match never {},
            Err(error) => {
                let status = if HAS_FINDINGS.load(Ordering::Relaxed) { 1 } else { 2 };
                (format!("type checking of an item does not end, and {error}: what follows was not explored"), status)
            }
        },
        WhenOverdue::Remember => {
            let outcome = remember(items);
            let next = match outcome {
                Ok(()) => "the next server leaves it out until its file is changed".to_owned(),
                Err(error) => format!("it cannot be remembered: {error}"),
            };
            (format!("type checking of an item does not end, so this server ends; {next}"), 1)
        }
        WhenOverdue::End => ("type checking of an item does not end".to_owned(), 2),
    };
    output::say(&format!("error: {message}"));
    exit(status)
}

/// Replaces this process by one that leaves out the items.
fn replace(items: &[ItemId]) -> Result<std::convert::Infallible, String> {
    let before = resumed();
    if before.restarts == MOST_RESTARTS {
        return Err(format!("neither did {MOST_RESTARTS} others"));
    }
    output::stop(|printed| {
        let mut left_out = before.left_out.clone();
        left_out.extend(items.iter().map(ToString::to_string));
        let next = Resumed {
            restarts: before.restarts + 1,
            left_out,
            printed,
            has_findings: HAS_FINDINGS.load(Ordering::Relaxed),
        };
        let text = serde_json::to_string(&next).map_err(|error| error.to_string())?;
        if text.len() > MOST_BYTES {
            return Err("too much was printed to start anew".to_owned());
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
const ITEMS: Kind = Kind {
    folder: "overdue",
    header: Header::new("tsvd-check overdue items 1"),
    suffix: ".items",
    limit: 1 << 20,
    kept: 1,
};

/// Maximum number of remembered items; the oldest are dropped.
const MOST_REMEMBERED: usize = 64;

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
    known.drain(..known.len().saturating_sub(MOST_REMEMBERED));
    store.write(&name, &serde_json::to_vec(&known)?)
}
