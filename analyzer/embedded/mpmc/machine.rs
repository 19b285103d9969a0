//! What the flavours of channels are here: a queue that the machine holds, in which one operation is one step.
//!
//! The bytes of a message stay what they are, wherever they lie; who drops it is what std's own flavours say.

use crate::marker::PhantomData;
use crate::mem::{self, MaybeUninit};
use crate::sync::mpmc::error::{RecvTimeoutError, SendTimeoutError};
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

/// A queue; the machine knows it by its address.
pub(super) struct Queue<T> {
    capacity: usize,
    marker: PhantomData<T>,
}

impl<T> Queue<T> {
    pub(super) fn new(capacity: usize) -> Self {
        Queue { capacity, marker: PhantomData }
    }

    fn address(&self) -> *const () {
        self as *const Self as *const ()
    }

    /// Without a deadline it waits for ever.
    pub(super) fn send(&self, message: T, deadline: Option<Instant>) -> Result<(), SendTimeoutError<T>> {
        self.send_within(message, time_left(deadline))
    }

    pub(super) fn try_send(&self, message: T) -> Result<(), SendTimeoutError<T>> {
        self.send_within(message, 0)
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

    /// Without a deadline it waits for ever.
    pub(super) fn recv(&self, deadline: Option<Instant>) -> Result<T, RecvTimeoutError> {
        self.recv_within(time_left(deadline))
    }

    pub(super) fn try_recv(&self) -> Result<T, RecvTimeoutError> {
        self.recv_within(0)
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

    /// One side is gone; whether the channel was still connected.
    pub(super) fn disconnect(&self) -> bool {
        unsafe { tsvd_channel_disconnect(self.address()) }
    }

    /// Drops the messages that nobody will receive.
    pub(super) fn discard_all_messages(&self) {
        loop {
            let mut message = MaybeUninit::<T>::uninit();
            let to = message.as_mut_ptr() as *mut u8;
            if unsafe { tsvd_channel_discard(self.address(), to, size_of::<T>()) } != DONE {
                return;
            }
            drop(unsafe { message.assume_init() });
        }
    }

    pub(super) fn len(&self) -> usize {
        unsafe { tsvd_channel_len(self.address()) }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }
}

fn time_left(deadline: Option<Instant>) -> u64 {
    match deadline {
        Some(deadline) => deadline.saturating_duration_since(Instant::now()).as_nanos() as u64,
        None => FOR_EVER,
    }
}
