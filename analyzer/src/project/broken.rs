//! Crates that rust-analyzer panics on as a whole: each is taken as empty and named, so that the others can be analysed.

use super::Project;
use crate::guard;
use hir::{Crate, TraitImpls, crate_def_map};
use hir_ty::method_resolution::InherentImpls;
use ra_ap_hir as hir;
use ra_ap_hir_ty as hir_ty;
use ra_ap_ide_db::base_db::SourceDatabase as _;
use ra_ap_vfs::FileId;
use std::{fmt, sync::Arc};

/// A crate whose names or impls cannot be resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    name: String,
    root: FileId,
    /// What its root has in it.
    text: Arc<str>,
    /// What happened.
    failure: String,
}

impl Broken {
    /// The file that is taken as empty.
    pub(crate) fn root(&self) -> FileId {
        self.root
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "crate `{}` is taken as empty, its names cannot be resolved: {}", self.name, self.failure)
    }
}

impl Project {
    /// Crates that are taken as empty.
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// The first crate, of a dependency and what needs it the dependency, that is to be taken as empty.
    pub(crate) fn first_broken(&self) -> Option<Broken> {
        let known = |krate: &Crate| self.broken.iter().any(|it| it.root == krate.root_file(&self.db));
        let krate = self.crates().into_iter().filter(|krate| !known(krate)).find(|krate| !self.is_resolved(*krate))?;
        let name = krate.display_name(&self.db).map_or_else(|| "unnamed".to_owned(), |name| name.to_string());
        let root = krate.root_file(&self.db);
        let text = self.db.file_text(root).text(&self.db).to_string().into();
        Some(Broken { name, root, text, failure: guard::internal_failure() })
    }

    fn is_resolved(&self, krate: Crate) -> bool {
        let db = &self.db;
        let resolved = guard::caught(db, || {
            crate_def_map(db, krate.into());
            TraitImpls::for_crate(db, krate.into());
            InherentImpls::for_crate(db, krate.into());
        });
        resolved.is_some()
    }

    /// From now on the crate is empty.
    pub(crate) fn take_as_empty(&mut self, broken: Broken) {
        self.set_text(broken.root, "");
        let others = self.broken.iter().filter(|it| it.root != broken.root).cloned();
        self.broken = others.chain([broken.clone()]).collect();
    }

    /// Gives the user's crates that are taken as empty their texts back: something has changed. Which they are.
    pub(crate) fn restore(&mut self) -> Vec<(FileId, Arc<str>)> {
        let files = self.text_files();
        let (own, others): (Vec<_>, Vec<_>) = self.broken.iter().cloned().partition(|it| files.contains(&it.root));
        if own.is_empty() {
            return Vec::new();
        }
        self.broken = others.into();
        for it in &own {
            self.set_text(it.root, &it.text);
        }
        own.into_iter().map(|it| (it.root, it.text)).collect()
    }
}
