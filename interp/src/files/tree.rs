//! What is known of paths.

use super::errno::{EEXIST, EINVAL, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, ENOTEMPTY, Errno};
use super::{Text, path};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Most symbolic links on the way to a file.
const MOST_LINKS: u32 = 40;
/// Permissions of what was there before the program.
const FILE_MODE: u32 = 0o644;
const FOLDER_MODE: u32 = 0o755;
const DEVICE_MODE: u32 = 0o666;

/// A file, folder or symbolic link of a run.
pub(crate) type NodeId = usize;

/// A file, folder or symbolic link.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Permissions.
    pub(crate) mode: u32,
    /// How many paths lead to it.
    pub(crate) links: u32,
    /// How many open files are it.
    pub(crate) users: u32,
    /// Logical times in nanoseconds since 1970: made, last read by agreement, last changed.
    pub(crate) born: u64,
    pub(crate) accessed: u64,
    pub(crate) changed: u64,
    /// What its users synchronise through.
    pub(crate) token: u64,
    /// Which open files have it locked, and whether alone.
    pub(crate) locks: BTreeMap<usize, bool>,
}

/// What a node is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File(Text),
    /// A file that was there before, whose text nobody asked for yet; and its path then.
    Unread(Vec<u8>),
    /// `whole`: what is in it is known.
    Folder {
        whole: bool,
    },
    Link(Vec<u8>),
    Device(Device),
}

/// What every system has that is no file on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Device {
    /// It is empty, and stays so.
    Null,
    /// Zeros without end.
    Zero,
    /// Bytes that nobody knows, without end.
    Random,
}

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathLookup {
    Node(NodeId),
    /// Nothing, and what the system says then.
    Nothing(Errno),
    /// Nobody knows: the program never asked.
    Unknown,
}

/// All paths of which something is known.
#[derive(Default, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// What is at a path; nothing at those with `None`.
    entries: BTreeMap<Vec<u8>, Option<NodeId>>,
}

impl Tree {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id]
    }

    pub(crate) fn is_folder(&self, id: NodeId) -> bool {
        matches!(self.nodes[id].kind, Kind::Folder { .. })
    }

    /// Where a path leads: symbolic links on the way are followed, and the last name's if `last` says so.
    pub(crate) fn resolve(&self, start: Vec<u8>, last: bool) -> Result<Vec<u8>, Errno> {
        let mut whole = start;
        for _ in 0..=MOST_LINKS {
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

    /// What is at a path that leads over no symbolic link.
    pub(crate) fn find(&self, path: &[u8]) -> PathLookup {
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
                // In a folder that is known this folder is not.
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

    /// A new node that no path leads to yet.
    pub(crate) fn add(&mut self, kind: Kind, mode: u32, now: u64, token: u64) -> NodeId {
        let (links, users, locks) = (0, 0, BTreeMap::new());
        self.nodes.push(Node { kind, mode, links, users, born: now, accessed: now, changed: now, token, locks });
        self.nodes.len() - 1
    }

    /// A node stands at a path; the folders above it are there too.
    pub(crate) fn put(&mut self, path: &[u8], id: NodeId) {
        if let Some(folder) = path::parent(path) {
            self.settle_folder(folder);
        }
        self.nodes[id].links += 1;
        self.entries.insert(path.to_vec(), Some(id));
    }

    /// There is a folder at a path, of whose content nothing is known.
    pub(crate) fn settle_folder(&mut self, path: &[u8]) -> NodeId {
        if let Some(Some(id)) = self.entries.get(path) {
            return *id;
        }
        let id = self.add(Kind::Folder { whole: false }, FOLDER_MODE, 0, 0);
        self.put(path, id);
        id
    }

    /// There is a file at a path that the program did not write.
    pub(crate) fn settle_file(&mut self, path: &[u8], token: u64) -> NodeId {
        let id = self.add(Kind::Unread(path.to_vec()), FILE_MODE, 0, token);
        self.put(path, id);
        id
    }

    /// There is a device at a path.
    pub(crate) fn settle_device(&mut self, path: &[u8], device: Device) {
        let id = self.add(Kind::Device(device), DEVICE_MODE, 0, 0);
        self.put(path, id);
    }

    /// There is nothing at a path.
    pub(crate) fn settle_nothing(&mut self, path: &[u8]) {
        self.entries.insert(path.to_vec(), None);
    }

    /// What is known to be in a folder, by name.
    pub(crate) fn names(&self, folder: &[u8]) -> Vec<(Vec<u8>, NodeId)> {
        let from = path::join(folder, b"");
        let below = self
            .entries
            .range((Bound::Excluded(from), Bound::Unbounded))
            .map_while(|(at, id)| Some((path::below(folder, at)?, *id)));
        let direct = below.filter(|(name, _)| !name.contains(&b'/'));
        direct.filter_map(|(name, id)| Some((name.to_vec(), id?))).collect()
    }

    /// No path below a folder that is empty is any different from all others.
    fn forget_below(&mut self, folder: &[u8]) {
        self.entries.retain(|at, _| path::below(folder, at).is_none());
    }

    /// Takes a file or symbolic link away; gives its node.
    pub(crate) fn unlink(&mut self, path: &[u8], id: NodeId) -> Result<(), Errno> {
        if self.is_folder(id) {
            return Err(EISDIR);
        }
        self.nodes[id].links -= 1;
        self.settle_nothing(path);
        Ok(())
    }

    /// Takes a folder away in which nothing is known to be.
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

    /// Whether what is at one path may take the place of another; of nodes that are known.
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

    /// Moves what is at one path to another, with all below it.
    pub(crate) fn rename(&mut self, from: &[u8], to: &[u8], there: Option<NodeId>) {
        let Some(Some(id)) = self.entries.get(from).copied() else { return };
        if there == Some(id) {
            return;
        }
        if let Some(there) = there {
            self.nodes[there].links -= 1;
        }
        self.forget_below(to);
        let moved: BTreeSet<Vec<u8>> =
            self.entries.keys().filter(|at| path::below(from, at).is_some()).cloned().collect();
        for at in moved {
            let what = self.entries.remove(&at).flatten();
            if let Some(rest) = path::below(from, &at) {
                self.entries.insert(path::join(to, rest), what);
            }
        }
        self.settle_nothing(from);
        self.nodes[id].links -= 1;
        self.put(to, id);
    }

    /// Gives a node a further path.
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
        // The folders above are there; what else is in them nobody knows.
        assert!(matches!(tree.find(b"/a"), PathLookup::Node(_)));
        assert_eq!(tree.find(b"/a/b"), PathLookup::Unknown);
        // All of the program's own folder is known.
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
