//! The language server.

mod actions;
mod deep;
mod features;
mod order;
mod protocol;
mod server;
mod workspace;
