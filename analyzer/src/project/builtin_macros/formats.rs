//! Format strings: what they show.

/// A format string in which numbered fields are replaced by named ones.
pub(super) fn named(literal: &str) -> Option<String> {
    if literal.contains("\\u") {
        return None;
    }
    let mut text = String::new();
    let mut chars = literal.chars().peekable();
    while let Some(char) = chars.next() {
        text.push(char);
        if char == '{' {
            match chars.peek() {
                Some('{') => text.extend(chars.next()),
                Some(digit) if digit.is_ascii_digit() => text.push('_'),
                _ => {}
            }
        }
    }
    Some(text)
}

/// The fields that a format string displays, by name or number, and the traits that this needs.
pub(super) fn shown_in(literal: &str) -> Vec<(String, &'static str)> {
    let literal = literal.replace("{{", "");
    let holes = literal.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|(hole, _)| hole);
    let shown = holes.filter_map(|hole| {
        let (name, how) = hole.split_once(':').unwrap_or((hole, ""));
        let name = name.trim();
        let name = if name.starts_with(|it: char| it.is_ascii_digit()) { format!("_{name}") } else { name.to_owned() };
        (!name.is_empty()).then_some((name, trait_of(how)))
    });
    shown.collect()
}

/// The trait behind the specification of a placeholder.
pub(super) fn trait_of(how: &str) -> &'static str {
    match how.trim().chars().last() {
        Some('?') => "::core::fmt::Debug",
        Some('o') => "::core::fmt::Octal",
        Some('x') => "::core::fmt::LowerHex",
        Some('X') => "::core::fmt::UpperHex",
        Some('p') => "::core::fmt::Pointer",
        Some('b') => "::core::fmt::Binary",
        Some('e') => "::core::fmt::LowerExp",
        Some('E') => "::core::fmt::UpperExp",
        _ => "::core::fmt::Display",
    }
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn numbers_become_names() {
        assert_eq!(named(r#""{0} {1:?} {{0}} {a}""#).as_deref(), Some(r#""{_0} {_1:?} {{0}} {a}""#));
        assert_eq!(named(r#""\u{1}""#), None);
    }
}
