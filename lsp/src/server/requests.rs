//! Requests of the client, and what it hears of the server's state.

use super::{EXPLORE, EXPLORE_FILE, Server, pull};
use crate::{
    project::Root,
    queries::Queries,
    session::Result,
    transport::{ErrorCode, Outgoing},
};
use lsp_types::{
    CodeLensParams,
    request::{self, Request as _},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Our own request: the server's progress, and the work it has done.
const STATUS: &str = "tsvd-check/status";
/// The notification by which rust-analyzer, too, says whether it is at work.
const SERVER_STATUS: &str = "experimental/serverStatus";

/// Whether the parameters of a command are of one that takes a while.
fn is_exploration(params: &Value) -> bool {
    [EXPLORE, EXPLORE_FILE].iter().any(|it| params["command"] == **it)
}

impl Server<'_> {
    /// Whether everything that was asked for is analysed.
    fn is_idle(&self) -> bool {
        self.changed.is_empty() && self.jobs.is_empty() && self.roots.iter().all(Root::is_idle)
    }

    /// Tells the client whether the server is at work, if that has changed.
    pub(super) fn tell_status(&mut self) -> Result<()> {
        // Nothing is asked for before that.
        if self.client.is_some() {
            return Ok(());
        }
        let is_quiescent = self.is_idle();
        let message = match is_quiescent {
            true => self.completeness(),
            false if self.roots.iter().any(Root::is_starting) => "loading the project".to_owned(),
            false => "exploring schedules".to_owned(),
        };
        if self.features.status && self.status.as_ref() != Some(&message) {
            self.status = Some(message.clone());
            let params = json!({ "health": "ok", "quiescent": is_quiescent, "message": message });
            self.send(Outgoing::notification(SERVER_STATUS, params)?)?;
        }
        Ok(())
    }

    /// What is explored once nothing is going on; the log has all that is left out.
    fn completeness(&self) -> String {
        let mut left_out = self.roots.iter().filter(|root| !root.is_closed()).flat_map(|root| &root.left_out);
        match (left_out.next(), left_out.count()) {
            (None, _) => "all entries are explored".to_owned(),
            (Some(one), 0) => format!("explored; {one}"),
            (Some(one), more) => format!("explored; {one}; {more} more in the log"),
        }
    }

    fn queries(&self) -> Queries<'_> {
        let Server { roots, documents, renderers, commands, .. } = self;
        Queries { roots, documents, renderers: *renderers, commands }
    }

    /// The parameters of a request. Malformed ones are answered.
    fn parsed<P: DeserializeOwned>(&self, id: &Value, params: Value) -> Result<Option<P>> {
        match serde_json::from_value(params) {
            Ok(params) => Ok(Some(params)),
            Err(error) => {
                let message = format!("malformed parameters: {error}");
                self.send(Outgoing::error(id.clone(), ErrorCode::InvalidParams, &message))?;
                Ok(None)
            }
        }
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
            request::CodeLensRequest::METHOD => match self.parsed::<CodeLensParams>(&id, params)? {
                Some(params) => self.send(Outgoing::result(id, self.lenses(&params.text_document.uri))?),
                None => Ok(()),
            },
            request::ExecuteCommand::METHOD if is_exploration(&params) => match self.parsed(&id, params)? {
                Some(params) => self.explore(id, params),
                None => Ok(()),
            },
            request::ExecuteCommand::METHOD => self.answer(id, params, |queries, params| queries.execute(&params)),
            pull::DOCUMENT => match self.parsed(&id, params)? {
                Some(params) => self.pull_document(id, params),
                None => Ok(()),
            },
            pull::WORKSPACE => match self.parsed(&id, params)? {
                Some(params) => self.pull_workspace(id, params),
                None => Ok(()),
            },
            "shutdown" => {
                self.cancel_pulls()?;
                self.cancel_jobs()?;
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
