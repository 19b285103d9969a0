//! const_format: the macros behind `concatcp!` and `formatcp!`. The calls around them name the crate `__cf_osRcTFl4A`.

use super::{
    Call, NOT_EXPANDED,
    tokens::{Quote, Tree, parts, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// What the expansions use of the crate.
const PMR: &str = "__cf_osRcTFl4A::pmr";
/// Maximum length of a text. The crate's own code computes the length of an array type instead, which rust-analyzer
/// does not evaluate.
const LONGEST: usize = 16_384;

/// The concatenation of arguments, each an expression of `PArgument`, after these statements.
fn concatenated(statements: &str, arguments: &[String]) -> String {
    let arguments = arguments.join(",");
    format!(
        "({{ const __PARTS: &[{PMR}::PArgument] = {{ {statements} &[{arguments}] }}; \
         const __ARRAY: &{PMR}::LenAndArray<[u8; {LONGEST}]> = &{PMR}::__priv_concatenate(__PARTS); \
         const __TEXT: &str = unsafe {{ ::core::str::from_utf8_unchecked(::core::slice::from_raw_parts( \
         __ARRAY.array.as_ptr(), __ARRAY.len)) }}; \
         if {PMR}::PArgument::calc_len(__PARTS) > {LONGEST} {{ {NOT_EXPANDED}::const_format::concatcp }} else {{ __TEXT }} }})"
    )
}

fn displayed(expression: &str) -> String {
    format!("{PMR}::PConvWrapper({expression}).to_pargument_display({PMR}::FormattingFlags::NEW)")
}

fn made(call: &Call<'_>, item: &[Tree<'_>], quote: &Quote<'_>, text: &str) -> TopSubtree {
    quote.made(item.first().map_or_else(|| call.span, Tree::span), text)
}

/// The values of all arguments.
pub(super) fn concat(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let mut quote = Quote::default();
    let arguments: Vec<String> = parts(&item).into_iter().map(|it| displayed(&quote.of(it))).collect();
    Ok(made(call, &item, &quote, &concatenated("", &arguments)))
}

/// A piece of a format.
#[derive(PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    /// The next argument.
    Next,
    /// The argument with this number.
    Number(usize),
    /// The argument or constant with this name.
    Name(String),
}

/// The pieces of a format; `None` if a placeholder is not a plain one.
fn pieces(format: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '{' && chars.peek() != Some(&'{') {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            let mut hole = String::new();
            loop {
                match chars.next()? {
                    '}' => break,
                    char => hole.push(char),
                }
            }
            pieces.push(match hole.trim() {
                "" => Piece::Next,
                number if number.starts_with(|it: char| it.is_ascii_digit()) => Piece::Number(number.parse().ok()?),
                name if name.chars().all(|it| it.is_alphanumeric() || it == '_') => Piece::Name(name.to_owned()),
                _ => return None,
            });
            continue;
        }
        // A doubled brace is one.
        if matches!(char, '{' | '}') && chars.next() != Some(char) {
            return None;
        }
        text.push(char);
    }
    pieces.push(Piece::Text(text));
    pieces.retain(|it| *it != Piece::Text(String::new()));
    Some(pieces)
}

/// The text of a literal in any number of parentheses.
fn literal(tokens: &[Tree<'_>]) -> Option<String> {
    match tokens {
        [Tree::Group(_, inside)] => literal(&trees(*inside)),
        [tree] => tree.string(),
        _ => None,
    }
}

/// A format and its arguments, of which some have names.
pub(super) fn format(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let all = parts(&item);
    let (text, arguments) = all.split_first().ok_or("no format")?;
    let pieces =
        literal(text).and_then(|it| pieces(&it)).ok_or("a format other than a literal with plain placeholders")?;
    let mut quote = Quote::default();
    let mut locals = String::new();
    let mut names = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        // A macro passes an expression on in parentheses.
        let inside = argument.first().and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees);
        let (name, value) = match inside.as_deref().unwrap_or(argument) {
            [name, equals, value @ ..] if equals.is_punct('=') && !value.first().is_some_and(|it| it.is_punct('=')) => {
                (name.written(), quote.of(value))
            }
            _ => (None, quote.of(argument)),
        };
        locals += &format!("let __argument{index} = {value};");
        names.push(name);
    }
    let mut next = 0;
    let shown = pieces.iter().map(|piece| {
        let index = match piece {
            Piece::Text(text) => return Ok(displayed(&format!("{text:?}"))),
            Piece::Next => {
                next += 1;
                next - 1
            }
            Piece::Number(index) => *index,
            Piece::Name(name) => match names.iter().position(|it| it.as_ref() == Some(name)) {
                Some(index) => index,
                None => return Ok(displayed(name)),
            },
        };
        if index < names.len() { Ok(displayed(&format!("__argument{index}"))) } else { Err("a missing argument") }
    });
    let shown: Vec<String> = shown.collect::<Result<_, _>>()?;
    Ok(made(call, &item, &quote, &concatenated(&locals, &shown)))
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[test]
    fn formats_have_pieces() {
        let text = |it: &str| Piece::Text(it.to_owned());
        let name = Piece::Name("name".to_owned());
        assert_eq!(
            pieces("a {{b}} {}{1}{name}!"),
            Some(vec![text("a {b} "), Piece::Next, Piece::Number(1), name, text("!")])
        );
        assert_eq!(pieces(""), Some(Vec::new()));
        assert!(["{:?}", "{x:5}", "{", "}", "{a b}"].iter().all(|it| pieces(it).is_none()));
    }
}
