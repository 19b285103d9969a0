//! Fields: the arguments of a command, and how their values become fields.

use super::{
    super::read::Field,
    item::{Item, Kind, Shape, Source, Type, Version},
    three::Argument,
};

/// A field, with texts for the tokens of its parts.
pub(super) struct Entry<'a> {
    item: Item,
    ty: Type<'a>,
    name: String,
    /// The type to which a value is converted.
    inner: String,
    /// The type of a subcommand or of flattened arguments.
    command: String,
}

pub(super) fn entries<'a>(
    fields: &[Field<'a>],
    parent: &Item,
    source: &mut Source<'_, 'a>,
) -> Result<Vec<Entry<'a>>, String> {
    let entry = |field: &Field<'a>| {
        let ty = Type::new(&field.ty);
        let item = Item::of_field(field, &ty, parent, source)?;
        let name = source.quote.of(field.name.as_slice());
        let inner = source.quote.of(&ty.inner);
        let command = source.quote.of(&ty.command);
        Ok(Entry { item, ty, name, inner, command })
    };
    fields.iter().map(entry).collect()
}

/// Adds the arguments to the command in a variable.
pub(super) fn augment(entries: &[Entry<'_>], command: &str, parent: &Item, is_update: bool) -> String {
    let mut text = String::new();
    if parent.has_group && parent.version == Version::Four {
        let is_arg = |it: &&Entry<'_>| it.item.kind == Kind::Arg;
        // clap cannot check groups in groups.
        let is_nested = entries.iter().any(|it| it.item.kind == Kind::Flatten);
        let members = entries.iter().filter(is_arg).filter(|_| !is_nested);
        let members: Vec<String> = members.map(|it| format!("clap::Id::from({}),", it.item.name.id())).collect();
        text += &format!(
            "{command} = {command}.group(clap::ArgGroup::new({}).multiple(true) {} .args({{ \
             let __members: [clap::Id; {}] = [{}]; __members }}));",
            parent.group.id(),
            parent.of_group(),
            members.len(),
            members.concat()
        );
    }
    let is_last = |it: &&Entry<'_>| it.item.version == Version::Three && it.item.kind == Kind::Subcommand;
    let others = entries.iter().filter(|it| !is_last(it));
    text.extend(others.chain(entries.iter().filter(is_last)).map(|it| it.augment(command, is_update)));
    format!("{{ {text} {command} }}")
}

impl Entry<'_> {
    fn augment(&self, command: &str, is_update: bool) -> String {
        let ty = &self.command;
        let is_option = self.ty.shape == Shape::Option;
        match self.item.kind {
            Kind::Subcommand => {
                let version = self.item.version;
                let is_short = is_update && version == Version::Three;
                let function = if is_short { "augment_subcommands_for_update" } else { "augment_subcommands" };
                let usual = if is_option || is_short { "" } else { version.requires_subcommand() };
                let update = if is_update { version.requires_no_subcommand() } else { "" };
                format!(
                    "{command} = <{ty} as clap::Subcommand>::{function}({command}); \
                     {command} = {command} {usual} {update};"
                )
            }
            Kind::Flatten => {
                let has_group = match is_option {
                    true => {
                        let expected = "\"cannot `#[flatten]` an `Option<Args>` with `#[group(skip)]`\"";
                        format!("let _ = <{ty} as clap::Args>::group_id().expect({expected});")
                    }
                    false => String::new(),
                };
                let function = if is_update { "augment_args_for_update" } else { "augment_args" };
                let before = self.item.before();
                let text =
                    format!("{command} = {command} {before}; {command} = <{ty} as clap::Args>::{function}({command});");
                match self.item.version {
                    Version::Three => keeping_heading(command, &text),
                    Version::Four => format!("{has_group} {text}"),
                }
            }
            Kind::Arg if self.item.version == Version::Three => format!(
                "{command} = {command}.arg({{ let __arg = clap::Arg::new({}) {}; __arg {} }});",
                self.item.id(),
                Argument::new(&self.item, &self.ty, &self.inner).calls(is_update),
                self.item.own()
            ),
            Kind::Arg => {
                let Entry { item, .. } = self;
                let action = item.action(&self.ty);
                let number = match self.ty.shape {
                    Shape::OptionOption => ".num_args(0..=1)".to_owned(),
                    Shape::Vec | Shape::OptionVec if item.is_positional => ".num_args(1..)".to_owned(),
                    Shape::Other => format!(".required({} && {action}.takes_values())", !item.has_default()),
                    _ => String::new(),
                };
                let parser = match self.ty.shape {
                    Shape::Unit => String::new(),
                    _ => format!(".value_parser({})", item.value_parser(&self.inner)),
                };
                let update = if is_update { "__arg = __arg.required(false);" } else { "" };
                format!(
                    "{command} = {command}.arg({{ \
                     let mut __arg = clap::Arg::new({}).value_name({}) {number} {parser} .action({action}); \
                     __arg = __arg {}; {update} __arg }});",
                    item.name.id(),
                    item.value_name(),
                    item.own(),
                )
            }
            _ => String::new(),
        }
    }

    /// The value from the matches. `old` is the value that is updated.
    fn value(&self, old: Option<&str>) -> Result<String, String> {
        let Entry { item, inner, command, .. } = self;
        let id = item.id();
        if item.version == Version::Three
            && matches!(item.kind, Kind::Arg | Kind::FromGlobal)
            && let Some(value) = Argument::new(item, &self.ty, inner).value(old)
        {
            return Ok(value);
        }
        let from = format!("<{command} as clap::FromArgMatches>::from_arg_matches_mut(__matches)?");
        let some = "::core::option::Option::Some";
        let none = "::core::option::Option::None";
        let many = format!(
            "__matches.remove_many::<{inner}>({id}).map(|__values| __values.collect::<::std::vec::Vec<_>>())\
             .unwrap_or_else(::std::vec::Vec::new)"
        );
        Ok(match (&item.kind, self.ty.shape) {
            (Kind::Subcommand, Shape::Option) => format!(
                "if __matches.subcommand_name().map(<{command} as clap::Subcommand>::has_subcommand).unwrap_or(false) \
                 {{ {some}({from}) }} else {{ {none} }}"
            ),
            (Kind::Flatten, Shape::Option) => format!(
                "{{ let __group = <{command} as clap::Args>::group_id().expect(\"asserted during `Arg` creation\"); \
                 if __matches.contains_id(__group.as_str()) {{ {some}({from}) }} else {{ {none} }} }}"
            ),
            (Kind::Subcommand | Kind::Flatten, Shape::Other) => from,
            (Kind::Skip(None), _) => "::core::default::Default::default()".to_owned(),
            (Kind::Skip(Some(value)), _) => format!("({value}).into()"),
            (Kind::Arg | Kind::FromGlobal, shape) => match shape {
                Shape::Unit => "()".to_owned(),
                Shape::Option => format!("__matches.remove_one::<{inner}>({id})"),
                Shape::OptionOption => format!(
                    "if __matches.contains_id({id}) {{ {some}(__matches.remove_one::<{inner}>({id})) }} else {{ {none} }}"
                ),
                Shape::OptionVec => {
                    format!("if __matches.contains_id({id}) {{ {some}({many}) }} else {{ {none} }}")
                }
                Shape::Vec => many,
                Shape::Other => {
                    format!("__matches.remove_one::<{inner}>({id}).ok_or_else(|| {})?", item.version.is_missing(&id))
                }
            },
            _ => return Err("an attribute that does not fit the type of its field".to_owned()),
        })
    }

    /// Updates the field in the variable of its name, a reference.
    fn update(&self) -> Result<String, String> {
        let Entry { item, command, name, .. } = self;
        let matches = "__matches)?;";
        Ok(match (&item.kind, self.ty.shape) {
            (Kind::Skip(_), _) => String::new(),
            (Kind::Subcommand | Kind::Flatten, Shape::Option) => format!(
                "if let ::core::option::Option::Some({name}) = {name}.as_mut() {{ \
                 <{command} as clap::FromArgMatches>::update_from_arg_matches_mut({name}, {matches} }} else {{ \
                 *{name} = ::core::option::Option::Some(<{command} as clap::FromArgMatches>::from_arg_matches_mut(__matches)?); }}"
            ),
            (Kind::Subcommand | Kind::Flatten, _) => {
                format!("<{command} as clap::FromArgMatches>::update_from_arg_matches_mut({name}, {matches}")
            }
            _ => {
                format!("if __matches.contains_id({}) {{ *{name} = {}; }}", item.id(), self.value(Some(name))?)
            }
        })
    }
}

/// Extends a command in clap 3, where the heading of what follows stays as it was.
pub(super) fn keeping_heading(command: &str, extend: &str) -> String {
    format!(
        "let __heading = {command}.get_next_help_heading(); {extend} {command} = {command}.next_help_heading(__heading);"
    )
}

/// The fields of a struct expression, each from the matches.
pub(super) fn constructor(entries: &[Entry<'_>]) -> Result<String, String> {
    entries.iter().map(|it| Ok(format!("{}: {},", it.name, it.value(None)?))).collect()
}

/// Updates the fields, of `self` or those in variables of their names.
pub(super) fn updates(entries: &[Entry<'_>], are_of_self: bool) -> Result<String, String> {
    let update = |it: &Entry<'_>| {
        let name = &it.name;
        let bound = if are_of_self { format!("let {name} = &mut self.{name};") } else { String::new() };
        Ok(match it.update()? {
            none if none.is_empty() => none,
            update => format!("{{ {bound} {update} }}"),
        })
    };
    entries.iter().map(update).collect()
}

/// The pattern that binds all fields.
pub(super) fn pattern(entries: &[Entry<'_>]) -> String {
    entries.iter().map(|it| format!("{},", it.name)).collect()
}
