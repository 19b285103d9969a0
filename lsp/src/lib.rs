//! The language server: diagnostics while the user types (decision 19).
//!
//! The main loop owns the open documents and the projects; it applies edits and never waits for an analysis. Analyses
//! run on snapshots in separate threads, and an edit cancels them.

#![forbid(unsafe_code)]

mod convert;
mod documents;
mod escape;
mod features;
mod findings;
mod pages;
mod positions;
mod project;
mod project_settings;
mod queries;
mod server;
mod session;
mod settings;
mod transport;
mod uri;

use crate::{
    session::{NO_SHUTDOWN, SessionStart},
    transport::Connection,
};
use analyzer::Report;
use std::{
    error::Error,
    io::{Read, Write},
    time::Duration,
};

/// How long the end of a session waits for current work.
const GRACE: Duration = Duration::from_secs(3);

/// Turns a report of one finding into text: output formats, of which the server knows none.
#[derive(Clone, Copy)]
pub struct Renderers {
    /// A few lines of Markdown, for a hover.
    pub hover: fn(&Report) -> String,
    /// The whole finding in Markdown.
    pub markdown: fn(&Report) -> String,
    /// A page in HTML, whose locations have `data-path`, `data-line` and `data-column`.
    pub html: fn(&Report) -> String,
}

type Outcome = Result<u8, Box<dyn Error + Send + Sync>>;

/// Serves one client over two streams until the end; returns the exit status. The process ends soon after the client is
/// gone, whatever is running.
///
/// # Errors
///
/// If the client violates the protocol, or does not read what is written.
pub fn serve_process(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    renderers: Renderers,
) -> Outcome {
    serve_until(input, output, renderers, |is_shut_down| {
        // The main loop may wait for an analysis that does not end.
        std::thread::sleep(GRACE);
        std::process::exit(i32::from(if is_shut_down { 0 } else { NO_SHUTDOWN }));
    })
}

/// The same in a process that continues.
///
/// # Errors
///
/// Like [`serve_process`].
pub fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static, renderers: Renderers) -> Outcome {
    serve_until(input, output, renderers, |_| {})
}

fn serve_until(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    renderers: Renderers,
    at_end: impl FnOnce(bool) + Send + 'static,
) -> Outcome {
    let connection = Connection::new(input, output, at_end)?;
    let outcome = match session::begin(&connection) {
        Ok(SessionStart::Initialized(client, features)) => server::serve(&connection, *client, features, renderers),
        Ok(SessionStart::Over(status)) => Ok(status),
        Err(error) => Err(error),
    };
    connection.finish();
    outcome
}
