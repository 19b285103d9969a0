//! Actions of signals, and signals as descriptors.

use super::{Answer, Call, NoResult};
use crate::files::errno::{EAGAIN, EINVAL};
use crate::files::open::{O_CLOEXEC, O_NONBLOCK, OpenObject};
use crate::finding::Awaited;
use crate::machine::Machine;
use crate::models::files::space::Range;
use crate::os::ready::READ;
use crate::os::signals::{SIGNALS, SignalAction, SignalFile, first, only, unstoppable};

/// Size of `struct sigaction`, offsets of its mask and flags; the handler is its first word.
const SIGACTION: usize = 152;
const MASK: u64 = 8;
const FLAGS: u64 = 136;
/// The size of what a `signalfd` returns for a signal.
const RECORD: usize = 128;

impl Machine<'_> {
    pub(super) fn signal_file_readiness(&self, id: usize) -> u32 {
        let Some(file) = self.os.signal_files.get(id) else { return 0 };
        let shared = match self.processes.get(file.process) {
            Some(record) if file.process != self.process => record.state.signals.pending,
            _ => self.os.signals.pending,
        };
        let own = self.threads.get(self.current).filter(|it| it.process == file.process).map_or(0, |it| it.pending);
        if (shared | own) & file.mask != 0 { READ } else { 0 }
    }

    pub(in crate::models) fn close_signal_file(&mut self, id: usize) {
        if let Some(file) = self.os.signal_files.get_mut(id) {
            file.is_closed = true;
        }
    }

    fn set_action(&mut self, signal: i32, action: SignalAction) {
        self.os.signals.set_action(signal, action);
        self.publish_signals();
        self.expect_signals();
    }

    /// The program may now handle more signals.
    fn expect_signals(&mut self) {
        if self.process == 0 && self.os.coming.moment.is_none() {
            self.plan_signals();
        }
    }
}

/// The number of a signal that may have a handler.
fn signal_of(call: &Call<'_, '_>) -> Result<i32, NoResult> {
    match call.int(0)? {
        signal if (1..=SIGNALS).contains(&signal) => Ok(signal),
        _ => Err(NoResult::Errno(EINVAL)),
    }
}

/// `signal(signal, handler)`: interrupted calls start again.
pub(in crate::models) fn signal(call: &mut Call<'_, '_>) -> Answer {
    const SA_RESTART: u32 = 0x1000_0000;
    let (signal, handler) = (signal_of(call)?, call.arg(1)?);
    if unstoppable() & only(signal) != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let before = call.machine.os.signals.action(signal).handler;
    call.machine.set_action(signal, SignalAction { handler, mask: 0, flags: SA_RESTART });
    Ok(before)
}

/// `sigaction(signal, &new, &old)`
pub(in crate::models) fn sigaction(call: &mut Call<'_, '_>) -> Answer {
    let (signal, new, old) = (signal_of(call)?, call.arg(1)?, call.arg(2)?);
    if new != 0 && unstoppable() & only(signal) != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let before = call.machine.os.signals.action(signal);
    let action = match new {
        0 => None,
        _ => Some(SignalAction {
            handler: call.machine.load_word(new, 8)?,
            mask: call.signal_set(new.wrapping_add(MASK))?,
            flags: call.machine.load_word(new.wrapping_add(FLAGS), 4)? as u32,
        }),
    };
    if old != 0 {
        call.store_bytes(old, &[0; SIGACTION])?;
        call.machine.store_word(old, 8, before.handler)?;
        call.machine.store_word(old.wrapping_add(MASK), 8, before.mask)?;
        call.machine.store_word(old.wrapping_add(FLAGS), 4, u64::from(before.flags))?;
    }
    if let Some(action) = action {
        call.machine.set_action(signal, action);
    }
    Ok(0)
}

/// `signalfd(fd, &mask, flags)`
pub(in crate::models) fn signalfd(call: &mut Call<'_, '_>) -> Answer {
    let (descriptor, flags) = (call.int(0)?, call.arg(2)? as u32);
    let mask = call.signal_set(call.arg(1)?)? & !unstoppable();
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let descriptor = match descriptor {
        -1 => {
            let id = call.machine.os.signal_files.len();
            let (opened, descriptor) = call.machine.descriptor(OpenObject::Signals(id), flags)?;
            let process = call.machine.process;
            call.machine.os.signal_files.push(SignalFile { mask, process, opened, is_closed: false });
            descriptor
        }
        descriptor => {
            let (_, OpenObject::Signals(id)) = call.object(descriptor)? else { return Err(NoResult::Errno(EINVAL)) };
            if let Some(file) = call.machine.os.signal_files.get_mut(id) {
                file.mask = mask;
            }
            descriptor
        }
    };
    call.machine.expect_signals();
    Ok(descriptor as u64)
}

impl Call<'_, '_> {
    /// Reads as many pending signals as fit.
    pub(in crate::models) fn read_signals(&mut self, opened: usize, id: usize, ranges: &[Range]) -> Answer {
        let Some(range) = ranges.first().filter(|it| it.len >= RECORD) else { return Err(NoResult::Errno(EINVAL)) };
        let (index, mut done) = (self.machine.current, 0);
        let mask = self.machine.os.signal_files.get(id).map_or(0, |it| it.mask);
        while done + RECORD <= range.len {
            let signal = first(self.machine.pending_for(index) & mask);
            if signal == 0 {
                break;
            }
            self.machine.take_pending(index, signal);
            let at = range.addr.wrapping_add(done as u64);
            self.store_bytes(at, &[0; RECORD])?;
            self.machine.store_word(at, 4, signal as u64)?;
            done += RECORD;
        }
        if done > 0 {
            self.machine.see_signals();
            return Ok(done as u64);
        }
        match self.would_block(opened, READ, Awaited::Signal) {
            NoResult::Errno(_) => Err(NoResult::Errno(EAGAIN)),
            waits => Err(waits),
        }
    }
}
