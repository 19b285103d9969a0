use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

struct Cells(UnsafeCell<[u64; 3]>);

unsafe impl Sync for Cells {}

fn fill(cells: &Cells) {
    for n in 0..3 {
        unsafe { (*cells.0.get())[n] = n as u64 * 7 };
    }
}

fn poll(worker: JoinHandle<()>, cells: &Cells) -> u64 {
    while !worker.is_finished() {
        thread::yield_now();
    }
    worker.join().unwrap();
    unsafe { (*cells.0.get())[2] }
}

// That the thread is finished can be seen without being ordered after what it did; only `join` does that.
fn main() {
    let cells = Arc::new(Cells(UnsafeCell::new([0; 3])));
    let worker = {
        let cells = cells.clone();
        thread::spawn(move || fill(&cells))
    };
    println!("{}", poll(worker, &cells));
}
