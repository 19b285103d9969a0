//! What findings call objects, functions and places: the questions that a rule may ask of the program's names.

use crate::project::Place;
use interp::{finding::StackEntry, ir::GlobalId};

/// How the source speaks of an object; the better way is the smaller one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Name {
    /// What kind of name it is.
    pub kind: NameKind,
    /// Where a local is declared: of several, the one declared first counts.
    pub declared: Option<Place>,
    /// The name: `Ledger.accounts`, `CACHE`, `m`.
    pub text: String,
    /// What tells it from others of that name: for a field the variable it was reached through, for a local its function.
    pub of: Option<String>,
}

/// Kinds of names, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NameKind {
    /// A field of a type.
    Field,
    /// A static.
    Static,
    /// What a function gives access to.
    Given,
    /// A variable, or a part of one.
    Local,
}

/// What a rule may ask while it words a finding.
pub trait Names {
    /// Where the operation at an entry of a stack stands.
    fn place(&mut self, entry: &StackEntry) -> Option<Place>;
    /// Whether nobody's code calls what runs, but a harness.
    fn is_harness(&self) -> bool {
        false
    }
    /// The functions that a harness has called, up to the calls in which these stacks are.
    fn calls(&mut self, _events: &[&[StackEntry]]) -> Vec<String> {
        Vec::new()
    }
    /// Name of the function of an entry.
    fn function(&mut self, entry: &StackEntry) -> String;
    /// The modules of its crate that it is in, each with `::` behind it.
    fn modules(&mut self, entry: &StackEntry) -> String;
    /// Whether the operation at an entry gives a place a new value made of its old one, as `+=` does.
    fn updates(&mut self, entry: &StackEntry) -> bool;
    /// Name of a static.
    fn global(&mut self, id: GlobalId) -> Option<String>;
    /// How the source speaks of the object of the operation at a stack's top: what the innermost code of the workspace
    /// calls it. `started` is where the thread was started.
    fn object(&mut self, stack: &[StackEntry], started: &[StackEntry]) -> Option<Name>;
    /// The last line at which a guard made there still lives, where that is certain.
    fn kept_to(&mut self, stack: &[StackEntry]) -> Option<u32>;
    /// How the guard made at one stack could be dropped before the wait at another, if it is not needed after.
    fn release(&mut self, taken: &[StackEntry], waits: &[StackEntry]) -> Option<Release>;
}

/// A guard that can be dropped earlier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Release {
    /// Its variable.
    pub guard: String,
    /// Before which statement: where it begins.
    pub place: Place,
    /// The white space before that statement in its line.
    pub indent: String,
}
