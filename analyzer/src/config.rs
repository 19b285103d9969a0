//! The configuration of a workspace: `tsvd.toml` at its root, or `metadata.tsvd` in a manifest.
//!
//! A repository may contain one, so it is hostile input: it changes what is explored and reported, as documented, and
//! says so in the summary. It names no program, no file to write, no trust, and no bound beyond [`MAX_RUNS`].

mod find;
mod paths;
mod read;

pub use find::FILE_NAME;
pub(crate) use find::{Place, load, places};

use crate::{
    check::Selection,
    diagnostic::{Diagnostic, Level, RuleName},
    escape,
    explore::{self, Effort},
    project::Project,
};
use interp::{run::Jitter, sched::Strategy};
use paths::Pattern;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// Maximum number of schedules that a configuration can ask for.
pub const MAX_RUNS: u32 = 10_000;

/// Maximum number of names that are told not to exist: for each, all that exist are compared with it.
const MAX_UNKNOWN: usize = 20;

/// The keys, with those of the tables in them; `docs/tsvd.schema.json` has the same.
pub const KEYS: &[(&str, &[&str])] = &[
    ("entries", &["programs", "tests", "api"]),
    ("exclude", &[]),
    ("jitter", &[]),
    ("known-safe", &[]),
    ("objects", &["type", "foreign", "reads", "writes"]),
    ("rules", &[]),
    ("runs", &[]),
    ("seed", &[]),
    ("strategy", &[]),
];

/// The configuration of a workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// The root of the workspace, canonical.
    root: PathBuf,
    /// The file that it is in, as shown; empty if there is none.
    file: String,
    /// Levels of rules; `None` turns a rule off.
    levels: BTreeMap<RuleName, Option<Level>>,
    exclude: Vec<Pattern>,
    runs: Option<u32>,
    seed: Option<u64>,
    strategy: Option<Strategy>,
    jitter: Option<Jitter>,
    entries: Entries,
    /// Types whose methods may be called unordered.
    pub(crate) known_safe: Vec<NamedType>,
    /// Further objects that threads must not access unordered.
    pub(crate) objects: Vec<OwnObject>,
}

/// The options of an exploration that the command line sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WantedExploration {
    /// The seed of all random choices.
    pub seed: Option<u64>,
    /// Number of runs of an entry.
    pub runs: Option<u32>,
    /// How much is done if no number of runs is requested.
    pub effort: Option<Effort>,
    /// The strategy of all runs.
    pub strategy: Option<Strategy>,
    /// How late threads may wake.
    pub jitter: Option<Jitter>,
}

/// Which entries are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entries {
    programs: bool,
    tests: bool,
    api: bool,
}

impl Default for Entries {
    fn default() -> Self {
        Entries { programs: true, tests: true, api: true }
    }
}

/// A type that a configuration names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedType {
    /// Its path: crate, modules, name.
    pub(crate) path: String,
    /// Where the configuration names it, for messages.
    at: String,
}

/// A type, or an object of foreign functions, that threads must not access unordered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnObject {
    pub(crate) of: ObjectKind,
    /// Methods, or foreign functions, that read it.
    pub(crate) reads: Vec<String>,
    /// Those that write it.
    pub(crate) writes: Vec<String>,
}

/// What an object is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ObjectKind {
    /// A value of a type.
    Type(NamedType),
    /// What the first argument of foreign functions points to.
    Foreign {
        /// Where the configuration describes it, for messages.
        at: String,
    },
}

impl OwnObject {
    /// Whether the method or function writes it; `None` if it is not listed.
    pub(crate) fn writes(&self, name: &str) -> Option<bool> {
        let is_it = |it: &String| it == name;
        let reads = || self.reads.iter().any(is_it).then_some(false);
        self.writes.iter().any(is_it).then_some(true).or_else(reads)
    }
}

impl Config {
    /// How entries are explored; what the command line says wins.
    pub fn explore(&self, wanted: WantedExploration) -> explore::Options {
        explore::Options {
            seed: wanted.seed.or(self.seed).unwrap_or_default(),
            // An effort on the command line is meant instead of runs that the configuration asks for.
            runs: wanted.runs.or(self.runs.filter(|_| wanted.effort.is_none())),
            // Only the user can ask for whatever it costs.
            steps: wanted.runs.map(|_| u64::MAX),
            effort: wanted.effort.unwrap_or_default(),
            strategy: wanted.strategy.or(self.strategy),
            jitter: wanted.jitter.or(self.jitter),
            ..explore::Options::default()
        }
    }

    /// The entries that are selected; those that the command line names win.
    #[must_use]
    pub fn selection(&self, selection: Selection) -> Selection {
        let Entries { programs, tests, api } = self.entries;
        Selection {
            programs: selection.programs && (programs || selection.bin.is_some()),
            tests: selection.tests && (tests || selection.test.is_some()),
            api: selection.api && api,
            ..selection
        }
    }

    /// What it leaves out, as a line for people.
    pub(crate) fn left_out(&self) -> Option<String> {
        let Entries { programs, tests, api } = self.entries;
        let entries = [("programs", programs), ("tests", tests), ("public functions", api)];
        let mut parts: Vec<String> = entries.iter().filter(|it| !it.1).map(|it| it.0.to_owned()).collect();
        let off = self.levels.iter().filter(|(_, level)| level.is_none());
        parts.extend(off.map(|(rule, _)| format!("`{rule}`")));
        (!parts.is_empty()).then(|| format!("turned off by {}: {}", self.file, parts.join(", ")))
    }

    /// The level at which a finding is reported; `None` if it is left out.
    pub(crate) fn level(&self, project: &Project, diagnostic: &Diagnostic) -> Option<Level> {
        if diagnostic.is_known_safe || self.excludes(project, diagnostic) {
            return None;
        }
        match self.levels.get(diagnostic.rule) {
            // What is only possible stays a warning.
            Some(Some(level)) => Some((*level).max(diagnostic.level)),
            Some(None) => None,
            None => Some(diagnostic.level),
        }
    }

    /// Whether all locations of a finding are in files that are left out.
    fn excludes(&self, project: &Project, diagnostic: &Diagnostic) -> bool {
        let is_excluded = |path: &str| {
            let on_disk = project.path_of(path).and_then(|it| it.canonicalize().ok());
            let below = on_disk.as_ref().and_then(|it| it.strip_prefix(&self.root).ok()).and_then(|it| it.to_str());
            below.is_some_and(|below| self.exclude.iter().any(|pattern| pattern.matches(below)))
        };
        let mut sites = diagnostic.others.iter().map(|site| &site.location).chain([&diagnostic.primary]);
        !self.exclude.is_empty() && sites.all(|site| is_excluded(&site.path))
    }

    /// Types, methods and foreign functions that it names and that do not exist, with where it names them.
    pub(crate) fn unknown_names(&self, project: &Project) -> Vec<String> {
        let types = self.objects.iter().filter_map(|object| match &object.of {
            ObjectKind::Type(named) => Some(named),
            ObjectKind::Foreign { .. } => None,
        });
        let unknown = types.chain(&self.known_safe).filter_map(|NamedType { path, at }| {
            let found = project.types_named(path);
            match found.first() {
                _ if found.contains(path) => None,
                Some(canonical) => Some(format!("{at}: `{path}` is re-exported; write `{canonical}`")),
                None => Some(format!("{at}: there is no type `{path}` here")),
            }
        });
        let is_foreign = self.objects.iter().any(|object| matches!(object.of, ObjectKind::Foreign { .. }));
        let foreign = if is_foreign { project.foreign_functions() } else { BTreeSet::new() };
        let of_objects = self.objects.iter().flat_map(|object| object.unknown_names(project, &foreign));
        unknown.chain(of_objects).take(MAX_UNKNOWN).collect()
    }
}

impl OwnObject {
    /// Its methods or functions that do not exist, the first few.
    fn unknown_names(&self, project: &Project, foreign: &BTreeSet<String>) -> Vec<String> {
        let methods;
        let (at, known, what) = match &self.of {
            ObjectKind::Type(NamedType { path, at }) => {
                let Some(known) = project.methods_of(path) else { return Vec::new() };
                methods = known;
                (at, &methods, format!("`{path}` has no method"))
            }
            ObjectKind::Foreign { at } => (at, foreign, "there is no foreign function".to_owned()),
        };
        let unknown = self.reads.iter().chain(&self.writes).filter(|name| !known.contains(*name));
        let text = |name: &String| {
            let hint = read::nearest(name, known.iter().map(String::as_str));
            let hint = hint.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default();
            format!("{at}: {what} `{}`{hint}", escape::line(name))
        };
        unknown.take(MAX_UNKNOWN).map(text).collect()
    }
}
