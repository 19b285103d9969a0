//! The numbers of processes.

use crate::machine::{Machine, Stop};
use crate::models::{Call, Outcome, process};
use crate::process::OUTSIDE;

/// `getpid()`
pub(in crate::models) fn getpid(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.ret(Machine::number_of(call.machine.process) as u64);
    Ok(Outcome::Done)
}

/// The number of the first thread that is not the first of its process.
const FIRST_THREAD: u64 = 1 << 20;

/// `gettid()`
pub(in crate::models) fn gettid(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.machine.is_main_thread() {
        return getpid(call);
    }
    let number = FIRST_THREAD + call.machine.thread_id().index() as u64;
    call.ret(number);
    Ok(Outcome::Done)
}

/// `getppid()`: who started the entry's process, or a second program, is outside.
pub(in crate::models) fn getppid(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    match call.machine.processes.get(call.machine.process) {
        Some(own) if call.machine.process != 0 && own.parent != OUTSIDE => {
            call.ret(Machine::number_of(own.parent) as u64);
            Ok(Outcome::Done)
        }
        _ => process::input(call),
    }
}
