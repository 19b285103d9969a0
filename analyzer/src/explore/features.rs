//! What the interpreter's processor can do: as little as any, for std's own code does without its vectors. A real one of that
//! kind can do more, and code that asks for it when it is compiled may insist.

use hir_def::{DefWithBodyId, HasModule, Lookup, src::HasSource};
use ra_ap_hir_def as hir_def;
use ra_ap_syntax::{AstNode, NodeOrToken, SyntaxKind, T};

use crate::project::Project;

/// Whether a function of the program asks `target_feature = "..."`, in an attribute of its own or within.
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
