//! Prints a check while it runs: findings to standard output, everything else to standard error.

use super::{OutputOptions, finding_filter::FindingFilter, output::say, progress::Bar, show};
use crate::{
    format::{self, Granularity, Reader, Style},
    watchdog,
};
use analyzer::{
    Report,
    check::Progress,
    diagnostic::Diagnostic,
    report::{Message, MessageLevel, PackageReport, Part, Stage},
};
use std::{io::IsTerminal as _, time::Instant};

/// Prints a check.
pub(super) struct Printer<'a> {
    output: OutputOptions,
    style: Style,
    filter: FindingFilter<'a>,
    /// Number of schedules for each entry.
    schedules: u32,
    /// The same, if the user asked for it.
    asked: Option<u32>,
    bar: Option<Bar>,
    /// When the current package was started; `None` if there is none.
    began: Option<Instant>,
    /// Keeps findings for a replay.
    remember: &'a mut (dyn FnMut(&Report) + Send),
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        output: OutputOptions,
        style: Style,
        filter: FindingFilter<'a>,
        remember: &'a mut (dyn FnMut(&Report) + Send),
    ) -> Printer<'a> {
        Printer { output, style, filter, schedules: 0, asked: None, bar: None, began: None, remember }
    }

    /// Sets the number of schedules for each entry, and the one that the user asked for.
    pub(super) fn expect_schedules(&mut self, schedules: u32, asked: Option<u32>) {
        (self.schedules, self.asked) = (schedules, asked);
    }

    /// Prints a part of an earlier report.
    pub(super) fn print(&mut self, part: &Part) {
        part.messages_of(Stage::Start).for_each(|message| self.message(message));
        let mut findings = Part {
            path: part.path.clone(),
            sources: part.sources.clone(),
            workspace: part.workspace.clone(),
            ..Part::default()
        };
        for package in &part.packages {
            findings.packages = vec![PackageReport { findings: package.findings.clone(), ..PackageReport::default() }];
            let report = Report::of(findings);
            self.show(&self.filter.report(&report));
            self.package(package);
            findings = report.parts.into_iter().next().unwrap_or_default();
        }
        part.messages_of(Stage::End).for_each(|message| self.message(message));
    }

    fn show(&self, findings: &Report) {
        if self.output.format.granularity == Granularity::Finding {
            self.aside(|| show(findings, self.output, &self.style));
        }
    }

    /// Prints something with the bar hidden.
    fn aside(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.aside(print),
            None => print(),
        }
    }
}

impl Progress for Printer<'_> {
    fn message(&mut self, message: &Message) {
        if message.stage == Stage::End {
            self.bar = None;
        }
        // The caller reports errors.
        if message.level != MessageLevel::Error {
            self.aside(|| say(&message.to_string()));
        }
    }

    fn started(&mut self, entries: usize) {
        self.bar = (self.output.format.reader == Reader::Person).then(|| Bar::of_schedules(self.schedules, entries));
        self.began = Some(Instant::now());
    }

    fn schedule(&mut self, entry: usize, name: &str, schedules: u32) {
        if let Some(bar) = &mut self.bar {
            bar.at(entry, schedules, name);
        }
    }

    fn explored(&mut self, entry: usize, _findings: &[Diagnostic]) {
        if let Some(bar) = &mut self.bar {
            bar.finished(entry);
        }
    }

    fn new_findings(&mut self, findings: &Report) {
        let findings = &self.filter.report(findings);
        self.show(findings);
        (self.remember)(findings);
        if findings.has_errors() {
            watchdog::note_finding();
        }
    }

    fn package(&mut self, package: &PackageReport) {
        // The same input must give the same output, so the time is only printed on terminals.
        let took = self.began.filter(|_| std::io::stderr().is_terminal()).map(|began| began.elapsed());
        let mut text = format::summary(&self.filter.package(package), &self.style, took);
        if let Some(asked) = self.asked.filter(|asked| *asked > 1 && package.summary.alike > 0) {
            let indent = " ".repeat(package.name.chars().count() + 2);
            let entries = format::count_entries(package.summary.alike);
            text.push_str(&format!(
                "\n{indent}{entries} got fewer than {asked} schedules: no thread starts, so all schedules are the same"
            ));
        }
        self.aside(|| say(&text));
        self.began = self.began.map(|_| Instant::now());
    }
}
