//! What the flavours of channels are here: a queue that the machine holds, in which one operation is one step.
//!
//! The bytes of a message stay what they are, wherever they lie; who drops it is what std's own flavours say.

use crate::marker::PhantomData;
use crate::mem::{self, MaybeUninit};
use crate::sync::mpmc::error::{RecvTimeoutError, SendTimeoutError, TryRecvError, TrySendError};
use crate::time::Instant;

/// How an operation ended.
const DONE: u8 = 0;
/// There was no room, or no message, in time.
const NOT_IN_TIME: u8 = 1;

/// No limit of time.
const FOR_EVER: u64 = u64::MAX;
/// Room without limit.
pub(super) const UNBOUNDED: usize = usize::MAX;

unsafe extern "C" {
    fn tsvd_channel_send(channel: *const (), capacity: usize, message: *const u8, size: usize, nanos: u64) -> u8;
    fn tsvd_channel_receive(channel: *const (), capacity: usize, message: *mut u8, size: usize, nanos: u64) -> u8;
    fn tsvd_channel_discard(channel: *const (), message: *mut u8, size: usize) -> u8;
    fn tsvd_channel_disconnect(channel: *const ()) -> bool;
    fn tsvd_channel_len(channel: *const ()) -> usize;
}

/// A channel of a flavour, which its file says; the machine knows it by its address.
pub(crate) struct Channel<T, Flavour> {
    capacity: usize,
    marker: PhantomData<(T, Flavour)>,
}

impl<T, Flavour> Channel<T, Flavour> {
    pub(super) fn with_room_for(capacity: usize) -> Self {
        Channel { capacity, marker: PhantomData }
    }

    /// Attempts to send a message into the channel.
    pub(crate) fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        self.send_within(message, 0).map_err(|error| match error {
            SendTimeoutError::Timeout(message) => TrySendError::Full(message),
            SendTimeoutError::Disconnected(message) => TrySendError::Disconnected(message),
        })
    }

    /// Sends a message into the channel. Without a deadline it waits forever.
    pub(crate) fn send(&self, message: T, deadline: Option<Instant>) -> Result<(), SendTimeoutError<T>> {
        self.send_within(message, time_left(deadline))
    }

    /// Attempts to receive a message without blocking.
    pub(crate) fn try_recv(&self) -> Result<T, TryRecvError> {
        self.recv_within(0).map_err(|error| match error {
            RecvTimeoutError::Timeout => TryRecvError::Empty,
            RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
        })
    }

    /// Receives a message from the channel. Without a deadline it waits forever.
    pub(crate) fn recv(&self, deadline: Option<Instant>) -> Result<T, RecvTimeoutError> {
        self.recv_within(time_left(deadline))
    }

    /// Disconnects senders and wakes up all blocked receivers.
    pub(crate) fn disconnect_senders(&self) -> bool {
        self.disconnect()
    }

    /// Disconnects receivers and wakes up all blocked senders.
    pub(crate) unsafe fn disconnect_receivers(&self) -> bool {
        let disconnected = self.disconnect();
        self.discard_all_messages();
        disconnected
    }

    /// Disconnects the channel and wakes up all blocked senders and receivers; whether it was still connected.
    pub(crate) fn disconnect(&self) -> bool {
        unsafe { tsvd_channel_disconnect(self.address()) }
    }

    /// Returns the current number of messages inside the channel.
    pub(crate) fn len(&self) -> usize {
        unsafe { tsvd_channel_len(self.address()) }
    }

    /// Returns the capacity of the channel.
    pub(crate) fn capacity(&self) -> Option<usize> {
        if self.capacity == UNBOUNDED { None } else { Some(self.capacity) }
    }

    /// Returns `true` if the channel is empty, as one without room always is.
    pub(crate) fn is_empty(&self) -> bool {
        self.capacity == 0 || self.len() == 0
    }

    /// Returns `true` if the channel is full, as one without room always is.
    pub(crate) fn is_full(&self) -> bool {
        self.capacity == 0 || self.len() == self.capacity
    }

    fn address(&self) -> *const () {
        self as *const Self as *const ()
    }

    fn send_within(&self, message: T, nanos: u64) -> Result<(), SendTimeoutError<T>> {
        let from = &raw const message as *const u8;
        match unsafe { tsvd_channel_send(self.address(), self.capacity, from, size_of::<T>(), nanos) } {
            DONE => {
                mem::forget(message);
                Ok(())
            }
            NOT_IN_TIME => Err(SendTimeoutError::Timeout(message)),
            _ => Err(SendTimeoutError::Disconnected(message)),
        }
    }

    fn recv_within(&self, nanos: u64) -> Result<T, RecvTimeoutError> {
        let mut message = MaybeUninit::<T>::uninit();
        let to = message.as_mut_ptr() as *mut u8;
        match unsafe { tsvd_channel_receive(self.address(), self.capacity, to, size_of::<T>(), nanos) } {
            DONE => Ok(unsafe { message.assume_init() }),
            NOT_IN_TIME => Err(RecvTimeoutError::Timeout),
            _ => Err(RecvTimeoutError::Disconnected),
        }
    }

    /// Drops the messages that nobody will receive.
    fn discard_all_messages(&self) {
        loop {
            let mut message = MaybeUninit::<T>::uninit();
            let to = message.as_mut_ptr() as *mut u8;
            if unsafe { tsvd_channel_discard(self.address(), to, size_of::<T>()) } != DONE {
                return;
            }
            drop(unsafe { message.assume_init() });
        }
    }
}

fn time_left(deadline: Option<Instant>) -> u64 {
    match deadline {
        Some(deadline) => deadline.saturating_duration_since(Instant::now()).as_nanos() as u64,
        None => FOR_EVER,
    }
}
