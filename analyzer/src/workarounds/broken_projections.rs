//! Projections of types that contain errors, or whose bounds do not decide them.
//!
//! * Symptom: the solver replaces such a projection by an inference variable, does not expect it, and panics; so does
//!   `has_drop_glue`, for a field of such a type.
//! * Test: `tests/suite/project/macros.rs`.
//! * Upstream: none known.
//! * Goes when: the solver returns an error type.

use hir_def::{
    AdtId, VariantId,
    signatures::{StructFlags, StructSignature},
};
use hir_ty::{
    consteval::try_const_usize,
    db::HirDatabase,
    drop::destructor,
    next_solver::{GenericArgs, ParamEnv, Ty, TyKind, infer::InferCtxt},
    traits::structurally_normalize_ty,
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashSet;
use rustc_type_ir::{
    TypeVisitableExt,
    inherent::{GenericArgs as _, IntoKind},
};

/// Whether a type may contain such a projection, so that it must not be passed to the solver.
pub(crate) fn may_have_one(ty: Ty<'_>) -> bool {
    ty.references_error() && ty.has_aliases()
}

/// Whether a value of this type may need a drop for some type arguments: rust-analyzer's `has_drop_glue`, which panics.
pub(crate) fn may_need_drop<'db>(infcx: &InferCtxt<'db>, env: ParamEnv<'db>, ty: Ty<'db>) -> bool {
    Drops { infcx, env, visited: FxHashSet::default() }.has_any(ty)
}

struct Drops<'a, 'db> {
    infcx: &'a InferCtxt<'db>,
    env: ParamEnv<'db>,
    visited: FxHashSet<Ty<'db>>,
}

impl<'db> Drops<'_, 'db> {
    fn db(&self) -> &'db dyn HirDatabase {
        self.infcx.interner.db()
    }

    fn has_any(&mut self, ty: Ty<'db>) -> bool {
        if may_have_one(ty) {
            return true;
        }
        let is_alias = matches!(ty.kind(), TyKind::Alias(..));
        let ty = structurally_normalize_ty(self.infcx, ty, self.env);
        match ty.kind() {
            TyKind::Adt(def, args) => self.visited.insert(ty) && self.adt_has_any(def.def_id(), args),
            TyKind::Tuple(tys) => tys.iter().any(|ty| self.has_any(ty)),
            TyKind::Array(elem, len) => try_const_usize(self.db(), len) != Some(0) && self.has_any(elem),
            TyKind::Slice(elem) => self.has_any(elem),
            TyKind::Closure(_, args) => self.has_any(args.as_closure().tupled_upvars_ty()),
            TyKind::CoroutineClosure(_, args) => self.has_any(args.as_coroutine_closure().tupled_upvars_ty()),
            TyKind::Param(_) | TyKind::Alias(..) => !self.infcx.type_is_copy_modulo_regions(self.env, ty),
            TyKind::Coroutine(..) | TyKind::Dynamic(..) => true,
            TyKind::Error(_) => is_alias,
            _ => false,
        }
    }

    fn adt_has_any(&mut self, adt: AdtId, args: GenericArgs<'db>) -> bool {
        let db = self.db();
        if destructor(db, adt).is_some() {
            return true;
        }
        let variants: Vec<VariantId> = match adt {
            AdtId::StructId(id) => {
                let skip = StructFlags::IS_MANUALLY_DROP | StructFlags::IS_PHANTOM_DATA;
                if StructSignature::of(db, id).flags.intersects(skip) {
                    return false;
                }
                vec![id.into()]
            }
            AdtId::UnionId(_) => return false,
            AdtId::EnumId(id) => id.enum_variants(db).variants.values().map(|variant| variant.0.into()).collect(),
        };
        variants.into_iter().any(|variant| {
            let fields = db.field_types(variant).iter();
            let mut types = fields.map(|(_, field)| field.ty().instantiate(self.infcx.interner, args).skip_norm_wip());
            types.any(|ty| self.has_any(ty))
        })
    }
}
