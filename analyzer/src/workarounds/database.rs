//! rust-analyzer's database with a hook that counts every query, so that work can be [bounded](crate::budget).
//!
//! * Symptom: `RootDatabase` has no callback for queries, so the work caused by a source file is unbounded.
//! * Test: `tests/suite/safety/bombs.rs`.
//! * Upstream: none known.
//! * Goes when: `RootDatabase` takes a callback.
//!
//! Except for the hook, this is `ra_ap_ide_db::RootDatabase`.

use crate::{budget::Account, overdue};
use base_db::{
    CrateGraphBuilder, CratesMap, FileSourceRootInput, FileText, Files, LibraryRoots, LocalRoots, Nonce,
    SourceDatabase, SourceRoot, SourceRootId, SourceRootInput, set_all_crates_with_durability,
};
use ra_ap_base_db as base_db;
use ra_ap_hir as hir;
use ra_ap_ide_db::line_index;
use ra_ap_syntax::TextSize;
use ra_ap_vfs::FileId;
use salsa::Durability;
use std::fmt;
use triomphe::Arc;

/// The state of all queries. A clone is a snapshot for another thread.
#[salsa_macros::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    files: Arc<Files>,
    crates_map: Arc<CratesMap>,
    nonce: Nonce,
    account: std::sync::Arc<Account>,
}

impl Database {
    /// A database without crates or files.
    #[expect(clippy::new_without_default, reason = "it is large")]
    pub fn new() -> Database {
        let account = std::sync::Arc::new(Account::default());
        let counted = account.clone();
        let mut db = Database {
            storage: salsa::Storage::new(Some(Box::new(move |event| counted.note(&event.kind)))),
            files: Arc::default(),
            crates_map: Arc::default(),
            nonce: Nonce::new(),
            account,
        };
        // As in `RootDatabase::new`.
        set_all_crates_with_durability(&mut db, std::iter::empty(), Durability::HIGH);
        CrateGraphBuilder::default().set_in_db(&mut db);
        hir::ProcMacros::init_default(&db, Durability::MEDIUM);
        let _ = LibraryRoots::builder(Default::default()).durability(Durability::MEDIUM).new(&db);
        let _ = LocalRoots::builder(Default::default()).durability(Durability::MEDIUM).new(&db);
        hir::db::set_expand_proc_attr_macros(&mut db, true);
        db
    }

    /// The work done so far.
    pub(crate) fn account(&self) -> &Account {
        &self.account
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").finish_non_exhaustive()
    }
}

impl std::panic::RefUnwindSafe for Database {}

#[salsa_macros::db]
impl salsa::Database for Database {}

#[salsa_macros::db]
impl SourceDatabase for Database {
    fn file_text(&self, file_id: FileId) -> FileText {
        self.files.file_text(file_id)
    }

    fn set_file_text(&mut self, file_id: FileId, text: &str) {
        overdue::note_text(self, file_id, text);
        let files = Arc::clone(&self.files);
        files.set_file_text(self, file_id, text);
    }

    fn set_file_text_with_durability(&mut self, file_id: FileId, text: &str, durability: Durability) {
        overdue::note_text(self, file_id, text);
        let files = Arc::clone(&self.files);
        files.set_file_text_with_durability(self, file_id, text, durability);
    }

    fn source_root(&self, source_root_id: SourceRootId) -> SourceRootInput {
        self.files.source_root(source_root_id)
    }

    fn set_source_root_with_durability(
        &mut self,
        source_root_id: SourceRootId,
        source_root: Arc<SourceRoot>,
        durability: Durability,
    ) {
        let files = Arc::clone(&self.files);
        files.set_source_root_with_durability(self, source_root_id, source_root, durability);
    }

    fn file_source_root(&self, id: FileId) -> FileSourceRootInput {
        self.files.file_source_root(self, id)
    }

    fn set_file_source_root_with_durability(
        &mut self,
        id: FileId,
        source_root_id: SourceRootId,
        durability: Durability,
    ) {
        let files = Arc::clone(&self.files);
        files.set_file_source_root_with_durability(self, id, source_root_id, durability);
    }

    fn crates_map(&self) -> Arc<CratesMap> {
        self.crates_map.clone()
    }

    fn nonce_and_revision(&self) -> (Nonce, salsa::Revision) {
        (self.nonce, salsa::plumbing::ZalsaDatabase::zalsa(self).current_revision())
    }

    fn line_column(&self, file: FileId, offset: TextSize) -> Result<(u32, u32), ()> {
        line_index(self, file).try_line_col(offset).map(|it| (it.line, it.col)).ok_or(())
    }
}
