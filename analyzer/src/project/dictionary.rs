//! The dictionary: texts among the string literals of the user's files. A program often compares its inputs with them,
//! and its tests often send what a peer would send.

use super::Project;
use hir_def::nameres::crate_def_map;
use hir_ty::db::HirDatabase;
use interp::host::Dictionary;
use ra_ap_base_db::{Crate, EditionedFileId};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, AstToken, ast};
use std::{collections::BTreeSet, sync::Arc};

/// Maximum length of a word, in bytes.
const LONGEST: usize = 16;
/// Maximum length of a phrase, in bytes.
const LONGEST_PHRASE: usize = 256;
/// Maximum number of words, and of phrases.
const MOST: usize = 64;

type Texts = BTreeSet<Box<[u8]>>;

impl Project {
    /// The dictionary of a crate and the user's crates that it needs, sorted.
    pub fn dictionary(&self, krate: Crate) -> Dictionary {
        let (mut words, mut phrases) = (Texts::new(), Texts::new());
        let crates = krate.transitive_deps(&self.db).into_iter().filter(|it| self.is_local((*it).into()));
        for krate in crates {
            let modules = crate_def_map(&self.db, krate).modules();
            for file in modules.filter_map(|(_, module)| module.origin.file_id()) {
                let of_file = texts_of(&self.db, file);
                words.extend(of_file.words.iter().cloned());
                phrases.extend(of_file.phrases.iter().cloned());
            }
        }
        limited(words, phrases)
    }
}

fn limited(words: Texts, phrases: Texts) -> Dictionary {
    let limit = |texts: Texts| -> Arc<[Box<[u8]>]> { texts.into_iter().take(MOST).collect() };
    Dictionary { words: limit(words), phrases: limit(phrases) }
}

/// The texts of a file that may enter a crate's dictionary. Memoised: each edit needs the texts of all files.
#[salsa::tracked(returns(clone))]
fn texts_of(db: &dyn HirDatabase, file: EditionedFileId) -> Dictionary {
    let (mut words, mut phrases) = (Texts::new(), Texts::new());
    for token in file.parse(db).tree().syntax().descendants_with_tokens().filter_map(|it| it.into_token()) {
        let text: Vec<u8> = match (ast::String::cast(token.clone()), ast::ByteString::cast(token)) {
            (Some(text), _) => text.value().map(|it| it.into_owned().into_bytes()).unwrap_or_default(),
            (_, Some(text)) => text.value().map(|it| it.into_owned()).unwrap_or_default(),
            _ => continue,
        };
        if is_word(&text) {
            words.insert(text.into());
        } else if is_phrase(&text) {
            phrases.insert(text.into());
        }
    }
    limited(words, phrases)
}

/// Whether a person might type it.
fn is_word(text: &[u8]) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.iter().all(|byte| byte.is_ascii_graphic() && !b"{}".contains(byte))
}

/// Whether it might be sent: it has an end of a line.
fn is_phrase(text: &[u8]) -> bool {
    (2..=LONGEST_PHRASE).contains(&text.len()) && text.contains(&b'\n') && !text.contains(&b'{')
}

#[cfg(test)]
mod tests {
    use super::{is_phrase, is_word};

    #[test]
    fn words() {
        assert!(["serve", "--jobs=4", "a"].iter().all(|it| is_word(it.as_bytes())));
        assert!(
            ["", "two words", "{}", "line\n", "more than sixteen letters"].iter().all(|it| !is_word(it.as_bytes()))
        );
    }

    #[test]
    fn phrases() {
        assert!(["PING\r\n", "GET / HTTP/1.1\r\n\r\n"].iter().all(|it| is_phrase(it.as_bytes())));
        assert!(["", "\n", "PING", "{name}\n"].iter().all(|it| !is_phrase(it.as_bytes())));
    }
}
