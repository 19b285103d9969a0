//! Literals from built-in macros.
//!
//! * Symptom: `line!()`, `column!()`, `file!()` and `module_path!()` have fixed values; unknown environment variables
//!   and unreadable files have made-up ones.
//! * Test: `macros/places_messages`, `panics/messages`.
//! * Upstream: none known.
//! * Goes when: the values are real, and unknown ones are errors.

use super::{binary_includes, macro_text};
use crate::ir::Const;
use hir_def::{ModuleId, hir::Literal};
use hir_expand::{
    MacroCallId, MacroDefKind,
    builtin::{BuiltinFnLikeExpander, EagerExpander},
    tt::{Leaf, LitKind, TtElement},
};
use hir_ty::db::HirDatabase;
use ra_ap_base_db::AnchoredPath;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::unescape::unescape_str;

/// rust-analyzer's value of an unknown environment variable.
const UNKNOWN_VARIABLE: &str = "UNRESOLVED_ENV_VAR";

/// The value of a literal from a macro call in a module, if rust-analyzer's value differs from rustc's; `Err` with
/// the reason if it is unknown.
pub(crate) fn of_literal(
    db: &dyn HirDatabase,
    call: MacroCallId,
    literal: &Literal,
    module: ModuleId,
) -> Option<Result<Const, &'static str>> {
    let constant = match (call.loc(db).def.kind, literal) {
        (MacroDefKind::BuiltIn(_, expander), _) => match expander {
            BuiltinFnLikeExpander::Line => Const::Line,
            BuiltinFnLikeExpander::Column => Const::Column,
            BuiltinFnLikeExpander::File => Const::File,
            BuiltinFnLikeExpander::ModulePath => Const::Str(module_path(db, module).into()),
            BuiltinFnLikeExpander::Stringify => match macro_text::stringified(macro_text::tokens(db, call)) {
                Some(text) => Const::Str(text),
                None => return Some(Err("a long `stringify!`")),
            },
            _ => return None,
        },
        (MacroDefKind::BuiltInEager(_, EagerExpander::Env), Literal::String(text))
            if text.as_str() == UNKNOWN_VARIABLE =>
        {
            return Some(Err("`env!` of an unknown variable"));
        }
        (MacroDefKind::BuiltInEager(_, EagerExpander::Concat), Literal::String(text))
            if text.as_str().contains(UNKNOWN_VARIABLE) =>
        {
            return Some(Err("`env!` of an unknown variable"));
        }
        (MacroDefKind::BuiltInEager(_, EagerExpander::Concat), _) if pastes_source(db, call) => {
            return Some(Err("`concat!` of a `stringify!`"));
        }
        (MacroDefKind::BuiltInEager(_, EagerExpander::IncludeStr), Literal::String(text))
            if match included(db, call) {
                None => text.as_str().is_empty(),
                Some(held) => binary_includes::text(held).is_none(),
            } =>
        {
            return Some(Err("`include_str!` of a file that is not read"));
        }
        // `assert!` without a message expands to `panic!()`.
        (_, Literal::String(text)) if text.as_str() == "explicit panic" => {
            let assert = assert_around(db, call)?;
            match macro_text::condition(macro_text::tokens(db, assert), module.krate(db).data(db).edition) {
                Some(text) => Const::Str(format!("assertion failed: {text}").into()),
                None => return Some(Err("message of an `assert!`")),
            }
        }
        _ => return None,
    };
    Some(Ok(constant))
}

/// The text of the file that a macro call includes. Its path is relative to the file that contains the call.
pub(crate) fn included(db: &dyn HirDatabase, call: MacroCallId) -> Option<&str> {
    let mut tokens = macro_text::tokens(db, call).iter();
    // Fragments from an outer macro are in parentheses.
    let literal = loop {
        match tokens.next()? {
            TtElement::Leaf(Leaf::Literal(literal)) => break literal,
            TtElement::Leaf(_) => return None,
            TtElement::Subtree(_, inner) => tokens = inner,
        }
    };
    let path = match literal.kind {
        LitKind::Str => {
            let mut path = String::new();
            unescape_str(literal.text(), |_, it| path.extend(it));
            path
        }
        LitKind::StrRaw(_) => literal.text().to_owned(),
        _ => return None,
    };
    let anchor = call.loc(db).kind.file_id().original_file_respecting_includes(db).file_id(db);
    let file = db.resolve_path(AnchoredPath { anchor, path: &path })?;
    Some(db.file_text(file).text(db))
}

/// The `assert!` that expanded to this `panic!()`.
fn assert_around(db: &dyn HirDatabase, mut call: MacroCallId) -> Option<MacroCallId> {
    // `panic!` expands through a macro of the edition.
    for _ in 0..3 {
        call = call.loc(db).kind.file_id().macro_file()?;
        if let MacroDefKind::BuiltIn(_, BuiltinFnLikeExpander::Assert) = call.loc(db).def.kind {
            return Some(call);
        }
    }
    None
}

/// Whether a `concat!` contains a `stringify!` of several tokens. Its text is lost by now.
fn pastes_source(db: &dyn HirDatabase, concat: MacroCallId) -> bool {
    let node = concat.loc(db).to_node(db).value;
    let mut tokens =
        node.descendants_with_tokens().filter_map(|it| it.into_token()).filter(|it| !it.kind().is_trivia());
    while let Some(token) = tokens.next() {
        // The tokens are `stringify`, `!`, `(`, the argument and `)`.
        if token.text() == "stringify" && tokens.nth(3).is_none_or(|it| it.text() != ")") {
            return true;
        }
    }
    false
}

fn module_path(db: &dyn HirDatabase, module: ModuleId) -> String {
    let mut names = Vec::new();
    let mut at = Some(hir::Module::from(module));
    while let Some(it) = at {
        names.extend(it.name(db).map(|it| it.as_str().to_owned()));
        at = it.parent(db);
    }
    let krate = hir::Crate::from(module.krate(db));
    names.extend(krate.display_name(db).map(|it| it.crate_name().to_string()));
    names.reverse();
    names.join("::")
}
