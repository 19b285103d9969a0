use std::collections::VecDeque;
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

struct Queue<T> {
    items: Mutex<(VecDeque<T>, bool)>,
    filled: Condvar,
    emptied: Condvar,
}

impl<T> Queue<T> {
    fn put(&self, item: T) {
        let mut state = self.emptied.wait_while(self.items.lock().unwrap(), |state| state.0.len() == 2).unwrap();
        state.0.push_back(item);
        self.filled.notify_one();
    }

    fn take(&self) -> Option<T> {
        let mut state = self.items.lock().unwrap();
        loop {
            if let Some(item) = state.0.pop_front() {
                self.emptied.notify_one();
                return Some(item);
            }
            if state.1 {
                return None;
            }
            state = self.filled.wait(state).unwrap();
        }
    }

    fn close(&self) {
        self.items.lock().unwrap().1 = true;
        self.filled.notify_all();
    }
}

fn main() {
    let queue = Arc::new(Queue { items: Mutex::new((VecDeque::new(), false)), filled: Condvar::new(), emptied: Condvar::new() });
    let takers: Vec<_> = (0..3)
        .map(|_| {
            let queue = queue.clone();
            thread::spawn(move || std::iter::from_fn(|| queue.take()).sum::<u64>())
        })
        .collect();
    let makers: Vec<_> = (0..2u64)
        .map(|maker| {
            let queue = queue.clone();
            thread::spawn(move || (1..=10).for_each(|n| queue.put(maker * 100 + n)))
        })
        .collect();
    makers.into_iter().for_each(|maker| maker.join().unwrap());
    queue.close();
    println!("{}", takers.into_iter().map(|taker| taker.join().unwrap()).sum::<u64>());

    // Nobody notifies: the time runs out.
    let (mutex, changed) = (Mutex::new(1), Condvar::new());
    let start = Instant::now();
    let (guard, result) = changed.wait_timeout(mutex.lock().unwrap(), Duration::from_millis(30)).unwrap();
    println!("{} {} {}", *guard, result.timed_out(), start.elapsed() >= Duration::from_millis(30));
    let (guard, result) = changed.wait_timeout_while(guard, Duration::from_millis(20), |n| *n == 1).unwrap();
    println!("{} {}", *guard, result.timed_out());
    let (guard, result) = changed.wait_timeout_while(guard, Duration::from_millis(20), |n| *n == 2).unwrap();
    println!("{} {}", *guard, result.timed_out());
    drop(guard);

    // Notified before the time runs out.
    let pair = Arc::new((Mutex::new(0), Condvar::new()));
    let other = pair.clone();
    let setter = thread::spawn(move || {
        thread::sleep(Duration::from_millis(10));
        *other.0.lock().unwrap() = 4;
        other.1.notify_one();
    });
    let (guard, result) = pair.1.wait_timeout_while(pair.0.lock().unwrap(), Duration::from_secs(100), |n| *n == 0).unwrap();
    println!("{} {}", *guard, result.timed_out());
    drop(guard);
    setter.join().unwrap();

    // A notification that nobody waits for is lost.
    pair.1.notify_all();
    let (_guard, result) = pair.1.wait_timeout(pair.0.lock().unwrap(), Duration::from_millis(1)).unwrap();
    println!("{}", result.timed_out());

    // Barriers: one leader a round, all rounds in step.
    let barrier = Arc::new(Barrier::new(4));
    let log = Arc::new(Mutex::new(Vec::new()));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (barrier, log) = (barrier.clone(), log.clone());
            thread::spawn(move || {
                let mut led = 0;
                for round in 0..3 {
                    log.lock().unwrap().push(round);
                    led += barrier.wait().is_leader() as u32;
                }
                led
            })
        })
        .collect();
    println!("leaders {}", threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u32>());
    println!("{:?}", log.lock().unwrap());
}
