//! Types and items as another crate names them.

use super::{Reason, helpers::Support};
use crate::{
    ir::Const,
    std_models::{
        self,
        harness::{HELPERS, is_borrowing},
        test_source::PRELUDE,
    },
    types::TypeCx,
};
use hir::HasAttrs as _;
use hir_def::{
    AdtId, CallableDefId, FunctionId, GenericDefId, ItemContainerId, Lookup, ModuleDefId, TraitId, VariantId,
    hir::generics::{GenericParams, TypeOrConstParamData, TypeParamProvenance},
    nameres::crate_def_map,
    signatures::{ConstSignature, FunctionSignature},
};
use hir_ty::next_solver::{GenericArg, GenericArgs, Ty, TyKind};
use ra_ap_base_db::Crate;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::{FxHashMap, FxHashSet};
use rustc_type_ir::{GenericArgKind, Mutability, inherent::IntoKind};

/// A type that cannot be named, such as that of a closure.
const UNNAMED: &str = "_";
/// The public paths of items, by the crate in which they are looked for.
pub(super) struct Paths {
    /// The crate whose items are called.
    of: Crate,
    /// The types of helpers that were named.
    pub(super) values: FxHashSet<Support>,
    /// Whether the stub of the library was named.
    pub(super) names_stub: bool,
    of_crates: FxHashMap<Crate, FxHashMap<ModuleDefId, String>>,
}

impl Paths {
    pub(super) fn new(of: Crate) -> Paths {
        Paths { of, values: FxHashSet::default(), names_stub: false, of_crates: FxHashMap::default() }
    }

    /// The shortest public path of an item.
    fn path(&mut self, cx: &TypeCx<'_>, def: ModuleDefId) -> Result<String, Reason> {
        let db = cx.db;
        let own = hir::ModuleDef::from(def).module(db).map(|it| Crate::from(it.krate(db)));
        let own = own.ok_or("it uses an item without a path")?;
        if cx.source.is_example(own) && own != self.of {
            return Err("it uses types of an example or test".to_owned());
        }
        let of_std = cx.source.is_std(own).then(|| std_crate(cx)).flatten();
        for krate in of_std.into_iter().chain([own]) {
            let paths = self.of_crates.entry(krate).or_insert_with(|| public_paths(cx, krate));
            if let Some(path) = paths.get(&def) {
                let is_in_prelude = PRELUDE.contains(&path.as_str());
                return Ok(if is_in_prelude { last_part(path).to_owned() } else { path.clone() });
            }
        }
        let name = hir::ModuleDef::from(def).name(db).map(|it| it.as_str().to_owned()).unwrap_or_default();
        Err(format!("it uses `{name}`, which no public path names"))
    }

    pub(super) fn adt(&mut self, cx: &TypeCx<'_>, adt: AdtId) -> Result<String, Reason> {
        let of_helpers = std_models::adt_path(cx.db, adt).filter(|path| path.starts_with(HELPERS));
        if let Some(value) = of_helpers.and_then(|path| Support::value(last_part(&path))) {
            self.values.insert(value);
            return Ok(format!("{value:?}"));
        }
        if cx.source.has_stub(hir_def::HasModule::module(&adt, cx.db).krate(cx.db)) {
            self.names_stub = true;
            let name = hir::Adt::from(adt).name(cx.db);
            return Ok(name.as_str().to_owned());
        }
        self.path(cx, ModuleDefId::AdtId(adt))
    }

    /// A struct or a variant of an enum.
    pub(super) fn variant(&mut self, cx: &TypeCx<'_>, id: VariantId) -> Result<String, Reason> {
        match id {
            VariantId::StructId(id) => self.adt(cx, id.into()),
            VariantId::UnionId(id) => self.adt(cx, id.into()),
            VariantId::EnumVariantId(id) => {
                let of = id.lookup(cx.db);
                let name = of.parent.enum_variants(cx.db).variants.get_index(of.index(cx.db)).map(|it| it.0.clone());
                let name = name.ok_or("it uses a variant without a name")?;
                let parent = self.adt(cx, of.parent.into())?;
                // `Some` and `None` are in the prelude.
                Ok(if parent == "Option" { name.as_str().to_owned() } else { format!("{parent}::{}", name.as_str()) })
            }
        }
    }

    /// A type. What has no name is inferred.
    pub(super) fn ty<'db>(&mut self, cx: &TypeCx<'db>, ty: Ty<'db>) -> Result<String, Reason> {
        Ok(match ty.kind() {
            // The test has a closure instead.
            TyKind::Adt(..) if is_borrowing(cx.db, ty) => UNNAMED.to_owned(),
            TyKind::Adt(def, args) => {
                let path = self.adt(cx, def.def_id())?;
                let args = self.args(cx, def.def_id().into(), args)?;
                if args.is_empty() { path } else { format!("{path}<{}>", args.join(", ")) }
            }
            TyKind::Ref(_, inner, mutability) => {
                let mutable = if mutability == Mutability::Mut { "mut " } else { "" };
                format!("&{mutable}{}", self.ty(cx, inner)?)
            }
            TyKind::Slice(element) => format!("[{}]", self.ty(cx, element)?),
            TyKind::Array(element, length) => {
                let length = cx.array_len(length).map_or_else(|| UNNAMED.to_owned(), |it| it.to_string());
                format!("[{}; {length}]", self.ty(cx, element)?)
            }
            TyKind::Tuple(parts) => {
                let parts: Result<Vec<_>, Reason> = parts.iter().map(|part| self.ty(cx, part)).collect();
                tuple(&parts?)
            }
            TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Uint(_) | TyKind::Float(_) | TyKind::Str => {
                cx.type_name(ty)
            }
            _ => UNNAMED.to_owned(),
        })
    }

    /// The arguments of a type, without its lifetimes and the last ones that are its defaults.
    fn args<'db>(&mut self, cx: &TypeCx<'db>, of: GenericDefId, args: GenericArgs<'db>) -> Result<Vec<String>, Reason> {
        let defaults = cx.db.generic_defaults(of);
        let is_default = |index: usize, arg: GenericArg<'db>| {
            let default = defaults.get(index).map(|it| it.instantiate(cx.interner, args).skip_norm_wip());
            default == Some(arg)
        };
        let mut left: Vec<_> = args.iter().enumerate().collect();
        while left.last().is_some_and(|(index, arg)| is_default(*index, *arg)) {
            left.pop();
        }
        self.list(cx, left.into_iter().map(|(_, arg)| arg))
    }

    fn list<'db>(
        &mut self,
        cx: &TypeCx<'db>,
        args: impl Iterator<Item = GenericArg<'db>>,
    ) -> Result<Vec<String>, Reason> {
        let named = args.filter_map(|arg| match arg.kind() {
            GenericArgKind::Lifetime(_) => None,
            GenericArgKind::Type(ty) => Some(self.ty(cx, ty)),
            GenericArgKind::Const(value) => Some(match cx.array_len(value) {
                Some(value) => Ok(value.to_string()),
                None => Ok(UNNAMED.to_owned()),
            }),
        });
        named.collect()
    }

    /// A type in an expression: `Type::<u32>`.
    pub(super) fn ty_in_expr<'db>(&mut self, cx: &TypeCx<'db>, ty: Ty<'db>) -> Result<String, Reason> {
        let TyKind::Adt(def, args) = ty.kind() else {
            let text = self.ty(cx, ty)?;
            let is_word = text.chars().all(|it| it.is_ascii_alphanumeric());
            return Ok(if is_word { text } else { format!("<{text}>") });
        };
        let path = self.adt(cx, def.def_id())?;
        let args = self.args(cx, def.def_id().into(), args)?;
        Ok(if args.is_empty() { path } else { format!("{path}::<{}>", args.join(", ")) })
    }

    /// An associated constant.
    pub(super) fn constant(&mut self, cx: &TypeCx<'_>, constant: &Const) -> Result<String, Reason> {
        let Const::Item(id, args, _) = constant else { return Err("it uses an unusual constant".to_owned()) };
        let name = ConstSignature::of(cx.db, *id).name.as_ref().map(|it| it.as_str().to_owned());
        let name = name.ok_or("it uses a constant without a name")?;
        match id.lookup(cx.db).container {
            ItemContainerId::ImplId(of) => {
                let ty = cx.db.impl_self_ty(of).instantiate(cx.interner, args.as_ref()).skip_norm_wip();
                Ok(format!("{}::{name}", self.ty_in_expr(cx, ty)?))
            }
            _ => self.path(cx, ModuleDefId::ConstId(*id)),
        }
    }

    /// A call of a function.
    pub(super) fn call<'db>(
        &mut self,
        cx: &TypeCx<'db>,
        func: FunctionId,
        args: GenericArgs<'db>,
        values: Vec<String>,
    ) -> Result<String, Reason> {
        let db = cx.db;
        let name = FunctionSignature::of(db, func).name.as_str().to_owned();
        let own = self.own_args(cx, func, args)?;
        let has_self = hir::Function::from(func).has_self_param(db);
        let path = match func.lookup(db).container {
            ItemContainerId::ImplId(id) => {
                let ty = db.impl_self_ty(id).instantiate(cx.interner, args).skip_norm_wip();
                match db.impl_trait(id).map(|it| it.skip_binder().def_id.0) {
                    Some(of) if has_self => format!("{}::{name}", self.path(cx, ModuleDefId::TraitId(of))?),
                    Some(of) => self.of_trait(cx, ty, of, &name)?,
                    None => {
                        if has_self && let Some((receiver, rest)) = values.split_first() {
                            return Ok(format!("{}.{name}{own}({})", receiver_of(receiver), rest.join(", ")));
                        }
                        format!("{}::{name}", self.ty_in_expr(cx, ty)?)
                    }
                }
            }
            ItemContainerId::TraitId(of) if has_self => format!("{}::{name}", self.path(cx, ModuleDefId::TraitId(of))?),
            ItemContainerId::TraitId(of) => {
                let ty = args.types().next().ok_or("it calls a function of an unknown type")?;
                self.of_trait(cx, ty, of, &name)?
            }
            ItemContainerId::ModuleId(_) => self.path(cx, ModuleDefId::FunctionId(func))?,
            ItemContainerId::ExternBlockId(_) => return Err("it calls a foreign function".to_owned()),
        };
        Ok(format!("{path}{own}({})", values.join(", ")))
    }

    /// A function of a trait that has no receiver.
    fn of_trait<'db>(&mut self, cx: &TypeCx<'db>, ty: Ty<'db>, of: TraitId, name: &str) -> Result<String, Reason> {
        match self.path(cx, ModuleDefId::TraitId(of))? {
            of if of == "Default" || of == "From" => Ok(format!("{}::{name}", self.ty_in_expr(cx, ty)?)),
            of => Ok(format!("<{} as {of}>::{name}", self.ty(cx, ty)?)),
        }
    }

    /// The function's own arguments, as `::<u32>`; nothing if it has none or if they cannot be written.
    fn own_args<'db>(&mut self, cx: &TypeCx<'db>, func: FunctionId, args: GenericArgs<'db>) -> Result<String, Reason> {
        let params = GenericParams::of(cx.db, func.into());
        let count = params.len_type_or_consts();
        let is_implicit = |data: &TypeOrConstParamData| {
            data.type_param().is_some_and(|it| it.provenance != TypeParamProvenance::TypeParamList)
        };
        if count == 0 || params.iter_type_or_consts().any(|(_, data)| is_implicit(data)) {
            return Ok(String::new());
        }
        let is_named = |arg: &GenericArg<'db>| !matches!(arg.kind(), GenericArgKind::Lifetime(_));
        let all: Vec<GenericArg<'db>> = args.iter().filter(is_named).collect();
        let own = all.len().saturating_sub(count);
        let own = self.list(cx, all.into_iter().skip(own))?;
        Ok(if own.iter().all(|it| it == UNNAMED) { String::new() } else { format!("::<{}>", own.join(", ")) })
    }
}

/// The function of a function item's type, with its arguments.
pub(super) fn function_of<'db>(ty: Ty<'db>) -> Result<(FunctionId, GenericArgs<'db>), Reason> {
    match ty.kind() {
        TyKind::FnDef(def, args) => match def.0 {
            CallableDefId::FunctionId(func) => Ok((func, args)),
            _ => Err("it calls a constructor as a function".to_owned()),
        },
        _ => Err("it calls a value".to_owned()),
    }
}

/// The name of a type without its path and arguments.
pub(super) fn last_part(path: &str) -> &str {
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}

/// Parts as a tuple.
pub(super) fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => format!("({one},)"),
        several => format!("({})", several.join(", ")),
    }
}

/// A value before a `.`, which borrows it where needed.
fn receiver_of(value: &str) -> String {
    let bare = value.strip_prefix("&mut ").or_else(|| value.strip_prefix('&')).unwrap_or(value);
    let bare = bare.strip_prefix('*').unwrap_or(bare);
    if bare.starts_with(['&', '*', '|']) { format!("({bare})") } else { bare.to_owned() }
}

fn std_crate(cx: &TypeCx<'_>) -> Option<Crate> {
    let is_it = |krate: &Crate| {
        let name = krate.extra_data(cx.db).display_name.as_ref().map(ToString::to_string);
        cx.source.is_std(*krate) && name.as_deref() == Some("std")
    };
    cx.krate.transitive_deps(cx.db).into_iter().find(is_it)
}

/// The shortest public path of each item that a crate's modules name.
fn public_paths(cx: &TypeCx<'_>, krate: Crate) -> FxHashMap<ModuleDefId, String> {
    let db = cx.db;
    let name = krate.extra_data(db).display_name.as_ref().map(|name| name.crate_name().to_string().replace('-', "_"));
    let mut found = FxHashMap::default();
    let mut modules = vec![(crate_def_map(db, krate).root_module_id(), name.unwrap_or_default())];
    let mut next = 0;
    while let Some((module, path)) = modules.get(next).cloned() {
        next += 1;
        let scope = &module.def_map(db)[module].scope;
        let types = scope.types().map(|(name, item)| (name, item.def, item.vis));
        let values = scope.values().map(|(name, item)| (name, item.def, item.vis));
        let mut items: Vec<_> = types.chain(values).filter(|(_, _, vis)| vis.is_public()).collect();
        items.sort_by(|one, other| one.0.as_str().cmp(other.0.as_str()));
        for (name, def, _) in items {
            let path = format!("{path}::{}", name.as_str());
            if let ModuleDefId::ModuleId(id) = def
                && modules.iter().all(|(known, _)| *known != id)
                && !hir::Module::from(id).attrs(db).is_doc_hidden()
            {
                modules.push((id, path.clone()));
            }
            found.entry(def).or_insert(path);
        }
    }
    found
}
