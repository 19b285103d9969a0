//! Which packages and targets of a workspace are meant, as `cargo check` selects them (the Cargo Book, "cargo check").

use super::package_pattern;
use cargo_metadata::{Metadata, PackageId};
use ra_ap_project_model::TargetKind;
use std::path::{Path, PathBuf};

/// A selection of packages and targets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CargoSelection {
    /// Which packages.
    pub packages: PackageSelection,
    /// Which of their targets; `None` for all that run, with their tests.
    pub targets: Option<TargetSelection>,
    /// Where the last build of it is.
    pub built: BuildPlace,
}

/// Where cargo has built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildPlace {
    /// The target folder; `None` for the one of the workspace.
    pub folder: Option<PathBuf>,
    /// The profile's folder in it; `None` for `debug`.
    pub profile: Option<String>,
}

impl BuildPlace {
    /// The target folder, which may be that of the workspace.
    pub(super) fn folder(&self, of_workspace: &Path) -> PathBuf {
        let given = self.folder.as_ref().and_then(|it| std::path::absolute(it).ok());
        given.unwrap_or_else(|| of_workspace.to_owned())
    }

    /// The profile's folder in a target folder.
    pub(super) fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or("debug")
    }
}

/// Which packages of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PackageSelection {
    /// The package whose manifest was given; all members of a virtual workspace.
    #[default]
    Manifest,
    /// As cargo does without `-p` and `--workspace`: like `Manifest`, but in the workspace's folder its default members.
    Defaults,
    /// All members but these. A name may be a pattern.
    Workspace {
        /// Names of the packages to leave out.
        exclude: Vec<String>,
    },
    /// The members with these names, which may be patterns.
    Named(Vec<String>),
}

/// Which targets of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetSelection {
    /// The library.
    pub lib: bool,
    /// Programs.
    pub bins: TargetNames,
    /// Examples.
    pub examples: TargetNames,
    /// Integration tests.
    pub tests: TargetNames,
    /// Benchmarks.
    pub benches: TargetNames,
    /// The tests in libraries, programs and examples.
    pub unit_tests: bool,
}

/// Targets of one kind, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TargetNames {
    /// None.
    #[default]
    None,
    /// Those with these names.
    Named(Vec<String>),
    /// All.
    All,
}

impl TargetNames {
    fn contains(&self, name: &str) -> bool {
        match self {
            TargetNames::None => false,
            TargetNames::Named(names) => names.iter().any(|it| it == name),
            TargetNames::All => true,
        }
    }
}

/// What of a target is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SelectedParts {
    /// What the target itself is: its `main`, or its public functions.
    pub(super) itself: bool,
    /// Its tests.
    pub(super) tests: bool,
}

impl CargoSelection {
    /// Whether every target of the packages is selected, with its tests.
    pub(super) fn has_all_targets(&self) -> bool {
        self.targets.is_none()
    }

    /// What of a target is selected.
    pub(super) fn parts_of(&self, kind: TargetKind, name: &str) -> SelectedParts {
        let Some(targets) = &self.targets else { return SelectedParts { itself: true, tests: true } };
        let (itself, tests) = match kind {
            TargetKind::Lib { .. } => (targets.lib, targets.unit_tests),
            TargetKind::Bin => (targets.bins.contains(name), targets.unit_tests),
            TargetKind::Example => (targets.examples.contains(name), targets.unit_tests),
            TargetKind::Test => (false, targets.tests.contains(name)),
            TargetKind::Bench => (false, targets.benches.contains(name)),
            TargetKind::BuildScript | TargetKind::Other => (false, false),
        };
        SelectedParts { itself, tests }
    }
}

impl PackageSelection {
    /// The selected members; `None` for those that the manifest stands for.
    pub(super) fn members(&self, metadata: &Metadata, is_root: bool) -> Option<Vec<PackageId>> {
        let name_of = |id: &PackageId| metadata.packages.iter().find(|it| it.id == *id).map(|it| it.name.as_str());
        let members = metadata.workspace_members.iter();
        let chosen: Vec<PackageId> = match self {
            PackageSelection::Manifest => return None,
            // Cargo before 1.71 does not name them.
            PackageSelection::Defaults if is_root && metadata.workspace_default_members.is_available() => {
                metadata.workspace_default_members.to_vec()
            }
            PackageSelection::Defaults => return None,
            PackageSelection::Workspace { exclude } => {
                let is_in = |it: &&PackageId| !name_of(it).is_some_and(|it| matches_any(exclude, it));
                members.filter(is_in).cloned().collect()
            }
            PackageSelection::Named(names) => {
                members.filter(|it| name_of(it).is_some_and(|it| matches_any(names, it))).cloned().collect()
            }
        };
        Some(chosen)
    }
}

/// Whether one of these names or patterns is meant for a package.
fn matches_any(names: &[String], name: &str) -> bool {
    names.iter().any(|it| package_pattern::matches(it, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_as_cargo_check_selects_them() {
        let parts = |targets: TargetSelection, kind, name: &str| {
            let selection = CargoSelection {
                packages: PackageSelection::Defaults,
                targets: Some(targets),
                ..CargoSelection::default()
            };
            let SelectedParts { itself, tests } = selection.parts_of(kind, name);
            (itself, tests)
        };
        let lib = TargetKind::Lib { is_proc_macro: false };
        let named = |name: &str| TargetNames::Named(vec![name.to_owned()]);
        let bin = TargetSelection { bins: named("b"), ..TargetSelection::default() };
        assert_eq!(parts(bin.clone(), TargetKind::Bin, "b"), (true, false));
        assert_eq!(parts(bin.clone(), TargetKind::Bin, "c"), (false, false));
        assert_eq!(parts(bin, lib, "b"), (false, false));
        let tests = TargetSelection { tests: TargetNames::All, unit_tests: true, ..TargetSelection::default() };
        assert_eq!(parts(tests.clone(), lib, "l"), (false, true));
        assert_eq!(parts(tests.clone(), TargetKind::Test, "t"), (false, true));
        assert_eq!(parts(tests, TargetKind::Example, "e"), (false, true));
        assert_eq!(CargoSelection::default().parts_of(lib, "l"), SelectedParts { itself: true, tests: true });
    }
}
