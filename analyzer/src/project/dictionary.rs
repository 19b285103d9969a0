//! The dictionary: short words among the string literals of the user's files. A program often compares its inputs with
//! them.

use super::Project;
use hir_def::nameres::crate_def_map;
use hir_ty::db::HirDatabase;
use ra_ap_base_db::{Crate, EditionedFileId};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, AstToken, ast};
use std::{collections::BTreeSet, sync::Arc};

/// Maximum length of a word, in bytes.
const LONGEST: usize = 16;
/// Maximum number of words.
const MOST: usize = 64;

impl Project {
    /// The dictionary of a crate and the user's crates that it needs, sorted.
    pub fn dictionary(&self, krate: Crate) -> Arc<[Box<[u8]>]> {
        let mut dictionary: BTreeSet<Box<[u8]>> = BTreeSet::new();
        let crates = krate.transitive_deps(&self.db).into_iter().filter(|it| self.is_local((*it).into()));
        for krate in crates {
            let modules = crate_def_map(&self.db, krate).modules();
            let files = modules.filter_map(|(_, module)| module.origin.file_id());
            files.for_each(|file| dictionary.extend(words_of(&self.db, file).iter().cloned()));
        }
        dictionary.into_iter().take(MOST).collect()
    }
}

/// The words of a file that may enter a crate's dictionary. Memoised: each edit needs the words of all files.
#[salsa::tracked(returns(clone))]
fn words_of(db: &dyn HirDatabase, file: EditionedFileId) -> Arc<[Box<[u8]>]> {
    let tokens = file.parse(db).tree().syntax().descendants_with_tokens();
    let literals = tokens.filter_map(|it| ast::String::cast(it.into_token()?));
    let texts = literals.filter_map(|it| Some(it.value().ok()?.into_owned()));
    let dictionary: BTreeSet<Box<[u8]>> = texts.filter(|it| is_word(it)).map(|it| it.into_bytes().into()).collect();
    dictionary.into_iter().take(MOST).collect()
}

/// Whether a person might type it.
fn is_word(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"{}".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::is_word;

    #[test]
    fn words() {
        assert!(["serve", "--jobs=4", "a"].iter().all(|it| is_word(it)));
        assert!(["", "two words", "{}", "line\n", "more than sixteen letters"].iter().all(|it| !is_word(it)));
    }
}
