//! Waiting for others: condition variables, futexes, parking.

use super::{Call, Outcome};
use crate::clock::ThreadId;
use crate::exec::behind::Leaving;
use crate::finding::LockKind;
use crate::machine::{Machine, Stop};
use crate::sync::SyncKey;
use crate::thread::{Progress, Wait};
use crate::trace::TraceEvent;

impl Machine<'_> {
    /// Orders a woken thread after what the current thread did.
    fn hand_over(&mut self, to: usize) {
        self.order.on_hand_over(self.thread_id(), ThreadId(to as u32));
    }
}

pub(super) fn notify_one(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    let woken = call.machine.wake_one(|wait| wait == Wait::Condvar { addr });
    if let Some(woken) = woken {
        call.machine.hand_over(woken);
    }
    let woken = woken.into_iter().map(|index| ThreadId(index as u32)).collect();
    call.machine.trace_event_on(addr, |object| TraceEvent::Notifies { object, woken });
    Ok(Outcome::Done)
}

pub(super) fn notify_all(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    let waiting = call.machine.waiting(|wait| wait == Wait::Condvar { addr });
    call.machine.wake_interrupted(|wait| wait == Wait::Condvar { addr });
    for &index in &waiting {
        call.machine.wake(index);
        call.machine.hand_over(index);
    }
    let woken = waiting.into_iter().map(|index| ThreadId(index as u32)).collect();
    call.machine.trace_event_on(addr, |object| TraceEvent::Notifies { object, woken });
    Ok(Outcome::Done)
}

/// Releases the mutex, waits, takes the mutex: three phases of one operation.
fn wait(call: &mut Call<'_, '_>, until: Option<u64>) -> Result<Outcome, Stop> {
    let (condvar, mutex) = (call.arg(0)?, call.arg(1)?);
    let timed_out = match call.machine.thread().progress {
        Progress::None => {
            call.machine.release_lock(mutex)?;
            call.machine.thread().progress = Progress::Waiting { timed_out: false };
            return Ok(Outcome::Block(Wait::Condvar { addr: condvar }, until));
        }
        Progress::Woken | Progress::Interrupted => false,
        Progress::Waiting { timed_out } | Progress::Relock { timed_out } => timed_out,
    };
    call.machine.thread().progress = Progress::Relock { timed_out };
    let outcome = call.machine.acquire_lock(LockKind::Mutex, mutex)?;
    if outcome == Outcome::Done {
        if call.machine.thread().leaving == Leaving::Relocks {
            return Err(Stop::Leaves);
        }
        call.ret(u64::from(!timed_out));
    }
    Ok(outcome)
}

pub(super) fn condvar_wait(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    wait(call, None)
}

pub(super) fn condvar_wait_timeout(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let until = call.deadline(call.duration(2)?);
    wait(call, until)
}

/// Waits while the word has the expected value; returns false on time-out.
pub(super) fn futex_wait(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, expected) = (call.arg(0)?, call.arg(1)?);
    let timed_out = match call.machine.thread().progress {
        Progress::None => {
            if call.machine.load_word(addr, 4)? == expected {
                let until = call.deadline(call.duration(2)?);
                call.machine.thread().progress = Progress::Waiting { timed_out: false };
                return Ok(Outcome::Block(Wait::Futex { addr }, until));
            }
            false
        }
        Progress::Waiting { timed_out } | Progress::Relock { timed_out } => timed_out,
        Progress::Woken | Progress::Interrupted => false,
    };
    call.ret(u64::from(!timed_out));
    Ok(Outcome::Done)
}

pub(super) fn futex_wake(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    let woken = call.machine.wake_one(|wait| wait == Wait::Futex { addr });
    call.ret(u64::from(woken.is_some()));
    Ok(Outcome::Done)
}

pub(super) fn futex_wake_all(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    call.machine.wake_interrupted(|wait| wait == Wait::Futex { addr });
    for index in call.machine.waiting(|wait| wait == Wait::Futex { addr }) {
        call.machine.wake(index);
    }
    Ok(Outcome::Done)
}

fn park_until(call: &mut Call<'_, '_>, until: Option<u64>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    if call.machine.sync.unparked.remove(&addr) {
        call.machine.order.on_acquire(call.machine.thread_id(), SyncKey::At(addr));
        return Ok(Outcome::Done);
    }
    if call.machine.thread().progress == (Progress::Waiting { timed_out: true }) {
        return Ok(Outcome::Done);
    }
    Ok(Outcome::Block(Wait::Park { addr }, until))
}

pub(super) fn park(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    park_until(call, None)
}

pub(super) fn park_timeout(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let until = call.deadline(call.duration(1)?);
    park_until(call, until)
}

pub(super) fn unpark(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    call.machine.sync_object(addr);
    call.machine.sync.unparked.insert(addr);
    call.machine.order.on_release(call.machine.thread_id(), SyncKey::At(addr));
    let woken = call.machine.waiting(|wait| wait == Wait::Park { addr });
    call.machine.wake_all(|wait| wait == Wait::Park { addr });
    let woken = woken.into_iter().map(|index| ThreadId(index as u32)).collect();
    call.machine.trace_event_on(addr, |object| TraceEvent::Unparks { object, woken });
    Ok(Outcome::Done)
}
