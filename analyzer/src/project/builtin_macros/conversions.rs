//! Derives of derive_more that convert and compute.

use super::{
    Call,
    case::converted,
    functions::expressions,
    read::{Adt, Field, Variant, with},
    tokens::{Quote, Tree},
};
use ra_ap_tt::TopSubtree;

/// The contents of the attribute of this name; empty if it has none.
fn inside<'a>(attributes: &[Vec<Tree<'a>>], name: &str) -> Option<Vec<Tree<'a>>> {
    super::read::attribute(attributes, name)
}

/// The only variant of a struct.
fn the_struct<'t, 'a>(adt: &'t Adt<'a>) -> Result<&'t Variant<'a>, String> {
    if adt.is_enum { Err("an enum".to_owned()) } else { Ok(&adt.variants[0]) }
}

/// The field that a derive is about: the one with the attribute, or the only one that does not say no.
fn the_field<'t, 'a>(variant: &'t Variant<'a>, name: &str) -> Result<(usize, &'t Field<'a>), String> {
    let says = |it: &Field<'a>, word: &str| {
        inside(&it.attributes, name).is_some_and(|it| it.first().is_some_and(|it| it.is_ident(word)))
    };
    let fields = || variant.fields.iter().enumerate().filter(|(_, it)| !says(it, "ignore") && !says(it, "skip"));
    let chosen = fields().find(|(_, it)| inside(&it.attributes, name).is_some());
    match (chosen, fields().count()) {
        (Some(chosen), _) => Ok(chosen),
        (None, 1) => fields().next().ok_or_else(|| "no field".to_owned()),
        _ => Err("several fields".to_owned()),
    }
}

fn is_forwarded(attributes: &[Vec<Tree<'_>>], name: &str) -> bool {
    inside(attributes, name).is_some_and(|it| it.first().is_some_and(|it| it.is_ident("forward")))
}

/// `(value, …)` of a variant, with values for its fields.
fn built<'a>(path: &str, variant: &Variant<'a>, value: impl Fn(usize) -> String) -> String {
    let fields: String =
        (0..variant.fields.len()).map(|it| format!("{}: {},", variant.fields[it].key(it), value(it))).collect();
    format!("{path} {{ {fields} }}")
}

pub(super) fn from(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        fn says<'a>(variant: &Variant<'a>) -> Option<Vec<Tree<'a>>> {
            inside(&variant.attributes, "from")
        }
        let is_skipped = |it: &Variant<'_>| {
            says(it).is_some_and(|it| it.first().is_some_and(|it| it.is_ident("skip") || it.is_ident("ignore")))
        };
        let has_explicit = adt.is_enum && adt.variants.iter().any(|it| says(it).is_some() && !is_skipped(it));
        let mut impls = String::new();
        for variant in &adt.variants {
            let own = if adt.is_enum { says(variant) } else { inside(&adt.attributes, "from") };
            if adt.is_enum
                && (is_skipped(variant) || has_explicit && own.is_none() || own.is_none() && variant.fields.is_empty())
            {
                continue;
            }
            if variant.fields.iter().any(|it| inside(&it.attributes, "from").is_some()) {
                return Err("an attribute of a field".to_owned());
            }
            let path = adt.path(variant, quote);
            let types: Vec<String> = variant.fields.iter().map(|it| quote.of(&it.ty)).collect();
            let tuple = match types.as_slice() {
                [only] => only.clone(),
                all => format!("({})", all.iter().map(|it| format!("{it},")).collect::<String>()),
            };
            let access =
                |index: usize| if types.len() == 1 { "__value".to_owned() } else { format!("__value.{index}") };
            match own.unwrap_or_default().as_slice() {
                [] => {
                    let value = built(&path, variant, access);
                    impls += &format!(
                        "__impl ::core::convert::From<{tuple}> for __type where __own {{ \
                         fn from(__value: {tuple}) -> Self {{ {value} }} }}"
                    );
                }
                [word, ..] if word.is_ident("forward") => {
                    let parameters: String = (0..types.len()).map(|it| format!("__From{it},")).collect();
                    let bounds: String = types
                        .iter()
                        .enumerate()
                        .map(|(it, ty)| format!("{ty}: ::core::convert::From<__From{it}>,"))
                        .collect();
                    let tuple = if types.len() == 1 { "__From0".to_owned() } else { format!("({parameters})") };
                    let value = built(&path, variant, |it| format!("::core::convert::From::from({})", access(it)));
                    impls += &format!(
                        "impl<__params {parameters}> ::core::convert::From<{tuple}> for __type where __own {bounds} {{ \
                         fn from(__value: {tuple}) -> Self {{ {value} }} }}"
                    );
                }
                list => {
                    for ty in expressions(list) {
                        let ty = quote.of(ty);
                        let value = built(&path, variant, |it| format!("::core::convert::From::from({})", access(it)));
                        impls += &format!(
                            "__impl ::core::convert::From<{ty}> for __type where __own {{ \
                             fn from(__value: {ty}) -> Self {{ {value} }} }}"
                        );
                    }
                }
            }
        }
        Ok(impls)
    })
}

pub(super) fn into(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        if variant.fields.iter().any(|it| inside(&it.attributes, "into").is_some()) {
            return Err("an attribute of a field".to_owned());
        }
        let types: Vec<String> = variant.fields.iter().map(|it| quote.of(&it.ty)).collect();
        let values: Vec<String> =
            (0..types.len()).map(|it| format!("__value.{}", variant.fields[it].key(it))).collect();
        let whole = |parts: &[String]| match parts {
            [only] => only.clone(),
            all => format!("({})", all.iter().map(|it| format!("{it},")).collect::<String>()),
        };
        let mut wanted = Vec::new();
        for ty in expressions(&inside(&adt.attributes, "into").unwrap_or_default()) {
            if ty.iter().any(|it| it.is_ident("owned") || it.is_ident("ref") || it.is_ident("ref_mut")) {
                return Err("a reference".to_owned());
            }
            wanted.push(quote.of(ty));
        }
        if wanted.is_empty() {
            let (ty, value) = (whole(&types), whole(&values));
            return Ok(format!(
                "__impl ::core::convert::From<__type> for {ty} where __own {{ fn from(__value: __type) -> {ty} {{ {value} }} }}"
            ));
        }
        if types.len() != 1 {
            return Err("several fields".to_owned());
        }
        let conversion = |ty: &String| {
            format!(
                "__impl ::core::convert::From<__type> for {ty} where __own {{ \
                 fn from(__value: __type) -> {ty} {{ ::core::convert::From::from({}) }} }}",
                values[0]
            )
        };
        Ok(wanted.iter().map(conversion).collect())
    })
}

pub(super) fn deref(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (index, field) = the_field(the_struct(adt)?, "deref")?;
        let (key, ty) = (field.key(index), quote.of(&field.ty));
        let forwards = is_forwarded(&field.attributes, "deref") || is_forwarded(&adt.attributes, "deref");
        let (target, value, bound) = match forwards {
            true => (
                format!("<{ty} as ::core::ops::Deref>::Target"),
                format!("::core::ops::Deref::deref(&self.{key})"),
                format!("{ty}: ::core::ops::Deref,"),
            ),
            false => (ty, format!("&self.{key}"), String::new()),
        };
        Ok(format!(
            "__impl ::core::ops::Deref for __type where __own {bound} {{ type Target = {target}; \
             fn deref(&self) -> &Self::Target {{ {value} }} }}"
        ))
    })
}

pub(super) fn deref_mut(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (index, field) = the_field(the_struct(adt)?, "deref_mut")?;
        let (key, ty) = (field.key(index), quote.of(&field.ty));
        let forwards = is_forwarded(&field.attributes, "deref_mut") || is_forwarded(&adt.attributes, "deref_mut");
        let (value, bound) = match forwards {
            true => {
                (format!("::core::ops::DerefMut::deref_mut(&mut self.{key})"), format!("{ty}: ::core::ops::DerefMut,"))
            }
            false => (format!("&mut self.{key}"), String::new()),
        };
        Ok(format!(
            "__impl ::core::ops::DerefMut for __type where __own {bound} {{ \
             fn deref_mut(&mut self) -> &mut Self::Target {{ {value} }} }}"
        ))
    })
}

/// `AsRef` or `AsMut`.
fn as_reference(call: &Call<'_>, name: &str, path: &str, method: &str, mutable: &str) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        let has_marks = variant.fields.iter().any(|it| inside(&it.attributes, name).is_some());
        let of_type = inside(&adt.attributes, name).unwrap_or_default();
        if !has_marks && variant.fields.len() != 1 {
            return Err("several fields".to_owned());
        }
        let mut impls = String::new();
        for (index, field) in variant.fields.iter().enumerate() {
            let own = inside(&field.attributes, name);
            if has_marks && own.is_none() {
                continue;
            }
            let own = own.filter(|it| !it.is_empty()).unwrap_or_else(|| of_type.clone());
            let (key, ty) = (field.key(index), quote.of(&field.ty));
            match own.as_slice() {
                [] => {
                    impls += &format!(
                        "__impl {path}<{ty}> for __type where __own {{ \
                         fn {method}(&{mutable} self) -> &{mutable} {ty} {{ &{mutable} self.{key} }} }}"
                    );
                }
                [word] if word.is_ident("skip") || word.is_ident("ignore") => {}
                [word] if word.is_ident("forward") => {
                    impls += &format!(
                        "impl<__params __T: ?::core::marker::Sized> {path}<__T> for __type where __own {ty}: {path}<__T> {{ \
                         fn {method}(&{mutable} self) -> &{mutable} __T {{ {path}::{method}(&{mutable} self.{key}) }} }}"
                    );
                }
                list => {
                    for target in expressions(list) {
                        let is_same = super::tokens::text_of(target) == super::tokens::text_of(&field.ty);
                        let target = quote.of(target);
                        let value = match is_same {
                            true => format!("&{mutable} self.{key}"),
                            false => format!("{path}::{method}(&{mutable} self.{key})"),
                        };
                        impls += &format!(
                            "__impl {path}<{target}> for __type where __own {{ \
                             fn {method}(&{mutable} self) -> &{mutable} {target} {{ {value} }} }}"
                        );
                    }
                }
            }
        }
        Ok(impls)
    })
}

pub(super) fn as_ref(call: &Call<'_>) -> Result<TopSubtree, String> {
    as_reference(call, "as_ref", "::core::convert::AsRef", "as_ref", "")
}

pub(super) fn as_mut(call: &Call<'_>) -> Result<TopSubtree, String> {
    as_reference(call, "as_mut", "::core::convert::AsMut", "as_mut", "mut")
}

pub(super) fn constructor(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        let parameters: String = variant
            .fields
            .iter()
            .enumerate()
            .map(|(index, it)| format!("{}: {},", it.binding(index), quote.of(&it.ty)))
            .collect();
        let value = built("Self", variant, |it| variant.fields[it].binding(it));
        Ok(format!("__impl __type where __own {{ pub const fn new({parameters}) -> Self {{ {value} }} }}"))
    })
}

/// A name of a method for a variant.
fn snake(variant: &Variant<'_>) -> String {
    converted(variant.name.ident().unwrap_or_default(), "snake_case").unwrap_or_default()
}

fn is_ignored(variant: &Variant<'_>, name: &str) -> bool {
    inside(&variant.attributes, name)
        .is_some_and(|it| it.first().is_some_and(|it| it.is_ident("ignore") || it.is_ident("skip")))
}

pub(super) fn is_variant(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let mut methods = String::new();
        for variant in adt.variants.iter().filter(|it| adt.is_enum && !is_ignored(it, "is_variant")) {
            let (name, path) = (snake(variant), adt.path(variant, quote));
            methods += &format!(
                "pub const fn is_{name}(&self) -> bool {{ match *self {{ {path} {{ .. }} => true, \
                 _ => false }} }}"
            );
        }
        Ok(format!("__impl __type where __own {{ {methods} }}"))
    })
}

pub(super) fn unwrap(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        if inside(&adt.attributes, "unwrap").is_some() || adt.variants.iter().any(|it| it.is_record) {
            return Err("references or named fields".to_owned());
        }
        let ty = adt.name.ident().unwrap_or_default().to_owned();
        let mut methods = String::new();
        for variant in adt.variants.iter().filter(|it| adt.is_enum && !is_ignored(it, "unwrap")) {
            let name = snake(variant);
            let types: Vec<String> = variant.fields.iter().map(|it| quote.of(&it.ty)).collect();
            let list: Vec<String> = (0..types.len()).map(|it| format!("_{it}")).collect();
            let (types, value) = match types.len() {
                1 => (types[0].clone(), list[0].clone()),
                _ => (format!("({})", types.join(",")), format!("({})", list.join(","))),
            };
            let mut arms = String::new();
            for other in &adt.variants {
                let path = adt.path(other, quote);
                arms += &match std::ptr::eq(other, variant) {
                    true => {
                        let pattern: String = (0..other.fields.len()).map(|it| format!("{it}: _{it},")).collect();
                        format!("{path} {{ {pattern} }} => {value},")
                    }
                    false => format!(
                        "{path} {{ .. }} => ::core::panic!(\"called `{ty}::unwrap_{name}()` on a `{ty}::{}` value\"),",
                        other.name.ident().unwrap_or_default()
                    ),
                };
            }
            methods += &format!("#[track_caller] pub fn unwrap_{name}(self) -> {types} {{ match self {{ {arms} }} }}");
        }
        Ok(format!("__impl __type where __own {{ {methods} }}"))
    })
}

/// Bounds on the fields' types, where they contain parameters.
fn field_bounds<'a>(adt: &Adt<'a>, quote: &mut Quote<'a>, bound: impl Fn(&str) -> String) -> String {
    let fields = adt.variants.iter().flat_map(|it| &it.fields).filter(|it| adt.generics.occur_in(&it.ty));
    fields
        .map(|it| {
            let ty = quote.of(&it.ty);
            format!("{ty}: {},", bound(&ty))
        })
        .collect()
}

/// A binary operator, field by field.
fn operator(call: &Call<'_>, path: &str, method: &str) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        let bounds = field_bounds(adt, quote, |ty| format!("{path}<Output = {ty}>"));
        let value = built("Self", variant, |it| {
            let key = variant.fields[it].key(it);
            format!("{path}::{method}(self.{key}, __other.{key})")
        });
        Ok(format!(
            "__impl {path} for __type where __own {bounds} {{ type Output = Self; \
             fn {method}(self, __other: Self) -> Self {{ {value} }} }}"
        ))
    })
}

/// An operator that assigns, field by field.
fn assigning(call: &Call<'_>, path: &str, method: &str) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        let bounds = field_bounds(adt, quote, |_| path.to_owned());
        let field = |(index, it): (usize, &Field<'_>)| {
            let key = it.key(index);
            format!("{path}::{method}(&mut self.{key}, __other.{key});")
        };
        let fields: String = variant.fields.iter().enumerate().map(field).collect();
        Ok(format!(
            "__impl {path} for __type where __own {bounds} {{ fn {method}(&mut self, __other: Self) {{ {fields} }} }}"
        ))
    })
}

/// An operator with a number on the right, for a struct of one field.
fn scaling(call: &Call<'_>, path: &str, method: &str, assigns: bool) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        let [field] = variant.fields.as_slice() else { return Err("several fields".to_owned()) };
        let attribute = if assigns { "mul_assign" } else { "mul" };
        if inside(&adt.attributes, attribute).is_some() {
            return Err("`forward`".to_owned());
        }
        let (key, ty) = (field.key(0), quote.of(&field.ty));
        Ok(match assigns {
            true => format!(
                "impl<__params __Right> {path}<__Right> for __type where __own {ty}: {path}<__Right> {{ \
                 fn {method}(&mut self, __right: __Right) {{ {path}::{method}(&mut self.{key}, __right) }} }}"
            ),
            false => format!(
                "impl<__params __Right> {path}<__Right> for __type where __own {ty}: {path}<__Right, Output = {ty}> {{ \
                 type Output = Self; \
                 fn {method}(self, __right: __Right) -> Self {{ Self {{ {key}: {path}::{method}(self.{key}, __right) }} }} }}"
            ),
        })
    })
}

/// An operator with one operand.
fn unary(call: &Call<'_>, path: &str, method: &str) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        let bounds = field_bounds(adt, quote, |ty| format!("{path}<Output = {ty}>"));
        let value = built("Self", variant, |it| format!("{path}::{method}(self.{})", variant.fields[it].key(it)));
        Ok(format!(
            "__impl {path} for __type where __own {bounds} {{ type Output = Self; fn {method}(self) -> Self {{ {value} }} }}"
        ))
    })
}

macro_rules! operators {
    ($($name:ident $how:ident($($arg:expr),*);)*) => {
        $(pub(super) fn $name(call: &Call<'_>) -> Result<TopSubtree, String> {
            $how(call, $($arg),*)
        })*
    };
}

operators! {
    add operator("::core::ops::Add", "add");
    sub operator("::core::ops::Sub", "sub");
    bit_and operator("::core::ops::BitAnd", "bitand");
    bit_or operator("::core::ops::BitOr", "bitor");
    bit_xor operator("::core::ops::BitXor", "bitxor");
    add_assign assigning("::core::ops::AddAssign", "add_assign");
    sub_assign assigning("::core::ops::SubAssign", "sub_assign");
    bit_and_assign assigning("::core::ops::BitAndAssign", "bitand_assign");
    bit_or_assign assigning("::core::ops::BitOrAssign", "bitor_assign");
    bit_xor_assign assigning("::core::ops::BitXorAssign", "bitxor_assign");
    mul scaling("::core::ops::Mul", "mul", false);
    div scaling("::core::ops::Div", "div", false);
    rem scaling("::core::ops::Rem", "rem", false);
    mul_assign scaling("::core::ops::MulAssign", "mul_assign", true);
    div_assign scaling("::core::ops::DivAssign", "div_assign", true);
    rem_assign scaling("::core::ops::RemAssign", "rem_assign", true);
    not unary("::core::ops::Not", "not");
    neg unary("::core::ops::Neg", "neg");
}

pub(super) fn sum(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        let types: Vec<String> = variant.fields.iter().map(|it| quote.of(&it.ty)).collect();
        let zero = built("Self", variant, |it| {
            let ty = &types[it];
            format!("<{ty} as ::core::iter::Sum<{ty}>>::sum(::core::iter::empty::<{ty}>())")
        });
        Ok(format!(
            "__impl ::core::iter::Sum for __type where __own {{ \
             fn sum<__I: ::core::iter::Iterator<Item = Self>>(__iter: __I) -> Self \
             {{ __iter.fold({zero}, ::core::ops::Add::add) }} }}"
        ))
    })
}

pub(super) fn index(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (index, field) = the_field(the_struct(adt)?, "index")?;
        let (key, ty) = (field.key(index), quote.of(&field.ty));
        Ok(format!(
            "impl<__params __Index> ::core::ops::Index<__Index> for __type where __own {ty}: ::core::ops::Index<__Index> {{ \
             type Output = <{ty} as ::core::ops::Index<__Index>>::Output; \
             fn index(&self, __index: __Index) -> &Self::Output {{ ::core::ops::Index::index(&self.{key}, __index) }} }}"
        ))
    })
}

pub(super) fn index_mut(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (index, field) = the_field(the_struct(adt)?, "index_mut")?;
        let (key, ty) = (field.key(index), quote.of(&field.ty));
        Ok(format!(
            "impl<__params __Index> ::core::ops::IndexMut<__Index> for __type where __own {ty}: ::core::ops::IndexMut<__Index> {{ \
             fn index_mut(&mut self, __index: __Index) -> &mut Self::Output \
             {{ ::core::ops::IndexMut::index_mut(&mut self.{key}, __index) }} }}"
        ))
    })
}

pub(super) fn into_iterator(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (index, field) = the_field(the_struct(adt)?, "into_iterator")?;
        let (key, ty) = (field.key(index), quote.of(&field.ty));
        let said = inside(&field.attributes, "into_iterator").filter(|it| !it.is_empty());
        let said = said.or_else(|| inside(&adt.attributes, "into_iterator")).unwrap_or_default();
        let forms: Vec<&[Tree<'_>]> = expressions(&said);
        let has = |name: &str| forms.iter().any(|it| matches!(it, [only] if only.is_ident(name)));
        if forms.iter().any(|it| it.len() > 1) {
            return Err("an argument".to_owned());
        }
        let mut impls = String::new();
        for (name, reference, lifetime) in
            [("owned", "", ""), ("ref", "&'__a", "'__a,"), ("ref_mut", "&'__a mut", "'__a,")]
        {
            if has(name) || name == "owned" && forms.is_empty() {
                let borrowed = reference.replace("'__a", "");
                impls += &format!(
                    "impl<{lifetime} __params> ::core::iter::IntoIterator for {reference} __type where __own \
                     {reference} {ty}: ::core::iter::IntoIterator {{ \
                     type Item = <{reference} {ty} as ::core::iter::IntoIterator>::Item; \
                     type IntoIter = <{reference} {ty} as ::core::iter::IntoIterator>::IntoIter; \
                     fn into_iter(self) -> Self::IntoIter {{ ::core::iter::IntoIterator::into_iter({borrowed} self.{key}) }} }}"
                );
            }
        }
        Ok(impls)
    })
}

pub(super) fn from_str(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let variant = the_struct(adt)?;
        let [field] = variant.fields.as_slice() else { return Err("several fields".to_owned()) };
        let (key, ty) = (field.key(0), quote.of(&field.ty));
        Ok(format!(
            "__impl ::core::str::FromStr for __type where __own {ty}: ::core::str::FromStr {{ \
             type Err = <{ty} as ::core::str::FromStr>::Err; \
             fn from_str(__text: &str) -> ::core::result::Result<Self, Self::Err> \
             {{ ::core::result::Result::Ok(Self {{ {key}: ::core::str::FromStr::from_str(__text)? }}) }} }}"
        ))
    })
}

/// `derive_more::Error`: the source is the field that says so, is named so, or is the only one of a tuple.
pub(super) fn error(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let mut arms = String::new();
        let mut bounds = String::new();
        for variant in &adt.variants {
            let says = |it: &Field<'_>, word: &str| {
                let inside = inside(&it.attributes, "error").unwrap_or_default();
                let position = inside.iter().position(|it| it.is_ident(word))?;
                Some(!(position > 0 && inside[position - 1].is_ident("not")))
            };
            let negated = |it: &Field<'_>| {
                let inside = inside(&it.attributes, "error").unwrap_or_default();
                inside.first().is_some_and(|it| it.is_ident("not"))
                    || inside.first().is_some_and(|it| it.is_ident("ignore"))
            };
            let fields = || variant.fields.iter().enumerate().filter(|(_, it)| !negated(it));
            let is_backtrace = |it: &Field<'_>| it.ty.last().is_some_and(|it| it.is_ident("Backtrace"));
            let source = fields()
                .find(|(_, it)| says(it, "source") == Some(true))
                .or_else(|| fields().find(|(_, it)| it.name.as_ref().is_some_and(|it| it.is_ident("source"))))
                .or_else(|| {
                    let plain: Vec<_> = fields().filter(|(_, it)| !is_backtrace(it)).collect();
                    (!variant.is_record && plain.len() == 1 && variant.fields.len() - plain.len() < 2).then(|| plain[0])
                });
            let path = adt.path(variant, quote);
            arms += &match source {
                None => format!("{path} {{ .. }} => ::core::option::Option::None,"),
                Some((index, field)) => {
                    if adt.generics.occur_in(&field.ty) {
                        bounds += &format!("{}: ::std::error::Error + 'static,", quote.of(&field.ty));
                    }
                    if field.ty.iter().any(|it| it.is_ident("Option")) {
                        return Err("a source that may be missing".to_owned());
                    }
                    let is_boxed = field.ty.iter().any(|it| it.is_ident("dyn"));
                    let value = if is_boxed { "&**__source" } else { "__source" };
                    format!(
                        "{path} {{ {}: ref __source, .. }} => ::core::option::Option::Some({value}),",
                        field.key(index)
                    )
                }
            };
        }
        if adt.generics.has_types() {
            bounds += "Self: ::core::fmt::Debug + ::core::fmt::Display,";
        }
        Ok(format!(
            "__impl ::std::error::Error for __type where __own {bounds} {{ \
             fn source(&self) -> ::core::option::Option<&(dyn ::std::error::Error + 'static)> {{ match *self {{ {arms} }} }} }}"
        ))
    })
}
