//! Facts about a body that only its syntax has. They contain no positions: a body that moved is lowered to the same IR
//! (invariant 9).

use super::{guard, unexpanded_calls};
use crate::workarounds::{
    assembly_templates::{self, Assembly},
    line_continuations, missing_newlines,
    missing_statements::{self, MissingStatement},
    negative_floats::{self, MissingBounds},
    negative_literals, old_panic, old_ranges, super_lets,
};
use hir_def::{
    DefWithBodyId,
    expr_store::Body,
    hir::{Expr, ExprId, Literal, Pat, PatId},
};
use hir_expand::MacroCallId;
use hir_ty::db::HirDatabase;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What HIR lacks about a body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct SyntaxFacts {
    /// Literals from macro calls whose text rust-analyzer may have made up, with the calls.
    pub(super) from_macros: FxHashMap<ExprId, MacroCallId>,
    /// Patterns of `super let`. Only macros of std write it.
    pub(super) super_lets: FxHashSet<PatId>,
    /// The bounds of `a...b`, if both are plain literals.
    pub(super) old_ranges: FxHashMap<PatId, (Literal, Literal)>,
    /// Bounds of ranges that HIR lacks.
    pub(super) missing_bounds: FxHashMap<PatId, MissingBounds>,
    /// Statements whose macro has no expansion; [`crate::ir::Site::Macro`] numbers them.
    pub(super) missing_statements: Vec<MissingStatement>,
    /// The result of [`assembly_templates`].
    pub(super) assembly: FxHashMap<ExprId, Assembly>,
    /// The result of [`negative_literals`].
    pub(super) negative: FxHashSet<ExprId>,
    /// The result of [`line_continuations`].
    pub(super) line_continuations: FxHashMap<ExprId, Option<Literal>>,
    /// The result of [`missing_newlines`].
    pub(super) missing_newlines: FxHashSet<ExprId>,
    /// The result of [`old_panic`].
    pub(super) old_panics: FxHashMap<ExprId, Box<str>>,
    /// Expressions whose macro has no expansion, with the cause.
    pub(super) unexpanded: FxHashMap<ExprId, Box<str>>,
}

impl SyntaxFacts {
    /// Whether a macro has no expansion.
    pub(super) fn has_unexpanded(&self) -> bool {
        !(self.missing_statements.is_empty() && self.unexpanded.is_empty())
    }
}

/// Reads the syntax of a body.
#[salsa::tracked(returns(clone))]
pub(super) fn syntax_facts(db: &dyn HirDatabase, def: DefWithBodyId) -> Arc<SyntaxFacts> {
    let body = Body::of(db, def);
    let (_, map) = Body::with_source_map(db, def);
    let facts = guard::caught(db, || {
        let mut facts = SyntaxFacts {
            missing_statements: missing_statements::of_body(db, def).into_iter().map(|(it, _)| it).collect(),
            unexpanded: unexpanded_calls::values(db, def),
            ..SyntaxFacts::default()
        };
        for (expr, what) in body.exprs() {
            let is_candidate = match what {
                Expr::Literal(literal) => {
                    matches!(literal, Literal::Int(0, _) | Literal::Uint(0, _) | Literal::String(_))
                }
                Expr::IncludeBytes => true,
                _ => false,
            };
            if is_candidate
                && let Ok(source) = map.expr_syntax(expr)
                && let Some(call) = source.file_id.macro_file()
            {
                facts.from_macros.insert(expr, call);
            }
        }
        let continued = line_continuations::of_body(db, body, map);
        facts.line_continuations = continued.literals;
        facts.missing_newlines = missing_newlines::of_body(db, body, map);
        let cause = "a format string that goes on behind an empty line";
        facts.unexpanded.extend(continued.templates.into_iter().map(|expr| (expr, cause.into())));
        facts.negative = negative_literals::of_body(db, body, map);
        if negative_literals::any_in_type(body, &facts.negative) {
            facts.unexpanded.insert(body.root_expr(), "a negative literal in the length of an array".into());
        }
        facts.old_panics = old_panic::texts(db, def);
        for (expr, _) in body.exprs().filter(|(_, what)| matches!(what, Expr::InlineAsm(_))) {
            let Ok(source) = map.expr_syntax(expr) else { continue };
            let node = source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db));
            facts.assembly.extend(assembly_templates::of(&node).map(|it| (expr, it)));
        }
        for (pat, what) in body.pats() {
            let Ok(source) = map.pat_syntax(pat) else { continue };
            let is_missing = matches!(what, Pat::Missing);
            let may_lack = negative_floats::is_candidate(what);
            if !(may_lack || source.file_id.is_macro()) {
                continue;
            }
            let root = source.file_id.parse_or_expand(db);
            let node = source.value.syntax_node_ptr().to_node(&root);
            if may_lack {
                facts.missing_bounds.extend(negative_floats::missing_bounds(what, &node).map(|ends| (pat, ends)));
            }
            if is_missing {
                facts.old_ranges.extend(old_ranges::ends(&node).map(|ends| (pat, ends)));
            } else if super_lets::is_one(&node) {
                facts.super_lets.insert(pat);
            }
        }
        facts
    });
    Arc::new(facts.unwrap_or_default())
}
