//! Derives of strum.

use super::{
    Call,
    case::converted,
    functions::{Argument, arguments},
    read::{Adt, Variant, with},
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// The arguments of the attributes with this name.
fn said<'a>(attributes: &[Vec<Tree<'a>>], name: &str) -> Result<Vec<Argument<'a>>, String> {
    let mut all = Vec::new();
    for attribute in attributes.iter().filter(|it| it[0].is_ident(name)) {
        let inside = attribute.get(1).and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees);
        all.extend(arguments(&inside.unwrap_or_default()).ok_or("an argument")?);
    }
    Ok(all)
}

/// What attributes say about a type.
#[derive(Default)]
struct OfType {
    style: Option<String>,
    prefix: String,
    suffix: String,
    ignores_case: bool,
}

/// What attributes say about a variant.
#[derive(Default)]
struct OfVariant {
    serialize: Vec<String>,
    to_string: Option<String>,
    is_disabled: bool,
    is_default: bool,
    is_transparent: bool,
    ignores_case: Option<bool>,
    default_with: Option<String>,
}

fn text(argument: &Argument<'_>) -> Result<String, String> {
    match argument.value.as_slice() {
        [one] => one.string().ok_or_else(|| format!("`{}`", argument.name)),
        _ => Err(format!("`{}`", argument.name)),
    }
}

fn of_type(adt: &Adt<'_>) -> Result<OfType, String> {
    if !adt.is_enum {
        return Err("a struct".to_owned());
    }
    let mut of = OfType::default();
    for argument in said(&adt.attributes, "strum")? {
        match argument.name.as_str() {
            "serialize_all" => of.style = Some(text(&argument)?),
            "prefix" => of.prefix = text(&argument)?,
            "suffix" => of.suffix = text(&argument)?,
            "ascii_case_insensitive" => of.ignores_case = true,
            other => return Err(format!("`{other}`")),
        }
    }
    Ok(of)
}

fn of_variant(variant: &Variant<'_>) -> Result<OfVariant, String> {
    let mut of = OfVariant::default();
    for argument in said(&variant.attributes, "strum")? {
        match argument.name.as_str() {
            "serialize" => of.serialize.push(text(&argument)?),
            "to_string" => of.to_string = Some(text(&argument)?),
            "disabled" => of.is_disabled = true,
            "default" => of.is_default = !argument.value.iter().any(|it| it.is_ident("false")),
            "transparent" => of.is_transparent = true,
            "ascii_case_insensitive" => {
                of.ignores_case = Some(!argument.value.iter().any(|it| it.is_ident("false")));
            }
            "default_with" => of.default_with = Some(text(&argument)?),
            "message" | "detailed_message" | "props" => {}
            other => return Err(format!("`{other}`")),
        }
    }
    Ok(of)
}

impl OfType {
    fn own_name(&self, variant: &Variant<'_>) -> Result<String, String> {
        let name = variant.name.ident().unwrap_or_default();
        match &self.style {
            Some(style) => converted(name, style).ok_or_else(|| format!("the style `{style}`")),
            None => Ok(name.to_owned()),
        }
    }

    /// The name that is shown.
    fn preferred(&self, variant: &Variant<'_>, of: &OfVariant) -> Result<String, String> {
        let longest = of.serialize.iter().max_by_key(|it| it.len());
        let name = match of.to_string.as_ref().or(longest) {
            Some(name) => name.clone(),
            None => self.own_name(variant)?,
        };
        Ok(format!("{}{name}{}", self.prefix, self.suffix))
    }

    /// The names that are read.
    fn names(&self, variant: &Variant<'_>, of: &OfVariant) -> Result<Vec<String>, String> {
        let names: Vec<String> = of.serialize.iter().chain(&of.to_string).cloned().collect();
        if names.is_empty() { Ok(vec![self.own_name(variant)?]) } else { Ok(names) }
    }
}

/// All variants with what is said about them.
fn variants<'t, 'a>(adt: &'t Adt<'a>) -> Result<Vec<(&'t Variant<'a>, OfVariant)>, String> {
    adt.variants.iter().map(|it| Ok((it, of_variant(it)?))).collect()
}

/// A variant with default values.
fn by_default<'a>(adt: &Adt<'a>, variant: &Variant<'a>, quote: &mut Quote<'a>) -> String {
    let field = |index: usize| format!("{}: ::core::default::Default::default(),", variant.fields[index].key(index));
    let fields: String = (0..variant.fields.len()).map(field).collect();
    format!("{} {{ {fields} }}", adt.path(variant, quote))
}

pub(super) fn display(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let of_type = of_type(adt)?;
        let mut arms = String::new();
        for (variant, of) in variants(adt)? {
            let path = adt.path(variant, quote);
            if of.is_disabled {
                arms += &format!("{path} {{ .. }} => ::core::panic!(\"fmt() called on disabled variant.\"),");
                continue;
            }
            if of.is_transparent || of.to_string.is_none() && of.is_default {
                let [field] = variant.fields.as_slice() else { return Err("its fields".to_owned()) };
                arms += &format!("{path} {{ {}: ref __it }} => ::core::fmt::Display::fmt(__it, __f),", field.key(0));
                continue;
            }
            let name = of_type.preferred(variant, &of)?;
            let has_holes = name.replace("{{", "").contains('{');
            let shown = match (has_holes, variant.is_record) {
                (false, _) => format!("{name:?}"),
                (true, true) => format!("&::core::format_args!({name:?})"),
                (true, false) => {
                    let list: String = (0..variant.fields.len()).map(|it| format!(", _{it}")).collect();
                    format!("&::std::format!({name:?} {list})")
                }
            };
            let pattern = if has_holes { variant.references() } else { "{ .. }".to_owned() };
            arms += &format!("{path} {pattern} => ::core::fmt::Display::fmt({shown}, __f),");
        }
        Ok(format!(
            "__impl ::core::fmt::Display for __type where __own {{ \
             fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{ match *self {{ {arms} }} }} }}"
        ))
    })
}

pub(super) fn enum_string(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let of_type = of_type(adt)?;
        let mut default = "::core::result::Result::Err(::strum::ParseError::VariantNotFound)".to_owned();
        let mut arms = String::new();
        for (variant, of) in variants(adt)? {
            if of.is_disabled {
                continue;
            }
            if of.default_with.is_some()
                || variant.fields.iter().any(|it| it.attributes.iter().any(|it| it[0].is_ident("strum")))
            {
                return Err("`default_with`".to_owned());
            }
            if of.is_default {
                let path = adt.path(variant, quote);
                let [field] = variant.fields.as_slice() else { return Err("its fields".to_owned()) };
                default = format!("::core::result::Result::Ok({path} {{ {}: __text.into() }})", field.key(0));
                continue;
            }
            let value = by_default(adt, variant, quote);
            for name in of_type.names(variant, &of)? {
                arms += &match of.ignores_case.unwrap_or(of_type.ignores_case) {
                    true => format!("__text if __text.eq_ignore_ascii_case({name:?}) => {value},"),
                    false => format!("{name:?} => {value},"),
                };
            }
        }
        let body = match arms.is_empty() {
            true => default,
            false => format!("::core::result::Result::Ok(match __text {{ {arms} _ => return {default} }})"),
        };
        Ok(format!(
            "__impl ::core::str::FromStr for __type where __own {{ type Err = ::strum::ParseError; \
             fn from_str(__text: &str) -> ::core::result::Result<Self, ::strum::ParseError> {{ {body} }} }} \
             impl<'__a, __params> ::core::convert::TryFrom<&'__a str> for __type where __own {{ \
             type Error = ::strum::ParseError; \
             fn try_from(__text: &'__a str) -> ::core::result::Result<Self, ::strum::ParseError> \
             {{ ::core::str::FromStr::from_str(__text) }} }}"
        ))
    })
}

/// Arms that give the name of a variant.
fn name_arms<'a>(adt: &Adt<'a>, quote: &mut Quote<'a>) -> Result<String, String> {
    let of_type = of_type(adt)?;
    let mut arms = String::new();
    for (variant, of) in variants(adt)? {
        let path = adt.path(variant, quote);
        if of.is_transparent {
            return Err("`transparent`".to_owned());
        }
        arms += &match of.is_disabled {
            true => format!(
                "{path} {{ .. }} => ::core::panic!(\"AsRef::as_ref() or AsStaticRef::as_static() called on disabled variant.\"),"
            ),
            false => format!("{path} {{ .. }} => {:?},", of_type.preferred(variant, &of)?),
        };
    }
    Ok(arms)
}

pub(super) fn as_ref_str(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let arms = name_arms(adt, quote)?;
        Ok(format!(
            "__impl ::core::convert::AsRef<str> for __type where __own {{ \
             fn as_ref(&self) -> &str {{ match *self {{ {arms} }} }} }}"
        ))
    })
}

pub(super) fn into_static_str(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let arms = name_arms(adt, quote)?;
        Ok(format!(
            "__impl ::core::convert::From<__type> for &'static str where __own {{ \
             fn from(__it: __type) -> &'static str {{ <&'static str as ::core::convert::From<&__type>>::from(&__it) }} }} \
             impl<'__a, __params> ::core::convert::From<&'__a __type> for &'static str where __own {{ \
             fn from(__it: &'__a __type) -> &'static str {{ match *__it {{ {} }} }} }}",
            arms.replace("Self::", "<__type>::")
        ))
    })
}

pub(super) fn enum_iter(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        of_type(adt)?;
        let mut arms = String::new();
        let mut count = 0;
        for (variant, of) in variants(adt)? {
            if !of.is_disabled {
                let value = by_default(adt, variant, quote).replacen("Self", "<__type>", 1);
                arms += &format!("{count}usize => ::core::option::Option::Some({value}),");
                count += 1;
            }
        }
        let name = format!("{}Iter", adt.name.ident().unwrap_or_default());
        let mark = "::core::marker::PhantomData<fn() -> __type>";
        Ok(format!(
            "pub struct {name}<__params> where __own {{ __first: usize, __last: usize, __mark: {mark} }} \
             __impl ::core::fmt::Debug for {name}<__arguments> where __own {{ \
             fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result \
             {{ __f.debug_struct({name:?}).field(\"len\", &::core::iter::ExactSizeIterator::len(self)).finish() }} }} \
             __impl {name}<__arguments> where __own {{ \
             fn get(&self, __at: usize) -> ::core::option::Option<__type> \
             {{ match __at {{ {arms} _ => ::core::option::Option::None }} }} }} \
             __impl ::strum::IntoEnumIterator for __type where __own {{ type Iterator = {name}<__arguments>; \
             fn iter() -> {name}<__arguments> {{ {name} {{ __first: 0, __last: 0, __mark: ::core::marker::PhantomData }} }} }} \
             __impl ::core::iter::Iterator for {name}<__arguments> where __own {{ type Item = __type; \
             fn next(&mut self) -> ::core::option::Option<__type> {{ self.nth(0) }} \
             fn size_hint(&self) -> (usize, ::core::option::Option<usize>) {{ \
             let __left = if self.__first + self.__last >= {count} {{ 0 }} else {{ {count} - self.__first - self.__last }}; \
             (__left, ::core::option::Option::Some(__left)) }} \
             fn nth(&mut self, __n: usize) -> ::core::option::Option<__type> {{ \
             let __first = self.__first + __n + 1; \
             if __first + self.__last > {count} {{ self.__first = {count}; ::core::option::Option::None }} \
             else {{ self.__first = __first; self.get(__first - 1) }} }} }} \
             __impl ::core::iter::ExactSizeIterator for {name}<__arguments> where __own {{ \
             fn len(&self) -> usize {{ self.size_hint().0 }} }} \
             __impl ::core::iter::DoubleEndedIterator for {name}<__arguments> where __own {{ \
             fn next_back(&mut self) -> ::core::option::Option<__type> {{ \
             let __last = self.__last + 1; \
             if self.__first + __last > {count} {{ self.__last = {count}; ::core::option::Option::None }} \
             else {{ self.__last = __last; self.get({count} - self.__last) }} }} }} \
             __impl ::core::iter::FusedIterator for {name}<__arguments> where __own {{}} \
             __impl ::core::clone::Clone for {name}<__arguments> where __own {{ fn clone(&self) -> Self \
             {{ {name} {{ __first: self.__first, __last: self.__last, __mark: ::core::marker::PhantomData }} }} }}"
        ))
    })
}

pub(super) fn enum_count(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, _| {
        of_type(adt)?;
        let count = variants(adt)?.iter().filter(|(_, of)| !of.is_disabled).count();
        Ok(format!("__impl ::strum::EnumCount for __type where __own {{ const COUNT: usize = {count}; }}"))
    })
}

pub(super) fn variant_names(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, _| {
        let of_type = of_type(adt)?;
        let mut names = String::new();
        for (variant, of) in variants(adt)? {
            names += &format!("{:?},", of_type.preferred(variant, &of)?);
        }
        Ok(format!(
            "__impl ::strum::VariantNames for __type where __own {{ \
             const VARIANTS: &'static [&'static str] = &[{names}]; }}"
        ))
    })
}

pub(super) fn variant_array(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        of_type(adt)?;
        let paths: String = adt.variants.iter().map(|it| adt.path(it, quote) + ",").collect();
        Ok(format!(
            "__impl ::strum::VariantArray for __type where __own {{ const VARIANTS: &'static [Self] = &[{paths}]; }}"
        ))
    })
}

pub(super) fn enum_is(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let mut methods = String::new();
        for (variant, of) in variants(adt)? {
            if !of.is_disabled {
                let name = converted(variant.name.ident().unwrap_or_default(), "snake_case").unwrap_or_default();
                let path = adt.path(variant, quote);
                methods += &format!(
                    "pub const fn is_{name}(&self) -> bool {{ match *self {{ {path} {{ .. }} => true, \
                     _ => false }} }}"
                );
            }
        }
        Ok(format!("__impl __type where __own {{ {methods} }}"))
    })
}

/// The integer type of an enum's discriminants.
fn representation(adt: &Adt<'_>) -> String {
    let is_int = |it: &Tree<'_>| {
        it.ident()
            .filter(|it| it.starts_with(['u', 'i']) && (it.ends_with("size") || it[1..].parse::<u8>().is_ok()))
            .map(str::to_owned)
    };
    let representations = adt.attributes.iter().filter(|it| it[0].is_ident("repr"));
    let inside = representations.filter_map(|it| it.get(1)?.group(DelimiterKind::Parenthesis)).flat_map(trees);
    inside.into_iter().find_map(|it| is_int(&it)).unwrap_or_else(|| "usize".to_owned())
}

pub(super) fn from_repr(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let ty = representation(adt);
        let (mut constants, mut arms, mut last) = (String::new(), String::new(), None::<usize>);
        for (index, (variant, of)) in variants(adt)?.into_iter().enumerate() {
            let value = match (variant.discriminant.is_empty(), last) {
                (false, _) => format!("({}) as {ty}", quote.of(&variant.discriminant)),
                (true, None) => "0".to_owned(),
                (true, Some(last)) => format!("__VALUE_{last} + 1"),
            };
            constants += &format!("const __VALUE_{index}: {ty} = {value};");
            last = Some(index);
            if !of.is_disabled {
                let value = by_default(adt, variant, quote);
                arms += &format!("__it if __it == __VALUE_{index} => ::core::option::Option::Some({value}),");
            }
        }
        Ok(format!(
            "__impl __type where __own {{ pub fn from_repr(__discriminant: {ty}) \
             -> ::core::option::Option<Self> {{ {constants} match __discriminant {{ {arms} \
             _ => ::core::option::Option::None }} }} }}"
        ))
    })
}

pub(super) fn enum_discriminants(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let mut name = format!("{}Discriminants", adt.name.ident().unwrap_or_default());
        let (mut derives, mut others) = (String::new(), String::new());
        for argument in said(&adt.attributes, "strum_discriminants")? {
            match (argument.name.as_str(), argument.inside) {
                ("derive", Some(list)) => derives = format!(", {}", quote.of(&list)),
                ("name", Some(given)) => name = given.first().and_then(Tree::written).ok_or("`name`")?,
                ("vis", _) => {}
                (other, Some(inside)) => others += &format!("#[{other}({})]", quote.of(&inside)),
                (other, None) => others += &format!("#[{other}]"),
            }
        }
        let (mut variants, mut arms) = (String::new(), String::new());
        for variant in &adt.variants {
            let own = quote.of(std::slice::from_ref(&variant.name));
            let value = match variant.discriminant.as_slice() {
                [] => String::new(),
                value => format!("= {}", quote.of(value)),
            };
            for attribute in variant.attributes.iter().filter(|it| it[0].is_ident("strum_discriminants")) {
                let inside = attribute.get(1).and_then(|it| it.group(DelimiterKind::Parenthesis)).map(trees);
                variants += &format!("#[{}]", quote.of(&inside.unwrap_or_default()));
            }
            variants += &format!("{own} {value},");
            arms += &format!("<__type>::{own} {{ .. }} => {name}::{own},");
        }
        let representation = representation(adt);
        let repr = adt.attributes.iter().any(|it| it[0].is_ident("repr")).then(|| format!("#[repr({representation})]"));
        Ok(format!(
            "#[derive(Clone, Copy, Debug, PartialEq, Eq {derives})] {others} {} pub enum {name} {{ {variants} }} \
             impl<'__a, __params> ::core::convert::From<&'__a __type> for {name} where __own {{ \
             fn from(__it: &'__a __type) -> {name} {{ match *__it {{ {arms} }} }} }} \
             __impl ::core::convert::From<__type> for {name} where __own {{ \
             fn from(__it: __type) -> {name} {{ <{name} as ::core::convert::From<&__type>>::from(&__it) }} }} \
             __impl ::strum::IntoDiscriminant for __type where __own {{ type Discriminant = {name}; \
             fn discriminant(&self) -> {name} {{ <{name} as ::core::convert::From<&Self>>::from(self) }} }}",
            repr.unwrap_or_default()
        ))
    })
}
