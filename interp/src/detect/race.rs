//! Data races by happens-before (FastTrack: Flanagan and Freund, PLDI'09; as in HSR's checker, ISSTA'18).
//!
//! Guarantee: the first race at a location in a run is reported, and nothing is reported that the clocks order.
//! FastTrack keeps an epoch for the last write, and a vector only for shared reads. Here an access has a class (plain,
//! atomic, volatile), and some accesses of the same class do not race. So a cell keeps all accesses that are not
//! subsumed by a later one: in a race-free history of plain accesses, one write, or the unordered reads since; for
//! atomics, the same of their class. After a race the cell restarts with the second access. Which of several equal
//! accesses of one epoch is kept is arbitrary: for writes the last one, whose value the other thread sees; for reads
//! the first, so that the others need no check.
//!
//! Shadow state is kept for each aligned 8-byte word, as cells of byte ranges. Cells are split when accesses of
//! different sizes meet, and merged again by a plain write.

use crate::clock::{Epoch, ThreadId, VectorClock};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// The site of an access: an opaque number of the machine's (an interned stack).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessSite(pub u32);

/// The kind of an access. A read-modify-write is an [`AccessKind::AtomicWrite`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "as named")]
pub enum AccessKind {
    Read,
    Write,
    /// Frees the memory, or ends the frame that it is in; equivalent to a write.
    Free,
    /// Allocates the memory. Equivalent to a write, but kept by the machine.
    Allocate,
    AtomicRead,
    AtomicWrite,
    VolatileRead,
    VolatileWrite,
}

impl AccessKind {
    /// Whether it writes.
    pub fn is_write(self) -> bool {
        matches!(
            self,
            AccessKind::Write
                | AccessKind::Free
                | AccessKind::Allocate
                | AccessKind::AtomicWrite
                | AccessKind::VolatileWrite
        )
    }

    /// Whether it is atomic.
    pub fn is_atomic(self) -> bool {
        matches!(self, AccessKind::AtomicRead | AccessKind::AtomicWrite)
    }

    /// Whether it is volatile.
    pub fn is_volatile(self) -> bool {
        matches!(self, AccessKind::VolatileRead | AccessKind::VolatileWrite)
    }

    fn is_plain(self) -> bool {
        matches!(self, AccessKind::Read | AccessKind::Write | AccessKind::Free | AccessKind::Allocate)
    }

    /// Whether two unordered accesses of these kinds to one location are a race (decision 14).
    pub fn conflicts(self, other: AccessKind) -> bool {
        (self.is_write() || other.is_write())
            && !(self.is_atomic() && other.is_atomic())
            && !(self.is_volatile() && other.is_volatile())
    }

    /// Whether every access that races with `earlier`, which is ordered before this one, and comes after this one, also
    /// races with this one.
    fn stands_for(self, earlier: AccessKind) -> bool {
        let same_class = self.is_atomic() == earlier.is_atomic() && self.is_volatile() == earlier.is_volatile();
        (self.is_plain() || same_class) && (self.is_write() || !earlier.is_write())
    }
}

/// Two unordered accesses to one location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceReport {
    /// First of the bytes that both accessed.
    pub addr: u64,
    /// Their number (within one word).
    pub size: u32,
    /// The access that came first in this run.
    pub first: AccessSite,
    /// Its kind.
    pub first_kind: AccessKind,
    /// Its thread.
    pub first_thread: ThreadId,
    /// The access just made.
    pub second: AccessSite,
    /// Its kind.
    pub second_kind: AccessKind,
    /// Its thread.
    pub second_thread: ThreadId,
}

#[derive(Clone, Copy, Debug)]
struct Access {
    epoch: Epoch,
    site: AccessSite,
    kind: AccessKind,
}

/// The accesses to the bytes `start..end` of a word that later ones are compared with.
#[derive(Clone, Debug)]
struct Cell {
    start: u8,
    end: u8,
    entries: SmallVec<[Access; 2]>,
}

impl Cell {
    fn access(&mut self, clock: &VectorClock, new: Access) -> Option<Access> {
        if let Some(known) = self.entries.iter_mut().find(|e| e.epoch == new.epoch && e.kind == new.kind) {
            if new.kind.is_write() {
                known.site = new.site;
            }
            return None;
        }
        let unordered = |e: &&Access| e.kind.conflicts(new.kind) && !e.epoch.le(clock);
        let race = self.entries.iter().rev().find(unordered).copied();
        let mut kept = 0;
        if race.is_none() {
            for index in 0..self.entries.len() {
                let entry = self.entries[index];
                if !(new.kind.stands_for(entry.kind) && entry.epoch.le(clock)) {
                    self.entries[kept] = entry;
                    kept += 1;
                }
            }
        }
        self.entries.truncate(kept);
        self.entries.push(new);
        race
    }
}

type Word = SmallVec<[Cell; 1]>;

/// The shadow memory of a run.
#[derive(Clone, Default, Debug)]
pub struct RaceDetector {
    words: ShadowWords,
}

/// The words that were accessed, by number. A forgotten word stays for a while, without cells: mostly it is a local's,
/// whose storage is soon reused.
#[derive(Clone, Default, Debug)]
struct ShadowWords {
    cells: Vec<Word>,
    /// The index of each word in `cells`.
    index: FxHashMap<u64, u32>,
    /// Number of words without cells.
    empty: usize,
    /// Unused indices of `cells`.
    free: Vec<u32>,
    /// Recently accessed words (direct-mapped), with their indices.
    recent: Vec<(u64, u32)>,
}

/// Number of recently accessed words.
const RECENT: usize = 512;
/// Minimum number of words without cells that are kept.
const EMPTY: usize = 1024;
/// The index of an unknown word.
const NOWHERE: u32 = u32::MAX;

impl ShadowWords {
    fn len(&self) -> usize {
        self.index.len()
    }

    #[inline]
    fn find(&mut self, word: u64) -> Option<u32> {
        let found = match self.recent.get(recent(word)) {
            Some(&(known, found)) if known == word => found,
            _ => self.look_up(word),
        };
        (found != NOWHERE).then_some(found)
    }

    fn look_up(&mut self, word: u64) -> u32 {
        let found = self.index.get(&word).copied().unwrap_or(NOWHERE);
        self.remember(word, found);
        found
    }

    fn remember(&mut self, word: u64, found: u32) {
        if self.recent.is_empty() {
            // No word has this number.
            self.recent.resize(RECENT, (u64::MAX, NOWHERE));
        }
        self.recent[recent(word)] = (word, found);
    }

    fn get(&mut self, word: u64) -> Option<&mut Word> {
        self.find(word).map(|at| &mut self.cells[at as usize])
    }

    fn get_or_insert(&mut self, word: u64) -> &mut Word {
        let at = match self.find(word) {
            Some(at) => at,
            None => {
                let at = self.free.pop().unwrap_or_else(|| {
                    self.cells.push(Word::new());
                    self.cells.len() as u32 - 1
                });
                self.index.insert(word, at);
                self.empty += 1;
                self.remember(word, at);
                at
            }
        };
        let cells = &mut self.cells[at as usize];
        self.empty -= usize::from(cells.is_empty());
        cells
    }

    /// Called when a word has lost its cells.
    fn emptied(&mut self) {
        self.empty += 1;
        if self.empty > EMPTY.max(self.index.len() / 2) {
            self.sweep();
        }
    }

    #[cold]
    fn sweep(&mut self) {
        self.index.retain(|_, at| {
            let is_empty = self.cells[*at as usize].is_empty();
            if is_empty {
                self.free.push(*at);
            }
            !is_empty
        });
        self.empty = 0;
        self.recent.clear();
    }

    /// The known words in a range of numbers, in no particular order.
    fn between(&self, first: u64, last: u64) -> Vec<u64> {
        self.index.keys().copied().filter(|word| (first..=last).contains(word)).collect()
    }
}

#[inline]
fn recent(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize % RECENT
}

impl RaceDetector {
    /// A detector without accesses.
    pub fn new() -> RaceDetector {
        RaceDetector::default()
    }

    /// An access by `thread` with clock `clock` to `addr..addr + size`. Returns a race with an earlier access; of
    /// several, the one at the lowest address.
    ///
    /// Order relative to synchronisation: after the acquire, before the release (and its tick) of the same operation.
    /// Accesses before the first spawn need not be noted.
    pub fn on_access(
        &mut self,
        clock: &VectorClock,
        thread: ThreadId,
        addr: u64,
        size: u32,
        kind: AccessKind,
        site: AccessSite,
    ) -> Option<RaceReport> {
        let new = Access { epoch: clock.epoch(thread), site, kind };
        let end = addr.saturating_add(u64::from(size));
        let mut found = None;
        let mut at = addr;
        while at < end {
            let word = at >> 3;
            let start = (at & 7) as u8;
            let len = (end - at).min(8 - u64::from(start)) as u8;
            if let Some((offset, bytes, first)) = self.word(word, start, start + len, clock, new) {
                found.get_or_insert(RaceReport {
                    addr: (word << 3) + u64::from(offset),
                    size: u32::from(bytes),
                    first: first.site,
                    first_kind: first.kind,
                    first_thread: first.epoch.thread,
                    second: site,
                    second_kind: kind,
                    second_thread: thread,
                });
            }
            let Some(next) = at.checked_add(u64::from(len)) else {
                break;
            };
            at = next;
        }
        found
    }

    /// Whether such a read was already noted in the same epoch, so that noting it again has no effect.
    pub fn repeats(&mut self, epoch: Epoch, addr: u64, size: u32, kind: AccessKind) -> bool {
        if kind.is_write() {
            return false;
        }
        let end = addr.saturating_add(u64::from(size));
        let mut at = addr;
        while at < end {
            let (word, start) = (at >> 3, (at & 7) as u8);
            let len = (end - at).min(8 - u64::from(start)) as u8;
            let known = |cell: &Cell| {
                cell.start == start
                    && cell.end == start + len
                    && cell.entries.iter().any(|entry| entry.epoch == epoch && entry.kind == kind)
            };
            if !self.words.get(word).is_some_and(|cells| cells.iter().any(known)) {
                return false;
            }
            at += u64::from(len);
        }
        true
    }

    /// The ranges from one address to another that were accessed: addresses and sizes.
    pub fn known_in(&mut self, start: u64, end: u64) -> Vec<(u64, u32)> {
        let mut known = Vec::new();
        for word in start >> 3..end.div_ceil(8) {
            for cell in self.words.get(word).into_iter().flatten().filter(|cell| !cell.entries.is_empty()) {
                let from = ((word << 3) + u64::from(cell.start)).max(start);
                let to = ((word << 3) + u64::from(cell.end)).min(end);
                if from < to {
                    known.push((from, (to - from) as u32));
                }
            }
        }
        known
    }

    /// Forgets the accesses to a range of bytes, which is allocated, freed or reused by a local.
    pub fn on_forget(&mut self, addr: u64, len: u64) {
        let end = addr.saturating_add(len);
        if addr >= end || self.words.len() == 0 {
            return;
        }
        let (first, last) = (addr >> 3, (end - 1) >> 3);
        if last - first > self.words.len() as u64 {
            for word in self.words.between(first, last) {
                self.forget_in(word, addr, end);
            }
            return;
        }
        for word in first..=last {
            self.forget_in(word, addr, end);
        }
    }

    fn forget_in(&mut self, word: u64, addr: u64, end: u64) {
        if let Some(cells) = self.words.get(word).filter(|cells| !cells.is_empty()) {
            forget_in_word(cells, word, addr, end);
            if cells.is_empty() {
                self.words.emptied();
            }
        }
    }

    /// An access to the bytes `start..end` of one word: returns offset, length and first access of a race.
    fn word(&mut self, word: u64, start: u8, end: u8, clock: &VectorClock, new: Access) -> Option<(u8, u8, Access)> {
        let cells = self.words.get_or_insert(word);
        if let Some(cell) = cells.iter_mut().find(|cell| cell.start == start && cell.end == end) {
            return cell.access(clock, new).map(|first| (start, end - start, first));
        }
        split_at(cells, start);
        split_at(cells, end);
        let mut race: Option<(u8, u8, Access)> = None;
        let mut covered = 0_u8;
        for cell in cells.iter_mut().filter(|cell| start <= cell.start && cell.end <= end) {
            covered |= bits(cell.start, cell.end);
            if let Some(first) = cell.access(clock, new) {
                let lowest = race.is_none_or(|(offset, ..)| cell.start < offset);
                race = if lowest { Some((cell.start, cell.end - cell.start, first)) } else { race };
            }
        }
        if matches!(new.kind, AccessKind::Write | AccessKind::Free) && race.is_none() {
            // All cells inside are replaced by one with this write.
            cells.retain(|cell| !(start <= cell.start && cell.end <= end));
            covered = 0;
        }
        let mut at = start;
        while at < end {
            let gap_end = (at..end).find(|&byte| covered & bits(byte, byte + 1) != 0).unwrap_or(end);
            if at < gap_end {
                cells.push(Cell { start: at, end: gap_end, entries: smallvec![new] });
            }
            at = gap_end + 1;
        }
        race
    }
}

fn bits(start: u8, end: u8) -> u8 {
    ((1_u16 << end) - (1_u16 << start)) as u8
}

fn split_at(cells: &mut Word, at: u8) {
    if let Some(cell) = cells.iter_mut().find(|cell| cell.start < at && at < cell.end) {
        let mut upper = cell.clone();
        cell.end = at;
        upper.start = at;
        cells.push(upper);
    }
}

fn forget_in_word(cells: &mut Word, word: u64, addr: u64, end: u64) {
    let base = word << 3;
    let start = addr.saturating_sub(base).min(8) as u8;
    let stop = (end - base).min(8) as u8;
    if (start, stop) == (0, 8) {
        cells.clear();
        return;
    }
    split_at(cells, start);
    split_at(cells, stop);
    cells.retain(|cell| !(start <= cell.start && cell.end <= stop));
}

#[cfg(test)]
mod tests;
