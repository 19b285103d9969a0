//! Memory that is mapped: pages of the system, and files.
//!
//! A shared mapping of a file is the allocation that holds the file's contents, so that memory, `read` and `write` agree.
//! It grows in place. As in the kernel, an access beyond the file's last page faults.

use super::{Answer, Call, NoResult};
use crate::files::Mapping;
use crate::files::errno::{EACCES, EBADF, EINVAL, EIO, ENODEV, ENOMEM};
use crate::files::open::OpenObject;
use crate::files::tree::{Kind, NodeId};
use crate::machine::{Machine, Stop};
use crate::memory::{AllocKind, MAX_ALLOCATION, Memory};
use crate::models::alloc::TOO_LARGE;

/// Size of a page.
pub(in crate::models) const PAGE: u64 = 4096;

const PROT_WRITE: i32 = 2;
const MAP_SHARED: i32 = 1;
/// The bits of which one is set.
const MAP_TYPE: i32 = 3;
const MAP_FIXED: i32 = 0x10;
const MAP_ANONYMOUS: i32 = 0x20;
const MAP_FIXED_NOREPLACE: i32 = 0x10_0000;
const MADV_DONTNEED: i32 = 4;
const MREMAP_MAYMOVE: i32 = 1;

/// `mmap(addr, length, protection, flags, fd, offset)`. The protection is not enforced.
pub(in crate::models) fn mmap(call: &mut Call<'_, '_>) -> Answer {
    let (addr, len, offset) = (call.arg(0)?, call.arg(1)?, call.arg(5)?);
    let (protection, flags) = (call.int(2)?, call.int(3)?);
    if len == 0 || flags & MAP_TYPE == 0 || offset % PAGE != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    if len >= TOO_LARGE {
        return Err(NoResult::Errno(ENOMEM));
    }
    let is_fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) != 0;
    if flags & MAP_ANONYMOUS != 0 {
        return match is_fixed {
            true => call.machine.pages_again(addr, len),
            false => call.machine.pages(len),
        };
    }
    let (node, may_read, may_write) = call.mappable(4)?;
    let is_shared = flags & MAP_SHARED != 0;
    if !may_read || is_shared && protection & PROT_WRITE != 0 && !may_write {
        return Err(NoResult::Errno(EACCES));
    }
    let found = match is_shared {
        true => call.machine.share_file(node, offset)?,
        false if is_fixed => return Err(NoResult::Unknown),
        false => call.machine.copy_file(node, len, offset)?,
    };
    if is_fixed && found != addr {
        return Err(NoResult::Unknown);
    }
    let is_known = call.machine.files.mapped.iter().any(|it| it.addr == found && it.len == len);
    if !(is_fixed && is_known) {
        let node = is_shared.then_some(node);
        if let Some(node) = node {
            call.machine.files.tree.node_mut(node).users += 1;
        }
        call.machine.files.mapped.push(Mapping { addr: found, len, node });
    }
    Ok(found)
}

/// `munmap(addr, length)`. If only a part is unmapped, the mapping stays.
pub(in crate::models) fn munmap(call: &mut Call<'_, '_>) -> Answer {
    let (addr, len) = (call.arg(0)?, call.arg(1)?);
    if len == 0 || addr % PAGE != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let pages = len.next_multiple_of(PAGE);
    let machine = &mut *call.machine;
    if machine.files.mapping(addr).is_some() {
        let is_it = |it: &Mapping| it.addr == addr && it.len.next_multiple_of(PAGE) == pages;
        if let Some(at) = machine.files.mapped.iter().position(is_it) {
            match machine.files.mapped.swap_remove(at).node {
                Some(node) => {
                    machine.files.tree.node_mut(node).users -= 1;
                    machine.release_node(node);
                }
                None => {
                    let index = call.heap(addr)?;
                    call.release(index);
                }
            }
        }
    } else if let Ok(index) = call.heap(addr)
        && call.machine.memory.size(index) as u64 == pages
    {
        call.release(index);
    }
    Ok(0)
}

/// `msync(addr, length, flags)`: the file has the contents already.
pub(in crate::models) fn msync(call: &mut Call<'_, '_>) -> Answer {
    let (addr, len) = (call.arg(0)?, call.arg(1)?);
    if addr % PAGE != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let is_file = call.machine.files.mapping(addr).is_some();
    if len > 0 && !is_file && call.machine.memory.find(addr).is_none() {
        return Err(NoResult::Errno(ENOMEM));
    }
    if is_file {
        let answers = call.machine.inputs.answers;
        call.machine.may_fail(answers, &[EIO])?;
    }
    Ok(0)
}

/// `madvise(addr, length, advice)`: pages that are not needed are zero afterwards, those of a shared file are as in the
/// file. Those of a copy would be as the file is then, and are unknown.
pub(in crate::models) fn madvise(call: &mut Call<'_, '_>) -> Answer {
    let (addr, len, advice) = (call.arg(0)?, call.arg(1)?, call.int(2)?);
    if addr % PAGE != 0 {
        return Err(NoResult::Errno(EINVAL));
    }
    let is_shared = call.machine.files.mapping(addr).is_some_and(|it| it.node.is_some());
    if advice == MADV_DONTNEED && len > 0 && !is_shared {
        call.machine.pages_again(addr, len)?;
    }
    Ok(0)
}

/// `mremap(old, old length, new length, flags)`, for pages that are no file's and may move.
pub(in crate::models) fn mremap(call: &mut Call<'_, '_>) -> Answer {
    let (old, len, new_len, flags) = (call.arg(0)?, call.arg(1)?, call.arg(2)?, call.int(3)?);
    let machine = &mut *call.machine;
    if let Some(mapping) = machine.files.mapped.iter_mut().find(|it| it.addr == old) {
        if mapping.node.is_none() || mapping.len != len {
            return Err(NoResult::Unknown);
        }
        mapping.len = new_len;
        return Ok(old);
    }
    let size = len.next_multiple_of(PAGE);
    let Ok(from) = call.heap(old) else { return Err(NoResult::Unknown) };
    if call.machine.memory.size(from) as u64 != size || flags != MREMAP_MAYMOVE || new_len == 0 {
        return Err(NoResult::Unknown);
    }
    let new = call.machine.pages(new_len)?;
    let (to, _) = Memory::split(new);
    let kept = call.machine.memory.size(to).min(size as usize);
    call.machine.memory.copy((from, 0), (to, 0), kept);
    call.machine.touched(kept as u64);
    call.release(from);
    Ok(new)
}

impl Call<'_, '_> {
    /// The file that a descriptor stands for, and whether it may be read and written.
    fn mappable(&mut self, argument: usize) -> Result<(NodeId, bool, bool), NoResult> {
        let table = &self.machine.files.table;
        let open = table.opened(table.get(self.int(argument)?)?);
        match open.what {
            OpenObject::Node { node, .. } => match self.machine.files.tree.node(node).kind {
                Kind::File(_) | Kind::Unread(_) => Ok((node, open.may_read(), open.may_write())),
                Kind::Device(_) => Err(NoResult::Unknown),
                _ => Err(NoResult::Errno(ENODEV)),
            },
            OpenObject::Other => Err(NoResult::Unknown),
            _ => Err(NoResult::Errno(ENODEV)),
        }
    }
}

impl Machine<'_> {
    /// New pages of zeros.
    fn pages(&mut self, len: u64) -> Answer {
        let size = self.allocation_size(len.next_multiple_of(PAGE))?;
        let index = self.memory.allocate(size, AllocKind::Heap).map_err(Stop::from)?;
        self.note_allocation(index);
        Ok(Memory::address(index, 0))
    }

    /// Pages that the program has are zero again.
    fn pages_again(&mut self, addr: u64, len: u64) -> Answer {
        let len = len.next_multiple_of(PAGE) as usize;
        if self.files.mapping(addr).is_some() || self.memory.writable(addr, len).is_err() {
            return Err(NoResult::Unknown);
        }
        let (index, offset) = Memory::split(addr);
        self.note_write(addr, len as u32, false);
        self.memory.bytes_mut(index, offset, len).fill(0);
        self.memory.clear_uninterpreted(index, offset, len);
        self.touched(len as u64);
        Ok(addr)
    }

    /// The address of a file's contents, which get whole pages.
    fn share_file(&mut self, node: NodeId, offset: u64) -> Answer {
        let Some(mut text) = self.text_of(node)? else { return Err(NoResult::Errno(EBADF)) };
        let pages = (text.len.max(1) as u64).next_multiple_of(PAGE) as usize;
        self.make_room(&mut text, pages)?;
        self.files.tree.node_mut(node).kind = Kind::File(text);
        let token = self.files.tree.node(node).token;
        self.see_file(token);
        let Some(index) = text.index.filter(|_| offset < MAX_ALLOCATION) else { return Err(NoResult::Unknown) };
        Ok(Memory::address(index, 0).wrapping_add(offset))
    }

    /// A copy of a file's pages.
    fn copy_file(&mut self, node: NodeId, len: u64, offset: u64) -> Answer {
        let Some(text) = self.text_of(node)? else { return Err(NoResult::Errno(EBADF)) };
        let token = self.files.tree.node(node).token;
        self.see_file(token);
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let whole = (text.len as u64).next_multiple_of(PAGE).saturating_sub(offset);
        let addr = self.pages(len.min(whole).max(1))?;
        let kept = text.len.saturating_sub(from).min(len as usize);
        if let Some(index) = text.index.filter(|_| kept > 0) {
            self.memory.copy((index, from), (Memory::split(addr).0, 0), kept);
            self.touched(kept as u64);
        }
        Ok(addr)
    }
}
