use std::sync::{Arc, Mutex};
use std::thread;

struct Inventory {
    items: Mutex<Vec<&'static str>>,
    sold: Mutex<usize>,
}

impl Inventory {
    fn sell(&self) -> Option<&'static str> {
        let item = self.items.lock().unwrap().pop()?;
        *self.sold.lock().unwrap() += 1;
        Some(item)
    }

    fn stock(&self) -> usize {
        self.items.lock().unwrap().len() //~ deadlock
    }
}

// `assert_eq!` borrows from both operands, so the first guard is alive when the second is made.
fn main() {
    let inventory = Arc::new(Inventory { items: Mutex::new(vec!["cup", "jar"]), sold: Mutex::new(0) });
    let seller = {
        let inventory = inventory.clone();
        thread::spawn(move || inventory.sell())
    };
    println!("{:?}", seller.join().unwrap());
    assert_eq!(*inventory.items.lock().unwrap(), vec!["cup"; inventory.stock()]);
    println!("{}", inventory.sold.lock().unwrap());
}
