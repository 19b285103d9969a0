//! The denominator of a silent result: the places of the workspace that synchronise, whether a run reaches them or not
//! (design §6; TSVD's coverage "in any context" and "in a concurrent context").

use crate::{
    ir::{BodyIr, Callee, Site, Stmt, Term},
    lower::lowered,
    std_models::sites::{self, SiteKind},
};
use hir_def::{DefWithBodyId, expr_store::Body};
use indexmap::IndexMap;
use ra_ap_base_db::Crate;
use ra_ap_hir::{AssocItem, DefWithBody, Module, ModuleDef};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty::db::HirDatabase;
use ra_ap_ide_db::RootDatabase;
use rustc_hash::FxBuildHasher;

/// A place: the body, and where in it.
pub type SitePlace = (DefWithBodyId, Site);

/// Places of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteCount {
    /// What they synchronise by.
    pub kind: SiteKind,
    /// How many there are in the workspace's crates that the entry sees.
    pub existing: usize,
    /// How many of them a run reached.
    pub reached: usize,
    /// How many of them a run reached while another thread could run.
    pub concurrent: usize,
}

/// The places of some crates that synchronise.
#[derive(Default, Debug)]
pub struct Sites(IndexMap<SitePlace, SiteKind, FxBuildHasher>);

impl Sites {
    /// Those of these crates; their bodies are lowered, but nothing is run.
    pub fn of(db: &RootDatabase, crates: impl IntoIterator<Item = Crate>) -> Sites {
        let mut sites = Sites::default();
        for krate in crates {
            for def in bodies(db, krate) {
                let lowered = lowered(db, def);
                for body in std::iter::once(&lowered.root).chain(lowered.closures.iter().map(|(_, body)| body)) {
                    sites.scan(db, def, body);
                }
            }
        }
        sites
    }

    fn scan(&mut self, db: &dyn HirDatabase, def: DefWithBodyId, body: &BodyIr) {
        for block in &body.blocks {
            for (stmt, site) in &block.stmts {
                if let Stmt::Call { callee: Callee::Fn(func, args), .. } = stmt
                    && let Some(kind) = sites::kind(db, *func, args.as_ref().types().next())
                {
                    self.0.insert((def, *site), kind);
                }
            }
            if let (Term::Suspend { .. }, site) = &block.term {
                self.0.insert((def, *site), SiteKind::Await);
            }
        }
    }

    /// How many of each kind there are, and how many of them are among the places that runs reached; the flag says
    /// whether another thread could run then. Kinds that do not occur are left out.
    pub fn count(&self, reached: impl IntoIterator<Item = (SitePlace, bool)>) -> Vec<SiteCount> {
        let mut seen: IndexMap<SitePlace, bool, FxBuildHasher> = IndexMap::default();
        for (place, concurrent) in reached {
            *seen.entry(place).or_default() |= concurrent;
        }
        let count = |kind| {
            let places = || self.0.iter().filter(move |(_, of)| **of == kind).map(|(place, _)| seen.get(place));
            SiteCount {
                kind,
                existing: places().count(),
                reached: places().flatten().count(),
                concurrent: places().flatten().filter(|concurrent| **concurrent).count(),
            }
        };
        SiteKind::ALL.into_iter().map(count).filter(|count| count.existing > 0).collect()
    }
}

/// All bodies of a crate, those of items within functions included.
fn bodies(db: &RootDatabase, krate: Crate) -> Vec<DefWithBodyId> {
    let mut found = Vec::new();
    let mut modules = vec![ra_ap_hir::Crate::from(krate).root_module(db)];
    while let Some(module) = modules.pop() {
        modules.extend(module.children(db));
        for def in of_module(db, module).into_iter().filter_map(|def| DefWithBodyId::try_from(def).ok()) {
            for (_, map) in Body::of(db, def).blocks(db) {
                modules.extend(map.modules().map(|(id, _)| Module::from(id)));
            }
            found.push(def);
        }
    }
    found
}

fn of_module(db: &RootDatabase, module: Module) -> Vec<DefWithBody> {
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

fn of_item(db: &RootDatabase, item: AssocItem) -> Option<DefWithBody> {
    match item {
        AssocItem::Function(it) => it.has_body(db).then(|| it.into()),
        AssocItem::Const(it) => Some(it.into()),
        AssocItem::TypeAlias(_) => None,
    }
}
