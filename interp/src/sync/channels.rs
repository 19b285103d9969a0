//! Channels: queues of messages. `models/channel.rs` has the operations.

use crate::sync::SyncKey;
use std::collections::VecDeque;

/// What the machine knows of a channel.
#[derive(Clone, Default, Hash, Debug)]
pub(crate) struct Channel {
    pub(crate) queue: VecDeque<Message>,
    /// One side is disconnected: what it published then.
    pub(crate) disconnected: Option<SyncKey>,
    /// What the receives that made room published.
    pub(crate) room: VecDeque<SyncKey>,
    pub(crate) sent: u64,
}

/// A message in the channel.
#[derive(Clone, Hash, Debug)]
pub(crate) struct Message {
    /// Allocation of its bytes.
    pub(crate) index: usize,
    pub(crate) published: SyncKey,
    /// In a rendezvous channel: the thread that offers it and waits.
    pub(crate) from: Option<usize>,
    /// In a rendezvous channel: the thread that waited for it.
    pub(crate) to: Option<usize>,
}
