//! The calls that the threads of a harness make, which of them overlap, and which could wait for each other.

use crate::{
    clock::{Epoch, ThreadId},
    finding::StackEntry,
    sync::locks::LockId,
};
use std::collections::BTreeSet;

/// Maximum number of pairs of locks of a run that are remembered.
const MAX_ORDERS: usize = 400;

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
    /// Indices of two calls that take two locks in opposite orders (Goodlock, SPIN'00). Both may be the same call.
    pub opposite: Vec<(usize, usize)>,
    /// The calls whose future was dropped before it was ready.
    pub dropped: Vec<DroppedFuture>,
    /// The calls that were still under way at the end.
    pub unfinished: Vec<UnfinishedCall>,
}

/// A call that was still under way at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnfinishedCall {
    /// The index of its choice.
    pub choice: usize,
    /// Whether something that another thread did happened after a part of the call.
    pub is_heard: bool,
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
    /// The calls that are under way, by the indices of their choices, and when they began.
    under_way: Vec<(Epoch, usize)>,
    /// A lock that a call held, one that it took then, and the index of its choice.
    orders: BTreeSet<(LockId, LockId, usize)>,
}

impl HarnessCalls {
    /// Notes a choice that is no call.
    pub(crate) fn choose(&mut self, choice: HarnessChoice) {
        self.choices.made.push(choice);
    }

    /// Notes that a thread begins a call.
    pub(crate) fn begin(&mut self, now: Epoch, choice: HarnessChoice) {
        self.end(now.thread);
        let index = self.choices.made.len();
        let others = self.under_way.iter().map(|(_, other)| (*other, index));
        self.choices.overlapping.extend(others);
        self.choices.made.push(choice);
        self.under_way.push((now, index));
    }

    /// Notes that a thread has ended its call.
    pub(crate) fn end(&mut self, thread: ThreadId) {
        self.under_way.retain(|(began, _)| began.thread != thread);
    }

    /// Notes that a thread takes a lock while it holds others.
    pub(crate) fn take_lock(&mut self, thread: ThreadId, held: impl Iterator<Item = LockId>, taken: LockId) {
        let Some((_, choice)) = self.under_way.iter().find(|(began, _)| began.thread == thread) else { return };
        let room = MAX_ORDERS.saturating_sub(self.orders.len());
        self.orders.extend(held.filter(|lock| *lock != taken).map(|lock| (lock, taken, *choice)).take(room));
    }

    /// Notes that a thread drops the future of its call.
    pub(crate) fn drop_future(&mut self, thread: ThreadId, stack: Vec<StackEntry>) {
        let Some((_, choice)) = self.under_way.iter().find(|(began, _)| began.thread == thread) else { return };
        self.choices.dropped.push(DroppedFuture { choice: *choice, stack });
    }

    /// The choices so far. `is_heard` says whether another thread's step happened after a moment of a thread.
    pub(crate) fn into_choices(self, is_heard: impl Fn(Epoch) -> bool) -> HarnessChoices {
        let mut opposite = BTreeSet::new();
        for (held, taken, choice) in &self.orders {
            let reversed = self.orders.range((*taken, *held, 0)..=(*taken, *held, usize::MAX));
            opposite.extend(reversed.map(|(.., other)| (*choice.min(other), *choice.max(other))));
        }
        let unfinished = self.under_way.iter();
        let unfinished =
            unfinished.map(|(began, choice)| UnfinishedCall { choice: *choice, is_heard: is_heard(*began) }).collect();
        HarnessChoices { opposite: opposite.into_iter().collect(), unfinished, ..self.choices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::VectorClock;

    #[test]
    fn locks_in_opposite_orders() {
        let [first, second, third] = [8, 16, 24].map(LockId);
        let mut calls = HarnessCalls::default();
        let call = |index| HarnessChoice { label: Box::default(), count: 4, index, is_call: true };
        let [caller, other] = [ThreadId(0), ThreadId(1)];
        let now = |thread| VectorClock::new().epoch(thread);
        calls.take_lock(caller, [second].into_iter(), first);
        calls.begin(now(caller), call(0));
        calls.take_lock(caller, [first, second].into_iter(), second);
        calls.begin(now(other), call(1));
        calls.take_lock(other, [third].into_iter(), first);
        calls.begin(now(other), call(2));
        calls.take_lock(other, [second].into_iter(), first);
        calls.end(caller);
        let choices = calls.into_choices(|_| true);
        assert_eq!(choices.opposite, [(0, 2)]);
        assert_eq!(choices.unfinished, [UnfinishedCall { choice: 2, is_heard: true }]);
    }
}
