use std::thread;

// The address of the total goes into the threads as a number, past every check.
fn main() {
    let parts = [[1u64, 2], [3, 4]];
    let mut total = 0u64;
    let workers = parts.map(|part| thread::spawn(move || part.iter().sum::<u64>()));
    for worker in workers {
        total += worker.join().unwrap();
    }
    println!("{total}");
}
