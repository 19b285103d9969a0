//! Derives of clap 3.1 and structopt. Where inputs are made up, so are the values of the fields. The commands themselves
//! are not built.

use super::super::{
    Call, NOT_EXPANDED,
    options::{made_up, not_expanded},
    read::with,
};
use ra_ap_tt::TopSubtree;

/// The result of parsing: made up where inputs are.
fn parsed(derive: &str) -> String {
    format!(
        "if ::std::__harness::makes_inputs_up() {{ <Self as ::std::__harness::MadeUp>::made_up() }} else {{ {} }}",
        not_expanded(derive)
    )
}

const COMMAND: &str = "::clap::Command<'__help>";

/// The impls of all derives of clap 3.1: a value from the command line.
fn of_matches(derive: &str) -> String {
    let not = not_expanded(derive);
    format!(
        "__impl ::clap::FromArgMatches for __type where __own {{ \
         fn from_arg_matches(_: &::clap::ArgMatches) -> ::core::result::Result<Self, ::clap::Error> {{ {not} }} \
         fn update_from_arg_matches(&mut self, _: &::clap::ArgMatches) -> ::core::result::Result<(), ::clap::Error> \
         {{ {not} }} }}"
    )
}

/// A function from a command to an extended command.
fn extends(derive: &str, name: &str) -> String {
    format!("fn {name}<'__help>(_: {COMMAND}) -> {COMMAND} {{ {} }}", not_expanded(derive))
}

fn of_args(derive: &str) -> String {
    let [all, update] = ["augment_args", "augment_args_for_update"].map(|name| extends(derive, name));
    format!("__impl ::clap::Args for __type where __own {{ {all} {update} }}")
}

fn of_subcommand(derive: &str) -> String {
    let [all, update] = ["augment_subcommands", "augment_subcommands_for_update"].map(|name| extends(derive, name));
    let has = format!("fn has_subcommand(_: &str) -> bool {{ {} }}", not_expanded(derive));
    format!("__impl ::clap::Subcommand for __type where __own {{ {all} {update} {has} }}")
}

pub(in super::super) fn parser_3_1(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (not, parsed) = (not_expanded("Parser"), parsed("Parser"));
        let iterator = "<__I: ::core::iter::IntoIterator<Item = __T>, __T: ::core::convert::Into<::std::ffi::OsString> + ::core::clone::Clone>";
        let rest = if adt.is_enum { of_subcommand("Parser") } else { of_args("Parser") };
        let makes =
            ["into_app", "into_app_for_update"].map(|name| format!("fn {name}<'__help>() -> {COMMAND} {{ {not} }}"));
        Ok(format!(
            "__impl ::clap::Parser for __type where __own {{ fn parse() -> Self {{ {parsed} }} \
             fn try_parse() -> ::core::result::Result<Self, ::clap::Error> \
             {{ ::core::result::Result::Ok(<Self as ::clap::Parser>::parse()) }} \
             fn parse_from{iterator}(_: __I) -> Self {{ {not} }} \
             fn try_parse_from{iterator}(_: __I) -> ::core::result::Result<Self, ::clap::Error> {{ {not} }} }} \
             __impl ::clap::CommandFactory for __type where __own {{ {} }} {} {rest} {}",
            makes.concat(),
            of_matches("Parser"),
            made_up(adt, quote)
        ))
    })
}

pub(in super::super) fn args_3_1(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| Ok(of_matches("Args") + &of_args("Args") + &made_up(adt, quote)))
}

pub(in super::super) fn subcommand_3_1(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| Ok(of_matches("Subcommand") + &of_subcommand("Subcommand") + &made_up(adt, quote)))
}

pub(in super::super) fn value_enum_3_1(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |_, _| {
        let not = not_expanded("ValueEnum");
        Ok(format!(
            "__impl ::clap::ArgEnum for __type where __own {{ fn value_variants<'a>() -> &'a [Self] {{ {not} }} \
             fn to_possible_value<'a>(&self) -> ::core::option::Option<::clap::PossibleValue<'a>> {{ {not} }} }}"
        ))
    })
}

/// The impl that all versions of structopt have; `further` are methods that not all have.
fn structopt_impl(further: &str) -> String {
    let not = not_expanded_structopt();
    let parsed = parsed("StructOpt").replace("::clap::", "::structopt::");
    let iterator = "<__I: ::core::iter::IntoIterator>";
    let items = "where __I::Item: ::core::convert::Into<::std::ffi::OsString> + ::core::clone::Clone";
    format!(
        "__impl ::structopt::StructOpt for __type where __own {{ \
         fn clap<'__a, '__b>() -> ::structopt::clap::App<'__a, '__b> {{ {not} }} \
         fn from_clap(_: &::structopt::clap::ArgMatches<'_>) -> Self {{ {not} }} \
         fn from_args() -> Self {{ {parsed} }} \
         fn from_iter{iterator}(_: __I) -> Self {items} {{ {not} }} \
         fn from_iter_safe{iterator}(_: __I) -> ::core::result::Result<Self, ::structopt::clap::Error> {items} {{ {not} }} \
         {further} }}"
    )
}

fn not_expanded_structopt() -> String {
    format!("{NOT_EXPANDED}::structopt::StructOpt")
}

/// Of structopt 0.2, and of 0.3 before 0.3.7.
pub(in super::super) fn old_structopt(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| Ok(structopt_impl("") + &made_up(adt, quote)))
}

pub(in super::super) fn structopt(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let not = not_expanded_structopt();
        let safe = "fn from_args_safe() -> ::core::result::Result<Self, ::structopt::clap::Error> \
                    { ::core::result::Result::Ok(<Self as ::structopt::StructOpt>::from_args()) }";
        let is_enum = adt.is_enum;
        Ok(format!(
            "{} __impl ::structopt::StructOptInternal for __type where __own {{ \
             fn augment_clap<'__a, '__b>(_: ::structopt::clap::App<'__a, '__b>) -> ::structopt::clap::App<'__a, '__b> {{ {not} }} \
             fn is_subcommand() -> bool {{ {is_enum} }} \
             fn from_subcommand<'__a, '__b>(_: (&'__b str, ::core::option::Option<&'__b ::structopt::clap::ArgMatches<'__a>>)) \
             -> ::core::option::Option<Self> {{ {not} }} }} {}",
            structopt_impl(safe),
            made_up(adt, quote)
        ))
    })
}
