//! A `for` loop over a range.

const N: u64 = 1_000;

fn main() {
    let mut sum = 0;
    for i in 0..N {
        sum += i;
    }
    println!("{sum}");
}
