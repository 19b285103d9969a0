//! What has changed since an earlier commit: functions, statics, constants and fields whose text differs.
//!
//! Texts are compared item by item, so that no difference of two files has to be computed: an item has changed if lines
//! of it were added, changed or removed. Indentation and empty lines do not count, and neither does the order of items.

use crate::{
    diagnostic::Diagnostic,
    project::{self, Location, MAX_SOURCE, Revision, read_text},
    workarounds::source_depth,
};
use ra_ap_syntax::{AstNode, Edition, SourceFile, SyntaxKind, SyntaxNode, TextRange, WalkEvent, ast};
use rustc_hash::FxHasher;
use std::{
    collections::BTreeMap,
    hash::{Hash as _, Hasher as _},
    path::Path,
    sync::{Mutex, PoisonError},
};

/// What has changed since a commit; files are compared when a finding points to them.
#[derive(Debug)]
pub struct Changes {
    revision: Revision,
    /// By path as in locations.
    files: Mutex<BTreeMap<String, FileChanges>>,
}

/// What has changed in a file.
#[derive(PartialEq, Eq, Debug)]
struct FileChanges {
    /// Items, and whether each has changed.
    items: Vec<(Range, bool)>,
    /// Whether anything has changed: it counts for code that is in no item.
    is_changed: bool,
}

/// Lines and columns, counted from 1; the end is exclusive.
type Range = ((u32, u32), (u32, u32));

impl Changes {
    /// What has changed since the commit that a user calls `revision`, in the repository around a path.
    ///
    /// # Errors
    ///
    /// If there is no such commit; the error is a text for the user.
    pub fn since(revision: &str, path: &Path) -> Result<Changes, String> {
        Ok(Changes { revision: Revision::named(revision, path)?, files: Mutex::default() })
    }

    /// Whether a finding touches what has changed: a site, a step, a call on the way there, or the field or static that
    /// it is about.
    pub fn touch(&self, diagnostic: &Diagnostic) -> bool {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let is_help = |location: &Location| diagnostic.help.as_ref().is_some_and(|help| help.location == *location);
        diagnostic.locations().filter(|location| !is_help(location)).any(|location| {
            let file = files.entry(location.path.clone()).or_insert_with(|| self.compare(&location.path));
            file.is_changed_at((location.line, location.column))
        })
    }

    /// A file that cannot be compared counts as changed.
    fn compare(&self, path: &str) -> FileChanges {
        let new = read_text(Path::new(path), MAX_SOURCE).ok();
        let old = self.revision.text_of(Path::new(path));
        match (old, new) {
            (Some(old), Some(new)) => FileChanges::between(&old, &new),
            _ => FileChanges { items: Vec::new(), is_changed: true },
        }
    }
}

impl FileChanges {
    fn between(old: &str, new: &str) -> FileChanges {
        let same = |one: &str, other: &str| lines(one).eq(lines(other));
        if same(old, new) {
            return FileChanges { items: Vec::new(), is_changed: false };
        }
        if [old, new].iter().any(|text| source_depth::too_deep(text, Edition::CURRENT).is_some()) {
            return FileChanges { items: Vec::new(), is_changed: true };
        }
        let (old, new) = project::on_big_stack(|| (items(old), items(new)));
        let old: BTreeMap<u64, &str> = old.iter().map(|item| (item.key, item.text.as_str())).collect();
        let is_changed = |item: &Item| old.get(&item.key).is_none_or(|text| !same(text, &item.text));
        let items = new.iter().map(|item| (item.range, is_changed(item))).collect();
        FileChanges { items, is_changed: true }
    }

    fn is_changed_at(&self, at: (u32, u32)) -> bool {
        let item = self.items.iter().find(|((start, end), _)| *start <= at && at < *end);
        item.map_or(self.is_changed, |(_, is_changed)| *is_changed)
    }
}

/// The lines of a text that count.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// A function, static, constant, field or macro call, with all that is in it.
struct Item {
    /// A hash of its name and of those of what it is in.
    key: u64,
    range: Range,
    text: String,
}

/// The items of a text, in order; no item is in another.
fn items(text: &str) -> Vec<Item> {
    let tree = SourceFile::parse(text.strip_prefix('\u{feff}').unwrap_or(text), Edition::CURRENT).tree();
    let mut known: BTreeMap<u64, u32> = BTreeMap::new();
    let mut items = Vec::new();
    let mut position = Position::default();
    // Hashes of what is around the current node.
    let mut around: Vec<u64> = vec![0];
    let mut walk = tree.syntax().preorder();
    while let Some(step) = walk.next() {
        let outer = around.last().copied().unwrap_or_default();
        let node = match step {
            WalkEvent::Enter(node) => node,
            WalkEvent::Leave(node) => {
                if contains_items(&node) {
                    around.pop();
                }
                continue;
            }
        };
        if contains_items(&node) {
            around.push(hash(outer, &header(&node)));
        } else if is_item(&node) {
            let key = hash(outer, &name(&node));
            // Items of one name, as under several cfgs, are told apart by their order.
            let count = known.entry(key).or_default();
            *count += 1;
            let text = node.text().to_string();
            let start = position.advance(&tree, node.text_range().start().into());
            items.push(Item { key: hash(key, &count.to_string()), range: (start, after(start, &text)), text });
            walk.skip_subtree();
        }
    }
    items
}

fn hash(outer: u64, name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (outer, name).hash(&mut hasher);
    hasher.finish()
}

fn is_item(node: &SyntaxNode) -> bool {
    let is_list = |kind| matches!(kind, SyntaxKind::SOURCE_FILE | SyntaxKind::ITEM_LIST | SyntaxKind::ASSOC_ITEM_LIST);
    match node.kind() {
        SyntaxKind::FN
        | SyntaxKind::STATIC
        | SyntaxKind::CONST
        | SyntaxKind::RECORD_FIELD
        | SyntaxKind::TUPLE_FIELD => true,
        SyntaxKind::MACRO_CALL => node.parent().is_some_and(|parent| is_list(parent.kind())),
        _ => false,
    }
}

/// What distinguishes an item from others in the same place: kind and name, or the macro's path.
fn name(node: &SyntaxNode) -> String {
    let is_name = |it: &SyntaxNode| matches!(it.kind(), SyntaxKind::NAME | SyntaxKind::PATH);
    let name = node.children().find(is_name).map(|it| it.text().to_string());
    format!("{:?} {}", node.kind(), name.unwrap_or_default())
}

/// Whether it is something that is no item itself, but contains some.
fn contains_items(node: &SyntaxNode) -> bool {
    let kind = node.kind();
    ast::Module::can_cast(kind)
        || ast::Impl::can_cast(kind)
        || ast::Trait::can_cast(kind)
        || ast::Adt::can_cast(kind)
        || ast::Variant::can_cast(kind)
}

/// Its header: without attributes, and up to what it contains.
fn header(node: &SyntaxNode) -> String {
    let is_list = |kind| {
        matches!(
            kind,
            SyntaxKind::ITEM_LIST
                | SyntaxKind::ASSOC_ITEM_LIST
                | SyntaxKind::RECORD_FIELD_LIST
                | SyntaxKind::TUPLE_FIELD_LIST
                | SyntaxKind::VARIANT_LIST
        )
    };
    let parts = node.children_with_tokens().take_while(|part| !is_list(part.kind()));
    let parts = parts.filter(|part| !part.kind().is_trivia() && !ast::Attr::can_cast(part.kind()));
    parts.map(|part| part.to_string() + " ").collect()
}

/// A position that only moves forward, so that a file is read once.
#[derive(Default)]
struct Position {
    offset: usize,
    at: Option<(u32, u32)>,
}

impl Position {
    fn advance(&mut self, tree: &SourceFile, offset: usize) -> (u32, u32) {
        let at = self.at.unwrap_or((1, 1));
        let range = TextRange::new(
            u32::try_from(self.offset).unwrap_or(u32::MAX).into(),
            u32::try_from(offset).unwrap_or(u32::MAX).into(),
        );
        let at = after(at, &tree.syntax().text().slice(range).to_string());
        (self.offset, self.at) = (offset, Some(at));
        at
    }
}

/// The position after a text.
fn after((line, column): (u32, u32), text: &str) -> (u32, u32) {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    match text.rsplit_once('\n') {
        Some((before, last)) => (line + 1 + count(before.matches('\n').count()), 1 + count(last.chars().count())),
        None => (line, column + count(text.chars().count())),
    }
}

#[cfg(test)]
mod tests {
    use super::FileChanges;

    const OLD: &str = "\
static N: u32 = 0;
#[derive(Debug)]
struct A {
    n: u32,
    m: u32,
}
impl A {
    fn f(&self) { one(); two(); }
    fn g(&self) {}
}
#[cfg(x)] fn h() {}
#[cfg(y)] fn h() { fn inner() {} }
use a::b;
";

    /// The lines of the new text with something that has changed.
    fn changed(new: &str) -> Vec<u32> {
        let changes = FileChanges::between(OLD, new);
        let at = |line: &str| 1 + u32::try_from(line.len() - line.trim_start().len()).unwrap();
        (1..)
            .zip(new.lines())
            .filter(|(number, line)| changes.is_changed_at((*number, at(line))))
            .map(|it| it.0)
            .collect()
    }

    #[test]
    fn an_item_has_changed_if_a_line_of_it_was_added_changed_or_removed() {
        assert_eq!(changed(OLD), Vec::<u32>::new());
        // Code outside of functions, fields and statics: any change of the file counts.
        let outside = [2, 3, 6, 7, 10, 13];
        let with = |lines: &[u32]| {
            let mut all = [&outside, lines].concat();
            all.sort_unstable();
            all
        };
        assert_eq!(changed(&OLD.replace("one(); ", "")), with(&[8]));
        assert_eq!(changed(&OLD.replace("m: u32", "m: u64")), with(&[5]));
        assert_eq!(changed(&OLD.replace("= 0", "= 1")), with(&[1]));
        assert_eq!(changed(&OLD.replace("fn inner() {}", "fn inner() { three() }")), with(&[12]));
        // Another type with an attribute before it.
        let more = OLD.replace("#[derive", "#[derive(Debug)]\nstruct B {\n    n: u8,\n}\n#[derive");
        assert_eq!(changed(&more), [2, 3, 4, 5, 6, 7, 10, 11, 14, 17]);
        // Moved and indented.
        assert_eq!(
            changed(&OLD.replace("    fn g(&self) {}\n", "").replace("    fn f", "    fn g(&self) {}\n      fn f")),
            outside
        );
        assert_eq!(changed(&OLD.replace('\n', "\r\n")), Vec::<u32>::new());
    }
}
