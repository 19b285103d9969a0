//! A parser for items, as far as builtin macros need it: functions, and the fields of structs and enums.

use super::{
    generics::Generics,
    tokens::{TokenBuilder, Tree, angle, parts, trees},
};
use ra_ap_tt::DelimiterKind;
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
        match self.name.as_ref().and_then(Tree::ident) {
            Some(name) => name.to_owned(),
            None => format!("_{index}"),
        }
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

/// Reads the item of a derive.
pub(super) fn adt<'a>(item: &[Tree<'a>]) -> Result<Adt<'a>, String> {
    let (attributes, rest) = attributes(item);
    let at = rest.iter().position(|it| it.is_ident("struct") || it.is_ident("enum")).ok_or("a union")?;
    let name = rest.get(at + 1).filter(|it| it.ident().is_some()).ok_or("no name")?.clone();
    let (generics, body) = Generics::read(&rest[at + 2..]).ok_or("its parameters")?;
    let body = body.as_ref();
    let is_enum = rest[at].is_ident("enum");
    let variants = if is_enum {
        let inside = body.and_then(|it| it.group(DelimiterKind::Brace)).ok_or("an enum without variants")?;
        let inside = trees(inside);
        parts(&inside).into_iter().map(variant).collect::<Option<_>>().ok_or("a variant")?
    } else {
        let own =
            Variant { attributes: Vec::new(), name: name.clone(), fields: Vec::new(), is_record: false, is_unit: true };
        vec![with_fields(own, body).ok_or("a field")?]
    };
    Ok(Adt { name, generics, is_enum, variants, attributes })
}

impl<'a> Adt<'a> {
    /// Adds the code in `text`. In it, `__impl` stands for `impl` with the type's parameters, `__params` for these
    /// alone, `__type` for the type with its arguments, and `__own` for its bounds.
    pub(super) fn add(&self, maker: &mut TokenBuilder, text: &str, holes: &[(&str, &[Tree<'a>])]) {
        let comma = Tree::comma(self.name.span());
        let (params, args) = (self.generics.declared(&comma), self.generics.arguments(&comma));
        let own = self.generics.predicates(&comma);
        let name = [self.name.clone()];
        let mut holes = holes.to_vec();
        holes.extend([("__params", params.as_slice()), ("__name", &name), ("__args", &args), ("__own", &own)]);
        let (impl_, type_) = if params.is_empty() { ("impl", "__name") } else { ("impl<__params>", "__name<__args>") };
        maker.add(&text.replace("__impl", impl_).replace("__type", type_), &holes);
    }
}

fn variant<'a>(part: &[Tree<'a>]) -> Option<Variant<'a>> {
    let (attributes, rest) = attributes(part);
    let (name, rest) = rest.split_first()?;
    name.ident()?;
    let own = Variant { attributes, name: name.clone(), fields: Vec::new(), is_record: false, is_unit: true };
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
    match trees {
        [first, second, rest @ ..] if first.is_ident("pub") && second.group(DelimiterKind::Parenthesis).is_some() => {
            rest
        }
        [first, rest @ ..] if first.is_ident("pub") => rest,
        _ => trees,
    }
}

/// The attributes before an item, without `#` and brackets, and the rest.
pub(super) fn attributes<'t, 'a>(trees_: &'t [Tree<'a>]) -> (Vec<Vec<Tree<'a>>>, &'t [Tree<'a>]) {
    let (mut attributes, mut rest) = (Vec::new(), trees_);
    while let [hash, group, after @ ..] = rest
        && hash.is_punct('#')
        && let Some(inside) = group.group(DelimiterKind::Bracket)
    {
        attributes.push(trees(inside));
        rest = after;
    }
    (attributes, rest)
}

/// The arguments of the attribute of this name; empty if it has none.
pub(super) fn attribute<'a>(attributes: &[Vec<Tree<'a>>], name: &str) -> Option<Vec<Tree<'a>>> {
    let found = attributes.iter().find(|it| it.first().is_some_and(|first| first.is_ident(name)))?;
    Some(found.get(1).and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees).unwrap_or_default())
}
