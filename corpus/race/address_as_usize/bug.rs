use std::thread;

// The address of the total goes into the threads as a number, past every check.
fn main() {
    let parts = [[1u64, 2], [3, 4]];
    let mut total = 0u64;
    let address = &raw mut total as usize;
    let workers = parts.map(|part| {
        thread::spawn(move || {
            let sum: u64 = part.iter().sum();
            unsafe { *(address as *mut u64) += sum } //~ data-race
        })
    });
    for worker in workers {
        worker.join().unwrap();
    }
    println!("{total}");
}
