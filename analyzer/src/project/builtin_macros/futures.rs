//! futures: the macros behind `join!`, `try_join!`, `select!`, `select_biased!` and `stream_select!`. The calls around
//! them name the crate `__futures_crate`.

use super::{
    Call,
    functions::expressions,
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// Statements that keep each future in a pinned place, and the names of these.
fn kept<'a>(futures: &[&[Tree<'a>]], quote: &mut Quote<'a>) -> (String, Vec<String>) {
    let mut text = String::new();
    let names: Vec<String> = (0..futures.len()).map(|index| format!("_fut{index}")).collect();
    for (name, future) in names.iter().zip(futures) {
        text += &format!(
            "let mut {name} = __futures_crate::future::maybe_done({}); \
             let mut {name} = unsafe {{ __futures_crate::Pin::new_unchecked(&mut {name}) }};",
            quote.of(future)
        );
    }
    (text, names)
}

/// A future that polls all, and is ready with `ready` when all are.
fn joined(call: &Call<'_>, poll: &dyn Fn(&str) -> String, ready: &dyn Fn(&[String]) -> String) -> TopSubtree {
    let item = trees(call.item);
    let mut quote = Quote::default();
    let (keep, names) = kept(&expressions(&item), &mut quote);
    let polls: String = names.iter().map(|it| poll(it)).collect();
    let text = format!(
        "{{ {keep} __futures_crate::future::poll_fn(move |__cx: &mut __futures_crate::task::Context<'_>| {{ \
         let mut __all_done = true; {polls} \
         if __all_done {{ __futures_crate::task::Poll::Ready({}) }} \
         else {{ __futures_crate::task::Poll::Pending }} }}).await }}",
        ready(&names)
    );
    let span = item.first().map_or_else(|| call.span, Tree::span);
    quote.made(span, &text)
}

pub(super) fn join(call: &Call<'_>) -> Result<TopSubtree, String> {
    let poll =
        |name: &str| format!("__all_done &= __futures_crate::future::Future::poll({name}.as_mut(), __cx).is_ready();");
    let ready = |names: &[String]| {
        let outputs: String = names.iter().map(|it| format!("{it}.as_mut().take_output().unwrap(),")).collect();
        format!("({outputs})")
    };
    Ok(joined(call, &poll, &ready))
}

pub(super) fn try_join(call: &Call<'_>) -> Result<TopSubtree, String> {
    let poll = |name: &str| {
        format!(
            "if __futures_crate::future::Future::poll({name}.as_mut(), __cx).is_pending() {{ __all_done = false; }} \
             else if {name}.as_mut().output_mut().unwrap().is_err() {{ \
             return __futures_crate::task::Poll::Ready(__futures_crate::Err( \
             {name}.as_mut().take_output().unwrap().err().unwrap())); }}"
        )
    };
    let ready = |names: &[String]| {
        let outputs: String =
            names.iter().map(|it| format!("{it}.as_mut().take_output().unwrap().ok().unwrap(),")).collect();
        format!("__futures_crate::Ok(({outputs}))")
    };
    Ok(joined(call, &poll, &ready))
}

/// A branch of `select!`: `pattern = future => handler`.
struct Branch<'a> {
    pattern: Vec<Tree<'a>>,
    future: Vec<Tree<'a>>,
    handler: Vec<Tree<'a>>,
}

/// All branches.
#[derive(Default)]
struct Branches<'a> {
    branches: Vec<Branch<'a>>,
    complete: Option<Vec<Tree<'a>>>,
    default: Option<Vec<Tree<'a>>>,
}

/// The position of `=>`.
fn arrow(trees: &[Tree<'_>]) -> Option<usize> {
    let starts = |at: usize| at == 0 || !trees[at - 1].is_punct('.') && !trees[at - 1].is_punct('=');
    (0..trees.len().saturating_sub(1)).find(|&at| trees[at].is_punct('=') && trees[at + 1].is_punct('>') && starts(at))
}

fn branches<'a>(item: &[Tree<'a>]) -> Option<Branches<'a>> {
    let mut found = Branches::default();
    let mut rest = item;
    while !rest.is_empty() {
        let arrow = arrow(rest)?;
        let (head, after) = (&rest[..arrow], &rest[arrow + 2..]);
        // A comma may be missing behind a block.
        let is_block = after.first()?.group(DelimiterKind::Brace).is_some()
            && after.get(1).is_none_or(|it| !it.is_punct('.') && !it.is_punct('?'));
        let count = if is_block { 1 } else { expressions(after).first()?.len() };
        let handler = after[..count].to_vec();
        rest = &after[count..];
        if rest.first().is_some_and(|it| it.is_punct(',')) {
            rest = &rest[1..];
        }
        match head {
            [word] if word.is_ident("complete") => found.complete = Some(handler),
            [word] if word.is_ident("default") => found.default = Some(handler),
            head => {
                let is_range = |at: usize| at > 0 && head[at - 1].is_punct('.');
                let equals = (0..head.len()).find(|&at| head[at].is_punct('=') && !is_range(at))?;
                let (pattern, future) = (head[..equals].to_vec(), head[equals + 1..].to_vec());
                found.branches.push(Branch { pattern, future, handler });
            }
        }
    }
    Some(found)
}

fn selected(call: &Call<'_>, is_random: bool) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let Branches { branches, complete, default } = branches(&item).ok_or("a branch")?;
    let mut quote = Quote::default();
    let variants: String = (0..branches.len()).map(|it| format!("_{it}(_{it}),")).collect();
    let parameters: String = (0..branches.len()).map(|it| format!("_{it},")).collect();
    let (mut bound, mut pollers, mut arms) = (String::new(), String::new(), String::new());
    for (index, branch) in branches.iter().enumerate() {
        let is_path = branch.future.iter().all(|it| it.ident().is_some() || it.is_punct(':'));
        let future = quote.of(&branch.future);
        let place = match is_path {
            true => {
                bound += &format!(
                    "__futures_crate::async_await::assert_fused_future(&{future}); \
                     __futures_crate::async_await::assert_unpin(&{future});"
                );
                future
            }
            false => {
                bound += &format!("let mut _{index} = {future};");
                format!("_{index}")
            }
        };
        pollers += &format!(
            "let mut _{index} = |__cx: &mut __futures_crate::task::Context<'_>| {{ \
             let mut __future = unsafe {{ __futures_crate::Pin::new_unchecked(&mut {place}) }}; \
             if __futures_crate::future::FusedFuture::is_terminated(&__future) {{ __futures_crate::None }} else {{ \
             __futures_crate::Some(__futures_crate::future::FutureExt::poll_unpin(&mut __future, __cx) \
             .map(__PrivResult::_{index})) }} }}; \
             let _{index}: &mut dyn FnMut(&mut __futures_crate::task::Context<'_>) \
             -> __futures_crate::Option<__futures_crate::task::Poll<_>> = &mut _{index};"
        );
        let (pattern, handler) = (quote.of(&branch.pattern), quote.of(&branch.handler));
        arms += &format!("__PrivResult::_{index}({pattern}) => {handler},");
    }
    let mut complete_variant = "";
    let mut nothing_polled = "::core::panic!(\"all futures in select! were completed, \
         but no `complete =>` handler was provided\")";
    if let Some(handler) = &complete {
        complete_variant = "Complete";
        nothing_polled = "__futures_crate::task::Poll::Ready(__PrivResult::Complete)";
        arms += &format!("__PrivResult::Complete => {{ {} }},", quote.of(handler));
    }
    let (polled, result) = match &default {
        Some(handler) => (
            "__poll_fn(&mut __futures_crate::task::Context::from_waker(__futures_crate::task::noop_waker_ref()))",
            format!(
                "match __select_result {{ __futures_crate::task::Poll::Ready(__result) => match __result {{ {arms} }}, \
                 _ => {} }}",
                quote.of(handler)
            ),
        ),
        None => ("__futures_crate::future::poll_fn(__poll_fn).await", format!("match __select_result {{ {arms} }}")),
    };
    let shuffle = if is_random { "__futures_crate::async_await::shuffle(&mut __pollers);" } else { "" };
    let text = format!(
        "{{ enum __PrivResult<{parameters}> {{ {variants} {complete_variant} }} \
         let __select_result = {{ {bound} \
         let mut __poll_fn = |__cx: &mut __futures_crate::task::Context<'_>| {{ \
         let mut __any_polled = false; {pollers} let mut __pollers = [{parameters}]; {shuffle} \
         for __poller in &mut __pollers {{ \
         let __poller: &mut &mut dyn FnMut(&mut __futures_crate::task::Context<'_>) \
         -> __futures_crate::Option<__futures_crate::task::Poll<_>> = __poller; \
         match __poller(__cx) {{ \
         __futures_crate::Some(__ready @ __futures_crate::task::Poll::Ready(_)) => return __ready, \
         __futures_crate::Some(__futures_crate::task::Poll::Pending) => __any_polled = true, \
         __futures_crate::None => {{}} }} }} \
         if !__any_polled {{ {nothing_polled} }} else {{ __futures_crate::task::Poll::Pending }} }}; \
         {polled} }}; {result} }}"
    );
    let span = item.first().map_or_else(|| call.span, Tree::span);
    Ok(quote.made(span, &text))
}

pub(super) fn select(call: &Call<'_>) -> Result<TopSubtree, String> {
    selected(call, true)
}

pub(super) fn select_biased(call: &Call<'_>) -> Result<TopSubtree, String> {
    selected(call, false)
}
