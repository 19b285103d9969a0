//! Locations in the user's files, as people count them: lines and characters from 1.

use ide_db::line_index;
use ra_ap_base_db::{EditionedFileId, SourceDatabase};
use ra_ap_hir_def::nameres::diagnostics::DefDiagnosticKind;
use ra_ap_hir_expand::InFile;
use ra_ap_ide_db as ide_db;
use ra_ap_paths::AbsPath;
use ra_ap_span::{Edition, TextRange, TextSize};
use ra_ap_syntax::{
    AstNode, SyntaxError as SyntaxError_,
    ast::{HasAttrs, HasName},
};
use ra_ap_vfs::FileId;
use serde::{Deserialize, Serialize};
use std::fmt;

use super::Project;
use crate::{
    escape, guard,
    workarounds::{anonymous_parameters, source_depth::TOO_DEEP},
};

/// Maximum number of syntax errors that are reported for a file.
const MAX_ERRORS: usize = 20;

/// A range in a file. Lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location {
    /// Relative to the current folder; as given for a single file; `library/…` for std.
    pub path: String,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last one.
    pub end_column: u32,
}

/// A path without the folder of downloaded packages, or of the place where std was built: `tokio-1.0.0/src/lib.rs`,
/// `library/std/src/lib.rs`.
pub(crate) fn short_path(path: &str) -> &str {
    let below = |prefix: &str| path.split_once(prefix).filter(|_| path.starts_with('/'))?.1.split_once('/');
    below("/registry/src/").or_else(|| below("/rustc/")).map_or(path, |(_, path)| path)
}

/// The path relative to a folder, unless it would lead through the root.
pub(super) fn relative(from: &AbsPath, path: &AbsPath) -> Option<String> {
    let mut up = String::new();
    let mut folder = from;
    loop {
        if let Some(down) = path.strip_prefix(folder) {
            return Some(format!("{up}{}", down.as_str()));
        }
        folder = folder.parent()?;
        folder.parent()?;
        up.push_str("../");
    }
}

/// `path:line:col`, the path short and escaped.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", escape::line(short_path(&self.path)), self.line, self.column)
    }
}

/// A syntax error of the user's, or a module without file. The rest is analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Its location.
    pub location: Location,
    /// The parser's message.
    pub message: String,
}

impl Project {
    /// The location of a range in a file.
    pub fn locate(&self, file: FileId, range: TextRange) -> Location {
        let (file, range) = self.source_of_example(file, range).unwrap_or((file, range));
        let (line, column) = self.position(file, range.start());
        let (end_line, end_column) = self.position(file, range.end());
        Location { path: self.shared.files.shown(file), line, column, end_line, end_column }
    }

    /// The file's path in a compiled program.
    pub fn compiled_path(&self, file: FileId) -> String {
        self.shared.files.compiled(file)
    }

    /// Whether the file is one of the embedded std's.
    pub fn is_std_file(&self, file: FileId) -> bool {
        self.shared.files.is_std(file)
    }

    /// The file that [`Project::locate`] shows as `path`.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.shared.files.find(path)
    }

    /// The text of the file that [`Project::locate`] shows as `path`.
    pub fn text_of(&self, path: &str) -> Option<String> {
        let file = self.file(path)?;
        Some(self.db.file_text(file).text(&self.db).to_string())
    }

    /// The text of a line, counted from 1, without its end.
    pub fn line_text(&self, file: FileId, line: u32) -> String {
        let text = self.db.file_text(file).text(&self.db);
        text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default().to_owned()
    }

    /// The user's files, in a fixed order.
    pub fn local_files(&self) -> Vec<FileId> {
        self.shared.files.local()
    }

    /// Syntax errors in modules of the user's crates, in the order of files and positions, up to a maximum for each
    /// file. Other files among them, such as templates, need not be valid Rust.
    pub fn syntax_errors(&self) -> Vec<SyntaxError> {
        let mut errors = Vec::new();
        let crates = self.local_crates();
        let is_module = |file| {
            let maps = crates.iter().map(|krate| ra_ap_hir::crate_def_map(&self.db, (*krate).into()));
            maps.into_iter().any(|map| map.modules_for_file(&self.db, file).next().is_some())
        };
        for file in self.local_files().into_iter().filter(|file| is_module(*file)) {
            let edition = self.edition_of(file);
            let editioned = EditionedFileId::new(&self.db, file, edition);
            let found = guard::caught(&self.db, || editioned.parse_errors(&self.db).unwrap_or_default());
            let found = found.unwrap_or_default();
            let is_error = |error: &&SyntaxError_| !anonymous_parameters::is_one(&self.db, editioned, edition, error);
            let found: Vec<_> = found.iter().filter(is_error).collect();
            errors.extend(found.iter().take(MAX_ERRORS).map(|error| SyntaxError {
                location: self.locate(file, error.range()),
                message: format!("syntax error, code skipped: {error}"),
            }));
            if let Some(next) = found.get(MAX_ERRORS) {
                let more = found.len() - MAX_ERRORS;
                let message = format!("{more} more syntax errors after this one");
                errors.push(SyntaxError { location: self.locate(file, next.range()), message });
            }
        }
        errors.extend(self.missing_modules());
        for &(file, byte) in self.shared.files.not_utf8() {
            if self.local_files().contains(&file) && is_module(file) {
                let location = self.locate(file, TextRange::empty(TextSize::new(0)));
                errors.push(SyntaxError { location, message: format!("not UTF-8 (byte {byte}), taken as empty") });
            }
        }
        errors.extend(self.too_deep());
        errors
    }

    /// Modules and included files that are nested too deep, in dependencies too.
    fn too_deep(&self) -> Vec<SyntaxError> {
        let crates = self.crates();
        let is_module = |file| {
            let maps = crates.iter().map(|krate| ra_ap_hir::crate_def_map(&self.db, (*krate).into()));
            maps.into_iter().any(|map| map.modules_for_file(&self.db, file).next().is_some())
        };
        let files = self.shared.files.too_deep().iter();
        let files = files.filter(|(file, _)| self.shared.files.is_included(*file) || is_module(*file));
        let error = |&(file, line): &(FileId, usize)| {
            let mut location = self.locate(file, TextRange::empty(TextSize::new(0)));
            location.line = u32::try_from(line).unwrap_or(u32::MAX);
            SyntaxError { location, message: format!("{TOO_DEEP}: the file is taken as empty") }
        };
        let mut errors: Vec<_> = files.map(error).collect();
        errors.sort_by(|one, two| one.location.cmp(&two.location));
        errors
    }

    /// Whether a file begins with this inner attribute.
    pub(super) fn has_attribute(&self, file: FileId, name: &str) -> bool {
        let file = EditionedFileId::new(&self.db, file, self.edition_of(file));
        file.parse(&self.db).tree().attrs().any(|attr| attr.simple_name().is_some_and(|found| found == name))
    }

    /// Modules whose files are missing.
    fn missing_modules(&self) -> Vec<SyntaxError> {
        let mut errors = Vec::new();
        for krate in self.local_crates() {
            for diagnostic in ra_ap_hir::crate_def_map(&self.db, krate.into()).diagnostics() {
                let DefDiagnosticKind::UnresolvedModule { ast, candidates } = &diagnostic.kind else { continue };
                let node = ast.to_node(&self.db);
                let range = InFile::new(ast.file_id, node.syntax().text_range());
                let range = range.original_node_file_range_rooted(&self.db);
                let location = self.locate(range.file_id.file_id(&self.db), range.range);
                let name = node.name().map(|name| name.text().to_string()).unwrap_or_default();
                let files = candidates.join("` or `");
                errors.push(SyntaxError {
                    location,
                    message: format!("module `{name}` is skipped: there is no file `{files}`"),
                });
            }
        }
        errors
    }

    /// The edition of the crate that a file belongs to.
    fn edition_of(&self, file: FileId) -> Edition {
        let crates = self.local_crates();
        let is_module = |krate: &&ra_ap_hir::Crate| {
            let map = ra_ap_hir::crate_def_map(&self.db, (**krate).into());
            map.modules_for_file(&self.db, file).next().is_some()
        };
        // The names of other crates need not be resolved for a root.
        let of_root = crates.iter().find(|krate| krate.root_file(&self.db) == file);
        let owner = of_root.or_else(|| crates.iter().find(is_module));
        owner.or(crates.first()).map_or(Edition::CURRENT, |krate| krate.edition(&self.db))
    }

    fn position(&self, file: FileId, offset: TextSize) -> (u32, u32) {
        let text = self.db.file_text(file).text(&self.db);
        let index = line_index(&self.db, file);
        let Some(position) = index.try_line_col(offset) else {
            return (1, 1);
        };
        let end = usize::from(offset);
        let start = end - position.col as usize;
        let column = text.get(start..end).map_or(position.col as usize, |before| before.chars().count());
        (position.line + 1, u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::short_path;

    #[test]
    fn short_paths() {
        assert_eq!(
            short_path("/home/me/.cargo/registry/src/index.crates.io-0123/tokio-1.0.0/src/lib.rs"),
            "tokio-1.0.0/src/lib.rs"
        );
        assert_eq!(short_path("/rustc/0123abcd/library/std/src/io.rs"), "library/std/src/io.rs");
        assert_eq!(short_path("a/registry/src/b/lib.rs"), "a/registry/src/b/lib.rs", "the user's");
        assert_eq!(short_path("src/main.rs"), "src/main.rs");
    }
}
