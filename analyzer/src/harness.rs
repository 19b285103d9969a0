//! Harnesses: generated code that calls what nobody else calls (decision 18). For a library it calls its public
//! functions in sequence, on values made by its own constructors; for any crate, functions that start threads, *in the
//! middle*.
//!
//! A harness is hand-built generic IR. Numbers and texts are made up from the run's seed, like other inputs. All other
//! values are made as users make them: with `new` and similar functions, `Default`, variants, public fields. Functions
//! whose arguments cannot be made are not called, and are reported. So a harness does nothing that a user's safe code
//! could not do: a data race that it shows is the library's. A harness that waits forever proves less, see
//! `explore::harness`.

mod bounds;
mod builder;
mod function;
mod makers;
mod methods;
mod starts;
mod surface;
mod value;

use crate::{guard, ir::BodyIr, std_models, types::TypeCx};
use hir_def::{AdtId, DefWithBodyId, FunctionId};
use hir_ty::{db::HirDatabase, next_solver::Ty};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(crate) use builder::call_at;
pub(crate) use starts::{Starter, starters};
pub(crate) use surface::public;

/// What a harness calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// A function.
    Function(FunctionId),
    /// The public methods of a type, on one value while they leave it intact.
    Type(AdtId),
}

/// Which items a harness can name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// As from another crate: public items.
    Outside,
    /// As from anywhere in the item's own crate.
    Inside,
}

/// The target of a harness.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HarnessTarget {
    /// What is called.
    pub subject: Subject,
    /// Which items it may use.
    pub view: View,
}

/// Where a process starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// At a function without parameters.
    Function(FunctionId),
    /// At a harness.
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

/// The code of a harness.
#[derive(Clone, Debug)]
pub struct Harness {
    /// Its type is `fn()`; the site of a call is its index in `calls`.
    pub body: Arc<BodyIr>,
    /// The functions that it calls, including constructors.
    pub calls: Arc<[FunctionId]>,
    /// What it does not call.
    pub skipped: Arc<[Skipped]>,
}

/// Whether a body is a helper of the harnesses.
pub(crate) fn is_helper(db: &dyn HirDatabase, owner: DefWithBodyId) -> bool {
    let DefWithBodyId::FunctionId(func) = owner else { return false };
    std_models::path(db, func).is_some_and(|path| path.starts_with(std_models::harness::HELPERS))
}

/// The body of a function that returns a value of a type, made from anywhere in its crate; the parameter is the value's
/// label.
pub(crate) fn value<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>) -> Option<BodyIr> {
    let mut builder = builder::HarnessBuilder::of_value(cx, ty);
    let why = match builder.make(ty, "", 0) {
        Ok(value) => {
            builder.give(value);
            None
        }
        Err(why) => Some(why),
    };
    Some(builder.into_body(why))
}

/// Builds the generic IR of a harness.
pub(crate) fn build(cx: &mut TypeCx<'_>, target: HarnessTarget) -> Harness {
    let db = cx.db;
    let harness = guard::caught(db, || {
        let mut builder = builder::HarnessBuilder::new(cx, target.view);
        match target.subject {
            Subject::Function(function) => builder.build_for_function(function),
            Subject::Type(adt) => builder.build_for_type(adt),
        }
        builder.finish()
    });
    harness.unwrap_or_else(|| {
        let mut builder = builder::HarnessBuilder::new(cx, target.view);
        builder.give_up(target.subject);
        builder.finish()
    })
}
