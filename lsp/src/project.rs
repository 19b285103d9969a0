//! A project of the client's, and its current analysis.

use crate::{
    convert::{self, ByFile, Form},
    documents::Documents,
    findings::Shown,
    project_settings::ProjectSettings,
    settings::TrustSettings,
};
use analyzer::{
    Report,
    check::Progress,
    config,
    diagnostic::Diagnostic,
    guard,
    incremental::{DEEP, End, IncrementalProject, NotExplored, OnDemandResult, SharedEntryResult, Work},
    project::{self, Input, LoadOptions, Trust},
    report::{Message, MessageKind},
};
use crossbeam_channel::Sender;
use lsp_types::Uri;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// An event that a thread sends to the main loop.
pub(crate) struct Event {
    /// The root's number.
    pub(crate) root: usize,
    pub(crate) event: RootEvent,
}

/// An event of a root.
pub(crate) enum RootEvent {
    /// Loading has finished.
    Loaded(Result<Box<IncrementalProject>, String>),
    /// A problem that the user can fix.
    Warning(String),
    /// An entry was explored.
    Analysed(String, SharedEntryResult),
    /// All findings to show, with the number of their analysis.
    Findings { analysis: u64, findings: ByFile },
    /// The work done by an analysis.
    Work(Work),
    /// Entries that an analysis leaves out, for people.
    LeftOut { analysis: u64, text: String },
    /// An analysis has ended.
    Ended(u64, End),
    /// Schedules done by the exploration with this number, and all that it may do.
    Proceeds(u64, u64, u64),
    /// The exploration with this number has ended.
    OnDemandResult(u64, Result<OnDemandResult, NotExplored>),
}

/// A package, workspace or single file.
pub(crate) struct Root {
    pub(crate) input: Input,
    pub(crate) incremental: Option<Box<IncrementalProject>>,
    is_loading: bool,
    /// It must be loaded again.
    is_stale: bool,
    /// The number of the last analysis. Earlier ones see it, and end.
    analysis: Arc<AtomicU64>,
    /// Whether it is running.
    pub(crate) is_analysing: bool,
    /// The versions of the documents that it sees.
    versions: BTreeMap<String, i32>,
    /// What the client shows, by file.
    shown: BTreeMap<String, (Uri, Option<i32>, Vec<Shown>)>,
    /// The work of all analyses.
    pub(crate) work: Work,
    /// The client has closed it.
    is_closed: bool,
    /// Something panicked: the next change reloads it.
    is_distrusted: bool,
    /// The entries that the last analysis leaves out, for people.
    pub(crate) left_out: BTreeSet<String>,
}

impl Root {
    pub(crate) fn new(input: Input) -> Root {
        Root {
            input,
            incremental: None,
            is_loading: false,
            is_stale: false,
            analysis: Arc::default(),
            is_analysing: false,
            versions: BTreeMap::new(),
            shown: BTreeMap::new(),
            work: Work::default(),
            is_closed: false,
            is_distrusted: false,
            left_out: BTreeSet::new(),
        }
    }

    /// Whether a path belongs to it: it is in its folder, or is its only file.
    pub(crate) fn has(&self, path: &Path) -> bool {
        match &self.input {
            Input::File(file) => file == path,
            Input::Package(folder) => path.starts_with(folder),
        }
    }

    /// Whether a file may be its configuration: that of a workspace is above its packages.
    pub(crate) fn is_configured_by(&self, path: &Path) -> bool {
        let is_config = path.file_name().is_some_and(|name| name == config::FILE_NAME);
        match (&self.input, path.parent()) {
            (Input::Package(package), Some(folder)) => is_config && package.starts_with(folder),
            _ => false,
        }
    }

    /// Whether it is loaded for the first time.
    pub(crate) fn is_starting(&self) -> bool {
        !self.is_closed && self.is_loading && self.incremental.is_none()
    }

    /// Whether all requested work is done.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_closed || !self.is_loading && !self.is_analysing
    }

    /// Whether it was closed; later events are ignored.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Whether its project has a file.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        self.incremental.as_ref().is_some_and(|incremental| incremental.project().file_at(path).is_some())
    }

    /// Drops the project; returns the files with published diagnostics.
    pub(crate) fn close(&mut self) -> Vec<(Uri, Option<i32>)> {
        self.is_closed = true;
        if let Some(mut incremental) = self.incremental.take() {
            incremental.stop();
        }
        std::mem::take(&mut self.shown).into_values().map(|(uri, version, _)| (uri, version)).collect()
    }

    /// Its diagnostics in a file.
    pub(crate) fn shown_in(&self, uri: &Uri) -> &[Shown] {
        self.shown.get(uri.as_str()).map_or(&[], |(_, _, diagnostics)| diagnostics)
    }

    /// All findings that are shown, with their files.
    pub(crate) fn all_shown(&self) -> impl Iterator<Item = (&Uri, &Shown)> {
        self.shown.values().flat_map(|(uri, _, all)| all.iter().map(move |it| (uri, it)))
    }

    /// Whether the positions of what is shown in a file are those of its text now.
    pub(crate) fn is_up_to_date(&self, uri: &Uri, documents: &Documents) -> bool {
        let shown = self.shown.get(uri.as_str()).and_then(|(_, version, _)| *version);
        documents.version(uri).is_none_or(|version| shown == Some(version))
    }

    /// Loads or reloads the project, in a separate thread. Earlier results stay until then.
    pub(crate) fn load(
        &mut self,
        number: usize,
        trust: TrustSettings,
        settings: &ProjectSettings,
        folders: &[PathBuf],
        events: &Sender<Event>,
    ) {
        if self.is_loading {
            self.is_stale = true;
            return;
        }
        (self.is_loading, self.is_stale, self.is_distrusted) = (true, false, false);
        let (features, target) = (settings.features.clone(), settings.target.clone());
        let (input, folders, sender) = (self.input.clone(), folders.to_vec(), events.clone());
        let thread = std::thread::Builder::new().name("load".to_owned()).spawn(move || {
            // The server may have been started anywhere.
            let from = match &input {
                Input::Package(folder) => Some(folder.clone()),
                Input::File(_) => None,
            };
            let trust = trust.trust(&folders).unwrap_or_else(|message| {
                let _ = sender.send(Event { root: number, event: RootEvent::Warning(message) });
                Trust::Untrusted
            });
            let (tests, keeps_scripts) = (true, true);
            let options = LoadOptions { tests, trust, from, features, target, keeps_scripts, ..LoadOptions::default() };
            let load = || {
                let mut project = project::load(&input, &options).map_err(|error| error.to_string())?;
                project.prime_caches();
                Ok(Box::new(IncrementalProject::new(project)))
            };
            let loaded = guard::unwinding(load).unwrap_or_else(|_| Err(guard::internal_failure()));
            // The receiver is gone once the client is.
            let _ = sender.send(Event { root: number, event: RootEvent::Loaded(loaded) });
        });
        if let Err(error) = thread {
            let loaded = Err(format!("no thread can be started: {error}"));
            // As above.
            let _ = events.send(Event { root: number, event: RootEvent::Loaded(loaded) });
        }
    }

    /// The project is loaded; open texts override those on disk.
    pub(crate) fn loaded(&mut self, incremental: Box<IncrementalProject>, documents: &Documents) {
        self.is_loading = false;
        let mut incremental = match self.incremental.take() {
            Some(old) => Box::new(incremental.after(*old)),
            None => incremental,
        };
        for (path, document) in documents.iter() {
            incremental.edit(path, &document.text);
        }
        self.incremental = Some(incremental);
    }

    /// The project could not be loaded: earlier results stay.
    pub(crate) fn failed(&mut self) {
        self.is_loading = false;
    }

    /// Something panicked, and the state may be damaged: the next change reloads it.
    pub(crate) fn distrust(&mut self) {
        self.is_distrusted = true;
    }

    /// Whether the next change reloads it.
    pub(crate) fn is_distrusted(&self) -> bool {
        self.is_distrusted && !self.is_closed
    }

    /// Whether something changed during loading that requires another reload.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Analyses the project's current state, in a separate thread.
    pub(crate) fn analyse(
        &mut self,
        number: usize,
        documents: &Documents,
        in_view: &[PathBuf],
        form: &Form,
        events: &Sender<Event>,
    ) {
        let Some(incremental) = &self.incremental else { return };
        let snapshot = incremental.snapshot();
        let analysis = self.analysis.fetch_add(1, Ordering::Relaxed) + 1;
        self.is_analysing = true;
        self.left_out.clear();
        self.versions = documents.iter().map(|(_, it)| (it.uri.as_str().to_owned(), it.version)).collect();
        let (in_view, last) = (in_view.to_vec(), Arc::clone(&self.analysis));
        let mut progress =
            AnalysisProgress { root: number, analysis, last, form: form.clone(), events: events.clone() };
        let thread = std::thread::Builder::new().name("analyse".to_owned()).spawn(move || {
            let end = snapshot.analyse(&in_view, &mut progress);
            progress.send(RootEvent::Ended(analysis, end));
        });
        if thread.is_err() {
            // The receiver is gone once the client is.
            let _ = events.send(Event { root: number, event: RootEvent::Ended(analysis, End::Failed) });
        }
    }

    /// Explores the entries of a file, or of one of its functions, in a separate thread, until the flag is set.
    ///
    /// # Errors
    ///
    /// If that cannot be started.
    pub(crate) fn explore_deeply(
        &self,
        number: usize,
        job: u64,
        path: PathBuf,
        function: Option<String>,
        is_cancelled: Arc<AtomicBool>,
        events: &Sender<Event>,
    ) -> Result<(), NotExplored> {
        let snapshot = self.incremental.as_ref().ok_or(NotExplored::NotRun)?.snapshot();
        let mut progress =
            DeepProgress { root: number, job, is_cancelled, schedules: Vec::new(), events: events.clone() };
        let thread = std::thread::Builder::new().name("explore".to_owned()).spawn(move || {
            let outcome = snapshot.explore_deeply(&path, function.as_deref(), &mut progress);
            progress.send(RootEvent::OnDemandResult(job, outcome));
        });
        thread.map(|_| ()).map_err(|_| NotExplored::Failed)
    }

    /// Whether this is the current analysis.
    pub(crate) fn is_current(&self, analysis: u64) -> bool {
        self.analysis.load(Ordering::Relaxed) == analysis
    }

    /// Stores the findings to show; returns the files whose findings changed, and open files with a new version.
    pub(crate) fn publish(&mut self, documents: &Documents, findings: ByFile) -> Vec<(Uri, Option<i32>)> {
        let mut next: BTreeMap<String, (Uri, Option<i32>, Vec<Shown>)> = BTreeMap::new();
        for (_, document) in documents.iter().filter(|(path, _)| self.has(path)) {
            let name = document.uri.as_str().to_owned();
            let version = self.versions.get(&name).copied();
            next.insert(name, (document.uri.clone(), version, Vec::new()));
        }
        for (name, (uri, diagnostics)) in findings {
            let version = self.versions.get(&name).copied();
            next.insert(name, (uri, version, diagnostics));
        }
        for (name, (uri, _, shown)) in &self.shown {
            if !shown.is_empty() && !next.contains_key(name) {
                next.insert(name.clone(), (uri.clone(), None, Vec::new()));
            }
        }
        let changed = next.iter().filter(|(name, new)| self.shown.get(*name) != Some(new));
        let changed = changed.map(|(_, (uri, version, _))| (uri.clone(), *version)).collect();
        self.shown = next;
        changed
    }
}

/// Sends the results of an analysis to the main loop.
struct AnalysisProgress {
    root: usize,
    analysis: u64,
    /// The number of the last analysis.
    last: Arc<AtomicU64>,
    form: Form,
    events: Sender<Event>,
}

impl AnalysisProgress {
    fn send(&self, event: RootEvent) {
        // The receiver is gone once the client is.
        let _ = self.events.send(Event { root: self.root, event });
    }
}

impl Progress for AnalysisProgress {
    fn is_cancelled(&self) -> bool {
        self.last.load(Ordering::Relaxed) != self.analysis
    }

    fn all_findings(&mut self, findings: &Report) {
        let findings = convert::converted(findings, &self.form);
        self.send(RootEvent::Findings { analysis: self.analysis, findings });
    }

    fn message(&mut self, message: &Message) {
        if matches!(message.kind, MessageKind::TestsLeftOut | MessageKind::ApiLeftOut) {
            self.send(RootEvent::LeftOut { analysis: self.analysis, text: message.text.clone() });
        }
    }

    fn entry_result(&mut self, entry: String, result: SharedEntryResult) {
        self.send(RootEvent::Analysed(entry, result));
    }

    fn work(&mut self, work: Work) {
        self.send(RootEvent::Work(work));
    }
}

/// After so many schedules the client hears of them.
const REPORTED: u64 = 20;

/// Sends what an exploration on demand does to the main loop.
struct DeepProgress {
    root: usize,
    job: u64,
    is_cancelled: Arc<AtomicBool>,
    /// How many schedules each entry has run.
    schedules: Vec<u64>,
    events: Sender<Event>,
}

impl DeepProgress {
    fn send(&self, event: RootEvent) {
        // The receiver is gone once the client is.
        let _ = self.events.send(Event { root: self.root, event });
    }

    fn proceed(&mut self, entry: usize, schedules: u64) {
        if let Some(known) = self.schedules.get_mut(entry) {
            *known = schedules;
        }
        let all = self.schedules.len() as u64 * u64::from(DEEP);
        self.send(RootEvent::Proceeds(self.job, self.schedules.iter().sum(), all));
    }
}

impl Progress for DeepProgress {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn started(&mut self, entries: usize) {
        self.schedules = vec![0; entries];
    }

    fn schedule(&mut self, entry: usize, _name: &str, schedules: u32) {
        if u64::from(schedules).is_multiple_of(REPORTED) {
            self.proceed(entry, schedules.into());
        }
    }

    fn explored(&mut self, entry: usize, _findings: &[Diagnostic]) {
        self.proceed(entry, DEEP.into());
    }

    fn entry_result(&mut self, entry: String, result: SharedEntryResult) {
        self.send(RootEvent::Analysed(entry, result));
    }
}
