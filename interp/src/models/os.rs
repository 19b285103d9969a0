//! Waiting for the operating system: what descriptors are ready for, who waits for that, and what happens by itself.
//!
//! A call that finds nothing blocks its thread until one of the events that it waits for comes, as a lock does. Whoever
//! changes what an open file is ready for calls [`Machine::changed`].

pub(super) mod connect;
pub(super) mod counters;
pub(super) mod epoll;
pub(super) mod interfaces;
pub(super) mod names;
pub(super) mod options;
pub(super) mod outside;
pub(super) mod poll;
mod requests;
pub(super) mod resolve;
pub(super) mod signals;
pub(super) mod sockets;
pub(super) mod transfer;

use super::Call;
use super::files::{Answer, NoResult};
use crate::files::errno::EAGAIN;
use crate::files::open::{ATOMIC, CAPACITY, O_NONBLOCK, OpenObject};
use crate::finding::Awaited;
use crate::machine::{Machine, Stop};
use crate::os::ready::{ERR, HUP, READ, WRITE};
use crate::os::{Interest, Waiting};
use crate::thread::{Progress, State, Wait};
use std::collections::BTreeMap;

/// Maximum number of sets of descriptors in a chain of which each watches the next, as in Linux.
const NESTING: usize = 5;
/// This many entries that a call looks at count as one further step.
const ENTRIES_PER_STEP: u64 = 16;
const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// How much one call has scanned so far.
#[derive(Default)]
pub(super) struct DescriptorScan {
    entries: usize,
    /// Whether a set of descriptors has the property that is asked for, by its number.
    sets: BTreeMap<usize, bool>,
}

impl DescriptorScan {
    pub(super) fn count(&mut self, entries: usize) {
        self.entries += entries;
    }
}

impl Machine<'_> {
    /// Counts the entries that a call has scanned as steps.
    pub(super) fn charge(&mut self, scan: &DescriptorScan) {
        self.steps += scan.entries as u64 / ENTRIES_PER_STEP;
    }

    /// The operations on an open file that would not block.
    pub(super) fn readiness(&self, opened: usize, scan: &mut DescriptorScan) -> u32 {
        scan.count(1);
        match self.files.table.opened(opened).what {
            OpenObject::Node { .. } => READ | WRITE,
            OpenObject::Input => READ,
            OpenObject::Output(_) => WRITE,
            OpenObject::Other => 0,
            OpenObject::Pipe { pipe, writes } => {
                let Ok(pipe) = self.files.table.pipe(pipe) else { return 0 };
                let has_room = pipe.text.len + ATOMIC <= CAPACITY;
                match writes {
                    true if pipe.readers == 0 => WRITE | ERR,
                    true if has_room => WRITE,
                    false if pipe.text.len > 0 => READ | if pipe.writers == 0 { HUP } else { 0 },
                    false if pipe.writers == 0 => HUP,
                    _ => 0,
                }
            }
            OpenObject::Counter(id) => match self.os.counters.get(id).map_or(0, |it| it.value) {
                0 => WRITE,
                counters::MOST => READ,
                _ => READ | WRITE,
            },
            OpenObject::Timer(id) => match self.os.timers.get(id) {
                Some(timer) if timer.is_due(self.now) => READ,
                _ => 0,
            },
            OpenObject::Epoll(id) => {
                let is_known = scan.sets.get(&id).copied();
                let is_ready = is_known.unwrap_or_else(|| {
                    let mut listed = self.os.epolls.get(id).into_iter().flat_map(|it| it.listed());
                    listed.any(|(opened, events)| self.readiness(opened, scan) & events != 0)
                });
                scan.sets.insert(id, is_ready);
                if is_ready { READ } else { 0 }
            }
            OpenObject::Socket(id) => self.socket_readiness(id),
            OpenObject::Signals(id) => self.signal_file_readiness(id),
            OpenObject::Process(id) => match self.processes.get(id).and_then(|it| it.status) {
                Some(_) => READ,
                None => 0,
            },
        }
    }

    /// The key through which the users of an open file synchronise.
    fn token_of(&self, opened: usize) -> Option<u64> {
        match self.files.table.opened(opened).what {
            OpenObject::Pipe { pipe, .. } => Some(self.files.table.pipe(pipe).ok()?.token),
            OpenObject::Counter(id) => Some(self.os.counters.get(id)?.token),
            OpenObject::Epoll(id) => Some(self.os.epolls.get(id)?.token),
            OpenObject::Socket(id) => Some(self.os.sockets.get(id).token),
            OpenObject::Process(id) => Some(self.processes.get(id)?.token),
            _ => None,
        }
    }

    /// Orders the current thread after what made an open file ready.
    pub(super) fn see_opened(&mut self, opened: usize) {
        if let Some(token) = self.token_of(opened) {
            self.see_file(token);
        }
    }

    /// Something happened to an open file: those who wait for it continue.
    pub(crate) fn changed(&mut self, opened: usize, events: u32) {
        if let Some(token) = self.token_of(opened) {
            self.publish_file(token);
        }
        let mut scan = DescriptorScan::default();
        self.list(opened, events, &mut scan);
        let mut is_ready = |it: &Interest| self.readiness(it.opened, &mut scan) & it.events != 0;
        let waiting = self.os.waiting.iter().filter(|(_, it)| it.interests.iter().any(&mut is_ready));
        let woken: Vec<usize> = waiting.map(|(index, _)| *index).collect();
        self.charge(&scan);
        for index in woken {
            self.os.waiting.remove(&index);
            if let Some(thread) = self.threads.get_mut(index)
                && matches!(thread.state, State::Blocked { wait: Wait::Descriptors, .. })
            {
                thread.state = State::Runnable;
            }
        }
    }

    /// Puts an open file on the lists of the sets that watch it.
    fn list(&mut self, opened: usize, events: u32, scan: &mut DescriptorScan) {
        scan.count(self.os.epolls.len());
        let listing = self.os.epolls.iter_mut().filter_map(|it| it.note(opened, events).then_some(it.opened));
        let sets: Vec<usize> = listing.collect();
        for set in sets {
            self.list(set, READ, scan);
        }
    }

    /// Whether nothing but other threads of the run and signals can end the current wait of a thread for descriptors:
    /// no program outside, and no time.
    pub(crate) fn is_closed_wait(&self, thread: usize) -> bool {
        let Some(waiting) = self.os.waiting.get(&thread) else { return false };
        let mut scan = DescriptorScan::default();
        waiting.interests.iter().all(|it| self.is_closed(it.opened, it.events, &mut scan))
    }

    fn is_closed(&self, opened: usize, events: u32, scan: &mut DescriptorScan) -> bool {
        match self.files.table.opened(opened).what {
            OpenObject::Pipe { .. } => true,
            OpenObject::Counter(id) => self.os.counters.get(id).is_some_and(|it| !it.is_outside),
            OpenObject::Timer(id) => self.os.timers.get(id).is_some_and(|it| it.at.is_none()),
            OpenObject::Epoll(id) => {
                let is_known = scan.sets.get(&id).copied();
                let is_closed = is_known.unwrap_or_else(|| {
                    let mut watched = self.os.epolls.get(id).into_iter().flat_map(|it| it.watched());
                    watched.all(|(opened, events)| self.is_closed(opened, events, scan))
                });
                scan.sets.insert(id, is_closed);
                is_closed
            }
            OpenObject::Socket(id) => self.is_closed_socket(id, events),
            OpenObject::Signals(_) => true,
            OpenObject::Process(id) => self.processes.get(id).is_some_and(|it| it.main.is_some()),
            OpenObject::Node { .. } | OpenObject::Input | OpenObject::Output(_) | OpenObject::Other => false,
        }
    }

    /// The name for reports of what a thread waits for.
    pub(crate) fn awaited(&self, thread: usize) -> Awaited {
        self.os.waiting.get(&thread).map_or(Awaited::Events, |it| it.what)
    }

    /// Time passes to the next event of timers, programs outside and signals, unless a deadline comes first. Returns whether there was
    /// one.
    pub(crate) fn pass_events_before(&mut self, deadline: Option<u64>) -> Result<bool, Stop> {
        let is_first = |at: &u64| deadline.is_none_or(|deadline| *at <= deadline);
        self.charge(&DescriptorScan { entries: self.os.timers.len(), ..DescriptorScan::default() });
        let Some(at) = self.os.next_event().filter(is_first) else { return Ok(false) };
        self.now = self.now.max(at);
        let now = self.now;
        let mut rung = Vec::new();
        for timer in &mut self.os.timers {
            if timer.next().is_some_and(|at| at <= now) {
                timer.has_rung = true;
                rung.push(timer.opened);
            }
        }
        for opened in rung {
            self.changed(opened, READ);
        }
        while let Some(event) = self.os.outside.take(now) {
            self.perform(event)?;
        }
        if self.os.coming.moment.is_some_and(|it| it.at <= now) {
            self.signal_at_moment()?;
        }
        Ok(true)
    }
}

impl Call<'_, '_> {
    /// Waits for the first of these events, at most until a logical time.
    fn waits_for(&mut self, interests: Vec<Interest>, what: Awaited, until: Option<u64>) -> NoResult {
        let thread = self.machine.current;
        self.machine.os.waiting.insert(thread, Waiting { interests, what });
        NoResult::Wait(Wait::Descriptors, until)
    }

    /// The result of an operation on an open file that would block.
    pub(super) fn would_block(&mut self, opened: usize, events: u32, what: Awaited) -> NoResult {
        match self.machine.files.table.opened(opened).flags & O_NONBLOCK {
            0 => self.waits_for(vec![Interest { opened, events }], what, None),
            _ => NoResult::Errno(EAGAIN),
        }
    }

    /// Whether the wait of this call has run out of time.
    fn has_timed_out(&mut self) -> bool {
        self.machine.thread().progress == (Progress::Waiting { timed_out: true })
    }

    /// The object that a descriptor refers to, and its open file.
    pub(super) fn object(&mut self, descriptor: i32) -> Result<(usize, OpenObject), NoResult> {
        let opened = self.machine.files.table.get(descriptor)?;
        Ok((opened, self.machine.files.table.opened(opened).what.clone()))
    }

    /// A duration as seconds and nanoseconds; `None` for a null pointer.
    pub(super) fn timespec(&self, at: u64) -> Result<Option<u64>, NoResult> {
        if at == 0 {
            return Ok(None);
        }
        let seconds = self.machine.load_word(at, 8)?;
        let nanos = self.machine.load_word(at.wrapping_add(8), 8)?;
        if nanos >= NANOS_PER_SECOND || (seconds as i64) < 0 {
            return Err(NoResult::Errno(crate::files::errno::EINVAL));
        }
        Ok(Some(seconds.saturating_mul(NANOS_PER_SECOND).saturating_add(nanos)))
    }
}
