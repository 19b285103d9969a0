//! Computes what every analysis needs of std, on two threads.

use hir_def::item_tree::file_item_tree;
use ra_ap_base_db::EditionedFileId;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_span::Edition;

use super::{Broken, Project};
use crate::guard;

impl Project {
    /// Resolves the names of all crates and collects their impls. Crates and items on which that panics are left out.
    ///
    /// This is most of a cold start. One thread resolves crate after crate; the other parses the files that come next,
    /// then collects the impls of crates that are already resolved. Results do not depend on it.
    pub fn prime_caches(&mut self) {
        while let Some(broken) = self.resolve() {
            self.leave_out_least(broken);
        }
        self.add_doc_tests();
        self.add_stubs();
    }

    /// The first crate on which resolution panics.
    fn resolve(&self) -> Option<Broken> {
        std::thread::scope(|scope| {
            let helper = self.clone();
            // A panic here recurs where the result is needed, and is handled there.
            scope.spawn(move || guard::unwinding(|| helper.with_db(|project| project.prepare_files())));
            self.with_db(|project| project.first_broken())
        })
    }

    fn prepare_files(&self) {
        let db = self.db();
        let crates = self.crates();
        let Some(core) = crates.first() else { return };
        // Reversed: the files that the other thread needs last.
        for file in self.shared.files.std_files().into_iter().rev() {
            if self.shared.files.shown(file).starts_with("library/core/") {
                let file = EditionedFileId::new(db, file, Edition::Edition2024);
                file_item_tree(db, file.into(), (*core).into());
            }
        }
        for krate in crates.into_iter().filter(|krate| !self.is_local(*krate)) {
            // Exceeding a budget here recurs where the result is needed.
            guard::caught(db, || hir::TraitImpls::for_crate(db, krate.into()).clone());
        }
    }
}
