//! `poll` and `select`.

use super::{Answer, Call, DescriptorScan, NANOS_PER_SECOND, NoResult};
use crate::files::errno::{EAGAIN, EBADF, EINVAL};
use crate::files::open::OpenObject;
use crate::finding::Awaited;
use crate::os::Interest;
use crate::os::ready::{ALWAYS, ERR, HUP, IN, NVAL, OUT, READ, WRITE};

/// Size of `struct pollfd`, offsets of `events` and `revents`.
const POLLFD: u64 = 8;
const EVENTS: u64 = 4;
const REVENTS: u64 = 6;
/// Maximum number of descriptors of one call.
const MOST: u64 = 1024;
const NANOS_PER_MILLI: u64 = 1_000_000;

impl Call<'_, '_> {
    /// Waits for events of an array of `struct pollfd`; returns how many descriptors have some.
    fn poll_until(&mut self, nanos: Option<u64>) -> Answer {
        let (array, count) = (self.arg(0)?, self.arg(1)?);
        if count > MOST {
            return Err(NoResult::Errno(EINVAL));
        }
        let timed_out = self.has_timed_out();
        let (mut ready, mut unknown, mut interests) = (0, Vec::new(), Vec::new());
        let mut scan = DescriptorScan::default();
        for at in 0..count {
            let place = array.wrapping_add(POLLFD * at);
            let descriptor = self.machine.load_word(place, 4)? as i32;
            let asked = self.machine.load_word(place.wrapping_add(EVENTS), 2)? as u32;
            let found = match self.machine.files.table.get(descriptor) {
                _ if descriptor < 0 => 0,
                Err(_) => NVAL,
                Ok(opened) => {
                    if self.machine.files.table.opened(opened).what == OpenObject::Other {
                        unknown.push((place, asked));
                    }
                    let events = asked | ALWAYS;
                    interests.push(Interest { opened, events });
                    self.machine.readiness(opened, &mut scan) & events
                }
            };
            self.machine.store_word(place.wrapping_add(REVENTS), 2, u64::from(found))?;
            ready += u64::from(found != 0);
        }
        self.machine.charge(&scan);
        if let Some((place, asked)) = unknown.first().copied()
            && asked & (IN | OUT) != 0
        {
            // Nothing is known of it: it is ready in time, or the time runs out before.
            let comes = nanos.is_none() && ready == 0 || {
                let failure = self.machine.choose(|inputs, chooser| inputs.failure(chooser, &[EAGAIN]));
                failure.is_none()
            };
            if comes {
                self.machine.store_word(place.wrapping_add(REVENTS), 2, u64::from(asked & (IN | OUT)))?;
                ready += 1;
            }
        }
        if ready > 0 || nanos == Some(0) || timed_out {
            for interest in interests {
                self.machine.see_opened(interest.opened);
            }
            return Ok(ready);
        }
        let until = self.deadline(nanos);
        Err(self.waits_for(interests, Awaited::Events, until))
    }

    /// Waits for the descriptors in the sets of `select`; returns how many are left in them.
    fn select_until(&mut self, nanos: Option<u64>) -> Answer {
        // What each set asks for, and what is found for it.
        const SETS: [(usize, u32); 3] = [(1, READ | HUP | ERR), (2, WRITE | ERR), (3, 0)];
        let count = self.int(0)?;
        if count < 0 || count as u64 > MOST {
            return Err(NoResult::Errno(EINVAL));
        }
        let timed_out = self.has_timed_out();
        let (mut interests, mut left) = (Vec::new(), [0; 3].map(|_: u8| Vec::new()));
        let mut scan = DescriptorScan::default();
        for ((index, events), left) in SETS.iter().zip(&mut left) {
            let set = self.arg(*index)?;
            for descriptor in 0..count {
                let (byte, bit) = (set.wrapping_add(descriptor as u64 / 8), descriptor as u64 % 8);
                if set == 0 || self.machine.load_word(byte, 1)? >> bit & 1 == 0 {
                    continue;
                }
                let opened = self.machine.files.table.get(descriptor).map_err(|_| EBADF)?;
                interests.push(Interest { opened, events: *events });
                if self.machine.readiness(opened, &mut scan) & events != 0 {
                    left.push(descriptor);
                }
            }
        }
        self.machine.charge(&scan);
        let ready = left.iter().map(Vec::len).sum::<usize>() as u64;
        if ready == 0 && nanos != Some(0) && !timed_out {
            let until = self.deadline(nanos);
            return Err(self.waits_for(interests, Awaited::Events, until));
        }
        for interest in interests {
            self.machine.see_opened(interest.opened);
        }
        for ((index, _), left) in SETS.iter().zip(&left) {
            let set = self.arg(*index)?;
            for descriptor in (0..count).filter(|_| set != 0) {
                let (byte, bit) = (set.wrapping_add(descriptor as u64 / 8), descriptor as u64 % 8);
                let old = self.machine.load_word(byte, 1)? & !(1 << bit);
                let new = old | u64::from(left.contains(&descriptor)) << bit;
                self.machine.store_word(byte, 1, new)?;
            }
        }
        Ok(ready)
    }
}

/// `poll(&descriptors, count, milliseconds)`
pub(in crate::models) fn poll(call: &mut Call<'_, '_>) -> Answer {
    let timeout = call.int(2)?;
    call.poll_until(u64::try_from(timeout).ok().map(|it| it.saturating_mul(NANOS_PER_MILLI)))
}

/// `ppoll(&descriptors, count, &timeout, mask)`
pub(in crate::models) fn ppoll(call: &mut Call<'_, '_>) -> Answer {
    let nanos = call.timespec(call.arg(2)?)?;
    call.poll_until(nanos)
}

/// `select(count, &reads, &writes, &exceptions, &timeval)`
pub(in crate::models) fn select(call: &mut Call<'_, '_>) -> Answer {
    let timeout = call.arg(4)?;
    if timeout == 0 {
        return call.select_until(None);
    }
    let seconds = call.machine.load_word(timeout, 8)?;
    let micros = call.machine.load_word(timeout.wrapping_add(8), 8)?;
    if (seconds as i64) < 0 || (micros as i64) < 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    call.select_until(Some(seconds.saturating_mul(NANOS_PER_SECOND).saturating_add(micros.saturating_mul(1000))))
}

/// `pselect(count, &reads, &writes, &exceptions, &timespec, mask)`
pub(in crate::models) fn pselect(call: &mut Call<'_, '_>) -> Answer {
    let nanos = call.timespec(call.arg(4)?)?;
    call.select_until(nanos)
}
