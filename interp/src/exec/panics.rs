//! Panics of runs that end with one that nobody handles, as findings. Whether one depends on the schedule is asked of
//! other runs elsewhere.

use crate::clock::ThreadId;
use crate::finding::{Action, Finding, FindingKind, StackEntry};
use crate::machine::Machine;
use crate::models::message_of_panic;
use crate::run::RunEnd;
use crate::trace::TraceEvent;

/// Maximum number of panics of a run that are kept. With more, the run is compared with no other one.
const MOST_KNOWN: usize = 64;
/// Maximum length of what is kept of the output of a panic, in bytes.
const MOST_SAID: usize = 4096;
/// Maximum number of panics of a run that are reported, the first ones.
const MOST_REPORTED: usize = 8;

/// The panics of a run since a second thread was started.
#[derive(Clone, Default, Debug)]
pub(crate) struct Panics {
    /// Those that may still explain how the run ends, by time: what another thread that panics afterwards found, such
    /// as a poisoned lock, follows from the first one.
    known: Vec<Panic>,
    raised: Raised,
    /// The output of threads since their panics began.
    said: Vec<(ThreadId, Vec<u8>)>,
}

/// Where a run raised panics after a second thread was started, handled ones included.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Raised {
    /// For each its [`StackEntry::nearest`]; [`Raised::MOST`] at most.
    pub places: Vec<StackEntry>,
    /// Whether there are more.
    pub has_more: bool,
}

impl Raised {
    /// Maximum number of places that are kept.
    pub const MOST: usize = 64;

    fn add(&mut self, stack: &[StackEntry]) {
        let Some(place) = StackEntry::nearest(stack) else { return };
        if self.places.contains(&place) {
            return;
        }
        match self.places.len() < Raised::MOST {
            true => self.places.push(place),
            false => self.has_more = true,
        }
    }
}

#[derive(Clone, Debug)]
struct Panic {
    thread: ThreadId,
    /// The address of its payload: code that catches a panic may raise it again, in any thread.
    payload: u64,
    state: PanicState,
    finding: Finding,
}

/// How a panic went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PanicState {
    /// Its thread is being unwound.
    Unwinds,
    /// Code outside std caught it.
    Caught,
    /// It ended the thread.
    Left,
    /// It ended the thread, and another thread learned of that.
    Joined,
}

impl Panics {
    /// Where panics were raised.
    pub(crate) fn into_raised(self) -> Raised {
        self.raised
    }

    /// Whether this panic is a caught one, raised again.
    fn raised_again(&mut self, thread: ThreadId, payload: u64) -> bool {
        let is_same =
            |it: &&mut Panic| it.payload == payload && matches!(it.state, PanicState::Caught | PanicState::Joined);
        let known = self.known.iter_mut().find(is_same);
        if let Some(known) = known {
            (known.thread, known.state) = (thread, PanicState::Unwinds);
            return true;
        }
        false
    }

    fn raised(&mut self, panic: Panic) {
        // Of those that a thread has caught, only the last one is kept: there may be any number of them.
        self.known.retain(|it| it.state != PanicState::Caught || it.thread != panic.thread);
        self.known.push(panic);
    }

    /// Another thread has waited for the end of this one, and decides what its panic means.
    pub(crate) fn joined(&mut self, thread: ThreadId) {
        for panic in &mut self.known {
            if panic.thread == thread && panic.state == PanicState::Left {
                panic.state = PanicState::Joined;
            }
        }
    }
}

impl Machine<'_> {
    /// A panic of the current thread begins: what it prints from now on may say why.
    pub(crate) fn panic_begins(&mut self) {
        if self.config.trace && self.concurrent {
            let thread = self.thread_id();
            self.panics.said.retain(|(of, _)| *of != thread);
            self.panics.said.push((thread, Vec::new()));
        }
    }

    /// The current thread prints to standard error.
    pub(crate) fn said(&mut self, bytes: &[u8]) {
        let thread = self.thread_id();
        if let Some((_, said)) = self.panics.said.iter_mut().find(|(of, _)| *of == thread) {
            let room = MOST_SAID.saturating_sub(said.len());
            said.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        }
    }

    /// The current thread raises a panic with the payload at an address.
    pub(crate) fn raised(&mut self, payload: u64) {
        if !self.concurrent || self.process != self.threads[0].process {
            return;
        }
        let thread = self.thread_id();
        let said = self.panics.said.iter().position(|(of, _)| *of == thread);
        let said = said.map(|index| self.panics.said.swap_remove(index).1);
        if self.panics.raised_again(thread, payload) {
            return;
        }
        if self.panics.known.len() >= MOST_KNOWN {
            self.panics.raised.has_more = true;
            return;
        }
        let place = self.place();
        let event = self.event(thread, Action::Panics { is_handled: false }, place);
        self.panics.raised.add(&event.stack);
        let mut trace = self.steps_so_far();
        // What the panic itself does, such as locking the output, explains nothing.
        let own = |entry: &StackEntry| !entry.is_std;
        let depth = event.stack.iter().position(own).unwrap_or_default().saturating_sub(1);
        let call = &event.stack[depth..];
        trace.retain(|step| step.event == TraceEvent::Panics || !step.stack.ends_with(call));
        let mut finding = self.finding(FindingKind::EntryPanicked, vec![event], trace);
        finding.message = said.and_then(|said| message_of_panic(&said));
        self.panics.raised(Panic { thread, payload, state: PanicState::Unwinds, finding });
    }

    /// The current thread's last panic was caught: by std, below which there is no other code, if `is_left`.
    pub(crate) fn caught(&mut self, is_left: bool) {
        let thread = self.thread_id();
        let is_open = |it: &&mut Panic| it.thread == thread && it.state == PanicState::Unwinds;
        if let Some(panic) = self.panics.known.iter_mut().rfind(is_open) {
            panic.state = if is_left { PanicState::Left } else { PanicState::Caught };
        }
    }

    /// At the end of the run: reports its panics that were not caught, up to the last one that nobody handled. After a
    /// data race they may follow from that.
    pub(crate) fn report_panics(&mut self, end: &RunEnd) {
        let ends_program = matches!(end, RunEnd::Panicked | RunEnd::Aborted);
        let current = self.thread_id();
        let is_unhandled = |panic: &Panic| match panic.state {
            PanicState::Left => true,
            PanicState::Unwinds => ends_program && panic.thread == current,
            PanicState::Caught | PanicState::Joined => false,
        };
        let is_complete = ends_program || matches!(end, RunEnd::Returned(_) | RunEnd::Exited(_));
        let mut known = std::mem::take(&mut self.panics.known);
        let reported = known.iter().rposition(is_unhandled).map_or(0, |last| MOST_REPORTED.min(last + 1));
        known.truncate(if is_complete && !self.has_raced() { reported } else { 0 });
        for mut panic in known {
            let is_handled = !is_unhandled(&panic);
            if panic.state == PanicState::Caught {
                continue;
            }
            if let Some(event) = panic.finding.events.first_mut() {
                event.action = Action::Panics { is_handled };
            }
            // That nobody handles it shows at the end only.
            (panic.finding.step, panic.finding.choices) = (self.steps, self.choices);
            self.findings.push(panic.finding);
        }
    }
}
