//! Diagnostics for clients that ask for them. Such a client gets none unasked.

use super::Server;
use crate::{
    convert::content_id,
    session::Result,
    transport::{ErrorCode, Outgoing},
    uri,
};
use lsp_types::{
    Diagnostic, DocumentDiagnosticParams, Uri, WorkspaceDiagnosticParams,
    request::{self, Request as _},
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// Maximum number of requests that wait; the oldest is answered with what is known.
const MAX_WAITING: usize = 64;

/// Requests for diagnostics, and what the client knows.
#[derive(Default)]
pub(super) struct Pulls {
    /// They wait until their text is analysed, which takes milliseconds.
    documents: VecDeque<Waiting>,
    /// It waits until some diagnostics are not those that the client knows.
    workspace: Option<(Value, BTreeMap<String, String>)>,
    /// The id of the content that the client has, for each file.
    told: BTreeMap<String, String>,
    /// Whether it must be told that there are others.
    is_due: bool,
    /// The request that tells it, until it is answered.
    asked: Option<i32>,
}

struct Waiting {
    id: Value,
    uri: Uri,
    known: Option<String>,
}

impl Server<'_> {
    /// The client asks for the diagnostics of a file.
    pub(super) fn pull_document(&mut self, id: Value, params: DocumentDiagnosticParams) -> Result<()> {
        if self.pulls.documents.len() >= MAX_WAITING
            && let Some(oldest) = self.pulls.documents.pop_front()
        {
            self.answer_document(oldest)?;
        }
        let (uri, known) = (params.text_document.uri, params.previous_result_id);
        self.pulls.documents.push_back(Waiting { id, uri, known });
        self.answer_pulls()
    }

    /// The client asks for the diagnostics of all files.
    pub(super) fn pull_workspace(&mut self, id: Value, params: WorkspaceDiagnosticParams) -> Result<()> {
        // There is one such request at a time.
        if let Some((older, _)) = self.pulls.workspace.take() {
            self.send(Outgoing::result(older, json!({ "items": [] }))?)?;
        }
        let known = params.previous_result_ids.into_iter().map(|it| (it.uri.as_str().to_owned(), it.value)).collect();
        self.pulls.workspace = Some((id, known));
        self.answer_pulls()
    }

    /// The diagnostics of a file have changed.
    pub(super) fn mark_pulled(&mut self, uri: &Uri) {
        let id = content_id(&self.diagnostics_of(uri));
        self.pulls.is_due |=
            self.pulls.told.get(uri.as_str()).map_or_else(|| content_id(&[]) != id, |told| *told != id);
    }

    /// Answers the requests that need not wait, and tells the client to ask again.
    pub(super) fn answer_pulls(&mut self) -> Result<()> {
        for waiting in std::mem::take(&mut self.pulls.documents) {
            match self.is_current(&waiting.uri) {
                true => self.answer_document(waiting)?,
                false => self.pulls.documents.push_back(waiting),
            }
        }
        if let Some((id, known)) = self.pulls.workspace.take() {
            self.answer_workspace(id, known)?;
        }
        if self.pulls.is_due && self.pulls.asked.is_none() {
            self.pulls.is_due = false;
            self.pulls.asked = Some(self.ask::<request::WorkspaceDiagnosticRefresh>(())?);
        }
        Ok(())
    }

    /// The client has heard that there are new diagnostics.
    pub(super) fn refreshed(&mut self, id: &Value) {
        if self.pulls.asked.is_some_and(|asked| id.as_i64() == Some(asked.into())) {
            self.pulls.asked = None;
        }
    }

    /// Ends a waiting request that the client does not need any more.
    pub(super) fn cancel_pull(&mut self, id: &Value) -> Result<()> {
        let waiting = self.pulls.documents.len();
        self.pulls.documents.retain(|it| it.id != *id);
        let is_workspace = self.pulls.workspace.take_if(|(known, _)| known == id).is_some();
        if is_workspace || self.pulls.documents.len() < waiting {
            self.send(Outgoing::error(id.clone(), ErrorCode::RequestCancelled, "cancelled"))?;
        }
        Ok(())
    }

    /// Ends all waiting requests.
    pub(super) fn cancel_pulls(&mut self) -> Result<()> {
        let ids: Vec<Value> = self.pulls.documents.iter().map(|it| it.id.clone()).collect();
        let workspace = self.pulls.workspace.iter().map(|(id, _)| id.clone());
        ids.into_iter().chain(workspace.collect::<Vec<_>>()).try_for_each(|id| self.cancel_pull(&id))
    }

    /// Whether the diagnostics of a file are those of its text, or no analysis will change that soon.
    fn is_current(&self, uri: &Uri) -> bool {
        let Some(path) = uri::to_path(uri) else { return true };
        let concerned = (0..).zip(&self.roots).filter(|(_, root)| !root.is_closed() && root.contains(&path));
        concerned.into_iter().all(|(number, root)| {
            let is_busy = root.is_analysing || self.changed.contains(&number);
            !is_busy || root.is_up_to_date(uri, &self.documents)
        })
    }

    fn answer_document(&mut self, Waiting { id, uri, known }: Waiting) -> Result<()> {
        let items = self.diagnostics_of(&uri);
        let content = content_id(&items);
        let report = match known.as_ref() == Some(&content) {
            true => json!({ "kind": "unchanged", "resultId": content }),
            false => json!({ "kind": "full", "resultId": content, "items": items }),
        };
        self.pulls.told.insert(uri.as_str().to_owned(), content);
        self.send(Outgoing::result(id, report)?)
    }

    fn answer_workspace(&mut self, id: Value, known: BTreeMap<String, String>) -> Result<()> {
        let shown = self.roots.iter().flat_map(|root| root.all_shown()).map(|(uri, _)| uri.as_str().to_owned());
        let mut names: Vec<String> = shown.chain(known.keys().cloned()).collect();
        names.sort_unstable();
        names.dedup();
        let mut items = Vec::new();
        let mut told = Vec::new();
        for name in names {
            let Ok(uri) = name.parse::<Uri>() else { continue };
            let diagnostics = self.diagnostics_of(&uri);
            let content = content_id(&diagnostics);
            if known.get(&name).map_or(diagnostics.is_empty(), |it| *it == content) {
                continue;
            }
            let version = self.documents.version(&uri);
            items.push(json!({
                "kind": "full", "uri": uri, "version": version, "resultId": content, "items": diagnostics,
            }));
            told.push((name, content));
        }
        if items.is_empty() {
            self.pulls.workspace = Some((id, known));
            return Ok(());
        }
        self.pulls.told.extend(told);
        self.send(Outgoing::result(id, json!({ "items": items }))?)
    }

    /// The diagnostics of all projects in a file.
    pub(super) fn diagnostics_of(&self, uri: &Uri) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        if uri::to_path(uri).is_some_and(|path| self.settings.excludes(&self.folders, &path)) {
            return diagnostics;
        }
        for it in self.roots.iter().flat_map(|root| root.shown_in(uri)) {
            if !diagnostics.contains(&it.diagnostic) {
                diagnostics.push(it.diagnostic.clone());
            }
        }
        diagnostics
    }
}

/// The methods of this module.
pub(super) const DOCUMENT: &str = request::DocumentDiagnosticRequest::METHOD;
pub(super) const WORKSPACE: &str = request::WorkspaceDiagnosticRequest::METHOD;
