//! Builds the code of one instance: instructions, labels, slots, unwind ranges.

use interp::{
    ir::{BinOp, Body, Code, CodeFlags, FRAME_ALIGN, Instr, MAX_FRAME_ALIGN, Pc, Scalar, Site, Slot, UnwindRange},
    opt::optimize,
};
use std::sync::Arc;

/// A jump target. Until [`FnBuilder::finish`] resolves them, every `Pc` in an instruction is the number of a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(u32);

impl Label {
    /// The value to put into an instruction for this label.
    pub fn pc(self) -> Pc {
        self.0
    }
}

/// Whether code is optimised. Optimisation does not change behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimisation {
    /// No passes.
    None,
    /// All passes of [`interp::opt`].
    Full,
}

/// The kind of code that an unwind range covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnwindFrom {
    /// Code outside of unwinding.
    Body,
    /// Code that runs while unwinding; a second panic aborts.
    Cleanup,
}

/// An unwind range that has not ended, see [`FnBuilder::begin_unwind`].
#[derive(Clone, Copy, Debug)]
pub struct OpenRange {
    start: Pc,
    target: Label,
    in_cleanup: bool,
}

/// Code of one instance under construction.
#[derive(Debug)]
pub struct FnBuilder {
    name: Arc<str>,
    flags: CodeFlags,
    body: Body,
    params: Vec<(Slot, u32)>,
    ret: (Slot, u32),
    instrs: Vec<Instr>,
    sites: Vec<Site>,
    labels: Vec<Option<Pc>>,
    unwind: Vec<UnwindRange>,
    /// All allocated slots with their sizes.
    regions: Vec<(Slot, u32)>,
    /// First free byte of the frame, and the maximum so far.
    top: u32,
    high: u32,
    /// Alignment of the frame.
    align: u32,
    site: Site,
}

impl FnBuilder {
    /// A builder without instructions.
    pub fn new(name: Arc<str>, flags: CodeFlags) -> Self {
        FnBuilder {
            name,
            flags,
            body: Body::Ir,
            params: Vec::new(),
            ret: (0, 0),
            instrs: Vec::new(),
            sites: Vec::new(),
            labels: Vec::new(),
            unwind: Vec::new(),
            regions: Vec::new(),
            top: 0,
            high: 0,
            align: FRAME_ALIGN,
            site: Site::NONE,
        }
    }

    // --- slots

    /// Allocates bytes in the frame. They are valid until [`Self::release`] is called with an earlier mark.
    pub fn temp(&mut self, size: u32, align: u32) -> Slot {
        let align = align.clamp(1, MAX_FRAME_ALIGN);
        self.align = self.align.max(align);
        let slot = self.top.next_multiple_of(align);
        self.top = slot + size;
        self.high = self.high.max(self.top);
        self.regions.push((slot, size));
        slot
    }

    /// A slot of 8 bytes.
    pub fn temp64(&mut self) -> Slot {
        self.temp(8, 8)
    }

    /// A destination for a call without a result. It overlaps no other slot, because a call is assumed to write its
    /// destination.
    pub fn unused_dest(&mut self) -> Slot {
        self.temp(0, 1)
    }

    /// The current end of the frame.
    pub fn mark(&self) -> u32 {
        self.top
    }

    /// Frees the slots allocated since `mark`.
    pub fn release(&mut self, mark: u32) {
        self.top = mark;
    }

    /// Allocates a slot for a new parameter.
    pub fn param(&mut self, size: u32, align: u32) -> Slot {
        let slot = self.temp(size, align);
        self.params.push((slot, size));
        slot
    }

    /// Declares an existing slot as the next parameter.
    pub fn param_at(&mut self, slot: Slot, size: u32) {
        self.params.push((slot, size));
    }

    /// Sets the result's slot.
    pub fn set_ret(&mut self, slot: Slot, size: u32) {
        self.ret = (slot, size);
    }

    /// Sets a body other than IR.
    pub fn set_body(&mut self, body: Body) {
        self.body = body;
    }

    /// Flags of the code.
    pub fn flags(&self) -> CodeFlags {
        self.flags
    }

    // --- code

    /// Sets the site of the instructions that follow.
    pub fn at(&mut self, site: Site) {
        self.site = site;
    }

    /// The current site.
    pub fn site(&self) -> Site {
        self.site
    }

    /// Index of the next instruction.
    pub fn here(&self) -> Pc {
        self.instrs.len() as Pc
    }

    /// Appends an instruction at the current site.
    pub fn push(&mut self, instr: Instr) -> Pc {
        self.emit(instr, self.site)
    }

    /// Appends an instruction.
    pub fn emit(&mut self, instr: Instr, site: Site) -> Pc {
        let pc = self.here();
        self.instrs.push(instr);
        self.sites.push(site);
        pc
    }

    /// `dst = value` with `size` bytes.
    pub fn constant(&mut self, dst: Slot, size: u32, value: u128) {
        if size == 0 {
            return;
        }
        self.push(Instr::Const { dst, size: size as u8, bits: value as u64, high: (value >> 64) as u64 });
    }

    /// A new slot that holds a `u64` constant.
    pub fn const64(&mut self, value: u64) -> Slot {
        let dst = self.temp64();
        self.constant(dst, 8, value.into());
        dst
    }

    /// Copies bytes between slots.
    pub fn copy(&mut self, dst: Slot, src: Slot, size: u32) {
        if size != 0 && dst != src {
            self.push(Instr::Copy { dst, src, size });
        }
    }

    /// `dst = *(ptr + offset)`.
    pub fn load(&mut self, dst: Slot, ptr: Slot, offset: u32, size: u32) {
        if size != 0 {
            self.push(Instr::Load { dst, ptr, offset, size, volatile: false });
        }
    }

    /// `*(ptr + offset) = src`.
    pub fn store(&mut self, ptr: Slot, offset: u32, src: Slot, size: u32) {
        if size != 0 {
            self.push(Instr::Store { ptr, offset, src, size, volatile: false });
        }
    }

    /// A scalar operation with a new slot as destination.
    pub fn bin(&mut self, op: BinOp, ty: Scalar, a: Slot, b: Slot) -> Slot {
        let dst = self.temp(ty.size(), ty.size());
        self.push(Instr::Bin { op, ty, dst, a, b });
        dst
    }

    /// A scalar operation with an immediate and a new slot as destination.
    pub fn bin_imm(&mut self, op: BinOp, ty: Scalar, a: Slot, imm: i64) -> Slot {
        let dst = self.temp(ty.size(), ty.size());
        self.push(Instr::BinImm { op, ty, dst, a, imm });
        dst
    }

    // --- control

    /// A new label, not bound yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds a label to the next instruction.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.here());
    }

    /// A label bound to the next instruction.
    pub fn label_here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// Jumps to a label.
    pub fn jump(&mut self, to: Label) {
        self.push(Instr::Jump { to: to.pc() });
    }

    /// Branches on a `u8`.
    pub fn branch(&mut self, cond: Slot, yes: Label, no: Label) {
        self.push(Instr::Branch { cond, yes: yes.pc(), no: no.pc() });
    }

    /// From here on, a panic continues at `target`. Ranges that are opened later are inner ranges.
    pub fn begin_unwind(&self, target: Label, from: UnwindFrom) -> OpenRange {
        OpenRange { start: self.here(), target, in_cleanup: from == UnwindFrom::Cleanup }
    }

    /// Ends an unwind range.
    pub fn end_unwind(&mut self, range: OpenRange) {
        let end = self.here();
        if end > range.start {
            self.unwind.push(UnwindRange {
                start: range.start,
                end,
                target: range.target.pc(),
                in_cleanup: range.in_cleanup,
            });
        }
    }

    /// The finished code. Inner ranges must end before outer ones.
    pub fn finish(mut self, optimisation: Optimisation) -> Code {
        // Guards a missing terminator and a label after the last instruction; neither is ever reached.
        self.push(Instr::Unreachable);
        let labels = self.labels;
        let end = self.instrs.len() as Pc - 1;
        let resolve = |pc: &mut Pc| *pc = labels.get(*pc as usize).copied().flatten().unwrap_or(end);
        for instr in &mut self.instrs {
            match instr {
                Instr::Jump { to } => resolve(to),
                Instr::Branch { yes, no, .. } => {
                    resolve(yes);
                    resolve(no);
                }
                Instr::Switch { table, default, .. } => {
                    table.iter_mut().for_each(|(_, to)| resolve(to));
                    resolve(default);
                }
                Instr::Suspend { resume, drop, .. } => {
                    resolve(resume);
                    resolve(drop);
                }
                _ => {}
            }
        }
        for range in &mut self.unwind {
            resolve(&mut range.target);
        }
        let mut code = Code {
            name: self.name,
            body: self.body,
            frame_size: self.high.next_multiple_of(FRAME_ALIGN),
            frame_align: self.align,
            params: self.params.into(),
            ret: self.ret,
            instrs: self.instrs.into(),
            sites: self.sites.into(),
            unwind: self.unwind.into(),
            flags: self.flags,
        };
        if optimisation == Optimisation::Full {
            optimize(&mut code, self.regions);
        }
        code
    }
}
