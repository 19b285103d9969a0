//! Features that are off by default: a second check switches them on.

use super::Project;
use crate::guard;
use hir_def::nameres::crate_def_map;
use hir_expand::{MacroCallId, MacroDefKind, builtin::EagerExpander};
use ra_ap_base_db::SourceDatabase as _;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_project_model::{CargoWorkspace, Package};

/// Features with such a word in their name are left off: they need another compiler, replace std's types by those of a
/// test tool, or remove code.
const LEFT_OFF: [&str; 15] = [
    "nightly",
    "unstable",
    "loom",
    "shuttle",
    "miri",
    "bench",
    "fuzz",
    "docs",
    "doc_cfg",
    "internal",
    "no_std",
    "no-std",
    "rustc-dep-of-std",
    "compiler_builtins",
    "simd",
];

/// Features with such a word in their name are tried alone if they do not fit together.
const CONCURRENT: [&str; 9] = ["sync", "async", "thread", "lock", "tokio", "rt", "atomic", "future", "concurrent"];

/// Maximum number of features that are tried alone.
const MAX_ALONE: usize = 2;

/// The features of packages that are off and may be switched on, as options for cargo, in order.
pub(super) fn of(cargo: &CargoWorkspace, packages: &[Package]) -> Vec<String> {
    let mut found = Vec::new();
    for package in packages.iter().map(|it| &cargo[*it]) {
        let is_off = |name: &&String| !package.active_features.contains(name);
        let is_usable = |name: &&String| !name.starts_with('_') && !LEFT_OFF.iter().any(|it| name.contains(it));
        let off = package.features.keys().filter(is_off).filter(is_usable);
        found.extend(off.map(|name| match packages {
            [_] => name.clone(),
            _ => format!("{}/{name}", package.name),
        }));
    }
    found.sort();
    found
}

impl Project {
    /// The features that are off although code of the workspace asks for them, as options for cargo.
    pub fn optional_features(&self) -> Vec<String> {
        let features = &self.shared.optional_features;
        let texts = || self.local_files().into_iter().map(|file| self.db.file_text(file).text(&self.db).clone());
        let is_asked = |name: &str| {
            let condition = format!("feature = \"{}\"", name.rsplit('/').next().unwrap_or(name));
            texts().any(|text| text.contains(&condition))
        };
        if features.iter().any(|it| is_asked(it)) { features.clone() } else { Vec::new() }
    }

    /// The features to switch on in further checks: all, or if these do not fit together, some of them alone.
    pub fn feature_sets(features: &[String]) -> Vec<Vec<String>> {
        let is_concurrent = |name: &&String| CONCURRENT.iter().any(|word| name.contains(word));
        let alone = features.iter().filter(is_concurrent).take(MAX_ALONE).filter(|_| features.len() > 1);
        std::iter::once(features.to_vec()).chain(alone.map(|name| vec![name.clone()])).collect()
    }

    /// Whether its crates can be built with the chosen features: a library may refuse some with `compile_error!`.
    pub fn refuses_features(&self) -> bool {
        let is_refusal = |call: MacroCallId| {
            matches!(call.loc(&self.db).def.kind, MacroDefKind::BuiltInEager(_, EagerExpander::CompileError))
        };
        let refuses = |krate: &ra_ap_hir::Crate| {
            let map = guard::caught(&self.db, || crate_def_map(&self.db, (*krate).into()));
            let mut modules = map.iter().flat_map(|map| map.modules());
            modules.any(|(_, module)| module.scope.iter_macro_invoc().any(|(_, call)| is_refusal(*call)))
        };
        self.local_crates().iter().any(refuses)
    }
}
