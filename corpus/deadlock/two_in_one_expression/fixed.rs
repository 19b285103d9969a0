use std::sync::Mutex;

#[derive(Default)]
struct Counts {
    hits: u32,
    misses: u32,
}

#[derive(Default)]
struct Cache {
    counts: Mutex<Counts>,
}

impl Cache {
    fn look_up(&self, key: u32) {
        let mut counts = self.counts.lock().unwrap();
        if key.is_multiple_of(3) {
            counts.misses += 1;
        } else {
            counts.hits += 1;
        }
    }

    fn requests(&self) -> u32 {
        let counts = self.counts.lock().unwrap();
        counts.hits + counts.misses
    }
}

// Both operands of the sum lock, and the first guard lives until the end of the expression.
fn main() {
    let cache = Cache::default();
    (0..9).for_each(|key| cache.look_up(key));
    println!("{}", cache.requests());
}
