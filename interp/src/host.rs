//! The interface through which the machine gets code, tables and source locations.

use crate::ir::{CauseId, Code, DataId, FnId, Global, GlobalId, Site, Trap, Vtable, VtableId};
use std::rc::Rc;
use std::sync::Arc;

/// A location in the source, as `Location` and reports show it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceLoc {
    /// Path as `Location::file` prints it.
    pub file: Arc<str>,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// Layout of `core::panic::Location`, which the machine fills in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocationLayout {
    /// Size of the struct.
    pub size: u32,
    /// Offset of the file name's (pointer, length).
    pub file: u32,
    /// Offset of the `u32` line.
    pub line: u32,
    /// Offset of the `u32` column.
    pub column: u32,
}

/// Texts in a fixed order.
pub type Texts = Arc<[Box<[u8]>]>;

/// Texts among the literals of a program, each list in a fixed order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Dictionary {
    /// Short words.
    pub words: Arc<[Box<[u8]>]>,
    /// Longer texts with lines, such as messages of a protocol.
    pub phrases: Arc<[Box<[u8]>]>,
    /// Documents that types of the program are read from, such as a configuration.
    pub documents: Arc<[Box<[u8]>]>,
    /// Texts that code which starts other programs looks for, probably in what these print.
    pub searched: Arc<[Box<[u8]>]>,
    /// Options of its command line.
    pub options: Arc<[CommandOption]>,
    /// Command lines that tests start the program with.
    pub command_lines: Arc<[CommandLine]>,
    /// Short texts of each other test, such as those of its requests.
    pub tests: Arc<[Texts]>,
    /// Texts like the routes of a server.
    pub routes: Arc<[Box<[u8]>]>,
    /// The routes that a server registers.
    pub endpoints: Arc<[Endpoint]>,
    /// Queries of such a server, and names in them; after a final `=` follows any value.
    pub queries: Arc<[Box<[u8]>]>,
    /// Whether the program uses a library of HTTP.
    pub speaks_http: bool,
}

/// A route of a server, with what its handler reads as far as the source says so.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Endpoint {
    /// In capitals; any if it is empty.
    pub method: Box<[u8]>,
    /// Its segments; see [`PathSegment`].
    pub path: Box<[PathSegment]>,
    /// Queries that its handler reads, without `?`.
    pub queries: Texts,
    /// Bodies in JSON that it reads.
    pub documents: Texts,
    /// Forms that it reads.
    pub forms: Texts,
}

/// A segment of the path of a route.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PathSegment {
    /// This text.
    Text(Box<[u8]>),
    /// A parameter that is a number.
    Number,
    /// A parameter that is a UUID (RFC 9562).
    Uuid,
    /// Any parameter.
    Word,
}

/// A command line that a test starts the program with.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CommandLine {
    /// Its words, without the program's name.
    pub words: Box<[CommandWord]>,
    /// Other short texts of the test, such as those of its requests: they suit the command line.
    pub texts: Texts,
}

/// A word of a known command line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CommandWord {
    /// This text.
    Text(Box<[u8]>),
    /// Some number, such as a port.
    Number,
    /// Anything else that differs from run to run.
    Any,
}

/// An option of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandOption {
    /// Its name with dashes.
    pub name: Box<[u8]>,
    /// Whether a value follows it, as far as that is known.
    pub takes_value: Option<bool>,
    /// Whether it must be given.
    pub is_required: bool,
}

/// The programs that a run can start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Programs {
    /// The path of the entry's own program.
    pub own: Arc<[u8]>,
    /// The paths of programs whose code is known.
    pub known: Arc<[Box<[u8]>]>,
}

impl Default for Programs {
    fn default() -> Programs {
        Programs { own: Arc::from(&b"/target/debug/program"[..]), known: Arc::default() }
    }
}

/// The provider of code. It is called when a run first reaches something (invariant 10); its result for an id never
/// changes.
pub trait Host {
    /// Code of an instance.
    fn code(&mut self, func: FnId) -> Rc<Code>;
    /// A static, const or promoted expression.
    fn global(&mut self, global: GlobalId) -> Arc<Global>;
    /// Bytes of a literal.
    fn data(&mut self, data: DataId) -> Arc<[u8]>;
    /// A vtable.
    fn vtable(&mut self, vtable: VtableId) -> Arc<Vtable>;
    /// The function that panics for `trap`; `None` if it is unknown, which ends the run as uninterpreted.
    fn trap_fn(&mut self, trap: Trap) -> Option<FnId>;
    /// A function that the machine or its models call.
    fn known_fn(&mut self, known: KnownFn) -> Option<FnId>;
    /// The location of `site` in `func`.
    fn locate(&mut self, func: FnId, site: Site) -> Option<SourceLoc>;
    /// Layout of `core::panic::Location`.
    fn location_layout(&mut self) -> LocationLayout;
    /// The text of a cause.
    fn cause(&mut self, cause: CauseId) -> Arc<str>;
    /// Texts of the program; made-up inputs contain some of them.
    fn dictionary(&mut self) -> Dictionary {
        Dictionary::default()
    }
    /// The programs that a run can start.
    fn programs(&mut self) -> Programs {
        Programs::default()
    }
    /// The function that runs one of the known programs, by its index.
    fn program(&mut self, index: usize) -> Option<FnId> {
        let _ = index;
        None
    }
    /// Called every few thousand steps; `true` ends the run (invariant 10).
    fn cancelled(&mut self) -> bool {
        false
    }
}

/// Functions of std that the machine calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KnownFn {
    /// `std::sys::thread_local::destructors::run`: no parameters; called at the end of each thread.
    RunThreadLocalDestructors,
}
