//! A parser for items, as far as builtin macros need it: functions, and the fields of structs and enums.

use super::{
    Call,
    generics::Generics,
    tokens::{Quote, Tree, angle, parts, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};
use std::ops::Range;

/// The positions of a function's parts among the tokens of its item.
pub(super) struct Signature {
    pub(super) name: usize,
    /// The group with the parameters.
    pub(super) params: usize,
    /// The return type.
    pub(super) output: Range<usize>,
    /// The body, or the semicolon.
    pub(super) end: usize,
}

/// Reads the function whose `fn` stands at an index.
pub(super) fn signature(trees: &[Tree<'_>], at: usize) -> Option<Signature> {
    let name = at + 1;
    trees.get(name)?.ident()?;
    let mut index = name + 1;
    let mut depth = 0;
    loop {
        let tree = trees.get(index)?;
        depth += angle(trees, index);
        if depth == 0 && tree.group(DelimiterKind::Parenthesis).is_some() {
            break;
        }
        index += 1;
    }
    let params = index;
    let is_end = |tree: &Tree<'_>| tree.group(DelimiterKind::Brace).is_some() || tree.is_punct(';');
    let mut start = params + 1;
    if trees.get(start)?.is_punct('-') && trees.get(start + 1)?.is_punct('>') {
        start += 2;
    }
    let mut index = start;
    let mut output_end = None;
    loop {
        let tree = trees.get(index)?;
        depth += angle(trees, index);
        if depth == 0 && tree.is_ident("where") {
            output_end.get_or_insert(index);
        }
        if depth == 0 && is_end(tree) {
            return Some(Signature { name, params, output: start..output_end.unwrap_or(index), end: index });
        }
        index += 1;
    }
}

/// A struct, or a variant of an enum.
pub(super) struct Variant<'a> {
    pub(super) attributes: Vec<Vec<Tree<'a>>>,
    pub(super) name: Tree<'a>,
    pub(super) fields: Vec<Field<'a>>,
    /// Its fields have names.
    pub(super) is_record: bool,
    /// Declared without fields: neither `{}` nor `()`.
    pub(super) is_unit: bool,
    /// Behind `=`.
    pub(super) discriminant: Vec<Tree<'a>>,
}

/// A field.
pub(super) struct Field<'a> {
    pub(super) attributes: Vec<Vec<Tree<'a>>>,
    pub(super) name: Option<Tree<'a>>,
    pub(super) ty: Vec<Tree<'a>>,
}

impl Field<'_> {
    /// The name of its binding: the field's name, or `_0`.
    pub(super) fn binding(&self, index: usize) -> String {
        self.name.as_ref().and_then(Tree::written).unwrap_or_else(|| format!("_{index}"))
    }

    /// How a struct expression or pattern names it: its name, or its number.
    pub(super) fn key(&self, index: usize) -> String {
        self.name.as_ref().and_then(Tree::written).unwrap_or_else(|| index.to_string())
    }
}

/// A struct or an enum.
pub(super) struct Adt<'a> {
    pub(super) name: Tree<'a>,
    pub(super) generics: Generics<'a>,
    pub(super) is_enum: bool,
    /// For a struct, the struct itself.
    pub(super) variants: Vec<Variant<'a>>,
    pub(super) attributes: Vec<Vec<Tree<'a>>>,
}

/// Reads the item of a derive, a struct or an enum.
pub(super) fn adt<'a>(item: &[Tree<'a>]) -> Result<Adt<'a>, String> {
    let (_, rest) = attributes(item);
    match rest.iter().any(|it| it.is_ident("struct") || it.is_ident("enum")) {
        true => adt_or_union(item),
        false => Err("a union".to_owned()),
    }
}

/// Reads the item of a derive; a union is read as a struct.
pub(super) fn adt_or_union<'a>(item: &[Tree<'a>]) -> Result<Adt<'a>, String> {
    let (attributes, rest) = attributes(item);
    let is_keyword = |it: &Tree<'_>| ["struct", "enum", "union"].iter().any(|word| it.is_ident(word));
    let at = rest.iter().position(is_keyword).ok_or("no type")?;
    let name = rest.get(at + 1).filter(|it| it.ident().is_some()).ok_or("no name")?.clone();
    let (generics, body) = Generics::read(&rest[at + 2..]).ok_or("its parameters")?;
    let body = body.as_ref();
    let is_enum = rest[at].is_ident("enum");
    let variants = if is_enum {
        let inside = body.and_then(|it| it.group(DelimiterKind::Brace)).ok_or("an enum without variants")?;
        let inside = trees(inside);
        parts(&inside).into_iter().map(variant).collect::<Option<_>>().ok_or("a variant")?
    } else {
        vec![with_fields(Variant::unit(Vec::new(), name.clone()), body).ok_or("a field")?]
    };
    Ok(Adt { name, generics, is_enum, variants, attributes })
}

/// Builds the added code for the type of a derive, see [`Adt::filled`].
pub(super) fn with<'a>(
    call: &Call<'a>,
    text: impl FnOnce(&Adt<'a>, &mut Quote<'a>) -> Result<String, String>,
) -> Result<TopSubtree, String> {
    with_adt(&adt(&trees(call.item))?, text)
}

/// The same for a type that was read.
pub(super) fn with_adt<'a>(
    adt: &Adt<'a>,
    text: impl FnOnce(&Adt<'a>, &mut Quote<'a>) -> Result<String, String>,
) -> Result<TopSubtree, String> {
    let mut quote = Quote::default();
    let text = text(adt, &mut quote)?;
    let text = adt.filled(&text, &mut quote);
    Ok(quote.made(adt.name.span(), &text))
}

impl<'a> Adt<'a> {
    /// The text with what it leaves open: `__impl` stands for `impl` with the type's parameters, `__params` for these
    /// alone, `__arguments` for the arguments, `__type` for the type with them, and `__own` for its bounds.
    pub(super) fn filled(&self, text: &str, quote: &mut Quote<'a>) -> String {
        let comma = Tree::comma(self.name.span());
        let params = self.generics.declared(&comma);
        let [name, declared, arguments, own] = [
            std::slice::from_ref(&self.name),
            &params,
            &self.generics.arguments(&comma),
            &self.generics.predicates(&comma),
        ]
        .map(|it| quote.of(it));
        let (impl_, type_) = match params.is_empty() {
            true => ("impl".to_owned(), name),
            false => (format!("impl<{declared}>"), format!("{name}<{arguments}>")),
        };
        let text = text.replace("__arguments", &arguments);
        text.replace("__impl", &impl_).replace("__type", &type_).replace("__params", &declared).replace("__own", &own)
    }

    /// Expressions for all variants, or for the struct: `Self` or `Self::Name`.
    pub(super) fn path(&self, variant: &Variant<'a>, quote: &mut Quote<'a>) -> String {
        match self.is_enum {
            true => format!("Self::{}", quote.of(std::slice::from_ref(&variant.name))),
            false => "Self".to_owned(),
        }
    }
}

impl<'a> Variant<'a> {
    fn unit(attributes: Vec<Vec<Tree<'a>>>, name: Tree<'a>) -> Variant<'a> {
        Variant { attributes, name, fields: Vec::new(), is_record: false, is_unit: true, discriminant: Vec::new() }
    }

    /// Behind the path of the variant, the pattern that binds all fields by reference.
    pub(super) fn references(&self) -> String {
        let field =
            |(index, field): (usize, &Field<'a>)| format!("{}: ref {},", field.key(index), field.binding(index));
        format!("{{ {} }}", self.fields.iter().enumerate().map(field).collect::<String>())
    }
}

fn variant<'a>(part: &[Tree<'a>]) -> Option<Variant<'a>> {
    let (attributes, rest) = attributes(part);
    let (name, rest) = rest.split_first()?;
    name.ident()?;
    let mut own = Variant::unit(attributes, name.clone());
    if let Some(at) = rest.iter().position(|it| it.is_punct('=')) {
        own.discriminant = rest[at + 1..].to_vec();
    }
    with_fields(own, rest.first())
}

fn with_fields<'a>(mut variant: Variant<'a>, body: Option<&Tree<'a>>) -> Option<Variant<'a>> {
    let record = body.and_then(|it| it.group(DelimiterKind::Brace));
    variant.is_record = record.is_some();
    let Some(inside) = record.or_else(|| body?.group(DelimiterKind::Parenthesis)) else { return Some(variant) };
    variant.is_unit = false;
    for part in parts(&trees(inside)) {
        let (attributes, rest) = attributes(part);
        let rest = without_visibility(rest);
        let (name, ty) = match rest {
            [name, colon, ty @ ..] if variant.is_record && colon.is_punct(':') => (Some(name.clone()), ty),
            ty if !variant.is_record => (None, ty),
            _ => return None,
        };
        variant.fields.push(Field { attributes, name, ty: ty.to_vec() });
    }
    Some(variant)
}

fn without_visibility<'t, 'a>(trees: &'t [Tree<'a>]) -> &'t [Tree<'a>] {
    let is_restriction = |it: &Tree<'_>| {
        let words = ["crate", "super", "self", "in"];
        let inside = it.group(DelimiterKind::Parenthesis).map(super::tokens::trees).unwrap_or_default();
        inside.first().is_some_and(|it| words.iter().any(|word| it.is_ident(word)))
    };
    match trees {
        [first, second, rest @ ..] if first.is_ident("pub") && is_restriction(second) => rest,
        [first, rest @ ..] if first.is_ident("pub") => rest,
        _ => trees,
    }
}

/// The attributes before an item, without `#` and brackets, and the rest.
pub(super) fn attributes<'t, 'a>(trees_: &'t [Tree<'a>]) -> (Vec<Vec<Tree<'a>>>, &'t [Tree<'a>]) {
    let (mut attributes, mut rest) = (Vec::new(), trees_);
    while let [hash, group, after @ ..] = rest
        && hash.is_punct('#')
        && let Some(inside) = group.group(DelimiterKind::Bracket).map(trees)
        && !inside.is_empty()
    {
        attributes.push(inside);
        rest = after;
    }
    (attributes, rest)
}

/// The arguments of the attribute of this name; empty if it has none.
pub(super) fn attribute<'a>(attributes: &[Vec<Tree<'a>>], name: &str) -> Option<Vec<Tree<'a>>> {
    let found = attributes.iter().find(|it| it.first().is_some_and(|first| first.is_ident(name)))?;
    Some(found.get(1).and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees).unwrap_or_default())
}
