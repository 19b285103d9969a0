//! Derives of serde and clap: the impls exist, so that bounds hold and types are known. `Serialize` does what serde's
//! does, unless an attribute changes it; deserialised values are uninterpreted.

use super::{
    Call, NOT_EXPANDED,
    generics::lifetimes_in,
    read::{Adt, Field, Variant, adt},
    tokens::{TokenBuilder, Tree, parts, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// Builds the added code for the type, see [`Adt::add`].
fn with(call: &Call<'_>, text: &dyn Fn(&Adt<'_>) -> Result<String, String>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let adt = adt(&item)?;
    let mut maker = TokenBuilder::new(adt.name.span());
    adt.add(&mut maker, &text(&adt)?, &[]);
    Ok(maker.made())
}

/// One of serde's two derives.
#[derive(Clone, Copy)]
struct Side {
    trait_: &'static str,
    /// Its key in `bound`.
    key: &'static str,
    /// Attributes that leave a field to other code.
    not: [&'static str; 4],
}

const WRITES: Side = Side {
    trait_: "::serde::Serialize",
    key: "serialize",
    not: ["skip", "skip_serializing", "serialize_with", "with"],
};

const READS: Side = Side {
    trait_: "::serde::Deserialize<'de>",
    key: "deserialize",
    not: ["skip", "skip_deserializing", "deserialize_with", "with"],
};

/// The comma-separated arguments of all `serde` attributes.
fn serde<'a>(attributes: &[Vec<Tree<'a>>]) -> Vec<Vec<Tree<'a>>> {
    let of_serde = attributes.iter().filter(|it| it.first().is_some_and(|it| it.is_ident("serde")));
    let inside = of_serde.filter_map(|it| it.get(1)?.group(DelimiterKind::Parenthesis)).map(trees);
    inside.flat_map(|it| parts(&it).into_iter().map(<[_]>::to_vec).collect::<Vec<_>>()).collect()
}

fn says(attributes: &[Vec<Tree<'_>>], name: &str) -> bool {
    serde(attributes).iter().any(|it| it.first().is_some_and(|it| it.is_ident(name)))
}

/// The bounds that serde adds to the type's own: those of `bound`, or the trait for each parameter in a field that the
/// impl uses, and for its associated types.
fn bounds(adt: &Adt<'_>, side: Side) -> Result<String, String> {
    let of_variants = || adt.variants.iter().filter(|it| !(adt.is_enum && is_left_out(&it.attributes, side)));
    let fields = || of_variants().flat_map(|it| &it.fields).filter(|it| !is_left_out(&it.attributes, side));
    let inner = || adt.variants.iter().flat_map(|it| it.fields.iter().map(|it| &it.attributes).chain([&it.attributes]));
    if inner().any(|it| says(it, "bound")) {
        return Err("a `bound` of a field".to_owned());
    }
    if let Some(bound) = serde(&adt.attributes).into_iter().find(|it| it[0].is_ident("bound")) {
        let unclear = || "its `bound`".to_owned();
        let said = match bound.as_slice() {
            [_, is, text] if is.is_punct('=') => Some(text.string().ok_or_else(unclear)?),
            [_, both] => {
                let both = trees(both.group(DelimiterKind::Parenthesis).ok_or_else(unclear)?);
                match parts(&both).into_iter().find(|it| it[0].is_ident(side.key)) {
                    Some([_, _, text]) => Some(text.string().ok_or_else(unclear)?),
                    Some(_) => return Err(unclear()),
                    None => None,
                }
            }
            _ => return Err(unclear()),
        };
        if let Some(said) = said {
            let said = said.trim().trim_end_matches(',');
            return Ok(if said.is_empty() { String::new() } else { format!("{said},") });
        }
    }
    let mut bounds = String::new();
    let mut add = |subject: String, bound: &str| {
        let bound = format!("{subject}: {bound},");
        if !bounds.contains(&bound) {
            bounds += &bound;
        }
    };
    for field in fields() {
        adt.generics.used_in(&field.ty).for_each(|name| add(name, side.trait_));
        if adt.generics.projects(&field.ty) {
            add(shown(&field.ty).ok_or("the type of a field")?, side.trait_);
        }
    }
    if side.key == READS.key {
        let all = adt.variants.iter().flat_map(|it| &it.fields);
        let by_default = |it: &&Field<'_>| {
            let is_plain = |it: &Vec<Tree<'_>>| {
                it.len() == 1 && ["default", "skip", "skip_deserializing"].iter().any(|name| it[0].is_ident(name))
            };
            serde(&it.attributes).iter().any(is_plain)
        };
        for field in all.filter(by_default) {
            adt.generics.used_in(&field.ty).for_each(|name| add(name, "::core::default::Default"));
        }
    }
    Ok(bounds)
}

fn is_left_out(attributes: &[Vec<Tree<'_>>], side: Side) -> bool {
    side.not.iter().any(|name| says(attributes, name))
}

/// A path of names as text.
fn shown(ty: &[Tree<'_>]) -> Option<String> {
    let part = |it: &Tree<'_>| if it.is_punct(':') { Some(":".to_owned()) } else { it.ident().map(str::to_owned) };
    ty.iter().map(part).collect()
}

/// The lifetimes that a value borrows from its input: those of `&str` and `&[u8]`, and those that a field declares.
fn borrowed(adt: &Adt<'_>) -> Vec<String> {
    let is_borrowed = |field: &&Field<'_>| {
        let is_reference = field.ty.first().is_some_and(|it| it.is_punct('&'));
        is_reference || says(&field.attributes, "borrow")
    };
    let found: Vec<String> =
        adt.variants.iter().flat_map(|it| &it.fields).filter(is_borrowed).flat_map(|it| lifetimes_in(&it.ty)).collect();
    adt.generics.lifetimes().into_iter().filter(|it| found.contains(it)).collect()
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
        let bounds = bounds(adt, WRITES)?;
        Ok(format!(
            "__impl ::serde::Serialize for __type where __own {bounds} {{ fn serialize<__S: ::serde::Serializer>(&self, __serializer: __S) \
             -> ::core::result::Result<__S::Ok, __S::Error> {{ {body} }} }}"
        ))
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
        _ if variant.is_unit => start("unit_", ""),
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
    with(call, &|adt| {
        let (borrowed, bounds) = (borrowed(adt), bounds(adt, READS)?);
        let lives = if borrowed.is_empty() { String::new() } else { format!(": {}", borrowed.join(" + ")) };
        Ok(format!(
            "impl<'de {lives}, __params> ::serde::Deserialize<'de> for __type where __own {bounds} {{ fn deserialize<__D: ::serde::Deserializer<'de>>\
             (__deserializer: __D) -> ::core::result::Result<Self, __D::Error> \
             {{ {NOT_EXPANDED}::serde::Deserialize }} }}"
        ))
    })
}

/// The impls of all clap derives: a value from the command line.
fn from_matches(derive: &str) -> String {
    format!(
        "__impl ::clap::FromArgMatches for __type where __own {{ \
         fn from_arg_matches(_: &::clap::ArgMatches) -> ::core::result::Result<Self, ::clap::Error> \
         {{ {NOT_EXPANDED}::clap::{derive} }} \
         fn update_from_arg_matches(&mut self, _: &::clap::ArgMatches) -> ::core::result::Result<(), ::clap::Error> \
         {{ {NOT_EXPANDED}::clap::{derive} }} }}"
    )
}

/// A function from a command to an extended command.
fn command(derive: &str, name: &str) -> String {
    format!("fn {name}(_: ::clap::Command) -> ::clap::Command {{ {NOT_EXPANDED}::clap::{derive} }}")
}

fn of_args(derive: &str) -> String {
    let [all, update] = ["augment_args", "augment_args_for_update"].map(|name| command(derive, name));
    format!("__impl ::clap::Args for __type where __own {{ {all} {update} }}")
}

fn of_subcommand(derive: &str) -> String {
    let [all, update] = ["augment_subcommands", "augment_subcommands_for_update"].map(|name| command(derive, name));
    let has = format!("fn has_subcommand(_: &str) -> bool {{ {NOT_EXPANDED}::clap::{derive} }}");
    format!("__impl ::clap::Subcommand for __type where __own {{ {all} {update} {has} }}")
}

/// Arguments of clap's attributes that do not change which values a field can have.
const PLAIN: [&str; 16] = [
    "short",
    "long",
    "env",
    "help",
    "long_help",
    "value_name",
    "alias",
    "visible_alias",
    "global",
    "id",
    "hide",
    "help_heading",
    "display_order",
    "default_value",
    "default_value_t",
    "conflicts_with",
];

/// A value of a struct that some command line gives; fields with other arguments are uninterpreted.
fn made_up(adt: &Adt<'_>) -> Option<String> {
    let [only] = adt.variants.as_slice() else { return None };
    if adt.is_enum {
        return None;
    }
    let of_clap = |it: &&Vec<Tree<'_>>| ["arg", "clap", "command"].iter().any(|name| it[0].is_ident(name));
    let is_plain = |field: &Field<'_>| {
        let arguments =
            field.attributes.iter().filter(of_clap).filter_map(|it| it.get(1)?.group(DelimiterKind::Parenthesis));
        let arguments: Vec<_> =
            arguments.map(trees).flat_map(|it| parts(&it).into_iter().map(<[_]>::to_vec).collect::<Vec<_>>()).collect();
        arguments.iter().all(|it| PLAIN.iter().any(|name| it[0].is_ident(name)))
    };
    let values = only.fields.iter().enumerate().map(|(index, field)| {
        let name = field.name.as_ref().and_then(Tree::ident);
        let value = match is_plain(field) {
            true => format!("::std::__harness::make(\"`{}`\")", field.binding(index)),
            false => format!("{NOT_EXPANDED}::clap::Parser"),
        };
        name.map_or_else(|| value.clone(), |name| format!("r#{}: {value}", name.trim_start_matches("r#")))
    });
    let values = values.collect::<Vec<_>>().join(", ");
    Some(if only.is_record { format!("Self {{ {values} }}") } else { format!("Self({values})") })
}

pub(super) fn parser(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|adt| {
        let not = format!("{NOT_EXPANDED}::clap::Parser");
        let parsed = match made_up(adt) {
            Some(value) => format!("if ::std::__harness::makes_inputs_up() {{ {value} }} else {{ {not} }}"),
            None => not.clone(),
        };
        let iterator = "<__I: ::core::iter::IntoIterator<Item = __T>, __T: ::core::convert::Into<::std::ffi::OsString> + ::core::clone::Clone>";
        let rest = if adt.is_enum { of_subcommand("Parser") } else { of_args("Parser") };
        Ok(format!(
            "__impl ::clap::Parser for __type where __own {{ fn parse() -> Self {{ {parsed} }} \
             fn try_parse() -> ::core::result::Result<Self, ::clap::Error> \
             {{ ::core::result::Result::Ok(<Self as ::clap::Parser>::parse()) }} \
             fn parse_from{iterator}(_: __I) -> Self {{ {not} }} \
             fn try_parse_from{iterator}(_: __I) -> ::core::result::Result<Self, ::clap::Error> {{ {not} }} }} \
             __impl ::clap::CommandFactory for __type where __own {{ fn command() -> ::clap::Command {{ {not} }} \
             fn command_for_update() -> ::clap::Command {{ {not} }} }} {} {rest}",
            from_matches("Parser")
        ))
    })
}

pub(super) fn args(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|_| Ok(from_matches("Args") + &of_args("Args")))
}

pub(super) fn subcommand(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|_| Ok(from_matches("Subcommand") + &of_subcommand("Subcommand")))
}

pub(super) fn value_enum(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, &|_| {
        Ok(format!(
            "__impl ::clap::ValueEnum for __type where __own {{ fn value_variants<'a>() -> &'a [Self] {{ {NOT_EXPANDED}::clap::ValueEnum }} \
             fn to_possible_value(&self) -> ::core::option::Option<::clap::builder::PossibleValue> \
             {{ {NOT_EXPANDED}::clap::ValueEnum }} }}"
        ))
    })
}
