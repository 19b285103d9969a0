//! The parameters of a type: as an impl declares them, as arguments of the type, and the bounds that follow from their
//! uses.

use super::tokens::{Tree, angle, parts, trees};
use ra_ap_tt::DelimiterKind;

/// A parameter.
struct Param<'a> {
    kind: Kind,
    /// Its name; a lifetime's includes the quote.
    name: Vec<Tree<'a>>,
    /// As an impl declares it: without its default.
    declared: Vec<Tree<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lifetime,
    Type,
    Const,
}

/// The parameters of a type, and its `where` clause.
#[derive(Default)]
pub(super) struct Generics<'a> {
    params: Vec<Param<'a>>,
    /// The contents of the `where` clause.
    predicates: Vec<Tree<'a>>,
}

impl<'a> Generics<'a> {
    /// Reads the tokens after the name of a type; also returns the group of its fields or variants.
    pub(super) fn read(rest: &[Tree<'a>]) -> Option<(Generics<'a>, Option<Tree<'a>>)> {
        let mut generics = Generics::default();
        let mut rest = rest;
        if rest.first().is_some_and(|it| it.is_punct('<')) {
            let mut depth = 0;
            let end = (0..rest.len()).find(|index| {
                depth += angle(rest, *index);
                depth == 0
            })?;
            for part in parts(&rest[1..end]) {
                generics.params.push(param(part)?);
            }
            rest = &rest[end + 1..];
        }
        // A tuple's fields come before `where`, named fields after it.
        let mut body = None;
        if let [first, after @ ..] = rest
            && first.group(DelimiterKind::Parenthesis).is_some()
        {
            (body, rest) = (Some(first.clone()), after);
        }
        if let [before @ .., last] = rest {
            if last.group(DelimiterKind::Brace).is_some() {
                (body, rest) = (Some(last.clone()), before);
            } else if last.is_punct(';') {
                rest = before;
            }
        }
        if let [first, predicates @ ..] = rest {
            if !first.is_ident("where") {
                return None;
            }
            generics.predicates = predicates.to_vec();
        }
        Some((generics, body))
    }

    /// The parameters as an impl declares them, each with a comma.
    pub(super) fn declared(&self, comma: &Tree<'a>) -> Vec<Tree<'a>> {
        self.params.iter().flat_map(|it| it.declared.iter().chain([comma])).cloned().collect()
    }

    /// The parameters as arguments of the type, each with a comma.
    pub(super) fn arguments(&self, comma: &Tree<'a>) -> Vec<Tree<'a>> {
        self.params.iter().flat_map(|it| it.name.iter().chain([comma])).cloned().collect()
    }

    /// The type's own bounds, with a trailing comma.
    pub(super) fn predicates(&self, comma: &Tree<'a>) -> Vec<Tree<'a>> {
        let mut predicates = self.predicates.clone();
        if predicates.last().is_some_and(|it| !it.is_punct(',')) {
            predicates.push(comma.clone());
        }
        predicates
    }

    pub(super) fn has_types(&self) -> bool {
        self.params.iter().any(|it| it.kind == Kind::Type)
    }

    pub(super) fn has_constants(&self) -> bool {
        self.params.iter().any(|it| it.kind == Kind::Const)
    }

    /// The names of the types.
    pub(super) fn types(&self) -> Vec<String> {
        self.params.iter().filter(|it| it.kind == Kind::Type).filter_map(|it| it.name[0].written()).collect()
    }

    /// [`Generics::declared`] and [`Generics::arguments`], without lifetimes.
    pub(super) fn without_lifetimes(&self, comma: &Tree<'a>) -> (Vec<Tree<'a>>, Vec<Tree<'a>>) {
        let others = || self.params.iter().filter(|it| it.kind != Kind::Lifetime);
        let declared = others().flat_map(|it| it.declared.iter().chain([comma])).cloned().collect();
        (declared, others().flat_map(|it| it.name.iter().chain([comma])).cloned().collect())
    }

    /// The names of the lifetimes.
    pub(super) fn lifetimes(&self) -> Vec<String> {
        let lifetimes = self.params.iter().filter(|it| it.kind == Kind::Lifetime);
        lifetimes.map(|it| it.name.iter().map(text).collect()).collect()
    }

    fn is_type(&self, tree: &Tree<'_>) -> bool {
        let name = tree.ident();
        name.is_some() && self.params.iter().any(|it| it.kind == Kind::Type && it.name[0].ident() == name)
    }

    /// Whether a type contains one of the type parameters.
    pub(super) fn occur_in(&self, ty: &[Tree<'_>]) -> bool {
        self.used_in(ty).next().is_some() || self.projects(ty)
    }

    /// Whether a type is an associated type of a parameter, such as `T::Item`.
    pub(super) fn projects(&self, ty: &[Tree<'_>]) -> bool {
        matches!(ty, [first, colon, ..] if self.is_type(first) && colon.is_punct(':'))
    }

    /// The type parameters that a type contains, except in `PhantomData` and as the start of a path.
    pub(super) fn used_in(&self, ty: &[Tree<'_>]) -> impl Iterator<Item = String> + use<> {
        let mut used = Vec::new();
        self.collect(ty, &mut used);
        used.into_iter()
    }

    fn collect(&self, ty: &[Tree<'_>], used: &mut Vec<String>) {
        let mut index = 0;
        while let Some(tree) = ty.get(index) {
            let is_path = |at: usize| ty.get(at).is_some_and(|it| it.is_punct(':'));
            if tree.is_ident("PhantomData") {
                let mut depth = 0;
                index += 1;
                while index < ty.len() {
                    depth += angle(ty, index);
                    if depth == 0 {
                        break;
                    }
                    index += 1;
                }
            } else if self.is_type(tree) && !is_path(index + 1) && (index == 0 || !is_path(index - 1)) {
                used.extend(tree.ident().map(str::to_owned));
            } else if let Tree::Group(_, inside) = tree {
                self.collect(&trees(*inside), used);
            }
            index += 1;
        }
    }
}

/// The names of the lifetimes in a type.
pub(super) fn lifetimes_in(ty: &[Tree<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, tree) in ty.iter().enumerate() {
        match tree {
            Tree::Group(_, inside) => found.extend(lifetimes_in(&trees(*inside))),
            quote if quote.is_punct('\'') => {
                found.extend(ty.get(index + 1).and_then(Tree::ident).map(|name| format!("'{name}")));
            }
            _ => {}
        }
    }
    found
}

fn param<'a>(part: &[Tree<'a>]) -> Option<Param<'a>> {
    let (_, part) = super::read::attributes(part);
    let (kind, name) = match part {
        [quote, name, ..] if quote.is_punct('\'') => (Kind::Lifetime, vec![quote.clone(), name.clone()]),
        [first, name, ..] if first.is_ident("const") => (Kind::Const, vec![name.clone()]),
        [name, ..] => (Kind::Type, vec![name.clone()]),
        [] => return None,
    };
    name.last()?.ident()?;
    let mut depth = 0;
    let default = (0..part.len()).find(|&index| {
        depth += angle(part, index);
        depth == 0 && part[index].is_punct('=')
    });
    Some(Param { kind, name, declared: part[..default.unwrap_or(part.len())].to_vec() })
}

fn text(tree: &Tree<'_>) -> String {
    if tree.is_punct('\'') { "'".to_owned() } else { tree.ident().unwrap_or_default().to_owned() }
}
