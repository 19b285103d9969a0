//! What a program is given from outside: command line, environment, standard input.
//!
//! Where nobody supplies them, a run makes them up from its seed. They are then one choice of many, as the branches on an
//! uninterpreted value are (design §5, origin *input*): what happens from there on rests on some input. Texts rather
//! than uninterpreted bytes, because a text is one that can really be given: no path through a parser is taken that no
//! input takes. Half of them are words that the program itself has, so that `"serve" => …` is reached.

use crate::rng::Rng;
use crate::term::{Origin, Source, Terms};
use std::collections::BTreeMap;

/// Streams of random numbers, one a kind of input: no schedule changes what a run is given.
const ARGS: u64 = 2;
const VARIABLES: u64 = 3;
const ANSWERS: u64 = 4;
/// The first of as many as there are files; standard input is the first.
const FILES: u64 = 1 << 63;

/// What short words people give programs.
const WORDS: &[&str] = &["1", "2", "3", "4", "0", "8", "a", ""];
/// Std's own variables are never set: they change what std does and not what the program means.
const OF_STD: &[u8] = b"RUST_";
/// Most lines of a made-up standard input.
const LINES: u32 = 4;

/// An input that a run made up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// The command line, without the program's name.
    Args(Vec<Vec<u8>>),
    /// An environment variable, and its value if it is set.
    Variable(Vec<u8>, Option<Vec<u8>>),
    /// All of standard input.
    Stdin(Vec<u8>),
    /// All of some file.
    File(Vec<u8>),
}

/// A C string in the machine's memory, by its address.
type CString = u64;

/// The inputs of a run, as far as the program asked for them.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Number and address of the command line's array.
    pub(crate) args: Option<(u64, u64)>,
    /// The environment, as far as it is known: what was set and read.
    pub(crate) variables: BTreeMap<Vec<u8>, Option<(Vec<u8>, CString)>>,
    /// Whether `variables` holds all of them.
    pub(crate) is_complete: bool,
    /// What was made up.
    pub(crate) given: Vec<Given>,
    /// How many file descriptors were given out.
    pub(crate) opened: u64,
    /// How many answers of the operating system were made up.
    answers: u64,
    /// The rest of each made-up file, by its descriptor.
    files: BTreeMap<u64, Vec<u8>>,
}

/// Makes inputs up.
pub(crate) struct Chooser<'a> {
    /// The seed of the run.
    pub(crate) seed: u64,
    /// Words of the program's own.
    pub(crate) words: &'a [Box<[u8]>],
}

impl Chooser<'_> {
    fn word(&self, rng: &mut Rng) -> Vec<u8> {
        if self.words.is_empty() || rng.chance(1, 2) {
            WORDS[rng.index(WORDS.len())].as_bytes().to_vec()
        } else {
            self.words[rng.index(self.words.len())].to_vec()
        }
    }

    /// A command line: a name and up to four more.
    pub(crate) fn args(&self) -> Vec<Vec<u8>> {
        let mut rng = Rng::with_stream(self.seed, ARGS);
        let count = rng.below(5);
        let mut args = vec![b"program".to_vec()];
        args.extend((0..count).map(|_| self.word(&mut rng)));
        args
    }

    /// Whether it is not up to chance whether a variable is set.
    pub(crate) fn is_fixed(name: &[u8]) -> bool {
        name.starts_with(OF_STD)
    }

    /// The value of a variable that is no fixed one, if it is set; the same whenever it is asked for.
    pub(crate) fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        let stream = name.iter().fold(VARIABLES, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        let mut rng = Rng::with_stream(self.seed, stream);
        rng.chance(1, 2).then(|| self.word(&mut rng))
    }

    /// A text of a few lines, the last of which may have no end.
    fn file(&self, descriptor: u64) -> Vec<u8> {
        let mut rng = Rng::with_stream(self.seed, FILES + descriptor);
        let mut text = Vec::new();
        for _ in 0..rng.below(LINES + 1) {
            text.extend(self.word(&mut rng));
            text.push(b'\n');
        }
        if rng.chance(1, 4) {
            text.pop();
        }
        text
    }
}

impl Inputs {
    /// At most `len` bytes of a made-up file.
    pub(crate) fn read(&mut self, chooser: &Chooser<'_>, descriptor: u64, len: usize) -> Vec<u8> {
        let rest = self.files.entry(descriptor).or_insert_with(|| {
            let text = chooser.file(descriptor);
            self.given.push(if descriptor == 0 { Given::Stdin(text.clone()) } else { Given::File(text.clone()) });
            text
        });
        let taken = len.min(rest.len());
        rest.drain(..taken).collect()
    }

    /// Whether the next call of the operating system succeeds: most do.
    pub(crate) fn answer(&mut self, chooser: &Chooser<'_>) -> bool {
        self.answers += 1;
        let mut rng = Rng::with_stream(chooser.seed, ANSWERS | self.answers << 8);
        rng.chance(3, 4)
    }
}

impl Terms {
    /// Notes that the run goes on with an input that is one of many.
    pub(crate) fn chose_input(&mut self, func: crate::ir::FnId, site: crate::ir::Site) {
        self.count += 1;
        *self.sources.entry(Source { origin: Origin::Input, func, site }).or_default() += 1;
        self.rests_on = self.rests_on.max(Some(Origin::Input));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVE: &[u8] = b"serve";

    fn chooser<T>(seed: u64, then: impl Fn(&Chooser<'_>) -> T) -> T {
        then(&Chooser { seed, words: &[SERVE.into()] })
    }

    #[test]
    fn all_kinds_come_up() {
        let args: Vec<_> = (0..100).map(|seed| chooser(seed, |chooser| chooser.args())).collect();
        for count in 1..=5 {
            assert!(args.iter().any(|args| args.len() == count), "{count}");
        }
        assert!(args.iter().any(|args| args.get(1).is_some_and(|arg| arg == SERVE)));
        let mode = |seed| chooser(seed, |chooser| chooser.variable(b"MODE"));
        let set = (0..100).filter(|seed| mode(*seed).is_some()).count();
        assert!((30..70).contains(&set), "{set}");
        assert!((0..100).any(|seed| mode(seed).is_some_and(|value| value == SERVE)));
        assert!((0..100).all(|seed| mode(seed) == mode(seed)));
        assert!((0..100).any(|seed| mode(seed) != chooser(seed, |chooser| chooser.variable(b"OTHER"))));
        assert!(Chooser::is_fixed(b"RUST_MIN_STACK") && !Chooser::is_fixed(b"MODE"));
    }

    #[test]
    fn standard_input_ends() {
        let chooser = Chooser { seed: 7, words: &[] };
        let whole = Inputs::default().read(&chooser, 0, 100);
        let mut inputs = Inputs::default();
        let mut parts = Vec::new();
        loop {
            let part = inputs.read(&chooser, 0, 1);
            if part.is_empty() {
                break;
            }
            parts.extend(part);
        }
        assert_eq!(parts, whole);
        let text = |seed, descriptor| Inputs::default().read(&Chooser { seed, words: &[] }, descriptor, 100);
        assert!((0..20).any(|seed| !text(seed, 0).is_empty()));
        assert!((0..20).any(|seed| text(seed, 0) != text(seed, 3)));
    }

    #[test]
    fn most_calls_succeed() {
        let chooser = Chooser { seed: 7, words: &[] };
        let mut inputs = Inputs::default();
        let succeed = (0..1000).filter(|_| inputs.answer(&chooser)).count();
        assert!((700..800).contains(&succeed), "{succeed}");
    }
}
