//! The machine's code of real programs keeps what the verifier asks for, and is the same after it was printed and parsed;
//! what is left of its text after faults is parsed without a panic.

use analyzer::{
    instance::program::Program,
    project::{Edition, Project, load_files},
};
use interp::{
    host::Host,
    ir::FnId,
    rng::Rng,
    text::{code_to_string, parse, verify},
};
use std::path::Path;

/// Programs that reach much of std, of the language, and of what synchronises.
const PROGRAMS: [&str; 4] = [
    "tests/fidelity/programs/patterns/many.rs",
    "tests/fidelity/programs/threads/mpsc_drops.rs",
    "tests/fidelity/programs/strings/formatting.rs",
    "corpus/tsv/shared_map/bug.rs",
];
/// So many functions of each, in the order in which code names them.
const FUNCTIONS: usize = 1_500;
/// Texts with faults.
const MUTANTS: u64 = 2_000;

#[test]
fn code_of_programs_is_printed_and_parsed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace is around it");
    let files: Vec<_> = PROGRAMS.iter().map(|it| (root.join(it), Edition::Edition2024)).collect();
    let project = load_files(&files).expect("programs");
    let texts =
        project.with_db(|project| files.iter().map(|file| texts(project, &file.0)).collect::<Vec<_>>()).concat();
    assert!(texts.len() > 4_000, "{}", texts.len());
    let mut modules = 0;
    for seed in 0..MUTANTS {
        let mut rng = Rng::with_stream(seed, 14);
        let mut text = String::new();
        // A function twice is an error at its second place.
        let start = rng.index(texts.len() - 3);
        text.extend(texts[start..start + 1 + rng.index(3)].iter().map(String::as_str));
        let mut words: Vec<&str> = text.split_inclusive([' ', ',', '(', '\n']).collect();
        let (at, other) = (rng.index(words.len()), rng.index(words.len()));
        match rng.below(4) {
            0 => words.truncate(at),
            1 => drop(words.remove(at)),
            2 => words.swap(at, other),
            _ => words.insert(at, words[other]),
        }
        let text = words.concat();
        match parse(&text) {
            Ok(module) => {
                let _ = module.verify();
                assert_eq!(parse(&module.to_string()).as_ref(), Ok(&module), "{text}");
                modules += 1;
            }
            Err(error) => {
                let line = text.split('\n').nth(error.line as usize - 1).expect("an error is in a line of the text");
                assert!((1..=line.chars().count() + 1).contains(&(error.col as usize)), "{error}\n{text}");
            }
        }
    }
    assert!(modules > MUTANTS / 20, "{modules}");
}

/// The text of each function that a program may reach, as far as they are looked at.
fn texts(project: &Project, file: &Path) -> Vec<String> {
    let entry = project.program_at(file).expect("a `main`");
    let mut program = Program::new(project.db(), entry.krate.into(), project, project);
    program.process(entry.start);
    let mut texts = Vec::new();
    while texts.len() < program.instance_count().min(FUNCTIONS) {
        let func = FnId(texts.len() as u32);
        let code = program.code(func);
        let text = code_to_string(func, &code);
        assert_eq!(verify(&code), Ok(()), "{text}");
        match parse(&text) {
            Ok(module) => assert_eq!(module.functions.get(&func), Some(&code), "{text}"),
            Err(error) => panic!("{error}\n{text}"),
        }
        texts.push(text);
    }
    texts
}
