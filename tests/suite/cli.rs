//! The command line: what it prints, and its options.

mod allow;
mod baseline;
mod cargo_json;
mod cargo_tsvd;
mod commands;
mod config;
mod escapes;
mod examples;
mod formats;
mod generated;
mod judge;
mod limits;
mod pre_commit;
mod reach;
mod reports;
mod reports_for_tools;
mod rust_analyzer;
mod since;
