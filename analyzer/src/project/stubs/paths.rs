//! Rewrites the paths in a piece of syntax for another crate.

use hir_def::{
    ModuleDefId, ModuleId,
    find_path::{FindPathConfig, PrefixKind, find_path},
    item_scope::ItemInNs,
    resolver::Resolver,
};
use ra_ap_hir::{Name, db::HirDatabase};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand::mod_path::{ModPath, PathKind};
use ra_ap_intern::Symbol;
use ra_ap_span::Edition;
use ra_ap_syntax::{
    AstNode, SyntaxKind, SyntaxNode, TextRange,
    ast::{self, HasGenericArgs as _, HasName as _, PathSegmentKind},
};

/// How the paths of an item are written in another module.
pub(super) struct PathRewriter<'a> {
    pub(super) db: &'a dyn HirDatabase,
    /// The scope of the item.
    pub(super) scope: &'a Resolver<'a>,
    /// The other module.
    pub(super) to: ModuleId,
    /// The names of generic parameters, which stay as they are.
    pub(super) params: Vec<String>,
}

impl PathRewriter<'_> {
    /// The text of a node for the other module; `None` if it names something that cannot be named there.
    pub(super) fn rewrite(&self, node: &SyntaxNode) -> Option<String> {
        if node.descendants().any(|it| ast::MacroCall::can_cast(it.kind())) {
            return None;
        }
        let mut replaced: Vec<(TextRange, String)> = Vec::new();
        for path in node.descendants().filter_map(ast::Path::cast) {
            if path.parent_path().is_none() {
                replaced.extend(self.replacement(&path)?);
            }
        }
        let mut pieces: Vec<String> = Vec::new();
        let mut next = replaced.into_iter().peekable();
        for token in node.descendants_with_tokens().filter_map(|it| it.into_token()) {
            let range = token.text_range();
            match next.peek() {
                Some((of, by)) if of.contains_range(range) => {
                    if of.start() == range.start() {
                        pieces.push(by.clone());
                    }
                    if of.end() == range.end() {
                        next.next();
                    }
                }
                _ if matches!(token.kind(), SyntaxKind::WHITESPACE | SyntaxKind::COMMENT) => {}
                _ => pieces.push(token.text().to_owned()),
            }
        }
        Some(joined(&pieces))
    }

    /// The start of a path up to the item that it names, and what is written there instead. The outer `None` says that
    /// the item cannot be named.
    fn replacement(&self, path: &ast::Path) -> Option<Option<(TextRange, String)>> {
        let mut kind = if path.first_segment()?.coloncolon_token().is_some() { PathKind::Abs } else { PathKind::Plain };
        let mut names: Vec<Name> = Vec::new();
        let mut found = None;
        for (index, segment) in path.segments().enumerate() {
            if segment.syntax().text().to_string().starts_with('$') {
                return None;
            }
            match segment.kind()? {
                PathSegmentKind::Name(name) if index == 0 && self.params.iter().any(|it| *it == *name.text()) => {
                    return Some(None);
                }
                PathSegmentKind::Name(name) => {
                    names.push(self::name(name.text()));
                    let whole = ModPath::from_segments(kind, names.iter().cloned());
                    let def = self.scope.resolve_module_path_in_items(self.db, &whole).take_types();
                    if let Some(def) = def {
                        let range =
                            TextRange::new(path.syntax().text_range().start(), name.syntax().text_range().end());
                        found = Some((range, def));
                    }
                    if segment.generic_arg_list().is_some() || segment.parenthesized_arg_list().is_some() {
                        break;
                    }
                }
                PathSegmentKind::SelfTypeKw | PathSegmentKind::Type { .. } => return Some(None),
                PathSegmentKind::SelfKw => kind = PathKind::SELF,
                PathSegmentKind::SuperKw => {
                    kind = match kind {
                        PathKind::Super(level) => PathKind::Super(level + 1),
                        _ => PathKind::Super(1),
                    };
                }
                PathSegmentKind::CrateKw => kind = PathKind::Crate,
            }
        }
        // A path within an expanded item may be absolute already.
        if kind == PathKind::Abs {
            return Some(None);
        }
        let (range, def) = found?;
        Some(Some((range, self.path_to(def)?)))
    }

    /// The path of an item in the other module; `None` if it has none there.
    pub(super) fn path_to(&self, def: ModuleDefId) -> Option<String> {
        let config =
            FindPathConfig { prefer_no_std: false, prefer_prelude: true, prefer_absolute: false, allow_unstable: true };
        let path = find_path(self.db, ItemInNs::Types(def), self.to, PrefixKind::Plain, false, config)?;
        Some(path.display(self.db, Edition::CURRENT).to_string())
    }
}

/// The text of tokens in a signature. Those of expanded code have no white space between them.
fn joined(tokens: &[String]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map_or("(", |before| &tokens[before]);
        let is_open = matches!(before, "(" | "[" | "<" | "&" | "::" | "!" | "?" | "*");
        let is_kept = match token.as_str() {
            ")" | "]" | ">" | "," | ";" | ":" | "::" | "?" => true,
            "(" | "<" => !matches!(before, "->" | "," | ":" | "+" | "=" | "dyn" | "impl" | "where" | "mut"),
            _ => false,
        };
        if !is_open && !is_kept {
            text.push(' ');
        }
        text.push_str(token);
    }
    text
}

/// A name as resolution knows it.
pub(super) fn name(text: &str) -> Name {
    Name::new_symbol_root(Symbol::intern(text))
}

/// The names of the parameters in a list.
pub(super) fn param_names(list: Option<&ast::GenericParamList>) -> Vec<String> {
    let params = list.into_iter().flat_map(|list| list.generic_params());
    let name = |param: ast::GenericParam| match param {
        ast::GenericParam::TypeParam(it) => it.name().map(|it| it.text().to_string()),
        ast::GenericParam::ConstParam(it) => it.name().map(|it| it.text().to_string()),
        ast::GenericParam::LifetimeParam(it) => it.lifetime().map(|it| it.text().to_string()),
    };
    params.filter_map(name).collect()
}
