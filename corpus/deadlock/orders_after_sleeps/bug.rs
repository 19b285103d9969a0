use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(10);

struct Shop {
    stock: Mutex<u32>,
    sold: Mutex<u32>,
}

impl Shop {
    fn sell(&self) {
        thread::sleep(PAUSE);
        let mut stock = self.stock.lock().unwrap();
        let mut sold = self.sold.lock().unwrap(); //~ deadlock
        *stock -= 1;
        *sold += 1;
    }

    fn take_back(&self) {
        thread::sleep(PAUSE);
        let mut sold = self.sold.lock().unwrap();
        let mut stock = self.stock.lock().unwrap(); //~ deadlock
        *sold -= 1;
        *stock += 1;
    }
}

// Both pauses end at about the same time, and the two threads take the locks in opposite orders.
fn main() {
    let shop = Arc::new(Shop { stock: Mutex::new(10), sold: Mutex::new(1) });
    let clerk = shop.clone();
    let clerk = thread::spawn(move || clerk.sell());
    shop.take_back();
    clerk.join().unwrap();
    println!("{} {}", shop.stock.lock().unwrap(), shop.sold.lock().unwrap());
}
