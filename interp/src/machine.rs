//! The machine's state, and the operations that all its parts use.

use crate::clock::{Epoch, ThreadId};
use crate::detect::api::ApiDetector;
use crate::detect::order::HappensBefore;
use crate::detect::race::RaceDetector;
use crate::environment::Environment;
use crate::exec::ApiCalls;
use crate::exec::behind::Behind;
use crate::exec::coroutine::Coroutine;
use crate::exec::global::GlobalState;
use crate::exec::lifetimes::Lifetimes;
use crate::exec::livelock::SpinWatch;
use crate::exec::panics::Panics;
use crate::exec::status::StatusPlace;
use crate::exec::uninterpreted_objects::UninterpretedObjects;
use crate::files::Files;
use crate::finding::Finding;
use crate::harness_calls::HarnessCalls;
use crate::host::Host;
use crate::inputs::Inputs;
use crate::ir::{CauseId, Code, FnId, Pc, Site, Slot, Trap};
use crate::memory::{AllocKind, Fault, FunctionAddresses, Memory, OutOfMemory};
use crate::os::OsState;
use crate::process::{Process, ProcessId};
use crate::rng::Rng;
use crate::run::{Bound, Config, Map, Payload, Prefix, Reached, RunEnd, RunOutcome, Session, Waits};
use crate::sched::{PointKind, Scheduler};
use crate::site_cache::SiteCache;
use crate::stack::{Contexts, Place};
use crate::sync::SyncObjects;
use crate::table::Table;
use crate::term::Terms;
use crate::thread::{Frame, FrameKind, State, Thread};
use crate::trace::Trace;
use crate::unit::Unit;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;

/// How execution continues after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// At the next instruction.
    Next,
    /// At `pc`, which was set.
    Jump,
    /// In another frame of this thread, now the innermost.
    Reload,
    /// With a choice of thread; the instruction is executed (again) when this thread continues.
    Switch(PointKind),
}

/// Why a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Fault(Fault),
    Bound(Bound),
    Returned(i64),
    Exited(i32),
    /// By a signal that the program itself sent.
    Killed(i32),
    Panicked,
    Aborted,
    Deadlock,
    /// The current thread leaves a deadlock: no end of the run.
    Leaves,
    Livelock,
    WaitsForOutside,
    NoTrapFn(Trap),
    UnknownCallee,
    Cancelled,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Stop {
        Stop::Bound(Bound::Heap)
    }
}

pub(crate) type Step = Result<Flow, Stop>;

/// Logical time at the start of runs, in nanoseconds since 1970: a day in 2026.
const EPOCH: u64 = 1_770_000_000 * 1_000_000_000;

/// Defines the machine: fields with their types and values at the start of a run, and a copy of all of them.
macro_rules! machine {
    ($config:ident: $($(#[$doc:meta])* $field:ident: $type:ty = $start:expr,)*) => {
        pub(crate) struct Machine<'a> {
            pub(crate) session: &'a mut Session,
            pub(crate) host: &'a mut dyn Host,
            pub(crate) config: &'a Config,
            pub(crate) scheduler: &'a mut dyn Scheduler,
            pub(crate) environment: &'a mut dyn Environment,
            $($(#[$doc])* pub(crate) $field: $type,)*
        }

        /// A copy of a machine's state, from which runs continue.
        pub(crate) struct MachineState {
            $($field: $type,)*
        }

        impl<'a> Machine<'a> {
            /// A machine at the start of a run.
            pub(crate) fn new(
                session: &'a mut Session,
                host: &'a mut dyn Host,
                $config: &'a Config,
                scheduler: &'a mut dyn Scheduler,
                environment: &'a mut dyn Environment,
            ) -> Machine<'a> {
                Machine { session, host, config: $config, scheduler, environment, $($field: $start,)* }
            }

            /// A machine in a state that another had.
            pub(crate) fn resume(
                state: &MachineState,
                session: &'a mut Session,
                host: &'a mut dyn Host,
                config: &'a Config,
                scheduler: &'a mut dyn Scheduler,
                environment: &'a mut dyn Environment,
            ) -> Machine<'a> {
                Machine { session, host, config, scheduler, environment, $($field: state.$field.clone(),)* }
            }

            pub(crate) fn state(&self) -> MachineState {
                MachineState { $($field: self.$field.clone(),)* }
            }
        }
    };
}

machine! {
    config:
    /// Inputs so far.
    inputs: Inputs = Inputs::default(),
    files: Files = Files::default(),
    os: OsState = OsState::default(),
    /// The processes; none before the first child.
    processes: Vec<Process> = Vec::new(),
    /// The process of the current thread.
    process: ProcessId = 0,

    memory: Memory = Memory::new(config.heap_bytes),
    terms: Terms = Terms::new(config.guess_override),
    /// Objects behind unknown addresses.
    uninterpreted_objects: UninterpretedObjects = UninterpretedObjects::default(),
    rng: Rng = Rng::with_stream(config.seed, 1),
    /// The seed of inputs that are made up from now on.
    input_seed: u64 = config.seed,
    functions: FunctionAddresses = FunctionAddresses::default(),
    globals: Table<GlobalState> = Table::default(),
    /// Addresses of constants, by alignment and bytes.
    constants: FxHashMap<(u32, Box<[u8]>), u64> = FxHashMap::default(),
    data: Table<u64> = Table::default(),
    vtables: Table<u64> = Table::default(),
    locations: FxHashMap<(FnId, Site), u64> = FxHashMap::default(),
    coroutines: Vec<Coroutine> = Vec::new(),

    threads: Vec<Thread> = Vec::new(),
    /// The objects through which threads synchronise.
    sync: SyncObjects = SyncObjects::default(),
    current: usize = 0,
    /// The current instruction; saved in the frame when the frame or thread changes.
    pc: Pc = 0,
    /// Allocation and offset of the current frame.
    frame: usize = 0,
    base: usize = 0,

    steps: u64 = 0,
    next_poll: u64 = 0,
    /// The last step before the bound.
    last_step: u64 = config.prefix_steps,
    now: u64 = EPOCH,
    /// A fault of an instruction before, which ends the run now.
    fault: Option<Fault> = None,
    /// Whether a thread was late by more than the jitter.
    overslept: bool = false,
    /// Number of reads of a clock.
    looks: u64 = 0,
    /// How much time passed at reads of a clock, in nanoseconds.
    preempted: u64 = 0,
    /// Iterations of busy-wait loops since time last passed.
    spins: u32 = 0,
    /// How far time advanced for the last of them, in nanoseconds.
    stride: u64 = 0,
    /// Looks for threads that spin forever.
    spin_watch: SpinWatch = SpinWatch::default(),
    /// Whether the run is still in the part that all schedules share.
    in_beginning: bool = true,
    /// The number of steps of the beginning that all schedules share.
    beginning: u64 = 0,
    /// The step of the last scheduling point.
    last_point: u64 = 0,
    /// The most steps between two scheduling points since schedules can differ.
    longest_alone: u64 = 0,
    choices: u64 = 0,
    own_choices: u64 = 0,
    /// Whether the synchronisation at the current instruction is a dependency's.
    of_dependency: bool = false,
    /// What threads have waited for so far.
    waits: Waits = Waits::default(),
    /// Number of atomics without a choice since the last choice, to detect busy waits in std.
    silent_atomics: u32 = 0,

    /// Whether a second thread was ever started: before that there is nothing to detect.
    concurrent: bool = false,
    /// Whether the owners of an `Arc` were counted since then: from there on, the order in which owners are dropped
    /// matters.
    owners_counted: bool = false,
    order: HappensBefore = HappensBefore::new(),
    races: RaceDetector = RaceDetector::new(),
    lifetimes: Lifetimes = Lifetimes::default(),
    apis: ApiDetector = ApiDetector::new(),
    api_calls: ApiCalls = ApiCalls::default(),
    contexts: Contexts = Contexts::default(),
    site_cache: SiteCache = SiteCache::default(),
    places: IndexSet<Place, FxBuildHasher> = IndexSet::default(),
    panicked: Vec<ThreadId> = Vec::new(),
    /// Whether any panic ever started.
    has_panicked: bool = false,
    payload: Option<Payload> = None,
    /// The panics that may become findings.
    panics: Panics = Panics::default(),
    status: StatusPlace = StatusPlace::default(),
    behind: Behind = Behind::default(),
    /// Random numbers that the program has got, and which thread got them; at most [`MOST_RANDOM`](crate::run::MOST_RANDOM).
    random: Vec<(ThreadId, u64)> = Vec::new(),
    findings: Vec<Finding> = Vec::new(),
    trace: Trace = Trace::default(),
    harness_calls: HarnessCalls = HarnessCalls::default(),
    /// Whether code ran whose source has type errors.
    mistyped: bool = false,
    /// Pairs of sites whose race was reported.
    reported: FxHashSet<(u32, u32)> = FxHashSet::default(),
    reached: Map<(PointKind, FnId, Site), Reached> = Map::default(),
    unknown_calls: Map<(FnId, CauseId), u64> = Map::default(),
}

impl Machine<'_> {
    /// Runs from the start of an entry. Keeps the state at which schedules can differ if that is after so many steps.
    pub(crate) fn run_entry(mut self, entry: FnId, args: &[u64], keep_after: u64) -> (RunOutcome, Option<Prefix>) {
        let mut kept = None;
        let stop = match self.start_entry(entry, args) {
            Ok(()) => match self.run_to_division() {
                Ok(kind) => {
                    kept = (self.steps >= keep_after).then(|| Prefix {
                        state: self.state(),
                        kind,
                        seed: self.config.seed,
                        steps: self.steps,
                        points: self.config.beginning_points,
                    });
                    self.run_divided(kind)
                }
                Err(stop) => stop,
            },
            Err(stop) => stop,
        };
        (self.outcome(stop), kept)
    }

    /// Keeps the state at the last point after a long sequence of steps without any, with default choices.
    pub(crate) fn keep_late(mut self, entry: FnId, args: &[u64]) -> (Option<Prefix>, u64) {
        let mut kept = None;
        // It finds all that it finds before the end.
        if self.start_entry(entry, args).is_ok() {
            let _: Result<(), Stop> = self.run_and_keep_late(&mut kept);
        }
        (kept, self.steps)
    }

    /// Runs on from a state that was kept.
    pub(crate) fn continue_run(mut self, kind: PointKind) -> RunOutcome {
        let stop = self.run_divided(kind);
        self.outcome(stop)
    }

    fn outcome(mut self, stop: Stop) -> RunOutcome {
        let stop = match stop {
            Stop::Cancelled => stop,
            // What came behind it has not happened.
            _ => self.behind.stop().unwrap_or(stop),
        };
        self.environment.collected().iter().for_each(|folder| self.collect_files(folder));
        let end = match stop {
            Stop::Fault(fault) => {
                self.report_use_of_freed(&stop);
                self.save_pc();
                // A fault inside std is attributed to the code that called std.
                let (func, site) = match fault {
                    Fault::Freed { .. } | Fault::Ended { .. } | Fault::Null { .. } | Fault::OutOfRange { .. } => {
                        self.here_outside_std()
                    }
                    _ => self.here(),
                };
                RunEnd::Fault { fault, func, site }
            }
            Stop::Bound(bound) => RunEnd::Bound(bound),
            Stop::Returned(code) => RunEnd::Returned(code),
            Stop::Exited(code) => RunEnd::Exited(code),
            // As shells tell it.
            Stop::Killed(signal) => RunEnd::Exited(128 + signal),
            Stop::Panicked => RunEnd::Panicked,
            Stop::Aborted => RunEnd::Aborted,
            Stop::Deadlock | Stop::Leaves => RunEnd::Deadlock,
            Stop::Livelock => RunEnd::Livelock,
            Stop::WaitsForOutside => RunEnd::WaitsForOutside,
            Stop::NoTrapFn(trap) => RunEnd::NoTrapFn(trap),
            Stop::UnknownCallee => RunEnd::UnknownCallee,
            Stop::Cancelled => RunEnd::Cancelled,
        };
        self.report_panics(&end);
        self.report_fault(&end);
        self.report_status(&end);
        let others = |own: ThreadId| (0..self.threads.len() as u32).map(ThreadId).filter(move |it| *it != own);
        let is_heard = |began: Epoch| others(began.thread).any(|other| began.le(self.order.clock(other)));
        let harness_choices = std::mem::take(&mut self.harness_calls).into_choices(is_heard);
        // Those that the end of the program cut off: what they would have done is not known.
        let is_cut_off = |it: &&Thread| {
            let is_going = matches!(it.state, State::Runnable | State::Blocked { until: Some(_), .. });
            is_going && it.process == self.threads[0].process
        };
        let cut_off = self.threads.iter().skip(1).filter(is_cut_off).count();
        RunOutcome {
            end,
            findings: self.findings,
            steps: self.steps,
            longest_alone: match self.in_beginning {
                true => 0,
                false => self.longest_alone.max(self.steps.saturating_sub(self.last_point)),
            },
            choices: self.choices,
            own_choices: self.own_choices,
            waits: self.waits,
            uninterpreted: self.terms.count,
            sources: self.terms.sources,
            rests_on: self.terms.rests_on,
            guessed: self.terms.guessed,
            varies: self.terms.varies,
            dropped_stores: self.terms.dropped_stores,
            unknown_calls: self.unknown_calls,
            threads: self.threads.len() - self.processes.iter().skip(1).filter(|it| it.main.is_some()).count(),
            panicked: self.panicked,
            payload: self.payload,
            raised: self.panics.into_raised(),
            cut_off,
            given: self.inputs.given,
            failed_calls: self.inputs.failed_calls,
            random: self.random,
            harness_choices,
            reached: self.reached,
        }
    }

    fn start_entry(&mut self, entry: FnId, args: &[u64]) -> Result<(), Stop> {
        self.settle_programs();
        if let Some(folder) = self.environment.folder() {
            self.files.tree.settle_folder(&folder);
            self.files.current = folder;
        }
        let stack = self.memory.allocate(0, AllocKind::Stack)?;
        self.threads.push(Thread::new(stack, None, 0));
        self.invoke(entry, args, FrameKind::Root).map(drop)
    }

    pub(crate) fn thread(&mut self) -> &mut Thread {
        &mut self.threads[self.current]
    }

    pub(crate) fn thread_id(&self) -> ThreadId {
        ThreadId(self.current as u32)
    }

    pub(crate) fn code(&mut self, func: FnId) -> Rc<Unit> {
        self.session.code(self.host, func)
    }

    /// Saves the pc in the current frame before the frame or thread changes.
    pub(crate) fn save_pc(&mut self) {
        let pc = self.pc;
        if let Some(frame) = self.thread().frames.last_mut() {
            frame.pc = pc;
        }
    }

    /// Makes the innermost frame of the current thread the current one.
    pub(crate) fn reload(&mut self) -> Option<Rc<Unit>> {
        let frame = self.threads[self.current].frames.last()?;
        self.pc = frame.pc;
        self.frame = frame.index;
        self.base = frame.offset;
        self.memory.select(frame.index);
        Some(frame.code.clone())
    }

    /// The function and site of the innermost frame, whose pc must be saved.
    pub(crate) fn here(&self) -> (FnId, Site) {
        let frame = self.threads.get(self.current).and_then(|thread| thread.frames.last());
        match frame.and_then(|frame| frame.activations().next()) {
            Some(innermost) => (innermost.func, innermost.site),
            None => (FnId(u32::MAX), Site::NONE),
        }
    }

    /// Like [`Machine::here`], for the nearest code outside std; the innermost site if there is none.
    pub(crate) fn here_outside_std(&self) -> (FnId, Site) {
        let frames = self.threads.get(self.current).map_or(&[][..], |thread| &thread.frames);
        let mut activations = frames.iter().rev().flat_map(Frame::activations);
        let outside = activations.find(|it| !it.flags.is_std && !it.flags.is_shim);
        outside.map_or_else(|| self.here(), |it| (it.func, it.site))
    }

    #[inline(always)]
    pub(crate) fn read(&self, slot: Slot, size: u32) -> u64 {
        self.memory.get_here(self.base + slot as usize, size)
    }

    #[inline(always)]
    pub(crate) fn write(&mut self, slot: Slot, size: u32, value: u64) {
        self.memory.put_here(self.base + slot as usize, size, value);
    }

    #[inline]
    pub(crate) fn read_wide(&self, slot: Slot, size: u32) -> u128 {
        self.memory.get_wide(self.frame, self.base + slot as usize, size)
    }

    #[inline]
    pub(crate) fn write_wide(&mut self, slot: Slot, size: u32, value: u128) {
        self.memory.put_wide(self.frame, self.base + slot as usize, size, value);
    }

    #[inline]
    pub(crate) fn slot(&self, slot: Slot) -> (usize, usize) {
        (self.frame, self.base + slot as usize)
    }

    #[inline]
    pub(crate) fn slot_addr(&self, slot: Slot) -> u64 {
        Memory::address(self.frame, self.base + slot as usize)
    }

    /// Address of a function, which the program may then call through it.
    pub(crate) fn fn_addr(&mut self, func: FnId) -> u64 {
        self.functions.address(func)
    }

    /// The function at an address.
    pub(crate) fn fn_at(&self, addr: u64) -> Result<FnId, Stop> {
        Ok(self.functions.function(addr)?)
    }

    /// Reads a word of the program's memory, unseen by detectors.
    pub(crate) fn load_word(&self, addr: u64, size: u32) -> Result<u64, Stop> {
        let (index, offset) = self.memory.readable(addr, size as usize)?;
        Ok(self.memory.get(index, offset, size))
    }

    /// Writes a word of the program's memory, unseen by detectors.
    pub(crate) fn store_word(&mut self, addr: u64, size: u32, value: u64) -> Result<(), Stop> {
        let (index, offset) = self.memory.writable(addr, size as usize)?;
        self.memory.put(index, offset, size, value);
        self.memory.clear_uninterpreted(index, offset, size as usize);
        Ok(())
    }
}

/// The site of an instruction.
pub(crate) fn site_at(code: &Code, pc: Pc) -> Site {
    code.sites.get(pc as usize).copied().unwrap_or(Site::NONE)
}
