//! The language server.

mod actions;
mod protocol;
mod server;
mod workspace;
