//! The line up to which a guard is held, from the syntax around the call that created it; `None` where that is not
//! certain.

use super::ObjectNames;
use crate::{ir, names::Release};
use hir_def::expr_store::Body;
use interp::finding::StackEntry;
use ra_ap_hir_def as hir_def;
use ra_ap_syntax::{
    AstNode, SyntaxNode, TextRange, TextSize,
    ast::{self, HasName},
};
use ra_ap_vfs::FileId;

/// Macros that only borrow their arguments.
const BORROWING: [&str; 11] = [
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "write",
    "writeln",
    "assert",
    "assert_eq",
    "assert_ne",
    "panic",
];

impl ObjectNames<'_, '_> {
    /// The last line at which the guard created at the top of a stack lives.
    pub(crate) fn kept_to(&self, stack: &[StackEntry]) -> Option<u32> {
        let entry = stack.iter().find(|entry| entry.is_local)?;
        let (file, node) = self.syntax(entry)?;
        let end = end_of_guard(&node)?;
        Some(self.project.locate(file, TextRange::empty(end)).line)
    }
}

impl ObjectNames<'_, '_> {
    /// Where the guard created at one stack can be dropped before the wait at another.
    pub(crate) fn release(&self, taken: &[StackEntry], waits: &[StackEntry]) -> Option<Release> {
        let holder = taken.iter().find(|entry| entry.is_local)?;
        let waiter = waits.iter().find(|entry| entry.func == holder.func)?;
        let (file, call) = self.syntax(holder)?;
        let (_, wait) = self.syntax(waiter)?;
        // An edit inside of a comment would have to repeat its marks.
        if self.project.source_of_example(file, call.text_range()).is_some() {
            return None;
        }
        let statement = ast::LetStmt::cast(unwrapped(&call).parent()?)?;
        end_of_variable(&statement)?;
        let Some(ast::Pat::IdentPat(pat)) = statement.pat() else { return None };
        let guard = pat.name()?.text().to_string();
        let list = statement.syntax().parent()?;
        let target = wait.ancestors().find(|node| node.parent().as_ref() == Some(&list))?;
        let start = target.text_range().start();
        let after = |node: &SyntaxNode| node.text_range().start() >= statement.syntax().text_range().end();
        for node in list.children().filter(after) {
            let mut tokens = node.descendants_with_tokens().filter_map(|it| it.into_token());
            let mentions = tokens.any(|token| token.text() == guard);
            // A variable made from the guard may borrow from it.
            if mentions && (node.text_range().start() >= start || ast::LetStmt::can_cast(node.kind())) {
                return None;
            }
        }
        let before = target.prev_sibling_or_token()?.into_token()?;
        let indent = before.text().rsplit_once('\n')?.1.to_owned();
        Some(Release { guard, location: self.project.locate(file, TextRange::empty(start)), indent })
    }

    /// The file and node of a frame's operation; `None` within macros.
    pub(super) fn syntax(&self, entry: &StackEntry) -> Option<(FileId, SyntaxNode)> {
        let (owner, ir::Site::Expr(expr)) = self.program.source_site(entry.func, entry.site)? else { return None };
        let db = self.project.db();
        let (_, map) = Body::with_source_map(db, owner);
        let source = map.expr_syntax(expr).ok()?;
        let file = source.file_id.file_id()?.file_id(db);
        Some((file, source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db))))
    }
}

/// Where the guard that an expression yields is dropped.
pub(super) fn end_of_guard(call: &SyntaxNode) -> Option<TextSize> {
    let node = unwrapped(call);
    match ast::LetStmt::cast(node.parent()?) {
        Some(statement) => end_of_variable(&statement),
        None => end_of_temporary(&node),
    }
}

/// The expression that unwraps the guard from the result of a call.
pub(super) fn unwrapped(call: &SyntaxNode) -> SyntaxNode {
    let mut node = call.clone();
    while let Some(parent) = node.parent() {
        let unwraps = match ast::MethodCallExpr::cast(parent.clone()) {
            Some(outer) => {
                let name = outer.name_ref().map(|name| name.text().to_string()).unwrap_or_default();
                let is_receiver = outer.receiver().is_some_and(|receiver| *receiver.syntax() == node);
                is_receiver && matches!(name.as_str(), "unwrap" | "expect" | "unwrap_or_else")
            }
            None => ast::TryExpr::can_cast(parent.kind()),
        };
        if !unwraps {
            break;
        }
        node = parent;
    }
    node
}

/// The end of the block in which a guard's variable is declared, unless the variable may be moved before.
fn end_of_variable(statement: &ast::LetStmt) -> Option<TextSize> {
    let Some(ast::Pat::IdentPat(pat)) = statement.pat() else { return None };
    let name = pat.name()?.text().to_string();
    let list = statement.syntax().parent().and_then(ast::StmtList::cast)?;
    let is_after = |node: &SyntaxNode| node.text_range().start() >= statement.syntax().text_range().end();
    let moved = list.syntax().descendants().filter(is_after).any(|node| takes_away(&node, &name));
    let end = list.r_curly_token()?.text_range().start();
    (!moved).then_some(end)
}

/// Whether a node may move a variable, or declares another one with its name.
fn takes_away(node: &SyntaxNode, name: &str) -> bool {
    if let Some(call) = ast::MacroCall::cast(node.clone()) {
        let path = call.path().map(|path| path.syntax().text().to_string()).unwrap_or_default();
        let mentions = call.token_tree().is_some_and(|tree| {
            let mut tokens = tree.syntax().descendants_with_tokens().filter_map(|it| it.into_token());
            tokens.any(|token| token.text() == name)
        });
        return mentions && !BORROWING.contains(&path.as_str());
    }
    if let Some(closure) = ast::ClosureExpr::cast(node.clone()) {
        return closure.move_token().is_some() && closure.syntax().text().to_string().contains(name);
    }
    if let Some(pat) = ast::IdentPat::cast(node.clone()) {
        return pat.name().is_some_and(|it| it.text() == name);
    }
    if !ast::PathExpr::can_cast(node.kind()) || node.text() != name {
        return false;
    }
    let borrows = |parent: SyntaxNode| {
        let kind = parent.kind();
        ast::MethodCallExpr::can_cast(kind)
            || ast::FieldExpr::can_cast(kind)
            || ast::IndexExpr::can_cast(kind)
            || ast::RefExpr::can_cast(kind)
            || ast::PrefixExpr::can_cast(kind)
    };
    !node.parent().is_some_and(borrows)
}

/// The end of the statement whose temporary a guard is.
fn end_of_temporary(guard: &SyntaxNode) -> Option<TextSize> {
    let mut node = guard.clone();
    // The called function may keep it: `mem::forget(lock.lock().unwrap())`.
    if node.parent().is_some_and(|parent| ast::ArgList::can_cast(parent.kind())) {
        return None;
    }
    loop {
        let parent = node.parent()?;
        let kind = parent.kind();
        let last = parent.text_range().end().checked_sub(TextSize::new(1));
        if ast::ExprStmt::can_cast(kind) {
            return last;
        }
        if let Some(statement) = ast::LetStmt::cast(parent.clone()) {
            // `let x = &…` extends the lifetime of its operand.
            return last.filter(|_| !matches!(statement.initializer(), Some(ast::Expr::RefExpr(_))));
        }
        let is_node = |expr: Option<ast::Expr>| expr.is_some_and(|expr| *expr.syntax() == node);
        let goes_on = ast::MethodCallExpr::can_cast(kind)
            || ast::CallExpr::can_cast(kind)
            || ast::ArgList::can_cast(kind)
            || ast::FieldExpr::can_cast(kind)
            || ast::PrefixExpr::can_cast(kind)
            || ast::RefExpr::can_cast(kind)
            || ast::IndexExpr::can_cast(kind)
            || ast::ParenExpr::can_cast(kind)
            || ast::TryExpr::can_cast(kind)
            || ast::BinExpr::can_cast(kind)
            || ast::MatchExpr::cast(parent.clone()).is_some_and(|it| is_node(it.expr()))
            || ast::ForExpr::cast(parent.clone()).is_some_and(|it| is_node(it.iterable()));
        if !goes_on {
            return None;
        }
        node = parent;
    }
}
