//! The endpoints of a server: the routes that its source registers, with their methods and with what their handlers read.
//!
//! They are found in the source text, in the forms that actix-web, axum, poem, Rocket, salvo and tide have, and in matches
//! on a method and a path. A handler is looked up by its name, and so is a function that registers the routes of a group.

use super::{
    documents::{Format, Shape, Type, documents_of},
    queries,
};
use interp::host::{Endpoint, PathSegment};
use ra_ap_syntax::{
    AstNode, AstToken, NodeOrToken, SourceFile, SyntaxKind, SyntaxNode, TextRange,
    ast::{self, HasArgList, HasAttrs, HasName},
};

/// Names of methods, of functions that route them, and of attributes.
const METHODS: [&str; 7] = ["get", "post", "put", "delete", "patch", "head", "options"];
/// Functions and attributes that route any method.
const ROUTES: [&str; 6] = ["route", "at", "resource", "path", "any", "to"];
/// Functions that register a group of routes below a path.
const NESTS: [&str; 4] = ["nest", "scope", "mount", "nest_service"];
/// First characters of a parameter in a path.
const PARAMETER: [char; 4] = ['{', ':', '<', '*'];
/// Types of numbers.
const NUMBERS: [&str; 12] = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
/// Maximum length of a path, in bytes.
const LONGEST: usize = 64;
/// How deep groups are nested.
const DEEPEST: usize = 4;
/// Maximum number of groups in which one registration lies.
const MOST_PREFIXES: usize = 2;

/// The parameters of a handler, whose types say what it reads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Handler {
    /// By name.
    parameters: Vec<(String, Type)>,
}

impl Handler {
    fn of(list: Option<ast::ParamList>) -> Handler {
        let parameter = |it: ast::Param| (it.pat().map(|it| it.syntax().text().to_string()), Type::of(it.ty()));
        let all = list.into_iter().flat_map(|it| it.params()).map(parameter);
        Handler { parameters: all.map(|(name, ty)| (name.unwrap_or_default(), ty)).collect() }
    }

    /// The type that one of these extractors has as its argument.
    fn extracts(&self, extractors: &[&str]) -> Option<&Type> {
        let found = self.parameters.iter().find_map(|(_, ty)| find(ty, extractors))?;
        found.arguments.first()
    }

    /// The type of a parameter of the path.
    fn parameter(&self, name: &str, index: usize) -> Option<&Type> {
        match self.extracts(&["Path"]) {
            Some(tuple) if tuple.name == "(" => tuple.arguments.get(index),
            Some(ty) => Some(ty),
            None => self.parameters.iter().find(|it| it.0 == name).map(|it| &it.1),
        }
    }
}

/// The first type with one of these names in a type.
fn find<'a>(ty: &'a Type, names: &[&str]) -> Option<&'a Type> {
    match names.contains(&ty.name.as_str()) {
        true => Some(ty),
        false => ty.arguments.iter().find_map(|it| find(it, names)),
    }
}

/// Where a handler is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum HandlerAt {
    Named(String),
    Here(Handler),
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Registration {
    /// Any if it is empty.
    method: String,
    path: String,
    handler: HandlerAt,
    /// The paths of groups around it in the source.
    prefix: String,
    /// The function that registers it, and the module around it in the file.
    within: Function,
}

/// A function, with the module around it in its file, or a variable in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Function {
    name: String,
    module: Option<String>,
    variable: Option<String>,
}

impl Function {
    /// The function around a node, and the variable that the node is the value of.
    fn around(node: &SyntaxNode) -> Function {
        let variable = node.ancestors().take_while(|it| !ast::Fn::can_cast(it.kind())).find_map(ast::LetStmt::cast);
        let variable = variable.and_then(|it| it.pat()).map(|it| it.syntax().text().to_string());
        let name = node.ancestors().find_map(ast::Fn::cast).and_then(|it| it.name());
        let module = node.ancestors().find_map(ast::Module::cast).and_then(|it| it.name());
        Function {
            name: name.map(|it| it.text().to_string()).unwrap_or_default(),
            module: module.map(|it| it.text().to_string()),
            variable: variable.map(|it| it.trim_start_matches("mut ").to_owned()),
        }
    }

    fn is_same(&self, other: &Function) -> bool {
        self.name == other.name && self.module == other.module
    }
}

/// A group of routes, with the names in it and those before them, as in `users::routes`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Nest {
    path: String,
    names: Vec<(Option<String>, String)>,
    within: Function,
}

/// The handlers, routes and groups of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FileEndpoints {
    handlers: Vec<(String, Handler)>,
    registrations: Vec<Registration>,
    nests: Vec<Nest>,
}

/// The handlers, routes and groups of a source file.
pub(super) fn of(file: &SourceFile) -> FileEndpoints {
    let mut found = FileEndpoints::default();
    // In the order of the source, so a group comes after those around it.
    let mut groups: Vec<(TextRange, String, SyntaxNode)> = Vec::new();
    for node in file.syntax().descendants() {
        let Some((name, arguments)) = call(&node).filter(|it| NESTS.contains(&&*it.0)) else { continue };
        if let Some((path, _)) = route(&arguments) {
            let range = if name == "scope" { chain(&node).text_range() } else { arguments.syntax().text_range() };
            groups.push((range, path, node));
        }
    }
    let prefix_of = |node: &SyntaxNode| -> String {
        let is_around = |(range, _, other): &&(TextRange, String, SyntaxNode)| {
            other != node && range.contains_range(node.text_range())
        };
        groups.iter().filter(is_around).map(|(_, path, _)| path.as_str()).collect()
    };
    for (range, path, node) in &groups {
        let inner = groups.iter().map(|it| it.0).filter(|it| it != range && range.contains_range(*it));
        let names = names_in(file.syntax(), *range, &inner.collect::<Vec<_>>());
        found.nests.push(Nest { path: prefix_of(node) + path, names, within: Function::around(node) });
    }
    for node in file.syntax().descendants() {
        if let Some(function) = ast::Fn::cast(node.clone()) {
            let name = function.name().map(|it| it.text().to_string()).unwrap_or_default();
            attributes(&function, &name, &mut found.registrations);
            found.handlers.push((name, Handler::of(function.param_list())));
        } else if let Some(pattern) = ast::TuplePat::cast(node.clone()) {
            found.registrations.extend(matched(&pattern));
        } else if let Some((name, arguments)) = call(&node)
            && !NESTS.contains(&&*name)
            && let Some((path, others)) = route(&arguments)
        {
            let prefix = prefix_of(&node);
            let within = Function::around(&node);
            for (method, handler) in routed(&node, &name, &others) {
                let (path, prefix, within) = (path.clone(), prefix.clone(), within.clone());
                found.registrations.push(Registration { method, path, handler, prefix, within });
            }
        }
    }
    found
}

/// The name of a called function or method, and its arguments.
fn call(node: &SyntaxNode) -> Option<(String, ast::ArgList)> {
    if let Some(call) = ast::MethodCallExpr::cast(node.clone()) {
        return Some((call.name_ref()?.text().to_string(), call.arg_list()?));
    }
    let call = ast::CallExpr::cast(node.clone())?;
    let ast::Expr::PathExpr(path) = call.expr()? else { return None };
    Some((last_name(&path)?, call.arg_list()?))
}

fn last_name(path: &ast::PathExpr) -> Option<String> {
    Some(path.path()?.segment()?.name_ref()?.text().to_string())
}

/// The route that the first of these arguments is, and the others.
fn route(arguments: &ast::ArgList) -> Option<(String, Vec<ast::Expr>)> {
    let mut all = arguments.args();
    let ast::Expr::Literal(literal) = all.next()? else { return None };
    let ast::LiteralKind::String(text) = literal.kind() else { return None };
    let text = text.value().ok()?.into_owned();
    let is_route = text.starts_with('/') && text.len() <= LONGEST && text.bytes().all(|it| it.is_ascii_graphic());
    is_route.then(|| (text, all.collect()))
}

/// The last call of a chain of method calls.
fn chain(node: &SyntaxNode) -> SyntaxNode {
    let mut last = node.clone();
    while let Some(next) = last.parent().filter(|it| is_called_on(it, &last)) {
        last = next;
    }
    last
}

fn is_called_on(call: &SyntaxNode, receiver: &SyntaxNode) -> bool {
    let call = ast::MethodCallExpr::cast(call.clone());
    call.and_then(|it| it.receiver()).is_some_and(|it| it.syntax() == receiver)
}

/// The names in a range, also in macro calls, but not those in inner ranges.
fn names_in(file: &SyntaxNode, range: TextRange, inner: &[TextRange]) -> Vec<(Option<String>, String)> {
    let mut found: Vec<(Option<String>, String)> = Vec::new();
    let mut before: Option<String> = None;
    let mut colons = 0;
    for token in file.covering_element(range).as_node().into_iter().flat_map(|it| it.descendants_with_tokens()) {
        let is_inside = |range: &TextRange| range.contains_range(token.text_range());
        if !is_inside(&range) || inner.iter().any(is_inside) {
            continue;
        }
        let Some(token) = token.into_token() else { continue };
        match token.kind() {
            SyntaxKind::IDENT => {
                let name = token.text().to_owned();
                found.push((before.take().filter(|_| colons == 2), name.clone()));
                (before, colons) = (Some(name), 0);
            }
            SyntaxKind::COLON2 => colons = 2,
            SyntaxKind::COLON => colons += 1,
            _ => (before, colons) = (None, 0),
        }
    }
    found
}

/// The methods and handlers that a call with a route registers.
fn routed(node: &SyntaxNode, name: &str, others: &[ast::Expr]) -> Vec<(String, HandlerAt)> {
    // `router.get("/", handler)`
    if METHODS.contains(&name)
        && let [handler @ (ast::Expr::PathExpr(_) | ast::Expr::ClosureExpr(_))] = others
    {
        return vec![(name.to_uppercase(), handler_at(Some(handler.clone())))];
    }
    let mut found: Vec<(String, HandlerAt)> = Vec::new();
    let mut parts: Vec<SyntaxNode> = others.iter().map(|it| it.syntax().clone()).collect();
    let mut last = node.clone();
    while let Some(next) = last.parent().filter(|it| is_called_on(it, &last)) {
        // The next call with a route is another registration.
        let Some((called, arguments)) = call(&next).filter(|it| route(&it.1).is_none()) else { break };
        match arguments.args().next() {
            Some(handler) if METHODS.contains(&&*called) => found.extend(own_method(&called, &handler)),
            _ if ROUTES.contains(&&*called) => parts.push(arguments.syntax().clone()),
            _ => {}
        }
        last = next;
    }
    for part in &parts {
        let is_in_closure = |node: &SyntaxNode| {
            let around = node.ancestors().skip(1).take_while(|it| it != part);
            around.map(|it| it.kind()).any(ast::ClosureExpr::can_cast)
        };
        for node in part.descendants().filter(|it| !is_in_closure(it)) {
            let Some((called, arguments)) = call(&node).filter(|it| METHODS.contains(&&*it.0)) else { continue };
            match arguments.args().next() {
                Some(handler) => found.extend(own_method(&called, &handler)),
                // `web::get().guard(..).to(handler)`
                None => {
                    let calls = node.ancestors().skip(1).map_while(ast::MethodCallExpr::cast);
                    let mut to = calls.filter(|it| it.name_ref().is_some_and(|it| it.text() == "to"));
                    let handler = to.next().and_then(|it| it.arg_list()).and_then(|it| it.args().next());
                    found.push((called.to_uppercase(), handler_at(handler)));
                }
            }
        }
    }
    if found.is_empty() && ROUTES.contains(&name) {
        let handler = others.iter().find(|it| matches!(it, ast::Expr::PathExpr(_) | ast::Expr::ClosureExpr(_)));
        found.push((String::new(), handler_at(handler.cloned())));
    }
    found
}

/// `get(handler)`, where the argument may be one.
fn own_method(method: &str, handler: &ast::Expr) -> Option<(String, HandlerAt)> {
    let is_handler = !matches!(handler, ast::Expr::Literal(_) | ast::Expr::RefExpr(_) | ast::Expr::MacroExpr(_));
    is_handler.then(|| (method.to_uppercase(), handler_at(Some(handler.clone()))))
}

fn handler_at(handler: Option<ast::Expr>) -> HandlerAt {
    match handler {
        Some(ast::Expr::PathExpr(path)) => last_name(&path).map_or(HandlerAt::Unknown, HandlerAt::Named),
        Some(ast::Expr::ClosureExpr(closure)) => HandlerAt::Here(Handler::of(closure.param_list())),
        _ => HandlerAt::Unknown,
    }
}

/// The endpoints that attributes of a function register: `#[get("/")]`, `#[route("/", method = "GET")]`.
fn attributes(function: &ast::Fn, name: &str, found: &mut Vec<Registration>) {
    for attribute in function.attrs() {
        let Some(segment) = attribute.path().and_then(|it| it.segment()).and_then(|it| it.name_ref()) else { continue };
        let segment = segment.text().to_string();
        let tokens = attribute.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
        let mut texts = tokens.filter_map(ast::String::cast).filter_map(|it| Some(it.value().ok()?.into_owned()));
        let methods: Vec<String> = match METHODS.contains(&&*segment) {
            true => vec![segment.to_uppercase()],
            false if segment == "route" => Vec::new(),
            false => continue,
        };
        let Some(path) = texts.next().filter(|it| it.starts_with('/') && it.len() <= LONGEST) else { continue };
        let mut methods = [methods, texts.filter(|it| is_method(it)).map(|it| it.to_uppercase()).collect()].concat();
        if methods.is_empty() {
            methods.push(String::new());
        }
        // Rocket writes queries into the path.
        let path = path.split('?').next().unwrap_or_default().to_owned();
        found.extend(methods.into_iter().map(|method| Registration {
            method,
            path: path.clone(),
            handler: HandlerAt::Named(name.to_owned()),
            prefix: String::new(),
            within: Function::around(function.syntax()),
        }));
    }
}

fn is_method(text: &str) -> bool {
    METHODS.iter().any(|it| text.eq_ignore_ascii_case(it))
}

/// `(&Method::GET, "/")` in a match.
fn matched(pattern: &ast::TuplePat) -> Option<Registration> {
    let parts: Vec<ast::Pat> = pattern.fields().collect();
    let [method, ast::Pat::LiteralPat(path)] = &parts[..] else { return None };
    let ast::LiteralKind::String(path) = path.literal()?.kind() else { return None };
    let path = path.value().ok()?.into_owned();
    let method = method.syntax().text().to_string();
    let method = method.trim_matches(['&', '"']).rsplit("::").next()?.to_owned();
    let within = Function::around(pattern.syntax());
    (is_method(&method) && path.starts_with('/') && path.len() <= LONGEST).then(|| Registration {
        method: method.to_uppercase(),
        path,
        handler: HandlerAt::Unknown,
        prefix: String::new(),
        within,
    })
}

/// The endpoints of files, each with the name of its module.
pub(super) fn endpoints(files: &[(Option<String>, FileEndpoints)], shapes: &[Shape]) -> Vec<Endpoint> {
    let mut found: Vec<Endpoint> = Vec::new();
    for (module, file) in files {
        for registration in &file.registrations {
            let Registration { method, path, handler, prefix, within } = registration;
            let named = |name: &str| {
                let here = file.handlers.iter().find(|it| it.0 == name);
                let anywhere = || files.iter().flat_map(|it| &it.1.handlers).find(|it| it.0 == name);
                here.or_else(anywhere).map(|it| it.1.clone())
            };
            let handler = match handler {
                HandlerAt::Named(name) => named(name).unwrap_or_default(),
                HandlerAt::Here(handler) => handler.clone(),
                HandlerAt::Unknown => Handler::default(),
            };
            for outer in prefixes(files, module.as_deref(), within, prefix, DEEPEST) {
                found.push(endpoint(method, &format!("{outer}{prefix}/{path}"), &handler, shapes));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The paths of the groups in which what a function registers lies. `module` is that of its file.
fn prefixes(
    files: &[(Option<String>, FileEndpoints)],
    module: Option<&str>,
    function: &Function,
    own: &str,
    depth: usize,
) -> Vec<String> {
    let module = function.module.as_deref().or(module);
    let is_it = |(before, name): &(Option<String>, String)| {
        let is_of_module = match (before.as_deref(), module) {
            (None | Some("self" | "super" | "crate"), _) | (_, None) => true,
            (Some(before), Some(module)) => before == module,
        };
        *name == function.name && is_of_module
    };
    let mut found: Vec<String> = Vec::new();
    for (outer_module, file) in files {
        // A group within its own function is around it in the source, or has its variable.
        let has_variable = |nest: &Nest| {
            let variable = |(before, name): &(Option<String>, String)| {
                before.is_none() && Some(name) == function.variable.as_ref()
            };
            nest.within.is_same(function) && nest.names.iter().any(variable)
        };
        let is_around = |nest: &Nest| !nest.within.is_same(function) && nest.names.iter().any(is_it);
        let nests = file.nests.iter().filter(|it| !own.contains(&it.path));
        for nest in nests.filter(|it| has_variable(it) || is_around(it)) {
            let outer = match depth.checked_sub(1) {
                Some(depth) if nest.within != *function => {
                    prefixes(files, outer_module.as_deref(), &nest.within, &nest.path, depth)
                }
                _ => vec![String::new()],
            };
            found.extend(outer.into_iter().map(|it| format!("{it}{}", nest.path)));
        }
    }
    if found.is_empty() {
        found.push(String::new());
    }
    found.truncate(MOST_PREFIXES);
    found
}

fn endpoint(method: &str, path: &str, handler: &Handler, shapes: &[Shape]) -> Endpoint {
    let mut parameters = 0;
    let segments = path.split('/').filter(|it| !it.is_empty()).map(|segment| {
        let Some(rest) = segment.strip_prefix(PARAMETER) else {
            return PathSegment::Text(segment.as_bytes().into());
        };
        let name = rest.split(['}', '>', ':', '.']).find(|it| !it.is_empty()).unwrap_or_default();
        let ty = handler.parameter(name, parameters);
        parameters += 1;
        match ty.map(|it| it.name.as_str()) {
            Some(name) if NUMBERS.contains(&name) => PathSegment::Number,
            Some("Uuid") => PathSegment::Uuid,
            _ => PathSegment::Word,
        }
    });
    let path = segments.collect();
    let texts = |ty: Option<&Type>| ty.map(|it| queries::of_type(shapes, it)).into_iter().flatten().collect();
    let documents = handler.extracts(&["Json"]).map(|it| documents_of(shapes, it, Format::Json));
    Endpoint {
        method: method.as_bytes().into(),
        path,
        queries: texts(handler.extracts(&["Query"])),
        documents: documents.unwrap_or_default().into(),
        forms: texts(handler.extracts(&["Form"])),
    }
}

#[cfg(test)]
mod tests;
