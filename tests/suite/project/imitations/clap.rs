//! The traits, as far as the derives implement them.

pub use clap_derive::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;

pub struct ArgMatches;
pub struct Command;
pub struct Error;

pub trait Parser: FromArgMatches + CommandFactory {
    fn parse() -> Self;
    fn try_parse() -> Result<Self, Error>;
    fn parse_from<I: IntoIterator<Item = T>, T: Into<OsString> + Clone>(args: I) -> Self;
    fn try_parse_from<I: IntoIterator<Item = T>, T: Into<OsString> + Clone>(args: I) -> Result<Self, Error>;
}

pub trait CommandFactory {
    fn command() -> Command;
    fn command_for_update() -> Command;
}

pub trait FromArgMatches: Sized {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error>;
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error>;
}

pub trait Args: FromArgMatches {
    fn augment_args(command: Command) -> Command;
    fn augment_args_for_update(command: Command) -> Command;
}
