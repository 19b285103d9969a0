//! Source information for code generation and reports.

use crate::{
    config::Config,
    database::Database,
    instance::program::Bodies,
    ir::{LoweredBody, Site},
    lower,
    project::{Location, Project},
};
use either::Either;
use hir::AsAssocItem;
use hir_def::{
    AdtId, DefWithBodyId, FunctionId, HasModule, Lookup, StaticId, TraitId, VariantId,
    attrs::AttrFlags,
    expr_store::Body,
    hir::{ClosureKind, CoroutineSource, Expr, ExprId},
    src::{HasChildSource, HasSource},
};
use hir_expand::{HirFileId, InFile, InMacroFile, MacroCallId, MacroCallKind};
use hir_ty::next_solver::TyKind;
use interp::host::{Dictionary, SourceLoc};
use ra_ap_base_db::Crate;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{
    AstNode, SyntaxNode, TextRange, TextSize,
    ast::{self, HasName as _},
};
use ra_ap_vfs::FileId;
use rustc_type_ir::{UintTy, inherent::IntoKind};
use std::sync::Arc;

/// What is known of the project's crates and files.
pub trait SourceMap {
    /// Where a site of a body stands.
    fn locate(&self, owner: DefWithBodyId, site: Site) -> Option<SourceLoc>;
    /// A crate of the workspace.
    fn is_local(&self, krate: Crate) -> bool;
    /// A crate of the standard library.
    fn is_std(&self, krate: Crate) -> bool;
    /// A crate of examples or tests.
    fn is_example(&self, krate: Crate) -> bool;
    /// The stub of a library: a type that implements its public traits.
    fn stub(&self, library: Crate) -> Option<AdtId>;
    /// Its source, for a test. `number` returns the numbers of a run by their labels.
    fn written_stub(&self, library: Crate, number: &dyn Fn(&str) -> u64) -> Option<String>;
    /// Whether a type is the stub of a library.
    fn is_stub(&self, adt: AdtId) -> bool;
    /// Whether a crate has the stub of a library.
    fn has_stub(&self, krate: Crate) -> bool;
    /// The bodies of all crates of examples and tests that a crate sees.
    fn example_bodies(&self, krate: Crate) -> Vec<DefWithBodyId>;
    /// The workspace's own configuration.
    fn config(&self) -> &Config;
    /// Texts among the literals of a crate and of the workspace's crates that it needs.
    fn dictionary(&self, krate: Crate) -> Dictionary;
}

/// Maximum length of a text that distinguishes operations, in bytes.
const LONGEST_TEXT: usize = 60;

impl Bodies for Project {
    fn lowered(&self, def: DefWithBodyId) -> Arc<LoweredBody> {
        lower::lowered(self.db(), def)
    }
}

impl SourceMap for Project {
    fn locate(&self, owner: DefWithBodyId, site: Site) -> Option<SourceLoc> {
        let (file, range) = self.range_of(owner, site)?;
        let (file, range) = self.source_of_example(file, range).unwrap_or((file, range));
        let location = self.locate(file, range);
        // In compiled programs, files of std have the path at which std was built.
        let file = match self.is_std_file(file) {
            true => format!("/rustc/{}/{}", env!("STD_COMMIT"), location.path).into(),
            false => self.compiled_path(file).into(),
        };
        Some(SourceLoc { file, line: location.line, column: location.column })
    }

    fn is_local(&self, krate: Crate) -> bool {
        Project::is_local(self, krate.into())
    }

    fn is_std(&self, krate: Crate) -> bool {
        Project::is_std(self, krate.into())
    }

    fn is_example(&self, krate: Crate) -> bool {
        Project::is_example(self, krate.into())
    }

    fn stub(&self, library: Crate) -> Option<AdtId> {
        self.stub_of(library.into())
    }

    fn written_stub(&self, library: Crate, number: &dyn Fn(&str) -> u64) -> Option<String> {
        Project::written_stub(self, library.into(), number)
    }

    fn is_stub(&self, adt: AdtId) -> bool {
        Project::is_stub(self, adt)
    }

    fn has_stub(&self, krate: Crate) -> bool {
        Project::has_stub(self, krate.into())
    }

    fn example_bodies(&self, krate: Crate) -> Vec<DefWithBodyId> {
        let mut crates = krate.transitive_deps(self.db());
        crates.retain(|it| SourceMap::is_example(self, *it) && !self.is_library_under_test((*it).into()));
        crates.into_iter().flat_map(|it| crate::sites::bodies(self.db(), it)).collect()
    }

    fn config(&self) -> &Config {
        Project::config(self)
    }

    fn dictionary(&self, krate: Crate) -> Dictionary {
        Project::dictionary(self, krate)
    }
}

impl Project {
    /// The location of a site, as in rustc's `Location`: the method name of a method call, the bracket of a call of
    /// `Index::index`, the outermost macro call for expanded code.
    pub fn location_of(&self, owner: DefWithBodyId, site: Site) -> Option<Location> {
        let (file, range) = self.range_of(owner, site)?;
        Some(self.locate(file, range))
    }

    pub(crate) fn range_of(&self, owner: DefWithBodyId, site: Site) -> Option<(FileId, TextRange)> {
        let db = self.db();
        if site == Site::None {
            return item_start(db, owner);
        }
        let (file, node) = self.node_of(owner, site)?;
        let start = match ast::Expr::cast(node.clone()) {
            Some(ast::Expr::MethodCallExpr(call)) => call.name_ref().map(|it| it.syntax().text_range().start()),
            Some(ast::Expr::IndexExpr(index)) if self.is_overloaded(owner, site) => {
                index.l_brack_token().map(|it| it.text_range().start())
            }
            _ => None,
        };
        let range = TextRange::new(start.unwrap_or(node.text_range().start()), node.text_range().end());
        Some(real_range(db, file, range))
    }

    /// The syntax node of a site, and its file.
    fn node_of(&self, owner: DefWithBodyId, site: Site) -> Option<(HirFileId, SyntaxNode)> {
        let db = self.db();
        let (_, map) = Body::with_source_map(db, owner);
        let source = match site {
            Site::Expr(expr) => {
                map.expr_syntax(written(Body::of(db, owner), expr)).ok()?.map(|it| it.syntax_node_ptr())
            }
            Site::Pat(pat) => map.pat_syntax(pat).ok()?.map(|it| it.syntax_node_ptr()),
            Site::Macro(number) => lower::unexpanded_calls::statement(db, owner, number)?,
            Site::None => return None,
        };
        Some((source.file_id, source.value.to_node(&source.file_id.parse_or_expand(db))))
    }

    /// The location of a site's operation for people: all of it, or the callee's name if it takes several lines; the
    /// end of a block.
    pub fn operation_at(&self, owner: DefWithBodyId, site: Site) -> Option<Location> {
        let db = self.db();
        let (written_in, node) = match site {
            Site::None => name_of(db, owner)?,
            _ => self.node_of(owner, site)?,
        };
        let location = |range| {
            let (file, range) = real_range(db, written_in, range);
            self.locate(file, range)
        };
        let whole = location(node.text_range());
        if whole.line == whole.end_line {
            return Some(whole);
        }
        let part = match ast::Expr::cast(node)? {
            ast::Expr::MethodCallExpr(call) => call.name_ref()?.syntax().text_range(),
            ast::Expr::CallExpr(call) => call.expr()?.syntax().text_range(),
            // The operation at a block is the drop of its variables.
            ast::Expr::BlockExpr(block) => block.stmt_list()?.r_curly_token()?.text_range(),
            _ => return Some(whole),
        };
        Some(location(part))
    }

    /// The docs of a function; empty if it has none.
    pub(crate) fn docs(&self, func: FunctionId) -> &str {
        AttrFlags::docs(self.db(), func.into()).map(|docs| docs.docs()).unwrap_or_default()
    }

    pub(crate) fn docs_of_trait(&self, id: TraitId) -> &str {
        AttrFlags::docs(self.db(), id.into()).map(|docs| docs.docs()).unwrap_or_default()
    }

    /// The docs of the type that a function belongs to, and of its crate.
    pub(crate) fn docs_around(&self, func: FunctionId) -> Vec<&str> {
        let db = self.db();
        let function = hir::Function::from(func);
        let root = function.module(db).krate(db).root_module(db);
        let of_type = function.as_assoc_item(db).and_then(|item| item.implementing_ty(db)?.as_adt());
        let of_type = of_type.and_then(|adt| AttrFlags::docs(db, hir_def::AdtId::from(adt).into()));
        let of_crate = AttrFlags::docs(db, hir_def::ModuleId::from(root).into());
        [of_type, of_crate].into_iter().flatten().map(|docs| docs.docs()).collect()
    }

    /// The end of the text of a site's operation, and how many operations before it in the same function end so.
    pub(crate) fn operation_text(&self, owner: DefWithBodyId, site: Site) -> Option<(String, usize)> {
        let db = self.db();
        let (written_in, node) = self.node_of(owner, site)?;
        let (file, range) = real_range(db, written_in, node.text_range());
        let item = item_start(db, owner).filter(|item| item.0 == file).map(|item| item.1.start());
        let text = self.file_text(file);
        let text = text.get(item.unwrap_or_default().into()..range.end().into())?;
        let length = usize::from(range.len()).min(LONGEST_TEXT);
        let start = (text.len().saturating_sub(length)..text.len()).find(|at| text.is_char_boundary(*at))?;
        let end = &text[start..];
        let before = text.match_indices(end).count().saturating_sub(1);
        Some((end.split_whitespace().collect::<Vec<_>>().join(" "), before))
    }

    /// Where a static of the workspace is declared.
    pub(crate) fn static_location(&self, id: StaticId) -> Option<Location> {
        let db = self.db();
        if !self.is_local(id.module(db).krate(db).into()) {
            return None;
        }
        let source = id.lookup(db).source(db);
        Some(self.declaration(source.file_id, source.value.syntax()))
    }

    /// Where a field of a type of the workspace is declared.
    pub(crate) fn field_location(&self, variant: VariantId, name: &str) -> Option<Location> {
        let db = self.db();
        if !self.is_local(variant.module(db).krate(db).into()) {
            return None;
        }
        let mut fields = variant.fields(db).fields().iter();
        let (id, _) = fields.find(|(_, field)| field.name.as_str() == name)?;
        let sources = variant.child_source(db);
        let node = match sources.value.get(id)? {
            Either::Left(field) => field.syntax(),
            Either::Right(field) => field.syntax(),
        };
        Some(self.declaration(sources.file_id, node))
    }

    fn declaration(&self, file: HirFileId, node: &SyntaxNode) -> Location {
        let (file, range) = real_range(self.db(), file, without_attributes(node));
        self.locate(file, range)
    }

    /// Whether an index expression calls `Index::index`; for arrays and slices it is built in.
    fn is_overloaded(&self, owner: DefWithBodyId, site: Site) -> bool {
        let Site::Expr(expr) = site else { return false };
        let Expr::Index { base, index } = Body::of(self.db(), owner)[expr] else { return false };
        let infer = crate::workarounds::inference::of(self.db(), owner);
        let type_of = |it| infer.type_of_expr_with_adjust(it).unwrap_or_else(|| infer.expr_ty(it));
        let base = type_of(base);
        let base = match base.kind() {
            TyKind::Ref(_, inner, _) => inner,
            _ => base,
        };
        let is_usize = matches!(type_of(index).kind(), TyKind::Uint(UintTy::Usize));
        !(is_usize && matches!(base.kind(), TyKind::Array(..) | TyKind::Slice(_)))
    }
}

/// The start of a function, without its attributes.
fn item_start(db: &Database, owner: DefWithBodyId) -> Option<(FileId, TextRange)> {
    let DefWithBodyId::FunctionId(func) = owner else { return None };
    let source = func.lookup(db).source(db);
    Some(real_range(db, source.file_id, without_attributes(source.value.syntax())))
}

/// The name of a function in its declaration.
fn name_of(db: &Database, owner: DefWithBodyId) -> Option<(HirFileId, SyntaxNode)> {
    let DefWithBodyId::FunctionId(func) = owner else { return None };
    let source = func.lookup(db).source(db);
    Some((source.file_id, source.value.name()?.syntax().clone()))
}

/// The range of a node without its attributes and doc comments.
fn without_attributes(node: &SyntaxNode) -> TextRange {
    let is_before = |kind| ast::Attr::can_cast(kind) || kind.is_trivia();
    let first = node.children_with_tokens().find(|it| !is_before(it.kind()));
    first.map_or(node.text_range(), |it| TextRange::new(it.text_range().start(), node.text_range().end()))
}

/// The location of the macro call with this expansion.
fn call_of(db: &Database, expansion: MacroCallId) -> InFile<TextRange> {
    let call = expansion.loc(db);
    let node = call.to_node(db);
    match call.kind {
        // rustc does not count attributes and doc comments as part of the call.
        MacroCallKind::FnLike { .. } => node.map(|it| without_attributes(&it)),
        _ => node.map(|it| it.text_range()),
    }
}

/// An expression of the source: the block for the body of an `async fn`, which is generated from it.
fn written(body: &Body, expr: ExprId) -> ExprId {
    match &body[expr] {
        Expr::Closure {
            body: block, closure_kind: ClosureKind::Coroutine { source: CoroutineSource::Fn, .. }, ..
        } => match &body[*block] {
            Expr::Block { tail: Some(tail), .. } => *tail,
            _ => expr,
        },
        _ => expr,
    }
}

/// The range of a node in a real file: its own if the user wrote it, possibly as a macro's argument; else that of the
/// outermost macro call in the source that expands to it.
fn real_range(db: &Database, file: HirFileId, range: TextRange) -> (FileId, TextRange) {
    let mut at = InFile::new(file, range);
    loop {
        let macro_file = match at.file_id {
            HirFileId::FileId(file) => return (file.file_id(db), at.value),
            HirFileId::MacroFile(file) => file,
        };
        let written_by_user =
            |offset: TextSize| InMacroFile::new(macro_file, offset).original_file_range(db).1.is_root();
        let last = at.value.end().checked_sub(TextSize::new(1)).unwrap_or(at.value.start());
        if written_by_user(at.value.start()) && written_by_user(last) {
            let found = at.original_node_file_range_rooted(db);
            return (found.file_id.file_id(db), found.range);
        }
        at = call_of(db, macro_file);
    }
}
