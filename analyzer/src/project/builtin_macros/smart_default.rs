//! `#[derive(SmartDefault)]`: `Default` with the values that attributes give.

use super::{
    Call,
    read::{Variant, with},
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// The tokens of the attribute `#[default]`: behind `=`, or in parentheses.
fn default<'a>(attributes: &[Vec<Tree<'a>>]) -> Option<Vec<Tree<'a>>> {
    let attribute = attributes.iter().find(|it| it[0].is_ident("default"))?;
    Some(match attribute.as_slice() {
        [_, equals, value @ ..] if equals.is_punct('=') => value.to_vec(),
        [_, group] => group.group(DelimiterKind::Parenthesis).map(trees).unwrap_or_default(),
        _ => Vec::new(),
    })
}

fn value<'a>(path: &str, variant: &Variant<'a>, quote: &mut Quote<'a>) -> Result<String, String> {
    let mut fields = String::new();
    for (index, field) in variant.fields.iter().enumerate() {
        let value = match default(&field.attributes) {
            None => "::core::default::Default::default()".to_owned(),
            Some(code) => match code.as_slice() {
                [] => return Err("`#[default]` without a value".to_owned()),
                [name, equals, _] if name.is_ident("_code") && equals.is_punct('=') => {
                    return Err("`_code`".to_owned());
                }
                // A text may become a `String`.
                [literal] if literal.literal().is_some_and(|it| it.contains('"')) => {
                    format!("({}).into()", quote.of(&code))
                }
                code => quote.of(code),
            },
        };
        fields += &format!("{}: {value},", field.key(index));
    }
    Ok(format!("{path} {{ {fields} }}"))
}

pub(super) fn derive(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let chosen = match adt.is_enum {
            true => adt.variants.iter().find(|it| default(&it.attributes).is_some()).ok_or("no default variant")?,
            false => &adt.variants[0],
        };
        let path = adt.path(chosen, quote);
        let value = value(&path, chosen, quote)?;
        Ok(format!("__impl ::core::default::Default for __type where __own {{ fn default() -> Self {{ {value} }} }}"))
    })
}
