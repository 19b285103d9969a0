use std::cell::{Cell, RefCell};
use std::thread;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static TRACE: RefCell<Vec<String>> = RefCell::default();
}

fn enter(name: &str) -> usize {
    DEPTH.set(DEPTH.get() + 1);
    TRACE.with_borrow_mut(|trace| {
        trace.push(format!("{} {name}", DEPTH.get()));
        trace.len()
    })
}

// Each thread has its own depth and trace.
fn main() {
    enter("main");
    let workers = ["left", "right"].map(|name| thread::spawn(move || enter(name) + enter(name)));
    println!("{:?}", workers.map(|worker| worker.join().unwrap()));
    println!("{}", enter("main"));
}
