//! Findings that do not count in this run, although the check has found them: those of a baseline, and with `--since`
//! those in code that has not changed. A cached report has them all, so that another baseline costs no analysis.

use crate::baseline::Baseline;
use analyzer::{
    Report,
    changes::Changes,
    diagnostic::Diagnostic,
    report::{PackageReport, Part},
};

/// Leaves out findings of reports.
#[derive(Clone, Copy, Default)]
pub(super) struct FindingFilter<'a> {
    pub(super) baseline: Option<&'a Baseline>,
    pub(super) changes: Option<&'a Changes>,
}

impl FindingFilter<'_> {
    /// A part of a report with the findings that count in this run.
    pub(super) fn part(&self, part: &Part) -> Part {
        let packages: Vec<PackageReport> = part.packages.iter().map(|it| self.package(it)).collect();
        let findings = packages.iter().flat_map(|package| &package.findings);
        let shown: Vec<&str> = findings.flat_map(Diagnostic::drawn_locations).map(|it| it.path.as_str()).collect();
        let is_shown = |path: &str| shown.contains(&path);
        let sources = part.sources.iter().filter(|(path, _)| is_shown(path));
        let sources = sources.map(|(path, file)| (path.clone(), file.clone())).collect();
        Part { packages, sources, ..part.clone() }
    }

    /// The same for a report.
    pub(super) fn report(&self, report: &Report) -> Report {
        Report { parts: report.parts.iter().map(|it| self.part(it)).collect(), ..report.clone() }
    }

    /// The same for a package, whose summary counts what is left out.
    pub(super) fn package(&self, package: &PackageReport) -> PackageReport {
        let mut sieved = PackageReport { findings: Vec::new(), ..package.clone() };
        let summary = &mut sieved.summary;
        for finding in &package.findings {
            let counted = usize::from(finding.counts());
            let left_out = if self.baseline.is_some_and(|it| it.has(finding)) {
                &mut summary.in_baseline
            } else if self.changes.is_some_and(|it| !it.touch(finding)) {
                &mut summary.unchanged
            } else {
                sieved.findings.push(finding.clone());
                continue;
            };
            *left_out += counted;
            // Findings that arrive before their package's summary have none.
            summary.bugs = summary.bugs.saturating_sub(counted);
            summary.possible = summary.possible.saturating_sub(1 - counted);
        }
        sieved
    }
}
