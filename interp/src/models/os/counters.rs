//! Event counters and timers as descriptors: `eventfd`, `timerfd`.

use super::{Answer, Call, NANOS_PER_SECOND, NoResult};
use crate::files::errno::EINVAL;
use crate::files::open::{O_CLOEXEC, O_NONBLOCK, O_RDWR, OpenObject};
use crate::finding::Awaited;
use crate::machine::Machine;
use crate::models::files::space::Range;
use crate::os::Counter;
use crate::os::ready::{READ, WRITE};
use crate::os::timer::Timer;

/// Maximum value of a counter.
pub(super) const MOST: u64 = u64::MAX - 1;
const EFD_SEMAPHORE: u32 = 1;
const TFD_TIMER_ABSTIME: u64 = 1;

impl Machine<'_> {
    /// A new descriptor for an object.
    pub(in crate::models) fn descriptor(&mut self, what: OpenObject, flags: u32) -> Result<(usize, i32), NoResult> {
        self.files.table.has_room(1)?;
        let opened = self.files.table.open(what, O_RDWR | flags & O_NONBLOCK);
        Ok((opened, self.files.table.put(0, opened, flags & O_CLOEXEC != 0)))
    }

    pub(in crate::models) fn close_timer(&mut self, id: usize) {
        if let Some(timer) = self.os.timers.get_mut(id) {
            timer.is_closed = true;
        }
    }
}

impl Call<'_, '_> {
    /// The place for the word that a read returns.
    fn word_place(&self, ranges: &[Range]) -> Result<u64, NoResult> {
        match ranges.first() {
            Some(range) if range.len >= 8 => Ok(range.addr),
            _ => Err(NoResult::Errno(EINVAL)),
        }
    }

    fn give_word(&mut self, place: u64, value: u64) -> Answer {
        if self.machine.concurrent {
            self.machine.note_write(place, 8, false);
        }
        self.machine.store_word(place, 8, value)?;
        Ok(8)
    }

    pub(in crate::models) fn read_counter(&mut self, opened: usize, id: usize, ranges: &[Range]) -> Answer {
        let place = self.word_place(ranges)?;
        let Some(counter) = self.machine.os.counters.get_mut(id) else { return Err(NoResult::Errno(EINVAL)) };
        if counter.value == 0 {
            return Err(self.would_block(opened, READ, Awaited::Counter));
        }
        let taken = if counter.is_semaphore { 1 } else { counter.value };
        counter.value -= taken;
        self.machine.see_opened(opened);
        self.machine.changed(opened, WRITE);
        self.give_word(place, taken)
    }

    pub(in crate::models) fn write_counter(&mut self, opened: usize, id: usize, ranges: &[Range]) -> Answer {
        let added = self.machine.load_word(self.word_place(ranges)?, 8)?;
        let Some(counter) = self.machine.os.counters.get_mut(id) else { return Err(NoResult::Errno(EINVAL)) };
        if added == u64::MAX || counter.is_outside {
            return Err(NoResult::Errno(EINVAL));
        }
        match counter.value.checked_add(added).filter(|sum| *sum <= MOST) {
            Some(sum) => counter.value = sum,
            None => return Err(self.would_block(opened, WRITE, Awaited::Counter)),
        }
        self.machine.changed(opened, READ);
        Ok(8)
    }

    pub(in crate::models) fn read_timer(&mut self, opened: usize, id: usize, ranges: &[Range]) -> Answer {
        let place = self.word_place(ranges)?;
        let now = self.machine.now;
        let Some(timer) = self.machine.os.timers.get_mut(id) else { return Err(NoResult::Errno(EINVAL)) };
        match timer.take(now) {
            0 => Err(self.would_block(opened, READ, Awaited::Timer)),
            ticks => self.give_word(place, ticks),
        }
    }

    /// The number of the timer that a descriptor refers to.
    fn timer(&mut self) -> Result<(usize, usize), NoResult> {
        match self.object(self.int(0)?)? {
            (opened, OpenObject::Timer(id)) => Ok((opened, id)),
            _ => Err(NoResult::Errno(EINVAL)),
        }
    }

    /// Writes the interval of a timer and the time left as `struct itimerspec`.
    fn tell_timer(&mut self, id: usize, place: u64) -> Result<(), NoResult> {
        let now = self.machine.now;
        let Some(timer) = self.machine.os.timers.get(id) else { return Err(NoResult::Errno(EINVAL)) };
        for (at, nanos) in [(0, timer.interval), (16, timer.rest(now))] {
            let place = place.wrapping_add(at);
            self.machine.store_word(place, 8, nanos / NANOS_PER_SECOND)?;
            self.machine.store_word(place.wrapping_add(8), 8, nanos % NANOS_PER_SECOND)?;
        }
        Ok(())
    }
}

/// `inotify_init1(flags)`: in a run nothing outside changes a file, and what the run itself changes is not told.
pub(in crate::models) fn inotify_init(call: &mut Call<'_, '_>, flags: u32) -> Answer {
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let (token, id) = (call.machine.file_token(), call.machine.os.counters.len());
    let (_, descriptor) = call.machine.descriptor(OpenObject::Counter(id), flags)?;
    call.machine.os.counters.push(Counter { value: 0, is_outside: true, is_semaphore: false, token });
    Ok(descriptor as u64)
}

/// `inotify_add_watch(fd, path, events)`: a new number for each call.
pub(in crate::models) fn inotify_add_watch(call: &mut Call<'_, '_>) -> Answer {
    call.object(call.int(0)?)?;
    call.machine.os.watches += 1;
    Ok(call.machine.os.watches)
}

/// `inotify_rm_watch(fd, watch)`
pub(in crate::models) fn inotify_rm_watch(call: &mut Call<'_, '_>) -> Answer {
    call.object(call.int(0)?)?;
    Ok(0)
}

/// `eventfd(value, flags)`
pub(in crate::models) fn eventfd(call: &mut Call<'_, '_>) -> Answer {
    let (value, flags) = (call.arg(0)? as u32, call.arg(1)? as u32);
    if flags & !(EFD_SEMAPHORE | O_CLOEXEC | O_NONBLOCK) != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let (token, id) = (call.machine.file_token(), call.machine.os.counters.len());
    let (_, descriptor) = call.machine.descriptor(OpenObject::Counter(id), flags)?;
    let is_semaphore = flags & EFD_SEMAPHORE != 0;
    call.machine.os.counters.push(Counter { value: u64::from(value), is_outside: false, is_semaphore, token });
    Ok(descriptor as u64)
}

/// `timerfd_create(clock, flags)`
pub(in crate::models) fn timerfd_create(call: &mut Call<'_, '_>) -> Answer {
    let (flags, id) = (call.arg(1)? as u32, call.machine.os.timers.len());
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let (opened, descriptor) = call.machine.descriptor(OpenObject::Timer(id), flags)?;
    call.machine.os.timers.push(Timer::new(opened));
    Ok(descriptor as u64)
}

/// `timerfd_settime(fd, flags, &new, &old)`
pub(in crate::models) fn timerfd_settime(call: &mut Call<'_, '_>) -> Answer {
    let (opened, id) = call.timer()?;
    let (flags, new, old) = (call.arg(1)?, call.arg(2)?, call.arg(3)?);
    let interval = call.timespec(new)?.unwrap_or(0);
    let first = call.timespec(new.wrapping_add(16))?.unwrap_or(0);
    if old != 0 {
        call.tell_timer(id, old)?;
    }
    let now = call.machine.now;
    let at = if flags & TFD_TIMER_ABSTIME != 0 { first } else { now.saturating_add(first) };
    if let Some(timer) = call.machine.os.timers.get_mut(id) {
        timer.set((first != 0).then_some(at), interval);
    }
    if first != 0 && at <= now {
        call.machine.changed(opened, READ);
    }
    Ok(0)
}

/// `timerfd_gettime(fd, &current)`
pub(in crate::models) fn timerfd_gettime(call: &mut Call<'_, '_>) -> Answer {
    let (_, id) = call.timer()?;
    let place = call.arg(1)?;
    call.tell_timer(id, place)?;
    Ok(0)
}
