use std::collections::BTreeMap;
use std::thread;

static mut PRICES: BTreeMap<u32, u32> = BTreeMap::new();

fn set(item: u32, price: u32) -> Option<u32> {
    let prices = &raw mut PRICES;
    unsafe { (*prices).insert(item, price) } //~ thread-safety-violation
}

fn remove(item: u32) -> Option<u32> {
    let prices = &raw mut PRICES;
    unsafe { (*prices).remove(&item) } //~ thread-safety-violation
}

// Two threads change one map that is a plain static.
fn main() {
    set(1, 100);
    let cleaner = thread::spawn(|| remove(1));
    println!("{:?}", set(2, 250));
    println!("{:?}", cleaner.join().unwrap());
}
