//! Zero-capacity channel: a message goes from hand to hand.

use super::machine;

pub(crate) enum FromHandToHand {}

pub(crate) type Channel<T> = machine::Channel<T, FromHandToHand>;

impl<T> Channel<T> {
    /// Constructs a new zero-capacity channel.
    pub(crate) fn new() -> Self {
        machine::Channel::with_room_for(0)
    }
}
