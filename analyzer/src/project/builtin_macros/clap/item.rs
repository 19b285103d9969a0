//! Reads clap's attributes of a struct, enum, variant or field.

use super::{
    super::{
        case::converted,
        functions::{Argument, arguments},
        read::{Field, Variant},
        tokens::{Quote, Tree, parts, trees},
    },
    defaults::{Form, default_value, default_values},
    docs,
    three::Conversion,
};
use ra_ap_base_db::Env;
use ra_ap_tt::DelimiterKind;

/// The version of clap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Three,
    Four,
}

impl Version {
    /// The lifetime that functions declare, and the type of commands.
    pub(super) fn command(self) -> [&'static str; 2] {
        match self {
            Version::Three => ["<'__help>", "clap::Command<'__help>"],
            Version::Four => ["", "clap::Command"],
        }
    }

    /// Calls that make a subcommand necessary.
    pub(super) fn requires_subcommand(self) -> &'static str {
        match self {
            Version::Three => ".setting(clap::AppSettings::SubcommandRequiredElseHelp)",
            Version::Four => ".subcommand_required(true).arg_required_else_help(true)",
        }
    }

    /// The same for an update: it is not.
    pub(super) fn requires_no_subcommand(self) -> &'static str {
        match self {
            Version::Three => "",
            Version::Four => ".subcommand_required(false).arg_required_else_help(false)",
        }
    }

    /// The error for a value that is not there.
    pub(super) fn is_missing(self, id: &str) -> String {
        let (path, the) = match self {
            Version::Three => ("clap::ErrorKind", "The"),
            Version::Four => ("clap::error::ErrorKind", "the"),
        };
        format!(
            "clap::Error::raw({path}::MissingRequiredArgument, \
             ::std::format!(\"{the} following required argument was not provided: {{}}\", {id}))"
        )
    }
}

/// The context in which an item is read.
pub(super) struct Source<'s, 'a> {
    pub(super) version: Version,
    pub(super) quote: &'s mut Quote<'a>,
    /// The variables of the package.
    pub(super) env: &'s Env,
}

/// A text as the source code of its literal. Names that [`Adt::filled`] replaces do not occur in it.
///
/// [`Adt::filled`]: super::super::read::Adt::filled
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}").replace("__", "\\u{5f}\\u{5f}")
}

/// The shapes of types that clap treats differently.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Unit,
    Vec,
    Option,
    OptionOption,
    OptionVec,
    Other,
}

/// A type with its form.
pub(super) struct Type<'a> {
    pub(super) shape: Shape,
    pub(super) tokens: Vec<Tree<'a>>,
    /// The type to which a value on the command line is converted.
    pub(super) inner: Vec<Tree<'a>>,
    /// The only argument, or the type itself unless it is an `Option`.
    pub(super) command: Vec<Tree<'a>>,
}

impl<'a> Type<'a> {
    pub(super) fn new(tokens: &[Tree<'a>]) -> Type<'a> {
        let own = || tokens.to_vec();
        let of = |shape, inner: Vec<Tree<'a>>, command| Type { shape, tokens: own(), inner, command };
        let is_unit = |it: &Tree<'_>| it.group(DelimiterKind::Parenthesis).is_some_and(|it| trees(it).is_empty());
        if matches!(ungrouped(tokens).as_slice(), [only] if is_unit(only)) {
            return of(Shape::Unit, own(), own());
        }
        if let Some(inner) = argument(tokens, "Vec") {
            return of(Shape::Vec, inner, own());
        }
        let Some(inner) = argument(tokens, "Option") else { return of(Shape::Other, own(), own()) };
        match (argument(&inner, "Option"), argument(&inner, "Vec")) {
            (Some(innermost), _) => of(Shape::OptionOption, innermost, own()),
            (None, Some(innermost)) => of(Shape::OptionVec, innermost, own()),
            (None, None) => of(Shape::Option, inner.clone(), inner),
        }
    }

    pub(super) fn is_bool(&self) -> bool {
        matches!(ungrouped(&self.tokens).as_slice(), [only] if only.is_ident("bool"))
    }
}

/// A type without the invisible groups of a macro around it.
fn ungrouped<'a>(ty: &[Tree<'a>]) -> Vec<Tree<'a>> {
    match ty {
        [only] => match only.group(DelimiterKind::Invisible) {
            Some(inside) => ungrouped(&trees(inside)),
            None => ty.to_vec(),
        },
        _ => ty.to_vec(),
    }
}

/// The only argument of a type that is this name, without a path.
pub(super) fn argument<'a>(ty: &[Tree<'a>], name: &str) -> Option<Vec<Tree<'a>>> {
    match ungrouped(ty).as_slice() {
        [first, open, inside @ .., close] if first.is_ident(name) && open.is_punct('<') && close.is_punct('>') => {
            let is_one = parts(inside).len() == 1 && !inside[0].is_punct('\'');
            is_one.then(|| parts(inside)[0].to_vec())
        }
        _ => None,
    }
}

/// How a name is written.
#[derive(Clone, Copy)]
pub(super) enum Casing {
    /// A style of heck.
    Style(&'static str),
    /// A style of heck, without the separators.
    Joined(&'static str),
    Verbatim,
}

impl Casing {
    const COMMAND_LINE: Casing = Casing::Style("kebab-case");
    const VARIABLE: Casing = Casing::Style("SCREAMING_SNAKE_CASE");

    fn of(text: &str) -> Option<Casing> {
        let plain: String = text.chars().filter(|it| it.is_alphanumeric()).collect::<String>().to_lowercase();
        Some(match plain.strip_suffix("case").unwrap_or(&plain) {
            "camel" => Casing::Style("camelCase"),
            "kebab" => Casing::Style("kebab-case"),
            "pascal" => Casing::Style("PascalCase"),
            "screamingsnake" => Casing::Style("SCREAMING_SNAKE_CASE"),
            "snake" => Casing::Style("snake_case"),
            "lower" => Casing::Joined("snake_case"),
            "upper" => Casing::Joined("SCREAMING_SNAKE_CASE"),
            "verbatim" => Casing::Verbatim,
            _ => return None,
        })
    }

    fn apply(self, name: &str) -> String {
        match self {
            Casing::Style(style) => converted(name, style).unwrap_or_default(),
            Casing::Joined(style) => converted(name, style).unwrap_or_default().replace('_', ""),
            Casing::Verbatim => name.to_owned(),
        }
    }
}

/// A name on the command line.
#[derive(Clone)]
pub(super) enum Name {
    /// The name in the source.
    Derived(String),
    /// An expression.
    Assigned(String),
}

impl Name {
    /// An expression for the name as it is.
    pub(super) fn id(&self) -> String {
        match self {
            Name::Derived(name) => literal(name),
            Name::Assigned(value) => value.clone(),
        }
    }

    fn cased(&self, casing: Casing) -> String {
        match self {
            Name::Derived(name) => literal(&casing.apply(name)),
            Name::Assigned(value) => value.clone(),
        }
    }

    fn first_char(&self, casing: Casing) -> String {
        match self {
            Name::Derived(name) => format!("{:?}", casing.apply(name).chars().next().unwrap_or_default()),
            Name::Assigned(value) => format!("({value}).chars().next().unwrap()"),
        }
    }
}

/// A slice of texts from an iterator over them. The slice lives as long as the program.
fn leaked(texts: &str) -> String {
    format!("&*::std::boxed::Box::leak({{ {texts} }}.collect::<::std::boxed::Box<[_]>>())")
}

/// A call of a method of clap's.
struct Method {
    name: String,
    args: String,
}

fn calls<'m>(methods: impl IntoIterator<Item = &'m Method>) -> String {
    methods.into_iter().map(|Method { name, args }| format!(".{name}({args})")).collect()
}

/// The role of a field or variant.
#[derive(PartialEq, Eq)]
pub(super) enum Kind {
    /// An option or argument.
    Arg,
    /// A struct, enum or variant: a command.
    Command,
    /// A possible value.
    Value,
    FromGlobal,
    Subcommand,
    Flatten,
    /// Not on the command line, with its value.
    Skip(Option<String>),
    ExternalSubcommand,
}

/// The attributes of an item.
pub(super) struct Item {
    pub(super) version: Version,
    pub(super) kind: Kind,
    pub(super) name: Name,
    /// How names of fields and variants in it are written.
    pub(super) casing: Casing,
    pub(super) env_casing: Casing,
    methods: Vec<Method>,
    documentation: Vec<Method>,
    value_parser: Option<String>,
    action: Option<String>,
    /// Whether a value parser or an action is asked for.
    pub(super) is_made_by_clap: bool,
    /// What `parse` of clap 3 says.
    pub(super) conversion: Option<Conversion>,
    /// Whether the type is a `ValueEnum`, as an attribute says.
    pub(super) is_enum: bool,
    is_verbatim: bool,
    asks_for_long: bool,
    /// Calls that come before the arguments.
    next: Vec<Method>,
    pub(super) is_positional: bool,
    pub(super) has_group: bool,
    pub(super) group: Name,
    group_methods: Vec<Method>,
    pub(super) is_deferred: bool,
}

impl Item {
    fn new(version: Version, kind: Kind, name: Name, ident: &Tree<'_>, [casing, env_casing]: [Casing; 2]) -> Item {
        Item {
            version,
            kind,
            name,
            casing,
            env_casing,
            methods: Vec::new(),
            documentation: Vec::new(),
            value_parser: None,
            action: None,
            is_made_by_clap: false,
            conversion: None,
            is_enum: false,
            is_verbatim: false,
            asks_for_long: false,
            next: Vec::new(),
            is_positional: true,
            has_group: true,
            group: Name::Derived(ident.ident().unwrap_or_default().to_owned()),
            group_methods: Vec::new(),
            is_deferred: false,
        }
    }

    /// A struct or enum with this name.
    pub(super) fn of_type<'a>(
        kind: Kind,
        name: Name,
        ident: &Tree<'a>,
        attributes: &[Vec<Tree<'a>>],
        source: &mut Source<'_, 'a>,
    ) -> Result<Item, String> {
        let mut item = Item::new(source.version, kind, name, ident, [Casing::COMMAND_LINE, Casing::VARIABLE]);
        item.read(attributes, None, source)?;
        if item.kind == Kind::Command {
            item.document(attributes, ["about", "long_about"]);
        }
        Ok(item)
    }

    /// A subcommand or possible value.
    pub(super) fn of_variant<'a>(
        kind: Kind,
        variant: &Variant<'a>,
        parent: &Item,
        source: &mut Source<'_, 'a>,
    ) -> Result<Item, String> {
        let name = Name::Derived(variant.name.ident().unwrap_or_default().to_owned());
        let mut item = Item::new(source.version, kind, name, &variant.name, [parent.casing, parent.env_casing]);
        item.read(&variant.attributes, None, source)?;
        match item.kind {
            Kind::Command | Kind::Subcommand => item.document(&variant.attributes, ["about", "long_about"]),
            Kind::Value => {
                item.document(&variant.attributes, ["help", "long_help"]);
                item.documentation.truncate(1);
            }
            _ => {}
        }
        Ok(item)
    }

    pub(super) fn of_field<'a>(
        field: &Field<'a>,
        ty: &Type<'a>,
        parent: &Item,
        source: &mut Source<'_, 'a>,
    ) -> Result<Item, String> {
        let ident = field.name.as_ref().ok_or("a field without name")?;
        let name = Name::Derived(ident.ident().unwrap_or_default().to_owned());
        let mut item = Item::new(source.version, Kind::Arg, name, ident, [parent.casing, parent.env_casing]);
        item.read(&field.attributes, Some(ty), source)?;
        if item.kind == Kind::Arg {
            item.document(&field.attributes, ["help", "long_help"]);
        }
        Ok(item)
    }

    fn document(&mut self, attributes: &[Vec<Tree<'_>>], [short_name, long_name]: [&str; 2]) {
        let Some((short, long)) = docs::forms(attributes, self.is_verbatim, self.asks_for_long) else { return };
        let none = "::core::option::Option::<&'static str>::None".to_owned();
        let long = long.map_or(none, |it| literal(&it));
        self.documentation = vec![
            Method { name: short_name.to_owned(), args: literal(&short) },
            Method { name: long_name.to_owned(), args: long },
        ];
    }

    fn read<'a>(
        &mut self,
        attributes: &[Vec<Tree<'a>>],
        ty: Option<&Type<'a>>,
        source: &mut Source<'_, 'a>,
    ) -> Result<(), String> {
        let own = ["clap", "structopt", "command", "group", "arg", "value"];
        let mut all: Vec<(&str, Argument<'a>)> = Vec::new();
        for attribute in attributes {
            let name = own.into_iter().find(|name| attribute[0].is_ident(name));
            let (Some(name), [_, group]) = (name, attribute.as_slice()) else { continue };
            let inside = group.group(DelimiterKind::Parenthesis).map(trees).ok_or("an attribute")?;
            let arguments = arguments(&inside).ok_or_else(|| format!("an argument of `{name}`"))?;
            all.extend(arguments.into_iter().map(|it| (name, it)));
        }
        for (attribute, argument) in &all {
            let is_bare = argument.value.is_empty();
            match argument.name.as_str() {
                _ if argument.inside.is_some() => {}
                "from_global" => self.kind = Kind::FromGlobal,
                "subcommand" if is_bare => self.kind = Kind::Subcommand,
                "external_subcommand" if is_bare => self.kind = Kind::ExternalSubcommand,
                "flatten" if is_bare => self.kind = Kind::Flatten,
                "skip" if *attribute != "group" => {
                    self.kind = Kind::Skip((!is_bare).then(|| source.quote.of(&argument.value)));
                }
                _ => {}
            }
        }
        self.is_enum = all.iter().any(|(_, it)| it.name == "value_enum" || it.name == "arg_enum");
        for (attribute, argument) in &all {
            self.push(attribute, argument, ty, source)?;
        }
        Ok(())
    }

    /// Does what one argument of an attribute says.
    fn push<'a>(
        &mut self,
        attribute: &str,
        argument: &Argument<'a>,
        ty: Option<&Type<'a>>,
        source: &mut Source<'_, 'a>,
    ) -> Result<(), String> {
        let name = argument.name.as_str();
        let needs_value = || format!("`{name}` without a value");
        let form = if self.is_enum { Form::Enum } else { Form::Text };
        let os_form = if self.is_enum { Form::Enum } else { Form::Os };
        if let Some(inside) = &argument.inside {
            if self.version == Version::Three && name == "parse" {
                self.conversion = Some(Conversion::read(inside, source.quote).ok_or("an argument of `parse`")?);
                return Ok(());
            }
            let args = source.quote.of(inside);
            self.call(attribute, name, args);
            return Ok(());
        }
        let value = (!argument.value.is_empty()).then(|| source.quote.of(&argument.value));
        let style = || {
            let text = argument.value.first().and_then(Tree::string).ok_or_else(needs_value)?;
            Casing::of(&text).ok_or_else(|| format!("the style `{text}`"))
        };
        match (name, value) {
            ("short", None) => self.call(attribute, name, self.name.first_char(self.casing)),
            ("long", None) => self.call(attribute, name, self.name.cased(self.casing)),
            ("env", None) => self.call(attribute, name, self.name.cased(self.env_casing)),
            ("value_parser" | "action", None) => self.is_made_by_clap = true,
            ("value_enum" | "arg_enum", None) => {}
            ("verbatim_doc_comment", None) => self.is_verbatim = true,
            ("long_about" | "long_help", None) => self.asks_for_long = true,
            ("about", None) => self.of_package(name, "CARGO_PKG_DESCRIPTION", source.env)?,
            ("author", None) => self.of_package(name, "CARGO_PKG_AUTHORS", source.env)?,
            ("version", None) => self.of_package(name, "CARGO_PKG_VERSION", source.env)?,
            ("default_value_t" | "default_value_os_t", value) => {
                let ty = source.quote.of(&ty.ok_or("a default outside of a field")?.tokens);
                let value = value.unwrap_or_else(|| format!("<{ty} as ::core::default::Default>::default()"));
                let form = if name == "default_value_t" { form } else { os_form };
                let args = default_value(form, &ty, &value);
                let is_os = self.version == Version::Three && name == "default_value_os_t";
                let name = if is_os { "default_value_os" } else { "default_value" };
                let args = if is_os { format!("::std::ffi::OsStr::new({args})") } else { args };
                self.methods.push(Method { name: name.to_owned(), args });
            }
            ("default_values_t" | "default_values_os_t", value) => {
                let inner = source.quote.of(&ty.ok_or("a default outside of a field")?.inner);
                let form = if name == "default_values_t" { form } else { os_form };
                let args = default_values(form, &inner, &value.ok_or_else(needs_value)?);
                let (name, args) = match self.version {
                    Version::Four => ("default_values", args),
                    Version::Three if form == Form::Os => ("default_values_os", leaked(&args)),
                    Version::Three if name == "default_values_os_t" => {
                        return Err("an enum as a text of the system".to_owned());
                    }
                    Version::Three => ("default_values", leaked(&args)),
                };
                self.methods.push(Method { name: name.to_owned(), args });
            }
            ("help_heading", Some(value))
                if self.version == Version::Three && (ty.is_none() || self.kind == Kind::Flatten) =>
            {
                self.next.push(Method { name: name.to_owned(), args: value });
            }
            ("next_display_order" | "next_help_heading", value) => {
                self.next.retain(|it| it.name != name);
                self.next.push(Method { name: name.to_owned(), args: value.ok_or_else(needs_value)? });
            }
            ("rename_all", _) => self.casing = style()?,
            ("rename_all_env", _) => self.env_casing = style()?,
            ("skip", None) if attribute == "group" => self.has_group = false,
            ("defer", _) => self.is_deferred = argument.value.first().is_some_and(|it| it.is_ident("true")),
            ("from_global" | "skip", _) | ("subcommand" | "external_subcommand" | "flatten", None) => {}
            (_, Some(value)) => self.call(attribute, name, value),
            (_, None) => return Err(needs_value()),
        }
        Ok(())
    }

    /// A method of clap's that an attribute calls.
    fn call(&mut self, attribute: &str, name: &str, args: String) {
        let method = |args| Method { name: name.to_owned(), args };
        match (name, attribute) {
            ("id", "group") => self.group = Name::Assigned(args),
            (_, "group") => self.group_methods.push(method(args)),
            ("id" | "name", _) => self.name = Name::Assigned(args),
            ("value_parser", _) => (self.value_parser, self.is_made_by_clap) = (Some(args), true),
            ("action", _) => (self.action, self.is_made_by_clap) = (Some(args), true),
            _ => {
                self.is_positional &= name != "short" && name != "long";
                self.methods.push(method(args));
            }
        }
    }

    /// A method that gets what the package's manifest says, if that is not empty.
    fn of_package(&mut self, name: &str, variable: &str, env: &Env) -> Result<(), String> {
        let text = env.get(variable).ok_or_else(|| format!("`{name}` without `{variable}`"))?;
        if text.is_empty() {
            return Ok(());
        }
        let mut is_address = false;
        let separated = |char: char| {
            is_address = (is_address || char == '<') && char != '>';
            if char == ':' && !is_address { ", ".to_owned() } else { char.to_string() }
        };
        let text = if name == "author" { text.chars().map(separated).collect() } else { text };
        self.methods.push(Method { name: name.to_owned(), args: literal(&text) });
        Ok(())
    }

    /// Calls before the arguments of a command.
    pub(super) fn before(&self) -> String {
        calls(&self.next)
    }

    /// Method calls for the documentation and attributes of the command, argument or value.
    pub(super) fn own(&self) -> String {
        calls(self.documentation.iter().chain(&self.methods))
    }

    pub(super) fn of_group(&self) -> String {
        calls(&self.group_methods)
    }

    pub(super) fn cased_name(&self) -> String {
        self.name.cased(self.casing)
    }

    /// By which an argument is found.
    pub(super) fn id(&self) -> String {
        match self.version {
            Version::Three => self.cased_name(),
            Version::Four => self.name.id(),
        }
    }

    /// An expression for whether the case of possible values counts, in clap 3.
    pub(super) fn ignores_case(&self) -> &str {
        self.methods.iter().find(|it| it.name == "ignore_case").map_or("false", |it| &it.args)
    }

    pub(super) fn value_name(&self) -> String {
        self.name.cased(Casing::VARIABLE)
    }

    pub(super) fn has_default(&self) -> bool {
        self.methods.iter().any(|it| it.name == "default_value" || it.name == "default_value_os")
    }

    /// The parser of values of this type.
    pub(super) fn value_parser(&self, inner: &str) -> String {
        self.value_parser.clone().unwrap_or_else(|| format!("clap::value_parser!({inner})"))
    }

    pub(super) fn action(&self, ty: &Type<'_>) -> String {
        let usual = match ty.shape {
            Shape::Vec | Shape::OptionVec => "Append",
            Shape::Other if ty.is_bool() => "SetTrue",
            _ => "Set",
        };
        self.action.clone().unwrap_or_else(|| format!("clap::ArgAction::{usual}"))
    }
}
