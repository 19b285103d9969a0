//! `#[tracing::instrument]`: runs a function in a span.

use super::{
    Call,
    functions::{Function, expressions, function},
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// How the versions differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    /// Up to 0.1.15: parameters are shown with `Debug`, whatever they are.
    Old,
    New,
}

pub(super) fn instrument(call: &Call<'_>) -> Result<TopSubtree, String> {
    expand(call, Version::New)
}

pub(super) fn old_instrument(call: &Call<'_>) -> Result<TopSubtree, String> {
    expand(call, Version::Old)
}

/// An event that tells what a function returned.
#[derive(Default)]
struct Event {
    level: Option<String>,
    /// `?` or `%`.
    sigil: Option<char>,
}

/// The arguments of the attribute, as text for a [`Quote`].
#[derive(Default)]
struct Arguments {
    name: Option<String>,
    target: Option<String>,
    level: Option<String>,
    parent: Option<String>,
    follows_from: Option<String>,
    skips: Vec<String>,
    skips_all: bool,
    /// The names of fields that replace parameters of that name.
    replaced: Vec<String>,
    fields: Vec<String>,
    err: Option<Event>,
    ret: Option<Event>,
}

impl Arguments {
    /// Reads them; the macro does not ask for commas.
    fn read<'a>(args: &[Tree<'a>], quote: &mut Quote<'a>) -> Result<Arguments, String> {
        let mut read = Arguments::default();
        let mut rest = args;
        while let [first, after @ ..] = rest {
            rest = after;
            if first.is_punct(',') {
                continue;
            }
            if first.literal().is_some() {
                read.name = Some(quote.of(std::slice::from_ref(first)));
                continue;
            }
            let name = first.ident().ok_or("an argument")?;
            let group = rest.first().and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees);
            let mut takes_group = || {
                rest = &rest[1..];
                group.clone()
            };
            match name {
                "skip_all" => read.skips_all = true,
                "skip" => {
                    let names = group.as_ref().ok_or("`skip`")?;
                    read.skips = names.iter().filter_map(Tree::ident).map(str::to_owned).collect();
                    takes_group();
                }
                "fields" => {
                    let inside = group.as_ref().ok_or("`fields`")?;
                    expressions(inside).into_iter().for_each(|it| read.field(it, quote));
                    takes_group();
                }
                "err" | "ret" => {
                    let event = match &group {
                        Some(inside) => event(inside, quote)?,
                        None => Event::default(),
                    };
                    if group.is_some() {
                        takes_group();
                    }
                    *if name == "err" { &mut read.err } else { &mut read.ret } = Some(event);
                }
                "name" | "target" | "level" | "parent" | "follows_from" => {
                    let Some((equals, value)) = rest.split_first() else { return Err(format!("`{name}`")) };
                    let count = match name {
                        _ if !equals.is_punct('=') => 0,
                        "level" => level_length(value),
                        "name" | "target" => 1,
                        _ => value.iter().take_while(|it| !it.is_punct(',')).count(),
                    };
                    let value = value.get(..count).filter(|it| !it.is_empty()).ok_or_else(|| format!("`{name}`"))?;
                    rest = &rest[1 + count..];
                    let text = if name == "level" { level(value, quote)? } else { quote.of(value) };
                    *match name {
                        "name" => &mut read.name,
                        "target" => &mut read.target,
                        "level" => &mut read.level,
                        "parent" => &mut read.parent,
                        _ => &mut read.follows_from,
                    } = Some(text);
                }
                other => return Err(format!("the argument `{other}`")),
            }
        }
        Ok(read)
    }

    fn field<'a>(&mut self, field: &[Tree<'a>], quote: &mut Quote<'a>) {
        let has_value = field.iter().any(|it| it.is_punct('='));
        let has_sigil = field.first().is_some_and(|it| it.is_punct('%') || it.is_punct('?'));
        let name = if has_sigil { &field[1..] } else { field };
        if let [only] | [only, ..] = name
            && (name.len() == 1 || name[1].is_punct('='))
        {
            self.replaced.extend(only.ident().map(str::to_owned));
        }
        let empty = if has_value || has_sigil { "" } else { "= ::tracing::field::Empty" };
        self.fields.push(format!("{} {empty}", quote.of(field)));
    }

    fn level(&self) -> String {
        self.level.clone().unwrap_or_else(|| "::tracing::Level::INFO".to_owned())
    }

    fn target(&self) -> String {
        self.target.clone().unwrap_or_else(|| "::core::module_path!()".to_owned())
    }

    /// The expression that makes the span.
    fn span<'a>(&self, function: &Function<'a>, version: Version, quote: &mut Quote<'a>) -> String {
        let name = self.name.clone().unwrap_or_else(|| format!("{:?}", function.name.ident().unwrap_or_default()));
        let parent = self.parent.as_ref().map(|it| format!("parent: {it},")).unwrap_or_default();
        let mut fields = String::new();
        let mut names = Vec::new();
        for parameter in &function.parameters {
            match parameter.is_self() {
                true => names.push((parameter.pattern.iter().find(|it| it.is_ident("self")).cloned(), false)),
                false => {
                    let is_value = version == Version::New && is_value(&parameter.ty);
                    bound(&parameter.pattern, is_value, &mut names);
                }
            }
        }
        for (tree, is_value) in names {
            let Some(tree) = tree else { continue };
            let is_in = |names: &[String]| names.iter().any(|it| tree.is_ident(it));
            if self.skips_all || is_in(&self.skips) || is_in(&self.replaced) {
                continue;
            }
            let name = quote.of(&[tree]);
            fields += &match is_value {
                true => format!("{name} = {name},"),
                false => format!("{name} = ::tracing::field::debug(&{name}),"),
            };
        }
        let (target, level, own) = (self.target(), self.level(), self.fields.join(","));
        format!("::tracing::span!(target: {target}, {parent} {level}, {name}, {fields} {own})")
    }

    /// Tells that the span follows others.
    fn follows_from(&self) -> String {
        let tell = |causes: &String| {
            format!("for __tracing_cause in {causes} {{ __tracing_attr_span.follows_from(__tracing_cause); }}")
        };
        self.follows_from.as_ref().map(tell).unwrap_or_default()
    }

    /// Code that computes the result by an expression, tells of it and returns it; without events, the expression.
    fn told(&self, result: &str) -> String {
        let target = self.target();
        let event = |event: &Event, level: String, field: String| {
            let level = event.level.clone().unwrap_or(level);
            format!("::tracing::event!(target: {target}, {level}, {field});")
        };
        let err = self.err.as_ref().map(|it| {
            event(
                it,
                "::tracing::Level::ERROR".to_owned(),
                format!("error = {}__tracing_error", it.sigil.unwrap_or('%')),
            )
        });
        let ret = self
            .ret
            .as_ref()
            .map(|it| event(it, self.level(), format!("return = {}__tracing_value", it.sigil.unwrap_or('?'))));
        match (err, ret) {
            (None, None) => result.to_owned(),
            (None, Some(ret)) => format!("{{ let __tracing_value = {result}; {ret} __tracing_value }}"),
            (Some(err), ret) => format!(
                "match {result} {{ \
                 ::core::result::Result::Ok(__tracing_value) => {{ {} ::core::result::Result::Ok(__tracing_value) }} \
                 ::core::result::Result::Err(__tracing_error) => {{ {err} ::core::result::Result::Err(__tracing_error) }} }}",
                ret.unwrap_or_default()
            ),
        }
    }

    /// Statements of an asynchronous function or block: a future for the body, run in the span.
    fn in_future<'a>(
        &self,
        function: &Function<'a>,
        version: Version,
        body: &Tree<'a>,
        quote: &mut Quote<'a>,
    ) -> String {
        let span = self.span(function, version, quote);
        // The first statement never runs: it gives `return` and `?` their type.
        let typed = match &function.output {
            output if !function.is_async || output.iter().any(|it| it.is_ident("impl")) => String::new(),
            output => {
                let output = if output.is_empty() { "()".to_owned() } else { quote.of(output) };
                format!(
                    "if let ::core::option::Option::Some(__tracing_value) = ::core::option::Option::None::<{output}> \
                     {{ return __tracing_value; }}"
                )
            }
        };
        let body = quote.of(std::slice::from_ref(body));
        let own = match self.err.is_some() || self.ret.is_some() {
            false => format!("async move {{ {typed} {body} }}"),
            true => format!("async move {{ {} }}", self.told(&format!("async move {{ {typed} {body} }}.await"))),
        };
        format!(
            "let __tracing_attr_span = {span}; \
             let __tracing_instrument_future = {own}; \
             if !__tracing_attr_span.is_disabled() {{ \
             {} ::tracing::Instrument::instrument(__tracing_instrument_future, __tracing_attr_span).await \
             }} else {{ __tracing_instrument_future.await }}",
            self.follows_from()
        )
    }

    /// Statements of any other function: the span is entered, then the body runs.
    fn in_place<'a>(&self, function: &Function<'a>, version: Version, quote: &mut Quote<'a>) -> String {
        let (span, level) = (self.span(function, version, quote), self.level());
        let body = quote.of(std::slice::from_ref(&function.body));
        let body = match self.err.is_some() || self.ret.is_some() {
            false => body,
            true => {
                let is_named = !function.output.is_empty() && !function.output.iter().any(|it| it.is_ident("impl"));
                let output = if is_named { format!("-> {}", quote.of(&function.output)) } else { String::new() };
                self.told(&format!("(move || {output} {{ {body} }})()"))
            }
        };
        format!(
            "let __tracing_attr_span; let __tracing_attr_guard; \
             if ::tracing::level_enabled!({level}) || ::tracing::if_log_enabled!({level}, {{ true }} else {{ false }}) {{ \
             __tracing_attr_span = {span}; {} __tracing_attr_guard = __tracing_attr_span.enter(); }} {body}",
            self.follows_from()
        )
    }
}

/// The number of tokens of a level.
fn level_length(value: &[Tree<'_>]) -> usize {
    match value.first() {
        Some(first) if first.literal().is_some() => 1,
        _ => {
            let is_part = |at: usize| match (&value[at], at.checked_sub(1).map(|it| &value[it])) {
                (tree, Some(before)) if tree.ident().is_some() => before.is_punct(':'),
                (tree, _) => tree.ident().is_some() || tree.is_punct(':'),
            };
            (0..value.len()).take_while(|&at| is_part(at)).count()
        }
    }
}

fn level<'a>(value: &[Tree<'a>], quote: &mut Quote<'a>) -> Result<String, String> {
    let Some(literal) = value[0].literal() else { return Ok(quote.of(value)) };
    let name = match literal.trim_matches('"').to_ascii_lowercase().as_str() {
        "trace" | "1" => "TRACE",
        "debug" | "2" => "DEBUG",
        "info" | "3" => "INFO",
        "warn" | "4" => "WARN",
        "error" | "5" => "ERROR",
        _ => return Err("the level".to_owned()),
    };
    Ok(format!("::tracing::Level::{name}"))
}

/// The arguments of `err` and `ret`.
fn event<'a>(inside: &[Tree<'a>], quote: &mut Quote<'a>) -> Result<Event, String> {
    let mut event = Event::default();
    for part in expressions(inside) {
        match part {
            [how] if how.is_ident("Debug") => event.sigil = Some('?'),
            [how] if how.is_ident("Display") => event.sigil = Some('%'),
            [name, equals, value @ ..] if name.is_ident("level") && equals.is_punct('=') && !value.is_empty() => {
                event.level = Some(level(value, quote)?);
            }
            _ => return Err("an argument of an event".to_owned()),
        }
    }
    Ok(event)
}

/// The types whose values are recorded as they are.
const VALUES: [&str; 30] = [
    "bool",
    "str",
    "u8",
    "i8",
    "u16",
    "i16",
    "u32",
    "i32",
    "u64",
    "i64",
    "u128",
    "i128",
    "f32",
    "f64",
    "usize",
    "isize",
    "String",
    "NonZeroU8",
    "NonZeroI8",
    "NonZeroU16",
    "NonZeroI16",
    "NonZeroU32",
    "NonZeroI32",
    "NonZeroU64",
    "NonZeroI64",
    "NonZeroU128",
    "NonZeroI128",
    "NonZeroUsize",
    "NonZeroIsize",
    "Wrapping",
];

fn is_value(ty: &[Tree<'_>]) -> bool {
    let mut rest = ty;
    while let [reference, after @ ..] = rest
        && reference.is_punct('&')
    {
        rest = match after {
            [quote, _, after @ ..] if quote.is_punct('\'') => after,
            after => after,
        };
        rest = if rest.first().is_some_and(|it| it.is_ident("mut")) { &rest[1..] } else { rest };
    }
    // The last name of the path, before its arguments.
    let path = rest.iter().take_while(|it| it.ident().is_some() || it.is_punct(':')).count();
    let rest_is_arguments = rest.get(path).is_none_or(|it| it.is_punct('<'));
    path > 0 && rest_is_arguments && VALUES.iter().any(|name| rest[path - 1].is_ident(name))
}

/// The names that a parameter's pattern binds, and whether their values are recorded as they are.
fn bound<'a>(pattern: &[Tree<'a>], is_value: bool, names: &mut Vec<(Option<Tree<'a>>, bool)>) {
    let is_word = |it: &Tree<'a>| ["ref", "mut", "_"].iter().any(|word| it.is_ident(word));
    match pattern {
        [group] if group.group(DelimiterKind::Parenthesis).is_some() => {
            let inside = group.group(DelimiterKind::Parenthesis).map(trees).unwrap_or_default();
            expressions(&inside).into_iter().for_each(|it| bound(it, false, names));
        }
        [path @ .., group] if matches!(group, Tree::Group(..)) && !path.is_empty() => {
            let Tree::Group(_, inside) = group else { return };
            for part in expressions(&trees(*inside)) {
                let part = match super::functions::colon(part) {
                    Some(at) => &part[at + 1..],
                    None => part,
                };
                bound(part, false, names);
            }
        }
        [reference, rest @ ..] if reference.is_punct('&') => bound(rest, is_value, names),
        [word, rest @ ..] if is_word(word) => bound(rest, is_value, names),
        [name, at, ..] if name.ident().is_some() && at.is_punct('@') => names.push((Some(name.clone()), is_value)),
        [name] if name.ident().is_some() => names.push((Some(name.clone()), is_value)),
        _ => {}
    }
}

/// The future at the end of a function: what comes before it, its block, and whether it is pinned.
struct Ending<'a> {
    before: Vec<Tree<'a>>,
    block: Tree<'a>,
    is_pinned: bool,
}

/// Recognises `Box::pin(async move { … })`, or the block alone, at the end of a function.
fn ending<'a>(inside: &[Tree<'a>], version: Version) -> Option<Ending<'a>> {
    let (last, before) = inside.split_last()?;
    let is_async = |it: &Tree<'_>| it.is_ident("async");
    if let Some(argument) = last.group(DelimiterKind::Parenthesis).map(trees) {
        let [.., owner, _, _, pin] = before else { return None };
        let [first, moved, block] = argument.as_slice() else { return None };
        let is_it = owner.is_ident("Box") && pin.is_ident("pin") && is_async(first) && moved.is_ident("move");
        return is_it.then(|| Ending { before: before.to_vec(), block: block.clone(), is_pinned: true });
    }
    last.group(DelimiterKind::Brace).filter(|_| version == Version::New)?;
    let before = match before {
        [before @ .., first, moved] if is_async(first) && moved.is_ident("move") => before,
        [before @ .., first] if is_async(first) => before,
        _ => return None,
    };
    Some(Ending { before: before.to_vec(), block: last.clone(), is_pinned: false })
}

fn expand(call: &Call<'_>, version: Version) -> Result<TopSubtree, String> {
    let mut quote = Quote::default();
    let args = Arguments::read(&trees(call.args), &mut quote)?;
    let function = function(&trees(call.item))?;
    let head = quote.of(&function.head);
    let inside = function.body.group(DelimiterKind::Brace).map(trees).unwrap_or_default();
    let body = match ending(&inside, version) {
        _ if function.is_async => args.in_future(&function, version, &function.body, &mut quote),
        Some(Ending { before, block, is_pinned }) => {
            let future = format!("async move {{ {} }}", args.in_future(&function, version, &block, &mut quote));
            let before = quote.of(&before);
            if is_pinned { format!("{before}({future})") } else { format!("{before} {future}") }
        }
        None => args.in_place(&function, version, &mut quote),
    };
    Ok(quote.made(function.name.span(), &format!("{head} {{ {body} }}")))
}
