//! Formats that other tools read: SARIF, annotations, Code Quality, JUnit, Markdown, HTML; and reports in files.

use crate::support::{Folder, run};
use analyzer::rules::RULES;
use serde_json::Value;
use std::process::Command;
use tsvd_check::format::FORMATS;

/// A deadlock with two locks and a fix, one thread of which has a name that several formats give a meaning.
const HOSTILE: &str = r#"use std::{sync::{Arc, Mutex}, thread};

#[derive(Default)]
struct Shop {
    stock: Mutex<u32>,
    sales: Mutex<u32>,
}

impl Shop {
    fn sell(&self) {
        let mut stock = self.stock.lock().unwrap();
        *stock -= 1;
        *self.sales.lock().unwrap() += 1;
    }

    fn restock(&self) {
        let sales = self
            .sales
            .lock().unwrap();
        *self.stock.lock().unwrap() += *sales;
    }
}

fn main() {
    let shop = Arc::new(Shop { stock: Mutex::new(9), ..Shop::default() });
    let other = Arc::clone(&shop);
    let name = "<b>|x](y);\n::error::z%";
    let seller = thread::Builder::new().name(name.to_owned()).spawn(move || other.sell()).unwrap();
    shop.restock();
    seller.join().unwrap();
}
"#;

/// A file with a report in each format, from one check of one source.
fn reports(source: &str) -> Folder {
    let folder = Folder::new(&[("src dir/shop.rs", source)]);
    let outputs: Vec<String> = FORMATS.iter().map(|it| format!("--output={0}=report.{0}", it.name)).collect();
    let mut args = vec!["check", "src dir/shop.rs", "--format=short"];
    args.extend(outputs.iter().map(String::as_str));
    let (stdout, stderr, status) = folder.output(&args);
    assert_eq!((stdout.lines().count(), status), (1, 1), "{stdout}{stderr}");
    folder
}

fn report(folder: &Folder, format: &str) -> String {
    std::fs::read_to_string(folder.path().join(format!("report.{format}"))).unwrap()
}

fn json(folder: &Folder, format: &str) -> Value {
    serde_json::from_str(&report(folder, format)).unwrap()
}

/// Violations that Microsoft's validator reports, with the rules of GitHub's code scanning; `None` if `SARIF_MULTITOOL`
/// does not name it, as outside of `.ci/run`.
fn sarif_errors(folder: &Folder) -> Option<Vec<String>> {
    let tool = std::env::var_os("SARIF_MULTITOOL")?;
    let mut command = Command::new(tool);
    command.args(["validate", "--rule-kind", "Sarif;Ghas", "report.sarif", "--output", "validated.sarif"]);
    command.env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1").current_dir(folder.path());
    let (stdout, stderr, status) = run(command);
    assert!(stdout.contains("Analysis completed successfully"), "{status}: {stdout}{stderr}");
    let is_error = |line: &&str| line.contains(": error ") || line.contains(": warning ");
    // Nothing is published yet, so there is no page about the tool.
    let found = stdout.lines().filter(is_error).filter(|line| !line.contains("SARIF2005"));
    Some(found.map(str::to_owned).collect())
}

#[test]
fn sarif_is_what_code_scanning_reads() {
    let folder = reports(HOSTILE);
    assert_eq!(sarif_errors(&folder).unwrap_or_default(), Vec::<String>::new());
    let log = json(&folder, "sarif");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), RULES.len());
    assert!(rules.iter().all(|rule| rule["help"]["markdown"].as_str().unwrap().contains("## Bad")), "{rules:#?}");
    let [result] = run["results"].as_array().unwrap().as_slice() else { panic!("{run:#}") };
    assert_eq!((&result["ruleId"], &result["level"]), (&"deadlock".into(), &"error".into()));
    assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], "deadlock");
    // Each related location is linked from the message, and nothing of the program's text links anywhere.
    let text = result["message"]["text"].as_str().unwrap();
    let related = result["relatedLocations"].as_array().unwrap();
    assert!(related.len() >= 3, "{result:#}");
    related.iter().for_each(|it| assert!(text.contains(&format!("]({})", it["id"])), "{text}"));
    assert!(text.contains("x\\](y)") && !text.contains("x](y)"), "{text}");
    // Regions are one line, columns count characters, paths are URIs.
    let places = std::iter::once(&result["locations"][0]).chain(related);
    for place in places.map(|it| &it["physicalLocation"]) {
        assert_eq!(place["region"]["startLine"], place["region"]["endLine"], "{place:#}");
        assert_eq!(place["artifactLocation"]["uri"], "src%20dir/shop.rs");
    }
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 2, "a flow per thread");
    let mut numbers: Vec<u64> = Vec::new();
    for step in flows.iter().flat_map(|it| it["locations"].as_array().unwrap()) {
        let number = step["executionOrder"].as_u64().unwrap();
        assert!(step["location"]["message"]["text"].as_str().unwrap().starts_with(&format!("Step {number}, ")));
        numbers.push(number);
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    // The denominator is there too.
    let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    assert!(notes.iter().any(|it| it["message"]["text"].as_str().unwrap().contains("lock sites")), "{notes:#?}");
}

#[test]
fn an_alert_keeps_its_fingerprints_when_lines_are_added_above() {
    let (before, after) = (reports(HOSTILE), reports(&format!("// A shop.\n\n{HOSTILE}")));
    let fingerprints = |folder: &Folder| json(folder, "sarif")["runs"][0]["results"][0]["partialFingerprints"].clone();
    assert_eq!(fingerprints(&before), fingerprints(&after));
    assert!(fingerprints(&before)["primaryLocationLineHash"].as_str().unwrap().ends_with(":1"));
    let fingerprint = |folder: &Folder| json(folder, "gitlab")[0]["fingerprint"].clone();
    assert_eq!(fingerprint(&before), fingerprint(&after));
    let line = |folder: &Folder| json(folder, "gitlab")[0]["location"]["positions"]["begin"]["line"].as_u64().unwrap();
    assert_eq!(line(&before) + 2, line(&after));
}

#[test]
fn texts_of_a_program_have_no_meaning_in_any_format() {
    let folder = reports(HOSTILE);
    // A workflow command is a line of its own.
    let github = report(&folder, "github");
    assert!(github.lines().count() == 1 && github.starts_with("::error file=src dir/shop.rs,line="), "{github}");
    let html = report(&folder, "html");
    assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"), "{html}");
    assert!(!html.contains("<script") && html.contains("default-src 'none'"), "{html}");
    let markdown = report(&folder, "markdown");
    let (table, diagram) = (markdown.lines().filter(|it| it.starts_with("| ")), markdown.split("```").nth(1).unwrap());
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    assert!(table.map(columns).all(|it| it == 4), "{markdown}");
    assert!(diagram.starts_with("mermaid\nsequenceDiagram\n") && diagram.contains("#lt;b#gt;"), "{markdown}");
    assert!(diagram.contains("T0->>T1: 1. starts "), "{markdown}");
}

#[test]
fn junit_has_a_case_for_each_rule() {
    let junit = quick_junit::Report::deserialize_from_str(&report(&reports(HOSTILE), "junit")).unwrap();
    let [suite] = junit.test_suites.as_slice() else { panic!("{junit:?}") };
    assert_eq!((suite.name.as_str(), suite.tests, suite.failures), ("shop", RULES.len(), 1));
    let failed =
        suite.test_cases.iter().find(|it| matches!(it.status, quick_junit::TestCaseStatus::NonSuccess { .. })).unwrap();
    assert_eq!(failed.name.as_str(), "deadlock");
    assert!(suite.system_out.as_ref().unwrap().as_str().contains("lock sites"), "{suite:?}");
}

/// GitHub shows ten errors of a step.
#[test]
fn annotations_beyond_what_github_shows_are_counted() {
    let statics: String = (0..12).map(|n| format!("static mut N{n}: u32 = 0;\n")).collect();
    let writes: String = (0..12).map(|n| format!("unsafe fn write{n}() {{ unsafe {{ N{n} += 1 }} }}\n")).collect();
    let calls: String = (0..12).map(|n| format!("write{n}(); ")).collect();
    let source = format!(
        "{statics}{writes}unsafe fn all() {{ unsafe {{ {calls} }} }}\n\
         fn main() {{\n    let other = std::thread::spawn(|| unsafe {{ all() }});\n    unsafe {{ all() }}\n    other.join().unwrap();\n}}\n"
    );
    let folder = Folder::new(&[("many.rs", &source)]);
    let (stdout, stderr, status) = folder.output(&["check", "many.rs", "--format", "github"]);
    let errors = stdout.lines().filter(|line| line.starts_with("::error ")).count();
    assert_eq!((errors, status), (10, 1), "{stdout}{stderr}");
    assert!(stdout.ends_with("tsvd-check: 2 more errors; GitHub shows 10 of a step\n"), "{stdout}");
}

#[test]
fn what_could_not_be_checked_is_no_clean_result() {
    let folder = Folder::new(&[]);
    for (format, expected) in [
        ("markdown", "# tsvd-check: not checked"),
        ("html", "<h1>tsvd-check: not checked</h1>"),
        ("github", "::error::no such file"),
        ("junit", "<error message=\"no such file"),
        ("sarif", "\"executionSuccessful\": false"),
    ] {
        let (stdout, stderr, status) = folder.output(&["check", "absent.rs", "--format", format]);
        assert!(stdout.contains(expected) && status == 2, "{format}: {stdout}{stderr}");
    }
}

#[test]
fn findings_can_be_advisory() {
    let folder = Folder::new(&[("shop.rs", HOSTILE)]);
    let (stdout, _, status) = folder.output(&["check", "shop.rs", "--format=short", "--exit-zero"]);
    assert!(stdout.contains("error[deadlock]") && status == 0, "{stdout}");
    assert_eq!(folder.output(&["check", "absent.rs", "--exit-zero"]).2, 2);
}
