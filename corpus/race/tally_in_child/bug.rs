use std::process::Command;
use std::sync::Arc;
use std::thread;

struct Tally(std::cell::UnsafeCell<u32>);

// SAFETY: said to be locked by its users.
unsafe impl Sync for Tally {}

impl Tally {
    fn add(&self) {
        // SAFETY: nobody else is in here.
        unsafe { *self.0.get() += 1 }; //~ data-race
    }
}

// Two threads of the child count without a lock; the parent has one thread.
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
