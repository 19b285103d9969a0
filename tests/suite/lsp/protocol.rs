//! Clients that violate the protocol: each gets an answer, and the process ends when it should.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// An endless program, which is explored for a long time.
const LONG: &str = "\
use std::{sync::Mutex, thread};
static STOCK: Mutex<u32> = Mutex::new(0);
fn main() {
    for _ in 0..8 {
        thread::spawn(|| loop { *STOCK.lock().unwrap() += 1 });
    }
    loop { thread::yield_now() }
}
";

/// The server and its two pipes.
struct Session {
    server: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    folder: TempDir,
}

/// The messages of a stream, read in a thread that ends with it.
fn messages(output: ChildStdout) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        while let Some(message) = message(&mut output) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    receiver
}

fn message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().expect("a length"),
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}

impl Session {
    /// A server before `initialize`.
    fn new() -> Session {
        Session::new_in(tempfile::tempdir().expect("the temporary folder is writable"))
    }

    fn new_in(folder: TempDir) -> Session {
        let mut server = Command::new(env!("CARGO_BIN_EXE_tsvd-check"))
            .args(["lsp", "--stdio"])
            .env("XDG_CACHE_HOME", folder.path().join(".cache"))
            .env_remove("CARGO")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program was built");
        let input = server.stdin.take();
        let output = messages(server.stdout.take().expect("it is piped"));
        Session { server, input, output, folder }
    }

    /// A server that has answered `initialize`.
    fn initialized() -> Session {
        Session::new().initialize()
    }

    fn initialize(mut self) -> Session {
        let session = &mut self;
        session.send(&json!({ "id": 0, "method": "initialize", "params": { "capabilities": {} } }));
        assert!(session.answer(&json!(0))["result"]["capabilities"].is_object());
        session.send(&json!({ "method": "initialized", "params": {} }));
        self
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    fn body(&mut self, body: &str) {
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn send(&mut self, message: &Value) {
        self.body(&message.to_string());
    }

    fn request(&mut self, id: i64, method: &str) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method }));
        self.answer(&json!(id))
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn open(&mut self, path: &str, text: &str) -> String {
        let uri = format!("file://{}", self.folder.path().join(path).display());
        let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        uri
    }

    /// The next message that satisfies `is_it`.
    fn next(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let message = self.output.recv_timeout(PATIENCE.saturating_sub(began.elapsed())).expect("it answers");
            if is_it(&message) {
                return message;
            }
        }
    }

    fn answer(&self, id: &Value) -> Value {
        self.next(|it| it["id"] == *id && it["method"].is_null())
    }

    fn code(&self, id: &Value) -> i64 {
        let answer = self.answer(id);
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {answer}"))
    }

    /// The exit status after the process has ended, and its standard error.
    fn end(mut self) -> (i32, String) {
        self.wait()
    }

    fn wait(&mut self) -> (i32, String) {
        let began = Instant::now();
        let status = loop {
            match self.server.try_wait().expect("it can be waited for") {
                Some(status) => break status,
                None => std::thread::sleep(Duration::from_millis(20)),
            }
            assert!(began.elapsed() < PATIENCE, "it does not end");
        };
        let mut stderr = String::new();
        let pipe = self.server.stderr.as_mut().expect("it is piped");
        pipe.read_to_string(&mut stderr).expect("only text is printed");
        (status.code().unwrap_or_else(|| panic!("it was killed: {status}: {stderr}")), stderr)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Kills the process if a test fails.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn a_body_that_is_no_message_is_answered() {
    let mut session = Session::initialized();
    let deep = "[".repeat(1_000_000);
    for (body, code) in [
        ("", -32700),
        ("{\"id\":1,", -32700),
        ("nonsense", -32700),
        (deep.as_str(), -32700),
        ("[]", -32600),
        ("null", -32600),
        ("{\"jsonrpc\":\"2.0\"}", -32600),
        ("{\"id\":null,\"method\":\"shutdown\"}", -32600),
    ] {
        session.body(body);
        assert_eq!(session.code(&Value::Null), code, "{body:.40}");
    }
    session.raw(b"Content-Length: 2\r\n\r\n\xff\xff");
    assert_eq!(session.code(&Value::Null), -32700);
    // The session continues.
    assert_eq!(session.request(7, "tsvd-check/status")["result"]["isIdle"], true);
    session.request(8, "shutdown");
    session.notify("exit", &Value::Null);
    assert_eq!(session.end(), (0, String::new()));
}

#[test]
fn broken_framing_ends_the_session_with_a_word() {
    let long = "X".repeat(1 << 20);
    for header in [
        "Content-Length: 100000000000000\r\n\r\n",
        "Content-Length: 18446744073709551616\r\n\r\n",
        "Content-Length: -5\r\n\r\n",
        "Content-Length: five\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 200\r\n\r\n",
        "Content-Type: application/json\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        long.as_str(),
    ] {
        let mut session = Session::initialized();
        let bytes = format!("{header}{{}}");
        // It may end before it has read everything.
        let _ = session.input.as_mut().expect("it is open").write_all(bytes.as_bytes());
        assert_eq!(session.code(&Value::Null), -32700, "{header:.40}");
        let (status, stderr) = session.end();
        assert!(status == 2 && stderr.starts_with("error: the client sent "), "{header:.40}: {status} {stderr}");
    }
}

#[test]
fn the_client_closes_its_end() {
    // At the start, within a message, and when idle.
    for bytes in ["", "Content-Len", "Content-Length: 1000000\r\n\r\n{\"id\":"] {
        for mut session in [Session::new(), Session::initialized()] {
            session.raw(bytes.as_bytes());
            session.input = None;
            assert_eq!(session.end(), (1, String::new()), "{bytes:?}");
        }
    }
    // After a shutdown request this is a regular end.
    let mut session = Session::initialized();
    session.request(1, "shutdown");
    session.input = None;
    assert_eq!(session.end(), (0, String::new()));
}

#[test]
fn the_client_goes_away_while_something_is_analysed() {
    for is_reading in [true, false] {
        let mut session = Session::initialized();
        session.open("long.rs", LONG);
        // Loading has started.
        assert_eq!(session.request(1, "tsvd-check/status")["result"]["isIdle"], false);
        if is_reading {
            session.input = None;
        } else {
            session.notify("exit", &Value::Null);
        }
        assert_eq!(session.end(), (1, String::new()));
    }
}

#[test]
fn a_client_that_does_not_read() {
    let mut session = Session::initialized();
    // Closes the reading end of its output.
    session.output = channel().1;
    for id in 0..1_000 {
        let request = json!({ "id": id, "method": "tsvd-check/status" }).to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{request}", request.len());
        if session.input.as_mut().expect("it is open").write_all(framed.as_bytes()).is_err() {
            break;
        }
    }
    let (status, stderr) = session.end();
    assert!(status == 2 && stderr.starts_with("error: the client does not read"), "{status} {stderr}");
}

#[test]
fn the_order_of_a_session() {
    let mut session = Session::new();
    assert_eq!(session.request(1, "tsvd-check/status")["error"]["code"], -32002);
    assert_eq!(session.request(2, "shutdown")["error"]["code"], -32002);
    session.notify("textDocument/didOpen", &json!({}));
    session.send(&json!({ "id": "x", "method": "initialize", "params": { "capabilities": 7 } }));
    assert_eq!(session.code(&json!("x")), -32602);
    session.send(&json!({ "id": "y", "method": "initialize", "params": { "capabilities": {} } }));
    assert!(session.answer(&json!("y"))["result"].is_object());
    assert_eq!(session.request(3, "initialize")["error"]["code"], -32600);
    assert_eq!(session.request(4, "textDocument/rename")["error"]["code"], -32601);
    assert!(session.request(5, "shutdown")["result"].is_null());
    assert_eq!(session.request(6, "tsvd-check/status")["error"]["code"], -32600);
    assert_eq!(session.request(7, "shutdown")["error"]["code"], -32600);
    session.open("late.rs", "fn main() {}");
    session.body("{");
    assert_eq!(session.code(&Value::Null), -32700);
    session.notify("exit", &Value::Null);
    assert_eq!(session.end(), (0, String::new()));
    for mut session in [Session::new(), Session::initialized()] {
        session.notify("exit", &Value::Null);
        assert_eq!(session.end(), (1, String::new()));
    }
}

#[test]
fn ids_are_answered_as_they_were_sent() {
    let mut session = Session::initialized();
    for id in [json!("a\u{202e}\u{1b}b"), json!(1u64 << 60), json!(-1), json!(1.5), json!("")] {
        session.send(&json!({ "id": id, "method": "tsvd-check/status" }));
        assert!(session.answer(&id)["result"].is_object(), "{id}");
    }
}

#[test]
fn malformed_parameters_and_positions_outside() {
    let mut session = Session::initialized();
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "textDocument/didSave",
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeWorkspaceFolders",
        "workspace/didChangeConfiguration",
    ] {
        for params in [json!(null), json!([]), json!({ "textDocument": 1, "changes": {}, "event": [], "settings": [] })]
        {
            session.notify(method, &params);
        }
        // Settings may have any form.
        if method != "workspace/didChangeConfiguration" {
            for _ in 0..3 {
                let log = session.next(|it| it["method"] == "window/logMessage");
                assert!(log["params"]["message"].as_str().expect("a text").contains(method), "{log}");
            }
        }
    }
    let uri = session.open("a.rs", "fn main() { let 𝄞 = 1; }\r\n");
    let ends = [0, 1, 17, 1_000, u32::MAX];
    for (number, (line, character)) in ends.into_iter().flat_map(|it| ends.map(|other| (it, other))).enumerate() {
        let at = |line, character| json!({ "line": line, "character": character });
        let change = json!({ "range": { "start": at(line, character), "end": at(character, line) }, "text": "é\n𝄞" });
        // Versions decrease, and repeat.
        let document = json!({ "uri": uri, "version": 7 - number as i64 % 20 });
        session.notify("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": [change] }));
    }
    let never = json!({ "uri": "file:///never/opened.rs", "version": 1 });
    let whole = json!([{ "text": "fn main() {}" }]);
    session.notify("textDocument/didChange", &json!({ "textDocument": never, "contentChanges": whole }));
    session.notify("textDocument/didClose", &json!({ "textDocument": never }));
    for odd in [
        "untitled:1",
        "file://",
        "file:///",
        "file:///%00.rs",
        "file:///dev/zero",
        "http://a/b.rs",
        "file:///a/../b.rs",
    ] {
        let document = json!({ "uri": odd, "languageId": "rust", "version": 1, "text": "fn main() {}" });
        session.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        session.notify("textDocument/didClose", &json!({ "textDocument": { "uri": odd } }));
    }
    assert!(session.request(1, "tsvd-check/status")["result"].is_object());
    session.request(2, "shutdown");
    session.notify("exit", &Value::Null);
    assert_eq!(session.end(), (0, String::new()));
}

/// Random bytes, and messages that are cut and changed: the exit status is ours, and no signal.
#[test]
fn streams_at_random() {
    let mut state = 11u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let messages = [
        json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "method": "initialized", "params": {} }),
        json!({ "id": 2, "method": "tsvd-check/status" }),
        json!({ "method": "textDocument/didClose", "params": { "textDocument": { "uri": "file:///a.rs" } } }),
        json!({ "id": 3, "method": "shutdown" }),
        json!({ "method": "exit" }),
    ];
    let framed = messages.map(|it| it.to_string()).map(|it| format!("Content-Length: {}\r\n\r\n{it}", it.len()));
    for number in 0..40 {
        let mut bytes = framed.concat().into_bytes();
        for _ in 0..1 + below(6) {
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, below(256) as u8),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let mut session = Session::new();
        let _ = session.input.as_mut().expect("it is open").write_all(&bytes);
        session.input = None;
        let (status, stderr) = session.end();
        assert!((0..=2).contains(&status), "{number}: {status} {stderr} {}", String::from_utf8_lossy(&bytes));
    }
}

/// The next server leaves out a body that does not end in this one.
#[test]
fn a_body_that_does_not_end_ends_one_server() {
    let tokens = "a ".repeat(2000);
    let text = format!(
        "macro_rules! m {{ ([$($x:tt)*] $g:tt) => {{ [$({{ stringify!($g); 1 }}),*].len() }} }}
pub fn bomb() -> usize {{ m!([{tokens}] ({tokens})) }}
static mut A: u32 = 0;
fn add() {{ unsafe {{ A += 1 }} }}
fn main() {{ std::thread::scope(|s| {{ s.spawn(add); add(); }}); bomb(); }}
"
    );
    let mut session = Session::initialized();
    std::fs::write(session.folder.path().join("main.rs"), &text).expect("the folder is writable");
    session.open("main.rs", &text);
    let (status, stderr) = session.wait();
    assert!(status == 1 && stderr.contains("type checking of an item takes too long"), "{status}: {stderr}");
    let folder = std::mem::replace(&mut session.folder, tempfile::tempdir().expect("the temporary folder is writable"));
    let mut session = Session::new_in(folder).initialize();
    session.open("main.rs", &text);
    let has_finding = |it: &Value| !it["params"]["diagnostics"].as_array().is_none_or(Vec::is_empty);
    let told = session.next(has_finding);
    assert_eq!(told["params"]["diagnostics"][0]["code"], "data-race", "{told}");
    session.request(1, "shutdown");
    session.notify("exit", &Value::Null);
    assert_eq!(session.end().0, 0);
}
