use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

static PRICES: Mutex<BTreeMap<u32, u32>> = Mutex::new(BTreeMap::new());

fn set(item: u32, price: u32) -> Option<u32> {
    PRICES.lock().unwrap().insert(item, price)
}

fn remove(item: u32) -> Option<u32> {
    PRICES.lock().unwrap().remove(&item)
}

// Two threads change one map that is a plain static.
fn main() {
    set(1, 100);
    let cleaner = thread::spawn(|| remove(1));
    println!("{:?}", set(2, 250));
    println!("{:?}", cleaner.join().unwrap());
}
