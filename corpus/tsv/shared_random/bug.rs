use std::cell::Cell;
use std::thread;

struct Random {
    state: Cell<u64>,
}

unsafe impl Sync for Random {}

impl Random {
    fn next(&self) -> u64 {
        let state = &self.state;
        let mut x = state.get(); //~ thread-safety-violation
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        state.set(x); //~ thread-safety-violation
        x
    }

    fn below(&self, limit: u64) -> u64 {
        self.next() % limit
    }
}

static RANDOM: Random = Random { state: Cell::new(88172645463325252) };

fn estimate(samples: u32) -> u32 {
    (0..samples).filter(|_| RANDOM.below(100) + RANDOM.below(100) < 100).count() as u32
}

// All threads take their random numbers from one cell.
fn main() {
    let threads: Vec<_> = (0..2).map(|_| thread::spawn(|| estimate(4))).collect();
    let hits: u32 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    println!("{}", hits <= 8);
}
