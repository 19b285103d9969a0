//! Inlining.
//!
//! The callee's instructions are copied between an `Enter`, which replaces the call, and `Leave`s, which replace its
//! returns; its slots move behind the caller's frame. Nothing else changes, so a run stays the same step by step (see
//! [`crate::unit`]).

use super::uses;
use crate::ir::{Body, Code, FRAME_ALIGN, FnId, Instr, Pc, Slot, UnwindRange};
use crate::unit::{ROOT, Scope, Unit};
use std::rc::Rc;

/// Maximum number of instructions of a callee.
const LARGEST_CALLEE: usize = 80;
/// Maximum number of instructions of the result.
const LARGEST: usize = 4000;
/// Maximum size of the result's frame.
const LARGEST_FRAME: u32 = 1 << 16;
/// Maximum depth of inlined calls.
const DEEPEST: u32 = 16;

/// Inlines calls in `plain`, the code of `func`; `None` if none can be inlined. `callee` returns the host's code of
/// functions that were reached. `patience` is the new unit's.
pub(crate) fn inline<'a>(
    func: FnId,
    plain: &Rc<Unit>,
    callee: &dyn Fn(FnId) -> Option<&'a Rc<Unit>>,
    patience: u32,
) -> Option<Unit> {
    if plain.body != Body::Ir || plain.flags.is_coroutine || plain.frame_size > LARGEST_FRAME {
        return None;
    }
    let mut splicer = Splicer { chain: vec![func], ..Splicer::new(callee) };
    let places = splicer.splice(ROOT, plain, 0);
    if splicer.scopes.is_empty() {
        return None;
    }
    let code = Code {
        name: plain.name.clone(),
        body: Body::Ir,
        frame_size: plain.frame_size,
        frame_align: plain.frame_align,
        params: plain.params.clone(),
        ret: plain.ret,
        instrs: splicer.instrs.into(),
        sites: splicer.sites.into(),
        unwind: splicer.unwind.into(),
        flags: plain.flags,
    };
    Some(Unit::inlined(plain.clone(), code, splicer.scopes, splicer.scope_of, splicer.host_pcs, places, patience))
}

struct Splicer<'f, 'a> {
    callee: &'f dyn Fn(FnId) -> Option<&'a Rc<Unit>>,
    /// The functions that enclose the current position.
    chain: Vec<FnId>,
    instrs: Vec<Instr>,
    sites: Vec<crate::ir::Site>,
    unwind: Vec<UnwindRange>,
    scopes: Vec<Scope>,
    scope_of: Vec<u16>,
    host_pcs: Vec<Pc>,
}

impl<'f, 'a> Splicer<'f, 'a> {
    fn new(callee: &'f dyn Fn(FnId) -> Option<&'a Rc<Unit>>) -> Splicer<'f, 'a> {
        Splicer {
            callee,
            chain: Vec::new(),
            instrs: Vec::new(),
            sites: Vec::new(),
            unwind: Vec::new(),
            scopes: Vec::new(),
            scope_of: Vec::new(),
            host_pcs: Vec::new(),
        }
    }

    /// Appends code whose frame starts at `base`; returns the new positions of its instructions.
    fn splice(&mut self, scope: u16, code: &Code, base: Slot) -> Vec<Pc> {
        let cleaning = in_cleanup(code);
        let mut places = Vec::with_capacity(code.instrs.len());
        for (pc, instr) in code.instrs.iter().enumerate() {
            places.push(self.instrs.len() as Pc);
            let (instr, callee) = match instr {
                Instr::Call { func, args, dst } if !cleaning[pc] => match self.fitting(*func, args, *dst, code, base) {
                    Some(callee) => {
                        let number = self.begin(scope, *func, callee, args, *dst, code, base);
                        (Instr::Enter { scope: number.into() }, Some((*func, callee, number)))
                    }
                    None => (instr.clone(), None),
                },
                Instr::Return if scope != ROOT => (Instr::Leave { scope: scope.into() }, None),
                _ => (instr.clone(), None),
            };
            self.instrs.push(instr);
            self.sites.push(code.sites[pc]);
            self.scope_of.push(scope);
            self.host_pcs.push(pc as Pc);
            match callee {
                Some((func, callee, number)) => {
                    self.chain.push(func);
                    self.splice(number, callee, base + code.frame_size);
                    self.chain.pop();
                    self.scopes[usize::from(number) - 1].after = self.instrs.len() as Pc;
                }
                None => {
                    if let Some(instr) = self.instrs.last_mut() {
                        uses::visit(instr, &mut |slot, _, _| *slot += base);
                    }
                }
            }
        }
        let end = self.instrs.len() as Pc;
        let place = |pc: Pc| places.get(pc as usize).copied().unwrap_or(end);
        for &at in &places {
            uses::targets(&mut self.instrs[at as usize], &mut |to| *to = place(*to));
        }
        self.unwind.extend(code.unwind.iter().map(|range| UnwindRange {
            start: place(range.start),
            end: place(range.end),
            target: place(range.target),
            in_cleanup: range.in_cleanup,
        }));
        places
    }

    /// The callee of a call that can be inlined in `code`, whose frame is at `base`.
    fn fitting(&self, func: FnId, args: &[Slot], dst: Slot, code: &Code, base: Slot) -> Option<&'a Rc<Unit>> {
        let callee = (self.callee)(func)?;
        let inside =
            |slot: Slot, size: u32| size == 0 || slot.checked_add(size).is_some_and(|end| end <= code.frame_size);
        let fits = callee.body == Body::Ir
            && !callee.flags.is_coroutine
            && !callee.flags.no_unwind
            // A call of it is an event.
            && callee.flags.api.is_none()
            && !callee.flags.drops_owner
            && !callee.flags.counts_owners
            // Its frame follows the caller's, at any multiple of 16.
            && callee.frame_align <= FRAME_ALIGN
            && !callee.instrs.is_empty()
            && callee.instrs.len() <= LARGEST_CALLEE
            && self.instrs.len() + callee.instrs.len() <= LARGEST
            && self.scopes.len() < usize::from(u16::MAX)
            && u64::from(base) + u64::from(code.frame_size) + u64::from(callee.frame_size) <= u64::from(LARGEST_FRAME)
            && self.chain.len() <= DEEPEST as usize
            && !self.chain.contains(&func)
            && args.len() == callee.params.len()
            && inside(dst, callee.ret.1)
            && callee.params.iter().zip(args).all(|(param, slot)| inside(*slot, param.1));
        fits.then_some(callee)
    }

    /// Creates a scope; returns its number.
    #[expect(clippy::too_many_arguments, reason = "a call is that much")]
    fn begin(
        &mut self,
        parent: u16,
        func: FnId,
        callee: &Code,
        args: &[Slot],
        dst: Slot,
        code: &Code,
        base: Slot,
    ) -> u16 {
        let own = base + code.frame_size;
        let passed = callee.params.iter().zip(args).filter(|(param, _)| param.1 > 0);
        self.scopes.push(Scope {
            parent,
            level: self.chain.len() as u32,
            enter: self.instrs.len() as Pc,
            after: 0,
            func,
            flags: callee.flags,
            base: own,
            size: callee.frame_size,
            args: passed.map(|(&(slot, size), &arg)| (own + slot, base + arg, size)).collect(),
            ret: (base + dst, own + callee.ret.0, callee.ret.1),
        });
        self.scopes.len() as u16
    }
}

/// Which instructions belong to cleanups, where panics behave differently.
fn in_cleanup(code: &Code) -> Vec<bool> {
    let mut found = vec![false; code.instrs.len()];
    let mut queue: Vec<Pc> = code.unwind.iter().map(|range| range.target).collect();
    while let Some(start) = queue.pop() {
        #[expect(clippy::needless_range_loop, reason = "`pc` indexes the instructions too")]
        for pc in start as usize..found.len() {
            if std::mem::replace(&mut found[pc], true) {
                break;
            }
            let mut instr = code.instrs[pc].clone();
            uses::targets(&mut instr, &mut |to| queue.push(*to));
            if uses::diverges(&instr) {
                break;
            }
        }
    }
    found
}
