//! Memory: allocations of bytes, and integer addresses.
//!
//! An address is an allocation's number and an offset in it (decision 3). So a pointer survives casts, tagging and byte
//! copies, and a dereference finds its allocation without a search. Offset 0 of an allocation has any alignment,
//! because the offset is the low [`OFFSET_BITS`] bits of an address.

mod functions;
mod growth;
mod uninit;
mod uninterpreted;

pub(crate) use self::functions::FunctionAddresses;
pub use self::uninit::UninitBytes;
pub use self::uninterpreted::{Piece, UninterpretedBytes};

use crate::term::TermId;
use smallvec::SmallVec;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};

/// Number of offset bits in an address.
pub const OFFSET_BITS: u32 = 26;
/// Largest size of one allocation; the offset one past its end is still its own.
pub const MAX_ALLOCATION: u64 = (1 << OFFSET_BITS) - 16;
const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;
/// First allocation number that stands for functions; functions are 16 bytes apart from here.
const FN_INDEX: u64 = 0x1f_0000;
const FN_BASE: u64 = FN_INDEX << OFFSET_BITS;
const FN_END: u64 = FN_BASE + (1 << 36);
/// Number of freed allocation numbers that wait before reuse, to detect dangling pointers.
const QUARANTINE: usize = 1 << 14;

/// The use of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocKind {
    /// From the allocator.
    Heap,
    /// Stack of a thread.
    Stack,
    /// A separate frame: a coroutine's or a global initialiser's.
    Frame,
    /// A static, const or promoted expression.
    Global,
    /// Literals, vtables, locations: read-only.
    ReadOnly,
    /// Unused.
    Free,
}

/// Why an access is invalid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// Address 0 or near it.
    Null {
        /// The address.
        addr: u64,
    },
    /// The allocation was freed.
    Freed {
        /// The address.
        addr: u64,
    },
    /// The address is in the frame of a function that has returned, in another thread.
    Ended {
        /// The address.
        addr: u64,
    },
    /// The address is in no allocation, or the access goes past the end of one.
    OutOfRange {
        /// The address.
        addr: u64,
        /// Size of the access.
        len: u64,
    },
    /// A write to read-only memory.
    ReadOnly {
        /// The address.
        addr: u64,
    },
    /// A call through a pointer that is no function's address.
    NotAFunction {
        /// The address.
        addr: u64,
    },
    /// A deallocation of memory that was not allocated.
    BadFree {
        /// The address.
        addr: u64,
    },
    /// `unreachable_unchecked` or similar was reached.
    Unreachable,
    /// A lock was released that was not held.
    BadUnlock {
        /// Address of the lock.
        addr: u64,
    },
    /// A global's initialiser panicked or needs its own value.
    GlobalInit,
    /// A coroutine object with an invalid handle was resumed or dropped.
    BadCoroutine {
        /// Address of the object.
        addr: u64,
    },
    /// The code is malformed: a model got too few arguments, a body has no instructions.
    BadCode,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Null { .. } => write!(f, "access through a null or dangling pointer"),
            Fault::Freed { .. } => write!(f, "access to freed memory"),
            Fault::Ended { .. } => write!(f, "access to a local of a function that has returned"),
            Fault::OutOfRange { len, .. } => write!(f, "access of {len} bytes outside of any allocation"),
            Fault::ReadOnly { .. } => write!(f, "write to read-only memory"),
            Fault::NotAFunction { .. } => write!(f, "call through a pointer that is no function"),
            Fault::BadFree { .. } => write!(f, "deallocation of what was not allocated"),
            Fault::Unreachable => write!(f, "unreachable code was reached"),
            Fault::BadUnlock { .. } => write!(f, "a lock was released that was not held"),
            Fault::GlobalInit => write!(f, "a constant or static could not be computed"),
            Fault::BadCoroutine { .. } => write!(f, "a future that the machine does not know"),
            Fault::BadCode => write!(f, "malformed code"),
        }
    }
}

/// One allocation.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// Its bytes; those of the current allocation are in [`Memory::window`].
    bytes: Vec<u8>,
    /// Its use.
    pub kind: AllocKind,
    /// The range of offsets that ever held synchronisation objects, inclusive.
    sync: Option<(u32, u32)>,
    /// Its uninterpreted bytes.
    pub uninterpreted: UninterpretedBytes,
    /// Its uninitialised bytes; only for the heap.
    pub uninit: UninitBytes,
}

impl Allocation {
    fn new(size: usize, kind: AllocKind) -> Allocation {
        let (uninterpreted, uninit) = (UninterpretedBytes::default(), UninitBytes::default());
        Allocation { bytes: vec![0; size], kind, sync: None, uninterpreted, uninit }
    }

    /// Notes a synchronisation object at an offset.
    #[inline]
    pub fn note_sync(&mut self, offset: usize) {
        let at = offset as u32;
        let (first, last) = self.sync.unwrap_or((at, at));
        self.sync = Some((first.min(at), last.max(at)));
    }

    /// A range of bytes holds no synchronisation object any more. Otherwise one deep frame of a thread would make all later
    /// frames look for objects.
    pub fn forget_sync(&mut self, offset: usize, len: usize) {
        let Some((first, last)) = self.sync else { return };
        let end = offset + len;
        self.sync = match (offset <= first as usize, end > last as usize) {
            (true, true) => None,
            (false, true) if offset <= last as usize => Some((first, offset as u32 - 1)),
            (true, false) if end > first as usize => Some((end as u32, last)),
            _ => self.sync,
        };
    }

    /// Whether a range of bytes may have held a synchronisation object.
    #[inline]
    pub fn has_sync(&self, offset: usize, len: usize) -> bool {
        self.sync.is_some_and(|(first, last)| offset <= last as usize && (first as usize) < offset + len)
    }
}

/// All memory of a run.
#[derive(Clone, Debug)]
pub struct Memory {
    allocs: Vec<Allocation>,
    /// The allocation of the current frame, and its bytes: most accesses go there.
    current: usize,
    window: Vec<u8>,
    quarantine: VecDeque<u32>,
    heap_used: u64,
    heap_limit: u64,
    /// Whether any byte was ever uninterpreted in this run.
    pub has_uninterpreted: bool,
}

/// The heap's bound was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

impl Memory {
    /// Empty memory whose heap may hold `heap_limit` bytes.
    pub fn new(heap_limit: u64) -> Memory {
        let null = Allocation::new(0, AllocKind::Free);
        Memory {
            allocs: vec![null],
            current: 0,
            window: Vec::new(),
            quarantine: VecDeque::new(),
            heap_used: 0,
            heap_limit,
            has_uninterpreted: false,
        }
    }

    /// Makes an allocation the current one.
    #[inline]
    pub fn select(&mut self, index: usize) {
        if index != self.current {
            std::mem::swap(&mut self.allocs[self.current].bytes, &mut self.window);
            std::mem::swap(&mut self.allocs[index].bytes, &mut self.window);
            self.current = index;
        }
    }

    #[inline(always)]
    fn held(&self, index: usize) -> &Vec<u8> {
        if index == self.current { &self.window } else { &self.allocs[index].bytes }
    }

    #[inline(always)]
    fn held_mut(&mut self, index: usize) -> &mut Vec<u8> {
        if index == self.current { &mut self.window } else { &mut self.allocs[index].bytes }
    }

    /// Size of an allocation in bytes.
    pub fn size(&self, index: usize) -> usize {
        self.held(index).len()
    }

    /// The address of an offset in an allocation.
    #[inline]
    pub fn address(index: usize, offset: usize) -> u64 {
        ((index as u64) << OFFSET_BITS) + offset as u64
    }

    /// Allocation number and offset of an address, unchecked.
    #[inline]
    pub fn split(addr: u64) -> (usize, usize) {
        ((addr >> OFFSET_BITS) as usize, (addr & OFFSET_MASK) as usize)
    }

    /// A new allocation of zero bytes; returns its number.
    pub fn allocate(&mut self, size: u64, kind: AllocKind) -> Result<usize, OutOfMemory> {
        if size > MAX_ALLOCATION || self.heap_used + size > self.heap_limit {
            return Err(OutOfMemory);
        }
        if matches!(kind, AllocKind::Heap | AllocKind::Frame) {
            self.heap_used += size;
        }
        let alloc = Allocation::new(size as usize, kind);
        if self.quarantine.len() > QUARANTINE
            && let Some(index) = self.quarantine.pop_front()
        {
            self.allocs[index as usize] = alloc;
            return Ok(index as usize);
        }
        if self.allocs.len() as u64 >= FN_INDEX {
            return Err(OutOfMemory);
        }
        self.allocs.push(alloc);
        Ok(self.allocs.len() - 1)
    }

    /// Frees an allocation; its number is reused much later.
    pub fn release(&mut self, index: usize) {
        let bytes = std::mem::take(self.held_mut(index));
        let alloc = &mut self.allocs[index];
        if matches!(alloc.kind, AllocKind::Heap | AllocKind::Frame) {
            self.heap_used -= bytes.len() as u64;
        }
        alloc.kind = AllocKind::Free;
        alloc.uninterpreted = UninterpretedBytes::default();
        alloc.uninit = UninitBytes::default();
        self.quarantine.push_back(index as u32);
    }

    /// An allocation by number.
    #[inline]
    pub fn alloc(&self, index: usize) -> &Allocation {
        &self.allocs[index]
    }

    /// An allocation by number.
    #[inline]
    pub fn alloc_mut(&mut self, index: usize) -> &mut Allocation {
        &mut self.allocs[index]
    }

    /// Adds the contents of what can be written to a mark of a machine's state. Of the allocations of `stacks`, only so
    /// many bytes are in use.
    pub(crate) fn mark(&self, stacks: &BTreeMap<usize, usize>, mark: &mut impl Hasher) {
        for (index, alloc) in self.allocs.iter().enumerate() {
            if matches!(alloc.kind, AllocKind::Free | AllocKind::ReadOnly) {
                continue;
            }
            let bytes = &self.held(index)[..];
            let used = stacks.get(&index).map_or(bytes.len(), |used| bytes.len().min(*used));
            (index, &bytes[..used]).hash(mark);
            alloc.uninterpreted.hash(mark);
        }
        self.allocs.len().hash(mark);
    }

    /// The live allocation that contains an address.
    pub fn find(&self, addr: u64) -> Option<&Allocation> {
        let (index, _) = Memory::split(addr);
        self.allocs.get(index).filter(|a| a.kind != AllocKind::Free)
    }

    /// The numbers of the allocations in use.
    pub fn in_use(&self) -> impl Iterator<Item = usize> + '_ {
        self.allocs.iter().enumerate().filter(|(_, alloc)| alloc.kind != AllocKind::Free).map(|(index, _)| index)
    }

    /// Checks a read of `len > 0` bytes.
    #[inline]
    pub fn readable(&self, addr: u64, len: usize) -> Result<(usize, usize), Fault> {
        let (index, offset) = Memory::split(addr);
        // The length comes from the program and may be any number.
        let end = offset.saturating_add(len);
        if index == self.current && end <= self.window.len() {
            return Ok((index, offset));
        }
        match self.allocs.get(index) {
            Some(alloc) if end <= alloc.bytes.len() => Ok((index, offset)),
            _ => Err(self.explain(addr, len)),
        }
    }

    /// Checks a write of `len > 0` bytes.
    #[inline]
    pub fn writable(&self, addr: u64, len: usize) -> Result<(usize, usize), Fault> {
        let (index, offset) = Memory::split(addr);
        let end = offset.saturating_add(len);
        // Frames are writable.
        if index == self.current && end <= self.window.len() {
            return Ok((index, offset));
        }
        match self.allocs.get(index) {
            Some(alloc) if end <= alloc.bytes.len() => {
                if alloc.kind == AllocKind::ReadOnly {
                    return Err(Fault::ReadOnly { addr });
                }
                Ok((index, offset))
            }
            _ => Err(self.explain(addr, len)),
        }
    }

    #[cold]
    fn explain(&self, addr: u64, len: usize) -> Fault {
        let (index, _) = Memory::split(addr);
        if index == 0 {
            return Fault::Null { addr };
        }
        match self.allocs.get(index) {
            Some(alloc) if alloc.kind == AllocKind::Free => Fault::Freed { addr },
            _ => Fault::OutOfRange { addr, len: len as u64 },
        }
    }

    /// Bytes of checked memory.
    #[inline]
    pub fn bytes(&self, index: usize, offset: usize, len: usize) -> &[u8] {
        &self.held(index)[offset..offset + len]
    }

    /// Bytes of checked memory.
    #[inline]
    pub fn bytes_mut(&mut self, index: usize, offset: usize, len: usize) -> &mut [u8] {
        &mut self.held_mut(index)[offset..offset + len]
    }

    /// Reads up to 8 bytes of checked memory.
    #[inline(always)]
    pub fn get(&self, index: usize, offset: usize, size: u32) -> u64 {
        get(self.held(index), offset, size)
    }

    /// Like [`Memory::get`], in the current allocation.
    #[inline(always)]
    pub fn get_here(&self, offset: usize, size: u32) -> u64 {
        get(&self.window, offset, size)
    }

    /// Writes the low `size <= 8` bytes of `value` to checked memory.
    #[inline(always)]
    pub fn put(&mut self, index: usize, offset: usize, size: u32, value: u64) {
        put(self.held_mut(index), offset, size, value);
    }

    /// Like [`Memory::put`], in the current allocation.
    #[inline(always)]
    pub fn put_here(&mut self, offset: usize, size: u32, value: u64) {
        put(&mut self.window, offset, size, value);
    }

    /// Like [`Memory::copy`], within the current allocation.
    #[inline(always)]
    pub fn copy_here(&mut self, src: usize, dst: usize, len: usize) {
        match len {
            8 => {
                let value = self.get_here(src, 8);
                self.put_here(dst, 8, value);
            }
            1 => self.window[dst] = self.window[src],
            4 => {
                let value = self.get_here(src, 4);
                self.put_here(dst, 4, value);
            }
            16 => {
                let value: [u8; 16] = first(&self.window[src..]);
                self.window[dst..][..16].copy_from_slice(&value);
            }
            _ => self.window.copy_within(src..src + len, dst),
        }
        if self.has_uninterpreted {
            self.copy_uninterpreted((self.current, src), (self.current, dst), len);
        }
    }

    /// Reads up to 16 bytes of checked memory.
    #[inline]
    pub fn get_wide(&self, index: usize, offset: usize, size: u32) -> u128 {
        if size <= 8 {
            return u128::from(self.get(index, offset, size));
        }
        u128::from_le_bytes(first(&self.held(index)[offset..]))
    }

    /// Writes up to 16 bytes to checked memory.
    #[inline]
    pub fn put_wide(&mut self, index: usize, offset: usize, size: u32, value: u128) {
        if size <= 8 {
            self.put(index, offset, size, value as u64);
        } else {
            self.held_mut(index)[offset..offset + 16].copy_from_slice(&value.to_le_bytes());
        }
    }

    /// Copies checked memory, which may overlap, with its uninterpreted and uninitialised bytes.
    #[inline]
    pub fn copy(&mut self, (src, src_offset): (usize, usize), (dst, dst_offset): (usize, usize), len: usize) {
        if len <= 8 {
            let value = self.get(src, src_offset, len as u32);
            self.put(dst, dst_offset, len as u32, value);
        } else if src == dst {
            self.held_mut(src).copy_within(src_offset..src_offset + len, dst_offset);
        } else if src == self.current {
            self.allocs[dst].bytes[dst_offset..][..len].copy_from_slice(&self.window[src_offset..][..len]);
        } else if dst == self.current {
            self.window[dst_offset..][..len].copy_from_slice(&self.allocs[src].bytes[src_offset..][..len]);
        } else if let Ok([from, to]) = self.allocs.get_disjoint_mut([src, dst]) {
            to.bytes[dst_offset..dst_offset + len].copy_from_slice(&from.bytes[src_offset..src_offset + len]);
        }
        if self.has_uninterpreted {
            self.copy_uninterpreted((src, src_offset), (dst, dst_offset), len);
        }
        if !self.allocs[src].uninit.is_empty() || !self.allocs[dst].uninit.is_empty() {
            self.copy_uninit((src, src_offset), (dst, dst_offset), len);
        }
    }

    /// Uninitialised bytes stay uninitialised in the copy; in a frame they become uninterpreted values without a term.
    fn copy_uninit(&mut self, (src, src_offset): (usize, usize), (dst, dst_offset): (usize, usize), len: usize) {
        let parts = match self.allocs[src].uninit.is_empty() {
            true => SmallVec::new(),
            false => self.allocs[src].uninit.parts(src_offset, len),
        };
        let to = &mut self.allocs[dst];
        to.uninit.write(dst_offset, len);
        for (start, len) in parts {
            if to.kind == AllocKind::Heap {
                to.uninit.forget(dst_offset + start, len);
            } else {
                let (start, len) = ((dst_offset + start) as u32, len as u32);
                to.uninterpreted.insert(Piece { start, len, skip: 0, full: len, term: TermId::UNINIT });
                self.has_uninterpreted = true;
            }
        }
    }

    #[cold]
    fn copy_uninterpreted(&mut self, (src, src_offset): (usize, usize), (dst, dst_offset): (usize, usize), len: usize) {
        let pieces = self.allocs[src].uninterpreted.pieces(src_offset, len);
        let to = &mut self.allocs[dst].uninterpreted;
        to.clear(dst_offset, len);
        for piece in pieces {
            to.insert(Piece { start: piece.start + dst_offset as u32, ..piece });
        }
    }

    /// Marks bytes as known.
    #[inline]
    pub fn clear_uninterpreted(&mut self, index: usize, offset: usize, len: usize) {
        if self.has_uninterpreted {
            self.allocs[index].uninterpreted.clear(offset, len);
        }
        self.allocs[index].uninit.write(offset, len);
    }
}

#[inline(always)]
fn get(bytes: &[u8], offset: usize, size: u32) -> u64 {
    let bytes = &bytes[offset..];
    match size {
        8 => u64::from_le_bytes(first(bytes)),
        1 => u64::from(bytes[0]),
        4 => u64::from(u32::from_le_bytes(first(bytes))),
        2 => u64::from(u16::from_le_bytes(first(bytes))),
        _ => odd(bytes, size),
    }
}

#[inline(always)]
fn put(bytes: &mut [u8], offset: usize, size: u32, value: u64) {
    let bytes = &mut bytes[offset..];
    match size {
        8 => bytes[..8].copy_from_slice(&value.to_le_bytes()),
        1 => bytes[0] = value as u8,
        4 => bytes[..4].copy_from_slice(&(value as u32).to_le_bytes()),
        2 => bytes[..2].copy_from_slice(&(value as u16).to_le_bytes()),
        _ => put_odd(bytes, size, value),
    }
}

/// Like [`Memory::get`], for sizes that are no power of two.
#[inline(never)]
fn odd(bytes: &[u8], size: u32) -> u64 {
    let mut wide = [0; 8];
    let size = (size as usize).min(8);
    wide[..size].copy_from_slice(&bytes[..size]);
    u64::from_le_bytes(wide)
}

/// Like [`Memory::put`], for sizes that are no power of two.
#[inline(never)]
fn put_odd(bytes: &mut [u8], size: u32, value: u64) {
    let size = (size as usize).min(8);
    bytes[..size].copy_from_slice(&value.to_le_bytes()[..size]);
}

#[inline(always)]
fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[..N]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_faults() {
        let mut memory = Memory::new(1 << 20);
        let index = memory.allocate(24, AllocKind::Heap).unwrap();
        let addr = Memory::address(index, 8);
        assert_eq!(memory.readable(addr, 16), Ok((index, 8)));
        assert_eq!(memory.readable(addr, 17), Err(Fault::OutOfRange { addr, len: 17 }));
        assert_eq!(memory.readable(addr, usize::MAX), Err(Fault::OutOfRange { addr, len: u64::MAX }));
        assert_eq!(memory.writable(addr, usize::MAX), Err(Fault::OutOfRange { addr, len: u64::MAX }));
        memory.release(index);
        assert_eq!(memory.readable(addr, 1), Err(Fault::Freed { addr }));
        assert_eq!(memory.writable(8, 1), Err(Fault::Null { addr: 8 }));
    }

    #[test]
    fn ranges_without_objects() {
        let mut stack = Allocation::new(64, AllocKind::Stack);
        stack.note_sync(8);
        stack.note_sync(48);
        stack.forget_sync(40, 24);
        assert!(stack.has_sync(0, 9) && !stack.has_sync(40, 24));
        stack.forget_sync(0, 64);
        assert!(!stack.has_sync(0, 64));
    }

    #[test]
    fn the_heap_is_bounded() {
        let mut memory = Memory::new(100);
        let index = memory.allocate(60, AllocKind::Heap).unwrap();
        assert_eq!(memory.allocate(60, AllocKind::Heap), Err(OutOfMemory));
        memory.release(index);
        assert!(memory.allocate(60, AllocKind::Heap).is_ok());
    }
}
