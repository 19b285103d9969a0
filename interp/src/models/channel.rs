//! Channels: a queue of messages by the channel's address. One operation is one step.
//!
//! A message's bytes have their own allocation from sending to receiving, which also tracks uninterpreted bytes. There
//! is an edge from the send to the receive of a message. In a bounded channel another one leads from the receive that
//! made room to the send that uses it; in a rendezvous channel there are edges both ways.

use super::{Call, Outcome};
use crate::clock::ThreadId;
use crate::machine::{Machine, Stop};
use crate::memory::{AllocKind, Fault};
use crate::sync::SyncKey;
use crate::sync::channels::{Channel, Message};
use crate::thread::{Progress, Wait};
use crate::trace::TraceEvent;

/// Status of an operation.
const DONE: u64 = 0;
const NOT_IN_TIME: u64 = 1;
const DISCONNECTED: u64 = 2;

/// No time limit.
const FOREVER: u64 = u64::MAX;
/// Unlimited capacity.
const UNBOUNDED: u64 = u64::MAX;

impl Machine<'_> {
    fn channel(&mut self, addr: u64) -> &mut Channel {
        self.sync_object(addr);
        self.sync.channels.entry(addr).or_default()
    }

    /// Drops a channel and its messages.
    pub(crate) fn drop_channel(&mut self, channel: Channel) {
        for message in channel.queue {
            self.order.on_drop(message.published);
            self.free(message.index);
        }
        for key in channel.room.into_iter().chain(channel.disconnected) {
            self.order.on_drop(key);
        }
    }

    /// Publishes everything that the current thread did so far under a new key.
    fn publish(&mut self) -> SyncKey {
        let key = SyncKey::Token(self.sync.next_token());
        self.order.on_release(self.thread_id(), key);
        key
    }

    /// Orders the current thread after what was published under a key.
    fn take_over(&mut self, key: SyncKey) {
        self.order.on_acquire(self.thread_id(), key);
    }

    /// Like [`Machine::take_over`], and drops the key.
    fn consume(&mut self, key: SyncKey) {
        self.take_over(key);
        self.order.on_drop(key);
    }

    /// Orders each of two threads after what the other has done so far.
    fn meet(&mut self, other: usize) {
        let (one, other) = (self.thread_id(), ThreadId(other as u32));
        self.order.on_hand_over(one, other);
        self.order.on_hand_over(other, one);
    }

    /// Copies a message from the program's memory into a new allocation.
    fn keep_message(&mut self, addr: u64, size: u64) -> Result<usize, Stop> {
        let size = self.allocation_size(size)?;
        let index = self.memory.allocate(size, AllocKind::Heap)?;
        if size > 0 {
            let from = self.memory.readable(addr, size as usize)?;
            self.memory.copy(from, (index, 0), size as usize);
        }
        Ok(index)
    }

    /// Copies a message into the program's memory.
    fn give_message(&mut self, message: &Message, addr: u64, size: u64) -> Result<(), Stop> {
        // Both ends of a channel have one type.
        if size != self.memory.size(message.index) as u64 {
            return Err(Stop::Fault(Fault::BadCode));
        }
        if size > 0 {
            let to = self.memory.writable(addr, size as usize)?;
            self.memory.copy((message.index, 0), to, size as usize);
        }
        self.free(message.index);
        Ok(())
    }
}

impl Call<'_, '_> {
    fn status(&mut self, status: u64) -> Outcome {
        self.ret(status);
        Outcome::Done
    }

    /// The other side is disconnected.
    fn disconnected(&mut self, key: SyncKey) -> Outcome {
        self.machine.take_over(key);
        self.status(DISCONNECTED)
    }

    /// The operation must wait, if there is time left.
    fn not_now(&mut self, wait: Wait, nanos: u64) -> Outcome {
        let timed_out = self.machine.thread().progress == (Progress::Waiting { timed_out: true });
        if nanos == 0 || timed_out {
            return self.status(NOT_IN_TIME);
        }
        let deadline = self.deadline(Some(nanos)).filter(|_| nanos != FOREVER);
        let until = self.machine.thread().until.or(deadline);
        self.machine.thread().until = until;
        self.machine.thread().progress = Progress::Waiting { timed_out: false };
        Outcome::Block(wait, until)
    }
}

/// `(channel, capacity, message, size, nanoseconds)`.
pub(super) fn send(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, capacity) = (call.arg(0)?, call.arg(1)?);
    let (message, size, nanos) = (call.arg(2)?, call.arg(3)?, call.arg(4)?);
    if capacity == 0 {
        return offer(call, addr, (message, size), nanos);
    }
    let channel = call.machine.channel(addr);
    if let Some(key) = channel.disconnected {
        return Ok(call.disconnected(key));
    }
    if channel.queue.len() as u64 >= capacity {
        return Ok(call.not_now(Wait::Send { addr }, nanos));
    }
    channel.sent += 1;
    let room = if channel.sent > capacity { channel.room.pop_front() } else { None };
    let index = call.machine.keep_message(message, size)?;
    if let Some(room) = room {
        call.machine.consume(room);
    }
    let published = call.machine.publish();
    call.machine.channel(addr).queue.push_back(Message { index, published, from: None, to: None });
    call.machine.wake_all(|wait| wait == Wait::Receive { addr });
    call.machine.trace_event_on(addr, |object| TraceEvent::Sends { object });
    Ok(call.status(DONE))
}

/// Sends on a rendezvous channel.
fn offer(call: &mut Call<'_, '_>, addr: u64, (message, size): (u64, u64), nanos: u64) -> Result<Outcome, Stop> {
    let current = call.machine.current;
    let has_begun = call.machine.thread().progress != Progress::None;
    let channel = call.machine.channel(addr);
    let offered = channel.queue.iter().position(|message| message.from == Some(current));
    let disconnected = channel.disconnected;
    match offered {
        None if has_begun => {
            call.machine.trace_event_on(addr, |object| TraceEvent::Sends { object });
            Ok(call.status(DONE))
        }
        None => {
            if let Some(receiver) = call.machine.wake_one(|wait| wait == Wait::Receive { addr }) {
                let index = call.machine.keep_message(message, size)?;
                call.machine.meet(receiver);
                let published = call.machine.publish();
                let handed = Message { index, published, from: None, to: Some(receiver) };
                call.machine.channel(addr).queue.push_back(handed);
                call.machine.trace_event_on(addr, |object| TraceEvent::Sends { object });
                return Ok(call.status(DONE));
            }
            if let Some(key) = disconnected {
                return Ok(call.disconnected(key));
            }
            if nanos != 0 {
                let index = call.machine.keep_message(message, size)?;
                let published = call.machine.publish();
                let offered = Message { index, published, from: Some(current), to: None };
                call.machine.channel(addr).queue.push_back(offered);
            }
            Ok(call.not_now(Wait::Send { addr }, nanos))
        }
        Some(position) => {
            let outcome = match disconnected {
                Some(key) => call.disconnected(key),
                None => call.not_now(Wait::Send { addr }, nanos),
            };
            if outcome == Outcome::Done
                && let Some(back) = call.machine.channel(addr).queue.remove(position)
            {
                call.machine.order.on_drop(back.published);
                call.machine.free(back.index);
            }
            Ok(outcome)
        }
    }
}

/// `(channel, capacity, message, size, nanoseconds)`.
pub(super) fn receive(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, capacity) = (call.arg(0)?, call.arg(1)?);
    let (to, size, nanos) = (call.arg(2)?, call.arg(3)?, call.arg(4)?);
    let current = call.machine.current;
    let channel = call.machine.channel(addr);
    let disconnected = channel.disconnected;
    let mine = channel.queue.iter().position(|message| message.to == Some(current));
    let next = mine.or_else(|| channel.queue.iter().position(|message| message.to.is_none()));
    let Some(message) = next.and_then(|position| channel.queue.remove(position)) else {
        call.machine.note_asked(addr);
        return Ok(match disconnected {
            Some(key) => call.disconnected(key),
            None => call.not_now(Wait::Receive { addr }, nanos),
        });
    };
    call.machine.give_message(&message, to, size)?;
    call.machine.consume(message.published);
    if let Some(sender) = message.from {
        call.machine.meet(sender);
        call.machine.wake(sender);
    } else if capacity != 0 && capacity != UNBOUNDED {
        let room = call.machine.publish();
        call.machine.channel(addr).room.push_back(room);
        call.machine.wake_all(|wait| wait == Wait::Send { addr });
    }
    call.machine.trace_event_on(addr, |object| TraceEvent::Receives { object });
    Ok(call.status(DONE))
}

/// `(channel, message, size)`: drops a message that nobody will receive.
pub(super) fn discard(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, to, size) = (call.arg(0)?, call.arg(1)?, call.arg(2)?);
    let Some(message) = call.machine.channel(addr).queue.pop_front() else {
        return Ok(call.status(NOT_IN_TIME));
    };
    call.machine.give_message(&message, to, size)?;
    call.machine.consume(message.published);
    Ok(call.status(DONE))
}

/// Disconnects one side; returns whether the channel was still connected.
pub(super) fn disconnect(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    let was_connected = call.machine.channel(addr).disconnected.is_none();
    if was_connected {
        let key = call.machine.publish();
        call.machine.channel(addr).disconnected = Some(key);
        call.machine.wake_all(|wait| wait == Wait::Send { addr } || wait == Wait::Receive { addr });
    }
    call.ret(u64::from(was_connected));
    Ok(Outcome::Done)
}

pub(super) fn len(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    let len = call.machine.channel(addr).queue.len();
    call.ret(len as u64);
    Ok(Outcome::Done)
}
