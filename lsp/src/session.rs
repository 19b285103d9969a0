//! The life cycle of a session: what the client may request when, and how the process ends.

use crate::{
    features::Features,
    queries::{EXPLAIN, INTERLEAVING},
    server::{EXPLORE, EXPLORE_FILE},
    transport::{Connection, End, ErrorCode, Incoming, NOT_READ, Outgoing},
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions, DiagnosticOptions,
    DiagnosticServerCapabilities, ExecuteCommandOptions, HoverProviderCapability, InitializeParams, InitializeResult,
    OneOf, SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use std::error::Error;

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Exit status if the client ends the session without a shutdown request.
pub(crate) const NO_SHUTDOWN: u8 = 1;

/// The start of a session.
pub(crate) enum SessionStart {
    /// The client has sent its parameters, and what it can do.
    Initialized(Box<InitializeParams>, Features),
    /// It disconnected before that; the exit status.
    Over(u8),
}

/// Waits for the client's `initialize` and answers it. Earlier requests are refused.
pub(crate) fn begin(connection: &Connection) -> Result<SessionStart> {
    loop {
        match connection.receiver.recv()? {
            Incoming::Request { id, method, params } if method == "initialize" => {
                let features = Features::of(&params);
                match serde_json::from_value(params) {
                    Ok(client) => {
                        connection.send(Outgoing::result(id, offer(features))?)?;
                        return Ok(SessionStart::Initialized(Box::new(client), features));
                    }
                    Err(error) => {
                        let message = format!("malformed parameters: {error}");
                        connection.send(Outgoing::error(id, ErrorCode::InvalidParams, &message))?;
                    }
                }
            }
            Incoming::Request { id, method, .. } => {
                let message = format!("`{method}` before `initialize`");
                connection.send(Outgoing::error(id, ErrorCode::ServerNotInitialized, &message))?;
            }
            Incoming::Notification { method, .. } if method == "exit" => return Ok(SessionStart::Over(NO_SHUTDOWN)),
            Incoming::Notification { .. } | Incoming::Response { .. } => {}
            Incoming::Invalid(answer) => connection.send(answer)?,
            Incoming::End(end) => return ended(end, NO_SHUTDOWN).map(SessionStart::Over),
        }
    }
}

/// The exit status at the end of the input, if the client ended the session with `status`.
///
/// # Errors
///
/// If the session was not ended properly, with the reason.
pub(crate) fn ended(end: End, status: u8) -> Result<u8> {
    match end {
        End::Closed => Ok(status),
        End::Framing(reason) => Err(format!("the client sent {reason}").into()),
        End::Write(reason) => Err(format!("{NOT_READ}: {reason}").into()),
    }
}

fn offer(features: Features) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(features.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            workspace: Some(WorkspaceServerCapabilities {
                workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                    supported: Some(true),
                    change_notifications: Some(OneOf::Left(true)),
                }),
                file_operations: None,
            }),
            diagnostic_provider: features.pulls.then(|| {
                DiagnosticServerCapabilities::Options(DiagnosticOptions {
                    identifier: Some("tsvd-check".to_owned()),
                    inter_file_dependencies: true,
                    workspace_diagnostics: true,
                    ..DiagnosticOptions::default()
                })
            }),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
                ..CodeActionOptions::default()
            })),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: [INTERLEAVING, EXPLAIN, EXPLORE, EXPLORE_FILE].map(str::to_owned).into(),
                ..ExecuteCommandOptions::default()
            }),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "tsvd-check".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}
