//! Which functions of the workspace may call which: an over-approximation, cheap enough to be made before anything runs.
//!
//! Paths are resolved, types are not inferred: a method call leads to every method of that name with that many
//! parameters. A closure belongs to the function that it is written in. What dependencies may call are the methods of
//! foreign traits; a function leads to those of each type that its text names, as no other function makes such a value.

use crate::{
    database::Database,
    explore::StaticReach,
    guard,
    harness::{Start, Subject},
    project::{EntryKind, EntryPoint, Project},
    sites::{self, Sites},
};
use hir::HasSource as _;
use hir_def::{
    AdtId, DefWithBodyId, FunctionId, HasModule, ItemContainerId, Lookup, TraitId,
    expr_store::{Body, path::Path},
    hir::{Expr, ExprId},
    resolver::{HasResolver, ResolveValueResult, Resolver, TypeNs, ValueNs},
    src::HasSource as _,
};
use hir_ty::InferBodyId;
use indexmap::{IndexMap, IndexSet};
use ra_ap_base_db::Crate;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, SyntaxKind, SyntaxNode};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// The call graph of some crates.
#[derive(Default)]
pub(crate) struct CallGraph {
    /// By body, in the order of crates and source.
    nodes: IndexMap<DefWithBodyId, Node, FxBuildHasher>,
    by_name: FxHashMap<String, Vec<usize>>,
    /// The `main`s of programs.
    mains: Vec<usize>,
    types: FxHashMap<String, NamedType>,
}

struct Node {
    krate: Crate,
    /// The type that the impl is of, by name.
    owner: Option<String>,
    of_trait: Option<TraitId>,
    is_associated: bool,
    /// The number of parameters of a method, `self` included.
    method: Option<usize>,
    calls: Vec<usize>,
    /// Whether its text has a word for threads.
    starts: bool,
    /// Whether its text has a word for processes: it may start any program of the workspace.
    starts_programs: bool,
}

/// Types of one name.
#[derive(Default)]
struct NamedType {
    /// The words in their definitions.
    words: FxHashSet<String>,
    /// The methods of their impls of foreign traits.
    methods: Vec<usize>,
}

/// The callees of a call: which of the functions with a name.
enum Callee {
    Body(DefWithBodyId),
    Method { name: String, parameters: usize },
    OfType { owner: Option<String>, name: String },
    OfTrait { of: TraitId, name: String },
    Associated { name: String },
}

/// Functions that an entry may reach: for each the one that leads there, unless the entry starts there.
pub(crate) type ReachedBodies = IndexMap<usize, Option<usize>, FxBuildHasher>;

impl CallGraph {
    /// The graph of these crates; lowers and runs nothing.
    pub(crate) fn of(project: &Project, crates: impl IntoIterator<Item = Crate>) -> CallGraph {
        let db = project.db();
        let mut graph = CallGraph::default();
        for krate in crates {
            for def in guard::caught(db, || sites::bodies(db, krate)).unwrap_or_default() {
                let node = guard::caught(db, || node(project, krate, def));
                graph.add(def, node.unwrap_or_else(|| Node::unknown(krate)), name_of(db, def));
            }
            graph.add_types(project, krate);
            let main = guard::caught(db, || project.main_of(krate.into())).flatten();
            graph.mains.extend(main.and_then(|main| graph.nodes.get_index_of(&DefWithBodyId::FunctionId(main))));
        }
        let defs: Vec<DefWithBodyId> = graph.nodes.keys().copied().collect();
        for (index, def) in defs.into_iter().enumerate() {
            let found = guard::bounded(db, Some(def), || (callees(project, def), words(db, def)));
            let (callees, mut words) = found.unwrap_or_default();
            if words.contains("Self") {
                words.extend(graph.nodes[index].owner.clone());
            }
            let mut calls: IndexSet<usize, FxBuildHasher> = IndexSet::default();
            for callee in callees {
                calls.extend(graph.resolved(&callee));
            }
            calls.extend(graph.called_by_others(&words));
            graph.nodes[index].calls = calls.into_iter().collect();
            graph.nodes[index].starts = words.iter().any(|word| is_of_threads(word));
            graph.nodes[index].starts_programs = words.iter().any(|word| is_of_processes(word));
        }
        graph
    }

    fn add(&mut self, def: DefWithBodyId, node: Node, name: Option<String>) {
        let (index, _) = self.nodes.insert_full(def, node);
        if let Some(name) = name {
            self.by_name.entry(name).or_default().push(index);
        }
    }

    /// Takes in the types of a crate, and who implements foreign traits for them.
    fn add_types(&mut self, project: &Project, krate: Crate) {
        let db = project.db();
        let found = guard::caught(db, || {
            let modules = hir::Crate::from(krate).modules(db).into_iter();
            let declared = modules.flat_map(|module| module.declarations(db));
            let adts = declared.filter_map(|def| match def {
                hir::ModuleDef::Adt(adt) => Some(adt),
                _ => None,
            });
            let definition = |adt: hir::Adt| Some(adt.source(db)?.value.syntax().clone());
            adts.map(|adt| (adt.name(db).as_str().to_owned(), definition(adt).map(|it| words_in(&it))))
                .collect::<Vec<_>>()
        });
        for (name, words) in found.unwrap_or_default() {
            self.types.entry(name).or_default().words.extend(words.unwrap_or_default());
        }
        let foreign = self.nodes.iter().enumerate().filter_map(|(index, (_, node))| {
            let of_trait = node.of_trait.filter(|_| node.krate == krate)?;
            let is_foreign = !project.is_local(of_trait.module(db).krate(db).into());
            Some((index, node.owner.clone().filter(|_| is_foreign)?))
        });
        for (index, owner) in foreign.collect::<Vec<_>>() {
            self.types.entry(owner).or_default().methods.push(index);
        }
    }

    fn named(&self, name: &str) -> impl Iterator<Item = (usize, &Node)> {
        let indices = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        indices.iter().map(|index| (*index, &self.nodes[*index]))
    }

    /// The bodies that a call may run.
    fn resolved(&self, callee: &Callee) -> Vec<usize> {
        let fit = |name: &str, is_fit: &dyn Fn(&Node) -> bool| {
            self.named(name).filter(|(_, node)| is_fit(node)).map(|(index, _)| index).collect()
        };
        match callee {
            Callee::Body(def) => self.nodes.get_index_of(def).into_iter().collect(),
            Callee::Method { name, parameters } => fit(name, &|node| node.method == Some(*parameters)),
            Callee::OfType { owner, name } => {
                fit(name, &|node| node.is_associated && (node.owner.is_none() || node.owner == *owner))
            }
            Callee::OfTrait { of, name } => fit(name, &|node| node.of_trait == Some(*of)),
            Callee::Associated { name } => fit(name, &|node| node.is_associated),
        }
    }

    /// The functions that dependencies may call on values of the types among these words, and of types in their definitions.
    fn called_by_others(&self, words: &FxHashSet<String>) -> Vec<usize> {
        let mut known: IndexSet<&str, FxBuildHasher> =
            words.iter().map(String::as_str).filter(|word| self.types.contains_key(*word)).collect();
        let mut next = 0;
        let mut found = Vec::new();
        while let Some(named) = known.get_index(next).and_then(|name| self.types.get(*name)) {
            next += 1;
            found.extend(&named.methods);
            known.extend(named.words.iter().map(String::as_str).filter(|word| self.types.contains_key(*word)));
        }
        found.sort_unstable();
        found
    }

    /// The bodies that an entry may reach, nearest first.
    pub(crate) fn reached(&self, project: &Project, point: &EntryPoint) -> ReachedBodies {
        let mut crates: FxHashSet<Crate> = project.local_crates_of(point).into_iter().collect();
        let mut has_programs = false;
        let mut found: ReachedBodies = self.starts(project, point).into_iter().map(|index| (index, None)).collect();
        let mut next = 0;
        while let Some((index, _)) = found.get_index(next).map(|(index, by)| (*index, by)) {
            next += 1;
            if self.nodes[index].starts_programs && !has_programs {
                has_programs = true;
                crates.extend(self.nodes.values().map(|node| node.krate));
                for main in &self.mains {
                    found.entry(*main).or_insert(Some(index));
                }
            }
            for called in &self.nodes[index].calls {
                if crates.contains(&self.nodes[*called].krate) && !found.contains_key(called) {
                    found.insert(*called, Some(index));
                }
            }
        }
        found
    }

    /// The sites that an entry may reach, and whether it may start threads.
    pub(crate) fn static_reach(&self, project: &Project, point: &EntryPoint, sites: &Sites) -> StaticReach {
        let reached = self.reached(project, point);
        let mut numbers: Vec<usize> = sites
            .all()
            .filter(|((def, _), _)| self.index_of(*def).is_some_and(|it| reached.contains_key(&it)))
            .map(|(_, number)| number)
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let any = |is_wanted: fn(&Node) -> bool| reached.keys().any(|index| is_wanted(&self.nodes[*index]));
        let is_program = point.kind == EntryKind::Main;
        let is_indirect = !is_program && any(|node| node.starts_programs);
        StaticReach { sites: numbers, starts: any(|node| node.starts), is_program, is_indirect }
    }

    /// The bodies at which an entry starts. A harness also makes values, with whatever is associated with their types.
    fn starts(&self, project: &Project, point: &EntryPoint) -> Vec<usize> {
        let db = project.db();
        let index = |func: FunctionId| self.nodes.get_index_of(&DefWithBodyId::FunctionId(func));
        let harness = match point.start {
            Start::Function(func) => return index(func).into_iter().collect(),
            Start::Harness(harness) => harness,
        };
        let mut found: IndexSet<usize, FxBuildHasher> =
            project.functions_of(harness.subject).into_iter().filter_map(index).collect();
        let mut named: FxHashSet<String> = found.iter().flat_map(|at| words(db, self.def(*at))).collect();
        if let Subject::Type(adt) | Subject::Threads(adt) = harness.subject {
            named.insert(hir::Adt::from(adt).name(db).as_str().to_owned());
        }
        let makes = |node: &Node| node.is_associated && node.owner.as_ref().is_some_and(|owner| named.contains(owner));
        found.extend(self.nodes.values().enumerate().filter(|(_, node)| makes(node)).map(|(index, _)| index));
        found.into_iter().collect()
    }

    /// The body of a node.
    pub(crate) fn def(&self, index: usize) -> DefWithBodyId {
        self.nodes.get_index(index).map(|(def, _)| *def).expect("an index of the graph")
    }

    /// The node of a body.
    pub(crate) fn index_of(&self, def: DefWithBodyId) -> Option<usize> {
        self.nodes.get_index_of(&def)
    }

    /// For each body those that may call it, in order.
    pub(crate) fn callers(&self) -> FxHashMap<usize, Vec<usize>> {
        let mut callers: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (caller, node) in self.nodes.values().enumerate() {
            for called in node.calls.iter().filter(|called| **called != caller) {
                callers.entry(*called).or_default().push(caller);
            }
        }
        callers
    }
}

impl Node {
    /// A body of which nothing is known.
    fn unknown(krate: Crate) -> Node {
        Node {
            krate,
            owner: None,
            of_trait: None,
            is_associated: false,
            method: None,
            calls: Vec::new(),
            starts: false,
            starts_programs: false,
        }
    }
}

/// Whether a word says that threads may be started, also by a dependency. A wrong yes costs time; after a wrong no, a
/// thread that its one short run starts still brings an entry all its runs.
fn is_of_threads(word: &str) -> bool {
    const PARTS: [&str; 9] =
        ["thread", "spawn", "pool", "rayon", "tokio", "block_on", "executor", "runtime", "into_par_"];
    let word = word.to_lowercase();
    word.starts_with("par_") || PARTS.iter().any(|part| word.contains(part))
}

/// Whether a word says that processes may be started. Names of programs are literals, which are no words.
fn is_of_processes(word: &str) -> bool {
    ["Command", "cargo_bin", "cargo_bin_cmd", "assert_cmd"].contains(&word)
}

fn node(project: &Project, krate: Crate, def: DefWithBodyId) -> Node {
    let db = project.db();
    let DefWithBodyId::FunctionId(func) = def else { return Node::unknown(krate) };
    let function = hir::Function::from(func);
    let container = func.lookup(db).container;
    let method = function.has_self_param(db).then(|| function.num_params(db));
    let (owner, of_trait) = match container {
        ItemContainerId::ImplId(id) => {
            let imp = hir::Impl::from(id);
            let adt = imp.self_ty(db).as_adt();
            (adt.map(|adt| adt.name(db).as_str().to_owned()), imp.trait_(db).map(Into::into))
        }
        ItemContainerId::TraitId(id) => (None, Some(id)),
        ItemContainerId::ModuleId(_) | ItemContainerId::ExternBlockId(_) => (None, None),
    };
    let is_associated = matches!(container, ItemContainerId::ImplId(_) | ItemContainerId::TraitId(_));
    Node { krate, owner, of_trait, is_associated, method, calls: Vec::new(), starts: false, starts_programs: false }
}

fn name_of(db: &Database, def: DefWithBodyId) -> Option<String> {
    match def {
        DefWithBodyId::FunctionId(func) => Some(hir::Function::from(func).name(db).as_str().to_owned()),
        // Others are found by their paths only.
        _ => None,
    }
}

/// The words in the text of a body's item.
fn words(db: &Database, def: DefWithBodyId) -> FxHashSet<String> {
    match def {
        DefWithBodyId::FunctionId(it) => words_in(it.lookup(db).source(db).value.syntax()),
        DefWithBodyId::StaticId(it) => words_in(it.lookup(db).source(db).value.syntax()),
        DefWithBodyId::ConstId(it) => words_in(it.lookup(db).source(db).value.syntax()),
        DefWithBodyId::VariantId(_) => FxHashSet::default(),
    }
}

fn words_in(node: &SyntaxNode) -> FxHashSet<String> {
    let tokens = node.descendants_with_tokens().filter_map(|it| it.into_token());
    let is_word = |kind| matches!(kind, SyntaxKind::IDENT | SyntaxKind::SELF_TYPE_KW);
    tokens.filter(|it| is_word(it.kind())).map(|it| it.text().to_owned()).collect()
}

/// The calls in a body, and the functions, statics and constants that it names.
fn callees(project: &Project, def: DefWithBodyId) -> Vec<Callee> {
    let db = project.db();
    let body = Body::of(db, def);
    let mut resolver: Resolver<'_> = InferBodyId::from(def).resolver(db);
    let mut found = Vec::new();
    for (expr, it) in body.exprs() {
        match it {
            Expr::MethodCall { method_name, args, .. } => {
                found.push(Callee::Method { name: method_name.as_str().to_owned(), parameters: args.len() + 1 });
            }
            Expr::Path(path) => found.extend(named_by(project, &mut resolver, def, body, expr, path)),
            _ => {}
        }
    }
    found
}

/// The item that a path in a body names.
fn named_by<'db>(
    project: &'db Project,
    resolver: &mut Resolver<'db>,
    def: DefWithBodyId,
    body: &Body,
    expr: ExprId,
    path: &Path,
) -> Option<Callee> {
    let db = project.db();
    let name = || Some(path.segments().last()?.name.as_str().to_owned());
    if path.type_anchor().is_some() {
        return Some(Callee::Associated { name: name()? });
    }
    let guard = resolver.update_to_inner_scope(db, def, expr);
    let found = resolver.resolve_path_in_value_ns(db, path, body.expr_path_hygiene(expr));
    resolver.reset_to_guard(guard);
    let of_adt = |adt: AdtId| {
        let is_own = project.is_local(adt.module(db).krate(db).into());
        is_own.then(|| hir::Adt::from(adt).name(db).as_str().to_owned())
    };
    Some(match found? {
        ResolveValueResult::ValueNs(ValueNs::FunctionId(it)) => Callee::Body(it.into()),
        ResolveValueResult::ValueNs(ValueNs::ConstId(it)) => Callee::Body(it.into()),
        ResolveValueResult::ValueNs(ValueNs::StaticId(it)) => Callee::Body(it.into()),
        ResolveValueResult::ValueNs(_) => return None,
        ResolveValueResult::Partial(TypeNs::AdtId(adt) | TypeNs::AdtSelfType(adt), _) => {
            Callee::OfType { owner: of_adt(adt), name: name()? }
        }
        ResolveValueResult::Partial(TypeNs::SelfType(imp), _) => {
            let adt = hir::Impl::from(imp).self_ty(db).as_adt();
            Callee::OfType { owner: adt.and_then(|adt| of_adt(adt.into())), name: name()? }
        }
        ResolveValueResult::Partial(TypeNs::TraitId(of), _) => Callee::OfTrait { of, name: name()? },
        ResolveValueResult::Partial(..) => Callee::Associated { name: name()? },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{self, Input, LoadOptions};

    const PROGRAM: &str = r#"
        use std::{fmt, sync::Mutex, thread};
        static LOCK: Mutex<u32> = Mutex::new(0);
        static TABLE: [fn(); 1] = [by_table];

        trait Step { fn step(&self); fn twice(&self) { self.step(); self.step() } }
        struct Plain;
        impl Step for Plain { fn step(&self) { by_trait() } }
        struct Shown;
        impl fmt::Display for Shown { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { by_display(); f.write_str("") } }
        struct Holder { inner: Dropped }
        struct Dropped;
        impl Drop for Dropped { fn drop(&mut self) { by_drop() } }

        fn by_table() {}
        fn by_trait() {}
        fn by_display() {}
        fn by_drop() {}
        fn by_closure() { let _ = LOCK.lock(); }
        fn by_value() {}
        fn nothing_calls_this() { Plain.step() }
        fn two(_: u32) {}
        fn by_process() -> std::process::Command { std::process::Command::new(env!("CARGO_BIN_EXE_main")) }

        fn main() {
            TABLE[0]();
            Plain.twice();
            drop(format!("{}", Shown));
            let all: Vec<fn()> = vec![by_value];
            thread::spawn(move || { by_closure(); all.len() });
        }

        #[test]
        fn other() { drop(None::<Holder>) }
        #[test]
        fn plain() { two(1) }
        #[test]
        fn starts_it() { by_process(); }
    "#;

    #[test]
    fn what_an_entry_may_reach() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.rs");
        std::fs::write(&file, PROGRAM).unwrap();
        let options = LoadOptions { tests: true, ..LoadOptions::default() };
        let project = project::load(&Input::from_path(file.to_str().unwrap()), &options).unwrap();
        project.with_db(|project| {
            let entries = project.early_entries();
            let crates: IndexSet<Crate, FxBuildHasher> =
                entries.iter().flat_map(|entry| project.local_crates_of(entry)).collect();
            let sites = Sites::of(project, crates.iter().copied());
            let graph = CallGraph::of(project, crates);
            let of = |name: &str| {
                let entry = entries.iter().find(|it| it.path().ends_with(name)).unwrap();
                let reached = graph.reached(project, entry);
                let mut names: Vec<String> = reached
                    .keys()
                    .map(|index| project.body_name(graph.def(*index)))
                    .filter(|it| it.starts_with("by_"))
                    .collect();
                names.sort();
                names.dedup();
                (names.join(" "), graph.static_reach(project, entry, &sites))
            };
            let (names, static_reach) = of("::main");
            assert_eq!(names, "by_closure by_display by_table by_trait by_value");
            assert_eq!((static_reach.sites.len(), static_reach.starts), (2, true));
            // The name says nothing about the type, but the type of a field is dropped with its owner.
            assert_eq!(of("::other"), ("by_drop".to_owned(), StaticReach::default()));
            assert_eq!(of("::plain"), (String::new(), StaticReach::default()));
            let (names, static_reach) = of("::starts_it");
            assert_eq!(names, "by_closure by_display by_process by_table by_trait by_value");
            assert_eq!(static_reach.sites.len(), 2);
            let uncalled = project.local_crates()[0];
            let uncalled = sites::bodies(project.db(), uncalled.into())
                .into_iter()
                .find(|def| project.body_name(*def) == "nothing_calls_this");
            let uncalled = graph.index_of(uncalled.unwrap()).unwrap();
            assert!(!graph.callers().contains_key(&uncalled));
        });
    }

    #[test]
    fn words_for_threads() {
        for word in
            ["thread", "ThreadPool", "spawn_blocking", "rayon", "par_iter", "into_par_iter", "Runtime", "Executor"]
        {
            assert!(is_of_threads(word), "{word}");
        }
        assert!(!["parse", "text", "Vec", "part"].into_iter().any(is_of_threads));
    }
}
