use std::cell::UnsafeCell;
use std::sync::Barrier;
use std::thread;

struct Solver {
    parts: Vec<UnsafeCell<f64>>,
    total: UnsafeCell<f64>,
    barrier: Barrier,
}

unsafe impl Sync for Solver {}

impl Solver {
    fn iterate(&self, part: usize, rounds: usize) -> f64 {
        for _ in 0..rounds {
            unsafe { *self.parts[part].get() += 1.0 / (part + 1) as f64 };
            if self.barrier.wait().is_leader() {
                let sum = self.parts.iter().map(|part| unsafe { *part.get() }).sum();
                unsafe { *self.total.get() = sum };
            }
            self.barrier.wait();
            unsafe { *self.parts[part].get() /= *self.total.get() };
            self.barrier.wait();
        }
        unsafe { *self.parts[part].get() }
    }
}

// The leader reads all parts and writes the total between two barriers, where the others do nothing.
fn main() {
    let solver = Solver {
        parts: (0..3).map(|_| UnsafeCell::new(1.0)).collect(),
        total: UnsafeCell::new(0.0),
        barrier: Barrier::new(3),
    };
    let sum: f64 = thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|part| scope.spawn({ let solver = &solver; move || solver.iterate(part, 2) })).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{sum:.3}");
}
