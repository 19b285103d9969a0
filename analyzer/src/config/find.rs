//! Where the configuration of a workspace is.

use super::{Config, read::Text};
use crate::{
    check::messages::from_here,
    project::{LoadError, OwnFolders, read_text},
};
use std::path::{Path, PathBuf};

/// The name of the file at the root of a workspace.
pub const FILE_NAME: &str = "tsvd.toml";

/// Maximum size of a configuration, and of a manifest that may contain one, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// A file that may contain the configuration, and the table in it.
pub(crate) struct Place {
    file: PathBuf,
    table: &'static [&'static str],
}

/// All places of a workspace, given its root and the folder of the package; there is none for the latter if it is not a
/// Cargo package.
pub(crate) fn places(root: &Path, package: Option<&Path>) -> Vec<Place> {
    let mut places = vec![Place { file: root.join(FILE_NAME), table: &[] }];
    if let Some(package) = package {
        places.push(Place { file: root.join("Cargo.toml"), table: &["workspace", "metadata", "tsvd"] });
        places.push(Place { file: package.join("Cargo.toml"), table: &["package", "metadata", "tsvd"] });
    }
    places
}

/// Reads the configuration at the only place that has one.
///
/// # Errors
///
/// If several places have one, or it is wrong.
pub(crate) fn load(root: &Path, places: &[Place]) -> Result<Config, LoadError> {
    let mut found: Option<(Config, String)> = None;
    let own = OwnFolders::new([root]);
    for Place { file, table } in places {
        let file = &from_here(file);
        let text = match read_text(file, MAX_BYTES) {
            Ok(text) => text,
            Err(LoadError::NotFound(_)) => continue,
            // cargo has read the manifest, and tells what is wrong with it.
            Err(_) if !table.is_empty() => continue,
            Err(error) => return Err(error),
        };
        // Messages quote what is wrong in the file, so a link must not choose it.
        if table.is_empty() && !own.contain(file, file) {
            return Err(LoadError::LeavesProject(file.to_owned()));
        }
        let shown = file.to_string_lossy().into_owned();
        let text = Text { path: shown.clone(), text: &text };
        let Some(mut config) = text.config(table)? else { continue };
        let place = if table.is_empty() { shown.clone() } else { format!("[{}] in {shown}", table.join(".")) };
        if let Some((_, other)) = &found {
            let error = format!("a workspace has one configuration, but here are two: {other} and {place}; remove one");
            return Err(LoadError::Config(error));
        }
        config.root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        config.file = shown;
        found = Some((config, place));
    }
    Ok(found.map(|(config, _)| config).unwrap_or_default())
}
