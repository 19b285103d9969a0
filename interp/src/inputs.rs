//! Inputs of a program: command line, environment, standard input.
//!
//! If the environment does not supply them, a run makes them up from its seed. They are one choice of many, like
//! branches on an uninterpreted value (decision 7, origin *input*): what follows depends on some input. They are texts
//! instead of uninterpreted bytes because each text is a possible input: no path through a parser is taken that no
//! input takes. Half of the words come from the program itself, so that `"serve" => …` is reached.

use crate::host::{CommandLine, CommandOption, CommandWord, Dictionary};
use crate::rng::Rng;
use crate::term::{Origin, Source, Terms};
use std::collections::BTreeMap;

/// Streams of random numbers, one for each kind of input: the schedule does not change the inputs.
const ARGS: u64 = 2;
const VARIABLES: u64 = 3;
const ANSWERS: u64 = 4;
/// The first of as many as there are parameters.
const NUMBERS: u64 = 5;
const TEXTS: u64 = 6;
/// The first of as many as there are paths.
const PATHS: u64 = 7;
/// The first of as many as there are options.
const OPTIONS: u64 = 8;
const USER: u64 = 9;

const COMMAND_LINES: u64 = 10;
const CHOICES: u64 = 11;
/// The first of as many as there are streams without a path; standard input is the first.
const STREAMS: u64 = 1 << 63;

/// Typical short words on command lines.
const WORDS: &[&str] = &["1", "2", "3", "4", "0", "8", "a", ""];
/// An address that programs may be given.
const LOCAL_HOST: &[u8] = b"127.0.0.1";
/// Typical numbers as arguments of functions.
const SMALL: &[u64] = &[2, 1, 3, 4, 0, 8, 2, 5];
/// Std's own variables are never set: they change std's behaviour, not the program's meaning.
const OF_STD: &[u8] = b"RUST_";
/// Where cargo's own variables lead, programs are found beside the running one.
const OF_CARGO: &[u8] = b"CARGO_BIN_EXE_";
/// Tokio reads these for what only a build with its unstable features may switch on.
const OF_UNSTABLE_TOKIO: &[u8] = b"TOKIO_UNSTABLE_";
/// The system's folder for temporary files is always there.
const TEMPORARY: &[u8] = b"TMPDIR";
/// The first user whom somebody adds to a system has this number.
const FIRST_USER: u64 = 1000;
/// Maximum number of lines of a made-up standard input.
const LINES: u32 = 4;
/// The certificate of an authority that nobody has, as systems keep those that they trust. Its key was thrown away.
const CERTIFICATE: &[u8] = include_bytes!("inputs/certificate.pem");
/// Extensions of files with certificates.
const OF_CERTIFICATES: &[&[u8]] = &[b"pem", b"crt", b"cer"];
/// Mean number of options of a command line that has any.
const OPTIONS_GIVEN: u32 = 2;
/// A program with fewer options is given as many as one with so many.
const FEW_OPTIONS: u32 = 9;

/// An input that a run made up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MadeUpInput {
    /// The command line, without the program's name.
    Args(Vec<Vec<u8>>),
    /// An environment variable, and its value if it is set.
    Variable(Vec<u8>, Option<Vec<u8>>),
    /// All of standard input.
    Stdin(Vec<u8>),
    /// All data from a socket or similar.
    Stream(Vec<u8>),
    /// What exists at a path.
    Path(Vec<u8>, MadeUpPath),
    /// A number for a parameter.
    Number(Vec<u8>, u64),
    /// A text for a parameter.
    Text(Vec<u8>, Vec<u8>),
    /// Whether the command line has an option.
    Option(Vec<u8>, bool),
    /// A signal that came, by its number.
    Signal(i32),
    /// A program that somebody starts beside, by its path.
    SecondProgram(Vec<u8>),
    /// Its command line, without its name.
    SecondProgramArgs(Vec<Vec<u8>>),
}

/// What a run made up for a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MadeUpPath {
    /// Neither file nor folder.
    Nothing,
    /// A folder, with its contents if the program listed it.
    Folder(Option<Vec<Vec<u8>>>),
    /// A file, with its text if the program read it.
    File(Option<Vec<u8>>),
}

/// What a program expects at an unknown path; made-up answers mostly agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExpectedPath {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Anything: it only checks.
    Any,
    /// Nothing: it creates a file.
    NewFile,
    /// Nothing: it creates a folder.
    NewFolder,
}

/// A C string in the machine's memory, by its address.
type CString = u64;

/// The inputs that a run has used so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// Number and address of the command line's array.
    pub(crate) args: Option<(u64, u64)>,
    /// The known variables of the environment: those that were set or read.
    pub(crate) variables: BTreeMap<Vec<u8>, Option<(Vec<u8>, CString)>>,
    /// Whether `variables` is complete.
    pub(crate) is_complete: bool,
    /// All made-up inputs.
    pub(crate) given: Vec<MadeUpInput>,
    /// Number of answers of the operating system that are not the run's own: made-up ones, and those of the environment.
    pub(crate) answers: u64,
    /// Number of calls of the operating system that were made to fail.
    pub(crate) failed_calls: u32,
    /// The document of the dictionary that the entry's process read last.
    pub(crate) document: Option<usize>,
    /// Whether the second program has read a file of the user's: which one decides what it does.
    pub(crate) has_second_document: bool,
    /// The rest of each made-up stream.
    streams: BTreeMap<u64, Vec<u8>>,
}

/// The text of a made-up file.
pub(crate) struct MadeUpText {
    pub(crate) text: Vec<u8>,
    /// The document of the dictionary that it is.
    pub(crate) document: Option<usize>,
}

/// Makes up inputs.
pub(crate) struct Chooser<'a> {
    /// The seed of inputs that are made up once.
    pub(crate) seed: u64,
    /// The seed of inputs that are the same whenever they are asked for.
    pub(crate) first_seed: u64,
    /// The program's dictionary.
    pub(crate) dictionary: &'a Dictionary,
}

impl Chooser<'_> {
    pub(crate) fn word(&self, rng: &mut Rng) -> Vec<u8> {
        let words = &self.dictionary.words;
        if words.is_empty() || rng.chance(1, 2) {
            WORDS[rng.index(WORDS.len())].as_bytes().to_vec()
        } else {
            words[rng.index(words.len())].to_vec()
        }
    }

    /// A longer text of the program's own, or a word.
    pub(crate) fn phrase(&self, rng: &mut Rng) -> Vec<u8> {
        let phrases = &self.dictionary.phrases;
        if phrases.is_empty() { self.word(rng) } else { phrases[rng.index(phrases.len())].to_vec() }
    }

    /// The known command line that a run uses: in half of all runs one, if tests start the program.
    fn known_line(&self) -> Option<&CommandLine> {
        let lines = &self.dictionary.command_lines;
        let mut rng = Rng::with_stream(self.first_seed, COMMAND_LINES);
        (!lines.is_empty() && rng.chance(1, 2)).then(|| &lines[rng.index(lines.len())])
    }

    /// The words of the known command line that a run uses.
    pub(crate) fn known_args(&self) -> Option<&[CommandWord]> {
        self.known_line().map(|it| &*it.words)
    }

    /// Texts of a test that starts the program with the run's command line, or of some test if that is from none.
    pub(crate) fn texts_of_test(&self, rng: &mut Rng) -> &[Box<[u8]>] {
        match self.known_line() {
            Some(line) => {
                let alike: Vec<&CommandLine> =
                    self.dictionary.command_lines.iter().filter(|it| it.words == line.words).collect();
                alike.get(rng.index(alike.len().max(1))).map_or(&[], |it| &it.texts)
            }
            None => {
                let tests = &self.dictionary.tests;
                tests.get(rng.index(tests.len().max(1))).map_or(&[], |it| it)
            }
        }
    }

    /// A command line: a known one, or a name, and in half of all runs up to four arguments. People start most programs
    /// without any.
    pub(crate) fn args(&self) -> Vec<Vec<u8>> {
        let mut rng = Rng::with_stream(self.seed, ARGS);
        if let Some(line) = self.known_args() {
            let given = line.iter().map(|word| match word {
                CommandWord::Text(text) => text.to_vec(),
                CommandWord::Number => SMALL[rng.index(SMALL.len())].to_string().into_bytes(),
                CommandWord::Any => self.word(&mut rng),
            });
            return [b"program".to_vec()].into_iter().chain(given).collect();
        }
        if !self.dictionary.options.is_empty() {
            return self.args_with_options(&mut rng);
        }
        let count = if rng.chance(1, 2) { 0 } else { rng.below(4) + 1 };
        let mut args = vec![b"program".to_vec()];
        args.extend((0..count).map(|_| self.word(&mut rng)));
        args
    }

    /// The same with options that the program declares.
    fn args_with_options(&self, rng: &mut Rng) -> Vec<Vec<u8>> {
        let options = &self.dictionary.options;
        // Often there is one alone. Those without a value choose what the program does.
        let one = rng.below(4);
        let modes: Vec<&CommandOption> = options.iter().filter(|it| it.takes_value != Some(true)).collect();
        let single = match one {
            1 => options.get(rng.index(options.len())),
            2 if !modes.is_empty() => modes.get(rng.index(modes.len())).copied(),
            _ => None,
        };
        let mut given = Vec::new();
        for option in options.iter() {
            let is_one = match one {
                0 => false,
                3 => rng.chance(OPTIONS_GIVEN, (options.len() as u32).max(FEW_OPTIONS)),
                _ => single == Some(option),
            };
            if option.is_required || is_one {
                given.push(option.name.to_vec());
                if option.takes_value.unwrap_or_else(|| rng.chance(1, 2)) {
                    given.push(if rng.chance(1, 8) { LOCAL_HOST.to_vec() } else { self.word(rng) });
                }
            }
        }
        let count = rng.below(6).saturating_sub(3);
        let words = (0..count).map(|_| self.word(rng)).collect();
        let (first, second) = if rng.chance(1, 2) { (given, words) } else { (words, given) };
        [vec![b"program".to_vec()], first, second].concat()
    }

    /// Whether a variable is never made up.
    pub(crate) fn is_fixed(name: &[u8]) -> bool {
        [OF_STD, OF_CARGO, OF_UNSTABLE_TOKIO].iter().any(|it| name.starts_with(it)) || name == TEMPORARY
    }

    /// The value of a made-up variable, if it is set. In half of all runs none is, as on most machines, and in a quarter
    /// all are, as programs that need one often need several.
    pub(crate) fn variable(&self, name: &[u8]) -> Option<Vec<u8>> {
        let mut rng = self.of_name(VARIABLES, name);
        let set = Rng::with_stream(self.seed, VARIABLES).below(4).saturating_sub(1);
        rng.chance(set, 2).then(|| self.word(&mut rng))
    }

    /// Whether a command line has an option that is one of so many. In half of all runs it has none; with many at once,
    /// some program finds fault with one of them.
    pub(crate) fn has_option(&self, label: &[u8], options: u32) -> bool {
        let is_plain = Rng::with_stream(self.first_seed, OPTIONS).chance(1, 2);
        let mut rng = of_name(self.first_seed, OPTIONS, label);
        !is_plain && rng.chance(OPTIONS_GIVEN, options.max(FEW_OPTIONS))
    }

    /// The number of the user who runs the program.
    pub(crate) fn user(&self) -> u64 {
        if Rng::with_stream(self.first_seed, USER).chance(3, 4) { FIRST_USER } else { 0 }
    }

    /// A number for a parameter; the same for the same label.
    pub(crate) fn number(&self, label: &[u8]) -> u64 {
        let mut rng = of_name(self.first_seed, NUMBERS, label);
        SMALL[rng.index(SMALL.len())]
    }

    /// A text for a parameter; the same for the same label.
    pub(crate) fn text_for(&self, label: &[u8]) -> Vec<u8> {
        let mut rng = of_name(self.first_seed, TEXTS, label);
        let documents = &self.dictionary.documents;
        match !documents.is_empty() && rng.chance(1, 4) {
            true => documents[rng.index(documents.len())].to_vec(),
            false => self.word(&mut rng),
        }
    }

    /// A name for a parameter; the same for the same label.
    pub(crate) fn name_for(&self, label: &[u8]) -> Vec<u8> {
        self.word(&mut of_name(self.first_seed, TEXTS, label))
    }

    /// The random numbers for a name.
    pub(crate) fn of_name(&self, kind: u64, name: &[u8]) -> Rng {
        of_name(self.seed, kind, name)
    }

    /// What exists at a path. If `is_any` is set, only hidden files are missing in half of all runs: programs look for
    /// theirs in each folder, and do without.
    pub(crate) fn there(&self, path: &[u8], expect: ExpectedPath, is_any: bool) -> MadeUpPath {
        let mut rng = self.of_name(PATHS, path);
        let (draw, is_usual) = (rng.below(4), rng.chance(3, 4));
        // What a program is called with is mostly files, or mostly folders.
        let mut run = Rng::with_stream(self.seed, PATHS);
        let (is_complete, has_files) = (run.chance(1, 2) && is_any, run.chance(1, 2));
        let is_there = if is_hidden(path) { draw < 1 } else { draw < 3 || is_complete };
        match expect {
            ExpectedPath::File if is_there => MadeUpPath::File(None),
            ExpectedPath::Any if is_there && (is_usual == has_files || has_extension(path)) => MadeUpPath::File(None),
            ExpectedPath::Folder | ExpectedPath::Any if is_there => MadeUpPath::Folder(None),
            ExpectedPath::NewFile if draw < 1 => MadeUpPath::File(None),
            ExpectedPath::NewFolder if draw < 1 => MadeUpPath::Folder(None),
            _ => MadeUpPath::Nothing,
        }
    }

    /// The text of the file at a path. `other` is the document that another program of the run has read. Mostly this one
    /// belongs to it: one beside it, as READMEs show a server's and a client's, or the same.
    pub(crate) fn text_at(&self, path: &[u8], other: Option<usize>) -> MadeUpText {
        let mut rng = self.of_name(PATHS, path);
        // These decided what exists.
        rng.next_u64();
        let mut rng = rng.split();
        let extension = path.rsplit(|it| *it == b'.').next().unwrap_or_default();
        if OF_CERTIFICATES.contains(&extension) && rng.chance(7, 8) {
            return MadeUpText { text: CERTIFICATE.to_vec(), document: None };
        }
        let documents = &self.dictionary.documents;
        if let Some(other) = other.filter(|_| rng.chance(3, 4)) {
            let (next, last) = (other + 1, other.saturating_sub(1));
            let beside = [other, next, next, last, last][rng.index(5)];
            if let Some(text) = documents.get(beside) {
                return MadeUpText { text: text.to_vec(), document: Some(beside) };
            }
        }
        if documents.is_empty() || rng.chance(1, 4) {
            return MadeUpText { text: self.text(&mut rng), document: None };
        }
        let is_json = |it: &[u8]| it.starts_with(b"{") || it.starts_with(b"[");
        let fits = |it: &[u8]| match extension {
            b"toml" => !is_json(it),
            b"json" | b"yaml" | b"yml" => is_json(it),
            _ => true,
        };
        let fitting: Vec<usize> = (0..documents.len()).filter(|it| fits(&documents[*it])).collect();
        let document = fitting.get(rng.index(fitting.len().max(1))).copied();
        MadeUpText { text: document.map_or_else(|| self.text(&mut rng), |it| documents[it].to_vec()), document }
    }

    /// The body of a request: a document as JSON, if the program reads any.
    pub(crate) fn body(&self, rng: &mut Rng) -> Option<Vec<u8>> {
        let documents: Vec<_> = self.dictionary.documents.iter().filter(|it| it.starts_with(b"{")).collect();
        (!documents.is_empty() && rng.chance(3, 4)).then(|| documents[rng.index(documents.len())].to_vec())
    }

    /// The names in the folder at a path.
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

    /// A text of a few lines; the last one may have no line end.
    pub(crate) fn text(&self, rng: &mut Rng) -> Vec<u8> {
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

/// Whether the name at a path is hidden, such as `.env`.
fn is_hidden(path: &[u8]) -> bool {
    let name = path.rsplit(|it| *it == b'/').next().unwrap_or_default();
    name.len() > 2 && name.starts_with(b".")
}

/// Whether the name at a path has an extension, as names of files do.
fn has_extension(path: &[u8]) -> bool {
    let name = path.rsplit(|it| *it == b'/').next().unwrap_or_default();
    let dot = name.iter().rposition(|it| *it == b'.');
    dot.is_some_and(|at| {
        at > 0 && (2..=5).contains(&(name.len() - at)) && name[at + 1..].iter().all(u8::is_ascii_alphanumeric)
    })
}

fn of_name(seed: u64, kind: u64, name: &[u8]) -> Rng {
    let stream = name.iter().fold(kind, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    Rng::with_stream(seed, stream)
}

/// The words of a run's command line that say what the program shall do: those of a known one, or its options.
pub fn command_words(seed: u64, dictionary: &Dictionary) -> Vec<Vec<u8>> {
    let chooser = Chooser { seed, first_seed: seed, dictionary };
    let text = |word: &CommandWord| if let CommandWord::Text(text) = word { Some(text.to_vec()) } else { None };
    match chooser.known_args() {
        Some(words) => words.iter().filter_map(text).collect(),
        None => chooser.args().into_iter().filter(|word| word.starts_with(b"-")).collect(),
    }
}

/// One of `count` choices; the same for the same label.
pub fn chosen(seed: u64, label: &[u8], count: u64) -> u64 {
    of_name(seed, CHOICES, label).index(count.max(1) as usize) as u64
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

    /// Records what was made up, without duplicates.
    pub(crate) fn note(&mut self, given: MadeUpInput) {
        if !self.given.contains(&given) {
            self.given.push(given);
        }
    }

    /// Records what was made up for a path; more details replace fewer.
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

    /// Whether the next call of the operating system fails, with one of these reasons. Most calls succeed, and in most
    /// runs all do: a program that makes many calls at its start, as a runtime does, would rarely get further.
    pub(crate) fn failure(&mut self, chooser: &Chooser<'_>, reasons: &[i32]) -> Option<i32> {
        self.answers += 1;
        let mut rng = Rng::with_stream(chooser.seed, ANSWERS | self.answers << 8);
        let is_calm = Rng::with_stream(chooser.seed, ANSWERS).chance(7, 8);
        let fails = !is_calm && !rng.chance(3, 4);
        self.failed_calls += u32::from(fails);
        fails.then(|| reasons[rng.index(reasons.len())])
    }
}

impl Terms {
    /// Records that the run continues with one of many possible inputs.
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

    fn words(words: &[&[u8]]) -> Dictionary {
        Dictionary { words: words.iter().map(|word| Box::from(*word)).collect(), ..Dictionary::default() }
    }

    fn chooser<T>(seed: u64, then: impl Fn(&Chooser<'_>) -> T) -> T {
        then(&Chooser { seed, first_seed: seed, dictionary: &words(&[SERVE]) })
    }

    #[test]
    fn all_kinds_come_up() {
        let args: Vec<_> = (0..100).map(|seed| chooser(seed, |chooser| chooser.args())).collect();
        for count in 1..=5 {
            assert!(args.iter().any(|args| args.len() == count), "{count}");
        }
        assert!(args.iter().any(|args| args.get(1).is_some_and(|arg| arg == SERVE)));
        let words_of_line = [CommandWord::Text(b"--port".as_slice().into()), CommandWord::Any];
        let line = CommandLine { words: words_of_line.into(), texts: [].into() };
        let dictionary = Dictionary { command_lines: [line].into(), ..words(&[SERVE]) };
        let known = (0..100).filter_map(|seed| {
            let chooser = Chooser { seed, first_seed: seed, dictionary: &dictionary };
            chooser.known_args().map(|_| chooser.args())
        });
        let known: Vec<_> = known.collect();
        assert!((35..65).contains(&known.len()) && known.iter().all(|it| it.len() == 3 && it[1] == b"--port"));
        assert!(known.iter().any(|it| it[2] == SERVE));
        let mode = |seed| chooser(seed, |chooser| chooser.variable(b"MODE"));
        let set = (0..100).filter(|seed| mode(*seed).is_some()).count();
        assert!((20..55).contains(&set), "{set}");
        assert!((0..100).any(|seed| mode(seed).is_some_and(|value| value == SERVE)));
        let set = |seed, name| chooser(seed, |chooser| chooser.variable(name)).is_some();
        let both = (0..100).filter(|seed| set(*seed, b"MODE") && set(*seed, b"OTHER")).count();
        assert!((20..45).contains(&both), "{both}");
        let names = (0..40).map(|it| format!("option {it}")).collect::<Vec<_>>();
        let given = |seed| {
            let has = |name: &&String| chooser(seed, |chooser| chooser.has_option(name.as_bytes(), 40));
            names.iter().filter(has).count()
        };
        let all: Vec<usize> = (0..100).map(given).collect();
        assert!((40..70).contains(&all.iter().filter(|it| **it == 0).count()), "{all:?}");
        assert!((50..150).contains(&all.iter().sum::<usize>()) && all.iter().any(|it| *it > 2), "{all:?}");
        assert!((0..100).all(|seed| mode(seed) == mode(seed)));
        assert!((0..100).any(|seed| mode(seed) != chooser(seed, |chooser| chooser.variable(b"OTHER"))));
        assert!(Chooser::is_fixed(b"RUST_MIN_STACK") && Chooser::is_fixed(b"TOKIO_UNSTABLE_QUEUE"));
        assert!(!Chooser::is_fixed(b"MODE") && !Chooser::is_fixed(b"UNSTABLE_MODE"));
    }

    #[test]
    fn standard_input_ends() {
        let dictionary = Dictionary::default();
        let chooser = Chooser { seed: 7, first_seed: 7, dictionary: &dictionary };
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
        let text = |seed, stream| {
            Inputs::default().read(&Chooser { seed, first_seed: seed, dictionary: &Dictionary::default() }, stream, 100)
        };
        assert!((0..20).any(|seed| !text(seed, 0).is_empty()));
        assert!((0..20).any(|seed| text(seed, 0) != text(seed, 3)));
    }

    #[test]
    fn most_calls_succeed() {
        let failures = |seed| {
            let mut inputs = Inputs::default();
            let dictionary = Dictionary::default();
            let chooser = Chooser { seed, first_seed: seed, dictionary: &dictionary };
            (0..100).filter_map(|_| inputs.failure(&chooser, &[5, 28])).collect::<Vec<_>>()
        };
        let all: Vec<_> = (0..100).map(failures).collect();
        let calm = all.iter().filter(|it| it.is_empty()).count();
        assert!((78..96).contains(&calm), "{calm}");
        for some in all.iter().filter(|it| !it.is_empty()) {
            assert!((10..45).contains(&some.len()) && some.contains(&5) && some.contains(&28), "{some:?}");
        }
    }

    #[test]
    fn most_of_what_is_asked_for_is_there() {
        let there = |seed, expect| {
            Chooser { seed, first_seed: seed, dictionary: &Dictionary::default() }.there(b"/etc/hosts", expect, true)
        };
        let count = |expect, is: &MadeUpPath| (0..1000).filter(|seed| there(*seed, expect) == *is).count();
        let (file, folder) = (MadeUpPath::File(None), MadeUpPath::Folder(None));
        for (expect, what, range) in [
            (ExpectedPath::File, &file, 840..910),
            (ExpectedPath::File, &folder, 0..1),
            (ExpectedPath::Folder, &folder, 840..910),
            (ExpectedPath::Any, &file, 390..490),
            (ExpectedPath::Any, &folder, 390..490),
            (ExpectedPath::NewFile, &file, 200..300),
            (ExpectedPath::NewFolder, &folder, 200..300),
        ] {
            assert!(range.contains(&count(expect, what)), "{expect:?} {what:?}");
        }
        let is_hidden_there = |seed: &u64| {
            let chooser = Chooser { seed: *seed, first_seed: *seed, dictionary: &Dictionary::default() };
            chooser.there(b"/home/.env", ExpectedPath::File, true) == file
        };
        assert!((200..300).contains(&(0..1000).filter(is_hidden_there).count()));
        let text = |seed, path: &[u8]| {
            Chooser { seed, first_seed: seed, dictionary: &Dictionary::default() }.text_at(path, None).text
        };
        assert!((0..20).all(|seed| text(seed, b"/a") == text(seed, b"/a")));
        let trusted = (0..100).filter(|seed| text(*seed, b"/etc/ssl/cert.pem") == CERTIFICATE).count();
        assert!((70..100).contains(&trusted), "{trusted}");
        assert!((0..20).any(|seed| text(seed, b"/a") != text(seed, b"/b")));
        let names = |seed| Chooser { seed, first_seed: seed, dictionary: &words(&[SERVE, b"a/b"]) }.names_in(b"/a");
        assert!((0..100).any(|seed| names(seed).contains(&SERVE.to_vec())));
        assert!((0..100).flat_map(names).all(|name| !name.contains(&b'/')));
    }
}
