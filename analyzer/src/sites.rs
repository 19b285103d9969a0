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
use hir_def::{
    DefWithBodyId, ModuleDefId, ModuleId,
    expr_store::{Body, path::Path},
    hir::Expr,
    item_scope::{ImportOrGlob, ItemScope},
    lang_item::LangItemTarget,
    signatures::FunctionSignature,
};
use indexmap::{IndexMap, IndexSet, map::Entry};
use ra_ap_base_db::Crate;
use ra_ap_hir::{AssocItem, DefWithBody, Module, ModuleDef};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand::name::Name;
use ra_ap_hir_ty::db::HirDatabase;
use ra_ap_syntax::TextRange;
use ra_ap_vfs::FileId;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// A crate with so many bodies is lowered on two threads.
const MANY_BODIES: usize = 64;

/// Lowers the bodies that the other thread gets to last, until it has begun with them. Results do not depend on it.
fn lower_from_the_end(helper: &Project, defs: &[DefWithBodyId], names: &SiteNames, begun: &AtomicUsize) {
    let lower_all = |project: &Project| {
        let db = project.db();
        for index in (0..defs.len()).rev() {
            if index < begun.load(Ordering::Relaxed) {
                break;
            }
            // What fails here fails again where the result is needed.
            let lowers = guard::tried(db, Some(defs[index]), || {
                if names.are_in(db, Body::of(db, defs[index])) {
                    lowered(db, defs[index]);
                }
            });
            if lowers.is_err_and(|payload| guard::is_cancelled(&payload)) {
                break;
            }
        }
    };
    guard::unwinding(|| helper.with_db(lower_all)).ok();
}

/// The identity of a site for counting: kind, file, range, and an index among equal ones (a macro may make several). A
/// crate and its crate under test share the source, so their sites count once.
type CountedSite = (SiteKind, Option<(FileId, TextRange)>, usize);

/// The synchronisation sites of some crates.
#[derive(Default, Debug)]
pub struct Sites {
    /// The number of each; several bodies may share one.
    numbers: IndexMap<BodySite, usize, FxBuildHasher>,
    /// By number, in the order of crates and bodies.
    counted: IndexSet<CountedSite, FxBuildHasher>,
    /// Bodies that may have sites and were left out.
    left_out: Vec<DefWithBodyId>,
}

impl Sites {
    /// Lowers the bodies of these crates; runs nothing.
    pub fn of(project: &Project, crates: impl IntoIterator<Item = Crate>) -> Sites {
        let db = project.db();
        let mut sites = Sites::default();
        let mut names = SiteNames::elsewhere(project);
        for krate in crates {
            let mut found = Vec::new();
            let defs = guard::caught(db, || walk(db, krate, &mut |module| names.add(db, module)));
            let defs = defs.unwrap_or_default();
            let mut scan_body = |def: DefWithBodyId| {
                // Bounded as a body: the first expansion of its macros may be here, and it may have been left out.
                let scanned = guard::bounded(db, Some(def), || {
                    // To find out its types takes much longer, and all of it is kept.
                    if !names.are_in(db, Body::of(db, def)) {
                        return;
                    }
                    let lowered = lowered(db, def);
                    for body in std::iter::once(&lowered.root).chain(lowered.closures.iter().map(|(_, body)| body)) {
                        scan(db, body, &mut |site, kind| found.push(((def, site), kind)));
                    }
                });
                if scanned.is_err() {
                    sites.left_out.push(def);
                }
            };
            let begun = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                let (defs, names, begun) = (&defs, &names, &begun);
                if defs.len() >= MANY_BODIES {
                    let helper = project.clone();
                    scope.spawn(move || lower_from_the_end(&helper, defs, names, begun));
                }
                for (index, def) in defs.iter().enumerate() {
                    begun.store(index + 1, Ordering::Relaxed);
                    scan_body(*def);
                }
                begun.store(defs.len(), Ordering::Relaxed);
            });
            let mut same: FxHashMap<(SiteKind, Option<(FileId, TextRange)>), usize> = FxHashMap::default();
            for ((def, site), kind) in found {
                let range = project.range_of(def, site);
                let number = same.entry((kind, range)).or_default();
                if let Entry::Vacant(entry) = sites.numbers.entry((def, site)) {
                    entry.insert(sites.counted.insert_full((kind, range, *number)).0);
                    *number += 1;
                }
            }
        }
        sites
    }

    /// The number of sites of each kind, and how many of them are among those that runs reached; the flag says whether
    /// another thread could run then. Kinds without sites are left out.
    pub fn count(&self, reached: impl IntoIterator<Item = (BodySite, bool)>) -> Vec<SiteCount> {
        let mut seen: Vec<Option<bool>> = vec![None; self.len()];
        for (place, concurrent) in reached {
            if let Some(seen) = self.number(&place).and_then(|number| seen.get_mut(number)) {
                *seen = Some(seen.unwrap_or_default() | concurrent);
            }
        }
        let count = |kind| {
            let places = || self.counted.iter().zip(&seen).filter(move |((of, ..), _)| *of == kind).map(|(_, it)| *it);
            SiteCount {
                kind,
                existing: places().count(),
                reached: places().flatten().count(),
                concurrent: places().flatten().filter(|concurrent| *concurrent).count(),
            }
        };
        SiteKind::ALL.into_iter().map(count).filter(|count| count.existing > 0).collect()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.counted.len()
    }

    /// The number of a site; `None` if it does not count.
    pub(crate) fn number(&self, site: &BodySite) -> Option<usize> {
        self.numbers.get(site).copied()
    }

    /// All sites in bodies with their numbers, in a fixed order. Several may have the same number.
    pub(crate) fn all(&self) -> impl Iterator<Item = (BodySite, usize)> {
        self.numbers.iter().map(|(site, number)| (*site, *number))
    }

    /// The kind of the site with this number.
    pub(crate) fn kind(&self, number: usize) -> Option<SiteKind> {
        self.counted.get_index(number).map(|(kind, ..)| *kind)
    }

    /// Bodies that may have sites and were left out.
    pub(crate) fn left_out(&self) -> &[DefWithBodyId] {
        &self.left_out
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

/// By which names a body calls what synchronises, whatever it is.
#[derive(Default)]
struct SiteNames {
    /// Those of imports that are not the function's own.
    renamed: FxHashSet<Name>,
}

impl SiteNames {
    /// Those of imports in dependencies, which others may use through a path.
    fn elsewhere(project: &Project) -> SiteNames {
        let db = project.db();
        let mut names = SiteNames::default();
        for krate in project.crates().into_iter().filter(|krate| !project.is_std(*krate)) {
            guard::caught(db, || {
                for (_, module) in ra_ap_hir::crate_def_map(db, krate.into()).modules() {
                    names.add_scope(db, &module.scope);
                }
            });
        }
        names
    }

    /// Takes in the imports of a module; a block with items is one.
    fn add(&mut self, db: &Database, module: Module) {
        let module = ModuleId::from(module);
        self.add_scope(db, &module.def_map(db)[module].scope);
    }

    fn add_scope(&mut self, db: &Database, scope: &ItemScope) {
        for (name, item) in scope.values() {
            if let (ModuleDefId::FunctionId(func), Some(ImportOrGlob::Import(_))) = (item.def, item.import)
                && !sites::is_name(name.as_str())
                && sites::is_name(FunctionSignature::of(db, func).name.as_str())
            {
                self.renamed.insert(name.clone());
            }
        }
    }

    /// Whether a body has one of them in it, or waits for a future.
    fn are_in(&self, db: &Database, body: &Body) -> bool {
        let is_one = |name: &Name| sites::is_name(name.as_str()) || self.renamed.contains(name);
        body.exprs().any(|(_, expr)| match expr {
            Expr::Await { .. } | Expr::Yield { .. } => true,
            Expr::MethodCall { method_name, .. } => is_one(method_name),
            Expr::Path(Path::LangItem(LangItemTarget::FunctionId(func), None)) => {
                sites::is_name(FunctionSignature::of(db, *func).name.as_str())
            }
            Expr::Path(Path::LangItem(_, name)) => name.as_ref().is_some_and(is_one),
            Expr::Path(path) => path.segments().last().is_some_and(|last| is_one(last.name)),
            _ => false,
        })
    }
}

/// All bodies of a crate, including those of items within functions.
pub(crate) fn bodies(db: &Database, krate: Crate) -> Vec<DefWithBodyId> {
    walk(db, krate, &mut |_| {})
}

/// All bodies of a crate; is told of its modules, and of blocks with items.
fn walk(db: &Database, krate: Crate, on_module: &mut dyn FnMut(Module)) -> Vec<DefWithBodyId> {
    let mut found = Vec::new();
    let mut modules = vec![ra_ap_hir::Crate::from(krate).root_module(db)];
    while let Some(module) = modules.pop() {
        on_module(module);
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
