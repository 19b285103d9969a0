//! The generic IR: one body in the style of rustc's MIR, before type parameters are known.
//!
//! `lower` builds it from HIR, once per body; `instance` turns it into the machine's code for concrete arguments. It
//! is position-independent: source locations are [`Site`]s, indices of HIR nodes.
//!
//! The generic IR does not contain which values need dropping, layouts, or the impl that a call resolves to. All
//! by-value uses of places are moves: for a `Copy` type a move is a copy. A type that needs no drop has no drop glue,
//! so the difference matters only for concrete types.

use hir_def::{
    AdtId, ConstId, FunctionId, StaticId, VariantId,
    hir::{ExprId, PatId},
};
use hir_ty::next_solver::{StoredConst, StoredGenericArgs, StoredTy};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

pub mod print;

/// Index into [`BodyIr::locals`]. Local 0 is the result; the parameters start at 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalId(pub u32);

/// The result's local.
pub const RETURN: LocalId = LocalId(0);

/// Index into [`BodyIr::blocks`]; execution starts at 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub u32);

/// A source location: a node of the body's HIR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// An expression.
    Expr(ExprId),
    /// A pattern.
    Pat(PatId),
    /// A statement macro call of the body that expands to nothing, by index among these calls.
    Macro(u32),
    /// Generated code.
    None,
}

impl From<ExprId> for Site {
    fn from(it: ExprId) -> Self {
        Site::Expr(it)
    }
}

impl From<PatId> for Site {
    fn from(it: PatId) -> Self {
        Site::Pat(it)
    }
}

/// All bodies in one HIR body: its own and those of its closures and coroutines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoweredBody {
    /// The function's, const's or static's own body.
    pub root: BodyIr,
    /// Bodies of closures, async blocks and async closures, with their expressions, in source order.
    pub closures: Vec<(ExprId, BodyIr)>,
    /// Whether the source has type errors, or rust-analyzer thinks so.
    pub is_mistyped: bool,
}

/// How a body is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyKind {
    /// A function: its parameters start at local 1.
    Fn,
    /// A const, static, or promoted expression: no parameters.
    Const,
    /// A closure called by reference: local 1 is a pointer to the closure, the parameters follow.
    ClosureByRef,
    /// A closure that can be called once: local 1 is the closure itself, the parameters follow.
    ClosureOnce,
    /// A coroutine (async body): local 1 is a pointer to the coroutine, local 2 the resume argument (for `async`, the
    /// `&mut Context` as a raw pointer). The body starts by moving the captures out of the coroutine.
    Coroutine,
}

/// One body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BodyIr {
    /// How it is entered.
    pub kind: BodyKind,
    /// Types of the locals, and names of the variables.
    pub locals: Vec<Local>,
    /// Number of parameters, which follow local 0.
    pub params: u32,
    /// Basic blocks.
    pub blocks: Vec<Block>,
    /// Constant expressions of `'static` borrows (rvalue static promotion), and `const` blocks.
    pub promoted: Vec<BodyIr>,
    /// Code that lowering did not understand, in source order.
    pub gaps: Vec<Gap>,
}

/// A local variable or temporary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Its type, in terms of the body's generic parameters.
    pub ty: StoredTy,
    /// Its name, unless it is a temporary.
    pub name: Option<Box<str>>,
}

/// Code that lowering did not understand. At run time it is an uninterpreted value with this cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Its location.
    pub site: Site,
    /// The cause, for reports: "inline assembly", "unresolved name `foo`".
    pub cause: Box<str>,
}

/// A basic block: statements and a terminator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Executed in order.
    pub stmts: Vec<(Stmt, Site)>,
    /// The terminator.
    pub term: (Term, Site),
    /// The target of a panic in this block; `None`: the caller.
    pub unwind: Option<BlockId>,
    /// Whether the block runs while unwinding. A panic that leaves it aborts.
    pub is_cleanup: bool,
}

/// Projection: a step from a place to a part of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "as named")]
pub enum Proj {
    /// Dereferences a reference, raw pointer or `Box`.
    Deref,
    /// A field of a struct, union, tuple, closure (its captures, in order), coroutine or, after `Downcast`, variant,
    /// by index in declaration order.
    Field(u32),
    /// The variant with this index.
    Downcast(u32),
    /// An element of an array or slice; [`Stmt::Bounds`] has checked the bounds.
    Index(LocalId),
    /// An element counted from the start or from the end (0 is the last) of an array or slice.
    ConstIndex { offset: u64, from_end: bool },
    /// An array or slice without its first `from` and last `to` elements.
    Subslice { from: u64, to: u64 },
}

/// A place in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The base of the place.
    pub local: LocalId,
    /// The projections, in order.
    pub proj: Vec<Proj>,
}

impl From<LocalId> for Place {
    fn from(local: LocalId) -> Self {
        Place { local, proj: Vec::new() }
    }
}

impl Place {
    /// This place with another projection.
    pub fn then(&self, proj: Proj) -> Place {
        let mut place = self.clone();
        place.proj.push(proj);
        place
    }

    /// A field of this place.
    pub fn field(&self, index: u32) -> Place {
        self.then(Proj::Field(index))
    }

    /// The pointee of this pointer.
    pub fn deref(&self) -> Place {
        self.then(Proj::Deref)
    }
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The value of a place; moved out unless its type is `Copy`.
    Use(Place),
    /// A constant.
    Const(Const),
}

impl From<LocalId> for Operand {
    fn from(local: LocalId) -> Self {
        Operand::Use(local.into())
    }
}

/// A constant value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Const {
    /// Integer, `bool` or `char` in two's complement, and its type.
    Int(u128, StoredTy),
    /// `f32` or `f64` as decimal text, so that it is rounded only once.
    Float(Box<str>, StoredTy),
    /// `&'static str`.
    Str(Box<str>),
    /// `&'static [u8; N]`.
    Bytes(Box<[u8]>),
    /// `&'static CStr`; the bytes without the NUL.
    CStr(Box<[u8]>),
    /// A zero-sized value: function item, `()`, unit struct.
    Zst(StoredTy),
    /// A const item or associated const under its arguments, not yet resolved to an impl.
    Item(ConstId, StoredGenericArgs, StoredTy),
    /// A const generic parameter or other type-level constant, with its type.
    Param(StoredConst, StoredTy),
    /// Tuple struct or tuple variant constructor as a function value: zero-sized.
    Ctor(StoredTy),
    /// `line!()`, resolved when it is printed (invariant 9).
    Line,
    /// `column!()`.
    Column,
    /// `file!()`.
    File,
}

/// A right-hand side of an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rvalue {
    /// A copy or move.
    Use(Operand),
    /// Address of a place (`&`, `&mut`, `&raw`); wide if the place is unsized.
    Ref(Place),
    /// Address of a static.
    Static(StaticId),
    /// Address of a promoted expression of this body.
    Promoted(u32),
    /// Built-in binary operator on scalars, wrapping. Comparisons also apply to thin and wide pointers.
    Bin(BinOp, Operand, Operand),
    /// Like `Bin` for `+ - * / % << >>`, but panics if the crate has overflow checks and the operation overflows.
    Checked(BinOp, Operand, Operand),
    /// `!`.
    Not(Operand),
    /// `-`; panics on overflow if the crate has overflow checks.
    Neg(Operand),
    /// `as` between scalars, pointers, fn pointers and fieldless enums, from the operand's type to this type.
    Cast(Operand, StoredTy),
    /// Unsizing coercion of a pointer (`&[T; N]` to `&[T]`, `Box<T>` to `Box<dyn Trait>`, upcasting) from the
    /// operand's type to this type.
    Unsize(Operand, StoredTy),
    /// Function item, constructor or non-capturing closure as a fn pointer of this type.
    FnPtr(Operand, StoredTy),
    /// A struct, variant, tuple, closure or coroutine with these fields in declaration order. Its type is the
    /// place's.
    Aggregate(Aggregate, Vec<Operand>),
    /// `[value; N]`. Its type is the place's.
    Repeat(Operand),
    /// Number of elements of an array or slice.
    Len(Place),
    /// The discriminant as the enum's `isize` or `repr` value. It is for `as` casts only; to branch on a variant use
    /// [`Term::Variant`].
    Discriminant(Place),
    /// `offset_of!`: container and field path as indices (variant, field).
    OffsetOf(StoredTy, Vec<(u32, u32)>),
    /// Unsupported code: the index of its gap.
    Unknown(u32),
}

/// The kind of an aggregate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aggregate {
    /// Tuple or array; its type is the place's.
    Plain,
    /// Struct or enum variant; fields in declaration order.
    Variant(VariantId),
    /// One field of a union.
    Union(AdtId, u32),
    /// A closure or coroutine: its captures in order. The state of a coroutine is set to "not started".
    Captures,
}

/// Built-in binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are the operators'")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// The callee of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function, method or trait method under its arguments (of the trait and the method). It is resolved to an
    /// impl at instantiation. A call of a closure is a call of `Fn*::call*` with a tuple of arguments.
    Fn(FunctionId, StoredGenericArgs),
    /// A fn pointer, or a function item given by its type.
    Value(Operand),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "as named")]
pub enum Stmt {
    /// `place = rvalue`. The old value is not dropped; drops are separate statements.
    Assign(Place, Rvalue),
    /// `place = callee(args)`. A panic continues at [`Block::unwind`].
    Call { dest: Place, callee: Callee, args: Vec<Operand> },
    /// Drop glue on a place.
    Drop(Place),
    /// Frees a `Box` whose content was moved out.
    FreeBox(Place),
    /// Panics unless the index (a `usize` local) is below the length of the array or slice.
    Bounds { index: LocalId, of: Place },
    /// Ends the local's storage.
    StorageDead(LocalId),
    /// An `.await` is about to poll.
    Await,
    /// Unsupported code that may have continued anywhere: the index of its gap.
    Omitted(u32),
}

/// A terminator.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "as named")]
pub enum Term {
    /// Continues at a block.
    Goto(BlockId),
    /// Branches on a `bool`.
    If(Operand, BlockId, BlockId),
    /// Branches on an integer, `bool` or `char`.
    Switch(Operand, Vec<(u128, BlockId)>, BlockId),
    /// Branches on the variant of an enum place, by variant index.
    Variant(Place, Vec<(u32, BlockId)>, BlockId),
    /// Returns local 0.
    Return,
    /// Continues unwinding.
    Resume,
    /// Is never reached.
    Unreachable,
    /// Suspends a coroutine; the next resume argument is stored in `arg`.
    Suspend { arg: Place, resume: BlockId, drop: BlockId },
}

impl BodyIr {
    /// Calls `f` for every place in the body, read or written.
    pub fn each_place_mut(&mut self, mut f: impl FnMut(&mut Place)) {
        for block in &mut self.blocks {
            for (stmt, _) in &mut block.stmts {
                stmt.each_place_mut(&mut f);
            }
            match &mut block.term.0 {
                Term::If(operand, ..) | Term::Switch(operand, ..) => operand.each_place_mut(&mut f),
                Term::Variant(place, ..) | Term::Suspend { arg: place, .. } => f(place),
                Term::Goto(_) | Term::Return | Term::Resume | Term::Unreachable => {}
            }
        }
    }
}

impl Stmt {
    /// Calls `f` for every place in the statement.
    pub fn each_place_mut(&mut self, f: &mut impl FnMut(&mut Place)) {
        match self {
            Stmt::Assign(place, rvalue) => {
                rvalue.each_place_mut(f);
                f(place);
            }
            Stmt::Call { dest, callee, args } => {
                if let Callee::Value(operand) = callee {
                    operand.each_place_mut(f);
                }
                args.iter_mut().for_each(|it| it.each_place_mut(f));
                f(dest);
            }
            Stmt::Drop(place) | Stmt::FreeBox(place) | Stmt::Bounds { of: place, .. } => f(place),
            Stmt::StorageDead(_) | Stmt::Await | Stmt::Omitted(_) => {}
        }
    }

    /// Calls `f` for the operands that the statement reads.
    pub fn each_operand(&self, f: &mut impl FnMut(&Operand)) {
        match self {
            Stmt::Assign(_, rvalue) => rvalue.each_operand(f),
            Stmt::Call { callee, args, .. } => {
                if let Callee::Value(operand) = callee {
                    f(operand);
                }
                args.iter().for_each(f);
            }
            Stmt::Drop(_)
            | Stmt::FreeBox(_)
            | Stmt::Bounds { .. }
            | Stmt::StorageDead(_)
            | Stmt::Await
            | Stmt::Omitted(_) => {}
        }
    }
}

impl Operand {
    fn each_place_mut(&mut self, f: &mut impl FnMut(&mut Place)) {
        if let Operand::Use(place) = self {
            f(place);
        }
    }
}

impl Rvalue {
    fn each_place_mut(&mut self, f: &mut impl FnMut(&mut Place)) {
        match self {
            Rvalue::Ref(place) | Rvalue::Len(place) | Rvalue::Discriminant(place) => f(place),
            Rvalue::Use(a)
            | Rvalue::Not(a)
            | Rvalue::Neg(a)
            | Rvalue::Cast(a, _)
            | Rvalue::Unsize(a, _)
            | Rvalue::FnPtr(a, _)
            | Rvalue::Repeat(a) => a.each_place_mut(f),
            Rvalue::Bin(_, a, b) | Rvalue::Checked(_, a, b) => {
                a.each_place_mut(f);
                b.each_place_mut(f);
            }
            Rvalue::Aggregate(_, operands) => operands.iter_mut().for_each(|it| it.each_place_mut(f)),
            Rvalue::Static(_) | Rvalue::Promoted(_) | Rvalue::OffsetOf(..) | Rvalue::Unknown(_) => {}
        }
    }

    fn each_operand(&self, f: &mut impl FnMut(&Operand)) {
        match self {
            Rvalue::Use(a)
            | Rvalue::Not(a)
            | Rvalue::Neg(a)
            | Rvalue::Cast(a, _)
            | Rvalue::Unsize(a, _)
            | Rvalue::FnPtr(a, _)
            | Rvalue::Repeat(a) => f(a),
            Rvalue::Bin(_, a, b) | Rvalue::Checked(_, a, b) => {
                f(a);
                f(b);
            }
            Rvalue::Aggregate(_, operands) => operands.iter().for_each(f),
            Rvalue::Ref(_)
            | Rvalue::Len(_)
            | Rvalue::Discriminant(_)
            | Rvalue::Static(_)
            | Rvalue::Promoted(_)
            | Rvalue::OffsetOf(..)
            | Rvalue::Unknown(_) => {}
        }
    }
}
