//! Sets of descriptors that `epoll` watches: which of them may be ready, in the order in which they became so.
//!
//! As in Linux, an event at an open file puts it on a list; a wait takes files off the list and looks at what they are
//! ready for. A level-triggered one goes back on the list, an edge-triggered one comes back with the next event.

use super::ready;
use crate::files::errno::{EEXIST, ENOENT, Errno};
use std::collections::{BTreeMap, VecDeque};

/// Flags beside the events.
pub(crate) const ONESHOT: u32 = 1 << 30;
pub(crate) const EDGE: u32 = 1 << 31;
/// Flags that are no events.
const FLAGS: u32 = ONESHOT | EDGE | 1 << 29 | 1 << 28;

/// An entry: an open file, and the descriptor with which it was added.
pub(crate) type Key = (usize, i32);

/// An entry of a set.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Events and flags.
    events: u32,
    data: u64,
    is_listed: bool,
}

/// A set.
#[derive(Clone, Debug)]
pub(crate) struct Epoll {
    pub(crate) opened: usize,
    /// The key through which its users synchronise.
    pub(crate) token: u64,
    entries: BTreeMap<Key, Entry>,
    list: VecDeque<Key>,
}

impl Epoll {
    pub(crate) fn new(opened: usize, token: u64) -> Epoll {
        Epoll { opened, token, entries: BTreeMap::new(), list: VecDeque::new() }
    }

    pub(crate) fn add(&mut self, key: Key, events: u32, data: u64) -> Result<(), Errno> {
        if self.entries.contains_key(&key) {
            return Err(EEXIST);
        }
        self.entries.insert(key, Entry { events: events | ready::ALWAYS, data, is_listed: false });
        Ok(())
    }

    pub(crate) fn change(&mut self, key: Key, events: u32, data: u64) -> Result<(), Errno> {
        let entry = self.entries.get_mut(&key).ok_or(ENOENT)?;
        (entry.events, entry.data) = (events | ready::ALWAYS, data);
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: Key) -> Result<(), Errno> {
        self.entries.remove(&key).ok_or(ENOENT)?;
        self.list.retain(|listed| *listed != key);
        Ok(())
    }

    /// Forgets an open file without descriptors.
    pub(crate) fn forget(&mut self, opened: usize) {
        self.entries.retain(|key, _| key.0 != opened);
        self.list.retain(|key| key.0 != opened);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.list.clear();
    }

    /// Something happened to an open file. Returns whether an entry was put on the list.
    pub(crate) fn note(&mut self, opened: usize, events: u32) -> bool {
        let mut any = false;
        for (key, entry) in self.entries.range_mut((opened, i32::MIN)..=(opened, i32::MAX)) {
            if entry.events & !FLAGS & events != 0 && !entry.is_listed {
                entry.is_listed = true;
                self.list.push_back(*key);
                any = true;
            }
        }
        any
    }

    /// The open files and the events that are watched.
    pub(crate) fn watched(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.entries.iter().map(|(key, entry)| (key.0, entry.events & !FLAGS))
    }

    /// The listed open files and the events that are watched.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.list.iter().filter_map(|key| Some((key.0, self.entries.get(key)?.events & !FLAGS)))
    }

    /// Takes at most `most` ready entries: their events and data.
    pub(crate) fn take(&mut self, most: usize, is_ready: impl Fn(usize) -> u32) -> Vec<(u32, u64)> {
        let mut taken = Vec::new();
        let mut again = Vec::new();
        while taken.len() < most {
            let Some(key) = self.list.pop_front() else { break };
            let Some(entry) = self.entries.get_mut(&key) else { continue };
            entry.is_listed = false;
            let events = is_ready(key.0) & entry.events & !FLAGS;
            if events == 0 {
                continue;
            }
            taken.push((events, entry.data));
            if entry.events & ONESHOT != 0 {
                entry.events &= FLAGS;
            } else if entry.events & EDGE == 0 {
                entry.is_listed = true;
                again.push(key);
            }
        }
        self.list.extend(again);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::ready::{ALWAYS, HUP, IN, OUT};
    use super::*;

    fn set() -> Epoll {
        Epoll::new(0, 0)
    }

    #[test]
    fn level_and_edge() {
        let mut set = set();
        set.add((1, 3), IN, 10).unwrap();
        set.add((2, 4), IN | OUT | EDGE, 20).unwrap();
        assert_eq!(set.add((1, 3), IN, 0), Err(EEXIST));
        assert!(set.note(1, IN) && set.note(2, IN) && !set.note(2, IN) && !set.note(9, IN));
        let both = set.take(8, |_| IN);
        assert_eq!(both, [(IN, 10), (IN, 20)]);
        assert_eq!(set.take(8, |_| IN), [(IN, 10)], "only the level-triggered one is still there");
        assert_eq!(set.take(8, |_| 0), []);
        assert_eq!(set.take(8, |_| IN), [], "it was read, and comes back with the next event");
        assert!(set.note(2, OUT));
        assert_eq!(set.take(8, |_| IN | OUT), [(IN | OUT, 20)]);
    }

    #[test]
    fn one_shot() {
        let mut set = set();
        set.add((1, 3), IN | ONESHOT, 7).unwrap();
        set.note(1, IN);
        assert_eq!(set.take(8, |_| IN | HUP), [(IN | HUP, 7)]);
        assert!(!set.note(1, IN | HUP), "not even a hang-up is told");
        set.change((1, 3), IN | ONESHOT, 8).unwrap();
        assert!(set.note(1, IN));
        assert_eq!(set.take(8, |_| IN), [(IN, 8)]);
    }

    #[test]
    fn turns_and_removal() {
        let mut set = set();
        for at in 1..=3 {
            set.add((at, 3), IN, at as u64).unwrap();
            set.note(at, IN);
        }
        assert_eq!(set.take(2, |_| IN), [(IN, 1), (IN, 2)]);
        assert_eq!(set.take(2, |_| IN), [(IN, 3), (IN, 1)], "those that were told before come last");
        set.remove((2, 3)).unwrap();
        set.forget(3);
        assert_eq!(set.remove((2, 3)), Err(ENOENT));
        assert_eq!((set.take(8, |_| IN), set.watched().collect::<Vec<_>>()), (vec![(IN, 1)], vec![(1, IN | ALWAYS)]));
    }
}
