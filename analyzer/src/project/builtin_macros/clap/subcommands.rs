//! Enums of subcommands.

use super::{
    super::{
        read::{Adt, Variant},
        tokens::Tree,
    },
    args::{Entry, augment, constructor, entries, keeping_heading, pattern, updates},
    item::{Item, Kind, Source, Version, argument},
};

/// A variant with its attributes.
struct Subcommand<'a> {
    item: Item,
    /// `Self::Name`.
    path: String,
    fields: Fields<'a>,
}

enum Fields<'a> {
    Unit,
    Named(Vec<Entry<'a>>),
    /// The only one, and its type.
    One(String),
    /// An external subcommand: the type of its words, which are a list.
    Words {
        ty: String,
        are_os: bool,
    },
}

/// What an enum implements.
pub(super) struct Bodies {
    pub(super) augment: String,
    pub(super) augment_for_update: String,
    pub(super) has_subcommand: String,
    pub(super) from_matches: String,
    pub(super) update: String,
}

pub(super) fn bodies<'a>(adt: &Adt<'a>, parent: &Item, source: &mut Source<'_, 'a>) -> Result<Bodies, String> {
    let all = adt.variants.iter().map(|it| subcommand(it, adt, parent, source)).collect::<Result<Vec<_>, _>>()?;
    let is_on_command_line = |it: &Subcommand<'_>| !matches!(it.item.kind, Kind::Skip(_));
    let all: Vec<Subcommand<'a>> = all.into_iter().filter(is_on_command_line).collect();
    let augmented = |is_update: bool| {
        let parts: String = all.iter().map(|it| it.augment(parent, is_update)).collect();
        format!("{{ {parts} __command }}")
    };
    Ok(Bodies {
        augment: augmented(false),
        augment_for_update: augmented(true),
        has_subcommand: has_subcommand(&all),
        from_matches: from_matches(&all, source.version)?,
        update: update(&all)?,
    })
}

fn subcommand<'a>(
    variant: &Variant<'a>,
    adt: &Adt<'a>,
    parent: &Item,
    source: &mut Source<'_, 'a>,
) -> Result<Subcommand<'a>, String> {
    let item = Item::of_variant(Kind::Command, variant, parent, source)?;
    let is_external = item.kind == Kind::ExternalSubcommand;
    let fields = match variant.fields.as_slice() {
        _ if matches!(item.kind, Kind::Skip(_)) || variant.is_unit => Fields::Unit,
        fields if variant.is_record => Fields::Named(entries(fields, &item, source)?),
        [only] if is_external => {
            let word: Vec<Tree<'a>> = argument(&only.ty, "Vec").ok_or("the type of an external subcommand")?;
            Fields::Words { ty: source.quote.of(&word), are_os: word.iter().any(|it| it.is_ident("OsString")) }
        }
        [only] => Fields::One(source.quote.of(&only.ty)),
        _ => return Err("a subcommand with several fields without names".to_owned()),
    };
    let is_newtype = matches!(fields, Fields::One(_) | Fields::Words { .. });
    if !is_newtype && matches!(item.kind, Kind::Flatten | Kind::ExternalSubcommand) {
        return Err("the form of a flattened or external subcommand".to_owned());
    }
    Ok(Subcommand { item, path: adt.path(variant, source.quote), fields })
}

impl Subcommand<'_> {
    /// Whether it has a name of its own.
    fn is_named(&self) -> bool {
        matches!(self.item.kind, Kind::Command | Kind::Subcommand)
    }

    /// Adds it to `__command`.
    fn augment(&self, parent: &Item, is_update: bool) -> String {
        let item = &self.item;
        let for_update = if is_update { "_for_update" } else { "" };
        let before = item.before();
        match (&item.kind, &self.fields) {
            (_, Fields::Words { are_os, .. }) if item.version == Version::Three => {
                let os = if *are_os { ".allow_invalid_utf8_for_external_subcommands(true)" } else { "" };
                format!("__command = __command.allow_external_subcommands(true){os};")
            }
            (_, Fields::Words { ty: word, .. }) => {
                format!("__command = __command.external_subcommand_value_parser(clap::value_parser!({word}));")
            }
            (Kind::Flatten, Fields::One(ty)) => {
                let text = format!(
                    "__command = __command {before}; \
                     __command = <{ty} as clap::Subcommand>::augment_subcommands{for_update}(__command);"
                );
                match item.version {
                    Version::Three => keeping_heading("__command", &text),
                    Version::Four => text,
                }
            }
            (kind, fields) => {
                let is_group = *kind == Kind::Subcommand;
                let usual = if is_group { item.version.requires_subcommand() } else { "" };
                let update = if is_group && is_update { item.version.requires_no_subcommand() } else { "" };
                let inside = match fields {
                    Fields::Named(entries) => augment(entries, "__sub", item, is_update),
                    Fields::One(ty) if is_group => {
                        format!("<{ty} as clap::Subcommand>::augment_subcommands{for_update}(__sub)")
                    }
                    Fields::One(ty) => format!("<{ty} as clap::Args>::augment_args{for_update}(__sub)"),
                    Fields::Unit | Fields::Words { .. } => "__sub".to_owned(),
                };
                let inside = match parent.is_deferred && !is_group {
                    true => format!("__sub.defer(|mut __sub| {{ {inside} }})"),
                    false => inside,
                };
                format!(
                    "__command = __command.subcommand({{ let mut __sub = clap::Command::new({}) {usual} {before}; \
                     __sub = {inside}; __sub {} {update} }});",
                    item.cased_name(),
                    item.own()
                )
            }
        }
    }

    /// The type of a flattened enum.
    fn flattened(&self) -> Option<&String> {
        match (&self.item.kind, &self.fields) {
            (Kind::Flatten, Fields::One(ty)) => Some(ty),
            _ => None,
        }
    }
}

fn has_subcommand(all: &[Subcommand<'_>]) -> String {
    if all.iter().any(|it| it.item.kind == Kind::ExternalSubcommand) {
        return "true".to_owned();
    }
    let named = all.iter().filter(|it| it.is_named()).map(|it| format!("{} == __name ||", it.item.cased_name()));
    let flattened = all.iter().filter_map(Subcommand::flattened);
    let flattened = flattened.map(|ty| format!("<{ty} as clap::Subcommand>::has_subcommand(__name) ||"));
    named.chain(flattened).chain(["false".to_owned()]).collect()
}

fn from_matches(all: &[Subcommand<'_>], version: Version) -> Result<String, String> {
    let ok = "return ::core::result::Result::Ok";
    let mut flattened = String::new();
    let mut named = String::new();
    let error = |kind: &str, text: &str| format!("::core::result::Result::Err(clap::Error::raw(clap::{kind}, {text}))");
    let mut otherwise = match version {
        Version::Three => error(
            "ErrorKind::UnrecognizedSubcommand",
            "::std::format!(\"The subcommand '{}' wasn't recognized\", __name)",
        ),
        Version::Four => error(
            "error::ErrorKind::InvalidSubcommand",
            "::std::format!(\"the subcommand '{}' wasn't recognized\", __name)",
        ),
    };
    let missing = match version {
        Version::Three => {
            error("ErrorKind::MissingSubcommand", "\"A subcommand is required but one was not provided.\"")
        }
        Version::Four => {
            error("error::ErrorKind::MissingSubcommand", "\"a subcommand is required but one was not provided\"")
        }
    };
    // An external subcommand has the id \"\".
    let (is_own, words) = match version {
        Version::Three => ("", ".into_iter().flatten()"),
        Version::Four => ("&& !__matches.contains_id(\"\")", ".unwrap()"),
    };
    for subcommand in all {
        let path = &subcommand.path;
        let value = match &subcommand.fields {
            Fields::Words { ty: word, .. } => {
                otherwise = format!(
                    "::core::result::Result::Ok({path}(::core::iter::once({word}::from(__name))\
                     .chain(__matches.remove_many::<{word}>(\"\"){words}.map({word}::from))\
                     .collect::<::std::vec::Vec<_>>()))"
                );
                continue;
            }
            Fields::Unit => path.clone(),
            Fields::Named(entries) => format!("{path} {{ {} }}", constructor(entries)?),
            Fields::One(ty) => format!("{path}(<{ty} as clap::FromArgMatches>::from_arg_matches_mut(__matches)?)"),
        };
        match subcommand.flattened() {
            Some(ty) => {
                flattened += &format!(
                    "if __matches.subcommand_name().map(|__name| <{ty} as clap::Subcommand>::has_subcommand(__name))\
                     .unwrap_or_default() {{ {ok}({value}); }}"
                );
            }
            None => {
                let name = subcommand.item.cased_name();
                named += &format!("if __name == {name} {is_own} {{ {ok}({value}); }}");
            }
        }
    }
    Ok(format!(
        "{flattened} if let ::core::option::Option::Some((__name, mut __of_subcommand)) = __matches.remove_subcommand() {{ \
         let __matches = &mut __of_subcommand; {named} {otherwise} }} else {{ {missing} }}"
    ))
}

fn update(all: &[Subcommand<'_>]) -> Result<String, String> {
    let mut arms = String::new();
    for Subcommand { item, path, fields } in all.iter().filter(|it| it.is_named()) {
        let (pattern, update) = match fields {
            Fields::Named(entries) => (format!("{path} {{ {} }}", pattern(entries)), updates(entries, false)?),
            Fields::One(_) => (
                format!("{path}(__inside)"),
                "clap::FromArgMatches::update_from_arg_matches_mut(__inside, __matches)?;".to_owned(),
            ),
            Fields::Unit | Fields::Words { .. } => (path.clone(), String::new()),
        };
        arms += &format!(
            "{pattern} if {} == __name => {{ let (_, mut __of_subcommand) = __matches.remove_subcommand().unwrap(); \
             let __matches = &mut __of_subcommand; {update} }}",
            item.cased_name()
        );
    }
    let mut flattened = String::new();
    for subcommand in all {
        let Some(ty) = subcommand.flattened() else { continue };
        flattened += &format!(
            "if <{ty} as clap::Subcommand>::has_subcommand(__name) {{ if let {}(__inside) = __own_value {{ \
             <{ty} as clap::FromArgMatches>::update_from_arg_matches_mut(__inside, __matches)?; \
             return ::core::result::Result::Ok(()); }} }}",
            subcommand.path
        );
    }
    Ok(format!(
        "if let ::core::option::Option::Some(__name) = __matches.subcommand_name() {{ match self {{ {arms} \
         __own_value => {{ {flattened} *__own_value = <Self as clap::FromArgMatches>::from_arg_matches_mut(__matches)?; }} \
         }} }} ::core::result::Result::Ok(())"
    ))
}
