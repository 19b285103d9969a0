//! Features that are off by default: a second check switches them on.

use super::{Project, missing_dependencies::enabled};
use crate::guard;
use hir_def::nameres::crate_def_map;
use hir_expand::{MacroCallId, MacroDefKind, builtin::EagerExpander};
use ra_ap_base_db::SourceDatabase as _;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_project_model::{CargoWorkspace, Package};
use rustc_hash::FxHashSet;
use triomphe::Arc;

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

/// A feature that is off and may be switched on.
pub(super) struct OptionalFeature {
    /// As an option for cargo.
    name: String,
    /// Whether it switches on a package that is optional.
    needs_packages: bool,
}

/// The features of packages that are off and may be switched on, in order.
pub(super) fn of(cargo: &CargoWorkspace, packages: &[Package]) -> Vec<OptionalFeature> {
    let mut found = Vec::new();
    for package in packages.iter().map(|it| &cargo[*it]) {
        let is_off = |name: &&String| !package.active_features.contains(name);
        let is_usable = |name: &&String| !name.starts_with('_') && !LEFT_OFF.iter().any(|it| name.contains(it));
        let off = package.features.keys().filter(is_off).filter(is_usable);
        found.extend(off.map(|name| OptionalFeature {
            name: match packages {
                [_] => name.clone(),
                _ => format!("{}/{name}", package.name),
            },
            needs_packages: !enabled(|name| package.features.get(name), [name.as_str()]).optional.is_empty(),
        }));
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

impl Project {
    /// The features to switch on in further checks, as options for cargo, if code of the workspace asks for some that
    /// are off: all, or if that fails those that need no packages, or some alone.
    pub fn feature_sets(&self) -> Vec<Vec<String>> {
        let features = &self.shared.optional_features;
        let texts: Vec<Arc<str>> =
            self.local_files().into_iter().map(|file| self.db.file_text(file).text(&self.db).clone()).collect();
        let is_asked = |feature: &OptionalFeature| {
            let condition = format!("feature = \"{}\"", feature.name.rsplit('/').next().unwrap_or(&feature.name));
            texts.iter().any(|text| text.contains(&condition))
        };
        if !features.iter().any(is_asked) {
            return Vec::new();
        }
        let names = |of: &mut dyn Iterator<Item = &OptionalFeature>| of.map(|it| it.name.clone()).collect::<Vec<_>>();
        let is_concurrent = |it: &&OptionalFeature| CONCURRENT.iter().any(|word| it.name.contains(word));
        let mut sets = vec![names(&mut features.iter()), names(&mut features.iter().filter(|it| !it.needs_packages))];
        sets.extend(features.iter().filter(is_concurrent).take(MAX_ALONE).map(|it| vec![it.name.clone()]));
        let mut known = FxHashSet::default();
        sets.retain(|set| !set.is_empty() && known.insert(set.clone()));
        sets
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
