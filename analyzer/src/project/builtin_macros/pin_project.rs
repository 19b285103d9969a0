//! pin-project: `#[pin_project]` gives a type projections of its fields, `#[pinned_drop]` a destructor that sees it
//! pinned.

use super::{
    Call,
    functions::expressions,
    read::{Adt, Field, Variant, adt, attribute},
    tokens::{Quote, TokenBuilder, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// A kind of projection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mutable,
    Shared,
    /// The old value, when another replaces it.
    Owned,
}

/// The arguments of the attribute.
#[derive(Default)]
struct Arguments {
    project: Option<String>,
    project_ref: Option<String>,
    /// The name, if one is given.
    project_replace: Option<Option<String>>,
    has_drop: bool,
    /// `UnsafeUnpin`, which the user implements, or `!Unpin`.
    has_no_unpin: Option<&'static str>,
}

fn arguments(args: &[Tree<'_>]) -> Result<Arguments, String> {
    let mut read = Arguments::default();
    for part in expressions(args) {
        let value = match part {
            [_, equals, value] if equals.is_punct('=') => Some(value.written().ok_or("a name")?),
            _ => None,
        };
        match part {
            [name, ..] if name.is_ident("project") => read.project = value,
            [name, ..] if name.is_ident("project_ref") => read.project_ref = value,
            [name, ..] if name.is_ident("project_replace") => read.project_replace = Some(value),
            [name] if name.is_ident("PinnedDrop") => read.has_drop = true,
            [name] if name.is_ident("UnsafeUnpin") => read.has_no_unpin = Some("::pin_project::UnsafeUnpin"),
            [not, _] if not.is_punct('!') => read.has_no_unpin = Some(""),
            _ => return Err("an argument".to_owned()),
        }
    }
    Ok(read)
}

fn is_pinned(field: &Field<'_>) -> bool {
    attribute(&field.attributes, "pin").is_some()
}

/// The conditions of a field, for where it is repeated.
fn conditions<'a>(field: &Field<'a>, quote: &mut Quote<'a>) -> String {
    let conditions = field.attributes.iter().filter(|it| it[0].is_ident("cfg"));
    conditions.map(|it| format!("#[{}]", quote.of(it))).collect()
}

/// The type of a projection, with the fields of a variant.
fn fields<'a>(variant: &Variant<'a>, kind: Kind, quote: &mut Quote<'a>) -> String {
    let field = |field: &Field<'a>| {
        let (conditions, ty) = (conditions(field, quote), quote.of(&field.ty));
        let ty = match (kind, is_pinned(field)) {
            (Kind::Mutable, true) => format!("::core::pin::Pin<&'__pin mut ({ty})>"),
            (Kind::Mutable, false) => format!("&'__pin mut ({ty})"),
            (Kind::Shared, true) => format!("::core::pin::Pin<&'__pin ({ty})>"),
            (Kind::Shared, false) => format!("&'__pin ({ty})"),
            (Kind::Owned, true) => format!("::core::marker::PhantomData<{ty}>"),
            (Kind::Owned, false) => ty,
        };
        let name = field.name.as_ref().and_then(Tree::written).map(|it| format!("{it}:")).unwrap_or_default();
        format!("{conditions} {name} {ty},")
    };
    let fields: String = variant.fields.iter().map(field).collect();
    match (variant.is_record, variant.is_unit) {
        (true, _) => format!("{{ {fields} }}"),
        (false, true) => String::new(),
        (false, false) => format!("({fields})"),
    }
}

/// The arm that projects a variant.
fn arm<'a>(path: &str, target: &str, variant: &Variant<'a>, kind: Kind, quote: &mut Quote<'a>) -> String {
    let (mut pattern, mut value, mut dropped) = (String::new(), String::new(), String::new());
    for (index, field) in variant.fields.iter().enumerate() {
        let conditions = conditions(field, quote);
        let key = field.key(index);
        pattern += &format!("{conditions} {key}: __field_{index},");
        let projected = match (kind, is_pinned(field)) {
            (Kind::Owned, true) => "::core::marker::PhantomData".to_owned(),
            (Kind::Owned, false) => format!("::core::ptr::read(__field_{index})"),
            (_, true) => format!("::core::pin::Pin::new_unchecked(__field_{index})"),
            (_, false) => format!("__field_{index}"),
        };
        value += &format!("{conditions} {key}: {projected},");
        if kind == Kind::Owned && is_pinned(field) {
            dropped += &format!("{conditions} {{ ::core::ptr::drop_in_place(__field_{index}); }}");
        }
    }
    match kind {
        Kind::Owned => {
            format!("{path} {{ {pattern} }} => {{ let __result = {target} {{ {value} }}; {dropped} __result }}")
        }
        _ => format!("{path} {{ {pattern} }} => {target} {{ {value} }},"),
    }
}

/// The type of a projection and the method that makes it.
fn projection<'a>(adt: &Adt<'a>, name: &str, kind: Kind, quote: &mut Quote<'a>) -> String {
    let (mut variants, mut arms) = (String::new(), String::new());
    for variant in &adt.variants {
        let own = fields(variant, kind, quote);
        let path = adt.path(variant, quote);
        let variant_name = quote.of(std::slice::from_ref(&variant.name));
        let target = if adt.is_enum { format!("{name}::{variant_name}") } else { name.to_owned() };
        if adt.is_enum {
            variants += &format!("{variant_name} {own},");
        } else {
            variants = own;
        }
        arms += &arm(&path, &target, variant, kind, quote);
    }
    let lifetime = if kind == Kind::Owned { "" } else { "'__pin," };
    let declared = format!("<{lifetime} __params>");
    let is_tuple = !adt.is_enum && !adt.variants[0].is_record;
    let item = match (adt.is_enum, is_tuple) {
        (true, _) => format!("enum {name}{declared} where __own {{ {variants} }}"),
        (false, false) => format!("struct {name}{declared} where __own {variants}"),
        (false, true) => format!("struct {name}{declared} {variants} where __own ;"),
    };
    let lifetime = if kind == Kind::Owned { "" } else { "'__pin," };
    let arguments = format!("<{lifetime} __arguments>");
    let method = match kind {
        Kind::Mutable => format!(
            "fn project<'__pin>(self: ::core::pin::Pin<&'__pin mut Self>) -> {name}{arguments} \
             {{ unsafe {{ match self.get_unchecked_mut() {{ {arms} }} }} }}"
        ),
        Kind::Shared => format!(
            "fn project_ref<'__pin>(self: ::core::pin::Pin<&'__pin Self>) -> {name}{arguments} \
             {{ unsafe {{ match self.get_ref() {{ {arms} }} }} }}"
        ),
        Kind::Owned => format!(
            "fn project_replace(self: ::core::pin::Pin<&mut Self>, __replacement: Self) -> {name}{arguments} \
             {{ unsafe {{ let __place: *mut Self = self.get_unchecked_mut(); \
             let __old = match &mut *__place {{ {arms} }}; \
             ::core::ptr::write(__place, __replacement); __old }} }}"
        ),
    };
    format!("{item} __impl __type where __own {{ pub {method} }}")
}

pub(super) fn pin_project(call: &Call<'_>) -> Result<TopSubtree, String> {
    let args = arguments(&trees(call.args))?;
    let item = trees(call.item);
    let adt = adt(&item)?;
    let name = adt.name.ident().unwrap_or_default();
    let mut quote = Quote::default();
    let mut text = String::new();
    let replaced = args.project_replace.is_some();
    let kinds = [
        (Kind::Mutable, true, args.project, "Projection"),
        (Kind::Shared, true, args.project_ref, "ProjectionRef"),
        (Kind::Owned, replaced, args.project_replace.flatten(), "ProjectionOwned"),
    ];
    for (kind, is_wanted, given, suffix) in kinds {
        // An enum without a name for its projection has none.
        if is_wanted && (given.is_some() || !adt.is_enum) {
            let given = given.unwrap_or_else(|| format!("__{name}{suffix}"));
            text += &projection(&adt, &given, kind, &mut quote);
        }
    }
    let pinned = adt.variants.iter().flat_map(|it| &it.fields).filter(|it| is_pinned(it));
    let bounds = match args.has_no_unpin {
        Some("") => "::core::marker::PhantomPinned: ::core::marker::Unpin,".to_owned(),
        Some(bound) => format!("Self: {bound},"),
        None => pinned.map(|it| format!("{}: ::core::marker::Unpin,", quote.of(&it.ty))).collect(),
    };
    text += &format!("__impl ::core::marker::Unpin for __type where __own {bounds} {{}}");
    if args.has_drop {
        text += "__impl ::core::ops::Drop for __type where __own { fn drop(&mut self) { unsafe { \
                 ::pin_project::__private::PinnedDrop::drop(::core::pin::Pin::new_unchecked(self)) } } }";
    }
    let text = format!("{} {}", quote.of(&item), adt.filled(&text, &mut quote));
    Ok(quote.made(adt.name.span(), &text))
}

/// Implements the trait under its real name, in which `drop` is unsafe.
pub(super) fn pinned_drop(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let (body, head) = item.split_last().ok_or("no impl")?;
    let Tree::Group(group, inside) = body else { return Err("no impl".to_owned()) };
    let at = head.iter().rposition(|it| it.is_ident("PinnedDrop")).ok_or("another trait")?;
    let start = (0..at).rev().take_while(|&it| head[it].is_punct(':') || head[it].is_ident("pin_project")).last();
    let inside = trees(*inside);
    let function = inside.iter().position(|it| it.is_ident("fn")).ok_or("no function")?;
    if group.delimiter.kind != DelimiterKind::Brace {
        return Err("no impl".to_owned());
    }
    let mut maker = TokenBuilder::new(head[at].span());
    maker.keep(&head[..start.unwrap_or(at)]);
    maker.add("::pin_project::__private::PinnedDrop", &[]);
    maker.keep(&head[at + 1..]);
    maker.within(group, |maker| {
        maker.keep(&inside[..function]);
        maker.add("unsafe", &[]);
        maker.keep(&inside[function..]);
    });
    Ok(maker.made())
}
