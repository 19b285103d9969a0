//! Lowering and interpretation never panic and never hang, whatever the source: programs of the corpus and of the fidelity
//! tests, mutated by a seeded generator, each lowered whole and run under a few schedules. rust-analyzer's own panics are
//! caught; they are counted and printed.
//!
//! `MUTANTS=17 cargo test -p analyzer --test mutants` tries one again, `MUTANTS=0..20000` others. A mutant that uses up the stack ends the
//! process; its text is then among the files `mutant_*.rs` in the temporary folder, whose names have the numbers.

mod mutate;
mod panics;

use analyzer::database::Database;
use analyzer::{
    check::{FindingStatus, ReachableSites, Total},
    explore::{self, Options},
    lower::lowered,
    project::{self, Edition, Project},
    suppress::Allowed,
};
use interp::rng::Rng;
use ra_ap_hir_def::{
    AssocItemId, DefWithBodyId, ModuleDefId, expr_store::Body, nameres::DefMap, nameres::crate_def_map,
};
use std::{
    collections::BTreeMap,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    time::{Duration, Instant},
};

/// Mutants tried, if the variable does not say which.
const COUNT: u64 = 2_000;
const VARIABLE: &str = "MUTANTS";
/// How long one may take. Most take a twentieth of a second, but machines are busy.
const PATIENCE: Duration = Duration::from_secs(90);
/// How many entries of one are run, and how often.
const ENTRIES: usize = 2;
const RUNS: u32 = 2;
/// Steps of a run.
const STEPS: u64 = 20_000;
/// After so many edits a database is made anew, as it keeps what it once knew.
const EDITS: u64 = 400;
/// Sources that are larger are left out.
const LARGEST: usize = 2_000;
/// What the process may take at most, in MiB.
const MAX_MIB: u64 = 2_000;

/// What a thread works at.
struct Case {
    number: u64,
    source: String,
    text: String,
    since: Instant,
}

/// What became of the mutants.
#[derive(Default)]
struct Counts {
    bodies: AtomicU64,
    entries: AtomicU64,
    runs: AtomicU64,
    steps: AtomicU64,
    findings: AtomicU64,
    /// Findings that their own schedule did not show again.
    unconfirmed: AtomicU64,
    done: AtomicU64,
}

struct Shared {
    next: AtomicU64,
    last: u64,
    sources: Vec<(String, String)>,
    cases: Vec<Mutex<Option<Case>>>,
    counts: Counts,
}

#[test]
fn mutated_sources_are_analysed() {
    let range = wanted();
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let shared = Arc::new(Shared {
        next: AtomicU64::new(range.start),
        last: range.end,
        sources: sources(),
        cases: (0..cores).map(|_| Mutex::new(None)).collect(),
        counts: Counts::default(),
    });
    panics::watch();
    let began = Instant::now();
    let (sender, receiver) = channel();
    for worker in 0..cores {
        let (shared, sender) = (shared.clone(), sender.clone());
        std::thread::spawn(move || work(&shared, worker, &sender));
    }
    drop(sender);
    let mut failed = Vec::new();
    loop {
        match receiver.recv_timeout(Duration::from_secs(1)) {
            Ok(case) => failed.push(case),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        for slot in &shared.cases {
            let case = slot.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(case) = case.as_ref().filter(|it| it.since.elapsed() > PATIENCE) {
                panics::forget();
                panic!("{} takes longer than {} s", describe(case), PATIENCE.as_secs());
            }
        }
    }
    panics::forget();
    let seconds = began.elapsed().as_secs();
    report(&shared, seconds, &failed);
}

/// The numbers of the mutants.
fn wanted() -> Range<u64> {
    let Ok(text) = std::env::var(VARIABLE) else { return 0..COUNT };
    let number = |text: &str| text.parse().unwrap_or_else(|error| panic!("{VARIABLE}={text}: {error}"));
    match text.split_once("..") {
        Some((start, end)) => number(start)..number(end),
        None => number(&text)..number(&text) + 1,
    }
}

/// Names and texts of programs.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace is around it");
    let mut found = Vec::new();
    let mut folders = vec![root.join("corpus"), root.join("tests/fidelity/programs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = std::fs::read_to_string(&path).expect("source is UTF-8");
                let name = path.strip_prefix(root).expect("below the root").display().to_string();
                if text.len() <= LARGEST {
                    found.push((name, text));
                }
            }
        }
    }
    found.sort();
    assert!(found.len() > 400, "{}", found.len());
    found
}

/// Takes one mutant after the other, all in one file of a project.
fn work(shared: &Shared, worker: usize, failed: &Sender<String>) {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("main.rs");
    std::fs::write(&path, "fn main() {}").expect("the temporary folder is writable");
    let mut project = None;
    let mut edits = 0;
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        if number >= shared.last {
            break;
        }
        if edits % EDITS == 0 {
            project = None;
        }
        edits += 1;
        let project = project.get_or_insert_with(|| load(&path));
        let mut rng = Rng::with_stream(number, 1);
        let (source, text) = &shared.sources[rng.index(shared.sources.len())];
        let text = mutate::mutate(text, &mut rng);
        let case = Case { number, source: source.clone(), text: text.clone(), since: Instant::now() };
        // Who ends the process by using up its stack leaves this behind.
        std::fs::write(kept(number), &text).expect("the temporary folder is writable");
        *shared.cases[worker].lock().unwrap_or_else(PoisonError::into_inner) = Some(case);
        let file = project.file_at(&path).expect("it was loaded");
        let text = project.as_read(file, &text);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            project.set_text(file, &text);
            project.with_db(|project| {
                panics::MUTANT.set(Some(number));
                analyse(project, number, &shared.counts);
            });
        }));
        let case = shared.cases[worker].lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = std::fs::remove_file(kept(number));
        shared.counts.done.fetch_add(1, Ordering::Relaxed);
        if done.is_err() {
            // The main thread waits for these until the end.
            let _ = failed.send(case.as_ref().map(describe).unwrap_or_default());
            edits = 0;
        }
    }
}

fn load(path: &Path) -> Project {
    let mut project = project::load_files(&[(path.to_owned(), Edition::Edition2024)]).expect("a file");
    project.prime_caches();
    project
}

/// All that `check` does with a file, every body lowered.
fn analyse(project: &Project, number: u64, counts: &Counts) {
    let db = project.db();
    project.syntax_errors();
    let allowed = Allowed::of(project);
    for krate in project.local_crates() {
        let map = crate_def_map(db, krate.into());
        counts.bodies.fetch_add(lower_all(db, map), Ordering::Relaxed);
    }
    let mut total = Total::default();
    // The step of a bound is where the next run of another schedule goes on.
    let options = Options { seed: number, runs: Some(RUNS), max_steps: Some(STEPS), ..Options::default() };
    let entries = project.entries();
    for entry in entries.iter().take(ENTRIES) {
        let explored = explore::explore(project, entry, &options);
        counts.entries.fetch_add(1, Ordering::Relaxed);
        counts.runs.fetch_add(explored.runs.into(), Ordering::Relaxed);
        counts.steps.fetch_add(explored.steps, Ordering::Relaxed);
        total.add(entry, &explored, |it| FindingStatus::of(project, Some(&mut allowed.clone()), it));
    }
    let (_, summary, _) = total.finish(project, &ReachableSites::of(project, &entries));
    counts.findings.fetch_add(summary.bugs as u64, Ordering::Relaxed);
    counts.unconfirmed.fetch_add(summary.unconfirmed as u64, Ordering::Relaxed);
    project.unexpanded();
}

/// Lowers the bodies of a map, and those of the items inside of them.
fn lower_all(db: &Database, map: &DefMap) -> u64 {
    let mut bodies: Vec<DefWithBodyId> = Vec::new();
    let mut add = |item: AssocItemId| match item {
        AssocItemId::FunctionId(it) => bodies.push(it.into()),
        AssocItemId::ConstId(it) => bodies.push(it.into()),
        AssocItemId::TypeAliasId(_) => {}
    };
    for (_, module) in map.modules() {
        for item in module.scope.declarations() {
            match item {
                ModuleDefId::FunctionId(it) => add(it.into()),
                ModuleDefId::ConstId(it) => add(it.into()),
                ModuleDefId::TraitId(it) => it.trait_items(db).items.iter().for_each(|(_, item)| add(*item)),
                _ => {}
            }
        }
        for it in module.scope.impls() {
            it.impl_items(db).items.iter().for_each(|(_, item)| add(*item));
        }
    }
    for (_, module) in map.modules() {
        bodies.extend(module.scope.declarations().filter_map(|item| match item {
            ModuleDefId::StaticId(it) => Some(DefWithBodyId::from(it)),
            _ => None,
        }));
    }
    let mut count = bodies.len() as u64;
    for def in bodies {
        let lowered = lowered(db, def);
        count += lowered.closures.len() as u64;
        for (_, inner) in Body::of(db, def).blocks(db) {
            count += lower_all(db, inner);
        }
    }
    count
}

/// Where the text of a mutant is while it is analysed.
fn kept(number: u64) -> PathBuf {
    std::env::temp_dir().join(format!("mutant_{number}.rs"))
}

/// Says which mutant it is, and keeps its text.
fn describe(case: &Case) -> String {
    let kept = match std::fs::write(kept(case.number), &case.text) {
        Ok(()) => format!("its text is in {}", kept(case.number).display()),
        Err(error) => format!("its text could not be kept: {error}"),
    };
    format!("{VARIABLE}={}, made of {} ({kept})", case.number, case.source)
}

#[expect(clippy::print_stderr, reason = "the numbers are for people")]
fn report(shared: &Shared, seconds: u64, failed: &[String]) {
    let count = |it: &AtomicU64| it.load(Ordering::Relaxed);
    let Counts { bodies, entries, runs, steps, findings, unconfirmed, done } = &shared.counts;
    let seen = panics::seen();
    let (ours, others): (BTreeMap<_, _>, BTreeMap<_, _>) = seen.into_iter().partition(|(_, it)| it.is_ours);
    let number = |panics: &BTreeMap<String, panics::Panics>| panics.values().map(|it| it.count).sum::<u32>();
    let mut text = format!(
        "{} mutants: {} bodies lowered, {} entries, {} runs, {} steps, {} findings, {} more unconfirmed; {seconds} s, {} MiB\n\
         {} panics of ours, {} of rust-analyzer's\n",
        count(done),
        count(bodies),
        count(entries),
        count(runs),
        count(steps),
        count(findings),
        count(unconfirmed),
        peak_mib(),
        number(&ours),
        number(&others),
    );
    for (place, it) in ours.iter().chain(&others) {
        let mutant = it.mutant.map_or_else(String::new, |number| format!(", first {VARIABLE}={number}"));
        text +=
            &format!("{} times at {place}{mutant}: {}\n    {}\n", it.count, it.message, it.functions.join("\n    "));
    }
    eprintln!("{text}");
    assert!(failed.is_empty(), "the analysis of these panicked:\n{}\n{text}", failed.join("\n"));
    assert!(ours.is_empty(), "{text}");
    assert!(peak_mib() <= MAX_MIB, "{text}");
    if std::env::var(VARIABLE).is_err() {
        // The mutants are worth the trouble.
        assert!(count(bodies) > 3 * COUNT && count(runs) > COUNT && count(findings) > COUNT / 40, "{text}");
    }
}

/// The most memory that this process ever had, in MiB, where the system says so.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().split(' ').next()).and_then(|kib| kib.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
