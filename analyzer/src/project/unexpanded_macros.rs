//! The user's macros that are not expanded, and their locations.

use super::{Location, Project};
use crate::guard;
use indexmap::{IndexMap, IndexSet};
use ra_ap_base_db as base_db;
use ra_ap_hir::{Crate, crate_def_map};
use ra_ap_hir_def::{
    ModuleDefId,
    item_scope::ItemScope,
    nameres::{
        assoc::TraitItems,
        diagnostics::{DefDiagnosticKind, DefDiagnostics},
    },
};
use ra_ap_hir_expand::{AstId, ExpandErrorKind, HirFileId, InFile, MacroCallId, MacroCallKind, MacroDefKind};
use ra_ap_syntax::{
    AstNode as _, TextRange,
    ast::{self, HasAttrs as _},
};
use rustc_hash::FxBuildHasher;

type FxIndexMap<K, V> = IndexMap<K, V, FxBuildHasher>;
type FxIndexSet<T> = IndexSet<T, FxBuildHasher>;

/// A macro that is not expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unexpanded {
    /// As written in the source: `#[tokio::main]`, `#[derive(Named)]`, `seven!`.
    pub name: String,
    /// The expander's error, if there is an expander.
    pub why: Option<String>,
    /// Where it is used.
    pub locations: Vec<Location>,
}

impl Project {
    /// The macros at item level that are not expanded, in the order of crates and of first use. Calls in bodies are
    /// reported when a run reaches them.
    pub fn unexpanded(&self) -> Vec<Unexpanded> {
        let mut found: FxIndexMap<(String, Option<String>), FxIndexSet<Location>> = FxIndexMap::default();
        let mut add = |name: String, why: Option<String>, location: Location| {
            found.entry((name, why)).or_default().insert(location);
        };
        let crates = self.crates().into_iter().filter(|krate| self.is_local(*krate));
        for krate in crates {
            // On a panic, what was found before it is kept.
            guard::caught(&self.db, || self.find_unexpanded(krate, &mut add));
        }
        let found = found.into_iter();
        found
            .map(|((name, why), locations)| Unexpanded { name, why, locations: locations.into_iter().collect() })
            .collect()
    }

    fn find_unexpanded(&self, krate: Crate, add: &mut dyn FnMut(String, Option<String>, Location)) {
        let map = crate_def_map(&self.db, krate.into());
        let containers = || map.modules().flat_map(|(_, module)| self.containers(&module.scope));
        let inside = containers().flat_map(|(_, diagnostics)| diagnostics.iter());
        for diagnostic in map.diagnostics().iter().chain(inside) {
            if let DefDiagnosticKind::UnresolvedMacroCall { ast: call, .. } = &diagnostic.kind
                && let Some((name, location)) = self.called(call, krate.into())
            {
                add(name, Some("there is no such macro".to_owned()), location);
            }
            let DefDiagnosticKind::MacroError { ast, path, err } = &diagnostic.kind else { continue };
            if matches!(err, ExpandErrorKind::MissingProcMacroExpander(_)) {
                let path = path.display(&self.db, krate.edition(&self.db)).to_string();
                let item = ast.to_node(&self.db);
                let metas = item.attrs().filter_map(|it| it.meta());
                let meta = metas.into_iter().find(|it| it.path().is_some_and(|it| it.syntax().text() == path.as_str()));
                let range = meta.map_or_else(|| item.syntax().text_range(), |it| it.syntax().text_range());
                add(format!("#[{path}]"), None, self.location_in(ast.file_id, range));
            }
        }
        for (_, module) in map.modules() {
            let scope = &module.scope;
            let derives = scope.derive_macro_invocs().flat_map(|(_, calls)| calls.map(|(_, _, calls)| calls));
            let derives = derives.flatten().flatten().filter_map(|call| call.left());
            let calls = scope.iter_macro_invoc().map(|(_, call)| *call);
            let mut calls: Vec<MacroCallId> = calls.collect();
            // The maps are in hash order.
            calls.extend(scope.attr_macro_invocs().map(|(_, call)| call).chain(derives));
            calls.extend(self.containers(scope).flat_map(|(calls, _)| calls.iter().map(|(_, call)| *call)));
            let mut failed: Vec<_> = calls
                .into_iter()
                .filter_map(|call| guard::caught(&self.db, || self.failure(call, krate.into()))?)
                .collect();
            failed.sort_by(|one, other| (&one.2, &one.0).cmp(&(&other.2, &other.0)));
            for (name, why, location) in failed {
                add(name, why, location);
            }
        }
    }

    /// The macro calls between the items of impls and traits, and their errors.
    fn containers<'a>(
        &'a self,
        scope: &'a ItemScope,
    ) -> impl Iterator<Item = (&'a [(AstId<ast::Item>, MacroCallId)], &'a DefDiagnostics)> {
        let impls = scope.impls().map(|it| it.impl_items_with_diagnostics(&self.db));
        let impls = impls.map(|(items, diagnostics)| (&*items.macro_calls, diagnostics));
        let traits = scope.declarations().filter_map(|it| match it {
            ModuleDefId::TraitId(it) => Some(TraitItems::query_with_diagnostics(&self.db, it)),
            _ => None,
        });
        impls.chain(traits.map(|(items, diagnostics)| (&*items.macro_calls, diagnostics)))
    }

    /// The name of a macro whose call has no expansion, the reason, and the location of the call.
    fn failure(&self, call: MacroCallId, krate: base_db::Crate) -> Option<(String, Option<String>, Location)> {
        let db = &self.db;
        let loc = call.loc(db);
        let expanded = call.parse_macro_expansion(db);
        let is_called = matches!(loc.kind, MacroCallKind::FnLike { .. });
        let is_wanted = match loc.def.kind {
            MacroDefKind::ProcMacro(..) => true,
            // Macros in its argument are called there, too.
            MacroDefKind::BuiltInEager(_, expander) => expander.is_include(),
            _ => is_called,
        };
        if !is_wanted {
            return None;
        }
        let is_unknown =
            || expanded.value.0.syntax_node().text().to_string().contains(super::builtin_macros::CALL_NOT_EXPANDED);
        let why = match &expanded.err {
            Some(error) => match error.kind() {
                ExpandErrorKind::MissingProcMacroExpander(_) => None,
                ExpandErrorKind::ProcMacroPanic(says) | ExpandErrorKind::Other(says) => {
                    Some(says.lines().next().unwrap_or_default().to_owned())
                }
                other => Some(other.render_to_string(db).message),
            },
            None if is_called && is_unknown() => None,
            None => return None,
        };
        let (name, location) = self.called(&loc.kind, krate)?;
        Some((name, why, location))
    }

    /// How a call is written, and its location.
    fn called(&self, call: &MacroCallKind, krate: base_db::Crate) -> Option<(String, Location)> {
        let db = &self.db;
        let name = match call {
            MacroCallKind::FnLike { ast_id, .. } => format!("{}!", ast_id.to_node(db).path()?.syntax().text()),
            MacroCallKind::Derive { ast_id, derive_attr_index, derive_index, .. } => {
                let (_, meta) = derive_attr_index.find_attr_range(db, krate, *ast_id);
                let text = meta.syntax().text().to_string();
                let names = text.split_once('(').map_or("", |(_, names)| names.trim_end_matches(')'));
                format!("#[derive({})]", names.split(',').nth(*derive_index as usize)?.trim())
            }
            MacroCallKind::Attr { ast_id, censored_attr_ids, .. } => {
                let (_, meta) = censored_attr_ids.invoc_attr().find_attr_range(db, krate, *ast_id);
                format!("#[{}]", meta.path()?.syntax().text())
            }
        };
        let range = call.original_call_range(db, krate);
        Some((name, self.locate(range.file_id.file_id(db), range.range)))
    }

    fn location_in(&self, file: HirFileId, range: TextRange) -> Location {
        let range = InFile::new(file, range).original_node_file_range_rooted(&self.db);
        self.locate(range.file_id.file_id(&self.db), range.range)
    }
}
