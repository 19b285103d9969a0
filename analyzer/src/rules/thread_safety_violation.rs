//! `thread-safety-violation`: two unordered calls on one object that does not allow them.

use super::{Names, function, in_order, site, thread};
use crate::diagnostic::{Diagnostic, Level, Related, Role};
use interp::{
    finding::{Action, Event, Finding, StackEntry},
    ir::{FnId, Site},
};

/// The rule's name.
pub(super) const NAME: &str = "thread-safety-violation";

pub(super) fn diagnose(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    let [first, second] = finding.events.as_slice() else { return None };
    // The later call is shown where both are in the workspace; it is the one that nothing ordered.
    let (shown, primary, other, other_place) = match (site(&first.stack, names), site(&second.stack, names)) {
        (first_place, Some(second_place)) => (second, second_place, first, first_place),
        (Some(first_place), None) => (first, first_place, second, None),
        (None, None) => return None,
    };
    let (object, func, _) = call(shown)?;
    let (_, other_func, _) = call(other)?;
    let of = names.object(&object).map_or_else(String::new, |name| format!(" on {name}"));
    let (one, two) = (thread(finding, shown.thread), thread(finding, other.thread));
    let (calls, called) = (method(func, names), method(other_func, names));
    let also = if calls == called { "it too".to_owned() } else { format!("`{called}` on the same object") };
    let message = format!("{one} calls `{calls}`{of} here, {two} called {also}, and nothing orders the two");
    let others =
        other_place.map(|place| Related { place, text: format!("{two} called `{called}` here"), role: Role::Part });
    let functions = in_order(vec![function(&first.stack, names), function(&second.stack, names)]);
    let cause = format!("{}:{functions}", names.object(&object).unwrap_or_default());
    let others = others.into_iter().filter(|other| other.place != primary).collect();
    Some(Diagnostic { rule: NAME, level: Level::Error, message, primary, others, cause })
}

fn call(event: &Event) -> Option<(interp::finding::Object, FnId, bool)> {
    match event.action {
        Action::Calls { object, func, write } => Some((object, func, write)),
        _ => None,
    }
}

/// `Vec::push`, without the modules before it.
fn method(func: FnId, names: &mut dyn Names) -> String {
    let path = names.function(&StackEntry { func, site: Site::NONE, is_std: true, is_local: false });
    let mut parts = path.rsplit("::");
    match (parts.next(), parts.next()) {
        (Some(name), Some(owner)) => format!("{owner}::{name}"),
        _ => path,
    }
}
