use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex};
use std::thread;

struct Wallet {
    coins: Arc<UnsafeCell<u32>>,
    lock: Arc<Mutex<()>>,
}

unsafe impl Send for Wallet {}

impl Wallet {
    fn share(&self) -> Wallet {
        Wallet { coins: self.coins.clone(), lock: self.lock.clone() }
    }

    fn add(&self, coins: u32) {
        let _held = self.lock.lock().unwrap();
        unsafe { *self.coins.get() += coins }
    }
}

// Each owner of the wallet locks a mutex of its own.
fn main() {
    let wallet = Wallet { coins: Arc::new(UnsafeCell::new(0)), lock: Arc::default() };
    let other = wallet.share();
    let adder = thread::spawn(move || {
        let other = other;
        other.add(3)
    });
    wallet.add(4);
    adder.join().unwrap();
    println!("{}", unsafe { *wallet.coins.get() });
}
