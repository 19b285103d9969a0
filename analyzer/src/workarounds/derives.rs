//! Bodies of built-in derives in generic IR.
//!
//! * Symptom: `#[derive(Clone)]` and other built-in derives are impls without bodies.
//! * Test: `fmt/derive_debug`, `layout/packed_derives`.
//! * Upstream: none known.
//! * Goes when: derives are expanded.
//!
//! These are rustc's expansions (`rustc -Zunpretty=expanded`), with two differences that programs cannot observe:
//! scalars are compared by the built-in operator, and `Debug` calls the builders that `debug_struct_field1_finish`
//! etc. call. The generic parameters are those of the ADT, followed by the method's own (`H` of `Hash::hash`), as in
//! the result of `lookup_impl_method`. `Copy`, `Eq`, `CoerceUnsized`, `DispatchFromDyn` and `Reborrow` have no
//! methods.

use crate::ir::{
    Aggregate, BinOp, Block, BlockId, BodyIr, BodyKind, Callee, Const, Gap, Local, LocalId, Operand, Place, Proj,
    RETURN, Rvalue, Site, Stmt, Term,
};
use hir_def::{
    AdtId, AssocItemId, BuiltinDeriveImplId, EnumId, EnumVariantId, FunctionId, GenericDefId, HasModule, Lookup,
    TypeOrConstParamId, TypeParamId, VariantId,
    attrs::AttrFlags,
    builtin_derive::{BuiltinDeriveImplMethod as Method, BuiltinDeriveImplTrait},
    hir::generics::{GenericParams, TypeOrConstParamData},
    item_tree::FieldsShape,
    signatures::EnumSignature,
};
use hir_ty::{
    db::HirDatabase,
    next_solver::{
        Binder, BoundExistentialPredicates, DbInterner, ExistentialPredicate, ExistentialTraitRef, GenericArg,
        GenericArgs, Mutability, Region, StoredTy, Ty, TyKind, util::IntegerTypeExt,
    },
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, ast, ast::HasAttrs};
use rustc_type_ir::inherent::{GenericArgs as _, IntoKind, Ty as _};

/// The first and second parameter of the method.
const SELF: LocalId = LocalId(1);
const OTHER: LocalId = LocalId(2);

/// Body of `method` of a derived impl.
pub(crate) fn body(db: &dyn HirDatabase, impl_: BuiltinDeriveImplId, method: Method) -> BodyIr {
    let loc = impl_.loc(db);
    let krate = loc.adt.module(db).krate(db);
    let interner = DbInterner::new_with(db, krate);
    let adt_args = GenericArgs::identity_for_item(interner, loc.adt.into());
    let mut derive = Derive {
        db,
        interner,
        adt: loc.adt,
        self_ty: Ty::new_adt(interner, loc.adt, adt_args),
        type_params: adt_args.len() as u32,
        is_packed: AttrFlags::repr(db, loc.adt).is_some_and(|repr| repr.pack.is_some()),
        body: BodyIr {
            kind: BodyKind::Fn,
            locals: Vec::new(),
            params: 0,
            blocks: Vec::new(),
            promoted: Vec::new(),
            gaps: Vec::new(),
        },
        current: BlockId(0),
    };
    let done = method.trait_method(db, impl_).and_then(|trait_method| match method {
        Method::clone => derive.clone(trait_method),
        Method::default => derive.default(trait_method),
        Method::eq => derive.eq(trait_method),
        Method::partial_cmp => derive.compare(trait_method, true),
        Method::cmp => derive.compare(trait_method, false),
        Method::hash => derive.hash(trait_method),
        Method::fmt => derive.debug(trait_method),
    });
    if done.is_none() {
        derive.gap("derived impl whose trait or core item is missing");
    }
    derive.body
}

/// A body under construction.
struct Derive<'db> {
    db: &'db dyn HirDatabase,
    interner: DbInterner<'db>,
    adt: AdtId,
    self_ty: Ty<'db>,
    /// Number of generic parameters of the ADT.
    type_params: u32,
    /// Whether fields may be misaligned.
    is_packed: bool,
    body: BodyIr,
    /// The block to which statements are added.
    current: BlockId,
}

/// A field of a variant.
struct Field<'db> {
    index: u32,
    name: Box<str>,
    ty: Ty<'db>,
}

impl<'db> Derive<'db> {
    // --- the methods

    fn clone(&mut self, method: FunctionId) -> Option<()> {
        self.begin(self.self_ty, &[self.ref_to(self.self_ty)]);
        if self.clones_bitwise() {
            self.assign(RETURN, Rvalue::Use(Operand::Use(Place::from(SELF).deref())));
            self.end(Term::Return);
            return Some(());
        }
        let value = Place::from(SELF).deref();
        for (variant, place, block) in self.match_variants(&value) {
            self.current = block;
            self.construct(variant, |this, field, dest| {
                let source = this.borrow_field(place.field(field.index), field.ty);
                this.call(dest, method, &[field.ty.into()], vec![source.into()]);
            });
        }
        Some(())
    }

    fn default(&mut self, method: FunctionId) -> Option<()> {
        self.begin(self.self_ty, &[]);
        let variant = match self.adt {
            AdtId::EnumId(id) => default_variant(self.db, id)?.into(),
            AdtId::StructId(id) => id.into(),
            AdtId::UnionId(id) => id.into(),
        };
        self.construct(variant, |this, field, dest| this.call(dest, method, &[field.ty.into()], Vec::new()));
        Some(())
    }

    fn eq(&mut self, method: FunctionId) -> Option<()> {
        let bool_ty = self.interner.default_types().types.bool;
        let self_ref = self.ref_to(self.self_ty);
        self.begin(bool_ty, &[self_ref, self_ref]);
        let answer = |this: &mut Self, value: u128| {
            this.assign(RETURN, Rvalue::Use(Operand::Const(Const::Int(value, bool_ty.store()))));
            this.end(Term::Return);
        };
        let start = self.current;
        let unequal = self.block(None);
        self.current = unequal;
        answer(self, 0);
        self.current = start;
        if let Some((a, b, _)) = self.discriminants() {
            let same = self.local(bool_ty);
            self.assign(same, Rvalue::Bin(BinOp::Eq, a.into(), b.into()));
            self.continue_if(same, unequal);
        }
        for (variant, left, block) in self.match_variants(&Place::from(SELF).deref()) {
            self.current = block;
            let right = self.variant_place(&Place::from(OTHER).deref(), variant);
            for field in self.fields(variant) {
                let same = self.local(bool_ty);
                let (left, right) = (left.field(field.index), right.field(field.index));
                if field.ty.is_scalar() {
                    self.assign(same, Rvalue::Bin(BinOp::Eq, Operand::Use(left), Operand::Use(right)));
                } else {
                    let args =
                        vec![self.borrow_field(left, field.ty).into(), self.borrow_field(right, field.ty).into()];
                    self.call(same, method, &[field.ty.into(), field.ty.into()], args);
                }
                self.continue_if(same, unequal);
            }
            answer(self, 1);
        }
        Some(())
    }

    /// `Ord::cmp`, or `PartialOrd::partial_cmp` with the result in an `Option`.
    fn compare(&mut self, method: FunctionId, partial: bool) -> Option<()> {
        let items = self.interner.lang_items();
        let ordering = items.Ordering?;
        let equal: VariantId = ordering.enum_variants(self.db).variants.get_index(1)?.1.0.into();
        let ordering_ty = Ty::new_adt(self.interner, ordering.into(), GenericArgs::default());
        let result_ty = match partial {
            false => ordering_ty,
            true => {
                Ty::new_adt(self.interner, items.Option?.into(), GenericArgs::new_from_slice(&[ordering_ty.into()]))
            }
        };
        let some = items.OptionSome?;
        let some_index = some.loc(self.db).index(self.db) as u32;
        let self_ref = self.ref_to(self.self_ty);
        self.begin(result_ty, &[self_ref, self_ref]);

        // Compares, and returns the result unless it is `Equal`.
        let step = |this: &mut Self, left: Place, right: Place, ty: Ty<'db>| {
            let args = vec![this.borrow_field(left, ty).into(), this.borrow_field(right, ty).into()];
            let type_args: &[GenericArg<'db>] = if partial { &[ty.into(), ty.into()] } else { &[ty.into()] };
            this.call(RETURN, method, type_args, args);
            let (next, inner, decided) = (this.block(None), this.block(None), this.block(None));
            let mut result = Place::from(RETURN);
            if partial {
                this.end(Term::Variant(result.clone(), vec![(some_index, inner)], decided));
                result = result.then(Proj::Downcast(some_index)).field(0);
            } else {
                this.end(Term::Goto(inner));
            }
            this.current = inner;
            this.end(Term::Variant(result, vec![(1, next)], decided));
            this.current = decided;
            this.end(Term::Return);
            this.current = next;
        };
        if let Some((a, b, ty)) = self.discriminants() {
            step(self, a.into(), b.into(), ty);
        }
        for (variant, left, block) in self.match_variants(&Place::from(SELF).deref()) {
            self.current = block;
            let right = self.variant_place(&Place::from(OTHER).deref(), variant);
            for field in self.fields(variant) {
                step(self, left.field(field.index), right.field(field.index), field.ty);
            }
            let value = if partial { self.local(ordering_ty) } else { RETURN };
            self.assign(value, Rvalue::Aggregate(Aggregate::Variant(equal), Vec::new()));
            if partial {
                self.assign(RETURN, Rvalue::Aggregate(Aggregate::Variant(some.into()), vec![value.into()]));
            }
            self.end(Term::Return);
        }
        Some(())
    }

    fn hash(&mut self, method: FunctionId) -> Option<()> {
        // `H` follows the ADT's parameters.
        let params = GenericParams::of(self.db, method.into());
        let (local_id, _) =
            params.iter_type_or_consts().find(|(_, data)| matches!(data, TypeOrConstParamData::TypeParamData(_)))?;
        let id = TypeParamId::from_unchecked(TypeOrConstParamId { parent: method.into(), local_id });
        let hasher = Ty::new_param(self.interner, id, self.type_params);
        let state_ty = Ty::new_ref(self.interner, self.erased(), hasher, Mutability::Mut);
        self.begin(self.interner.default_types().types.unit, &[self.ref_to(self.self_ty), state_ty]);

        let step = |this: &mut Self, place: Place, ty: Ty<'db>| {
            let value = this.borrow_field(place, ty);
            let state = this.local(state_ty);
            this.assign(state, Rvalue::Ref(Place::from(OTHER).deref()));
            let dest = this.local(this.interner.default_types().types.unit);
            this.call(dest, method, &[ty.into(), hasher.into()], vec![value.into(), state.into()]);
        };
        if let Some((discriminant, _, ty)) = self.discriminants() {
            step(self, discriminant.into(), ty);
        }
        for (variant, place, block) in self.match_variants(&Place::from(SELF).deref()) {
            self.current = block;
            for field in self.fields(variant) {
                step(self, place.field(field.index), field.ty);
            }
            self.end(Term::Return);
        }
        Some(())
    }

    fn debug(&mut self, method: FunctionId) -> Option<()> {
        let core = DebugItems::new(self, method)?;
        let f_ty = Ty::new_ref(self.interner, self.erased(), core.formatter, Mutability::Mut);
        self.begin(core.result, &[self.ref_to(self.self_ty), f_ty]);
        for (variant, place, block) in self.match_variants(&Place::from(SELF).deref()) {
            self.current = block;
            let name = self.str(self.variant_name(variant));
            let shape = variant.fields(self.db).shape;
            let fields = self.fields(variant);
            let f = self.local(f_ty);
            self.assign(f, Rvalue::Ref(Place::from(OTHER).deref()));
            if fields.is_empty() {
                self.call_item(RETURN, core.write_str, vec![f.into(), name]);
                self.end(Term::Return);
                continue;
            }
            let tuple = shape == FieldsShape::Tuple;
            let items = if tuple { &core.tuple } else { &core.record };
            let builder = self.local(items.ty);
            self.call_item(builder, items.new, vec![f.into(), name]);
            let builder_ref_ty = Ty::new_ref(self.interner, self.erased(), items.ty, Mutability::Mut);
            let last = fields.len() - 1;
            for (index, field) in fields.into_iter().enumerate() {
                // The last field may be unsized, so pass a pointer to it.
                let (mut value, mut shown) = (self.borrow_field(place.field(field.index), field.ty), field.ty);
                if index == last {
                    shown = self.ref_to(field.ty);
                    value = self.borrow(value.into(), shown);
                }
                let dyn_ref = self.ref_to(core.dyn_debug);
                let dyn_value = self.local(dyn_ref);
                debug_assert!(!matches!(shown.kind(), TyKind::Dynamic(..)));
                self.assign(dyn_value, Rvalue::Unsize(value.into(), dyn_ref.store()));
                let builder_ref = self.local(builder_ref_ty);
                self.assign(builder_ref, Rvalue::Ref(builder.into()));
                let mut args = vec![builder_ref.into()];
                if !tuple {
                    args.push(self.str(field.name));
                }
                args.push(dyn_value.into());
                let dest = self.local(builder_ref_ty);
                self.call_item(dest, items.field, args);
            }
            let builder_ref = self.local(builder_ref_ty);
            self.assign(builder_ref, Rvalue::Ref(builder.into()));
            self.call_item(RETURN, items.finish, vec![builder_ref.into()]);
            self.end(Term::Return);
        }
        Some(())
    }

    // --- shared code

    /// Builds and returns the variant from fields made by `make`. If `make` unwinds, drops the fields made before.
    fn construct(&mut self, variant: VariantId, mut make: impl FnMut(&mut Self, &Field<'db>, LocalId)) {
        let mut operands = Vec::new();
        let mut cleanup = None;
        for field in self.fields(variant) {
            let dest = self.local(field.ty);
            let block = self.block(cleanup);
            self.end(Term::Goto(block));
            self.current = block;
            make(self, &field, dest);
            operands.push(Operand::from(dest));
            cleanup = Some(self.cleanup(dest, cleanup));
        }
        self.assign(RETURN, Rvalue::Aggregate(Aggregate::Variant(variant), operands));
        self.end(Term::Return);
    }

    /// A cleanup block that drops `local` and continues at `next`.
    fn cleanup(&mut self, local: LocalId, next: Option<BlockId>) -> BlockId {
        let term = next.map_or(Term::Resume, Term::Goto);
        self.body.blocks.push(Block {
            stmts: vec![(Stmt::Drop(local.into()), Site::None)],
            term: (term, Site::None),
            unwind: None,
            is_cleanup: true,
        });
        BlockId(self.body.blocks.len() as u32 - 1)
    }

    /// Whether rustc derives `Clone` as `*self`: for unions, and for `Copy` types without type parameters.
    fn clones_bitwise(&self) -> bool {
        if let AdtId::UnionId(_) = self.adt {
            return true;
        }
        let generic = GenericParams::of(self.db, self.adt.into())
            .iter_type_or_consts()
            .any(|(_, data)| matches!(data, TypeOrConstParamData::TypeParamData(_)));
        let module = self.adt.module(self.db);
        !generic
            && module.def_map(self.db)[module].scope.builtin_derive_impls().any(|other| {
                let loc = other.loc(self.db);
                loc.adt == self.adt && loc.trait_ == BuiltinDeriveImplTrait::Copy
            })
    }

    /// The discriminants of `*self` and `*other` (`*self` twice without another), if there are several variants.
    fn discriminants(&mut self) -> Option<(LocalId, LocalId, Ty<'db>)> {
        let AdtId::EnumId(id) = self.adt else { return None };
        if id.enum_variants(self.db).variants.len() < 2 {
            return None;
        }
        let ty = EnumSignature::variant_body_type(self.db, id).to_ty(self.interner);
        let a = self.local(ty);
        self.assign(a, Rvalue::Discriminant(Place::from(SELF).deref()));
        if self.body.locals[OTHER.0 as usize].ty != self.body.locals[SELF.0 as usize].ty {
            return Some((a, a, ty));
        }
        let b = self.local(ty);
        self.assign(b, Rvalue::Discriminant(Place::from(OTHER).deref()));
        Some((a, b, ty))
    }

    /// Branches on the variant of `value`. Returns each variant with its place and block.
    fn match_variants(&mut self, value: &Place) -> Vec<(VariantId, Place, BlockId)> {
        let AdtId::EnumId(id) = self.adt else {
            let variant = VariantId::from_non_enum(self.adt);
            return variant.into_iter().map(|it| (it, value.clone(), self.current)).collect();
        };
        let variants: Vec<VariantId> = id.enum_variants(self.db).variants.values().map(|it| it.0.into()).collect();
        let arms: Vec<_> = variants
            .into_iter()
            .map(|variant| (variant, self.variant_place(value, variant), self.block(None)))
            .collect();
        match arms.as_slice() {
            [] => self.end(Term::Unreachable),
            [(_, _, only)] => self.end(Term::Goto(*only)),
            _ => {
                let otherwise = self.block(None);
                let table = arms.iter().enumerate().map(|(index, arm)| (index as u32, arm.2)).collect();
                self.end(Term::Variant(value.clone(), table, otherwise));
            }
        }
        arms
    }

    fn variant_place(&self, value: &Place, variant: VariantId) -> Place {
        match variant {
            VariantId::EnumVariantId(id) => value.then(Proj::Downcast(id.loc(self.db).index(self.db) as u32)),
            VariantId::StructId(_) | VariantId::UnionId(_) => value.clone(),
        }
    }

    fn fields(&self, variant: VariantId) -> Vec<Field<'db>> {
        let types = self.db.field_types(variant);
        let fields = variant.fields(self.db).fields().iter().enumerate();
        fields
            .map(|(index, (id, data))| Field {
                index: index as u32,
                name: data.name.as_str().into(),
                ty: types[id].ty().instantiate_identity().skip_norm_wip(),
            })
            .collect()
    }

    fn variant_name(&self, variant: VariantId) -> Box<str> {
        match variant {
            VariantId::EnumVariantId(id) => id.loc(self.db).name.as_str().into(),
            VariantId::StructId(id) => hir_def::signatures::StructSignature::of(self.db, id).name.as_str().into(),
            VariantId::UnionId(id) => hir_def::signatures::UnionSignature::of(self.db, id).name.as_str().into(),
        }
    }

    /// Continues in a new block if `cond`, else in `otherwise`.
    fn continue_if(&mut self, cond: LocalId, otherwise: BlockId) {
        let next = self.block(None);
        self.end(Term::If(cond.into(), next, otherwise));
        self.current = next;
    }

    // --- building

    /// Declares the result and the parameters, and starts the first block.
    fn begin(&mut self, result: Ty<'db>, params: &[Ty<'db>]) {
        self.local(result);
        for &param in params {
            self.local(param);
        }
        self.body.params = params.len() as u32;
        self.current = self.block(None);
    }

    fn local(&mut self, ty: Ty<'db>) -> LocalId {
        self.body.locals.push(Local { ty: ty.store(), name: None });
        LocalId(self.body.locals.len() as u32 - 1)
    }

    fn block(&mut self, unwind: Option<BlockId>) -> BlockId {
        let term = (Term::Unreachable, Site::None);
        self.body.blocks.push(Block { stmts: Vec::new(), term, unwind, is_cleanup: false });
        BlockId(self.body.blocks.len() as u32 - 1)
    }

    fn stmt(&mut self, stmt: Stmt) {
        self.body.blocks[self.current.0 as usize].stmts.push((stmt, Site::None));
    }

    fn end(&mut self, term: Term) {
        self.body.blocks[self.current.0 as usize].term.0 = term;
    }

    fn assign(&mut self, dest: LocalId, value: Rvalue) {
        self.stmt(Stmt::Assign(dest.into(), value));
    }

    fn borrow(&mut self, place: Place, ty: Ty<'db>) -> LocalId {
        let local = self.local(self.ref_to(ty));
        self.assign(local, Rvalue::Ref(place));
        local
    }

    /// A reference to a field, or to a copy of it in a packed struct.
    fn borrow_field(&mut self, place: Place, ty: Ty<'db>) -> LocalId {
        if !self.is_packed || matches!(ty.kind(), TyKind::Str | TyKind::Slice(_)) {
            return self.borrow(place, ty);
        }
        let copy = self.local(ty);
        self.assign(copy, Rvalue::Use(Operand::Use(place)));
        self.borrow(copy.into(), ty)
    }

    /// Calls a method of the derived trait with these arguments of trait and method.
    fn call(&mut self, dest: LocalId, method: FunctionId, generics: &[GenericArg<'db>], args: Vec<Operand>) {
        let callee = Callee::Fn(method, GenericArgs::new_from_slice(generics).store());
        self.stmt(Stmt::Call { dest: dest.into(), callee, args });
    }

    /// Calls a function that has only lifetime parameters.
    fn call_item(&mut self, dest: LocalId, func: FunctionId, args: Vec<Operand>) {
        let callee = Callee::Fn(func, self.erased_args(func.into()).store());
        self.stmt(Stmt::Call { dest: dest.into(), callee, args });
    }

    fn str(&self, text: Box<str>) -> Operand {
        Operand::Const(Const::Str(text))
    }

    fn erased(&self) -> Region<'db> {
        self.interner.default_types().regions.erased
    }

    fn erased_args(&self, def: GenericDefId) -> GenericArgs<'db> {
        GenericArgs::for_item(self.interner, def.into(), |_, _, _, _| self.erased().into())
    }

    fn ref_to(&self, ty: Ty<'db>) -> Ty<'db> {
        Ty::new_ref(self.interner, self.erased(), ty, Mutability::Not)
    }

    /// Makes the whole body uninterpreted.
    fn gap(&mut self, cause: &str) {
        self.body.gaps = vec![Gap { site: Site::None, cause: cause.into() }];
        if self.body.locals.is_empty() {
            let unit: StoredTy = self.interner.default_types().types.unit.store();
            self.body.locals.push(Local { ty: unit, name: None });
        }
        let stmts = vec![(Stmt::Assign(RETURN.into(), Rvalue::Unknown(0)), Site::None)];
        self.body.blocks = vec![Block { stmts, term: (Term::Return, Site::None), unwind: None, is_cleanup: false }];
    }
}

/// The items of `core::fmt` that a derived `Debug` uses.
struct DebugItems<'db> {
    formatter: Ty<'db>,
    result: Ty<'db>,
    dyn_debug: Ty<'db>,
    write_str: FunctionId,
    record: DebugBuilder<'db>,
    tuple: DebugBuilder<'db>,
}

/// `DebugStruct` or `DebugTuple`.
struct DebugBuilder<'db> {
    ty: Ty<'db>,
    new: FunctionId,
    field: FunctionId,
    finish: FunctionId,
}

impl<'db> DebugItems<'db> {
    fn new(derive: &Derive<'db>, fmt: FunctionId) -> Option<Self> {
        let (db, interner) = (derive.db, derive.interner);
        let signature = |func: FunctionId| {
            db.callable_item_signature(func.into()).instantiate_identity().skip_norm_wip().skip_binder()
        };
        let adt_of = |ty: Ty<'db>| ty.strip_references().as_adt().map(|(adt, _)| adt);
        let erased = |adt: AdtId| Ty::new_adt(interner, adt, derive.erased_args(adt.into()));
        let formatter = adt_of(*signature(fmt).inputs().get(1)?)?;
        let builder = |name| {
            let new = inherent_fn(db, formatter, name)?;
            let adt = adt_of(signature(new).output())?;
            Some(DebugBuilder {
                ty: erased(adt),
                new,
                field: inherent_fn(db, adt, "field")?,
                finish: inherent_fn(db, adt, "finish")?,
            })
        };
        let debug = interner.lang_items().Debug?;
        let bound = ExistentialPredicate::Trait(ExistentialTraitRef::new_from_args(
            interner,
            debug.into(),
            GenericArgs::default(),
        ));
        let bounds = BoundExistentialPredicates::new_from_slice(&[Binder::dummy(bound)]);
        Some(DebugItems {
            formatter: erased(formatter),
            result: signature(fmt).output(),
            dyn_debug: Ty::new_dynamic(interner, bounds, derive.erased()),
            write_str: inherent_fn(db, formatter, "write_str")?,
            record: builder("debug_struct")?,
            tuple: builder("debug_tuple")?,
        })
    }
}

/// An inherent function of an ADT, from the impls in the ADT's own module.
fn inherent_fn(db: &dyn HirDatabase, adt: AdtId, name: &str) -> Option<FunctionId> {
    let module = adt.module(db);
    let scope = &module.def_map(db)[module].scope;
    let mut impls = scope.inherent_impls().filter(|&it| {
        let self_ty = db.impl_self_ty(it).instantiate_identity().skip_norm_wip();
        self_ty.as_adt().is_some_and(|(of, _)| of == adt)
    });
    impls.find_map(|it| {
        it.impl_items(db).items.iter().find_map(|(item_name, item)| match *item {
            AssocItemId::FunctionId(id) if item_name.as_str() == name => Some(id),
            _ => None,
        })
    })
}

/// The variant marked `#[default]`.
fn default_variant(db: &dyn HirDatabase, id: EnumId) -> Option<EnumVariantId> {
    let mut variants = id.enum_variants(db).variants.values().map(|it| it.0);
    variants.find(|variant| {
        let node: ast::Variant = variant.lookup(db).id.to_node(db);
        node.attrs().any(|attr| attr.path().is_some_and(|path| path.syntax().text() == "default"))
    })
}
