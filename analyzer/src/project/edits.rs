//! Texts of the user's files, and changes to them.

use super::{InputPath, Project, files, read, test_files::TestFiles};
use crate::workarounds::source_depth::TOO_DEEP;
use ra_ap_base_db::SourceDatabase as _;
use ra_ap_vfs::FileId;
use salsa::Database as _;
use std::path::{Path, PathBuf};

impl Project {
    /// All paths that loading and tests looked at, including those that do not exist; `None` if tests looked at too many.
    pub fn looked_at(&self) -> Option<Vec<InputPath>> {
        let mut all = self.shared.files.looked_at();
        if let Some(files) = &self.shared.test_files {
            all.extend(files.looked_at()?);
        }
        if let Some(server) = &self.shared.interpreted_macros {
            all.extend(server.looked_at().into_iter().map(|path| InputPath { path, by_time: false }));
        }
        Some(all)
    }

    /// The files that its tests find.
    pub(crate) fn test_files(&self) -> Option<&TestFiles> {
        self.shared.test_files.as_ref()
    }

    /// The user's files: sources, and the files that they include.
    pub fn text_files(&self) -> Vec<FileId> {
        self.shared.files.texts()
    }

    /// Whether the file is Rust source; files that are only included are not.
    pub fn is_source(&self, file: FileId) -> bool {
        self.shared.files.is_source(file)
    }

    /// The file at a path.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        self.shared.files.at(&files::absolute(path).ok()?)
    }

    /// The path of a file that a location names. Files of std have none.
    pub fn path_of(&self, location: &str) -> Option<PathBuf> {
        self.shared.files.on_disk(self.file(location)?)
    }

    /// The text of a file.
    pub fn file_text(&self, file: FileId) -> String {
        self.db.file_text(file).text(&self.db).to_string()
    }

    /// The text as rustc would read it from this file; empty if it is nested too deep.
    pub fn as_read(&self, file: FileId, text: &str) -> String {
        if self.shared.files.too_deep_in(file, text).is_some() {
            return String::new();
        }
        if self.is_source(file) { read::as_rustc_reads(text.to_owned()) } else { text.to_owned() }
    }

    /// Why this text of the file is taken as empty.
    pub fn refused(&self, file: FileId, text: &str) -> Option<String> {
        self.shared.files.too_deep_in(file, text)?;
        Some(format!("nothing in {} is checked: it is {TOO_DEEP}", self.shared.files.shown(file)))
    }

    /// Starts counting the work: the budget depends on the size of the user's sources.
    pub(super) fn open_account(&self) {
        let bytes = self.text_files().into_iter().map(|file| self.db.file_text(file).text(&self.db).len() as u64).sum();
        self.db.account().open(bytes);
    }

    /// Cancels all snapshots and waits until they are dropped.
    pub fn stop(&mut self) {
        self.db.trigger_cancellation();
    }

    /// Changes a text. Cancels all snapshots and waits until they are dropped.
    pub fn set_text(&mut self, file: FileId, text: &str) {
        // `set_file_text` waits for readers of texts while it holds a lock that they need.
        self.db.trigger_cancellation();
        let old = self.file_text(file);
        self.db.set_file_text(file, text);
        self.update_doc_tests(file, text);
        self.update_stubs(&old, text);
        self.shared.test_files.iter().for_each(TestFiles::forget);
        self.open_account();
    }
}
