//! Functions that start threads, directly or through calls, and functions that lock.

use super::{HarnessTarget, Subject, View};
use crate::{
    database::Database,
    ir::{BodyIr, Callee, LoweredBody, Stmt},
    lower::lowered,
    std_models::sites::{self, SiteKind},
};
use hir_def::{
    DefWithBodyId, FunctionId,
    signatures::{FnFlags, FunctionSignature},
};
use indexmap::{IndexMap, IndexSet};
use ra_ap_hir_def as hir_def;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// A function that locks, or from which calls lead to the start of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Starter {
    /// Its harness.
    pub(crate) target: HarnessTarget,
    /// The functions reached that start threads directly; the function itself if it only locks.
    pub(crate) starts: Vec<FunctionId>,
}

/// Those of `functions` that start threads or lock directly, and those that nothing calls and that reach one that starts
/// a thread.
pub(crate) fn starters(db: &Database, functions: &[FunctionId]) -> Vec<Starter> {
    let mut calls: IndexMap<FunctionId, Vec<FunctionId>, FxBuildHasher> = IndexMap::default();
    let mut direct: FxHashSet<FunctionId> = FxHashSet::default();
    let mut locking: FxHashSet<FunctionId> = FxHashSet::default();
    for func in functions {
        let scanned = scan(db, &lowered(db, DefWithBodyId::FunctionId(*func)));
        if scanned.starts {
            direct.insert(*func);
        }
        if scanned.locks {
            locking.insert(*func);
        }
        calls.insert(*func, scanned.called);
    }
    let called: FxHashSet<FunctionId> =
        calls.iter().flat_map(|(func, called)| called.iter().copied().filter(move |it| it != func)).collect();
    let is_unsafe = |func| FunctionSignature::of(db, func).flags.contains(FnFlags::UNSAFE);
    let starter = |func: FunctionId| {
        let is_first = direct.contains(&func) || !called.contains(&func);
        let mut starts = match is_first {
            true => reached(&calls, func).filter(|it| direct.contains(it)).collect::<Vec<_>>(),
            false => Vec::new(),
        };
        if starts.is_empty() && locking.contains(&func) {
            starts.push(func);
        }
        let target = HarnessTarget { subject: Subject::Function(func), view: View::Inside };
        (!starts.is_empty() && !is_unsafe(func)).then_some(Starter { target, starts })
    };
    calls.keys().copied().filter_map(starter).collect()
}

/// All functions reached from a function, including itself.
fn reached(
    calls: &IndexMap<FunctionId, Vec<FunctionId>, FxBuildHasher>,
    from: FunctionId,
) -> impl Iterator<Item = FunctionId> {
    let mut found: IndexSet<FunctionId, FxBuildHasher> = IndexSet::default();
    found.insert(from);
    let mut next = 0;
    while let Some(func) = found.get_index(next).copied() {
        next += 1;
        found.extend(calls.get(&func).into_iter().flatten().filter(|it| calls.contains_key(*it)));
    }
    found.into_iter()
}

/// Whether a body starts a thread or locks, and the functions that it calls.
#[derive(Default)]
struct Scanned {
    /// Whether it starts a thread.
    starts: bool,
    /// Whether it locks.
    locks: bool,
    /// The functions that it calls.
    called: Vec<FunctionId>,
}

fn scan(db: &Database, body: &LoweredBody) -> Scanned {
    let mut scanned = Scanned::default();
    for body in std::iter::once(&body.root).chain(body.closures.iter().map(|(_, body)| body)) {
        each_call(body, &mut |func, self_ty| {
            let kind = sites::kind(db, func, self_ty);
            scanned.starts |= kind == Some(SiteKind::Spawn);
            scanned.locks |= kind == Some(SiteKind::Lock);
            scanned.called.push(func);
        });
    }
    scanned
}

fn each_call<'a>(body: &'a BodyIr, found: &mut dyn FnMut(FunctionId, Option<ra_ap_hir_ty::next_solver::Ty<'a>>)) {
    for block in &body.blocks {
        for (stmt, _) in &block.stmts {
            if let Stmt::Call { callee: Callee::Fn(func, args), .. } = stmt {
                found(*func, args.as_ref().types().next());
            }
        }
    }
}
