//! Functions that start threads, directly or by what they call.

use super::{Driven, Subject, View};
use crate::{
    ir::{BodyIr, Callee, LoweredBody, Stmt},
    lower::lowered,
    std_models::sites::{self, SiteKind},
};
use hir_def::{
    DefWithBodyId, FunctionId,
    signatures::{FnFlags, FunctionSignature},
};
use indexmap::IndexMap;
use ra_ap_hir_def as hir_def;
use ra_ap_ide_db::RootDatabase;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// Of these functions those that start threads themselves, and those at which a way begins that leads to one. What `roots`
/// reach is left out: it starts from there.
pub(crate) fn starters(db: &RootDatabase, functions: &[FunctionId], roots: &FxHashSet<FunctionId>) -> Vec<Driven> {
    let mut calls: IndexMap<FunctionId, Vec<FunctionId>, FxBuildHasher> = IndexMap::default();
    let mut direct: FxHashSet<FunctionId> = FxHashSet::default();
    for func in functions {
        let body = lowered(db, DefWithBodyId::FunctionId(*func));
        let (starts, called) = scan(db, &body);
        if starts {
            direct.insert(*func);
        }
        calls.insert(*func, called);
    }
    let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for (func, called) in &calls {
        for callee in called {
            callers.entry(*callee).or_default().push(*func);
        }
    }
    let mut starts: Vec<FunctionId> = calls.keys().copied().filter(|func| direct.contains(func)).collect();
    let mut reaching: FxHashSet<FunctionId> = starts.iter().copied().collect();
    while let Some(func) = starts.pop() {
        for caller in callers.get(&func).into_iter().flatten() {
            if reaching.insert(*caller) {
                starts.push(*caller);
            }
        }
    }
    let mut reached: Vec<FunctionId> = roots.iter().copied().collect();
    let mut known: FxHashSet<FunctionId> = roots.clone();
    while let Some(func) = reached.pop() {
        for callee in calls.get(&func).into_iter().flatten() {
            if known.insert(*callee) {
                reached.push(*callee);
            }
        }
    }
    let is_start = |func: &&FunctionId| {
        let is_unsafe = FunctionSignature::of(db, **func).flags.contains(FnFlags::UNSAFE);
        let is_first = callers.get(*func).is_none_or(|callers| callers.iter().all(|it| it == *func));
        !is_unsafe && !known.contains(*func) && (direct.contains(*func) || is_first && reaching.contains(*func))
    };
    let found = calls.keys().filter(is_start);
    found.map(|func| Driven { subject: Subject::Function(*func), view: View::Inside }).collect()
}

/// Whether a body starts a thread, and the functions that it names.
fn scan(db: &RootDatabase, body: &LoweredBody) -> (bool, Vec<FunctionId>) {
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
