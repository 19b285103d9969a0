//! Names of instances for reports, and flags that record where a function comes from.

use super::{InstanceKey, program::Program};
use crate::{
    std_models::{self, api_access, roles},
    types::{functions, names::without_arguments},
};
use hir_def::{
    DefWithBodyId, FunctionId, HasModule,
    signatures::{FunctionSignature, StaticSignature},
};
use interp::ir::{CodeFlags, FnId};
use ra_ap_base_db::Crate;
use ra_ap_hir_def as hir_def;
use std::sync::Arc;

/// Name of an instance for reports.
pub fn instance(program: &Program<'_>, key: &InstanceKey) -> Arc<str> {
    match key {
        InstanceKey::Main(_) => "start of the process".into(),
        InstanceKey::Harness(_) => "harness".into(),
        InstanceKey::Fn(func, _)
        | InstanceKey::Real(func, _)
        | InstanceKey::Native(func)
        | InstanceKey::InTest(func, _) => program.types.function_name(*func).into(),
        InstanceKey::Closure(owner, ..) => format!("{}::{{closure}}", program.types.body_name(*owner)).into(),
        InstanceKey::CoroutineBody(owner, ..) => format!("{}::{{async}}", program.types.body_name(*owner)).into(),
        InstanceKey::CoroutinePoll(ty) => format!("poll of {}", program.types.type_name(ty.as_ref())).into(),
        InstanceKey::DropGlue(ty) => format!("drop of {}", program.types.type_name(ty.as_ref())).into(),
        InstanceKey::DropCaptures(ty) => match program.closure_of(key) {
            Some((owner, _)) => format!("{}::{{closure}}", program.types.body_name(owner)).into(),
            None => format!("drop of {}", program.types.type_name(ty.as_ref())).into(),
        },
        InstanceKey::Ctor(_, ty) => program.types.type_name(ty.as_ref()).into(),
        InstanceKey::FnTrait(ty, ..) | InstanceKey::ClosureFnPtr(ty) => {
            format!("call of {}", program.types.type_name(ty.as_ref())).into()
        }
        InstanceKey::ByPointer(inner, _) | InstanceKey::Located(inner, _) => instance(program, inner),
        InstanceKey::DynMethod(func, _) => program.types.function_name(*func).into(),
        InstanceKey::BuiltinDerive(imp, method, _) => {
            let adt = imp.loc(program.types.db).adt;
            let ty = program.types.db.ty(adt.into()).instantiate_identity().skip_norm_wip();
            format!("{}::{method:?}", without_arguments(&program.types.type_name(ty))).into()
        }
        InstanceKey::Clone(ty) => format!("clone of {}", program.types.type_name(ty.as_ref())).into(),
        InstanceKey::VtableOf(ty, _) => format!("vtable of {}", program.types.type_name(ty.as_ref())).into(),
        InstanceKey::Missing(cause, ..) => cause.clone(),
        InstanceKey::ConstInit(id, _) => program.types.constant_name(*id).into(),
        InstanceKey::StaticInit(id) => StaticSignature::of(program.types.db, *id).name.as_str().into(),
        InstanceKey::Promoted(parent, _) => format!("{}::{{const}}", instance(program, parent)).into(),
    }
}

/// The path of modules that contains a function's source, from the crate root, each followed by `::`.
pub fn modules(program: &Program<'_>, func: FnId) -> String {
    let Some(owner) = program.body_of(func) else { return String::new() };
    let mut names = Vec::new();
    let mut next = Some(owner.module(program.types.db));
    while let Some(module) = next {
        // The crate root and block scopes have no name.
        names.extend(module.name(program.types.db).map(|name| format!("{}::", name.as_str())));
        next = module.containing_module(program.types.db);
    }
    names.into_iter().rev().collect()
}

/// The definition whose HIR the sites of an instance belong to.
pub fn owner(key: &InstanceKey) -> Option<DefWithBodyId> {
    match key {
        InstanceKey::Fn(func, _) | InstanceKey::Real(func, _) | InstanceKey::InTest(func, _) => Some((*func).into()),
        InstanceKey::Closure(owner, ..) | InstanceKey::CoroutineBody(owner, ..) => Some(*owner),
        InstanceKey::ConstInit(id, _) => Some((*id).into()),
        InstanceKey::StaticInit(id) => Some((*id).into()),
        InstanceKey::Promoted(parent, _) => owner(parent),
        _ => None,
    }
}

/// Flags of code from a crate.
pub fn crate_flags(program: &Program<'_>, krate: Crate) -> CodeFlags {
    CodeFlags {
        is_std: program.types.source.is_std(krate),
        is_local: program.types.source.is_local(krate),
        ..CodeFlags::default()
    }
}

/// Flags of a function.
pub fn fn_flags(program: &Program<'_>, func: FunctionId) -> CodeFlags {
    let module = func.module(program.types.db);
    let flags = crate_flags(program, module.krate(program.types.db));
    let sig = FunctionSignature::of(program.types.db, func);
    let path = if flags.is_std { program.types.module_path(module) } else { String::new() };
    let (counts_owners, drops_owner) = roles::of_owners(program.types.db, &path, func);
    CodeFlags {
        is_sync_api: roles::is_sync_api(&path),
        is_atomic_api: roles::is_atomic_api(&path, sig.name.as_str()),
        counts_owners,
        drops_owner,
        track_caller: functions::tracks_caller(program.types.db, func),
        no_unwind: matches!(
            sig.abi,
            hir_def::layout::ExternAbi::C { unwind: false } | hir_def::layout::ExternAbi::System { unwind: false }
        ),
        api: api_access::access(program.types.db, func, program.types.source.config()),
        is_shim: flags.is_std && roles::is_drop(program.types.db, func),
        waits_for: std_models::waits_for(program.types.db, func),
        ..flags
    }
}
