//! `epoll`.

use super::{Answer, Call, NESTING, NoResult};
use crate::files::errno::{EBADF, EINVAL, ELOOP, EPERM};
use crate::files::open::{O_CLOEXEC, OpenObject};
use crate::finding::Awaited;
use crate::machine::Machine;
use crate::world::Interest;
use crate::world::epoll::Epoll;
use crate::world::ready::READ;
use std::collections::BTreeMap;

const CTL_ADD: i32 = 1;
const CTL_DEL: i32 = 2;
const CTL_MOD: i32 = 3;
/// Size of `struct epoll_event`, which is packed, and offset of its data.
const EVENT: u64 = 12;
const DATA: u64 = 4;
const NANOS_PER_MILLI: u64 = 1_000_000;

impl Machine<'_> {
    /// Whether a set watches another one, directly or not.
    fn watches(&self, set: usize, other: usize, depth: u32) -> bool {
        let Some(epoll) = self.world.epolls.get(set) else { return false };
        let mut sets = epoll.watched().filter_map(|(opened, _)| match self.files.table.opened(opened).what {
            OpenObject::Epoll(inner) => Some(inner),
            _ => None,
        });
        set == other || depth > NESTING || sets.any(|inner| self.watches(inner, other, depth + 1))
    }

    /// An open file has no descriptor any more: no set watches it.
    pub(in crate::models) fn unwatch(&mut self, opened: usize) {
        for epoll in &mut self.world.epolls {
            epoll.forget(opened);
        }
    }

    pub(in crate::models) fn close_epoll(&mut self, id: usize) {
        if let Some(epoll) = self.world.epolls.get_mut(id) {
            epoll.clear();
        }
    }
}

impl Call<'_, '_> {
    fn new_epoll(&mut self, flags: u32) -> Answer {
        let (token, id) = (self.machine.file_token(), self.machine.world.epolls.len());
        let (opened, descriptor) = self.machine.descriptor(OpenObject::Epoll(id), flags)?;
        self.machine.world.epolls.push(Epoll::new(opened, token));
        Ok(descriptor as u64)
    }

    fn epoll(&mut self) -> Result<(usize, usize), NoResult> {
        match self.object(self.int(0)?)? {
            (opened, OpenObject::Epoll(id)) => Ok((opened, id)),
            _ => Err(NoResult::Errno(EINVAL)),
        }
    }

    /// Waits for events; `nanos` is the longest time, if there is one.
    fn wait(&mut self, nanos: Option<u64>) -> Answer {
        let (place, most) = (self.arg(1)?, self.int(2)?);
        let (opened, id) = self.epoll()?;
        if most <= 0 {
            return Err(NoResult::Errno(EINVAL));
        }
        let Some(epoll) = self.machine.world.epolls.get(id) else { return Err(NoResult::Errno(EBADF)) };
        let readiness: BTreeMap<usize, u32> =
            epoll.listed().map(|(opened, _)| (opened, self.machine.readiness(opened))).collect();
        let timed_out = self.has_timed_out();
        let Some(epoll) = self.machine.world.epolls.get_mut(id) else { return Err(NoResult::Errno(EBADF)) };
        let taken = epoll.take(most as usize, |opened| readiness.get(&opened).copied().unwrap_or(0));
        if taken.is_empty() && !timed_out && nanos != Some(0) {
            let until = self.deadline(nanos);
            return Err(self.waits_for(vec![Interest { opened, events: READ }], Awaited::Events, until));
        }
        self.machine.see_opened(opened);
        for opened in readiness.keys() {
            self.machine.see_opened(*opened);
        }
        let (mut at, count) = (place, taken.len());
        for (events, data) in taken {
            self.machine.store_word(at, 4, u64::from(events))?;
            self.machine.store_word(at.wrapping_add(DATA), 8, data)?;
            at = at.wrapping_add(EVENT);
        }
        if self.machine.concurrent && count > 0 {
            self.machine.note_write(place, EVENT as u32 * count as u32, false);
        }
        Ok(count as u64)
    }
}

/// `epoll_create1(flags)`
pub(in crate::models) fn epoll_create1(call: &mut Call<'_, '_>) -> Answer {
    let flags = call.arg(0)? as u32;
    if flags & !O_CLOEXEC != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    call.new_epoll(flags)
}

/// `epoll_create(size)`
pub(in crate::models) fn epoll_create(call: &mut Call<'_, '_>) -> Answer {
    if call.int(0)? <= 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    call.new_epoll(0)
}

/// `epoll_ctl(epoll, operation, fd, &event)`
pub(in crate::models) fn epoll_ctl(call: &mut Call<'_, '_>) -> Answer {
    let (operation, descriptor, event) = (call.int(1)?, call.int(2)?, call.arg(3)?);
    let epoll_fd = call.int(0)?;
    let (watched, what) = call.object(descriptor)?;
    let (opened, id) = call.epoll()?;
    match what {
        OpenObject::Node { .. } => return Err(NoResult::Errno(EPERM)),
        OpenObject::Epoll(other) if other == id || epoll_fd == descriptor => return Err(NoResult::Errno(EINVAL)),
        OpenObject::Epoll(other) if operation == CTL_ADD && call.machine.watches(other, id, 0) => {
            return Err(NoResult::Errno(ELOOP));
        }
        _ => {}
    }
    let (events, data) = match operation {
        CTL_DEL => (0, 0),
        _ => (call.machine.load_word(event, 4)? as u32, call.machine.load_word(event.wrapping_add(DATA), 8)?),
    };
    let Some(epoll) = call.machine.world.epolls.get_mut(id) else { return Err(NoResult::Errno(EBADF)) };
    let key = (watched, descriptor);
    match operation {
        CTL_ADD => epoll.add(key, events, data)?,
        CTL_MOD => epoll.change(key, events, data)?,
        CTL_DEL => epoll.remove(key)?,
        _ => return Err(NoResult::Errno(EINVAL)),
    }
    // What is ready already counts as an event.
    let ready = call.machine.readiness(watched);
    let is_listed =
        operation != CTL_DEL && call.machine.world.epolls.get_mut(id).is_some_and(|epoll| epoll.note(watched, ready));
    call.machine.changed(opened, if is_listed { READ } else { 0 });
    Ok(0)
}

/// `epoll_wait(epoll, &events, count, milliseconds)`, `epoll_pwait` with a mask of signals.
pub(in crate::models) fn epoll_wait(call: &mut Call<'_, '_>) -> Answer {
    let timeout = call.int(3)?;
    call.wait(u64::try_from(timeout).ok().map(|it| it.saturating_mul(NANOS_PER_MILLI)))
}

/// `epoll_pwait2(epoll, &events, count, &timeout, mask)`
pub(in crate::models) fn epoll_pwait2(call: &mut Call<'_, '_>) -> Answer {
    let nanos = call.timespec(call.arg(3)?)?;
    call.wait(nanos)
}
