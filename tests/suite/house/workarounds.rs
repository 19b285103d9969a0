//! Each workaround for rust-analyzer is in one folder and listed on its page: an upgrade starts there.

use std::{
    fs,
    path::{Path, PathBuf},
};

const FOLDER: &str = "analyzer/src/workarounds";
const PAGE: &str = "docs/rust-analyzer.md";
const HEADINGS: [&str; 4] = ["Symptom", "Test", "Upstream", "Goes when"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).expect("it is text")
}

fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(FOLDER)).expect("the folder exists");
    let mut files: Vec<PathBuf> = entries.map(|entry| Path::new(FOLDER).join(entry.unwrap().file_name())).collect();
    files.sort();
    assert!(files.len() > 30, "{files:?}");
    files
}

/// The lines of a text joined into one.
fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// The facts that a file's first list gives, by heading.
fn said(text: &str) -> Option<[String; 4]> {
    let docs: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let start = docs.iter().position(|line| line.starts_with(" * "))?;
    let list: Vec<&str> = docs[start..].iter().copied().take_while(|line| !line.is_empty()).collect();
    let mut points = list.chunk_by(|_, next| !next.starts_with(" * ")).map(|lines| joined(lines.iter().copied()));
    let said = HEADINGS.map(|heading| {
        let point = points.next()?;
        point.strip_prefix(&format!("* {heading}: ")).filter(|it| it.ends_with('.')).map(str::to_owned)
    });
    let [Some(symptom), Some(test), Some(upstream), Some(end)] = said else { return None };
    let is_second = start >= 2 && docs[start - 1].is_empty();
    (is_second && points.next().is_none()).then_some([symptom, test, upstream, end])
}

/// The entries of the page, each in one line.
fn entries() -> Vec<String> {
    let page = read(Path::new(PAGE));
    let (_, entries) = page.split_once("## Source text").expect("the first list");
    let lines: Vec<&str> = entries.lines().collect();
    let is_first = |line: &str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let parts = lines.chunk_by(|_, next| !next.is_empty() && !is_first(next));
    parts.filter(|lines| is_first(lines[0])).map(|lines| joined(lines.iter().copied())).collect()
}

/// The texts in backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The file or folder of a test that a document names: a path, or a fidelity program.
fn test_path(test: &str) -> PathBuf {
    if ["tests/", "analyzer/"].iter().any(|folder| test.starts_with(folder)) {
        test.into()
    } else {
        Path::new("tests/fidelity/programs").join(test).with_extension("rs")
    }
}

#[test]
fn a_workaround_says_what_an_upgrade_needs() {
    let without: Vec<_> = files().into_iter().filter(|file| said(&read(file)).is_none()).collect();
    assert_eq!(without, Vec::<PathBuf>::new(), "a title, then a list of {HEADINGS:?}");
}

#[test]
fn the_page_lists_each_workaround_and_says_the_same() {
    let entries = entries();
    for file in files() {
        let name = format!("`{}`", file.display());
        let [entry] = &entries.iter().filter(|entry| entry.contains(&name)).collect::<Vec<_>>()[..] else {
            panic!("{name} is in no entry of {PAGE}, or in several");
        };
        let Some([_, test, upstream, _]) = said(&read(&file)) else { panic!("{name}") };
        assert!(!test.contains("below") || read(&file).contains("#[cfg(test)]\nmod tests"), "{name} has no tests");
        for test in code(&test) {
            assert!(entry.contains(&format!("`{test}`")), "{name}: the entry does not name the test {test}");
        }
        let issues = |text: &str| text.split_once("Upstream: ").map(|(_, rest)| numbers(rest)).unwrap_or_default();
        assert_eq!(numbers(&upstream), issues(entry), "{name}: other issues");
        assert!(!numbers(&upstream).is_empty() || upstream == "none known.", "{name}: {upstream}");
    }
}

/// Numbers of issues.
fn numbers(text: &str) -> Vec<u32> {
    let digits = |it: &str| it.chars().take_while(char::is_ascii_digit).collect::<String>();
    text.split('#').skip(1).filter_map(|it| digits(it).parse().ok()).collect()
}

#[test]
fn each_entry_has_a_test_and_an_end() {
    let entries = entries();
    assert!(entries.len() > 40, "{entries:?}");
    for (entry, number) in entries.iter().zip(1..) {
        assert!(entry.starts_with(&format!("{number}. ")), "not number {number}: {entry}");
        let Some((_, rest)) = entry.split_once(" *Workaround:* ") else { panic!("{entry}") };
        let Some((_, rest)) = rest.split_once(" Test: ") else { panic!("{entry}") };
        let ends = [" Upstream: ", " Can go when ", " Stays"];
        let Some(end) = ends.iter().filter_map(|end| rest.find(end)).min() else { panic!("{entry}") };
        let (tests, rest) = rest.split_at(end);
        assert!(rest.contains(" Can go when ") || rest.contains(" Stays"), "{entry}");
        assert_ne!(code(tests).count(), 0, "no test: {entry}");
        for test in code(tests) {
            assert!(root().join(test_path(test)).exists(), "there is no test {test}: {entry}");
        }
    }
}
