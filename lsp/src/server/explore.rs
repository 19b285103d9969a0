//! Explorations that the user asks for: code lenses, and the commands behind them.

use super::Server;
use crate::{
    project::Event,
    session::Result,
    transport::{ErrorCode, Outgoing},
    uri,
};
use analyzer::incremental::{DEEP, NotExplored, OnDemandResult};
use lsp_types::{
    CodeLens, Command, ExecuteCommandParams, MessageType, ProgressToken, Range, ShowMessageParams, Uri, notification,
    notification::Notification as _, request,
};
use serde_json::{Value, json};
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Explores a test, or a function that starts threads. Arguments: the file's URI, and the entry that a code lens names.
pub(crate) const EXPLORE: &str = "tsvd-check.explore";
/// Explores everything that starts in a file or runs through it. Argument: the file's URI.
pub(crate) const EXPLORE_FILE: &str = "tsvd-check.exploreFile";

/// Maximum number of explorations at a time.
const MAX_JOBS: usize = 4;

/// A running exploration.
pub(super) struct Job {
    number: u64,
    /// The request of the client.
    id: Value,
    /// What is explored, for people.
    what: String,
    /// Where the client shows its progress.
    token: Option<ProgressToken>,
    is_cancelled: Arc<AtomicBool>,
}

impl Server<'_> {
    /// A code lens for each test of a file, and each function that starts threads.
    pub(super) fn lenses(&self, uri: &Uri) -> Vec<CodeLens> {
        let Some((path, document)) =
            uri::to_path(uri).and_then(|path| Some((path.clone(), self.documents.get(&path)?)))
        else {
            return Vec::new();
        };
        let lines: Vec<&str> = document.text.lines().collect();
        let incremental = self.roots.iter().filter_map(|root| root.incremental.as_ref());
        let Some(found) = incremental.map(|it| it.explorables(&path)).find(|found| !found.is_empty()) else {
            return Vec::new();
        };
        let lens = |it: analyzer::incremental::Explorable| {
            let text = lines.get(it.line.saturating_sub(1) as usize).copied().unwrap_or_default();
            let at = |column| self.features.encoding.position(text, it.line, column);
            CodeLens {
                range: Range { start: at(it.column), end: at(it.end_column) },
                command: Some(Command {
                    title: format!("explore {} schedules", thousands(DEEP.into())),
                    command: EXPLORE.to_owned(),
                    arguments: Some(vec![json!(uri), json!(it.id)]),
                }),
                data: None,
            }
        };
        found.into_iter().map(lens).collect()
    }

    /// Starts an exploration; it is answered at its end.
    pub(super) fn explore(&mut self, id: Value, params: ExecuteCommandParams) -> Result<()> {
        match self.start_job(&id, params) {
            Ok(()) => Ok(()),
            Err((code, message)) => self.send(Outgoing::error(id, code, &message)),
        }
    }

    fn start_job(&mut self, id: &Value, params: ExecuteCommandParams) -> std::result::Result<(), (ErrorCode, String)> {
        let argument = |number: usize| params.arguments.get(number).and_then(Value::as_str);
        let path = argument(0).and_then(|it| it.parse::<Uri>().ok()).and_then(|it| uri::to_path(&it));
        let path = path.ok_or_else(|| {
            (ErrorCode::InvalidParams, format!("`{}` needs the URI of a file as its first argument", params.command))
        })?;
        let entry = match (params.command == EXPLORE, argument(1)) {
            (false, _) => None,
            (true, Some(entry)) => Some(entry.to_owned()),
            (true, None) => {
                let message = format!("`{EXPLORE}` needs the entry that a code lens names as its second argument");
                return Err((ErrorCode::InvalidParams, message));
            }
        };
        let refused = |message: &str| (ErrorCode::RequestFailed, message.to_owned());
        if self.jobs.len() >= MAX_JOBS {
            return Err(refused("several explorations are running: wait for one of them, or cancel it"));
        }
        let number = self.roots.iter().position(|root| root.contains(&path));
        let number = number.ok_or_else(|| match self.roots.iter().any(crate::project::Root::is_starting) {
            true => refused("the project is still being loaded: try again when it is"),
            false => refused("this file belongs to no project that is open"),
        })?;
        self.jobs_started += 1;
        let job = Job {
            number: self.jobs_started,
            id: id.clone(),
            what: self.name_of(&path, entry.as_deref()),
            token: self.begin_progress(&params, &path, entry.as_deref()),
            is_cancelled: Arc::default(),
        };
        let (root, flag) = (&self.roots[number], Arc::clone(&job.is_cancelled));
        let started = root.explore_deeply(number, job.number, path, entry, flag, &self.events);
        self.jobs.push(job);
        if let Err(message) = started {
            let event = Event {
                root: number,
                event: crate::project::RootEvent::OnDemandResult(self.jobs_started, Err(message)),
            };
            // The receiver lives as long as the server.
            let _ = self.events.send(event);
        }
        Ok(())
    }

    /// The function's name, or the file's.
    fn name_of(&self, path: &PathBuf, entry: Option<&str>) -> String {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = entry.and_then(|entry| {
            let found = self.roots.iter().find(|root| root.contains(path))?.incremental.as_ref()?.explorables(path);
            let it = found.into_iter().find(|it| it.id == entry)?;
            let line = self.documents.get(path)?.text.lines().nth(it.line.checked_sub(1)? as usize)?;
            let (from, to) = (it.column.checked_sub(1)? as usize, it.end_column.saturating_sub(1) as usize);
            Some(line.chars().take(to).skip(from).collect())
        });
        found.unwrap_or(file)
    }

    /// Shows that it has begun, if the client can.
    fn begin_progress(
        &mut self,
        params: &ExecuteCommandParams,
        path: &PathBuf,
        entry: Option<&str>,
    ) -> Option<ProgressToken> {
        let token = match params.work_done_progress_params.work_done_token.clone() {
            Some(token) => token,
            None if self.features.progress => {
                let token = ProgressToken::String(format!("tsvd-check/explore/{}", self.jobs_started));
                self.ask::<request::WorkDoneProgressCreate>(lsp_types::WorkDoneProgressCreateParams {
                    token: token.clone(),
                })
                .ok()?;
                token
            }
            None => return None,
        };
        let title = format!("tsvd-check: exploring {}", self.name_of(path, entry));
        let begin = json!({ "kind": "begin", "title": title, "cancellable": true, "percentage": 0 });
        self.progress(&token, &begin).ok()?;
        Some(token)
    }

    fn progress(&self, token: &ProgressToken, value: &Value) -> Result<()> {
        let params = json!({ "token": token, "value": value });
        self.send(Outgoing::notification(notification::Progress::METHOD, params)?)
    }

    /// Some schedules of an exploration are done.
    pub(super) fn job_proceeds(&self, number: u64, done: u64, of: u64) -> Result<()> {
        let Some(token) = self.jobs.iter().find(|it| it.number == number).and_then(|it| it.token.as_ref()) else {
            return Ok(());
        };
        let message = format!("{} of {} schedules", thousands(done), thousands(of));
        let percentage = (done * 100).checked_div(of).unwrap_or_default().min(100);
        self.progress(token, &json!({ "kind": "report", "message": message, "percentage": percentage }))
    }

    /// An exploration is over: answers the request, and tells the user.
    pub(super) fn job_ended(
        &mut self,
        number: u64,
        outcome: std::result::Result<OnDemandResult, NotExplored>,
    ) -> Result<()> {
        let Some(at) = self.jobs.iter().position(|it| it.number == number) else { return Ok(()) };
        let Job { id, what, token, is_cancelled, .. } = self.jobs.remove(at);
        let is_cancelled = is_cancelled.load(Ordering::Relaxed);
        let (text, answer) = match outcome {
            Ok(OnDemandResult { entries, schedules, bugs }) => {
                let text = summary(&what, schedules, bugs, is_cancelled);
                let result = json!({
                    "entries": entries, "schedules": schedules, "bugs": bugs, "isCancelled": is_cancelled,
                    "message": text,
                });
                self.notify::<notification::ShowMessage>(ShowMessageParams {
                    typ: MessageType::INFO,
                    message: format!("tsvd-check: {text}"),
                })?;
                (text, Outgoing::result(id, result)?)
            }
            Err(why) => {
                let (code, text) = match why {
                    NotExplored::NotRun => (
                        ErrorCode::RequestFailed,
                        format!("nothing to explore: no program, test or public function runs {what}"),
                    ),
                    NotExplored::Edited => (
                        ErrorCode::ContentModified,
                        format!("{what}: an edit cancelled the exploration; start it again"),
                    ),
                    NotExplored::Failed => (ErrorCode::InternalError, analyzer::guard::internal_failure()),
                };
                (text.clone(), Outgoing::error(id, code, &text))
            }
        };
        if let Some(token) = token {
            self.progress(&token, &json!({ "kind": "end", "message": text }))?;
        }
        self.send(answer)
    }

    /// Ends an exploration: the client cancels its request.
    pub(super) fn cancel_job(&self, id: &Value) {
        self.jobs.iter().filter(|it| it.id == *id).for_each(|it| it.is_cancelled.store(true, Ordering::Relaxed));
    }

    /// Ends an exploration: the user cancels its progress.
    pub(super) fn cancel_progress(&self, token: &ProgressToken) {
        let jobs = self.jobs.iter().filter(|it| it.token.as_ref() == Some(token));
        jobs.for_each(|it| it.is_cancelled.store(true, Ordering::Relaxed));
    }

    /// Ends all explorations, at the end of the session.
    pub(super) fn cancel_jobs(&mut self) -> Result<()> {
        for Job { id, is_cancelled, .. } in std::mem::take(&mut self.jobs) {
            is_cancelled.store(true, Ordering::Relaxed);
            self.send(Outgoing::error(id, ErrorCode::RequestCancelled, "the session ends"))?;
        }
        Ok(())
    }
}

/// What an exploration did, for people.
fn summary(what: &str, schedules: u64, bugs: usize, is_cancelled: bool) -> String {
    let found = match bugs {
        0 => "no bug found".to_owned(),
        1 => "1 bug".to_owned(),
        bugs => format!("{bugs} bugs"),
    };
    let number = thousands(schedules);
    let unit = if schedules == 1 { "schedule" } else { "schedules" };
    match is_cancelled {
        true => format!("{what}: cancelled after {number} {unit}; {found} until then"),
        false => format!("{what}: {number} {unit}, {found}"),
    }
}

/// A number with commas.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        assert_eq!(summary("twice", 1_000, 0, false), "twice: 1,000 schedules, no bug found");
        assert_eq!(summary("twice", 1, 1, false), "twice: 1 schedule, 1 bug");
        assert_eq!(summary("a.rs", 1_234_567, 2, true), "a.rs: cancelled after 1,234,567 schedules; 2 bugs until then");
    }
}
