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
        if let Some(value) = self.known.lock().unwrap().get(&n).copied() {
            return value;
        }
        let value = self.get(n - 1) + self.get(n - 2);
        *self.known.lock().unwrap().entry(n).or_insert(value)
    }
}

// The closure that computes a missing entry runs under the map's lock and asks the map again.
fn main() {
    let fibonacci = Fibonacci { known: Mutex::default() };
    println!("{}", fibonacci.get(10));
}
