use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct Shop {
    stock: Mutex<Vec<u32>>,
    sales: Mutex<Vec<u32>>,
}

impl Shop {
    fn sell(&self) {
        let mut stock = self.stock.lock().unwrap();
        if let Some(item) = stock.pop() {
            self.sales.lock().unwrap().push(item);
        }
    }

    fn report(&self) -> usize {
        let stock = self.stock.lock().unwrap();
        let sales = self.sales.lock().unwrap();
        sales.len() + stock.len()
    }
}

/// Does the job at once and then every five milliseconds until the sender is dropped.
fn periodically(stop: Receiver<()>, mut job: impl FnMut()) {
    loop {
        job();
        if stop.recv_timeout(Duration::from_millis(5)) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

// Both jobs come round at the same time, and each takes the locks in its own order.
fn main() {
    let shop = Arc::new(Shop::default());
    shop.stock.lock().unwrap().extend(1..=3);
    let (seller, stop_seller) = mpsc::channel();
    let (reporter, stop_reporter) = mpsc::channel();
    let selling = thread::spawn({
        let shop = shop.clone();
        move || periodically(stop_seller, || shop.sell())
    });
    let reporting = thread::spawn({
        let shop = shop.clone();
        move || periodically(stop_reporter, || assert_eq!(shop.report(), 3))
    });
    thread::sleep(Duration::from_millis(12));
    drop((seller, reporter));
    selling.join().unwrap();
    reporting.join().unwrap();
    println!("{}", shop.report());
}
