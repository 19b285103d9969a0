use std::thread;

static mut TOTAL: u32 = 0;

// The writes of a static without a lock are ordered by spawn, join and the end of the scope.
fn main() {
    unsafe { TOTAL = 1 };
    thread::scope(|scope| {
        scope.spawn(|| unsafe { TOTAL += 1 });
    });
    unsafe { TOTAL *= 10 };
    let worker = thread::spawn(|| unsafe { TOTAL += 2 });
    worker.join().unwrap();
    println!("{}", unsafe { TOTAL });
}
