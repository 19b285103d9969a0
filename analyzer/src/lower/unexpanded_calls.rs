//! Macro calls that came to nothing: nobody knows the macro, no rule of it fits, or it goes too deep.
//!
//! HIR has no word of such a call where it is a statement: rust-analyzer leaves it out of the block. Whatever it would have
//! done is missing then, so it is found again by following the block's text through all expansions, beside the statements
//! that HIR has of it. Where it is an expression it is a hole, or what is left of a rule that does not fit.

use super::guard;
use hir_def::{
    DefWithBodyId, FunctionId, HasModule as _, ItemContainerId, Lookup as _,
    expr_store::{Body, BodySourceMap, ExpressionStoreDiagnostics},
    hir::{ClosureKind, CoroutineSource, Expr, ExprId, ExprOrPatId, PatId, Statement},
    nameres::{
        assoc::TraitItems,
        diagnostics::{DefDiagnostic, DefDiagnosticKind},
    },
};
use hir_expand::{AstId, ExpandErrorKind, HirFileId, InFile, MacroCallId, MacroCallKind};
use hir_ty::db::HirDatabase;
use ra_ap_base_db::{Crate, CrateOrigin};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, Edition, SourceFile, SyntaxNode, SyntaxNodePtr, TextRange, ast};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

const GARBLED: &str = "a macro expands to what is not understood";

/// A statement that HIR does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UnexpandedStatement {
    /// The block that it stands in.
    pub(super) block: ExprId,
    /// It stands before the statement of this number; the block's last expression counts as one.
    pub(super) before: usize,
    /// It is the block's last expression.
    pub(super) is_tail: bool,
    /// What to say of it.
    pub(super) cause: Box<str>,
}

impl UnexpandedStatement {
    /// Whether the value of its block, with so many statements, would be its own.
    pub(super) fn ends(&self, count: usize) -> bool {
        self.is_tail || self.before > count
    }
}

/// All calls of a body that came to nothing.
#[derive(Default)]
pub(super) struct UnexpandedCalls {
    /// Those that HIR has nothing of, and where they stand.
    pub(super) statements: Vec<(UnexpandedStatement, InFile<SyntaxNodePtr>)>,
    /// The expressions that stand for the others, and what to say of them.
    pub(super) values: FxHashMap<ExprId, Box<str>>,
}

/// The call of a statement that came to nothing, by its number in the body.
pub(crate) fn statement(db: &dyn HirDatabase, def: DefWithBodyId, number: u32) -> Option<InFile<SyntaxNodePtr>> {
    let calls = guard::caught(db, || calls(db, def))?;
    Some(calls.statements.get(number as usize)?.1)
}

/// Reads the text of a body. The macros of std are known.
pub(super) fn calls(db: &dyn HirDatabase, def: DefWithBodyId) -> UnexpandedCalls {
    let mut calls = UnexpandedCalls::default();
    if matches!(def.module(db).krate(db).data(db).origin, CrateOrigin::Lang(_)) {
        return calls;
    }
    let (body, map) = Body::with_source_map(db, def);
    let inactive = map.diagnostics().iter().filter_map(|it| match it {
        ExpressionStoreDiagnostics::InactiveCode { node, .. } => Some(*node),
        _ => None,
    });
    let reader = Reader { db, map, inactive: inactive.collect() };
    for (expr, what) in body.exprs() {
        let (block, statements, tail) = match what {
            Expr::Block { statements, tail, .. } | Expr::Unsafe { statements, tail, .. } => (expr, statements, *tail),
            Expr::Closure {
                body: block,
                closure_kind: ClosureKind::Coroutine { source: CoroutineSource::Block, .. },
                ..
            } => match &body[*block] {
                Expr::Block { statements, tail, .. } => (*block, statements, *tail),
                _ => continue,
            },
            Expr::Missing => {
                let call = reader.syntax(expr).and_then(|it| ast::MacroExpr::cast(it.value)?.macro_call());
                calls.values.extend(call.and_then(|it| Some((expr, cause(&it)?))));
                continue;
            }
            _ => continue,
        };
        let Some(source) = reader.syntax(expr) else { continue };
        let Some(syntax) = ast::BlockExpr::cast(source.value) else { continue };
        let hir = HirBlock { block, statements, tail };
        reader.block(&hir, source.file_id, &syntax, &mut calls);
    }
    let root = body.root_expr();
    let is_edited = def.module(db).krate(db).data(db).origin.is_local();
    if let Some(source) = reader.syntax(root)
        && let HirFileId::MacroFile(file) = source.file_id
        && let errors = expansion_errors(db, file)
        && errors.iter().any(|it| source.value.text_range().contains_range(*it))
        && is_macros_fault(db, file, is_edited)
    {
        calls.values.insert(root, GARBLED.into());
    }
    for (&call, id) in map.expansions() {
        let is_garbled = !expansion_errors(db, *id).is_empty() && is_macros_fault(db, *id, is_edited);
        if is_garbled {
            // Any of the body's statements may be another one than what is written.
            calls.values.insert(root, GARBLED.into());
        }
        if is_garbled || id.parse_macro_expansion(db).err.is_none() {
            continue;
        }
        // A text that is none is known where literals are made.
        let node = call.map(|it| it.to_node(&call.file_id.parse_or_expand(db)));
        let Some(outer) = node.value.syntax().parent().and_then(ast::Expr::cast) else { continue };
        if let Some(ExprOrPatId::ExprId(expr)) = map.node_expr(InFile::new(node.file_id, &outer))
            && !matches!(body[expr], Expr::Literal(_) | Expr::IncludeBytes)
        {
            // Where one call is all that another gives, which comes first is chance.
            let Some(cause) = cause(&node.value) else { continue };
            match calls.values.entry(expr) {
                Entry::Occupied(mut known) if cause < *known.get() => drop(known.insert(cause)),
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => drop(free.insert(cause)),
            }
        }
    }
    calls
}

/// Where rust-analyzer's parser does not understand what a macro expands to, be it a type of the caller's before `<<`: rustc takes
/// what a fragment stands for as one thing, rust-analyzer as tokens.
fn expansion_errors(db: &dyn HirDatabase, call: MacroCallId) -> Vec<TextRange> {
    call.parse_macro_expansion(db).value.0.errors().iter().map(|it| it.range()).collect()
}

/// Whether an expansion that is not understood is so although its call is written to its end. Half-typed calls are those of who is
/// at work on the crate: of such a body everything else is understood.
fn is_macros_fault(db: &dyn HirDatabase, call: MacroCallId, is_edited: bool) -> bool {
    if !is_edited {
        return true;
    }
    let MacroCallKind::FnLike { ast_id, .. } = &call.loc(db).kind else { return false };
    let node = ast_id.to_node(db);
    let Some(arguments) = node.token_tree().map(|it| it.syntax().text().to_string()) else { return false };
    let inner = arguments.get(1..arguments.len().saturating_sub(1)).unwrap_or_default();
    let parses = |text: String| SourceFile::parse(&text, Edition::CURRENT).errors().is_empty();
    [format!("fn f() {{ f({inner}) }}"), format!("fn f() {{ [{inner}] }}"), format!("fn f() {{ {inner} }}")]
        .into_iter()
        .any(parses)
}

/// What to say of a constant or static with an attribute that nobody expands: what the attribute would have made of the value is
/// not known, be it one that is computed at the first use.
pub(super) fn attribute(db: &dyn HirDatabase, def: DefWithBodyId) -> Option<Box<str>> {
    let item: AstId<ast::Item> = match def {
        DefWithBodyId::ConstId(id) => id.lookup(db).id.map(|it| it.upcast()),
        DefWithBodyId::StaticId(id) => id.lookup(db).id.map(|it| it.upcast()),
        _ => return None,
    };
    let module = def.module(db);
    unexpanded(db, module.krate(db), module.def_map(db).diagnostics().iter(), item)
}

/// What to say of a function with such an attribute, be it one of the impl or trait that it stands in.
pub(crate) fn attribute_of_function(db: &dyn HirDatabase, func: FunctionId) -> Option<Box<str>> {
    let loc = func.lookup(db);
    let module = func.module(db);
    let (inside, outer) = match loc.container {
        ItemContainerId::ImplId(id) => (&id.impl_items_with_diagnostics(db).1, id.lookup(db).id.upcast()),
        ItemContainerId::TraitId(id) => (&TraitItems::query_with_diagnostics(db, id).1, id.lookup(db).id.upcast()),
        ItemContainerId::ModuleId(_) | ItemContainerId::ExternBlockId(_) => {
            return unexpanded(db, module.krate(db), module.def_map(db).diagnostics().iter(), loc.id.upcast());
        }
    };
    unexpanded(db, module.krate(db), inside.iter(), loc.id.upcast())
        .or_else(|| unexpanded(db, module.krate(db), module.def_map(db).diagnostics().iter(), outer))
}

fn unexpanded<'a>(
    db: &dyn HirDatabase,
    krate: Crate,
    mut diagnostics: impl Iterator<Item = &'a DefDiagnostic>,
    item: AstId<ast::Item>,
) -> Option<Box<str>> {
    let path = diagnostics.find_map(|diagnostic| match &diagnostic.kind {
        DefDiagnosticKind::MacroError { ast, path, err: ExpandErrorKind::MissingProcMacroExpander(_) } => {
            (*ast == item).then_some(path)
        }
        DefDiagnosticKind::UnresolvedMacroCall { ast: MacroCallKind::Attr { ast_id, .. }, path } => {
            (*ast_id == item).then_some(path)
        }
        _ => None,
    })?;
    Some(format!("`#[{}]` is not expanded", path.display(db, krate.data(db).edition)).into())
}

fn cause(call: &ast::MacroCall) -> Option<Box<str>> {
    let path: String = call.path()?.syntax().text().to_string().split_whitespace().collect();
    Some(format!("`{path}!` is not expanded").into())
}

/// What HIR has of a block.
struct HirBlock<'a> {
    block: ExprId,
    statements: &'a [Statement],
    tail: Option<ExprId>,
}

impl HirBlock<'_> {
    /// The number of an expression's statement, if it is one of those from `from` on.
    fn of_expr(&self, from: usize, wanted: ExprId) -> Option<usize> {
        let is_it = |it: &Statement| matches!(it, Statement::Expr { expr, .. } if *expr == wanted);
        let found = (from..self.statements.len()).find(|index| is_it(&self.statements[*index]));
        found.or_else(|| (self.tail == Some(wanted)).then_some(self.statements.len()))
    }

    fn of_pat(&self, from: usize, wanted: PatId) -> Option<usize> {
        let is_it = |it: &Statement| matches!(it, Statement::Let { pat, .. } if *pat == wanted);
        (from..self.statements.len()).find(|index| is_it(&self.statements[*index]))
    }
}

struct Reader<'a> {
    db: &'a dyn HirDatabase,
    map: &'a BodySourceMap,
    /// What a `cfg` leaves out.
    inactive: FxHashSet<InFile<SyntaxNodePtr>>,
}

impl Reader<'_> {
    fn syntax(&self, expr: ExprId) -> Option<InFile<SyntaxNode>> {
        let source = self.map.expr_syntax(expr).ok()?;
        let root = source.file_id.parse_or_expand(self.db);
        Some(source.map(|it| it.syntax_node_ptr().to_node(&root)))
    }

    fn block(&self, hir: &HirBlock<'_>, file: HirFileId, syntax: &ast::BlockExpr, calls: &mut UnexpandedCalls) {
        let mut next = 0;
        for statement in syntax.statements() {
            self.statement(hir, file, &statement, &mut next, calls);
        }
        if let Some(ast::Expr::MacroExpr(call)) = syntax.tail_expr() {
            let before = calls.statements.len();
            self.call(hir, file, &call, &mut next, calls);
            if let [.., (last, _)] = &mut calls.statements[before..]
                && hir.tail.is_none_or(|tail| hir.of_expr(0, tail) < Some(last.before))
            {
                last.is_tail = true;
            }
        }
    }

    fn statement(
        &self,
        hir: &HirBlock<'_>,
        file: HirFileId,
        syntax: &ast::Stmt,
        next: &mut usize,
        calls: &mut UnexpandedCalls,
    ) {
        let found = match syntax {
            ast::Stmt::LetStmt(syntax) => match syntax.pat().and_then(|it| self.map.node_pat(InFile::new(file, &it))) {
                Some(ExprOrPatId::PatId(pat)) => hir.of_pat(*next, pat),
                _ => None,
            },
            ast::Stmt::ExprStmt(syntax) => match syntax.expr() {
                Some(ast::Expr::MacroExpr(call)) => return self.call(hir, file, &call, next, calls),
                Some(expr) => self.known_expr(hir, file, &expr, *next),
                None => None,
            },
            ast::Stmt::Item(_) => None,
        };
        *next = found.map_or(*next, |index| index + 1);
    }

    fn known_expr(&self, hir: &HirBlock<'_>, file: HirFileId, syntax: &ast::Expr, from: usize) -> Option<usize> {
        match self.map.node_expr(InFile::new(file, syntax)) {
            Some(ExprOrPatId::ExprId(expr)) => hir.of_expr(from, expr),
            _ => None,
        }
    }

    fn call(
        &self,
        hir: &HirBlock<'_>,
        file: HirFileId,
        syntax: &ast::MacroExpr,
        next: &mut usize,
        calls: &mut UnexpandedCalls,
    ) {
        let inside = InFile::new(file, SyntaxNodePtr::new(syntax.syntax()));
        let Some(call) = syntax.macro_call().filter(|_| !self.inactive.contains(&inside)) else { return };
        let found = self.map.node_macro_file(InFile::new(file, &call));
        let expanded = found.map(|id| (id, id.parse_macro_expansion(self.db)));
        let fails = expanded.as_ref().is_none_or(|(_, made)| made.err.is_some());
        let has_value = self.map.node_expr(InFile::new(file, &ast::Expr::from(syntax.clone()))).is_some();
        if fails && !has_value {
            let statement = cause(&call).map(|cause| UnexpandedStatement {
                block: hir.block,
                before: *next,
                is_tail: false,
                cause,
            });
            calls.statements.extend(statement.map(|statement| (statement, inside)));
        }
        let Some((id, made)) = expanded else { return };
        if let Some(made) = ast::MacroStmts::cast(made.value.0.syntax_node()) {
            let file = HirFileId::from(id);
            for statement in made.statements() {
                self.statement(hir, file, &statement, next, calls);
            }
            match made.expr() {
                Some(ast::Expr::MacroExpr(call)) => self.call(hir, file, &call, next, calls),
                Some(expr) => {
                    *next = self.known_expr(hir, file, &expr, *next).map_or(*next, |index| index + 1);
                }
                None => {}
            }
        }
    }
}
