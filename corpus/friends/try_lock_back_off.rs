use std::sync::Mutex;
use std::thread;

static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);

fn there() {
    let mut a = A.lock().unwrap();
    *B.lock().unwrap() += 1;
    *a += 1;
}

fn back() {
    loop {
        let mut b = B.lock().unwrap();
        if let Ok(mut a) = A.try_lock() {
            *a += 1;
            *b += 1;
            return;
        }
        drop(b);
        thread::yield_now();
    }
}

// The opposite order only tries the second lock and lets go of the first.
fn main() {
    thread::scope(|scope| {
        scope.spawn(there);
        scope.spawn(back);
    });
    println!("{} {}", A.lock().unwrap(), B.lock().unwrap());
}
