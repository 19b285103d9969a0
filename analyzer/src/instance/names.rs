//! Names of instances as people write them, and what the machine has to know of where a function comes from.

use super::{InstanceKey, attributes, call, cx::Cx, program::Program};
use crate::std_models::{self, api, roles};
use hir_def::{
    AssocItemId, ConstId, DefWithBodyId, FunctionId, HasModule, ItemContainerId, Lookup, ModuleId, StaticId, TraitId,
    expr_store::Body,
    hir::ExprId,
    signatures::{ConstSignature, FnFlags, FunctionSignature, StaticSignature, TraitSignature},
};
use hir_ty::next_solver::{GenericArgs, Ty};
use interp::ir::{CodeFlags, FnId};
use ra_ap_base_db::Crate;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{
    AstNode,
    ast::{self, HasAttrs},
};
use std::sync::Arc;

/// Name of an instance for reports.
pub fn instance(program: &Program<'_>, key: &InstanceKey) -> Arc<str> {
    match key {
        InstanceKey::Main(_) => "start of the process".into(),
        InstanceKey::Harness(_) => "harness".into(),
        InstanceKey::Fn(func, _) | InstanceKey::Real(func, _) | InstanceKey::Native(func) => {
            function(program, *func).into()
        }
        InstanceKey::Closure(owner, ..) => format!("{}::{{closure}}", body(program, *owner)).into(),
        InstanceKey::CoroutineBody(owner, ..) => format!("{}::{{async}}", body(program, *owner)).into(),
        InstanceKey::CoroutinePoll(ty) => format!("poll of {}", program.type_name(ty.as_ref())).into(),
        InstanceKey::DropGlue(ty) => format!("drop of {}", program.type_name(ty.as_ref())).into(),
        InstanceKey::DropCaptures(ty) => match program.closure_of(key) {
            Some((owner, _)) => format!("{}::{{closure}}", body(program, owner)).into(),
            None => format!("drop of {}", program.type_name(ty.as_ref())).into(),
        },
        InstanceKey::Ctor(_, ty) => program.type_name(ty.as_ref()).into(),
        InstanceKey::FnTrait(ty, ..) | InstanceKey::ClosureFnPtr(ty) => {
            format!("call of {}", program.type_name(ty.as_ref())).into()
        }
        InstanceKey::ByPointer(inner, _) | InstanceKey::Located(inner, _) => instance(program, inner),
        InstanceKey::DynMethod(func, _) => function(program, *func).into(),
        InstanceKey::BuiltinDerive(imp, method, _) => {
            let adt = imp.loc(program.db).adt;
            let ty = program.db.ty(adt.into()).instantiate_identity().skip_norm_wip();
            format!("{}::{method:?}", plain(&program.type_name(ty))).into()
        }
        InstanceKey::Clone(ty) => format!("clone of {}", program.type_name(ty.as_ref())).into(),
        InstanceKey::VtableOf(ty, _) => format!("vtable of {}", program.type_name(ty.as_ref())).into(),
        InstanceKey::Missing(cause, ..) => cause.clone(),
        InstanceKey::ConstInit(id, _) => constant(program, *id).into(),
        InstanceKey::StaticInit(id) => StaticSignature::of(program.db, *id).name.as_str().into(),
        InstanceKey::Promoted(parent, _) => format!("{}::{{const}}", instance(program, parent)).into(),
    }
}

/// The modules that the source of a function is in, from its crate's root, each with `::` behind it.
pub fn modules(program: &Program<'_>, func: FnId) -> String {
    let Some(owner) = program.body_of(func) else { return String::new() };
    let mut names = Vec::new();
    let mut next = Some(owner.module(program.db));
    while let Some(module) = next {
        // The root and the scope of a body have no name.
        names.extend(module.name(program.db).map(|name| format!("{}::", name.as_str())));
        next = module.containing_module(program.db);
    }
    names.into_iter().rev().collect()
}

/// The definition whose HIR the sites of an instance belong to.
pub fn owner(key: &InstanceKey) -> Option<DefWithBodyId> {
    match key {
        InstanceKey::Fn(func, _) | InstanceKey::Real(func, _) => Some((*func).into()),
        InstanceKey::Closure(owner, ..) | InstanceKey::CoroutineBody(owner, ..) => Some(*owner),
        InstanceKey::ConstInit(id, _) => Some((*id).into()),
        InstanceKey::StaticInit(id) => Some((*id).into()),
        InstanceKey::Promoted(parent, _) => owner(parent),
        _ => None,
    }
}

fn body(program: &Program<'_>, owner: DefWithBodyId) -> String {
    match owner {
        DefWithBodyId::FunctionId(id) => function(program, id),
        DefWithBodyId::ConstId(id) => constant(program, id),
        DefWithBodyId::StaticId(id) => StaticSignature::of(program.db, id).name.as_str().to_owned(),
        DefWithBodyId::VariantId(_) => "discriminant".to_owned(),
    }
}

fn constant(program: &Program<'_>, id: ConstId) -> String {
    let own = ConstSignature::of(program.db, id).name.as_ref().map_or("_", |name| name.as_str()).to_owned();
    match container(program, id.lookup(program.db).container) {
        Some(outer) => format!("{outer}::{own}"),
        None => own,
    }
}

/// `Type::method`, `Trait::method`, `function` in the workspace, the whole path elsewhere.
pub fn function(program: &Program<'_>, func: FunctionId) -> String {
    let own = FunctionSignature::of(program.db, func).name.as_str().to_owned();
    let named = match container(program, func.lookup(program.db).container) {
        Some(outer) => format!("{outer}::{own}"),
        None => own,
    };
    let module = func.module(program.db);
    if program.source.is_local(module.krate(program.db)) {
        return named;
    }
    format!("{}::{named}", module_path(program, module))
}

/// Modules from the crate on.
fn module_path(program: &Program<'_>, module: ModuleId) -> String {
    let mut parts = Vec::new();
    let mut at = Some(module);
    while let Some(module) = at {
        if let Some(name) = module.name(program.db) {
            parts.push(name.as_str().to_owned());
        }
        at = module.containing_module(program.db);
    }
    let krate = module.krate(program.db).extra_data(program.db).display_name.as_ref().map(ToString::to_string);
    parts.push(krate.unwrap_or_else(|| "?".to_owned()));
    parts.reverse();
    parts.join("::")
}

fn container(program: &Program<'_>, container: ItemContainerId) -> Option<String> {
    match container {
        ItemContainerId::ImplId(id) => {
            let ty = program.db.impl_self_ty(id).instantiate_identity().skip_norm_wip();
            Some(plain(&program.type_name(ty)))
        }
        ItemContainerId::TraitId(id) => Some(TraitSignature::of(program.db, id).name.as_str().to_owned()),
        ItemContainerId::ModuleId(_) | ItemContainerId::ExternBlockId(_) => None,
    }
}

/// A type's name without its generic arguments.
fn plain(name: &str) -> String {
    match name.find('<') {
        Some(at) if at > 0 => name[..at].to_owned(),
        _ => name.to_owned(),
    }
}

/// Flags of code that stands in a crate.
pub fn crate_flags(program: &Program<'_>, krate: Crate) -> CodeFlags {
    CodeFlags { is_std: program.source.is_std(krate), is_local: program.source.is_local(krate), ..CodeFlags::default() }
}

/// Flags of a function.
pub fn fn_flags(program: &Program<'_>, func: FunctionId) -> CodeFlags {
    let module = func.module(program.db);
    let flags = crate_flags(program, module.krate(program.db));
    let sig = FunctionSignature::of(program.db, func);
    let path = if flags.is_std { module_path(program, module) } else { String::new() };
    let (counts_owners, drops_owner) = roles::of_owners(program.db, &path, func);
    CodeFlags {
        is_sync_api: roles::is_sync_api(&path),
        is_atomic_api: roles::is_atomic_api(&path),
        counts_owners,
        drops_owner,
        track_caller: tracks_caller(program, func),
        no_unwind: matches!(
            sig.abi,
            hir_def::layout::ExternAbi::C { unwind: false } | hir_def::layout::ExternAbi::System { unwind: false }
        ),
        api: api::access(program.db, func),
        is_shim: flags.is_std && roles::is_drop(program.db, func),
        waits_for: std_models::waits_for(program.db, func),
        ..flags
    }
}

/// Whether a function is `#[track_caller]`, be it that the trait says so.
pub fn tracks_caller(program: &Program<'_>, func: FunctionId) -> bool {
    attributes::of(program.db, func).tracks_caller || trait_tracks_caller(program, func)
}

/// Whether the trait's method that a method implements is `#[track_caller]`.
pub fn trait_tracks_caller(program: &Program<'_>, func: FunctionId) -> bool {
    declaration(program, func).is_some_and(|it| attributes::of(program.db, it).tracks_caller)
}

/// The trait's method that a method implements; its `#[track_caller]` holds for all implementations.
fn declaration(program: &Program<'_>, func: FunctionId) -> Option<FunctionId> {
    let ItemContainerId::ImplId(id) = func.lookup(program.db).container else { return None };
    let implemented = program.db.impl_trait(id)?.instantiate_identity().skip_norm_wip().def_id.0;
    let name = &FunctionSignature::of(program.db, func).name;
    match implemented.trait_items(program.db).assoc_item_by_name(name)? {
        AssocItemId::FunctionId(found) => Some(found),
        _ => None,
    }
}

/// Whether a function of std, or a closure in it, is compiled with its callers' overflow checks.
pub fn inherits_checks(program: &Program<'_>, func: FunctionId, closure: Option<ExprId>) -> bool {
    const ATTR: &str = "rustc_inherit_overflow_checks";
    let Some(expr) = closure else { return attributes::of(program.db, func).inherits_checks };
    let (_, map) = Body::with_source_map(program.db, func.into());
    let Ok(source) = map.expr_syntax(expr) else { return false };
    let root = source.file_id.parse_or_expand(program.db);
    // The attribute stands on the closure, or on the expression statement or argument that it is.
    let node = source.value.syntax_node_ptr().to_node(&root);
    let attrs = node.children().filter_map(ast::Attr::cast);
    attrs.into_iter().any(|attr| attr.simple_name().is_some_and(|found| found == ATTR))
}

/// Whether a static is `#[thread_local]`.
pub fn is_thread_local(program: &Program<'_>, id: StaticId) -> bool {
    use hir_def::src::HasSource;
    let source: ast::Static = id.lookup(program.db).source(program.db).value;
    source.attrs().any(|attr| attr.simple_name().is_some_and(|found| found == "thread_local"))
}

/// A function of a trait by its name.
pub fn trait_fn(cx: &Cx<'_, '_>, trait_: TraitId, name: &str) -> Option<FunctionId> {
    trait_.trait_items(cx.db()).items.iter().find_map(|(found, item)| match item {
        AssocItemId::FunctionId(func) if found.as_str() == name => Some(*func),
        _ => None,
    })
}

/// Whether a trait's method takes `self` (not a pointer to it).
pub fn takes_self_by_value<'db>(
    cx: &mut Cx<'_, 'db>,
    func: FunctionId,
    args: GenericArgs<'db>,
    self_ty: Ty<'db>,
) -> bool {
    let has_self = FunctionSignature::of(cx.db(), func).flags.contains(FnFlags::HAS_SELF_PARAM);
    has_self && call::signature(cx, func, args).0.first() == Some(&self_ty)
}
