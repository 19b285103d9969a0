//! Names of objects: the field, static or variable through which the workspace's code reached an object. Only reads
//! HIR; if that does not tell, there is no name.

mod awaits;
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

/// Maximum number of steps from a variable to its origin.
const MAX_DEPTH: u32 = 12;

/// Looks up names in a program's source.
pub(crate) struct ObjectNames<'a, 'db> {
    pub(crate) project: &'db Project,
    pub(crate) program: &'a Program<'db>,
}

/// A body, with its callers if they are known.
#[derive(Clone, Copy)]
struct BodyPosition<'s> {
    owner: DefWithBodyId,
    /// The callers, innermost first; empty if unknown.
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

    /// The body and site of a frame. The function's callers tell where a closure's captured parameters come from.
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

    /// The object of an operation: a method's receiver, a function's first argument, or the written place.
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

    /// The name of the place that an expression denotes, or of the target of its reference.
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
                    let item = self.project.static_location(id);
                    Some(Name { kind: NameKind::Static, declared: None, text, of: None, item })
                }
                _ => None,
            },
            Expr::Field { expr: base, name } => match self.infer(at).field_resolution(expr) {
                Some(either::Either::Left(field)) => {
                    let text = format!("{}.{}", self.type_name(field.parent), name.as_str());
                    let of = self.name(at, *base).map(|base| base.full());
                    let item = self.project.field_location(field.parent, name.as_str());
                    Some(Name { kind: NameKind::Field, declared: None, text, of, item })
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

    /// The name of what a function of the workspace returns: the field or static at the end of its body, or the target
    /// of the returned reference.
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
            item: None,
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
        // A variable that the compiler generates, such as a `for` loop's iterator, has a name that cannot be in the
        // source.
        if text == "self" || text.starts_with('<') {
            return None;
        }
        let (_, map) = Body::with_source_map(self.project.db(), at.owner);
        let pat = map.patterns_for_binding(binding).first();
        let declared = pat.and_then(|pat| self.project.location_of(at.owner, ir::Site::Pat(*pat)));
        let of = match at.owner {
            DefWithBodyId::FunctionId(func) => {
                Some(FunctionSignature::of(self.project.db(), func).name.as_str().to_owned())
            }
            _ => None,
        };
        Some(Name { kind: NameKind::Local, declared, text, of, item: None })
    }

    /// The name behind a variable whose initialiser creates nothing new.
    fn alias(&self, at: BodyPosition<'_>, init: ExprId) -> Option<Name> {
        match &self.body(at)[init] {
            Expr::Path(_) | Expr::Field { .. } | Expr::Index { .. } | Expr::Ref { .. } | Expr::MethodCall { .. } => {
                self.name(at, init)
            }
            Expr::UnaryOp { op: UnaryOp::Deref, .. } | Expr::Cast { .. } => self.name(at, init),
            Expr::Call { callee, args } => {
                let TyKind::FnDef(def, _) = self.infer(at).expr_ty(*callee).kind() else { return None };
                let hir_def::CallableDefId::FunctionId(func) = def.0 else { return None };
                // `Arc::clone(&x)` returns the same object as `x`, and a loop's iterator stands for what it iterates
                // over.
                let signature = FunctionSignature::of(self.project.db(), func);
                let is_same = matches!(signature.name.as_str(), "clone" | "into_iter");
                if is_same { self.name(at, *args.first()?) } else { None }
            }
            _ => None,
        }
    }

    /// The name of a part of a pattern.
    fn part_of(&self, at: BodyPosition<'_>, pat: PatId, init: ExprId, path: &str) -> Option<Name> {
        match self.infer(at).variant_resolution_for_pat(pat) {
            Some(variant) => {
                let text = format!("{}{path}", self.type_name(variant));
                let of = self.name(at, init).map(|base| base.full());
                let item = self.project.field_location(variant, path.trim_start_matches('.'));
                Some(Name { kind: NameKind::Field, declared: None, text, of, item })
            }
            None => self.name(at, init).map(|base| base.part(path)),
        }
    }

    /// The name of the caller's argument, if the caller is known.
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

    /// The origin of a variable's value.
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
        // `match x { name => ... }`, which a `for` loop uses for its iterator.
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
        self.adt_name(adt)
    }

    fn adt_name(&self, adt: AdtId) -> String {
        let db = self.project.db();
        match adt {
            AdtId::StructId(id) => StructSignature::of(db, id).name.as_str().to_owned(),
            AdtId::UnionId(id) => UnionSignature::of(db, id).name.as_str().to_owned(),
            AdtId::EnumId(id) => EnumSignature::of(db, id).name.as_str().to_owned(),
        }
    }
}

/// The origin of a variable's value.
enum Origin {
    /// A `let`'s initialiser.
    Init(ExprId),
    /// A part of it: the pattern, the initialiser, the path to the part.
    Part(PatId, ExprId, String),
    /// A parameter; the receiver is the first.
    Param(usize),
}

/// Whether a method creates a new value instead of returning a part of its receiver.
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

/// The path from a pattern's value to a variable, one level deep.
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
    /// The name of a part of this object.
    fn part(self, path: &str) -> Name {
        Name { text: format!("{}{path}", self.text), ..self }
    }

    /// The name with what distinguishes it, for a field.
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
