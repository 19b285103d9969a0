//! Waiting for children.

use crate::files::errno::{ECHILD, EINVAL};
use crate::files::open::{O_CLOEXEC, O_NONBLOCK, OpenObject};
use crate::machine::{Flow, Machine, Stop};
use crate::models::files::{Answer, NoResult};
use crate::models::{Call, Outcome};
use crate::os::ready::READ;
use crate::process::ProcessId;
use crate::sched::PointKind;
use crate::thread::{Progress, Wait};

/// Options of `waitpid` and `waitid`.
const WNOHANG: u32 = 1;
const WNOWAIT: u32 = 0x100_0000;
/// Kinds of numbers of `waitid`.
const P_ALL: i32 = 0;
const P_PID: i32 = 1;
const P_PIDFD: i32 = 3;
/// Size of `siginfo_t`.
const SIGINFO: usize = 128;
const SIGCHLD: u64 = 17;
/// Codes of `siginfo_t`: it has exited, it was killed.
const CLD_EXITED: u64 = 1;
const CLD_KILLED: u64 = 2;

impl Machine<'_> {
    /// A process has ended: those who watch its descriptor hear of it.
    pub(crate) fn process_ended(&mut self, process: ProcessId) {
        for opened in self.files.table.all_of(&OpenObject::Process(process)) {
            self.changed(opened, READ);
        }
    }

    /// A child that has ended, among those of the current process; `Err` with the one that is waited for if none has.
    fn ended_child(&self, of: Option<ProcessId>) -> Result<Result<ProcessId, ProcessId>, NoResult> {
        let is_child = |index: ProcessId| {
            let record = self.processes.get(index);
            index != 0 && record.is_some_and(|it| it.parent == self.process && !it.is_waited_for)
        };
        let mut children = (0..self.processes.len()).filter(|it| is_child(*it) && of.is_none_or(|of| of == *it));
        let has_ended = |it: &ProcessId| self.processes.get(*it).is_some_and(|it| it.status.is_some());
        if let Some(ended) = children.clone().find(has_ended) {
            return Ok(Ok(ended));
        }
        children.next().map(Err).ok_or(NoResult::Errno(ECHILD))
    }
}

impl Call<'_, '_> {
    /// Waits for a child. Returns it and how it ended; `None` if it has not, and the call does not wait.
    fn child(&mut self, of: Option<ProcessId>, options: u32) -> Result<Option<(ProcessId, i32)>, NoResult> {
        match self.machine.ended_child(of)? {
            Ok(ended) => {
                let Some(record) = self.machine.processes.get_mut(ended) else { return Err(NoResult::Errno(ECHILD)) };
                record.is_waited_for |= options & WNOWAIT == 0;
                let (token, status) = (record.token, record.status.unwrap_or(0));
                self.machine.see_file(token);
                Ok(Some((ended, status)))
            }
            Err(_) if options & WNOHANG != 0 => Ok(None),
            Err(first) => {
                let thread = self.machine.processes.get(first).and_then(|it| it.main);
                Err(NoResult::Wait(Wait::Child { thread }, None))
            }
        }
    }

    /// Whether others get their turn first: a program that asks again and again waits for them.
    fn yields_first(&mut self, options: u32) -> Result<bool, Stop> {
        if options & WNOHANG == 0 || self.machine.thread().progress != Progress::None {
            return Ok(false);
        }
        if self.machine.thread().at_point || !self.machine.has_several_runnable() {
            self.machine.spin()?;
            return Ok(false);
        }
        self.machine.thread().at_point = true;
        Ok(true)
    }
}

/// `waitpid(number, &status, options)`
pub(in crate::models) fn waitpid(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (number, place, options) = (call.arg(0)? as i32, call.arg(1)?, call.arg(2)? as u32);
    if call.yields_first(options)? {
        return Ok(Outcome::Entered(Flow::Switch(PointKind::Yield)));
    }
    call.system(|call| {
        let of = match number {
            -1 | 0 => None,
            // There is one process in a group.
            number => Some(call.machine.process_numbered(number.saturating_abs()).ok_or(NoResult::Errno(ECHILD))?),
        };
        let Some((child, status)) = call.child(of, options)? else { return Ok(0) };
        if place != 0 {
            call.machine.store_word(place, 4, u64::from(status as u32))?;
        }
        Ok(Machine::number_of(child) as u64)
    })
}

/// `waitid(kind, number, &information, options)`
pub(in crate::models) fn waitid(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let options = call.arg(3)? as u32;
    if call.yields_first(options)? {
        return Ok(Outcome::Entered(Flow::Switch(PointKind::Yield)));
    }
    call.system(|call| {
        let (kind, number, place) = (call.int(0)?, call.int(1)?, call.arg(2)?);
        let of = match kind {
            P_ALL => None,
            P_PID => Some(call.machine.process_numbered(number).ok_or(NoResult::Errno(ECHILD))?),
            P_PIDFD => match call.object(number)?.1 {
                OpenObject::Process(process) => Some(process),
                _ => return Err(NoResult::Errno(EINVAL)),
            },
            _ => return Err(NoResult::Errno(EINVAL)),
        };
        let found = call.child(of, options)?;
        if place != 0 {
            call.store_bytes(place, &[0; SIGINFO])?;
            if let Some((child, status)) = found {
                let (code, value) = match status & 0x7f {
                    0 => (CLD_EXITED, status >> 8 & 0xff),
                    signal => (CLD_KILLED, signal),
                };
                let number = Machine::number_of(child) as u64;
                for (offset, value) in [(0, SIGCHLD), (8, code), (16, number), (24, value as u64)] {
                    call.machine.store_word(place.wrapping_add(offset), 4, value)?;
                }
            }
        }
        Ok(0)
    })
}

/// `pidfd_open(number, flags)`
pub(in crate::models) fn pidfd_open(call: &mut Call<'_, '_>, number: i32, flags: u32) -> Answer {
    let found = call.machine.process_numbered(number);
    let is_there = |process: &ProcessId| call.machine.processes.get(*process).is_none_or(|it| !it.is_waited_for);
    let Some(process) = found.filter(is_there) else {
        return Err(NoResult::Errno(crate::files::errno::ESRCH));
    };
    call.machine.note_first_process();
    let (_, descriptor) = call.machine.descriptor(OpenObject::Process(process), flags & O_NONBLOCK | O_CLOEXEC)?;
    Ok(descriptor as u64)
}
