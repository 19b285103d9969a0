use std::thread;

static mut REQUESTS: u32 = 0;

fn handle() {
    unsafe { REQUESTS += 1 } //~ data-race
}

// Two threads increment a plain static.
fn main() {
    let workers = [thread::spawn(handle), thread::spawn(handle)];
    for worker in workers {
        worker.join().unwrap();
    }
    println!("{}", unsafe { REQUESTS });
}
