//! The calls that the threads of a harness make, and which of them overlap.

use crate::{clock::ThreadId, finding::StackEntry};

/// A choice of a harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HarnessChoice {
    /// The text that distinguishes choices, such as `call 1 of thread 1`.
    pub label: Box<[u8]>,
    /// The number of alternatives.
    pub count: u64,
    /// The chosen one; `count` for a call that is not made.
    pub index: u64,
    /// Whether it is a call.
    pub is_call: bool,
}

/// The choices of a harness in a run.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct HarnessChoices {
    /// In order.
    pub made: Vec<HarnessChoice>,
    /// Indices of two calls of different threads that were under way at the same time.
    pub overlapping: Vec<(usize, usize)>,
    /// The calls whose future was dropped before it was ready.
    pub dropped: Vec<DroppedFuture>,
}

/// A call whose future was dropped before it was ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DroppedFuture {
    /// The index of the call's choice.
    pub choice: usize,
    /// The stack at which it was dropped.
    pub stack: Vec<StackEntry>,
}

/// The same while the run goes on.
#[derive(Clone, Default, Debug)]
pub(crate) struct HarnessCalls {
    choices: HarnessChoices,
    /// The calls that are under way, by the indices of their choices.
    under_way: Vec<(ThreadId, usize)>,
}

impl HarnessCalls {
    /// Notes a choice that is no call.
    pub(crate) fn choose(&mut self, choice: HarnessChoice) {
        self.choices.made.push(choice);
    }

    /// Notes that a thread begins a call.
    pub(crate) fn begin(&mut self, thread: ThreadId, choice: HarnessChoice) {
        self.end(thread);
        let index = self.choices.made.len();
        let others = self.under_way.iter().map(|(_, other)| (*other, index));
        self.choices.overlapping.extend(others);
        self.choices.made.push(choice);
        self.under_way.push((thread, index));
    }

    /// Notes that a thread has ended its call.
    pub(crate) fn end(&mut self, thread: ThreadId) {
        self.under_way.retain(|(other, _)| *other != thread);
    }

    /// Notes that a thread drops the future of its call.
    pub(crate) fn drop_future(&mut self, thread: ThreadId, stack: Vec<StackEntry>) {
        let Some((_, choice)) = self.under_way.iter().find(|(other, _)| *other == thread) else { return };
        self.choices.dropped.push(DroppedFuture { choice: *choice, stack });
    }

    /// The choices so far.
    pub(crate) fn into_choices(self) -> HarnessChoices {
        self.choices
    }
}
