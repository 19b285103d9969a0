//! What every analysis needs of std, computed on two threads.

use hir::crate_def_map;
use hir_def::item_tree::file_item_tree;
use ra_ap_base_db::EditionedFileId;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_span::Edition;

use super::Project;

impl Project {
    /// Resolves the names of all crates and collects their impls.
    ///
    /// Most of a cold start is this. One thread resolves crate after crate; the other prepares the files that the
    /// first will come to and then the impls of crates that are already resolved. Results are the same without it.
    pub fn warm_up(&self) {
        std::thread::scope(|scope| {
            let helper = self.clone();
            scope.spawn(move || helper.with_db(|project| project.prepare_files()));
            self.with_db(|project| {
                for krate in project.crates() {
                    crate_def_map(project.db(), krate.into());
                }
            });
        });
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
        for krate in crates {
            hir::TraitImpls::for_crate(db, krate.into());
        }
    }
}
