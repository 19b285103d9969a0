//! Baselines: files with the findings that a team knows and does not repair yet (`--baseline`, `--write-baseline`).
//!
//! A finding is recognised by its fingerprint, which has names and no lines. All else is for people who read the file.

use analyzer::{
    Report,
    diagnostic::Diagnostic,
    escape,
    project::{LoadError, MAX_MANIFEST, OwnFolders, read_text},
    report::Part,
    user_files::OutputFile,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// The version of the file's form.
const VERSION: u32 = 1;

/// The findings of a baseline.
#[derive(Debug, Default)]
pub(crate) struct Baseline {
    findings: BTreeMap<String, BaselineEntry>,
}

/// The file.
#[derive(Serialize, Deserialize)]
struct BaselineFile {
    version: u32,
    findings: Vec<BaselineEntry>,
}

/// A finding in the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BaselineEntry {
    fingerprint: String,
    /// The rule, the place and the title, as they were when the file was written.
    #[serde(default)]
    rule: String,
    #[serde(default)]
    at: String,
    #[serde(default)]
    title: String,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is none; the error is a text for the user.
    pub(crate) fn read(path: &Path) -> Result<Baseline, String> {
        let shown = escape::path(path);
        let text = read_text(path, MAX_MANIFEST).map_err(|error| match error {
            LoadError::NotFound(_) => format!("there is no baseline {shown}; `--write-baseline {shown}` makes it"),
            error => error.to_string(),
        })?;
        // Messages quote what is in the file, so a link in a repository must not choose it.
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !OwnFolders::new([folder, Path::new(".")]).contain(path, path) {
            return Err(LoadError::LeavesProject(path.to_owned()).to_string());
        }
        let file: BaselineFile = serde_json::from_str(&text)
            .map_err(|error| escape::line(&error.to_string()).into_owned())
            .map_err(|error| format!("{shown} is no baseline: {error}; `--write-baseline {shown}` makes a new one"))?;
        if file.version != VERSION {
            return Err(format!("{shown} has version {}, but this program reads version {VERSION}", file.version));
        }
        Ok(Baseline { findings: file.findings.into_iter().map(|it| (it.fingerprint.clone(), it)).collect() })
    }

    /// Whether it has a finding.
    pub(crate) fn has(&self, diagnostic: &Diagnostic) -> bool {
        self.findings.contains_key(&diagnostic.fingerprint())
    }

    /// The entries that have no finding in a report any more.
    pub(crate) fn stale<'a>(&'a self, report: &Report) -> impl Iterator<Item = &'a BaselineEntry> {
        let found: BTreeSet<String> = report.findings().map(Diagnostic::fingerprint).collect();
        self.findings.values().filter(move |known| !found.contains(&known.fingerprint))
    }
}

impl BaselineEntry {
    /// `data-race at src/main.rs:8:4: title`.
    pub(crate) fn line(&self) -> String {
        escape::line(&format!("{} at {}: {}", self.rule, self.at, self.title)).into_owned()
    }
}

/// Writes a baseline with all findings that count; returns their number.
///
/// # Errors
///
/// If it cannot be written; the error is a text for the user.
pub(crate) fn write(file: &OutputFile, report: &Report) -> Result<usize, String> {
    let known = |it: &Diagnostic| BaselineEntry {
        fingerprint: it.fingerprint(),
        rule: it.rule.to_owned(),
        at: it.primary.to_string(),
        title: it.title.clone(),
    };
    let counted = report.parts.iter().flat_map(Part::findings).filter(|it| it.counts());
    let mut findings: BTreeMap<String, BaselineEntry> = BTreeMap::new();
    for it in counted {
        findings.entry(it.fingerprint()).or_insert_with(|| known(it));
    }
    // A line for each finding, so that a difference of two versions can be read.
    let lines: Vec<String> = findings
        .values()
        .map(|it| serde_json::to_string(it).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let lines = lines.iter().map(|line| format!("\n    {line}")).collect::<Vec<_>>().join(",");
    let text = format!("{{\n  \"version\": {VERSION},\n  \"findings\": [{lines}\n  ]\n}}\n");
    file.write(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(findings.len())
}
