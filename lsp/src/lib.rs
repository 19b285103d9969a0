//! The language server: diagnostics as somebody types (design §8).
//!
//! The main loop owns the open documents and the projects; it applies edits and never waits for an analysis. Analyses run
//! on snapshots in threads of their own, and an edit cancels them.

#![forbid(unsafe_code)]

mod convert;
mod documents;
mod escape;
mod root;
mod server;
mod session;
mod settings;
mod transport;
mod uri;

use crate::{
    session::{Beginning, NO_SHUTDOWN},
    transport::Connection,
};
use std::{error::Error, time::Duration};

/// How long the end of a session waits for what is under way.
const GRACE: Duration = Duration::from_secs(3);

/// Serves one client over standard input and output, to the end; gives the exit status.
///
/// # Errors
///
/// If the client does not keep to the protocol, or does not take what is written.
pub fn serve_stdio() -> Result<u8, Box<dyn Error + Send + Sync>> {
    let at_end = |is_shut_down| {
        // The main loop may wait for an analysis that does not end.
        std::thread::sleep(GRACE);
        std::process::exit(i32::from(if is_shut_down { 0 } else { NO_SHUTDOWN }));
    };
    let connection = Connection::new(std::io::stdin(), std::io::stdout(), at_end)?;
    let outcome = match session::begin(&connection) {
        Ok(Beginning::Initialized(client)) => server::serve(&connection, *client),
        Ok(Beginning::Over(status)) => Ok(status),
        Err(error) => Err(error),
    };
    connection.finish();
    outcome
}
