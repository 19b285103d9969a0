//! The files of a run: a tree of paths, and what is open. The machine's own, in memory; no real file is ever looked at.
//!
//! What the program did with a path is known from then on. Of any other path the run makes up whether something is there,
//! and what, when the program first asks (see [`crate::inputs`]).

pub(crate) mod errno;
pub(crate) mod open;
pub(crate) mod path;
pub(crate) mod tree;

use open::Table;
use std::collections::BTreeMap;
use tree::{Device, Tree};

/// The working folder at the start.
pub(crate) const HOME: &[u8] = b"/home/program";
/// Folders that every system has.
const THERE: [&[u8]; 3] = [b"/", b"/tmp", HOME];

/// Devices that every system has.
const DEVICES: [(&[u8], Device); 4] = [
    (b"/dev/null", Device::Null),
    (b"/dev/zero", Device::Zero),
    (b"/dev/random", Device::Random),
    (b"/dev/urandom", Device::Random),
];

/// All files of a run.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) tree: Tree,
    pub(crate) table: Table,
    /// The working folder.
    pub(crate) current: Vec<u8>,
    /// Bytes that all texts and pipes have room for.
    pub(crate) bytes: usize,
    /// Folders that are being listed, by the address of what stands for them in the program's memory.
    pub(crate) listings: BTreeMap<u64, Listing>,
}

/// A folder being listed.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) descriptor: i32,
    /// Names with what they are; filled at the first look.
    pub(crate) names: Option<Vec<(Vec<u8>, tree::NodeId)>>,
    pub(crate) next: usize,
}

impl Default for Files {
    fn default() -> Files {
        let mut tree = Tree::default();
        for path in THERE {
            tree.settle_folder(path);
        }
        for (path, device) in DEVICES {
            tree.settle_device(path, device);
        }
        let (table, listings) = (Table::default(), BTreeMap::new());
        Files { tree, table, current: HOME.to_vec(), bytes: 0, listings }
    }
}

/// Bytes in the machine's memory: of a file, or under way in a pipe. They lie in an allocation of their own, so that what is
/// uninterpreted in them stays so.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Text {
    /// Its allocation, once it has room.
    pub(crate) index: Option<usize>,
    pub(crate) len: usize,
}
