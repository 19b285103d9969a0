//! Concrete types: normalisation, layouts, drop glue and call resolution, for code generation, models and harnesses.
//!
//! | module | what |
//! |---|---|
//! | `normalize` | substitution, normalisation |
//! | `fields` | fields, variants, pointer metadata, scalars |
//! | `layout`, `inexact_layouts` | sizes and offsets, and types whose size may differ from rustc's |
//! | `drops` | which types need drop glue |
//! | `functions`, `attributes` | signatures and attributes |
//! | `names`, `type_name` | names for reports; names as in `core::any::type_name` |
//! | `resolve`, `exported_functions` | call resolution |
//! | `object_methods` | vtable entries of a `dyn` type |

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

/// The reason why something could not be translated: the cause of an uninterpreted value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub Arc<str>);

impl From<String> for Unsupported {
    fn from(text: String) -> Self {
        Unsupported(text.into())
    }
}

impl From<&str> for Unsupported {
    fn from(text: &str) -> Self {
        Unsupported(text.into())
    }
}

/// Queries about types, with caches. Use them only inside [`hir_ty::attach_db`].
pub struct TypeCx<'db> {
    /// The database.
    pub db: &'db dyn HirDatabase,
    /// The entry's crate, which sees every type that a run can reach.
    pub krate: Crate,
    /// The interner for `krate`.
    pub interner: DbInterner<'db>,
    /// Crates and files of the project.
    pub source: &'db dyn SourceMap,
    /// Normalised types.
    normalized: FxHashMap<Ty<'db>, Ty<'db>>,
    /// Types after substitution and normalisation.
    substituted: FxHashMap<(Ty<'db>, GenericArgs<'db>), Ty<'db>>,
    layouts: FxHashMap<Ty<'db>, Result<Rc<TyLayout>, Unsupported>>,
    /// Whether a type's layout is computed by `layout` and not by rust-analyzer.
    own_layout: FxHashMap<Ty<'db>, bool>,
    drops: FxHashMap<Ty<'db>, bool>,
    type_sizes: RefCell<TypeSizes<'db>>,
    targets: FxHashMap<(FunctionId, GenericArgs<'db>), Target<'db>>,
    vtable_methods: FxHashMap<Ty<'db>, Rc<Vec<VtableEntry<'db>>>>,
    /// For [`crate::workarounds::unsized_tails`].
    pub(crate) unsized_tails: FxHashMap<AdtId, bool>,
    /// For [`crate::workarounds::infinite_types`].
    pub(crate) finite: FxHashMap<Ty<'db>, bool>,
    /// For [`crate::workarounds::infinite_types`].
    pub(crate) finite_tails: FxHashMap<Ty<'db>, bool>,
    /// The types that examples and tests use; computed when harnesses need them.
    pub(crate) used: Option<Rc<UsedTypes<'db>>>,
}

/// Instances of types.
pub(crate) type UsedTypes<'db> = FxHashMap<AdtId, Vec<Ty<'db>>>;

impl<'db> TypeCx<'db> {
    /// A context with empty caches for everything that `krate` sees.
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
            finite: FxHashMap::default(),
            finite_tails: FxHashMap::default(),
            used: None,
        }
    }

    /// The environment for trait queries. It is empty because all types are concrete.
    pub fn env(&self) -> ParamEnvAndCrate<'db> {
        ParamEnvAndCrate { param_env: ParamEnv::empty(self.interner), krate: self.krate }
    }

    /// A new inference context that reveals opaque types.
    pub fn infcx(&self) -> InferCtxt<'db> {
        self.interner.infer_ctxt().build(TypingMode::PostAnalysis)
    }

    /// The type as in source code.
    pub fn type_name(&self, ty: Ty<'db>) -> String {
        ty.display(self.db, DisplayTarget::from_crate(self.db, self.krate)).to_string().replace("{unknown}", "_")
    }
}
