//! Unbounded channel.

use super::error::*;
use super::machine::{Queue, UNBOUNDED};
use crate::time::Instant;

pub(crate) struct Channel<T>(Queue<T>);

impl<T> Channel<T> {
    /// Creates a new unbounded channel.
    pub(crate) fn new() -> Self {
        Channel(Queue::new(UNBOUNDED))
    }

    /// Attempts to send a message into the channel.
    pub(crate) fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        self.0.try_send(message).map_err(|error| match error {
            SendTimeoutError::Timeout(message) => TrySendError::Full(message),
            SendTimeoutError::Disconnected(message) => TrySendError::Disconnected(message),
        })
    }

    /// Sends a message into the channel.
    pub(crate) fn send(&self, message: T, deadline: Option<Instant>) -> Result<(), SendTimeoutError<T>> {
        self.0.send(message, deadline)
    }

    /// Attempts to receive a message without blocking.
    pub(crate) fn try_recv(&self) -> Result<T, TryRecvError> {
        self.0.try_recv().map_err(|error| match error {
            RecvTimeoutError::Timeout => TryRecvError::Empty,
            RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
        })
    }

    /// Receives a message from the channel.
    pub(crate) fn recv(&self, deadline: Option<Instant>) -> Result<T, RecvTimeoutError> {
        self.0.recv(deadline)
    }

    /// Disconnects senders and wakes up all blocked receivers.
    pub(crate) fn disconnect_senders(&self) -> bool {
        self.0.disconnect()
    }

    /// Disconnects receivers and wakes up all blocked senders.
    pub(crate) unsafe fn disconnect_receivers(&self) -> bool {
        let disconnected = self.0.disconnect();
        self.0.discard_all_messages();
        disconnected
    }

    /// Returns the current number of messages inside the channel.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the capacity of the channel.
    pub(crate) fn capacity(&self) -> Option<usize> {
        None
    }

    /// Returns `true` if the channel is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if the channel is full.
    pub(crate) fn is_full(&self) -> bool {
        false
    }
}
