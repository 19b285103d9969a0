use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, LazyLock, Once, OnceLock};
use std::thread;

static CONFIG: OnceLock<String> = OnceLock::new();
static LAZY: LazyLock<Vec<u32>> = LazyLock::new(|| {
    println!("lazy init");
    vec![1, 2, 3]
});
static INIT: Once = Once::new();
static INITS: AtomicI32 = AtomicI32::new(0);

fn main() {
    let b = Arc::new(Barrier::new(3));
    let before = Arc::new(AtomicUsize::new(0));
    let hs: Vec<_> = (0..3)
        .map(|_| {
            let (b, before) = (b.clone(), before.clone());
            thread::spawn(move || {
                before.fetch_add(1, Ordering::SeqCst);
                let leader = b.wait().is_leader();
                (leader, before.load(Ordering::SeqCst))
            })
        })
        .collect();
    let rs: Vec<_> = hs.into_iter().map(|h| h.join().unwrap()).collect();
    println!("{} {:?}", rs.iter().filter(|r| r.0).count(), rs.iter().map(|r| r.1).collect::<Vec<_>>());
    println!("{:?}", CONFIG.get());
    thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| {
                CONFIG.get_or_init(|| {
                    INITS.fetch_add(1, Ordering::Relaxed);
                    "configured".to_string()
                });
            });
        }
    });
    println!("{:?} {} {:?}", CONFIG.get(), INITS.load(Ordering::Relaxed), CONFIG.set("again".into()));
    println!("before lazy");
    println!("{} {}", LAZY.len(), LAZY.iter().sum::<u32>());
    for _ in 0..3 {
        INIT.call_once(|| println!("once"));
    }
    println!("{}", INIT.is_completed());
    let cell = std::cell::OnceCell::new();
    println!("{:?} {} {:?} {:?}", cell.get(), cell.get_or_init(|| 5), cell.set(6), cell);
    let lazy = std::cell::LazyCell::new(|| {
        println!("lazy cell");
        7
    });
    println!("{} {}", *lazy, *lazy + 1);
    let bad: LazyLock<i32> = LazyLock::new(|| panic!("init fails"));
    for _ in 0..2 {
        println!("{}", std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| *bad)).is_err());
    }
    let o = OnceLock::new();
    let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| *o.get_or_init(|| panic!("first try"))));
    println!("{} {}", r.is_err(), o.get_or_init(|| 3));
    println!("{:?}", o.into_inner());
}
