//! Functions of std that synchronise, by kind: the denominator of the reach in the summary.

use super::{path, type_path};
use crate::crate_models;
use hir_def::{FunctionId, ItemContainerId, Lookup, signatures::FunctionSignature};
use hir_ty::{db::HirDatabase, next_solver::Ty};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use serde::{Deserialize, Serialize};

/// The kind of synchronisation at a site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "as named")]
pub enum SiteKind {
    Lock,
    Atomic,
    Spawn,
    Channel,
    Await,
}

impl SiteKind {
    /// All kinds, in the order of reports.
    pub const ALL: [SiteKind; 5] =
        [SiteKind::Lock, SiteKind::Atomic, SiteKind::Spawn, SiteKind::Channel, SiteKind::Await];

    /// The name for reports.
    pub fn name(self) -> &'static str {
        match self {
            SiteKind::Lock => "lock",
            SiteKind::Atomic => "atomic",
            SiteKind::Spawn => "spawn",
            SiteKind::Channel => "channel",
            SiteKind::Await => "await",
        }
    }
}

/// Functions and methods of std.
pub(super) const FUNCTIONS: &[(&str, SiteKind)] = &[
    ("std::sync::poison::mutex::Mutex::lock", SiteKind::Lock),
    ("std::sync::poison::mutex::Mutex::try_lock", SiteKind::Lock),
    ("std::sync::poison::rwlock::RwLock::read", SiteKind::Lock),
    ("std::sync::poison::rwlock::RwLock::write", SiteKind::Lock),
    ("std::sync::poison::rwlock::RwLock::try_read", SiteKind::Lock),
    ("std::sync::poison::rwlock::RwLock::try_write", SiteKind::Lock),
    ("core::sync::atomic::fence", SiteKind::Atomic),
    ("std::thread::functions::spawn", SiteKind::Spawn),
    ("std::thread::builder::Builder::spawn", SiteKind::Spawn),
    ("std::thread::builder::Builder::spawn_unchecked", SiteKind::Spawn),
    ("std::thread::builder::Builder::spawn_scoped", SiteKind::Spawn),
    ("std::thread::scoped::Scope::spawn", SiteKind::Spawn),
    ("std::sync::mpsc::Sender::send", SiteKind::Channel),
    ("std::sync::mpsc::SyncSender::send", SiteKind::Channel),
    ("std::sync::mpsc::SyncSender::try_send", SiteKind::Channel),
    ("std::sync::mpsc::Receiver::recv", SiteKind::Channel),
    ("std::sync::mpsc::Receiver::try_recv", SiteKind::Channel),
    ("std::sync::mpsc::Receiver::recv_timeout", SiteKind::Channel),
];

/// The method of `Iterator` that receives, and the types for which it does.
const NEXT: &str = "core::iter::traits::iterator::Iterator::next";
const RECEIVING: &[&str] = &["std::sync::mpsc::Iter", "std::sync::mpsc::TryIter", "std::sync::mpsc::IntoIter"];

/// Prefix of the paths of the atomic types, and prefixes of their methods that synchronise.
const ATOMIC: &str = "core::sync::atomic::Atomic";
const ATOMIC_METHODS: &[&str] = &["load", "store", "swap", "compare_", "fetch_", "update", "try_update"];

/// Whether a function of this name may lock.
pub fn is_lock_name(name: &str) -> bool {
    let mut rows = crate_models::ALL.iter().flat_map(|models| models.sites);
    rows.any(|(path, kind)| *kind == SiteKind::Lock && crate_models::is_named(path, name))
}

/// Whether a function waits for a lock of somebody's own, as lock_api names it.
pub fn is_raw_lock(db: &dyn HirDatabase, func: FunctionId) -> bool {
    let path = path(db, func).unwrap_or_default();
    path.contains(" as lock_api::mutex::RawMutex>::lock") || path.contains(" as lock_api::rwlock::RawRwLock>::lock_")
}

/// Whether a function of this name may synchronise.
pub fn is_name(name: &str) -> bool {
    let mut rows = crate_models::ALL.iter().flat_map(|models| models.sites);
    NEXT.rsplit("::").next() == Some(name)
        || ATOMIC_METHODS.iter().any(|method| name.starts_with(method))
        || rows.any(|(path, _)| crate_models::is_named(path, name))
}

/// The kind of synchronisation of a call. `self_ty` is the `Self` type if the function is a trait method.
pub fn kind(db: &dyn HirDatabase, func: FunctionId, self_ty: Option<Ty<'_>>) -> Option<SiteKind> {
    let signature = FunctionSignature::of(db, func);
    let name = signature.name.as_str();
    if let ItemContainerId::ImplId(id) = func.lookup(db).container
        && ATOMIC_METHODS.iter().any(|method| name.starts_with(method))
        && type_path(db, db.impl_self_ty(id).instantiate_identity().skip_norm_wip())
            .is_some_and(|path| path.starts_with(ATOMIC))
    {
        return Some(SiteKind::Atomic);
    }
    if NEXT.rsplit("::").next() == Some(name) && path(db, func)? == NEXT {
        let receives = RECEIVING.contains(&type_path(db, self_ty?)?.as_str());
        return receives.then_some(SiteKind::Channel);
    }
    crate_models::row(db, func, |models| models.sites).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{self, Input, LoadOptions};

    #[test]
    fn functions_exist() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.rs");
        std::fs::write(&file, "fn main() {}").unwrap();
        let project = project::load(&Input::from_path(&file), &LoadOptions::default()).unwrap();
        let missing: Vec<&str> = project.with_db(|project| {
            let known = |path: &str| project.find_std_item(path).and_then(|func| kind(project.db(), func, None));
            let absent = FUNCTIONS.iter().filter(|(path, kind)| known(path) != Some(*kind)).map(|(path, _)| *path);
            let next = [NEXT].into_iter().filter(|path| project.find_std_item(path).is_none());
            let load = ["core::sync::atomic::AtomicU32::load", "core::sync::atomic::AtomicBool::fetch_or"];
            let load = load.into_iter().filter(|path| known(path) != Some(SiteKind::Atomic));
            absent.chain(next).chain(load).collect()
        });
        assert_eq!(missing, Vec::<&str>::new());
    }
}
