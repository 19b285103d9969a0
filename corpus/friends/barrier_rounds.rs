use std::cell::UnsafeCell;
use std::sync::Barrier;
use std::thread;

const WORKERS: usize = 2;

struct Grid {
    cells: [UnsafeCell<u32>; WORKERS],
}

unsafe impl Sync for Grid {}

impl Grid {
    fn step(&self, own: usize, barrier: &Barrier) {
        for round in 0..2 {
            let neighbour = unsafe { *self.cells[(own + 1) % WORKERS].get() };
            barrier.wait();
            unsafe { *self.cells[own].get() += neighbour + round };
            barrier.wait();
        }
    }
}

// Between two barriers all cells are only read, or each one is written by its own thread.
fn main() {
    let grid = Grid { cells: [UnsafeCell::new(1), UnsafeCell::new(2)] };
    let barrier = Barrier::new(WORKERS);
    thread::scope(|scope| {
        scope.spawn(|| grid.step(0, &barrier));
        scope.spawn(|| grid.step(1, &barrier));
    });
    println!("{:?}", grid.cells.map(UnsafeCell::into_inner));
}
