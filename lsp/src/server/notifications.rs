//! Notifications of the client.

use super::Server;
use crate::{session::Result, settings, uri};
use lsp_types::{
    CancelParams, DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    FileChangeType, NumberOrString, TextDocumentIdentifier, WorkDoneProgressCancelParams, WorkspaceFolder,
    notification, notification::Notification as _,
};
use serde_json::Value;
use std::path::PathBuf;

/// Our own notification: which of the open files the user looks at.
const IN_VIEW: &str = "tsvd-check/inView";

impl Server<'_> {
    pub(super) fn notification(&mut self, method: &str, params: Value) -> Result<()> {
        match method {
            notification::Initialized::METHOD => {
                if let Some(client) = self.client.take() {
                    self.begin(&client)?;
                }
            }
            notification::DidOpenTextDocument::METHOD => {
                let Some(DidOpenTextDocumentParams { text_document: it }) = self.read(method, params)? else {
                    return Ok(());
                };
                if let Some(path) = self.documents.open(it.uri, it.version, it.text) {
                    self.look_at(&path);
                    self.find_root(&path);
                    self.apply(&path);
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                let Some(it) = self.read::<DidChangeTextDocumentParams>(method, params)? else { return Ok(()) };
                let document = it.text_document;
                if let Some(path) = self.documents.change(&document.uri, document.version, it.content_changes) {
                    self.look_at(&path);
                    self.apply(&path);
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                let Some(it) = self.read::<DidCloseTextDocumentParams>(method, params)? else { return Ok(()) };
                if let Some(path) = self.documents.close(&it.text_document.uri) {
                    self.in_view.retain(|it| *it != path);
                    self.apply(&path);
                }
            }
            notification::DidSaveTextDocument::METHOD => {
                let Some(it) = self.read::<DidSaveTextDocumentParams>(method, params)? else { return Ok(()) };
                if let Some(path) = uri::to_path(&it.text_document.uri)
                    && !self.features.watcher
                {
                    self.changed_on_disk(&path, false);
                }
            }
            notification::DidChangeWatchedFiles::METHOD => {
                let Some(it) = self.read::<DidChangeWatchedFilesParams>(method, params)? else { return Ok(()) };
                for change in it.changes {
                    if let Some(path) = uri::to_path(&change.uri) {
                        self.changed_on_disk(&path, change.typ != FileChangeType::CHANGED);
                    }
                }
            }
            notification::DidChangeConfiguration::METHOD => {
                let Some(it) = self.read::<DidChangeConfigurationParams>(method, params)? else { return Ok(()) };
                match settings::trust(&it.settings).cloned() {
                    Some(setting) => self.set_trust(&setting)?,
                    None => self.ask_for_trust()?,
                }
            }
            notification::DidChangeWorkspaceFolders::METHOD => {
                let Some(it) = self.read::<DidChangeWorkspaceFoldersParams>(method, params)? else { return Ok(()) };
                let paths = |folders: &[WorkspaceFolder]| -> Vec<PathBuf> {
                    folders.iter().filter_map(|it| uri::to_path(&it.uri)).collect()
                };
                paths(&it.event.added).into_iter().for_each(|folder| self.add_folder(folder));
                for folder in paths(&it.event.removed) {
                    self.remove_folder(&folder)?;
                }
            }
            IN_VIEW => {
                let Some(it) = self.read::<TextDocumentIdentifier>(method, params)? else { return Ok(()) };
                if let Some(path) = uri::to_path(&it.uri)
                    && self.documents.get(&path).is_some()
                    && self.in_view.first() != Some(&path)
                {
                    self.look_at(&path);
                    self.apply(&path);
                }
            }
            notification::Cancel::METHOD => {
                let Some(it) = self.read::<CancelParams>(method, params)? else { return Ok(()) };
                let id = match it.id {
                    NumberOrString::Number(id) => Value::from(id),
                    NumberOrString::String(id) => Value::from(id),
                };
                self.cancel_job(&id);
                self.cancel_pull(&id)?;
            }
            notification::WorkDoneProgressCancel::METHOD => {
                let Some(it) = self.read::<WorkDoneProgressCancelParams>(method, params)? else { return Ok(()) };
                self.cancel_progress(&it.token);
            }
            _ => {}
        }
        Ok(())
    }
}
