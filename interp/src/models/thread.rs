//! Threads: start, join, yield, sleep.

use super::{Call, Outcome, alloc};
use crate::clock::ThreadId;
use crate::files::errno::{EAGAIN, EINTR};
use crate::machine::Stop;
use crate::memory::{AllocKind, Fault};
use crate::run::Bound;
use crate::thread::{FrameKind, Progress, State, Thread, Wait};
use crate::trace::TraceEvent;

/// Starts a thread that calls a function with data; returns its number. `func` is the index of the function argument,
/// which the data follow.
fn start(call: &mut Call<'_, '_>, func: usize) -> Result<u64, Stop> {
    let (slot, size) = call.place(func)?;
    if call.machine.memory.has_uninterpreted && call.machine.term(slot, size).is_some() {
        return Err(Stop::UnknownCallee);
    }
    let data = call.arg(func + 1)?;
    let func = call.machine.fn_at(call.arg(func)?)?;
    let machine = &mut *call.machine;
    if machine.threads.len() >= machine.config.max_threads {
        return Err(Stop::Bound(Bound::Threads));
    }
    let place = machine.place();
    machine.trace_event(TraceEvent::Starts { thread: ThreadId(machine.threads.len() as u32) });
    let stack = machine.memory.allocate(0, AllocKind::Stack)?;
    let (parent, child) = (machine.current, machine.threads.len());
    machine.order.on_spawn(ThreadId(parent as u32));
    let blocked = machine.thread().blocked;
    machine.threads.push(Thread { blocked, ..Thread::new(stack, Some(place), machine.process) });
    machine.find_main();
    machine.concurrent = true;
    machine.current = child;
    let started = machine.invoke(func, &[data], FrameKind::Root);
    machine.current = parent;
    machine.reload();
    started?;
    Ok(child as u64)
}

/// The handle is the thread's number.
pub(super) fn spawn(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let handle = start(call, 0)?;
    call.ret(handle);
    Ok(Outcome::Done)
}

/// Offset of the stack size in the result of `pthread_attr_init`.
const STACK_SIZE: u64 = 32;

/// No explicit stack size.
pub(super) fn attr_init(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let attr = call.arg(0)?;
    call.machine.store_word(attr.wrapping_add(STACK_SIZE), 8, 0)?;
    call.ret(0);
    Ok(Outcome::Done)
}

pub(super) fn attr_set_stack_size(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (attr, size) = (call.arg(0)?, call.arg(1)?);
    call.machine.store_word(attr.wrapping_add(STACK_SIZE), 8, size)?;
    call.ret(0);
    Ok(Outcome::Done)
}

/// All stacks have the machine's bound, whatever size was requested; but a request that no system can satisfy fails.
pub(super) fn pthread_create(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (handle, attr) = (call.arg(0)?, call.arg(1)?);
    call.machine.memory.writable(handle, 8)?;
    if attr != 0 && call.machine.load_word(attr.wrapping_add(STACK_SIZE), 8)? >= alloc::TOO_LARGE {
        call.ret(EAGAIN as u64);
        return Ok(Outcome::Done);
    }
    let number = start(call, 2)?;
    call.machine.store_word(handle, 8, number)?;
    call.ret(0);
    Ok(Outcome::Done)
}

/// The C library's error for a thread that joins itself, the one deadlock that it detects.
const EDEADLK: u64 = 35;

pub(super) fn join(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let handle = call.arg(0)?;
    let (current, index) = (call.machine.current, handle as usize);
    let Some(thread) = call.machine.threads.get(index) else {
        return Err(Stop::Fault(Fault::OutOfRange { addr: handle, len: 0 }));
    };
    if current == index {
        call.ret(EDEADLK);
        return Ok(Outcome::Done);
    }
    if thread.state != State::Finished {
        return Ok(Outcome::Block(Wait::Join { thread: ThreadId(index as u32) }, None));
    }
    let ended = ThreadId(index as u32);
    call.machine.joined_leaving(ended)?;
    call.machine.order.on_join(call.machine.thread_id(), ended);
    call.machine.trace_event(TraceEvent::Joins { thread: ended });
    call.machine.panics.joined(ended);
    call.ret(0);
    Ok(Outcome::Done)
}

/// Nothing to do: threads are never freed during a run.
pub(super) fn detach(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.arg(0)?;
    call.ret(0);
    Ok(Outcome::Done)
}

pub(super) fn id(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.ret(call.machine.current as u64);
    Ok(Outcome::Done)
}

pub(super) fn set_name(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (start, len) = (call.part(0, 0, 8)?, call.part(0, 8, 8)?);
    // The length includes the NUL.
    let len = len.saturating_sub(1);
    let name = String::from_utf8_lossy(&call.machine.load_bytes(start, len)?).into();
    call.machine.thread().name = Some(name);
    Ok(Outcome::Done)
}

pub(super) fn yield_now(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.spin()?;
    call.ret(0);
    Ok(Outcome::Done)
}

fn sleep_for(call: &mut Call<'_, '_>, nanos: u64) -> Result<Outcome, Stop> {
    let until = match call.machine.thread().progress {
        Progress::Waiting { .. } => return Ok(Outcome::Done),
        // Std sleeps on after the handler of a signal.
        Progress::Interrupted => call.machine.thread().until,
        Progress::None | Progress::Woken | Progress::Relock { .. } => call.deadline(Some(nanos)),
    };
    call.machine.thread().progress = Progress::Waiting { timed_out: false };
    Ok(Outcome::Block(Wait::Sleep, until))
}

pub(super) fn sleep(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let nanos = call.arg(0)?.saturating_mul(1_000_000_000).saturating_add(call.arg(1)?);
    sleep_for(call, nanos)
}

pub(super) fn sleep_duration(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let nanos = call.duration(0)?.unwrap_or(0);
    sleep_for(call, nanos)
}

/// The handler of a signal ends it: it writes the time that is left.
pub(super) fn nanosleep(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (time, rest) = (call.arg(0)?, call.arg(1)?);
    if call.machine.thread().progress == Progress::Interrupted {
        let until = call.machine.thread().until.unwrap_or(0);
        let left = until.saturating_sub(call.machine.now);
        if rest != 0 {
            call.machine.store_word(rest, 8, left / 1_000_000_000)?;
            call.machine.store_word(rest.wrapping_add(8), 8, left % 1_000_000_000)?;
        }
        return call.fails(EINTR);
    }
    let seconds = call.machine.load_word(time, 8)?;
    let nanos = call.machine.load_word(time.wrapping_add(8), 8)?;
    call.ret(0);
    sleep_for(call, seconds.saturating_mul(1_000_000_000).saturating_add(nanos))
}
