//! Harness entries (decision 18): the public functions of libraries, and functions that start threads or lock.

use super::{EntryKind, EntryPoint, ProgramKind, Project, Target, should_panic::ShouldPanic};
use crate::{
    guard,
    harness::{self, HarnessTarget, Start, Starter, Subject, View},
    ir::Site,
    names::BrokenPromise,
    sites::{self, BodySite},
    std_models::sites::is_lock_name,
};
use hir::{AsAssocItem, Crate, HasSource, HasVisibility};
use hir_def::{AdtId, DefWithBodyId, FunctionId, StaticId};
use indexmap::IndexSet;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_syntax::{AstNode, SyntaxKind, TextRange};
use ra_ap_vfs::FileId;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// A function without this word, and without a call of one that has it, cannot start a thread.
const STARTS: &str = "spawn";

/// Maximum number of types and functions of a library that are called: each costs some milliseconds.
const MAX_API: usize = 2_000;

/// Maximum number of tests in which a type's methods are called from two threads, and of such tests in all.
const TESTS_OF_TYPE: usize = 2;
const MAX_IN_TESTS: usize = 60;

/// A target that is not only tests.
struct StartTarget<'a> {
    target: &'a Target,
    krate: Crate,
    main: Option<FunctionId>,
    is_library: bool,
}

impl Project {
    /// All harness entries: the public API of the selected libraries, then entries in the middle.
    pub fn harnesses(&self) -> Vec<EntryPoint> {
        let mut entries = self.api();
        entries.extend(self.middle());
        entries
    }

    /// Libraries whose public API is not called completely, with the number of types and functions left out.
    pub fn api_left_out(&self) -> Vec<(String, usize)> {
        let libraries = self.started().into_iter().filter(|it| it.is_library);
        let counts = libraries.map(|it| (it.target.name.clone(), self.public(it.krate).len()));
        counts.filter_map(|(name, count)| Some((name, count.checked_sub(MAX_API).filter(|it| *it > 0)?))).collect()
    }

    /// The public API of the selected libraries, in the order of targets and paths, up to the maximum; then tests that use
    /// it.
    pub fn api(&self) -> Vec<EntryPoint> {
        let libraries = self.started().into_iter().filter(|it| it.is_library);
        let items = |it: StartTarget<'_>| {
            let public = self.public(it.krate).into_iter().take(MAX_API);
            let promising = guard::caught(&self.db, || harness::promising(&self.db, it.krate.into()));
            let promising = promising.unwrap_or_default();
            let all = public.flat_map(|harness| {
                let at_once = guard::caught(&self.db, || self.at_once(harness.subject, &promising));
                let at_once = at_once.unwrap_or_default().into_iter();
                std::iter::once(harness).chain(at_once.map(move |subject| HarnessTarget { subject, ..harness }))
            });
            let modules = guard::caught(&self.db, || harness::modules_with_statics(&self.db, it.krate.into()));
            let modules = modules.unwrap_or_default().into_iter();
            let functions = modules.map(|it| HarnessTarget { subject: Subject::Functions(it), view: View::Outside });
            all.chain(functions).map(|harness| self.harness_entry(&it, harness, EntryKind::Api)).collect::<Vec<_>>()
        };
        let mut entries: Vec<EntryPoint> = libraries.flat_map(items).collect();
        entries.extend(self.in_tests());
        entries
    }

    /// Tests in which two threads call methods of types of the API. Those of types that a harness can make do nothing.
    fn in_tests(&self) -> Vec<EntryPoint> {
        let libraries: Vec<StartTarget<'_>> = self.started().into_iter().filter(|it| it.is_library).collect();
        let mut words: Vec<(EntryPoint, FunctionId, FxHashSet<String>)> = Vec::new();
        for test in self.tests() {
            let Some(function) = test.entry.function() else { continue };
            let output = hir::Function::from(function).ret_type(&self.db);
            let is_result = |adt: hir::Adt| adt.name(&self.db).as_str() == "Result";
            let is_plain = output.is_unit() || output.as_adt().is_some_and(is_result);
            if is_plain && !test.is_ignored && test.should_panic == ShouldPanic::No {
                words.push((test.entry, function, self.words_of(function)));
            }
        }
        let mut entries = Vec::new();
        for library in libraries {
            // The crate as built for its tests has types of its own.
            let root = library.krate.root_file(&self.db);
            let mut crates = vec![library.krate];
            crates.extend(words.iter().map(|it| it.0.krate).filter(|krate| krate.root_file(&self.db) == root));
            crates.dedup();
            for of in crates {
                let sees_it = |krate: Crate| match of == library.krate {
                    true => krate.root_file(&self.db) != root,
                    false => krate == of,
                };
                let of_package = words.iter().filter(|(entry, ..)| entry.package == library.target.package);
                let tests: Vec<_> = of_package.filter(|(entry, ..)| sees_it(entry.krate)).collect();
                for harness in self.public(of).into_iter().take(MAX_API) {
                    let Subject::Type(adt) = harness.subject else { continue };
                    if !guard::caught(&self.db, || harness::is_shareable(&self.db, adt)).unwrap_or_default() {
                        continue;
                    }
                    entries.extend(self.tests_using(adt, &tests).into_iter().map(|(entry, function)| {
                        let target = HarnessTarget { subject: Subject::InTest(function, adt), view: View::Outside };
                        let name = format!("{}::{}", library.target.name, self.path_in_crate(target.subject));
                        let (start, kind) = (Start::Harness(target), EntryKind::Api);
                        EntryPoint { name, start, kind, ..entry.clone() }
                    }));
                }
            }
        }
        entries.truncate(MAX_IN_TESTS);
        entries
    }

    /// The type whose methods two threads call in the futures of an entry's test.
    pub(crate) fn called_in_futures(&self, point: &EntryPoint) -> Option<AdtId> {
        let Some(Subject::InTest(test, adt)) = point.start.harness().map(|it| it.subject) else { return None };
        let source = hir::Function::from(test).source(&self.db)?;
        let tokens = source.value.syntax().descendants_with_tokens().filter_map(|it| it.into_token());
        tokens.map(|it| it.kind()).any(|kind| kind == SyntaxKind::ASYNC_KW).then_some(adt)
    }

    /// The tests that probably use most functions of a type.
    fn tests_using<'a>(
        &self,
        adt: AdtId,
        tests: &[&'a (EntryPoint, FunctionId, FxHashSet<String>)],
    ) -> Vec<(&'a EntryPoint, FunctionId)> {
        let name = hir::Adt::from(adt).name(&self.db).as_str().to_owned();
        let functions = guard::caught(&self.db, || self.functions_of(Subject::Type(adt))).unwrap_or_default();
        let names: FxHashSet<String> = functions.into_iter().map(|it| self.name_of(it)).collect();
        let score = |words: &FxHashSet<String>| names.intersection(words).count() + usize::from(words.contains(&name));
        let mut scored: Vec<_> = tests.iter().map(|it| (score(&it.2), *it)).filter(|(score, _)| *score >= 2).collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        scored.into_iter().take(TESTS_OF_TYPE).map(|(_, it)| (&it.0, it.1)).collect()
    }

    /// The functions of the selected programs and libraries that start threads or lock, except `main` and the API; in the order
    /// of targets and source. They are looked for in the bodies of all functions that may lead there.
    pub fn middle(&self) -> Vec<EntryPoint> {
        let mut entries = Vec::new();
        for target in self.started() {
            let mut known: FxHashSet<FunctionId> = target.main.into_iter().collect();
            if target.is_library {
                let public = self.public(target.krate);
                known.extend(public.into_iter().flat_map(|harness| self.functions_of(harness.subject)));
            }
            let starters = guard::caught(&self.db, || self.starters(target.krate));
            for starter in starters.unwrap_or_default() {
                if !matches!(starter.target.subject, Subject::Function(func) if known.contains(&func)) {
                    let entry = self.harness_entry(&target, starter.target, EntryKind::Middle);
                    entries.push(EntryPoint { starts: starter.starts, ..entry });
                }
            }
        }
        entries
    }

    fn public(&self, krate: Crate) -> Vec<HarnessTarget> {
        guard::caught(&self.db, || harness::public(&self.db, krate.into())).unwrap_or_default()
    }

    /// The harnesses that use values of an item from two threads. `promising` are the types that its crate says to be
    /// thread-safe.
    fn at_once(&self, subject: Subject, promising: &FxHashSet<AdtId>) -> Vec<Subject> {
        let mut found = Vec::new();
        let functions = match subject {
            Subject::Type(adt) => {
                if harness::is_shareable(&self.db, adt) {
                    found.push(Subject::Threads(adt));
                }
                if harness::has_one_of(&self.db, adt, promising) {
                    found.push(Subject::Promises(adt));
                }
                self.functions_of(subject)
            }
            Subject::Function(func) => vec![func],
            _ => Vec::new(),
        };
        let is_public = |func: &FunctionId| hir::Function::from(*func).visibility(&self.db) == hir::Visibility::Public;
        let makers = functions.into_iter().filter(|func| is_public(func) && harness::returns_pair(&self.db, *func));
        found.extend(makers.map(Subject::Halves));
        found
    }

    /// The `unsafe impl` by which a type is `Send` or `Sync`.
    pub(crate) fn promise(&self, adt: AdtId, of: &str) -> Option<BrokenPromise> {
        let db = &self.db;
        let promise = guard::caught(db, || harness::promise(db, adt, of)).flatten()?;
        let source = promise.source(db)?;
        let header = source.map(|it| {
            let whole = it.syntax().text_range();
            let start = it.impl_token().map_or(whole.start(), |token| token.text_range().start());
            TextRange::new(start, it.self_ty().map_or(whole.end(), |ty| ty.syntax().text_range().end()))
        });
        let range = header.original_node_file_range_rooted(db);
        let name = |adt: hir::Adt| adt.name(db).as_str().to_owned();
        Some(BrokenPromise {
            of: name(adt.into()),
            by: name(promise.self_ty(db).as_adt()?),
            what: promise.trait_(db)?.name(db).as_str().to_owned(),
            of_values: String::new(),
            location: self.locate(range.file_id.file_id(db), range.range),
        })
    }

    /// The selected programs and libraries.
    fn started(&self) -> Vec<StartTarget<'_>> {
        let crates = self.local_crates();
        let started = self.shared.targets.iter().filter_map(|target| {
            let krate = *crates.iter().find(|krate| krate.root_file(&self.db) == target.root)?;
            let main = || guard::caught(&self.db, || self.main_of(krate)).flatten();
            let main = (target.starts != ProgramKind::Never).then(main).flatten();
            // A single file without `main` is a library.
            let is_library = target.is_library || target.starts != ProgramKind::Never && main.is_none();
            (is_library || main.is_some()).then_some(StartTarget { target, krate, main, is_library })
        });
        started.collect()
    }

    fn harness_entry(&self, of: &StartTarget<'_>, harness: HarnessTarget, kind: EntryKind) -> EntryPoint {
        let name = format!("{}::{}", of.target.name, self.path_in_crate(harness.subject));
        let (start, package) = (Start::Harness(harness), of.target.package.clone());
        EntryPoint { name, krate: of.krate, start, package, kind, starts: Vec::new() }
    }

    /// Ranges of the bodies with these sites, also in the crate as built for its tests.
    pub(crate) fn ranges_of(&self, reached: impl IntoIterator<Item = BodySite>) -> FxHashSet<(FileId, TextRange)> {
        let owners: IndexSet<DefWithBodyId, FxBuildHasher> = reached.into_iter().map(|(owner, _)| owner).collect();
        owners.into_iter().filter_map(|owner| self.range_of(owner, Site::None)).collect()
    }

    /// Whether one of the functions of an entry in the middle has not run yet. `reached` are the
    /// [ranges](Project::ranges_of) of the sites that runs reached.
    pub(crate) fn is_needed(&self, point: &EntryPoint, reached: &FxHashSet<(FileId, TextRange)>) -> bool {
        let is_new = |func: &FunctionId| {
            let range = self.range_of((*func).into(), Site::None);
            range.is_none_or(|range| !reached.contains(&range))
        };
        point.starts.is_empty() || point.starts.iter().any(is_new)
    }

    /// The name of a body for people: the path of a function in its crate, or the name of a constant or static.
    pub(crate) fn body_name(&self, def: DefWithBodyId) -> String {
        let name = |name: Option<hir::Name>| name.map_or_else(|| "_".to_owned(), |it| it.as_str().to_owned());
        match def {
            DefWithBodyId::FunctionId(function) => self.path_in_crate(Subject::Function(function)),
            DefWithBodyId::StaticId(it) => name(Some(hir::Static::from(it).name(&self.db))),
            DefWithBodyId::ConstId(it) => name(hir::Const::from(it).name(&self.db)),
            DefWithBodyId::VariantId(it) => name(Some(hir::EnumVariant::from(it).name(&self.db))),
        }
    }

    /// `module::Type`, `module::function`, `module::Type::method`.
    fn path_in_crate(&self, subject: Subject) -> String {
        let db = &self.db;
        let (module, own) = match subject {
            Subject::Type(adt) | Subject::Threads(adt) | Subject::Promises(adt) => {
                (hir::Adt::from(adt).module(db), Some(hir::Adt::from(adt).name(db)))
            }
            Subject::Function(function) | Subject::Halves(function) => {
                let function = hir::Function::from(function);
                (function.module(db), Some(function.name(db)))
            }
            Subject::Functions(module) => (module.into(), None),
            Subject::InTest(test, _) => {
                (hir::Function::from(test).module(db), Some(hir::Function::from(test).name(db)))
            }
        };
        let modules = module.path_to_root(db).into_iter().rev();
        let mut path: Vec<String> = modules.filter_map(|it| Some(it.name(db)?.as_str().to_owned())).collect();
        if let Subject::Function(function) | Subject::Halves(function) = subject
            && let Some(item) = hir::Function::from(function).as_assoc_item(db)
            && let Some(adt) = item.implementing_ty(db).and_then(|ty| ty.as_adt())
        {
            path.push(adt.name(db).as_str().to_owned());
        }
        path.extend(own.map(|own| own.as_str().to_owned()));
        let path = path.join("::");
        match subject {
            Subject::Threads(_) => format!("{path}, from two threads"),
            Subject::Promises(_) => format!("{path}, with values for one thread"),
            Subject::Halves(_) => format!("{path}, a half for each of two threads"),
            Subject::Functions(_) if path.is_empty() => "its functions, from two threads".to_owned(),
            Subject::Functions(_) => format!("{path}, its functions from two threads"),
            Subject::InTest(_, adt) => {
                format!("{path}, {} from two threads", hir::Adt::from(adt).name(db).as_str())
            }
            Subject::Type(_) | Subject::Function(_) => path,
        }
    }

    /// The path of an entry, and for a harness of a type, how many functions the type has.
    pub(crate) fn entry_with_size(&self, point: &EntryPoint) -> String {
        let of_type =
            |subject: Subject| guard::caught(&self.db, || self.functions_of(subject).len()).unwrap_or_default();
        let functions = point.start.harness().map_or(0, |it| of_type(it.subject));
        format!("{} {functions}", point.path())
    }

    /// The function, or the functions of all impls of the type.
    pub(crate) fn functions_of(&self, subject: Subject) -> Vec<FunctionId> {
        match subject {
            Subject::Function(function) | Subject::Halves(function) => vec![function],
            Subject::Functions(_) => Vec::new(),
            Subject::Type(adt) | Subject::Threads(adt) | Subject::Promises(adt) | Subject::InTest(_, adt) => {
                let impls = hir::Impl::all_for_type(&self.db, hir::Adt::from(adt).ty(&self.db));
                let items = impls.into_iter().flat_map(|it| it.items(&self.db));
                let functions = items.filter_map(|item| match item {
                    hir::AssocItem::Function(function) => function.try_into().ok(),
                    _ => None,
                });
                functions.collect()
            }
        }
    }

    fn starters(&self, krate: Crate) -> Vec<Starter> {
        let map = hir::crate_def_map(&self.db, krate.into());
        let files = map.modules().filter_map(|(_, module)| module.definition_source_file_id().file_id());
        let mut files: Vec<_> = files.map(|file| file.file_id(&self.db)).collect();
        files.dedup();
        let is_word = |word: &str| word == STARTS || is_lock_name(word);
        let has_one = |text: &str| text.split(|it: char| !it.is_alphanumeric() && it != '_').any(is_word);
        if !files.into_iter().any(|file| has_one(&self.file_text(file))) {
            return Vec::new();
        }
        let functions = sites::bodies(&self.db, krate.into()).into_iter().filter_map(|def| match def {
            DefWithBodyId::FunctionId(function) => Some(function),
            _ => None,
        });
        let words: Vec<(FunctionId, FxHashSet<String>)> = functions.map(|it| (it, self.words_of(it))).collect();
        let mut found = leading_to(STARTS, &words, |it| self.name_of(it));
        let locking = words.iter().filter(|(_, words)| words.iter().any(|word| is_lock_name(word)));
        found.extend(locking.map(|(function, _)| *function));
        let found: FxHashSet<FunctionId> = found.into_iter().collect();
        let in_order: Vec<FunctionId> = words.iter().map(|(it, _)| *it).filter(|it| found.contains(it)).collect();
        harness::starters(&self.db, &in_order)
    }

    fn name_of(&self, function: FunctionId) -> String {
        hir::Function::from(function).name(&self.db).as_str().to_owned()
    }

    /// Whether tests beside this one, in the same program, may use a static: they contain its name, or the name of a
    /// function that does, and so on.
    pub(crate) fn is_used_by_other_tests(&self, test: FunctionId, of: StaticId) -> bool {
        let db = &self.db;
        let name = hir::Static::from(of).name(db).as_str().to_owned();
        let krate = hir::Function::from(test).module(db).krate(db);
        let functions = sites::bodies(db, krate.into()).into_iter().filter_map(|def| match def {
            DefWithBodyId::FunctionId(function) => Some(function),
            _ => None,
        });
        let words: Vec<(FunctionId, FxHashSet<String>)> = functions.map(|it| (it, self.words_of(it))).collect();
        let using = leading_to(&name, &words, |it| self.name_of(it));
        using.into_iter().any(|it| it != test && hir::Function::from(it).is_test(db))
    }

    /// The identifiers in a function.
    fn words_of(&self, function: FunctionId) -> FxHashSet<String> {
        let Some(source) = hir::Function::from(function).source(&self.db) else { return FxHashSet::default() };
        let tokens = source.value.syntax().descendants_with_tokens().filter_map(|it| it.into_token());
        tokens.filter(|it| it.kind() == SyntaxKind::IDENT).map(|it| it.text().to_owned()).collect()
    }
}

/// The functions that contain a word, those that contain the names of these, and so on; in the given order. The code of
/// other functions need not be looked at.
fn leading_to(
    word: &str,
    words: &[(FunctionId, FxHashSet<String>)],
    name_of: impl Fn(FunctionId) -> String,
) -> Vec<FunctionId> {
    let mut known = FxHashSet::from_iter([word.to_owned()]);
    let mut sought = vec![word.to_owned()];
    let mut found = vec![false; words.len()];
    while let Some(word) = sought.pop() {
        for (index, (function, words)) in words.iter().enumerate() {
            if !found[index] && words.contains(&word) {
                found[index] = true;
                let name = name_of(*function);
                if known.insert(name.clone()) {
                    sought.push(name);
                }
            }
        }
    }
    words.iter().zip(found).filter(|(_, found)| *found).map(|((function, _), _)| *function).collect()
}
