//! `#[derive(thiserror::Error)]`: `Display`, `Error` with its source, and `From`.

use super::{
    Call, NOT_EXPANDED,
    formats::{named, shown_in},
    functions::expressions,
    read::{Adt, Field, Variant, attribute, with},
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::TopSubtree;

pub(super) fn error(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (mut display_bounds, mut error_bounds) = (String::new(), String::new());
        let (mut shown, mut sources, mut from) = (String::new(), String::new(), String::new());
        for variant in &adt.variants {
            // An attribute of the enum applies to variants without one.
            let says = attribute(&variant.attributes, "error").or_else(|| attribute(&adt.attributes, "error"));
            let says = says.unwrap_or_default();
            let pattern = format!("{} {}", adt.path(variant, quote), variant.references());
            let is_transparent = says.first().is_some_and(|it| it.is_ident("transparent"));
            let own = |field: &Field<'_>| adt.generics.occur_in(&field.ty);
            let bound = |bounds: &mut String, ty: String, path: &str| bounds.push_str(&format!("{ty}: {path},"));
            if is_transparent
                && let [field] = variant.fields.as_slice()
                && own(field)
            {
                bound(&mut display_bounds, quote.of(&field.ty), "::core::fmt::Display");
                bound(&mut error_bounds, quote.of(&field.ty), "::std::error::Error");
            }
            if let Some(literal) = says.first().and_then(Tree::literal) {
                for (name, path) in shown_in(&literal) {
                    let is_it = |(index, it): &(usize, &Field<'_>)| it.binding(*index) == name && own(it);
                    if let Some((_, field)) = variant.fields.iter().enumerate().find(is_it) {
                        bound(&mut display_bounds, quote.of(&field.ty), path);
                    }
                }
            }
            if !is_transparent
                && let Some(field) = variant.fields.iter().find(|it| is_source(it))
                && own(field)
            {
                let ty = quote.of(unoptional(&field.ty));
                bound(&mut error_bounds, ty, "::std::error::Error + 'static");
            }
            let text = display(variant, &says, is_transparent, quote).unwrap_or_else(not_expanded);
            shown += &format!("{pattern} => {text},");
            sources += &format!("{pattern} => {},", source(variant, is_transparent));
            from += &conversion(adt, variant, quote);
        }
        if adt.generics.has_types() {
            error_bounds += "Self: ::core::fmt::Debug + ::core::fmt::Display,";
        }
        Ok(format!(
            "__impl ::core::fmt::Display for __type where __own {display_bounds} {{\
             fn fmt(&self, __formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{ match *self {{ {shown} }} }} }} \
             __impl ::std::error::Error for __type where __own {error_bounds} {{\
             fn source(&self) -> ::core::option::Option<&(dyn ::std::error::Error + 'static)> {{ match *self {{ {sources} }} }} }} \
             {from}"
        ))
    })
}

fn not_expanded() -> String {
    format!("{NOT_EXPANDED}::thiserror::Error")
}

/// The expression that displays a variant; `None` if the attribute is not understood.
fn display<'a>(
    variant: &Variant<'a>,
    says: &[Tree<'a>],
    is_transparent: bool,
    quote: &mut Quote<'a>,
) -> Option<String> {
    if is_transparent {
        let [field] = variant.fields.as_slice() else { return None };
        return Some(format!("::core::fmt::Display::fmt({}, __formatter)", field.binding(0)));
    }
    if let [word, equals, path @ ..] = says
        && word.is_ident("fmt")
        && equals.is_punct('=')
    {
        let fields: String = variant.fields.iter().enumerate().map(|(index, it)| it.binding(index) + ",").collect();
        return Some(format!("{}({fields} __formatter)", quote.of(path)));
    }
    let (text, rest) = says.split_first()?;
    let literal = named(&text.literal()?)?;
    let mut args = String::new();
    if let Some((comma, rest)) = rest.split_first() {
        if !comma.is_punct(',') {
            return None;
        }
        for arg in expressions(rest) {
            args += &format!(", {}", argument(arg, quote));
        }
    }
    // A path is shown by its `display`.
    let mut names: Vec<String> = Vec::new();
    for (name, path) in shown_in(&literal) {
        let field = variant.fields.iter().enumerate().find(|(index, it)| it.binding(*index) == name);
        let is_path = |field: &Field<'_>| {
            let last = field.ty.iter().rfind(|it| it.ident().is_some());
            last.is_some_and(|it| it.is_ident("PathBuf") || it.is_ident("Path"))
                && !field.ty.iter().any(|it| it.is_punct('<'))
        };
        let is_given = args.contains(&format!(", {name} ="));
        if path == "::core::fmt::Display"
            && !is_given
            && !names.contains(&name)
            && field.is_some_and(|(_, it)| is_path(it))
        {
            args += &format!(", {name} = ::std::path::Path::display({name})");
            names.push(name);
        }
    }
    Some(format!("::core::write!(__formatter, {literal} {args})"))
}

/// An argument of a format string. Where an expression starts, `.field` is a field.
fn argument<'a>(arg: &[Tree<'a>], quote: &mut Quote<'a>) -> String {
    let mut text = String::new();
    let mut index = 0;
    while let Some(tree) = arg.get(index) {
        let starts = index.checked_sub(1).is_none_or(|before| match &arg[before] {
            Tree::Group(..) => false,
            leaf => leaf.ident().is_none() && leaf.literal().is_none() && !leaf.is_punct('.') && !leaf.is_punct('?'),
        });
        match (tree, arg.get(index + 1)) {
            (tree, Some(field))
                if starts && tree.is_punct('.') && (field.ident().is_some() || field.literal().is_some()) =>
            {
                // `.0.1` has one number with a point.
                match field.literal() {
                    Some(number) => text += &format!(" _{number} "),
                    None => text += &quote.of(std::slice::from_ref(field)),
                }
                index += 1;
            }
            (Tree::Group(subtree, inside), _) => {
                use ra_ap_tt::DelimiterKind::{Brace, Bracket, Invisible, Parenthesis};
                let (open, close) = match subtree.delimiter.kind {
                    Parenthesis => ("(", ")"),
                    Brace => ("{", "}"),
                    Bracket => ("[", "]"),
                    Invisible => ("", ""),
                };
                text += &format!("{open}{}{close}", argument(&trees(*inside), quote));
            }
            _ => {
                // Tokens next to each other stay so, because an operator may be several.
                let rest = &arg[index..];
                let is_more = |at: usize| {
                    matches!(&rest[at], Tree::Leaf(_))
                        && !(rest[at].is_punct('.')
                            && rest[at - 1].ident().is_none()
                            && rest[at - 1].literal().is_none())
                };
                let count = 1 + (1..rest.len()).take_while(|&at| is_more(at)).count();
                text += &quote.of(&rest[..count]);
                index += count - 1;
            }
        }
        index += 1;
    }
    text
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

/// Finds the error behind a pointer by the method of a trait.
const AS_ERROR: &str = "trait __AsError<'a> { fn __as_error(&self) -> &(dyn ::std::error::Error + 'a); } \
    impl<'a, T: ::std::error::Error + 'a> __AsError<'a> for T { \
    fn __as_error(&self) -> &(dyn ::std::error::Error + 'a) { self } } \
    impl<'a> __AsError<'a> for dyn ::std::error::Error + 'a { \
    fn __as_error(&self) -> &(dyn ::std::error::Error + 'a) { self } } \
    impl<'a> __AsError<'a> for dyn ::std::error::Error + ::core::marker::Send + 'a { \
    fn __as_error(&self) -> &(dyn ::std::error::Error + 'a) { self } } \
    impl<'a> __AsError<'a> for dyn ::std::error::Error + ::core::marker::Send + ::core::marker::Sync + 'a { \
    fn __as_error(&self) -> &(dyn ::std::error::Error + 'a) { self } }";

fn source(variant: &Variant<'_>, is_transparent: bool) -> String {
    let found = variant.fields.iter().enumerate().find(|(_, it)| is_transparent || is_source(it));
    let Some((index, field)) = found else { return "::core::option::Option::None".to_owned() };
    let binding = field.binding(index);
    let is = |name: &str| field.ty.iter().any(|it| it.is_ident(name));
    let is_optional = !is_transparent && unoptional(&field.ty).len() < field.ty.len();
    let is_pointer = ["Arc", "Rc", "anyhow", "eyre", "Report", "Error", "BoxError"].iter().any(|it| is(it));
    if is_optional || is_pointer {
        let value =
            if is_optional { format!("{binding}.as_ref()?.__as_error()") } else { format!("{binding}.__as_error()") };
        return match is_transparent {
            true => format!("{{ {AS_ERROR} ::std::error::Error::source({value}) }}"),
            false => format!("{{ {AS_ERROR} ::core::option::Option::Some({value}) }}"),
        };
    }
    let reference = if is("Box") { format!("&**{binding}") } else { binding };
    if is_transparent {
        format!("::std::error::Error::source({reference})")
    } else {
        format!("::core::option::Option::Some({reference})")
    }
}

/// The conversion from the type of a field with `#[from]`.
fn conversion<'a>(adt: &Adt<'a>, variant: &Variant<'a>, quote: &mut Quote<'a>) -> String {
    let is_from = |it: &&Field<'_>| attribute(&it.attributes, "from").is_some();
    let Some(field) = variant.fields.iter().find(is_from) else { return String::new() };
    let value = match variant.fields.len() {
        1 => format!("{} {{ {}: __source }}", adt.path(variant, quote), field.key(0)),
        // The other fields are backtraces.
        _ => not_expanded(),
    };
    let ty = quote.of(&field.ty);
    format!(
        "__impl ::core::convert::From<{ty}> for __type where __own {{ fn from(__source: {ty}) -> Self {{ {value} }} }}"
    )
}
