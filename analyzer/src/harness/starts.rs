//! Functions that start threads, directly or through calls.

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

/// A function from which calls lead to the start of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Starter {
    /// Its harness.
    pub(crate) target: HarnessTarget,
    /// The functions reached that start threads directly.
    pub(crate) starts: Vec<FunctionId>,
}

/// Those of `functions` that start threads directly, and those that nothing calls and that reach one.
pub(crate) fn starters(db: &Database, functions: &[FunctionId]) -> Vec<Starter> {
    let mut calls: IndexMap<FunctionId, Vec<FunctionId>, FxBuildHasher> = IndexMap::default();
    let mut direct: FxHashSet<FunctionId> = FxHashSet::default();
    for func in functions {
        let (starts, called) = scan(db, &lowered(db, DefWithBodyId::FunctionId(*func)));
        if starts {
            direct.insert(*func);
        }
        calls.insert(*func, called);
    }
    let called: FxHashSet<FunctionId> =
        calls.iter().flat_map(|(func, called)| called.iter().copied().filter(move |it| it != func)).collect();
    let is_unsafe = |func| FunctionSignature::of(db, func).flags.contains(FnFlags::UNSAFE);
    let firsts = calls.keys().copied().filter(|func| direct.contains(func) || !called.contains(func));
    let starter = |func: FunctionId| {
        let starts = reached(&calls, func).filter(|it| direct.contains(it)).collect::<Vec<_>>();
        let target = HarnessTarget { subject: Subject::Function(func), view: View::Inside };
        (!starts.is_empty() && !is_unsafe(func)).then_some(Starter { target, starts })
    };
    firsts.filter_map(starter).collect()
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

/// Whether a body starts a thread, and the functions that it calls.
fn scan(db: &Database, body: &LoweredBody) -> (bool, Vec<FunctionId>) {
    let (mut starts, mut called) = (false, Vec::new());
    for body in std::iter::once(&body.root).chain(body.closures.iter().map(|(_, body)| body)) {
        each_call(body, &mut |func, self_ty| {
            starts |= sites::kind(db, func, self_ty) == Some(SiteKind::Spawn);
            called.push(func);
        });
    }
    (starts, called)
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
