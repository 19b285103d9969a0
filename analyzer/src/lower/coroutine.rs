//! `.await`: polling in a loop, suspending while the future is pending.

use super::cx::Cx;
use crate::ir::{Aggregate, Callee, Operand, Place, Proj, Rvalue, Stmt, Term};
use hir_def::hir::ExprId;
use hir_ty::next_solver::{Mutability, Ty};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

impl Cx<'_, '_> {
    /// `match IntoFuture::into_future(future) { mut awaitee => loop { poll; suspend } }` (Reference, "Await
    /// expressions").
    pub(super) fn await_into(&mut self, dest: Place, future: ExprId) {
        let lang = self.lang();
        let (Some(into_future), Some(poll), Some(pin), Some(resume_arg)) =
            (lang.IntoFutureIntoFuture, lang.FuturePoll, lang.Pin, self.resume_arg)
        else {
            self.expr_for_effect(future);
            return self.gap_into(dest, "`.await` outside of an async body");
        };
        let awaited_ty = self.ty(future);
        let value = self.operand(future);
        let args = self.generic_args(&[awaited_ty]);
        let future_ty = self.fn_output(into_future, args);
        self.in_variable_scope(|cx| {
            let awaitee = cx.temporary(future_ty);
            cx.call(awaitee, Callee::Fn(into_future, args.store()), vec![value]);
            let scope = cx.innermost_scope();
            cx.schedule(scope, awaitee);

            let again = cx.new_block();
            cx.goto_and_continue(again);
            let ref_ty = cx.ref_ty(future_ty, Mutability::Mut);
            let borrowed = cx.scratch(ref_ty);
            cx.assign(borrowed, Rvalue::Ref(awaitee.into()));
            let pin_args = cx.generic_args(&[ref_ty]);
            let pin_ty = Ty::new_adt(cx.interner(), pin.into(), pin_args);
            let pinned = cx.scratch(pin_ty);
            let pin_new = Rvalue::Aggregate(Aggregate::Variant(pin.into()), vec![borrowed.into()]);
            cx.assign(pinned, pin_new);
            let poll_args = cx.generic_args(&[future_ty]);
            let poll_ty = cx.fn_output(poll, poll_args);
            let polled = cx.scratch(poll_ty);
            let operands = vec![pinned.into(), resume_arg.into()];
            cx.push(Stmt::Await);
            cx.call(polled, Callee::Fn(poll, poll_args.store()), operands);

            let (ready, pending) = (cx.new_block(), cx.new_block());
            // `Poll::Ready` is the first variant.
            cx.terminate(Term::Variant(polled.into(), vec![(0, ready)], pending));
            cx.cur = pending;
            let dropped = cx.new_block();
            cx.terminate(Term::Suspend { arg: resume_arg.into(), resume: again, drop: dropped });
            cx.cur = dropped;
            cx.emit_exit(0);
            cx.terminate(Term::Return);

            cx.cur = ready;
            let value = Place::from(polled).then(Proj::Downcast(0)).field(0);
            cx.assign(dest, Rvalue::Use(Operand::Use(value)));
        });
    }
}
