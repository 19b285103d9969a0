use std::io;
use std::thread;

struct Longest(*mut usize);

unsafe impl Send for Longest {}

impl Longest {
    fn note(&self, length: usize) {
        unsafe {
            if length >= *self.0 { //~ data-race
                *self.0 = length; //~ data-race
            }
        }
    }
}

// Each line gets a thread of its own, and all of them keep the maximum in one place.
fn main() {
    let mut longest = 0;
    let place = &raw mut longest;
    let mut threads = Vec::new();
    for line in io::stdin().lines() {
        let line = line.unwrap_or_default();
        let own = Longest(place);
        threads.push(thread::spawn(move || own.note(line.trim().len())));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{longest}");
}
