//! Requests of the client, and what it hears of the server's state.

use super::Server;
use crate::{
    queries::Queries,
    root::Root,
    session::Result,
    transport::{ErrorCode, Outgoing},
};
use lsp_types::request::{self, Request as _};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Our own request: the server's progress, and the work it has done.
const STATUS: &str = "tsvd-check/status";
/// The notification by which rust-analyzer, too, says whether it is at work.
const SERVER_STATUS: &str = "experimental/serverStatus";

impl Server<'_> {
    /// Whether everything that was asked for is analysed.
    fn is_idle(&self) -> bool {
        self.changed.is_empty() && self.roots.iter().all(Root::is_idle)
    }

    /// Tells the client whether the server is at work, if that has changed.
    pub(super) fn tell_status(&mut self) -> Result<()> {
        // Nothing is asked for before that.
        if self.client.is_some() {
            return Ok(());
        }
        let is_quiescent = self.is_idle();
        let message = match is_quiescent {
            true => "all entries are explored",
            false if self.roots.iter().any(Root::is_starting) => "loading the project",
            false => "exploring schedules",
        };
        if self.has_status && self.status != Some(message) {
            self.status = Some(message);
            let params = json!({ "health": "ok", "quiescent": is_quiescent, "message": message });
            self.send(Outgoing::notification(SERVER_STATUS, params)?)?;
        }
        Ok(())
    }

    fn queries(&self) -> Queries<'_> {
        let Server { roots, documents, renderers, commands, .. } = self;
        Queries { roots, documents, renderers: *renderers, commands }
    }

    /// Answers a request whose parameters are read first.
    fn answer<P: DeserializeOwned>(
        &self,
        id: Value,
        params: Value,
        answer: impl FnOnce(&Queries<'_>, P) -> std::result::Result<Value, String>,
    ) -> Result<()> {
        let message = match serde_json::from_value(params) {
            Err(error) => Outgoing::error(id, ErrorCode::InvalidParams, &format!("malformed parameters: {error}")),
            Ok(params) => match answer(&self.queries(), params) {
                Ok(value) => Outgoing::result(id, value)?,
                Err(message) => Outgoing::error(id, ErrorCode::InvalidParams, &message),
            },
        };
        self.send(message)
    }

    pub(super) fn request(&mut self, id: Value, method: &str, params: Value) -> Result<()> {
        match method {
            STATUS => {
                let sum = |part: fn(&Root) -> u64| self.roots.iter().map(part).sum::<u64>();
                let is_idle = self.is_idle();
                let status = json!({
                    "isIdle": is_idle,
                    "explored": sum(|root| root.work.explored),
                    "replayed": sum(|root| root.work.replayed),
                    "lowered": self.roots.iter().map(|root| root.work.lowered).max().unwrap_or_default(),
                });
                self.send(Outgoing::result(id, status)?)
            }
            request::CodeActionRequest::METHOD => {
                self.answer(id, params, |queries, params| Ok(json!(queries.actions(&params))))
            }
            request::HoverRequest::METHOD => {
                self.answer(id, params, |queries, params| Ok(json!(queries.hover(&params))))
            }
            request::ExecuteCommand::METHOD => self.answer(id, params, |queries, params| queries.execute(&params)),
            "shutdown" => {
                self.is_shut_down = true;
                self.send(Outgoing::result(id, Value::Null)?)
            }
            _ => self.refuse(id, method),
        }
    }

    /// Answers a request that cannot be served, now or ever.
    pub(super) fn refuse(&self, id: Value, method: &str) -> Result<()> {
        let (code, message) = match method {
            _ if self.is_shut_down => (ErrorCode::InvalidRequest, format!("`{method}` after `shutdown`")),
            "initialize" => (ErrorCode::InvalidRequest, "a second `initialize`".to_owned()),
            _ => (ErrorCode::MethodNotFound, format!("`{method}` is not offered")),
        };
        self.send(Outgoing::error(id, code, &message))
    }
}
