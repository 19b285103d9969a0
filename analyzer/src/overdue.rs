//! Items that do not end, and that no [budget](crate::budget) ends either.
//!
//! A budget ends an item where salsa is asked for something. Some of rust-analyzer's algorithms ask for nothing while they walk a type that
//! doubles with each line. No thread can be ended from outside, so a process that wants to go on has to start anew and
//! [leave the item out](leave_out). This module says which item each thread is at, and whether it gets anywhere.

use base_db::{CrateOrigin, Nonce, SourceDatabase};
use hir_def::{AstIdLoc as _, DefWithBodyId, HasModule as _, Lookup as _};
use hir_ty::db::HirDatabase;
use ra_ap_base_db as base_db;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_vfs::FileId;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::{
    fmt,
    hash::{Hash, Hasher},
    num::ParseIntError,
    str::FromStr,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

/// An item, by its place and the text of its file: the same in each process, until the file is edited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ItemId(u64);

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for ItemId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<ItemId, ParseIntError> {
        u64::from_str_radix(text, 16).map(ItemId)
    }
}

impl ItemId {
    /// A body of the user's or of a dependency; std's bodies are known to end.
    pub(crate) fn of_body(db: &dyn HirDatabase, body: DefWithBodyId) -> Option<ItemId> {
        if matches!(body.krate(db).data(db).origin, CrateOrigin::Lang(_)) {
            return None;
        }
        let mut hasher = FxHasher::default();
        let item = match body {
            DefWithBodyId::FunctionId(id) => id.lookup(db).ast_id().erase(),
            DefWithBodyId::StaticId(id) => id.lookup(db).ast_id().erase(),
            DefWithBodyId::ConstId(id) => id.lookup(db).ast_id().erase(),
            DefWithBodyId::VariantId(id) => id.lookup(db).id.erase(),
        };
        item.value.hash(&mut hasher);
        let mut file = item.file_id;
        while let Some(call) = file.macro_file() {
            let kind = &call.loc(db).kind;
            kind.erased_ast_id().hash(&mut hasher);
            file = kind.file_id();
        }
        hash_of_text(db, file.file_id()?.file_id(db)).hash(&mut hasher);
        Some(ItemId(hasher.finish() & !IS_CRATE))
    }

    /// The names and impls of a crate.
    pub(crate) fn of_crate(db: &dyn HirDatabase, root: FileId) -> ItemId {
        let mut hasher = FxHasher::default();
        hash_of_text(db, root).hash(&mut hasher);
        ItemId(hasher.finish() | IS_CRATE)
    }

    /// Whether it is the names and impls of a crate, not a body.
    pub fn is_crate(self) -> bool {
        self.0 & IS_CRATE != 0
    }
}

/// The bit of an id that says so.
const IS_CRATE: u64 = 1;

/// Hashes of the texts of files, by database. They are no input of a query: what is computed does not depend on them.
static TEXTS: Mutex<Option<FxHashMap<(Nonce, FileId), u64>>> = Mutex::new(None);

/// The file has this text from now on.
pub(crate) fn note_text(db: &dyn SourceDatabase, file: FileId, text: &str) {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.get_or_insert_default().insert((db.nonce_and_revision().0, file), hasher.finish());
}

fn hash_of_text(db: &dyn SourceDatabase, file: FileId) -> u64 {
    let texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (db.nonce_and_revision().0, file);
    texts.as_ref().and_then(|texts| texts.get(&key).copied()).unwrap_or_default()
}

/// Items that are left out.
static LEFT_OUT: Mutex<Option<FxHashSet<ItemId>>> = Mutex::new(None);

/// From now on these items are left out.
pub fn leave_out(items: impl IntoIterator<Item = ItemId>) {
    LEFT_OUT.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().extend(items);
}

pub(crate) fn is_left_out(item: ItemId) -> bool {
    let items = LEFT_OUT.lock().unwrap_or_else(PoisonError::into_inner);
    items.as_ref().is_some_and(|items| items.contains(&item))
}

/// What a thread is at.
#[derive(Debug)]
struct Pulse {
    thread: std::thread::ThreadId,
    system_thread: u64,
    /// The item; 0 is none.
    item: AtomicU64,
    /// How often salsa was asked for something.
    beats: AtomicU64,
}

static PULSES: Mutex<Vec<Weak<Pulse>>> = Mutex::new(Vec::new());

thread_local! {
    static PULSE: Arc<Pulse> = {
        let pulse = Arc::new(Pulse {
            thread: std::thread::current().id(),
            system_thread: system_thread(),
            item: AtomicU64::new(0),
            beats: AtomicU64::new(0),
        });
        let mut pulses = PULSES.lock().unwrap_or_else(PoisonError::into_inner);
        pulses.retain(|it| it.strong_count() > 0);
        pulses.push(Arc::downgrade(&pulse));
        pulse
    };
}

/// The number of this thread for the system; 0 where that is not known.
fn system_thread() -> u64 {
    #[cfg(target_os = "linux")]
    return rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs().into();
    #[cfg(not(target_os = "linux"))]
    0
}

/// Salsa was asked for something on this thread.
pub(crate) fn beat() {
    // A thread that ends has none any more.
    let _ = PULSE.try_with(|pulse| {
        // No other thread writes it.
        pulse.beats.store(pulse.beats.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    });
}

/// Whether this thread is at a body.
pub(crate) fn is_at_body() -> bool {
    let item = ItemId(PULSE.with(|pulse| pulse.item.load(Ordering::Relaxed)));
    item.0 != 0 && !item.is_crate()
}

/// The item of this thread until it is dropped; the one of before goes on then.
pub(crate) struct UnderWay(u64);

impl UnderWay {
    pub(crate) fn new(item: ItemId) -> UnderWay {
        UnderWay(PULSE.with(|pulse| pulse.item.swap(item.0, Ordering::Relaxed)))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        PULSE.with(|pulse| pulse.item.store(self.0, Ordering::Relaxed));
    }
}

/// An item that a thread is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Running {
    /// The thread.
    pub thread: std::thread::ThreadId,
    /// Its number for the system; 0 where that is not known.
    pub system_thread: u64,
    /// The item.
    pub item: ItemId,
    /// How often the thread has asked salsa for something: while this number stays, no budget can end the item.
    pub beats: u64,
}

/// The items that are under way in this process.
pub fn running() -> Vec<Running> {
    let pulses = PULSES.lock().unwrap_or_else(PoisonError::into_inner);
    let running = pulses.iter().filter_map(|pulse| {
        let pulse = pulse.upgrade()?;
        let item = pulse.item.load(Ordering::Relaxed);
        let beats = pulse.beats.load(Ordering::Relaxed);
        let Pulse { thread, system_thread, .. } = *pulse;
        (item != 0).then_some(Running { thread, system_thread, item: ItemId(item), beats })
    });
    running.collect()
}
