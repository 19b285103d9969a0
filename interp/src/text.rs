//! The textual form of the machine IR, so that the machine can be tested without a compiler (invariant 12).
//!
//! Guarantees: a printed module parses to the same module; parsing never panics on any text; a [`Module`] is a
//! [`Host`], so a text can be run directly. Papers do not enter here.
//!
//! ```text
//! // Parameters and result are slots and sizes; the frame's alignment, if it is not 16, and
//! // flags may follow the frame's size.
//! fn f0 "main" (s0:4) -> s4:4 frame 16 local {
//! again:
//!   bin_imm sub u32 s0 = s0, 1 @3        // `@3` is the site
//!   bin_imm eq u32 s8 = s0, 0
//!   branch s8, done, again
//! done:
//!   call s4 = f1(s0)
//!   return
//!   jump done
//!   on_unwind again..done -> done cleanup
//! }
//! fn f1 "model" (s0:4) -> s0:4 frame 16 = model 7 (8, 4)
//! fn f2 "foreign" () -> s0:0 frame 0 = unknown c0
//! global g0 "CACHE" size 8 align 8 init f2 static thread_local
//! data d0 "bytes\x00"
//! vtable v0 "Dog" size 8 align 8 drop f1 [f2, none]
//! cause c0 "foreign function"
//! trap add_overflow f2
//! known run_thread_local_destructors f2
//! location size 24 file 0 line 16 column 20
//! ```
//!
//! [`Host`]: crate::host::Host

mod codec;
mod host;
mod lex;
mod names;
mod parse;
mod print;
mod syntax;
mod verify;

pub use print::code_to_string;
pub use verify::{VerifyError, verify};

use crate::host::{KnownFn, LocationLayout};
use crate::ir::{CauseId, Code, DataId, FnId, Global, GlobalId, Trap, Vtable, VtableId};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// A program as a set of items.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// Functions.
    pub functions: BTreeMap<FnId, Rc<Code>>,
    /// Statics, consts and promoted expressions.
    pub globals: BTreeMap<GlobalId, Arc<Global>>,
    /// Literals.
    pub data: BTreeMap<DataId, Arc<[u8]>>,
    /// Vtables.
    pub vtables: BTreeMap<VtableId, Arc<Vtable>>,
    /// Texts of causes.
    pub causes: BTreeMap<CauseId, Arc<str>>,
    /// Panic functions.
    pub traps: Vec<(Trap, FnId)>,
    /// Functions that the machine calls.
    pub known: Vec<(KnownFn, FnId)>,
    /// Layout of `core::panic::Location`.
    pub location: LocationLayout,
}

/// The layout that rustc gives `core::panic::Location` on 64-bit targets.
const LOCATION: LocationLayout = LocationLayout { size: 24, file: 0, line: 16, column: 20 };

impl Default for Module {
    fn default() -> Module {
        Module {
            functions: BTreeMap::new(),
            globals: BTreeMap::new(),
            data: BTreeMap::new(),
            vtables: BTreeMap::new(),
            causes: BTreeMap::new(),
            traps: Vec::new(),
            known: Vec::new(),
            location: LOCATION,
        }
    }
}

impl Module {
    /// The function with this name; the one with the lowest number if there are several.
    pub fn function(&self, name: &str) -> Option<FnId> {
        self.functions.iter().find(|(_, code)| &*code.name == name).map(|(&func, _)| func)
    }

    /// Verifies all functions; each error comes with its function.
    pub fn verify(&self) -> Result<(), Vec<(FnId, VerifyError)>> {
        let errors_of = |(&func, code): (&FnId, &Rc<Code>)| {
            verify(code).err().unwrap_or_default().into_iter().map(move |error| (func, error)).collect::<Vec<_>>()
        };
        let errors: Vec<_> = self.functions.iter().flat_map(errors_of).collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// Parses a module.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    parse::module(text)
}

/// The error for invalid text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub col: u32,
    /// What was expected, or what is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests;
