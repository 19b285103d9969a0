//! Anonymous parameters of trait methods in edition 2015 (the Reference, "Traits", "Parameter patterns").
//!
//! * Symptom: `fn f(u8);` in a trait is reported as a syntax error.
//! * Test: `tests/suite/project/packages.rs`.
//! * Upstream: #16291.
//! * Goes when: the parser accepts them.
//!
//! rust-analyzer accepts them in no edition. The type of such a parameter stays unknown.

use ra_ap_base_db::{EditionedFileId, SourceDatabase};
use ra_ap_span::Edition;
use ra_ap_syntax::{AstNode, SyntaxError, SyntaxKind};

/// Whether a syntax error is caused by an anonymous parameter.
pub(crate) fn is_one(db: &dyn SourceDatabase, file: EditionedFileId, edition: Edition, error: &SyntaxError) -> bool {
    if edition != Edition::Edition2015 {
        return false;
    }
    let tree = file.parse(db).tree();
    let token = tree.syntax().token_at_offset(error.range().start()).left_biased();
    let ancestors = || token.iter().flat_map(|token| token.parent_ancestors());
    ancestors().any(|it| it.kind() == SyntaxKind::PARAM_LIST) && ancestors().any(|it| it.kind() == SyntaxKind::TRAIT)
}
