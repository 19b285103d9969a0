//! Queries of HTTP targets that a program may read: those in string literals, such as `/files?sort=name`, and the names
//! that it looks for in a query.

use super::documents::{Format, Shape, Type, documents, documents_of};
use ra_ap_syntax::{
    AstNode, AstToken, NodeOrToken, SourceFile,
    ast::{self, HasArgList},
};
use serde_json::Value;
use std::collections::BTreeSet;

/// Maximum length of a query, in bytes.
const LONGEST: usize = 128;
/// Parts of names of variables that hold a query.
const HOLDS_QUERY: [&str; 2] = ["query", "params"];

/// Names, with `=` if a value follows, such as `q=`.
pub(super) type Queries = BTreeSet<Box<[u8]>>;

/// The parts of queries in a source file.
pub(super) fn of(file: &SourceFile) -> Queries {
    let mut found = Queries::new();
    for element in file.syntax().descendants_with_tokens() {
        match element {
            NodeOrToken::Token(token) => {
                let text = ast::String::cast(token).and_then(|it| it.value().ok().map(|it| it.into_owned()));
                text.iter().for_each(|it| in_text(it, &mut found));
            }
            NodeOrToken::Node(node) => {
                let (receiver, args) = match (ast::MethodCallExpr::cast(node.clone()), ast::CallExpr::cast(node)) {
                    (Some(call), _) => (call.receiver(), call.arg_list()),
                    (_, Some(call)) => (None, call.arg_list()),
                    _ => continue,
                };
                let args: Vec<ast::Expr> = args.into_iter().flat_map(|it| it.args()).collect();
                if receiver.iter().chain(&args).any(holds_query) {
                    found.extend(args.iter().filter_map(name));
                }
            }
        }
    }
    found
}

/// The parts of the query in a text: what begins with `?` or `&`.
fn in_text(text: &str, found: &mut Queries) {
    let Some((_, query)) = text.split_once('?') else { return };
    for part in query.split('&') {
        let end = part.find(|it: char| !(it.is_ascii_alphanumeric() || "_-.".contains(it))).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let has_end = rest.is_empty() || rest.starts_with(['=', '#']);
        if name.starts_with(|it: char| it.is_ascii_alphabetic()) && name.len() <= LONGEST && has_end {
            let name = if rest.starts_with('=') { format!("{name}=") } else { name.to_owned() };
            found.insert(name.into_bytes().into());
        }
    }
}

/// Whether an expression is a variable or field whose name says that it holds a query, or a reference to one.
fn holds_query(expr: &ast::Expr) -> bool {
    let name = match expr {
        ast::Expr::RefExpr(it) => return it.expr().is_some_and(|it| holds_query(&it)),
        ast::Expr::PathExpr(it) => it.path().and_then(|it| it.as_single_name_ref()),
        ast::Expr::FieldExpr(it) => it.name_ref(),
        _ => None,
    };
    name.is_some_and(|it| HOLDS_QUERY.iter().any(|part| it.text().contains(part)))
}

/// A literal that may be a name in a query.
fn name(expr: &ast::Expr) -> Option<Box<[u8]>> {
    let ast::Expr::Literal(literal) = expr else { return None };
    let ast::LiteralKind::String(text) = literal.kind() else { return None };
    let text = text.value().ok()?.into_owned();
    let is_name = (1..=LONGEST).contains(&text.len())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"_-.".contains(&it));
    is_name.then(|| text.into_bytes().into())
}

/// Whole queries for types that derive `Deserialize`: those of plain values.
pub(super) fn of_types(shapes: &[Shape]) -> Queries {
    documents(shapes, Format::Json).iter().filter_map(|it| of_document(it)).collect()
}

/// Whole queries for one type.
pub(super) fn of_type(shapes: &[Shape], ty: &Type) -> Queries {
    documents_of(shapes, ty, Format::Json).iter().filter_map(|it| of_document(it)).collect()
}

/// The query for a document of plain values.
fn of_document(document: &[u8]) -> Option<Box<[u8]>> {
    let Ok(Value::Object(fields)) = serde_json::from_slice(document) else { return None };
    let part = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Some(format!("{name}={}", text.replace(['/', ':'], ""))),
        Value::Bool(_) | Value::Number(_) => Some(format!("{name}={value}")),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    let parts: Option<Vec<String>> = fields.iter().map(part).collect();
    parts.map(|it| it.join("&")).filter(|it| (1..=LONGEST).contains(&it.len())).map(|it| it.into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::documents::shapes_of;
    use ra_ap_syntax::Edition;

    fn shown(queries: &Queries) -> Vec<&str> {
        queries.iter().map(|it| std::str::from_utf8(it).unwrap()).collect()
    }

    #[test]
    fn names_in_literals_and_calls() {
        let source = r#"
fn main() {
    get(format!("{url}?q={}&sort=name&x={y}", word));
    get("/a?zip");
    print("Really? yes", "what?", "a & b");
    if has_flag(&query_params, "json") || request.query.contains_key("edit") {}
    map.get("other");
}
"#;
        let found = of(&SourceFile::parse(source, Edition::CURRENT).tree());
        assert_eq!(shown(&found), ["edit", "json", "q=", "sort=", "x=", "zip"]);
    }

    #[test]
    fn queries_of_types() {
        let source = "
            #[derive(Deserialize)] struct Page { from: usize, name: Option<String> }
            #[derive(Deserialize)] struct Deep { list: Vec<String> }
        ";
        let found = of_types(&shapes_of(&SourceFile::parse(source, Edition::CURRENT).tree()));
        let found = shown(&found);
        assert!(!found.is_empty() && found.iter().all(|it| it.starts_with("from=")), "{found:?}");
        assert!(found.iter().any(|it| it.contains("&name=")), "{found:?}");
    }
}
