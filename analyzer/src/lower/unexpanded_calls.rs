//! Macro calls without an expansion: the macro is unknown, no rule matches, or it exceeds the recursion limit.
//!
//! If such a call is an expression, HIR has a hole for it, or the remains of a rule that does not match. If it is a
//! statement, HIR has nothing (see [`missing_statements`]).

use super::guard;
use crate::workarounds::{garbled_expansions, missing_statements};
use hir_def::{
    DefWithBodyId, FunctionId, HasModule as _, ItemContainerId, Lookup as _,
    expr_store::{Body, BodySourceMap},
    hir::{Expr, ExprId, ExprOrPatId},
    nameres::{
        assoc::TraitItems,
        diagnostics::{DefDiagnostic, DefDiagnosticKind},
    },
};
use hir_expand::{AstId, ExpandErrorKind, HirFileId, InFile, MacroCallKind};
use hir_ty::db::HirDatabase;
use ra_ap_base_db::{Crate, CrateOrigin};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, SyntaxNode, SyntaxNodePtr, ast};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

const GARBLED: &str = "a macro expands to unsupported code";

/// The call of a statement without expansion, by its number in the body.
pub(crate) fn statement(db: &dyn HirDatabase, def: DefWithBodyId, number: u32) -> Option<InFile<SyntaxNodePtr>> {
    statements(db, def).get(number as usize).copied()
}

/// All of a body: there may be many, and each is asked for.
#[salsa::tracked(returns(ref))]
fn statements(db: &dyn HirDatabase, def: DefWithBodyId) -> Box<[InFile<SyntaxNodePtr>]> {
    let found = guard::caught(db, || missing_statements::of_body(db, def)).unwrap_or_default();
    found.into_iter().map(|(_, place)| place).collect()
}

/// The expressions of a body that stand for calls without expansion, with the cause. Macros of std are not checked.
pub(super) fn values(db: &dyn HirDatabase, def: DefWithBodyId) -> FxHashMap<ExprId, Box<str>> {
    let mut values = FxHashMap::default();
    if matches!(def.module(db).krate(db).data(db).origin, CrateOrigin::Lang(_)) {
        return values;
    }
    let (body, map) = Body::with_source_map(db, def);
    for (expr, _) in body.exprs().filter(|(_, what)| matches!(what, Expr::Missing)) {
        let call = syntax(db, map, expr).and_then(|it| ast::MacroExpr::cast(it.value)?.macro_call());
        values.extend(call.and_then(|it| Some((expr, cause(&it)?))));
    }
    let root = body.root_expr();
    let is_edited = def.module(db).krate(db).data(db).origin.is_local();
    if let Some(source) = syntax(db, map, root)
        && let HirFileId::MacroFile(file) = source.file_id
        && garbled_expansions::is_one(db, file, Some(source.value.text_range()), is_edited)
    {
        values.insert(root, GARBLED.into());
    }
    for (&call, id) in map.expansions() {
        let is_garbled = garbled_expansions::is_one(db, *id, None, is_edited);
        if is_garbled {
            // Any statement of the body may differ from the source.
            values.insert(root, GARBLED.into());
        }
        if is_garbled || id.parse_macro_expansion(db).err.is_none() {
            continue;
        }
        // Literals with invalid text are handled where constants are made.
        let node = call.map(|it| it.to_node(&call.file_id.parse_or_expand(db)));
        let Some(outer) = node.value.syntax().parent().and_then(ast::Expr::cast) else { continue };
        if let Some(ExprOrPatId::ExprId(expr)) = map.node_expr(InFile::new(node.file_id, &outer))
            && !matches!(body[expr], Expr::Literal(_) | Expr::IncludeBytes)
        {
            // If a call consists of another call, their order is random.
            let Some(cause) = cause(&node.value) else { continue };
            match values.entry(expr) {
                Entry::Occupied(mut known) if cause < *known.get() => drop(known.insert(cause)),
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => drop(free.insert(cause)),
            }
        }
    }
    values
}

fn syntax(db: &dyn HirDatabase, map: &BodySourceMap, expr: ExprId) -> Option<InFile<SyntaxNode>> {
    let source = map.expr_syntax(expr).ok()?;
    let root = source.file_id.parse_or_expand(db);
    Some(source.map(|it| it.syntax_node_ptr().to_node(&root)))
}

/// The cause for a constant or static with an unexpanded attribute: its value is unknown, even if it is computed at
/// first use.
pub(super) fn attribute(db: &dyn HirDatabase, def: DefWithBodyId) -> Option<Box<str>> {
    let item: AstId<ast::Item> = match def {
        DefWithBodyId::ConstId(id) => id.lookup(db).id.map(|it| it.upcast()),
        DefWithBodyId::StaticId(id) => id.lookup(db).id.map(|it| it.upcast()),
        _ => return None,
    };
    let module = def.module(db);
    unexpanded(db, module.krate(db), module.def_map(db).diagnostics().iter(), item)
}

/// The cause for a function with an unexpanded attribute, or in an impl or trait with one.
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

/// The cause for a call.
pub(crate) fn cause(call: &ast::MacroCall) -> Option<Box<str>> {
    let path: String = call.path()?.syntax().text().to_string().split_whitespace().collect();
    Some(format!("`{path}!` is not expanded").into())
}
