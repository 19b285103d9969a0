//! Calls from two threads where a test uses a value: what a test does first is the best preparation.

use super::{View, builder::HarnessBuilder};
use crate::{
    ir::{
        Block, BlockId, BodyIr, BodyKind, Callee, Const, Local, LocalId, LoweredBody, Operand, Place, Rvalue, Site,
        Stmt, Term,
    },
    std_models::runtimes,
    types::TypeCx,
};
use hir_def::{AdtId, FunctionId, hir::ExprId};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;
use std::sync::Arc;

/// Maximum number of places in a test at which a run may stop.
const MAX_PLACES: usize = 40;

/// The argument of a future's body with which it is resumed.
const RESUMED_WITH: LocalId = LocalId(2);

/// The bodies of a test with calls from two threads.
#[derive(Clone)]
pub(crate) struct TestWithCalls {
    pub(crate) root: Arc<BodyIr>,
    /// Those of its futures.
    pub(crate) futures: Vec<(ExprId, Arc<BodyIr>)>,
}

/// A call in the body of a test whose receiver is a reference to a value.
struct UsePlace<'db> {
    block: usize,
    stmt: usize,
    receiver: LocalId,
    /// The second argument, if it is a reference to a value of the same type.
    other: Option<LocalId>,
    /// The type of the value.
    ty: Ty<'db>,
}

/// The bodies of a test, with calls from two threads before one of its own calls on a value of a type, as the run's seed
/// chooses; the run ends after them. `None` if the test has no such call, or if a harness can make a value by itself.
pub(crate) fn with_calls<'db>(cx: &mut TypeCx<'db>, lowered: &LoweredBody, adt: AdtId) -> Option<TestWithCalls> {
    let mut builder = HarnessBuilder::new(cx, View::Outside);
    builder.is_strict = true;
    if builder.build_for_threads(adt) {
        return None;
    }
    let is_future = |it: &&(ExprId, BodyIr)| it.1.kind == BodyKind::Coroutine;
    let futures: Vec<&(ExprId, BodyIr)> = lowered.closures.iter().filter(is_future).collect();
    let bodies = std::iter::once(&lowered.root).chain(futures.iter().map(|(_, body)| body));
    let mut places: Vec<_> = bodies.map(|body| places(cx, body, adt)).collect();
    let mut count = 0;
    for of_body in &mut places {
        of_body.truncate(MAX_PLACES - count);
        count += of_body.len();
    }
    if count == 0 {
        return None;
    }
    let mut insertion = Insertion { next: 0, count };
    let mut places = places.into_iter();
    let root = insertion.insert(cx, &lowered.root, places.next()?)?;
    let mut made = Vec::new();
    for ((expr, body), places) in futures.into_iter().zip(places) {
        made.push((*expr, Arc::new(insertion.insert(cx, body, places)?)));
    }
    Some(TestWithCalls { root: Arc::new(root), futures: made })
}

/// The body of a test of a type that is not called there: it ends at once.
pub(crate) fn without_calls(cx: &mut TypeCx<'_>, test: FunctionId) -> BodyIr {
    let output = cx.signature(test, GenericArgs::empty(cx.interner)).1;
    let mut builder = HarnessBuilder::new(cx, View::Outside);
    let never = builder.interner().default_types().types.never;
    let left = builder.call_helper("threads::leave", [], Vec::new(), never);
    let mut body = builder.into_body(left.err());
    if let Some(result) = body.locals.first_mut() {
        result.ty = output.store();
    }
    body
}

/// How a thread enters the runtime of the thread that starts it.
struct Entering<'db> {
    /// The functions that give a handle, if there is one, and enter it.
    functions: [Ty<'db>; 2],
    /// The types of the handle, of an error, and of what the thread keeps meanwhile.
    parts: [Ty<'db>; 3],
}

fn entering<'db>(cx: &mut TypeCx<'db>) -> Option<Entering<'db>> {
    let functions = runtimes::entering(cx.db, cx.krate)?;
    let [(current, handles), (enter, kept)] = functions.map(|func| {
        let args = cx.erased_args(func, []);
        let item = HarnessBuilder::new(cx, View::Outside).item(func, args);
        (item, cx.signature(func, args).1)
    });
    let [handle, error] = handles.as_adt()?.1.types().collect::<Vec<_>>().try_into().ok()?;
    Some(Entering { functions: [current.ok()?, enter.ok()?], parts: [handle, error, kept] })
}

/// Inserts calls from two threads into the bodies of a test.
struct Insertion {
    /// The number of the next place.
    next: usize,
    /// The number of places in all bodies.
    count: usize,
}

impl Insertion {
    fn insert<'db>(&mut self, cx: &mut TypeCx<'db>, body: &BodyIr, places: Vec<UsePlace<'db>>) -> Option<BodyIr> {
        let mut body = body.clone();
        let first = self.next;
        self.next += places.len();
        // From the last one on, so that indices stay valid.
        for (index, place) in places.into_iter().enumerate().rev() {
            self.insert_at(cx, &mut body, &place, first + index)?;
        }
        Some(body)
    }

    fn insert_at<'db>(
        &self,
        cx: &mut TypeCx<'db>,
        body: &mut BodyIr,
        place: &UsePlace<'db>,
        number: usize,
    ) -> Option<()> {
        let is_future = body.kind == BodyKind::Coroutine;
        let builder = HarnessBuilder::new(cx, View::Outside);
        let interner = builder.interner();
        let types = &interner.default_types().types;
        let reference = Ty::new_imm_ref(interner, builder.erased(), place.ty);
        let [index, count] = [number, self.count].map(|it| Operand::Const(Const::Int(it as u128, types.u64.store())));
        let mut local = |ty: Ty<'db>| {
            body.locals.push(Local { ty: ty.store(), name: None });
            LocalId(body.locals.len() as u32 - 1)
        };
        let [shared, other] = [reference; 2].map(&mut local);
        let result = local(if is_future { types.bool } else { Ty::new_empty_tuple(interner) });
        let (mut generics, mut args) = (vec![place.ty], vec![shared.into(), other.into(), index, count]);
        let entering = if is_future { entering(cx) } else { None };
        let helper = match &entering {
            Some(_) => "threads::within_runtime",
            None if is_future => "threads::within_future",
            None => "threads::within",
        };
        if let Some(Entering { functions, parts }) = entering {
            generics.extend(functions);
            generics.extend(parts);
            args.extend(functions.map(HarnessBuilder::function_value));
        }
        let helper = HarnessBuilder::new(cx, View::Outside).helper(helper).ok()?;
        let generics = cx.erased_args(helper, generics.into_iter().map(Into::into));
        let reborrow = |dest: LocalId, from: LocalId| Stmt::Assign(dest.into(), Rvalue::Ref(Place::from(from).deref()));
        let added = [
            reborrow(shared, place.receiver),
            reborrow(other, place.other.unwrap_or(place.receiver)),
            Stmt::Call { dest: result.into(), callee: Callee::Fn(helper, generics.store()), args },
        ];
        let added = added.map(|stmt| (stmt, Site::None));
        let before = &mut body.blocks[place.block].stmts;
        if !is_future {
            before.splice(place.stmt..place.stmt, added);
            return Some(());
        }
        // `while within_future(…) { suspend }`
        let rest = before.split_off(place.stmt);
        let leave = HarnessBuilder::new(cx, View::Outside).helper("threads::leave").ok()?;
        let leave = Callee::Fn(leave, GenericArgs::empty(interner).store());
        let left = Stmt::Call { dest: result.into(), callee: leave, args: Vec::new() };
        let [again, suspend, drop, after] = [0, 1, 2, 3].map(|it| BlockId((body.blocks.len() + it) as u32));
        let Block { term, unwind, .. } = body.blocks[place.block].clone();
        body.blocks[place.block].term = (Term::Goto(again), Site::None);
        let mut push = |stmts, term| body.blocks.push(Block { stmts, term, unwind, is_cleanup: false });
        push(added.into(), (Term::If(result.into(), suspend, after), Site::None));
        push(Vec::new(), (Term::Suspend { arg: RESUMED_WITH.into(), resume: again, drop }, Site::None));
        push(vec![(left, Site::None)], (Term::Unreachable, Site::None));
        push(rest, term);
        Some(())
    }
}

/// The calls in a body whose receiver is a reference to a value of a type that threads may share.
fn places<'db>(cx: &mut TypeCx<'db>, body: &BodyIr, adt: AdtId) -> Vec<UsePlace<'db>> {
    let mut found = Vec::new();
    for (block, code) in body.blocks.iter().enumerate().filter(|(_, block)| !block.is_cleanup) {
        for (stmt, (code, _)) in code.stmts.iter().enumerate() {
            let Stmt::Call { callee: Callee::Fn(..), args, .. } = code else { continue };
            let mut reference = |arg: Option<&Operand>| {
                let Some(Operand::Use(Place { local, proj })) = arg else { return None };
                let ty = cx.normalize(body.locals.get(local.0 as usize).filter(|_| proj.is_empty())?.ty.as_ref());
                let TyKind::Ref(_, inner, _) = ty.kind() else { return None };
                matches!(inner.kind(), TyKind::Adt(of, _) if of.def_id() == adt).then_some((*local, inner))
            };
            let Some((receiver, ty)) = reference(args.first()) else { continue };
            let other = reference(args.get(1)).filter(|it| it.1 == ty).map(|it| it.0);
            if HarnessBuilder::new(cx, View::Outside).can_share(ty) {
                found.push(UsePlace { block, stmt, receiver, other, ty });
            }
        }
    }
    found
}
