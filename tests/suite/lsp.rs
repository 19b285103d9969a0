//! The language server.

mod protocol;
mod server;
mod workspace;
