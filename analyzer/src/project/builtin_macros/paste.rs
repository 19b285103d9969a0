//! paste: `paste!` joins what stands in `[< >]` to one name.

use super::{
    Call,
    tokens::{TokenBuilder, Tree, is_token, text_of, trees},
};
use ra_ap_span::Span;
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// Maximum length of a name or text, in bytes: macros that call themselves double it each time.
const LONGEST: usize = 1 << 10;

pub(super) fn paste(call: &Call<'_>) -> Result<TopSubtree, String> {
    let mut maker = TokenBuilder::new(call.span);
    paste_into(&mut maker, call, &trees(call.item))?;
    Ok(maker.made())
}

fn paste_into(maker: &mut TokenBuilder, call: &Call<'_>, tokens: &[Tree<'_>]) -> Result<(), String> {
    let mut rest = tokens;
    while let Some((tree, behind)) = rest.split_first() {
        rest = behind;
        let Tree::Group(group, inside) = tree else {
            maker.keep(std::slice::from_ref(tree));
            if tree.is_punct('#')
                && let [Tree::Group(group, inside), behind @ ..] = rest
                && let Some((start, text)) = joined_text(call, &trees(*inside))
            {
                // An attribute such as `#[doc = "A " name]`.
                maker.within(group, |maker| {
                    maker.keep(&trees(*inside)[..start]);
                    maker.add(&format!("{text:?}"), &[]);
                });
                rest = behind;
            }
            continue;
        };
        let inside = trees(*inside);
        match between_angles(&inside).filter(|_| group.delimiter.kind == DelimiterKind::Bracket) {
            Some(segments) => {
                let name = joined(call, segments)?;
                add_name(maker, &name, group.delimiter.open)?;
            }
            None => {
                let mut result = Ok(());
                maker.within(group, |maker| result = paste_into(maker, call, &inside));
                result?;
            }
        }
    }
    Ok(())
}

/// The segments between `<` and `>`, if these are the first and the last token.
fn between_angles<'t, 'a>(tokens: &'t [Tree<'a>]) -> Option<&'t [Tree<'a>]> {
    match tokens {
        [open, segments @ .., close] if open.is_punct('<') && close.is_punct('>') && !segments.is_empty() => {
            Some(segments)
        }
        _ => None,
    }
}

/// The text behind the `=` of an attribute that has several segments there, and where it starts.
fn joined_text(call: &Call<'_>, attribute: &[Tree<'_>]) -> Option<(usize, String)> {
    let start = attribute.iter().position(|it| it.is_punct('='))? + 1;
    let segments = attribute.get(start..).filter(|it| it.len() > 1)?;
    Some((start, joined(call, segments).ok()?))
}

/// The text of all segments, each converted by the modifiers behind it.
fn joined(call: &Call<'_>, segments: &[Tree<'_>]) -> Result<String, String> {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = segments;
    while let Some((tree, behind)) = rest.split_first() {
        rest = behind;
        if tree.is_punct(':') {
            let (modifier, behind) = rest.split_first().ok_or("a modifier without a name")?;
            rest = behind;
            let last = parts.last_mut().ok_or("a modifier of nothing")?;
            *last = modified(last, modifier.ident().unwrap_or_default())?;
        } else if tree.is_ident("env")
            && let [bang, variable, behind @ ..] = rest
            && bang.is_punct('!')
        {
            rest = behind;
            let inside = variable.group(DelimiterKind::Parenthesis).map(trees).unwrap_or_default();
            let name = inside.first().and_then(Tree::string).ok_or("`env!` without a name")?;
            let value = call.env.get(&name).ok_or_else(|| format!("the variable {name}"))?;
            parts.push(value.replace('-', "_"));
        } else if let Tree::Group(group, inside) = tree {
            // A fragment of a declarative macro.
            if group.delimiter.kind != DelimiterKind::Invisible {
                return Err("a group in a name".to_owned());
            }
            parts.push(joined(call, &trees(*inside))?);
        } else if let Some(name) = tree.ident() {
            parts.push(name.to_owned());
        } else if let Some(text) = tree.string() {
            parts.push(text.replace('-', "_"));
        } else if tree.is_punct('\'') || tree.literal().is_some() {
            parts.push(text_of(std::slice::from_ref(tree)));
        } else {
            return Err(format!("`{}` in a name", text_of(std::slice::from_ref(tree))));
        }
    }
    match parts.iter().map(String::len).sum::<usize>() {
        length if length > LONGEST => Err("a very long name".to_owned()),
        _ => Ok(parts.concat()),
    }
}

/// A text as a modifier has it.
fn modified(text: &str, modifier: &str) -> Result<String, String> {
    let mut before = '_';
    let mut result = String::new();
    match modifier {
        "lower" => Ok(text.to_lowercase()),
        "upper" => Ok(text.to_uppercase()),
        "snake" => {
            for char in text.chars() {
                if char.is_uppercase() && before != '_' {
                    result.push('_');
                }
                result.push(char);
                before = char;
            }
            Ok(result.to_lowercase())
        }
        "camel" => {
            for char in text.chars() {
                if char != '_' {
                    match before {
                        '_' => result.extend(char.to_uppercase()),
                        before if before.is_uppercase() => result.extend(char.to_lowercase()),
                        _ => result.push(char),
                    }
                }
                before = char;
            }
            Ok(result)
        }
        other => Err(format!("the modifier `{other}`")),
    }
}

fn add_name(maker: &mut TokenBuilder, name: &str, span: Span) -> Result<(), String> {
    let plain = name.strip_prefix('\'').unwrap_or(name);
    let is_name = plain.chars().all(|it| it == '_' || it.is_alphanumeric());
    if !is_name || plain.is_empty() {
        return Err(format!("`{name}` is no name"));
    }
    let is_number = plain.starts_with(|it: char| it.is_ascii_digit());
    match is_number {
        true if !is_token(name) => return Err(format!("`{name}` is no literal")),
        true => maker.add(name, &[]),
        false => maker.name(name, span),
    }
    Ok(())
}
