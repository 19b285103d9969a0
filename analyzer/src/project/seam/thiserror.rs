//! `#[derive(thiserror::Error)]`: `Display`, `Error` with its source, and `From`.

use super::{
    Call, NOT_EXPANDED,
    read::{Adt, Field, Variant, adt, attribute},
    tokens::{Maker, Tree, parts, trees},
};
use ra_ap_tt::TopSubtree;

pub(super) fn error(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let adt = adt(&item)?;
    let mut maker = Maker::new(adt.name.span());
    let name = [adt.name.clone()];
    let (mut shown, mut sources) = (Maker::new(adt.name.span()), Maker::new(adt.name.span()));
    for variant in &adt.variants {
        // What is said of an enum as a whole holds for variants that say nothing.
        let says = attribute(&variant.attributes, "error").or_else(|| attribute(&adt.attributes, "error"));
        let says = says.unwrap_or_default();
        let pattern = pattern(&adt, variant);
        let holes = holes(variant);
        let holes: Vec<(&str, &[Tree<'_>])> = holes.iter().map(|(name, trees)| (*name, trees.as_slice())).collect();
        shown.add(&format!("{pattern} =>"), &holes);
        let is_transparent = says.first().is_some_and(|it| it.is_ident("transparent"));
        match display(variant, &says, is_transparent) {
            Some((text, args)) => shown.add(&text, &[("__args", &args)]),
            None => shown.add(&not_expanded(), &[]),
        }
        shown.add(",", &[]);
        sources.add(&format!("{pattern} => {},", source(variant, is_transparent)), &holes);
    }
    // An enum without variants has no value that could be shown.
    let (shown, sources) = (shown.made(), sources.made());
    maker.add(
        "#[allow(unused_variables)] impl ::core::fmt::Display for __name {\
         fn fmt(&self, __formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { match *self { __arms } } }\
         #[allow(unused_variables)] impl ::std::error::Error for __name {\
         fn source(&self) -> ::core::option::Option<&(dyn ::std::error::Error + 'static)> { match *self { __sources } } }",
        &[("__name", &name), ("__arms", &trees(shown.token_trees())), ("__sources", &trees(sources.token_trees()))],
    );
    for variant in &adt.variants {
        from(&mut maker, &adt, variant);
    }
    Ok(maker.made())
}

fn not_expanded() -> String {
    format!("{NOT_EXPANDED}::thiserror::Error")
}

/// The pattern that binds all fields by reference.
fn pattern(adt: &Adt<'_>, variant: &Variant<'_>) -> String {
    let path = if adt.is_enum { "Self::__variant" } else { "Self" };
    let field = |(index, field): (usize, &Field<'_>)| {
        let binding = field.binding(index);
        if field.name.is_some() { format!("ref {binding},") } else { format!("{index}: ref {binding},") }
    };
    let fields: String = variant.fields.iter().enumerate().map(field).collect();
    format!("{path} {{ {fields} }}")
}

fn holes<'a>(variant: &Variant<'a>) -> Vec<(&'static str, Vec<Tree<'a>>)> {
    vec![("__variant", vec![variant.name.clone()])]
}

/// What shows a variant, and the arguments in it; `None` if that is not understood.
fn display<'a>(variant: &Variant<'a>, says: &[Tree<'a>], is_transparent: bool) -> Option<(String, Vec<Tree<'a>>)> {
    if is_transparent {
        let [field] = variant.fields.as_slice() else { return None };
        return Some((format!("::core::fmt::Display::fmt({}, __formatter)", field.binding(0)), Vec::new()));
    }
    let (text, rest) = says.split_first()?;
    let literal = named(&text.literal()?)?;
    let mut args = Vec::new();
    if let Some((comma, rest)) = rest.split_first() {
        if !comma.is_punct(',') {
            return None;
        }
        for arg in parts(rest) {
            // `.field` is what thiserror has for `self.field`; it may stand anywhere.
            let is_own = |at: usize| {
                arg[at].is_punct('.') && (at == 0 || arg[at - 1].is_punct('=') || arg[at - 1].is_punct(','))
            };
            if (0..arg.len()).any(is_own) || arg.iter().any(|it| matches!(it, Tree::Group(..))) {
                return None;
            }
            args.push(comma.clone());
            args.extend_from_slice(arg);
        }
    }
    Some((format!("::core::write!(__formatter, {literal} __args)"), args))
}

/// A format string in which fields that have numbers have names.
fn named(literal: &str) -> Option<String> {
    if literal.contains("\\u") {
        return None;
    }
    let mut text = String::new();
    let mut chars = literal.chars().peekable();
    while let Some(char) = chars.next() {
        text.push(char);
        if char == '{' {
            match chars.peek() {
                Some('{') => text.extend(chars.next()),
                Some(digit) if digit.is_ascii_digit() => text.push('_'),
                _ => {}
            }
        }
    }
    Some(text)
}

fn source(variant: &Variant<'_>, is_transparent: bool) -> String {
    let is_source = |it: &Field<'_>| {
        let says = |name| attribute(&it.attributes, name).is_some();
        says("source") || says("from") || it.name.as_ref().is_some_and(|name| name.is_ident("source"))
    };
    let found = variant.fields.iter().enumerate().find(|(_, it)| is_transparent || is_source(it));
    let Some((index, field)) = found else { return "::core::option::Option::None".to_owned() };
    let binding = field.binding(index);
    let is = |name: &str| field.ty.iter().any(|it| it.is_ident(name));
    if is("Option") || is("Arc") || is("Rc") || is("anyhow") || is("eyre") {
        return not_expanded();
    }
    let reference = if is("Box") { format!("&**{binding}") } else { binding };
    if is_transparent {
        format!("::std::error::Error::source({reference})")
    } else {
        format!("::core::option::Option::Some({reference})")
    }
}

/// The conversion from the type of a field with `#[from]`.
fn from(maker: &mut Maker, adt: &Adt<'_>, variant: &Variant<'_>) {
    let is_from = |it: &&Field<'_>| attribute(&it.attributes, "from").is_some();
    let Some(field) = variant.fields.iter().find(is_from) else { return };
    let path = if adt.is_enum { "Self::__variant" } else { "Self" };
    let value = match (variant.fields.len(), &field.name) {
        (1, Some(_)) => format!("{path} {{ __field: __source }}"),
        (1, None) => format!("{path} {{ 0: __source }}"),
        // The others are backtraces.
        _ => not_expanded(),
    };
    let text =
        format!("impl ::core::convert::From<__type> for __name {{ fn from(__source: __type) -> Self {{ {value} }} }}");
    let own = field.name.clone().into_iter().collect::<Vec<_>>();
    let (name, named) = ([adt.name.clone()], [variant.name.clone()]);
    maker.add(&text, &[("__type", &field.ty), ("__name", &name), ("__variant", &named), ("__field", &own)]);
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn numbers_become_names() {
        assert_eq!(named(r#""{0} {1:?} {{0}} {a}""#).as_deref(), Some(r#""{_0} {_1:?} {{0}} {a}""#));
        assert_eq!(named(r#""\u{1}""#), None);
    }
}
