//! Types under concrete arguments: substitution, normalisation, and questions about them.

use super::{cx::Meta, program::Program};
use crate::workarounds::{binders::Binders, infinite_types, rpitit, specialised_types};
use hir_def::{
    AdtId, VariantId,
    attrs::AttrFlags,
    signatures::{StructFlags, StructSignature},
};
use hir_ty::{
    consteval::try_const_usize,
    next_solver::{
        Const, ConstKind, DbInterner, EarlyBinder, GenericArg, GenericArgs, Region, SolverDefId, Ty, TyKind,
        infer::traits::ObligationCause,
    },
};
use interp::ir::Scalar;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashSet;
use rustc_type_ir::{
    FloatTy, IntTy, TypeFoldable, TypeFolder, TypeSuperFoldable, TypeVisitableExt, UintTy,
    inherent::{GenericArgs as _, IntoKind},
};

/// Erases free regions and evaluates array lengths, so that equal types are one type.
struct Canonical<'db>(DbInterner<'db>);

impl<'db> TypeFolder<DbInterner<'db>> for Canonical<'db> {
    fn cx(&self) -> DbInterner<'db> {
        self.0
    }

    fn fold_region(&mut self, region: Region<'db>) -> Region<'db> {
        if matches!(region.kind(), rustc_type_ir::RegionKind::ReBound(..)) {
            region
        } else {
            Region::new_erased(self.0)
        }
    }

    fn fold_const(&mut self, konst: Const<'db>) -> Const<'db> {
        let konst = konst.super_fold_with(self);
        match konst.kind() {
            ConstKind::Unevaluated(_) if !konst.has_param() => match try_const_usize(self.0.db(), konst) {
                Some(value) => Const::from_target_usize(self.0, value as u64),
                None => konst,
            },
            _ => konst,
        }
    }
}

/// Erases regions, but for those that a type binds itself, and evaluates lengths.
pub fn canonical<'db, T: TypeFoldable<DbInterner<'db>>>(program: &Program<'db>, value: T) -> T {
    value.fold_with(&mut Binders(program.interner)).fold_with(&mut Canonical(program.interner))
}

/// Normalises alias by alias, where the whole could not be.
struct AliasNormalizer<'a, 'db> {
    program: &'a Program<'db>,
    depth: u32,
}

impl<'db> TypeFolder<DbInterner<'db>> for AliasNormalizer<'_, 'db> {
    fn cx(&self) -> DbInterner<'db> {
        self.program.interner
    }

    fn fold_ty(&mut self, ty: Ty<'db>) -> Ty<'db> {
        if !ty.has_aliases() {
            return ty;
        }
        let ty = ty.super_fold_with(self);
        if !matches!(ty.kind(), TyKind::Alias(..)) || ty.has_escaping_bound_vars() || self.depth > 16 {
            return ty;
        }
        let infcx = self.program.infcx();
        let env = self.program.env().param_env;
        match infcx.at(&ObligationCause::dummy(), env).deeply_normalize(ty) {
            Ok(normal) if !normal.has_aliases() => return normal,
            _ => {}
        }
        let Some(found) = specialised_types::project(self.program, ty) else { return ty };
        self.depth += 1;
        let normal = found.fold_with(self);
        self.depth -= 1;
        normal
    }
}

/// Normalises anything without caching; what cannot be normalised stays as it is.
pub fn normalize_any<'db, T>(program: &Program<'db>, value: T) -> T
where
    T: TypeFoldable<DbInterner<'db>> + TypeVisitableExt<DbInterner<'db>> + Clone,
{
    program.type_sizes.borrow_mut().check(&value);
    let value = if value.has_aliases() && !value.has_escaping_bound_vars() {
        let value = rpitit::reveal(program, value);
        let infcx = program.infcx();
        let env = program.env().param_env;
        match infcx.at(&ObligationCause::dummy(), env).deeply_normalize(value.clone()) {
            Ok(normal) if !normal.has_aliases() => normal,
            _ => value.fold_with(&mut AliasNormalizer { program, depth: 0 }),
        }
    } else {
        value
    };
    program.type_sizes.borrow_mut().check(&value);
    canonical(program, value)
}

/// Normalises a concrete type.
pub fn normalize<'db>(program: &mut Program<'db>, ty: Ty<'db>) -> Ty<'db> {
    if let Some(&known) = program.normalized.get(&ty) {
        return known;
    }
    let normal = normalize_any(program, ty);
    program.normalized.insert(ty, normal);
    program.normalized.insert(normal, normal);
    normal
}

/// A generic type under arguments, normalised.
pub fn subst_ty<'db>(program: &mut Program<'db>, ty: Ty<'db>, args: GenericArgs<'db>) -> Ty<'db> {
    if let Some(&known) = program.substituted.get(&(ty, args)) {
        return known;
    }
    let concrete =
        if ty.has_param() { EarlyBinder::bind(ty).instantiate(program.interner, args).skip_norm_wip() } else { ty };
    let normal = normalize(program, concrete);
    program.substituted.insert((ty, args), normal);
    normal
}

/// Generic arguments under arguments, normalised.
pub fn subst_args<'db>(
    program: &mut Program<'db>,
    value: GenericArgs<'db>,
    args: GenericArgs<'db>,
) -> GenericArgs<'db> {
    let concrete = if value.has_param() {
        EarlyBinder::bind(value).instantiate(program.interner, args).skip_norm_wip()
    } else {
        value
    };
    normalize_any(program, concrete)
}

/// Arguments of an item: `first`, then erased lifetimes; types that are missing are errors.
pub fn erased_args<'db>(
    program: &Program<'db>,
    item: impl Into<SolverDefId<'db>>,
    first: impl IntoIterator<Item = GenericArg<'db>>,
) -> GenericArgs<'db> {
    let interner = program.interner;
    GenericArgs::fill_rest(interner, item.into(), first, |_, id, _| match id {
        hir_def::GenericParamId::LifetimeParamId(_) => Region::new_erased(interner).into(),
        _ => GenericArg::error_from_id(interner, id),
    })
}

/// Scalar kind of integers, floats, `bool`, `char` and thin pointers.
pub fn scalar_of<'db>(program: &mut Program<'db>, ty: Ty<'db>) -> Option<Scalar> {
    Some(match ty.kind() {
        TyKind::Bool => Scalar::U8,
        TyKind::Char => Scalar::U32,
        TyKind::Int(IntTy::I8) => Scalar::I8,
        TyKind::Int(IntTy::I16) => Scalar::I16,
        TyKind::Int(IntTy::I32) => Scalar::I32,
        TyKind::Int(IntTy::I64 | IntTy::Isize) => Scalar::I64,
        TyKind::Int(IntTy::I128) => Scalar::I128,
        TyKind::Uint(UintTy::U8) => Scalar::U8,
        TyKind::Uint(UintTy::U16) => Scalar::U16,
        TyKind::Uint(UintTy::U32) => Scalar::U32,
        TyKind::Uint(UintTy::U64 | UintTy::Usize) => Scalar::U64,
        TyKind::Uint(UintTy::U128) => Scalar::U128,
        TyKind::Float(FloatTy::F32) => Scalar::F32,
        TyKind::Float(FloatTy::F64) => Scalar::F64,
        TyKind::FnPtr(..) => Scalar::U64,
        TyKind::Ref(_, inner, _) | TyKind::RawPtr(inner, _) => {
            if meta(program, inner) != Meta::Thin {
                return None;
            }
            Scalar::U64
        }
        TyKind::Pat(inner, _) => return scalar_of(program, inner),
        _ => return None,
    })
}

/// The unsized end of a type, or where the walk stops.
pub fn struct_tail<'db>(program: &mut Program<'db>, mut ty: Ty<'db>) -> Ty<'db> {
    // Recursive types have a pointer on the way, so this ends; the bound is for ill-formed programs.
    for _ in 0..64 {
        let last = match ty.kind() {
            TyKind::Adt(def, _) if def.is_struct() => {
                let count = fields(program, ty, 0).len();
                count.checked_sub(1).and_then(|last| field_ty(program, ty, 0, last as u32))
            }
            TyKind::Tuple(tys) => tys.iter().next_back(),
            _ => None,
        };
        match last {
            Some(last) => ty = last,
            None => break,
        }
    }
    ty
}

/// What a pointer to `ty` carries.
pub fn meta<'db>(program: &mut Program<'db>, ty: Ty<'db>) -> Meta {
    match struct_tail(program, ty).kind() {
        TyKind::Slice(_) | TyKind::Str => Meta::Len,
        TyKind::Dynamic(..) => Meta::Vtable,
        _ => Meta::Thin,
    }
}

/// What `#[repr(packed)]` allows the fields of a type to be aligned to at most.
pub fn packing(program: &Program<'_>, ty: Ty<'_>) -> Option<u64> {
    let (adt, _) = ty.as_adt()?;
    AttrFlags::repr(program.db, adt).and_then(|repr| repr.pack).map(|pack| pack.bytes())
}

/// The variant of an ADT by index; structs and unions have one.
pub fn variant_id(program: &Program<'_>, adt: AdtId, variant: u32) -> Option<VariantId> {
    Some(match adt {
        AdtId::StructId(id) => id.into(),
        AdtId::UnionId(id) => id.into(),
        AdtId::EnumId(id) => {
            let variants = id.enum_variants(program.db);
            let (_, &(variant, _)) = variants.variants.iter().nth(variant as usize)?;
            variant.into()
        }
    })
}

/// How many variants an ADT has.
pub fn variant_count(program: &Program<'_>, adt: AdtId) -> u32 {
    match adt {
        AdtId::EnumId(id) => id.enum_variants(program.db).variants.len() as u32,
        _ => 1,
    }
}

/// Types of the fields of a struct, union, tuple, closure or coroutine (its captures), or of an enum's variant.
pub fn fields<'db>(program: &mut Program<'db>, ty: Ty<'db>, variant: u32) -> Vec<Ty<'db>> {
    match ty.kind() {
        TyKind::Adt(def, args) => {
            let Some(variant) = variant_id(program, def.def_id(), variant) else { return Vec::new() };
            let interner = program.interner;
            let generic: Vec<Ty<'db>> = program
                .db
                .field_types(variant)
                .iter()
                .map(|(_, field)| field.ty().instantiate(interner, args).skip_norm_wip())
                .collect();
            generic.into_iter().map(|ty| normalize(program, ty)).collect()
        }
        TyKind::Tuple(tys) => tys.iter().collect(),
        _ => match upvars(ty) {
            Some(tuple) => {
                let tuple = normalize(program, tuple);
                fields(program, tuple, 0)
            }
            None => Vec::new(),
        },
    }
}

/// Type of one field, see [`fields`].
pub fn field_ty<'db>(program: &mut Program<'db>, ty: Ty<'db>, variant: u32, field: u32) -> Option<Ty<'db>> {
    match ty.kind() {
        TyKind::Adt(def, args) => {
            let variant = variant_id(program, def.def_id(), variant)?;
            let types = program.db.field_types(variant);
            let (_, found) = types.iter().nth(field as usize)?;
            let ty = found.ty().instantiate(program.interner, args).skip_norm_wip();
            Some(normalize(program, ty))
        }
        TyKind::Tuple(tys) => tys.iter().nth(field as usize),
        _ => {
            let tuple = normalize(program, upvars(ty)?);
            field_ty(program, tuple, 0, field)
        }
    }
}

/// The tuple of a closure's or coroutine's captures.
pub fn upvars(ty: Ty<'_>) -> Option<Ty<'_>> {
    match ty.kind() {
        TyKind::Closure(_, args) => Some(args.as_closure().tupled_upvars_ty()),
        TyKind::Coroutine(_, args) => Some(args.as_coroutine().tupled_upvars_ty()),
        TyKind::CoroutineClosure(_, args) => Some(args.as_coroutine_closure().tupled_upvars_ty()),
        _ => None,
    }
}

/// Number of elements of an array type.
pub fn array_len<'db>(program: &Program<'db>, len: Const<'db>) -> Option<u64> {
    try_const_usize(program.db, len).map(|len| len as u64)
}

/// Whether dropping a value of this type does anything.
pub fn needs_drop<'db>(program: &mut Program<'db>, ty: Ty<'db>) -> bool {
    if let Some(&known) = program.drops.get(&ty) {
        return known;
    }
    // Nothing is ever made of a type without an end.
    if !infinite_types::has_end(program, ty) {
        return false;
    }
    // Only the root's answer is kept: an answer found below a type that is under way may lack what that type has.
    let answer = drops(program, ty, &mut FxHashSet::default());
    program.drops.insert(ty, answer);
    answer
}

fn drops<'db>(program: &mut Program<'db>, ty: Ty<'db>, visited: &mut FxHashSet<Ty<'db>>) -> bool {
    if let Some(&known) = program.drops.get(&ty) {
        return known;
    }
    match ty.kind() {
        TyKind::Adt(def, _) => {
            if !visited.insert(ty) {
                return false;
            }
            let adt = def.def_id();
            if hir_ty::drop::destructor(program.db, adt).is_some() {
                return true;
            }
            match adt {
                AdtId::UnionId(_) => return false,
                AdtId::StructId(id) => {
                    let skip = StructFlags::IS_MANUALLY_DROP | StructFlags::IS_PHANTOM_DATA;
                    if StructSignature::of(program.db, id).flags.intersects(skip) {
                        return false;
                    }
                }
                AdtId::EnumId(_) => {}
            }
            (0..variant_count(program, adt))
                .any(|variant| fields(program, ty, variant).into_iter().any(|field| drops(program, field, visited)))
        }
        TyKind::Array(elem, len) => array_len(program, len) != Some(0) && drops(program, elem, visited),
        TyKind::Slice(elem) => drops(program, elem, visited),
        TyKind::Tuple(tys) => visited.insert(ty) && tys.iter().any(|ty| drops(program, ty, visited)),
        TyKind::Closure(..) | TyKind::CoroutineClosure(..) => {
            visited.insert(ty) && fields(program, ty, 0).into_iter().any(|field| drops(program, field, visited))
        }
        TyKind::Coroutine(..) | TyKind::Dynamic(..) => true,
        _ => false,
    }
}
