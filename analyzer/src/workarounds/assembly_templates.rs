//! Templates of inline assembly, and variables that are only output.
//!
//! * Symptom: HIR has no template, so all inline assembly is uninterpreted; `inout("dx") a => b` has `a` as both
//!   operands.
//! * Test: `memory/assembly_without_instruction`, `threads/fence_by_assembly`, `os/calls_by_instruction`.
//! * Upstream: none known.
//! * Goes when: HIR has the template and both operands.
//!
//! Assembly stays uninterpreted if what is behind a `=>` is no variable.

use hir_expand::name::{AsName, Name};
use ra_ap_hir_expand as hir_expand;
use ra_ap_syntax::{AstNode, SyntaxNode, ast};

/// What HIR lacks about inline assembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Assembly {
    /// The template, one line per part.
    pub(crate) template: Box<str>,
    /// The variables behind `=>` in the order of their operands; `None` for `_`.
    pub(crate) outputs: Vec<Option<Name>>,
}

/// Reads the syntax of inline assembly; `None` if a part of the template is no literal, or an output no variable.
pub(crate) fn of(node: &SyntaxNode) -> Option<Assembly> {
    let parts = ast::AsmExpr::cast(node.clone())?.template().map(|part| match part {
        ast::Expr::Literal(part) => match part.kind() {
            ast::LiteralKind::String(text) => Some(text.value().ok()?.into_owned()),
            _ => None,
        },
        _ => None,
    });
    let template = parts.collect::<Option<Vec<_>>>()?.join("\n").into();
    let operands = node.descendants().filter_map(ast::AsmOperandExpr::cast);
    let renamed = operands.filter(|it| it.fat_arrow_token().is_some());
    let outputs = renamed.map(|it| match it.syntax().children().filter_map(ast::Expr::cast).last()? {
        ast::Expr::UnderscoreExpr(_) => Some(None),
        ast::Expr::PathExpr(variable) => Some(Some(variable.path()?.as_single_name_ref()?.as_name())),
        _ => None,
    });
    Some(Assembly { template, outputs: outputs.collect::<Option<Vec<_>>>()? })
}
