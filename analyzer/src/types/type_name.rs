//! Type names as `core::any::type_name` returns them: full paths in rustc's format. A type whose exact name is
//! uncertain has none.

use super::TypeCx;
use hir_def::{
    AdtId, CallableDefId, ConstId, DefWithBodyId, FunctionId, GenericDefId, HasModule, ItemContainerId, Lookup,
    ModuleId, StaticId, TraitId,
    expr_store::Body,
    hir::ExprId,
    layout::ExternAbi,
    signatures::{
        ConstSignature, EnumSignature, FnFlags, FunctionSignature, StaticSignature, StructSignature, TraitSignature,
        UnionSignature,
    },
    src::HasSource,
};
use hir_expand::{InFile, name::Name};
use hir_ty::next_solver::{
    Const, ConstKind, ExistentialPredicate, GenericArg, GenericArgs, Mutability, Region, SolverDefId, Ty, TyKind,
    ValTreeKind,
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{
    AstNode, SyntaxNode,
    ast::{self, HasName},
};
use rustc_type_ir::{
    GenericArgKind, RegionKind,
    inherent::{GenericArg as _, GenericArgs as _, IntoKind, Safety as _, Term as _, ValueConst as _},
};

/// The full name of a type.
pub fn full<'db>(cx: &TypeCx<'db>, ty: Ty<'db>) -> Option<String> {
    Printer { cx }.ty(ty)
}

struct Printer<'a, 'db> {
    cx: &'a TypeCx<'db>,
}

impl<'db> Printer<'_, 'db> {
    fn ty(&self, ty: Ty<'db>) -> Option<String> {
        Some(match ty.kind() {
            TyKind::Bool
            | TyKind::Char
            | TyKind::Int(_)
            | TyKind::Uint(_)
            | TyKind::Float(_)
            | TyKind::Str
            | TyKind::Never => self.cx.type_name(ty),
            TyKind::Adt(def, args) => {
                let path = self.adt(def.def_id())?;
                format!("{path}{}", self.list(self.without_defaults(def.def_id().into(), args))?)
            }
            TyKind::Ref(region, inner, mutability) => {
                let lifetime = if is_bound(region) { "'_ " } else { "" };
                let mutable = if mutability == Mutability::Mut { "mut " } else { "" };
                format!("&{lifetime}{mutable}{}", self.ty(inner)?)
            }
            TyKind::RawPtr(inner, Mutability::Not) => format!("*const {}", self.ty(inner)?),
            TyKind::RawPtr(inner, Mutability::Mut) => format!("*mut {}", self.ty(inner)?),
            TyKind::Slice(elem) => format!("[{}]", self.ty(elem)?),
            TyKind::Array(elem, len) => format!("[{}; {}]", self.ty(elem)?, self.cx.array_len(len)?),
            TyKind::Tuple(tys) if tys.len() == 1 => format!("({},)", self.tys(tys.iter())?),
            TyKind::Tuple(tys) => format!("({})", self.tys(tys.iter())?),
            TyKind::FnPtr(sig, header) => {
                // The names of other ABIs are not needed.
                if !matches!(header.abi(), ExternAbi::Rust) || header.c_variadic() {
                    return None;
                }
                let safety = if header.safety().is_safe() { "" } else { "unsafe " };
                let sig = sig.skip_binder();
                format!("{safety}fn({}){}", self.tys(sig.inputs().iter().copied())?, self.output(sig.output())?)
            }
            TyKind::FnDef(def, args) => match def.0 {
                CallableDefId::FunctionId(func) => self.function(func, args)?,
                CallableDefId::StructId(id) => {
                    let list = self.list(self.without_defaults(AdtId::from(id).into(), args))?;
                    format!("{}{list}::{{{{constructor}}}}", self.adt(id.into())?)
                }
                CallableDefId::EnumVariantId(id) => {
                    let of = id.lookup(self.cx.db).parent;
                    let name = id.lookup(self.cx.db);
                    let name = of.enum_variants(self.cx.db).variants.get_index(name.index(self.cx.db))?.0;
                    let list = self.list(self.without_defaults(AdtId::from(of).into(), args))?;
                    format!("{}{list}::{}::{{{{constructor}}}}", self.adt(of.into())?, name.as_str())
                }
            },
            TyKind::Dynamic(bounds, _) => self.object(bounds.iter().map(|it| it.skip_binder()))?,
            TyKind::Closure(id, args) => self.closure(id.0.loc(self.cx.db), args.as_closure().parent_args())?,
            TyKind::Coroutine(id, args) => self.closure(id.0.loc(self.cx.db), args.as_coroutine().parent_args())?,
            TyKind::CoroutineClosure(id, args) => {
                self.closure(id.0.loc(self.cx.db), args.as_coroutine_closure().parent_args())?
            }
            _ => return None,
        })
    }

    fn tys(&self, tys: impl Iterator<Item = Ty<'db>>) -> Option<String> {
        Some(tys.map(|ty| self.ty(ty)).collect::<Option<Vec<_>>>()?.join(", "))
    }

    /// ` -> T` unless it is `()`.
    fn output(&self, ty: Ty<'db>) -> Option<String> {
        if matches!(ty.kind(), TyKind::Tuple(tys) if tys.is_empty()) {
            return Some(String::new());
        }
        Some(format!(" -> {}", self.ty(ty)?))
    }

    fn args(&self, args: impl Iterator<Item = GenericArg<'db>>) -> Option<Vec<String>> {
        args.map(|arg| match arg.kind() {
            GenericArgKind::Lifetime(_) => Some("'_".to_owned()),
            GenericArgKind::Type(ty) => self.ty(ty),
            GenericArgKind::Const(konst) => self.konst(konst),
        })
        .collect()
    }

    /// The arguments of an item without trailing defaults, as rustc prints them.
    fn without_defaults(&self, of: GenericDefId, args: GenericArgs<'db>) -> impl Iterator<Item = GenericArg<'db>> {
        let defaults = self.cx.db.generic_defaults(of);
        let is_default = |index: usize, arg: GenericArg<'db>| {
            defaults.get(index).is_some_and(|default| {
                let default = default.instantiate(self.cx.interner, args).skip_norm_wip();
                // Lengths in `args` are already evaluated; lifetimes keep the form that they have in the default.
                arg == default || (arg.as_const().is_some() && arg == self.cx.canonical(default))
            })
        };
        let defaulted = args
            .iter()
            .enumerate()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .take_while(|&(index, arg)| is_default(index, arg));
        let count = args.len() - defaulted.count();
        args.iter().take(count)
    }

    /// `<A, B>`; empty without arguments.
    fn list(&self, args: impl Iterator<Item = GenericArg<'db>>) -> Option<String> {
        let args = self.args(args)?;
        Some(if args.is_empty() { String::new() } else { format!("<{}>", args.join(", ")) })
    }

    fn konst(&self, konst: Const<'db>) -> Option<String> {
        let ConstKind::Value(value) = konst.kind() else { return None };
        let valtree = value.valtree();
        let ValTreeKind::Leaf(leaf) = valtree.inner() else { return None };
        let bits = leaf.to_bits(leaf.size());
        Some(match value.ty().kind() {
            TyKind::Bool => (bits != 0).to_string(),
            TyKind::Char => format!("{:?}", char::from_u32(u32::try_from(bits).ok()?)?),
            TyKind::Uint(_) => bits.to_string(),
            TyKind::Int(_) => leaf.size().sign_extend(bits).to_string(),
            _ => return None,
        })
    }

    fn object(&self, bounds: impl Iterator<Item = ExistentialPredicate<'db>>) -> Option<String> {
        let (mut principal, mut outputs, mut autos) = (None, Vec::new(), Vec::new());
        for bound in bounds {
            match bound {
                ExistentialPredicate::Trait(it) => principal = Some((it.def_id.0, it.args)),
                ExistentialPredicate::Projection(it) => outputs.push(it),
                ExistentialPredicate::AutoTrait(it) => autos.push(self.trait_path(it.0)?),
            }
        }
        autos.sort();
        let mut parts = Vec::new();
        if let Some((id, args)) = principal {
            let path = self.trait_path(id)?;
            let term = |index: usize| outputs.get(index).and_then(|it| it.term.as_type());
            parts.push(if is_fn_family(self.cx, id) {
                let TyKind::Tuple(inputs) = args.types().next()?.kind() else { return None };
                format!("{path}({}){}", self.tys(inputs.iter())?, self.output(term(0)?)?)
            } else {
                let mut list = self.args(args.iter())?;
                for (index, output) in outputs.iter().enumerate() {
                    let SolverDefId::TypeAliasId(alias) = output.def_id.into() else { return None };
                    let name = hir_def::signatures::TypeAliasSignature::of(self.cx.db, alias).name.clone();
                    list.push(format!("{} = {}", name.as_str(), self.ty(term(index)?)?));
                }
                if list.is_empty() { path } else { format!("{path}<{}>", list.join(", ")) }
            });
        }
        parts.extend(autos);
        Some(format!("dyn {}", parts.join(" + ")))
    }

    // --- paths

    fn adt(&self, adt: AdtId) -> Option<String> {
        let db = self.cx.db;
        let (name, node) = match adt {
            AdtId::StructId(id) => (StructSignature::of(db, id).name.clone(), syntax(&id.lookup(db).source(db))),
            AdtId::UnionId(id) => (UnionSignature::of(db, id).name.clone(), syntax(&id.lookup(db).source(db))),
            AdtId::EnumId(id) => (EnumSignature::of(db, id).name.clone(), syntax(&id.lookup(db).source(db))),
        };
        self.item(adt.module(db), &name, node)
    }

    fn trait_path(&self, id: TraitId) -> Option<String> {
        let db = self.cx.db;
        self.item(id.module(db), &TraitSignature::of(db, id).name, syntax(&id.lookup(db).source(db)))
    }

    /// Path of an item. For an item in a function, it includes the names of the enclosing items.
    fn item(&self, module: ModuleId, name: &Name, node: InFile<SyntaxNode>) -> Option<String> {
        let db = self.cx.db;
        let enclosing = if module.is_block_module(db) { self.enclosing_items(node)? } else { String::new() };
        Some(format!("{}{enclosing}::{}", self.module(module)?, name.as_str()))
    }

    fn module(&self, module: ModuleId) -> Option<String> {
        let db = self.cx.db;
        let mut parts = Vec::new();
        let mut at = Some(module);
        while let Some(module) = at {
            parts.extend(module.name(db).map(|it| it.as_str().to_owned()));
            at = module.containing_module(db);
        }
        parts.push(module.krate(db).extra_data(db).display_name.as_ref()?.to_string());
        parts.reverse();
        Some(parts.join("::"))
    }

    /// `::function::{{closure}}`: the enclosing items of a node in a function.
    fn enclosing_items(&self, node: InFile<SyntaxNode>) -> Option<String> {
        let mut parts = Vec::new();
        for node in node.ancestors_with_macros(self.cx.db).skip(1) {
            let node = node.value;
            if let Some(func) = ast::Fn::cast(node.clone()) {
                // The path of a method would include its type.
                if node.parent().is_some_and(|it| ast::AssocItemList::can_cast(it.kind())) {
                    return None;
                }
                if func.async_token().is_some() {
                    parts.push("{{closure}}".to_owned());
                }
                parts.push(func.name()?.text().to_string());
            } else if let Some(item) = ast::Const::cast(node.clone()) {
                parts.push(item.name()?.text().to_string());
            } else if let Some(item) = ast::Static::cast(node.clone()) {
                parts.push(item.name()?.text().to_string());
            } else if is_closure(&node)? {
                parts.push("{{closure}}".to_owned());
            } else if ast::Module::can_cast(node.kind()) {
                break;
            }
        }
        Some(parts.iter().rev().map(|part| format!("::{part}")).collect())
    }

    fn function(&self, func: FunctionId, args: GenericArgs<'db>) -> Option<String> {
        let db = self.cx.db;
        let name = &FunctionSignature::of(db, func).name;
        let container = func.lookup(db).container;
        let outer = self.parent_arg_count(container);
        let own_args = self.list(args.iter().skip(outer))?;
        let path = match container {
            ItemContainerId::ModuleId(module) => self.item(module, name, syntax(&func.lookup(db).source(db)))?,
            ItemContainerId::ExternBlockId(_) => return None,
            ItemContainerId::ImplId(id) => {
                let interner = self.cx.interner;
                let subject = db.impl_self_ty(id).instantiate(interner, args).skip_norm_wip();
                let subject = self.cx.normalize_any(subject);
                let of = db.impl_trait(id).map(|it| it.instantiate(interner, args).skip_norm_wip());
                let module = id.lookup(db).container;
                let of_type = characteristic(self.cx, subject) == Some(module);
                let of_trait = of.as_ref().is_some_and(|it| it.def_id.0.module(db) == module);
                let subject_name = self.ty(subject)?;
                let trait_name = match &of {
                    Some(it) => {
                        let it = self.cx.normalize_any(*it);
                        let args = self.list(self.without_defaults(it.def_id.0.into(), it.args).skip(1))?;
                        Some(format!("{}{args}", self.trait_path(it.def_id.0)?))
                    }
                    None => None,
                };
                let named = matches!(subject.kind(), TyKind::Adt(..)) || is_plain(subject);
                let owner = match (of_type || of_trait, trait_name) {
                    (true, Some(of)) => format!("<{subject_name} as {of}>"),
                    (true, None) if named => subject_name,
                    (true, None) => format!("<{subject_name}>"),
                    (false, Some(of)) => format!("{}::<impl {of} for {subject_name}>", self.module(module)?),
                    (false, None) => format!("{}::<impl {subject_name}>", self.module(module)?),
                };
                format!("{owner}::{}", name.as_str())
            }
            ItemContainerId::TraitId(id) => {
                let subject = self.ty(args.types().next()?)?;
                let of_trait = GenericArgs::new_from_slice(&args[..outer]);
                let of = self.list(self.without_defaults(id.into(), of_trait).skip(1))?;
                format!("<{subject} as {}{of}>::{}", self.trait_path(id)?, name.as_str())
            }
        };
        Some(format!("{path}{own_args}"))
    }

    /// Number of a function's generic arguments that belong to the enclosing impl or trait.
    fn parent_arg_count(&self, container: ItemContainerId) -> usize {
        let interner = self.cx.interner;
        let of = |id: SolverDefId<'db>| GenericArgs::identity_for_item(interner, id).len();
        match container {
            ItemContainerId::ImplId(id) => of(id.into()),
            ItemContainerId::TraitId(id) => of(id.into()),
            ItemContainerId::ModuleId(_) | ItemContainerId::ExternBlockId(_) => 0,
        }
    }

    fn closure(&self, closure: hir_ty::db::InternedClosure<'db>, parent: &[GenericArg<'db>]) -> Option<String> {
        let hir_ty::InferBodyId::DefWithBodyId(owner) = closure.owner else { return None };
        let path = match owner {
            DefWithBodyId::FunctionId(func) => self.function(func, GenericArgs::new_from_slice(parent))?,
            DefWithBodyId::StaticId(id) => self.static_path(id)?,
            DefWithBodyId::ConstId(id) => self.const_path(id)?,
            DefWithBodyId::VariantId(_) => return None,
        };
        let nested = self.nesting(owner, closure.expr)?;
        Some(format!("{path}{}", "::{{closure}}".repeat(nested)))
    }

    fn is_async(&self, owner: DefWithBodyId) -> bool {
        let DefWithBodyId::FunctionId(func) = owner else { return false };
        FunctionSignature::of(self.cx.db, func).flags.contains(FnFlags::ASYNC)
    }

    fn static_path(&self, id: StaticId) -> Option<String> {
        let db = self.cx.db;
        self.item(id.module(db), &StaticSignature::of(db, id).name, syntax(&id.lookup(db).source(db)))
    }

    fn const_path(&self, id: ConstId) -> Option<String> {
        let db = self.cx.db;
        let ItemContainerId::ModuleId(module) = id.lookup(db).container else { return None };
        let name = ConstSignature::of(db, id).name.clone()?;
        self.item(module, &name, syntax(&id.lookup(db).source(db)))
    }

    /// Nesting depth of a closure among closures, counting itself.
    fn nesting(&self, owner: DefWithBodyId, expr: ExprId) -> Option<usize> {
        let db = self.cx.db;
        let (_, map) = Body::with_source_map(db, owner);
        let Ok(source) = map.expr_syntax(expr) else {
            // Only the body of an `async fn` has no source node.
            return self.is_async(owner).then_some(1);
        };
        let root = source.file_id.parse_or_expand(db);
        let node = source.value.syntax_node_ptr().to_node(&root);
        let mut count = 0;
        for node in InFile::new(source.file_id, node).ancestors_with_macros(db) {
            if let Some(func) = ast::Fn::cast(node.value.clone()) {
                count += usize::from(func.async_token().is_some());
                break;
            }
            if ast::Const::can_cast(node.value.kind()) || ast::Static::can_cast(node.value.kind()) {
                break;
            }
            count += usize::from(is_closure(&node.value)?);
        }
        Some(count)
    }
}

fn is_bound(region: Region<'_>) -> bool {
    matches!(region.kind(), RegionKind::ReBound(..))
}

fn is_plain(ty: Ty<'_>) -> bool {
    matches!(ty.kind(), TyKind::Bool | TyKind::Char | TyKind::Str | TyKind::Int(_) | TyKind::Uint(_) | TyKind::Float(_))
}

fn is_fn_family(cx: &TypeCx<'_>, id: TraitId) -> bool {
    let lang = cx.interner.lang_items();
    [lang.Fn, lang.FnMut, lang.FnOnce].contains(&Some(id))
}

/// The module that rustc associates with a type.
fn characteristic<'db>(cx: &TypeCx<'db>, ty: Ty<'db>) -> Option<ModuleId> {
    match ty.kind() {
        TyKind::Adt(def, _) => Some(def.def_id().module(cx.db)),
        TyKind::Ref(_, inner, _) | TyKind::RawPtr(inner, _) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            characteristic(cx, inner)
        }
        TyKind::Tuple(tys) => tys.iter().find_map(|it| characteristic(cx, it)),
        TyKind::Dynamic(bounds, _) => bounds.iter().find_map(|it| match it.skip_binder() {
            ExistentialPredicate::Trait(it) => Some(it.def_id.0.module(cx.db)),
            _ => None,
        }),
        _ => None,
    }
}

/// Whether a node is a closure or an async block; `None` for an `async` closure, which is both.
fn is_closure(node: &SyntaxNode) -> Option<bool> {
    if let Some(closure) = ast::ClosureExpr::cast(node.clone()) {
        return if closure.async_token().is_some() { None } else { Some(true) };
    }
    Some(ast::BlockExpr::cast(node.clone()).is_some_and(|it| it.async_token().is_some()))
}

fn syntax<N: AstNode>(source: &InFile<N>) -> InFile<SyntaxNode> {
    source.as_ref().map(|it| it.syntax().clone())
}
