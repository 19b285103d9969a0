//! System calls by number: those of the futex, with which locks outside std are built (`parking_lot`), and those that
//! need no kernel. The numbers are those of x86_64 Linux.

use super::{Call, Outcome};
use crate::files::errno::{EAGAIN, EINVAL, ENOSYS, ETIMEDOUT};
use crate::machine::Stop;
use crate::thread::{Progress, Wait};

/// Numbers of system calls.
const GETPID: u64 = 39;
const GETTID: u64 = 186;
const GETDENTS: u64 = 217;
const PIDFD_SEND_SIGNAL: u64 = 424;
const PIDFD_OPEN: u64 = 434;
const SCHED_YIELD: u64 = 24;
const FUTEX: u64 = 202;
const GETRANDOM: u64 = 318;

/// Futex operations, without flags.
const FUTEX_WAIT: u32 = 0;
const FUTEX_WAKE: u32 = 1;
/// Flags for process-private and for the clock: neither matters here.
const FUTEX_FLAGS: u32 = 128 | 256;

const NANOS: u64 = 1_000_000_000;

/// `syscall(number, ..)`. Unknown calls are refused, as by an older kernel or in a sandbox.
pub(super) fn syscall(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let number = call.arg(0)?;
    if (1..call.args.len()).any(|index| call.is_unknown(index)) {
        return super::process::input(call);
    }
    match number {
        FUTEX => futex(call),
        SCHED_YIELD => {
            call.ret(0);
            Ok(Outcome::Done)
        }
        GETRANDOM => getrandom(call),
        GETPID => super::processes::numbers::getpid(call),
        GETTID => super::processes::numbers::gettid(call),
        GETDENTS => {
            let (descriptor, to, room) = (call.extra(1, 4) as i32, call.extra(2, 8), call.extra(3, 8) as usize);
            call.system(|call| super::files::folder::getdents(call, descriptor, to, room))
        }
        PIDFD_OPEN => {
            let (number, flags) = (call.extra(1, 4) as i32, call.extra(2, 4) as u32);
            call.system(|call| super::processes::wait::pidfd_open(call, number, flags))
        }
        PIDFD_SEND_SIGNAL => {
            let (descriptor, signal) = (call.extra(1, 4) as i32, call.extra(2, 4) as i32);
            super::processes::signals::send_by_descriptor(call, descriptor, signal)
        }
        _ => call.fails(ENOSYS),
    }
}

impl Call<'_, '_> {
    /// Whether an argument, possibly a variadic one, is unknown.
    fn is_unknown(&mut self, index: usize) -> bool {
        let Some(&slot) = self.args.get(index) else { return false };
        // The smallest of them is an `i32`.
        self.machine.is_inside(slot, 4) && self.machine.term(slot, 4).is_some()
    }
}

/// `futex(word: *const u32, operation: i32, value: u32, timeout: *const timespec)`
fn futex(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, operation, value) = (call.extra(1, 8), call.extra(2, 4) as u32, call.extra(3, 4));
    match operation & !FUTEX_FLAGS {
        FUTEX_WAIT => wait(call, addr, value),
        FUTEX_WAKE => {
            let mut woken = 0;
            while woken < value && call.machine.wake_one(|wait| wait == Wait::Futex { addr }).is_some() {
                woken += 1;
            }
            call.ret(woken);
            Ok(Outcome::Done)
        }
        _ => call.fails(ENOSYS),
    }
}

/// Waits while the word has the expected value.
fn wait(call: &mut Call<'_, '_>, addr: u64, expected: u64) -> Result<Outcome, Stop> {
    match call.machine.thread().progress {
        Progress::None => {
            if call.machine.load_word(addr, 4)? != expected {
                return call.fails(EAGAIN);
            }
            let until = match call.extra(4, 8) {
                0 => None,
                at => {
                    let seconds = call.machine.load_word(at, 8)?;
                    let nanos = call.machine.load_word(at.wrapping_add(8), 8)?;
                    if nanos >= NANOS {
                        return call.fails(EINVAL);
                    }
                    call.deadline(Some(seconds.saturating_mul(NANOS).saturating_add(nanos)))
                }
            };
            call.machine.thread().progress = Progress::Waiting { timed_out: false };
            Ok(Outcome::Block(Wait::Futex { addr }, until))
        }
        Progress::Waiting { timed_out: true } => call.fails(ETIMEDOUT),
        Progress::Waiting { timed_out: false } | Progress::Relock { .. } | Progress::Woken | Progress::Interrupted => {
            call.ret(0);
            Ok(Outcome::Done)
        }
    }
}

/// `getrandom(bytes: *mut u8, count: usize, flags: u32)`
fn getrandom(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (to, count) = (call.extra(1, 8), call.extra(2, 8));
    for at in 0..count {
        let byte = call.machine.rng.next_u64() & 0xff;
        call.machine.store_word(to.wrapping_add(at), 1, byte)?;
    }
    call.machine.note_write(to, u32::try_from(count).unwrap_or(u32::MAX), false);
    call.machine.touched(count);
    call.ret(count);
    Ok(Outcome::Done)
}
