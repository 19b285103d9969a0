//! The files of a run: a tree of paths, and open files. They are in memory; real files are never accessed.
//!
//! What the program did with a path is known from then on. For any other path, the run makes up whether it exists, and
//! its contents, when the program first accesses it (see [`crate::inputs`]).

pub(crate) mod errno;
pub(crate) mod open;
pub(crate) mod path;
pub(crate) mod tree;

use crate::memory::Memory;
use open::Table;
use std::collections::BTreeMap;
use tree::{Device, Tree};

/// The working folder at the start.
pub(crate) const HOME: &[u8] = b"/home/program";
/// Folders that exist on every system.
const THERE: [&[u8]; 3] = [b"/", b"/tmp", HOME];

/// Devices that exist on every system.
const DEVICES: [(&[u8], Device); 4] = [
    (b"/dev/null", Device::Null),
    (b"/dev/zero", Device::Zero),
    (b"/dev/random", Device::Random),
    (b"/dev/urandom", Device::Random),
];

/// All files of a run.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    pub(crate) tree: Tree,
    pub(crate) table: Table,
    /// The working folder of the current process.
    pub(crate) current: Vec<u8>,
    /// Capacity of all texts and pipes, in bytes.
    pub(crate) bytes: usize,
    /// Folders that are being listed, by the address of the `DIR` in the program's memory.
    pub(crate) listings: BTreeMap<u64, Listing>,
    /// About how many bytes their names take.
    pub(crate) listed: u64,
    /// Files in memory.
    pub(crate) mapped: Vec<Mapping>,
    /// The files of the known programs.
    pub(crate) programs: Vec<tree::NodeId>,
}

/// A file in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapping {
    pub(crate) addr: u64,
    /// In bytes, as it was asked for.
    pub(crate) len: u64,
    /// The file that is shared; `None` for a copy of one.
    pub(crate) node: Option<tree::NodeId>,
}

impl Files {
    /// The mapping that contains an address.
    pub(crate) fn mapping(&self, addr: u64) -> Option<&Mapping> {
        let is_it =
            |it: &&Mapping| Memory::split(it.addr).0 == Memory::split(addr).0 && addr.wrapping_sub(it.addr) < it.len;
        self.mapped.iter().find(is_it)
    }
}

/// A folder that is being listed.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    pub(crate) descriptor: i32,
    /// Names and nodes; filled by the first read.
    pub(crate) names: Option<Vec<(Vec<u8>, tree::NodeId)>>,
    pub(crate) next: usize,
}

impl Listing {
    /// About how many bytes the names take.
    pub(crate) fn size(&self) -> u64 {
        let size = |(name, _): &(Vec<u8>, tree::NodeId)| (name.len() + size_of::<(Vec<u8>, tree::NodeId)>()) as u64;
        self.names.iter().flatten().map(size).sum()
    }
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
        let (table, listings, mapped, programs) = (Table::default(), BTreeMap::new(), Vec::new(), Vec::new());
        Files { tree, table, current: HOME.to_vec(), bytes: 0, listings, listed: 0, mapped, programs }
    }
}

/// Contents of a file or a pipe, in the machine's memory. They have their own allocation, which also tracks
/// uninterpreted bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Text {
    /// Its allocation, once it has capacity.
    pub(crate) index: Option<usize>,
    pub(crate) len: usize,
}
