use std::sync::Arc;
use std::sync::atomic::*;
use std::thread;

struct SpinLock {
    locked: AtomicBool,
    value: std::cell::UnsafeCell<u32>,
}
unsafe impl Sync for SpinLock {}
impl SpinLock {
    fn with<R>(&self, f: impl FnOnce(&mut u32) -> R) -> R {
        while self.locked.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            thread::yield_now();
        }
        let r = f(unsafe { &mut *self.value.get() });
        self.locked.store(false, Ordering::Release);
        r
    }
}

fn main() {
    let a = AtomicI32::new(5);
    println!("{} {}", a.fetch_add(3, Ordering::SeqCst), a.fetch_sub(10, Ordering::AcqRel));
    println!("{} {} {}", a.fetch_max(7, Ordering::Relaxed), a.fetch_min(2, Ordering::Relaxed), a.load(Ordering::Acquire));
    println!("{} {}", a.swap(0b1100, Ordering::SeqCst), a.fetch_and(0b0110, Ordering::SeqCst));
    println!("{} {} {}", a.fetch_or(1, Ordering::SeqCst), a.fetch_xor(7, Ordering::SeqCst), a.fetch_nand(3, Ordering::SeqCst));
    println!("{:?}", a);
    a.store(1, Ordering::Release);
    println!("{:?} {:?}", a.compare_exchange(1, 2, Ordering::SeqCst, Ordering::SeqCst), a.compare_exchange(1, 3, Ordering::SeqCst, Ordering::Relaxed));
    println!("{:?} {:?}", a.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |x| (x < 5).then_some(x * 10)), a.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |_| None));
    println!("{}", a.into_inner());
    let b = AtomicBool::new(false);
    println!("{} {} {}", b.swap(true, Ordering::SeqCst), b.fetch_not(Ordering::SeqCst), b.load(Ordering::SeqCst));
    println!("{} {:?}", AtomicU8::new(250).fetch_add(10, Ordering::SeqCst), { let x = AtomicU8::new(250); x.fetch_add(10, Ordering::SeqCst); x });
    println!("{}", { let x = AtomicI64::new(i64::MIN); x.fetch_sub(1, Ordering::SeqCst); x.into_inner() });
    let mut vals = [1, 2];
    let p = AtomicPtr::new(&mut vals[0]);
    unsafe { *p.load(Ordering::SeqCst) += 40 };
    p.store(&mut vals[1], Ordering::SeqCst);
    unsafe { *p.load(Ordering::SeqCst) += 400 };
    println!("{:?}", vals);
    let s = SpinLock { locked: AtomicBool::new(false), value: 0.into() };
    thread::scope(|sc| {
        for i in 0..3 {
            let s = &s;
            sc.spawn(move || {
                for _ in 0..10 {
                    s.with(|v| *v += i);
                }
            });
        }
    });
    println!("{}", s.with(|v| *v));
    let data = Arc::new((AtomicU32::new(0), AtomicBool::new(false)));
    let d = data.clone();
    let h = thread::spawn(move || {
        d.0.store(42, Ordering::Relaxed);
        d.1.store(true, Ordering::Release);
    });
    while !data.1.load(Ordering::Acquire) {
        thread::yield_now();
    }
    fence(Ordering::SeqCst);
    println!("{}", data.0.load(Ordering::Relaxed));
    h.join().unwrap();
}
