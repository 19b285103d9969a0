use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
    compiler_fence, fence,
};
use std::thread;

fn spin(flag: &AtomicBool) {
    while flag.compare_exchange_weak(false, true, Acquire, Relaxed).is_err() {
        std::hint::spin_loop();
    }
}

fn main() {
    let a = AtomicU8::new(250);
    println!("{} {} {}", a.fetch_add(10, SeqCst), a.fetch_sub(5, SeqCst), a.load(Relaxed));
    let a = AtomicI8::new(-100);
    println!("{} {} {}", a.fetch_sub(100, Relaxed), a.fetch_max(-3, Relaxed), a.fetch_min(2, Relaxed));
    println!("{:?}", a);
    let a = AtomicU16::new(0b1100);
    println!("{} {} {} {}", a.fetch_and(0b0110, Relaxed), a.fetch_or(1, Relaxed), a.fetch_xor(0b11, Relaxed), a.fetch_nand(6, Relaxed));
    println!("{:#b}", a.load(Relaxed));
    let a = AtomicI16::new(i16::MAX);
    println!("{} {}", a.fetch_add(1, AcqRel), a.swap(5, AcqRel));
    let a = AtomicU32::new(7);
    println!("{:?} {:?}", a.compare_exchange(7, 8, AcqRel, Acquire), a.compare_exchange(7, 9, Release, Relaxed));
    println!("{:?} {:?}", a.fetch_update(SeqCst, SeqCst, |n| (n < 9).then_some(n + 1)), a.fetch_update(SeqCst, SeqCst, |n| (n < 9).then_some(n + 1)));
    let a = AtomicI64::new(i64::MIN);
    println!("{} {}", a.fetch_max(-1, SeqCst), a.into_inner());
    let mut a = AtomicU64::new(1);
    *a.get_mut() <<= 40;
    println!("{}", a.fetch_max(3, Relaxed).max(a.load(SeqCst)));
    let a = AtomicIsize::new(-1);
    println!("{} {}", a.fetch_add(1, Relaxed), unsafe { *a.as_ptr() });
    let b = AtomicBool::new(true);
    println!("{} {} {} {}", b.fetch_and(false, SeqCst), b.fetch_or(true, SeqCst), b.fetch_xor(true, SeqCst), b.fetch_not(SeqCst));
    println!("{} {:?}", b.fetch_nand(true, SeqCst), b);
    let (mut x, mut y) = (1, 2);
    let p = AtomicPtr::new(&mut x);
    let old = p.swap(&mut y, AcqRel);
    println!("{} {}", unsafe { *old }, unsafe { *p.load(Acquire) });
    println!("{}", p.compare_exchange(old, old, SeqCst, SeqCst).is_err());

    // A spin lock around what is no atomic.
    struct Spin(AtomicBool, std::cell::UnsafeCell<Vec<u32>>);
    unsafe impl Sync for Spin {}
    let spinlock = Arc::new(Spin(AtomicBool::new(false), Vec::new().into()));
    let threads: Vec<_> = (0..3)
        .map(|i| {
            let lock = spinlock.clone();
            thread::spawn(move || {
                for _ in 0..5 {
                    spin(&lock.0);
                    unsafe { (*lock.1.get()).push(i) };
                    lock.0.store(false, Release);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let all = unsafe { &*spinlock.1.get() };
    println!("{} {}", all.len(), all.iter().sum::<u32>());

    // Publication by fences.
    let data = Arc::new((AtomicUsize::new(0), AtomicBool::new(false)));
    let inner = data.clone();
    let writer = thread::spawn(move || {
        inner.0.store(42, Relaxed);
        fence(Release);
        inner.1.store(true, Relaxed);
    });
    while !data.1.load(Relaxed) {
        thread::yield_now();
    }
    fence(Acquire);
    compiler_fence(SeqCst);
    println!("{}", data.0.load(Relaxed));
    writer.join().unwrap();

    let counter = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let mut now = counter.load(Relaxed);
                    while let Err(seen) = counter.compare_exchange_weak(now, now + 1, AcqRel, Relaxed) {
                        now = seen;
                    }
                }
            });
        }
    });
    println!("{counter:?}");
}
