//! Expressions whose value is wanted as an operand.

use super::{cx::Cx, macro_text};
use crate::{
    ir::{Const, LocalId, Operand, Rvalue},
    workarounds::binary_includes,
};
use hir_def::hir::{Expr, ExprId, Literal};
use hir_expand::{
    MacroCallId, MacroDefKind,
    builtin::{BuiltinFnLikeExpander, EagerExpander},
    tt::{Leaf, LitKind, TokenTreesView, TtElement},
};
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_base_db::AnchoredPath;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::unescape::unescape_str;
use rustc_type_ir::inherent::IntoKind;
use std::borrow::Cow;

/// What rust-analyzer has for an environment variable that it does not know.
const UNKNOWN_VARIABLE: &str = "UNRESOLVED_ENV_VAR";

impl<'db> Cx<'_, 'db> {
    /// Value of an expression.
    pub(super) fn operand(&mut self, expr: ExprId) -> Operand {
        if let Some(constant) = self.constant_operand(expr) {
            return constant;
        }
        self.value_local(expr).into()
    }

    /// Values of several expressions, left to right.
    pub(super) fn operands(&mut self, exprs: &[ExprId]) -> Vec<Operand> {
        // A plain variable need not be copied when nothing that is evaluated after it can change it.
        let mut result = Vec::with_capacity(exprs.len());
        for (index, &expr) in exprs.iter().enumerate() {
            let rest_is_simple = exprs[index + 1..].iter().all(|&it| self.is_simple(it));
            if rest_is_simple && self.is_local_path(expr) {
                let place = self.place(expr);
                result.push(Operand::Use(place));
            } else {
                result.push(self.operand(expr));
            }
        }
        result
    }

    /// Whether evaluating it does nothing but read a variable or a literal.
    fn is_simple(&self, expr: ExprId) -> bool {
        matches!(self.store[expr], Expr::Literal(_)) || self.is_local_path(expr)
    }

    fn is_local_path(&self, expr: ExprId) -> bool {
        self.infer.expr_adjustment(expr).is_none_or(<[_]>::is_empty)
            && matches!(self.store[expr], Expr::Path(_))
            && self.local_binding(expr).is_some()
    }

    /// A literal needs no temporary.
    fn constant_operand(&mut self, expr: ExprId) -> Option<Operand> {
        if self.infer.expr_adjustment(expr).is_some_and(|it| !it.is_empty()) {
            return None;
        }
        self.bare_constant(expr)
    }

    /// As above, whatever the adjustments.
    pub(super) fn bare_constant(&mut self, expr: ExprId) -> Option<Operand> {
        let Expr::Literal(literal) = &self.store[expr] else { return None };
        if let Some(constant) = self.macro_constant(expr, literal) {
            let value = self.made_by_macro(constant);
            let local = self.scratch(self.bare_ty(expr));
            self.at(expr, |cx| cx.assign(local, value));
            return Some(local.into());
        }
        let ty = self.bare_ty(expr);
        Some(Operand::Const(self.signed_literal(expr, literal, ty)))
    }

    /// A temporary that holds the value of `expr`, scheduled for drop.
    pub(super) fn value_local(&mut self, expr: ExprId) -> LocalId {
        let adjustments = self.infer.expr_adjustment(expr).map_or(0, <[_]>::len);
        self.value_local_adjusted(expr, adjustments)
    }

    pub(super) fn value_local_adjusted(&mut self, expr: ExprId, adjustments: usize) -> LocalId {
        let ty = self.adjusted_ty(expr, adjustments);
        let scope = self.scope_of_temporary(expr);
        let local = self.temporary(ty);
        self.expr_into_adjusted(local.into(), expr, adjustments);
        self.schedule(scope, local);
        local
    }

    /// Type after the first `adjustments` adjustments.
    pub(super) fn adjusted_ty(&self, expr: ExprId, adjustments: usize) -> Ty<'db> {
        match adjustments {
            0 => self.bare_ty(expr),
            n => match self.infer.expr_adjustment(expr) {
                Some(list) => self.with_length(expr, list[n - 1].target.as_ref()),
                None => self.bare_ty(expr),
            },
        }
    }

    /// The value of what a built-in macro made.
    pub(super) fn made_by_macro(&mut self, constant: Result<Const, &str>) -> Rvalue {
        match constant {
            Ok(constant) => Rvalue::Use(Operand::Const(constant)),
            Err(cause) => self.gap(cause),
        }
    }

    /// The value of a literal that a built-in macro made or that goes on in another line, where rust-analyzer's literal is not
    /// rustc's; or why it is not known.
    pub(super) fn macro_constant(&self, expr: ExprId, literal: &Literal) -> Option<Result<Const, &'static str>> {
        if let Some(text) = self.syntax.old_panics.get(&expr) {
            return Some(Ok(Const::Str(text.clone())));
        }
        if let Some(meant) = self.syntax.line_continuations.get(&expr) {
            let meant = meant.as_ref().map(|literal| self.literal(literal, self.error_ty()));
            return Some(meant.ok_or("a byte string that goes on behind an empty line"));
        }
        let file = *self.syntax.from_macros.get(&expr)?;
        let constant = match (file.loc(self.db).def.kind, literal) {
            (MacroDefKind::BuiltIn(_, expander), _) => match expander {
                BuiltinFnLikeExpander::Line => Const::Line,
                BuiltinFnLikeExpander::Column => Const::Column,
                BuiltinFnLikeExpander::File => Const::File,
                BuiltinFnLikeExpander::ModulePath => Const::Str(self.module_path().into()),
                BuiltinFnLikeExpander::Stringify => match macro_text::stringified(self.macro_tokens(file)) {
                    Some(text) => Const::Str(text),
                    None => return Some(Err("a long `stringify!`")),
                },
                _ => return None,
            },
            (MacroDefKind::BuiltInEager(_, EagerExpander::Env), Literal::String(text))
                if text.as_str() == UNKNOWN_VARIABLE =>
            {
                return Some(Err("`env!`: a variable of the build"));
            }
            (MacroDefKind::BuiltInEager(_, EagerExpander::Concat), Literal::String(text))
                if text.as_str().contains(UNKNOWN_VARIABLE) =>
            {
                return Some(Err("`env!`: a variable of the build"));
            }
            (MacroDefKind::BuiltInEager(_, EagerExpander::Concat), _) if self.pastes_source(file) => {
                return Some(Err("`concat!` of a `stringify!`"));
            }
            (MacroDefKind::BuiltInEager(_, EagerExpander::IncludeStr), Literal::String(text))
                if match self.included(file) {
                    None => text.as_str().is_empty(),
                    Some(held) => binary_includes::text(held).is_none(),
                } =>
            {
                return Some(Err("`include_str!` of a file that is not read"));
            }
            // An `assert!` without a message becomes a `panic!()`.
            (_, Literal::String(text)) if text.as_str() == "explicit panic" => {
                let assert = self.assert_around(file)?;
                match macro_text::condition(self.macro_tokens(assert), self.edition) {
                    Some(text) => Const::Str(format!("assertion failed: {text}").into()),
                    None => return Some(Err("message of an `assert!`")),
                }
            }
            _ => return None,
        };
        Some(Ok(constant))
    }

    /// The text of the file that a macro call includes: its path is relative to the file where the call stands.
    fn included(&self, call: MacroCallId) -> Option<&'db str> {
        let mut tokens = self.macro_tokens(call).iter();
        // Parentheses are around what a macro passes on.
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
        let anchor = call.loc(self.db).kind.file_id().original_file_respecting_includes(self.db).file_id(self.db);
        let file = self.db.resolve_path(AnchoredPath { anchor, path: &path })?;
        Some(self.db.file_text(file).text(self.db))
    }

    /// The bytes that an `include_bytes!` stands for.
    pub(super) fn included_bytes(&self, expr: ExprId) -> Option<Cow<'db, [u8]>> {
        let call = *self.syntax.from_macros.get(&expr)?;
        self.included(call).map(binary_includes::bytes)
    }

    /// How long the only `include_bytes!` of the body is: what inference does not know.
    pub(super) fn included_length(&self) -> Option<u64> {
        let mut calls = self.syntax.from_macros.keys().filter(|expr| matches!(self.store[**expr], Expr::IncludeBytes));
        let (Some(expr), None) = (calls.next(), calls.next()) else { return None };
        self.included_bytes(*expr).map(|bytes| bytes.len() as u64)
    }

    /// Arguments of a macro call.
    fn macro_tokens(&self, call: MacroCallId) -> TokenTreesView<'db> {
        let kind = &call.loc(self.db).kind;
        call.macro_arg_considering_derives(self.db, kind).0.token_trees()
    }

    /// The `assert!` whose `panic!()` a macro call is.
    fn assert_around(&self, mut call: MacroCallId) -> Option<MacroCallId> {
        // `panic!` leads to the panic through a macro of the edition.
        for _ in 0..3 {
            call = call.loc(self.db).kind.file_id().macro_file()?;
            if let MacroDefKind::BuiltIn(_, BuiltinFnLikeExpander::Assert) = call.loc(self.db).def.kind {
                return Some(call);
            }
        }
        None
    }

    /// Whether a `concat!` has a `stringify!` of more than one token in it: its text is lost by then.
    fn pastes_source(&self, concat: MacroCallId) -> bool {
        let node = concat.loc(self.db).to_node(self.db).value;
        let mut tokens =
            node.descendants_with_tokens().filter_map(|it| it.into_token()).filter(|it| !it.kind().is_trivia());
        while let Some(token) = tokens.next() {
            // The word, `!`, the parenthesis, the token, the other parenthesis.
            if token.text() == "stringify" && tokens.nth(3).is_none_or(|it| it.text() != ")") {
                return true;
            }
        }
        false
    }

    fn module_path(&self) -> String {
        let module = self.resolver.module();
        let mut names = Vec::new();
        let mut at = Some(hir::Module::from(module));
        while let Some(it) = at {
            names.extend(it.name(self.db).map(|it| it.as_str().to_owned()));
            at = it.parent(self.db);
        }
        let krate = hir::Crate::from(self.resolver.krate());
        names.extend(krate.display_name(self.db).map(|it| it.crate_name().to_string()));
        names.reverse();
        names.join("::")
    }

    /// A literal as an expression, with the sign that [`super::written`] found for it.
    pub(super) fn signed_literal(&self, expr: ExprId, literal: &Literal, ty: Ty<'db>) -> Const {
        let plain = self.literal(literal, ty);
        if self.syntax.negative.contains(&expr) { negative(plain).unwrap_or_else(|plain| plain) } else { plain }
    }

    pub(super) fn literal(&self, literal: &Literal, ty: Ty<'db>) -> Const {
        let is_float = matches!(ty.kind(), TyKind::Float(_));
        let ty = ty.store();
        match literal {
            Literal::String(text) => Const::Str(text.as_str().into()),
            Literal::ByteString(bytes) => Const::Bytes(bytes.clone()),
            Literal::CString(bytes) => Const::CStr(bytes.clone()),
            Literal::Char(it) => Const::Int(u128::from(u32::from(*it)), ty),
            Literal::Bool(it) => Const::Int(u128::from(*it), ty),
            Literal::Int(it, _) if is_float => Const::Float(it.to_string().into(), ty),
            Literal::Uint(it, _) if is_float => Const::Float(it.to_string().into(), ty),
            Literal::Int(it, _) => Const::Int(*it as u128, ty),
            Literal::Uint(it, _) => Const::Int(*it, ty),
            Literal::Float(it, _) => Const::Float(it.to_string().into(), ty),
        }
    }

    /// An operand in a local of its own, for uses that need a place.
    pub(super) fn operand_local(&mut self, operand: Operand, ty: Ty<'db>) -> LocalId {
        if let Operand::Use(place) = &operand
            && place.proj.is_empty()
        {
            return place.local;
        }
        let local = self.scratch(ty);
        self.assign(local, Rvalue::Use(operand));
        local
    }
}

/// The negation of a number.
pub(super) fn negative(constant: Const) -> Result<Const, Const> {
    match constant {
        Const::Int(value, ty) => Ok(Const::Int(value.wrapping_neg(), ty)),
        Const::Float(text, ty) => Ok(Const::Float(format!("-{text}").into(), ty)),
        other => Err(other),
    }
}
