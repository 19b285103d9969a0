//! Puts the code of one instance together: instructions, labels, slots, unwind ranges.

use interp::{
    ir::{BinOp, Body, Code, CodeFlags, FRAME_ALIGN, Instr, MAX_FRAME_ALIGN, Pc, Scalar, Site, Slot, UnwindRange},
    opt::optimize,
};
use std::sync::Arc;

/// A jump target. While a function is built, every `Pc` in its instructions is a label's number;
/// [`FnBuilder::finish`] replaces it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(u32);

impl Label {
    /// What to put into an instruction for this label.
    pub fn pc(self) -> Pc {
        self.0
    }
}

/// Whether code is made shorter; what it does is the same without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimisation {
    /// It stays as it is first made.
    None,
    /// All passes of [`interp::opt`].
    Full,
}

/// Which code a range of unwinding is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnwindFrom {
    /// Code that runs when nothing panics.
    Body,
    /// Code that runs while a panic unwinds; a second one aborts.
    Cleanup,
}

/// A range being under way, see [`FnBuilder::begin_unwind`].
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
    /// All slots that were made, with their sizes.
    regions: Vec<(Slot, u32)>,
    /// First free byte of the frame, and the most that was ever in use.
    top: u32,
    high: u32,
    /// What the frame is aligned to.
    align: u32,
    site: Site,
}

impl FnBuilder {
    /// Nothing yet.
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

    /// A run of bytes in the frame. It lives until [`Self::release`] of an earlier mark.
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

    /// Where the result of a call without one goes: no place of anything else, for a call is taken to give what lies there.
    pub fn nowhere(&mut self) -> Slot {
        self.temp(0, 1)
    }

    /// Where the frame ends now.
    pub fn mark(&self) -> u32 {
        self.top
    }

    /// Gives back the slots made since `mark`.
    pub fn release(&mut self, mark: u32) {
        self.top = mark;
    }

    /// A new parameter's slot.
    pub fn param(&mut self, size: u32, align: u32) -> Slot {
        let slot = self.temp(size, align);
        self.params.push((slot, size));
        slot
    }

    /// Declares an existing slot as the next parameter.
    pub fn param_at(&mut self, slot: Slot, size: u32) {
        self.params.push((slot, size));
    }

    /// The result's slot.
    pub fn set_ret(&mut self, slot: Slot, size: u32) {
        self.ret = (slot, size);
    }

    /// The body is no IR.
    pub fn set_body(&mut self, body: Body) {
        self.body = body;
    }

    /// Where it comes from.
    pub fn flags(&self) -> CodeFlags {
        self.flags
    }

    // --- code

    /// Site of the instructions that follow.
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

    /// `dst = value`, of `size` bytes.
    pub fn constant(&mut self, dst: Slot, size: u32, value: u128) {
        if size == 0 {
            return;
        }
        self.push(Instr::Const { dst, size: size as u8, bits: value as u64, high: (value >> 64) as u64 });
    }

    /// A new slot with a `u64`.
    pub fn const64(&mut self, value: u64) -> Slot {
        let dst = self.temp64();
        self.constant(dst, 8, value.into());
        dst
    }

    /// Copies between slots.
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

    /// A scalar operation into a new slot.
    pub fn bin(&mut self, op: BinOp, ty: Scalar, a: Slot, b: Slot) -> Slot {
        let dst = self.temp(ty.size(), ty.size());
        self.push(Instr::Bin { op, ty, dst, a, b });
        dst
    }

    /// A scalar operation with a constant into a new slot.
    pub fn bin_imm(&mut self, op: BinOp, ty: Scalar, a: Slot, imm: i64) -> Slot {
        let dst = self.temp(ty.size(), ty.size());
        self.push(Instr::BinImm { op, ty, dst, a, imm });
        dst
    }

    // --- control

    /// A label that is bound later.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label stands for the next instruction.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.here());
    }

    /// A label bound to the next instruction.
    pub fn label_here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// Jumps.
    pub fn jump(&mut self, to: Label) {
        self.push(Instr::Jump { to: to.pc() });
    }

    /// Branches on a `u8`.
    pub fn branch(&mut self, cond: Slot, yes: Label, no: Label) {
        self.push(Instr::Branch { cond, yes: yes.pc(), no: no.pc() });
    }

    /// Unwinding out of the instructions from here on continues at `target`. Ranges that are opened later count
    /// as inner.
    pub fn begin_unwind(&self, target: Label, from: UnwindFrom) -> OpenRange {
        OpenRange { start: self.here(), target, in_cleanup: from == UnwindFrom::Cleanup }
    }

    /// Ends a range.
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

    /// The finished code. Inner ranges must have been ended before outer ones.
    pub fn finish(mut self, optimisation: Optimisation) -> Code {
        // An end that falls through, or a label behind the last instruction, is never reached.
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
