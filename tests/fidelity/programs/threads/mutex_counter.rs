use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::thread;

static HITS: AtomicUsize = AtomicUsize::new(0);
static TABLE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

struct Account {
    balance: Mutex<i64>,
    log: RwLock<Vec<String>>,
}

fn main() {
    let n = Arc::new(Mutex::new(0));
    let hs: Vec<_> = (0..4)
        .map(|i| {
            let n = Arc::clone(&n);
            thread::spawn(move || {
                for _ in 0..25 {
                    *n.lock().unwrap() += i;
                    HITS.fetch_add(1, Ordering::Relaxed);
                }
                TABLE.lock().unwrap().push(i);
            })
        })
        .collect();
    for h in hs {
        h.join().unwrap();
    }
    println!("{} {}", *n.lock().unwrap(), HITS.load(Ordering::SeqCst));
    TABLE.lock().unwrap().sort();
    println!("{:?} {}", TABLE.lock().unwrap(), Arc::strong_count(&n));
    let a = Account { balance: Mutex::new(100), log: RwLock::new(vec![]) };
    thread::scope(|s| {
        for k in [5, -30, 12] {
            let a = &a;
            s.spawn(move || {
                let mut b = a.balance.lock().unwrap();
                *b += k;
                a.log.write().unwrap().push(format!("{k:+}"));
            });
        }
    });
    println!("{} {}", a.balance.lock().unwrap(), a.log.read().unwrap().len());
    let mut log = a.log.into_inner().unwrap();
    log.sort();
    println!("{:?}", log);
    let m = Mutex::new(1);
    {
        let g = m.lock().unwrap();
        println!("{:?} {:?} {}", m.try_lock().is_err(), m, g);
    }
    println!("{:?} {}", m, m.try_lock().is_ok());
    let mut m = m;
    *m.get_mut().unwrap() = 9;
    println!("{}", m.into_inner().unwrap());
    let rw = RwLock::new("x");
    let (r1, r2) = (rw.read().unwrap(), rw.read().unwrap());
    println!("{} {} {}", r1, r2, rw.try_write().is_err());
    drop((r1, r2));
    *rw.write().unwrap() = "y";
    println!("{:?} {:?}", rw, rw.try_read().map(|g| *g).ok());
    println!("{}", Arc::try_unwrap(n).unwrap().into_inner().unwrap());
}
