use std::sync::Mutex;
use std::thread;

static mut TABLE: [u32; 3] = [0; 3];
static mut READY: bool = false;
static FILLING: Mutex<()> = Mutex::new(());

fn is_ready() -> bool {
    unsafe { READY } //~ data-race
}

fn set_ready() {
    unsafe { READY = true } //~ data-race
}

fn square(n: usize) -> u32 {
    if !is_ready() {
        let _held = FILLING.lock().unwrap();
        if !is_ready() {
            unsafe { TABLE = [0, 1, 4] } //~ data-race 2
            set_ready();
        }
    }
    unsafe { TABLE[n] } //~ data-race 2
}

// The flag of the double-checked initialisation is a plain `bool`.
fn main() {
    let workers = [1, 2].map(|n| thread::spawn(move || square(n)));
    println!("{:?}", workers.map(|worker| worker.join().unwrap()));
}
