use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct SpinBarrier {
    parties: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
}

impl SpinBarrier {
    fn wait(&self) {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::Relaxed) + 1 == self.parties {
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round + 1, Ordering::Release);
        } else {
            while self.round.load(Ordering::Acquire) == round {
                std::hint::spin_loop();
            }
        }
    }
}

struct Board {
    rows: [UnsafeCell<u32>; 2],
    barrier: SpinBarrier,
}

unsafe impl Sync for Board {}

impl Board {
    fn play(&self, row: usize) -> u32 {
        unsafe { *self.rows[row].get() = row as u32 + 1 }; //~ data-race
        self.barrier.wait();
        unsafe { *self.rows[1 - row].get() } //~ data-race
    }
}

// Who comes last to the barrier does not acquire what the others did before.
fn main() {
    let barrier = SpinBarrier { parties: 2, arrived: AtomicUsize::new(0), round: AtomicUsize::new(0) };
    let board = Board { rows: Default::default(), barrier };
    let sum = thread::scope(|scope| {
        let other = scope.spawn(|| board.play(1));
        board.play(0) + other.join().unwrap()
    });
    println!("{sum}");
}
