//! Calling contexts: stacks as small numbers, so that an event can keep one for free.

use crate::finding::StackEntry;
use crate::ir::{Code, FnId, Site};
use rustc_hash::FxHashMap;

/// Where an event happened: a calling context and a site of its innermost function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The context's number in [`Contexts`].
    pub context: u32,
    /// The site in the innermost function.
    pub site: Site,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    parent: u32,
    call: Site,
    func: FnId,
}

/// The calling contexts of a run: a tree, whose root is number 0.
#[derive(Debug)]
pub struct Contexts {
    nodes: Vec<(Node, bool, bool)>,
    index: FxHashMap<Node, u32>,
}

impl Default for Contexts {
    fn default() -> Contexts {
        let root = Node { parent: 0, call: Site::NONE, func: FnId(u32::MAX) };
        Contexts { nodes: vec![(root, false, false)], index: FxHashMap::default() }
    }
}

impl Contexts {
    /// The context of `func` when called at `call` in `parent`.
    pub fn enter(&mut self, parent: u32, call: Site, func: FnId, code: &Code) -> u32 {
        let node = Node { parent, call, func };
        let nodes = &mut self.nodes;
        *self.index.entry(node).or_insert_with(|| {
            nodes.push((node, code.flags.is_std, code.flags.is_local));
            nodes.len() as u32 - 1
        })
    }

    /// The function that a place is in, the place that called it, and whether the function is std's.
    pub fn frame(&self, place: Place) -> Option<(FnId, Place, bool)> {
        let (node, is_std, _) = self.nodes.get(place.context as usize)?;
        (place.context != 0).then_some((node.func, Place { context: node.parent, site: node.call }, *is_std))
    }

    /// The stack of a place, innermost frame first.
    pub fn stack(&self, place: Place) -> Vec<StackEntry> {
        let mut entries = Vec::new();
        let (mut context, mut site) = (place.context, place.site);
        while context != 0 {
            let (node, is_std, is_local) = self.nodes[context as usize];
            entries.push(StackEntry { func: node.func, site, is_std, is_local });
            (context, site) = (node.parent, node.call);
        }
        entries
    }
}
