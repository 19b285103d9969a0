//! Places that are taken for mutable, such as `owned` in `&raw mut (*owned.ptr).field` where `owned.ptr` is a raw pointer.
//!
//! * Symptom: `deref_mut` of a type that has only `Deref` is called, so that serde_yaml writes nothing.
//! * Test: `memory/places_behind_raw_pointers`.
//! * Upstream: none known.
//! * Goes when: inference asks for an impl of `DerefMut` and `IndexMut`, as rustc does.

use hir_def::{FunctionId, lang_item::LangItems};
use ra_ap_hir_def as hir_def;

/// The function that rustc calls where a type has no impl for this one.
pub(crate) fn shared(lang: &LangItems, func: FunctionId) -> Option<FunctionId> {
    let pairs = [(lang.DerefMut_deref_mut, lang.Deref_deref), (lang.IndexMut_index_mut, lang.Index_index)];
    pairs.into_iter().find(|(mutable, _)| *mutable == Some(func))?.1
}
