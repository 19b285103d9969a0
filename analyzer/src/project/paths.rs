//! Names of functions as text, and back: the table from paths to models depends on both directions.
//!
//! | function | path |
//! |---|---|
//! | free | `core::mem::swap` |
//! | inherent, of a struct, enum or union | `alloc::vec::Vec::push` (the module is the type's) |
//! | inherent, of another type | `<[T]>::len`, `<u32>::pow`, `<*const T>::add`, `<str>::trim` |
//! | of a trait, with or without default body | `core::iter::traits::iterator::Iterator::map` |
//! | of a trait's impl | `<alloc::vec::Vec as core::ops::drop::Drop>::drop`, `<T as core::any::Any>::type_id` |
//!
//! Generic arguments are left out, so several functions may share a path (`Option::<&T>::copied` and `Option::<&mut
//! T>::copied`); a lookup returns the first.

use crate::database::Database;
use either::Either;
use hir::db::HirDatabase;
use hir::{Adt, AssocItem, Crate, Function, Impl, Module, ModuleDef, Name, Symbol, Trait};
use hir_def::nameres::assoc::ImplItems;
use hir_def::signatures::ImplSignature;
use hir_def::{
    AdtId, AssocItemId, FunctionId, ImplId, ItemContainerId, Lookup, ModuleDefId, ModuleId, TraitId,
    nameres::crate_def_map,
};
use hir_ty::method_resolution::{InherentImpls, TraitImpls};
use hir_ty::next_solver::{DbInterner, SimplifiedType, SolverDefId};
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::fast_reject::{TreatParams, simplify_type};
use rustc_type_ir::{FloatTy, IntTy, Mutability, UintTy};
use std::collections::BTreeSet;

/// The path of a function; all its instances share it.
pub fn canonical_path(db: &dyn HirDatabase, function: FunctionId) -> String {
    let name = Function::from(function).name(db);
    let name = name.as_str();
    match function.lookup(db).container {
        ItemContainerId::ModuleId(module) => format!("{}::{name}", module_path(db, module)),
        ItemContainerId::ExternBlockId(_) => {
            let module = Function::from(function).module(db);
            format!("{}::{name}", module_path(db, module.into()))
        }
        ItemContainerId::TraitId(id) => format!("{}::{name}", trait_path(db, id)),
        ItemContainerId::ImplId(id) => {
            let self_type = simplified_self(db, id);
            let self_name = self_type.map_or_else(|| "T".to_owned(), |ty| type_path(db, ty));
            if ImplSignature::of(db, id).target_trait.is_some() {
                let trait_ = db.impl_trait(id).map(|it| it.instantiate_identity().skip_norm_wip().def_id.0);
                let trait_ = trait_.map_or_else(|| "?".to_owned(), |id| trait_path(db, id));
                format!("<{self_name} as {trait_}>::{name}")
            } else if let Some(SimplifiedType::Adt(_)) = self_type {
                format!("{self_name}::{name}")
            } else {
                format!("<{self_name}>::{name}")
            }
        }
    }
}

/// The function at a path of the form above. Private modules and re-exports are followed; impls are looked for in all
/// of std.
pub fn find_std_item(db: &Database, path: &str) -> Option<FunctionId> {
    let Some(rest) = path.strip_prefix('<') else {
        return find_plain(db, path);
    };
    let (subject, name) = rest.rsplit_once(">::")?;
    let Some((self_name, trait_name)) = subject.split_once(" as ") else {
        return find_inherent(db, self_type(db, subject)?, name);
    };
    let trait_ = match resolve(db, trait_name)? {
        ModuleDefId::TraitId(id) => id,
        _ => return None,
    };
    if self_name == "T" {
        return find_blanket(db, trait_, name);
    }
    let self_type = self_type(db, self_name)?;
    let impls = std_crates(db).flat_map(|krate| {
        TraitImpls::for_crate(db, krate.into()).for_trait_and_self_ty(trait_, &self_type).0.iter().copied()
    });
    impls.into_iter().find_map(|id| function_in_impl(db, id, name))
}

fn find_plain(db: &Database, path: &str) -> Option<FunctionId> {
    if let Some(ModuleDefId::FunctionId(function)) = resolve(db, path) {
        return Some(function);
    }
    let (owner, name) = path.rsplit_once("::")?;
    match resolve(db, owner)? {
        ModuleDefId::AdtId(adt) => find_inherent(db, SimplifiedType::Adt(SolverDefId::AdtId(adt)), name),
        ModuleDefId::TraitId(id) => function_in(&id.trait_items(db).items, name),
        _ => None,
    }
}

fn find_inherent<'db>(db: &'db Database, self_type: SimplifiedType<'db>, name: &str) -> Option<FunctionId> {
    std_crates(db)
        .flat_map(|krate| InherentImpls::for_crate(db, krate.into()).for_self_ty(&self_type).iter().copied())
        .find_map(|id| function_in_impl(db, id, name))
}

fn find_blanket(db: &Database, trait_: TraitId, name: &str) -> Option<FunctionId> {
    let mut found = None;
    for krate in std_crates(db) {
        // Blanket impls come first.
        let mut is_first = true;
        TraitImpls::for_crate(db, krate.into()).for_trait(trait_, |impls| {
            if let Either::Left(impls) = impls
                && std::mem::take(&mut is_first)
            {
                found = found.or_else(|| impls.iter().find_map(|id| function_in_impl(db, *id, name)));
            }
        });
    }
    found
}

fn function_in_impl(db: &Database, id: ImplId, name: &str) -> Option<FunctionId> {
    function_in(&ImplItems::of(db, id).0.items, name)
}

fn function_in(items: &[(Name, AssocItemId)], name: &str) -> Option<FunctionId> {
    items.iter().find_map(|(item, id)| match id {
        AssocItemId::FunctionId(function) if item.as_str() == name => Some(*function),
        _ => None,
    })
}

fn std_crates(db: &Database) -> impl Iterator<Item = Crate> + '_ {
    Crate::all(db).into_iter().filter(|krate| krate.origin(db).is_lang())
}

/// The item of a path from a crate of std, through private modules and imports.
fn resolve(db: &Database, path: &str) -> Option<ModuleDefId> {
    let (krate, rest) = path.split_once("::")?;
    let krate = std_crates(db).find(|it| has_name(db, *it, krate))?;
    resolve_in(db, krate, rest)
}

fn has_name(db: &Database, krate: Crate, name: &str) -> bool {
    krate.display_name(db).is_some_and(|it| it.crate_name().symbol().as_str() == name)
}

/// The canonical paths of the types that a path names: a program and a library may have one name.
pub(super) fn types_named(db: &Database, path: &str) -> Vec<String> {
    adts_named(db, path).into_iter().map(|id| adt_path(db, id)).collect()
}

fn adts_named(db: &Database, path: &str) -> Vec<AdtId> {
    let Some((krate, rest)) = path.split_once("::") else { return Vec::new() };
    let crates = Crate::all(db).into_iter().filter(|it| has_name(db, *it, krate));
    let types = crates.filter_map(|krate| match resolve_in(db, krate, rest)? {
        ModuleDefId::AdtId(id) => Some(id),
        _ => None,
    });
    types.collect()
}

/// The methods of the types that a path names, those of traits included; `None` if there is no such type.
pub(super) fn methods_of(db: &Database, path: &str) -> Option<BTreeSet<String>> {
    let types = adts_named(db, path);
    let impls = types.iter().flat_map(|id| Impl::all_for_type(db, Adt::from(*id).ty(db)));
    let methods = impls.flat_map(|it| it.items(db)).filter_map(|item| match item {
        AssocItem::Function(function) => Some(function.name(db).as_str().to_owned()),
        _ => None,
    });
    (!types.is_empty()).then(|| methods.collect())
}

/// The functions that `extern` blocks outside of std declare.
pub(super) fn foreign_functions(db: &Database) -> BTreeSet<String> {
    let crates = Crate::all(db).into_iter().filter(|krate| !krate.origin(db).is_lang());
    let defs = crates.flat_map(|krate| krate.modules(db)).flat_map(|module| module.declarations(db));
    let functions = defs.filter_map(|def| match def {
        ModuleDef::Function(function) => Some(function),
        _ => None,
    });
    let is_foreign = |function: &Function| {
        let id = FunctionId::try_from(*function);
        id.is_ok_and(|id| matches!(id.lookup(db).container, ItemContainerId::ExternBlockId(_)))
    };
    functions.filter(is_foreign).map(|function| function.name(db).as_str().to_owned()).collect()
}

fn resolve_in(db: &Database, krate: Crate, rest: &str) -> Option<ModuleDefId> {
    let mut module: ModuleId = krate.root_module(db).into();
    let mut segments = rest.split("::").peekable();
    while let Some(segment) = segments.next() {
        let name = Name::new_symbol_root(Symbol::intern(segment));
        let found = crate_def_map(db, module.krate(db))[module].scope.get(&name);
        if segments.peek().is_none() {
            // A tuple struct is both.
            let ty = found.take_types();
            return match ty {
                Some(ModuleDefId::AdtId(_)) => ty,
                _ => found.take_values().or(ty),
            };
        }
        match found.take_types()? {
            ModuleDefId::ModuleId(id) => module = id,
            _ => return None,
        }
    }
    None
}

fn module_path(db: &dyn HirDatabase, module: ModuleId) -> String {
    let module = Module::from(module);
    let krate = module.krate(db).display_name(db);
    let mut path = krate.map_or_else(|| "crate".to_owned(), |name| name.crate_name().symbol().as_str().to_owned());
    for module in module.path_to_root(db).into_iter().rev() {
        // The root and the scope of a body have no name.
        if let Some(name) = module.name(db) {
            path.push_str("::");
            path.push_str(name.as_str());
        }
    }
    path
}

fn trait_path(db: &dyn HirDatabase, id: TraitId) -> String {
    let it = Trait::from(id);
    format!("{}::{}", module_path(db, it.module(db).into()), it.name(db).as_str())
}

fn adt_path(db: &dyn HirDatabase, id: AdtId) -> String {
    let it = Adt::from(id);
    format!("{}::{}", module_path(db, it.module(db).into()), it.name(db).as_str())
}

fn simplified_self<'db>(db: &'db dyn HirDatabase, id: ImplId) -> Option<SimplifiedType<'db>> {
    let ty = db.impl_self_ty(id).instantiate_identity().skip_norm_wip();
    simplify_type(DbInterner::new_no_crate(db), ty, TreatParams::InstantiateWithInfer)
}

const PRIMITIVES: &[(&str, SimplifiedType<'static>)] = &[
    ("bool", SimplifiedType::Bool),
    ("char", SimplifiedType::Char),
    ("str", SimplifiedType::Str),
    ("i8", SimplifiedType::Int(IntTy::I8)),
    ("i16", SimplifiedType::Int(IntTy::I16)),
    ("i32", SimplifiedType::Int(IntTy::I32)),
    ("i64", SimplifiedType::Int(IntTy::I64)),
    ("i128", SimplifiedType::Int(IntTy::I128)),
    ("isize", SimplifiedType::Int(IntTy::Isize)),
    ("u8", SimplifiedType::Uint(UintTy::U8)),
    ("u16", SimplifiedType::Uint(UintTy::U16)),
    ("u32", SimplifiedType::Uint(UintTy::U32)),
    ("u64", SimplifiedType::Uint(UintTy::U64)),
    ("u128", SimplifiedType::Uint(UintTy::U128)),
    ("usize", SimplifiedType::Uint(UintTy::Usize)),
    ("f16", SimplifiedType::Float(FloatTy::F16)),
    ("f32", SimplifiedType::Float(FloatTy::F32)),
    ("f64", SimplifiedType::Float(FloatTy::F64)),
    ("f128", SimplifiedType::Float(FloatTy::F128)),
    ("!", SimplifiedType::Never),
    ("()", SimplifiedType::Tuple(0)),
    ("[T]", SimplifiedType::Slice),
    ("[T; N]", SimplifiedType::Array),
    ("&T", SimplifiedType::Ref(Mutability::Not)),
    ("&mut T", SimplifiedType::Ref(Mutability::Mut)),
    ("*const T", SimplifiedType::Ptr(Mutability::Not)),
    ("*mut T", SimplifiedType::Ptr(Mutability::Mut)),
    ("dyn Auto", SimplifiedType::MarkerTraitObject),
];

fn type_path(db: &dyn HirDatabase, ty: SimplifiedType<'_>) -> String {
    match ty {
        SimplifiedType::Adt(SolverDefId::AdtId(id)) => adt_path(db, id),
        SimplifiedType::Trait(SolverDefId::TraitId(id)) => format!("dyn {}", trait_path(db, id)),
        SimplifiedType::Tuple(arity) if arity > 0 => format!("({arity})"),
        SimplifiedType::Function(arity) => format!("fn({arity})"),
        ty => match PRIMITIVES.iter().find(|(_, primitive)| *primitive == ty) {
            Some((name, _)) => (*name).to_owned(),
            None => "?".to_owned(),
        },
    }
}

fn self_type<'db>(db: &'db Database, name: &str) -> Option<SimplifiedType<'db>> {
    if let Some((_, ty)) = PRIMITIVES.iter().find(|(primitive, _)| *primitive == name) {
        return Some(*ty);
    }
    if let Some(arity) = name.strip_prefix("fn(").and_then(|rest| rest.strip_suffix(')')) {
        return arity.parse().ok().map(SimplifiedType::Function);
    }
    if let Some(arity) = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return arity.parse().ok().map(SimplifiedType::Tuple);
    }
    let (is_dyn, name) = name.strip_prefix("dyn ").map_or((false, name), |name| (true, name));
    match resolve(db, name)? {
        ModuleDefId::AdtId(id) if !is_dyn => Some(SimplifiedType::Adt(SolverDefId::AdtId(id))),
        ModuleDefId::TraitId(id) if is_dyn => Some(SimplifiedType::Trait(SolverDefId::TraitId(id))),
        _ => None,
    }
}
