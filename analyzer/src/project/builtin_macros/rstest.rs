//! rstest: `#[rstest]` makes tests of a function for cases and values, `#[fixture]` makes a value that tests ask for by
//! the name of a parameter.

use super::{
    Call,
    functions::{Attribute, Function, attributes_of, expressions, function},
    tokens::{Quote, Tree, text_of, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// What a parameter gets.
#[derive(Clone)]
enum Source<'a> {
    /// What the fixture of its name makes.
    Fixture,
    /// The value of a case.
    Case,
    /// Each of these values, in a test of its own.
    Values(Vec<Vec<Tree<'a>>>),
    /// Nothing: it stays a parameter of the test.
    Ignored,
    /// What the test is.
    Context,
}

/// A parameter.
struct Input<'a> {
    /// A name for it: its own, or one for a pattern.
    name: String,
    /// As [`Quote`] text.
    binding: String,
    pattern: Vec<Tree<'a>>,
    ty: Vec<Tree<'a>>,
    kept: Vec<Attribute<'a>>,
    source: Source<'a>,
    /// The path of its fixture, if that has another name.
    from: Option<Vec<Tree<'a>>>,
    /// The first arguments of its fixture.
    with: Vec<Vec<Tree<'a>>>,
    /// In a fixture: the value without an argument.
    default: Option<Vec<Tree<'a>>>,
    is_future: bool,
    is_awaited: bool,
    is_by_ref: bool,
    is_traced: bool,
}

/// A case.
#[derive(Clone)]
struct Case<'a> {
    arguments: Vec<Vec<Tree<'a>>>,
    description: Option<String>,
    attributes: Vec<Attribute<'a>>,
}

/// A function with what the attributes say.
struct Test<'a> {
    function: Function<'a>,
    inputs: Vec<Input<'a>>,
    cases: Vec<Case<'a>>,
    /// The names of parameters with the values of cases.
    of_cases: Vec<String>,
    /// Attributes of the macro, which the tests do not have.
    own: Vec<Attribute<'a>>,
    attributes: Vec<Attribute<'a>>,
}

const OWN: [&str; 6] = ["case", "timeout", "trace", "awt", "once", "test_attr"];

fn read<'a>(call: &Call<'a>, quote: &mut Quote<'a>) -> Result<Test<'a>, String> {
    let function = function(&trees(call.item))?;
    let (mut own, mut cases, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
    for attribute in &function.attributes {
        let first = attribute.inside.first().and_then(Tree::ident).unwrap_or_default();
        if first == "case" {
            let description = attribute.last_name().filter(|it| *it != "case").map(str::to_owned);
            let arguments = attribute.arguments().unwrap_or_default();
            let arguments = expressions(&arguments).into_iter().map(<[_]>::to_vec).collect();
            // What stands before a case is only for that case.
            cases.push(Case { arguments, description, attributes: std::mem::take(&mut attributes) });
        } else if OWN.contains(&first) || first == "default" || first.starts_with("partial_") {
            own.push(attribute.clone());
        } else {
            attributes.push(attribute.clone());
        }
    }
    let awaits = own.iter().any(|it: &Attribute<'_>| it.is("awt"));
    let mut inputs = Vec::new();
    for (index, parameter) in function.parameters.iter().enumerate() {
        if parameter.is_self() {
            return Err("a method".to_owned());
        }
        let (name, binding) = match parameter.name() {
            Some(name) => (name.ident().unwrap_or_default().to_owned(), quote.of(std::slice::from_ref(name))),
            None => (format!("__destruct_{index}"), format!("__destruct_{index}")),
        };
        let mut input = Input {
            name,
            binding,
            pattern: parameter.pattern.clone(),
            ty: parameter.ty.clone(),
            kept: Vec::new(),
            source: Source::Fixture,
            from: None,
            with: Vec::new(),
            default: None,
            is_future: false,
            is_awaited: false,
            is_by_ref: false,
            is_traced: true,
        };
        for attribute in &parameter.attributes {
            let arguments = attribute.arguments().unwrap_or_default();
            let list = || expressions(&arguments).into_iter().map(<[_]>::to_vec).collect::<Vec<_>>();
            match attribute.inside.first().and_then(Tree::ident).unwrap_or_default() {
                "case" => input.source = Source::Case,
                "values" => input.source = Source::Values(list()),
                "ignore" => input.source = Source::Ignored,
                "context" => input.source = Source::Context,
                "with" => input.with = list(),
                "from" => input.from = Some(arguments.clone()),
                "default" => input.default = Some(arguments.clone()),
                "future" => {
                    input.is_future = true;
                    input.is_awaited = awaits || arguments.first().is_some_and(|it| it.is_ident("awt"));
                }
                "by_ref" => input.is_by_ref = true,
                "notrace" => input.is_traced = false,
                other @ ("files" | "dirs" | "exclude" | "base_dir" | "mode" | "include_dot_files") => {
                    return Err(format!("`#[{other}]`"));
                }
                _ => input.kept.push(attribute.clone()),
            }
        }
        if input.is_future && input.ty.first().is_some_and(|it| it.is_punct('&')) {
            return Err("a future of a reference".to_owned());
        }
        inputs.push(input);
    }
    let of_cases = inputs.iter().filter(|it| matches!(it.source, Source::Case)).map(|it| it.name.clone()).collect();
    Ok(Test { function, inputs, cases, of_cases, own, attributes })
}

impl<'a> Test<'a> {
    /// Reads the arguments of `#[rstest(…)]`: names, cases, lists of values and arguments of fixtures.
    fn told(&mut self, args: &[Tree<'a>]) -> Result<(), String> {
        for part in expressions(args) {
            let unknown = || "an argument".to_owned();
            let (_, rest) = attributes_of(part);
            match rest {
                [colon, second, word] if colon.is_punct(':') && second.is_punct(':') && word.is_ident("trace") => {
                    self.own.push(Attribute { tokens: Vec::new(), inside: vec![word.clone()] });
                }
                [word, .., group] if word.is_ident("case") && group.group(DelimiterKind::Parenthesis).is_some() => {
                    let inside = group.group(DelimiterKind::Parenthesis).map(trees).unwrap_or_default();
                    let description = rest[rest.len() - 2].ident().filter(|it| *it != "case").map(str::to_owned);
                    let arguments = expressions(&inside).into_iter().map(<[_]>::to_vec).collect();
                    self.cases.push(Case { arguments, description, attributes: attributes_of(part).0 });
                }
                [name, equals, arrow, list] if equals.is_punct('=') && arrow.is_punct('>') => {
                    let inside = trees(list.group(DelimiterKind::Bracket).ok_or_else(unknown)?);
                    let values = expressions(&inside).into_iter().map(<[_]>::to_vec).collect();
                    self.input(name).ok_or_else(unknown)?.source = Source::Values(values);
                }
                [name, equals, value @ ..] if equals.is_punct('=') => {
                    self.input(name).ok_or_else(unknown)?.default = Some(value.to_vec());
                }
                [path, group] if group.group(DelimiterKind::Parenthesis).is_some() => {
                    let inside = group.group(DelimiterKind::Parenthesis).map(trees).unwrap_or_default();
                    let with = expressions(&inside).into_iter().map(<[_]>::to_vec).collect();
                    self.input(path).ok_or_else(unknown)?.with = with;
                }
                [name] => {
                    self.input(name).ok_or_else(unknown)?.source = Source::Case;
                    self.of_cases.push(name.ident().unwrap_or_default().to_owned());
                }
                _ => return Err(unknown()),
            }
        }
        Ok(())
    }

    fn input(&mut self, name: &Tree<'a>) -> Option<&mut Input<'a>> {
        self.inputs.iter_mut().find(|it| name.is_ident(&it.name))
    }

    fn says(&self, name: &str) -> Option<&Attribute<'a>> {
        self.own.iter().find(|it| it.is(name))
    }

    /// The function without the attributes of the macro, behind an attribute.
    fn plain(&self, before: &str, quote: &mut Quote<'a>) -> String {
        let function = &self.function;
        let mut parameters = String::new();
        let mut awaited = String::new();
        for input in &self.inputs {
            let kept: String = input.kept.iter().map(|it| quote.of(&it.tokens)).collect();
            let (pattern, ty) = (quote.of(&input.pattern), quote.of(&input.ty));
            parameters += &match input.is_future {
                true => format!("{kept} {}: impl ::core::future::Future<Output = {ty}>,", input.binding),
                false => format!("{kept} {pattern}: {ty},"),
            };
            if input.is_awaited {
                awaited += &format!("let {pattern} = {}.await;", input.binding);
            }
        }
        let asyncness = if function.is_async { "async" } else { "" };
        let [visibility, qualifiers, generics, predicates] =
            [&function.visibility, &function.qualifiers, &function.generics, &function.predicates]
                .map(|it| quote.of(it));
        let (name, body) =
            (quote.of(std::slice::from_ref(&function.name)), quote.of(std::slice::from_ref(&function.body)));
        let body = if awaited.is_empty() { body } else { format!("{{ {awaited} {body} }}") };
        format!(
            "{before} {visibility} {asyncness} {qualifiers} fn {name} {generics} ({parameters}) {} {predicates} {body}",
            self.output(quote)
        )
    }

    fn output(&self, quote: &mut Quote<'a>) -> String {
        match self.function.output.as_slice() {
            [] => String::new(),
            output => format!("-> {}", quote.of(output)),
        }
    }

    /// The statement that gives a parameter its value.
    fn bind(&self, input: &Input<'a>, value: Option<&[Tree<'a>]>, context: &str, quote: &mut Quote<'a>) -> String {
        let is_mutable = !input.is_future && input.pattern.first().is_some_and(|it| it.is_ident("mut"));
        let value = match (value, &input.source) {
            (Some([literal]), _)
                if literal.literal().is_some_and(|it| it.contains('"')) && self.converts(&input.ty) =>
            {
                let (ty, literal) = (quote.of(&input.ty), quote.of(std::slice::from_ref(literal)));
                format!(
                    "{{ use ::rstest::magic_conversion::*; \
                     (&&&Magic::<{ty}>(::core::marker::PhantomData)).magic_conversion({literal}) }}"
                )
            }
            (Some(value), _) => quote.of(value),
            (None, Source::Context) => context.to_owned(),
            (None, _) => {
                let name = input.name.as_str();
                let path = match &input.from {
                    Some(path) => quote.of(path),
                    None => match name.strip_prefix('_').filter(|it| !it.starts_with('_')) {
                        Some(name) => name.to_owned(),
                        None => input.binding.clone(),
                    },
                };
                let with: Vec<_> = input.with.iter().map(|it| quote.of(it)).collect();
                let which = match with.len() {
                    0 => "default".to_owned(),
                    count => format!("partial_{count}"),
                };
                format!("{path}::{which}({})", with.join(","))
            }
        };
        format!("let {} {} = {value};", if is_mutable { "mut" } else { "" }, input.binding)
    }

    /// Whether a parameter of this type is parsed from a text: any but a type parameter, `impl Trait` and the like.
    fn converts(&self, ty: &[Tree<'a>]) -> bool {
        let is_special = match ty {
            [first, ..] if first.is_ident("impl") || first.is_ident("dyn") || first.is_ident("_") => true,
            [first, ..] if first.is_punct('!') => true,
            [group] => {
                group.group(DelimiterKind::Bracket).is_some_and(|it| !trees(it).iter().any(|it| it.is_punct(';')))
            }
            _ => false,
        };
        let is_parameter = matches!(ty, [name] if self.function.generic_parameters().iter().any(|it| {
            it[0].ident().is_some() && it[0].ident() == name.ident()
        }));
        !is_special && !is_parameter
    }

    /// A test that calls the function with these values.
    fn test(
        &self,
        name: &str,
        values: &[(String, Vec<Tree<'a>>)],
        case: Option<(usize, &Case<'a>)>,
        inner: &str,
        quote: &mut Quote<'a>,
    ) -> String {
        let function = &self.function;
        let of_case = case.map(|(_, case)| case.attributes.as_slice()).unwrap_or_default();
        let is_own = |it: &&Attribute<'_>| OWN.iter().any(|name| it.is(name));
        let attributes = self.attributes.iter().chain(of_case.iter().filter(|it| !is_own(it)));
        let mut head = String::new();
        let mut is_test = false;
        for attribute in attributes {
            is_test |= attribute.last_name() == Some("test");
            head += &quote.of(&attribute.tokens);
        }
        let said = |name: &str| of_case.iter().rev().find(|it| it.is(name)).or_else(|| self.says(name));
        if let Some(explicit) = said("test_attr").and_then(Attribute::arguments) {
            head += &format!("#[{}]", quote.of(&explicit));
        } else if !is_test {
            head += "#[::core::prelude::v1::test]";
        }
        let (description, at) = match case {
            Some((at, case)) => (
                case.description.as_ref().map_or("None".to_owned(), |it| format!("Some({it:?})")),
                format!("::core::option::Option::Some({at})"),
            ),
            None => ("None".to_owned(), "::core::option::Option::None".to_owned()),
        };
        let context = format!(
            "::rstest::Context::new(::core::module_path!(), {:?}, ::core::option::Option::{description}, {at})",
            function.name.ident().unwrap_or_default()
        );
        let (mut parameters, mut bound, mut traced, mut arguments) =
            (String::new(), String::new(), String::new(), Vec::new());
        let is_traced = said("trace").is_some();
        for input in &self.inputs {
            let value = values.iter().find(|(name, _)| *name == input.name).map(|(_, value)| value.as_slice());
            match input.source {
                Source::Ignored => parameters += &format!("{}: {},", input.binding, quote.of(&input.ty)),
                _ => bound += &self.bind(input, value, &context, quote),
            }
            if is_traced && input.is_traced {
                traced += &format!("::std::print!(\"{} = {{:?}}\\n\", {});", input.name, input.binding);
            }
            arguments.push(format!("{}{}", if input.is_by_ref { "&" } else { "" }, input.binding));
        }
        if !traced.is_empty() {
            traced = format!(
                "::std::print!(\"{{:-^40}}\\n\", \" TEST ARGUMENTS \"); {traced} \
                 ::std::print!(\"{{:-^40}}\\n\", \" TEST START \");"
            );
        }
        let function_name = quote.of(std::slice::from_ref(&function.name));
        let call = format!("{function_name}({})", arguments.join(","));
        let call = match said("timeout").and_then(Attribute::arguments) {
            Some(limit) => {
                let limit = quote.of(&limit);
                match function.is_async {
                    true => format!("::rstest::timeout::execute_with_timeout_async(move || {call}, {limit}).await"),
                    false => format!("::rstest::timeout::execute_with_timeout_sync(move || {call}, {limit})"),
                }
            }
            None if function.is_async => format!("{call}.await"),
            None => call,
        };
        let lifetimes: String = function.lifetimes().iter().map(|it| format!("{},", quote.of(it))).collect();
        let lifetimes = if lifetimes.is_empty() { lifetimes } else { format!("<{lifetimes}>") };
        let asyncness = if function.is_async { "async" } else { "" };
        format!(
            "{head} {asyncness} fn {name} {lifetimes} ({parameters}) {} {{ {inner} {bound} {traced} {call} }}",
            self.output(quote)
        )
    }

    /// The tests for all combinations of values, in modules for all but the last list.
    fn matrix(
        &self,
        lists: &[&Input<'a>],
        values: &[(String, Vec<Tree<'a>>)],
        case: Option<(usize, &Case<'a>)>,
        quote: &mut Quote<'a>,
    ) -> String {
        let Some((list, rest)) = lists.split_first() else { return String::new() };
        let Source::Values(all) = &list.source else { return String::new() };
        let width = all.len().to_string().len();
        let mut made = String::new();
        for (index, value) in (1..).zip(all) {
            let name = format!("{}_{index:0width$}_{:.64}", list.name, sanitized(value));
            let mut values = values.to_vec();
            values.push((list.name.clone(), value.clone()));
            made += &match rest {
                [] => self.test(&name, &values, case, "", quote),
                rest => format!("mod {name} {{ use super::*; {} }}", self.matrix(rest, &values, case, quote)),
            };
        }
        made
    }
}

/// An expression as part of a name.
fn sanitized(value: &[Tree<'_>]) -> String {
    let mut name = String::new();
    for char in text_of(value).chars().filter(|it| !it.is_whitespace()) {
        match char {
            '"' | '\'' => name.push_str("__"),
            ':' | '(' | ')' | '{' | '}' | '[' | ']' | ',' | '.' | '*' | '+' | '/' | '-' | '%' | '^' | '!' | '&'
            | '|' => {
                name.push('_');
            }
            char if char.is_alphanumeric() || char == '_' => name.push(char),
            _ => {}
        }
    }
    name
}

/// The most tests of one function.
const MOST_TESTS: usize = 4000;
/// The most parameters of a fixture: it has a function for each of them, with all.
const MOST_PARAMETERS: usize = 100;

pub(super) fn rstest(call: &Call<'_>) -> Result<TopSubtree, String> {
    let mut quote = Quote::default();
    let mut test = read(call, &mut quote)?;
    test.told(&trees(call.args))?;
    let span = test.function.name.span();
    let name = quote.of(std::slice::from_ref(&test.function.name));
    let lists: Vec<&Input<'_>> = test.inputs.iter().filter(|it| matches!(it.source, Source::Values(_))).collect();
    if test.cases.is_empty() && lists.is_empty() {
        let inner = test.plain("", &mut quote);
        let text = test.test(&name, &[], None, &inner, &mut quote);
        return Ok(quote.made(span, &text));
    }
    let length = |it: &&Input<'_>| if let Source::Values(values) = &it.source { values.len() } else { 1 };
    let count = lists.iter().map(length).fold(test.cases.len().max(1), usize::saturating_mul);
    if count > MOST_TESTS {
        return Err(format!("{count} tests"));
    }
    let mut tests = String::new();
    // A list without values makes no test, however long the others are.
    let has_tests = count > 0;
    if test.cases.is_empty() && has_tests {
        tests = test.matrix(&lists, &[], None, &mut quote);
    }
    let width = test.cases.len().to_string().len();
    for (index, case) in test.cases.iter().enumerate() {
        let description = case.description.as_ref().map(|it| format!("_{it}")).unwrap_or_default();
        let name = format!("case_{:0width$}{description}", index + 1);
        let values: Vec<_> = test.of_cases.iter().cloned().zip(case.arguments.iter().cloned()).collect();
        tests += &match lists.as_slice() {
            [] => test.test(&name, &values, Some((index, case)), "", &mut quote),
            _ if !has_tests => format!("mod {name} {{}}"),
            lists => {
                format!(
                    "mod {name} {{ use super::*; {} }}",
                    test.matrix(lists, &values, Some((index, case)), &mut quote)
                )
            }
        };
    }
    let plain = test.plain("#[cfg(test)]", &mut quote);
    Ok(quote.made(span, &format!("{plain} #[cfg(test)] mod {name} {{ use super::*; {tests} }}")))
}

/// The generic parameters and predicates that some types need, as text: those that they mention, and those that bounds
/// of these mention.
fn needed<'a>(function: &Function<'a>, types: &[&[Tree<'a>]], quote: &mut Quote<'a>) -> (String, String) {
    let parameters = function.generic_parameters();
    let name = |it: &[Tree<'a>]| it.iter().find_map(|it| it.ident().filter(|it| *it != "const")).map(str::to_owned);
    let predicates = function.predicates.split_first().map_or(&[][..], |(_, rest)| rest);
    let predicates = super::tokens::parts(predicates);
    let mut used: Vec<String> = Vec::new();
    let mut texts: Vec<Vec<Tree<'a>>> = types.iter().map(|it| it.to_vec()).collect();
    while let Some(text) = texts.pop() {
        for parameter in &parameters {
            let Some(name) = name(parameter).filter(|it| !used.contains(it) && mentions(&text, it)) else { continue };
            texts.push(parameter.to_vec());
            let of_it = predicates.iter().filter(|it| it.iter().find_map(Tree::ident) == Some(name.as_str()));
            texts.extend(of_it.map(|it| it.to_vec()));
            used.push(name);
        }
    }
    let is_used = |it: &[Tree<'a>]| name(it).is_some_and(|it| used.contains(&it));
    let mut list = |of: &[&[Tree<'a>]]| {
        of.iter().filter(|it| is_used(it)).map(|it| format!("{},", quote.of(it))).collect::<String>()
    };
    let (parameters, predicates) = (list(&parameters), list(&predicates));
    let wrapped = |text: String, before: &str, after: &str| match text.is_empty() {
        true => text,
        false => format!("{before} {text} {after}"),
    };
    (wrapped(parameters, "<", ">"), wrapped(predicates, "where", ""))
}

fn mentions(trees_: &[Tree<'_>], name: &str) -> bool {
    trees_.iter().any(|it| match it {
        Tree::Group(_, inside) => mentions(&trees(*inside), name),
        leaf => leaf.is_ident(name),
    })
}

pub(super) fn fixture(call: &Call<'_>) -> Result<TopSubtree, String> {
    let mut quote = Quote::default();
    let mut fixture = read(call, &mut quote)?;
    fixture.told(&trees(call.args))?;
    let span = fixture.function.name.span();
    let function = &fixture.function;
    let inputs = &fixture.inputs;
    if inputs.iter().any(|it| it.is_future) {
        return Err("a future".to_owned());
    }
    if inputs.len() > MOST_PARAMETERS {
        return Err(format!("{} parameters", inputs.len()));
    }
    let (asyncness, awaited) = if function.is_async { ("async", ".await") } else { ("", "") };
    let is_once = fixture.says("once").is_some();
    let [name, visibility, generics, predicates] =
        [std::slice::from_ref(&function.name), &function.visibility, &function.generics, &function.predicates]
            .map(|it| quote.of(it));
    let attributes: String = fixture.attributes.iter().map(|it| quote.of(&it.tokens)).collect();
    let bindings: Vec<&str> = inputs.iter().map(|it| it.binding.as_str()).collect();
    let bindings = bindings.join(",");
    let parameters: Vec<String> =
        inputs.iter().map(|it| format!("mut {}: {},", it.binding, quote.of(&it.ty))).collect();
    let returns = |ty: &[Tree<'_>], quoted: String| match (ty.is_empty(), is_once) {
        (true, _) => String::new(),
        (false, true) => format!("-> &'static {quoted}"),
        (false, false) => format!("-> {quoted}"),
    };
    let mut call = format!("{name}({bindings}){awaited}");
    if is_once {
        let ty = quote.of(&function.output);
        call = match function.output.is_empty() {
            true => format!("static CELL: ::std::sync::Once = ::std::sync::Once::new(); CELL.call_once(|| {call});"),
            false => format!(
                "static CELL: ::std::sync::OnceLock<{ty}> = ::std::sync::OnceLock::new(); CELL.get_or_init(|| {call})"
            ),
        };
    }
    let mut makers = String::new();
    for count in 0..=inputs.len() {
        let which = if count == 0 { "default".to_owned() } else { format!("partial_{count}") };
        let own = fixture.says(&which).and_then(Attribute::arguments);
        let ty = own.unwrap_or_else(|| function.output.clone());
        let mut types: Vec<&[Tree<'_>]> = inputs[..count].iter().map(|it| it.ty.as_slice()).collect();
        types.push(&ty);
        let (generics, predicates) = needed(function, &types, &mut quote);
        let quoted = quote.of(&ty);
        let bound: String = inputs[count..]
            .iter()
            .map(|it| fixture.bind(it, it.default.as_deref(), "::core::unimplemented!()", &mut quote))
            .collect();
        makers += &format!(
            "pub {asyncness} fn {which} {generics} ({}) {} {predicates} {{ {bound} Self::get({bindings}){awaited} }}",
            parameters[..count].concat(),
            returns(&ty, quoted),
        );
    }
    let ty = quote.of(&function.output);
    let get = returns(&function.output, ty);
    let plain = fixture.plain(&attributes, &mut quote);
    let text = format!(
        "{visibility} struct {name} {{}} \
         impl {name} {{ {attributes} pub {asyncness} fn get {generics} ({}) {get} {predicates} \
         {{ {call} }} {makers} }} {plain}",
        parameters.concat()
    );
    Ok(quote.made(span, &text))
}
