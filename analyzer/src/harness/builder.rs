//! Builds the body of a harness: locals and straight-line code.

use super::{
    Harness, Skipped, View,
    peers::{OwnMaker, Peers},
};
use crate::{
    ir::{
        Aggregate, Block, BlockId, BodyIr, BodyKind, Callee, Const, Gap, Local, LocalId, Operand, RETURN, Rvalue, Site,
        Stmt, Term,
    },
    std_models::{self, harness::CallKind},
    types::TypeCx,
};
use hir_def::{FunctionId, GenericDefId, hir::ExprId};
use hir_ty::{
    ValueTyDefId,
    next_solver::{DbInterner, GenericArg, GenericArgs, Region, Ty},
};
use la_arena::{Idx, RawIdx};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{Mutability, inherent::Ty as _};
use std::cell::Cell;

/// Maximum nesting of searches for types that implement a trait.
const MAX_NESTED: u32 = 2;

/// Maximum number of nested calls to other types' functions that make a value, as for a builder's builder.
const MAX_MAKERS: u32 = 2;

/// A type that is preferred for type parameters.
#[derive(Clone, Copy)]
pub(super) struct Favoured<'db> {
    pub(super) ty: Ty<'db>,
    /// The only parameter for which it is preferred, among those of its item.
    pub(super) only: Option<(GenericDefId, usize)>,
}

/// The reason why a value cannot be made.
pub(super) type Reason = String;

/// A body under construction.
pub(super) struct HarnessBuilder<'p, 'db> {
    pub(super) cx: &'p mut TypeCx<'db>,
    pub(super) view: View,
    locals: Vec<Local>,
    /// The finished blocks.
    blocks: Vec<Block>,
    /// The statements of the current block.
    stmts: Vec<(Stmt, Site)>,
    /// `stmts.len()` when the current call was started.
    call_start: usize,
    calls: Vec<FunctionId>,
    skipped: Vec<Skipped>,
    /// Current nesting of searches for types that implement a trait.
    nested: Cell<u32>,
    /// Current nesting of calls to other types' functions that make a value.
    makers: u32,
    /// The parameter with the label of the value, in the body of a function that makes one.
    label: Option<LocalId>,
    /// The parameter with the label of the call, in the body of a function that makes one.
    pub(super) call_label: Option<LocalId>,
    /// The number of parameters.
    params: u32,
    /// The type preferred for type parameters.
    pub(super) favoured: Option<Favoured<'db>>,
    /// The index of the constructor that makes the object; 0 for whichever can.
    pub(super) constructor: usize,
    /// Whether private items of crates built for tests are out of reach too.
    pub(super) is_strict: bool,
    /// Whether values must differ from those that were made before.
    pub(super) is_other: bool,
    /// The values that calls take as arguments of their type.
    pub(super) peers: Option<Peers<'db>>,
    /// The object that makes arguments of its calls.
    pub(super) maker: Option<OwnMaker<'db>>,
    gaps: Vec<Gap>,
}

/// A position to which a builder can be rolled back.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint {
    locals: usize,
    blocks: usize,
    stmts: usize,
    calls: usize,
}

impl<'p, 'db> HarnessBuilder<'p, 'db> {
    pub(super) fn new(cx: &'p mut TypeCx<'db>, view: View) -> Self {
        let unit = Ty::new_empty_tuple(cx.interner);
        let (locals, stmts, calls, skipped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut builder = HarnessBuilder {
            cx,
            view,
            locals,
            blocks: Vec::new(),
            stmts,
            call_start: 0,
            calls,
            skipped,
            nested: Cell::new(0),
            makers: 0,
            label: None,
            call_label: None,
            params: 0,
            favoured: None,
            constructor: 0,
            is_strict: false,
            is_other: false,
            peers: None,
            maker: None,
            gaps: Vec::new(),
        };
        builder.local(unit);
        builder
    }

    /// A builder for the body of a function that makes a value.
    pub(super) fn for_value(cx: &'p mut TypeCx<'db>, ty: Ty<'db>, view: View) -> Self {
        let mut builder = HarnessBuilder::new(cx, view);
        builder.locals[0].ty = ty.store();
        let text = Ty::new_imm_ref(builder.interner(), builder.erased(), builder.interner().default_types().types.str);
        builder.label = Some(builder.local(text));
        builder.params = 1;
        builder
    }

    /// A builder for the body of a function that makes a call.
    pub(super) fn for_call(cx: &'p mut TypeCx<'db>, ty: Ty<'db>, kind: CallKind) -> Self {
        let mut builder = HarnessBuilder::new(cx, View::Outside);
        let shared = Ty::new_imm_ref(builder.interner(), builder.erased(), ty);
        let objects = match kind {
            CallKind::Shared | CallKind::Again => vec![shared],
            CallKind::WithOther => vec![shared, shared],
            CallKind::Owned => vec![Ty::new_ref(builder.interner(), builder.erased(), ty, Mutability::Mut)],
            CallKind::Last => vec![ty],
            CallKind::Free => Vec::new(),
        };
        let text = Ty::new_imm_ref(builder.interner(), builder.erased(), builder.interner().default_types().types.str);
        for param in objects.into_iter().chain([text]) {
            builder.call_label = Some(builder.local(param));
            builder.params += 1;
        }
        builder
    }

    /// The parameters of the body.
    pub(super) fn params(&self) -> impl DoubleEndedIterator<Item = LocalId> + use<> {
        (1..=self.params).map(LocalId)
    }

    /// The label of a value: what it is for.
    pub(super) fn label(&self, text: &str) -> Operand {
        self.label.map_or_else(|| Operand::Const(Const::Str(text.into())), Operand::from)
    }

    /// Whether the body returns a value.
    pub(super) fn is_for_value(&self) -> bool {
        self.label.is_some()
    }

    /// Whether values are for a function that its own crate calls.
    pub(super) fn is_in_the_middle(&self) -> bool {
        self.view == View::Inside && self.label.is_none()
    }

    /// A new local with an uninterpreted value.
    pub(super) fn unknown(&mut self, ty: Ty<'db>, cause: String) -> LocalId {
        let gap = self.gaps.len() as u32;
        self.gaps.push(Gap { site: Site::None, cause: cause.into() });
        self.assign(ty, Rvalue::Unknown(gap))
    }

    /// Sets the result to a local.
    pub(super) fn set_result(&mut self, value: LocalId) {
        self.push(Stmt::Assign(RETURN.into(), Rvalue::Use(value.into())));
    }

    /// The body. With a reason its result is uninterpreted.
    pub(super) fn into_body(mut self, why: Option<Reason>) -> BodyIr {
        if let Some(why) = why {
            let gap = self.gaps.len() as u32;
            self.gaps.push(Gap { site: Site::None, cause: why.into() });
            self.push(Stmt::Assign(RETURN.into(), Rvalue::Unknown(gap)));
        }
        self.finish_block(Term::Return);
        let HarnessBuilder { locals, params, blocks, gaps, .. } = self;
        BodyIr { kind: BodyKind::Fn, locals, params, blocks, promoted: Vec::new(), gaps }
    }

    pub(super) fn interner(&self) -> DbInterner<'db> {
        self.cx.interner
    }

    pub(super) fn erased(&self) -> Region<'db> {
        Region::new_erased(self.interner())
    }

    /// The current position.
    pub(super) fn mark(&self) -> Checkpoint {
        Checkpoint {
            locals: self.locals.len(),
            blocks: self.blocks.len(),
            stmts: self.stmts.len(),
            calls: self.calls.len(),
        }
    }

    /// Removes everything after a position.
    pub(super) fn rollback(&mut self, mark: Checkpoint) {
        self.locals.truncate(mark.locals);
        if let Some(block) = self.blocks.drain(mark.blocks.min(self.blocks.len())..).next() {
            self.stmts = block.stmts;
        }
        self.stmts.truncate(mark.stmts);
        self.calls.truncate(mark.calls);
        if let Some(maker) = &mut self.maker {
            maker.forget_after(mark.locals);
        }
    }

    /// Ends the current block; returns its number.
    fn finish_block(&mut self, term: Term) -> BlockId {
        let stmts = std::mem::take(&mut self.stmts);
        self.blocks.push(Block { stmts, term: (term, Site::None), unwind: None, is_cleanup: false });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Branches on a local to one of several cases, numbered from 0, of which the first one starts here.
    pub(super) fn begin_cases(&mut self) -> BlockId {
        self.finish_block(Term::Unreachable)
    }

    /// Ends a case. The next one starts here, or what comes after all of them.
    pub(super) fn end_case(&mut self) {
        self.finish_block(Term::Unreachable);
    }

    /// Ends the cases: `chosen` is the number of the one that runs. With another number none does.
    pub(super) fn end_cases(&mut self, before: BlockId, chosen: LocalId) {
        let next = self.blocks.len() as u32;
        let cases = before.0 + 1..next;
        let targets = cases.clone().enumerate().map(|(number, block)| (number as u128, BlockId(block)));
        let branch = Term::Switch(chosen.into(), targets.collect(), BlockId(next));
        for (block, index) in self.blocks.iter_mut().zip(0..) {
            if index == before.0 {
                block.term.0 = branch.clone();
            } else if cases.contains(&index) {
                block.term.0 = Term::Goto(BlockId(next));
            }
        }
    }

    /// Starts a call, including the values for it.
    pub(super) fn begin_call(&mut self) -> Checkpoint {
        self.call_start = self.stmts.len();
        self.mark()
    }

    /// Number of statements since the call was started.
    pub(super) fn call_len(&self) -> usize {
        self.stmts.len().saturating_sub(self.call_start)
    }

    pub(super) fn local(&mut self, ty: Ty<'db>) -> LocalId {
        self.locals.push(Local { ty: ty.store(), name: None });
        LocalId(self.locals.len() as u32 - 1)
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.stmts.push((stmt, Site::None));
    }

    /// A new local with this value.
    pub(super) fn assign(&mut self, ty: Ty<'db>, value: Rvalue) -> LocalId {
        let local = self.local(ty);
        self.push(Stmt::Assign(local.into(), value));
        local
    }

    /// A new local with a tuple, array, struct or variant that has these fields.
    pub(super) fn aggregate(&mut self, ty: Ty<'db>, of: Aggregate, parts: Vec<LocalId>) -> LocalId {
        let parts = parts.into_iter().map(Operand::from).collect();
        self.assign(ty, Rvalue::Aggregate(of, parts))
    }

    /// A new local with a reference to another local.
    pub(super) fn borrow(&mut self, ty: Ty<'db>, local: LocalId) -> LocalId {
        self.assign(ty, Rvalue::Ref(local.into()))
    }

    pub(super) fn drop(&mut self, local: LocalId) {
        self.push(Stmt::Drop(local.into()));
    }

    /// A helper function by name.
    pub(super) fn helper(&self, name: &str) -> Result<FunctionId, Reason> {
        let path = format!("{}::{name}", std_models::harness::HELPERS);
        std_models::function(self.cx.db, self.cx.krate, &path).ok_or_else(|| "the crate does not use std".to_owned())
    }

    /// A new local with the result of a call.
    pub(super) fn invoke(
        &mut self,
        func: FunctionId,
        args: GenericArgs<'db>,
        values: Vec<Operand>,
        output: Ty<'db>,
    ) -> LocalId {
        let dest = self.local(output);
        let callee = Callee::Fn(func, args.store());
        self.stmts.push((Stmt::Call { dest: dest.into(), callee, args: values }, Site::None));
        dest
    }

    /// A new local with the result of a call to a helper.
    pub(super) fn call_helper(
        &mut self,
        name: &str,
        types: impl IntoIterator<Item = Ty<'db>>,
        values: Vec<Operand>,
        output: Ty<'db>,
    ) -> Result<LocalId, Reason> {
        let func = self.helper(name)?;
        let args: Vec<GenericArg<'db>> = types.into_iter().map(Into::into).collect();
        let args = self.cx.erased_args(func, args);
        Ok(self.invoke(func, args, values, output))
    }

    /// Marks the last statement after `mark` as the call of a function.
    pub(super) fn record_call(&mut self, mark: Checkpoint, func: FunctionId) {
        let site = site(self.calls.len());
        self.calls.push(func);
        if let Some((_, last)) = self.stmts[mark.stmts..].last_mut() {
            *last = site;
        }
    }

    /// Whether the body calls a function.
    pub(super) fn calls(&self, func: FunctionId) -> bool {
        self.calls.contains(&func)
    }

    /// Enters a nested search for types, if the limit allows it; [`Self::leave`] ends it.
    pub(super) fn enter(&self) -> bool {
        let may_enter = self.nested.get() < MAX_NESTED;
        self.nested.set(self.nested.get() + u32::from(may_enter));
        may_enter
    }

    pub(super) fn leave(&self) {
        self.nested.set(self.nested.get() - 1);
    }

    /// Enters a call to another type's function that makes a value, if the limit allows it; [`Self::leave_maker`]
    /// ends it.
    pub(super) fn enter_maker(&mut self) -> bool {
        let may_enter = self.makers < MAX_MAKERS;
        self.makers += u32::from(may_enter);
        may_enter
    }

    pub(super) fn leave_maker(&mut self) {
        self.makers -= 1;
    }

    /// Records that a type gets no harness.
    pub(super) fn skip_type(&mut self, ty: Ty<'db>, why: Reason) {
        self.skipped.push(Skipped { item: self.type_name(ty), why });
    }

    /// Forgets what is not called.
    pub(super) fn forget_skipped(&mut self) {
        self.skipped.clear();
    }

    /// Records that a function is not called.
    pub(super) fn skip(&mut self, func: FunctionId, why: Reason) {
        self.skipped.push(Skipped { item: self.cx.function_name(func), why });
    }

    /// The type of a function item.
    pub(super) fn item(&self, func: FunctionId, args: GenericArgs<'db>) -> Result<Ty<'db>, Reason> {
        let ty = self.cx.db.value_ty(ValueTyDefId::FunctionId(func)).ok_or("function without a type")?;
        Ok(ty.instantiate(self.interner(), args).skip_norm_wip())
    }

    /// A function item as an operand.
    pub(super) fn function_value(ty: Ty<'db>) -> Operand {
        Operand::Const(Const::Zst(ty.store()))
    }

    pub(super) fn type_name(&self, ty: Ty<'db>) -> String {
        let name = self.cx.type_name(ty);
        name.replace("<'<erased>>", "").replace("'<erased>, ", "").replace("'<erased> ", "")
    }

    pub(super) fn finish(mut self) -> Harness {
        let nothing = Rvalue::Aggregate(Aggregate::Plain, Vec::new());
        self.push(Stmt::Assign(RETURN.into(), nothing));
        let (calls, skipped) = (self.calls.clone().into(), self.skipped.clone().into());
        Harness { body: self.into_body(None).into(), calls, skipped }
    }
}

/// The site for the index of a call.
fn site(call: usize) -> Site {
    let id: ExprId = Idx::from_raw(RawIdx::from(call as u32));
    Site::Expr(id)
}

/// The index of the call at a site.
pub(crate) fn call_at(site: Site) -> Option<usize> {
    match site {
        Site::Expr(id) => Some(u32::from(id.into_raw()) as usize),
        _ => None,
    }
}
