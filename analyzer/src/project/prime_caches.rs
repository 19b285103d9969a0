//! What every analysis needs of std, computed on two threads.

use hir_def::item_tree::file_item_tree;
use ra_ap_base_db::EditionedFileId;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_span::Edition;

use super::{Broken, Project};
use crate::guard;

impl Project {
    /// Resolves the names of all crates and collects their impls. What panics on that is left out.
    ///
    /// Most of a cold start is this. One thread resolves crate after crate; the other prepares the files that the
    /// first will come to and then the impls of crates that are already resolved. Results are the same without it.
    pub fn prime_caches(&mut self) {
        while let Some(broken) = self.resolve() {
            self.leave_out_least(broken);
        }
    }

    /// The first crate on which it panics.
    fn resolve(&self) -> Option<Broken> {
        std::thread::scope(|scope| {
            let helper = self.clone();
            // What panics there does so again where it is needed.
            scope.spawn(move || guard::unwinding(|| helper.with_db(|project| project.prepare_files())));
            self.with_db(|project| project.first_broken())
        })
    }

    fn prepare_files(&self) {
        let db = self.db();
        let crates = self.crates();
        let Some(core) = crates.first() else { return };
        // What is met last by the other thread comes first here.
        for file in self.shared.files.std_files().into_iter().rev() {
            if self.shared.files.shown(file).starts_with("library/core/") {
                let file = EditionedFileId::new(db, file, Edition::Edition2024);
                file_item_tree(db, file.into(), (*core).into());
            }
        }
        for krate in crates.into_iter().filter(|krate| !self.is_local(*krate)) {
            // What is over its budget here is so again where it is needed.
            guard::caught(db, || hir::TraitImpls::for_crate(db, krate.into()).clone());
        }
    }
}
