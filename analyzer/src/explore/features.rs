//! CPU features: the interpreted processor has only the baseline, which std's own code needs. A real processor has
//! more, and code that checks for features at compile time may require them.

use hir_def::{DefWithBodyId, HasModule, Lookup, src::HasSource};
use ra_ap_hir_def as hir_def;
use ra_ap_syntax::{AstNode, NodeOrToken, SyntaxKind, T};

use crate::project::Project;

/// Whether a function of the program has `target_feature = "..."`, in its own attributes or inside.
pub(super) fn asks(project: &Project, body: DefWithBodyId) -> bool {
    let DefWithBodyId::FunctionId(func) = body else { return false };
    let db = project.db();
    if project.is_std(func.module(db).krate(db).into()) {
        return false;
    }
    let source = func.lookup(db).source(db);
    let tokens = source.value.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let mut words = tokens.filter(|token| !token.kind().is_trivia());
    let mut asked = false;
    words.any(|token| {
        let compared = std::mem::take(&mut asked) && token.kind() == T![=];
        asked = token.kind() == SyntaxKind::IDENT && token.text() == "target_feature";
        compared
    })
}
