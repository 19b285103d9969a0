use std::cell::{Cell, LazyCell, OnceCell};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Once, OnceLock};
use std::thread;

static START: Once = Once::new();
static STARTS: AtomicU32 = AtomicU32::new(0);
static TABLE: LazyLock<Vec<u32>> = LazyLock::new(|| {
    println!("table made");
    (0..5).map(|n| n * n).collect()
});
static CONFIG: OnceLock<String> = OnceLock::new();

struct Parts {
    name: OnceLock<String>,
    len: OnceLock<usize>,
}

impl Parts {
    fn len(&self) -> usize {
        *self.len.get_or_init(|| self.name.get_or_init(|| "nested".to_owned()).len())
    }
}

fn main() {
    println!("{}", START.is_completed());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            thread::spawn(|| {
                START.call_once(|| {
                    thread::yield_now();
                    STARTS.fetch_add(1, Ordering::Relaxed);
                });
                STARTS.load(Ordering::Relaxed) + TABLE[2]
            })
        })
        .collect();
    println!("{:?}", threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>());
    START.wait();
    println!("{} {:?}", START.is_completed(), LazyLock::force(&TABLE));

    println!("{:?} {:?}", CONFIG.get(), CONFIG);
    let winners: u32 = thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|i| scope.spawn(move || CONFIG.set(format!("set {i}")).is_ok() as u32)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{winners} {}", CONFIG.get().unwrap().starts_with("set "));
    println!("{}", CONFIG.wait().len());
    let waiter = Arc::new(OnceLock::new());
    let other = waiter.clone();
    let waiting = thread::spawn(move || *other.wait());
    waiter.set(5).unwrap();
    println!("{}", waiting.join().unwrap());

    let parts = Parts { name: OnceLock::new(), len: OnceLock::new() };
    println!("{} {:?}", parts.len(), parts.name);
    let mut own = OnceLock::from(3);
    *own.get_mut().unwrap() += 1;
    println!("{:?} {:?} {:?}", own.take(), own, own.clone().into_inner());

    let cell = OnceCell::new();
    println!("{:?} {} {:?} {:?}", cell.get(), cell.get_or_init(|| 7), cell.set(8), cell);
    let calls = Cell::new(0);
    let lazy = LazyCell::new(|| {
        calls.set(calls.get() + 1);
        "lazy"
    });
    println!("{} {} {} {}", calls.get(), *lazy, lazy.len(), calls.get());
}
