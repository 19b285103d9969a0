//! Anonymous parameters of trait methods in edition 2015 (the Reference, "Traits", "Parameter patterns").
//!
//! * Symptom: `fn f(u8);` in a trait is reported as a syntax error, and a call of it is unknown, as in clap 2.33.
//! * Test: `tests/suite/project/packages.rs`.
//! * Upstream: #16291.
//! * Goes when: the parser accepts them.
//!
//! In dependencies the parameters are named `_` when the text is loaded. Indentation makes room for that, so offsets
//! outside of the line stay the same. In the workspace, which is edited, the type of such a parameter stays unknown.

use ra_ap_base_db::{EditionedFileId, SourceDatabase};
use ra_ap_parser::LexedStr;
use ra_ap_span::Edition;
use ra_ap_syntax::{AstNode, SyntaxError, SyntaxKind, T};
use std::iter;

/// Whether a syntax error is caused by an anonymous parameter.
pub(crate) fn is_one(db: &dyn SourceDatabase, file: EditionedFileId, edition: Edition, error: &SyntaxError) -> bool {
    if edition != Edition::Edition2015 {
        return false;
    }
    let tree = file.parse(db).tree();
    let token = tree.syntax().token_at_offset(error.range().start()).left_biased();
    let ancestors = || token.iter().flat_map(|token| token.parent_ancestors());
    ancestors().any(|it| it.kind() == SyntaxKind::PARAM_LIST) && ancestors().any(|it| it.kind() == SyntaxKind::TRAIT)
}

/// What is put before an anonymous parameter.
const NAME: &str = "_:";

/// The text with names for the anonymous parameters of a file of edition 2015.
pub(crate) fn named(text: String) -> String {
    let places = anonymous(&text);
    if places.is_empty() {
        return text;
    }
    let mut places = places.into_iter().peekable();
    let mut result = String::with_capacity(text.len() + NAME.len() * places.len());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let of_line: Vec<usize> = iter::from_fn(|| places.next_if(|at| *at < end)).map(|at| at - start).collect();
        let indentation = line.bytes().take_while(|it| *it == b' ').count();
        let mut from = indentation.min(NAME.len() * of_line.len());
        for at in of_line {
            result += &line[from..at];
            result += NAME;
            from = at;
        }
        result += &line[from..];
        start = end;
    }
    result
}

/// Where the anonymous parameters of trait methods begin.
fn anonymous(text: &str) -> Vec<usize> {
    let lexed = LexedStr::new(Edition::Edition2015, text);
    let tokens: Vec<(SyntaxKind, usize)> = (0..lexed.len())
        .filter(|it| !lexed.kind(*it).is_trivia())
        .map(|it| (lexed.kind(it), lexed.text_start(it)))
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = match tokens[at].0 {
            T![trait] => in_trait(&tokens, at, &mut found),
            _ => at + 1,
        };
    }
    found
}

/// Reads a trait; returns the place behind it.
fn in_trait(tokens: &[(SyntaxKind, usize)], start: usize, found: &mut Vec<usize>) -> usize {
    let Some(open) = tokens[start..].iter().position(|it| matches!(it.0, T!['{'] | T![;])).map(|it| start + it) else {
        return tokens.len();
    };
    if tokens[open].0 == T![;] {
        return open;
    }
    let (mut at, mut depth) = (open, 0);
    while let Some((kind, _)) = tokens.get(at) {
        match kind {
            T!['{'] => depth += 1,
            T!['}'] => depth -= 1,
            T![fn] if depth == 1 => {
                at = in_parameters(tokens, behind_generics(tokens, at + 2), found);
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// The place behind the generic parameters that begin at a place, if there are any.
fn behind_generics(tokens: &[(SyntaxKind, usize)], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while let Some(&(kind, _)) = tokens.get(at) {
        match kind {
            T![<] => depth += 1,
            T![>] if tokens[at - 1].0 != T![-] => depth -= 1,
            _ => {}
        }
        if depth == 0 && kind != T![>] {
            break;
        }
        at += 1;
    }
    at
}

/// Reads a parameter list; returns the place behind it.
fn in_parameters(tokens: &[(SyntaxKind, usize)], open: usize, found: &mut Vec<usize>) -> usize {
    let (mut at, mut depth, mut first) = (open, 0, open + 1);
    while let Some(&(kind, _)) = tokens.get(at) {
        let before = tokens.get(at.wrapping_sub(1)).map(|it| it.0);
        match kind {
            T!['('] | T!['['] | T!['{'] | T![<] => depth += 1,
            T![>] if before == Some(T![-]) => {}
            T![')'] | T![']'] | T!['}'] | T![>] => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && kind == T![,] {
            found.extend(start_of_anonymous(&tokens[first.min(at)..at]));
            first = at + 1;
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Where a parameter begins, if it is anonymous.
fn start_of_anonymous(mut parameter: &[(SyntaxKind, usize)]) -> Option<usize> {
    while let [(T![#], _), rest @ ..] = parameter {
        let close = rest.iter().position(|it| it.0 == T![']'])?;
        parameter = &rest[close + 1..];
    }
    // Paths have two colons.
    let runs = parameter.chunk_by(|one, other| one.0 == T![:] && other.0 == T![:]);
    let is_named = runs.filter(|run| run[0].0 == T![:]).any(|run| run.len() % 2 == 1);
    let is_self = parameter.last()?.0 == T![self];
    (!is_named && !is_self).then_some(parameter[0].1)
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn parameters_of_traits_are_named() {
        let text = "\
fn free(a: u8) {}
pub trait Shape<T: ?Sized>: Sized where T: Fn(u8) -> u8 {
    fn area(&self, u8) -> bool;
    fn more<F: Fn(u8) -> Vec<u8>>(&'a mut self, &[u8], Box<Fn(u8, u8) -> u8>, ::std::fmt::Error, [u8; 2]);
        fn named(self, a: ::std::string::String, _: u8, &(b, c): &(u8, u8)) { fn inner(u: u8) {} }
    fn none();
    #[cfg(a)] fn of_attribute(#[b] u8);
}
struct After;
trait Alias = Send;
";
        let expected = "\
fn free(a: u8) {}
pub trait Shape<T: ?Sized>: Sized where T: Fn(u8) -> u8 {
  fn area(&self, _:u8) -> bool;
fn more<F: Fn(u8) -> Vec<u8>>(&'a mut self, _:&[u8], _:Box<Fn(u8, u8) -> u8>, _:::std::fmt::Error, _:[u8; 2]);
        fn named(self, a: ::std::string::String, _: u8, &(b, c): &(u8, u8)) { fn inner(u: u8) {} }
    fn none();
  #[cfg(a)] fn of_attribute(#[b] _:u8);
}
struct After;
trait Alias = Send;
";
        assert_eq!(named(text.to_owned()), expected);
        let of_one = "trait T {\n    fn f(u8);\n}\nfn after() {}\n";
        let with_name = named(of_one.to_owned());
        assert_eq!(with_name.find("fn after"), of_one.find("fn after"));
    }

    /// The work is linear, also for many in one line.
    #[test]
    fn very_many_parameters() {
        let text = format!("trait T {{ {} }}", "fn f(u8); ".repeat(200_000));
        assert_eq!(named(text).matches("_:u8").count(), 200_000);
    }
}
