use std::sync::Mutex;
use std::thread;

static GATE: Mutex<()> = Mutex::new(());
static LEFT: Mutex<i32> = Mutex::new(1);
static RIGHT: Mutex<i32> = Mutex::new(2);

fn there() {
    let _gate = GATE.lock().unwrap();
    let left = LEFT.lock().unwrap();
    *RIGHT.lock().unwrap() += *left;
}

fn back() {
    let _gate = GATE.lock().unwrap();
    let right = RIGHT.lock().unwrap();
    *LEFT.lock().unwrap() += *right;
}

// The two orders cannot meet, for both are taken under the gate.
fn main() {
    thread::scope(|scope| {
        scope.spawn(there);
        scope.spawn(back);
    });
    println!("{}", *LEFT.lock().unwrap() + *RIGHT.lock().unwrap() >= 5);
}
