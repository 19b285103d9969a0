//! Case conversion of names: that of heck, which strum and clap use, and that of serde.

/// The words of a name, as heck sees them: a boundary is anything but a letter or digit, a change from lower to upper
/// case, and the last of several upper-case letters before a lower-case one.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
        let chars: Vec<char> = part.chars().collect();
        let mut word = String::new();
        let mut before: Option<char> = None;
        for (index, &char) in chars.iter().enumerate() {
            let next = chars.get(index + 1);
            // Digits belong to what they follow.
            let is_after_lower = before.is_some_and(char::is_lowercase) && char.is_uppercase();
            let is_last_upper = before.is_some_and(char::is_uppercase)
                && char.is_uppercase()
                && next.is_some_and(|it| it.is_lowercase());
            if (is_after_lower || is_last_upper) && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            word.push(char);
            if char.is_alphabetic() {
                before = Some(char);
            }
        }
        words.push(word);
    }
    words
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars.as_str().to_lowercase().chars()).collect())
}

/// A name in the style that an attribute names; `None` if the style is not known.
pub(super) fn converted(name: &str, style: &str) -> Option<String> {
    let words = words(name);
    let joined =
        |separator: &str, word: fn(&str) -> String| words.iter().map(|it| word(it)).collect::<Vec<_>>().join(separator);
    let lower = |it: &str| it.to_lowercase();
    let upper = |it: &str| it.to_uppercase();
    Some(match style {
        "PascalCase" | "camel_case" => joined("", capitalised),
        "camelCase" | "mixed_case" => {
            let pascal = joined("", capitalised);
            let mut chars = pascal.chars();
            chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
        }
        "snake_case" | "snek_case" => joined("_", lower),
        "kebab-case" | "kebab_case" => joined("-", lower),
        "SCREAMING-KEBAB-CASE" => joined("-", upper),
        "SCREAMING_SNAKE_CASE" | "shouty_snake_case" | "shouty_snek_case" => joined("_", upper),
        "title_case" => joined(" ", capitalised),
        "lowercase" => name.to_lowercase(),
        "UPPERCASE" => name.to_uppercase(),
        "Train-Case" => joined("-", capitalised),
        _ => return None,
    })
}

/// The name of a variant under serde's `rename_all`.
pub(in crate::project) fn serde_variant(name: &str, style: &str) -> Option<String> {
    let snake = || {
        let mut snake = String::new();
        for (index, char) in name.char_indices() {
            if index > 0 && char.is_uppercase() {
                snake.push('_');
            }
            snake.push(char.to_ascii_lowercase());
        }
        snake
    };
    let lowered = || {
        let mut chars = name.chars();
        chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
    };
    Some(match style {
        "PascalCase" => name.to_owned(),
        "lowercase" => name.to_ascii_lowercase(),
        "UPPERCASE" => name.to_ascii_uppercase(),
        "camelCase" => lowered(),
        "snake_case" => snake(),
        "SCREAMING_SNAKE_CASE" => snake().to_ascii_uppercase(),
        "kebab-case" => snake().replace('_', "-"),
        "SCREAMING-KEBAB-CASE" => snake().to_ascii_uppercase().replace('_', "-"),
        _ => return None,
    })
}

/// The name of a field under serde's `rename_all`.
pub(in crate::project) fn serde_field(name: &str, style: &str) -> Option<String> {
    let pascal = || {
        let mut pascal = String::new();
        let mut is_first = true;
        for char in name.chars() {
            match char {
                '_' => is_first = true,
                char => {
                    pascal.push(if is_first { char.to_ascii_uppercase() } else { char });
                    is_first = false;
                }
            }
        }
        pascal
    };
    Some(match style {
        "lowercase" | "snake_case" => name.to_owned(),
        "UPPERCASE" | "SCREAMING_SNAKE_CASE" => name.to_ascii_uppercase(),
        "PascalCase" => pascal(),
        "camelCase" => {
            let pascal = pascal();
            let mut chars = pascal.chars();
            chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
        }
        "kebab-case" => name.replace('_', "-"),
        "SCREAMING-KEBAB-CASE" => name.to_ascii_uppercase().replace('_', "-"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{converted, serde_field, serde_variant};

    #[test]
    fn words_are_those_of_heck() {
        let snake = |name| converted(name, "snake_case").unwrap();
        assert_eq!(snake("XMLHttpRequest"), "xml_http_request");
        assert_eq!(snake("FIELD_NAME11"), "field_name11");
        assert_eq!(snake("Utf8Path"), "utf8_path");
        assert_eq!(snake("ABC"), "abc");
        assert_eq!(converted("my_name2b", "PascalCase").unwrap(), "MyName2b");
        assert_eq!(converted("OneTwo", "mixed_case").unwrap(), "oneTwo");
        assert_eq!(converted("OneTwo", "Train-Case").unwrap(), "One-Two");
        assert_eq!(converted("One", "lunar"), None);
    }

    #[test]
    fn serde_goes_by_letters() {
        assert_eq!(serde_variant("HTTPGet", "snake_case").unwrap(), "h_t_t_p_get");
        assert_eq!(serde_variant("VeryTasty", "camelCase").unwrap(), "veryTasty");
        assert_eq!(serde_field("very_tasty", "camelCase").unwrap(), "veryTasty");
        assert_eq!(serde_field("very_tasty", "SCREAMING-KEBAB-CASE").unwrap(), "VERY-TASTY");
    }
}
