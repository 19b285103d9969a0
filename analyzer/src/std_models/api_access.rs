//! How methods of std's types access their object, for types that threads must not access unordered: the table of the
//! rule `thread-safety-violation` (decision 15; TSVD, SOSP'19, section 3).
//!
//! A method writes its object if it changes the structure: if it adds, removes or moves elements, or changes the
//! capacity, a counter or a flag. A method reads its object if it only inspects it or returns references to elements;
//! the elements are then checked by their location. A method that is not in the table is checked by location only.

use super::type_path;
use crate::{
    config::{Config, ObjectKind},
    crate_models::ALL,
};
use hir_def::{FunctionId, HasModule, ItemContainerId, Lookup, signatures::FunctionSignature};
use hir_ty::{db::HirDatabase, next_solver::TyKind};
use interp::ir::ApiAccess;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// A type and its methods, inherent and of traits.
///
/// Methods take `&self`, `&mut self` or `this: &Self`. The prefix `&` marks a method of an impl for a reference to
/// the type, the prefix `=` a method that takes the handle by value.
#[derive(Debug)]
pub struct Object {
    /// Path of the type.
    pub path: &'static str,
    /// URL of std's documentation; the anchor `#method.NAME` leads to a method.
    pub contract: &'static str,
    /// Types with the same family access the same objects.
    pub family: &'static str,
    /// Whether a value of the type is a handle whose first word is the address of the object.
    pub is_handle: bool,
    /// The write set.
    pub writes: &'static [&'static str],
    /// The read set.
    pub reads: &'static [&'static str],
}

/// All types.
#[rustfmt::skip]
pub const OBJECTS: &[Object] = &[
    Object {
        path: "alloc::vec::Vec",
        contract: "https://doc.rust-lang.org/std/vec/struct.Vec.html",
        family: "Vec",
        is_handle: false,
        writes: &[
            "append", "clear", "clone_from", "dedup", "dedup_by", "dedup_by_key", "drain", "drop", "extend",
            "extend_from_slice", "extend_from_within", "extract_if", "insert", "insert_mut", "pop", "pop_if", "push",
            "push_mut", "remove", "reserve", "reserve_exact", "resize", "resize_with", "retain", "retain_mut", "set_len",
            "shrink_to", "shrink_to_fit", "splice", "split_off", "swap_remove", "truncate", "try_reserve",
            "try_reserve_exact", "write", "write_all",
        ],
        reads: &[
            "&into_iter", "as_mut_ptr", "as_mut_slice", "as_ptr", "as_ref", "as_slice", "capacity", "clone", "cmp", "deref",
            "deref_mut", "eq", "fmt", "hash", "index", "index_mut", "is_empty", "len", "partial_cmp",
            "spare_capacity_mut",
        ],
    },
    Object {
        path: "alloc::string::String",
        contract: "https://doc.rust-lang.org/std/string/struct.String.html",
        family: "String",
        is_handle: false,
        writes: &[
            "add_assign", "clear", "clone_from", "drain", "extend", "extend_from_within", "insert", "insert_str", "pop", "push",
            "push_str", "remove", "replace_range", "reserve", "reserve_exact", "retain", "shrink_to", "shrink_to_fit",
            "split_off", "truncate", "try_reserve", "try_reserve_exact", "write_char", "write_str",
        ],
        reads: &[
            "as_bytes", "as_mut_str", "as_ref", "as_str", "capacity", "clone", "deref", "deref_mut", "eq", "fmt", "hash",
            "index", "index_mut", "is_empty", "len",
        ],
    },
    Object {
        path: "alloc::collections::vec_deque::VecDeque",
        contract: "https://doc.rust-lang.org/std/collections/struct.VecDeque.html",
        family: "VecDeque",
        is_handle: false,
        writes: &[
            "append", "clear", "clone_from", "drain", "drop", "extend", "insert", "insert_mut", "make_contiguous", "pop_back",
            "pop_front", "push_back", "push_back_mut", "push_front", "push_front_mut", "remove", "reserve",
            "reserve_exact", "resize", "resize_with", "retain", "retain_mut", "rotate_left", "rotate_right", "shrink_to", "shrink_to_fit", "split_off", "swap_remove_back",
            "swap_remove_front", "truncate", "try_reserve", "try_reserve_exact",
        ],
        reads: &[
            "&into_iter", "as_mut_slices", "as_slices", "back", "back_mut", "binary_search", "capacity", "clone", "cmp", "contains",
            "eq", "fmt", "front", "front_mut", "get", "get_mut", "hash", "index", "index_mut", "is_empty", "iter",
            "iter_mut", "len", "partial_cmp", "partition_point", "range", "range_mut", "swap",
        ],
    },
    Object {
        path: "std::collections::hash::map::HashMap",
        contract: "https://doc.rust-lang.org/std/collections/struct.HashMap.html",
        family: "HashMap",
        is_handle: false,
        writes: &[
            "clear", "clone_from", "drain", "entry", "extend", "extract_if", "insert", "remove", "remove_entry", "reserve",
            "retain", "shrink_to", "shrink_to_fit", "try_reserve",
        ],
        reads: &[
            "&into_iter", "capacity", "clone", "contains_key", "eq", "fmt", "get", "get_disjoint_mut", "get_key_value", "get_mut",
            "hasher", "index", "is_empty", "iter", "iter_mut", "keys", "len", "values", "values_mut",
        ],
    },
    Object {
        path: "std::collections::hash::set::HashSet",
        contract: "https://doc.rust-lang.org/std/collections/struct.HashSet.html",
        family: "HashSet",
        is_handle: false,
        writes: &[
            "clear", "clone_from", "drain", "extend", "extract_if", "insert", "remove", "replace", "reserve", "retain", "shrink_to",
            "shrink_to_fit", "take", "try_reserve",
        ],
        reads: &[
            "&into_iter", "capacity", "clone", "contains", "difference", "eq", "fmt", "get", "hasher", "intersection",
            "is_disjoint", "is_empty", "is_subset", "is_superset", "iter", "len", "symmetric_difference", "union",
        ],
    },
    Object {
        path: "alloc::collections::btree::map::BTreeMap",
        contract: "https://doc.rust-lang.org/std/collections/struct.BTreeMap.html",
        family: "BTreeMap",
        is_handle: false,
        writes: &[
            "append", "clear", "drop", "entry", "extend", "extract_if", "first_entry", "insert", "last_entry",
            "pop_first", "pop_last", "remove", "remove_entry", "retain", "split_off",
        ],
        reads: &[
            "&into_iter", "clone", "cmp", "contains_key", "eq", "first_key_value", "fmt", "get", "get_key_value", "get_mut", "hash",
            "index", "is_empty", "iter", "iter_mut", "keys", "last_key_value", "len", "partial_cmp", "range", "range_mut",
            "values", "values_mut",
        ],
    },
    Object {
        path: "alloc::collections::btree::set::BTreeSet",
        contract: "https://doc.rust-lang.org/std/collections/struct.BTreeSet.html",
        family: "BTreeSet",
        is_handle: false,
        writes: &[
            "append", "clear", "clone_from", "extend", "extract_if", "insert", "pop_first", "pop_last", "remove", "replace", "retain",
            "split_off", "take",
        ],
        reads: &[
            "&into_iter", "clone", "cmp", "contains", "difference", "eq", "first", "fmt", "get", "hash", "intersection",
            "is_disjoint", "is_empty", "is_subset", "is_superset", "iter", "last", "len", "partial_cmp", "range",
            "symmetric_difference", "union",
        ],
    },
    Object {
        path: "alloc::collections::binary_heap::BinaryHeap",
        contract: "https://doc.rust-lang.org/std/collections/struct.BinaryHeap.html",
        family: "BinaryHeap",
        is_handle: false,
        writes: &[
            "append", "clear", "clone_from", "drain", "extend", "peek_mut", "pop", "push", "reserve", "reserve_exact", "retain",
            "shrink_to", "shrink_to_fit", "try_reserve", "try_reserve_exact",
        ],
        reads: &["&into_iter", "as_slice", "capacity", "clone", "fmt", "is_empty", "iter", "len", "peek"],
    },
    Object {
        path: "alloc::collections::linked_list::LinkedList",
        contract: "https://doc.rust-lang.org/std/collections/struct.LinkedList.html",
        family: "LinkedList",
        is_handle: false,
        writes: &[
            "append", "clear", "clone_from", "drop", "extend", "extract_if", "pop_back", "pop_front", "push_back",
            "push_back_mut", "push_front", "push_front_mut", "split_off",
        ],
        reads: &[
            "&into_iter", "back", "back_mut", "clone", "cmp", "contains", "eq", "fmt", "front", "front_mut", "hash", "is_empty",
            "iter", "iter_mut", "len", "partial_cmp",
        ],
    },
    // The counters are not atomic: creating or dropping an owner writes them.
    Object {
        path: "alloc::rc::Rc",
        contract: "https://doc.rust-lang.org/std/rc/struct.Rc.html",
        family: "Rc",
        is_handle: true,
        writes: &["=into_inner", "=try_unwrap", "=unwrap_or_clone", "clone", "downgrade", "drop", "make_mut"],
        reads: &["get_mut", "strong_count", "weak_count"],
    },
    Object {
        path: "alloc::rc::Weak",
        contract: "https://doc.rust-lang.org/std/rc/struct.Weak.html",
        family: "Rc",
        is_handle: true,
        writes: &["clone", "drop", "upgrade"],
        reads: &["strong_count", "weak_count"],
    },
    Object {
        path: "core::cell::Cell",
        contract: "https://doc.rust-lang.org/std/cell/struct.Cell.html",
        family: "Cell",
        is_handle: false,
        writes: &["replace", "set", "swap", "take", "update"],
        reads: &["clone", "cmp", "eq", "fmt", "get", "partial_cmp"],
    },
    // A borrow sets a flag in the cell, so a shared borrow writes too.
    Object {
        path: "core::cell::RefCell",
        contract: "https://doc.rust-lang.org/std/cell/struct.RefCell.html",
        family: "RefCell",
        is_handle: false,
        writes: &[
            "borrow", "borrow_mut", "clone", "cmp", "eq", "fmt", "partial_cmp", "replace", "replace_with", "swap", "take",
            "try_borrow", "try_borrow_mut",
        ],
        reads: &["try_borrow_unguarded"],
    },
    // `get_or_init` writes only when it initialises; that write is checked by location.
    Object {
        path: "core::cell::once::OnceCell",
        contract: "https://doc.rust-lang.org/std/cell/struct.OnceCell.html",
        family: "OnceCell",
        is_handle: false,
        writes: &["set", "take"],
        reads: &["clone", "eq", "fmt", "get", "get_mut", "get_or_init"],
    },
];

/// The first family of the objects in a configuration.
const OWN_FAMILIES: u16 = 1_000;

/// How a method accesses its object; `None` if it is neither in a table nor in the configuration.
pub fn access(db: &dyn HirDatabase, func: FunctionId, config: &Config) -> Option<ApiAccess> {
    of_tables(db, func).or_else(|| of_config(db, func, config))
}

/// How a method or foreign function that the configuration lists accesses its object.
fn of_config(db: &dyn HirDatabase, func: FunctionId, config: &Config) -> Option<ApiAccess> {
    let signature = FunctionSignature::of(db, func);
    let name = signature.name.as_str();
    let container = func.lookup(db).container;
    let owner = || owner_path(db, func);
    let objects = (OWN_FAMILIES..).zip(&config.objects);
    let listed = objects.filter_map(|(family, object)| Some((family, object, object.writes(name)?)));
    let mut its = listed.filter(|(_, object, _)| match &object.of {
        ObjectKind::Type(named) => owner().as_ref() == Some(&named.path),
        ObjectKind::Foreign { .. } => matches!(container, ItemContainerId::ExternBlockId(_)),
    });
    its.next().map(|(family, _, write)| ApiAccess { family, through_handle: false, write })
}

/// The path of the type whose method a function is.
pub fn owner_path(db: &dyn HirDatabase, func: FunctionId) -> Option<String> {
    let ItemContainerId::ImplId(id) = func.lookup(db).container else { return None };
    type_path(db, db.impl_self_ty(id).instantiate_identity().skip_norm_wip())
}

fn of_tables(db: &dyn HirDatabase, func: FunctionId) -> Option<ApiAccess> {
    let ItemContainerId::ImplId(id) = func.lookup(db).container else { return None };
    let signature = FunctionSignature::of(db, func);
    let name = signature.name.as_str();
    // Check the name first: most functions are not candidates, and computing the type is expensive.
    let objects = || ALL.iter().flat_map(|models| models.objects.iter().map(move |object| (models, object)));
    if !objects().any(|(_, object)| object.find(name).is_some()) {
        return None;
    }
    let ty = db.impl_self_ty(id).instantiate_identity().skip_norm_wip();
    let (ty, is_reference) = match ty.kind() {
        TyKind::Ref(_, inner, _) => (inner, true),
        _ => (ty, false),
    };
    let path = type_path(db, ty)?;
    let (models, object) = objects().find(|(_, object)| object.path == path)?;
    let (spelled, write) = object.find(name)?;
    if spelled.starts_with('&') != is_reference {
        return None;
    }
    if !models.covers(db, func.module(db).krate(db)) {
        return None;
    }
    let family = objects().position(|(_, other)| other.family == object.family)? as u16;
    Some(ApiAccess { family, through_handle: object.is_handle && !spelled.starts_with('='), write })
}

impl Object {
    /// A method in the table's spelling, and whether it writes.
    fn find(&self, name: &str) -> Option<(&'static str, bool)> {
        let is_it = |spelled: &&&str| spelled.trim_start_matches(['&', '=']) == name;
        let write = self.writes.iter().find(is_it).map(|spelled| (*spelled, true));
        write.or_else(|| self.reads.iter().find(is_it).map(|spelled| (*spelled, false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{self, Input, LoadOptions};
    use hir_def::DefWithBodyId;
    use ra_ap_hir::{AssocItem, Crate, DefWithBody};
    use std::collections::{BTreeMap, BTreeSet};

    /// The methods that `access` finds, by type of the table.
    fn known(db: &crate::database::Database) -> BTreeMap<String, BTreeSet<String>> {
        let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut modules: Vec<_> = Crate::all(db).into_iter().map(|krate| krate.root_module(db)).collect();
        while let Some(module) = modules.pop() {
            modules.extend(module.children(db));
            let items = module.impl_defs(db).into_iter().flat_map(|imp| imp.items(db));
            for func in items.filter_map(|item| if let AssocItem::Function(func) = item { Some(func) } else { None }) {
                let Ok(DefWithBodyId::FunctionId(id)) = DefWithBody::from(func).try_into() else { continue };
                let ItemContainerId::ImplId(container) = id.lookup(db).container else { continue };
                let ty = db.impl_self_ty(container).instantiate_identity().skip_norm_wip();
                let ty = if let TyKind::Ref(_, inner, _) = ty.kind() { inner } else { ty };
                if let (Some(path), Some(_)) = (type_path(db, ty), access(db, id, &Config::default())) {
                    known.entry(path).or_default().insert(func.name(db).as_str().to_owned());
                }
            }
        }
        known
    }

    #[test]
    fn methods_exist() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.rs");
        std::fs::write(&file, "fn main() {}").unwrap();
        let project = project::load(&Input::from_path(&file), &LoadOptions::default()).unwrap();
        let known = project.with_db(|project| known(project.db()));
        let mut missing = Vec::new();
        for object in OBJECTS {
            let listed = object.writes.iter().chain(object.reads);
            for name in listed.map(|name| name.trim_start_matches(['&', '='])) {
                if !known.get(object.path).is_some_and(|names| names.contains(name)) {
                    missing.push(format!("{}::{name}", object.path));
                }
            }
        }
        assert_eq!(missing, Vec::<String>::new());
    }
}
