//! Patterns of package names, as in `cargo check -p 'a*'`: `*`, `?`, `[a-z]` and `[!a-z]`, as the crate `glob` reads them.

/// Whether a name is meant by a pattern. A pattern without special characters is the name.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut in_name) = (0, 0);
    // Where the last star is, and the character of the name up to which it stands.
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() || at < pattern.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, in_name));
            at += 1;
        } else if let Some(length) = name.get(in_name).and_then(|it| one(&pattern[at..], *it)) {
            at += length;
            in_name += 1;
        } else if let Some((position, end)) = star.filter(|it| it.1 < name.len()) {
            star = Some((position, end + 1));
            (at, in_name) = (position + 1, end + 1);
        } else {
            return false;
        }
    }
    true
}

/// The length of what stands for this character at the start of a pattern.
fn one(pattern: &[char], wanted: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', rest @ ..] => {
            let (is_negated, rest) = match rest {
                ['!', rest @ ..] => (true, rest),
                _ => (false, rest),
            };
            // A bracket that comes first is a member.
            let end = rest.iter().skip(1).position(|it| *it == ']')? + 1;
            let is_member = has_member(&rest[..end], wanted);
            (is_member != is_negated).then_some(end + 2 + usize::from(is_negated))
        }
        [first, ..] => (*first == wanted).then_some(1),
        [] => None,
    }
}

/// Whether a character is between the brackets.
fn has_member(mut members: &[char], wanted: char) -> bool {
    loop {
        members = match members {
            [from, '-', to, ..] if (*from..=*to).contains(&wanted) => return true,
            [_, '-', _, rest @ ..] => rest,
            [one, ..] if *one == wanted => return true,
            [_, rest @ ..] => rest,
            [] => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn names_and_patterns() {
        for (pattern, yes, no) in [
            ("a", "a", "ab"),
            ("a*", "a", "ba"),
            ("a*", "a-b", ""),
            ("*", "anything", ""),
            ("*b*d", "abcbd", "abcb"),
            ("a?c", "abc", "ac"),
            ("[ab]x", "bx", "cx"),
            ("[!ab]x", "cx", "bx"),
            ("x[0-9]-*", "x7-y", "xa-y"),
            ("[]-]", "]", "a"),
        ] {
            assert!(matches(pattern, yes), "{pattern} {yes}");
            assert!(!matches(pattern, no) || no.is_empty() && pattern == "*", "{pattern} {no}");
        }
        // A bracket that is never closed stands for nothing.
        assert!(!matches("[a", "a") && !matches("[", "["));
        assert!(!matches(&"*a".repeat(40), &"a".repeat(39)));
    }
}
