//! Constants as operands.

use super::{GlobalKey, codegen::Fx};
use crate::{ir::Const, std_models, types::Unsupported, workarounds::specialised_functions};
use hir_def::{ConstId, ItemContainerId, Lookup, signatures::ConstSignature};
use hir_ty::next_solver::{self, ConstKind, GenericArgs, Region, StoredConst, Ty};
use interp::{
    host::{Host, LocationLayout},
    ir::{Instr, Slot},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    FloatTy, TypeVisitableExt,
    inherent::{IntoKind, ValueConst as _},
};

/// A constant's value in a slot, and its type.
pub fn constant<'db>(fx: &mut Fx<'_, '_, 'db>, konst: &Const) -> Result<(Slot, Ty<'db>), Unsupported> {
    let types = &fx.cx.interner().default_types().types;
    match konst {
        Const::Int(value, ty) => {
            let ty = fx.cx.subst(ty);
            let (size, align) = fx.cx.size_align(ty)?;
            if size > 16 {
                return Err(Unsupported::from(format!("integer constant of type `{}`", fx.cx.type_name(ty))));
            }
            let slot = fx.b.temp(size, align);
            fx.b.constant(slot, size, *value);
            Ok((slot, ty))
        }
        Const::Float(text, ty) => {
            let ty = fx.cx.subst(ty);
            let text: String = text.chars().filter(|&c| c != '_').collect();
            let bits = match ty.kind() {
                next_solver::TyKind::Float(FloatTy::F32) => {
                    text.parse::<f32>().map_err(|_| Unsupported::from("float literal"))?.to_bits().into()
                }
                next_solver::TyKind::Float(FloatTy::F64) => {
                    text.parse::<f64>().map_err(|_| Unsupported::from("float literal"))?.to_bits()
                }
                _ => return Err(Unsupported::from(format!("literal of type `{}`", fx.cx.type_name(ty)))),
            };
            let (size, align) = fx.cx.size_align(ty)?;
            let slot = fx.b.temp(size, align);
            fx.b.constant(slot, size, bits.into());
            Ok((slot, ty))
        }
        Const::Str(text) => {
            let ty = types.static_str_ref;
            Ok((literal(fx, text.as_bytes(), true), fx.cx.normalize(ty)))
        }
        Const::Bytes(bytes) => {
            let interner = fx.cx.interner();
            let array = Ty::new_array(interner, types.u8, bytes.len() as u64);
            let ty = Ty::new_imm_ref(interner, Region::new_erased(interner), array);
            Ok((literal(fx, bytes, false), ty))
        }
        Const::CStr(bytes) => {
            let interner = fx.cx.interner();
            let cstr = interner.lang_items().CStr.ok_or("`CStr` is missing")?;
            let cstr = Ty::new_adt(interner, cstr.into(), GenericArgs::empty(interner));
            let ty = Ty::new_imm_ref(interner, Region::new_erased(interner), cstr);
            let bytes: Vec<u8> = bytes.iter().copied().chain([0]).collect();
            Ok((literal(fx, &bytes, true), ty))
        }
        Const::Zst(ty) | Const::Ctor(ty) => {
            let ty = fx.cx.subst(ty);
            let (size, align) = fx.cx.size_align(ty)?;
            Ok((fx.b.temp(size, align), ty))
        }
        Const::Item(id, args, ty) => {
            let ty = fx.cx.subst(ty);
            let own = fx.cx.args;
            let args = fx.cx.program.types.subst_args(args.as_ref(), own);
            item(fx, *id, args, ty)
        }
        Const::Param(konst, ty) => {
            let ty = fx.cx.subst(ty);
            param(fx, konst, ty)
        }
        Const::Line => Ok((location_part(fx, |it| it.line, 4), types.u32)),
        Const::Column => Ok((location_part(fx, |it| it.column, 4), types.u32)),
        Const::File => Ok((location_part(fx, |it| it.file, 16), types.static_str_ref)),
    }
}

/// A part of the `Location` of the current statement. The machine queries it at run time, so code does not depend on
/// its position in the file.
fn location_part(fx: &mut Fx<'_, '_, '_>, part: impl FnOnce(&LocationLayout) -> u32, size: u32) -> Slot {
    let offset = part(&fx.cx.program.location_layout());
    let (place, slot) = (fx.b.temp64(), fx.b.temp(size, size.min(8)));
    fx.b.push(Instr::Here { dst: place });
    fx.b.load(slot, place, offset, size);
    slot
}

/// Address of a literal, and its length if the pointer is wide.
fn literal(fx: &mut Fx<'_, '_, '_>, bytes: &[u8], wide: bool) -> Slot {
    let data = fx.cx.data(bytes);
    let slot = fx.b.temp(if wide { 16 } else { 8 }, 8);
    fx.b.push(Instr::DataAddr { dst: slot, data });
    if wide {
        fx.b.constant(slot + 8, 8, bytes.len() as u128);
    }
    slot
}

/// Value of a const item.
fn item<'db>(
    fx: &mut Fx<'_, '_, 'db>,
    id: ConstId,
    args: GenericArgs<'db>,
    ty: Ty<'db>,
) -> Result<(Slot, Ty<'db>), Unsupported> {
    let (size, align) = fx.cx.size_align(ty)?;
    let (id, args) = resolve(fx, id, args);
    let slot = fx.b.temp(size, align);
    if size == 0 {
        return Ok((slot, ty));
    }
    if std_models::platform::constant_differs(fx.cx.db(), fx.cx.program.types.krate, id) {
        let name = ConstSignature::of(fx.cx.db(), id).name.as_ref().map_or("_", |it| it.as_str()).to_owned();
        return Err(Unsupported::from(format!("`{name}`, which depends on the platform")));
    }
    let global = fx.cx.program.global_id(GlobalKey::Const(id, args.store()));
    let ptr = fx.b.temp64();
    fx.b.push(Instr::GlobalAddr { dst: ptr, global });
    fx.b.load(slot, ptr, 0, size);
    Ok((slot, ty))
}

/// Resolves an associated const to the item of the impl that applies.
fn resolve<'db>(fx: &mut Fx<'_, '_, 'db>, id: ConstId, args: GenericArgs<'db>) -> (ConstId, GenericArgs<'db>) {
    let ItemContainerId::TraitId(trait_) = id.lookup(fx.cx.db()).container else { return (id, args) };
    let infcx = fx.cx.program.types.infcx();
    let env = fx.cx.env().param_env;
    let (mut found, mut args) = hir_ty::method_resolution::lookup_impl_const(&infcx, env, id, args);
    if found == id
        && let Some(of_impl) = specialised_functions::inherited_const(&fx.cx.program.types, trait_, id, args)
    {
        (found, args) = of_impl;
    }
    (found, fx.cx.program.types.normalize_any(args))
}

/// Value of a const generic argument.
fn param<'db>(fx: &mut Fx<'_, '_, 'db>, konst: &StoredConst, ty: Ty<'db>) -> Result<(Slot, Ty<'db>), Unsupported> {
    let konst: next_solver::Const<'db> = konst.as_ref();
    let konst = if konst.has_param() {
        next_solver::EarlyBinder::bind(konst).instantiate(fx.cx.interner(), fx.cx.args).skip_norm_wip()
    } else {
        konst
    };
    let konst = fx.cx.program.types.normalize_any(konst);
    let (size, align) = fx.cx.size_align(ty)?;
    let slot = fx.b.temp(size, align);
    let value = match konst.kind() {
        ConstKind::Value(value) => {
            let leaf = value.valtree();
            match leaf.inner() {
                next_solver::ValTreeKind::Leaf(leaf) => Some(leaf.to_bits(leaf.size())),
                next_solver::ValTreeKind::Branch(_) => None,
            }
        }
        _ => hir_ty::consteval::try_const_usize(fx.cx.db(), konst),
    };
    match value {
        Some(value) if size <= 16 => {
            fx.b.constant(slot, size, value);
            Ok((slot, ty))
        }
        _ => Err("unknown const parameter".into()),
    }
}
