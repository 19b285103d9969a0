//! Crates whose names and impls rust-analyzer cannot resolve without a panic. The items that cause it are left out and
//! listed. If there are too many, the crate is taken as empty.

use super::{Location, Project};
use crate::{
    budget::{self, BudgetScope, Call, Stop},
    guard,
    overdue::{self, CurrentItem, ItemId},
};
use hir::{Crate, TraitImpls, crate_def_map};
use hir_def::ModuleDefId;
use hir_ty::method_resolution::InherentImpls;
use ra_ap_base_db::SourceDatabase as _;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{
    AstNode as _, Edition, SourceFile, TextRange,
    ast::{self, HasModuleItem},
};
use ra_ap_vfs::FileId;
use std::{fmt, sync::Arc};

/// Maximum number of items of a crate that are left out.
const MAX_ITEMS: usize = 8;

/// Maximum size of a crate, in bytes, that is resolved repeatedly to find them.
const MAX_BYTES: usize = 16 << 20;

/// A part of a crate that is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The crate.
    name: String,
    root: FileId,
    /// The item and its location; the whole crate if `None`.
    item: Option<(String, Location)>,
    /// The file whose text is replaced, and its original text.
    file: FileId,
    text: Arc<str>,
    /// What failed.
    failure: String,
    /// The macro call that exceeds the crate's budget.
    call: Option<Call>,
    /// Whether an earlier process ran out of time on it: finding the item would take as long again.
    is_overdue: bool,
}

impl Broken {
    /// The file whose text is replaced.
    pub(crate) fn file(&self) -> FileId {
        self.file
    }

    /// The file's text, without what was left out before.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The item's location; a whole crate has none.
    pub fn location(&self) -> Option<&Location> {
        self.item.as_ref().map(|(_, location)| location)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { name, item, failure, .. } = self;
        match item {
            Some((text, _)) => write!(f, "`{text}` in crate `{name}` is skipped: {failure}"),
            None => write!(f, "crate `{name}` is taken as empty: {failure}"),
        }
    }
}

/// An item without nested items that could be left out instead.
struct Item {
    file: FileId,
    range: TextRange,
    /// It imports names from elsewhere: the crate that defines them is left out instead.
    is_import: bool,
}

impl Project {
    /// What is left out because rust-analyzer panics on it.
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// The first crate that must be taken as empty; a dependency comes before its dependents.
    pub(crate) fn first_broken(&self) -> Option<Broken> {
        let known =
            |krate: &Crate| self.broken.iter().any(|it| it.item.is_none() && it.file == krate.root_file(&self.db));
        let mut crates = self.crates().into_iter().filter(|krate| !known(krate));
        let (krate, stop) = crates.find_map(|krate| Some((krate, self.resolution(krate).err()?)))?;
        let failure = match stop {
            Some(stop) => stop.text().to_owned(),
            None => {
                guard::count();
                guard::internal_failure()
            }
        };
        let call = stop.and_then(|_| budget::last_call());
        let name = krate.display_name(&self.db).map_or_else(|| "unnamed".to_owned(), |name| name.to_string());
        let root = krate.root_file(&self.db);
        let text = self.file_text(root).into();
        Some(Broken { name, root, item: None, file: root, text, failure, call, is_overdue: stop == Some(Stop::Time) })
    }

    /// Resolves the names and impls of a crate. The error is a panic, or the exceeded budget if there is one.
    pub(super) fn resolution(&self, krate: Crate) -> Result<(), Option<Stop>> {
        let db = &self.db;
        let scope = BudgetScope::new(true);
        let item = ItemId::of_crate(db, krate.root_file(db));
        let resolved = guard::unwinding(|| {
            let _current = CurrentItem::new(item);
            if overdue::is_left_out(item) {
                budget::stop(Stop::Time);
            }
            crate_def_map(db, krate.into());
            TraitImpls::for_crate(db, krate.into());
            InherentImpls::for_crate(db, krate.into());
            if self.is_local(krate) {
                self.expand_impls(krate);
            }
        });
        drop(scope);
        match resolved {
            Ok(()) => Ok(()),
            Err(payload) if guard::is_cancelled(&payload) => std::panic::resume_unwind(payload),
            Err(payload) => match budget::note_stop(db, &payload, None) {
                // The crate itself is fine.
                Some(Stop::Memory) => Ok(()),
                stop => Err(stop),
            },
        }
    }

    /// Expands the macro calls between the items of impls and traits: every method lookup would expand them.
    fn expand_impls(&self, krate: Crate) {
        for (_, module) in crate_def_map(&self.db, krate.into()).modules() {
            for id in module.scope.impls() {
                id.impl_items(&self.db);
            }
            for item in module.scope.declarations() {
                if let ModuleDefId::TraitId(id) = item {
                    id.trait_items(&self.db);
                }
            }
        }
    }

    /// Leaves it out from now on.
    pub(crate) fn leave_out(&mut self, broken: Broken) {
        if broken.item.is_none() {
            self.set_text(broken.file, "");
        }
        self.broken = self.broken.iter().cloned().chain([broken]).collect();
    }

    /// Leaves out one item so that the crate resolves, or else the crate.
    pub(super) fn leave_out_least(&mut self, krate: Broken) {
        let known = self.broken.iter().filter(|it| it.root == krate.root).count();
        let item = match krate.call {
            _ if known == MAX_ITEMS || krate.is_overdue => None,
            Some(call) => self.item_around(&call, &krate),
            None => self.last_straw(&krate),
        };
        self.leave_out(item.unwrap_or(krate));
    }

    /// The first item that, with the items before it, keeps the crate from being resolved. It is blanked.
    fn last_straw(&mut self, krate: &Broken) -> Option<Broken> {
        let source_root = self.db.file_source_root(krate.root).source_root_id(&self.db);
        let source_root = self.db.source_root(source_root).source_root(&self.db);
        let is_source = |file: &FileId| self.is_source(*file);
        let others = source_root.iter().filter(|file| *file != krate.root).filter(is_source);
        let mut files: Vec<(FileId, String)> =
            [krate.root].into_iter().chain(others).map(|it| (it, self.file_text(it))).collect();
        files.retain(|(_, text)| !text.is_empty());
        let mut items: Vec<Item> = files.iter().flat_map(|(file, text)| items(*file, text)).collect();
        items.sort_by_key(|item| item.is_import);
        let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
        let mut budget = MAX_BYTES;
        // The crate resolves with the first `low` items, and fails with the first `high`.
        let (mut low, mut high) = (0, items.len());
        let mut at = 0;
        let found = loop {
            budget = match budget.checked_sub(bytes) {
                Some(left) if low < high => left,
                _ => break false,
            };
            for (file, text) in &files {
                self.set_text_if_new(*file, &without(*file, text, &items[at..]));
            }
            let is_resolved = self.with_db(|project| {
                let mut crates = project.crates().into_iter().filter(|it| it.root_file(&project.db) == krate.root);
                crates.all(|it| project.resolution(it).is_ok())
            });
            match (is_resolved, at) {
                // The cause is not inside an item.
                (false, 0) => break false,
                (true, _) => low = at,
                (false, _) => high = at,
            }
            if high - low == 1 {
                break true;
            }
            at = low.midpoint(high);
        };
        for (file, text) in &files {
            self.set_text_if_new(*file, text);
        }
        let straw = items.get(low).filter(|_| found)?;
        let (_, text) = files.iter().find(|(file, _)| *file == straw.file)?;
        let location = self.locate(straw.file, straw.range);
        let first_line = text[straw.range].lines().next().unwrap_or_default().to_owned();
        self.set_text(straw.file, &without(straw.file, text, std::slice::from_ref(straw)));
        let text = text.as_str().into();
        Some(Broken { item: Some((first_line, location)), file: straw.file, text, ..krate.clone() })
    }

    /// The user's item that contains a macro call. It is blanked.
    fn item_around(&mut self, call: &Call, krate: &Broken) -> Option<Broken> {
        let file = call.file;
        if !self.text_files().contains(&file) {
            return None;
        }
        let text = self.file_text(file);
        let item = items(file, &text).into_iter().find(|item| item.range.contains(call.range.start()))?;
        let location = self.locate(file, item.range);
        let first_line = text[item.range].lines().next().unwrap_or_default().to_owned();
        self.set_text(file, &without(file, &text, std::slice::from_ref(&item)));
        Some(Broken { item: Some((first_line, location)), file, text: text.into(), ..krate.clone() })
    }

    fn set_text_if_new(&mut self, file: FileId, text: &str) {
        if self.db.file_text(file).text(&self.db).as_ref() != text {
            self.set_text(file, text);
        }
    }

    /// Restores what was left out of a changed file of the user's, and of crates that are taken as empty. Returns the
    /// files whose text changed.
    pub(crate) fn restore(&mut self, changed: FileId) -> Vec<FileId> {
        let is_over = |it: &Broken| it.file == changed || it.item.is_none();
        let files = self.text_files();
        let (over, others): (Vec<_>, Vec<_>) =
            self.broken.iter().cloned().partition(|it| is_over(it) && files.contains(&it.file));
        if over.is_empty() {
            return Vec::new();
        }
        self.broken = others.into();
        // The first entry has the whole text.
        for it in over.iter().rev() {
            self.set_text(it.file, &it.text);
        }
        over.into_iter().map(|it| it.file).collect()
    }
}

/// The items of a file; a module's items instead of the module.
fn items(file: FileId, text: &str) -> Vec<Item> {
    fn collect(owner: &impl HasModuleItem, found: &mut Vec<(TextRange, bool)>) {
        for item in owner.items() {
            match &item {
                ast::Item::Module(module) if module.item_list().is_some() => {
                    module.item_list().iter().for_each(|list| collect(list, found));
                }
                _ => {
                    let is_import = matches!(item, ast::Item::Use(_) | ast::Item::MacroCall(_));
                    found.push((item.syntax().text_range(), is_import));
                }
            }
        }
    }
    let mut found = Vec::new();
    // A file that panics here also fails as part of its crate.
    let _ = guard::unwinding(|| collect(&SourceFile::parse(text, Edition::CURRENT).tree(), &mut found));
    found.into_iter().map(|(range, is_import)| Item { file, range, is_import }).collect()
}

/// The text with the given items blanked.
fn without(file: FileId, text: &str, items: &[Item]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    let mut ranges: Vec<TextRange> = items.iter().filter(|item| item.file == file).map(|item| item.range).collect();
    ranges.sort_by_key(|range| range.start());
    for range in ranges {
        left.push_str(&text[at..range.start().into()]);
        for character in text[range].chars() {
            match character {
                '\n' => left.push('\n'),
                other => left.extend(std::iter::repeat_n(' ', other.len_utf8())),
            }
        }
        at = range.end().into();
    }
    left.push_str(&text[at..]);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_what_is_left_without_them() {
        let text = "mod a { use b::*;\nfn é() {} }\nmod c;\n/// d\nstruct D;\nx! {}\n";
        let file = FileId::from_raw(0);
        let items = items(file, text);
        let texts: Vec<&str> = items.iter().map(|it| &text[it.range]).collect();
        assert_eq!(texts, ["use b::*;", "fn é() {}", "mod c;", "/// d\nstruct D;", "x! {}"]);
        let left = without(file, text, &items[1..3]);
        assert_eq!(left, "mod a { use b::*;\n           }\n      \n/// d\nstruct D;\nx! {}\n");
        assert_eq!(left.len(), text.len());
    }
}
