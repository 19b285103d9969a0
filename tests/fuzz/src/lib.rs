//! What is fuzzed: a function for each kind of input that somebody else may have written.
//!
//! `tests/suite/safety/fuzz_targets` calls them with the seeds and a fixed number of mutations, on stable Rust. The programs in
//! `fuzz_targets/` are for `cargo fuzz` (`tests/fuzz/run.sh`).

mod projects;
mod schedules;
mod server;
mod sources;

use std::{
    panic::PanicHookInfo,
    sync::{Mutex, Once, PoisonError},
};

/// A kind of input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name of its seeds, dictionary and program.
    pub name: &'static str,
    /// Takes one input. It panics if something is wrong.
    one_input: fn(&[u8]),
    /// How many mutations the test tries.
    pub mutations: u64,
}

/// `Cargo.toml`, `Cargo.lock`, cargo's configuration: a package is loaded.
pub const MANIFESTS: Target = Target { name: "manifests", one_input: projects::manifests, mutations: 8 };
/// `rust-project.json`: what it describes is loaded.
pub const RUST_PROJECT: Target = Target { name: "rust_project", one_input: projects::rust_project, mutations: 100 };
/// Rust sources: loaded, and each entry explored within small bounds.
pub const SOURCES: Target = Target { name: "sources", one_input: sources::one_input, mutations: 200 };
/// Schedules of findings: read, printed, replayed.
pub const SCHEDULES: Target = Target { name: "schedules", one_input: schedules::one_input, mutations: 400 };

/// What a client sends to the language server.
pub const SERVER: Target = Target { name: "server", one_input: server::one_input, mutations: 300 };
/// What is kept of a check: it is not believed without the user's key, and harmless with it.
pub const KEPT_RESULTS: Target =
    Target { name: "kept_results", one_input: tsvd_check::check_kept_result, mutations: 2_000 };
/// All of them.
pub const ALL: [Target; 6] = [MANIFESTS, RUST_PROJECT, SOURCES, SCHEDULES, SERVER, KEPT_RESULTS];

impl Target {
    /// Takes one input.
    ///
    /// # Panics
    ///
    /// If something is wrong, also if code of ours panicked and that was caught.
    pub fn run(&self, input: &[u8]) {
        static WATCH: Once = Once::new();
        WATCH.call_once(|| std::panic::set_hook(Box::new(note)));
        (self.one_input)(input);
        let panics = std::mem::take(&mut *OWN_PANICS.lock().unwrap_or_else(PoisonError::into_inner));
        assert!(panics.is_empty(), "panics of ours that were caught: {panics:#?}");
    }
}

/// Panics of our own code. Those of rust-analyzer's crates cost an item each, and that is how it should be.
static OWN_PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[expect(clippy::print_stderr, reason = "it stands for the hook that prints")]
fn note(info: &PanicHookInfo<'_>) {
    let place = info.location().map_or_else(|| "?".to_owned(), ToString::to_string);
    let message = format!("{place}: {}", info.payload_as_str().unwrap_or("?"));
    let is_dependency = place.contains("/registry/src/") || place.contains("/rustc/");
    let is_ours = ["analyzer/src/", "interp/src/", "lsp/src/"].iter().any(|it| place.contains(it));
    if is_ours && !is_dependency {
        OWN_PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(message.clone());
    }
    eprintln!("panic at {message}");
}
