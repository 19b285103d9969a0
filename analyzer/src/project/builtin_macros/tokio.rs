//! tokio: `#[tokio::main]` and `#[tokio::test]` block on the body in a runtime of its own; and the two macros behind
//! `tokio::select!`.

use super::{
    Call,
    read::signature,
    tokens::{TokenBuilder, Tree, parts, trees},
};
use ra_ap_span::Span;
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// The default runtime.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    OneThread,
    /// One thread, which may run tasks that are not `Send`.
    Local,
    ManyThreads,
}

pub(super) fn main(call: &Call<'_>) -> Result<TopSubtree, String> {
    blocking(call, Flavour::ManyThreads, false)
}

/// `main`, in builds of tokio without the multi-thread runtime.
pub(super) fn main_of_one_thread(call: &Call<'_>) -> Result<TopSubtree, String> {
    blocking(call, Flavour::OneThread, false)
}

pub(super) fn test(call: &Call<'_>) -> Result<TopSubtree, String> {
    blocking(call, Flavour::OneThread, true)
}

/// The attribute's arguments.
struct Runtime {
    flavour: Flavour,
    /// Calls of the builder's methods.
    settings: String,
    unhandled_panic: Option<&'static str>,
    /// The path of the crate.
    tokio: String,
}

fn runtime(args: &[Tree<'_>], flavour: Flavour) -> Result<Runtime, String> {
    let mut runtime = Runtime { flavour, settings: String::new(), unhandled_panic: None, tokio: "::tokio".to_owned() };
    let mut has_workers = false;
    for part in parts(args) {
        let [name, equals, value] = part else { return Err("an argument".to_owned()) };
        let name = name.ident().filter(|_| equals.is_punct('=')).ok_or("an argument")?;
        let text = || value.string().ok_or_else(|| format!("`{name}`"));
        match name {
            "flavor" => {
                runtime.flavour = match text()?.as_str() {
                    "current_thread" => Flavour::OneThread,
                    "multi_thread" => Flavour::ManyThreads,
                    "local" => Flavour::Local,
                    other => return Err(format!("the flavour `{other}`")),
                }
            }
            "worker_threads" => {
                let count = value.literal().filter(|it| it.bytes().all(|it| it.is_ascii_digit() || it == b'_'));
                let count = count.ok_or("a number of workers")?;
                runtime.settings.push_str(&format!(".worker_threads({count})"));
                has_workers = true;
            }
            "start_paused" => {
                let value = value.ident().filter(|it| matches!(*it, "true" | "false")).ok_or("`start_paused`")?;
                runtime.settings.push_str(&format!(".start_paused({value})"));
            }
            "unhandled_panic" => {
                runtime.unhandled_panic = Some(match text()?.as_str() {
                    "ignore" => "Ignore",
                    "shutdown_runtime" => "ShutdownRuntime",
                    other => return Err(format!("the behaviour `{other}`")),
                });
            }
            "name" => runtime.settings.push_str(&format!(".name({:?})", text()?)),
            "crate" => {
                let path = value.string().or_else(|| value.ident().map(str::to_owned)).ok_or("`crate`")?;
                let is_path = path.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b':');
                if !is_path {
                    return Err("`crate`".to_owned());
                }
                runtime.tokio = path;
            }
            other => return Err(format!("the argument `{other}`")),
        }
    }
    if let Some(behaviour) = runtime.unhandled_panic {
        let tokio = &runtime.tokio;
        runtime.settings.push_str(&format!(".unhandled_panic({tokio}::runtime::UnhandledPanic::{behaviour})"));
    }
    if has_workers && runtime.flavour != Flavour::ManyThreads {
        return Err("workers of a runtime of one thread".to_owned());
    }
    Ok(runtime)
}

fn blocking(call: &Call<'_>, flavour: Flavour, is_test: bool) -> Result<TopSubtree, String> {
    let Runtime { flavour, settings, tokio, .. } = runtime(&trees(call.args), flavour)?;
    let new = match flavour {
        Flavour::OneThread | Flavour::Local => "new_current_thread",
        Flavour::ManyThreads => "new_multi_thread",
    };
    let build = if flavour == Flavour::Local { "build_local(Default::default())" } else { "build()" };
    let runtime = format!(
        "{tokio}::runtime::Builder::{new}(){settings}.enable_all().{build}.expect(\"Failed building the Runtime\")"
    );
    blocking_on(call, is_test, &format!("{runtime}.block_on(async __body)"))
}

/// The function, not `async`, with this expression for a body; `__body` is the body of before.
fn blocking_on(call: &Call<'_>, is_test: bool, expression: &str) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let at = item.iter().position(|it| it.is_ident("fn")).ok_or("no function")?;
    let is_async = item[..at].iter().position(|it| it.is_ident("async")).ok_or("a function that is not `async`")?;
    let function = signature(&item, at).ok_or("a function that is not whole")?;
    let body = &item[function.end];
    if body.group(DelimiterKind::Brace).is_none() {
        return Err("a function without body".to_owned());
    }
    let mut maker = TokenBuilder::new(item[function.name].span());
    if is_test {
        maker.add("#[::core::prelude::v1::test]", &[]);
    }
    maker.keep(&item[..is_async]);
    maker.keep(&item[is_async + 1..function.end]);
    maker.add(&format!("{{ {expression} }}"), &[("__body", std::slice::from_ref(body))]);
    Ok(maker.made())
}

/// tokio 0.2, with the scheduler of several threads.
pub(super) fn old_main(call: &Call<'_>) -> Result<TopSubtree, String> {
    old_blocking(call, true, false)
}

pub(super) fn old_test(call: &Call<'_>) -> Result<TopSubtree, String> {
    old_blocking(call, true, true)
}

/// tokio 0.2, without that scheduler.
pub(super) fn old_main_of_one_thread(call: &Call<'_>) -> Result<TopSubtree, String> {
    old_blocking(call, false, false)
}

pub(super) fn old_test_of_one_thread(call: &Call<'_>) -> Result<TopSubtree, String> {
    old_blocking(call, false, true)
}

fn old_blocking(call: &Call<'_>, has_threads: bool, is_test: bool) -> Result<TopSubtree, String> {
    let (mut uses_threads, mut settings) = (None, String::new());
    for part in parts(&trees(call.args)) {
        match part {
            [name] if name.is_ident("threaded_scheduler") => uses_threads = uses_threads.or(Some(true)),
            [name] if name.is_ident("basic_scheduler") => uses_threads = uses_threads.or(Some(false)),
            [name, equals, value] if equals.is_punct('=') => {
                let count = value.literal().filter(|it| it.bytes().all(|it| it.is_ascii_digit() || it == b'_'));
                let count = count.ok_or("a number of threads")?;
                match name.ident() {
                    Some("core_threads") => uses_threads = Some(count != "1"),
                    Some("max_threads") => {}
                    _ => return Err("an argument".to_owned()),
                }
                settings.push_str(&format!(".{}({count})", name.ident().unwrap_or_default()));
            }
            _ => return Err("an argument".to_owned()),
        }
    }
    let threaded = if has_threads && uses_threads.unwrap_or(!is_test) { ".threaded_scheduler()" } else { "" };
    let runtime = "::tokio::runtime::Builder::new().basic_scheduler()";
    let build = ".enable_all().build().unwrap().block_on(async __body)";
    blocking_on(call, is_test, &format!("{runtime}{threaded}{settings}{build}"))
}

/// The output type of a `select!`: one variant for each branch, of which there are as many as tokens in the group.
pub(super) fn output_of_select(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let [group] = item.as_slice() else { return Err("branches".to_owned()) };
    let branches = group.group(DelimiterKind::Parenthesis).ok_or("branches")?;
    let count = trees(branches).len();
    let mask = match count {
        0..=8 => "u8",
        9..=16 => "u16",
        17..=32 => "u32",
        33..=64 => "u64",
        _ => return Err("more than 64 branches".to_owned()),
    };
    let list = |text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<String>();
    let params = list(&|it| format!("_{it},"));
    let variants = list(&|it| format!("_{it}(_{it}),"));
    let mut maker = TokenBuilder::new(group.span());
    maker.add(&format!("pub(super) enum Out<{params}> {{ {variants} Disabled }} pub(super) type Mask = {mask};"), &[]);
    Ok(maker.made())
}

/// The pattern with all bindings by reference, whatever the user's pattern does.
pub(super) fn pattern_of_select(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let span: Span = item.first().ok_or("no pattern")?.span();
    let mut maker = TokenBuilder::new(span);
    look(&mut maker, &item);
    Ok(maker.made())
}

fn look(maker: &mut TokenBuilder, pattern: &[Tree<'_>]) {
    for tree in pattern {
        match tree {
            Tree::Group(group, inside) => maker.within(group, |maker| look(maker, &trees(*inside))),
            tree if tree.is_ident("ref") || tree.is_ident("mut") => {}
            tree => maker.keep(std::slice::from_ref(tree)),
        }
    }
}
