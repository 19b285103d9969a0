//! Cfgs with unknown values, because the build script that may set them did not run.

use super::{BuildOutputKind, Location, MissingBuildOutputReason, Project};
use crate::guard;
use ra_ap_base_db::{CrateOrigin, EditionedFileId};
use ra_ap_cfg::CfgAtom;
use ra_ap_hir::crate_def_map;
use ra_ap_intern::Symbol;
use ra_ap_syntax::{AstNode as _, SyntaxKind, SyntaxNode, SyntaxToken, T};

/// A cfg that counts as not set, because a build script did not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCfg {
    /// `name`, or the key of `key = "value"`.
    pub name: String,
    /// The package.
    pub package: String,
    /// The location of its first use.
    pub location: Location,
}

/// Cfgs of rustc and cargo (the Reference, "Conditional compilation", and unstable ones), and words that are not names.
const KNOWN: &[&str] = &[
    "all",
    "any",
    "not",
    "true",
    "false",
    "accessible",
    "version",
    "feature",
    "test",
    "debug_assertions",
    "unix",
    "windows",
    "doc",
    "doctest",
    "miri",
    "panic",
    "proc_macro",
    "overflow_checks",
    "relocation_model",
    "sanitize",
    "ub_checks",
    "fmt_debug",
    "clippy",
    "rustfmt",
];

impl Project {
    /// The cfgs in the user's sources that a build script may set which did not run.
    pub fn unknown_cfgs(&self) -> Vec<UnknownCfg> {
        let is_missing = |package: &str| {
            let is_it =
                |it: &&super::MissingBuildOutput| it.what == BuildOutputKind::BuildScript && it.package == package;
            self.unbuilt().iter().filter(is_it).any(|it| !matches!(it.why, MissingBuildOutputReason::Older(_)))
        };
        let mut found: Vec<UnknownCfg> = Vec::new();
        for krate in self.local_crates() {
            let CrateOrigin::Local { name: Some(package), .. } = krate.origin(&self.db) else { continue };
            if !is_missing(package.as_str()) {
                continue;
            }
            let map = crate_def_map(&self.db, krate.into());
            let files =
                self.local_files().into_iter().filter(|file| map.modules_for_file(&self.db, *file).next().is_some());
            for file in files {
                let editioned = EditionedFileId::new(&self.db, file, krate.edition(&self.db));
                let names = guard::caught(&self.db, || names(editioned.parse(&self.db).tree().syntax()));
                for token in names.unwrap_or_default() {
                    let name = token.text().to_owned();
                    if krate.cfg(&self.db).check_atom(&CfgAtom::Flag(Symbol::intern(&name))) {
                        continue;
                    }
                    let is_known = |it: &UnknownCfg| it.name == name && it.package == package.as_str();
                    if !found.iter().any(is_known) {
                        let location = self.locate(file, token.text_range());
                        found.push(UnknownCfg { name, package: package.as_str().to_owned(), location });
                    }
                }
            }
        }
        found
    }
}

/// The unknown cfg names in a file: in attributes, in `cfg!`, and in the input of other macros.
fn names(root: &SyntaxNode) -> Vec<SyntaxToken> {
    let tokens = root.descendants_with_tokens().filter_map(|it| it.into_token());
    let tokens: Vec<SyntaxToken> = tokens.filter(|it| !it.kind().is_trivia()).collect();
    let is = |at: Option<usize>, kind| at.and_then(|at| tokens.get(at)).is_some_and(|it| it.kind() == kind);
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_call = token.text() == "cfg" && is(Some(at + 1), T![!]);
        let opens = at.checked_sub(1);
        let hash = at.checked_sub(if is(at.checked_sub(2), T![!]) { 3 } else { 2 });
        let is_attribute = matches!(token.text(), "cfg" | "cfg_attr") && is(opens, T!['[']) && is(hash, T![#]);
        if !is_call && !is_attribute {
            continue;
        }
        let mut depth = 0;
        for inside in tokens.iter().skip(at + 1 + usize::from(is_call)) {
            match inside.kind() {
                T!['('] => depth += 1,
                T![')'] => depth -= 1,
                // The rest is an attribute.
                T![,] if token.text() == "cfg_attr" && depth == 1 => break,
                SyntaxKind::IDENT => {
                    let is_known = inside.text().starts_with("target_") || KNOWN.contains(&inside.text());
                    names.extend((!is_known).then(|| inside.clone()));
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use ra_ap_span::Edition;
    use ra_ap_syntax::SourceFile;

    #[test]
    fn names_of_cfgs() {
        let text = r#"
            #![cfg_attr(nightly, feature(x), doc(cfg(y)))]
            #[cfg(all(unix, not(fast), feature = "a", level = "b", target_os = "c"))]
            fn f() { if cfg!(slow) {} print!("{}", cfg!(any(old, new))); cfg(7) }
        "#;
        let file = SourceFile::parse(text, Edition::CURRENT).tree();
        let names = names(file.syntax());
        assert_eq!(
            names.iter().map(SyntaxToken::text).collect::<Vec<_>>(),
            ["nightly", "fast", "level", "slow", "old", "new"]
        );
    }
}
