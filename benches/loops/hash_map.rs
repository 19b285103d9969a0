//! Keys inserted in a `HashMap` and looked up once.

use std::collections::HashMap;

const N: u64 = 1_000;

fn main() {
    let mut squares = HashMap::new();
    let mut i = 0;
    while i < N {
        squares.insert(i, i * i);
        i += 1;
    }
    let mut sum = 0;
    while i > 0 {
        i -= 1;
        sum += squares[&i];
    }
    println!("{sum}");
}
