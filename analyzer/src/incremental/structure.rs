//! The structure of a file: which parts of its text can change what a program does (decision 19).
//!
//! Purely syntactic, so that an edit costs the parsing of one file. Comments and white space are ignored. A function's
//! body concerns only entries that run it; everything else (the *skeleton*) concerns all entries. A *free* function, in
//! a module or an inherent impl, may be added or removed: that concerns only code that uses its name.

use ra_ap_syntax::{
    AstNode, Edition, SourceFile, SyntaxKind, SyntaxNode, SyntaxToken, T, TextRange, TextSize, ast, ast::HasName,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// How the names of functions that start threads begin.
const SPAWN: &str = "spawn";

/// The identity of a function in its file: a hash of its path.
pub(super) type FunctionKey = u64;

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Function {
    range: TextRange,
    /// Where its name is.
    name: TextRange,
    /// Whether it is a test, or starts threads by the look of it.
    is_explorable: bool,
    /// Hash of its name, if it is free.
    free: Option<u64>,
    signature: u64,
    body: u64,
    /// Hashes of the identifiers in it.
    names: FxHashSet<u64>,
}

impl Function {
    /// Hash of its name, if it is free.
    pub(super) fn free_name(&self) -> Option<u64> {
        self.free
    }

    /// Whether it is a test, or starts threads by the look of it.
    pub(super) fn is_explorable(&self) -> bool {
        self.is_explorable
    }

    /// The offsets of its name.
    pub(super) fn name_range(&self) -> (usize, usize) {
        (self.name.start().into(), self.name.end().into())
    }

    /// Hashes of the identifiers in it, in no particular order.
    pub(super) fn names(&self) -> impl Iterator<Item = u64> {
        self.names.iter().copied()
    }
}

/// The structure of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Structure {
    skeleton: u64,
    /// Hashes of the identifiers in the skeleton.
    names: FxHashSet<u64>,
    functions: FxHashMap<FunctionKey, Function>,
}

impl Structure {
    /// The structure of a source file; what cannot be parsed belongs to the skeleton.
    pub(super) fn of(text: &str) -> Structure {
        let tree = SourceFile::parse(text, Edition::CURRENT).tree();
        let mut reader = Reader::default();
        reader.read(tree.syntax(), &mut Vec::new());
        Structure { skeleton: reader.skeleton.finish(), names: reader.names, functions: reader.functions }
    }

    /// The structure of a file that is no source: any change concerns everybody.
    pub(super) fn of_text(text: &str) -> Structure {
        Structure { skeleton: hash(&text), ..Structure::default() }
    }

    /// All functions with their keys, in the order of the text.
    pub(super) fn functions(&self) -> Vec<(FunctionKey, &Function)> {
        let mut all: Vec<_> = self.functions.iter().map(|(key, function)| (*key, function)).collect();
        all.sort_unstable_by_key(|(_, function)| function.range.start());
        all
    }

    /// The function that contains this offset; `None` in the skeleton.
    pub(super) fn function_at(&self, offset: TextSize) -> Option<FunctionKey> {
        let is_there = |(_, function): &(&FunctionKey, &Function)| function.range.contains(offset);
        // The keys are those of outermost functions, which do not overlap.
        self.functions.iter().find(is_there).map(|(key, _)| *key)
    }

    /// Whether both have the same skeleton.
    pub(super) fn has_skeleton_of(&self, other: &Structure) -> bool {
        self.skeleton == other.skeleton
    }

    /// Whether both have the same function.
    pub(super) fn has_function_of(&self, other: &Structure, key: FunctionKey) -> bool {
        match (self.functions.get(&key), other.functions.get(&key)) {
            (Some(one), Some(two)) => one.signature == two.signature && one.body == two.body,
            _ => false,
        }
    }

    /// Names of the free functions that only one of the two has, or whose signatures differ.
    pub(super) fn names_that_differ(&self, other: &Structure) -> FxHashSet<u64> {
        let differ = |one: &Structure, two: &Structure| -> Vec<u64> {
            let is_known = |key, function: &Function| {
                two.functions.get(key).is_some_and(|known| known.signature == function.signature)
            };
            let functions = one.functions.iter().filter(|(key, function)| !is_known(key, function));
            functions.filter_map(|(_, function)| function.free).collect()
        };
        differ(self, other).into_iter().chain(differ(other, self)).collect()
    }

    /// Whether the skeleton uses one of these names.
    pub(super) fn uses(&self, names: &FxHashSet<u64>) -> bool {
        !self.names.is_disjoint(names)
    }

    /// Whether a function uses one of these names.
    pub(super) fn function_uses(&self, key: FunctionKey, names: &FxHashSet<u64>) -> bool {
        self.functions.get(&key).is_some_and(|function| !function.names.is_disjoint(names))
    }
}

/// A hash that is the same on every machine and in every process.
fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[derive(Default)]
struct Reader {
    skeleton: FxHasher,
    names: FxHashSet<u64>,
    functions: FxHashMap<FunctionKey, Function>,
}

impl Reader {
    /// `around` has hashes of the enclosing items.
    fn read(&mut self, node: &SyntaxNode, around: &mut Vec<u64>) {
        for child in node.children_with_tokens() {
            match child {
                ra_ap_syntax::NodeOrToken::Token(token) => self.take(&token),
                ra_ap_syntax::NodeOrToken::Node(node) => {
                    if let Some(function) = ast::Fn::cast(node.clone())
                        && self.read_function(&function, around)
                    {
                        continue;
                    }
                    let header = header(&node);
                    around.extend(header);
                    self.read(&node, around);
                    if header.is_some() {
                        around.pop();
                    }
                }
            }
        }
    }

    /// Whether the function's body is separate from the skeleton.
    fn read_function(&mut self, function: &ast::Fn, around: &[u64]) -> bool {
        let (Some(body), Some(name)) = (function.body(), function.name()) else { return false };
        // Types may depend on its value, or it adds impls.
        let is_const = function.const_token().is_some();
        let has_impl = body
            .syntax()
            .descendants()
            .any(|it| ast::Impl::can_cast(it.kind()) || ast::MacroRules::can_cast(it.kind()));
        if is_const || has_impl {
            return false;
        }
        let range = body.syntax().text_range();
        let (mut signature, mut inside) = (FxHasher::default(), FxHasher::default());
        let mut names = FxHashSet::default();
        for token in tokens(function.syntax()) {
            let part = if range.contains_range(token.text_range()) { &mut inside } else { &mut signature };
            (token.kind() as u16, token.text()).hash(part);
            names.extend(identifier(&token));
        }
        let own = name_hash(name.text());
        let signature = signature.finish();
        let is_free = is_free(function);
        if !is_free {
            // Overriding a trait's function also concerns code that does not name it.
            (own, signature).hash(&mut self.skeleton);
            self.names.insert(own);
        }
        let mut key = hash(&(around, own));
        while self.functions.contains_key(&key) {
            key = hash(&key);
        }
        let range = function.syntax().text_range();
        let free = is_free.then_some(own);
        let starts = tokens(body.syntax()).any(|it| it.kind() == SyntaxKind::IDENT && it.text().starts_with(SPAWN));
        let is_explorable = starts || is_test(function);
        let (name, body) = (name.syntax().text_range(), inside.finish());
        self.functions.insert(key, Function { range, name, is_explorable, free, signature, body, names });
        true
    }

    fn take(&mut self, token: &SyntaxToken) {
        if !token.kind().is_trivia() {
            (token.kind() as u16, token.text()).hash(&mut self.skeleton);
            self.names.extend(identifier(token));
        }
    }
}

fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.descendants_with_tokens().filter_map(|it| it.into_token()).filter(|it| !it.kind().is_trivia())
}

fn name_hash(name: &str) -> u64 {
    hash(&name.trim_start_matches("r#"))
}

fn identifier(token: &SyntaxToken) -> Option<u64> {
    (token.kind() == SyntaxKind::IDENT).then(|| name_hash(token.text()))
}

/// What distinguishes an item from its siblings; `None` for items that contain no functions.
fn header(node: &SyntaxNode) -> Option<u64> {
    if !(ast::Impl::can_cast(node.kind()) || ast::Trait::can_cast(node.kind()) || ast::Module::can_cast(node.kind())) {
        return None;
    }
    let mut hasher = FxHasher::default();
    for token in tokens(node).take_while(|token| token.kind() != T!['{']) {
        token.text().hash(&mut hasher);
    }
    Some(hasher.finish())
}

/// Whether one of its attributes is called `test`, in whatever module.
fn is_test(function: &ast::Fn) -> bool {
    use ast::HasAttrs;
    let mut paths = function.attrs().filter_map(|it| it.path()?.segment()?.name_ref());
    paths.any(|name| name.text() == "test")
}

/// A function without attributes, in a module or an inherent impl.
fn is_free(function: &ast::Fn) -> bool {
    use ast::HasAttrs;
    let parent = function.syntax().parent();
    let in_trait = parent.and_then(|it| it.parent()).is_some_and(|it| {
        ast::Trait::can_cast(it.kind()) || ast::Impl::cast(it).is_some_and(|it| it.trait_().is_some())
    });
    let is_main = function.name().is_some_and(|it| it.text() == "main");
    !in_trait && !is_main && function.attrs().next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
struct A { n: u32 }
impl A { fn plus(&self) -> u32 { self.n + 1 } }
impl Drop for A { fn drop(&mut self) { one() } }
fn one() { two() }
fn two() {}
const fn three() -> usize { 3 }
#[test] fn test() { two() }
";

    fn at(structure: &Structure, text: &str, what: &str) -> FunctionKey {
        let offset = TextSize::try_from(text.find(what).unwrap()).unwrap();
        structure.function_at(offset).unwrap()
    }

    #[test]
    fn comments_and_spaces_count_for_nothing() {
        let commented =
            TEXT.replace("two() }", "/* twice */ two() // here\n  }").replace("struct", "// a struct\nstruct");
        let (old, new) = (Structure::of(TEXT), Structure::of(&commented));
        assert!(old.has_skeleton_of(&new) && old.names_that_differ(&new).is_empty());
        assert!(old.functions.keys().all(|key| new.has_function_of(&old, *key)));
    }

    #[test]
    fn a_body_is_its_functions() {
        let edited = TEXT.replace("fn one() { two() }", "fn one() { two(); two() }");
        let (old, new) = (Structure::of(TEXT), Structure::of(&edited));
        assert!(old.has_skeleton_of(&new) && old.names_that_differ(&new).is_empty());
        let changed: Vec<_> = old.functions.keys().filter(|key| !new.has_function_of(&old, **key)).collect();
        assert_eq!(changed, [&at(&old, TEXT, "fn one()")]);
    }

    #[test]
    fn what_concerns_everybody() {
        let old = Structure::of(TEXT);
        for (from, to) in [
            ("n: u32", "n: u64"),
            ("impl Drop for A { fn drop(&mut self) { one() } }", ""),
            ("usize { 3 }", "usize { 4 }"),
            ("#[test] ", ""),
            ("fn two() {}", "fn two() { impl Clone for A { fn clone(&self) -> A { loop {} } } }"),
        ] {
            assert!(!old.has_skeleton_of(&Structure::of(&TEXT.replace(from, to))), "{from}");
        }
    }

    #[test]
    fn a_free_function_concerns_those_who_name_it() {
        let old = Structure::of(TEXT);
        for new in [TEXT.replace("fn two() {}", ""), TEXT.replace("fn two()", "fn two(n: u32)")] {
            let structure = Structure::of(&new);
            assert!(old.has_skeleton_of(&structure));
            let names = old.names_that_differ(&structure);
            assert!(structure.function_uses(at(&structure, &new, "fn one()"), &names) && !structure.uses(&names));
            assert!(!structure.function_uses(at(&structure, &new, "fn plus"), &names));
        }
        // `drop` is used without being named.
        let names = old.names_that_differ(&Structure::of(&TEXT.replace("fn plus", "fn drop")));
        assert!(old.uses(&names));
    }

    #[test]
    fn what_can_be_explored() {
        let text = "#[tokio::test] async fn a() {} #[test] fn b() {} #[inline] fn c() {} fn d() { s.spawn_blocking(f) }
            fn spawn() { let x = \"spawn\"; } impl A { fn e(&self) { thread::spawn(f); } }";
        let structure = Structure::of(text);
        let names: Vec<&str> = structure
            .functions()
            .into_iter()
            .filter(|(_, it)| it.is_explorable())
            .map(|(_, it)| {
                let (start, end) = it.name_range();
                &text[start..end]
            })
            .collect();
        assert_eq!(names, ["a", "b", "d", "e"]);
    }

    #[test]
    fn functions_of_one_name_are_told_apart() {
        let text = "impl A { fn f() {} } impl B { fn f() { 1; } } mod m { fn f() { 2; } } fn f() { 3; } fn f() { 4; }";
        assert_eq!(Structure::of(text).functions.len(), 5);
    }
}
