//! `epoll`.

use super::{Answer, Call, DescriptorScan, NESTING, NoResult};
use crate::files::errno::{EBADF, EINVAL, ELOOP, EPERM};
use crate::files::open::{O_CLOEXEC, OpenObject};
use crate::finding::Awaited;
use crate::machine::Machine;
use crate::os::Interest;
use crate::os::epoll::Epoll;
use crate::os::ready::READ;
use std::collections::{BTreeMap, BTreeSet};

const CTL_ADD: i32 = 1;
const CTL_DEL: i32 = 2;
const CTL_MOD: i32 = 3;
/// Size of `struct epoll_event`, which is packed, and offset of its data.
const EVENT: u64 = 12;
const DATA: u64 = 4;
const NANOS_PER_MILLI: u64 = 1_000_000;

impl Machine<'_> {
    /// Whether a set may watch another one: not if that closes a circle, or makes a chain too long.
    fn may_watch(&mut self, outer: usize, inner: usize) -> bool {
        let (mut watchers, mut watched) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::<_, Vec<_>>::new());
        let mut scan = DescriptorScan::default();
        for (set, epoll) in self.os.epolls.iter().enumerate() {
            for (opened, _) in epoll.watched() {
                scan.count(1);
                if let OpenObject::Epoll(other) = self.files.table.opened(opened).what {
                    watched.entry(set).or_default().push(other);
                    watchers.entry(other).or_default().push(set);
                }
            }
            scan.count(1);
        }
        self.charge(&scan);
        let below = generations(inner, &watched);
        let is_circle = below.iter().any(|sets| sets.contains(&outer));
        !is_circle && below.len() + generations(outer, &watchers).len() <= NESTING
    }

    /// An open file has no descriptor any more: no set watches it.
    pub(in crate::models) fn unwatch(&mut self, opened: usize) {
        let mut scan = DescriptorScan::default();
        for epoll in &mut self.os.epolls {
            scan.count(1);
            epoll.forget(opened);
        }
        self.charge(&scan);
    }

    pub(in crate::models) fn close_epoll(&mut self, id: usize) {
        if let Some(epoll) = self.os.epolls.get_mut(id) {
            epoll.clear();
        }
    }
}

/// A set, those that it leads to directly, those that these lead to, and so on: one more than can be.
fn generations(set: usize, next: &BTreeMap<usize, Vec<usize>>) -> Vec<BTreeSet<usize>> {
    let mut all = vec![BTreeSet::from([set])];
    while let Some(last) = all.last().filter(|last| !last.is_empty() && all.len() <= NESTING) {
        let following = last.iter().filter_map(|it| next.get(it)).flatten().copied().collect();
        all.push(following);
    }
    all.retain(|sets| !sets.is_empty());
    all
}

impl Call<'_, '_> {
    fn new_epoll(&mut self, flags: u32) -> Answer {
        let (token, id) = (self.machine.file_token(), self.machine.os.epolls.len());
        let (opened, descriptor) = self.machine.descriptor(OpenObject::Epoll(id), flags)?;
        self.machine.os.epolls.push(Epoll::new(opened, token));
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
        let Some(epoll) = self.machine.os.epolls.get(id) else { return Err(NoResult::Errno(EBADF)) };
        let mut scan = DescriptorScan::default();
        let readiness: BTreeMap<usize, u32> =
            epoll.listed().map(|(opened, _)| (opened, self.machine.readiness(opened, &mut scan))).collect();
        self.machine.charge(&scan);
        let timed_out = self.has_timed_out();
        let Some(epoll) = self.machine.os.epolls.get_mut(id) else { return Err(NoResult::Errno(EBADF)) };
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
        OpenObject::Epoll(other) if operation == CTL_ADD && !call.machine.may_watch(id, other) => {
            return Err(NoResult::Errno(ELOOP));
        }
        _ => {}
    }
    let (events, data) = match operation {
        CTL_DEL => (0, 0),
        _ => (call.machine.load_word(event, 4)? as u32, call.machine.load_word(event.wrapping_add(DATA), 8)?),
    };
    let Some(epoll) = call.machine.os.epolls.get_mut(id) else { return Err(NoResult::Errno(EBADF)) };
    let key = (watched, descriptor);
    match operation {
        CTL_ADD => epoll.add(key, events, data)?,
        CTL_MOD => epoll.change(key, events, data)?,
        CTL_DEL => epoll.remove(key)?,
        _ => return Err(NoResult::Errno(EINVAL)),
    }
    // What is ready already counts as an event.
    let mut scan = DescriptorScan::default();
    let ready = call.machine.readiness(watched, &mut scan);
    call.machine.charge(&scan);
    let is_listed =
        operation != CTL_DEL && call.machine.os.epolls.get_mut(id).is_some_and(|epoll| epoll.note(watched, ready));
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
