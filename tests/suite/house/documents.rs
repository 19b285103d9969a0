//! References in documents and comments exist: files, sections, invariants, decisions.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tsvd_check::{RULES, Strategy, format::FORMATS};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of the repository with one of these endings, including untracked ones.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git runs");
    let text = String::from_utf8(output.stdout).expect("paths are text");
    let is_wanted = |path: &&str| endings.iter().any(|ending| path.ends_with(ending)) && root().join(path).is_file();
    let files: Vec<PathBuf> = text.lines().filter(is_wanted).map(PathBuf::from).collect();
    assert!(!files.is_empty(), "{endings:?}");
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).expect("it is text")
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().to_lowercase();
    letters
        .chars()
        .filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'))
        .collect::<String>()
        .replace(' ', "-")
}

fn headings(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim())
}

/// The text of a document outside of code blocks.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The texts between two marks.
fn between<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split_once(close).map(|it| it.0))
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for document in files(&[".md"]) {
        let text = prose(&read(&document));
        let defined = text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: ").map(|it| it.1));
        for link in between(&text, "](", ')').chain(defined) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, section) = link.split_once('#').map_or((link, None), |(path, section)| (path, Some(section)));
            let target = match path {
                "" => document.clone(),
                _ => document.parent().unwrap_or(Path::new("")).join(path),
            };
            let exists = root().join(&target).exists();
            let has_section = |section: &str| headings(&read(&target)).any(|heading| anchor(heading) == section);
            if !exists || !section.is_none_or(has_section) {
                wrong.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "links that lead nowhere:\n{}", wrong.join("\n"));
}

/// Paths that begin with a folder of the repository.
#[test]
fn paths_exist() {
    let folders =
        ["analyzer/", "interp/", "lsp/", "src/", "tests/", "benches/", "docs/", "corpus/", "vscode-extension/", ".ci/"];
    let mut wrong = Vec::new();
    for document in files(&[".md"]) {
        if document.starts_with("analyzer/src/rules") || document.starts_with("tests/") {
            continue;
        }
        for path in prose(&read(&document))
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|it| folders.iter().any(|at| it.starts_with(at)))
        {
            let is_path = path.chars().all(|it| it.is_alphanumeric() || "/_-.".contains(it));
            // `src/main.rs` may belong to any package that a page mentions; benchmarks name files of published ones;
            // libFuzzer makes its folder.
            let may_be_elsewhere = path.ends_with("main.rs")
                || document.ends_with("docs/benchmarks.md")
                || path == "tests/fuzz/artifacts/";
            if is_path && !root().join(path).exists() && path.contains('/') && !may_be_elsewhere {
                wrong.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "paths that do not exist:\n{}", wrong.join("\n"));
}

/// Numbers after a word, as in "invariant 3" and "decision 12".
fn numbers_after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.split(word).skip(1).filter_map(|rest| {
        let digits: String = rest.strip_prefix(' ')?.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

#[test]
fn invariants_and_decisions_exist() {
    let architecture = read(Path::new("docs/architecture.md"));
    let (_, invariants) = architecture.split_once("## Invariants").expect("the section exists");
    let invariants: BTreeSet<usize> =
        invariants.lines().filter_map(|line| line.split_once(". ")?.0.parse().ok()).collect();
    let decisions: BTreeSet<usize> = files(&[".md"])
        .iter()
        .filter(|path| path.starts_with("docs/decisions"))
        .filter_map(|path| path.file_name()?.to_str()?.split_once('-')?.0.parse().ok())
        .collect();
    assert!(invariants.len() > 20 && decisions.len() > 20, "{invariants:?} {decisions:?}");
    let mut wrong = Vec::new();
    for file in files(&[".rs", ".md", ".toml"]) {
        if file.starts_with("corpus") || file.starts_with("tests/fidelity") {
            continue;
        }
        let text = read(&file);
        let missing =
            |word, known: &BTreeSet<usize>| numbers_after(&text, word).filter(|it| !known.contains(it)).count();
        // The document that these replaced.
        let is_old = file.extension().is_some_and(|it| it == "rs") && text.contains(concat!("design", " §"));
        if missing("invariant", &invariants) + missing("decision", &decisions) > 0 || is_old {
            wrong.push(file.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "invariants or decisions that do not exist: {}", wrong.join(", "));
}

/// Documents that Rust code names.
#[test]
fn documents_that_code_names_exist() {
    let mut wrong = Vec::new();
    for file in files(&[".rs", ".toml", ".sh"]) {
        for line in read(&file).lines().filter(|line| line.trim_start().starts_with("//") || line.starts_with('#')) {
            for path in between(line, "`docs/", '`') {
                if !root().join("docs").join(path).exists() {
                    wrong.push(format!("{}: docs/{path}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "documents that do not exist:\n{}", wrong.join("\n"));
}

/// Lists that documents keep of what tables in the code have.
#[test]
fn documents_list_each_rule_format_and_strategy() {
    let has = |document: &str, text: &str| read(Path::new(document)).contains(text);
    for rule in RULES {
        assert!(has("README.md", &format!("| [{}](", rule.name)), "README.md: no row of {}", rule.name);
        assert!(has("docs/rules/README.md", &format!("| `{}` |", rule.name)), "docs/rules: no row of {}", rule.name);
        let row = format!("{{ name: \"{}\", reports: \"{}\" }}", rule.name, rule.summary);
        assert!(has("vscode-extension/src/rules.ts", &row), "vscode-extension/src/rules.ts has no line `{row}`");
    }
    let commands = read(Path::new("docs/cli.md"));
    let option = |name: &str| commands.split_once(&format!("\n    {name} ")).and_then(|it| it.1.split_once("\n    --"));
    let words = |name: &str| -> BTreeSet<&str> {
        let text = option(name).unwrap_or_else(|| panic!("docs/cli.md has no option {name}")).0;
        text.split([' ', ',', '\n', '(', ')']).collect()
    };
    let (formats, strategies) = (words("--format FORMAT"), words("--strategy NAME"));
    for format in FORMATS {
        assert!(formats.contains(format.name), "docs/cli.md: `--format` does not list {}", format.name);
    }
    // `pct-2 to pct-5`.
    for strategy in Strategy::ALL.iter().filter(|it| !matches!(it, Strategy::Pct(3 | 4))) {
        assert!(strategies.contains(&*strategy.to_string()), "docs/cli.md: `--strategy` does not list {strategy}");
    }
}

/// Pages for users stay short.
#[test]
fn the_readme_is_short() {
    let text = read(Path::new("README.md"));
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(text.lines().count() <= 150 && longest <= Some(160), "{} lines", text.lines().count());
}
