//! A parser for functions and for the arguments of attributes.

use super::{
    read::{attributes, signature},
    tokens::{Tree, angle, parts, trees},
};
use ra_ap_tt::DelimiterKind;

/// An attribute, with and without `#` and brackets.
#[derive(Clone)]
pub(super) struct Attribute<'a> {
    pub(super) tokens: Vec<Tree<'a>>,
    pub(super) inside: Vec<Tree<'a>>,
}

impl<'a> Attribute<'a> {
    /// Whether its path is this name.
    pub(super) fn is(&self, name: &str) -> bool {
        self.inside.first().is_some_and(|it| it.is_ident(name))
            && !self.inside.get(1).is_some_and(|it| it.is_punct(':'))
    }

    /// The name at the end of its path.
    pub(super) fn last_name(&self) -> Option<&str> {
        let is_path = |it: &&Tree<'a>| it.ident().is_some() || it.is_punct(':');
        self.inside.iter().take_while(is_path).last()?.ident()
    }

    /// The contents of the parentheses behind its path.
    pub(super) fn arguments(&self) -> Option<Vec<Tree<'a>>> {
        self.inside.last()?.group(DelimiterKind::Parenthesis).map(trees)
    }
}

/// The attributes before an item, and the rest.
pub(super) fn attributes_of<'t, 'a>(item: &'t [Tree<'a>]) -> (Vec<Attribute<'a>>, &'t [Tree<'a>]) {
    let (inside, rest) = attributes(item);
    let tokens = item.chunks(2).map(<[_]>::to_vec);
    (tokens.zip(inside).map(|(tokens, inside)| Attribute { tokens, inside }).collect(), rest)
}

/// A parameter.
pub(super) struct Parameter<'a> {
    pub(super) attributes: Vec<Attribute<'a>>,
    /// `self` in any form, or the pattern.
    pub(super) pattern: Vec<Tree<'a>>,
    /// Empty for `self` without a type.
    pub(super) ty: Vec<Tree<'a>>,
}

impl<'a> Parameter<'a> {
    pub(super) fn is_self(&self) -> bool {
        self.pattern.iter().any(|it| it.is_ident("self"))
    }

    /// The name, if the pattern is one.
    pub(super) fn name(&self) -> Option<&Tree<'a>> {
        match self.pattern.as_slice() {
            [mutable, name] if mutable.is_ident("mut") && name.ident().is_some() => Some(name),
            [name] if name.ident().is_some() => Some(name),
            _ => None,
        }
    }
}

/// A function.
pub(super) struct Function<'a> {
    pub(super) attributes: Vec<Attribute<'a>>,
    pub(super) visibility: Vec<Tree<'a>>,
    pub(super) is_async: bool,
    /// `const`, `unsafe`, `extern` and its ABI.
    pub(super) qualifiers: Vec<Tree<'a>>,
    pub(super) name: Tree<'a>,
    /// With the angle brackets; empty if there are none.
    pub(super) generics: Vec<Tree<'a>>,
    pub(super) parameters: Vec<Parameter<'a>>,
    /// The parameters in parentheses.
    pub(super) params: Vec<Tree<'a>>,
    /// Empty if it is not written.
    pub(super) output: Vec<Tree<'a>>,
    /// With `where`; empty if there is none.
    pub(super) predicates: Vec<Tree<'a>>,
    /// The braces.
    pub(super) body: Tree<'a>,
    /// Everything before the body.
    pub(super) head: Vec<Tree<'a>>,
}

impl<'a> Function<'a> {
    /// The lifetimes among its parameters, each with the quote.
    pub(super) fn lifetimes(&self) -> Vec<[Tree<'a>; 2]> {
        let starts = self.generic_parameters().into_iter().filter(|it| it[0].is_punct('\''));
        starts.filter_map(|it| Some([it[0].clone(), it.get(1)?.clone()])).collect()
    }

    /// The generic parameters with their bounds.
    pub(super) fn generic_parameters(&self) -> Vec<&[Tree<'a>]> {
        match self.generics.as_slice() {
            [_, inside @ .., _] => parts(inside),
            _ => Vec::new(),
        }
    }
}

/// Reads a function with a body.
pub(super) fn function<'a>(item: &[Tree<'a>]) -> Result<Function<'a>, String> {
    let (attributes, rest) = attributes_of(item);
    let at = rest.iter().position(|it| it.is_ident("fn")).ok_or("no function")?;
    let signature = signature(rest, at).ok_or("a function that is not whole")?;
    let body = rest[signature.end].clone();
    if body.group(DelimiterKind::Brace).is_none() {
        return Err("a function without body".to_owned());
    }
    let mut visibility = 0;
    if rest.first().is_some_and(|it| it.is_ident("pub")) {
        visibility = 1 + usize::from(rest[1].group(DelimiterKind::Parenthesis).is_some());
    }
    let qualifiers = &rest[visibility..at];
    let is_async = |it: &&Tree<'_>| it.is_ident("async");
    let inside = rest[signature.params].group(DelimiterKind::Parenthesis).map(trees).unwrap_or_default();
    let parameters = parts(&inside).into_iter().map(parameter).collect::<Option<Vec<_>>>().ok_or("a parameter")?;
    Ok(Function {
        attributes,
        visibility: rest[..visibility].to_vec(),
        is_async: qualifiers.iter().any(|it| is_async(&it)),
        qualifiers: qualifiers.iter().filter(|it| !is_async(it)).cloned().collect(),
        name: rest[signature.name].clone(),
        generics: rest[signature.name + 1..signature.params].to_vec(),
        parameters,
        params: vec![rest[signature.params].clone()],
        output: rest[signature.output.clone()].to_vec(),
        predicates: rest[signature.output.end..signature.end].to_vec(),
        body,
        head: item[..item.len() - rest.len() + signature.end].to_vec(),
    })
}

fn parameter<'a>(part: &[Tree<'a>]) -> Option<Parameter<'a>> {
    let (attributes, rest) = attributes_of(part);
    let (pattern, ty) = match colon(rest) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &rest[..0]),
    };
    let parameter = Parameter { attributes, pattern: pattern.to_vec(), ty: ty.to_vec() };
    (parameter.is_self() || !ty.is_empty()).then_some(parameter)
}

/// The first colon that is not half of `::`.
pub(super) fn colon(trees: &[Tree<'_>]) -> Option<usize> {
    let is = |at: Option<usize>| at.and_then(|at| trees.get(at)).is_some_and(|it| it.is_punct(':'));
    (0..trees.len()).find(|&at| is(Some(at)) && !is(at.checked_sub(1)) && !is(Some(at + 1)))
}

/// The parts between commas, without an empty last one; each is an expression, in which `<` compares. Commas in type
/// arguments, also those of a closure's result, and between the parameters of a closure do not count.
pub(super) fn expressions<'t, 'a>(trees: &'t [Tree<'a>]) -> Vec<&'t [Tree<'a>]> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut is_closure, mut is_result) = (0, 0, false, false);
    for (index, tree) in trees.iter().enumerate() {
        let before = (index > start).then(|| &trees[index - 1]);
        let is_arrow = tree.is_punct('>') && before.is_some_and(|it| it.is_punct('-'));
        is_result = is_arrow || is_result && tree.group(DelimiterKind::Brace).is_none();
        if tree.is_punct('|') {
            let starts = before.is_none_or(|it| it.is_ident("move") || it.is_punct('=') || it.is_punct('>'));
            is_closure = !is_closure && starts;
        } else if depth > 0 {
            depth += angle(trees, index);
        } else if tree.is_punct('<') && (is_result || before.is_none_or(|it| it.is_punct(':'))) {
            depth = 1;
        }
        if tree.is_punct(',') && depth == 0 && !is_closure {
            parts.push(&trees[start..index]);
            (start, is_result) = (index + 1, false);
        }
    }
    parts.push(&trees[start..]);
    parts.retain(|it| !it.is_empty());
    parts
}

/// An argument of an attribute: `name`, `name = value` or `name(inside)`.
pub(super) struct Argument<'a> {
    pub(super) name: String,
    /// Behind `=`.
    pub(super) value: Vec<Tree<'a>>,
    /// In parentheses.
    pub(super) inside: Option<Vec<Tree<'a>>>,
}

/// Reads the arguments of an attribute; `None` if one has another form.
pub(super) fn arguments<'a>(args: &[Tree<'a>]) -> Option<Vec<Argument<'a>>> {
    let argument = |part: &[Tree<'a>]| {
        let (name, rest) = part.split_first()?;
        let name = name.ident()?.to_owned();
        match rest {
            [] => Some(Argument { name, value: Vec::new(), inside: None }),
            [equals, value @ ..] if equals.is_punct('=') && !value.is_empty() => {
                Some(Argument { name, value: value.to_vec(), inside: None })
            }
            [group] => {
                let inside = trees(group.group(DelimiterKind::Parenthesis)?);
                Some(Argument { name, value: Vec::new(), inside: Some(inside) })
            }
            _ => None,
        }
    };
    expressions(args).into_iter().map(argument).collect()
}
