//! Unbounded channel.

use super::machine::{self, UNBOUNDED};

pub(crate) enum Unbounded {}

pub(crate) type Channel<T> = machine::Channel<T, Unbounded>;

impl<T> Channel<T> {
    /// Creates a new unbounded channel.
    pub(crate) fn new() -> Self {
        machine::Channel::with_room_for(UNBOUNDED)
    }
}
