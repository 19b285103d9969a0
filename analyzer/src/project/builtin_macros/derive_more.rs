//! Derives of derive_more that show values: `Display` and the other traits of `fmt`.

use super::{
    Call,
    case::converted,
    formats::{named, shown_in, trait_of},
    functions::expressions,
    read::{Adt, Field, Variant, with},
    tokens::{Quote, Tree, is_expression, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// A trait of `fmt`, and the attribute that says how.
struct Trait {
    path: &'static str,
    attribute: &'static str,
    /// Whether a text among the arguments of a format is code, as in derive_more 0.99.
    has_code: bool,
}

/// How a variant is shown.
enum Shown {
    /// As its field with this binding is by a trait; formatting parameters apply.
    Field(String, &'static str),
    /// By a format string with arguments; text for a [`Quote`].
    Format(String, String),
}

impl Shown {
    fn written(&self) -> String {
        match self {
            Shown::Field(binding, path) => format!("{path}::fmt({binding}, __f)"),
            Shown::Format(format, args) => format!("::core::write!(__f, {format} {args})"),
        }
    }

    fn args(&self) -> String {
        match self {
            Shown::Field(binding, path) => {
                let how = match path.rsplit("::").next().unwrap_or_default() {
                    "Debug" => ":?",
                    "Octal" => ":o",
                    "LowerHex" => ":x",
                    "UpperHex" => ":X",
                    "Pointer" => ":p",
                    "Binary" => ":b",
                    "LowerExp" => ":e",
                    "UpperExp" => ":E",
                    _ => "",
                };
                format!("::core::format_args!(\"{{{how}}}\", {binding})")
            }
            Shown::Format(format, args) => format!("::core::format_args!({format} {args})"),
        }
    }
}

/// What the attributes of an item say.
#[derive(Default)]
struct Said<'a> {
    format: Option<(String, Vec<Tree<'a>>)>,
    rename: Option<String>,
    bounds: Vec<Tree<'a>>,
}

fn said<'a>(attributes: &[Vec<Tree<'a>>], name: &str) -> Result<Said<'a>, String> {
    let mut said = Said::default();
    for attribute in attributes.iter().filter(|it| it[0].is_ident(name)) {
        let inside =
            attribute.get(1).and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees).ok_or("an attribute")?;
        let rest = match inside.as_slice() {
            [word, equals, rest @ ..] if word.is_ident("fmt") && equals.is_punct('=') => rest,
            [word, equals, style] if word.is_ident("rename_all") && equals.is_punct('=') => {
                said.rename = Some(style.string().ok_or("`rename_all`")?);
                continue;
            }
            [word, group] if word.is_ident("bound") || word.is_ident("bounds") || word.is_ident("where") => {
                said.bounds.extend(trees(group.group(DelimiterKind::Parenthesis).ok_or("`bound`")?));
                continue;
            }
            rest => rest,
        };
        let (first, args) = rest.split_first().ok_or("an attribute")?;
        said.format = Some((first.literal().ok_or("a format")?, args.to_vec()));
    }
    Ok(said)
}

/// Bounds on the types of fields that contain parameters.
fn bound<'a>(adt: &Adt<'a>, field: &Field<'a>, path: &str, bounds: &mut String, quote: &mut Quote<'a>) {
    if adt.generics.occur_in(&field.ty) {
        bounds.push_str(&format!("{}: {path},", quote.of(&field.ty)));
    }
}

/// How a format string with arguments shows a variant.
fn formatted<'a>(
    adt: &Adt<'a>,
    variant: &Variant<'a>,
    (literal, args): &(String, Vec<Tree<'a>>),
    has_code: bool,
    bounds: &mut String,
    quote: &mut Quote<'a>,
) -> Result<Shown, String> {
    let literal = named(literal).ok_or("a format")?;
    let find = |name: &str| variant.fields.iter().enumerate().find(|(index, it)| it.binding(*index) == name);
    let args = args.split_first().map_or(&[][..], |(_, rest)| rest);
    let list = expressions(args);
    let code = |it: &&[Tree<'_>]| match it {
        [only] => only.string().filter(|it| has_code && is_expression(it)),
        _ => None,
    };
    if list.iter().any(|it| matches!(it, [only] if only.literal().is_some()) && code(it).is_none()) {
        return Err("an argument that is a text".to_owned());
    }
    for (name, path) in shown_in(&literal) {
        if let Some((_, field)) = find(&name) {
            bound(adt, field, path, bounds, quote);
        }
    }
    // Where each empty placeholder takes its argument.
    let empty = literal.replace("{{", "");
    let mut places = empty.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|(hole, _)| hole);
    for (hole, arg) in places.clone().filter(|it| it.is_empty() || it.starts_with(':')).zip(&list) {
        if let [only] = arg
            && let Some((_, field)) = only.ident().and_then(find)
        {
            bound(adt, field, trait_of(hole.trim_start_matches(':')), bounds, quote);
        }
    }
    // A format that is one placeholder is its field.
    let body = literal.trim_matches('"');
    if let (Some(hole), None) = (places.next(), places.next())
        && body == format!("{{{hole}}}")
    {
        let (name, how) = hole.split_once(':').unwrap_or((hole, ""));
        let is_plain = matches!(how.trim(), "" | "?" | "o" | "x" | "X" | "p" | "b" | "e" | "E");
        let name = match (name, list.as_slice()) {
            ("", [[only]]) => only.ident().unwrap_or_default(),
            (name, []) => name,
            _ => "",
        };
        if is_plain && trait_of(how) != "::core::fmt::Pointer" && find(name).is_some() {
            return Ok(Shown::Field(name.to_owned(), trait_of(how)));
        }
    }
    let args = list.iter().map(|it| format!(", {}", code(it).unwrap_or_else(|| quote.of(it)))).collect();
    Ok(Shown::Format(literal, args))
}

/// How a variant without a format is shown.
fn inferred<'a>(
    adt: &Adt<'a>,
    variant: &Variant<'a>,
    style: Option<&String>,
    of: &Trait,
    bounds: &mut String,
    quote: &mut Quote<'a>,
) -> Result<Shown, String> {
    match variant.fields.as_slice() {
        [field] => {
            bound(adt, field, of.path, bounds, quote);
            Ok(Shown::Field(field.binding(0), of.path))
        }
        [] => {
            let name = variant.name.ident().unwrap_or_default();
            let name = match style {
                Some(_) if name.chars().any(|it| it.is_ascii_digit()) => return Err("`rename_all`".to_owned()),
                Some(style) => converted(name, style).ok_or("`rename_all`")?,
                None => name.to_owned(),
            };
            Ok(Shown::Format(format!("{name:?}"), String::new()))
        }
        _ => Err("several fields without a format".to_owned()),
    }
}

fn fmt(call: &Call<'_>, of: &Trait) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let outer = said(&adt.attributes, of.attribute)?;
        let mut bounds = String::new();
        if !outer.bounds.is_empty() {
            bounds += &format!("{},", quote.of(&outer.bounds));
        }
        // A format of the enum with `_variant` is around those of its variants.
        let wraps = |(literal, args): &(String, Vec<Tree<'_>>)| {
            literal.contains("{_variant") || args.iter().any(|it| it.is_ident("_variant"))
        };
        let wrapper = outer.format.as_ref().filter(|it| adt.is_enum && wraps(it));
        let mut arms = String::new();
        for variant in &adt.variants {
            let own = if adt.is_enum { said(&variant.attributes, of.attribute)? } else { Said::default() };
            if !own.bounds.is_empty() {
                bounds += &format!("{},", quote.of(&own.bounds));
            }
            let format = own.format.as_ref().or(outer.format.as_ref().filter(|_| wrapper.is_none()));
            let shown = match format {
                Some(format) => formatted(adt, variant, format, of.has_code, &mut bounds, quote)?,
                None => {
                    let style = own.rename.as_ref().or(outer.rename.as_ref());
                    inferred(adt, variant, style, of, &mut bounds, quote)?
                }
            };
            let written = match wrapper {
                None => shown.written(),
                Some(wrapper) => {
                    let inner = shown.args();
                    let around = formatted(adt, variant, wrapper, of.has_code, &mut bounds, quote)?;
                    format!("match {inner} {{ _variant => {} }}", around.written())
                }
            };
            let path = adt.path(variant, quote);
            arms += &format!("{path} {} => {written},", variant.references());
        }
        let path = of.path;
        Ok(format!(
            "__impl {path} for __type where __own {bounds} {{ \
             fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{ match *self {{ {arms} }} }} }}"
        ))
    })
}

pub(super) fn display(call: &Call<'_>) -> Result<TopSubtree, String> {
    fmt(call, &Trait { path: "::core::fmt::Display", attribute: "display", has_code: false })
}

/// The same of derive_more 0.99.
pub(super) fn old_display(call: &Call<'_>) -> Result<TopSubtree, String> {
    fmt(call, &Trait { path: "::core::fmt::Display", attribute: "display", has_code: true })
}

pub(super) fn binary(call: &Call<'_>) -> Result<TopSubtree, String> {
    fmt(call, &Trait { path: "::core::fmt::Binary", attribute: "binary", has_code: false })
}

pub(super) fn octal(call: &Call<'_>) -> Result<TopSubtree, String> {
    fmt(call, &Trait { path: "::core::fmt::Octal", attribute: "octal", has_code: false })
}

pub(super) fn lower_hex(call: &Call<'_>) -> Result<TopSubtree, String> {
    fmt(call, &Trait { path: "::core::fmt::LowerHex", attribute: "lower_hex", has_code: false })
}

pub(super) fn upper_hex(call: &Call<'_>) -> Result<TopSubtree, String> {
    fmt(call, &Trait { path: "::core::fmt::UpperHex", attribute: "upper_hex", has_code: false })
}

/// `displaydoc::Display`: the documentation of a type or variant is its format.
pub(super) fn documented(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let mut bounds = String::new();
        let mut arms = String::new();
        let ignores_more = adt.attributes.iter().any(|it| it[0].is_ident("ignore_extra_doc_attributes"));
        let of_enum = doc(&adt.attributes, ignores_more)?;
        let prefixes = adt.attributes.iter().any(|it| it[0].is_ident("prefix_enum_doc_attributes"));
        for variant in &adt.variants {
            let own = if adt.is_enum { doc(&variant.attributes, ignores_more)? } else { of_enum.clone() };
            let mut text = own.ok_or("a variant without documentation")?;
            if prefixes && adt.is_enum {
                text = format!("{}: {text}", of_enum.clone().ok_or("no documentation")?);
            }
            let shown = formatted(adt, variant, &(format!("{text:?}"), Vec::new()), false, &mut bounds, quote)?;
            // Formatting parameters do not apply.
            let shown = match shown {
                Shown::Field(..) => Shown::Format(named(&format!("{text:?}")).ok_or("a format")?, String::new()),
                shown => shown,
            };
            let path = adt.path(variant, quote);
            arms += &format!("{path} {} => {},", variant.references(), shown.written());
        }
        Ok(format!(
            "__impl ::core::fmt::Display for __type where __own {bounds} {{ \
             fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{ match *self {{ {arms} }} }} }}"
        ))
    })
}

/// The documentation of an item, as far as displaydoc shows it: one paragraph.
fn doc(attributes: &[Vec<Tree<'_>>], ignores_more: bool) -> Result<Option<String>, String> {
    let own = attributes.iter().find(|it| it[0].is_ident("displaydoc"));
    if let Some(own) = own {
        let inside = own.get(1).and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees).unwrap_or_default();
        return match inside.as_slice() {
            [text] => text.string().map(Some).ok_or_else(|| "a format".to_owned()),
            _ => Err("a format".to_owned()),
        };
    }
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|it| it[0].is_ident("doc")) {
        let [_, equals, text] = attribute.as_slice() else { continue };
        if equals.is_punct('=') {
            let text = text.string().ok_or("its documentation")?;
            let text: Vec<&str> = text.lines().map(|it| it.trim().trim_start_matches('*').trim()).collect();
            lines.push(text.join("\n").trim().to_owned());
        }
    }
    if lines.is_empty() {
        return Ok(None);
    }
    if ignores_more {
        lines.truncate(lines.iter().position(|it| it.is_empty()).unwrap_or(lines.len()));
    }
    if lines.iter().any(|it| it.is_empty()) {
        return Err("several paragraphs".to_owned());
    }
    Ok(Some(lines.join(" ")))
}
