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

/// A map in the order in which things came up.
pub type Map<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// The bounds and the seed of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Decides all that is random in the machine: branches on uninterpreted values, keys of maps.
    pub seed: u64,
    /// Instructions.
    pub max_steps: u64,
    /// Bytes allocated at once.
    pub heap_bytes: u64,
    /// Bytes of each thread's stack.
    pub stack_bytes: usize,
    /// Threads started, the first one included.
    pub max_threads: usize,
    /// Frames of a thread.
    pub max_depth: usize,
    /// Whether findings get the steps that led to them.
    pub trace: bool,
    /// Which waits may end though nothing has ended them.
    pub wake_ups: WakeUps,
    /// Which guesses about what was not understood are made otherwise.
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

/// Which bound ended a run.
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
    /// `process::abort`, or a panic that may not unwind.
    Aborted,
    /// The program did what no program may do.
    Fault {
        /// What.
        fault: Fault,
        /// In which function.
        func: FnId,
        /// Where in it.
        site: Site,
    },
    /// A bound was reached.
    Bound(Bound),
    /// Threads wait for each other for ever; see the findings.
    Deadlock,
    /// The panic function of a trap is not known.
    NoTrapFn(Trap),
    /// A call through a function pointer or vtable that is not known.
    UnknownCallee,
    /// The host ended it.
    Cancelled,
}

/// What was reached at a place where threads synchronise.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reached {
    /// How often.
    pub count: u64,
    /// How often while another thread could run.
    pub concurrent: u64,
}

/// What threads waited for in a run: whether other [`WakeUps`] would make a difference.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Waits {
    /// Something with a deadline, or time to pass.
    pub timed: bool,
    /// A notification, or to be unparked.
    pub notified: bool,
}

/// What a panic carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Payload {
    /// A message.
    Text {
        /// It; a byte that is not known is a `?`.
        text: String,
        /// Whether all of it is known.
        known: bool,
    },
    /// Neither a `String` nor a `&str`.
    Other,
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// How it ended.
    pub end: RunEnd,
    /// What it found, in the order in which it did.
    pub findings: Vec<Finding>,
    /// Instructions executed.
    pub steps: u64,
    /// Points at which the scheduler was asked.
    pub choices: u64,
    /// Those of them that are no dependency's.
    pub own_choices: u64,
    /// What threads waited for.
    pub waits: Waits,
    /// Values that came from outside or were not understood.
    pub uninterpreted: u64,
    /// Where they came up, with how many at each, in the order in which they did.
    pub sources: Map<Source, u64>,
    /// The least trustworthy kind of origin of what decided a branch, the first one of it.
    pub rests_on: Option<Origin>,
    /// Whether a branch on a value that is not known was left to chance. Not so where inputs were made up: those are known.
    pub guessed: bool,
    /// Whether a value that is not known, or an input, was left to chance: another run may go on differently.
    pub varies: bool,
    /// Stores through addresses that are not known.
    pub dropped_stores: u64,
    /// Functions called that are not understood, with how often.
    pub unknown_calls: Map<(FnId, CauseId), u64>,
    /// Threads started, the first one included.
    pub threads: usize,
    /// Threads, other than the entry's, out of whose first function a panic went.
    pub panicked: Vec<ThreadId>,
    /// What a panic carried that left the program's `main`.
    pub payload: Option<Payload>,
    /// Synchronisation by place in the nearest code outside std.
    pub reached: Map<(PointKind, FnId, Site), Reached>,
}

/// What runs of one program share.
#[derive(Debug)]
pub struct Session {
    units: Table<Rc<Unit>>,
    trampolines: Table<Rc<Unit>>,
    invalid: Map<FnId, Vec<VerifyError>>,
    real_bodies: bool,
    inline_after: u32,
    /// How many units were made of other units.
    inlined: u32,
}

/// A function that made so many calls gets its calls inlined; and again each time it made so many times more.
const INLINE_AFTER: u32 = 32;
/// How much longer the next time takes.
const PATIENCE: u32 = 16;

impl Default for Session {
    fn default() -> Session {
        Session::inlining_after(INLINE_AFTER)
    }
}

impl Session {
    /// Nothing known yet.
    pub fn new() -> Session {
        Session::default()
    }

    /// As [`Session::new`]; the calls of a function become part of it when it made `calls` of them, if that is
    /// not 0. A run's outcome does not depend on it.
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

    /// As [`Session::new`], and no function is natively done that has a body: to compare the two.
    pub fn with_real_bodies() -> Session {
        Session { real_bodies: true, ..Session::default() }
    }

    pub(crate) fn real_bodies(&self) -> bool {
        self.real_bodies
    }

    /// Forgets everything: the program is another one.
    pub fn clear(&mut self) {
        *self = Session { real_bodies: self.real_bodies, ..Session::inlining_after(self.inline_after) };
    }

    /// The functions whose code was found to be malformed, and why. A run that calls one ends with
    /// [`Fault::BadCode`].
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

    /// Makes calls part of a function that made many; nothing if there are none that can be.
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

    /// Code that calls a function which has none itself.
    pub(crate) fn trampoline(&mut self, func: FnId, target: &Code) -> Rc<Unit> {
        if let Some(code) = self.trampolines.get(func.0) {
            return code.clone();
        }
        let code = Rc::new(Unit::plain(Rc::new(crate::exec::trampoline(func, target)), 0));
        self.trampolines.insert(func.0, code.clone());
        code
    }
}

/// What stands for malformed code: it has no instruction, which the machine reports when it gets there.
fn unusable(code: &Code) -> Code {
    let nothing = Code { instrs: Box::new([]), sites: Box::new([]), unwind: Box::new([]), ..code.clone() };
    Code { params: Box::new([]), ret: (0, 0), frame_size: 16, ..nothing }
}

/// Runs `entry` once. `args` are the first words of its parameters. The scheduler's `begin_run` is the caller's affair.
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
