use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex};
use std::thread;

struct Wallet {
    coins: Arc<UnsafeCell<u32>>,
    lock: Mutex<()>,
}

unsafe impl Send for Wallet {}

impl Wallet {
    fn share(&self) -> Wallet {
        Wallet { coins: self.coins.clone(), lock: Mutex::new(()) }
    }

    fn add(&self, coins: u32) {
        let _held = self.lock.lock().unwrap();
        unsafe { *self.coins.get() += coins } //~ data-race
    }
}

// Each owner of the wallet locks a mutex of its own.
fn main() {
    let wallet = Wallet { coins: Arc::new(UnsafeCell::new(0)), lock: Mutex::new(()) };
    let other = wallet.share();
    let adder = thread::spawn(move || {
        let other = other;
        other.add(3)
    });
    wallet.add(4);
    adder.join().unwrap();
    println!("{}", unsafe { *wallet.coins.get() });
}
