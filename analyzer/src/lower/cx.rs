//! The body being built.

use super::{
    alternatives::Choice,
    moves, prune,
    scope::{LoopScope, Scope},
    syntax_facts::{SyntaxFacts, syntax_facts},
};
use crate::{
    ir::{
        Block, BlockId, BodyIr, BodyKind, Callee, Gap, Local, LocalId, Operand, Place, Proj, Rvalue, Site, Stmt, Term,
    },
    workarounds::{broken_projections, include_lengths},
};
use hir_def::{
    DefWithBodyId, ExpressionStoreOwnerId, FunctionId,
    expr_store::Body,
    hir::{BindingId, Expr, ExprId},
    lang_item::{LangItems, lang_items},
    resolver::{HasResolver, Resolver},
    type_ref::TypeRefId,
};
use hir_ty::{
    InferBodyId, InferenceResult, LifetimeElisionKind, LifetimeLoweringMode, TyLoweringContext,
    db::HirDatabase,
    next_solver::{
        DbInterner, EarlyBinder, ErrorGuaranteed, GenericArgs, Mutability, ParamEnv, Region, Ty, TyKind, TypingMode,
        infer::{DbInternerInferExt, InferCtxt, traits::ObligationCause},
    },
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_span::Edition;
use rustc_hash::{FxHashMap, FxHashSet};
use rustc_type_ir::{
    TypeVisitableExt, UintTy,
    inherent::{GenericArgs as _, IntoKind, Ty as _},
};
use std::{cell::OnceCell, sync::Arc};

/// The state while a body is lowered. The methods are in the modules of `lower`, by subject.
pub(super) struct Cx<'a, 'db> {
    pub(super) db: &'db dyn HirDatabase,
    pub(super) def: DefWithBodyId,
    pub(super) store: &'a Body,
    pub(super) syntax: Arc<SyntaxFacts>,
    /// Length of the body's only `include_bytes!`.
    included_length: OnceCell<Option<u64>>,
    pub(super) infer: &'db InferenceResult<'db>,
    pub(super) resolver: Resolver<'db>,
    pub(super) store_owner: ExpressionStoreOwnerId,
    pub(super) infcx: InferCtxt<'db>,
    pub(super) env: ParamEnv<'db>,
    pub(super) edition: Edition,
    /// Bodies of the closures found so far.
    pub(super) closures: &'a mut Vec<(ExprId, BodyIr)>,

    pub(super) ir: BodyIr,
    pub(super) cur: BlockId,
    pub(super) site: Site,
    /// The innermost expression being lowered: names in patterns are resolved there.
    pub(super) within: Option<ExprId>,
    pub(super) scopes: Vec<Scope>,
    pub(super) loops: Vec<LoopScope>,
    /// The block that only resumes unwinding.
    pub(super) resume: Option<BlockId>,
    pub(super) bindings: FxHashMap<BindingId, LocalId>,
    /// While an arm's guard runs: places in the scrutinee of by-value bindings.
    pub(super) guard_alias: FxHashMap<BindingId, Place>,
    /// While an arm's guard runs: the chosen alternatives of its or-patterns.
    pub(super) choice: Choice,
    /// Placeholders for variables of enclosing bodies; replaced by captures when the body is complete.
    pub(super) upvars: FxHashMap<BindingId, LocalId>,
    /// Temporaries that outlive their statement, with their scopes.
    pub(super) extended: FxHashMap<ExprId, usize>,
    /// Values that are promoted as a whole although only a part is borrowed.
    pub(super) promoted_bases: FxHashSet<ExprId>,
    /// The closure to which the body belongs.
    pub(super) closure: Option<ExprId>,
    /// In a coroutine: the local of the resume argument.
    pub(super) resume_arg: Option<LocalId>,
    /// In a coroutine: the locals of its captures, in order.
    pub(super) captured_locals: Vec<LocalId>,
    needs_drop: FxHashMap<Ty<'db>, bool>,
}

impl<'a, 'db> Cx<'a, 'db> {
    pub(super) fn new(
        db: &'db dyn HirDatabase,
        def: DefWithBodyId,
        store: &'a Body,
        infer: &'db InferenceResult<'db>,
        closures: &'a mut Vec<(ExprId, BodyIr)>,
        kind: BodyKind,
    ) -> Self {
        let resolver = InferBodyId::from(def).resolver(db);
        let krate = resolver.krate();
        let interner = DbInterner::new_with(db, krate);
        let env = InferBodyId::from(def).generic_def(db);
        let env = db.trait_environment(env);
        // Opaque types stay opaque: the type behind that of a trait's function depends on the impl.
        let infcx = interner.infer_ctxt().build(TypingMode::non_body_analysis());
        let mut cx = Cx {
            db,
            def,
            store,
            syntax: syntax_facts(db, def),
            included_length: OnceCell::new(),
            infer,
            resolver,
            store_owner: ExpressionStoreOwnerId::from(def),
            infcx,
            env,
            edition: krate.data(db).edition,
            closures,
            ir: BodyIr {
                kind,
                locals: Vec::new(),
                params: 0,
                blocks: Vec::new(),
                promoted: Vec::new(),
                gaps: Vec::new(),
            },
            cur: BlockId(0),
            site: Site::None,
            within: None,
            scopes: Vec::new(),
            loops: Vec::new(),
            resume: None,
            bindings: FxHashMap::default(),
            guard_alias: FxHashMap::default(),
            promoted_bases: FxHashSet::default(),
            choice: Choice::new(),
            upvars: FxHashMap::default(),
            extended: FxHashMap::default(),
            closure: None,
            resume_arg: None,
            captured_locals: Vec::new(),
            needs_drop: FxHashMap::default(),
        };
        cx.cur = cx.new_block();
        cx
    }

    /// The finished body.
    pub(super) fn finish(mut self) -> BodyIr {
        self.resolve_upvars();
        prune::prune(&mut self.ir);
        moves::elaborate(&mut self);
        prune::prune(&mut self.ir);
        self.ir
    }

    // --- blocks

    pub(super) fn new_block(&mut self) -> BlockId {
        let id = BlockId(self.ir.blocks.len() as u32);
        self.ir.blocks.push(Block {
            stmts: Vec::new(),
            term: (Term::Unreachable, Site::None),
            unwind: None,
            is_cleanup: false,
        });
        id
    }

    pub(super) fn block(&mut self, id: BlockId) -> &mut Block {
        &mut self.ir.blocks[id.0 as usize]
    }

    /// Ends the current block.
    pub(super) fn terminate(&mut self, term: Term) {
        let (cur, site) = (self.cur, self.site);
        self.block(cur).term = (term, site);
    }

    /// Ends the current block and continues in an unreachable one: dead code follows.
    pub(super) fn diverge(&mut self, term: Term) {
        self.terminate(term);
        self.cur = self.new_block();
    }

    pub(super) fn goto(&mut self, to: BlockId) {
        self.terminate(Term::Goto(to));
    }

    /// Ends the current block with a jump to `to` and continues there.
    pub(super) fn goto_and_continue(&mut self, to: BlockId) {
        self.goto(to);
        self.cur = to;
    }

    /// A statement that cannot panic.
    pub(super) fn push(&mut self, stmt: Stmt) {
        let (cur, site) = (self.cur, self.site);
        self.block(cur).stmts.push((stmt, site));
    }

    /// A statement that may panic: the block unwinds through all drops that are scheduled now.
    pub(super) fn push_may_panic(&mut self, stmt: Stmt) {
        let unwind = self.unwind_target();
        self.push_with_unwind(stmt, unwind);
    }

    pub(super) fn push_with_unwind(&mut self, stmt: Stmt, unwind: Option<BlockId>) {
        let cur = self.cur;
        let may_panic = self.block(cur).stmts.iter().any(|(it, _)| may_panic(it));
        if may_panic && self.block(cur).unwind != unwind {
            let next = self.new_block();
            self.goto_and_continue(next);
        }
        let cur = self.cur;
        self.block(cur).unwind = unwind;
        self.push(stmt);
    }

    pub(super) fn assign(&mut self, place: impl Into<Place>, rvalue: Rvalue) {
        let stmt = Stmt::Assign(place.into(), rvalue);
        if may_panic(&stmt) { self.push_may_panic(stmt) } else { self.push(stmt) }
    }

    pub(super) fn call(&mut self, dest: impl Into<Place>, callee: Callee, args: Vec<Operand>) {
        self.push_may_panic(Stmt::Call { dest: dest.into(), callee, args });
    }

    // --- locals

    pub(super) fn new_local(&mut self, ty: Ty<'db>, name: Option<Box<str>>) -> LocalId {
        let id = LocalId(self.ir.locals.len() as u32);
        self.ir.locals.push(Local { ty: ty.store(), name });
        id
    }

    /// A local that needs no drop: scalars, addresses.
    pub(super) fn scratch(&mut self, ty: Ty<'db>) -> LocalId {
        self.new_local(ty, None)
    }

    pub(super) fn local_ty(&self, local: LocalId) -> Ty<'db> {
        self.ir.locals[local.0 as usize].ty.as_ref()
    }

    // --- gaps

    /// Records an unsupported construct; its value is uninterpreted.
    pub(super) fn gap(&mut self, cause: impl Into<Box<str>>) -> Rvalue {
        Rvalue::Unknown(self.gap_number(cause))
    }

    fn gap_number(&mut self, cause: impl Into<Box<str>>) -> u32 {
        let index = self.ir.gaps.len() as u32;
        self.ir.gaps.push(Gap { site: self.site, cause: cause.into() });
        index
    }

    /// Like [`Self::gap`], for a macro that is not expanded. It may also have left the function.
    pub(super) fn omitted_into(&mut self, dest: Place, cause: impl Into<Box<str>>) {
        let gap = self.gap_number(cause);
        self.push(Stmt::Omitted(gap));
        self.assign(dest, Rvalue::Unknown(gap));
    }

    // --- types

    pub(super) fn interner(&self) -> DbInterner<'db> {
        self.infcx.interner
    }

    pub(super) fn lang(&self) -> &'db LangItems {
        lang_items(self.db, self.resolver.krate())
    }

    pub(super) fn norm(&self, ty: Ty<'db>) -> Ty<'db> {
        if !ty.has_aliases() {
            return ty;
        }
        self.infcx.at(&ObligationCause::dummy(), self.env).deeply_normalize(ty).unwrap_or(ty)
    }

    /// Type of an expression before its adjustments.
    pub(super) fn bare_ty(&self, expr: ExprId) -> Ty<'db> {
        self.with_length(expr, self.infer.expr_ty(expr))
    }

    /// Inference does not know the length of an `include_bytes!`.
    pub(super) fn with_length(&self, expr: ExprId, ty: Ty<'db>) -> Ty<'db> {
        if !matches!(self.store[expr], Expr::IncludeBytes) {
            return self.with_inferred_length(ty);
        }
        let Some(bytes) = self.included_bytes(expr) else { return ty };
        let array = Ty::new_array(self.interner(), Ty::new_uint(self.interner(), UintTy::U8), bytes.len() as u64);
        match ty.kind() {
            TyKind::Array(..) => array,
            TyKind::Ref(_, inner, _) if matches!(inner.kind(), TyKind::Array(..)) => {
                self.ref_ty(array, Mutability::Not)
            }
            _ => ty,
        }
    }

    /// The same for types that contain the length: `Aligned { bytes: *include_bytes!("table") }`. If the body has only
    /// one such call, an unknown length is that call's.
    pub(super) fn with_inferred_length(&self, ty: Ty<'db>) -> Ty<'db> {
        match self.included_length.get_or_init(|| self.included_length()) {
            Some(length) => include_lengths::with_length(self.interner(), ty, *length),
            None => ty,
        }
    }

    /// Type of an expression after its adjustments.
    pub(super) fn ty(&self, expr: ExprId) -> Ty<'db> {
        let ty = self.infer.type_of_expr_with_adjust(expr).unwrap_or_else(|| self.infer.expr_ty(expr));
        self.with_length(expr, ty)
    }

    /// A type annotation in `expr`.
    pub(super) fn written_ty(&mut self, expr: ExprId, ty: TypeRefId) -> Ty<'db> {
        let guard = self.resolver.update_to_inner_scope(self.db, self.store_owner, expr);
        let generics = OnceCell::new();
        let ty = TyLoweringContext::new(
            self.db,
            &self.resolver,
            Body::of(self.db, self.def),
            self.store_owner,
            InferBodyId::from(self.def).generic_def(self.db),
            &generics,
            LifetimeElisionKind::Infer,
            LifetimeLoweringMode::LateParam,
        )
        .lower_ty(ty);
        self.resolver.reset_to_guard(guard);
        self.norm(ty)
    }

    /// The return type of a function with these arguments.
    pub(super) fn fn_output(&self, func: FunctionId, args: GenericArgs<'db>) -> Ty<'db> {
        let sig = self.db.callable_item_signature(func.into());
        let sig = sig.instantiate(self.interner(), args).skip_norm_wip().skip_binder();
        self.norm(sig.output())
    }

    pub(super) fn erased(&self) -> Region<'db> {
        Region::new_erased(self.interner())
    }

    pub(super) fn ref_ty(&self, ty: Ty<'db>, mutability: Mutability) -> Ty<'db> {
        Ty::new_ref(self.interner(), self.erased(), ty, mutability)
    }

    pub(super) fn unit_ty(&self) -> Ty<'db> {
        Ty::new_unit(self.interner())
    }

    pub(super) fn bool_ty(&self) -> Ty<'db> {
        Ty::new_bool(self.interner())
    }

    pub(super) fn usize_ty(&self) -> Ty<'db> {
        Ty::new_usize(self.interner())
    }

    pub(super) fn generic_args(&self, types: &[Ty<'db>]) -> GenericArgs<'db> {
        GenericArgs::new_from_slice(&types.iter().map(|&it| it.into()).collect::<Vec<_>>())
    }

    /// Whether a value of this type may need a drop for some type arguments.
    pub(super) fn needs_drop(&mut self, ty: Ty<'db>) -> bool {
        match ty.kind() {
            TyKind::Bool
            | TyKind::Char
            | TyKind::Int(_)
            | TyKind::Uint(_)
            | TyKind::Float(_)
            | TyKind::Str
            | TyKind::Never
            | TyKind::Ref(..)
            | TyKind::RawPtr(..)
            | TyKind::FnDef(..)
            | TyKind::FnPtr(..)
            | TyKind::Error(_) => false,
            TyKind::Tuple(tys) => {
                if let Some(&known) = self.needs_drop.get(&ty) {
                    return known;
                }
                let known = tys.iter().any(|it| self.needs_drop(it));
                self.needs_drop.insert(ty, known);
                known
            }
            TyKind::Array(elem, _) | TyKind::Slice(elem) => self.needs_drop(elem),
            TyKind::Adt(..) => {
                if let Some(&known) = self.needs_drop.get(&ty) {
                    return known;
                }
                let known = broken_projections::may_need_drop(&self.infcx, self.env, ty);
                self.needs_drop.insert(ty, known);
                known
            }
            _ => true,
        }
    }

    /// Type of a place; the error type if a part is unknown.
    pub(super) fn place_ty(&self, place: &Place) -> Ty<'db> {
        let mut ty = self.norm(self.local_ty(place.local));
        let mut variant = None;
        for proj in &place.proj {
            let downcast = variant.take();
            ty = match proj {
                Proj::Downcast(index) => {
                    variant = Some(*index);
                    continue;
                }
                Proj::Deref => ty.builtin_deref(true).unwrap_or_else(|| self.error_ty()),
                Proj::Field(index) => self.field_ty(ty, downcast, *index),
                Proj::Index(_) | Proj::ConstIndex { .. } => match ty.kind() {
                    TyKind::Array(elem, _) | TyKind::Slice(elem) => elem,
                    _ => self.error_ty(),
                },
                Proj::Subslice { from, to } => match ty.kind() {
                    TyKind::Array(elem, len) => {
                        let len = hir_ty::consteval::try_const_usize(self.db, len);
                        match len {
                            Some(len) => Ty::new_array(self.interner(), elem, (len as u64).saturating_sub(from + to)),
                            None => self.error_ty(),
                        }
                    }
                    _ => ty,
                },
            };
            ty = self.norm(ty);
        }
        ty
    }

    pub(super) fn error_ty(&self) -> Ty<'db> {
        Ty::new_error(self.interner(), ErrorGuaranteed)
    }

    /// Type of a field of a struct, union, variant, tuple, closure or coroutine.
    pub(super) fn field_ty(&self, ty: Ty<'db>, variant: Option<u32>, index: u32) -> Ty<'db> {
        match ty.kind() {
            TyKind::Tuple(tys) => tys.iter().nth(index as usize).unwrap_or_else(|| self.error_ty()),
            TyKind::Closure(_, args) => self.field_ty(args.as_closure().tupled_upvars_ty(), None, index),
            TyKind::Coroutine(_, args) => self.field_ty(args.as_coroutine().tupled_upvars_ty(), None, index),
            TyKind::CoroutineClosure(_, args) => {
                self.field_ty(args.as_coroutine_closure().tupled_upvars_ty(), None, index)
            }
            TyKind::Adt(def, args) => {
                use hir_def::AdtId;
                let variant = match (def.def_id(), variant) {
                    (AdtId::StructId(it), _) => it.into(),
                    (AdtId::UnionId(it), _) => it.into(),
                    (AdtId::EnumId(it), Some(variant)) => {
                        match it.enum_variants(self.db).variants.get_index(variant as usize) {
                            Some((_, (id, _))) => (*id).into(),
                            None => return self.error_ty(),
                        }
                    }
                    (AdtId::EnumId(_), None) => return self.error_ty(),
                };
                let variant: hir_def::VariantId = variant;
                let types = self.db.field_types(variant);
                match types.iter().nth(index as usize) {
                    Some((_, field)) => self.norm(
                        EarlyBinder::bind(field.ty().skip_binder()).instantiate(self.interner(), args).skip_norm_wip(),
                    ),
                    None => self.error_ty(),
                }
            }
            _ => self.error_ty(),
        }
    }
}

/// Whether unwinding can start at this statement.
pub(super) fn may_panic(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Call { .. } | Stmt::Drop(_) | Stmt::Bounds { .. } | Stmt::FreeBox(_) => true,
        Stmt::Assign(_, rvalue) => matches!(rvalue, Rvalue::Checked(..) | Rvalue::Neg(_)),
        Stmt::StorageDead(_) | Stmt::Await | Stmt::Omitted(_) => false,
    }
}
