//! Stubs: for each library, a type that implements those of its public traits that its users have to implement.
//! Harnesses use it where the library, its tests and its examples have no implementation, and beside these. Its methods
//! return made-up values, fail or wait in some runs, and may call back.
//!
//! The stub of a library is in a crate of its own, whose only file is made here. Reports treat it as part of std.

mod paths;
mod source;

use super::{Project, files::Files};
use crate::{
    guard,
    std_tree::{ROOT, StdCrates},
};
use hir::Crate;
use hir_def::{
    AdtId, ModuleDefId,
    nameres::{DefMap, crate_def_map},
};
use ra_ap_base_db::{
    CrateBuilderId, CrateGraphBuilder, CrateOrigin, CrateWorkspaceData, DependencyBuilder, LangCrateOrigin,
    SourceDatabase as _,
};
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_paths::AbsPathBuf;
use ra_ap_span::Edition;
use ra_ap_syntax::{
    AstNode, SourceFile,
    ast::{self, HasName as _},
};
use ra_ap_vfs::FileId;
use source::Values;

/// The name of the type.
const STUB: &str = "Stub";

/// A library with a stub.
#[derive(Debug, Clone, Copy)]
pub(super) struct StubbedLibrary {
    /// The root of the library.
    root: FileId,
    /// The file of the crate with its stub.
    stubs: FileId,
}

/// Adds the crate with the stub of a library, which is written later.
pub(super) fn add(
    graph: &mut CrateGraphBuilder,
    library: CrateBuilderId,
    std: &StdCrates,
    workspace: &CrateWorkspaceData,
    files: &mut Files,
) -> Option<(CrateBuilderId, StubbedLibrary)> {
    let stubbed = graph[library].clone();
    let name = stubbed.extra.display_name.as_ref()?.crate_name().clone();
    let stubs = files.add_virtual("stubs", name.symbol().as_str(), String::new())?;
    let krate = graph.add_crate_root(
        stubs,
        Edition::CURRENT,
        None,
        None,
        stubbed.cfg_options,
        None,
        stubbed.env,
        CrateOrigin::Lang(LangCrateOrigin::Dependency),
        Vec::new(),
        false,
        AbsPathBuf::assert(ROOT.into()).into(),
        workspace.clone().into(),
    );
    std.inject(graph, krate);
    let of_std = graph[krate].basic.dependencies.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    let others = stubbed.basic.dependencies.into_iter().filter(|it| it.name != name && !of_std.contains(&it.name));
    for dependency in others {
        graph.add_dep(krate, dependency).expect("nothing depends on stubs");
    }
    graph.add_dep(krate, DependencyBuilder::new(name, library)).expect("nothing depends on stubs");
    Some((krate, StubbedLibrary { root: stubbed.basic.root_file_id, stubs }))
}

impl Project {
    /// Writes the stubs of libraries. The names of all crates are resolved before.
    pub(super) fn add_stubs(&mut self) {
        let texts: Vec<(FileId, String)> = self.with_db(|project| {
            let crates = project.crates();
            let krate_of = |root: FileId| crates.iter().copied().find(|krate| krate.root_file(&project.db) == root);
            let of = |it: &StubbedLibrary| {
                let (library, stubs) = (krate_of(it.root)?, krate_of(it.stubs)?);
                let text = guard::caught(&project.db, || source::of(project, library, stubs, Values::Made))
                    .unwrap_or_default();
                Some((it.stubs, text))
            };
            project.shared.stubbed.iter().filter_map(of).collect()
        });
        for (file, text) in texts {
            if self.file_text(file) != text {
                self.db.set_file_text(file, &text);
            }
        }
    }

    /// Writes the stubs again if the traits in a file changed.
    pub(super) fn update_stubs(&mut self, old: &str, new: &str) {
        if !self.shared.stubbed.is_empty() && traits_in(old) != traits_in(new) {
            self.add_stubs();
        }
    }

    /// The files with stubs.
    pub(super) fn stub_files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.shared.stubbed.iter().map(|it| it.stubs)
    }

    /// The source of the stub of a library, for a test. `number` returns the numbers of a run by their labels.
    pub(crate) fn written_stub(&self, library: Crate, number: &dyn Fn(&str) -> u64) -> Option<String> {
        let krate = self.stub_crate(library)?;
        guard::caught(&self.db, || source::of(self, library, krate, Values::Written(number)))
    }

    /// The stub of the library that a crate is.
    pub(crate) fn stub_of(&self, library: Crate) -> Option<AdtId> {
        stub_in(crate_def_map(&self.db, self.stub_crate(library)?.into()))
    }

    fn stub_crate(&self, library: Crate) -> Option<Crate> {
        let root = library.root_file(&self.db);
        let stubs = self.shared.stubbed.iter().find(|it| it.root == root)?.stubs;
        self.crates().into_iter().find(|krate| krate.root_file(&self.db) == stubs)
    }

    /// Whether a type is the stub of a library.
    pub(crate) fn is_stub(&self, adt: AdtId) -> bool {
        let krate = hir_def::HasModule::krate(&adt, &self.db);
        self.has_stub(krate.into()) && stub_in(crate_def_map(&self.db, krate)) == Some(adt)
    }

    /// Whether a crate has the stub of a library.
    pub(crate) fn has_stub(&self, krate: Crate) -> bool {
        let root = krate.root_file(&self.db);
        self.shared.stubbed.iter().any(|it| it.stubs == root)
    }
}

fn stub_in(map: &DefMap) -> Option<AdtId> {
    match map[map.root_module_id()].scope.get(&paths::name(STUB)).take_types()? {
        ModuleDefId::AdtId(adt) => Some(adt),
        _ => None,
    }
}

/// The traits in a file, as they are written.
fn traits_in(text: &str) -> Vec<String> {
    // Parsing takes longer than this.
    if !text.contains("trait ") {
        return Vec::new();
    }
    let file = SourceFile::parse(text, Edition::CURRENT).tree();
    let traits = file.syntax().descendants().filter_map(ast::Trait::cast);
    traits.filter(|it| it.name().is_some()).map(|it| it.syntax().text().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{self, Input, LoadOptions};
    use expect_test::{Expect, expect};
    use std::fs;

    fn stub(library: &str, expected: &Expect) -> Project {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("src")).unwrap();
        let manifest = "[package]\nname = \"pool\"\nversion = \"1.0.0\"\nedition = \"2024\"\n";
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.path().join("src/lib.rs"), library).unwrap();
        let input = Input::from_path(folder.path().to_str().unwrap());
        let mut project = project::load(&input, &LoadOptions::default()).unwrap();
        project.prime_caches();
        let files: Vec<FileId> = project.stub_files().collect();
        let [file] = files[..] else { panic!("{files:?}") };
        let text = project.file_text(file);
        let implementations = text.split_once("Error for Stub {}\n").map_or("", |(_, rest)| rest);
        expected.assert_eq(implementations);
        project
    }

    #[test]
    fn methods_return_made_up_values() {
        stub(
            "
            use std::{fmt, future::Future, io::Result as IoResult, pin::Pin};
            pub trait Manager: fmt::Debug + Send + 'static {
                type Connection: Send;
                type Error: std::error::Error;
                type Id: Copy;
                const LIMIT: usize;
                fn create(&self) -> Result<Self::Connection, Self::Error>;
                fn open(path: &str) -> IoResult<Self> where Self: Sized;
                fn id(&self, connection: &mut Self::Connection) -> Option<Self::Id>;
                fn name(&self) -> &str;
                fn close<'a>(&'a self, it: Self::Connection) -> Pin<Box<dyn Future<Output = u32> + Send + 'a>>;
                /// Must not call the pool again, or there is a deadlock.
                fn notify(&self);
                fn count(&self) -> usize { 0 }
            }
            pub trait Connects {
                async fn connect(&self, name: &str) -> IoResult<u32>;
                fn stop(&self) -> impl Future<Output = bool> + Send;
            }
            ",
            &expect![[r#"

                impl pool::Connects for Stub {
                    async fn connect(&self, name: &str) -> std::io::Result<u32> {
                        made::act0();
                        made::pause().await;
                        if made::fails("what `connect` of a stub returns") { Err(made::make_public("what `connect` of a stub returns")) } else { Ok(made::make_public("what `connect` of a stub returns")) }
                    }
                    fn stop(&self) -> impl Future<Output = bool> + Send {
                        made::act0();
                        async move {
                        made::pause().await;
                        made::make_public("what `stop` of a stub returns")
                        }
                    }
                }

                impl pool::Manager for Stub {
                    type Connection = Stub;
                    type Error = Stub;
                    type Id = u32;
                    const LIMIT: usize = 1;
                    fn create(&self) -> Result<Self::Connection, Self::Error> {
                        made::act0();
                        if made::fails("what `create` of a stub returns") { Err(made::make_public("what `create` of a stub returns")) } else { Ok(made::make_public("what `create` of a stub returns")) }
                    }
                    fn open(path: &str) -> std::io::Result<Self> where Self: Sized {
                        made::act0();
                        if made::fails("what `open` of a stub returns") { Err(made::make_public("what `open` of a stub returns")) } else { Ok(made::make_public("what `open` of a stub returns")) }
                    }
                    fn id(&self, connection: &mut Self::Connection) -> Option<Self::Id> {
                        made::act0();
                        if made::fails("what `id` of a stub returns") { None } else { Some(made::make_public("what `id` of a stub returns")) }
                    }
                    fn name(&self) -> &str {
                        made::act0();
                        made::text("what `name` of a stub returns")
                    }
                    fn close<'a>(&'a self, it: Self::Connection) -> std::pin::Pin<Box<dyn Future<Output = u32> + Send + 'a>> {
                        made::act0();
                        ::std::boxed::Box::pin(async move {
                        made::pause().await;
                        made::make_public("what `close` of a stub returns")
                        })
                    }
                    fn notify(&self) {
                    }
                }
            "#]],
        );
    }

    #[test]
    fn generic_traits() {
        stub(
            "
            pub mod messages { pub trait Message { type Reply: Default; } }
            pub use messages::Message as Sent;
            pub trait Handler<M: Sent = Unit, const N: usize = 1> where M: Clone {
                fn handle(&mut self, message: M, list: [u8; N]) -> Option<M::Reply>;
                fn visit<V: FnMut(&M) -> bool>(&self, visitor: V);
            }
            #[derive(Clone)]
            pub struct Unit;
            impl Sent for Unit { type Reply = (); }
            ",
            &expect![[r#"

                impl<M: pool::Sent, const N: usize> pool::Handler<M, N> for Stub where M: Clone {
                    fn handle(&mut self, message: M, list: [u8; N]) -> Option<M::Reply> {
                        made::act0();
                        if made::fails("what `handle` of a stub returns") { None } else { Some(made::make_public("what `handle` of a stub returns")) }
                    }
                    fn visit<V: FnMut(&M) -> bool>(&self, visitor: V) {
                        made::act0();
                    }
                }

                impl pool::Sent for Stub {
                    type Reply = Stub;
                }
            "#]],
        );
    }

    /// A contract that the compiler does not check, a private supertrait, one of another kind, a value that cannot be
    /// made, and implementations for all types.
    #[test]
    fn what_is_left_out() {
        stub(
            "
            mod private { pub trait Sealed {} }
            pub trait Closed: private::Sealed { fn one(&self); }
            pub unsafe trait Raw { fn lock(&self); }
            pub trait List: Iterator { fn two(&self); }
            pub trait Borrows { fn get(&self) -> std::cell::Ref<'_, u32>; }
            pub trait NeedsIt: Closed { fn three(&self); }
            pub trait Extends { fn four(&self); }
            impl<T: Copy> Extends for T { fn four(&self) {} }
            ",
            &expect![[r#""#]],
        );
    }

    #[test]
    fn edits_change_it() {
        let mut project = stub(
            "pub trait One { fn one(&self); }\n",
            &expect![[r#"

                impl pool::One for Stub {
                    fn one(&self) {
                        made::act0();
                    }
                }
            "#]],
        );
        let text = |project: &Project| project.file_text(project.stub_files().next().unwrap());
        let before = text(&project);
        let file =
            project.text_files().into_iter().find(|file| project.file_text(*file).contains("trait One")).unwrap();
        project.set_text(file, "pub trait One { fn one(&self); }\npub fn two() {}\n");
        assert_eq!(text(&project), before);
        project.set_text(file, "pub trait One { fn one(&self) -> u8; }\n");
        assert!(text(&project).contains("-> u8"), "{}", text(&project));
        project.set_text(file, "pub trait One { fn one(&self) -> \n");
        project.set_text(file, "\n");
        assert_eq!(text(&project), "");
    }
}
