//! Types under concrete arguments, and which functions calls reach: what code generation, models of std and harnesses ask.
//!
//! | module | what |
//! |---|---|
//! | `normalize` | substitution, normalisation |
//! | `fields` | fields, variants, pointer metadata, scalars |
//! | `layout`, `inexact_layouts` | sizes and offsets, and types whose size may differ from rustc's |
//! | `drops` | which types need to be dropped |
//! | `functions`, `attributes`, `names`, `type_name` | signatures and attributes; names for people; names of `core::any::type_name` |
//! | `resolve`, `exported_functions` | which function a call reaches |
//! | `object_methods` | the entries of the vtables of a `dyn` type |

use crate::{source::SourceMap, workarounds::type_size::TypeSizes};
use hir_def::{AdtId, FunctionId};
use hir_ty::{
    ParamEnvAndCrate,
    db::HirDatabase,
    display::{DisplayTarget, HirDisplay},
    next_solver::{
        DbInterner, GenericArgs, ParamEnv, Ty, TypingMode,
        infer::{DbInternerInferExt, InferCtxt},
    },
};
use object_methods::VtableEntry;
use ra_ap_base_db::Crate;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashMap;
use std::{cell::RefCell, rc::Rc, sync::Arc};

mod attributes;
mod drops;
mod exported_functions;
mod fields;
pub mod functions;
mod inexact_layouts;
mod layout;
pub mod names;
mod normalize;
pub mod object_methods;
mod resolve;
pub mod type_name;

pub use fields::{Meta, pointee, upvars};
pub(crate) use layout::offsets;
pub use layout::{Encoding, TyLayout, Variants, tag_mask};
pub use resolve::{FnMethod, Target};

/// Why something could not be translated: the cause of an uninterpreted value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap(pub Arc<str>);

impl From<String> for Gap {
    fn from(text: String) -> Self {
        Gap(text.into())
    }
}

impl From<&str> for Gap {
    fn from(text: &str) -> Self {
        Gap(text.into())
    }
}

/// Answers about types, with caches. All use of it must happen inside [`hir_ty::attach_db`].
pub struct TypeCx<'db> {
    /// The database.
    pub db: &'db dyn HirDatabase,
    /// The entry's crate: it sees every type that a run can reach.
    pub krate: Crate,
    /// The interner with that crate.
    pub interner: DbInterner<'db>,
    /// Crates and files of the project.
    pub source: &'db dyn SourceMap,
    /// Normalised types.
    normalized: FxHashMap<Ty<'db>, Ty<'db>>,
    /// Types under arguments, normalised.
    substituted: FxHashMap<(Ty<'db>, GenericArgs<'db>), Ty<'db>>,
    layouts: FxHashMap<Ty<'db>, Result<Rc<TyLayout>, Gap>>,
    /// Whether a type's layout is computed by us.
    own_layout: FxHashMap<Ty<'db>, bool>,
    drops: FxHashMap<Ty<'db>, bool>,
    type_sizes: RefCell<TypeSizes<'db>>,
    targets: FxHashMap<(FunctionId, GenericArgs<'db>), Target<'db>>,
    vtable_methods: FxHashMap<Ty<'db>, Rc<Vec<VtableEntry<'db>>>>,
    /// For [`crate::workarounds::unsized_tails`].
    pub(crate) unsized_tails: FxHashMap<AdtId, bool>,
    /// For [`crate::workarounds::infinite_types`].
    pub(crate) ends: FxHashMap<Ty<'db>, bool>,
    /// For [`crate::workarounds::infinite_types`].
    pub(crate) tails: FxHashMap<Ty<'db>, bool>,
}

impl<'db> TypeCx<'db> {
    /// Empty caches for everything that `krate` sees.
    pub fn new(db: &'db dyn HirDatabase, krate: Crate, source: &'db dyn SourceMap) -> Self {
        TypeCx {
            db,
            krate,
            interner: DbInterner::new_with(db, krate),
            source,
            normalized: FxHashMap::default(),
            substituted: FxHashMap::default(),
            layouts: FxHashMap::default(),
            own_layout: FxHashMap::default(),
            drops: FxHashMap::default(),
            type_sizes: RefCell::default(),
            targets: FxHashMap::default(),
            vtable_methods: FxHashMap::default(),
            unsized_tails: FxHashMap::default(),
            ends: FxHashMap::default(),
            tails: FxHashMap::default(),
        }
    }

    /// Environment of trait lookups: empty, as everything is concrete.
    pub fn env(&self) -> ParamEnvAndCrate<'db> {
        ParamEnvAndCrate { param_env: ParamEnv::empty(self.interner), krate: self.krate }
    }

    /// A new inference context that sees through opaque types.
    pub fn infcx(&self) -> InferCtxt<'db> {
        self.interner.infer_ctxt().build(TypingMode::PostAnalysis)
    }

    /// The type as a person would write it.
    pub fn type_name(&self, ty: Ty<'db>) -> String {
        ty.display(self.db, DisplayTarget::from_crate(self.db, self.krate)).to_string()
    }
}
