//! Mutations of inputs: words of a dictionary, pieces of other inputs, numbers, bytes.

use interp::rng::Rng;
use std::path::Path;

/// Numbers at typical limits.
const NUMBERS: [&str; 9] =
    ["0", "1", "-1", "65536", "4294967295", "9223372036854775808", "18446744073709551616", "1e308", "100000000000000"];
/// Inputs do not become longer.
const LARGEST: usize = 64 << 10;

/// The words of a dictionary in libFuzzer's format: a quoted text on each line.
pub(crate) fn dictionary(path: &Path) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words: Vec<Vec<u8>> = lines.map(|line| unquoted(line).unwrap_or_else(|| panic!("{line}: no word"))).collect();
    assert!(!words.is_empty(), "{} has no words", path.display());
    words
}

fn unquoted(line: &str) -> Option<Vec<u8>> {
    let mut rest = line.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let mut word = Vec::new();
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, rest) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digits = [*high, *low];
                word.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
                rest = after;
            }
            (b'\\', [escaped @ (b'\\' | b'"'), after @ ..]) => {
                word.push(*escaped);
                rest = after;
            }
            (b'\\' | b'"', _) => return None,
            _ => word.push(*byte),
        }
    }
    (!word.is_empty()).then_some(word)
}

/// The mutation with this number: one of the seeds with a few faults.
pub(crate) fn mutate(seeds: &[&[u8]], dictionary: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut rng = Rng::with_stream(number, 2);
    let mut input = seeds[rng.index(seeds.len())].to_vec();
    // Most mutations have one fault.
    for _ in 0..[1, 1, 1, 2, 3, 8][rng.index(6)] {
        fault(&mut input, seeds, dictionary, &mut rng);
        input.truncate(LARGEST);
    }
    input
}

fn fault(input: &mut Vec<u8>, seeds: &[&[u8]], dictionary: &[Vec<u8>], rng: &mut Rng) {
    let word = dictionary[rng.index(dictionary.len())].clone();
    let (token, place) = (token(input, rng), rng.index(input.len() + 1));
    match rng.below(12) {
        0..=2 => drop(input.splice(token, word)),
        3 => drop(input.splice(token.start..token.start, word)),
        4 => {
            let most = [1, 8, 64][rng.index(3)];
            let end = (place + 1 + rng.index(most)).min(input.len());
            input.drain(place..end);
        }
        5 => {
            let line = line(input, rng);
            input.drain(line);
        }
        6 => {
            let copied = input[line(input, rng)].to_vec();
            input.splice(token.start..token.start, copied);
        }
        7 => {
            let mut other = seeds[rng.index(seeds.len())].to_vec();
            let copied = other.drain(line(&other, rng)).collect::<Vec<u8>>();
            let at = line(input, rng).start;
            input.splice(at..at, copied);
        }
        8 => input.truncate(place),
        9 => {
            // Repetitions: depths and lengths.
            let many = [3, 40, 1_000][rng.index(3)];
            input.splice(token, word.repeat(many));
        }
        10 => {
            let digits = (0..input.len()).filter(|at| input[*at].is_ascii_digit()).collect::<Vec<usize>>();
            let number = NUMBERS[rng.index(NUMBERS.len())].bytes();
            if let Some(start) = digits.get(rng.index(digits.len().max(1))) {
                let length = input[*start..].iter().take_while(|it| it.is_ascii_digit()).count();
                input.splice(*start..*start + length, number);
            }
        }
        _ => {
            let byte = [0, 0x1b, 0x7f, 0x80, 0xff, b'\n', b'"', b'\\'][rng.index(8)];
            match input.get_mut(place) {
                Some(there) => *there = byte,
                None => input.push(byte),
            }
        }
    }
}

/// A word, a run of other characters of one kind, or nothing in an empty input.
fn token(input: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    if input.is_empty() {
        return 0..0;
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || byte >= 0x80;
    let at = rng.index(input.len());
    if !is_word(input[at]) {
        return at..at + 1;
    }
    let start = input[..at].iter().rposition(|byte| !is_word(*byte)).map_or(0, |before| before + 1);
    let end = input[at..].iter().position(|byte| !is_word(*byte)).map_or(input.len(), |after| at + after);
    start..end
}

/// A line with its end.
fn line(input: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let at = rng.index(input.len() + 1);
    let start = input[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
    let end = input[at..].iter().position(|byte| *byte == b'\n').map_or(input.len(), |after| at + after + 1);
    start..end
}

#[test]
fn words_of_dictionaries() {
    assert_eq!(unquoted(r#""a\x00\\\"b""#), Some(b"a\0\\\"b".to_vec()));
    for wrong in ["a", "\"a", r#""""#, r#""\q""#, r#""\x0""#, r#""a"b""#] {
        assert_eq!(unquoted(wrong), None, "{wrong}");
    }
}

#[test]
fn a_number_gives_one_mutation() {
    let (seeds, words) = ([b"one two\n3 four\n".as_slice(), b""], [b"five".to_vec()]);
    let all: std::collections::BTreeSet<Vec<u8>> = (0..1_000).map(|number| mutate(&seeds, &words, number)).collect();
    assert!(all.len() > 200, "{} different mutations", all.len());
    assert_eq!(mutate(&seeds, &words, 7), mutate(&seeds, &words, 7));
    assert!((0..1_000).all(|number| mutate(&seeds, &words, number).len() <= LARGEST));
}
