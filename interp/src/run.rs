//! One run of a program under one schedule.

use crate::clock::ThreadId;
use crate::environment::Environment;
pub use crate::exec::panics::Raised;
use crate::finding::Finding;
use crate::harness_calls::HarnessChoices;
use crate::host::Host;
use crate::inputs::MadeUpInput;
use crate::ir::{Body, CauseId, Code, FnId, Site, Trap};
use crate::machine::{Machine, MachineState};
use crate::memory::Fault;
use crate::opt::inline::inline;
use crate::sched::{PointKind, Scheduler, WakeUps};
use crate::table::Table;
use crate::term::{GuessOverride, Origin, Source};
use crate::text::{VerifyError, verify};
use crate::unit::Unit;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// A map in insertion order.
pub type Map<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;

/// How late a thread may wake after its deadline. Deadlines that are no further apart may come due together: a real
/// machine cannot tell them apart. As text: `2ms+10%`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Jitter {
    /// In nanoseconds.
    pub nanos: u64,
    /// A share of the time that it waits, in percent.
    pub percent: u32,
}

impl Jitter {
    /// Each thread wakes at its deadline.
    pub const NONE: Jitter = Jitter { nanos: 0, percent: 0 };
    /// 2 ms and 10%.
    pub const USUAL: Jitter = Jitter { nanos: 2_000_000, percent: 10 };

    /// The latest moment at which a thread wakes that waits from `now` until `until`.
    pub(crate) fn latest(self, now: u64, until: u64) -> u64 {
        let share = u128::from(until.saturating_sub(now)) * u128::from(self.percent) / 100;
        until.saturating_add(self.nanos).saturating_add(u64::try_from(share).unwrap_or(u64::MAX))
    }
}

/// The units of a [`Jitter`]'s time, and their nanoseconds.
const UNITS: [(&str, u64); 4] = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];

impl fmt::Display for Jitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_whole = |unit: &&(&str, u64)| self.nanos.is_multiple_of(unit.1);
        let (unit, size) = UNITS.iter().rev().find(is_whole).unwrap_or(&UNITS[0]);
        write!(f, "{}{unit}+{}%", self.nanos / size, self.percent)
    }
}

/// The error for a text that is no [`Jitter`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseJitterError;

impl fmt::Display for ParseJitterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a time and a share of the wait, such as `2ms+10%`; the units are ns, us, ms, s")
    }
}

impl std::error::Error for ParseJitterError {}

impl FromStr for Jitter {
    type Err = ParseJitterError;

    fn from_str(text: &str) -> Result<Jitter, ParseJitterError> {
        let (time, percent) = text.split_once('+').ok_or(ParseJitterError)?;
        let percent = percent.strip_suffix('%').and_then(|it| it.parse().ok()).ok_or(ParseJitterError)?;
        let number = |unit: &str| time.strip_suffix(unit)?.parse::<u64>().ok();
        let nanos = UNITS.iter().find_map(|(unit, size)| number(unit)?.checked_mul(*size)).ok_or(ParseJitterError)?;
        Ok(Jitter { nanos, percent })
    }
}

/// The failures after which a run goes on, because they hide what comes after them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum GoesBehind {
    /// Nothing.
    #[default]
    Nothing,
    /// Deadlocks.
    Deadlocks,
    /// Deadlocks, and panics of the first thread that nobody catches.
    Panics,
}

/// The bounds and the seed of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Determines everything random in the machine: branches on uninterpreted values, keys of maps.
    pub seed: u64,
    /// Determines everything random once schedules can differ, but for labelled parameters; `None` if `seed` does.
    pub concurrent_seed: Option<u64>,
    /// Maximum number of instructions before schedules can differ: before the first scheduling point after a second
    /// thread was started.
    pub prefix_steps: u64,
    /// Number of scheduling points from there on that belong to the beginning too, which is the same in all schedules:
    /// at them the default choice is made.
    pub beginning_points: u32,
    /// Maximum number of instructions from where schedules can differ.
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
    /// The failures after which runs go on.
    pub goes_behind: GoesBehind,
    /// Choices of a harness that its seed does not make: their labels and indices. A call whose index is too large is not
    /// made.
    pub forced_choices: Vec<(Vec<u8>, u64)>,
    /// Which waits may end early.
    pub wake_ups: WakeUps,
    /// How late threads may wake.
    pub jitter: Jitter,
    /// Which guesses about *unknown* values are inverted.
    pub guess_override: GuessOverride,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 0,
            concurrent_seed: None,
            prefix_steps: 1_000_000,
            beginning_points: 0,
            max_steps: 1_000_000,
            heap_bytes: 8 << 20,
            stack_bytes: 1 << 20,
            max_threads: 256,
            max_depth: 4000,
            trace: false,
            goes_behind: GoesBehind::Nothing,
            forced_choices: Vec::new(),
            wake_ups: WakeUps::Exact,
            jitter: Jitter::USUAL,
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
    /// Its threads spin forever, or wait; see the findings.
    Livelock,
    /// All threads wait, and some of them for something from outside the run, which does not come.
    WaitsForOutside,
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
    /// In total, before the run went on behind a deadlock or a panic.
    pub count: u64,
    /// While another thread could run.
    pub concurrent: u64,
    /// Behind a deadlock or a panic, where only deadlocks are told.
    pub behind: u64,
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

/// Number of random numbers of a run that are kept to compare it with others. A run with as many may have got more.
pub const MOST_RANDOM: usize = 1_024;

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// How it ended.
    pub end: RunEnd,
    /// Its findings, in order of discovery.
    pub findings: Vec<Finding>,
    /// Number of executed instructions.
    pub steps: u64,
    /// The most instructions between two scheduling points since schedules can differ.
    pub longest_alone: u64,
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
    /// Number of threads started, including the first; the first threads of children do not count.
    pub threads: usize,
    /// Threads other than the entry's whose first function ended with a panic.
    pub panicked: Vec<ThreadId>,
    /// The payload of a panic that left the program's `main`.
    pub payload: Option<Payload>,
    /// Where panics were raised.
    pub raised: Raised,
    /// Number of threads beside the entry's that could run on, or wait for a time, when the run ended.
    pub cut_off: usize,
    /// The inputs that it made up.
    pub given: Vec<MadeUpInput>,
    /// Number of calls of the operating system that were made to fail.
    pub failed_calls: u32,
    /// Random numbers that the program got, with the threads that got them; [`MOST_RANDOM`] at most.
    pub random: Vec<(ThreadId, u64)>,
    /// The choices and overlapping calls of a harness.
    pub harness_choices: HarnessChoices,
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
    Machine::new(session, host, config, scheduler, environment).run_entry(entry, args, u64::MAX).0
}

/// The state of a run up to where schedules can differ. Runs of the same code continue from it.
pub struct Prefix {
    pub(crate) state: MachineState,
    /// The kind of the scheduling point.
    pub(crate) kind: PointKind,
    pub(crate) seed: u64,
    pub(crate) steps: u64,
    pub(crate) points: u32,
}

impl Prefix {
    /// The seed of its run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Number of executed instructions.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The [`Config::beginning_points`] of its run.
    pub fn points(&self) -> u32 {
        self.points
    }
}

/// Like [`run`]. Keeps the state at which schedules can differ if that is after at least `keep_after` instructions.
#[expect(clippy::too_many_arguments, reason = "those of `run`, and one more")]
pub fn run_and_keep(
    session: &mut Session,
    host: &mut dyn Host,
    entry: FnId,
    args: &[u64],
    config: &Config,
    scheduler: &mut dyn Scheduler,
    environment: &mut dyn Environment,
    keep_after: u64,
) -> (RunOutcome, Option<Prefix>) {
    Machine::new(session, host, config, scheduler, environment).run_entry(entry, args, keep_after)
}

/// Minimum number of instructions between two scheduling points that counts as a long sequence for [`keep_late`].
pub const LONG_ALONE: u64 = 100_000;

/// Runs with default choices, and keeps the state at the last scheduling point after a long sequence of instructions
/// without any, such as those that a program takes to set itself up while its worker threads are idle. `None` if there
/// is no such sequence soon. The second result is the number of instructions that were executed.
pub fn keep_late(
    session: &mut Session,
    host: &mut dyn Host,
    entry: FnId,
    args: &[u64],
    config: &Config,
    scheduler: &mut dyn Scheduler,
    environment: &mut dyn Environment,
) -> (Option<Prefix>, u64) {
    Machine::new(session, host, config, scheduler, environment).keep_late(entry, args)
}

/// Continues a run. The outcome is that of [`run`] with the same configuration, which must have the seed, the heap and
/// the guesses of the run that was kept, and record no steps. Output of the part before is not repeated.
pub fn continue_run(
    session: &mut Session,
    host: &mut dyn Host,
    prefix: &Prefix,
    config: &Config,
    scheduler: &mut dyn Scheduler,
    environment: &mut dyn Environment,
) -> RunOutcome {
    Machine::resume(&prefix.state, session, host, config, scheduler, environment).continue_run(prefix.kind)
}

#[cfg(test)]
mod tests {
    use super::Jitter;

    #[test]
    fn texts_of_a_jitter() {
        let jitter = |text: &str| text.parse::<Jitter>();
        assert_eq!(jitter("2ms+10%"), Ok(Jitter::USUAL));
        assert_eq!(jitter("0s+0%"), Ok(Jitter::NONE));
        for text in ["2ms+10%", "0s+0%", "1500us+7%", "3s+250%", "17ns+0%"] {
            assert_eq!(jitter(text).map(|it| it.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "2ms", "10%", "2ms+10", "2+10%", "ms+10%", "-2ms+10%", "2ms+-1%", "99999999999999s+1%"] {
            assert!(jitter(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_latest_moment_does_not_overflow() {
        assert_eq!(Jitter::USUAL.latest(1_000, 101_000), 101_000 + 2_000_000 + 10_000);
        assert_eq!(Jitter { nanos: u64::MAX, percent: u32::MAX }.latest(0, u64::MAX), u64::MAX);
        assert_eq!(Jitter::NONE.latest(5, 9), 9);
    }
}
