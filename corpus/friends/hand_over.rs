use std::sync::mpsc;
use std::thread;

struct Owned(*mut u32);

unsafe impl Send for Owned {}

// A raw pointer goes to and fro through channels; whoever has it is alone with it.
fn main() {
    let (to_worker, inbox) = mpsc::channel::<Owned>();
    let (to_main, results) = mpsc::channel::<Owned>();
    let worker = thread::spawn(move || {
        for item in inbox {
            unsafe { *item.0 += 1 };
            to_main.send(item).unwrap();
        }
    });
    let mut value = 0;
    let mut item = Owned(&raw mut value);
    for _ in 0..3 {
        unsafe { *item.0 *= 2 };
        to_worker.send(item).unwrap();
        item = results.recv().unwrap();
    }
    drop(to_worker);
    worker.join().unwrap();
    println!("{value}");
}
