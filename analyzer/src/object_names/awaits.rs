//! What a suspended body awaits, and the guards that it holds then, as its source says.

use super::{ObjectNames, guard_scope};
use crate::{ir::Site, names::Awaits, workarounds::inference};
use hir_def::{expr_store::Body, hir::ExprOrPatId};
use hir_ty::next_solver::TyKind;
use interp::finding::StackEntry;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand::InFile;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, SyntaxKind, SyntaxNode, TextRange, ast};
use rustc_type_ir::inherent::IntoKind;

/// Maximum length of a text that is quoted, in bytes.
const LONGEST: usize = 60;
/// How the names of types end that give something back when they are dropped: `MutexGuard`, `SemaphorePermit`.
const GUARDS: [&str; 2] = ["Guard", "Permit"];

impl ObjectNames<'_, '_> {
    /// What the body at a stack entry awaits; `None` if it does not wait at an `.await` of its own source.
    pub(crate) fn awaits(&self, entry: &StackEntry) -> Option<Awaits> {
        let (file, node) = self.syntax(entry)?;
        let waits = ast::AwaitExpr::cast(node)?;
        let body = waits.syntax().ancestors().skip(1).find(is_body)?;
        let earlier = body.descendants().filter_map(ast::AwaitExpr::cast).filter(|it| {
            let is_before = it.syntax().text_range().end() <= waits.syntax().text_range().start();
            // A temporary of the same expression is in what is awaited.
            let is_inside = waits.syntax().text_range().contains_range(it.syntax().text_range());
            let is_own = it.syntax().ancestors().skip(1).find(is_body).as_ref() == Some(&body);
            (is_before || is_inside && *it != waits) && is_own
        });
        let is_held = |it: &ast::AwaitExpr| {
            let end = guard_scope::end_of_guard(it.syntax());
            end.is_some_and(|end| end >= waits.syntax().text_range().end()) && self.is_guard(entry, it)
        };
        let held = earlier.filter(is_held).filter_map(|it| {
            let line = self.project.locate(file, TextRange::empty(it.syntax().text_range().start())).line;
            Some((quoted(&it)?, line))
        });
        Some(Awaits { what: quoted(&waits), held: held.collect() })
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
