//! Selects the code of each kind of instance: its body in generic IR, a native model, an intrinsic, or an unknown
//! body.

use super::{
    GlobalKey, InstanceKey, allocator, builder::FnBuilder, call, codegen, cx::Cx, intrinsics, names, program::Program,
};
use crate::{
    harness::{self as harnesses, HarnessTarget},
    ir::{BodyIr, BodyKind},
    std_models,
    types::functions,
    workarounds::derives,
};
use hir_def::{
    AdtId, BuiltinDeriveImplId, DefWithBodyId, FunctionId, HasModule, builtin_derive::BuiltinDeriveImplMethod,
    hir::ExprId, signatures::FunctionSignature,
};
use hir_ty::next_solver::{GenericArgs, Ty};
use interp::ir::{Body, Code, CodeFlags, Instr, Slot};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use std::sync::Arc;

/// Code of a function: its body, a native model, an intrinsic, or an unknown body.
pub fn function<'db>(program: &mut Program<'db>, key: &InstanceKey, func: FunctionId, args: GenericArgs<'db>) -> Code {
    let krate = func.module(program.types.db).krate(program.types.db);
    let flags = names::fn_flags(program, func);
    let checks = !program.types.source.is_std(krate) || functions::inherits_checks(program.types.db, func, None);
    let mut cx = Cx { program, args, checks };
    if let Some(made) = allocator::body(&mut cx, func) {
        return codegen::body(cx.program, key, &made, args, flags, checks);
    }
    if let Some((model, consts)) = std_models::model(&mut cx.program.types, func, args) {
        return signature_code(&mut cx, key, func, flags, |_, b, _, _| b.set_body(Body::Model { model, consts }));
    }
    if let InstanceKey::Fn(_, stored) = key
        && let Some((model, consts)) = std_models::fast::fast(&mut cx.program.types, func, args)
    {
        let real = cx.instance(InstanceKey::Real(func, stored.clone()));
        return signature_code(&mut cx, key, func, flags, |_, b, _, _| b.set_body(Body::Fast { model, consts, real }));
    }
    let is_real = matches!(key, InstanceKey::Real(..));
    if !is_real && intrinsics::name_of(&cx, func).is_some() {
        let mut done = true;
        let code = signature_code(&mut cx, key, func, flags, |cx, b, params, ret| {
            let (args, arg_tys) = params.iter().copied().unzip();
            let call = call::Call { args, arg_tys, dst: ret.0, ret: ret.1 };
            done = call::intrinsic(cx, b, func, cx.args, &call);
            b.push(Instr::Return);
        });
        // Intrinsics that are not supported have a fallback body in `core`, or are foreign.
        if done {
            return code;
        }
    }
    if let Some(made) = intrinsics::generated(&mut cx, func) {
        return codegen::body(cx.program, key, &made, args, flags, checks);
    }
    let differs = std_models::platform::function_differs(cx.db(), cx.program.types.krate, func);
    if !differs && functions::has_body(cx.program.types.db, func) {
        let lowered = cx.program.lowered(func.into());
        let flags = CodeFlags { is_mistyped: lowered.is_mistyped && !flags.is_std, ..flags };
        return codegen::body(cx.program, key, &lowered.root, args, flags, checks);
    }
    let name = FunctionSignature::of(cx.db(), func).name.as_str().to_owned();
    let cause =
        if differs { format!("`{name}`, which depends on the platform") } else { format!("foreign function `{name}`") };
    let cause = cx.cause(&cause);
    let own = cx.instance(key.clone());
    let consts = [u64::from(own.0), u64::from(cause.0)].into_iter();
    let consts = consts.chain(std_models::environment::filled(&mut cx.program.types, func, args)).collect();
    let model = interp::models::find("foreign").expect("the machine has it");
    signature_code(&mut cx, key, func, flags, |_, b, _, _| b.set_body(Body::Model { model, consts }))
}

/// Code of a function of an `extern` block that is a native model.
pub fn native(program: &mut Program<'_>, key: &InstanceKey, func: FunctionId) -> Code {
    let args = GenericArgs::empty(program.types.interner);
    let flags = names::fn_flags(program, func);
    let mut cx = Cx { program, args, checks: false };
    match std_models::model(&mut cx.program.types, func, args) {
        Some((model, consts)) => {
            signature_code(&mut cx, key, func, flags, |_, b, _, _| b.set_body(Body::Model { model, consts }))
        }
        None => program.unknown_code(key, "foreign function without a model"),
    }
}

/// Code of a function of which only the signature is used.
fn signature_code<'db>(
    cx: &mut Cx<'_, 'db>,
    key: &InstanceKey,
    func: FunctionId,
    flags: CodeFlags,
    fill: impl FnOnce(&mut Cx<'_, 'db>, &mut FnBuilder, &[(Slot, Ty<'db>)], (Slot, Ty<'db>)),
) -> Code {
    let args = cx.args;
    let (inputs, output) = cx.program.types.signature(func, args);
    let mut b = FnBuilder::new(names::instance(cx.program, key), flags);
    let (size, align) = cx.size_align(output).unwrap_or((0, 1));
    let ret = b.temp(size, align);
    b.set_ret(ret, size);
    let mut params = Vec::new();
    for ty in inputs {
        let (size, align) = cx.size_align(ty).unwrap_or((0, 1));
        params.push((b.param(size, align), ty));
    }
    fill(cx, &mut b, &params, (ret, output));
    b.finish(cx.program.optimisation)
}

/// Code of a closure or coroutine body.
pub fn closure<'db>(
    program: &mut Program<'db>,
    key: &InstanceKey,
    owner: DefWithBodyId,
    expr: ExprId,
    args: GenericArgs<'db>,
) -> Code {
    let lowered = program.lowered(owner);
    let db = program.types.db;
    let mut flags = names::crate_flags(program, owner.module(db).krate(db));
    flags.is_mistyped = lowered.is_mistyped && !flags.is_std;
    flags.is_coroutine = matches!(key, InstanceKey::CoroutineBody(..));
    let checks = !flags.is_std
        || matches!(owner, DefWithBodyId::FunctionId(func) if functions::inherits_checks(db, func, Some(expr)));
    if let Some(made) = program.future_with_calls(owner, expr) {
        return codegen::body(program, key, &made, args, flags, checks);
    }
    match lowered.closures.iter().find(|(id, _)| *id == expr) {
        Some((_, found)) => codegen::body(program, key, found, args, flags, checks),
        None => program.unknown_code(key, "closure without a body"),
    }
}

/// Code of the initialiser of a const or static.
pub fn initialiser<'db>(
    program: &mut Program<'db>,
    key: &InstanceKey,
    owner: DefWithBodyId,
    args: GenericArgs<'db>,
) -> Code {
    let lowered = program.lowered(owner);
    let krate = owner.module(program.types.db).krate(program.types.db);
    let flags = names::crate_flags(program, krate);
    codegen::body(program, key, &lowered.root, args, flags, !flags.is_std)
}

/// The generic IR of an instance, if it has one. It is not copied: a large table has thousands of promoted expressions.
fn with_body(program: &mut Program<'_>, key: &InstanceKey, visit: &mut dyn FnMut(&BodyIr)) {
    match key {
        InstanceKey::Fn(func, args) | InstanceKey::Real(func, args) => {
            let args = args.as_ref();
            match intrinsics::generated(&mut Cx { program, args, checks: false }, *func) {
                Some(made) => visit(&made),
                None => visit(&program.lowered((*func).into()).root),
            }
        }
        InstanceKey::InTest(func, _) => visit(&program.lowered((*func).into()).root),
        InstanceKey::ConstInit(id, _) => visit(&program.lowered((*id).into()).root),
        InstanceKey::StaticInit(id) => visit(&program.lowered((*id).into()).root),
        InstanceKey::Closure(owner, expr, _) | InstanceKey::CoroutineBody(owner, expr, _) => {
            let lowered = program.lowered(*owner);
            if let Some((_, body)) = lowered.closures.iter().find(|(id, _)| id == expr) {
                visit(body);
            }
        }
        InstanceKey::BuiltinDerive(imp, method, _) => visit(&derives::body(program.types.db, *imp, *method)),
        InstanceKey::Promoted(parent, index) => with_body(program, parent, &mut |body| {
            if let Some(found) = body.promoted.get(*index as usize) {
                visit(found);
            }
        }),
        _ => {}
    }
}

fn args_of<'db>(program: &Program<'db>, key: &InstanceKey) -> GenericArgs<'db> {
    match key {
        InstanceKey::Fn(_, args)
        | InstanceKey::Real(_, args)
        | InstanceKey::ConstInit(_, args)
        | InstanceKey::Closure(_, _, args)
        | InstanceKey::CoroutineBody(_, _, args)
        | InstanceKey::BuiltinDerive(_, _, args) => args.as_ref(),
        InstanceKey::Promoted(parent, _) => args_of(program, parent),
        _ => GenericArgs::empty(program.types.interner),
    }
}

/// Code of the initialiser of a promoted expression.
pub fn promoted(program: &mut Program<'_>, key: &InstanceKey, parent: &InstanceKey) -> Code {
    let args = args_of(program, parent);
    let flags = names::owner(parent).map_or_else(CodeFlags::default, |owner| {
        let krate = owner.module(program.types.db).krate(program.types.db);
        names::crate_flags(program, krate)
    });
    let mut found = None;
    with_body(program, key, &mut |body| found = Some(body.clone()));
    match found {
        Some(found) => codegen::body(program, key, &found, args, flags, !flags.is_std),
        None => program.unknown_code(key, "promoted expression without a body"),
    }
}

/// Code of a method of a built-in derive.
pub fn derive<'db>(
    program: &mut Program<'db>,
    key: &InstanceKey,
    imp: BuiltinDeriveImplId,
    method: BuiltinDeriveImplMethod,
    args: GenericArgs<'db>,
) -> Code {
    let generic = derives::body(program.types.db, imp, method);
    let krate = imp.loc(program.types.db).adt.module(program.types.db).krate(program.types.db);
    let flags = CodeFlags { is_shim: true, ..names::crate_flags(program, krate) };
    codegen::body(program, key, &generic, args, flags, false)
}

/// The instance that evaluates a global.
pub fn initialiser_key(key: &GlobalKey) -> InstanceKey {
    match key {
        GlobalKey::Static(id) => InstanceKey::StaticInit(*id),
        GlobalKey::Const(id, args) => InstanceKey::ConstInit(*id, args.clone()),
        GlobalKey::Promoted(parent, index) => InstanceKey::Promoted(Box::new(parent.clone()), *index),
    }
}

/// The table entry of a global.
pub fn global(program: &mut Program<'_>, key: &GlobalKey) -> interp::ir::Global {
    let instance = initialiser_key(key);
    let name = names::instance(program, &instance);
    let args = args_of(program, &instance);
    let mut ty = None;
    with_body(program, &instance, &mut |body| ty = body.locals.first().map(|local| local.ty.clone()));
    let ty = ty.map(|ty| program.types.subst_ty(ty.as_ref(), args));
    let (size, align) = match ty.map(|ty| program.types.layout(ty)) {
        Some(Ok(layout)) => (layout.size32().unwrap_or(0), layout.align32()),
        // Alignment 0: size and alignment are unknown.
        _ => (0, 0),
    };
    let thread_local = match key {
        GlobalKey::Static(id) => functions::is_thread_local(program.types.db, *id),
        _ => false,
    };
    let is_static = matches!(key, GlobalKey::Static(_));
    // rustc has evaluated it, or the program would not compile. A failure here is a limitation of ours, or the code
    // is being edited.
    let lost = Some(program.cause_id("a constant or static that could not be computed"));
    interp::ir::Global { name, size, align, init: program.instance(instance), thread_local, is_static, lost }
}

/// Code of a harness. Its flags mark it as std, so reports skip it.
pub(super) fn harness(program: &mut Program<'_>, key: &InstanceKey, target: HarnessTarget) -> Code {
    let harness = program.harness(target);
    let args = GenericArgs::empty(program.types.interner);
    let flags = CodeFlags { is_shim: true, is_std: true, ..CodeFlags::default() };
    codegen::body(program, key, &harness.body, args, flags, false)
}

/// Code of a test in which two threads call methods of a value of a type; it does nothing if that is impossible.
pub(super) fn in_test(program: &mut Program<'_>, key: &InstanceKey, func: FunctionId, adt: AdtId) -> Code {
    let args = GenericArgs::empty(program.types.interner);
    let is_mistyped = program.lowered(func.into()).is_mistyped;
    let body = match program.test_with_calls(func, adt) {
        Some(made) => made.root,
        None => Arc::new(harnesses::without_calls(&mut program.types, func)),
    };
    let flags = CodeFlags { is_mistyped, ..names::fn_flags(program, func) };
    codegen::body(program, key, &body, args, flags, true)
}

/// How a closure's body takes its environment.
pub fn closure_kind(program: &mut Program<'_>, owner: DefWithBodyId, expr: ExprId) -> Option<BodyKind> {
    program.lowered(owner).closures.iter().find(|(id, _)| *id == expr).map(|(_, body)| body.kind)
}
