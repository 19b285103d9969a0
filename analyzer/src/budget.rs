//! Budgets of the front end: how much work one item may cause, in counted units. The same source is stopped at the same
//! point on any machine.
//!
//! rust-analyzer does not bound most of its work: macros that call macros, types that double. Salsa reports each query
//! and checks for cancellation there, so a query can be ended by unwinding, as an edit would end it; its result is
//! discarded. [`bounded`] is the boundary around one item.

use crate::{guard::Payload, overdue};
use ra_ap_hir_def::DefWithBodyId;
use ra_ap_hir_expand::MacroCallId;
use ra_ap_hir_ty::db::HirDatabase;
use ra_ap_span::TextRange;
use ra_ap_vfs::FileId;
use salsa::{
    EventKind, IngredientIndex,
    plumbing::{FromId as _, Id},
};
use std::{
    cell::Cell,
    fmt,
    panic::resume_unwind,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// Maximum number of macro calls expanded for one item: the items of a crate, the code of an instance.
const EXPANSIONS: u64 = 60_000;
/// Maximum for one body. The watchdog's limit of its time must be far away, on slow machines too.
const BODY_EXPANSIONS: u64 = 15_000;
/// Maximum for all items of a project, plus an allowance for each KiB of the user's source.
const ALL_EXPANSIONS: u64 = 150_000;
const EXPANSIONS_PER_KIB: u64 = 200;
/// Maximum number of queries for one item.
const LOOKUPS: u64 = 4_000_000;
/// Maximum for all items of a project, plus an allowance for each KiB of the user's source.
const ALL_LOOKUPS: u64 = 300_000_000;
const LOOKUPS_PER_KIB: u64 = 100_000;
/// Totals are updated, and flags checked, once in this many queries.
const EVERY: u64 = 1 << 10;

/// Whether memory is exhausted.
static NO_MEMORY: AtomicBool = AtomicBool::new(false);
/// Whether memory was exhausted at any time since the last [`take_out_of_memory`].
static HAD_NO_MEMORY: AtomicBool = AtomicBool::new(false);

/// The memory limit of the process in bytes; 0 for none.
static MEMORY_LIMIT: AtomicU64 = AtomicU64::new(0);

/// A number of bytes, displayed as `1.5 GB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes >= 1 << 30 => write!(f, "{:.1} GB", bytes as f64 / (1u64 << 30) as f64),
            bytes => write!(f, "{} MB", bytes >> 20),
        }
    }
}

/// Sets the memory limit of the process; returns the previous one.
pub fn set_memory_limit(limit: Bytes) -> Option<Bytes> {
    Some(Bytes(MEMORY_LIMIT.swap(limit.0, Ordering::Relaxed))).filter(|limit| limit.0 > 0)
}

/// The memory limit of the process.
pub fn memory_limit() -> Option<Bytes> {
    Some(Bytes(MEMORY_LIMIT.load(Ordering::Relaxed))).filter(|limit| limit.0 > 0)
}

/// How much memory is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Below the limit.
    Available,
    /// Over the limit.
    Exhausted,
}

/// While memory is exhausted, every item is stopped at its next query.
pub fn set_memory(memory: Memory) {
    let is_out = memory == Memory::Exhausted;
    NO_MEMORY.store(is_out, Ordering::Relaxed);
    HAD_NO_MEMORY.fetch_or(is_out, Ordering::Relaxed);
}

/// Whether items were stopped for lack of memory since the last call, or are being stopped now.
pub fn take_out_of_memory() -> bool {
    HAD_NO_MEMORY.swap(false, Ordering::Relaxed) | is_out_of_memory()
}

/// Whether items are stopped for lack of memory.
pub fn is_out_of_memory() -> bool {
    NO_MEMORY.load(Ordering::Relaxed)
}

/// Whether the time for all items is used up.
static NO_TIME: AtomicBool = AtomicBool::new(false);

/// From now on every item is stopped at its next query.
pub fn set_out_of_time() {
    NO_TIME.store(true, Ordering::Relaxed);
}

/// Whether items are stopped because others took too long.
pub fn is_out_of_time() -> bool {
    NO_TIME.load(Ordering::Relaxed)
}

/// Whether no further schedule is started (`--time`).
static EXPLORATION_ENDED: AtomicBool = AtomicBool::new(false);

/// From now on no schedule is started, except to confirm what was found.
pub fn end_exploration() {
    EXPLORATION_ENDED.store(true, Ordering::Relaxed);
}

/// Whether no further schedule is started.
pub fn has_exploration_ended() -> bool {
    EXPLORATION_ENDED.load(Ordering::Relaxed)
}

/// Why an item was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Stop {
    /// Too many macro calls.
    Expansions,
    /// Too many queries.
    Lookups,
    /// A type with too many parts.
    Types,
    /// Memory is exhausted.
    Memory,
    /// It ran out of time in an earlier process ([`crate::overdue`]), or others took too long.
    Time,
}

impl Stop {
    /// The reason as text.
    pub fn text(self) -> &'static str {
        match self {
            Stop::Expansions => "macro expansion is over its budget",
            Stop::Lookups => "type checking is over its budget",
            Stop::Types => "a type is too large when written out",
            Stop::Memory => "the memory limit was reached",
            Stop::Time => "type checking takes too long",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The panic payload that ends an item.
#[derive(Clone, Copy, Debug)]
struct OverBudget {
    stop: Stop,
    /// The last macro call that was expanded.
    expansion: Option<MacroCallId>,
}

/// An item that was stopped.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stopped {
    pub(crate) stop: Stop,
    /// The outermost macro call, if known.
    pub(crate) call: Option<Call>,
    pub(crate) body: Option<DefWithBodyId>,
}

/// A macro call in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Call {
    pub(crate) file: FileId,
    pub(crate) range: TextRange,
    /// Line and column, both from 0; the text may have changed since.
    pub(crate) start: (u32, u32),
}

/// Why this process last ended an item by unwinding.
static LAST: Mutex<Option<Stop>> = Mutex::new(None);

fn unwind(over: OverBudget) -> ! {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(over.stop);
    resume_unwind(Box::new(over))
}

/// Items stopped in this process since the last [`take_stopped`].
static STOPPED: Mutex<Vec<Stopped>> = Mutex::new(Vec::new());

/// Maximum number of distinct items that are kept.
const MAX_KEPT: usize = 10_000;

/// The items stopped since the last call, without duplicates.
pub(crate) fn take_stopped() -> Vec<Stopped> {
    std::mem::take(&mut *STOPPED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The macro call at which an item was last stopped.
pub(crate) fn last_call() -> Option<Call> {
    STOPPED.lock().unwrap_or_else(PoisonError::into_inner).last()?.call
}

/// Notes what a panic ended, if it came from a budget.
pub(crate) fn note_stop(db: &dyn HirDatabase, payload: &Payload, body: Option<DefWithBodyId>) -> Option<Stop> {
    let Some(over) = payload.downcast_ref::<OverBudget>() else {
        // If a query is stopped in another thread, a thread that waits for it gets a panic.
        let last = *LAST.lock().unwrap_or_else(PoisonError::into_inner);
        return last.filter(|_| payload.is::<salsa::Cancelled>());
    };
    let call = over.expansion.map(|call| {
        let loc = call.loc(db);
        let range = loc.kind.original_call_range(db, loc.krate);
        let file = range.file_id.file_id(db);
        let start = db.line_column(file, range.range.start()).unwrap_or_default();
        Call { file, range: range.range, start }
    });
    let mut known = STOPPED.lock().unwrap_or_else(PoisonError::into_inner);
    let stopped = Stopped { stop: over.stop, call, body };
    known.retain(|it| *it != stopped);
    if known.len() < MAX_KEPT {
        known.push(stopped);
    }
    Some(over.stop)
}

/// The work done for a project, in all threads and for all items.
#[derive(Debug)]
pub(crate) struct Account {
    expansions: AtomicU64,
    lookups: AtomicU64,
    most_expansions: AtomicU64,
    most_lookups: AtomicU64,
    /// The query that expands macro calls, once one was seen.
    expands: OnceLock<IngredientIndex>,
}

impl Default for Account {
    fn default() -> Account {
        let zero = || AtomicU64::new(0);
        let (expands, most_expansions, most_lookups) = (OnceLock::new(), zero(), zero());
        let account = Account { expansions: zero(), lookups: zero(), most_expansions, most_lookups, expands };
        account.open(0);
        account
    }
}

impl Account {
    /// Starts counting anew. The budget of a project grows with its source.
    pub(crate) fn open(&self, bytes: u64) {
        self.expansions.store(0, Ordering::Relaxed);
        self.lookups.store(0, Ordering::Relaxed);
        self.most_expansions.store(ALL_EXPANSIONS + bytes * EXPANSIONS_PER_KIB / 1024, Ordering::Relaxed);
        self.most_lookups.store(ALL_LOOKUPS + bytes * LOOKUPS_PER_KIB / 1024, Ordering::Relaxed);
    }

    /// Receives salsa's events. Only a check for cancellation may unwind.
    pub(crate) fn note(&self, event: &EventKind) {
        overdue::note_query();
        match event {
            EventKind::WillCheckCancellation => {
                METER.with(|meter| {
                    let lookups = meter.lookups.get() + 1;
                    meter.lookups.set(lookups);
                    if meter.wants_check.get() || lookups.is_multiple_of(EVERY) || is_out_of_time() {
                        self.check(meter);
                    }
                });
            }
            EventKind::WillExecute { database_key } if self.expands(*database_key) => {
                METER.with(|meter| {
                    meter.expansions.set(meter.expansions.get() + 1);
                    meter.last.set(Some(database_key.key_index()));
                    meter.wants_check.set(true);
                });
                self.expansions.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }

    fn expands(&self, query: salsa::DatabaseKeyIndex) -> bool {
        match self.expands.get() {
            Some(known) => query.ingredient_index() == *known,
            // Only its name identifies the query; the first macro call comes early.
            None => {
                let is_it = format!("{query:?}").starts_with(EXPANDS);
                is_it && *self.expands.get_or_init(|| query.ingredient_index()) == query.ingredient_index()
            }
        }
    }

    /// Ends the item of this thread if it is over its budget.
    fn check(&self, meter: &Meter) {
        meter.wants_check.set(false);
        let lookups = meter.lookups.get();
        let all_lookups = if lookups.is_multiple_of(EVERY) {
            self.lookups.fetch_add(EVERY, Ordering::Relaxed) + EVERY
        } else {
            self.lookups.load(Ordering::Relaxed)
        };
        if !meter.is_armed.get() || std::thread::panicking() {
            return;
        }
        let all_expansions = self.expansions.load(Ordering::Relaxed);
        let most_expansions = if overdue::is_at_body() { BODY_EXPANSIONS } else { EXPANSIONS };
        let stop = if is_out_of_memory() {
            Stop::Memory
        } else if is_out_of_time() && overdue::is_at_body() {
            Stop::Time
        } else if meter.expansions.get() > most_expansions
            || meter.expansions.get() > 0
                && meter.shares.get()
                && all_expansions > self.most_expansions.load(Ordering::Relaxed)
        {
            Stop::Expansions
        } else if lookups > LOOKUPS || meter.shares.get() && all_lookups > self.most_lookups.load(Ordering::Relaxed) {
            Stop::Lookups
        } else {
            return;
        };
        let expansion = meter.last.get().filter(|_| stop == Stop::Expansions).map(MacroCallId::from_id);
        unwind(OverBudget { stop, expansion });
    }
}

/// Unwinds if an edit has made this work useless, as a query would. It does not count as one: an interpreted program asks
/// at up to each of its steps.
pub(crate) fn unwind_if_edited(db: &dyn HirDatabase) {
    // Queries are added to those of the project in portions, so the count must not be near a full one.
    let counted = METER.with(|meter| meter.lookups.replace(0));
    db.unwind_if_revision_cancelled();
    METER.with(|meter| meter.lookups.set(counted));
}

/// Ends the item of this thread, if there is one.
pub(crate) fn stop(stop: Stop) {
    if METER.with(|meter| meter.is_armed.get()) {
        unwind(OverBudget { stop, expansion: None });
    }
}

/// Salsa's name of the query that expands a macro call.
const EXPANDS: &str = "MacroCallId::parse_macro_expansion";

/// The cost of a thread's item so far.
#[derive(Default)]
struct Meter {
    is_armed: Cell<bool>,
    /// Whether the item counts towards the budget of all items of the project.
    shares: Cell<bool>,
    wants_check: Cell<bool>,
    expansions: Cell<u64>,
    lookups: Cell<u64>,
    last: Cell<Option<Id>>,
}

thread_local! {
    static METER: Meter = Meter::default();
}

/// Starts a budget for this thread; dropping it restores the previous one.
pub(crate) struct BudgetScope {
    is_armed: bool,
    shares: bool,
    expansions: u64,
    lookups: u64,
    last: Option<Id>,
}

impl BudgetScope {
    /// std's items do not count: they are the same whatever was spent before.
    pub(crate) fn new(shares: bool) -> BudgetScope {
        METER.with(|meter| BudgetScope {
            is_armed: meter.is_armed.replace(true),
            shares: meter.shares.replace(shares),
            expansions: meter.expansions.replace(0),
            lookups: meter.lookups.replace(0),
            last: meter.last.replace(None),
        })
    }
}

impl Drop for BudgetScope {
    fn drop(&mut self) {
        METER.with(|meter| {
            meter.is_armed.set(self.is_armed);
            meter.shares.set(self.shares);
            meter.expansions.set(self.expansions);
            meter.lookups.set(self.lookups);
            meter.last.set(self.last);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;
    use salsa::Database as _;

    #[test]
    fn asking_for_edits_is_no_query() {
        let db = Database::new();
        METER.with(|meter| meter.lookups.set(EVERY - 1));
        let counted = || (METER.with(|meter| meter.lookups.get()), db.account().lookups.load(Ordering::Relaxed));
        let before = counted();
        unwind_if_edited(&db);
        assert_eq!(counted(), before);
        db.unwind_if_revision_cancelled();
        assert_eq!(counted(), (EVERY, before.1 + EVERY));
    }
}
