//! `thread-safety-violation`: two unordered calls on one object that does not allow them.

use crate::{
    diagnostic::Diagnostic,
    report_text::{
        ReportText,
        pair::{Pair, Texts},
    },
};
use interp::{
    finding::{Action, Event},
    ir::FnId,
};

/// The rule's name.
pub(super) const NAME: &str = "thread-safety-violation";

pub(super) fn diagnose(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    let pair = Pair::of(report)?;
    let (one, two) = (&pair.one, &pair.two);
    let of = pair.name.as_ref().map_or_else(String::new, |name| format!(" on {name}"));
    let (calls, called) = (report.method(func(pair.shown)?), report.method(func(pair.other)?));
    let title = match calls == called {
        true => format!("{two} and {one} both call `{calls}`{of}, and nothing orders the two"),
        false => format!("{two} calls `{called}` and {one} calls `{calls}`{of}, and nothing orders the two"),
    };
    let also = if calls == called { "it too".to_owned() } else { format!("`{called}` on the same object") };
    let message = format!("{one} calls `{calls}`{of} here, {two} called {also}, and nothing orders the two");
    let (label, other) = (format!("{one} calls `{calls}`{of} here"), format!("{two} called `{called}`"));
    Some(pair.diagnostic(NAME, Texts { title, message, label, other }, report))
}

fn func(event: &Event) -> Option<FnId> {
    match event.action {
        Action::Calls { func, .. } => Some(func),
        _ => None,
    }
}
