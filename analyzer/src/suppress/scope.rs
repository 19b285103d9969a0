//! What a comment covers: the line of code behind which it stands, or the text of what it stands above.

use crate::project::{Location, Project};
use ra_ap_hir::Module;
use ra_ap_syntax::{AstNode, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, ast};
use ra_ap_vfs::FileId;

/// What a comment covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// A line of a file.
    Line(String, u32),
    /// Texts: a statement, a field, an item; the files of a module.
    Texts(Vec<Location>),
}

impl Scope {
    /// The scope of a comment. `line` is the line of code that it belongs to.
    pub(super) fn of(project: &Project, file: FileId, comment: &SyntaxToken, at: &Location, line: u32) -> Scope {
        // A comment behind code belongs to that line alone.
        let node = if line == at.line { None } else { node_below(comment) };
        let Some(node) = node else { return Scope::Line(at.path.clone(), line) };
        let mut texts = vec![project.locate(file, node.text_range())];
        if let Some(module) = ast::Module::cast(node) {
            texts.extend(files_of(project, file, &module));
        }
        Scope::Texts(texts)
    }

    /// Whether it contains the start of a location.
    pub(super) fn contains(&self, location: &Location) -> bool {
        let at = (location.line, location.column);
        match self {
            Scope::Line(path, line) => location.path == *path && location.line == *line,
            Scope::Texts(texts) => texts.iter().any(|text| {
                location.path == text.path && (text.line, text.column) <= at && at < (text.end_line, text.end_column)
            }),
        }
    }
}

/// The statement, field or item that begins below a comment.
fn node_below(comment: &SyntaxToken) -> Option<SyntaxNode> {
    let is_skipped = |token: &SyntaxToken| token.kind().is_trivia();
    let first = std::iter::successors(comment.next_token(), SyntaxToken::next_token).find(|it| !is_skipped(it))?;
    let begins_there = |node: &SyntaxNode| {
        let mut tokens = node.descendants_with_tokens().filter_map(|it| it.into_token());
        tokens.find(|it| !is_skipped(it)).as_ref() == Some(&first)
    };
    first.parent_ancestors().take_while(begins_there).find(is_covered_whole)
}

/// Whether a comment above a node covers its text.
fn is_covered_whole(node: &SyntaxNode) -> bool {
    let is_field = |kind| ast::RecordField::can_cast(kind) || ast::TupleField::can_cast(kind);
    let is_last_of_block = || node.parent().is_some_and(|it| it.kind() == SyntaxKind::STMT_LIST);
    let kind = node.kind();
    ast::Item::can_cast(kind) || is_field(kind) || is_associated(kind) || is_last_of_block()
}

fn is_associated(kind: SyntaxKind) -> bool {
    ast::AssocItem::can_cast(kind) || ast::Variant::can_cast(kind)
}

/// The files of a module and of the modules in it.
fn files_of(project: &Project, file: FileId, declaration: &ast::Module) -> Vec<Location> {
    let db = project.db();
    let range = declaration.syntax().text_range();
    let mut modules: Vec<Module> = project.local_crates().into_iter().map(|krate| krate.root_module(db)).collect();
    // Modules that the declaration contains; their own modules are in other files.
    let mut inside: Vec<Module> = Vec::new();
    while let Some(module) = modules.pop() {
        for child in module.children(db) {
            let is_it = child.declaration_source(db).is_some_and(|source| {
                let declared = source.value.syntax().text_range();
                source.file_id.file_id().is_some_and(|it| it.file_id(db) == file) && range.contains_range(declared)
            });
            if is_it { inside.push(child) } else { modules.push(child) }
        }
    }
    let mut files = Vec::new();
    while let Some(module) = inside.pop() {
        inside.extend(module.children(db));
        if let Some(own) = module.as_source_file_id(db).map(|it| it.file_id(db)).filter(|own| *own != file) {
            let text = project.file_text(own);
            let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
            files.push(project.locate(own, TextRange::up_to(end.into())));
        }
    }
    files.sort();
    files.dedup();
    files
}
