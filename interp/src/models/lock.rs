//! Mutexes and reader-writer locks of std: the holders are tracked by the lock's address. Its bytes only say who holds
//! it: a lock whose guard was leaked stays locked where they are moved to.

use super::{Call, Outcome};
use crate::clock::ThreadId;
use crate::detect::deadlock;
use crate::finding::LockKind;
use crate::machine::{Machine, Stop};
use crate::memory::Fault;
use crate::sync::SyncKey;
use crate::sync::locks::LockId;
use crate::thread::{State, Wait};
use crate::trace::TraceEvent;

/// The size of a lock's first word, in bytes.
const WORD: u32 = 4;
/// The ways to hold a lock.
const KINDS: [LockKind; 3] = [LockKind::Mutex, LockKind::Read, LockKind::Write];

impl Machine<'_> {
    /// Whether the lock can be acquired now. Readers let waiting writers go first.
    fn is_free(&self, kind: LockKind, addr: u64) -> bool {
        let holders = self.sync.locks.holders(LockId(addr));
        if kind.is_exclusive() {
            return holders.is_empty();
        }
        let is_writer = |state: State| matches!(state, State::Blocked { wait: Wait::Lock { kind: LockKind::Write, addr: at }, .. } if at == addr);
        holders.iter().all(|holder| !holder.1.is_exclusive())
            && (holders.is_empty() || !self.threads.iter().any(|thread| is_writer(thread.state)))
    }

    /// Writes into the bytes of a lock who holds it; 0 for nobody.
    fn write_holder(&mut self, addr: u64) {
        let holder = self.sync.locks.holders(LockId(addr)).first();
        let word = holder.map_or(0, |(thread, kind)| {
            let kind = KINDS.iter().position(|it| it == kind).unwrap_or_default();
            (thread.index() * KINDS.len() + kind + 1) as u64
        });
        // A lock at an unknown address has no bytes.
        let _: Result<(), Stop> = self.store_word(addr, WORD, word);
    }

    /// A lock that nobody holds at this address: its bytes may have been those of one that is held.
    fn find_leaked_hold(&mut self, addr: u64) {
        if !self.sync.locks.holders(LockId(addr)).is_empty() {
            return;
        }
        let Some(before) = self.load_word(addr, WORD).ok().and_then(|word| (word as usize).checked_sub(1)) else {
            return;
        };
        let thread = before / KINDS.len();
        if let Some(kind) = KINDS.get(before % KINDS.len()).copied()
            && thread < self.threads.len()
        {
            self.sync_object(addr);
            self.sync.locks.moved(ThreadId(thread as u32), LockId(addr), kind);
        }
    }

    /// Acquires the lock if it is free.
    pub(super) fn try_acquire_lock(&mut self, kind: LockKind, addr: u64) -> bool {
        self.find_leaked_hold(addr);
        if !self.is_free(kind, addr) {
            return false;
        }
        self.note_asked(addr);
        let thread = self.thread_id();
        let place = self.place();
        self.sync_object(addr);
        let held = self.sync.locks.held_by(thread).iter().map(|held| held.lock);
        self.harness_calls.take_lock(thread, held, LockId(addr));
        self.sync.locks.acquire(thread, LockId(addr), kind, place);
        self.write_holder(addr);
        match kind.is_exclusive() {
            true => self.order.on_acquire(thread, SyncKey::At(addr)),
            false => self.order.on_acquire_shared(thread, SyncKey::At(addr)),
        }
        self.trace_event_on(addr, |object| TraceEvent::Takes { kind, object });
        true
    }

    /// Acquires the lock or waits for it.
    pub(super) fn acquire_lock(&mut self, kind: LockKind, addr: u64) -> Result<Outcome, Stop> {
        if self.try_acquire_lock(kind, addr) {
            return Ok(Outcome::Done);
        }
        let wait = Wait::Lock { kind, addr };
        let thread = self.thread_id();
        self.sync.locks.wait(thread, LockId(addr), kind);
        self.thread().state = State::Blocked { wait, until: None };
        self.tell_wait(wait);
        if let Some(cycle) = deadlock::on_wait(&self.sync.locks, thread) {
            self.report_cycle(&cycle);
            return Err(Stop::Deadlock);
        }
        Ok(Outcome::Block(wait, None))
    }

    /// Releases a lock that some thread, usually the current one, holds, and wakes its waiters.
    pub(super) fn release_lock(&mut self, addr: u64) -> Result<(), Stop> {
        let thread = self.thread_id();
        let Some((_, kind)) = self.sync.locks.release(thread, LockId(addr)) else {
            return Err(Stop::Fault(Fault::BadUnlock { addr }));
        };
        self.write_holder(addr);
        self.trace_event_on(addr, |object| TraceEvent::Releases { object });
        match kind.is_exclusive() {
            true => self.order.on_release(thread, SyncKey::At(addr)),
            false => self.order.on_release_shared(thread, SyncKey::At(addr)),
        }
        self.wake_all(|wait| matches!(wait, Wait::Lock { addr: at, .. } if at == addr));
        Ok(())
    }
}

pub(super) fn mutex_lock(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.acquire_lock(LockKind::Mutex, call.arg(0)?)
}

pub(super) fn read(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.acquire_lock(LockKind::Read, call.arg(0)?)
}

pub(super) fn write(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.acquire_lock(LockKind::Write, call.arg(0)?)
}

fn attempt(call: &mut Call<'_, '_>, kind: LockKind) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    let acquired = call.machine.try_acquire_lock(kind, addr);
    // Whether it succeeds depends on when others hold the lock.
    call.machine.note_asked(addr);
    call.machine.note_visible();
    call.ret(u64::from(acquired));
    Ok(Outcome::Done)
}

pub(super) fn mutex_try_lock(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    attempt(call, LockKind::Mutex)
}

pub(super) fn try_read(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    attempt(call, LockKind::Read)
}

pub(super) fn try_write(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    attempt(call, LockKind::Write)
}

pub(super) fn unlock(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.release_lock(call.arg(0)?)?;
    Ok(Outcome::Done)
}

/// Turns a write lock into a read lock, without another writer in between.
pub(super) fn downgrade(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    call.machine.release_lock(addr)?;
    call.machine.try_acquire_lock(LockKind::Read, addr);
    Ok(Outcome::Done)
}
