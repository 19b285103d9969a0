//! The dictionary: texts among the string literals of the user's files, and documents that its types are read from. A
//! program often compares its inputs with them, and its tests often send what a peer would send.

use super::{
    Project,
    command_lines::{self, CommandLines},
    command_options,
    documents::{Format, Shape, documents, shapes_of},
    endpoints::{self, FileEndpoints},
    queries::{self, Queries},
};
use hir_def::nameres::crate_def_map;
use hir_expand::name::Name;
use hir_ty::db::HirDatabase;
use interp::host::{CommandLine, CommandOption, Dictionary};
use ra_ap_base_db::{Crate, CrateOrigin, EditionedFileId, all_crates};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{
    AstNode, AstToken,
    ast::{self, HasArgList},
};
use std::{collections::BTreeSet, sync::Arc};

/// Maximum length of a word, in bytes.
const LONGEST: usize = 16;
/// Maximum length of a route, in bytes.
const LONGEST_ROUTE: usize = 64;
/// Maximum length of a phrase, in bytes.
const LONGEST_PHRASE: usize = 256;
/// Maximum length of a text that is looked for, in bytes.
const LONGEST_SEARCHED: usize = 40;
/// Words in crates that start programs.
const STARTS: [&str; 2] = ["process::Command", "Command::new"];
/// Methods that look for a text.
const SEARCHES: [&str; 9] =
    ["contains", "starts_with", "ends_with", "strip_prefix", "strip_suffix", "split_once", "find", "split", "matches"];
/// Maximum number of words, and of phrases.
const MOST: usize = 256;
/// Libraries of HTTP that others are built on.
const HTTP: [&str; 8] = ["hyper", "httparse", "http", "actix_http", "async_h1", "tiny_http", "rouille", "tungstenite"];

type Texts = BTreeSet<Box<[u8]>>;

impl Project {
    /// The dictionary of a crate and the user's crates that it needs, sorted. Phrases also come from crates of the same
    /// packages, such as tests, and from those that need one of these crates.
    pub fn dictionary(&self, krate: Crate) -> Dictionary {
        let is_local = |it: &Crate| self.is_local((*it).into());
        let all = krate.transitive_deps(&self.db);
        let own: Vec<Crate> = all.iter().copied().filter(is_local).collect();
        let name = |it: &Crate| it.extra_data(&self.db).display_name.as_ref().map(|it| it.crate_name().to_string());
        let names: BTreeSet<String> = all.iter().filter_map(name).collect();
        let speaks_http = HTTP.iter().any(|it| names.contains(*it));
        let queries_of = |file| if speaks_http { queries_in(&self.db, file) } else { Queries::new() };
        let (mut words, mut phrases, mut routes, mut shapes) = (Texts::new(), Texts::new(), Texts::new(), Vec::new());
        let mut options: Vec<CommandOption> = Vec::new();
        let mut of_endpoints: Vec<(Option<String>, FileEndpoints)> = Vec::new();
        let (mut command_lines, mut tests, mut queries): (Vec<CommandLine>, Vec<_>, Queries) = Default::default();
        for krate in &own {
            for file in self.files_of(*krate) {
                let of_file = texts_of(&self.db, file);
                words.extend(of_file.words.iter().cloned());
                phrases.extend(of_file.phrases.iter().cloned());
                routes.extend(of_file.routes.iter().cloned());
                options.extend(of_file.options.iter().cloned());
                shapes.extend(shapes_in(&self.db, file).iter().cloned());
                command_lines.extend(command_lines_in(&self.db, file).parsed.iter().cloned());
                queries.extend(queries_of(file));
            }
            if speaks_http {
                let modules = crate_def_map(&self.db, *krate).modules();
                let files = modules.filter_map(|(id, module)| Some((id.name(&self.db), module.origin.file_id()?)));
                let of_file = |(name, file): (Option<_>, _)| {
                    (name.map(|it: Name| it.as_str().to_owned()), endpoints_in(&self.db, file))
                };
                of_endpoints.extend(files.map(of_file));
            }
        }
        let own_packages: Vec<_> = own.iter().map(|it| &it.data(&self.db).origin).collect();
        let is_beside = |it: &Crate| match &it.data(&self.db).origin {
            origin @ CrateOrigin::Local { name: Some(_), .. } if own_packages.contains(&origin) => true,
            _ => it.transitive_deps(&self.db).iter().any(|it| own.contains(it)),
        };
        let beside = all_crates(&self.db);
        for krate in beside.iter().copied().filter(|it| is_local(it) && !own.contains(it) && is_beside(it)) {
            let (mut started, mut has_tests) = (Vec::new(), false);
            for file in self.files_of(krate) {
                phrases.extend(texts_of(&self.db, file).phrases.iter().cloned());
                queries.extend(queries_of(file));
                let of_file = command_lines_in(&self.db, file);
                command_lines.extend(of_file.parsed);
                tests.extend(of_file.other_tests);
                started.extend(of_file.started);
                has_tests |= of_file.has_tests;
            }
            if has_tests {
                command_lines.extend(started);
            }
        }
        // What tests often use is drawn often.
        command_lines.sort();
        let command_lines = some(command_lines);
        tests.sort();
        let tests = some(tests);
        let formats = |format| names.iter().any(|it| Format::of_crate(it) == Some(format));
        let formats = [Format::Toml, Format::Json].into_iter().filter(|it| formats(*it));
        let documents = formats.flat_map(|format| {
            let made = documents(&shapes, format);
            let shown = self.shared.shown_documents.iter().filter(move |it| it.0 == format);
            let shown: Vec<_> = shown.map(|it| it.1.clone()).collect();
            // They are drawn as often as all others together, and those of one README stay beside each other.
            let times = made.len() / shown.len().max(1);
            made.into_iter().chain((0..times.max(1)).flat_map(move |_| shown.clone()))
        });
        let documents = documents.collect();
        let searched: Texts = all.iter().flat_map(|krate| searched_in(&self.db, *krate).to_vec()).collect();
        let searched = searched.into_iter().take(MOST).collect();
        options.sort_by(|one, other| one.name.cmp(&other.name));
        options.dedup_by(|one, other| one.name == other.name);
        options.truncate(MOST);
        let options = options.into();
        if speaks_http {
            queries.extend(queries::of_types(&shapes));
        }
        let queries = some(queries);
        let endpoints = some(endpoints::endpoints(&of_endpoints, &shapes));
        let texts = limited(words, phrases, routes);
        Dictionary { documents, searched, options, command_lines, tests, queries, endpoints, speaks_http, ..texts }
    }

    fn files_of(&self, krate: Crate) -> impl Iterator<Item = EditionedFileId> {
        crate_def_map(&self.db, krate).modules().filter_map(|(_, module)| module.origin.file_id())
    }
}

fn limited(words: Texts, phrases: Texts, routes: Texts) -> Dictionary {
    Dictionary { words: some(words), phrases: some(phrases), routes: some(routes), ..Dictionary::default() }
}

/// As many as a dictionary has of one kind: of many that are sorted, some of all letters.
fn some<T>(all: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>) -> Arc<[T]> {
    let all = all.into_iter();
    let step = all.len().div_ceil(MOST).max(1);
    all.step_by(step).collect()
}

/// The texts that a crate looks for if it starts programs. Memoised as the texts are.
#[salsa::tracked(returns(clone))]
fn searched_in(db: &dyn HirDatabase, krate: Crate) -> Arc<[Box<[u8]>]> {
    if krate.data(db).origin.is_lang() {
        return Arc::default();
    }
    let files = crate_def_map(db, krate).modules().filter_map(|(_, module)| module.origin.file_id());
    let files: Vec<EditionedFileId> = files.collect();
    let starts = |it: &EditionedFileId| {
        let text = db.file_text(it.file_id(db)).text(db);
        STARTS.iter().any(|word| text.contains(word))
    };
    if !files.iter().any(starts) {
        return Arc::default();
    }
    let trees = files.iter().map(|it| it.parse(db).tree());
    let calls =
        trees.flat_map(|it| it.syntax().descendants().filter_map(ast::MethodCallExpr::cast).collect::<Vec<_>>());
    let texts: Texts = calls.filter_map(|it| searched(&it)).collect();
    texts.into_iter().take(MOST).collect()
}

/// The text that a call looks for.
fn searched(call: &ast::MethodCallExpr) -> Option<Box<[u8]>> {
    let method = call.name_ref()?;
    if !SEARCHES.iter().any(|name| method.text() == *name) {
        return None;
    }
    let ast::Expr::Literal(literal) = call.arg_list()?.args().next()? else { return None };
    let ast::LiteralKind::String(text) = literal.kind() else { return None };
    let text = text.value().ok()?.into_owned().into_bytes();
    let is_fit = (2..=LONGEST_SEARCHED).contains(&text.len()) && !text.iter().any(u8::is_ascii_control);
    is_fit.then(|| text.into())
}

/// The types of a file that are read from documents. Memoised as the texts are.
#[salsa::tracked(returns(clone))]
fn shapes_in(db: &dyn HirDatabase, file: EditionedFileId) -> Arc<[Shape]> {
    shapes_of(&file.parse(db).tree()).into()
}

/// The parts of queries in a file. Memoised as the texts are.
#[salsa::tracked(returns(clone))]
fn queries_in(db: &dyn HirDatabase, file: EditionedFileId) -> Queries {
    queries::of(&file.parse(db).tree())
}

/// The handlers, routes and groups of a file. Memoised as the texts are.
#[salsa::tracked(returns(clone))]
fn endpoints_in(db: &dyn HirDatabase, file: EditionedFileId) -> FileEndpoints {
    endpoints::of(&file.parse(db).tree())
}

/// The command lines in a file. Memoised as the texts are.
#[salsa::tracked(returns(clone))]
fn command_lines_in(db: &dyn HirDatabase, file: EditionedFileId) -> CommandLines {
    command_lines::of(&file.parse(db).tree())
}

/// The texts of a file that may enter a crate's dictionary. Memoised: each edit needs the texts of all files.
#[salsa::tracked(returns(clone))]
fn texts_of(db: &dyn HirDatabase, file: EditionedFileId) -> Dictionary {
    let (mut words, mut phrases, mut routes) = (Texts::new(), Texts::new(), Texts::new());
    let tree = file.parse(db).tree();
    for token in tree.syntax().descendants_with_tokens().filter_map(|it| it.into_token()) {
        let text: Vec<u8> = match (ast::String::cast(token.clone()), ast::ByteString::cast(token)) {
            (Some(text), _) => text.value().map(|it| it.into_owned().into_bytes()).unwrap_or_default(),
            (_, Some(text)) => text.value().map(|it| it.into_owned()).unwrap_or_default(),
            _ => continue,
        };
        if is_route(&text) {
            routes.insert(text.clone().into());
        }
        if is_word(&text) {
            words.insert(text.into());
        } else if is_phrase(&text) {
            phrases.insert(text.into());
        }
    }
    Dictionary { options: command_options::of(&tree).into(), ..limited(words, phrases, routes) }
}

/// Whether a person might type it.
fn is_word(text: &[u8]) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.iter().all(|byte| byte.is_ascii_graphic() && !b"{}".contains(byte))
}

/// Whether it might be a route: a path, perhaps with parameters as in `/{id}`, `/:id` and `/<id>`.
fn is_route(text: &[u8]) -> bool {
    text.starts_with(b"/") && text.len() <= LONGEST_ROUTE && text.iter().all(u8::is_ascii_graphic)
}

/// Whether it might be sent: it has an end of a line.
fn is_phrase(text: &[u8]) -> bool {
    (2..=LONGEST_PHRASE).contains(&text.len()) && text.contains(&b'\n') && !text.contains(&b'{')
}

#[cfg(test)]
mod tests {
    use super::{is_phrase, is_route, is_word};

    #[test]
    fn words() {
        assert!(["serve", "--jobs=4", "a"].iter().all(|it| is_word(it.as_bytes())));
        assert!(
            ["", "two words", "{}", "line\n", "more than sixteen letters"].iter().all(|it| !is_word(it.as_bytes()))
        );
    }

    #[test]
    fn routes() {
        assert!(["/", "/orders", "/orders/{id}/items", "/:user"].iter().all(|it| is_route(it.as_bytes())));
        assert!(["", "orders", "/two words"].iter().all(|it| !is_route(it.as_bytes())));
    }

    #[test]
    fn phrases() {
        assert!(["PING\r\n", "GET / HTTP/1.1\r\n\r\n"].iter().all(|it| is_phrase(it.as_bytes())));
        assert!(["", "\n", "PING", "{name}\n"].iter().all(|it| !is_phrase(it.as_bytes())));
    }
}
