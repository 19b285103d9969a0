//! Items that neither end nor can be stopped by a [budget](crate::budget).
//!
//! A budget stops an item at its next salsa query. Some of rust-analyzer's algorithms make no query while they walk a
//! type that doubles with each line. A thread cannot be killed, so the process must restart and
//! [leave the item out](leave_out). This module tracks the current item of each thread, and its number of queries.

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

/// The identity of an item: a hash of its position and of its file's text. It is the same in each process until the file is
/// edited.
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
    /// The body of the user's or a dependency; `None` for std's, which are known to end.
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

/// The bit that marks the id of a crate.
const IS_CRATE: u64 = 1;

/// Hashes of file texts, by database. They are no query input: results do not depend on them.
static TEXTS: Mutex<Option<FxHashMap<(Nonce, FileId), u64>>> = Mutex::new(None);

/// Sets the text of a file.
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

/// Leaves these items out from now on.
pub fn leave_out(items: impl IntoIterator<Item = ItemId>) {
    LEFT_OUT.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().extend(items);
}

pub(crate) fn is_left_out(item: ItemId) -> bool {
    let items = LEFT_OUT.lock().unwrap_or_else(PoisonError::into_inner);
    items.as_ref().is_some_and(|items| items.contains(&item))
}

/// The progress of a thread.
#[derive(Debug)]
struct ThreadProgress {
    thread: std::thread::ThreadId,
    system_thread: u64,
    /// Its current item; 0 for none.
    item: AtomicU64,
    /// Number of salsa queries.
    queries: AtomicU64,
}

static THREADS: Mutex<Vec<Weak<ThreadProgress>>> = Mutex::new(Vec::new());

thread_local! {
    static PROGRESS: Arc<ThreadProgress> = {
        let progress = Arc::new(ThreadProgress {
            thread: std::thread::current().id(),
            system_thread: system_thread(),
            item: AtomicU64::new(0),
            queries: AtomicU64::new(0),
        });
        let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|it| it.strong_count() > 0);
        threads.push(Arc::downgrade(&progress));
        progress
    };
}

/// The system's id of this thread; 0 if unknown.
fn system_thread() -> u64 {
    #[cfg(target_os = "linux")]
    return rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs().into();
    #[cfg(not(target_os = "linux"))]
    0
}

/// Counts a salsa query of this thread.
pub(crate) fn note_query() {
    // A thread that is ending has none.
    let _ = PROGRESS.try_with(|progress| {
        // Only this thread writes it.
        progress.queries.store(progress.queries.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    });
}

/// Whether this thread's current item is a body.
pub(crate) fn is_at_body() -> bool {
    let item = ItemId(PROGRESS.with(|progress| progress.item.load(Ordering::Relaxed)));
    item.0 != 0 && !item.is_crate()
}

/// Sets the current item of this thread; dropping it restores the previous one.
pub(crate) struct CurrentItem(u64);

impl CurrentItem {
    pub(crate) fn new(item: ItemId) -> CurrentItem {
        CurrentItem(PROGRESS.with(|progress| progress.item.swap(item.0, Ordering::Relaxed)))
    }
}

impl Drop for CurrentItem {
    fn drop(&mut self) {
        PROGRESS.with(|progress| progress.item.store(self.0, Ordering::Relaxed));
    }
}

/// A thread's current item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Running {
    /// The thread.
    pub thread: std::thread::ThreadId,
    /// The system's id of the thread; 0 if unknown.
    pub system_thread: u64,
    /// The item.
    pub item: ItemId,
    /// The thread's number of salsa queries: while it stays the same, no budget can stop the item.
    pub queries: u64,
}

/// The current items of all threads of this process.
pub fn running() -> Vec<Running> {
    let threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    let running = threads.iter().filter_map(|progress| {
        let progress = progress.upgrade()?;
        let item = progress.item.load(Ordering::Relaxed);
        let queries = progress.queries.load(Ordering::Relaxed);
        let ThreadProgress { thread, system_thread, .. } = *progress;
        (item != 0).then_some(Running { thread, system_thread, item: ItemId(item), queries })
    });
    running.collect()
}
