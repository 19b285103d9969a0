//! What the source calls an object that an operation is about: the field, static or variable through which the code of the
//! workspace reached it. Reads HIR only; where it says nothing there is no name.

mod guard_scope;

use crate::{
    instance::{InstanceKey, program::Program},
    ir,
    names::{Name, NameKind},
    project::Project,
};
use hir_def::{
    AdtId, DefWithBodyId, FunctionId, VariantId,
    expr_store::Body,
    hir::{BinaryOp, BindingId, Expr, ExprId, Pat, PatId, Statement, UnaryOp},
    resolver::{HasResolver, Resolver, ValueNs},
    signatures::{EnumSignature, FunctionSignature, StaticSignature, StructSignature, UnionSignature},
    type_ref::TypeRef,
};
use hir_ty::{InferBodyId, InferenceResult, next_solver::TyKind};
use interp::finding::StackEntry;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// How many steps from a variable to what it stands for are followed.
const MAX_DEPTH: u32 = 12;

/// Looks for names in a program's source.
pub(crate) struct ObjectNames<'a, 'db> {
    pub(crate) project: &'db Project,
    pub(crate) program: &'a Program<'db>,
}

/// A body, with the stack below the operation in it where that is known.
#[derive(Clone, Copy)]
struct BodyPosition<'s> {
    owner: DefWithBodyId,
    /// The callers, innermost first; empty if they are not known.
    callers: &'s [StackEntry],
    depth: u32,
}

impl<'db> ObjectNames<'_, 'db> {
    /// The name of the object of the operation at the top of a stack. `started` is the stack that started the thread.
    pub(crate) fn object(&self, stack: &[StackEntry], started: &[StackEntry]) -> Option<Name> {
        let inner = stack.iter().position(|entry| entry.is_local)?;
        let all = [stack, started].concat();
        let (at, site) = self.at(&all[inner], &all[inner + 1..], 0)?;
        match site {
            ir::Site::Expr(expr) => self.operand(at, expr, inner > 0),
            ir::Site::Pat(pat) => self.of_pat(at, pat),
            ir::Site::Macro(_) | ir::Site::None => None,
        }
    }

    /// The body and site of a frame. What a closure has from its function's parameters is known by the function's callers.
    fn at<'s>(&self, entry: &StackEntry, below: &'s [StackEntry], depth: u32) -> Option<(BodyPosition<'s>, ir::Site)> {
        let (owner, site) = self.program.source_site(entry.func, entry.site)?;
        let is_function = |entry: &StackEntry| matches!(self.program.key(entry.func), Some(InstanceKey::Fn(func, _)) if owner == (*func).into());
        let callers = match below.iter().position(is_function) {
            _ if is_function(entry) => below,
            Some(at) => &below[at + 1..],
            None => &[],
        };
        Some((BodyPosition { owner, callers, depth }, site))
    }

    fn body(&self, at: BodyPosition<'_>) -> &'db Body {
        Body::of(self.project.db(), at.owner)
    }

    fn infer(&self, at: BodyPosition<'_>) -> &'db InferenceResult<'db> {
        crate::workarounds::inference::of(self.project.db(), at.owner)
    }

    /// Whether the operation at an entry is a built-in `+=` or the like.
    pub(crate) fn updates(&self, entry: &StackEntry) -> bool {
        let Some((at, ir::Site::Expr(expr))) = self.at(entry, &[], 0) else { return false };
        matches!(self.body(at)[expr], Expr::BinaryOp { op: Some(BinaryOp::Assignment { op: Some(_) }), .. })
    }

    /// What an operation is about: a method's receiver, a function's first argument, the place that is written.
    fn operand(&self, at: BodyPosition<'_>, expr: ExprId, is_call: bool) -> Option<Name> {
        match &self.body(at)[expr] {
            Expr::MethodCall { method_name, .. } if makes_new(method_name.as_str()) => None,
            Expr::MethodCall { receiver, .. } => self.name(at, *receiver),
            Expr::Call { args, .. } if is_call => self.name(at, *args.first()?),
            Expr::Assignment { target, .. } => self.of_pat(at, *target),
            Expr::BinaryOp { lhs, .. } => self.name(at, *lhs),
            _ => self.name(at, expr),
        }
    }

    fn of_pat(&self, at: BodyPosition<'_>, pat: PatId) -> Option<Name> {
        match &self.body(at)[pat] {
            Pat::Expr(expr) => self.name(at, *expr),
            Pat::Bind { id, .. } => self.local(at, *id),
            _ => None,
        }
    }

    /// The name of the place, or of what the reference points to, that an expression gives.
    fn name(&self, at: BodyPosition<'_>, expr: ExprId) -> Option<Name> {
        if at.depth > MAX_DEPTH {
            return None;
        }
        let at = BodyPosition { depth: at.depth + 1, ..at };
        match &self.body(at)[expr] {
            Expr::Path(_) => match self.resolve(at, expr)? {
                ValueNs::LocalBinding(binding) => self.local(at, binding),
                ValueNs::StaticId(id) => {
                    let text = StaticSignature::of(self.project.db(), id).name.as_str().to_owned();
                    Some(Name { kind: NameKind::Static, declared: None, text, of: None })
                }
                _ => None,
            },
            Expr::Field { expr: base, name } => match self.infer(at).field_resolution(expr) {
                Some(either::Either::Left(field)) => {
                    let text = format!("{}.{}", self.type_name(field.parent), name.as_str());
                    let of = self.name(at, *base).map(|base| base.full());
                    Some(Name { kind: NameKind::Field, declared: None, text, of })
                }
                _ => self.name(at, *base).map(|base| base.part(&format!(".{}", name.as_str()))),
            },
            Expr::Index { base, .. } => self.name(at, *base).map(|base| base.part("[_]")),
            Expr::Ref { expr: inner, .. } | Expr::UnaryOp { expr: inner, op: UnaryOp::Deref } => self.name(at, *inner),
            Expr::Cast { expr: inner, .. } => self.name(at, *inner),
            Expr::Block { tail: Some(tail), .. } | Expr::Unsafe { tail: Some(tail), .. } => self.name(at, *tail),
            Expr::MethodCall { method_name, .. } if makes_new(method_name.as_str()) => None,
            Expr::MethodCall { receiver, .. } => match self.infer(at).method_resolution(expr) {
                Some((func, _)) if self.is_local(func) => self.result_of(at, func),
                _ => self.name(at, *receiver),
            },
            Expr::Call { callee, args } => match self.infer(at).expr_ty(*callee).kind() {
                TyKind::FnDef(def, _) => match def.0 {
                    hir_def::CallableDefId::FunctionId(func) if self.is_local(func) => self.result_of(at, func),
                    hir_def::CallableDefId::FunctionId(_) => self.name(at, *args.first()?),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// What a function of the workspace gives access to: a field or static if its body ends with one, else what the
    /// reference that it returns leads to.
    fn result_of(&self, at: BodyPosition<'_>, func: FunctionId) -> Option<Name> {
        let inner = BodyPosition { owner: func.into(), callers: &[], depth: at.depth };
        let root = self.body(inner).root_expr();
        if let Some(name) = self.name(inner, root).filter(|name| name.kind != NameKind::Local) {
            return Some(name);
        }
        let signature = FunctionSignature::of(self.project.db(), func);
        let returned = &signature.store[signature.ret_type?];
        let text = format!("{}()", self.program.types.function_name(func));
        matches!(returned, TypeRef::Reference(_)).then_some(Name {
            kind: NameKind::Given,
            declared: None,
            text,
            of: None,
        })
    }

    fn local(&self, at: BodyPosition<'_>, binding: BindingId) -> Option<Name> {
        if at.depth > MAX_DEPTH {
            return None;
        }
        let at = BodyPosition { depth: at.depth + 1, ..at };
        let found = match self.origin(at, binding) {
            Some(Origin::Init(init)) => self.alias(at, init),
            Some(Origin::Part(pat, init, path)) => self.part_of(at, pat, init, &path),
            Some(Origin::Param(index)) => self.argument(at, index),
            None => None,
        };
        found.or_else(|| self.own_name(at, binding))
    }

    /// The name of a variable itself.
    fn own_name(&self, at: BodyPosition<'_>, binding: BindingId) -> Option<Name> {
        let body = self.body(at);
        let text = body[binding].name.as_str().to_owned();
        // A variable that the compiler makes, such as a `for` loop's iterator, has a name that no source has.
        if text == "self" || text.starts_with('<') {
            return None;
        }
        let (_, map) = Body::with_source_map(self.project.db(), at.owner);
        let pat = map.patterns_for_binding(binding).first();
        let declared = pat.and_then(|pat| self.project.place_of(at.owner, ir::Site::Pat(*pat)));
        let of = match at.owner {
            DefWithBodyId::FunctionId(func) => {
                Some(FunctionSignature::of(self.project.db(), func).name.as_str().to_owned())
            }
            _ => None,
        };
        Some(Name { kind: NameKind::Local, declared, text, of })
    }

    /// What a variable stands for that was made by an expression that makes nothing new.
    fn alias(&self, at: BodyPosition<'_>, init: ExprId) -> Option<Name> {
        match &self.body(at)[init] {
            Expr::Path(_) | Expr::Field { .. } | Expr::Index { .. } | Expr::Ref { .. } | Expr::MethodCall { .. } => {
                self.name(at, init)
            }
            Expr::UnaryOp { op: UnaryOp::Deref, .. } | Expr::Cast { .. } => self.name(at, init),
            Expr::Call { callee, args } => {
                let TyKind::FnDef(def, _) = self.infer(at).expr_ty(*callee).kind() else { return None };
                let hir_def::CallableDefId::FunctionId(func) = def.0 else { return None };
                // `Arc::clone(&x)` gives what `x` is, and a loop's iterator works on what it goes over.
                let signature = FunctionSignature::of(self.project.db(), func);
                let is_same = matches!(signature.name.as_str(), "clone" | "into_iter");
                if is_same { self.name(at, *args.first()?) } else { None }
            }
            _ => None,
        }
    }

    /// What a part of a pattern is called.
    fn part_of(&self, at: BodyPosition<'_>, pat: PatId, init: ExprId, path: &str) -> Option<Name> {
        match self.infer(at).variant_resolution_for_pat(pat) {
            Some(variant) => {
                let text = format!("{}{path}", self.type_name(variant));
                let of = self.name(at, init).map(|base| base.full());
                Some(Name { kind: NameKind::Field, declared: None, text, of })
            }
            None => self.name(at, init).map(|base| base.part(path)),
        }
    }

    /// What the caller handed over, if the caller is known.
    fn argument(&self, at: BodyPosition<'_>, index: usize) -> Option<Name> {
        let (caller, callers) = at.callers.split_first()?;
        if !caller.is_local {
            return None;
        }
        let (at, ir::Site::Expr(expr)) = self.at(caller, callers, at.depth)? else { return None };
        let argument = match &self.body(at)[expr] {
            Expr::MethodCall { receiver, args, .. } => match index {
                0 => *receiver,
                _ => *args.get(index - 1)?,
            },
            Expr::Call { args, .. } => *args.get(index)?,
            _ => return None,
        };
        self.name(at, argument)
    }

    /// Where a variable has its value from.
    fn origin(&self, at: BodyPosition<'_>, binding: BindingId) -> Option<Origin> {
        let body = self.body(at);
        if let Some(param) = &body.self_param
            && param.formal == binding
        {
            return Some(Origin::Param(0));
        }
        let shift = usize::from(body.self_param.is_some());
        for (index, param) in body.params.iter().enumerate() {
            if is_bound(body, param.formal, binding) {
                return Some(Origin::Param(index + shift));
            }
        }
        let statements = body.exprs().filter_map(|(_, expr)| match expr {
            Expr::Block { statements, .. } | Expr::Unsafe { statements, .. } => Some(statements),
            _ => None,
        });
        for statement in statements.flatten() {
            let Statement::Let { pat, initializer: Some(init), .. } = statement else { continue };
            if is_bound(body, *pat, binding) {
                return Some(Origin::Init(*init));
            }
            if let Some(path) = part(body, *pat, binding) {
                return Some(Origin::Part(*pat, *init, path));
            }
        }
        // `match x { name => ... }`, as which a `for` loop names its iterator.
        body.exprs().find_map(|(_, expr)| match expr {
            Expr::Match { expr, arms } => {
                arms.iter().any(|arm| is_bound(body, arm.pat, binding)).then_some(Origin::Init(*expr))
            }
            _ => None,
        })
    }

    fn resolve(&self, at: BodyPosition<'_>, expr: ExprId) -> Option<ValueNs> {
        let body = self.body(at);
        let Expr::Path(path) = &body[expr] else { return None };
        let db = self.project.db();
        let mut resolver: Resolver<'_> = InferBodyId::from(at.owner).resolver(db);
        let _guard = resolver.update_to_inner_scope(db, at.owner, expr);
        resolver.resolve_path_in_value_ns_fully(db, path, body.expr_path_hygiene(expr))
    }

    fn is_local(&self, func: FunctionId) -> bool {
        let module = hir_def::HasModule::module(&func, self.project.db());
        self.project.is_local(module.krate(self.project.db()).into())
    }

    fn type_name(&self, variant: VariantId) -> String {
        let db = self.project.db();
        let adt = match variant {
            VariantId::StructId(id) => AdtId::StructId(id),
            VariantId::UnionId(id) => AdtId::UnionId(id),
            VariantId::EnumVariantId(id) => AdtId::EnumId(hir_def::Lookup::lookup(&id, db).parent),
        };
        match adt {
            AdtId::StructId(id) => StructSignature::of(db, id).name.as_str().to_owned(),
            AdtId::UnionId(id) => UnionSignature::of(db, id).name.as_str().to_owned(),
            AdtId::EnumId(id) => EnumSignature::of(db, id).name.as_str().to_owned(),
        }
    }
}

/// Where a variable has its value from.
enum Origin {
    /// A `let`'s initialiser.
    Init(ExprId),
    /// A part of it: the pattern, the initialiser, the way to the part.
    Part(PatId, ExprId, String),
    /// A parameter, the receiver being the first.
    Param(usize),
}

/// Whether a method gives something that is no part of its receiver, and writes it.
fn makes_new(method: &str) -> bool {
    method == "collect"
}

fn is_bound(body: &Body, pat: PatId, binding: BindingId) -> bool {
    match &body[pat] {
        Pat::Bind { id, .. } => *id == binding,
        Pat::Ref { pat, .. } => is_bound(body, *pat, binding),
        _ => false,
    }
}

/// The way from a pattern's value to a variable, one level deep.
fn part(body: &Body, pat: PatId, binding: BindingId) -> Option<String> {
    match &body[pat] {
        Pat::Tuple { args, ellipsis: None } | Pat::TupleStruct { args, ellipsis: None, .. } => {
            args.iter().position(|arg| is_bound(body, *arg, binding)).map(|index| format!(".{index}"))
        }
        Pat::Record { args, .. } => {
            args.iter().find(|arg| is_bound(body, arg.pat, binding)).map(|arg| format!(".{}", arg.name.as_str()))
        }
        Pat::Ref { pat, .. } => part(body, *pat, binding),
        _ => None,
    }
}

impl Name {
    /// A part of what has this name.
    fn part(self, path: &str) -> Name {
        Name { text: format!("{}{path}", self.text), ..self }
    }

    /// With what tells it from others, where it is a field.
    fn full(&self) -> String {
        match (&self.kind, &self.of) {
            (NameKind::Field, Some(of)) => {
                let field = self.text.split_once('.').map_or("", |it| it.1);
                format!("{of}.{field}")
            }
            _ => self.text.clone(),
        }
    }
}
