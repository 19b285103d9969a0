use std::collections::HashMap;
use std::sync::RwLock;

struct Memo {
    known: RwLock<HashMap<u64, u64>>,
    compute: fn(&Memo, u64) -> u64,
}

impl Memo {
    fn new(compute: fn(&Memo, u64) -> u64) -> Self {
        Memo { known: RwLock::default(), compute }
    }

    fn get(&self, n: u64) -> u64 {
        match self.known.read().unwrap().get(&n).copied() {
            Some(value) => value,
            None => {
                let value = (self.compute)(self, n);
                self.known.write().unwrap().insert(n, value); //~ deadlock
                value
            }
        }
    }
}

fn collatz(memo: &Memo, n: u64) -> u64 {
    match n {
        1 => 0,
        n if n % 2 == 0 => 1 + memo.get(n / 2),
        n => 1 + memo.get(3 * n + 1),
    }
}

// The read guard in the scrutinee of the `match` is still there when an arm wants to write.
fn main() {
    let memo = Memo::new(collatz);
    println!("{}", memo.get(6));
}
