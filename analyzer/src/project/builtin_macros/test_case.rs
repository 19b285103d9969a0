//! test-case: `#[test_case]` makes a test of a function for each list of arguments, `#[test_matrix]` for all
//! combinations.

use super::{
    Call,
    functions::{Attribute, Function, expressions, function},
    tokens::{Quote, Tree, text_of, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// What a case says behind `=>`.
#[derive(Clone)]
enum Expected<'a> {
    Nothing,
    Value(Vec<Tree<'a>>),
    Pattern(Vec<Tree<'a>>, Vec<Tree<'a>>),
    Panic(Vec<Tree<'a>>),
    With(Vec<Tree<'a>>),
    Function(Vec<Tree<'a>>),
}

/// A test.
struct Case<'a> {
    arguments: Vec<Vec<Tree<'a>>>,
    /// Attributes that skip it, as text.
    ignored: String,
    expected: Expected<'a>,
    name: String,
}

/// The parts of the arguments: values, what is expected, and a comment.
struct Parts<'a> {
    values: Vec<Tree<'a>>,
    ignored: String,
    expected: Option<Expected<'a>>,
    comment: Option<String>,
}

fn parts_of<'a>(args: &[Tree<'a>], quote: &mut Quote<'a>) -> Result<Parts<'a>, String> {
    let (args, comment) = match args.iter().position(|it| it.is_punct(';')) {
        Some(at) => (&args[..at], Some(args.get(at + 1).and_then(Tree::string).ok_or("a comment")?)),
        None => (args, None),
    };
    let arrow = (0..args.len().saturating_sub(1)).find(|&at| args[at].is_punct('=') && args[at + 1].is_punct('>'));
    let (mut ignored, mut expected) = (String::new(), None);
    if let Some(at) = arrow {
        let mut rest = &args[at + 2..];
        let mut is_skipped = false;
        while let [word, after @ ..] = rest
            && (word.is_ident("inconclusive") || word.is_ident("ignore"))
        {
            (rest, is_skipped) = (after, true);
            ignored = "#[ignore]".to_owned();
            if let [reason, after @ ..] = rest
                && let Some(reason) = reason.group(DelimiterKind::Bracket).map(trees)
            {
                ignored = format!("#[ignore = {}]", quote.of(&reason));
                rest = after;
            }
        }
        expected = Some(match rest {
            [] if is_skipped => Expected::Nothing,
            [] => return Err("nothing behind `=>`".to_owned()),
            [word, after @ ..] if word.is_ident("matches") => match after.iter().position(|it| it.is_ident("if")) {
                Some(at) => Expected::Pattern(after[..at].to_vec(), after[at + 1..].to_vec()),
                None => Expected::Pattern(after.to_vec(), Vec::new()),
            },
            [word, after @ ..] if word.is_ident("panics") => Expected::Panic(after.to_vec()),
            [word, after @ ..] if word.is_ident("with") => Expected::With(after.to_vec()),
            [word, after @ ..] if word.is_ident("using") => Expected::Function(after.to_vec()),
            [word, ..] if word.is_ident("it") || word.is_ident("is") => return Err("`it` and `is`".to_owned()),
            value => Expected::Value(value.to_vec()),
        });
    }
    Ok(Parts { values: args[..arrow.unwrap_or(args.len())].to_vec(), ignored, expected, comment })
}

/// The name that the macro gives to a case without a comment, before it is escaped.
fn described(arguments: &[Vec<Tree<'_>>], is_ignored: bool, expected: Option<&Expected<'_>>) -> String {
    let mut name: String = arguments.iter().map(|it| text_of(it) + "_").collect();
    name += "expects";
    let Some(expected) = expected else { return name };
    name += if is_ignored { " inconclusive" } else { " " };
    name + &match expected {
        Expected::Nothing => "empty".to_owned(),
        Expected::Value(value) => text_of(value),
        Expected::Pattern(pattern, guard) => format!("matching {} {}", text_of(pattern), text_of(guard)),
        Expected::Panic(text) if text.is_empty() => "panicking None".to_owned(),
        Expected::Panic(text) => format!("panicking Some({:?})", text_of(text)),
        Expected::With(closure) => format!("with {}", text_of(closure)),
        Expected::Function(path) => format!("use {}", text_of(path)),
    }
}

/// A name for a description: letters and digits, with an underscore for anything between.
fn escaped(description: &str) -> String {
    if description.is_empty() {
        return "_empty".to_owned();
    }
    let mut name = String::new();
    let mut is_between = false;
    for char in description.to_ascii_lowercase().chars() {
        if char.is_alphanumeric() {
            name.push(char);
            is_between = false;
        } else if !is_between {
            name.push('_');
            is_between = true;
        }
    }
    let starts = name.starts_with(|it: char| it == '_' || it.is_ascii_alphabetic());
    if starts { name } else { format!("_{name}") }
}

fn case<'a>(args: &[Tree<'a>], quote: &mut Quote<'a>) -> Result<Vec<Case<'a>>, String> {
    let Parts { values, ignored, expected, comment } = parts_of(args, quote)?;
    let arguments: Vec<_> = expressions(&values).into_iter().map(<[_]>::to_vec).collect();
    let name = comment.unwrap_or_else(|| described(&arguments, !ignored.is_empty(), expected.as_ref()));
    Ok(vec![Case { arguments, ignored, expected: expected.unwrap_or(Expected::Nothing), name: escaped(&name) }])
}

/// The most tests of one function.
const MOST_TESTS: usize = 4000;

fn matrix<'a>(args: &[Tree<'a>], quote: &mut Quote<'a>) -> Result<Vec<Case<'a>>, String> {
    let Parts { values, ignored, expected, comment } = parts_of(args, quote)?;
    let mut all: Vec<Vec<Vec<Tree<'a>>>> = vec![Vec::new()];
    for list in expressions(&values) {
        let choices: Vec<Vec<Tree<'a>>> = match list {
            [group] if group.group(DelimiterKind::Bracket).is_some() => {
                let inside = group.group(DelimiterKind::Bracket).map(trees).unwrap_or_default();
                expressions(&inside).into_iter().map(<[_]>::to_vec).collect()
            }
            other if other.iter().any(|it| it.is_punct('.')) => return Err("a range".to_owned()),
            other => vec![other.to_vec()],
        };
        let extended = |begun: &Vec<Vec<Tree<'a>>>, choice: &Vec<Tree<'a>>| {
            begun.iter().chain([choice]).cloned().collect::<Vec<_>>()
        };
        if all.len().saturating_mul(choices.len()) > MOST_TESTS {
            return Err(format!("more than {MOST_TESTS} tests"));
        }
        all = all.iter().flat_map(|begun| choices.iter().map(move |choice| extended(begun, choice))).collect();
    }
    let case = |arguments: Vec<Vec<Tree<'a>>>| {
        let name = described(&arguments, !ignored.is_empty(), expected.as_ref());
        let name = comment.as_ref().map_or_else(|| name.clone(), |comment| format!("{comment}_{name}"));
        let (ignored, expected) = (ignored.clone(), expected.clone().unwrap_or(Expected::Nothing));
        Case { arguments, ignored, expected, name: escaped(&name) }
    };
    Ok(all.into_iter().map(case).collect())
}

fn is_case(attribute: &Attribute<'_>) -> bool {
    matches!(attribute.last_name(), Some("test_case" | "case"))
}

fn is_matrix(attribute: &Attribute<'_>) -> bool {
    attribute.last_name() == Some("test_matrix")
}

/// The test for a case.
fn test<'a>(case: &Case<'a>, function: &Function<'a>, is_plain: bool, quote: &mut Quote<'a>) -> String {
    let mut head = String::new();
    if !function.is_async {
        head += "#[::core::prelude::v1::test]";
    }
    head += &case.ignored;
    let others = function.attributes.iter().filter(|it| !is_case(it) && !is_matrix(it));
    head += &others.map(|it| quote.of(&it.tokens)).collect::<String>();
    let name = quote.of(std::slice::from_ref(&function.name));
    let arguments: Vec<_> = case.arguments.iter().map(|it| quote.of(it)).collect();
    let awaited = if function.is_async { ".await" } else { "" };
    let mut output = String::new();
    let checked = match &case.expected {
        Expected::Nothing if is_plain => {
            if !function.output.is_empty() {
                output = format!("-> {}", quote.of(&function.output));
            }
            "_result".to_owned()
        }
        Expected::Nothing => String::new(),
        Expected::Value(value) => format!("::core::assert_eq!({}, _result)", quote.of(value)),
        Expected::Pattern(pattern, guard) => {
            let shown = text_of(pattern);
            let (guarded, told) = match guard.is_empty() {
                true => (String::new(), shown),
                false => (format!("if {}", quote.of(guard)), format!("{shown} if {}", text_of(guard))),
            };
            let pattern = quote.of(pattern);
            format!(
                "match _result {{ {pattern} {guarded} => (), \
                 __other => ::core::panic!(\"Expected `{{}}` found {{:?}}\", {told:?}, __other) }}"
            )
        }
        Expected::Panic(text) => {
            head += &match text.is_empty() {
                true => "#[should_panic]".to_owned(),
                false => format!("#[should_panic(expected = {})]", quote.of(text)),
            };
            String::new()
        }
        Expected::With(closure) => format!("let fun = {}; fun(_result)", quote.of(closure)),
        Expected::Function(path) => format!("{}(_result)", quote.of(path)),
    };
    let asyncness = if function.is_async { "async" } else { "" };
    format!(
        "{head} {asyncness} fn {}() {output} {{ let _result = super::{name}({}){awaited}; {checked} }}",
        case.name,
        arguments.join(",")
    )
}

fn expand<'a>(
    call: &Call<'a>,
    first: fn(&[Tree<'a>], &mut Quote<'a>) -> Result<Vec<Case<'a>>, String>,
) -> Result<TopSubtree, String> {
    let mut quote = Quote::default();
    let function = function(&trees(call.item))?;
    let args = trees(call.args);
    let is_plain = |args: &[Tree<'_>]| !args.windows(2).any(|it| it[0].is_punct('=') && it[1].is_punct('>'));
    let mut cases: Vec<(Case<'a>, bool)> = Vec::new();
    let all = |cases: Vec<Case<'a>>, is_plain: bool| cases.into_iter().map(move |it| (it, is_plain));
    cases.extend(all(first(&args, &mut quote)?, is_plain(&args)));
    for attribute in &function.attributes {
        let args = attribute.arguments().unwrap_or_default();
        if is_case(attribute) {
            cases.extend(all(case(&args, &mut quote)?, is_plain(&args)));
        } else if is_matrix(attribute) {
            cases.extend(all(matrix(&args, &mut quote)?, is_plain(&args)));
        }
    }
    if cases.len() > MOST_TESTS {
        return Err(format!("more than {MOST_TESTS} tests"));
    }
    let tests: String = cases.iter().map(|(case, is_plain)| test(case, &function, *is_plain, &mut quote)).collect();
    let kept = function.attributes.iter().filter(|it| it.is("allow"));
    let kept: String = kept.map(|it| quote.of(&it.tokens)).collect();
    let attributes: usize = function.attributes.iter().map(|it| it.tokens.len()).sum();
    let [head, name, body] =
        [&function.head[attributes..], std::slice::from_ref(&function.name), std::slice::from_ref(&function.body)]
            .map(|it| quote.of(it));
    let text = format!("{kept} {head} {body} #[cfg(test)] mod {name} {{ use super::*; {tests} }}");
    Ok(quote.made(function.name.span(), &text))
}

pub(super) fn test_case(call: &Call<'_>) -> Result<TopSubtree, String> {
    expand(call, case)
}

pub(super) fn test_matrix(call: &Call<'_>) -> Result<TopSubtree, String> {
    expand(call, matrix)
}
