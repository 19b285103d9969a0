use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

struct Gate {
    open: AtomicBool,
    waiting: Mutex<Vec<Thread>>,
}

impl Gate {
    fn pass(&self) {
        while !self.open.load(Ordering::Acquire) {
            self.waiting.lock().unwrap().push(thread::current());
            if self.open.load(Ordering::Acquire) {
                return;
            }
            thread::park();
        }
    }

    fn open(&self) {
        self.open.store(true, Ordering::Release);
        for thread in self.waiting.lock().unwrap().drain(..) {
            thread.unpark();
        }
    }
}

fn main() {
    // One token, however often.
    thread::current().unpark();
    thread::current().unpark();
    thread::park();
    let start = Instant::now();
    thread::park_timeout(Duration::from_millis(20));
    println!("waited {}", start.elapsed() >= Duration::from_millis(20));
    thread::current().unpark();
    let start = Instant::now();
    thread::park_timeout(Duration::from_secs(3600));
    println!("at once {}", start.elapsed() < Duration::from_secs(3600));

    let gate = Arc::new(Gate { open: AtomicBool::new(false), waiting: Mutex::new(Vec::new()) });
    let passed = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (gate, passed) = (gate.clone(), passed.clone());
            thread::spawn(move || {
                gate.pass();
                passed.fetch_add(1, Ordering::Relaxed);
            })
        })
        .collect();
    gate.open();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    println!("{}", passed.load(Ordering::Relaxed));

    // Woken before it parks, and by its handle.
    let flag = Arc::new(AtomicBool::new(false));
    let inner = flag.clone();
    let parked = thread::spawn(move || {
        while !inner.load(Ordering::Acquire) {
            thread::park();
        }
        "woken"
    });
    flag.store(true, Ordering::Release);
    parked.thread().unpark();
    println!("{}", parked.join().unwrap());

    // Three players pass a ball.
    let turn = Arc::new(AtomicUsize::new(0));
    let order = Arc::new(Mutex::new(Vec::new()));
    let players: Vec<_> = (0..3)
        .map(|me| {
            let (turn, order) = (turn.clone(), order.clone());
            thread::spawn(move || {
                for round in 0..3 {
                    while turn.load(Ordering::Acquire) != round * 3 + me {
                        thread::park_timeout(Duration::from_millis(1));
                    }
                    order.lock().unwrap().push(me);
                    turn.fetch_add(1, Ordering::Release);
                }
            })
        })
        .collect();
    players.into_iter().for_each(|player| player.join().unwrap());
    println!("{:?}", order.lock().unwrap());
}
