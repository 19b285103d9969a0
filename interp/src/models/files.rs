//! System calls: files and processes. Those of sockets are in `crate::models::os`.
//!
//! Files are the machine's own (see [`crate::files`]): the program finds its own changes again in every run. Everything
//! else is made up (see [`crate::inputs`]): what existed before, and whether calls succeed. All answers of processes
//! are made up, as numbers that are possible, so that the program's own checks hold.

pub(super) mod data;
pub(super) mod descriptors;
pub(super) mod folder;
mod made_up;
pub(super) mod mapped;
pub(super) mod names;
pub(super) mod pipe;
pub(super) mod space;
pub(super) mod stat;

use super::{Call, Outcome};
use crate::files::errno::{EFAULT, EINTR, EINVAL, ENAMETOOLONG, ENOENT, ENOSPC, ENOTDIR, Errno};
use crate::files::open::OpenObject;
use crate::files::path;
use crate::ir::{CauseId, FnId};
use crate::machine::Stop;
use crate::memory::{AllocKind, Fault, Memory, OutOfMemory};
use crate::term::Origin;
use crate::thread::{Progress, Wait};

/// The part of the heap that known paths may take: one in this many.
const TREE_SHARE: u64 = 4;

/// The working folder, in place of a descriptor.
const AT_FDCWD: i32 = -100;

/// Why a call has no result.
#[derive(Debug)]
pub(super) enum NoResult {
    Errno(Errno),
    /// It depends on an unknown value.
    Unknown,
    /// It waits, at most until this logical time.
    Wait(Wait, Option<u64>),
    Stop(Stop),
}

impl From<Errno> for NoResult {
    fn from(errno: Errno) -> NoResult {
        NoResult::Errno(errno)
    }
}

impl From<Stop> for NoResult {
    fn from(stop: Stop) -> NoResult {
        NoResult::Stop(stop)
    }
}

impl From<Fault> for NoResult {
    fn from(fault: Fault) -> NoResult {
        NoResult::Stop(Stop::Fault(fault))
    }
}

/// A full heap acts as a full disk.
impl From<OutOfMemory> for NoResult {
    fn from(_: OutOfMemory) -> NoResult {
        NoResult::Errno(ENOSPC)
    }
}

/// The result of a call.
pub(super) type Answer = Result<u64, NoResult>;

impl Call<'_, '_> {
    /// Performs a call and passes its result to the program.
    pub(super) fn system(&mut self, body: impl FnOnce(&mut Self) -> Answer) -> Result<Outcome, Stop> {
        if self.machine.thread().progress == Progress::Interrupted {
            return self.interrupted();
        }
        self.machine.stop_watching();
        let answer = body(self);
        self.count_paths()?;
        if !matches!(answer, Err(NoResult::Wait(..))) {
            self.machine.os.no_wait(self.machine.current);
        }
        match answer {
            Ok(value) => self.ret(value),
            Err(NoResult::Errno(errno)) => {
                self.machine.set_errno(errno)?;
                self.ret(u64::MAX);
            }
            Err(NoResult::Unknown) => return super::process::input(self),
            Err(NoResult::Wait(wait, until)) => {
                let thread = self.machine.thread();
                thread.until = thread.until.or(until);
                let until = thread.until;
                thread.progress = Progress::Waiting { timed_out: false };
                return Ok(Outcome::Block(wait, until));
            }
            Err(NoResult::Stop(stop)) => return Err(stop),
        }
        Ok(Outcome::Done)
    }

    /// Counts the work of a call on paths, which the length of its arguments does not tell, and bounds what they take.
    fn count_paths(&mut self) -> Result<(), Stop> {
        let machine = &mut *self.machine;
        let work = machine.files.tree.take_work();
        machine.touched(work);
        match machine.files.tree.size() + machine.files.listed > machine.config.heap_bytes / TREE_SHARE {
            true => Err(OutOfMemory.into()),
            false => Ok(()),
        }
    }

    /// The result of a call that the handler of a signal has interrupted: what was sent before, or `EINTR`.
    fn interrupted(&mut self) -> Result<Outcome, Stop> {
        let thread = self.machine.current;
        let sent = self.machine.os.sent.remove(&thread).filter(|sent| *sent > 0);
        self.machine.os.no_wait(thread);
        match sent {
            Some(sent) => {
                self.ret(sent as u64);
                Ok(Outcome::Done)
            }
            None => self.fails(EINTR),
        }
    }

    /// Like [`Call::system`], for calls that return a pointer, or null if they fail.
    pub(super) fn pointer(&mut self, body: impl FnOnce(&mut Self) -> Answer) -> Result<Outcome, Stop> {
        self.system(|call| match body(call) {
            Err(NoResult::Errno(errno)) => {
                call.machine.set_errno(errno)?;
                Ok(0)
            }
            answer => answer,
        })
    }

    /// An `int` argument, such as a descriptor.
    pub(super) fn int(&self, index: usize) -> Result<i32, NoResult> {
        Ok(self.arg(index)? as i32)
    }

    /// A variadic argument; 0 if there is none.
    pub(super) fn extra(&self, index: usize, size: u32) -> u64 {
        // Its size is not declared.
        let inside = |slot: &&u32| self.machine.is_inside(**slot, size);
        self.args.get(index).filter(inside).map_or(0, |slot| self.machine.read(*slot, size))
    }

    /// A path argument, as the program wrote it.
    pub(super) fn text(&mut self, index: usize) -> Result<Vec<u8>, NoResult> {
        if self.arg(index)? == 0 {
            return Err(NoResult::Errno(EFAULT));
        }
        self.c_string(index)?.ok_or(NoResult::Unknown)
    }

    /// A path argument, relative to the folder that is open as `folder`.
    fn path(&mut self, folder: i32, index: usize) -> Result<Vec<u8>, NoResult> {
        let text = self.text(index)?;
        self.path_of(folder, &text)
    }

    fn path_of(&mut self, folder: i32, text: &[u8]) -> Result<Vec<u8>, NoResult> {
        if text.is_empty() {
            return Err(NoResult::Errno(ENOENT));
        }
        if path::is_too_long(text) {
            return Err(NoResult::Errno(ENAMETOOLONG));
        }
        let files = &self.machine.files;
        if folder == AT_FDCWD || text.starts_with(b"/") {
            return Ok(path::normal(&files.current, text));
        }
        match &files.table.opened(files.table.get(folder)?).what {
            OpenObject::Node { node, path } if files.tree.is_folder(*node) => Ok(path::normal(path, text)),
            _ => Err(NoResult::Errno(ENOTDIR)),
        }
    }

    /// Whether an unknown call succeeds; if not, its result is the usual one for failures.
    fn succeeds(&mut self) -> Result<bool, Stop> {
        let failure = self.machine.choose(|inputs, chooser| inputs.failure(chooser, &[ENOENT]));
        if let Some(errno) = failure {
            self.machine.set_errno(errno)?;
            self.ret(u64::MAX);
        }
        Ok(failure.is_none())
    }

    /// Fills the memory behind pointer parameters with unknown values. Each pointer is given by its index, the size of
    /// its target, and whether there may be several: as many as the next parameter says or, on the heap, as the block
    /// holds.
    fn fill(&mut self, pointers: &[u64], origin: Origin) -> Result<(), Stop> {
        for &[index, size, is_many] in pointers.as_chunks().0 {
            let (index, size, is_many) = (index as usize, size as usize, is_many != 0);
            let addr = self.arg(index)?;
            let (alloc, offset) = Memory::split(addr);
            let Some(known) = self.machine.memory.find(addr) else { continue };
            let is_heap = known.kind == AllocKind::Heap;
            let room = self.machine.memory.size(alloc).saturating_sub(offset);
            let len = match self.code.params.get(index + 1) {
                _ if !is_many => size,
                _ if is_heap => room,
                Some(next) if next.1 <= 8 => size.saturating_mul(self.arg(index + 1)? as usize),
                _ => size,
            };
            self.fill_at(addr, len.min(room), origin);
        }
        Ok(())
    }

    /// Fills memory with an unknown value, if it can be written.
    fn fill_at(&mut self, addr: u64, len: usize, origin: Origin) {
        if len > 0 && self.machine.memory.writable(addr, len).is_ok() {
            self.machine.save_pc();
            let (func, site) = self.machine.here_outside_std();
            let term = self.machine.terms.fresh(origin, func, site);
            self.machine.set_term_at(Memory::split(addr), len as u32, term);
        }
    }
}

/// A new unknown descriptor, or -1.
pub(super) fn descriptor(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.succeeds()? {
        call.fill(call.consts, Origin::Input)?;
        let table = &mut call.machine.files.table;
        let opened = table.open(OpenObject::Other, crate::files::open::O_RDWR);
        let descriptor = table.put(0, opened, true);
        call.ret(descriptor as u64);
    }
    Ok(Outcome::Done)
}

/// 0, or -1.
pub(super) fn act(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.succeeds()? {
        call.fill(call.consts, Origin::Input)?;
        call.ret(0);
    }
    Ok(Outcome::Done)
}

/// -1: not supported for other descriptors, or not here.
pub(super) fn refused(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.system(|_| Err(NoResult::Errno(EINVAL)))
}

/// A foreign function with a known signature: it may have written behind its pointers, and synchronised.
pub(super) fn foreign(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let [func, cause, filled @ ..] = call.consts else { return Err(Stop::Fault(Fault::BadCode)) };
    let (func, cause) = (FnId(*func as u32), CauseId(*cause as u32));
    call.machine.unknown_call(func, cause);
    call.fill(filled, Origin::Unknown(cause))?;
    call.machine.unknown_value(call.dst, call.code.ret.1, cause);
    Ok(Outcome::Done)
}
