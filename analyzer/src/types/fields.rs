//! Components of types: fields, variants, pointer metadata, scalars.

use super::TypeCx;
use hir_def::{AdtId, VariantId, attrs::AttrFlags};
use hir_ty::{
    consteval::try_const_usize,
    next_solver::{Const, Ty, TyKind},
};
use interp::ir::Scalar;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    FloatTy, IntTy, UintTy,
    inherent::{GenericArgs as _, IntoKind},
};

/// Kind of pointer metadata.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meta {
    /// None: the type is sized or extern.
    Thin,
    /// Number of elements of the slice tail, or bytes of the `str` tail.
    Len,
    /// Vtable of the `dyn` tail.
    Vtable,
}

impl<'db> TypeCx<'db> {
    /// Scalar kind of integers, floats, `bool`, `char` and thin pointers.
    pub fn scalar_of(&mut self, ty: Ty<'db>) -> Option<Scalar> {
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
                if self.meta(inner) != Meta::Thin {
                    return None;
                }
                Scalar::U64
            }
            TyKind::Pat(inner, _) => return self.scalar_of(inner),
            _ => return None,
        })
    }

    /// The type's unsized tail; for a sized type, the last type reached.
    pub fn struct_tail(&mut self, mut ty: Ty<'db>) -> Ty<'db> {
        // In well-formed programs a pointer breaks every cycle of recursive types. The bound handles ill-formed ones.
        for _ in 0..64 {
            let last = match ty.kind() {
                TyKind::Adt(def, _) if def.is_struct() => {
                    let count = self.fields(ty, 0).len();
                    count.checked_sub(1).and_then(|last| self.field_ty(ty, 0, last as u32))
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

    /// Kind of pointer metadata of `ty`.
    pub fn meta(&mut self, ty: Ty<'db>) -> Meta {
        match self.struct_tail(ty).kind() {
            TyKind::Slice(_) | TyKind::Str => Meta::Len,
            TyKind::Dynamic(..) => Meta::Vtable,
            _ => Meta::Thin,
        }
    }

    /// The maximum alignment of fields set by `#[repr(packed)]`.
    pub fn packing(&self, ty: Ty<'_>) -> Option<u64> {
        let (adt, _) = ty.as_adt()?;
        AttrFlags::repr(self.db, adt).and_then(|repr| repr.pack).map(|pack| pack.bytes())
    }

    /// The variant of an ADT by index; structs and unions have one.
    pub fn variant_id(&self, adt: AdtId, variant: u32) -> Option<VariantId> {
        Some(match adt {
            AdtId::StructId(id) => id.into(),
            AdtId::UnionId(id) => id.into(),
            AdtId::EnumId(id) => {
                let variants = id.enum_variants(self.db);
                let (_, &(variant, _)) = variants.variants.iter().nth(variant as usize)?;
                variant.into()
            }
        })
    }

    /// Number of variants of an ADT.
    pub fn variant_count(&self, adt: AdtId) -> u32 {
        match adt {
            AdtId::EnumId(id) => id.enum_variants(self.db).variants.len() as u32,
            _ => 1,
        }
    }

    /// Field types of a struct, union, tuple or enum variant; capture types of a closure or coroutine.
    pub fn fields(&mut self, ty: Ty<'db>, variant: u32) -> Vec<Ty<'db>> {
        match ty.kind() {
            TyKind::Adt(def, args) => {
                let Some(variant) = self.variant_id(def.def_id(), variant) else { return Vec::new() };
                let interner = self.interner;
                let generic: Vec<Ty<'db>> = self
                    .db
                    .field_types(variant)
                    .iter()
                    .map(|(_, field)| field.ty().instantiate(interner, args).skip_norm_wip())
                    .collect();
                generic.into_iter().map(|ty| self.normalize(ty)).collect()
            }
            TyKind::Tuple(tys) => tys.iter().collect(),
            _ => match upvars(ty) {
                Some(tuple) => {
                    let tuple = self.normalize(tuple);
                    self.fields(tuple, 0)
                }
                None => Vec::new(),
            },
        }
    }

    /// Type of one field, see [`Self::fields`].
    pub fn field_ty(&mut self, ty: Ty<'db>, variant: u32, field: u32) -> Option<Ty<'db>> {
        match ty.kind() {
            TyKind::Adt(def, args) => {
                let variant = self.variant_id(def.def_id(), variant)?;
                let types = self.db.field_types(variant);
                let (_, found) = types.iter().nth(field as usize)?;
                let ty = found.ty().instantiate(self.interner, args).skip_norm_wip();
                Some(self.normalize(ty))
            }
            TyKind::Tuple(tys) => tys.iter().nth(field as usize),
            _ => {
                let tuple = self.normalize(upvars(ty)?);
                self.field_ty(tuple, 0, field)
            }
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

impl<'db> TypeCx<'db> {
    /// Number of elements of an array type.
    pub fn array_len(&self, len: Const<'db>) -> Option<u64> {
        try_const_usize(self.db, len).map(|len| len as u64)
    }
}

/// Pointee of a reference, raw pointer or `Box` type.
pub fn pointee(ty: Ty<'_>) -> Option<Ty<'_>> {
    match ty.kind() {
        TyKind::Ref(_, inner, _) | TyKind::RawPtr(inner, _) => Some(inner),
        _ => ty.boxed_ty(),
    }
}
