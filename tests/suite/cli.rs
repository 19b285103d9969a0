//! The command line: what it prints, and its options.

mod allow;
mod baseline;
mod commands;
mod config;
mod escapes;
mod examples;
mod formats;
mod judge;
mod pre_commit;
mod reports;
mod reports_for_tools;
mod since;
