//! Documents that a program's own types are read from: TOML and JSON for structs and enums that derive `Deserialize`. A
//! program that reads its configuration from a made-up file would otherwise seldom get further. They are made of the source
//! text alone: any text may lie in a file, so a document that does not fit is no wrong input.

mod shapes;

pub(super) use self::shapes::{Shape, Type, shapes_of};

use self::shapes::{Fields, Kind, Serde, Variant};
use super::builtin_macros::case::{serde_field, serde_variant};
use interp::rng::Rng;
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

/// How many documents are made for a type.
const PER_TYPE: u64 = 16;
/// One in so many of them is made by chance alone.
const BY_CHANCE: u64 = 4;
/// Maximum number of documents in one format.
const MOST: usize = 64;
/// Maximum number of documents that a README shows.
const MOST_SHOWN: usize = 8;
/// Maximum length of a document, in bytes.
const LONGEST: usize = 8 << 10;
/// Maximum length of a document in a README, with its comments.
const LONGEST_SHOWN: usize = 64 << 10;
/// Maximum number of values in a document: a longer one would not be used.
const MOST_VALUES: u32 = LONGEST as u32;
/// Names of fields with addresses to listen at.
const LISTENS: [&str; 2] = ["bind", "listen"];
/// Maximum number of sections that may be missing of which each alone makes a document.
const MOST_SECTIONS: usize = 3;
/// How deep documents are nested.
const DEEPEST: u32 = 8;

/// A format in which a program reads documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Toml,
    Json,
}

impl Format {
    /// The format that a crate of this name reads; JSON is YAML too.
    pub(super) fn of_crate(name: &str) -> Option<Format> {
        match name {
            "toml" | "toml_edit" | "basic_toml" => Some(Format::Toml),
            "serde_json" | "serde_yaml" | "serde_yml" | "serde_norway" | "json5" | "simd_json" => Some(Format::Json),
            _ => None,
        }
    }

    /// The same document without comments: reading them takes a program many steps. `None` if it is no document.
    fn without_comments(self, text: &str) -> Option<String> {
        match self {
            Format::Toml => toml::to_string(&toml::from_str::<toml::Table>(text).ok()?).ok(),
            Format::Json => serde_json::to_string(&serde_json::from_str::<Value>(text).ok()?).ok(),
        }
    }

    fn write(self, document: &Value) -> Option<String> {
        match self {
            Format::Toml => toml::to_string(document).ok(),
            Format::Json => serde_json::to_string(document).ok(),
        }
    }
}

/// The documents that a README shows: blocks of code in a format. Somebody wrote them for people to start from.
pub(super) fn shown_in(readme: &str) -> Vec<(Format, Box<[u8]>)> {
    let mut found: Vec<(Format, Box<[u8]>)> = Vec::new();
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.trim_start().strip_prefix("```").map(str::trim) else { continue };
        let is_inside = |it: &&str| it.trim_start() != "```";
        let text: String = lines.by_ref().take_while(is_inside).flat_map(|it| [it, "\n"]).collect();
        let format = match language {
            "toml" => Format::Toml,
            "json" => Format::Json,
            _ => continue,
        };
        if text.len() > LONGEST_SHOWN || found.len() == MOST_SHOWN {
            continue;
        }
        let text = format.without_comments(&text).filter(|it| (1..=LONGEST).contains(&it.len()));
        found.extend(text.map(|it| (format, it.into_bytes().into())));
    }
    found
}

/// The documents in one format for the types that no other type contains.
pub(super) fn documents(shapes: &[Shape], format: Format) -> Vec<Box<[u8]>> {
    let mut contained = BTreeSet::new();
    for shape in shapes {
        let types = match &shape.kind {
            Kind::Struct(fields) => fields.types(),
            Kind::Enum(variants) => variants.iter().flat_map(|it| it.fields.types()).collect(),
        };
        let mut names = BTreeSet::new();
        types.iter().for_each(|it| it.names(&mut names));
        contained.extend(names.into_iter().filter(|it| *it != shape.name));
    }
    let outer: Vec<_> = shapes.iter().filter(|it| !contained.contains(it.name.as_str())).collect();
    let (deviations, mut deviation) = (Deviation::all(shapes), 0);
    let mut found: Vec<Box<[u8]>> = Vec::new();
    for number in 0..PER_TYPE {
        let optional = match number {
            0 => Optional::Absent,
            1 => Optional::Present,
            _ if number % BY_CHANCE == 0 => Optional::Either,
            _ => {
                deviation += 1;
                Optional::Usual(deviations[(deviation - 1) % deviations.len()])
            }
        };
        for (index, shape) in outer.iter().enumerate() {
            let mut maker = Maker::new(shapes, optional, Rng::with_stream(number, index as u64));
            let Some(whole) = maker.shape(shape, 0) else { continue };
            let parts = if matches!(optional, Optional::Usual(_)) { sections(shape, &whole) } else { Vec::new() };
            for document in iter::once(whole).chain(parts) {
                let text = format.write(&document).map(|it| it.into_bytes().into_boxed_slice());
                let is_new = |it: &[u8]| (1..=LONGEST).contains(&it.len()) && !found.iter().any(|known| **known == *it);
                found.extend(text.filter(|it| found.len() < MOST && is_new(it)));
            }
        }
    }
    found
}

/// A few documents for one type, without what may be missing and with it.
pub(super) fn documents_of(shapes: &[Shape], ty: &Type, format: Format) -> Vec<Box<[u8]>> {
    let mut found: Vec<Box<[u8]>> = Vec::new();
    for (number, optional) in [Optional::Absent, Optional::Present, Optional::Either].into_iter().enumerate() {
        let mut maker = Maker::new(shapes, optional, Rng::with_stream(number as u64, 0));
        let text = maker.value("", &Serde::default(), ty, 0).and_then(|it| format.write(&it));
        let text = text.map(|it| it.into_bytes().into_boxed_slice());
        found.extend(text.filter(|it| it.len() <= LONGEST && !found.contains(it)));
    }
    found
}

/// The document with only one of the sections that may be missing, for each: programs that talk to each other have such
/// documents, and these are beside each other.
fn sections(shape: &Shape, whole: &Value) -> Vec<Value> {
    let (Kind::Struct(Fields::Record(fields)), Value::Object(whole)) = (&shape.kind, whole) else { return Vec::new() };
    let style = shape.serde.text("rename_all");
    let optional = fields.iter().filter(|(_, _, ty)| ty.name == "Option");
    let names = optional.map(|(own, serde, _)| renamed(own, serde, style, serde_field));
    let names: Vec<String> = names.filter(|it| matches!(whole.get(it), Some(Value::Object(_)))).collect();
    let only = |kept: &String| {
        let fields = whole.iter().filter(|(name, _)| *name == kept || !names.contains(name));
        Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    let is_several = (2..=MOST_SECTIONS).contains(&names.len());
    names.iter().filter(|_| is_several).map(only).collect()
}

/// Whether what may be missing is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Optional<'a> {
    Absent,
    Present,
    Either,
    /// As most people write it: its sections are there, what has the same name is there everywhere or nowhere, and all
    /// but one of its enums have their defaults.
    Usual(Deviation<'a>),
}

/// The enum that does not have its default, by name, and its variant; `None` if all have.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Deviation<'a>(Option<(&'a str, usize)>);

impl<'a> Deviation<'a> {
    /// None, and all of enums without fields.
    fn all(shapes: &'a [Shape]) -> Vec<Deviation<'a>> {
        let mut all = vec![Deviation(None)];
        for shape in shapes {
            if let Kind::Enum(variants) = &shape.kind
                && variants.iter().all(|it| it.fields == Fields::Unit)
            {
                let read: Vec<&Variant> = variants.iter().filter(|it| it.is_read()).collect();
                let others = (0..read.len()).filter(|it| *it != default_of(&read));
                all.extend(others.map(|variant| Deviation(Some((&shape.name, variant)))));
            }
        }
        all
    }
}

/// The default of these, or the first.
fn default_of(variants: &[&Variant]) -> usize {
    variants.iter().position(|it| it.is_default).unwrap_or_default()
}

struct Maker<'a> {
    shapes: &'a [Shape],
    optional: Optional<'a>,
    /// How many further values may be made.
    left: u32,
    rng: Rng,
    /// Whether what has the same name is the same in the whole document: secrets, names, kinds of transport.
    is_uniform: bool,
    /// The texts of fields, by name.
    texts: BTreeMap<String, Value>,
    /// The variants of enums without fields, by the enum's name.
    variants: BTreeMap<String, usize>,
    /// Whether fields that may be missing are there, by name.
    present: BTreeMap<String, bool>,
    /// Number of addresses to listen at.
    listeners: u16,
}

impl<'a> Maker<'a> {
    fn new(shapes: &'a [Shape], optional: Optional<'a>, mut rng: Rng) -> Maker<'a> {
        let is_uniform = rng.chance(3, 4) || matches!(optional, Optional::Usual(_));
        Maker {
            shapes,
            optional,
            left: MOST_VALUES,
            rng,
            is_uniform,
            texts: BTreeMap::new(),
            variants: BTreeMap::new(),
            present: BTreeMap::new(),
            listeners: 0,
        }
    }

    /// The variant of an enum, of so many.
    fn variant(&mut self, name: &str, variants: &[&Variant]) -> usize {
        let drawn = self.rng.index(variants.len().max(1));
        if !variants.iter().all(|it| it.fields == Fields::Unit) {
            return drawn;
        }
        match self.optional {
            Optional::Usual(Deviation(Some((other, variant)))) if other == name => variant,
            Optional::Usual(_) => default_of(variants),
            _ if self.is_uniform => *self.variants.entry(name.to_owned()).or_insert(drawn),
            _ => drawn,
        }
    }

    fn is_present(&mut self, field: &str, depth: u32) -> bool {
        match self.optional {
            Optional::Absent => false,
            Optional::Present => true,
            Optional::Usual(_) if depth == 0 => true,
            Optional::Usual(_) => {
                let drawn = self.rng.chance(1, 2);
                *self.present.entry(field.to_owned()).or_insert(drawn)
            }
            Optional::Either => self.rng.chance(1, 2),
        }
    }

    fn shape(&mut self, shape: &Shape, depth: u32) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(other) = shape.serde.text("try_from").or(shape.serde.text("from")) {
            let name = other.rsplit("::").next().unwrap_or(other).to_owned();
            return self.value("", &Serde::default(), &Type { name, arguments: Vec::new() }, depth + 1);
        }
        let style = shape.serde.text("rename_all");
        match &shape.kind {
            Kind::Struct(Fields::Record(fields)) if shape.serde.says("transparent") => {
                let (name, serde, ty) = fields.first()?;
                self.value(name, serde, ty, depth + 1)
            }
            Kind::Struct(fields) => self.fields(fields, style, depth),
            Kind::Enum(variants) => {
                let variants: Vec<&Variant> = variants.iter().filter(|it| it.is_read()).collect();
                let Variant { name: own, serde, fields, .. } = *variants.get(self.variant(&shape.name, &variants))?;
                let name = renamed(own, serde, style, serde_variant);
                let inner = serde.text("rename_all").or(shape.serde.text("rename_all_fields"));
                let inner = self.fields(fields, inner, depth);
                match (shape.serde.text("tag"), shape.serde.text("content")) {
                    _ if shape.serde.says("untagged") || serde.says("untagged") => inner,
                    (Some(tag), Some(content)) => match inner {
                        Some(inner) => Some(json!({ tag: name, content: inner })),
                        None => Some(json!({ tag: name })),
                    },
                    (Some(tag), None) => {
                        let mut all = match inner {
                            Some(Value::Object(inner)) => inner,
                            _ => Map::new(),
                        };
                        all.insert(tag.to_owned(), Value::String(name));
                        Some(Value::Object(all))
                    }
                    _ if *fields == Fields::Unit => Some(Value::String(name)),
                    _ => Some(json!({ name: inner? })),
                }
            }
        }
    }

    fn fields(&mut self, fields: &Fields, style: Option<&str>, depth: u32) -> Option<Value> {
        match fields {
            Fields::Unit => None,
            Fields::Tuple(types) if types.len() == 1 => self.value("", &Serde::default(), &types[0], depth + 1),
            Fields::Tuple(types) => {
                let all: Option<Vec<_>> =
                    types.iter().map(|ty| self.value("", &Serde::default(), ty, depth + 1)).collect();
                all.map(Value::Array)
            }
            Fields::Record(fields) => {
                let mut all = Map::new();
                for (own, serde, ty) in fields {
                    if serde.says("skip") || serde.says("skip_deserializing") {
                        continue;
                    }
                    let may_be_missing = serde.says("default") || ty.name == "Option";
                    if may_be_missing && !self.is_present(own, depth) {
                        continue;
                    }
                    match self.value(own, serde, ty, depth + 1) {
                        Some(Value::Object(inner)) if serde.says("flatten") => all.extend(inner),
                        Some(value) => _ = all.insert(renamed(own, serde, style, serde_field), value),
                        None if may_be_missing => {}
                        None => return None,
                    }
                }
                Some(Value::Object(all))
            }
        }
    }

    /// A value of a type; `None` if there is none.
    fn value(&mut self, field: &str, serde: &Serde, ty: &Type, depth: u32) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        let is_read_by_user = serde.says("with") || serde.says("deserialize_with");
        let inner = |maker: &mut Self, index: usize| match ty.arguments.get(index) {
            Some(ty) => maker.value(field, serde, ty, depth + 1),
            None => Some(maker.text(field)),
        };
        let one_of = |rng: &mut Rng, all: &[Value]| all[rng.index(all.len())].clone();
        Some(match ty.name.as_str() {
            "String" | "str" | "OsString" | "CompactString" | "SmolStr" => self.text(field),
            "bool" => json!(self.rng.chance(1, 2)),
            "u16" | "NonZeroU16" if field.contains("port") => json!(8080 + self.rng.below(4)),
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize"
            | "NonZeroU8" | "NonZeroU16" | "NonZeroU32" | "NonZeroU64" | "NonZeroUsize" => {
                json!(1 + self.rng.below(4))
            }
            "f32" | "f64" => json!(0.5),
            "char" => json!("a"),
            "Option" | "Box" | "Arc" | "Rc" | "Mutex" | "RwLock" | "RefCell" | "Cell" | "Cow" | "Spanned" => {
                inner(self, 0)?
            }
            "Vec" | "VecDeque" | "HashSet" | "BTreeSet" | "IndexSet" | "SmallVec" => {
                let count = 1 + self.rng.below(2);
                Value::Array((0..count).map(|_| inner(self, 0)).collect::<Option<_>>()?)
            }
            "HashMap" | "BTreeMap" | "IndexMap" | "Map" => {
                let count = 1 + self.rng.below(2) as usize;
                let entries =
                    ["first", "second"].iter().take(count).map(|key| Some(((*key).to_owned(), inner(self, 1)?)));
                Value::Object(entries.collect::<Option<_>>()?)
            }
            "(" => Value::Array((0..ty.arguments.len()).map(|index| inner(self, index)).collect::<Option<_>>()?),
            "PathBuf" | "Path" => json!("data"),
            "SocketAddr" | "SocketAddrV4" => self.address(field),
            "IpAddr" | "Ipv4Addr" => json!("127.0.0.1"),
            "Ipv6Addr" => json!("::1"),
            "Url" | "Uri" => json!("http://127.0.0.1:8080/"),
            "Duration" if is_read_by_user => one_of(&mut self.rng, &[json!("1s"), json!(1)]),
            "Duration" => json!({ "secs": 1, "nanos": 0 }),
            "Uuid" => json!("67e55044-10b1-426f-9247-bb680e5fe0c8"),
            "DateTime" => json!("2020-01-01T00:00:00Z"),
            "Level" | "LevelFilter" => json!("info"),
            name => match self.shapes.iter().find(|it| it.name == name && !is_read_by_user) {
                Some(shape) => self.shape(shape, depth + 1)?,
                None => self.text(field),
            },
        })
    }

    /// An address. Those to listen at differ; others are mostly the first of these.
    fn address(&mut self, field: &str) -> Value {
        let port = match LISTENS.iter().any(|it| field.contains(it)) {
            true => {
                self.listeners = self.listeners.saturating_add(1);
                u32::from(self.listeners) - 1
            }
            false if matches!(self.optional, Optional::Usual(_)) || self.rng.chance(1, 2) => 0,
            false => self.rng.below(4),
        };
        json!(format!("127.0.0.1:{}", 8080 + port))
    }

    /// A text for a field; its name says what it may be.
    fn text(&mut self, field: &str) -> Value {
        let says = |words: &[&str]| words.iter().any(|it| field.contains(it));
        match field {
            _ if says(&["addr", "endpoint"]) || says(&LISTENS) => self.address(field),
            _ if says(&["url", "uri"]) => json!("http://127.0.0.1:8080/"),
            _ if says(&["host"]) => json!("localhost"),
            _ => {
                let drawn = json!(["a", "data"][self.rng.index(2)]);
                match self.is_uniform {
                    true => self.texts.entry(field.to_owned()).or_insert(drawn).clone(),
                    false => drawn,
                }
            }
        }
    }
}

/// The name that a document has for a field or variant.
fn renamed(own: &str, serde: &Serde, style: Option<&str>, convert: fn(&str, &str) -> Option<String>) -> String {
    let own = own.trim_start_matches("r#");
    let explicit = serde.text("rename").or(serde.text("deserialize")).map(str::to_owned);
    explicit.or_else(|| convert(own, style?)).unwrap_or_else(|| own.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ra_ap_syntax::{Edition, ast};

    #[test]
    fn documents_of_a_readme() {
        let readme = "# Title\n```toml\n# first\na = 1 # one\n```\ntext\n  ```json\n  {\"b\": 2}\n  ```\n```toml\nnot toml\n```\n\
                      ```sh\nx = 1\n```\n```toml\n[c]\n";
        let found = shown_in(readme);
        let texts: Vec<_> = found.iter().map(|(format, text)| (*format, std::str::from_utf8(text).unwrap())).collect();
        let of_comments = |bytes: usize| shown_in(&format!("```toml\n#{}\nb = 2\n```\n", "x".repeat(bytes))).len();
        assert_eq!((of_comments(LONGEST), of_comments(LONGEST_SHOWN)), (1, 0));
        assert_eq!(texts, [(Format::Toml, "a = 1\n"), (Format::Json, "{\"b\":2}"), (Format::Toml, "[c]\n")]);
    }

    fn made(source: &str, format: Format) -> Vec<String> {
        let file = ast::SourceFile::parse(source, Edition::CURRENT).tree();
        let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
        documents(&shapes_of(&file), format).iter().map(|it| text(it)).collect()
    }

    #[test]
    fn a_configuration() {
        let source = r#"
            #[derive(Deserialize)]
            #[serde(rename_all = "kebab-case", deny_unknown_fields)]
            struct Config { bind_addr: String, #[serde(default)] workers: usize, log: Option<Log>, #[serde(skip)] made: u8 }
            #[derive(Clone, serde::Deserialize)]
            #[serde(rename_all = "lowercase")]
            enum Log { Quiet, Loud }
        "#;
        let all = made(source, Format::Toml);
        assert!(all[0].starts_with("bind-addr = \"127.0.0.1:808"), "{all:?}");
        assert_eq!(all[0].lines().count(), 1, "what may be missing is not there: {all:?}");
        assert!(all[1].contains("workers = ") && all[1].contains("log = "), "{all:?}");
        assert!(all.iter().any(|it| it.contains("log = \"loud\"")), "{all:?}");
        assert!(all.iter().all(|it| !it.contains("made")), "{all:?}");
    }

    /// Both ends of a connection in one document: the ports that are listened at differ, secrets mostly agree.
    #[test]
    fn what_belongs_together() {
        let source = r#"
            #[derive(Deserialize)] struct Config { server: Server, client: Client }
            #[derive(Deserialize)] struct Server { bind_addr: String, admin_listen: SocketAddr, token: String, via: Via }
            #[derive(Deserialize)] struct Client { remote_addr: String, token: String, via: Via }
            #[derive(Deserialize)] enum Via { Tcp, Udp }
        "#;
        let value = |document: &str, name: &str| -> Vec<String> {
            let of_name = document.lines().filter_map(|it| it.strip_prefix(name)?.strip_prefix(" = "));
            of_name.map(str::to_owned).collect()
        };
        let all = made(source, Format::Toml);
        assert!(all.iter().all(|it| value(it, "bind_addr") != value(it, "admin_listen")), "{all:?}");
        let fits = |it: &&String| {
            let is_one = |name| matches!(&value(it, name)[..], [first, second] if first == second);
            is_one("token") && is_one("via") && value(it, "remote_addr") == value(it, "bind_addr")
        };
        assert!(all.iter().filter(fits).count() * 4 >= all.len(), "{all:?}");
    }

    /// Each variant of an enum occurs in a document that is usual otherwise.
    #[test]
    fn all_is_usual_but_one_thing() {
        let source = r#"
            #[derive(Deserialize)] struct Config { server: Option<End>, client: Option<End> }
            #[derive(Deserialize)] struct End { kind: Kind, via: Via, token: Option<String> }
            #[derive(Deserialize)] enum Kind { Tcp, Udp }
            #[derive(Deserialize)] enum Via { Tls, #[default] Plain, Web }
        "#;
        let all = made(source, Format::Toml);
        for (kind, via) in [("Tcp", "Plain"), ("Udp", "Plain"), ("Tcp", "Tls"), ("Tcp", "Web")] {
            let count = |document: &str, line: String| document.lines().filter(|it| *it == line).count();
            let both = |it: &String| {
                count(it, format!("kind = \"{kind}\"")) == 2 && count(it, format!("via = \"{via}\"")) == 2
            };
            let usual = all.iter().find(|it| both(it) && !matches!(it.matches("token").count(), 1));
            assert!(usual.is_some(), "{kind} {via}: {all:#?}");
        }
        let starts = |index: usize, text: &str| all.get(index).is_some_and(|it: &String| it.starts_with(text));
        let is_one = |index: &usize| !all[*index].contains("[server") && starts(*index, "[client");
        let apart: Vec<usize> = (1..all.len()).filter(is_one).collect();
        assert!(!apart.is_empty() && apart.iter().any(|it| starts(*it - 1, "[server") || starts(*it + 1, "[server")));
    }

    #[test]
    fn tables_behind_values() {
        let source = "
            #[derive(Deserialize)] struct Config { services: HashMap<String, Service>, name: String }
            #[derive(Deserialize)] struct Service { port: u16 }
        ";
        let all = made(source, Format::Toml);
        assert!(all[0].starts_with("name = ") && all[0].contains("[services.first]\nport = 808"), "{all:?}");
    }

    #[test]
    fn enums_as_serde_tags_them() {
        let source = r#"
            #[derive(Deserialize)] #[serde(tag = "type")] enum Inner { Get { key: String } }
            #[derive(Deserialize)] #[serde(tag = "t", content = "c")] enum Beside { Set(u8) }
            #[derive(Deserialize)] enum Plain { Go(bool), Stop }
        "#;
        let all = made(source, Format::Json).join("\n");
        for expected in [r#""type":"Get""#, r#""t":"Set""#, r#"{"Go":true}"#, r#""Stop""#] {
            assert!(all.contains(expected), "{expected} in {all}");
        }
    }

    #[test]
    fn types_with_very_many_fields() {
        let fields = |of: &str| (0..300).map(|it| format!("f{it}: {of},")).collect::<String>();
        let levels =
            (0..6).map(|it| format!("#[derive(Deserialize)] struct L{it} {{ {} }}", fields(&format!("L{}", it + 1))));
        let source = levels.collect::<String>() + "#[derive(Deserialize)] struct L6 { x: u8 }";
        assert_eq!(made(&source, Format::Json), [""; 0]);
    }

    #[test]
    fn types_without_end() {
        assert_eq!(made("#[derive(Deserialize)] struct Endless { next: Box<Endless> }", Format::Json), [""; 0]);
        let list = made("#[derive(Deserialize)] struct List { next: Option<Box<List>> }", Format::Json);
        assert_eq!(list[0], "{}");
    }
}
