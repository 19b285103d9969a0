// Time passes also for those who wait for it without blocking, and for those who sleep while others do that.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::mpsc::{self, RecvTimeoutError, TryRecvError};
use std::thread::{self, park_timeout, sleep, spawn, yield_now};
use std::time::{Duration, Instant};
static DONE: AtomicBool = AtomicBool::new(false);
static READY: AtomicU32 = AtomicU32::new(0);
fn main() {
    let sleeper = spawn(|| {
        sleep(Duration::from_millis(10));
        DONE.store(true, SeqCst);
    });
    while !DONE.load(SeqCst) {
        yield_now();
    }
    sleeper.join().unwrap();
    println!("slept");
    let parked = spawn(|| {
        park_timeout(Duration::from_millis(10));
        DONE.store(false, SeqCst);
    });
    while DONE.load(SeqCst) {
        std::hint::spin_loop();
    }
    parked.join().unwrap();
    println!("parked");
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(2) {}
    println!("{}", start.elapsed() < Duration::from_secs(60));
    let spinners: Vec<_> = (0..3).map(|n| spawn(move || while READY.load(SeqCst) <= n {})).collect();
    for _ in 0..3 {
        sleep(Duration::from_millis(5));
        READY.fetch_add(1, SeqCst);
    }
    spinners.into_iter().for_each(|it| it.join().unwrap());
    println!("all spinners");
    let (sender, receiver) = mpsc::channel();
    let polls = spawn(move || {
        let mut polls = 0u64;
        loop {
            match receiver.try_recv() {
                Ok(message) => return (message, polls > 0),
                Err(TryRecvError::Empty) => polls += 1,
                Err(TryRecvError::Disconnected) => return (0, false),
            }
            thread::yield_now();
        }
    });
    sleep(Duration::from_millis(10));
    sender.send(7).unwrap();
    println!("{:?}", polls.join().unwrap().0);
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, (sender, receiver)) = (stop.clone(), mpsc::channel::<()>());
    let worker = spawn(move || while !flag.load(SeqCst) {});
    println!("{:?}", receiver.recv_timeout(Duration::from_millis(5)) == Err(RecvTimeoutError::Timeout));
    stop.store(true, SeqCst);
    worker.join().unwrap();
    drop(sender);
    let deadline = Instant::now() + Duration::from_millis(3);
    let mut turns = 0;
    while Instant::now() < deadline {
        turns += 1;
        yield_now();
    }
    println!("{}", turns > 0);
}
