use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

struct OrderBook {
    asks: Mutex<()>,
    bids: Mutex<()>,
    levels: UnsafeCell<BTreeMap<u32, i64>>,
}

unsafe impl Sync for OrderBook {}

impl OrderBook {
    fn levels(&self) -> &mut BTreeMap<u32, i64> {
        unsafe { &mut *self.levels.get() }
    }

    fn ask(&self, price: u32, amount: i64) {
        let _held = self.asks.lock().unwrap();
        self.levels().insert(price, -amount);
    }

    fn bid(&self, price: u32, amount: i64) {
        let _held = self.asks.lock().unwrap();
        let _also = self.bids.lock().unwrap();
        self.levels().insert(price, amount);
    }

    fn depth(&self) -> usize {
        let _asks = self.asks.lock().unwrap();
        let _bids = self.bids.lock().unwrap();
        self.levels().values().filter(|&&amount| amount != 0).count()
    }
}

// Asks and bids have a lock each but one map of levels.
fn main() {
    let book = Arc::new(OrderBook { asks: Mutex::new(()), bids: Mutex::new(()), levels: UnsafeCell::default() });
    let seller = {
        let book = book.clone();
        thread::spawn(move || book.ask(101, 5))
    };
    book.bid(99, 7);
    seller.join().unwrap();
    println!("{}", book.depth());
}
