//! The table of rules (invariant 11). A rule has one `.rs` with its policy and report texts, and one `.md` with its
//! page. No other code compares kinds of findings.

use crate::{
    diagnostic::{Confidence, Diagnostic, Level},
    names::Names,
    report_text::{ReportText, inputs},
};
use interp::{
    clock::ThreadId,
    finding::{BehindWhat, Finding, FindingKind},
    term::Origin,
};

mod data_race;
mod deadlock;
mod livelock;
mod schedule_dependent_fault;
mod schedule_dependent_panic;
mod schedule_dependent_result;
mod thread_safety_violation;

pub(crate) use deadlock::{is_on_purpose as waits_on_purpose, warns_of_callbacks, warns_of_dropping};
pub(crate) use schedule_dependent_panic::is_expected as is_expected_panic;

/// A rule: its name and page, and the findings that it reports.
#[derive(Clone, Copy, Debug)]
pub struct RuleSpec {
    /// Its name.
    pub name: &'static str,
    /// What it reports, in one line.
    pub summary: &'static str,
    /// The severity of its certain findings.
    pub level: Level,
    /// Its page, in Markdown.
    pub page: &'static str,
    /// Rules whose findings are consequences of this one's: they are not reported on lines of this rule's findings.
    pub absorbs: &'static [&'static str],
    /// Whether its findings are only possible, as long as too little is known of how many are true.
    pub is_on_trial: bool,
    /// The kinds of findings that it reports.
    pub kinds: &'static [KindSpec],
}

/// A kind of finding: which function writes its report, and when it is reported.
#[derive(Clone, Copy, Debug)]
pub struct KindSpec {
    /// The kind.
    pub kind: FindingKind,
    /// Makes the diagnostic; `None` if the finding is entirely outside the workspace, or intended.
    diagnose: fn(&mut ReportText<'_>) -> Option<Diagnostic>,
    /// Whether it is certain only in a closed world: unsupported code might have done what is waited for.
    pub(crate) needs_closed_world: bool,
    /// Whether it does not count under schedules in which waits may end early or late.
    pub(crate) rests_on_time: bool,
    /// Whether lost wake-ups, such as an early notification, may explain it.
    pub(crate) has_missed_wake_ups: bool,
    /// Whether it is a bug only if another schedule with the same inputs ends well.
    pub(crate) needs_contrast: bool,
    /// Which harnesses may show it.
    pub(crate) harnesses: HarnessPolicy,
}

/// Which harnesses may show a kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HarnessPolicy {
    /// All: safe functions may be called in any order.
    All,
    /// Those in which the harness holds nothing between calls.
    WithinCalls,
    /// The same, if in addition no other call could end the wait.
    WithinCallsForever,
    /// Those that make calls from several threads, if it does not show when no two calls overlap.
    NotInSerialOrder,
    /// None: a call may have broken a rule that only the documentation states.
    Never,
}

/// All rules, by name.
pub const RULES: &[RuleSpec] = &[
    data_race::RULE,
    deadlock::RULE,
    livelock::RULE,
    schedule_dependent_fault::RULE,
    schedule_dependent_panic::RULE,
    schedule_dependent_result::RULE,
    thread_safety_violation::RULE,
];

/// The rule with this name.
pub fn rule(name: &str) -> Option<&'static RuleSpec> {
    RULES.iter().find(|it| it.name == name)
}

/// The rule that reports a kind of finding, and how.
fn spec(kind: FindingKind) -> (&'static RuleSpec, &'static KindSpec) {
    let mut specs = RULES.iter().flat_map(|rule| rule.kinds.iter().map(move |it| (rule, it)));
    specs.find(|(_, it)| it.kind == kind).expect("each kind is reported by a rule")
}

/// The rule that reports a kind of finding.
pub(crate) fn rule_of(kind: FindingKind) -> &'static RuleSpec {
    spec(kind).0
}

/// The policy for a kind of finding.
pub(crate) fn policy(kind: FindingKind) -> &'static KindSpec {
    spec(kind).1
}

/// The diagnostic of a finding; `None` if it is entirely outside the workspace.
pub fn diagnose(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    let report = &mut ReportText::new(finding, names, policy(finding.kind).has_missed_wake_ups);
    let mut diagnostic = (policy(finding.kind).diagnose)(report)?;
    for text in [&mut diagnostic.title, &mut diagnostic.message] {
        *text = report.introduced(text);
    }
    let calls = report.calls();
    if !calls.is_empty() {
        diagnostic.notes.push(("called".to_owned(), calls));
    }
    if !finding.given.is_empty() {
        diagnostic.notes.push(("given".to_owned(), inputs::given(&finding.given)));
    }
    if finding.behind.is_some() {
        diagnostic.notes.push((BEHIND.to_owned(), report.behind()));
    }
    if finding.rests_on_time {
        diagnostic
            .notes
            .push((LATE.to_owned(), "a thread wakes later than its deadline allows, as on a busy machine".to_owned()));
    }
    if !finding.guesses.is_empty() && confidence(finding) != Confidence::Possible {
        diagnostic.notes.push(("tried".to_owned(), tried(finding.guesses.len())));
    }
    if rule_of(finding.kind).is_on_trial {
        diagnostic.confidence = Confidence::Possible;
    }
    Some(diagnostic)
}

/// The name of the note that a run had gone on behind another deadlock, or a panic.
pub const BEHIND: &str = "behind";

/// The name of the note that a thread is late, which makes a finding only possible.
pub const LATE: &str = "late";

/// The first choice at which two schedules differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parting {
    /// Its number, from 0.
    pub(crate) choice: usize,
    /// The thread that goes on in the run of the finding.
    pub(crate) here: ThreadId,
    /// The thread that goes on in the other run.
    pub(crate) there: ThreadId,
}

/// Adds to a diagnostic what the schedule of a run that ends well does otherwise, at the first choice that differs.
pub(crate) fn add_contrast(
    diagnostic: &mut Diagnostic,
    finding: &Finding,
    names: &mut dyn Names,
    parting: Option<Parting>,
) {
    let report = ReportText::new(finding, names, false);
    let text = match parting {
        Some(Parting { choice, here, there }) => {
            let (here, there) = (report.thread(here), report.thread(there));
            let when = match report.steps_before(choice) {
                0 => "at the start".to_owned(),
                steps => format!("after step {steps}"),
            };
            match here == there {
                true => format!("the same inputs end well if, {when}, another thread runs next"),
                false => format!("the same inputs end well if, {when}, {there} runs next instead of {here}"),
            }
        }
        None => "the same inputs end well under another schedule".to_owned(),
    };
    diagnostic.notes.insert(0, ("otherwise".to_owned(), text));
}

/// The note that guesses do not matter.
fn tried(guesses: usize) -> String {
    let (branches, go) =
        if guesses == 1 { ("1 branch".to_owned(), "it goes") } else { (format!("{guesses} branches"), "they go") };
    format!("{branches} on unsupported code before this point: the bug occurs whichever way {go}")
}

/// How a finding depends on uninterpreted values and on time. A wait that never ends is only known in a closed world:
/// unsupported code might have ended it.
pub fn confidence(finding: &Finding) -> Confidence {
    let is_open = policy(finding.kind).needs_closed_world && finding.is_open;
    match finding.rests_on {
        Some(Origin::Unknown(_) | Origin::Uninit) => Confidence::Possible,
        _ if finding.rests_on_time || is_open => Confidence::Possible,
        None => Confidence::Certain,
        // With other inputs it might not have panicked, and what was left out might have run.
        Some(Origin::Input) if matches!(finding.behind, Some(BehindWhat::Panic(_))) => Confidence::Possible,
        Some(Origin::Input) => Confidence::SomeInput,
    }
}

/// Maximum length of a message that is shown completely, in characters.
const LONGEST: usize = 240;

/// A message of several lines, such as that of `assert_eq!`, on one; shortened if it is long.
fn on_one_line(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = lines.join(", ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{RULES, confidence, rule};
    use crate::diagnostic::Confidence::{Certain, Possible, SomeInput};
    use interp::{
        finding::{BehindWhat, Finding, FindingKind},
        ir::CauseId,
        term::Origin,
    };

    #[test]
    fn each_kind_is_reported_by_one_rule() {
        for kind in FindingKind::ALL {
            let rules = RULES.iter().filter(|rule| rule.kinds.iter().any(|it| it.kind == kind));
            assert_eq!(rules.count(), 1, "{kind:?}");
        }
        for it in RULES {
            assert!(!it.kinds.is_empty(), "{} reports nothing", it.name);
            assert!(it.absorbs.iter().all(|name| rule(name).is_some()), "{}", it.name);
            assert!(it.page.starts_with(&format!("# {}\n", it.name)), "{}", it.name);
        }
        assert!(RULES.is_sorted_by_key(|it| it.name));
    }

    #[test]
    fn what_findings_rest_on() {
        let unknown = Origin::Unknown(CauseId(0));
        let table = [
            (None, [Certain, Possible]),
            (Some(Origin::Input), [SomeInput, Possible]),
            (Some(Origin::Uninit), [Possible, Possible]),
            (Some(unknown), [Possible, Possible]),
        ];
        for (rests_on, [closed, open]) in table {
            for kind in FindingKind::ALL {
                let of = |is_open, behind| {
                    let (events, trace, thread_names) = (Vec::new(), Vec::new(), Vec::new());
                    confidence(&Finding {
                        kind,
                        events,
                        trace,
                        thread_names,
                        rests_on,
                        rests_on_beside: None,
                        rests_on_time: false,
                        guesses: Vec::new(),
                        is_open,
                        suspended: Vec::new(),
                        behind,
                        given: Vec::new(),
                        message: None,
                        step: 0,
                        choices: 0,
                    })
                };
                // No unknown code can undo an access, or break a cycle of locks. It may decide whether code panics.
                use FindingKind::{BlockedForever, EntryFailed, EntryFaulted, EntryPanicked, SpinsForever};
                let needs_closed_world = [BlockedForever, EntryPanicked, EntryFaulted, SpinsForever, EntryFailed];
                let open = if needs_closed_world.contains(&kind) { open } else { closed };
                assert_eq!((of(false, None), of(true, None)), (closed, open), "{kind:?} {rests_on:?}");
                // The panic may rest on the input, but a deadlock is a failure by itself.
                let behind = if closed == SomeInput { Possible } else { closed };
                assert_eq!(of(false, Some(BehindWhat::Panic(Vec::new()))), behind, "{kind:?} {rests_on:?}");
                assert_eq!(of(false, Some(BehindWhat::Deadlock(Vec::new()))), closed, "{kind:?} {rests_on:?}");
            }
        }
    }
}
