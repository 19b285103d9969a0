use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

fn main() {
    let flag = Arc::new(AtomicBool::new(false));
    let f = flag.clone();
    let h = thread::spawn(move || {
        while !f.load(Ordering::Acquire) {
            thread::park();
        }
        "unparked"
    });
    flag.store(true, Ordering::Release);
    h.thread().unpark();
    println!("{}", h.join().unwrap());
    // A token given before park makes it return at once.
    thread::current().unpark();
    thread::park();
    println!("token used");
    thread::park_timeout(Duration::from_millis(1));
    println!("timeout over");
    let main = thread::current();
    let n = AtomicU32::new(0);
    thread::scope(|s| {
        s.spawn(|| {
            n.store(7, Ordering::Release);
            main.unpark();
        });
        while n.load(Ordering::Acquire) == 0 {
            thread::park();
        }
        println!("n {}", n.load(Ordering::Relaxed));
    });
    thread::sleep(Duration::from_millis(1));
    let order = Arc::new(Mutex::new(vec![]));
    let o = order.clone();
    let first = thread::spawn(move || o.lock().unwrap().push("first"));
    first.join().unwrap();
    let o = order.clone();
    thread::spawn(move || o.lock().unwrap().push("second")).join().unwrap();
    println!("{:?}", order.lock().unwrap());
}
