//! Documents that a program's own types are read from: TOML and JSON for structs and enums that derive `Deserialize`. A
//! program that reads its configuration from a made-up file would otherwise seldom get further. They are made of the source
//! text alone: any text may lie in a file, so a document that does not fit is no wrong input.

use super::builtin_macros::case::{serde_field, serde_variant};
use interp::rng::Rng;
use ra_ap_syntax::{
    AstNode, AstToken, NodeOrToken, SyntaxKind,
    ast::{self, HasAttrs, HasGenericArgs, HasName},
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How many documents are made for a type.
const PER_TYPE: u64 = 12;
/// Maximum number of documents in one format.
const MOST: usize = 64;
/// Maximum number of documents that a README shows.
const MOST_SHOWN: usize = 8;
/// Maximum length of a document, in bytes.
const LONGEST: usize = 8 << 10;
/// Maximum number of values in a document: a longer one would not be used.
const MOST_VALUES: u32 = LONGEST as u32;
/// Names of fields with addresses to listen at.
const LISTENS: [&str; 2] = ["bind", "listen"];
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

    fn reads(self, text: &str) -> bool {
        match self {
            Format::Toml => toml::from_str::<toml::Table>(text).is_ok(),
            Format::Json => serde_json::from_str::<Value>(text).is_ok(),
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
        let is_fit = (1..=LONGEST).contains(&text.len()) && format.reads(&text);
        if is_fit && found.len() < MOST_SHOWN {
            found.push((format, text.into_bytes().into()));
        }
    }
    found
}

/// A type that derives `Deserialize`, as its source says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    name: String,
    serde: Serde,
    kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Struct(Fields),
    Enum(Vec<(String, Serde, Fields)>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Fields {
    Unit,
    Tuple(Vec<Type>),
    Record(Vec<(String, Serde, Type)>),
}

/// A type: the last name of its path, and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Type {
    name: String,
    arguments: Vec<Type>,
}

/// What `serde` attributes say: names, with the text behind `=`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Serde(BTreeMap<String, String>);

impl Serde {
    fn of(item: &impl HasAttrs) -> Serde {
        let mut found = Serde::default();
        let is_read = |it: &ast::Attr| it.simple_name().is_some_and(|it| it == "serde" || it == "cfg_attr");
        for attribute in item.attrs().filter(is_read) {
            let mut tokens =
                attribute.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token).peekable();
            while let Some(token) = tokens.next() {
                if token.kind() != SyntaxKind::IDENT {
                    continue;
                }
                let name = token.text().to_owned();
                let mut text = String::new();
                while tokens.peek().is_some_and(|it| it.kind() == SyntaxKind::WHITESPACE) {
                    tokens.next();
                }
                if tokens.peek().is_some_and(|it| it.kind() == SyntaxKind::EQ) {
                    let value = tokens.by_ref().find_map(ast::String::cast);
                    text = value.and_then(|it| it.value().ok().map(|it| it.into_owned())).unwrap_or_default();
                }
                found.0.entry(name).or_insert(text);
            }
        }
        found
    }

    fn says(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|it| !it.is_empty())
    }
}

impl Type {
    fn of(ty: Option<ast::Type>) -> Type {
        let named = |name: &str, arguments| Type { name: name.to_owned(), arguments };
        match ty {
            Some(ast::Type::PathType(path)) => {
                let segment = path.path().and_then(|it| it.segment());
                let name = segment.as_ref().and_then(|it| it.name_ref()).map(|it| it.text().to_string());
                let list = segment.and_then(|it| it.generic_arg_list()).into_iter().flat_map(|it| it.generic_args());
                let arguments = list.filter_map(|it| match it {
                    ast::GenericArg::TypeArg(it) => Some(Type::of(it.ty())),
                    _ => None,
                });
                Type { name: name.unwrap_or_default(), arguments: arguments.collect() }
            }
            Some(ast::Type::RefType(it)) => Type::of(it.ty()),
            Some(ast::Type::ParenType(it)) => Type::of(it.ty()),
            Some(ast::Type::SliceType(it)) => named("Vec", vec![Type::of(it.ty())]),
            Some(ast::Type::ArrayType(it)) => named("Vec", vec![Type::of(it.ty())]),
            Some(ast::Type::TupleType(it)) => named("(", it.fields().map(|it| Type::of(Some(it))).collect()),
            _ => named("", Vec::new()),
        }
    }

    fn names<'a>(&'a self, found: &mut BTreeSet<&'a str>) {
        found.insert(&self.name);
        self.arguments.iter().for_each(|it| it.names(found));
    }
}

impl Fields {
    fn of(fields: Option<ast::FieldList>) -> Fields {
        match fields {
            None => Fields::Unit,
            Some(ast::FieldList::TupleFieldList(it)) => {
                Fields::Tuple(it.fields().map(|it| Type::of(it.ty())).collect())
            }
            Some(ast::FieldList::RecordFieldList(it)) => {
                let field = |it: ast::RecordField| (name_of(&it), Serde::of(&it), Type::of(it.ty()));
                Fields::Record(it.fields().map(field).collect())
            }
        }
    }

    fn types(&self) -> Vec<&Type> {
        match self {
            Fields::Unit => Vec::new(),
            Fields::Tuple(all) => all.iter().collect(),
            Fields::Record(all) => all.iter().map(|(_, _, ty)| ty).collect(),
        }
    }
}

fn name_of(item: &impl HasName) -> String {
    item.name().map(|it| it.text().to_string()).unwrap_or_default()
}

fn derives(item: &impl HasAttrs) -> bool {
    let mut words = item.attrs().flat_map(|it| it.syntax().descendants_with_tokens().collect::<Vec<_>>());
    words.any(|it| it.into_token().is_some_and(|it| it.text() == "Deserialize"))
}

/// The types of a file that derive `Deserialize`.
pub(super) fn shapes_of(file: &ast::SourceFile) -> Vec<Shape> {
    let shape = |item: ast::Item| match item {
        ast::Item::Struct(it) if derives(&it) => {
            Some(Shape { name: name_of(&it), serde: Serde::of(&it), kind: Kind::Struct(Fields::of(it.field_list())) })
        }
        ast::Item::Enum(it) if derives(&it) => {
            let variants = it.variant_list().into_iter().flat_map(|it| it.variants());
            let variants = variants.map(|it| (name_of(&it), Serde::of(&it), Fields::of(it.field_list())));
            Some(Shape { name: name_of(&it), serde: Serde::of(&it), kind: Kind::Enum(variants.collect()) })
        }
        _ => None,
    };
    file.syntax().descendants().filter_map(ast::Item::cast).filter_map(shape).collect()
}

/// The documents in one format for the types that no other type contains.
pub(super) fn documents(shapes: &[Shape], format: Format) -> Vec<Box<[u8]>> {
    let mut contained = BTreeSet::new();
    for shape in shapes {
        let types = match &shape.kind {
            Kind::Struct(fields) => fields.types(),
            Kind::Enum(variants) => variants.iter().flat_map(|(_, _, fields)| fields.types()).collect(),
        };
        let mut names = BTreeSet::new();
        types.iter().for_each(|it| it.names(&mut names));
        contained.extend(names.into_iter().filter(|it| *it != shape.name));
    }
    let outer: Vec<_> = shapes.iter().filter(|it| !contained.contains(it.name.as_str())).collect();
    let mut found: Vec<Box<[u8]>> = Vec::new();
    for number in 0..PER_TYPE {
        for (index, shape) in outer.iter().enumerate() {
            let optional = match number {
                0 => Optional::Absent,
                1 => Optional::Present,
                _ => Optional::Either,
            };
            let mut maker = Maker::new(shapes, optional, Rng::with_stream(number, index as u64));
            let text = maker.shape(shape, 0).and_then(|it| format.write(&it));
            let text = text.filter(|it| (1..=LONGEST).contains(&it.len())).map(|it| it.into_bytes().into_boxed_slice());
            found.extend(text.filter(|it| found.len() < MOST && !found.contains(it)));
        }
    }
    found
}

/// Whether what may be missing is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Optional {
    Absent,
    Present,
    Either,
}

struct Maker<'a> {
    shapes: &'a [Shape],
    optional: Optional,
    /// How many further values may be made.
    left: u32,
    rng: Rng,
    /// Whether what has the same name is the same in the whole document: secrets, names, kinds of transport.
    is_uniform: bool,
    /// The texts of fields, by name.
    texts: BTreeMap<String, Value>,
    /// The variants of enums without fields, by the enum's name.
    variants: BTreeMap<String, usize>,
    /// Number of addresses to listen at.
    listeners: u16,
}

impl<'a> Maker<'a> {
    fn new(shapes: &'a [Shape], optional: Optional, mut rng: Rng) -> Maker<'a> {
        let is_uniform = rng.chance(3, 4);
        let (texts, variants) = (BTreeMap::new(), BTreeMap::new());
        Maker { shapes, optional, left: MOST_VALUES, rng, is_uniform, texts, variants, listeners: 0 }
    }

    /// The variant of an enum, of so many.
    fn variant(&mut self, name: &str, variants: &[&(String, Serde, Fields)]) -> usize {
        let drawn = self.rng.index(variants.len().max(1));
        match self.is_uniform && variants.iter().all(|it| it.2 == Fields::Unit) {
            true => *self.variants.entry(name.to_owned()).or_insert(drawn),
            false => drawn,
        }
    }

    fn is_present(&mut self) -> bool {
        match self.optional {
            Optional::Absent => false,
            Optional::Present => true,
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
                let is_read = |it: &&(String, Serde, Fields)| !it.1.says("skip") && !it.1.says("skip_deserializing");
                let variants: Vec<_> = variants.iter().filter(is_read).collect();
                let (own, serde, fields) = *variants.get(self.variant(&shape.name, &variants))?;
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
                    if may_be_missing && !self.is_present() {
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
            false if self.rng.chance(1, 2) => 0,
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
    use ra_ap_syntax::Edition;

    #[test]
    fn documents_of_a_readme() {
        let readme = "# Title\n```toml\na = 1\n```\ntext\n  ```json\n  {\"b\": 2}\n  ```\n```toml\nnot toml\n```\n\
                      ```sh\nx = 1\n```\n```toml\n[c]\n";
        let found = shown_in(readme);
        let texts: Vec<_> = found.iter().map(|(format, text)| (*format, std::str::from_utf8(text).unwrap())).collect();
        assert_eq!(texts, [(Format::Toml, "a = 1\n"), (Format::Json, "  {\"b\": 2}\n"), (Format::Toml, "[c]\n")]);
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
