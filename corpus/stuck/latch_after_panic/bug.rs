use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Latch {
    open: Mutex<u32>,
    changed: Condvar,
}

impl Latch {
    fn count_down(&self) {
        *self.open.lock().unwrap() -= 1;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let open = self.open.lock().unwrap();
        drop(self.changed.wait_while(open, |open| *open > 0).unwrap()); //~ deadlock
    }
}

struct CountsDown(Arc<Latch>);

impl Drop for CountsDown {
    fn drop(&mut self) {
        self.0.count_down();
    }
}

fn work(latch: Arc<Latch>, input: Option<u32>) -> u32 {
    let result = input.expect("an input") * 2;
    drop(CountsDown(latch));
    result
}

// A worker that panics never counts down, and `main` waits for its count before it joins.
fn main() {
    let latch = Arc::new(Latch { open: Mutex::new(2), changed: Condvar::new() });
    let workers = [Some(4), None].map(|input| {
        let latch = latch.clone();
        thread::spawn(move || work(latch, input))
    });
    latch.wait();
    println!("{:?}", workers.map(|worker| worker.join().ok()));
}
