//! Texts of the user's files, and their change.

use super::{InputPath, Project, files};
use crate::workarounds::source_depth::TOO_DEEP;
use ra_ap_base_db::SourceDatabase as _;
use ra_ap_vfs::FileId;
use salsa::Database as _;
use std::path::{Path, PathBuf};

impl Project {
    /// Every path that was looked at when the project was loaded, also those where nothing was.
    pub fn looked_at(&self) -> Vec<InputPath> {
        self.shared.files.looked_at()
    }

    /// The user's files: sources, and what they include.
    pub fn text_files(&self) -> Vec<FileId> {
        self.shared.files.texts()
    }

    /// Whether a file is Rust; what is only included is not read as such.
    pub fn is_source(&self, file: FileId) -> bool {
        self.shared.files.is_source(file)
    }

    /// The file at a path.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        self.shared.files.at(&files::absolute(path).ok()?)
    }

    /// The path of the file that a place names; none of std's, which are nowhere.
    pub fn path_of(&self, place: &str) -> Option<PathBuf> {
        self.shared.files.on_disk(self.file(place)?)
    }

    /// The text of a file.
    pub fn file_text(&self, file: FileId) -> String {
        self.db.file_text(file).text(&self.db).to_string()
    }

    /// A text as rustc would read it from this file; an empty one for what is nested too deep.
    pub fn as_read(&self, file: FileId, text: &str) -> String {
        if self.shared.files.too_deep_in(file, text).is_some() {
            return String::new();
        }
        if self.is_source(file) { files::as_rustc_reads(text.to_owned()) } else { text.to_owned() }
    }

    /// Why such a text of the file is taken as empty.
    pub fn refused(&self, file: FileId, text: &str) -> Option<String> {
        self.shared.files.too_deep_in(file, text)?;
        Some(format!("nothing in {} is checked: it is {TOO_DEEP}", self.shared.files.shown(file)))
    }

    /// Counts the work from now on: what it may be goes by the size of the user's sources.
    pub(super) fn open_account(&self) {
        let bytes = self.text_files().into_iter().map(|file| self.db.file_text(file).text(&self.db).len() as u64).sum();
        self.db.account().open(bytes);
    }

    /// Waits until no snapshot is left, each of which is told to end.
    pub fn stop(&mut self) {
        self.db.trigger_cancellation();
    }

    /// Changes a text; waits until no snapshot is left, each of which is told to end.
    pub fn set_text(&mut self, file: FileId, text: &str) {
        // Setting a text locks what readers of texts lock, and would wait for them with that.
        self.db.trigger_cancellation();
        self.db.set_file_text(file, text);
        self.open_account();
    }
}
