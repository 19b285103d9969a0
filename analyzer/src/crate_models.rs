//! Facts about crates that their source does not tell, by crate and versions, for std as for any other (decision 5):
//! native bodies, names of waits, functions that synchronise, objects that threads may not use unordered.
//!
//! A row names a function or a type by its canonical path ([`std_models::path`]). Tests check that the paths of std exist.
//! A path of another crate is checked by a test with an imitation of the crate.

use crate::std_models::{self, Native, api_access::Object, sites::SiteKind};
use cargo_metadata::semver::{Version, VersionReq};
use hir_def::{FunctionId, HasModule, signatures::FunctionSignature};
use hir_ty::db::HirDatabase;
use interp::ir::WaitName;
use ra_ap_base_db::Crate;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

/// Facts about a crate in a range of its versions.
#[derive(Debug)]
pub struct CrateModels {
    /// The crate's name in paths; `std` includes `core` and `alloc`.
    pub name: &'static str,
    /// The versions, as a requirement of cargo's: `0.12`, `>=1, <3`.
    pub versions: &'static str,
    /// Functions whose bodies are replaced.
    pub functions: &'static [(&'static str, Native)],
    /// Functions that wait by lower-level means of the crate, and the name of that wait in reports.
    pub waits: &'static [(&'static str, WaitName)],
    /// Functions that synchronise.
    pub sites: &'static [(&'static str, SiteKind)],
    /// Types whose methods threads may not call unordered.
    pub objects: &'static [Object],
    /// Implementations of its traits with a contract that the compiler does not check, as source: harnesses use them
    /// where the workspace has none. Empty if there are none.
    pub implementations: &'static str,
}

/// The name of the standard library's models.
const STD: &str = "std";
/// The version of the embedded standard library.
const STD_VERSION: &str = "1.95.0";

/// All crate models. The ranges of one crate do not overlap.
pub static ALL: &[&CrateModels] = &[&std_models::STD, &LOCK_API];

/// Locks and thread numbers for its generic types.
static LOCK_API: CrateModels = CrateModels {
    name: "lock_api",
    versions: ">=0.3, <0.5",
    functions: &[],
    waits: &[],
    sites: &[],
    objects: &[],
    implementations: include_str!("../embedded/implementations/lock_api.rs"),
};

impl CrateModels {
    /// Whether it applies to a crate: name and version match. A crate of unknown version is in no range.
    pub fn covers(&self, db: &dyn HirDatabase, krate: Crate) -> bool {
        let data = krate.extra_data(db);
        if krate.data(db).origin.is_lang() {
            return self.name == STD && fits(self.versions, STD_VERSION);
        }
        let has_name = data.display_name.as_ref().is_some_and(|name| name.crate_name().to_string() == self.name);
        self.name != STD && has_name && data.version.as_deref().is_some_and(|version| fits(self.versions, version))
    }
}

/// Whether a version is in a range.
fn fits(versions: &str, version: &str) -> bool {
    let (versions, version) = (VersionReq::parse(versions), Version::parse(version));
    versions.is_ok_and(|versions| version.is_ok_and(|version| versions.matches(&version)))
}

/// Whether [implementations](CrateModels::implementations) of a crate's traits are known.
pub(crate) fn has_implementations(db: &dyn HirDatabase, krate: Crate) -> bool {
    ALL.iter().any(|models| !models.implementations.is_empty() && models.covers(db, krate))
}

/// The row of a function in one of the tables, over all crates.
pub(crate) fn row<T>(
    db: &dyn HirDatabase,
    func: FunctionId,
    table: impl Fn(&'static CrateModels) -> &'static [(&'static str, T)],
) -> Option<&'static T> {
    let rows = || ALL.iter().flat_map(|models| table(models).iter().map(move |(path, it)| (models, *path, it)));
    let signature = FunctionSignature::of(db, func);
    let name = signature.name.as_str();
    // Most functions are in no table; the path is only computed for names that match.
    if !rows().any(|(_, path, _)| is_named(path, name)) {
        return None;
    }
    let path = std_models::path(db, func)?;
    let krate = func.module(db).krate(db);
    rows().find(|(models, known, _)| *known == path && models.covers(db, krate)).map(|(.., it)| it)
}

/// Whether a path ends with a name. Called for all rows and each function for which code is generated.
pub(crate) fn is_named(path: &str, name: &str) -> bool {
    path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{self, Input, LoadOptions};

    const FRIEND: CrateModels = CrateModels {
        name: "friend",
        versions: "0.2",
        functions: &[],
        waits: &[],
        sites: &[("friend::Lock::lock", SiteKind::Lock)],
        objects: &[],
        implementations: "",
    };

    #[test]
    fn ranges_are_those_of_cargo_and_do_not_overlap() {
        assert!(fits("0.2", "0.2.9") && !fits("0.2", "0.3.0") && fits(">=1, <3", "2.4.1") && !fits("1", "2.0.0"));
        for models in ALL {
            assert!(VersionReq::parse(models.versions).is_ok(), "{}: {}", models.name, models.versions);
        }
        let versions = (0..20).flat_map(|major| (0..40).map(move |minor| format!("{major}.{minor}.0")));
        for version in versions {
            let mut names: Vec<_> = ALL.iter().filter(|it| fits(it.versions, &version)).map(|it| it.name).collect();
            names.sort_unstable();
            assert!(names.is_sorted_by(|one, two| one < two), "{version}: {names:?}");
        }
    }

    #[test]
    fn std_is_that_of_the_toolchain() {
        let toolchain = include_str!("../../rust-toolchain.toml");
        assert!(toolchain.contains(&format!("channel = \"{STD_VERSION}\"")), "{toolchain}");
    }

    #[test]
    fn models_hold_for_the_versions_that_they_name() {
        let folder = tempfile::tempdir().unwrap();
        let library = |version: &str| {
            let name = format!("{}.rs", version.replace('.', "_"));
            std::fs::write(folder.path().join(&name), "pub struct Lock;\nimpl Lock { pub fn lock(&self) {} }\n")
                .unwrap();
            format!(
                r#"{{"display_name": "friend", "root_module": "{name}", "edition": "2024", "version": "{version}", "deps": []}}"#
            )
        };
        let crates = ["0.2.1", "0.2.7", "0.3.0"].map(library).join(", ");
        let project = folder.path().join("rust-project.json");
        std::fs::write(&project, format!(r#"{{"crates": [{crates}]}}"#)).unwrap();
        let project = project::load(&Input::from_path(&project), &LoadOptions::default()).unwrap();
        let covered = project.with_db(|project| {
            let crates = project.local_crates().into_iter().map(Crate::from);
            crates.map(|krate| FRIEND.covers(project.db(), krate)).collect::<Vec<_>>()
        });
        assert_eq!(covered, [true, true, false]);
    }

    #[test]
    fn std_is_a_crate_as_any_other() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.rs");
        std::fs::write(&file, "fn main() {}").unwrap();
        let project = project::load(&Input::from_path(&file), &LoadOptions::default()).unwrap();
        project.with_db(|project| {
            let db = project.db();
            let (path, kind) = std_models::STD.sites[0];
            let function = project.find_std_item(path).unwrap();
            assert_eq!(row(db, function, |models| models.sites), Some(&kind));
            let own = project.local_crates()[0].into();
            assert!(std_models::STD.covers(db, function.module(db).krate(db)) && !std_models::STD.covers(db, own));
        });
    }
}
