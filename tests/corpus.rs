//! Checks every program of `corpus/` and every example of a rule's page: the annotated findings are found, and no
//! others. `corpus/README.md` explains the annotations.

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use tsvd_check::{Diagnostic, Explored, LATE, Options, Programs, RULES, Role, Witness};

#[path = "corpus/readme.rs"]
mod readme;

/// Number of seeds with which each program is explored; one if the variable is not set.
const SEEDS: &str = "CORPUS_SEEDS";

/// Known wrong answers, by the name of the test: what is missing or reported too much. They stay visible as tests named
/// `fn_…` (a missed bug) and `fp_…` (a false report), and fail when the answer becomes right, so that the entry is
/// removed.
const KNOWN_WRONG: &[(&str, &str)] = &[];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let pages = tempfile::tempdir().expect("the temporary folder is writable");
    let mut cases = Vec::new();
    collect(&corpus, &corpus, &mut cases);
    examples(pages.path(), &mut cases);
    cases.sort();
    let files: Vec<_> = cases.iter().map(|case| (case.path.clone(), case.edition.clone())).collect();
    // One std for all of them.
    let programs = match Programs::load(&files) {
        Ok(programs) => Arc::new(programs),
        Err(error) => panic!("{error}"),
    };
    let named: Vec<_> = cases
        .iter()
        .filter_map(|case| case.path.strip_prefix(&corpus).ok())
        .map(|path| path.with_extension("").to_string_lossy().into_owned())
        .collect();
    let table = Trial::test("readme", move || readme::check(&corpus, &named));
    let trials = cases
        .into_iter()
        .map(|case| {
            let programs = programs.clone();
            match KNOWN_WRONG.iter().find(|(name, _)| name[3..] == case.name) {
                Some((name, why)) => Trial::test(*name, move || still_wrong(&programs, &case, why)),
                None => Trial::test(case.name.clone(), move || right(&programs, &case)),
            }
        })
        .chain([table])
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    name: String,
    path: PathBuf,
    edition: String,
}

impl Case {
    fn new(name: String, path: PathBuf) -> Case {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let first = text.lines().next().unwrap_or_default();
        let edition = first.strip_prefix("//@ edition:").map_or("2024", str::trim).to_owned();
        Case { name, path, edition }
    }
}

fn collect(root: &Path, folder: &Path, cases: &mut Vec<Case>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("readable folder").path();
        if path.join("Cargo.toml").is_file() {
            // A package: `tests/suite/cli/reports.rs` checks its whole report.
            continue;
        }
        if path.is_dir() {
            collect(root, &path, cases);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let relative = path.strip_prefix(root).expect("below the root").with_extension("");
            let name = relative.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("::");
            cases.push(Case::new(name, path));
        }
    }
}

/// The examples of the rules' pages, as files.
fn examples(folder: &Path, cases: &mut Vec<Case>) {
    for rule in RULES {
        let mut heading = String::new();
        let mut open: Option<String> = None;
        let mut count = 0;
        for line in rule.page.lines() {
            match (&mut open, line) {
                (Some(text), "```") => {
                    count += 1;
                    let name = format!("{}_{}_{count}", rule.name, heading.to_lowercase());
                    let path = folder.join(format!("{name}.rs"));
                    std::fs::write(&path, &text).expect("the temporary folder is writable");
                    assert_eq!(text.contains("//~"), heading == "Bad", "{name}: only a bad example has a finding");
                    cases.push(Case::new(format!("pages::{name}"), path));
                    open = None;
                }
                (Some(text), line) => text.extend([line, "\n"]),
                (None, "```rust") => open = Some(String::new()),
                (None, line) => {
                    if let Some(title) = line.strip_prefix("## ") {
                        heading = title.to_owned();
                    }
                }
            }
        }
        assert!(count >= 2, "{}: its page has no bad and good example", rule.name);
    }
}

fn right(programs: &Programs, case: &Case) -> Result<(), Failed> {
    match verdict(programs, case)? {
        None => Ok(()),
        Some(wrong) => Err(format!("{}\n{wrong}", case.path.display()).into()),
    }
}

fn still_wrong(programs: &Programs, case: &Case, why: &str) -> Result<(), Failed> {
    match verdict(programs, case)? {
        Some(_) => Ok(()),
        None => Err(format!("it is right now: take it out of the list ({why})").into()),
    }
}

/// What is wrong with the answers, the first of them in full; `None` if all are right. Fails if a repetition gives
/// another answer.
fn verdict(programs: &Programs, case: &Case) -> Result<Option<String>, Failed> {
    let seeds: u64 = match std::env::var(SEEDS) {
        Ok(seeds) => seeds.parse().map_err(|error| format!("{SEEDS}: {error}"))?,
        Err(_) => 1,
    };
    let expected = annotations(&std::fs::read_to_string(&case.path)?);
    // Only some runs, because it takes as long again.
    let few = Options { runs: Some(20), ..Options::default() };
    let first = programs.check(&case.path, &few).ok_or("no `main`")?;
    let explored = programs.check_repeatedly(&case.path, |explore| {
        let all: Vec<_> = (0..seeds).map(|seed| explore(&Options { seed, ..Options::default() })).collect();
        (all, explore(&few))
    });
    let (all, again) = explored.ok_or("no `main`")?;
    if shown(&first) != shown(&again) {
        return Err(format!("two explorations differ:\n{}\n{}", shown(&first), shown(&again)).into());
    }
    for diagnostic in all.iter().take(1).flat_map(|it| &it.diagnostics) {
        replays(programs, case, diagnostic)?;
    }
    if let Some(lost) = all.iter().flat_map(|it| &it.diagnostics).find(|it| it.witness.is_none()) {
        return Err(format!("`{}` has no witness", lost.message).into());
    }
    let mut answers = (0..seeds).zip(&all).filter_map(|(seed, it)| Some((seed, wrong(it, &expected)?)));
    let Some((seed, wrong)) = answers.next() else {
        return Ok(None);
    };
    let others: Vec<u64> = answers.map(|(seed, _)| seed).collect();
    Ok(Some(format!("seed {seed}, also {others:?}: {wrong}")))
}

/// Findings by rule and number.
type Findings = BTreeMap<(String, u32), BTreeSet<u32>>;

fn wrong(explored: &Explored, expected: &Findings) -> Option<String> {
    let mut found: BTreeMap<&str, Vec<BTreeSet<u32>>> = BTreeMap::new();
    for diagnostic in &explored.diagnostics {
        found.entry(diagnostic.rule).or_default().push(lines(diagnostic));
    }
    let mut wanted: BTreeMap<&str, Vec<BTreeSet<u32>>> = BTreeMap::new();
    for ((rule, _), lines) in expected {
        wanted.entry(rule).or_default().push(lines.clone());
    }
    found.values_mut().for_each(|findings| findings.sort());
    wanted.values_mut().for_each(|findings| findings.sort());
    // What needs a late thread is possible, also in a program that is right as long as its sleeps are.
    let is_late = |it: &Diagnostic| it.notes.iter().any(|(name, _)| name == LATE);
    let is_quiet = explored.possible.iter().all(is_late) || !expected.is_empty();
    let is_right = found == wanted && is_quiet;
    (!is_right).then(|| format!("expected: {wanted:?}\n   found: {found:?}\n{}", shown(explored)))
}

/// A finding is shown again by its printed schedule.
fn replays(programs: &Programs, case: &Case, diagnostic: &Diagnostic) -> Result<(), Failed> {
    let witness = diagnostic.witness.as_ref().ok_or("a finding has no witness")?;
    let parsed: Witness = witness.to_string().parse()?;
    let replayed = programs.replay(&case.path, &parsed).ok_or("no `main`")?;
    let again = replayed.diagnostics.iter().find(|it| it.is_same_bug(diagnostic));
    match again.filter(|it| replayed.diverged_at.is_none() && it.replay == diagnostic.replay) {
        Some(_) => Ok(()),
        None => Err(format!("`{}` does not replay: {replayed:?}", diagnostic.message).into()),
    }
}

/// Lines with `//~ rule` or `//~ rule 2`, by finding.
fn annotations(text: &str) -> Findings {
    let mut findings = Findings::new();
    for (line, text) in (1..).zip(text.lines()) {
        for annotation in text.split("//~").skip(1) {
            let mut words = annotation.split_whitespace();
            let rule = words.next().unwrap_or_default().to_owned();
            let number = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
            findings.entry((rule, number)).or_default().insert(line);
        }
    }
    findings
}

/// The lines of a finding's own locations; locations that only explain it are left out.
fn lines(diagnostic: &Diagnostic) -> BTreeSet<u32> {
    let parts = diagnostic.others.iter().filter(|site| site.role != Role::Reason).map(|site| site.location.line);
    parts.chain([diagnostic.primary.line]).collect()
}

fn shown(explored: &Explored) -> String {
    let Explored { runs, steps, cut_short, unconfirmed, possible, elsewhere, .. } = explored;
    let lines = explored.diagnostics.iter().map(|it| tsvd_check::format::short::line(it) + "\n");
    lines.collect::<String>()
        + &format!(
            "{runs} runs, {steps} steps, {cut_short:?}, {unconfirmed} {elsewhere} {possible:?}\n{:?}",
            explored.reached
        )
}
