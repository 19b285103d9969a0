//! Synchronisation objects: state that the machine needs to run the program. Detectors read it and own none of it
//! (invariant 7).

pub(crate) mod channels;
pub mod locks;

use self::channels::Channel;
use self::locks::{LockId, LockTable};
use std::collections::{BTreeMap, BTreeSet};

/// The key of a synchronisation object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SyncKey {
    /// An object at an address: a lock, a parker.
    At(u64),
    /// An object with a number from the machine: a message in a channel, dropped when it is consumed, or a file.
    Token(u64),
    /// The pseudo-object that every unknown call acquires and releases.
    Unknown,
}

/// The synchronisation objects of a run, by address.
#[derive(Clone, Default, Hash, Debug)]
pub(crate) struct SyncObjects {
    /// The addresses of all objects below.
    addresses: BTreeSet<u64>,
    pub(crate) locks: LockTable,
    pub(crate) channels: BTreeMap<u64, Channel>,
    /// Parkers whose token is set.
    pub(crate) unparked: BTreeSet<u64>,
    tokens: u64,
}

impl SyncObjects {
    /// Notes an object at an address.
    pub(crate) fn add(&mut self, addr: u64) {
        self.addresses.insert(addr);
    }

    /// The first object in a range of addresses.
    pub(crate) fn first_in(&self, addr: u64, len: u64) -> Option<u64> {
        self.addresses.range(addr..addr + len).next().copied()
    }

    /// Forgets the object at an address, whose memory is gone; returns the channel, if it was one.
    pub(crate) fn forget(&mut self, addr: u64) -> Option<Channel> {
        self.addresses.remove(&addr);
        self.locks.forget(LockId(addr));
        self.unparked.remove(&addr);
        self.channels.remove(&addr)
    }

    /// A number for a [`SyncKey::Token`].
    pub(crate) fn next_token(&mut self) -> u64 {
        self.tokens += 1;
        self.tokens
    }
}
