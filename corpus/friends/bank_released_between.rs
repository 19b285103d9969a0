use std::sync::{Arc, Mutex};
use std::thread;

struct Stock {
    shelf: Mutex<Vec<&'static str>>,
    cart: Mutex<Vec<&'static str>>,
}

impl Stock {
    fn pick(&self) -> bool {
        let item = self.shelf.lock().unwrap().pop();
        match item {
            Some(item) => {
                self.cart.lock().unwrap().push(item);
                true
            }
            None => false,
        }
    }

    fn put_back(&self) -> bool {
        let Some(item) = self.cart.lock().unwrap().pop() else { return false };
        self.shelf.lock().unwrap().push(item);
        true
    }

    fn swap(&self) {
        let last = { self.cart.lock().unwrap().last().copied() };
        let count = self.shelf.lock().unwrap().iter().filter(|&&item| Some(item) == last).count();
        if let 0 = count {
            self.pick();
        } else {
            self.put_back();
        }
    }
}

// Both orders occur, but the first lock is always let go before the second one is taken.
fn main() {
    let stock = Arc::new(Stock { shelf: Mutex::new(vec!["tea", "jam"]), cart: Mutex::new(vec!["tea"]) });
    let other = thread::spawn({
        let stock = Arc::clone(&stock);
        move || (stock.put_back(), stock.swap())
    });
    stock.pick();
    stock.swap();
    other.join().unwrap();
    println!("{}", stock.shelf.lock().unwrap().len() + stock.cart.lock().unwrap().len());
}
