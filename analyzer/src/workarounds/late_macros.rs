//! Macros that are defined by the expansion of another macro.
//!
//! * Symptom: modules after the definition do not see such a macro, as `Token!` in syn 1.
//! * Test: `tests/suite/project/macros.rs`.
//! * Upstream: none known.
//! * Goes when: textual scopes are complete before names are looked up in them.
//!
//! If such a macro is exported, its calls in its own package get a path: `Token!` becomes `crate::Token!`. rustc denies
//! such paths. This is done in dependencies only, because it changes columns.

use ra_ap_parser::LexedStr;
use ra_ap_span::Edition;
use ra_ap_syntax::{SyntaxKind, T};
use rustc_hash::FxHashSet;

/// The path that calls get.
const PATH: &str = "crate::";

/// The names of the exported macros of a package that its macros define.
pub(crate) struct LateMacros(FxHashSet<String>);

impl LateMacros {
    /// Those of the files of a package.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> LateMacros {
        let (mut late, mut others) = (FxHashSet::default(), FxHashSet::default());
        for text in texts.filter(|it| it.contains("macro_rules!")) {
            for (name, is_late) in definitions(text) {
                if is_late {
                    late.insert(name)
                } else {
                    others.insert(name)
                };
            }
        }
        LateMacros(late.difference(&others).cloned().collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of a file of the package with paths in calls.
    pub(crate) fn with_paths(&self, text: String) -> String {
        if self.0.iter().all(|name| !text.contains(name.as_str())) {
            return text;
        }
        let tokens = Tokens::of(&text);
        let mut result = String::with_capacity(text.len());
        let mut from = 0;
        for at in 0..tokens.len() {
            let is_call = tokens.kind(at + 1) == T![!] && self.0.contains(tokens.text(at));
            let before = |count| at.checked_sub(count).map(|it| tokens.kind(it));
            let is_path = before(1) == Some(T![:]) && before(2) == Some(T![:]);
            // `!` is that of `macro_rules!`.
            if is_call && !is_path && !matches!(before(1), Some(T![$] | T![!])) {
                let start = tokens.start(at);
                result += &text[from..start];
                result += PATH;
                from = start;
            }
        }
        result += &text[from..];
        result
    }
}

/// The macros that a text defines, and whether a macro's expansion exports them.
fn definitions(text: &str) -> Vec<(String, bool)> {
    let tokens = Tokens::of(text);
    let mut found = Vec::new();
    let mut depth = 0;
    // Depth of the definition around.
    let mut outer = None;
    for at in 0..tokens.len() {
        match tokens.kind(at) {
            T!['('] | T!['['] | T!['{'] => depth += 1,
            T![')'] | T![']'] | T!['}'] => {
                depth -= 1;
                outer = outer.filter(|it| *it < depth);
            }
            _ => {}
        }
        let is_definition = tokens.text(at) == "macro_rules"
            && tokens.kind(at + 1) == T![!]
            && tokens.kind(at + 2) == SyntaxKind::IDENT;
        if is_definition {
            let exported = at.checked_sub(2).is_some_and(|it| tokens.text(it) == "macro_export");
            found.push((tokens.text(at + 2).to_owned(), outer.is_some() && exported));
            outer = outer.or(Some(depth));
        }
    }
    found
}

/// The tokens of a text without trivia.
struct Tokens<'a> {
    lexed: LexedStr<'a>,
    indices: Vec<usize>,
}

impl Tokens<'_> {
    fn of(text: &str) -> Tokens<'_> {
        let lexed = LexedStr::new(Edition::CURRENT, text);
        let indices = (0..lexed.len()).filter(|it| !lexed.kind(*it).is_trivia()).collect();
        Tokens { lexed, indices }
    }

    fn len(&self) -> usize {
        self.indices.len()
    }

    fn kind(&self, at: usize) -> SyntaxKind {
        self.indices.get(at).map_or(SyntaxKind::EOF, |it| self.lexed.kind(*it))
    }

    fn text(&self, at: usize) -> &str {
        self.indices.get(at).map_or("", |it| self.lexed.text(*it))
    }

    fn start(&self, at: usize) -> usize {
        self.lexed.text_start(self.indices[at])
    }
}

#[cfg(test)]
mod tests {
    use super::LateMacros;

    #[test]
    fn only_late_macros_get_paths() {
        let text = "macro_rules! export { ($($t:tt)*) => { #[macro_export] macro_rules! Late { () => { Late!() }; } }; }\n\
            macro_rules! early { () => {}; }\nexport! {}\nearly!(); Late!(); $crate::Late![]; let x: Late![+] = 1; // Late!\n";
        let late = LateMacros::of([text].into_iter());
        let changed = late.with_paths(text.to_owned());
        let wanted = text.replace(" Late!(); $", " crate::Late!(); $").replace("x: Late!", "x: crate::Late!");
        let wanted = wanted.replace("{ Late!() }", "{ crate::Late!() }");
        assert_eq!(changed, wanted);
        assert!(LateMacros::of(["macro_rules! early { () => { Late!() }; }"].into_iter()).is_empty());
    }
}
