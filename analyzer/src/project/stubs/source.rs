//! The source of a stub.

use super::{
    STUB,
    paths::{PathRewriter, name, param_names},
};
use crate::{harness, project::Project, rules};
use hir::{Adt, AssocItem, Crate, Function, HasSource as _, Name, Trait, Type};
use hir_def::{ModuleId, TraitId, nameres::crate_def_map, resolver::HasResolver as _};
use hir_ty::method_resolution::TraitImpls;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_hir_expand::mod_path::{ModPath, PathKind};
use ra_ap_span::Edition;
use ra_ap_syntax::{
    AstNode, SyntaxKind, SyntaxNode,
    ast::{self, HasGenericParams as _, HasName as _, HasTypeBounds as _},
};

/// Traits of std that the stub has.
const OF_STD: [&str; 17] = [
    "Any",
    "Clone",
    "Debug",
    "Default",
    "Display",
    "Eq",
    "Error",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "RefUnwindSafe",
    "Send",
    "Sized",
    "Sync",
    "Unpin",
    "UnwindSafe",
];

/// The type itself.
pub(super) const TYPE: &str = "\
use ::std::__harness as made;

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stub(pub u32);
impl ::std::fmt::Display for Stub {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result { f.write_str(\"stub\") }
}
impl ::std::error::Error for Stub {}
";

/// An implementation, and the traits that it needs.
struct Implementation {
    of: Trait,
    needs: Vec<Trait>,
    text: String,
}

/// The source of the stub of a library; empty if there is nothing to implement.
pub(super) fn of(project: &Project, library: Crate, stubs: Crate) -> String {
    let db = &project.db;
    let to = crate_def_map(db, stubs.into()).root_module_id();
    let mut known: Vec<Implementation> = Vec::new();
    for id in harness::public_traits(db, library.into()) {
        if known.iter().all(|it| it.of != id.into()) {
            known.extend(implementation(project, id, to));
        }
    }
    // An implementation whose supertraits cannot be implemented makes others impossible.
    loop {
        let count = known.len();
        let of: Vec<Trait> = known.iter().map(|it| it.of).collect();
        known.retain(|it| it.needs.iter().all(|needed| of.contains(needed)));
        if known.len() == count {
            break;
        }
    }
    match known.is_empty() {
        true => String::new(),
        false => known.iter().fold(TYPE.to_owned(), |text, it| text + &it.text),
    }
}

/// Traits with a contract that the compiler does not check are left out, and those that are implemented for all types
/// with certain bounds.
fn implementation(project: &Project, id: TraitId, to: ModuleId) -> Option<Implementation> {
    let db = &project.db;
    let of = Trait::from(id);
    if of.is_unsafe(db) || of.is_auto(db) || is_blanket(project, id) {
        return None;
    }
    let mut needs = Vec::new();
    for needed in of.direct_supertraits(db) {
        needs.extend(missing(project, needed)?);
    }
    let source = of.source(db)?.value;
    let scope = id.resolver(db);
    let params = param_names(source.generic_param_list().as_ref());
    let rewriter = PathRewriter { db, scope: &scope, to, params };
    let generics = generics_of(source.generic_param_list().as_ref(), &rewriter)?;
    let bounds = match source.where_clause() {
        Some(clause) if !names_self(clause.syntax()) => rewriter.rewrite(clause.syntax())?,
        _ => String::new(),
    };
    let bounds = spaced(bounds);
    let args = match &rewriter.params[..] {
        [] => String::new(),
        params => format!("<{}>", params.join(", ")),
    };
    let path = rewriter.path_to(id.into())?;
    let is_quiet = rules::warns_of_callbacks(project.docs_of_trait(id), &[]);
    let mut items = String::new();
    for item in of.items(db) {
        match item {
            AssocItem::Function(it) if it.has_body(db) => {}
            AssocItem::Function(it) => items += &function(project, it, &rewriter, is_quiet)?,
            AssocItem::Const(it) if it.value(db).is_some() => {}
            AssocItem::Const(it) => {
                let ty = rewriter.rewrite(it.source(db)?.value.ty()?.syntax())?;
                let value = match ty.trim() {
                    "bool" => "true",
                    "usize" | "u8" | "u16" | "u32" | "u64" | "i32" | "i64" | "isize" => "1",
                    "& str" | "& 'static str" => "\"stub\"",
                    _ => return None,
                };
                items += &format!("    const {}: {ty} = {value};\n", it.name(db)?.display(db, Edition::CURRENT));
            }
            AssocItem::TypeAlias(it) => {
                let source = it.source(db)?.value;
                if source.ty().is_some() {
                    continue;
                }
                let (ty, further) = associated_type(project, &source, &scope)?;
                needs.extend(further);
                items += &format!("    type {} = {ty};\n", it.name(db).display(db, Edition::CURRENT));
            }
        }
    }
    needs.sort_unstable_by_key(|it| TraitId::from(*it));
    needs.dedup();
    let text = format!("\nimpl{generics} {path}{args} for {STUB}{bounds} {{\n{items}}}\n");
    Some(Implementation { of, needs, text })
}

/// Whether a trait is implemented for a type parameter.
fn is_blanket(project: &Project, id: TraitId) -> bool {
    let db = &project.db;
    let krate = hir_def::HasModule::module(&id, db).krate(db);
    let mut found = false;
    TraitImpls::for_crate(db, krate).for_trait(id, |of| {
        let either::Either::Left(of) = of else { return };
        found |= of.iter().any(|it| hir::Impl::from(*it).self_ty(db).as_type_param(db).is_some());
    });
    found
}

/// The trait, if the stub still has to implement it; the outer `None` says that it cannot.
fn missing(project: &Project, of: Trait) -> Option<Option<Trait>> {
    let db = &project.db;
    let krate = of.module(db).krate(db);
    if project.is_std(krate) {
        return OF_STD.contains(&of.name(db).as_str()).then_some(None);
    }
    if is_blanket(project, of.into()) {
        return Some(None);
    }
    project.is_local(krate).then_some(Some(of))
}

/// The type for an associated type, and the traits that it has to implement.
fn associated_type(
    project: &Project,
    source: &ast::TypeAlias,
    scope: &hir_def::resolver::Resolver<'_>,
) -> Option<(&'static str, Vec<Trait>)> {
    if source.generic_param_list().is_some() {
        return None;
    }
    let mut needs = Vec::new();
    let bounds = source.type_bound_list().into_iter().flat_map(|list| list.bounds().collect::<Vec<_>>());
    let mut is_copied = false;
    for bound in bounds {
        let Some(ast::Type::PathType(ty)) = bound.ty() else { continue };
        let names: Vec<Name> = ty.path()?.segments().filter_map(|it| it.name_ref()).map(|it| name(&it.text())).collect();
        let path = ModPath::from_segments(PathKind::Plain, names);
        let def = scope.resolve_module_path_in_items(&project.db, &path).take_types()?;
        let hir_def::ModuleDefId::TraitId(id) = def else { return None };
        let of = Trait::from(id);
        if project.is_std(of.module(&project.db).krate(&project.db)) && of.name(&project.db).as_str() == "Copy" {
            is_copied = true;
            continue;
        }
        needs.extend(missing(project, of)?);
    }
    match (is_copied, needs.is_empty()) {
        (false, _) => Some((STUB, needs)),
        (true, true) => Some(("u32", needs)),
        (true, false) => None,
    }
}

/// A method that returns a made-up value.
fn function(project: &Project, of: Function, rewriter: &PathRewriter<'_>, is_quiet: bool) -> Option<String> {
    let db = &project.db;
    let source = of.source(db)?.value;
    if source.unsafe_token().is_some() {
        return None;
    }
    let own = param_names(source.generic_param_list().as_ref());
    let rewriter = PathRewriter { params: [&rewriter.params[..], &own].concat(), ..*rewriter };
    let part = |node: Option<&SyntaxNode>| node.map_or(Some(String::new()), |node| rewriter.rewrite(node));
    let generics = part(source.generic_param_list().as_ref().map(|it| it.syntax()))?;
    let params = part(source.param_list().as_ref().map(|it| it.syntax()))?;
    let output = part(source.ret_type().as_ref().map(|it| it.syntax()))?;
    let bounds = part(source.where_clause().as_ref().map(|it| it.syntax()))?;
    let name = of.name(db).display(db, Edition::CURRENT).to_string();
    let label = format!("what `{name}` of a stub returns");
    let body = body(project, of, &label)?;
    let of_docs = hir_def::FunctionId::try_from(of).map_or("", |id| project.docs(id));
    let calls_back = if is_quiet || rules::warns_of_callbacks(of_docs, &[]) {
        ""
    } else {
        "        made::act0();\n"
    };
    let keyword = if source.async_token().is_some() { "async " } else { "" };
    let (output, bounds) = (spaced(output), spaced(bounds));
    Some(format!(
        "    {keyword}fn {name}{generics}{params}{output}{bounds} {{\n{calls_back}        {body}\n    }}\n"
    ))
}

/// What a method returns.
fn body(project: &Project, of: Function, label: &str) -> Option<String> {
    let db = &project.db;
    if let Some(output) = of.async_ret_type(db) {
        return Some(later(&value(project, &output, label)?));
    }
    let output = of.ret_type(db);
    let is_pinned = output.as_adt().is_some_and(|it| it.name(db).as_str() == "Pin");
    if !is_pinned && output.as_impl_traits(db).is_none() {
        return value(project, &output, label);
    }
    let future = format!("async move {{\n        {}\n        }}", later(&value(project, &output.future_output(db)?, label)?));
    Some(if is_pinned { format!("::std::boxed::Box::pin({future})") } else { future })
}

/// A future that is not ready at once in some runs.
fn later(value: &str) -> String {
    format!("made::pause().await;\n        {value}")
}

/// An expression for a value of a type.
fn value(project: &Project, ty: &Type<'_>, label: &str) -> Option<String> {
    let db = &project.db;
    let of_std = |adt: &Adt, name: &str| project.is_std(adt.module(db).krate(db)) && adt.name(db).as_str() == name;
    if ty.is_unit() {
        return Some("()".to_owned());
    }
    if ty.is_never() || ty.as_impl_traits(db).is_some() {
        return None;
    }
    if let Some((inner, _)) = ty.as_reference() {
        if inner.is_str() {
            return (!ty.is_mutable_reference()).then(|| format!("made::text({label:?})"));
        }
        let is_sized = !inner.is_slice() && inner.as_dyn_trait().is_none();
        let inner = is_sized.then(|| value(project, &inner, label))??;
        return Some(format!("::std::boxed::Box::leak(::std::boxed::Box::new({inner}))"));
    }
    if let Some((adt, args)) = ty.as_adt_with_args() {
        if of_std(&adt, "Result") {
            let [Some(good), Some(bad)] = &args[..] else { return None };
            let (good, bad) = (value(project, good, label)?, value(project, bad, label)?);
            return Some(format!("if made::fails({label:?}) {{ Err({bad}) }} else {{ Ok({good}) }}"));
        }
        if of_std(&adt, "Option") {
            let [Some(inner)] = &args[..] else { return None };
            let inner = value(project, inner, label)?;
            return Some(format!("if made::fails({label:?}) {{ None }} else {{ Some({inner}) }}"));
        }
    }
    // A value that borrows has nothing to borrow from.
    let mut borrows = false;
    ty.walk(db, |part| {
        let of_adt = part.as_adt().is_some_and(|it| it.lifetime(db).is_some());
        borrows |= part.is_reference() || of_adt || part.as_dyn_trait().is_some();
    });
    (!borrows).then(|| format!("made::make({label:?})"))
}

/// The list of generic parameters as an impl has it: without defaults.
fn generics_of(list: Option<&ast::GenericParamList>, rewriter: &PathRewriter<'_>) -> Option<String> {
    let Some(list) = list else { return Some(String::new()) };
    let mut params = Vec::new();
    for param in list.generic_params() {
        params.push(match param {
            ast::GenericParam::TypeParam(it) => {
                let bounds = it.type_bound_list().map(|bounds| rewriter.rewrite(bounds.syntax()));
                let bounds = bounds.map_or(Some(String::new()), |bounds| Some(format!(": {}", bounds?)))?;
                format!("{}{bounds}", it.name()?.text())
            }
            ast::GenericParam::ConstParam(it) => {
                format!("const {}: {}", it.name()?.text(), rewriter.rewrite(it.ty()?.syntax())?)
            }
            ast::GenericParam::LifetimeParam(it) => it.syntax().text().to_string(),
        });
    }
    Some(format!("<{}>", params.join(", ")))
}

/// A part of a signature that follows others.
fn spaced(part: String) -> String {
    if part.is_empty() { part } else { format!(" {part}") }
}

fn names_self(node: &SyntaxNode) -> bool {
    node.descendants_with_tokens().any(|it| it.kind() == SyntaxKind::SELF_TYPE_KW)
}
