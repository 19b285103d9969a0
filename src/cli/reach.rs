//! `tsvd-check reach`: every synchronisation site of a package, and how far runs came.

use super::{Selection, SourceOptions, check, print_escaped, print_report};
use crate::format::reach;
use analyzer::{
    Report,
    explore::Effort,
    report::{MessageKind, Part},
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct ReachCommand {
    /// Folders of packages, their `Cargo.toml`s, `rust-project.json`s, or `.rs` files that need only std.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    options: SourceOptions,
    /// How much is done: `low`, `normal`, `high` or `highest` [default: normal].
    #[arg(long, value_name = "LEVEL")]
    effort: Option<Effort>,
    #[command(flatten)]
    selection: Selection,
    /// Check only tests whose name contains this.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["bin", "no_tests"])]
    test: Option<String>,
    /// Skip tests.
    #[arg(long)]
    no_tests: bool,
    /// Check only programs and tests: skip public functions, and functions that start threads.
    #[arg(long)]
    no_api: bool,
    /// Do not read or write cached reports.
    #[arg(long)]
    no_cache: bool,
    /// How sites are printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: the sum, the reasons, each site.
    Text,
    /// A tracefile, for viewers of coverage.
    Lcov,
    /// One JSON object (docs/reach.schema.json).
    Json,
}

/// Checks as `check` does, or takes its cached report; prints how far runs came.
pub(super) fn reach(command: &ReachCommand) -> Result<u8, String> {
    let mut check = check::Check::silent(command.paths.clone());
    check.options = command.options.clone();
    check.effort = command.effort;
    check.selection = command.selection.clone();
    check.test = command.test.clone();
    (check.no_tests, check.no_api, check.no_cache) = (command.no_tests, command.no_api, command.no_cache);
    let report = Report { parts: check::parts(&check), ..Report::default() };
    let has_kind = |part: &Part, kind| part.error().is_some_and(|error| error.kind == kind);
    if let [part] = report.parts.as_slice()
        && let Some(error) = part.error()
    {
        return Err(error.text.clone());
    }
    if report.parts.iter().all(|part| has_kind(part, MessageKind::NotFound)) {
        return Err("nothing that was selected is at any of these paths".to_owned());
    }
    let text = match command.format {
        Format::Text => reach::text(&report),
        Format::Lcov => reach::lcov(&report),
        Format::Json => reach::json(&report),
    };
    let text = text.trim_end();
    match command.format {
        Format::Text => print_report(text),
        Format::Lcov | Format::Json => print_escaped(text),
    }
    let has_failed = |part: &Part| part.error().is_some() && !has_kind(part, MessageKind::NotFound);
    Ok(if report.parts.iter().any(has_failed) { 2 } else { 0 })
}
