//! What the tests share.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use analyzer::project::{self, Input, LoadError, LoadOptions, Project};
use hir::{AssocItem, Crate, DefWithBody, Module, ModuleDef};
use hir_def::DefWithBodyId;
use hir_def::expr_store::Body;
use hir_def::hir::Expr;
use hir_ty::InferenceResult;
use hir_ty::next_solver::TyKind;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// A folder that is removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tsvd-project-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Folder(std::env::temp_dir().join(name));
        std::fs::create_dir_all(&folder.0).expect("the temporary folder is writable");
        for (path, text) in files {
            folder.write(path, text.as_bytes());
        }
        folder
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is writable");
        std::fs::write(path, bytes).expect("the file is writable");
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// The error's text, with the folder's name taken out.
    pub(crate) fn error(&self, path: &str) -> String {
        let error = match try_load(&self.path(path)) {
            Ok(_) => return "no error".to_owned(),
            Err(error) => error.to_string(),
        };
        error.replace(&self.0.display().to_string(), "DIR")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left behind, it is the system's to clean up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn try_load(path: &Path) -> Result<Project, LoadError> {
    project::load(&Input::from_path(path), &LoadOptions::default())
}

pub(crate) fn single(text: &str) -> Project {
    let folder = Folder::new(&[("main.rs", text)]);
    try_load(&folder.path("main.rs")).expect("the file is there")
}

/// Every body of a crate outside bodies.
pub(crate) fn bodies(project: &Project, krate: Crate) -> Vec<DefWithBodyId> {
    let db = project.db();
    let mut bodies: Vec<DefWithBody> = Vec::new();
    let mut modules: Vec<Module> = vec![krate.root_module(db)];
    while let Some(module) = modules.pop() {
        modules.extend(module.children(db));
        let mut add = |item: AssocItem| match item {
            AssocItem::Function(function) => bodies.push(function.into()),
            AssocItem::Const(konst) => bodies.push(konst.into()),
            AssocItem::TypeAlias(_) => {}
        };
        for item in module.impl_defs(db) {
            item.items(db).into_iter().for_each(&mut add);
        }
        for item in module.declarations(db) {
            match item {
                ModuleDef::Trait(it) => it.items(db).into_iter().for_each(&mut add),
                ModuleDef::Function(function) => add(AssocItem::Function(function)),
                ModuleDef::Const(konst) => add(AssocItem::Const(konst)),
                _ => {}
            }
        }
    }
    bodies.into_iter().filter_map(|body| DefWithBodyId::try_from(body).ok()).collect()
}

/// (expressions, those whose type is unknown) of a body.
pub(crate) fn count_untyped(project: &Project, id: DefWithBodyId) -> (usize, usize) {
    let db = project.db();
    let (body, inference) = (Body::of(db, id), InferenceResult::of(db, id));
    let (mut all, mut untyped) = (0, 0);
    let mut stack = vec![body.root_expr()];
    while let Some(expr) = stack.pop() {
        all += 1;
        // Below a path there are only const arguments, which are inferred on their own.
        if !matches!(body[expr], Expr::Path(_)) {
            body.walk_child_exprs(expr, |child| stack.push(child));
        }
        if !matches!(body[expr], Expr::Missing) && matches!(inference.expr_ty(expr).kind(), TyKind::Error(_)) {
            untyped += 1;
        }
    }
    (all, untyped)
}
