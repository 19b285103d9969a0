use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};

#[derive(Default)]
struct Join {
    left: AtomicUsize,
    waiter: OnceLock<Thread>,
}

impl Join {
    fn done(&self) {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            if let Some(waiter) = self.waiter.get() {
                waiter.unpark();
            }
        }
    }

    fn wait(&self) {
        while self.left.load(Ordering::Acquire) > 0 {
            thread::park();
        }
    }
}

fn compile(unit: &str) -> usize {
    unit.len() * 10
}

// The thread to wake is looked up in the first worker, so that it is that worker.
fn main() {
    let join = Arc::new(Join { left: AtomicUsize::new(2), waiter: OnceLock::new() });
    join.waiter.get_or_init(thread::current);
    for unit in ["core", "alloc"] {
        let join = join.clone();
        thread::spawn(move || {
            println!("{}", compile(unit) > 0);
            join.done();
        });
    }
    join.wait();
    println!("linked");
}
