use std::sync::{Arc, Mutex};
use std::thread;

struct Shards {
    shards: Vec<Mutex<Vec<u32>>>,
}

impl Shards {
    fn new(count: usize) -> Shards {
        Shards { shards: (0..count).map(|_| Mutex::default()).collect() }
    }

    fn add(&self, value: u32) {
        self.shards[value as usize % self.shards.len()].lock().unwrap().push(value);
    }

    fn rebalance(&self, first: usize) {
        let count = self.shards.len();
        let order = (0..count).map(|n| (first + n) % count);
        let mut guards: Vec<_> = order.map(|n| self.shards[n].lock().unwrap()).collect(); //~ deadlock
        let mut all: Vec<u32> = guards.iter_mut().flat_map(|shard| shard.drain(..)).collect();
        all.rotate_left(first % 3);
        let size = all.len().div_ceil(count).max(1);
        for (shard, part) in guards.iter_mut().zip(all.chunks(size)) {
            shard.extend_from_slice(part);
        }
    }
}

// Each worker begins with a shard of its own and takes all others in a circle.
fn main() {
    let shards = Arc::new(Shards::new(3));
    (0..7).for_each(|value| shards.add(value));
    let workers: Vec<_> = (0..2)
        .map(|first| {
            let shards = Arc::clone(&shards);
            thread::spawn(move || shards.rebalance(first))
        })
        .collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    println!("{}", shards.shards.iter().map(|shard| shard.lock().unwrap().len()).sum::<usize>());
}
