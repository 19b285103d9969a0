//! The traits, as far as the derive implements them.

pub use structopt_derive::StructOpt;

pub mod clap {
    pub struct App<'a, 'b>(std::marker::PhantomData<(&'a (), &'b ())>);
    pub struct ArgMatches<'a>(std::marker::PhantomData<&'a ()>);
    pub struct Error;
}

pub trait StructOpt {
    fn clap<'a, 'b>() -> clap::App<'a, 'b>;
    fn from_clap(matches: &clap::ArgMatches<'_>) -> Self;
    fn from_args() -> Self
    where
        Self: Sized,
    {
        panic!()
    }
    fn from_args_safe() -> Result<Self, clap::Error>
    where
        Self: Sized;
    fn from_iter<I>(iter: I) -> Self
    where
        Self: Sized,
        I: IntoIterator,
        I::Item: Into<std::ffi::OsString> + Clone;
    fn from_iter_safe<I>(iter: I) -> Result<Self, clap::Error>
    where
        Self: Sized,
        I: IntoIterator,
        I::Item: Into<std::ffi::OsString> + Clone;
}

pub trait StructOptInternal: StructOpt {
    fn augment_clap<'a, 'b>(app: clap::App<'a, 'b>) -> clap::App<'a, 'b>;
    fn is_subcommand() -> bool;
    fn from_subcommand<'a, 'b>(sub: (&'b str, Option<&'b clap::ArgMatches<'a>>)) -> Option<Self>
    where
        Self: Sized;
}
