//! `#[derive(thiserror::Error)]`: `Display`, `Error` with its source, and `From`.

use super::{
    Call, NOT_EXPANDED,
    read::{Adt, Field, Variant, adt, attribute},
    tokens::{TokenBuilder, Tree, parts, trees},
};
use ra_ap_tt::TopSubtree;

pub(super) fn error(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let adt = adt(&item)?;
    let mut maker = TokenBuilder::new(adt.name.span());
    let (mut display_bounds, mut error_bounds) = (Bounds::default(), Bounds::default());
    let (mut shown, mut sources) = (TokenBuilder::new(adt.name.span()), TokenBuilder::new(adt.name.span()));
    for variant in &adt.variants {
        // An attribute of the enum applies to variants without one.
        let says = attribute(&variant.attributes, "error").or_else(|| attribute(&adt.attributes, "error"));
        let says = says.unwrap_or_default();
        let pattern = pattern(&adt, variant);
        let holes = holes(variant);
        let holes: Vec<(&str, &[Tree<'_>])> = holes.iter().map(|(name, trees)| (*name, trees.as_slice())).collect();
        shown.add(&format!("{pattern} =>"), &holes);
        let is_transparent = says.first().is_some_and(|it| it.is_ident("transparent"));
        let own = |field: &Field<'_>| adt.generics.occur_in(&field.ty);
        if is_transparent
            && let [field] = variant.fields.as_slice()
            && own(field)
        {
            display_bounds.add(&field.ty, "::core::fmt::Display");
            error_bounds.add(&field.ty, "::std::error::Error");
        }
        if let Some(literal) = says.first().and_then(Tree::literal) {
            for (name, bound) in shown_in(&literal) {
                let is_it = |(index, it): &(usize, &Field<'_>)| it.binding(*index) == name && own(it);
                if let Some((_, field)) = variant.fields.iter().enumerate().find(is_it) {
                    display_bounds.add(&field.ty, bound);
                }
            }
        }
        if !is_transparent
            && let Some(field) = variant.fields.iter().find(|it| is_source(it))
            && own(field)
        {
            error_bounds.add(unoptional(&field.ty), "::std::error::Error + 'static");
        }
        match display(variant, &says, is_transparent) {
            Some((text, args)) => shown.add(&text, &[("__args", &args)]),
            None => shown.add(&not_expanded(), &[]),
        }
        shown.add(",", &[]);
        sources.add(&format!("{pattern} => {},", source(variant, is_transparent)), &holes);
    }
    // An enum without variants has no value to display.
    let (shown, sources) = (shown.made(), sources.made());
    if adt.generics.has_types() {
        error_bounds.text += "Self: ::core::fmt::Debug + ::core::fmt::Display,";
    }
    let arms = trees(shown.token_trees());
    let mut holes = display_bounds.holes();
    holes.push(("__arms", &arms));
    let text = format!(
        "#[allow(unused_variables)] __impl ::core::fmt::Display for __type where __own {} {{\
         fn fmt(&self, __formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{ match *self {{ __arms }} }} }}",
        display_bounds.text
    );
    adt.add(&mut maker, &text, &holes);
    let arms = trees(sources.token_trees());
    let mut holes = error_bounds.holes();
    holes.push(("__arms", &arms));
    let text = format!(
        "#[allow(unused_variables)] __impl ::std::error::Error for __type where __own {} {{\
         fn source(&self) -> ::core::option::Option<&(dyn ::std::error::Error + 'static)> {{ match *self {{ __arms }} }} }}",
        error_bounds.text
    );
    adt.add(&mut maker, &text, &holes);
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

/// The expression that displays a variant, and its arguments; `None` if the attribute is not understood.
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
            // thiserror accepts `.field` for `self.field`, in any position.
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

/// A format string in which numbered fields are replaced by named ones.
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

/// The placeholder names for the types of bounds.
const SUBJECTS: [&str; 16] = [
    "__0", "__1", "__2", "__3", "__4", "__5", "__6", "__7", "__8", "__9", "__10", "__11", "__12", "__13", "__14",
    "__15",
];

/// Bounds on field types that contain the type's parameters.
#[derive(Default)]
struct Bounds<'t, 'a> {
    /// The bounds, each with a comma; the types are placeholders.
    text: String,
    types: Vec<&'t [Tree<'a>]>,
}

impl<'t, 'a> Bounds<'t, 'a> {
    fn add(&mut self, ty: &'t [Tree<'a>], bound: &str) {
        // More are rare; only a bound would be missing.
        if let Some(name) = SUBJECTS.get(self.types.len()) {
            self.text += &format!("{name}: {bound},");
            self.types.push(ty);
        }
    }

    fn holes(&self) -> Vec<(&'static str, &'t [Tree<'a>])> {
        SUBJECTS.into_iter().zip(self.types.iter().copied()).collect()
    }
}

/// The fields that a format string displays, by name or number, and the traits that this needs.
fn shown_in(literal: &str) -> Vec<(String, &'static str)> {
    let literal = literal.replace("{{", "");
    let holes = literal.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|(hole, _)| hole);
    let shown = holes.filter_map(|hole| {
        let (name, how) = hole.split_once(':').unwrap_or((hole, ""));
        let name = name.trim();
        let name = if name.starts_with(|it: char| it.is_ascii_digit()) { format!("_{name}") } else { name.to_owned() };
        let bound = match how.trim().chars().last() {
            Some('?') => "::core::fmt::Debug",
            Some('o') => "::core::fmt::Octal",
            Some('x') => "::core::fmt::LowerHex",
            Some('X') => "::core::fmt::UpperHex",
            Some('p') => "::core::fmt::Pointer",
            Some('b') => "::core::fmt::Binary",
            Some('e') => "::core::fmt::LowerExp",
            Some('E') => "::core::fmt::UpperExp",
            _ => "::core::fmt::Display",
        };
        (!name.is_empty()).then_some((name, bound))
    });
    shown.collect()
}

fn is_source(field: &Field<'_>) -> bool {
    let says = |name| attribute(&field.attributes, name).is_some();
    says("source") || says("from") || field.name.as_ref().is_some_and(|name| name.is_ident("source"))
}

/// The `T` of `Option<T>`, or the type itself.
fn unoptional<'t, 'a>(ty: &'t [Tree<'a>]) -> &'t [Tree<'a>] {
    let start = ty.iter().position(|it| it.is_ident("Option"));
    match (start, ty) {
        (Some(at), [.., last]) if last.is_punct('>') && ty.get(at + 1).is_some_and(|it| it.is_punct('<')) => {
            &ty[at + 2..ty.len() - 1]
        }
        _ => ty,
    }
}

fn source(variant: &Variant<'_>, is_transparent: bool) -> String {
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
fn from<'a>(maker: &mut TokenBuilder, adt: &Adt<'a>, variant: &Variant<'a>) {
    let is_from = |it: &&Field<'_>| attribute(&it.attributes, "from").is_some();
    let Some(field) = variant.fields.iter().find(is_from) else { return };
    let path = if adt.is_enum { "Self::__variant" } else { "Self" };
    let value = match (variant.fields.len(), &field.name) {
        (1, Some(_)) => format!("{path} {{ __field: __source }}"),
        (1, None) => format!("{path} {{ 0: __source }}"),
        // The other fields are backtraces.
        _ => not_expanded(),
    };
    let text = format!(
        "__impl ::core::convert::From<__from> for __type where __own {{ fn from(__source: __from) -> Self {{ {value} }} }}"
    );
    let own = field.name.clone().into_iter().collect::<Vec<_>>();
    let named = [variant.name.clone()];
    adt.add(maker, &text, &[("__from", &field.ty), ("__variant", &named), ("__field", &own)]);
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
