//! Cached facts about recently executed instructions: each is executed again and again, and finding its location
//! requires a walk of the stack.
//!
//! Guarantee: it only affects time. All cached facts about an instruction follow from its calling context.

use crate::detect::race::AccessSite;
use crate::ir::{CodeFlags, FnId, Pc, Site};
use crate::sched::PointKind;
use crate::stack::Place;

/// An instruction in a calling context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Instruction {
    /// The context of the frame, which also identifies the function.
    pub(crate) context: u32,
    /// The number of the function's unit.
    pub(crate) unit: u32,
    /// The instruction.
    pub(crate) pc: Pc,
}

/// Facts about an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstructionInfo {
    /// Its place.
    pub(crate) place: Place,
    /// The site of its accesses, if it made any.
    pub(crate) site: Option<AccessSite>,
    /// Its synchronisation, if any.
    pub(crate) point: Option<PointInfo>,
}

/// Facts about a synchronisation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointInfo {
    kind: PointKind,
    own: Option<OwnFlags>,
    /// Index of its site in `reached`, if code outside std requested it.
    pub(crate) counted: Option<u32>,
    /// Whether code outside std requested it.
    pub(crate) is_requested: bool,
    /// Whether the nearest code outside std is not in the workspace.
    pub(crate) of_dependency: bool,
    /// The site in the nearest code of the workspace.
    pub(crate) caller: Option<(FnId, Site)>,
}

/// The relevant flags of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct OwnFlags {
    is_std: bool,
    is_shim: bool,
    is_sync_api: bool,
}

fn own_flags(flags: CodeFlags) -> OwnFlags {
    OwnFlags { is_std: flags.is_std, is_shim: flags.is_shim, is_sync_api: flags.is_sync_api }
}

impl PointInfo {
    pub(crate) fn new(kind: PointKind, own: Option<CodeFlags>, is_requested: bool, counted: Option<u32>) -> PointInfo {
        PointInfo { kind, own: own.map(own_flags), counted, is_requested, of_dependency: false, caller: None }
    }

    /// Whether the facts are about such a synchronisation; an instruction that calls through a pointer may be several.
    pub(crate) fn is_of(&self, kind: PointKind, own: Option<CodeFlags>) -> bool {
        self.kind == kind && self.own == own.map(own_flags)
    }
}

/// Number of cached instructions (direct-mapped).
const PLACES: usize = 1024;

/// The recently executed instructions.
#[derive(Clone, Default, Debug)]
pub(crate) struct SiteCache {
    known: Vec<(Instruction, InstructionInfo)>,
}

impl SiteCache {
    /// The facts about an instruction, if cached.
    #[inline]
    pub(crate) fn get(&self, at: Instruction) -> Option<InstructionInfo> {
        self.known.get(place_of(at)).filter(|entry| entry.0 == at).map(|entry| entry.1)
    }

    /// Caches facts about an instruction.
    pub(crate) fn keep(&mut self, at: Instruction, known: InstructionInfo) {
        if self.known.is_empty() {
            let none = Instruction { context: u32::MAX, unit: u32::MAX, pc: Pc::MAX };
            self.known.resize(PLACES, (none, known));
        }
        self.known[place_of(at)] = (at, known);
    }
}

#[inline]
fn place_of(at: Instruction) -> usize {
    let mixed = at.context.wrapping_mul(0x9e37_79b1) ^ at.unit.wrapping_mul(0x85eb_ca6b);
    (mixed as usize ^ mixed as usize >> 16).wrapping_add(at.pc as usize) % PLACES
}
