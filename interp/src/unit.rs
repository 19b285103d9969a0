//! Code as the machine executes it: the host's, or the same with inlined calls.
//!
//! Guarantee: inlining only affects time. Steps, addresses, stacks, clocks and bounds are the same. So an inlined call
//! is still a *scope*: a frame without an entry on the thread's stack of frames. Its bytes are where its own frame
//! would be, directly behind its caller's, and stack walks use [`Frame::activations`].
//!
//! [`Frame::activations`]: crate::thread::Frame::activations

use crate::ir::{Code, CodeFlags, FnId, Pc, Site, Slot, UnwindRange};
use crate::machine::site_at;
use std::cell::Cell;
use std::ops::Deref;
use std::rc::Rc;

/// The scope of the function itself.
pub(crate) const ROOT: u16 = 0;

/// An inlined call.
#[derive(Debug)]
pub(crate) struct Scope {
    /// The scope of the caller.
    pub(crate) parent: u16,
    /// Its depth of inlining; 0 for the function itself.
    pub(crate) level: u32,
    /// The `Enter`, which has the site of the call.
    pub(crate) enter: Pc,
    /// Where the caller continues after the return.
    pub(crate) after: Pc,
    /// The callee.
    pub(crate) func: FnId,
    /// Its flags.
    pub(crate) flags: CodeFlags,
    /// Start of its frame.
    pub(crate) base: Slot,
    /// Bytes of its frame.
    pub(crate) size: u32,
    /// Arguments: destination, source and size of each.
    pub(crate) args: Box<[(Slot, Slot, u32)]>,
    /// The result, in the same form.
    pub(crate) ret: (Slot, Slot, u32),
}

/// The executable form of a function.
#[derive(Debug)]
pub(crate) struct Unit {
    /// A unique number in the session if calls were inlined; 0 for the host's code.
    pub(crate) number: u32,
    /// Instructions and their tables. Frame size and parameters are the host's.
    pub(crate) code: Rc<Code>,
    /// The inlined calls; the first one is number 1.
    pub(crate) scopes: Box<[Scope]>,
    /// The scope of each instruction; empty without inlined calls.
    scope_of: Box<[u16]>,
    /// The position of each instruction in the host's code of its scope; empty without inlined calls.
    host_pcs: Box<[Pc]>,
    /// The new position of each instruction of the host's code; empty if unchanged.
    places: Box<[Pc]>,
    /// The host's code, if this is not it.
    pub(crate) plain: Option<Rc<Unit>>,
    /// Size of the frame, including those of inlined calls.
    pub(crate) extent: u32,
    /// Depth of inlining.
    pub(crate) depth: u32,
    /// Number of calls it makes before the next inlining; 0 for never.
    pub(crate) longest_patience: u32,
    /// How many of these remain.
    pub(crate) patience: Cell<u32>,
}

impl Deref for Unit {
    type Target = Code;

    fn deref(&self) -> &Code {
        &self.code
    }
}

impl Unit {
    /// The host's code.
    pub(crate) fn plain(code: Rc<Code>, patience: u32) -> Unit {
        Unit {
            number: 0,
            extent: code.frame_size,
            code,
            scopes: Box::new([]),
            scope_of: Box::new([]),
            host_pcs: Box::new([]),
            places: Box::new([]),
            plain: None,
            depth: 0,
            longest_patience: patience,
            patience: Cell::new(patience),
        }
    }

    /// The code of `plain` with inlined calls. `places` has the new positions of its instructions.
    pub(crate) fn inlined(
        plain: Rc<Unit>,
        code: Code,
        scopes: Vec<Scope>,
        scope_of: Vec<u16>,
        host_pcs: Vec<Pc>,
        places: Vec<Pc>,
        patience: u32,
    ) -> Unit {
        Unit {
            number: 0,
            extent: scopes.iter().map(|scope| scope.base + scope.size).max().unwrap_or(0).max(code.frame_size),
            depth: scopes.iter().map(|scope| scope.level).max().unwrap_or(0),
            code: Rc::new(code),
            scopes: scopes.into(),
            scope_of: scope_of.into(),
            host_pcs: host_pcs.into(),
            places: places.into(),
            plain: Some(plain),
            longest_patience: patience,
            patience: Cell::new(patience),
        }
    }

    /// The scope of an instruction.
    #[inline]
    pub(crate) fn scope_at(&self, pc: Pc) -> u16 {
        self.scope_of.get(pc as usize).copied().unwrap_or(ROOT)
    }

    /// An inlined call by number.
    #[inline]
    pub(crate) fn scope(&self, number: u16) -> Option<&Scope> {
        self.scopes.get(usize::from(number).checked_sub(1)?)
    }

    /// The position of an instruction in the host's code of the function that it belongs to.
    fn host_pc(&self, pc: Pc) -> Pc {
        self.host_pcs.get(pc as usize).copied().unwrap_or(pc)
    }

    /// The position in the host's code of an instruction; `None` if it belongs to an inlined call.
    pub(crate) fn place_in_plain(&self, pc: Pc) -> Option<Pc> {
        match self.plain.is_some() {
            true if self.scope_at(pc) == ROOT => self.host_pcs.get(pc as usize).copied(),
            true => None,
            false => Some(pc),
        }
    }

    /// The position of an instruction of the host's code.
    pub(crate) fn place_of_plain(&self, pc: Pc) -> Option<Pc> {
        self.places.get(pc as usize).copied()
    }

    /// Where unwinding continues from an instruction, within its scope.
    pub(crate) fn cleanup(&self, pc: Pc) -> Option<&UnwindRange> {
        let scope = self.scope_at(pc);
        let is_here = |range: &&UnwindRange| (range.start..range.end).contains(&pc);
        self.unwind.iter().filter(is_here).find(|range| self.scope_at(range.target) == scope)
    }
}

/// A call that has not returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Activation {
    /// The function.
    pub(crate) func: FnId,
    /// Its flags.
    pub(crate) flags: CodeFlags,
    /// Its current site.
    pub(crate) site: Site,
    /// The position of its current instruction in the host's code.
    pub(crate) pc: Pc,
    /// Start of its bytes in those of the frame.
    pub(crate) base: Slot,
}

/// The activations in a frame at an instruction, innermost first.
pub(crate) fn activations(unit: &Unit, func: FnId, pc: Pc) -> impl Iterator<Item = Activation> + '_ {
    let mut next = Some((unit.scope_at(pc), pc));
    std::iter::from_fn(move || {
        let (scope, pc) = next.take()?;
        let (site, host_pc) = (site_at(unit, pc), unit.host_pc(pc));
        Some(match unit.scope(scope) {
            Some(inner) => {
                next = Some((inner.parent, inner.enter));
                Activation { func: inner.func, flags: inner.flags, site, pc: host_pc, base: inner.base }
            }
            None => Activation { func, flags: unit.flags, site, pc: host_pc, base: 0 },
        })
    })
}
