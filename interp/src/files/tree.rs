//! The known paths.

use super::errno::{EEXIST, EINVAL, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, ENOTEMPTY, Errno};
use super::{Text, path};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Bound;

/// Maximum number of symbolic links in a lookup.
const MAX_LINKS: u32 = 40;
/// Permissions of files that existed before the program.
const FILE_MODE: u32 = 0o644;
const FOLDER_MODE: u32 = 0o755;
const PROGRAM_MODE: u32 = 0o755;
const DEVICE_MODE: u32 = 0o666;

/// Sizes of a node, and of an entry without the bytes of its path.
const NODE_SIZE: usize = 192;
const ENTRY_SIZE: usize = 64;
/// How many bytes a name counts for that is copied.
const NAME_WORK: usize = 256;

/// The index of a node.
pub(crate) type NodeId = usize;

/// A file, folder or symbolic link.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Permissions.
    pub(crate) mode: u32,
    /// Number of paths.
    pub(crate) links: u32,
    /// Number of open files.
    pub(crate) users: u32,
    /// Logical times in nanoseconds since 1970: of creation, of the last access (updated as with `relatime`), of the
    /// last change.
    pub(crate) born: u64,
    pub(crate) accessed: u64,
    pub(crate) changed: u64,
    /// The key through which its users synchronise.
    pub(crate) token: u64,
    /// Open files that hold its lock, and whether exclusively.
    pub(crate) locks: BTreeMap<usize, bool>,
}

/// The kind of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File(Text),
    /// A file that existed before and was not read yet; and its path then.
    Unread(Vec<u8>),
    /// `whole`: all its entries are known.
    Folder {
        whole: bool,
    },
    Link(Vec<u8>),
    Device(Device),
    /// A Unix socket, by number.
    Socket(usize),
}

/// A device of every system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Device {
    /// Always empty.
    Null,
    /// Endless zeros.
    Zero,
    /// Endless unknown bytes.
    Random,
}

/// What exists at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathLookup {
    Node(NodeId),
    /// Nothing, with the system's error.
    Nothing(Errno),
    /// Unknown: the program has not accessed it.
    Unknown,
}

/// All known paths.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// The nodes by path; `None` if nothing exists there.
    entries: BTreeMap<Vec<u8>, Option<NodeId>>,
    /// About how many bytes it takes.
    size: usize,
    /// Number of bytes that were compared and copied since they were last counted: one call may visit many paths.
    work: Cell<u64>,
}

impl Tree {
    /// About how many bytes it takes.
    pub(crate) fn size(&self) -> u64 {
        self.size as u64
    }

    /// The work since the last call, in bytes.
    pub(crate) fn take_work(&self) -> u64 {
        self.work.take()
    }

    fn works(&self, bytes: usize) {
        self.work.set(self.work.get() + bytes as u64);
    }

    /// Counts a lookup of all folders on a path.
    fn walks(&self, path: &[u8]) {
        self.works(path.len() * path.iter().filter(|byte| **byte == b'/').count());
    }

    fn insert(&mut self, path: Vec<u8>, what: Option<NodeId>) {
        let size = path.len() + ENTRY_SIZE;
        if self.entries.insert(path, what).is_none() {
            self.size += size;
        }
    }

    fn remove(&mut self, path: &[u8]) -> Option<NodeId> {
        let what = self.entries.remove(path)?;
        self.size -= path.len() + ENTRY_SIZE;
        what
    }

    /// The paths below a folder.
    fn below(&self, folder: &[u8]) -> Vec<Vec<u8>> {
        let from = path::join(folder, b"");
        let all = self.entries.range::<[u8], _>((Bound::Excluded(&from[..]), Bound::Unbounded));
        let below: Vec<_> = all.map_while(|(at, _)| path::below(folder, at).map(|_| at.clone())).collect();
        self.works(below.iter().map(|at| at.len() + NAME_WORK).sum());
        below
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id]
    }

    pub(crate) fn is_folder(&self, id: NodeId) -> bool {
        matches!(self.nodes[id].kind, Kind::Folder { .. })
    }

    /// Resolves the symbolic links in a path; the last one only if `last`.
    pub(crate) fn resolve(&self, start: Vec<u8>, last: bool) -> Result<Vec<u8>, Errno> {
        let mut whole = start;
        for _ in 0..=MAX_LINKS {
            self.walks(&whole);
            let ends = (1..=whole.len()).filter(|end| whole.get(*end).is_none_or(|byte| *byte == b'/'));
            let link = ends.filter(|end| last || *end < whole.len()).find_map(|end| {
                let id = (*self.entries.get(&whole[..end])?)?;
                let Kind::Link(target) = &self.nodes[id].kind else { return None };
                let folder = path::parent(&whole[..end]).unwrap_or(b"/");
                let target = path::normal(folder, target);
                Some(path::normal(&target, whole[end..].strip_prefix(b"/").unwrap_or_default()))
            });
            match link {
                Some(next) if path::has_long_name(&next) => return Err(ENAMETOOLONG),
                Some(next) => whole = next,
                None => return Ok(whole),
            }
        }
        Err(ELOOP)
    }

    /// What exists at a path without symbolic links.
    pub(crate) fn find(&self, path: &[u8]) -> PathLookup {
        self.walks(path);
        let mut unknown = PathLookup::Unknown;
        let ends = (1..path.len()).filter(|end| *end == 1 || path[*end] == b'/');
        for end in ends {
            match self.entries.get(&path[..end]) {
                Some(Some(id)) => match self.nodes[*id].kind {
                    Kind::Folder { whole: true } => unknown = PathLookup::Nothing(ENOENT),
                    Kind::Folder { whole: false } => unknown = PathLookup::Unknown,
                    _ => return PathLookup::Nothing(ENOTDIR),
                },
                Some(None) => return PathLookup::Nothing(ENOENT),
                // A completely known folder has no such entry.
                None if unknown != PathLookup::Unknown => return unknown,
                None => {}
            }
        }
        match self.entries.get(path) {
            Some(Some(id)) => PathLookup::Node(*id),
            Some(None) => PathLookup::Nothing(ENOENT),
            None => unknown,
        }
    }

    /// A new node without a path.
    pub(crate) fn add(&mut self, kind: Kind, mode: u32, now: u64, token: u64) -> NodeId {
        let (links, users, locks) = (0, 0, BTreeMap::new());
        self.size += NODE_SIZE;
        self.nodes.push(Node { kind, mode, links, users, born: now, accessed: now, changed: now, token, locks });
        self.nodes.len() - 1
    }

    /// Puts a node at a path; the enclosing folders then exist.
    pub(crate) fn put(&mut self, path: &[u8], id: NodeId) {
        if let Some(folder) = path::parent(path) {
            self.settle_folder(folder);
        }
        self.nodes[id].links += 1;
        self.insert(path.to_vec(), Some(id));
    }

    /// Puts a folder with unknown contents at a path.
    pub(crate) fn settle_folder(&mut self, path: &[u8]) -> NodeId {
        if let Some(Some(id)) = self.entries.get(path) {
            return *id;
        }
        let id = self.add(Kind::Folder { whole: false }, FOLDER_MODE, 0, 0);
        self.put(path, id);
        id
    }

    /// Puts a file that the program did not write at a path.
    pub(crate) fn settle_file(&mut self, path: &[u8], token: u64) -> NodeId {
        self.size += path.len();
        let id = self.add(Kind::Unread(path.to_vec()), FILE_MODE, 0, token);
        self.put(path, id);
        id
    }

    /// Puts a device at a path.
    pub(crate) fn settle_device(&mut self, path: &[u8], device: Device) {
        let id = self.add(Kind::Device(device), DEVICE_MODE, 0, 0);
        self.put(path, id);
    }

    /// Puts a program at a path.
    pub(crate) fn settle_program(&mut self, path: &[u8], token: u64) -> NodeId {
        let id = self.settle_file(path, token);
        self.nodes[id].mode = PROGRAM_MODE;
        id
    }

    /// Notes that nothing exists at a path.
    pub(crate) fn settle_nothing(&mut self, path: &[u8]) {
        self.insert(path.to_vec(), None);
    }

    /// The known entries of a folder, by name.
    pub(crate) fn names(&self, folder: &[u8]) -> Vec<(Vec<u8>, NodeId)> {
        let from = path::join(folder, b"");
        let below = self
            .entries
            .range((Bound::Excluded(from), Bound::Unbounded))
            .map_while(|(at, id)| Some((path::below(folder, at)?, *id)))
            .inspect(|(name, _)| self.works(name.len() + NAME_WORK));
        let direct = below.filter(|(name, _)| !name.contains(&b'/'));
        direct.filter_map(|(name, id)| Some((name.to_vec(), id?))).collect()
    }

    /// Paths below a folder that is completely known need no entries.
    fn forget_below(&mut self, folder: &[u8]) {
        for at in self.below(folder) {
            self.remove(&at);
        }
    }

    /// Removes a file or symbolic link; returns its node.
    pub(crate) fn unlink(&mut self, path: &[u8], id: NodeId) -> Result<(), Errno> {
        if self.is_folder(id) {
            return Err(EISDIR);
        }
        self.nodes[id].links -= 1;
        self.settle_nothing(path);
        Ok(())
    }

    /// Removes a folder without known entries.
    pub(crate) fn rmdir(&mut self, path: &[u8], id: NodeId) -> Result<(), Errno> {
        if !self.is_folder(id) {
            return Err(ENOTDIR);
        }
        if !self.names(path).is_empty() {
            return Err(ENOTEMPTY);
        }
        self.forget_below(path);
        self.nodes[id].links -= 1;
        self.settle_nothing(path);
        Ok(())
    }

    /// Whether the node at one path may replace that at another; both are known.
    pub(crate) fn may_rename(
        &self,
        (from, id): (&[u8], NodeId),
        (to, there): (&[u8], Option<NodeId>),
    ) -> Result<(), Errno> {
        if self.is_folder(id) && path::below(from, to).is_some() {
            return Err(EINVAL);
        }
        match there {
            Some(there) if there == id => Ok(()),
            Some(there) => match (self.is_folder(id), self.is_folder(there)) {
                (true, false) => Err(ENOTDIR),
                (false, true) => Err(EISDIR),
                (true, true) if !self.names(to).is_empty() => Err(ENOTEMPTY),
                _ => Ok(()),
            },
            None => Ok(()),
        }
    }

    /// Moves the node at one path to another, with everything below it.
    pub(crate) fn rename(&mut self, from: &[u8], to: &[u8], there: Option<NodeId>) {
        let Some(Some(id)) = self.entries.get(from).copied() else { return };
        if there == Some(id) {
            return;
        }
        if let Some(there) = there {
            self.nodes[there].links -= 1;
        }
        self.forget_below(to);
        for at in self.below(from) {
            let what = self.remove(&at);
            if let Some(rest) = path::below(from, &at) {
                self.insert(path::join(to, rest), what);
            }
        }
        self.settle_nothing(from);
        self.nodes[id].links -= 1;
        self.put(to, id);
    }

    /// Adds a path to a node.
    pub(crate) fn link(&mut self, path: &[u8], id: NodeId) -> Result<(), Errno> {
        if let PathLookup::Node(_) = self.find(path) {
            return Err(EEXIST);
        }
        self.put(path, id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(tree: &mut Tree, path: &[u8]) -> NodeId {
        let id = tree.add(Kind::File(Text::default()), FILE_MODE, 0, 0);
        tree.put(path, id);
        id
    }

    fn folder(tree: &mut Tree, path: &[u8]) -> NodeId {
        let id = tree.add(Kind::Folder { whole: true }, FOLDER_MODE, 0, 0);
        tree.put(path, id);
        id
    }

    #[test]
    fn what_is_known_of_paths() {
        let mut tree = Tree::default();
        assert_eq!(tree.find(b"/a/b"), PathLookup::Unknown);
        let own = folder(&mut tree, b"/a/own");
        assert_eq!(tree.find(b"/a/own"), PathLookup::Node(own));
        // The enclosing folders exist; their other entries are unknown.
        assert!(matches!(tree.find(b"/a"), PathLookup::Node(_)));
        assert_eq!(tree.find(b"/a/b"), PathLookup::Unknown);
        // The program's own folder is completely known.
        assert_eq!(tree.find(b"/a/own/x"), PathLookup::Nothing(ENOENT));
        assert_eq!(tree.find(b"/a/own/x/y"), PathLookup::Nothing(ENOENT));
        let text = file(&mut tree, b"/a/own/text");
        assert_eq!(tree.find(b"/a/own/text"), PathLookup::Node(text));
        assert_eq!(tree.find(b"/a/own/text/x"), PathLookup::Nothing(ENOTDIR));
        tree.settle_nothing(b"/b");
        assert_eq!(tree.find(b"/b/c/d"), PathLookup::Nothing(ENOENT));
    }

    #[test]
    fn what_is_removed_is_gone() {
        let mut tree = Tree::default();
        let own = folder(&mut tree, b"/own");
        let text = file(&mut tree, b"/own/text");
        assert_eq!(tree.rmdir(b"/own", own), Err(ENOTEMPTY));
        assert_eq!(tree.unlink(b"/own", own), Err(EISDIR));
        assert_eq!(tree.rmdir(b"/own/text", text), Err(ENOTDIR));
        tree.link(b"/other", text).expect("nothing is there");
        assert_eq!(tree.link(b"/other", text), Err(EEXIST));
        assert_eq!(tree.unlink(b"/own/text", text), Ok(()));
        assert_eq!(
            (tree.find(b"/own/text"), tree.find(b"/other")),
            (PathLookup::Nothing(ENOENT), PathLookup::Node(text))
        );
        assert_eq!(tree.node(text).links, 1);
        assert_eq!(tree.rmdir(b"/own", own), Ok(()));
        assert_eq!(tree.find(b"/own/text"), PathLookup::Nothing(ENOENT));
    }

    #[test]
    fn a_folder_moves_with_all_below() {
        let mut tree = Tree::default();
        let own = folder(&mut tree, b"/own");
        let inner = folder(&mut tree, b"/own/inner");
        let text = file(&mut tree, b"/own/inner/text");
        let other = file(&mut tree, b"/other");
        assert_eq!(tree.may_rename((b"/own", own), (b"/own/x", None)), Err(EINVAL));
        assert_eq!(tree.may_rename((b"/own", own), (b"/other", Some(other))), Err(ENOTDIR));
        assert_eq!(tree.may_rename((b"/other", other), (b"/own", Some(own))), Err(EISDIR));
        assert_eq!(tree.may_rename((b"/own/inner", inner), (b"/own", Some(own))), Err(ENOTEMPTY));
        assert_eq!(tree.may_rename((b"/own", own), (b"/new", None)), Ok(()));
        tree.rename(b"/own", b"/new", None);
        assert_eq!(
            (tree.find(b"/new"), tree.find(b"/new/inner/text")),
            (PathLookup::Node(own), PathLookup::Node(text))
        );
        assert_eq!(
            (tree.find(b"/own"), tree.find(b"/own/inner")),
            (PathLookup::Nothing(ENOENT), PathLookup::Nothing(ENOENT))
        );
        assert_eq!(tree.names(b"/new"), [(b"inner".to_vec(), inner)]);
        tree.rename(b"/other", b"/new/inner/text", Some(text));
        assert_eq!((tree.find(b"/new/inner/text"), tree.node(text).links), (PathLookup::Node(other), 0));
        assert_eq!(tree.names(b"/"), [(b"new".to_vec(), own)]);
    }

    #[test]
    fn symbolic_links_are_followed() {
        let mut tree = Tree::default();
        folder(&mut tree, b"/own");
        for (path, target) in [(&b"/short"[..], &b"own"[..]), (b"/own/text", b"../there"), (b"/round", b"/round")] {
            let link = tree.add(Kind::Link(target.to_vec()), 0o777, 0, 0);
            tree.put(path, link);
        }
        let resolve = |path: &[u8], last| tree.resolve(path.to_vec(), last);
        assert_eq!(resolve(b"/short/text", true), Ok(b"/there".to_vec()));
        assert_eq!(resolve(b"/short/text", false), Ok(b"/own/text".to_vec()));
        assert_eq!(resolve(b"/short", false), Ok(b"/short".to_vec()));
        assert_eq!(resolve(b"/", true), Ok(b"/".to_vec()));
        assert_eq!(resolve(b"/round/x", true), Err(ELOOP));
    }
}
