//! Names of objects, functions and locations in findings: the interface through which rules ask for them.

use crate::project::Location;
use interp::{finding::StackEntry, ir::GlobalId};

/// How the source names an object; a better name is smaller.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Name {
    /// What kind of name it is.
    pub kind: NameKind,
    /// Where a local is declared; of several names, the one declared first is taken.
    pub declared: Option<Location>,
    /// The name: `Ledger.accounts`, `CACHE`, `m`.
    pub text: String,
    /// What distinguishes it from others with the same name: for a field, the variable through which it was reached;
    /// for a local, its function.
    pub of: Option<String>,
    /// Where the field or static is declared.
    pub item: Option<Location>,
}

/// Kinds of names, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NameKind {
    /// A field of a type.
    Field,
    /// A static.
    Static,
    /// The result of a function.
    Given,
    /// A local variable, or a part of one.
    Local,
}

/// A call that is made within another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestedCall {
    /// The outer function.
    pub of: String,
    /// The inner function.
    pub call: String,
    /// The caller of the inner function.
    pub by: NestedCaller,
}

/// The caller of a function within another call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NestedCaller {
    /// A function that the outer call was given.
    Callback,
    /// A waker that it wakes.
    Waker,
    /// A method of a trait, such as `Manager::create`, that its caller has to implement.
    Method(String),
}

/// What a rule can ask for while it writes a report.
pub trait Names {
    /// The location of the operation at a stack entry.
    fn location(&mut self, entry: &StackEntry) -> Option<Location>;
    /// Whether the run is that of a harness.
    fn is_harness(&self) -> bool {
        false
    }
    /// The functions that a harness has called, up to the calls that these stacks are in.
    fn calls(&mut self, _events: &[&[StackEntry]]) -> Vec<String> {
        Vec::new()
    }
    /// The calls that these stacks are in, if a harness makes them from several threads.
    fn calls_at_once(&mut self, _events: &[&[StackEntry]]) -> Vec<String> {
        Vec::new()
    }
    /// Whether a harness ends there what a callback of one of its calls borrows.
    fn ends_borrow(&mut self, _stack: &[StackEntry]) -> bool {
        false
    }
    /// The call of a harness that a stack is in, as made by one of several threads.
    fn concurrent_call(&mut self, _stack: &[StackEntry]) -> Option<String> {
        None
    }
    /// The call of a harness that a stack is in, and the call that one of its callbacks, or a waker, makes there.
    fn call_of_callback(&mut self, _stack: &[StackEntry]) -> Option<NestedCall> {
        None
    }
    /// The call of a harness whose future is waited for outside the workspace's code.
    fn awaited_call(&mut self, _stack: &[StackEntry]) -> Option<String> {
        None
    }
    /// The promise of thread safety that a type does not keep, if at each of these stacks a value is used that the type
    /// should not have given to several threads.
    fn broken_promise(&mut self, _events: &[&[StackEntry]]) -> Option<BrokenPromise> {
        None
    }
    /// Name of the function of a stack entry.
    fn function(&mut self, entry: &StackEntry) -> String;
    /// Its modules within the crate, each followed by `::`.
    fn modules(&mut self, entry: &StackEntry) -> String;
    /// Whether the operation at a stack entry replaces a value by one computed from it, as `+=` does.
    fn updates(&mut self, entry: &StackEntry) -> bool;
    /// The end of the text of the operation at a stack entry, and how many before it in the same function end so: they
    /// distinguish operations when lines have moved.
    fn text(&mut self, _entry: &StackEntry) -> Option<(String, usize)> {
        None
    }
    /// Name of a static, and where it is declared.
    fn global(&mut self, id: GlobalId) -> Option<(String, Option<Location>)>;
    /// The name of the object of the operation at the top of a stack, in the innermost code of the workspace. `started`
    /// is the stack that started the thread.
    fn object(&mut self, stack: &[StackEntry], started: &[StackEntry]) -> Option<Name>;
    /// Which of the types that the configuration calls safe have a method on a stack; their numbers.
    fn known_safe(&mut self, _stack: &[StackEntry]) -> Vec<usize> {
        Vec::new()
    }
    /// The last line at which the guard created at this stack lives, if that is certain.
    fn kept_to(&mut self, stack: &[StackEntry]) -> Option<u32>;
    /// How the guard created at one stack could be dropped before the wait at another, if it is not needed afterwards.
    fn release(&mut self, taken: &[StackEntry], waits: &[StackEntry]) -> Option<Release>;
    /// The `.await` at which the body of a stack entry is suspended; `None` if it is not in source text of its own.
    fn awaits(&mut self, _entry: &StackEntry) -> Option<Awaits> {
        None
    }
    /// Whether the body of a stack entry awaits a future that is never ready, such as `std::future::pending()`.
    fn awaits_what_never_ends(&mut self, _entry: &StackEntry) -> bool {
        false
    }
}

/// An `unsafe impl` of `Send` or `Sync` that is not true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenPromise {
    /// The name of the type.
    pub of: String,
    /// The name of the type of the impl: the same, or that of a part of it.
    pub by: String,
    /// `Send` or `Sync`.
    pub what: String,
    /// The traits that the values of its parameters lack, for a sentence: not `Sync`.
    pub of_values: String,
    /// The impl.
    pub location: Location,
}

/// An `.await` at which a body is suspended, as source text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Awaits {
    /// The awaited expression, if it is short: `accounts.lock()`.
    pub what: Option<String>,
    /// The guards that are certainly held meanwhile: the expressions that were awaited to get them, with their lines.
    pub held: Vec<(String, u32)>,
}

/// A guard that can be dropped earlier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Release {
    /// Its variable.
    pub guard: String,
    /// The start of the statement before which it can be dropped.
    pub location: Location,
    /// The indentation of that statement.
    pub indent: String,
}
