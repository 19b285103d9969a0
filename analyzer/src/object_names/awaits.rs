//! The `.await` at which a body is suspended, and the guards that it holds there, from the source text.

use super::{ObjectNames, guard_scope};
use crate::{ir::Site, names::Awaits, std_models, workarounds::inference};
use hir_def::{
    expr_store::Body,
    hir::{Expr, ExprOrPatId},
};
use hir_ty::next_solver::TyKind;
use interp::finding::StackEntry;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand::InFile;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, SyntaxKind, SyntaxNode, TextRange, ast};
use rustc_type_ir::inherent::IntoKind;

/// Maximum length of a text that is quoted, in bytes.
const LONGEST: usize = 60;
/// Maximum number of earlier `.await`s that may have given a guard; the nearest ones are taken.
const MOST_EARLIER: usize = 16;
/// Ends of names of types that give something back when they are dropped: `MutexGuard`, `SemaphorePermit`.
const GUARDS: [&str; 2] = ["Guard", "Permit"];

impl ObjectNames<'_, '_> {
    /// The `.await` at which the body of a stack entry is suspended; `None` if that is in a macro.
    pub(crate) fn awaits(&self, entry: &StackEntry) -> Option<Awaits> {
        let (file, node) = self.syntax(entry)?;
        let waits = ast::AwaitExpr::cast(node)?;
        let body = waits.syntax().ancestors().skip(1).find(is_body)?;
        // What is awaited may itself contain an `.await`.
        let is_earlier = |it: &ast::AwaitExpr| it.syntax().text_range().end() < waits.syntax().text_range().end();
        let is_own = |it: &ast::AwaitExpr| it.syntax().ancestors().skip(1).find(is_body).as_ref() == Some(&body);
        let mut earlier: Vec<ast::AwaitExpr> =
            body.descendants().filter_map(ast::AwaitExpr::cast).filter(|it| is_earlier(it) && is_own(it)).collect();
        earlier.sort_by_key(|it| it.syntax().text_range().start());
        let earlier = earlier.split_off(earlier.len().saturating_sub(MOST_EARLIER));
        let is_held = |it: &ast::AwaitExpr| {
            let outlives =
                |it| guard_scope::end_of_guard(it).is_some_and(|end| end >= waits.syntax().text_range().end());
            self.is_guard(entry, it) && !is_conditional(it) && outlives(it.syntax())
        };
        let held = earlier.into_iter().filter(is_held).filter_map(|it| {
            let line = self.project.locate(file, TextRange::empty(it.syntax().text_range().start())).line;
            Some((quoted(&it)?, line))
        });
        Some(Awaits { what: quoted(&waits), held: held.collect() })
    }

    /// Whether the body of a stack entry is suspended at a future that is never ready, in a macro or not.
    pub(crate) fn awaits_what_never_ends(&self, entry: &StackEntry) -> bool {
        let future = || {
            let (owner, Site::Expr(site)) = self.program.source_site(entry.func, entry.site)? else { return None };
            let Expr::Await { expr } = Body::of(self.project.db(), owner)[site] else { return None };
            Some(inference::of(self.project.db(), owner).expr_ty(expr))
        };
        future().is_some_and(|ty| std_models::is_never_ready(self.project.db(), ty))
    }

    /// Whether what an `.await` in the same body yields, unwrapped, is a guard.
    fn is_guard(&self, entry: &StackEntry, awaited: &ast::AwaitExpr) -> bool {
        let name = || {
            let (owner, Site::Expr(site)) = self.program.source_site(entry.func, entry.site)? else { return None };
            let db = self.project.db();
            let (_, map) = Body::with_source_map(db, owner);
            let file = map.expr_syntax(site).ok()?.file_id;
            let yielded = ast::Expr::cast(guard_scope::unwrapped(awaited.syntax()))?;
            let ExprOrPatId::ExprId(expr) = map.node_expr(InFile::new(file, &yielded))? else { return None };
            match inference::of(db, owner).expr_ty(expr).kind() {
                TyKind::Adt(adt, _) => Some(self.adt_name(adt.def_id())),
                _ => None,
            }
        };
        name().is_some_and(|name| GUARDS.iter().any(|it| name.ends_with(it)))
    }
}

/// Whether an expression is an operand of `&&` or `||`, and may not have been evaluated.
fn is_conditional(awaited: &ast::AwaitExpr) -> bool {
    let in_statement = awaited.syntax().ancestors().take_while(|it| !ast::Stmt::can_cast(it.kind()));
    let mut operations = in_statement.filter_map(ast::BinExpr::cast);
    operations.any(|it| matches!(it.op_kind(), Some(ast::BinaryOp::LogicOp(_))))
}

/// Whether a node is a body of its own: what it awaits, nobody around it awaits.
fn is_body(node: &SyntaxNode) -> bool {
    match ast::BlockExpr::cast(node.clone()) {
        Some(block) => block.async_token().is_some(),
        None => matches!(node.kind(), SyntaxKind::FN | SyntaxKind::CLOSURE_EXPR),
    }
}

/// The text of what is awaited, if it is short.
fn quoted(awaited: &ast::AwaitExpr) -> Option<String> {
    let text = awaited.expr()?.syntax().text().to_string();
    (text.len() <= LONGEST && !text.contains('\n')).then_some(text)
}
