//! The language server: diagnostics as somebody types (design §8).
//!
//! The main loop owns the open documents and the projects; it applies edits and never waits for an analysis. Analyses run
//! on snapshots in threads of their own, and an edit cancels them.

#![forbid(unsafe_code)]

mod convert;
mod documents;
mod root;
mod server;
mod settings;
mod uri;

use lsp_server::Connection;
use std::error::Error;

/// Serves one client over standard input and output, to the end.
///
/// # Errors
///
/// If the client does not keep to the protocol, or goes away.
pub fn serve_stdio() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (connection, threads) = Connection::stdio();
    server::serve(&connection)?;
    // The writer ends when nobody can send any more.
    drop(connection);
    threads.join()?;
    Ok(())
}
