//! Bounded channel.

use super::machine;

pub(crate) enum Bounded {}

pub(crate) type Channel<T> = machine::Channel<T, Bounded>;

impl<T> Channel<T> {
    /// Creates a bounded channel of capacity `cap`.
    pub(crate) fn with_capacity(cap: usize) -> Self {
        machine::Channel::with_room_for(cap)
    }
}
