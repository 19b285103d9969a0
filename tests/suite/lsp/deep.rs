//! Explorations that the user asks for, by a code lens or a command.

use crate::support::{Folder, client::Client};
use serde_json::{Value, json};

const MANIFEST: &str = "[package]\nname = \"shop\"\nedition = \"2024\"\n";
const FILE: &str = "src/main.rs";

/// Two locks in different orders, in a test; the first function runs in it.
const TEXT: &str = "use std::{sync::Mutex, thread};

static éß: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);

fn start() {
    let other = thread::spawn(|| *éß.lock().unwrap() += *B.lock().unwrap());
    *B.lock().unwrap() += 1;
    other.join().unwrap();
}

#[test]
fn works() {
    start();
}

#[test]
fn alone() {}

fn main() {}
fn never() { thread::spawn(move || 1 + 1); }
";

fn client() -> (Folder, Client) {
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), (FILE, TEXT)]);
    let capabilities = json!({
        "window": { "workDoneProgress": true }, "workspace": { "codeLens": { "refreshSupport": true } },
    });
    let mut client = Client::start_with(folder.path(), &capabilities);
    client.open(FILE, TEXT);
    client.idle();
    (folder, client)
}

fn lenses(client: &mut Client) -> Vec<Value> {
    let document = json!({ "uri": client.uri(FILE) });
    client.request("textDocument/codeLens", json!({ "textDocument": document })).as_array().unwrap().clone()
}

/// The parameters of the command of the lens at a line (from 1).
fn command_at(lenses: &[Value], line: u64) -> Value {
    let lens = lenses.iter().find(|it| it["range"]["start"]["line"] == line - 1).unwrap();
    json!({ "command": lens["command"]["command"], "arguments": lens["command"]["arguments"] })
}

#[test]
fn tests_and_functions_that_start_threads_have_a_lens() {
    let (_folder, mut client) = client();
    assert!(client.asked.iter().any(|it| it == "workspace/codeLens/refresh"));
    let all = lenses(&mut client);
    let lines: Vec<u64> = all.iter().map(|it| it["range"]["start"]["line"].as_u64().unwrap() + 1).collect();
    assert_eq!(lines, [6, 13, 18, 21]);
    assert!(all.iter().all(|it| it["command"]["title"] == "explore 1,000 schedules"));
    assert_eq!(
        all[0]["range"],
        json!({ "start": { "line": 5, "character": 3 }, "end": { "line": 5, "character": 8 } })
    );
    // They follow the text at once.
    client.change(FILE, &format!("\n{TEXT}"));
    assert_eq!(lenses(&mut client)[0]["range"]["start"]["line"], 6);
    client.stop();
}

#[test]
fn a_test_gets_a_thousand_schedules() {
    let (_folder, mut client) = client();
    let all = lenses(&mut client);
    let answer = client.request("workspace/executeCommand", command_at(&all, 13));
    assert_eq!((&answer["entries"], &answer["schedules"]), (&json!(1), &json!(1_000)), "{answer:#}");
    assert_eq!(answer["message"], "works: 1,000 schedules, no bug found");
    assert_eq!(client.shown, ["tsvd-check: works: 1,000 schedules, no bug found"]);
    let kinds: Vec<&str> = client.progress.iter().map(|it| it["value"]["kind"].as_str().unwrap()).collect();
    assert!(kinds.len() > 5 && kinds[0] == "begin" && *kinds.last().unwrap() == "end", "{kinds:?}");
    assert_eq!(client.progress[0]["value"]["cancellable"], true);
    assert!(client.asked.iter().any(|it| it == "window/workDoneProgress/create"));
    // A function: the entries that ran it.
    let answer = client.request("workspace/executeCommand", command_at(&all, 6));
    assert_eq!((&answer["entries"], &answer["schedules"]), (&json!(1), &json!(1_000)), "{answer:#}");
    // One thread: one schedule.
    let answer = client.request("workspace/executeCommand", command_at(&all, 18));
    assert_eq!(answer["message"], "alone: 1 schedule, no bug found");
    // A file: all that start in it. Nothing is explored again after that.
    let explored = client.idle().explored;
    let file = json!({ "command": "tsvd-check.exploreFile", "arguments": [client.uri(FILE)] });
    let answer = client.request("workspace/executeCommand", file);
    assert!(answer["entries"].as_u64().unwrap() >= 3, "{answer:#}");
    assert_eq!(client.idle().explored, explored);
    client.stop();
}

#[test]
fn its_findings_are_shown() {
    let (_folder, mut client) = client();
    let race = TEXT
        .replace(
            "static B: Mutex<u32> = Mutex::new(0);",
            "static mut C: u32 = 0;\nstatic B: Mutex<u32> = Mutex::new(0);",
        )
        .replace("    *B.lock().unwrap() += 1;\n", "    unsafe { C += 1 }\n    *B.lock().unwrap() += 1;\n")
        .replace("spawn(|| *", "spawn(|| unsafe { C += 1 }); thread::spawn(|| *");
    client.change(FILE, &race);
    client.idle();
    let before = client.findings(FILE);
    assert!(before.iter().any(|(_, rule)| rule == "data-race"), "{before:?}");
    let all = lenses(&mut client);
    let answer = client.request("workspace/executeCommand", command_at(&all, 15));
    assert_eq!(answer["message"].as_str().unwrap(), "works: 1,000 schedules, 1 bug", "{answer:#}");
    client.idle();
    assert_eq!(client.findings(FILE), before);
    // An edit counts for them as for all findings.
    client.change(FILE, TEXT);
    client.wait("nothing", |it| it.findings(FILE).is_empty());
    client.stop();
}

#[test]
fn an_exploration_can_be_cancelled() {
    let (_folder, mut client) = client();
    let long = TEXT.replace(
        "    other.join().unwrap();\n",
        "    other.join().unwrap();\n    for _ in 0..50_000 { std::hint::black_box(1); }\n",
    );
    client.change(FILE, &long);
    client.idle();
    let all = lenses(&mut client);
    // By the request, and by its progress.
    let id = client.begin("workspace/executeCommand", command_at(&all, 14));
    client.notify("$/cancelRequest", json!({ "id": id }));
    let answer = client.finish("workspace/executeCommand", &id).unwrap();
    assert_eq!(answer["isCancelled"], true, "{answer:#}");
    client.progress.clear();
    let id = client.begin("workspace/executeCommand", command_at(&all, 14));
    client.wait("its progress", |it| !it.progress.is_empty());
    let token = client.progress[0]["token"].clone();
    client.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    let answer = client.finish("workspace/executeCommand", &id).unwrap();
    assert!(answer["message"].as_str().unwrap().starts_with("works: cancelled after "), "{answer:#}");
    // By an edit.
    let id = client.begin("workspace/executeCommand", command_at(&all, 14));
    client.change(FILE, TEXT);
    let error = client.finish("workspace/executeCommand", &id).unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (-32801, "works: an edit cancelled the exploration; start it again")
    );
    client.stop();
}

#[test]
fn what_cannot_be_explored_is_said() {
    let (_folder, mut client) = client();
    let uri = client.uri(FILE);
    for (command, arguments, expected) in [
        ("tsvd-check.explore", json!([]), "`tsvd-check.explore` needs the URI of a file"),
        ("tsvd-check.explore", json!([uri]), "`tsvd-check.explore` needs the entry that a code lens names"),
        (
            "tsvd-check.explore",
            json!([uri, "nothing"]),
            "nothing to explore: no program, test or public function runs main.rs",
        ),
        ("tsvd-check.exploreFile", json!(["file:///not/there.rs"]), "this file belongs to no project that is open"),
        ("tsvd-check.exploreFile", json!([7]), "`tsvd-check.exploreFile` needs the URI of a file"),
    ] {
        let params = json!({ "command": command, "arguments": arguments });
        let error = client.attempt("workspace/executeCommand", params).unwrap_err();
        assert!(error.message.starts_with(expected), "{}", error.message);
    }
    client.stop();
}
