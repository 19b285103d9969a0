//! Macros of ICU's crates zerovec and yoke: types that are read from bytes as they lie in memory, and types whose
//! lifetime can be replaced. Crates that read host names use them.

use super::{
    Call,
    functions::expressions,
    read::{Adt, adt, attribute, with},
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

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
fn unaligned(name: &str, types: &[String]) -> String {
    let field = |ty: &String| {
        format!(
            "let __size = ::core::mem::size_of::<{ty}>();
             let (__field, __after) = __rest.split_at(__size);
             <{ty} as ::zerovec::ule::ULE>::validate_bytes(__field)?;
             __rest = __after;"
        )
    };
    let fields: String = types.iter().map(field).collect();
    format!(
        "unsafe impl ::zerovec::ule::ULE for {name} {{
             fn validate_bytes(__bytes: &[u8]) -> ::core::result::Result<(), ::zerovec::ule::UleError> {{
                 const SIZE: usize = ::core::mem::size_of::<{name}>();
                 if __bytes.len() % SIZE != 0 {{
                     return ::core::result::Result::Err(::zerovec::ule::UleError::length::<Self>(__bytes.len()));
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
    with(call, |adt, quote| {
        if adt.is_enum || !has_layout(adt, &[&["transparent"], &["C", "packed"]]) {
            return Err("its layout".to_owned());
        }
        let types: Vec<String> = adt.variants[0].fields.iter().map(|it| quote.of(&it.ty)).collect();
        Ok(unaligned(&quote.of(std::slice::from_ref(&adt.name)), &types))
    })
}

/// `#[zerovec::make_ule(Name)]`: `Name` is the type as it lies among bytes.
pub(super) fn make_ule(call: &Call<'_>) -> Result<TopSubtree, String> {
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
        true => of_enum(&adt, &name, &own, is_skipped("Ord"))?,
        false => of_struct(&adt, &name, &own, is_skipped("Ord"), &mut quote),
    };
    if !is_skipped("ZeroMapKV") {
        text += &format!(
            "impl<'a> ::zerovec::maps::ZeroMapKV<'a> for {name} {{
                 type Container = ::zerovec::ZeroVec<'a, {name}>;
                 type Slice = ::zerovec::ZeroSlice<{name}>;
                 type GetType = {own};
                 type OwnedType = {name};
             }}"
        );
    }
    if derived.iter().any(|it| it == "Debug") {
        text += &format!(
            "impl ::core::fmt::Debug for {own} {{
                 fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{
                     ::core::fmt::Debug::fmt(&<{name} as ::zerovec::ule::AsULE>::from_unaligned(*self), f)
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

fn of_enum(adt: &Adt<'_>, name: &str, own: &str, is_unordered: bool) -> Result<String, String> {
    if !has_layout(adt, &[&["u8"]]) || adt.variants.is_empty() {
        return Err("its layout".to_owned());
    }
    let number = |it: &super::read::Variant<'_>| match it.discriminant.as_slice() {
        [number] if it.fields.is_empty() => number.literal().ok_or("a discriminant"),
        _ => Err("a variant"),
    };
    let numbers = adt.variants.iter().map(number).collect::<Result<Vec<_>, _>>()?.join(" | ");
    let order = if is_unordered { "" } else { "PartialOrd, Ord" };
    Ok(format!(
        "#[repr(transparent)] #[derive(Copy, Clone, PartialEq, Eq, {order})] pub struct {own}(u8);
         unsafe impl ::zerovec::ule::ULE for {own} {{
             fn validate_bytes(__bytes: &[u8]) -> ::core::result::Result<(), ::zerovec::ule::UleError> {{
                 for __byte in __bytes {{
                     match *__byte {{
                         {numbers} => {{}}
                         _ => return ::core::result::Result::Err(::zerovec::ule::UleError::parse::<Self>()),
                     }}
                 }}
                 ::core::result::Result::Ok(())
             }}
         }}
         impl ::zerovec::ule::AsULE for {name} {{
             type ULE = {own};
             fn to_unaligned(self) -> Self::ULE {{ {own}(self as u8) }}
             fn from_unaligned(__other: Self::ULE) -> Self {{
                 unsafe {{ ::core::mem::transmute::<u8, Self>(__other.0) }}
             }}
         }}
         impl {name} {{
             pub(crate) fn new_from_u8(value: u8) -> ::core::option::Option<Self> {{
                 match <{own} as ::zerovec::ule::ULE>::validate_bytes(&[value]) {{
                     ::core::result::Result::Ok(()) => {{
                         ::core::option::Option::Some(::zerovec::ule::AsULE::from_unaligned({own}(value)))
                     }}
                     _ => ::core::option::Option::None,
                 }}
             }}
         }}"
    ))
}

fn of_struct<'a>(adt: &Adt<'a>, name: &str, own: &str, is_unordered: bool, quote: &mut Quote<'a>) -> String {
    let variant = &adt.variants[0];
    let (mut fields, mut to, mut from, mut types) = (String::new(), String::new(), String::new(), Vec::new());
    for (index, field) in variant.fields.iter().enumerate() {
        let (key, ty) = (field.key(index), quote.of(&field.ty));
        let unaligned = format!("<{ty} as ::zerovec::ule::AsULE>::ULE");
        fields += &match variant.is_record {
            true => format!("pub {key}: {unaligned},"),
            false => format!("pub {unaligned},"),
        };
        to += &format!("{key}: <{ty} as ::zerovec::ule::AsULE>::to_unaligned(self.{key}),");
        from += &format!("{key}: <{ty} as ::zerovec::ule::AsULE>::from_unaligned(__other.{key}),");
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
                 let __this = <{name} as ::zerovec::ule::AsULE>::from_unaligned(*self);
                 ::core::cmp::Ord::cmp(&__this, &<{name} as ::zerovec::ule::AsULE>::from_unaligned(*__other))
             }}
         }}"
    );
    format!(
        "#[repr({layout})] #[derive(Copy, Clone, PartialEq, Eq)] pub struct {own} {declared}
         {}
         {}
         impl ::zerovec::ule::AsULE for {name} {{
             type ULE = {own};
             fn to_unaligned(self) -> Self::ULE {{ {own} {{ {to} }} }}
             fn from_unaligned(__other: Self::ULE) -> Self {{ {name} {{ {from} }} }}
         }}",
        unaligned(own, &types),
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
            "unsafe impl<'__yoke, {declared}> ::yoke::Yokeable<'__yoke> for {own} where __own {bounds} {{
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
