//! The table of cases in `corpus/README.md` says of each case what the comment before its `main` says.

use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Set to anything, the table is written instead of compared.
const WRITE: &str = "WRITE_CORPUS_README";
const HEADING: &str = "## Cases";

/// Compares the table with the programs below `corpus`, each given by its path without suffix.
pub(crate) fn check(corpus: &Path, programs: &[String]) -> Result<(), Failed> {
    let readme = corpus.join("README.md");
    let text = std::fs::read_to_string(&readme)?;
    let rules = text.split(HEADING).next().unwrap_or_default();
    let expected = format!("{rules}{HEADING}\n{}", table(corpus, programs)?);
    if text == expected {
        return Ok(());
    }
    if std::env::var_os(WRITE).is_some() {
        return Ok(std::fs::write(&readme, expected)?);
    }
    Err(format!("{} is out of date: run the test once with {WRITE}=1", readme.display()).into())
}

fn table(corpus: &Path, programs: &[String]) -> Result<String, Failed> {
    let mut areas: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
    for program in programs {
        let case = program.strip_suffix("/bug").unwrap_or(program);
        let Some((area, name)) = case.split_once('/') else {
            return Err(format!("{program} lies in no area").into());
        };
        if name.ends_with("/fixed") {
            continue;
        }
        let text = std::fs::read_to_string(corpus.join(program).with_extension("rs"))?;
        let sentence = sentence(&text).ok_or_else(|| format!("{program}: no sentence before `main`"))?;
        areas.entry(area).or_default().push((name, sentence));
    }
    let mut table = String::new();
    for (area, mut cases) in areas {
        cases.sort();
        write!(table, "\n### {area}: {}\n\n| case | what is wrong, or why nothing is |\n|---|---|\n", cases.len())?;
        for (name, sentence) in cases {
            writeln!(table, "| `{name}` | {} |", sentence.replace('|', "\\|"))?;
        }
    }
    Ok(table)
}

/// The comment before `main`.
fn sentence(text: &str) -> Option<String> {
    let before = text.split("\nfn main()").next()?;
    let comment: Vec<_> = before.lines().rev().map_while(|line| line.strip_prefix("// ")).collect();
    (!comment.is_empty()).then(|| comment.into_iter().rev().collect::<Vec<_>>().join(" "))
}
