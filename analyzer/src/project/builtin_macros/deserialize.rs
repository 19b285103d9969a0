//! serde's `Deserialize`: what the real derive does for structs and for enums with the name of the variant outside.
//! Values of other forms are uninterpreted.

use super::{
    Call,
    read::{Adt, Field, Variant, with},
    serde::{Default, OfField, OfType, READS, borrowed, bounds, not_expanded, of_field, of_type, of_variant},
    tokens::Quote,
};
use ra_ap_tt::TopSubtree;
use std::collections::BTreeSet;

pub(super) fn deserialize(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (borrowed, bounds) = (borrowed(adt), bounds(adt, READS)?);
        let lives = if borrowed.is_empty() { String::new() } else { format!(": {}", borrowed.join(" + ")) };
        let reader = Reader { adt, lives: lives.clone(), bounds: bounds.clone() };
        let body = reader.body(quote).unwrap_or_else(|| not_expanded("Deserialize"));
        Ok(format!(
            "impl<'de {lives}, __params> ::serde::Deserialize<'de> for __type where __own {bounds} {{ \
             fn deserialize<__D: ::serde::Deserializer<'de>>(__deserializer: __D) \
             -> ::core::result::Result<Self, __D::Error> {{ {body} }} }}"
        ))
    })
}

/// A field that is read, and its number among all.
struct Read<'t, 'a> {
    index: usize,
    field: &'t Field<'a>,
    of: OfField,
}

struct Reader<'t, 'a> {
    adt: &'t Adt<'a>,
    lives: String,
    bounds: String,
}

impl<'a> Reader<'_, 'a> {
    /// The body of `deserialize`; `None` if the form is not known.
    fn body(&self, quote: &mut Quote<'a>) -> Option<String> {
        let of = of_type(self.adt)?;
        let name = of.name(self.adt, READS);
        if let Some(path) = &of.from {
            return Some(format!(
                "::core::result::Result::map(<{path} as ::serde::Deserialize>::deserialize(__deserializer), \
                 ::core::convert::From::from)"
            ));
        }
        if let Some(path) = &of.try_from {
            return Some(format!(
                "::core::result::Result::and_then(<{path} as ::serde::Deserialize>::deserialize(__deserializer), \
                 |__value| ::core::result::Result::map_err(::core::convert::TryFrom::try_from(__value), \
                 ::serde::de::Error::custom))"
            ));
        }
        if of.tag.is_some() || of.is_untagged || of.has_content {
            return None;
        }
        if self.adt.is_enum {
            return self.of_enum(&of, &name, quote);
        }
        let variant = &self.adt.variants[0];
        if of.is_transparent {
            return self.transparent(variant, quote);
        }
        let shown = self.adt.name.ident().unwrap_or_default();
        let visitor = "__Visitor { __marker: ::core::marker::PhantomData, __lifetime: ::core::marker::PhantomData }";
        let (kind, call) = match (variant.is_record, variant.fields.len()) {
            _ if variant.is_unit => {
                let visitor_items = self.visitor(
                    "__Visitor",
                    &format!("unit struct {shown}"),
                    "fn visit_unit<__E: ::serde::de::Error>(self) -> ::core::result::Result<Self::Value, __E> \
                     { ::core::result::Result::Ok(__PATH) }",
                );
                let path = self.adt_path(quote);
                return Some(format!(
                    "{} ::serde::Deserializer::deserialize_unit_struct(__deserializer, {name:?}, {visitor})",
                    visitor_items.replace("__PATH", &path)
                ));
            }
            (true, _) => ("struct", format!("deserialize_struct(__deserializer, {name:?}, __FIELDS, {visitor})")),
            (false, 1) => ("tuple struct", format!("deserialize_newtype_struct(__deserializer, {name:?}, {visitor})")),
            (false, count) => {
                ("tuple struct", format!("deserialize_tuple_struct(__deserializer, {name:?}, {count}usize, {visitor})"))
            }
        };
        let path = self.adt_path(quote);
        let items = self.fields("__Visitor", &path, &format!("{kind} {shown}"), variant, &of, true, quote)?;
        Some(format!("{items} ::serde::Deserializer::{call}"))
    }

    /// The type in expressions; its arguments are inferred.
    fn adt_path(&self, quote: &mut Quote<'a>) -> String {
        quote.of(std::slice::from_ref(&self.adt.name))
    }

    fn transparent(&self, variant: &Variant<'a>, quote: &mut Quote<'a>) -> Option<String> {
        let mut fields = String::new();
        let mut found = 0;
        for (index, field) in variant.fields.iter().enumerate() {
            let of = of_field(field, None)?;
            let is_mark = field.ty.iter().any(|it| it.is_ident("PhantomData"));
            if is_mark || of.skips_reading {
                fields += &format!("{}: ::core::default::Default::default(),", field.key(index));
                continue;
            }
            if of.reads_with.is_some() {
                return None;
            }
            found += 1;
            let ty = quote.of(&field.ty);
            fields += &format!("{}: <{ty} as ::serde::Deserialize>::deserialize(__deserializer)?,", field.key(index));
        }
        (found == 1).then(|| format!("::core::result::Result::Ok(Self {{ {fields} }})"))
    }

    /// A visitor with these methods.
    fn visitor(&self, name: &str, expected: &str, methods: &str) -> String {
        let Reader { lives, bounds, .. } = self;
        format!(
            "struct {name}<'de {lives}, __params> where __own {{ \
             __marker: ::core::marker::PhantomData<__type>, __lifetime: ::core::marker::PhantomData<&'de ()> }} \
             impl<'de {lives}, __params> ::serde::de::Visitor<'de> for {name}<'de, __arguments> where __own {bounds} {{ \
             type Value = __type; \
             fn expecting(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result \
             {{ ::core::fmt::Formatter::write_str(__f, {expected:?}) }} {methods} }}"
        )
    }

    /// The items that read the fields of a struct or variant in a sequence or a map.
    #[expect(clippy::too_many_arguments, reason = "what a struct and a variant differ in")]
    fn fields(
        &self,
        visitor: &str,
        path: &str,
        expected: &str,
        variant: &Variant<'a>,
        of_type: &OfType,
        is_struct: bool,
        quote: &mut Quote<'a>,
    ) -> Option<String> {
        let style = match is_struct {
            true => of_type.style(READS),
            false => of_variant(variant)?.style(READS).or_else(|| of_type.all_fields_style(READS)),
        };
        let mut reads = Vec::new();
        for (index, field) in variant.fields.iter().enumerate() {
            reads.push(Read { index, field, of: of_field(field, style.as_deref())? });
        }
        if reads.iter().any(|it| it.of.is_flattened) {
            return None;
        }
        let read: Vec<&Read<'_, 'a>> = reads.iter().filter(|it| !it.of.skips_reading).collect();
        let count = read.len();
        let default = match (&of_type.default, is_struct) {
            (Some(Default::Trait), true) => {
                "let __default: Self::Value = ::core::default::Default::default();".to_owned()
            }
            (Some(Default::Path(path)), true) => format!("let __default: Self::Value = {path}();"),
            _ => String::new(),
        };
        let with_count = format!("{expected} with {count} element{}", if count == 1 { "" } else { "s" });
        let value = |text: &dyn Fn(&Read<'_, 'a>) -> String| {
            let fields: String = reads.iter().map(|it| format!("{}: {},", it.field.key(it.index), text(it))).collect();
            format!("{path} {{ {fields} }}")
        };
        let missing = |it: &Read<'_, 'a>| match &it.of.default {
            Some(Default::Trait) => Some("::core::default::Default::default()".to_owned()),
            Some(Default::Path(path)) => Some(format!("{path}()")),
            None if !default.is_empty() => Some(format!("__default.{}", it.field.key(it.index))),
            None if it.of.skips_reading => Some("::core::default::Default::default()".to_owned()),
            None => None,
        };
        let (mut in_sequence, mut declared, mut arms, mut found) =
            (String::new(), String::new(), String::new(), String::new());
        for (place, it) in read.iter().enumerate() {
            let index = it.index;
            let ty = quote.of(&it.field.ty);
            let (wrapper, wrapped, unwrap) = match &it.of.reads_with {
                None => (String::new(), ty.clone(), ""),
                Some(path) => (self.wrapper(index, &ty, path), format!("__With{index}<'de, __arguments>"), ".__value"),
            };
            let absent = missing(it);
            let none = absent.clone().unwrap_or_else(|| {
                format!(
                    "return ::core::result::Result::Err(::serde::de::Error::invalid_length({place}usize, &{with_count:?}))"
                )
            });
            in_sequence += &format!(
                "let __field{index} = {{ {wrapper} match ::serde::de::SeqAccess::next_element::<{wrapped}>(&mut __seq)? {{ \
                 ::core::option::Option::Some(__value) => __value{unwrap}, ::core::option::Option::None => {none} }} }};"
            );
            declared +=
                &format!("let mut __field{index}: ::core::option::Option<{ty}> = ::core::option::Option::None;");
            let key = it.of.name(it.field, index);
            arms += &format!(
                "__Field::__field{index} => {{ \
                 if ::core::option::Option::is_some(&__field{index}) {{ \
                 return ::core::result::Result::Err(::serde::de::Error::duplicate_field({key:?})); }} {wrapper} \
                 __field{index} = ::core::option::Option::Some(\
                 ::serde::de::MapAccess::next_value::<{wrapped}>(&mut __map)?{unwrap}); }}"
            );
            let none = absent.unwrap_or_else(|| match (&it.of.reads_with, is_optional(it.field)) {
                (None, Some(true)) => "::core::option::Option::None".to_owned(),
                (None, None) => format!(
                    "<{ty} as ::serde::Deserialize>::deserialize(__Missing({key:?}, ::core::marker::PhantomData))?"
                ),
                _ => format!("return ::core::result::Result::Err(::serde::de::Error::missing_field({key:?}))"),
            });
            found += &format!(
                "let __field{index} = match __field{index} {{ ::core::option::Option::Some(__value) => __value, \
                 ::core::option::Option::None => {none} }};"
            );
        }
        let filled = value(&|it| match it.of.skips_reading {
            true => missing(it).unwrap_or_default(),
            false => format!("__field{}", it.index),
        });
        let mut methods = format!(
            "fn visit_seq<__A: ::serde::de::SeqAccess<'de>>(self, mut __seq: __A) \
             -> ::core::result::Result<Self::Value, __A::Error> {{ {default} {in_sequence} \
             ::core::result::Result::Ok({filled}) }}"
        );
        let mut items = String::new();
        if variant.is_record {
            let names: Vec<(usize, Vec<String>)> =
                read.iter().map(|it| (it.index, it.of.names(it.field, it.index))).collect();
            let unknown = if of_type.denies_unknown { Unknown::Field } else { Unknown::Ignored };
            items += &identifiers(&names, unknown);
            items += MISSING;
            methods += &format!(
                "fn visit_map<__A: ::serde::de::MapAccess<'de>>(self, mut __map: __A) \
                 -> ::core::result::Result<Self::Value, __A::Error> {{ {declared} \
                 while let ::core::option::Option::Some(__key) = ::serde::de::MapAccess::next_key::<__Field>(&mut __map)? {{ \
                 match __key {{ {arms} \
                 _ => {{ let _ = ::serde::de::MapAccess::next_value::<::serde::de::IgnoredAny>(&mut __map)?; }} }} }} \
                 {default} {found} ::core::result::Result::Ok({filled}) }}"
            );
        } else if is_struct && reads.len() == 1 && count == 1 {
            let it = read[0];
            let ty = quote.of(&it.field.ty);
            let inner = match &it.of.reads_with {
                None => format!("<{ty} as ::serde::Deserialize>::deserialize(__inner)?"),
                Some(path) => format!("{path}(__inner)?"),
            };
            methods += &format!(
                "fn visit_newtype_struct<__E: ::serde::Deserializer<'de>>(self, __inner: __E) \
                 -> ::core::result::Result<Self::Value, __E::Error> {{ \
                 ::core::result::Result::Ok({path} {{ {}: {inner} }}) }}",
                it.field.key(it.index)
            );
        }
        Some(items + &self.visitor(visitor, expected, &methods))
    }

    /// A type that reads its value by a function of the user.
    fn wrapper(&self, index: usize, ty: &str, path: &str) -> String {
        let Reader { lives, bounds, .. } = self;
        format!(
            "struct __With{index}<'de {lives}, __params> where __own {{ __value: {ty}, \
             __marker: ::core::marker::PhantomData<__type>, __lifetime: ::core::marker::PhantomData<&'de ()> }} \
             impl<'de {lives}, __params> ::serde::Deserialize<'de> for __With{index}<'de, __arguments> where __own {bounds} {{ \
             fn deserialize<__D: ::serde::Deserializer<'de>>(__deserializer: __D) \
             -> ::core::result::Result<Self, __D::Error> {{ ::core::result::Result::Ok(__With{index} {{ \
             __value: {path}(__deserializer)?, __marker: ::core::marker::PhantomData, \
             __lifetime: ::core::marker::PhantomData }}) }} }}"
        )
    }

    fn of_enum(&self, of: &OfType, name: &str, quote: &mut Quote<'a>) -> Option<String> {
        let shown = self.adt.name.ident().unwrap_or_default();
        let (mut names, mut arms, mut other) = (Vec::new(), String::new(), None);
        for (index, variant) in self.adt.variants.iter().enumerate() {
            let of_variant = of_variant(variant)?;
            if of_variant.skips_reading {
                continue;
            }
            if of_variant.is_untagged || of_variant.reads_with.is_some() {
                return None;
            }
            names.push((index, of_variant.names(variant, of.style(READS).as_deref())?));
            if of_variant.is_other {
                other = Some(index);
            }
            let own = quote.of(std::slice::from_ref(&variant.name));
            let path = format!("{}::{own}", self.adt_path(quote));
            let text = variant.name.ident().unwrap_or_default();
            let arm = match (variant.is_record, variant.fields.as_slice()) {
                _ if variant.is_unit => format!(
                    "{{ ::serde::de::VariantAccess::unit_variant(__variant)?; ::core::result::Result::Ok({path}) }}"
                ),
                (false, [field]) => {
                    let of_field = of_field(field, None)?;
                    if of_field.reads_with.is_some() || of_field.skips_reading {
                        return None;
                    }
                    let ty = quote.of(&field.ty);
                    format!(
                        "::core::result::Result::map(::serde::de::VariantAccess::newtype_variant::<{ty}>(__variant), {path})"
                    )
                }
                (is_record, fields) => {
                    let kind = if is_record { "struct" } else { "tuple" };
                    let expected = format!("{kind} variant {shown}::{text}");
                    let items = self.fields("__Visitor", &path, &expected, variant, of, false, quote)?;
                    let visitor =
                        "__Visitor { __marker: ::core::marker::PhantomData, __lifetime: ::core::marker::PhantomData }";
                    match is_record {
                        true => format!(
                            "{{ {items} ::serde::de::VariantAccess::struct_variant(__variant, __FIELDS, {visitor}) }}"
                        ),
                        false => format!(
                            "{{ {items} ::serde::de::VariantAccess::tuple_variant(__variant, {}usize, {visitor}) }}",
                            fields.len()
                        ),
                    }
                }
            };
            arms += &format!("(__Field::__field{index}, __variant) => {arm},");
        }
        if names.is_empty() {
            return None;
        }
        let identifiers = identifiers(&names, other.map_or(Unknown::Variant, Unknown::Other));
        let methods = format!(
            "fn visit_enum<__A: ::serde::de::EnumAccess<'de>>(self, __data: __A) \
             -> ::core::result::Result<Self::Value, __A::Error> {{ \
             match ::serde::de::EnumAccess::variant::<__Field>(__data)? {{ {arms} }} }}"
        );
        let visitor = self.visitor("__EnumVisitor", &format!("enum {shown}"), &methods);
        Some(format!(
            "{identifiers} {visitor} ::serde::Deserializer::deserialize_enum(__deserializer, {name:?}, __FIELDS, \
             __EnumVisitor {{ __marker: ::core::marker::PhantomData, __lifetime: ::core::marker::PhantomData }})"
        ))
    }
}

/// What a name that is not known means.
#[derive(Clone, Copy)]
enum Unknown {
    Ignored,
    Field,
    Variant,
    /// The variant with this number.
    Other(usize),
}

/// The names of fields or variants, and the type that reads one of them.
fn identifiers(names: &[(usize, Vec<String>)], unknown: Unknown) -> String {
    // The aliases of each are among the names that errors list.
    let sorted = names.iter().flat_map(|(_, names)| names.iter().collect::<BTreeSet<_>>());
    let all: String = sorted.map(|name| format!("{name:?},")).collect();
    let mut variants: String = names.iter().map(|(index, _)| format!("__field{index},")).collect();
    let (mut by_number, mut by_name) = (String::new(), String::new());
    for (place, (index, names)) in names.iter().enumerate() {
        let value = format!("::core::result::Result::Ok(__Field::__field{index})");
        by_number += &format!("{place}u64 => {value},");
        let names: Vec<String> = names.iter().map(|it| format!("{it:?}")).collect();
        by_name += &format!("{} => {value},", names.join("|"));
    }
    let (kind, number, name) = match unknown {
        Unknown::Ignored => {
            variants += "__ignore";
            let ignored = "::core::result::Result::Ok(__Field::__ignore)".to_owned();
            ("field", ignored.clone(), ignored)
        }
        Unknown::Other(index) => {
            let other = format!("::core::result::Result::Ok(__Field::__field{index})");
            ("variant", other.clone(), other)
        }
        Unknown::Field | Unknown::Variant => {
            let kind = if matches!(unknown, Unknown::Field) { "field" } else { "variant" };
            let expected = format!("{kind} index 0 <= i < {}", names.len());
            (
                kind,
                format!(
                    "::core::result::Result::Err(::serde::de::Error::invalid_value(\
                     ::serde::de::Unexpected::Unsigned(__value), &{expected:?}))"
                ),
                format!("::core::result::Result::Err(::serde::de::Error::unknown_{kind}(__value, __FIELDS))"),
            )
        }
    };
    let expecting = format!("{kind} identifier");
    format!(
        "const __FIELDS: &'static [&'static str] = &[{all}]; \
         enum __Field {{ {variants} }} \
         struct __FieldVisitor; \
         impl<'de> ::serde::de::Visitor<'de> for __FieldVisitor {{ type Value = __Field; \
         fn expecting(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result \
         {{ ::core::fmt::Formatter::write_str(__f, {expecting:?}) }} \
         fn visit_u64<__E: ::serde::de::Error>(self, __value: u64) -> ::core::result::Result<__Field, __E> \
         {{ match __value {{ {by_number} _ => {number} }} }} \
         fn visit_str<__E: ::serde::de::Error>(self, __value: &str) -> ::core::result::Result<__Field, __E> \
         {{ match __value {{ {by_name} _ => {name} }} }} \
         fn visit_bytes<__E: ::serde::de::Error>(self, __value: &[u8]) -> ::core::result::Result<__Field, __E> \
         {{ ::serde::de::Visitor::visit_str(self, &::std::string::String::from_utf8_lossy(__value)) }} }} \
         impl<'de> ::serde::Deserialize<'de> for __Field {{ \
         fn deserialize<__D: ::serde::Deserializer<'de>>(__deserializer: __D) \
         -> ::core::result::Result<Self, __D::Error> \
         {{ ::serde::Deserializer::deserialize_identifier(__deserializer, __FieldVisitor) }} }}"
    )
}

/// What a field without a value is read from: nothing for an `Option`, an error for anything else.
const MISSING: &str = "struct __Missing<__E>(&'static str, ::core::marker::PhantomData<__E>); \
    impl<'de, __E: ::serde::de::Error> ::serde::Deserializer<'de> for __Missing<__E> { type Error = __E; \
    fn deserialize_any<__V: ::serde::de::Visitor<'de>>(self, _: __V) -> ::core::result::Result<__V::Value, __E> \
    { ::core::result::Result::Err(::serde::de::Error::missing_field(self.0)) } \
    fn deserialize_option<__V: ::serde::de::Visitor<'de>>(self, __visitor: __V) -> ::core::result::Result<__V::Value, __E> \
    { ::serde::de::Visitor::visit_none(__visitor) } \
    ::serde::forward_to_deserialize_any! { bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes \
    byte_buf unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any } }";

/// Whether a type is an `Option`, as far as its name tells.
fn is_optional(field: &Field<'_>) -> Option<bool> {
    const OTHERS: [&str; 26] = [
        "bool",
        "char",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "f32",
        "f64",
        "String",
        "PathBuf",
        "Vec",
        "HashMap",
        "BTreeMap",
        "HashSet",
        "BTreeSet",
        "VecDeque",
        "Duration",
        "SocketAddr",
    ];
    let open = field.ty.iter().position(|it| it.is_punct('<')).unwrap_or(field.ty.len());
    let name = field.ty[..open].last()?;
    if name.is_ident("Option") {
        return Some(true);
    }
    OTHERS.iter().any(|it| name.is_ident(it)).then_some(false)
}
