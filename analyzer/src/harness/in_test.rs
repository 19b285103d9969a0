//! Calls from two threads where a test uses a value: what a test does first is the best preparation.

use super::{View, builder::HarnessBuilder};
use crate::{
    ir::{BodyIr, Callee, Const, Local, LocalId, Operand, Place, Rvalue, Site, Stmt},
    types::TypeCx,
};
use hir_def::AdtId;
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Maximum number of places in a test at which a run may stop.
const MAX_PLACES: usize = 40;

/// A call in the body of a test whose receiver is a reference to a value.
struct UsePlace<'db> {
    block: usize,
    stmt: usize,
    receiver: LocalId,
    /// The type of the value.
    ty: Ty<'db>,
}

/// The body of a test, with calls from two threads before one of its own calls on a value of a type, as the run's seed
/// chooses; the run ends after them. `None` if the test has no such call, or if a harness can make a value by itself.
pub(crate) fn with_calls<'db>(cx: &mut TypeCx<'db>, body: &BodyIr, adt: AdtId) -> Option<BodyIr> {
    let mut builder = HarnessBuilder::new(cx, View::Outside);
    builder.is_strict = true;
    if builder.build_for_threads(adt) {
        return None;
    }
    let places = places(cx, body, adt);
    let count = places.len();
    if count == 0 {
        return None;
    }
    let mut body = body.clone();
    // From the last one on, so that indices stay valid.
    for (index, place) in places.into_iter().enumerate().rev() {
        let builder = HarnessBuilder::new(cx, View::Outside);
        let helper = builder.helper("threads::within").ok()?;
        let interner = builder.interner();
        let reference = Ty::new_imm_ref(interner, builder.erased(), place.ty);
        let number = interner.default_types().types.u64;
        let unit = Ty::new_empty_tuple(interner);
        let args = cx.erased_args(helper, [place.ty.into()]);
        let mut local = |ty: Ty<'db>| {
            body.locals.push(Local { ty: ty.store(), name: None });
            LocalId(body.locals.len() as u32 - 1)
        };
        let (shared, result) = (local(reference), local(unit));
        let [index, count] = [index, count].map(|it| Operand::Const(Const::Int(it as u128, number.store())));
        let callee = Callee::Fn(helper, args.store());
        let added = [
            Stmt::Assign(shared.into(), Rvalue::Ref(Place::from(place.receiver).deref())),
            Stmt::Call { dest: result.into(), callee, args: vec![shared.into(), index, count] },
        ];
        let at = place.stmt..place.stmt;
        body.blocks[place.block].stmts.splice(at, added.map(|stmt| (stmt, Site::None)));
    }
    Some(body)
}

/// The calls in a body whose receiver is a reference to a value of a type that threads may share.
fn places<'db>(cx: &mut TypeCx<'db>, body: &BodyIr, adt: AdtId) -> Vec<UsePlace<'db>> {
    let mut found = Vec::new();
    for (block, code) in body.blocks.iter().enumerate().filter(|(_, block)| !block.is_cleanup) {
        for (stmt, (code, _)) in code.stmts.iter().enumerate() {
            let Stmt::Call { callee: Callee::Fn(..), args, .. } = code else { continue };
            let Some(Operand::Use(Place { local: receiver, proj })) = args.first() else { continue };
            if !proj.is_empty() {
                continue;
            }
            let receiver = *receiver;
            let Some(local) = body.locals.get(receiver.0 as usize) else { continue };
            let ty = cx.normalize(local.ty.as_ref());
            let TyKind::Ref(_, inner, _) = ty.kind() else { continue };
            let is_it = matches!(inner.kind(), TyKind::Adt(of, _) if of.def_id() == adt);
            if is_it && HarnessBuilder::new(cx, View::Outside).can_share(inner) {
                found.push(UsePlace { block, stmt, receiver, ty: inner });
            }
        }
    }
    found.truncate(MAX_PLACES);
    found
}
