//! Derives of serde and clap: the impls are there, so that bounds hold and types are known. `Serialize` does what serde's does,
//! unless an attribute changes it; what is read from outside is not understood.

use super::{
    Call, NOT_EXPANDED,
    read::{Adt, Field, Variant, adt},
    tokens::{Maker, Tree, trees},
};
use ra_ap_tt::TopSubtree;

/// Makes what is added for the type; `__name` in the text is the type's.
fn with(call: &Call<'_>, text: &dyn Fn(&Adt<'_>) -> String) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let adt = adt(&item)?;
    let mut maker = Maker::new(adt.name.span());
    maker.add(&text(&adt), &[("__name", std::slice::from_ref(&adt.name))]);
    Ok(maker.made())
}

pub(super) fn serialize(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|adt| {
        let is_changed = |it: &Vec<Tree<'_>>| it.first().is_some_and(|it| it.is_ident("serde"));
        let fields = || adt.variants.iter().flat_map(|it| &it.fields).flat_map(|it| &it.attributes);
        let attributes = adt.attributes.iter().chain(adt.variants.iter().flat_map(|it| &it.attributes)).chain(fields());
        let body = if attributes.into_iter().any(is_changed) {
            format!("{NOT_EXPANDED}::serde::Serialize")
        } else {
            let arms: String = (0..).zip(&adt.variants).map(|(index, it)| serialized(adt, index, it)).collect();
            format!("match *self {{ {arms} }}")
        };
        format!(
            "impl ::serde::Serialize for __name {{ fn serialize<__S: ::serde::Serializer>(&self, __serializer: __S) \
             -> ::core::result::Result<__S::Ok, __S::Error> {{ {body} }} }}"
        )
    })
}

/// The arm of a match that serialises a variant, or a struct.
fn serialized(adt: &Adt<'_>, index: usize, variant: &Variant<'_>) -> String {
    let name = adt.name.ident().unwrap_or_default();
    let own = variant.name.ident().unwrap_or_default();
    let bind = |(index, field): (usize, &Field<'_>)| match &field.name {
        Some(_) => format!("ref {},", field.binding(index)),
        None => format!("{index}: ref {},", field.binding(index)),
    };
    let bindings: String = variant.fields.iter().enumerate().map(bind).collect();
    let (path, suffix, which) = if adt.is_enum {
        (format!("Self::{own}"), "variant", format!(", {index}u32, \"{own}\""))
    } else {
        ("Self".to_owned(), "struct", String::new())
    };
    let count = variant.fields.len();
    let start = |kind: &str, rest: &str| {
        format!("::serde::Serializer::serialize_{kind}{suffix}(__serializer, \"{name}\"{which}{rest})")
    };
    let value = match (variant.is_record, count) {
        (false, 0) => start("unit_", ""),
        (false, 1) => start("newtype_", ", _0"),
        (is_record, _) => {
            let (kind, shape) = match (is_record, adt.is_enum) {
                (true, false) => ("", "SerializeStruct"),
                (true, true) => ("struct_", "SerializeStructVariant"),
                (false, false) => ("tuple_", "SerializeTupleStruct"),
                (false, true) => ("tuple_", "SerializeTupleVariant"),
            };
            let field = |(index, field): (usize, &Field<'_>)| {
                let binding = field.binding(index);
                let key = if is_record { format!("\"{binding}\", ") } else { String::new() };
                format!("::serde::ser::{shape}::serialize_field(&mut __state, {key}{binding})?;")
            };
            let fields: String = variant.fields.iter().enumerate().map(field).collect();
            let start = start(kind, &format!(", {count}usize"));
            format!("{{ let mut __state = {start}?; {fields} ::serde::ser::{shape}::end(__state) }}")
        }
    };
    format!("{path} {{ {bindings} }} => {value},")
}

pub(super) fn deserialize(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|_| {
        format!(
            "impl<'de> ::serde::Deserialize<'de> for __name {{ fn deserialize<__D: ::serde::Deserializer<'de>>\
             (__deserializer: __D) -> ::core::result::Result<Self, __D::Error> \
             {{ {NOT_EXPANDED}::serde::Deserialize }} }}"
        )
    })
}

/// What all of clap's derives make: a value from the command line.
fn from_matches(derive: &str) -> String {
    format!(
        "impl ::clap::FromArgMatches for __name {{ \
         fn from_arg_matches(_: &::clap::ArgMatches) -> ::core::result::Result<Self, ::clap::Error> \
         {{ {NOT_EXPANDED}::clap::{derive} }} \
         fn update_from_arg_matches(&mut self, _: &::clap::ArgMatches) -> ::core::result::Result<(), ::clap::Error> \
         {{ {NOT_EXPANDED}::clap::{derive} }} }}"
    )
}

/// A function of a command to one that knows more.
fn command(derive: &str, name: &str) -> String {
    format!("fn {name}(_: ::clap::Command) -> ::clap::Command {{ {NOT_EXPANDED}::clap::{derive} }}")
}

fn of_args(derive: &str) -> String {
    let [all, update] = ["augment_args", "augment_args_for_update"].map(|name| command(derive, name));
    format!("impl ::clap::Args for __name {{ {all} {update} }}")
}

fn of_subcommand(derive: &str) -> String {
    let [all, update] = ["augment_subcommands", "augment_subcommands_for_update"].map(|name| command(derive, name));
    let has = format!("fn has_subcommand(_: &str) -> bool {{ {NOT_EXPANDED}::clap::{derive} }}");
    format!("impl ::clap::Subcommand for __name {{ {all} {update} {has} }}")
}

pub(super) fn parser(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|adt| {
        let not = format!("{NOT_EXPANDED}::clap::Parser");
        let iterator = "<__I: ::core::iter::IntoIterator<Item = __T>, __T: ::core::convert::Into<::std::ffi::OsString> + ::core::clone::Clone>";
        let rest = if adt.is_enum { of_subcommand("Parser") } else { of_args("Parser") };
        format!(
            "impl ::clap::Parser for __name {{ fn parse() -> Self {{ {not} }} \
             fn try_parse() -> ::core::result::Result<Self, ::clap::Error> {{ {not} }} \
             fn parse_from{iterator}(_: __I) -> Self {{ {not} }} \
             fn try_parse_from{iterator}(_: __I) -> ::core::result::Result<Self, ::clap::Error> {{ {not} }} }} \
             impl ::clap::CommandFactory for __name {{ fn command() -> ::clap::Command {{ {not} }} \
             fn command_for_update() -> ::clap::Command {{ {not} }} }} {} {rest}",
            from_matches("Parser")
        )
    })
}

pub(super) fn args(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|_| from_matches("Args") + &of_args("Args"))
}

pub(super) fn subcommand(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|_| from_matches("Subcommand") + &of_subcommand("Subcommand"))
}

pub(super) fn value_enum(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|_| {
        format!(
            "impl ::clap::ValueEnum for __name {{ fn value_variants<'a>() -> &'a [Self] {{ {NOT_EXPANDED}::clap::ValueEnum }} \
             fn to_possible_value(&self) -> ::core::option::Option<::clap::builder::PossibleValue> \
             {{ {NOT_EXPANDED}::clap::ValueEnum }} }}"
        )
    })
}
