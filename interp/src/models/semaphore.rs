//! Semaphores of the C library, which handlers of signals may use. The counter is the first word.

use super::files::{Answer, NoResult};
use super::{Call, Outcome};
use crate::files::errno::{EAGAIN, EINVAL, EOVERFLOW, ETIMEDOUT};
use crate::machine::Stop;
use crate::sync::SyncKey;
use crate::thread::{Progress, Wait};

/// Maximum value of a counter.
const MOST: u64 = i32::MAX as u64;

impl Call<'_, '_> {
    /// Takes one from the counter, if there is any.
    fn take_one(&mut self) -> Result<bool, NoResult> {
        let at = self.arg(0)?;
        let value = self.machine.load_word(at, 4)?;
        if value == 0 {
            return Ok(false);
        }
        self.machine.store_word(at, 4, value - 1)?;
        self.machine.sync_object(at);
        self.machine.order.on_acquire(self.machine.thread_id(), SyncKey::At(at));
        Ok(true)
    }

    fn take_until(&mut self, until: Option<u64>) -> Answer {
        match self.take_one()? {
            true => Ok(0),
            false if self.machine.thread().progress == (Progress::Waiting { timed_out: true }) => {
                Err(NoResult::Errno(ETIMEDOUT))
            }
            false => Err(NoResult::Wait(Wait::Futex { addr: self.arg(0)? }, until)),
        }
    }
}

/// `sem_init(semaphore, shared, value)`
pub(super) fn init(call: &mut Call<'_, '_>) -> Answer {
    let (at, value) = (call.arg(0)?, call.arg(2)?);
    if value > MOST {
        return Err(NoResult::Errno(EINVAL));
    }
    call.machine.store_word(at, 4, value)?;
    Ok(0)
}

/// `sem_post(semaphore)`
pub(super) fn post(call: &mut Call<'_, '_>) -> Answer {
    let at = call.arg(0)?;
    let value = call.machine.load_word(at, 4)?;
    if value >= MOST {
        return Err(NoResult::Errno(EOVERFLOW));
    }
    call.machine.store_word(at, 4, value + 1)?;
    call.machine.sync_object(at);
    call.machine.order.on_release(call.machine.thread_id(), SyncKey::At(at));
    call.machine.wake_all(|wait| wait == Wait::Futex { addr: at });
    Ok(0)
}

/// `sem_wait(semaphore)`
pub(super) fn wait(call: &mut Call<'_, '_>) -> Answer {
    call.take_until(None)
}

/// `sem_timedwait(semaphore, &time)`: the time is that of the clock.
pub(super) fn timed_wait(call: &mut Call<'_, '_>) -> Answer {
    let until = call.timespec(call.arg(1)?)?;
    call.take_until(until.map(|until| until.max(call.machine.now.saturating_add(1))))
}

/// `sem_trywait(semaphore)`
pub(super) fn try_wait(call: &mut Call<'_, '_>) -> Answer {
    if call.take_one()? { Ok(0) } else { Err(NoResult::Errno(EAGAIN)) }
}

/// `sem_getvalue(semaphore, &value)`
pub(super) fn value(call: &mut Call<'_, '_>) -> Answer {
    let value = call.machine.load_word(call.arg(0)?, 4)?;
    call.machine.store_word(call.arg(1)?, 4, value)?;
    Ok(0)
}

/// `sem_destroy(semaphore)`
pub(super) fn destroy(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.arg(0)?;
    call.ret(0);
    Ok(Outcome::Done)
}
