use std::sync::Barrier;
use std::thread;

// The scope ends when its thread does, and that waits for `main` behind the scope.
fn main() {
    let ready = Barrier::new(2);
    thread::scope(|scope| { //~ deadlock
        scope.spawn(|| {
            ready.wait(); //~ deadlock
            println!("worker");
        });
    });
    ready.wait();
    println!("main");
}
