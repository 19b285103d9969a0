//! Text that is no module: never a panic, but an error and where it is.

use super::{code, watched};
use interp::rng::Rng;
use interp::text::parse;

/// Texts tried of each kind.
const TEXTS: u64 = 4_000;

/// Whatever the text, it is a module that is printed and parsed to the same, or an error at a place in it.
fn check(text: &str) -> bool {
    match parse(text) {
        Ok(module) => {
            let _ = module.verify();
            let printed = module.to_string();
            let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{text}\nprinted:\n{printed}"));
            assert_eq!(again, module, "{text}");
            true
        }
        Err(error) => {
            let lines: Vec<&str> = text.split('\n').collect();
            let line = lines.get(error.line.wrapping_sub(1) as usize);
            let is_there = line.is_some_and(|line| (1..=line.chars().count() as u32 + 1).contains(&error.col));
            assert!(is_there && !error.message.is_empty(), "{error} in\n{text}");
            false
        }
    }
}

#[test]
fn any_bytes() {
    watched(TEXTS, |seed| {
        let mut rng = Rng::with_stream(seed, 11);
        let len = rng.below(400);
        // Most bytes from a part of ASCII, so that there are words and numbers too.
        let bytes: Vec<u8> =
            (0..len).map(|_| if rng.chance(1, 8) { rng.next_u32() as u8 } else { 32 + rng.below(95) as u8 }).collect();
        check(&String::from_utf8_lossy(&bytes));
    });
}

/// The words, numbers and signs of a text, with what stands between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let belongs = |c: char| c == '_' || c.is_alphanumeric();
        let end = if belongs(first) { rest.find(|c| !belongs(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// What numbers, strings and signs can be wrong with.
const ODD: [&str; 24] = [
    "-",
    "--1",
    "0x",
    "0xg",
    "340282366920938463463374607431768211456",
    "18446744073709551616",
    "4294967296",
    "-1",
    "\"",
    "\"\\x",
    "\"\\u\"",
    "\"\\xff\"",
    "//",
    "..",
    "->",
    "%",
    "%0",
    "%4294967295",
    "é",
    "\u{feff}",
    "s",
    "f",
    "L0:",
    "\0",
];

#[test]
fn any_tokens() {
    watched(TEXTS, |seed| {
        let mut rng = Rng::with_stream(seed, 12);
        let text = code::random(seed % 50);
        let tokens = tokens(&text);
        let mut soup = String::new();
        for _ in 0..rng.below(120) {
            match rng.below(12) {
                0 => soup.push_str(ODD[rng.index(ODD.len())]),
                // A run of them, so that more than the first words make sense.
                1..=5 => {
                    let start = rng.index(tokens.len());
                    let end = (start + 1 + rng.index(12)).min(tokens.len());
                    soup.extend(tokens[start..end].iter().copied());
                }
                _ => soup.push_str(tokens[rng.index(tokens.len())]),
            }
            if rng.chance(1, 3) {
                soup.push(' ');
            }
        }
        check(&soup);
    });
}

#[test]
fn mutated_modules() {
    let mut modules = 0;
    watched(TEXTS, move |seed| {
        let mut rng = Rng::with_stream(seed, 13);
        let text = code::random(seed % 200);
        let mut tokens: Vec<&str> = tokens(&text);
        for _ in 0..1 + rng.below(3) {
            let (at, other) = (rng.index(tokens.len()), rng.index(tokens.len()));
            match rng.below(6) {
                0 => drop(tokens.remove(at)),
                1 => tokens.swap(at, other),
                2 => tokens.insert(at, tokens[other]),
                3 => tokens[at] = tokens[other],
                4 => tokens[at] = ODD[rng.index(ODD.len())],
                _ if rng.chance(1, 4) => tokens.truncate(at + 1),
                _ => tokens[at] = "",
            }
        }
        modules += u32::from(check(&tokens.concat()));
        if seed + 1 == TEXTS {
            assert!(modules > 300, "{modules}");
        }
    });
}
