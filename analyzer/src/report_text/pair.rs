//! Two unordered accesses or calls: shared by the rules that report them.

use crate::{
    diagnostic::{Confidence, Diagnostic, Level, Related, Role, RuleName},
    project::Location,
    report_text::{ReportText, in_order, listed},
};
use interp::{finding::Event, trace::TraceEvent};

/// The two, as they are shown.
pub(crate) struct Pair<'a> {
    /// The one at the primary location: the later one if both are in the workspace.
    pub(crate) shown: &'a Event,
    pub(crate) other: &'a Event,
    /// The names of their threads.
    pub(crate) one: String,
    pub(crate) two: String,
    /// Name of the object.
    pub(crate) name: Option<String>,
    primary: Location,
    other_location: Option<Location>,
}

/// A rule's texts for a pair.
pub(crate) struct Texts {
    pub(crate) rule: RuleName,
    pub(crate) level: Level,
    pub(crate) confidence: Confidence,
    pub(crate) title: String,
    pub(crate) message: String,
    /// The label at the primary location.
    pub(crate) label: String,
    /// The label at the other location: a sentence that names it.
    pub(crate) other: String,
}

impl<'a> Pair<'a> {
    /// `None` if it is entirely outside the workspace.
    pub(crate) fn of(report: &mut ReportText<'a>) -> Option<Pair<'a>> {
        let [first, second] = report.finding.events.as_slice() else { return None };
        let (shown, primary, other, other_location) = match (report.site(&first.stack), report.site(&second.stack)) {
            (first_location, Some(second_location)) => (second, second_location, first, first_location),
            (Some(first_location), None) => (first, first_location, second, None),
            (None, None) => return None,
        };
        let name = shown.action.object().and_then(|object| report.known(&object));
        let (one, two) = (report.thread(shown.thread), report.thread(other.thread));
        Some(Pair { shown, other, one, two, name, primary, other_location })
    }

    /// The two uses of a value that a type should not have given to both threads, at the impl that promises it.
    pub(crate) fn at_promise(report: &ReportText<'a>, location: Location) -> Option<Pair<'a>> {
        let [other, shown] = report.finding.events.as_slice() else { return None };
        let (one, two) = (report.thread(shown.thread), report.thread(other.thread));
        Some(Pair { shown, other, one, two, name: None, primary: location, other_location: None })
    }

    pub(crate) fn diagnostic(self, texts: Texts, report: &mut ReportText<'_>) -> Diagnostic {
        let Texts { rule, level, confidence, title, message, mut label, other } = texts;
        if self.other_location.as_ref() == Some(&self.primary) {
            label.push_str(&format!(", and {other} here too"));
        }
        let others = self.other_location.filter(|location| *location != self.primary);
        let others = others.map(|location| Related { location, text: format!("{other} here"), role: Role::Part });
        let functions = in_order(vec![report.item(&self.shown.stack), report.item(&self.other.stack)]);
        Diagnostic {
            rule,
            level,
            title,
            message,
            primary: self.primary,
            label,
            others: others.into_iter().collect(),
            entry: None,
            cause: format!("{}:{functions}", self.name.unwrap_or_default().replace('`', "")),
            confidence,
            shown_by: (1, 1),
            replay: None,
            witness: None,
            threads: report.paths(),
            steps: report.steps(),
            notes: why(report).into_iter().map(|text| ("why".to_owned(), text)).collect(),
            help: None,
            declared: report.declared.clone(),
            is_known_safe: report.is_known_safe(),
        }
    }
}

/// Why nothing orders the accesses: no common lock, no start or end of a thread in between, no sufficient atomic.
/// `None` if the steps are not known.
fn why(report: &mut ReportText<'_>) -> Option<String> {
    let finding = report.finding;
    let [first, second] = finding.events.as_slice() else { return None };
    finding.trace.iter().find(|step| matches!(step.event, TraceEvent::Accesses { .. }))?;
    let mut parts = vec![locks(report)];
    let (one, two) = (report.thread(first.thread), report.thread(second.thread));
    let starts = |thread| finding.trace.iter().find(|step| step.event == TraceEvent::Starts { thread });
    let starter = |thread| starts(thread).map(|step| step.thread);
    if starter(first.thread) == Some(second.thread) || starter(second.thread) == Some(first.thread) {
        let child = if starter(first.thread) == Some(second.thread) { first } else { second };
        let name = report.thread(child.thread);
        let location = report.site(&child.started);
        let location = location.map_or_else(String::new, |it| format!(" at line {}", it.line));
        parts.push(format!("{name} runs since its start{location}, and neither waits for the other"));
    } else {
        parts.push(format!("{one} and {two} run at the same time, and neither waits for the other"));
    }
    if let Some((stored, loaded)) = report.weak_pair() {
        let (store, load) = (report.step_text(&finding.trace[stored]), report.step_text(&finding.trace[loaded]));
        parts.push(format!("{one} {store} and {two} {load}, which orders nothing"));
    }
    Some(parts.join("; "))
}

/// The locks held at both accesses.
fn locks(report: &mut ReportText<'_>) -> String {
    let finding = report.finding;
    let (first, second) = (&finding.events[0], &finding.events[1]);
    let held = report.held_at_first();
    let is_common = held.iter().any(|(object, _)| second.held.iter().any(|it| it.1.addr == object.addr));
    let ones: Vec<String> = held.iter().map(|(object, step)| report.at_step(object, step, "a lock")).collect();
    let twos: Vec<String> = second.held.iter().map(|(kind, object, _)| report.lock(*kind, object)).collect();
    let (one, two) = (report.thread(first.thread), report.thread(second.thread));
    match (ones.as_slice(), twos.as_slice()) {
        ([], []) => "neither holds a lock".to_owned(),
        (ones, []) => format!("{one} holds {}, {two} holds no lock", listed(ones)),
        ([], twos) => format!("{two} holds {}, {one} holds no lock", listed(twos)),
        (ones, _) if is_common => format!("both hold {}, but only to read", listed(ones)),
        (ones, twos) => format!("{one} holds {}, {two} holds {}", listed(ones), listed(twos)),
    }
}
