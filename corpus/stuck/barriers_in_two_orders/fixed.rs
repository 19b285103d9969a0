use std::sync::{Arc, Barrier};
use std::thread;

struct Phases {
    loaded: Barrier,
    linked: Barrier,
}

fn loader(phases: &Phases) -> &'static str {
    phases.loaded.wait();
    phases.linked.wait();
    "loader"
}

fn linker(phases: &Phases) -> &'static str {
    phases.loaded.wait();
    phases.linked.wait();
    "linker"
}

// The two threads come to the two barriers in opposite orders.
fn main() {
    let phases = Arc::new(Phases { loaded: Barrier::new(2), linked: Barrier::new(2) });
    let other = Arc::clone(&phases);
    let thread = thread::Builder::new().name("linker".into()).spawn(move || linker(&other)).unwrap();
    println!("{}", loader(&phases));
    println!("{}", thread.join().unwrap());
}
