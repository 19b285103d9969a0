//! Values of the options of a command line: each is one that some command line gives.

use super::{
    NOT_EXPANDED,
    functions::{Argument, arguments},
    read::{Adt, Field, Variant},
    tokens::{Quote, Tree, is_expression, trees},
};
use ra_ap_tt::DelimiterKind;

/// The arguments of the attributes of the macro; an argument in another form gives `None`.
fn said<'a>(attributes: &[Vec<Tree<'a>>]) -> Option<Vec<Argument<'a>>> {
    let own = ["arg", "clap", "command", "structopt", "value", "group"];
    let of_clap = attributes.iter().filter(|it| own.iter().any(|name| it[0].is_ident(name)));
    let mut all = Vec::new();
    for attribute in of_clap {
        let inside = attribute.get(1).and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees);
        all.extend(arguments(&inside.unwrap_or_default())?);
    }
    Some(all)
}

/// Arguments that do not change which values a field can have.
const PLAIN: [&str; 51] = [
    "short",
    "long",
    "env",
    "help",
    "long_help",
    "value_name",
    "value_names",
    "alias",
    "aliases",
    "visible_alias",
    "visible_aliases",
    "short_alias",
    "visible_short_alias",
    "global",
    "id",
    "name",
    "hide",
    "hidden",
    "hide_short_help",
    "hide_long_help",
    "hide_default_value",
    "hide_possible_values",
    "hide_env",
    "hide_env_values",
    "help_heading",
    "next_help_heading",
    "display_order",
    "verbatim_doc_comment",
    "allow_hyphen_values",
    "allow_negative_numbers",
    "require_equals",
    "value_delimiter",
    "use_value_delimiter",
    "use_delimiter",
    "number_of_values",
    "last",
    "index",
    "value_hint",
    "action",
    "default_missing_value",
    "multiple",
    "multiple_values",
    "multiple_occurrences",
    "takes_value",
    "trailing_var_arg",
    "ignore_case",
    "value_enum",
    "arg_enum",
    "case_insensitive",
    "set",
    "rename_all",
];

/// Arguments that name fields of which at most one is given.
const EXCLUSIVE: [&str; 6] =
    ["conflicts_with", "conflicts_with_all", "overrides_with", "overrides_with_all", "group", "groups"];

/// Arguments that mean that a value is there.
const REQUIRED: [&str; 9] = [
    "required",
    "required_unless",
    "required_unless_one",
    "required_unless_all",
    "required_unless_present",
    "required_unless_present_any",
    "required_unless_present_all",
    "required_if_eq",
    "required_if_eq_any",
];

/// The outermost type of a field, and its argument.
fn shape<'t, 'a>(ty: &'t [Tree<'a>]) -> (&'t str, &'t [Tree<'a>]) {
    let open = ty.iter().position(|it| it.is_punct('<'));
    let path = &ty[..open.unwrap_or(ty.len())];
    let is_path = !path.is_empty() && path.iter().all(|it| it.ident().is_some() || it.is_punct(':'));
    let name = path.last().filter(|_| is_path).and_then(Tree::ident).unwrap_or_default();
    let inside = match (open, ty) {
        (Some(open), [.., last]) if last.is_punct('>') => &ty[open + 1..ty.len() - 1],
        _ => &ty[..0],
    };
    (name, inside)
}

/// How a field gets its value.
struct Made {
    /// As text for a [`Quote`].
    value: String,
    /// Whether the command line has it; `None` if it always does.
    given: Option<String>,
    /// Its value where the command line does not have it.
    absent: Option<String>,
    names: Vec<String>,
    /// The fields and groups that exclude it.
    excluded: Vec<String>,
}

/// The texts in some tokens.
fn texts(tokens: &[Tree<'_>], found: &mut Vec<String>) {
    for token in tokens {
        match token {
            Tree::Group(_, inside) => texts(&trees(*inside), found),
            token => found.extend(token.string()),
        }
    }
}

/// The expression for what is not known.
pub(super) fn not_expanded(derive: &str) -> String {
    format!("{NOT_EXPANDED}::clap::{derive}")
}

/// How a field is made, of a command with so many `options`. `absent` and `required` are texts in the attributes of
/// groups.
fn made<'a>(
    field: &Field<'a>,
    index: usize,
    absent: &[String],
    required: Option<&String>,
    options: usize,
    quote: &mut Quote<'a>,
) -> Made {
    let binding = format!("__field_{index}");
    let label = format!("\"`{}`\"", field.name.as_ref().and_then(Tree::ident).unwrap_or("value"));
    let given = format!("\"`{}` is given\"", field.name.as_ref().and_then(Tree::ident).unwrap_or("value"));
    let ty = quote.of(&field.ty);
    let mut names: Vec<String> = field.name.as_ref().and_then(Tree::ident).map(str::to_owned).into_iter().collect();
    let always = |value: String| Made { value, given: None, absent: None, names: Vec::new(), excluded: Vec::new() };
    let Some(said) = said(&field.attributes) else { return always(not_expanded("Parser")) };
    let says = |name: &str| said.iter().find(|it| it.name == name);
    if says("skip").is_some() || says("from_global").is_some() {
        let default = says("skip").map(|it| it.value.clone()).filter(|it| !it.is_empty());
        return always(default.map_or_else(|| "::core::default::Default::default()".to_owned(), |it| quote.of(&it)));
    }
    let maker = |ty: &str| format!("::std::__harness::Maker::<{ty}>::new().value({label})");
    if says("flatten").is_some() {
        return always(maker(&ty));
    }
    let (outer, inner) = shape(&field.ty);
    if says("subcommand").is_some() {
        return match outer {
            "Option" => {
                let inner = quote.of(inner);
                always(format!(
                    "if ::std::__harness::flag({given}) {{ ::core::option::Option::Some({}) }} \
                     else {{ ::core::option::Option::None }}",
                    maker(&inner)
                ))
            }
            _ => always(maker(&ty)),
        };
    }
    let mut excluded = Vec::new();
    let (mut is_limited, mut is_required, mut parser, mut default) = (false, false, None, None);
    for argument in &said {
        let name = argument.name.as_str();
        let tokens = argument.inside.as_deref().unwrap_or(&argument.value);
        match name {
            "id" | "name" => texts(tokens, &mut names),
            _ if EXCLUSIVE.contains(&name) => {
                texts(tokens, &mut excluded);
                if name.starts_with("group") {
                    texts(tokens, &mut names);
                }
            }
            _ if REQUIRED.contains(&name) => is_required |= !tokens.iter().any(|it| it.is_ident("false")),
            "default_value" => default = Some((false, quote.of(tokens))),
            "default_value_t" | "default_values_t" => {
                default = Some((true, if tokens.is_empty() { String::new() } else { quote.of(tokens) }));
            }
            // structopt 0.2: the values are texts that hold code.
            "raw" => {
                for argument in argument.inside.as_deref().and_then(arguments).unwrap_or_default() {
                    let code = argument.value.first().and_then(Tree::string).unwrap_or_default();
                    match argument.name.as_str() {
                        "default_value" if is_expression(&code) => default = Some((false, code)),
                        name if REQUIRED.contains(&name) => is_required |= code != "false",
                        name => is_limited |= !PLAIN.contains(&name),
                    }
                }
            }
            "num_args" => is_limited |= !tokens.iter().any(|it| it.is_punct('.')),
            "value_parser" | "parse" => match parser_of(tokens, quote) {
                Some(it) => parser = it,
                None => is_limited = true,
            },
            "action" => {
                let is_end = |it: &Tree<'_>| it.ident().is_some_and(|it| it.starts_with("Help") || it == "Version");
                is_limited |= tokens.iter().any(is_end);
            }
            _ => is_limited |= !PLAIN.contains(&name),
        }
    }
    is_limited |= names.iter().any(|it| absent.contains(it));
    is_required |= required.is_some_and(|it| names.contains(it));
    let one = |ty: &str| match &parser {
        None => format!("::std::__harness::make::<{ty}>({label})"),
        Some(parser) => parser.call(&label),
    };
    let checked = |given: String, value: String, absent: &str| Made {
        value,
        given: Some(given),
        absent: Some(absent.to_owned()),
        names: names.clone(),
        excluded: excluded.clone(),
    };
    let none = "::core::option::Option::None";
    let is_unit = matches!(field.ty.as_slice(), [unit] if unit.group(DelimiterKind::Parenthesis).is_some_and(|it| trees(it).is_empty()));
    let is_count = said.iter().any(|it| match it.name.as_str() {
        "action" => it.inside.as_deref().unwrap_or(&it.value).iter().any(|it| it.is_ident("Count")),
        "parse" => it.inside.iter().flatten().any(|it| it.is_ident("from_occurrences")),
        _ => false,
    });
    // What has no name is what the program works on: most command lines have it.
    let is_named = said.iter().any(|it| ["short", "long"].contains(&it.name.as_str()));
    let is_given = match is_named {
        true => format!("::std::__harness::is_given({given}, {options})"),
        false => format!("::std::__harness::number({given}) != 0"),
    };
    let mut made = match outer {
        _ if is_unit => always("()".to_owned()),
        "bool" if default.is_none() => match is_limited {
            true => checked("false".to_owned(), "false".to_owned(), "false"),
            false => checked(binding.clone(), is_given, "false"),
        },
        "Option" if !inner.is_empty() => {
            let inner = quote.of(inner);
            let some = format!("::core::option::Option::Some({})", one(&inner));
            let value = match (is_limited, is_required) {
                (true, _) => none.to_owned(),
                (false, true) => some,
                (false, false) => format!("if {is_given} {{ {some} }} else {{ {none} }}"),
            };
            checked(format!("{binding}.is_some()"), value, none)
        }
        "Vec" if !inner.is_empty() && default.is_none() => {
            let empty = "::std::vec::Vec::new()";
            let value = match (is_limited, is_required, &parser) {
                (true, ..) => empty.to_owned(),
                (false, false, None) => {
                    format!("if {is_given} {{ ::std::__harness::make::<{ty}>({label}) }} else {{ {empty} }}")
                }
                (false, true, None) => format!("::std::__harness::make::<{ty}>({label})"),
                (false, _, Some(parser)) => format!("::std::vec![{}]", parser.call(&label)),
            };
            checked(format!("!{binding}.is_empty()"), value, empty)
        }
        _ if is_count => checked(format!("{binding} != 0"), format!("if {is_given} {{ 1 }} else {{ 0 }}"), "0"),
        _ => {
            let default = default.map(|(is_typed, value)| default_of(is_typed, value, &field.ty, &parser));
            match (default, is_limited) {
                (Some(Some(default)), true) => always(default),
                (Some(Some(default)), false) => Made {
                    // Nobody else can tell whether it is the default: it counts as given.
                    given: Some("true".to_owned()),
                    absent: Some(default.clone()),
                    ..always(format!("if {is_given} {{ {} }} else {{ {default} }}", one(&ty)))
                },
                (Some(None), true) | (None, true) => always(not_expanded("Parser")),
                (_, false) => always(one(&ty)),
            }
        }
    };
    made.names = names;
    made.excluded = excluded;
    made
}

/// A function of the user that makes a value of a text.
struct Parser {
    path: String,
    /// Whether it may fail; then the program ends.
    may_fail: bool,
    /// The type of the text.
    text: &'static str,
}

impl Parser {
    fn call(&self, label: &str) -> String {
        let text = format!("::std::__harness::{}({label})", self.text);
        match self.may_fail {
            true => format!(
                "match ({})({text}) {{ ::core::result::Result::Ok(__value) => __value, \
                 ::core::result::Result::Err(_) => ::std::process::exit(2) }}",
                self.path
            ),
            false => format!("({})({text})", self.path),
        }
    }
}

/// The function that an attribute names; `Some(None)` if the type says how it is parsed.
fn parser_of<'a>(tokens: &[Tree<'a>], quote: &mut Quote<'a>) -> Option<Option<Parser>> {
    let is_path =
        |tokens: &[Tree<'_>]| !tokens.is_empty() && tokens.iter().all(|it| it.ident().is_some() || it.is_punct(':'));
    match tokens {
        [.., name, not, group] if name.is_ident("value_parser") && not.is_punct('!') => {
            group.group(DelimiterKind::Parenthesis).map(|_| None)
        }
        [only]
            if ["from_os_str", "from_str", "try_from_str", "from_occurrences", "from_flag"]
                .iter()
                .any(|it| only.is_ident(it)) =>
        {
            Some(None)
        }
        [how, equals, path @ ..] if equals.is_punct('=') && is_path(path) => {
            let may_fail = how.ident().is_some_and(|it| it.starts_with("try_"));
            let text = if how.ident().is_some_and(|it| it.ends_with("from_str")) { "text" } else { return None };
            Some(Some(Parser { path: quote.of(path), may_fail, text }))
        }
        path if is_path(path) => Some(Some(Parser { path: quote.of(path), may_fail: true, text: "text" })),
        _ => None,
    }
}

/// Types that std parses as clap does.
const PARSED: [&str; 18] = [
    "u8",
    "i8",
    "u16",
    "i16",
    "u32",
    "i32",
    "u64",
    "i64",
    "u128",
    "i128",
    "usize",
    "isize",
    "f32",
    "f64",
    "bool",
    "IpAddr",
    "SocketAddr",
    "Ipv4Addr",
];

/// The default of a field; `None` if it is not known.
fn default_of(is_typed: bool, value: String, ty: &[Tree<'_>], parser: &Option<Parser>) -> Option<String> {
    if value.is_empty() {
        return is_typed.then(|| "::core::default::Default::default()".to_owned());
    }
    if is_typed {
        return Some(value);
    }
    let outer = shape(ty).0;
    match parser {
        Some(parser) if parser.may_fail => Some(format!(
            "match ({})({value}) {{ ::core::result::Result::Ok(__value) => __value, \
             ::core::result::Result::Err(_) => ::std::process::exit(2) }}",
            parser.path
        )),
        Some(parser) => Some(format!("({})({value})", parser.path)),
        None if ["String", "PathBuf", "OsString"].contains(&outer) => {
            Some(format!("::core::convert::From::from({value})"))
        }
        None if PARSED.contains(&outer) => Some(format!("::core::str::FromStr::from_str({value}).unwrap()")),
        None => None,
    }
}

/// An expression for a value of a struct or variant that some command line gives.
fn made_variant<'a>(path: &str, variant: &Variant<'a>, attributes: &[Vec<Tree<'a>>], quote: &mut Quote<'a>) -> String {
    // Of the fields that a group names, the first is given if one must be, and no other is.
    let (mut absent, mut required) = (Vec::new(), None);
    for argument in said(attributes).unwrap_or_default().iter().filter(|it| it.name == "group") {
        let tokens = argument.inside.as_deref().unwrap_or(&argument.value);
        let mut named = Vec::new();
        texts(tokens, &mut named);
        if tokens.iter().any(|it| it.is_ident("required")) {
            let is_field = |name: &&String| {
                variant.fields.iter().any(|field| {
                    let mut own = Vec::new();
                    said(&field.attributes)
                        .unwrap_or_default()
                        .iter()
                        .filter(|it| it.name == "id" || it.name == "name")
                        .for_each(|it| texts(&it.value, &mut own));
                    own.contains(name) || field.name.as_ref().is_some_and(|it| it.is_ident(name))
                })
            };
            required = named.iter().find(is_field).cloned();
        }
        absent.extend(named.into_iter().filter(|it| Some(it) != required.as_ref()));
    }
    let fields: Vec<Made> = variant
        .fields
        .iter()
        .enumerate()
        .map(|(index, field)| made(field, index, &absent, required.as_ref(), variant.fields.len(), quote))
        .collect();
    let mut text = String::new();
    for (index, field) in fields.iter().enumerate() {
        let excludes = |one: &Made, other: &Made| one.excluded.iter().any(|it| other.names.contains(it));
        let others = fields[..index].iter().filter(|it| excludes(it, field) || excludes(field, it));
        let others: Vec<String> = others.map(|it| it.given.clone().unwrap_or_else(|| "true".to_owned())).collect();
        let value = &field.value;
        let ty = quote.of(&variant.fields[index].ty);
        text += &match (&field.absent, others.is_empty()) {
            (Some(absent), false) => {
                format!("let __field_{index}: {ty} = if {} {{ {absent} }} else {{ {value} }};", others.join("||"))
            }
            _ => format!("let __field_{index}: {ty} = {value};"),
        };
    }
    let list = variant.fields.iter().enumerate().map(|(index, field)| match &field.name {
        Some(name) => format!("{}: __field_{index},", quote.of(std::slice::from_ref(name))),
        None => format!("__field_{index},"),
    });
    let list: String = list.collect();
    let value = match (variant.is_record, variant.is_unit) {
        (true, _) => format!("{path} {{ {list} }}"),
        (false, true) => path.to_owned(),
        (false, false) => format!("{path}({list})"),
    };
    format!("{{ {text} {value} }}")
}

/// The impl that makes values up, for a struct or an enum of subcommands.
pub(super) fn made_up<'a>(adt: &Adt<'a>, quote: &mut Quote<'a>) -> String {
    let mut variants = Vec::new();
    for variant in &adt.variants {
        if adt.is_enum && said(&variant.attributes).unwrap_or_default().iter().any(|it| it.name == "skip") {
            continue;
        }
        let path = match adt.is_enum {
            true => format!("Self::{}", quote.of(std::slice::from_ref(&variant.name))),
            false => "Self".to_owned(),
        };
        // The only field of a variant is a command of its own.
        let is_newtype = adt.is_enum && !variant.is_record && variant.fields.len() == 1;
        let is_external =
            || said(&variant.attributes).unwrap_or_default().iter().any(|it| it.name == "external_subcommand");
        variants.push(match is_newtype && !is_external() {
            true => {
                let ty = quote.of(&variant.fields[0].ty);
                format!("{path}(::std::__harness::Maker::<{ty}>::new().value(\"command\"))")
            }
            false => {
                let attributes = if adt.is_enum { &variant.attributes } else { &adt.attributes };
                made_variant(&path, variant, attributes, quote)
            }
        });
    }
    let count = variants.len();
    let body = match variants.as_slice() {
        [] => not_expanded("Subcommand"),
        [only] => only.clone(),
        all => {
            let arms: String = all.iter().enumerate().map(|(index, it)| format!("{index} => {it},")).collect();
            let last = not_expanded("Subcommand");
            format!("match ::std::__harness::choice(\"command\", \"which command\", {count}) {{ {arms} _ => {last} }}")
        }
    };
    format!(
        "__impl ::std::__harness::MadeUp for __type where __own {{ fn made_up() -> Self {{ \
         use ::std::__harness::MadeOtherwise as _; {body} }} }}"
    )
}
