//! Tests that start programs of their package as children.

use crate::support::Folder;
use serde_json::Value;

const MANIFEST: &str = "\
[package]
name = \"tool\"
version = \"0.1.0\"
edition = \"2024\"

[workspace]
";

/// A command-line tool that has a bug behind one argument.
const MAIN: &str = r#"
use std::sync::{Arc, Mutex};

static CALLS: Mutex<u32> = Mutex::new(0);

struct Shared(std::cell::UnsafeCell<u32>);
unsafe impl Sync for Shared {}

fn tally() {
    let shared = Arc::new(Shared(0.into()));
    let twin = shared.clone();
    let worker = std::thread::spawn(move || unsafe { *twin.0.get() += 1 });
    unsafe { *shared.0.get() += 1 };
    worker.join().unwrap();
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    *CALLS.lock().unwrap() += 1;
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["repeat", word, times] => println!("{}", word.repeat(times.parse().unwrap())),
        [first, "with", "a", second, "tally"] if first == second => tally(),
        [] => println!("nothing to do"),
        _ => {
            eprintln!("tool: {args:?}?");
            std::process::exit(2);
        }
    }
}
"#;

/// Tests that find the tool in the three usual ways.
const TESTS: &str = r#"
use std::path::PathBuf;
use std::process::{Command, Output};

fn beside() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    if path.ends_with("deps") {
        path.pop();
    }
    path.join("tool")
}

fn text(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn by_variable() {
    let output = Command::new(env!("CARGO_BIN_EXE_tool")).args(["repeat", "ab", "3"]).output().unwrap();
    assert_eq!(text(&output), ("ababab\n".into(), String::new(), Some(0)));
}

#[test]
fn beside_the_tests() {
    let program = beside();
    assert!(program.exists());
    let output = Command::new(program).arg("dance").output().unwrap();
    assert_eq!(text(&output), (String::new(), "tool: [\"dance\"]?\n".into(), Some(2)));
}

#[test]
fn in_the_path() {
    let program = beside();
    let mut command = Command::new("tool");
    // SAFETY: this is the only thread.
    unsafe { std::env::set_var("PATH", program.parent().unwrap()) };
    assert_eq!(text(&command.output().unwrap()).0, "nothing to do\n");
}

#[test]
fn with_a_tally() {
    let status = Command::new(env!("CARGO_BIN_EXE_tool")).args(["x", "with", "a", "x", "tally"]).status().unwrap();
    assert!(status.success());
}

#[test]
fn not_there() {
    assert!(Command::new(env!("CARGO_BIN_EXE_tool")).current_dir("/no/such/folder").spawn().is_err());
}
"#;

fn package() -> Folder {
    Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN), ("tests/cli.rs", TESTS)])
}

#[test]
fn tests_run_the_programs_of_their_package() {
    let (stdout, stderr, status) = package().output(&["test", "."]);
    assert!(format!("{stdout}{stderr}").contains("5 passed, 0 unknown, 0 failed"), "{stdout}{stderr}");
    assert_eq!(status, 0);
}

/// No made-up command line gets to the tally, but a test does.
#[test]
fn a_bug_in_a_child_is_found() {
    let folder = package();
    let (stdout, stderr, status) = folder.output(&["check", "."]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stdout.contains("data-race") && stdout.contains("src/main.rs:12:54"), "{stdout}");
    assert!(stdout.contains("`main of tool`") && stdout.contains("started at cli.rs:44"), "{stdout}");
    assert!(stdout.contains("certain: it depends on no unknown value"), "{stdout}");
}

#[test]
fn sites_in_a_child_are_reached() {
    let (stdout, _, _) = package().output(&["reach", ".", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let sites = report["packages"][0]["sites"].as_array().unwrap();
    let spawn = sites.iter().find(|it| it["kind"] == "spawn").unwrap();
    assert!(spawn["why_not"].is_null(), "{spawn}");
}

/// A tool whose command line is parsed by clap, with a bug behind one command line.
const PARSED: &str = r#"
use clap::{Parser, Subcommand};
use std::sync::Arc;

/// Says words
#[derive(Parser)]
struct Options {
    #[arg(long, default_value_t = 1)]
    times: usize,
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    Repeat { word: String },
    Tally { first: String, #[arg(long)] second: Option<String> },
}

struct Shared(std::cell::UnsafeCell<usize>);
unsafe impl Sync for Shared {}

fn main() {
    let options = Options::parse();
    match options.command {
        Action::Repeat { word } => println!("{}", word.repeat(options.times)),
        Action::Tally { first, second } if second.as_deref() == Some("five") && first.len() + options.times == 8 => {
            let shared = Arc::new(Shared(0.into()));
            let twin = shared.clone();
            let worker = std::thread::spawn(move || unsafe { *twin.0.get() += 1 });
            unsafe { *shared.0.get() += 1 };
            worker.join().unwrap();
        }
        Action::Tally { .. } => {}
    }
}
"#;

const TESTS_OF_PARSED: &str = r#"
use std::process::{Command, Output};

fn tool(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tool")).args(arguments).output().unwrap()
}

#[test]
fn repeats() {
    let output = tool(&["--times", "3", "repeat", "ab"]);
    assert_eq!(output.stdout, b"ababab\n");
    assert!(output.status.success());
}

#[test]
fn wrong() {
    let output = tool(&["repet", "ab"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    let tip = "error: unrecognized subcommand 'repet'\n\n  tip: a similar subcommand exists: 'repeat'\n\n";
    assert!(text.starts_with(tip), "{text}");
    assert!(text.contains("Usage: tool [OPTIONS] <COMMAND>\n"), "{text}");
}

#[test]
fn tallies() {
    assert!(tool(&["--times=5", "tally", "abc", "--second", "five"]).status.success());
}
"#;

/// Nothing makes up what the child gets: clap's own code parses it.
#[test]
fn command_lines_of_children_are_parsed() {
    let manifest = format!("{MANIFEST}\n[dependencies]\nclap = {{ version = \"4\", features = [\"derive\"] }}\n");
    let lock = include_str!("../../fidelity/packages/command_lines/Cargo.lock");
    let lock = lock.replace("name = \"command_lines\"\nversion = \"1.2.3\"", "name = \"tool\"\nversion = \"0.1.0\"");
    let folder = Folder::new(&[
        ("Cargo.toml", &manifest),
        ("Cargo.lock", &lock),
        ("src/main.rs", PARSED),
        ("tests/cli.rs", TESTS_OF_PARSED),
    ]);
    let (stdout, stderr, status) = folder.output(&["test", ".", "--list"]);
    assert!(stdout.contains("3 passed, 0 unknown, 0 failed"), "{stdout}{stderr}");
    assert_eq!(status, 0);
    let (stdout, stderr, status) = folder.output(&["check", "."]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.contains("data-race") && stdout.contains("`main of tool`"), "{stdout}{stderr}");
    let shown = (90..=100).any(|it| stdout.contains(&format!(" {it} of 100 schedules show it")));
    assert!(shown, "{stdout}");
}

/// A made-up program often prints a text that its caller looks for.
#[test]
fn unknown_programs_print_what_is_looked_for() {
    let source = r#"
use std::process::Command;

static mut SEEN: usize = 0;

fn version() -> Option<String> {
    let output = Command::new("ping").arg("-V").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().find(|line| line.starts_with("ping from"))?;
    line.contains("iputils (2").then(|| line.to_owned())
}

fn main() {
    let Some(version) = version() else { return };
    let worker = std::thread::spawn(|| unsafe { SEEN += 1 });
    unsafe { SEEN += version.len() };
    worker.join().unwrap();
}
"#;
    let folder = Folder::new(&[("asks.rs", source)]);
    let (stdout, stderr, status) = folder.output(&["check", "asks.rs"]);
    assert!(status == 1 && stdout.contains("data-race") && stdout.contains("some-input"), "{stdout}{stderr}");
}

/// A program of which nothing is known prints something, and ends; it may not be there.
#[test]
fn unknown_programs_are_inputs() {
    let source = r#"
use std::process::Command;
use std::sync::{Arc, Mutex};

fn inverted() {
    let locks = Arc::new((Mutex::new(0), Mutex::new(0)));
    let twin = locks.clone();
    let worker = std::thread::spawn(move || {
        let first = twin.0.lock().unwrap();
        *twin.1.lock().unwrap() += *first;
    });
    let second = locks.1.lock().unwrap();
    *locks.0.lock().unwrap() += *second;
    drop(second);
    worker.join().unwrap();
}

fn main() {
    match Command::new("git").args(["rev-parse", "HEAD"]).output() {
        Ok(output) if output.status.success() && output.stdout.is_empty() => inverted(),
        _ => {}
    }
}
"#;
    let folder = Folder::new(&[("asks.rs", source)]);
    let (stdout, stderr, status) = folder.output(&["check", "asks.rs"]);
    assert!(status == 1 && stdout.contains("deadlock") && stdout.contains("some-input"), "{stdout}{stderr}");
}

/// A server, and a client in the same program; only a client that knows the word gets far enough.
const MEETING: &str = r#"
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::Arc,
};

const WORD: [u8; 4] = [0xfe, 0x01, 0x7c, 0x00];

struct Shared(std::cell::UnsafeCell<u32>);
unsafe impl Sync for Shared {}

fn serve() {
    let listener = TcpListener::bind("127.0.0.1:7117").unwrap();
    for visitor in listener.incoming() {
        let mut word = [0; 4];
        let mut visitor = visitor.unwrap();
        if visitor.read_exact(&mut word).is_ok() && word == WORD {
            let shared = Arc::new(Shared(0.into()));
            let twin = shared.clone();
            let worker = std::thread::spawn(move || unsafe { *twin.0.get() += 1 });
            unsafe { *shared.0.get() += 1 };
            worker.join().unwrap();
            return;
        }
    }
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("ask") => TcpStream::connect("127.0.0.1:7117").unwrap().write_all(&WORD).unwrap(),
        _ => serve(),
    }
}
"#;

/// A made-up visitor does not know the word; the program itself does.
#[test]
fn a_server_is_visited_by_its_own_program() {
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", MEETING)]);
    let (stdout, _, status) = folder.output(&["check", "--no-cache"]);
    assert_eq!(status, 1, "{stdout}");
    assert!(stdout.contains("error[data-race]") && stdout.contains("`tool` started as a second program"), "{stdout}");
    assert!(stdout.contains("the arguments \"ask\""), "{stdout}");
    let without = MEETING.replace("&WORD)", "&[0])");
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", &without)]);
    let (stdout, _, status) = folder.output(&["check", "--no-cache"]);
    assert_eq!(status, 0, "{stdout}");
}

/// A server and a client that need the same variable.
const REALM: &str = r#"
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::Arc,
};

struct Shared(std::cell::UnsafeCell<u32>);
unsafe impl Sync for Shared {}

fn greeting(realm: &str) -> Vec<u8> {
    [&[0xfe, 0x01, 0x7c, 0x00], realm.as_bytes()].concat()
}

fn serve(realm: &str) {
    let listener = TcpListener::bind("127.0.0.1:7117").unwrap();
    for visitor in listener.incoming() {
        let own = greeting(realm);
        let mut word = vec![0; own.len()];
        let mut visitor = visitor.unwrap();
        if visitor.read_exact(&mut word).is_ok() && word == own {
            let shared = Arc::new(Shared(0.into()));
            let twin = shared.clone();
            let worker = std::thread::spawn(move || unsafe { *twin.0.get() += 1 });
            unsafe { *shared.0.get() += 1 };
            worker.join().unwrap();
            return;
        }
    }
}

fn main() {
    let Ok(realm) = std::env::var("REALM") else { return };
    if realm.len() < 3 {
        return;
    }
    match std::env::args().nth(1).as_deref() {
        Some("ask") => TcpStream::connect("127.0.0.1:7117").unwrap().write_all(&greeting(&realm)).unwrap(),
        _ => serve(&realm),
    }
}
"#;

#[test]
fn a_second_program_mostly_has_the_variables_of_the_first() {
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", REALM)]);
    let (stdout, stderr, _) = folder.output(&["check", "--no-cache"]);
    assert!(
        stdout.contains("error[data-race]") && stdout.contains("`tool` started as a second program"),
        "{stdout}{stderr}"
    );
}

/// A server and a client that take long to start and then read a document, as a README shows them.
const CAVE: &str = r#"
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, mpsc::channel},
    thread,
};

struct Shared(std::cell::UnsafeCell<u32>);
unsafe impl Sync for Shared {}

fn serve(at: &str, word: &str) {
    let Ok(listener) = TcpListener::bind(at) else { return };
    for visitor in listener.incoming() {
        let mut said = vec![0; word.len()];
        let Ok(mut visitor) = visitor else { continue };
        if visitor.read_exact(&mut said).is_ok() && said == word.as_bytes() {
            let shared = Arc::new(Shared(0.into()));
            let twin = shared.clone();
            let worker = thread::spawn(move || unsafe { *twin.0.get() += 1 });
            unsafe { *shared.0.get() += 1 };
            worker.join().unwrap();
            return;
        }
    }
}

fn ask(at: &str, word: &str) {
    if let Ok(mut server) = TcpStream::connect(at) {
        let _ = server.write_all(word.as_bytes());
    }
}

/// Over a million steps.
fn prepare() -> u64 {
    (0..400_000_u64).fold(0, |sum, number| sum.rotate_left(5) ^ number)
}

fn main() {
    let (sender, receiver) = channel::<fn()>();
    let worker = thread::spawn(move || receiver.iter().for_each(|task| task()));
    let level = std::env::var("LEVEL").map_or(Ok(0), |it| it.parse::<u8>()).expect("a number in LEVEL");
    if prepare() == u64::from(level) {
        return;
    }
    sender.send(|| ()).unwrap();
    let text = std::env::args().nth(1).and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let get = |key| toml::get(&text, key);
    match (get("bind_addr"), get("remote_addr"), get("word")) {
        (Some(at), _, Some(word)) => serve(at, word),
        (_, Some(at), Some(word)) => ask(at, word),
        _ => {}
    }
    drop(sender);
    worker.join().unwrap();
}
"#;

const OF_CAVE: &str = r#"
```toml
# Of the server. All who know the word are let in, so keep it to yourself.
[server]
bind_addr = "0.0.0.0:2333" # where clients knock
word = "open sesame"
```

```toml
# Of a client.
[client]
remote_addr = "cave.example:2333" # where the server is
word = "open sesame" # the same as that of the server
```

```toml
[client]
remote_addr = "cave.example:4000"
word = "open barley"
```
"#;

const READER: &str = r#"
/// The text of a key.
pub fn get<'a>(document: &'a str, key: &str) -> Option<&'a str> {
    let of_key = |line: &'a str| line.strip_prefix(key)?.trim_start().strip_prefix("= \"");
    document.lines().find_map(of_key)?.split('"').next()
}
"#;

#[test]
fn a_second_program_reads_a_document_of_its_own() {
    let manifest = format!("{MANIFEST}\n[dependencies]\ntoml = {{ path = \"toml\" }}\n");
    let folder = Folder::new(&[
        ("Cargo.toml", &manifest),
        ("README.md", OF_CAVE),
        ("src/main.rs", CAVE),
        ("toml/Cargo.toml", "[package]\nname = \"toml\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("toml/src/lib.rs", READER),
    ]);
    let (stdout, stderr, _) = folder.output(&["check", "--no-cache"]);
    assert!(
        stdout.contains("error[data-race]") && stdout.contains("`tool` started as a second program"),
        "{stdout}{stderr}"
    );
    // Comments are no part of what a program reads.
    assert!(stdout.contains("[server]\\nbind_addr"), "{stdout}");
}

/// A server that first prepares itself, and then has listeners of two kinds, as tunnels have: what comes to the second one
/// goes through connections that its client makes.
const TUNNEL: &str = r#"
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

static mut RELAYED: u32 = 0;

unsafe extern "C" {
    fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
}

extern "C" fn ends(_: i32) {
    std::process::exit(0);
}

fn server() {
    let listener = TcpListener::bind("0.0.0.0:2333").unwrap();
    let (give, data) = mpsc::channel::<TcpStream>();
    let mut data = Some(data);
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let mut kind = [0];
        if stream.read_exact(&mut kind).is_err() {
            continue;
        }
        match kind[0] {
            b'C' => {
                let Some(data) = data.take() else { continue };
                thread::spawn(move || {
                    let visitors = TcpListener::bind("0.0.0.0:5202").unwrap();
                    for visitor in visitors.incoming() {
                        let mut visitor = visitor.unwrap();
                        stream.write_all(b"D").unwrap();
                        let mut channel = data.recv().unwrap();
                        let mut text = [0; 4];
                        let n = visitor.read(&mut text).unwrap();
                        channel.write_all(&text[..n]).unwrap();
                        thread::spawn(|| unsafe { RELAYED += 1 });
                        unsafe { RELAYED += 1 };
                    }
                });
            }
            b'D' => give.send(stream).unwrap(),
            _ => {}
        }
    }
}

fn client() {
    let mut control = TcpStream::connect("example.com:2333").unwrap();
    control.write_all(b"C").unwrap();
    let mut command = [0];
    while control.read_exact(&mut command).is_ok() {
        thread::spawn(|| {
            let mut data = TcpStream::connect("example.com:2333").unwrap();
            data.write_all(b"D").unwrap();
            println!("{:?}", data.read_to_end(&mut Vec::new()));
        });
    }
}

fn main() {
    let mut table: Vec<u64> = (0..100_000).collect();
    for step in 1..5 {
        table.iter_mut().for_each(|it| *it ^= *it << step);
    }
    assert!(table[1] != 0);
    unsafe { signal(15, ends) };
    match std::env::args().nth(1) {
        Some(_) => client(),
        None => server(),
    }
}
"#;

/// Both programs begin, then visitors come to the second listener; only after that a signal ends the server. Most seeds
/// show it, 0 does not.
#[test]
fn a_server_and_its_client_have_time_to_work() {
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", TUNNEL)]);
    let (stdout, stderr, status) = folder.output(&["check", "--no-cache", "--no-api", "--seed", "1"]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.contains("both update `RELAYED`"), "{stdout}{stderr}");
}
