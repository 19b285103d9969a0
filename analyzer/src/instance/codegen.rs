//! Generic IR to instructions: bodies, blocks, statements.

use super::{
    InstanceKey,
    builder::{FnBuilder, Label, UnwindFrom},
    call, consts,
    cx::Cx,
    glue, names,
    place::{self, PlaceVal, Storage},
    program::Program,
    rvalue, site, switch,
};
use crate::{
    ir::{BlockId, BodyIr, Callee, LocalId, Operand, Place, Proj, Rvalue, Stmt, Term},
    types::{Meta, Unsupported, tag_mask},
};
use hir_ty::next_solver::{GenericArgs, Ty};
use interp::ir::{Code, CodeFlags, Instr, Slot};
use ra_ap_hir_ty as hir_ty;

/// Storage of a local.
#[derive(Clone, Debug)]
pub struct LocalVal<'db> {
    /// Its place; `Err` if its type has no layout.
    pub place: Result<PlaceVal<'db>, Unsupported>,
    /// Its size.
    pub size: u32,
}

/// Translates one body.
pub struct Fx<'a, 'p, 'db> {
    /// Types and tables.
    pub cx: Cx<'p, 'db>,
    /// The code generated so far.
    pub b: FnBuilder,
    /// The body.
    pub body: &'a BodyIr,
    /// Storage of the locals.
    pub locals: Vec<LocalVal<'db>>,
    /// Labels of the blocks.
    pub blocks: Vec<Label>,
    /// The instance.
    pub key: &'a InstanceKey,
}

/// Code of a body under concrete arguments.
pub fn body<'db>(
    program: &mut Program<'db>,
    key: &InstanceKey,
    body: &BodyIr,
    args: GenericArgs<'db>,
    flags: CodeFlags,
    checks: bool,
) -> Code {
    let b = FnBuilder::new(names::instance(program, key), flags);
    let cx = Cx { program, args, checks };
    let mut fx = Fx { cx, b, body, locals: Vec::new(), blocks: Vec::new(), key };
    fx.declare_locals();
    fx.blocks = body.blocks.iter().map(|_| fx.b.label()).collect();
    for index in 0..body.blocks.len() {
        fx.block(index);
    }
    fx.b.finish(fx.cx.program.optimisation)
}

/// Locals that need an address: borrowed, or indexed by a value.
fn shared_locals(body: &BodyIr) -> Vec<bool> {
    let mut shared = vec![false; body.locals.len()];
    let mut mark = |place: &Place, borrowed: bool| {
        let own = place.proj.iter().take_while(|proj| !matches!(proj, Proj::Deref));
        let indexed = own.clone().any(|proj| matches!(proj, Proj::Index(_)));
        let through_pointer = place.proj.iter().any(|proj| matches!(proj, Proj::Deref));
        if indexed || borrowed && !through_pointer {
            shared[place.local.0 as usize] = true;
        }
    };
    let operand = |op: &Operand, mark: &mut dyn FnMut(&Place, bool)| {
        if let Operand::Use(place) = op {
            mark(place, false);
        }
    };
    for block in &body.blocks {
        for (stmt, _) in &block.stmts {
            match stmt {
                Stmt::Assign(dest, rvalue) => {
                    mark(dest, false);
                    match rvalue {
                        Rvalue::Ref(place) => mark(place, true),
                        Rvalue::Len(place) | Rvalue::Discriminant(place) => mark(place, false),
                        Rvalue::Use(op)
                        | Rvalue::Not(op)
                        | Rvalue::Neg(op)
                        | Rvalue::Cast(op, _)
                        | Rvalue::Unsize(op, _)
                        | Rvalue::FnPtr(op, _)
                        | Rvalue::Repeat(op) => operand(op, &mut mark),
                        Rvalue::Bin(_, left, right) | Rvalue::Checked(_, left, right) => {
                            operand(left, &mut mark);
                            operand(right, &mut mark);
                        }
                        Rvalue::Aggregate(_, ops) => ops.iter().for_each(|op| operand(op, &mut mark)),
                        Rvalue::Static(_) | Rvalue::Promoted(_) | Rvalue::OffsetOf(..) | Rvalue::Unknown(_) => {}
                    }
                }
                Stmt::Call { dest, callee, args } => {
                    mark(dest, false);
                    if let Callee::Value(op) = callee {
                        operand(op, &mut mark);
                    }
                    args.iter().for_each(|op| operand(op, &mut mark));
                }
                Stmt::Drop(place) | Stmt::FreeBox(place) => mark(place, false),
                Stmt::Bounds { .. } | Stmt::StorageDead(_) | Stmt::Await | Stmt::Omitted(_) => {}
            }
        }
        match &block.term.0 {
            Term::If(op, ..) | Term::Switch(op, ..) => operand(op, &mut mark),
            Term::Variant(place, ..) | Term::Suspend { arg: place, .. } => mark(place, false),
            _ => {}
        }
    }
    shared
}

impl<'db> Fx<'_, '_, 'db> {
    fn declare_locals(&mut self) {
        let shared = shared_locals(self.body);
        for (index, local) in self.body.locals.iter().enumerate() {
            let ty = self.cx.subst(&local.ty);
            if self.cx.meta(ty) != Meta::Thin {
                // An unsized value that is moved (`*self` of a `Box<dyn FnOnce()>`) is not copied.
                let slot = self.b.temp(16, 8);
                let place = place::pointed_to(&mut self.cx, slot, ty);
                self.locals.push(LocalVal { place: Ok(place), size: 16 });
                continue;
            }
            let layout = self.cx.layout(ty).and_then(|layout| Ok((layout.size32()?, layout.align32())));
            let (size, align) = layout.clone().unwrap_or((0, 1));
            let slot = self.b.temp(size, align);
            let at = if shared[index] { Storage::Shared(slot) } else { Storage::Slot(slot) };
            self.locals.push(LocalVal { place: layout.map(|_| PlaceVal { at, ty, variant: 0, meta: None }), size });
            if index == 0 {
                self.b.set_ret(slot, size);
            } else if index as u32 <= self.body.params {
                self.b.param_at(slot, size);
            }
        }
    }

    /// The label of a block.
    pub fn label(&self, block: BlockId) -> Label {
        self.blocks[block.0 as usize]
    }

    fn block(&mut self, index: usize) {
        let body = self.body;
        let block = &body.blocks[index];
        let label = self.blocks[index];
        self.b.bind(label);
        let from = if block.is_cleanup { UnwindFrom::Cleanup } else { UnwindFrom::Body };
        let range = match block.unwind {
            Some(target) => Some(self.b.begin_unwind(self.label(target), from)),
            // A panic that leaves a cleanup block aborts; the target of this range is never used.
            None => block.is_cleanup.then(|| self.b.begin_unwind(label, UnwindFrom::Cleanup)),
        };
        for (stmt, site) in &block.stmts {
            self.b.at(site::encode(*site));
            let mark = self.b.mark();
            if let Err(gap) = self.stmt(stmt) {
                self.gap(stmt, &gap);
            }
            self.b.release(mark);
        }
        let (term, site) = &block.term;
        self.b.at(site::encode(*site));
        let mark = self.b.mark();
        if let Err(gap) = self.term(term) {
            let cause = self.cx.cause(&gap.0);
            self.b.push(Instr::Unknown { dst: 0, size: 0, cause });
            self.b.push(Instr::Unreachable);
        }
        self.b.release(mark);
        if let Some(range) = range {
            self.b.end_unwind(range);
        }
    }

    /// Makes the destination of a statement uninterpreted because the statement could not be translated.
    fn gap(&mut self, stmt: &Stmt, gap: &Unsupported) {
        // Lowering's cause comes first: code that it did not understand has no type either.
        let first = match stmt {
            Stmt::Assign(_, Rvalue::Unknown(index)) => self.body.gaps.get(*index as usize).map(|gap| &*gap.cause),
            _ => None,
        };
        let cause = first.unwrap_or(&gap.0).to_owned();
        let cause = self.cx.cause(&cause);
        let dest = match stmt {
            Stmt::Assign(dest, _) | Stmt::Call { dest, .. } => Some(dest),
            _ => None,
        };
        let done = dest.map(|dest| {
            let place = self.place(dest)?;
            self.unknown(&place, &gap.0)
        });
        if !matches!(done, Some(Ok(()))) {
            self.b.push(Instr::Unknown { dst: 0, size: 0, cause });
        }
    }

    /// Writes an uninterpreted value to a place.
    pub fn unknown(&mut self, place: &PlaceVal<'db>, cause: &str) -> Result<(), Unsupported> {
        let (size, align) = self.cx.size_align(place.ty)?;
        let cause = self.cx.cause(cause);
        if let Storage::Slot(dst) = place.at {
            self.b.push(Instr::Unknown { dst, size, cause });
        } else {
            let dst = self.b.temp(size, align);
            self.b.push(Instr::Unknown { dst, size, cause });
            place::write_bytes(&mut self.b, place, dst, size);
        }
        Ok(())
    }

    /// Evaluates a place of the body.
    pub fn place(&mut self, place: &Place) -> Result<PlaceVal<'db>, Unsupported> {
        let mut at = self.locals[place.local.0 as usize].place.clone()?;
        for proj in &place.proj {
            at = self.project(at, proj)?;
        }
        Ok(at)
    }

    fn project(&mut self, at: PlaceVal<'db>, proj: &Proj) -> Result<PlaceVal<'db>, Unsupported> {
        let (cx, b) = (&mut self.cx, &mut self.b);
        match proj {
            Proj::Deref => place::deref(cx, b, at),
            Proj::Field(index) => place::field(cx, b, at, *index),
            Proj::Downcast(variant) => Ok(PlaceVal { variant: *variant, ..at }),
            Proj::Index(local) => {
                let index = self.local_slot(*local)?;
                place::index(&mut self.cx, &mut self.b, at, index)
            }
            Proj::ConstIndex { offset, from_end } => place::const_index(cx, b, at, *offset, *from_end),
            Proj::Subslice { from, to } => place::subslice(cx, b, at, *from, *to),
        }
    }

    /// Like [`Self::place`], with the maximum alignment set by enclosing packed structs.
    fn place_packed(&mut self, place: &Place) -> Result<(PlaceVal<'db>, Option<u64>), Unsupported> {
        let (mut at, mut pack) = (self.locals[place.local.0 as usize].place.clone()?, None);
        for proj in &place.proj {
            pack = match proj {
                Proj::Deref => None,
                _ => self.cx.program.types.packing(at.ty).into_iter().chain(pack).min(),
            };
            at = self.project(at, proj)?;
        }
        Ok((at, pack))
    }

    /// The slot with a local's value.
    pub fn local_slot(&mut self, local: LocalId) -> Result<Slot, Unsupported> {
        let place = self.locals[local.0 as usize].place.clone()?;
        place::read(&mut self.cx, &mut self.b, &place)
    }

    /// The slot with an operand's value, and its type. For an unsized value the slot holds its address.
    pub fn operand(&mut self, op: &Operand) -> Result<(Slot, Ty<'db>), Unsupported> {
        match op {
            Operand::Use(place) => {
                let place = self.place(place)?;
                Ok((place::read(&mut self.cx, &mut self.b, &place)?, place.ty))
            }
            Operand::Const(konst) => consts::constant(self, konst),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Unsupported> {
        match stmt {
            Stmt::Assign(dest, rvalue) => {
                let dest = self.place(dest)?;
                rvalue::assign(self, &dest, rvalue)
            }
            Stmt::Call { dest, callee, args } => call::call(self, dest, callee, args),
            Stmt::Drop(place) => {
                let (place, pack) = self.place_packed(place)?;
                if self.cx.needs_drop(place.ty) {
                    glue::drop_part(&mut self.cx, &mut self.b, &place, pack)?;
                }
                Ok(())
            }
            Stmt::FreeBox(place) => {
                let place = self.place(place)?;
                glue::free_box(&mut self.cx, &mut self.b, &place)
            }
            Stmt::Bounds { index, of } => {
                let place = self.place(of)?;
                let index = self.local_slot(*index)?;
                let len = place::len(&mut self.cx, &place)?.slot(&mut self.b);
                self.b.push(Instr::Bounds { index, len });
                Ok(())
            }
            Stmt::Omitted(gap) => {
                let cause = self.body.gaps.get(*gap as usize).map_or("unsupported code", |gap| &*gap.cause);
                let cause = self.cx.cause(cause);
                self.b.push(Instr::Omitted { cause });
                Ok(())
            }
            Stmt::Await => {
                self.b.push(Instr::Await);
                Ok(())
            }
            Stmt::StorageDead(local) => {
                let local = &self.locals[local.0 as usize];
                if let (Ok(PlaceVal { at: Storage::Shared(slot), .. }), size) = (&local.place, local.size) {
                    self.b.push(Instr::StorageDead { slot: *slot, size });
                }
                Ok(())
            }
        }
    }

    fn term(&mut self, term: &Term) -> Result<(), Unsupported> {
        match term {
            Term::Goto(to) => {
                let to = self.label(*to);
                self.b.jump(to);
            }
            Term::If(op, yes, no) => {
                let (cond, _) = self.operand(op)?;
                let (yes, no) = (self.label(*yes), self.label(*no));
                self.b.branch(cond, yes, no);
            }
            Term::Switch(op, table, default) => {
                let (src, ty) = self.operand(op)?;
                let size = self.cx.layout(ty)?.size32()?;
                let mask = tag_mask(size);
                let table = table.iter().map(|&(value, to)| (value & mask, self.label(to).pc())).collect();
                let default = self.label(*default).pc();
                self.b.push(Instr::Switch { src, size: size as u8, table, default });
            }
            Term::Variant(place, table, default) => {
                let place = self.place(place)?;
                let table: Vec<_> = table.iter().map(|&(variant, to)| (variant, self.label(to))).collect();
                let default = self.label(*default);
                switch::by_variant(&mut self.cx, &mut self.b, &place, &table, default)?;
            }
            Term::Return => {
                // If the result is borrowed it is in the same slot; the machine copies it from there.
                self.b.push(Instr::Return);
            }
            Term::Resume => {
                self.b.push(Instr::Unwind);
            }
            Term::Unreachable => {
                self.b.push(Instr::Unreachable);
            }
            Term::Suspend { arg, resume, drop } => {
                let arg = self.place(arg)?;
                let (resume, drop) = (self.label(*resume), self.label(*drop));
                if let Storage::Slot(slot) = arg.at {
                    self.b.push(Instr::Suspend { arg: slot, resume: resume.pc(), drop: drop.pc() });
                } else {
                    let slot = self.b.temp64();
                    let stored = self.b.label();
                    self.b.push(Instr::Suspend { arg: slot, resume: stored.pc(), drop: drop.pc() });
                    self.b.bind(stored);
                    place::write_bytes(&mut self.b, &arg, slot, 8);
                    self.b.jump(resume);
                }
            }
        }
        Ok(())
    }
}
