//! The types that documents are made for, as their source says.

use ra_ap_syntax::{
    AstNode, AstToken, NodeOrToken, SyntaxKind,
    ast::{self, HasAttrs, HasGenericArgs, HasName},
};
use std::collections::{BTreeMap, BTreeSet};

/// A type that derives `Deserialize`, as its source says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::project) struct Shape {
    pub(super) name: String,
    pub(super) serde: Serde,
    pub(super) kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Struct(Fields),
    Enum(Vec<Variant>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) serde: Serde,
    pub(super) fields: Fields,
    pub(super) is_default: bool,
}

impl Variant {
    fn of(variant: &ast::Variant) -> Variant {
        Variant {
            name: name_of(variant),
            serde: Serde::of(variant),
            fields: Fields::of(variant.field_list()),
            is_default: variant.attrs().any(|it| it.simple_name().is_some_and(|it| it == "default")),
        }
    }

    pub(super) fn is_read(&self) -> bool {
        !self.serde.says("skip") && !self.serde.says("skip_deserializing")
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fields {
    Unit,
    Tuple(Vec<Type>),
    Record(Vec<(String, Serde, Type)>),
}

/// A type: the last name of its path, and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::project) struct Type {
    pub(in crate::project) name: String,
    pub(in crate::project) arguments: Vec<Type>,
}

/// What `serde` attributes say: names, with the text behind `=`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Serde(BTreeMap<String, String>);

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

    pub(super) fn says(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|it| !it.is_empty())
    }
}

impl Type {
    pub(in crate::project) fn of(ty: Option<ast::Type>) -> Type {
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

    pub(super) fn names<'a>(&'a self, found: &mut BTreeSet<&'a str>) {
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

    pub(super) fn types(&self) -> Vec<&Type> {
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
pub(in crate::project) fn shapes_of(file: &ast::SourceFile) -> Vec<Shape> {
    let shape = |item: ast::Item| match item {
        ast::Item::Struct(it) if derives(&it) => {
            Some(Shape { name: name_of(&it), serde: Serde::of(&it), kind: Kind::Struct(Fields::of(it.field_list())) })
        }
        ast::Item::Enum(it) if derives(&it) => {
            let variants = it.variant_list().into_iter().flat_map(|it| it.variants());
            let variants = variants.map(|it| Variant::of(&it)).collect();
            Some(Shape { name: name_of(&it), serde: Serde::of(&it), kind: Kind::Enum(variants) })
        }
        _ => None,
    };
    file.syntax().descendants().filter_map(ast::Item::cast).filter_map(shape).collect()
}
