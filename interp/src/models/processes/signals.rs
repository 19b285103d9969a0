//! Signals that processes of the run send to each other: those that end a process. No handler runs.

use crate::files::errno::{EINVAL, ESRCH};
use crate::files::open::OpenObject;
use crate::machine::{Machine, Stop};
use crate::models::files::NoResult;
use crate::models::{Call, Outcome};
use crate::process::ProcessId;

const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;
/// Signals that end nothing by default: of children, of windows, to stop and to continue.
const HARMLESS: [i32; 8] = [17, 18, 19, 20, 21, 22, 23, 28];
const SIGNALS: i32 = 64;
/// Size of a set of signals.
const SET: usize = 128;

impl Machine<'_> {
    /// Sends a signal to a process; returns whether it ended by that.
    fn signal(&mut self, process: ProcessId, signal: i32) -> Result<bool, NoResult> {
        if !(0..=SIGNALS).contains(&signal) {
            return Err(NoResult::Errno(EINVAL));
        }
        let Some(record) = self.processes.get(process) else { return Ok(process == self.process && signal != 0) };
        if record.is_waited_for {
            return Err(NoResult::Errno(ESRCH));
        }
        let handlers = if process == self.process { &self.world.handlers } else { &record.state.handlers };
        let is_default = signal == SIGKILL || handlers.get(&signal).copied().unwrap_or(0) == 0;
        Ok(signal != 0 && record.status.is_none() && is_default && !HARMLESS.contains(&signal))
    }

    fn send(&mut self, process: ProcessId, signal: i32) -> Result<(), NoResult> {
        if !self.signal(process, signal)? {
            return Ok(());
        }
        if process == self.process || process == 0 {
            // The entry's process ends the run, whoever ends it.
            self.enter_process(process);
            return Err(NoResult::Stop(if signal == SIGABRT { Stop::Aborted } else { Stop::Killed(signal) }));
        }
        self.end_process(process, signal);
        Ok(())
    }
}

/// `kill(number, signal)`
pub(in crate::models) fn kill(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (number, signal) = (call.arg(0)? as i32, call.arg(1)? as i32);
    let process = match number {
        0 => Some(call.machine.process),
        // There is one process in a group.
        number => call.machine.process_numbered(number.saturating_abs()),
    };
    match process {
        Some(process) => send(call, process, signal),
        None => super::super::files::act(call),
    }
}

/// `pidfd_send_signal(descriptor, signal, information, flags)`
pub(in crate::models) fn send_by_descriptor(
    call: &mut Call<'_, '_>,
    descriptor: i32,
    signal: i32,
) -> Result<Outcome, Stop> {
    match call.object(descriptor) {
        Ok((_, OpenObject::Process(process))) => send(call, process, signal),
        Ok(_) => call.fails(crate::files::errno::EBADF),
        Err(no) => call.system(|_| Err(no)),
    }
}

fn send(call: &mut Call<'_, '_>, process: ProcessId, signal: i32) -> Result<Outcome, Stop> {
    call.system(|call| call.machine.send(process, signal).map(|()| 0))
}

/// `sigemptyset(&set)`, `sigfillset(&set)`: all bytes are the constant.
pub(in crate::models) fn set_all(call: &mut Call<'_, '_>, byte: u8) -> Result<Outcome, Stop> {
    call.system(|call| {
        let set = call.arg(0)?;
        call.store_bytes(set, &[byte; SET])?;
        Ok(0)
    })
}

/// `sigaddset(&set, signal)`, `sigdelset(&set, signal)`
pub(in crate::models) fn set_one(call: &mut Call<'_, '_>, is_in: bool) -> Result<Outcome, Stop> {
    call.system(|call| {
        let (set, signal) = (call.arg(0)?, call.int(1)?);
        if !(1..=SIGNALS).contains(&signal) {
            return Err(NoResult::Errno(EINVAL));
        }
        let old = call.machine.load_word(set, 8)?;
        let bit = 1 << (signal - 1);
        call.machine.store_word(set, 8, if is_in { old | bit } else { old & !bit })?;
        Ok(0)
    })
}
