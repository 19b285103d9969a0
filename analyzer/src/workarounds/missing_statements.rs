//! Statement macros without an expansion: unknown macro, no matching rule, or too deep recursion.
//!
//! * Symptom: HIR silently omits the statement.
//! * Test: `tests/suite/project/macros.rs`.
//! * Upstream: none known.
//! * Goes when: HIR keeps a statement for it.
//!
//! To find them, the source of a block is followed through all expansions and compared with the block's statements in
//! HIR.

use crate::lower::unexpanded_calls::cause;
use hir_def::{
    DefWithBodyId, HasModule as _,
    expr_store::{Body, BodySourceMap, ExpressionStoreDiagnostics},
    hir::{ClosureKind, CoroutineSource, Expr, ExprId, ExprOrPatId, PatId, Statement},
};
use hir_expand::{HirFileId, InFile};
use hir_ty::db::HirDatabase;
use ra_ap_base_db::CrateOrigin;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, SyntaxNode, SyntaxNodePtr, ast};
use rustc_hash::FxHashSet;

/// A statement that is missing in HIR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MissingStatement {
    /// The enclosing block.
    pub(crate) block: ExprId,
    /// Index of the next statement in HIR. The block's tail expression counts as a statement.
    pub(crate) before: usize,
    /// Whether it is the block's tail expression.
    pub(crate) is_tail: bool,
    /// The cause for reports.
    pub(crate) cause: Box<str>,
}

impl MissingStatement {
    /// Whether the value of its block would be this statement's, if the block has `count` statements.
    pub(crate) fn ends(&self, count: usize) -> bool {
        self.is_tail || self.before > count
    }
}

/// A missing statement and its location.
type FoundStatement = (MissingStatement, InFile<SyntaxNodePtr>);

/// The missing statements of a body and their locations. Bodies of std have none.
pub(crate) fn of_body(db: &dyn HirDatabase, def: DefWithBodyId) -> Vec<FoundStatement> {
    let mut found = Vec::new();
    if matches!(def.module(db).krate(db).data(db).origin, CrateOrigin::Lang(_)) {
        return found;
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
            _ => continue,
        };
        let Some(source) = reader.syntax(expr) else { continue };
        let Some(syntax) = ast::BlockExpr::cast(source.value) else { continue };
        let hir = HirBlock { block, statements, tail };
        reader.block(&hir, source.file_id, &syntax, &mut found);
    }
    found
}

/// A block in HIR.
struct HirBlock<'a> {
    block: ExprId,
    statements: &'a [Statement],
    tail: Option<ExprId>,
}

impl HirBlock<'_> {
    /// Index of an expression's statement, if it is at or after `from`.
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
    /// Nodes disabled by `cfg`.
    inactive: FxHashSet<InFile<SyntaxNodePtr>>,
}

impl Reader<'_> {
    fn syntax(&self, expr: ExprId) -> Option<InFile<SyntaxNode>> {
        let source = self.map.expr_syntax(expr).ok()?;
        let root = source.file_id.parse_or_expand(self.db);
        Some(source.map(|it| it.syntax_node_ptr().to_node(&root)))
    }

    fn block(&self, hir: &HirBlock<'_>, file: HirFileId, syntax: &ast::BlockExpr, found: &mut Vec<FoundStatement>) {
        let mut next = 0;
        for statement in syntax.statements() {
            self.statement(hir, file, &statement, &mut next, found);
        }
        if let Some(ast::Expr::MacroExpr(call)) = syntax.tail_expr() {
            let before = found.len();
            self.call(hir, file, &call, &mut next, found);
            if let [.., (last, _)] = &mut found[before..]
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
        found: &mut Vec<FoundStatement>,
    ) {
        let known = match syntax {
            ast::Stmt::LetStmt(syntax) => match syntax.pat().and_then(|it| self.map.node_pat(InFile::new(file, &it))) {
                Some(ExprOrPatId::PatId(pat)) => hir.of_pat(*next, pat),
                _ => None,
            },
            ast::Stmt::ExprStmt(syntax) => match syntax.expr() {
                Some(ast::Expr::MacroExpr(call)) => return self.call(hir, file, &call, next, found),
                Some(expr) => self.known_expr(hir, file, &expr, *next),
                None => None,
            },
            ast::Stmt::Item(_) => None,
        };
        *next = known.map_or(*next, |index| index + 1);
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
        found: &mut Vec<FoundStatement>,
    ) {
        let inside = InFile::new(file, SyntaxNodePtr::new(syntax.syntax()));
        let Some(call) = syntax.macro_call().filter(|_| !self.inactive.contains(&inside)) else { return };
        let file_of_call = self.map.node_macro_file(InFile::new(file, &call));
        let expanded = file_of_call.map(|id| (id, id.parse_macro_expansion(self.db)));
        let fails = expanded.as_ref().is_none_or(|(_, made)| made.err.is_some());
        let has_value = self.map.node_expr(InFile::new(file, &ast::Expr::from(syntax.clone()))).is_some();
        if fails && !has_value {
            let statement =
                cause(&call).map(|cause| MissingStatement { block: hir.block, before: *next, is_tail: false, cause });
            found.extend(statement.map(|statement| (statement, inside)));
        }
        let Some((id, made)) = expanded else { return };
        if let Some(made) = ast::MacroStmts::cast(made.value.0.syntax_node()) {
            let file = HirFileId::from(id);
            for statement in made.statements() {
                self.statement(hir, file, &statement, next, found);
            }
            match made.expr() {
                Some(ast::Expr::MacroExpr(call)) => self.call(hir, file, &call, next, found),
                Some(expr) => {
                    *next = self.known_expr(hir, file, &expr, *next).map_or(*next, |index| index + 1);
                }
                None => {}
            }
        }
    }
}
