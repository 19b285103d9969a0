//! Code does not say where it stands in its file (invariant 9).

use analyzer::{
    instance::program::Program,
    project::{Edition, load_files},
};
use interp::{
    host::{Host, SourceLoc},
    ir::{Code, FnId, Instr},
};
use std::path::Path;

const SOURCE: &str = r#"
use std::panic::Location;
#[track_caller]
fn caller() -> u32 { Location::caller().line() }
macro_rules! here { () => { (line!(), column!(), file!(), module_path!()) } }
static LINE: u32 = line!();
fn main() {
    let all = here!();
    println!("{} {:?} {}", caller(), all, line!() + LINE);
    assert!(all.0 == line!(), "at {}", line!());
    let broken: Result<u8, u32> = Err(column!());
    broken.unwrap();
    let _ = [1, 2, 3][all.0 as usize];
    nobody::knows!("this");
}
"#;

/// How much code is made: more than the program's own.
const BODIES: usize = 400;

/// Code that starts in `main`, in order of discovery, and where `main`'s own `line!()`s stand.
fn generated(path: &Path, source: &str) -> (Vec<Code>, Vec<SourceLoc>) {
    std::fs::write(path, source).expect("a file");
    let project = load_files(&[(path.to_path_buf(), Edition::Edition2024)]).expect("a program");
    project.with_db(|project| {
        let binary = project.program_at(path).expect("a `main`");
        let mut program = Program::new(project.db(), binary.krate.into(), project, project);
        let main = program.entry(binary.function().unwrap());
        let mut all = Vec::new();
        while all.len() < program.instance_count().min(BODIES) {
            let code = program.code(FnId(all.len() as u32));
            all.push(Code::clone(&code));
        }
        let code = &all[main.0 as usize];
        let sites = code.instrs.iter().zip(&code.sites).filter(|(instr, _)| matches!(instr, Instr::Here { .. }));
        let places = sites.filter_map(|(_, site)| program.locate(main, *site)).collect();
        (all, places)
    })
}

#[test]
fn a_comment_above_changes_no_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("main.rs");
    let (before, places) = generated(&path, SOURCE);
    let (after, moved) = generated(&path, &format!("// A comment.\n/* Another one. */\n{SOURCE}"));
    assert!(before.len() == BODIES && places.len() > 3, "{} bodies, {} places", before.len(), places.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after, "{}", before.name);
    }
    let expected: Vec<_> = places.into_iter().map(|it| SourceLoc { line: it.line + 2, ..it }).collect();
    assert_eq!(moved, expected);
}
