use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

struct Tally(Mutex<u32>);

impl Tally {
    fn add(&self) {
        *self.0.lock().unwrap() += 1;
    }
}

// Two threads of the child count under a lock; the parent has one thread.
fn main() {
    if std::env::args().nth(1).is_some_and(|it| it == "count-both") {
        let tally = Arc::new(Tally(0.into()));
        let twin = tally.clone();
        let worker = thread::spawn(move || twin.add());
        tally.add();
        return worker.join().unwrap();
    }
    let status = Command::new(std::env::current_exe().unwrap()).arg("count-both").status().unwrap();
    println!("{status}");
}
