use std::cell::Cell;
use std::sync::Arc;
use std::thread;

struct Requests(Cell<u32>);

unsafe impl Sync for Requests {}

impl Requests {
    fn count(&self) {
        self.0.set(1); //~ thread-safety-violation
    }

    fn so_far(&self) -> u32 {
        self.0.get() //~ thread-safety-violation
    }
}

// A `Cell` is shared between threads by an unsafe promise.
fn main() {
    let requests = Arc::new(Requests(Cell::new(0)));
    let server = {
        let requests = requests.clone();
        thread::spawn(move || requests.count())
    };
    println!("{}", requests.so_far() < 2);
    server.join().unwrap();
}
