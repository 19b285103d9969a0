use std::collections::HashMap;
use std::sync::Mutex;

struct Fibonacci {
    known: Mutex<HashMap<u32, u64>>,
}

impl Fibonacci {
    fn get(&self, n: u32) -> u64 {
        if n < 2 {
            return u64::from(n);
        }
        *self.known.lock().unwrap().entry(n).or_insert_with(|| self.get(n - 1) + self.get(n - 2)) //~ deadlock
    }
}

// The closure that computes a missing entry runs under the map's lock and asks the map again.
fn main() {
    let fibonacci = Fibonacci { known: Mutex::default() };
    println!("{}", fibonacci.get(10));
}
