//! Attributes of web frameworks and runtimes, and attributes that change nothing that a run shows.

use super::{
    Call,
    functions::{Function, arguments, expressions, function},
    read::{attribute, with},
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// The item as it is: the attribute checks it, documents it or orders tests.
pub(super) fn unchanged(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let mut quote = Quote::default();
    let text = quote.of(&item);
    Ok(quote.made(item.first().map_or(call.span, Tree::span), &text))
}

/// A function that is no longer `async`: what stands before it, everything up to the body, and the body.
fn blocking<'a>(function: &Function<'a>, before: &str, run: &dyn Fn(&str) -> String, quote: &mut Quote<'a>) -> String {
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
    let output = if function.output.is_empty() { String::new() } else { format!("-> {}", quote.of(&function.output)) };
    let run = run(&body);
    format!(
        "{before} {attributes} {visibility} {qualifiers} fn {name} {generics} {params} {output} {predicates} {{ {run} }}"
    )
}

/// A function whose body a runtime runs.
fn run_by(call: &Call<'_>, is_test: bool, run: &dyn Fn(&str) -> String) -> Result<TopSubtree, String> {
    let function = function(&trees(call.item))?;
    if !function.is_async {
        return Err("a function that is not `async`".to_owned());
    }
    let mut quote = Quote::default();
    let is_marked = function.attributes.iter().any(|it| it.is("test"));
    let before = if is_test && !is_marked { "#[::core::prelude::v1::test]" } else { "" };
    let text = blocking(&function, before, run, &mut quote);
    Ok(quote.made(function.name.span(), &text))
}

/// The runtime of actix, as an attribute may name it.
fn system(call: &Call<'_>, default: &str) -> Result<String, String> {
    let mut system = default.to_owned();
    for argument in arguments(&trees(call.args)).ok_or("an argument")? {
        let path = argument.value.first().and_then(Tree::string);
        system = path.filter(|_| argument.name == "system").ok_or("an argument")?;
    }
    Ok(system)
}

fn actix(call: &Call<'_>, is_test: bool, system: &str) -> Result<TopSubtree, String> {
    let moved = if is_test { "" } else { "move" };
    run_by(call, is_test, &|body| format!("<{system}>::new().block_on(async {moved} {body})"))
}

/// It ignores its arguments.
pub(super) fn actix_web_main(call: &Call<'_>) -> Result<TopSubtree, String> {
    actix(call, false, "::actix_web::rt::System")
}

pub(super) fn actix_web_test(call: &Call<'_>) -> Result<TopSubtree, String> {
    actix(call, true, "::actix_web::rt::System")
}

pub(super) fn actix_rt_main(call: &Call<'_>) -> Result<TopSubtree, String> {
    actix(call, false, &system(call, "::actix_rt::System")?)
}

pub(super) fn actix_rt_test(call: &Call<'_>) -> Result<TopSubtree, String> {
    actix(call, true, &system(call, "::actix_rt::System")?)
}

pub(super) fn async_std_main(call: &Call<'_>) -> Result<TopSubtree, String> {
    run_by(call, false, &|body| format!("::async_std::task::block_on(async {body})"))
}

pub(super) fn async_std_test(call: &Call<'_>) -> Result<TopSubtree, String> {
    run_by(call, true, &|body| format!("::async_std::task::block_on(async {body})"))
}

pub(super) fn futures_test(call: &Call<'_>) -> Result<TopSubtree, String> {
    run_by(call, true, &|body| format!("::futures_test::__private::block_on(async {body})"))
}

pub(super) fn rocket_main(call: &Call<'_>) -> Result<TopSubtree, String> {
    run_by(call, false, &|body| format!("::rocket::async_main(async move {body})"))
}

pub(super) fn rocket_test(call: &Call<'_>) -> Result<TopSubtree, String> {
    run_by(call, true, &|body| format!("::rocket::async_test(async move {body})"))
}

/// `#[rocket::launch]`: the function makes a server, `main` launches it.
pub(super) fn rocket_launch(call: &Call<'_>) -> Result<TopSubtree, String> {
    let function = function(&trees(call.item))?;
    let mut quote = Quote::default();
    let attributes: String = function.attributes.iter().map(|it| quote.of(&it.tokens)).collect();
    let is_inferred = matches!(function.output.as_slice(), [only] if only.is_ident("_"));
    let output = match is_inferred {
        true => "::rocket::Rocket<::rocket::Build>".to_owned(),
        false => quote.of(&function.output),
    };
    let [visibility, name, params, body] = [
        function.visibility.as_slice(),
        std::slice::from_ref(&function.name),
        &function.params,
        std::slice::from_ref(&function.body),
    ]
    .map(|it| quote.of(it));
    let (asyncness, awaited) = if function.is_async { ("async", ".await") } else { ("", "") };
    // The real macro has the same `main` around a function of any name.
    let text = format!(
        "{attributes} {visibility} {asyncness} fn {name} {params} -> {output} {body} \
         fn main() {{ ::rocket::async_main(async move {{ let _ = {name}(){awaited}.launch().await; }}) }}"
    );
    if function.name.is_ident("main") {
        return Err("`main`".to_owned());
    }
    Ok(quote.made(function.name.span(), &text))
}

/// A route of actix-web: a value with the function's name that registers it.
fn route(call: &Call<'_>, guards: &[&str]) -> Result<TopSubtree, String> {
    let function = function(&trees(call.item))?;
    let args = trees(call.args);
    let list = expressions(&args);
    let (path, others) = list.split_first().ok_or("no path")?;
    let mut quote = Quote::default();
    let own_name = function.name.ident().unwrap_or_default().to_owned();
    let (mut name, mut rest, mut methods) = (format!("{own_name:?}"), String::new(), guards.to_vec());
    let mut named = Vec::new();
    for part in others {
        let (key, value) = match part {
            [key, equals, value] if equals.is_punct('=') => (key.ident().unwrap_or_default(), value),
            _ => return Err("an argument".to_owned()),
        };
        let text = value.string().ok_or("an argument")?;
        match key {
            "name" => name = format!("{text:?}"),
            "guard" => rest += &format!(".guard(::actix_web::guard::fn_guard({text}))"),
            "wrap" => rest += &format!(".wrap({text})"),
            "method" => named.push(text),
            other => return Err(format!("the argument `{other}`")),
        }
    }
    let named: Vec<String> = named.iter().map(|it| capitalised(it)).collect();
    methods.extend(named.iter().map(String::as_str));
    let guard = match methods.as_slice() {
        [] => return Err("no method".to_owned()),
        [one] => format!(".guard(::actix_web::guard::{one}())"),
        [first, more @ ..] => {
            let more: String = more.iter().map(|it| format!(".or(::actix_web::guard::{it}())")).collect();
            format!(".guard(::actix_web::guard::Any(::actix_web::guard::{first}()){more})")
        }
    };
    let (path, item) = (quote.of(path), quote.of(&trees(call.item)));
    let (visibility, function_name) = (quote.of(&function.visibility), quote.of(std::slice::from_ref(&function.name)));
    let text = format!(
        "{visibility} struct {function_name}; \
         impl ::actix_web::dev::HttpServiceFactory for {function_name} {{ \
         fn register(self, __config: &mut ::actix_web::dev::AppService) {{ {item} \
         let __resource = ::actix_web::Resource::new({path}).name({name}){guard}{rest}.to({function_name}); \
         ::actix_web::dev::HttpServiceFactory::register(__resource, __config); }} }}"
    );
    Ok(quote.made(function.name.span(), &text))
}

fn capitalised(method: &str) -> String {
    let lower = method.to_ascii_lowercase();
    let mut chars = lower.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

macro_rules! routes {
    ($($name:ident $method:literal;)*) => {
        $(pub(super) fn $name(call: &Call<'_>) -> Result<TopSubtree, String> {
            route(call, &[$method])
        })*
    };
}

routes! {
    get "Get";
    post "Post";
    put "Put";
    delete "Delete";
    head "Head";
    patch "Patch";
    options "Options";
    trace "Trace";
    connect "Connect";
}

pub(super) fn any_route(call: &Call<'_>) -> Result<TopSubtree, String> {
    route(call, &[])
}

/// `axum::extract::FromRef`: each field of a state is a state too.
pub(super) fn from_ref(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        if adt.is_enum || adt.generics.has_types() {
            return Err("an enum or parameters".to_owned());
        }
        let mut impls = String::new();
        for (index, field) in adt.variants[0].fields.iter().enumerate() {
            if attribute(&field.attributes, "from_ref").is_some_and(|it| it.iter().any(|it| it.is_ident("skip"))) {
                continue;
            }
            let (key, ty) = (field.key(index), quote.of(&field.ty));
            impls += &format!(
                "__impl ::axum::extract::FromRef<__type> for {ty} where __own {{ \
                 fn from_ref(__state: &__type) -> Self {{ ::core::clone::Clone::clone(&__state.{key}) }} }}"
            );
        }
        Ok(impls)
    })
}

/// `test_log::test`: a test, by another attribute if one is named. Nothing is logged.
pub(super) fn test_log(call: &Call<'_>) -> Result<TopSubtree, String> {
    let args = trees(call.args);
    let item = trees(call.item);
    let mut quote = Quote::default();
    let attribute = if args.is_empty() { "::core::prelude::v1::test".to_owned() } else { quote.of(&args) };
    let is_marked = function(&item)?.attributes.iter().any(|it| it.last_name() == Some("test"));
    let before = if is_marked && args.is_empty() { String::new() } else { format!("#[{attribute}]") };
    let text = format!("{before} {}", quote.of(&item));
    Ok(quote.made(item.first().map_or(call.span, Tree::span), &text))
}

/// Whether a condition of rustversion holds of the standard library that is embedded.
fn holds(condition: &[Tree<'_>]) -> Option<bool> {
    fn inside<'a>(tree: &Tree<'a>) -> Option<Vec<Tree<'a>>> {
        tree.group(DelimiterKind::Parenthesis).map(trees)
    }
    let list = |tree: &Tree<'_>| -> Option<Vec<bool>> {
        let inside = inside(tree)?;
        expressions(&inside).into_iter().map(holds).collect()
    };
    match condition {
        [word] if word.is_ident("stable") => Some(true),
        [word] if word.is_ident("nightly") || word.is_ident("beta") => Some(false),
        [word, group] if word.is_ident("stable") => Some(version(&inside(group)?)? == supported()),
        [word, group] if word.is_ident("since") => Some(version(&inside(group)?)? <= supported()),
        [word, group] if word.is_ident("before") => Some(version(&inside(group)?)? > supported()),
        [word, group] if word.is_ident("not") => Some(!holds(&inside(group)?)?),
        [word, group] if word.is_ident("any") => Some(list(group)?.contains(&true)),
        [word, group] if word.is_ident("all") => Some(!list(group)?.contains(&false)),
        [word, _] if word.is_ident("nightly") => Some(false),
        _ => None,
    }
}

/// The minor version of Rust whose standard library is embedded.
fn supported() -> u64 {
    crate::project::cargo::TOOLCHAIN.minor
}

/// The minor version that `1.36`, `1.36.0` or a date names.
fn version(tokens: &[Tree<'_>]) -> Option<u64> {
    let text: String = super::tokens::text_of(tokens).chars().filter(|it| !it.is_whitespace()).collect();
    let mut parts = text.split('.');
    (parts.next()? == "1").then_some(())?;
    parts.next()?.parse().ok()
}

/// The item if the condition holds.
fn conditional(call: &Call<'_>, condition: Option<bool>) -> Result<TopSubtree, String> {
    match condition.ok_or("a condition")? {
        true => unchanged(call),
        false => Ok(Quote::default().made(call.span, "")),
    }
}

macro_rules! conditions {
    ($($name:ident $word:literal;)*) => {
        $(pub(super) fn $name(call: &Call<'_>) -> Result<TopSubtree, String> {
            let args = trees(call.args);
            conditional(call, condition($word, &args))
        })*
    };
}

/// A condition that is an attribute of its own.
fn condition(word: &str, args: &[Tree<'_>]) -> Option<bool> {
    match word {
        "stable" if args.is_empty() => Some(true),
        "nightly" | "beta" => Some(false),
        "stable" => Some(version(args)? == supported()),
        "since" => Some(version(args)? <= supported()),
        "before" => Some(version(args)? > supported()),
        "not" => Some(!holds(args)?),
        _ => {
            let list: Vec<bool> = expressions(args).into_iter().map(holds).collect::<Option<_>>()?;
            Some(if word == "any" { list.contains(&true) } else { !list.contains(&false) })
        }
    }
}

conditions! {
    stable "stable";
    beta "beta";
    nightly "nightly";
    since "since";
    before "before";
    not "not";
    any "any";
    all "all";
}

/// `#[rustversion::attr(condition, attributes)]`.
pub(super) fn attributes_if(call: &Call<'_>) -> Result<TopSubtree, String> {
    let (args, item) = (trees(call.args), trees(call.item));
    let list = expressions(&args);
    let (condition, attributes) = list.split_first().ok_or("a condition")?;
    let mut quote = Quote::default();
    let mut text = String::new();
    if holds(condition).ok_or("a condition")? {
        text = attributes.iter().map(|it| format!("#[{}]", quote.of(it))).collect();
    }
    text += &quote.of(&item);
    Ok(quote.made(item.first().map_or(call.span, Tree::span), &text))
}

pub(super) fn cfg(call: &Call<'_>) -> Result<TopSubtree, String> {
    let holds = holds(&trees(call.item)).ok_or("a condition")?;
    Ok(Quote::default().made(call.span, if holds { "true" } else { "false" }))
}
