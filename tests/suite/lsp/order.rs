//! What the user looks at is explored first.

use crate::support::{Folder, client::Client};
use serde_json::json;

const MANIFEST: &str = "[package]\nname = \"shop\"\nedition = \"2024\"\n";

/// A test that waits for itself, behind others.
fn module(name: &str) -> String {
    let others: String = (0..5).map(|it| format!("#[test]\nfn other{it}() {{\n    other();\n}}\n")).collect();
    format!(
        "fn other() {{}}\n{others}#[test]\nfn {name}() {{\n    let lock = std::sync::Mutex::new(0);\n    let _one = lock.lock().unwrap();\n    let _two = lock.lock().unwrap();\n}}\n"
    )
}

fn modules() -> Folder {
    let text = ["a", "b", "c"].map(module);
    Folder::new(&[
        ("Cargo.toml", MANIFEST),
        ("src/main.rs", "mod a;\nmod b;\nmod c;\nfn main() {}\n"),
        ("src/a.rs", &text[0]),
        ("src/b.rs", &text[1]),
        ("src/c.rs", &text[2]),
    ])
}

/// The files in the order of their findings, if these are opened one after the other while the project is loaded.
fn found(opened: &[&str]) -> Vec<String> {
    let folder = modules();
    let mut client = Client::start(folder.path());
    for name in opened {
        client.open(&format!("src/{name}.rs"), &module(name));
    }
    client.wait("all findings", |it| it.found.len() == 3);
    let found = client.found.clone();
    client.stop();
    found
}

#[test]
fn the_file_in_view_goes_first() {
    assert_eq!(found(&["c"])[0], "src/c.rs");
    assert_eq!(found(&["b"])[0], "src/b.rs");
    // The last one first.
    let both = found(&["c", "b"]);
    assert!(both[..2] == ["src/b.rs", "src/c.rs"] || both[..2] == ["src/c.rs", "src/b.rs"], "{both:?}");
    assert_eq!(both[2], "src/a.rs");
}

/// It starts a thread, and no entry runs it.
#[test]
fn a_function_in_view_that_nothing_runs_goes_first() {
    const IDLE: &str = "static mut N: u32 = 0;\nfn idle() {\n    let thread = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    thread.join().unwrap();\n}\n";
    let folder = modules();
    folder.write("src/c.rs", IDLE.as_bytes());
    let mut client = Client::start(folder.path());
    client.open("src/c.rs", IDLE);
    client.wait("all findings", |it| it.found.len() == 3);
    assert_eq!(client.found[0], "src/c.rs");
    // It is not needed any more once something runs it, and its finding is that entry's.
    let run = format!("{IDLE}#[test]\nfn runs() {{\n    idle();\n}}\n");
    client.change("src/c.rs", &run);
    client.idle();
    assert_eq!(client.findings("src/c.rs").len(), 1);
    client.change("src/c.rs", "fn idle() {}\n");
    client.idle();
    assert_eq!(client.findings("src/c.rs").len(), 0);
    client.stop();
}

/// Many tests that each take a while, in the same file as a short one.
#[test]
fn a_file_that_is_opened_later_does_not_wait() {
    let long: String = (0..60)
        .map(|it| format!("#[test]\nfn long{it}() {{\n    let spin = || for _ in 0..20_000 {{ std::hint::black_box(1); }};\n    std::thread::scope(|s| {{ s.spawn(spin); spin() }});\n}}\n"))
        .collect();
    let text = module("b");
    let folder = Folder::new(&[
        ("Cargo.toml", MANIFEST),
        ("src/main.rs", "mod a;\nmod b;\nfn main() {}\n"),
        ("src/a.rs", &long),
        ("src/b.rs", "pub fn nothing() {}\n"),
    ]);
    let capabilities = json!({ "experimental": { "serverStatusNotification": true } });
    let mut client = Client::start_with(folder.path(), &capabilities);
    client.open("src/a.rs", &long);
    client.wait("the exploration", |it| it.statuses.iter().any(|it| it["message"] == "exploring schedules"));
    client.open("src/b.rs", &text);
    client.wait("the deadlock", |it| it.findings("src/b.rs").len() == 1);
    assert_eq!(client.statuses.last().unwrap()["quiescent"], false, "the long tests are behind it");
    // A client says which of the open files is in view.
    client.change("src/b.rs", "pub fn nothing() {}\n");
    client.wait("nothing", |it| it.findings("src/b.rs").is_empty());
    client.notify("tsvd-check/inView", json!({ "uri": client.uri("src/a.rs") }));
    client.notify("tsvd-check/inView", json!({ "uri": "file:///not/open.rs" }));
    client.stop();
}
