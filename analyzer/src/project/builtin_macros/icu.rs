//! Macros of ICU's crates zerovec, zerofrom and yoke: types that are read from bytes as they lie in memory, and types
//! whose lifetime can be replaced. Crates that read host names use them.

use super::{
    Call,
    functions::expressions,
    read::{Adt, Variant, adt, attribute, with},
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// Names that differ between versions of zerovec.
struct Names {
    /// The method that checks bytes.
    validate: &'static str,
    error: &'static str,
}

const NAMES: Names = Names { validate: "validate_bytes", error: "zerovec::ule::UleError" };
const OLD_NAMES: Names = Names { validate: "validate_byte_slice", error: "zerovec::ZeroVecError" };

/// Whether the type's layout is declared in one of these ways.
fn has_layout(adt: &Adt<'_>, layouts: &[&[&str]]) -> bool {
    let Some(arguments) = attribute(&adt.attributes, "repr") else { return false };
    let words: Vec<_> =
        expressions(&arguments).into_iter().filter_map(|it| it.first()?.ident().map(str::to_owned)).collect();
    layouts.iter().any(|layout| layout.iter().all(|word| words.iter().any(|it| it == word)))
}

/// The words of attributes such as `#[zerovec::derive(Debug)]`.
fn words(adt: &Adt<'_>, name: &str) -> Vec<String> {
    let of = |attribute: &Vec<Tree<'_>>| match attribute.as_slice() {
        [krate, first, second, own, group]
            if krate.is_ident("zerovec") && first.is_punct(':') && second.is_punct(':') && own.is_ident(name) =>
        {
            let inside = group.group(DelimiterKind::Parenthesis).map(trees).unwrap_or_default();
            inside.iter().filter_map(|it| it.ident().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    };
    adt.attributes.iter().flat_map(of).collect()
}

/// An impl of `ULE` for a struct whose fields have one.
fn unaligned(name: &str, types: &[String], Names { validate, error }: &Names) -> String {
    let field = |ty: &String| {
        format!(
            "let __size = ::core::mem::size_of::<{ty}>();
             let (__field, __after) = __rest.split_at(__size);
             <{ty} as zerovec::ule::ULE>::{validate}(__field)?;
             __rest = __after;"
        )
    };
    let fields: String = types.iter().map(field).collect();
    format!(
        "unsafe impl zerovec::ule::ULE for {name} {{
             fn {validate}(__bytes: &[u8]) -> ::core::result::Result<(), {error}> {{
                 const SIZE: usize = ::core::mem::size_of::<{name}>();
                 if __bytes.len() % SIZE != 0 {{
                     return ::core::result::Result::Err({error}::length::<Self>(__bytes.len()));
                 }}
                 for __one in __bytes.chunks_exact(SIZE) {{
                     let mut __rest = __one;
                     {fields}
                 }}
                 ::core::result::Result::Ok(())
             }}
         }}"
    )
}

/// `#[derive(ULE)]`.
pub(super) fn ule(call: &Call<'_>) -> Result<TopSubtree, String> {
    ule_with(call, &NAMES)
}

/// The same of zerovec 0.10.
pub(super) fn old_ule(call: &Call<'_>) -> Result<TopSubtree, String> {
    ule_with(call, &OLD_NAMES)
}

fn ule_with(call: &Call<'_>, names: &Names) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        if adt.is_enum || !has_layout(adt, &[&["transparent"], &["C", "packed"]]) {
            return Err("its layout".to_owned());
        }
        let types: Vec<String> = adt.variants[0].fields.iter().map(|it| quote.of(&it.ty)).collect();
        Ok(unaligned(&quote.of(std::slice::from_ref(&adt.name)), &types, names))
    })
}

/// `#[zerovec::make_ule(Name)]`: `Name` is the type as it lies among bytes.
pub(super) fn make_ule(call: &Call<'_>) -> Result<TopSubtree, String> {
    make_ule_with(call, &NAMES)
}

/// The same of zerovec 0.10.
pub(super) fn old_make_ule(call: &Call<'_>) -> Result<TopSubtree, String> {
    make_ule_with(call, &OLD_NAMES)
}

fn make_ule_with(call: &Call<'_>, names: &Names) -> Result<TopSubtree, String> {
    let args = trees(call.args);
    let [unaligned_name] = args.as_slice() else { return Err("its argument".to_owned()) };
    let item = trees(call.item);
    let adt = adt(&item)?;
    let mut quote = Quote::default();
    let name = quote.of(std::slice::from_ref(&adt.name));
    let own = quote.of(std::slice::from_ref(unaligned_name));
    let (skipped, derived) = (words(&adt, "skip_derive"), words(&adt, "derive"));
    let is_skipped = |word: &str| skipped.iter().any(|it| it == word);
    let mut text = match adt.is_enum {
        true => of_enum(&adt, &name, &own, is_skipped("Ord"), names)?,
        false => of_struct(&adt, [&name, &own], is_skipped("Ord"), names, &mut quote),
    };
    if !is_skipped("ZeroMapKV") {
        text += &format!(
            "impl<'a> zerovec::maps::ZeroMapKV<'a> for {name} {{
                 type Container = zerovec::ZeroVec<'a, {name}>;
                 type Slice = zerovec::ZeroSlice<{name}>;
                 type GetType = {own};
                 type OwnedType = {name};
             }}"
        );
    }
    if derived.iter().any(|it| it == "Debug") {
        text += &format!(
            "impl ::core::fmt::Debug for {own} {{
                 fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{
                     ::core::fmt::Debug::fmt(&<{name} as zerovec::ule::AsULE>::from_unaligned(*self), f)
                 }}
             }}"
        );
    }
    // The attributes that other macros of the crate leave to this one are no attributes of their own.
    let item = without_helpers(&item, &mut quote);
    Ok(quote.made(adt.name.span(), &format!("{item} {text}")))
}

/// An item without attributes of zerovec.
fn without_helpers<'a>(item: &[Tree<'a>], quote: &mut Quote<'a>) -> String {
    let mut text = String::new();
    let mut rest = item;
    while let [hash, group, after @ ..] = rest
        && hash.is_punct('#')
        && let Some(inside) = group.group(DelimiterKind::Bracket)
    {
        if !trees(inside).first().is_some_and(|it| it.is_ident("zerovec")) {
            text += &quote.of(&rest[..2]);
        }
        rest = after;
    }
    text + &quote.of(rest)
}

fn of_enum(adt: &Adt<'_>, name: &str, own: &str, is_unordered: bool, names: &Names) -> Result<String, String> {
    if !has_layout(adt, &[&["u8"]]) || adt.variants.is_empty() {
        return Err("its layout".to_owned());
    }
    let Names { validate, error } = names;
    let number = |it: &Variant<'_>| match it.discriminant.as_slice() {
        [number] if it.fields.is_empty() => number.literal().ok_or("a discriminant"),
        _ => Err("a variant"),
    };
    let numbers = adt.variants.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    let order = if is_unordered { "" } else { "PartialOrd, Ord" };
    // zerovec 0.10 takes all numbers up to the largest, and `new_from_u8` one more.
    let (valid, from_u8) = if names.validate == OLD_NAMES.validate {
        let of = |it: &String| it.parse::<u8>().map_err(|_| "a discriminant");
        let numbers = numbers.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let largest = numbers.into_iter().max().unwrap_or_default();
        (format!("0..={largest}"), format!("value <= {}", u16::from(largest) + 1))
    } else {
        (numbers.join(" | "), format!("<{own} as zerovec::ule::ULE>::{validate}(&[value]).is_ok()"))
    };
    Ok(format!(
        "#[repr(transparent)] #[derive(Copy, Clone, PartialEq, Eq, {order})] pub struct {own}(u8);
         unsafe impl zerovec::ule::ULE for {own} {{
             fn {validate}(__bytes: &[u8]) -> ::core::result::Result<(), {error}> {{
                 for __byte in __bytes {{
                     match *__byte {{
                         {valid} => {{}}
                         _ => return ::core::result::Result::Err({error}::parse::<Self>()),
                     }}
                 }}
                 ::core::result::Result::Ok(())
             }}
         }}
         impl zerovec::ule::AsULE for {name} {{
             type ULE = {own};
             fn to_unaligned(self) -> Self::ULE {{ {own}(self as u8) }}
             fn from_unaligned(__other: Self::ULE) -> Self {{
                 unsafe {{ ::core::mem::transmute::<u8, Self>(__other.0) }}
             }}
         }}
         impl {name} {{
             pub(crate) fn new_from_u8(value: u8) -> ::core::option::Option<Self> {{
                 match {from_u8} {{
                     true => ::core::option::Option::Some(zerovec::ule::AsULE::from_unaligned({own}(value))),
                     false => ::core::option::Option::None,
                 }}
             }}
         }}"
    ))
}

fn of_struct<'a>(
    adt: &Adt<'a>,
    [name, own]: [&str; 2],
    is_unordered: bool,
    names: &Names,
    quote: &mut Quote<'a>,
) -> String {
    let variant = &adt.variants[0];
    let (mut fields, mut to, mut from, mut types) = (String::new(), String::new(), String::new(), Vec::new());
    for (index, field) in variant.fields.iter().enumerate() {
        let (key, ty) = (field.key(index), quote.of(&field.ty));
        let unaligned = format!("<{ty} as zerovec::ule::AsULE>::ULE");
        fields += &match variant.is_record {
            true => format!("pub {key}: {unaligned},"),
            false => format!("pub {unaligned},"),
        };
        to += &format!("{key}: <{ty} as zerovec::ule::AsULE>::to_unaligned(self.{key}),");
        from += &format!("{key}: <{ty} as zerovec::ule::AsULE>::from_unaligned(__other.{key}),");
        types.push(unaligned);
    }
    let declared = if variant.is_record { format!("{{ {fields} }}") } else { format!("({fields});") };
    let layout = if variant.fields.len() == 1 { "transparent" } else { "C, packed" };
    let order = format!(
        "impl ::core::cmp::PartialOrd for {own} {{
             fn partial_cmp(&self, __other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {{
                 ::core::option::Option::Some(::core::cmp::Ord::cmp(self, __other))
             }}
         }}
         impl ::core::cmp::Ord for {own} {{
             fn cmp(&self, __other: &Self) -> ::core::cmp::Ordering {{
                 let __this = <{name} as zerovec::ule::AsULE>::from_unaligned(*self);
                 ::core::cmp::Ord::cmp(&__this, &<{name} as zerovec::ule::AsULE>::from_unaligned(*__other))
             }}
         }}"
    );
    format!(
        "#[repr({layout})] #[derive(Copy, Clone, PartialEq, Eq)] pub struct {own} {declared}
         {}
         {}
         impl zerovec::ule::AsULE for {name} {{
             type ULE = {own};
             fn to_unaligned(self) -> Self::ULE {{ {own} {{ {to} }} }}
             fn from_unaligned(__other: Self::ULE) -> Self {{ {name} {{ {from} }} }}
         }}",
        unaligned(own, &types, names),
        if is_unordered { "" } else { &order },
    )
}

/// `#[derive(Yokeable)]`: the type with another lifetime.
pub(super) fn yokeable(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let lifetimes = adt.generics.lifetimes();
        if lifetimes.len() > 1 || adt.generics.has_constants() {
            return Err("its parameters".to_owned());
        }
        let name = quote.of(std::slice::from_ref(&adt.name));
        let types = adt.generics.types();
        let (declared, arguments) = adt.generics.without_lifetimes(&Tree::comma(adt.name.span()));
        let (declared, arguments) = (quote.of(&declared), quote.of(&arguments));
        let bounds: String = types.iter().map(|it| format!("{it}: 'static,")).collect();
        let with = |lifetime: &str| match lifetimes.is_empty() {
            true => format!("{name}<{arguments}>"),
            false => format!("{name}<{lifetime}, {arguments}>"),
        };
        let (own, output) = (with("'static"), with("'__yoke"));
        Ok(format!(
            "unsafe impl<'__yoke, {declared}> yoke::Yokeable<'__yoke> for {own} where __own {bounds} {{
                 type Output = {output};
                 fn transform(&'__yoke self) -> &'__yoke Self::Output {{
                     unsafe {{ &*(self as *const Self as *const Self::Output) }}
                 }}
                 fn transform_owned(self) -> Self::Output {{
                     let __this = ::core::mem::ManuallyDrop::new(self);
                     unsafe {{ ::core::ptr::read(&*__this as *const Self as *const Self::Output) }}
                 }}
                 unsafe fn make(__from: Self::Output) -> Self {{
                     let __from = ::core::mem::ManuallyDrop::new(__from);
                     unsafe {{ ::core::ptr::read(&*__from as *const Self::Output as *const Self) }}
                 }}
                 fn transform_mut<__F>(&'__yoke mut self, __f: __F)
                 where
                     __F: 'static + for<'__other> ::core::ops::FnOnce(&'__other mut Self::Output),
                 {{
                     __f(unsafe {{ &mut *(self as *mut Self as *mut Self::Output) }})
                 }}
             }}"
        ))
    })
}

/// A type with all its lifetimes replaced, and whether it has one besides `'static`.
fn with_lifetime<'a>(ty: &[Tree<'a>], lifetime: &str, quote: &mut Quote<'a>) -> (String, bool) {
    let (mut text, mut has_lifetime, mut rest) = (String::new(), false, ty);
    loop {
        rest = match rest {
            [] => return (text, has_lifetime),
            [mark, name, after @ ..] if mark.is_punct('\'') && name.ident().is_some() => {
                text += &format!(" {lifetime} ");
                has_lifetime |= !name.is_ident("static");
                after
            }
            [Tree::Group(group, inside), after @ ..] => {
                let (open, close) = match group.delimiter.kind {
                    DelimiterKind::Parenthesis => ("(", ")"),
                    DelimiterKind::Bracket => ("[", "]"),
                    DelimiterKind::Brace => ("{", "}"),
                    DelimiterKind::Invisible => ("", ""),
                };
                let (inner, has_inner) = with_lifetime(&trees(*inside), lifetime, quote);
                text += &format!("{open}{inner}{close}");
                has_lifetime |= has_inner;
                after
            }
            [token, after @ ..] => {
                text += &quote.of(std::slice::from_ref(token));
                after
            }
        };
    }
}

/// Whether an attribute such as `#[zerofrom(clone)]` says this.
fn says(attributes: &[Vec<Tree<'_>>], word: &str) -> bool {
    attribute(attributes, "zerofrom").is_some_and(|it| it.iter().any(|it| it.is_ident(word)))
}

/// `#[derive(ZeroFrom)]`: a value that borrows from another one.
pub(super) fn zero_from(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let lifetimes = adt.generics.lifetimes();
        if lifetimes.len() > 1 || adt.generics.has_constants() || says(&adt.attributes, "may_borrow") {
            return Err("its parameters".to_owned());
        }
        let name = quote.of(std::slice::from_ref(&adt.name));
        let (declared, arguments) = adt.generics.without_lifetimes(&Tree::comma(adt.name.span()));
        let (declared, arguments) = (quote.of(&declared), quote.of(&arguments));
        if lifetimes.is_empty() {
            let is_cloned = adt.variants.iter().flat_map(|it| &it.fields).any(|it| says(&it.attributes, "clone"));
            let (value, needed) = match is_cloned {
                true => ("::core::clone::Clone::clone(__this)", "::core::clone::Clone"),
                false => ("*__this", "::core::marker::Copy"),
            };
            let bounds: String = adt.generics.types().iter().map(|it| format!("{it}: {needed} + 'static,")).collect();
            return Ok(format!(
                "impl<'__zf, {declared}> zerofrom::ZeroFrom<'__zf, {name}<{arguments}>> for {name}<{arguments}>
                 where __own {bounds} {{
                     fn zero_from(__this: &'__zf Self) -> Self {{ {value} }}
                 }}"
            ));
        }
        let (mut bounds, mut arms) = (String::new(), String::new());
        for variant in &adt.variants {
            let path = match adt.is_enum {
                true => format!("{name}::{}", quote.of(std::slice::from_ref(&variant.name))),
                false => name.clone(),
            };
            let mut fields = String::new();
            for (index, field) in variant.fields.iter().enumerate() {
                let (key, binding) = (field.key(index), field.binding(index));
                let (ty, has_lifetime) = with_lifetime(&field.ty, "'__zf", quote);
                let has_type = adt.generics.occur_in(&field.ty);
                let from = with_lifetime(&field.ty, "'__inner", quote).0;
                let value = match (says(&field.attributes, "clone"), has_lifetime || has_type) {
                    (true, _) => format!("::core::clone::Clone::clone({binding})"),
                    (false, true) => format!("<{ty} as zerofrom::ZeroFrom<'__zf, {from}>>::zero_from({binding})"),
                    (false, false) => format!("*{binding}"),
                };
                if has_type {
                    bounds += &format!("{ty}: zerofrom::ZeroFrom<'__zf, {from}>,");
                }
                fields += &format!("{key}: {value},");
            }
            arms += &format!("{path} {} => {path} {{ {fields} }},", variant.references());
        }
        Ok(format!(
            "impl<'__zf, '__inner, {declared}> zerofrom::ZeroFrom<'__zf, {name}<'__inner, {arguments}>>
             for {name}<'__zf, {arguments}> where {bounds} {{
                 fn zero_from(__this: &'__zf {name}<'__inner, {arguments}>) -> Self {{ match *__this {{ {arms} }} }}
             }}"
        ))
    })
}
