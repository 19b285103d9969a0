//! Counts the synchronisation sites of the workspace, reached or not: the denominator of the reach (TSVD's coverage "in
//! any context" and "in a concurrent context").

use crate::{
    database::Database,
    guard,
    ir::{BodyIr, Callee, Site, Stmt, Term},
    lower::lowered,
    project::Project,
    std_models::sites::{self, SiteKind},
};
use hir_def::{DefWithBodyId, expr_store::Body};
use indexmap::{IndexMap, map::Entry};
use ra_ap_base_db::Crate;
use ra_ap_hir::{AssocItem, DefWithBody, Module, ModuleDef};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty::db::HirDatabase;
use ra_ap_syntax::TextRange;
use ra_ap_vfs::FileId;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

/// The body, and the site in it.
pub type BodySite = (DefWithBodyId, Site);

/// Sites of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteCount {
    /// The kind.
    pub kind: SiteKind,
    /// The number of sites in the workspace's crates that the entry sees.
    pub existing: usize,
    /// The number that a run reached.
    pub reached: usize,
    /// The number that a run reached while another thread could run.
    pub concurrent: usize,
}

/// The identity of a site for counting: kind, file, range, and an index among equal ones (a macro may make several). A
/// crate and its crate under test share the source, so their sites count once.
type CountedSite = (SiteKind, Option<(FileId, TextRange)>, usize);

/// The synchronisation sites of some crates.
#[derive(Default, Debug)]
pub struct Sites(IndexMap<BodySite, CountedSite, FxBuildHasher>);

impl Sites {
    /// Lowers the bodies of these crates; runs nothing.
    pub fn of(project: &Project, crates: impl IntoIterator<Item = Crate>) -> Sites {
        let db = project.db();
        let mut sites = Sites::default();
        for krate in crates {
            let mut found = Vec::new();
            for def in guard::caught(db, || bodies(db, krate)).unwrap_or_default() {
                guard::caught(db, || {
                    let lowered = lowered(db, def);
                    for body in std::iter::once(&lowered.root).chain(lowered.closures.iter().map(|(_, body)| body)) {
                        scan(db, body, &mut |site, kind| found.push(((def, site), kind)));
                    }
                });
            }
            let mut same: FxHashMap<(SiteKind, Option<(FileId, TextRange)>), usize> = FxHashMap::default();
            for ((def, site), kind) in found {
                let range = project.range_of(def, site);
                let number = same.entry((kind, range)).or_default();
                if let Entry::Vacant(entry) = sites.0.entry((def, site)) {
                    entry.insert((kind, range, *number));
                    *number += 1;
                }
            }
        }
        sites
    }

    /// The number of sites of each kind, and how many of them are among those that runs reached; the flag says whether
    /// another thread could run then. Kinds without sites are left out.
    pub fn count(&self, reached: impl IntoIterator<Item = (BodySite, bool)>) -> Vec<SiteCount> {
        let mut seen: IndexMap<CountedSite, Option<bool>, FxBuildHasher> =
            self.0.values().map(|spot| (*spot, None)).collect();
        for (place, concurrent) in reached {
            if let Some(seen) = self.0.get(&place).and_then(|spot| seen.get_mut(spot)) {
                *seen = Some(seen.unwrap_or_default() | concurrent);
            }
        }
        let count = |kind| {
            let places = || seen.iter().filter(move |((of, ..), _)| *of == kind).map(|(_, seen)| *seen);
            SiteCount {
                kind,
                existing: places().count(),
                reached: places().flatten().count(),
                concurrent: places().flatten().filter(|concurrent| *concurrent).count(),
            }
        };
        SiteKind::ALL.into_iter().map(count).filter(|count| count.existing > 0).collect()
    }
}

fn scan(db: &dyn HirDatabase, body: &BodyIr, found: &mut dyn FnMut(Site, SiteKind)) {
    for block in &body.blocks {
        for (stmt, site) in &block.stmts {
            if let Stmt::Call { callee: Callee::Fn(func, args), .. } = stmt
                && let Some(kind) = sites::kind(db, *func, args.as_ref().types().next())
            {
                found(*site, kind);
            }
        }
        if let (Term::Suspend { .. }, site) = &block.term {
            found(*site, SiteKind::Await);
        }
    }
}

/// All bodies of a crate, including those of items within functions.
pub(crate) fn bodies(db: &Database, krate: Crate) -> Vec<DefWithBodyId> {
    let mut found = Vec::new();
    let mut modules = vec![ra_ap_hir::Crate::from(krate).root_module(db)];
    while let Some(module) = modules.pop() {
        modules.extend(module.children(db));
        for def in of_module(db, module).into_iter().filter_map(|def| DefWithBodyId::try_from(def).ok()) {
            let blocks = guard::bounded(db, Some(def), || {
                let modules = Body::of(db, def).blocks(db).flat_map(|(_, map)| map.modules().map(|(id, _)| id));
                modules.map(Module::from).collect::<Vec<_>>()
            });
            modules.extend(blocks.unwrap_or_default());
            found.push(def);
        }
    }
    found
}

fn of_module(db: &Database, module: Module) -> Vec<DefWithBody> {
    let mut found: Vec<DefWithBody> = Vec::new();
    for def in module.declarations(db) {
        match def {
            ModuleDef::Function(it) => found.push(it.into()),
            ModuleDef::Const(it) => found.push(it.into()),
            ModuleDef::Static(it) => found.push(it.into()),
            ModuleDef::Trait(it) => found.extend(it.items(db).into_iter().filter_map(|item| of_item(db, item))),
            _ => {}
        }
    }
    let items = module.impl_defs(db).into_iter().flat_map(|imp| imp.items(db));
    found.extend(items.filter_map(|item| of_item(db, item)));
    found
}

fn of_item(db: &Database, item: AssocItem) -> Option<DefWithBody> {
    match item {
        AssocItem::Function(it) => it.has_body(db).then(|| it.into()),
        AssocItem::Const(it) => Some(it.into()),
        AssocItem::TypeAlias(_) => None,
    }
}
