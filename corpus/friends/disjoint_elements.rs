use std::cell::UnsafeCell;
use std::thread;

struct Cells(Vec<UnsafeCell<u64>>);

unsafe impl Sync for Cells {}

impl Cells {
    /// Each index belongs to one thread while the scope lasts.
    fn add(&self, index: usize, value: u64) {
        unsafe { *self.0[index].get() += value }
    }
}

// Threads index one vector at once, each at its own elements, and nobody changes its length.
fn main() {
    let cells = Cells((0..4).map(UnsafeCell::new).collect());
    thread::scope(|scope| {
        for index in 0..4 {
            let cells = &cells;
            scope.spawn(move || (0..3).for_each(|n| cells.add(index, n + cells.0.len() as u64)));
        }
    });
    println!("{:?}", cells.0.into_iter().map(UnsafeCell::into_inner).collect::<Vec<_>>());
}
