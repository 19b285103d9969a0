use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Latch {
    open: Mutex<usize>,
    none_left: Condvar,
}

impl Latch {
    fn new(count: usize) -> Arc<Latch> {
        Arc::new(Latch { open: Mutex::new(count), none_left: Condvar::new() })
    }

    fn count_down(&self) {
        let mut open = self.open.lock().unwrap();
        *open -= 1;
        if *open == 0 {
            self.none_left.notify_all();
        }
    }

    fn wait(&self) {
        let open = self.open.lock().unwrap();
        drop(self.none_left.wait_while(open, |open| *open > 0).unwrap()); //~ deadlock
    }
}

fn load(shard: &str) -> usize {
    shard.len()
}

// The latch counts all shards, but the empty ones get no thread that counts down.
fn main() {
    let shards = ["users", "", "orders"];
    let latch = Latch::new(shards.len());
    for shard in shards.into_iter().filter(|shard| !shard.is_empty()) {
        let latch = Arc::clone(&latch);
        thread::spawn(move || {
            println!("{} rows", load(shard));
            latch.count_down();
        });
    }
    latch.wait();
    println!("all loaded");
}
