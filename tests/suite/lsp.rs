//! The language server.

mod actions;
mod order;
mod protocol;
mod server;
mod workspace;
