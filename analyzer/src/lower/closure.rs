//! Whole bodies: functions, consts, closures, coroutines; and access to captures.

use super::{cx::Cx, moves, unexpanded_calls};
use crate::ir::{
    Aggregate, Block, BodyIr, BodyKind, Gap, Local, LocalId, Operand, Place, Proj, RETURN, Rvalue, Site, Stmt, Term,
};
use hir_def::{
    DefWithBodyId, FunctionId,
    expr_store::Body,
    hir::{BindingId, ClosureKind, Expr, ExprId, PatId},
};
use hir_ty::{
    InferenceResult,
    closure_analysis::{CapturedPlace, PlaceBase, ProjectionKind, UpvarCapture},
    db::HirDatabase,
    next_solver::{Mutability, StoredTy, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{GenericArgs as _, IntoKind, Ty as _};

/// Lowers the body of `def` itself.
pub(super) fn lower_root<'db>(
    db: &'db dyn HirDatabase,
    def: DefWithBodyId,
    body: &Body,
    infer: &'db InferenceResult<'db>,
    closures: &mut Vec<(ExprId, BodyIr)>,
) -> BodyIr {
    let root = body.root_expr();
    let kind = match def {
        DefWithBodyId::FunctionId(_) => BodyKind::Fn,
        _ => BodyKind::Const,
    };
    let mut cx = Cx::new(db, def, body, infer, closures, kind);
    match def {
        DefWithBodyId::FunctionId(func) => {
            let (inputs, output) = cx.signature(func);
            cx.new_local(output, None);
            let mut inputs = inputs.into_iter();
            let mut params = Vec::new();
            if let Some(self_param) = body.self_param {
                params.extend(inputs.next().map(|ty| (Param::This(self_param.formal), ty)));
            }
            params.extend(body.params.iter().map(|it| Param::Pat(it.formal)).zip(inputs));
            cx.function_body(&params, root);
        }
        _ => {
            let ty = cx.ty(root);
            cx.new_local(ty, None);
            match unexpanded_calls::attribute(db, def) {
                Some(cause) => cx.unknown_body(cause),
                None => cx.const_body(root, infer.expr_adjustment(root).map_or(0, <[_]>::len)),
            }
        }
    }
    cx.finish()
}

/// The replacement for a body whose lowering panicked.
pub(super) fn not_lowered(ty: StoredTy, cause: &str) -> BodyIr {
    let mut body = moves::empty_body();
    body.locals.push(Local { ty, name: None });
    body.gaps.push(Gap { site: Site::None, cause: cause.into() });
    body.blocks.push(Block {
        stmts: vec![(Stmt::Assign(RETURN.into(), Rvalue::Unknown(0)), Site::None)],
        term: (Term::Return, Site::None),
        unwind: None,
        is_cleanup: false,
    });
    body
}

enum Param {
    This(BindingId),
    Pat(PatId),
}

impl<'db> Cx<'_, 'db> {
    fn signature(&self, func: FunctionId) -> (Vec<Ty<'db>>, Ty<'db>) {
        let sig = self.db.callable_item_signature(func.into());
        let sig = self.interner().liberate_late_bound_regions(func.into(), sig.instantiate_identity().skip_norm_wip());
        (sig.inputs().to_vec(), sig.output())
    }

    /// Lowers parameters, then the body. Local 0 exists, and in closures the environment's local.
    fn function_body(&mut self, params: &[(Param, Ty<'db>)], root: ExprId) {
        let first = self.ir.locals.len();
        let mut locals = Vec::new();
        for (param, ty) in params {
            // A parameter that is a plain variable uses the variable's local.
            let binding = match param {
                Param::This(binding) => Some(*binding),
                Param::Pat(pat) => self.simple_param(*pat),
            };
            let name = binding.map(|it| self.store[it].name.as_str().into());
            let local = self.new_local(*ty, name);
            if let Some(binding) = binding {
                self.bindings.insert(binding, local);
            }
            locals.push(local);
        }
        self.ir.params = (self.ir.locals.len() - 1) as u32;
        // The site of the drops of parameters at the end.
        if self.site == Site::None {
            self.site = Site::Expr(root);
        }
        debug_assert_eq!(first, self.ir.params as usize + 1 - params.len());
        self.in_temporary_scope(|cx| {
            cx.environment();
            let scope = cx.innermost_scope();
            for ((param, _), local) in params.iter().zip(locals) {
                cx.schedule(scope, local);
                if let Param::Pat(pat) = param
                    && cx.simple_param(*pat).is_none()
                {
                    cx.bind_pattern(local.into(), *pat, scope);
                }
            }
            cx.in_temporary_scope(|cx| cx.expr_into(RETURN.into(), root));
        });
        self.terminate(Term::Return);
    }

    fn simple_param(&mut self, pat: PatId) -> Option<BindingId> {
        let hir_def::hir::Pat::Bind { id, subpat: None } = self.store[pat] else { return None };
        let mode = self.infer.binding_mode(pat);
        let by_value = !matches!(mode, Some(hir_ty::BindingMode(hir_ty::ByRef::Yes(_), _)));
        let plain = self.infer.pat_adjustment(pat).is_none_or(|it| it.is_empty());
        (by_value && plain).then_some(id)
    }

    /// Lowers the body of a const, a static or a promoted expression: its borrows are `'static`.
    pub(super) fn const_body(&mut self, root: ExprId, adjustments: usize) {
        self.in_variable_scope(|cx| {
            cx.in_temporary_scope(|cx| {
                cx.extend_expr(root, 0);
                cx.expr_into_adjusted(RETURN.into(), root, adjustments);
            });
            // Extended temporaries are never dropped, so the outer scope has no exits.
            cx.terminate(Term::Return);
            let dead = cx.new_block();
            cx.cur = dead;
        });
        self.terminate(Term::Unreachable);
    }

    /// The body of a constant with an unknown value.
    fn unknown_body(&mut self, cause: Box<str>) {
        self.gap_into(RETURN.into(), cause);
        self.terminate(Term::Return);
    }

    /// Schedules drops of the captures that a closure or coroutine owns.
    fn environment(&mut self) {
        let scope = self.innermost_scope();
        let env = LocalId(1);
        match self.ir.kind {
            BodyKind::ClosureOnce => self.schedule(scope, env),
            BodyKind::Coroutine => {
                let captures: Vec<_> = self.captures().map(|it| it.captured_ty(self.db)).collect();
                let mut locals = Vec::new();
                for (index, ty) in captures.into_iter().enumerate() {
                    let local = self.new_local(ty, None);
                    let field = Place::from(env).deref().field(index as u32);
                    self.assign(local, Rvalue::Use(Operand::Use(field)));
                    locals.push(local);
                }
                self.captured_locals = locals.clone();
                // Captures are dropped in order of capture, so they are scheduled in reverse.
                for local in locals.into_iter().rev() {
                    self.schedule(scope, local);
                }
            }
            BodyKind::Fn | BodyKind::Const | BodyKind::ClosureByRef => {}
        }
    }

    fn captures(&self) -> impl Iterator<Item = &'db CapturedPlace> + use<'db> {
        let infer = self.infer;
        self.closure
            .and_then(|it| infer.closures_data.get(&it))
            .into_iter()
            .flat_map(|it| it.min_captures.values().flatten())
    }

    /// Makes a closure or coroutine object, and lowers its body.
    pub(super) fn closure_into(&mut self, dest: Place, expr: ExprId, kind: ClosureKind) {
        let infer = self.infer;
        let Some(data) = infer.closures_data.get(&expr) else {
            return self.gap_into(dest, "closure that inference did not understand");
        };
        let mut operands = Vec::new();
        for capture in data.min_captures.values().flatten() {
            let Some(place) = self.captured_place(capture) else {
                return self.gap_into(dest, "capture of something that is no variable");
            };
            match capture.info.capture_kind {
                UpvarCapture::ByRef(_) => {
                    let ty = capture.captured_ty(self.db);
                    let borrowed = self.scratch(ty);
                    self.assign(borrowed, Rvalue::Ref(place));
                    operands.push(borrowed.into());
                }
                UpvarCapture::ByValue | UpvarCapture::ByUse => operands.push(Operand::Use(place)),
            }
        }
        self.assign(dest, Rvalue::Aggregate(Aggregate::Captures, operands));
        self.closure_body(expr, kind);
    }

    fn captured_place(&mut self, capture: &CapturedPlace) -> Option<Place> {
        let (PlaceBase::Local(binding) | PlaceBase::Upvar { var_id: binding, .. }) = capture.place.base else {
            return None;
        };
        let mut place = self.binding_place(binding);
        for (index, proj) in capture.place.projections.iter().enumerate() {
            match proj.kind {
                ProjectionKind::Deref => place = place.deref(),
                ProjectionKind::Field { field_idx, variant_idx } => {
                    let is_enum = match capture.place.ty_before_projection(index).kind() {
                        TyKind::Adt(def, _) => {
                            matches!(def.def_id(), hir_def::AdtId::EnumId(_))
                        }
                        _ => false,
                    };
                    if is_enum {
                        place = place.then(Proj::Downcast(variant_idx));
                    }
                    place = place.field(field_idx);
                }
                _ => return None,
            }
        }
        Some(place)
    }

    fn closure_body(&mut self, expr: ExprId, closure_kind: ClosureKind) {
        let Expr::Closure { args, body, .. } = &self.store[expr] else { return };
        if self.closures.iter().any(|(it, _)| *it == expr) {
            return;
        }
        let ty = self.bare_ty(expr);
        let once = |kind| kind == rustc_type_ir::ClosureKind::FnOnce;
        let sig = self.infer.closures_data.get(&expr).map(|it| it.liberated_sig.get());
        let (kind, output) = match ty.kind() {
            TyKind::Closure(_, generic) => {
                let by_value = once(generic.as_closure().kind());
                let kind = if by_value { BodyKind::ClosureOnce } else { BodyKind::ClosureByRef };
                (kind, sig.map(|it| it.output()))
            }
            TyKind::CoroutineClosure(_, generic) => {
                let by_value = once(generic.as_coroutine_closure().kind());
                let kind = if by_value { BodyKind::ClosureOnce } else { BodyKind::ClosureByRef };
                (kind, Some(self.ty(*body)))
            }
            TyKind::Coroutine(_, generic) => (BodyKind::Coroutine, Some(generic.as_coroutine().return_ty())),
            _ => return,
        };
        debug_assert!(kind != BodyKind::Coroutine || matches!(closure_kind, ClosureKind::Coroutine { .. }));
        let Some(output) = output else { return };
        let inputs: Vec<Ty<'db>> = match (kind, sig) {
            (BodyKind::Coroutine, _) | (_, None) => Vec::new(),
            (_, Some(sig)) => sig.inputs().to_vec(),
        };
        let mut closures = std::mem::take(self.closures);
        let mut cx = Cx::new(self.db, self.def, self.store, self.infer, &mut closures, kind);
        cx.closure = Some(expr);
        // The site of the drops of its captures.
        cx.site = Site::Expr(expr);
        cx.new_local(output, None);
        match kind {
            BodyKind::Coroutine => {
                cx.new_local(Ty::new_ptr(cx.interner(), ty, Mutability::Mut), None);
                let context = Ty::new_ptr(cx.interner(), cx.unit_ty(), Mutability::Mut);
                cx.resume_arg = Some(cx.new_local(context, None));
            }
            BodyKind::ClosureOnce => {
                cx.new_local(ty, None);
            }
            _ => {
                cx.new_local(cx.ref_ty(ty, Mutability::Mut), None);
            }
        }
        let params: Vec<_> = args.iter().map(|&it| Param::Pat(it)).zip(inputs).collect();
        cx.function_body(&params, *body);
        let lowered = cx.finish();
        closures.push((expr, lowered));
        *self.closures = closures;
    }

    /// Replaces places of enclosing bodies' variables by places of the environment.
    pub(super) fn resolve_upvars(&mut self) {
        if self.upvars.is_empty() {
            return;
        }
        let by_root: Vec<(LocalId, BindingId)> = self.upvars.iter().map(|(&b, &l)| (l, b)).collect();
        let env = match self.ir.kind {
            BodyKind::ClosureOnce => Some(Place::from(LocalId(1))),
            BodyKind::ClosureByRef => Some(Place::from(LocalId(1)).deref()),
            _ => None,
        };
        let captures: Vec<_> = self.captures().collect();
        let captured_locals = self.captured_locals.clone();
        let mut ir = std::mem::replace(&mut self.ir, moves::empty_body());
        let mut unresolved = false;
        ir.each_place_mut(|place| {
            let Some(&(_, binding)) = by_root.iter().find(|it| it.0 == place.local) else { return };
            for (index, capture) in captures.iter().enumerate() {
                if capture.captured_local() != binding {
                    continue;
                }
                let Some(used) = covered(capture, &place.proj) else { continue };
                let mut new = match (&env, captured_locals.get(index)) {
                    (Some(env), _) => env.field(index as u32),
                    (None, Some(&local)) => local.into(),
                    (None, None) => continue,
                };
                if capture.is_by_ref() {
                    new = new.deref();
                }
                new.proj.extend(place.proj.drain(..).skip(used));
                *place = new;
                return;
            }
            unresolved = true;
        });
        self.ir = ir;
        if unresolved {
            // The placeholder stays uninitialised: reads of it are uninterpreted.
            for (local, _) in by_root {
                let rvalue = self.gap("variable that is not captured");
                let site = self.closure.map_or(Site::None, Site::Expr);
                self.ir.blocks[0].stmts.insert(0, (Stmt::Assign(local.into(), rvalue), site));
            }
        }
    }
}

/// The number of a place's projections that a capture covers, if the place lies in it.
fn covered(capture: &CapturedPlace, proj: &[Proj]) -> Option<usize> {
    let mut used = 0;
    for captured in &capture.place.projections {
        // A variant's field is two projections here and one in a capture.
        if matches!(proj.get(used), Some(Proj::Downcast(_))) {
            used += 1;
        }
        match (&captured.kind, proj.get(used)?) {
            (ProjectionKind::Deref, Proj::Deref) => {}
            (ProjectionKind::Field { field_idx, .. }, Proj::Field(index)) if field_idx == index => {}
            _ => return None,
        }
        used += 1;
    }
    Some(used)
}
