use std::sync::Mutex;
use std::thread;

static mut TABLE: [u32; 3] = [0; 3];
static FILLING: Mutex<()> = Mutex::new(());

use std::sync::atomic::{AtomicBool, Ordering};

static READY: AtomicBool = AtomicBool::new(false);

fn is_ready() -> bool {
    READY.load(Ordering::Acquire)
}

fn set_ready() {
    READY.store(true, Ordering::Release)
}

fn square(n: usize) -> u32 {
    if !is_ready() {
        let _held = FILLING.lock().unwrap();
        if !is_ready() {
            unsafe { TABLE = [0, 1, 4] }
            set_ready();
        }
    }
    unsafe { TABLE[n] }
}

// The flag of the double-checked initialisation is a plain `bool`.
fn main() {
    let workers = [1, 2].map(|n| thread::spawn(move || square(n)));
    println!("{:?}", workers.map(|worker| worker.join().unwrap()));
}
