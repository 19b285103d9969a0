//! Which strategy finds what: for each program of the corpus with a bug, the share of schedules that show its bug (of
//! several, the one shown least), under each strategy alone and under the default rotation; prints a Markdown table.
//!
//! `cargo bench --bench strategies`; a filter selects programs (`-- table3`), `--seeds 5` uses more seeds, `--only
//! sticky` compares one strategy with the rotation. The means of the areas follow the table.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tsvd_check::{Diagnostic, Explored, Options, Programs, RUNS, Strategy};

/// A program and its name.
struct Case {
    name: String,
    path: PathBuf,
    edition: String,
}

fn collect(root: &Path, folder: &Path, cases: &mut Vec<Case>) {
    for entry in std::fs::read_dir(folder).expect("the corpus can be read") {
        let path = entry.expect("the corpus can be read").path();
        if path.is_dir() {
            collect(root, &path, cases);
        } else if path.ends_with("bug.rs") {
            let text = std::fs::read_to_string(&path).expect("the corpus can be read");
            let edition = text.lines().next().and_then(|line| line.strip_prefix("//@ edition:"));
            let edition = edition.map_or("2024", str::trim).to_owned();
            let folder = folder.strip_prefix(root).unwrap_or(folder);
            cases.push(Case { name: folder.display().to_string(), path, edition });
        }
    }
}

/// The measurement of one program: how many schedules show its bug, and how many were run.
#[derive(Clone, Copy, Default)]
struct Share {
    shown: u32,
    runs: u32,
}

impl Share {
    fn percent(self) -> f64 {
        f64::from(self.shown) * 100.0 / f64::from(self.runs.max(1))
    }

    fn text(self) -> String {
        match self.percent() {
            0.0 => "0".to_owned(),
            percent if percent < 1.0 => "<1".to_owned(),
            percent => format!("{percent:.0}"),
        }
    }
}

fn add(share: &mut Share, explored: &Explored, wanted: &[Diagnostic]) {
    let shown = |bug: &Diagnostic| {
        let same = explored.diagnostics.iter().find(|it| it.is_same_bug(bug));
        same.map_or(0, |it| it.shown_by.0)
    };
    share.shown += wanted.iter().map(shown).min().unwrap_or(0);
    share.runs += explored.runs;
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|it| it != "--bench");
    let (mut seeds, mut filter, mut only) = (1, String::new(), None);
    while let Some(argument) = arguments.next() {
        if argument == "--seeds" {
            seeds = arguments.next().and_then(|it| it.parse().ok()).expect("a number follows `--seeds`");
        } else if argument == "--only" {
            let name = arguments.next().expect("a strategy follows `--only`");
            only = Some(name.parse::<Strategy>().unwrap_or_else(|error| panic!("{error}")));
        } else {
            filter = argument;
        }
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut cases = Vec::new();
    collect(&corpus, &corpus, &mut cases);
    cases.retain(|case| case.name.contains(&filter));
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    let files: Vec<_> = cases.iter().map(|case| (case.path.clone(), case.edition.clone())).collect();
    let programs = Programs::load(&files).expect("the corpus can be loaded");

    let columns: Vec<Option<Strategy>> =
        Strategy::ALL.into_iter().filter(|it| only.is_none_or(|only| only == *it)).map(Some).chain([None]).collect();
    let heads: Vec<String> = columns.iter().map(|it| it.map_or("rotation".to_owned(), |it| it.to_string())).collect();
    let mut lines =
        vec![format!("| program | {} |", heads.join(" | ")), format!("|---|{}", "---|".repeat(heads.len()))];
    let mut areas: BTreeMap<&str, Vec<Vec<Share>>> = BTreeMap::new();
    for case in &cases {
        let mut shares = vec![Share::default(); columns.len()];
        let explored = programs.check_repeatedly(&case.path, |explore| {
            let mut of_seed = |seed| -> Vec<Explored> {
                let options = |strategy: &Option<Strategy>| Options {
                    seed,
                    runs: Some(RUNS),
                    strategy: *strategy,
                    ..Options::default()
                };
                columns.iter().map(|strategy| explore(&options(strategy))).collect()
            };
            (0..seeds).map(&mut of_seed).collect::<Vec<_>>()
        });
        for all in explored.expect("a program of the corpus has a `main`") {
            let wanted = all.last().map_or(&[][..], |it| it.diagnostics.as_slice());
            shares.iter_mut().zip(&all).for_each(|(share, explored)| add(share, explored, wanted));
        }
        let cells: Vec<String> = shares.iter().map(|share| share.text()).collect();
        lines.push(format!("| `{}` | {} |", case.name, cells.join(" | ")));
        areas.entry(case.name.split('/').next().unwrap_or_default()).or_default().push(shares);
    }
    let of_all = ("all", areas.values().flatten().cloned().collect());
    lines.extend(["", "Means; in brackets the programs whose bug no schedule showed.", ""].map(str::to_owned));
    lines.push(format!("| area | programs | {} |", heads.join(" | ")));
    lines.push(format!("|---|---|{}", "---|".repeat(heads.len())));
    for (area, programs) in areas.into_iter().chain([of_all]) {
        let cell = |column: usize| {
            let of_column = programs.iter().map(|shares| shares[column]);
            let missed = of_column.clone().filter(|share| share.shown == 0).count();
            let sum: f64 = of_column.map(Share::percent).sum();
            format!("{:.1} ({missed})", sum / programs.len().max(1) as f64)
        };
        let cells: Vec<String> = (0..columns.len()).map(cell).collect();
        lines.push(format!("| `{area}` | {} | {} |", programs.len(), cells.join(" | ")));
    }
    println(&lines.join("\n"));
}

fn println(text: &str) {
    use std::io::Write as _;
    writeln!(std::io::stdout(), "{text}").expect("standard output takes the table");
}
