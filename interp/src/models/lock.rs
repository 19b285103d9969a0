//! Mutexes and reader-writer locks: who holds one is known by its address, not by its bytes.

use super::{Call, Outcome};
use crate::detect::deadlock::{LockId, LockMode};
use crate::detect::order::SyncKey;
use crate::finding::LockKind;
use crate::machine::{Machine, Stop};
use crate::memory::Fault;
use crate::thread::{HeldLock, State, Wait};
use crate::trace::TraceEvent;

fn mode(kind: LockKind) -> LockMode {
    match kind {
        LockKind::Read => LockMode::Shared,
        LockKind::Mutex | LockKind::Write => LockMode::Exclusive,
    }
}

impl Machine<'_> {
    /// Whether the lock can be taken now. A reader lets a writer go first that is waiting.
    fn is_free(&self, kind: LockKind, addr: u64) -> bool {
        let holders = self.graph.holders(LockId(addr));
        if mode(kind) == LockMode::Exclusive {
            return holders.is_empty();
        }
        let is_writer = |state: State| matches!(state, State::Blocked { wait: Wait::Lock { kind: LockKind::Write, addr: at }, .. } if at == addr);
        holders.iter().all(|holder| holder.1 == LockMode::Shared)
            && (holders.is_empty() || !self.threads.iter().any(|thread| is_writer(thread.state)))
    }

    /// Takes the lock if it is free.
    pub(super) fn try_take(&mut self, kind: LockKind, addr: u64) -> bool {
        if !self.is_free(kind, addr) {
            return false;
        }
        let (thread, current) = (self.thread_id(), self.current);
        self.sync_object(addr);
        self.graph.acquired(thread, LockId(addr), mode(kind));
        match mode(kind) {
            LockMode::Shared => self.sync.acquire_shared(&mut self.clocks[current], SyncKey::At(addr)),
            LockMode::Exclusive => self.sync.acquire(&mut self.clocks[current], SyncKey::At(addr)),
        }
        let place = self.place();
        self.thread().held.push(HeldLock { kind, addr, place });
        self.trace_event_on(addr, |object| TraceEvent::Takes { kind, object });
        true
    }

    /// Takes the lock or waits for it.
    pub(super) fn take(&mut self, kind: LockKind, addr: u64) -> Result<Outcome, Stop> {
        if self.try_take(kind, addr) {
            return Ok(Outcome::Done);
        }
        let wait = Wait::Lock { kind, addr };
        let thread = self.thread_id();
        self.graph.wait(thread, LockId(addr), mode(kind));
        self.thread().state = State::Blocked { wait, until: None };
        self.tell_wait(wait);
        if self.report_cycle() {
            return Err(Stop::Deadlock);
        }
        Ok(Outcome::Block(wait, None))
    }

    /// Releases a lock that some thread, usually the current one, holds, and wakes those that wait for it.
    pub(super) fn give_back(&mut self, addr: u64) -> Result<(), Stop> {
        let lock = LockId(addr);
        let current = self.current;
        let thread = self.thread_id();
        let holders = self.graph.holders(lock);
        let holder = holders.iter().rfind(|holder| holder.0 == thread).or(holders.last());
        let Some(&(holder, held_as)) = holder else {
            return Err(Stop::Fault(Fault::BadUnlock { addr }));
        };
        let held = &mut self.threads[holder.index()].held;
        if let Some(index) = held.iter().rposition(|held| held.addr == addr) {
            held.remove(index);
        }
        self.trace_event_on(addr, |object| TraceEvent::Releases { object });
        self.graph.released(thread, lock);
        match held_as {
            LockMode::Shared => self.sync.release_shared(&mut self.clocks[current], SyncKey::At(addr)),
            LockMode::Exclusive => self.sync.release(&mut self.clocks[current], SyncKey::At(addr)),
        }
        self.wake_all(|wait| matches!(wait, Wait::Lock { addr: at, .. } if at == addr));
        Ok(())
    }
}

pub(super) fn mutex_lock(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.take(LockKind::Mutex, call.arg(0)?)
}

pub(super) fn read(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.take(LockKind::Read, call.arg(0)?)
}

pub(super) fn write(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.take(LockKind::Write, call.arg(0)?)
}

fn attempt(call: &mut Call<'_, '_>, kind: LockKind) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    let taken = call.machine.try_take(kind, addr);
    call.ret(u64::from(taken));
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
    call.machine.give_back(call.arg(0)?)?;
    Ok(Outcome::Done)
}

/// A writer becomes a reader, and no other writer comes between.
pub(super) fn downgrade(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    call.machine.give_back(addr)?;
    call.machine.try_take(LockKind::Read, addr);
    Ok(Outcome::Done)
}
