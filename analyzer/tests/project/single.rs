//! A single file over std.

use hir_def::DefWithBodyId;
use hir_def::expr_store::Body;
use hir_ty::db::HirDatabase;
use hir_ty::next_solver::{DbInterner, ParamEnv};
use hir_ty::{InferenceResult, ParamEnvAndCrate};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_span::{TextRange, TextSize};

use super::support::{Folder, bodies, count_untyped, single, try_load};

const PROGRAM: &str = r#"
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

static CONFIG: LazyLock<HashMap<String, u32>> = LazyLock::new(HashMap::new);
static COUNT: AtomicUsize = AtomicUsize::new(0);
thread_local! { static LOCAL: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) }; }

struct Ledger { accounts: Mutex<HashMap<u32, i64>>, log: RwLock<Vec<String>>, ready: Condvar }

fn worker(ledger: Arc<Ledger>, id: u32) -> Result<i64, Box<dyn std::error::Error + Send + Sync>> {
    let mut accounts = ledger.accounts.lock().map_err(|error| error.to_string())?;
    *accounts.entry(id).or_insert(0) += 1;
    if let Some(balance) = accounts.get(&id).copied() {
        ledger.log.write().unwrap().push(format!("{id}: {balance:>5}"));
    }
    ledger.ready.notify_all();
    COUNT.fetch_add(1, Ordering::Relaxed);
    LOCAL.with(|local| local.borrow_mut().push(1));
    Ok(accounts.values().sum())
}

fn main() {
    let ledger = Arc::new(Ledger { accounts: Mutex::default(), log: RwLock::new(vec![]), ready: Condvar::new() });
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..4u32).map(|id| {
        let (ledger, sender) = (Arc::clone(&ledger), sender.clone());
        thread::spawn(move || { sender.send(id).unwrap(); worker(ledger, id) })
    }).collect();
    for thread in threads { let total = thread.join().unwrap(); assert!(total.is_ok(), "{total:?}"); }
    let barrier = Barrier::new(2);
    thread::scope(|scope| { scope.spawn(|| barrier.wait()); barrier.wait(); });
    let once: OnceLock<String> = OnceLock::new();
    once.get_or_init(|| "x".repeat(3));
    let (start, mut queue, mut heap) = (Instant::now(), VecDeque::from([1]), BinaryHeap::from([3, 1]));
    let (mut list, mut tree, set) = (LinkedList::new(), BTreeMap::new(), HashSet::from([1u8]));
    list.push_back(queue.pop_front());
    tree.insert(set.len(), heap.pop());
    while start.elapsed() < Duration::from_millis(5) { thread::yield_now(); }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| println!("{:?} {list:?} {tree:?}", receiver.recv_timeout(Duration::ZERO)));
    let shared = Rc::new(CONFIG.len());
    std::process::exit(i32::from(*shared == 0));
}
"#;

#[test]
#[expect(clippy::print_stdout, reason = "the times are for people")]
fn every_expression_has_a_type_and_every_value_a_layout() {
    let start = std::time::Instant::now();
    let mut project = single(PROGRAM);
    let loaded = start.elapsed();
    project.prime_caches();
    let primed = start.elapsed();
    let (failed, counts) = project.with_db(|project| {
        let db = project.db();
        let krate = project.binaries()[0].krate;
        let interner = DbInterner::new_with(db, krate.into());
        let env = ParamEnvAndCrate { param_env: ParamEnv::empty(interner), krate: krate.into() };
        let mut failed = Vec::new();
        let mut counts = (0, 0);
        for id in bodies(project, krate) {
            let (all, untyped) = count_untyped(project, id);
            counts = (counts.0 + all, counts.1 + untyped);
            let (body, inference) = (Body::of(db, id), InferenceResult::of(db, id));
            for (binding, _) in body.bindings() {
                let ty = inference.binding_ty(binding);
                if let Err(error) = db.layout_of_ty(ty.store(), env.store()) {
                    failed.push(format!("{ty:?}: {error}"));
                }
            }
        }
        (failed, counts)
    });
    println!("loaded {loaded:?}, primed {primed:?}, analysed {:?}", start.elapsed());
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(counts.1, 0);
    assert!(counts.0 > 250, "{counts:?}");
    assert!(project.syntax_errors().is_empty());
}

#[test]
fn what_a_file_says_of_itself() {
    let project = single("// é\nfn other() {}\nfn main() { let é = 1; let x = +; }\n");
    project.with_db(|project| {
        let binaries = project.binaries();
        assert_eq!(binaries.len(), 1);
        assert_eq!(binaries[0].name, "main");
        assert!(project.is_local(binaries[0].krate) && !project.is_std(binaries[0].krate));
        assert!(matches!(DefWithBodyId::from(binaries[0].function().unwrap()), DefWithBodyId::FunctionId(_)));
        let file = project.local_files()[0];
        // After the two-byte letters, columns are those of characters.
        let place = project.locate(file, TextRange::new(TextSize::new(41), TextSize::new(42)));
        assert_eq!((place.line, place.column, place.end_column), (3, 21, 22));
        assert_eq!(project.line_text(file, 2), "fn other() {}");
        let errors = project.syntax_errors();
        assert!(!errors.is_empty());
        assert_eq!(
            (errors[0].location.line, errors[0].message.as_str()),
            (3, "syntax error, code skipped: expected expression")
        );
        assert_eq!(project.file(&errors[0].location.path), Some(file));
    });
}

#[test]
fn without_main() {
    let project = single("pub fn f() {}");
    assert!(project.with_db(|project| project.binaries().is_empty()));
    assert_eq!(project.with_db(|project| project.targets().len()), 1);
}

#[test]
fn modules_beside_it() {
    let folder = Folder::new(&[
        ("x/a.rs", "mod b; mod c; mod none; fn main() { b::deep::f(c::g()) }"),
        ("x/b.rs", "pub mod deep;"),
        ("x/b/deep.rs", "pub fn f(_: u8) { let _ = 1; }"),
        ("x/c/mod.rs", "pub fn g() -> u8 { 1 }"),
        ("x/other.rs", "fn main() {}"),
    ]);
    let project = try_load(&folder.path("x/a.rs")).expect("the file is there");
    project.with_db(|project| {
        let counts: Vec<_> =
            bodies(project, project.binaries()[0].krate).into_iter().map(|id| count_untyped(project, id).1).collect();
        assert_eq!(counts, [0, 0, 0]);
        assert_eq!(project.local_files().len(), 4);
        let deep = folder.path("x/b/deep.rs").display().to_string();
        assert!(project.file(&deep).is_some());
    });
}

/// The paths are those that rustc looks at.
#[test]
fn modules_elsewhere() {
    let main = r#"
#[path = "far/away.rs"] mod near;
mod inline { pub mod nested; #[path = "named.rs"] pub mod other; }
#[path = "moved"] mod turned { pub mod inside; }
mod plain;
mod texts { pub fn len() -> usize { include_str!("data/text.txt").len() + include_bytes!("data/text.txt").len() } }
fn main() {
    let _: u8 = near::f() + inline::nested::f() + inline::other::f() + turned::inside::f() + plain::f();
    let _: [u8; 2] = include!("data/list.in");
    let _ = texts::len();
}
"#;
    let folder = Folder::new(&[
        ("x/main.rs", main),
        ("x/far/away.rs", "mod beside; pub fn f() -> u8 { beside::f() }"),
        ("x/far/beside.rs", "pub fn f() -> u8 { 1 }"),
        ("x/inline/nested.rs", "pub fn f() -> u8 { 2 }"),
        ("x/inline/named.rs", "pub fn f() -> u8 { 3 }"),
        ("x/moved/inside.rs", "pub fn f() -> u8 { 4 }"),
        (
            "x/plain.rs",
            "mod inner { #[path = \"q.rs\"] pub mod q; } #[path = \"r.rs\"] mod r; pub fn f() -> u8 { inner::q::f() + r::f() }",
        ),
        ("x/plain/inner/q.rs", "pub fn f() -> u8 { 5 }"),
        ("x/r.rs", "pub fn f() -> u8 { 6 }"),
        ("x/data/text.txt", "text"),
        ("x/data/list.in", "[1, 2]"),
    ]);
    let project = try_load(&folder.path("x/main.rs")).expect("the file is there");
    project.with_db(|project| {
        let all = bodies(project, project.binaries()[0].krate);
        let untyped: usize = all.iter().map(|id| count_untyped(project, *id).1).sum();
        // The length of an included file is not inferred; lowering has it.
        assert_eq!((all.len(), untyped), (10, 0));
    });
}
