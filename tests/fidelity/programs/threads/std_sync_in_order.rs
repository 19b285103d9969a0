// Scopes, channels, locks, cells and atomics whose output is one.
use std::cell::*;
use std::sync::{
    atomic::{Ordering::*, *},
    mpsc::*,
    *,
};
use std::thread;
use std::time::Duration;
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0)
    }
}
thread_local! { static T1: D = D("tls1"); static T2: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) }; static CT: Cell<u32> = Cell::new(5); }
static L: LazyLock<Vec<u32>> = LazyLock::new(|| {
    println!("lazy");
    vec![1, 2]
});
static O: OnceLock<String> = OnceLock::new();
static M: Mutex<Vec<u8>> = Mutex::new(vec![]);
static A: AtomicU32 = AtomicU32::new(1);
static ON: Once = Once::new();
static RW: RwLock<(i32, &str)> = RwLock::new((1, "a"));
fn main() {
    let mut v = vec![1, 2, 3];
    let mut s = 0;
    let r = thread::scope(|sc| {
        let h = sc.spawn(|| v.iter().sum::<i32>());
        let h2 = thread::Builder::new()
            .name("nm".into())
            .spawn_scoped(sc, || {
                s += 5;
                thread::current().name().map(str::to_owned)
            })
            .unwrap();
        (h.join().unwrap(), h2.join().unwrap())
    });
    v.push(s);
    println!("{r:?} {v:?}");
    let (tx, rx) = channel();
    let hs: Vec<_> = (0..3)
        .map(|i| {
            let tx = tx.clone();
            thread::spawn(move || {
                for k in 0..3 {
                    tx.send(i * 10 + k).unwrap()
                }
                i
            })
        })
        .collect();
    drop(tx);
    let mut got: Vec<i32> = rx.iter().collect();
    got.sort();
    println!("{got:?} {:?}", hs.into_iter().map(|h| h.join().unwrap()).collect::<Vec<_>>());
    println!("{:?} {:?}", rx.recv(), rx.try_recv());
    let (tx, rx) = sync_channel::<u8>(1);
    println!("{:?} {:?}", tx.try_send(1), tx.try_send(2));
    println!("{:?} {:?} {:?}", rx.recv(), rx.try_recv(), rx.recv_timeout(Duration::from_millis(1)));
    drop(rx);
    println!("{:?} {:?}", tx.send(3), tx.try_send(4));
    let (tx, rx) = sync_channel(0);
    let h = thread::spawn(move || {
        let a: Vec<&str> = rx.iter().take(2).collect();
        a
    });
    tx.send("x").unwrap();
    tx.send("y").unwrap();
    println!("{:?}", h.join());
    let (t, r) = channel::<D>();
    t.send(D("queued")).unwrap();
    drop(r);
    println!("{}", t.send(D("back")).unwrap_err().0.0);
    println!("{}", t.send(D("z")).unwrap_err());
    let p = Arc::new((Mutex::new(0), Condvar::new()));
    let q = p.clone();
    let h = thread::spawn(move || {
        for _ in 0..3 {
            *q.0.lock().unwrap() += 1;
            q.1.notify_one();
        }
    });
    let g = p.1.wait_while(p.0.lock().unwrap(), |n| *n < 3).unwrap();
    println!("{}", *g);
    drop(g);
    h.join().unwrap();
    let (g, to) = p.1.wait_timeout_while(p.0.lock().unwrap(), Duration::from_millis(2), |n| *n < 9).unwrap();
    println!("{} {}", *g, to.timed_out());
    println!("{:?}", p.0.try_lock().is_err());
    drop(g);
    println!("{:?}", p.0);
    let b = Arc::new(Barrier::new(3));
    let ls: Vec<_> = (0..3)
        .map(|_| {
            let b = b.clone();
            thread::spawn(move || {
                let r = b.wait().is_leader();
                b.wait();
                r
            })
        })
        .collect();
    println!("{}", ls.into_iter().filter(|_| true).map(|h| h.join().unwrap() as u32).sum::<u32>());
    println!("{:?} {}", LazyLock::force(&L), L.len());
    println!("{:?} {:?} {:?} {}", O.get(), O.set("a".into()), O.set("b".into()), O.get_or_init(|| "c".into()));
    ON.call_once(|| println!("once"));
    ON.call_once(|| println!("never"));
    println!("{}", ON.is_completed());
    M.lock().unwrap().extend([1, 2]);
    println!("{:?} {:?}", M, M.try_lock().map(|g| g.len()));
    {
        let r1 = RW.read().unwrap();
        let r2 = RW.try_read();
        println!("{} {} {:?}", r1.0, r2.is_ok(), RW.try_write().is_err());
    }
    RW.write().unwrap().1 = "zz";
    println!("{:?}", RW.read().unwrap().1);
    println!(
        "{:?} {:?} {:?} {:?}",
        A.fetch_update(SeqCst, SeqCst, |x| if x < 5 { Some(x * 2) } else { None }),
        A.compare_exchange(2, 9, AcqRel, Relaxed),
        A.compare_exchange(2, 9, SeqCst, SeqCst),
        A.fetch_max(20, Relaxed)
    );
    println!("{} {} {} {} {:?}", A.fetch_nand(6, SeqCst), A.load(SeqCst), A.swap(3, SeqCst), A.fetch_sub(4, SeqCst), A);
    let ab = AtomicBool::new(true);
    println!("{} {} {}", ab.fetch_nand(true, SeqCst), ab.fetch_xor(true, SeqCst), ab.fetch_not(SeqCst));
    let mut x = 5;
    let ap = AtomicPtr::new(&mut x);
    unsafe {
        *ap.load(SeqCst) += 1;
    }
    println!("{x} {}", AtomicI8::new(127).fetch_add(1, SeqCst));
    thread::spawn(|| {
        T1.with(|d| println!("with {}", d.0));
        T2.with_borrow_mut(|v| v.push(1));
        CT.set(9);
        println!("{:?} {} {:?}", T2.take(), CT.replace(1), CT.take());
        let _l = D("local");
    })
    .join()
    .unwrap();
    println!("{:?} {}", T2.with_borrow(|v| v.len()), CT.get());
    let h = thread::spawn(|| {
        thread::park();
        thread::park_timeout(Duration::from_millis(1));
        "unparked"
    });
    h.thread().unpark();
    println!("{:?} {}", h.join(), thread::current().name().unwrap());
    let h = thread::spawn(|| -> u8 { std::panic::resume_unwind(Box::new(5u8)) });
    println!("{:?}", h.join().unwrap_err().downcast_ref::<u8>());
    println!(
        "{:?}",
        thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(|| {
                fn f(n: u32) -> u32 {
                    if n == 0 { 0 } else { 1 + f(n - 1) }
                }
                f(1000)
            })
            .unwrap()
            .join()
    );
    let m = Arc::new(Mutex::new(1));
    let m2 = m.clone();
    let _ = thread::spawn(move || {
        std::panic::set_hook(Box::new(|_| {}));
        let _g = m2.lock().unwrap();
        panic!()
    })
    .join();
    println!("{} {:?} {:?}", m.is_poisoned(), m.lock().map_err(|e| *e.into_inner()).err(), m);
    m.clear_poison();
    println!("{:?}", m.lock().map(|g| *g));
    println!("{:?}", Arc::try_unwrap(m).map(|m| m.into_inner()));
    let w = Arc::new_cyclic(|w: &Weak<(u8, Weak<u8>)>| {
        println!("{:?}", w.upgrade().is_none());
        (3, Weak::new())
    });
    println!("{} {} {}", Arc::strong_count(&w), Arc::weak_count(&w), w.1.upgrade().is_none());
    let mut a = Arc::new(5);
    *Arc::make_mut(&mut a) += 1;
    let b2 = a.clone();
    *Arc::make_mut(&mut a) += 1;
    println!("{a} {b2}");
    println!("{:?} {}", Arc::get_mut(&mut a), Arc::unwrap_or_clone(b2));
}
