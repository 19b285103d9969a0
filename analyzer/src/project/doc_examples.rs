//! The examples in documentation comments, as rustdoc finds them (the rustdoc book, "Documentation tests").
//!
//! They are found in the syntax: comments that a macro makes, and `#[doc]` attributes, are not read.

use super::platform::HOST;
use crate::workarounds::source_depth;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use ra_ap_span::{Edition, TextRange, TextSize};
use ra_ap_syntax::{
    AstNode, AstToken, SourceFile, SyntaxNode,
    ast::{self, CommentPlacement, CommentShape, HasModuleItem, HasName},
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A file with an example has one of these: a fence, indented code in a comment, or a block of documentation.
const MARKS: [&str; 7] = ["```", "~~~", "///     ", "//!     ", "///\t", "/**", "/*!"];

/// How rustdoc treats an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    /// It runs.
    Runs,
    /// It runs and must panic.
    Panics,
    /// It is only compiled.
    Compiles,
}

/// An example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocExample {
    /// The documented item: its path in the file; empty for the file itself.
    pub(super) item: String,
    /// Its number among those of the item, from 1.
    pub(super) number: usize,
    pub(super) usage: Usage,
    pub(super) code: MappedText,
}

/// A text that was copied from a file in pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MappedText {
    pub(super) text: String,
    /// Ranges in the text and the offsets in the file where they come from, in order.
    pub(super) pieces: Vec<(TextRange, TextSize)>,
}

impl MappedText {
    /// Adds what does not come from the file.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn push_piece(&mut self, text: &str, at: TextSize) {
        let range = TextRange::at(TextSize::of(&self.text), TextSize::of(text));
        self.text.push_str(text);
        self.pieces.push((range, at));
    }

    /// Adds a part of another text.
    pub(super) fn push_part(&mut self, of: &MappedText, part: TextRange) {
        let shift = TextSize::of(&self.text);
        self.text.push_str(&of.text[part]);
        let first = of.pieces.partition_point(|(range, _)| range.end() <= part.start());
        for (range, at) in of.pieces[first..].iter().take_while(|(range, _)| range.start() < part.end()) {
            if let Some(kept) = range.intersect(part).filter(|it| !it.is_empty()) {
                self.pieces.push((kept - part.start() + shift, *at + (kept.start() - range.start())));
            }
        }
    }

    /// The offset in the file of an offset in the text. What does not come from the file is shown at the piece before.
    pub(super) fn source_of(&self, offset: TextSize) -> Option<TextSize> {
        let next = self.pieces.partition_point(|(range, _)| range.start() <= offset);
        let (range, at) = self.pieces.get(next.saturating_sub(1))?;
        let inside = offset.clamp(range.start(), range.end()) - range.start();
        Some(*at + inside)
    }
}

/// The examples in a file that rustdoc compiles, in the order of the source.
pub(super) fn examples(text: &str, edition: Edition) -> Vec<DocExample> {
    // Most files have none, and need not be parsed.
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return Vec::new();
    }
    let file = SourceFile::parse(text, edition).tree();
    let mut found = Vec::new();
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    for node in file.syntax().descendants().filter(|it| !ast::TokenTree::can_cast(it.kind())) {
        for placement in [CommentPlacement::Outer, CommentPlacement::Inner] {
            let Some(documentation) = documentation(&node, placement) else { continue };
            let item = item_path(&node);
            for (usage, code) in code_blocks(&documentation, edition) {
                let number = numbers.entry(item.clone()).or_default();
                *number += 1;
                found.extend(usage.map(|usage| DocExample { item: item.clone(), number: *number, usage, code }));
            }
        }
    }
    found
}

/// The text of the documentation comments of a node.
fn documentation(node: &SyntaxNode, placement: CommentPlacement) -> Option<MappedText> {
    let tokens = node.children_with_tokens().filter_map(|it| it.into_token());
    let comments = tokens.filter_map(ast::Comment::cast).filter(|it| it.kind().doc == Some(placement));
    let mut lines: Vec<(String, TextSize)> = Vec::new();
    for comment in comments {
        let Some((text, offset)) = comment.doc_comment() else { continue };
        let start = comment.syntax().text_range().start() + offset;
        let is_block = comment.kind().shape == CommentShape::Block;
        lines.extend(lines_of(text, is_block).into_iter().map(|(line, at)| (line.to_owned(), start + at)));
    }
    let indents = lines.iter().filter(|(line, _)| !line.trim().is_empty());
    let indent = indents.map(|(line, _)| line.len() - line.trim_start_matches(' ').len()).min()?;
    let mut documentation = MappedText::default();
    for (line, at) in lines {
        let cut = indent.min(line.len());
        documentation.push_piece(line.get(cut..).unwrap_or_default(), at + TextSize::of(&line[..cut]));
        documentation.push("\n");
    }
    Some(documentation)
}

/// The lines of a comment and their offsets in it. The asterisks at the side of a block are no part of its text.
fn lines_of(text: &str, is_block: bool) -> Vec<(&str, TextSize)> {
    let mut lines: Vec<(&str, TextSize)> = Vec::new();
    let mut at = TextSize::new(0);
    for line in text.split_inclusive('\n') {
        lines.push((line.trim_end_matches(['\n', '\r']), at));
        at += TextSize::of(line);
    }
    if is_block {
        let later = lines.get(1..).unwrap_or_default();
        let has_side = !later.is_empty() && later.iter().all(|(line, _)| is_side(line) || line.trim().is_empty());
        for (line, at) in lines.iter_mut().filter(|(line, _)| has_side && is_side(line)) {
            let rest = &line[line.find('*').map_or(0, |star| star + 1)..];
            *at += TextSize::of(*line) - TextSize::of(rest);
            *line = rest;
        }
    }
    lines
}

fn is_side(line: &str) -> bool {
    line.trim_start().starts_with('*')
}

/// The path of an item in its file.
fn item_path(node: &SyntaxNode) -> String {
    let mut names: Vec<String> = Vec::new();
    for node in node.ancestors() {
        let named = ast::Item::cast(node.clone()).map(|item| match item {
            ast::Item::Impl(it) => it.self_ty().and_then(|ty| type_name(&ty)),
            item => item.syntax().children().find_map(ast::Name::cast).map(|name| name.text().to_string()),
        });
        let part = || {
            let variant = ast::Variant::cast(node.clone()).and_then(|it| it.name());
            let field = || ast::RecordField::cast(node.clone()).and_then(|it| it.name());
            variant.or_else(field).map(|name| name.text().to_string())
        };
        names.extend(named.flatten().or_else(part));
    }
    names.reverse();
    names.join("::")
}

/// The last name in a type's path.
fn type_name(ty: &ast::Type) -> Option<String> {
    match ty {
        ast::Type::PathType(it) => Some(it.path()?.segment()?.name_ref()?.text().to_string()),
        ast::Type::RefType(it) => type_name(&it.ty()?),
        _ => None,
    }
}

/// The blocks of Rust code, those that rustdoc does not compile too: they count.
fn code_blocks(documentation: &MappedText, edition: Edition) -> Vec<(Option<Usage>, MappedText)> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_SMART_PUNCTUATION;
    let mut found = Vec::new();
    let mut parts: Option<(Language, Vec<Range<usize>>)> = None;
    for (event, range) in Parser::new_ext(&documentation.text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => parts = Some((Language::default(), Vec::new())),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(tags))) => {
                parts = Some((Language::of(&tags), Vec::new()));
            }
            Event::Text(_) => parts.iter_mut().for_each(|(_, parts)| parts.push(range.clone())),
            Event::End(TagEnd::CodeBlock) => {
                let Some((language, parts)) = parts.take() else { continue };
                if language.is_rust {
                    let code = code_of(documentation, &parts);
                    found.push((language.usage.filter(|_| is_complete(&code.text, edition)), code));
                }
            }
            _ => {}
        }
    }
    found
}

/// The code in some parts of the documentation. The mark of hidden lines is removed.
fn code_of(documentation: &MappedText, parts: &[Range<usize>]) -> MappedText {
    let mut code = MappedText::default();
    for part in parts {
        let mut start = part.start;
        for line in documentation.text[part.clone()].split_inclusive('\n') {
            let end = start + line.len();
            let shown = line.trim_start();
            let rest = match shown.strip_prefix('#') {
                // Two marks stand for one.
                Some(rest) if rest.starts_with('#') => Some(rest),
                Some(rest) if rest.trim().is_empty() || rest.starts_with(' ') => Some(rest),
                _ => None,
            };
            let from = end - rest.map_or(line.len(), str::len);
            let offset = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
            code.push_part(documentation, TextRange::new(offset(from), offset(end)));
            start = end;
        }
    }
    if !code.text.ends_with('\n') {
        code.push("\n");
    }
    code
}

/// Whether code can stand among other code: it is no deep nest, and each bracket in it is closed.
fn is_complete(code: &str, edition: Edition) -> bool {
    if source_depth::too_deep(code, edition).is_some() {
        return false;
    }
    let wrapped = SourceFile::parse(&format!("fn main() {{\n{code}\n}}"), edition);
    SourceFile::parse(code, edition).errors().is_empty()
        || wrapped.errors().is_empty() && wrapped.tree().items().count() == 1
}

/// The tags of a code block.
struct Language {
    is_rust: bool,
    usage: Option<Usage>,
}

impl Default for Language {
    fn default() -> Language {
        Language { is_rust: true, usage: Some(Usage::Runs) }
    }
}

impl Language {
    fn of(tags: &str) -> Language {
        let mut language = Language::default();
        let (mut says_rust, mut says_other) = (false, false);
        let attributes = |it: char| matches!(it, '{' | '}');
        for tag in tags.split([',', ' ', '\t']).map(|it| it.trim_matches(attributes)).filter(|it| !it.is_empty()) {
            let usage = match tag {
                "should_panic" => Some(Usage::Panics),
                "no_run" => Some(Usage::Compiles),
                "compile_fail" | "ignore" | "test_harness" => None,
                _ if tag.strip_prefix("ignore-").is_some_and(|platform| HOST.contains(platform)) => None,
                _ if tag.starts_with("ignore-") => language.usage,
                "rust" | "standalone_crate" => language.usage,
                _ if tag.starts_with("edition") => language.usage,
                _ => {
                    says_other = true;
                    continue;
                }
            };
            says_rust |= !says_other;
            language.usage = usage;
        }
        language.is_rust = says_rust || !says_other;
        language
    }
}

impl DocExample {
    /// The code of a module with a function `main` that runs the example, as rustdoc wraps it. Items are put beside
    /// `main`, so that their impls are seen from outside.
    pub(super) fn module(&self, name: &str, edition: Edition) -> MappedText {
        let mut module = MappedText::default();
        module.push(&format!("pub mod {name} {{\n"));
        let file = SourceFile::parse(&self.code.text, edition);
        if file.errors().is_empty() && file.tree().items().any(|item| is_main(&item)) {
            self.push_program(&mut module, &file.tree());
        } else {
            self.push_statements(&mut module, edition);
        }
        module.push("}\n");
        module
    }

    /// Adds an example that has a `main`.
    fn push_program(&self, module: &mut MappedText, file: &SourceFile) {
        for part in file.syntax().children().filter(|it| !ast::Attr::can_cast(it.kind())) {
            if ast::Item::cast(part.clone()).is_some_and(|item| is_main(&item)) {
                module.push(self.attribute());
            }
            module.push_part(&self.code, part.text_range());
            module.push("\n");
        }
    }

    /// Adds an example whose statements are those of `main`.
    fn push_statements(&self, module: &mut MappedText, edition: Edition) {
        const START: &str = "fn main() {\n";
        let wrapped = SourceFile::parse(&format!("{START}{}\n}}", self.code.text), edition).tree();
        let body = wrapped.items().find_map(|item| match item {
            ast::Item::Fn(it) => it.body()?.stmt_list(),
            _ => None,
        });
        let items = body.iter().flat_map(|body| body.statements()).filter_map(|statement| match statement {
            ast::Stmt::Item(item) => Some(item.syntax().text_range() - TextSize::of(START)),
            _ => None,
        });
        let items: Vec<TextRange> = items.collect();
        for item in &items {
            module.push_part(&self.code, *item);
            module.push("\n");
        }
        module.push(self.attribute());
        module.push("pub fn main() {\n");
        // The type of the error stands in the last expression.
        let fails = self.code.text.trim_end().ends_with("(())");
        if fails {
            module.push("fn inner() -> Result<(), impl core::fmt::Debug> {\n");
        }
        let mut at = TextSize::new(0);
        for item in &items {
            module.push_part(&self.code, TextRange::new(at, item.start()));
            at = item.end();
        }
        module.push_part(&self.code, TextRange::new(at, TextSize::of(&self.code.text)));
        if fails {
            module.push("}\ninner().unwrap();\n");
        }
        module.push("}\n");
    }

    fn attribute(&self) -> &'static str {
        if self.usage == Usage::Panics { "#[should_panic]\n" } else { "" }
    }
}

fn is_main(item: &ast::Item) -> bool {
    matches!(item, ast::Item::Fn(it) if it.name().is_some_and(|it| it.text() == "main"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each example as `item number usage`, its code, and each line of its module with the line that it comes from.
    fn found(text: &str) -> Vec<(String, String)> {
        let line_of = |at: TextSize| text[..usize::from(at)].matches('\n').count() + 1;
        let shown = |it: DocExample| {
            let module = it.module("example", Edition::CURRENT);
            let mut at = TextSize::new(0);
            let lines = module.text.lines().map(|line| {
                let from = at + TextSize::of(&line[..line.len() - line.trim_start().len()]);
                at += TextSize::of(line) + TextSize::new(1);
                let is_piece = module.pieces.iter().any(|(range, _)| range.contains(from));
                let line_number = module.source_of(from).filter(|_| is_piece).map(line_of);
                format!("{} {}", line_number.map_or_else(|| "-".to_owned(), |it| it.to_string()), line.trim())
                    .trim_end()
                    .to_owned()
            });
            let lines: Vec<String> = lines.collect();
            (format!("{} {} {:?}", it.item, it.number, it.usage), lines.join("\n"))
        };
        examples(text, Edition::CURRENT).into_iter().map(shown).collect()
    }

    #[test]
    fn items_are_put_beside_main_and_each_line_has_its_place() {
        let text = "struct A;\nimpl A {\n    /// Text.\n    /// ```\n    /// # use b::C;\n    /// let c = C;\n    /// ##[cfg(x)]\n    \
                    /// fn f() {}\n    /// f();\n    /// ```\n    fn g() {}\n}\n";
        let expected = "- pub mod example {\n5 use b::C;\n7 #[cfg(x)]\n8 fn f() {}\n- pub fn main() {\n-\n6 let c = C;\n-\n9 f();\n\
                        - }\n- }";
        assert_eq!(found(text), [("A::g 1 Runs".to_owned(), expected.to_owned())]);
    }

    #[test]
    fn unfinished_code_is_left_out() {
        let text = "/// ```\n/// } fn x() {\n/// ```\n/// ```\n/// let x = (;\n/// ```\n/// ```\n/// ok()\nfn f() {}";
        let expected = "- pub mod example {\n- pub fn main() {\n8 ok()\n- }\n- }";
        assert_eq!(found(text), [("f 3 Runs".to_owned(), expected.to_owned())]);
    }

    /// Time is linear in the number of lines.
    #[test]
    fn long_examples() {
        const LINES: usize = 50_000;
        let text = format!("/// ```\n{}/// ```\nfn f() {{}}", "/// a();\n".repeat(LINES));
        let found = examples(&text, Edition::CURRENT);
        assert_eq!(found.iter().map(|it| it.code.pieces.len()).collect::<Vec<_>>(), [LINES]);
    }

    #[test]
    fn tags() {
        let usage = |tags: &str| Language::of(tags).usage.filter(|_| Language::of(tags).is_rust);
        let runs = Some(Usage::Runs);
        for (tags, expected) in [
            ("", runs),
            ("rust", runs),
            ("rust,edition2018", runs),
            ("rust other", runs),
            ("other rust", None),
            ("text", None),
            ("no_run", Some(Usage::Compiles)),
            ("should_panic,rust", Some(Usage::Panics)),
            ("ignore", None),
            ("ignore-windows", runs),
            ("ignore-x86_64", None),
            ("compile_fail,E0308", None),
        ] {
            assert_eq!(usage(tags), expected, "{tags}");
        }
    }
}
