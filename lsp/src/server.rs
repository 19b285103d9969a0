//! The main loop: messages of the client, news of the threads.

use crate::{
    documents::Documents,
    root::{Event, News, Root},
    settings::{self, TrustSettings},
    uri,
};
use analyzer::{
    live::End,
    project::{Input, MAX_SOURCE, project_around, read_text},
};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    ConfigurationItem, ConfigurationParams, Diagnostic, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWatchedFilesRegistrationOptions, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, FileChangeType,
    FileSystemWatcher, GlobPattern, InitializeParams, InitializeResult, MessageType, OneOf, PositionEncodingKind,
    PublishDiagnosticsParams, Registration, RegistrationParams, SaveOptions, ServerCapabilities, ServerInfo,
    ShowMessageParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri, WorkspaceFolder, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
    notification as told, notification::Notification as _, request,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    error::Error,
    path::{Path, PathBuf},
};

/// A request of ours: how far the server is, and how much it had to do.
const STATUS: &str = "tsvd-check/status";

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Serves one client.
pub(crate) fn serve(connection: &Connection) -> Result<()> {
    let (id, params) = connection.initialize_start()?;
    let client: InitializeParams = serde_json::from_value(params)?;
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    let result = InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(PositionEncodingKind::UTF16),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            workspace: Some(WorkspaceServerCapabilities {
                workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                    supported: Some(true),
                    change_notifications: Some(OneOf::Left(true)),
                }),
                file_operations: None,
            }),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "tsvd-check".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    connection.initialize_finish(id, serde_json::to_value(result)?)?;
    let (sender, news) = unbounded();
    let mut server = Server::new(connection, &client, sender);
    server.begin(&client)?;
    server.run(&news)
}

struct Server<'a> {
    connection: &'a Connection,
    documents: Documents,
    /// What the client has open.
    folders: Vec<PathBuf>,
    roots: Vec<Root>,
    events: Sender<Event>,
    /// Roots that changed since their last analysis.
    changed: BTreeSet<usize>,
    /// What was opened or changed last.
    in_view: Option<PathBuf>,
    /// Whether the client shows other places of a finding.
    has_related: bool,
    /// Whether the client tells of files that change on the disk.
    has_watcher: bool,
    requests: i32,
    /// What the client was told of projects that cannot be loaded.
    complaints: BTreeSet<String>,
    /// How far what is open is trusted.
    trust: TrustSettings,
    /// Whether the client can be asked for its settings.
    has_settings: bool,
    /// The request for the setting that is not answered yet.
    asked_for_trust: Option<RequestId>,
}

impl<'a> Server<'a> {
    fn new(connection: &'a Connection, client: &InitializeParams, events: Sender<Event>) -> Self {
        let document = client.capabilities.text_document.as_ref();
        let related = document.and_then(|it| it.publish_diagnostics.as_ref()?.related_information);
        let workspace = client.capabilities.workspace.as_ref();
        let watcher = workspace.and_then(|it| it.did_change_watched_files.as_ref()?.dynamic_registration);
        Server {
            connection,
            documents: Documents::default(),
            folders: Vec::new(),
            roots: Vec::new(),
            events,
            changed: BTreeSet::new(),
            in_view: None,
            has_related: related.unwrap_or_default(),
            has_watcher: watcher.unwrap_or_default(),
            requests: 0,
            complaints: BTreeSet::new(),
            trust: TrustSettings::default(),
            has_settings: workspace.and_then(|it| it.configuration).unwrap_or_default(),
            asked_for_trust: None,
        }
    }

    fn begin(&mut self, client: &InitializeParams) -> Result<()> {
        if let Some(options) = &client.initialization_options {
            self.trust.workspace = settings::workspace_trust(options);
            if let Some(setting) = settings::trust(options) {
                self.set_trust(setting)?;
            }
        }
        let workspace = client.capabilities.workspace.as_ref();
        if self.has_watcher {
            let globs = ["**/*.rs", "**/Cargo.toml", "**/Cargo.lock", "**/rust-project.json", "**/.rust-project.json"];
            let watchers = globs
                .map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None })
                .into();
            let options = DidChangeWatchedFilesRegistrationOptions { watchers };
            self.register::<told::DidChangeWatchedFiles>("files", Some(serde_json::to_value(options)?))?;
        }
        if workspace.and_then(|it| it.did_change_configuration?.dynamic_registration).unwrap_or_default() {
            let section = json!({ "section": settings::SECTION });
            self.register::<told::DidChangeConfiguration>("settings", Some(section))?;
        }
        #[expect(deprecated, reason = "older clients have nothing else")]
        let root = client.root_uri.iter();
        let folders = client.workspace_folders.iter().flatten().map(|folder| &folder.uri);
        let mut folders: Vec<PathBuf> = folders.filter_map(uri::to_path).collect();
        if folders.is_empty() {
            folders.extend(root.filter_map(uri::to_path));
        }
        self.ask_for_trust()?;
        folders.into_iter().for_each(|folder| self.add_folder(folder));
        Ok(())
    }

    fn register<N: told::Notification>(&mut self, id: &str, options: Option<Value>) -> Result<()> {
        let registration = Registration { id: id.to_owned(), method: N::METHOD.to_owned(), register_options: options };
        let params = RegistrationParams { registrations: vec![registration] };
        self.ask::<request::RegisterCapability>(params)?;
        Ok(())
    }

    fn ask<R: request::Request>(&mut self, params: R::Params) -> Result<RequestId>
    where
        R::Params: Serialize,
    {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(Request::new(id.clone(), R::METHOD.to_owned(), params))?;
        Ok(id)
    }

    /// Asks the client how far it trusts what it has open, if it can be asked.
    fn ask_for_trust(&mut self) -> Result<()> {
        if self.has_settings {
            let item = ConfigurationItem { scope_uri: None, section: Some(settings::TRUST.to_owned()) };
            self.asked_for_trust =
                Some(self.ask::<request::WorkspaceConfiguration>(ConfigurationParams { items: vec![item] })?);
        }
        Ok(())
    }

    /// The client has sent the setting.
    fn set_trust(&mut self, setting: &Value) -> Result<()> {
        let is_untrusted = match settings::is_untrusted(setting) {
            Ok(is_untrusted) => is_untrusted,
            Err(message) => {
                self.complain(message)?;
                true
            }
        };
        if is_untrusted != self.trust.is_untrusted {
            self.trust.is_untrusted = is_untrusted;
            for (number, root) in self.roots.iter_mut().enumerate().filter(|(_, root)| !root.is_closed()) {
                root.load(number, self.trust, &self.events);
            }
        }
        Ok(())
    }

    fn run(&mut self, news: &Receiver<Event>) -> Result<()> {
        loop {
            // All that is there first, so that a burst of edits is one.
            let is_over = select! {
                recv(self.connection.receiver) -> message => self.message(message)?,
                recv(news) -> event => self.news(event?)?,
                default => {
                    self.analyse()?;
                    select! {
                        recv(self.connection.receiver) -> message => self.message(message)?,
                        recv(news) -> event => self.news(event?)?,
                    }
                }
            };
            if is_over {
                return Ok(());
            }
        }
    }

    /// Whether it was the last one.
    fn message(&mut self, message: std::result::Result<Message, crossbeam_channel::RecvError>) -> Result<bool> {
        match message {
            // The client is gone.
            Err(_) => Ok(true),
            Ok(Message::Request(request)) => {
                if self.connection.handle_shutdown(&request)? {
                    return Ok(true);
                }
                self.request(request)?;
                Ok(false)
            }
            Ok(Message::Notification(notification)) => {
                self.notification(notification)?;
                Ok(false)
            }
            Ok(Message::Response(response)) => {
                if self.asked_for_trust == Some(response.id) {
                    self.asked_for_trust = None;
                    // A client may have nothing to say.
                    if let Some(said) = response.response_result.ok().and_then(|it| it.as_array()?.first().cloned())
                        && !said.is_null()
                    {
                        self.set_trust(&said)?;
                    }
                }
                Ok(false)
            }
        }
    }

    fn request(&mut self, request: Request) -> Result<()> {
        let response = if request.method == STATUS {
            let sum = |part: fn(&Root) -> u64| self.roots.iter().map(part).sum::<u64>();
            let is_idle = self.changed.is_empty() && self.roots.iter().all(Root::is_idle);
            let status = json!({
                "isIdle": is_idle,
                "explored": sum(|root| root.work.explored),
                "replayed": sum(|root| root.work.replayed),
                "lowered": self.roots.iter().map(|root| root.work.lowered).max().unwrap_or_default(),
            });
            Response::new_ok(request.id, status)
        } else {
            let message = format!("{} is not offered", request.method);
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
        };
        self.send(response)
    }

    fn notification(&mut self, notification: Notification) -> Result<()> {
        match notification.method.as_str() {
            told::DidOpenTextDocument::METHOD => {
                let Some(DidOpenTextDocumentParams { text_document: it }) = read(notification) else { return Ok(()) };
                if let Some(path) = self.documents.open(it.uri, it.version, it.text) {
                    self.in_view = Some(path.clone());
                    self.find_root(&path);
                    self.apply(&path);
                }
            }
            told::DidChangeTextDocument::METHOD => {
                let Some(it) = read::<DidChangeTextDocumentParams>(notification) else { return Ok(()) };
                let document = it.text_document;
                if let Some(path) = self.documents.change(&document.uri, document.version, it.content_changes) {
                    self.in_view = Some(path.clone());
                    self.apply(&path);
                }
            }
            told::DidCloseTextDocument::METHOD => {
                let Some(it) = read::<DidCloseTextDocumentParams>(notification) else { return Ok(()) };
                if let Some(path) = self.documents.close(&it.text_document.uri) {
                    self.apply(&path);
                }
            }
            told::DidSaveTextDocument::METHOD => {
                let Some(it) = read::<DidSaveTextDocumentParams>(notification) else { return Ok(()) };
                if let Some(path) = uri::to_path(&it.text_document.uri)
                    && !self.has_watcher
                {
                    self.changed_on_disk(&path, false);
                }
            }
            told::DidChangeWatchedFiles::METHOD => {
                let Some(it) = read::<DidChangeWatchedFilesParams>(notification) else { return Ok(()) };
                for change in it.changes {
                    if let Some(path) = uri::to_path(&change.uri) {
                        self.changed_on_disk(&path, change.typ != FileChangeType::CHANGED);
                    }
                }
            }
            told::DidChangeConfiguration::METHOD => {
                let Some(it) = read::<DidChangeConfigurationParams>(notification) else { return Ok(()) };
                match settings::trust(&it.settings).cloned() {
                    Some(setting) => self.set_trust(&setting)?,
                    None => self.ask_for_trust()?,
                }
            }
            told::DidChangeWorkspaceFolders::METHOD => {
                let Some(it) = read::<DidChangeWorkspaceFoldersParams>(notification) else { return Ok(()) };
                let paths = |folders: &[WorkspaceFolder]| -> Vec<PathBuf> {
                    folders.iter().filter_map(|it| uri::to_path(&it.uri)).collect()
                };
                paths(&it.event.added).into_iter().for_each(|folder| self.add_folder(folder));
                for folder in paths(&it.event.removed) {
                    self.remove_folder(&folder)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A file has another text, in the editor or, if it is not open there, on the disk.
    fn apply(&mut self, path: &PathBuf) {
        let text = match self.documents.get(path) {
            Some(document) => document.text.clone(),
            None => match read_text(path, MAX_SOURCE) {
                Ok(text) => text,
                Err(_) => return,
            },
        };
        for (number, root) in self.roots.iter_mut().enumerate() {
            if let Some(live) = root.live.as_mut().filter(|live| live.project().file_at(path).is_some())
                && live.edit(path, &text)
            {
                self.changed.insert(number);
            }
        }
    }

    /// A file came, went or has another text.
    fn changed_on_disk(&mut self, path: &PathBuf, comes_or_goes: bool) {
        let is_source = path.extension().is_some_and(|it| it == "rs");
        let is_known = |root: &Root| root.live.as_ref().is_some_and(|live| live.project().file_at(path).is_some());
        for (number, root) in self.roots.iter_mut().enumerate().filter(|(_, root)| !root.is_closed() && root.has(path))
        {
            if !is_source || comes_or_goes || !is_known(root) {
                root.load(number, self.trust, &self.events);
            }
        }
        if is_source && self.documents.get(path).is_none() {
            self.apply(path);
        }
    }

    /// Makes sure that some root has a file that was opened.
    fn find_root(&mut self, path: &Path) {
        if path.extension().is_none_or(|it| it != "rs") {
            return;
        }
        let is_there = |root: &Root| match &root.live {
            Some(live) => live.project().file_at(path).is_some(),
            // It may turn out to be its own.
            None => root.has(path),
        };
        if self.roots.iter().filter(|root| !root.is_closed()).any(is_there) {
            return;
        }
        let input = match path.parent().and_then(project_around) {
            Some(package) => Input::Package(package),
            None => Input::File(path.to_owned()),
        };
        if self.roots.iter().all(|root| root.is_closed() || root.input != input) {
            self.add_root(input);
        }
    }

    fn add_folder(&mut self, folder: PathBuf) {
        if let Some(package) = project_around(&folder) {
            let input = Input::Package(package);
            if self.roots.iter().all(|root| root.is_closed() || root.input != input) {
                self.add_root(input);
            }
        }
        self.folders.push(folder);
    }

    /// Its package goes, unless it is another folder's too, or a file of it is open.
    fn remove_folder(&mut self, folder: &PathBuf) -> Result<()> {
        self.folders.retain(|it| it != folder);
        let needed: Vec<Input> = self.folders.iter().filter_map(|it| project_around(it)).map(Input::Package).collect();
        let Some(gone) = project_around(folder).map(Input::Package) else { return Ok(()) };
        let Some(number) = self.roots.iter().position(|root| !root.is_closed() && root.input == gone) else {
            return Ok(());
        };
        if needed.contains(&gone) || self.documents.iter().any(|(path, _)| self.roots[number].has(path)) {
            return Ok(());
        }
        let shown = self.roots[number].close();
        self.changed.remove(&number);
        shown.into_iter().try_for_each(|(uri, version)| self.publish(uri, version))
    }

    fn add_root(&mut self, input: Input) {
        let number = self.roots.len();
        let mut root = Root::new(input);
        root.load(number, self.trust, &self.events);
        self.roots.push(root);
    }

    fn news(&mut self, Event { root: number, news }: Event) -> Result<bool> {
        let root = &mut self.roots[number];
        if root.is_closed() {
            return Ok(false);
        }
        match news {
            News::Loaded(Ok(live)) => {
                root.loaded(live, &self.documents);
                self.changed.insert(number);
                if root.is_stale() {
                    root.load(number, self.trust, &self.events);
                }
                let open: Vec<PathBuf> = self.documents.iter().map(|(path, _)| path.clone()).collect();
                open.iter().for_each(|path| self.find_root(path));
            }
            News::Loaded(Err(message)) => {
                root.failed();
                if root.is_stale() {
                    root.load(number, self.trust, &self.events);
                }
                self.complain(format!("tsvd-check: {message}"))?;
            }
            News::Warning(message) => self.complain(message)?,
            News::Learnt(entry, known) => {
                if let Some(live) = &mut root.live {
                    live.learn(entry, known);
                }
            }
            News::Shown { analysis, findings } if root.is_current(analysis) => {
                for (uri, version) in root.publish(&self.documents, findings) {
                    self.publish(uri, version)?;
                }
            }
            News::Shown { .. } => {}
            News::Work(work) => {
                root.work.explored += work.explored;
                root.work.replayed += work.replayed;
                root.work.lowered = root.work.lowered.max(work.lowered);
            }
            News::Ended(analysis, end) => {
                if root.is_current(analysis) {
                    root.is_analysing = false;
                }
                if end == End::Failed {
                    self.complain("tsvd-check: an analysis failed, please report it".to_owned())?;
                }
            }
        }
        Ok(false)
    }

    fn analyse(&mut self) -> Result<()> {
        for number in std::mem::take(&mut self.changed) {
            let (root, in_view) = (&mut self.roots[number], self.in_view.as_ref());
            root.analyse(number, &self.documents, in_view, self.has_related, &self.events);
            let refused = in_view.and_then(|path| root.live.as_ref()?.refused(path, &self.documents.get(path)?.text));
            if let Some(message) = refused {
                self.complain(format!("tsvd-check: {message}"))?;
            }
        }
        Ok(())
    }

    /// Tells the client what is to be shown in a file: what all projects that have it find there.
    fn publish(&self, uri: Uri, version: Option<i32>) -> Result<()> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        for it in self.roots.iter().flat_map(|root| root.shown_in(&uri)) {
            if !diagnostics.contains(it) {
                diagnostics.push(it.clone());
            }
        }
        self.tell::<told::PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version })
    }

    /// Says what is wrong, each thing once.
    fn complain(&mut self, message: String) -> Result<()> {
        if self.complaints.insert(message.clone()) {
            self.tell::<told::ShowMessage>(ShowMessageParams { typ: MessageType::WARNING, message })?;
        }
        Ok(())
    }

    fn tell<N: told::Notification>(&self, params: N::Params) -> Result<()>
    where
        N::Params: Serialize,
    {
        self.send(Notification::new(N::METHOD.to_owned(), params))
    }

    fn send(&self, message: impl Into<Message>) -> Result<()> {
        Ok(self.connection.sender.send(message.into())?)
    }
}

/// A notification's parameters; what is malformed is left out.
fn read<T: DeserializeOwned>(notification: Notification) -> Option<T> {
    serde_json::from_value(notification.params).ok()
}
