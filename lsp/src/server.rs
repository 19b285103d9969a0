//! The main loop: handles messages of the client and events of the threads.

mod explore;
mod notifications;
mod pull;
mod requests;

pub(crate) use self::explore::{EXPLORE, EXPLORE_FILE};

use self::{explore::Job, pull::Pulls};
use crate::{
    Renderers,
    convert::Form,
    documents::Documents,
    features::Features,
    pages::Pages,
    project::{Event, Root, RootEvent},
    project_settings::ProjectSettings,
    session::{self, NO_SHUTDOWN, Result},
    settings::{self, TrustSettings},
    transport::{Connection, ErrorCode, Incoming, Outgoing},
    uri,
};
use analyzer::{
    guard,
    incremental::End,
    project::{Input, MAX_SOURCE, project_around, read_text},
};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_types::{
    ConfigurationItem, ConfigurationParams, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern,
    InitializeParams, LogMessageParams, MessageType, PublishDiagnosticsParams, Registration, RegistrationParams,
    ShowMessageParams, Uri, notification, request,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Serves one client after its `initialize`; returns the exit status.
pub(crate) fn serve(
    connection: &Connection,
    client: InitializeParams,
    features: Features,
    renderers: Renderers,
) -> Result<u8> {
    let (sender, events) = unbounded();
    Server::new(connection, client, features, renderers, sender).run(&events)
}

struct Server<'a> {
    connection: &'a Connection,
    /// The client's capabilities and folders until it sends `initialized`.
    client: Option<InitializeParams>,
    /// Whether the client has requested the shutdown.
    is_shut_down: bool,
    documents: Documents,
    /// The client's workspace folders.
    folders: Vec<PathBuf>,
    roots: Vec<Root>,
    events: Sender<Event>,
    /// Roots that changed since their last analysis.
    changed: BTreeSet<usize>,
    /// The files that the user looks at: open ones, the one that was opened, focused or changed last first.
    in_view: Vec<PathBuf>,
    features: Features,
    /// How findings are shown.
    form: Form,
    pulls: Pulls,
    /// Explorations that the user asked for.
    jobs: Vec<Job>,
    /// Their number so far.
    jobs_started: u64,
    /// Messages that the client's log got.
    logged: BTreeSet<String>,
    requests: i32,
    /// Messages that the client got about projects that cannot be loaded.
    complaints: BTreeSet<String>,
    /// Which projects are loaded, and how.
    settings: ProjectSettings,
    /// How far the workspace is trusted.
    trust: TrustSettings,
    /// The pending request for the setting.
    asked_for_trust: Option<i32>,
    renderers: Renderers,
    /// The commands that the client knows itself.
    commands: Vec<String>,
    /// What the client heard last of the server's state.
    status: Option<String>,
}

impl<'a> Server<'a> {
    fn new(
        connection: &'a Connection,
        client: InitializeParams,
        features: Features,
        renderers: Renderers,
        events: Sender<Event>,
    ) -> Self {
        let pages = if features.code_description { Pages::written() } else { Pages::default() };
        Server {
            connection,
            is_shut_down: false,
            documents: Documents::new(features.encoding),
            folders: Vec::new(),
            roots: Vec::new(),
            events,
            changed: BTreeSet::new(),
            in_view: Vec::new(),
            features,
            form: Form { features, pages: Arc::new(pages) },
            pulls: Pulls::default(),
            jobs: Vec::new(),
            jobs_started: 0,
            logged: BTreeSet::new(),
            requests: 0,
            complaints: BTreeSet::new(),
            settings: ProjectSettings::default(),
            trust: TrustSettings::default(),
            asked_for_trust: None,
            renderers,
            commands: Vec::new(),
            status: None,
            client: Some(client),
        }
    }

    fn begin(&mut self, client: &InitializeParams) -> Result<()> {
        if let Some(options) = &client.initialization_options {
            self.trust.workspace = settings::workspace_trust(options);
            self.commands = settings::commands(options);
            let (settings, wrong) = ProjectSettings::of(options);
            self.settings = settings;
            wrong.into_iter().try_for_each(|message| self.complain(message))?;
            if let Some(setting) = settings::trust(options) {
                self.set_trust(setting)?;
            }
        }
        if self.features.watcher {
            let globs = [
                "**/*.rs",
                "**/Cargo.toml",
                "**/Cargo.lock",
                "**/rust-project.json",
                "**/.rust-project.json",
                "**/tsvd.toml",
            ];
            let watchers = globs
                .map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None })
                .into();
            let options = DidChangeWatchedFilesRegistrationOptions { watchers };
            self.register::<notification::DidChangeWatchedFiles>("files", Some(serde_json::to_value(options)?))?;
        }
        if self.features.settings_registration {
            let section = json!({ "section": settings::SECTION });
            self.register::<notification::DidChangeConfiguration>("settings", Some(section))?;
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

    fn register<N: notification::Notification>(&mut self, id: &str, options: Option<Value>) -> Result<()> {
        let registration = Registration { id: id.to_owned(), method: N::METHOD.to_owned(), register_options: options };
        let params = RegistrationParams { registrations: vec![registration] };
        self.ask::<request::RegisterCapability>(params)?;
        Ok(())
    }

    fn ask<R: request::Request>(&mut self, params: R::Params) -> Result<i32>
    where
        R::Params: Serialize,
    {
        self.requests += 1;
        self.send(Outgoing::request(self.requests, R::METHOD, params)?)?;
        Ok(self.requests)
    }

    /// Asks the client for the trust setting, if possible.
    fn ask_for_trust(&mut self) -> Result<()> {
        if self.features.settings {
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
                root.load(number, self.trust, &self.settings, &self.folders, &self.events);
            }
        }
        Ok(())
    }

    fn run(&mut self, events: &Receiver<Event>) -> Result<u8> {
        loop {
            // Handles all pending messages first, so that a burst of edits counts as one.
            let status = select! {
                recv(self.connection.receiver) -> message => self.incoming(message?)?,
                recv(events) -> event => self.event(event?)?,
                default => {
                    self.guarded(None, Server::analyse)?;
                    self.guarded(None, Server::answer_pulls)?;
                    self.tell_status()?;
                    select! {
                        recv(self.connection.receiver) -> message => self.incoming(message?)?,
                        recv(events) -> event => self.event(event?)?,
                    }
                }
            };
            if let Some(status) = status {
                return Ok(status);
            }
        }
    }

    /// Runs a part of the main loop. If it panics, the client is told, and the next change reloads all projects.
    /// `request` is the id of the pending request.
    fn guarded(&mut self, request: Option<Value>, part: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        match guard::unwinding(|| part(self)) {
            Ok(result) => result,
            Err(_) => {
                let message = guard::internal_failure();
                self.roots.iter_mut().for_each(Root::distrust);
                if let Some(id) = request {
                    self.send(Outgoing::error(id, ErrorCode::InternalError, &message))?;
                }
                self.complain(format!("tsvd-check: {message}"))
            }
        }
    }

    /// Handles a message; returns the exit status at the end.
    fn incoming(&mut self, message: Incoming) -> Result<Option<u8>> {
        let status = if self.is_shut_down { 0 } else { NO_SHUTDOWN };
        match message {
            Incoming::End(end) => return session::ended(end, status).map(Some),
            Incoming::Notification { method, .. } if method == "exit" => return Ok(Some(status)),
            Incoming::Invalid(answer) => self.send(answer)?,
            Incoming::Request { id, method, .. } if self.is_shut_down => self.refuse(id, &method)?,
            Incoming::Request { id, method, params } => {
                self.guarded(Some(id.clone()), |server| server.request(id, &method, params))?;
            }
            Incoming::Notification { method, params } if !self.is_shut_down => {
                self.guarded(None, |server| server.notification(&method, params))?;
            }
            Incoming::Response { id, result } => self.guarded(None, |server| server.response(&id, result))?,
            Incoming::Notification { .. } => {}
        }
        Ok(None)
    }

    /// Handles an event of a thread in the same way.
    fn event(&mut self, event: Event) -> Result<Option<u8>> {
        if !self.is_shut_down {
            self.guarded(None, |server| server.handle(event))?;
        }
        Ok(None)
    }

    fn response(&mut self, id: &Value, result: Option<Value>) -> Result<()> {
        self.refreshed(id);
        if self.asked_for_trust.is_some_and(|asked| id.as_i64() == Some(asked.into())) {
            self.asked_for_trust = None;
            // A client may have no such setting.
            if let Some(said) = result.and_then(|it| it.as_array()?.first().cloned())
                && !said.is_null()
            {
                self.set_trust(&said)?;
            }
        }
        Ok(())
    }

    /// The user looks at this file now.
    fn look_at(&mut self, path: &PathBuf) {
        self.in_view.retain(|it| it != path);
        self.in_view.insert(0, path.clone());
    }

    /// Applies the new text of a file, from the editor or, if it is not open there, from disk.
    fn apply(&mut self, path: &PathBuf) {
        let text = match self.documents.get(path) {
            Some(document) => document.text.clone(),
            None => match read_text(path, MAX_SOURCE) {
                Ok(text) => text,
                Err(_) => return,
            },
        };
        for (number, root) in self.roots.iter_mut().enumerate() {
            if root.is_distrusted() && root.has(path) {
                root.load(number, self.trust, &self.settings, &self.folders, &self.events);
            }
            if let Some(incremental) =
                root.incremental.as_mut().filter(|incremental| incremental.project().file_at(path).is_some())
                && incremental.edit(path, &text)
            {
                self.changed.insert(number);
            }
        }
    }

    /// A file was created, deleted or changed.
    fn changed_on_disk(&mut self, path: &PathBuf, comes_or_goes: bool) {
        let is_source = path.extension().is_some_and(|it| it == "rs");
        let is_known = |root: &Root| {
            root.incremental.as_ref().is_some_and(|incremental| incremental.project().file_at(path).is_some())
        };
        let is_concerned = |root: &Root| !root.is_closed() && (root.has(path) || root.is_configured_by(path));
        for (number, root) in self.roots.iter_mut().enumerate().filter(|(_, root)| is_concerned(root)) {
            let is_broken = |root: &Root| {
                root.incremental.as_ref().is_some_and(|incremental| !incremental.project().broken().is_empty())
            };
            if !is_source || comes_or_goes || !is_known(root) || is_broken(root) {
                root.load(number, self.trust, &self.settings, &self.folders, &self.events);
            }
        }
        if is_source && self.documents.get(path).is_none() {
            self.apply(path);
        }
    }

    /// Ensures that some root contains an opened file.
    fn find_root(&mut self, path: &Path) {
        if path.extension().is_none_or(|it| it != "rs") || self.settings.excludes(&self.folders, path) {
            return;
        }
        let is_there = |root: &Root| match &root.incremental {
            Some(incremental) => incremental.project().file_at(path).is_some(),
            // The root may turn out to contain it.
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
        let packages = self.packages_of(&folder);
        self.folders.push(folder);
        for package in packages {
            let input = Input::Package(package);
            if self.roots.iter().all(|root| root.is_closed() || root.input != input) {
                self.add_root(input);
            }
        }
    }

    /// The linked projects in a folder, or else the one around it.
    fn packages_of(&self, folder: &Path) -> Vec<PathBuf> {
        let linked = self.settings.linked_in(folder);
        if linked.is_empty() { project_around(folder).into_iter().collect() } else { linked }
    }

    /// Removes its packages, unless another folder has it too, or a file of it is open.
    fn remove_folder(&mut self, folder: &PathBuf) -> Result<()> {
        self.folders.retain(|it| it != folder);
        let needed: Vec<PathBuf> = self.folders.iter().flat_map(|it| self.packages_of(it)).collect();
        for gone in self.packages_of(folder).into_iter().filter(|it| !needed.contains(it)) {
            let gone = Input::Package(gone);
            let Some(number) = self.roots.iter().position(|root| !root.is_closed() && root.input == gone) else {
                continue;
            };
            if self.documents.iter().any(|(path, _)| self.roots[number].has(path)) {
                continue;
            }
            let shown = self.roots[number].close();
            self.changed.remove(&number);
            shown.into_iter().try_for_each(|(uri, version)| self.publish(uri, version))?;
        }
        Ok(())
    }

    fn add_root(&mut self, input: Input) {
        let number = self.roots.len();
        let mut root = Root::new(input);
        root.load(number, self.trust, &self.settings, &self.folders, &self.events);
        self.roots.push(root);
    }

    fn handle(&mut self, Event { root: number, event }: Event) -> Result<()> {
        match event {
            RootEvent::Proceeds(job, done, of) => return self.job_proceeds(job, done, of),
            RootEvent::OnDemandResult(job, outcome) => {
                // Its results are shown as those of any entry.
                self.changed.insert(number);
                return self.job_ended(job, outcome);
            }
            _ => {}
        }
        let root = &mut self.roots[number];
        if root.is_closed() {
            return Ok(());
        }
        match event {
            RootEvent::Loaded(Ok(incremental)) => {
                let broken: Vec<String> =
                    incremental.project().broken().iter().map(|it| format!("tsvd-check: {it}")).collect();
                root.loaded(incremental, &self.documents);
                self.changed.insert(number);
                if root.is_stale() {
                    root.load(number, self.trust, &self.settings, &self.folders, &self.events);
                }
                broken.into_iter().try_for_each(|message| self.complain(message))?;
                if self.features.lens_refresh {
                    self.ask::<request::CodeLensRefresh>(())?;
                }
                let open: Vec<PathBuf> = self.documents.iter().map(|(path, _)| path.clone()).collect();
                open.iter().for_each(|path| self.find_root(path));
            }
            RootEvent::Loaded(Err(message)) => {
                root.failed();
                if root.is_stale() {
                    root.load(number, self.trust, &self.settings, &self.folders, &self.events);
                }
                self.complain(format!("tsvd-check: {message}"))?;
            }
            RootEvent::Warning(message) => self.complain(message)?,
            RootEvent::Analysed(entry, known) => {
                if let Some(incremental) = &mut root.incremental {
                    incremental.set_result(entry, known);
                }
            }
            RootEvent::Findings { analysis, findings } if root.is_current(analysis) => {
                for (uri, version) in root.publish(&self.documents, findings) {
                    self.publish(uri, version)?;
                }
            }
            RootEvent::LeftOut { analysis, text } if root.is_current(analysis) => {
                root.left_out.insert(text.clone());
                if self.logged.insert(text.clone()) {
                    let message = format!("tsvd-check: {text}");
                    self.notify::<notification::LogMessage>(LogMessageParams { typ: MessageType::INFO, message })?;
                }
            }
            RootEvent::Findings { .. } | RootEvent::LeftOut { .. } => {}
            RootEvent::Proceeds(..) | RootEvent::OnDemandResult(..) => {}
            RootEvent::Work(work) => {
                root.work.explored += work.explored;
                root.work.replayed += work.replayed;
                root.work.lowered = root.work.lowered.max(work.lowered);
            }
            RootEvent::Ended(analysis, end) => {
                let is_current = root.is_current(analysis);
                if is_current {
                    root.is_analysing = false;
                }
                match end {
                    End::Failed => {
                        root.distrust();
                        self.complain(format!("tsvd-check: {}", guard::internal_failure()))?;
                    }
                    End::Broken(broken) if is_current => {
                        let message = format!("tsvd-check: {broken}");
                        if let Some(incremental) = &mut root.incremental {
                            incremental.leave_out(broken);
                            self.changed.insert(number);
                        }
                        self.complain(message)?;
                    }
                    End::Done | End::Cancelled | End::Broken(_) => {}
                }
            }
        }
        Ok(())
    }

    fn analyse(&mut self) -> Result<()> {
        for number in std::mem::take(&mut self.changed) {
            let root = &mut self.roots[number];
            root.analyse(number, &self.documents, &self.in_view, &self.form, &self.events);
            let refused = self
                .in_view
                .first()
                .and_then(|path| root.incremental.as_ref()?.refused(path, &self.documents.get(path)?.text));
            if let Some(message) = refused {
                self.complain(format!("tsvd-check: {message}"))?;
            }
        }
        Ok(())
    }

    /// Publishes the findings of all projects in a file; or tells a client that asks for them that they changed.
    fn publish(&mut self, uri: Uri, version: Option<i32>) -> Result<()> {
        if self.features.pulls {
            self.mark_pulled(&uri);
            return Ok(());
        }
        let diagnostics = self.diagnostics_of(&uri);
        self.notify::<notification::PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version })
    }

    /// Shows a warning, each only once.
    fn complain(&mut self, message: String) -> Result<()> {
        if self.complaints.insert(message.clone()) {
            self.notify::<notification::ShowMessage>(ShowMessageParams { typ: MessageType::WARNING, message })?;
        }
        Ok(())
    }

    fn notify<N: notification::Notification>(&self, params: N::Params) -> Result<()>
    where
        N::Params: Serialize,
    {
        self.send(Outgoing::notification(N::METHOD, params)?)
    }

    fn send(&self, message: Outgoing) -> Result<()> {
        Ok(self.connection.send(message)?)
    }

    /// Parses a notification's parameters. Malformed ones are ignored and logged.
    fn read<T: DeserializeOwned>(&self, method: &str, params: Value) -> Result<Option<T>> {
        match serde_json::from_value(params) {
            Ok(params) => Ok(Some(params)),
            Err(error) => {
                let message = format!("tsvd-check: ignored `{method}` with malformed parameters: {error}");
                self.notify::<notification::LogMessage>(LogMessageParams { typ: MessageType::WARNING, message })?;
                Ok(None)
            }
        }
    }
}
