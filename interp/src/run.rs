//! One run of a program under one schedule.

use crate::clock::ThreadId;
use crate::environment::Environment;
use crate::finding::Finding;
use crate::host::Host;
use crate::ir::{Body, CauseId, Code, FnId, Site, Trap};
use crate::machine::Machine;
use crate::memory::Fault;
use crate::opt::inline::inline;
use crate::sched::{PointKind, Scheduler, WakeUps};
use crate::table::Table;
use crate::term::{GuessOverride, Origin, Source};
use crate::text::{VerifyError, verify};
use crate::unit::Unit;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// A map in insertion order.
pub type Map<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// The bounds and the seed of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Determines everything random in the machine: branches on uninterpreted values, keys of maps.
    pub seed: u64,
    /// Maximum number of instructions.
    pub max_steps: u64,
    /// Maximum size of the heap.
    pub heap_bytes: u64,
    /// Maximum size of each thread's stack.
    pub stack_bytes: usize,
    /// Maximum number of threads started, including the first.
    pub max_threads: usize,
    /// Maximum number of frames of a thread.
    pub max_depth: usize,
    /// Whether findings include the steps that led to them.
    pub trace: bool,
    /// Which waits may end early.
    pub wake_ups: WakeUps,
    /// Which guesses about *unknown* values are inverted.
    pub guess_override: GuessOverride,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 0,
            max_steps: 1_000_000,
            heap_bytes: 8 << 20,
            stack_bytes: 1 << 20,
            max_threads: 256,
            max_depth: 4000,
            trace: false,
            wake_ups: WakeUps::Exact,
            guess_override: GuessOverride::None,
        }
    }
}

/// The bound that ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "as named")]
pub enum Bound {
    Steps,
    Heap,
    Stack,
    Depth,
    Threads,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The entry returned; with its result if that is an `i32` or `isize`.
    Returned(i64),
    /// `process::exit`.
    Exited(i32),
    /// A panic left the entry.
    Panicked,
    /// `process::abort`, or a panic that must not unwind.
    Aborted,
    /// Undefined behaviour.
    Fault {
        /// Its kind.
        fault: Fault,
        /// The function.
        func: FnId,
        /// The site in it.
        site: Site,
    },
    /// A bound was reached.
    Bound(Bound),
    /// All threads wait forever; see the findings.
    Deadlock,
    /// All threads wait, and some of them for something from outside the run, which does not come.
    Silence,
    /// The panic function of a trap is unknown.
    NoTrapFn(Trap),
    /// A call through an unknown function pointer or vtable.
    UnknownCallee,
    /// The host ended it.
    Cancelled,
}

/// How often a synchronisation site was reached.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reached {
    /// In total.
    pub count: u64,
    /// While another thread could run.
    pub concurrent: u64,
}

/// What threads waited for in a run: whether other [`WakeUps`] would make a difference.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Waits {
    /// Something with a deadline, or a time.
    pub timed: bool,
    /// A notification, or an unpark.
    pub notified: bool,
}

/// The payload of a panic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Payload {
    /// A message.
    Text {
        /// The message; an unknown byte is shown as `?`.
        text: String,
        /// Whether all of it is known.
        known: bool,
    },
    /// Neither a `String` nor a `&str`.
    Other,
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// How it ended.
    pub end: RunEnd,
    /// Its findings, in order of discovery.
    pub findings: Vec<Finding>,
    /// Number of executed instructions.
    pub steps: u64,
    /// Number of scheduling choices.
    pub choices: u64,
    /// Number of these outside of dependencies.
    pub own_choices: u64,
    /// What threads waited for.
    pub waits: Waits,
    /// Number of uninterpreted values.
    pub uninterpreted: u64,
    /// Their sources in order of occurrence, with the number of values of each.
    pub sources: Map<Source, u64>,
    /// The least trustworthy kind of origin that decided a branch; the first of that kind.
    pub rests_on: Option<Origin>,
    /// Whether a branch on an unknown value was guessed. Made-up inputs do not count: they are known.
    pub guessed: bool,
    /// Whether an unknown value or an input was chosen at random: another run may continue differently.
    pub varies: bool,
    /// Number of stores through unknown addresses.
    pub dropped_stores: u64,
    /// Calls of unknown functions, with their number.
    pub unknown_calls: Map<(FnId, CauseId), u64>,
    /// Number of threads started, including the first.
    pub threads: usize,
    /// Threads other than the entry's whose first function ended with a panic.
    pub panicked: Vec<ThreadId>,
    /// The payload of a panic that left the program's `main`.
    pub payload: Option<Payload>,
    /// Reached synchronisation sites in the nearest code outside std.
    pub reached: Map<(PointKind, FnId, Site), Reached>,
}

/// What the runs of one program share: its code.
#[derive(Debug)]
pub struct Session {
    units: Table<Rc<Unit>>,
    trampolines: Table<Rc<Unit>>,
    invalid: Map<FnId, Vec<VerifyError>>,
    real_bodies: bool,
    inline_after: u32,
    /// Number of units with inlined calls.
    inlined: u32,
}

/// A function inlines its calls after this many calls, and again each time after this factor more.
const INLINE_AFTER: u32 = 32;
/// The factor by which the next inlining is delayed.
const PATIENCE: u32 = 16;

impl Default for Session {
    fn default() -> Session {
        Session::inlining_after(INLINE_AFTER)
    }
}

impl Session {
    /// An empty session.
    pub fn new() -> Session {
        Session::default()
    }

    /// Like [`Session::new`]; a function's calls are inlined once it has made `calls` of them; never if 0. The outcome
    /// of a run does not depend on it.
    pub fn inlining_after(calls: u32) -> Session {
        Session {
            units: Table::default(),
            trampolines: Table::default(),
            invalid: Map::default(),
            inline_after: calls,
            inlined: 0,
            real_bodies: false,
        }
    }

    /// Like [`Session::new`], without fast bodies, to compare both.
    pub fn with_real_bodies() -> Session {
        Session { real_bodies: true, ..Session::default() }
    }

    pub(crate) fn real_bodies(&self) -> bool {
        self.real_bodies
    }

    /// Forgets all code, for another program.
    pub fn clear(&mut self) {
        *self = Session { real_bodies: self.real_bodies, ..Session::inlining_after(self.inline_after) };
    }

    /// Functions with malformed code, and the errors. A run that calls one ends with [`Fault::BadCode`].
    pub fn invalid(&self) -> &Map<FnId, Vec<VerifyError>> {
        &self.invalid
    }

    /// Code of a function.
    #[inline]
    pub(crate) fn code(&mut self, host: &mut dyn Host, func: FnId) -> Rc<Unit> {
        match self.units.get(func.0) {
            Some(unit) => unit.clone(),
            None => self.first_reached(host, func),
        }
    }

    /// Code of a function that a run has reached.
    pub(crate) fn reached(&self, func: FnId) -> Option<&Unit> {
        self.units.get(func.0).map(|unit| &**unit)
    }

    #[cold]
    fn first_reached(&mut self, host: &mut dyn Host, func: FnId) -> Rc<Unit> {
        let mut code = host.code(func);
        if code.body == Body::Ir
            && let Err(errors) = verify(&code)
        {
            self.invalid.insert(func, errors);
            code = Rc::new(unusable(&code));
        }
        let unit = Rc::new(Unit::plain(code, self.inline_after));
        self.units.insert(func.0, unit.clone());
        unit
    }

    /// Inlines the calls of a function that has made many; `None` if none can be inlined.
    #[cold]
    pub(crate) fn inline(&mut self, func: FnId, unit: &Rc<Unit>, made: u32) -> Option<Rc<Unit>> {
        let plain = unit.plain.as_ref().unwrap_or(unit);
        let callee = |func: FnId| self.units.get(func.0).map(|unit| unit.plain.as_ref().unwrap_or(unit));
        let mut inlined = inline(func, plain, &callee, made.saturating_mul(PATIENCE))?;
        self.inlined += 1;
        inlined.number = self.inlined;
        let inlined = Rc::new(inlined);
        self.units.insert(func.0, inlined.clone());
        Some(inlined)
    }

    /// Code that calls a function without code.
    pub(crate) fn trampoline(&mut self, func: FnId, target: &Code) -> Rc<Unit> {
        if let Some(code) = self.trampolines.get(func.0) {
            return code.clone();
        }
        let code = Rc::new(Unit::plain(Rc::new(crate::exec::trampoline(func, target)), 0));
        self.trampolines.insert(func.0, code.clone());
        code
    }
}

/// The replacement for malformed code: it has no instruction, which the machine reports when it is reached.
fn unusable(code: &Code) -> Code {
    let nothing = Code { instrs: Box::new([]), sites: Box::new([]), unwind: Box::new([]), ..code.clone() };
    Code { params: Box::new([]), ret: (0, 0), frame_size: 16, ..nothing }
}

/// Runs `entry` once. `args` are the first words of its parameters. The caller must call the scheduler's `begin_run`.
pub fn run(
    session: &mut Session,
    host: &mut dyn Host,
    entry: FnId,
    args: &[u64],
    config: &Config,
    scheduler: &mut dyn Scheduler,
    environment: &mut dyn Environment,
) -> RunOutcome {
    Machine::new(session, host, config, scheduler, environment).run_entry(entry, args)
}
