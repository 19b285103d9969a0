//! Which entries are checked.

use crate::{
    escape,
    project::{EntryKind, EntryPoint, Project},
};

/// The most tests of a crate that are run: each costs some milliseconds, whatever it does.
const MAX_TESTS: usize = 4_000;

/// Maximum number of names in a message.
const MOST_NAMED: usize = 12;
/// The message if there is no program.
pub const NO_MAIN: &str = "there is no program with a `main` here";

/// Which entries of a project are selected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Only those of this package of the workspace.
    pub package: Option<String>,
    /// Only this program or example.
    pub bin: Option<String>,
    /// Only tests whose name contains this, and no programs.
    pub test: Option<String>,
    /// Whether programs are selected.
    pub programs: bool,
    /// Whether tests are selected.
    pub tests: bool,
    /// Whether harnesses are selected.
    pub api: bool,
}

impl Default for Selection {
    fn default() -> Self {
        Selection { package: None, bin: None, test: None, programs: true, tests: true, api: true }
    }
}

/// The entries that are known without a look at what functions do.
pub(super) struct EarlyEntries {
    /// They, those of a package together.
    pub(super) entries: Vec<EntryPoint>,
    /// Of which targets not all tests are run, and how many are not.
    pub(super) tests_left_out: Vec<(String, usize)>,
}

impl Selection {
    /// A program given by name is not a test.
    pub fn has_tests(&self) -> bool {
        self.tests && self.bin.is_none()
    }

    /// Harnesses are neither programs nor tests.
    pub fn has_harnesses(&self) -> bool {
        self.api && self.bin.is_none() && self.test.is_none()
    }

    /// Whether every entry is selected.
    pub fn is_everything(&self) -> bool {
        self.package.is_none() && self.test.is_none() && self.programs && self.has_tests() && self.has_harnesses()
    }

    /// The selected entries that are known without looking into functions, grouped by package.
    ///
    /// # Errors
    ///
    /// If an entry selected by name does not exist.
    pub(super) fn early_entries(&self, project: &Project) -> Result<EarlyEntries, String> {
        let mut tests_left_out = Vec::new();
        let mut entries = match self.test {
            None if self.programs => project.binaries(),
            _ => Vec::new(),
        };
        let programs = entries.len();
        if self.has_tests() {
            for tests in self.tests(project).chunk_by(|one, other| one.krate == other.krate) {
                let (run, left_out) = tests.split_at(tests.len().min(MAX_TESTS));
                entries.extend_from_slice(run);
                if let Some(first) = left_out.first().filter(|it| self.has_package(it)) {
                    let target = first.target();
                    tests_left_out.push((target.to_owned(), left_out.len()));
                }
            }
        }
        if entries.is_empty()
            && let Some(text) = &self.test
        {
            return Err(format!("there is no test with `{text}` in its name"));
        }
        if programs > 0 || self.package.is_some() || self.bin.is_some() {
            entries = self.chosen(project, entries)?;
        }
        if self.has_harnesses() {
            entries.extend(project.api().into_iter().filter(|it| self.has_package(it)));
        }
        Ok(EarlyEntries { entries, tests_left_out })
    }

    /// The selected tests, those of a crate together.
    fn tests(&self, project: &Project) -> Vec<EntryPoint> {
        let is_named = |test: &EntryPoint| self.test.as_ref().is_none_or(|text| test.name.contains(text));
        let tests = project.tests().into_iter().filter(|test| !test.is_ignored).map(|test| test.entry);
        tests.filter(is_named).collect()
    }

    /// The selected entries in the middle.
    pub(super) fn middle(&self, project: &Project) -> Vec<EntryPoint> {
        if !self.has_harnesses() {
            return Vec::new();
        }
        project.middle().into_iter().filter(|it| self.has_package(it)).collect()
    }

    fn has_package(&self, entry: &EntryPoint) -> bool {
        self.package.is_none() || entry.package == self.package
    }

    /// The selected programs and tests; all of them by default.
    ///
    /// # Errors
    ///
    /// If an entry selected by name does not exist, or there are several.
    pub fn chosen(&self, project: &Project, entries: Vec<EntryPoint>) -> Result<Vec<EntryPoint>, String> {
        let mut chosen = entries;
        if let Some(name) = &self.package {
            let packages = in_order(chosen.iter().filter_map(|it| it.package.clone()));
            chosen.retain(|it| it.package.as_ref() == Some(name));
            if chosen.is_empty() {
                return Err(format!("there is no package `{name}` with a program; {}", there_are(&packages)));
            }
        }
        if let Some(name) = &self.bin {
            let known = names(&chosen);
            chosen.retain(|it| it.name == *name);
            if chosen.is_empty() {
                if let Some((_, features)) = project.switched_off().iter().find(|(it, _)| it == name) {
                    return Err(format!("`{name}` needs features that are off: `--features {}`", features.join(",")));
                }
                return Err(format!("there is no program `{name}`; {}", there_are(&known)));
            }
            if chosen.len() > 1 {
                return Err(format!("several programs `{name}`: choose one with {}", choices(&chosen)));
            }
        }
        Ok(chosen)
    }
}

fn there_are(known: &str) -> String {
    match known {
        "" => NO_MAIN.to_owned(),
        names => format!("available: {names}"),
    }
}

/// How to choose one of several programs: by name, or by package if they share a name.
pub fn choices(binaries: &[EntryPoint]) -> String {
    match names(binaries) {
        names if names.contains(',') => format!("`--bin` ({names})"),
        _ => format!("`--package` ({})", in_order(binaries.iter().filter_map(|it| it.package.clone()))),
    }
}

fn names(binaries: &[EntryPoint]) -> String {
    in_order(binaries.iter().map(|it| escape::line(&it.name).into_owned()))
}

/// Without duplicates, in the given order; the first ones if there are many.
fn in_order(names: impl Iterator<Item = String>) -> String {
    let mut known: Vec<String> = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let others = known.len().saturating_sub(MOST_NAMED);
    known.truncate(MOST_NAMED);
    let names = known.join(", ");
    if others > 0 { format!("{names} and {others} more") } else { names }
}

/// Entries grouped by package; packages in order of first occurrence.
pub(super) fn by_package(mut entries: Vec<EntryPoint>) -> Vec<EntryPoint> {
    let mut packages: Vec<Option<String>> = Vec::new();
    for entry in &entries {
        if !packages.contains(&entry.package) {
            packages.push(entry.package.clone());
        }
    }
    entries.sort_by_key(|entry| packages.iter().position(|it| *it == entry.package));
    entries
}

/// The name of a group of entries: their package, or what they belong to.
pub(super) fn group_name<'a>(entries: impl IntoIterator<Item = &'a EntryPoint>) -> String {
    let entries: Vec<&EntryPoint> = entries.into_iter().collect();
    let is_last = |it: &&&EntryPoint| it.kind != EntryKind::Middle;
    let Some(last) = entries.iter().rfind(is_last).or(entries.last()) else { return String::new() };
    let name: &str = match &last.package {
        Some(package) if entries.len() > 1 || last.is_harness() => package,
        None if entries.len() > 1 || last.is_harness() => last.name.split("::").next().unwrap_or_default(),
        _ => &last.name,
    };
    // It starts the line of a summary.
    escape::line(name).into_owned()
}
