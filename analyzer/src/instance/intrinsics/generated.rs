//! Bodies of std functions written in generic IR ([`Native::Generated`]).

use crate::{
    harness,
    instance::cx::Cx,
    ir::{Block, BodyIr, BodyKind, Callee, Local, LocalId, Operand, Site, Stmt, Term},
    std_models::{self, Generated, Native},
};
use hir_def::{FunctionId, HasModule, ModuleDefId};
use hir_ty::next_solver::{GenericArgs, Ty};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand::name::Name;
use ra_ap_hir_ty as hir_ty;

/// The body of `func`, if it is one of them.
pub fn generated(cx: &mut Cx<'_, '_>, func: FunctionId) -> Option<BodyIr> {
    match std_models::lookup(cx.db(), func)? {
        Native::Generated(Generated::RustPanic) => rust_panic(cx, func),
        Native::Generated(Generated::Make(view)) => {
            let ty = cx.args.types().next()?;
            harness::value(&mut cx.program.types, ty, *view)
        }
        Native::Generated(Generated::Call(kind)) => {
            let ty = cx.args.types().next()?;
            Some(harness::one_call(&mut cx.program.types, ty, *kind))
        }
        _ => None,
    }
}

/// `fn rust_panic(msg: &mut dyn PanicPayload) -> ! { __rust_start_panic(msg.take_box()) }`
///
/// The crate `panic_unwind` would take the box out; here the machine's model receives the box itself.
fn rust_panic(cx: &mut Cx<'_, '_>, func: FunctionId) -> Option<BodyIr> {
    let (db, interner) = (cx.db(), cx.interner());
    let signature = |func: FunctionId| {
        let sig = db.callable_item_signature(func.into()).instantiate_identity().skip_norm_wip();
        interner.instantiate_bound_regions_with_erased(sig)
    };
    let payload = *signature(func).inputs().first()?;
    let dyn_payload: Ty<'_> = payload.strip_references();
    let take_box = dyn_payload.dyn_trait()?.trait_items(db).method_by_name(&Name::new_root("take_box"))?;
    let module = func.module(db);
    let ModuleDefId::FunctionId(start) =
        module.def_map(db)[module].scope.get(&Name::new_root("__rust_start_panic")).values?.def
    else {
        return None;
    };
    let never = interner.default_types().types.never;
    let locals = [never, payload, signature(take_box).output(), signature(start).output()];
    let (msg, taken, code) = (LocalId(1), LocalId(2), LocalId(3));
    let call = |dest: LocalId, func, args: GenericArgs<'_>, arg: LocalId| {
        let callee = Callee::Fn(func, args.store());
        (Stmt::Call { dest: dest.into(), callee, args: vec![Operand::from(arg)] }, Site::None)
    };
    let take = call(taken, take_box, GenericArgs::new_from_slice(&[dyn_payload.into()]), msg);
    let start = call(code, start, GenericArgs::empty(interner), taken);
    Some(BodyIr {
        kind: BodyKind::Fn,
        locals: locals.into_iter().map(|ty| Local { ty: ty.store(), name: None }).collect(),
        params: 1,
        blocks: vec![Block {
            stmts: vec![take, start],
            term: (Term::Unreachable, Site::None),
            unwind: None,
            is_cleanup: false,
        }],
        promoted: Vec::new(),
        gaps: Vec::new(),
    })
}
