//! Sending signals, blocking them and waiting for them.

use crate::files::errno::{EAGAIN, EBADF, EINVAL, ESRCH};
use crate::files::open::OpenObject;
use crate::machine::{Machine, Stop};
use crate::models::files::{Answer, NoResult};
use crate::models::{Call, Outcome};
use crate::os::signals::{SIGABRT, SIGNALS, SignalSet, first, only, unstoppable};
use crate::process::ProcessId;
use crate::thread::{Progress, Wait};

/// Size of a set of signals.
const SET: usize = 128;
/// Size of `siginfo_t`.
const INFORMATION: usize = 128;
/// What to do with the set of blocked signals.
const SIG_BLOCK: i32 = 0;
const SIG_UNBLOCK: i32 = 1;
const SIG_SETMASK: i32 = 2;

impl Machine<'_> {
    fn send(&mut self, process: ProcessId, signal: i32) -> Result<(), NoResult> {
        if !(0..=SIGNALS).contains(&signal) {
            return Err(NoResult::Errno(EINVAL));
        }
        let record = self.processes.get(process);
        if record.is_some_and(|it| it.is_waited_for) {
            return Err(NoResult::Errno(ESRCH));
        }
        let has_ended = record.is_some_and(|it| it.status.is_some());
        if has_ended || signal == 0 || record.is_none() && process != self.process {
            return Ok(());
        }
        self.publish_signals();
        if self.post_to_process(process, signal)? {
            self.end_by_signal(process, signal)?;
        }
        Ok(())
    }

    /// A signal ends a process.
    fn end_by_signal(&mut self, process: ProcessId, signal: i32) -> Result<(), Stop> {
        if process == self.process || process == 0 {
            // The entry's process ends the run, whoever ends it.
            self.enter_process(process);
            return Err(if signal == SIGABRT { Stop::Aborted } else { Stop::Killed(signal) });
        }
        self.end_process(process, signal)
    }

    fn send_to_thread(&mut self, index: usize, signal: i32) -> Result<(), NoResult> {
        if !(0..=SIGNALS).contains(&signal) {
            return Err(NoResult::Errno(EINVAL));
        }
        let Some(process) = self.threads.get(index).map(|it| it.process) else { return Err(NoResult::Errno(ESRCH)) };
        self.publish_signals();
        if signal != 0 && self.post_to_thread(index, signal)? {
            self.end_by_signal(process, signal)?;
        }
        Ok(())
    }
}

impl Call<'_, '_> {
    /// The set of signals at an address.
    pub(in crate::models) fn signal_set(&self, at: u64) -> Result<SignalSet, NoResult> {
        Ok(self.machine.load_word(at, 8)?)
    }

    pub(in crate::models) fn store_signal_set(&mut self, at: u64, set: SignalSet) -> Result<(), NoResult> {
        self.store_bytes(at, &[0; SET])?;
        self.machine.store_word(at, 8, set)?;
        Ok(())
    }

    /// Waits for one of these signals, at most until a logical time; returns its number.
    fn wait_for_signal(&mut self, set: SignalSet, nanos: Option<u64>) -> Result<i32, NoResult> {
        let index = self.machine.current;
        let signal = first(self.machine.pending_for(index) & set);
        if signal != 0 {
            self.machine.take_pending(index, signal);
            self.machine.see_signals();
            return Ok(signal);
        }
        if nanos == Some(0) || self.machine.thread().progress == (Progress::Waiting { timed_out: true }) {
            return Err(NoResult::Errno(EAGAIN));
        }
        let until = self.deadline(nanos);
        Err(NoResult::Wait(Wait::Signals { set }, until))
    }

    /// Writes a `siginfo_t`.
    fn tell_signal(&mut self, at: u64, signal: i32) -> Result<(), NoResult> {
        if at != 0 {
            self.store_bytes(at, &[0; INFORMATION])?;
            self.machine.store_word(at, 4, signal as u64)?;
        }
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
        Ok(_) => call.fails(EBADF),
        Err(no) => call.system(|_| Err(no)),
    }
}

fn send(call: &mut Call<'_, '_>, process: ProcessId, signal: i32) -> Result<Outcome, Stop> {
    call.system(|call| call.machine.send(process, signal).map(|()| 0))
}

/// `raise(signal)`
pub(in crate::models) fn raise(call: &mut Call<'_, '_>) -> Answer {
    let (thread, signal) = (call.machine.current, call.int(0)?);
    call.machine.send_to_thread(thread, signal).map(|()| 0)
}

/// `pthread_kill(thread, signal)`: returns the error.
pub(in crate::models) fn pthread_kill(call: &mut Call<'_, '_>) -> Answer {
    let (thread, signal) = (call.arg(0)? as usize, call.int(1)?);
    call.machine.send_to_thread(thread, signal).map(|()| 0)
}

/// `sigprocmask(how, &new, &old)`; `pthread_sigmask` returns the error.
pub(in crate::models) fn sigmask(call: &mut Call<'_, '_>) -> Answer {
    let (how, new, old) = (call.int(0)?, call.arg(1)?, call.arg(2)?);
    let before = call.machine.thread().blocked;
    if new != 0 {
        let set = call.signal_set(new)?;
        let blocked = match how {
            SIG_BLOCK => before | set,
            SIG_UNBLOCK => before & !set,
            SIG_SETMASK => set,
            _ => return Err(NoResult::Errno(EINVAL)),
        };
        call.machine.thread().blocked = blocked & !unstoppable();
        call.machine.next_poll = call.machine.steps;
    }
    if old != 0 {
        call.store_signal_set(old, before)?;
    }
    Ok(0)
}

/// `sigpending(&set)`
pub(in crate::models) fn sigpending(call: &mut Call<'_, '_>) -> Answer {
    let index = call.machine.current;
    let pending = call.machine.pending_for(index) & call.machine.thread().blocked;
    call.store_signal_set(call.arg(0)?, pending)?;
    Ok(0)
}

/// `sigwait(&set, &signal)`: handlers of other signals do not end it.
pub(in crate::models) fn sigwait(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.machine.thread().progress == Progress::Interrupted {
        call.machine.thread().progress = Progress::Waiting { timed_out: false };
    }
    call.system(|call| {
        let set = call.signal_set(call.arg(0)?)?;
        let signal = call.wait_for_signal(set, None)?;
        call.machine.store_word(call.arg(1)?, 4, signal as u64)?;
        Ok(0)
    })
}

/// `sigwaitinfo(&set, &information)`, `sigtimedwait(&set, &information, &time)`
pub(in crate::models) fn sigtimedwait(call: &mut Call<'_, '_>) -> Answer {
    let set = call.signal_set(call.arg(0)?)?;
    let nanos = if call.code.params.len() > 2 { call.timespec(call.arg(2)?)? } else { None };
    let signal = call.wait_for_signal(set, nanos)?;
    call.tell_signal(call.arg(1)?, signal)?;
    Ok(signal as u64)
}

/// `pause()`: the handler of a signal ends it.
pub(in crate::models) fn pause(_: &mut Call<'_, '_>) -> Answer {
    Err(NoResult::Wait(Wait::Signals { set: 0 }, None))
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
        let old = call.signal_set(set)?;
        call.machine.store_word(set, 8, if is_in { old | only(signal) } else { old & !only(signal) })?;
        Ok(0)
    })
}

/// `sigismember(&set, signal)`
pub(in crate::models) fn is_member(call: &mut Call<'_, '_>) -> Answer {
    let (set, signal) = (call.arg(0)?, call.int(1)?);
    if !(1..=SIGNALS).contains(&signal) {
        return Err(NoResult::Errno(EINVAL));
    }
    Ok(u64::from(call.signal_set(set)? & only(signal) != 0))
}
