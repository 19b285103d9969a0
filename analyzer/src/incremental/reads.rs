//! The read set of an exploration, and whether it still holds (decision 19).

use super::structure::{FunctionKey, Structure};
use crate::project::Project;
use interp::host::Dictionary;
use ra_ap_hir_def::{DefWithBodyId, HasModule, Lookup, src::HasSource};
use ra_ap_hir_expand::InFile;
use ra_ap_syntax::{AstNode, TextSize};
use ra_ap_vfs::FileId;
use std::{collections::BTreeMap, sync::Arc};

/// The structures of all of the user's files.
pub(super) type Structures = BTreeMap<FileId, Arc<Structure>>;

/// The read set of an exploration.
#[derive(Clone)]
pub(super) struct Reads {
    structures: Structures,
    functions: Vec<(FileId, FunctionKey)>,
    /// Only for a program that was given inputs.
    dictionary: Option<Dictionary>,
    /// A harness may call any function to make a value.
    is_harness: bool,
}

impl Reads {
    /// The read set of running these bodies.
    pub(super) fn of(
        project: &Project,
        structures: &Structures,
        bodies: impl IntoIterator<Item = DefWithBodyId>,
        dictionary: Option<Dictionary>,
        is_harness: bool,
    ) -> Reads {
        let mut functions: Vec<_> = bodies
            .into_iter()
            .filter_map(|def| {
                let (file, offset) = place(project, def)?;
                Some((file, structures.get(&file)?.function_at(offset)?))
            })
            .collect();
        functions.sort_unstable();
        functions.dedup();
        Reads { structures: structures.clone(), functions, dictionary, is_harness }
    }

    /// Whether the program behaves the same with these files.
    pub(super) fn hold(&self, now: &Structures, dictionary: impl FnOnce() -> Dictionary) -> bool {
        if self.structures.len() != now.len() {
            return false;
        }
        let mut names = rustc_hash::FxHashSet::default();
        for (file, old) in &self.structures {
            let Some(new) = now.get(file) else { return false };
            if Arc::ptr_eq(old, new) {
                continue;
            }
            if !new.has_skeleton_of(old) {
                return false;
            }
            names.extend(new.names_that_differ(old));
        }
        let is_same = |(file, key): &(FileId, FunctionKey)| match (self.structures.get(file), now.get(file)) {
            (Some(old), Some(new)) => {
                (Arc::ptr_eq(old, new) || new.has_function_of(old, *key)) && !new.function_uses(*key, &names)
            }
            _ => false,
        };
        // In code that everybody reads, a name may now refer to another function.
        let is_used_by_all = !names.is_empty() && (self.is_harness || now.values().any(|it| it.uses(&names)));
        let is_dictionary_same = || self.dictionary.as_ref().is_none_or(|old| *old == dictionary());
        !is_used_by_all && self.functions.iter().all(is_same) && is_dictionary_same()
    }

    /// Whether both are of the same texts.
    pub(super) fn is_of_same_texts(&self, other: &Reads) -> bool {
        let (own, others) = (&self.structures, &other.structures);
        own.len() == others.len()
            && own.iter().all(|(file, structure)| others.get(file).is_some_and(|it| Arc::ptr_eq(it, structure)))
    }

    /// Whether a function was run.
    pub(super) fn has_function(&self, file: FileId, function: FunctionKey) -> bool {
        self.functions.contains(&(file, function))
    }

    /// Whether any function of a file was run.
    pub(super) fn has_file(&self, file: FileId) -> bool {
        self.functions.iter().any(|(known, _)| *known == file)
    }
}

/// The start of a body's owner, in one of the user's files.
pub(super) fn place(project: &Project, def: DefWithBodyId) -> Option<(FileId, TextSize)> {
    let db = project.db();
    if !project.is_local(def.module(db).krate(db).into()) {
        return None;
    }
    let node = match def {
        DefWithBodyId::FunctionId(it) => it.lookup(db).source(db).map(|it| it.syntax().clone()),
        DefWithBodyId::ConstId(it) => it.lookup(db).source(db).map(|it| it.syntax().clone()),
        DefWithBodyId::StaticId(it) => it.lookup(db).source(db).map(|it| it.syntax().clone()),
        DefWithBodyId::VariantId(_) => return None,
    };
    let range = InFile::new(node.file_id, node.value.text_range());
    let range = range.original_node_file_range_rooted(db);
    Some((range.file_id.file_id(db), range.range.start()))
}
