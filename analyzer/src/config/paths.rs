//! Patterns of paths: `vendor/**`, `src/*/generated.rs`. A pattern that matches a folder matches what is in it.
//!
//! The time is at most the product of both lengths, whatever the pattern: a repository may contain it.

/// Maximum number of parts of a pattern.
const MAX_PARTS: usize = 64;

/// A pattern of paths below the root of a workspace: the characters of its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern(Vec<Vec<char>>);

impl Pattern {
    /// A pattern; the error says what is wrong with it.
    pub(super) fn new(text: &str) -> Result<Pattern, &'static str> {
        if text.starts_with('/') || text.contains('\\') || text.split('/').any(|part| part == "..") {
            return Err("a path below the root of the workspace, with slashes, is expected");
        }
        let parts = text.split('/').filter(|part| !matches!(*part, "" | "."));
        let mut parts: Vec<Vec<char>> = parts.map(|part| part.chars().collect()).collect();
        match parts.len() {
            0 => return Err("it is empty"),
            1..=MAX_PARTS => {}
            _ => return Err("a path of at most 64 parts is expected"),
        }
        // What is in a folder is matched with it.
        parts.push(vec!['*', '*']);
        Ok(Pattern(parts))
    }

    /// Whether it matches a path, or a folder that the path is in.
    pub(super) fn matches(&self, path: &str) -> bool {
        let parts = path.split(['/', std::path::MAIN_SEPARATOR]);
        let path: Vec<Vec<char>> = parts.map(|part| part.chars().collect()).collect();
        let is_part = |pattern: &Vec<char>, part: &Vec<char>| {
            is_match(pattern, part, |it| *it == '*', |one, other| *one == '?' || one == other)
        };
        is_match(&self.0, &path, |it| it[..] == ['*', '*'], is_part)
    }
}

/// Whether a pattern with stars, each of which stands for any number of elements, matches a list. Only the last star has
/// to be tried again: what it takes more, those before need not take.
fn is_match<P, T>(pattern: &[P], list: &[T], is_star: impl Fn(&P) -> bool, is_same: impl Fn(&P, &T) -> bool) -> bool {
    let (mut at, mut next, mut star) = (0, 0, None);
    while next < list.len() {
        if pattern.get(at).is_some_and(&is_star) {
            star = Some((at, next));
            at += 1;
        } else if pattern.get(at).is_some_and(|it| is_same(it, &list[next])) {
            (at, next) = (at + 1, next + 1);
        } else if let Some((before, taken)) = star {
            star = Some((before, taken + 1));
            (at, next) = (before + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(is_star)
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn stars_stand_for_parts_and_for_folders() {
        let matches = |pattern: &str, path: &str| Pattern::new(pattern).unwrap().matches(path);
        for (pattern, path) in [
            ("vendor/**", "vendor/a/src/lib.rs"),
            ("vendor", "vendor/a/src/lib.rs"),
            ("**/generated.rs", "generated.rs"),
            ("**/generated.rs", "src/a/generated.rs"),
            ("src/*/gen*.rs", "src/a/generated.rs"),
            ("./src/?.rs", "src/a.rs"),
            ("**/a/**/b", "x/a/a/y/b/z.rs"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("vendor/**", "src/vendor/lib.rs"),
            ("src/*.rs", "src/a/b.rs"),
            ("src/?.rs", "src/ab.rs"),
            ("lib.rs", "src/lib.rs"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
        assert!(Pattern::new("../a").is_err() && Pattern::new("/a").is_err() && Pattern::new("").is_err());
        // No pattern takes long.
        let (stars, long) = ("*a".repeat(500), "a".repeat(4000));
        assert!(!matches(&format!("{stars}b"), &long));
        assert!(!matches(&format!("**/{}b", "a/".repeat(60)), &"a/".repeat(2000)));
        assert!(Pattern::new(&"a/".repeat(65)).is_err());
    }
}
