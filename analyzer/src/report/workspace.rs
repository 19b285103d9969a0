//! The Cargo workspace that was checked, in Cargo's own words: for messages in Cargo's format.

use cargo_metadata::{Metadata, Target};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A Cargo workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WorkspaceInfo {
    /// Its folder: Cargo's messages have paths relative to it.
    pub root: PathBuf,
    /// Its members.
    pub packages: Vec<PackageInfo>,
}

/// A member of a workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PackageInfo {
    /// Its name.
    pub name: String,
    /// Its package id, such as `path+file:///p#name@0.1.0`.
    pub id: String,
    /// Its `Cargo.toml`.
    pub manifest: PathBuf,
    /// Its targets, in the manifest's order.
    pub targets: Vec<TargetInfo>,
}

/// A target of a package, with the fields of Cargo's messages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TargetInfo {
    /// `lib`, `bin`, `example`, `test`, `bench` and so on.
    pub kind: Vec<String>,
    /// What rustc makes of it.
    pub crate_types: Vec<String>,
    /// Its name.
    pub name: String,
    /// Its root file.
    pub src_path: PathBuf,
    /// The year of its edition.
    pub edition: String,
    /// Whether `cargo doc` documents it.
    pub doc: bool,
    /// Whether `cargo test` runs its examples.
    pub doctest: bool,
    /// Whether `cargo test` runs its tests.
    pub test: bool,
}

impl WorkspaceInfo {
    /// The members of a workspace that `cargo metadata` describes.
    pub(crate) fn of(metadata: &Metadata) -> WorkspaceInfo {
        let members = metadata.packages.iter().filter(|it| metadata.workspace_members.contains(&it.id));
        let packages = members.map(|package| PackageInfo {
            name: package.name.to_string(),
            id: package.id.repr.clone(),
            manifest: package.manifest_path.clone().into_std_path_buf(),
            targets: package.targets.iter().map(TargetInfo::of).collect(),
        });
        WorkspaceInfo { root: metadata.workspace_root.clone().into_std_path_buf(), packages: packages.collect() }
    }
}

impl TargetInfo {
    fn of(target: &Target) -> TargetInfo {
        TargetInfo {
            kind: target.kind.iter().map(ToString::to_string).collect(),
            crate_types: target.crate_types.iter().map(ToString::to_string).collect(),
            name: target.name.clone(),
            src_path: target.src_path.clone().into_std_path_buf(),
            edition: target.edition.to_string(),
            doc: target.doc,
            doctest: target.doctest,
            test: target.test,
        }
    }
}
