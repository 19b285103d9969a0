//! The texts of a project's files, as the database gets them.

use super::{Files, OUTSIDE};
use crate::{
    project::read::{self, MAX_SOURCE},
    workarounds::{anonymous_parameters, late_macros::LateMacros, source_depth},
};
use ra_ap_span::Edition;
use ra_ap_vfs::{Change, FileId};

impl Files {
    /// Changes the text of a file that was read.
    pub(in crate::project) fn change(&mut self, file: FileId, change: impl FnOnce(&str) -> String) {
        let path = self.vfs.file_path(file).clone();
        let known = path.as_path().and_then(|it| read::read_text(it.as_ref(), MAX_SOURCE).ok());
        if let Some(text) = known {
            self.vfs.set_file_contents(path, Some(change(&text).into_bytes()));
        }
    }

    /// Returns the texts, once.
    pub(in crate::project) fn take_texts(&mut self) -> Vec<(FileId, String)> {
        let changes = self.vfs.take_changes();
        let mut texts: Vec<(FileId, String)> = Vec::with_capacity(changes.len());
        for (file, change) in changes {
            let (Change::Create(bytes, _) | Change::Modify(bytes, _)) = change.change else {
                continue;
            };
            match String::from_utf8(bytes) {
                Ok(text) if self.is_source(file) && self.is_old(file) => {
                    texts.push((file, anonymous_parameters::named(read::as_rustc_reads(text))));
                }
                Ok(text) if self.is_source(file) => texts.push((file, read::as_rustc_reads(text))),
                Ok(text) => texts.push((file, text)),
                Err(error) => {
                    self.not_utf8.push((file, error.utf8_error().valid_up_to()));
                    texts.push((file, String::new()));
                }
            }
        }
        // A file outside every source root, such as one of an excluded folder, is not part of the program.
        let is_part = |file: &FileId| {
            let mut sets = [&self.std, &self.virtual_files].into_iter().chain(self.roots.iter().map(|(set, _)| set));
            sets.any(|set| set.path_for_file(file).is_some())
        };
        texts.retain(|(file, _)| is_part(file));
        self.change_dependencies(&mut texts);
        // Nothing may ask for their texts.
        let outside: Vec<FileId> = self.included.iter().copied().filter(|file| !is_part(file)).collect();
        self.included.retain(|file| !outside.contains(file));
        self.included_code.retain(|file| !outside.contains(file));
        for file in outside {
            if let Some(path) = self.on_disk(file) {
                self.refuse(&path, OUTSIDE);
            }
        }
        let middle = texts.len() / 2;
        let (first, second) = texts.split_at_mut(middle);
        let files = &*self;
        let too_deep = std::thread::scope(|scope| {
            let second = scope.spawn(|| files.clear_too_deep(second));
            let mut all = files.clear_too_deep(first);
            match second.join() {
                Ok(others) => all.extend(others),
                Err(payload) => std::panic::resume_unwind(payload),
            }
            all
        });
        self.too_deep.extend(too_deep);
        texts
    }

    /// Clears the texts that are nested too deep; returns the lines at which they are.
    fn clear_too_deep(&self, texts: &mut [(FileId, String)]) -> Vec<(FileId, usize)> {
        let mut found = Vec::new();
        for (file, text) in texts {
            if let Some(offset) = self.too_deep_in(*file, text) {
                found.push((*file, text[..offset].lines().count().max(1)));
                text.clear();
            }
        }
        found
    }

    /// The line at which this text of the file is nested too deep. Files that are included as a text or as bytes never
    /// are.
    pub(in crate::project) fn too_deep_in(&self, file: FileId, text: &str) -> Option<usize> {
        let is_code = self.is_source(file) || self.included_code.contains(&file);
        (is_code && !self.is_std(file)).then(|| source_depth::too_deep(text, Edition::CURRENT)).flatten()
    }

    /// Changes texts of dependencies that rust-analyzer would misread.
    fn change_dependencies(&self, texts: &mut [(FileId, String)]) {
        for (set, _) in self.roots.iter().filter(|(_, is_local)| !is_local) {
            let is_in = |file: FileId| self.is_source(file) && set.path_for_file(&file).is_some();
            let of_set = texts.iter().filter(|(file, _)| is_in(*file));
            let late = LateMacros::of(of_set.map(|(_, text)| text.as_str()));
            if !late.is_empty() {
                for (_, text) in texts.iter_mut().filter(|(file, _)| is_in(*file)) {
                    *text = late.with_paths(std::mem::take(text));
                }
            }
        }
    }
}
