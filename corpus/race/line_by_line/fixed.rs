use std::io;
use std::thread;

struct Longest(*mut usize);

unsafe impl Send for Longest {}

impl Longest {
    fn note(&self, length: usize) {
        unsafe {
            if length >= *self.0 {
                *self.0 = length;
            }
        }
    }
}

// Each line gets a thread of its own, which is joined before the next one begins.
fn main() {
    let mut longest = 0;
    let place = &raw mut longest;
    for line in io::stdin().lines() {
        let line = line.unwrap_or_default();
        let own = Longest(place);
        thread::spawn(move || own.note(line.trim().len())).join().unwrap();
    }
    println!("{longest}");
}
