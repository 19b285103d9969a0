//! `tsvd-check test`: the tests of a package, judged by interpreting them.

use super::{Selection, Source, analysed, print, print_escaped, say, say_all};
use analyzer::{
    check::messages,
    escape,
    explore::{self, TestInterpreter, Verdict},
    project::{Project, Test},
    sites::{SiteCount, Sites},
};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::{collections::BTreeMap, time::Instant};

#[derive(Args)]
pub(super) struct TestCommand {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    selection: Selection,
    /// How results are printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Only tests whose name contains this.
    #[arg(long, value_name = "TEXT", default_value = "")]
    test: String,
    /// List every test with its verdict.
    #[arg(long)]
    list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

/// The result for the tests of a package.
#[derive(Default, Serialize)]
struct TestReport {
    passed: usize,
    unknown: usize,
    failed: usize,
    ignored: usize,
    steps: u64,
    /// Number of lowered bodies of functions and constants, including those of the standard library.
    bodies: u64,
    /// The synchronisation sites of the source, by kind.
    sites: Vec<Reached>,
    /// Why tests are unknown, the most frequent first.
    causes: Vec<CauseCount>,
    failures: Vec<Failure>,
}

#[derive(Serialize)]
struct CauseCount {
    tests: usize,
    cause: String,
    /// The location in the first of them.
    example: String,
}

#[derive(Serialize)]
struct Reached {
    kind: &'static str,
    existing: usize,
    reached: usize,
    /// Reached while another thread could run.
    concurrent: usize,
}

#[derive(Serialize)]
struct Failure {
    test: String,
    says: String,
}

pub(super) fn test(command: &TestCommand) -> Result<u8, String> {
    let project = super::load(&command.source.path, &command.source.options, true)?;
    analysed(&project, |project| {
        say_all(messages::syntax_errors(project));
        say_all(messages::left_out(project));
        let began = Instant::now();
        let report = report(project, &selected(project, command), command);
        say_all(messages::stopped(project));
        if command.format == Format::Json {
            let json = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
            print_escaped(&escape::json(&json));
        } else {
            print(&text(&report));
            say(&format!("{:.1} s", began.elapsed().as_secs_f64()));
        }
        Ok(u8::from(report.failed > 0))
    })
}

fn selected(project: &Project, command: &TestCommand) -> Vec<Test> {
    let mut tests = project.tests();
    let Selection { package, bin } = &command.selection;
    tests.retain(|test| {
        let of_target = |bin: &String| test.entry.name.split("::").next() == Some(bin);
        test.entry.name.contains(&command.test)
            && bin.as_ref().is_none_or(of_target)
            && package.as_ref().is_none_or(|package| test.entry.package.as_ref() == Some(package))
    });
    tests
}

fn report(project: &Project, tests: &[Test], command: &TestCommand) -> TestReport {
    let mut report = TestReport::default();
    let mut causes: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut reached, mut crates) = (Vec::new(), Vec::new());
    let mut judge = TestInterpreter::new(project);
    let bar = super::progress::bar(tests.len(), "tests");
    for test in tests {
        bar.set_message(escape::line(&test.entry.name).into_owned());
        bar.inc(1);
        if test.is_ignored {
            report.ignored += 1;
            continue;
        }
        let judged = judge.judge(test, command.source.options.seed.unwrap_or_default());
        report.steps += judged.steps;
        reached.extend(judged.reached);
        let new =
            project.local_crates_of(&test.entry).into_iter().filter(|it| !crates.contains(it)).collect::<Vec<_>>();
        crates.extend(new);
        let word = match judged.verdict {
            Verdict::Passed => {
                report.passed += 1;
                "passed".to_owned()
            }
            Verdict::Unknown(cause) => {
                report.unknown += 1;
                let known = causes.entry(cause.clone()).or_default();
                known.0 += 1;
                if known.1.is_empty() {
                    known.1 = judged.location.map_or_else(|| test.entry.name.clone(), |it| it.to_string());
                }
                format!("unknown: {cause}")
            }
            Verdict::Failed(says) => {
                report.failed += 1;
                let word = format!("FAILED: {says}");
                report.failures.push(Failure { test: test.entry.name.clone(), says });
                word
            }
        };
        if command.list {
            say(&escape::line(&format!("{}: {word}", test.entry.name)));
        }
    }
    bar.finish_and_clear();
    report.bodies = explore::bodies_lowered();
    let counts = Sites::of(project, crates).count(reached);
    report.sites = counts
        .into_iter()
        .map(|SiteCount { kind, existing, reached, concurrent }| {
            let kind = kind.name();
            Reached { kind, existing, reached, concurrent }
        })
        .collect();
    report.causes = causes.into_iter().map(|(cause, (tests, example))| CauseCount { tests, cause, example }).collect();
    report.causes.sort_by_key(|it| std::cmp::Reverse(it.tests));
    report
}

fn text(report: &TestReport) -> String {
    let TestReport { passed, unknown, failed, ignored, steps, bodies, .. } = report;
    let mut lines = vec![format!(
        "{passed} passed, {unknown} unknown, {failed} failed, {ignored} ignored; {steps} steps, {bodies} bodies lowered"
    )];
    lines.extend(report.sites.iter().map(|Reached { kind, existing, reached, concurrent }| {
        format!("{reached} of {existing} {kind} sites reached, {concurrent} concurrently")
    }));
    let causes = report.causes.iter();
    lines.extend(causes.map(|it| format!("{:>5} unknown: {} (first: {})", it.tests, it.cause, it.example)));
    lines.extend(report.failures.iter().map(|it| format!("failed: {}: {}", it.test, it.says)));
    lines.join("\n")
}
