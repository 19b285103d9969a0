//! What a program is given from outside: command line, environment, standard input.
//!
//! Where nobody supplies them, a run makes them up from its seed. They are then one choice of many, as the branches on an
//! uninterpreted value are (decision 7, origin *input*): what happens from there on rests on some input. Texts rather
//! than uninterpreted bytes, because a text is one that can really be given: no path through a parser is taken that no
//! input takes. Half of them are words that the program itself has, so that `"serve" => …` is reached.

use crate::rng::Rng;
use crate::term::{Origin, Source, Terms};
use std::collections::BTreeMap;

/// Streams of random numbers, one a kind of input: no schedule changes what a run is given.
const ARGS: u64 = 2;
const VARIABLES: u64 = 3;
const ANSWERS: u64 = 4;
/// The first of as many as there are parameters.
const NUMBERS: u64 = 5;
const TEXTS: u64 = 6;
/// The first of as many as there are paths.
const PATHS: u64 = 7;
/// The first of as many as there are streams without a path; standard input is the first.
const STREAMS: u64 = 1 << 63;

/// What short words people give programs.
const WORDS: &[&str] = &["1", "2", "3", "4", "0", "8", "a", ""];
/// What numbers people give functions.
const SMALL: &[u64] = &[2, 1, 3, 4, 0, 8, 2, 5];
/// Std's own variables are never set: they change what std does and not what the program means.
const OF_STD: &[u8] = b"RUST_";
/// Most lines of a made-up standard input.
const LINES: u32 = 4;

/// An input that a run made up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MadeUpInput {
    /// The command line, without the program's name.
    Args(Vec<Vec<u8>>),
    /// An environment variable, and its value if it is set.
    Variable(Vec<u8>, Option<Vec<u8>>),
    /// All of standard input.
    Stdin(Vec<u8>),
    /// All that a socket or the like gives.
    Stream(Vec<u8>),
    /// What is at a path.
    Path(Vec<u8>, MadeUpPath),
    /// A number for a parameter.
    Number(Vec<u8>, u64),
    /// A text for a parameter.
    Text(Vec<u8>, Vec<u8>),
}

/// What a run made up to be at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MadeUpPath {
    /// Neither file nor folder.
    Nothing,
    /// A folder, and what is in it if the program listed it.
    Folder(Option<Vec<Vec<u8>>>),
    /// A file, and its text if the program asked for it.
    File(Option<Vec<u8>>),
}

/// What a program does to a path of which nothing is known: that it is right to do so is likelier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExpectedPath {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// It asks.
    Any,
    /// Nothing, to make a file.
    NewFile,
    /// Nothing, to make a folder.
    NewFolder,
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
    pub(crate) given: Vec<MadeUpInput>,
    /// How many answers of the operating system were made up.
    pub(crate) answers: u64,
    /// The rest of each made-up stream.
    streams: BTreeMap<u64, Vec<u8>>,
}

/// Makes inputs up.
pub(crate) struct Chooser<'a> {
    /// The seed of the run.
    pub(crate) seed: u64,
    /// Words of the program's own.
    pub(crate) dictionary: &'a [Box<[u8]>],
}

impl Chooser<'_> {
    fn word(&self, rng: &mut Rng) -> Vec<u8> {
        if self.dictionary.is_empty() || rng.chance(1, 2) {
            WORDS[rng.index(WORDS.len())].as_bytes().to_vec()
        } else {
            self.dictionary[rng.index(self.dictionary.len())].to_vec()
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
        let mut rng = self.of_name(VARIABLES, name);
        rng.chance(1, 2).then(|| self.word(&mut rng))
    }

    /// A number for a parameter, the same for the same one.
    pub(crate) fn number(&self, label: &[u8]) -> u64 {
        let mut rng = self.of_name(NUMBERS, label);
        SMALL[rng.index(SMALL.len())]
    }

    /// A text for a parameter, the same for the same one.
    pub(crate) fn text_for(&self, label: &[u8]) -> Vec<u8> {
        self.word(&mut self.of_name(TEXTS, label))
    }

    /// What is decided of a name, the same whenever it is asked for.
    fn of_name(&self, kind: u64, name: &[u8]) -> Rng {
        let stream = name.iter().fold(kind, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        Rng::with_stream(self.seed, stream)
    }

    /// What is at a path.
    pub(crate) fn there(&self, path: &[u8], expect: ExpectedPath) -> MadeUpPath {
        let mut rng = self.of_name(PATHS, path);
        let (draw, is_file) = (rng.below(4), rng.chance(3, 4));
        match expect {
            ExpectedPath::File | ExpectedPath::Any if draw < 3 && (is_file || expect == ExpectedPath::File) => {
                MadeUpPath::File(None)
            }
            ExpectedPath::Folder | ExpectedPath::Any if draw < 3 => MadeUpPath::Folder(None),
            ExpectedPath::NewFile if draw < 1 => MadeUpPath::File(None),
            ExpectedPath::NewFolder if draw < 1 => MadeUpPath::Folder(None),
            _ => MadeUpPath::Nothing,
        }
    }

    /// The text of the file at a path.
    pub(crate) fn text_at(&self, path: &[u8]) -> Vec<u8> {
        let mut rng = self.of_name(PATHS, path);
        // These decided what is there.
        rng.next_u64();
        self.text(&mut rng.split())
    }

    /// The names of what is in the folder at a path.
    pub(crate) fn names_in(&self, path: &[u8]) -> Vec<Vec<u8>> {
        let mut rng = self.of_name(PATHS, path).split();
        let count = rng.below(5);
        let mut names: Vec<_> = (0..count).map(|_| self.word(&mut rng)).collect();
        let is_name = |it: &Vec<u8>| !it.is_empty() && it.len() < 256 && !it.starts_with(b".");
        names.retain(|it| is_name(it) && !it.iter().any(|byte| matches!(byte, b'/' | 0)));
        names.sort();
        names.dedup();
        names
    }

    /// A text of a few lines, the last of which may have no end.
    fn text(&self, rng: &mut Rng) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..rng.below(LINES + 1) {
            text.extend(self.word(rng));
            text.push(b'\n');
        }
        if rng.chance(1, 4) {
            text.pop();
        }
        text
    }
}

impl Inputs {
    /// At most `len` bytes of a made-up stream.
    pub(crate) fn read(&mut self, chooser: &Chooser<'_>, stream: u64, len: usize) -> Vec<u8> {
        let rest = self.streams.entry(stream).or_insert_with(|| {
            let text = chooser.text(&mut Rng::with_stream(chooser.seed, STREAMS + stream));
            self.given.push(if stream == 0 {
                MadeUpInput::Stdin(text.clone())
            } else {
                MadeUpInput::Stream(text.clone())
            });
            text
        });
        let taken = len.min(rest.len());
        rest.drain(..taken).collect()
    }

    /// Notes what was made up, once.
    pub(crate) fn note(&mut self, given: MadeUpInput) {
        if !self.given.contains(&given) {
            self.given.push(given);
        }
    }

    /// Notes what was made up to be at a path; more of the same takes the place of less.
    pub(crate) fn note_path(&mut self, path: &[u8], there: MadeUpPath) {
        let known = self.given.iter_mut().find_map(|given| match given {
            MadeUpInput::Path(at, known) if at == path => Some(known),
            _ => None,
        });
        match known {
            Some(known) => *known = there,
            None => self.given.push(MadeUpInput::Path(path.to_vec(), there)),
        }
    }

    /// Why the next call of the operating system fails, one of these reasons: most do not. In most runs none fails: a program
    /// that asks for much before it does anything, as a runtime is started, would rarely get to anything.
    pub(crate) fn failure(&mut self, chooser: &Chooser<'_>, reasons: &[i32]) -> Option<i32> {
        self.answers += 1;
        let mut rng = Rng::with_stream(chooser.seed, ANSWERS | self.answers << 8);
        let is_calm = Rng::with_stream(chooser.seed, ANSWERS).chance(3, 4);
        let fails = !is_calm && !rng.chance(3, 4);
        fails.then(|| reasons[rng.index(reasons.len())])
    }
}

impl Terms {
    /// Notes that the run goes on with an input that is one of many.
    pub(crate) fn chose_input(&mut self, func: crate::ir::FnId, site: crate::ir::Site) {
        self.count += 1;
        *self.sources.entry(Source { origin: Origin::Input, func, site }).or_default() += 1;
        self.choose_for(Origin::Input);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVE: &[u8] = b"serve";

    fn chooser<T>(seed: u64, then: impl Fn(&Chooser<'_>) -> T) -> T {
        then(&Chooser { seed, dictionary: &[SERVE.into()] })
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
        let chooser = Chooser { seed: 7, dictionary: &[] };
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
        let text = |seed, stream| Inputs::default().read(&Chooser { seed, dictionary: &[] }, stream, 100);
        assert!((0..20).any(|seed| !text(seed, 0).is_empty()));
        assert!((0..20).any(|seed| text(seed, 0) != text(seed, 3)));
    }

    #[test]
    fn most_calls_succeed() {
        let failures = |seed| {
            let mut inputs = Inputs::default();
            let chooser = Chooser { seed, dictionary: &[] };
            (0..100).filter_map(|_| inputs.failure(&chooser, &[5, 28])).collect::<Vec<_>>()
        };
        let all: Vec<_> = (0..100).map(failures).collect();
        let calm = all.iter().filter(|it| it.is_empty()).count();
        assert!((65..85).contains(&calm), "{calm}");
        for some in all.iter().filter(|it| !it.is_empty()) {
            assert!((10..45).contains(&some.len()) && some.contains(&5) && some.contains(&28), "{some:?}");
        }
    }

    #[test]
    fn most_of_what_is_asked_for_is_there() {
        let there = |seed, expect| Chooser { seed, dictionary: &[] }.there(b"/etc/hosts", expect);
        let count = |expect, is: &MadeUpPath| (0..1000).filter(|seed| there(*seed, expect) == *is).count();
        let (file, folder) = (MadeUpPath::File(None), MadeUpPath::Folder(None));
        for (expect, what, range) in [
            (ExpectedPath::File, &file, 700..800),
            (ExpectedPath::File, &folder, 0..1),
            (ExpectedPath::Folder, &folder, 700..800),
            (ExpectedPath::Any, &file, 500..620),
            (ExpectedPath::Any, &folder, 140..240),
            (ExpectedPath::NewFile, &file, 200..300),
            (ExpectedPath::NewFolder, &folder, 200..300),
        ] {
            assert!(range.contains(&count(expect, what)), "{expect:?} {what:?}");
        }
        let text = |seed, path: &[u8]| Chooser { seed, dictionary: &[] }.text_at(path);
        assert!((0..20).all(|seed| text(seed, b"/a") == text(seed, b"/a")));
        assert!((0..20).any(|seed| text(seed, b"/a") != text(seed, b"/b")));
        let names = |seed| Chooser { seed, dictionary: &[SERVE.into(), b"a/b".as_slice().into()] }.names_in(b"/a");
        assert!((0..100).any(|seed| names(seed).contains(&SERVE.to_vec())));
        assert!((0..100).flat_map(names).all(|name| !name.contains(&b'/')));
    }
}
