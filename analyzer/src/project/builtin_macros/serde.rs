//! What the attributes of serde's derives say, and the bounds that the derives add.

use super::{
    NOT_EXPANDED,
    case::{serde_field, serde_variant},
    generics::lifetimes_in,
    read::{Adt, Field, Variant},
    tokens::{Tree, parts, trees},
};
use ra_ap_tt::DelimiterKind;

/// One of serde's two derives.
#[derive(Clone, Copy)]
pub(super) struct Side {
    trait_: &'static str,
    /// Its key in `bound`.
    key: &'static str,
    /// Attributes that leave a field to other code.
    not: [&'static str; 4],
}

pub(super) const WRITES: Side = Side {
    trait_: "::serde::Serialize",
    key: "serialize",
    not: ["skip", "skip_serializing", "serialize_with", "with"],
};

pub(super) const READS: Side = Side {
    trait_: "::serde::Deserialize<'de>",
    key: "deserialize",
    not: ["skip", "skip_deserializing", "deserialize_with", "with"],
};

/// The comma-separated arguments of all `serde` attributes.
fn serde<'a>(attributes: &[Vec<Tree<'a>>]) -> Vec<Vec<Tree<'a>>> {
    let of_serde = attributes.iter().filter(|it| it.first().is_some_and(|it| it.is_ident("serde")));
    let inside = of_serde.filter_map(|it| it.get(1)?.group(DelimiterKind::Parenthesis)).map(trees);
    inside
        .flat_map(|it| parts(&it).into_iter().filter(|it| !it.is_empty()).map(<[_]>::to_vec).collect::<Vec<_>>())
        .collect()
}

fn says(attributes: &[Vec<Tree<'_>>], name: &str) -> bool {
    serde(attributes).iter().any(|it| it.first().is_some_and(|it| it.is_ident(name)))
}

/// The bounds that serde adds to the type's own: those of `bound`, or the trait for each parameter in a field that the
/// impl uses, and for its associated types.
pub(super) fn bounds(adt: &Adt<'_>, side: Side) -> Result<String, String> {
    let of_variants = || adt.variants.iter().filter(|it| !(adt.is_enum && is_left_out(&it.attributes, side)));
    let fields = || of_variants().flat_map(|it| &it.fields).filter(|it| !is_left_out(&it.attributes, side));
    let inner = || adt.variants.iter().flat_map(|it| it.fields.iter().map(|it| &it.attributes).chain([&it.attributes]));
    if inner().any(|it| says(it, "bound")) {
        return Err("a `bound` of a field".to_owned());
    }
    if let Some(bound) = serde(&adt.attributes).into_iter().find(|it| it[0].is_ident("bound")) {
        let unclear = || "its `bound`".to_owned();
        let said = match bound.as_slice() {
            [_, is, text] if is.is_punct('=') => Some(text.string().ok_or_else(unclear)?),
            [_, both] => {
                let both = trees(both.group(DelimiterKind::Parenthesis).ok_or_else(unclear)?);
                match parts(&both).into_iter().find(|it| it.first().is_some_and(|it| it.is_ident(side.key))) {
                    Some([_, _, text]) => Some(text.string().ok_or_else(unclear)?),
                    Some(_) => return Err(unclear()),
                    None => None,
                }
            }
            _ => return Err(unclear()),
        };
        if let Some(said) = said {
            let said = said.trim().trim_end_matches(',');
            return Ok(if said.is_empty() { String::new() } else { format!("{said},") });
        }
    }
    let mut bounds = String::new();
    let mut add = |subject: String, bound: &str| {
        let bound = format!("{subject}: {bound},");
        if !bounds.contains(&bound) {
            bounds += &bound;
        }
    };
    for field in fields() {
        adt.generics.used_in(&field.ty).for_each(|name| add(name, side.trait_));
        if adt.generics.projects(&field.ty) {
            add(shown(&field.ty).ok_or("the type of a field")?, side.trait_);
        }
    }
    if side.key == READS.key {
        let all = adt.variants.iter().flat_map(|it| &it.fields);
        let by_default = |it: &&Field<'_>| {
            let is_plain = |it: &Vec<Tree<'_>>| {
                it.len() == 1 && ["default", "skip", "skip_deserializing"].iter().any(|name| it[0].is_ident(name))
            };
            serde(&it.attributes).iter().any(is_plain)
        };
        for field in all.filter(by_default) {
            adt.generics.used_in(&field.ty).for_each(|name| add(name, "::core::default::Default"));
        }
    }
    Ok(bounds)
}

fn is_left_out(attributes: &[Vec<Tree<'_>>], side: Side) -> bool {
    side.not.iter().any(|name| says(attributes, name))
}

/// A path of names as text.
fn shown(ty: &[Tree<'_>]) -> Option<String> {
    let part = |it: &Tree<'_>| if it.is_punct(':') { Some(":".to_owned()) } else { it.ident().map(str::to_owned) };
    ty.iter().map(part).collect()
}

/// The lifetimes that a value borrows from its input: those of `&str` and `&[u8]`, and those that a field declares.
pub(super) fn borrowed(adt: &Adt<'_>) -> Vec<String> {
    let is_borrowed = |field: &&Field<'_>| {
        let is_reference = field.ty.first().is_some_and(|it| it.is_punct('&'));
        is_reference || says(&field.attributes, "borrow")
    };
    let found: Vec<String> =
        adt.variants.iter().flat_map(|it| &it.fields).filter(is_borrowed).flat_map(|it| lifetimes_in(&it.ty)).collect();
    adt.generics.lifetimes().into_iter().filter(|it| found.contains(it)).collect()
}

/// The expression for what a derive does not know.
pub(super) fn not_expanded(derive: &str) -> String {
    format!("{NOT_EXPANDED}::serde::{derive}")
}

/// A value of an argument for both directions, or for one: `= "x"`, or `(serialize = "x", deserialize = "y")`.
#[derive(Default, Clone)]
struct Both {
    writes: Option<String>,
    reads: Option<String>,
}

impl Both {
    fn read(argument: &[Tree<'_>]) -> Option<Both> {
        if let [_, equals, text] = argument
            && equals.is_punct('=')
        {
            let text = text.string()?;
            return Some(Both { writes: Some(text.clone()), reads: Some(text) });
        }
        let [_, group] = argument else { return None };
        let mut both = Both::default();
        for part in parts(&trees(group.group(DelimiterKind::Parenthesis)?)) {
            let [key, _, text] = part else { return None };
            *match key.ident()? {
                "serialize" => &mut both.writes,
                "deserialize" => &mut both.reads,
                _ => return None,
            } = Some(text.string()?);
        }
        Some(both)
    }

    fn side(&self, side: Side) -> Option<String> {
        if side.key == READS.key { self.reads.clone() } else { self.writes.clone() }
    }
}

/// Where the value of a field comes from that the input does not have.
pub(super) enum Default {
    Trait,
    Path(String),
}

/// The text behind `=`.
fn text(argument: &[Tree<'_>]) -> Option<String> {
    match argument {
        [_, equals, text] if equals.is_punct('=') => text.string(),
        _ => None,
    }
}

fn default(argument: &[Tree<'_>]) -> Option<Default> {
    if argument.len() == 1 { Some(Default::Trait) } else { text(argument).map(Default::Path) }
}

/// What is said about a type.
#[derive(std::default::Default)]
pub(super) struct OfType {
    name: Both,
    style: Both,
    fields_style: Both,
    pub(super) tag: Option<String>,
    pub(super) has_content: bool,
    pub(super) is_untagged: bool,
    pub(super) is_transparent: bool,
    pub(super) denies_unknown: bool,
    pub(super) default: Option<Default>,
    pub(super) from: Option<String>,
    pub(super) try_from: Option<String>,
    pub(super) into: Option<String>,
}

/// Reads the attributes of a type; `None` if one is not known.
pub(super) fn of_type(adt: &Adt<'_>) -> Option<OfType> {
    let mut of = OfType::default();
    for argument in serde(&adt.attributes) {
        match argument[0].ident()? {
            "rename" => of.name = Both::read(&argument)?,
            "rename_all" => of.style = Both::read(&argument)?,
            "rename_all_fields" => of.fields_style = Both::read(&argument)?,
            "tag" => of.tag = Some(text(&argument)?),
            "content" => of.has_content = true,
            "untagged" => of.is_untagged = true,
            "transparent" => of.is_transparent = true,
            "deny_unknown_fields" => of.denies_unknown = true,
            "default" => of.default = Some(default(&argument)?),
            "from" => of.from = Some(text(&argument)?),
            "try_from" => of.try_from = Some(text(&argument)?),
            "into" => of.into = Some(text(&argument)?),
            "bound" | "expecting" => {}
            _ => return None,
        }
    }
    Some(of)
}

impl OfType {
    pub(super) fn name(&self, adt: &Adt<'_>, side: Side) -> String {
        self.name.side(side).unwrap_or_else(|| adt.name.ident().unwrap_or_default().to_owned())
    }

    /// The style of the names of variants, or of the fields of a struct.
    pub(super) fn style(&self, side: Side) -> Option<String> {
        self.style.side(side)
    }

    /// The style of the names of the fields of variants.
    pub(super) fn all_fields_style(&self, side: Side) -> Option<String> {
        self.fields_style.side(side)
    }
}

/// What is said about a field.
pub(super) struct OfField {
    name: Both,
    /// The name that the style of the type gives.
    styled: Option<String>,
    aliases: Vec<String>,
    pub(super) default: Option<Default>,
    pub(super) skips_reading: bool,
    pub(super) skips_writing: bool,
    pub(super) skips_writing_if: Option<String>,
    pub(super) reads_with: Option<String>,
    pub(super) writes_with: Option<String>,
    pub(super) is_flattened: bool,
}

/// Reads the attributes of a field; `None` if one is not known.
pub(super) fn of_field(field: &Field<'_>, style: Option<&str>) -> Option<OfField> {
    let own = field.name.as_ref().and_then(Tree::ident);
    let styled = match (own, style) {
        (Some(own), Some(style)) => Some(serde_field(own, style)?),
        _ => None,
    };
    let mut of = OfField {
        name: Both::default(),
        styled,
        aliases: Vec::new(),
        default: None,
        skips_reading: false,
        skips_writing: false,
        skips_writing_if: None,
        reads_with: None,
        writes_with: None,
        is_flattened: false,
    };
    for argument in serde(&field.attributes) {
        match argument[0].ident()? {
            "rename" => of.name = Both::read(&argument)?,
            "alias" => of.aliases.push(text(&argument)?),
            "default" => of.default = Some(default(&argument)?),
            "skip" => (of.skips_reading, of.skips_writing) = (true, true),
            "skip_serializing" => of.skips_writing = true,
            "skip_deserializing" => of.skips_reading = true,
            "skip_serializing_if" => of.skips_writing_if = Some(text(&argument)?),
            "with" => {
                let path = text(&argument)?;
                of.reads_with = Some(format!("{path}::deserialize"));
                of.writes_with = Some(format!("{path}::serialize"));
            }
            "deserialize_with" => of.reads_with = Some(text(&argument)?),
            "serialize_with" => of.writes_with = Some(text(&argument)?),
            "flatten" => of.is_flattened = true,
            "borrow" | "bound" => {}
            _ => return None,
        }
    }
    Some(of)
}

impl OfField {
    fn side(&self, field: &Field<'_>, index: usize, side: Side) -> String {
        let own = || field.name.as_ref().and_then(Tree::ident).map_or_else(|| index.to_string(), str::to_owned);
        self.name.side(side).or_else(|| self.styled.clone()).unwrap_or_else(own)
    }

    /// The name that is read.
    pub(super) fn name(&self, field: &Field<'_>, index: usize) -> String {
        self.side(field, index, READS)
    }

    /// All names that are read, the main one first.
    pub(super) fn names(&self, field: &Field<'_>, index: usize) -> Vec<String> {
        std::iter::once(self.name(field, index)).chain(self.aliases.iter().cloned()).collect()
    }

    /// The name that is written.
    pub(super) fn written(&self, field: &Field<'_>, index: usize) -> String {
        self.side(field, index, WRITES)
    }
}

/// What is said about a variant.
#[derive(std::default::Default)]
pub(super) struct OfVariant {
    name: Both,
    style: Both,
    aliases: Vec<String>,
    pub(super) skips_reading: bool,
    pub(super) skips_writing: bool,
    pub(super) is_other: bool,
    pub(super) is_untagged: bool,
    pub(super) reads_with: Option<String>,
    pub(super) writes_with: Option<String>,
}

/// Reads the attributes of a variant; `None` if one is not known.
pub(super) fn of_variant(variant: &Variant<'_>) -> Option<OfVariant> {
    let mut of = OfVariant::default();
    for argument in serde(&variant.attributes) {
        match argument[0].ident()? {
            "rename" => of.name = Both::read(&argument)?,
            "rename_all" => of.style = Both::read(&argument)?,
            "alias" => of.aliases.push(text(&argument)?),
            "skip" => (of.skips_reading, of.skips_writing) = (true, true),
            "skip_serializing" => of.skips_writing = true,
            "skip_deserializing" => of.skips_reading = true,
            "other" => of.is_other = true,
            "untagged" => of.is_untagged = true,
            "with" | "deserialize_with" | "serialize_with" => {
                of.reads_with = Some(text(&argument)?);
                of.writes_with = of.reads_with.clone();
            }
            "borrow" | "bound" => {}
            _ => return None,
        }
    }
    Some(of)
}

impl OfVariant {
    fn side(&self, variant: &Variant<'_>, style: Option<&str>, side: Side) -> Option<String> {
        let own = variant.name.ident().unwrap_or_default();
        match (self.name.side(side), style) {
            (Some(name), _) => Some(name),
            (None, Some(style)) => serde_variant(own, style),
            (None, None) => Some(own.to_owned()),
        }
    }

    /// All names that are read, the main one first.
    pub(super) fn names(&self, variant: &Variant<'_>, style: Option<&str>) -> Option<Vec<String>> {
        Some(std::iter::once(self.side(variant, style, READS)?).chain(self.aliases.iter().cloned()).collect())
    }

    /// The name that is written.
    pub(super) fn written(&self, variant: &Variant<'_>, style: Option<&str>) -> Option<String> {
        self.side(variant, style, WRITES)
    }

    /// The style of the names of its fields.
    pub(super) fn style(&self, side: Side) -> Option<String> {
        self.style.side(side)
    }
}
