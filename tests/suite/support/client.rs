//! A client of the language server, over the real protocol.

use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::{BufReader, BufWriter},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) struct Client {
    server: Child,
    input: BufWriter<ChildStdin>,
    messages: Receiver<Message>,
    folder: PathBuf,
    /// The last diagnostics of each file.
    pub(crate) diagnostics: BTreeMap<String, Value>,
    /// Every publication: time, file, version.
    pub(crate) published: Vec<(Instant, String, Option<i64>)>,
    /// The files in the order of their first findings.
    pub(crate) found: Vec<String>,
    /// The messages that it showed.
    pub(crate) shown: Vec<String>,
    /// The messages of its log.
    pub(crate) logged: Vec<String>,
    /// The values of progress that the server showed.
    pub(crate) progress: Vec<Value>,
    /// The methods of the server's requests.
    pub(crate) asked: Vec<String>,
    /// The server's answer to `initialize`.
    pub(crate) offered: Value,
    /// The server's statements about its own state.
    pub(crate) statuses: Vec<Value>,
    versions: BTreeMap<String, i64>,
    requests: i32,
    /// The answer to requests for the setting.
    pub(crate) setting: Value,
}

/// The work that the server has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Work {
    pub(crate) explored: u64,
    pub(crate) replayed: u64,
    pub(crate) lowered: u64,
}

impl std::ops::Sub for Work {
    type Output = Work;

    fn sub(self, other: Work) -> Work {
        Work {
            explored: self.explored - other.explored,
            replayed: self.replayed - other.replayed,
            lowered: self.lowered - other.lowered,
        }
    }
}

impl Client {
    /// A client that shows related information and reports files that change.
    pub(crate) fn start(folder: &Path) -> Client {
        let capabilities = json!({
            "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
            "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } },
        });
        Client::start_with(folder, &capabilities)
    }

    pub(crate) fn start_with(folder: &Path, capabilities: &Value) -> Client {
        Client::start_in(folder, &[""], capabilities, &Value::Null)
    }

    /// A client with these open folders, which starts the server with options.
    pub(crate) fn start_in(folder: &Path, folders: &[&str], capabilities: &Value, options: &Value) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_tsvd-check"));
        server.args(["lsp", "--stdio"]);
        Client::of(server, folder, folders, capabilities, options)
    }

    /// A client of this server.
    pub(crate) fn of(
        mut server: Command,
        folder: &Path,
        folders: &[&str],
        capabilities: &Value,
        options: &Value,
    ) -> Client {
        let mut server = server
            .env("XDG_CACHE_HOME", folder.join(".cache"))
            .env("XDG_CONFIG_HOME", folder.join(".cache/config"))
            .env_remove("CARGO")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was built");
        let input = BufWriter::new(server.stdin.take().expect("it is piped"));
        let mut output = BufReader::new(server.stdout.take().expect("it is piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut client = Client {
            server,
            input,
            messages,
            folder: folder.to_owned(),
            diagnostics: BTreeMap::new(),
            published: Vec::new(),
            found: Vec::new(),
            shown: Vec::new(),
            logged: Vec::new(),
            progress: Vec::new(),
            asked: Vec::new(),
            offered: Value::Null,
            statuses: Vec::new(),
            versions: BTreeMap::new(),
            requests: 0,
            setting: Value::Null,
        };
        let folders: Vec<Value> = folders.iter().map(|it| client.folder(it)).collect();
        let params = json!({
            "processId": null, "capabilities": capabilities, "workspaceFolders": folders, "rootUri": null,
            "initializationOptions": options,
        });
        client.offered = client.request("initialize", params);
        client.notify("initialized", json!({}));
        client
    }

    fn folder(&self, path: &str) -> Value {
        json!({ "uri": self.uri(path), "name": path })
    }

    /// Adds and removes folders.
    pub(crate) fn change_folders(&mut self, added: &[&str], removed: &[&str]) {
        let folders = |paths: &[&str]| paths.iter().map(|it| self.folder(it)).collect::<Vec<_>>();
        let event = json!({ "added": folders(added), "removed": folders(removed) });
        self.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        let path = self.folder.join(path).display().to_string();
        format!("file://{}", path.trim_end_matches('/'))
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.input).expect("the server reads");
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.attempt(method, params).expect("no error")
    }

    /// The result of a request, or its error.
    pub(crate) fn attempt(&mut self, method: &str, params: Value) -> Result<Value, lsp_server::ResponseError> {
        let id = self.begin(method, params);
        self.finish(method, &id)
    }

    /// Sends a request; returns its id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> RequestId {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(Request { id: id.clone(), method: method.to_owned(), params }.into());
        id
    }

    /// Waits for the answer to a request.
    pub(crate) fn finish(&mut self, method: &str, id: &RequestId) -> Result<Value, lsp_server::ResponseError> {
        let began = Instant::now();
        loop {
            match self.messages.recv_timeout(PATIENCE.saturating_sub(began.elapsed())) {
                Ok(Message::Response(response)) if response.id == *id => return response.response_result,
                Ok(message) => self.take(message),
                Err(error) => panic!("{method} is not answered: {error}"),
            }
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Notification(it) if it.method == "textDocument/publishDiagnostics" => {
                let uri = it.params["uri"].as_str().expect("a uri").to_owned();
                let start = self.uri("");
                let path = uri.strip_prefix(&start).map_or(uri.as_str(), |it| it.trim_start_matches('/')).to_owned();
                self.published.push((Instant::now(), path.clone(), it.params["version"].as_i64()));
                let is_empty = it.params["diagnostics"].as_array().is_none_or(Vec::is_empty);
                if !is_empty && !self.found.contains(&path) {
                    self.found.push(path.clone());
                }
                self.diagnostics.insert(path, it.params["diagnostics"].clone());
            }
            Message::Notification(it) if it.method == "window/showMessage" => {
                self.shown.push(it.params["message"].as_str().unwrap_or_default().to_owned());
            }
            Message::Notification(it) if it.method == "window/logMessage" => {
                self.logged.push(it.params["message"].as_str().unwrap_or_default().to_owned());
            }
            Message::Notification(it) if it.method == "$/progress" => self.progress.push(it.params),
            Message::Notification(it) if it.method == "experimental/serverStatus" => self.statuses.push(it.params),
            Message::Request(request) => {
                self.asked.push(request.method.clone());
                let is_setting = request.method == "workspace/configuration";
                let answer = if is_setting { json!([self.setting]) } else { Value::Null };
                self.send(lsp_server::Response::new_ok(request.id, answer).into());
            }
            _ => {}
        }
    }

    pub(crate) fn open(&mut self, path: &str, text: &str) {
        let version = self.next_version(path);
        let document = json!({ "uri": self.uri(path), "languageId": "rust", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn next_version(&mut self, path: &str) -> i64 {
        let version = self.versions.entry(path.to_owned()).or_default();
        *version += 1;
        *version
    }

    /// Replaces the whole text; returns its version.
    pub(crate) fn change(&mut self, path: &str, text: &str) -> i64 {
        self.edit(path, json!({ "text": text }))
    }

    /// One edit in the protocol's form.
    pub(crate) fn edit(&mut self, path: &str, change: Value) -> i64 {
        let version = self.next_version(path);
        let document = json!({ "uri": self.uri(path), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
        version
    }

    /// A file was created (1), changed (2) or deleted (3).
    pub(crate) fn changed_on_disk(&mut self, path: &str, kind: u32) {
        let change = json!({ "uri": self.uri(path), "type": kind });
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    }

    /// Handles messages until `is_there` holds.
    pub(crate) fn wait(&mut self, what: &str, mut is_there: impl FnMut(&Client) -> bool) {
        let began = Instant::now();
        while !is_there(self) {
            match self.messages.recv_timeout(Duration::from_millis(100)) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("the server ended before: {what}"),
            }
            assert!(began.elapsed() < PATIENCE, "waited in vain: {what}; {:?}", self.diagnostics);
        }
    }

    /// Waits until the server is idle; returns the work that it has done so far.
    pub(crate) fn idle(&mut self) -> Work {
        self.idle_within(PATIENCE)
    }

    /// The same with another time limit.
    pub(crate) fn idle_within(&mut self, patience: Duration) -> Work {
        let began = Instant::now();
        loop {
            let status = self.request("tsvd-check/status", Value::Null);
            if status["isIdle"] == true {
                let number = |name: &str| status[name].as_u64().expect("a number");
                return Work { explored: number("explored"), replayed: number("replayed"), lowered: number("lowered") };
            }
            assert!(began.elapsed() < patience, "it is never idle");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Lines (from 1) and rules of the findings in a file.
    pub(crate) fn findings(&self, path: &str) -> Vec<(u64, String)> {
        let all = self.diagnostics.get(path).and_then(Value::as_array);
        let line = |it: &Value| it["range"]["start"]["line"].as_u64().expect("a line") + 1;
        all.into_iter().flatten().map(|it| (line(it), it["code"].as_str().expect("a rule").to_owned())).collect()
    }

    /// The peak memory of the server, in bytes; 0 if unknown.
    #[allow(dead_code, reason = "`benches/typing.rs` measures it")]
    pub(crate) fn peak_memory(&self) -> u64 {
        self.memory_field("VmHWM:")
    }

    /// The current memory of the server, in bytes; 0 if unknown.
    #[allow(dead_code, reason = "`benches/typing.rs` measures it")]
    pub(crate) fn memory(&self) -> u64 {
        self.memory_field("VmRSS:")
    }

    #[allow(dead_code, reason = "`benches/typing.rs` measures it")]
    fn memory_field(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).unwrap_or_default() << 10
    }

    /// Ends the server as the protocol requires.
    pub(crate) fn stop(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let status = self.server.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Kills the process if a test fails.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
