use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

struct Shop {
    stock: Mutex<u32>,
    sold: Mutex<u32>,
}

impl Shop {
    fn sell(&self) {
        let mut stock = self.stock.lock().unwrap();
        let mut sold = self.sold.lock().unwrap();
        *stock -= 1;
        *sold += 1;
    }

    fn take_back(&self) {
        let mut sold = self.sold.lock().unwrap();
        let mut stock = self.stock.lock().unwrap();
        *sold -= 1;
        *stock += 1;
    }
}

// The two threads take the locks in opposite orders, but one has been done for most of a second when the other starts.
fn main() {
    let shop = Arc::new(Shop { stock: Mutex::new(10), sold: Mutex::new(1) });
    let clerk = thread::spawn({
        let shop = shop.clone();
        move || {
            thread::sleep(Duration::from_millis(100));
            shop.sell();
        }
    });
    let manager = thread::spawn({
        let shop = shop.clone();
        move || {
            thread::sleep(Duration::from_secs(1));
            shop.take_back();
        }
    });
    clerk.join().unwrap();
    manager.join().unwrap();
    println!("{} {}", shop.stock.lock().unwrap(), shop.sold.lock().unwrap());
}
