//! `--format junit`: JUnit XML, for CI systems that show test results.
//!
//! A package is a suite with one test case per rule, so that a silent result is visible too. A finding fails the case of its
//! rule. What a package's check covered is the suite's output.

use super::{FormatSpec, Granularity, Reader, Style, full, short, summary};
use analyzer::{
    Report,
    diagnostic::Diagnostic,
    escape,
    report::{MessageLevel, PackageReport, Part},
    rules::RULES,
};
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "junit",
    summary: "JUnit XML, with a test case per rule and package",
    granularity: Granularity::Report,
    reader: Reader::Tool,
    render,
};

fn render(report: &Report, style: &Style) -> String {
    let mut junit = Junit::new(env!("CARGO_PKG_NAME"));
    for part in &report.parts {
        junit.add_test_suites(part.packages.iter().map(|package| suite(part, package, style)));
        if let Some(error) = part.error() {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(escape::line(&error.text)).set_type("not-checked");
            let mut suite = TestSuite::new(escape::line(&part.path));
            suite.add_test_case(TestCase::new("check", status));
            junit.add_test_suite(suite);
        }
    }
    // Its text is built in memory, and has no characters that XML forbids.
    escape::text(&junit.to_string().unwrap_or_default()).into_owned()
}

fn suite(part: &Part, package: &PackageReport, style: &Style) -> TestSuite {
    let mut suite = TestSuite::new(escape::line(&package.name));
    for rule in RULES {
        let findings: Vec<&Diagnostic> =
            package.findings.iter().filter(|it| it.rule == rule.name && it.counts()).collect();
        let mut case = TestCase::new(rule.name, status(&findings, part));
        case.set_classname(escape::line(&package.name));
        if let [first, ..] = findings[..] {
            case.extra.insert("file".into(), escape::line(&first.primary.path).into());
            case.extra.insert("line".into(), first.primary.line.to_string().into());
        }
        suite.add_test_case(case);
    }
    // Those that are only possible fail nothing.
    let possible = package.findings.iter().filter(|it| style.shows_possible && !it.counts()).map(short::line);
    let messages = part.messages.iter().filter(|it| it.level != MessageLevel::Error).map(ToString::to_string);
    let lines: Vec<String> = possible.chain(messages).chain([summary(package, style, None)]).collect();
    suite.set_system_out(escape::text(&lines.join("\n")));
    suite
}

fn status(findings: &[&Diagnostic], part: &Part) -> TestCaseStatus {
    let [first, ..] = findings else { return TestCaseStatus::success() };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(first.rule).set_message(escape::line(&first.message));
    let texts: Vec<String> = findings.iter().map(|it| full::drawn(it, &part.sources, false)).collect();
    status.set_description(escape::text(&texts.join("\n\n")));
    status
}
