//! Builtin macros: expansions of widely used procedural macros, keyed by package, versions and macro name. They are
//! used if the macro's own library is missing or may not be used; the library is preferred.
//!
//! They are expanders in the database, as libraries' macros are, so the user's tokens keep their positions. Added
//! tokens get the position of the item's name. A macro that cannot be expanded leaves its input unchanged and is
//! reported.

mod async_stream;
mod async_trait;
pub(super) mod case;
mod clap;
mod const_format;
mod const_random;
mod conversions;
mod derive_more;
mod deserialize;
mod formats;
mod frameworks;
mod functions;
mod futures;
mod generics;
mod icu;
mod icu_provider;
mod options;
mod paste;
mod pin_project;
mod read;
mod rstest;
mod serde;
mod serde_repr;
mod serialize;
mod smart_default;
mod strum;
mod table;
mod test_case;
mod thiserror;
mod time;
mod tokens;
mod tokio;
mod tracing;
mod zerocopy;

use ra_ap_base_db::{Env, SourceDatabase};
use ra_ap_hir_expand::proc_macro::{ProcMacro, ProcMacroExpander, ProcMacroExpansionError, ProcMacroKind};
use ra_ap_intern::Symbol;
use ra_ap_span::Span;
use ra_ap_tt::{TokenTreesView, TopSubtree};
use std::{any::Any, sync::Arc};

/// First segment of a path that stands for an expansion that is missing: its value is uninterpreted, and the other
/// segments name the macro.
pub(crate) const NOT_EXPANDED: &str = "__not_expanded";

/// The same for a call, which may also have left the enclosing function.
pub(crate) const CALL_NOT_EXPANDED: &str = "__call_not_expanded";

/// The input of a macro call.
struct Call<'a> {
    /// The item under an attribute or derive, or the tokens between the delimiters of a call.
    item: TokenTreesView<'a>,
    /// The arguments of an attribute.
    args: TokenTreesView<'a>,
    /// A position for an expansion of nothing.
    span: Span,
    /// The variables of the user's package, such as `CARGO_PKG_NAME`.
    env: &'a Env,
}

/// Expands a call; the error says why it cannot.
type Expand = fn(&Call<'_>) -> Result<TopSubtree, String>;

/// A builtin macro.
struct BuiltIn {
    package: &'static str,
    /// Version requirements in cargo's syntax.
    versions: &'static str,
    name: &'static str,
    kind: ProcMacroKind,
    expand: Expand,
}

const fn attribute(package: &'static str, versions: &'static str, name: &'static str, expand: Expand) -> BuiltIn {
    BuiltIn { package, versions, name, kind: ProcMacroKind::Attr, expand }
}

const fn call(package: &'static str, versions: &'static str, name: &'static str, expand: Expand) -> BuiltIn {
    BuiltIn { package, versions, name, kind: ProcMacroKind::Bang, expand }
}

const fn derive(package: &'static str, versions: &'static str, name: &'static str, expand: Expand) -> BuiltIn {
    BuiltIn { package, versions, name, kind: ProcMacroKind::CustomDerive, expand }
}

/// The builtin macros of a package of this name and version; for other build systems, the crate's name.
pub(super) fn of(package: &str, version: &cargo_metadata::semver::Version) -> Vec<ProcMacro> {
    let fits = |it: &&BuiltIn| {
        let versions = cargo_metadata::semver::VersionReq::parse(it.versions);
        it.package.replace('-', "_") == package.replace('-', "_")
            && versions.is_ok_and(|versions| versions.matches(version))
    };
    let expander = |it: &'static BuiltIn| ProcMacro {
        name: Symbol::intern(it.name),
        kind: it.kind,
        expander: Arc::new(Expander(it)),
        disabled: false,
    };
    table::BUILT_IN.iter().filter(fits).map(expander).collect()
}

/// The function-like macros of a package that nothing else expands: their result is uninterpreted. Without an expander,
/// a statement would silently vanish.
pub(super) fn unknown(package: &str, names: Vec<String>) -> Vec<ProcMacro> {
    let package = package.replace('-', "_");
    let expander = |name: String| ProcMacro {
        name: Symbol::intern(&name),
        kind: ProcMacroKind::Bang,
        expander: Arc::new(Unknown { package: package.clone(), name }),
        disabled: false,
    };
    names.into_iter().map(expander).collect()
}

/// Whether a macro is one of [`unknown`].
pub(super) fn is_unknown(it: &ProcMacro) -> bool {
    (&*it.expander as &dyn Any).is::<Unknown>()
}

/// The expansion of a function-like macro without expander: its value is uninterpreted.
pub(super) fn not_expanded(package: &str, name: &str, input: &TopSubtree, call_site: Span) -> TopSubtree {
    let inside = tokens::trees(input.token_trees());
    let mut maker = tokens::TokenBuilder::new(inside.first().map_or(call_site, tokens::Tree::span));
    maker.add(&format!("{CALL_NOT_EXPANDED}::{package}::r#{name}"), &[]);
    maker.made()
}

#[derive(Debug, PartialEq, Eq)]
struct Unknown {
    package: String,
    name: String,
}

impl ProcMacroExpander for Unknown {
    fn expand(
        &self,
        _: &dyn SourceDatabase,
        subtree: &TopSubtree,
        _: Option<&TopSubtree>,
        _: &Env,
        _: Span,
        call_site: Span,
        _: Span,
        _: String,
    ) -> Result<TopSubtree, ProcMacroExpansionError> {
        Ok(not_expanded(&self.package, &self.name, subtree, call_site))
    }

    fn eq_dyn(&self, other: &dyn ProcMacroExpander) -> bool {
        (other as &dyn Any).downcast_ref::<Unknown>() == Some(self)
    }
}

struct Expander(&'static BuiltIn);

impl std::fmt::Debug for Expander {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}::{}", self.0.package, self.0.name)
    }
}

impl ProcMacroExpander for Expander {
    fn expand(
        &self,
        _: &dyn SourceDatabase,
        subtree: &TopSubtree,
        attrs: Option<&TopSubtree>,
        env: &Env,
        _: Span,
        call_site: Span,
        _: Span,
        _: String,
    ) -> Result<TopSubtree, ProcMacroExpansionError> {
        let args = attrs.map_or(TokenTreesView::empty(), TopSubtree::token_trees);
        let call = Call { item: subtree.token_trees(), args, span: call_site, env };
        // On this error an attribute leaves its item unchanged.
        (self.0.expand)(&call).map_err(|what| ProcMacroExpansionError::System(format!("not supported: {what}")))
    }

    fn eq_dyn(&self, other: &dyn ProcMacroExpander) -> bool {
        (other as &dyn Any).downcast_ref::<Expander>().is_some_and(|other| std::ptr::eq(self.0, other.0))
    }
}
