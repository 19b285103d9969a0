//! Calling contexts: stacks as small numbers, which events can store cheaply.

use crate::finding::StackEntry;
use crate::ir::{CodeFlags, FnId, Site};
use rustc_hash::FxHashMap;

/// The place of an event: a calling context and a site of its innermost function.
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
#[derive(Clone, Debug)]
pub struct Contexts {
    nodes: Vec<(Node, bool, bool)>,
    index: FxHashMap<Node, u32>,
    /// Recently used contexts of inlined calls.
    inlined: Vec<InlinedContext>,
}

/// An inlined call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InlinedCall {
    /// The context of the function.
    pub(crate) outer: u32,
    /// The number of its unit.
    pub(crate) unit: u32,
    /// The call.
    pub(crate) scope: u16,
}

#[derive(Clone, Copy, Debug)]
struct InlinedContext {
    call: InlinedCall,
    context: u32,
}

/// Number of cached contexts of inlined calls.
const AT_HAND: usize = 512;

impl Default for Contexts {
    fn default() -> Contexts {
        let root = Node { parent: 0, call: Site::NONE, func: FnId(u32::MAX) };
        Contexts { nodes: vec![(root, false, false)], index: FxHashMap::default(), inlined: Vec::new() }
    }
}

impl Contexts {
    /// The context of `func` when called at `call` in `parent`.
    pub fn enter(&mut self, parent: u32, call: Site, func: FnId, flags: CodeFlags) -> u32 {
        let node = Node { parent, call, func };
        let nodes = &mut self.nodes;
        *self.index.entry(node).or_insert_with(|| {
            nodes.push((node, flags.is_std, flags.is_local));
            nodes.len() as u32 - 1
        })
    }

    /// The context of an inlined call, if cached.
    pub(crate) fn inlined(&self, call: InlinedCall) -> Option<u32> {
        self.inlined.get(slot_of(call)).filter(|known| known.call == call).map(|known| known.context)
    }

    /// Caches the context of an inlined call.
    pub(crate) fn keep_inlined(&mut self, call: InlinedCall, context: u32) {
        if self.inlined.is_empty() {
            let none = InlinedCall { outer: 0, unit: u32::MAX, scope: 0 };
            self.inlined.resize(AT_HAND, InlinedContext { call: none, context: 0 });
        }
        self.inlined[slot_of(call)] = InlinedContext { call, context };
    }

    /// The function of a place, the place of its caller, and whether the function is std's.
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

fn slot_of(call: InlinedCall) -> usize {
    let mixed = call.outer.wrapping_mul(0x9e37_79b1) ^ call.unit.wrapping_mul(0x85eb_ca6b);
    (mixed as usize ^ mixed as usize >> 16).wrapping_add(usize::from(call.scope)) % AT_HAND
}
