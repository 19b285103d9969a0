//! The variables and files of a test. Cargo starts it in the folder of its package, so both are known; those of a program
//! are not.

use crate::project::{EntryKind, EntryPoint, Project, TestFiles};
use interp::environment::{Environment, KnownPath};
use ra_ap_base_db::Crate;
use std::{path::Path, rc::Rc, str};

/// Prefixes of the variables that cargo sets for tests.
const SET_BY_CARGO: [&str; 2] = ["CARGO_MANIFEST", "CARGO_PKG_"];
const FOLDER: &str = "CARGO_MANIFEST_DIR";

/// Variables that cargo sets for a test, and files in its workspace.
#[derive(Debug)]
pub(super) struct TestContext<'db> {
    variables: Vec<(Vec<u8>, Vec<u8>)>,
    files: Option<&'db TestFiles>,
}

impl<'db> TestContext<'db> {
    /// The context of a test; `None` if the entry is none.
    pub(super) fn of(project: &'db Project, point: &EntryPoint) -> Option<TestContext<'db>> {
        if point.kind != EntryKind::Test {
            return None;
        }
        let krate: Crate = point.krate.into();
        let built: Vec<(String, String)> = krate.env(project.db()).clone().into();
        let set = built.into_iter().filter(|(name, _)| SET_BY_CARGO.iter().any(|it| name.starts_with(it)));
        let variables = set.map(|(name, value)| (name.into(), value.into())).collect();
        Some(TestContext { variables, files: project.test_files() })
    }

    /// The variables that cargo sets.
    pub(super) fn variables(&self) -> &[(Vec<u8>, Vec<u8>)] {
        &self.variables
    }

    /// The value of such a variable.
    pub(super) fn variable(&self, name: &[u8]) -> Option<&[u8]> {
        self.variables.iter().find(|it| it.0 == name).map(|it| &*it.1)
    }

    /// The working folder.
    pub(super) fn folder(&self) -> Option<&[u8]> {
        self.files.and_then(|_| self.variable(FOLDER.as_bytes()))
    }

    /// The file or folder at a path.
    pub(super) fn path(&self, path: &[u8]) -> Option<KnownPath> {
        self.files?.at(Path::new(str::from_utf8(path).ok()?))
    }

    /// The bytes of a file.
    pub(super) fn file(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.files?.bytes(Path::new(str::from_utf8(path).ok()?))
    }
}

/// The environment of explored runs: their output is discarded, and what the context of a test does not tell is made up.
pub(super) struct ExplorationEnvironment<'db>(pub(super) Option<Rc<TestContext<'db>>>);

impl Environment for ExplorationEnvironment<'_> {
    fn write(&mut self, _fd: i32, _bytes: &[u8]) {}

    fn variable(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        self.0.as_ref()?.variable(name).map(<[u8]>::to_vec)
    }

    fn folder(&mut self) -> Option<Vec<u8>> {
        self.0.as_ref()?.folder().map(<[u8]>::to_vec)
    }

    fn path(&mut self, path: &[u8]) -> Option<KnownPath> {
        self.0.as_ref()?.path(path)
    }

    fn file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        self.0.as_ref()?.file(path)
    }
}
