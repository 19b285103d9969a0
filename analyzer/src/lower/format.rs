//! `format_args!` as rustc lowers it: nested calls are flattened, and literal arguments are inlined into the text.
//!
//! rust-analyzer keeps both as arguments. The difference is visible in `Arguments::as_str`, thus in a panic's payload
//! (`panic!("n {}", 1)` has a `&'static str`), and in the capacity of formatted strings.

use super::cx::Cx;
use crate::ir::{Aggregate, Callee, Const, LocalId, Operand, Place, Rvalue};
use hir_def::{
    AssocItemId, CallableDefId, FunctionId, ItemContainerId, Lookup,
    hir::{Array, Expr, ExprId, Literal, Pat, Statement},
    signatures::FunctionSignature,
};
use hir_ty::{
    consteval,
    next_solver::{GenericArgs, Mutability, StoredGenericArgs, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{GenericArg as _, IntoKind};
use template::{Piece, decode, encode, push_text};

mod template;

/// The argument of a placeholder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Argument {
    /// The borrow expression, `&arg`.
    borrow: ExprId,
    /// `Argument::new_display` and the like, as inferred for the argument's type.
    constructor: ExprId,
}

/// A `format_args!` call.
struct Format {
    /// All borrow expressions, in order of evaluation.
    borrows: Vec<ExprId>,
    pieces: Vec<Piece<Argument>>,
}

/// The functions of `core::fmt::Arguments` that construct it.
struct Constructors {
    new: FunctionId,
    /// For a text whose placeholders were all inlined.
    from_str: FunctionId,
    /// Generic arguments of `new`: the lengths of template and arguments.
    generic: StoredGenericArgs,
}

impl<'db> Cx<'_, 'db> {
    /// Lowers a block if it is HIR's form of a `format_args!` with arguments; its `super let`s go to `scope`.
    pub(super) fn format_into(&mut self, dest: &Place, block: ExprId, scope: usize) -> bool {
        let Some(format) = self.format_of(block) else { return false };
        let Some(constructors) = self.constructors_of(block) else { return false };
        if let Some(text) = self.syntax.old_panics.get(&block).cloned() {
            self.call_from_str(dest, &constructors, text);
            return true;
        }
        let format = self.inlined(self.flattened(format));
        self.in_variable_scope(|cx| cx.build_format(dest, &format, &constructors, scope));
        true
    }

    /// Matches `{ super let args = (&a, &b); super let args = [new(args.0), ..]; unsafe { new(b"..", &args) } }`.
    fn format_of(&self, block: ExprId) -> Option<Format> {
        let store = self.store;
        let Expr::Block { statements, .. } = &store[block] else { return None };
        let [borrows, arguments] = &statements[..] else { return None };
        let (Expr::Tuple { exprs: borrows }, Expr::Array(Array::ElementList { elements })) =
            (&store[self.generated_let(borrows)?], &store[self.generated_let(arguments)?])
        else {
            return None;
        };
        let argument = |&element: &ExprId| {
            let Expr::Call { callee, args } = &store[element] else { return None };
            let [arg] = &args[..] else { return None };
            let Expr::Field { name, .. } = &store[*arg] else { return None };
            let borrow = *borrows.get(name.as_tuple_index()?)?;
            Some(Argument { borrow, constructor: *callee })
        };
        let arguments: Vec<Argument> = elements.iter().map(argument).collect::<Option<_>>()?;
        let (_, args) = self.constructor_call(block)?;
        let Expr::Literal(Literal::ByteString(bytes)) = &store[*args.first()?] else { return None };
        let mut pieces = decode(bytes)?
            .into_iter()
            .map(|it| it.map(&mut |position: usize| arguments.get(position).copied()))
            .collect::<Option<Vec<_>>>()?;
        if self.syntax.missing_newlines.contains(&block) {
            push_text(&mut pieces, "\n");
        }
        Some(Format { borrows: borrows.to_vec(), pieces })
    }

    /// The initialiser of a `let` that a builtin macro of rust-analyzer generated.
    fn generated_let(&self, stmt: &Statement) -> Option<ExprId> {
        let Statement::Let { pat, initializer, else_branch: None, .. } = stmt else { return None };
        let Pat::Bind { id, subpat: None } = self.store[*pat] else { return None };
        if self.store[id].name.is_generated() { *initializer } else { None }
    }

    /// The call of `Arguments::new` at the end of a block: callee and arguments.
    fn constructor_call(&self, block: ExprId) -> Option<(ExprId, &[ExprId])> {
        let Expr::Block { tail: Some(tail), .. } = &self.store[block] else { return None };
        let Expr::Unsafe { tail: Some(tail), .. } = &self.store[*tail] else { return None };
        match &self.store[*tail] {
            Expr::Call { callee, args } => Some((*callee, args)),
            _ => None,
        }
    }

    fn callee_of(&self, callee: ExprId) -> Option<(FunctionId, GenericArgs<'db>)> {
        let TyKind::FnDef(def, generic) = self.ty(callee).kind() else { return None };
        match def.0 {
            CallableDefId::FunctionId(func) => Some((func, generic)),
            _ => None,
        }
    }

    fn constructors_of(&self, block: ExprId) -> Option<Constructors> {
        let (callee, _) = self.constructor_call(block)?;
        let (new, generic) = self.callee_of(callee)?;
        let ItemContainerId::ImplId(imp) = new.lookup(self.db).container else { return None };
        let from_str = imp.impl_items(self.db).items.iter().find_map(|(name, item)| match item {
            AssocItemId::FunctionId(func) if name.as_str() == "from_str_nonconst" => Some(*func),
            _ => None,
        })?;
        Some(Constructors { new, from_str, generic: generic.store() })
    }

    /// Whether a placeholder calls one of these `fmt` methods, by its constructor's name.
    fn formats_with(&self, argument: &Argument, names: &[&str]) -> bool {
        self.callee_of(argument.constructor)
            .is_some_and(|(func, _)| names.contains(&FunctionSignature::of(self.db, func).name.as_str()))
    }

    /// The borrowed expression, without enclosing borrows.
    fn borrowed(&self, mut expr: ExprId) -> ExprId {
        while let Expr::Ref { expr: inner, rawness, .. } = &self.store[expr]
            && !rawness.is_raw()
        {
            expr = *inner;
        }
        expr
    }

    /// Merges arguments that are `format_args!` themselves into the outer call.
    fn flattened(&self, format: Format) -> Format {
        let mut borrows = format.borrows;
        let mut pieces = Vec::new();
        let mentioned = |borrow: ExprId| {
            let of = |it: &Piece<Argument>| matches!(it, Piece::Placeholder(it) if it.arg.borrow == borrow);
            format.pieces.iter().filter(|it| of(it)).count()
        };
        for piece in &format.pieces {
            if let Piece::Placeholder(it) = piece
                && self.formats_with(&it.arg, &["new_display", "new_debug"])
                && mentioned(it.arg.borrow) == 1
                && let Some(inner) = self.nested(self.borrowed(it.arg.borrow))
                && let Some(at) = borrows.iter().position(|&borrow| borrow == it.arg.borrow)
            {
                let inner = self.flattened(inner);
                borrows.splice(at..=at, inner.borrows);
                inner.pieces.into_iter().for_each(|it| push(&mut pieces, it));
            } else {
                push(&mut pieces, piece.clone());
            }
        }
        Format { borrows, pieces }
    }

    /// A `format_args!` that is an argument of another.
    fn nested(&self, expr: ExprId) -> Option<Format> {
        if self.syntax.unexpanded.contains_key(&expr) {
            return None;
        }
        // Without arguments it is a call of `Arguments::from_str`.
        if let Expr::Call { callee, args } = &self.store[expr]
            && let [text] = &args[..]
            && !self.syntax.old_panics.contains_key(text)
            && let Some(text) = self.literal_text(*text)
            && let (func, _) = self.callee_of(*callee)?
            && let TyKind::Adt(def, _) = self.bare_ty(expr).kind()
            && self.lang().FormatArguments.is_some_and(|it| hir_def::AdtId::from(it) == def.def_id())
            && FunctionSignature::of(self.db, func).name.as_str() == "from_str"
        {
            let mut pieces = Vec::new();
            push_text(&mut pieces, &text);
            return Some(Format { borrows: Vec::new(), pieces });
        }
        self.format_of(expr).filter(|_| !self.syntax.old_panics.contains_key(&expr))
    }

    /// A call of `Arguments::from_str`.
    fn call_from_str(&mut self, dest: &Place, constructors: &Constructors, text: Box<str>) {
        // The generic arguments are only lifetimes.
        let erased = self.erased();
        let generic =
            GenericArgs::for_item(self.interner(), constructors.from_str.into(), |_, _, _, _| erased.into()).store();
        let text = Operand::Const(Const::Str(text));
        self.call(dest.clone(), Callee::Fn(constructors.from_str, generic), vec![text]);
    }

    /// Inlines literals that are displayed as written.
    fn inlined(&self, format: Format) -> Format {
        let mut pieces = Vec::new();
        let mut gone = Vec::new();
        for piece in format.pieces {
            match &piece {
                Piece::Placeholder(it)
                    if it.is_plain()
                        && self.formats_with(&it.arg, &["new_display"])
                        && let Some(text) = self.literal_text(self.borrowed(it.arg.borrow)) =>
                {
                    push_text(&mut pieces, &text);
                    gone.push(it.arg.borrow);
                }
                _ => push(&mut pieces, piece),
            }
        }
        // An argument that another placeholder needs is kept.
        for piece in &pieces {
            if let Piece::Placeholder(it) = piece {
                gone.retain(|&borrow| borrow != it.arg.borrow);
            }
            piece.each_count(|arg| gone.retain(|&borrow| borrow != arg.borrow));
        }
        let borrows = format.borrows.into_iter().filter(|it| !gone.contains(it)).collect();
        Format { borrows, pieces }
    }

    /// A string or integer literal as `Display` writes it.
    fn literal_text(&self, expr: ExprId) -> Option<String> {
        let Expr::Literal(literal) = &self.store[expr] else { return None };
        match (self.macro_constant(expr, literal), literal) {
            (Some(Ok(Const::Str(text))), _) => Some(text.into()),
            (Some(_), _) => None,
            (None, Literal::String(text)) => Some(text.as_str().to_owned()),
            (None, Literal::Int(value, _)) => Some(value.to_string()),
            (None, Literal::Uint(value, _)) => Some(value.to_string()),
            (None, _) => None,
        }
    }

    fn build_format(&mut self, dest: &Place, format: &Format, constructors: &Constructors, scope: usize) {
        let mut borrowed: Vec<(ExprId, LocalId)> = Vec::new();
        for &borrow in &format.borrows {
            self.extend_expr(borrow, scope);
            let ty = self.ty(borrow);
            let local = self.scratch(ty);
            self.expr_into(local.into(), borrow);
            borrowed.push((borrow, local));
        }
        let mut arguments: Vec<Argument> = Vec::new();
        let mut position = |argument: Argument| {
            let known = arguments.iter().position(|it| *it == argument);
            let index = known.unwrap_or_else(|| {
                arguments.push(argument);
                arguments.len() - 1
            });
            u16::try_from(index).ok()
        };
        let pieces: Option<Vec<Piece<u16>>> = format.pieces.iter().cloned().map(|it| it.map(&mut position)).collect();
        let Some(pieces) = pieces else {
            return self.gap_into(dest.clone(), "`format_args!` with too many arguments");
        };
        if arguments.is_empty() {
            let text = match &pieces[..] {
                [Piece::Text(text)] => text.as_str().into(),
                _ => "".into(),
            };
            return self.call_from_str(dest, constructors, text);
        }
        let mut values = Vec::with_capacity(arguments.len());
        let mut element = self.error_ty();
        for argument in &arguments {
            let Some((func, generic)) = self.callee_of(argument.constructor) else {
                return self.gap_into(dest.clone(), "unresolved argument of a format string");
            };
            element = self.fn_output(func, generic);
            let local = self.scratch(element);
            let value = borrowed.iter().find(|(borrow, _)| *borrow == argument.borrow).map(|(_, local)| *local);
            let Some(value) = value else {
                return self.gap_into(dest.clone(), "unresolved argument of a format string");
            };
            let Some(value) = self.coerced(argument, value) else {
                return self.gap_into(dest.clone(), "width or precision behind a smart pointer");
            };
            self.call(local, Callee::Fn(func, generic.store()), vec![value]);
            values.push(Operand::from(local));
        }
        let array_ty = Ty::new_array(self.interner(), element, values.len() as u64);
        let array = self.temporary(array_ty);
        let count = values.len();
        self.assign(array, Rvalue::Aggregate(Aggregate::Plain, values));
        self.schedule(scope, array);
        let array_ref = self.scratch(self.ref_ty(array_ty, Mutability::Not));
        self.assign(array_ref, Rvalue::Ref(array.into()));
        let bytes = encode(&pieces);
        // The two lengths are the only constants among the arguments.
        let mut lengths = [bytes.len(), count].into_iter();
        let krate = self.resolver.krate();
        let generic: Vec<_> = constructors
            .generic
            .as_ref()
            .iter()
            .map(|it| match it.as_const() {
                Some(_) => consteval::usize_const(self.db, lengths.next().map(|it| it as u128), krate).into(),
                None => it,
            })
            .collect();
        let generic = GenericArgs::new_from_slice(&generic).store();
        let template = Operand::Const(Const::Bytes(bytes));
        self.call(dest.clone(), Callee::Fn(constructors.new, generic), vec![template, array_ref.into()]);
    }

    /// The value that a constructor gets for a borrowed argument: one for a width or precision takes exactly `&usize`,
    /// so further references are dereferenced.
    fn coerced(&self, argument: &Argument, borrowed: LocalId) -> Option<Operand> {
        let mut place = Place::from(borrowed);
        if self.formats_with(argument, &["from_usize"]) {
            let mut ty = self.ty(argument.borrow).builtin_deref(true)?;
            while let TyKind::Ref(_, inner, _) = ty.kind() {
                place = place.deref();
                ty = inner;
            }
            if !matches!(ty.kind(), TyKind::Uint(_)) {
                return None;
            }
        }
        Some(Operand::Use(place))
    }
}

/// Adds a piece; adjacent texts are merged.
fn push<A>(pieces: &mut Vec<Piece<A>>, piece: Piece<A>) {
    match piece {
        Piece::Text(text) => push_text(pieces, &text),
        placeholder => pieces.push(placeholder),
    }
}
