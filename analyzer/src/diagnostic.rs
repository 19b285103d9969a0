//! A finding as data for people, independent of the output format.

use crate::{
    escape,
    project::{EntryName, Location},
    witness::Witness,
};
use interp::sched::WakeUps;
use serde::{Deserialize, Serialize};

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A bug.
    Error,
    /// Possibly not a bug.
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

/// How a finding depends on uninterpreted values (decision 6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// It depends on none.
    Certain,
    /// It depends on inputs only: some input leads there.
    SomeInput,
    /// It depends on unsupported code, or its rule is on trial.
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

/// How another location is related to a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It is one of the accesses or waits that make up the finding.
    Part,
    /// It explains one of them: a lock that is still held was taken there.
    Reason,
    /// It belongs to another finding with the same cause.
    Further,
}

/// Another location of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Related {
    /// The location.
    pub location: Location,
    /// What happens there; as short as a label.
    pub text: String,
    /// How it is related.
    pub role: Role,
}

/// A frame of a thread's stack in the workspace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// Where it calls the next function, or where it is.
    pub location: Location,
}

/// A thread of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ThreadPath {
    /// Its name in reports.
    pub name: String,
    /// Where it was started; `None` for the entry's own thread.
    pub started: Option<Location>,
    /// Its stack, outermost frame first; frames in the workspace only.
    pub frames: Vec<Frame>,
    /// Whether one of the locations that make up the finding is in this thread; otherwise it only explains the finding.
    pub is_part: bool,
    /// The locks that it holds there.
    pub holds: Vec<HeldLock>,
}

/// A lock that a thread holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HeldLock {
    /// Its name in reports.
    pub name: String,
    /// Where it was taken; `None` outside the workspace.
    pub location: Option<Location>,
}

/// One step of the interleaving that shows a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// Its thread: an index into [`Diagnostic::threads`].
    pub thread: usize,
    /// The location; `None` for the end of a thread.
    pub location: Option<Location>,
    /// What it does; as short as a label.
    pub text: String,
    /// Whether it is one of the accesses of the finding.
    pub is_access: bool,
}

/// A suggested fix: lines to add or replace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Help {
    /// What to do, and its consequences.
    pub text: String,
    /// The range to replace; empty for an insertion.
    pub location: Location,
    /// The new text.
    pub replacement: String,
}

/// The name of a rule in the [table](crate::rules::RULES). (An alias, because serde's derive would borrow a `&str`.)
pub type RuleName = &'static str;

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Name of the rule, kebab-case.
    #[serde(with = "rule_name")]
    pub rule: RuleName,
    /// The severity.
    pub level: Level,
    /// A summary sentence, lower-case and without a full stop.
    pub title: String,
    /// One sentence about the primary location that names all others, for formats with one line for each finding.
    pub message: String,
    /// The location at which it is shown.
    pub primary: Location,
    /// What happens at the primary location; as short as a label.
    pub label: String,
    /// All other locations, without duplicates.
    pub others: Vec<Related>,
    /// The entry that shows it; `None` until its exploration is over.
    pub entry: Option<EntryName>,
    /// The root cause: findings of a rule with the same cause are the same bug. It consists of names, never of lines.
    pub cause: String,
    /// How it depends on uninterpreted values.
    pub confidence: Confidence,
    /// How many schedules show it, and how many were run.
    pub shown_by: (u32, u32),
    /// Its id for `tsvd-check replay`; `None` if it did not replay.
    pub replay: Option<String>,
    /// The shortest schedule found that shows it.
    pub witness: Option<Witness>,
    /// The threads involved.
    pub threads: Vec<ThreadPath>,
    /// The interleaving; empty if it was not recorded.
    pub steps: Vec<Step>,
    /// Further explanations: a heading of one word, and a sentence.
    pub notes: Vec<(String, String)>,
    /// A fix, where one is certain.
    pub help: Option<Help>,
    /// Where the fields and statics of the workspace are declared that are its objects.
    pub declared: Vec<Location>,
    /// Whether both accesses are in methods of one type that the configuration calls safe.
    #[serde(skip)]
    pub is_known_safe: bool,
}

impl Diagnostic {
    /// The same with everything that is shown escaped, except the text of a fix.
    #[must_use]
    pub fn escaped(&self) -> Diagnostic {
        let text = |it: &String| escape::line(it).into_owned();
        let location = |it: &Location| Location { path: text(&it.path), ..it.clone() };
        let related = |it: &Related| Related { location: location(&it.location), text: text(&it.text), role: it.role };
        let frame = |it: &Frame| Frame { function: text(&it.function), location: location(&it.location) };
        let held = |it: &HeldLock| HeldLock { name: text(&it.name), location: it.location.as_ref().map(location) };
        let thread = |it: &ThreadPath| ThreadPath {
            name: text(&it.name),
            started: it.started.as_ref().map(location),
            frames: it.frames.iter().map(frame).collect(),
            is_part: it.is_part,
            holds: it.holds.iter().map(held).collect(),
        };
        let step =
            |it: &Step| Step { location: it.location.as_ref().map(location), text: text(&it.text), ..it.clone() };
        let help = |it: &Help| Help { text: text(&it.text), location: location(&it.location), ..it.clone() };
        Diagnostic {
            title: text(&self.title),
            message: text(&self.message),
            primary: location(&self.primary),
            label: text(&self.label),
            others: self.others.iter().map(related).collect(),
            threads: self.threads.iter().map(thread).collect(),
            steps: self.steps.iter().map(step).collect(),
            notes: self.notes.iter().map(|(head, it)| (head.clone(), text(it))).collect(),
            help: self.help.as_ref().map(help),
            declared: self.declared.iter().map(location).collect(),
            ..self.clone()
        }
    }

    /// Sets the witness that shows it, its id, and the conditions of the schedule.
    pub(crate) fn set_witness(&mut self, entry: &str, witness: &Witness) {
        self.replay = Some(witness.id(entry, self.rule, &self.cause));
        self.witness = Some(witness.clone());
        if witness.wake_ups == WakeUps::Spurious {
            self.message.push_str("; before that a wait ended for no reason, as std allows");
        }
    }

    /// An identifier that survives moved lines: rule, names and paths.
    pub fn fingerprint(&self) -> String {
        format!("{}:{}", self.rule, self.cause)
    }

    /// Whether both have the same root cause.
    pub fn is_same_bug(&self, other: &Diagnostic) -> bool {
        self.rule == other.rule && self.cause == other.cause && self.has_file_of(other)
    }

    /// Whether both have a file in common: programs of one package may use the same names in separate files.
    fn has_file_of(&self, other: &Diagnostic) -> bool {
        other.files().any(|file| self.files().any(|own| own == file))
    }

    /// The locations whose source is shown.
    pub fn drawn_locations(&self) -> impl Iterator<Item = &Location> {
        let others = self.others.iter().map(|site| &site.location);
        others.chain([&self.primary]).chain(self.help.iter().map(|help| &help.location))
    }

    /// All its locations.
    pub fn locations(&self) -> impl Iterator<Item = &Location> {
        let steps = self.steps.iter().filter_map(|step| step.location.as_ref());
        let threads = self.threads.iter();
        let frames = threads.flat_map(|it| it.frames.iter().map(|frame| &frame.location).chain(&it.started));
        let held = self.threads.iter().flat_map(|it| it.holds.iter().filter_map(|lock| lock.location.as_ref()));
        let others = self.others.iter().map(|site| &site.location);
        let help = self.help.iter().map(|help| &help.location);
        others.chain([&self.primary]).chain(steps).chain(frames).chain(held).chain(help).chain(&self.declared)
    }

    fn files(&self) -> impl Iterator<Item = &str> {
        let parts = self.others.iter().filter(|site| site.role == Role::Part);
        std::iter::once(&self.primary).chain(parts.map(|site| &site.location)).map(|location| location.path.as_str())
    }

    /// Adds the locations of another finding with the same cause.
    pub fn absorb(&mut self, other: Diagnostic) {
        let parts = other.others.into_iter().filter(|site| site.role != Role::Reason);
        let first = Related { location: other.primary, text: other.label, role: Role::Further };
        for site in std::iter::once(first).chain(parts) {
            if site.location != self.primary && self.others.iter().all(|known| known.location != site.location) {
                self.others.push(Related { role: Role::Further, ..site });
            }
        }
    }
}

/// Serialises the name of a rule; it must be in the table.
mod rule_name {
    use crate::rules::RULES;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(rule: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(rule)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
        let name = String::deserialize(deserializer)?;
        let rule = RULES.iter().find(|rule| rule.name == name);
        rule.map(|rule| rule.name).ok_or_else(|| D::Error::custom(format!("unknown rule `{name}`")))
    }
}
