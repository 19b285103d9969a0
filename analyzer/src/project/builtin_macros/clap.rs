//! Derives of clap. Where inputs are made up, so are the values that `parse` gives; elsewhere clap's own code parses the
//! command line, with the commands that are built here.

mod args;
mod defaults;
mod docs;
mod item;
mod old;
mod subcommands;
mod three;

pub(super) use old::{args_3_1, old_structopt, parser_3_1, structopt, subcommand_3_1, value_enum_3_1};

use super::{
    Call,
    options::made_up,
    read::{Adt, adt},
    tokens::{Quote, trees},
};
use item::{Item, Kind, Name, Source, Version, literal};
use ra_ap_tt::TopSubtree;

/// The three ways to get a value from the command line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Derive {
    Parser,
    Args,
    Subcommand,
}

/// `parse` and `try_parse`; the other functions have the bodies of the trait.
const PARSER: &str = "__impl clap::Parser for __type where __own { \
    fn parse() -> Self { \
        if ::std::__harness::makes_args_up() { return <Self as ::std::__harness::MadeUp>::made_up(); } \
        let mut __matches = <Self as clap::CommandFactory>::command().get_matches(); \
        match <Self as clap::FromArgMatches>::from_arg_matches_mut(&mut __matches) { \
            ::core::result::Result::Ok(__value) => __value, \
            ::core::result::Result::Err(__error) => \
                __error.format(&mut <Self as clap::CommandFactory>::command()).exit(), \
        } \
    } \
    fn try_parse() -> ::core::result::Result<Self, clap::Error> { \
        if ::std::__harness::makes_args_up() { \
            return ::core::result::Result::Ok(<Self as ::std::__harness::MadeUp>::made_up()); \
        } \
        let mut __matches = <Self as clap::CommandFactory>::command().try_get_matches()?; \
        <Self as clap::FromArgMatches>::from_arg_matches_mut(&mut __matches) \
            .map_err(|__error| __error.format(&mut <Self as clap::CommandFactory>::command())) \
    } }";

fn expanded(call: &Call<'_>, version: Version, derive: Derive) -> Result<TopSubtree, String> {
    let adt = adt(&trees(call.item))?;
    let mut quote = Quote::default();
    let mut source = Source { version, quote: &mut quote, env: call.env };
    let own_name = || Name::Derived(adt.name.ident().unwrap_or_default().to_owned());
    let name = match derive {
        Derive::Parser => Name::Assigned(literal(&call.env.get("CARGO_PKG_NAME").unwrap_or_default())),
        Derive::Args | Derive::Subcommand => own_name(),
    };
    let item = Item::of_type(Kind::Command, name, &adt.name, &adt.attributes, &mut source)?;
    if item.kind != Kind::Command {
        return Err("an attribute of a field on a type".to_owned());
    }
    let mut text = match adt.is_enum {
        true => of_enum(&adt, &item, &mut source)?,
        false => of_struct(&adt, &item, &mut source)?,
    };
    if derive == Derive::Parser {
        text += PARSER;
        text += &factory(&item, adt.is_enum);
    }
    text += &made_up(&adt, &mut quote);
    let text = adt.filled(&text, &mut quote);
    Ok(quote.made(adt.name.span(), &text))
}

/// The impl that makes commands.
fn factory(item: &Item, is_enum: bool) -> String {
    let version = item.version;
    let [declared, command] = version.command();
    let [usual, update] = match is_enum {
        true => [version.requires_subcommand(), version.requires_no_subcommand()],
        false => [""; 2],
    };
    let makes = if version == Version::Three { "into_app" } else { "command" };
    let augment = if is_enum { "clap::Subcommand>::augment_subcommands" } else { "clap::Args>::augment_args" };
    let new = format!("clap::Command::new({})", item.cased_name());
    format!(
        "__impl clap::CommandFactory for __type where __own {{ \
         fn {makes}{declared}() -> {command} {{ <Self as {augment}({new} {usual}) }} \
         fn {makes}_for_update{declared}() -> {command} {{ <Self as {augment}_for_update({new}) {update} }} }}"
    )
}

/// The impl that reads matches, from the bodies of two functions.
fn from_arg_matches(from: &str, update: &str) -> String {
    let result = |ty: &str| format!("::core::result::Result<{ty}, clap::Error>");
    let [own, unit] = [result("Self"), result("()")];
    format!(
        "__impl clap::FromArgMatches for __type where __own {{ \
         fn from_arg_matches(__matches: &clap::ArgMatches) -> {own} \
         {{ Self::from_arg_matches_mut(&mut __matches.clone()) }} \
         fn from_arg_matches_mut(__matches: &mut clap::ArgMatches) -> {own} {{ {from} }} \
         fn update_from_arg_matches(&mut self, __matches: &clap::ArgMatches) -> {unit} \
         {{ self.update_from_arg_matches_mut(&mut __matches.clone()) }} \
         fn update_from_arg_matches_mut(&mut self, __matches: &mut clap::ArgMatches) -> {unit} {{ {update} }} }}"
    )
}

/// A function that extends a command.
fn extends(name: &str, item: &Item, inside: &str) -> String {
    let [declared, command] = item.version.command();
    format!(
        "fn {name}{declared}(mut __command: {command}) -> {command} {{ __command = __command {}; \
         __command = {inside}; __command {} }}",
        item.before(),
        item.own()
    )
}

fn of_struct<'a>(adt: &Adt<'a>, item: &Item, source: &mut Source<'_, 'a>) -> Result<String, String> {
    let variant = &adt.variants[0];
    if !variant.is_record && !variant.is_unit {
        return Err("a struct whose fields have no names".to_owned());
    }
    let entries = args::entries(&variant.fields, item, source)?;
    let from = format!("::core::result::Result::Ok(Self {{ {} }})", args::constructor(&entries)?);
    let update = format!("{} ::core::result::Result::Ok(())", args::updates(&entries, true)?);
    let group = match item.has_group {
        true => format!("::core::option::Option::Some(clap::Id::from({}))", item.group.id()),
        false => "::core::option::Option::None".to_owned(),
    };
    let group = match item.version {
        Version::Three => String::new(),
        Version::Four => format!("fn group_id() -> ::core::option::Option<clap::Id> {{ {group} }}"),
    };
    let [all, for_update] = [false, true].map(|is_update| args::augment(&entries, "__command", item, is_update));
    Ok(format!(
        "{} __impl clap::Args for __type where __own {{ \
         {group} {} {} }}",
        from_arg_matches(&from, &update),
        extends("augment_args", item, &all),
        extends("augment_args_for_update", item, &for_update)
    ))
}

fn of_enum<'a>(adt: &Adt<'a>, item: &Item, source: &mut Source<'_, 'a>) -> Result<String, String> {
    let bodies = subcommands::bodies(adt, item, source)?;
    Ok(format!(
        "{} __impl clap::Subcommand for __type where __own {{ {} {} \
         fn has_subcommand(__name: &str) -> bool {{ {} }} }}",
        from_arg_matches(&bodies.from_matches, &bodies.update),
        extends("augment_subcommands", item, &bodies.augment),
        extends("augment_subcommands_for_update", item, &bodies.augment_for_update),
        bodies.has_subcommand
    ))
}

pub(super) fn parser(call: &Call<'_>) -> Result<TopSubtree, String> {
    expanded(call, Version::Four, Derive::Parser)
}

pub(super) fn args(call: &Call<'_>) -> Result<TopSubtree, String> {
    expanded(call, Version::Four, Derive::Args)
}

pub(super) fn subcommand(call: &Call<'_>) -> Result<TopSubtree, String> {
    expanded(call, Version::Four, Derive::Subcommand)
}

pub(super) fn value_enum(call: &Call<'_>) -> Result<TopSubtree, String> {
    enum_expanded(call, Version::Four)
}

pub(super) fn parser_3(call: &Call<'_>) -> Result<TopSubtree, String> {
    expanded(call, Version::Three, Derive::Parser)
}

pub(super) fn args_3(call: &Call<'_>) -> Result<TopSubtree, String> {
    expanded(call, Version::Three, Derive::Args)
}

pub(super) fn subcommand_3(call: &Call<'_>) -> Result<TopSubtree, String> {
    expanded(call, Version::Three, Derive::Subcommand)
}

pub(super) fn value_enum_3(call: &Call<'_>) -> Result<TopSubtree, String> {
    enum_expanded(call, Version::Three)
}

fn enum_expanded(call: &Call<'_>, version: Version) -> Result<TopSubtree, String> {
    let (lifetime, value) = match version {
        Version::Three => ("<'__value>", "clap::PossibleValue"),
        Version::Four => ("", "clap::builder::PossibleValue"),
    };
    let adt = adt(&trees(call.item))?;
    let mut quote = Quote::default();
    let mut source = Source { version, quote: &mut quote, env: call.env };
    let name = Name::Derived(adt.name.ident().unwrap_or_default().to_owned());
    let item = Item::of_type(Kind::Value, name, &adt.name, &adt.attributes, &mut source)?;
    let (mut paths, mut arms) = (String::new(), String::new());
    for variant in &adt.variants {
        let own = Item::of_variant(Kind::Value, variant, &item, &mut source)?;
        match own.kind {
            Kind::Skip(_) => continue,
            Kind::Value if variant.is_unit => {}
            _ => return Err("a possible value with fields".to_owned()),
        }
        let path = adt.path(variant, source.quote);
        paths += &format!("{path},");
        arms += &format!("{path} => ::core::option::Option::Some({value}::new({}) {}),", own.cased_name(), own.own());
    }
    let text = format!(
        "__impl clap::ValueEnum for __type where __own {{ fn value_variants<'a>() -> &'a [Self] {{ &[{paths}] }} \
         fn to_possible_value{lifetime}(&self) -> ::core::option::Option<{value}{lifetime}> \
         {{ match self {{ {arms} _ => ::core::option::Option::None }} }} }}"
    );
    let text = adt.filled(&text, &mut quote);
    Ok(quote.made(adt.name.span(), &text))
}
