//! The machine's state, and the operations that all its parts use.

use crate::clock::ThreadId;
use crate::detect::api::ApiDetector;
use crate::detect::order::HappensBefore;
use crate::detect::race::RaceDetector;
use crate::environment::Environment;
use crate::exec::ApiCalls;
use crate::exec::coroutine::Coroutine;
use crate::exec::global::GlobalState;
use crate::exec::uninterpreted_objects::UninterpretedObjects;
use crate::exec::use_after_free::Freed;
use crate::files::Files;
use crate::finding::Finding;
use crate::host::Host;
use crate::inputs::Inputs;
use crate::ir::{CauseId, Code, FnId, Pc, Site, Slot, Trap};
use crate::memory::{AllocKind, Fault, FunctionAddresses, Memory, OutOfMemory};
use crate::rng::Rng;
use crate::run::{Bound, Config, Map, Payload, Reached, RunEnd, RunOutcome, Session, Waits};
use crate::sched::{PointKind, Scheduler};
use crate::site_cache::SiteCache;
use crate::stack::{Contexts, Place};
use crate::sync::SyncObjects;
use crate::table::Table;
use crate::term::Terms;
use crate::thread::{Frame, FrameKind, Thread};
use crate::trace::Trace;
use crate::unit::Unit;
use crate::world::World;
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
    Panicked,
    Aborted,
    Deadlock,
    Silence,
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

pub(crate) struct Machine<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) host: &'a mut dyn Host,
    pub(crate) config: &'a Config,
    pub(crate) scheduler: &'a mut dyn Scheduler,
    pub(crate) environment: &'a mut dyn Environment,
    /// Inputs so far.
    pub(crate) inputs: Inputs,
    pub(crate) files: Files,
    pub(crate) world: World,

    pub(crate) memory: Memory,
    pub(crate) terms: Terms,
    /// Objects behind unknown addresses.
    pub(crate) uninterpreted_objects: UninterpretedObjects,
    pub(crate) rng: Rng,
    pub(crate) functions: FunctionAddresses,
    pub(crate) globals: Table<GlobalState>,
    /// Addresses of constants, by alignment and bytes.
    pub(crate) constants: FxHashMap<(u32, Box<[u8]>), u64>,
    pub(crate) data: Table<u64>,
    pub(crate) vtables: Table<u64>,
    pub(crate) locations: FxHashMap<(FnId, Site), u64>,
    pub(crate) coroutines: Vec<Coroutine>,

    pub(crate) threads: Vec<Thread>,
    /// The objects through which threads synchronise.
    pub(crate) sync: SyncObjects,
    pub(crate) current: usize,
    /// The current instruction; saved in the frame when the frame or thread changes.
    pub(crate) pc: Pc,
    /// Allocation and offset of the current frame.
    pub(crate) frame: usize,
    pub(crate) base: usize,

    pub(crate) steps: u64,
    pub(crate) next_poll: u64,
    pub(crate) now: u64,
    /// Number of reads of a clock.
    pub(crate) looks: u64,
    /// Iterations of busy-wait loops since time last passed.
    pub(crate) spins: u32,
    /// How far time advanced for the last of them, in nanoseconds.
    pub(crate) stride: u64,
    pub(crate) choices: u64,
    pub(crate) own_choices: u64,
    /// Whether the synchronisation at the current instruction is a dependency's.
    pub(crate) of_dependency: bool,
    /// What threads have waited for so far.
    pub(crate) waits: Waits,
    /// Number of atomics without a choice since the last choice, to detect busy waits in std.
    pub(crate) silent_atomics: u32,

    /// Whether a second thread was ever started: before that there is nothing to detect.
    pub(crate) concurrent: bool,
    /// Whether the owners of an `Arc` were counted since then: from there on, the order in which owners are dropped
    /// matters.
    pub(crate) owners_counted: bool,
    pub(crate) order: HappensBefore,
    pub(crate) races: RaceDetector,
    pub(crate) freed: Freed,
    pub(crate) apis: ApiDetector,
    pub(crate) api_calls: ApiCalls,
    pub(crate) contexts: Contexts,
    pub(crate) site_cache: SiteCache,
    pub(crate) places: IndexSet<Place, FxBuildHasher>,
    pub(crate) panicked: Vec<ThreadId>,
    /// Whether any panic ever started.
    pub(crate) has_panicked: bool,
    pub(crate) payload: Option<Payload>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) trace: Trace,
    /// Pairs of sites whose race was reported.
    pub(crate) reported: FxHashSet<(u32, u32)>,
    pub(crate) reached: Map<(PointKind, FnId, Site), Reached>,
    pub(crate) unknown_calls: Map<(FnId, CauseId), u64>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        session: &'a mut Session,
        host: &'a mut dyn Host,
        config: &'a Config,
        scheduler: &'a mut dyn Scheduler,
        environment: &'a mut dyn Environment,
    ) -> Machine<'a> {
        Machine {
            session,
            host,
            config,
            scheduler,
            environment,
            inputs: Inputs::default(),
            files: Files::default(),
            world: World::default(),
            memory: Memory::new(config.heap_bytes),
            terms: Terms::new(config.guess_override),
            uninterpreted_objects: UninterpretedObjects::default(),
            rng: Rng::with_stream(config.seed, 1),
            functions: FunctionAddresses::default(),
            globals: Table::default(),
            constants: FxHashMap::default(),
            data: Table::default(),
            vtables: Table::default(),
            locations: FxHashMap::default(),
            coroutines: Vec::new(),
            threads: Vec::new(),
            sync: SyncObjects::default(),
            current: 0,
            pc: 0,
            frame: 0,
            base: 0,
            steps: 0,
            next_poll: 0,
            now: EPOCH,
            looks: 0,
            spins: 0,
            stride: 0,
            choices: 0,
            own_choices: 0,
            of_dependency: false,
            waits: Waits::default(),
            silent_atomics: 0,
            concurrent: false,
            owners_counted: false,
            order: HappensBefore::new(),
            races: RaceDetector::new(),
            freed: Freed::default(),
            apis: ApiDetector::new(),
            api_calls: ApiCalls::default(),
            contexts: Contexts::default(),
            site_cache: SiteCache::default(),
            places: IndexSet::default(),
            panicked: Vec::new(),
            has_panicked: false,
            payload: None,
            findings: Vec::new(),
            trace: Trace::default(),
            reported: FxHashSet::default(),
            reached: Map::default(),
            unknown_calls: Map::default(),
        }
    }

    pub(crate) fn run_entry(mut self, entry: FnId, args: &[u64]) -> RunOutcome {
        let stop = match self.start_entry(entry, args) {
            Ok(()) => self.run_threads(),
            Err(stop) => stop,
        };
        let end = match stop {
            Stop::Fault(fault) => {
                self.report_use_of_freed(&stop);
                self.save_pc();
                // A fault inside std is attributed to the code that called std.
                let (func, site) = match fault {
                    Fault::Freed { .. } | Fault::Null { .. } | Fault::OutOfRange { .. } => self.here_outside_std(),
                    _ => self.here(),
                };
                RunEnd::Fault { fault, func, site }
            }
            Stop::Bound(bound) => RunEnd::Bound(bound),
            Stop::Returned(code) => RunEnd::Returned(code),
            Stop::Exited(code) => RunEnd::Exited(code),
            Stop::Panicked => RunEnd::Panicked,
            Stop::Aborted => RunEnd::Aborted,
            Stop::Deadlock => RunEnd::Deadlock,
            Stop::Silence => RunEnd::Silence,
            Stop::NoTrapFn(trap) => RunEnd::NoTrapFn(trap),
            Stop::UnknownCallee => RunEnd::UnknownCallee,
            Stop::Cancelled => RunEnd::Cancelled,
        };
        RunOutcome {
            end,
            findings: self.findings,
            steps: self.steps,
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
            threads: self.threads.len(),
            panicked: self.panicked,
            payload: self.payload,
            reached: self.reached,
        }
    }

    fn start_entry(&mut self, entry: FnId, args: &[u64]) -> Result<(), Stop> {
        let stack = self.memory.allocate(0, AllocKind::Stack)?;
        self.threads.push(Thread::new(stack, None));
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
