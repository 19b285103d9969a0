//! `#[icu_provider::data_struct(..)]` of ICU 1: a type for each kind of data, by which it is found.

use super::{
    Call,
    functions::expressions,
    read::adt,
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

pub(super) fn data_struct(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let adt = adt(&item)?;
    let mut quote = Quote::default();
    let lifetimes = adt.generics.lifetimes();
    if lifetimes.len() > 1 || adt.generics.has_types() {
        return Err("its parameters".to_owned());
    }
    let name = quote.of(std::slice::from_ref(&adt.name));
    let data = if lifetimes.is_empty() { name } else { format!("{name}<'static>") };
    let mut text = String::new();
    for argument in expressions(&trees(call.args)) {
        text += &match argument {
            [marker, group] if marker.is_ident("marker") => {
                let inside = group.group(DelimiterKind::Parenthesis).map(trees).ok_or("its arguments")?;
                marker_of(&expressions(&inside), &data, &mut quote)?
            }
            [name, equals, path] if equals.is_punct('=') => {
                marker_of(&[std::slice::from_ref(name), std::slice::from_ref(path)], &data, &mut quote)?
            }
            name => marker_of(&[name], &data, &mut quote)?,
        };
    }
    let item = quote.of(&item);
    let derives = "icu_provider::prelude::yoke::Yokeable, icu_provider::prelude::zerofrom::ZeroFrom";
    Ok(quote.made(adt.name.span(), &format!("{text} #[derive({derives})] {item}")))
}

/// A marker: its name, and what its key is made of.
fn marker_of<'a>(arguments: &[&[Tree<'a>]], data: &str, quote: &mut Quote<'a>) -> Result<String, String> {
    let (mut name, mut path, mut is_singleton) = (None, None, false);
    let none = "::core::option::Option::None";
    let mut fallback = "icu_provider::_internal::LocaleFallbackPriority::const_default()".to_owned();
    let (mut extension, mut supplement) = (none.to_owned(), none);
    for argument in arguments {
        match argument {
            [only] if only.string().is_some() => path = Some(quote.of(argument)),
            [only] if only.is_ident("singleton") => is_singleton = true,
            [key, equals, value] if equals.is_punct('=') => {
                let text = value.string().unwrap_or_default();
                match (key.ident().unwrap_or_default(), text.as_str()) {
                    ("fallback_by", "region" | "collation" | "language") => {
                        let (first, rest) = text.split_at(1);
                        let variant = first.to_uppercase() + rest;
                        fallback = format!("icu_provider::_internal::LocaleFallbackPriority::{variant}");
                    }
                    ("extension_key", _) => {
                        let value = quote.of(std::slice::from_ref(value));
                        let key = format!("icu_provider::_internal::locid::extensions::unicode::key!({value})");
                        extension = format!("::core::option::Option::Some({key})");
                    }
                    ("fallback_supplement", "collation") => {
                        supplement = "::core::option::Option::Some(\
                                      icu_provider::_internal::LocaleFallbackSupplement::Collation)";
                    }
                    _ => return Err("an argument".to_owned()),
                }
            }
            _ => name = Some(quote.of(argument)),
        }
    }
    let name = name.ok_or("a marker without a name")?;
    let marker = format!(
        "pub struct {name};
         impl icu_provider::DataMarker for {name} {{ type Yokeable = {data}; }}"
    );
    let Some(path) = path else { return Ok(marker) };
    Ok(format!(
        "{marker}
         impl icu_provider::KeyedDataMarker for {name} {{
             const KEY: icu_provider::DataKey = icu_provider::data_key!(
                 {path},
                 icu_provider::DataKeyMetadata::construct_internal({fallback}, {extension}, {supplement}, {is_singleton})
             );
         }}"
    ))
}
