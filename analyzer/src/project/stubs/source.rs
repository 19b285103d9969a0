//! The source of a stub.

use super::{
    STUB,
    paths::{PathRewriter, name, param_names},
};
use crate::{
    crate_models::{self, CrateModels},
    harness,
    project::Project,
    rules,
    std_models::harness::STUBS_WAIT,
};
use hir::{Adt, AssocItem, Crate, Function, HasSource as _, Name, Trait, Type};
use hir_def::{
    FunctionId, ModuleDefId, ModuleId, TraitId,
    nameres::crate_def_map,
    resolver::{HasResolver as _, Resolver},
};
use hir_ty::{db::HirDatabase, method_resolution::TraitImpls};
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand::mod_path::{ModPath, PathKind};
use ra_ap_hir_ty as hir_ty;
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

/// The import that the methods of a stub use in harnesses.
const HELPERS: &str = "use ::std::__harness as made;\n\n";

/// The type itself.
const TYPE: &str = "\
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stub(pub u32);

impl ::std::fmt::Display for Stub {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(\"stub\")
    }
}

impl ::std::error::Error for Stub {}
";

/// A future that is not ready at once.
const NOT_READY: &str = "\
        let mut waits = true;
        ::std::future::poll_fn(|context| {
            context.waker().wake_by_ref();
            if ::std::mem::take(&mut waits) { ::std::task::Poll::Pending } else { ::std::task::Poll::Ready(()) }
        })
        .await;
";

/// Where the values come from that methods return.
#[derive(Clone, Copy)]
pub(super) enum Values<'a> {
    /// Helpers of harnesses make them.
    Made,
    /// They are written down, with the numbers of a run by their labels.
    Written(&'a dyn Fn(&str) -> u64),
}

/// An implementation, and the traits that it needs.
struct Implementation {
    of: Trait,
    needs: Vec<Trait>,
    text: String,
}

struct StubWriter<'a> {
    project: &'a Project,
    /// The module that the source is for.
    to: ModuleId,
    values: Values<'a>,
}

/// The source of the stub of a library; empty if there is nothing to implement.
pub(super) fn of(project: &Project, library: Crate, stubs: Crate, values: Values<'_>) -> String {
    let to = crate_def_map(&project.db, stubs.into()).root_module_id();
    let writer = StubWriter { project, to, values };
    let traits = harness::public_traits(&project.db, library.into());
    let mut known: Vec<Implementation> = traits.into_iter().filter_map(|id| writer.implementation(id)).collect();
    // An implementation whose supertraits cannot be implemented makes others impossible.
    loop {
        let count = known.len();
        let of: Vec<Trait> = known.iter().map(|it| it.of).collect();
        known.retain(|it| it.needs.iter().all(|needed| of.contains(needed)));
        if known.len() == count {
            break;
        }
    }
    let mut text = String::new();
    if !known.is_empty() {
        text += if matches!(values, Values::Made) { HELPERS } else { "" };
        text += TYPE;
    }
    text.extend(known.iter().map(|it| it.text.as_str()));
    text.extend(known_implementations(&project.db, library));
    text
}

/// The implementations that are known for traits of a library, or of those that it depends on.
fn known_implementations(db: &dyn HirDatabase, library: Crate) -> impl Iterator<Item = &'static str> {
    let of_dependencies = library.dependencies(db).into_iter().map(|it| it.krate);
    let crates: Vec<Crate> = std::iter::once(library).chain(of_dependencies).collect();
    let covers = move |models: &CrateModels| crates.iter().any(|krate| models.covers(db, (*krate).into()));
    crate_models::ALL.iter().filter(move |it| !it.implementations.is_empty() && covers(it)).map(|it| it.implementations)
}

impl StubWriter<'_> {
    /// Traits with a contract that the compiler does not check are left out, and those that are implemented for all types
    /// with certain bounds.
    fn implementation(&self, id: TraitId) -> Option<Implementation> {
        let db = &self.project.db;
        let of = Trait::from(id);
        if of.is_unsafe(db) || of.is_auto(db) || self.is_blanket(id) {
            return None;
        }
        let mut needs = Vec::new();
        for needed in of.direct_supertraits(db) {
            needs.extend(self.missing(needed)?);
        }
        let source = of.source(db)?.value;
        let scope = id.resolver(db);
        let params = param_names(source.generic_param_list().as_ref());
        let rewriter = PathRewriter { db, scope: &scope, to: self.to, params };
        let generics = generics_of(source.generic_param_list().as_ref(), &rewriter)?;
        let bounds = match source.where_clause() {
            Some(clause) if !names_self(clause.syntax()) => spaced(rewriter.rewrite(clause.syntax())?),
            _ => String::new(),
        };
        let args = match &rewriter.params[..] {
            [] => String::new(),
            params => format!("<{}>", params.join(", ")),
        };
        let path = rewriter.path_to(id.into())?;
        let is_quiet = rules::warns_of_callbacks(self.project.docs_of_trait(id), &[]) || self.is_made_of_nothing(of);
        let mut items = String::new();
        for item in of.items(db) {
            match item {
                AssocItem::Function(it) if it.has_body(db) => {}
                AssocItem::Function(it) => items += &self.method(it, &rewriter, is_quiet)?,
                AssocItem::Const(it) if it.value(db).is_some() => {}
                AssocItem::Const(it) => {
                    let ty = rewriter.rewrite(it.source(db)?.value.ty()?.syntax())?;
                    let value = match ty.as_str() {
                        "bool" => "true",
                        "usize" | "u8" | "u16" | "u32" | "u64" | "i32" | "i64" | "isize" => "1",
                        "&str" | "&'static str" => "\"stub\"",
                        _ => return None,
                    };
                    items += &format!("    const {}: {ty} = {value};\n", it.name(db)?.display(db, Edition::CURRENT));
                }
                AssocItem::TypeAlias(it) => {
                    let source = it.source(db)?.value;
                    if source.ty().is_some() {
                        continue;
                    }
                    let (ty, further) = self.associated_type(&source, &scope)?;
                    needs.extend(further);
                    items += &format!("    type {} = {ty};\n", it.name(db).display(db, Edition::CURRENT));
                }
            }
        }
        let text = format!("\nimpl{generics} {path}{args} for {STUB}{bounds} {{\n{items}}}\n");
        Some(Implementation { of, needs, text })
    }

    /// Whether the trait says how to make a value out of nothing but numbers and flags. The library makes such values
    /// itself, so none of them knows the object that it is a part of.
    fn is_made_of_nothing(&self, of: Trait) -> bool {
        let db = &self.project.db;
        let is_plain = |ty: &Type<'_>| ty.as_builtin().is_some();
        let makes = |it: Function| {
            let output = it.ret_type(db);
            let is_own = output.as_type_param(db).is_some_and(|it| it.name(db).as_str() == "Self");
            is_own && it.assoc_fn_params(db).iter().all(|param| is_plain(param.ty()))
        };
        of.items(db).into_iter().any(|item| matches!(item, AssocItem::Function(it) if makes(it)))
            || of.direct_supertraits(db).iter().any(|needed| self.is_default(*needed))
    }

    /// Whether a trait is std's `Default`.
    fn is_default(&self, of: Trait) -> bool {
        let db = &self.project.db;
        self.project.is_std(of.module(db).krate(db)) && of.name(db).as_str() == "Default"
    }

    /// Whether a trait is implemented for a type parameter.
    fn is_blanket(&self, id: TraitId) -> bool {
        let db = &self.project.db;
        let krate = hir_def::HasModule::module(&id, db).krate(db);
        let mut found = false;
        TraitImpls::for_crate(db, krate).for_trait(id, |of| {
            let either::Either::Left(of) = of else { return };
            found |= of.iter().any(|it| hir::Impl::from(*it).self_ty(db).as_type_param(db).is_some());
        });
        found
    }

    /// The trait, if the stub still has to implement it; the outer `None` says that it cannot.
    fn missing(&self, of: Trait) -> Option<Option<Trait>> {
        let db = &self.project.db;
        let krate = of.module(db).krate(db);
        if self.project.is_std(krate) {
            return OF_STD.contains(&of.name(db).as_str()).then_some(None);
        }
        if self.is_blanket(of.into()) {
            return Some(None);
        }
        self.project.is_local(krate).then_some(Some(of))
    }

    /// The type for an associated type, and the traits that it has to implement.
    fn associated_type(&self, source: &ast::TypeAlias, scope: &Resolver<'_>) -> Option<(&'static str, Vec<Trait>)> {
        if source.generic_param_list().is_some() {
            return None;
        }
        let db = &self.project.db;
        let mut needs = Vec::new();
        let mut is_copied = false;
        for bound in source.type_bound_list().into_iter().flat_map(|list| list.bounds().collect::<Vec<_>>()) {
            let Some(ast::Type::PathType(ty)) = bound.ty() else { continue };
            let path = ty.path()?;
            let segments = path.segments().filter_map(|it| it.name_ref());
            let names: Vec<Name> = segments.map(|it| name(it.text())).collect();
            let path = ModPath::from_segments(PathKind::Plain, names);
            let def = scope.resolve_module_path_in_items(db, &path).take_types()?;
            let ModuleDefId::TraitId(id) = def else { return None };
            let of = Trait::from(id);
            if self.project.is_std(of.module(db).krate(db)) && of.name(db).as_str() == "Copy" {
                is_copied = true;
                continue;
            }
            needs.extend(self.missing(of)?);
        }
        match (is_copied, needs.is_empty()) {
            (false, _) => Some((STUB, needs)),
            (true, true) => Some(("u32", needs)),
            (true, false) => None,
        }
    }

    /// A method that returns a made-up value.
    fn method(&self, of: Function, rewriter: &PathRewriter<'_>, is_quiet: bool) -> Option<String> {
        let db = &self.project.db;
        let source = of.source(db)?.value;
        if source.unsafe_token().is_some() {
            return None;
        }
        let own = param_names(source.generic_param_list().as_ref());
        let rewriter = PathRewriter { params: [&rewriter.params[..], &own].concat(), ..*rewriter };
        let part = |node: Option<&SyntaxNode>| node.map_or(Some(String::new()), |node| rewriter.rewrite(node));
        let generics = part(source.generic_param_list().as_ref().map(AstNode::syntax))?;
        let params = part(source.param_list().as_ref().map(AstNode::syntax))?;
        let output = spaced(part(source.ret_type().as_ref().map(AstNode::syntax))?);
        let bounds = spaced(part(source.where_clause().as_ref().map(AstNode::syntax))?);
        let name = of.name(db).display(db, Edition::CURRENT).to_string();
        let body = self.body(of, &format!("what `{name}` of a stub returns"))?;
        let docs = FunctionId::try_from(of).map_or("", |id| self.project.docs(id));
        let is_quiet = is_quiet || rules::warns_of_callbacks(docs, &[]);
        let calls_back = match self.values {
            Values::Made if !is_quiet => "        made::act0();\n",
            _ => "",
        };
        let keyword = if source.async_token().is_some() { "async " } else { "" };
        Some(format!("    {keyword}fn {name}{generics}{params}{output}{bounds} {{\n{calls_back}{body}    }}\n"))
    }

    /// The lines that return a method's value.
    fn body(&self, of: Function, label: &str) -> Option<String> {
        let db = &self.project.db;
        if let Some(output) = of.async_ret_type(db) {
            return self.later(&output, label);
        }
        let output = of.ret_type(db);
        if output.is_unit() {
            return Some(String::new());
        }
        let is_pinned = output.as_adt().is_some_and(|it| it.name(db).as_str() == "Pin");
        if !is_pinned && output.as_impl_traits(db).is_none() {
            return Some(format!("        {}\n", self.value(&output, label)?));
        }
        let lines = self.later(&output.future_output(db)?, label)?;
        let (open, close) = if is_pinned { ("::std::boxed::Box::pin(", ")") } else { ("", "") };
        Some(format!("        {open}async move {{\n{lines}        }}{close}\n"))
    }

    /// The lines of a future, which is not ready at once in some runs.
    fn later(&self, output: &Type<'_>, label: &str) -> Option<String> {
        let pause = match self.values {
            Values::Made => "        made::pause().await;\n",
            Values::Written(number) if number(STUBS_WAIT) % 2 == 1 => NOT_READY,
            Values::Written(_) => "",
        };
        Some(format!("{pause}        {}\n", self.value(output, label)?))
    }

    /// An expression for a value of a type.
    fn value(&self, ty: &Type<'_>, label: &str) -> Option<String> {
        let db = &self.project.db;
        let is_std = |adt: &Adt| self.project.is_std(adt.module(db).krate(db));
        if ty.is_unit() {
            return Some("()".to_owned());
        }
        if ty.is_never() || ty.as_impl_traits(db).is_some() {
            return None;
        }
        if let Some((inner, _)) = ty.as_reference() {
            if inner.is_str() {
                return (!ty.is_mutable_reference()).then(|| match self.values {
                    Values::Made => format!("made::text({label:?})"),
                    Values::Written(_) => "\"stub\"".to_owned(),
                });
            }
            let is_sized = !inner.is_slice() && inner.as_dyn_trait().is_none();
            let inner = is_sized.then(|| self.value(&inner, label))??;
            return Some(format!("::std::boxed::Box::leak(::std::boxed::Box::new({inner}))"));
        }
        if let Some((adt, args)) = ty.as_adt_with_args().filter(|(adt, _)| is_std(adt)) {
            match (adt.name(db).as_str(), &args[..]) {
                ("Result", [Some(good), Some(bad)]) => {
                    let (good, bad) = (self.value(good, label)?, self.value(bad, label)?);
                    return Some(self.either(label, &format!("Err({bad})"), &format!("Ok({good})")));
                }
                ("Option", [Some(inner), ..]) => {
                    let inner = self.value(inner, label)?;
                    return Some(self.either(label, "None", &format!("Some({inner})")));
                }
                _ => {}
            }
        }
        // A value that borrows has nothing to borrow from.
        let mut borrows = false;
        ty.walk(db, |part| {
            let of_adt = part.as_adt().is_some_and(|it| it.lifetime(db).is_some());
            borrows |= part.is_reference() || of_adt || part.as_dyn_trait().is_some();
        });
        (!borrows).then(|| match self.values {
            Values::Made => format!("made::make_public({label:?})"),
            Values::Written(number) => written(ty, number(label)),
        })
    }

    /// One of two values, depending on whether the method fails.
    fn either(&self, label: &str, failure: &str, success: &str) -> String {
        match self.values {
            Values::Made => format!("if made::fails({label:?}) {{ {failure} }} else {{ {success} }}"),
            // As in `std::__harness::fails`.
            Values::Written(number) if number(label) % 4 == 3 => failure.to_owned(),
            Values::Written(_) => success.to_owned(),
        }
    }
}

/// A value with a number, if the type has one, else the default.
fn written(ty: &Type<'_>, number: u64) -> String {
    match ty.as_builtin() {
        Some(of) if ty.is_bool() && of.is_bool() => (number % 2 == 1).to_string(),
        Some(of) if of.is_int() || of.is_uint() => number.to_string(),
        _ => "Default::default()".to_owned(),
    }
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
