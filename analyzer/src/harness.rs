//! Harnesses: generated code that calls functions no other entry reaches (decision 18). For a library, they call the
//! public functions in sequence, on values made by its own constructors, and the methods of `Sync` types from two threads
//! at once. For any crate, they call the functions that start threads or lock, in the middle of the program.
//!
//! A harness is handwritten generic IR. Numbers and texts are inputs, made up from the run's seed. All other values
//! come from public means: `new` and similar constructors, `Default`, variants, public fields. A function whose
//! arguments cannot be made is skipped and reported. So a harness does nothing that a user's safe code could not do,
//! and a data race that it shows is the library's fault. A harness that blocks forever may itself be the cause, see
//! `explore::harness`.

mod bounds;
mod builder;
mod function;
mod in_test;
mod makers;
mod methods;
mod peers;
mod starts;
mod surface;
pub(crate) mod test_source;
mod threads;
mod used;
mod value;

use crate::{
    guard,
    ir::BodyIr,
    std_models::{self, harness::CallKind},
    types::TypeCx,
};
use hir_def::{AdtId, DefWithBodyId, FunctionId, HasModule, ModuleId};
use hir_ty::{db::HirDatabase, next_solver::Ty};
use ra_ap_base_db::Crate;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(crate) use builder::call_at;
pub(crate) use in_test::{TestWithCalls, with_calls, without_calls};
pub(crate) use starts::{Starter, starters};
pub(crate) use surface::{
    has_one_of, is_shareable, modules_with_statics, promise, promising, public, public_traits, returns_pair,
};

/// The item that a harness calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// A function.
    Function(FunctionId),
    /// The public methods of a type, called on the same value where possible.
    Type(AdtId),
    /// The same from two threads at once, as `Send` and `Sync` allow it.
    Threads(AdtId),
    /// The same on values of type parameters that are not `Send` or not `Sync` themselves.
    Promises(AdtId),
    /// A function that returns a pair, each half of which is used by a thread of its own.
    Halves(FunctionId),
    /// The public functions of a module that has statics, called from two threads at once.
    Functions(ModuleId),
    /// The public methods of a type, called from two threads where a test uses a value of it.
    InTest(FunctionId, AdtId),
}

impl Subject {
    /// The crate of the item.
    fn krate(self, db: &dyn HirDatabase) -> Crate {
        let module = match self {
            Subject::Function(func) | Subject::Halves(func) | Subject::InTest(func, _) => func.module(db),
            Subject::Type(adt) | Subject::Threads(adt) | Subject::Promises(adt) => adt.module(db),
            Subject::Functions(module) => module,
        };
        module.krate(db)
    }

    /// Whether its calls come from several threads.
    pub(crate) fn is_at_once(self) -> bool {
        !matches!(self, Subject::Function(_) | Subject::Type(_))
    }
}

/// Whose items a harness can use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// Public items, as seen from another crate.
    Outside,
    /// All items visible inside the item's own crate.
    Inside,
}

/// The purpose of a harness.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HarnessTarget {
    /// The item to call.
    pub subject: Subject,
    /// The items it may use.
    pub view: View,
}

/// The start of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// A function without parameters.
    Function(FunctionId),
    /// A harness.
    Harness(HarnessTarget),
}

impl Start {
    /// The harness, if it is one.
    pub fn harness(self) -> Option<HarnessTarget> {
        match self {
            Start::Harness(target) => Some(target),
            Start::Function(_) => None,
        }
    }
}

/// An item that a harness does not call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Skipped {
    /// The name of a function, or of a type whose methods need a value.
    pub item: String,
    /// The reason.
    pub why: String,
}

/// The generic IR of a harness.
#[derive(Clone, Debug)]
pub struct Harness {
    /// `fn()`. The site of a call is its index in `calls`.
    pub body: Arc<BodyIr>,
    /// The called functions, including constructors.
    pub calls: Arc<[FunctionId]>,
    /// The skipped items.
    pub skipped: Arc<[Skipped]>,
}

/// Whether a body is one of the helpers of harnesses.
pub(crate) fn is_helper(db: &dyn HirDatabase, owner: DefWithBodyId) -> bool {
    let DefWithBodyId::FunctionId(func) = owner else { return false };
    std_models::path(db, func).is_some_and(|path| path.starts_with(std_models::harness::HELPERS))
}

/// The body of a function that returns a value of a type, made of the items that a view sees. Its parameter is the label of
/// the value.
pub(crate) fn value<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>, view: View) -> Option<BodyIr> {
    let mut builder = builder::HarnessBuilder::for_value(cx, ty, view);
    let why = match builder.make(ty, "", 0) {
        Ok(value) => {
            builder.set_result(value);
            None
        }
        Err(why) => Some(why),
    };
    Some(builder.into_body(why))
}

/// The body of a function that makes one call, which the run's seed chooses. Its parameters are the object and,
/// depending on the kind, another one, or none at all; and the label of the choice.
pub(crate) fn one_call<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>, kind: CallKind) -> BodyIr {
    let db = cx.db;
    let body = guard::caught(db, || builder::HarnessBuilder::for_call(cx, ty, kind).build_call(ty, kind));
    body.unwrap_or_else(|| builder::HarnessBuilder::for_call(cx, ty, kind).into_body(None))
}

/// Builds the generic IR of a harness.
pub(crate) fn build(cx: &mut TypeCx<'_>, target: HarnessTarget) -> Harness {
    let db = cx.db;
    let harness = guard::caught(db, || {
        let mut builder = builder::HarnessBuilder::new(cx, target.view);
        match target.subject {
            Subject::Function(function) => builder.build_for_function(function),
            Subject::Type(adt) => builder.build_for_type(adt),
            Subject::Threads(adt) => {
                builder.build_for_threads(adt);
            }
            // Its code is that of the test.
            Subject::InTest(..) => {}
            Subject::Promises(adt) => builder.build_for_promises(adt),
            Subject::Halves(function) => builder.build_for_halves(function),
            Subject::Functions(module) => builder.build_for_functions(module),
        }
        builder.finish()
    });
    harness.unwrap_or_else(|| {
        let mut builder = builder::HarnessBuilder::new(cx, target.view);
        builder.give_up(target.subject);
        builder.finish()
    })
}
