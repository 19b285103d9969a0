//! A finding as people are told of it, before a front end gives it a form.

use crate::{
    escape,
    project::{EntryName, Place},
    witness::Witness,
};
use interp::sched::WakeUps;
use serde::{Deserialize, Serialize};

/// How much a finding counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A bug.
    Error,
    /// What may be none.
    Warning,
}

impl Level {
    /// As printed.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
        }
    }
}

/// How far a finding rests on values that the run did not know (decision 6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// On none.
    Certain,
    /// On values from outside only: some input leads there.
    SomeInput,
    /// On something that was not understood.
    Possible,
}

impl Confidence {
    /// As printed.
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::SomeInput => "some-input",
            Confidence::Possible => "possible",
        }
    }
}

/// What another site has to do with a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It is one of the accesses or waits that make the finding.
    Part,
    /// It explains one of them: a lock was taken there that is still held.
    Reason,
    /// It belongs to another finding of the same cause.
    Further,
}

/// Another site of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What happens there, about as long as a label.
    pub text: String,
    /// Why it is told.
    pub role: Role,
}

/// A frame of a thread's stack in the workspace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// Where it calls the next one, or where it is.
    pub place: Place,
}

/// A thread of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ThreadPath {
    /// What people call it.
    pub name: String,
    /// Where it was started; nothing for the entry's own.
    pub started: Option<Place>,
    /// How it came to where it is, outermost frame first; frames in the workspace only.
    pub frames: Vec<Frame>,
    /// Whether one of the sites that make the finding is its; else it only explains it.
    pub is_part: bool,
    /// The locks that it holds there.
    pub holds: Vec<HeldLock>,
}

/// A lock that a thread holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HeldLock {
    /// What people call it.
    pub name: String,
    /// Where it was taken; nothing outside the workspace.
    pub place: Option<Place>,
}

/// One step of the interleaving that shows a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// Whose: an index into [`Diagnostic::threads`].
    pub thread: usize,
    /// Where; nothing at a thread's end.
    pub place: Option<Place>,
    /// What it does, about as long as a label.
    pub text: String,
    /// Whether it is one of the accesses that the finding is about.
    pub is_access: bool,
}

/// Lines that would repair the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Help {
    /// What to do, and what follows from it.
    pub text: String,
    /// Where the new text goes: an empty range to insert, else what it replaces.
    pub place: Place,
    /// The new text.
    pub replacement: String,
}

/// The name of a rule in the [table](crate::rules::RULES). (An alias, as serde's derive would borrow a `&str`.)
pub type RuleName = &'static str;

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Name of the rule, kebab-case.
    #[serde(with = "rule_name")]
    pub rule: RuleName,
    /// How much it counts.
    pub level: Level,
    /// The whole in one sentence, lower-case and without a full stop.
    pub title: String,
    /// One sentence about the primary site that names all others, for lists of one line a finding.
    pub message: String,
    /// Where it is shown.
    pub primary: Place,
    /// What happens at the primary site, about as long as a label.
    pub label: String,
    /// All other sites that belong to it; none is there twice.
    pub others: Vec<Related>,
    /// The entry that shows it; unknown before its exploration is over.
    pub entry: Option<EntryName>,
    /// The root cause: two findings of a rule with one cause are one. Made of names, never of lines.
    pub cause: String,
    /// What it rests on.
    pub confidence: Confidence,
    /// How many of how many schedules show it.
    pub shown_by: (u32, u32),
    /// What `tsvd-check replay` calls it; none if it could not be replayed.
    pub replay: Option<String>,
    /// The shortest schedule found that shows it.
    pub witness: Option<Witness>,
    /// The threads that have a part in it.
    pub threads: Vec<ThreadPath>,
    /// The interleaving; empty if it was not recorded.
    pub steps: Vec<Step>,
    /// Further explanations: a word that heads it, and a sentence.
    pub notes: Vec<(String, String)>,
    /// A repair, where one is certain.
    pub help: Option<Help>,
}

impl Diagnostic {
    /// The same with everything escaped that is shown, but for the new text of a repair.
    #[must_use]
    pub fn escaped(&self) -> Diagnostic {
        let text = |it: &String| escape::line(it).into_owned();
        let place = |it: &Place| Place { path: text(&it.path), ..it.clone() };
        let related = |it: &Related| Related { place: place(&it.place), text: text(&it.text), role: it.role };
        let frame = |it: &Frame| Frame { function: text(&it.function), place: place(&it.place) };
        let held = |it: &HeldLock| HeldLock { name: text(&it.name), place: it.place.as_ref().map(place) };
        let thread = |it: &ThreadPath| ThreadPath {
            name: text(&it.name),
            started: it.started.as_ref().map(place),
            frames: it.frames.iter().map(frame).collect(),
            is_part: it.is_part,
            holds: it.holds.iter().map(held).collect(),
        };
        let step = |it: &Step| Step { place: it.place.as_ref().map(place), text: text(&it.text), ..it.clone() };
        let help = |it: &Help| Help { text: text(&it.text), place: place(&it.place), ..it.clone() };
        Diagnostic {
            title: text(&self.title),
            message: text(&self.message),
            primary: place(&self.primary),
            label: text(&self.label),
            others: self.others.iter().map(related).collect(),
            threads: self.threads.iter().map(thread).collect(),
            steps: self.steps.iter().map(step).collect(),
            notes: self.notes.iter().map(|(head, it)| (head.clone(), text(it))).collect(),
            help: self.help.as_ref().map(help),
            ..self.clone()
        }
    }

    /// It becomes one that a witness shows: it can be replayed, and says what the schedule takes for granted.
    pub(crate) fn set_witness(&mut self, entry: &str, witness: &Witness) {
        self.replay = Some(witness.id(entry, self.rule, &self.cause));
        self.witness = Some(witness.clone());
        if witness.wake_ups == WakeUps::Spurious {
            self.message.push_str("; before that a wait ended for no reason, as std allows");
        }
    }

    /// What stays the same when lines move: rule, names and paths.
    pub fn fingerprint(&self) -> String {
        format!("{}:{}", self.rule, self.cause)
    }

    /// Whether both have one root cause.
    pub fn is_same_bug(&self, other: &Diagnostic) -> bool {
        self.rule == other.rule && self.cause == other.cause && self.has_file_of(other)
    }

    /// Whether both are about a file: programs of one package may use the same names in files of their own.
    fn has_file_of(&self, other: &Diagnostic) -> bool {
        other.files().any(|file| self.files().any(|own| own == file))
    }

    /// The places at which its source is drawn.
    pub fn drawn_places(&self) -> impl Iterator<Item = &Place> {
        let others = self.others.iter().map(|site| &site.place);
        others.chain([&self.primary]).chain(self.help.iter().map(|help| &help.place))
    }

    /// All places that it speaks of.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let steps = self.steps.iter().filter_map(|step| step.place.as_ref());
        let threads = self.threads.iter();
        let frames = threads.flat_map(|it| it.frames.iter().map(|frame| &frame.place).chain(&it.started));
        let held = self.threads.iter().flat_map(|it| it.holds.iter().filter_map(|lock| lock.place.as_ref()));
        let others = self.others.iter().map(|site| &site.place);
        let help = self.help.iter().map(|help| &help.place);
        others.chain([&self.primary]).chain(steps).chain(frames).chain(held).chain(help)
    }

    fn files(&self) -> impl Iterator<Item = &str> {
        let parts = self.others.iter().filter(|site| site.role == Role::Part);
        std::iter::once(&self.primary).chain(parts.map(|site| &site.place)).map(|place| place.path.as_str())
    }

    /// Takes in the sites of another finding that has the same cause.
    pub fn absorb(&mut self, other: Diagnostic) {
        let parts = other.others.into_iter().filter(|site| site.role != Role::Reason);
        let first = Related { place: other.primary, text: other.label, role: Role::Further };
        for site in std::iter::once(first).chain(parts) {
            if site.place != self.primary && self.others.iter().all(|known| known.place != site.place) {
                self.others.push(Related { role: Role::Further, ..site });
            }
        }
    }
}

/// The name of a rule, which has to be one of the table's.
mod rule_name {
    use crate::rules::RULES;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(rule: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(rule)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
        let name = String::deserialize(deserializer)?;
        let rule = RULES.iter().find(|rule| rule.name == name);
        rule.map(|rule| rule.name).ok_or_else(|| D::Error::custom(format!("there is no rule `{name}`")))
    }
}
