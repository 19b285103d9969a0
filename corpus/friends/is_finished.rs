use std::thread;

static mut ANSWER: u32 = 0;

// Polling until the thread is finished, and joining it then.
fn main() {
    let worker = thread::spawn(|| unsafe { ANSWER = 42 });
    let mut polls = 0;
    while !worker.is_finished() {
        polls += 1;
        thread::yield_now();
    }
    worker.join().unwrap();
    println!("{} {}", unsafe { ANSWER }, polls < 1_000_000);
}
