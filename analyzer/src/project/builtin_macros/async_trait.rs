//! `#[async_trait]` and `#[async_recursion]`: turn an `async` function into one that returns a boxed future.

use super::{
    Call,
    functions::function,
    read::{Signature, attributes, signature},
    tokens::{Quote, TokenBuilder, Tree, parts, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

pub(super) fn async_trait(call: &Call<'_>) -> Result<TopSubtree, String> {
    let args = trees(call.args);
    let is_send = match args.as_slice() {
        [] => true,
        [not, send] if not.is_punct('?') && send.is_ident("Send") => false,
        _ => return Err("an argument".to_owned()),
    };
    let item = trees(call.item);
    let Some((Tree::Group(group, inside), head)) = item.split_last() else { return Err("no trait or impl".to_owned()) };
    let is_right = |it: &Tree<'_>| it.is_ident("trait") || it.is_ident("impl");
    let (true, Some(at)) = (group.delimiter.kind == DelimiterKind::Brace, head.iter().position(is_right)) else {
        return Err("no trait or impl".to_owned());
    };
    let mut maker = TokenBuilder::new(head[at].span());
    maker.keep(head);
    let inside = trees(*inside);
    let mut failed = None;
    maker.within(group, |maker| failed = methods(maker, &inside, is_send).err());
    failed.map_or_else(|| Ok(maker.made()), Err)
}

/// `#[async_recursion]`: a function that returns a boxed future.
pub(super) fn async_recursion(call: &Call<'_>) -> Result<TopSubtree, String> {
    let args = trees(call.args);
    let mut send = "+ ::core::marker::Send";
    for part in parts(&args) {
        match part {
            [not, bound] if not.is_punct('?') && bound.is_ident("Send") => send = "",
            [bound] if bound.is_ident("Sync") => {}
            _ => return Err("an argument".to_owned()),
        }
    }
    let function = function(&trees(call.item))?;
    if !function.is_async {
        return Err("a function that is not `async`".to_owned());
    }
    let mut quote = Quote::default();
    let attributes: String = function.attributes.iter().map(|it| quote.of(&it.tokens)).collect();
    let [visibility, qualifiers, name, generics, params, predicates, body] = [
        function.visibility.as_slice(),
        &function.qualifiers,
        std::slice::from_ref(&function.name),
        &function.generics,
        &function.params,
        &function.predicates,
        std::slice::from_ref(&function.body),
    ]
    .map(|it| quote.of(it));
    let output = if function.output.is_empty() { "()".to_owned() } else { quote.of(&function.output) };
    let text = format!(
        "{attributes} {visibility} {qualifiers} fn {name} {generics} {params} -> \
         ::core::pin::Pin<::std::boxed::Box<dyn ::core::future::Future<Output = {output}> {send} + '_>> {predicates} \
         {{ ::std::boxed::Box::pin(async move {body}) }}"
    );
    Ok(quote.made(function.name.span(), &text))
}

/// The items of a trait or an impl.
fn methods(maker: &mut TokenBuilder, items: &[Tree<'_>], is_send: bool) -> Result<(), String> {
    let mut kept = 0;
    let mut index = 0;
    while index < items.len() {
        if !items[index].is_ident("async") {
            index += 1;
            continue;
        }
        let is_qualifier = |it: &Tree<'_>| it.is_ident("unsafe") || it.is_ident("extern") || it.literal().is_some();
        let after = items[index + 1..].iter().take_while(|it| is_qualifier(it)).count() + index + 1;
        if !items.get(after).is_some_and(|it| it.is_ident("fn")) {
            index += 1;
            continue;
        }
        let method = signature(items, after).ok_or("a method that is not whole")?;
        maker.keep(&items[kept..index]);
        maker.keep(&items[index + 1..method.params]);
        boxed(maker, items, &method, is_send)?;
        kept = method.end + 1;
        index = kept;
    }
    maker.keep(&items[kept..]);
    Ok(())
}

/// Rewrites the parameters, type and body of a method.
fn boxed(maker: &mut TokenBuilder, items: &[Tree<'_>], method: &Signature, is_send: bool) -> Result<(), String> {
    let Tree::Group(group, inside) = &items[method.params] else { return Err("parameters".to_owned()) };
    let inside = trees(*inside);
    let params: Vec<Param<'_, '_>> =
        parts(&inside).into_iter().map(param).collect::<Option<_>>().ok_or("a parameter")?;
    maker.within(group, |maker| {
        for (index, param) in params.iter().enumerate() {
            match param {
                Param::Own(own) => maker.keep(own),
                Param::Named { name, ty } => {
                    maker.add("name: ty", &[("name", std::slice::from_ref(*name)), ("ty", *ty)])
                }
                Param::Matched { ty, .. } => maker.add(&format!("__arg{index}: ty"), &[("ty", *ty)]),
            }
            maker.add(",", &[]);
        }
    });
    // A hole for the type, if there is one.
    let (output, written) = match &items[method.output.clone()] {
        [] => ("()", &[][..]),
        written => ("output", written),
    };
    let send = if is_send { "+ ::core::marker::Send" } else { "" };
    let future =
        format!("-> ::core::pin::Pin<::std::boxed::Box<dyn ::core::future::Future<Output = {output}> {send} + '_>>");
    maker.add(&future, &[("output", written)]);
    maker.keep(&items[method.output.end..method.end]);
    let body = &items[method.end];
    if body.is_punct(';') {
        maker.keep(std::slice::from_ref(body));
        return Ok(());
    }
    // The future owns all parameters until its end, including those that the body does not name, as the future of a
    // function does.
    let Tree::Group(braces, _) = body else { return Err("a body".to_owned()) };
    maker.within(braces, |maker| {
        let mut moved = TokenBuilder::new(braces.delimiter.open);
        for (index, param) in params.iter().enumerate() {
            match param {
                Param::Own(_) => moved.add("let _ = &self;", &[]),
                Param::Named { name, .. } => moved.add("let name = name;", &[("name", std::slice::from_ref(*name))]),
                Param::Matched { pattern, .. } => {
                    moved.add(&format!("let __arg = __arg{index}; let pattern = __arg;"), &[("pattern", *pattern)]);
                }
            }
        }
        let moved = moved.made();
        // The first line never runs: it gives `return` and `?` their type.
        maker.add(
            &format!(
                "::std::boxed::Box::pin(async move {{ \
                 if let ::core::option::Option::Some(__result) = ::core::option::Option::None::<{output}> \
                 {{ return __result; }} \
                 moved \
                 let __result: {output} = body; \
                 __result \
                 }})"
            ),
            &[("output", written), ("moved", &trees(moved.token_trees())), ("body", std::slice::from_ref(body))],
        );
    });
    Ok(())
}

/// A parameter of a method.
enum Param<'t, 'a> {
    /// `self` in any form.
    Own(&'t [Tree<'a>]),
    /// A name.
    Named { name: &'t Tree<'a>, ty: &'t [Tree<'a>] },
    /// Any other pattern.
    Matched { pattern: &'t [Tree<'a>], ty: &'t [Tree<'a>] },
}

fn param<'t, 'a>(part: &'t [Tree<'a>]) -> Option<Param<'t, 'a>> {
    let (_, rest) = attributes(part);
    let colon = (0..rest.len()).find(|&it| is_colon(rest, it));
    let (pattern, ty) = match colon {
        Some(colon) => (&rest[..colon], &rest[colon + 1..]),
        None => (rest, &rest[..0]),
    };
    if pattern.iter().any(|it| it.is_ident("self")) {
        return Some(Param::Own(part));
    }
    colon?;
    Some(match pattern {
        [name] if name.ident().is_some_and(|it| it != "_") => Param::Named { name, ty },
        pattern => Param::Matched { pattern, ty },
    })
}

/// Whether a colon stands alone, not as half of `::`.
fn is_colon(trees: &[Tree<'_>], at: usize) -> bool {
    let is = |at: Option<usize>| at.and_then(|at| trees.get(at)).is_some_and(|it| it.is_punct(':'));
    is(Some(at)) && !is(at.checked_sub(1)) && !is(Some(at + 1))
}
