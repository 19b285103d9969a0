//! Which projects are loaded, and with which features: settings that have the names of rust-analyzer's, so that an editor
//! can pass on what its user has set for that.
//!
//! A repository may contain them. They start nothing, and no project outside the open folders is loaded for them.

use analyzer::project::Features;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Maximum number of entries of a list.
const MOST: usize = 1_000;

/// What the initialization options say of projects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProjectSettings {
    /// `cargo.features`, `cargo.noDefaultFeatures`
    pub(crate) features: Features,
    /// `cargo.target`
    pub(crate) target: Option<String>,
    /// `linkedProjects`: manifests, as written.
    linked: Vec<PathBuf>,
    /// `files.exclude`: files and folders, as written.
    excluded: Vec<PathBuf>,
}

impl ProjectSettings {
    /// The settings in the initialization options, and texts for the user about those that are not understood.
    pub(crate) fn of(options: &Value) -> (ProjectSettings, Vec<String>) {
        let mut wrong = Vec::new();
        let at = |path: &str| options.pointer(path).filter(|it| !it.is_null());
        let mut reject = |name: &str, expected: &str| {
            wrong.push(format!("tsvd-check: the setting `{name}` is not used: it must be {expected}"));
        };
        let mut settings = ProjectSettings::default();
        match at("/cargo/features") {
            Some(Value::String(all)) if all == "all" => settings.features.all = true,
            Some(list) => match names(list) {
                Some(names) => settings.features.names = names,
                None => reject("cargo.features", "\"all\" or a list of names"),
            },
            None => {}
        }
        match at("/cargo/noDefaultFeatures").map(Value::as_bool) {
            Some(Some(is_set)) => settings.features.no_default = is_set,
            Some(None) => reject("cargo.noDefaultFeatures", "true or false"),
            None => {}
        }
        match at("/cargo/target").map(Value::as_str) {
            Some(Some(target)) => settings.target = Some(target.to_owned()).filter(|it| !it.is_empty()),
            Some(None) => reject("cargo.target", "the name of a platform"),
            None => {}
        }
        let mut paths = |name: &str, value: Option<&Value>| match value.map(names) {
            Some(Some(paths)) => paths.into_iter().map(PathBuf::from).collect(),
            Some(None) => {
                reject(name, "a list of paths");
                Vec::new()
            }
            None => Vec::new(),
        };
        settings.linked = paths("linkedProjects", at("/linkedProjects"));
        settings.excluded = paths("files.exclude", at("/files/exclude"));
        (settings, wrong)
    }

    /// The folders of the linked projects in an open folder.
    pub(crate) fn linked_in(&self, folder: &Path) -> Vec<PathBuf> {
        let Ok(real) = folder.canonicalize() else { return Vec::new() };
        let inside = self.linked.iter().filter_map(|linked| {
            let manifest = folder.join(linked);
            let project = if manifest.is_dir() { manifest.as_path() } else { manifest.parent()? };
            // Links and `..` may lead out of it.
            let within = project.canonicalize().ok()?.strip_prefix(&real).ok()?.to_owned();
            Some(folder.join(within))
        });
        let mut found: Vec<PathBuf> = inside.collect();
        found.sort();
        found.dedup();
        found
    }

    /// Whether a path is left out, in one of the open folders.
    pub(crate) fn excludes(&self, folders: &[PathBuf], path: &Path) -> bool {
        self.excluded.iter().any(|excluded| folders.iter().any(|folder| path.starts_with(folder.join(excluded))))
    }
}

/// A list of texts, up to the maximum.
fn names(value: &Value) -> Option<Vec<String>> {
    let list = value.as_array()?;
    list.iter().take(MOST).map(|it| it.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn as_rust_analyzer_has_them() {
        let (settings, wrong) = ProjectSettings::of(&json!({
            "cargo": { "features": ["a", "b/c"], "noDefaultFeatures": true, "target": "aarch64-apple-darwin" },
            "linkedProjects": ["one/Cargo.toml"], "files": { "exclude": ["vendor"] },
        }));
        assert_eq!(wrong, Vec::<String>::new());
        assert_eq!(settings.features.names, ["a", "b/c"]);
        assert!(settings.features.no_default && !settings.features.all);
        assert_eq!(settings.target.as_deref(), Some("aarch64-apple-darwin"));
        assert!(settings.excludes(&["/p".into()], Path::new("/p/vendor/a.rs")));
        assert!(!settings.excludes(&["/p".into()], Path::new("/p/vendored/a.rs")));
        assert!(ProjectSettings::of(&json!({ "cargo": { "features": "all" } })).0.features.all);
        let nothing = json!({ "cargo": { "features": null, "target": null }, "linkedProjects": null });
        assert_eq!(ProjectSettings::of(&nothing), Default::default());
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let (settings, wrong) = ProjectSettings::of(&json!({
            "cargo": { "features": "some", "noDefaultFeatures": 1, "target": [] },
            "linkedProjects": [{ "crates": [] }], "files": { "exclude": "vendor" },
        }));
        assert_eq!(settings, ProjectSettings::default());
        assert_eq!(wrong.len(), 5, "{wrong:?}");
        assert!(wrong[0].contains("`cargo.features`"));
    }
}
