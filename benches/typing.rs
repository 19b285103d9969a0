//! How long a user waits: seeded edits inside the bodies of a package, or files that are opened, over the real protocol.
//!
//! `cargo bench --bench typing -- PATH [--edits 200] [--seed 0] [--settle | --early] [--server PROGRAM]` prints the time from each edit to the first
//! diagnostics of its version (median, 95th percentile, worst), the time until everything is explored after the last
//! one, and the server's memory meanwhile. Every edit is undone by the next one; the findings at the end must be those
//! at the start. A user does not wait for all schedules: an edit comes a quarter of a second after the diagnostics of
//! the previous one, while the server explores; with `--settle` once everything is explored, and the time for that is
//! printed too. With `--early` the edits begin as soon as the package is loaded, and the end is not waited for.
//! `--server` names another build of `tsvd-check`.
//!
//! With `--view 40` it opens so many files instead, one after the other, as soon as the package is loaded. A test that
//! locks a mutex twice is appended to each, unsaved. It prints the time to the first diagnostics of the file, and to that
//! deadlock. A file that nothing includes on this platform shows none: it is named after ten seconds.

#[path = "../tests/suite/support/mod.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
mod support;

use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};
use support::client::Client;

/// Between two edits.
const PAUSE: Duration = Duration::from_millis(250);

/// For everything to be explored.
const PATIENCE: Duration = Duration::from_secs(3600);

/// For a finding in a file that was opened.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// A test with a finding at its last statement.
const HANGS: &str = "
#[test]
fn waits_for_itself_in_the_file_in_view() {
    let lock = std::sync::Mutex::new(0);
    let _one = lock.lock().unwrap();
    let _two = lock.lock().unwrap();
}
";

/// A random number generator (PCG's multiplier and increment), so that a seed means the same edits everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// The lines of a text that end a statement and are indented enough to be in a body.
fn ends_of_statements(text: &str) -> Vec<usize> {
    let is_one = |line: &str| line.starts_with("        ") && line.trim_end().ends_with(';');
    (0..).zip(text.lines()).filter(|(_, line)| is_one(line)).map(|(number, _)| number).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("tests") {
            sources(&path, found);
        // Nothing of a build script is explored.
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("build.rs") {
            found.push(path);
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let number = |name: &str, default: u64| {
        let value = args.iter().position(|it| it == name).and_then(|at| args.get(at + 1));
        value.map_or(default, |it| it.parse().expect("a number"))
    };
    let (edits, seed, view) = (number("--edits", 200), number("--seed", 0), number("--view", 0));
    let server = args.iter().position(|it| it == "--server").and_then(|at| args.get(at + 1));
    let server = server.map_or(env!("CARGO_BIN_EXE_tsvd-check"), String::as_str);
    let [settles, is_early] = ["--settle", "--early"].map(|name| args.iter().any(|it| it == name));
    let Some(path) = args.first().filter(|it| !it.starts_with("--")) else {
        say(
            "usage: cargo bench --bench typing -- PATH [--edits N | --view N] [--seed N] [--settle | --early] [--server PROGRAM]",
        );
        return;
    };
    let folder = std::fs::canonicalize(path).expect("the package is there");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    files.retain(|path| std::fs::read_to_string(path).is_ok_and(|text| !ends_of_statements(&text).is_empty()));
    let mut numbers = Numbers(seed);
    let began = Instant::now();
    let mut client = started(server, &folder);
    if view > 0 || is_early {
        client.wait("the package is loaded", |client| {
            client.statuses.last().is_some_and(|it| it["message"] != "loading the project")
        });
        say(&format!("loaded: {:.2} s", began.elapsed().as_secs_f64()));
    }
    if view > 0 {
        open_each(&mut client, &folder, chosen(files, view as usize, &mut numbers));
        client.stop();
        return;
    }
    if !is_early {
        client.idle_within(PATIENCE);
        say(&format!("loaded and explored: {:.2} s", began.elapsed().as_secs_f64()));
    }
    let before = client.diagnostics.clone();
    let (mut first, mut whole) = (Vec::new(), Vec::new());
    let mut opened = BTreeSet::new();
    for number in 0..edits {
        if number > 0 && number % (edits / 4).max(1) == 0 {
            say(&format!("memory after {} edits: {} MB", 2 * number, client.memory() >> 20));
        }
        let path = &files[numbers.below(files.len())];
        let name = path.strip_prefix(&folder).expect("it is in the folder").display().to_string();
        let text = std::fs::read_to_string(path).expect("it was read before");
        if opened.insert(name.clone()) {
            client.open(&name, &text);
            std::thread::sleep(PAUSE);
        }
        let lines = ends_of_statements(&text);
        let line = lines[numbers.below(lines.len())];
        let at = serde_json::json!({ "line": line + 1, "character": 0 });
        let typed = "        let _typed = 1u8;\n";
        let edit = serde_json::json!({ "range": { "start": at, "end": at }, "text": typed });
        let back = serde_json::json!({ "line": line + 2, "character": 0 });
        let undo = serde_json::json!({ "range": { "start": at, "end": back }, "text": "" });
        for change in [edit, undo] {
            let sent = Instant::now();
            let version = client.edit(&name, change);
            client.wait(&format!("diagnostics of {name} after an edit at line {}", line + 1), |client| {
                client.published.iter().any(|(_, file, known)| *file == name && *known == Some(version))
            });
            first.push(sent.elapsed());
            if settles {
                client.idle_within(PATIENCE);
                whole.push(sent.elapsed());
            } else {
                std::thread::sleep(PAUSE);
            }
        }
    }
    tell("first diagnostics", &mut first);
    if settles {
        tell("everything explored", &mut whole);
    }
    say(&format!("memory: {} MB at most", client.peak_memory() >> 20));
    if is_early {
        return client.stop();
    }
    let began = Instant::now();
    client.idle_within(PATIENCE);
    say(&format!("explored after the last edit: {:.2} s", began.elapsed().as_secs_f64()));
    let told = |all: &BTreeMap<String, Value>| -> Vec<Value> {
        all.values().flat_map(|it| it.as_array().cloned().unwrap_or_default()).collect()
    };
    assert_eq!(told(&client.diagnostics), told(&before), "edits that were taken back changed findings");
    client.stop();
}

/// A client of a server, which says when the package is loaded.
fn started(server: &str, folder: &Path) -> Client {
    let mut command = Command::new(server);
    command.args(["lsp", "--stdio"]);
    let capabilities = serde_json::json!({
        "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
        "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } },
        "experimental": { "serverStatusNotification": true },
    });
    Client::of(command, folder, &[""], &capabilities, &Value::Null)
}

/// So many of the files, in random order.
fn chosen(mut files: Vec<PathBuf>, count: usize, numbers: &mut Numbers) -> Vec<PathBuf> {
    let count = count.min(files.len());
    (0..count).map(|_| files.swap_remove(numbers.below(files.len()))).collect()
}

/// Opens files, one after the other, and prints how long their diagnostics take.
fn open_each(client: &mut Client, folder: &Path, files: Vec<PathBuf>) {
    let (mut first, mut found) = (Vec::new(), Vec::new());
    for path in files {
        let name = path.strip_prefix(folder).expect("it is in the folder").display().to_string();
        let text = std::fs::read_to_string(&path).expect("it was read before") + HANGS;
        let line = text.lines().count() as u64 - 1;
        let sent = Instant::now();
        client.open(&name, &text);
        let is_published =
            |client: &Client| client.published.iter().any(|(_, file, version)| *file == name && version.is_some());
        client.wait("diagnostics of this version", |client| is_published(client) || sent.elapsed() > MAX_WAIT);
        if is_published(client) {
            first.push(sent.elapsed());
        }
        let shows = |client: &Client| client.findings(&name).iter().any(|(at, rule)| *at == line && rule == "deadlock");
        client.wait("the deadlock", |client| shows(client) || sent.elapsed() > MAX_WAIT);
        match shows(client) {
            true => found.push(sent.elapsed()),
            false => say(&format!("no finding in {name}")),
        }
        std::thread::sleep(PAUSE);
        let document = serde_json::json!({ "uri": client.uri(&name) });
        client.notify("textDocument/didClose", serde_json::json!({ "textDocument": document }));
    }
    tell("first diagnostics of a file that is opened", &mut first);
    tell("first finding in it", &mut found);
    say(&format!("memory: {} MB at most", client.peak_memory() >> 20));
}

fn tell(what: &str, times: &mut [Duration]) {
    if times.is_empty() {
        return say(&format!("{what}: none"));
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
    say(&format!(
        "{what}: median {:.0} ms, p95 {:.0} ms, worst {:.0} ms, {} times",
        at(50),
        at(95),
        at(100),
        times.len()
    ));
}

fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
