use std::thread;

struct Shared(*mut [u32; 2]);

unsafe impl Send for Shared {}

impl Shared {
    fn fill(self) {
        unsafe { (*self.0)[1] = 5 } //~ data-race
    }
}

// The result is read after the thread was started and before it was joined.
fn main() {
    let mut data = [1, 2];
    let pointer = &raw mut data;
    let shared = Shared(pointer);
    let worker = thread::spawn(move || shared.fill());
    let sum = unsafe { (*pointer)[0] + (*pointer)[1] }; //~ data-race
    worker.join().unwrap();
    println!("{}", sum == 3 || sum == 6);
}
