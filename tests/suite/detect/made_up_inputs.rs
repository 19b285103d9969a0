//! Inputs made of what a package's own sources say: messages of its tests, documents of its types, paths and addresses.

use crate::support::Folder;

/// Waits for a lock that it holds. Only the expected input leads there.
const HANG: &str = "
pub fn hang() {
    let lock = std::sync::Mutex::new(0);
    let first = lock.lock().unwrap();
    let second = lock.lock().unwrap();
    drop((first, second));
}
";

const DEADLOCK: &str = "error[deadlock]";

fn package(dependencies: &str, files: &[(&str, &str)]) -> Folder {
    let manifest = format!(
        "[package]\nname = \"inputs\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n{dependencies}"
    );
    let library = files.iter().find(|(path, _)| *path == "src/lib.rs").map_or("", |(_, text)| text);
    let has_main = files.iter().any(|(path, _)| *path == "src/main.rs");
    let library = format!("{library}{}", if has_main { HANG } else { "" });
    let mut all = vec![("Cargo.toml", manifest.as_str()), ("src/lib.rs", library.as_str())];
    all.extend(files.iter().filter(|(path, _)| *path != "src/lib.rs"));
    Folder::new(&all)
}

#[track_caller]
fn finds(folder: &Folder, options: &[&str]) -> String {
    let (stdout, stderr, status) = folder.output(&[&["check", ".", "--runs", "200"], options].concat());
    assert!(status == 1 && stdout.contains(DEADLOCK) && stdout.contains("some-input"), "{stdout}{stderr}");
    stdout
}

#[test]
fn clients_send_what_tests_send() {
    let server = r#"
use std::io::Read;
fn main() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    let mut message = [0; 14];
    if stream.read_exact(&mut message).is_ok() && message.starts_with(b"*1") && message.ends_with(b"SAVE\r\n") {
        inputs::hang();
    }
}
"#;
    let test = r#"
use std::io::Write;
#[test]
#[ignore = "needs the server"]
fn saves() {
    let mut stream = std::net::TcpStream::connect("127.0.0.1:9").unwrap();
    stream.write_all(b"*1\r\n$4\r\nSAVE\r\n").unwrap();
}
"#;
    let stdout = finds(&package("", &[("src/main.rs", server), ("tests/server.rs", test)]), &["--no-api"]);
    assert!(stdout.contains("SAVE"), "{stdout}");

    // A package without a library: its tests need nothing of it.
    let alone = format!("{HANG}{}", server.replace("inputs::hang", "hang"));
    let manifest = "[package]\nname = \"server\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let files = [("Cargo.toml", manifest), ("src/main.rs", alone.as_str()), ("tests/server.rs", test)];
    finds(&Folder::new(&files), &[]);
}

#[test]
fn a_configuration_is_read() {
    let library = r#"
#[cfg_attr(any(), derive(Deserialize))]
#[cfg_attr(any(), serde(rename_all = "kebab-case"))]
pub struct Config { pub bind_address: String, pub limits: Limits }
#[cfg_attr(any(), derive(Deserialize))]
pub struct Limits { pub most: u32 }
"#;
    let main = r#"
fn main() {
    let text = std::fs::read_to_string("service.toml").unwrap_or_default();
    if text.contains("bind-address = \"127.0.0.1:") && text.contains("[limits]\nmost = ") {
        inputs::hang();
    }
}
"#;
    let reader = ("toml/Cargo.toml", "[package]\nname = \"toml\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let files = [("src/lib.rs", library), ("src/main.rs", main), reader, ("toml/src/lib.rs", "")];
    finds(&package("toml = { path = \"toml\" }\n", &files), &["--no-api"]);

    // Where no dependency reads documents, there are none.
    let (stdout, stderr, status) = package("", &files[..2]).output(&["check", ".", "--no-api", "--runs", "200"]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
}

#[test]
fn paths_and_addresses_are_given_to_functions() {
    let library = r#"
pub fn open(path: std::path::PathBuf, name: std::ffi::OsString, peer: std::net::SocketAddr) {
    std::thread::spawn(|| {}).join().unwrap();
    if !path.as_os_str().is_empty() && !name.is_empty() && peer.ip().is_loopback() && peer.port() > 0 {
        let lock = std::sync::Mutex::new(0);
        let first = lock.lock().unwrap();
        let second = lock.lock().unwrap();
        drop((first, second));
    }
}
"#;
    let stdout = finds(&package("", &[("src/lib.rs", library)]), &[]);
    assert!(stdout.contains("`path`"), "{stdout}");
}

#[test]
fn what_is_read_once_threads_run_differs_between_schedules() {
    let main = r#"
fn checksum() -> u64 {
    (0..50_000_u64).fold(0, |sum, number| sum.rotate_left(5) ^ number)
}
fn main() {
    println!("{}", checksum());
    let reader = std::thread::spawn(|| std::fs::read_to_string("notes.txt").unwrap_or_default());
    println!("{}", checksum());
    if reader.join().unwrap().starts_with("sesame") {
        inputs::hang();
    }
}
"#;
    // Of few schedules, all share one beginning.
    let folder = package("", &[("src/main.rs", main)]);
    let (stdout, stderr, status) = folder.output(&["check", ".", "--no-api", "--runs", "12"]);
    assert!(status == 1 && stdout.contains(DEADLOCK), "{stdout}{stderr}");
}

#[test]
fn a_program_has_a_user() {
    let main = r#"
unsafe extern "C" {
    fn getuid() -> u32;
}
fn main() {
    let user = unsafe { getuid() }.to_string();
    assert!(user == "0" || user == "1000", "{user}");
    if user != "0" {
        inputs::hang();
    }
}
"#;
    let stdout = finds(&package("", &[("src/main.rs", main)]), &["--no-api"]);
    assert!(!stdout.contains("panic") && stdout.contains("the user = 1000"), "{stdout}");
}

/// A server that depends on a library of HTTP.
fn server_of_http(source: &str) -> Folder {
    let server = format!("{HANG}{source}");
    let manifest = "[package]\nname = \"server\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
        [dependencies]\nhttparse = { path = \"httparse\" }\n";
    let library = "[package]\nname = \"httparse\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    Folder::new(&[
        ("Cargo.toml", manifest),
        ("src/main.rs", &server),
        ("httparse/Cargo.toml", library),
        ("httparse/src/lib.rs", ""),
    ])
}

#[test]
fn clients_of_a_server_of_http_send_its_methods_and_flags() {
    const SERVER: &str = r#"
use std::io::Read;
fn main() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    let mut request = String::new();
    if stream.read_to_string(&mut request).is_err() {
        return;
    }
    let line = request.lines().next().unwrap_or_default();
    let (target, query) = line.split_once('?').unwrap_or((line, ""));
    if target.starts_with("PROPFIND") && query.starts_with("zip") {
        hang();
    }
}
"#;
    finds(&server_of_http(SERVER), &[]);
}

/// These names are longer than words of the dictionary.
#[test]
fn clients_of_a_server_of_http_send_its_queries() {
    const SERVER: &str = r#"
use std::io::Read;
#[cfg_attr(any(), derive(Deserialize))]
struct Page { number_of_the_first_item: usize }
fn has(query: &str, name: &str) -> bool {
    query.split('&').any(|part| part.split('=').next() == Some(name))
}
fn main() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    let mut request = String::new();
    if stream.read_to_string(&mut request).is_err() {
        return;
    }
    let target = request.split(' ').nth(1).unwrap_or_default();
    let (_, query) = target.split_once('?').unwrap_or((target, ""));
    let links = ["list?descending_by_last_name", "list"];
    if has(query, &links[0][5..]) {
        hang();
    }
}
"#;
    finds(&server_of_http(SERVER), &[]);
    let by_name = SERVER.replace("has(query, &links[0][5..])", "has(query, \"with_all_the_details\")");
    finds(&server_of_http(&by_name), &[]);
    let by_type =
        SERVER.replace("has(query, &links[0][5..])", "query.contains(&[\"number_of_the_\", \"first_item=\"].concat())");
    finds(&server_of_http(&by_type), &[]);
}

/// A server with a thread for each client. Two of its three routes lock in two orders; one takes a document.
const LEDGER: &str = r#"
use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
};
#[derive(Default)]
struct Ledger { entries: Mutex<Vec<String>>, total: Mutex<u64> }
#[cfg_attr(any(), derive(Deserialize))]
struct Entry { text: String, amount: u64 }
struct Json<T>(Option<T>);
struct Router;
impl Router {
    fn route(self, _: &str, _: ()) -> Router { self }
    fn nest(self, _: &str, _: Router) -> Router { self }
}
fn get<T>(_: fn(&Ledger, T) -> String) {}
fn post<T>(_: fn(&Ledger, T) -> String) {}

fn router() -> Router {
    let entries = Router.route("/total", get(total)).route("/", post(add));
    Router.route("/health", get(health)).nest("/entries", entries)
}
fn health(_: &Ledger, _: ()) -> String { String::from("good") }
fn total(ledger: &Ledger, _: ()) -> String {
    let total = ledger.total.lock().unwrap();
    format!("{total} in {}", ledger.entries.lock().unwrap().len())
}
fn add(ledger: &Ledger, entry: Json<Entry>) -> String {
    let Some(entry) = entry.0 else { return String::from("which?") };
    let mut entries = ledger.entries.lock().unwrap();
    entries.push(entry.text);
    *ledger.total.lock().unwrap() += entry.amount;
    String::from("added")
}
fn answer(ledger: &Ledger, request: &str) -> String {
    let (head, body) = request.split_once("\r\n\r\n").unwrap_or((request, ""));
    let entry = || Some(Entry { text: body.split_once("\"text\":")?.1.to_owned(), amount: 1 });
    match head.split(" HTTP/1.1").next() {
        Some("GET /health") => health(ledger, ()),
        Some("GET /entries/total") => total(ledger, ()),
        Some("POST /entries") => add(ledger, Json(entry())),
        _ => String::from("what?"),
    }
}
fn main() {
    let _ = router();
    let ledger = Arc::new(Ledger::default());
    let listener = TcpListener::bind("127.0.0.1:8080").unwrap();
    for client in listener.incoming() {
        let (Ok(mut client), ledger) = (client, ledger.clone()) else { return };
        std::thread::spawn(move || {
            let mut bytes = [0; 1024];
            while let Ok(count @ 1..) = client.read(&mut bytes) {
                let text = answer(&ledger, &String::from_utf8_lossy(&bytes[..count]));
                if client.write_all(text.as_bytes()).is_err() { return }
            }
        });
    }
}
"#;

/// Two clients come together, and each asks for something that the source registers.
#[test]
fn routes_of_a_server_are_asked_for_at_once() {
    let stdout = finds(&server_of_http(LEDGER), &["--no-api"]);
    let order = "`total` takes total, then entries; `add` takes entries, then total";
    let other = "`add` takes entries, then total; `total` takes total, then entries";
    assert!(stdout.contains(order) || stdout.contains(other), "{stdout}");
    let ordered = LEDGER
        .replace("let mut entries = ledger", "let mut total = ledger.total.lock().unwrap();\nlet mut entries = ledger");
    let ordered = ordered.replace("*ledger.total.lock().unwrap() += entry", "*total += entry");
    let (stdout, stderr, status) = server_of_http(&ordered).output(&["check", ".", "--no-api"]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    // Two sites are in `hang`, which nothing calls here.
    assert!(stderr.contains("reached 4 of 6 lock sites, 4 concurrently"), "{stderr}");
}

/// A command line of a test is given as a whole, also if no other word of the program occurs in it.
#[test]
fn command_lines_of_tests_are_given() {
    const PARSER: &str = r#"
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.len() == 5 && args[2].starts_with("disk:/") && args[4].parse::<u16>().is_ok() {
        hang();
    }
}
"#;
    let main = format!("{HANG}{PARSER}");
    let test = r#"
use std::process::Command;
#[test]
#[ignore = "needs a disk"]
fn saves() {
    let port = std::env::var("PORT").unwrap();
    let program = env!("CARGO_BIN_EXE_inputs");
    let status = Command::new(program).args(["sync", "--from", "disk:/of/the/other/machine"]).arg("--port").arg(port);
    assert!(status.status().unwrap().success());
}
"#;
    let stdout = finds(&package("", &[("src/main.rs", &main), ("tests/command.rs", test)]), &["--no-api"]);
    assert!(stdout.contains("disk:/of/the/other/machine"), "{stdout}");
}

/// Where a program declares its options with a builder, made-up command lines have them.
#[test]
fn options_of_a_builder_are_given() {
    const PARSER: &str = r#"
struct Arg;
impl Arg {
    fn new(_: &str) -> Arg { Arg }
    fn long(self, _: &str) -> Arg { self }
    fn short(self, _: char) -> Arg { self }
    fn takes_value(self, _: bool) -> Arg { self }
    fn required(self, _: bool) -> Arg { self }
}
fn main() {
    let _ = Arg::new("server").long("server").short('s').takes_value(false);
    let _ = Arg::new("port").long("port").takes_value(true).required(true);
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = args.iter().position(|it| it == "--port").map(|it| args[it + 1].as_str());
    if args.iter().any(|it| it == "--server") && value == Some("8") {
        hang();
    }
}
"#;
    let main = format!("{HANG}{PARSER}");
    let stdout = finds(&package("", &[("src/main.rs", &main)]), &["--no-api"]);
    assert!(stdout.contains("\"--server\""), "{stdout}");
}
