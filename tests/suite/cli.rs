//! The command line: what it prints, and its options.

mod allow;
mod commands;
mod escapes;
mod examples;
mod formats;
mod judge;
mod pre_commit;
mod reports;
mod reports_for_tools;
