use std::process;
use std::sync::Mutex;
use std::thread;

static STATE: Mutex<u32> = Mutex::new(1);

// `main` waits for a thread that waits for it, but a third one ends the process.
fn main() {
    let state = STATE.lock().unwrap();
    let blocked = thread::spawn(|| *STATE.lock().unwrap());
    thread::spawn(|| process::exit(0));
    loop {
        thread::park();
        println!("{} {}", *state, blocked.is_finished());
    }
}
